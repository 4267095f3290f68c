"""Bodies of any kind: round bases, hulls with a heading, and areas, with how near they are and what they cover.

A *hull* is a rectangle with a front. The corners of a hull are rounded to the grid once, from its heading alone, and
the hull *is* the figure of these four corners. Every answer about a hull is exact, and a hull that is moved without
being turned keeps its figure. A heading is a whole-number vector, as everywhere in this package; `heading_of` gives the
shortest of a direction, so that equal headings are equal values.

Everything here that takes a *form* takes discs, hulls, and convex polygons alike. A form is some corners with a margin
around them, and a disc is one corner with its radius for a margin.

>>> tank = Hull(1000, 1000, 381, 191, (0, 1))
>>> gap_between(tank, (1000, 1635, 76)), quarter_of(tank, (1000, 1635))
(178, 'front')
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import gcd, isqrt
from typing import Literal, NamedTuple, TypeGuard, cast

from caltrop.geometry.build import over_root, point_along
from caltrop.geometry.measure import CONTACT, Box, Disc, Point, points_box, root_up
from caltrop.geometry.segments import (
    Polygon,
    crosses_polygon,
    in_polygon,
    polygon_side,
    segments_meet,
    sweep_overlaps_polygon,
    turn,
)

Quarter = Literal["front", "left", "right", "rear"]
"""A side of a hull, as seen by its crew."""


class Hull(NamedTuple):
    """A rectangle with a front, such as a vehicle seen from above."""

    x: int
    y: int
    length: int
    """Half the length of the hull, from the centre to the middle of the front."""
    width: int
    heading: Point = (0, 1)
    """Direction of the hull's front: any vector but (0, 0)."""

    @property
    def at(self) -> Point:
        return (self.x, self.y)

    @property
    def corners(self) -> Polygon:
        """Corners in the order front right, front left, rear left, rear right, which runs counter-clockwise."""
        x, y = self.x, self.y
        return tuple([(x + dx, y + dy) for dx, dy in corner_offsets(self.length, self.width, self.heading)])

    def moved(self, to: Point) -> Hull:
        return Hull(*to, self.length, self.width, self.heading)

    def turned(self, heading: Point) -> Hull:
        return Hull(self.x, self.y, self.length, self.width, heading)


Body = Disc | Hull
"""A thing on a table: a round base, or a hull."""

Form = Disc | Hull | Polygon
"""A body, or a convex polygon of three corners or more."""


@lru_cache(maxsize=4096)
def corner_offsets(length: int, width: int, heading: Point) -> Polygon:
    """Return the places of a hull's corners, relative to its centre.

    >>> corner_offsets(30, 10, (0, 1))
    ((10, 30), (-10, 30), (-10, -30), (10, -30))
    """
    hx, hy = heading
    square = hx * hx + hy * hy
    return tuple(
        [
            (over_root(a * hx - b * hy, square), over_root(a * hy + b * hx, square))
            for a, b in ((length, -width), (length, width), (-length, width), (-length, -width))
        ]
    )


