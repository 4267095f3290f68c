"""The heuristic of Hex Command as it was before the ladder: what is new is measured against it."""

from tests.players.frozen.hex_command.heuristic import Heuristic

__all__ = ["Heuristic"]
