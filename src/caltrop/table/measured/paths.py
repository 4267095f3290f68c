"""Paths of bases across a table: what stops them, the way round, and the terrain on the way.

A base may not overlap impassable terrain or the discs that the caller names, and may not leave the table. Touching and
sliding along are fine. A mover that crosses passes over both on the way and is only tested where it ends. Every way
proposed here has been tested by `path_fault`, which alone decides what is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import isqrt
from typing import Literal, NamedTuple

from caltrop.geometry import (
    Box,
    Disc,
    Point,
    Polygon,
    boxes_within,
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
from caltrop.table.measured.corridor import Piece, overlaps_piece, sweeps_piece
from caltrop.table.measured.costs import cut_to, extra, spent
from caltrop.table.measured.terrain import Ground, Slow

FaultKind = Literal["table", "terrain", "disc"]


class Fault(NamedTuple):
    """Where and why a path is not legal."""

    segment: int
    """The index of the segment in which it first fails, 0 for the first; 0 also if the start itself is not legal."""
    stop: Point
    """The last legal point on the grid before the fault (the start of the path if there is none)."""
    kind: FaultKind
    """What is in the way: the table's edge, impassable terrain or a disc."""
    terrain: str | None
    """The id of the terrain in the way, or None."""
    disc: int | None
    """The index of the disc in the way, or None."""


class Obstacle(NamedTuple):
    """What is in the way."""

    kind: FaultKind
    """The table's edge, impassable terrain or a disc."""
    terrain: str | None
    """The id of the terrain, or None."""
    disc: int | None
    """The index of the disc, or None."""


_EDGE = Obstacle("table", None, None)


def _culprit(
    ground: Ground, a: Point, b: Point, r: int, pieces: Sequence[Piece], discs: Sequence[tuple[int, Disc]]
) -> Obstacle | None:
    """What a base first listed as in the way overlaps when it moves straight from a to b."""
    x0, y0, x1, y1 = ground.box
    ax, ay = a
    bx, by = b
    if ax - r < x0 or ay - r < y0 or ax + r > x1 or ay + r > y1:
        return _EDGE
    if bx - r < x0 or by - r < y0 or bx + r > x1 or by + r > y1:
        return _EDGE
    for piece in pieces:
        if sweeps_piece(piece, a, b, r):
            return Obstacle("terrain", piece.id, None)
    # `sweep_overlaps_disc`, written out: most of what is asked of a table is asked here.
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
    ground: Ground, points: Sequence[Point], r: int, discs: Sequence[Disc]
) -> tuple[list[Piece], list[tuple[int, Disc]]]:
    """The impassable pieces, and the discs with their numbers, that a base at or between some points may overlap."""
    x0, y0, x1, y1 = points_box(points)
    box = (x0 - r, y0 - r, x1 + r, y1 + r)
    pieces = [piece for piece in ground.solid_pieces if boxes_within(piece.box, box, 0)]
    left, low, right, high = box
    found: list[tuple[int, Disc]] = []
    for index, disc in enumerate(discs):
        x, y, s = disc
        if x + s > left and x - s < right and y + s > low and y - s < high:
            found.append((index, disc))
    return pieces, found


def place_fault(ground: Ground, disc: Disc, discs: Sequence[Disc]) -> Fault | None:
    """Why a base may not stand somewhere: off the table, on impassable terrain or on one of some discs.

    Args:
        ground: The table made ready.
        disc: The base at its place.
        discs: The discs that it may not overlap.

    Returns:
        The fault, its `stop` at the place itself, or None if it may stand there.
    """
    p = (disc[0], disc[1])
    pieces, found = what_is_near(ground, (p,), disc[2], discs)
    culprit = _culprit(ground, p, p, disc[2], pieces, found)
    return None if culprit is None else Fault(0, p, *culprit)


