"""Decide where a hull may stand, and how it turns, drives and reverses.

A drive is a sequence of legs. On each leg the hull turns on the spot to a heading, in the shorter direction, and then
goes straight to a place without turning. A hull may therefore drive forwards, backwards or sideways, as the ruleset
allows. The areas swept by a turn and by a straight leg are exact.

>>> from caltrop.table.measured.terrain import Table, ground_of
>>> ground = ground_of(Table(9000, 9000))
>>> tank = Hull(1000, 1000, 381, 190, (0, 1))
>>> legs = facing((tank.at, (1000, 3000), (2500, 3000)))
>>> legs
(Leg(to=(1000, 3000), heading=(0, 1)), Leg(to=(2500, 3000), heading=(1, 0)))
>>> drive_fault(ground, tank, legs, [(1000, 3500, 76)]).kind
'body'
>>> drive_length(tank, legs), driven(tank, legs).heading
(3500, (1, 0))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from caltrop.geometry import (
    Body,
    Box,
    Form,
    Hull,
    Point,
    Polygon,
    body_inside,
    boxes_within,
    convex,
    cut_at_length,
    disc_around,
    disc_box,
    discs_box,
    form_box,
    form_of,
    heading_of,
    overlap,
    path_length,
    polygons_overlap,
    root_up,
    sweep_overlaps,
    sweep_overlaps_ring,
    turn_sweeps,
    turn_sweeps_ring,
)
from caltrop.table.measured.corridor import CorridorPiece, overlaps_piece
from caltrop.table.measured.paths import cut_leg, enlarged, parts_of_leg, way
from caltrop.table.measured.terrain import TableGround


class Leg(NamedTuple):
    """A part of a drive: a turn on the spot, then a straight move without turning."""

    to: Point
    """Place of the hull's centre after the leg; unchanged if the hull only turns."""
    heading: Point
    """Direction of the hull's front during the straight move."""


class BodyFault(NamedTuple):
    """The place and the reason of an illegal position or move of a body."""

    leg: int
    """The index of the first illegal leg; 0 also if the start is illegal."""
    turning: bool
    """True if the turn is illegal, before the leg's straight part."""
    stop: Body
    """The body at its last legal position on the grid."""
    kind: Literal["table", "terrain", "body"]
    """Kind of obstacle: the table's edge, terrain that is solid for this mover, or another body."""
    terrain: str | None
    """The id of the terrain in the way, or None."""
    body: int | None
    """The index of the body in the way, or None."""


_Culprit = tuple[Literal["table", "terrain", "body"], str | None, int | None]


def body_overlaps_piece(body: Body, piece: CorridorPiece) -> bool:
    """Return whether a body overlaps a piece of terrain; touching its edge from outside does not count."""
    if not isinstance(body, Hull):
        return overlaps_piece(piece, body)
    if not boxes_within(form_box(body), piece.box, 0):
        return False
    return polygons_overlap(body.corners, piece.polygon) if piece.polygon else overlap(body, piece.circle)


def pieces_under(ground: TableGround, body: Body) -> tuple[str, ...]:
    """Return the ids of the pieces of terrain that a body overlaps, in the table's order."""
    return tuple([piece.id for piece in ground.pieces if body_overlaps_piece(body, piece)])


class _Obstacles(NamedTuple):
    """The obstacles near a body or a drive."""

    table: Box
    pieces: tuple[CorridorPiece, ...]
    """Solid terrain, in the table's order."""
    bodies: tuple[tuple[int, Form, Box], ...]
    """The bodies in the way, each with its index among all bodies and the box around it."""


def _obstacles(ground: TableGround, around: Box, others: Sequence[Form]) -> _Obstacles:
    """Return the solid terrain and the bodies that come within a box."""
    bodies = [(index, other, form_box(other)) for index, other in enumerate(others)]
    return _Obstacles(
        ground.box,
        tuple([piece for piece in ground.solid_pieces if boxes_within(piece.box, around, 0)]),
        tuple([body for body in bodies if boxes_within(body[2], around, 0)]),
    )


def body_fault(ground: TableGround, body: Body, others: Sequence[Form]) -> BodyFault | None:
    """Return why a body may not stand somewhere: off the table, on solid terrain, or on another body.

    Args:
        ground: The table prepared for this mover (`TableGround.for_mover`).
        others: The bodies that it may not overlap.

    Returns:
        The fault, or None if the body may stand there.
    """
    fault = _standing(_obstacles(ground, form_box(body), others), body)
    return None if fault is None else BodyFault(0, False, body, *fault)


