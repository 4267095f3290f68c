"""The data of the game, and the lengths of the book in tenths of a millimetre."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from pathlib import Path
from types import MappingProxyType

from caltrop.engine import switches_in
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, UNIT, Point
from caltrop.kit.rows import ground_sheet, kinds_here, kinds_in_force
from caltrop.table.measured import read_kinds
from caltrop.table.measured.kinds import Kinds

_DATA = Path(__file__).parent / "data"

KINDS = read_kinds(_DATA / "terrain.yaml")
"""Kinds of terrain by name (BS-S11 to S13)."""

GROUND = ground_sheet(KINDS)


def kinds_of_ground(b: HasBook) -> Kinds:
    return kinds_in_force(b, GROUND, KINDS)


def ground_kinds_here() -> Kinds:
    return kinds_here(GROUND, KINDS)


Length = int | float | str
"""Length in inches, as people write it."""


def inches(length: Length) -> int:
    """Return a length in inches as whole tenths of a millimetre, rounding halves to the even number.

    >>> inches(4), inches("2.5"), inches(0.5)
    (1016, 635, 127)
    """
    return int((Decimal(str(length)) * INCH).quantize(Decimal(1), ROUND_HALF_EVEN))


ZONE = 2 * INCH
"""Distance from a fit enemy within which an enemy of hers may not walk (BS-MOV-02, BS-Q05)."""
STEP = 4 * INCH
"""Largest distance of a move, and of a run (BS-MOV-01, BS-RUN-08)."""
CHARGE = 4 * INCH
"""Largest distance to an enemy in sight that a fighter charges (BS-CHG-02)."""
FLIGHT = 8 * INCH
"""Distance of a flight if the player does not roll for it (BS-MOV-07)."""
SAFE = 8 * INCH
"""Distance that must separate a fighter from all enemies if she is to stop fleeing without a test (BS-RUN-07)."""
CANNOT_START = 13
"""Length below which a flight counts as not begun (BS-Q21); it is 0.05 inches."""

QUALITIES = MappingProxyType({1: "Green", 2: "Trained", 3: "Seasoned", 4: "Veteran", 5: "Champion", 6: "Legend"})
"""Titles of the Qualities (BS-Q09)."""

_HALF, _LONG = UNIT // 2, 908_093
"""Sines of 30 and 60 degrees, times `UNIT`."""

HOURS: tuple[Point, ...] = (
    (_HALF, _LONG), (_LONG, _HALF), (UNIT, 0), (_LONG, -_HALF), (_HALF, -_LONG), (0, -UNIT),
    (-_HALF, -_LONG), (-_LONG, -_HALF), (-UNIT, 0), (-_LONG, _HALF), (-_HALF, _LONG), (0, UNIT),
)  # fmt: skip
"""Direction of each hour on the clock face, from 1; 12 is towards the north edge (BS-Q15)."""


def hour(face: int) -> Point:
    """Return the direction of an hour, as a vector of length `UNIT`.

    >>> hour(12), hour(3)
    ((0, 1048576), (1048576, 0))
    """
    return HOURS[face - 1]


def hour_of(start: Point, end: Point) -> int:
    """Return the hour on the clock face nearest to the direction of a path.

    >>> hour_of((0, 0), (0, 500)), hour_of((0, 0), (400, -10))
    (12, 3)
    """
    right, up = end[0] - start[0], end[1] - start[1]
    return max(range(1, 13), key=lambda face: hour(face)[0] * right + hour(face)[1] * up)


switches = partial(switches_in, _DATA)
"""All house rules, read from `data/house_rules.yaml`."""