def stands(ground: Ground, disc: Disc, discs: Sequence[Disc]) -> bool:
    """Whether a base may stand somewhere: on the table, off impassable terrain and off some discs."""
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
    """The indices of the first two of some discs that overlap, or None."""
    for i, disc in enumerate(discs):
        for j in range(i):
            if overlapping(disc, discs[j]):
                return (j, i)
    return None


def path_fault(
    ground: Ground, path: Sequence[Point], r: int, discs: Sequence[Disc], crosses: bool = False
) -> Fault | None:
    """The first place along a path where a base may not be, or None if the whole path is legal.

    Args:
        ground: The table made ready.
        path: The polyline of the base's centre, its start first.
        r: The base's radius.
        discs: The discs of other units. A base's own unit does not block on the way, and is the caller's to leave out.
        crosses: Whether the mover passes over impassable terrain and discs. Then only its end is tested against them.

    Raises:
        ValueError: The path has no point.
    """
    if not path:
        raise ValueError("a path needs at least its start")
    if crosses:
        return _crossing_fault(ground, path, r, discs)
    pieces, found = what_is_near(ground, path, r, discs)
    start = path[0]
    culprit = _culprit(ground, start, start, r, pieces, found)
    if culprit is not None:
        return Fault(0, start, *culprit)
    for index in range(len(path) - 1):
        a = path[index]
        b = path[index + 1]
        if _culprit(ground, a, b, r, pieces, found) is None:
            continue
        direction = (b[0] - a[0], b[1] - a[1])
        free = 0
        fails = distance_up(a, b) + 1
        while fails - free > 1:
            middle = (free + fails) // 2
            if _culprit(ground, a, point_along(a, direction, middle), r, pieces, found) is None:
                free = middle
            else:
                fails = middle
        stop = point_along(a, direction, free)
        culprit = _culprit(ground, a, point_along(a, direction, fails), r, pieces, found)
        if culprit is None:  # Only the rounding of the very last point differs from the end itself.
            culprit = _culprit(ground, a, b, r, pieces, found)
        assert culprit is not None
        return Fault(index, stop, *culprit)
    return None


def is_open(ground: Ground, box: Box) -> bool:
    """Whether a box lies on the table and has no impassable terrain near: nothing but discs can stop a base in it."""
    x0, y0, x1, y1 = ground.box
    if not (box[0] >= x0 and box[1] >= y0 and box[2] <= x1 and box[3] <= y1):
        return False
    for piece in ground.solid_pieces:  # noqa: SIM110  a loop is what is fast here
        if boxes_within(piece.box, box, 0):
            return False
    return True


def first_obstacle(
    ground: Ground, path: Sequence[Point], r: int, discs: Sequence[Disc], crosses: bool = False
) -> Obstacle | None:
    """What makes a path illegal: `path_fault` without the place, and so in a fraction of its time.

    None exactly where `path_fault` is None. Where several things are in the way of one segment, it may name another.

    Args:
        ground: The table made ready.
        path: The polyline of the base's centre, its start first.
        r: The base's radius.
        discs: The discs of other units.
        crosses: Whether the mover passes over impassable terrain and discs, and must only end clear of them.
    """
    if not crosses:
        pieces, found = what_is_near(ground, path, r, discs)
        if len(path) == 1:
            return _culprit(ground, path[0], path[0], r, pieces, found)
        for index in range(len(path) - 1):
            culprit = _culprit(ground, path[index], path[index + 1], r, pieces, found)
            if culprit is not None:
                return culprit
        return None
    for x, y in path:
        if not disc_inside((x, y, r), ground.box):
            return _EDGE
    end = path[-1]
    pieces, found = what_is_near(ground, (end,), r, discs)
    return _culprit(ground, end, end, r, pieces, found)


