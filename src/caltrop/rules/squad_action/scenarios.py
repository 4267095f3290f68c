"""Missions: the table, the defender, deployment areas and goals. The files are YAML, in inches (SQ-S70 to S73)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, Procedure, rule
from caltrop.errors import InputError
from caltrop.geometry import point_along
from caltrop.kit.files import Library
from caltrop.kit.words import tell_sides_apart
from caltrop.picture import Paint
from caltrop.roster import Read, nearest, read_yaml
from caltrop.rules.squad_action.armies import (
    LISTS,
    Force,
    ForceUnit,
    arms_of,
    cut_to,
    every_force,
    fault,
    find,
    points_of,
    source_of,
    unit_points,
)
from caltrop.rules.squad_action.catalogue import TABLE_SIDES, Kind, Lists, inches, terrain_kinds_here
from caltrop.rules.squad_action.records import Area, Field, Firefight, Goal, Model, Objective, Pilot, Unit
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn, known
from caltrop.table.measured import Table, Terrain
from caltrop.table.measured.terrain import TerrainKind

Length = Annotated[float, msgspec.Meta(ge=0, le=100)]
"""A length on the table, in inches."""

ForceName = Annotated[str, known(LISTS.files)]

Place = Annotated[tuple[Length, Length], drawn("place")]

_LAYOUTS = Path(__file__).parent / "data" / "layouts.yaml"

THICK = 0.3
"""Thickness of a hedge or a wall given as a line, in inches."""


class Circle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A round piece of terrain."""

    at: Place
    radius: Annotated[float, msgspec.Meta(gt=0, le=20), drawn("length")]


class TerrainPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of terrain. A piece has exactly one of a box, a line, an outline and a circle."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40), drawn("name")]
    kind: Annotated[str, drawn("ground")]
    box: Annotated[tuple[Length, Length, Length, Length], drawn("box")] | None = None
    """Lower left and upper right corners of a rectangle."""
    line: Annotated[tuple[Place, Place], drawn("line")] | None = None
    """Ends of a hedge or a wall."""
    outline: Annotated[tuple[Place, ...], msgspec.Meta(max_length=100), drawn("outline")] = ()
    circle: Circle | None = None


class DeploymentZone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The area in which a side deploys: a band across the table, or a circle."""

    rows: Annotated[tuple[Length, Length], drawn("rows")] | None = None
    """Smallest and largest distance of the band from the south edge, in inches."""
    around: Place | None = None
    reach: Annotated[Length, drawn("reach")] = 12
    """Radius of the circle, in inches."""
    words: Annotated[str, drawn("words")] = ""
    """Description, such as `within 9 inches of the south edge`. By default the zone is described by its numbers."""


class MissionAim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mission objective on the table."""

    at: Place
    name: Annotated[str, drawn("name")] = "Objective"


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["squad-action"]
    id: str
    title: str
    minutes: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    words: str
    """Description of the mission in a sentence or two."""
    goal: Goal
    turns: Annotated[int, msgspec.Meta(ge=1, le=40)] = 6
    table: Annotated[tuple[Length, Length], drawn("size")] = (48, 48)
    terrain: Annotated[str | Annotated[tuple[TerrainPiece, ...], msgspec.Meta(max_length=200)], drawn("pieces")]
    """Name of a layout, or the pieces themselves."""
    zones: Annotated[tuple[DeploymentZone, DeploymentZone], drawn("sides")]
    """Deployment areas of South and North."""
    objectives: Annotated[tuple[MissionAim, ...], msgspec.Meta(max_length=50), drawn("pieces")] = ()
    pilot: Place | None = None
    defender: Literal["south", "north"] | None = None
    """The defending side. The defender places all its units first, and the other side acts first."""
    deployed: bool = False
    """True if all units begin in their zones, in ranks side by side, and players place none."""
    hedges: tuple[int, int] = (2, 1)
    """Number of hedges each side places before it deploys."""
    walls: tuple[int, int] = (0, 0)
    """Number of hard walls each side places near its objective before it deploys."""
    morale: Literal["south", "north"] | None = None
    """Side that loses the mission if its morale fails (SQ-S24)."""
    points: tuple[int, int] = (500, 500)
    """Default cost of each side's force, in points."""
    forces: tuple[ForceName, ForceName] = ("border-company", "talon-strike")
    """The default force of each side."""


