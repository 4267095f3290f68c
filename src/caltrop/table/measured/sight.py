"""Lines of sight between bases and between units, seen from above.

A fan of lines runs between two bases: from some points of one base to as many points of the other. The points lie on
the diameter perpendicular to the line of centres. The ruleset decides the number of points, and how many lines must be
crossed for a base to count as obstructed (`Fan`). Terrain that blocks sight and the bodies of units in between *cut* a
line when the line passes through their inside; a line that only touches them is uncut. Terrain that obscures does not
cut, but counts as *crossed*. A base is seen if at least one line is uncut. A piece of terrain that contains the centre
of either base is ignored; but terrain with a limited depth of sight cuts a line that goes deeper. The result of a look
is the same in both directions.

The caller chooses the bodies that block: bodies of units that block sight, and that neither look nor are looked at.
`explain_look` and `explain_sight` use the same lines and tests as `look` and `sight`, and also name the obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.geometry import (
    Body,
    Disc,
    Line,
    Point,
    directions,
    disc_around,
    disc_box,
    discs_box,
    distance_up,
    fan_of_lines,
    point_along,
)
from caltrop.table.measured.corridor import (
    Corridor,
    CorridorPiece,
    best_views,
    crosses_piece,
    holds,
    lines_cut,
    lines_through_body,
    lines_through_piece,
)
from caltrop.table.measured.terrain import TableGround

MOST_VIEWS = 5_000
"""Number of views between groups that a ground caches."""


class Fan(NamedTuple):
    """The lines of sight that a ruleset draws."""

    points: int
    """Number of points of each base from which lines are drawn: 1 for the centre alone, 3 for centre and sides."""
    obstructed_from: int
    """Number of cut or crossed lines from which a base counts as obstructed."""

    @property
    def lines(self) -> int:
        return self.points * self.points


class Look(NamedTuple):
    """The sight between two bases."""

    fan: Fan
    cut_lines: int
    """Mask of the lines that something cuts, in the order of `fan_of_lines`."""
    crossed_lines: int
    """Mask of the lines that something cuts or obscures."""

    @property
    def cut(self) -> int:
        return self.cut_lines.bit_count()

    @property
    def crossed(self) -> int:
        """Number of the lines that are cut or obscured."""
        return self.crossed_lines.bit_count()

    @property
    def seen(self) -> bool:
        return self.cut < self.fan.lines

    @property
    def clear(self) -> bool:
        """True if at least one line is neither cut nor obscured."""
        return self.crossed < self.fan.lines

    @property
    def obstructed(self) -> bool:
        """Return whether enough lines are cut or obscured for the base to count as obstructed."""
        return self.crossed >= self.fan.obstructed_from


class TargetSight(NamedTuple):
    """The best view that a group has of one target model."""

    seen: bool
    """True if any viewer sees the target."""
    obstructed: bool
    """True if no viewer sees the target unobstructed."""
    in_cover: bool
    """True if the target's centre is in terrain that gives cover."""
    crossed: int
    """Number of cut or obscured lines in the best view."""

    @property
    def exposed(self) -> bool:
        """True if the target is neither obstructed nor in cover."""
        return not (self.obstructed or self.in_cover)


class Sight(NamedTuple):
    """The sight of one group of bases on another."""

    targets: tuple[TargetSight, ...]
    """The best view of each target, in the order given."""
    viewers: tuple[bool, ...]
    """For each viewer, true if it sees any target, in the order given."""
    lines_each: int
    """Number of lines between two bases."""

    @property
    def seen(self) -> bool:
        """True if any viewer sees any target."""
        return any(self.viewers)

    @property
    def blind(self) -> int:
        """Number of viewers that see no target."""
        return self.viewers.count(False)

    @property
    def obstructed(self) -> int:
        return sum(target.obstructed for target in self.targets)

    @property
    def in_cover(self) -> int:
        return sum(target.in_cover for target in self.targets)

    @property
    def exposed(self) -> int:
        """Number of targets that are neither obstructed nor in cover."""
        return sum(target.exposed for target in self.targets)

    @property
    def lines(self) -> int:
        """Number of lines of sight that are checked: the lines from the best viewer of each target."""
        return self.lines_each * len(self.targets)

    @property
    def lines_crossed(self) -> int:
        """Number of `lines` that are cut or obscured."""
        return sum(target.crossed for target in self.targets)

    @property
    def lines_hindered(self) -> int:
        """Number of `lines` that are cut or obscured, or lead to a target in cover."""
        return sum(self.lines_each if target.in_cover else target.crossed for target in self.targets)


