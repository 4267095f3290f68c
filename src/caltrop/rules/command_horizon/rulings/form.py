"""The content of a ruling of Command Horizon: the records that its file is read as."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.rules.command_horizon.records import DroneState, Unit
from caltrop.rules.command_horizon.scenarios import Ground
from caltrop.rules.command_horizon.turn import Game
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven
from caltrop.scenarios.keys import keys_from, keys_of_actions

GAME = "command-horizon"

Side = Literal["A", "B"]

Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""Of models, markers, points, dice and the like: no table has more."""

Length = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""Whole centimetres on a table."""

WRITTEN = {int: Few, DroneState | None: DroneState}
"""Spelling of values of units."""

Number = int | float
"""A length in centimetres."""
Place = tuple[Number, Number]
"""A place in centimetres, from the lower left corner of the table."""

UNITS = ("unit", "target", "enemy", "charger", "vehicle", "into", "sighter")
"""Fields of actions that are units."""
MODELS = ("model", "base")
"""Fields that are models: a ruling writes them as in `target.2`."""
SPELLED = {
    "paths": ("by", "paths"),
    "order": ("answers",),
    "x": ("spot",),
    "y": ("spot",),
    "side": ("to_side",),
    "at": ("at", "row"),
}
"""Spelling of fields of actions, if it is by another key."""

SIDES: dict[str, int] = {"A": 0, "B": 1}
ARMIES_OF_A_SCENE = ("alliance", "asori")
"""The races of A and B, if a scene does not name them."""


@keys_from(
    Unit, only=("stuns", "drone", "deployed", "concentrating", "newly_stunned", "frozen", "spawned"), written=WRITTEN
)
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit that the ruling's own scene has."""

    side: Side | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """As in the army lists: `medium-tank`, `infantry`."""
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of its models; the last one begins a row of the rest."""
    along: Literal["x", "-x", "y", "-y"] | UnsetType = UNSET
    """The row's direction."""
    gap: Number | UnsetType = UNSET
    """Space between the bases of the row."""
    models: Few | UnsetType = UNSET
    """Models, or bases of infantry; full strength by default."""
    squads: Annotated[int, msgspec.Meta(ge=1, le=100)] | UnsetType = UNSET
    """Squads of infantry; more than one make a Platoon."""
    teams: Few | UnsetType = UNSET
    """Heavy Weapon teams attached, one to each of the first Squads."""
    worms: tuple[Few, ...] | UnsetType = UNSET
    """Worm Tokens on each model, in order."""
    glands: tuple[Few, ...] | UnsetType = UNSET
    """Command Points of the Node Gland on each model, in order: 1 Small, 2 Large."""
    locked: tuple[str, ...] | UnsetType = UNSET
    """Enemy units that it is locked with in close combat."""
    starting: Few | UnsetType = UNSET
    """Bases that its Platoon began with."""
    moved: Number | UnsetType = UNSET
    """Length of its longest path this turn."""
    marking: str | UnsetType = UNSET
    """The enemy unit that it has marked this turn."""
    platoon: str | UnsetType = UNSET
    """For a Squad by itself: the unit that it was detached from."""


class PieceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    kind: Ground
    box: tuple[Number, Number, Number, Number]
    """Its lower left and its upper right corner."""


class GoalGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    at: Place
    size: Number = 4
    points: Few = 0
    """Victory points that securing it gives at once."""


class WoundGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage that a unit has taken and that waits to be applied."""

    unit: str
    kills: Few = 0
    stuns: Few = 0


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's scene says only what differs from the ruling's own."""

    armies: tuple[str, str] | UnsetType = UNSET
    """The races of A and B."""
    active: Side | UnsetType = UNSET
    """Side whose turn it is: A's by default."""
    cp: tuple[Few, Few] | UnsetType = UNSET
    """Command points at hand: 10 each, by default."""
    step: Few | UnsetType = UNSET
    round: Few | UnsetType = UNSET
    table: tuple[Length, Length] | UnsetType = UNSET
    points: bool | UnsetType = UNSET
    """True if units destroyed count as victory points."""
    terrain: tuple[PieceGiven, ...] | UnsetType = UNSET
    objectives: tuple[GoalGiven, ...] | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    wounds: tuple[WoundGiven, ...] | UnsetType = UNSET


@keys_from(Unit, only=("stuns", "drone", "may_fire", "concentrating"), written=WRITTEN)
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a unit; unset fields may be anything."""

    models: Few | UnsetType = UNSET
    locked: tuple[str, ...] | UnsetType = UNSET
    worms: tuple[Few, ...] | UnsetType = UNSET
    moved: Number | UnsetType = UNSET
    gap: dict[str, Number] | UnsetType = UNSET
    """Space to other units, to two tenths of a millimetre, within which bases touch (Q-MOVE-13)."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must hold now."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    cp: dict[Side, int] = msgspec.field(default_factory=dict)
    """Command points at hand."""
    vp: dict[Side, int] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side it is put to."""
    held: dict[str, Side | Literal["nobody"]] = msgspec.field(default_factory=dict)
    """Holder of each objective."""
    secured: dict[str, Side | Literal["nobody"]] = msgspec.field(default_factory=dict)
    edges: dict[Side, Literal["south", "north"]] = msgspec.field(default_factory=dict)
    marks: dict[str, int] = msgspec.field(default_factory=dict)
    """Number of marks each unit has on it."""


class PartGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Squads that fire together, in split fire."""

    target: str
    squads: tuple[int, ...]
    """By number, from 1."""
    share: Few = 0
    exposed: bool = False
    marking_die: bool = False


@keys_of_actions(
    Game.__module__.rpartition(".")[0],
    units=UNITS,
    but=SPELLED,
    written={
        int: Few,
        "squad": int,
        "reach": Number,
        "edge": Literal["south", "north"],
        **dict.fromkeys(MODELS, str),
    },
)
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """A roll that the line before it makes."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; the one that is asked, by default."""
    of: str | UnsetType = UNSET
    """The decision whose options are looked at, if it is not the one that is asked."""
    made: tuple[str, ...] = ()
    """Names for the units that come of it, in order."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    answers: str | UnsetType = UNSET
    """For `React`: the unit whose attack is answered."""
    squads: tuple[int, ...] | UnsetType = UNSET
    """By number, from 1, as a Squad and the hits of `AssignDice` are; null for no hit."""
    parts: tuple[PartGiven, ...] | UnsetType = UNSET
    boost: Few | UnsetType = UNSET
    against_charge: bool | UnsetType = UNSET
    to_side: Side | UnsetType = UNSET
    spot: Place | UnsetType = UNSET
    at: tuple[Place, ...] | UnsetType = UNSET
    """Place where each model is placed."""
    row: tuple[Place, ...] | UnsetType = UNSET
    """Places of the first models; the rest stand in a row with the last of them."""
    by: tuple[Place, ...] | UnsetType = UNSET
    """Legs of a move: how far every model goes, one leg after another."""
    paths: dict[int, tuple[Place, ...]] | UnsetType = UNSET
    """Paths of single models, by number from 1, from their places."""
    count: Few | UnsetType = UNSET
    length: Number | UnsetType = UNSET
    pieces: Few | UnsetType = UNSET
    army: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    models: Few | UnsetType = UNSET
    stuns: Few | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    whole: bool | UnsetType = UNSET
    """For `dice of`: a Platoon attacks as one."""


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Command Horizon."""
