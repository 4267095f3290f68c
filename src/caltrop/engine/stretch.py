"""What happened in one act, in stretches: first what its side did, then what the rules did for others, unit by unit.

Where nobody plays a side, the rules move all of it between two answers, so that one act may be a whole turn of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.chance import Scripted
from caltrop.engine.event import Event
from caltrop.engine.match import Instant, Match, Point
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.state import State


class Stretch(NamedTuple):
    """A part of an act: what its side did, or what the rules did for one unit."""

    first: int
    """The first of its events, among those of the act."""
    end: int
    """The first event that belongs to it no more."""
    side: int
    """Whose doing it is."""
    state: State
    """After it."""
    rolls: int
    """How many rolls of the act had fallen by then."""
    of: int
    """How many events the act has."""


def stretches(match: Match, events: Sequence[Event], side: int) -> list[Stretch]:
    """The stretches of the act that a match has just played, in order; dice belong to what is told after them.

    Args:
        match: The match after the act; it keeps what it tells.
        events: What the act brought about.
        side: Who answered.
    """
    now = Instant(match.state, len(match.history[-1].rolls))
    instants, automated = match.instants, match.ruleset.automated(match.state)
    if not instants:
        return [Stretch(0, len(events), side, *now, len(events))] if events else []
    whose = [one.state.active if one.state.active in automated else side for one in instants]
    found: list[Stretch] = []
    unit: int | None = None
    for i in range(len(events)):
        about = next((one.touches()[:1] for one in events[i:] if one.touches()), ())
        its = None if whose[i] == side or not about else about[0]
        goes_on = i > 0 and whose[i] == whose[i - 1] and its == unit
        first = found.pop().first if goes_on else i
        after = instants[i] if i + 1 < len(events) else now
        found.append(Stretch(first, i + 1, whose[i], *after, len(events)))
        unit = its
    return found


def stretches_of(ruleset: Ruleset, act: Point) -> list[Stretch]:
    """The stretches of an earlier act, which is played again."""
    match = Match(ruleset, act.state, Scripted(*act.rolls), record=False)
    return stretches(match, match.follow(act.state.asked[act.index], act.action), act.side)
