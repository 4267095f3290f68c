"""Goals: victory and defeat, and relics or exits that a moving model may reach.

`settle` is called after everything that may end a skirmish: a move or a run, the end of each model's phases, and each
combat. `end_turn` is called at the end of a turn. `AfterMove` follows a move or a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.asking import OneOf
from caltrop.engine import (
    Ask,
    End,
    Event,
    MotionOf,
    Outcome,
    Procedure,
    Sum,
    Term,
    agreeing,
    ask,
    does,
    rule,
    step,
    total,
)
from caltrop.geometry import CONTACT, INCH, Disc, Point, gap_within
from caltrop.rules.blade_skirmish.conditions import remove
from caltrop.rules.blade_skirmish.records import Edge, Goal, Relic, Skirmish, _FighterAct

HOLD = 3 * INCH
"""Distance from the middle of a place within which a model holds it (BS-S51)."""
GRASP = INCH * 1 // 4
"""Distance within which a model takes the relic: 0.25 inches, rounded down (BS-S53)."""


def trove(t: Skirmish) -> str:
    return "standard" if t.field.goal == "standard" else "relic"


# --- effects at the end of a model's move -----------------------------------------------------------------------------


class AfterMove(Procedure):
    """After a move or run, even without movement, a model may take a relic or leave by an exit.

    Charges, flights, drifts and moves through a victim's place do not count (BS-Q27).
    """

    fighter: int

    @step("BS-S53", "BS-S58")
    def take_the_relic(self, t: Skirmish) -> None:
        """A model near the relic takes it.

        A carrier at her home edge wins at once, before any charge.
        """
        if t.relic is not None and takes_the_relic(t, self.fighter):
            t.relic = Relic(at=t.relic.at, carrier=self.fighter)
            t.tell(RelicTaken(self.fighter))
        settle(t)

    @step("BS-S52")
    def offer_the_way_out(self, t: Skirmish) -> Ask | End:
        """A fighter who touches the edge of the exit may leave or stay."""
        if not may_leave(t, self.fighter):
            return End()
        return ask(LeaveOrStay(side=t.fighters[self.fighter].side, fighter=self.fighter))

    @step("BS-S52", "BS-S14")
    def leave(self, t: Skirmish, choice: Leave | StayOn) -> None:
        choice.perform(t, self)


def touches_edge(t: Skirmish, base: Disc, edge: Edge) -> bool:
    x, y, r = base
    table = t.field.table
    gap = {"north": table.height - y, "east": table.width - x, "south": y, "west": x}[edge] - r
    return gap <= CONTACT


def near(base: Disc, place: Point, limit: int) -> bool:
    """Return whether the rim of a base is within *limit* of a place (BS-Q03)."""
    return gap_within(base, (*place, 0), limit)


@rule("BS-S53", "BS-S58")
def takes_the_relic(t: Skirmish, id: int) -> bool:
    """A fit model of a side with the goal takes a relic within 0.25 inches, if nobody carries it."""
    f, relic = t.fighters[id], t.relic
    return (
        relic is not None
        and relic.carrier is None
        and f.active
        and seeks(t, f.side)
        and near(t.disc(id), relic.at, GRASP)
    )


@rule("BS-S52", "BS-S56", "BS-S14")
def may_leave(t: Skirmish, id: int) -> bool:
    """A fit model of a side with the goal may leave if her base touches the edge of the exit."""
    f = t.fighters[id]
    return t.field.goal == "leave" and f.active and seeks(t, f.side) and touches_edge(t, t.disc(id), t.field.exit)


def seeks(t: Skirmish, side: int) -> bool:
    """Return whether a side has the scenario's goal.

    In a scenario with automated models only South has it, otherwise every player's side.
    """
    return side == 0 or (t.field.goal in ("blood", "stones", "standard") and side not in t.field.automated)


OPPOSITE: Mapping[Edge, Edge] = MappingProxyType({"north": "south", "south": "north", "east": "west", "west": "east"})


def home_of(t: Skirmish, side: int) -> Edge:
    """Return the edge to which a side takes the relic. The home of the second side is opposite."""
    return t.field.home if side == 0 else OPPOSITE[t.field.home]


# --- goals ------------------------------------------------------------------------------------------------------------


def settle(t: Skirmish) -> None:
    """End the skirmish if its goal is reached or impossible. This never happens before the first turn (BS-TRN-06)."""
    if t.over is None and t.round:
        t.over = _GOALS[t.field.goal].now(t)


def end_turn(t: Skirmish, sides: Sequence[int]) -> None:
    """End a turn; at the limit, end the skirmish.

    The stones are counted once, even if sides share the turn, but not after turns of automated models.
    """
    if t.over is None and any(side not in t.field.automated for side in sides):
        count_the_stones(t)
    settle(t)
    if t.over is None and limit_is_reached(t):
        t.over = _GOALS[t.field.goal].at_the_limit(t)


@rule("BS-S50", "BS-S51", "BS-S52", "BS-S53", "BS-S54", "BS-S55", "BS-S57", "BS-S58")
def limit_is_reached(t: Skirmish) -> bool:
    """The limit is reached when every side has had that number of turns.

    A place has to be held until the last automated turn.
    """
    limit = t.field.limit
    if limit is None:
        return False
    counted = t.field.automated if t.field.goal == "hold" and t.field.automated else range(t.field.sides)
    return all(t.turns[one] >= limit for one in counted)


def _name(t: Skirmish, side: int) -> str:
    return t.field.names[side]


def _won(t: Skirmish, why: str, side: int = 0) -> Outcome:
    return Outcome(side, f"{why}: {does(_name(t, side), 'wins')}")


def _lost(t: Skirmish, why: str) -> Outcome:
    """Return the defeat of the side with the goal, as a victory of its enemy."""
    return Outcome(1, f"{why}: {does(_name(t, 0), 'has')} lost")


def _nobody_left(t: Skirmish) -> Outcome | None:
    return _lost(t, f"{does(_name(t, 0), 'has')} nobody left on the table") if not t.of_side(0) else None


def to_come(t: Skirmish, side: int) -> bool:
    """Return whether models of a side will still enter."""
    return any(
        t.fighters[id].fate == "waiting" and t.fighters[id].side == side for w in t.field.waves for id in w.fighters
    )


@rule("BS-S50")
def cleared(t: Skirmish) -> Outcome | None:
    """The table is cleared if no enemy is left or will enter.

    If no model of the side is left, the side is defeated; if nobody is left, the result is a draw.
    """
    own, others = bool(t.of_side(0)), any(t.of_side(side) or to_come(t, side) for side in range(1, t.field.sides))
    if not own and not others:
        return Outcome(None, "Nobody is left on the table: a draw")
    return _nobody_left(t) if others else _won(t, "No enemy is left on the table")


@rule("BS-S50", "BS-S52", "BS-S53", "BS-S55")
def out_of_time(t: Skirmish) -> Outcome:
    """If the goal is not reached at the limit, the side with the goal has lost."""
    return _lost(t, f"{quantity(t.field.limit or 0, 'turn')} {agreeing(t.field.limit or 0, 'is')} over")


@rule("BS-S51")
def wiped_out(t: Skirmish) -> Outcome | None:
    """A side loses before the limit if it has no models left."""
    return _nobody_left(t)


@rule("BS-S51")
def held(t: Skirmish) -> Outcome:
    """The place is held if a fit model of the side is within 3 inches of its middle after the last automated turn."""
    place = t.field.place or (t.field.table.width // 2, t.field.table.height // 2)
    holders = [f for f in t.of_side(0) if f.active and near(t.disc(f.id), place, HOLD)]
    over = f"{quantity(t.field.limit or 0, 'turn')} {agreeing(t.field.limit or 0, 'is')} over"
    if not holders:
        return _lost(t, f"{over}, and nobody fit of {_name(t, 0)} is within 3 inches of the middle")
    return _won(t, f"{over}, and {holders[0].name} holds the place")


def starting(t: Skirmish, side: int = 0) -> int:
    """Return the number of models with which a side began, without models that were never placed."""
    return sum(f.side == side and f.fate != "waiting" for f in t.fighters)


@rule("BS-S52")
def must_leave(t: Skirmish) -> int:
    """At least half of the initial models have to leave, rounded up."""
    return (starting(t) + 1) // 2


@rule("BS-S52", "BS-S56")
def left_in_time(t: Skirmish) -> Outcome | None:
    """A side wins when enough models have left, and loses when too few are left that still can."""
    needed, gone = must_leave(t), len(t.escaped)
    if gone >= needed:
        return _won(t, f"{gone} of {starting(t)} {agreeing(gone, 'has')} left")
    if gone + len(t.of_side(0)) < needed:
        return _lost(t, f"{needed} {agreeing(needed, 'has')} to leave, and only {gone + len(t.of_side(0))} still can")
    return None


@rule("BS-S53")
def carried_home(t: Skirmish) -> Outcome | None:
    """A side wins when its fit carrier's base touches the home edge, and loses when it has no models left."""
    carrier = t.relic.carrier if t.relic is not None else None
    if carrier is not None:
        f = t.fighters[carrier]
        if f.active and touches_edge(t, t.disc(carrier), t.field.home):
            return _won(t, f"{f.name} brings the relic to the {t.field.home} edge")
    return _nobody_left(t)


