"""What models, places and goals are worth, in whole points: a model of Quality 1 is worth a hundred.

Chances are whole numbers too, in parts of a thousand.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from types import MappingProxyType

from caltrop.geometry import CONTACT, INCH, Point, distance_sq, gap_within
from caltrop.rules.blade_skirmish.catalogue import STEP
from caltrop.rules.blade_skirmish.fatality import SLIPPERY
from caltrop.rules.blade_skirmish.skirmish import Edge, Fighter, Skirmish
from caltrop.rules.blade_skirmish.victory import GRASP, HOLD, must_leave, seeks

SURE = 1000
"""A chance of one."""

BY_QUALITY: Mapping[int, int] = MappingProxyType({0: 60, 1: 100, 2: 150, 3: 220, 4: 310, 5: 420, 6: 550})
"""What a model is worth: each step of Quality less than twice the last, for a fight lost is lost with everybody."""
VICTORY = 110
"""What a victory point is worth where points are counted."""
CARRIER = 350
"""What the model with the relic is worth besides."""
DOWN = 40
"""What it is worth to stun a model or put her to flight, in per cent of taking her off the table."""

PULL, PATIENCE = 8, 6
"""What an inch from the nearest enemy costs a side that has to find them; and what while it can wait for them."""
PRESSING = 4
"""How much more it costs with each turn where somebody plays the enemy, who may wait as well."""
HASTE = 6
"""With fewer turns left than these it waits no longer."""
NEAR_ENOUGH = 4 * INCH
"""Nearer than this the odds say whether to go nearer still."""
ALONE = 5
"""What an inch from the nearest comrade costs, beyond the first few."""
TOGETHER = 4 * INCH
"""Comrades nearer than this can help one another."""
CROWDED = 4
"""What it costs to stand so near to a comrade that both are in each other's way."""
APART = INCH * 3 // 4
SLIPS = 120
"""What it costs to stand where the floor is slippery."""
CORNERED = 8
"""What an inch costs that is missing to the edge of the table: who flees from there does not come far."""
ROOM = 2 * INCH

TIME = (40, 40, 26, 12, 5)
"""What an inch costs on a way that has to be gone: by how many turns more there are for it than it takes."""
HOLDING = 22
"""What an inch costs from what is to be held."""
ARRIVED = 600
"""What it is worth to be there."""
TAKEN = 160
"""What it is worth to take the relic."""
ESCORT = 3
"""What an inch costs between the carrier of the relic and the others."""


def worth(t: Skirmish, f: Fighter) -> int:
    """What the loss of a model costs her side."""
    found = BY_QUALITY.get(f.quality, 100)
    if t.field.goal == "blood":
        found += VICTORY
    if t.relic is not None and t.relic.carrier == f.id:
        found += CARRIER
    if t.field.goal == "leave" and seeks(t, f.side):
        # One who is missing in the end has lost the game with her.
        spare = len(t.of_side(f.side)) + len(t.escaped) - must_leave(t)
        found += 300 // max(1, spare + 1)
    return found


def turns_left(t: Skirmish, side: int) -> int:
    """Turns that a side has still to begin, this one not counted; many where there is no limit."""
    return 99 if t.field.limit is None else max(0, t.field.limit - t.turns[side])


def pull(t: Skirmish, side: int) -> int:
    """What an inch from the nearest enemy costs: automated models come by themselves, for as long as there is time."""
    if any(f.side != side and f.side not in t.field.automated for f in t.on_table()):
        return PULL + PRESSING * t.turns[side]
    pressed = t.field.goal in ("clear", "none") and turns_left(t, side) < HASTE
    return PULL if pressed else PATIENCE


def length(at: Point, to: Point) -> int:
    """How far it is from one place to another."""
    return isqrt(distance_sq(at, to))


def to_edge(t: Skirmish, at: Point, edge: Edge) -> int:
    """How far a base at a place is from an edge."""
    x, y = at
    table = t.field.table
    return {"north": table.height - y, "east": table.width - x, "south": y, "west": x}[edge] - t.field.radius


def pressing(t: Skirmish, side: int, far: int) -> int:
    """What an inch costs on a way that has to be gone before the limit; the less time is left the more."""
    spare = turns_left(t, side) - far // (STEP + STEP)
    return TIME[min(max(spare, 0), len(TIME) - 1)]


def place(t: Skirmish, f: Fighter, at: Point) -> int:
    """What it is worth for a model of the side with the goal to stand at a place, enemies left aside."""
    goal = t.field.goal
    table = t.field.table
    margin = min(at[0], at[1], table.width - at[0], table.height - at[1]) - t.field.radius
    found = 0
    reach = (2 * t.field.radius + SLIPPERY) ** 2
    for guts in t.guts:
        dx, dy = guts.at[0] - at[0], guts.at[1] - at[1]
        if dx * dx + dy * dy <= reach:
            found -= SLIPS
    if not (goal == "leave" or (t.relic is not None and t.relic.carrier == f.id)):
        found -= CORNERED * max(0, ROOM - margin) // INCH
    if not seeks(t, f.side):
        return found
    if goal == "hold" and t.field.place is not None:
        away = length(at, t.field.place) - HOLD - t.field.radius
        late = 2 if turns_left(t, f.side) <= 1 else 1
        found -= HOLDING * late * max(0, away) // INCH
    elif goal == "leave":
        far = to_edge(t, at, t.field.exit)
        found -= pressing(t, f.side, far) * far // INCH
    elif goal == "relic" and t.relic is not None:
        found += _relic(t, f, at)
    return found


def _relic(t: Skirmish, f: Fighter, at: Point) -> int:
    """What a place is worth where a relic is to be taken home."""
    assert t.relic is not None
    if t.relic.carrier == f.id:
        far = to_edge(t, at, t.field.home)
        return 5 * ARRIVED if far <= 0 else -max(TIME[2], pressing(t, f.side, far)) * far // INCH
    if t.relic.carrier is not None:
        there = t.fighters[t.relic.carrier].at
        return 0 if there is None else -ESCORT * length(at, there) // INCH
    far = length(at, t.relic.at)
    return -pressing(t, f.side, far + to_edge(t, t.relic.at, t.field.home)) * far // INCH


def comes_by(t: Skirmish, f: Fighter, at: Point) -> int:
    """What it is worth for a model to end a walk or a run at a place: she may leave there, or take a relic."""
    if not seeks(t, f.side):
        return 0
    if t.field.goal == "leave" and to_edge(t, at, t.field.exit) <= CONTACT:
        return ARRIVED
    free = t.relic is not None and t.relic.carrier is None
    if free and t.relic is not None and gap_within((*at, t.field.radius), (*t.relic.at, 0), GRASP):
        return TAKEN
    return 0
