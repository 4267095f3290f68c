"""Hex Command: a game with order cards, dice with symbols, and a map of hexes."""

from caltrop.rules.hex_command.rulebook import ruleset

__all__ = ["ruleset"]
