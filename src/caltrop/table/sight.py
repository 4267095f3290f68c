"""Lines of sight between bases and between units, seen from above.

Between two bases run nine lines: from three points of the one (its centre and both sides, square to the line of
centres) to the same three of the other. Terrain that blocks sight and the discs of units in between *cut* a line when
it passes through their inside; a graze does not. Terrain that obscures does not cut, but counts as *crossed*. A base is
seen if one of the nine lines is uncut, and obstructed if five or more are cut or crossed. A piece of terrain in which
either base has its centre is left out. All of it is the same in both directions.

The caller says which discs block: those of units that are neither looking nor looked at, and that block at all.
`explain_look` and `explain_sight` take the same lines and the same tests as `look` and `sight`, and only keep names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.geometry import (
    ALL_LINES,
    LINES,
    Disc,
    Line,
    Point,
    crosses_polygon,
    discs_box,
    distance_up,
    in_polygon,
    lines_through_disc,
    lines_through_polygon,
    nine_lines,
    point_along,
    root_up,
    segment_enters,
)
from caltrop.table.terrain import Ground, Piece

OBSTRUCTED_FROM = 5
"""From so many lines cut or crossed, a base is obstructed."""


class Look(NamedTuple):
    """What one base sees of another."""

    cut_lines: int
    """The lines that something cuts, one bit each, in the order of `nine_lines`."""
    crossed_lines: int
    """The lines that something cuts or obscures, one bit each."""

    @property
    def cut(self) -> int:
        """How many of the nine lines are cut."""
        return self.cut_lines.bit_count()

    @property
    def crossed(self) -> int:
        """How many of the nine lines are cut or obscured."""
        return self.crossed_lines.bit_count()

    @property
    def seen(self) -> bool:
        """Whether a line is uncut."""
        return self.cut_lines != ALL_LINES

    @property
    def obstructed(self) -> bool:
        """Whether five or more lines are cut or obscured."""
        return self.crossed_lines.bit_count() >= OBSTRUCTED_FROM


class TargetSight(NamedTuple):
    """The best view that a group has of one target model."""

    seen: bool
    """Whether any viewer sees it."""
    obstructed: bool
    """Whether no viewer sees it unobstructed."""
    in_cover: bool
    """Whether its centre is in terrain that gives cover."""
    crossed: int
    """The lines cut or obscured in the view with the fewest, 0 to 9."""

    @property
    def exposed(self) -> bool:
        """Whether it is neither obstructed nor in cover."""
        return not (self.obstructed or self.in_cover)


class Sight(NamedTuple):
    """What a group of bases sees of another group."""

    targets: tuple[TargetSight, ...]
    """The best view of each target, in the order given."""
    viewers: tuple[bool, ...]
    """Whether each viewer sees any target, in the order given."""

    @property
    def seen(self) -> bool:
        """Whether any viewer sees any target."""
        return any(self.viewers)

    @property
    def blind(self) -> int:
        """How many viewers see no target."""
        return self.viewers.count(False)

    @property
    def obstructed(self) -> int:
        """How many targets are obstructed."""
        return sum(target.obstructed for target in self.targets)

    @property
    def in_cover(self) -> int:
        """How many targets are in cover."""
        return sum(target.in_cover for target in self.targets)

    @property
    def exposed(self) -> int:
        """How many targets are neither obstructed nor in cover."""
        return sum(target.exposed for target in self.targets)

    @property
    def lines(self) -> int:
        """All lines to the targets, nine each, in the best view of each."""
        return LINES * len(self.targets)

    @property
    def lines_crossed(self) -> int:
        """How many of `lines` are cut or obscured."""
        return sum(target.crossed for target in self.targets)

    @property
    def lines_hindered(self) -> int:
        """How many of `lines` are cut or obscured, or lead to a target in cover (then all nine do)."""
        return sum(LINES if target.in_cover else target.crossed for target in self.targets)


class SightLine(NamedTuple):
    """One line of sight, explained."""

    start: Point
    end: Point
    cut: bool
    """Whether something cuts it."""
    obscured: bool
    """Whether terrain that only obscures lies across it."""
    terrain: str | None
    """The id of the terrain that stops it first, or None."""
    disc: int | None
    """The index among the blockers of the disc that stops it first, or None."""
    stop: Point | None
    """About where that begins; for drawing."""


class SightExplained(NamedTuple):
    """The nine lines between one viewer and one target, with the look that they amount to."""

    viewer: int
    target: int
    look: Look
    lines: tuple[SightLine, ...]


class _Corridor:
    """What may matter between two groups: culled once, then asked for each pair of bases."""

    __slots__ = ("blockers", "homes", "pieces")

    def __init__(self, ground: Ground, a: Sequence[Disc], b: Sequence[Disc], blockers: Sequence[Disc]) -> None:
        left, low, right, high = discs_box((*a, *b))
        # One more all round, since the sides of a base are rounded to the grid.
        left, low, right, high = left - 1, low - 1, right + 1, high + 1
        # The strip along the line between two of the bases that is just wide enough for all of them.
        nx = b[0][1] - a[0][1]
        ny = a[0][0] - b[0][0]
        if nx == 0 and ny == 0:
            nx = 1
        norm = root_up(nx * nx + ny * ny)
        least = most = nx * a[0][0] + ny * a[0][1]
        for group in (a, b):
            for x, y, r in group:
                across = nx * x + ny * y
                reach = (r + 1) * norm
                if across - reach < least:
                    least = across - reach
                if across + reach > most:
                    most = across + reach
        found: list[tuple[int, Disc]] = []
        for index, disc in enumerate(blockers):
            x, y, r = disc
            if x + r > left and x - r < right and y + r > low and y - r < high:
                across = nx * x + ny * y
                reach = r * norm
                if across + reach > least and across - reach < most:
                    found.append((index, disc))
        self.blockers = found
        pieces: list[Piece] = []
        for piece in ground.sight_pieces:
            x0, y0, x1, y1 = piece.box
            if x1 > left and x0 < right and y1 > low and y0 < high:
                top = (x1 if nx > 0 else x0) * nx + (y1 if ny > 0 else y0) * ny
                bottom = (x0 if nx > 0 else x1) * nx + (y0 if ny > 0 else y1) * ny
                if top > least and bottom < most:
                    pieces.append(piece)
        self.pieces = pieces
        self.homes: dict[Point, int] = {}

    def home(self, x: int, y: int) -> int:
        """Which of the pieces have a place in them, one bit each."""
        found = self.homes.get((x, y))
        if found is None:
            found = 0
            for index, piece in enumerate(self.pieces):
                x0, y0, x1, y1 = piece.box
                if x0 <= x <= x1 and y0 <= y <= y1 and in_polygon((x, y), piece.polygon):
                    found |= 1 << index
            self.homes[(x, y)] = found
        return found

    def between(self, a: Disc, b: Disc) -> tuple[list[tuple[int, Disc]], list[Piece]]:
        """The discs and the pieces that may matter between two bases."""
        ax, ay, ar = a
        bx, by, br = b
        wide = ar if ar > br else br
        dx = bx - ax
        dy = by - ay
        if dx == 0 and dy == 0:
            dx = 1
        length = root_up(dx * dx + dy * dy)
        discs: list[tuple[int, Disc]] = []
        for entry in self.blockers:
            x, y, r = entry[1]
            x -= ax
            y -= ay
            # One more than the widest base, since its sides are rounded to the grid.
            reach = (r + wide + 1) * length
            if -reach < dx * y - dy * x < reach:
                along = dx * x + dy * y
                if -reach < along < reach + length * length:
                    discs.append(entry)
        pieces: list[Piece] = []
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
        return discs, pieces

    def look(self, a: Disc, b: Disc) -> Look:
        """What two bases see of one another."""
        discs, pieces = self.between(a, b)
        if not discs and not pieces:
            return _CLEAR
        lines = nine_lines(a, b)
        cut = 0
        for piece in pieces:
            if piece.cuts:
                cut = lines_through_polygon(lines, piece.polygon, cut)
                if cut == ALL_LINES:
                    return _HIDDEN
        for _, disc in discs:
            cut = lines_through_disc(lines, disc, cut)
            if cut == ALL_LINES:
                return _HIDDEN
        crossed = cut
        for piece in pieces:
            if not piece.cuts and crossed != ALL_LINES:
                crossed = lines_through_polygon(lines, piece.polygon, crossed)
        return Look(cut, crossed)

    def explain(self, viewer: int, target: int, a: Disc, b: Disc) -> SightExplained:
        """The same look, with what stops each line first."""
        discs, pieces = self.between(a, b)
        lines = nine_lines(a, b)
        explained: list[SightLine] = []
        cut_mask = crossed_mask = 0
        found: list[tuple[int, bool, Piece | None, tuple[int, Disc] | None]] = []
        for piece in pieces:
            found.append((lines_through_polygon(lines, piece.polygon), piece.cuts, piece, None))
        for entry in discs:
            found.append((lines_through_disc(lines, entry[1]), True, None, entry))
        for number, line in enumerate(lines):
            bit = 1 << number
            hits = [hit for hit in found if hit[0] & bit]
            cut = any(hit[1] for hit in hits)
            obscured = any(not hit[1] for hit in hits)
            first: tuple[int, str | None, int | None] | None = None
            for _, cuts, stopper, blocker in hits:
                if cuts == cut:
                    reach = _reach(line, stopper.polygon if stopper else None, blocker[1] if blocker else None)
                    if first is None or reach < first[0]:
                        first = (reach, stopper.id if stopper else None, blocker[0] if blocker else None)
            if cut:
                cut_mask |= bit
            if hits:
                crossed_mask |= bit
            start, end = line
            if first is None:
                explained.append(SightLine(start, end, cut, obscured, None, None, None))
                continue
            stop = point_along(start, (end[0] - start[0], end[1] - start[1]), first[0])
            explained.append(SightLine(start, end, cut, obscured, first[1], first[2], stop))
        return SightExplained(viewer, target, Look(cut_mask, crossed_mask), tuple(explained))


def _reach(line: Line, polygon: Sequence[Point] | None, disc: Disc | None) -> int:
    """About how far along a line the inside of an obstacle that it crosses begins, in tenths of a millimetre."""
    start, end = line
    direction = (end[0] - start[0], end[1] - start[1])
    low, high = 0, distance_up(start, end)
    while low < high:
        middle = (low + high) // 2
        stop = point_along(start, direction, middle)
        if polygon is not None:
            met = crosses_polygon(start, stop, polygon)
        else:
            met = disc is not None and segment_enters(start, stop, (disc[0], disc[1]), disc[2])
        if met:
            high = middle
        else:
            low = middle + 1
    return low


_CLEAR = Look(0, 0)
_HIDDEN = Look(ALL_LINES, ALL_LINES)


def look(ground: Ground, a: Disc, b: Disc, blockers: Sequence[Disc]) -> Look:
    """What two bases see of one another; the same in both directions.

    Args:
        ground: The table made ready.
        a: One base.
        b: The other base.
        blockers: The discs of other units that block sight.
    """
    return _Corridor(ground, (a,), (b,), blockers).look(a, b)


def sight(ground: Ground, viewers: Sequence[Disc], targets: Sequence[Disc], blockers: Sequence[Disc]) -> Sight:
    """What one unit sees of another, the best view of each target counting.

    Args:
        ground: The table made ready.
        viewers: The bases that look.
        targets: The bases that are looked at.
        blockers: The discs of other units that block sight; models of neither group.
    """
    if not viewers or not targets:
        return Sight((), (False,) * len(viewers))
    corridor = _Corridor(ground, viewers, targets, blockers)
    sees = [False] * len(viewers)
    found: list[TargetSight] = []
    for target in targets:
        seen = False
        best = LINES
        for number, viewer in enumerate(viewers):
            if best == 0 and sees[number]:
                continue  # Neither the best view nor what this viewer sees at all can change.
            cut, crossed = corridor.look(viewer, target)
            if cut != ALL_LINES:
                seen = True
                sees[number] = True
            count = crossed.bit_count()
            if count < best:
                best = count
        cover = bool(ground.cover_pieces) and ground.in_cover((target[0], target[1]))
        found.append(TargetSight(seen, best >= OBSTRUCTED_FROM, cover, best))
    return Sight(tuple(found), tuple(sees))


def explain_look(ground: Ground, a: Disc, b: Disc, blockers: Sequence[Disc]) -> SightExplained:
    """The nine lines between two bases, each with what stops it first as seen from a."""
    return _Corridor(ground, (a,), (b,), blockers).explain(0, 0, a, b)


def explain_sight(
    ground: Ground, viewers: Sequence[Disc], targets: Sequence[Disc], blockers: Sequence[Disc]
) -> tuple[SightExplained, ...]:
    """Every line of sight between two groups, each with what stops it first: by viewer, then by target.

    A line that is cut names what cuts it; one that is only obscured names what obscures it.
    """
    if not viewers or not targets:
        return ()
    corridor = _Corridor(ground, viewers, targets, blockers)
    return tuple(
        corridor.explain(i, j, viewer, target)
        for i, viewer in enumerate(viewers)
        for j, target in enumerate(targets)
    )  # fmt: skip
