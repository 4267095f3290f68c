"""Move several bases along their paths at the same time, and find the first moment at which a condition holds.

A `SharedWay` has as many moments as its longest path has tenths of a millimetre. At each moment every base has a place
on the grid, and every moment is considered, so the result is exact. A coarse test of many moments at once makes the
search quick: if the condition can hold at none of them, all are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from caltrop.geometry import (
    Body,
    Disc,
    Hull,
    Point,
    cut_at_length,
    disc_around,
    distance_up,
    ends_of_fan,
    fan_of_lines,
    path_length,
    point_along,
    segment_within,
    stands_of_hull,
)
from caltrop.table.measured.corridor import (
    Corridor,
    CorridorPiece,
    crosses_piece,
    holds,
    is_convex,
    overlaps_piece,
    shuts,
)
from caltrop.table.measured.sight import Fan
from caltrop.table.measured.terrain import TableGround

_SLACK = 6
"""Upper bound of the error in the distance between two rounded places on a path, in tenths of a millimetre."""
_ROUNDED = 3
"""Upper bound of the shift of a base's side and a line's ends by rounding, in tenths of a millimetre."""


class SharedWay:
    """The paths of several bases that start at the same time.

    Attributes:
        length: The last moment of the move; the first is 0. By default the last moment is the length of the longest
            path.
    """

    __slots__ = ("_in_step", "_lengths", "_paths", "_places", "length")

    def __init__(self, paths: Sequence[Sequence[Point]], in_step: bool = False, length: int = 0) -> None:
        """Prepare the paths of the bases.

        Args:
            paths: The polyline of each base's centre, its start first.
            in_step: True if all bases arrive together: at any moment each has covered the same fraction of its path.
                If it is false, all bases have the same speed, and each stops at the end of its path.
            length: The last moment, if bases with longer paths started too and were removed; 0 for the longest of these
                paths.

        Raises:
            ValueError: A path has no point.
        """
        if not all(paths):
            raise ValueError("a path needs at least its start")
        self._paths = tuple([tuple(path) for path in paths])
        self._lengths = tuple([path_length(path) for path in paths])
        self._in_step = in_step
        self.length = max(self._lengths, default=0) if length == 0 else length
        self._places: dict[int, tuple[Point, ...]] = {}

    def at(self, moment: int) -> tuple[Point, ...]:
        places = self._places.get(moment)
        if places is None:
            places = tuple([self._begun(number, moment)[-1] for number in range(len(self._paths))])
            self._places[moment] = places
        return places

    def begun(self, moment: int) -> tuple[tuple[Point, ...], ...]:
        """Return the part of each base's path covered up to a moment, its start first."""
        return tuple([self._begun(number, moment) for number in range(len(self._paths))])

    def left(self, moment: int) -> tuple[tuple[Point, ...], ...]:
        """Return the rest of each base's path from a moment on, beginning with its place at that moment.

        >>> SharedWay([((0, 0), (300, 0), (300, 300))]).left(400)
        (((300, 100), (300, 300)),)
        """
        rest: list[tuple[Point, ...]] = []
        for path, begun in zip(self._paths, self.begun(moment), strict=True):
            same = 0
            while same < min(len(begun), len(path)) and begun[same] == path[same]:
                same += 1
            rest.append(path[same - 1 :] if begun[-1] == path[same - 1] else (begun[-1], *path[same:]))
        return tuple(rest)

    def swept(self, first: int, last: int, radii: Sequence[int]) -> tuple[Disc, ...]:
        """Return for each base a disc that contains it at every moment from *first* to *last*.

        Args:
            last: The last moment, not before the first.
            radii: The radius of each base.
        """
        half = (first + last) // 2
        reach = max(last - half, half - first)
        discs: list[Disc] = []
        for number, (x, y) in enumerate(self.at(half)):
            own = reach
            if self._in_step and self.length:
                own = -(-self._lengths[number] * reach // self.length)
            discs.append((x, y, radii[number] + min(own, self._lengths[number]) + _SLACK))
        return tuple(discs)

    def _begun(self, number: int, moment: int) -> tuple[Point, ...]:
        path = self._paths[number]
        gone = moment
        if self._in_step:
            gone = self._lengths[number] * moment // self.length if self.length else 0
        return path if gone >= self._lengths[number] else cut_at_length(path, gone) if gone > 0 else path[:1]


def first_moment(
    way: SharedWay, holds: Callable[[int], bool], may_hold: Callable[[int, int], bool], start: int = 0
) -> int | None:
    """Return the first moment at which a condition holds, or None if it never holds.

    Args:
        may_hold: Returns True if the condition may hold at some moment from a first to a last moment, both included. A
            wrong True costs time; a wrong False makes the result wrong.
    """

    def search(first: int, last: int) -> int | None:
        if not may_hold(first, last):
            return None
        if first == last:
            return first if holds(first) else None
        half = (first + last) // 2
        moment = search(first, half)
        return search(half + 1, last) if moment is None else moment

    if holds(start):
        return start
    return search(start + 1, way.length) if start < way.length else None


def hidden(ground: TableGround, a: Disc, b: Disc) -> bool:
    """Return whether a single piece of terrain is known to cut every line from any point of one disc to any point of
    another.

    The discs contain moving bases (`SharedWay.swept`): if the result is true, no base in one disc sees a base in the
    other. The answer False says nothing, as in `shuts`.

    Args:
        ground: The table prepared for queries.
    """
    return Corridor(ground.sight_pieces, (a,), (b,), (), 1).shut


def unseen(ground: TableGround, fan: Fan, a: Body, b: Body, by: tuple[int, int]) -> bool:
    """Return whether terrain cuts every line of sight between two bodies that may each be anywhere near a place.

    Unlike `hidden` it is also true if different obstacles cut the lines, and for a base deep in woods. The answer is
    false if it depends on the exact places: the smaller the distances, the more often it is true.

    Args:
        ground: The table prepared for queries.
        fan: The pattern of lines.
        a: A base or a hull at the middle of its possible places. A hull has the same heading at all its places.
        by: Largest distance of each body from the middle of its places.
    """
    apart = distance_up((a[0], a[1]), (b[0], b[1])) - 1
    if apart <= 4 * sum(by):
        return False
    # The sides of the bases turn with the line of their centres; here the sine of that angle is at most a quarter.
    turned = -(-5 * sum(by) // 4)
    # A hull does not turn, so its corners only shift.
    radii = [0 if isinstance(body, Hull) else body[2] for body in (a, b)]
    p, q = [reach + -(-r * turned // apart) + _ROUNDED for r, reach in zip(radii, by, strict=True)]
    # The visible corners of a hull depend on the other body's place, so lines from all of them must be cut.
    lines = (
        [(start, end) for start in _ends(a, b, fan.points) for end in _ends(b, a, fan.points)]
        if isinstance(a, Hull) or isinstance(b, Hull)
        else fan_of_lines(a, b, fan.points)
    )
    wide = [(x, y, r + more) for (x, y, r), more in zip((disc_around(a), disc_around(b)), (p, q), strict=True)]
    reached = Corridor(ground.sight_pieces, wide[:1], wide[1:], (), fan.points).pieces
    pieces = [piece for piece in reached if piece.cuts and (not piece.polygon or is_convex(piece.polygon))]
    sides: dict[tuple[int, Disc], tuple[bool, bool]] = {}

    def side(number: int, disc: Disc) -> tuple[bool, bool]:
        entry = sides.get((number, disc))
        if entry is None:
            piece = pieces[number]
            without = not holds(piece, disc[:2]) and not overlaps_piece(piece, disc)
            entry = sides[number, disc] = (not without and _lies_in(piece, disc)), without
        return entry

    def cut(start: Point, end: Point) -> bool:
        one, other = (*start, p), (*end, q)
        return any(
            crosses_piece(piece, start, end) and _cuts_about(piece, one, other, side(n, one), side(n, other))
            for n, piece in enumerate(pieces)
        )

    return all(cut(start, end) for start, end in lines)


def _ends(body: Body, other: Body, points: int) -> list[Point]:
    """Return the points of the first body at which lines to the other body may end; for a hull, all possible points."""
    return stands_of_hull(body, points) if isinstance(body, Hull) else ends_of_fan(other, body, points)


def _cuts_about(piece: CorridorPiece, a: Disc, b: Disc, at_a: tuple[bool, bool], at_b: tuple[bool, bool]) -> bool:
    """Return whether a convex piece cuts every line that begins in one disc and ends in another.

    Args:
        at_a: Two flags: the first disc is wholly inside the piece; it is wholly outside.
    """
    within, without = (at_a[0], at_b[0]), (at_a[1], at_b[1])
    if all(without):
        return shuts(piece, (a,), (b,))
    if piece.deep is None:
        return False
    shortest = distance_up(a[:2], b[:2]) - 1 - a[2] - b[2]
    into, inside = piece.deep
    if all(within):
        return inside is not None and shortest > inside
    for begins, (start, end), leaves in zip(within, ((a, b), (b, a)), reversed(without), strict=True):
        # If the end may be inside too, the line must be too long for that as well. In the other case the start may be
        # on the border, because a line from outside passes all the way through.
        if shortest > into and (leaves or (begins and inside is not None and shortest > inside)):
            way = end[0] - start[0], end[1] - start[1]
            far = point_along(start[:2], way, into + 1)
            wide = start[2] + -(-(into + 1) * (a[2] + b[2]) // max(shortest, 1)) + _SLACK
            if _lies_in(piece, (*far, wide)):
                return True
    return False


def _lies_in(piece: CorridorPiece, disc: Disc) -> bool:
    x, y, r = disc
    if not piece.polygon:
        cx, cy, whole = piece.circle
        return r <= whole and segment_within((x, y), (x, y), (cx, cy), whole - r)
    ring = piece.polygon
    return holds(piece, (x, y)) and not any(segment_within(ring[i - 1], ring[i], (x, y), r) for i in range(len(ring)))
