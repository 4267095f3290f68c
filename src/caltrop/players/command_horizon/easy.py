"""The heuristic with seeded mistakes: a newcomer's first opponent."""

from __future__ import annotations

from typing import ClassVar

from caltrop.players.command_horizon.heuristic import Heuristic


class Easy(Heuristic):
    """Overlooks units, lets chances pass, and takes the second-best target now and then."""

    words: ClassVar[str] = (
        "plays as heuristic, but dawdles, forgets objectives, takes second-best targets and never boosts"
    )
    forget: ClassVar[int] = 60
    careless: ClassVar[int] = 50
    blind: ClassVar[int] = 100
    boosts: ClassVar[bool] = False
