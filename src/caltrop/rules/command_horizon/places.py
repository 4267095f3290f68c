"""Questions about places that several chapters ask: gaps, contact, sight, cover, coherency.

What the screen draws, the odds use and the opponents plan with are these same functions. Answers about sight are kept
until a model changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.geometry import INCH, Disc, gap_up, gap_within, touching
from caltrop.rules.command_horizon.battle import Battle
from caltrop.table.sight import Sight, sight


def within(t: Battle, a: int, b: int, limit: int) -> bool:
    """Whether the nearest models of two units are at most *limit* apart, edge to edge (Q-RANGE-1)."""
    return discs_within(t.discs(a), t.discs(b), limit)


def discs_within(a: Sequence[Disc], b: Sequence[Disc], limit: int) -> bool:
    """Whether the nearest of two groups of bases are at most *limit* apart, edge to edge."""
    return any(gap_within(p, q, limit) for p in a for q in b)


def gap(t: Battle, a: int, b: int) -> int:
    """Edge-to-edge gap between the nearest models of two units, rounded up to the tenth of a millimetre."""
    return min(gap_up(p, q) for p in t.discs(a) for q in t.discs(b))


def in_contact(t: Battle, a: int, b: int) -> bool:
    """Whether two units are in base contact (Q-MOVE-13)."""
    return any(touching(p, q) for p in t.discs(a) for q in t.discs(b))


def coherent(discs: Sequence[Disc], limit: int = INCH) -> bool:
    """Whether the bases form one chain with gaps of at most 1 inch (Q-COH-1)."""
    from caltrop.table import coherent as one_chain

    return one_chain(discs, limit)


def is_putredine_infantry(t: Battle, unit: int) -> bool:
    """Whether the unit is Putredine infantry, which blocks no sight (CH-PUTINF-05)."""
    u = t.units[unit]
    return u.kind == "infantry" and t.armies[u.side].army == "putredine"


def blockers(t: Battle, a: int, b: int, *, for_fire: bool = True) -> list[Disc]:
    """The bases that cut lines between two units: those of every third unit (Q-LOS-7), save Putredine infantry.

    Putredine infantry locked in close combat is in the way of fire all the same (Q-LOS-6, CH-CC-08).
    """
    models = t.models
    found: list[Disc] = []
    for i in t.in_play():
        if i != a and i != b and (not is_putredine_infantry(t, i) or (for_fire and t.units[i].locked)):
            found.extend([models[m].disc for m in t.units[i].models])
    return found


def unit_sight(t: Battle, viewer: int, target: int, *, viewers: Sequence[int] = (), for_fire: bool = True) -> Sight:
    """What a unit sees of another, model by model (Q-LOS-1 to 8).

    Args:
        viewers: Ids of the viewing models; all of the unit where empty.
        for_fire: Whether locked Putredine infantry is in the way.

    Returns:
        The targets in the order of the target's models, the viewers in the order given.
    """
    kept: dict[Any, Sight] = t.book.scratch.setdefault("sight", {})
    key = (t.stamp, viewer, target, tuple(viewers), for_fire)
    found = kept.get(key)
    if found is None:
        if len(kept) > 20_000:
            kept.clear()
        eyes = [t.models[m].disc for m in viewers] if viewers else t.discs(viewer)
        found = kept[key] = sight(t.ground, eyes, t.discs(target), blockers(t, viewer, target, for_fire=for_fire))
    return found


def sees(t: Battle, viewer: int, target: int) -> bool:
    """Whether any model of a unit sees any model of another."""
    return unit_sight(t, viewer, target, for_fire=False).seen
