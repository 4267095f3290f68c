"""Places and distances: gaps, contact, sight, cover and coherency.

The picture, the odds and the computer players use these functions. Sight is cached until a model changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from caltrop.asking import Solid
from caltrop.geometry import Box, Disc, boxes_within, discs_box, gap_up, touching
from caltrop.rules.command_horizon.records import Battle, Model
from caltrop.table.measured.sight import Fan, Sight, sight

NINE_LINES = Fan(points=3, obstructed_from=5)
"""Nine lines of sight run between the centres and sides of two bases.

A model is obstructed if five of them are cut or cross an obstacle (Q-LOS-4).
"""


class StandingPlace(NamedTuple):
    unit: int
    side: int
    box: Box
    discs: tuple[Disc, ...]


def standing(t: Battle) -> tuple[StandingPlace, ...]:
    """Return the places of all units in play, cached until a model changes."""
    scratch = t.book.scratch
    cache: dict[int, tuple[StandingPlace, ...]] = scratch.setdefault("standing", {})
    all_standing = cache.get(t.stamp) if t.stamp else None
    if all_standing is None:
        # Units that have not changed since the last call are recognised by their model records, which are the same
        # objects.
        last: dict[int, tuple[list[Model], StandingPlace]] = scratch.setdefault("stood", {})
        models, every = t.models, []
        for i, u in enumerate(t.units):
            if u.models and u.deployed:
                records = [models[m] for m in u.models]
                before = last.get(i)
                if before is None or before[0] != records or before[1].side != u.side:
                    discs = tuple([m.disc for m in records])
                    before = last[i] = records, StandingPlace(i, u.side, discs_box(discs), discs)
                every.append(before[1])
        all_standing = tuple(every)
        if len(cache) > 64:
            cache.clear()
        if t.stamp:
            cache[t.stamp] = all_standing
    return all_standing


def standing_of(t: Battle, unit: int) -> StandingPlace | None:
    cache: dict[int, dict[int, StandingPlace]] = t.book.scratch.setdefault("standing by unit", {})
    by_unit = cache.get(t.stamp) if t.stamp else None
    if by_unit is None:
        by_unit = {s.unit: s for s in standing(t)}
        if len(cache) > 64:
            cache.clear()
        if t.stamp:
            cache[t.stamp] = by_unit
    return by_unit.get(unit)


def within(t: Battle, a: int, b: int, limit: int) -> bool:
    """Return whether the nearest models of two units are at most *limit* apart, from edge to edge (Q-RANGE-1)."""
    p, q = standing_of(t, a), standing_of(t, b)
    if p is None or q is None:
        return discs_within(t.discs(a), t.discs(b), limit)
    return boxes_within(p.box, q.box, limit) and discs_within(p.discs, q.discs, limit)


def discs_within(a: Sequence[Disc], b: Sequence[Disc], limit: int) -> bool:
    """Return whether the nearest bases of two groups are at most *limit* apart, from edge to edge."""
    for ax, ay, ar in a:
        for bx, by, br in b:
            dx, dy, reach = ax - bx, ay - by, ar + br + limit
            if dx * dx + dy * dy <= reach * reach and reach >= 0:
                return True
    return False


def gap(t: Battle, a: int, b: int) -> int:
    """Return the gap between the nearest models of two units, edge to edge, rounded up to tenths of a millimetre."""
    return min([gap_up(p, q) for p in t.discs(a) for q in t.discs(b)])


def in_contact(t: Battle, a: int, b: int) -> bool:
    """Return whether two units are in base contact (Q-MOVE-13)."""
    return any(touching(p, q) for p in t.discs(a) for q in t.discs(b))


def solid_ground(t: Battle, radii: Sequence[int]) -> tuple[Solid, ...]:
    """Return the terrain that no base may overlap, with corners for paths round it for some radii of bases."""
    ground = t.ground
    return tuple(
        [
            Solid(outline=piece.polygon, circle=piece.round, corners={r: ground.corners(r)[number] for r in radii})
            for number, piece in enumerate(ground.solid_pieces)
        ]
    )


def is_putredine_infantry(t: Battle, unit: int) -> bool:
    """Return whether a unit is Putredine infantry, which blocks no sight (CH-PUTINF-05)."""
    u = t.units[unit]
    return u.kind == "infantry" and t.armies[u.side].army == "putredine"


def blockers(t: Battle, a: int, b: int, *, for_fire: bool = True) -> list[Disc]:
    """Return the bases that block lines between two units (Q-LOS-7).

    The obstacles are the bases of all other units. Putredine infantry blocks only fire, and only while it is locked in
    close combat (Q-LOS-6, CH-CC-08).
    """
    discs: list[Disc] = []
    for s in standing(t):
        i = s.unit
        if i != a and i != b and (not is_putredine_infantry(t, i) or (for_fire and t.units[i].locked)):
            discs.extend(s.discs)
    return discs


def unit_sight(t: Battle, viewer: int, target: int, *, viewers: Sequence[int] = (), for_fire: bool = True) -> Sight:
    """Return a unit's sight of another, model by model (Q-LOS-1 to 8).

    Args:
        viewers: Ids of the viewing models; all models of the unit if empty.
        for_fire: True if locked Putredine infantry blocks the lines.

    Returns:
        The sight of each of the target's models, in order, from the viewing models in the given order.
    """
    cache: dict[Any, Sight] = t.book.scratch.setdefault("sight", {})
    key = (t.stamp, viewer, target, tuple(viewers), for_fire)
    view = cache.get(key)
    if view is None:
        if len(cache) > 20_000:
            cache.clear()
        eyes = [t.models[m].disc for m in viewers] if viewers else t.discs(viewer)
        view = cache[key] = sight(
            t.ground, NINE_LINES, eyes, t.discs(target), blockers(t, viewer, target, for_fire=for_fire)
        )
    return view


def sees(t: Battle, viewer: int, target: int) -> bool:
    return unit_sight(t, viewer, target, for_fire=False).seen
