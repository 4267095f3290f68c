"""Find and check paths of bases across a table: obstacles, paths around them, and the terrain along them.

A base may not overlap impassable terrain or the discs that the caller names, and may not leave the table. Touching and
sliding along are legal. A mover that *crosses* passes over terrain and discs, and only its end is tested. `path_fault`
alone decides what is legal, and every proposed path has passed it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import isqrt
from typing import Literal, NamedTuple, TypeVar

from caltrop.geometry import (
    Box,
    Disc,
    Point,
    Polygon,
    boxes_within,
    disc_box,
    disc_inside,
    distance_sq,
    distance_up,
    overlapping,
    point_along,
    points_box,
    polygon_side,
    ring_around,
    segment_enters,
    sweep_overlaps_disc,
    tangent_points,
)
from caltrop.table.measured.corridor import CorridorPiece, overlaps_piece, sweeps_piece
from caltrop.table.measured.costs import cut_to, extra, spent
from caltrop.table.measured.terrain import Slow, TableGround

FaultKind = Literal["table", "terrain", "disc"]

_Met = TypeVar("_Met")


class PathFault(NamedTuple):
    """The place and the reason at which a path becomes illegal."""

    segment: int
    """The index of the first illegal segment, from 0; 0 also if the start itself is illegal."""
    stop: Point
    """The last legal point on the grid before the fault (the start of the path if there is none)."""
    kind: FaultKind
    """Kind of obstacle: the table's edge, impassable terrain or a disc."""
    terrain: str | None
    """The id of the terrain in the way, or None."""
    disc: int | None
    """The index of the disc in the way, or None."""


class Obstacle(NamedTuple):
    """The obstacle on a base's path."""

    kind: FaultKind
    """The table's edge, impassable terrain or a disc."""
    terrain: str | None
    """The id of the terrain, or None."""
    disc: int | None
    """The index of the disc, or None."""


_EDGE = Obstacle("table", None, None)


def _culprit(
    box: Box, a: Point, b: Point, r: int, pieces: Sequence[CorridorPiece], discs: Sequence[tuple[int, Disc]]
) -> Obstacle | None:
    """Return the first obstacle that a base overlaps when it moves straight from a to b; *box* is the table."""
    x0, y0, x1, y1 = box
    ax, ay = a
    bx, by = b
    if ax - r < x0 or ay - r < y0 or ax + r > x1 or ay + r > y1:
        return _EDGE
    if bx - r < x0 or by - r < y0 or bx + r > x1 or by + r > y1:
        return _EDGE
    for piece in pieces:
        if sweeps_piece(piece, a, b, r):
            return Obstacle("terrain", piece.id, None)
    # `sweep_overlaps_disc` is inlined here for speed: this is the most frequent query.
    dx = bx - ax
    dy = by - ay
    square = dx * dx + dy * dy
    for index, (x, y, s) in discs:
        reach = (r + s) * (r + s)
        px = x - ax
        py = y - ay
        along = dx * px + dy * py
        if along <= 0:
            met = px * px + py * py < reach
        elif along >= square:
            met = (px - dx) * (px - dx) + (py - dy) * (py - dy) < reach
        else:
            across = dx * py - dy * px
            met = across * across < reach * square
        if met:
            return Obstacle("disc", None, index)
    return None


def what_is_near(
    ground: TableGround, points: Sequence[Point], r: int, discs: Sequence[Disc]
) -> tuple[list[CorridorPiece], list[tuple[int, Disc]]]:
    """Return the impassable pieces and numbered discs that a base may overlap at, or moving between, some points."""
    x0, y0, x1, y1 = points_box(points)
    box = (x0 - r, y0 - r, x1 + r, y1 + r)
    pieces = [piece for piece in ground.solid_pieces if boxes_within(piece.box, box, 0)]
    left, low, right, high = box
    near_discs: list[tuple[int, Disc]] = []
    for index, disc in enumerate(discs):
        x, y, s = disc
        if x + s > left and x - s < right and y + s > low and y - s < high:
            near_discs.append((index, disc))
    return pieces, near_discs


def place_fault(ground: TableGround, disc: Disc, discs: Sequence[Disc]) -> PathFault | None:
    """Return why a base may not stand in a place: off the table, on impassable terrain or on one of some discs.

    Args:
        ground: The table made ready.
        discs: The discs that the base may not overlap.

    Returns:
        The fault, whose `stop` is the place itself, or None if the base may stand there.
    """
    p = (disc[0], disc[1])
    pieces, near_discs = what_is_near(ground, (p,), disc[2], discs)
    culprit = _culprit(ground.box, p, p, disc[2], pieces, near_discs)
    return None if culprit is None else PathFault(0, p, *culprit)


