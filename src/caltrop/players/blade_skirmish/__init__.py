"""The computer players of Blade Skirmish.

`veteran` plans a turn of all its models at once and weighs fights by their exact odds; the levels below it are the same
player with errors. Read `weights` (every number that is a judgement) and `worth` (of models and places). Then read
`outlook` (how an arrangement of models is likely to end) and `plan` (what models can do, alone and together). Then read
`heuristic`, which has one method for each decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.blade_skirmish.heuristic import Heuristic
from caltrop.players.ladder import rungs
from caltrop.players.protocol import Player
from caltrop.players.search import searching

PLAYERS: Mapping[str, Callable[[], Player]] = {
    **rungs(Heuristic, Heuristic.words, recruit=650, regular=220),
    **searching("blade-skirmish", Heuristic, commander=500, marshal=1500),
}

__all__ = ["PLAYERS", "Heuristic"]
