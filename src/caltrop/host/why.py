"""Explains the present state by the acts that changed it, each with the events, dice and decisions that led to it.

The chronicle of the game has the time of each change, and pictures between events locate it within an act. The engine's
links (`engine.cause`) give the causes of that event, as far as the asker may know them. This code therefore contains no
rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from caltrop.asking import offered
from caltrop.engine import Event, Rolled, redacted
from caltrop.engine.cause import Answered, Link, MomentMark, inside, looks_alike
from caltrop.engine.match import Point
from caltrop.host.chronicle import Annals, Changed, Chronicle, value, values
from caltrop.host.game import HostedGame
from caltrop.picture import Picture
from caltrop.wire import LogEntry
from caltrop.wire.messages import Cause, Led, Why

MOST = 12
"""Largest number of changes in an explanation, newest first."""
LONGEST = 16
"""Largest number of links in a chain; the links nearest to the change come first."""
NOTES = ("undo", "resign", "takeback", "player")
"""Log lines that are not events of the rules."""


class Past(msgspec.Struct, frozen=True):
    """A game's past for one reader. The past is immutable and may be read in a thread."""

    eyes: int | None
    states: tuple[Any, ...]
    """Before the first act, and after each act in force."""
    lines: tuple[LogEntry, ...]
    points: tuple[Point, ...]
    """The acts in force."""
    annals: Annals
    """A cache of computed links."""

    @classmethod
    def of(cls, game: HostedGame, eyes: int | None) -> Past:
        return cls(eyes, game.states, tuple(game.lines_in_force(eyes)), tuple(game.match.history), game.annals)

    @property
    def chronicle(self) -> Chronicle:
        """Return the changes act by act; the caller must hold the lock."""
        return self.annals.chronicles[self.eyes]

    def picture(self, act: int) -> Picture:
        return self.seen(self.states[act])

    def seen(self, t: Any) -> Picture:
        return self.chronicle.picture(t)

    def changes(self, about: Why) -> list[Changed]:
        """Return the acts that changed a value, newest first, back to the last time when it was zero."""
        changes: list[Changed] = []
        with self.annals.lock:
            self.chronicle.go_on(self.states)
            for changed in self.chronicle.changes(about):
                changes.append(changed)
                if len(changes) == MOST or (about.token is not None and changed.before == "0"):
                    break
        return changes

    def look_back(self, acts: int) -> bool:
        """Process a number of further acts in advance. Return whether further acts are left."""
        with self.annals.lock:
            missing = self.chronicle.missing(self.states)
            if missing > 0:
                self.chronicle.go_on(self.states[: len(self.states) - max(missing - acts, 0)])
        if missing <= acts:
            self.links()
        return missing > acts

    def links(self) -> tuple[Link, ...]:
        """Return the causes of everything in this past, links of later acts included."""
        return self.annals.links(self.points)


def causes(past: Past, about: Why) -> tuple[Cause, ...]:
    """Return every act that changed a value, newest first, back to the last time when it was zero."""
    changes = past.changes(about)
    if not changes:
        return ()
    chains = _Chains(past)
    return tuple(Cause(act=one.act, before=one.before, after=one.after, links=chains.of(one, about)) for one in changes)


