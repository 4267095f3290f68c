"""The content of a ruling of Blade Skirmish: the records that its file is read as. Lengths are inches."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.rules.blade_skirmish.armies import Quality
from caltrop.rules.blade_skirmish.records import Edge, Fighter
from caltrop.rules.blade_skirmish.scenarios import Length, Place, TerrainPiece
from caltrop.rules.blade_skirmish.turn import Game
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven
from caltrop.scenarios.keys import keys_from, keys_of_actions

Side = Literal["south", "north", "automata"]
"""South, a player's; North, automated or another player's; automated models that two players meet."""

Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""Of turns, kills, points and the like: no skirmish has more."""

SPELLED: dict[str, tuple[str, ...]] = {
    "fighter": ("unit",),
    "attacker": ("unit",),
    "enemy": ("target",),
    "path": ("to",),
}
"""Spelling of fields of actions, if it is by another key."""


@keys_from(Fighter, only=("stunned", "fleeing"))
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter of a scene. A case may change single values of a fighter that the ruling's own scene has."""

    side: Side | UnsetType = UNSET
    quality: Quality | UnsetType = UNSET
    at: Place | UnsetType = UNSET
    """The centre of her base."""
    trophy: Few | UnsetType = UNSET
    """The turn of her side at the end of which she has taken her trophy; she takes none if it is left out."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's scene says only what differs from the ruling's own."""

    table: tuple[Length, Length] | UnsetType = UNSET
    """Width and height: 24 by 24, by default."""
    terrain: tuple[TerrainPiece, ...] | UnsetType = UNSET
    guts: tuple[Place, ...] | UnsetType = UNSET
    """Places of the disembowelled."""
    goal: Literal["clear", "leave", "relic"] | UnsetType = UNSET
    """Goal of South; none by default."""
    relic: Place | UnsetType = UNSET
    """Place of the relic, if it is fought for."""
    home: Edge | UnsetType = UNSET
    """The edge to which the relic is taken: the south one, by default."""
    exit: Edge | UnsetType = UNSET
    """The edge by which one leaves: the north one, by default."""
    units: dict[str, UnitGiven] | UnsetType = UNSET
    played: tuple[Side, ...] | UnsetType = UNSET
    """The sides that somebody plays: South alone, by default."""
    active: Side | UnsetType = UNSET
    """Side whose turn it is: South's by default."""
    turns: dict[Side, Few] | UnsetType = UNSET
    """Turns that each side has begun."""


@keys_from(Fighter, only=("fate", "stunned", "fleeing", "kills", "trophies"), written={int: Few})
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a fighter; unset fields may be anything."""

    at: Place | UnsetType = UNSET
    """Place of the centre of her base, to the hundredth of an inch."""
    trophy: bool | UnsetType = UNSET
    """True if she is busy with a trophy."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must hold now."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side it is put to."""
    guts: tuple[Place, ...] | UnsetType = UNSET
    """Places of the disembowelled, to the hundredth of an inch."""


@keys_of_actions(Game.__module__.rpartition(".")[0], units=("target",), but=SPELLED)
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """The roll of the line before; for a random choice the number of the chosen one."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; the one that is asked, by default."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    """The enemy she charges, attacks, or flees from."""
    to: tuple[Place, ...] | UnsetType = UNSET
    """The places to which she goes, one after another."""
    quality: Few | UnsetType = UNSET
    warband: str | UnsetType = UNSET
    points: Few | UnsetType = UNSET
    experience: Few | UnsetType = UNSET
    """Experience of a roster's member before the battle."""
    kills: Few | UnsetType = UNSET
    won: bool | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Blade Skirmish."""
