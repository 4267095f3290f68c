"""The moments of a recorded game, one after another, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from caltrop.engine import HouseValue, Match, Outcome, Stretch, redacted
from caltrop.host.log import DonePart, Log, places
from caltrop.host.past import ShownPast
from caltrop.host.telling import tell, tell_of_act
from caltrop.journal import ActEntry, Difference, Record, RollEntry, UndoEntry, of_today, replay, told_in
from caltrop.picture import Picture
from caltrop.wire import LogEntry
from caltrop.wire.changes import Parts, parts_between

MOST = 4000
"""Largest number of moments that are shown of a game."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a recorded game."""

    entry: int
    """Number of entries of the record up to this moment, including the act and the dice before it."""
    side: int | None
    """Side that acted; None at the beginning."""
    kind: str
    """`start`, `action` or `undo`; `step` for a unit that the rules move after an action."""
    words: tuple[str, ...]
    """Events of the moment in sentences."""
    action: Any = None
    picture: Picture | None = None
    """The whole table, in the first frame."""
    parts: Parts | None = None
    """Difference from the table of the frame before."""
    lines: tuple[LogEntry, ...] = ()
    """New lines of the log, with their dice and movements; empty if the record is not replayed."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a stored game."""

    act: int
    step: int = 0
    """Number of the moment within its act. If the rules move a side, each moved unit has a moment."""
    side: int | None
    """Side that acted; None at the beginning."""
    active: int | None
    """Side whose turn it is; None if that is unknown."""
    picture: Picture | None = None
    """The whole table, in the first moment of a list."""
    parts: Parts | None = None
    """Difference from the table of the moment before."""
    lines: tuple[LogEntry, ...] = ()


