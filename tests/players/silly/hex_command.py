"""Silly ways to play Hex Command: sensible play beats them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.hex_command.outlook import SideOutlook
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.hex_command.battling import ChooseBattle, EndBattles, Engage
from caltrop.rules.hex_command.cards import PlayACard
from caltrop.rules.hex_command.movement import EndMoves, March, MoveUnits
from caltrop.rules.hex_command.records import Battle, Unit
from tests.players.frozen.hex_command.greedy import Greedy, _far


class Goer(Greedy):
    """Sends every ordered unit as near to its destination as possible."""

    def _march(self, t: Battle, decision: MoveUnits) -> Any:
        for action in decision.options(t):
            if isinstance(action, March):
                unit = t.units[action.unit]
                marches = [a for a in decision.options(t) if isinstance(a, March) and a.unit == unit.id and not a.alone]
                best = min(marches, key=lambda a: (self.left(t, unit, a.to), a.to), default=None)
                if best is not None and self.left(t, unit, best.to) < self.left(t, unit, unit.hex or ""):
                    return best
        return EndMoves()

    def left(self, t: Battle, unit: Unit, at: str) -> int:
        """Return the distance of a hex from the destination, in hexes."""
        raise NotImplementedError


class Rush(Goer):
    """Sends all units to the nearest enemy."""

    def left(self, t: Battle, unit: Unit, at: str) -> int:
        return _far(t, unit, at)


class Drive(Goer):
    """Sends all units to the nearest objective, or to the nearest enemy if there is none."""

    def left(self, t: Battle, unit: Unit, at: str) -> int:
        hexes = [o.hex for o in t.field.objectives if o.side in (None, unit.side)]
        return min([t.map.distance(at, one) for one in hexes], default=_far(t, unit, at))


class Corner(Goer):
    """Sends all units into a corner of their own side."""

    def left(self, t: Battle, unit: Unit, at: str) -> int:
        return t.map.column(at) + abs(t.map.row(at) - (t.map.rows if unit.side == 0 else 1))


class Stand(Greedy):
    """Lets all units stand and shoot."""

    def _march(self, t: Battle, decision: MoveUnits) -> Any:
        return EndMoves()


class Hold(Greedy):
    """Plays the card that orders fewest units, and keeps its best card."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Answer as the greedy player, except for cards."""
        if isinstance(decision, PlayACard):
            most = super().decide(decision, view, dice, budget)
            return next((a for a in decision.options(view) if a != most), most)
        return super().decide(decision, view, dice, budget)


class Nearest(Greedy):
    """Attacks the nearest enemy."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Answer as the greedy player, except for battles."""
        if isinstance(decision, ChooseBattle):
            t: Battle = view
            outlook = SideOutlook(t, decision.side, wary=False)

            def near(a: Engage) -> tuple[int, int]:
                one, other = t.units[a.unit], t.units[a.target]
                return t.map.distance(one.hex or "", other.hex or ""), -outlook.harm(one, other)

            battles = [a for a in decision.options(t) if isinstance(a, Engage)]
            return min(battles, key=near, default=EndBattles())
        return super().decide(decision, view, dice, budget)


SILLY: dict[str, Callable[[], Any]] = {
    "drive": Drive,
    "rush": Rush,
    "stand": Stand,
    "corner": Corner,
    "hold": Hold,
    "nearest": Nearest,
}
