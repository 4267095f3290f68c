"""Hex Command: order cards, dice with symbols and a map of hexes, from infantry to God Machines with void shields."""

from caltrop.rules.hex_command.rulebook import ruleset

__all__ = ["ruleset"]
