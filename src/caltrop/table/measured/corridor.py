"""What lies between two groups of bases: the coarse questions about sight, in numbers and tuples only.

A group asks once; what cannot matter is left out once for both groups and once for each pair of bases. This module and
the geometry below it hold no records, so that they can be compiled as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.geometry import (
    ALL_LINES,
    LINES,
    Box,
    Disc,
    Line,
    Point,
    Polygon,
    crosses_polygon,
    disc_overlaps_polygon,
    discs_box,
    in_polygon,
    lines_through_disc,
    lines_through_polygon,
    nine_lines,
    overlapping,
    root_up,
    segment_enters,
    segment_within,
    sweep_overlaps_polygon,
)


class Piece(NamedTuple):
    """A piece of terrain made ready for queries: plain values only."""

    box: Box
    circle: Disc
    """A disc that holds the whole piece, for quick tests; the piece itself where it is round."""
    polygon: Polygon
    """Its corners; none where it is round."""
    id: str
    cuts: bool
    """Whether it cuts lines of sight (otherwise, among the pieces that matter to sight, it only obscures them)."""

    @property
    def round(self) -> Disc | None:
        """Its circle, where it is one."""
        return None if self.polygon else self.circle


def holds(piece: Piece, point: Point) -> bool:
    """Whether a point lies in a piece of terrain, its edge included."""
    box = piece.box
    x, y = point
    if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
        return False
    if not piece.polygon:
        cx, cy, r = piece.circle
        return segment_within(point, point, (cx, cy), r)
    return in_polygon(point, piece.polygon)


def overlaps_piece(piece: Piece, disc: Disc) -> bool:
    """Whether a disc overlaps a piece of terrain; touching its edge from outside does not count."""
    box = piece.box
    x, y, r = disc
    if x + r <= box[0] or x - r >= box[2] or y + r <= box[1] or y - r >= box[3]:
        return False
    return disc_overlaps_polygon(disc, piece.polygon) if piece.polygon else overlapping(disc, piece.circle)


def sweeps_piece(piece: Piece, a: Point, b: Point, r: int) -> bool:
    """Whether a base of this radius, moved straight from a to b, overlaps a piece of terrain anywhere on the way."""
    if piece.polygon:
        return sweep_overlaps_polygon(a, b, r, piece.polygon)
    x, y, s = piece.circle
    return segment_enters(a, b, (x, y), r + s)


def crosses_piece(piece: Piece, a: Point, b: Point) -> bool:
    """Whether the segment from a to b has a point in the inside of a piece; a graze does not count."""
    if piece.polygon:
        return crosses_polygon(a, b, piece.polygon)
    x, y, s = piece.circle
    return segment_enters(a, b, (x, y), s)


def lines_through_piece(lines: Sequence[Line], piece: Piece, known: int = 0) -> int:
    """Which lines pass through the inside of a piece of terrain, one bit each, besides those known already."""
    if piece.polygon:
        return lines_through_polygon(lines, piece.polygon, known)
    return lines_through_disc(lines, piece.circle, known)


class Corridor:
    """What may matter between two groups: culled once, then asked for each pair of bases.

    Attributes:
        blockers: The discs in between that may matter, each with its number among all.
        pieces: The terrain in between that may matter.
    """

    __slots__ = ("blockers", "homes", "pieces")

    def __init__(
        self, sight_pieces: Sequence[Piece], a: Sequence[Disc], b: Sequence[Disc], blockers: Sequence[Disc]
    ) -> None:
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
        for piece in sight_pieces:
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
                if x0 <= x <= x1 and y0 <= y <= y1 and holds(piece, (x, y)):
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

    def masks(self, a: Disc, b: Disc) -> tuple[int, int]:
        """Which of the nine lines between two bases are cut, and which are cut or obscured."""
        discs, pieces = self.between(a, b)
        if not discs and not pieces:
            return 0, 0
        lines = nine_lines(a, b)
        cut = 0
        for piece in pieces:
            if piece.cuts:
                cut = lines_through_piece(lines, piece, cut)
                if cut == ALL_LINES:
                    return ALL_LINES, ALL_LINES
        for _, disc in discs:
            cut = lines_through_disc(lines, disc, cut)
            if cut == ALL_LINES:
                return ALL_LINES, ALL_LINES
        crossed = cut
        for piece in pieces:
            if not piece.cuts and crossed != ALL_LINES:
                crossed = lines_through_piece(lines, piece, crossed)
        return cut, crossed


def best_views(
    corridor: Corridor, viewers: Sequence[Disc], targets: Sequence[Disc]
) -> tuple[list[bool], list[int], list[bool]]:
    """The best view that a group has of each base of another.

    Returns:
        For each target whether it is seen, and the fewest lines cut or obscured; for each viewer whether it sees any.
    """
    sees = [False] * len(viewers)
    seen: list[bool] = []
    best: list[int] = []
    for target in targets:
        found = False
        fewest = LINES
        for number, viewer in enumerate(viewers):
            if fewest == 0 and sees[number]:
                continue  # Neither the best view nor what this viewer sees at all can change.
            cut, crossed = corridor.masks(viewer, target)
            if cut != ALL_LINES:
                found = True
                sees[number] = True
            count = crossed.bit_count()
            if count < fewest:
                fewest = count
        seen.append(found)
        best.append(fewest)
    return seen, best, sees
