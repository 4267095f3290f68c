"""The computer players of Command Horizon.

`heuristic` plans each turn with the game's own functions: prices, ways, range and sight, cover, exact odds. `easy` is
the same player with mistakes, `greedy` goes for the nearest enemy. Read `worth` (what things are worth), `outlook` (how
good a place is), `plan` (movement), `fire`, then `heuristic`, which has one method for each decision of the game.

They see only the view that they are given, think in whole numbers, break ties by the order in which the game lists
things, and are bounded by a count of places judged, never by the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.command_horizon.easy import Easy
from caltrop.players.command_horizon.greedy import Greedy
from caltrop.players.command_horizon.heuristic import Heuristic
from caltrop.players.protocol import Player

PLAYERS: Mapping[str, Callable[[], Player]] = {"easy": Easy, "greedy": Greedy, "heuristic": Heuristic}

__all__ = ["PLAYERS", "Easy", "Greedy", "Heuristic"]