def stands(ground: TableGround, disc: Disc, discs: Sequence[Disc]) -> bool:
    """Return whether a base may stand somewhere: on the table, off impassable terrain and off some discs."""
    x, y, r = disc
    x0, y0, x1, y1 = ground.box
    if x - r < x0 or y - r < y0 or x + r > x1 or y + r > y1:
        return False
    for u, v, s in discs:
        if (x - u) * (x - u) + (y - v) * (y - v) < (r + s) * (r + s):
            return False
    for piece in ground.solid_pieces:  # noqa: SIM110  loops are what is fast here
        if overlaps_piece(piece, disc):
            return False
    return True


def first_overlap(discs: Sequence[Disc]) -> tuple[int, int] | None:
    for i, disc in enumerate(discs):
        for j in range(i):
            if overlapping(disc, discs[j]):
                return (j, i)
    return None


def path_fault(
    ground: TableGround, path: Sequence[Point], r: int, discs: Sequence[Disc], crosses: bool = False
) -> PathFault | None:
    """Return the first illegal place along a path, or None if the whole path is legal.

    Args:
        ground: The table prepared for queries.
        path: The polyline of the base's centre, its start first.
        r: Radius of the base.
        discs: The discs of other units. The caller leaves out the base's own unit, which does not block.
        crosses: True if the mover passes over impassable terrain and discs. A crossing mover is tested only at the end
            of its path.

    Raises:
        ValueError: The path has no point.
    """
    if not path:
        raise ValueError("a path needs at least its start")
    if crosses:
        return _crossing_fault(ground, path, r, discs)
    pieces, near_discs = what_is_near(ground, path, r, discs)
    start = path[0]
    culprit = _culprit(ground.box, start, start, r, pieces, near_discs)
    if culprit is not None:
        return PathFault(0, start, *culprit)
    for index in range(len(path) - 1):
        a = path[index]
        b = path[index + 1]
        if _culprit(ground.box, a, b, r, pieces, near_discs) is None:
            continue
        stop, culprit = _cut(ground, a, b, r, pieces, near_discs)
        return PathFault(index, stop, *culprit)
    return None


FINER = 64
"""Number of parts of a tenth of a millimetre in which a leg is cut."""


def _cut(
    ground: TableGround, a: Point, b: Point, r: int, pieces: Sequence[CorridorPiece], discs: Sequence[tuple[int, Disc]]
) -> tuple[Point, Obstacle]:
    parts = parts_of_leg(a, b)
    x0, y0, x1, y1 = ground.box
    # Only obstacles on the whole leg can stop the base. The finer grid contains the end of every part of the leg.
    large = (x0 * parts, y0 * parts, x1 * parts, y1 * parts)
    stopping = [enlarged(piece, parts) for piece in pieces if sweeps_piece(piece, a, b, r)]
    others = [
        (index, (x * parts, y * parts, s * parts)) for index, (x, y, s) in discs if segment_enters(a, b, (x, y), r + s)
    ]
    start = (a[0] * parts, a[1] * parts)
    stop, culprit = cut_leg(
        a,
        b,
        lambda end: _culprit(large, start, end, r * parts, stopping, others),
        lambda end: _culprit(ground.box, a, end, r, pieces, discs) is None,
    )
    return stop, culprit or _culprit(ground.box, a, b, r, pieces, discs) or _EDGE


def parts_of_leg(a: Point, b: Point) -> int:
    """Return the number of parts of a leg; the finer grid has that many steps for each step of the table's grid."""
    return distance_up(a, b) * FINER


