"""The worth of models, places and goals in points. A model of Quality 1 is worth 100.

Probabilities are integers in thousandths.
"""

from __future__ import annotations

from math import isqrt

from caltrop.geometry import CONTACT, INCH, Point, distance_sq, gap_within
from caltrop.players.blade_skirmish.weights import VETERAN, Weights
from caltrop.rules.blade_skirmish.catalogue import CHARGE, STEP
from caltrop.rules.blade_skirmish.fatality import SLIPPERY
from caltrop.rules.blade_skirmish.records import Edge, Fighter, Skirmish
from caltrop.rules.blade_skirmish.victory import GRASP, HOLD, home_of, must_leave, seeks

SURE = 1000


def worth(t: Skirmish, f: Fighter, weights: Weights = VETERAN) -> int:
    total = weights.model(f.quality)
    if t.field.goal == "blood":
        total += weights.victory
    if t.relic is not None and t.relic.carrier == f.id:
        total += weights.carrier
    if is_wanted(t, f):
        total += weights.captain
    if t.field.goal == "leave" and seeks(t, f.side):
        # If a model is needed so that enough can leave, losing her loses the game.
        spare = len(t.of_side(f.side)) + len(t.escaped) - must_leave(t)
        total += weights.needed // max(1, spare + 1)
    return total


def is_wanted(t: Skirmish, f: Fighter) -> bool:
    """Return whether the scenario's goal is to fell this model (BS-S55)."""
    return t.field.goal == "slay" and f.side != 0 and "captain" in t.habits(f.id)


def turns_left(t: Skirmish, side: int) -> int:
    """Return the number of turns that a side will still begin, without the current one; 99 without a limit."""
    return 99 if t.field.limit is None else max(0, t.field.limit - t.turns[side])


def pull(t: Skirmish, side: int, weights: Weights = VETERAN) -> int:
    """Return the cost of an inch from the nearest enemy. The pull is low if time is left and automated models come
    anyway.
    """
    if any(f.side != side and f.side not in t.field.automated for f in t.on_table()):
        return weights.pull + weights.pressing * t.turns[side]
    pressed = t.field.goal in ("clear", "slay", "none") and turns_left(t, side) < weights.haste
    return weights.pull if pressed else weights.patience


def inches(hundredths: int) -> int:
    """Return a length in the table's unit for a weight in hundredths of an inch.

    >>> inches(75) == 3 * INCH // 4
    True
    """
    return INCH * hundredths // 100


def length(at: Point, to: Point) -> int:
    return isqrt(distance_sq(at, to))


def to_edge(t: Skirmish, at: Point, edge: Edge) -> int:
    x, y = at
    table = t.field.table
    return {"north": table.height - y, "east": table.width - x, "south": y, "west": x}[edge] - t.field.radius


def pressing(t: Skirmish, side: int, far: int, weights: Weights = VETERAN) -> int:
    """Return the cost of an inch on a journey with a time limit; it rises as time runs out."""
    return weights.inch_in(turns_left(t, side) - far // (STEP + STEP))


def place(t: Skirmish, f: Fighter, at: Point, weights: Weights = VETERAN) -> int:
    """Return the worth of a place for a model of the side with the goal, ignoring enemies."""
    goal = t.field.goal
    table = t.field.table
    margin = min(at[0], at[1], table.width - at[0], table.height - at[1]) - t.field.radius
    total = 0
    reach = (2 * t.field.radius + SLIPPERY) ** 2
    for guts in t.guts:
        dx, dy = guts.at[0] - at[0], guts.at[1] - at[1]
        if dx * dx + dy * dy <= reach:
            total -= weights.slips
    if not (goal == "leave" or (t.relic is not None and t.relic.carrier == f.id)):
        total -= weights.cornered * max(0, inches(weights.room) - margin) // INCH
    if not seeks(t, f.side):
        return total
    if goal in ("hold", "stones") and t.field.place is not None:
        away = length(at, t.field.place) - HOLD - t.field.radius
        last = turns_left(t, f.side) <= 1
        far, near = _beyond_a_charge(max(0, away)) if goal == "stones" and not last else (max(0, away), 0)
        late = weights.holding_late if last else 100
        total -= (weights.holding * far + weights.holding_near * near) * late // (100 * INCH)
    elif goal == "leave":
        far = to_edge(t, at, t.field.exit)
        total -= pressing(t, f.side, far, weights) * far // INCH
    elif goal == "slay":
        places = [one.at for one in t.enemies_of(f.id) if is_wanted(t, one) and one.at is not None]
        far = max(0, min([length(at, there) for there in places], default=0) - inches(weights.near_enough))
        total -= pressing(t, f.side, far, weights) * weights.hunted * far // (100 * INCH)
    elif t.relic is not None:
        total += _relic(t, f, at, weights)
    return total


def _beyond_a_charge(away: int) -> tuple[int, int]:
    """Split a distance into the part beyond a walk and a charge, and the remaining part.

    >>> _beyond_a_charge(10 * INCH) == (2 * INCH, 8 * INCH)
    True
    """
    near = min(away, STEP + CHARGE)
    return away - near, near


def _relic(t: Skirmish, f: Fighter, at: Point, weights: Weights) -> int:
    assert t.relic is not None
    if t.relic.carrier == f.id:
        far = to_edge(t, at, home_of(t, f.side))
        if far <= 0:
            return weights.home
        return -max(weights.time_2, pressing(t, f.side, far, weights)) * far // INCH
    if t.relic.carrier is not None:
        carrier = t.fighters[t.relic.carrier]
        cost = weights.escort if carrier.side == f.side else weights.hunt
        return 0 if carrier.at is None else -cost * length(at, carrier.at) // INCH
    far = length(at, t.relic.at)
    return -pressing(t, f.side, far + to_edge(t, t.relic.at, home_of(t, f.side)), weights) * far // INCH


def comes_by(t: Skirmish, f: Fighter, at: Point, weights: Weights = VETERAN) -> int:
    if not seeks(t, f.side):
        return 0
    if t.field.goal == "leave" and to_edge(t, at, t.field.exit) <= CONTACT:
        return weights.arrived
    free = t.relic is not None and t.relic.carrier is None
    if free and t.relic is not None and gap_within((*at, t.field.radius), (*t.relic.at, 0), GRASP):
        return weights.taken
    return 0
