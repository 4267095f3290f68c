"""The file format of rulings of Blade Skirmish. Lengths are in inches."""

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
"""South is a player's side; North is automated or another player's; `automata` are models hostile to two players."""

Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""A number of turns, kills, points and the like."""

SPELLED: dict[str, tuple[str, ...]] = {
    "fighter": ("unit",),
    "attacker": ("unit",),
    "enemy": ("target",),
    "path": ("to",),
}
"""Keys of an action's fields in a ruling, if they differ from the field's name."""


@keys_from(Fighter, only=("stunned", "fleeing"))
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter of a scene. A case may change single values of a fighter in the ruling's own scene."""

    side: Side | UnsetType = UNSET
    quality: Quality | UnsetType = UNSET
    at: Place | UnsetType = UNSET
    """The centre of the fighter's base."""
    trophy: Few | UnsetType = UNSET
    """Turn of the fighter's side at the end of which her trophy is finished; by default she takes none."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. The scene of a case gives only differences from the ruling's own scene."""

    table: tuple[Length, Length] | UnsetType = UNSET
    """Width and height; 24 by 24 by default."""
    terrain: tuple[TerrainPiece, ...] | UnsetType = UNSET
    guts: tuple[Place, ...] | UnsetType = UNSET
    """Places of disembowelled fighters."""
    goal: Literal["clear", "leave", "relic"] | UnsetType = UNSET
    """Goal of South; none by default."""
    relic: Place | UnsetType = UNSET
    """Place of the relic, for that goal."""
    home: Edge | UnsetType = UNSET
    """Edge to which the relic is taken; south by default."""
    exit: Edge | UnsetType = UNSET
    """Edge by which fighters leave; north by default."""
    units: dict[str, UnitGiven] | UnsetType = UNSET
    played: tuple[Side, ...] | UnsetType = UNSET
    """Sides with a player; only South by default."""
    active: Side | UnsetType = UNSET
    """Side whose turn it is; South by default."""
    turns: dict[Side, Few] | UnsetType = UNSET
    """Number of turns that each side has begun."""


@keys_from(Fighter, only=("fate", "stunned", "fleeing", "kills", "trophies"), written={int: Few})
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a fighter; unset fields may be anything."""

    at: Place | UnsetType = UNSET
    """Place of the centre of the fighter's base, to the hundredth of an inch."""
    trophy: bool | UnsetType = UNSET
    """True if the fighter is taking a trophy."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true at this point."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side that is asked."""
    guts: tuple[Place, ...] | UnsetType = UNSET
    """Places of disembowelled fighters, to the hundredth of an inch."""


@keys_of_actions(Game.__module__.rpartition(".")[0], units=("target",), but=SPELLED)
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play, with exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """The dice of the previous line's roll; for a random choice, the number of the chosen possibility."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; by default the side that is asked."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    """The enemy that the fighter charges, attacks, or flees from."""
    to: tuple[Place, ...] | UnsetType = UNSET
    """Places to which the fighter goes, one after another."""
    quality: Few | UnsetType = UNSET
    warband: str | UnsetType = UNSET
    points: Few | UnsetType = UNSET
    experience: Few | UnsetType = UNSET
    """Experience of a roster's member before the battle."""
    kills: Few | UnsetType = UNSET
    won: bool | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Blade Skirmish."""
