"""The regular of before the ladder: takes what gains most at once. The silly scripts are made of it."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.geometry import INCH, Point
from caltrop.players.squad_action.fire import apart, best_shot
from caltrop.players.squad_action.heuristic import Heuristic, block
from caltrop.players.squad_action.outlook import Outlook
from caltrop.players.squad_action.plan import Choice, Plan
from caltrop.rules.squad_action.acts import ACTS, Alight, Kind, Move, Rally, Watch
from caltrop.rules.squad_action.casualties import WhoFalls
from caltrop.rules.squad_action.close_quarters import Consolidate, HoldGround
from caltrop.rules.squad_action.fight import Firefight, Unit
from caltrop.rules.squad_action.moving import Scout, StayPut, can_move
from caltrop.rules.squad_action.overwatch import Interrupt, LetPass, Spring
from caltrop.rules.squad_action.routes import exits_of, own_edge, routes_of, split
from caltrop.rules.squad_action.setup import DeployUnit, PlacePiece, why_not_so
from caltrop.rules.squad_action.turn import NextAct, PassUp, TakeFirst, WhoIsFirst, what_may_follow
from caltrop.rules.squad_action.victory import PICKS_UP

CROWD = 3 * INCH


class Greedy(Heuristic):
    """Every unit for itself: the shot or the assault that takes most, else straight at the nearest goal or enemy.

    It looks for no cover, waits for nobody, and of its mission knows where to go, and nothing else.
    """

    words: ClassVar[str] = "takes the shot or the assault that gains most now, else goes straight at the nearest goal"
    wary: ClassVar[bool] = False

    def first(self, d: WhoIsFirst, t: Firefight, dice: Dice) -> Any:
        """The first turn."""
        return TakeFirst(d.side)

    def piece(self, d: PlacePiece, t: Firefight, dice: Dice) -> Any:
        """Wherever there is room."""
        return d.options(t).sample(dice)

    def deploy(self, d: DeployUnit, t: Firefight, dice: Dice) -> Any:
        """As near to the enemy as may be, from west to east."""
        options = d.options(t)
        area = t.field.areas[d.side]
        assert area is not None
        x0, y0, x1, y1 = area.box
        unit = options.left[0]
        mine = [u.id for u in t.units if u.side == d.side]
        wanted = x0 + (x1 - x0) * (2 * mine.index(unit) + 1) // (2 * len(mine))
        ahead = y1 if d.side == 0 else y0
        places = [(x, y) for x in range(x0 + INCH, x1, 2 * INCH) for y in range(y0 + INCH, y1, 2 * INCH)]
        for place in sorted(places, key=lambda p: (abs(p[1] - ahead) * 2 + abs(p[0] - wanted), p)):
            found = block(t, unit, place)
            if why_not_so(t, unit, found.places, found.heading, area) is None:
                return found
        return options.sample(dice)

    def scout(self, d: Scout, t: Firefight, dice: Dice) -> Any:
        """Ahead."""
        return self._ahead(self.outlook(t, d.side), d.unit) or StayPut()

    def next_act(self, d: NextAct, t: Firefight, dice: Dice) -> Any:
        """The best of what was announced, or nothing."""
        o = self.outlook(t, d.side)
        found = next((c for kind in d.kinds if (c := self._act(o, d.unit, kind)) is not None), None)
        return found if found is not None and d.options(t).refusal(found) is None else PassUp()

    def interrupt(self, d: Interrupt, t: Firefight, dice: Dice) -> Any:
        """At once."""
        options = d.options(t)
        for watcher, earliest in d.chances:
            spring = Spring(watcher, "fire", earliest)
            if options.refusal(spring) is None:
                return spring
        return LetPass()

    def consolidate(self, d: Consolidate, t: Firefight, dice: Dice) -> Any:
        """It stays."""
        return HoldGround()

    def falls(self, d: WhoFalls, t: Firefight, dice: Dice) -> Any:
        """The least for their owner, the best for a sniper."""
        return d.options(t).first()

    # --- an activation ------------------------------------------------------------------------------------------------

    def _plan(self, o: Outlook, unit: int, kinds: list[Kind]) -> Choice | None:
        """The best shot twice, an assault that gains more, or on."""
        if "rally" in kinds and o.t.units[unit].pinned:
            return self._with(o, Rally(unit), "rally", ("shoot", "move"), 0)
        leaving = self._ahead(o, unit) if "move" in kinds else None
        if leaving is not None and leaving.off:
            return self._with(o, leaving, "move", ("move", "overwatch"), 10**6)
        shot = best_shot(o, unit, False) if "shoot" in kinds else None
        storm = Plan(o, unit).assault(False) if "assault" in kinds else None
        if storm is not None and (shot is None or storm.value > 2 * shot.worth):
            return storm
        if shot is not None:
            return self._with(o, shot.act, "shoot", ("shoot", "overwatch"), shot.worth)
        if leaving is not None:
            return self._with(o, leaving, "move", ("shoot", "move"), 0)
        for kind in kinds:
            found = self._act(o, unit, kind)
            if found is not None:
                return self._with(o, found, kind, ("shoot", "move", "overwatch"), 0)
        return None

    def _with(self, o: Outlook, act: Any, kind: Kind, wanted: tuple[Kind, ...], value: int) -> Choice | None:
        """An act, with what is announced after it."""
        follows = what_may_follow(o.t, act.unit, kind)
        for second in wanted:
            for then in follows:
                if then[:1] == (second,):
                    return Choice(value, act, then, kind)
        return Choice(value, act, follows[0], kind) if follows else None

    def _act(self, o: Outlook, unit: int, kind: Kind) -> Any:
        """What it does with an action of a kind; None where there is nothing to do."""
        t = o.t
        if kind == "shoot":
            shot = best_shot(o, unit, True)
            return None if shot is None else shot.act
        if kind == "move":
            return self._ahead(o, unit)
        if kind == "overwatch":
            return Watch(unit)
        if kind == "rally":
            return next(ACTS["rally"].acts(t, unit, True), None)
        if kind == "transport":
            return next((a for a in ACTS["transport"].acts(t, unit, True) if isinstance(a, Alight)), None)
        return None

    def _ahead(self, o: Outlook, unit: int) -> Move | None:
        """Straight at the nearest goal or enemy."""
        t = o.t
        if not can_move(t, unit):
            return None
        routes = routes_of(t, unit)
        here = o.leads.get(unit)
        if here is None or routes.entering or split(t, unit):
            return next(routes.moves(), None)
        for edge in exits_of(t, unit):
            act = routes.leaving(edge)
            if t.units[unit].kind != "flyer" and routes.legal(act):
                return act
        goal = self._goal(o, t.units[unit], here)
        if goal is None or goal == here:
            return None
        drawn = routes.drawn((goal,), reform=True)
        if drawn is not None and routes.legal(drawn):
            return drawn
        return None

    def _goal(self, o: Outlook, u: Unit, here: Point) -> Point | None:
        """The nearest goal of the mission that it is not at yet, else the nearest enemy."""
        t, table = o.t, o.t.field.table
        places = [o.leads[e.id] for e in o.foes]
        edge = table.height if own_edge(u.side) == "south" else 0
        if t.field.goal == "breakthrough" and u.side != t.field.defender:
            return (here[0], edge)
        if t.pilot is not None:
            if t.pilot.unit == u.id:
                return (here[0], table.height - edge)
            if t.pilot.unit is None and u.on_foot:
                places.append(t.pilot.at)
        places += [g.at for g in t.field.objectives]
        near = [p for p in places if apart(p, here) > (PICKS_UP if t.pilot and p == t.pilot.at else CROWD)]
        return min(near, key=lambda p: (apart(p, here), p), default=None)
