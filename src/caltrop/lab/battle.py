"""Replay a recorded game, and tell which acts were choices, which belong together, and what they did to the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from caltrop.engine import Decision, Match, Ruleset, State, redacted
from caltrop.engine.match import Point
from caltrop.errors import InputError
from caltrop.journal import Moment, Record, RollEntry, replay
from caltrop.lab.chances import has_choice
from caltrop.lab.effects import TableEffect, effect_of, made_way
from caltrop.picture import Picture, Reading, Tally
from caltrop.players.advice import said


class RecordedBattle:
    """A recorded game that has been replayed. Its acts have numbers from 0.

    Raises:
        InputError: if the record cannot be replayed by these rules, or if nothing was played.
    """

    def __init__(self, record: Record) -> None:
        played = _played(record)
        self.match, self.readings, self.tallies, self.thrown = (
            played.match,
            played.readings,
            played.tallies,
            played.thrown,
        )
        self.rules: Ruleset = self.match.ruleset
        self.points: list[Point] = self.match.history
        seats = self.table(self.match.state).seats
        self.sides = tuple([seat.name for seat in sorted(seats, key=lambda seat: seat.side)])
        self.unplayed = frozenset(self.rules.automated(self.match.state))
        """Sides without a player."""
        self.ended = record.outcome if self.match.over is None else None
        """The end on which the players agreed, if the rules did not end the game."""
        rounds = [self.rules.round(point.state) for point in self.points]
        self.starts = _starts_of(rounds)
        """The first act of each round."""
        turns = [round and self.rules.turn(point.state) for round, point in zip(rounds, self.points, strict=True)]
        self.turns = _starts_of(turns)
        """The first act of each turn. All acts before the first round count as one turn."""
        self._free: dict[int, bool] = {}
        """True for each act that was a choice, by its number."""
        self._effects: dict[int, TableEffect] = {}
        """Effect of each act on the table, by its number."""
        self._tables: dict[int, Picture] = {}
        """The table before each act, by the number of the act."""

    def states(self) -> list[State]:
        """Return the states before each act, and the last one."""
        return [*[point.state for point in self.points], self.match.state]

    def has_effect(self, number: int) -> bool:
        """Return whether anything on the table changed by an act and the answers that settle its dice."""
        return self.effect(number).changed

    def effect(self, number: int) -> TableEffect:
        """Return the effect of an act and of the answers that settle its dice."""
        if number not in self._effects:
            self._effects[number] = self.effect_between(number, self.end_of(number))
        return self._effects[number]

    def effect_between(self, start: int, end: int) -> TableEffect:
        """Return the difference between the tables before two acts."""
        return effect_of(self.table_before(start), self.table_before(end), self.sides)

    def table_before(self, number: int) -> Picture:
        """Return the table before an act, or at the end, as an onlooker sees it."""
        if number not in self._tables:
            self._tables[number] = self.table(self.states()[number])
        return self._tables[number]

    def end_of(self, number: int) -> int:
        """Return the number of the next act that is a choice and does not just settle dice."""
        end = number + 1
        while end < len(self.points) and self.goes_with(end):
            end += 1
        return end

    def last_act(self) -> int:
        """Return the act that ended the battle by the rules, apart from forced answers after it."""
        return next((n for n in range(len(self.points)) if self.ends_battle(n)), len(self.points) - 1)

    def follows(self, number: int) -> bool:
        """Return whether an act only settles the dice of an earlier act, or leaves no choice."""
        return not self.is_free(number) or (number > 0 and self.goes_with(number))

    def ends_battle(self, number: int) -> bool:
        """Return whether the rules ended the battle by an act or by the answers that settle its dice."""
        return self.match.over is not None and self.end_of(number) == len(self.points)

    def goes_with(self, number: int) -> bool:
        """Return whether an act settles the dice of an act before it, or was no choice."""
        return self.question(number).settles or not self.is_free(number)

    def table(self, t: State) -> Picture:
        """Return the table as an onlooker sees it."""
        return self.rules.depict(redacted(t, None), None)

    def is_free(self, number: int) -> bool:
        """Return whether an act was a choice among several answers."""
        if number not in self._free:
            point = self.points[number]
            self._free[number] = has_choice(point.state, point.index)
        return self._free[number]

    def said(self, number: int, action: Any = None) -> str:
        """Return an answer in words.

        Args:
            number: Number of the act.
            action: Another answer to its question; by default the given one.
        """
        point = self.points[number]
        action = point.action if action is None else action
        view = redacted(point.state, point.side)
        return said(self.rules, self.question(number), view, action, point.side)

    def question(self, number: int) -> Decision:
        point = self.points[number]
        return point.state.asked[point.index]

    def cause_of(self, number: int) -> int:
        """Return the act by which a place was won that changes hands by another act, or that act if there is none.

        Rules that count at the end of a turn give a place to the side whose units stand there, acts after the move.
        """
        table = self.table_before(self.end_of(number))
        held = {spot.id for spot in table.spots if spot.holder is not None}
        places = [one for one in self.effect(number).places if one in held]
        rounds = [start for start in self.starts if start <= number]
        later = table
        for act in range(number, rounds[-2:][0] - 1, -1):
            earlier = self.table_before(act)
            if not self.goes_with(act):
                if any(made_way(earlier, later, place) for place in places):
                    return act
                later = earlier
        return number


def _starts_of(values: Sequence[Any]) -> list[int]:
    """Return the acts at which a value changes. It is 0 before the first round."""
    return [n for n, one in enumerate(values) if n == 0 or (one != 0 and one != values[n - 1])]


class _Played(msgspec.Struct, frozen=True):
    """A record that has been replayed, with what each act brought."""

    match: Match
    readings: list[tuple[Reading, ...]]
    """Results of the dice of each act."""
    tallies: list[list[Tally]]
    """Counted results of the dice of each act."""
    thrown: list[list[int]]
    """Faces of the dice of each act; drawn cards are left out."""


def _played(record: Record) -> _Played:
    """Replay a record to its end.

    Raises:
        InputError: if these rules cannot replay it, if it is not over, or if nothing was played.
    """
    rules = record.setting.rulebook
    if record.rules_version != rules.rules_version:
        raise InputError(
            f"it was played by version {record.rules_version} of the rules, and these are {rules.rules_version}",
            field="rules_version",
        )
    last: Moment | None = None
    before = 0
    readings: list[tuple[Reading, ...]] = []
    tallies: list[list[Tally]] = []
    thrown: list[list[int]] = []
    for last in replay(record):
        history = last.match.history
        for results in (readings, tallies, thrown):
            del results[len(history) - bool(last.events) :]
        if len(readings) < len(history):
            rolls = [one for one in record.entries[before : last.entry] if isinstance(one, RollEntry)]
            readings.append(_readings(last))
            tallies.append([tally for reading in readings[-1] for tally in reading.tallies])
            thrown.append([face for one in rolls if not one.secret for face in one.faces or ()])
        before = last.entry
    if last is None or last.entry < len(record.entries):
        raise InputError("the game went on when it was written: analyse the file of a game that is over")
    if not last.match.history:
        raise InputError("nobody has done anything in it yet", field="entries")
    return _Played(last.match, readings, tallies, thrown)


def _readings(moment: Moment) -> tuple[Reading, ...]:
    """Return the results of an act's dice, as the game reads them."""
    return tuple([one for event in moment.events if (one := event.reading(moment.state)) is not None])