@rule("BS-S54")
def victory_points(t: Skirmish, side: int) -> Sum:
    """A side scores 1 for each wounded enemy, 2 for each killed enemy, 1 for each trophy, and 3 if it is alone."""
    enemies = [f for f in t.fighters if f.side == 1 - side]
    alone = bool(t.of_side(side)) and not t.of_side(1 - side)
    parts = (
        Term(sum(f.fate == "wounded" for f in enemies), "BS-S54", "Enemies wounded"),
        Term(2 * sum(f.fate == "dead" for f in enemies), "BS-S54", "Enemies killed, 2 each"),
        Term(sum(f.trophies for f in t.fighters if f.side == side), "BS-S54", "Trophies"),
        Term(3 * alone, "BS-S54", "The last side on the table"),
    )
    return tuple(part for part in parts if part.value)


@rule("BS-S54")
def one_side_gone(t: Skirmish) -> Outcome | None:
    """The skirmish ends when a side has no models on the table; then points are counted."""
    gone = [side for side in (0, 1) if not t.of_side(side)]
    return points_counted(t) if gone else None


@rule("BS-S54")
def points_counted(t: Skirmish) -> Outcome:
    return _by_points(t, (total(victory_points(t, 0)), total(victory_points(t, 1))))


def _by_points(t: Skirmish, points: tuple[int, int]) -> Outcome:
    if points[0] == points[1]:
        return Outcome(None, f"Both sides have {_points(points[0])}: a draw", points)
    winner = int(points[1] > points[0])
    words = f"{does(_name(t, winner), 'wins')} with {_points(points[winner])} to {points[1 - winner]}"
    return Outcome(winner, words, points)


