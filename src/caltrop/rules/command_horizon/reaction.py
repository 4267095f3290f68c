"""Reaction fire: the units that may answer an attack, their dice, and the shot."""

from __future__ import annotations

from typing import Any

from caltrop.engine import End, Procedure, Refusal, Run, Sum, Term, guard, rule, step
from caltrop.rules.command_horizon.aim import (
    aim,
    cover_bonuses,
    is_artillery,
    models_in_range,
    obstruction_bonuses,
    shooters,
    with_dice,
)
from caltrop.rules.command_horizon.attack import Attack, attack_dice, may_attack
from caltrop.rules.command_horizon.attack.legality import (
    ARTILLERY_REACTS,
    NO_SUCH_BOOST,
    REACTION_AT_ARTILLERY,
    may_react_to_artillery,
)
from caltrop.rules.command_horizon.places import unit_sight
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.shooting import attack_with, why_no_weapons
from caltrop.rules.command_horizon.volley import Shot, Volley

CONCENTRATES = guard(
    ("CH-RF-09", "CH-CONC-04", "Q-CONC-2"),
    "concentrates",
    "{unit} concentrated command instead of keeping reaction fire",
)
LOCKED = guard(("CH-RF-10", "CH-CC-10"), "locked", "{unit:is} locked in close combat and cannot use reaction fire")
ATTACKER_LOCKED = guard(("CH-CC-07", "Q-RF-6"), "attacker-locked", "{target:is} locked in close combat")
ON_OVERWATCH = guard(
    "CH-OW-06", "on-overwatch", "{unit} went on overwatch and has no reaction fire until its side's turn"
)
ONCE = guard("Q-RF-3", "once", "{unit:has} used the reaction fire of this turn")
DISABLED = guard("CH-WORM-06", "disabled", "Worm Tokens have disabled every model of {unit}")
OUT_OF_RANGE = guard(("Q-RF-6", "CH-RF-01"), "out-of-range", "{target:is} out of the range of {unit}")
ONE_CHARGER = guard(
    ("CH-CHARGE-08", "Q-CHARGE-6"),
    "one-charger",
    "{unit:has} fired at a charge this turn, and may answer only one charge",
)
CHARGER_OUT_OF_RANGE = guard("Q-CHARGE-2", "charger-out-of-range", "{target:starts} to charge out of range of {unit}")
OUT_OF_SIGHT = guard("Q-RF-6", "out-of-sight", "{unit:does} not see {target}")
NO_SAVED_CP = guard("CH-COST-15", "no-saved-cp", "The boost costs {price} CP, and you have {cp} left")
NOT_THE_TARGET = guard(("CH-RF-01", "Q-RF-2"), "not-the-target", "{unit:was} not attacked by {target}")
ONE_BOOST = guard(
    ("CH-COST-15", "Q-DICE-3"), "one-boost", "One boost can be bought for one reaction; this one has {boosts}"
)


class ReactionShot(Procedure):
    """Reaction fire of one unit: at a charger before contact, or from overwatch.

    The shot records wounds, which the calling procedure applies as a batch. A boost is already paid for.
    """

    shooter: int
    target: int
    boost: int = 0
    against_charge: bool = False

    @step("CH-RF-02", "CH-CHARGE-05", "CH-CHARGE-07", "CH-RUSH-06")
    def shoot(self, t: Battle) -> Run | End:
        u = t.units[self.shooter]
        t.change(self.shooter, reacted=u.reacted + 1, charge_fire=u.charge_fire or self.against_charge)
        attack = reaction_of(t, self.shooter, self.target, self.boost, against_charge=self.against_charge)
        if not has_dice(t, attack):
            return End()
        return Run(Volley(shots=(Shot(self.shooter, self.target, attack),)))


def price_of_reaction(boosts: int) -> Sum:
    """Return the price of reaction fire: 0, and 1 CP for a boost (CH-COST-15, CH-COST-20, Q-RF-1)."""
    return (Term(boosts, "CH-COST-15", "boosted reaction fire"),) if boosts else ()


@rule("CH-RF-01", "Q-RF-3", stages=("house",))
def has_reacted(t: Battle, unit: int) -> bool:
    """A unit may use reaction fire once for each attack on it."""
    return False


@has_reacted.amended_by("Q-RF-3", stage="house", house={"rf.limit": "once"})
def once_in_an_enemy_turn(spent: bool, t: Battle, unit: int) -> bool:
    return t.units[unit].reacted > 0 or t.units[unit].charge_fire


