"""Shots: a unit's weapons and targets, target numbers, and odds (SQ-SHO, SQ-COV, SQ-WPN)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Distribution
from caltrop.engine import (
    Sum,
    rule,
)
from caltrop.engine.known import known_odds
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Point, distance_sq, gap_between
from caltrop.rules.squad_action.casualties import morale_of, saves_of
from caltrop.rules.squad_action.catalogue import LADDER, Class, Cover, Face, Lists, Weapon, step_of, supplied, ways_of
from caltrop.rules.squad_action.catalogue import Kind as UnitKind
from caltrop.rules.squad_action.damage import (
    Blow,
    Condition,
    after_blow,
    after_check,
    condition,
    could_penetrate,
    power,
)
from caltrop.rules.squad_action.fire import (
    FEW,
    ShotModifiers,
    Volley,
    fallen,
    hits,
    ignores_wounds_on,
    needed,
    ones_are_rerolled,
    to_hit,
)
from caltrop.rules.squad_action.morale import Squad
from caltrop.rules.squad_action.places import (
    CLOUD,
    bodies,
    body,
    cover_of,
    faces_to,
    kept,
    kept_of_scene,
    look_between,
    officer_near,
    sees,
)
from caltrop.rules.squad_action.range import out_of_reach
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.remains import LeftUnit, after_morale

GUNNERY = 4
"""Fire value of machines (SQ-ORG-21)."""
FLYER_REACH = 20 * INCH
"""Largest distance between a flyer and the unit that it attacks (SQ-ORG-59)."""
_Due = tuple[Condition, bool]
"""State of a machine, and whether it must take a morale check."""


@rule("SQ-ORG-11", "SQ-S12", stages=("machine",))
def fire_of(t: Firefight, unit: int) -> int:
    return t.profile(unit).number("fire") if t.units[unit].on_foot else 7


@fire_of.amended_by("SQ-ORG-21", "SQ-S54", "SQ-Q51", stage="machine")
def machines_hit_on_4(value: int, t: Firefight, unit: int) -> int:
    return value if t.units[unit].on_foot else GUNNERY


def at_of(t: Firefight, unit: int, way: str) -> Class:
    """Return the AT class of a weapon as fired by a unit.

    The guns of some machines have an AT class of their own for solid shot (SQ-S55).
    """
    row = t.weapon(way)
    if row.gun and not row.by_die and t.units[unit].machine:
        own = t.vehicle(unit).gun_at
        if own is not None:
            return own
    return row.anti_tank()


def arms(t: Firefight, unit: int) -> dict[str, tuple[int, ...]]:
    """Return the weapons of a unit by firing mode, each with the models that have it.

    Weapons are in the default order of firing, the best AP first. A machine without its main weapon has only its other
    weapons.
    """
    cache: dict[Any, dict[str, tuple[int, ...]]] = kept(t, "arms")
    by_way = cache.get(unit)
    if by_way is None:
        u = t.units[unit]
        having: dict[str, list[int]] = {}
        for m in u.models:
            for n, weapon in enumerate(t.models[m].weapons):
                if u.machine and u.disarmed and n == 0:
                    continue
                for way in ways_of(weapon, _lists(t, weapon)):
                    if not t.weapon(way).has("mission"):
                        having.setdefault(way, []).append(m)
        order = sorted(having, key=lambda way: t.weapon(way).ap)
        by_way = cache[unit] = {way: tuple(having[way]) for way in order}
    return by_way


def _lists(t: Firefight, weapon: str) -> Lists:
    own = t.field.lists
    return own if weapon in own.weapons or any(w.gun == weapon for w in own.weapons.values()) else supplied(t)


def anti_tank(t: Firefight, unit: int, way: str) -> bool:
    """Return whether a weapon may fire at a vehicle while others fire elsewhere: with AT Lt or better (SQ-Q04)."""
    return step_of(at_of(t, unit, way)) >= LADDER.index("Lt")


@rule("SQ-WPN-01", "SQ-Q05")
def is_loaded(t: Firefight, model: int, weapon: Weapon) -> bool:
    """A weapon that fires once in a game turn can fire if it has not fired in this one."""
    return not weapon.has("once-per-turn") or weapon.key not in t.models[model].fired


@rule("SQ-S32", "SQ-S13")
def stands_still(t: Firefight, unit: int, weapon: Weapon) -> bool:
    """Soldiers that have moved cannot fire some weapons.

    Moves in the last activation count, and moves by a token since.
    """
    u = t.units[unit]
    return not (weapon.has("not-after-moving") and u.on_foot and (u.moved or u.crept > 0))


class Sighted(NamedTuple):
    """A model that can fire, with the distance to the nearest enemy model that it sees."""

    model: int
    distance: int
    nearest: int
    """Index of the enemy model."""


def nearest_seen(t: Firefight, model: int, target: int) -> Sighted | None:
    """Return the nearest model of a target that a model sees, with its distance (SQ-Q11); None if no model is seen."""
    cache: dict[Any, Sighted | None] = kept_of_scene(t, "nearest seen")
    key = model, target
    if key not in cache:
        own = body(t, model)
        every = sorted(
            [(gap_between(own, b), m) for b, m in zip(bodies(t, target), t.units[target].models, strict=True)]
        )
        cache[key] = next((Sighted(model, max(gap, 0), m) for gap, m in every if sees(t, model, m)), None)
    return cache[key]


@rule("SQ-ORG-59", "SQ-ORG-16", "SQ-Q11", "SQ-SHO-02", "SQ-SHO-03")
def able(t: Firefight, unit: int, way: str, target: int) -> tuple[Sighted, ...]:
    """A model fires a weapon at a target if the weapon is loaded and the model sees an enemy model in range."""
    weapon = t.weapon(way)
    if not stands_still(t, unit, weapon):
        return ()
    sighteds = []
    for m in arms(t, unit).get(way, ()):
        if not is_loaded(t, m, weapon):
            continue
        sighted = nearest_seen(t, m, target)
        if sighted is None or (t.units[unit].kind == "flyer" and sighted.distance > FLYER_REACH):
            continue
        if out_of_reach(t, weapon, sighted.distance) is None:
            sighteds.append(sighted)
    return tuple(sighteds)


@rule("SQ-ORG-17", "SQ-Q44")
def seen_by(t: Firefight, firers: Sequence[int], target: int) -> tuple[int, ...]:
    """A model of the target counts as seen if at least one firing model sees it."""
    return tuple([m for m in t.units[target].models if any(sees(t, f, m) for f in firers)])


@rule("SQ-S52", stages=("flyer",))
def faces_struck(t: Firefight, target: int, place: Point) -> tuple[Face, ...]:
    """A machine is hit on the face towards the firing model.

    If the model is on the line between two faces, the machine's owner chooses.
    """
    return faces_to(t, t.units[target].models[0], place)


@faces_struck.amended_by("SQ-Q55", stage="flyer")
def flyers_are_hit_on_the_side(faces: tuple[Face, ...], t: Firefight, target: int, place: Point) -> tuple[Face, ...]:
    """A flyer is hit on the side, unless the shooter is in its front quadrant."""
    if t.units[target].kind != "flyer":
        return faces
    return tuple(dict.fromkeys("front" if face == "front" else "side" for face in faces))


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """Shots of one kind of weapon at one target with the same to-hit number, which are rolled together."""

    way: str
    """Id of the weapon or firing mode."""
    models: tuple[int, ...]
    parts: Sum
    """Modifiers of the to-hit roll."""
    needed: int
    reroll: bool
    """True if 1s are rerolled."""
    shots: int
    """Number of shots of each model; 0 if it is rolled."""
    ap: int
    at_class: Class
    flame: bool = False
    picks: bool = False
    """True if the firing side chooses the casualties."""
    at_risk: tuple[int, ...] = ()
    """Models that the shots may hit: all models that the unit sees; for a sniper, all models that the sniper sees."""
    cover: Cover = "none"
    faces: tuple[Face, ...] = ()
    """Faces of a machine that the shots may hit. If two faces are listed, the machine's owner chooses."""


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """The shots of a Shoot at one target, which takes its own checks (SQ-Q04)."""

    unit: int
    target: int
    bands: tuple[Band, ...]
    """Bands of shots, in the order in which they are resolved."""
    seen: tuple[int, ...]
    """Models of the target that the unit sees. No more hits than these count (SQ-Q44)."""
    flame: bool = False
    flyer: bool = False


