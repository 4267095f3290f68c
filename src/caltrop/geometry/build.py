"""Constructed points: places along a direction, beside a base, on a ring, or turned to a heading.

Every computed point is rounded to the grid by one function, `over_root`, which treats both signs alike. A construction
from a to b therefore mirrors the construction from b to a, and is the same on every machine. A direction or heading is
any integer vector except (0, 0); its length does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from caltrop.geometry.measure import Disc, Point, distance_up

UNIT = 1 << 20
"""The length of the vectors of `directions`."""


def over_root(number: int, square: int) -> int:
    """Return a whole number divided by the square root of another, rounded to the nearest, halves away from zero.

    Args:
        square: The square of the divisor, above 0.

    >>> over_root(5, 4), over_root(-5, 4), over_root(7, 9)
    (3, -3, 2)
    """
    size = (isqrt(4 * number * number // square) + 1) >> 1
    return size if number >= 0 else -size


def point_along(origin: Point, direction: Point, length: int) -> Point:
    """Return the grid point nearest to the place at `length` from `origin` in a direction.

    The error is below one tenth of a millimetre. If the direction is (0, 0), return the origin.

    >>> point_along((10, 10), (3, 4), 500)
    (310, 410)
    """
    dx, dy = direction
    square = dx * dx + dy * dy
    if square == 0:
        return origin
    return (origin[0] + over_root(dx * length, square), origin[1] + over_root(dy * length, square))


def side_points(disc: Disc, toward: Point) -> tuple[Point, Point, Point]:
    """Return three points of a base: one side, the centre and the other side, square to the line to another point.

    The sides are an equal offset from the centre in opposite directions, and so the centre is exactly half-way. Seen
    from the other end of a line of centres the same three points come out for a base.

    >>> side_points((0, 0, 100), (500, 0))
    ((0, 100), (0, 0), (0, -100))
    """
    x, y, r = disc
    dx = toward[0] - x
    dy = toward[1] - y
    square = dx * dx + dy * dy
    if square == 0:
        return ((x, y + r), (x, y), (x, y - r))
    ox = over_root(-dy * r, square)
    oy = over_root(dx * r, square)
    return ((x + ox, y + oy), (x, y), (x - ox, y - oy))


def rotated(vector: Point, heading: Point, front: Point = (1, 0)) -> Point:
    """Return a vector turned by the angle that takes `front` to `heading`, rounded to the grid.

    >>> rotated((100, 20), (0, 7))
    (-20, 100)
    """
    cos = heading[0] * front[0] + heading[1] * front[1]
    sin = heading[1] * front[0] - heading[0] * front[1]
    square = cos * cos + sin * sin
    if square == 0:
        return vector
    x, y = vector
    return (over_root(x * cos - y * sin, square), over_root(x * sin + y * cos, square))


@lru_cache(maxsize=8)
def directions(count: int) -> tuple[Point, ...]:
    """Evenly spread vectors of length `UNIT`, counter-clockwise from (1, 0) with y upward.

    Args:
        count: 4, 8, 16, 32 and so on.

    Raises:
        ValueError: The count is not 4 times a power of 2.
    """
    if count < 4 or count & (count - 1):
        raise ValueError(f"directions come in 4, 8, 16, 32 and so on; here are {count}")
    ring: list[Point] = [(UNIT, 0), (0, UNIT), (-UNIT, 0), (0, -UNIT)]
    while len(ring) < count:
        finer: list[Point] = []
        for index, (ax, ay) in enumerate(ring):
            bx, by = ring[(index + 1) % len(ring)]
            finer.append((ax, ay))
            finer.append(point_along((0, 0), (ax + bx, ay + by), UNIT))
        ring = finer
    return tuple(ring)


def contact_point(disc: Disc, radius: int, direction: Point) -> Point:
    """Return the centre of a base that touches a disc on the side of a direction, without overlapping it.

    The target distance is one tenth of a millimetre from the rim. Rounding changes it by less, so the gap stays between
    0 and `CONTACT`.
    """
    return point_along((disc[0], disc[1]), direction, disc[2] + radius + 1)


def ring_around(centre: Point, radius: int) -> tuple[Point, ...]:
    """Sixteen points around a centre whose connecting segments all stay at least `radius` away from it."""
    x, y = centre
    return tuple([(x + dx, y + dy) for dx, dy in _ring(radius)])


@lru_cache(maxsize=256)
def _ring(radius: int) -> tuple[Point, ...]:
    """Return the points of `ring_around` for the centre (0, 0)."""
    # 1 / cos(180 degrees / 16) is below 1.0196; the rounding of a corner is below 1.
    reach = -(-radius * 10196 // 10000) + 1
    return tuple([point_along((0, 0), direction, reach) for direction in directions(16)])


def tangent_points(origin: Point, centre: Point, radius: int) -> tuple[Point, ...]:
    """Return the points in which the two tangents from a point to a circle meet a ring around it.

    The segments from the point to these places stay at least `radius` away from the centre. Each place is as far out as
    those of `ring_around`, a little further on than the tangent's touching point. A point on the circle has tangents
    too, square to the line from the centre, so that a base leaves another one between its neighbours; a point inside
    has none.
    """
    out = (origin[0] - centre[0], origin[1] - centre[1])
    square = out[0] * out[0] + out[1] * out[1]
    if square < radius * radius or square == 0:
        return ()
    # A little wider than the circle, so that no rounding brings the tangent inside.
    wide = radius + 2
    reach = -(-radius * 10196 // 10000) + 4
    if square <= wide * wide:
        return tuple([_beside(origin, out, isqrt((reach - 2) * (reach - 2) - square), sign) for sign in (1, -1)])
    along = isqrt(max(square - wide * wide, 0))
    step = directions(32)[1]
    points: list[Point] = []
    for sign in (1, -1):
        turned = rotated((out[0] * 1024, out[1] * 1024), (wide, sign * along))
        turned = rotated(turned, (step[0], sign * step[1]))
        points.append(point_along(centre, turned, reach))
    return tuple(points)


def _beside(origin: Point, out: Point, length: int, sign: int) -> Point:
    """Return the place to the left (1) or right (-1) of a direction that is nearest to square, and not behind it."""
    x, y = point_along(origin, (-sign * out[1], sign * out[0]), length)
    around = [(x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1)]
    leans = [(p[0] - origin[0]) * out[0] + (p[1] - origin[1]) * out[1] for p in around]
    least = min([lean for lean in leans if lean >= 0])
    return around[leans.index(least)]


def cut_at_length(path: Sequence[Point], limit: int) -> tuple[Point, ...]:
    """Return the longest beginning of a polyline whose `path_length` is at most `limit`, ending on the grid.

    The last point may be off the polyline by the rounding, less than a tenth of a millimetre: test it before using it.

    >>> cut_at_length([(0, 0), (300, 0), (300, 400)], 450)
    ((0, 0), (300, 0), (300, 150))
    """
    if not path:
        return ()
    done: list[Point] = [path[0]]
    left = max(limit, 0)
    for index in range(1, len(path)):
        here = path[index - 1]
        there = path[index]
        length = distance_up(here, there)
        if length <= left:
            left -= length
            done.append(there)
            continue
        direction = (there[0] - here[0], there[1] - here[1])
        reach = left
        while reach > 0:
            stop = point_along(here, direction, reach)
            if distance_up(here, stop) <= left:
                if stop != here:
                    done.append(stop)
                break
            reach -= 1
        break
    return tuple(done)
