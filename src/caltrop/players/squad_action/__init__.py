"""The computer players of Squad Action.

`veteran` evaluates the options of every unit by exact odds and by the goals of its mission. The levels below the
veteran are the same player with errors; `commander` and `marshal` simulate whole turns of veterans. Read `worth` (of
units, and the effect of attacks), `fire` (shots from present and other places), `outlook` (the value of places) and
`plan` (the options of a unit). After these, read `heuristic`, which has one method for each decision.

The players see only the given view, calculate in integers, and limit their thinking by a number of places, so games do
not depend on the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.judgement import Judgement
from caltrop.players.ladder import rungs
from caltrop.players.protocol import Budget, Player
from caltrop.players.search import searching
from caltrop.players.squad_action.heuristic import Heuristic
from caltrop.players.squad_action.weights import VETERAN


def _veteran(judgement: Judgement) -> Player:
    return Heuristic(judgement, VETERAN.styled(judgement.style))


PLAYERS: Mapping[str, Callable[[], Player]] = {
    **rungs(_veteran, Heuristic.words, recruit=150, regular=50),
    **searching("squad-action", _veteran, commander=700, marshal=1500, glance=Budget(nodes=1)),
}

__all__ = ["PLAYERS", "Heuristic"]
