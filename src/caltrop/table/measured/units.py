"""Groups of bases: gaps, coherency, formations, marches and free places.

A unit here is a sequence of discs in the caller's order, and every answer keeps that order. A proposal (a formation, a
march, a free place) is one good choice among many. Equal arguments give equal proposals, which are legal by
`path_fault`, `place_fault` and `coherent`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isqrt
from typing import Literal

from caltrop.geometry import (
    CONTACT,
    INCH,
    Body,
    Disc,
    Hull,
    Point,
    boxes_within,
    contact_point,
    directions,
    disc_around,
    disc_inside,
    discs_box,
    distance_sq,
    distance_up,
    gap_up,
    gap_within,
    in_touch,
    overlap,
    overlapping,
    point_along,
    rotated,
)
from caltrop.table.measured.corridor import CorridorPiece, overlaps_piece
from caltrop.table.measured.costs import cut_to, spent
from caltrop.table.measured.paths import first_overlap, stands, way, what_is_near
from caltrop.table.measured.terrain import TableGround

Shape = Literal["keep", "line", "column", "wedge"]

SHAPES: tuple[Shape, ...] = ("keep", "line", "column", "wedge")
REFORMED: tuple[Shape, ...] = ("keep", "column", "line", "wedge")
"""Formations that a unit tries in this order if it may change its formation."""
KEPT: tuple[Shape, ...] = ("keep",)
"""Formations of a unit that may not change its formation."""

SPACING = 100
"""The gap between neighbours in a new formation."""

_STEP = 10
"""Distance between the rings of free places that are tried first, in tenths of a millimetre."""


def nearest_pair(a: Sequence[Disc], b: Sequence[Disc]) -> tuple[int, int, int]:
    """Return the gap between the nearest two bases of two groups, rounded up, with their indices.

    Returns:
        The gap, the index in `a` and the index in `b`, for the first such pair among equally near ones.

    Raises:
        ValueError: One of the groups is empty.
    """
    if not a or not b:
        raise ValueError("the gap between groups needs a base in both")
    return min((gap_up(p, q), i, j) for i, p in enumerate(a) for j, q in enumerate(b))


def nearest_gap(a: Sequence[Disc], b: Sequence[Disc]) -> int:
    """Return the gap, edge to edge, between the nearest two bases of two groups, rounded up.

    Raises:
        ValueError: One of the groups is empty.
    """
    return nearest_pair(a, b)[0]


def within(a: Sequence[Disc], b: Sequence[Disc], limit: int) -> bool:
    """Return whether the nearest two bases of two groups are at most `limit` apart, edge to edge.

    An empty group is near nothing.
    """
    if len(a) > 2 and len(b) > 2 and not boxes_within(discs_box(a), discs_box(b), limit):
        return False
    for x, y, r in a:
        for u, v, s in b:
            reach = r + s + limit
            dx = x - u
            dy = y - v
            if reach >= 0 and dx * dx + dy * dy <= reach * reach:
                return True
    return False


def in_contact(a: Sequence[Disc], b: Sequence[Disc]) -> bool:
    return within(a, b, CONTACT)


def chain(discs: Sequence[Disc], limit: int = INCH) -> tuple[int, ...]:
    """Return the indices of the bases connected with the first by gaps of at most `limit`, in order."""
    if not discs:
        return ()
    reached = [0]
    waiting = list(range(1, len(discs)))
    for index in reached:
        here = discs[index]
        still: list[int] = []
        for other in waiting:
            if gap_within(here, discs[other], limit):
                reached.append(other)
            else:
                still.append(other)
        waiting = still
    return tuple(sorted(reached))


def coherent(discs: Sequence[Disc], limit: int = INCH) -> bool:
    """Return whether bases form one connected chain by gaps, edge to edge, of at most `limit`.

    A single base, or no base, is coherent.
    """
    return len(chain(discs, limit)) == len(discs)


def middle(discs: Sequence[Disc]) -> Point:
    """Return the mean of some centres, rounded down to the grid.

    Raises:
        ValueError: The group is empty.
    """
    if not discs:
        raise ValueError("no discs, so no middle of them")
    return (sum(disc[0] for disc in discs) // len(discs), sum(disc[1] for disc in discs) // len(discs))


def most_central(places: Sequence[Point]) -> tuple[int, ...]:
    """Return the indices of the places nearest to the mean of all places, computed exactly.

    >>> most_central([(0, 0), (100, 0), (200, 0)]), most_central([(0, 0), (101, 0)])
    ((1,), (0, 1))

    Raises:
        ValueError: The group is empty.
    """
    if not places:
        raise ValueError("no places, so none in the middle of them")
    count = len(places)
    # The mean times the number of places is on the grid, so nothing is rounded.
    mean = (sum([x for x, _ in places]), sum([y for _, y in places]))
    far = [distance_sq((x * count, y * count), mean) for x, y in places]
    least = min(far)
    return tuple([index for index, square in enumerate(far) if square == least])


def strewn(discs: Sequence[Disc], limit: int = INCH) -> int:
    """Return how far bases are from being one chain: the excess of the smallest gaps that would connect them; 0 for a
    chain.

    Args:
        limit: The greatest gap in a chain.

    >>> strewn([(0, 0, 50), (200, 0, 50), (1000, 0, 50)], 100), strewn([(0, 0, 50), (200, 0, 50)], 100)
    (600, 0)
    """
    more = 0
    waiting = {index: gap_up(discs[0], discs[index]) for index in range(1, len(discs))}
    while waiting:
        nearest = min(waiting, key=lambda index: (waiting[index], index))
        more += max(waiting.pop(nearest) - limit, 0)
        for index, gap in waiting.items():
            waiting[index] = min(gap, gap_up(discs[nearest], discs[index]))
    return more


def formation(
    discs: Sequence[Disc],
    target: Point,
    shape: Shape = "keep",
    heading: Point = (1, 0),
    front: Point | None = None,
    anchor: int = 0,
    spacing: int = SPACING,
) -> tuple[Point, ...]:
    """Return the places of a unit's models in a formation at a place.

    Args:
        discs: The bases of the unit at present.
        target: Place of the anchor model (the anchor's disc for `keep`, else the middle of the front of the shape).
        shape: `keep` keeps the places relative to the anchor, turned from `front` to `heading` if `front` is given.
            `line` is abreast with its middle at the target. `column` has the first model at the target and the others
            behind it; `wedge` has the first at the target and the others behind it to both sides.
        heading: Direction that the formation faces.
        front: Direction that the unit faced before; None turns nothing.
        anchor: The index of the anchor model, for `keep`.
        spacing: The gap between neighbours of a new shape, at least 2.

    Returns:
        A centre for each model, in the order of `discs`. In a new shape, models do not overlap, and gaps between
        neighbours are at most `spacing` if it is more than 3 (places are rounded). `keep` preserves the gaps, up to the
        rounding of a turn.

    Raises:
        ValueError: The spacing is below 2.
    """
    if not discs:
        return ()
    if shape == "keep":
        ax, ay, _ = discs[anchor]
        if front is None:
            return tuple((target[0] + x - ax, target[1] + y - ay) for x, y, _ in discs)
        turned = [rotated((x - ax, y - ay), heading, front) for x, y, _ in discs]
        return tuple((target[0] + x, target[1] + y) for x, y in turned)
    if spacing < 2:
        raise ValueError(f"neighbours in a formation need a gap of 2 or more; this one is {spacing}")
    places: list[Point] = []
    if shape == "line":
        offsets = _row(discs, spacing)
        centre = (offsets[0] - discs[0][2] + offsets[-1] + discs[-1][2]) // 2
        side = (-heading[1], heading[0])
        return tuple(point_along(target, side, offset - centre) for offset in offsets)
    if shape == "column":
        return tuple(point_along(target, heading, -offset) for offset in _row(discs, spacing))
    # The two arms run back at 45 degrees on either side, each beginning at the leader.
    back = (-heading[0], -heading[1])
    arms = ((back[0] - back[1], back[1] + back[0]), (back[0] + back[1], back[1] - back[0]))
    ends = [0, 0]
    radii = [discs[0][2], discs[0][2]]
    places.append(target)
    for index in range(1, len(discs)):
        arm = (index - 1) % 2
        ends[arm] += radii[arm] + spacing + discs[index][2]
        radii[arm] = discs[index][2]
        places.append(point_along(target, arms[arm], ends[arm]))
    return tuple(places)


def _row(discs: Sequence[Disc], spacing: int) -> list[int]:
    """Return the positions of the centres along a row, beginning with 0."""
    offsets = [0]
    for index in range(1, len(discs)):
        offsets.append(offsets[-1] + discs[index - 1][2] + spacing + discs[index][2])
    return offsets


def moved(discs: Sequence[Disc], places: Sequence[Point]) -> tuple[Disc, ...]:
    return tuple((x, y, disc[2]) for disc, (x, y) in zip(discs, places, strict=True))


def may_stand(ground: TableGround, discs: Sequence[Disc], others: Sequence[Disc], limit: int | None = INCH) -> bool:
    """Return whether a unit may stand like this: on the table, off impassable terrain, without overlaps, and in one
    chain.

    Args:
        ground: The table made ready.
        discs: The unit's bases.
        limit: The coherency, or None for none.
    """
    return (
        (limit is None or coherent(discs, limit))
        and first_overlap(discs) is None
        and all(stands(ground, disc, others) for disc in discs)
    )


def march(
    ground: TableGround,
    discs: Sequence[Disc],
    destination: Point,
    limit: int,
    others: Sequence[Disc],
    crosses: bool = False,
    coherency: int = INCH,
    anchor: int | None = None,
    accept: Callable[[Sequence[Disc]], bool] | None = None,
    reform: bool = True,
) -> tuple[tuple[Point, ...], ...]:
    """Return a legal path for each model that moves the whole unit towards a place.

    The unit keeps its formation if possible. If the formation does not fit, the unit forms a column, a line or a wedge,
    moves less far, or stays. No path is longer than the limit or overlaps an obstacle. At the end no models overlap,
    all are on the table, and the unit is one chain. The unit's models do not block each other on the way.

    Args:
        ground: The table prepared for queries.
        destination: Goal of the anchor model.
        limit: The greatest length of a path, or cost if the ground has prices for this mover.
        crosses: True if the unit passes over impassable terrain and discs.
        coherency: The greatest gap in the chain.
        anchor: Index of the model that leads, or None for the model nearest to the middle.
        accept: A further condition on the end of the move (say, no contact with an enemy), or None.
        reform: True to allow another formation. If False, a lack of room never shortens the move, only the limit does.

    Returns:
        A path for each model, in order, its start first; a single point if a model stays.
    """
    stay = tuple(((disc[0], disc[1]),) for disc in discs)
    if not discs or limit <= 0:
        return stay
    if anchor is None:
        centre = middle(discs)
        anchor = min(range(len(discs)), key=lambda i: (distance_sq((discs[i][0], discs[i][1]), centre), i))
    lead = discs[anchor]
    start = (lead[0], lead[1])
    if start == destination:
        return stay
    guide = way(ground, start, destination, lead[2], others, crosses)
    if guide is None:
        room = nearest_free(ground, destination, lead[2], others, reach=_about(destination, lead[2], others))
        if room is not None:
            guide = way(ground, start, room, lead[2], others, crosses)
        if guide is None:
            guide = (start, destination)
    whole = min(limit, spent(ground, guide))
    tried: set[Point] = set()
    for eighths in range(8, 0 if reform or whole == limit else 7, -1):
        route = cut_to(ground, guide, whole * eighths // 8)
        goal = route[-1]
        if goal == start or goal in tried:
            continue
        tried.add(goal)
        heading = (goal[0] - route[-2][0], goal[1] - route[-2][1])
        for shape in REFORMED if reform else KEPT:
            paths = _formed(ground, discs, goal, shape, heading, anchor, limit, others, crosses, coherency, accept)
            if paths is not None:
                return paths
    return stay


def _about(destination: Point, r: int, others: Sequence[Disc]) -> int:
    """Return the distance around a place within which free places are searched for: about the width of a base."""
    zones = [2 * (s + r) for x, y, s in others if s > 4 * r and distance_sq((x, y), destination) < (s + r) ** 2]
    return max([4 * r + 200, *zones])


def _formed(
    ground: TableGround,
    discs: Sequence[Disc],
    goal: Point,
    shape: Shape,
    heading: Point,
    anchor: int,
    limit: int,
    others: Sequence[Disc],
    crosses: bool,
    coherency: int,
    accept: Callable[[Sequence[Disc]], bool] | None,
) -> tuple[tuple[Point, ...], ...] | None:
    if shape == "keep":
        places = formation(discs, goal, anchor=anchor)
    else:
        places = _assigned(discs, goal, shape, heading, min(SPACING, max(coherency - 4, 2)))
    after = moved(discs, places)
    for disc, place in zip(discs, places, strict=True):
        if distance_sq((disc[0], disc[1]), place) > limit * limit:
            return None
    if not may_stand(ground, after, others, coherency) or (accept is not None and not accept(after)):
        return None
    paths: list[tuple[Point, ...]] = []
    for disc, place in zip(discs, places, strict=True):
        path = way(ground, (disc[0], disc[1]), place, disc[2], others, crosses, limit)
        if path is None:
            return None
        paths.append(path)
    return tuple(paths)


def _assigned(discs: Sequence[Disc], goal: Point, shape: Shape, heading: Point, spacing: int) -> tuple[Point, ...]:
    """Return the places of a new shape, assigned so that models keep their order along it and do not cross.

    A line is filled from one side to the other, a column and a wedge from the front to the back.
    """
    if shape == "line":
        keys = [disc[1] * heading[0] - disc[0] * heading[1] for disc in discs]
    else:
        keys = [-(disc[0] * heading[0] + disc[1] * heading[1]) for disc in discs]
    order = sorted(range(len(discs)), key=lambda i: (keys[i], i))
    slots = formation([discs[i] for i in order], goal, shape, heading, spacing=spacing)
    places = [goal] * len(discs)
    for slot, index in zip(slots, order, strict=True):
        places[index] = slot
    return tuple(places)


RING = 64
"""Number of directions in which free places are searched for."""


@lru_cache(maxsize=1024)
def ring_offsets(distance: int) -> tuple[Point, ...]:
    """Return the vector from (0, 0) over a distance in each of the directions, as `point_along` computes it."""
    return tuple([point_along((0, 0), d, distance) for d in directions(RING)])


def nearest_free_places(
    ground: TableGround,
    near: Point,
    r: int,
    discs: Sequence[Disc],
    clear_of: Sequence[Disc] = (),
    suits: Callable[[Point], bool] | None = None,
    reach: int | None = None,
) -> tuple[Point, ...]:
    """Return the free places for a base that are nearest to a point; their distances differ by at most 0.02 cm.

    Rings around the point are tried in steps of a millimetre, in 64 directions. The places of the first ring with room
    are moved inwards as far as possible, and the nearest are kept. A place between two directions, or with less than a
    millimetre of room, may be missed.

    Args:
        ground: The table prepared for queries.
        r: Radius of the base.
        discs: The discs that it may not overlap.
        clear_of: Discs that it may neither overlap nor touch.
        suits: A further condition on a place, or None.
        reach: The greatest distance from the point, or None for the whole table.

    Returns:
        The places, the nearest first; none if there is no room.
    """
    x0, y0, x1, y1 = ground.box
    if reach is None:
        reach = max(near[0] - x0, x1 - near[0], 0) + max(near[1] - y0, y1 - near[1], 0)
    x, y = near
    room = _Room(ground, near, r, discs, clear_of, suits)
    if room.is_free(near, 0):
        return (near,)
    distance = max(0, min(room.least(), reach))
    while distance < reach:
        before = distance
        distance = min(distance + _STEP, reach)
        if any(room.is_free((x + dx, y + dy), distance) for dx, dy in ring_offsets(distance)):
            least = before + 1
            while not any(room.is_free((x + dx, y + dy), least) for dx, dy in ring_offsets(least)):
                least += 1
            equals: list[Point] = []
            for number in range(RING):
                for nearer in range(least, min(least + CONTACT, reach) + 1):
                    dx, dy = ring_offsets(nearer)[number]
                    p = (x + dx, y + dy)
                    if room.is_free(p, nearer):
                        equals.append(p)
                        break
            return tuple(dict.fromkeys(sorted(equals, key=lambda p: distance_sq(p, near))))
    return ()


class _Room:
    """Tests whether places around a point are free for a base. Distant obstacles are left out until they may matter."""

    def __init__(
        self,
        ground: TableGround,
        near: Point,
        r: int,
        discs: Sequence[Disc],
        clear_of: Sequence[Disc],
        suits: Callable[[Point], bool] | None,
    ) -> None:
        self.ground = ground
        self.near = near
        self.r = r
        # A disc that may not be touched either is enlarged a little.
        self.discs = [*discs, *((x, y, s + CONTACT + 1) for x, y, s in clear_of)]
        self.suits = suits
        self.reach = -1
        self.close: list[tuple[int, Disc]] = []
        self.pieces: list[CorridorPiece] = []

    def least(self) -> int:
        """Return a distance from the point within which no place is free, because a disc covers the point."""
        x, y = self.near
        # Two less, because the distance and the place are rounded.
        return max((s + self.r - distance_up((x, y), (u, v)) - 2 for u, v, s in self.discs), default=0)

    def is_free(self, p: Point, distance: int) -> bool:
        if distance > self.reach:
            self.reach = 2 * distance + 200
            x, y = self.near
            corners = ((x - self.reach, y - self.reach), (x + self.reach, y + self.reach))
            self.pieces, self.close = what_is_near(self.ground, corners, self.r, self.discs)
        x, y = p
        r = self.r
        for index, (_, (u, v, s)) in enumerate(self.close):
            dx = x - u
            dy = y - v
            if dx * dx + dy * dy < (r + s) * (r + s):
                if index:  # An obstacle at one place is likely to cover the next place too.
                    self.close[0], self.close[index] = self.close[index], self.close[0]
                return False
        disc = (x, y, r)
        return (
            disc_inside(disc, self.ground.box)
            and not any(overlaps_piece(piece, disc) for piece in self.pieces)
            and (self.suits is None or self.suits(p))
        )


def nearest_free(
    ground: TableGround,
    near: Point,
    r: int,
    discs: Sequence[Disc],
    clear_of: Sequence[Disc] = (),
    suits: Callable[[Point], bool] | None = None,
    reach: int | None = None,
) -> Point | None:
    places = nearest_free_places(ground, near, r, discs, clear_of, suits, reach)
    return places[0] if places else None


def contact_places(
    ground: TableGround,
    target: Disc,
    r: int,
    start: Point,
    discs: Sequence[Disc],
    suits: Callable[[Point], bool] | None = None,
    clear_of: Sequence[Disc] = (),
) -> tuple[Point, ...]:
    """Return free places for a base in contact with a disc, the nearest to a start first.

    The place straight towards the start comes first if it is free. After these come the nearest places in 64 directions
    around the target, and the corners: places that also touch another disc, terrain or the table's edge. Every gap
    between neighbours therefore has a place in it, however narrow the gap is.

    For places at a gap, add the gap to the target's radius: the resulting places have that gap, or at most `CONTACT`
    more.

    Args:
        ground: The table prepared for queries.
        target: The disc to touch. The target may be among `discs`.
        r: Radius of the base.
        discs: The discs that the base may not overlap.
        suits: A further condition on a place, or None.
        clear_of: Discs that it may neither overlap nor touch.
    """
    tx, ty, _ = target
    options: list[Point] = []
    if start != (tx, ty):
        options.append(contact_point(target, r, (start[0] - tx, start[1] - ty)))
    options.extend(contact_point(target, r, d) for d in directions(64))
    options.extend(_nestled(target, r, [(x, y, s + 1) for x, y, s in discs]))
    options.extend(_nestled(target, r, [(x, y, s + CONTACT + 2) for x, y, s in clear_of]))
    options.extend(_cornered(ground, target, r))
    reach = target[2] + r + CONTACT
    room = _Room(ground, (tx, ty), r, discs, clear_of, suits)
    places: list[Point] = []
    for p in sorted(options, key=lambda q: (distance_sq(q, start), q)):
        disc = (p[0], p[1], r)
        if (
            (not places or places[-1] != p)
            and gap_within(disc, target, CONTACT)
            and not overlapping(disc, target)
            and room.is_free(p, reach)
        ):
            places.append(p)
    return tuple(places)


def _nestled(target: Disc, r: int, discs: Sequence[Disc]) -> list[Point]:
    """Return the places that touch a disc and also just touch one of its neighbours: two for each neighbour."""
    tx, ty, tr = target
    places: list[Point] = []
    one = tr + r + 1
    for x, y, s in discs:
        dx, dy = x - tx, y - ty
        square = dx * dx + dy * dy
        two = s + r + 1
        if square == 0 or square >= (one + two) * (one + two):
            continue
        # Intersections of the circles of centres around `one` and `two`: first the part along the line of centres, then
        # the perpendicular part.
        along = square + one * one - two * two
        across = 4 * square * one * one - along * along
        if across < 0:
            continue
        from_root = isqrt(across)
        for sign in (1, -1):
            places.append(
                contact_point(target, r, (dx * along - sign * dy * from_root, dy * along + sign * dx * from_root))
            )
    return places


def _cornered(ground: TableGround, target: Disc, r: int) -> list[Point]:
    """Return the places that touch a disc and also just touch impassable terrain or the table's edge beside it."""
    tx, ty, tr = target
    one = tr + r + 1
    box = (tx - one - r - 2, ty - one - r - 2, tx + one + r + 2, ty + one + r + 2)
    x0, y0, x1, y1 = ground.box
    sides: list[tuple[Point, Point]] = []
    if box[0] < x0 or box[1] < y0 or box[2] > x1 or box[3] > y1:
        sides += [((x0, y0), (x1, y0)), ((x1, y0), (x1, y1)), ((x1, y1), (x0, y1)), ((x0, y1), (x0, y0))]
    rounded: list[Disc] = []
    for piece in ground.solid_pieces:
        if not boxes_within(piece.box, box, 0):
            continue
        if not piece.polygon:
            rounded.append((piece.circle[0], piece.circle[1], piece.circle[2] + 1))
            continue
        ring = piece.polygon
        sides += [(ring[n - 1], ring[n]) for n in range(len(ring))]
        rounded += [(x, y, 1) for x, y in ring]
    places = _nestled(target, r, rounded)
    for (ax, ay), (bx, by) in sides:
        dx, dy = bx - ax, by - ay
        length = isqrt(dx * dx + dy * dy)
        if length == 0:
            continue
        # Signed distance of the line from the target (positive on its left), times the length of the line.
        off = dx * (ay - ty) - dy * (ax - tx)
        for side in (r + 2, -r - 2):
            along = off + side * length
            across = (one * length) ** 2 - along * along
            if across < 0:
                continue
            root = isqrt(across)
            for sign in (root, -root):
                towards = ((-dy * along + dx * sign) // length, (dx * along + dy * sign) // length)
                if towards != (0, 0):
                    places.append(contact_point(target, r, towards))
    return places


def contact_place(
    ground: TableGround,
    target: Disc,
    r: int,
    start: Point,
    discs: Sequence[Disc],
    suits: Callable[[Point], bool] | None = None,
) -> Point | None:
    """Return the free place in contact with a disc that is nearest to a start, or None; see `contact_places`."""
    places = contact_places(ground, target, r, start, discs, suits)
    return places[0] if places else None


def contact_places_of(
    ground: TableGround, target: Body, r: int, start: Point, discs: Sequence[Disc]
) -> tuple[Point, ...]:
    """Return free places for a base in contact with a body of any form, the nearest to a start first.

    For a disc this is `contact_places`. For a hull, places straight towards the start and in 64 directions from its
    middle are tried.

    Args:
        ground: The table prepared for queries, with all hulls that block, including the target
            (`TableGround.with_solid`).
        r: Radius of the base.
        discs: The discs that the base may not overlap.
    """
    if not isinstance(target, Hull):
        return contact_places(ground, target, r, start, discs)
    centre = (target.x, target.y)
    towards = [(start[0] - target.x, start[1] - target.y), *directions(64)]
    places: set[Point] = set()
    for direction in towards:
        if direction == (0, 0):
            continue
        # Along a line outward from the middle of a convex body the gap only grows.
        inside, outside = 0, disc_around(target)[2] + r + CONTACT
        while outside - inside > 1:
            half = (inside + outside) // 2
            if overlap((*point_along(centre, direction, half), r), target):
                inside = half
            else:
                outside = half
        place = point_along(centre, direction, outside)
        disc = (*place, r)
        if in_touch(disc, target) and not overlap(disc, target) and stands(ground, disc, discs):
            places.add(place)
    return tuple(sorted(places, key=lambda p: (distance_sq(p, start), p)))
