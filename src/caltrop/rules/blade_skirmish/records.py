"""The state of a skirmish: the table, the fighters, and markers on the ground.

A fighter is identified by her index in `fighters`. Side 0 is the player's, or South's; side 1 is the automated side, or
North's. In a game of two players and automated models, these are side 2.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.asking import Act
from caltrop.engine import State
from caltrop.geometry import INCH, Box, Disc, Point
from caltrop.kit.words import names_told_apart
from caltrop.picture import Look, Paint
from caltrop.table.measured import Table, TableGround, ground_of

Fate = Literal["ready", "waiting", "wounded", "dead", "away"]
"""State of a fighter: on the table, not yet on it, out for this battle, dead, or unharmed off the table."""

Injury = Literal["stunned", "fleeing", "wounded", "dead"]
"""Result of the injury table (BS-INJ)."""

Goal = Literal["clear", "hold", "leave", "relic", "blood", "slay", "stones", "standard", "none"]
"""Goal of a scenario (BS-S50 to BS-S58)."""

Habit = Literal["shield", "bow", "skittish", "captain", "frenzy", "swift"]
"""Habit of an automated model besides her Quality (BS-S60 to BS-S65)."""


Edge = Literal["north", "east", "south", "west"]

EDGES: tuple[Edge, ...] = ("north", "east", "south", "west")
"""Edges of the table, in the order in which a die chooses one (BS-S51)."""


class Wave(msgspec.Struct, frozen=True, kw_only=True):
    """A group of models that enters at the start of a turn of its side."""

    turn: int
    fighters: tuple[int, ...]
    edges: tuple[Edge, ...] = EDGES
    """Edges at which the models may enter, with equal probability."""


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """The area in which a side places its models. Each base must be wholly inside."""

    box: Box
    """Left, lower, right and upper limit, in tenths of a millimetre."""
    around: Point | None = None
    """Centre of a circle; None for a rectangle."""
    words: str
    """Description, such as `within 3 inches of the south edge`."""


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """The starting post of a model that no player places: a place, or a random place in a box."""

    at: Point | None = None
    box: Box | None = None
    """Box for the centre of the fighter's base."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a skirmish that never change; shared by all states."""

    table: Table
    radius: int = INCH // 2
    """Radius of every base, in tenths of a millimetre (BS-Q01)."""
    names: tuple[str, ...] = ("Warband", "Automata")
    automated: tuple[int, ...] = (1,)
    """The automated sides."""
    paints: tuple[Paint | None, ...] | UnsetType = UNSET
    """Colours of each side, if its warband defines them."""
    first: int | None = 0
    """Side that begins; None to roll for it."""
    scenario: str = ""
    goal: Goal = "none"
    limit: int | None = None
    """Number of turns of each side; None for no limit."""
    place: Point | None = None
    """Centre of the place to be held, or starting place of the relic."""
    home: Edge = "south"
    """Edge to which the relic must be taken."""
    exit: Edge = "north"
    areas: tuple[Area | None, ...] = (None, None)
    """Area in which each side places its models; None for a side whose models have posts."""
    fielded: int = 6
    """Largest number of models that a side places (BS-S45)."""
    posts: tuple[Post, ...] = ()
    """Posts of the models that no player places, in the order of their ids."""
    drawn: bool = False
    """True if chance decides which model gets which post."""
    waves: tuple[Wave, ...] = ()

    @property
    def sides(self) -> int:
        return len(self.names)


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A model. A fighter with a place is on the table."""

    id: int
    side: int
    name: str
    quality: int
    at: Point | None = None
    fate: Fate = "waiting"
    stunned: bool = False
    fleeing: bool = False
    trophy: int | None = None
    """Turn of the fighter's side at the end of which her trophy is finished (BS-FAT-01); None if she takes none."""
    kills: int = 0
    trophies: int = 0
    look: Look | UnsetType = UNSET
    """Drawing of the fighter, if her warband defines one."""
    habits: tuple[Habit, ...] | UnsetType = UNSET
    member: str = ""
    """Name on the roster of a campaign; empty without a campaign."""
    cloak: Paint | UnsetType = UNSET
    """Colours of the fighter, if her warband defines them."""
    saying: str | UnsetType = UNSET
    """Battle cry of the fighter, if her warband defines one."""
    player: str | UnsetType = UNSET
    """Name of the person who plays the fighter, if her warband names a person."""

    @property
    def active(self) -> bool:
        """True if the fighter is on the table and neither stunned nor fleeing."""
        return self.at is not None and not self.stunned and not self.fleeing


