"""The turn: each model through the sequence, then combat; and the whole skirmish as one turn after another."""

from __future__ import annotations
