"""Somebody's first opponent: does what lies nearest, and never anything silly."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.players.squad_action.fire import Shot, apart, shots
from caltrop.players.squad_action.greedy import Greedy
from caltrop.players.squad_action.outlook import Outlook
from caltrop.players.squad_action.plan import Choice
from caltrop.rules.squad_action.acts import Kind, Rally


class Easy(Greedy):
    """Shoots once at the nearest enemy in sight, and goes on; else goes straight at the nearest goal.

    Its weaknesses are those of a sensible newcomer: it fires at the nearest enemy and not at the best target, with one
    of its two actions at most, seeks no cover, goes on no overwatch, and enters close quarters with nobody.
    """

    words: ClassVar[str] = (
        "shoots once at the nearest enemy it sees and goes on; seeks no cover, keeps no watch and storms nobody"
    )

    def _plan(self, o: Outlook, unit: int, kinds: list[Kind]) -> Choice | None:
        """A shot and a move, a move and a shot, or whatever else there is to do."""
        if "rally" in kinds and o.t.units[unit].pinned:
            return self._with(o, Rally(unit), "rally", ("move", "shoot"), 0)
        ahead = self._ahead(o, unit) if "move" in kinds else None
        if ahead is not None and ahead.off:
            return self._with(o, ahead, "move", ("move", "shoot"), 0)
        shot = self._nearest(o, unit) if "shoot" in kinds else None
        if shot is not None:
            return self._with(o, shot.act, "shoot", ("move", "shoot"), 0)
        if ahead is not None:
            return self._with(o, ahead, "move", ("shoot", "move"), 0)
        for kind in kinds:
            found = self._act(o, unit, kind)
            if found is not None:
                return self._with(o, found, kind, ("move", "shoot", "overwatch"), 0)
        return None

    def _act(self, o: Outlook, unit: int, kind: Kind) -> Any:
        """As greedy, but at the nearest enemy."""
        if kind == "shoot":
            shot = self._nearest(o, unit)
            return None if shot is None else shot.act
        return super()._act(o, unit, kind)

    def _nearest(self, o: Outlook, unit: int) -> Shot | None:
        """All that it has at the nearest enemy that it can harm."""
        here = o.leads.get(unit)
        if here is None:
            return None
        some = [shot for shot in shots(o, unit, True) if shot.worth > 0]
        return min(some, key=lambda s: (apart(here, o.leads[s.act.fire[0][1]]), -s.worth), default=None)
