"""How much of a way lies in terrain: lengths that are exact for polygons, and for circles exact far below the grid."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil

from caltrop.geometry import Point, distance_up
from caltrop.table.measured.corridor import Piece, crossings, side_of_piece


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
        stops.update([min(max(stop, Fraction(0)), Fraction(1)) for stop in crossings(a, b, piece)])
    inside = Fraction(0)
    for start, end in pairwise(sorted(stops)):
        n, whole = ((start + end) / 2).as_integer_ratio()
        middle = (a[0] * whole + (b[0] - a[0]) * n, a[1] * whole + (b[1] - a[1]) * n)
        if any(side_of_piece(piece, middle, whole) >= 0 for piece in pieces):
            inside += end - start
    return ceil(inside * distance_up(a, b))
