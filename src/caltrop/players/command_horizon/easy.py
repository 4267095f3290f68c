"""The heuristic without its plan: a newcomer's first opponent, who does what lies nearest and never anything silly."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.chance import Dice
from caltrop.engine import total
from caltrop.geometry import Point, distance_sq
from caltrop.players.command_horizon import fire, plan
from caltrop.players.command_horizon.heuristic import Heuristic
from caltrop.players.command_horizon.outlook import Outlook, middle_of
from caltrop.players.command_horizon.worth import damage_of
from caltrop.players.protocol import Budget
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.command import ConcentrateOrNot, DoNotConcentrate
from caltrop.rules.command_horizon.movement import EndStep, Move, Orders
from caltrop.rules.command_horizon.objectives import touches
from caltrop.rules.command_horizon.reach import is_infantry, is_putredine
from caltrop.rules.command_horizon.routes import Paths, Routes, why_still
from caltrop.rules.command_horizon.shooting import may_fire
from caltrop.rules.command_horizon.spawn import spawnings
from caltrop.rules.command_horizon.targets import EndMarks, Marks, Targets, why_not
from caltrop.rules.command_horizon.volley import Combine, CombinePairs


class Easy(Heuristic):
    """One unit after the other, those nearest to the enemy first: an objective, a shot at what is nearest, or on.

    Its weaknesses are those of a sensible newcomer: it looks for no cover, reckons with no answer, saves no points for
    answers, fires at the nearest instead of the best target, and knows neither marks, nor pairs of 6s, nor concentrated
    command.
    """

    words: ClassVar[str] = (
        "takes one unit after the other to an objective or the enemy and fires at what is nearest; seeks no cover, "
        "and neither marks, combines 6s nor concentrates command"
    )

    def __init__(self) -> None:
        super().__init__()
        self._seen: list[int] = []
        self._firing: list[int] = []
        """Units that stand and will fire, for a point each."""

    def concentrate(self, d: ConcentrateOrNot, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Never: its Command unit fights."""
        return DoNotConcentrate()

    def marks(self, d: Marks, t: Battle, dice: Dice, budget: Budget) -> Any:
        """None."""
        return EndMarks()

    def combine(self, d: CombinePairs, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Every 6 on its own."""
        return Combine(0)

    # --- movement ---------------------------------------------------------------------------------------------------

    def orders(self, d: Orders, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Units that have a shot stand, unless they see to an objective; the others go on."""
        turn = (t.round, d.side, t.armies[d.side].turns, t.step)
        if turn != self._turn:
            self._turn, self._orders, self._seen, self._firing = turn, None, [], []
        outlook = Outlook(t, d.side)
        for unit in sorted(outlook.mine, key=lambda u: (outlook.lines[u], u)):
            if unit in self._seen or why_still(t, d.side, unit) is not None:
                continue
            self._seen.append(unit)
            action = self._errand(t, outlook, unit)
            if action is not None:
                return action
        return next(iter(spawnings(t, d.side)), EndStep())

    def _errand(self, t: Battle, outlook: Outlook, unit: int) -> Any:
        """What a unit does in the movement step; None where it stays."""
        if is_infantry(t, unit):
            close = max(plan.charges(outlook, unit), key=lambda c: c.value, default=None)
            if close is not None and close.value > 0:
                return close.charge
            if is_putredine(t, unit):
                swarm = next(iter(plan.swarms(outlook, unit)), None)
                if swarm is not None:
                    return Move(unit, swarm.paths)
        left = t.armies[outlook.side].cp - len(self._firing)
        task = outlook.tasks.get(unit)
        if task is not None and touches(t, unit, t.objectives[task.objective]):
            return None
        if task is None and left > 0 and self._shots(t, outlook, unit):
            self._firing.append(unit)
            return None
        goal = self._goal(t, outlook, unit)
        routes = Routes(t, unit)
        if goal is None or not routes.bands:
            return None
        # The first reach for any point that is left, the second when there is one for everybody who is still to come.
        waiting = [u for u in outlook.mine if u not in self._seen and why_still(t, outlook.side, u) is None]
        paid = [reach for n, (reach, price) in enumerate(routes.bands[:2]) if total(price) <= left - n * len(waiting)]
        paths = _towards(routes, goal, paid[-1]) if paid else None
        return None if paths is None else Move(unit, paths)

    def _goal(self, t: Battle, outlook: Outlook, unit: int) -> Point | None:
        """The objective that it sees to, the enemy's zone where that counts, or the nearest enemy."""
        at = outlook.places[unit]
        task = outlook.tasks.get(unit)
        if task is not None:
            o = t.objectives[task.objective]
            return (o.x, o.y)
        if t.breakthrough:
            _, y0, _, y1 = outlook.zone
            return (at[0], (y0 + y1) // 2)
        return min([e.at for e in outlook.enemies], key=lambda p: distance_sq(p, at), default=None)

    # --- fire -------------------------------------------------------------------------------------------------------

    def _shots(self, t: Battle, outlook: Outlook, unit: int) -> list[fire.Option]:
        """Shots that a unit can take and pay, and that may do something."""
        if not may_fire(t, unit):
            return []
        cp = t.armies[outlook.side].cp
        return [s for s in fire.shots_of(outlook, unit) if s.cost <= cp and damage_of(t, s.attack, s.target).harm > 0]

    def targets(self, d: Targets, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Each unit at the nearest enemy, boosted where more points are left than units."""
        outlook = Outlook(t, d.side)
        ordered = [o.unit for o in t.orders]
        at = {e.unit: e.at for e in outlook.enemies}
        able = [(u, shots) for u in outlook.mine if u not in ordered and (shots := self._shots(t, outlook, u))]
        for unit, shots in able:
            order = min(shots, key=lambda s: distance_sq(at[s.target], outlook.places[unit])).action
            bold = replace(order, boost=1)
            spare = t.armies[d.side].cp > len(able)
            return bold if spare and why_not(t, d.side, bold) is None else order
        return self._launch(d, t)


def _towards(routes: Routes, goal: Point, reach: int) -> Paths | None:
    """The way towards a place: straight, or round what is there, if that brings the unit any nearer."""
    at = middle_of(routes.discs)
    paths = plan.straight(routes, at, goal, reach)
    if paths is not None:
        return paths
    best, found = distance_sq(at, goal), None
    foremost = min(range(len(routes.discs)), key=lambda i: distance_sq(routes.discs[i][:2], goal))
    for lead in dict.fromkeys((foremost, 0)):
        paths = routes.marched(goal, reach, lead)
        if paths is not None:
            ends = dict(zip(routes.ids, routes.discs, strict=True)) | {m: (*path[-1], 0) for m, path in paths}
            away = distance_sq(middle_of(list(ends.values())), goal)
            if away < best:
                best, found = away, paths
    return found