@rule("SQ-ORG-49", "SQ-ORG-51", "SQ-Q58", stages=("house",))
def through_smoke(t: Firefight, firer: int, target: int) -> bool:
    """A shot through, into or out of smoke is harder, except at or by a flyer."""
    if "flyer" in (t.units[t.models[firer].unit].kind, t.units[t.models[target].unit].kind):
        return False
    ends = _at(t, firer), _at(t, target)
    inside = any(distance_sq(place, cloud.at) <= CLOUD * CLOUD for cloud in t.clouds for place in ends)
    return inside or not look_between(t, firer, target).clear


@through_smoke.amended_by("SQ-Q58", stage="house", house={"smoke": "block"})
def smoke_that_hides_makes_no_shot_harder(value: bool, t: Firefight, firer: int, target: int) -> bool:
    """House rule: smoke blocks sight and gives cover; it does not make shots harder."""
    return False


def aim_at(e: Unit, distance: int, weapon: Weapon) -> ShotModifiers:
    """Return the modifiers that depend on target, distance and weapon, without smoke and the state of the shooter."""
    hovers = e.kind == "flyer" and e.hovering
    return ShotModifiers(
        distance=distance,
        effective=weapon.effective,
        few=e.on_foot and len(e.models) <= FEW,
        pinned=e.pinned,
        travelled=e.travelled if e.machine and not hovers else 0,
        in_flight=e.kind == "flyer" and not hovers,
    )


