"""Scenarios: a table, a goal, starting places and enemies. The files are YAML, in inches (BS-S50 to S54).

A scenario is written for a table size of its own and for 12 points. On another table all places are scaled. For other
points the number of models of Quality 1 changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.engine import Book, rule, settle
from caltrop.engine.packs import Sheet
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.geometry import Box, Point
from caltrop.kit.files import Library
from caltrop.picture import Look
from caltrop.roster import Read, nearest, read_yaml
from caltrop.rules.blade_skirmish.armies import (
    LISTS,
    Member,
    Quality,
    worth,
)
from caltrop.rules.blade_skirmish.catalogue import GROUND, KINDS, ground_kinds_here, inches, switches
from caltrop.rules.blade_skirmish.records import (
    EDGES,
    Area,
    Edge,
    Goal,
    Habit,
)
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn, known
from caltrop.table.measured import Table, Terrain, ground_of, stands

Length = Annotated[float, msgspec.Meta(ge=0, le=100)]
"""A length on the table, in inches."""

Place = Annotated[tuple[Length, Length], drawn("place")]

Number = Annotated[int, msgspec.Meta(ge=1, le=40)]
"""A number of models, turns or points."""

STANDARD = 24
"""Width and height of the standard table, in inches (BS-S10)."""

_LAYOUTS = Path(__file__).parent / "data" / "layouts.yaml"
_FOES = Path(__file__).parent / "data" / "foes.yaml"

TERRAIN = {
    "wall": KINDS["building"], "pit": KINDS["pit"], "rough": KINDS["rough"],
    "water": KINDS["water"], "tree": KINDS["tree"], "hedge": KINDS["hedge"],
}  # fmt: skip
"""Kinds of terrain by the words that scenarios use (BS-S11 to S13)."""


class Circle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A round piece of terrain."""

    at: Place
    radius: Annotated[float, msgspec.Meta(gt=0, le=20), drawn("length")]


class TerrainPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40), drawn("name")]
    """Name of the piece, such as `the pit`."""
    kind: Annotated[Literal["wall", "pit", "rough", "water", "tree", "hedge"], drawn("ground")]
    box: Annotated[tuple[Length, Length, Length, Length], drawn("box")] | None = None
    """Lower left and upper right corners of a rectangle."""
    outline: Annotated[tuple[Place, ...], msgspec.Meta(max_length=100), drawn("outline")] = ()
    """Corners of the piece, instead of a box."""
    circle: Circle | None = None
    """Circle, instead of a box or an outline."""


class DeploymentZone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The area in which a side places its models: along an edge, or around a place."""

    edge: Annotated[Edge, drawn("edge")] | None = None
    depth: Annotated[Length, drawn("depth")] = 3
    """Depth of the area from the edge, in inches."""
    around: Place | None = None
    reach: Annotated[Length, drawn("reach")] = 3
    """Radius of the area around the place, in inches."""


class Foes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Equal automated models of a force."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    quality: Quality
    kind: str | None = None
    """Kind of enemy in `data/foes.yaml`; by default models without habits."""
    count: Number = 1
    """Number of models, if it does not follow from their places."""
    at: Annotated[tuple[Place, ...], msgspec.Meta(max_length=40)] = ()
    """Starting place of each model."""
    turn: Number | None = None
    """Turn of the side at whose start the models enter."""
    edges: Annotated[tuple[Annotated[Edge, drawn("edge")], ...], msgspec.Meta(max_length=4)] = EDGES
    beside: bool = False
    """True if the models are not counted in the threat."""

    @property
    def number(self) -> int:
        return len(self.at) or self.count

    @property
    def member(self) -> Member:
        if self.kind is None:
            return Member(name=self.name, quality=self.quality)
        kind = foes_here()[self.kind]
        return Member(name=self.name, quality=self.quality, look=kind.look, habits=kind.habits)


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of enemy: its differences from other models of the same Quality."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    words: str
    """Description of the kind's special feature, in a sentence."""
    habits: Annotated[tuple[Habit, ...], msgspec.Meta(min_length=1, max_length=6)]
    """Rules by which such models act: shooting, leading, raging, shielding, shying away or running far."""
    look: Look
    """Drawing of the model."""