@rule("BS-S55")
def captain_slain(t: Skirmish) -> Outcome | None:
    """A side wins when no enemy captain is left, and loses when it has no models left. If both captains fall at once,
    the result is a draw.
    """
    captains = [f for f in t.fighters if f.side != 0 and "captain" in t.habits(f.id)]
    if any(f.at is not None or f.fate == "waiting" for f in captains):
        return _nobody_left(t)
    if not t.of_side(0):
        return Outcome(None, "Nobody is left to tell of it: a draw")
    return _won(t, f"{captains[0].name} is down" if captains else "There is no captain")


@rule("BS-S57")
def holds_the_stones(t: Skirmish) -> int | None:
    """The side with more fit models within 3 inches of the middle holds the stones. None if the sides are equal."""
    there = [at_the_stones(t, side) for side in (0, 1)]
    return None if there[0] == there[1] else int(there[1] > there[0])


def at_the_stones(t: Skirmish, side: int) -> int:
    """Return the number of fit models of a side within 3 inches of the middle."""
    place = t.field.place or (t.field.table.width // 2, t.field.table.height // 2)
    return sum([f.active and near(t.disc(f.id), place, HOLD) for f in t.of_side(side)])


def count_the_stones(t: Skirmish) -> None:
    """Count the turn for the side that holds the stones at its end (BS-S57)."""
    if t.stood is UNSET:
        return
    side = holds_the_stones(t)
    if side is not None:
        t.stood = (t.stood[0] + (side == 0), t.stood[1] + (side == 1))
        t.tell(HeldTheStones(side, t.stood))


class HeldTheStones(Event, frozen=True):
    """A side held the stones at the end of a turn."""

    side: int
    counted: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("BS-S57",)

    def sentence(self, t: Skirmish) -> str:
        mine, theirs = self.counted[self.side], self.counted[1 - self.side]
        return f"{does(_name(t, self.side), 'holds')} the stones: {mine} to {theirs}"


@rule("BS-S57")
def stones_points(t: Skirmish, side: int) -> Sum:
    """A side scores 1 for each turn at whose end it held the stones, and 3 if it is alone on the table."""
    alone = bool(t.of_side(side)) and not t.of_side(1 - side)
    held = 0 if t.stood is UNSET else t.stood[side]
    parts = (
        Term(held, "BS-S57", "Turns after which it held the stones"),
        Term(3 * alone, "BS-S57", "The last side on the table"),
    )
    return tuple(part for part in parts if part.value)


@rule("BS-S57")
def stones_left_to_one(t: Skirmish) -> Outcome | None:
    return stones_counted(t) if any(not t.of_side(side) for side in (0, 1)) else None


@rule("BS-S57")
def stones_counted(t: Skirmish) -> Outcome:
    """The side with more points wins; equal points are a draw."""
    return _by_points(t, (total(stones_points(t, 0)), total(stones_points(t, 1))))


@rule("BS-S58")
def standard_home(t: Skirmish) -> Outcome | None:
    """A side wins when its fit carrier touches its own edge, or when nobody else is on the table."""
    carrier = t.relic.carrier if t.relic is not None else None
    if carrier is not None:
        f = t.fighters[carrier]
        edge = home_of(t, f.side)
        if f.active and touches_edge(t, t.disc(carrier), edge):
            return _won(t, f"{f.name} brings the standard to the {edge} edge", f.side)
    left = [side for side in (0, 1) if t.of_side(side)]
    if len(left) == 2:
        return None
    if not left:
        return Outcome(None, "Nobody is left on the table: a draw")
    return _won(t, f"{does(_name(t, 1 - left[0]), 'has')} nobody left on the table", left[0])


@rule("BS-S58")
def standard_in_hand(t: Skirmish) -> Outcome:
    """At the limit the side that carries the standard wins; without a carrier the result is a draw."""
    carrier = t.relic.carrier if t.relic is not None else None
    over = f"{quantity(t.field.limit or 0, 'turn')} {agreeing(t.field.limit or 0, 'is')} over"
    if carrier is None:
        return Outcome(None, f"{over}, and the standard is in nobody's hands: a draw")
    f = t.fighters[carrier]
    return _won(t, f"{over}, and {f.name} has the standard", f.side)


def _points(count: int) -> str:
    return quantity(count, "victory point")


def _unlimited(t: Skirmish) -> Outcome | None:
    return None


class _Counted:
    """The two tests of a goal: after every act, and at the limit."""

    def __init__(self, now: Callable[[Skirmish], Outcome | None], limit: Callable[[Skirmish], Outcome | None]) -> None:
        self.now, self.at_the_limit = now, limit


_GOALS: Mapping[Goal, _Counted] = MappingProxyType(
    {
        "clear": _Counted(cleared, out_of_time),
        "hold": _Counted(wiped_out, held),
        "leave": _Counted(left_in_time, out_of_time),
        "relic": _Counted(carried_home, out_of_time),
        "blood": _Counted(one_side_gone, points_counted),
        "slay": _Counted(captain_slain, out_of_time),
        "stones": _Counted(stones_left_to_one, stones_counted),
        "standard": _Counted(standard_home, standard_in_hand),
        "none": _Counted(_unlimited, _unlimited),
    }
)
"""Tests for each goal."""


def outcome_if_over(t: Skirmish) -> Outcome | None:
    """Return the outcome if the skirmish ended now, at its limit; None if its scenario has no goal."""
    counted = _GOALS[t.field.goal]
    return counted.now(t) or counted.at_the_limit(t)


# --- decisions --------------------------------------------------------------------------------------------------------


class Leave(_FighterAct, frozen=True):
    words = "Leave safely: {gone} of the {needed} needed"
    says: ClassVar[Mapping[str, Any]] = {"gone": lambda t: len(t.escaped) + 1, "needed": lambda t: must_leave(t)}

    def perform(self, t: Skirmish, by: AfterMove) -> None:
        t.escaped.append(by.fighter)
        remove(t, by.fighter, "away")
        settle(t)


class StayOn(_FighterAct, frozen=True):
    words = "Stay on the table"

    def perform(self, t: Skirmish, by: AfterMove) -> None: ...


class LeaveOrStay(OneOf, frozen=True, kw_only=True):
    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S52",)
    template = "{name} touches the {exit} edge: does she leave?"
    says: ClassVar[Mapping[str, Any]] = {"name": lambda t, fighter: t.called(fighter), "exit": lambda t: t.field.exit}
    hint: ClassVar[str] = (
        "A fighter who leaves is safe and counts for the goal, but cannot come back to help the others."
    )
    acts = (Leave, StayOn)


# --- events -----------------------------------------------------------------------------------------------------------


class RelicTaken(Event, frozen=True):
    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S53",)
    about = ("fighter",)
    shown = MotionOf("mark", "the relic", unit="fighter")

    def sentence(self, t: Skirmish) -> str:
        return f"{t.called(self.fighter)} takes the {trove(t)}"
