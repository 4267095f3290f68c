"""Lengths and distances: points, discs, gaps and path lengths, all in whole tenths of a millimetre.

Nothing here rounds in a player's favour: a length that is not whole is rounded up, and a comparison never takes a
square root at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

Point = tuple[int, int]
"""A place on the table, or a vector: x and y in tenths of a millimetre."""

Disc = tuple[int, int, int]
"""A round base: x and y of the centre and the radius, in tenths of a millimetre."""

Box = tuple[int, int, int, int]
"""An upright rectangle: least x, least y, greatest x, greatest y."""

CM = 100
"""One centimetre in tenths of a millimetre."""

INCH = 254
"""One inch in tenths of a millimetre: exactly 2.54 cm."""

CONTACT = 2
"""Two bases touch when the gap between their edges is at most this (0.02 cm)."""


def distance_sq(p: Point, q: Point) -> int:
    """Return the squared distance between two points.

    >>> distance_sq((0, 0), (3, 4))
    25
    """
    dx = q[0] - p[0]
    dy = q[1] - p[1]
    return dx * dx + dy * dy


def root_up(square: int) -> int:
    """Return the square root of a whole number, rounded up to a whole number.

    >>> root_up(25), root_up(26)
    (5, 6)
    """
    root = isqrt(square)
    return root if root * root == square else root + 1


def distance_up(p: Point, q: Point) -> int:
    """Return the distance between two points, rounded up to a whole tenth of a millimetre.

    >>> distance_up((0, 0), (1, 1))
    2
    """
    dx = q[0] - p[0]
    dy = q[1] - p[1]
    return root_up(dx * dx + dy * dy)


def path_length(points: Sequence[Point]) -> int:
    """Return the length of a polyline: the sum of its segments, each rounded up.

    A polyline of one point, or of none, has no length.

    >>> path_length([(0, 0), (1, 1), (1, 5)])
    6
    """
    total = 0
    for index in range(1, len(points)):
        total += distance_up(points[index - 1], points[index])
    return total


def gap_within(a: Disc, b: Disc, limit: int) -> bool:
    """Return whether the gap between the edges of two discs is at most `limit`.

    Overlapping discs have a negative gap, which is within any limit of 0 or more.

    >>> gap_within((0, 0, 100), (454, 0, 100), INCH), gap_within((0, 0, 100), (455, 0, 100), INCH)
    (True, False)
    """
    reach = a[2] + b[2] + limit
    if reach < 0:
        return False
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return dx * dx + dy * dy <= reach * reach


def gap_up(a: Disc, b: Disc) -> int:
    """Return the gap between the edges of two discs, rounded up, for display and for refusals.

    The gap is at most a whole `limit` exactly when `gap_within` says so, so the shown gap never contradicts the rule.
    The gap is below 0 (or 0, by rounding) when the discs overlap.

    >>> gap_up((0, 0, 100), (300, 0, 100))
    100
    """
    return distance_up((a[0], a[1]), (b[0], b[1])) - a[2] - b[2]


def touching(a: Disc, b: Disc) -> bool:
    """Return whether two discs are in contact: the gap between their edges is at most `CONTACT` (overlapping discs
    too).
    """
    return gap_within(a, b, CONTACT)


def overlapping(a: Disc, b: Disc) -> bool:
    """Return whether two discs overlap: their centres are closer than their radii together."""
    reach = a[2] + b[2]
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return dx * dx + dy * dy < reach * reach


def disc_box(disc: Disc) -> Box:
    x, y, r = disc
    return (x - r, y - r, x + r, y + r)


def discs_box(discs: Sequence[Disc]) -> Box:
    """Return the box around some discs.

    Raises:
        ValueError: There are no discs.
    """
    if not discs:
        raise ValueError("no discs, so no box around them")
    x, y, r = discs[0]
    left, low, right, high = x - r, y - r, x + r, y + r
    for x, y, r in discs:
        if x - r < left:
            left = x - r
        if y - r < low:
            low = y - r
        if x + r > right:
            right = x + r
        if y + r > high:
            high = y + r
    return (left, low, right, high)


def points_box(points: Sequence[Point]) -> Box:
    """Return the box around some points.

    Raises:
        ValueError: There are no points.
    """
    if not points:
        raise ValueError("no points, so no box around them")
    xs = [p[0] for p in points]
    ys = [p[1] for p in points]
    return (min(xs), min(ys), max(xs), max(ys))


def boxes_within(a: Box, b: Box, limit: int) -> bool:
    """Return whether two boxes come within `limit` of one another along both axes.

    A quick first test: if it is False, no point of one is within `limit` of a point of the other.
    """
    return a[0] - limit <= b[2] and b[0] - limit <= a[2] and a[1] - limit <= b[3] and b[1] - limit <= a[3]


def disc_inside(disc: Disc, box: Box) -> bool:
    """Return whether a disc lies wholly inside a box; touching its edge from within counts."""
    x, y, r = disc
    return box[0] <= x - r and box[1] <= y - r and x + r <= box[2] and y + r <= box[3]