class Spread(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The area for models without a starting place, who are placed at random."""

    rows: Annotated[tuple[Length, Length], drawn("span")]
    """Smallest and largest distance from the south edge, in inches."""
    parts: bool = False
    """True if each model gets an equal part of the width; chance decides which model gets which part."""


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The automated models of a scenario."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    threat: Number
    """Cost of all models against 12 points, without those with `beside`."""
    models: Annotated[tuple[Foes, ...], msgspec.Meta(max_length=40)]
    spread: Spread | None = None


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["blade-skirmish"]
    id: str
    title: str
    minutes: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    words: str
    """Description of the scenario in a sentence or two."""
    goal: Goal
    limit: Number
    """Number of turns of each side."""
    table: Annotated[tuple[Length, Length], drawn("size")] = (STANDARD, STANDARD)
    terrain: Annotated[str | Annotated[tuple[TerrainPiece, ...], msgspec.Meta(max_length=200)], drawn("pieces")]
    """Name of a layout, or the pieces themselves."""
    place: Place | None = None
    """Centre of the place to be held, or starting place of the relic."""
    home: Annotated[Edge, drawn("edge")] = "south"
    """Edge to which the relic must be taken."""
    exit: Annotated[Edge, drawn("edge")] = "north"
    """Edge by which fighters may leave."""
    zones: Annotated[tuple[DeploymentZone, ...], drawn("sides")]
    """Areas in which players' sides place their models: one area if the enemy is automated, otherwise two."""
    fielded: Annotated[int, msgspec.Meta(ge=1, le=8)] = 6
    """Largest number of models that a side places."""
    first: Literal["player", "automated", "rolled"] = "player"
    """Side that begins, if the other side is automated."""
    warbands: tuple[Annotated[str, known(LISTS.files)], ...] = ("six-blades",)
    """Default warband of each player's side."""
    enemy: Force | None = None
    """Automated models; in a scenario for two sides, those added by a house rule."""

    @property
    def solo(self) -> bool:
        """True if the scenario is for one side against automated models."""
        return len(self.zones) == 1


SHARED_GOALS: tuple[Goal, ...] = ("blood", "stones", "standard")
"""Goals for two players' sides."""
SOLO_GOALS: tuple[Goal, ...] = ("clear", "hold", "leave", "relic", "slay")
"""Goals for one side against automated models."""


# --- reading ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def layouts() -> dict[str, tuple[TerrainPiece, ...]]:
    """Return the layouts of terrain that scenarios may name (BS-S15, BS-S16)."""
    return read_yaml(_LAYOUTS, dict[str, tuple[TerrainPiece, ...]]).value


@lru_cache(maxsize=1)
def kinds_of_foes() -> dict[str, Kind]:
    """Return the kinds of foes that scenarios may name (BS-S60 to BS-S65)."""
    return read_yaml(_FOES, dict[str, Kind]).value


FOES: Sheet[Kind] = Sheet(
    "foes",
    Kind,
    lambda edition: kinds_of_foes(),
    words="Kinds of foes that the rules move, and their habits",
    limits={},
)
"""The sheet of kinds of enemies, whose rows a pack may change."""

SHEETS = (FOES, GROUND)
"""The sheets whose rows a pack may change."""


def foes_here() -> Mapping[str, Kind]:
    return FOES.here()


def scenario_file(file: Path | str) -> Read[Scenario]:
    """Read a scenario from a file or a text, and check that it can be played.

    Raises InputError if the file cannot be read; the message has file, line and column.
    """
    read = read_yaml(file, Scenario)
    s = read.value

    w, h = s.table
    if min(w, h) < 12 or max(w, h) > 72:
        raise read.wrong("a table is from 12 to 72 inches wide and high", "table")
    if isinstance(s.terrain, str):
        if s.terrain not in layouts():
            raise read.wrong(f"there is no layout {s.terrain!r}; {nearest(s.terrain, layouts())}", "terrain")
    else:
        names: set[str] = set()
        for i, piece in enumerate(s.terrain):
            if sum((piece.box is not None, bool(piece.outline), piece.circle is not None)) != 1:
                raise read.wrong("a piece has one shape: a box, an outline or a circle", "terrain", i)
            if piece.id in names:
                raise read.wrong(f"two pieces are called {piece.id!r}", "terrain", i)
            names.add(piece.id)
            try:
                corners = terrain_of(piece).polygon
            except ValueError as error:
                raise read.wrong(str(error), "terrain", i) from None
            if any(x > inches(w) or y > inches(h) for x, y in corners):
                raise read.wrong(f"it does not lie on the table of {w:g} by {quantity(f'{h:g}', 'inch')}", "terrain", i)
    if not 1 <= len(s.zones) <= 2:
        raise read.wrong("a scenario has a zone for each side that somebody plays, one or two", "zones")
    for i, zone in enumerate(s.zones):
        if (zone.edge is None) == (zone.around is None):
            raise read.wrong("a zone lies along an edge, or else around a place", "zones", i)
        if min(zone.depth, zone.reach) < 1:
            raise read.wrong("a base of an inch has no room in this zone", "zones", i)
    if len(s.warbands) != len(s.zones):
        given = quantity(len(s.warbands), "warband", "is")
        raise read.wrong(f"somebody plays {quantity(len(s.zones), 'side')}, and {given} named", "warbands")
    for i, word in enumerate(s.warbands):
        try:
            LISTS.find(word)
        except InputError as error:
            raise read.wrong(str(error), "warbands", i) from None
    if s.goal in ("hold", "relic", "stones", "standard") and s.place is None:
        raise read.wrong("the goal needs a place", "goal")
    if s.goal == "none":
        raise read.wrong(f"a scenario needs a goal: {', '.join((*SOLO_GOALS, *SHARED_GOALS))}", "goal")
    if (s.goal in SHARED_GOALS) == s.solo:
        words = "needs two sides that people or computers play"
        raise read.wrong(f"{s.goal} {words if s.solo else 'needs one side against automated models'}", "goal")
    if s.solo and s.enemy is None:
        raise read.wrong("one side needs automated models to fight", "enemy")
    if s.enemy is not None:
        _check_force(s.enemy, s, read.wrong)
        _check_places(s.enemy, s, read.wrong)
    if s.goal == "slay" and not any("captain" in habits_of(g) for g in (s.enemy.models if s.enemy else ())):
        raise read.wrong("the goal needs an automated model with the habit captain", "goal")
    return read


Wrong = Callable[..., InputError]
"""Function that makes an error from a message and a path."""


def _check_force(force: Force, s: Scenario, wrong: Wrong) -> None:
    counted = [g for g in force.models if not g.beside]
    costs = worth(plain_book(), [g.quality for g in counted for _ in range(g.number)])
    if costs != force.threat:
        raise wrong(
            f"these models cost {quantity(costs, 'point')}, and the threat is said to be {force.threat}",
            "enemy",
            "threat",
        )
    if not any(g.quality == 1 for g in counted):
        raise wrong("some must have Quality 1: these are added or left out for another threat", "enemy", "models")
    later = [g for g in counted if g.turn is not None]
    for i, g in enumerate(force.models):
        if g.kind is not None and g.kind not in foes_here():
            message = f"there is no kind of foe {g.kind!r}; {nearest(g.kind, foes_here())}"
            raise wrong(message, "enemy", "models", i, "kind")
        if g.at and g.turn is not None:
            raise wrong("models stand at places, or else they enter in a turn", "enemy", "models", i)
        if not g.edges:
            raise wrong("there is an edge or more to enter by", "enemy", "models", i, "edges")
        if not g.at and g.turn is None and force.spread is None:
            raise wrong("models without a place or a turn need a spread", "enemy", "models", i)
    if force.spread is None and not later:
        raise wrong("if there are more models than places, a spread says where they stand", "enemy")
    if force.spread is not None and force.spread.rows[0] > force.spread.rows[1]:
        raise wrong("the rows go from south to north", "enemy", "spread", "rows")


def _check_places(force: Force, s: Scenario, wrong: Wrong) -> None:
    """Raise an error if the place of a model is illegal, for bases an inch across (BS-S20)."""
    ground = ground_of(table_of(plain_book(), s))
    taken: list[tuple[int, int, int]] = []
    for i, group in enumerate(force.models):
        for j, (x, y) in enumerate(group.at):
            base = (inches(x), inches(y), inches("0.5"))
            if not stands(ground, base, taken):
                raise wrong(f"no model can stand at ({x:g}, {y:g})", "enemy", "models", i, "at", j)
            taken.append(base)


@lru_cache(maxsize=1)
def plain_book() -> Book:
    """Return the rules with every house rule at its default."""
    return Book("blade-skirmish", "current", settle(switches(), {}))


def habits_of(g: Foes) -> tuple[Habit, ...]:
    kind = None if g.kind is None else foes_here().get(g.kind)
    return () if kind is None else kind.habits


_ORDER = (
    "cut-them-down", "run-the-gauntlet", "hold-the-stones", "the-reliquary", "head-of-the-band", "the-long-bridge",
    "blood-price", "between-the-stones", "the-fallen-standard",
)  # fmt: skip


SCENARIO_FILES = Library("scenario", built_in("blade-skirmish"), scenario_file, of="blade-skirmish")
"""The scenarios: those supplied with the game, and those of authors."""


def every_scenario() -> tuple[Scenario, ...]:
    """Return the supplied scenarios, the one for beginners first."""
    return SCENARIO_FILES.every(lambda s: (_ORDER.index(s.id) if s.id in _ORDER else len(_ORDER), s.id))


# --- the table --------------------------------------------------------------------------------------------------------


def terrain_of(piece: TerrainPiece) -> Terrain:
    """Return the terrain for a piece of a scenario, in tenths of a millimetre.

    Raises ValueError if the outline of the piece encloses no area.
    """
    kind = ground_kinds_here()[TERRAIN[piece.kind].name]
    if piece.circle is not None:
        x, y = map(inches, piece.circle.at)
        return Terrain(piece.id, kind, circle=(x, y, inches(piece.circle.radius)))
    if piece.box is not None:
        a, b, c, d = map(inches, piece.box)
        return Terrain(piece.id, kind, ((a, b), (c, b), (c, d), (a, d)))
    return Terrain(piece.id, kind, tuple([(inches(x), inches(y)) for x, y in piece.outline]))


@rule("BS-S10", "BS-Q02")
def table_size(b: HasBook, s: Scenario) -> tuple[int, int]:
    """The table has the size in the scenario, by default 24 by 24 inches."""
    return inches(s.table[0]), inches(s.table[1])


@table_size.amended_by("BS-S10", "BS-Q02")
def a_table_of_another_size(size: tuple[int, int], b: HasBook, s: Scenario) -> tuple[int, int]:
    """House rule: the table is a square of another size, and everything on it is scaled."""
    agreed = int(b.book.rules["table_in"])
    return size if agreed == STANDARD else (inches(agreed), inches(agreed))


@rule("BS-Q01")
def base_radius(b: HasBook) -> int:
    """Bases are round, and an inch across."""
    return inches("0.5")


@base_radius.amended_by("BS-Q01")
def bases_of_another_size(radius: int, b: HasBook) -> int:
    """House rule: bases have another diameter."""
    return inches(str(b.book.rules["base_diameter_in"])) // 2


@rule("BS-S15", "BS-S17", stages=("house",))
def pieces_of(b: HasBook, s: Scenario) -> tuple[TerrainPiece, ...]:
    return layouts()[s.terrain] if isinstance(s.terrain, str) else s.terrain


@pieces_of.amended_by("BS-S16", stage="house", house={"layout": "open"})
def an_open_table(pieces: tuple[TerrainPiece, ...], b: HasBook, s: Scenario) -> tuple[TerrainPiece, ...]:
    return ()


LAID = ("four-ruins", "mill", "salt-pans", "graveyard", "market", "orchard", "long-water")
"""Layouts that a house rule may name for any scenario (BS-S15, BS-S17)."""


@pieces_of.amended_by("BS-S17", stage="house", house={"layout": LAID})
def a_table_that_was_agreed_on(pieces: tuple[TerrainPiece, ...], b: HasBook, s: Scenario) -> tuple[TerrainPiece, ...]:
    """House rule: another layout of terrain replaces the scenario's."""
    return layouts()[str(b.book.rules["layout"])]


class Scale:
    """Scales places of a scenario to the size of the table."""

    def __init__(self, b: HasBook, s: Scenario) -> None:
        self.w, self.h = table_size(b, s)
        self.was = inches(s.table[0]), inches(s.table[1])

    def point(self, at: Point) -> Point:
        return at[0] * self.w // self.was[0], at[1] * self.h // self.was[1]

    def place(self, at: Place) -> Point:
        """Return the scaled place for a place in inches."""
        return self.point((inches(at[0]), inches(at[1])))

    def terrain(self, piece: Terrain) -> Terrain:
        """Return a scaled piece of terrain. Circles stay circles, scaled by the smaller of the two factors."""
        if piece.circle is None:
            return replace(piece, polygon=tuple([self.point(corner) for corner in piece.polygon]))
        x, y, r = piece.circle
        return replace(piece, circle=(*self.point((x, y)), min(r * self.w // self.was[0], r * self.h // self.was[1])))


def table_of(b: HasBook, s: Scenario) -> Table:
    scale = Scale(b, s)
    return Table(
        scale.w,
        scale.h,
        tuple([scale.terrain(terrain_of(piece)) for piece in pieces_of(b, s)]),
    )


def area_of(b: HasBook, s: Scenario, zone: DeploymentZone) -> Area:
    """Return the area in which a side places its models. The depth of the area does not depend on the size of the
    table.
    """
    scale = Scale(b, s)
    w, h = scale.w, scale.h
    if zone.around is not None:
        (x, y), reach = scale.place(zone.around), inches(zone.reach)
        return Area(
            box=(x - reach, y - reach, x + reach, y + reach),
            around=(x, y),
            words=f"within {quantity(f'{zone.reach:g}', 'inch')} of the middle of the place",
        )
    deep = inches(zone.depth)
    boxes: dict[Edge, Box] = {
        "south": (0, 0, w, deep),
        "north": (0, h - deep, w, h),
        "west": (0, 0, deep, h),
        "east": (w - deep, 0, w, h),
    }
    edge = zone.edge or "south"
    return Area(box=boxes[edge], words=f"within {quantity(f'{zone.depth:g}', 'inch')} of the {edge} edge")
