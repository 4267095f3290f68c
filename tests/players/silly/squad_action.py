"""Three silly ways to play Squad Action: sensible play beats them."""

from __future__ import annotations

from caltrop.players.squad_action.fire import best_shot
from caltrop.players.squad_action.outlook import SideOutlook
from caltrop.players.squad_action.plan import UnitChoice
from caltrop.rules.squad_action.acts import Kind
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.movement import MOVES, Move
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.routes import routes_of
from caltrop.rules.squad_action.tokens import Watch
from tests.players.frozen.squad_action.greedy import Greedy


class Rush(Greedy):
    """A player that rushes every unit to the nearest objective."""

    def _plan(self, o: SideOutlook, unit: int, kinds: list[Kind]) -> UnitChoice | None:
        if "rally" in kinds and o.t.units[unit].pinned:
            return self._with(o, Rally(unit), "rally", ("move",), 0)
        ahead = self._ahead(o, unit) if "move" in kinds else None
        if ahead is not None:
            return self._with(o, ahead, "move", ("move",), 0)
        return super()._plan(o, unit, kinds)


class Stand(Greedy):
    """Lets all units stand and shoot."""

    def _plan(self, o: SideOutlook, unit: int, kinds: list[Kind]) -> UnitChoice | None:
        if "rally" in kinds and o.t.units[unit].pinned:
            return self._with(o, Rally(unit), "rally", ("shoot",), 0)
        shot = best_shot(o, unit, False) if "shoot" in kinds else None
        if shot is not None:
            return self._with(o, shot.act, "shoot", ("shoot",), 0)
        if "overwatch" in kinds:
            return UnitChoice(0, Watch(unit), (), "watch")
        return super()._plan(o, unit, kinds)


class Corner(Greedy):
    """Puts all units on overwatch in a corner."""

    def _plan(self, o: SideOutlook, unit: int, kinds: list[Kind]) -> UnitChoice | None:
        if "rally" in kinds and o.t.units[unit].pinned:
            return self._with(o, Rally(unit), "rally", ("overwatch",), 0)
        back = self._back(o, unit) if "move" in kinds else None
        if back is not None:
            return self._with(o, back, "move", ("overwatch",), 0)
        if "overwatch" in kinds:
            return UnitChoice(0, Watch(unit), (), "watch")
        return super()._plan(o, unit, kinds)

    def _back(self, o: SideOutlook, unit: int) -> Move | None:
        """Move a unit towards the corner until it is within a foot of the corner."""
        t = o.t
        here = o.leads.get(unit)
        if here is None or not MOVES.may(t, unit=unit) or split(t, unit):
            return None
        table = t.field.table
        corner = (table.width // 12, table.height // 12 if t.units[unit].side == 0 else table.height * 11 // 12)
        if abs(here[0] - corner[0]) + abs(here[1] - corner[1]) < 12 * 254:
            return None
        routes = routes_of(t, unit)
        act = routes.drawn((corner,))
        return Move.of_way(routes, act) if act is not None and routes.legal(act) else None


SILLY = {"rush": Rush, "stand": Stand, "corner": Corner}
