"""The player that goes for the nearest enemy and for the most kills now."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision, total
from caltrop.geometry import distance_sq
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.charge import charges
from caltrop.rules.command_horizon.combat import EndReactions, React, Reactions
from caltrop.rules.command_horizon.movement import EndStep, Move, Orders
from caltrop.rules.command_horizon.routes import Routes, why_still
from caltrop.rules.command_horizon.setup import DeployUnit, PlanUnit
from caltrop.rules.command_horizon.shooting import aim, may_fire
from caltrop.rules.command_horizon.spawn import spawnings
from caltrop.rules.command_horizon.targets import EndAllocation, Targets
from caltrop.rules.command_horizon.volley import Combine, CombinePairs
from tests.players.frozen.command_horizon.fire import shots_of
from tests.players.frozen.command_horizon.outlook import Outlook, middle_of
from tests.players.frozen.command_horizon.worth import damage_of


class Greedy:
    """Moves every unit that has no target at the nearest enemy, fires for the most kills, charges where it can."""

    words: ClassVar[str] = "goes for the nearest enemy, charges where it can, fires for the most kills"

    def __init__(self) -> None:
        self._turn: tuple[int, ...] = ()
        self._seen: list[int] = []

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The nearest, the most, the first."""
        t: Battle = view
        if isinstance(decision, Orders):
            return self._order(t, decision.side)
        if isinstance(decision, Targets):
            return self._target(t, decision.side)
        if isinstance(decision, Reactions):
            return next((a for a in decision.options(t) if isinstance(a, React)), EndReactions())
        if isinstance(decision, CombinePairs):
            return Combine(0)
        if isinstance(decision, DeployUnit | PlanUnit):
            ways = decision.options(t)
            for unit in ways.left:
                found = ways.find(unit, (), None)
                if found is not None:
                    return found
        return decision.options(t).sample(dice)

    def _order(self, t: Battle, side: int) -> Any:
        turn = (t.round, side, t.armies[side].turns)
        if turn != self._turn:
            self._turn, self._seen = turn, []
        charge = next(iter(charges(t, side)), None)
        if charge is not None:
            return charge
        enemies = list(t.enemies(side))
        for unit in t.in_play(side):
            if unit in self._seen or why_still(t, side, unit) is not None:
                continue
            self._seen.append(unit)
            if may_fire(t, unit) and any(aim(t, unit, e).models for e in enemies):
                continue
            routes = Routes(t, unit)
            at = middle_of(routes.discs)
            places = [middle_of(t.discs(e)) for e in enemies]
            if not places or not routes.bands or total(routes.bands[0][1]) > routes.cp:
                continue
            paths = routes.marched(min(places, key=lambda p: distance_sq(p, at)), routes.bands[0][0])
            if paths is not None:
                return Move(unit, paths)
        return next(iter(spawnings(t, side)), EndStep())

    def _target(self, t: Battle, side: int) -> Any:
        outlook = Outlook(t, side)
        ordered = [o.unit for o in t.orders]
        cp = t.armies[side].cp
        for unit in t.in_play(side):
            if unit in ordered or not may_fire(t, unit):
                continue
            shots = [s for s in shots_of(outlook, unit) if s.cost <= cp]
            if shots:
                return max(shots, key=lambda s: damage_of(t, s.attack, s.target).kills).action
        return EndAllocation()
