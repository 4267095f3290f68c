"""Places on the table: bodies, gaps, sight, cover, smoke, Officers, and faces of armour.

The picture, the odds and the computer players use these functions. Sight is cached until a unit, a model or the smoke
changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from caltrop.asking import Template
from caltrop.engine import rule
from caltrop.geometry import (
    INCH,
    Body,
    Disc,
    Hull,
    Point,
    Polygon,
    distance_sq,
    gap_between,
    near_to,
    point_along,
    quarters_of,
)
from caltrop.rules.squad_action.catalogue import COVERS, KINDS, Cover, Face, kinds
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.table.measured import Fan, Look, TableGround, ground_of, look
from caltrop.table.measured.corridor import Corridor, CorridorPiece, crosses_piece, holds
from caltrop.table.measured.terrain import Going, Passage, Terrain, TerrainKind

FOOT = 76
"""Radius of a soldier's base: 0.6 inches across (SQ-S17)."""
WALKER = 190
"""Radius of a walker's base: 1.5 inches across."""
FLYER = 254
"""Radius of a flyer's base: 2 inches across."""
LONG, WIDE = 381, 190
"""Half the length and half the width of a vehicle: 3 by 1.5 inches."""

KEEP_OFF = 2 * INCH
"""Distance from an enemy that a move's end must exceed (SQ-S10)."""
COHERENCY = 1 * INCH
"""The greatest gap in a unit's chain (SQ-ORG-12)."""
OFFICER_REACH = 6 * INCH
COVER_NEAR = 1 * INCH
"""Distance within which a hedge or a wall gives cover (SQ-S19)."""

LINES = Fan(points=3, obstructed_from=9)
"""Lines of sight run between the centres and sides of two bases (SQ-S11)."""

STATES = 4
"""Number of states that have a cache: the state being played, and a few others for thinking ahead."""

LOOKS = 50_000
"""Largest number of cached lines of sight between bodies."""

SMOKE = TerrainKind("smoke", obscures=True)
CLOUD = 3 * INCH
"""Radius of a smoke marker (SQ-Q58)."""


# --- bodies -----------------------------------------------------------------------------------------------------------


def body_at(t: Firefight, model: int, at: Point, heading: Point | None = None) -> Body:
    m = t.models[model]
    kind = t.units[m.unit].kind
    if kind == "vehicle":
        return Hull(*at, LONG, WIDE, heading or m.heading)
    return (*at, FOOT if kind == "infantry" else WALKER if kind == "walker" else FLYER)


def body(t: Firefight, model: int) -> Body:
    """Return the body of a model on the table.

    Raises:
        ValueError: if the model is not on the table.
    """
    at = t.models[model].at
    if at is None:
        raise ValueError(f"model {model} of {t.units[t.models[model].unit].name} is not on the table")
    return body_at(t, model, at)


def bodies(t: Firefight, unit: int) -> tuple[Body, ...]:
    """Return the bodies of a unit, in the order of its models; empty if it is not on the table."""
    cache: dict[Any, tuple[Body, ...]] = kept_of_scene(t, "bodies")
    entry = cache.get(unit)
    if entry is None:
        u = t.units[unit]
        entry = cache[unit] = tuple([body(t, m) for m in u.models]) if u.where == "table" else ()
    return entry


def kept(t: Firefight, what: str) -> dict[Any, Any]:
    """Return a cache for the present state. The cache is emptied when a unit, a model or the smoke changes."""
    return _remembered(t, what, t.stamp)


def kept_of_scene(t: Firefight, what: str) -> dict[Any, Any]:
    return _remembered(t, what, t.scene)


def _remembered(t: Firefight, what: str, stamp: int) -> dict[Any, Any]:
    if not stamp:
        return {}
    caches: dict[int, dict[Any, Any]] | None = t.book.scratch.get(what)
    if caches is None:
        caches = t.book.scratch[what] = {}
    cache = caches.get(stamp)
    if cache is None:
        if len(caches) >= STATES:
            del caches[next(iter(caches))]
        cache = caches[stamp] = {}
    return cache


def disc_near(body: Body, place: Point, reach: int) -> bool:
    if isinstance(body, Hull):
        return all(distance_sq(corner, place) <= reach * reach for corner in body.corners)
    x, y, r = body
    return reach >= r and distance_sq((x, y), place) <= (reach - r) * (reach - r)


def _traits(t: Firefight, unit: int) -> tuple[str, ...]:
    return t.units[unit].traits


@rule("SQ-S18", "SQ-S10", stages=("light", "recon"), traits=_traits)
def passage_of(t: Firefight, unit: int) -> Passage:
    """Difficult ground counts double; walls stop vehicles; infantry and walkers enter ruins; flyers pass over all."""
    kind = t.units[unit].kind
    return air_of(t) if kind == "flyer" else kinds(t).passage("foot" if kind == "infantry" else kind)