def cut_leg(
    a: Point, b: Point, met: Callable[[Point], _Met | None], may_go: Callable[[Point], bool]
) -> tuple[Point, _Met | None]:
    """Return the place at which an obstacle stops a leg, and the obstacle.

    The leg is cut with much more precision than the grid. An obstacle that the leg only touches therefore does not stop
    the base, even if a leg to a rounded place would overlap the obstacle.

    Args:
        b: Intended end of the leg.
        met: Returns the obstacle on the leg up to a place on a grid that is finer by `parts_of_leg`.
        may_go: Returns whether the mover may go straight from the start to a place on the table's grid.

    Returns:
        The place on the grid at which it stops, and the obstacle; None if only the whole leg fails.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    parts = parts_of_leg(a, b)
    start = (a[0] * parts, a[1] * parts)
    free, fails = 0, parts
    culprit: _Met | None = None
    while fails - free > 1:
        middle = (free + fails) // 2
        obstacle = met((start[0] + dx * middle, start[1] + dy * middle))
        if obstacle is None:
            free = middle
        else:
            fails, culprit = middle, obstacle
    # Choose the legal place on the grid that is nearest to the end of that part, or a little short of it.
    step = FINER
    while free > 0:
        ex, ey = dx * free, dy * free
        left, low = a[0] + ex // parts, a[1] + ey // parts
        around = [
            ((u * parts - start[0] - ex) ** 2 + (v * parts - start[1] - ey) ** 2, (u, v))
            for u in (left, left + 1)
            for v in (low, low + 1)
        ]
        for _, p in sorted(around):
            if may_go(p):
                return p, culprit
        free -= step
        # In a gap of exactly its own width, hardly any place on the grid lies on the leg.
        step += step // 16
    return a, culprit


def enlarged(piece: CorridorPiece, scale: int) -> CorridorPiece:
    left, low, right, high = piece.box
    x, y, r = piece.circle
    return piece._replace(
        box=(left * scale, low * scale, right * scale, high * scale),
        circle=(x * scale, y * scale, r * scale),
        polygon=tuple([(u * scale, v * scale) for u, v in piece.polygon]),
    )


def is_open(ground: TableGround, box: Box) -> bool:
    """Return whether a box is on the table and far from impassable terrain, so that only discs can stop a base in
    it.
    """
    x0, y0, x1, y1 = ground.box
    if not (box[0] >= x0 and box[1] >= y0 and box[2] <= x1 and box[3] <= y1):
        return False
    for piece in ground.solid_pieces:  # noqa: SIM110  a loop is what is fast here
        if boxes_within(piece.box, box, 0):
            return False
    return True


def first_obstacle(
    ground: TableGround, path: Sequence[Point], r: int, discs: Sequence[Disc], crosses: bool = False
) -> Obstacle | None:
    """Return the obstacle that makes a path illegal. The function is much faster than `path_fault`, which also finds
    the place of the fault.

    The result is None exactly if `path_fault` is None. If several obstacles block one segment, the two functions may
    name different ones.

    Args:
        ground: The table made ready.
        path: The polyline of the base's centre, its start first.
        r: Radius of the base.
        crosses: True if the mover passes over impassable terrain and discs, and must only end clear of them.
    """
    if not crosses:
        pieces, near_discs = what_is_near(ground, path, r, discs)
        if len(path) == 1:
            return _culprit(ground.box, path[0], path[0], r, pieces, near_discs)
        for index in range(len(path) - 1):
            culprit = _culprit(ground.box, path[index], path[index + 1], r, pieces, near_discs)
            if culprit is not None:
                return culprit
        return None
    for x, y in path:
        if not disc_inside((x, y, r), ground.box):
            return _EDGE
    end = path[-1]
    pieces, near_discs = what_is_near(ground, (end,), r, discs)
    return _culprit(ground.box, end, end, r, pieces, near_discs)


def _crossing_fault(ground: TableGround, path: Sequence[Point], r: int, discs: Sequence[Disc]) -> PathFault | None:
    """Return the fault of a path whose mover passes over everything except the table's edge, and must end on free
    ground.
    """
    if len(path) == 1:
        return place_fault(ground, (path[0][0], path[0][1], r), discs)
    pieces, near_discs = what_is_near(ground, path, r, discs)
    wrong: tuple[int, Obstacle] | None = None
    if not disc_inside((path[0][0], path[0][1], r), ground.box):
        return PathFault(0, path[0], *_EDGE)
    for index in range(1, len(path)):
        if not disc_inside((path[index][0], path[index][1], r), ground.box):
            wrong = (index - 1, _EDGE)
            break
    if wrong is None:
        end = path[-1]
        culprit = _culprit(ground.box, end, end, r, pieces, near_discs)
        if culprit is None:
            return None
        wrong = (len(path) - 2, culprit)
    # Go back along the path to the last legal end.
    for index in range(wrong[0], -1, -1):
        a = path[index]
        b = path[index + 1]
        direction = (b[0] - a[0], b[1] - a[1])
        for length in range(distance_up(a, b), -1, -1):
            stop = point_along(a, direction, length)
            if _culprit(ground.box, stop, stop, r, pieces, near_discs) is None:
                return PathFault(index, stop, *wrong[1])
    return PathFault(0, path[0], *wrong[1])


def legal_prefix(path: Sequence[Point], fault: PathFault | None) -> tuple[Point, ...]:
    """Return the part of a path up to its fault: the corners before the fault and the last legal point."""
    if fault is None:
        return tuple(path)
    prefix = tuple(path[: fault.segment + 1])
    return prefix if prefix[-1] == fault.stop else (*prefix, fault.stop)


def cut_path(
    ground: TableGround, path: Sequence[Point], r: int, discs: Sequence[Disc], limit: int, crosses: bool = False
) -> tuple[Point, ...]:
    """Return the longest legal beginning of a path up to the length `limit`, such as a person's drag.

    Raises:
        ValueError: The path has no point.
    """
    for left in range(max(limit, 0), -1, -1):
        prefix = cut_to(ground, path, left)
        prefix = legal_prefix(prefix, path_fault(ground, prefix, r, discs, crosses))
        # The stop before a fault is rounded too, and may lie a tenth of a millimetre beyond the limit.
        if spent(ground, prefix) <= limit:
            return prefix
    return tuple(path[:1])


def terrain_along(ground: TableGround, path: Sequence[Point], r: int) -> tuple[str, ...]:
    """Return the ids of the terrain that a base overlaps anywhere on its path, start and end included.

    Sliding along the edge of a piece does not count. The ids are in the table's order.

    Args:
        ground: The table made ready.
        path: The polyline of the base's centre, with at least its start.
        r: Radius of the base.
    """
    x0, y0, x1, y1 = points_box(path)
    box = (x0 - r, y0 - r, x1 + r, y1 + r)
    touched: list[str] = []
    for piece in ground.pieces:
        if boxes_within(piece.box, box, 0):
            if len(path) == 1:
                if sweeps_piece(piece, path[0], path[0], r):
                    touched.append(piece.id)
            elif any(sweeps_piece(piece, path[i], path[i + 1], r) for i in range(len(path) - 1)):
                touched.append(piece.id)
    return tuple(touched)


def way(
    ground: TableGround,
    start: Point,
    goal: Point,
    r: int,
    discs: Sequence[Disc],
    crosses: bool = False,
    limit: int | None = None,
) -> tuple[Point, ...] | None:
    """Return a short legal path from one place to another, around obstacles.

    The path is the straight line if that is legal. Otherwise it is the shortest path over sixteen points around each
    obstacle that matters (a disc, or a corner of impassable terrain). It is at most a few percent longer than the
    optimum. On ground with prices (`TableGround.for_mover`) the path is the cheapest over these points and points
    around slow pieces, or straight through slow pieces if that is cheaper. A mover that crosses pays only the length.

    Args:
        ground: The table prepared for queries.
        start: The place of the base's centre.
        r: Radius of the base.
        crosses: True if the base passes over impassable terrain and discs.
        limit: The greatest length, or cost if the ground has prices for this mover; None for any.

    Returns:
        The path, start and goal included (one point if they are the same), or None if no path was found.
    """
    if limit is not None and (limit < 0 or distance_sq(start, goal) > limit * limit):
        return None
    if start == goal:
        return (start,) if place_fault(ground, (start[0], start[1], r), discs) is None else None
    if not stands(ground, (goal[0], goal[1], r), discs):
        return None
    if first_obstacle(ground, (start, goal), r, discs, crosses) is None and (
        crosses or not ground.slow_pieces or not extra(start, goal, ground.slow_pieces)
    ):
        return (start, goal)
    if crosses or not stands(ground, (start[0], start[1], r), discs):
        return None
    kind = PricedSearch if ground.slow_pieces else WaySearch
    path = kind(ground, start, goal, r, discs, limit).find()
    return path[0] if path else None


def nearest_of(
    ground: TableGround, start: Point, r: int, goals: Sequence[Point], discs: Sequence[Disc], limit: int | None = None
) -> tuple[Point, ...] | None:
    """Return the shortest path by `way` to any of some places; None if none is within the limit.

    Args:
        ground: The table prepared for queries.
        start: The place of the base's centre.
        r: Radius of the base.
        goals: The places. The nearest places are tried first, and places farther away than the best path's length are
            skipped.
        limit: The greatest length; None for any.
    """
    best: tuple[Point, ...] | None = None
    for goal in sorted(goals, key=lambda p: (distance_sq(p, start), p)):
        if limit is not None and distance_up(start, goal) > limit:
            break
        candidate = way(ground, start, goal, r, discs, limit=limit)
        if candidate is not None:
            best, limit = candidate, spent(ground, candidate) - 1
    return best


class Surroundings(NamedTuple):
    """The obstacles to a base within reach of a place, for code that tries paths elsewhere, such as the page."""

    box: Box
    """Area for the centre of the base."""
    solid: tuple[tuple[str, Polygon | Disc], ...]
    """The impassable terrain: each piece's id with its polygon or circle."""
    discs: tuple[tuple[int, Disc], ...]
    """The discs of other units, each with its index in the argument."""
    corners: tuple[Point, ...]
    """Points through which the base may go around these obstacles."""


