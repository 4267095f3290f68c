"""Machines in close quarters: strikes at them, the effects, and their own strikes (SQ-VEH-01 to 06, SQ-ORG-53 to 57).

The end of a fight with a machine after one round (SQ-VEH-07 to 09, SQ-Q61) is in `close_quarters`.

Readings:

- A model with an anti-tank weapon makes one attack with that weapon, which is rolled separately. Extra attacks are made
  without the weapon (SQ-VEH-05). A launcher that fires once a turn counts as fired if its hit rolls for damage
  (SQ-Q05).
- With the house rule of a single roll, every attack needs a 6. An anti-tank weapon in close quarters only gives its AT
  class.
- A machine that was in cover has its cover save, which is better if the machine is Pinned. A machine in the open has no
  cover save in close quarters, even if it is a walker (SQ-Q22).
- A walker strikes at a machine as soldiers do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from caltrop.agreeing import quantity
from caltrop.chance import Pool, Roll, at_least
from caltrop.engine import End, Event, Go, MotionOf, Procedure, Run, Throw, back, does, rule, step
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH
from caltrop.kit.numbers import binomial, tally
from caltrop.picture import Reading
from caltrop.rules.squad_action.account import chance_of, dice_read
from caltrop.rules.squad_action.catalogue import Class, Cover, Face, Kind, step_of, supplied
from caltrop.rules.squad_action.damage import HitMachine
from caltrop.rules.squad_action.fire import hits_of
from caltrop.rules.squad_action.records import Firefight

SLOW = 8 * INCH
"""Distance beyond which a machine is harder to hit in close quarters (SQ-VEH-03)."""
SURE = 1
"""A number that every die reaches."""
STRIKES_BACK_ON = 5


class Assail(Procedure):
    """A unit strikes at a machine. The result is whether the machine is destroyed (SQ-VEH-01 to 06)."""

    unit: int
    by: int
    attacks: int
    launchers: tuple[int, ...] = ()
    """Models whose anti-tank weapons may be used, the strongest first."""
    cover: Cover = "none"
    bands: tuple[tuple[str, tuple[int, ...], int], ...] = ()
    """Attacks that are rolled together: a weapon, the models with it, and their number.

    Attacks without an anti-tank weapon come last.
    """
    now: int = 0
    faces: tuple[int, ...] = ()
    plain: int = 0
    """Number of hits without an anti-tank weapon that still have to roll for harm."""
    blows: tuple[Class, ...] = ()
    """AT classes of the hits that still have to roll for damage."""

    @step("SQ-VEH-05", "SQ-VEH-06", "SQ-Q28")
    def count_off(self, t: Firefight) -> None:
        """Attacks with anti-tank weapons are counted separately before the roll."""
        armed: dict[str, tuple[int, ...]] = {}
        for model in self.launchers[: self.attacks]:
            weapon = by_hand(t, model)
            if weapon is not None:
                armed[weapon] = (*armed.get(weapon, ()), model)
        self.bands = tuple([(weapon, models, len(models)) for weapon, models in armed.items()])
        rest = self.attacks - sum([count for _, _, count in self.bands])
        if rest:
            self.bands = (*self.bands, ("", (), rest))

    @step("SQ-VEH-01", "SQ-VEH-02", "SQ-VEH-03", "SQ-ORG-53", "SQ-Q27", "SQ-Q60")
    def roll_to_hit(self, t: Firefight) -> Throw | Go:
        """Every attack hits a vehicle that stood still. Against any other target, the attacks of each weapon are rolled
        separately.
        """
        if self.now >= len(self.bands):
            return Go("roll_to_hurt")
        weapon, _, count = self.bands[self.now]
        if self._needed(t) == SURE:
            self.faces = (6,) * count
            return Go("count_hits")
        u, target = t.units[self.by], t.units[self.unit]
        arms = _with(t, weapon, count)
        words = f"{does(u.name, 'strikes')} at {target.name}{arms} on {self._needed(t)}+"
        needed = self._needed(t)
        reads = at_least(2, needed) if "improved-close-combat" in u.traits else at_least(needed)
        return Throw(Pool(count), reads=reads, side=u.side, words=words)

    @step("SQ-VEH-02", "SQ-VEH-03", "SQ-TRT-07")
    def read(self, t: Firefight, roll: Roll) -> Go | None:
        self.faces = roll
        again = "improved-close-combat" in t.units[self.by].traits and 1 in roll
        return None if again else Go("count_hits")

    @step("SQ-TRT-07", "SQ-Q46")
    def roll_ones_again(self, t: Firefight) -> Throw:
        u = t.units[self.by]
        reads = at_least(self._needed(t))
        return Throw(Pool(self.faces.count(1)), reads=reads, side=u.side, words=f"1s of {u.name} are thrown again")

    @step("SQ-TRT-07")
    def read_again(self, t: Firefight, roll: Roll) -> None:
        fresh = iter(roll)
        self.faces = tuple([next(fresh) if face == 1 else face for face in self.faces])

    @step("SQ-VEH-01", "SQ-VEH-04", "SQ-VEH-05", "SQ-VEH-06", "SQ-Q28", "SQ-Q05")
    def count_hits(self, t: Firefight) -> Go:
        """A hit with an anti-tank weapon has the weapon's AT class. Hits without such a weapon must first roll for
        harm.
        """
        needed = self._needed(t)
        weapon, models, count = self.bands[self.now]
        hits = hits_of(self.faces, needed)
        faces = () if needed == SURE else self.faces
        t.tell(Reached(self.by, self.unit, faces, needed, hits, weapon, count))
        self.now += 1
        if not weapon:
            self.plain += hits
            return Go("roll_to_hit")
        self.blows = (*self.blows, *[t.weapon(weapon).anti_tank()] * hits)
        if t.weapon(weapon).has("once-per-turn"):
            for model in models[:hits]:
                t.change_model(model, fired=(*t.models[model].fired, weapon))
        return Go("roll_to_hit")

    @step("SQ-VEH-04", "SQ-Q28")
    def roll_to_hurt(self, t: Firefight) -> Throw | Go:
        needed = to_hurt_machine(t, False)
        if needed == SURE or not self.plain:
            self.blows = (*self.blows, *[power_by_hand(t)] * self.plain)
            return Go("strike_home")
        u = t.units[self.by]
        words = f"{does(u.name, 'has')} to hurt {t.units[self.unit].name}: {needed}+"
        return Throw(Pool(self.plain), reads=at_least(needed), side=u.side, words=words)

    @step("SQ-VEH-04")
    def count_hurt(self, t: Firefight, roll: Roll) -> None:
        """On a 6 the hit counts as a hit of AT VLt."""
        needed = to_hurt_machine(t, False)
        hits = hits_of(roll, needed)
        t.tell(GotAt(self.by, self.unit, roll, needed, hits))
        self.blows = (*self.blows, *[power_by_hand(t)] * hits)

    @step("SQ-VEH-04", "SQ-VEH-05", "SQ-ORG-57", "SQ-S51", "SQ-CQB-10", "SQ-Q22")
    def strike_home(self, t: Firefight) -> Run | End:
        """Each hit rolls for damage: on the rear armour of a vehicle, on the front armour of a walker."""
        u = t.units[self.unit]
        if not self.blows or not u.in_play:
            return End(not u.in_play and u.where == "gone")
        at, self.blows = self.blows[0], self.blows[1:]
        return Run(
            HitMachine(
                unit=self.unit,
                at_class=at,
                face=face_by_hand(t, u.kind),
                cover=self.cover,
                barred=self.cover == "none",
                side=t.units[self.by].side,
            )
        )

    next_blow = back("strike_home", "SQ-VEH-04")

    def _needed(self, t: Firefight) -> int:
        u = t.units[self.unit]
        return to_hit_machine(t, u.kind, u.moved, u.travelled)


# --- strikes at a machine --------------------------------------------------------------------------------------------


@rule("SQ-VEH-01", "SQ-VEH-02", "SQ-Q60", stages=("walker", "fast", "house"))
def to_hit_machine(b: HasBook, kind: Kind, moved: bool, travelled: int) -> int:
    """Every attack hits a vehicle that stood still in its last activation.

    A vehicle that moved or turned is hit on 4 or more.
    """
    return 4 if moved else SURE


@to_hit_machine.amended_by("SQ-ORG-53", stage="walker")
def walkers_never_stand_still(value: int, b: HasBook, kind: Kind, moved: bool, travelled: int) -> int:
    """A walker never counts as standing still."""
    return max(value, 4) if kind == "walker" else value


@to_hit_machine.amended_by("SQ-VEH-03", "SQ-Q27", stage="fast")
def fast_machines_are_hit_on_6(value: int, b: HasBook, kind: Kind, moved: bool, travelled: int) -> int:
    """A machine that moved more than 8 inches is hit on 6."""
    return 6 if travelled > SLOW else value


@to_hit_machine.amended_by("SQ-Q28", stage="house", house={"vehicle_assault_rolls": "one_step"})
def one_roll_does_both(value: int, b: HasBook, kind: Kind, moved: bool, travelled: int) -> int:
    """House rule: attacks need a 6 to hit, and no further roll for harm."""
    return 6


@rule("SQ-VEH-04", "SQ-Q28", stages=("anti-tank", "house"))
def to_hurt_machine(b: HasBook, anti_tank: bool) -> int:
    """A hit by infantry counts as a hit of AT VLt on a 6."""
    return 6


@to_hurt_machine.amended_by("SQ-VEH-05", "SQ-Q28", stage="anti-tank")
def anti_tank_weapons_need_no_luck(value: int, b: HasBook, anti_tank: bool) -> int:
    return SURE if anti_tank else value


@to_hurt_machine.amended_by("SQ-Q28", stage="house", house={"vehicle_assault_rolls": "one_step"})
def the_hit_has_hurt_it(value: int, b: HasBook, anti_tank: bool) -> int:
    """House rule: a hit needs no roll for harm."""
    return SURE


@rule("SQ-VEH-04")
def power_by_hand(b: HasBook) -> Class:
    """Infantry without anti-tank weapons strike with AT VLt."""
    return "VLt"


@rule("SQ-VEH-04", stages=("walker",))
def face_by_hand(b: HasBook, kind: Kind) -> Face:
    return "rear"


@face_by_hand.amended_by("SQ-ORG-57", stage="walker")
def walkers_are_hit_in_front(value: Face, b: HasBook, kind: Kind) -> Face:
    """A walker turns towards its enemies, so it is hit on its front."""
    return "front" if kind == "walker" else value


@rule("SQ-VEH-05", "SQ-VEH-06")
def is_anti_tank(b: HasBook, traits: Sequence[str]) -> bool:
    """An anti-tank weapon gives its AT class in close quarters, unless it cannot be used there, like an RPG."""
    return "anti-tank" in traits and "not-by-hand" not in traits


def by_hand(t: Firefight, model: int) -> str | None:
    """Return a model's best anti-tank weapon for close quarters; None if it has none (SQ-VEH-05, SQ-Q05)."""
    m = t.models[model]
    mine = [
        w
        for w in m.weapons
        if (w in t.field.lists.weapons or w in supplied(t).weapons)
        and is_anti_tank(t, t.weapon(w).traits)
        and not (t.weapon(w).has("once-per-turn") and w in m.fired)
    ]
    return max(mine, key=lambda w: step_of(t.weapon(w).anti_tank()), default=None)


