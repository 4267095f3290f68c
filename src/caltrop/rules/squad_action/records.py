"""The state of a firefight: the table, its units and models, and markers on the ground.

A unit is identified by its index on the shelf `units`, a model by its index on the shelf `models`. Side 0 is South,
side 1 is North. Functions about places are in `places`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import FaceDown, State
from caltrop.geometry import Box, Point
from caltrop.picture import Look, Paint
from caltrop.rules.squad_action.catalogue import Kind, Lists, Profile, Vehicle, Weapon, supplied
from caltrop.table.measured import Table, TableGround, Terrain, ground_of

Whereabouts = Literal["table", "reserve", "aboard", "away", "gone"]
"""Whereabouts of a unit: on the table, in reserve, aboard another unit, off the table for a time or by its mission, or
out of play.
"""

Goal = Literal["meeting", "crossroads", "pilot", "breakthrough", "none"]
"""Goal of a mission (SQ-S70 to S73)."""

SIDES = 2

_STAMPS = count(1)
"""Numbers for changes of units and models, unique across all states."""
SCENE = frozenset(["at", "heading", "kind", "models", "unit", "where"])
"""Fields of units and models that affect where bodies are."""


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A place with a role in a mission."""

    at: Point
    name: str = "Objective"


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """The area in which a side deploys. Every body must be wholly inside."""

    box: Box
    around: tuple[Point, int] | None = None
    """Centre and radius of a circle; None for a rectangle."""
    words: str
    """Description, such as `within 9 inches of the south edge`."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a firefight that never change; shared by all states."""

    table: Table
    names: tuple[str, str] = ("South", "North")
    mission: str = ""
    goal: Goal = "none"
    turns: int = 6
    areas: tuple[Area | None, Area | None] = (None, None)
    """Deployment area of each side; None if nobody deploys, as in rulings."""
    objectives: tuple[Objective, ...] = ()
    defender: int | None = None
    """The defending side, which places everything first (SQ-S71, SQ-S73)."""
    hedges: tuple[int, int] = (0, 0)
    """Number of hedges each side places before it deploys."""
    walls: tuple[int, int] = (0, 0)
    """Number of hard walls each side places before it deploys (SQ-S71)."""
    morale: int | None = None
    """The side that loses the mission if its morale fails (SQ-S24); None for neither side."""
    exits: bool = False
    """True if units may leave the table by a Move."""
    lists: Lists = Lists()
    """The rows in force: the supplied rows, or those with a player's changes."""
    paints: tuple[Paint | None, Paint | None] | UnsetType = UNSET
    """Colours of each force, if its list sets them."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model: a soldier or a machine. A model with a place is on the table."""

    id: int
    unit: int
    at: Point | None = None
    """The centre of the model's base or hull."""
    heading: Point = (0, 1)
    """Direction of the model's front, as a vector; only vehicles have one."""
    weapons: tuple[str, ...] = ()
    officer: bool = False
    spotter: bool = False
    """True if the model has a spotter's kit."""
    fired: tuple[str, ...] = ()
    """Weapons that fire once in a game turn and have fired in this turn (SQ-WPN-01)."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A squad, a team, a lone hero, or one machine."""

    id: int
    side: int
    name: str
    kind: Kind
    row: str
    """The profile of a unit of soldiers, or the kind of a vehicle."""
    models: tuple[int, ...]
    """Models that are left, in order."""
    starting: int
    """Number of models at the start of the battle."""
    points: int = 0
    look: Look | UnsetType = UNSET
    """Drawing of the unit, if its list defines one."""
    traits: tuple[str, ...] = ()
    where: Whereabouts = "reserve"
    carrier: int | None = None
    """The transport that the unit is aboard."""
    pinned: bool = False
    broken: bool = False
    """True if the unit is Broken: it falls back and has to regroup (SQ-S23)."""
    activated: bool = False
    """True if the unit has been activated in this turn of its side; if the sides take turns by units, in
    this game turn.
    """
    acted: int = 0
    """Number of actions begun in the current or last activation."""
    travelled: int = 0
    """Distance moved in the current or last activation (SQ-Q60)."""
    moved: bool = False
    """True if the unit moved or turned in that activation. Turning adds no distance."""
    moves: int = 0
    """Number of Moves in that activation (SQ-S54)."""
    jumped: bool = False
    """True if the unit used jump packs in that activation (SQ-Q36)."""
    flown: bool = False
    """For a flyer, true if it made a Move of 12 inches or more in its last activation (SQ-S56)."""
    rode: bool = False
    """True if the unit boarded or left a transport in that activation (SQ-S45)."""
    dazed: bool = False
    """True if the unit left a transport that moved more than 8 inches in that turn. A dazed unit neither shoots nor
    assaults.
    """
    crept: int = 0
    """The last game turn in which the unit moved by a token after its activation; 0 for none (SQ-S32, SQ-Q72)."""
    shot: bool = False
    """True if the unit has shot in this turn of its side (SQ-Q62)."""
    called: bool = False
    """True if the unit called for fire in its last activation. A unit that has called for fire does not move until its
    next turn (SQ-FMI-04).
    """
    watching: int = 0
    """Serial number of the unit's overwatch, in order of time; 0 if it is not on overwatch (SQ-S34)."""
    braved: tuple[int, ...] = ()
    """Terrifying units whose test the unit has passed (SQ-TRT-18)."""
    feared: tuple[int, ...] = ()
    """Terrifying units within 10 inches whose test the unit has taken (SQ-Q37)."""
    hovering: bool = False
    """For a flyer, true if it hovers until its next activation (SQ-S56)."""
    immobile: bool = False
    disarmed: bool = False
    """True if the unit's main weapon is lost (SQ-S51)."""
    kept: bool = False
    """True if the unit was kept in reserve during deployment (SQ-S47)."""
    due: bool = False
    """True if the unit has to enter the table this turn (SQ-ORG-10)."""
    locked: tuple[int, ...] = ()
    """Enemies with which the unit's fight continues from turn to turn (house rule `cqb_rounds`)."""

    @property
    def in_play(self) -> bool:
        return self.where == "table"

    @property
    def on_foot(self) -> bool:
        return self.kind == "infantry"

    @property
    def machine(self) -> bool:
        return self.kind != "infantry"


