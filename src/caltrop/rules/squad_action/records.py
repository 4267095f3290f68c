"""The state of a firefight: the table, its units and models, and things on the ground. It contains no procedures.

A unit is named by its index on the shelf `units`, a model by its index on the shelf `models`. Side 0 is South's, side 1
is North's. Everything about places is in `places`.
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
"""Places of a unit: on the table, in reserve, aboard another unit, off the table by choice or mission, or out of
play.
"""

Goal = Literal["meeting", "crossroads", "pilot", "breakthrough", "none"]
"""Goal of a mission (SQ-S70 to S73)."""

SIDES = 2

_STAMPS = count(1)
SCENE = frozenset(["at", "heading", "kind", "models", "unit", "where"])
"""Fields of units and models that say where bodies are."""
"""Numbers for changes of units and models, unique across all states."""


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A place that a mission names."""

    at: Point
    name: str = "Objective"


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """The area in which a side deploys, every body wholly in it."""

    box: Box
    around: tuple[Point, int] | None = None
    """Centre and radius of a circle; None for a box."""
    words: str
    """As in `within 9 inches of the south edge`."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """The fixed parts of a firefight. It is shared and never written."""

    table: Table
    names: tuple[str, str] = ("South", "North")
    mission: str = ""
    goal: Goal = "none"
    turns: int = 6
    areas: tuple[Area | None, Area | None] = (None, None)
    """Deployment area of each side; None if nobody deploys, as in rulings."""
    objectives: tuple[Objective, ...] = ()
    defender: int | None = None
    """The side that defends, and so places everything first (SQ-S71, SQ-S73)."""
    hedges: tuple[int, int] = (0, 0)
    """Number of hedges each side places before it deploys."""
    walls: tuple[int, int] = (0, 0)
    """Number of hard walls each side places before it deploys (SQ-S71)."""
    morale: int | None = None
    """The side that loses by morale (SQ-S24); None if nobody does."""
    exits: bool = False
    """True if units may leave the table by a Move."""
    lists: Lists = Lists()
    """The rows of a player's lists, or the supplied ones."""
    paints: tuple[Paint | None, Paint | None] | UnsetType = UNSET
    """The colours of each force, if its list names them."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model: a soldier, or a machine. It is on the table while it has a place."""

    id: int
    unit: int
    at: Point | None = None
    """The centre of its base or hull."""
    heading: Point = (0, 1)
    """Direction of its front, as a vector; only vehicles have one."""
    weapons: tuple[str, ...] = ()
    officer: bool = False
    spotter: bool = False
    """True if it has a spotter's kit."""
    fired: tuple[str, ...] = ()
    """Weapons that fire once a game turn, and have fired (SQ-WPN-01)."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A squad, a team, a lone hero, or one machine."""

    id: int
    side: int
    name: str
    kind: Kind
    row: str
    """Its profile, or its vehicle."""
    models: tuple[int, ...]
    """Models left, in order."""
    starting: int
    """Initial number of models."""
    points: int = 0
    look: Look | UnsetType = UNSET
    """Its drawing, if its list names one."""
    traits: tuple[str, ...] = ()
    where: Whereabouts = "reserve"
    carrier: int | None = None
    """The unit that it is aboard."""
    pinned: bool = False
    broken: bool = False
    """True if it falls back, and has to regroup (SQ-S23)."""
    activated: bool = False
    """True if it has been activated in this turn of its side (in this game turn, where sides take turns by units)."""
    acted: int = 0
    """Number of actions begun in the present or last activation, including the running one."""
    travelled: int = 0
    """Distance moved in the last activation, or so far in the present one (SQ-Q60)."""
    moved: bool = False
    """True if it moved or turned in that activation; turning alone covers no distance."""
    moves: int = 0
    """Number of Moves it has made in its last activation (SQ-S54)."""
    jumped: bool = False
    """True if it used its packs in that activation (SQ-Q36)."""
    flown: bool = False
    """For a flyer, true if it made a Move of 12 inches or more in that activation (SQ-S56)."""
    rode: bool = False
    """True if it boarded or left a transport in that activation (SQ-S45)."""
    dazed: bool = False
    """True if it left a transport that moved more than 8 inches in that turn; then it neither shoots nor assaults."""
    crept: int = 0
    """The game turn in which it has moved by a token since its activation; 0 for none (SQ-S32, SQ-Q72)."""
    shot: bool = False
    """True if it has shot in this turn of its side (SQ-Q62)."""
    called: bool = False
    """True if it called for fire in its last activation; then it does not move before the next one (SQ-FMI-04)."""
    watching: int = 0
    """Number of its overwatch in order of time; 0 if it is not on overwatch (SQ-S34)."""
    braved: tuple[int, ...] = ()
    """Terrifying units whose test it has passed (SQ-TRT-18)."""
    feared: tuple[int, ...] = ()
    """Terrifying units for which it has been tested, and that are still within 10 inches (SQ-Q37)."""
    hovering: bool = False
    """For a flyer, true if it hovers until its next activation (SQ-S56)."""
    immobile: bool = False
    disarmed: bool = False
    """True if its main weapon is lost (SQ-S51)."""
    kept: bool = False
    """True if it was kept in reserve during deployment (SQ-S47)."""
    due: bool = False
    """True if it has to enter the table this turn (SQ-ORG-10)."""
    locked: tuple[int, ...] = ()
    """Enemies that it is fighting from one turn into the next (house rule `cqb_rounds`)."""

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
    """Number of turn ends of a side until it disappears (SQ-ORG-50)."""


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
    """The enemy unit that was named with the aim."""
    target_at: tuple[Point, ...] = ()
    """The places of its models, in their order."""
    rounds: int = 1
    """Number of rounds fired so far."""
    turn: int = 0
    """The game turn of the last of them."""
    mortar: int | None = None
    """The mortar unit that fires; None for off-board fire."""
    marker: Point | None = None
    """Target of shells in the air; None for none."""
    fell: Point | None = None
    """Place of the marker of its last round; None if that is off the table. Only for display."""
    direction: Point | None = None
    """Direction of a delayed run; `marker` is the middle of its line (SQ-Q38)."""


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """The line of an airstrike, only for display (SQ-Q39)."""

    caller: int
    kind: str
    aim: Point
    """The middle of the line."""
    direction: Point
    turn: int
    """The game turn in which it was flown."""


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """Close quarters that are fought round by round, from turn to turn (house rule `cqb_rounds`)."""

    assaulters: tuple[int, ...]
    """Units, in the order in which they were declared."""
    defenders: tuple[int, ...]
    covers: tuple[str, ...]
    """The cover of each defender before it was assaulted."""
    rounds: int
    fresh: bool = True
    """True if it began in the current turn."""


