"""Drawn firefights with squads, teams and machines of every kind, tokens on both sides, and what a table would see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist as distance
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision, Event, State
from caltrop.geometry import INCH, Point, body_inside, gap_between, overlap, path_length
from caltrop.rules.squad_action.acts import Assault, Move
from caltrop.rules.squad_action.acts import Watch as WatchAct
from caltrop.rules.squad_action.assault import Storm
from caltrop.rules.squad_action.casualties import Pinned
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.close_quarters import CameToBlows
from caltrop.rules.squad_action.damage import Disabled
from caltrop.rules.squad_action.fight import Firefight, Unit
from caltrop.rules.squad_action.moving import Moved, Moving
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, Interruptions, React, Spring, TokenTurned
from caltrop.rules.squad_action.places import KEEP_OFF, bodies
from caltrop.rules.squad_action.scene import Put, block, machine, scene, squad
from caltrop.rules.squad_action.turn import Begin, NextAct, Orders, PassUp, turn_procedure

CELL = 6
"""Inches of a square of the table that one unit or one piece of terrain stands in."""
SIZES = ((3, 1, 2, 1), (4, 2, 2, 3), (6, 3, 3, 5))
"""Squares in a row, the fewest units of a side and how many more there may be, and pieces of terrain."""
TELLING = (166, 48, 4, 2)
"""Positions that tell: of who comes into the way, of the immobile, of the Pinned, and of what is counted twice."""
NEAR = 6
"""Moves by a token that are looked at: who breaks in comes as near to where the unit wants to stand as one of them."""
SLACK = INCH // 50
"""What rounding may change about a way."""

RULES: dict[str, tuple[Any, ...]] = {
    "break_result": ("removed", "fall_back"),
    "terrifying_result": ("fall_back", "removed"),
    "activation": ("side", "side", "alternate"),
    "overwatch": ("tokens", "tokens", "single"),
    "cqb_rounds": ("at_once", "one_per_turn"),
    "announce_both": ("on", "off"),
}
TROOPS = ("conscript", "militia", "regular", "veteran", "assault", "elite", "powered")
ARMS = (
    "heavy-machine-gun",
    "anti-tank-launcher",
    "fusion-gun",
    "flamethrower",
    "light-mortar",
    "rpg",
    "grenade-launcher",
)
MACHINES = ("truck", "apc", "ifv", "walker", "light-tank", "battle-tank", "heavy-tank", "gunship")
TRAITS: tuple[tuple[str, ...], ...] = (
    (),
    (),
    ("terrifying",),
    ("fearless",),
    ("jump-infantry",),
    ("fast",),
    ("recon",),
)
EARLIER: dict[str, tuple[Any, Any]] = {
    "travelled": (0, inches(9)),
    "moved": (False, True),
    "moves": (0, 2),
    "acted": (0, 2),
    "jumped": (False, True),
    "flown": (False, True),
    "rode": (False, True),
    "dazed": (False, True),
    "crept": (False, True),
}
"""What a unit has done in its last activation: nothing, or as much as it can."""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """One of some values."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Firefight:
    """Draw a firefight at the beginning of a turn, each unit and each piece of terrain in a square of its own."""
    wide, fewest, more, pieces = any_of(dice, SIZES)
    squares = [(column, row) for row in range(wide) for column in range(wide)]
    units: list[Put] = []
    tokens: dict[int, tuple[str, ...]] = {}
    rules = {name: any_of(dice, values) for name, values in RULES.items()}

    def square() -> tuple[int, int]:
        # Near the middle, so that they meet.
        return squares.pop((dice.below(len(squares)) + dice.below(len(squares))) // 2)

    for side in (0, 1):
        for _ in range(fewest + dice.below(more)):
            x, y = (n * CELL for n in square())
            earlier = {name: any_of(dice, values) for name, values in EARLIER.items()}
            earlier["pinned"] = dice.below(8) == 0
            if dice.below(3) == 0:
                kind = any_of(dice, MACHINES)
                earlier["immobile"] = dice.below(10) == 0 and kind != "gunship"
                heading = any_of(dice, ((0, 1), (1, 0), (0, -1), (3, 4)))
                units.append(machine(side, kind, x + 3, y + 3, heading, **earlier))
                if kind in ("truck", "apc") and dice.below(2):
                    aboard: dict[str, Any] = {"where": "aboard", "carrier": len(units) - 1}
                    units.append(squad(side, "regular", x + 3, y + 3, 3, **aboard))
                carries = len(units) - 1 if units[-1].row in MACHINES else len(units) - 2
            else:
                count, armed = 1 + dice.below(6), dice.below(2) * (1 + dice.below(2))
                arms = [any_of(dice, ARMS) for _ in range(min(armed, count))]
                units.append(
                    squad(
                        side,
                        any_of(dice, TROOPS),
                        x + 2,
                        y + 4,
                        count,
                        weapons=arms,
                        rank=3,
                        gap="1.2",
                        officer=dice.below(4) == 0,
                        spotter=dice.below(4) == 0,
                        traits=any_of(dice, TRAITS),
                        **earlier,
                    )
                )
                carries = len(units) - 1
            if dice.below(2) and not earlier["pinned"]:
                faces = ("fire",) if rules["overwatch"] == "single" else ("fire", "move")
                tokens[carries] = tuple(sorted(any_of(dice, faces) for _ in range(1 + dice.below(len(faces)))))
    terrain = []
    for kind in ("woods", "ruins", "building", "wall", "rough")[5 - pieces :]:
        x, y = (n * CELL for n in square())
        terrain.append(block(kind, kind, x + 1, y + 1, x + 5, y + (2 if kind == "wall" else 5)))
    size = CELL * wide
    t = scene(
        *units, rules=rules, terrain=terrain, table=(size, size), tokens=tokens, smoke=[2, 2], round=1, active=0,
        field={"exits": True},
    )  # fmt: skip
    t.stack = [turn_procedure(t)]
    return t


def forgotten(t: Firefight, side: int) -> Firefight:
    """The firefight in which nobody who has yet to act has done anything in an earlier turn."""
    fresh = t.clone()
    for u in t.units:
        if u.side == side and not u.activated:
            fresh.change(u.id, **{name: values[0] for name, values in EARLIER.items()})
    return fresh


def chosen(t: Firefight, decision: Decision, dice: Dice) -> Any:
    """An answer by chance; watchers mostly break in, and units mostly act."""
    options = decision.options(t)
    action = options.sample(dice)
    for _ in range(3):
        idle = isinstance(action, Forgo | PassUp)
        if isinstance(decision, Interrupt):
            idle = not isinstance(action, Spring)
        if isinstance(decision, Orders):
            idle = not isinstance(action, Begin)
        if not idle:
            break
        action = options.sample(dice)
    if isinstance(decision, React) and decision.face == "move" and dice.below(2):
        moves = [a for a in (options.sample(dice) for _ in range(NEAR)) if isinstance(a, Move) and a.paths]
        ends = [path[-1] for frame in t.stack if isinstance(frame, Interruptions) for _, path in frame.paths]
        if moves and ends:
            return min(moves, key=lambda a: min(distance(e, path[-1]) for e in ends for _, path in a.paths))
    if isinstance(decision, React) and isinstance(action, Forgo):
        return options.first()
    return action


class Watch:
    """What somebody at the table sees of a game, and finds wrong."""

    def __init__(self, t: State) -> None:
        assert isinstance(t, Firefight)
        self.broken_into = 0
        self.close = pairs_near(t)
        self.fought: set[int] = set()
        """Units that have fought since, or were stopped for what befell them: they stand where that was."""
        self.moving: dict[int, Unit] = {}
        """Units on their way, as they were when the first token was turned over at them."""
        self.stopped: set[int] = set()
        """Those that may not go on."""

    def saw(self, before: Any, decision: Decision, action: Any, told: Sequence[Event], after: Any) -> list[str]:
        """What is wrong after an answer."""
        self.broken_into += isinstance(action, Spring) and isinstance(decision, Interrupt)
        wrong = [*stands_wrong(after), *self._moved(before, told, after), *tokens_wrong(before, told, after)]
        self.fought |= {u for e in told if isinstance(e, CameToBlows) for u in (*e.assaulters, *e.defenders)}
        if after.asked and isinstance(after.asked[0], Orders):
            # Who fights may stand near any enemy, who breaks stays where no way leads away, who is Pinned where it is.
            may = self.fought | {u.id for u in after.units if u.broken}
            now = pairs_near(after)
            wrong += [f"{pair} ended too near" for pair in now - self.close if not may & set(pair)]
            self.close, self.fought = now, set()
        return wrong + acts_wrong(after)

    def _moved(self, before: Firefight, told: Sequence[Event], after: Firefight) -> list[str]:
        wrong = []
        for event in told:
            if isinstance(event, TokenTurned) and event.actor is not None:
                self.moving.setdefault(event.actor, before.units[event.actor])
            elif isinstance(event, Pinned) and event.unit in self.moving:
                if not self.moving[event.unit].pinned:
                    self.stopped.add(event.unit)
            elif isinstance(event, Disabled) and event.lost == "immobile" and event.unit in self.moving:
                self.stopped.add(event.unit)
            elif isinstance(event, Moved):
                if event.unit in self.stopped and not event.stopped:
                    wrong.append(f"{event.unit} went on")
                if event.unit in self.stopped:
                    self.fought.add(event.unit)
                wrong += way_wrong(before, event, after)
        for unit in list(self.moving):
            if unit not in acting(after):
                del self.moving[unit]
                self.stopped.discard(unit)
        return wrong


def acting(t: Firefight) -> set[int]:
    """The units whose acts are under way."""
    found = {frame.actor for frame in t.stack if isinstance(frame, Interruptions)}
    found |= {frame.act.unit for frame in t.stack if isinstance(frame, Moving | Storm)}
    return found


def grounded(t: Firefight) -> list[Unit]:
    """Units that take up room on the ground."""
    return [u for u in t.units if u.in_play and u.kind != "flyer"]


def pairs_near(t: Firefight) -> set[tuple[int, int]]:
    """Enemies who stand within 2 inches of one another, and are in no close quarters."""
    there = grounded(t)
    return {
        (u.id, v.id)
        for u in there
        for v in there
        if u.side == 0 and v.side == 1 and v.id not in u.locked
        if any(gap_between(a, b) < KEEP_OFF for a in bodies(t, u.id) for b in bodies(t, v.id))
    }


def stands_wrong(t: Firefight) -> list[str]:
    """Who stands on somebody or off the table, and who is out of play and stands there still."""
    under_way, there = acting(t), grounded(t)
    wrong = [
        f"{u.id} stands on {v.id}"
        for n, u in enumerate(there)
        for v in there[n + 1 :]
        if not {u.id, v.id} & under_way
        if any(overlap(a, b) for a in bodies(t, u.id) for b in bodies(t, v.id))
    ]
    box = t.ground.box
    for u in t.units:
        if not u.in_play:
            wrong += [f"{u.id} is {u.where} and stands there" for m in u.models if t.models[m].at is not None]
        elif u.id not in under_way and not all(body_inside(b, box) for b in bodies(t, u.id)):
            wrong.append(f"{u.id} is over the edge")
    return wrong


def tokens_wrong(before: Firefight, told: Sequence[Event], after: Firefight) -> list[str]:
    """Which tokens are there that should not be, or were lost without a cause."""
    wrong = []
    for unit, laid in after.tokens.items():
        u = after.units[unit]
        if not u.watching or not laid.faces or not u.in_play:
            wrong.append(f"{unit} has tokens, and watches nothing")
    turned = [event.watcher for event in told if isinstance(event, TokenTurned)]
    for unit in set(turned):
        had = len(before.tokens[unit].faces) if unit in before.tokens else 0
        left = len(after.tokens[unit].faces) if unit in after.tokens else 0
        if left > had - turned.count(unit):
            wrong.append(f"{unit} has kept a token that was turned over")
    return wrong


def way_wrong(before: Firefight, event: Moved, after: Firefight) -> list[str]:
    """How what a Move is told to be differs from what was seen of it."""
    wrong = []
    for _, path in event.paths:
        if not path:
            wrong.append(f"{event.unit} went by no way")
    lengths = [path_length(path) for _, path in event.paths]
    if len(lengths) < len(before.units[event.unit].models) and event.how != "scouts ahead":
        lengths.append(0)  # somebody has stayed where he was
    if event.paths and not min(lengths) - SLACK <= event.distance <= max(lengths) + SLACK:
        wrong.append(f"{event.unit} went {event.distance}, and its ways are {lengths}")
    u = after.units[event.unit]
    begun = [frame for frame in before.stack if isinstance(frame, Moving) and frame.act.unit == event.unit]
    if event.stopped and event.how != "jumps" and len(u.models) == 1 and u.in_play and not u.broken and begun:
        path = dict(begun[-1].act.paths).get(u.models[0], ())
        place = after.models[u.models[0]].at
        if place is not None and len(path) > 1:
            gone = along(path, place)
            if gone is not None and abs(gone - event.distance) > SLACK:
                wrong.append(f"{event.unit} stands {gone} along its way, and has gone {event.distance}")
    if begun and not begun[-1].token and u.in_play and u.travelled != begun[-1].came_with + event.distance:
        wrong.append(f"{event.unit} has travelled {u.travelled}")
    return wrong


def along(path: Sequence[Point], place: Point) -> float | None:
    """How far along a way a place lies; None where it is beside it."""
    gone = 0.0
    for a, b in pairwise(path):
        leg = distance(a, b)
        if abs(distance(a, place) + distance(place, b) - leg) <= 4:
            return gone + distance(a, place)
        gone += leg
    return None


def acts_wrong(after: Firefight) -> list[str]:
    """Which acts are offered that are not legal."""
    wrong = []
    for decision in after.asked:
        if isinstance(decision, NextAct):
            u = after.units[decision.unit]
            options = decision.options(after)
            if u.broken or u.where not in ("table", "aboard"):
                wrong.append(f"{u.id} is asked, and is out of it")
            for action in list(options)[:20]:
                if options.refusal(action) is not None:
                    wrong.append(f"{action} is offered, and is not legal")
                if u.pinned and isinstance(action, Move | Assault | WatchAct):
                    wrong.append(f"{u.id} is Pinned, and is offered {action}")
    return wrong
