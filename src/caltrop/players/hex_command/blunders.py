"""Count obvious mistakes in games of Hex Command.

A `BlunderWatch` is shown every act with the state before and after it. The code defines the mistakes; in words:

- *hopeless attack*: by its exact odds, the attack removes less than a tenth of a model on average. Such an attack
  drives its target back or removes a leader less than once in ten times.
- *objective left*: a unit moves off an objective that its side holds and does not battle this turn, and no unit of
  its side is there when the turn ends.
- *leader alone*: a turn ends with a single leader of its side, without a unit, next to an enemy.
- *card for nothing*: in a turn no unit has moved or battled, and no card had an effect by itself. Another card of the
  hand would have ordered a unit that has a target from its hex.
"""

from __future__ import annotations

from typing import Any

from caltrop.engine import Decision
from caltrop.rules.hex_command.attack import TargetSearch, profile_of
from caltrop.rules.hex_command.battling import EndBattles, Engage
from caltrop.rules.hex_command.cards import PlayACard, card_in_force
from caltrop.rules.hex_command.catalogue import (
    card_kind,
)
from caltrop.rules.hex_command.movement import EndMoves, March
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit, orders_any_one, those_of
from caltrop.rules.hex_command.places import sections_of
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.table.hexes import Hex

KINDS = ("hopeless attack", "objective left", "leader alone", "card for nothing", "order wasted", "went alone")
NEAR, CLOSE = 3, 2
"""Distance in hexes within which a friend helps, and within which an enemy is a danger."""


class BlunderWatch:
    """Counts blunders of each side through one game."""

    def __init__(self) -> None:
        self.counts: tuple[dict[str, int], dict[str, int]] = (dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0))
        self.active = -1
        """The side whose turn is watched."""
        self.idle = False
        """True if nothing has been done in this turn yet."""
        self.better = False
        """True if another card would have had an effect."""
        self.left: dict[int, Hex] = {}
        """Units that have moved off an objective this turn and have not battled."""
        self.ordered: set[int] = set()
        """Units that were ordered this turn and have neither moved nor battled."""
        self.alone: set[int] = set()
        """Units that have left their friends for an enemy this turn and have not battled."""

    def see(self, decision: Decision, before: Battle, action: Any, after: Battle) -> None:
        if isinstance(decision, PlayACard):
            self._begin(decision.side, before, action)
        elif decision.side == self.active and isinstance(action, OrderUnit):
            if not card_kind(before, before.card).act:
                self.ordered.add(action.unit)
        elif decision.side == self.active and not isinstance(action, EndOrders | EndMoves | EndBattles):
            self.idle = False
            if isinstance(action, March):
                self._moved(before, action)
                self._left_alone(before, after, action)
            elif isinstance(action, Engage):
                self.left.pop(action.unit, None)
                self.ordered.discard(action.unit)
                self.alone.discard(action.unit)
                self.counts[decision.side]["hopeless attack"] += is_hopeless(before, action)
        if self.active >= 0 and (
            after.over is not None or after.turns[1 - self.active] > before.turns[1 - self.active]
        ):
            self._end(after)

    def _begin(self, side: int, t: Battle, action: Any) -> None:
        card = card_kind(t, card_in_force(t, side, action.card))
        self.active, self.idle = side, not card.act
        others = set(t.hands[side] or ()) - {action.card}
        self.better = self.idle and any(has_work(t, side, other) for other in sorted(others))
        self.left.clear()
        self.ordered.clear()
        self.alone.clear()

    def _left_alone(self, before: Battle, after: Battle, action: March) -> None:
        self.ordered.discard(action.unit)
        unit, to = before.units[action.unit], after.units[action.unit].hex
        walks = before.field.exit is not None and before.field.exit[0] == unit.id
        if to is None or walks or any(o.hex == to for o in before.field.objectives):
            return
        if _company(before, unit, unit.hex or to) and not _company(after, unit, to) and _danger(after, unit, to):
            self.alone.add(unit.id)

    def _moved(self, t: Battle, action: March) -> None:
        unit = t.units[action.unit]
        if unit.hex is not None and t.host_of(unit) is None and _held(t, unit):
            self.left[unit.id] = unit.hex

    def _end(self, t: Battle) -> None:
        side, counts = self.active, self.counts[self.active]
        if t.over is None:
            counts["card for nothing"] += self.idle and self.better
            counts["order wasted"] += 0 if self.idle else sum([t.units[id].strength > 0 for id in self.ordered])
            counts["went alone"] += sum([t.units[id].strength > 0 for id in self.alone])
            for hex in self.left.values():
                standing = t.unit_at(hex)
                counts["objective left"] += standing is None or standing.side != side
            for u in t.of_side(side):
                assert u.hex is not None
                if u.alone and t.host_of(u) is None and t.enemies_next_to(u.hex, side):
                    counts["leader alone"] += 1
        self.active = -1


def _company(t: Battle, unit: Unit, at: Hex) -> bool:
    return any(u.id != unit.id and t.map.distance(at, u.hex or at) <= NEAR for u in t.of_side(unit.side))


def _danger(t: Battle, unit: Unit, at: Hex) -> bool:
    return any(t.map.distance(at, u.hex or at) <= CLOSE for u in t.of_side(1 - unit.side))


def _held(t: Battle, unit: Unit) -> bool:
    """Return whether a unit is on an objective that its side holds only while a unit is there."""
    return any(o.hex == unit.hex and not o.permanent and t.captured.get(o.hex) == unit.side for o in t.field.objectives)


def is_hopeless(t: Battle, action: Engage) -> bool:
    """Return whether an attack has almost no effect on its target."""
    unit, target = t.units[action.unit], t.units[action.target]
    ends = chances(t.book, profile_of(t, unit, target))
    lost = ends.expected(lambda e: target.strength - e.strength)
    moved = ends.expected(lambda e: int(e.retreat > 0 or e.leader_lost))
    return lost * 10 < 1 and moved * 10 < 1


def has_work(t: Battle, side: int, card: str) -> bool:
    """Return whether a card orders a unit that has a target from its hex."""
    row = card_kind(t, card_in_force(t, side, card))
    if row.react or row.act:
        return False
    units = t.of_side(side) if orders_any_one(t, side, row) else those_of(t, side, row)
    return any(_counts(t, u, row.sections) and _has_target(t, u) for u in units)


def _counts(t: Battle, unit: Unit, sections: tuple[Any, ...]) -> bool:
    assert unit.hex is not None
    return not sections or any(s in sections for s in sections_of(t, unit.hex, unit.side))


def _has_target(t: Battle, unit: Unit) -> bool:
    aim = TargetSearch(t, unit)
    foes = [u for u in t.of_side(1 - unit.side) if t.host_of(u) is None]
    return any(aim.dice(foe) > 0 and aim.sees(foe) for foe in foes)
