"""Close combat in the combat step: enemies are named, rounds are fought, and a second round may follow.

Units linked by locks form one combat (Q-CC-8). In a round, all units of a combat attack at the same time. Locks are set
by charges, and end by losses and by disengaging. Models do not move between rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.asking import Act, Guards, OneOf, Pick, carried_out
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
    agreeing,
    ask,
    guard,
    rule,
    step,
)
from caltrop.rules.command_horizon.attack import Attack, attack_dice, may_attack, mode_of_round
from caltrop.rules.command_horizon.attack.legality import NO_SUCH_BOOST
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.reach import called
from caltrop.rules.command_horizon.records import Battle, Naming, of_dice
from caltrop.rules.command_horizon.shooting import attack_with, most_boosts
from caltrop.rules.command_horizon.volley import Shot, Volley

NOT_LOCKED_WITH = guard(
    ("CH-CC-04", "Q-CC-4", "Q-CC-8"), "not-locked-with", "{unit:is} not locked with {enemy} and cannot attack it"
)
BOOST_NOT_NOW = guard(
    ("Q-DICE-5", "CH-MOVE-04"), "boost-not-now", "Only the active player's units that stood still can be boosted here"
)
NO_CP = guard(("CH-COST-13", "CH-COST-16"), "no-cp", "That costs {price} CP, and you have {cp} left")


class NameEnemies(Procedure):
    """Every locked unit names the enemy that it attacks; the active player's units are first."""

    side: int
    """Number of the active side."""
    units: tuple[int, ...] = ()
    """Units that name an enemy; empty for all locked units."""
    number: int = 1
    waiting: tuple[int, ...] = ()

    @step("CH-CC-01", "CH-CC-06", "Q-CC-1")
    def gather(self, t: Battle) -> None:
        for unit in t.in_play(self.side):
            u = t.units[unit]
            if has_charged(t, unit) and u.locked and u.charged != u.locked:
                t.change(unit, charged=u.locked)
        units = [u for u in (self.units or tuple(t.in_play())) if t.units[u].models and foes(t, u)]
        self.waiting = tuple(sorted(units, key=lambda u: (t.units[u].side != self.side, u)))
        if self.number > 1:
            t.namings[:] = [n for n in t.namings if n.unit not in self.waiting]

    @step("CH-CC-04", "Q-TARGET-3")
    def offer_enemies(self, t: Battle) -> Ask | Go | End:
        if not self.waiting:
            return End()
        unit = self.waiting[0]
        enemies = foes(t, unit)
        if len(enemies) > 1 or why_no_blow(t, unit, Name(enemies[0], 1), self.number) is None:
            return ask(NameEnemy(side=t.units[unit].side, unit=unit, number=self.number))
        t.namings.append(Naming(unit, enemies[0]))
        self.waiting = self.waiting[1:]
        return Go("offer_enemies")

    @step("CH-CC-04", "Q-DICE-5")
    def name(self, t: Battle, choice: Name) -> Go:
        unit, self.waiting = self.waiting[0], self.waiting[1:]
        if choice.boost:
            price = (Term(choice.boost, "Q-DICE-5", "boosted close combat"),)
            t.pay(t.units[unit].side, price, unit)
        t.namings.append(Naming(unit, choice.enemy, choice.boost))
        t.tell(EnemyNamed(unit=unit, enemy=choice.enemy, boost=choice.boost))
        return Go("offer_enemies")


class CombatRound(Procedure):
    """A round of a close combat: all its units roll together, and their wounds are recorded."""

    combat: tuple[int, ...]
    number: int = 1

    @step("CH-CC-02", "CH-CC-03", "CH-TURN-12", "CH-COST-21", "CH-DEF-01")
    def fight(self, t: Battle) -> Run | End:
        """Both players roll Attack Dice, then both roll Defence Dice. A round costs no CP."""
        shots = blows(t, self.combat, self.number)
        return Run(Volley(shots=shots)) if shots else End()


