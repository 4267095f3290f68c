"""Heaps: the smallest possible ruleset, as another author would write and install it."""

from heaps.rulebook import ruleset

__all__ = ["ruleset"]
