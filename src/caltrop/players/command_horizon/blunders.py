"""Count obvious mistakes in games of Command Horizon.

A `BlunderWatch` is shown every act with the state before and after it. The code defines the mistakes; in words:

- *hopeless attack*: an attack that cannot change its target, by its exact odds.
- *points lost*: a side ends its target allocation, and later loses unused points of that turn. The lost points could
  have paid for a shot at a target that cannot answer and is not yet attacked. The shot removes a quarter of a model or
  more on average.
- *idle unit*: a unit does nothing in two consecutive turns of its side: it does not move, fire, react, mark, charge,
  fight, spawn or concentrate command. The idle unit could have moved, is not stunned and touches no objective. Each two
  idle turns count once.
- *cover left*: a unit with half or more of its models in cover moves out of cover, into the range of an enemy that sees
  it. In that turn it does not fire, mark, charge or spawn, and ends on no objective. The unit also comes no nearer (by
  5 cm) to an objective, to the enemy's zone if the zone scores, or, for Putredine infantry, to an enemy vehicle.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from caltrop.engine import Decision
from caltrop.geometry import CM, distance_sq
from caltrop.rules.command_horizon.aim import aim, is_artillery
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.combat import React
from caltrop.rules.command_horizon.limits import why_still
from caltrop.rules.command_horizon.movement import Move, Orders
from caltrop.rules.command_horizon.objectives import touches
from caltrop.rules.command_horizon.odds import distribution
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.reaction import may_react
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.shooting import attack_of
from caltrop.rules.command_horizon.spawn import Spawn
from caltrop.rules.command_horizon.targets import (
    EndAllocation,
    Fire,
    FireAtSpot,
    MarkTarget,
    SplitFire,
    Targets,
)

KINDS = ("hopeless attack", "points lost", "idle unit", "cover left")


class BlunderWatch:
    """Counts blunders of each side through one game."""

    def __init__(self) -> None:
        self.counts: tuple[dict[str, int], dict[str, int]] = (dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0))
        self.turns = [-1, -1]
        """Number of the current turn of each side."""
        self.acted: list[set[int]] = [set(), set()]
        """Units that have done something since their side's turn began."""
        self.idle: dict[int, int] = {}
        """Number of consecutive turns in which a unit has been idle."""
        self.open: list[bool] = [False, False]
        """True if a useful shot was possible and not made this turn."""
        self.left: list[list[tuple[int, Battle]]] = [[], []]
        """Units that left cover this turn, with the battle before they did."""

    def see(self, decision: Decision, before: Battle, action: Any, after: Battle) -> None:
        side = decision.side
        self._turned(before, after)
        if isinstance(decision, Orders):
            self._moved(side, before, action, after)
        elif isinstance(action, MarkTarget | React):
            self.acted[side].add(action.unit)
        elif isinstance(decision, Targets):
            if isinstance(action, Fire | SplitFire | FireAtSpot):
                self.acted[side].add(action.unit)
                for order in action.orders(before):
                    if order.target >= 0 and is_hopeless(before, order):
                        self.counts[side]["hopeless attack"] += 1
            elif isinstance(action, EndAllocation):
                self.open[side] = before.armies[side].cp > 0 and useful_shot(before, side)
                self._ended(side, before)

    def _moved(self, side: int, before: Battle, action: Any, after: Battle) -> None:
        if isinstance(action, Move | Charge | Spawn):
            self.acted[side].add(action.unit)
        if isinstance(action, Move) and after.units[action.unit].models:
            covered = [in_cover(t, action.unit) for t in (before, after)]
            if covered == [True, False]:
                self.left[side].append((action.unit, before))

    def _ended(self, side: int, t: Battle) -> None:
        """Count the units that left cover without a purpose, when all targets are named."""
        for unit, before in self.left[side]:
            u = t.units[unit]
            fired = any(o.unit == unit for o in t.orders)
            if not u.models or fired or u.marking >= 0 or u.charging >= 0 or u.spawned_this_turn:
                continue
            if any(touches(t, unit, o) for o in t.objectives) or _nearer(before, t, unit):
                continue
            if any(_may_be_shot(t, e, unit) for e in t.enemies(side)):
                self.counts[side]["cover left"] += 1
        self.left[side].clear()

    def _turned(self, before: Battle, after: Battle) -> None:
        for side in (0, 1):
            turn = after.armies[side].turns
            if turn == before.armies[side].turns:
                continue
            if turn > 1:
                if self.open[side] and before.armies[side].cp > 0:
                    self.counts[side]["points lost"] += 1
                self._idled(side, before)
            self.open[side] = False
            self.acted[side].clear()
            self.left[side].clear()

    def _idled(self, side: int, t: Battle) -> None:
        for unit in t.in_play(side):
            u = t.units[unit]
            busy = (
                unit in self.acted[side]
                or u.moved > 0
                or u.charging >= 0
                or u.locked
                or u.concentrating
                or u.stuns
                or u.disengaged
                or u.appeared
                or u.overwatch
                or any(touches(t, unit, o) for o in t.objectives)
                or why_still(t, side, unit) is not None
            )
            self.idle[unit] = 0 if busy else self.idle.get(unit, 0) + 1
            if self.idle[unit] == 2:
                self.counts[side]["idle unit"] += 1
                self.idle[unit] = 0


