"""Draw a measured table in characters.

Letters stand for kinds of units, textures for kinds of ground, and no difference is shown by colour alone. Everything
is drawn from a `Picture`. Maps of hexes are drawn by `hexes`, with the same letters and textures.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from caltrop.picture import Ground, Group, Picture, Point, Spot, Zone

MARGIN = 5
"""Number of columns of the ruler at the left."""

_LETTERS = {
    "light": "L",
    "medium": "M",
    "heavy": "H",
    "artillery": "A",
    "command": "C",
    "infantry": "I",
    "heavy-weapons": "W",
    "worm": "O",
    "slugger": "S",
    "carrier": "R",
}
_TEXTURES = {
    "woods": "♣",
    "built-up": "#",
    "rough": ":",
    "hill": "^",
    "building": "█",
    "impassable": "X",
    "pit": "O",
    "water": "~",
    "river": "~",
    "road": "=",
    "bridge": "≡",
    "ford": "≈",
    "rubble": "░",
    "ruins": "▒",
    "citadel": "█",
    "spire": "▲",
    "entrenchment": "∩",
}
_OTHER_TEXTURES = "%&$§¤¶"
CLOUDS = {"smoke": "∴"}
"""Textures of marked places that are drawn in full size, by kind; of other kinds only the middle is drawn."""
_STEPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)
COLOURS = ("blue", "red", "green", "magenta")
"""Colours of the sides, from the terminal's palette; capital and small letters distinguish them too."""


class ScreenCell(NamedTuple):
    character: str = " "
    style: str = ""


def letters(groups: Iterable[Group]) -> dict[str, str]:
    """Return a different letter for every silhouette among *groups*."""
    names = dict.fromkeys(name for g in groups for name in (g.silhouette, *(p.silhouette for p in g.pieces)) if name)
    letters_by_name = {name: _LETTERS[name] for name in names if name in _LETTERS}
    for name in names:
        if name not in letters_by_name:
            candidates = [c for c in name.upper() if c.isalpha()] + [chr(c) for c in range(ord("A"), ord("Z") + 1)]
            letters_by_name[name] = next((c for c in candidates if c not in letters_by_name.values()), "?")
    return letters_by_name


def letters_on(picture: Picture) -> dict[str, str]:
    """Return the letters of the units on a table. If every unit is a single model, each has its own letter within its
    side.
    """
    alone = picture.form != "hexes" and all(len(group.pieces) <= 1 for group in picture.groups)
    kinds = {(group.side, group.silhouette) for group in picture.groups}
    if not alone or len(kinds) == len(picture.groups):
        return letters(picture.groups)
    letters_by_id: dict[str, str] = {}
    for side in {group.side for group in picture.groups}:
        taken: set[str] = set()
        for group in picture.groups:
            if group.side == side:
                candidates = [c for c in group.name.upper() if c.isalpha() and c.isascii()]
                candidates += [chr(c) for c in range(ord("A"), ord("Z") + 1)]
                letter = next((c for c in candidates if c not in taken), "?")
                taken.add(letter)
                letters_by_id[_own(group)] = letter
    return letters_by_id


def _own(group: Group) -> str:
    return f"unit {group.id}"


def textures(grounds: Iterable[Ground]) -> dict[str, str]:
    kinds = sorted({ground.kind for ground in grounds})
    others = [kind for kind in kinds if kind not in _TEXTURES]
    by_kind = {kind: _TEXTURES[kind] for kind in kinds if kind in _TEXTURES}
    return by_kind | {kind: _OTHER_TEXTURES[i % len(_OTHER_TEXTURES)] for i, kind in enumerate(others)}


def letter_of(group: Group, silhouette: str, letters: Mapping[str, str]) -> str:
    """Return the letter of a model: a capital for the first side, a small one for the second."""
    kind = silhouette or group.silhouette
    letter = letters.get(_own(group)) or (letters[kind] if kind else "U")
    return letter if group.side % 2 == 0 else letter.lower()


