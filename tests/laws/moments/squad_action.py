"""Random firefights with squads, teams and vehicles of every kind, tokens on both sides, and checks by an observer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from math import dist as distance
from typing import Any

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision, Event, ruleset
from caltrop.geometry import INCH, Point, body_inside, gap_between, overlap, path_length
from caltrop.rules.squad_action.activation import ActLost, NextAct, PassUp, actions_of
from caltrop.rules.squad_action.assault import Assault, Storm
from caltrop.rules.squad_action.broken import FellBack
from caltrop.rules.squad_action.casualties import Pinned
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.close_quarters import CameToBlows, CloseQuarters
from caltrop.rules.squad_action.damage import Disabled
from caltrop.rules.squad_action.morale import last_model_leaves
from caltrop.rules.squad_action.movement import Move, Moved, Moving
from caltrop.rules.squad_action.orders import Activate, Begin, Orders
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, Interruptions, React, Spring, TokenTurned
from caltrop.rules.squad_action.places import KEEP_OFF, bodies
from caltrop.rules.squad_action.recon import ReconMoves
from caltrop.rules.squad_action.records import Fight, Firefight, Goal, Objective, Pilot, Unit
from caltrop.rules.squad_action.scene import Put, block, machine, scene, squad
from caltrop.rules.squad_action.tokens import Watch as WatchAct
from caltrop.rules.squad_action.transport import free_seats
from caltrop.rules.squad_action.turn import Activation, turn_procedure
from caltrop.rules.squad_action.watching import lose_overwatch
from caltrop.table.measured import body_overlaps_piece
from tests.laws.moments.seen import GOES, Seen

CELL = 6
"""Side of a square for one unit or one piece of terrain, in inches."""
SIZES = ((3, 1, 2, 1), (4, 2, 2, 3), (6, 3, 3, 5))
"""Squares in a row, smallest number of units of a side, possible number of further units, and number of pieces of
terrain.
"""
TELLING = (166, 160, 48, 26, 4, 2)
"""Seeds of positions that revealed faults: blocked paths, immobile vehicles, Pinned units, models at the edge
of a unit that move alone, and double counts.
"""
SHARE = 10
"""The quick tier plays one of this number of positions."""
NEAR = 6
"""Number of moves by a token to compare. A reacting unit comes as near to its wanted place as the best of them."""
SLACK = INCH // 50
"""Largest effect of rounding on a path."""

RULES: dict[str, tuple[Any, ...]] = {
    "break_result": ("removed", "fall_back"),
    "terrifying_result": ("fall_back", "removed"),
    "activation": ("side", "side", "alternate"),
    "overwatch": ("tokens", "tokens", "single"),
    "cqb_rounds": ("at_once", "one_per_turn"),
    "announce_both": ("on", "off"),
}
GOALS: tuple[Goal, ...] = ("none", "meeting", "crossroads", "pilot", "breakthrough")
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
MOVES = {"truck": 10, "apc": 8, "ifv": 8, "walker": 6, "light-tank": 10, "battle-tank": 8, "heavy-tank": 6}
CLOSED = {
    "building": ("infantry", "walker", "vehicle"),
    "ruins": ("vehicle",),
    "bunker": ("walker", "vehicle"),
    "wall": ("vehicle",),
}
"""Take units out of all pieces of terrain of a kind."""
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
    "crept": (0, 1),
}
"""Give a unit acts in its last activation: none, or as many as possible."""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """Return one of some values at random."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Firefight:
    """Draw a firefight at the beginning of a turn, each unit and each piece of terrain in a square."""
    wide, fewest, more, pieces = any_of(dice, SIZES)
    squares = [(column, row) for row in range(wide) for column in range(wide)]
    units: list[Put] = []
    tokens: dict[int, tuple[str, ...]] = {}
    rules = {name: any_of(dice, values) for name, values in RULES.items()}

    def square() -> tuple[int, int]:
        # The places are near the middle, so that the sides meet.
        return squares.pop((dice.below(len(squares)) + dice.below(len(squares))) // 2)

    for side in (0, 1):
        for _ in range(fewest + dice.below(more)):
            x, y = (n * CELL for n in square())
            earlier = {name: any_of(dice, values) for name, values in EARLIER.items()}
            earlier["pinned"] = dice.below(8) == 0
            if dice.below(3) == 0:
                kind = any_of(dice, MACHINES)
                # A flyer that is Pinned or immobile leaves the table.
                earlier["immobile"] = dice.below(10) == 0 and kind != "gunship"
                earlier["pinned"] = earlier["pinned"] and kind != "gunship"
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
        *units, rules=rules, terrain=terrain, table=(size, size), tokens=tokens, smoke=[2, 2], round=2, active=0,
        field={"exits": True},
    )  # fmt: skip
    t.stack = [turn_procedure(t)]
    if dice.below(3) == 0:
        arrives(t, dice.below(len(units)))
    if dice.below(4) == 0:
        t.stack += [ReconMoves(side=1), ReconMoves(side=0)]
    return t


