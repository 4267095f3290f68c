"""Banners, objectives, and the end of a battle.

Call `lose` to take a unit off the map. Call `settle` after every change of the map or of banners. A turn calls
`begin_turn` and `end_turn`.
"""

from __future__ import annotations

from typing import ClassVar

from caltrop.agreeing import quantity
from caltrop.engine import Event, Outcome, Sum, Term, rule, total
from caltrop.picture import Motion
from caltrop.rules.hex_command.catalogue import (
    price,
)
from caltrop.rules.hex_command.entrenchments import give_up
from caltrop.rules.hex_command.records import Battle, Objective, Unit
from caltrop.table.hexes import Hex


def _banners(count: int) -> str:
    return quantity(count, "banner")


class UnitLost(Event, frozen=True):
    """A unit or a leader was destroyed."""

    unit: int
    hex: Hex
    side: int
    banners: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-S60", "HX-S23", "HX-SMU-01")

    def sentence(self, t: Battle) -> str:
        u, names = t.units[self.unit], t.field.names
        return f"{names[u.side]} loses the {u.name} at {self.hex}: {_banners(self.banners)} for {names[self.side]}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="score", unit=self.unit, side=self.side, count=self.banners, at=t.map.centre(self.hex))


class ObjectiveTaken(Event, frozen=True):
    hex: Hex
    side: int
    unit: int
    permanent: bool
    clauses: ClassVar[tuple[str, ...]] = ("HX-S60",)

    def sentence(self, t: Battle) -> str:
        how = "captures" if self.permanent else "holds"
        until = "for good" if self.permanent else "for as long as it is held"
        return f"{t.field.names[self.side]} {how} {self.hex} with the {t.units[self.unit].name}: 1 banner {until}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="score", side=self.side, count=1, at=t.map.centre(self.hex))


class ObjectiveGivenUp(Event, frozen=True):
    """A side no longer holds an objective."""

    hex: Hex
    side: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-S60",)

    def sentence(self, t: Battle) -> str:
        return f"{t.field.names[self.side]} holds {self.hex} no longer, and loses its banner"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="score", side=self.side, count=-1, at=t.map.centre(self.hex))


@rule("HX-S60", "HX-S20", "HX-S23")
def worth(t: Battle, unit: Unit) -> int:
    """A destroyed unit is worth the banners of its row. Any single leader is worth 1."""
    return unit.row.number("banners")


@rule("HX-S60", "HX-Q33")
def banners_go_to(t: Battle, unit: Unit, by: int | None) -> int:
    """The enemy gets the banners of a unit, even if its own side destroyed it."""
    return 1 - unit.side


def lose(t: Battle, unit: int, to: int | None = None) -> None:
    """Take a destroyed unit off the map. Call `settle` after the function.

    A leader attached to it stays behind (HX-Q16). The unit's entrenchment is removed (HX-S39).

    Args:
        unit: The unit or leader that is lost.
        to: The side that destroyed the unit; None if neither did.
    """
    u = t.units[unit]
    if u.hex is None:
        raise ValueError(f"the {u.name} is not on the map")
    at, guest = u.hex, t.guests.get(u.hex) == unit
    side, count = banners_go_to(t, u, to), worth(t, u)
    t.put(unit, None)
    t.change(unit, strength=0)
    if not guest:
        give_up(t, at)
    t.medals[side] += count
    t.tell(UnitLost(unit, at, side, count))


def lose_leader(t: Battle, leader: int, to: int | None = None) -> None:
    lose(t, leader, to)


@rule("HX-S60")
def has(t: Battle, objective: Objective, now: int | None, standing: int | None) -> int | None:
    """A temporary objective belongs to the side with a unit in its hex; a permanent one to the side that first captured
    it.

    Args:
        objective: The objective, which may be worth a banner to one side only.
        now: The side that holds the objective; None if neither does.
        standing: Side with a unit or a leader in the objective's hex; None if the hex is empty.
    """
    if objective.permanent and now is not None:
        return now
    return standing if objective.side in (None, standing) else None


def banners(t: Battle, side: int) -> int:
    medal = t.medals[side]
    for holder in t.captured.values():
        medal += holder == side
    return medal


def banner_parts(t: Battle, side: int) -> Sum:
    parts = [Term(t.medals[side], "HX-S60", "Units and leaders destroyed")]
    for o in t.field.objectives:
        if t.captured.get(o.hex) == side:
            parts.append(Term(1, "HX-S60", f"{'Captured' if o.permanent else 'Holds'} {o.hex}"))
    return tuple(parts)


@rule("HX-S61", "HX-Q31", "HX-S20")
def points_left(t: Battle, side: int) -> Sum:
    """Each unit with at least one model left on the map counts with all its points."""
    return tuple(Term(price(t, u.bought_as), "HX-S61", u.name) for u in t.units if u.side == side and u.hex is not None)


def look_at_objectives(t: Battle) -> None:
    """Update the holder of each objective (HX-S60)."""
    for o in t.field.objectives:
        unit = t.board.get(o.hex)
        now = t.captured.get(o.hex)
        side = has(t, o, now, None if unit is None else t.units[unit].side)
        if side == now:
            continue
        if now is not None:
            del t.captured[o.hex]
            t.tell(ObjectiveGivenUp(o.hex, now))
        if side is not None and unit is not None:
            t.captured[o.hex] = side
            t.tell(ObjectiveTaken(o.hex, side, unit, o.permanent))