def _crossing_fault(ground: Ground, path: Sequence[Point], r: int, discs: Sequence[Disc]) -> Fault | None:
    """The fault of a path whose mover passes over everything but the table's edge, and must end clear."""
    if len(path) == 1:
        return place_fault(ground, (path[0][0], path[0][1], r), discs)
    pieces, found = what_is_near(ground, path, r, discs)
    wrong: tuple[int, Obstacle] | None = None
    if not disc_inside((path[0][0], path[0][1], r), ground.box):
        return Fault(0, path[0], *_EDGE)
    for index in range(1, len(path)):
        if not disc_inside((path[index][0], path[index][1], r), ground.box):
            wrong = (index - 1, _EDGE)
            break
    if wrong is None:
        end = path[-1]
        culprit = _culprit(ground, end, end, r, pieces, found)
        if culprit is None:
            return None
        wrong = (len(path) - 2, culprit)
    # Back along the path to the last place where it may end.
    for index in range(wrong[0], -1, -1):
        a = path[index]
        b = path[index + 1]
        direction = (b[0] - a[0], b[1] - a[1])
        for length in range(distance_up(a, b), -1, -1):
            stop = point_along(a, direction, length)
            if _culprit(ground, stop, stop, r, pieces, found) is None:
                return Fault(index, stop, *wrong[1])
    return Fault(0, path[0], *wrong[1])


def legal_prefix(path: Sequence[Point], fault: Fault | None) -> tuple[Point, ...]:
    """The part of a path up to its fault: the corners before it and its last legal point."""
    if fault is None:
        return tuple(path)
    kept = tuple(path[: fault.segment + 1])
    return kept if kept[-1] == fault.stop else (*kept, fault.stop)


def cut_path(
    ground: Ground, path: Sequence[Point], r: int, discs: Sequence[Disc], limit: int, crosses: bool = False
) -> tuple[Point, ...]:
    """The longest legal beginning of a path of at most `limit`: what a person's drag comes to.

    Raises:
        ValueError: The path has no point.
    """
    for left in range(max(limit, 0), -1, -1):
        kept = cut_to(ground, path, left)
        kept = legal_prefix(kept, path_fault(ground, kept, r, discs, crosses))
        # The stop before a fault is rounded too, and may lie a tenth of a millimetre beyond the limit.
        if spent(ground, kept) <= limit:
            return kept
    return tuple(path[:1])


def terrain_along(ground: Ground, path: Sequence[Point], r: int) -> tuple[str, ...]:
    """The ids of the terrain that a moving base touches anywhere on its path, start and end included.

    A piece is touched if the base's disc overlaps it; sliding along its edge does not count. The ids come in the
    table's order.

    Args:
        ground: The table made ready.
        path: The polyline of the base's centre, at least its start.
        r: The base's radius.
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
    ground: Ground,
    start: Point,
    goal: Point,
    r: int,
    discs: Sequence[Disc],
    crosses: bool = False,
    limit: int | None = None,
) -> tuple[Point, ...] | None:
    """A short legal path from one place to another, round what is in the way.

    The straight line if it is legal. Else the shortest by way of sixteen points round each obstacle that turns out to
    matter (a disc, a corner of impassable terrain); that is at most a few hundredths longer than the shortest of all.
    On ground that has a price (`Ground.for_mover`) it is the cheapest way over these points and those by which the slow
    pieces are gone round, straight through them where that is cheaper; one that crosses pays nothing on the way.

    Args:
        ground: The table made ready.
        start: Where the centre of the base is.
        goal: Where it is to be.
        r: The base's radius.
        discs: The discs of other units.
        crosses: Whether it passes over impassable terrain and discs.
        limit: The greatest length wanted, or cost where the ground has a price for this mover; or None.

    Returns:
        The path, start and goal included (one point if they are the same), or None if there is none found.
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
    found = kind(ground, start, goal, r, discs, limit).find()
    return found[0] if found else None


class Surroundings(NamedTuple):
    """What may stop a base within reach of a place, for those who try out paths elsewhere (a screen, say)."""

    box: Box
    """Where the centre of the base may be."""
    solid: tuple[tuple[str, Polygon | Disc], ...]
    """The ids of the impassable terrain, each with its polygon or its circle."""
    discs: tuple[tuple[int, Disc], ...]
    """The discs of other units, each with its index among those given."""
    corners: tuple[Point, ...]
    """Places by which the base may go round all these."""


