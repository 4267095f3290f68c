"""Hexes as integer coordinates: steps, directions, and the hexes that a line from centre to centre crosses.

The lattice counts half hexes to the east and thirds of a row to the south. One hex east is (2, 0), and one hex
south-east is (1, 3); a hex has its corners at (0, ±2) and (±1, ±1) from its centre. Lattice coordinates distort the
map, but straight lines stay straight, and areas keep their proportions. Lengths are distorted: the true squared length
of (x, y) is 3x² + y², in twelfths of a hex's squared width.
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
"""Steps to the six neighbours of a hex, anticlockwise from the east; neighbours are always in this order."""


class Between(NamedTuple):
    """Offsets of the hexes on a line between two centres, relative to the first centre."""

    through: tuple[Point, ...]
    """The hexes whose inside the line crosses, in order, without the two end hexes."""
    along: tuple[tuple[Point, Point], ...]
    """The two hexes at each edge that the line runs along, in order; the western hex of a pair comes first."""


def steps(offset: Point) -> int:
    """Return the smallest number of steps to the hex at an offset."""
    x, y = abs(offset[0]), abs(offset[1]) // 3
    return y + max(0, (x - y) // 2)


@cache
def between(offset: Point) -> Between:
    """Return the hexes on the line to the centre at an offset, which must not be north of the start.

    Every point of a hex is nearer to its centre than to any other centre. The line therefore passes through hexes in
    the order of their centres along it, and a hex is between the ends exactly if its centre is.
    """
    dx, dy = offset
    # Distance from the centre of a hex to its outermost corner, perpendicular to the line, on the scale of `side`.
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
    # The two hexes at an edge are at the same place along the line, so the pairs are in order.
    pairs = zip(sorted(upper), sorted(lower), strict=True)
    return Between(
        tuple(place for _, place in sorted(through)), tuple((left, right) for (_, left), (_, right) in pairs)
    )


@cache
def beyond(offset: Point) -> tuple[tuple[Point, int], ...]:
    """Return the directions that lead one step farther away than an offset, each with its turn; the straightest
    direction comes first.

    The turn is the distance of the neighbour from the line extended through the offset; turns of one offset can be
    compared. At offset (0, 0) every direction leads away, with turn 0.
    """
    dx, dy = offset
    far = steps(offset) + 1
    turns = [
        (side, abs(dx * side[1] - dy * side[0])) for side in DIRECTIONS if steps((dx + side[0], dy + side[1])) == far
    ]
    return tuple(sorted(turns, key=lambda item: item[1]))
