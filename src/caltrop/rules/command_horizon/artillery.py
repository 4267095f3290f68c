"""The artillery step: artillery fires before all other units, and its damage is applied in full.

Putredine artillery shoots infantry bases, which land beside the target or attach to it. Artillery with a Pod launcher
may fire at a spot on the ground.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, OneOf, Pass, Pick
from caltrop.chance import FACES, Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Sum,
    Throw,
    ask,
    back,
    guard,
    rule,
    step,
    total,
)
from caltrop.rules.command_horizon.aim import can_fire
from caltrop.rules.command_horizon.attack import Attack, Target, attack_dice
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.putredine import bases_from
from caltrop.rules.command_horizon.reach import called
from caltrop.rules.command_horizon.records import Battle, Order, of_dice
from caltrop.rules.command_horizon.shooting import arms_of, attack_of, best_sighter, settled, why_no_order
from caltrop.rules.command_horizon.spawn import Appear
from caltrop.rules.command_horizon.volley import Resolved, Shot, Volley
from caltrop.rules.command_horizon.worms import AttachWorms

NAME_ANOTHER = guard("Q-TARGET-2", "new-target", "Name a new target, or none")
NO_ENEMY = guard("CH-FIRE-01", "no-enemy", "There is no such unit")


class PodShot(Procedure):
    """A Pod launcher fires at a spot on the ground."""

    order: Order
    count: int = 0

    @step("CH-POD-01", "CH-POD-03", "Q-SLUG-2")
    def throw(self, t: Battle) -> Throw:
        """The unit with the Pod launcher rolls its usual Attack Dice at a spot on the ground, without rerolls."""
        dice = attack_dice(t, pod_attack(t, self.order)).total
        return Throw(Pool(dice), reads=FACES, side=t.units[self.order.unit].side, words="Pod launcher")

    @step("CH-POD-03", "CH-POD-04", "CH-POD-05", "CH-POD-06", "Q-SPAWN-3")
    def land(self, t: Battle, roll: Roll) -> Run | End:
        """Each die brings bases as for Infestation. The first base is placed on the spot, the others behind it."""
        bases = sum([bases_from(t, face) for face in roll])
        if t.told is not None:
            terms = attack_dice(t, pod_attack(t, self.order)).parts
            t.tell(PodsLanded(unit=self.order.unit, terms=terms, faces=roll, bases=bases))
        if not bases:
            return End()
        side = t.units[self.order.unit].side
        return Run(Appear(side=side, count=bases, why="Pod launcher", spot=self.order.spot, pod=True))


class ArtilleryStep(Procedure):
    """Artillery makes its attacks one after another. Damage of all artillery is applied together, before all other
    attacks.
    """

    side: int
    now: int = 0

    @step("CH-TURN-09", "CH-ART-09", "CH-ART-08", "Q-SEQ-3")
    def next_attack(self, t: Battle) -> Run | Go:
        """Artillery orders are carried out in the order in which they were given. Artillery draws no reaction fire."""
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

    and_the_next = back("next_attack", "CH-TURN-09")

    @step("CH-TURN-09", "CH-ART-09", "Q-SEQ-3", "Q-RF-4")
    def apply_damage(self, t: Battle) -> Run:
        """The damage of the step is applied. Destroyed units neither attack nor react later in the turn."""
        self.now = 0
        return Run(DamageBatch())

    @step("Q-TARGET-2")
    def offer_new_target(self, t: Battle) -> Ask | End:
        """House rule: a unit whose target is gone may choose another target."""
        while may_redirect(t) and self.now < len(t.orders):
            order = t.orders[self.now]
            gone = not order.done and not order.rush and order.target >= 0 and not t.units[order.target].models
            redirect = Redirect(side=self.side, order=self.now)
            if gone and redirect.options(t).several():
                return ask(redirect)
            self.now += 1
        return End()

    @step("Q-TARGET-2")
    def redirect(self, t: Battle, choice: Act) -> Go:
        choice.perform(t, self.now)
        self.now += 1
        return Go("offer_new_target")


class ShellOrSeed(Procedure):
    """An artillery attack at a unit. Infantry bases used as shells land beside the target or attach to it."""

    shot: Shot
    worms: int = 0

    @step("CH-ART-02", "CH-PART-01")
    def fire(self, t: Battle) -> Run:
        """A shot or seed is rolled like any other attack, on artillery's own tables."""
        return Run(Volley(shots=(self.shot,)))

    @step("CH-PART-04", "CH-PART-06", "Q-PART-2", "Q-PART-3", "Q-SPAWN-3")
    def land(self, t: Battle, resolved: tuple[Resolved, ...]) -> Run | None:
        """The bases of one roll appear as one group, 1 cm from the target. Bases that kill are used up."""
        hits = resolved[0].hits
        self.worms = hits.worms
        side = t.units[self.shot.shooter].side
        if not hits.bases:
            return None
        return Run(Appear(side=side, count=hits.bases, why="Putredine artillery", target=self.shot.target))

    @step("CH-PART-05", "CH-WORM-01", "Q-WORM-1", "Q-WORM-8")
    def attach(self, t: Battle) -> Run | End:
        """Bases that hit a vehicle become Worm Tokens at once.

        Stun markers are compared with the remaining models when the damage of the step is applied.
        """
        if not self.worms:
            return End()
        side = t.units[self.shot.shooter].side
        return Run(AttachWorms(side=side, unit=self.shot.target, count=self.worms, waits=True))


