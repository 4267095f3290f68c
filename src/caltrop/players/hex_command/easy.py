"""The heuristic with seeded mistakes: a newcomer's first opponent."""

from __future__ import annotations

from typing import ClassVar

from caltrop.players.hex_command.heuristic import Heuristic


class Easy(Heuristic):
    """Overlooks units and answers now and then without thinking."""

    forget: ClassVar[int] = 35
    careless: ClassVar[int] = 35
