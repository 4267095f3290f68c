"""The player that takes what is most at once: the best attack now, without a look at what comes back."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.battling import ChooseBattle, EndBattles, Engage
from caltrop.rules.hex_command.cards import PlayACard
from caltrop.rules.hex_command.catalogue import CARDS
from caltrop.rules.hex_command.moving import EndMoves, March, MoveUnits
from caltrop.rules.hex_command.orders import OrderUnit, OrderUnits
from tests.players.frozen.hex_command.outlook import Outlook


class Greedy:
    """Plays the card that orders most units, goes for the nearest enemy, and attacks for the most now."""

    words: ClassVar[str] = (
        "plays the card that orders most, goes for the nearest enemy, takes the battle that gains most"
    )

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The most, the nearest, the first."""
        t: Battle = view
        if isinstance(decision, PlayACard):
            return max(decision.options(t), key=lambda a: _orders(getattr(a, "card", "")))
        if isinstance(decision, OrderUnits):
            return OrderUnit(min(decision.choices, key=lambda id: (_far(t, t.units[id]), id)))
        if isinstance(decision, MoveUnits):
            return self._march(t, decision)
        if isinstance(decision, ChooseBattle):
            outlook = Outlook(t, decision.side, wary=False)
            battles = [a for a in decision.options(t) if isinstance(a, Engage)]
            return max(battles, key=lambda a: outlook.harm(t.units[a.unit], t.units[a.target]), default=EndBattles())
        return decision.options(t).first()

    def _march(self, t: Battle, decision: MoveUnits) -> Any:
        """The first unit that gets nearer to its nearest enemy goes as near as it can and still battle."""
        outlook = Outlook(t, decision.side, wary=False)
        for action in decision.options(t):
            if not isinstance(action, March):
                continue
            unit = t.units[action.unit]
            if outlook.best_attack(unit, unit.hex or "")[1] is not None:
                continue
            marches = [a for a in decision.options(t) if isinstance(a, March) and a.unit == unit.id and not a.alone]
            if not marches:
                continue
            best = min(marches, key=lambda a: _far(t, unit, a.to))
            if _far(t, unit, best.to) < _far(t, unit):
                return best
        return EndMoves()


def _far(t: Battle, unit: Unit, at: str = "") -> int:
    """Hexes to the nearest enemy."""
    here = at or unit.hex
    assert here is not None
    return min([t.map.distance(here, u.hex) for u in t.units if u.side != unit.side and u.hex is not None], default=0)


def _orders(card: str) -> int:
    """How many units a card orders."""
    row = CARDS.get(card)
    return 0 if row is None else row.units * max(1, len(row.sections))
