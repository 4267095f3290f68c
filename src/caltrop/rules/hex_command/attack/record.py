"""The facts about attacker and target that an attack depends on, without the map."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from caltrop.engine import Sum
from caltrop.rules.hex_command.catalogue import (
    UNITS,
    PackMark,
    UnitClass,
    UnitKind,
    row_of,
)


class Attacker(msgspec.Struct, frozen=True):
    """The attacking unit."""

    kind: str
    """The unit's row in the unit table."""
    on_ground: UnitClass
    """Class of the attacking unit for the effects of terrain, such as `infantry`."""
    leader: bool = False
    """True if a leader is attached to the unit."""
    weakened: bool = False
    """True if the unit has half its strength or less."""
    ground: str = "open"
    pack: PackMark = UNSET
    """The pack of the unit's row."""

    @property
    def row(self) -> UnitKind:
        return UNITS[self.kind] if self.pack is UNSET else row_of(self.kind, self.pack)


class Target(msgspec.Struct, frozen=True):
    """The unit at which dice are rolled."""

    kind: str
    """The unit's row in the unit table."""
    strength: int
    """Models or Damage Capacity left."""
    leader: bool = False
    """True if a leader is attached to the unit."""
    was: str = ""
    """For a single leader, the row of its former Leader unit; otherwise empty."""
    ground: str = "open"
    entrenched: bool = False
    spent: int = 0
    """Number of shield dice already rolled this turn, if they can be rolled only once."""
    pack: PackMark = UNSET
    """The pack of the unit's row."""

    @property
    def row(self) -> UnitKind:
        return UNITS[self.kind] if self.pack is UNSET else row_of(self.kind, self.pack)

    @property
    def bought_as(self) -> UnitKind:
        """The row by which the unit was bought: for a single leader, that of the former Leader unit."""
        return row_of(self.was, self.pack) if self.was else self.row

    @property
    def leaders(self) -> bool:
        """True if the unit is a Leader unit, whose last model becomes a single leader."""
        return self.row.is_leader and self.row.models > 1


class Profile(msgspec.Struct, frozen=True):
    """An attack before its dice are rolled."""

    attacker: Attacker | None
    """The attacker; None for dice of a card (HX-Q33)."""
    target: Target
    range: int = 0
    """Distance from the attacker to the target in hexes; 0 for dice of a card."""
    extra: Sum = ()
    """Dice that a card gives the attacker; without an attacker, the dice of the card."""
    indirect: bool = False
    """True if the attack is indirect fire (HX-Q28)."""
    surged: bool = False
    """True if a Shield Surge doubles the shield dice."""
    room: int | None = None
    """Number of hexes that the target can fall back before it is blocked; None for no limit."""