def body_stands(ground: TableGround, body: Body, others: Sequence[Form]) -> bool:
    """Return whether a body may stand somewhere: on the table, off solid terrain and off other bodies."""
    return body_fault(ground, body, others) is None


def _standing(near: _Obstacles, body: Body) -> _Culprit | None:
    if not body_inside(body, near.table):
        return ("table", None, None)
    box = form_box(body)
    for piece in near.pieces:
        if boxes_within(piece.box, box, 0) and body_overlaps_piece(body, piece):
            return ("terrain", piece.id, None)
    for index, other, around in near.bodies:
        if boxes_within(around, box, 0) and overlap(body, other):
            return ("body", None, index)
    return None


def _turns_off_table(table: Box, hull: Hull, heading: Point) -> bool:
    x0, y0, x1, y1 = table
    left, low, right, high = disc_box(disc_around(hull))
    if x0 <= left and y0 <= low and right <= x1 and high <= y1:
        return False
    outside = (
        ((x0 - 1, y0), (x0, y0), (x0, y1), (x0 - 1, y1)),
        ((x0, y0 - 1), (x1, y0 - 1), (x1, y0), (x0, y0)),
        ((x1, y0), (x1 + 1, y0), (x1 + 1, y1), (x1, y1)),
        ((x0, y1), (x1, y1), (x1, y1 + 1), (x0, y1 + 1)),
    )
    return not body_inside(hull.turned(heading), table) or any(turn_sweeps(hull, heading, side) for side in outside)


def _turning(near: _Obstacles, hull: Hull, heading: Point) -> _Culprit | None:
    if heading_of(hull.heading) == heading_of(heading):
        return None
    if _turns_off_table(near.table, hull, heading):
        return ("table", None, None)
    around = disc_box(disc_around(hull))
    for piece in near.pieces:
        if boxes_within(piece.box, around, 0):
            ring = piece.polygon
            if turn_sweeps_ring(hull, heading, ring) if ring else turn_sweeps(hull, heading, piece.circle):
                return ("terrain", piece.id, None)
    for index, other, box in near.bodies:
        if boxes_within(box, around, 0) and turn_sweeps(hull, heading, other):
            return ("body", None, index)
    return None


def _going(near: _Obstacles, body: Body, to: Point) -> _Culprit | None:
    after = body.moved(to) if isinstance(body, Hull) else (*to, body[2])
    (a, b, c, d), (e, f, g, h) = form_box(body), form_box(after)
    around = (min(a, e), min(b, f), max(c, g), max(d, h))
    x0, y0, x1, y1 = near.table
    if around[0] < x0 or around[1] < y0 or around[2] > x1 or around[3] > y1:
        return ("table", None, None)
    for piece in near.pieces:
        if boxes_within(piece.box, around, 0):
            ring = piece.polygon
            if sweep_overlaps_ring(body, to, ring) if ring else sweep_overlaps(body, to, piece.circle):
                return ("terrain", piece.id, None)
    for index, other, box in near.bodies:
        if boxes_within(box, around, 0) and sweep_overlaps(body, to, other):
            return ("body", None, index)
    return None


def _cut(near: _Obstacles, hull: Hull, to: Point) -> tuple[Point, _Culprit | None]:
    """Return the place at which an obstacle stops a straight leg, and the obstacle."""
    parts = parts_of_leg(hull.at, to)
    # Only obstacles on the whole leg can stop a part of it. The corners of the hull move along the finer grid.
    forms: list[tuple[_Culprit, Polygon, int]] = []
    for piece in near.pieces:
        ring = piece.polygon
        if sweep_overlaps_ring(hull, to, ring) if ring else sweep_overlaps(hull, to, piece.circle):
            large = enlarged(piece, parts)
            corners, r = (large.polygon, 0) if ring else form_of(large.circle)
            forms.append((("terrain", piece.id, None), corners, r))
    for index, other, _ in near.bodies:
        if sweep_overlaps(hull, to, other):
            corners, r = form_of(other)
            forms.append((("body", None, index), tuple([(x * parts, y * parts) for x, y in corners]), r * parts))
    corners = tuple([(x * parts, y * parts) for x, y in hull.corners])
    x0, y0, x1, y1 = [edge * parts for edge in near.table]

    def met(end: Point) -> _Culprit | None:
        dx, dy = end[0] - hull.x * parts, end[1] - hull.y * parts
        after = [(x + dx, y + dy) for x, y in corners]
        if not all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in after):
            return ("table", None, None)
        ring = convex([*corners, *after])
        for culprit, form, r in forms:
            if polygons_overlap(ring, form) if len(form) > 2 else overlap(ring, (*form[0], r)):
                return culprit
        return None

    return cut_leg(hull.at, to, met, lambda end: _going(near, hull, end) is None)