class Cloud(msgspec.Struct, frozen=True, kw_only=True):
    at: Point
    side: int
    unit: int
    left: int
    """Number of ends of a side's turn until the smoke disappears (SQ-ORG-50)."""


class Pilot(msgspec.Struct, frozen=True, kw_only=True):
    """The downed pilot (SQ-S72): on the ground, or with a unit."""

    at: Point
    unit: int | None = None


class Barrage(msgspec.Struct, frozen=True, kw_only=True):
    """A fire mission that may be sustained, or that takes effect later (SQ-Q30, SQ-Q38)."""

    caller: int
    asset: str
    aim: Point
    target: int | None
    """The enemy unit that was named as target."""
    target_at: tuple[Point, ...] = ()
    """Places of the target's models, in order."""
    rounds: int = 1
    """Number of turns in which the barrage has fired."""
    turn: int = 0
    """Game turn in which the barrage last fired."""
    mortar: int | None = None
    """The mortar unit that fires; None for off-board fire."""
    marker: Point | None = None
    """Aim of delayed shells; None if they are not delayed."""
    fell: Point | None = None
    """Place where the barrage's last marker fell; None if it fell off the table. The place is used only for display."""
    direction: Point | None = None
    """Direction of a delayed air run, with `marker` as the middle of its line (SQ-Q38)."""


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """The line of an airstrike; used only for display (SQ-Q39)."""

    caller: int
    kind: str
    aim: Point
    """Middle of the line of the airstrike."""
    direction: Point
    turn: int
    """Game turn of the airstrike."""


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """Close quarters that continue from turn to turn (house rule `cqb_rounds`)."""

    assaulters: tuple[int, ...]
    """Assaulting units, in the order in which they were declared."""
    defenders: tuple[int, ...]
    covers: tuple[str, ...]
    """The cover of each defender before the assault."""
    rounds: int
    fresh: bool = True
    """True if the fight began in the current turn."""


