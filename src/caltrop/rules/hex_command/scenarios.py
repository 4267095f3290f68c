"""Scenarios: a map, its terrain, the units and the objectives. The files are YAML, with hexes by name.

Hexes of one kind are written as one text: `A5-D5 F5 H5` means A5, B5, C5, D5, F5 and H5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Book, Procedure, agreeing, rule
from caltrop.engine.house import settle
from caltrop.engine.packs import read_with
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.kit.files import Library
from caltrop.kit.words import in_front, tell_apart
from caltrop.roster import Read, nearest, read_yaml
from caltrop.rules.hex_command.armies import (
    LISTS,
    ArmyList,
    find,
    kinds_of,
    unit_row,
)
from caltrop.rules.hex_command.catalogue import (
    CARD_SHEET,
    CARDS,
    LEAST_DECK,
    UNIT_SHEET,
    UNITS,
    UnitKind,
    deck_of,
    mark_here,
    mark_of,
    row_of,
    switches,
)
from caltrop.rules.hex_command.leaders import takes_leader
from caltrop.rules.hex_command.places import barred
from caltrop.rules.hex_command.records import NORTH, SOUTH, Battle, Field, Limit, Objective, Unit, full_strength
from caltrop.rules.hex_command.victory import look_at_objectives
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn, known
from caltrop.table.hexes import Hex, HexMap, hex_map

Compass = Literal["south", "north"]
SIDES: dict[str, int] = {"south": SOUTH, "north": NORTH}

Kind = Literal["road", "bridge", "rubble", "woods", "ruins", "hill", "citadel", "spire", "water", "ford"]
"""Kind of ground of a hex that is not open."""


Turns = Annotated[int, msgspec.Meta(ge=1, le=100)]

Hexes = Annotated[str, msgspec.Meta(max_length=2000), drawn("hexes")]
"""Text with names of hexes, and of runs of hexes in a row."""

OneHex = Annotated[str, msgspec.Meta(max_length=10), drawn("hex")]
"""Name of one hex; empty for none."""

OfSide = Annotated[Compass, drawn("side")]


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units of one kind, and their hexes."""

    kind: Annotated[str, known(UNITS)]
    """Row of the unit table, such as `vehicle-medium`."""
    at: Hexes
    """Hexes of the units. A single leader in the hex of a unit is attached to it."""
    name: str = ""


