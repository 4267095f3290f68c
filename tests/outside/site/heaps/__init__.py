"""Heaps: a ruleset that somebody else has written and installed, as small as one can be."""

from heaps.rulebook import ruleset

__all__ = ["ruleset"]
