"""The computer players of Hex Command.

`veteran` plans its turn around the cards in its hand and evaluates attacks by exact odds. The levels below the veteran
are the same player with errors. Read `worth` (of units and objectives), `outlook` (the evaluation of places), `plan`
(the gains of units and cards), and then `heuristic`, which has one method for each decision.

The players see only the given view. The players know no more about the other hand than any onlooker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.hex_command.heuristic import Heuristic
from caltrop.players.hex_command.weights import TUNED
from caltrop.players.judgement import Judgement
from caltrop.players.ladder import rungs
from caltrop.players.protocol import Player
from caltrop.players.search import searching


def _tuned(judgement: Judgement) -> Player:
    return Heuristic(judgement, TUNED)


PLAYERS: Mapping[str, Callable[[], Player]] = {
    **rungs(Heuristic, Heuristic.words, recruit=135, regular=60),
    **searching("hex-command", _tuned, commander=1100, marshal=1800),
}

__all__ = ["PLAYERS", "Heuristic"]