def heading_of(vector: Point) -> Point:
    """Return the shortest vector of a direction: equal headings become equal.

    Raises:
        ValueError: The vector is (0, 0).

    >>> heading_of((300, -400))
    (3, -4)
    """
    divisor = gcd(*vector)
    if divisor == 0:
        raise ValueError("(0, 0) is not a heading")
    return (vector[0] // divisor, vector[1] // divisor)


def form_of(form: Form) -> tuple[Polygon, int]:
    """Return the corners and the margin of a form: all points within the margin of the corners' convex hull.

    >>> form_of((5, 6, 100))
    (((5, 6),), 100)
    """
    if _is_disc(form):
        x, y, r = form
        return ((x, y),), r
    return (form.corners, 0) if isinstance(form, Hull) else (cast("Polygon", form), 0)


def _is_disc(form: Form) -> TypeGuard[Disc]:
    # Most forms are round bases: that is seen at once, without asking what else it might be.
    return len(form) == 3 and type(form[0]) is int


def form_box(form: Form) -> Box:
    if _is_disc(form):
        x, y, r = form
        return (x - r, y - r, x + r, y + r)
    return points_box(form_of(form)[0])


def disc_around(body: Body) -> Disc:
    """Return the disc around a body's centre that holds the whole body; a round base is its own.

    >>> disc_around(Hull(10, 20, 300, 400)), disc_around((1, 2, 3))
    ((10, 20, 501), (1, 2, 3))
    """
    if isinstance(body, Hull):
        # The radius is one unit larger, since corners are rounded to the grid.
        return (body.x, body.y, root_up(body.length * body.length + body.width * body.width) + 1)
    return body


def placed(body: Body, to: Point) -> Body:
    """Return a body at another place, its heading kept."""
    return body.moved(to) if isinstance(body, Hull) else (*to, body[2])


def body_inside(form: Form, box: Box) -> bool:
    """Return whether a form lies wholly in a box; touching its edge from within counts."""
    left, low, right, high = form_box(form)
    return box[0] <= left and box[1] <= low and right <= box[2] and high <= box[3]


# --- distances --------------------------------------------------------------------------------------------------------


def _sides(corners: Polygon) -> list[tuple[Point, Point]]:
    if len(corners) < 3:
        return [(corners[0], corners[-1])]
    return list(pairwise((corners[-1], *corners)))


def _from_side(p: Point, a: Point, b: Point) -> tuple[int, int]:
    dx, dy, px, py = b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]
    square, along = dx * dx + dy * dy, dx * px + dy * py
    if along <= 0:
        return px * px + py * py, 1
    if along >= square:
        return (px - dx) ** 2 + (py - dy) ** 2, 1
    return (dx * py - dy * px) ** 2, square


def _from_ring(p: Point, ring: Polygon) -> tuple[int, int]:
    """Return the squared distance of a point from a ring of corners, as a fraction; 0 in it and on its border."""
    if len(ring) == 1:
        ((x, y),) = ring
        return (p[0] - x) ** 2 + (p[1] - y) ** 2, 1
    if len(ring) > 2 and in_polygon(p, ring):
        return 0, 1
    best, parts = -1, 1
    for c, d in _sides(ring):
        square, by = _from_side(p, c, d)
        if best < 0 or square * parts < best * by:
            best, parts = square, by
    return best, parts


def _apart(a: Polygon, b: Polygon) -> tuple[int, int]:
    """Return the squared distance between two rings of corners, as a fraction; 0 if they share a point."""
    if len(a) == 1:
        return _from_ring(a[0], b)
    if len(b) == 1:
        return _from_ring(b[0], a)
    if (len(b) > 2 and in_polygon(a[0], b)) or (len(a) > 2 and in_polygon(b[0], a)):
        return 0, 1
    best = (-1, 1)
    for p, q in _sides(a):
        for c, d in _sides(b):
            if segments_meet(p, q, c, d):
                return 0, 1
            for distance in (_from_side(p, c, d), _from_side(q, c, d), _from_side(c, p, q), _from_side(d, p, q)):
                if best[0] < 0 or distance[0] * best[1] < best[0] * distance[1]:
                    best = distance
    return best


