"""The computer players of Command Horizon.

`veteran` plans each turn with the game's own functions: prices, ways, range and sight, cover, exact odds; the levels
below it are the same player with errors. Read `worth` (what things are worth), `outlook` (how
good a place is), `plan` (movement), `fire`, then `heuristic`, which has one method for each decision of the game.

They see only the view that they are given, think in whole numbers, and break ties by the order in which the game lists
things. A count of places judged bounds them, never the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.command_horizon.heuristic import Heuristic
from caltrop.players.ladder import rungs
from caltrop.players.protocol import Budget, Player
from caltrop.players.search import searching

PLAYERS: Mapping[str, Callable[[], Player]] = {
    **rungs(Heuristic, Heuristic.words, recruit=260, regular=90),
    **searching("command-horizon", Heuristic, commander=300, marshal=1000, glance=Budget(nodes=1)),
}

__all__ = ["PLAYERS", "Heuristic"]