def surroundings(ground: Ground, start: Point, r: int, reach: int, discs: Sequence[Disc]) -> Surroundings:
    """What may stop a base that moves at most so far from a place.

    Args:
        ground: The table made ready.
        start: Where the centre of the base is.
        r: The base's radius.
        reach: How far it may move.
        discs: The discs of other units.
    """
    corners = ((start[0] - reach, start[1] - reach), (start[0] + reach, start[1] + reach))
    pieces, found = what_is_near(ground, corners, r, discs)
    x0, y0, x1, y1 = ground.box
    around: list[Point] = []
    grown = ground.corners(r)
    for number, piece in enumerate(ground.solid_pieces):
        if piece in pieces:
            around.extend(grown[number])
    for _, (x, y, s) in found:
        around.extend(ring_around((x, y), r + s))
    return Surroundings(
        (x0 + r, y0 + r, x1 - r, y1 - r),
        tuple((piece.id, piece.polygon or piece.circle) for piece in pieces),
        tuple(found),
        tuple(
            p
            for p in dict.fromkeys(around)
            if distance_sq(p, start) <= reach * reach and stands(ground, (*p, r), discs)
        ),
    )


class WaySearch:
    """A search that learns of obstacles as it runs into them.

    The graph has the corners of the obstacles met so far, and its segments are tested against these alone. The shortest
    path in it is tested against everything; what is in its way joins the obstacles, and the search starts over. A path
    that stands this test is the shortest by the corners of the obstacles met.

    The goal is a place, or, with a *rim*, any place at that distance from it: then the last leg of a way leads straight
    towards the goal and ends at the rim.
    """

    def __init__(
        self,
        ground: Ground,
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
        self.nodes: list[Point] = [goal, start]
        self.pieces: list[Piece] = []
        self.near_discs: list[Disc] = []
        self.met: list[bool] = [False] * (len(ground.solid_pieces) + len(discs))
        self.order = {piece.id: index for index, piece in enumerate(ground.solid_pieces)}
        self.tested: dict[tuple[int, int], bool] = {}

    def find(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """The shortest way, or none.

        Args:
            slack: From 0 on also every other way that is at most so much longer and has an obstacle between itself and
                those that are as short.
        """
        while paths := self.search(slack):
            culprits = dict.fromkeys(culprit for path in paths for culprit in self.culprits(path))
            if not culprits:
                return paths
            for culprit in culprits:
                self.meet(culprit)
        return []

    def arrival(self, node: int) -> Point:
        """Where the leg from a node to the goal ends."""
        goal, at = self.nodes[0], self.nodes[node]
        if not self.rim:
            return goal
        if distance_sq(at, goal) <= (self.rim + 1) * (self.rim + 1):
            return at
        return point_along(goal, (at[0] - goal[0], at[1] - goal[1]), self.rim)

    def way_over(self, path: Sequence[int]) -> tuple[Point, ...]:
        """The places of a path over the nodes, of which the last is the goal."""
        end = self.arrival(path[-2])
        points = [self.nodes[node] for node in path[:-1]]
        return tuple(points) if points[-1] == end else (*points, end)

    def culprits(self, path: Sequence[Point]) -> list[int]:
        """Every obstacle that is in the way of a path, by its number: pieces first, then discs."""
        pieces, discs = what_is_near(self.ground, path, self.r, self.discs)
        count = len(self.ground.solid_pieces)
        found: list[int] = []
        for piece in pieces:
            if any(sweeps_piece(piece, path[i], path[i + 1], self.r) for i in range(len(path) - 1)):
                found.append(self.order[piece.id])
        for index, disc in discs:
            if any(sweep_overlaps_disc(path[i], path[i + 1], self.r, disc) for i in range(len(path) - 1)):
                found.append(count + index)
        return found

    def meet(self, number: int) -> None:
        """Let an obstacle join the graph."""
        assert not self.met[number]
        self.met[number] = True
        count = len(self.ground.solid_pieces)
        r = self.r
        x0, y0, x1, y1 = self.ground.box
        piece = self.ground.solid_pieces[number] if number < count else None
        if piece is not None and piece.polygon:
            self.pieces.append(piece)
            corners: Sequence[Point] = self.ground.corners(r)[number]
        else:
            # What is round is gone round in one way, be it a base or terrain.
            disc = self.discs[number - count] if piece is None else piece.circle
            self.near_discs.append(disc)
            centre = (disc[0], disc[1])
            reach = disc[2] + r
            goal, start = self.nodes[0], self.nodes[1]
            corners = [
                (x, y)
                for x, y in (
                    *ring_around(centre, reach),
                    *tangent_points(start, centre, reach),
                    *tangent_points(goal, centre, reach),
                )
                if x0 + r <= x <= x1 - r and y0 + r <= y <= y1 - r
            ]
        if corners:
            left, low, right, high = points_box(corners)
            close = [
                (x, y, s)
                for x, y, s in self.discs
                if x + s + r > left and x - s - r < right and y + s + r > low and y - s - r < high
            ]
            self.nodes.extend([corner for corner in corners if stands(self.ground, (*corner, r), close)])
        # What was free may not be free of the newcomer; what was blocked stays blocked.
        self.tested = {pair: False for pair, free in self.tested.items() if not free}

    def free(self, i: int, j: int) -> bool:
        """Whether the straight segment between two nodes is free of the obstacles met so far."""
        pair = (i, j) if i < j else (j, i)
        known = self.tested.get(pair)
        if known is None:
            a = self.nodes[pair[0]] if pair[0] else self.arrival(pair[1])
            b = self.nodes[pair[1]]
            r = self.r
            ax, ay = a
            bx, by = b
            left, right = (ax - r, bx + r) if ax < bx else (bx - r, ax + r)
            low, high = (ay - r, by + r) if ay < by else (by - r, ay + r)
            x0, y0, x1, y1 = self.ground.box
            known = x0 <= left and y0 <= low and right <= x1 and high <= y1
            for disc in self.near_discs:
                x, y, s = disc
                near = x + s > left and x - s < right and y + s > low and y - s < high
                if near and segment_enters(a, b, (x, y), r + s):
                    known = False
                    break
            if known:
                box = (left, low, right, high)
                for piece in self.pieces:
                    if boxes_within(piece.box, box, 0) and sweeps_piece(piece, a, b, r):
                        known = False
                        break
            self.tested[pair] = known
        return known

    def search(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """The shortest way over the nodes, or several; see `find`. A segment is tested only when about to be used.

        A node is reached once; with a slack it is reached once on each side of the obstacles.
        """
        nodes, tested = self.nodes, self.tested
        goal = nodes[0]
        ahead = [distance_up(node, goal) for node in nodes]
        reached: list[list[tuple[int, ...]]] = [[] for _ in nodes]
        best: list[int | None] = [None] * len(nodes)
        lowest = [0] * len(nodes)
        heap: list[tuple[int, int, int, int, tuple[int, ...]]] = [(ahead[1], 0, 1, 1, ())]
        limit = self.limit
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
                best[node] = lowest[node] = done
            elif not all(self.apart(here, way) for way in ways):
                continue
            ways.append(here)
            if node == 0:
                if slack < 0:
                    break
                limit = lowest[0] + slack
                continue
            hx, hy = nodes[node]
            for other, (x, y) in enumerate(nodes):
                if reached[other] and (slack < 0 or other == node):
                    continue
                free = tested.get((node, other) if node < other else (other, node))
                if free is False:
                    continue
                # `distance_up`, written out: this is the innermost loop of every search.
                square = (x - hx) * (x - hx) + (y - hy) * (y - hy)
                root = isqrt(square)
                cost = done + root if root * root == square else done + root + 1
                total = cost + ahead[other]
                if limit is not None and total > limit:
                    continue
                known = best[other]
                if known is not None and known + slack < cost:
                    continue
                if free and (known is None or cost < known):
                    best[other] = cost
                heappush(heap, (total, cost, other, node, here))
        return [self.way_over(path) for path in reached[0]]

    def apart(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Whether two paths over the nodes to one end have an obstacle between them, of those met so far."""
        ring = [self.nodes[node] for node in (*one, *reversed(other))]
        return any(polygon_side((x, y), ring) > 0 for x, y, _ in self.near_discs) or any(
            polygon_side(piece.polygon[0], ring) > 0 for piece in self.pieces
        )


class PricedSearch(WaySearch):
    """The same where the ground has a price: the cheapest way over the points round obstacles and round slow pieces.

    It learns of slow pieces as of obstacles, when a way that seems cheapest leads over one. Until then they cost
    nothing, so that what is found in the end is the cheapest by all that were met.
    """

    def __init__(
        self, ground: Ground, start: Point, goal: Point, r: int, discs: Sequence[Disc], limit: int | None = None
    ) -> None:
        super().__init__(ground, start, goal, r, discs, limit)
        self.others = len(self.met)
        self.met.extend([False] * len(ground.slow_pieces))
        self.slow: list[Slow] = []
        self.prices: dict[tuple[int, int], int] = {}

    def culprits(self, path: Sequence[Point]) -> list[int]:
        """What is in the way, and the slow pieces not met yet that have a price on it."""
        found = super().culprits(path)
        for index, slow in enumerate(self.ground.slow_pieces):
            if not self.met[self.others + index] and any(extra(a, b, (slow,)) for a, b in pairwise(path)):
                found.append(self.others + index)
        return found

    def meet(self, number: int) -> None:
        """Let an obstacle or a slow piece join the graph."""
        if number < self.others:
            super().meet(number)
            return
        self.met[number] = True
        slow = self.ground.slow_pieces[number - self.others]
        self.slow.append(slow)
        self.prices.clear()
        self.nodes.extend(
            [
                p
                for p in points_round(slow, self.nodes[1], self.nodes[0])
                if stands(self.ground, (*p, self.r), self.discs)
            ]
        )

    def price(self, i: int, j: int) -> int:
        """What the straight way from one node to another costs above its length, by the slow pieces met so far."""
        found = self.prices.get((i, j))
        if found is None:
            found = self.prices[i, j] = extra(self.nodes[i], self.nodes[j], self.slow) if self.slow else 0
        return found

    def search(self, slack: int = -1) -> list[tuple[Point, ...]]:
        """The cheapest way over the nodes, or none. A leg is tested and priced only when about to be used."""
        nodes = self.nodes
        goal = nodes[0]
        ahead = [distance_up(node, goal) for node in nodes]
        before: dict[int, int] = {}
        heap: list[tuple[int, int, int, int, bool]] = [(ahead[1], 0, 1, 1, True)]
        while heap:
            total, done, node, origin, priced = heappop(heap)
            if self.limit is not None and total > self.limit:
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
                path = [0]
                while path[-1] != 1:
                    path.append(before[path[-1]])
                return [self.way_over(path[::-1])]
            for other, place in enumerate(nodes):
                if other not in before:
                    cost = done + distance_up(nodes[node], place)
                    heappush(heap, (cost + ahead[other], cost, other, node, False))
        return []


def points_round(slow: Slow, start: Point, goal: Point) -> list[Point]:
    """The points by which the centre of a base goes round a slow piece: just beside its corners, or round its rim."""
    piece = slow.piece
    if not piece.polygon:
        x, y, r = piece.circle
        centre, reach = (x, y), r + 1
        return [
            *ring_around(centre, reach),
            *tangent_points(start, centre, reach),
            *tangent_points(goal, centre, reach),
        ]
    found: list[Point] = []
    for x, y in piece.polygon:
        beside = [(x + dx, y + dy) for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        found.extend([p for p in beside if polygon_side(p, piece.polygon) < 0])
    return found
