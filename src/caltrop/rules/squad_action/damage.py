"""Hits on machines: AT against armour, the damage roll, and the morale check (SQ-S50 to S52, SQ-Q52).

The rules take plain values; procedures that roll follow them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

from caltrop.agreeing import quantity
from caltrop.chance import Distribution, Pool, Roll
from caltrop.engine import End, Event, Go, MotionOf, Procedure, Run, Sum, Term, Throw, does, rule, step, total
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Point, near_to
from caltrop.kit.numbers import reasons, tally
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import Saved, TakeHits, destroy, morale_of, pin
from caltrop.rules.squad_action.catalogue import CLASS_IN_WORDS, NO_SAVE, Class, Cover, Face, Kind, step_of, stepped
from caltrop.rules.squad_action.fire import COVER_SAVE, FACES, cover_save
from caltrop.rules.squad_action.morale import (
    against,
    chance_to_pass,
    dice_of_a_check,
    passes,
    reading_of_a_check,
    ways_to_pass,
)
from caltrop.rules.squad_action.places import bodies, cover_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.transport import SpillOut

Damage = Literal["none", "shaken", "damaged", "destroyed", "explodes"]
"""Effect of a damage roll (SQ-S51)."""
BLAST = 3 * INCH
"""Distance that an explosion reaches."""


class Condition(NamedTuple):
    """The state of a machine."""

    destroyed: bool = False
    immobile: bool = False
    disarmed: bool = False
    pinned: bool = False


WRECK = Condition(destroyed=True)


_DONE: dict[Damage, str] = {
    "none": "no effect",
    "shaken": "Shaken",
    "damaged": "Damaged",
    "destroyed": "Destroyed",
    "explodes": "Destroyed, and it explodes",
}


class HitMachine(Procedure):
    """One hit on a machine: its cover save, the damage roll, and the effect (SQ-S51)."""

    unit: int
    at_class: Class
    face: Face
    cover: Cover = "none"
    barred: bool = False
    """True if a shell hit the machine directly, so that cover does not help (SQ-FMI-21)."""
    flame: bool = False
    """True if a flamethrower hit the machine, so that cover does not help."""
    side: int = -1
    """Side that makes the damage rolls; -1 for the enemy of the machine."""
    score: int = 0

    @step("SQ-S51", "SQ-Q40", "SQ-ORG-61", "SQ-ORG-67")
    def strike(self, t: Firefight) -> End | None:
        """A hit that cannot have an effect is not rolled for."""
        u = t.units[self.unit]
        if u.where != "table":
            return End()
        if not could_penetrate(t, self._power(t), self._armour(t)):
            t.tell(GlancedOff(self.unit, self._power(t), self._armour(t), self.face))
            return End()
        return None

    @step("SQ-Q45", "SQ-ORG-54", "SQ-FMI-21", "SQ-COV-01")
    def save(self, t: Firefight) -> Throw | Go:
        u, needed = t.units[self.unit], self._save(t)
        if needed >= NO_SAVE:
            return Go("roll")
        return Throw(Pool(1), side=u.side, words=f"Cover save of {u.name}: {needed}+")

    @step("SQ-Q45", "SQ-ORG-54")
    def saved(self, t: Firefight, roll: Roll) -> End | None:
        needed = self._save(t)
        t.tell(Saved(self.unit, roll, needed, int(roll[0] >= needed), f"{COVER_SAVE}: {needed}+", "SQ-Q45"))
        return End() if roll[0] >= needed else None

    @step("SQ-S51", "SQ-S50", "SQ-ORG-61", "SQ-Q42")
    def roll(self, t: Firefight) -> Throw:
        return Throw(Pool(1), side=self._thrower(t), words=f"Damage to {t.units[self.unit].name}, {self.face}")

    @step("SQ-S51", "SQ-S53")
    def take_effect(self, t: Firefight, roll: Roll) -> Go | Throw | End:
        parts = damage_parts(t, self._power(t), self._armour(t))
        self.score = roll[0] + total(parts)
        result = damage_of(t, self.score)
        t.tell(Struck(self.unit, self._thrower(t), roll[0], parts, self.score, result, self.face))
        if result == "shaken":
            pin(t, self.unit)
        if result == "damaged":
            return Throw(Pool(1), side=self._thrower(t), words=f"The damaged part of {t.units[self.unit].name}")
        return Go("burn") if result in ("destroyed", "explodes") else End()

    @step("SQ-S51", "SQ-S56")
    def break_something(self, t: Firefight, roll: Roll) -> Go | End:
        """The machine loses its drive or its main weapon. A machine that has lost both already is destroyed."""
        u = t.units[self.unit]
        end = after_breakage(t, u.kind, condition(t, self.unit), roll[0])
        if end.destroyed:
            return Go("burn")
        t.tell(Disabled(self.unit, "immobile" if end.immobile > u.immobile else "disarmed"))
        t.change(self.unit, immobile=end.immobile, disarmed=end.disarmed)
        return End()

    @step("SQ-S51", "SQ-S46", "SQ-ORG-66")
    def burn(self, t: Firefight) -> Run:
        """The machine is destroyed, which may also hurt passengers and units nearby."""
        return Run(Burn(unit=self.unit, explodes=damage_of(t, self.score) == "explodes"))

    def _thrower(self, t: Firefight) -> int:
        return 1 - t.units[self.unit].side if self.side < 0 else self.side

    def _power(self, t: Firefight) -> Class:
        return power(t, self.at_class, t.units[self.unit].kind == "flyer")

    def _armour(self, t: Firefight) -> Class:
        return t.vehicle(self.unit).face(self.face)

    def _save(self, t: Firefight) -> int:
        u = t.units[self.unit]
        return machine_save(t, u.kind, self.cover, u.pinned, self.flame, self.barred)


class Burn(Procedure):
    """A machine is destroyed: passengers get out or are lost, and an explosion hits nearby units."""

    unit: int
    explodes: bool
    place: Point = (0, 0)
    near: tuple[int, ...] = ()
    """Units that the explosion hits."""
    now: int = 0

    @step("SQ-S51", "SQ-Q76")
    def find_the_near(self, t: Firefight) -> None:
        """An explosion hits every unit within 3 inches, friend or foe, except machines."""
        self.place = t.models[t.units[self.unit].models[0]].at or self.place
        if self.explodes:
            mine = bodies(t, self.unit)
            self.near = tuple(
                [
                    u.id
                    for u in t.units
                    if u.id != self.unit
                    and u.in_play
                    and u.on_foot
                    and any(near_to(a, b, BLAST) for a in mine for b in bodies(t, u.id))
                ]
            )

    @step("SQ-S46", "SQ-ORG-66")
    def passengers(self, t: Firefight) -> Run | None:
        """Passengers get out if they can. Passengers of a flyer are lost."""
        if not t.aboard(self.unit):
            return None
        return Run(SpillOut(unit=self.unit))

    @step("SQ-S51")
    def out_of_play(self, t: Firefight) -> None:
        destroy(t, self.unit, "is destroyed")

    @step("SQ-S51")
    def blast(self, t: Firefight) -> Throw | End:
        """Each nearby unit takes D3 hits."""
        while self.now < len(self.near) and t.units[self.near[self.now]].where != "table":
            self.now += 1
        if self.now >= len(self.near):
            return End()
        u = t.units[self.near[self.now]]
        return Throw(Pool(1), words=f"Hits of the explosion on {u.name}")

    @step("SQ-S51")
    def hit(self, t: Firefight, roll: Roll) -> Run:
        unit = self.near[self.now]
        models, hits = t.units[unit].models, d3(roll[0])
        t.tell(Blasted(unit, hits))
        return Run(TakeHits(unit=unit, hits=hits, may_be_hit=models, cover=cover_of(t, models, [self.place])))

    @step("SQ-S51", "SQ-Q53")
    def test(self, t: Firefight, lost: int) -> Run:
        return Run(AfterAttack(unit=self.near[self.now], lost=lost, hit=True))

    @step("SQ-S51")
    def next_one(self, t: Firefight) -> Go:
        self.now += 1
        return Go("blast")


class CheckMachine(Procedure):
    """A machine takes one morale check if an attack could have penetrated its armour. A machine that fails the check is
    Pinned (SQ-Q52).
    """

    unit: int

    @step("SQ-ORG-30", "SQ-ORG-31", "SQ-Q52")
    def roll(self, t: Firefight) -> Throw | End:
        u = t.units[self.unit]
        if u.where != "table" or u.pinned:
            return End()
        reads = reading_of_a_check(t, morale_of(t, self.unit), ())
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=f"{does(u.name, 'checks')} its morale")

    @step("SQ-ORG-30", "SQ-ORG-31", "SQ-Q52", "SQ-S53")
    def stand(self, t: Firefight, roll: Roll) -> None:
        """The roll has no modifiers, not even for an Officer."""
        morale = morale_of(t, self.unit)
        passed = passes(t, roll, morale, ())
        t.tell(MachineChecked(self.unit, roll, morale, passed))
        if not passed:
            pin(t, self.unit)


# --- AT against armour -----------------------------------------------------------------------------------------------


@rule("SQ-S50", "SQ-ORG-67", stages=("flyer",))
def power(b: HasBook, at: Class, flyer: bool) -> Class:
    return at


@power.amended_by("SQ-ORG-61", stage="flyer")
def flyers_are_frail(value: Class, b: HasBook, at: Class, flyer: bool) -> Class:
    """A hit on a flyer counts as one class stronger."""
    return stepped(value, 1) if flyer else value


@rule("SQ-S51", "SQ-S50", "SQ-Q41")
def damage_parts(b: HasBook, at: Class, armour: Class) -> Sum:
    """A damage roll adds the class of the hit and subtracts the class of the armour."""
    return (
        Term(step_of(at), "SQ-S50", f"Anti-tank power {CLASS_IN_WORDS[at]}"),
        Term(-step_of(armour), "SQ-S50", f"Armour {CLASS_IN_WORDS[armour]}"),
    )


@rule("SQ-S51", "SQ-Q40")
def can_harm(b: HasBook, at: Class, armour: Class) -> bool:
    return at != "U" or armour == "U"


@rule("SQ-S51")
def damage_of(b: HasBook, score: int) -> Damage:
    """A result of 3 or less does nothing; 4 shakes, 5 damages, 6 destroys, and 8 explodes the machine."""
    if score <= 3:
        return "none"
    if score == 4:
        return "shaken"
    if score == 5:
        return "damaged"
    return "destroyed" if score < 8 else "explodes"


@rule("SQ-ORG-30", "SQ-Q52")
def could_penetrate(b: HasBook, at: Class, armour: Class) -> bool:
    """A hit could penetrate if its AT is at most two classes below the armour. Attacks of class AT U never penetrate
    armour.
    """
    return can_harm(b, at, armour) and step_of(at) >= step_of(armour) - 2


@rule("SQ-Q45", stages=("walker",))
def machine_cover(b: HasBook, kind: Kind, cover: Cover) -> Cover:
    return cover


@machine_cover.amended_by("SQ-ORG-54", stage="walker")
def walkers_find_cover_anywhere(shelter: Cover, b: HasBook, kind: Kind, cover: Cover) -> Cover:
    """A walker in the open has a cover save of 5+."""
    return "soft" if kind == "walker" and shelter == "none" else shelter


@rule("SQ-Q45", "SQ-COV-01", "SQ-WPN-03", stages=("barred", "flyer"))
def machine_save(b: HasBook, kind: Kind, cover: Cover, pinned: bool, flame: bool, barred: bool) -> int:
    """Return the number that a die must reach for a machine's cover save, before the damage roll; 7 for no save."""
    return cover_save(b, machine_cover(b, kind, cover), pinned, flame)


