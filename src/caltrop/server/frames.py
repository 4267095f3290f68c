"""The moments of a recorded game, one after another, as a page shows them."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.journal import ActEntry, Record, UndoEntry, replay
from caltrop.picture import Picture
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


def frames(record: Record) -> tuple[Frame, ...]:
    """The moments of *record*, played again, as everybody may see them.

    Raises:
        InputError: when it cannot have been played so, or its rules are not known here.
    """
    found: list[Frame] = []
    before: Picture | None = None
    for moment in replay(record):
        rules = moment.match.ruleset
        picture = rules.depict(moment.match.view(None), None)
        entry = record.entries[moment.played - 1] if moment.played else None
        act = entry if isinstance(entry, ActEntry) else None
        parts = None if before is None else parts_between(before, picture)
        found.append(
            Frame(
                entry=moment.entry,
                side=entry.side if isinstance(entry, ActEntry | UndoEntry) else None,
                kind="start" if entry is None else "action" if act else "undo",
                words=act.words if act else (),
                action=act.action if act else None,
                picture=picture if before is None else None,
                parts=parts,
            )
        )
        before = picture
        if len(found) == MOST:
            break
    return tuple(found)
