"""The sections of the map: its thirds from left to right, as each side sees them from its own base line."""

from __future__ import annotations

from functools import cache

from caltrop.engine import rule
from caltrop.rules.hex_command.catalogue import Section
from caltrop.rules.hex_command.records import SOUTH, Battle
from caltrop.table.hexes import Hex, hex_map


@rule("HX-S10", "HX-S13", "HX-S14")
def sections_of(t: Battle, hex: Hex, side: int) -> tuple[Section, ...]:
    """The sections that a hex is in, from the side's left to its right; a hex on a border is in two.

    With w columns in odd rows a flank has f = w / 3 of them, rounded down; in even rows the hex that is the f-th from
    either side is on the border.
    """
    return _sections(t.field.rows, t.field.columns, side)[hex]


@cache
def _sections(rows: int, columns: int, side: int) -> dict[Hex, tuple[Section, ...]]:
    map, flank = hex_map(rows, columns), columns // 3
    west, east = ("left", "right") if side == SOUTH else ("right", "left")
    found: dict[Hex, tuple[Section, ...]] = {}
    for hex in map.hexes:
        shifted = map.row(hex) % 2 == 0
        from_west = map.column(hex) + 1
        from_east = columns - shifted + 1 - from_west
        if shifted and flank in (from_west, from_east):
            border: Section = west if from_west == flank else east  # type: ignore[assignment]
            found[hex] = (border, "centre") if border == "left" else ("centre", border)
        elif from_west <= flank:
            found[hex] = (west,)  # type: ignore[assignment]
        elif from_east <= flank:
            found[hex] = (east,)  # type: ignore[assignment]
        else:
            found[hex] = ("centre",)
    return found