def gap_between(a: Form, b: Form) -> int:
    """Return the gap between the edges of two forms, rounded up, for display and for refusals.

    For an integer `limit` of at least 0, it is at most `limit` exactly when `near_to` is true. The gap is 0 or negative
    if the forms overlap.
    """
    if _is_disc(a) and _is_disc(b):
        return root_up((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) - a[2] - b[2]
    p, r = form_of(a)
    q, s = form_of(b)
    square, parts = _apart(p, q)
    root = isqrt(square // parts)
    return root - r - s if root * root * parts == square else root + 1 - r - s


def near_to(a: Form, b: Form, limit: int) -> bool:
    """Return whether the gap between the edges of two forms is at most `limit`, which is 0 or more."""
    if _is_disc(a) and _is_disc(b):
        return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= (a[2] + b[2] + limit) ** 2
    p, r = form_of(a)
    q, s = form_of(b)
    square, parts = _apart(p, q)
    return square <= (r + s + limit) ** 2 * parts


def in_touch(a: Form, b: Form) -> bool:
    """Return whether two forms are in contact: the gap between their edges is at most `CONTACT`
    (overlapping ones too).
    """
    return near_to(a, b, CONTACT)


def covers(form: Form, point: Point) -> bool:
    """Return whether a point lies in a form, its border included."""
    return near_to(form, (*point, 0), 0)


# --- overlaps ---------------------------------------------------------------------------------------------------------


def overlap(a: Form, b: Form) -> bool:
    """Return whether two forms overlap: they share more than their borders.

    >>> overlap(Hull(0, 0, 300, 150), (250, 0, 100)), overlap(Hull(0, 0, 300, 150), (0, 400, 100))
    (False, False)
    """
    if _is_disc(a) and _is_disc(b):
        return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 < (a[2] + b[2]) ** 2
    p, r = form_of(a)
    q, s = form_of(b)
    if len(p) == 1:
        p, r, q, s = q, s, p, r
    if len(q) == 1:
        return r + s > 0 and sweep_overlaps_polygon(q[0], q[0], r + s, p)
    return polygons_overlap(p, q)


def polygons_overlap(a: Polygon, b: Polygon) -> bool:
    """Return whether two polygons overlap, the first of which is convex; a shared border does not count."""
    if any(crosses_polygon(p, q, b) for p, q in _sides(a)) or any(crosses_polygon(p, q, a) for p, q in _sides(b)):
        return True
    # No side of either passes through the other: they lie apart, or their borders are one.
    count = len(a)
    middle = (sum([x for x, _ in a]), sum([y for _, y in a]))
    return polygon_side(middle, [(x * count, y * count) for x, y in b]) > 0


# --- quarters and arcs ------------------------------------------------------------------------------------------------


def quarters_of(hull: Hull, place: Point) -> tuple[Quarter, ...]:
    """Return the quarters of a hull in which a place lies: one, both on a line between them, or all four at the centre.

    They are divided by the two lines at 45 degrees to the heading through the centre, whatever the hull's shape.

    >>> quarters_of(Hull(0, 0, 300, 150, (0, 1)), (500, 500))
    ('front', 'right')
    """
    hx, hy = hull.heading
    dx, dy = place[0] - hull.x, place[1] - hull.y
    ahead, left = hx * dx + hy * dy, hx * dy - hy * dx
    quarters: list[Quarter] = []
    if ahead >= abs(left):
        quarters.append("front")
    if left >= abs(ahead):
        quarters.append("left")
    if -left >= abs(ahead):
        quarters.append("right")
    if -ahead >= abs(left):
        quarters.append("rear")
    return tuple(quarters)


def quarter_of(hull: Hull, place: Point) -> Quarter:
    """Return the quarter of a hull in which a place lies; on a line the one that comes first in front, left, right,
    rear.
    """
    return quarters_of(hull, place)[0]


def corner_quarters_of(hull: Hull, place: Point) -> tuple[Quarter, ...]:
    """Return the quarters between lines drawn through the hull's corners, so that a long hull has wide sides."""
    hx, hy = hull.heading
    dx, dy = place[0] - hull.x, place[1] - hull.y
    ahead, left = (hx * dx + hy * dy) * hull.width, (hx * dy - hy * dx) * hull.length
    quarters: list[Quarter] = []
    if ahead >= abs(left):
        quarters.append("front")
    if left >= abs(ahead):
        quarters.append("left")
    if -left >= abs(ahead):
        quarters.append("right")
    if -ahead >= abs(left):
        quarters.append("rear")
    return tuple(quarters)


def in_arc(apex: Point, heading: Point, place: Point, half: Point) -> bool:
    """Return whether a place lies in an arc, its border included.

    Args:
        apex: Direction in which the arc starts.
        half: Half its width as a vector from (1, 0): (1, 1) is 45 degrees to either side, (0, 1) 90, (-1, 1) 135.

    >>> in_arc((0, 0), (0, 1), (100, 100), (1, 1)), in_arc((0, 0), (0, 1), (101, 100), (1, 1))
    (True, False)
    """
    dx, dy = place[0] - apex[0], place[1] - apex[1]
    ahead, aside = heading[0] * dx + heading[1] * dy, abs(heading[0] * dy - heading[1] * dx)
    if dx == dy == 0:
        return True
    # Turned from (1, 0) the place is at (ahead, aside), in the upper half, as the border is.
    return half[0] * aside - abs(half[1]) * ahead <= 0


# --- moving and turning -----------------------------------------------------------------------------------------------


def swept(form: Body, to: Point) -> tuple[Polygon, int]:
    """Return the area that a body covers while it is moved straight without turning: corners and margin, as in
    `form_of`.

    >>> swept((0, 0, 100), (500, 0))
    (((0, 0), (500, 0)), 100)
    """
    corners, r = form_of(form)
    dx, dy = to[0] - form[0], to[1] - form[1]
    if dx == dy == 0:
        return corners, r
    if len(corners) == 1:
        return (corners[0], to), r
    return convex([*corners, *((x + dx, y + dy) for x, y in corners)]), r


def convex(points: Sequence[Point]) -> Polygon:
    """Return the convex polygon around some points, its corners to the left from the lowest on the left.

    >>> convex([(0, 0), (10, 0), (5, 1), (10, 10), (0, 10)])
    ((0, 0), (10, 0), (10, 10), (0, 10))
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    corners: list[Point] = []
    for run in (ordered, ordered[::-1]):
        least = len(corners) + 1
        for p in run:
            while len(corners) > least and turn(corners[-2], corners[-1], p) <= 0:
                corners.pop()
            corners.append(p)
        corners.pop()
    return tuple(corners)


def sweep_overlaps(form: Body, to: Point, other: Form) -> bool:
    """Return whether a body, moved straight to a place without turning, overlaps a form anywhere on the way."""
    corners, r = swept(form, to)
    return _margin_overlaps(corners, r, *form_of(other))


def sweep_overlaps_ring(form: Body, to: Point, ring: Polygon) -> bool:
    """Return whether a body, moved straight without turning, overlaps a polygon of any shape on the way."""
    corners, r = swept(form, to)
    if len(corners) > 2:
        return polygons_overlap(corners, ring)
    return sweep_overlaps_polygon(corners[0], corners[-1], r, ring)


def _margin_overlaps(p: Polygon, r: int, q: Polygon, s: int) -> bool:
    if len(p) > 2 and len(q) > 2:
        return polygons_overlap(p, q)
    if r + s == 0:
        ring, way = (p, q) if len(p) > 2 else (q, p)
        return len(ring) > 2 and crosses_polygon(way[0], way[-1], ring)
    square, parts = _apart(p, q)
    return square < (r + s) ** 2 * parts


def turn_sweeps(hull: Hull, heading: Point, other: Form) -> bool:
    """Return whether a hull that turns on the spot, the shorter way round, overlaps a form at any moment.

    A turn right round to the opposite heading goes to the left. The answer is exact for the true rectangle in between,
    whose corners run along a circle.

    Args:
        hull: The hull before it turns.
        other: The obstacle: a disc, a hull or a convex polygon.
    """
    if overlap(hull, other) or overlap(hull.turned(heading), other):
        return True
    corners, s = form_of(other)
    return any(_enters_while_turning(hull, heading, p, s) for p in corners) or (
        len(corners) > 1 and _corner_runs_into(hull, heading, corners)
    )


def turn_sweeps_ring(hull: Hull, heading: Point, ring: Polygon) -> bool:
    """Return whether a hull that turns on the spot overlaps a polygon of any shape, such as terrain."""
    if polygons_overlap(hull.corners, ring) or polygons_overlap(hull.turned(heading).corners, ring):
        return True
    return any(_enters_while_turning(hull, heading, p, 0) for p in ring) or _corner_runs_into(hull, heading, ring)


def turned_left(a: Point, b: Point) -> bool:
    """Return whether the shorter turn from one heading to another goes left; half a turn counts as left."""
    across = a[0] * b[1] - a[1] * b[0]
    return across > 0 or (across == 0 and a[0] * b[0] + a[1] * b[1] < 0)


def _corner_runs(hull: Hull, heading: Point) -> list[tuple[Point, Point]]:
    """Return the two directions between which each corner turns, the first to the right of the second."""
    left = turned_left(hull.heading, heading)
    runs: list[tuple[Point, Point]] = []
    far, wide = hull.length, hull.width
    for a, b in ((far, -wide), (far, wide), (-far, wide), (-far, -wide)):
        one, two = [(a * hx - b * hy, a * hy + b * hx) for hx, hy in (hull.heading, heading)]
        runs.append((one, two) if left else (two, one))
    return runs


def _between(first: Point, p: Point, last: Point) -> bool:
    """Return whether a direction lies in the run to the left from one direction to another, which is half a turn at
    most.
    """
    whole = first[0] * last[1] - first[1] * last[0]
    one, two = first[0] * p[1] - first[1] * p[0], p[0] * last[1] - p[1] * last[0]
    if whole == 0 and first[0] * last[0] + first[1] * last[1] > 0:
        return one == 0 and first[0] * p[0] + first[1] * p[1] > 0
    return one >= 0 and two >= 0


def _enters_while_turning(hull: Hull, heading: Point, p: Point, s: int) -> bool:
    """Return whether a corner of a turning hull comes nearer to a disc than its rim; only there can they be nearest."""
    x, y = p[0] - hull.x, p[1] - hull.y
    # The distance from the centre is below the corner's and the rim's together: far < reach + s.
    far, reach = x * x + y * y, hull.length * hull.length + hull.width * hull.width
    over = far - reach - s * s
    if over >= 0 and over * over >= 4 * s * s * reach:
        return False
    return any(_between(first, (x, y), last) for first, last in _corner_runs(hull, heading))


def _corner_runs_into(hull: Hull, heading: Point, ring: Polygon) -> bool:
    """Return whether the circle along which a corner of a turning hull runs passes a side of a polygon on the way."""
    reach = hull.length * hull.length + hull.width * hull.width
    runs = _corner_runs(hull, heading)
    for a, b in _sides(ring):
        ax, ay = a[0] - hull.x, a[1] - hull.y
        dx, dy = b[0] - a[0], b[1] - a[1]
        square, along = dx * dx + dy * dy, -(ax * dx + ay * dy)
        under = along * along - square * (ax * ax + ay * ay - reach)
        if under <= 0:
            continue
        # The two intersections of the line with the circle, as fractions of the side on a very fine grid.
        root = isqrt(under << 32)
        for part in ((along << 16) - root, (along << 16) + root):
            if 0 <= part <= square << 16:
                place = ((ax * square << 16) + dx * part, (ay * square << 16) + dy * part)
                if any(_between(first, place, last) for first, last in runs):
                    return True
    return False


def in_front_of(hull: Hull, distance: int) -> Point:
    """Return the place at a distance straight ahead of a hull's centre; a distance below 0 is behind it.

    >>> in_front_of(Hull(100, 100, 300, 150, (0, 5)), -40)
    (100, 60)
    """
    return point_along(hull.at, hull.heading, distance)
