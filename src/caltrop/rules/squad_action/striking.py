"""Strikes in close quarters: the number of attacks, how they are shared, and their effects (SQ-CQB-07 to 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import SUM, Pool, Roll, at_least, counted
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    does,
    guard,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.kit.numbers import binomial, tally
from caltrop.picture import Reading
from caltrop.rules.squad_action.account import chance_of, dice_read
from caltrop.rules.squad_action.casualties import TakeHits, destroy
from caltrop.rules.squad_action.catalogue import Cover, Kind
from caltrop.rules.squad_action.fire import (
    hits_of,
)
from caltrop.rules.squad_action.initiative import rating_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.vehicle_assault import (
    Assail,
    attacks_of_machine,
    hits_of_machine,
)

FEW = 5
"""Largest number of models with the smaller number of extra attacks (SQ-CQB-08)."""
OTHER_SUM = guard(("SQ-CQS-10", "SQ-Q25"), "other-sum", "{name:has} {count:attack} to share; you shared out {given}")
OTHER_ENEMIES = guard(
    ("SQ-CQS-10", "SQ-Q25"),
    "other-enemies",
    "{name:shares} its attacks among {count:enemy}; you named {given}",
)
BELOW_NOTHING = guard("SQ-CQS-10", "below-nothing", "An enemy cannot be given fewer than 0 attacks")


class Extra(NamedTuple):
    """The dice for a unit's extra attacks."""

    dice: int
    halved: bool
    """True if each die is halved, rounded up (D3)."""


NO_MORE = Extra(0, False)


def no_cover(cover: Cover) -> bool:
    return cover == "none"


