"""A volley: hits on soldiers are saved, hits on machines cause damage (SQ-SHO-03 to 07, SQ-S50)."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import SUM, Pool, Roll, at_least
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    MotionOf,
    Procedure,
    Run,
    Sum,
    Term,
    Throw,
    ask,
    back,
    does,
    step,
)
from caltrop.kit.numbers import binomial, reasons, tally
from caltrop.picture import Reading
from caltrop.rules.squad_action.account import chance_of, dice_read, lowered
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import CLASS_IN_WORDS, Face, step_of
from caltrop.rules.squad_action.damage import CheckMachine, HitMachine, could_penetrate, power
from caltrop.rules.squad_action.fire import hits_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shots import Attack, Band, count_of, fire_of


class FireBand(Procedure):
    """Shots with the same to-hit number are rolled together. The result is the number of hits (SQ-SHO-04)."""

    unit: int
    target: int
    band: Band
    said: Roll = ()
    """Rolled number of shots of each model; empty if the number is fixed."""
    rolled: Roll = ()

    @step("SQ-S13", "SQ-SHO-04")
    def count_shots(self, t: Firefight) -> Throw | Go | End:
        """The number of shots of a flamethrower or a shell is rolled, with one die for each model."""
        if not self._firing(t):
            return End(0)
        if self.band.shots:
            return Go("fire")
        title = t.weapon(self.band.way).title
        return Throw(Pool(len(self._firing(t))), reads=SUM, side=self._side(t), words=f"Shots of the {title}")

    @step("SQ-S13")
    def hear(self, t: Firefight, roll: Roll) -> None:
        self.said = roll

    @step("SQ-SHO-04", "SQ-S15")
    def fire(self, t: Firefight) -> Throw:
        count = len(self._firing(t))
        shots = sum(self.said) if not self.band.shots else count * self.band.shots
        what = count_of(t, self.band.way, count)
        who, target = t.units[self.unit].name, t.units[self.target].name
        needed = self.band.needed
        reads = at_least(2, needed) if self.band.reroll else at_least(needed)
        return Throw(Pool(shots), reads=reads, side=self._side(t), words=f"{who}, {what} at {target}: {needed}+")

    @step("SQ-TRT-08", "SQ-Q46")
    def take(self, t: Firefight, roll: Roll) -> Throw | Go:
        """A unit with Improved Targeting rerolls each 1 once."""
        self.rolled = roll
        ones = roll.count(1)
        if not ones or not self.band.reroll:
            return Go("end")
        reads = at_least(self.band.needed)
        return Throw(Pool(ones), reads=reads, side=self._side(t), words="1s thrown again by Improved Targeting")

    @step("SQ-TRT-08")
    def again(self, t: Firefight, roll: Roll) -> End:
        fresh = iter(roll)
        faces = tuple([next(fresh) if face == 1 else face for face in self.rolled])
        return self._ended(t, faces, self.rolled)

    @step("SQ-SHO-04", "SQ-Q13")
    def end(self, t: Firefight) -> End:
        return self._ended(t, self.rolled, ())

    def _ended(self, t: Firefight, faces: Roll, before: Roll) -> End:
        band = self.band
        hit = hits_of(faces, band.needed)
        t.tell(
            Fired(
                unit=self.unit,
                target=self.target,
                way=band.way,
                models=self._firing(t),
                fire=fire_of(t, self.unit),
                parts=band.parts,
                needed=band.needed,
                reroll=band.reroll,
                faces=faces,
                before=before,
                hits=hit,
            )
        )
        return End(hit)

    def _firing(self, t: Firefight) -> tuple[int, ...]:
        return tuple([m for m in self.band.models if t.models[m].at is not None])

    def _side(self, t: Firefight) -> int:
        return t.units[self.unit].side


class AttackSoldiers(Procedure):
    """An attack on soldiers: shots, saves and losses, weapon by weapon, and then the checks (SQ-SHO-04 to 07)."""

    attack: Attack
    now: int = 0
    """Index of the band being fired."""
    hits: int = 0
    counted: int = 0
    """Number of hits that count, at most the number of models seen."""
    waiting: int = 0
    """Number of hits that still have to be saved."""
    lost: int = 0

    @step("SQ-SHO-04", "SQ-Q44")
    def fire(self, t: Firefight) -> Run | Go:
        """Weapons fire one after another, in the chosen order, until no model is left to hit."""
        a = self.attack
        if self.now >= len(a.bands) or self.counted >= len(a.seen) or not t.units[a.target].in_play:
            return Go("test")
        return Run(FireBand(unit=a.unit, target=a.target, band=a.bands[self.now]))

    @step("SQ-SHO-05", "SQ-Q44", "SQ-ORG-17")
    def hit(self, t: Firefight, hits: int) -> Run | Go:
        """Hits beyond the number of visible models do not count. Hits with the same saves are saved together."""
        a, band = self.attack, self.attack.bands[self.now]
        at_risk = sum([m in t.units[a.target].models for m in band.at_risk])
        room = min(len(a.seen) - self.counted, at_risk - self.waiting)
        if hits > room:
            t.tell(HitsLost(a.target, hits - room))
        fresh = min(hits, room)
        self.hits, self.counted, self.waiting = self.hits + hits, self.counted + fresh, self.waiting + fresh
        self.now += 1
        alike = self.now < len(a.bands) and _kind(a.bands[self.now]) == _kind(band)
        if not self.waiting or (alike and self.counted < len(a.seen)):
            return Go("fire")
        waiting, self.waiting = self.waiting, 0
        return Run(
            TakeHits(
                unit=a.target,
                hits=waiting,
                may_be_hit=band.at_risk,
                ap=band.ap,
                cover=band.cover,
                flame=band.flame,
                chooser=t.units[a.unit].side if band.picks else -1,
            )
        )

    @step("SQ-SHO-05")
    def fallen(self, t: Firefight, lost: int) -> Go:
        self.lost += lost
        return Go("fire")

    @step("SQ-SHO-06", "SQ-SHO-07", "SQ-WPN-02", "SQ-Q53", "SQ-ORG-62")
    def test(self, t: Firefight) -> Run:
        a = self.attack
        return Run(AfterAttack(unit=a.target, lost=self.lost, hit=self.hits > 0, flame=a.flame, flyer=a.flyer))

    @step("SQ-SHO-06")
    def over(self, t: Firefight) -> None: ...


def _kind(band: Band) -> tuple[Any, ...]:
    return band.ap, band.flame, band.picks, band.at_risk


class AttackMachine(Procedure):
    """An attack on a machine: each hit is saved or causes damage, then there is one check (SQ-ORG-30, SQ-S51)."""

    attack: Attack
    now: int = 0
    left: int = 0
    """Number of hits of the current band that are still to be resolved."""
    face: Face = "front"
    due: bool = False
    """True if a hit could have penetrated the armour."""

    @step("SQ-SHO-04")
    def fire(self, t: Firefight) -> Run | Go:
        a = self.attack
        if self.now >= len(a.bands) or not t.units[a.target].in_play:
            return Go("check")
        return Run(FireBand(unit=a.unit, target=a.target, band=a.bands[self.now]))

    @step("SQ-S52")
    def hit(self, t: Firefight, hits: int) -> Ask | Go:
        band = self.attack.bands[self.now]
        self.left, self.face = hits, band.faces[0]
        self.now += 1
        if not hits:
            return Go("fire")
        if len(band.faces) == 1:
            return Go("strike")
        owner = t.units[self.attack.target].side
        return ask(WhichFace(side=owner, unit=self.attack.target, faces=band.faces))

    @step("SQ-S52")
    def turn(self, t: Firefight, choice: Show) -> None:
        self.face = choice.face

    @step("SQ-S51", "SQ-Q52", "SQ-ORG-30")
    def strike(self, t: Firefight) -> Run | Go:
        u, band = t.units[self.attack.target], self.attack.bands[self.now - 1]
        if not self.left or not u.in_play:
            return Go("fire")
        at = power(t, band.at_class, u.kind == "flyer")
        self.due = self.due or could_penetrate(t, at, t.vehicle(u.id).face(self.face))
        self.left -= 1
        return Run(
            HitMachine(
                unit=u.id,
                at_class=band.at_class,
                face=self.face,
                cover=band.cover,
                flame=band.flame,
                side=t.units[self.attack.unit].side,
            )
        )

    next_hit = back("strike", "SQ-S51")

    @step("SQ-ORG-30", "SQ-Q52")
    def check(self, t: Firefight) -> Run | End:
        """The machine takes one check for the whole attack, if a hit could have penetrated its armour."""
        return Run(CheckMachine(unit=self.attack.target)) if self.due else End()

    @step("SQ-ORG-30")
    def over(self, t: Firefight) -> None: ...


# --- decisions -------------------------------------------------------------------------------------------------------


class Show(Action, frozen=True):
    face: Face


class WhichFace(Offered, frozen=True, kw_only=True):
    """The owner of a machine chooses the face that is hit, if the shooter is on the line between two faces."""

    unit: int
    faces: tuple[Face, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S52",)
    hint: ClassVar[str] = "The firer stands on the line between two faces: the owner of the machine chooses."

    def options(self, t: Firefight) -> Listed:
        row = t.vehicle(self.unit)
        best = sorted(self.faces, key=lambda face: -step_of(row.face(face)))
        return Listed([Show(face) for face in best], clause="SQ-S52")

    def prompt(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'is')} hit on the line between two faces: which is struck?"

    def offers(self, t: Firefight) -> list[Offer]:
        row = t.vehicle(self.unit)
        return [
            Offer(action=a, words=f"The {a.face}, armour {CLASS_IN_WORDS[row.face(a.face)]}", unit=self.unit)
            for a in self.options(t)
        ]


# --- events ----------------------------------------------------------------------------------------------------------


class Fired(Event, frozen=True, kw_only=True):
    unit: int
    target: int
    way: str
    models: tuple[int, ...]
    fire: int
    parts: Sum
    needed: int
    reroll: bool
    faces: tuple[int, ...]
    before: tuple[int, ...] = ()
    """Faces before 1s were rerolled; empty if none were."""
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-SHO-04", "SQ-ACT-02")
    about = ("unit", "target")
    shown = MotionOf("shot", target="target")

    def sentence(self, t: Firefight) -> str:
        who, target = t.units[self.unit].name, t.units[self.target].name
        what = count_of(t, self.way, len(self.models))
        rolled = " ".join(map(str, self.faces))
        return f"{does(who, 'fires')} {what} at {target}, {self.needed}+: {rolled}: {self._came()}"

    def _came(self) -> str:
        return quantity(self.hits, "hit")

    def reading(self, t: Firefight) -> Reading:
        u = t.units[self.unit]
        hits = binomial(len(self.faces), chance_of(self.needed, self.reroll))
        return Reading(
            words=f"{u.name}: {count_of(t, self.way, len(self.models))} at {t.units[self.target].name}",
            side=u.side,
            unit=self.unit,
            target=self.target,
            terms=reasons((Term(self.fire, "SQ-SHO-04", "Fire value"), *lowered(self.parts))),
            needed=self.needed,
            dice=dice_read(self.faces, self.needed, "hit", self.before),
            came=self._came(),
            tallies=(tally(u.side, "hits", self.hits, hits),),
        )


class HitsLost(Event, frozen=True):
    target: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q44", "SQ-ORG-17")
    about = ("target",)

    def sentence(self, t: Firefight) -> str:
        many = quantity(self.count, "hit")
        lost = "are lost" if self.count != 1 else "is lost"
        return f"{many} on {t.units[self.target].name} {lost}: no more of its models are seen"
