"""The moments of a recorded game, one after another, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from caltrop.engine import HouseValue, Outcome
from caltrop.host.game import ShownPast
from caltrop.journal import ActEntry, Difference, Record, RollEntry, UndoEntry, of_today, replay
from caltrop.picture import Picture
from caltrop.wire import LogEntry
from caltrop.wire.changes import Parts, parts_between

MOST = 4000
"""Moments that are shown of a game at most."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a recorded game."""

    entry: int
    """How many entries of the record led here."""
    side: int | None
    """Whose act did; None at the beginning."""
    kind: str
    """`start`, `action` or `undo`."""
    words: tuple[str, ...]
    """What happened, in sentences."""
    action: Any = None
    picture: Picture | None = None
    """The whole table, in the first frame."""
    parts: Parts | None = None
    """How it differs from the table of the frame before."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a game that is kept here."""

    act: int
    side: int | None
    """Whose act led to it; None at the beginning."""
    picture: Picture | None = None
    """The whole table, in the first moment that is told."""
    parts: Parts | None = None
    """How it differs from the table of the moment before."""
    lines: tuple[LogEntry, ...] = ()
    """What the act brought about."""


class PastGame(msgspec.Struct, frozen=True, kw_only=True):
    """Moments in force of a game that is kept here, one after another, as some eyes may see them."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    players: tuple[str, ...]
    over: Outcome | None
    eyes: int | None
    may: tuple[int | None, ...]
    """Whose eyes the asker may have."""
    last: int
    """The number of the last moment that there is."""
    moments: tuple[Moment, ...]


def past_game(past: ShownPast, may: tuple[int | None, ...], first: int = 0, count: int | None = None) -> PastGame:
    """Moments of a game: there is one for the beginning and one after each act in force.

    A picture of a table takes its time, and a page has something to show when it has the first of them: it asks for
    some, and then for the others.

    Args:
        past: The game, as somebody may know it.
        may: Whose eyes the asker may have.
        first: The first moment that is wanted.
        count: How many are wanted, all where it is left out; there may be fewer.
    """
    last = min(len(past.movers), MOST - 1)
    by_act: dict[int, list[LogEntry]] = {}
    for line in past.lines:
        by_act.setdefault(line.act, []).append(line)
    found: list[Moment] = []
    before: Picture | None = None
    for act in range(first, last + 1 if count is None else min(first + count, last + 1)):
        picture = past.picture(act)
        found.append(
            Moment(
                act=act,
                side=past.movers[act - 1] if act else None,
                picture=picture if before is None else None,
                parts=None if before is None else parts_between(before, picture),
                lines=tuple(by_act.get(act, ())),
            )
        )
        before = picture
    setup = past.setup
    return PastGame(
        ruleset=setup.ruleset,
        edition=setup.edition,
        rules=setup.rules,
        scenario=setup.scenario,
        players=setup.seats,
        over=past.over,
        eyes=past.eyes,
        may=may,
        last=last,
        moments=tuple(found),
    )


def frames(record: Record) -> tuple[Frame, ...]:
    """The moments of *record*, as everybody may see them.

    It is played again where the rules are those of today; else its turns are shown as they were recorded.

    Raises:
        InputError: when it cannot have been played so, or its rules are not known here.
    """
    if record.rules_version != record.setting.rulebook.rules_version:
        return _recorded(record)
    try:
        return _played(record)
    except Difference:
        if of_today(record):
            raise
        return _recorded(record)


def _played(record: Record) -> tuple[Frame, ...]:
    """The moments of a record that is played again.

    Raises:
        InputError: when it cannot have been played so.
    """
    return _framed(
        record,
        (
            (moment.played, moment.match.ruleset.depict(moment.match.view(None), None), moment.entry)
            for moment in replay(record)
        ),
    )


def _recorded(record: Record) -> tuple[Frame, ...]:
    """The moments of a record with the pictures that are in it: between the turns nothing is seen to move."""

    def moments() -> Iterator[tuple[int, Picture, int]]:
        at = next((i for i, e in enumerate(record.entries) if not isinstance(e, RollEntry)), len(record.entries))
        picture = record.opening.view
        yield 0, picture, at
        while at < len(record.entries):
            entry, number = record.entries[at], at + 1
            at += 1
            while at < len(record.entries) and isinstance(record.entries[at], RollEntry):
                at += 1
            if not isinstance(entry, RollEntry) and entry.turn is not None:
                picture = entry.turn.view
            yield number, picture, at

    return _framed(record, moments())


def _framed(record: Record, moments: Iterator[tuple[int, Picture, int]]) -> tuple[Frame, ...]:
    """Moments as they are sent: the act or undo that led to it by its number, its picture, the entries so far."""
    found: list[Frame] = []
    before: Picture | None = None
    for number, picture, at in moments:
        entry = record.entries[number - 1] if number else None
        act = entry if isinstance(entry, ActEntry) else None
        found.append(
            Frame(
                entry=at,
                side=entry.side if isinstance(entry, ActEntry | UndoEntry) else None,
                kind="start" if entry is None else "action" if act else "undo",
                words=act.words if act else (),
                action=act.action if act else None,
                picture=picture if before is None else None,
                parts=None if before is None else parts_between(before, picture),
            )
        )
        before = picture
        if len(found) == MOST:
            break
    return tuple(found)
