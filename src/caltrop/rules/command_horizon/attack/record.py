"""The record of one attack: attackers, target and circumstances."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.catalogue import UnitKind, unit_kind
from caltrop.rules.command_horizon.records import DroneState

Mode = Literal["fire", "reaction-fire", "artillery", "close-combat", "charge"]
"""Kind of an attack. `charge` is the charger's first round, including an Asori Rush; all other attacks in close combat
are `close-combat`.
"""


class Arms(msgspec.Struct, frozen=True):
    """The models of one kind of base that roll in an attack."""

    kind: str
    """Kind of the base. Heavy Weapon teams attached to a Squad are `heavy-weapons`."""
    models: int
    worms: tuple[int, ...] = ()
    """Numbers of Worm Tokens on models that have any, the highest first, so that equal attacks are equal records."""


class Target(msgspec.Struct, frozen=True):
    """The unit that is attacked."""

    army: str
    kind: str
    models: int
    stuns: int = 0
    cover: int = 0
    """Number of cover bonuses: 0 or 1, or 2 with the house rule `cover.stack`."""
    drone: DroneState | None = None
    """State of the target's Shield Drone, if the target is an Asori Command unit."""
    obstructed: int = 0
    """Number of cover bonuses that give infantry only one die; 0 without the house rule `obstructed.infantry`."""


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """One attack of a unit, or of some of its Squads, at one target. Equal records of attacks have equal odds."""

    mode: Mode
    army: str
    kind: str
    """Kind of the unit. A Squad with attached teams is `infantry`."""
    arms: tuple[Arms, ...]
    """Models that roll, by kind: Infantry before Heavy Weapon teams."""
    target: Target
    stuns: int = 0
    """Number of Stun markers that count: those of the unit, or in split fire this group's share."""
    platoon: bool = False
    """True if a whole Platoon attacks one target with all its bases."""
    bases: int = 0
    """Number of bases left in the Platoon, including those out of range."""
    starting: int = 0
    """Number of bases that the Platoon had at the start."""
    boosts: int = 0
    """Number of boosts that were paid for: 0 or 1, or more with the house rule `boost.stack`."""
    against_charge: bool = False
    """True for reaction fire at a unit that is charging."""
    marks: int = 0
    """Number of marks on the target, for a Ranged In artillery attack; 0 for standard fire."""
    marked: bool = False
    """True if the unit has marked a target this turn, so that this attack has one die less."""
    slugger: bool = False
    """True if an enemy Slugger is near, so that successes are rerolled once."""


def roller(b: HasBook, attack: Attack) -> UnitKind:
    return unit_kind(b, attack.army, attack.kind)


def aimed_at(b: HasBook, attack: Attack) -> UnitKind:
    return unit_kind(b, attack.target.army, attack.target.kind)


def roller_traits(b: HasBook, attack: Attack, *rest: Any) -> tuple[str, ...]:
    return unit_kind(b, attack.army, attack.kind).traits


def target_traits(b: HasBook, attack: Attack, *rest: Any) -> tuple[str, ...]:
    return unit_kind(b, attack.target.army, attack.target.kind).traits


def in_contact(attack: Attack) -> bool:
    """Return whether an attack is made in base contact: close combat, a charge or a Rush."""
    return attack.mode in ("close-combat", "charge")


@rule("CH-CHARGE-11", "CH-RUSH-02", stages=("later rounds",))
def mode_of_round(b: HasBook, charged: bool, number: int) -> Mode:
    """A unit that charged has its charge bonus or Rush in the first round."""
    return "charge" if charged else "close-combat"


@mode_of_round.amended_by("CH-FTTD-03", "CH-RUSH-03", stage="later rounds")
def the_second_round_knows_no_charge(mode: Mode, b: HasBook, charged: bool, number: int) -> Mode:
    return "close-combat" if number > 1 else mode
