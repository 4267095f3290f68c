"""Compute the cost of a path: its length, multiplied on slow ground, and tolls for crossings.

Everything is measured for the centre of a base, exactly for polygons, and for circles with an error far below the grid.
A `Passage` has the slow ground of a mover, and `TableGround.for_mover` applies it.

>>> from caltrop.table.measured.terrain import Going, Passage, Table, Terrain, TerrainKind, ground_of
>>> bog = Terrain("bog", TerrainKind("bog"), ((400, 0), (600, 0), (600, 500), (400, 500)))
>>> ground = ground_of(Table(1000, 500, (bog,))).for_mover(Passage((("bog", Going(factor=2, toll=50)),)))
>>> spent(ground, ((100, 250), (900, 250)))
1050
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from caltrop.geometry import (
    Point,
    boxes_within,
    cut_at_length,
    distance_up,
    path_length,
    points_box,
)
from caltrop.table.measured.corridor import CorridorPiece, crossings, side_of_piece
from caltrop.table.measured.terrain import Slow, TableGround


def spent(ground: TableGround, path: Sequence[Point]) -> int:
    """Return the cost of a path on the ground of a mover; without slow ground this is its length.

    The cost of each leg is rounded up once, and the costs are added.
    """
    length = path_length(path)
    if ground.slow_pieces:
        for a, b in pairwise(path):
            length += extra(a, b, ground.slow_pieces)
    return length


def extra(a: Point, b: Point, slow: Sequence[Slow]) -> int:
    """Return the cost of a straight path beyond its length, rounded up.

    A path along the border of a piece lies in the piece, but does not enter it.

    Args:
        slow: The pieces that may matter.
    """
    box = points_box((a, b))
    near = [one for one in slow if boxes_within(one.piece.box, box, 0)]
    if a == b or not near:
        return 0
    more, tolls = 0, 0
    entered = [side_of_piece(one.piece, a, 1) > 0 for one in near]
    stretches, whole = _stretches(a, b, [one.piece for one in near])
    for stretch in stretches:
        most = 1
        for number, (one, side) in enumerate(zip(near, stretch.sides, strict=True)):
            if side >= 0 and one.factor > most:
                most = one.factor
            if side > 0 and not entered[number]:
                tolls += one.toll
            entered[number] = side > 0
        more += stretch.part * (most - 1)
    return -(-more * distance_up(a, b) // whole) + tolls


def cut_to(ground: TableGround, path: Sequence[Point], limit: int) -> tuple[Point, ...]:
    """Return the longest beginning of a path that costs no more than a limit, ending on the grid;
    see `cut_at_length`.
    """
    if not ground.slow_pieces or limit <= 0:
        return cut_at_length(path, limit)
    whole = spent(ground, path)
    if whole <= limit:
        return tuple(path)
    free, paid = 0, 0
    beyond, price = limit + 1, whole
    if beyond < path_length(path):
        price = spent(ground, cut_at_length(path, beyond))
    tries = 0
    while beyond - free > 1:
        # Between borders of terrain the cost grows evenly, so interpolation needs few tries. Every third try halves the
        # remaining interval, which limits the number of tries.
        tries += 1
        middle = (free + beyond) // 2
        if tries % 3:
            middle = min(max(free + (limit - paid) * (beyond - free) // (price - paid), free + 1), beyond - 1)
        cost = spent(ground, cut_at_length(path, middle))
        if cost <= limit:
            free, paid = middle, cost
        else:
            beyond, price = middle, cost
    return cut_at_length(path, free)


def length_in(a: Point, b: Point, pieces: Sequence[CorridorPiece]) -> int:
    """Return the length of a straight path inside some pieces of terrain, rounded up. Overlapping pieces count once.

    A path along an edge lies in the piece.

    Args:
        pieces: Pieces of a `TableGround`.

    >>> pool = CorridorPiece((700, 700, 1300, 1300), (1000, 1000, 300), (), "pool", False)
    >>> length_in((0, 1000), (2000, 1000), [pool]), length_in((0, 1180), (2000, 1180), [pool])
    (600, 480)
    """
    stretches, whole = _stretches(a, b, pieces)
    inside = sum([one.part for one in stretches if max(one.sides, default=-1) >= 0])
    return -(-inside * distance_up(a, b) // whole)


class _Stretch(NamedTuple):
    """A part of a straight path that crosses no border: it is wholly inside or outside each piece."""

    part: int
    """Length of the stretch, in the parts of the path that `_stretches` counts."""
    sides: list[int]
    """For each piece, 1 inside, 0 on its border, -1 outside."""


def _stretches(a: Point, b: Point, pieces: Sequence[CorridorPiece]) -> tuple[list[_Stretch], int]:
    """Return the stretches of a straight path in order, and the number of parts of the whole path."""
    met = [at for piece in pieces for at in crossings(a, b, piece)]
    whole = lcm(*[parts for _, parts in met])
    stops = sorted({0, whole, *[n * (whole // parts) for n, parts in met]})
    stretches: list[_Stretch] = []
    for start, end in pairwise(stops):
        shared = gcd(start + end, 2 * whole)
        n, scale = (start + end) // shared, 2 * whole // shared
        middle = (a[0] * scale + (b[0] - a[0]) * n, a[1] * scale + (b[1] - a[1]) * n)
        stretches.append(_Stretch(end - start, [side_of_piece(piece, middle, scale) for piece in pieces]))
    return stretches, whole