def crossings(outline: Sequence[Point], y: float) -> list[float]:
    """Return the x coordinates at which an outline crosses the horizontal line at *y*, from left to right, for drawing
    only.
    """
    bounds = [
        (x1 - x0) * (y - y0) / (y1 - y0) + x0
        for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], *outline[:1]), strict=True)
        if (y0 > y) != (y1 > y)
    ]
    return sorted(bounds)


def between(crossed: Sequence[float], x: float) -> bool:
    return (len(crossed) - bisect_right(crossed, x)) % 2 == 1


def inside(outline: Sequence[Point], x: float, y: float) -> bool:
    """Return whether a place is inside an outline, with the precision of drawing."""
    return between(crossings(outline, y), x)


class Window:
    """The visible part of the table, and its scale.

    Args:
        columns: Columns of the screen, ruler included.
        rows: Rows of the screen, ruler included.
        zoom: 0 for the whole table; each step shows half the width and height.
    """

    def __init__(self, picture: Picture, columns: int, rows: int, zoom: int = 0, centre: Point = (0, 0)) -> None:
        self.columns, self.rows = max(columns - MARGIN, 1), max(rows - 1, 1)
        self.measure, self.width, self.height = picture.scale, picture.width, picture.height
        whole = max(picture.width / self.columns, picture.height / self.rows / 2) / self.measure
        step = next((step for step in _STEPS if step >= whole), whole)
        for _ in range(zoom):
            step = next((s for s in reversed(_STEPS) if s <= step * 0.6), step / 2)
        self.wide, self.high = step * self.measure, step * self.measure * 2
        self.left = self._start(centre[0], picture.width, self.wide, self.columns)
        self.top = self._start(picture.height - centre[1], picture.height, self.high, self.rows)

    @staticmethod
    def _start(middle: float, size: float, step: float, cells: int) -> int:
        last = int(-(-size // step)) - cells
        return max(0, min(last, int(middle // step) - cells // 2))

    def cell(self, at: Point) -> tuple[int, int]:
        """Return the column and row of a place, which may be outside the window. Places on the right or lower edge are
        in the last column or row.
        """
        x, y = min(at[0], self.width - 1), self.height - max(at[1], 1)
        return int(x // self.wide) - self.left, int(y // self.high) - self.top

    def place(self, column: int, row: int) -> tuple[float, float]:
        """Return the middle of a cell, in table units."""
        return (self.left + column + 0.5) * self.wide, self.height - (self.top + row + 0.5) * self.high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Window) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def step(self, at: Point, across: int, down: int, picture: Picture) -> Point:
        x, y = at[0] + round(across * self.wide), at[1] - round(down * self.high)
        return max(0, min(picture.width, x)), max(0, min(picture.height, y))


class BoardMarks(NamedTuple):
    """Marks over the picture for the player."""

    cursor: Point | None = None
    selected: int | None = None
    target: int | None = None
    ready: tuple[int, ...] = ()
    spots: tuple[Point, ...] = ()
    """Places that choices offer, which are marked."""
    paths: tuple[tuple[Point, ...], ...] = ()
    """Paths of the proposal, or of a refused act."""
    legal: bool = True
    measure: Point | None = None


_NOTHING = BoardMarks()
_EMPTY = ScreenCell()


def drawn(picture: Picture, window: Window, marks: BoardMarks = _NOTHING) -> list[list[ScreenCell]]:
    """Return the drawn rows, the ruler first."""
    canvas = _BoardCanvas(picture, window)
    canvas.lines()
    canvas.models(marks)
    canvas.over(marks)
    return [canvas.ruler(), *([*canvas.ruler_at(row), *cells] for row, cells in enumerate(canvas.cells))]


@lru_cache(maxsize=8)
def _ground(grounds: tuple[Ground, ...], zones: tuple[Zone, ...], window: Window) -> tuple[tuple[ScreenCell, ...], ...]:
    cells = [[_EMPTY] * window.columns for _ in range(window.rows)]
    by_kind = textures(grounds)
    across, down = window.place(0, 0)
    for row in range(window.rows):
        y = down - row * window.high
        # The outlines are computed once for each row, because a table has thousands of cells.
        there = [(g.kind, at) for g in reversed(grounds) if (at := crossings(g.outline, y))]
        marked = [("'" if z.side == 1 else ".", at) for z in zones if (at := crossings(z.outline, y))]
        for column in range(window.columns):
            x = across + column * window.wide
            if x - window.wide / 2 >= window.width or y + window.high / 2 <= 0:
                continue
            kind = next((kind for kind, crossed in there if between(crossed, x)), None)
            if kind is not None:
                cells[row][column] = ScreenCell(by_kind[kind], "green" if kind == "woods" else "dim")
                continue
            zone = next((sign for sign, crossed in marked if between(crossed, x)), None)
            if zone is not None and (column + row) % 2 == 0:
                cells[row][column] = ScreenCell(zone, "dim")
            elif zone is None and (column + window.left) % 10 == 0 and (row + window.top) % 5 == 0:
                cells[row][column] = ScreenCell("·", "dim")
    # Ground smaller than a cell is drawn in one cell.
    for ground in grounds:
        xs, ys = [x for x, _ in ground.outline], [y for _, y in ground.outline]
        column, row = window.cell((sum(xs) // len(xs), sum(ys) // len(ys)))
        small = max(xs) - min(xs) < 2 * window.wide or max(ys) - min(ys) < window.high
        if small and 0 <= row < window.rows and 0 <= column < window.columns:
            cells[row][column] = ScreenCell(by_kind[ground.kind], "dim")
    return tuple(map(tuple, cells))


class _BoardCanvas:
    def __init__(self, picture: Picture, window: Window) -> None:
        self.picture, self.window = picture, window
        self.cells = [list(row) for row in _ground(picture.grounds, picture.zones, window)]

    def put(self, at: tuple[int, int], character: str, style: str = "") -> None:
        column, row = at
        if 0 <= row < len(self.cells) and 0 <= column < self.window.columns:
            self.cells[row][column] = ScreenCell(character, style)

    def restyle(self, at: tuple[int, int], style: str) -> None:
        column, row = at
        if 0 <= row < len(self.cells) and 0 <= column < self.window.columns:
            self.put(at, self.cells[row][column].character, style)

    def lines(self) -> None:
        for line in self.picture.lines:
            self.line(line.start, line.end, {"lock": "≈", "mark": "-"}.get(line.kind, "•"), "dim")
        for spot in self.picture.spots:
            if spot.kind in CLOUDS:
                self.cloud(spot)
                continue
            column, row = self.window.cell(spot.at)
            holder = "*" if spot.holder is None else "AB"[spot.holder % 2]
            for i, character in enumerate(("{", holder, "}")):
                self.put((column - 1 + i, row), character, "bold")

    def cloud(self, spot: Spot) -> None:
        window, (x, y), radius, sign = self.window, spot.at, spot.radius, CLOUDS[spot.kind]
        (first, top), (last, bottom) = window.cell((x - radius, y + radius)), window.cell((x + radius, y - radius))
        for row in range(max(top, 0), min(bottom + 1, window.rows)):
            for column in range(max(first, 0), min(last + 1, window.columns)):
                across, down = window.place(column, row)
                there = 0 <= across <= self.picture.width and 0 <= down <= self.picture.height
                if there and hypot(across - x, down - y) <= radius:
                    self.put((column, row), sign, "dim")
        self.put(window.cell(spot.at), sign, "dim")

    def line(self, start: Point, end: Point, character: str, style: str) -> None:
        (c0, r0), (c1, r1) = self.window.cell(start), self.window.cell(end)
        count = max(abs(c1 - c0), abs(r1 - r0), 1)
        if count > 2000:
            return
        for i in range(count + 1):
            self.put((c0 + round((c1 - c0) * i / count), r0 + round((r1 - r0) * i / count)), character, style)

    def models(self, marks: BoardMarks) -> None:
        letters = letters_on(self.picture)
        shapes = {seat.side: ("(", ")") if seat.shape == "circle" else ("<", ">") for seat in self.picture.seats}
        taken: set[tuple[int, int]] = set()
        # The selected unit is drawn last, so that no other hides it.
        for group in sorted(self.picture.groups, key=lambda g: (g.id == marks.selected, g.id == marks.target)):
            style = COLOURS[group.side % len(COLOURS)]
            if group.id in marks.ready:
                style += " bold"
            if group.id == marks.selected:
                style += " bold reverse"
            elif group.id == marks.target:
                style += " underline reverse"
            for piece in group.pieces:
                column, row = self.window.cell(piece.at)
                self.put((column, row), letter_of(group, piece.silhouette, letters), style)
                taken.add((column, row))
        for group in self.picture.groups:
            left, right = shapes.get(group.side, ("[", "]"))
            for piece in group.pieces:
                # A base that is wide enough on the screen has the shape of its side.
                if piece.radius * 2 >= self.window.wide * 2.4:
                    reach = max(1, int(piece.radius / self.window.wide))
                    column, row = self.window.cell(piece.at)
                    for at, character in (((column - reach, row), left), ((column + reach, row), right)):
                        if at not in taken:
                            self.put(at, character, COLOURS[group.side % len(COLOURS)])

    def over(self, marks: BoardMarks) -> None:
        colour = "green" if marks.legal else "red"
        for path in marks.paths:
            for start, end in pairwise(path):
                (c0, r0), (c1, r1) = self.window.cell(start), self.window.cell(end)
                count = min(max(abs(c1 - c0), abs(r1 - r0), 1), 2000)
                for i in range(1, count + 1):
                    at = (c0 + round((c1 - c0) * i / count), r0 + round((r1 - r0) * i / count))
                    if self._free(at):
                        self.put(at, "·", colour)
        for path in marks.paths:
            if path:
                self.put(self.window.cell(path[-1]), "o" if marks.legal else "×", f"bold {colour}")
        for spot in marks.spots:
            if self._free(self.window.cell(spot)):
                self.put(self.window.cell(spot), "+", "bold")
        if marks.measure is not None:
            if marks.cursor is not None:
                (c0, r0), (c1, r1) = self.window.cell(marks.measure), self.window.cell(marks.cursor)
                count = min(max(abs(c1 - c0), abs(r1 - r0), 1), 2000)
                for i in range(count + 1):
                    at = (c0 + round((c1 - c0) * i / count), r0 + round((r1 - r0) * i / count))
                    if self._free(at):
                        self.put(at, "-", "bold")
            self.put(self.window.cell(marks.measure), "+", "bold")
        if marks.cursor is not None:
            column, row = self.window.cell(marks.cursor)
            self.put((column - 1, row), "[", "bold yellow reverse")
            self.put((column + 1, row), "]", "bold yellow reverse")
            self.restyle((column, row), f"{self._style((column, row))} bold")

    def _free(self, at: tuple[int, int]) -> bool:
        column, row = at
        if not (0 <= row < len(self.cells) and 0 <= column < self.window.columns):
            return False
        return not self.cells[row][column].character.isalpha()

    def _style(self, at: tuple[int, int]) -> str:
        column, row = at
        return self.cells[row][column].style if 0 <= row < len(self.cells) and 0 <= column < self.window.columns else ""

    def ruler(self) -> list[ScreenCell]:
        window = self.window
        text = [" "] * (MARGIN + window.columns)
        for column in range(window.columns):
            if (column + window.left) % 10 == 0 and (column + window.left) * window.wide <= self.picture.width:
                label = number((column + window.left) * window.wide / window.measure)
                for i, character in enumerate(label):
                    if MARGIN + column + i < len(text):
                        text[MARGIN + column + i] = character
        return [ScreenCell(character, "dim") for character in text]

    def ruler_at(self, row: int) -> list[ScreenCell]:
        window, label = self.window, ""
        at = self.picture.height - (row + window.top) * window.high
        if (row + window.top) % 2 == 0 and at >= 0:
            label = number(at / window.measure)
            if len(label) >= MARGIN:
                label = f"{at / window.measure:.0f}"
        return [ScreenCell(character, "dim") for character in label.rjust(MARGIN - 1)[: MARGIN - 1] + "│"]


def number(value: float) -> str:
    """Return a length in the game's own measure, with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