@machine_save.amended_by("SQ-FMI-21", "SQ-Q45", stage="barred")
def no_cover_from_a_direct_hit(
    value: int, b: HasBook, kind: Kind, cover: Cover, pinned: bool, flame: bool, barred: bool
) -> int:
    return NO_SAVE if barred else value


@machine_save.amended_by("SQ-Q55", "SQ-Q14", stage="flyer")
def flyers_have_no_cover(
    value: int, b: HasBook, kind: Kind, cover: Cover, pinned: bool, flame: bool, barred: bool
) -> int:
    return NO_SAVE if kind == "flyer" else value


class Blow(NamedTuple):
    """A possible hit on a machine."""

    at: Class
    armour: Class
    cover: Cover = "none"
    flame: bool = False
    barred: bool = False


@rule("SQ-S51")
def after_breakage(b: HasBook, kind: Kind, was: Condition, face: int) -> Condition:
    """On 1 to 3 the machine is immobilised, on 4 to 6 it loses its main weapon. A machine that already has that damage
    takes the other kind; a machine that has both is destroyed.
    """
    hits_drive = face <= 3
    if was.immobile and was.disarmed:
        return WRECK
    if was.immobile if hits_drive else was.disarmed:
        hits_drive = not hits_drive
    if hits_drive and kind == "flyer":
        # The flyer leaves for good and counts as destroyed (SQ-S56).
        return WRECK
    return was._replace(immobile=True) if hits_drive else was._replace(disarmed=True)


