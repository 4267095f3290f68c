"""Draw a map of hexes in characters: a fixed block for every hex, with alternate rows offset by half a block.

Letters and textures are those of the measured table, and no difference is shown by colour alone. A unit's letters come
from its kind and the faces of the game's dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from caltrop.picture import Cell as Hex
from caltrop.picture import Ground, Group, Picture, Point, Spot, Token, Zone
from caltrop.table.hexes import hex_map
from caltrop.table.hexes.lattice import steps
from caltrop.terminal.board import COLOURS, BoardMarks, ScreenCell, inside, letters, textures

MARGIN = 3
"""Number of columns of the row numbers at the left."""

FORMS = ((4, 1), (6, 2), (8, 3))
"""Sizes of a drawn hex in columns and rows, the smallest first."""

_SHAPES = {"circle": ("●", "◉"), "diamond": ("♦", "◈")}
"""Signs of a side's units, without and with a leader."""


class Map:
    """The hexes of a picture by place and by name."""

    def __init__(self, cells: tuple[Hex, ...], corners: tuple[Point, ...]) -> None:
        self.half = max(x for x, _ in corners)
        self.pitch = max(y for _, y in corners) * 3 // 2
        self.left = min(cell.at[0] for cell in cells)
        self.top = max(cell.at[1] for cell in cells)
        self.cells = {self.lattice(cell.at): cell for cell in cells}
        self.names = {cell.name: cell for cell in cells}
        self.across = max(x for x, _ in self.cells) + 2
        """Width of the map in half hexes."""
        self.rows = max(row for _, row in self.cells) + 1
        self.columns = sum(row == 0 for _, row in self.cells)
        """Number of hexes in the first row."""

    def lattice(self, at: Point) -> tuple[int, int]:
        """Return the position of a place relative to the first hex: half hexes to the right, and rows down."""
        row = round((self.top - at[1]) / self.pitch)
        x = (at[0] - self.left) / self.half
        # In every other row the centres are offset by half a hex.
        return 2 * round((x - row % 2) / 2) + row % 2, row

    def at(self, place: Point) -> Hex | None:
        return self.cells.get(self.lattice(place))

    def nearest(self, place: Point) -> Hex:
        hex = self.at(place)
        if hex is not None:
            return hex
        x, y = place
        return min(self.cells.values(), key=lambda cell: (cell.at[0] - x) ** 2 + (cell.at[1] - y) ** 2)

    def apart(self, a: Point, b: Point) -> int:
        (ax, ay), (bx, by) = self.lattice(a), self.lattice(b)
        return steps((ax - bx, 3 * (ay - by)))

    def fault(self, text: str) -> str:
        return hex_map(self.rows, self.columns).fault(text)


@lru_cache(maxsize=8)
def _map(cells: tuple[Hex, ...], corners: tuple[Point, ...]) -> Map:
    return Map(cells, corners)


def map_of(picture: Picture) -> Map:
    return _map(picture.cells, picture.corners)


