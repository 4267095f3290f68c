"""The computer players of Squad Action.

`heuristic` weighs what every unit could do by exact odds and by what its mission wants, `greedy` takes what gains most
at once, and `easy` does what lies nearest. Read `worth` (what units are worth, and what attacks take of it), `fire`
(shots, here and from elsewhere), `outlook` (how good a place is), `plan` (what a unit could do), then `heuristic`,
which has one method for each decision.

They see only the view that they are given, think in whole numbers, and are bounded by a count of places, never by the
clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.judgement import Judgement
from caltrop.players.ladder import Rung
from caltrop.players.protocol import Player
from caltrop.players.squad_action.easy import Easy
from caltrop.players.squad_action.greedy import Greedy
from caltrop.players.squad_action.heuristic import Heuristic
from caltrop.players.squad_action.weights import VETERAN


def _veteran(judgement: Judgement) -> Player:
    return Heuristic(VETERAN.styled(judgement.style), judgement)


PLAYERS: Mapping[str, Callable[[], Player]] = {
    "recruit": Easy,
    "regular": Greedy,
    "veteran": Rung(_veteran, 0, Heuristic.words),
}

__all__ = ["PLAYERS", "Easy", "Greedy", "Heuristic"]