def after_blow(b: HasBook, kind: Kind, was: Condition, blow: Blow) -> Distribution[Condition]:
    """Return the exact odds of a machine's states after one hit."""
    at = power(b, blow.at, kind == "flyer")
    if was.destroyed or (kind == "flyer" and was.pinned) or not could_penetrate(b, at, blow.armour):
        return Distribution.certain(was)
    needed = machine_save(b, kind, blow.cover, was.pinned, blow.flame, blow.barred)
    # Weights are out of 216 rolls of three dice: save, damage, and damaged part.
    saved = max(NO_SAVE - needed, 0)
    weights: dict[Condition, int] = {was: saved * 36} if saved else {}
    for face in FACES:
        result = damage_of(b, face + total(damage_parts(b, at, blow.armour)))
        if result == "damaged":
            for which in FACES:
                end = after_breakage(b, kind, was, which)
                weights[end] = weights.get(end, 0) + (6 - saved)
            continue
        left = was if result == "none" else was._replace(pinned=True) if result == "shaken" else WRECK
        weights[left] = weights.get(left, 0) + (6 - saved) * 6
    return Distribution(weights)


def after_check(b: HasBook, morale: int, was: Condition) -> Distribution[Condition]:
    """Return the exact odds of a machine's states after its morale check."""
    if was.destroyed or was.pinned:
        return Distribution.certain(was)
    passing, ways = ways_to_pass(b, morale, ())
    return Distribution({was: passing, was._replace(pinned=True): ways - passing})


