"""Entrenchments: markers that a unit digs in its hex. Entrenchments last until the unit leaves."""

from __future__ import annotations

from typing import ClassVar

from caltrop.engine import Event
from caltrop.rules.hex_command.catalogue import (
    ground_of,
)
from caltrop.rules.hex_command.records import Battle
from caltrop.table.hexes import Hex


class Entrenched(Event, frozen=True):
    unit: int
    hex: Hex
    clauses: ClassVar[tuple[str, ...]] = ("HX-S39", "HX-S56")
    template = "An entrenchment is dug at {hex} for the {unit}"


class EntrenchmentLeft(Event, frozen=True):
    hex: Hex
    clauses: ClassVar[tuple[str, ...]] = ("HX-S39",)
    template = "The entrenchment at {hex} is given up"


def give_up(t: Battle, hex: Hex) -> None:
    """Remove the entrenchment from a hex when its unit leaves or is destroyed.

    A leader without its unit neither takes an entrenchment along nor keeps one.
    """
    if hex in t.entrenchments and ground_of(t, "entrenchment").on:
        t.entrenchments.remove(hex)
        t.tell(EntrenchmentLeft(hex))
