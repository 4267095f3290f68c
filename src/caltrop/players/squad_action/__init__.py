"""The computer players of Squad Action.

`veteran` weighs what every unit could do by exact odds and by what its mission wants, the levels below it are the same
player with errors, and `commander` and `marshal` try out whole turns of veterans. Read `worth` (what units are worth,
and what attacks take of it), `fire` (shots, here and from elsewhere), `outlook` (how good a place is), `plan` (what a
unit could do), then `heuristic`, which has one method for each decision.

They see only the view that they are given, think in whole numbers, and are bounded by a count of places, never by the
clock.
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
