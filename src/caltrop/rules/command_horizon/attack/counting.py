"""The number of Attack Dice and its parts: summed, halved, boosted, and reduced by stuns and marking (Q-DICE-1)."""

from __future__ import annotations

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.attack.record import Attack, in_contact, roller, roller_traits
from caltrop.rules.command_horizon.catalogue import unit_kind


class Counted(msgspec.Struct, frozen=True):
    """The number of dice with its parts and, in a mixed Squad, the kind of base that rolls them (Q-INF-7)."""

    parts: Sum
    """Terms that add up to the number of dice, in the order in which they apply."""
    kinds: tuple[str, ...]
    """Kinds of base that roll separately: one kind, or `infantry` and `heavy-weapons`."""
    second: int = 0
    """Number of dice of the second kind."""

    @property
    def total(self) -> int:
        return total(self.parts)

    @property
    def pools(self) -> tuple[tuple[str, int], ...]:
        """The number of dice of each kind of base, Infantry first."""
        if len(self.kinds) < 2:
            return tuple((kind, self.total) for kind in self.kinds)
        return ((self.kinds[0], self.total - self.second), (self.kinds[1], self.second))

    def changed(self, to: int, clause: str, words: str, second: int | None = None) -> Counted:
        """Return the number of dice after one more term, which changes the number to *to*. *second* is the part of the
        second kind.

        Dice are first lost by the first kind, while it has any (Q-INF-7).
        """
        if second is None:
            second = min(self.second, to)
        return Counted((*self.parts, Term(to - self.total, clause, words)), self.kinds, second)


@rule("CH-ALL-24", "Q-INF-6")
def platoon_holds(b: HasBook, attack: Attack) -> bool:
    """A Platoon has its bonus while more than half of its initial bases are left."""
    return attack.platoon and 2 * attack.bases > attack.starting


@rule("CH-CHARGE-11", stages=("who",), traits=roller_traits)
def charge_dice(b: HasBook, attack: Attack) -> int:
    """A charging unit has one extra Attack Die."""
    return 1 if attack.mode == "charge" else 0


@charge_dice.amended_by("CH-PUTINF-13", stage="who", trait="putredine-infantry")
def putredine_gain_only_distance(dice: int, b: HasBook, attack: Attack) -> int:
    """Charging gives Putredine infantry no extra die."""
    return 0


@rule("CH-FIRE-15", "Q-DICE-2", "Q-DICE-4", stages=("number", "rounding"))
def half_more(b: HasBook, dice: int, boosts: int) -> int:
    """A boost increases the number of dice by half, rounded up. A second boost has no effect."""
    return dice + (dice + 1) // 2 if boosts else dice


@half_more.amended_by("Q-DICE-3", stage="number", house={"boost.stack": "yes"})
def every_boost_adds_half(boosted: int, b: HasBook, dice: int, boosts: int) -> int:
    """House rule: each boost adds half of the unboosted dice, rounded once."""
    return dice + (dice * boosts + 1) // 2


@half_more.amended_by("Q-DICE-2", stage="rounding", house={"boost.round": "down"})
def a_half_die_is_lost(boosted: int, b: HasBook, dice: int, boosts: int) -> int:
    return boosted - 1 if 2 * boosted > dice * (2 + _counting(b, boosts)) else boosted


def _counting(b: HasBook, boosts: int) -> int:
    return boosts if b.book.rules.get("boost.stack") == "yes" else min(boosts, 1)


@rule("Q-INF-4", "CH-INFDMG-05", stages=("edition", "house"))
def heavy_weapons_boost(b: HasBook) -> bool:
    return True


@heavy_weapons_boost.amended_by(
    "CH-INFDMG-05", stage="edition", edition="v1.5", house={"heavyWeapons.boost": "edition"}
)
def heavy_weapons_are_excepted(may: bool, b: HasBook) -> bool:
    return False


@heavy_weapons_boost.amended_by("Q-INF-4", stage="house", house={"heavyWeapons.boost": "no"})
def heavy_weapons_never_boost(may: bool, b: HasBook) -> bool:
    """House rule: Heavy Weapon teams cannot be boosted in any edition."""
    return False


@rule("CH-STUN-02", "CH-STUN-03", "Q-STUN-1", stages=("house", "race"), traits=roller_traits)
def stun_loss(b: HasBook, attack: Attack) -> int:
    """Each Stun marker removes one die, also from infantry."""
    return attack.stuns


@stun_loss.amended_by("Q-STUN-1", stage="house", house={"stun.infantryDice": "no"})
def infantry_keeps_its_dice(lost: int, b: HasBook, attack: Attack) -> int:
    """House rule: Stun markers remove no dice from infantry."""
    return 0 if roller(b, attack).infantry else lost


@stun_loss.amended_by("Q-PUTINF-2", "CH-PUTSTUN-01", stage="race", trait="putredine-infantry")
def putredine_bite_on(lost: int, b: HasBook, attack: Attack) -> int:
    """Stun markers remove no dice from Putredine infantry, which they keep from moving instead."""
    return 0


