"""Damage: hits become losses. Void shields, the attached leader, and retreats that may be ignored."""

from __future__ import annotations

import msgspec

from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE, LEADER, RETREAT, Counts, Hits
from caltrop.rules.hex_command.attack.record import Profile, Target
from caltrop.rules.hex_command.catalogue import (
    ground_of,
)


@rule("HX-VOI-01", "HX-VOI-02", "HX-SMU-02", "HX-Q11", stages=("assault", "pool", "surge"))
def shield_dice(b: HasBook, p: Profile) -> Sum:
    if p.target.row.unit_class != "god-machine":
        return ()
    return (Term(p.target.strength, "HX-VOI-01", "Damage Capacity left"),)


@shield_dice.amended_by("HX-Q11", stage="assault", house={"shields_in_assault": "off"})
def shields_do_not_work_at_arms_length(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """House rule: shields do not work against a close assault."""
    return () if p.range == 1 else parts


@shield_dice.amended_by("HX-Q11", stage="pool", house={"void_shields": "per_turn_pool"})
def shield_dice_are_rolled_once_a_turn(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """House rule: each shield die can be rolled only once in a turn."""
    used = min(p.target.spent, total(parts))
    return (*parts, Term(-used, "HX-Q11", "Rolled earlier this turn")) if used else parts


@shield_dice.amended_by("HX-S57", "HX-Q32", stage="surge")
def a_surge_doubles_the_dice(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """A Shield Surge doubles the shield dice against this attack."""
    return (*parts, Term(total(parts), "HX-S57", "Shield Surge")) if parts and p.surged else parts


@rule("HX-VOI-03")
def saves(b: HasBook, hits: int, shields: Counts) -> int:
    """Each God Machine symbol on a shield die cancels a hit."""
    return min(hits, shields[GOD_MACHINE])


@rule("HX-SMU-01", "HX-SMU-02", "HX-Q10", "HX-Q23", stages=("leaders",))
def left_of(b: HasBook, target: Target, hits: Hits, saved: int) -> int:
    """Each hit that is not cancelled removes a model, or a point of a single model."""
    return max(0, target.strength - hits.total + saved)


@left_of.amended_by("HX-Q15", "HX-LDU-01", "HX-LDU-02", "HX-LDU-03", stage="leaders")
def leader_symbols_alone_take_the_last_leader(left: int, b: HasBook, target: Target, hits: Hits, saved: int) -> int:
    """A Leader unit loses models to class symbols first, but never the last model, and then to Leader symbols."""
    if not target.leaders:
        return left
    left = max(1, target.strength - hits.own)
    return max(0, left - hits.leader)


@rule("HX-LDS-05", "HX-LDS-06", "HX-Q10", "HX-Q13")
def leader_falls(b: HasBook, target: Target, leaders: int, casualties: int) -> bool:
    """A Leader symbol removes the attached leader if the roll has cost the unit at least one model or point."""
    return target.leader and leaders > 0 and casualties > 0


@rule("HX-RET-01", "HX-Q22", stages=("ground", "machines", "leader"))
def favours(b: HasBook, p: Profile) -> Sum:
    """Normally the target may ignore no Retreat symbols."""
    return ()


@favours.amended_by("HX-S35", "HX-S39", "HX-Q33", stage="ground")
def ground_holds_its_occupant(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """A unit in a citadel or an entrenchment may ignore one Retreat symbol, unless the dice are a card's."""
    if p.attacker is None:
        return parts
    for key in (p.target.ground, "entrenchment") if p.target.entrenched else (p.target.ground,):
        ground = ground_of(b, key)
        if ground.favours and ground.on:
            parts = (*parts, Term(ground.favours, ground.clauses.split()[0], ground.title))
    return parts


@favours.amended_by("HX-Q22", stage="machines", house={"god_machines_stand": "on"})
def god_machines_ignore_a_retreat(parts: Sum, b: HasBook, p: Profile) -> Sum:
    return (*parts, Term(1, "HX-Q22", "A God Machine")) if p.target.row.unit_class == "god-machine" else parts


@favours.amended_by("HX-LDS-04", "HX-Q10", stage="leader")
def a_leader_steadies_the_unit(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """A unit that had a leader when the dice were rolled may ignore one further Retreat symbol."""
    return (*parts, Term(1, "HX-LDS-04", "An attached leader")) if p.target.leader else parts


@rule("HX-Q08", stages=("stay",))
def losses_of_blocked(b: HasBook, blocked: int) -> int:
    """Each hex that a unit cannot fall back costs it a model or point, without shields."""
    return blocked


@losses_of_blocked.amended_by("HX-Q08", stage="stay", house={"retreat_blocked": "stay"})
def a_blocked_unit_stays(lost: int, b: HasBook, blocked: int) -> int:
    """House rule: a unit that cannot fall back stays, unharmed."""
    return 0


class Ending(msgspec.Struct, frozen=True):
    """The state of a target after an attack."""

    strength: int
    """Models left, or Damage Capacity left; 0 for a destroyed unit."""
    leader_lost: bool = False
    retreat: int = 0
    """Number of hexes that the target fell back; 0 for a destroyed unit."""


def ending(b: HasBook, p: Profile, counts: Counts, hits: Hits, saved: int) -> Ending:
    """Return the target's state after an attack, if it ignores as many Retreat symbols as it may.

    Args:
        b: Holder of the house rules in force.
    """
    return ended(b, p, left_of(b, p.target, hits, saved), counts[LEADER], counts[RETREAT])


def ended(b: HasBook, p: Profile, left: int, leaders: int, retreats: int) -> Ending:
    lost = leader_falls(b, p.target, leaders, p.target.strength - left)
    if not left:
        return Ending(0, lost)
    far = max(0, retreats - total(favours(b, p)))
    moved = far if p.room is None else min(far, p.room)
    left = max(0, left - losses_of_blocked(b, far - moved))
    return Ending(left, lost, moved if left else 0)
