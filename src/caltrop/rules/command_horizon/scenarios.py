"""Scenarios: a table with terrain and objectives, the number of rounds and the scoring. The files are YAML, in
centimetres.

A piece or an objective with a `twin` is on the table twice, for fairness. The second twin is rotated by 180 degrees
about the middle of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Book, Procedure, rule
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.geometry import CM, Point
from caltrop.kit.files import Library
from caltrop.roster import Read, nearest, read_yaml
from caltrop.rules.command_horizon.armies import ArmyList, cost_of, editions_of, find, muster
from caltrop.rules.command_horizon.catalogue import (
    ARMIES,
    ground_kinds_here,
)
from caltrop.rules.command_horizon.records import Army, Battle, Effect, Objective
from caltrop.rules.command_horizon.setup import enlist
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn, known
from caltrop.table.measured import Table, Terrain

Length = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""A length on a table, in whole centimetres."""

Corner = Annotated[tuple[Length, Length], drawn("place")]

Race = Annotated[str, known(ARMIES)]

Number = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""A number of rounds, units, points and the like."""

Ground = Literal["woods", "built-up", "rough", "hill", "building", "impassable"]


class TerrainPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Annotated[str, drawn("name")]
    kind: Annotated[Ground, drawn("ground")]
    outline: Annotated[tuple[Corner, ...], msgspec.Meta(max_length=200), drawn("outline")] = ()
    box: Annotated[tuple[Length, Length, Length, Length], drawn("box")] | None = None
    """Lower left and upper right corners of a rectangle, instead of an outline."""
    twin: str = ""
    """Id of the piece's twin; empty if it has none."""


class ScenarioGoal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: Annotated[str, drawn("name")]
    at: Corner
    size: Annotated[int, msgspec.Meta(ge=1, le=30)] = 4
    worth: Number = 0
    """Victory points at the end for the side that has secured it."""
    owner: Annotated[Literal["first", "second"], drawn("side")] | None = None
    """Army that owns the objective, the first or the second; None if it is neutral."""
    benefit: Effect | None = None
    """Effect of securing the objective for its owner, or for either side if it is neutral."""
    sabotage: Effect | None = None
    """Effect of securing the objective for the enemy of its owner."""
    twin: str = ""
    """Name of the twin of the place, which belongs to the other side; empty for a place without a twin."""


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["command-horizon"]
    id: str
    title: str
    minutes: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    words: str
    """Description of the scenario in one sentence."""
    table: Annotated[tuple[Length, Length], drawn("size")] = (120, 120)
    zone: Annotated[Length, drawn("depth")] = 10
    """Depth of the deployment zones, in centimetres (CH-SETUP-04)."""
    rounds: Number = 6
    size: Number = 7
    """Default number of units on each side."""
    cost: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    """Largest cost of an army, in points measured in battles; 0 for no limit."""
    armies: tuple[Race, Race] = ("alliance", "asori")
    deployed: bool = False
    """True if both armies are on the table from the start."""
    points: bool = True
    """True if destroyed units give victory points."""
    breakthrough: Number = 0
    """Victory points for every unit that leaves the table over the enemy's edge; 0 if no unit may leave."""
    terrain: Annotated[tuple[TerrainPiece, ...], msgspec.Meta(max_length=200), drawn("pieces")] = ()
    objectives: Annotated[tuple[ScenarioGoal, ...], msgspec.Meta(max_length=50), drawn("pieces")] = ()


def scenario_file(file: Path | str) -> Read[Scenario]:
    """Read a scenario from a file or a text, and check its table and objectives.

    Raises InputError if the file is invalid; the message has file, line and column.
    """
    read = read_yaml(file, Scenario)
    s = read.value

    w, h = s.table
    if min(w, h) < 4 * s.zone or s.zone < 4:
        raise read.wrong("the table is too small for two zones and a battle between them", "table")
    if s.rounds < 1:
        raise read.wrong("a game has a round or more", "rounds")
    names: dict[str, int] = {}
    for i, piece in enumerate(s.terrain):
        if (piece.box is None) == (len(piece.outline) < 3):
            raise read.wrong("a piece has an outline of three corners or more, or else a box", "terrain", i)
        for x, y in _corners(piece):
            if not (0 <= x <= w and 0 <= y <= h):
                raise read.wrong(f"({x}, {y}) lies off the table of {w} by {h} cm", "terrain", i)
        for name in (piece.id, piece.twin):
            if name and name in names:
                raise read.wrong(f"two pieces are called {name!r}", "terrain", i)
            if name:
                names[name] = i
        try:
            Terrain(piece.id, ground_kinds_here()[piece.kind], tuple(_corners(piece)))
        except ValueError as error:
            raise read.wrong(str(error), "terrain", i) from None
    called: dict[str, int] = {}
    for i, goal in enumerate(s.objectives):
        if not (0 <= goal.at[0] <= w and 0 <= goal.at[1] <= h):
            raise read.wrong(f"{goal.at} lies off the table of {w} by {h} cm", "objectives", i, "at")
        for name in (goal.name, goal.twin):
            if name and name in called:
                raise read.wrong(f"two objectives are called {name!r}", "objectives", i)
            if name:
                called[name] = i
    for i, word in enumerate(s.armies):
        if word not in ARMIES:
            raise read.wrong(f"there is no race {word!r}; {nearest(word, ARMIES)}", "armies", i)
    return read


