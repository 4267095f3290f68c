"""The computer players of Hex Command.

`veteran` plans its turn around the cards in its hand and weighs attacks by the exact odds; the levels below it are the
same player with errors. Read `worth` (of things), `outlook` (what can be done from a place, and to it), `plan` (what
units and cards bring), then `heuristic`, which has one method for each decision.

They see only the view that they are given: of the other hand they know no more than anybody at the table.
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
