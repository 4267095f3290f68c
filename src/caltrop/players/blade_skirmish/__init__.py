"""The computer players of Blade Skirmish.

`veteran` plans a turn of all its models together and evaluates fights by exact odds. The levels below the veteran are
the same player with errors. Read `weights` (numbers that are a matter of judgement) and `worth` (of models and places).
Then read `outlook` (the evaluation of an arrangement of models) and `plan` (the options of models, alone and together).
`heuristic` has one method for each decision.
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
