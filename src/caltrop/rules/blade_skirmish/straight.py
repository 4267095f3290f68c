"""Straight moves across the table: their ends, and the obstacles that stop them.

Flights, drifts, charges, random moves, and moves through a victim's place are straight moves.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from caltrop.geometry import Disc, Point, distance_up, path_length, point_along
from caltrop.rules.blade_skirmish.reach import paced
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.table.measured import path_fault


class StraightCourse(NamedTuple):
    """The end of a straight move, and its obstacle."""

    end: Point
    length: int
    """Length of the move, rounded up to a tenth of a millimetre."""
    stop: Literal["edge", "terrain", "fighter"] | None
    """Kind of obstacle that stopped the fighter; None without an obstacle."""
    fighter: int | None = None
    """Id of the model that the fighter ran into."""
    terrain: str = ""
    """Name of the terrain that stopped the fighter."""


def others(t: Skirmish, id: int, without: Collection[int] = ()) -> list[tuple[int, Disc]]:
    return [(f.id, t.disc(f.id)) for f in t.on_table() if f.id != id and f.id not in without]


def straight(t: Skirmish, id: int, direction: Point, length: int, without: Collection[int] = ()) -> StraightCourse:
    """Return the end of a straight move.

    Args:
        direction: The direction as a vector of any length; (0, 0) for no move.
    """
    x, y, r = t.disc(id)
    start = (x, y)
    way = (start, point_along(start, direction, length))
    end = paced(t, way, path_length(way))[-1]
    if end == start:
        return StraightCourse(start, 0, None)
    around = others(t, id, without)
    fault = path_fault(t.ground, (start, end), r, [disc for _, disc in around])
    if fault is None:
        return StraightCourse(end, min(length, distance_up(start, end)), None)
    gap = distance_up(start, fault.stop)
    if fault.kind == "disc" and fault.disc is not None:
        return StraightCourse(fault.stop, gap, "fighter", around[fault.disc][0])
    if fault.kind == "table":
        return StraightCourse(fault.stop, gap, "edge")
    return StraightCourse(fault.stop, gap, "terrain", terrain=fault.terrain or "")


def obstacle(t: Skirmish, stop: str, who: int | None, terrain: str = "") -> str:
    """Describe the obstacle that stops a straight move."""
    if who is not None:
        return t.called(who)
    if stop == "edge":
        return "the table's edge"
    if not terrain or terrain.lower().startswith("the "):
        return terrain or "terrain"
    return f"the {terrain[:1].lower()}{terrain[1:]}"


def away_from(a: Point, b: Point) -> Point:
    """Return the direction in which *a* moves straight away from *b*, along the line of centres (BS-Q03)."""
    return (a[0] - b[0], a[1] - b[1])