class ExplainedLine(NamedTuple):
    start: Point
    end: Point
    cut: bool
    obscured: bool
    """True if terrain that only obscures is across the line."""
    terrain: str | None
    """The id of the first terrain in the way, or None."""
    disc: int | None
    """The index, among the blockers, of the first body in the way, or None."""
    stop: Point | None
    """Approximate place where the obstacle begins, for drawing."""


class SightExplained(NamedTuple):
    """The lines between one viewer and one target, with the resulting look."""

    viewer: int
    target: int
    look: Look
    lines: tuple[ExplainedLine, ...]


def _explained(corridor: Corridor, fan: Fan, viewer: int, target: int, a: Body, b: Body) -> SightExplained:
    """Return the look between two bases, with the first obstacle of each line."""
    bodies, pieces = corridor.between(disc_around(a), disc_around(b))
    lines = fan_of_lines(a, b, fan.points)
    explained: list[ExplainedLine] = []
    cut_mask = crossed_mask = 0
    crossings: list[tuple[int, bool, CorridorPiece, int | None]] = []
    for piece in pieces:
        hit = lines_cut(lines, piece) if piece.cuts else lines_through_piece(lines, piece)
        crossings.append((hit, piece.cuts, piece, None))
    for index, disc, body in bodies:
        corners = () if len(body) == 3 else body.corners
        crossings.append(
            (lines_through_body(lines, body), True, CorridorPiece(disc_box(disc), disc, corners, "", True), index)
        )
    for number, line in enumerate(lines):
        bit = 1 << number
        hits = [hit for hit in crossings if hit[0] & bit]
        cut = any(hit[1] for hit in hits)
        obscured = any(not hit[1] for hit in hits)
        first: tuple[int, str | None, int | None] | None = None
        for _, cuts, stopper, blocker in hits:
            if cuts == cut:
                reach = _reach(line, stopper)
                if first is None or reach < first[0]:
                    first = (reach, stopper.id if blocker is None else None, blocker)
        if cut:
            cut_mask |= bit
        if hits:
            crossed_mask |= bit
        start, end = line
        if first is None:
            explained.append(ExplainedLine(start, end, cut, obscured, None, None, None))
            continue
        stop = point_along(start, (end[0] - start[0], end[1] - start[1]), first[0])
        explained.append(ExplainedLine(start, end, cut, obscured, first[1], first[2], stop))
    return SightExplained(viewer, target, Look(fan, cut_mask, crossed_mask), tuple(explained))


def _reach(line: Line, piece: CorridorPiece) -> int:
    """Return the approximate distance along a line to the inside of an obstacle, in tenths of a millimetre."""
    start, end = line
    direction = (end[0] - start[0], end[1] - start[1])
    low, high = 0, distance_up(start, end)
    while low < high:
        middle = (low + high) // 2
        if crosses_piece(piece, start, point_along(start, direction, middle)):
            high = middle
        else:
            low = middle + 1
    return low


def look(ground: TableGround, fan: Fan, a: Body, b: Body, blockers: Sequence[Body]) -> Look:
    """Return the sight between two bases, which is the same in both directions.

    Args:
        ground: The table prepared for queries.
        fan: The pattern of lines.
        blockers: The bodies of other units that block sight.
    """
    return Look(fan, *Corridor(ground.sight_pieces, (a,), (b,), blockers, fan.points).masks(a, b))


def sight(
    ground: TableGround, fan: Fan, viewers: Sequence[Body], targets: Sequence[Body], blockers: Sequence[Body]
) -> Sight:
    """Return the sight of one unit on another, using the best view of each target.

    Args:
        ground: The table prepared for queries.
        fan: The pattern of lines.
        viewers: The bases that look.
        targets: The bases that are looked at.
        blockers: The bodies of other units that block sight.
    """
    if not viewers or not targets:
        return Sight((), (False,) * len(viewers), fan.lines)
    corridor = Corridor(ground.sight_pieces, viewers, targets, blockers, fan.points)
    key = fan, tuple(viewers), tuple(targets), tuple([body for _, _, body in corridor.blockers])
    view: Sight | None = ground.views.get(key)
    if view is None:
        if len(ground.views) >= MOST_VIEWS:
            ground.views.clear()
        view = ground.views[key] = _sight(ground, fan, corridor, viewers, targets)
    return view


def _sight(
    ground: TableGround, fan: Fan, corridor: Corridor, viewers: Sequence[Body], targets: Sequence[Body]
) -> Sight:
    seen, best, sees = best_views(corridor, viewers, targets)
    x0, y0, x1, y1 = discs_box([disc_around(target) for target in targets])
    cover = [
        piece
        for piece in ground.cover_pieces
        if piece.box[0] <= x1 and x0 <= piece.box[2] and piece.box[1] <= y1 and y0 <= piece.box[3]
    ]
    return Sight(
        tuple(
            [
                TargetSight(
                    seen[number],
                    best[number] >= fan.obstructed_from,
                    any(holds(piece, (target[0], target[1])) for piece in cover) if cover else False,
                    best[number],
                )
                for number, target in enumerate(targets)
            ]
        ),
        tuple(sees),
        fan.lines,
    )