def _corners(piece: TerrainPiece) -> Sequence[Point]:
    if piece.box is None:
        return piece.outline
    a, b, c, d = piece.box
    return ((a, b), (c, b), (c, d), (a, d))


SCENARIO_FILES = Library("scenario", built_in("command-horizon"), scenario_file, of="command-horizon")
"""The scenarios: those supplied with the game, and those of authors."""


def every_scenario() -> tuple[Scenario, ...]:
    """Return the supplied scenarios, the shortest first."""
    return SCENARIO_FILES.every(lambda s: (s.minutes, s.id))


def table_of(s: Scenario) -> Table:
    w, h = s.table
    pieces: list[Terrain] = []
    for piece in s.terrain:
        corners = _corners(piece)
        pieces.append(Terrain(piece.id, ground_kinds_here()[piece.kind], tuple((x * CM, y * CM) for x, y in corners)))
        if piece.twin:
            turned = tuple(((w - x) * CM, (h - y) * CM) for x, y in corners)
            pieces.append(Terrain(piece.twin, ground_kinds_here()[piece.kind], turned))
    return Table(w * CM, h * CM, tuple(pieces))


def objectives_of(s: Scenario) -> list[Objective]:
    w, h = s.table
    objectives: list[Objective] = []
    for goal in s.objectives:
        x, y = goal.at
        owner = None if goal.owner is None else int(goal.owner == "second")
        of_twin = None if owner is None else 1 - owner
        spots = [(goal.name, x, y, owner)] + ([(goal.twin, w - x, h - y, of_twin)] if goal.twin else [])
        objectives += [
            Objective(
                name=name,
                x=px * CM,
                y=py * CM,
                r=goal.size * CM // 2,
                owner=whose,
                worth=goal.worth,
                benefit=goal.benefit,
                sabotage=goal.sabotage,
            )
            for name, px, py, whose in spots
        ]
    return objectives


@rule("Q-VP-4")
def rounds_played(b: HasBook, of_scenario: int) -> int | None:
    """The scenario sets the number of rounds; the default is six."""
    return of_scenario


@rounds_played.amended_by("Q-VP-4")
def the_agreed_number_holds(rounds: int | None, b: HasBook, of_scenario: int) -> int | None:
    """House rule: an agreed number of rounds, or no limit, replaces the scenario's number."""
    agreed = b.book.rules["game.rounds"]
    if agreed == "none":
        return None
    return rounds if agreed == 6 else int(agreed)


@rule("CH-VP-01", "Q-VP-4")
def keeps_points(b: HasBook, of_scenario: bool) -> bool:
    """The scenario decides whether destroyed units give victory points."""
    return of_scenario


@keeps_points.amended_by("Q-ED-1", "Q-VP-4", edition="v1.5")
def no_points_in_the_earlier_edition(keep: bool, b: HasBook, of_scenario: bool) -> bool:
    return False


def battle(book: Book, s: Scenario, lists: Sequence[ArmyList], game: Procedure) -> Battle:
    same = lists[0].army == lists[1].army
    t = Battle(
        book=book,
        stack=[game],
        scenario=s.id,
        table=table_of(s),
        armies=[
            Army(
                name=ARMIES[one.army].title + (f" {'AB'[side]}" if same else ""),
                army=one.army,
                edge=side,
                paint=one.paint,
            )
            for side, one in enumerate(lists)
        ],
        units=[],
        models=[],
        objectives=objectives_of(s),
        zone=s.zone * CM,
        rounds=rounds_played(book, s.rounds),
        keeps_vp=keeps_points(book, s.points),
        placed=s.deployed,
        breakthrough=s.breakthrough,
    )
    for side, one in enumerate(lists):
        for body in muster(book, one):
            enlist(t, side, body)
    return t


def choose_armies(book: Book, s: Scenario, words: Sequence[str], size: int | None) -> list[ArmyList]:
    """Return the army list of each side: the chosen one, or the scenario's own.

    Raises InputError for an unknown or illegal list.
    """
    if size is not None and size < 1:
        raise InputError(f"an army has 1 unit or more; this one has {size}")
    if len(words) not in (0, 2):
        raise InputError(f"a battle has 2 armies; you named {len(words)}. Name them as in alliance,asori")
    chosen = list(words or s.armies)
    if not words and book.edition == "v1.5":
        # A race that does not exist in the edition is replaced.
        chosen = [w if w != "putredine" else "alliance" for w in chosen]
    army_lists = [find(book, w, size or (s.size if w in ARMIES else None)) for w in chosen]
    for army in army_lists:
        cost = cost_of(book, army) if s.cost else 0
        if cost is None:
            complaint = f"nobody has measured what {army.title} costs in the edition {book.edition}"
            raise InputError(f"{complaint}, and {s.title} allows {quantity(s.cost, 'point')}", field="armies")
        if cost > s.cost > 0:
            raise InputError(
                f"{army.title} costs {quantity(cost, 'point')}, and {s.title} allows {s.cost}", field="armies"
            )
    return army_lists


__all__ = [
    "ScenarioGoal",
    "TerrainPiece",
    "Scenario",
    "battle",
    "choose_armies",
    "editions_of",
    "SCENARIO_FILES",
    "every_scenario",
    "keeps_points",
    "objectives_of",
    "rounds_played",
    "scenario_file",
    "table_of",
]