class StrikeByHand(Procedure):
    """A unit strikes: extra attacks, shares for each enemy, hits and saves.

    The result is the number of models and machines that fell.
    """

    by: Striker
    targets: tuple[int, ...]
    covers: tuple[Cover, ...]
    number: int
    assaults: bool
    attacks: int = 0
    shares: tuple[int, ...] = ()
    now: int = 0
    hits: int = 0
    faces: tuple[int, ...] = ()
    lost: int = 0
    used: int = 0
    """Number of anti-tank weapons used so far. Each such weapon makes one attack on one machine."""

    @step("SQ-CQB-08", "SQ-TRT-01", "SQ-ORG-56", "SQ-CQS-11", "SQ-Q24", "SQ-Q28")
    def more_attacks(self, t: Firefight) -> Throw | Go:
        """Assaulters have extra attacks in the first round."""
        extra = self._extra(t)
        self.attacks = self._own(t)
        if not extra.dice:
            return Go("share")
        u = t.units[self.by.unit]
        reads = counted((1, 2), (3, 4), (5, 6)) if extra.halved else SUM
        return Throw(Pool(extra.dice), reads=reads, side=u.side, words=f"Extra attacks of {u.name}")

    @step("SQ-CQB-08", "SQ-TRT-01", "SQ-ORG-56")
    def count_more(self, t: Firefight, roll: Roll) -> None:
        more = count_extra(self._extra(t), roll)
        t.tell(MoreAttacks(self.by.unit, roll, more, self.attacks + more))
        self.attacks += more

    @step("SQ-CQS-10", "SQ-Q25", "SQ-Q26", "SQ-Q63")
    def share(self, t: Firefight) -> Ask | Go | End:
        here = [n for n, u in enumerate(self.targets) if t.units[u].in_play]
        self.targets = tuple([self.targets[n] for n in here])
        self.covers = tuple([self.covers[n] for n in here])
        if not here or not self.attacks:
            return End(0)
        if len(here) == 1:
            self.shares = (self.attacks,)
            return Go("turn_to")
        u = t.units[self.by.unit]
        return ask(ShareAttacks(side=u.side, unit=u.id, attacks=self.attacks, targets=self.targets))

    @step("SQ-CQS-10", "SQ-Q25", "SQ-Q26")
    def shared(self, t: Firefight, choice: ShareAmong) -> None:
        self.shares = choice.attacks

    @step("SQ-Q25", "SQ-Q26")
    def turn_to(self, t: Firefight) -> Go | End:
        while self.now < len(self.targets):
            if self.shares[self.now] and t.units[self.targets[self.now]].in_play:
                return Go("assail" if t.units[self.targets[self.now]].machine else "roll")
            self.now += 1
        return End(self.lost)

    @step("SQ-VEH-01", "SQ-VEH-04", "SQ-VEH-05")
    def assail(self, t: Firefight) -> Run:
        """Strikes at a machine follow their own rules."""
        launchers = self.by.launchers[self.used :]
        self.used += min(self.shares[self.now], len(launchers))
        return Run(
            Assail(
                unit=self.targets[self.now],
                by=self.by.unit,
                attacks=self.shares[self.now],
                launchers=launchers,
                cover=self.covers[self.now],
            )
        )

    @step("SQ-Q61")
    def assailed(self, t: Firefight, destroyed: bool) -> Go:
        self.lost += destroyed
        self.now += 1
        return Go("turn_to")

    @step("SQ-CQB-07", "SQ-CQB-09")
    def roll(self, t: Firefight) -> Throw:
        u, target = t.units[self.by.unit], t.units[self.targets[self.now]]
        again = ones_are_thrown_again(t, u.traits)
        reads = at_least(2, self._needed(t)[0]) if again else at_least(self._needed(t)[0])
        words = f"{does(u.name, 'strikes')} at {target.name}"
        return Throw(Pool(self.shares[self.now]), reads=reads, side=u.side, words=words)

    @step("SQ-CQB-09", "SQ-TRT-07", "SQ-ORG-55")
    def read(self, t: Firefight, roll: Roll) -> Go | None:
        self.faces = roll
        if ones_are_thrown_again(t, t.units[self.by.unit].traits) and 1 in roll:
            return None
        return self._hit(t, roll, ())

    @step("SQ-TRT-07", "SQ-Q46")
    def roll_ones_again(self, t: Firefight) -> Throw:
        u = t.units[self.by.unit]
        reads = at_least(self._needed(t)[0])
        return Throw(Pool(self.faces.count(1)), reads=reads, side=u.side, words=f"1s of {u.name} are thrown again")

    @step("SQ-TRT-07")
    def read_again(self, t: Firefight, roll: Roll) -> Go:
        fresh = iter(roll)
        faces = tuple([next(fresh) if face == 1 else face for face in self.faces])
        return self._hit(t, faces, self.faces)

    def _hit(self, t: Firefight, faces: Roll, before: Roll) -> Go:
        needed = self._needed(t)
        self.hits = hits_of(faces, needed[0])
        t.tell(StruckByHand(self.by.unit, self.targets[self.now], faces, before, needed[0], self.hits))
        return Go("roll_to_wound" if self.hits and len(needed) > 1 else "save")

    @step("SQ-Q54")
    def roll_to_wound(self, t: Firefight) -> Throw:
        """House rule: hits of a walker roll to wound."""
        u = t.units[self.by.unit]
        needed = self._needed(t)[1]
        return Throw(Pool(self.hits), reads=at_least(needed), side=u.side, words=f"{u.name}: wounds on {needed}+")

    @step("SQ-Q54")
    def wound(self, t: Firefight, roll: Roll) -> None:
        needed = self._needed(t)[1]
        self.hits = hits_of(roll, needed)
        t.tell(StruckByHand(self.by.unit, self.targets[self.now], roll, (), needed, self.hits))

    @step("SQ-CQB-10", "SQ-Q22", "SQ-Q63", "SQ-ORG-55")
    def save(self, t: Firefight) -> Run:
        """The target saves by armour or cover, whichever is better. Against a walker, armour does not count."""
        target, cover = self.targets[self.now], self.covers[self.now]
        return Run(
            TakeHits(
                unit=target,
                hits=self.hits,
                may_be_hit=t.units[target].models,
                cover=cover,
                flame=no_cover(cover),
                armour=t.units[self.by.unit].kind != "walker",
            )
        )

    @step("SQ-CQB-11", "SQ-Q63")
    def count(self, t: Firefight, lost: int) -> Go:
        """Each unsaved hit is a casualty. A unit without models is removed."""
        target = self.targets[self.now]
        self.lost += lost
        if not t.units[target].models:
            destroy(t, target, "is wiped out")
        self.now += 1
        return Go("turn_to")

    def _needed(self, t: Firefight) -> tuple[int, ...]:
        return to_hit_by_hand(t, t.units[self.by.unit].kind, rating_of(t, self.by.unit))

    def _extra(self, t: Firefight) -> Extra:
        u = t.units[self.by.unit]
        return extra_attacks(t, u.kind, self.by.models, self.number == 1, self.assaults, u.traits)

    def _own(self, t: Firefight) -> int:
        u = t.units[self.by.unit]
        return self.by.models if u.on_foot else attacks_of_machine(t, u.kind, rating_of(t, u.id))