# --- reading ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def layouts() -> dict[str, tuple[TerrainPiece, ...]]:
    return read_yaml(_LAYOUTS, dict[str, tuple[TerrainPiece, ...]]).value


def terrain_of(piece: TerrainPiece) -> Terrain:
    """Return the terrain for a piece. Raises ValueError if the outline of the piece encloses no area."""
    kind = terrain_kinds_here()[piece.kind]
    if piece.circle is not None:
        x, y = map(inches, piece.circle.at)
        return Terrain(piece.id, kind, circle=(x, y, inches(piece.circle.radius)))
    if piece.line is not None:
        (a, b), (c, d) = piece.line
        return line_of(piece.id, kind, (inches(a), inches(b)), (inches(c), inches(d)))
    if piece.box is not None:
        a, b, c, d = map(inches, piece.box)
        return Terrain(piece.id, kind, ((a, b), (c, b), (c, d), (a, d)))
    return Terrain(piece.id, kind, tuple([(inches(x), inches(y)) for x, y in piece.outline]))


def line_of(id: str, kind: TerrainKind, start: tuple[int, int], end: tuple[int, int]) -> Terrain:
    """Return a hedge or a wall between two places."""
    across = (-(end[1] - start[1]), end[0] - start[0])
    dx, dy = point_along((0, 0), across, inches(THICK) // 2)
    ring = (
        (start[0] + dx, start[1] + dy),
        (start[0] - dx, start[1] - dy),
        (end[0] - dx, end[1] - dy),
        (end[0] + dx, end[1] + dy),
    )
    return Terrain(id, kind, ring)


def mission_file(file: Path | str) -> Read[Mission]:
    """Read a mission from a file or a text, and check that it can be played.

    Raises InputError if the file cannot be read; the message has file, line and column.
    """
    read = read_yaml(file, Mission)
    m = read.value

    def wrong(message: str, *path: str | int) -> InputError:
        return fault(read, source_of(file), message, *path)

    w, h = m.table
    least, most = TABLE_SIDES
    if min(w, h) < least or max(w, h) > most:
        raise wrong(f"a table is from {least} to {quantity(most, 'inch')} wide and high", "table")
    if isinstance(m.terrain, str):
        if m.terrain not in layouts():
            raise wrong(f"there is no layout {m.terrain!r}; {nearest(m.terrain, layouts())}", "terrain")
    else:
        names: set[str] = set()
        for i, piece in enumerate(m.terrain):
            given = (piece.box is not None, piece.line is not None, bool(piece.outline), piece.circle is not None)
            if sum(given) != 1:
                raise wrong("a piece has one shape: a box, a line, an outline or a circle", "terrain", i)
            grounds = terrain_kinds_here()
            if piece.kind not in grounds:
                raise wrong(f"there is no kind {piece.kind!r}; {nearest(piece.kind, grounds)}", "terrain", i, "kind")
            if piece.id in names:
                raise wrong(f"two pieces are called {piece.id!r}", "terrain", i)
            names.add(piece.id)
            try:
                corners = terrain_of(piece).outline
            except ValueError as error:
                raise wrong(str(error), "terrain", i) from None
            if any(not (0 <= x <= inches(w) and 0 <= y <= inches(h)) for x, y in corners):
                raise wrong(f"it does not lie on the table of {w:g} by {quantity(f'{h:g}', 'inch')}", "terrain", i)
    for i, zone in enumerate(m.zones):
        if (zone.rows is None) == (zone.around is None):
            raise wrong("a zone is a band of rows, or else it lies around a place", "zones", i)
        if zone.rows is not None and zone.rows[1] - zone.rows[0] < 3:
            raise wrong("no vehicle has room in a band of less than 3 inches", "zones", i, "rows")
    if m.goal in ("meeting", "crossroads") and not m.objectives:
        raise wrong("the goal needs an objective", "goal")
    if m.goal == "pilot" and m.pilot is None:
        raise wrong("the goal needs a pilot", "goal")
    if m.goal in ("crossroads", "breakthrough") and m.defender is None:
        raise wrong("the goal needs a defender: south or north", "goal")
    if m.goal == "none":
        raise wrong("it needs a goal: meeting, crossroads, pilot or breakthrough", "goal")
    for i, word in enumerate(m.forces):
        try:
            cut_to(find(word), m.points[i])
        except InputError as error:
            raise wrong(str(error), "forces", i) from None
    return read


MISSIONS = Library("scenario", built_in("squad-action"), mission_file, of="squad-action")
"""The missions: those supplied with the game, and those of authors."""

_ORDER = (
    "first-battle",
    "meeting-engagement",
    "hold-the-crossroads",
    "downed-pilot",
    "break-through",
    "the-last-bunker",
)


def every_mission() -> tuple[Mission, ...]:
    """Return the supplied missions, the one for beginners first."""

    def place(m: Mission) -> tuple[int, str]:
        numbers = [n for n, id in enumerate(_ORDER) if m.id.startswith(id)]
        return (numbers[0] if numbers else len(_ORDER), m.id)

    return MISSIONS.every(place)


def find_mission(word: str) -> Mission:
    """Return a mission by its id, its path, or its text.

    Raises InputError for an unknown mission; the message names the nearest.
    """
    return MISSIONS.find(word).value


# --- a firefight ------------------------------------------------------------------------------------------------------

SIDE = {"south": 0, "north": 1}


def _band(rows: tuple[float, float], high: float) -> str:
    start, end = rows
    if start == 0:
        return f"within {quantity(f'{end:g}', 'inch')} of the south edge"
    if end == high:
        return f"within {quantity(f'{high - start:g}', 'inch')} of the north edge"
    return f"in the band from {start:g} to {quantity(f'{end:g}', 'inch')}"


def area_of(m: Mission, zone: DeploymentZone) -> Area:
    w, h = inches(m.table[0]), inches(m.table[1])
    if zone.around is not None:
        x, y, reach = inches(zone.around[0]), inches(zone.around[1]), inches(zone.reach)
        box = (max(x - reach, 0), max(y - reach, 0), min(x + reach, w), min(y + reach, h))
        words = zone.words or f"within {quantity(f'{zone.reach:g}', 'inch')} of the middle of the place"
        return Area(box=box, around=((x, y), reach), words=words)
    assert zone.rows is not None
    return Area(
        box=(0, inches(zone.rows[0]), w, inches(zone.rows[1])), words=zone.words or _band(zone.rows, m.table[1])
    )


def field_of(m: Mission, lists: Lists, paints: tuple[Paint | None, Paint | None] | UnsetType = UNSET) -> Field:
    pieces = layouts()[m.terrain] if isinstance(m.terrain, str) else m.terrain
    table = Table(inches(m.table[0]), inches(m.table[1]), tuple([terrain_of(p) for p in pieces]))
    return Field(
        table=table,
        mission=m.id,
        goal=m.goal,
        turns=m.turns,
        areas=(area_of(m, m.zones[0]), area_of(m, m.zones[1])),
        objectives=tuple([Objective(at=(inches(a.at[0]), inches(a.at[1])), name=a.name) for a in m.objectives]),
        defender=None if m.defender is None else SIDE[m.defender],
        hedges=m.hedges,
        walls=m.walls,
        morale=None if m.morale is None else SIDE[m.morale],
        exits=m.goal in ("pilot", "breakthrough"),
        lists=lists,
        paints=paints,
    )


def _shares(m: Mission, size: int) -> tuple[int, int]:
    most = max(m.points)
    return size * m.points[0] // most, size * m.points[1] // most


def fewest_points() -> int:
    """Return the points that suffice for the smallest version of every force: players may choose any of them."""
    return max([min([points_of(f), *f.cuts]) for f in every_force() if f.cuts], default=0)


def sizes_of(m: Mission, fewest: int) -> tuple[int, ...]:
    """Return the sizes in points at which a mission can be played with its own forces, the smallest first.

    A size is the mission's own, or that of a smaller version (`cuts`) of one force. The result is empty if only one
    size is possible.

    Args:
        fewest: Points that each side needs at least.
    """
    forces, most = [find(word) for word in m.forces], max(m.points)
    sizes = {most} | {-(-cut * most // m.points[side]) for side in (0, 1) for cut in forces[side].cuts}
    fitting = [size for size in sorted(sizes) if all(share >= fewest for share in _shares(m, size))]
    return tuple(fitting) if len(fitting) > 1 else ()


def firefight(book: Book, m: Mission, forces: Sequence[str], size: int | None, first: Procedure) -> Firefight:
    """Return a firefight before units are placed.

    Raises InputError for an unknown force, or a force that costs too many points.

    Args:
        forces: Id, path or text of the force of each side; if empty, the mission's own.
        size: Limit for a force's cost, in points; by default the mission's own. If the forces are unequal, the limit
            applies to the larger force, and in proportion to the other.
    """
    if forces and len(forces) != 2:
        raise InputError(
            f"there are two sides, and forces for {len(forces)}; give one for each, as in border-company,talon-strike"
        )
    chosen: list[Force] = [find(word) for word in (forces or m.forces)]
    points = m.points if size is None else _shares(m, size)
    names = field_of(m, Lists()).names
    keys = [own_keys(force, other, name) for force, other, name in zip(chosen, chosen[::-1], names, strict=True)]
    own = Lists(
        profiles={keys[n].get(k, k): v for n, f in enumerate(chosen) for k, v in f.own.profiles.items()},
        weapons={k: v for f in chosen for k, v in f.own.weapons.items()},
        vehicles={keys[n].get(k, k): v for n, f in enumerate(chosen) for k, v in f.own.vehicles.items()},
    )
    mine, theirs = (None if f.paint is UNSET else f.paint for f in chosen)
    paints = (mine, theirs) if mine or theirs else UNSET
    t = Firefight(book=book, stack=[first], field=field_of(m, own, paints), units=[], models=[])
    coming = [cut_to(force, most) for force, most in zip(chosen, points, strict=True)]
    called = tell_sides_apart([[given.name for given in units] for units in coming], t.field.names)
    for side, force in enumerate(chosen):
        for given, name in zip(coming[side], called[side], strict=True):
            add_unit(t, force, side, given, name, keys[side])
    if m.pilot is not None:
        t.pilot = Pilot(at=(inches(m.pilot[0]), inches(m.pilot[1])))
    t.awaken()
    return t


@rule("SQ-ORG-68")
def own_keys(force: Force, other: Force, side: str) -> dict[str, str]:
    """Return new names for a force's own profiles and vehicles that the other force defines differently."""
    mine, theirs = force.own, other.lists
    apart = [k for k, row in mine.profiles.items() if theirs.profiles.get(k, row) != row]
    apart += [k for k, row in mine.vehicles.items() if theirs.vehicles.get(k, row) != row]
    return {key: f"{key} of {side}" for key in apart}


def add_unit(t: Firefight, force: Force, side: int, given: ForceUnit, name: str, keys: Mapping[str, str]) -> None:
    """Add a unit of a force to a firefight, without placing it.

    Args:
        name: Name of the unit, shown to both sides.
        keys: New names of the force's own profiles and vehicles, from `own_keys`.
    """
    lists, id = force.lists, len(t.units)
    arms: list[tuple[str, ...]]
    kind: Kind
    traits: tuple[str, ...] = ()
    if given.vehicle:
        row = lists.vehicles[given.vehicle]
        kind, key, arms = row.kind, given.vehicle, [row.weapons]
    else:
        profile = lists.profiles[given.profile]
        kind, key = "infantry", given.profile
        traits = tuple(dict.fromkeys((*profile.traits, *given.traits)))
        arms = [(weapon,) for weapon in arms_of(given)]
    own = tuple(range(len(t.models), len(t.models) + len(arms)))
    for n, (model, weapons) in enumerate(zip(own, arms, strict=True)):
        t.models.append(
            Model(
                id=model,
                unit=id,
                heading=(0, 1) if side == 0 else (0, -1),
                weapons=weapons,
                officer=given.officer and n == 0,
                spotter=given.spotter and n == 0,
            )
        )
    t.units.append(
        Unit(
            id=id,
            side=side,
            name=name,
            kind=kind,
            row=keys.get(key, key),
            models=own,
            starting=len(own),
            points=unit_points(lists, given),
            look=given.look,
            traits=traits,
        )
    )
