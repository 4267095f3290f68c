"""Writing the events of a match into the log, for each reader with the details that they may know."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from caltrop.engine import Event, Match, Rolled, name_of, stretches, words_of
from caltrop.engine.event import LARGEST_DIE
from caltrop.host.log import Log
from caltrop.wire import LogEntry, Thrown

log = logging.getLogger("caltrop.host")


def tell(to: Log, match: Match, events: Sequence[Event], side: int | None, rounds: Sequence[int | None] = ()) -> None:
    """Write events into the log as they are seen now.

    Args:
        rounds: The round of each event; the current one by default.
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
    """Return the round of each event of the last act. A round lasts until the next round begins."""
    now = match.ruleset.round(match.state)
    before = match.ruleset.round(match.history[-1].state)
    begins = [
        i for i, event in enumerate(events) if now in (getattr(event, "round", None), getattr(event, "turn", None))
    ]
    first = begins[0] if begins and before != now else 0
    return [before] * first + [now] * (len(events) - first)


def tell_of_act(to: Log, match: Match, events: Sequence[Event], side: int) -> None:
    """Write the events of an act to the log. If the rules move a side, its acts are written unit by unit."""
    rounds = _rounds(match, events)
    parts = stretches(match, events, side)
    for stretch in parts:
        tell(to, match, events[stretch.first : stretch.end], stretch.side, rounds[stretch.first : stretch.end])
        if len(parts) > 1:
            to.passes(stretch)


def _entry(event: Event, view: Any, act: int, side: int | None) -> LogEntry:
    dice: tuple[Thrown, ...] = ()
    clauses: tuple[str, ...] = event.clauses
    if isinstance(event, Rolled):
        clauses = event.why
        if event.sides <= LARGEST_DIE:
            words = event.sentence(view) if event.each or event.symbols else event.words
            dice = (Thrown(faces=event.faces, sides=event.sides, words=words, side=event.side, typed=event.typed),)
    try:
        text = event.sentence(view)
    except Exception:
        log.exception("the sentence of the event %s could not be written", type(event).__name__)
        text = words_of(event)  # type: ignore[arg-type]
    try:
        reading = event.reading(view)
    except Exception:
        log.exception("the dice of the event %s could not be shown", type(event).__name__)
        reading = None
    try:
        motion = event.motion(view)
    except Exception:
        log.exception("the motion of the event %s could not be shown", type(event).__name__)
        motion = None
    return LogEntry(
        n=0,
        act=act,
        side=side,
        about=about if isinstance(about := getattr(event, "side", None), int) else None,
        begins=event.begins,
        kind=name_of(event),
        text=text,
        clauses=clauses,
        dice=dice,
        touches=event.touches(),
        reading=reading,
        motion=motion,
    )
