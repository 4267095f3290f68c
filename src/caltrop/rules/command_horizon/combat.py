"""The combat step and the damage allocation after it.

Reaction fire is declared before attacks are rolled. Attacks are then rolled in the order in which their targets were
named, and close combats follow. Damage of these attacks is applied in the last step, or after each attack by the house
rule `combat.simultaneity`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.asking import Act, Choices, Guards, OneOf, Pass, carried_out
from caltrop.chance import Dice
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    Refusal,
    Run,
    Sum,
    Term,
    ask,
    back,
    guard,
    rule,
    step,
)
from caltrop.picture import Motion
from caltrop.rules.command_horizon.aim import aim, can_fire
from caltrop.rules.command_horizon.attack import Attack, attack_dice
from caltrop.rules.command_horizon.close_combat import CombatRound, SecondRounds, combats, losses_come_first
from caltrop.rules.command_horizon.damage import DamageBatch, settle_drone
from caltrop.rules.command_horizon.reaction import (
    NOT_THE_TARGET,
    may_react,
    price_of_reaction,
    reaction_of,
    why_no_boosted_reaction,
    why_no_reaction,
)
from caltrop.rules.command_horizon.records import Answer, Battle, Order, of_dice
from caltrop.rules.command_horizon.shooting import attack_of, attack_with, most_boosts
from caltrop.rules.command_horizon.volley import Shot, Volley

ANSWERED = guard(("CH-RF-01", "Q-RF-2", "Q-RF-3"), "answered", "{unit} answers this attack already")
NO_SUCH_ATTACK = guard("CH-RF-01", "no-such-attack", "There is no such attack to answer")
REACT_OR_END = guard("Q-TARGET-3", "react-or-end", "Now you can only declare reaction fire")
RUSHED_ONCE = guard("Q-RUSH-3", "rushed-once", "A Rush is answered before contact, and not again in the combat step")
DRONE_NO_CP = guard(
    ("CH-DRONE-06", "CH-DRONE-08"), "drone-no-cp", "Reactivating the drone costs {price} CP, and you have {cp} left"
)
DRONE_NOT_DISABLED = guard(
    ("CH-DRONE-07", "CH-DRONE-06"),
    "drone-not-disabled",
    "The Shield Drone is {drone}, and only a disabled one comes back",
)


class Reactivation(Procedure):
    """The active side reactivates disabled Shield Drones."""

    side: int
    drones: tuple[int, ...] = ()

    @step("CH-DRONE-06", "CH-DRONE-08", "Q-DRONE-5", "Q-TARGET-3")
    def look_for_drones(self, t: Battle) -> None:
        """The active player may reactivate disabled Shield Drones before dice are rolled."""
        self.drones = tuple([u for u in t.in_play(self.side) if t.units[u].drone == "disabled"])

    @step("CH-DRONE-06", "CH-DRONE-07", "CH-DRONE-08")
    def offer_reactivation(self, t: Battle) -> Ask | Go | End:
        while self.drones:
            if why_no_reactivation(t, self.drones[0]) is None:
                return ask(ReactivateDrone(side=self.side, unit=self.drones[0]))
            self.drones = self.drones[1:]
        return self.after_drones()

    @step("CH-DRONE-06", "Q-DRONE-5")
    def reactivate(self, t: Battle, choice: Act) -> Go:
        """The drone protects its unit from now on."""
        choice.perform(t, self.drones[0])
        self.drones = self.drones[1:]
        return Go("offer_reactivation")

    def after_drones(self) -> Go | End:
        """Return the next step, when all drones have been dealt with."""
        return End()


class CombatStep(Reactivation):
    """The combat step: Shield Drones may be reactivated, then come shooting, reaction fire and close combat."""

    now: int = 0
    """Index of the order being carried out."""
    waiting: tuple[tuple[int, ...], ...] = ()
    """Close combats that are still to be fought."""

    def after_drones(self) -> Go:
        return Go("offer_reactions")

    @step("CH-RF-01", "CH-RF-06", "Q-RF-2", "Q-RF-5", "Q-TARGET-3")
    def offer_reactions(self, t: Battle) -> Ask | Go:
        if attacks_to_answer(t, 1 - self.side):
            return ask(Reactions(side=1 - self.side))
        return Go("next_attack")

    @step("CH-RF-01", "CH-COST-15", "CH-COST-20", "Q-RF-1", "Q-RF-7")
    def declare_reaction(self, t: Battle, choice: Act) -> Run | Go | End:
        """Reaction fire is free. A boost is paid for with saved points."""
        return carried_out(choice, t, self.side) or Go("offer_reactions")

    @step("CH-TURN-11", "CH-TURN-10", "CH-RF-11", "Q-SEQ-4", "Q-ART-1", "Q-TARGET-2", "CH-RUSH-05")
    def next_attack(self, t: Battle) -> Run | Go:
        while self.now < len(t.orders):
            index, order = self.now, t.orders[self.now]
            if order.done or order.spot is not None:
                self.now += 1
                continue
            t.orders[index] = replace(order, done=True)
            if t.units[order.unit].models and t.units[order.target].models:
                attack = attack_of(t, order)
                if attack_dice(t, attack).total:
                    shots = [Shot(order.unit, order.target, attack, order.only)]
                    for answer in t.answers_declared:
                        if answer.order == index and t.units[answer.unit].models:
                            reply = answer_of(t, answer, order.unit)
                            if attack_dice(t, reply).total:
                                shots.append(Shot(answer.unit, order.unit, reply))
                    return Run(Volley(shots=tuple(shots)))
            t.tell(AttackLost(unit=order.unit, target=order.target))
            self.now += 1
        self.waiting = combats(t)
        return Go("next_combat")

    @step("Q-SEQ-2")
    def hurt_at_once(self, t: Battle) -> Run | Go:
        """House rule: the damage of an attack is applied before the next attack."""
        self.now += 1
        return Go("next_attack") if damage_waits(t) else Run(DamageBatch())

    after_damage = back("next_attack", "Q-SEQ-2")

    @step("CH-TURN-12", "CH-CC-02", "CH-CC-06", "Q-SEQ-4")
    def next_combat(self, t: Battle) -> Run | End:
        if not self.waiting:
            return End()
        combat, self.waiting = self.waiting[0], self.waiting[1:]
        return Run(CombatRound(combat=combat))

    @step("Q-SEQ-2")
    def hurt_in_combat(self, t: Battle) -> Run | Go:
        """House rule: the damage of a close combat is applied before the next one."""
        return Go("next_combat") if damage_waits(t) else Run(DamageBatch())

    after_combat = back("next_combat", "Q-SEQ-2")


class DamageAllocation(Procedure):
    """The last step: the damage of the combat step is applied, and then second rounds are fought."""

    side: int

    @step("Q-FTTD-3")
    def fight_on_first(self, t: Battle) -> Run | None:
        """House rule: second rounds are fought before any losses are removed."""
        return None if losses_come_first(t) else Run(SecondRounds(side=self.side))

    @step("CH-TURN-13", "CH-TURN-14", "Q-SEQ-2", "Q-SEQ-3")
    def apply(self, t: Battle) -> Run:
        """All stuns and kills are applied together."""
        return Run(DamageBatch())

    @step("CH-FTTD-01", "Q-FTTD-3", "Q-SEQ-4")
    def fight_to_the_death(self, t: Battle) -> Run | None:
        """Second rounds of close combat follow after the losses."""
        return Run(SecondRounds(side=self.side)) if losses_come_first(t) else None


# --- the Shield Drone ------------------------------------------------------------------------------------------------


@rule("CH-DRONE-06", "CH-DRONE-08", "CH-COST-19", "Q-DRONE-5", stages=("house",))
def price_of_drone(t: Battle) -> int:
    """The reactivation of a disabled Shield Drone costs 2 CP."""
    return 2


@price_of_drone.amended_by("Q-DRONE-5", "CH-COST-19", stage="house", house={"drone.price": 1})
def the_price_list_counts(price: int, t: Battle) -> int:
    """House rule: the reactivation costs 1 CP, as in the price list of v1.5."""
    return 1


@rule("CH-DRONE-08", "Q-DRONE-5", stages=("house",))
def drones_wake_early(t: Battle) -> bool:
    """Drones are reactivated only in the combat step."""
    return False


@drones_wake_early.amended_by("CH-DRONE-08", "Q-DRONE-5", stage="house", house={"v15.droneWakes": "turn"})
def drones_wake_in_the_whole_turn(early: bool, t: Battle) -> bool:
    """House rule: drones may also be reactivated at the beginning of their owner's turn, before any unit moves."""
    return True