def surroundings(ground: TableGround, start: Point, r: int, reach: int, discs: Sequence[Disc]) -> Surroundings:
    """Return the obstacles to a base that moves at most *reach* from a place.

    Args:
        ground: The table prepared for queries.
        start: The place of the base's centre.
        r: Radius of the base.
        reach: Largest distance.
    """
    corners = ((start[0] - reach, start[1] - reach), (start[0] + reach, start[1] + reach))
    pieces, near_discs = what_is_near(ground, corners, r, discs)
    x0, y0, x1, y1 = ground.box
    around: list[Point] = []
    grown = ground.corners(r)
    for number, piece in enumerate(ground.solid_pieces):
        if piece in pieces:
            around.extend(grown[number])
    for _, (x, y, s) in near_discs:
        around.extend(ring_around((x, y), r + s))
    return Surroundings(
        (x0 + r, y0 + r, x1 - r, y1 - r),
        tuple((piece.id, piece.polygon or piece.circle) for piece in pieces),
        tuple(near_discs),
        tuple(
            p
            for p in dict.fromkeys(around)
            if distance_sq(p, start) <= reach * reach and stands(ground, (*p, r), discs)
        ),
    )


class WaySearch:
    """A path search that adds obstacles only when a path meets them; its result is the same as with all obstacles.

    The graph has the corners of the obstacles met so far, and its legs are tested against these obstacles alone. A
    corner is used unless an obstacle met so far covers it. The shortest path in the graph is tested against all
    obstacles; those in its way are added, and the search is repeated. Once a path passes this test, every other
    obstacle with a corner on a possibly shorter path is added too.

    The goal is a place or, with a *rim*, any place at that distance from it. The last leg of the path then leads
    straight towards the goal and ends at the rim.
    """

    def __init__(
        self,
        ground: TableGround,
        start: Point,
        goal: Point,
        r: int,
        discs: Sequence[Disc],
        limit: int | None = None,
        rim: int = 0,
    ) -> None:
        self.ground = ground
        self.r = r
        self.limit = limit
        self.rim = rim
        self.discs = discs
        self.met: list[bool] = [False] * (len(ground.solid_pieces) + len(discs))
        self.obstacles: list[tuple[Box, Disc, CorridorPiece | None]] = []
        """Obstacles met so far, each with its box, as a disc or as a piece with corners."""
        direct = distance_up(start, goal)
        self.nodes: list[Point] = [goal, start]
        self.ahead: list[int] = [0, direct]
        """For each node, a lower bound of its distance to the goal."""
        self.round: list[int] = [direct, direct]
        """For each node, a lower bound of the length of a path through it."""
        self.covered: list[bool] = [False, False]
        """For each node, true if an obstacle met so far covers it."""
        self.blocked: list[set[int]] = [set(), set()]
        """For each node, the nodes to which the straight leg is blocked."""
        self.tested: dict[tuple[int, int], int] = {}
        """For each leg, the number of obstacles, in order of discovery, that are known not to block it."""
        self.walls: list[tuple[tuple[Box, Disc, CorridorPiece | None], ...]] = [(), ()]
        """For each node, the last obstacle that blocked a leg from it, which is likely to block others."""
        self.points: dict[int, Sequence[Point]] = {}
        """The points around obstacles that were asked for, by number."""
        self.least = direct
        """Length of the shortest path of the last search."""

    def find(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """Return a list with the shortest path; empty without a path.

        Args:
            slack: If at least 0, also return every other path that is at most this much longer and separated from the
                shorter ones by an obstacle.
        """
        # Other paths are searched for once the shortest length is known, so that much longer paths can be skipped.
        allowed = -1
        while True:
            looked_for = allowed
            paths = self.search(looked_for)
            numbers = list(dict.fromkeys([number for path in paths for number in self.culprits(path)]))
            if paths and not numbers:
                self.limit, allowed = self.least + max(slack, 0), slack
            if not numbers and self.limit is not None:
                numbers = self.overlooked(self.limit if slack >= 0 or not paths else self.limit - 1)
            if not numbers and (looked_for == slack or not paths):
                return paths
            for number in numbers:
                self.meet(number)

    def add(self, points: Sequence[Point]) -> None:
        """Add places to the graph, except places covered by a known obstacle and places too far away to help."""
        goal, start = self.nodes[0], self.nodes[1]
        for p in points:
            ahead = distance_up(p, goal)
            shortest = distance_up(start, p) + ahead
            if (self.limit is None or shortest <= self.limit) and not self.is_covered(p, self.obstacles):
                self.nodes.append(p)
                self.ahead.append(ahead)
                self.round.append(shortest)
                self.covered.append(False)
                self.blocked.append(set())
                self.walls.append(())

    def is_covered(self, p: Point, obstacles: Sequence[tuple[Box, Disc, CorridorPiece | None]]) -> bool:
        """Return whether the base would overlap one of some obstacles at a place."""
        x, y = p
        r = self.r
        for (left, low, right, high), (u, v, s), piece in obstacles:
            if x + r > left and x - r < right and y + r > low and y - r < high:
                if piece is not None:
                    if overlaps_piece(piece, (x, y, r)):
                        return True
                elif (x - u) * (x - u) + (y - v) * (y - v) < (r + s) * (r + s):
                    return True
        return False

    def arrival(self, node: int) -> Point:
        """Return the end of the last leg from a node: the goal, or the point where the leg meets the rim."""
        goal, at = self.nodes[0], self.nodes[node]
        if not self.rim:
            return goal
        if distance_sq(at, goal) <= (self.rim + 1) * (self.rim + 1):
            return at
        return point_along(goal, (at[0] - goal[0], at[1] - goal[1]), self.rim)

    def way_over(self, path: Sequence[int]) -> tuple[Point, ...]:
        """Return the points of a path through the nodes, ending at the goal."""
        end = self.arrival(path[-2])
        points = [self.nodes[node] for node in path[:-1]]
        return tuple(points) if points[-1] == end else (*points, end)

    def culprits(self, path: Sequence[Point]) -> list[int]:
        """Return the numbers of all obstacles that block a path; pieces are numbered first, then discs."""
        r = self.r
        left, low, right, high = points_box(path)
        box = (left - r, low - r, right + r, high + r)
        numbers: list[int] = []
        for number, piece in enumerate(self.ground.solid_pieces):
            if boxes_within(piece.box, box, 0) and any(sweeps_piece(piece, a, b, r) for a, b in pairwise(path)):
                numbers.append(number)
        for number, disc in enumerate(self.discs, len(self.ground.solid_pieces)):
            x, y, s = disc
            near = x + s > box[0] and x - s < box[2] and y + s > box[1] and y - s < box[3]
            if near and any(sweep_overlaps_disc(a, b, r, disc) for a, b in pairwise(path)):
                numbers.append(number)
        return numbers

    def overlooked(self, longest: int) -> list[int]:
        """Return the numbers of the obstacles not met yet that have a corner on a path within a length."""
        goal, start = self.nodes[0], self.nodes[1]
        pieces = self.ground.solid_pieces
        count = len(pieces)
        numbers: list[int] = []
        for number in range(count + len(self.discs)):
            if self.met[number]:
                continue
            x, y, wide = pieces[number].circle if number < count else self.discs[number - count]
            # No corner of a polygon or a circle is farther out than this.
            out = wide + self.r + self.r // 50 + 8 + (0 if number < count and pieces[number].polygon else wide // 50)
            if distance_up(start, (x, y)) + distance_up((x, y), goal) - 2 * out <= longest:
                for p in self.corners(number):
                    if distance_up(start, p) + distance_up(p, goal) <= longest and stands(
                        self.ground, (p[0], p[1], self.r), self.discs
                    ):
                        numbers.append(number)
                        break
        return numbers

    def corners(self, number: int) -> Sequence[Point]:
        """Return the points on the table through which the base goes around an obstacle; other obstacles may cover
        them.
        """
        if number not in self.points:
            self.points[number] = self._points_around(number)
        return self.points[number]

    def _points_around(self, number: int) -> Sequence[Point]:
        pieces = self.ground.solid_pieces
        if number < len(pieces) and pieces[number].polygon:
            return self.ground.corners(self.r)[number]
        # Round terrain is treated like the disc of a base.
        x, y, s = pieces[number].circle if number < len(pieces) else self.discs[number - len(pieces)]
        r = self.r
        x0, y0, x1, y1 = self.ground.box
        return [
            (u, v)
            for u, v in (
                *ring_around((x, y), s + r),
                *tangent_points(self.nodes[1], (x, y), s + r),
                *tangent_points(self.nodes[0], (x, y), s + r),
            )
            if x0 + r <= u <= x1 - r and y0 + r <= v <= y1 - r
        ]

    def meet(self, number: int) -> None:
        """Add an obstacle to the graph."""
        assert not self.met[number]
        self.met[number] = True
        count = len(self.ground.solid_pieces)
        piece = self.ground.solid_pieces[number] if number < count else None
        disc = self.discs[number - count] if piece is None else piece.circle
        if piece is not None and not piece.polygon:
            piece = None
        obstacle = (disc_box(disc) if piece is None else piece.box, disc, piece)
        for node in range(2, len(self.nodes)):
            if not self.covered[node]:
                self.covered[node] = self.is_covered(self.nodes[node], (obstacle,))
        self.obstacles.append(obstacle)
        self.add(self.corners(number))

    def free(self, i: int, j: int) -> bool:
        """Return whether the straight leg between two nodes is free of the obstacles met so far."""
        pair = (i, j) if i < j else (j, i)
        verdict = self.tested.get(pair, -1)
        if verdict == len(self.obstacles):
            return True
        a = self.nodes[pair[0]] if pair[0] else self.arrival(pair[1])
        b = self.nodes[pair[1]]
        r = self.r
        ax, ay = a
        bx, by = b
        left, right = (ax - r, bx + r) if ax < bx else (bx - r, ax + r)
        low, high = (ay - r, by + r) if ay < by else (by - r, ay + r)
        if verdict < 0:
            x0, y0, x1, y1 = self.ground.box
            if left < x0 or low < y0 or right > x1 or high > y1:
                return self._block(i, j)
            verdict = 0
        for obstacle in (*self.walls[i], *self.obstacles[verdict:]):
            (u0, v0, u1, v1), (x, y, s), piece = obstacle
            if not (u1 > left and u0 < right and v1 > low and v0 < high):
                continue
            if segment_enters(a, b, (x, y), r + s) if piece is None else sweeps_piece(piece, a, b, r):
                self.walls[i] = (obstacle,)
                return self._block(i, j)
        self.tested[pair] = len(self.obstacles)
        return True

    def _block(self, i: int, j: int) -> bool:
        """Record that the straight leg between two nodes is blocked; later obstacles cannot change that."""
        self.blocked[i].add(j)
        self.blocked[j].add(i)
        return False

    def search(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """Return the shortest path through the nodes, or several; see `find`. A leg is tested only when it is about to
        be used.

        A node is reached once. With a slack, a node is reached once on each side of the obstacles.
        """
        nodes, ahead, limit = self.nodes, self.ahead, self.limit
        live = [n for n in range(len(nodes)) if not self.covered[n] and (limit is None or self.round[n] <= limit)]
        reached: list[list[tuple[int, ...]]] = [[] for _ in nodes]
        lowest = [0] * len(nodes)
        heap: list[tuple[int, int, int, int, tuple[int, ...]]] = [(ahead[1], 0, 1, 1, ())]
        while heap:
            total, done, node, origin, before = heappop(heap)
            if limit is not None and total > limit:
                break
            ways = reached[node]
            if ways and (slack < 0 or done > lowest[node] + slack):
                continue
            if node != origin and not self.free(origin, node):
                continue
            here = (*before, node)
            if not ways:
                lowest[node] = done
            elif not all(self.apart(here, way) for way in ways):
                continue
            ways.append(here)
            if node == 0:
                self.least = lowest[0]
                if slack < 0:
                    break
                limit = lowest[0] + slack
                continue
            hx, hy = nodes[node]
            blocked = self.blocked[node]
            for other in live:
                if other in blocked:
                    continue
                if reached[other] and (slack < 0 or other == node):
                    continue
                x, y = nodes[other]
                # `distance_up` is inlined here: this is the innermost loop of every search.
                square = (x - hx) * (x - hx) + (y - hy) * (y - hy)
                root = isqrt(square)
                cost = done + root if root * root == square else done + root + 1
                total = cost + ahead[other]
                if limit is not None and total > limit:
                    continue
                if reached[other] and lowest[other] + slack < cost:
                    continue
                heappush(heap, (total, cost, other, node, here))
        return [self.way_over(path) for path in reached[0]]

    def apart(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Return whether an obstacle met so far separates two paths through the nodes to the same end."""
        ring = [self.nodes[node] for node in (*one, *reversed(other))]
        return any(
            polygon_side((disc[0], disc[1]) if piece is None else piece.polygon[0], ring) > 0
            for _, disc, piece in self.obstacles
        )


class PricedSearch(WaySearch):
    """A search on ground with prices: the cheapest path over points around obstacles and slow pieces.

    Slow pieces are added like obstacles, when the cheapest known path crosses one. Until a slow piece is added it costs
    nothing, so no cheaper path can be missed.
    """

    def __init__(
        self, ground: TableGround, start: Point, goal: Point, r: int, discs: Sequence[Disc], limit: int | None = None
    ) -> None:
        super().__init__(ground, start, goal, r, discs, limit)
        self.others = len(self.met)
        self.met.extend([False] * len(ground.slow_pieces))
        self.slow: list[Slow] = []
        self.prices: dict[tuple[int, int], int] = {}

    def culprits(self, path: Sequence[Point]) -> list[int]:
        numbers = super().culprits(path)
        for index, slow in enumerate(self.ground.slow_pieces):
            if not self.met[self.others + index] and any(extra(a, b, (slow,)) for a, b in pairwise(path)):
                numbers.append(self.others + index)
        return numbers

    def overlooked(self, longest: int) -> list[int]:
        """Return the obstacles and slow pieces not met yet that have a corner on a path within a cost."""
        goal, start = self.nodes[0], self.nodes[1]
        numbers = super().overlooked(longest)
        for index, slow in enumerate(self.ground.slow_pieces):
            number = self.others + index
            if not self.met[number] and any(
                distance_up(start, p) + distance_up(p, goal) <= longest
                and stands(self.ground, (p[0], p[1], self.r), self.discs)
                for p in points_round(slow, start, goal)
            ):
                numbers.append(number)
        return numbers

    def meet(self, number: int) -> None:
        if number < self.others:
            super().meet(number)
            return
        self.met[number] = True
        slow = self.ground.slow_pieces[number - self.others]
        self.slow.append(slow)
        self.prices.clear()
        x0, y0, x1, y1 = self.ground.box
        r = self.r
        around = points_round(slow, self.nodes[1], self.nodes[0])
        self.add([(x, y) for x, y in around if x0 + r <= x <= x1 - r and y0 + r <= y <= y1 - r])

    def price(self, i: int, j: int) -> int:
        """Return the cost of a straight leg beyond its length, from the slow pieces met so far."""
        price = self.prices.get((i, j))
        if price is None:
            price = self.prices[i, j] = extra(self.nodes[i], self.nodes[j], self.slow) if self.slow else 0
        return price

    def search(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """Return a list with the cheapest path through the nodes; empty without a path. A leg is tested and priced only
        when it is about to be used.
        """
        nodes, ahead, limit = self.nodes, self.ahead, self.limit
        live = [n for n in range(len(nodes)) if not self.covered[n] and (limit is None or self.round[n] <= limit)]
        before: dict[int, int] = {}
        heap: list[tuple[int, int, int, int, bool]] = [(ahead[1], 0, 1, 1, True)]
        while heap:
            total, done, node, origin, priced = heappop(heap)
            if limit is not None and total > limit:
                break
            if node in before:
                continue
            if not priced:
                if not self.free(origin, node):
                    continue
                more = self.price(origin, node)
                if more:
                    heappush(heap, (total + more, done + more, node, origin, True))
                    continue
            before[node] = origin
            if node == 0:
                self.least = done
                path = [0]
                while path[-1] != 1:
                    path.append(before[path[-1]])
                return [self.way_over(path[::-1])]
            blocked = self.blocked[node]
            for other in live:
                if other not in before and other not in blocked:
                    cost = done + distance_up(nodes[node], nodes[other])
                    if limit is None or cost + ahead[other] <= limit:
                        heappush(heap, (cost + ahead[other], cost, other, node, False))
        return []


def points_round(slow: Slow, start: Point, goal: Point) -> list[Point]:
    """Return points through which a base's centre goes around a slow piece: just beside its corners or around its
    circle.
    """
    piece = slow.piece
    if not piece.polygon:
        x, y, r = piece.circle
        centre, reach = (x, y), r + 1
        return [
            *ring_around(centre, reach),
            *tangent_points(start, centre, reach),
            *tangent_points(goal, centre, reach),
        ]
    points: list[Point] = []
    for x, y in piece.polygon:
        beside = [(x + dx, y + dy) for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        points.extend([p for p in beside if polygon_side(p, piece.polygon) < 0])
    return points