def aim_of(t: Firefight, unit: int, sighted: Sighted, target: int, weapon: Weapon, token: bool) -> ShotModifiers:
    """Return all modifiers of the shots of one model."""
    return aim_at(t.units[target], sighted.distance, weapon)._replace(
        smoke=through_smoke(t, sighted.model, sighted.nearest),
        shooter_pinned=t.units[unit].pinned,
        overwatch=token,
    )


def bands_of(
    t: Firefight,
    unit: int,
    way: str,
    every: Sequence[Sighted],
    target: int,
    seen: tuple[int, ...],
    firers: Sequence[int],
    token: bool,
) -> list[Band]:
    """Return the shots with one weapon, grouped by modifiers, saves and faces, the easiest to hit first."""
    weapon, e = t.weapon(way), t.units[target]
    fire, reroll = fire_of(t, unit), ones_are_rerolled(t, t.units[unit].traits)
    picks = weapon.has("picks-casualty") and e.on_foot
    together: dict[Any, list[int]] = {}
    whole: Cover = "none" if e.machine else cover_of(t, e.models, [_at(t, m) for m in firers])
    for s in every:
        parts = to_hit(t, aim_of(t, unit, s, target, weapon, token))
        at_risk = seen_by(t, (s.model,), target) if picks else seen
        cover: Cover = whole
        faces: tuple[Face, ...] = ()
        if e.machine:
            cover, faces = cover_of(t, e.models, [_at(t, s.model)]), faces_struck(t, target, _at(t, s.model))
        together.setdefault((needed(t, fire, parts), parts, at_risk, cover, faces), []).append(s.model)
    ordered = sorted(together.items(), key=lambda one: (one[0][0], one[1]))
    return [
        Band(
            way=way,
            models=tuple(models),
            parts=parts,
            needed=need,
            reroll=reroll,
            shots=0 if weapon.by_die else int(weapon.shots),
            ap=weapon.armour_piercing(),
            at_class=at_of(t, unit, way),
            flame=weapon.has("flame"),
            picks=picks,
            at_risk=at_risk,
            cover=cover,
            faces=faces,
        )
        for (need, parts, at_risk, cover, faces), models in ordered
    ]


def _at(t: Firefight, model: int) -> Point:
    at = t.models[model].at
    assert at is not None
    return at


def volley_of(t: Firefight, attack: Attack, band: Band) -> Volley:
    e = t.units[attack.target]
    met = () if e.machine else saves_of(t, attack.target, band.ap, band.cover, band.flame)
    return Volley(
        shots=len(band.models) * band.shots,
        dice=0 if band.shots else len(band.models),
        needed=band.needed,
        reroll=band.reroll,
        saves=tuple([save.needed for save in met]),
        ignore=7 if e.machine else ignores_wounds_on(t, e.traits),
    )


