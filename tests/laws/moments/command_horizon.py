"""Random battles of both editions, with watchers, locks and markers, and checks of interrupted paths."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision, Event
from caltrop.geometry import CM, CONTACT, gap_between, overlap, path_length
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.catalogue import armies, kinds, unit_kind
from caltrop.rules.command_horizon.charge import (
    ChargeArrived,
    ChargeAt,
    ChargeCutShort,
    ChargeDeclared,
    ChargeReaction,
    ReactToCharge,
)
from caltrop.rules.command_horizon.combat import React
from caltrop.rules.command_horizon.disengage import DisengageStep
from caltrop.rules.command_horizon.infantry import Detached, Formed, Joined
from caltrop.rules.command_horizon.movement import EndStep, Moved, UnitMove
from caltrop.rules.command_horizon.overwatch import FireFromOverwatch, FireOrWait
from caltrop.rules.command_horizon.records import Battle, Unit
from caltrop.rules.command_horizon.scene import Put, put, scene, square
from caltrop.rules.command_horizon.turn import Game, TurnBegan
from caltrop.rules.command_horizon.way_out import Withdrew
from caltrop.table.measured import body_overlaps_piece
from tests.laws.moments.seen import Seen

SHARE = 15
"""The quick tier plays one of this number of positions."""
TELLING: tuple[int, ...] = (18,)
"""Positions that revealed a fault."""
CELL = 14
"""Side of a square for one unit or one piece of terrain, in centimetres."""
RULES: dict[str, tuple[Any, ...]] = {
    "overwatch": ("on", "on", "off"),
    "rf.limit": ("per-attack", "once"),
    "charge.rfRange": ("no", "yes"),
    "disengage.distance": ("maximum", "free"),
    "combat.simultaneity": ("step", "attack"),
    "rf.who": ("target", "any"),
    "overkill.mode": ("automatic", "automatic", "optional"),
}
FREE = 10 * CM
"""Distance that infantry moves free of charge, and the limit of stunned units."""
FAR = {"alliance": 10 * CM, "asori": 20 * CM, "putredine": 15 * CM}
"""Longest move of infantry of each army; vehicles move 30 cm."""
ROUND = 30 * CM
"""Extra distance beyond the paid one for a charge whose arriving base was lost. The other bases are behind it, and go a
longer way around the place or the lost base.