class Guts(msgspec.Struct, frozen=True, kw_only=True):
    """A marker for a disembowelled fighter, where she fell (BS-FAT-02)."""

    at: Point
    until: int | None = None
    """Round after which the marker is removed; None for never."""
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "at", "place"),)


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that was named (BS-CMB-01)."""

    attacker: int
    target: int
    partners: tuple[int, ...] = ()
    """Comrades who flanked with the fighter at the beginning of the combat (BS-Q31)."""


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """A hit with its rolls, stored until simultaneous hits are applied (BS-Q44)."""

    by: int
    victim: int
    place: Point
    injury: Injury
    fatality: int = 0
    """Row of the fatality table; 0 if none was rolled."""


class Relic(msgspec.Struct, frozen=True, kw_only=True):
    """The relic that has to be carried away (BS-S53)."""

    at: Point
    carrier: int | None = None


class Skirmish(State, kw_only=True):
    unit_shelf: ClassVar[str] = "fighters"
    by_unit: ClassVar[tuple[str, ...]] = ("gone", "escaped")

    field: Field
    fighters: list[Fighter]
    round: int = 0
    """Number of the round: the largest number of turns that a side has begun."""
    turns: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Number of turns that each side has begun."""
    first: int = 0
    """Side that begins the skirmish."""
    gone: list[int] = msgspec.field(default_factory=list)
    """Fighters who have acted this turn."""
    guts: list[Guts] = msgspec.field(default_factory=list)
    relic: Relic | None = None
    stood: tuple[int, ...] | UnsetType = UNSET
    """For each player's side, the number of turns at whose end it held the stones (BS-S57); unset for other goals."""
    escaped: list[int] = msgspec.field(default_factory=list)
    """Fighters who have left by the scenario's exit (BS-S52)."""
    named: list[Named] = msgspec.field(default_factory=list)
    """Attacks named in this combat, in the order in which they are resolved."""
    held: tuple[int, ...] | UnsetType = UNSET
    """Fighters who hold back in this combat (BS-Q46); unset for none."""
    blows: list[Blow] = msgspec.field(default_factory=list)
    """Hits that are still to be applied, in the order in which they were rolled."""

    names: tuple[str, ...] = ()
    """Names of the fighters in sentences; computed again when fighters are added."""
    unstored: ClassVar[tuple[str, ...]] = (*State.unstored, "names")

    def called(self, id: int) -> str:
        """Return the name of a fighter for a sentence, with her side if another side has a fighter of that name."""
        if len(self.names) != len(self.fighters):
            own = [(f.side, f.name) for f in self.fighters]
            self.names = names_told_apart(own, self.field.names, "{name} of {side}")
        return self.names[id]

    def unit_in_words(self, unit: int) -> str:
        return self.called(unit)

    def name_of(self, id: int) -> str:
        """Return the name of a fighter for an id that may be wrong; the number itself for a wrong id."""
        return self.called(id) if 0 <= id < len(self.fighters) else f"number {id}"

    @property
    def ground(self) -> TableGround:
        return ground_of(self.field.table)

    def automated(self, id: int) -> bool:
        """Return whether a fighter's side has no player."""
        return self.fighters[id].side in self.field.automated

    def habits(self, id: int) -> tuple[Habit, ...]:
        """Return the habits of a fighter; empty if she has none (BS-S60 to BS-S65)."""
        habits = self.fighters[id].habits
        return () if habits is UNSET else habits

    def disc(self, id: int) -> Disc:
        """Return a fighter's base. Raises ValueError if she is not on the table."""
        at = self.fighters[id].at
        if at is None:
            raise ValueError(f"{self.fighters[id].name} is not on the table")
        return (*at, self.field.radius)

    def on_table(self) -> list[Fighter]:
        return [f for f in self.fighters if f.at is not None]

    def of_side(self, side: int) -> list[Fighter]:
        return [f for f in self.fighters if f.at is not None and f.side == side]

    def enemies_of(self, id: int) -> list[Fighter]:
        side = self.fighters[id].side
        return [f for f in self.fighters if f.at is not None and f.side != side]

    def change(self, id: int, **fields: Any) -> Fighter:
        changed = self.fighters[id] = msgspec.structs.replace(self.fighters[id], **fields)
        return changed


def called(t: Skirmish, it: int) -> str:
    """Return the name of a fighter, for the words of acts."""
    return t.name_of(it)


def named(t: Skirmish, target: int) -> str:
    """Return the name of the fighter that an act is aimed at; her number if she does not exist."""
    return t.called(target) if 0 <= target < len(t.fighters) else f"fighter {target}"


class _FighterAct(Act, frozen=True):
    """An act of the fighter who is the subject of the decision."""

    context: ClassVar[tuple[str, ...]] = ("fighter",)
    actor: ClassVar[str] = "fighter"