class PastGame(msgspec.Struct, frozen=True, kw_only=True):
    """Moments in force of a stored game, as a side or an onlooker may see them."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    armies: tuple[str, ...]
    size: int | None
    players: tuple[str, ...]
    over: Outcome | None
    eyes: int | None
    may: tuple[int | None, ...]
    """Views that the asker may choose: sides, or None for an onlooker."""
    last: int
    """Number of the last moment."""
    moments: tuple[Moment, ...]


def past_game(past: ShownPast, may: tuple[int | None, ...], first: int = 0, count: int | None = None) -> PastGame:
    """Return moments of a game: the beginning, and a moment after each act in force, or after each stretch of an act.

    Drawing a table takes time, so a page asks for a few moments first, and then for the others.

    Args:
        past: The game, as the asker may know it.
        may: Views that the asker may choose.
        count: Largest number of moments; all by default.
    """
    all_of_it = places(len(past.movers), past.done)[:MOST]
    slots = all_of_it[first:] if count is None else all_of_it[first : first + count]
    by_act: dict[int, list[LogEntry]] = {}
    for line in past.lines:
        by_act.setdefault(line.act, []).append(line)
    moments: list[Moment] = []
    before: Picture | None = None
    for act, steps in groupby(slots, key=lambda place: place[0]):
        done, lines = past.done.get(act), by_act.get(act, [])
        tables = past.within(act) if done else ((past.picture(act), past.active(act)),)
        for _, step in steps:
            side = done[step].side if done else past.movers[act - 1] if act else None
            picture, active = tables[step]
            moments.append(
                Moment(
                    act=act,
                    step=step,
                    side=side,
                    active=active,
                    picture=picture if before is None else None,
                    parts=None if before is None else parts_between(before, picture),
                    lines=tuple(_told(lines, done, step, past.eyes)),
                )
            )
            before = picture
    setup = past.setup
    return PastGame(
        ruleset=setup.ruleset,
        edition=setup.edition,
        rules=setup.rules,
        scenario=setup.scenario,
        armies=setup.armies,
        size=setup.size,
        players=setup.seats,
        over=past.over,
        eyes=past.eyes,
        may=may,
        last=len(all_of_it) - 1,
        moments=tuple(moments),
    )


def _told(
    lines: Sequence[LogEntry], done: Sequence[DonePart] | None, step: int, eyes: int | None
) -> Sequence[LogEntry]:
    """Return the log lines of one stretch of an act. Messages after the act belong to the last stretch."""
    if done is None:
        return lines
    after = done[step - 1].lines[eyes] if step else 0
    up_to = done[step].lines[eyes] if step + 1 < len(done) else lines[-1].n if lines else 0
    return [line for line in lines if after < line.n <= up_to]


def frames(record: Record) -> tuple[Frame, ...]:
    """Return the moments of *record*, as everybody may see them.

    The record is replayed if the rules have not changed; otherwise its turns are shown as recorded. Raises InputError
    if the record contradicts the rules, or its rules are unknown.
    """
    if record.rules_version != record.setting.rulebook.rules_version:
        return _recorded(record)
    try:
        return _played(record)
    except Difference:
        if of_today(record):
            raise
        return _recorded(record)


class _Shown(NamedTuple):
    """A moment of a record, before it is compared with the previous moment."""

    number: int
    """Number of the act or undo, from 1; 0 for the beginning."""
    at: int
    """Number of entries that led to the moment."""
    picture: Picture
    stretch: Stretch | None = None
    """Part of the act that led to the moment, if not all of it."""
    lines: tuple[LogEntry, ...] = ()


def _played(record: Record) -> tuple[Frame, ...]:
    """Return the moments of a replayed record. Raises InputError if the record is impossible."""
    seats = {seat.side: seat.name for seat in record.opening.view.seats}

    def moments() -> Iterator[_Shown]:
        log: Log | None = None
        for moment in replay(record):
            match, many = moment.match, len(moment.stretches) > 1
            if log is None:
                log = _log_of(match)
            lines = log.lines[None]
            first = len(lines)
            entry = record.entries[moment.played - 1] if moment.played else None
            if isinstance(entry, ActEntry):
                tell_of_act(log, match, moment.events, entry.side)
            elif isinstance(entry, UndoEntry):
                log.taken_back(entry.side, seats[entry.side], entry.consent)
            else:
                tell(log, match, moment.events, None)
            for stretch, done in zip(moment.stretches, log.done[len(match.history)], strict=True) if many else ():
                picture = match.ruleset.depict(redacted(stretch.state, None), None)
                text = tuple(lines[first : done.lines[None]])
                first = done.lines[None]
                yield _Shown(moment.played, moment.played + stretch.rolls, picture, stretch, text)
            if not many:
                picture = match.ruleset.depict(match.view(None), None)
                yield _Shown(moment.played, moment.entry, picture, lines=tuple(lines[first:]))

    return _framed(record, moments())


def _log_of(match: Match) -> Log:
    return Log((None,), lambda: len(match.history), lambda: match.ruleset.round(match.state))


def _recorded(record: Record) -> tuple[Frame, ...]:
    """Return the moments of a record with its stored pictures, without movements between turns."""

    def moments() -> Iterator[_Shown]:
        at = next((i for i, e in enumerate(record.entries) if not isinstance(e, RollEntry)), len(record.entries))
        picture = record.opening.view
        yield _Shown(0, at, picture)
        while at < len(record.entries):
            entry, number = record.entries[at], at + 1
            at += 1
            while at < len(record.entries) and isinstance(record.entries[at], RollEntry):
                at += 1
            if not isinstance(entry, RollEntry) and entry.turn is not None:
                picture = entry.turn.view
            yield _Shown(number, at, picture)

    return _framed(record, moments())


def _framed(record: Record, moments: Iterator[_Shown]) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    before: Picture | None = None
    for number, at, picture, stretch, lines in moments:
        entry = record.entries[number - 1] if number else None
        act = entry if isinstance(entry, ActEntry) else None
        later = stretch is not None and stretch.first > 0
        side = entry.side if isinstance(entry, ActEntry | UndoEntry) else None
        frames.append(
            Frame(
                entry=at,
                side=side if stretch is None else stretch.side,
                kind="start" if entry is None else "step" if later else "action" if act else "undo",
                words=told_in(act, stretch) if act else (),
                action=act.action if act and not later else None,
                picture=picture if before is None else None,
                parts=None if before is None else parts_between(before, picture),
                lines=lines,
            )
        )
        before = picture
        if len(frames) == MOST:
            break
    return tuple(frames)