The other bases are behind it, and have a longer path around the place or the fallen.
"""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """Return one of some values at random."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Battle:
    """Draw a battle at the beginning of a turn, each unit in a square, some locked with the next."""
    wide = 4 + dice.below(2)
    squares = [(column * CELL, row * CELL) for row in range(wide) for column in range(wide)]
    rules = {name: any_of(dice, values) for name, values in RULES.items()}
    edition = any_of(dice, ("current", "current", "v1.5"))
    races = armies(scene(edition=edition).book)
    army = (any_of(dice, races), any_of(dice, races))
    units: list[Put] = []

    def square_of() -> tuple[int, int]:
        return squares.pop((dice.below(len(squares)) + dice.below(len(squares))) // 2)

    blank = scene(army=army, edition=edition)
    for side in (0, 1):
        for _ in range(3 + dice.below(3)):
            every = kinds(blank.book, army[side])
            walkers = [k for k in every if unit_kind(blank, army[side], k).infantry and k != "heavy-weapons"]
            kind = any_of(dice, walkers if dice.below(2) and walkers else [k for k in every if k != "heavy-weapons"])
            x, y = square_of()
            state: dict[str, Any] = {"stuns": 1} if dice.below(6) == 0 else {}
            row = unit_kind(blank, army[side], kind)
            if rules["overwatch"] == "on" and side == 1 and row.range_cm and "artillery" not in kind and dice.below(2):
                state["overwatch"] = 1
            models = 1 + dice.below(3)
            if row.infantry and army[side] != "putredine" and dice.below(3) == 0:
                # Two Squads of a Platoon with at least one base each, which may separate and join.
                state["squads"], models = 2, 1 + row.squad + dice.below(row.squad)
            units.append(put(side, kind, (x + 3, y + 3 + 4 * dice.below(2)), models=models, **state))
    foot = [next(k for k in kinds(blank.book, race) if unit_kind(blank, race, k).infantry) for race in army]
    for _ in range(dice.below(2)):
        # Single bases are placed around a unit. Each may charge it, and it may fire at one of them.
        x, y = square_of()
        units.append(put(1, foot[1], (x + 6, y + 7), models=2))
        units += [put(0, foot[0], (x + dx, y + dy), models=1) for dx, dy in ((2, 2), (11, 3), (7, 12))]
    for _ in range(dice.below(3)):
        # Two locked squads are placed base to base.
        x, y = square_of()
        r = [unit_kind(blank, army[side], foot[side]).base_radius for side in (0, 1)]
        gap = (r[0] + r[1] + 1) / CM
        mine = len(units)
        units.append(put(0, foot[0], (x + 4, y + 4), models=1 + dice.below(2), along="-x"))
        units.append(put(1, foot[1], (x + 4 + gap, y + 4), models=1 + dice.below(2), locked=[mine]))
    terrain = []
    for kind in any_of(dice, ((), ("woods",), ("building", "rough"), ("hill", "impassable", "woods"))):
        x, y = square_of()
        terrain.append(square(kind, kind, x + 2, y + 2, x + 11, y + 9))
    size = wide * CELL * CM
    t = scene(
        *units, edition=edition, rules=rules, army=army, cp=(14, 8),
        terrain=terrain, table=(size, size),
    )  # fmt: skip
    t.stack = [Game(at="take_turn")]
    return t


def chosen(t: Battle, decision: Decision, dice: Dice) -> Any:
    """Return a random answer. The step is ended only if nothing else is drawn."""
    options = decision.options(t)
    action = options.sample(dice)
    for _ in range(4):
        if not isinstance(action, EndStep):
            break
        action = options.sample(dice)
    return action


class Watch(Seen):
    """Checks a battle as an observer at the table would."""

    def __init__(self, t: Any) -> None:
        super().__init__(t)
        self.went: dict[int, list[str]] = {}
        """The kinds of moves of each unit in the current turn."""
        self.reach: dict[int, int] = {}
        """The remaining reach of each charger, as declared."""
        self.cut: dict[int, int] = {}
        """The distance of each charger on paths that were cut short."""
        self.charged: dict[int, int] = {}
        """Number of bases with which each charger has declared its charge."""
        self.set_out: dict[int, Unit] = dict(enumerate(t.units))
        """Each unit as it was before its act, because losses during a move do not shorten it."""
        self.answered: list[int] = []
        """Units that have fired at a charge of the turn under way."""
        self.watched: list[int] = []
        """Watchers that have fired in the turn under way."""

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        """Return the places of bases. A base that joins another unit is reported with both."""
        return {
            i: {m: (t.models[m].x, t.models[m].y) for m in u.models}
            for i, u in enumerate(t.units)
            if u.models and u.deployed and not u.left
        }

    def saw(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        """Return the faults after an answer. A Squad that has left its unit stands where its bases stood."""
        for event in events:
            if isinstance(event, Detached):
                stood = self.places(before)[event.unit]
                self._stood[event.squad] = {m: stood[m] for m in after.units[event.squad].models}
        return super().saw(before, decision, action, events, after)

    def acting(self, t: Any) -> set[int]:
        result: set[int] = set()
        for frame in t.stack:
            if isinstance(frame, UnitMove | Advance | DisengageStep):
                result.add(frame.unit)
            elif isinstance(frame, ChargeAt):
                result |= {charge.unit for charge in frame.chargers}
        return result

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """Return whether an event is fire at a moving unit, or at one about to charge."""
        return isinstance(action, FireFromOverwatch | ReactToCharge)

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        wrong, under_way = stands_wrong(after, self.acting(after)), self.acting(before)
        self.set_out.update({i: u for i, u in enumerate(before.units) if i not in under_way})
        wrong += self._fired(before, decision, action)
        for event in events:
            if isinstance(event, TurnBegan):
                for stored in (self.went, self.reach, self.cut, self.charged, self.answered, self.watched):
                    stored.clear()
            elif isinstance(event, Joined | Formed):
                # Bases that others have joined may buy a short extra move. Bases that have formed up may not move at
                # all.
                self.went[event.into] = [] if isinstance(event, Joined) else ["Formed"]
            elif isinstance(event, ChargeDeclared):
                wrong += self._declared(before, event)
            elif isinstance(event, ChargeCutShort):
                wrong += self._charged(event, after)
            elif isinstance(event, Moved | ChargeArrived | Withdrew):
                wrong += self._way(before, event, after)
        for i, u in enumerate(after.units):
            for enemy in u.locked:
                if i not in after.units[enemy].locked:
                    wrong.append(f"{i} is locked with {enemy}, which is not locked with it")
                if not after.units[enemy].models:
                    wrong.append(f"{i} is locked with {enemy}, which is gone")
        return wrong

    def _fired(self, before: Battle, decision: Decision, action: Any) -> list[str]:
        """Return which units fire although they have broken into this turn already, or wait on overwatch."""
        if isinstance(action, ReactToCharge) and isinstance(decision, ChargeReaction):
            who, before_that, how = decision.unit, self.answered, "a second charge"
        elif isinstance(action, FireFromOverwatch) and isinstance(decision, FireOrWait):
            who, before_that, how = decision.watcher, self.watched, "from overwatch again"
        elif isinstance(action, React):
            who, before_that, how = action.unit, [], "by reaction"
        else:
            return []
        wrong = [f"{who} fires at {how}"] if who in before_that else []
        before_that.append(who)
        if not isinstance(action, FireFromOverwatch) and before.units[who].overwatch:
            wrong.append(f"{who} is on overwatch, and fires {how}")
        return wrong

    def _declared(self, before: Battle, event: ChargeDeclared) -> list[str]:
        """Return the faults in the declared reach of a charge."""
        self.reach[event.unit], self.charged[event.unit] = event.reach, len(before.units[event.unit].models)
        far = FAR[before.armies[before.units[event.unit].side].army]
        may = (FREE,) if before.units[event.unit].stuns else (FREE, far)
        if event.reach in [most + 5 * CM for most in may]:
            return []
        return [f"{event.unit} charges over {event.reach}, and may go {may} and 5 cm more"]

    def _charged(self, event: Any, after: Battle) -> list[str]:
        """Return the faults in the length of a charge, or of a part of one."""
        unit, gone = event.unit, self.cut.get(event.unit, 0)
        longest = max([path_length(path) for _, path in event.paths], default=0)
        fell = len(after.units[unit].models) < self.charged[unit]
        most = self.reach[unit] - gone + (ROUND if fell else 0)
        wrong = [f"{unit} charges {longest}, and may go {most}"] if longest > most else []
        if isinstance(event, ChargeCutShort):
            self.cut[unit], gone = gone + longest, 0
        if event.length != gone + longest:
            wrong.append(f"{unit} is told to charge {event.length}, and goes {gone + longest}")
        return wrong

    def _way(self, before: Battle, event: Any, after: Battle) -> list[str]:
        """Return the faults of a path: its length, and the unit's earlier acts in this turn."""
        wrong, unit = [], event.unit
        longest = max([path_length(path) for _, path in event.paths], default=0)
        done = self.went.setdefault(unit, [])
        how = type(event).__name__
        if isinstance(event, ChargeArrived):
            wrong += self._charged(event, after)
        else:
            most = may_go(before, self.set_out[unit], isinstance(event, Withdrew))
            if longest > most:
                wrong.append(f"{unit}: {how} {longest}, and may go {most}")
            if event.length != longest:
                wrong.append(f"{unit}: {how} is told as {event.length}, and is {longest}")
        if done:
            wrong.append(f"{unit}: {how} after {done} in one turn")
        done.append(how)
        return wrong


def may_go(t: Battle, u: Unit, leaves: bool) -> int:
    """Return how far a unit may go at most.

    Args:
        t: The battle.
        u: The unit before its move.
        leaves: True if the unit leaves close combat.
    """
    army = t.armies[u.side].army
    if not unit_kind(t, army, u.kind).infantry:
        return FREE if u.stuns else 30 * CM
    if u.stuns:
        return 0 if army == "putredine" else FREE
    if leaves:
        return FREE if t.book.rules["disengage.distance"] == "free" else FAR[army]
    # A unit that others have joined can move as far as it pays for: its own free distance or theirs, and the paid rest.
    return FAR[army] - max(FREE, u.joined_from) if u.no_free_move else FAR[army]


def stands_wrong(t: Battle, under_way: set[int]) -> list[str]:
    """Return models that overlap others, are in closed ground, or are off the table."""
    discs = [(i, t.models[m].disc) for i in t.in_play() for m in t.units[i].models]
    wrong = [
        f"a base of {i} stands on one of {j}"
        for n, (i, a) in enumerate(discs)
        for j, b in discs[n + 1 :]
        if not {i, j} & under_way and overlap(a, b) and gap_between(a, b) <= 0 and deep(a, b)
    ]
    closed = {piece.id for piece in t.table.terrain if piece.kind.impassable}
    for i, (x, y, r) in discs:
        if i in under_way:
            continue
        wrong += [
            f"{i} stands in {piece.id}"
            for piece in t.ground.pieces
            if piece.id in closed and body_overlaps_piece((x, y, r), piece)
        ]
        if not (r <= x <= t.table.width - r and r <= y <= t.table.height - r):
            wrong.append(f"{i} is over the edge")
    return wrong


def deep(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """Return whether two bases overlap by more than rounding allows for bases in contact."""
    smaller = (a[0], a[1], max(a[2] - CONTACT, 0)), (b[0], b[1], max(b[2] - CONTACT, 0))
    return overlap(*smaller)