def ways_of_main(t: Firefight, unit: int) -> tuple[str, ...]:
    """Return the firing modes of a machine's main weapon; empty if it has no weapon."""
    weapons = t.models[t.units[unit].models[0]].weapons
    return ways_of(weapons[0], _lists(t, weapons[0])) if weapons else ()


def harms(t: Firefight, unit: int, way: str, target: int) -> bool:
    """Return whether a unit can fire a weapon at a target now, and has a chance to harm it."""
    ready = able(t, unit, way, target)
    e = t.units[target]
    if e.on_foot:
        return bool(ready)
    at, row = power(t, at_of(t, unit, way), e.kind == "flyer"), t.vehicle(target)
    struck = {face for s in ready for face in faces_struck(t, target, _at(t, s.model))}
    return any(could_penetrate(t, at, row.face(face)) for face in struck)


def count_of(t: Firefight, way: str, count: int) -> str:
    """Return a number of weapons in words, such as `3 rifles` or `1 tank gun with shell`."""
    head, with_, rest = t.weapon(way).title.partition(" with ")
    return f"{quantity(count, head)}{with_}{rest}"


def ends_of_soldiers(t: Firefight, attack: Attack) -> Distribution[LeftUnit]:
    """Return the odds of a squad's states after an attack.

    The odds are exact, unless snipers see fewer models than other shooters.
    """
    volleys = tuple([volley_of(t, attack, band) for band in attack.bands])
    squad, pinned = squad_of(t, attack.target), t.units[attack.target].pinned
    key = (volleys, len(attack.seen), squad, pinned, attack.flame, attack.flyer)
    odds = known_odds("volleys", t.book, LeftUnit, __package__)
    ends = odds.get(key)
    if ends is None:
        fallen_ = fallen(volleys, len(attack.seen))
        ends = after_morale(t, squad, pinned, fallen_, attack.flame, attack.flyer).sorted()
        odds.keep(key, ends)
    return ends


def squad_of(t: Firefight, unit: int) -> Squad:
    """Return the values of a squad that matter to its checks."""
    u = t.units[unit]
    return Squad(u.starting, len(u.models), morale_of(t, unit), u.traits, officer_near(t, unit), u.broken)


def ends_of_machine(t: Firefight, attack: Attack) -> Distribution[Condition]:
    """Return the exact odds of a machine's states after an attack; if two faces are possible, on the better armour."""
    u, row = t.units[attack.target], t.vehicle(attack.target)
    shots: list[tuple[Volley, Blow]] = []
    for band in attack.bands:
        armour = max([row.face(face) for face in band.faces], key=step_of)
        if could_penetrate(t, power(t, band.at_class, u.kind == "flyer"), armour):
            shots.append((volley_of(t, attack, band), Blow(band.at_class, armour, band.cover, band.flame)))
    key = (u.kind, condition(t, u.id), morale_of(t, u.id), tuple(shots))
    odds = known_odds("shots at a machine", t.book, Condition, __package__)
    ends = odds.get(key)
    if ends is None:
        ends = _after_shots(t, *key)
        odds.keep(key, ends)
    return ends


def _after_shots(
    b: HasBook, kind: UnitKind, was: Condition, morale: int, shots: Sequence[tuple[Volley, Blow]]
) -> Distribution[Condition]:
    """Return the odds of a machine's states after volleys and one check.

    Each volley comes with the effect of one of its hits.
    """
    chances: Distribution[_Due] = Distribution.certain((was, False))
    for volley, blow in shots:
        scored = hits(volley)
        after = [chances]
        for _ in range(max(scored)):
            after.append(after[-1].then(_once(b, kind, blow)))
        chances = scored.then(lambda count, after=after: after[count])  # type: ignore[misc]
    return chances.then(lambda due: after_check(b, morale, due[0]) if due[1] else Distribution.certain(due[0])).sorted()


def _once(b: HasBook, kind: UnitKind, blow: Blow) -> Callable[[_Due], Distribution[_Due]]:
    return lambda was: after_blow(b, kind, was[0], blow).map(lambda c: (c, True))
