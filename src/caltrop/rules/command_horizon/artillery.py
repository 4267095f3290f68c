"""The artillery step: it fires before everything else, and its damage is applied in full.

Putredine artillery shoots infantry instead of shells: bases that land beside the target, or attach to it. Its Pod
launcher shoots at a spot on the ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import FACES, Dice, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Options,
    Procedure,
    Refusal,
    Run,
    Sum,
    Throw,
    ask,
    rule,
    step,
    total,
)
from caltrop.picture import Motion
from caltrop.rules.command_horizon.attack import Attack, Target, attack_dice
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.putredine import bases_from
from caltrop.rules.command_horizon.records import Order, of_dice
from caltrop.rules.command_horizon.shooting import (
    arms_of,
    attack_of,
    best_sighter,
    can_fire,
    settled,
    why_no_order,
)
from caltrop.rules.command_horizon.spawn import Appear
from caltrop.rules.command_horizon.volley import Resolved, Shot, Volley
from caltrop.rules.command_horizon.worms import AttachWorms


class PodShot(Procedure):
    """A Pod launcher fires at a spot."""

    order: Order
    count: int = 0

    @step("CH-POD-01", "CH-POD-03", "Q-SLUG-2")
    def throw(self, t: Battle) -> Throw:
        """The usual Attack Dice; spawn dice are not rerolled."""
        dice = attack_dice(t, pod_attack(t, self.order)).total
        return Throw(Pool(dice), reads=FACES, side=t.units[self.order.unit].side, words="Pod launcher")

    @step("CH-POD-03", "CH-POD-04", "CH-POD-05", "CH-POD-06", "Q-SPAWN-3")
    def land(self, t: Battle, roll: Roll) -> Run | End:
        """Each die brings bases as in Infestation: the first on the spot, the others behind it."""
        bases = sum([bases_from(t, face) for face in roll])
        if t.told is not None:
            terms = attack_dice(t, pod_attack(t, self.order)).parts
            t.tell(PodsLanded(unit=self.order.unit, terms=terms, faces=roll, bases=bases))
        if not bases:
            return End()
        side = t.units[self.order.unit].side
        return Run(Appear(side=side, count=bases, why="Pod launcher", spot=self.order.spot, pod=True))


class ArtilleryStep(Procedure):
    """Artillery fires, attack by attack, and its damage is one batch before all other attacks."""

    side: int
    now: int = 0

    @step("CH-TURN-09", "CH-ART-09", "CH-ART-08", "Q-SEQ-3")
    def next_attack(self, t: Battle) -> Run | Go:
        """Artillery orders are carried out in the order in which they were given, and nobody answers them."""
        while self.now < len(t.orders):
            order = t.orders[self.now]
            self.now += 1
            if not order.artillery or order.done:
                continue
            t.orders[self.now - 1] = replace(order, done=True)
            if order.spot is not None:
                return Run(PodShot(order=order))
            if t.units[order.target].models:
                attack = attack_of(t, order)
                if attack_dice(t, attack).total:
                    shot = Shot(order.unit, order.target, attack, order.only)
                    return Run(ShellOrSeed(shot=shot))
            t.tell(ShotLost(unit=order.unit, target=order.target))
        return Go("apply_damage")

    @step("CH-TURN-09")
    def and_the_next(self, t: Battle) -> Go:
        """One attack after another."""
        return Go("next_attack")

    @step("CH-TURN-09", "CH-ART-09", "Q-SEQ-3", "Q-RF-4")
    def apply_damage(self, t: Battle) -> Run:
        """Its damage is applied in full: victims neither attack nor react later in the turn."""
        self.now = 0
        return Run(DamageBatch())

    @step("Q-TARGET-2")
    def offer_new_target(self, t: Battle) -> Ask | End:
        """With the house rule, a unit whose target is gone names another."""
        while may_redirect(t) and self.now < len(t.orders):
            order = t.orders[self.now]
            gone = not order.done and not order.rush and order.target >= 0 and not t.units[order.target].models
            if gone and isinstance(_NewTargets(t, order).first(), NewTarget):
                return ask(Redirect(side=self.side, order=self.now))
            self.now += 1
        return End()

    @step("Q-TARGET-2")
    def redirect(self, t: Battle, choice: NewTarget | NoTarget) -> Go:
        """Nothing more is paid."""
        if isinstance(choice, NewTarget):
            order = settled(t, redirected(t, t.orders[self.now], choice.target))
            t.orders[self.now] = order
            t.tell(Redirected(unit=order.unit, target=order.target))
        self.now += 1
        return Go("offer_new_target")


class ShellOrSeed(Procedure):
    """One artillery attack at a unit; living ammunition lands beside it or attaches to it."""

    shot: Shot
    worms: int = 0

    @step("CH-ART-02", "CH-PART-01")
    def fire(self, t: Battle) -> Run:
        """It is rolled like any attack, on artillery's own tables."""
        return Run(Volley(shots=(self.shot,)))

    @step("CH-PART-04", "CH-PART-06", "Q-PART-2", "Q-PART-3", "Q-SPAWN-3")
    def land(self, t: Battle, resolved: tuple[Resolved, ...]) -> Run | None:
        """The bases of one roll appear as one group, 1 cm from the target; a base that kills is spent."""
        hits = resolved[0].hits
        self.worms = hits.worms
        side = t.units[self.shot.shooter].side
        if not hits.bases:
            return None
        return Run(Appear(side=side, count=hits.bases, why="Putredine artillery", target=self.shot.target))

    @step("CH-PART-05", "CH-WORM-01", "Q-WORM-1", "Q-WORM-8")
    def attach(self, t: Battle) -> Run | End:
        """Bases that hit a vehicle become Worm Tokens at once; markers are looked at when the step's damage is."""
        if not self.worms:
            return End()
        side = t.units[self.shot.shooter].side
        return Run(AttachWorms(side=side, unit=self.shot.target, count=self.worms, waits=True))


