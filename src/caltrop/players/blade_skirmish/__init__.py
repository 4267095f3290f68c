"""The computer players of Blade Skirmish.

`heuristic` plans a turn of all its models at once and weighs fights by their exact odds. `easy` is the same player with
mistakes, `greedy` goes for the nearest enemy. Read `worth` (what models and places are worth), `outlook` (how an
arrangement of models is likely to end), `plan` (what models can do, alone and together), then `heuristic`, which has
one method for each decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caltrop.players.blade_skirmish.easy import Easy
from caltrop.players.blade_skirmish.greedy import Greedy
from caltrop.players.blade_skirmish.heuristic import Heuristic
from caltrop.players.protocol import Player

PLAYERS: Mapping[str, Callable[[], Player]] = {"easy": Easy, "greedy": Greedy, "heuristic": Heuristic}

__all__ = ["PLAYERS", "Easy", "Greedy", "Heuristic"]
