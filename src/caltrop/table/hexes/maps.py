"""A map of hexes: names, neighbours, distances, lines and directions.

Rows count from 1 in the north. Odd rows have a hex for every column; even rows have one hex fewer and lie half a hex to
the east. The name of a hex has the letter of its column and the number of its row. A map caches its results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from caltrop.agreeing import quantity
from caltrop.geometry import Point
from caltrop.table.hexes.lattice import (
    DIRECTIONS,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    between,
    beyond,
    steps,
)

Hex = str
"""A hex's printed name: a letter for the column and a number for the row, as in `E5`."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"

ROWS = (5, 15)
"""Smallest and largest number of rows; the number is odd."""

COLUMNS = (7, 25)
"""Smallest and largest number of hexes in an odd row."""

HALF_WIDTH = 866
"""Half the width of a hex from west to east, in units of pictures."""

RADIUS = 1000
"""Distance from the centre of a hex to a corner, in units of pictures."""

ROW_HEIGHT = 1500
"""Distance from one row to the next, in units of pictures."""

CORNERS: tuple[Point, ...] = (
    (0, RADIUS),
    (HALF_WIDTH, RADIUS // 2),
    (HALF_WIDTH, -RADIUS // 2),
    (0, -RADIUS),
    (-HALF_WIDTH, -RADIUS // 2),
    (-HALF_WIDTH, RADIUS // 2),
)
"""The corners of a hex relative to its centre, in units of pictures, clockwise from the top."""


class HexLine(NamedTuple):
    """The hexes on the line between the centres of two hexes; the result is the same in both directions.

    A hex is left out if the line only touches one of its corners.
    """

    through: tuple[Hex, ...]
    """The hexes whose inside the line crosses, without the two end hexes, beginning at the end that comes first on the
    map."""
    along: tuple[tuple[Hex | None, Hex | None], ...]
    """The two hexes at each edge that the line runs along, in the same order; the western hex comes first, and None is
    off the map."""


class HexMap:
    """A map of hexes. Get a map from `hex_map`. A map never changes, except for its caches.

    Methods that take a hex raise a `ValueError` that names the nearest hex when it is not on the map.

    Attributes:
        rows: Number of rows.
        columns: Number of hexes in an odd row.
        hexes: Every hex, row by row from the north, each row from the west.
        neighbours: For each hex its neighbours on the map, in the order east, north-east, north-west, west,
            south-west, south-east.
        axial: For each hex the axial coordinates q and r; A1 is (0, 0), and r grows to the south.
        size: Width and height of the plane that pictures use.
    """

    __slots__ = (
        "_at", "_beyond", "_lines", "_names", "_steps", "axial", "columns", "hexes", "neighbours", "rows", "size",
    )  # fmt: skip

    def __init__(self, rows: int, columns: int) -> None:
        """Lay out a map.

        Args:
            rows: Number of rows, an odd number from 5 to 15.
            columns: Number of hexes in an odd row, 7 to 25.

        Raises:
            ValueError: No map has that size.
        """
        nearest = min(max(rows, ROWS[0]), ROWS[1]) | 1
        if rows != nearest:
            raise ValueError(
                f"a map of hexes has an odd number of rows from {ROWS[0]} to {ROWS[1]}; this one has {rows}, and "
                f"the nearest is {nearest}"
            )
        nearest = min(max(columns, COLUMNS[0]), COLUMNS[1])
        if columns != nearest:
            raise ValueError(
                f"a map of hexes has {COLUMNS[0]} to {COLUMNS[1]} columns; "
                f"this one has {columns}, and the nearest is {nearest}"
            )
        self.rows = rows
        self.columns = columns
        self._at: dict[Hex, Point] = {
            f"{LETTERS[column]}{row + 1}": (2 * column + (row & 1), 3 * row)
            for row in range(rows)
            for column in range(columns - (row & 1))
        }
        self._names: dict[Point, Hex] = {place: name for name, place in self._at.items()}
        self.hexes: tuple[Hex, ...] = tuple(self._at)
        self.neighbours: Mapping[Hex, tuple[Hex, ...]] = MappingProxyType(
            {
                name: tuple(self._names[x + dx, y + dy] for dx, dy in DIRECTIONS if (x + dx, y + dy) in self._names)
                for name, (x, y) in self._at.items()
            }
        )
        self.axial: Mapping[Hex, tuple[int, int]] = MappingProxyType(
            {name: ((x - y // 3) // 2, y // 3) for name, (x, y) in self._at.items()}
        )
        self.size = (2 * HALF_WIDTH * columns, ROW_HEIGHT * (rows - 1) + 2 * RADIUS)
        self._steps: dict[Hex, dict[Hex, int]] = {}
        self._lines: dict[tuple[Hex, Hex], HexLine] = {}
        self._beyond: dict[tuple[Hex, Hex], tuple[tuple[Hex, ...], tuple[Hex | None, ...]]] = {}

    def __contains__(self, hex: object) -> bool:
        return hex in self._at

    def __repr__(self) -> str:
        return f"hex_map({self.rows}, {self.columns})"

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        """Return the call that recreates this map; a copy or unpickled map is the same object."""
        return hex_map, (self.rows, self.columns)

    def fault(self, name: str) -> str:
        """Return the fault of a name that is not on the map, with the nearest hex if there is one."""
        match = re.fullmatch(r"([A-Za-z])([0-9]{1,4})", name.strip())
        if not match:
            return f"{name!r} is not a hex: a hex is a letter and a number, from A1 to {self.hexes[-1]}"
        row = min(max(int(match[2]), 1), self.rows)
        columns = self.columns - (1 - row % 2)
        column = min(ord(match[1].upper()) - ord("A"), columns - 1)
        return (
            f"{name!r} is not on the map of {quantity(self.rows, 'row')} and {quantity(self.columns, 'column')}; "
            f"the nearest hex is {LETTERS[column]}{row}"
        )

    def row(self, hex: Hex) -> int:
        return self._place(hex)[1] // 3 + 1

    def column(self, hex: Hex) -> int:
        """Return the column of a hex: 0 in the west, for the letter A."""
        return self._place(hex)[0] // 2

    def centre(self, hex: Hex) -> Point:
        """Return the centre of a hex on the plane of pictures, where y grows upwards and the map's lower left is (0,
        0).
        """
        x, y = self._place(hex)
        return HALF_WIDTH * (x + 1), RADIUS + ROW_HEIGHT * (self.rows - 1 - y // 3)

    def distance(self, a: Hex, b: Hex) -> int:
        try:
            return self._steps[a][b]
        except KeyError:
            self._place(b)
            return self.distances(a)[b]

    def distances(self, a: Hex) -> Mapping[Hex, int]:
        distances = self._steps.get(a)
        if distances is None:
            x, y = self._place(a)
            distances = self._steps[a] = {name: steps((bx - x, by - y)) for name, (bx, by) in self._at.items()}
        return distances

    def line(self, a: Hex, b: Hex) -> HexLine:
        """Return the hexes that the line between the centres of two hexes meets; the same object in both directions."""
        try:
            return self._lines[a, b]
        except KeyError:
            return self._new_line(a, b)

    def farther(self, hex: Hex, source: Hex) -> tuple[Hex, ...]:
        """Return the neighbours of a hex that are one step farther from a source.

        Neighbours nearest to the line from the source through the hex, extended, come first; equally near ones are in
        the order of `neighbours`. If the hex is the source itself, all neighbours are farther and equal.
        """
        try:
            return self._beyond[hex, source][0]
        except KeyError:
            return self._new_beyond(hex, source)[0]

    def away(self, hex: Hex, source: Hex) -> tuple[Hex | None, ...]:
        """Return the hexes straight away from a source: of the neighbours one step farther, the nearest to the extended
        line.

        The edge of the map does not affect the direction: hexes off the map are replaced by None.
        """
        try:
            return self._beyond[hex, source][1]
        except KeyError:
            return self._new_beyond(hex, source)[1]

    def rows_on(self, hex: Hex, towards: int) -> tuple[Hex, ...]:
        """Return the neighbours of a hex in the next row to the north or south, in the order of `neighbours`.

        Args:
            towards: -1 for the row to the north, +1 for that to the south.

        Raises:
            ValueError: `towards` is neither, or the hex is not on the map.
        """
        if towards not in (-1, 1):
            raise ValueError(f"the next row is -1 (north) or +1 (south); this is {towards}")
        x, y = self._place(hex)
        sides = (NORTH_EAST, NORTH_WEST) if towards < 0 else (SOUTH_WEST, SOUTH_EAST)
        return tuple(self._names[x + dx, y + dy] for dx, dy in sides if (x + dx, y + dy) in self._names)

    def _place(self, hex: Hex) -> Point:
        try:
            return self._at[hex]
        except KeyError:
            raise ValueError(self.fault(hex)) from None

    def _new_line(self, a: Hex, b: Hex) -> HexLine:
        (x, y), (bx, by) = sorted((self._place(a), self._place(b)), key=lambda place: (place[1], place[0]))
        steps_between = between((bx - x, by - y))
        name = self._names.get
        line = HexLine(
            tuple(self._names[x + px, y + py] for px, py in steps_between.through),
            tuple((name((x + px, y + py)), name((x + qx, y + qy))) for (px, py), (qx, qy) in steps_between.along),
        )
        self._lines[a, b] = self._lines[b, a] = line
        return line

    def _new_beyond(self, hex: Hex, source: Hex) -> tuple[tuple[Hex, ...], tuple[Hex | None, ...]]:
        """Compute and cache the farther neighbours of a hex, and the neighbours straight away from the source."""
        (x, y), (sx, sy) = self._place(hex), self._place(source)
        hexes = [(self._names.get((x + dx, y + dy)), turn) for (dx, dy), turn in beyond((x - sx, y - sy))]
        answer = (
            tuple(name for name, _ in hexes if name is not None),
            tuple(name for name, turn in hexes if turn == hexes[0][1]),
        )
        self._beyond[hex, source] = answer
        return answer


@cache
def _map_of(rows: int, columns: int) -> HexMap:
    return HexMap(rows, columns)


def hex_map(rows: int, columns: int) -> HexMap:
    """Return the map of a size: always the same object for the same size.

    Args:
        rows: Number of rows, an odd number from 5 to 15.
        columns: Number of hexes in an odd row, 7 to 25; even rows have one hex fewer.

    Raises:
        ValueError: The size is not allowed; the nearest number is named.
    """
    return _map_of(rows, columns)