def together(dice: Dice) -> Firefight:
    """Draw a firefight with a value of every house rule, a mission, and a pilot or objectives where it needs them."""
    t = drawn(dice)
    further = {s.name: any_of(dice, s.values) for s in ruleset("squad-action").switches if s.name not in RULES}
    t.book = ruleset("squad-action").book(None, {**{name: t.book.rules[name] for name in RULES}, **further})
    for u in t.units:
        t.change(u.id, acted=min(u.acted, actions_of(t)))
    goal, defender = any_of(dice, GOALS), dice.below(2)
    middle = t.field.table.width // 2, t.field.table.height // 2
    t.field = msgspec.structs.replace(
        t.field,
        goal=goal,
        exits=goal in ("pilot", "breakthrough"),
        objectives=(Objective(at=middle),),
        defender=defender if goal in ("crossroads", "breakthrough") else None,
    )
    t.pilot = Pilot(at=middle) if goal == "pilot" else None
    return t


def arrives(t: Firefight, unit: int) -> None:
    """Move a unit into reserve, from where it enters in this turn, unless it carries another unit."""
    if t.units[unit].where == "table" and not any(u.carrier == unit for u in t.units):
        lose_overwatch(t, unit)
        t.change(unit, where="reserve", due=True, pinned=False)
        for m in t.units[unit].models:
            t.change_model(m, at=None)


def forgotten(t: Firefight, side: int) -> Firefight:
    """Return the firefight in which no unit that has yet to act did anything in an earlier turn."""
    fresh = t.clone()
    for u in t.units:
        if u.side == side and not u.activated:
            fresh.change(u.id, **{name: values[0] for name, values in EARLIER.items()})
    return fresh


def chosen(t: Firefight, decision: Decision, dice: Dice) -> Any:
    """Return a random answer. Units on overwatch mostly interrupt, and other units mostly act."""
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


