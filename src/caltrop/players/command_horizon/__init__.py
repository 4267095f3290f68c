"""The computer players of Command Horizon.

`veteran` plans each turn with the functions of the rules: prices, paths, range and sight, cover, exact odds. The levels
below the veteran are the same player with errors. Read `worth` (of units and losses), `outlook` (the evaluation of
places), `plan` (movement), `fire`, and then `heuristic`, which has one method for each decision.

The players see only the given view, calculate in integers, and break ties by the order in which the game lists options.
A number of evaluated places limits the players' thinking, so it does not depend on the clock.
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