@passage_of.amended_by("SQ-TRT-12", stage="light", trait="light-infantry")
def light_infantry_is_not_slowed(value: Passage, t: Firefight, unit: int) -> Passage:
    return kinds(t).passage("light") if t.units[unit].on_foot else value


@passage_of.amended_by("SQ-TRT-14", stage="recon", trait="recon")
def scouts_are_not_slowed(value: Passage, t: Firefight, unit: int) -> Passage:
    """For Recon units, difficult ground costs nothing extra."""
    return kinds(t).passage("light") if t.units[unit].on_foot else value


AIR = Passage(tuple([(name, Going()) for name in KINDS]))
"""The ground for flyers, which nothing blocks or slows."""


def air_of(t: Firefight) -> Passage:
    """Return the ground for flyers, which ignore terrain."""
    pack = t.book.pack
    return AIR if pack is None else pack.derived("air", lambda: Passage(tuple([(name, Going()) for name in kinds(t)])))


def gap(t: Firefight, a: int, b: int) -> int:
    return min([gap_between(p, q) for p in bodies(t, a) for q in bodies(t, b)])


def within(t: Firefight, a: int, b: int, limit: int) -> bool:
    """Return whether the nearest models of two units on the table are at most *limit* apart, edge to edge."""
    return any(near_to(p, q, limit) for p in bodies(t, a) for q in bodies(t, b))


def near_place(t: Firefight, unit: int, place: Point, limit: int) -> bool:
    return any(near_to(p, (*place, 0), limit) for p in bodies(t, unit))


@rule("SQ-S21", "SQ-S22")
def officer_near(t: Firefight, unit: int) -> bool:
    """An unpinned Officer of the same side, who may belong to the unit itself, is within 6 inches of the unit."""
    for u in t.of_side(t.units[unit].side):
        if u.pinned or u.broken:
            continue
        for m in u.models:
            if t.models[m].officer and any(near_to(body(t, m), p, OFFICER_REACH) for p in bodies(t, unit)):
                return True
    return False


# --- sight ------------------------------------------------------------------------------------------------------------


@rule("SQ-S11", "SQ-ORG-18", "SQ-ORG-19", "SQ-ORG-20", "SQ-Q58", stages=("house",))
def ground_for_sight(t: Firefight) -> TableGround:
    """Terrain blocks sight as its kind says. By default smoke does not block sight."""
    return ground_of(t.field.table, (*t.placed, *clouds(t)))


@ground_for_sight.amended_by("SQ-Q58", stage="house", house={"smoke": "block"})
def smoke_hides(ground: TableGround, t: Firefight) -> TableGround:
    """House rule: smoke blocks sight. Units in smoke see, and are seen, only up to its border."""
    dense = TerrainKind("dense smoke", blocks_sight=True)
    thick = [Terrain(cloud.id, dense, circle=cloud.circle) for cloud in clouds(t)]
    return ground_of(t.field.table, (*t.placed, *thick))


@rule("SQ-S56", "SQ-Q77")
def sky_for_sight(t: Firefight) -> TableGround:
    """To and from a flyer only buildings block sight."""
    table = t.field.table
    buildings = tuple([p for p in (*table.terrain, *t.placed) if p.kind.name in BUILDINGS])
    return ground_of(type(table)(table.width, table.height, buildings))


BUILDINGS = ("ruins", "building", "bunker")
"""Kinds of terrain that are buildings for sight (SQ-S18)."""


def clouds(t: Firefight) -> tuple[Terrain, ...]:
    return tuple([Terrain(f"smoke {n + 1}", SMOKE, circle=(*c.at, CLOUD)) for n, c in enumerate(t.clouds)])


@rule("SQ-S11")
def blocks_sight(t: Firefight, unit: int) -> bool:
    """Vehicles block sight; infantry, walkers and flyers do not."""
    return t.units[unit].kind == "vehicle"


def hulls(t: Firefight) -> tuple[tuple[int, Body], ...]:
    cache = kept_of_scene(t, "hulls")
    if "hulls" not in cache:
        cache["hulls"] = tuple(
            [(u.id, body) for u in t.units if u.where == "table" and blocks_sight(t, u.id) for body in bodies(t, u.id)]
        )
    pairs: tuple[tuple[int, Body], ...] = cache["hulls"]
    return pairs


def blockers(t: Firefight, a: int, b: int) -> tuple[Body, ...]:
    """Return the hulls of other units in the way between two units."""
    return tuple([body for unit, body in hulls(t) if unit not in (a, b)])


