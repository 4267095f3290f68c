"""Single leaders: joining a unit, leaving it, and going with it."""

from __future__ import annotations

from typing import ClassVar

from caltrop.engine import Event, Refusal, guard
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.table.hexes import Hex

LEADER_UNIT = guard(
    ("HX-LDR-03", "HX-LDU-04", "HX-LDU-05"),
    "leader-unit",
    "The {unit}: a Leader unit attaches to nobody until one model is left",
)
ENEMY = guard("HX-LDR-02", "enemy-unit", "{hex} holds an enemy, and a leader attaches to friendly units alone")
ARE_LEADERS = guard("HX-Q14", "are-leaders", "{hex} holds leaders already: a leader attaches to units of other classes")
HAS_LEADER = guard("HX-Q14", "has-leader", "The unit at {hex} has a leader already, and a unit has one at most")
PARTED = guard(
    ("HX-LDS-09", "HX-Q26"), "parted", "The {leader} leaves a unit this turn, and may end in no other unit's hex"
)


class LeaderJoined(Event, frozen=True):
    """A single leader attached to a unit."""

    leader: int
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDR-02", "HX-LDS-01")

    def sentence(self, t: Battle) -> str:
        """Who joined whom."""
        return f"The {t.units[self.leader].name} joins the {t.units[self.unit].name}"

    def touches(self) -> tuple[int, ...]:
        """The leader and the unit."""
        return (self.leader, self.unit)


class LeaderParted(Event, frozen=True):
    """An attached leader and the unit went separate ways."""

    leader: int
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDS-07", "HX-LDS-08", "HX-Q26")

    def sentence(self, t: Battle) -> str:
        """Who left whom."""
        return f"The {t.units[self.leader].name} and the {t.units[self.unit].name} part"

    def touches(self) -> tuple[int, ...]:
        """The leader and the unit."""
        return (self.leader, self.unit)


def takes_leader(t: Battle, unit: Unit, side: int) -> Refusal | None:
    """Why a single leader of *side* may not attach to a unit; None where it may."""
    return (
        ENEMY.refuses(unit.side != side, hex=unit.hex)
        or ARE_LEADERS.refuses(unit.row.is_leader, hex=unit.hex)
        or HAS_LEADER.refuses(unit.hex in t.guests, hex=unit.hex)
    )


def may_join(t: Battle, leader: Unit, hex: Hex) -> Refusal | None:
    """Why a moving leader may not end in the hex of the unit that stands there; None where it may.

    A unit or a leader alone that moves into an occupied hex is another question: only a single leader may.
    """
    unit = t.units[t.board[hex]]
    return (
        LEADER_UNIT.refuses(not leader.alone, unit=leader.name)
        or takes_leader(t, unit, leader.side)
        or PARTED.refuses(leader.id in t.parted or t.host_of(leader) is not None, leader=leader.name)
    )
