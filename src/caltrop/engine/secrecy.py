"""What a side may not know, blanked in one place.

Two things are hidden: answers to a sealed decision until the last is in, and the fields of frames and states that a
class names in `secret`. A secret field holds one entry for each side; a side sees its own, and None in place of the
rest, so its type allows None.
"""

from __future__ import annotations

from typing import Any, TypeVar

from caltrop.engine.state import State, copied

S = TypeVar("S", bound=State)


def has_secrets(t: State) -> bool:
    """Whether anything in *t* is hidden from some side."""
    if t.secret:
        return True
    for a in t.answers:
        if a is not None:
            return True
    for frame in t.stack:
        if frame.secret:
            return True
    for frame in t.queue:  # noqa: SIM110  asked for every view: loops are what is fast here
        if frame.secret:
            return True
    return False


def redacted(t: S, side: int | None) -> S:
    """The state as *side* (None: an onlooker) may see it; *t* itself where nothing is hidden.

    It shares the shelves of *t*: read it, and write to a clone of it.
    """
    if not has_secrets(t):
        return t
    twin = copied(t)
    twin.told = None
    if len(t.answers) > 1:
        twin.answers = tuple([a if d.side == side else None for a, d in zip(t.answers, t.asked, strict=True)])
    twin.stack = [_blanked(frame, side) if frame.secret else frame for frame in t.stack]
    twin.queue = [_blanked(frame, side) if frame.secret else frame for frame in t.queue]
    for name in t.secret:
        setattr(twin, name, _seen(getattr(t, name), side))
    return twin


def _blanked(record: Any, side: int | None) -> Any:
    """A copy of *record* whose hidden fields hold only what *side* may see."""
    twin = copied(record)
    for name in record.secret:
        setattr(twin, name, _seen(getattr(record, name), side))
    return twin


def _seen(kept: Any, side: int | None) -> Any:
    """The entries of a secret field, with None in place of those of other sides."""
    return type(kept)([entry if owner == side else None for owner, entry in enumerate(kept)])
