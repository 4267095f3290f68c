"""Translations: their catalogs, and the program that keeps their keys."""
