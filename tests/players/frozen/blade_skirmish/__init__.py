"""The heuristic of Blade Skirmish as it was before the ladder: what is new is measured against it."""

from tests.players.frozen.blade_skirmish.heuristic import Heuristic

__all__ = ["Heuristic"]
