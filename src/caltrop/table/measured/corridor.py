"""Compute sight between two groups of bases with plain numbers and tuples.

Obstacles that cannot matter are left out, first for the two groups and then for each pair of bases. This module and the
geometry below it use no records, so that they can be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from caltrop.geometry import (
    Body,
    Box,
    Disc,
    Line,
    Point,
    Polygon,
    crosses_polygon,
    disc_around,
    disc_overlaps_polygon,
    discs_box,
    fan_of_lines,
    in_polygon,
    lines_through_disc,
    lines_through_polygon,
    overlapping,
    polygon_side,
    root_up,
    segment_enters,
    segment_within,
    sweep_overlaps_polygon,
    turn,
)


class Deep(NamedTuple):
    """Depth of sight into a piece of terrain that cannot be seen through, in tenths of a millimetre."""

    into: int
    """Largest length of a line from the border to an end inside the piece."""
    inside: int | None
    """Largest length of a line wholly inside the piece; None for any length."""


class CorridorPiece(NamedTuple):
    """A piece of terrain prepared for queries, as plain values."""

    box: Box
    circle: Disc
    """A disc that contains the piece, for quick tests; the piece itself if it is round."""
    polygon: Polygon
    """Corners of the piece; empty if it is round."""
    id: str
    cuts: bool
    """True if the piece cuts lines of sight; a piece that matters to sight otherwise only obscures them."""
    deep: Deep | None = None
    """Depth of lines of sight into the piece; None if a body with its centre inside sees out freely."""

    @property
    def round(self) -> Disc | None:
        return None if self.polygon else self.circle


def holds(piece: CorridorPiece, point: Point) -> bool:
    """Return whether a point lies in a piece of terrain, its edge included."""
    box = piece.box
    x, y = point
    if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
        return False
    if not piece.polygon:
        cx, cy, r = piece.circle
        return segment_within(point, point, (cx, cy), r)
    return in_polygon(point, piece.polygon)


def overlaps_piece(piece: CorridorPiece, disc: Disc) -> bool:
    """Return whether a disc overlaps a piece of terrain; touching its edge from outside does not count."""
    box = piece.box
    x, y, r = disc
    if x + r <= box[0] or x - r >= box[2] or y + r <= box[1] or y - r >= box[3]:
        return False
    return disc_overlaps_polygon(disc, piece.polygon) if piece.polygon else overlapping(disc, piece.circle)


def sweeps_piece(piece: CorridorPiece, a: Point, b: Point, r: int) -> bool:
    """Return whether a base of this radius, moved straight from a to b, ever overlaps a piece of terrain."""
    if piece.polygon:
        return sweep_overlaps_polygon(a, b, r, piece.polygon)
    x, y, s = piece.circle
    return segment_enters(a, b, (x, y), r + s)


def crosses_piece(piece: CorridorPiece, a: Point, b: Point) -> bool:
    """Return whether the segment from a to b passes through the inside of a piece; touching the border does not
    count.
    """
    if piece.polygon:
        return crosses_polygon(a, b, piece.polygon)
    x, y, s = piece.circle
    return segment_enters(a, b, (x, y), s)


def lines_through_piece(lines: Sequence[Line], piece: CorridorPiece, cut: int = 0) -> int:
    """Return the mask of the lines that pass through the inside of a piece of terrain, in addition to the lines in
    *cut*.
    """
    if piece.polygon:
        return lines_through_polygon(lines, piece.polygon, cut)
    return lines_through_disc(lines, piece.circle, cut)


FINE = 1 << 20
"""Precision with which crossings of a circle are rounded, because they are at irrational fractions of a path.
"""


def stretches(a: Point, b: Point, piece: CorridorPiece) -> list[tuple[Fraction, Fraction]]:
    """Return the parts of the line from a to b inside a piece, each as two shares of the line, its start and its end.

    The shares are exact for polygons; for circles their error is far below the grid. A line along an edge lies outside.
    """
    stops = sorted({Fraction(0), Fraction(1), *(Fraction(n, whole) for n, whole in crossings(a, b, piece))})
    spans: list[tuple[Fraction, Fraction]] = []
    for start, end in pairwise(stops):
        n, whole = ((start + end) / 2).as_integer_ratio()
        middle = (a[0] * whole + (b[0] - a[0]) * n, a[1] * whole + (b[1] - a[1]) * n)
        if side_of_piece(piece, middle, whole) > 0:
            if spans and spans[-1][1] == start:
                start = spans.pop()[0]
            spans.append((start, end))
    return spans


def crossings(a: Point, b: Point, piece: CorridorPiece) -> list[tuple[int, int]]:
    """Return the shares of the line from a to b at which the line meets the border of a piece, between its ends.

    Each share is a numerator and a denominator, not reduced. Some shares may be missing if the line runs along the
    border.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    parts: list[tuple[int, int]] = []
    if not piece.polygon:
        x, y, r = piece.circle
        px, py = x - a[0], y - a[1]
        square, along = dx * dx + dy * dy, dx * px + dy * py
        under = along * along - square * (px * px + py * py - r * r)
        if square and under > 0:
            root, whole = isqrt(under * FINE * FINE), square * FINE
            parts = [(at, whole) for at in (along * FINE - root, along * FINE + root) if 0 < at < whole]
    for c, d in pairwise((*piece.polygon, *piece.polygon[:1])):
        from_c = dx * (c[1] - a[1]) - dy * (c[0] - a[0])
        from_d = dx * (d[1] - a[1]) - dy * (d[0] - a[0])
        if from_c == from_d or (from_c > 0 and from_d > 0) or (from_c < 0 and from_d < 0):
            continue
        across, at = from_d - from_c, turn(c, d, a)
        if across < 0:
            across, at = -across, -at
        if 0 < at < across:
            parts.append((at, across))
    return parts


