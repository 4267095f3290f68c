"""Rows of rules data whose values carry their clauses; every use by the rules is counted.

    class Weapon(Row, frozen=True, kw_only=True):
        title: str
        dice: int

    WEAPONS = rows(DATA / "weapons.yaml", Weapon, lambda row: {"dice": "XX-S10"})
    WEAPONS["bow"].number("dice")    # 0 while the clause is switched off

A mutation test switches a value off by its mark, and the conformance table names the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from caltrop.clauses import WATCHED, Mark
from caltrop.engine import row_marks
from caltrop.engine.packs import Pack, Sheet, read_with
from caltrop.engine.rule import HasBook
from caltrop.roster import read_yaml
from caltrop.table.measured.kinds import KindRow, Kinds

R = TypeVar("R", bound="Row")

WHOLE = "row"
"""Name of the field for the mark of a whole row."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of a data file."""

    key: str = ""
    marks: dict[str, Mark] = {}
    """The mark of each value, or of the whole row; empty for rows of a pack."""

    def read(self, field: str, off: Any) -> Any:
        """Return a value and count its use; return *off* while its clauses are switched off."""
        mark = self.marks.get(field) if WATCHED else None
        if mark is not None and not mark.fires():
            return off
        return getattr(self, field)

    def number(self, field: str) -> int:
        """Return a whole number and count its use; return 0 while its clauses are switched off."""
        number: int = self.read(field, 0)
        return number

    @property
    def on(self) -> bool:
        """True if the row is in force, counted as a use; False while its clauses are switched off."""
        mark = self.marks.get(WHOLE) if WATCHED else None
        return mark is None or mark.fires()


def rows(
    file: Path, kind: type[R], stands_in: Callable[[R], Mapping[str, str]], called: Mapping[str, str] | None = None
) -> dict[str, R]:
    """Return the rows of a file, by key, with their marks.

    Raises InputError for a fault in the file, with line and column.

    Args:
        file: A YAML file, an object of rows.
        stands_in: Returns for a row the clauses of each value, separated by blanks; `WHOLE` is the key for the row
            itself.
        called: Names of values in the code, if they differ from those in the file.
    """
    row_kind: Any = kind
    read = read_yaml(file, dict[str, row_kind])
    clauses = {key: stands_in(row) for key, row in read.value.items()}
    marks = row_marks(file, clauses, {key: read.line(key) for key in read.value})
    named = called or {}
    return {
        key: msgspec.structs.replace(
            row, key=key, marks={named.get(field, field): marks[f"{key}.{field}"] for field in clauses[key]}
        )
        for key, row in read.value.items()
    }


def ground_sheet(kinds: Kinds, *, grows: bool = False) -> Sheet[KindRow]:
    """Return the sheet of a game's kinds of terrain; a pack may add kinds if *grows* is true."""
    return Sheet(
        "terrain",
        KindRow,
        kinds.rows,
        words="Kinds of ground: their looks, and their effects on sight, movement and costs",
        hidden=(),
        grows=grows,
        limits={"going": (0, MOST_GOING), "sees_into": (0, MOST_SIGHT), "sees_inside": (0, MOST_SIGHT)},
    )


MOST_GOING, MOST_SIGHT = 2540, 25400
"""Greatest toll, and greatest depth of sight, of a kind of terrain in a pack, in tenths of a millimetre."""


def kinds_in_force(b: HasBook, sheet: Sheet[KindRow], printed: Kinds) -> Kinds:
    """Return the kinds of terrain in force in a game: the printed ones, and those of its pack."""
    return kinds_of(b.book.pack, sheet, printed)


def kinds_here(sheet: Sheet[KindRow], printed: Kinds) -> Kinds:
    """Return the kinds of terrain with which a file is being read."""
    return kinds_of(read_with(), sheet, printed)


def kinds_of(pack: Pack | None, sheet: Sheet[KindRow], printed: Kinds) -> Kinds:
    """Return the printed kinds of terrain with the changes of a pack."""
    if pack is None or sheet.name not in pack.file.rows:
        return printed
    return pack.derived(("kinds", sheet.name), lambda: Kinds(pack.rows(sheet)))