def drive_fault(
    ground: TableGround, hull: Hull, legs: Sequence[Leg], others: Sequence[Form], brief: bool = False
) -> BodyFault | None:
    """Return the first illegal place along a drive, or None if all of it is legal.

    Args:
        ground: The table prepared for this mover.
        others: The bodies that block the hull. The caller leaves out bodies that do not block the hull, such as
            passengers.
        brief: True to return any fault, reported at the start of its leg.
    """
    _, _, r = disc_around(hull)
    near = _obstacles(ground, discs_box([(x, y, r) for x, y in path_of(hull, legs)]), others)
    fault = _standing(near, hull)
    if fault is not None:
        return BodyFault(0, False, hull, *fault)
    for index, leg in enumerate(legs):
        fault = _turning(near, hull, leg.heading)
        if fault is not None:
            return BodyFault(index, True, hull, *fault)
        hull = hull.turned(leg.heading)
        if leg.to == hull.at:
            continue
        fault = _going(near, hull, leg.to)
        if fault is not None and brief:
            return BodyFault(index, False, hull, *fault)
        if fault is not None:
            stop, met = _cut(near, hull, leg.to)
            return BodyFault(index, False, hull.moved(stop), *(met or fault))
        hull = hull.moved(leg.to)
    return None


def facing(path: Sequence[Point], back: bool = False) -> tuple[Leg, ...]:
    """Return the drive along a path, forwards or backwards.

    Args:
        path: The polyline of the centre, its start first; a leg without length is left out.
    """
    sign = -1 if back else 1
    return tuple(
        [Leg(b, heading_of((sign * (b[0] - a[0]), sign * (b[1] - a[1])))) for a, b in pairwise(path) if a != b]
    )


def path_of(hull: Hull, legs: Sequence[Leg]) -> tuple[Point, ...]:
    """Return the polyline of the centre along a drive, its start first, as `spent` needs it."""
    return (hull.at, *[leg.to for leg in legs])


def drive_length(hull: Hull, legs: Sequence[Leg]) -> int:
    """Return the distance of the centre along a drive, each leg rounded up."""
    return path_length(path_of(hull, legs))


def driven(hull: Hull, legs: Sequence[Leg]) -> Hull:
    for leg in legs:
        hull = hull.moved(leg.to).turned(leg.heading)
    return hull


def cut_drive(hull: Hull, legs: Sequence[Leg], limit: int) -> tuple[Leg, ...]:
    """Return the longest beginning of a drive within a length. Turns cost nothing; the turn at the end is included."""
    driven: list[Leg] = []
    for leg in legs:
        left = limit - drive_length(hull, driven)
        here = driven[-1].to if driven else hull.at
        end = cut_at_length((here, leg.to), left)[-1]
        driven.append(Leg(end, leg.heading))
        if end != leg.to:
            break
    return tuple(driven)


def drive(
    ground: TableGround, hull: Hull, goal: Point, others: Sequence[Form], limit: int | None = None, back: bool = False
) -> tuple[Leg, ...] | None:
    """Return a short legal drive to a place around obstacles, forwards or backwards.

    Paths are searched as for round bases: first as wide as the hull's narrowest side, then wider, finally wide enough
    to turn anywhere. The first path that the hull can drive is returned.

    Args:
        ground: The table prepared for this mover.
        goal: Destination of the hull's centre.
        others: The bodies that block the hull.
        limit: The greatest length, or cost if the ground has prices; None for any.
        back: True to drive backwards all the way.

    Returns:
        The drive; empty if the hull is at the goal already; None if no drive was found.
    """
    if goal == hull.at:
        return ()
    beside = ground.with_solid(tuple(others))
    narrow, wide = min(hull.length, hull.width), root_up(hull.length * hull.length + hull.width * hull.width)
    for r in (narrow, (narrow + wide) // 2, wide):
        path = way(beside, hull.at, goal, r, (), limit=limit)
        if path is None:
            continue
        legs = facing(path, back)
        if drive_fault(ground, hull, legs, others) is None:
            return legs
    return None
