"""Single leaders: they join a unit, leave it, and move with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from caltrop.asking import Act, OneOf, Pick
from caltrop.engine import (
    Ask,
    End,
    Event,
    Procedure,
    Refusal,
    ask,
    guard,
    rule,
    step,
    trigger,
)
from caltrop.engine.rule import HasBook
from caltrop.picture import Motion
from caltrop.rules.hex_command.catalogue import UnitKind
from caltrop.rules.hex_command.places import barred
from caltrop.rules.hex_command.records import Battle, Unit, placed, spot_of
from caltrop.rules.hex_command.retreat import motion_between
from caltrop.rules.hex_command.victory import UnitLost, settle
from caltrop.table.hexes import Hex

LEADER_UNIT = guard(
    ("HX-LDR-03", "HX-LDU-04", "HX-LDU-05"),
    "leader-unit",
    "The {unit}: a Leader unit attaches to nobody until one model is left",
)
ENEMY = guard("HX-LDR-02", "enemy-unit", "{hex} holds an enemy, and a leader attaches only to friendly units")
ARE_LEADERS = guard("HX-Q14", "are-leaders", "{hex} holds leaders already: a leader attaches to units of other classes")
HAS_LEADER = guard("HX-Q14", "has-leader", "The unit at {hex} has a leader already, and a unit has one at most")
PARTED = guard(
    ("HX-LDS-09", "HX-Q26"), "parted", "The {leader} leaves a unit this turn, and may end in no other unit's hex"
)
WITH_ANOTHER = guard(
    ("HX-Q14", "HX-LDS-09"), "with-another", "The {leader} has a leader attached, and joins no unit this turn"
)
NO_HAVEN = guard("HX-Q16", "no-haven", "That is none of the nearest units that may take the leader: {unit}")


class Escape(Procedure):
    """A leader whose unit was destroyed escapes to another unit (house rule)."""

    side: int
    unit: int

    @step("HX-Q16")
    def look_for_a_haven(self, t: Battle) -> Ask | End:
        refuges = havens(t, t.units[self.unit])
        if not refuges:
            return End()
        if len(refuges) > 1:
            return ask(ChooseHaven(side=self.side, leader=self.unit))
        self._join(t, refuges[0])
        return End()

    @step("HX-Q16")
    def escape(self, t: Battle, choice: EscapeTo) -> None:
        self._join(t, choice.unit)

    def _join(self, t: Battle, unit: int) -> None:
        start = t.units[self.unit].hex
        t.put(self.unit, t.units[unit].hex, guest=True)
        t.tell(LeaderJoined(self.unit, unit, start))
        settle(t)


@rule("HX-LDR-02", "HX-Q14", stages=("house",))
def is_led(b: HasBook, row: UnitKind) -> bool:
    """Units of all classes except Leader may have a leader attached."""
    return not row.is_leader


@is_led.amended_by("HX-LDR-02", "HX-Q14", stage="house", house={"leader_joins": "any"})
def leader_units_are_led_too(led: bool, b: HasBook, row: UnitKind) -> bool:
    """House rule: a single leader may also be attached to a Leader unit of several models."""
    return led or row.models > 1


def takes_leader(t: Battle, unit: Unit, side: int) -> Refusal | None:
    """Return why a single leader of *side* may not attach to a unit, or None if it may."""
    return (
        ENEMY.refuses(unit.side != side, hex=unit.hex)
        or ARE_LEADERS.refuses(not is_led(t, unit.row), hex=unit.hex)
        or HAS_LEADER.refuses(unit.hex in t.guests, hex=unit.hex)
    )


def may_join(t: Battle, leader: Unit, hex: Hex) -> Refusal | None:
    """Return why a moving leader may not join the unit in a hex, or None if it may.

    Units other than leaders may never enter an occupied hex; this is checked elsewhere.
    """
    unit = t.units[t.board[hex]]
    return (
        LEADER_UNIT.refuses(not leader.alone, unit=t.called(leader.id))
        or takes_leader(t, unit, leader.side)
        or PARTED.refuses(leader.id in t.parted or t.host_of(leader) is not None, leader=t.called(leader.id))
        or WITH_ANOTHER.refuses(t.leader_of(leader) is not None, leader=t.called(leader.id))
    )


@rule("HX-Q16", stages=("house",))
def havens(t: Battle, leader: Unit) -> tuple[int, ...]:
    """A leader whose unit is destroyed stays alone in the hex, so no unit is its haven."""
    return ()


@havens.amended_by("HX-Q16", stage="house", house={"leader_escape": "on"})
def leaders_escape_to_the_nearest_unit(units: tuple[int, ...], t: Battle, leader: Unit) -> tuple[int, ...]:
    """House rule: the leader escapes to the nearest friendly unit that can have a leader.

    If several are equally near, the owner chooses.
    """
    at = leader.hex
    assert at is not None
    nearest_units = [
        (t.map.distance(at, u.hex), u.id)
        for u in t.of_side(leader.side)
        if u.hex is not None
        and u.id != leader.id
        and t.board[u.hex] == u.id
        and takes_leader(t, u, leader.side) is None
        and barred(t, leader, u.hex) is None
    ]
    nearest = min(nearest_units, default=(0, 0))[0]
    return tuple([unit for far, unit in nearest_units if far == nearest])


@trigger(UnitLost, "HX-Q16")
def a_leader_without_a_unit_escapes(t: Battle, event: UnitLost) -> Escape | None:
    """House rule: a leader attached to a destroyed unit may escape."""
    left = t.unit_at(event.hex)
    lost = t.units[event.unit]
    if left is None or left.side != lost.side or not left.alone or lost.alone or not havens(t, left):
        return None
    return Escape(side=left.side, unit=left.id)


# --- decisions -------------------------------------------------------------------------------------------------------


class EscapeTo(Act, frozen=True):
    """Attach the escaping leader to a unit."""

    unit: Annotated[
        int, Pick(lambda t, leader: havens(t, t.units[leader]), NO_HAVEN, placed, unit=lambda t, unit: t.name_of(unit))
    ]

    words = "Escape to the {unit}"
    context = ("leader",)
    actor = "leader"
    aim = "unit"
    spot = spot_of


class ChooseHaven(OneOf, frozen=True, kw_only=True):
    """The owner chooses to which unit a leader escapes."""

    leader: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q16",)
    settles: ClassVar[bool] = True
    template = "To which unit does the {name} escape?"
    says: ClassVar[Mapping[str, Any]] = {"name": lambda t, leader: placed(t, leader)}
    hint: ClassVar[str] = (
        "The leader's unit is destroyed. Several units are as near: you choose which one takes the leader."
    )
    acts = (EscapeTo,)


# --- events ----------------------------------------------------------------------------------------------------------


class LeaderJoined(Event, frozen=True):
    """A single leader attached to a unit."""

    leader: int
    unit: int
    start: Hex | None = None
    """Hex of a destroyed unit from which the leader escapes; None for a leader that marched."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDR-02", "HX-LDS-01")
    template = "The {leader} joins the {unit}"
    about = ("leader", "unit")

    def motion(self, t: Battle) -> Motion | None:
        """Return the motion of an escaping leader; None if the leader marched, because its march was already shown."""
        to = t.units[self.unit].hex
        if self.start is None or to is None or self.start == to:
            return None
        return motion_between(t, (self.leader,), self.start, to)


class LeaderParted(Event, frozen=True):
    """An attached leader and its unit separated."""

    leader: int
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDS-07", "HX-LDS-08", "HX-Q26")
    template = "The {leader} and the {unit} part"
    about = ("leader", "unit")
