"""A fan of lines between two bases, and which of them pass through the inside of something.

The answers are masks with a bit for each line, so that `|` combines those of several obstacles. These are the hottest
loops of the table, so they use plain numbers and tuples.
"""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.geometry.bodies import Body, Hull
from caltrop.geometry.build import side_points
from caltrop.geometry.measure import Disc, Point
from caltrop.geometry.segments import crosses_polygon, polygon_side

Line = tuple[Point, Point]
"""A segment from one point to another."""


def fan_of_lines(a: Body, b: Body, points: int) -> tuple[Line, ...]:
    """Return the lines from some points of body a to as many of body b.

    The points of a base lie on its diameter that is square to the line of centres, evenly from rim to rim. Those of a
    hull lie between its centre and the two corners that stand out farthest to either side. The first line joins the one
    sides, the last the others, and all the rest lie between these two and the two that cross.

    Args:
        a: A round base, or a hull.
        points: Number of points of each: 1 for the centre alone, 3 for the centre and both sides; an odd number.

    Raises:
        ValueError: The number is even, or below 1.

    >>> fan_of_lines((0, 0, 10), (100, 0, 20), 1)
    (((0, 0), (100, 0)),)
    >>> len(fan_of_lines((0, 0, 10), (100, 0, 20), 3))
    9
    """
    if points == 3:  # written out: it is asked for most
        a0, a1, a2 = side_points(a, (b[0], b[1])) if len(a) == 3 else _sides_of_hull(a, (b[0], b[1]))
        # Seen from b its sides come in the opposite order; taken in a's order, line by line both directions agree.
        b2, b1, b0 = side_points(b, (a[0], a[1])) if len(b) == 3 else _sides_of_hull(b, (a[0], a[1]))
        return (
            (a0, b0), (a0, b1), (a0, b2),
            (a1, b0), (a1, b1), (a1, b2),
            (a2, b0), (a2, b1), (a2, b2),
        )  # fmt: skip
    if points < 1 or points % 2 == 0:
        raise ValueError(f"a fan has an odd number of points on each base; this one has {points}")
    starts, ends = _spread(a, b, points), _spread(b, a, points)[::-1]
    return tuple([(p, q) for p in starts for q in ends])


def stands_of_hull(hull: Hull, points: int) -> list[Point]:
    """Return every point of a hull from which a line of a fan can begin, for any place of the other body.

    Args:
        points: Number of points from which lines are drawn to one body.

    >>> len(stands_of_hull(Hull(0, 0, 20, 10, (1, 0)), 3))
    5
    """
    half = points // 2
    middle = hull.at
    return [middle, *[_between(middle, corner, n, half) for corner in hull.corners for n in range(1, half + 1)]]


def ends_of_fan(a: Body, b: Disc, points: int) -> list[Point]:
    """Return the points of a base in which the lines of a fan from another body end."""
    return _spread(b, a, points)[::-1]


def _sides_of_hull(hull: Hull, towards: Point) -> tuple[Point, Point, Point]:
    """Return the corner that stands out farthest to the left of the way to a place, the centre,
    and that to the right.
    """
    x, y = hull.at
    dx, dy = towards[0] - x, towards[1] - y
    outward = []
    for u, v in hull.corners:
        # Of two that stand out alike the nearer one counts, which is the one that is seen.
        nearer = dx * (u - x) + dy * (v - y)
        outward.append((dx * (v - y) - dy * (u - x), nearer, (u, v)))
    left = max(outward)
    right = min(outward, key=lambda c: (c[0], -c[1], c[2]))
    return left[2], (x, y), right[2]


def _spread(body: Body, other: Body, points: int) -> list[Point]:
    towards = (other[0], other[1])
    left, middle, right = side_points(body, towards) if len(body) == 3 else _sides_of_hull(body, towards)
    half = points // 2
    return [
        *[_between(middle, left, n, half) for n in range(half, 0, -1)],
        middle,
        *[_between(middle, right, n, half) for n in range(1, half + 1)],
    ]


def _between(middle: Point, side: Point, n: int, of: int) -> Point:
    dx, dy = side[0] - middle[0], side[1] - middle[1]
    return (middle[0] + _part(dx, n, of), middle[1] + _part(dy, n, of))


def _part(length: int, n: int, of: int) -> int:
    return length * n // of if length >= 0 else -(-length * n // of)