def side_of_piece(piece: CorridorPiece, point: Point, scale: int) -> int:
    """Return 1 for a point of a finer grid inside a piece, 0 on its border, -1 outside."""
    if scale == 1:
        left, low, right, high = piece.box
        if not (left <= point[0] <= right and low <= point[1] <= high):
            return -1
        if piece.polygon:
            return polygon_side(point, piece.polygon)
    if piece.polygon:
        return polygon_side(point, tuple([(x * scale, y * scale) for x, y in piece.polygon]))
    x, y, r = piece.circle
    dx, dy = point[0] - x * scale, point[1] - y * scale
    out = dx * dx + dy * dy - r * r * scale * scale
    return (out < 0) - (out > 0)


def cut_by_depth(a: Point, b: Point, piece: CorridorPiece, deep: Deep) -> bool:
    """Return whether a line of sight goes deeper into a piece than sight reaches, or all the way through.

    >>> corners = ((0, 0), (900, 0), (900, 900), (0, 900))
    >>> woods = CorridorPiece((0, 0, 900, 900), (450, 450, 640), corners, "woods", True)
    >>> [cut_by_depth((-500, 450), (x, 450), woods, Deep(508, 1016)) for x in (508, 509, 1500)]
    [False, True, True]
    """
    sides = side_of_piece(piece, a, 1), side_of_piece(piece, b, 1)
    if sides == (-1, -1):
        return lines_through_piece(((a, b),), piece) == 1
    return _cut_from_within(a, b, piece, deep, sides)


