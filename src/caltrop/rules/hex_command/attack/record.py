"""The facts about both sides that one attack needs: everything that counts, and nothing of the map."""

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
    """The unit that battles."""

    kind: str
    """Its row in the unit table."""
    on_ground: UnitClass
    """As what it counts for terrain."""
    leader: bool = False
    """True if a leader is attached to it."""
    weakened: bool = False
    """True if it is at half strength or below."""
    ground: str = "open"
    pack: PackMark = UNSET
    """The pack that its row is of."""

    @property
    def row(self) -> UnitKind:
        return UNITS[self.kind] if self.pack is UNSET else row_of(self.kind, self.pack)


class Target(msgspec.Struct, frozen=True):
    """The unit that dice are rolled at."""

    kind: str
    """Its row in the unit table."""
    strength: int
    """Models, or Damage Capacity, that are left."""
    leader: bool = False
    """True if a leader is attached to it."""
    was: str = ""
    """The row of the Leader unit that a single leader is left of."""
    ground: str = "open"
    entrenched: bool = False
    spent: int = 0
    """Shield dice that it has rolled this turn, if they are a pool for the turn."""
    pack: PackMark = UNSET
    """The pack that its row is of."""

    @property
    def row(self) -> UnitKind:
        return UNITS[self.kind] if self.pack is UNSET else row_of(self.kind, self.pack)

    @property
    def bought_as(self) -> UnitKind:
        """Return the row by which it was bought: for a single leader, that of his Leader unit."""
        return row_of(self.was, self.pack) if self.was else self.row

    @property
    def leaders(self) -> bool:
        """True if it is a Leader unit, which may be reduced to a single leader."""
        return self.row.is_leader and self.row.models > 1


class Profile(msgspec.Struct, frozen=True):
    """One attack, before its dice."""

    attacker: Attacker | None
    """None for dice that a card rolls (HX-Q33)."""
    target: Target
    range: int = 0
    """Hexes from the attacker to the target; 0 for a card's dice."""
    extra: Sum = ()
    """Dice that a card gives the attacker; if there is none, the dice of the card."""
    indirect: bool = False
    """True if it is fired as artillery does (HX-Q28)."""
    surged: bool = False
    """True if a Shield Surge doubles the shield dice."""
    room: int | None = None
    """Number of hexes the target can fall back before it is blocked; None for as many as are needed."""
