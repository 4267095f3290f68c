"""Hexes as integer coordinates: steps, directions, and the hexes that a line from centre to centre crosses.

The lattice counts half hexes to the east and thirds of a row to the south. One hex east is (2, 0), and one hex
south-east is (1, 3); a hex has its corners at (0, ±2) and (±1, ±1) from its centre. That picture is squeezed, yet
straight lines stay straight, and areas keep their proportions. Lengths do not: the true square of (x, y) is 3x² + y²,
in twelfths of the square of a hex's width.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from caltrop.geometry import Point

EAST: Point = (2, 0)
NORTH_EAST: Point = (1, -3)
NORTH_WEST: Point = (-1, -3)
WEST: Point = (-2, 0)
SOUTH_WEST: Point = (-1, 3)
SOUTH_EAST: Point = (1, 3)

DIRECTIONS = (EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST)
"""The six neighbours of a hex in the order that everything keeps to: from the east by way of the north."""


class Between(NamedTuple):
    """The places through which a line from one centre to another runs, counted from the first centre."""

    through: tuple[Point, ...]
    """The hexes whose inside it crosses, without those of its ends, in its order."""
    along: tuple[tuple[Point, Point], ...]
    """The hexes on both sides of each edge that it runs along, in its order, the western one first."""


def steps(offset: Point) -> int:
    """Return the least number of hex steps to the centre at an offset."""
    x, y = abs(offset[0]), abs(offset[1]) // 3
    return y + max(0, (x - y) // 2)


@cache
def between(offset: Point) -> Between:
    """Return the places on the line to the centre at an offset that is not north of its start.

    A hex is everything nearer to its centre than to any other. So the line passes through hexes in the order in which
    their centres lie along it, and a hex lies between the ends exactly when its centre does.
    """
    dx, dy = offset
    # From the middle of a hex to its outermost corner, square to the line, on the scale of `side`.
    half = max(2 * abs(dx), abs(dx) + dy)
    edgewise = dx == 0 or abs(dx) == dy
    end = 3 * dx * dx + dy * dy
    through: list[tuple[int, Point]] = []
    lower: list[tuple[int, Point]] = []
    upper: list[tuple[int, Point]] = []
    for row in range(dy // 3 + 1):
        y = 3 * row
        first, last = ((y * dx - half) // dy, -((-y * dx - half) // dy)) if dy else sorted((0, dx))
        for x in range(first + ((first + row) & 1), last + 1, 2):
            along = 3 * x * dx + y * dy
            if not 0 < along < end:
                continue
            side = dx * y - dy * x
            if abs(side) < half:
                through.append((along, (x, y)))
            elif edgewise and side == half:
                upper.append((along, (x, y)))
            elif edgewise and side == -half:
                lower.append((along, (x, y)))
    # The two hexes at an edge lie side by side as seen along the line, so that the pairs come out in order.
    pairs = zip(sorted(upper), sorted(lower), strict=True)
    return Between(
        tuple(place for _, place in sorted(through)), tuple((left, right) for (_, left), (_, right) in pairs)
    )


@cache
def beyond(offset: Point) -> tuple[tuple[Point, int], ...]:
    """Return the directions that lead one step farther than an offset, and how far each turns off it; straightest
    first.

    The turn is the distance of the neighbour from the extended line, on a scale that holds for this offset. At no
    offset at all every direction leads away, and none turns.
    """
    dx, dy = offset
    far = steps(offset) + 1
    turns = [
        (side, abs(dx * side[1] - dy * side[0])) for side in DIRECTIONS if steps((dx + side[0], dy + side[1])) == far
    ]
    return tuple(sorted(turns, key=lambda item: item[1]))