def lines_through_disc(lines: Sequence[Line], disc: Disc, cut: int = 0) -> int:
    cx, cy, r = disc
    limit = r * r
    mask = cut
    bit = 1
    for (ax, ay), (bx, by) in lines:
        if cut & bit:
            bit += bit
            continue
        dx = bx - ax
        dy = by - ay
        px = cx - ax
        py = cy - ay
        along = dx * px + dy * py
        if along <= 0:
            if px * px + py * py < limit:
                mask |= bit
        else:
            square = dx * dx + dy * dy
            if along >= square:
                px -= dx
                py -= dy
                if px * px + py * py < limit:
                    mask |= bit
            else:
                across = dx * py - dy * px
                if across * across < limit * square:
                    mask |= bit
        bit += bit
    return mask


def lines_through_polygon(lines: Sequence[Line], polygon: Sequence[Point], cut: int = 0) -> int:
    """Return one bit for each line that passes through the inside of a polygon, or was cut already.

    Two shortcuts are tried first. All lines of a fan lie in the figure spanned by the four outermost. If one edge
    crosses all four of these, it crosses every line. If the polygon lies wholly on one side of the figure, it crosses
    none.
    """
    (p, q) = lines[0]
    s, t = lines[-1]
    px, py = p
    qx, qy = q
    sx, sy = s
    tx, ty = t
    ux, uy = qx - px, qy - py
    vx, vy = tx - px, ty - py
    wx, wy = qx - sx, qy - sy
    zx, zy = tx - sx, ty - sy
    over = under = True
    cx, cy = polygon[-1]
    c1 = ux * (cy - py) - uy * (cx - px)
    c2 = vx * (cy - py) - vy * (cx - px)
    c3 = wx * (cy - sy) - wy * (cx - sx)
    c4 = zx * (cy - sy) - zy * (cx - sx)
    for ex, ey in polygon:
        e1 = ux * (ey - py) - uy * (ex - px)
        e2 = vx * (ey - py) - vy * (ex - px)
        e3 = wx * (ey - sy) - wy * (ex - sx)
        e4 = zx * (ey - sy) - zy * (ex - sx)
        if e1 < 0 or e2 < 0 or e3 < 0 or e4 < 0:
            over = False
        if e1 > 0 or e2 > 0 or e3 > 0 or e4 > 0:
            under = False
        if (
            (c1 < 0 and c2 < 0 and c3 < 0 and c4 < 0 and e1 > 0 and e2 > 0 and e3 > 0 and e4 > 0)
            or (c1 > 0 and c2 > 0 and c3 > 0 and c4 > 0 and e1 < 0 and e2 < 0 and e3 < 0 and e4 < 0)
        ):  # fmt: skip
            fx = ex - cx
            fy = ey - cy
            near = fx * (py - cy) - fy * (px - cx)
            near2 = fx * (sy - cy) - fy * (sx - cx)
            far = fx * (qy - cy) - fy * (qx - cx)
            far2 = fx * (ty - cy) - fy * (tx - cx)
            if (near > 0 and near2 > 0 and far < 0 and far2 < 0) or (near < 0 and near2 < 0 and far > 0 and far2 > 0):
                return (1 << len(lines)) - 1
        cx, cy, c1, c2, c3, c4 = ex, ey, e1, e2, e3, e4
    if over and not under and ux * (sy - py) - uy * (sx - px) <= 0 and ux * (ty - py) - uy * (tx - px) <= 0:
        return cut
    if under and not over and zx * (py - sy) - zy * (px - sx) >= 0 and zx * (qy - sy) - zy * (qx - sx) >= 0:
        return cut
    mask = cut
    bit = 1
    tested: Point | None = None
    inside = False
    for (px, py), (qx, qy) in lines:
        if cut & bit:
            bit += bit
            continue
        ux, uy = qx - px, qy - py
        cx, cy = polygon[-1]
        c1 = ux * (cy - py) - uy * (cx - px)
        for ex, ey in polygon:
            e1 = ux * (ey - py) - uy * (ex - px)
            if (c1 >= 0 or e1 >= 0) and (c1 <= 0 or e1 <= 0):
                fx = ex - cx
                fy = ey - cy
                near = fx * (py - cy) - fy * (px - cx)
                far = near + fx * uy - fy * ux
                if (near >= 0 or far >= 0) and (near <= 0 or far <= 0):
                    if (c1 and e1 and near and far) or crosses_polygon((px, py), (qx, qy), polygon):
                        mask |= bit
                    break
            cx, cy, c1 = ex, ey, e1
        else:
            # No edge is met: the line is wholly inside or wholly outside.
            if (px, py) != tested:
                tested = (px, py)
                inside = polygon_side(tested, polygon) > 0
            if inside:
                mask |= bit
        bit += bit
    return mask
