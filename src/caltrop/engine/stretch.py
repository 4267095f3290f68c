"""The events of one act, divided into stretches: one for the acting side, and one for each unit that the rules move.

If the rules move a whole side, one act may contain that side's whole turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.chance import Scripted
from caltrop.engine.event import Event
from caltrop.engine.match import Match, Moments, Point
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.state import State


class Stretch(NamedTuple):
    """A consecutive part of an act's events: those of the acting side, or of one unit that the rules move."""

    first: int
    """Index of the stretch's first event within the act."""
    end: int
    """Index after the last event."""
    side: int
    rolls: int
    """Number of rolls in the act up to the end of the stretch."""
    of: int
    """Number of events in the act."""
    last: State
    """State after the act."""
    moments: Moments | None = None
    """The states inside the act; None if the act is a single stretch."""

    @property
    def state(self) -> State:
        """Return the state at the end of the stretch, which is computed on demand."""
        return self.last if self.moments is None or self.end == self.of else self.moments.after(self.end - 1)


def stretches(match: Match, events: Sequence[Event], side: int) -> list[Stretch]:
    """Return the stretches of the act that a match has just played, in order. Dice belong to the events after them."""
    act, now = match.history[-1], match.state
    instants, automated = match.instants, match.ruleset.automated(now)
    if not instants:
        return [Stretch(0, len(events), side, len(act.rolls), len(events), now)] if events else []
    whose = [one.active if one.active in automated else side for one in instants]
    spans: list[tuple[int, int]] = []
    unit: int | None = None
    for i in range(len(events)):
        about = next((one.touches()[:1] for one in events[i:] if one.touches()), ())
        its = None if whose[i] == side or not about else about[0]
        goes_on = i > 0 and whose[i] == whose[i - 1] and its == unit
        spans.append((spans.pop()[0] if goes_on else i, i + 1))
        unit = its
    moments = Moments(act, [end - 1 for _, end in spans[:-1]])
    rolls = [instants[end - 1].rolls if end < len(events) else len(act.rolls) for _, end in spans]
    return [
        Stretch(first, end, whose[end - 1], fallen, len(events), now, moments)
        for (first, end), fallen in zip(spans, rolls, strict=True)
    ]


def stretches_of(ruleset: Ruleset, act: Point) -> list[Stretch]:
    """Return the stretches of an earlier act, by replaying it."""
    match = Match(ruleset, act.state, Scripted(*act.rolls), record=False)
    return stretches(match, match.follow(act.state.asked[act.index], act.action), act.side)
