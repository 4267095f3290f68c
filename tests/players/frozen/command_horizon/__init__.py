"""The heuristic of Command Horizon as it was before the ladder: what is new is measured against it."""

from tests.players.frozen.command_horizon.heuristic import Heuristic

__all__ = ["Heuristic"]