def explain_look(ground: TableGround, fan: Fan, a: Body, b: Body, blockers: Sequence[Body]) -> SightExplained:
    """Return the lines between two bases, each with its first obstacle as seen from a."""
    return _explained(Corridor(ground.sight_pieces, (a,), (b,), blockers, fan.points), fan, 0, 0, a, b)


def explain_sight(
    ground: TableGround, fan: Fan, viewers: Sequence[Body], targets: Sequence[Body], blockers: Sequence[Body]
) -> tuple[SightExplained, ...]:
    """Return every line of sight between two groups with its first obstacle, by viewer, then by target.

    A cut line names the obstacle that cuts it; an obscured line names the obstacle that obscures it.
    """
    if not viewers or not targets:
        return ()
    corridor = Corridor(ground.sight_pieces, viewers, targets, blockers, fan.points)
    return tuple(
        _explained(corridor, fan, i, j, viewer, target)
        for i, viewer in enumerate(viewers)
        for j, target in enumerate(targets)
    )  # fmt: skip


class OpenLine(NamedTuple):
    """A clear line between two bases, or the line between the centres with its first obstacle."""

    start: Point
    end: Point
    terrain: str | None
    """The id of the terrain in the way; None if the line is clear."""
    stop: Point | None
    """Approximate place where the obstacle begins, for drawing."""


def open_line(ground: TableGround, a: Disc, b: Disc, rim: int = 8) -> bool:
    """Return whether a straight line between two bases avoids all terrain that cuts sight; other bases do not count.

    Lines are tried from the centre and rim points of one base to those of the other: 81 lines with eight rim points.

    Args:
        ground: The table made ready.
        rim: Number of points of each rim that are tried.
    """
    return _clear_line(_cutting(ground, a, b), a, b, rim) is not None


def line_is_seen(ground: TableGround, a: Point, b: Point) -> bool:
    """Return whether terrain leaves the line between two places uncut, as in `look` with a fan of one line.

    >>> from caltrop.table.measured import Table
    >>> line_is_seen(TableGround(Table(900, 900, ())), (100, 100), (800, 800))
    True
    """
    left, right = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
    low, high = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
    for piece in ground.sight_pieces:
        x0, y0, x1, y1 = piece.box
        near = x0 <= right and left <= x1 and y0 <= high and low <= y1
        # A base in a piece without a depth of sight sees out freely.
        free = near and piece.deep is None and (holds(piece, a) or holds(piece, b))
        if near and piece.cuts and not free and lines_cut(((a, b),), piece):
            return False
    return True


def explain_line(ground: TableGround, a: Disc, b: Disc, rim: int = 8) -> OpenLine:
    """Return the clear line that `open_line` finds, or the obstacle if there is none."""
    cuts = _cutting(ground, a, b)
    clear = _clear_line(cuts, a, b, rim)
    if clear is not None:
        return OpenLine(*clear, None, None)
    start, end = (a[0], a[1]), (b[0], b[1])
    line = start, end
    far, piece = min(
        ((_reach(line, p), p) for p in cuts if crosses_piece(p, start, end)),
        key=lambda one: one[0],
    )
    return OpenLine(start, end, piece.id, point_along(start, (end[0] - start[0], end[1] - start[1]), far))


def _cutting(ground: TableGround, a: Disc, b: Disc) -> list[CorridorPiece]:
    """Return the terrain that cuts sight and may lie between two bases."""
    x0, y0, x1, y1 = discs_box((a, b))
    return [
        piece
        for piece in ground.sight_pieces
        if piece.cuts and piece.box[0] < x1 and piece.box[2] > x0 and piece.box[1] < y1 and piece.box[3] > y0
    ]


def _clear_line(cuts: Sequence[CorridorPiece], a: Disc, b: Disc, rim: int) -> Line | None:
    """Return the first line between two bases that no piece in *cuts* cuts, tried from the centres outward."""
    start, end = (a[0], a[1]), (b[0], b[1])
    if not any(crosses_piece(piece, start, end) for piece in cuts):
        return start, end
    ends = _rim(b, rim)
    for p in _rim(a, rim):
        for q in ends:
            if not any(crosses_piece(piece, p, q) for piece in cuts):
                return p, q
    return None


def _rim(disc: Disc, points: int) -> tuple[Point, ...]:
    x, y, r = disc
    return ((x, y), *(point_along((x, y), d, r) for d in directions(points)))