class Watch(Seen):
    """Checks a firefight as an observer at the table would."""

    def __init__(self, t: Any) -> None:
        super().__init__(t)
        self.close = pairs_near(t)
        self.fought: set[int] = set()
        """Units that have fought since, or were stopped by a loss: they stay at the place of the fight or the loss."""
        self.moving: dict[int, Unit] = {}
        """Units on their way, as they were when the first token was turned over at them."""
        self.stopped: set[int] = set()
        """Units that may not go on."""
        self.gone: dict[int, int] = {}
        """Reported distances of units in their current activation."""
        self.jumped: set[int] = set()
        """Units that have used their packs in it."""
        self.announced: dict[int, list[str]] = {}
        """Announcements of units that have neither been offered since nor reported as lost."""
        self.fled: dict[int, dict[int, Point]] = {}
        """Reported destinations of units that fell back."""

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        """Return the places of models, and the directions of machines."""
        return {u.id: {m: seen_at(t, m) for m in u.models} for u in t.units if u.in_play}

    def acting(self, t: Any) -> set[int]:
        return acting(t)

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """Return whether an event is a token that is turned over."""
        return isinstance(action, Spring) and isinstance(decision, Interrupt)

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        if isinstance(action, Begin | Activate):
            self.gone[action.unit] = 0
            self.jumped.discard(action.unit)
        wrong = [
            *stands_wrong(after),
            *flags_wrong(after),
            *self._went_too_far(before, decision, action, events),
            *self._fell_back(before, action, events, after),
            *self._moved(before, events, after),
            *self._forgotten(action, events, after),
            *tokens_wrong(before, events, after),
        ]
        self.fought |= {u for e in events if isinstance(e, CameToBlows) for u in (*e.assaulters, *e.defenders)}
        if after.asked and isinstance(after.asked[0], Orders):
            # A unit that fights may be near any enemy. A broken unit stays if no path leads away, and a Pinned one
            # keeps its place.
            may = self.fought | {u.id for u in after.units if u.broken}
            now = pairs_near(after)
            wrong += [f"{pair} ended too near" for pair in now - self.close if not may & set(pair)]
            self.close, self.fought = now, set()
        return wrong + acts_wrong(after)

    def _went_too_far(self, before: Firefight, decision: Decision, action: Any, events: Sequence[Event]) -> list[str]:
        """Return the units that went farther than they may, including earlier moves of their activation."""
        wrong = []
        for event in events:
            if not isinstance(event, Moved):
                continue
            unit, frames = event.unit, [f for f in before.stack if isinstance(f, Moving) and f.act.unit == event.unit]
            token = frames[-1].token if frames else isinstance(decision, React)
            own = event.how != "scouts ahead" and not token
            limit = most(
                before.units[unit], self.gone.get(unit, 0) if own else 0, event.how, own and unit in self.jumped
            )
            storms = any(isinstance(frame, Storm) for frame in before.stack) or isinstance(action, Assault)
            slack = 0 if storms or len(before.units[unit].models) == 1 else inches(2)
            longest = max([path_length(path) for _, path in event.paths], default=0)
            if event.distance > limit + SLACK or longest > limit + slack + SLACK:
                wrong.append(f"{unit} went {event.distance} and {longest}, and may go {limit}")
            if own:
                self.gone[unit] = self.gone.get(unit, 0) + event.distance
                if event.how == "jumps":
                    self.jumped.add(unit)
        return wrong

    def _fell_back(self, before: Firefight, action: Any, events: Sequence[Event], after: Firefight) -> list[str]:
        """Return the units that fell back farther than their die, or to another place than their event says."""
        wrong = []
        for event in events:
            motion = event.motion(after)
            if isinstance(event, FellBack):
                far = max([path_length(path) for _, path in event.paths or ()], default=0)
                if far > event.distance + SLACK:
                    wrong.append(f"{event.unit} fell back {far} of {event.distance}")
                self.fled[event.unit] = {m: path[-1] for m, path in event.paths or ()}
            elif motion is not None and motion.unit in self.fled and motion.sort in GOES:
                del self.fled[motion.unit]
        for unit, places in list(self.fled.items()):
            stands = {m: after.models[m].at for m in after.units[unit].models if m in places}
            if any(places[m] != at for m, at in stands.items()):
                wrong.append(f"{unit} was told to have fallen back to {places}, and stands at {stands}")
            if not after.units[unit].broken:
                del self.fled[unit]
        return wrong

    def _forgotten(self, action: Any, events: Sequence[Event], after: Firefight) -> list[str]:
        """Return announced acts that were neither offered nor reported as lost when an activation is over."""
        if isinstance(action, Begin):
            self.announced[action.unit] = list(action.then)
        for event in events:
            if isinstance(event, ActLost) and event.kind in self.announced.get(event.unit, ()):
                self.announced[event.unit].remove(event.kind)
        for asked in after.asked:
            if isinstance(asked, NextAct) and (len(asked.kinds) == 1 or after.units[asked.unit].pinned):
                left = self.announced.get(asked.unit, [])
                for kind in asked.kinds:
                    if kind in left:
                        left.remove(kind)
        wrong, under_way = [], {frame.unit for frame in after.stack if isinstance(frame, Activation)}
        for unit in [unit for unit in self.announced if unit not in under_way]:
            left, u = self.announced.pop(unit), after.units[unit]
            if left and u.where in ("table", "aboard") and not u.broken:
                wrong.append(f"{unit} announced {left}, and nothing came of it")
        return wrong

    def _moved(self, before: Firefight, events: Sequence[Event], after: Firefight) -> list[str]:
        wrong = []
        for event in events:
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


