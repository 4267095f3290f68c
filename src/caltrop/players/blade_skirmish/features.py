"""Features for the chance of winning a skirmish: the fighters left, the distance to the goal, and time."""

from __future__ import annotations

from math import log

from caltrop.engine import total
from caltrop.geometry import INCH
from caltrop.players.blade_skirmish.outlook import SideOutlook
from caltrop.players.blade_skirmish.weights import VETERAN
from caltrop.players.blade_skirmish.worth import length, to_edge
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.victory import HOLD, at_the_stones, home_of, must_leave, stones_points, victory_points

GOALS = ("clear", "hold", "leave", "relic", "slay")
"""Goals of side 0 only. The fit has a number for the difficulty of each, at the beginning and at the end."""
BOTH = ("blood", "stones", "standard")
"""Goals that both sides have. For goals of both sides, positions and initiative matter."""
HARD = "the-long-bridge"
"""A scenario that is harder than others with the goal of leaving."""
NAMES = (
    "left",
    "left-late",
    "heads",
    "points",
    "points-late",
    "there",
    "there-late",
    "away",
    "escaped",
    "relic",
    "home",
    "exchange",
    "stones",
    "stones-late",
    "middle",
    "middle-late",
    "standard",
    "standard-home",
    *[f"goal-{goal}" for goal in GOALS],
    *[f"goal-{goal}-late" for goal in GOALS],
    *[f"goal-{goal}" for goal in BOTH],
    "bridge",
    "bridge-late",
)


def features(t: Skirmish) -> tuple[float, ...]:
    goal = t.field.goal
    limit = t.field.limit or 12
    late = min(1.0, t.turns[0] / limit)
    waves = {id for w in t.field.waves for id in w.fighters}
    # Fighters who have not been placed yet also count.
    here = [f for f in t.fighters if f.at is not None or (f.fate == "waiting" and f.id not in waves and not t.round)]
    own = [f for f in here if f.side == 0]
    others = [f for f in here if f.side != 0]
    coming = [f for w in t.field.waves for id in w.fighters if (f := t.fighters[id]).fate == "waiting" and f.side != 0]
    mine = sum([_left(f) for f in own]) + 60
    theirs = sum([_left(f) for f in others]) + sum([0.8 * VETERAN.model(f.quality) for f in coming]) + 60
    ratio = max(-3.0, min(3.0, log(mine / theirs)))
    heads = (len(own) - len(others) - len(coming)) / 6
    ahead = 0.0
    if goal == "blood":
        ahead = max(-8, min(8, total(victory_points(t, 0)) - total(victory_points(t, 1)))) / 4
    there = away = escaped = relic = home = 0.0
    if goal == "hold" and t.field.place is not None:
        far = sorted([length(f.at, t.field.place) for f in own if f.at is not None and f.active])
        there = sum([1.0 if d <= HOLD + t.field.radius else 0.0 for d in far[:3]]) / 3 if t.round else 1.0
    elif goal == "leave":
        ways = sorted([to_edge(t, f.at, t.field.exit) if f.at is not None else t.field.table.height for f in own])
        needed = max(0, must_leave(t) - len(t.escaped))
        turns = max(0, limit - t.turns[0] + 1)
        # Number of turns that the last model who must leave needs beyond the limit.
        last = ways[needed - 1] / (6 * INCH) if 0 < needed <= len(ways) else 0.0 if not needed else 9.0
        away = max(-2.0, min(2.0, (turns - last) / 2))
        escaped = len(t.escaped) / max(1, must_leave(t))
    elif goal == "relic" and t.relic is not None:
        carrier = t.relic.carrier
        at = t.fighters[carrier].at if carrier is not None else t.relic.at
        relic = 1.0 if carrier is not None and t.fighters[carrier].side == 0 else 0.0
        if at is not None:
            home = 1 - to_edge(t, at, t.field.home) / t.field.table.height
    stones = middle = standard = way = 0.0
    if goal == "stones":
        stones = max(-8, min(8, total(stones_points(t, 0)) - total(stones_points(t, 1)))) / 4
        middle = max(-2, min(2, at_the_stones(t, 0) - at_the_stones(t, 1))) / 2
    elif goal == "standard" and t.relic is not None and t.relic.carrier is not None:
        bearer = t.fighters[t.relic.carrier]
        standard = 1.0 if bearer.side == 0 else -1.0
        if bearer.at is not None:
            way = standard * (1 - to_edge(t, bearer.at, home_of(t, bearer.side)) / t.field.table.height)
    goals = [float(goal == one) for one in GOALS]
    bridge = float(t.field.scenario == HARD)
    return (
        ratio * (1 - late),
        ratio * late,
        heads,
        ahead * (1 - late),
        ahead * late,
        there,
        there * late,
        away,
        escaped,
        relic,
        home * relic,
        exchange(t),
        stones * (1 - late),
        stones * late,
        middle * (1 - late),
        middle * late,
        standard,
        way,
        *goals,
        *[one * late for one in goals],
        *[float(goal == one) for one in BOTH],
        bridge,
        bridge * late,
    )


def exchange(t: Skirmish) -> float:
    """Return the expected gain of the active side from the next combat and the enemy's answer, as models stand now.

    Returns:
        The gain in models of Quality 1, positive in favour of side 0.
    """
    side = t.active
    if not t.round or side not in (0, 1) or side in t.field.automated:
        side = 0
    outlook = SideOutlook(t, side)
    spots = [outlook.spot(f, f.at) for f in outlook.own if f.at is not None]
    if not t.round or not spots or not outlook.foes:
        return 0.0
    gain = outlook.value(spots) - sum([spot.place for spot in spots])
    return max(-3.0, min(3.0, gain / 100)) * (1 if side == 0 else -1)


def _left(f: Fighter) -> float:
    """Return the remaining worth of a model. A model that has not been placed yet is undamaged."""
    return VETERAN.model(f.quality) * (0.6 if f.stunned or f.fleeing else 1.0)