def _cut_from_within(a: Point, b: Point, piece: CorridorPiece, deep: Deep, sides: tuple[int, int]) -> bool:
    """Decide `cut_by_depth` for a line with at least one end that is not outside; *sides* has the side of each end."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if 0 not in sides and (not piece.polygon or is_convex(piece.polygon)):
        if sides == (1, 1):
            return deep.inside is not None and square > deep.inside * deep.inside
        if sides[0] < 0:
            a, dx, dy = b, -dx, -dy
        return not _leaves_within(a, (dx, dy), square, piece, deep.into)
    if 0 not in sides:
        shares = crossings(a, b, piece)
        if not shares:
            return deep.inside is not None and square > deep.inside * deep.inside
        if sides[0] != sides[1]:
            # The first stretch leads from the inside end to the nearest crossing, or goes on if that only touches.
            if sides[0] < 0:
                shares = [(whole - n, whole) for n, whole in shares]
            near, under = shares[0]
            single = True
            for n, whole in shares[1:]:
                if n * under != near * whole:
                    single = False
                    if n * under < near * whole:
                        near, under = n, whole
            if near * near * square > deep.into * deep.into * under * under:
                return True
            if single:
                return False
    for start, end in stretches(a, b, piece):
        if start > 0 and end < 1:
            return True
        limit = deep.inside if start == 0 and end == 1 else deep.into
        part = end - start
        if limit is not None and part * part * square > limit * limit:
            return True
    return False


def _leaves_within(a: Point, way: Point, square: int, piece: CorridorPiece, limit: int) -> bool:
    """Return whether a line from inside a convex piece has left it after a length, exactly, with integers alone."""
    dx, dy = way
    if not piece.polygon:
        x, y, r = piece.circle
        px, py = a[0] - x, a[1] - y
        # The point at the limit is outside the circle if twice the limit times the dot product reaches the rest.
        rest, dot = r * r - px * px - py * py - limit * limit, dx * px + dy * py
        left, right = 4 * limit * limit * dot * dot, rest * rest * square
        if rest > 0:
            return dot > 0 and left >= right
        return dot >= 0 or left <= right
    cx, cy = piece.polygon[-1]
    for ex, ey in piece.polygon:
        fx, fy = ex - cx, ey - cy
        # The path meets the line of an edge at this share of its length; the exit from a convex piece has the smallest
        # share.
        across = dx * fy - dy * fx
        reach = (cx - a[0]) * fy - (cy - a[1]) * fx
        if across < 0:
            across, reach = -across, -reach
        if across and reach > 0 and reach * reach * square <= limit * limit * across * across:
            return True
        cx, cy = ex, ey
    return False


@lru_cache(maxsize=1024)
def is_convex(polygon: Polygon) -> bool:
    """Return whether all turns of a polygon have the same direction.

    >>> is_convex(((0, 0), (9, 0), (9, 9), (0, 9))), is_convex(((0, 0), (9, 0), (9, 9), (5, 1), (0, 9)))
    (True, False)
    """
    turns = [turn(polygon[i - 2], polygon[i - 1], polygon[i]) for i in range(len(polygon))]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


def lines_through_body(lines: Sequence[Line], body: Body, cut: int = 0) -> int:
    """Return the mask of the lines that pass through the inside of a body, in addition to the lines in *cut*."""
    if len(body) == 3:
        return lines_through_disc(lines, body, cut)
    return lines_through_polygon(lines, body.corners, cut)


def lines_cut(lines: Sequence[Line], piece: CorridorPiece, cut: int = 0) -> int:
    through = lines_through_piece(lines, piece, cut)
    deep = piece.deep
    if deep is None or through == cut:
        return through
    # Many lines share their end points. A line through the inside between two outside points is cut.
    sides: dict[Point, int] = {}
    for number, (a, b) in enumerate(lines):
        bit = 1 << number
        if through & bit and not cut & bit:
            for end in (a, b):
                if end not in sides:
                    sides[end] = side_of_piece(piece, end, 1)
            ends = sides[a], sides[b]
            if ends != (-1, -1) and not _cut_from_within(a, b, piece, deep, ends):
                through ^= bit
    return through


def shuts(piece: CorridorPiece, ours: Sequence[Disc], theirs: Sequence[Disc]) -> bool:
    """Return whether a piece of terrain lies across every line between two groups, as one chord of the piece shows.

    The chord is widest across the way from group to group. The chord cuts all lines if the groups are wholly on
    different sides of it, and if its ends are on different sides of each pair of bases. The answer False says nothing.

    >>> corners = ((0, -500), (100, -500), (100, 500), (0, 500))
    >>> wall = CorridorPiece((0, -500, 100, 500), (50, 0, 503), corners, "wall", True)
    >>> [shuts(wall, [(-900, 0, 50)], [(900, y, 50)]) for y in (0, 600, 900)]
    [True, True, False]
    """
    ax, ay = ours[0][0], ours[0][1]
    nx, ny = theirs[0][1] - ay, ax - theirs[0][0]
    corners = piece.polygon
    if corners:
        ends = sorted([(nx * x + ny * y, x, y) for x, y in corners])
        (_, lx, ly), (_, hx, hy) = ends[0], ends[-1]
    else:
        x, y, r = piece.circle
        norm, r = root_up(nx * nx + ny * ny) or 1, r - 2  # rounded to the inside of the circle
        dx, dy = nx * r // norm, ny * r // norm
        lx, ly, hx, hy = x - dx, y - dy, x + dx, y + dy
    dx, dy = hx - lx, hy - ly
    length = root_up(dx * dx + dy * dy)
    side = 1 if dx * (ay - ly) - dy * (ax - lx) > 0 else -1
    # The box is larger by one on all sides, since the sides of a base are rounded to the grid.
    for sign, group in ((side, ours), (-side, theirs)):
        for x, y, r in group:
            if sign * (dx * (y - ly) - dy * (x - lx)) <= (r + 1) * length:
                return False
    for x, y, r in ours:
        for u, v, s in theirs:
            dx, dy = u - x, v - y
            wide = ((r if r > s else s) + 1) * root_up(dx * dx + dy * dy)
            if side * (dx * (hy - y) - dy * (hx - x)) <= wide or side * (dx * (ly - y) - dy * (lx - x)) >= -wide:
                return False
    return (not corners or is_convex(corners)) and not any(
        overlaps_piece(piece, disc) for group in (ours, theirs) for disc in group
    )


class Corridor:
    """The obstacles that may matter between two groups: selected once, then queried for each pair of bases.

    Attributes:
        blockers: The bodies in between that may matter, each as its index among all bodies, a disc that contains it,
            and the body.
        pieces: The terrain in between that may matter.
        points: Number of points of each base from which lines are drawn.
        all_lines: The mask of all lines between two bodies.
    """

    __slots__ = ("_shut", "all_lines", "blockers", "homes", "ours", "pieces", "points", "theirs")

    def __init__(
        self,
        sight_pieces: Sequence[CorridorPiece],
        a: Sequence[Body],
        b: Sequence[Body],
        blockers: Sequence[Body],
        points: int,
    ) -> None:
        self.points = points
        self.ours = ours = [body if len(body) == 3 else disc_around(body) for body in a]
        self.theirs = theirs = [body if len(body) == 3 else disc_around(body) for body in b]
        self._shut: bool | None = None
        self.all_lines = (1 << points * points) - 1
        left, low, right, high = discs_box((*ours, *theirs))
        # The box is larger by one on every side, because the sides of a base are rounded to the grid.
        left, low, right, high = left - 1, low - 1, right + 1, high + 1
        # The narrowest strip along the line between two of the bases that contains all of them.
        nx = theirs[0][1] - ours[0][1]
        ny = ours[0][0] - theirs[0][0]
        if nx == 0 and ny == 0:
            nx = 1
        norm = root_up(nx * nx + ny * ny)
        least = most = nx * ours[0][0] + ny * ours[0][1]
        for group in (ours, theirs):
            for x, y, r in group:
                across = nx * x + ny * y
                reach = (r + 1) * norm
                if across - reach < least:
                    least = across - reach
                if across + reach > most:
                    most = across + reach
        near: list[tuple[int, Disc, Body]] = []
        for index, body in enumerate(blockers):
            disc = body if len(body) == 3 else disc_around(body)
            x, y, r = disc
            if x + r > left and x - r < right and y + r > low and y - r < high:
                across = nx * x + ny * y
                reach = r * norm
                if across + reach > least and across - reach < most:
                    near.append((index, disc, body))
        self.blockers = near
        pieces: list[CorridorPiece] = []
        for piece in sight_pieces:
            x0, y0, x1, y1 = piece.box
            if x1 > left and x0 < right and y1 > low and y0 < high:
                top = (x1 if nx > 0 else x0) * nx + (y1 if ny > 0 else y0) * ny
                bottom = (x0 if nx > 0 else x1) * nx + (y0 if ny > 0 else y1) * ny
                if top > least and bottom < most:
                    pieces.append(piece)
        self.pieces = pieces
        self.homes: dict[Point, int] = {}

    @property
    def shut(self) -> bool:
        """True if one piece of terrain is known to cut every line; False says nothing."""
        shut = self._shut
        if shut is None:
            shut = self._shut = any(piece.cuts and shuts(piece, self.ours, self.theirs) for piece in self.pieces)
        return shut

    def home(self, x: int, y: int) -> int:
        """Return the mask of the pieces with free sight outwards that contain a place."""
        mask = self.homes.get((x, y))
        if mask is None:
            mask = 0
            for index, piece in enumerate(self.pieces):
                x0, y0, x1, y1 = piece.box
                if piece.deep is None and x0 <= x <= x1 and y0 <= y <= y1 and holds(piece, (x, y)):
                    mask |= 1 << index
            self.homes[(x, y)] = mask
        return mask

    def between(self, a: Disc, b: Disc) -> tuple[list[tuple[int, Disc, Body]], list[CorridorPiece]]:
        """Return the bodies and the pieces that may matter between two bases."""
        ax, ay, ar = a
        bx, by, br = b
        wide = ar if ar > br else br
        dx = bx - ax
        dy = by - ay
        if dx == 0 and dy == 0:
            dx = 1
        length = root_up(dx * dx + dy * dy)
        bodies: list[tuple[int, Disc, Body]] = []
        for entry in self.blockers:
            x, y, r = entry[1]
            x -= ax
            y -= ay
            # The margin is one more than the widest base, because its sides are rounded to the grid.
            reach = (r + wide + 1) * length
            if -reach < dx * y - dy * x < reach:
                along = dx * x + dy * y
                if -reach < along < reach + length * length:
                    bodies.append(entry)
        pieces: list[CorridorPiece] = []
        if self.pieces:
            homes = self.home(ax, ay) | self.home(bx, by)
            for index, piece in enumerate(self.pieces):
                if not homes >> index & 1:
                    x, y, r = piece.circle
                    x -= ax
                    y -= ay
                    reach = (r + wide + 1) * length
                    if -reach < dx * y - dy * x < reach:
                        along = dx * x + dy * y
                        if -reach < along < reach + length * length:
                            pieces.append(piece)
        return bodies, pieces

    def masks(self, a: Body, b: Body) -> tuple[int, int]:
        """Return two masks of the lines between two bodies: the cut lines, and the lines that are cut or obscured."""
        bodies, pieces = self.between(a if len(a) == 3 else disc_around(a), b if len(b) == 3 else disc_around(b))
        if not bodies and not pieces:
            return 0, 0
        lines = fan_of_lines(a, b, self.points)
        every = self.all_lines
        cut = 0
        for piece in pieces:
            if piece.cuts:
                cut = lines_cut(lines, piece, cut)
                if cut == every:
                    return every, every
        for _, _, body in bodies:
            cut = lines_through_body(lines, body, cut)
            if cut == every:
                return every, every
        crossed = cut
        for piece in pieces:
            if not piece.cuts and crossed != every:
                crossed = lines_through_piece(lines, piece, crossed)
        return cut, crossed


def best_views(
    corridor: Corridor, viewers: Sequence[Body], targets: Sequence[Body]
) -> tuple[list[bool], list[int], list[bool]]:
    """Return the best view that a group has of each base of another.

    Returns:
        For each target, whether it is seen; for each target, the smallest number of lines cut or obscured; for each
        viewer, whether it sees any target.
    """
    sees = [False] * len(viewers)
    if corridor.shut:
        return [False] * len(targets), [corridor.points * corridor.points] * len(targets), sees
    seen: list[bool] = []
    best: list[int] = []
    for target in targets:
        improved = False
        fewest = corridor.points * corridor.points
        for number, viewer in enumerate(viewers):
            if fewest == 0 and sees[number]:
                continue  # Another view can change neither the best view nor whether this viewer sees anything.
            cut, crossed = corridor.masks(viewer, target)
            if cut != corridor.all_lines:
                improved = True
                sees[number] = True
            count = crossed.bit_count()
            if count < fewest:
                fewest = count
        seen.append(improved)
        best.append(fewest)
    return seen, best, sees