class Host(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    """Name of the side in the singular, such as `Ashen Horde`."""
    units: Annotated[tuple[Post, ...], msgspec.Meta(max_length=60)] = ()
    """Units that stand on the map from the start."""
    army: Annotated[str, known(LISTS.files)] = ""
    """Id of the army list whose units are placed in turns, instead of `units`. Players may choose another army list."""
    hand: Annotated[int, msgspec.Meta(ge=1, le=7)] = 5
    """Number of cards in the side's hand."""
    banners: Annotated[int, msgspec.Meta(ge=1, le=50)] = 5


class Goals(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hexes that are worth a banner each."""

    at: Hexes
    permanent: bool = False
    """True if the hexes stay captured. If it is false, the objectives count only while a side holds them."""
    side: OfSide | None = None
    """The only side to which these objectives are worth a banner; both by default."""


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A limit of turns, and the winner at the limit."""

    turns: Turns = 25
    side: Compass | None = None
    """Side whose turns are counted; by default both sides must have had this number of turns."""
    winner: Compass | None = None
    """Winner at the limit; by default banners decide, then points."""


class WayOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit that wins for its side if it is in a certain row when a turn of its side begins."""

    unit: OneHex
    """Hex in which the unit starts."""
    row: Annotated[int, msgspec.Meta(ge=1, le=15)]


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["hex-command"]
    id: str
    title: str
    minutes: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    words: str
    """Description of the scenario in one sentence."""
    clauses: str = ""
    map: Annotated[tuple[int, int], drawn("size")] = (9, 13)
    """Number of rows, and of hexes in an odd row."""
    terrain: Annotated[dict[Kind, Hexes], drawn("pieces")]
    entrenchments: Hexes = ""
    """Hexes in which units are entrenched at the start."""
    south: Host
    north: Host
    objectives: Annotated[tuple[Goals, ...], msgspec.Meta(max_length=50), drawn("pieces")] = ()
    first: Compass = "south"
    """Side that moves first. If units are placed in turns, the other side places first."""
    limit: Span = Span()
    without: Annotated[tuple[Annotated[str, known(CARDS)], ...], msgspec.Meta(max_length=60)] = ()
    """Kinds of cards that are left out of the deck."""
    always: OneHex = ""
    """Starting hex of a unit that may act in every turn, whatever the card."""
    exit: WayOut | None = None
    prize: OneHex = ""
    """Starting hex of a unit whose destruction loses the battle for its side."""

    @property
    def hosts(self) -> tuple[Host, Host]:
        """South and North, in that order."""
        return self.south, self.north

    @property
    def takes_armies(self) -> bool:
        """True if players may bring other armies: both sides have the same goals, and no unit has a special role."""
        a, b = self.hosts
        return (
            (a.hand, a.banners) == (b.hand, b.banners)
            and self.limit.winner is None
            and not (self.always or self.exit or self.prize)
            and all(g.side is None for g in self.objectives)
        )


def hexes_in(text: str, map: HexMap) -> list[Hex]:
    """Return the hexes in a text: single hexes, and runs within a row such as `A5-D5`.

    Raises ValueError for a hex that is off the map or occurs twice; the message names the nearest hex.
    """
    hexes: list[Hex] = []
    for word in text.split():
        ends = word.split("-")
        for end in ends:
            if end not in map:
                raise ValueError(map.fault(end))
        if len(ends) == 1:
            run = ends
        else:
            number = map.row(ends[0])
            row = [hex for hex in map.hexes if map.row(hex) == number]
            if len(ends) > 2 or ends[1] not in row or map.column(ends[0]) > map.column(ends[1]):
                raise ValueError(
                    f"{word} is not a run of hexes: a run goes east within one row, as {row[0]}-{row[-1]} does"
                )
            run = row[map.column(ends[0]) : map.column(ends[1]) + 1]
        for hex in run:
            if hex in hexes:
                raise ValueError(f"{hex} is named twice")
            hexes.append(hex)
    return hexes


def scenario_file(file: Path | str) -> Read[Scenario]:
    """Read a scenario from a file or a text, and check that it can be played.

    Raises InputError if the file is invalid; the message has file, line and column.
    """
    read = read_yaml(file, Scenario)
    _Checked(read).all()
    return read


class _Checked:
    """The check of a scenario, part by part in the order of the file."""

    def __init__(self, read: Read[Scenario]) -> None:
        self.read, self.s, self.wrong = read, read.value, read.wrong

    def hexes(self, text: str, *path: str | int) -> list[Hex]:
        try:
            return hexes_in(text, hex_map(*self.s.map))
        except ValueError as error:
            raise self.wrong(str(error), *path) from None

    def all(self) -> None:
        s = self.s
        try:
            hex_map(*s.map)
        except ValueError as error:
            raise self.wrong(str(error), "map") from None
        self.terrain()
        named = [host for host in s.hosts if host.army]
        for word, host in zip(SIDES, s.hosts, strict=True):
            if bool(host.army) == bool(host.units):
                raise self.wrong("a side has units that stand somewhere, or else an army", word)
            if len(named) == 1:
                raise self.wrong("both sides have units that stand somewhere, or both have an army", word)
            if host.army and host.army not in LISTS.files:
                hint = nearest(host.army, LISTS.files)
                raise self.wrong(f"there is no army {host.army!r}; {hint}", word, "army")
        for i, card in enumerate(s.without):
            if card not in CARD_SHEET.here():
                raise self.wrong(f"there is no card {card!r}; {nearest(card, CARD_SHEET.here())}", "without", i)
        left = sum(card not in s.without for card in deck_of(mark_here()))
        if left < LEAST_DECK:
            raise self.wrong(
                f"{quantity(left, 'card')} {agreeing(left, 'is')} left, and the deck has {LEAST_DECK} or more",
                "without",
            )
        for i, goals in enumerate(s.objectives):
            self.hexes(goals.at, "objectives", i, "at")
        self.hexes(s.entrenchments, "entrenchments")
        for key in ("always", "exit", "prize"):
            if getattr(s, key) and named:
                raise self.wrong("a unit with a part of its own stands somewhere: give both sides units", key)
        if not named:
            self.units()
        if s.exit is not None and s.exit.row > s.map[0]:
            raise self.wrong(f"the map has {quantity(s.map[0], 'row')}", "exit", "row")

    def terrain(self) -> None:
        seen: dict[Hex, str] = {}
        for kind, text in self.s.terrain.items():
            for hex in self.hexes(text, "terrain", kind):
                if hex in seen:
                    raise self.wrong(f"{hex} is {seen[hex]} already", "terrain", kind)
                seen[hex] = kind

    def units(self) -> None:
        s = self.s
        empty = _field(s, {})
        t = Battle(book=Book("hex-command", "current", settle(switches(), {}), read_with()), field=empty, units=[])
        stood: dict[Hex, str] = {}
        guests = []
        for side, (word, host) in enumerate(zip(SIDES, s.hosts, strict=True)):
            for i, post in enumerate(host.units):
                path = (word, "units", i)
                unit_row(self.read, post.kind, *path, "kind")
                for hex in self.hexes(post.at, *path, "at"):
                    unit = _unit(len(t.units), side, post.kind, post.name)
                    t.units.append(unit)
                    refusal = barred(t, unit, hex)
                    if refusal is not None:
                        raise self.wrong(refusal.with_clause, *path, "at")
                    if unit.alone:
                        guests.append((unit, hex, (*path, "at")))
                    elif hex in stood:
                        raise self.wrong(f"{hex} holds the {stood[hex]} already", *path, "at")
                    else:
                        stood[hex] = unit.name
                        t.put(unit.id, hex)
        for leader, hex, where in guests:
            host_of = t.unit_at(hex)
            refusal = None if host_of is None else takes_leader(t, host_of, leader.side)
            if refusal is not None:
                raise self.wrong(refusal.with_clause, *where)
            t.put(leader.id, hex, guest=host_of is not None)
        for key in ("always", "prize"):
            if getattr(s, key):
                self.part(t, getattr(s, key), key)
        if s.exit is not None:
            self.part(t, s.exit.unit, "exit", "unit")
        for hex in self.hexes(s.entrenchments, "entrenchments"):
            if hex not in t.board:
                raise self.wrong(f"no unit at {hex} can be dug in", "entrenchments")
        self.banners(t)

    def part(self, t: Battle, hex: Hex, *path: str | int) -> None:
        if len(self.hexes(hex, *path)) != 1 or hex not in t.board:
            near = min(t.board, key=lambda h: t.map.distance(h, hex) if hex in t.map else 0, default="nowhere")
            raise self.wrong(f"{hex} is not a hex in which a unit starts; the nearest is {near}", *path)

    def banners(self, t: Battle) -> None:
        s = self.s
        for side, (word, host) in enumerate(zip(SIDES, s.hosts, strict=True)):
            there = sum(u.row.banners for u in t.units if u.side != side)
            for goals in s.objectives:
                if goals.side in (None, word):
                    there += len(self.hexes(goals.at))
            if host.banners > there:
                raise self.wrong(f"{host.name} can win {quantity(there, 'banner')} at most", word, "banners")


SCENARIO_FILES = Library("scenario", built_in("hex-command"), scenario_file, of="hex-command", marked=True)
"""The scenarios: those supplied with the game, and those of authors."""


def every_scenario() -> tuple[Scenario, ...]:
    """Return the supplied scenarios, the shortest first."""
    return SCENARIO_FILES.every(lambda s: (s.minutes, s.id))


@rule("HX-Q03", "HX-S10", "HX-S11", "HX-S12")
def size_of_map(b: HasBook, of_scenario: tuple[int, int]) -> tuple[int, int]:
    """The map has the scenario's size; in a free battle this is 9 rows of 13 and 12 hexes.

    Names, neighbours and distances follow from that size.
    """
    return of_scenario


@size_of_map.amended_by("HX-Q03", "HX-S10")
def the_agreed_size_holds(size: tuple[int, int], b: HasBook, of_scenario: tuple[int, int]) -> tuple[int, int]:
    """House rule: an agreed size of the map replaces the scenario's."""
    agreed = str(b.book.rules["map_rows_cols"])
    if agreed == "9x13":
        return size
    rows, _, columns = agreed.partition("x")
    return int(rows), int(columns)


def battle(book: Book, s: Scenario, lists: Sequence[ArmyList], opening: Procedure) -> Battle:
    """Return the battle before its first step.

    Args:
        book: Edition and house rules.
        lists: The armies whose units are placed in turns; if empty, the scenario's units start in their hexes.
    """
    size = size_of_map(book, s.map) if lists else s.map
    starts: dict[Hex, int] = {}
    units: list[Unit] = []
    places: list[Hex | None] = []
    for side, host in enumerate(s.hosts):
        kinds: list[tuple[str, str, Hex | None]]
        if lists:
            kinds = [(kind.key, name, None) for kind, name in _mustered(lists[side])]
        else:
            kinds = [(p.kind, p.name, hex) for p in host.units for hex in hexes_in(p.at, hex_map(*s.map))]
        names = tell_apart([name or row_of(kind, mark_of(book.pack)).title for kind, name, _ in kinds], in_front)
        for (kind, _, hex), name in zip(kinds, names, strict=True):
            unit = _unit(len(units), side, kind, name)
            if hex is not None and not (unit.alone and hex in starts):
                starts[hex] = unit.id
            units.append(unit)
            places.append(hex)
    t = Battle(
        book=book,
        stack=[opening],
        active=SIDES[s.first],
        field=_field(s, starts, size, lists),
        units=units,
        entrenchments=[] if lists else hexes_in(s.entrenchments, hex_map(*s.map)),
    )
    # A leader is placed after its unit, so that it joins the unit.
    for unit, hex in sorted(zip(units, places, strict=True), key=lambda one: one[0].alone):
        if hex is not None:
            t.put(unit.id, hex, guest=hex in t.board)
    look_at_objectives(t)
    return t


def _mustered(army: ArmyList) -> list[tuple[UnitKind, str]]:
    names = [entry.name for entry in army.units for _ in range(entry.count)]
    return list(zip(kinds_of(army), names, strict=True))


def _unit(id: int, side: int, kind: str, name: str) -> Unit:
    row, pack = UNIT_SHEET.here()[kind], mark_here()
    return Unit(id=id, side=side, kind=kind, name=name or row.title, hex=None, strength=full_strength(row), pack=pack)


def _field(
    s: Scenario,
    starts: Mapping[Hex, int],
    size: tuple[int, int] = (0, 0),
    lists: Sequence[ArmyList] = (),
) -> Field:
    """Return the parts of a battle that never change.

    On a map of another size, terrain and objectives keep their relative places.
    """
    old = hex_map(*s.map)
    new = hex_map(*(size if size[0] else s.map))
    written = {hex: str(kind) for kind, text in s.terrain.items() for hex in hexes_in(text, old)}
    goals = [(hex, image(hex, old, new), g) for g in s.objectives for hex in hexes_in(g.at, old)]
    terrain = {hex: written[of] for hex in new.hexes if (of := image(hex, new, old)) in written}
    # An objective keeps its ground, so that no bridge disappears on a smaller map.
    terrain |= {hex: written[of] for of, hex, _ in goals if of in written}
    names = [host.name for host in s.hosts]
    if lists:
        names = [army.title for army in lists]
        if names[0] == names[1]:
            names = [f"{name} ({word})" for name, word in zip(names, ("South", "North"), strict=True)]
    return Field(
        rows=new.rows,
        columns=new.columns,
        terrain=terrain,
        objectives=tuple(
            Objective(
                hex=hex,
                permanent=g.permanent,
                side=None if g.side is None else SIDES[g.side],
            )
            for _, hex, g in goals
        ),
        names=(names[0], names[1]),
        banners=(s.south.banners, s.north.banners),
        hands=(s.south.hand, s.north.hand),
        without=tuple(sorted(s.without)),
        first=SIDES[s.first],
        limit=Limit(
            side=None if s.limit.side is None else SIDES[s.limit.side],
            turns=s.limit.turns,
            winner=None if s.limit.winner is None else SIDES[s.limit.winner],
        ),
        always=starts.get(s.always),
        exit=None if s.exit is None or s.exit.unit not in starts else (starts[s.exit.unit], s.exit.row),
        prize=starts.get(s.prize),
        pack=mark_here(),
    )


@lru_cache(maxsize=4096)
def image(hex: Hex, of: HexMap, on: HexMap) -> Hex:
    """Return the hex at the same relative place on another map."""
    row = _scaled(of.row(hex) - 1, of.rows - 1, on.rows - 1)
    # Columns are in half hexes from the west edge, because an even row begins half a hex farther east.
    across = 2 * of.column(hex) + 1 + (of.row(hex) % 2 == 0)
    shift = row % 2
    halves = _scaled(across, 2 * of.columns, 2 * on.columns, step=2, start=1 + shift)
    column = min(max((halves - 1 - shift) // 2, 0), on.columns - 1 - shift)
    return next(h for h in on.hexes if on.row(h) == row + 1 and on.column(h) == column)


def _scaled(value: int, whole: int, other: int, step: int = 1, start: int = 0) -> int:
    """Return *value* out of *whole* scaled to *other*, rounded to the nearest of start, start + step and so on.

    Halves are rounded towards the middle.
    """
    up = 2 * value <= whole
    over = value * other - start * whole
    size = step * whole
    steps = (2 * over + size - (0 if up else 1)) // (2 * size)
    return start + step * steps


def choose_armies(book: Book, s: Scenario, words: Sequence[str], size: int | None) -> list[ArmyList]:
    """Return the army lists whose units are placed in turns; empty if the scenario places its own units.

    These lists are the chosen ones, or the scenario's own. Raises InputError for an unknown or illegal list, or if the
    scenario allows no choice.
    """
    if size is not None and size < 1:
        raise InputError(f"an army has 1 point or more; this one has {size}")
    if len(words) not in (0, 2):
        raise InputError(f"a battle has 2 armies; you named {len(words)}. Name them as in iron-concord,ashen-horde")
    if words and not s.takes_armies:
        raise InputError(f"{s.title} is fought by its own armies: choose none, or play free-battle")
    chosen = words or [host.army for host in s.hosts if host.army]
    if size is not None and not chosen:
        raise InputError(f"in {s.title} units stand already: name two armies, or leave the points out")
    return [find(book, word, size) for word in chosen]
