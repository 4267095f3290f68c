"""Segments, polygons and swept discs: which of them meet, decided exactly.

A polygon is a simple ring of at least three corners, in either direction, convex or not, the first corner not repeated.
Two ideas of meeting are kept apart throughout:

* *meets* is closed: a shared point is enough;
* *crosses*, *enters* and *overlaps* are open: a graze along an edge, through a corner or along a rim does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from caltrop.geometry.measure import Disc, Point

Polygon = tuple[Point, ...]
"""The corners of a simple ring, in either direction; the first is not repeated at the end."""


def turn(o: Point, a: Point, b: Point) -> int:
    """Return the cross product of o to a with o to b. The result is above 0 if b lies to the left of the line from o to
    a, and 0 if b is on it.

    >>> turn((0, 0), (10, 0), (5, 1))
    10
    """
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def on_segment(p: Point, a: Point, b: Point) -> bool:
    if (b[0] - a[0]) * (p[1] - a[1]) != (b[1] - a[1]) * (p[0] - a[0]):
        return False
    return (
        (a[0] <= p[0] <= b[0] or b[0] <= p[0] <= a[0])
        and (a[1] <= p[1] <= b[1] or b[1] <= p[1] <= a[1])
    )  # fmt: skip


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two closed segments share any point: ends, grazes and stretches in common count."""
    c_side = turn(a, b, c)
    d_side = turn(a, b, d)
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    a_side = turn(c, d, a)
    b_side = turn(c, d, b)
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    if c_side or d_side or a_side or b_side:
        return True
    # All four on one line (or a segment without length on the other's line): compare the boxes.
    return (
        max(min(a[0], b[0]), min(c[0], d[0])) <= min(max(a[0], b[0]), max(c[0], d[0]))
        and max(min(a[1], b[1]), min(c[1], d[1])) <= min(max(a[1], b[1]), max(c[1], d[1]))
    )  # fmt: skip


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments cross in one point inside both: shared ends, grazes and common stretches do not
    count.
    """
    c_side = turn(a, b, c)
    d_side = turn(a, b, d)
    if not ((c_side > 0 > d_side) or (c_side < 0 < d_side)):
        return False
    a_side = turn(c, d, a)
    b_side = turn(c, d, b)
    return (a_side > 0 > b_side) or (a_side < 0 < b_side)


def polygon_side(p: Point, polygon: Sequence[Point]) -> int:
    """Return 1 for a point inside a polygon, 0 on its edge, -1 outside.

    >>> square = ((0, 0), (10, 0), (10, 10), (0, 10))
    >>> polygon_side((5, 5), square), polygon_side((10, 5), square), polygon_side((11, 5), square)
    (1, 0, -1)
    """
    x, y = p
    inside = False
    ax, ay = polygon[-1]
    for bx, by in polygon:
        if (ay > y) != (by > y):
            side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if side == 0:
                return 0
            if (side > 0) == (by > ay):
                inside = not inside
        elif ay == y and (ax == x or (by == y and (ax < x) != (bx <= x))):
            return 0
        ax, ay = bx, by
    return 1 if inside else -1


def in_polygon(p: Point, polygon: Sequence[Point]) -> bool:
    """Return whether a point lies in a polygon; its edge counts as in."""
    return polygon_side(p, polygon) >= 0


def crosses_polygon(a: Point, b: Point, polygon: Sequence[Point]) -> bool:
    """Return whether the segment from a to b has a point in the interior of a polygon.

    Running along an edge or through a corner from outside does not count.

    >>> square = ((0, 0), (10, 0), (10, 10), (0, 10))
    >>> crosses_polygon((-5, 5), (15, 5), square), crosses_polygon((-5, 10), (15, 10), square)
    (True, False)
    """
    ax, ay = a
    dx = b[0] - ax
    dy = b[1] - ay
    grazes = False
    cx, cy = polygon[-1]
    c_side = dx * (cy - ay) - dy * (cx - ax)
    for ex, ey in polygon:
        e_side = dx * (ey - ay) - dy * (ex - ax)
        if not ((c_side > 0 and e_side > 0) or (c_side < 0 and e_side < 0)):
            fx = ex - cx
            fy = ey - cy
            a_side = fx * (ay - cy) - fy * (ax - cx)
            b_side = a_side + fx * dy - fy * dx
            if not ((a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0)):
                if c_side and e_side and a_side and b_side:
                    return True
                grazes = True
        cx, cy, c_side = ex, ey, e_side
    if not grazes:
        return polygon_side(a, polygon) > 0
    return _crosses_after_graze(a, b, polygon)


def _crosses_after_graze(a: Point, b: Point, polygon: Sequence[Point]) -> bool:
    """Return `crosses_polygon` for a segment that crosses no edge inside both, but touches a corner.

    Then the segment can pass between inside and outside only at its own ends or at corners that lie on it. Between
    two of these it is wholly inside, wholly outside or wholly on an edge, so its halfway points decide.
    """
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return polygon_side(a, polygon) > 0
    stops = [0, square]
    for p in polygon:
        if on_segment(p, a, b):
            stops.append(dx * (p[0] - a[0]) + dy * (p[1] - a[1]))
    stops.sort()
    scale = 2 * square
    grown = [(x * scale, y * scale) for x, y in polygon]
    for first, second in pairwise(stops):
        if first != second:
            half = (a[0] * scale + dx * (first + second), a[1] * scale + dy * (first + second))
            if polygon_side(half, grown) > 0:
                return True
    return False


def segment_within(a: Point, b: Point, p: Point, limit: int) -> bool:
    """Return whether p is at most `limit` away from the segment from a to b."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    px = p[0] - a[0]
    py = p[1] - a[1]
    along = dx * px + dy * py
    square = dx * dx + dy * dy
    if along <= 0 or square == 0:
        return px * px + py * py <= limit * limit
    if along >= square:
        px -= dx
        py -= dy
        return px * px + py * py <= limit * limit
    across = dx * py - dy * px
    return across * across <= limit * limit * square