class SecondRounds(Procedure):
    """After the losses of the first round, each close combat that is still locked may have a second round."""

    side: int
    waiting: tuple[tuple[int, ...], ...] = ()

    @step("CH-FTTD-01", "Q-FTTD-3")
    def gather(self, t: Battle) -> None:
        """A second round is possible for the combats that remain after the losses of the first."""
        self.waiting = tuple([c for c in combats(t) if may_fight_on(t, c)])

    @step("CH-FTTD-01", "CH-FTTD-05", "CH-COST-13", "Q-FTTD-2")
    def offer_second_round(self, t: Battle) -> Ask | End:
        """The attacking player decides for each combat whether a second round is fought."""
        if not self.waiting or t.armies[self.side].cp < 1:
            return End()
        return ask(FightToTheDeath(side=self.side, combat=self.waiting[0]))

    @step("CH-COST-13", "CH-FTTD-02")
    def pay(self, t: Battle, choice: Act) -> Run | Go | End | None:
        """A second round costs 1 CP, and the units name their enemies again."""
        return carried_out(choice, t, self)

    @step("CH-FTTD-02", "CH-FTTD-03")
    def fight_again(self, t: Battle) -> Run:
        """The second round works like the first, but without charge bonus and Rush."""
        return Run(CombatRound(combat=self.waiting[0], number=2))

    @step("Q-SEQ-3", "Q-FTTD-3")
    def apply(self, t: Battle) -> Run | None:
        """The damage of a second round is applied separately."""
        return Run(DamageBatch()) if losses_come_first(t) else None

    @step("CH-FTTD-04")
    def next_combat(self, t: Battle) -> Go:
        self.waiting = self.waiting[1:]
        return Go("offer_second_round")


@rule("Q-FTTD-3", stages=("house",))
def losses_come_first(t: Battle) -> bool:
    """The losses of the first round are removed before the second round."""
    return True


@losses_come_first.amended_by("Q-FTTD-3", stage="house", house={"fttd.losses": "after"})
def both_rounds_are_counted_together(first: bool, t: Battle) -> bool:
    """House rule: the losses of both rounds are removed together after the second."""
    return False


# --- units that fight ------------------------------------------------------------------------------------------------


@rule("CH-CC-06", "Q-CC-3", stages=("house",))
def is_fought(t: Battle, unit: int, enemy: int) -> bool:
    """Locked units fight in every combat step, in the turns of both sides."""
    return True


@is_fought.amended_by("Q-CC-3", stage="house", house={"cc.everyTurn": "no"})
def only_the_charger_fights_on(fought: bool, t: Battle, unit: int, enemy: int) -> bool:
    """House rule: locked units fight only in the turns of the side that charged."""
    return any(b in t.units[a].charged and t.units[a].side == t.active for a, b in ((unit, enemy), (enemy, unit)))


def foes(t: Battle, unit: int) -> tuple[int, ...]:
    """Return the enemies that a unit is locked with and fights this turn."""
    return tuple([e for e in t.units[unit].locked if t.units[e].models and is_fought(t, unit, e)])


@rule("CH-CC-03", "Q-CC-8", "Q-FTTD-2")
def combats(t: Battle) -> tuple[tuple[int, ...], ...]:
    groups: list[tuple[int, ...]] = []
    seen: list[int] = []
    for unit in t.in_play():
        if not t.units[unit].locked or unit in seen or not foes(t, unit):
            continue
        linked = [unit]
        for one in linked:
            linked.extend([e for e in foes(t, one) if e not in linked])
        seen.extend(linked)
        groups.append(tuple(sorted(linked, key=lambda u: (t.units[u].side != t.active, u))))
    return tuple(groups)


def has_charged(t: Battle, unit: int) -> bool:
    """Return whether a unit entered its close combat by a charge this turn."""
    u = t.units[unit]
    return u.side == t.active and u.charging >= 0 and u.arrived and not u.rushing


@rule("CH-CC-02", "CH-CC-04", "Q-CC-4", "Q-CC-5", "CH-CHARGE-11", "CH-FTTD-02")
def blow_of(t: Battle, unit: int, enemy: int, boosts: int = 0, number: int = 1) -> Attack:
    """All bases of a unit attack the enemy unit that the unit has named, even bases that do not touch that enemy."""
    mode = mode_of_round(t, has_charged(t, unit), number)
    return attack_with(t, unit, enemy, mode, t.units[unit].models, boosts=boosts)


def blows(t: Battle, combat: Sequence[int], number: int = 1) -> tuple[Shot, ...]:
    """Return the attacks of a round: the units of a combat attack the enemies that they have named."""
    named = [
        (n.unit, n.enemy, blow_of(t, n.unit, n.enemy, n.boost, number))
        for unit in combat
        for n in t.namings
        if n.unit == unit and t.units[unit].models and n.enemy in foes(t, unit)
    ]
    return tuple([Shot(unit, enemy, attack) for unit, enemy, attack in named if attack_dice(t, attack).total])


