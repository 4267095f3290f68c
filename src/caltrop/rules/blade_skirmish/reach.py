"""The cost of a path for a fighter: its length, doubled in difficult ground."""

from __future__ import annotations

from caltrop.engine import rule
from caltrop.geometry import Point, cut_at_length, path_length
from caltrop.rules.blade_skirmish.catalogue import kinds_of_ground
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.table.measured import TableGround
from caltrop.table.measured import spent as cost

Path = tuple[Point, ...]
"""Path of a base's centre, as a polyline from its start."""


@rule("BS-S13", "BS-S21", stages=("house",))
def pace(t: Skirmish, path: Path) -> int:
    """The cost of a path is its length, as the centre of the base moves."""
    return path_length(path)


@pace.amended_by("BS-S13", stage="house", house={"difficult_ground": "on"})
def marked_ground_counts_twice(spent: int, t: Skirmish, path: Path) -> int:
    """House rule: in difficult ground each inch costs 2 inches of movement."""
    return cost(slowed(t), path)


def slowed(t: Skirmish) -> TableGround:
    """Return the table for a fighter who pays double in difficult ground."""
    return t.ground.for_mover(kinds_of_ground(t).passage("slowed"))


def walked(t: Skirmish) -> TableGround:
    """Return the table for a walking fighter. If the house rule is on, difficult ground costs double."""
    return slowed(t) if t.book.rules["difficult_ground"] == "on" else t.ground


def paced(t: Skirmish, path: Path, limit: int) -> Path:
    """Return the part of a path that a fighter can go with an amount of movement."""
    if pace(t, path) <= limit:
        return path
    free, beyond = 0, limit + 1
    while beyond - free > 1:
        middle = (free + beyond) // 2
        if pace(t, cut_at_length(path, middle)) <= limit:
            free = middle
        else:
            beyond = middle
    return cut_at_length(path, free)
