"""The moves of a unit: reasons against moving, reachable hexes, and the path to a hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from caltrop.engine import Refusal, guard, total
from caltrop.rules.hex_command.catalogue import CardKind
from caltrop.rules.hex_command.leaders import may_join
from caltrop.rules.hex_command.orders import card_for
from caltrop.rules.hex_command.places import barred, must_stop
from caltrop.rules.hex_command.reach import REPAIRING, farther_by_road, most_hexes
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.table.hexes import Hex, reach, way

NOT_ORDERED = guard("HX-TRN-03", "not-ordered", "You have not ordered the {unit} this turn")
HAS_MOVED = guard("HX-MOV-02", "has-moved", "The {unit} moved this turn, and a unit moves once")
LEADER_HAS_MOVED = guard(
    ("HX-MOV-02", "HX-Q14", "HX-Q26"),
    "leader-has-moved",
    "The {leader} moved to the {unit} this turn, and may not move on",
)
NO_LEADER = guard("HX-LDS-07", "no-leader", "No leader is attached to the {unit}, so none can be left behind")
LEFT_IN_WATER = guard(
    "HX-LDS-08", "left-in-water", "The {leader} may not be left alone at {hex}, nor go from there alone"
)


STAYS = {
    "fire-zone": guard("HX-S5A", "fire-zone", "The {unit} may not move: Fire Zone is an order to stand and fire"),
    "cold-steel": guard("HX-S5B", "cold-steel", "The {unit} may not move: Cold Steel is an order to stand and fight"),
}
"""Reasons why units ordered by certain cards may not move, by card."""
INSTEAD = {
    "dig-in": guard("HX-S56", "dig-in", "For the {unit} digging in takes the place of a move"),
    "repair": REPAIRING,
}
"""Reasons why units do something else in place of a move, by effect of the card."""
STANDS = guard(("HX-S5A", "HX-S5B"), "stands", "The {unit} may not move: {card} is an order to stand")
"""Reason why units ordered by a card of a pack may not move."""


FAR = 99


CLOSED, OPEN, LAST = 0, 1, 2


# --- destinations ----------------------------------------------------------------------------------------------------


def why_still(t: Battle, unit: Unit) -> Refusal | None:
    """Return why a unit of the active side may not move anywhere now, or None if it may."""
    if unit.id not in t.ordered:
        return NOT_ORDERED.refuses(True, unit=t.called(unit.id))
    if unit.id in t.moved:
        refusal = HAS_MOVED.refuses(True, unit=t.called(unit.id))
        if refusal is not None:
            return refusal
    card = card_for(t, unit.id)
    refusal = None if card is None or not card.on else _why_it_stands(t, unit, card)
    if refusal is not None:
        return refusal
    leader = t.leader_of(unit)
    if leader is not None and leader.id in t.moved:
        return LEADER_HAS_MOVED.refuses(True, leader=t.called(leader.id), unit=t.called(unit.id))
    host = t.host_of(unit) if unit.alone else None
    return may_be_alone(t, unit) if host is not None else None


def _why_it_stands(t: Battle, unit: Unit, card: CardKind) -> Refusal | None:
    """Return why a unit that a card orders may not move, or None if it may."""
    if card.act in INSTEAD:
        return INSTEAD[card.act].refuses(True, unit=t.called(unit.id))
    if not card.stays:
        return None
    if card.key in STAYS:
        return STAYS[card.key].refuses(True, unit=t.called(unit.id))
    return STANDS.refuses(True, unit=t.called(unit.id), card=card.title)


def may_be_alone(t: Battle, leader: Unit) -> Refusal | None:
    """Return why a leader may not stay in its hex without its unit, or None if it may.

    Some ground may be entered by a unit, but not by a leader alone.
    """
    assert leader.hex is not None
    if barred(t, leader, leader.hex) is None:
        return None
    return LEFT_IN_WATER.refuses(True, leader=t.called(leader.id), hex=leader.hex)


def within_reach(t: Battle, unit: Unit, hexes: int) -> dict[Hex, int]:
    """Return the hexes in which a unit may end its move, with their distances.

    Args:
        hexes: Largest move off the road, in hexes.
    """
    start = unit.hex
    assert start is not None
    enter = entering(t, unit)
    steps_to = reach(t.map, start, hexes, enter)
    if t.ground(start).road:
        more = total(farther_by_road(t, unit))
        if more:
            for hex, far in reach(t.map, start, hexes + more, _by_road(t, enter)).items():
                steps_to.setdefault(hex, far)
    del steps_to[start]
    return steps_to


def entering(t: Battle, unit: Unit) -> Callable[[Hex], int]:
    """Return a function that says whether a unit may enter a hex, and whether its path may continue."""
    board, terrain, alone = t.board, t.field.terrain, unit.alone
    # The effects of ground on paths are cached by kind of unit, for a match.
    gates: dict[str, int] = t.book.scratch.setdefault("gates", {}).setdefault(unit.kind, {})

    def enter(hex: Hex) -> int:
        if hex in board:
            return LAST if alone and may_join(t, unit, hex) is None and barred(t, unit, hex) is None else CLOSED
        ground = terrain.get(hex)
        if ground is None:
            return OPEN
        gate = gates.get(ground)
        if gate is None:
            gate = gates[ground] = CLOSED if barred(t, unit, hex) else LAST if must_stop(t, unit, hex) else OPEN
        return gate

    return enter


def _by_road(t: Battle, enter: Callable[[Hex], int]) -> Callable[[Hex], int]:
    return lambda hex: enter(hex) if t.ground(hex).road else CLOSED


def may_go(t: Battle, unit: Unit) -> bool:
    enter = entering(t, unit)
    assert unit.hex is not None
    for hex in t.map.neighbours[unit.hex]:
        if enter(hex) != CLOSED:
            return most_hexes(t, unit) > 0
    return False


def movers(t: Battle, side: int) -> Iterator[Unit]:
    for id in t.ordered:
        if moves(t, side, id):
            yield t.units[id]


def moves(t: Battle, side: int, id: int) -> bool:
    """Return whether an ordered unit belongs to the side and can still move."""
    if id in t.moved and HAS_MOVED(True):
        return False
    unit = t.units[id]
    return unit.hex is not None and unit.side == side and why_still(t, unit) is None and may_go(t, unit)


def way_to(t: Battle, unit: Unit, to: Hex) -> tuple[Hex, ...] | None:
    assert unit.hex is not None
    enter, most = entering(t, unit), most_hexes(t, unit)
    path = way(t.map, unit.hex, to, most, enter)
    if path is None and t.ground(unit.hex).road:
        path = way(t.map, unit.hex, to, most + total(farther_by_road(t, unit)), _by_road(t, enter))
    return path


def goes_by_road(t: Battle, unit: Unit, to: Hex, hexes: int) -> bool:
    """Return whether a unit can reach a hex entirely by road, including its start, within a number of hexes."""
    if unit.hex is None or not (t.ground(unit.hex).road and t.ground(to).road):
        return False
    return way(t.map, unit.hex, to, hexes, _by_road(t, entering(t, unit))) is not None
