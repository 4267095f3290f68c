"""What a path takes out of a fighter: its length, and twice the length of what lies in difficult ground."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil

from caltrop.engine import rule
from caltrop.geometry import Point, Polygon, cut_at_length, distance_up, in_polygon, path_length, turn
from caltrop.rules.blade_skirmish.skirmish import Skirmish

Path = tuple[Point, ...]
"""The polyline of a base's centre, its start first."""


@rule("BS-S13", "BS-S21", stages=("house",))
def pace(t: Skirmish, path: Path) -> int:
    """A path takes as much movement as it is long: the distance that the centre of the base goes."""
    return path_length(path)


@pace.amended_by("BS-S13", stage="house", house={"difficult_ground": "on"})
def marked_ground_counts_twice(spent: int, t: Skirmish, path: Path) -> int:
    """House rule: in marked areas each inch takes 2 inches of movement."""
    marked = marked_ground(t)
    return spent + sum([_length_in(a, b, marked) for a, b in pairwise(path)]) if marked else spent


def marked_ground(t: Skirmish) -> tuple[Polygon, ...]:
    """The outlines of the areas that are marked as difficult ground."""
    return tuple([piece.polygon for piece in t.field.table.terrain if piece.kind.rough])


def paced(t: Skirmish, path: Path, limit: int) -> Path:
    """As far along a path as some movement takes a fighter."""
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


def _length_in(a: Point, b: Point, areas: tuple[Polygon, ...]) -> int:
    """How much of a straight way lies in some areas, rounded up; in two at once it counts once."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    stops = {Fraction(0), Fraction(1)}
    for area in areas:
        for c, d in zip(area, (*area[1:], area[0]), strict=True):
            across = dx * (d[1] - c[1]) - dy * (d[0] - c[0])
            if across:
                stops.add(min(max(Fraction(turn(c, d, a), across), Fraction(0)), Fraction(1)))
    inside = Fraction(0)
    for start, end in pairwise(sorted(stops)):
        n, whole = ((start + end) / 2).as_integer_ratio()
        middle = (a[0] * whole + dx * n, a[1] * whole + dy * n)
        if any(in_polygon(middle, tuple([(x * whole, y * whole) for x, y in area])) for area in areas):
            inside += end - start
    return ceil(inside * distance_up(a, b))