def segment_enters(a: Point, b: Point, p: Point, radius: int) -> bool:
    """Return whether the segment from a to b comes closer to p than `radius`: a graze of the rim does not count.

    This is also the test of a base of radius r moved from a to b against a disc of radius s at p, with r + s for
    `radius`. The answer is true if the two discs overlap somewhere on the way.
    """
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    px = p[0] - a[0]
    py = p[1] - a[1]
    along = dx * px + dy * py
    square = dx * dx + dy * dy
    if along <= 0 or square == 0:
        return px * px + py * py < radius * radius
    if along >= square:
        px -= dx
        py -= dy
        return px * px + py * py < radius * radius
    across = dx * py - dy * px
    return across * across < radius * radius * square


def sweep_overlaps_disc(a: Point, b: Point, radius: int, disc: Disc) -> bool:
    """Return whether a base of this radius, moved straight from a to b, overlaps a disc anywhere on the way."""
    return segment_enters(a, b, (disc[0], disc[1]), radius + disc[2])


def _cuts_a_side(a: Point, b: Point, polygon: Sequence[Point], across: Sequence[int]) -> bool:
    """Return whether a way cuts a side of a polygon: each has its ends on both sides of the other.

    This is the quickest proof that a way meets a polygon, and most of those that do so give it.

    Args:
        across: For each corner on which side of the way it lies, as a sign.
    """
    ax, ay = a
    bx, by = b
    (cx, cy), before = polygon[-1], across[-1]
    for (ex, ey), side in zip(polygon, across, strict=True):
        if side < 0 < before or before < 0 < side:
            u, v = ex - cx, ey - cy
            begin, end = u * (ay - cy) - v * (ax - cx), u * (by - cy) - v * (bx - cx)
            if begin < 0 < end or end < 0 < begin:
                return True
        cx, cy, before = ex, ey, side
    return False


def sweep_overlaps_polygon(a: Point, b: Point, radius: int, polygon: Sequence[Point]) -> bool:
    """Return whether a base of this radius, moved straight from a to b, overlaps a polygon anywhere on the way.

    Sliding along an edge or round a corner does not count. A radius of 0 asks for the interior alone.
    """
    if radius == 0:
        return crosses_polygon(a, b, polygon)
    if a != b:
        # A polygon with all corners on one side of the way, and none nearer to its line than the radius, is not met.
        ax, ay = a
        dx, dy = b[0] - ax, b[1] - ay
        across = [dx * (y - ay) - dy * (x - ax) for x, y in polygon]
        aside = max(min(across), -max(across))
        if aside > 0:
            if aside * aside >= radius * radius * (dx * dx + dy * dy):
                return False
        elif _cuts_a_side(a, b, polygon, across):
            return True
    if polygon_side(a, polygon) >= 0:
        return True
    c = polygon[-1]
    for e in polygon:
        if segment_enters(a, b, e, radius) or segment_enters(c, e, a, radius):
            return True
        if a != b and (segment_enters(c, e, b, radius) or segments_meet(a, b, c, e)):
            return True
        c = e
    return False


def disc_overlaps_polygon(disc: Disc, polygon: Sequence[Point]) -> bool:
    """Return whether a disc overlaps a polygon; touching its edge from outside does not count."""
    p = (disc[0], disc[1])
    return sweep_overlaps_polygon(p, p, disc[2], polygon)


def twice_area(polygon: Sequence[Point]) -> int:
    """Twice the area of a polygon, above 0 if its corners run to the left (counter-clockwise with y upward)."""
    total = 0
    ax, ay = polygon[-1]
    for bx, by in polygon:
        total += ax * by - ay * bx
        ax, ay = bx, by
    return total