class HexWindow:
    """The visible part of a map of hexes, and the size of a hex.

    Args:
        columns: Columns of the screen, ruler included.
        rows: Rows of the screen, rulers included.
        zoom: 0 for the largest size at which the whole map fits (or the smallest size); each step is one size larger.
    """

    def __init__(self, picture: Picture, columns: int, rows: int, zoom: int = 0, centre: Point = (0, 0)) -> None:
        self.map = map_of(picture)
        self.bars = bool(_bars(picture))
        self.columns, self.rows = max(columns - MARGIN, 1), max(rows - 1 - self.bars, 1)
        fitting = [i for i, form in enumerate(FORMS) if self._fits(*form)]
        self.wide, self.high = FORMS[min((fitting[-1] if fitting else 0) + zoom, len(FORMS) - 1)]
        width, height = self.map.across * self.wide // 2, self.map.rows * self.high
        x, row = self.map.lattice(self.map.nearest(centre).at)
        self.left = max(0, min(width - self.columns, (x + 1) * self.wide // 2 - self.columns // 2))
        self.top = max(0, min(height - self.rows, row * self.high + self.high // 2 - self.rows // 2))
        self.width = min(width, self.columns) + MARGIN
        """Number of columns of the drawn map, ruler included."""
        self.height = min(height, self.rows) + 1 + self.bars
        """Number of rows of the drawn map, rulers included."""

    def _fits(self, wide: int, high: int) -> bool:
        return self.map.across * wide // 2 <= self.columns and self.map.rows * high <= self.rows

    def corner(self, at: Point) -> tuple[int, int]:
        """Return the first column and row of the block of a place's hex, which may be outside the window."""
        x, row = self.map.lattice(at)
        return x * self.wide // 2 - self.left, row * self.high - self.top

    def cell(self, at: Point) -> tuple[int, int]:
        """Return the column and row in the middle of the block of a place's hex."""
        column, row = self.corner(at)
        return column + _middle(self.wide), row + (self.high - 1) // 2

    def step(self, at: Point, across: int, down: int, picture: Picture) -> Point:
        """Return the centre of the hex a number of hexes to the right and rows down, limited to the map."""
        x, row = self.map.lattice(self.map.nearest(at).at)
        row = max(0, min(self.map.rows - 1, row + down))
        # Moving up and down stays in the column with the same letter, so that the opposite move leads back.
        column = 2 * (x // 2 + across) + row % 2
        nearest = min((place for place in self.map.cells if place[1] == row), key=lambda cell: abs(cell[0] - column))
        return self.map.cells[nearest].at


def _middle(wide: int) -> int:
    return wide // 2 if wide <= 4 else (wide - 1) // 2


# --- contents of the hexes --------------------------------------------------------------------------------------------


def standing(picture: Picture, at: Point) -> list[Group]:
    here = map_of(picture)
    hex = here.at(at)
    if hex is None:
        return []
    x, y = hex.at
    groups = [
        (abs(p.at[0] - x) + abs(p.at[1] - y), -p.radius, g.id, g)
        for g in picture.groups
        for p in g.pieces
        if here.at(p.at) is hex
    ]
    return [g for *_, g in sorted(groups, key=lambda item: item[:3])]


def in_zone(zone: Zone, at: Point) -> bool:
    return any(inside(zone.outline, at[0] + dx, at[1]) for dx in (-1, 1))


@lru_cache(maxsize=8)
def _zones_of(zones: tuple[Zone, ...], cells: tuple[Hex, ...]) -> dict[str, list[Zone]]:
    return {cell.name: [zone for zone in zones if in_zone(zone, cell.at)] for cell in cells}


@lru_cache(maxsize=8)
def _grounds_of(grounds: tuple[Ground, ...], cells: tuple[Hex, ...]) -> dict[str, list[str]]:
    return {cell.name: [ground.kind for ground in grounds if inside(ground.outline, *cell.at)] for cell in cells}


def spots_at(picture: Picture, at: Point) -> list[Spot]:
    here = map_of(picture)
    hex = here.at(at)
    return [spot for spot in picture.spots if hex is not None and here.at(spot.at) is hex]


@lru_cache(maxsize=8)
def face_letters(faces: tuple[str, ...]) -> dict[str, str]:
    """Return a different letter for each symbol on the faces of a die."""
    by_face: dict[str, str] = {}
    for name in faces:
        candidates = [*(c for c in name.upper() if c.isalpha()), *map(chr, range(ord("A"), ord("Z") + 1))]
        by_face.setdefault(name, next((c for c in candidates if c not in by_face.values()), "?"))
    return by_face


def code(group: Group, picture: Picture) -> str:
    """Return the letters of a unit, such as `VM`: one for the symbol in its kind, one for the rest of the kind.

    A unit whose kind begins with no symbol has the letter of its silhouette. The second side has small letters.
    """
    names = [name for name in face_letters(picture.faces) if f"{group.kind}-".startswith(f"{name}-")]
    if names:
        name = max(names, key=len)
        text = face_letters(picture.faces)[name] + group.kind[len(name) :].lstrip("-")[:1].upper()
    else:
        text = letters(picture.groups).get(group.silhouette, "U")
    return text if group.side % 2 == 0 else text.lower()


def shape(picture: Picture, side: int, led: bool = False) -> str:
    """Return the sign of a side's units, with or without a leader."""
    seat = next((s for s in picture.seats if s.side == side), None)
    return _SHAPES.get(seat.shape if seat is not None else "", ("■", "▣"))[led]


def tokens_drawn(group: Group) -> list[Token]:
    """Return the markers drawn under a unit, except a leader's, which has its own sign."""
    return [token for token in group.tokens if token.kind != "leader"]


def _strength(group: Group) -> str:
    left = group.strength.partition("/")[0]
    return left if len(left) < 2 else "+"


def _bars(picture: Picture) -> list[tuple[int, int, Zone]]:
    """Return the zones that divide the whole map from left to right, with their ends; empty if the zones lie
    otherwise.
    """
    bars = []
    for zone in picture.zones:
        xs, ys = [x for x, _ in zone.outline], [y for _, y in zone.outline]
        if zone.side is None and max(ys) - min(ys) > picture.height * 0.8:
            bars.append((min(xs), max(xs), zone))
    bars.sort(key=lambda bar: bar[:2])
    hex = 2 * map_of(picture).half if bars else 0
    return bars if all(a[1] - b[0] <= hex for a, b in pairwise(bars)) else []


# --- drawing ----------------------------------------------------------------------------------------------------------


def drawn(picture: Picture, window: HexWindow, marks: BoardMarks) -> list[list[ScreenCell]]:
    canvas = _HexCanvas(picture, window, marks)
    for cell in picture.cells:
        canvas.hex(cell)
    canvas.ways()
    canvas.cursor()
    rows = [canvas.letters(), *([*canvas.number(row), *cells] for row, cells in enumerate(canvas.cells))]
    shown = rows[: window.height - window.bars]
    return [*shown, canvas.sections()] if window.bars else shown


class _HexCanvas:
    def __init__(self, picture: Picture, window: HexWindow, marks: BoardMarks) -> None:
        self.picture, self.window, self.marks = picture, window, marks
        self.cells = [[ScreenCell()] * window.columns for _ in range(window.rows)]
        self.taken: set[tuple[int, int]] = set()
        """Cells with text over which no path is drawn."""
        self.textures = textures(picture.grounds)
        here = window.map
        self.offered = {here.lattice(spot) for spot in marks.spots}
        self.grounds = _grounds_of(picture.grounds, picture.cells)
        self.zones = _zones_of(picture.zones, picture.cells)
        self.units: dict[Point, list[Group]] = {}
        for group in picture.groups:
            for piece in group.pieces:
                place = here.lattice(piece.at)
                if place in here.cells and place not in self.units:
                    self.units[place] = standing(picture, here.cells[place].at)
        self.spots = {here.lattice(spot.at): spot for spot in picture.spots}

    def put(self, at: tuple[int, int], character: str, style: str = "", keep: bool = False) -> None:
        column, row = at
        if 0 <= row < len(self.cells) and 0 <= column < self.window.columns:
            self.cells[row][column] = ScreenCell(character, style)
            if keep:
                self.taken.add(at)

    def write(self, at: tuple[int, int], text: str, style: str = "", keep: bool = False) -> None:
        for i, character in enumerate(text):
            if character != " ":
                self.put((at[0] + i, at[1]), character, style, keep)

    def hex(self, cell: Hex) -> None:
        window, place = self.window, self.window.map.lattice(cell.at)
        column, row = window.corner(cell.at)
        if not (-window.wide < column < window.columns and -window.high < row < window.rows):
            return
        wide, high, middle = window.wide, window.high, (window.high - 1) // 2
        body = wide - 1
        kinds, units, spot = self.grounds.get(cell.name, []), self.units.get(place, []), self.spots.get(place)
        texture = self.textures[kinds[-1]] if kinds else ""
        if texture:
            for i in range(high):
                trim = 1 if high > 2 and i != middle else 0
                style = "green" if kinds[-1] == "woods" else "dim"
                self.write((column + trim, row + i), texture * (body - 2 * trim), style)
        elif not units:
            self.put((column + _middle(wide), row + middle), self._open(cell), "dim")
        if len(kinds) > 1:
            # An object on the ground, such as a marker, is drawn beside the unit.
            self.put((column, row + middle), self.textures[kinds[-2]], "dim")
        if units:
            self._unit(units, (column, row))
        if spot is not None:
            self._spot(spot, (column, row), bool(units))
        if place in self.offered:
            self._mark((column, row), bool(units), "+")
        elif any(group.id in self.marks.ready and group.id != self.marks.selected for group in units):
            self._mark((column, row), True, "°")

    def _open(self, cell: Hex) -> str:
        """Return the sign of open ground, which shows the current zone or the owner."""
        zones = self.zones[cell.name]
        if any(zone.lit for zone in zones):
            return "•"
        side = next((zone.side for zone in zones if zone.side is not None), None)
        return "·" if side is None else "'" if side == 1 else "."

    def _spot(self, spot: Spot, corner: tuple[int, int], occupied: bool) -> None:
        seats = {seat.side: seat.letter for seat in self.picture.seats}
        holder = "*" if spot.holder is None else seats.get(spot.holder, "?")
        wide, high = self.window.wide, self.window.high
        column, row = corner[0] + _middle(wide), corner[1] + (high - 1) // 2
        if not occupied:
            self.write((column - 1, row), f"{{{holder}}}", "bold", keep=True)
        elif high > 1:
            self.write((corner[0] + wide - 5, row + 1), f"{{{holder}}}", "bold", keep=True)
        else:
            self.put(corner, "*", "bold", keep=True)

    def _unit(self, units: list[Group], corner: tuple[int, int]) -> None:
        marks, group = self.marks, units[0]
        ids = {g.id for g in units}
        style = COLOURS[group.side % len(COLOURS)]
        if ids & set(marks.ready):
            style += " bold"
        if marks.selected in ids:
            style += " bold reverse"
        elif marks.target in ids:
            style += " underline reverse"
        sign, written = shape(self.picture, group.side, len(units) > 1), code(group, self.picture)
        wide, high = self.window.wide, self.window.high
        column, row = corner[0], corner[1] + (high - 1) // 2
        if wide <= 4:
            text, column = sign + written[0] + _strength(group), column + 1
        else:
            text = sign + written + _strength(group)
            if len(units) > 1 and len(text) < wide - 1:
                text += code(units[1], self.picture)[0]
            column += _middle(wide) - (len(text) - 1) // 2
        self.write((column, row), text, style, keep=True)
        held = tokens_drawn(group)
        if high > 1 and held:
            signs = "".join(token.kind[:1].lower() for token in held)[: wide - 2]
            self.write((corner[0] + 1, row + 1), signs, COLOURS[group.side % len(COLOURS)], keep=True)

    def _mark(self, corner: tuple[int, int], occupied: bool, sign: str) -> None:
        wide, high = self.window.wide, self.window.high
        column, row = corner[0] + _middle(wide), corner[1] + (high - 1) // 2
        if occupied:
            column, row = corner[0], row + (high > 1)
        self.put((column, row), sign, "bold", keep=True)

    # Row of column letters above the map.

    def ways(self) -> None:
        for line in self.picture.lines:
            self.line((line.start, line.end), "•", "dim")
        marks = self.marks
        colour = "green" if marks.legal else "red"
        for path in marks.paths:
            self.line(path, "∙", f"bold {colour}")
            if path:
                column, row = self.window.corner(path[-1])
                self.put((column, row + (self.window.high - 1) // 2), "o" if marks.legal else "×", f"bold {colour}")
        if marks.measure is not None and marks.cursor is not None:
            self.line((marks.measure, marks.cursor), "-", "bold")

    def line(self, path: Sequence[Point], character: str, style: str) -> None:
        for start, end in pairwise(path):
            for at in self._between(start, end):
                if at not in self.taken:
                    self.put(at, character, style)

    def _between(self, start: Point, end: Point) -> Iterator[tuple[int, int]]:
        (c0, r0), (c1, r1) = self.window.cell(start), self.window.cell(end)
        count = min(max(abs(c1 - c0), abs(r1 - r0), 1), 2000)
        for i in range(1, count):
            yield c0 + round((c1 - c0) * i / count), r0 + round((r1 - r0) * i / count)

    def cursor(self) -> None:
        if self.marks.cursor is None:
            return
        column, row = self.window.corner(self.window.map.nearest(self.marks.cursor).at)
        right = column + self.window.wide - (self.window.wide > 4)
        for i in range(self.window.high):
            self.put((column, row + i), "[", "bold yellow reverse")
            self.put((right, row + i), "]", "bold yellow reverse")

    # Signs at the edges of the map.

    def letters(self) -> list[ScreenCell]:
        row = [" "] * (MARGIN + self.window.columns)
        for (_, y), cell in self.window.map.cells.items():
            if y == 0:
                column = MARGIN + self.window.cell(cell.at)[0]
                if MARGIN <= column < len(row):
                    row[column] = cell.name[0]
        return [ScreenCell(character, "dim") for character in row]

    def number(self, row: int) -> list[ScreenCell]:
        at, within = divmod(row + self.window.top, self.window.high)
        name = str(at + 1) if within == (self.window.high - 1) // 2 and at < self.window.map.rows else ""
        return [ScreenCell(character, "dim") for character in name.rjust(MARGIN - 1) + " "]

    def sections(self) -> list[ScreenCell]:
        window, here = self.window, self.window.map
        row = [ScreenCell() for _ in range(MARGIN + window.columns)]
        for low, high, zone in _bars(self.picture):
            start, end = (
                round((x - here.left + here.half) / here.half * window.wide / 2) - window.left + MARGIN
                for x in (low, high)
            )
            room = end - start - 1
            name = zone.name.upper() if zone.lit else zone.name
            if len(name) + 2 > room:
                name = name.rpartition(", ")[2]
            text = f" {name} " if len(name) + 2 <= room else name[: max(room, 0)]
            text = text.center(room, "═" if zone.lit else "─") + "|"
            for i, character in enumerate(text):
                if MARGIN <= start + i < len(row):
                    row[start + i] = ScreenCell(character, "bold" if zone.lit else "dim")
        return row
