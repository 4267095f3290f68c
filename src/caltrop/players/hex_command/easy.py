"""The heuristic with seeded mistakes: a newcomer's first opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from caltrop.engine import Decision
from caltrop.players.hex_command.heuristic import Heuristic
from caltrop.rules.hex_command.battling import ChooseBattle
from caltrop.rules.hex_command.cards import PlayACard
from caltrop.rules.hex_command.moving import MoveUnits
from caltrop.rules.hex_command.orders import OrderUnits


class Easy(Heuristic):
    """Overlooks units, and plays, orders, moves and battles now and then without thinking."""

    words: ClassVar[str] = "plays as heuristic, but often without thinking, and overlooks units"
    forget: ClassVar[int] = 70
    careless: ClassVar[Mapping[type[Decision], int]] = {
        PlayACard: 80,
        OrderUnits: 45,
        MoveUnits: 45,
        ChooseBattle: 90,
    }