def most(u: Unit, gone: int, how: str, jumped: bool) -> int:
    """Return how far a unit may go with a Move, after its earlier moves in the activation.

    Args:
        u: The unit.
        gone: The distance that it has already moved.
        how: The order for the move.
        jumped: True if the unit has used its packs before.
    """
    if u.kind == "flyer":
        return inches(8) - gone if u.hovering else inches(36)
    base = inches(MOVES[u.row] if u.machine else 8 if "fast" in u.traits else 6)
    if how == "jumps":
        return inches(12) - gone
    return min(base, inches(12) - gone) if jumped else base


def seen_at(t: Firefight, model: int) -> Hashable:
    """Return a model's place, and its direction if it has a front."""
    m = t.models[model]
    return (m.at, m.heading) if t.units[m.unit].machine else m.at


def acting(t: Firefight) -> set[int]:
    """Return the units with a running act."""
    actors = {frame.actor for frame in t.stack if isinstance(frame, Interruptions)}
    actors |= {frame.act.unit for frame in t.stack if isinstance(frame, Moving | Storm)}
    return actors


def grounded(t: Firefight) -> list[Unit]:
    """Return the units that take up room on the ground."""
    return [u for u in t.units if u.in_play and u.kind != "flyer"]


def pairs_near(t: Firefight) -> set[tuple[int, int]]:
    """Return pairs of enemies within 2 inches that are not in close quarters."""
    there = grounded(t)
    return {
        (u.id, v.id)
        for u in there
        for v in there
        if u.side == 0 and v.side == 1 and v.id not in u.locked
        if any(gap_between(a, b) < KEEP_OFF for a in bodies(t, u.id) for b in bodies(t, v.id))
    }


def stands_wrong(t: Firefight) -> list[str]:
    """Return models that overlap others or are off the table, and models out of play that are still on it."""
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
        elif u.id not in under_way:
            if not all(body_inside(b, box) for b in bodies(t, u.id)):
                wrong.append(f"{u.id} is over the edge")
            kinds = {piece.id: piece.kind.name for piece in t.field.table.terrain}
            for piece in t.ground.pieces:
                if u.kind in CLOSED.get(kinds[piece.id], ()) and any(
                    body_overlaps_piece(b, piece) for b in bodies(t, u.id)
                ):
                    wrong.append(f"{u.id} stands in {piece.id}")
    return wrong