@rule("CH-POD-03", "CH-PART-02", "Q-PART-1")
def pod_attack(t: Battle, order: Order) -> Attack:
    """A Pod launcher rolls the unit's usual Attack Dice, without a target."""
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
    """Return an order with another target, and with the present range and sight. The new shot is already paid for."""
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
    return False


@may_redirect.amended_by("Q-TARGET-2", stage="house", house={"target.redirect": "yes"})
def a_new_target_may_be_named(may: bool, t: Battle) -> bool:
    """House rule: after the artillery damage, a new target in range and sight may be chosen."""
    return True


# --- decisions -------------------------------------------------------------------------------------------------------


def _refused(t: Battle, order: int, target: int) -> Refusal | None:
    return why_no_order(t, redirected(t, t.orders[order], target))


def _gunner(t: Battle, order: int) -> int:
    return t.orders[order].unit


class NewTarget(Act, frozen=True):
    """Fire at another enemy unit."""

    target: Annotated[int, Pick(lambda t, side: t.enemies(side), NO_ENEMY, called, lambda t: range(len(t.units)))]

    words = "Fire at {target}"
    context = ("order",)
    actor = _gunner
    aim = "target"
    guards = Guards(_refused)

    def perform(self, t: Battle, by: int) -> None:
        order = settled(t, redirected(t, t.orders[by], self.target))
        t.orders[by] = order
        t.tell(Redirected(unit=order.unit, target=order.target))


class NoTarget(Pass, frozen=True):
    """Give up the artillery attack."""

    words = "Let the attack go"
    context = ("order",)
    actor = _gunner
    final = True


class NewTargets(Choices):
    """The enemies that a unit can fire at in place of its lost target, and the option to give up the attack."""

    acts = (NewTarget, NoTarget)
    unknown = NAME_ANOTHER


class Redirect(OneOf, frozen=True, kw_only=True):
    """The owner chooses a new target for a unit whose target was destroyed by artillery."""

    order: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)
    hint: ClassVar[str] = "The target is gone. A new target in range and sight costs no more points."

    menu = NewTargets

    def prompt(self, t: Battle) -> str:
        return f"The target of {t.called(t.orders[self.order].unit)} is gone: which enemy is fired at instead?"


# --- events ----------------------------------------------------------------------------------------------------------


class PodsLanded(Event, frozen=True):
    """A Pod launcher fired at a spot."""

    unit: int
    terms: Sum
    faces: Roll
    bases: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-POD-01", "CH-POD-03")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("orders", "unit", "unit"),)

    def sentence(self, t: Battle) -> str:
        return (
            f"{t.does(self.unit, 'launches')} pods with {of_dice(total(self.terms))}: "
            f"{' '.join(map(str, self.faces))}: {quantity(self.bases, 'base')}"
        )


class ShotLost(Event, frozen=True):
    """An artillery attack was lost because its target was gone."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)

    def sentence(self, t: Battle) -> str:
        return f"The fire of {t.called(self.unit)} at {t.called(self.target)} is lost"


class Redirected(Event, frozen=True):
    """A unit whose target was destroyed by artillery chose another target."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)
    template = "{unit:fires} at {target} instead"
    about = ("unit", "target")
    shown = MotionOf("aim", target="target")