def is_hopeless(t: Battle, order: Any) -> bool:
    """Return whether an attack cannot change its target."""
    attack = attack_of(t, order)
    if not attack_dice(t, attack).total:
        return True
    if order.artillery and attack.army == "putredine":
        return False
    target = attack.target
    ends = distribution(t.book, attack)
    return all(e.models == target.models and e.stuns == target.stuns and e.drone == target.drone for e in ends)


def useful_shot(t: Battle, side: int) -> bool:
    """Return whether a side can pay for a shot that removes a quarter of a model or more and is not answered."""
    for action in Targets(side=side).options(t):
        if not isinstance(action, Fire) or action.boost or any(o.target == action.target for o in t.orders):
            continue
        if is_artillery(t, action.unit) and t.armies[side].army == "putredine":
            return True
        answered = may_react(t, action.target, action.unit)
        if answered and not (is_artillery(t, action.unit) and t.book.edition == "current"):
            continue
        attack = attack_of(t, action.orders(t)[0])
        if attack_dice(t, attack).total:
            models = distribution(t.book, attack).expected(lambda e: e.models)
            if 4 * (attack.target.models - models) >= 1:
                return True
    return False


def in_cover(t: Battle, unit: int) -> bool:
    """Return whether half or more of a unit's models stand in cover."""
    discs = t.discs(unit)
    return 2 * sum([t.ground.in_cover(d[:2]) for d in discs]) >= len(discs)


def _middle(t: Battle, unit: int) -> tuple[int, int]:
    discs = t.discs(unit)
    return sum([d[0] for d in discs]) // len(discs), sum([d[1] for d in discs]) // len(discs)


def _nearer(before: Battle, after: Battle, unit: int) -> bool:
    a, b = _middle(before, unit), _middle(after, unit)
    side = after.units[unit].side
    goals = [(o.x, o.y) for o in after.objectives]
    if kind_of(after, unit).infantry and after.armies[side].army == "putredine":
        goals += [_middle(after, e) for e in after.enemies(side) if not kind_of(after, e).infantry]
    if after.breakthrough:
        _, y0, _, y1 = zone_of(after, 1 - side)
        goals.append((b[0], (y0 + y1) // 2))
    return any(isqrt(distance_sq(a, g)) - isqrt(distance_sq(b, g)) >= 5 * CM for g in goals)


def _may_be_shot(t: Battle, enemy: int, unit: int) -> bool:
    return bool(kind_of(t, enemy).range_cm) and bool(aim(t, enemy, unit).models)