@rule("CH-CONC-04", "Q-CONC-2", stages=("house",))
def gives_up_reaction(t: Battle, unit: int) -> bool:
    """A Command unit that has concentrated has no reaction fire until its next own turn."""
    return t.units[unit].concentrating


@gives_up_reaction.amended_by("Q-CONC-2", stage="house", house={"concentrate.reaction": "this-turn"})
def only_in_the_turn_in_which_it_concentrates(given_up: bool, t: Battle, unit: int) -> bool:
    """House rule: a Command unit that has concentrated may use reaction fire in the enemy's turn."""
    return given_up and t.active == t.units[unit].side


def why_no_reaction(t: Battle, unit: int, target: int, *, against_charge: bool = False) -> Refusal | None:
    """Return why a unit may not use reaction fire at an enemy unit, apart from a boost; None if it may.

    Args:
        unit: The unit that would react.
        target: The attacking unit.
        against_charge: True if *target* has declared a charge at *unit*. If it is true, neither range nor sight is
            needed (Q-CHARGE-2).
    """
    u, e = t.units[unit], t.units[target]
    refusal = (
        why_no_weapons(t, unit)
        or ARTILLERY_REACTS.refuses(is_artillery(t, unit))
        or REACTION_AT_ARTILLERY.refuses(is_artillery(t, target) and not may_react_to_artillery(t))
        or CONCENTRATES.refuses(gives_up_reaction(t, unit), unit=t.called(unit))
        or LOCKED.refuses(bool(u.locked), unit=t.called(unit))
        or ON_OVERWATCH.refuses(u.overwatch > 0, unit=t.called(unit))
        or ONCE.refuses(has_reacted(t, unit), unit=t.called(unit))
        or DISABLED.refuses(not with_dice(t, unit), unit=t.called(unit))
    )
    if refusal is not None:
        return refusal
    if against_charge:
        return ONE_CHARGER.refuses(u.charge_fire, unit=t.called(unit)) or CHARGER_OUT_OF_RANGE.refuses(
            t.book.rules["charge.rfRange"] == "yes" and not models_in_range(t, shooters(t, unit), target),
            unit=t.called(unit),
            target=t.called(target),
        )
    sight = aim(t, unit, target)
    return (
        ATTACKER_LOCKED.refuses(bool(e.locked), target=t.called(target))
        or OUT_OF_RANGE.refuses(not sight.in_range, unit=t.called(unit), target=t.called(target))
        or OUT_OF_SIGHT.refuses(not sight.models, unit=t.called(unit), target=t.called(target))
    )


@rule("CH-CHARGE-08", "CH-CHARGE-09", "Q-CHARGE-6", "Q-RUSH-3")
def was_reached(t: Battle, unit: int) -> bool:
    """A unit that a charge or a Rush has reached this turn does not fire at a charge that is declared later."""
    enemies = [t.units[u] for u in t.enemies(t.units[unit].side)]
    return any(e.charging == unit and e.arrived for e in enemies)


def may_react(t: Battle, unit: int, target: int, *, against_charge: bool = False) -> bool:
    if against_charge and was_reached(t, unit):
        return False
    return why_no_reaction(t, unit, target, against_charge=against_charge) is None


def why_no_boosted_reaction(
    t: Battle, unit: int, target: int, boost: int, *, against_charge: bool = False
) -> Refusal | None:
    if not boost:
        return None
    cp = t.armies[t.units[unit].side].cp
    return (
        NO_SUCH_BOOST.refuses(boost < 0, boosts=boost)
        or ONE_BOOST.refuses(boost > 1 and t.book.rules["boost.stack"] == "no", boosts=boost)
        or may_attack(t, reaction_of(t, unit, target, boost, against_charge=against_charge))
        or NO_SAVED_CP.refuses(boost > cp, price=boost, cp=cp)
    )


def reaction_of(t: Battle, unit: int, target: int, boost: int = 0, *, against_charge: bool = False) -> Attack:
    if against_charge:
        # The charger is about to be in contact, so every model that can fire is in range.
        able: Any = with_dice(t, unit)
        view = unit_sight(t, unit, target, viewers=tuple(able))
        cover = cover_bonuses(t, view)
        obstructed = obstruction_bonuses(t, view, cover)
    else:
        sight = aim(t, unit, target)
        able, cover, obstructed = sight.models, sight.cover, sight.obstructed
    return attack_with(
        t,
        unit,
        target,
        "reaction-fire",
        able,
        cover=cover,
        obstructed=obstructed,
        boosts=boost,
        against_charge=against_charge,
    )


def has_dice(t: Battle, attack: Attack) -> bool:
    return attack_dice(t, attack).total > 0
