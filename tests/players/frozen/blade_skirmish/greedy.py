"""The player that goes for the nearest fight."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.geometry import Point, distance_sq
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.blade_skirmish.charging import EnemyToCharge
from caltrop.rules.blade_skirmish.combat import AttackAll, ChooseAttack
from caltrop.rules.blade_skirmish.fatality import SecondAttack, StrikeAgain
from caltrop.rules.blade_skirmish.moving import Move
from caltrop.rules.blade_skirmish.places import closest_enemies
from caltrop.rules.blade_skirmish.routes import Route, Stay, Walk
from caltrop.rules.blade_skirmish.running import RunOn
from caltrop.rules.blade_skirmish.setup import PlaceFighter
from caltrop.rules.blade_skirmish.skirmish import Skirmish
from caltrop.rules.blade_skirmish.turn import NextFighter
from caltrop.rules.blade_skirmish.victory import seeks
from tests.players.frozen.blade_skirmish.worth import to_edge


class Greedy:
    """Takes the model nearest to an enemy first, goes straight for that enemy, and strikes the weakest it touches.

    Of what a scenario is about it knows where to go, and nothing else.
    """

    words: ClassVar[str] = "goes for the nearest enemy, one fighter after the other, and strikes the weakest it touches"

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The nearest, the weakest, the first."""
        t: Skirmish = view
        options = decision.options(t)
        if isinstance(decision, NextFighter):
            return min(options, key=lambda a: (_far(t, t.disc(a.fighter)[:2], decision.side), a.fighter))
        if isinstance(decision, Move | RunOn):
            return self._walk(t, decision)
        if isinstance(decision, EnemyToCharge):
            return options.first()
        if isinstance(decision, ChooseAttack):
            every = list(options)
            if AttackAll() in every:
                return AttackAll()
            return min(every, key=lambda a: (t.fighters[a.target].quality, a.attacker, a.target))
        if isinstance(decision, SecondAttack):
            return StrikeAgain(min(decision.targets, key=lambda id: (t.fighters[id].quality, id)))
        if isinstance(decision, PlaceFighter):
            return min(options, key=lambda a: (_far(t, a.at, decision.side), a.fighter))
        return options.first()

    def _walk(self, t: Skirmish, decision: Route) -> Any:
        """As near to her goal as she can."""
        f = t.fighters[decision.fighter]
        routes = decision.routes(t)
        best: Walk | Stay = Stay()
        least = self._left(t, f.id, routes.start)
        for path in routes.paths():
            left = self._left(t, f.id, path[-1])
            if left < least:
                best, least = Walk(path[1:]), left
        return best

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        """How far it is from a place to where she wants to be."""
        f = t.fighters[id]
        if seeks(t, f.side):
            if t.field.goal == "leave":
                return to_edge(t, at, t.field.exit) ** 2
            if t.relic is not None and t.relic.carrier in (None, id):
                return to_edge(t, at, t.field.home) ** 2 if t.relic.carrier == id else distance_sq(at, t.relic.at)
        near = closest_enemies(t, id)
        if not near:
            return 0
        return distance_sq(at, t.disc(near[0])[:2])


def _far(t: Skirmish, at: Point, side: int) -> int:
    """How far a place is from the nearest enemy, squared."""
    return min([distance_sq(at, f.at) for f in t.on_table() if f.side != side and f.at is not None], default=0)
