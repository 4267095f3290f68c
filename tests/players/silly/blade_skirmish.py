"""Silly ways to play Blade Skirmish: sensible play beats them."""

from __future__ import annotations

from caltrop.geometry import INCH, Point, distance_sq
from caltrop.players.blade_skirmish.worth import to_edge
from caltrop.rules.blade_skirmish.places import closest_enemies
from caltrop.rules.blade_skirmish.records import Edge, Skirmish
from caltrop.rules.blade_skirmish.routes import Route, Stay, Walk
from tests.players.frozen.blade_skirmish.greedy import Greedy


class Goer(Greedy):
    """Sends each fighter to a place of her own, and lets her strike an enemy in contact."""

    def _walk(self, t: Skirmish, decision: Route) -> Walk | Stay:
        f = t.fighters[decision.fighter]
        routes = decision.routes(t)
        best: Walk | Stay = Stay()
        least = self._left(t, f.id, routes.start)
        if not least:
            return best
        for path in routes.paths():
            left = self._left(t, f.id, path[-1])
            if left < least:
                best, least = Walk(path[1:]), left
        return best


class Middle(Goer):
    """Sends all fighters to the place to be held, or to the middle of the table, where they stay."""

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        table = t.field.table
        return distance_sq(at, t.field.place or (table.width // 2, table.height // 2))


class Goal(Goer):
    """Sends all fighters to the goal of the scenario and ignores enemies."""

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        if t.field.goal == "hold" and t.field.place is not None:
            return distance_sq(at, t.field.place)
        return super()._left(t, id, at)


class Rush(Goer):
    """Sends all fighters to the nearest enemy."""

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        near = closest_enemies(t, id)
        return distance_sq(at, t.disc(near[0])[:2]) if near else 0


class Stand(Goer):
    """Keeps everybody at their places."""

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        return 0


class Corner(Goer):
    """Sends all fighters into the nearest corner."""

    def _left(self, t: Skirmish, id: int, at: Point) -> int:
        ways = [min(to_edge(t, at, a), to_edge(t, at, b)) for a, b in _EDGES]
        return sum([max(0, way - INCH // 2) ** 2 for way in ways])


_EDGES: tuple[tuple[Edge, Edge], ...] = (("north", "south"), ("east", "west"))

SILLY = {"middle": Middle, "goal": Goal, "rush": Rush, "stand": Stand, "corner": Corner}
