"""The ground under a unit: as what a unit counts there, where it may go, and where it must stop."""

from __future__ import annotations

from caltrop.engine import Refusal, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.catalogue import UnitClass
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.table.hexes import Hex

IMPASSABLE = guard("HX-S36", "impassable", "{hex} is {ground}, which nobody may enter")
NO_SWIMMER = guard("HX-S37", "water", "{hex} is water, which only God Machines may enter")
ON_FOOT_ONLY = guard("HX-S35", "citadel", "{hex} is a citadel, which only infantry and leaders may enter")
TOO_HEAVY = guard("HX-S38", "ford", "{hex} is a ford, which heavy and super heavy vehicles may not enter")


@rule("HX-Q34")
def class_on_ground(b: HasBook, unit: Unit) -> UnitClass:
    """A unit's class for terrain: a Leader unit's is what it counts as, and a single leader is infantry."""
    row = unit.row
    return (row.counts_as or "infantry") if row.is_leader else row.unit_class


@rule("HX-Q34")
def class_for_cards(t: Battle, unit: Unit) -> UnitClass | None:
    """A unit's class for cards: a Leader unit's is what it counts as, and a single leader is of none."""
    row = unit.row
    return (row.counts_as or None) if row.is_leader else row.unit_class


def barred(t: Battle, unit: Unit, hex: Hex) -> Refusal | None:
    """Why the ground of a hex does not let a unit in; None where it does. Who stands there is another question."""
    ground = t.ground(hex)
    if ground.only_for is None and not ground.not_for:
        return None
    if ground.key == "spire":
        return IMPASSABLE.refuses(True, hex=hex, ground=ground.title.lower())
    if ground.key == "water":
        return NO_SWIMMER.refuses(class_on_ground(t, unit) != "god-machine", hex=hex)
    if ground.key == "citadel":
        return ON_FOOT_ONLY.refuses(unit.row.unit_class not in (ground.only_for or ()), hex=hex)
    return TOO_HEAVY.refuses(unit.kind in ground.not_for, hex=hex)


@rule("HX-S32", "HX-S33", "HX-S35", "HX-S37", "HX-S38", stages=("ground", "god-machines"))
def must_stop(t: Battle, unit: Unit, hex: Hex) -> bool:
    """Whether a unit that enters a hex goes no farther this turn."""
    ground = t.ground(hex)
    return ground.stop and ground.on


def _classes(t: Battle, unit: Unit, hex: Hex) -> tuple[str, ...]:
    return (unit.row.unit_class,)


@must_stop.amended_by("HX-S30", "HX-S32", "HX-S33", stage="god-machines", trait="god-machine", of=_classes)
def god_machines_stride_over(stops: bool, t: Battle, unit: Unit, hex: Hex) -> bool:
    """God Machines do not stop in ground that is smaller than they are by two sizes or more; water stops them."""
    ground = t.ground(hex)
    return stops and (ground.only_for is not None or ground.size > unit.row.number("size") - 2)