@rule("CH-POD-03", "CH-PART-02", "Q-PART-1")
def pod_attack(t: Battle, order: Order) -> Attack:
    """A Pod launcher rolls the unit's usual Attack Dice, at nobody."""
    u = t.units[order.unit]
    army = t.armies[u.side].army
    return Attack(
        mode="artillery",
        army=army,
        kind=u.kind,
        arms=arms_of(t, [m for m in u.models if can_fire(t, m)]),
        target=Target(army, u.kind, 1),
        stuns=u.stuns,
        bases=len(u.models),
        starting=u.starting,
        boosts=order.boost,
    )


def redirected(t: Battle, order: Order, target: int) -> Order:
    """The same order at another target, as range and sight say now; it is paid for already."""
    sighter = best_sighter(t, order.unit, target) if order.artillery else -1
    return replace(
        order,
        target=target,
        sighter=sighter,
        exposed=False,
        ranged_in=False,
        models=(),
        cover=0,
        obstructed=0,
        only=(),
        done=False,
    )


@rule("CH-TURN-08", "Q-TARGET-2", stages=("house",))
def may_redirect(t: Battle) -> bool:
    """A target that falls to the artillery is not replaced: the attack is lost, and what it cost stays spent."""
    return False


@may_redirect.amended_by("Q-TARGET-2", stage="house", house={"target.redirect": "yes"})
def a_new_target_may_be_named(may: bool, t: Battle) -> bool:
    """House rule: a new target in range and sight is named after the artillery damage."""
    return True


# --- what is asked ---------------------------------------------------------------------------------------------------


class NewTarget(Action, frozen=True):
    """Fire at this enemy unit instead."""

    target: int


class NoTarget(Action, frozen=True):
    """Let the attack go."""


class _NewTargets(Options):
    """Enemies that the unit can fire at instead."""

    __slots__ = ("order", "t")

    def __init__(self, t: Battle, order: Order) -> None:
        self.t, self.order = t, order

    def refusal(self, action: Any) -> Refusal | None:
        """Why not this one."""
        t = self.t
        if isinstance(action, NoTarget):
            return None
        if not isinstance(action, NewTarget):
            return Refusal(
                code="new-target", clause="Q-TARGET-2", message="Name a new target, or none", nearest=NoTarget()
            )
        if not 0 <= action.target < len(t.units):
            return Refusal(code="no-enemy", clause="CH-FIRE-01", message="There is no such unit", nearest=NoTarget())
        found = why_no_order(t, redirected(t, self.order, action.target))
        return None if found is None else found.towards(self.first())

    def __iter__(self) -> Iterator[NewTarget | NoTarget]:
        for enemy in self.t.enemies(self.t.units[self.order.unit].side):
            if why_no_order(self.t, redirected(self.t, self.order, enemy)) is None:
                yield NewTarget(enemy)
        yield NoTarget()

    def sample(self, dice: Dice) -> NewTarget | NoTarget:
        """One of them, each as likely as the others."""
        every = tuple(self)
        return every[dice.below(len(every))]


class Redirect(Offered, frozen=True, kw_only=True):
    """What does a unit fire at whose target fell to the artillery?"""

    order: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)
    hint: ClassVar[str] = "Its target is gone. A new one in range and sight costs nothing more."

    def options(self, t: Battle) -> _NewTargets:
        """Every enemy in range and sight."""
        return _NewTargets(t, t.orders[self.order])

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"The target of {t.called(t.orders[self.order].unit)} is gone: which enemy is fired at instead?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Each enemy, and none."""
        unit = t.orders[self.order].unit
        return tuple(
            Offer(action=a, words=f"Fire at {t.called(a.target)}", unit=unit, target=a.target)
            if isinstance(a, NewTarget)
            else Offer(action=a, words="Let the attack go", unit=unit, final=True)
            for a in self.options(t)
        )


# --- what is told ----------------------------------------------------------------------------------------------------


class PodsLanded(Event, frozen=True):
    """A Pod launcher has fired at a spot."""

    unit: int
    terms: Sum
    faces: Roll
    bases: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-POD-01", "CH-POD-03")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("orders", "unit", "unit"),)

    def sentence(self, t: Battle) -> str:
        """The dice, and what comes of them."""
        return (
            f"{t.does(self.unit, 'launches')} pods with {of_dice(total(self.terms))}: "
            f"{' '.join(map(str, self.faces))}: {quantity(self.bases, 'base')}"
        )


class ShotLost(Event, frozen=True):
    """An artillery attack comes to nothing: its target is gone already."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)

    def sentence(self, t: Battle) -> str:
        """Which attack."""
        return f"The fire of {t.called(self.unit)} at {t.called(self.target)} is lost"


class Redirected(Event, frozen=True):
    """A unit whose target fell to artillery has named another."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)

    def sentence(self, t: Battle) -> str:
        """The unit, and its new target."""
        return f"{t.does(self.unit, 'fires')} at {t.called(self.target)} instead"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)

    def motion(self, t: Battle) -> Motion:
        """At which unit now."""
        return Motion(sort="aim", unit=self.unit, target=self.target)
