"""The record of one attack: who rolls how much at what, and under which circumstances."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.catalogue import UnitKind, unit_kind
from caltrop.rules.command_horizon.records import DroneState

Mode = Literal["fire", "reaction-fire", "artillery", "close-combat", "charge"]
"""Kind of an attack. `charge` is the charger's first round, including an Asori Rush. All other rounds and units in
close combat have `close-combat`.
"""


class Arms(msgspec.Struct, frozen=True):
    """The models of one kind of base that roll dice in an attack."""

    kind: str
    """The base's own kind: Heavy Weapon teams attached to a Squad are `heavy-weapons`."""
    models: int
    worms: tuple[int, ...] = ()
    """Worm Tokens of each of them that has any, highest first (so that equal attacks are equal records)."""


class Target(msgspec.Struct, frozen=True):
    """The unit that an attack is made at."""

    army: str
    kind: str
    models: int
    stuns: int = 0
    cover: int = 0
    """Cover bonuses that it has: 0 or 1, or 2 with the house rule `cover.stack`."""
    drone: DroneState | None = None
    """The state of its Shield Drone, for an Asori command."""
    obstructed: int = 0
    """Cover bonuses that give infantry one die and not two: more than 0 only with `obstructed.infantry`."""


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """One attack of one unit, or of some Squads of it, at one target. Equal records have equal odds."""

    mode: Mode
    army: str
    kind: str
    """The unit's kind; a Squad with attached teams is `infantry`."""
    arms: tuple[Arms, ...]
    """Models that roll, kind by kind: Infantry before Heavy Weapon teams. Each kind at most once."""
    target: Target
    stuns: int = 0
    """Stun markers that count for it: the unit's, or in split fire this group's share."""
    platoon: bool = False
    """It is a whole Platoon that attacks one target with everything."""
    bases: int = 0
    """Bases left of the Platoon, those out of range too."""
    starting: int = 0
    """Bases that the Platoon began with."""
    boosts: int = 0
    """Boosts bought: 0 or 1, or more with the house rule `boost.stack`."""
    against_charge: bool = False
    """Reaction fire at a unit that is charging it."""
    marks: int = 0
    """Marks on the target that a Ranged In artillery attack uses; 0 for standard fire."""
    marked: bool = False
    """It marked a target this turn, and this attack loses the die."""
    slugger: bool = False
    """An enemy Slugger is near: successes are rerolled once."""


def roller(b: HasBook, attack: Attack) -> UnitKind:
    return unit_kind(b, attack.army, attack.kind)


def aimed_at(b: HasBook, attack: Attack) -> UnitKind:
    return unit_kind(b, attack.target.army, attack.target.kind)


def roller_traits(b: HasBook, attack: Attack, *rest: Any) -> tuple[str, ...]:
    return unit_kind(b, attack.army, attack.kind).traits


def target_traits(b: HasBook, attack: Attack, *rest: Any) -> tuple[str, ...]:
    return unit_kind(b, attack.target.army, attack.target.kind).traits


def in_contact(attack: Attack) -> bool:
    """Return whether it is fought base to base: close combat, a charge or a Rush."""
    return attack.mode in ("close-combat", "charge")


@rule("CH-CHARGE-11", "CH-RUSH-02", stages=("later rounds",))
def mode_of_round(b: HasBook, charged: bool, number: int) -> Mode:
    """A unit that charged has its charge bonus, or its Rush, when it fights."""
    return "charge" if charged else "close-combat"


@mode_of_round.amended_by("CH-FTTD-03", "CH-RUSH-03", stage="later rounds")
def the_second_round_knows_no_charge(mode: Mode, b: HasBook, charged: bool, number: int) -> Mode:
    return "close-combat" if number > 1 else mode
