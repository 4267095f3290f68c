"""Judge whether a table is fair, by its ground, its shelter, its open lines and the paths to its goals.

The picture of a table is divided into squares, so that measured tables and maps of hexes are judged alike. The sides'
shares of wins on a table need a series of battles instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot, inf
from typing import NamedTuple

from caltrop.agreeing import quantity
from caltrop.engine.parts import GroundKind, Maps
from caltrop.picture import Picture, Point

FINENESS = 48
"""Number of squares along the longer side of the table."""

LINES = 6
"""Number of places of each side between which lines are tested."""

MOST_CLOSED = 25
"""Largest percentage of a side's starting area that may be closed to walkers."""

Square = tuple[int, int]


class TableMeasures(NamedTuple):
    """The measures of a table: percentages, and lengths in squares."""

    covered: float
    """Percentage of the table that terrain covers."""
    shelter: tuple[float, float]
    """Percentage of each side's half with sheltering terrain."""
    open_lines: float
    """Percentage of open lines between the sides' starting areas."""
    ways: tuple[float, float]
    """Total length of each side's paths to all goals and to the other's starting area, in squares; infinite if a path
    is missing."""
    closed_starts: tuple[float, float]
    """Percentage of each side's starting area that is closed to walkers."""
    closed_goals: int


class FairnessBoard:
    """The ground of a picture, divided into squares.

    Args:
        maps: The game's support for authors.
        picture: The table before anybody is placed.
    """

    def __init__(self, maps: Maps, picture: Picture) -> None:
        self.maps, self.picture = maps, picture
        self.size = max(picture.width, picture.height) / FINENESS
        self.columns = max(round(picture.width / self.size), 1)
        self.rows = max(round(picture.height / self.size), 1)
        kinds = {ground.look: ground for ground in maps.grounds}
        self.grounds: dict[Square, GroundKind] = {}
        for patch in picture.grounds:
            kind = kinds.get(patch.kind)
            if kind is not None:
                for square in self._squares(patch.outline):
                    before = self.grounds.get(square)
                    if before is None or not before.closed:
                        self.grounds[square] = kind

    def _squares(self, outline: Sequence[Point]) -> Iterator[Square]:
        """Yield the squares whose middle is in a polygon; of a thin polygon, also the squares that its border
        crosses.
        """
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        low, high = self.square((min(xs), min(ys))), self.square((max(xs), max(ys)))
        held = [
            (column, row)
            for column in range(low[0], high[0] + 1)
            for row in range(low[1], high[1] + 1)
            if _holds(outline, self.middle((column, row)))
        ]
        yield from held or dict.fromkeys(
            [square for a, b in pairwise([*outline, outline[0]]) for square in self.between(a, b)]
        )

    def square(self, at: Sequence[float]) -> Square:
        """Return the square of a point; the nearest square for a point off the table."""
        column, row = int(at[0] / self.size), int(at[1] / self.size)
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)

    def middle(self, square: Square) -> tuple[float, float]:
        return (square[0] + 0.5) * self.size, (square[1] + 0.5) * self.size

    def between(self, a: Sequence[float], b: Sequence[float]) -> list[Square]:
        """Return the squares that a line crosses."""
        steps = max(int(2 * hypot(b[0] - a[0], b[1] - a[1]) / self.size), 1)
        points = [(a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps) for i in range(steps + 1)]
        return list(dict.fromkeys(map(self.square, points)))

    def starts(self, side: int) -> list[Square]:
        """Return the squares of a side's starting area: its zone, its units, or else the fifth of the table at its
        edge.
        """
        zones = [zone.outline for zone in self.picture.zones if zone.side == side]
        if zones:
            return [square for zone in zones for square in self._squares(zone)]
        at = [piece.at for group in self.picture.groups if group.side == side for piece in group.pieces]
        if at:
            return list(dict.fromkeys(map(self.square, at)))
        along, rows = (self.rows, True) if self.maps.sides == "rows" else (self.columns, False)
        fifth = range(along // 5) if side == 0 else range(along - along // 5, along)
        across = range(self.columns if rows else self.rows)
        return [(other, one) if rows else (one, other) for one in fifth for other in across]

    def closed(self, square: Square) -> bool:
        """Return whether a square is closed to walkers."""
        kind = self.grounds.get(square)
        return kind is not None and kind.closed

    def line_is_open(self, a: Square, b: Square) -> bool:
        """Return whether no terrain cuts or obscures the line between two squares."""
        between = self.between(self.middle(a), self.middle(b))
        return not any(self.grounds[one].cuts for one in between if one not in (a, b) and one in self.grounds)

    def walks(self, starts: Sequence[Square]) -> dict[Square, float]:
        """Return the walking distance from the nearest of some squares to every square that can be reached."""
        far = {square: 0.0 for square in starts if not self.closed(square)}
        queue = [(0.0, square) for square in far]
        while queue:
            so_far, (column, row) = heappop(queue)
            if so_far > far.get((column, row), inf):
                continue
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                there = column + dx, row + dy
                if not (0 <= there[0] < self.columns and 0 <= there[1] < self.rows) or self.closed(there):
                    continue
                length = so_far + hypot(dx, dy)
                if length < far.get(there, inf):
                    far[there] = length
                    heappush(queue, (length, there))
        return far

    def judged(self) -> TableMeasures:
        both = [self.starts(side) for side in (0, 1)]
        goals = [self.square(spot.at) for spot in self.picture.spots]
        shelter = [square for square, kind in self.grounds.items() if kind.shelters]
        half = self.columns * self.rows / 2
        open_lines = [self.line_is_open(a, b) for a in _spread(both[0]) for b in _spread(both[1])]
        walks = [self.walks(starts) for starts in both]
        ways = [
            sum(far.get(goal, inf) for goal in goals) + min([far.get(at, inf) for at in both[1 - side]], default=inf)
            for side, far in enumerate(walks)
        ]
        return TableMeasures(
            covered=100 * len(self.grounds) / (2 * half),
            shelter=(
                100 * sum(self._before(square) < 0 for square in shelter) / half,
                100 * sum(self._before(square) > 0 for square in shelter) / half,
            ),
            open_lines=100 * sum(open_lines) / max(len(open_lines), 1),
            ways=(ways[0], ways[1]),
            closed_starts=(self._part_closed(both[0]), self._part_closed(both[1])),
            closed_goals=sum(map(self.closed, goals)),
        )

    def _before(self, square: Square) -> float:
        """Return a number below 0 for a square in the first side's half, above 0 for one in the second's."""
        if self.maps.sides == "rows":
            return square[1] + 0.5 - self.rows / 2
        return square[0] + 0.5 - self.columns / 2

    def _part_closed(self, squares: Sequence[Square]) -> float:
        return 100 * sum(map(self.closed, squares)) / max(len(squares), 1)


def _spread(squares: Sequence[Square]) -> list[Square]:
    ordered = sorted(squares)
    count = min(LINES, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * count)] for i in range(count)]