class Firefight(State, kw_only=True):
    secret: ClassVar[tuple[str, ...]] = ("tokens",)
    by_unit: ClassVar[tuple[str, ...]] = ("tokens", "exited")

    field: Field
    units: list[Unit]
    models: list[Model]
    tokens: dict[int, FaceDown] = msgspec.field(default_factory=dict)
    """Overwatch tokens by unit: `fire` or `move`, face down (SQ-ORG-34)."""
    round: int = 0
    """The game turn, from 1."""
    first: int = 0
    """The side that has the first turn of every game turn."""
    smoke: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Smoke markers that each side has left."""
    clouds: list[Cloud] = msgspec.field(default_factory=list)
    placed: list[Terrain] = msgspec.field(default_factory=list)
    """Hedges and walls that were placed before the battle."""
    pilot: Pilot | None = None
    scores: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Victory points."""
    barrages: list[Barrage] = msgspec.field(default_factory=list)
    flights: list[Flight] = msgspec.field(default_factory=list)
    """Lines of airstrikes in this game turn."""
    fights: list[Fight] = msgspec.field(default_factory=list)
    called: list[int] = msgspec.field(default_factory=list)
    """Sides that have called for an off-board asset in this turn (SQ-Q38)."""
    exited: list[int] = msgspec.field(default_factory=list)
    """Units that have left the table as their mission wants."""
    watches: int = 0
    """Number of times that somebody has gone on overwatch: who went first matters (SQ-S34)."""
    stamp: int = 0
    """Raised by every change of a unit, a model or the smoke: results computed from these are cached under it."""
    scene: int = 0
    """Raised only if a body or the smoke is elsewhere than before: sight, cover and bodies are cached under it."""

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
        """Return the other units of its side on the table, in order."""
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
        """Replace all smoke, and reset sight."""
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
