"""The heuristic without its plans: every fighter for herself, a newcomer's first opponent."""

from __future__ import annotations

from typing import ClassVar

from caltrop.players.blade_skirmish.heuristic import Heuristic


class Easy(Heuristic):
    """Every fighter for herself, and none looks at what the enemy may do next."""

    words: ClassVar[str] = "plays as heuristic, but every fighter for herself and without a look at the enemy's answer"
    wary: ClassVar[bool] = False
    together: ClassVar[bool] = False
