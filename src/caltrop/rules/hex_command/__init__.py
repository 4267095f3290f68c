"""Hex Command: order cards, dice with symbols and a map of hexes, from infantry up to God Machines with void shields.

Read `catalogue` and `records` (the state), then `turn` (the steps), and each step's own chapter: `cards`, `orders`,
`moving`, `battling` and `attack`, `retreat`, `specials`, `victory`. Units, ground, cards, scenarios and house rules are
data. The clauses, marked as the book's or Caltrop's own, are in `docs/rules/hex-command.md`.
"""

from caltrop.rules.hex_command.rulebook import ruleset

__all__ = ["ruleset"]
