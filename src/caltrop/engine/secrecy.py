"""What a side may not know, blanked in one place.

Two things are hidden: answers to a sealed decision until the last is in, and the fields of frames and shelves that a
class names in `secret`. A secret field holds one entry for each side; a side sees its own, and None in place of the rest.
"""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

from caltrop.engine.state import State

S = TypeVar("S", bound=State)


def has_secrets(t: State) -> bool:
    """Whether anything in *t* is hidden from some side."""
    return (
        any(a is not None for a in t.answers)
        or any(frame.secret for frame in t.stack)
        or bool(getattr(t, "secret", ()))
    )


def redacted(t: S, side: int | None) -> S:
    """The state as *side* (None: an onlooker) may see it; *t* itself where nothing is hidden."""
    if not has_secrets(t):
        return t
    twin = t.clone()
    twin.told = None
    twin.answers = tuple(a if d.side == side else None for a, d in zip(t.answers, t.asked, strict=True))
    for i, frame in enumerate(twin.stack):
        if frame.secret:
            twin.stack[i] = _blank(frame, frame.secret, side)
    for name in getattr(type(t), "secret", ()):
        kept = getattr(twin, name)
        blanked = [entry if owner == side else None for owner, entry in enumerate(kept)]
        setattr(twin, name, blanked if isinstance(kept, list) else tuple(blanked))
    return twin


def _blank(frame: Any, fields: tuple[str, ...], side: int | None) -> Any:
    blanked = copy(frame)
    for name in fields:
        setattr(
            blanked, name, tuple(entry if owner == side else None for owner, entry in enumerate(getattr(frame, name)))
        )
    return blanked