def _holds(outline: Sequence[Point], at: tuple[float, float]) -> bool:
    x, y = at
    inside = False
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def unfair(maps: Maps, picture: Picture) -> list[str]:
    """Return sentences on why a table is unfair; empty if it is fair.

    Args:
        maps: The game's support for authors.
        picture: The table before anybody is placed.
    """
    faults, fair = FairnessBoard(maps, picture).judged(), maps.fairness
    words = []
    low, high = fair.covered
    if not low <= faults.covered <= high:
        words.append(f"ground covers {faults.covered:.0f} % of the table; from {low} to {high} % is usual")
    low, high = fair.open_lines
    if not low <= faults.open_lines <= high:
        words.append(
            f"{faults.open_lines:.0f} % of the lines between the sides are open; from {low} to {high} % is fair"
        )
    least, most = sorted(faults.shelter)
    if least < most * (100 - fair.shelter) / 100:
        words.append(f"shelter covers {least:.0f} % of one half of the table and {most:.0f} % of the other")
    shorter, longer = sorted(faults.ways)
    if longer == inf:
        words.append("a goal or the other side cannot be reached on foot")
    elif longer > shorter * (100 + fair.ways) / 100:
        words.append(f"one side walks {longer / max(shorter, 1) * 100 - 100:.0f} % farther to the goals than the other")
    if max(faults.closed_starts) > MOST_CLOSED:
        words.append(f"{max(faults.closed_starts):.0f} % of the ground where a side begins is closed")
    if faults.closed_goals:
        words.append(f"{quantity(faults.closed_goals, 'goal', 'lies')} on closed ground")
    return words
