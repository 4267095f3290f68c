"""Features for the chance of winning: points, units and their positions, objectives, and time."""

from __future__ import annotations

from math import log

from caltrop.engine import total
from caltrop.geometry import CM
from caltrop.players.command_horizon.outlook import SideOutlook
from caltrop.players.command_horizon.worth import POINT, strength
from caltrop.rules.command_horizon.objectives import may_be_secured, may_secure
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.victory import points_of_side

RACES = ("asori", "putredine")
"""Races with a feature of their own, because their units fight better or worse than their points suggest."""
NAMES = (
    "points",
    "points-late",
    "points-last",
    "left",
    "left-late",
    "units",
    "holding",
    "holders",
    "through",
    "turn",
    "strikes",
    "answers",
    "stands",
    "stands-late",
    *RACES,
)

BLOWS = 4
"""Number of units with which a side fires in a good turn."""
MOST = 4.0
"""Largest value of two features, in victory points: the gain of the next turn, and the lead in position."""


def features(t: Battle) -> tuple[float, ...]:
    rounds = t.rounds or 8
    late = min(1.0, t.round / rounds)
    points = [total(points_of_side(t, side)) for side in (0, 1)]
    ahead = max(-6, min(6, points[0] - points[1])) / 3
    # At the end the side with more points wins, however small its lead.
    last = max(-1, min(1, points[0] - points[1])) * max(0.0, 4 * late - 3)
    # Units that have not been placed yet also count.
    mine, theirs = [
        [n for n, u in enumerate(t.units) if u.side == side and u.models and not u.left and (u.deployed or not t.round)]
        for side in (0, 1)
    ]
    left = [sum([strength(t, u) for u in some]) + 100 for some in (mine, theirs)]
    ratio = max(-2.5, min(2.5, log(left[0] / left[1])))
    holding = 0.0
    for o in t.objectives:
        if o.holder is not None and o.secured != o.holder and may_be_secured(t, o, o.holder):
            worth = o.worth * (2 if o.secured is not None else 1) + int(o.benefit is not None or o.sabotage is not None)
            holding += worth * (1 if o.holder == 0 else -1)
    holders = 0.0
    if any(o.worth or o.benefit or o.sabotage for o in t.objectives):
        able = [sum([may_secure(t, u) and not t.units[u].locked for u in some]) for some in (mine, theirs)]
        holders = max(-3, min(3, able[0] - able[1])) / 3
    through = 0.0
    if t.breakthrough:
        through = (_way(t, 0) - _way(t, 1)) * t.breakthrough / 3
    fire, stands = zip(*[outlooks(t, side) for side in (0, 1)], strict=True)
    better = max(-MOST, min(MOST, stands[0] - stands[1]))
    turn = 0.0 if not t.round else (0.5 if t.active == 0 else -0.5) * (1 - late)
    return (
        ahead * (1 - late),
        ahead * late,
        last,
        ratio * (1 - late),
        ratio * late,
        max(-4, min(4, len(mine) - len(theirs))) / 4,
        holding / 2,
        holders,
        through,
        turn,
        fire[t.active] * (1 if t.active == 0 else -1),
        fire[1 - t.active] * (-1 if t.active == 0 else 1),
        better * (1 - late),
        better * late,
        *[((t.armies[0].army == race) - (t.armies[1].army == race)) * (1 - late) for race in RACES],
    )


def outlooks(t: Battle, side: int) -> tuple[float, float]:
    """Return the average gain of a side's best shots from where its units stand, and the value of their places.

    Returns:
        Gain and value, both in victory points.
    """
    if not t.round:
        return 0.0, 0.0
    outlook = SideOutlook(t, side)
    judged = [outlook.judge(t, unit) for unit in outlook.mine]
    shots = sorted([max(0, one.shot) for one in judged], reverse=True)
    return min(MOST, sum(shots[:BLOWS]) / POINT), sum([one.rest for one in judged]) / POINT


def _way(t: Battle, side: int) -> float:
    """Return the sum of the distances that a side's units have covered towards the enemy's zone."""
    _, y0, _, y1 = zone_of(t, 1 - side)
    edge = (y0 + y1) // 2
    value = 0.0
    for u in t.in_play(side):
        discs = t.discs(u)
        away = abs(sum([d[1] for d in discs]) // len(discs) - edge)
        value += max(0.0, 1 - away / (100 * CM))
    return value
