"""Shooting: targets, weapons, ranges and effects (SQ-SHO, SQ-COV, SQ-WPN, SQ-Q04 to Q14).

`attack_of` divides the shots into bands: shots with one kind of weapon and the same to-hit number. The procedures, the
forecast and the computer players use it. Saves and checks are in `casualties` and `aftermath`, damage to machines in
`damage`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, ClassVar

from caltrop.asking import Guards
from caltrop.engine import (
    End,
    Event,
    Go,
    Procedure,
    Refusal,
    Run,
    guard,
    rule,
    step,
)
from caltrop.rules.squad_action.acts import Doings, UnitAct, name_of
from caltrop.rules.squad_action.catalogue import supplied
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.range import out_of_reach
from caltrop.rules.squad_action.reach import is_shaken_up
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.shots import (
    FLYER_REACH,
    Attack,
    able,
    anti_tank,
    arms,
    bands_of,
    count_of,
    harms,
    is_loaded,
    nearest_seen,
    seen_by,
    stands_still,
    ways_of_main,
)
from caltrop.rules.squad_action.transport import DAZED
from caltrop.rules.squad_action.volley import AttackMachine, AttackSoldiers

Fire = tuple[tuple[str, int], ...]
"""Weapons and the unit that each fires at, in order. A gun is named by its firing mode."""

NOT_IN_PLAY = guard("SQ-SHO-01", "not-in-play", "{name:is} not on the table")
PINNED = guard("SQ-Q08", "pinned", "{name:is} Pinned, and cannot shoot")
BROKEN = guard("SQ-S23", "broken", "{name:is} Broken, and cannot shoot")
LOCKED = guard("SQ-Q48", "locked", "{name:is} in close quarters, and cannot do anything else")
MORTAR = guard("SQ-Q62", "mortar", "{name:has} fired a mission this turn, and cannot shoot")
NOTHING = guard("SQ-SHO-01", "nothing", "Choose with what {name:shoots}, and at which unit")
NO_WEAPON = guard("SQ-S13", "no-weapon", "Nobody in {name} has a {weapon} to shoot with")
MAIN_LOST = guard("SQ-S51", "main-lost", "{name:has} lost {name::its} {weapon}")
ONE_WAY = guard("SQ-S13", "one-way", "Each weapon of {name} fires once in a Shoot, and a gun in one of its ways")
NO_ENEMY = guard("SQ-SHO-01", "no-enemy", "{target:is} not an enemy unit on the table")
TARGET_LOCKED = guard("SQ-Q48", "target-locked", "{target:is} in close quarters, and cannot be a target")
ONE_TARGET = guard(
    "SQ-Q04",
    "one-target",
    "{name:shoots} at one target; weapons that are light or stronger against vehicles may pick one instead",
)
FIRED = guard("SQ-WPN-01", "fired", "Every {weapon} of {name} has fired this turn")
MOVED = guard("SQ-S32", "moved", "{name:has} moved, and cannot fire {name::its} {weapon}")
NO_SIGHT = guard(("SQ-ORG-16", "SQ-SHO-02"), "no-sight", "Nobody with a {weapon} in {name} sees {target}")
FLYER_TOO_FAR = guard(
    "SQ-ORG-59", "flyer-too-far", "{name:attacks} what is within {limit:inch}, and {target:is} {distance:inch} away"
)


class Shooting(Procedure):
    """A unit shoots. The result is False if no target is left (SQ-ORG-06)."""

    unit: int
    fire: tuple[tuple[str, int], ...]
    token: bool = False
    before: int = 0
    attacks: tuple[Attack, ...] = ()
    now: int = 0

    @step("SQ-S31", "SQ-ORG-36")
    def let_watchers_break_in(self, t: Firefight) -> Run:
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-SHO-01", "SQ-SHO-02", "SQ-SHO-03", "SQ-ACT-02", "SQ-S33", "SQ-ORG-06", "SQ-WPN-01", "SQ-Q05", "SQ-Q84")
    def take_aim(self, t: Firefight, result: tuple[int, bool]) -> End | None:
        """A unit that was stopped does not fire. If no weapons were named, every model fires that still sees the target
        in range.

        Fire by a token does not count as fire in the unit's own turn.
        """
        if result[1]:
            return End(True)
        self.attacks = attack_of(t, Shoot(self.unit, self.fire), self.token)
        if not self.attacks:
            t.tell(NobodyFires(self.unit, self.fire[0][1]))
            return End(False)
        if not self.token:
            t.change(self.unit, shot=True)
        for attack in self.attacks:
            for band in attack.bands:
                if t.weapon(band.way).has("once-per-turn"):
                    for m in band.models:
                        t.change_model(m, fired=(*t.models[m].fired, band.way))
        return None

    @step("SQ-Q04", "SQ-SHO-04")
    def attack(self, t: Firefight) -> Run | End:
        if self.now >= len(self.attacks):
            return End(True)
        attack = self.attacks[self.now]
        if t.units[attack.target].machine:
            return Run(AttackMachine(attack=attack))
        return Run(AttackSoldiers(attack=attack))

    @step("SQ-Q04")
    def next_target(self, t: Firefight) -> Go:
        self.now += 1
        return Go("attack")


@rule("SQ-SHO-01", "SQ-SHO-04", "SQ-Q04", "SQ-Q11", "SQ-Q44")
def attack_of(t: Firefight, act: Shoot, token: bool = False) -> tuple[Attack, ...]:
    """A Shoot makes one attack on each target, with all weapons that fire at that target."""
    targets = dict.fromkeys(target for _, target in act.fire)
    attacks = []
    for target in targets:
        if not t.units[target].in_play:
            continue
        ready = [(way, able(t, act.unit, way, target)) for way, aimed in act.fire if aimed == target]
        firers = list(dict.fromkeys(s.model for _, every in ready for s in every))
        if not firers:
            continue
        seen = seen_by(t, firers, target)
        bands = [b for way, every in ready for b in bands_of(t, act.unit, way, every, target, seen, firers, token)]
        attacks.append(
            Attack(
                unit=act.unit,
                target=target,
                bands=tuple(bands),
                seen=seen,
                flame=any(b.flame for b in bands),
                flyer=t.units[act.unit].kind == "flyer",
            )
        )
    return tuple(attacks)


# --- whether a unit may shoot ----------------------------------------------------------------------------------------


@rule("SQ-Q08", "SQ-S53", stages=("house",))
def may_shoot_pinned(t: Firefight, unit: int, second: bool) -> bool:
    return False


@may_shoot_pinned.amended_by("SQ-Q08", stage="house", house={"pinned_may_shoot": "on"})
def after_a_failed_rally(value: bool, t: Firefight, unit: int, second: bool) -> bool:
    """House rule: a Pinned unit may shoot after its first attempt to rally failed."""
    return second


@rule("SQ-Q04", "SQ-SHO-01", stages=("house",))
def targets_agree(t: Firefight, unit: int, fire: Fire) -> bool:
    """All weapons fire at one target, except that those at least light against vehicles may fire at a vehicle."""
    own = {target for way, target in fire if not (anti_tank(t, unit, way) and t.units[target].machine)}
    return len(own) <= 1


@targets_agree.amended_by("SQ-Q04", stage="house", house={"split_fire": "on"})
def each_weapon_names_its_own(value: bool, t: Firefight, unit: int, fire: Fire) -> bool:
    """House rule: each kind of weapon may fire at a target of its own."""
    return True


SHOOTS = Guards(
    (NOT_IN_PLAY, lambda t, unit: not t.units[unit].in_play),
    (BROKEN, lambda t, unit: t.units[unit].broken),
    (LOCKED, lambda t, unit: t.units[unit].locked),
    (PINNED, lambda t, o, unit: t.units[unit].pinned and not may_shoot_pinned(t, unit, o.second)),
    (DAZED, is_shaken_up),
    (MORTAR, lambda t, unit: any(t.weapon(w).has("mission") for m in t.units[unit].models for w in t.models[m].fired)),
    name=name_of,
)
"""Reasons why a unit cannot shoot at any target."""


def why_no_target(t: Firefight, unit: int, target: Any) -> Refusal | None:
    if type(target) is not int or not 0 <= target < len(t.units):
        return NO_ENEMY.refuses(True, target="This")
    e = t.units[target]
    return NO_ENEMY.refuses(e.side == t.units[unit].side or not e.in_play, target=e.name) or TARGET_LOCKED.refuses(
        bool(e.locked), target=e.name
    )


def why_not_with(t: Firefight, unit: int, way: str, target: int) -> Refusal | None:
    """Return why a unit cannot fire a weapon at a target, or None if at least one model can."""
    u, name = t.units[unit], t.units[unit].name
    having = arms(t, unit).get(way)
    if having is None:
        row = t.field.lists.weapons.get(way) or supplied(t).weapons.get(way)
        title = row.title if row else way
        lost = u.machine and u.disarmed and bool(row) and way in ways_of_main(t, unit)
        return MAIN_LOST.refuses(lost, name=name, weapon=title) or NO_WEAPON.refuses(True, name=name, weapon=title)
    if able(t, unit, way, target):
        return None
    weapon, enemy = t.weapon(way), t.units[target].name
    loaded = [m for m in having if is_loaded(t, m, weapon)]
    refusal = FIRED.refuses(not loaded, weapon=weapon.title, name=name) or MOVED.refuses(
        not stands_still(t, unit, weapon), weapon=weapon.title, name=name
    )
    if refusal is not None:
        return refusal
    every = [s for s in (nearest_seen(t, m, target) for m in loaded) if s is not None]
    if not every:
        return NO_SIGHT.refuses(True, weapon=weapon.title, name=name, target=enemy)
    nearest = min(s.distance for s in every)
    return FLYER_TOO_FAR.refuses(
        u.kind == "flyer" and nearest > FLYER_REACH, name=name, limit=FLYER_REACH, target=enemy, distance=nearest
    ) or out_of_reach(t, weapon, nearest)


def in_words(t: Firefight, unit: int, fire: Fire) -> str:
    """Describe a Shoot, as in `Shoot at South 0: 7 rifles, 1 light machine gun; at South 2: 1 RPG`."""
    by_target: dict[int, list[str]] = {}
    for way, target in fire:
        by_target.setdefault(target, []).append(count_of(t, way, len(able(t, unit, way, target))))
    parts = [f"at {t.units[target].name}: {', '.join(every)}" for target, every in by_target.items()]
    return f"Shoot {'; '.join(parts)}"


# --- decisions -------------------------------------------------------------------------------------------------------


def _guns_twice(t: Firefight, unit: int, fire: Fire) -> bool:
    guns = [t.weapon(way).gun or way for way, _ in fire if way in arms(t, unit)]
    return len(set(guns)) < len(guns)


def why_not_these(t: Firefight, unit: int, fire: Fire) -> Refusal | None:
    """Return why a unit cannot fire these weapons at their targets, or None if it can."""
    for _, target in fire:
        refusal = why_no_target(t, unit, target)
        if refusal is not None:
            return refusal
    return next((refusal for way, target in fire if (refusal := why_not_with(t, unit, way, target)) is not None), None)


class Shoot(UnitAct, frozen=True):
    fire: Fire
    """Weapons and their targets, in the order in which they are resolved."""

    kind = "shoot"
    words = "{shots}"
    says: ClassVar = {"shots": lambda t, unit, fire: in_words(t, unit, fire)}
    sampled = True
    guards = Guards(
        SHOOTS,
        (NOTHING, lambda fire: not fire),
        why_not_these,
        (ONE_WAY, _guns_twice),
        (ONE_TARGET, lambda t, unit, fire: not targets_agree(t, unit, fire)),
        name=name_of,
    )

    @staticmethod
    def aim(fire: Fire) -> int:
        return fire[0][1]

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Shooting:
        # Enemies on overwatch may interrupt before the unit fires.
        return Shooting(unit=self.unit, fire=self.fire, token=token, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        return bool(arms(t, unit))

    def nearest(self, o: Doings) -> Shoot | None:
        """Return a legal Shoot similar to this one, or None.

        The similar Shoot keeps the weapons that can fire as named. If no weapon can, it is a Shoot at one of the same
        targets, or at any enemy.
        """
        if not SHOOTS.may(o.t, o=o, unit=self.unit):
            return None
        fire: tuple[tuple[str, int], ...] = ()
        for one in self.fire:
            if Shoot(self.unit, (*fire, one)).why(o) is None:
                fire = (*fire, one)
        if fire:
            return Shoot(self.unit, fire)
        every = list(self.every(o))
        targets = [target for _, target in self.fire]
        same = [a for a in every if any(target in targets for _, target in a.fire)]
        return next(iter(same or every), None)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[Shoot]:
        """Yield ways to fire all weapons at each enemy in range, and ways in which the AT weapons fire at a vehicle."""
        t, unit = o.t, o.unit
        if SHOOTS.why(t, o=o, unit=unit) is not None:
            return
        enemies = [e for e in t.enemies(unit) if not e.locked]
        given: set[Fire] = set()
        at = o.at
        if at is None:
            asked = enemies
        else:  # AT weapons can hit a machine while the unit fires its other weapons at soldiers
            asked = [e for e in enemies if e.id == at or (e.on_foot and t.units[at].machine)]
        for e in asked:
            for fire in _sets(t, unit, e, enemies):
                if not fire or fire in given or (at is not None and all(target != at for _, target in fire)):
                    continue
                if not _guns_twice(t, unit, fire) and targets_agree(t, unit, fire):
                    given.add(fire)
                    yield cls(unit, fire)

    @classmethod
    def offered(cls, o: Doings) -> Iterator[Shoot]:
        """Yield the listed ways. If fire may be split, also ways in which one kind of weapon fires at another enemy."""
        given: set[Fire] = set()
        for act in o.of(cls):
            given.add(tuple(sorted(act.fire)))
            yield act
        if o.t.book.rules["split_fire"] == "off" or not given:
            return
        for fire in _splits(o.t, o.unit):
            key = tuple(sorted(fire))
            if key not in given and o.refusal(cls(o.unit, fire)) is None:
                given.add(key)
                yield cls(o.unit, fire)


def _splits(t: Firefight, unit: int) -> Iterator[Fire]:
    """Yield the ways in which one kind of weapon fires at one enemy, and all others at another."""
    enemies = [e.id for e in t.enemies(unit) if not e.locked]
    useful = {e: [w for w in arms(t, unit) if harms(t, unit, w, e)] for e in enemies}
    for most, one in permutations(enemies, 2):
        for ways in _one_way_each(t, useful[most]):
            for apart in useful[one]:
                rest = [w for w in ways if (t.weapon(w).gun or w) != (t.weapon(apart).gun or apart)]
                if rest:
                    yield (*[(w, most) for w in rest], (apart, one))


def _sets(t: Firefight, unit: int, e: Unit, enemies: Sequence[Unit]) -> Iterator[Fire]:
    ways = [w for w in arms(t, unit) if harms(t, unit, w, e.id)]
    guns = _one_way_each(t, ways)
    for every in guns:
        yield tuple([(w, e.id) for w in every])
    for every in guns:
        yield tuple([(w, e.id) for w in every if not t.weapon(w).has("once-per-turn")])
    for v in enemies if e.on_foot else ():
        if v.machine:
            heavy = [w for w in arms(t, unit) if anti_tank(t, unit, w) and harms(t, unit, w, v.id)]
            for at_it in _one_way_each(t, heavy):
                taken = {t.weapon(w).gun or w for w in at_it}
                rest = [w for w in guns[0] if (t.weapon(w).gun or w) not in taken] if guns else []
                if at_it and rest:
                    yield (*[(w, e.id) for w in rest], *[(w, v.id) for w in at_it])


def _one_way_each(t: Firefight, ways: Sequence[str]) -> list[list[str]]:
    choices: list[list[str]] = [[]]
    guns: dict[str, list[str]] = {}
    for way in ways:
        guns.setdefault(t.weapon(way).gun or way, []).append(way)
    for every in guns.values():
        choices = [[*begun, way] for begun in choices for way in every]
    return choices if ways else []


# --- events ----------------------------------------------------------------------------------------------------------


class NobodyFires(Event, frozen=True):
    """A unit had no target left to shoot at."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-06",)
    about = ("unit", "target")
    template = "{unit:finds} nobody of {target} left to shoot at"
