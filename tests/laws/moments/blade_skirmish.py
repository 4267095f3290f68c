"""Drawn skirmishes, crowded and with many who are stunned or flee, and what a table would see of ways broken into."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision, Event
from caltrop.geometry import INCH, gap_between, overlap, path_length
from caltrop.rules.blade_skirmish.charge import Charged
from caltrop.rules.blade_skirmish.conditions import Removed
from caltrop.rules.blade_skirmish.flight import Pinned, Stopped
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.routes import Moved, Stay, Walk
from caltrop.rules.blade_skirmish.scene import Put, block, put, scene
from caltrop.rules.blade_skirmish.setup import Entered
from caltrop.rules.blade_skirmish.through import WentThrough
from caltrop.rules.blade_skirmish.turn import Game, TurnBegan
from caltrop.table.measured import body_overlaps_piece
from tests.laws.moments.seen import Seen

SHARE = 8
"""The quick tier plays one of so many positions."""
TELLING: tuple[int, ...] = ()
"""Positions that once told of a fault."""
CELL = 3
"""Inches of a square of the table that one fighter or one piece of terrain stands in."""
RULES: dict[str, tuple[Any, ...]] = {
    "turn_mode": ("side", "side", "alternate"),
    "flee_off_table": ("off", "off", "on"),
    "voluntary_flee_moves_now": ("on", "off"),
    "charge_may_leave_contact": ("on", "off"),
    "combat_order": ("declared", "sequential"),
    "split_move": ("after", "at_once"),
    "challenge_tie": ("hold", "clash"),
    "zone_exit": ("frozen", "outward"),
    "difficult_ground": ("off", "on"),
}
HABITS: tuple[tuple[Any, ...], ...] = ((), (), (), ("shield",), ("bow",), ("skittish",), ("frenzy",), ("swift",))
FARTHEST = {"walks": 4, "runs": 4, "closes in": 4, "flees": 8, "drifts": 6, "wanders": 6, "charges": 4}
"""How many inches a fighter goes at most."""
ZONE = 2 * INCH
SLACK = INCH // 50
"""What rounding may change about a way."""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """One of some values."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Skirmish:
    """Draw a skirmish at the beginning of a turn, each fighter in a square of her own, many beside an enemy."""
    wide = 4 + dice.below(3)
    squares = [(column * CELL, row * CELL) for row in range(wide) for column in range(wide)]
    rules = {name: any_of(dice, values) for name, values in RULES.items()}
    automated = any_of(dice, ((), (1,), (1,)))
    fighters: list[Put] = []

    def square() -> tuple[int, int]:
        return squares.pop((dice.below(len(squares)) + dice.below(len(squares))) // 2)

    for _ in range(3 + dice.below(3)):
        x, y = square()
        pair = [(0, x + 1), (1, x + 2)] if dice.below(2) else [(dice.below(2), x + 1)]
        for side, at in pair:
            state = any_of(dice, ({}, {}, {"fleeing": True}, {"stunned": True}, {"trophy": 1}))
            habits = any_of(dice, HABITS) if side in automated else ()
            more = {"habits": habits} if habits else {}
            fighters.append(put(side, 1 + dice.below(5), at, y + 1 + dice.below(2), **state, **more))
    terrain = []
    for kind in any_of(dice, ((), ("wall",), ("pit", "wall"), ("rough", "wall", "pit"))):
        x, y = square()
        terrain.append(block(kind, x, y, x + 2, y + 3, kind=kind))
    field = {"automated": automated, "goal": "clear", "limit": 6}
    size = wide * CELL
    t = scene(*fighters, rules=rules, terrain=terrain, table=(size, size), field=field, turns=(1, 1))
    t.stack = [Game(at="take_turn")]
    return t


def chosen(t: Skirmish, decision: Decision, dice: Dice) -> Any:
    """An answer by chance; nobody stays where she is as long as she may do something else."""
    options = decision.options(t)
    action = options.sample(dice)
    for _ in range(3):
        if not isinstance(action, Stay):
            break
        action = options.sample(dice)
    return action


class Watch(Seen):
    """What somebody at the table sees of a skirmish, and finds wrong."""

    def __init__(self, t: Any) -> None:
        super().__init__(t)
        self.went: dict[int, list[str]] = {}
        """How each fighter has gone in the turn under way."""

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        """Where fighters stand."""
        return {f.id: {f.id: f.at} for f in t.fighters if f.at is not None}

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """A hit on somebody who runs or drifts."""
        return any(isinstance(event, Pinned | Stopped) for event in events)

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        """What is wrong after an answer."""
        wrong = [*stands_wrong(after)]
        where = {f.id: f.at for f in before.fighters}
        for event in events:
            if isinstance(event, TurnBegan):
                self.went.clear()
            elif isinstance(event, Moved | Charged | WentThrough):
                wrong += self._way(before, where, event)
                walks = isinstance(event, Moved) and event is events[0] and event.how in ("walks", "runs")
                if isinstance(action, Walk) and walks:
                    wrong += into_zones(before, event)
                where[event.fighter] = event.path[-1]
            elif isinstance(event, Removed):
                where[event.fighter] = None
        for id, at in where.items():
            if after.fighters[id].at != at and not any(isinstance(e, Entered) for e in events):
                wrong.append(f"{id} stands at {after.fighters[id].at}, and was told to stand at {at}")
        return wrong

    def _way(self, before: Skirmish, where: Mapping[int, Any], event: Any) -> list[str]:
        """Return what is wrong with a way: how long it is, and what she has done in this turn before."""
        how = event.how if isinstance(event, Moved) else "charges" if isinstance(event, Charged) else "through"
        wrong, done, id = [], self.went.setdefault(event.fighter, []), event.fighter
        swift = "swift" in (before.fighters[id].habits or ()) and how in ("walks", "runs", "wanders")
        most = (6 if swift else FARTHEST.get(how, 4)) * INCH
        if event.path[0] != where[id]:
            wrong.append(f"{id} {how} from {event.path[0]}, and stood at {where[id]}")
        if path_length(event.path) > most + SLACK:
            wrong.append(f"{id} {how} {path_length(event.path)}, and may go {most}")
        if how != "through" and how in done:
            wrong.append(f"{id} {how} twice in a turn")
        acted = {"charges", "closes in", "drifts"} & set(done)
        if how == "runs" and acted:
            wrong.append(f"{id} runs, and has acted: {done}")
        done.append(how)
        return wrong


def stands_wrong(t: Skirmish) -> list[str]:
    """Who stands on somebody, in closed ground or off the table, and who is out of it and stands there still."""
    there: list[Fighter] = [f for f in t.fighters if f.at is not None]
    wrong = [
        f"{f.id} stands on {g.id}"
        for n, f in enumerate(there)
        for g in there[n + 1 :]
        if overlap(t.disc(f.id), t.disc(g.id))
    ]
    closed = {piece.id for piece in t.field.table.terrain if piece.kind.impassable}
    r = t.field.radius
    for f in there:
        x, y, _ = t.disc(f.id)
        wrong += [
            f"{f.id} stands in {piece.id}"
            for piece in t.ground.pieces
            if piece.id in closed and body_overlaps_piece(t.disc(f.id), piece)
        ]
        if not (r <= x <= t.field.table.width - r and r <= y <= t.field.table.height - r):
            wrong.append(f"{f.id} is over the edge")
        if f.fate != "ready":
            wrong.append(f"{f.id} is {f.fate} and stands there")
    return wrong


def into_zones(before: Skirmish, event: Any) -> list[str]:
    """Return which fit enemies a fighter has come nearer to than 2 inches on her own way."""
    wrong, r = [], before.field.radius
    for enemy in before.enemies_of(event.fighter):
        there = before.disc(enemy.id)
        gaps = [gap_between((x, y, r), there) for x, y in (event.path[0], event.path[-1])]
        if enemy.active and gaps[1] < min(ZONE, gaps[0]):
            wrong.append(f"{event.fighter} {event.how} to {gaps[1]} from {enemy.id}")
    return wrong
