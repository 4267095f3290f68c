"""Combat: every model in contact attacks one enemy that she touches. All attacks are simultaneous (BS-CMB)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from caltrop.asking import NOT_LISTED, Act, Guards, OneOf, Pick
from caltrop.chance import Roll
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    Run,
    Throw,
    ask,
    back,
    guard,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.kit.words import listed
from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.automata import NextToAct
from caltrop.rules.blade_skirmish.by_chance import one_fighter, taken
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import odds_in_words
from caltrop.rules.blade_skirmish.injury import Attack
from caltrop.rules.blade_skirmish.places import flank_partners, in_contact, touched_enemies
from caltrop.rules.blade_skirmish.records import Named, Skirmish, called, named

NO_FIGHTER = guard("BS-CMB-01", "no-fighter-of-yours", "That fighter is not yours on the table: {name}")
HELPLESS = guard("BS-CMB-02", "helpless", "{name} is {state}, and so she attacks nobody")
HAS_TROPHY = guard(
    ("BS-Q24", "BS-FAT-01", "BS-CMB-01"), "takes-a-trophy", "{name} is busy with her trophy, and attacks nobody"
)
HOLDS_BACK = guard("BS-Q46", "holds-back", "{name} holds back in this combat")
HAS_STRUCK = guard("BS-CMB-01", "has-struck", "{name} has her attack of this combat already, and there is only one")
OUT_OF_CONTACT = guard("BS-CMB-01", "out-of-contact", "{name} touches no enemy")
NOT_TOUCHED = guard("BS-CMB-01", "not-touched", "{name} does not touch {target}: she touches {touched}")


class NameAttack(Procedure, kw_only=True):
    """A side names its next attack, or all its remaining attacks."""

    side: int
    attacker: int = -1

    @step("BS-CMB-01", "BS-CMB-03", "BS-Q31")
    def ask_the_player(self, t: Skirmish) -> Ask | Go | End:
        """A player chooses the next attack of their side. A single possible attack is named without a question."""
        if self.side in t.field.automated:
            return Go("find_who_is_next")
        decision = ChooseAttack(side=self.side)
        options = decision.options(t)
        if options.several():
            return ask(decision)
        self._name(t, options.first())
        return End()

    @step("BS-CMB-01", "BS-Q31", "BS-Q46")
    def hear_the_player(self, t: Skirmish, choice: AttackEnemy | AttackAll | HoldBack) -> End:
        if isinstance(choice, HoldBack):
            t.held = (*holding_back(t), choice.attacker)
            t.tell(HeldBack(choice.attacker))
        else:
            self._name(t, choice)
        return End()

    def _name(self, t: Skirmish, choice: AttackEnemy | AttackAll) -> None:
        for attacker, target in choice.pairs(t, self.side):
            free = len(targets(t, attacker)) > 1
            partners = flank_partners(t, attacker, target)
            t.named.append(Named(attacker=attacker, target=target, partners=partners))
            t.tell(Chosen(attacker, target, partners, free))

    @step("BS-Q31", "BS-Q30")
    def find_who_is_next(self, t: Skirmish) -> Run:
        """Automated models attack in the order in which they act."""
        return Run(NextToAct(side=self.side, among=attackers(t, self.side)))

    @step("BS-Q31")
    def note_who(self, t: Skirmish, attacker: int) -> None:
        self.attacker = attacker

    @step("BS-Q43", tag="let_chance_say_whom")
    def let_chance_say_which(self, t: Skirmish) -> Throw | None:
        name = t.called(self.attacker)
        return one_fighter(t, self.side, targets(t, self.attacker), f"Which enemy {name} attacks")

    @step("BS-Q43", "BS-CMB-01", tag="hear_whom")
    def hear_which(self, t: Skirmish, roll: Roll | None) -> None:
        self._name(t, AttackEnemy(self.attacker, taken(targets(t, self.attacker), roll)))


class Combat(Procedure):
    """The combat at the end of a side's turn, with attacks of all sides."""

    side: int
    """Side whose turn it is; its attacks are resolved first (BS-Q31)."""

    rolled: int = 0
    """Number of the named attacks that have been rolled."""

    def _next_side(self, t: Skirmish) -> int | None:
        sides = t.field.sides
        return next((s for i in range(sides) if attackers(t, s := (self.side + i) % sides)), None)

    @step("BS-CMB-01", "BS-CMB-02", "BS-CMB-03", "BS-Q31")
    def name_the_next_attack(self, t: Skirmish) -> Run | Go:
        """Every model in contact names one target before any dice are rolled."""
        side = self._next_side(t)
        if side is None or (counts_at_once(t) and len(t.named) > self.rolled):
            return Go("roll_the_next_attack")
        return Run(NameAttack(side=side))

    name_another = back("name_the_next_attack", "BS-CMB-01", "BS-Q31")

    @step("BS-CMB-03", "BS-Q31")
    def roll_the_next_attack(self, t: Skirmish) -> Run | Go:
        if self.rolled == len(t.named):
            return Go("apply_the_results")
        one = t.named[self.rolled]
        self.rolled += 1
        return Run(Attack(attacker=one.attacker, target=one.target, partners=one.partners))

    roll_another = back("roll_the_next_attack", "BS-CMB-03")

    @step("BS-CMB-03", "BS-FAT-06", "BS-FAT-11", "BS-Q44")
    def apply_the_results(self, t: Skirmish) -> Run:
        """The results of all attacks, including second attacks, are applied together."""
        return Run(Aftermath())

    @step("BS-Q31")
    def go_on(self, t: Skirmish) -> Go | None:
        """House rule: if each attack takes effect at once, the next model who is left names her attack now."""
        if counts_at_once(t) and self._next_side(t) is not None:
            return Go("name_the_next_attack")
        t.named.clear()
        t.held = UNSET
        return None


