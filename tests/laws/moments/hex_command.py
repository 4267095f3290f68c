"""Random battles on hexes, close together, with interrupting cards, and checks of everything that an observer would
see.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision, Event
from caltrop.rules.hex_command.attack.events import Attacked
from caltrop.rules.hex_command.battling import EndBattles, GroundTaken, SpringAmbush
from caltrop.rules.hex_command.catalogue import CARDS
from caltrop.rules.hex_command.movement import EndMoves, Marched
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.retreat import FellBack
from caltrop.rules.hex_command.turn import Game, TurnBegan
from tests.laws.moments.seen import Seen
from tests.rules.hex_command.tables import battle

SHARE = 8
"""The quick tier plays one of this number of positions."""
TELLING: tuple[int, ...] = ()
"""Positions that revealed a fault."""
RULES: dict[str, tuple[Any, ...]] = {
    "battle_back": ("on", "off"),
    "take_ground": ("on", "on", "off"),
    "overrun": ("off", "on"),
    "leader_escape": ("off", "on"),
    "leader_joins": ("others", "any"),
    "retreat_direction": ("away", "own_baseline"),
    "retreat_blocked": ("deflect_then_loss", "loss", "stay"),
    "god_machines_stand": ("off", "on"),
}
UNITS = ("I-L", "I-M", "I-H", "V-L", "V-M", "V-H", "G-L", "G-M", "L-M")
GROUNDS = ("road", "rubble", "woods", "ruins", "hill", "citadel", "spire", "water", "ford")
MOVES = {
    "infantry-light": 2, "infantry-medium": 2, "infantry-heavy": 1, "vehicle-light": 4, "vehicle-medium": 3,
    "vehicle-heavy": 2, "leader-light": 3, "leader-medium": 2, "god-machine-light": 3, "god-machine-medium": 3,
}  # fmt: skip
"""Printed movement of units, in hexes."""
ROADS = ("road", "bridge")
CLOSED = {"spire": "", "citadel": "infantry leader", "water": "god-machine"}
"""The classes of units that may enter a kind of ground; all classes may enter other ground."""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """Return one of some values at random."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Battle:
    """Draw a battle at the beginning of a turn, the units in the middle of the map, some with a leader."""
    hexes = [f"{row}{column}" for row in "BCDEFGH" for column in range(3, 9)]
    rules = {name: any_of(dice, values) for name, values in RULES.items()}
    sides: list[list[str]] = [[], []]
    for side in (0, 1):
        for _ in range(4 + dice.below(3)):
            hex = hexes.pop(dice.below(len(hexes)))
            unit = any_of(dice, UNITS)
            sides[side].append(f"{unit} {hex}")
            if unit[0] in "IV" and dice.below(3) == 0:
                sides[side].append(f"L-L {hex}")
    ground = ", ".join(f"{any_of(dice, GROUNDS)} {hexes.pop(dice.below(len(hexes)))}" for _ in range(dice.below(9)))
    cards = sorted(CARDS)
    hands = [[*(any_of(dice, cards) for _ in range(4)), "ambush"] for _ in (0, 1)]
    t = battle(", ".join(sides[0]), ", ".join(sides[1]), ground=ground, hands=(hands[0], hands[1]), rules=rules)
    t.entrenchments = [hex for hex in t.board if dice.below(4) == 0]
    t.stack = [Game(at="take_turn")]
    return t


def chosen(t: Battle, decision: Decision, dice: Dice) -> Any:
    """Return a random answer. Moves and battles end only if nothing else is drawn."""
    options = decision.options(t)
    action = options.sample(dice)
    for _ in range(4):
        if not isinstance(action, EndMoves | EndBattles):
            break
        action = options.sample(dice)
    return action


class Watch(Seen):
    """Checks a battle as an observer at the table would."""

    def __init__(self, t: Any) -> None:
        super().__init__(t)
        self.marched: list[int] = []
        """Units that have moved in the turn under way."""
        self.battled: list[int] = []
        """Units that have battled in the turn under way, and have not overrun."""

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        return {u.id: {u.id: t.map.centre(u.hex)} for u in t.units if u.hex is not None}

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """Return whether an event is an Ambush, or a unit that is driven back."""
        return isinstance(action, SpringAmbush) or any(isinstance(event, FellBack) for event in events)

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        wrong = stands_wrong(after)
        where = {u.id: u.hex for u in before.units}
        for event in events:
            if isinstance(event, TurnBegan):
                self.marched.clear()
                self.battled.clear()
            elif isinstance(event, GroundTaken) and before.book.rules["overrun"] == "on":
                self.battled = [id for id in self.battled if id != event.unit]
            elif isinstance(event, Attacked) and event.how in ("assault", "fire"):
                wrong += [f"{event.attacker} battles twice in a turn"] if event.attacker in self.battled else []
                self.battled.append(event.attacker or 0)
            if isinstance(event, Marched | FellBack | GroundTaken):
                wrong += self._way(before, where, event)
                where[event.unit] = event.to
        return wrong

    def _way(self, before: Battle, where: Mapping[int, Any], event: Any) -> list[str]:
        """Return the faults of a path: its start, its length, and whether it is a second move."""
        wrong, unit, far = [], event.unit, before.map.distance(event.start, event.to)
        if where[unit] != event.start:
            wrong.append(f"{unit} goes from {event.start}, and stood at {where[unit]}")
        if isinstance(event, Marched):
            if unit in self.marched:
                wrong.append(f"{unit} moves twice in a turn")
            self.marched.append(unit)
            roads = all(before.field.terrain.get(hex) in ROADS for hex in (event.start, event.to))
            most = MOVES[before.units[unit].kind] + roads + (before.card == "infantry-storm")
            if event.hexes > most:
                wrong.append(f"{unit} went {event.hexes} hexes, and may go {most}")
            if event.hexes < far:
                wrong.append(f"{unit} went {event.hexes} hexes, and it is {far} from {event.start} to {event.to}")
        elif far != 1:
            wrong.append(f"{unit} went {far} hexes, and one is all: {event}")
        return wrong


def stands_wrong(t: Battle) -> list[str]:
    """Return units that illegally share a hex, or that are on forbidden ground."""
    wrong = [f"nobody stands in the entrenchment at {hex}" for hex in t.entrenchments if hex not in t.board]
    for u in t.units:
        if u.hex is None:
            continue
        ground = t.field.terrain.get(u.hex, "open")
        kind = u.kind.rpartition("-")[0].removesuffix("-super")
        if ground in CLOSED and kind not in CLOSED[ground].split() and t.host_of(u) is None:
            wrong.append(f"{u.id}, {u.kind}, is in {ground} at {u.hex}")
        others = [v for v in t.units if v.hex == u.hex and v.id != u.id]
        if len(others) > 1 or any(v.side != u.side for v in others):
            wrong.append(f"{u.id} shares {u.hex} with {[v.id for v in others]}")
        if others and not (u.alone or others[0].alone):
            wrong.append(f"{u.id} and {others[0].id} are in one hex, and neither is a leader")
    return wrong
