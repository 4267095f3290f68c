"""Removal of secrets from a state.

Two things are hidden: the answers to simultaneous decisions until the last is given, and the fields that a class lists
in `secret`. A secret field may have one entry for each side. A side then sees its own entry, and None for the others.
The other kind of secret field holds `Veiled` records, which return what a side may see.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar

import msgspec

from caltrop.engine.procedure import Procedure
from caltrop.engine.state import State, copied

S = TypeVar("S", bound=State)


class Veiled(msgspec.Struct, frozen=True):
    """A record in a secret field that other sides know in part.

    Raises TypeError for a subclass without `seen_by`, because a game would otherwise fail when it is first shown.
    """

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        if cls.seen_by is Veiled.seen_by:
            raise TypeError(f"{cls.__name__} does not say what others may know of it: give it a method seen_by")

    def seen_by(self, side: int | None) -> Self:
        """Return the record as *side* (None: an onlooker) may see it: unchanged, or without its hidden parts.

        Records that differ only in hidden parts must become equal. Reducing a record a second time must not change it.
        """
        raise NotImplementedError(type(self).__name__)


class FaceDown(Veiled, frozen=True):
    """Face-down tokens. Everybody sees how many face-down tokens there are and whose they are; only the owning side
    sees the faces.

    >>> FaceDown(0, ("fire", "move")).seen_by(1)
    FaceDown(side=0, faces=(None, None))
    """

    side: int
    faces: tuple[str | None, ...]
    """Text of each token in order; None for a token that the viewer may not know."""

    def seen_by(self, side: int | None) -> Self:
        return self if side == self.side else type(self)(self.side, (None,) * len(self.faces))

    def without(self, face: str) -> Self:
        """Return the remaining tokens after turning one over.

        Raises ValueError if no token has this face.
        """
        if face not in self.faces:
            raise ValueError(f"none of these tokens says {face!r}")
        taken = self.faces.index(face)
        return type(self)(self.side, (*self.faces[:taken], *self.faces[taken + 1 :]))


def has_secrets(t: State) -> bool:
    """Return whether anything in *t* is hidden from some side: a sealed answer, or what a secret field holds."""
    for a in t.answers:  # asked for every view: loops are what is fast here
        if a is not None:
            return True
    return holds_secrets(t)


def holds_secrets(t: State) -> bool:
    """Return whether a secret field of the state or of a procedure holds anything. An empty field hides nothing."""
    if t.secret and _holds_any(t):
        return True
    for frame in t.stack:
        if frame.secret and _holds_any(frame):
            return True
    for frame in t.queue:  # noqa: SIM110
        if frame.secret and _holds_any(frame):
            return True
    return False


def _holds_any(record: Any) -> bool:
    """Return whether a record with secret fields has anything in one of them."""
    return any(getattr(record, name) for name in record.secret)


def redacted(t: S, side: int | None) -> S:
    """Return the state as *side* (None: an onlooker) may see it; *t* itself if nothing is hidden.

    The result shares the shelves of *t*, so write only to a clone of the result.
    """
    if not has_secrets(t):
        return t
    twin = copied(t)
    twin.told = None
    if len(t.answers) > 1:
        twin.answers = tuple([a if d.side == side else None for a, d in zip(t.answers, t.asked, strict=True)])
    twin.stack, twin.queue = _frames_seen(t.stack, side), _frames_seen(t.queue, side)
    for name in t.secret:
        setattr(twin, name, _seen(getattr(t, name), side))
    return twin


def _frames_seen(frames: list[Procedure], side: int | None) -> list[Procedure]:
    """Return frames without the parts hidden from a side; the same list if nothing is hidden."""
    for frame in frames:  # a loop is faster here, and this runs for every view
        if frame.secret:
            return [_blanked(frame, side) if frame.secret else frame for frame in frames]
    return frames


def _blanked(record: Any, side: int | None) -> Any:
    """Return a copy of *record* without the hidden fields that *side* may not see."""
    twin = copied(record)
    for name in record.secret:
        setattr(twin, name, _seen(getattr(record, name), side))
    return twin


def _seen(value: Any, side: int | None) -> Any:
    """Return the part of a secret field that a side may see."""
    if type(value) is dict:
        return {key: entry.seen_by(side) for key, entry in value.items()}
    for entry in value:
        if isinstance(entry, Veiled):
            return type(value)([None if entry is None else entry.seen_by(side) for entry in value])
    return type(value)([entry if owner == side else None for owner, entry in enumerate(value)])