class Firefight(State, kw_only=True):
    secret: ClassVar[tuple[str, ...]] = ("tokens",)
    by_unit: ClassVar[tuple[str, ...]] = ("tokens", "exited")

    field: Field
    units: list[Unit]
    models: list[Model]
    tokens: dict[int, FaceDown] = msgspec.field(default_factory=dict)
    """Overwatch tokens by unit: `fire` or `move`, face down (SQ-ORG-34)."""
    round: int = 0
    """Number of the game turn, from 1."""
    first: int = 0
    """The side that has the first turn of every game turn."""
    smoke: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Number of smoke markers that each side has left."""
    clouds: list[Cloud] = msgspec.field(default_factory=list)
    placed: list[Terrain] = msgspec.field(default_factory=list)
    """Hedges and walls that the sides placed before the battle."""
    pilot: Pilot | None = None
    scores: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Victory points."""
    barrages: list[Barrage] = msgspec.field(default_factory=list)
    flights: list[Flight] = msgspec.field(default_factory=list)
    """Lines of the airstrikes in this game turn."""
    fights: list[Fight] = msgspec.field(default_factory=list)
    called: list[int] = msgspec.field(default_factory=list)
    """Sides that have called for an off-board asset in this turn (SQ-Q38)."""
    exited: list[int] = msgspec.field(default_factory=list)
    """Units that have left the table to fulfil their mission."""
    watches: int = 0
    """Number of times that a unit has gone on overwatch. The counter gives each overwatch its serial number (SQ-S34).
    """
    stamp: int = 0
    """Number that changes with every unit, model or smoke. The stamp is a key for cached results."""
    scene: int = 0
    """Number that changes only if a body or smoke moves. The stamp of the scene is a key for cached sight, cover and
    bodies.
    """

    unstored: ClassVar[tuple[str, ...]] = ("book", "told", "stamp", "scene")

    @property
    def ground(self) -> TableGround:
        return ground_of(self.field.table, tuple(self.placed))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def profile(self, unit: int) -> Profile:
        key = self.units[unit].row
        return self.field.lists.profiles.get(key) or supplied(self).profiles[key]

    def vehicle(self, unit: int) -> Vehicle:
        key = self.units[unit].row
        return self.field.lists.vehicles.get(key) or supplied(self).vehicles[key]

    def weapon(self, key: str) -> Weapon:
        return self.field.lists.weapons.get(key) or supplied(self).weapons[key]

    # --- units --------------------------------------------------------------------------------------------------------

    def of_side(self, side: int) -> list[Unit]:
        return [u for u in self.units if u.side == side and u.where == "table"]

    def enemies(self, unit: int) -> list[Unit]:
        return self.of_side(1 - self.units[unit].side)

    def friends(self, unit: int) -> list[Unit]:
        """Return the other units of the same side on the table, in order."""
        return [u for u in self.of_side(self.units[unit].side) if u.id != unit]

    def aboard(self, unit: int) -> list[Unit]:
        """Return the units that a vehicle carries, in order."""
        return [u for u in self.units if u.carrier == unit and u.where == "aboard"]

    # --- changes ------------------------------------------------------------------------------------------------------

    def change(self, unit: int, **fields: Any) -> Unit:
        changed = self.units[unit] = msgspec.structs.replace(self.units[unit], **fields)
        self._stamped(not SCENE.isdisjoint(fields))
        return changed

    def change_model(self, model: int, **fields: Any) -> Model:
        changed = self.models[model] = msgspec.structs.replace(self.models[model], **fields)
        self._stamped(not SCENE.isdisjoint(fields))
        return changed

    def put(self, places: dict[int, Point]) -> None:
        for model, at in places.items():
            self.models[model] = msgspec.structs.replace(self.models[model], at=at)
        self._stamped()

    def put_clouds(self, clouds: Iterable[Cloud]) -> None:
        """Replace all smoke, and empty the cache of sight."""
        self.clouds[:] = clouds
        self._stamped()

    def next_watch(self) -> int:
        self.watches += 1
        return self.watches

    def _stamped(self, scene: bool = True) -> None:
        self.stamp = next(_STAMPS)
        if scene:
            self.scene = self.stamp

    def awaken(self) -> None:
        self._stamped()