def in_between(t: Firefight, a: int, b: int) -> tuple[TableGround, tuple[Body, ...]]:
    """Return the ground and hulls that may block sight between two units; for flyers only buildings do."""
    cache: dict[Any, tuple[TableGround, tuple[Body, ...]]] = kept_of_scene(t, "in between")
    key = a, b, len(t.placed)
    grounds = cache.get(key)
    if grounds is None:
        if "flyer" in (t.units[a].kind, t.units[b].kind):
            grounds = sky_for_sight(t), ()
        else:
            grounds = ground_for_sight(t), blockers(t, a, b)
        cache[key] = grounds
    return grounds


def corridor_between(t: Firefight, a: int, b: int) -> Corridor:
    """Return everything that may affect sight between two units on the table, for all pairs of their bodies."""
    cache: dict[Any, Corridor] = kept_of_scene(t, "corridors")
    key = a, b, len(t.placed)
    corridor = cache.get(key)
    if corridor is None:
        ground, between = in_between(t, a, b)
        corridor = cache[key] = Corridor(ground.sight_pieces, bodies(t, a), bodies(t, b), between, LINES.points)
    return corridor


def look_between(t: Firefight, viewer: int, target: int) -> Look:
    """Return whether a model sees another, and whether one of its lines of sight is free of smoke (SQ-ORG-49)."""
    cache = kept_of_scene(t, "looks")
    key = (viewer, target) if viewer < target else (target, viewer)
    view: Look | None = cache.get(key)
    if view is None:
        units = t.models[key[0]].unit, t.models[key[1]].unit
        ground, bodies_between = in_between(t, *units)
        a, b = body(t, key[0]), body(t, key[1])
        # Sight between two bodies is cached until one of the bodies moves, or something comes between them.
        lasting: dict[Any, Look] = t.book.scratch.setdefault("looks between bodies", {})
        places = ground, a, b, bodies_between
        view = lasting.get(places)
        if view is None:
            if len(lasting) >= LOOKS:
                lasting.clear()
            corridor = corridor_between(t, *units)
            every = corridor.all_lines
            view = Look(LINES, *((every, every) if corridor.shut else corridor.masks(a, b)))
            lasting[places] = view
        cache[key] = view
    return view


def sees(t: Firefight, viewer: int, target: int) -> bool:
    return look_between(t, viewer, target).seen


def unit_sees(t: Firefight, viewer: int, target: int) -> bool:
    return any(sees(t, a, b) for a in t.units[viewer].models for b in t.units[target].models)


def sees_place(t: Firefight, unit: int, place: Point) -> bool:
    ground = ground_for_sight(t)
    hulls = tuple([hull for hull in blockers(t, unit, -1) if not near_to(hull, (*place, 0), 0)])
    return any(look(ground, LINES, p, (*place, 0), hulls).seen for p in bodies(t, unit))


# --- cover ------------------------------------------------------------------------------------------------------------


class Shelter(NamedTuple):
    """The cover of a model."""

    cover: Cover
    by: str
    """Id of the terrain that gives the cover; empty for none."""


BARE = Shelter("none", "")

COVER_OF: dict[str, Cover] = {
    "woods": "soft",
    "hedge": "soft",
    "wall": "hard",
    "ruins": "hard",
    "building": "hard",
    "bunker": "fortified",
}
"""The cover that each kind of terrain gives (SQ-S16)."""

LINEAR = ("hedge", "wall")
"""Kinds of terrain that give cover only if they are between a model and the firer, and near the model."""


@rule("SQ-S19", "SQ-S16", stages=("house",))
def shelter(t: Firefight, model: int, firer: Point, part: Point | None = None) -> Shelter:
    """A model is in cover inside woods or ruins, or within 1 inch of a hedge or wall between it and the firer.

    Args:
        part: The part of a hull that is looked at; by default its centre.
    """
    at = part or t.models[model].at
    assert at is not None
    best = BARE
    for cover, piece, terrain in _cover_near(t, model):
        if COVERS.index(cover) <= COVERS.index(best.cover):
            continue
        if crosses_piece(piece, at, firer) if terrain.kind.name in LINEAR else holds(piece, at):
            best = Shelter(cover, terrain.id)
    return best


@shelter.amended_by("SQ-Q58", stage="house", house={"smoke": "block"})
def smoke_is_soft_cover(so_far: Shelter, t: Firefight, model: int, firer: Point, part: Point | None = None) -> Shelter:
    at = part or t.models[model].at
    assert at is not None
    if so_far.cover != "none":
        return so_far
    for cloud in clouds(t):
        if distance_sq(at, cloud.circle[:2] if cloud.circle else at) <= CLOUD * CLOUD:
            return Shelter("soft", cloud.id)
    return so_far


