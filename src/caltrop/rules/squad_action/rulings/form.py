"""The content of a ruling of Squad Action: the records that its file is read as. Lengths are inches."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.geometry import Point
from caltrop.rules.squad_action.acts import Kind
from caltrop.rules.squad_action.records import Goal, Unit
from caltrop.rules.squad_action.scenarios import Length, Place, TerrainPiece
from caltrop.rules.squad_action.turn import Game
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven
from caltrop.scenarios.keys import keys_from, keys_of_actions

Side = Literal["south", "north"]

Token = Literal["fire", "move"]

Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""Of models, markers, turns, points and the like: no firefight has more."""

Offset = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Vector = tuple[Offset, Offset]
"""So far to the east, so far to the north."""


AS_THEY_ARE = ("pinned", "broken", "due", "moved", "activated", "hovering")
"""Values of a unit that a scene says as the firefight has them."""
UNITS = ("unit", "target", "vehicle", "friend", "mortar")
"""Fields of actions that are units: a ruling writes their names."""
SPELLED = {
    "targets": ("target", "targets"),
    "fire": ("fire", "target"),
    "paths": ("by", "paths"),
    "heading": ("facing",),
    "watcher": ("unit",),
    "moment": ("after",),
    "side": ("to_side",),
}
"""Spelling of fields of actions, if it is by another key."""


@keys_from(Unit, only=AS_THEY_ARE)
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit that the ruling's own scene has."""

    side: Side | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """Its troop profile, or its vehicle: `regular`, `apc`."""
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of its models, by the centres of their bases; the last one begins a row of the rest."""
    along: Literal["x", "-x", "y", "-y"] | UnsetType = UNSET
    """The row's direction: to the east, by default."""
    gap: Length | UnsetType = UNSET
    """Space between the bases of the row: 0.4, by default."""
    facing: Vector | UnsetType = UNSET
    """Direction of a vehicle's front: north by default."""
    models: Annotated[int, msgspec.Meta(ge=1, le=20)] | UnsetType = UNSET
    """Number of models that are left: 8 of a squad, by default."""
    starting: Annotated[int, msgspec.Meta(ge=1, le=20)] | UnsetType = UNSET
    """With how many it began; with as many as it has, by default."""
    weapons: tuple[str, ...] | UnsetType = UNSET
    """Weapons of the first models, one each."""
    arms: str | UnsetType = UNSET
    """Arms of everybody else of a squad: a rifle by default."""
    officer: bool | UnsetType = UNSET
    """True if its first model is an Officer."""
    spotter: bool | UnsetType = UNSET
    """True if its first model has a spotter's kit."""
    traits: tuple[str, ...] | UnsetType = UNSET
    """Traits besides those of its profile."""
    tokens: tuple[Token, ...] | UnsetType = UNSET
    """Its overwatch tokens; those who come first in the scene went on overwatch first."""
    reserve: bool | UnsetType = UNSET
    due: bool | UnsetType = UNSET
    """True if it has arrived from reserve, and has to enter."""
    aboard: str | UnsetType = UNSET
    """The vehicle that carries it."""
    travelled: Length | UnsetType = UNSET
    """Distance that it went in its last activation."""
    fired: tuple[str, ...] | UnsetType = UNSET
    """Weapons that fire once in a game turn, and have."""
    braved: tuple[str, ...] | UnsetType = UNSET
    """Terrifying units whose test it has passed."""


class CloudGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Smoke that lies on the table."""

    at: Place
    unit: str
    left: Few = 2
    """Number of turns of a side that end before it is gone."""


class GoalGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    is_: Goal = msgspec.field(name="is")
    turns: Few = 6
    objectives: tuple[Place, ...] = ()
    pilot: Place | None = None
    defender: Side | None = None
    morale: Side | None = None
    """The side that loses by morale."""
    exits: bool = False
    """True if units may leave the table."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's scene says only what differs from the ruling's own."""

    table: tuple[Length, Length] | UnsetType = UNSET
    """Width and height: 48 by 48, by default."""
    terrain: tuple[TerrainPiece, ...] | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    active: Side | UnsetType = UNSET
    """Side whose turn it is: South's by default."""
    first: Side | UnsetType = UNSET
    """Side with the first turn of every game turn: South by default."""
    turn: Few | UnsetType = UNSET
    """The game turn: 1, by default."""
    smoke: dict[Side, Few] | UnsetType = UNSET
    """Smoke markers that each side has left."""
    clouds: tuple[CloudGiven, ...] | UnsetType = UNSET
    called: tuple[Side, ...] | UnsetType = UNSET
    """Sides that have called for an off-board asset in this turn."""
    mission: GoalGiven | UnsetType = UNSET


@keys_from(Unit, only=("where", "pinned", "broken", "activated", "due", "immobile", "disarmed", "hovering"))
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a unit; unset fields may be anything."""

    models: Few | UnsetType = UNSET
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of its models, or of the first of them, to the hundredth of an inch."""
    aboard: str | UnsetType = UNSET
    tokens: tuple[Token, ...] | UnsetType = UNSET
    travelled: Length | UnsetType = UNSET
    facing: Vector | UnsetType = UNSET
    fired: tuple[str, ...] | UnsetType = UNSET
    """Weapons that fire once in a game turn, and have."""
    gap: dict[str, Length] | UnsetType = UNSET
    """Space to other units, to the hundredth of an inch."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must hold now."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side that it is put to."""
    smoke: dict[Side, Few] = msgspec.field(default_factory=dict)
    """Smoke markers that a side has left."""
    clouds: tuple[Place, ...] | UnsetType = UNSET
    """Place where smoke lies."""
    scores: dict[Side, Few] = msgspec.field(default_factory=dict)
    pilot: str | UnsetType = UNSET
    """The unit that has the pilot, or `nobody`."""
    turn: Few | UnsetType = UNSET
    first: Side | UnsetType = UNSET
    winner: Side | Literal["nobody"] | UnsetType = UNSET
    """Winner; `nobody` for a draw."""


@keys_of_actions(
    Game.__module__.rpartition(".")[0],
    units=UNITS,
    but=(*SPELLED, "act", "along"),
    written={
        int: Few,
        Point: Place,
        Point | None: Place,
        tuple[int, ...]: tuple[Few, ...],
        "partners": tuple[str, ...],
        "models": tuple[int, ...],
        "direction": Vector,
        "ahead": Length,
        "faces": tuple[Token, ...],
        "face": Literal["fire", "move", "front", "side", "rear"],
    },
)
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """A roll that the line before it makes."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; the one that is asked, by default."""
    then: tuple[Kind, ...] | UnsetType = UNSET
    """Actions announced after the act; by default the first that may follow."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    targets: tuple[str, ...] | UnsetType = UNSET
    """Two enemies that are assaulted."""
    fire: dict[str, str] | UnsetType = UNSET
    """Weapons that fire at each unit, in order."""
    by: tuple[Vector, ...] | UnsetType = UNSET
    """Legs of a move: how far every model goes, one leg after another."""
    paths: dict[int, tuple[Place, ...]] | UnsetType = UNSET
    """Paths of single models, by number from 1, from their places; an entering unit begins at the edge."""
    facing: Vector | UnsetType = UNSET
    places: tuple[Place, ...] | UnsetType = UNSET
    """Place where each model is placed."""
    after: Length | UnsetType = UNSET
    """For `Spring`: after how much of the way; at the first moment, by default."""
    to_side: Side | UnsetType = UNSET
    """For `TakeFirst`: who has the first turn."""
    weapon: str | UnsetType = UNSET
    token: bool | UnsetType = UNSET
    """True if it is a shot from overwatch that is asked about."""
    force: str | UnsetType = UNSET
    morale: Few | UnsetType = UNSET
    modifier: int | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Squad Action."""