def why_no_reactivation(t: Battle, unit: int) -> Refusal | None:
    u = t.units[unit]
    price, cp = price_of_drone(t), t.armies[u.side].cp
    return DRONE_NOT_DISABLED.refuses(u.drone != "disabled", drone=u.drone or "none") or DRONE_NO_CP.refuses(
        cp < price, price=price, cp=cp
    )


@rule("CH-RF-01", "Q-RF-2", stages=("house",))
def may_answer(t: Battle, unit: int, order: Order) -> bool:
    """Only the unit that is attacked may answer with reaction fire."""
    return unit == order.target


@may_answer.amended_by("Q-RF-2", stage="house", house={"rf.who": "any"})
def anybody_may_answer(may: bool, t: Battle, unit: int, order: Order) -> bool:
    """House rule: any unit with the attacker in range and sight may answer, once for each attack."""
    return t.units[unit].side != t.units[order.unit].side


def why_no_answer(t: Battle, side: int, action: React) -> Refusal | None:
    if not 0 <= action.order < len(t.orders) or not 0 <= action.unit < len(t.units):
        return NO_SUCH_ATTACK.refuses(True)
    order, u = t.orders[action.order], t.units[action.unit]
    attacker, own = t.called(order.unit), t.called(action.unit)
    refusal = (
        NO_SUCH_ATTACK.refuses(order.done or order.spot is not None or not t.units[order.unit].models)
        or NOT_THE_TARGET.refuses(
            u.side != side or not u.models or not may_answer(t, action.unit, order),
            unit=own,
            target=attacker,
        )
        or RUSHED_ONCE.refuses(order.rush)
        or ANSWERED.refuses(
            any(a.unit == action.unit and a.order == action.order for a in t.answers_declared),
            unit=own,
        )
    )
    return (
        refusal
        or why_no_reaction(t, action.unit, order.unit)
        or why_no_boosted_reaction(t, action.unit, order.unit, action.boost)
    )