# --- targets of an attack --------------------------------------------------------------------------------------------


def has_named(t: Skirmish, id: int) -> bool:
    """Return whether a fighter has named her attack in this combat."""
    return any(one.attacker == id for one in t.named)


def holding_back(t: Skirmish) -> tuple[int, ...]:
    return () if isinstance(t.held, UnsetType) else t.held


NO_ATTACK = Guards(
    (HELPLESS, lambda t, attacker: not t.fighters[attacker].active),
    (HAS_TROPHY, lambda t, attacker: idle(t, attacker)),
    (HAS_STRUCK, lambda t, attacker: has_named(t, attacker)),
    (HOLDS_BACK, lambda t, attacker: attacker in holding_back(t)),
    (OUT_OF_CONTACT, lambda t, attacker: not touched_enemies(t, attacker)),
    name=lambda t, attacker: t.called(attacker),
    state=lambda t, attacker: "stunned" if t.fighters[attacker].stunned else "fleeing",
)
"""Reasons why a fighter on the table has no attack to name."""


def attackers(t: Skirmish, side: int) -> tuple[int, ...]:
    return tuple([f.id for f in t.of_side(side) if NO_ATTACK.may(t, attacker=f.id)])


def no_choice_is_left(attacks: Sequence[AttackEnemy]) -> bool:
    """Return whether several fighters have attacks to name, and each of them touches only one enemy."""
    return 1 < len(attacks) == len({attack.attacker for attack in attacks})


def touches(t: Skirmish, attacker: int, target: int) -> bool:
    """Return whether a fighter touches an enemy with this id."""
    foe = t.fighters[target] if 0 <= target < len(t.fighters) else None
    is_foe = foe is not None and foe.at is not None and foe.side != t.fighters[attacker].side
    return is_foe and in_contact(t, attacker, target)


def targets(t: Skirmish, attacker: int) -> tuple[int, ...]:
    return tuple([f.id for f in touched_enemies(t, attacker)])


@rule("BS-CMB-03", "BS-Q31", stages=("house",))
def counts_at_once(b: HasBook) -> bool:
    """All attacks of a combat are named first, and their results are applied together."""
    return False


@counts_at_once.amended_by("BS-Q31", stage="house", house={"combat_order": "sequential"})
def each_attack_counts_at_once(value: bool, b: HasBook) -> bool:
    """House rule: each result is applied before the next attack is named, so a model may lose her attack."""
    return True


@rule("BS-CMB-01", "BS-Q46", stages=("house",))
def may_hold_back(b: HasBook) -> bool:
    """Every model in contact attacks."""
    return False


