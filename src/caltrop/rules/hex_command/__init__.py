"""Hex Command: order cards, dice with symbols and a map of hexes, from infantry up to God Machines with void shields.

Read `catalogue` and `battle` (what there is), then `turn` (the steps), and each step's own chapter: `cards`, `orders`,
`moving`, `battling` and `attack`, `retreat`, `specials`, `victory`. Units, ground, cards, scenarios and house rules are
data. The clauses, and what of them is the book's and what Caltrop's, are in `docs/rules/hex-command.md`.
"""

from caltrop.rules.hex_command.rulebook import ruleset

__all__ = ["ruleset"]
