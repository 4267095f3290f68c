"""How much of a way lies in terrain: lengths that are exact for polygons, and for circles exact far below the grid."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, isqrt

from caltrop.geometry import Point, distance_up, in_polygon, turn
from caltrop.table.measured.corridor import Piece

FINE = 1 << 20
"""Into how many parts a unit is divided where a circle is entered and left, which is at no fraction of a way."""


def length_in(a: Point, b: Point, pieces: Sequence[Piece]) -> int:
    """How much of a straight way lies in some pieces of terrain, rounded up; in two at once it counts once.

    A way along an edge lies in the piece.

    Args:
        a: Where it begins.
        b: Where it ends.
        pieces: The pieces, as a `Ground` has them.

    >>> pool = Piece((700, 700, 1300, 1300), (1000, 1000, 300), (), "pool", False)
    >>> length_in((0, 1000), (2000, 1000), [pool]), length_in((0, 1180), (2000, 1180), [pool])
    (600, 480)
    """
    stops = {Fraction(0), Fraction(1)}
    for piece in pieces:
        stops.update([min(max(stop, Fraction(0)), Fraction(1)) for stop in _crossings(a, b, piece)])
    inside = Fraction(0)
    for start, end in pairwise(sorted(stops)):
        n, whole = ((start + end) / 2).as_integer_ratio()
        middle = (a[0] * whole + (b[0] - a[0]) * n, a[1] * whole + (b[1] - a[1]) * n)
        if any(_holds(piece, middle, whole) for piece in pieces):
            inside += end - start
    return ceil(inside * distance_up(a, b))


def _crossings(a: Point, b: Point, piece: Piece) -> list[Fraction]:
    """At which parts of the line from a to b it passes the border of a piece, and at others that do no harm."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    found: list[Fraction] = []
    if not piece.polygon:
        x, y, r = piece.circle
        px, py = x - a[0], y - a[1]
        square, along = dx * dx + dy * dy, dx * px + dy * py
        under = along * along - square * (px * px + py * py - r * r)
        if square and under > 0:
            root = isqrt(under * FINE * FINE)
            found = [Fraction(along * FINE - root, square * FINE), Fraction(along * FINE + root, square * FINE)]
    for c, d in pairwise((*piece.polygon, *piece.polygon[:1])):
        across = dx * (d[1] - c[1]) - dy * (d[0] - c[0])
        if across:
            found.append(Fraction(turn(c, d, a), across))
    return found


def _holds(piece: Piece, point: Point, scale: int) -> bool:
    """Whether a piece holds a point of a finer grid, its border included."""
    if piece.polygon:
        return in_polygon(point, tuple([(x * scale, y * scale) for x, y in piece.polygon]))
    x, y, r = piece.circle
    dx, dy = point[0] - x * scale, point[1] - y * scale
    return dx * dx + dy * dy <= r * r * scale * scale