def _cover_near(t: Firefight, model: int) -> tuple[tuple[Cover, CorridorPiece, Terrain], ...]:
    cache: dict[Any, tuple[tuple[Cover, CorridorPiece, Terrain], ...]] = kept_of_scene(t, "cover near")
    covers = cache.get(model)
    if covers is None:
        where, every = body(t, model), []
        for piece, terrain in zip(t.ground.pieces, (*t.field.table.terrain, *t.placed), strict=True):
            form = terrain.polygon or terrain.circle
            cover = COVER_OF.get(terrain.kind.name, "none")
            if form and cover != "none" and near_to(where, form, COVER_NEAR if terrain.kind.name in LINEAR else 0):
                every.append((cover, piece, terrain))
        covers = cache[model] = tuple(every)
    return covers


PARTS = (16, 8)
"""Number of parts along and across a hull by which its cover is measured (SQ-S19)."""


@lru_cache(maxsize=1024)
def parts_of(body: Body) -> tuple[Point, ...]:
    """Return points spread evenly over a hull or a base: the centres of equal parts."""
    hull = body if isinstance(body, Hull) else Hull(body[0], body[1], body[2], body[2])
    along, across = PARTS if isinstance(body, Hull) else (PARTS[0], PARTS[0])
    hx, hy = hull.heading
    points = []
    for i in range(along):
        row = point_along(hull.at, hull.heading, (2 * i + 1 - along) * hull.length // along)
        for j in range(across):
            points.append(point_along(row, (hy, -hx), (2 * j + 1 - across) * hull.width // across))
    if isinstance(body, Hull):
        return tuple(points)
    return tuple([p for p in points if distance_sq(p, (body[0], body[1])) <= body[2] * body[2]])


@rule("SQ-S19", "SQ-S16")
def machine_cover(t: Firefight, model: int, firer: Point) -> Cover:
    """A machine has the best cover that at least half of its hull has. From straight above, hedges give none."""
    if not _cover_near(t, model) and not t.clouds:
        return "none"
    ranks = [COVERS.index(shelter.cover) for shelter in shelters(t, model, firer)]
    for rank in range(len(COVERS) - 1, 0, -1):
        if 2 * sum([r >= rank for r in ranks]) >= len(ranks):
            return COVERS[rank]
    return "none"


def shelters(t: Firefight, model: int, firer: Point) -> list[Shelter]:
    """Return the cover against a firer: one for each part of a machine, and one for a soldier."""
    if not t.units[t.models[model].unit].machine:
        return [shelter(t, model, firer)]
    overhead = t.models[model].at == firer
    return [shelter(t, model, part if overhead else firer, part) for part in parts_of(body(t, model))]


@rule("SQ-S16", "SQ-S19")
def cover_of(t: Firefight, models: Sequence[int], firers: Iterable[Point]) -> Cover:
    """A unit has the best cover that more than half of its models have, as seen by the firing models.

    Args:
        models: All models of the unit, even models that cannot be seen. For a machine, half of the hull is enough.
        firers: Places of the firing models. For each model of the unit, the nearest firing model counts.
    """
    places = tuple(firers)
    if not models or not places:
        return "none"
    ranks = []
    for m in models:
        at = t.models[m].at
        assert at is not None
        nearest = min(places, key=lambda p: (distance_sq(at, p), p))
        if t.units[t.models[m].unit].machine:
            return machine_cover(t, m, nearest)
        ranks.append(COVERS.index(shelter(t, m, nearest).cover))
    for rank in range(len(COVERS) - 1, 0, -1):
        if 2 * sum([r >= rank for r in ranks]) > len(models):
            return COVERS[rank]
    return "none"


# --- armour -----------------------------------------------------------------------------------------------------------


def faces_to(t: Firefight, model: int, place: Point) -> tuple[Face, ...]:
    """Return the faces of a machine that can be seen from a place: one face, or two from the line between them
    (SQ-S52).
    """
    m = t.models[model]
    assert m.at is not None
    hull = Hull(*m.at, LONG, WIDE, m.heading)
    faces: list[Face] = []
    for quarter in quarters_of(hull, place):
        face: Face = "front" if quarter == "front" else "rear" if quarter == "rear" else "side"
        if face not in faces:
            faces.append(face)
    return tuple(faces)


def on_table(t: Firefight, side: int | None = None) -> list[Unit]:
    return [u for u in t.units if u.where == "table" and (side is None or u.side == side)]


def template(t: Firefight, form: Disc | Polygon, words: str = "", side: int | None = None) -> Template:
    """Return a template with the models under it. Flyers are not affected.

    Args:
        form: A circle or a polygon.
        side: The side whose models may be hit; None for both sides.
    """
    under = [
        m
        for u in on_table(t, side)
        if u.kind != "flyer"
        for m, b in zip(u.models, bodies(t, u.id), strict=True)
        if near_to(b, form, 0)
    ]
    if len(form) == 3 and isinstance(form[0], int):
        return Template(circle=form, words=words, under=tuple(under))
    return Template(outline=form, words=words, under=tuple(under))
