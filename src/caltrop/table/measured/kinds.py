"""Kinds of terrain as data of a ruleset: their looks, and their effects on sight, movement and costs.

A ruleset has its kinds in a YAML file, with a row for each name:

    bog:
      words: "Bog: twice the move on foot, closed to vehicles"
      look: rough
      cover: true
      going:
        foot: {factor: 2}
        vehicle: {closed: true}

`read_kinds` returns a mapping of names to `TerrainKind`. The class also has the data that is not part of a table's
state: looks, words, and the `Passage` of each kind of mover.
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
    """Effect of the terrain in one line, for players."""
    look: str = ""
    """Name of a look (`caltrop.picture.TERRAIN_LOOKS`); the kind's own name if empty."""
    rough: bool = False
    """True if crossing the terrain costs movement."""
    cover: bool = False
    """True if a model with its centre in the terrain is in cover."""
    obscures: bool = False
    """True if a target behind it counts as obstructed."""
    blocks_sight: bool = False
    """True if nobody sees through the terrain."""
    sees_into: Length = msgspec.UNSET
    """Distance from the border of the terrain at which models see into and out of the terrain, in tenths of a
    millimetre.
    """
    sees_inside: Length = msgspec.UNSET
    """Distance at which models in the terrain see each other, in tenths of a millimetre; none for any distance."""
    impassable: bool = False
    """True if nothing may stand on the terrain or move across it."""
    going: dict[str, Going] = {}
    """Effect on each kind of mover by name; other movers are unaffected, unless the terrain is impassable."""

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
        """Return the passage of one kind of mover, for `ground.for_mover(kinds.passage("vehicle"))`.

        For a mover that no row names, impassable terrain is closed, and all other terrain costs nothing extra.
        """
        passage = self._passages.get(mover)
        if passage is None:
            goings = [(name, row.going[mover]) for name, row in self.rows.items() if mover in row.going]
            passage = self._passages[mover] = Passage(tuple(goings))
        return passage


def read_kinds(file: Path | str) -> Kinds:
    """Read the kinds of terrain of a ruleset from a YAML file, or from the text itself.

    Raises InputError for an unknown key or value; the message has file, line and column.
    """
    return Kinds(read_yaml(file, dict[str, KindRow]).value)
