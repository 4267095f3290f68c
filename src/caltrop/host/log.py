"""The log of a game for each side and for onlookers: its lines, undone lines, and the results of dice."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import msgspec

from caltrop.engine import Stretch
from caltrop.kit.luck import ChanceSpread, joined
from caltrop.picture import Tally
from caltrop.wire import LogEntry, LuckView

PASSING_KEPT = 128
"""Number of moments inside acts that are stored for display."""


MOST_SIDES = 20
"""Largest number of sides of a die whose distribution is computed; larger dice, such as draws of cards, count by their
mean alone.
"""

Sums = dict[tuple[int, str], tuple[int, int, Fraction, ChanceSpread]]
"""For a side and a kind of roll: the number of rolls, their result, its mean, and its probabilities."""


class Passing(NamedTuple):
    """A moment inside an act, after the rules moved a unit of a side without a player."""

    stretch: Stretch
    """Events of the act up to this moment; the table is computed on demand."""
    lines: dict[int | None, int]
    """For each side and for onlookers, the number of the last line at that moment."""


class DonePart(NamedTuple):
    """A part of an act: the part of its side, or of one unit that the rules move."""

    side: int
    lines: dict[int | None, int]
    """For each side and for onlookers, the number of its last line."""


class Log:
    """The log of a game.

    Args:
        eyes: The readers: the sides, and None for onlookers.
        acts: Returns the number of acts in force.
    """

    def __init__(self, eyes: Sequence[int | None], acts: Callable[[], int], round: Callable[[], int]) -> None:
        self.acts, self.round = acts, round
        self.lines: dict[int | None, list[LogEntry]] = {one: [] for one in eyes}
        self.rolled: dict[int | None, list[tuple[int, Tally]]] = {one: [] for one in eyes}
        """Result of every roll, with the number of its line. Rolls of undone acts stay."""
        self._added: dict[int | None, tuple[int, Sums]] = {}
        """Number of rolls in the sums, and the sums."""
        self.passing: deque[Passing] = deque(maxlen=PASSING_KEPT)
        self.done: dict[int, list[DonePart]] = {}
        """The stretches of each act in force that has more than one."""

    @property
    def eyes(self) -> tuple[int | None, ...]:
        return tuple(self.lines)

    def add(self, eyes: int | None, entry: LogEntry, round: int | None = None) -> None:
        """Add a line for some readers. Fill in the number and the round of a line, by default the current round."""
        lines = self.lines[eyes]
        round = self.round() if round is None else round
        lines.append(msgspec.structs.replace(entry, n=len(lines) + 1, round=round))
        self.rolled[eyes].extend((len(lines), tally) for tally in _tallies(entry))

    def take_in(self, lines: Mapping[int | None, Sequence[LogEntry]]) -> None:
        """Initialise the log with earlier lines for each reader, most of which are the same."""
        rolls: dict[int, list[tuple[int, Tally]]] = {}
        for eyes, own in lines.items():
            self.lines[eyes].extend(own)
            for line in own:
                rolled = rolls.get(id(line))
                if rolled is None:
                    rolled = rolls[id(line)] = [(line.n, tally) for tally in _tallies(line)]
                self.rolled[eyes] += rolled

    def note(self, side: int | None, kind: str, text: str) -> None:
        for eyes in self.lines:
            self.add(eyes, LogEntry(n=0, act=self.acts(), side=side, kind=kind, text=text))

    def taken_back(self, side: int, name: str, consent: bool) -> None:
        """Record that a side has taken acts back: lines after the remaining acts no longer count."""
        words = f"{name} takes back its last act" + (", with consent of the other side" if consent else "")
        acts = self.acts()
        self.done = {act: done for act, done in self.done.items() if act <= acts}
        for eyes, lines in self.lines.items():
            first = len(lines)
            while first and lines[first - 1].act > acts:
                first -= 1
            self.add(eyes, LogEntry(n=0, act=acts, side=side, kind="undo", text=words, undoes=first + 1))

    def passes(self, stretch: Stretch) -> None:
        """Store a moment inside an act, up to which everything has been shown."""
        counts = {eyes: len(lines) for eyes, lines in self.lines.items()}
        self.done.setdefault(self.acts(), []).append(DonePart(stretch.side, counts))
        if stretch.end < stretch.of:
            self.passing.append(Passing(stretch, counts))

    def last(self, eyes: int | None) -> int:
        return len(self.lines[eyes])

    def in_force(self, eyes: int | None) -> list[LogEntry]:
        return in_force(self.lines[eyes])

    def luck(self, eyes: int | None, last: int) -> tuple[LuckView, ...]:
        """Return the actual and the expected dice of every side up to a line."""
        rolled = self.rolled[eyes]
        until = bisect_right(rolled, last, key=lambda roll: roll[0])
        added, luck = self._added.get(eyes, (0, {}))
        # The present continues from earlier sums; an earlier moment starts from the beginning.
        sums, start = (dict(luck), added) if added <= until else ({}, 0)
        new: dict[tuple[int, str], list[Tally]] = {}
        for _, tally in rolled[start:until]:
            new.setdefault((tally.side, tally.label), []).append(tally)
        for key, tallies in new.items():
            rolls, got, mean, spread = sums.get(key, (0, 0, Fraction(0), ChanceSpread()))
            for expected, times in Counter([tally.expected for tally in tallies]).items():
                mean += times * Fraction(expected)
            got += sum([tally.got for tally in tallies])
            spread = spread.with_rolls([tally.chances for tally in tallies])
            sums[key] = (rolls + len(tallies), got, mean, spread)
        if until > added:
            self._added[eyes] = (until, sums)
        return tuple(
            LuckView(
                side=side,
                label=label,
                rolls=rolls,
                got=got,
                expected=f"{mean.numerator}/{mean.denominator}",
                mean=float(mean),
                as_good=spread.as_good(got),
                as_bad=spread.as_bad(got),
            )
            for (side, label), (rolls, got, mean, spread) in sorted(sums.items(), key=lambda one: one[0])
        )


def places(acts: int, done: Mapping[int, Sequence[DonePart]]) -> list[tuple[int, int]]:
    """Return the moments of a game: for each the number of acts before it, and its number within the last act."""
    places = [(0, 0)]
    for act in range(1, acts + 1):
        places += [(act, step) for step in range(len(done.get(act, ())) or 1)]
    return places


def in_force(lines: Sequence[LogEntry]) -> list[LogEntry]:
    entries: list[LogEntry] = []
    for entry in lines:
        if entry.undoes is not None:
            while entries and entries[-1].n >= entry.undoes:
                entries.pop()
        else:
            entries.append(entry)
    return entries


def _tallies(entry: LogEntry) -> tuple[Tally, ...]:
    tallies = [] if entry.reading is None else list(entry.reading.tallies)
    for thrown in entry.dice:
        if thrown.side is not None and thrown.faces:
            mean = Fraction(len(thrown.faces) * (thrown.sides + 1), 2)
            text = f"{mean.numerator}/{mean.denominator}"
            pips = sum(thrown.faces)
            chances = _pips(len(thrown.faces), thrown.sides) if thrown.sides <= MOST_SIDES else ()
            tallies.append(
                Tally(side=thrown.side, label="pips", got=pips, expected=text, mean=float(mean), chances=chances)
            )
    return tuple(tallies)


@lru_cache(maxsize=256)
def _pips(dice: int, sides: int) -> tuple[float, ...]:
    chances: tuple[float, ...] = (1.0,)
    for _ in range(dice):
        chances = joined(chances, (0.0, *[1 / sides] * sides))
    return chances