def flags_wrong(t: Firefight) -> list[str]:
    """Return marks of units that cannot be true together, or that have outlived their activation."""
    busy = {frame.unit for frame in t.stack if isinstance(frame, Activation)}
    busy |= {partner for frame in t.stack if isinstance(frame, Storm) for partner in frame.act.partners}
    fights: list[Fight | CloseQuarters] = [*t.fights, *[f for f in t.stack if isinstance(f, CloseQuarters)]]
    fighting = {unit for fight in fights for unit in (*fight.assaulters, *fight.defenders)}
    waits = bool(t.asked) and isinstance(t.asked[0], Orders)
    wrong = []
    for u in t.units:
        carrier = None if u.carrier is None else t.units[u.carrier]
        aboard = u.where == "aboard"
        faults = {
            "watches without tokens, or has tokens and does not watch": (u.watching > 0) != (u.id in t.tokens),
            "watches and cannot": u.watching and (u.pinned or u.broken or u.locked or not u.in_play),
            "is Pinned and Broken": u.pinned and u.broken,
            "is Broken and not on foot on the table": u.broken and not (u.on_foot and u.in_play),
            "flies, and is Pinned or immobile": u.kind == "flyer" and u.in_play and (u.pinned or u.immobile),
            "is due and not in reserve": u.due and u.where != "reserve",
            "has a carrier and is not aboard, or none and is": aboard != (carrier is not None),
            "is aboard a machine out of play": carrier is not None and carrier.where == "gone",
            "carries more than it has seats for": u.machine and free_seats(t, u.id) < 0,
            "fights who does not fight it": any(u.id not in t.units[e].locked for e in u.locked),
            "is in close quarters and in no fight": u.locked and u.id not in fighting,
            "has done more than it may": u.acted > actions_of(t),
            "is not active, and remembers its activation": u.id not in busy
            and u.activated
            and (u.moves or u.jumped or u.flown or u.rode or u.dazed),
            "is a single last model": waits
            and u.in_play
            and u.on_foot
            and not u.locked
            and last_model_leaves(t, u.starting, len(u.models), u.traits),
        }
        wrong += [f"{u.id} {words}" for words, fault in faults.items() if fault]
    if t.pilot is not None and t.pilot.unit is not None:
        bearer = t.units[t.pilot.unit]
        if bearer.broken or bearer.where not in ("table", "away"):
            wrong.append(f"{bearer.id} carries the pilot, and cannot")
    return wrong


def tokens_wrong(before: Firefight, events: Sequence[Event], after: Firefight) -> list[str]:
    """Return tokens that should not exist, or were lost without a cause."""
    wrong = []
    for unit, laid in after.tokens.items():
        u = after.units[unit]
        if not u.watching or not laid.faces or not u.in_play:
            wrong.append(f"{unit} has tokens, and watches nothing")
    turned = [event.watcher for event in events if isinstance(event, TokenTurned)]
    for unit in set(turned):
        had = len(before.tokens[unit].faces) if unit in before.tokens else 0
        left = len(after.tokens[unit].faces) if unit in after.tokens else 0
        if left > had - turned.count(unit):
            wrong.append(f"{unit} has kept a token that was turned over")
    return wrong


def way_wrong(before: Firefight, event: Moved, after: Firefight) -> list[str]:
    """Return the differences between a reported Move and the visible one."""
    wrong = []
    for _, path in event.paths:
        if not path:
            wrong.append(f"{event.unit} went by no way")
    lengths = [path_length(path) for _, path in event.paths]
    if len(lengths) < len(before.units[event.unit].models) and event.how != "scouts ahead":
        lengths.append(0)  # some models have not moved
    if event.paths and not min(lengths) - SLACK <= event.distance <= max(lengths) + SLACK:
        wrong.append(f"{event.unit} went {event.distance}, and its ways are {lengths}")
    u = after.units[event.unit]
    begun = [frame for frame in before.stack if isinstance(frame, Moving) and frame.act.unit == event.unit]
    if (
        event.stopped
        and event.how != "jumps"
        and len(u.models) == 1
        and u.in_play
        and not u.broken
        and begun
        and not begun[-1].act.off
    ):
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
    """Return the distance along a path of a place on the path; None if the place is beside the path."""
    gone = 0.0
    for a, b in pairwise(path):
        leg = distance(a, b)
        if abs(distance(a, place) + distance(place, b) - leg) <= 4:
            return gone + distance(a, place)
        gone += leg
    return None


def acts_wrong(after: Firefight) -> list[str]:
    """Return offered acts that are illegal."""
    wrong = []
    for decision in after.asked:
        if isinstance(decision, NextAct):
            u = after.units[decision.unit]
            options = decision.options(after)
            arrives = u.where == "reserve" and u.due
            if u.broken or not (arrives or u.where in ("table", "aboard")):
                wrong.append(f"{u.id} is asked, and is out of it")
            for action in list(options)[:20]:
                if options.refusal(action) is not None:
                    wrong.append(f"{action} is offered, and is not legal")
                if u.pinned and isinstance(action, Move | Assault | WatchAct):
                    wrong.append(f"{u.id} is Pinned, and is offered {action}")
    return wrong
