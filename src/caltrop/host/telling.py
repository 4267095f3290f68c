"""The events of a match, written into the log: each as those may know it who read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from caltrop.engine import Event, Match, Rolled, name_of, words_of
from caltrop.engine.event import LARGEST_DIE
from caltrop.host.log import Log
from caltrop.wire import LogEntry, Thrown

log = logging.getLogger("caltrop.host")


def tell(to: Log, match: Match, events: Sequence[Event], side: int | None, rounds: Sequence[int | None] = ()) -> None:
    """Tell events as they are seen now.

    Args:
        to: Where they are written.
        match: What they have happened in.
        events: What has happened, in order.
        side: Whose doing it is.
        rounds: In which round each has happened; the present one where it is left out.
    """
    if not events:
        return
    for eyes in to.eyes:
        view = match.view(eyes)
        for event, round in zip(events, rounds or [None] * len(events), strict=True):
            seen = event.seen_by(eyes)
            if seen is not None:
                to.add(eyes, _entry(seen, view, to.acts(), side), round)


def _rounds(match: Match, events: Sequence[Event]) -> list[int]:
    """In which round each event of the last act has happened: until a round is told to begin the last one goes on."""
    now = match.ruleset.round(match.state)
    before = match.ruleset.round(match.history[-1].state)
    begins = [
        i for i, event in enumerate(events) if now in (getattr(event, "round", None), getattr(event, "turn", None))
    ]
    first = begins[0] if begins and before != now else 0
    return [before] * first + [now] * (len(events) - first)


def tell_of_act(to: Log, match: Match, events: Sequence[Event], side: int) -> None:
    """Tell what an act brought about: where the rules move a side, unit by unit, and as that side's own doing."""
    moments, automated, rounds = match.moments, match.ruleset.automated(match.state), _rounds(match, events)
    whose = [m.active if m.active in automated else side for m in moments] or [side] * len(events)
    for first, last in _unit_by_unit(events, whose, side):
        tell(to, match, events[first:last], whose[first], rounds[first:last])
        if moments and last < len(events):
            to.passes(moments[last - 1])


def _entry(event: Event, view: Any, act: int, side: int | None) -> LogEntry:
    dice: tuple[Thrown, ...] = ()
    clauses: tuple[str, ...] = event.clauses
    if isinstance(event, Rolled):
        clauses = event.why
        if event.sides <= LARGEST_DIE:
            dice = (
                Thrown(faces=event.faces, sides=event.sides, words=event.words, side=event.side, typed=event.typed),
            )
    try:
        text = event.sentence(view)
    except Exception:
        log.exception("the sentence of %s", type(event).__name__)
        text = words_of(event)  # type: ignore[arg-type]
    try:
        reading = event.reading(view)
    except Exception:
        log.exception("the dice of %s", type(event).__name__)
        reading = None
    try:
        motion = event.motion(view)
    except Exception:
        log.exception("the motion of %s", type(event).__name__)
        motion = None
    return LogEntry(
        n=0,
        act=act,
        side=side,
        about=about if isinstance(about := getattr(event, "side", None), int) else None,
        kind=name_of(event),
        text=text,
        clauses=clauses,
        dice=dice,
        touches=event.touches(),
        reading=reading,
        motion=motion,
    )


def _unit_by_unit(events: Sequence[Event], whose: Sequence[int], side: int) -> list[tuple[int, int]]:
    """The places, first and past the last, of events that are told together.

    What the side did that answered is told at once; what the rules did for another, unit by unit: dice belong to what
    is told after them.
    """
    found: list[tuple[int, int]] = []
    unit: int | None = None
    for i in range(len(events)):
        about = next((one.touches()[:1] for one in events[i:] if one.touches()), ())
        now = None if whose[i] == side or not about else about[0]
        if i and whose[i] == whose[i - 1] and now == unit:
            found[-1] = (found[-1][0], i + 1)
        else:
            found.append((i, i + 1))
        unit = now
    return found