def anti_tank_of(t: Firefight, unit: int) -> tuple[int, ...]:
    """Return the models of a unit that have an anti-tank weapon for close quarters, the strongest weapon first."""
    u = t.units[unit]
    weapons = [(w, m) for m in u.models if u.on_foot and (w := by_hand(t, m)) is not None]
    return tuple([m for _, m in sorted(weapons, key=lambda pair: (-step_of(t.weapon(pair[0]).anti_tank()), pair[1]))])


# --- strikes by a machine --------------------------------------------------------------------------------------------


@rule("SQ-ORG-55", "SQ-Q28", stages=("house",))
def attacks_of_machine(b: HasBook, kind: Kind, cqb: int) -> int:
    """A walker with a CQB value has one attack. Other machines have no attacks, except by a house rule."""
    return 1 if cqb else 0


@rule("SQ-ORG-55", "SQ-Q54", "SQ-Q28", stages=("house",))
def hits_of_machine(b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """A walker hits and wounds on 2 or more, in one roll. By a house rule, vehicles hit on 5 or more."""
    return (2,) if kind == "walker" else (STRIKES_BACK_ON,)


@hits_of_machine.amended_by("SQ-Q54", stage="house", house={"walker_attack": "cqb_then_2"})
def a_walker_hits_before_it_wounds(value: tuple[int, ...], b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """House rule: a walker first rolls to hit with its CQB value."""
    return (cqb, 2) if kind == "walker" else value


@rule("SQ-Q28", stages=("house",))
def may_strike(b: HasBook, kind: Kind, cqb: int) -> bool:
    """Soldiers may strike, and so may machines with a CQB value."""
    return kind == "infantry" or cqb > 0


@may_strike.amended_by("SQ-Q28", stage="house", house={"vehicle_strikes_back": "on"})
def every_vehicle_may(value: bool, b: HasBook, kind: Kind, cqb: int) -> bool:
    """House rule: vehicles strike back."""
    return value or kind == "vehicle"


def unarmed(t: Firefight, unit: int) -> bool:
    """Return whether a unit cannot strike in close quarters."""
    u = t.units[unit]
    return not may_strike(t, u.kind, 0 if u.on_foot else t.vehicle(unit).number("cqb"))


def _with(t: Firefight, weapon: str, count: int) -> str:
    return f" with its {t.weapon(weapon).title}{'s' * (count != 1)}" if weapon else ""


# --- events ----------------------------------------------------------------------------------------------------------


class Reached(Event, frozen=True):
    """A unit struck at a machine."""

    unit: int
    target: int
    faces: tuple[int, ...]
    """Faces of the to-hit roll; empty if every attack hits."""
    needed: int
    hits: int
    weapon: str = ""
    """Anti-tank weapon of the strike; empty for attacks without one."""
    count: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("SQ-VEH-01", "SQ-VEH-02", "SQ-VEH-03", "SQ-VEH-05")
    about = ("unit", "target")
    shown = MotionOf("blow", target="target")

    def sentence(self, t: Firefight) -> str:
        rolled = " ".join(map(str, self.faces))
        target = t.units[self.target].name
        at = f"{target} on {self.needed}+: {rolled}" if rolled else f"{target}, which stood still"
        arms, hits = _with(t, self.weapon, self.count), quantity(self.hits, "hit")
        return f"{does(t.units[self.unit].name, f'strikes{arms}')} at {at}: {hits}"

    def reading(self, t: Firefight) -> Reading | None:
        """Return the dice with the expected number of hits; None if none were rolled."""
        return _reading(t, self.unit, self.target, self.faces, self.needed, self.hits, "hit")


class GotAt(Event, frozen=True):
    """Hits on a machine were rolled for harm."""

    unit: int
    target: int
    faces: tuple[int, ...]
    needed: int
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-VEH-04",)
    about = ("unit", "target")
    shown = MotionOf("dice", unit="target")

    def sentence(self, t: Firefight) -> str:
        rolled = " ".join(map(str, self.faces))
        hits = quantity(self.hits, "hit", "gets")
        return f"{does(t.units[self.unit].name, 'needs')} {self.needed}+: {rolled}: {hits} at the armour"

    def reading(self, t: Firefight) -> Reading | None:
        return _reading(t, self.unit, self.target, self.faces, self.needed, self.hits, "armour reached")


def _reading(
    t: Firefight, unit: int, target: int, faces: tuple[int, ...], needed: int, hits: int, label: str
) -> Reading | None:
    if not faces:
        return None
    side = t.units[unit].side
    return Reading(
        words=f"{t.units[unit].name}: {label}",
        side=side,
        unit=unit,
        target=target,
        dice=dice_read(faces, needed, label),
        came=f"{hits} of {len(faces)}",
        tallies=(tally(side, label, hits, binomial(len(faces), chance_of(needed))),),
    )