@rule(
    "CH-FIRE-13",
    "CH-INFMOVE-02",
    stages=("tokens", "platoon", "charge", "halve", "boost", "stun", "mark"),
    traits=roller_traits,
)
def attack_dice(b: HasBook, attack: Attack) -> Counted:
    """The dice of all attacking models are added up."""
    field = "cc_dice" if in_contact(attack) else "dice"
    parts: list[Term] = []
    numbers: list[int] = []
    for arms in attack.arms:
        kind = unit_kind(b, attack.army, arms.kind)
        each = kind.number(field)
        numbers.append(arms.models * each)
        what = quantity(arms.models, "base" if kind.infantry else "model")
        parts.append(Term(arms.models * each, kind.clause(field), f"{kind.title}: {what} of {each}"))
    return Counted(tuple(parts), tuple(a.kind for a in attack.arms), numbers[1] if len(numbers) > 1 else 0)


@attack_dice.amended_by("CH-WORM-02", stage="tokens")
def worm_tokens_take_dice_of_their_model(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """Each Worm Token removes one die of its model, down to 0."""
    lost = []
    for arms in attack.arms:
        each = unit_kind(b, attack.army, arms.kind).number("cc_dice" if in_contact(attack) else "dice")
        lost.append(sum(min(each, tokens) for tokens in arms.worms))
    if not any(lost):
        return counted
    second = counted.second - lost[1] if len(lost) > 1 else 0
    return counted.changed(counted.total - sum(lost), "CH-WORM-02", "Worm Tokens", second)


def _one_more(counted: Counted, clause: str, words: str) -> Counted:
    # Q-INF-3: the extra dice of Platoon and charge are Infantry dice; they are Heavy Weapon dice only if no Infantry
    # base rolls.
    return counted.changed(counted.total + 1, clause, words, counted.second) if counted.total else counted


@attack_dice.amended_by("CH-ALL-22", "CH-ALL-23", stage="platoon", trait="platoon-bonus")
def a_platoon_acting_as_one_has_a_die_more(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """A Platoon that attacks as one unit has one extra Attack Die, in shooting and in close combat."""
    if not platoon_holds(b, attack):
        return counted
    return _one_more(counted, "CH-ALL-23" if in_contact(attack) else "CH-ALL-22", "the Platoon acts as one")


@attack_dice.amended_by("CH-CHARGE-11", stage="charge")
def a_charge_has_a_die_more(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    return _one_more(counted, "CH-CHARGE-11", "charging") if charge_dice(b, attack) else counted


@attack_dice.amended_by("CH-RF-02", stage="halve")
def reaction_fire_is_half(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """Reaction fire has half the number of dice, rounded up."""
    if attack.mode != "reaction-fire":
        return counted
    return counted.changed(
        (counted.total + 1) // 2, "CH-RF-02", "halved for reaction fire, rounded up", counted.second // 2
    )


@attack_dice.amended_by("CH-FIRE-15", "CH-RF-06", "Q-INF-7", stage="boost")
def a_boost_is_half_as_many_again(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """Boosted attacks, and boosted reaction fire, have half as many dice in addition."""
    if not attack.boosts:
        return counted
    clause = "CH-RF-06" if attack.mode == "reaction-fire" else "CH-FIRE-15"
    heavy = counted.second if len(counted.kinds) > 1 else counted.total if "heavy-weapons" in counted.kinds else 0
    if heavy and not heavy_weapons_boost(b):
        boosted = half_more(b, counted.total - heavy, attack.boosts) + heavy
        return counted.changed(boosted, clause, "boosted by half, Heavy Weapon teams excepted", counted.second)
    boosted = half_more(b, counted.total, attack.boosts)
    counts = _counting(b, attack.boosts)
    return counted.changed(boosted, clause, "boosted by half", counted.second * (2 + counts) // 2)


@attack_dice.amended_by(
    "CH-STUN-02", "CH-STUN-03", "CH-STUN-04", "CH-FIRE-14", "CH-RF-03", "CH-RF-04", "Q-STUN-2", stage="stun"
)
def each_marker_takes_a_die_but_the_last(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """Each Stun marker removes a die after the number of dice was halved, but never the last die."""
    left = max(min(1, counted.total), counted.total - stun_loss(b, attack))
    if left == counted.total:
        return counted
    clause = "CH-RF-03" if attack.mode == "reaction-fire" else "CH-STUN-02"
    words = "Stun markers" if left > 1 else "Stun markers, but never below 1"
    return counted.changed(left, clause, words)


@attack_dice.amended_by("CH-MARK-08", "CH-RF-12", "Q-MARK-3", stage="mark")
def marking_costs_a_die(counted: Counted, b: HasBook, attack: Attack) -> Counted:
    """A unit that has marked a target has one die less for its shot, possibly no die."""
    if attack.mode != "fire" or not attack.marked or not counted.total:
        return counted
    return counted.changed(counted.total - 1, "CH-MARK-08", "marked a target this turn")