def attacks_to_answer(t: Battle, side: int) -> list[tuple[int, int]]:
    attacks = []
    answered = [(a.unit, a.order) for a in t.answers_declared]
    for index, order in enumerate(t.orders):
        if order.done or order.rush or order.spot is not None or not t.units[order.unit].models:
            continue
        for unit in t.in_play(side) if t.book.rules["rf.who"] == "any" else (order.target,):
            open_ = t.units[unit].models and (unit, index) not in answered and may_answer(t, unit, order)
            if open_ and may_react(t, unit, order.unit):
                attacks.append((unit, index))
    return attacks


def answer_of(t: Battle, answer: Answer, target: int) -> Attack:
    """Return the attack for declared reaction fire, with the models that could fire when it was declared."""
    models = [m for m in answer.models if t.models[m].alive and can_fire(t, m)]
    return attack_with(
        t,
        answer.unit,
        target,
        "reaction-fire",
        models,
        cover=answer.cover,
        obstructed=answer.obstructed,
        boosts=answer.boost,
    )


@rule("CH-TURN-13", "CH-TURN-14", "Q-SEQ-2", stages=("house",))
def damage_waits(t: Battle) -> bool:
    """The damage of all attacks of the combat step waits for the last step, because they are simultaneous."""
    return True


@damage_waits.amended_by("Q-SEQ-2", stage="house", house={"combat.simultaneity": "attack"})
def attacks_hurt_at_once(waits: bool, t: Battle) -> bool:
    """House rule: the damage of each attack and its reaction fire is applied before the next attack."""
    return False


# --- decisions -------------------------------------------------------------------------------------------------------


class Reactivate(Act, frozen=True):
    words = "Reactivate the Shield Drone"
    context = ("unit",)
    guards = Guards(why_no_reactivation)

    @staticmethod
    def price(t: Battle) -> Sum:
        return (Term(price_of_drone(t), "CH-DRONE-06", "reactivating the Shield Drone"),)

    def perform(self, t: Battle, by: int) -> None:
        t.pay(t.units[by].side, self.price(t), by)
        settle_drone(t, by, "active")


class LeaveDisabled(Pass, frozen=True):
    """Leave the Shield Drone disabled."""

    words = "Leave it disabled"
    context = ("unit",)


