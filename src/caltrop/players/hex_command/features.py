"""Features for the chance of winning a battle: banners, units, hands, expected attacks, and time."""

from __future__ import annotations

from collections import Counter
from math import log

from caltrop.players.hex_command.outlook import FAR, SideOutlook
from caltrop.players.hex_command.plan import stuck
from caltrop.players.hex_command.weights import VETERAN
from caltrop.players.hex_command.worth import full, left, missing, sits_tight
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.routes import within_reach
from caltrop.rules.hex_command.victory import banners

NAMES = (
    "banners",
    "banners-late",
    "nearer",
    "left",
    "left-late",
    "captured",
    "waits",
    "waits-late",
    "waits-last",
    "prize",
    "way",
    "way-left",
    "turn",
    "opening",
    "strikes",
    "answers",
    "ends",
    "heads",
    "seat",
    "banners-short",
    "nearer-short",
    "left-short",
    "left-late-short",
    "hand",
    "hand-late",
)

SHORT = 8
"""Largest number of banners of both sides for a short battle, in which units matter more than banners."""

BLOWS = 3
"""Approximate number of units that a side orders in a turn."""
MOST = 4.0
"""Largest value of the feature for the gain of the next turn, in banners."""
ROAD = 1
"""Number of hexes that a road can add to a move."""


def features(t: Battle) -> tuple[float, ...]:
    """Return the features of a battle, in the order of `NAMES`. Greater numbers of a feature favour side 0."""
    counted = t.active if t.field.limit.side is None else t.field.limit.side
    late = min(1.0, t.turns[counted] / max(1, t.field.limit.turns))
    ahead = (banners(t, 0) - banners(t, 1)) / 3
    # A side that needs only one more banner is close to winning.
    nearer = 1 / (0.5 + missing(t, 0)) - 1 / (0.5 + missing(t, 1))
    # Units that have not been placed yet also count.
    here = [u for u in t.units if u.strength and (u.hex is not None or not t.round)]
    strength = [sum([left(t, u, u.strength, VETERAN) for u in here if u.side == side]) + 30 for side in (0, 1)]
    ratio = max(-2.5, min(2.5, log(strength[0] / strength[1])))
    captured = sum([1 if side == 0 else -1 for side in t.captured.values()])
    waits = sits_tight(t, 0) - sits_tight(t, 1)
    prize = way = way_left = 0.0
    if t.field.prize is not None:
        u = t.units[t.field.prize]
        prize = (1 if u.side == 0 else -1) * u.strength / full(u)
    if t.field.exit is not None:
        u, row = t.units[t.field.exit[0]], t.field.exit[1]
        if u.hex is not None:
            sign = 1 if u.side == 0 else -1
            rows = abs(t.map.row(u.hex) - row)
            turns = max(0, t.field.limit.turns - t.turns[u.side])
            way = sign * (1 - rows / t.map.rows)
            way_left = sign * max(-1.0, min(1.0, (turns - rows) / 4))
    blows = strikes(t, 0), strikes(t, 1)
    # The next attacks may win the last banners.
    ends = min(1.0, blows[0] / max(1, missing(t, 0))) - min(1.0, blows[1] / max(1, missing(t, 1)))
    short = float(sum(t.field.banners) <= SHORT)
    cards = hand(t, 0) - hand(t, 1)
    turn = 0.5 if t.active == 0 else -0.5
    heads = sum([1 if u.side == 0 else -1 for u in here])
    return (
        ahead * (1 - late),
        ahead * late,
        nearer,
        ratio * (1 - late),
        ratio * late,
        float(captured),
        float(waits),
        waits * late,
        waits * max(0.0, late - 0.7),
        prize,
        way,
        way_left,
        turn,
        # In the first turn of the battle few units can attack, so having that turn is worth less.
        turn if sum(t.turns) <= 1 else 0.0,
        blows[t.active] * (1 if t.active == 0 else -1),
        blows[1 - t.active] * (-1 if t.active == 0 else 1),
        ends,
        max(-5, min(5, heads)) / 5,
        1 - late,
        ahead * short,
        nearer * short,
        ratio * (1 - late) * short,
        ratio * late * short,
        cards * (1 - late),
        cards * late,
    )


def hand(t: Battle, side: int) -> float:
    """Return the worth of the cards in a side's hand; for hidden cards, the mean worth of unseen cards.

    Returns:
        The worth in banners.
    """
    held = t.hands[side]
    if held is not None:
        return sum([VETERAN.keep(card) for card in held]) / 100
    unseen = Counter(t.field.deck)
    unseen.subtract([*t.discards, *(t.hands[1 - side] or ())])
    some = list(unseen.elements())
    return t.held[side] * sum([VETERAN.keep(card) for card in some]) / (100 * max(1, len(some)))


def strikes(t: Battle, side: int) -> float:
    """Return the average gain of a side's best attacks if it moves next, with a target for each unit in reach.

    Returns:
        The gain in banners.
    """
    outlook = SideOutlook(t, side, wary=False)
    chances = []
    for unit in outlook.mine:
        if unit.alone or t.host_of(unit) is not None:
            continue
        assert unit.hex is not None
        near = min([t.map.distance(unit.hex, foe.hex or "") for foe in outlook.foes], default=FAR)
        if near > unit.row.battle_move + len(unit.row.dice) + ROAD:
            continue
        best, _ = outlook.best_attack(unit, unit.hex)
        for hex in within_reach(t, unit, unit.row.battle_move):
            if not stuck(unit, t.field.terrain.get(hex, "open")):
                best = max(best, outlook.best_attack(unit, hex)[0])
        chances.append(best)
    return min(MOST, sum(sorted(chances, reverse=True)[:BLOWS]) / 100)