def settle(t: Battle) -> None:
    """Count banners, and end the battle if a side has won.

    Call this after a unit was moved, placed or destroyed (HX-Q20, HX-S60).
    """
    if t.field.objectives:
        look_at_objectives(t)
    if t.over is None:
        t.over = outcome_now(t)


def outcome_now(t: Battle) -> Outcome | None:
    """Return the outcome if a side has won by banners or by its scenario; None otherwise."""
    south, north = reached(t, 0), reached(t, 1)
    if not (south or north):
        return None
    both = (banners(t, 0), banners(t, 1))
    winner = first_of_two(t, both) if south and north else int(bool(north))
    return Outcome(winner, f"{t.field.names[winner]} {(south, north)[winner]} and wins", both)


@rule("HX-Q20", "HX-S60", "HX-S73")
def reached(t: Battle, side: int) -> str:
    """A side wins with its number of banners, or if it destroys the scenario's prize.

    The result describes how the side won; empty if it has not won. Banners are counted whenever they change.
    """
    field = t.field
    prize = field.prize
    if prize is not None and t.units[prize].side != side and t.units[prize].strength == 0:
        return f"has destroyed the {t.units[prize].name}"
    count = banners(t, side)
    return f"has {_banners(count)}" if count >= field.banners[side] else ""


@rule("HX-Q31")
def first_of_two(t: Battle, both: tuple[int, int]) -> int:
    """If both sides could win by one act, the side with more banners wins; with equal banners, the active side."""
    return t.active if both[0] == both[1] else int(both[1] > both[0])


def begin_turn(t: Battle, side: int) -> None:
    """Begin a side's turn. A unit whose goal is a row wins if it is in that row (HX-S73)."""
    way_out = t.field.exit
    if t.over is not None or way_out is None:
        return
    unit, row = t.units[way_out[0]], way_out[1]
    if unit.side == side and unit.hex is not None and t.map.row(unit.hex) == row:
        both = (banners(t, 0), banners(t, 1))
        words = f"The {unit.name} is on row {row}: {t.field.names[side]} wins"
        t.over = Outcome(side, words, both)


def end_turn(t: Battle, side: int) -> None:
    """End a side's turn. After the last turn, or if a side has nothing left, the battle is decided (HX-S61)."""
    if t.over is None:
        t.over = outcome_of_the_last_left(t)
    if t.over is None and limit_is_reached(t, side):
        t.over = outcome_at_the_limit(t)


@rule("HX-Q35")
def outcome_of_the_last_left(t: Battle) -> Outcome | None:
    """A side that has lost its last unit loses the battle, even if the enemy has too few banners.

    If both sides have lost their last unit, the battle is decided as at its limit.
    """
    began, left = {u.side for u in t.units}, {u.side for u in t.units if u.strength}
    if len(began) < 2 or len(left) == 2:
        return None
    if not left:
        return outcome_at_the_limit(t)
    (winner,) = left
    names = t.field.names
    words = f"{names[1 - winner]} has nothing left on the map: {names[winner]} wins"
    return Outcome(winner, words, (banners(t, 0), banners(t, 1)))


@rule("HX-S61", "HX-Q31")
def limit_is_reached(t: Battle, side: int) -> bool:
    """The limit counts the turns of one side, including the last one.

    If the limit names no side, both sides must have had this number of turns.
    """
    limit = t.field.limit
    if limit.side is None:
        return t.turns[0] >= limit.turns and t.turns[1] >= limit.turns
    return side == limit.side and t.turns[side] >= limit.turns


@rule("HX-S61", "HX-Q31")
def outcome_at_the_limit(t: Battle) -> Outcome:
    """At the limit, the side that the scenario names wins.

    If the limit names no winner, the side with more banners wins, then the side with more points left; otherwise the
    battle is a draw.
    """
    names, limit = t.field.names, t.field.limit
    both = (banners(t, 0), banners(t, 1))
    if limit.winner is not None:
        turns = (
            f"{names[limit.side]} has had its {quantity(limit.turns, 'turn')}"
            if limit.side is not None
            else "Time is up"
        )
        return Outcome(limit.winner, f"{turns}: {names[limit.winner]} wins", both)
    if both[0] != both[1]:
        winner = int(both[1] > both[0])
        words = f"{names[winner]} wins with {_banners(both[winner])} to {both[1 - winner]}"
        return Outcome(winner, f"The last turn is over: {words}", both)
    left = (total(points_left(t, 0)), total(points_left(t, 1)))
    even = f"The last turn is over with {_banners(both[0])} each"
    if left[0] == left[1]:
        return Outcome(None, f"{even} and {quantity(left[0], 'point')} left each: a draw", both)
    winner = int(left[1] > left[0])
    words = f"{names[winner]} has {quantity(left[winner], 'point')} left to {left[1 - winner]} and wins"
    return Outcome(winner, f"{even}: {words}", both)
