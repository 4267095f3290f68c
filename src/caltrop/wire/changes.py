"""The difference between two views of one reader, which is smaller than a whole view.

A change names its first moment (`base`) and its last (`seq`), and contains the fields that differ. Parts of a picture
with an id are replaced or removed one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Outcome
from caltrop.picture import Card, Fallen, Ground, Group, Line, Picture, Pile, Seat, Spot, Stage, Victory, Zone
from caltrop.wire.view import (
    DecisionView,
    DiceWanted,
    GoneView,
    LessonView,
    LogEntry,
    LuckView,
    SeatView,
    TalkLine,
    UndoView,
    View,
)


class Parts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The difference between two pictures. A part with an id replaces the part with the same id, or is added at the
    end.
    """

    groups: tuple[Group, ...] = ()
    gone_groups: tuple[int, ...] = ()
    spots: tuple[Spot, ...] = ()
    gone_spots: tuple[int, ...] = ()
    grounds: tuple[Ground, ...] = ()
    gone_grounds: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()
    """Seats that changed, identified by their side."""
    zones: tuple[Zone, ...] | UnsetType = UNSET
    """The complete new list, if it changed."""
    lines: tuple[Line, ...] | UnsetType = UNSET
    """The complete new list, if it changed."""
    hand: tuple[Card, ...] | UnsetType = UNSET
    """The whole new hand."""
    piles: tuple[Pile, ...] | UnsetType = UNSET
    """The complete new list, if it changed."""
    goal: Victory | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment between two views that is shown separately, such as an act of the rules."""

    picture: Parts | UnsetType = UNSET
    """Difference of the picture from the previous step, or from the old view."""
    lines: int
    """Number of the last new log line that belongs to this moment or an earlier one."""


class Change(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="change"):
    """The difference since the moment `base`. Omitted fields have not changed."""

    seq: int
    base: int
    act: int | UnsetType = UNSET
    seats: tuple[SeatView, ...] | UnsetType = UNSET
    picture: Parts | UnsetType = UNSET
    decisions: tuple[DecisionView, ...] | UnsetType = UNSET
    waiting_for: tuple[int, ...] | UnsetType = UNSET
    over: Outcome | UnsetType | None = UNSET
    kept_back: bool | UnsetType = UNSET
    secret: bool | UnsetType = UNSET
    undo: UndoView | UnsetType = UNSET
    log: tuple[LogEntry, ...] | UnsetType = UNSET
    """The new log lines."""
    luck: tuple[LuckView, ...] | UnsetType = UNSET
    dice: DiceWanted | UnsetType | None = UNSET
    lesson: LessonView | UnsetType | None = UNSET
    unrated: str | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    gone: tuple[GoneView, ...] | UnsetType = UNSET
    fallen: tuple[Fallen, ...] | UnsetType = UNSET
    draw: int | UnsetType | None = UNSET
    talk: tuple[TalkLine, ...] | UnsetType = UNSET
    """The new chat lines."""
    hushed: tuple[int, ...] | UnsetType = UNSET
    again: tuple[int, ...] | UnsetType = UNSET
    steps: tuple[Step, ...] | UnsetType = UNSET
    """Acts of the rules between the views, moment by moment. The last moment has the same picture as the change."""


_KEYED = (("groups", "id"), ("spots", "id"), ("grounds", "id"))
_WHOLE = ("zones", "lines", "hand", "piles", "goal", "stage")
_FIELDS = (
    "act", "seats", "decisions", "waiting_for", "over", "kept_back", "secret", "undo", "luck", "dice", "lesson",
    "unrated", "hints", "gone", "fallen", "draw", "hushed", "again",
)  # fmt: skip
"""Fields of a view that are replaced as a whole."""


def parts_between(a: Picture, b: Picture) -> Parts | None:
    """Return the difference of picture *b* from picture *a*; None for equal pictures."""
    parts: dict[str, Any] = {}
    if a is b:
        return None
    for name, key in _KEYED:
        before = {getattr(thing, key): thing for thing in getattr(a, name)}
        now = {getattr(thing, key): thing for thing in getattr(b, name)}
        put = tuple(thing for id, thing in now.items() if before.get(id) != thing)
        gone = tuple(id for id in before if id not in now)
        if put:
            parts[name] = put
        if gone:
            parts["gone_" + name] = gone
    seats = tuple(seat for seat in b.seats if seat not in a.seats)
    if seats:
        parts["seats"] = seats
    for name in _WHOLE:
        if getattr(a, name) != getattr(b, name):
            parts[name] = getattr(b, name)
    return Parts(**parts) if parts else None


def steps_between(old: View, new: View, on_the_way: Sequence[tuple[Picture, int]]) -> tuple[Step, ...]:
    """Return the moments between two views.

    Args:
        old: The earlier view.
        new: The second.
        on_the_way: A picture of each moment, and the number of the last log line at that moment.
    """
    steps: list[Step] = []
    before, first = old.picture, old.log[-1].n if old.log else 0
    last = new.log[-1].n if new.log else 0
    for picture, line in (*on_the_way, (new.picture, last)):
        parts = parts_between(before, picture)
        steps.append(Step(picture=UNSET if parts is None else parts, lines=line - first))
        before = picture
    return tuple(steps)


def change_between(old: View, new: View, on_the_way: Sequence[tuple[Picture, int]] = ()) -> Change:
    """Return the change from *old* to *new*, two views of the same game by one reader.

    Args:
        old: The earlier view.
        new: The second.
        on_the_way: Moments between them, as in `steps_between`.
    """
    parts = parts_between(old.picture, new.picture)
    differs: dict[str, Any] = {name: getattr(new, name) for name in _FIELDS if getattr(old, name) != getattr(new, name)}
    if parts is not None:
        differs["picture"] = parts
    last = old.log[-1].n if old.log else 0
    lines = tuple(entry for entry in new.log if entry.n > last)
    if lines:
        differs["log"] = lines
    heard = old.talk[-1].n if old.talk else 0
    if talk := tuple(line for line in new.talk if line.n > heard):
        differs["talk"] = talk
    if on_the_way:
        differs["steps"] = steps_between(old, new, on_the_way)
    return Change(seq=new.seq, base=old.seq, **differs)


def patched(view: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Apply a change to a view, both as parsed JSON, as every client does.

    Raises:
        ValueError: if the change starts from another moment.
    """
    if change["base"] != view["seq"]:
        raise ValueError(f"the change starts from {change['base']}, and the view is {view['seq']}")
    new = dict(view)
    for name, value in change.items():
        if name in ("log", "talk"):
            new[name] = [*view[name], *value]
        elif name == "picture":
            new["picture"] = patched_picture(view["picture"], value)
        elif name not in ("type", "base", "steps"):
            new[name] = value
    return new


def patched_picture(picture: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Apply the difference of a picture, both as parsed JSON."""
    new = dict(picture)
    for name, key in (*_KEYED, ("seats", "side")):
        things = {thing[key]: thing for thing in picture[name]}
        for id in parts.get("gone_" + name, ()):
            del things[id]
        for thing in parts.get(name, ()):
            things[thing[key]] = thing
        new[name] = list(things.values())
    for name in _WHOLE:
        if name in parts:
            new[name] = parts[name]
    return new
