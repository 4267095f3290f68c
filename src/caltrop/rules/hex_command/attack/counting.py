"""The number of battle dice, and its parts in order: range, card, losses, cover, and the attacker's ground."""

from __future__ import annotations

from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.attack.record import Profile
from caltrop.rules.hex_command.catalogue import (
    UnitClass,
    ground_of,
)

INDIRECT = (3, 3, 2, 2, 1, 1)
"""Dice of a heavy vehicle that fires indirectly, by range (HX-Q28)."""

_COLUMN: dict[UnitClass, int] = {"infantry": 0, "leader": 0, "vehicle": 1, "god-machine": 2}


@rule("HX-S30", "HX-S31", "HX-S32", "HX-S33", "HX-S35", "HX-S39", stages=("hill",))
def covers(b: HasBook, p: Profile) -> Sum:
    """The target's hex may reduce the attacker's dice in several ways. Dice of a card are not reduced (HX-Q33)."""
    if p.attacker is None:
        return ()
    column = _COLUMN[p.attacker.on_ground]
    parts = []
    for key in (p.target.ground, "entrenchment") if p.target.entrenched else (p.target.ground,):
        ground = ground_of(b, key)
        if ground.less[column] and ground.on:
            parts.append(Term(-ground.less[column], ground.clauses.split()[0], f"The target is in: {ground.title}"))
    return tuple(parts)


@covers.amended_by("HX-S34", stage="hill")
def a_hill_covers_nobody_from_a_hill(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """A hill gives no cover against an attacker on a hill."""
    if p.attacker is None or p.attacker.ground != "hill" or p.target.ground != "hill":
        return parts
    return tuple(term for term in parts if term.clause != "HX-S34")


@rule("HX-Q21", stages=("sum",))
def cover(b: HasBook, p: Profile) -> Sum:
    """Only the best reduction of the target's hex counts."""
    sum_ = covers(b, p)
    return (min(sum_, key=lambda term: term.value),) if sum_ else ()


@cover.amended_by("HX-Q21", stage="sum", house={"terrain_reduction": "sum"})
def every_cover_counts(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """House rule: all reductions of the hex are added up."""
    return covers(b, p)


@rule(
    "HX-S20",
    "HX-Q27",
    "HX-Q33",
    "HX-BAT-06",
    "HX-BAT-07",
    stages=("indirect", "card", "losses", "cover", "limit", "loss", "least"),
)
def battle_dice(b: HasBook, p: Profile) -> Sum:
    """The dice are those of the attacker's row at the range; beyond it there are none. A card has dice of its own."""
    if p.attacker is None:
        return p.extra
    row = p.attacker.row
    dice = row.dice_at(p.range)
    return (Term(dice, "HX-S20", f"{row.title}, range {p.range}"),) if dice else ()


@battle_dice.amended_by("HX-Q28", stage="indirect", house={"indirect_fire": "on"})
def heavy_vehicles_fire_as_artillery(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """House rule: a heavy vehicle that has not moved has the dice for indirect fire."""
    if not p.indirect:
        return parts
    return (Term(INDIRECT[p.range - 1], "HX-Q28", f"As artillery, range {p.range}"),) if p.range <= 6 else ()


@battle_dice.amended_by("HX-Q30", stage="card")
def a_card_gives_a_die(parts: Sum, b: HasBook, p: Profile) -> Sum:
    return (*parts, *p.extra) if p.attacker is not None and parts else parts


@battle_dice.amended_by("HX-Q17", stage="losses", house={"dice_drop_with_losses": "on"})
def losses_cost_a_die(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """House rule: a unit at half strength or less rolls one die less."""
    if p.attacker is None or not parts or not p.attacker.weakened:
        return parts
    return (*parts, Term(-1, "HX-Q17", "At half strength or below"))


@battle_dice.amended_by("HX-TRN-06", "HX-Q21", stage="cover")
def cover_takes_dice(parts: Sum, b: HasBook, p: Profile) -> Sum:
    return (*parts, *cover(b, p)) if parts and not p.indirect else parts


@battle_dice.amended_by("HX-S33", "HX-Q30", stage="limit")
def vehicles_in_ruins_are_limited(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """Vehicles in ruins roll at most two dice, after all other modifiers."""
    if p.attacker is None or not parts or p.indirect or p.attacker.on_ground != "vehicle":
        return parts
    ground = ground_of(b, p.attacker.ground)
    over = total(parts) - ground.most_vehicle_dice
    if not ground.most_vehicle_dice or over <= 0 or not ground.on:
        return parts
    return (
        *parts,
        Term(-over, "HX-S33", f"A vehicle in {ground.title.lower()} rolls {ground.most_vehicle_dice} at most"),
    )


@battle_dice.amended_by("HX-S38", "HX-Q30", stage="loss")
def a_ford_costs_a_die(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """A unit in a ford rolls one die less."""
    if p.attacker is None or not parts or p.indirect:
        return parts
    ground = ground_of(b, p.attacker.ground)
    if not ground.fewer_dice or not ground.on:
        return parts
    return (*parts, Term(-ground.fewer_dice, "HX-S38", f"It stands in: {ground.title}"))


@battle_dice.amended_by("HX-Q21", stage="least")
def dice_are_never_fewer_than_none(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """The number of dice is at least 0."""
    over = total(parts)
    return (*parts, Term(-over, "HX-Q21", "Never below 0")) if over < 0 else parts
