"""Silly ways to play Command Horizon: sensible play beats them."""

from __future__ import annotations

from typing import Any

from caltrop.asking import every
from caltrop.chance import Dice
from caltrop.engine import total
from caltrop.geometry import CM, Point, distance_sq
from caltrop.players.command_horizon.fire import shots_of
from caltrop.players.command_horizon.outlook import SideOutlook, middle_of
from caltrop.players.protocol import Budget
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.limits import why_still
from caltrop.rules.command_horizon.movement import EndStep, Move, Orders
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.rules.command_horizon.spawn import Spawn
from caltrop.rules.command_horizon.targets import EndAllocation
from tests.players.frozen.command_horizon import Heuristic
from tests.players.frozen.command_horizon.greedy import Greedy


class Driven(Heuristic):
    """Sends every unit to a destination as far as its points allow. The heuristic makes all other choices."""

    near = 0
    """Largest distance to its place at which a unit stays."""

    def __init__(self) -> None:
        super().__init__()
        self._going: tuple[int, ...] = ()
        self._gone: list[int] = []

    def orders(self, d: Orders, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Order one unit after the other, in any position."""
        turn = (t.round, d.side, t.armies[d.side].turns)
        if turn != self._going:
            self._going, self._gone = turn, []
        for unit in t.in_play(d.side):
            if unit in self._gone or why_still(t, d.side, unit) is not None:
                continue
            self._gone.append(unit)
            goal, routes = self.goal(t, d.side, unit), Routes(t, unit)
            if goal is None or distance_sq(middle_of(routes.discs), goal) < self.near**2:
                continue
            for reach, price in reversed(routes.bands):
                paths = routes.marched(goal, reach) if total(price) <= routes.cp else None
                if paths is not None:
                    return Move(unit, paths)
        return next(every(Spawn, t, d.side), EndStep())

    def goal(self, t: Battle, side: int, unit: int) -> Point | None:
        """Return a unit's destination; None if it stays."""
        raise NotImplementedError


class Drive(Driven):
    """Sends all units straight to the nearest objective."""

    def goal(self, t: Battle, side: int, unit: int) -> Point | None:
        """Return the objective, the enemy's zone if it counts, or the nearest enemy."""
        at = middle_of(t.discs(unit))
        if t.breakthrough:
            _, y0, _, y1 = zone_of(t, 1 - side)
            return (at[0], (y0 + y1) // 2)
        expected = [(o.x, o.y) for o in t.objectives if o.worth or o.benefit or o.sabotage]
        expected = expected or [middle_of(t.discs(e)) for e in t.enemies(side)]
        return min(expected, key=lambda p: distance_sq(p, at), default=None)


class Rush(Driven):
    """Sends all units to the nearest enemy, to charge if possible."""

    def orders(self, d: Orders, t: Battle, dice: Dice, budget: Budget) -> Any:
        return next(every(Charge, t, d.side), None) or super().orders(d, t, dice, budget)

    def goal(self, t: Battle, side: int, unit: int) -> Point | None:
        at = middle_of(t.discs(unit))
        return min([middle_of(t.discs(e)) for e in t.enemies(side)], key=lambda p: distance_sq(p, at), default=None)


class Stand(Driven):
    """Lets all units stand and shoot."""

    def goal(self, t: Battle, side: int, unit: int) -> Point | None:
        return None


class Corner(Driven):
    """Sends all units into a corner of their own side."""

    near = 20 * CM

    def goal(self, t: Battle, side: int, unit: int) -> Point | None:
        x0, y0, _, y1 = zone_of(t, side)
        return (x0 + 8 * CM, (y0 + y1) // 2)


class Nearest(Greedy):
    """The greedy player, but with the nearest target."""

    def _target(self, t: Battle, side: int) -> Any:
        outlook = SideOutlook(t, side)
        ordered = [o.unit for o in t.orders]
        at = {e.unit: e.at for e in outlook.enemies}
        for unit in outlook.mine:
            shots = [] if unit in ordered else [s for s in shots_of(outlook, unit) if s.cost <= t.armies[side].cp]
            if shots:
                return min(shots, key=lambda s: distance_sq(at[s.target], outlook.places[unit])).action
        return EndAllocation()


SILLY = {"drive": Drive, "rush": Rush, "stand": Stand, "corner": Corner, "nearest": Nearest}
