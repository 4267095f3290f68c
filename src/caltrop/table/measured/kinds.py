"""Kinds of terrain as data of a ruleset: their looks, and their effects on sight, movement and costs.

A ruleset keeps its kinds in a YAML file, one row each by name, and the table knows none of them:

    bog:
      words: "Bog: twice the move on foot, closed to vehicles"
      look: rough
      cover: true
      going:
        foot: {factor: 2}
        vehicle: {closed: true}

`read_kinds` returns them as a mapping of names to `TerrainKind`, and separately what is no part of a table's state:
looks, words, and the `Passage` of each kind of mover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from caltrop.roster import read_yaml
from caltrop.table.measured.terrain import Going, Passage, TerrainKind

Length = int | msgspec.UnsetType


class KindRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The row of a file for a kind of terrain; see `TerrainKind` for the facts. Lengths are tenths of a millimetre."""

    words: str = ""
    """Its effect in one line, for those who play."""
    look: str = ""
    """Name of a look that the doors know; its own name if empty."""
    rough: bool = False
    cover: bool = False
    obscures: bool = False
    blocks_sight: bool = False
    sees_into: Length = msgspec.UNSET
    sees_inside: Length = msgspec.UNSET
    impassable: bool = False
    going: dict[str, Going] = {}
    """Effect on each sort of mover by name; none on others, if it is not impassable."""

    def kind(self, name: str) -> TerrainKind:
        return TerrainKind(
            name=name,
            rough=self.rough,
            cover=self.cover,
            obscures=self.obscures,
            blocks_sight=self.blocks_sight,
            sees_into=self.sees_into,
            sees_inside=self.sees_inside,
            impassable=self.impassable,
        )


class Kinds(Mapping[str, TerrainKind]):
    def __init__(self, rows: Mapping[str, KindRow]) -> None:
        """Build the kinds from their rows."""
        self.rows = rows
        self._kinds = {name: row.kind(name) for name, row in rows.items()}
        self._passages: dict[str, Passage] = {}

    def __getitem__(self, name: str) -> TerrainKind:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def look(self, kind: TerrainKind) -> str:
        row = self.rows.get(kind.name)
        return (row and row.look) or kind.name

    def words(self, kind: TerrainKind) -> str:
        row = self.rows.get(kind.name)
        return row.words if row else ""

    def passage(self, mover: str) -> Passage:
        """Return how one sort of mover gets over the ground: `ground.for_mover(kinds.passage("vehicle"))`.

        A mover that no row names finds closed what is impassable, and pays nothing.
        """
        passage = self._passages.get(mover)
        if passage is None:
            goings = [(name, row.going[mover]) for name, row in self.rows.items() if mover in row.going]
            passage = self._passages[mover] = Passage(tuple(goings))
        return passage


def read_kinds(file: Path | str) -> Kinds:
    """Read the kinds of terrain of a ruleset from a YAML file, or from the text itself.

    Raises InputError when it says what does not exist; the message has file, line and column.
    """
    return Kinds(read_yaml(file, dict[str, KindRow]).value)
