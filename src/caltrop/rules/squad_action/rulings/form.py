"""The file format of rulings of Squad Action. Lengths are in inches."""

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
"""A number of models, markers, turns, points and the like."""

Offset = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Vector = tuple[Offset, Offset]
"""Distances to the east and to the north."""


AS_THEY_ARE = ("pinned", "broken", "due", "moved", "activated", "hovering")
"""Fields of a unit that a scene gives in the same form as the firefight."""
UNITS = ("unit", "target", "vehicle", "friend", "mortar")
"""Fields of actions that hold units; a ruling writes their names."""
SPELLED = {
    "targets": ("target", "targets"),
    "fire": ("fire", "target"),
    "paths": ("by", "paths"),
    "heading": ("facing",),
    "watcher": ("unit",),
    "moment": ("after",),
    "side": ("to_side",),
}
"""Keys of an action's fields in a ruling, if they differ from the field's name."""


@keys_from(Unit, only=AS_THEY_ARE)
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit in the ruling's own scene."""

    side: Side | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """The unit's troop profile or kind of vehicle, such as `regular` or `apc`."""
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of the unit's models, by the centres of their bases. The remaining models form a row from
    the last place.
    """
    along: Literal["x", "-x", "y", "-y"] | UnsetType = UNSET
    """Direction of the row; to the east by default."""
    gap: Length | UnsetType = UNSET
    """Gap between bases in the row; 0.4 by default."""
    facing: Vector | UnsetType = UNSET
    """Direction of a vehicle's front: north by default."""
    models: Annotated[int, msgspec.Meta(ge=1, le=20)] | UnsetType = UNSET
    """Number of models left; 8 by default for a squad."""
    starting: Annotated[int, msgspec.Meta(ge=1, le=20)] | UnsetType = UNSET
    """Number of models at the start of the battle; by default the present number."""
    weapons: tuple[str, ...] | UnsetType = UNSET
    """Weapons of the first models, one each."""
    arms: str | UnsetType = UNSET
    """Weapon of the other models of a squad; a rifle by default."""
    officer: bool | UnsetType = UNSET
    """True if the unit's first model is an Officer."""
    spotter: bool | UnsetType = UNSET
    """True if the unit's first model has a spotter's kit."""
    traits: tuple[str, ...] | UnsetType = UNSET
    """Traits of the unit besides those of its profile."""
    tokens: tuple[Token, ...] | UnsetType = UNSET
    """The unit's overwatch tokens. Units that come first in the scene went on overwatch first."""
    reserve: bool | UnsetType = UNSET
    due: bool | UnsetType = UNSET
    """True if the unit has arrived from reserve and has to enter."""
    aboard: str | UnsetType = UNSET
    """The vehicle that carries the unit."""
    travelled: Length | UnsetType = UNSET
    """Distance that the unit moved in its last activation."""
    fired: tuple[str, ...] | UnsetType = UNSET
    """Weapons that fire once in a game turn and have fired."""
    braved: tuple[str, ...] | UnsetType = UNSET
    """Terrifying units whose test the unit has passed."""


class CloudGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Smoke on the table."""

    at: Place
    unit: str
    left: Few = 2
    """Number of ends of a side's turn until it is gone."""


class GoalGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    is_: Goal = msgspec.field(name="is")
    turns: Few = 6
    objectives: tuple[Place, ...] = ()
    pilot: Place | None = None
    defender: Side | None = None
    morale: Side | None = None
    """The side that loses the mission if its morale fails."""
    exits: bool = False
    """True if units may leave the table."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. The scene of a case gives only differences from the ruling's own scene."""

    table: tuple[Length, Length] | UnsetType = UNSET
    """Width and height; 48 by 48 by default."""
    terrain: tuple[TerrainPiece, ...] | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    active: Side | UnsetType = UNSET
    """Side whose turn it is; South by default."""
    first: Side | UnsetType = UNSET
    """Side with the first turn of every game turn: South by default."""
    turn: Few | UnsetType = UNSET
    """Number of the game turn; 1 by default."""
    smoke: dict[Side, Few] | UnsetType = UNSET
    """Number of smoke markers that each side has left."""
    clouds: tuple[CloudGiven, ...] | UnsetType = UNSET
    called: tuple[Side, ...] | UnsetType = UNSET
    """Sides that have called for an off-board asset in this turn."""
    mission: GoalGiven | UnsetType = UNSET


@keys_from(Unit, only=("where", "pinned", "broken", "activated", "due", "immobile", "disarmed", "hovering"))
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a unit; unset fields may be anything."""

    models: Few | UnsetType = UNSET
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of the unit's models, or of the first models, to the hundredth of an inch."""
    aboard: str | UnsetType = UNSET
    tokens: tuple[Token, ...] | UnsetType = UNSET
    travelled: Length | UnsetType = UNSET
    facing: Vector | UnsetType = UNSET
    fired: tuple[str, ...] | UnsetType = UNSET
    """Weapons that fire once in a game turn and have fired."""
    gap: dict[str, Length] | UnsetType = UNSET
    """Gap to each of some other units, to the hundredth of an inch."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true at this point."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side that is asked."""
    smoke: dict[Side, Few] = msgspec.field(default_factory=dict)
    """Number of smoke markers that a side has left."""
    clouds: tuple[Place, ...] | UnsetType = UNSET
    """Places of smoke."""
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
    """One line of play, with exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """The dice that the previous line rolls."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; by default the side that is asked."""
    then: tuple[Kind, ...] | UnsetType = UNSET
    """Actions announced after the act; by default the first possible announcement."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    targets: tuple[str, ...] | UnsetType = UNSET
    """Two enemies that are assaulted together."""
    fire: dict[str, str] | UnsetType = UNSET
    """Weapons and the unit that each fires at, in order."""
    by: tuple[Vector, ...] | UnsetType = UNSET
    """Legs of a move: for each leg, the shift of every model."""
    paths: dict[int, tuple[Place, ...]] | UnsetType = UNSET
    """Paths of single models, by number from 1. A path of an entering unit begins at the edge."""
    facing: Vector | UnsetType = UNSET
    places: tuple[Place, ...] | UnsetType = UNSET
    """Place of each model."""
    after: Length | UnsetType = UNSET
    """For `Spring`: distance along the path at which the token is used; by default the first moment."""
    to_side: Side | UnsetType = UNSET
    """For `TakeFirst`: the side with the first turn."""
    weapon: str | UnsetType = UNSET
    token: bool | UnsetType = UNSET
    """True if the question is about a shot from overwatch."""
    force: str | UnsetType = UNSET
    morale: Few | UnsetType = UNSET
    modifier: int | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Squad Action."""