class _Chains:
    """The links of a past, put together into chains."""

    def __init__(self, past: Past) -> None:
        self.past = past
        self.links = past.links()
        self.by_act: dict[int, list[Link]] = {}
        for link in self.links:
            self.by_act.setdefault(link.act, []).append(link)
        self.told: dict[int, list[LogEntry]] = {}
        for line in past.lines:
            if line.kind not in NOTES:
                self.told.setdefault(line.act, []).append(line)

    def of(self, changed: Changed, about: Why) -> tuple[Led, ...]:
        change = self._change(changed, about)
        chain: dict[int, Led] = {}
        waiting = [change.number]
        while waiting and len(chain) < LONGEST:
            link = self.links[waiting.pop(0)]
            if link.number in chain:
                continue
            led = self._led(link)
            if led is not None and not self._is_read(link, chain):
                chain[link.number] = led
            # Chains end at decisions. Hidden links are left out, together with all links that led to them.
            if led is not None and led.line is not None:
                waiting += sorted(link.because, reverse=True)
        # The links get new numbers, because the game's own numbers would reveal how many are hidden.
        places = {number: place for place, number in enumerate(sorted(chain), 1)}
        return tuple(
            msgspec.structs.replace(
                chain[number],
                n=place,
                decided=self._told_by(number, chain),
                because=tuple(places[n] for n in self.links[number].because if n in places),
            )
            for number, place in places.items()
        )

    def _told_by(self, number: int, chain: dict[int, Led]) -> str:
        """Return the words of a decision: the words of its offer, with the acting unit.

        For another side's decision, the words are those of its first result, unless the chain contains that result
        already.
        """
        link, eyes = self.links[number], self.past.eyes
        if not isinstance(link.what, Answered):
            return ""
        if link.what.side != eyes:
            cause = next((one for one in self.by_act[link.act] if number in one.because and self._is_seen(one)), None)
            if cause is not None and cause.number not in chain:
                line = self._line(cause)
                if not line.dice and line.reading is None:
                    return line.text
        return self._offered(link.act, link.what)

    def _is_read(self, link: Link, chain: dict[int, Led]) -> bool:
        return isinstance(link.what, Rolled) and any(
            led.line is not None and led.line.reading is not None and link.number in self.links[number].because
            for number, led in chain.items()
        )

    def _led(self, link: Link) -> Led | None:
        """Return a link if the asker may know it, or None."""
        eyes, what = self.past.eyes, link.what
        led = Led(n=link.number, act=link.act, clauses=link.clauses)
        if isinstance(what, Answered):
            if what.secret and what.side != eyes:
                return None
            return msgspec.structs.replace(led, side=what.side)
        if self._is_seen(link):
            return msgspec.structs.replace(led, line=self._line(link))
        return None

    def _line(self, link: Link) -> LogEntry:
        seen = [one.number for one in self.by_act[link.act] if self._is_seen(one)]
        return self.told[link.act][seen.index(link.number)]

    def _is_seen(self, link: Link) -> bool:
        return isinstance(link.what, Event) and link.what.seen_by(self.past.eyes) is not None

    def _offered(self, act: int, what: Answered) -> str:
        """Return a decision in the words of its offer, as the asker saw it."""
        point = self.past.points[act - 1]
        offer = offered(point.state.asked[point.index]).told(redacted(point.state, self.past.eyes), what.action)
        names = {group.id: group.in_words for group in self.past.seen(point.state).groups}
        name = names.get(-1 if offer.unit is None else offer.unit, "")
        target = names.get(-1 if offer.target is None else offer.target, "")
        return offer.words if name in offer.words.replace(target, "") else f"{offer.words} ({name})"

    def _change(self, changed: Changed, about: Why) -> Link:
        """Return the link of a change in an act: the next event of its step, or the event before.

        If the step reported several units, it is the nearest event about the unit in question.
        """
        marks, links = inside(self.past.points[changed.act - 1]), self.by_act[changed.act]
        events = [(link, link.what) for link in links if isinstance(link.what, Event)]
        answered = next(link for link in links if isinstance(link.what, Answered))
        near = [events[n] for n in _near(marks, self._when(marks, changed, about))]
        seen = [(link, event) for link, event in near if event.seen_by(self.past.eyes) is not None]
        own = [link for link, event in seen if about.unit in event.touches()]
        return next(iter([*own, *[link for link, _ in seen]]), answered)

    def _when(self, marks: Sequence[MomentMark], changed: Changed, about: Why) -> int:
        """Return the mark in an act before which a value changed to its value at the end of the act.

        A binary search keeps the number of pictures small. If a value changed several times within an act, the mark is
        one of the changes to that value.
        """
        places = [i for i, (a, b) in enumerate(pairwise(marks), 1) if not looks_alike(a.state, b.state)]
        if not places:
            return len(marks) - 1
        first, after = 0, len(places)
        while after - first > 1:
            middle = (first + after) // 2
            if value(values(self.past.seen(marks[places[middle] - 1].state)), about) == changed.after:
                after = middle
            else:
                first = middle
        return places[first]


def _near(marks: Sequence[MomentMark], at: int) -> list[int]:
    """Return the events that may have made a change before the mark *at*, the likeliest first.

    The next event of the same step comes first, then its earlier events. If the step has no event, the next event of
    the act comes first, then the earlier events.
    """
    run = marks[at - 1].run
    marks_told = [(mark.event, mark.run, i) for i, mark in enumerate(marks) if mark.event is not None]
    after = [n for n, of, i in marks_told if of == run and i >= at]
    before = [n for n, of, i in marks_told if of == run and i < at][::-1]
    later = [n for n, of, i in marks_told if of != run and i >= at]
    earlier = [n for n, of, i in marks_told if of != run and i < at][::-1]
    return [*after[:1], *before, *after[1:], *earlier, *later]
