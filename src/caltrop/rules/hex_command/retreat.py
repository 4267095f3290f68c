"""Retreats: the directions in which a unit may fall back, and the distance."""

from __future__ import annotations

from typing import ClassVar

from caltrop.engine import Event, rule
from caltrop.picture import Motion
from caltrop.rules.hex_command.entrenchments import give_up
from caltrop.rules.hex_command.places import barred
from caltrop.rules.hex_command.records import SOUTH, Battle, Unit
from caltrop.rules.hex_command.victory import settle
from caltrop.table.hexes import Hex


class FellBack(Event, frozen=True):
    """A unit fell back one hex."""

    unit: int
    start: Hex
    to: Hex
    leader: int | None = None
    """Id of the leader who went with the unit; None without a leader."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-RET-01", "HX-RET-02", "HX-DIE-07")
    template = "The {unit:falls} back from {start} to {to}"
    about = ("unit", "leader")

    def motion(self, t: Battle) -> Motion:
        return motion_between(t, self.touches(), self.start, self.to)


def motion_between(t: Battle, units: tuple[int, ...], start: Hex, to: Hex) -> Motion:
    """Return the motion of units that move together from one hex to another, under the first unit's name."""
    way = (t.map.centre(start), t.map.centre(to))
    return Motion(sort="move", unit=units[0], units=units, ways=((units[0], way),))


@rule("HX-MOV-06", "HX-Q08", "HX-Q14", "HX-S15")
def may_fall_back_to(t: Battle, unit: Unit, hex: Hex | None) -> bool:
    """A unit may fall back to a hex on the map that is free, and whose ground it may enter."""
    return hex is not None and hex not in t.board and barred(t, unit, hex) is None


@rule("HX-RET-02", "HX-Q07", stages=("direction",))
def straight_back(t: Battle, unit: Unit, hex: Hex, source: Hex | None) -> tuple[Hex | None, ...]:
    """A unit retreats straight away from the source of the attack. The unit's owner chooses among equal directions.

    The result is the hexes, with None for each that is off the map.

    Args:
        hex: Hex of the unit.
        source: Hex from which the unit retreats; None if it retreats towards its own base line (HX-S15, HX-Q33).
    """
    return to_base_line(t, unit, hex) if source is None else t.map.away(hex, source)


@straight_back.amended_by("HX-Q07", stage="direction", house={"retreat_direction": "own_baseline"})
def everybody_goes_home(
    ways: tuple[Hex | None, ...], t: Battle, unit: Unit, hex: Hex, source: Hex | None
) -> tuple[Hex | None, ...]:
    """House rule: units always retreat towards their own base line."""
    return to_base_line(t, unit, hex)


@rule("HX-S15", "HX-S14", "HX-Q33")
def to_base_line(t: Battle, unit: Unit, hex: Hex) -> tuple[Hex, ...]:
    """A unit that retreats towards its own base line goes to one of the two neighbours in the next row."""
    return t.map.rows_on(hex, 1 if unit.side == SOUTH else -1)


@rule("HX-Q08", "HX-Q33", stages=("direction", "blocked"))
def aside(t: Battle, unit: Unit, hex: Hex, source: Hex | None) -> tuple[Hex, ...]:
    """If the straight directions are blocked, a unit may retreat to any other neighbour farther from the source.

    A retreat towards the base line has no other directions than straight ones.
    """
    return () if source is None else t.map.farther(hex, source)


@aside.amended_by("HX-Q07", stage="direction", house={"retreat_direction": "own_baseline"})
def nobody_steps_aside_on_the_way_home(
    ways: tuple[Hex, ...], t: Battle, unit: Unit, hex: Hex, source: Hex | None
) -> tuple[Hex, ...]:
    """House rule: a retreat towards the base line has no other directions than straight ones."""
    return ()


@aside.amended_by("HX-Q08", stage="blocked", house={"retreat_blocked": ("loss", "stay")})
def nobody_steps_aside(ways: tuple[Hex, ...], t: Battle, unit: Unit, hex: Hex, source: Hex | None) -> tuple[Hex, ...]:
    """House rule: a unit whose straight directions are blocked has no other directions."""
    return ()


def ways_back(t: Battle, unit: Unit, source: Hex | None, hex: Hex | None = None) -> tuple[Hex, ...]:
    """Return the hexes to which a unit may fall back by one step; empty if the unit is blocked.

    Args:
        source: Hex from which the unit retreats; None if it retreats towards its own base line.
        hex: Assumed hex of the unit; by default its present hex.
    """
    at = hex or unit.hex
    if at is None:
        return ()
    hexes = [h for h in straight_back(t, unit, at, source) if h is not None and may_fall_back_to(t, unit, h)]
    if not hexes:
        hexes = [h for h in aside(t, unit, at, source) if may_fall_back_to(t, unit, h)]
    return tuple(hexes)


def in_the_way(t: Battle, unit: Unit, source: Hex | None, hex: Hex) -> tuple[str, ...]:
    """Describe the obstacles to a blocked unit's retreat: units, ground, or the edge of the map.

    Args:
        source: Hex from which the unit retreats; None if it retreats towards its own base line.
    """
    straight = straight_back(t, unit, hex, source)
    ways = dict.fromkeys([h for h in (*straight, *aside(t, unit, hex, source)) if h is not None])
    hexes = [f"the {t.called(t.board[h]) if h in t.board else t.ground(h).title.lower()} at {h}" for h in ways]
    if None in straight or not straight:
        hexes.append("the edge of the map")
    return tuple(hexes)


def room_behind(t: Battle, unit: Unit, source: Hex | None, most: int) -> int:
    """Return the number of hexes that a unit can fall back by the best path, at most *most*."""
    edge, far = {unit.hex}, 0
    while far < most:
        edge = {to for hex in edge for to in ways_back(t, unit, source, hex)}
        if not edge:
            break
        far += 1
    return far


def shift(t: Battle, unit: int, to: Hex) -> int | None:
    """Move a unit with its leader into a free hex, and remove its entrenchment. Return the leader's id, or None."""
    moved = t.units[unit]
    leader = t.leader_of(moved)
    start = moved.hex
    t.put(unit, to)
    if leader is not None:
        t.put(leader.id, to, guest=True)
    if start is not None:
        give_up(t, start)
    return None if leader is None else leader.id


def fall_back(t: Battle, unit: int, to: Hex) -> None:
    start = t.units[unit].hex
    assert start is not None
    leader = shift(t, unit, to)
    t.tell(FellBack(unit, start, to, leader))
    settle(t)