class ReactivateDrone(OneOf, frozen=True, kw_only=True):
    """The owner chooses whether to reactivate a disabled Shield Drone."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DRONE-06", "CH-DRONE-08", "Q-DRONE-5")
    hint: ClassVar[str] = (
        "An active drone ignores every stun, and in the current edition single 6s as well. "
        "It comes back before any dice of this step are rolled."
    )

    clause = "CH-DRONE-06"
    acts = (LeaveDisabled, Reactivate)

    def prompt(self, t: Battle) -> str:
        return f"Reactivate the Shield Drone of {t.called(self.unit)}?"


def _refused(t: Battle, side: int, unit: int, order: int, boost: int) -> Refusal | None:
    return why_no_answer(t, side, React(unit, order, boost))


class React(Act, frozen=True):
    """Answer an attack with reaction fire."""

    unit: int
    order: int
    """Index of the attack among the orders."""
    boost: int = 0

    words = "Answer {attacker} with {dice}{boosted}"
    group = "{name}"
    says: ClassVar[Mapping[str, Any]] = {
        "name": lambda t, unit: t.called(unit),
        "attacker": lambda t, order: t.called(t.orders[order].unit),
        "dice": lambda t, unit, order, boost: of_dice(
            attack_dice(t, reaction_of(t, unit, t.orders[order].unit, boost)).total
        ),
        "boosted": lambda boost: ", boosted" * bool(boost),
    }
    near = (("unit", "order"), ("unit",))
    guards = Guards(_refused)

    @staticmethod
    def price(boost: int) -> Sum:
        return price_of_reaction(boost)

    @staticmethod
    def aim(t: Battle, order: int) -> int:
        return t.orders[order].unit

    @classmethod
    def every(cls, o: Any, **fixed: Any) -> Iterator[React]:
        """Yield reaction fire against each attack, with every boost that the side can pay for."""
        t, side = o.t, o.side
        for unit, order in attacks_to_answer(t, side):
            if unit == fixed.get("unit", unit) and order == fixed.get("order", order):
                yield React(unit, order)
                for boost in range(1, most_boosts(t, side) + 1):
                    if why_no_boosted_reaction(t, unit, t.orders[order].unit, boost) is None:
                        yield React(unit, order, boost)

    def perform(self, t: Battle, by: int) -> None:
        attacker = t.orders[self.order].unit
        u = t.units[self.unit]
        t.pay(u.side, price_of_reaction(self.boost), self.unit)
        sight = aim(t, self.unit, attacker)
        answer = Answer(
            unit=self.unit,
            order=self.order,
            boost=self.boost,
            models=sight.models,
            cover=sight.cover,
            obstructed=sight.obstructed,
        )
        t.answers_declared.append(answer)
        t.change(self.unit, reacted=u.reacted + 1)
        t.tell(ReactionDeclared(answer=answer, target=attacker))


class EndReactions(Act, frozen=True):
    """Declare no further reaction fire."""

    words = "No {more}reaction fire"
    says: ClassVar[Mapping[str, Any]] = {"more": lambda t: "more " if t.answers_declared else ""}
    final = True

    def perform(self, t: Battle, by: int) -> Go:
        return Go("next_attack")


class _AnswerChoices(Choices):
    """Attacks that can be answered, and the option to end."""

    acts = (EndReactions, React)
    unknown = REACT_OR_END

    def sample(self, dice: Dice) -> React | EndReactions:
        t = self.t
        able = attacks_to_answer(t, self.side)
        which = dice.below(len(able) + 1)
        if which == len(able):
            return EndReactions()
        unit, order = able[which]
        bold = t.armies[self.side].cp > 0 and dice.below(2) == 1
        if bold and why_no_boosted_reaction(t, unit, t.orders[order].unit, 1) is None:
            return React(unit, order, 1)
        return React(unit, order)


class Reactions(OneOf, frozen=True, kw_only=True):
    """The attacked side chooses which unit answers which attack with reaction fire."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-RF-01", "CH-RF-06", "Q-RF-2", "Q-RF-5", "Q-TARGET-3")
    occasion: ClassVar[str] = "when the enemy has named targets"
    hint: ClassVar[str] = (
        "A unit that is fired at may answer with half its dice, for free and simultaneously: losses of this attack do "
        "not weaken it. A boost costs 1 saved CP."
    )

    menu = _AnswerChoices

    def prompt(self, t: Battle) -> str:
        return f"{t.armies[self.side].name}: answer attacks with reaction fire? ({t.armies[self.side].cp} CP saved)"


# --- events ----------------------------------------------------------------------------------------------------------


class ReactionDeclared(Event, frozen=True):
    answer: Answer
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-RF-01", "Q-TARGET-3")

    def sentence(self, t: Battle) -> str:
        boosted = ", boosted" if self.answer.boost else ""
        return f"{t.called(self.answer.unit)} will answer {t.called(self.target)}{boosted}"

    def touches(self) -> tuple[int, ...]:
        return (self.answer.unit, self.target)

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="reaction", unit=self.answer.unit, target=self.target)


class AttackLost(Event, frozen=True):
    """A declared attack was lost because the target, or all models of the attacker, were gone."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-2",)

    def sentence(self, t: Battle) -> str:
        return f"The attack of {t.called(self.unit)} on {t.called(self.target)} is lost"
