"""The records of a duel: duellists, the table, and the events. This module contains no procedure."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec

from caltrop.engine import Event, MotionOf, State
from caltrop.engine.rule import HasBook
from caltrop.geometry import CM, Disc, Point
from caltrop.kit.rows import ground_sheet, kinds_in_force
from caltrop.picture import Motion
from caltrop.table.measured import Table, TableGround, Terrain, ground_of, read_kinds
from caltrop.table.measured.kinds import Kinds

BASE = 1 * CM
"""Radius of a duellist's base."""

KINDS = read_kinds(Path(__file__).parent / "data" / "terrain.yaml")

GROUND = ground_sheet(KINDS)

SHEETS = (GROUND,)
"""The sheets of numbers that a pack may change."""


def kinds_of_ground(b: HasBook) -> Kinds:
    return kinds_in_force(b, GROUND, KINDS)


class Duellist(msgspec.Struct, frozen=True, kw_only=True):
    """A duellist: a unit of one model."""

    name: str
    at: Point
    """Centre of the duellist's base."""
    wounds: int
    """Wounds that the duellist can still take before losing."""
    breath: int
    """Points to stake for the first turn and to pay for parries."""
    traits: tuple[str, ...] = ()

    @property
    def disc(self) -> Disc:
        return (*self.at, BASE)


class Duel(State, kw_only=True):
    unit_shelf: ClassVar[str] = "duellists"

    width: int
    height: int
    rounds: int
    """Number of rounds in a duel."""
    round: int = 0
    first: int = 0
    """The side that takes the first turn of each round."""
    terrain: tuple[Terrain, ...] = ()
    duellists: list[Duellist]

    @property
    def ground(self) -> TableGround:
        """The table as it affects a walking duellist."""
        return ground_of(Table(self.width, self.height, self.terrain)).for_mover(
            kinds_of_ground(self).passage("walker")
        )

    def change(self, side: int, **fields: object) -> None:
        self.duellists[side] = msgspec.structs.replace(self.duellists[side], **fields)


class Staked(Event, frozen=True):
    points: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("DU-BID-02",)
    reveals: ClassVar[bool] = True

    def sentence(self, t: Duel) -> str:
        return " and ".join(f"{d.name} stakes {p}" for d, p in zip(t.duellists, self.points, strict=True))


class _OfSide(Event, frozen=True):
    side: int
    about = ("side",)


class Began(_OfSide, frozen=True):
    """A side has been chosen to take the first turn."""

    clauses: ClassVar[tuple[str, ...]] = ("DU-BID-03",)
    template = "{side} has the first turn of every round"


class Walked(_OfSide, frozen=True):
    path: tuple[Point, ...]
    clauses: ClassVar[tuple[str, ...]] = ("DU-MOVE-01",)
    template = "{side} walks"

    def motion(self, t: Duel) -> Motion:
        return Motion(sort="move", unit=self.side, ways=((self.side, self.path),))


class Parried(_OfSide, frozen=True):
    """A duellist has paid for a parry."""

    clauses: ClassVar[tuple[str, ...]] = ("DU-PARRY-01",)
    template = "{side} parries"
    shown = MotionOf("mark", "parries", unit="side")


class Missed(_OfSide, frozen=True):
    clauses: ClassVar[tuple[str, ...]] = ("DU-STRIKE-02",)
    template = "{side} misses"

    def motion(self, t: Duel) -> Motion:
        return Motion(sort="mark", unit=1 - self.side, tag="missed")


class Wounded(_OfSide, frozen=True):
    """A duellist has lost a wound."""

    left: int
    clauses: ClassVar[tuple[str, ...]] = ("DU-STRIKE-04",)
    template = "{side} is hit; wounds left: {left}"

    def motion(self, t: Duel) -> Motion:
        return Motion(sort="loss", unit=self.side, count=1)


class Recovered(_OfSide, frozen=True):
    """A duellist has regained a breath."""

    clauses: ClassVar[tuple[str, ...]] = ("DU-WIND-01",)
    template = "{side} gets a second wind"