def why_no_blow(t: Battle, unit: int, action: Name, number: int = 1) -> Refusal | None:
    """Return why a locked unit cannot make this attack, or None if it can."""
    u = t.units[unit]
    exists = 0 <= action.enemy < len(t.units)
    refusal = NOT_LOCKED_WITH.refuses(
        action.enemy not in foes(t, unit), unit=t.called(unit), enemy=t.called(action.enemy) if exists else "that"
    )
    if refusal is not None or not action.boost:
        return refusal
    cp = t.armies[u.side].cp
    return (
        NO_SUCH_BOOST.refuses(action.boost < 0, boosts=action.boost)
        or may_attack(t, blow_of(t, unit, action.enemy, action.boost, number))
        or BOOST_NOT_NOW.refuses(u.side != t.active or u.moved > 0 or u.charging >= 0)
        or NO_CP.refuses(action.boost > most_boosts(t, u.side), price=action.boost, cp=cp)
    )


@rule("CH-FTTD-01", "CH-FTTD-04", "Q-FTTD-1", "Q-FTTD-2", stages=("house",))
def may_fight_on(t: Battle, combat: tuple[int, ...]) -> bool:
    """A second round may be fought in the turn of the charge; the player who charged pays for it."""
    return any(has_charged(t, unit) for unit in combat)


@may_fight_on.amended_by("Q-FTTD-1", stage="house", house={"fttd.when": "any-turn"})
def second_rounds_in_every_turn(may: bool, t: Battle, combat: tuple[int, ...]) -> bool:
    """House rule: a second round may be fought in every turn; the active player decides."""
    return True


# --- decisions -------------------------------------------------------------------------------------------------------


class Name(Act, frozen=True):
    """Name the enemy unit that is attacked in close combat."""

    enemy: Annotated[int, Pick(lambda t, unit: foes(t, unit), shown=called)]
    boost: Annotated[int, Pick(lambda t, side: range(most_boosts(t, side) + 1))] = 0

    words = "Attack {enemy} with {dice}{boosted}"
    context = ("unit", "number")
    aim = "enemy"
    says: ClassVar[Mapping[str, Any]] = {
        "dice": lambda t, unit, enemy, boost, number: of_dice(
            attack_dice(t, blow_of(t, unit, enemy, boost, number)).total
        ),
        "boosted": lambda boost: ", boosted" * bool(boost),
    }
    guards = Guards(lambda t, unit, enemy, boost, number: why_no_blow(t, unit, Name(enemy, boost), number))

    @staticmethod
    def price(boost: int) -> Sum:
        return (Term(boost, "Q-DICE-5", "boosted close combat"),) if boost else ()


class NameEnemy(OneOf, frozen=True, kw_only=True):
    """The owner of a locked unit chooses which enemy it attacks."""

    unit: int
    number: int = 1
    """Number of the round to be fought."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CC-04", "Q-CC-4")
    hint: ClassVar[str] = "A unit locked with several enemies rolls all its dice at one of them, and names it first."

    acts = (Name,)

    def prompt(self, t: Battle) -> str:
        return f"Which enemy {agreeing(t.called(self.unit), 'does')} {t.called(self.unit)} attack in close combat?"


class FightOn(Act, frozen=True):
    """Pay for a second round of close combat."""

    words = "Fight a second round"

    @staticmethod
    def price() -> Sum:
        return (Term(1, "CH-COST-13", "a second round of close combat"),)

    def perform(self, t: Battle, by: SecondRounds) -> NameEnemies:
        t.pay(by.side, self.price())
        return NameEnemies(side=by.side, units=by.waiting[0], number=2)


class LetBe(Act, frozen=True):
    words = "No second round"

    def perform(self, t: Battle, by: SecondRounds) -> Go:
        return Go("next_combat")


class FightToTheDeath(OneOf, frozen=True, kw_only=True):
    """The active player chooses whether to pay for a second round of a close combat."""

    combat: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-FTTD-01", "CH-FTTD-05", "CH-COST-13")
    hint: ClassVar[str] = "A second round costs 1 CP and is fought at once, without charge bonus or Rush."

    acts = (LetBe, FightOn)

    def prompt(self, t: Battle) -> str:
        names = ", ".join(t.called(u) for u in self.combat)
        return f"Fight to the death? Still locked: {names}"


# --- events ----------------------------------------------------------------------------------------------------------


class EnemyNamed(Event, frozen=True):
    """A locked unit named the enemy that it attacks."""

    unit: int
    enemy: int
    boost: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("CH-CC-04",)
    about = ("unit", "enemy")
    template = "{unit:attacks} {enemy} in close combat"
