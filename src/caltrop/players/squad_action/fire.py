"""Find a unit's best shots, from its place and from places to which it may move."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple, Protocol

from caltrop.geometry import INCH, Point, distance_sq
from caltrop.players.judgement import Judgement
from caltrop.players.squad_action.weights import Weights
from caltrop.players.squad_action.worth import MOST, Averages, UnitStake
from caltrop.rules.squad_action.acts import Doings
from caltrop.rules.squad_action.catalogue import Cover, Face, step_of
from caltrop.rules.squad_action.fire import needed, ones_are_rerolled, to_hit
from caltrop.rules.squad_action.range import out_of_reach
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import (
    FLYER_REACH,
    Attack,
    Band,
    aim_at,
    arms,
    at_of,
    faces_struck,
    fire_of,
    is_loaded,
)


class FireOutlook(Protocol):
    """The attributes of an outlook (`outlook.Outlook`) that fire needs."""

    t: Firefight
    armour: bool
    averages: Averages
    judgement: Judgement
    kept_reaches: dict[int, tuple[int, ...]]
    weights: Weights

    def acts(self, unit: int) -> bool: ...
    def as_firer(self, unit: int) -> int: ...
    def as_target(self, unit: int) -> int: ...
    def officer(self, unit: int) -> bool: ...
    def stake(self, unit: int) -> UnitStake: ...


class PlannedShot(NamedTuple):
    """A Shoot with its average effect on the enemy."""

    worth: int
    act: Shoot


def harm_of(o: FireOutlook, act: Shoot, token: bool = False) -> int:
    """Return the average harm of a Shoot to the enemy, by exact odds, less the cost of using launchers."""
    t = o.t
    total = 0
    for attack in attack_of(t, act, token):
        harm = o.averages.harm(t, attack, o.stake(attack.target), o.officer(attack.target))
        total += keen(o, act.unit, attack.target, harm)
        if o.armour and t.units[attack.target].on_foot:
            total -= o.weights.launcher * sum(
                [
                    len(b.models)
                    for b in attack.bands
                    if step_of(b.at_class) >= 3 and t.weapon(b.way).has("once-per-turn")
                ]
            )
    return total


def keen(o: FireOutlook, unit: int, target: int, harm: int) -> int:
    """Return the apparent worth of damage by a unit. The worth is higher for a target that has losses."""
    u = o.t.units[target]
    if o.weights.focus and not u.machine:
        harm += harm * o.weights.focus * (u.starting - len(u.models)) // (100 * max(u.starting, 1))
    # Other weights already include the style's preference for damage.
    return o.judgement.misjudged(harm, unit, o.t.round, target)


def shots(
    o: FireOutlook, unit: int, second: bool, target: int | None = None, token: bool = False
) -> Iterator[PlannedShot]:
    """Yield every Shoot that the rules allow, with its effect."""
    for act in Shoot.every(Doings(o.t, unit, second)):
        if target is None or any(aimed == target for _, aimed in act.fire):
            yield PlannedShot(harm_of(o, act, token), act)


def best_shot(
    o: FireOutlook, unit: int, second: bool, target: int | None = None, token: bool = False
) -> PlannedShot | None:
    """Return the Shoot with the greatest harm; None if no Shoot does harm."""
    best = max(shots(o, unit, second, target, token), key=lambda s: s.worth, default=None)
    return best if best is not None and best.worth > 0 else None


# --- from other places ------------------------------------------------------------------------------------------------


def reaches_of(o: FireOutlook, unit: int) -> tuple[int, ...]:
    """Return the distances at which the effect of a unit's weapons changes, in order."""
    reaches = o.kept_reaches.get(unit)
    if reaches is None:
        limits: set[int] = {FLYER_REACH} if o.t.units[unit].kind == "flyer" else set()
        for way in arms(o.t, unit):
            weapon = o.t.weapon(way)
            limits.update((weapon.effective // 2, weapon.effective, weapon.reach or 0))
            limits.add(round(weapon.least_in * INCH))
        reaches = o.kept_reaches[unit] = tuple(sorted(limits - {0}))
    return reaches


def potential(
    o: FireOutlook, unit: int, target: int, distance: int, cover: Cover, faces: tuple[Face, ...], moved: bool
) -> int:
    potentials = o.averages.potentials
    key = (o.as_firer(unit), o.as_target(target), bisect_left(reaches_of(o, unit), distance), cover, faces, moved)
    harm = potentials.get(key)
    if harm is None:
        attack = _attack(o, unit, target, distance, cover, faces, moved)
        harm = o.averages.harm(o.t, attack, o.stake(target), o.officer(target)) if attack is not None else 0
        if len(potentials) >= MOST:
            potentials.clear()
        potentials[key] = harm
    return harm


def _attack(
    o: FireOutlook, unit: int, target: int, distance: int, cover: Cover, faces: tuple[Face, ...], moved: bool
) -> Attack | None:
    t = o.t
    u, e = t.units[unit], t.units[target]
    if u.kind == "flyer" and distance > FLYER_REACH:
        return None
    bands: dict[str, Band] = {}
    for way, models in arms(t, unit).items():
        weapon = t.weapon(way)
        # Weapons that were fired this turn can fire again in the next.
        loaded = [m for m in models if not o.acts(unit) or is_loaded(t, m, weapon)]
        barred = moved and weapon.has("not-after-moving") and u.on_foot
        if not loaded or barred or out_of_reach(t, weapon, distance) is not None:
            continue
        parts = to_hit(t, aim_at(e, distance, weapon))
        band = Band(
            way=way,
            models=tuple(loaded),
            parts=parts,
            needed=needed(t, fire_of(t, unit), parts),
            reroll=ones_are_rerolled(t, u.traits),
            shots=0 if weapon.by_die else int(weapon.shots),
            ap=weapon.armour_piercing(),
            at_class=at_of(t, unit, way),
            flame=weapon.has("flame"),
            cover=cover,
            faces=faces,
        )
        gun = weapon.gun or way
        rival = bands.get(gun)
        # A gun uses one of its firing modes: solid shot against armour, shells against soldiers.
        if rival is None or (step_of(band.at_class) > step_of(rival.at_class)) == e.machine:
            bands[gun] = band
    if not bands:
        return None
    every = tuple(bands.values())
    flame = any(b.flame for b in every)
    return Attack(unit=unit, target=target, bands=every, seen=e.models, flame=flame, flyer=u.kind == "flyer")


def faces_from(o: FireOutlook, target: int, place: Point) -> tuple[Face, ...]:
    """Return the faces of a machine that a shot from a place would hit; empty for soldiers."""
    u = o.t.units[target]
    if not u.machine:
        return ()
    return faces_struck(o.t, target, place) if u.in_play else ("front",)


def apart(a: Point, b: Point) -> int:
    return isqrt(distance_sq(a, b))
