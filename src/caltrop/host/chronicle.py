"""Changes on a table act by act, as one side or onlooker sees them: strengths, markers, points, and holders of places.

Changes are derived from pictures, so this code contains no rules. A game keeps one chronicle for each side and for
onlookers. The chronicle grows with every shown act, so a question about the time of a change needs no more drawing. A
chronicle holds only differences, which take far less memory than the states kept for undo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

from caltrop.engine import Match, Ruleset, redacted
from caltrop.engine.cause import Causes, Link
from caltrop.engine.match import Point
from caltrop.picture import Picture
from caltrop.wire.messages import Why

NEAR = 4
"""Largest number of acts that are processed at once after being shown; later acts are processed at the next question.
"""

Key = tuple[str, int, str]
"""Key of a value: `unit`, `side` or `spot`, its number, and the marker or the label of points."""


class Changed(NamedTuple):
    act: int
    before: str
    after: str


def values(picture: Picture) -> dict[Key, str]:
    """Return all non-empty values in a picture."""
    by_key: dict[Key, str] = {}
    for group in picture.groups:
        by_key["unit", group.id, ""] = group.strength or str(len(group.pieces))
        counts: dict[str, int] = {}
        for token in (*group.tokens, *[token for piece in group.pieces for token in piece.tokens]):
            counts[token.kind] = counts.get(token.kind, 0) + token.count
        for kind, count in counts.items():
            by_key["unit", group.id, kind] = str(count)
    names = {seat.side: seat.name for seat in picture.seats}
    for spot in picture.spots:
        if spot.holder is not None:
            name = names.get(spot.holder, "")
            by_key["spot", spot.id, ""] = f"{name}, secured" if spot.secured else name
    for seat in picture.seats:
        for points in seat.points:
            by_key.setdefault(("side", seat.side, points.label), points.value)
    return by_key


def keys(about: Why) -> tuple[Key, ...]:
    if about.unit is not None:
        own = ("unit", about.unit, about.token or "")
        return (own,) if about.token is None else (own, ("unit", about.unit, ""))
    if about.spot is not None:
        return (("spot", about.spot, ""),)
    return (("side", -1 if about.side is None else about.side, about.points or ""),)


def value(seen: Mapping[Key, str | None], about: Why) -> str:
    texts = [seen.get(key) for key in keys(about)]
    if about.unit is not None and texts[-1] is None:
        return "not there"
    nothing = "0" if about.token is not None else "nobody" if about.spot is not None else ""
    return nothing if texts[0] is None else texts[0]


class Chronicle:
    """The changes of each act, as a side or an onlooker saw them.

    Args:
        eyes: A side, or None for an onlooker.
    """

    def __init__(self, ruleset: Ruleset, eyes: int | None) -> None:
        self.ruleset, self.eyes = ruleset, eyes
        self.states: list[Any] = []
        """The states processed so far: before the first act, and after each act in force."""
        self.now: dict[Key, str] = {}
        self.were: list[dict[Key, str | None]] = []
        """For each state, the previous values of everything that changed; None for a value that did not exist."""

    def picture(self, state: Any) -> Picture:
        return self.ruleset.depict(redacted(state, self.eyes), self.eyes)

    def missing(self, states: Sequence[Any]) -> int:
        """Return the number of a game's states that are not processed yet. States that were taken back are removed."""
        while self.states and (len(self.states) > len(states) or self.states[-1] is not states[len(self.states) - 1]):
            self.states.pop()
            for key, was in self.were.pop().items():
                if was is None:
                    del self.now[key]
                else:
                    self.now[key] = was
        return len(states) - len(self.states)

    def go_on(self, states: Sequence[Any], last: Picture | None = None) -> None:
        """Process the new states of a game.

        Args:
            states: The state before the first act, and after each act in force.
            last: The table after the last state, if it has been drawn.
        """
        count = self.missing(states)
        for left in range(count, 0, -1):
            state = states[-left]
            now = values(last if last is not None and left == 1 else self.picture(state))
            were: dict[Key, str | None] = {key: was for key, was in self.now.items() if now.get(key) != was}
            were.update({key: None for key in now if key not in self.now})
            self.states.append(state)
            self.were.append(were)
            self.now = now

    def changes(self, about: Why) -> Iterator[Changed]:
        """Yield the acts that changed a value, the newest first."""
        seen: dict[Key, str | None] = {key: self.now.get(key) for key in keys(about)}
        after = value(seen, about)
        for act in range(len(self.states) - 1, 0, -1):
            were = self.were[act]
            seen.update({key: were[key] for key in seen if key in were})
            before = value(seen, about)
            if before != after:
                yield Changed(act, before, after)
            after = before


class Annals:
    """A game's past, computed as far as it was shown or asked for.

    Attributes:
        lock: Held during reading and extending, because questions come from threads.
        chronicles: The changes act by act, for each side and for onlookers.
        causes: The links of causes.
    """

    def __init__(self, match: Match, eyes: Sequence[int | None]) -> None:
        self.match = match
        self.lock = Lock()
        self.chronicles = {one: Chronicle(match.ruleset, one) for one in eyes}
        self.causes: Causes | None = None

    def remember(self, eyes: int | None, states: Sequence[Any], last: Picture) -> None:
        """Process the changes for a side or an onlooker.

        The method never waits: if the lock is taken, or many acts are missing, the changes are processed later.

        Args:
            eyes: The side, or None for an onlooker.
            states: The state before the first act, and after each act in force.
        """
        if self.lock.acquire(blocking=False):
            try:
                if self.chronicles[eyes].missing(states) <= NEAR:
                    self.chronicles[eyes].go_on(states, last)
            finally:
                self.lock.release()

    def links(self, points: Sequence[Point]) -> tuple[Link, ...]:
        """Return the causes of everything in these acts, including links of later acts."""
        with self.lock:
            if self.causes is None or not self.causes.go_on(points):
                # No question was asked yet, or acts were taken back and other acts may have been played.
                self.causes = Causes(self.match)
                self.causes.go_on(points)
            return tuple(self.causes.links)
