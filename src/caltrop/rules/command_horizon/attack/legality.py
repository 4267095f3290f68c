"""The faults of an attack that its record shows. Range, sight and locks are checked elsewhere."""

from __future__ import annotations

from caltrop.engine import Refusal, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.attack.counting import heavy_weapons_boost
from caltrop.rules.command_horizon.attack.record import Attack, aimed_at, in_contact, roller

CANNOT_FIRE = {
    "slugger": guard("CH-SLUG-01", "slugger-fires", "A Slugger cannot fire"),
    "carrier": guard("CH-CARRIER-01", "carrier-fires", "A Carrier cannot fire"),
    "infantry": guard(
        ("CH-PUTINF-04", "CH-PUTINF-15"),
        "putredine-infantry-fires",
        "Putredine infantry has no ranged weapons and cannot fire",
    ),
}
ARTILLERY_REACTS = guard(("CH-RF-07", "CH-ART-07"), "artillery-reacts", "Artillery never uses reaction fire")
REACTION_AT_ARTILLERY = guard(
    ("CH-RF-08", "CH-ART-08", "Q-ART-2"), "reaction-at-artillery", "No reaction fire may be made at artillery"
)
ARTILLERY_ONLY = guard("CH-ART-01", "artillery-only", "Artillery attacks in the mode 'artillery' and in no other")
NO_ARTILLERY = guard(
    "CH-ART-01", "no-artillery", "Only artillery attacks in this mode; the attacker is of the kind {who}"
)
ONLY_INFANTRY_CHARGES = guard(
    "CH-CHARGE-01",
    "only-infantry",
    "Only infantry charges and fights in close combat; the attacker is of the kind {who}",
)
ONLY_AT_INFANTRY = guard(
    ("CH-CHARGE-02", "CH-PUTINF-12", "CH-PUTINF-15"),
    "only-at-infantry",
    "Only infantry is charged and fought in close combat; the target is of the kind {target}",
)
RUSH_AT_LIGHT = guard(
    ("CH-RUSH-04", "Q-RUSH-2"),
    "rush-at-light",
    "An Asori Rush is made at infantry or at Light class vehicles; the target is of the kind {target}",
)
NO_CLOSE_COMBAT = guard(
    "CH-RUSH-05", "no-close-combat", "No close combat follows a Rush at vehicles: its only round is the mode 'charge'"
)
STUNNED_BOOST = guard(
    ("CH-STUN-05", "Q-STUN-3"), "stunned-boost", "A unit with a Stun marker cannot be boosted, and this one has {stuns}"
)
HEAVY_BOOST = guard(("CH-INFDMG-05", "Q-INF-4"), "heavy-boost", "Heavy Weapon teams cannot be boosted")
NO_SUCH_BOOST = guard(("CH-COST-16", "CH-COST-15"), "no-such-boost", "An attack cannot have {boosts:boost}")
CHARGED_BOOST = guard("CH-CHARGE-06", "charged-boost", "The reaction fire of charged infantry cannot be boosted")
RUSHED_BOOST = guard("Q-RUSH-4", "rushed-boost", "The reaction fire of rushed Light tanks cannot be boosted")
CLOSE_COMBAT_BOOST = guard("Q-DICE-5", "close-combat-boost", "Close combat dice cannot be boosted")
NO_RANGED_IN = guard(("CH-MARK-09", "Q-PART-1"), "no-ranged-in", "Marks serve Alliance artillery only")
CANNOT_MARK = guard(("CH-MARK-01", "CH-MARK-02", "Q-MARK-1"), "cannot-mark", "{who} cannot mark targets")


@rule("CH-RF-08", "CH-ART-08", "Q-ART-2", stages=("edition",))
def may_react_to_artillery(b: HasBook) -> bool:
    return False


@may_react_to_artillery.amended_by("Q-ART-2", stage="edition", edition="v1.5")
def only_its_own_is_forbidden(may: bool, b: HasBook) -> bool:
    """Artillery in range and sight may be answered with reaction fire like any other attacker."""
    return True


@rule("CH-RUSH-07", "Q-RUSH-4", stages=("house",))
def may_boost_when_rushed(b: HasBook) -> bool:
    """Light tanks that are rushed may boost their reaction fire."""
    return True


@may_boost_when_rushed.amended_by("Q-RUSH-4", stage="house", house={"rush.rfBoost": "no"})
def rushed_tanks_are_like_charged_infantry(may: bool, b: HasBook) -> bool:
    """House rule: Light tanks that are rushed may not boost."""
    return False


@rule("Q-DICE-5", stages=("house",))
def may_boost_close_combat(b: HasBook) -> bool:
    """Dice in close combat cannot be boosted, because a boost is for fire only."""
    return False


@may_boost_close_combat.amended_by("Q-DICE-5", stage="house", house={"boost.closeCombat": "yes"})
def close_combat_may_be_boosted(may: bool, b: HasBook) -> bool:
    """House rule: units that have not moved may boost their dice in close combat."""
    return True


def _who_may_roll(b: HasBook, attack: Attack) -> Refusal | None:
    who, target = roller(b, attack), aimed_at(b, attack)
    artillery = who.key == "artillery"
    if in_contact(attack):
        if refusal := ONLY_INFANTRY_CHARGES.refuses(not who.infantry, who=who.title):
            return refusal
        if target.infantry:
            return None
        if "asori-rush" not in who.traits:
            return ONLY_AT_INFANTRY.refuses(True, target=target.title)
        return NO_CLOSE_COMBAT.refuses(attack.mode != "charge") or RUSH_AT_LIGHT.refuses(
            not target.light, target=target.title
        )
    if who.army == "putredine" and who.key in CANNOT_FIRE and (refusal := CANNOT_FIRE[who.key].refuses(True)):
        return refusal
    if attack.mode == "artillery":
        return NO_ARTILLERY.refuses(not artillery, who=who.title)
    if attack.mode == "reaction-fire":
        return ARTILLERY_REACTS.refuses(artillery) or REACTION_AT_ARTILLERY.refuses(
            target.key == "artillery" and not may_react_to_artillery(b)
        )
    return ARTILLERY_ONLY.refuses(artillery)


def may_boost(b: HasBook, attack: Attack) -> Refusal | None:
    """Return why the attack may not be boosted, or None if it may.

    The record does not show whether the unit has moved this turn, which also forbids a boost.
    """
    who = roller(b, attack)
    charged = attack.mode == "reaction-fire" and attack.against_charge
    return (
        STUNNED_BOOST.refuses(attack.stuns, stuns=attack.stuns)
        or CLOSE_COMBAT_BOOST.refuses(in_contact(attack) and not may_boost_close_combat(b))
        or CHARGED_BOOST.refuses(charged and who.infantry)
        or RUSHED_BOOST.refuses(charged and not who.infantry and not may_boost_when_rushed(b))
        or HEAVY_BOOST.refuses(all(arms.kind == "heavy-weapons" for arms in attack.arms) and not heavy_weapons_boost(b))
    )


def may_attack(b: HasBook, attack: Attack) -> Refusal | None:
    """Return why the attack may not be made, or None if its record shows no fault."""
    refusal = _who_may_roll(b, attack)
    if refusal is None and attack.boosts:
        refusal = may_boost(b, attack)
    if refusal is None:
        who = roller(b, attack)
        shells = attack.mode == "artillery" and "seeding" not in who.traits
        refusal = NO_RANGED_IN.refuses(attack.marks > 0 and not shells) or CANNOT_MARK.refuses(
            attack.marked and not who.marks, who=who.title
        )
    return refusal
