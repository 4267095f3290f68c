"""Features for the chance of winning a firefight: units left, the state of the mission, and time."""

from __future__ import annotations

from math import isqrt, log

from caltrop.geometry import INCH, Point, distance_sq
from caltrop.rules.squad_action.places import near_place
from caltrop.rules.squad_action.records import SIDES, Firefight, Unit
from caltrop.rules.squad_action.victory import CROSSROADS, counts_for_exit, holder, needed_to_leave, points_lost, totals

NAMES = (
    "left",
    "left-late",
    "units",
    "lost",
    "lost-late",
    "points",
    "points-late",
    "holding",
    "pilot",
    "pilot-home",
    "pilot-near",
    "crossroads",
    "crossroads-late",
    "there",
    "there-late",
    "breakthrough",
    "breakthrough-late",
    "out",
    "way",
    "heart",
    "first",
)


def features(t: Firefight) -> tuple[float, ...]:
    goal, defender = t.field.goal, t.field.defender
    late = min(1.0, t.round / max(1, t.field.turns))
    alive = [[u for u in t.units if u.side == side and u.where != "gone"] for side in range(SIDES)]
    mine, theirs = [sum([_left(u) for u in some]) + 20 for some in alive]
    ratio = max(-2.5, min(2.5, log(mine / theirs)))
    units = max(-5, min(5, len(alive[0]) - len(alive[1]))) / 5
    lost = points = holding = pilot = home = near = there = out = way = heart = 0.0
    roads = through = 0.0
    if goal == "meeting":
        a, b = totals(t)
        points = max(-6, min(6, a - b)) / 3
        for n in range(len(t.field.objectives)):
            side = holder(t, n)
            holding += 0.0 if side is None else 1.0 if side == 0 else -1.0
    elif goal == "pilot":
        a, b = points_lost(t, 0), points_lost(t, 1)
        lost = max(-2.0, min(2.0, (b - a) / 100))
        if t.pilot is not None:
            carrier = t.pilot.unit
            if carrier is not None:
                u = t.units[carrier]
                pilot = 1.0 if u.side == 0 else -1.0
                at = _middle(t, u)
                if at is not None:
                    way_home = at[1] if u.side == 0 else t.field.table.height - at[1]
                    home = pilot * (1 - way_home / t.field.table.height)
            else:
                ways = [min([_away(t, u, t.pilot.at) for u in some if u.on_foot], default=40.0) for some in alive]
                near = max(-2.0, min(2.0, (ways[1] - ways[0]) / 12))
    elif goal == "crossroads" and defender is not None:
        sign = roads = 1.0 if defender == 0 else -1.0
        at = t.field.objectives[0].at
        near_it = [near_place(t, u.id, at, CROSSROADS) for u in t.of_side(defender) if not u.broken]
        there = sign * (min(2, sum(near_it)) / 2 if t.round else 1.0)
    elif goal == "breakthrough" and defender is not None:
        sign = through = 1.0 if defender == 0 else -1.0
        attacker = 1 - defender
        needed = max(1, needed_to_leave(t, attacker))
        gone = sum([counts_for_exit(t, x) for x in dict.fromkeys(t.exited)])
        out = -sign * gone / needed
        height = t.field.table.height
        away = [_middle(t, u) for u in (t.of_side(attacker) if t.round else alive[attacker])]
        # A unit that has not been placed still has the whole distance to go.
        far = sorted([height if at is None else height - at[1] for at in away])
        if gone < needed:
            last = far[needed - gone - 1] / (12 * INCH) if needed - gone <= len(far) else 9.0
            way = -sign * max(-2.0, min(2.0, (t.field.turns - t.round + 1 - last) / 2))
    if t.field.morale is not None:
        side = t.field.morale
        every = [u for u in t.units if u.side == side]
        down = sum([u.where == "gone" or u.broken for u in every]) / max(1, len(every))
        heart = down if side == 1 else -down
    return (
        ratio * (1 - late),
        ratio * late,
        units,
        lost * (1 - late),
        lost * late,
        points * (1 - late),
        points * late,
        holding,
        pilot,
        home,
        near,
        roads,
        roads * late,
        there,
        there * late,
        through,
        through * late,
        out,
        way,
        heart,
        _first(t) * (1 - late),
    )


def _first(t: Firefight) -> float:
    """Return 1/2 if side 0 has the first turn, -1/2 if side 1 has, and 0 before it is decided."""
    return 0.0 if not t.round else 0.5 if t.first == 0 else -0.5


def _left(u: Unit) -> float:
    """Return the remaining worth of a unit in points of the army lists, reduced if it is Pinned or broken."""
    whole = (u.points or 10 * u.starting) * (1.0 if u.starting < 2 else len(u.models) / u.starting)
    return whole * (0.4 if u.broken else 0.8 if u.pinned else 1.0)


def _middle(t: Firefight, u: Unit) -> Point | None:
    return next((at for m in u.models if (at := t.models[m].at) is not None), None)


def _away(t: Firefight, u: Unit, to: Point) -> float:
    at = _middle(t, u)
    return 40.0 if at is None else isqrt(distance_sq(at, to)) / INCH
