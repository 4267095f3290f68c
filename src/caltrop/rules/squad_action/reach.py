"""The reach of a unit's Move: distances, units that block it, and edges over which it may leave (SQ-S10, SQ-S17)."""

from __future__ import annotations

from typing import Any

from caltrop.engine import rule
from caltrop.geometry import INCH, Box, Point
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.table.measured import Edge

BASE_MOVE = 6 * INCH
FAST_MOVE = 8 * INCH
LEEWAY = 2 * INCH
"""Distance that a model may move beyond the middle model's distance (SQ-Q50)."""
PACKS = 12 * INCH
"""Distance that jump packs carry a unit in an activation (SQ-TRT-09)."""
HOVERING = 8 * INCH
"""Distance that a hovering flyer may move in an activation (SQ-S56)."""
FLOWN = 12 * INCH
"""Smallest Move of a flyer that does not hover."""
WITH_PILOT = 6 * INCH
"""Distance that a unit with the pilot may move (SQ-S72)."""


# --- lengths ----------------------------------------------------------------------------------------------------------


def _traits(t: Firefight, unit: int, *rest: Any) -> tuple[str, ...]:
    return t.units[unit].traits


def acting(t: Firefight, unit: int) -> bool:
    u = t.units[unit]
    # During the last act of its activation, such as an assault, a unit has begun all its actions.
    return u.activated and (u.acted < int(t.book.rules["actions_per_activation"]) or u.moves > 0)


@rule("SQ-FMI-04", "SQ-Q62", "SQ-Q72", "SQ-S13", "SQ-Q60")
def has_moved(t: Firefight, unit: int) -> bool:
    """Return whether a unit has moved in this game turn or since its activation in it began, including Moves by a token
    (SQ-Q72).

    Earlier game turns do not count. Before its activation, a unit can have moved by a token that it used against an
    enemy earlier in this game turn.
    """
    u = t.units[unit]
    crept = u.crept > 0 and u.crept == t.round
    return (u.moved or crept) if u.activated else crept


def has_shot(t: Firefight, unit: int) -> bool:
    """Return whether a unit has shot since its activation of this turn began (SQ-Q62)."""
    u = t.units[unit]
    return u.activated and u.shot


def is_shaken_up(t: Firefight, unit: int) -> bool:
    """Return whether a unit has left a fast transport since its activation of this turn began (SQ-S45)."""
    u = t.units[unit]
    return u.activated and u.dazed


def gone(t: Firefight, unit: int) -> int:
    return t.units[unit].travelled if acting(t, unit) else 0


@rule("SQ-S10", "SQ-ORG-11", "SQ-ORG-58", "SQ-S55", stages=("traits",), traits=_traits)
def base_move(t: Firefight, unit: int) -> int:
    """Soldiers move 6 inches; machines move as far as their row says."""
    return BASE_MOVE if t.units[unit].on_foot else t.vehicle(unit).move


@base_move.amended_by("SQ-TRT-04", stage="traits", trait="fast")
def the_fast_move_farther(value: int, t: Firefight, unit: int) -> int:
    return max(value, FAST_MOVE)


@rule("SQ-ACT-01", "SQ-S10", stages=("packs", "hover", "pilot"))
def allowance(t: Firefight, unit: int, jump: bool) -> int:
    """A unit may go its base move."""
    return base_move(t, unit)


@allowance.amended_by("SQ-TRT-09", "SQ-Q36", "SQ-Q86", stage="packs")
def packs_carry_far(value: int, t: Firefight, unit: int, jump: bool) -> int:
    """A unit with jump packs goes up to 12 inches in an activation with them. Without jump packs each Move is a base
    move.
    """
    u = t.units[unit]
    used = jump or (u.activated and u.jumped)
    left = max(PACKS - gone(t, unit), 0)
    return (left if jump else min(value, left)) if used else value


@allowance.amended_by("SQ-S56", stage="hover")
def who_hovers_is_slow(value: int, t: Firefight, unit: int, jump: bool) -> int:
    """A hovering flyer moves at most 8 inches in an activation."""
    u = t.units[unit]
    return min(value, max(HOVERING - gone(t, unit), 0)) if u.kind == "flyer" and u.hovering else value


@allowance.amended_by("SQ-S72", stage="pilot")
def the_pilot_is_carried(value: int, t: Firefight, unit: int, jump: bool) -> int:
    """A unit with the pilot moves at most 6 inches."""
    return min(value, WITH_PILOT) if t.pilot is not None and t.pilot.unit == unit else value


# --- obstacles and edges ----------------------------------------------------------------------------------------------


@rule("SQ-S17", "SQ-Q60")
def stops(t: Firefight, mover: Unit, other: Unit) -> bool:
    """Every unit blocks others, except that friends on foot block only vehicles."""
    if mover.kind == "flyer" or other.kind == "flyer":
        return False
    return other.side != mover.side or not other.on_foot or mover.kind == "vehicle"


@rule("SQ-S10")
def is_kept_off(t: Firefight, mover: Unit, enemy: Unit) -> bool:
    """A unit must end its move more than 2 inches from every enemy. Flyers on either side are an exception."""
    return mover.kind != "flyer" and enemy.kind != "flyer"


def own_edge(side: int) -> Edge:
    return "south" if side == 0 else "north"


EDGES: tuple[Edge, ...] = ("west", "south", "east", "north")


@rule("SQ-S70", "SQ-S72", "SQ-S73", stages=("flyer",))
def exits_of(t: Firefight, unit: int) -> tuple[Edge, ...]:
    """A unit may leave the table over the edges that its mission names."""
    if not t.field.exits:
        return ()
    side = t.units[unit].side
    if t.field.goal == "pilot":
        return (own_edge(side),) if t.pilot is not None and t.pilot.unit == unit else ()
    if t.field.goal == "breakthrough":
        return (own_edge(1 - side),) if side != t.field.defender else ()
    return EDGES


@exits_of.amended_by("SQ-S56", "SQ-ORG-65", stage="flyer")
def flyers_leave_anywhere(value: tuple[Edge, ...], t: Firefight, unit: int) -> tuple[Edge, ...]:
    return EDGES if t.units[unit].kind == "flyer" else value


def edges_at(box: Box, place: Point) -> tuple[Edge, ...]:
    x, y = place
    on = {"west": x == box[0], "south": y == box[1], "east": x == box[2], "north": y == box[3]}
    inside = box[0] <= x <= box[2] and box[1] <= y <= box[3]
    return tuple([edge for edge in EDGES if inside and on[edge]])


def foot_of(box: Box, edge: Edge, place: Point) -> Point:
    x, y = place
    feet: dict[Edge, Point] = {
        "west": (box[0], y),
        "south": (x, box[1]),
        "east": (box[2], y),
        "north": (x, box[3]),
    }
    return feet[edge]