@rule("SQ-CQB-08", "SQ-CQS-11", stages=("walker", "specialist", "house"))
def extra_attacks(
    b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """In the first round assaulters have D3 extra attacks; with 6 models or more they have D6."""
    return Extra(1, models <= FEW) if first and assaults and kind == "infantry" else NO_MORE


@extra_attacks.amended_by("SQ-ORG-56", stage="walker")
def a_walker_that_charges(
    value: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """A walker that assaults has D3 extra attacks in the first round."""
    return Extra(1, True) if kind == "walker" and first and assaults else value


@extra_attacks.amended_by("SQ-TRT-01", "SQ-Q24", stage="specialist")
def specialists_strike_more_often(
    value: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    return value._replace(dice=value.dice + 1) if value.dice and "cqb-specialist" in traits else value


@extra_attacks.amended_by("SQ-Q28", stage="house", house={"vehicle_strikes_back": "on"})
def vehicles_strike_back(
    value: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """House rule: a vehicle strikes back with D6 attacks."""
    return Extra(1, False) if kind == "vehicle" else value


def count_extra(extra: Extra, faces: Sequence[int]) -> int:
    """Return the number of extra attacks for rolled faces.

    >>> count_extra(Extra(2, True), (3, 5)), count_extra(Extra(1, False), (4,))
    (5, 4)
    """
    return sum([(face + 1) // 2 if extra.halved else face for face in faces])


@rule("SQ-TRT-07", "SQ-Q46")
def ones_are_thrown_again(b: HasBook, traits: Sequence[str]) -> bool:
    """A unit with Improved Close Combat must reroll every 1 to hit once."""
    return "improved-close-combat" in traits


@rule("SQ-CQB-09", stages=("machine",))
def to_hit_by_hand(b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """Soldiers hit if they roll their CQB value or more."""
    return (cqb,)


@to_hit_by_hand.amended_by("SQ-ORG-55", "SQ-Q54", "SQ-Q28", stage="machine")
def machines_hit_in_their_own_way(value: tuple[int, ...], b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """A machine hits by rules of its own (see `vehicle_assault`)."""
    return value if kind == "infantry" else hits_of_machine(b, kind, cqb)


@rule("SQ-CQB-10", "SQ-Q22", "SQ-Q63", stages=("house",))
def cover_by_hand(b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """The assaulted unit has its cover in the first round. Assaulting models have no cover save."""
    return cover if assaulted and number == 1 else "none"


@cover_by_hand.amended_by("SQ-Q22", stage="house", house={"cover_in_cqb": "always"})
def cover_lasts(value: Cover, b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """House rule: the assaulted unit keeps its cover in every round."""
    return cover if assaulted else "none"


@cover_by_hand.amended_by("SQ-Q22", stage="house", house={"cover_in_cqb": "never"})
def cover_does_not_help(value: Cover, b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """House rule: nobody has cover in close quarters."""
    return "none"


class Striker(msgspec.Struct, frozen=True):
    """A unit that strikes, with its number of models at that moment."""

    unit: int
    models: int
    launchers: tuple[int, ...] = ()
    """Models with an anti-tank weapon that may be used now."""


# --- decisions -------------------------------------------------------------------------------------------------------


class ShareAmong(Action, frozen=True):
    """Share attacks among enemies: a number for each, in the order of the enemies."""

    attacks: tuple[int, ...]


class ShareAttacks(Offered, frozen=True, kw_only=True):
    """The owner of a unit shares its attacks among several enemies."""

    unit: int
    attacks: int
    targets: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQS-10", "SQ-Q25", "SQ-Q26")
    hint: ClassVar[str] = (
        "Every model strikes once, and the extra attacks may go anywhere. The dice are thrown when all are shared out."
    )

    def options(self, t: Firefight) -> Listed:
        count = len(self.targets)

        def uneven(shares: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
            return max(shares) - min(shares), tuple([-n for n in shares])

        ways = [ShareAmong(s) for s in sorted(shares(self.attacks, count), key=uneven)]
        return Listed(ways, partial(self._why_not, t), "SQ-CQS-10")

    def _why_not(self, t: Firefight, action: Any) -> Refusal | None:
        if not isinstance(action, ShareAmong):
            return None
        name, count, given = t.units[self.unit].name, len(self.targets), len(action.attacks)
        return (
            OTHER_ENEMIES.refuses(given != count, name=name, count=count, given=given)
            or BELOW_NOTHING.refuses(any(n < 0 for n in action.attacks))
            or OTHER_SUM.refuses(
                sum(action.attacks) != self.attacks, name=name, count=self.attacks, given=sum(action.attacks)
            )
        )

    def prompt(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'shares')} {quantity(self.attacks, 'attack')}: how many at each?"

    def offers(self, t: Firefight) -> list[Offer]:
        names = [t.units[u].name for u in self.targets]
        return [
            Offer(
                action=a,
                words=", ".join(f"{n} at {name}" for n, name in zip(a.attacks, names, strict=True)),
                unit=self.unit,
            )
            for a in self.options(t)
        ]


def shares(attacks: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to share attacks among some enemies.

    >>> list(shares(2, 2))
    [(2, 0), (1, 1), (0, 2)]
    """
    if count == 1:
        yield (attacks,)
        return
    for first in range(attacks, -1, -1):
        for rest in shares(attacks - first, count - 1):
            yield (first, *rest)


# --- events ----------------------------------------------------------------------------------------------------------


class MoreAttacks(Event, frozen=True):
    """A unit's extra attacks were rolled."""

    unit: int
    faces: tuple[int, ...]
    more: int
    attacks: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-08",)
    template = "{unit:has} {more:extra attack}, {attacks} in all"


class StruckByHand(Event, frozen=True):
    unit: int
    target: int
    faces: tuple[int, ...]
    before: tuple[int, ...]
    """Faces before 1s were rerolled; empty if none were."""
    needed: int
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-09",)
    about = ("unit", "target")
    shown = MotionOf("blow", target="target")

    def sentence(self, t: Firefight) -> str:
        rolled = " ".join(map(str, self.faces))
        names = t.units[self.unit].name, t.units[self.target].name
        return f"{does(names[0], 'strikes')} at {names[1]} on {self.needed}+: {rolled}: {quantity(self.hits, 'hit')}"

    def reading(self, t: Firefight) -> Reading:
        u = t.units[self.unit]
        chance = chance_of(self.needed, ones_are_thrown_again(t, u.traits))
        return Reading(
            words=f"{u.name}: close quarters",
            side=u.side,
            unit=self.unit,
            target=self.target,
            dice=dice_read(self.faces, self.needed, "hit", self.before),
            came=quantity(self.hits, "hit"),
            tallies=(tally(u.side, "hits", self.hits, binomial(len(self.faces), chance)),),
        )
