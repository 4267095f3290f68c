"""Airstrikes: a strafing run, light bombs, or fire at vehicles (SQ-AIR, SQ-Q39, SQ-Q47)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any, ClassVar, Literal

from caltrop.agreeing import agreeing, quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import SUM, Dice, Pool, Roll, at_least
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Options,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    back,
    guard,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.geometry import Point
from caltrop.rules.squad_action.acts import MOST_WAYS
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.damage import CheckMachine, HitMachine, could_penetrate
from caltrop.rules.squad_action.fire import hits_of
from caltrop.rules.squad_action.line import LayLine, Line, LineLaid, middle_of_line, under_line
from caltrop.rules.squad_action.places import cover_of
from caltrop.rules.squad_action.records import Barrage, Firefight, Flight
from caltrop.rules.squad_action.shells import Mark, Marked, MarkTarget, Shells, is_delayed, keep_barrage
from caltrop.rules.squad_action.striking import shares

Kind = Literal["strafing", "bombs", "anti-vehicle"]
KINDS: tuple[Kind, ...] = ("strafing", "bombs", "anti-vehicle")
IN_WORDS: dict[str, str] = {
    "strafing": "Strafing run: 3D6 shots at soldiers under a line of 18 inches",
    "bombs": "Light bombs: a light shell with a template of 10 inches",
    "anti-vehicle": "Anti-vehicle fire: D3 shots at vehicles under a line of 18 inches",
}

COMES: dict[str, str] = {
    "strafing": "is a strafing run",
    "bombs": "drops light bombs",
    "anti-vehicle": "fires at vehicles",
}


OTHER_NUMBER = guard(("SQ-Q39", "SQ-Q47"), "other-number", "The number to share out is {count}; here it is {given}")


class Airstrike(Procedure):
    unit: int
    aim: Point | None = None
    """Place at which the caller suggested to aim."""
    target: int | None = None
    kind: str = ""

    @step("SQ-AIR-01")
    def roll(self, t: Firefight) -> Throw:
        return Throw(Pool(1), side=t.units[self.unit].side, words="Which airstrike?")

    @step("SQ-AIR-01", "SQ-Q62")
    def choose(self, t: Firefight, roll: Roll) -> Ask | Go:
        strike = strike_of(t, roll[0])
        if strike is not None:
            self.kind = strike
            return Go("mark")
        return ask(WhichStrike(side=t.units[self.unit].side, unit=self.unit))

    @step("SQ-AIR-01")
    def chosen(self, t: Firefight, choice: Strike) -> None:
        self.kind = choice.kind

    @step("SQ-FMI-07", "SQ-Q62")
    def mark(self, t: Firefight) -> Ask:
        """The caller marks the target when the kind of strike is known."""
        t.tell(StrikeComes(self.unit, self.kind))
        side = t.units[self.unit].side
        return ask(MarkTarget(side=side, unit=self.unit, asset=self.kind, meant=self.aim, meant_target=self.target))

    @step("SQ-AIR-02", "SQ-AIR-07", "SQ-AIR-08", "SQ-Q62")
    def strike(self, t: Firefight, choice: Mark) -> Run:
        t.tell(Marked(self.unit, choice.aim, choice.target))
        side = t.units[self.unit].side
        if self.kind == "bombs":
            return Run(Shells(side=side, caller=self.unit, asset="bombs", aim=choice.aim, target=choice.target))
        return Run(AirRun(side=side, unit=self.unit, aim=choice.aim, kind=self.kind))


class AirRun(Procedure):
    """A run along a line: strafing, or fire at vehicles."""

    side: int
    unit: int
    aim: Point
    kind: str
    direction: Point = (0, 1)
    units: tuple[int, ...] = ()
    enemies: tuple[int, ...] = ()
    shares: tuple[tuple[int, int], ...] = ()
    """Number of hits or shots for each unit, if it has any."""
    now: int = 0

    @step("SQ-AIR-02", "SQ-AIR-08", "SQ-Q39")
    def lay(self, t: Firefight) -> Ask:
        """The caller lays the line through the mark, in any direction."""
        return ask(LayLine(side=self.side, aim=self.aim, run=self.kind))

    @step("SQ-AIR-02", "SQ-AIR-08", "SQ-Q38", "SQ-Q39")
    def find(self, t: Firefight, choice: Line) -> End | None:
        """The line is on the table. A delayed run takes effect later."""
        self.direction = choice.direction
        self.aim = middle_of_line(self.aim, choice)
        if not is_delayed(t):
            return None
        t.tell(LineLaid(self.unit, self.aim, self.direction, under_line(t, self.aim, self.direction)))
        keep_barrage(
            t,
            Barrage(
                caller=self.unit,
                asset=self.kind,
                aim=self.aim,
                target=None,
                turn=t.round,
                marker=self.aim,
                direction=self.direction,
            ),
        )
        return End()

    @step("SQ-AIR-02", "SQ-AIR-05", "SQ-AIR-08", "SQ-Q38")
    def fly(self, t: Firefight) -> Go | Throw | End:
        """The run affects the units that are under its line at this moment."""
        flight = Flight(caller=self.unit, kind=self.kind, aim=self.aim, direction=self.direction, turn=t.round)
        t.flights[:] = [*[f for f in t.flights if f.turn == t.round], flight]
        self.units = under_line(t, self.aim, self.direction)
        t.tell(LineLaid(self.unit, self.aim, self.direction, self.units))
        foot = self.kind == "strafing"
        self.enemies = tuple([u for u in self.units if t.units[u].side != self.side and may_be_shot(t, u, self.kind)])
        if not self.enemies:
            return Go("check_all") if foot else End()
        words = "Shots of the strafing run" if foot else "Shots at vehicles: D3"
        return Throw(Pool(3 if foot else 1), reads=SUM, side=self.side, words=words)

    @step("SQ-AIR-02", "SQ-AIR-08", "SQ-Q47")
    def count_shots(self, t: Firefight, roll: Roll) -> Throw | Ask | Go:
        """All shots of a run are rolled together. Shots at several vehicles are shared among them before the roll."""
        if self.kind == "strafing":
            return Throw(
                Pool(sum(roll)), reads=at_least(strafe_needs(t)), side=self.side, words=f"Strafing: {strafe_needs(t)}+"
            )
        shots = (roll[0] + 1) // 2
        if len(self.enemies) == 1:
            self.shares = ((self.enemies[0], shots),)
            return Go("shoot")
        return ask(ShareOut(side=self.side, units=self.enemies, count=shots, what="shots"))

    @step("SQ-AIR-02", "SQ-AIR-06", "SQ-Q39")
    def share(self, t: Firefight, choice: Any) -> Ask | Go:
        if isinstance(choice, Share):
            self.shares = tuple([(u, n) for u, n in zip(self.enemies, choice.counts, strict=True) if n])
            return Go("shoot")
        hits = hits_of(choice, strafe_needs(t))
        t.tell(Strafed(self.unit, len(choice), hits))
        if not hits:
            return Go("check_all")
        if len(self.enemies) == 1:
            self.shares = ((self.enemies[0], hits),)
            return Go("hit")
        return ask(ShareOut(side=1 - self.side, units=self.enemies, count=hits, what="hits"))

    @step("SQ-AIR-06", "SQ-Q39")
    def shared(self, t: Firefight, choice: Share) -> None:
        self.shares = tuple([(u, n) for u, n in zip(self.enemies, choice.counts, strict=True) if n])

    # Strafing.

    @step("SQ-AIR-03", "SQ-AIR-04", "SQ-AIR-06")
    def hit(self, t: Firefight) -> Run | Go:
        """Soldiers save by cover, or by armour with a modifier of -2. The owner of the hit models chooses the
        casualties.
        """
        if self.now >= len(self.shares):
            return Go("check_all")
        unit, hits = self.shares[self.now]
        u = t.units[unit]
        at, ap = strafing_shots(t)
        cover = self._cover(t, unit)
        if u.machine:
            return Run(HitMachine(unit=unit, at_class=at, face="side", cover=cover))
        return Run(TakeHits(unit=unit, hits=hits, may_be_hit=u.models, ap=ap, cover=cover))

    @step("SQ-AIR-05", "SQ-Q53")
    def test(self, t: Firefight, lost: Any) -> Run | Go:
        """A unit under the line takes a pinning check, modified by its losses."""
        unit, hits = self.shares[self.now]
        if t.units[unit].machine:
            if hits > 1 and t.units[unit].where == "table":
                self.shares = (*self.shares[: self.now], (unit, hits - 1), *self.shares[self.now + 1 :])
                return Go("hit")
            return Go("next_hit")
        self.units = tuple([u for u in self.units if u != unit])
        return Run(AfterAttack(unit=unit, lost=int(lost or 0), hit=True))

    @step("SQ-AIR-02")
    def next_hit(self, t: Firefight) -> Go:
        self.now += 1
        return Go("hit")

    @step("SQ-AIR-05", "SQ-Q39", "SQ-Q52")
    def check_all(self, t: Firefight) -> Run | End:
        """Every other unit under the line takes a pinning check too. Machines take a check only as after any attack."""
        while self.units:
            unit, self.units = self.units[0], self.units[1:]
            u = t.units[unit]
            if u.where != "table":
                continue
            if u.on_foot:
                return Run(AfterAttack(unit=unit, lost=0, hit=True))
            was_hit = any(unit == x for x, _ in self.shares)
            if was_hit and could_penetrate(t, strafing_shots(t)[0], t.vehicle(unit).face("side")):
                return Run(CheckMachine(unit=unit))
        return End()

    checked = back("check_all", "SQ-AIR-05")

    # Fire at vehicles.

    @step("SQ-AIR-08", "SQ-AIR-10")
    def shoot(self, t: Firefight) -> Throw | End:
        if self.now >= len(self.shares):
            return End()
        unit, shots = self.shares[self.now]
        needed = anti_vehicle_needs(t)
        words = f"Anti-vehicle fire at {t.units[unit].name}: {needed}+"
        return Throw(Pool(shots), reads=at_least(needed), side=self.side, words=words)

    @step("SQ-AIR-10", "SQ-ORG-30")
    def count_hits(self, t: Firefight, roll: Roll) -> Go | None:
        unit, _ = self.shares[self.now]
        hits = hits_of(roll, anti_vehicle_needs(t))
        self.shares = (*self.shares[: self.now], (unit, hits), *self.shares[self.now + 1 :])
        return None if hits else Go("next_vehicle")

    @step("SQ-AIR-08", "SQ-AIR-09")
    def damage(self, t: Firefight) -> Run | Go:
        """Each hit strikes the side armour with AT Med."""
        unit, left = self.shares[self.now]
        if not left or t.units[unit].where != "table":
            return Go("check_machine")
        self.shares = (*self.shares[: self.now], (unit, left - 1), *self.shares[self.now + 1 :])
        return Run(HitMachine(unit=unit, at_class="Med", face="side", cover=self._cover(t, unit)))

    again = back("damage", "SQ-AIR-08")

    @step("SQ-ORG-30", "SQ-Q52")
    def check_machine(self, t: Firefight) -> Run | Go:
        """A machine takes one check if a hit could have penetrated its armour."""
        unit, _ = self.shares[self.now]
        if t.units[unit].where == "table" and could_penetrate(t, "Med", t.vehicle(unit).face("side")):
            return Run(CheckMachine(unit=unit))
        return Go("next_vehicle")

    @step("SQ-AIR-08")
    def next_vehicle(self, t: Firefight) -> Go:
        self.now += 1
        return Go("shoot")

    def _cover(self, t: Firefight, unit: int) -> Cover:
        models = t.units[unit].models
        return cover_of(t, models, [at for m in models if (at := t.models[m].at) is not None])


# --- kinds of strikes ------------------------------------------------------------------------------------------------


@rule("SQ-AIR-01")
def strike_of(b: HasBook, face: int) -> Kind | None:
    """A strafing run on 1, light bombs on 2, anti-vehicle fire on 3; on 4 to 6 the caller chooses."""
    return KINDS[face - 1] if face <= 3 else None


@rule("SQ-AIR-03")
def strafing_shots(b: HasBook) -> tuple[Literal["U"], int]:
    """The shots of a strafing run have AT U, and a modifier of -2 to armour saves."""
    return "U", -2


@rule("SQ-Q39", stages=("house",))
def strafe_needs(b: HasBook) -> int:
    """In a strafing run, each shot hits on 5 or more."""
    return 5


@strafe_needs.amended_by("SQ-Q39", stage="house", house={"strafe_to_hit": 4})
def strafing_hits_on_four(value: int, b: HasBook) -> int:
    """House rule: in a strafing run, each shot hits on 4 or more."""
    return 4


@strafe_needs.amended_by("SQ-Q39", stage="house", house={"strafe_to_hit": "auto"})
def strafing_always_hits(value: int, b: HasBook) -> int:
    """House rule: in a strafing run, every shot hits."""
    return 1


@rule("SQ-AIR-10")
def anti_vehicle_needs(b: HasBook) -> int:
    """Anti-vehicle fire hits on 5 or more, without modifiers."""
    return 5


@rule("SQ-AIR-02", "SQ-AIR-03", "SQ-AIR-08", "SQ-Q39", "SQ-Q40")
def may_be_shot(t: Firefight, unit: int, run: str) -> bool:
    """A strafing run hits soldiers and vehicles without armour. Anti-vehicle fire hits machines."""
    if t.units[unit].on_foot:
        return run == "strafing"
    return run != "strafing" or t.vehicle(unit).face("side") == "U"


# --- decisions -------------------------------------------------------------------------------------------------------


class Strike(Action, frozen=True):
    kind: str


class WhichStrike(Offered, frozen=True, kw_only=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-AIR-01",)

    def options(self, t: Firefight) -> Listed:
        return Listed([Strike(kind) for kind in KINDS], clause="SQ-AIR-01")

    def prompt(self, t: Firefight) -> str:
        return "The pilot asks: which airstrike?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [Offer(action=Strike(kind), words=IN_WORDS[kind]) for kind in KINDS]


class Share(Action, frozen=True):
    """Share hits or shots among units."""

    counts: tuple[int, ...]


class ShareOptions(Options):
    """The ways to share hits or shots among some units."""

    __slots__ = ("decision",)

    def __init__(self, decision: ShareOut) -> None:
        self.decision = decision

    def refusal(self, action: Any) -> Refusal | None:
        d = self.decision
        good = isinstance(action, Share) and len(action.counts) == len(d.units) and min(action.counts) >= 0
        given = sum(action.counts) if isinstance(action, Share) else 0
        refusal = OTHER_NUMBER.refuses(not good or given != d.count, count=d.count, given=given)
        return None if refusal is None else refusal.towards(self.first())

    def __iter__(self) -> Iterator[Any]:
        """Yield ways to share the shots: first as evenly as possible, then all for one unit."""
        d = self.decision
        n = len(d.units)
        even = tuple([d.count // n + (i < d.count % n) for i in range(n)])
        yield Share(even)
        for i in range(n):
            one = tuple([d.count * (i == j) for j in range(n)])
            if one != even:
                yield Share(one)

    def sample(self, dice: Dice) -> Any:
        counts = [0] * len(self.decision.units)
        for _ in range(self.decision.count):
            counts[dice.below(len(counts))] += 1
        return Share(tuple(counts))


class ShareOut(Offered, frozen=True, kw_only=True):
    """The caller shares hits or shots among the units under the line."""

    units: tuple[int, ...]
    count: int
    what: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q39", "SQ-Q47")
    settles: ClassVar[bool] = True

    def options(self, t: Firefight) -> ShareOptions:
        return ShareOptions(self)

    def prompt(self, t: Firefight) -> str:
        return f"Share out {self.count} {self.what} among {', '.join(t.units[u].name for u in self.units)}"

    def offers(self, t: Firefight) -> Sequence[Offer]:
        """Return all ways to share, or if there are too many, only the simple ones."""
        simple = list(self.options(t))
        few = comb(self.count + len(self.units) - 1, self.count) <= MOST_WAYS
        every = [Share(counts) for counts in shares(self.count, len(self.units))] if few else []
        return [
            Offer(
                action=a,
                words=", ".join(f"{n} to {t.units[u].name}" for u, n in zip(self.units, a.counts, strict=True) if n),
            )
            for a in (*simple, *[share for share in every if share not in simple])
        ]


# --- events ----------------------------------------------------------------------------------------------------------


class StrikeComes(Event, frozen=True):
    unit: int
    kind: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-AIR-01",)

    def sentence(self, t: Firefight) -> str:
        return f"The airstrike {COMES[self.kind]}"


class Strafed(Event, frozen=True):
    unit: int
    shots: int
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-AIR-02",)

    def sentence(self, t: Firefight) -> str:
        return f"{self.hits} of {quantity(self.shots, 'shot')} {agreeing(self.hits, 'hits')}"
