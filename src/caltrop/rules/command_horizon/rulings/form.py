"""The file format of rulings of Command Horizon."""

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
"""A number of models, markers, points, dice and the like."""

Length = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""A length on a table, in whole centimetres."""

WRITTEN = {int: Few, DroneState | None: DroneState}
"""Types in a ruling for types of a unit's fields."""

Number = int | float
"""A length in centimetres."""
Place = tuple[Number, Number]
"""A place in centimetres, from the lower left corner of the table."""

UNITS = ("unit", "target", "enemy", "charger", "vehicle", "into", "sighter")
"""Fields of actions that hold units."""
MODELS = ("model", "base")
"""Fields of actions that hold models; a ruling writes them as in `target.2`."""
SPELLED = {
    "paths": ("by", "paths"),
    "order": ("answers",),
    "x": ("spot",),
    "y": ("spot",),
    "side": ("to_side",),
    "at": ("at", "row"),
}
"""Keys of an action's fields in a ruling, if they differ from the field's name."""

SIDES: dict[str, int] = {"A": 0, "B": 1}
ARMIES_OF_A_SCENE = ("alliance", "asori")
"""Default races of A and B in a scene."""


@keys_from(
    Unit, only=("stuns", "drone", "deployed", "concentrating", "newly_stunned", "frozen", "spawned"), written=WRITTEN
)
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit in the ruling's own scene."""

    side: Side | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """Kind as in the army lists, such as `medium-tank` or `infantry`."""
    at: tuple[Place, ...] | UnsetType = UNSET
    """Places of the unit's models. The remaining models form a row from the last place."""
    along: Literal["x", "-x", "y", "-y"] | UnsetType = UNSET
    """Direction of the row."""
    gap: Number | UnsetType = UNSET
    """Gap between bases in the row."""
    models: Few | UnsetType = UNSET
    """Number of models, or of infantry bases; full strength by default."""
    squads: Annotated[int, msgspec.Meta(ge=1, le=100)] | UnsetType = UNSET
    """Number of Squads of infantry. Several Squads form a Platoon."""
    teams: Few | UnsetType = UNSET
    """Number of Heavy Weapon teams, attached one each to the first Squads."""
    worms: tuple[Few, ...] | UnsetType = UNSET
    """Number of Worm Tokens on each model, in order."""
    glands: tuple[Few, ...] | UnsetType = UNSET
    """Command points of the Node Gland on each model, in order: 1 for Small, 2 for Large."""
    locked: tuple[str, ...] | UnsetType = UNSET
    """Enemy units with which the unit is locked in close combat."""
    starting: Few | UnsetType = UNSET
    """Number of bases of the unit's Platoon at the start."""
    moved: Number | UnsetType = UNSET
    """Length of the unit's longest path this turn."""
    marking: str | UnsetType = UNSET
    """The enemy unit that the unit has marked this turn."""
    platoon: str | UnsetType = UNSET
    """For a single Squad, the unit from which it was detached."""


class PieceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    kind: Ground
    box: tuple[Number, Number, Number, Number]
    """Lower left and upper right corners."""


class GoalGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    at: Place
    size: Number = 4
    points: Few = 0
    """Victory points that securing the objective gives at once."""


class WoundGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage to a unit that has not been applied yet."""

    unit: str
    kills: Few = 0
    stuns: Few = 0


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. The scene of a case gives only differences from the ruling's own scene."""

    armies: tuple[str, str] | UnsetType = UNSET
    """The races of A and B."""
    active: Side | UnsetType = UNSET
    """Side whose turn it is; A by default."""
    cp: tuple[Few, Few] | UnsetType = UNSET
    """Command points available; 10 each by default."""
    step: Few | UnsetType = UNSET
    round: Few | UnsetType = UNSET
    table: tuple[Length, Length] | UnsetType = UNSET
    points: bool | UnsetType = UNSET
    """True if destroyed units give victory points."""
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
    """Gap to each of some other units, to two tenths of a millimetre, within which bases touch (Q-MOVE-13)."""


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true at this point."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    cp: dict[Side, int] = msgspec.field(default_factory=dict)
    """Command points available."""
    vp: dict[Side, int] = msgspec.field(default_factory=dict)
    asked: Side | UnsetType = UNSET
    """The side that is asked."""
    held: dict[str, Side | Literal["nobody"]] = msgspec.field(default_factory=dict)
    """Holder of each objective."""
    secured: dict[str, Side | Literal["nobody"]] = msgspec.field(default_factory=dict)
    edges: dict[Side, Literal["south", "north"]] = msgspec.field(default_factory=dict)
    marks: dict[str, int] = msgspec.field(default_factory=dict)
    """Number of marks on each unit."""


class PartGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Squads that fire together in split fire."""

    target: str
    squads: tuple[int, ...]
    """Numbers of the Squads, from 1."""
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
    """One line of play, with exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    dice: tuple[int, ...] | UnsetType = UNSET
    """The dice that the previous line rolls."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """The side that acts; by default the side that is asked."""
    of: str | UnsetType = UNSET
    """The decision whose options are examined, if another than the open one."""
    made: tuple[str, ...] = ()
    """Names for the units that the line creates, in order."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    answers: str | UnsetType = UNSET
    """For `React`: the unit whose attack is answered."""
    squads: tuple[int, ...] | UnsetType = UNSET
    """Numbers of Squads, or of hits for `AssignDice`, from 1; null for no hit."""
    parts: tuple[PartGiven, ...] | UnsetType = UNSET
    boost: Few | UnsetType = UNSET
    against_charge: bool | UnsetType = UNSET
    to_side: Side | UnsetType = UNSET
    spot: Place | UnsetType = UNSET
    at: tuple[Place, ...] | UnsetType = UNSET
    """Place of each model."""
    row: tuple[Place, ...] | UnsetType = UNSET
    """Places of the first models. The other models form a row from the last place."""
    by: tuple[Place, ...] | UnsetType = UNSET
    """Legs of a move: for each leg, the shift of every model."""
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
    """For `dice of`: True if a Platoon attacks as one."""


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Command Horizon."""