def condition(t: Firefight, unit: int) -> Condition:
    u = t.units[unit]
    return Condition(u.where == "gone", u.immobile, u.disarmed, u.pinned)


def d3(face: int) -> int:
    """Return the D3 result for a d6: half of the face, rounded up.

    >>> [d3(face) for face in range(1, 7)]
    [1, 1, 2, 2, 3, 3]
    """
    return (face + 1) // 2


# --- events ----------------------------------------------------------------------------------------------------------


class Struck(Event, frozen=True):
    """A hit on a machine was resolved."""

    unit: int
    by: int
    """The side that rolled for damage."""
    face: int
    parts: Sum
    score: int
    came: Damage
    side_hit: Face
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S51",)

    def sentence(self, t: Firefight) -> str:
        added = f" {total(self.parts):+d} = {self.score}" if total(self.parts) else ""
        return (
            f"{does(t.units[self.unit].name, 'is')} hit on the {self.side_hit}: {self.face}{added}: {_DONE[self.came]}"
        )

    def reading(self, t: Firefight) -> Reading:
        takes = [damage_of(t, face + total(self.parts)) != "none" for face in FACES]
        return Reading(
            words=f"Damage to {t.units[self.unit].name}, {self.side_hit}",
            side=self.by,
            target=self.unit,
            terms=reasons(self.parts),
            modifies=True,
            dice=(DieRead(face=self.face, result="" if self.came == "none" else self.came),),
            came=_DONE[self.came],
            tallies=(tally(self.by, "damage", int(self.came != "none"), Fraction(sum(takes), 6)),),
        )

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="dice", unit=self.unit, tag="" if self.came == "none" else _DONE[self.came])


class GlancedOff(Event, frozen=True):
    """A hit on a machine could have no effect."""

    unit: int
    at_class: Class
    armour: Class
    side_hit: Face
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S51", "SQ-Q40", "SQ-Q43")
    shown = MotionOf("mark", "no effect")

    def sentence(self, t: Firefight) -> str:
        where = f"the {self.side_hit} of {t.units[self.unit].name}, whose armour is {CLASS_IN_WORDS[self.armour]}"
        return f"A hit with anti-tank power {CLASS_IN_WORDS[self.at_class]} does nothing to {where}"


class Blasted(Event, frozen=True):
    """An explosion hit a nearby unit."""

    unit: int
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S51",)
    template = "The explosion scores {hits:hit} on {unit}"

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="mark", unit=self.unit, tag=quantity(self.hits, "hit"))


class Disabled(Event, frozen=True):
    """A machine lost its drive or its main weapon."""

    unit: int
    lost: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S51",)

    def sentence(self, t: Firefight) -> str:
        what = "is immobile" if self.lost == "immobile" else "has lost its main weapon"
        return does(t.units[self.unit].name, what)

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="mark", unit=self.unit, tag="immobile" if self.lost == "immobile" else "disarmed")


class MachineChecked(Event, frozen=True):
    unit: int
    faces: tuple[int, ...]
    morale: int
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-30", "SQ-Q52")

    def sentence(self, t: Firefight) -> str:
        rolled, verb = " ".join(map(str, self.faces)), "holds" if self.passed else "loses its nerve"
        return f"The crew of {t.units[self.unit].name} {verb}: {rolled}, {against(t, self.morale)}"

    def reading(self, t: Firefight) -> Reading:
        """Return the die, and the crew's chance of passing."""
        u = t.units[self.unit]
        return Reading(
            words=f"{u.name}: morale check",
            side=u.side,
            unit=self.unit,
            dice=tuple([DieRead(face=face, result="passed" if self.passed else "") for face in self.faces]),
            came="passed" if self.passed else "failed",
            tallies=(tally(u.side, "checks passed", int(self.passed), chance_to_pass(t, self.morale, ())),),
        )

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="dice", unit=self.unit, tag="holds" if self.passed else "")