@may_hold_back.amended_by("BS-Q46", stage="house", house={"hold_back": "on"})
def an_attack_is_hers_to_make(value: bool, b: HasBook) -> bool:
    """House rule: a player's model may hold back and make no attack in this combat."""
    return True


# --- decisions -------------------------------------------------------------------------------------------------------


class AttackEnemy(Act, frozen=True):
    """Name an attack on an enemy. Attacks are resolved in the order in which they were named."""

    attacker: Annotated[
        int,
        Pick(lambda t, side: [f.id for f in t.of_side(side)], NO_FIGHTER, called, name="attacker"),
    ]
    target: Annotated[int, Pick(targets, shown=called)]

    words = "Attack {target}: {odds}"
    group = "{attacker}"
    says: ClassVar[Mapping[str, Any]] = {"odds": odds_in_words}
    actor = "attacker"
    aim = "target"
    near = (("attacker",), ())
    guards = Guards(
        NO_ATTACK,
        (NOT_TOUCHED, lambda t, attacker, target: not touches(t, attacker, target)),
        name="attacker",
        target=named,
        touched=lambda t, attacker: listed([t.called(id) for id in targets(t, attacker)]),
    )

    def pairs(self, t: Skirmish, side: int) -> list[tuple[int, int]]:
        return [(self.attacker, self.target)]


class HoldBack(Act, frozen=True):
    """Make no attack in this combat."""

    attacker: Annotated[
        int,
        Pick(lambda t, side: [f.id for f in t.of_side(side)], NO_FIGHTER, called, name="attacker"),
    ]

    words = "Hold back"
    group = "{attacker}"
    actor = "attacker"
    guards = Guards((NOT_LISTED, lambda t: not may_hold_back(t)), NO_ATTACK, name="attacker")


class AttackAll(Act, frozen=True):
    """Name the remaining attacks of all fighters, each on the only enemy she touches."""

    words = "All attack the enemy they touch"
    final = True
    guards = Guards((NOT_LISTED, lambda t, o: counts_at_once(t) or not no_choice_is_left(o.listed(AttackEnemy))))

    def pairs(self, t: Skirmish, side: int) -> list[tuple[int, int]]:
        return [(id, targets(t, id)[0]) for id in attackers(t, side)]


class ChooseAttack(OneOf, frozen=True, kw_only=True):
    """A player chooses the fighter who attacks next, and her target."""

    clauses: ClassVar[tuple[str, ...]] = ("BS-CMB-01", "BS-CMB-03", "BS-Q31")
    template = "Who attacks next, and which enemy? {how}"
    says: ClassVar[Mapping[str, Any]] = {
        "how": lambda t: "Each attack counts at once" if counts_at_once(t) else "All attacks count together"
    }
    occasion: ClassVar[str] = "in every combat"
    hint: ClassVar[str] = (
        "Everybody attacks one enemy she touches, foes too. If all attacks count together, the order only decides who "
        "gets the kill if two kill the same enemy, and who acts on a fatality first."
    )
    opens: ClassVar[tuple[str, str]] = ("combat", "attack")
    about = ("attacker", "target")
    acts = (AttackEnemy, HoldBack, AttackAll)


# --- events ----------------------------------------------------------------------------------------------------------


class HeldBack(Event, frozen=True):
    """A fighter held back and makes no attack in this combat."""

    attacker: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-Q46",)
    template = "{attacker} holds back"
    about = ("attacker",)


class Chosen(Event, frozen=True):
    """An attack was named, before its dice were rolled."""

    attacker: int
    target: int
    partners: tuple[int, ...]
    """Ids of the comrades who flank with her."""
    free: bool
    """True if the attacker could have attacked another enemy."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-CMB-01", "BS-Q31")
    about = ("attacker", "target")

    def sentence(self, t: Skirmish) -> str:
        attacker, target = t.fighters[self.attacker], t.fighters[self.target]
        alone = "" if self.free else ", the only enemy that she touches"
        flank = f"; she flanks with {listed([t.called(id) for id in self.partners])}" if self.partners else ""
        return f"{t.called(attacker.id)} attacks {t.called(target.id)}{alone}{flank}"
