"""Base types of answers, events and endings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

import msgspec

from caltrop.engine.rule import filled, parts_of
from caltrop.parameters import read_by
from caltrop.picture import Motion, Reading, Sort


def name_of(thing: Any) -> str:
    """Return the name under which an act, a decision, an event or a procedure is stored: the name of its class, or its
    tag.

    A renamed class keeps its old name as a tag, as in `class Stride(Action, tag="Walk")`, so that stored games stay
    readable.
    """
    return str(thing.__struct_config__.tag)


_parts = cache(parts_of)


def worded(record: Any, t: Any) -> str:
    """Return the template of an event or a decision with its values.

    A value in the template is a field, or the result of a function in `says` with the same name, whose parameters are
    *t* and fields. A field in `about` is shown as the name of a unit.
    """
    parts = _parts(record.template)
    values: dict[str, Any] = {}
    for _, name, _ in parts:
        if name is not None and name in record.says:
            function = record.says[name]
            values[name] = function(*[t if read == "t" else getattr(record, read) for read in read_by(function)])
        elif name is not None:
            value = getattr(record, name)
            values[name] = t.unit_in_words(value) if name in record.about else value
    return filled(parts, values)


def touched(record: Any, about: tuple[str, ...]) -> tuple[int, ...]:
    """Return the units in some fields of a record. A field holds one unit, several, or None."""
    values = [getattr(record, name, None) for name in about]
    return tuple([unit for v in values if v is not None for unit in (v if isinstance(v, tuple) else (v,))])


class Action(msgspec.Struct, frozen=True, tag=True):
    """A side's answer to a decision. An action holds ids and values, and no references to other records."""

    @classmethod
    def check_declaration(cls) -> None:
        """Raise TypeError if the action class is declared wrongly. The check runs when all modules are imported."""


class MotionOf(msgspec.Struct, frozen=True):
    """The movement in an event, given as names of the event's fields; an empty name for a missing value."""

    sort: Sort
    tag: str = ""
    """Word for the kind of movement; unlike the others, not the name of a field."""
    unit: str = "unit"
    target: str = ""
    side: str = ""
    units: str = ""
    ways: str = ""
    pieces: str = ""
    count: str = ""
    at: str = ""
    to: str = ""

    def motion(self, event: Event) -> Motion:
        fields = [(name, getattr(self, name)) for name in self.__struct_fields__[2:]]
        values = {name: getattr(event, field) for name, field in fields if field}
        return Motion(sort=self.sort, tag=self.tag, **values)


class Event(msgspec.Struct, frozen=True, tag=True):
    """A fact of the game, such as `Contact`, with a sentence that describes it."""

    clauses: ClassVar[tuple[str, ...]] = ()
    """Clauses that caused the event."""
    reveals: ClassVar[bool] = False
    """True if the event reveals hidden information, so that undo is limited as after a roll."""
    begins: ClassVar[bool] = False
    """True if a turn begins with this event. This event and later ones then belong to the new turn."""
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Shelves with records that caused this event. Each row has the name of the shelf, a field of the event, and the
    field of the record with the same value. The name of the record's field is empty if the event holds the record's
    place on the shelf.
    """
    template: ClassVar[str] = ""
    """Words of the event's sentence, with values in braces (see `worded`)."""
    says: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    """Functions that compute values for the template which are not fields."""
    shown: ClassVar[MotionOf | None] = None
    """The movement to show on the table, if the event's fields describe it completely."""
    about: ClassVar[tuple[str, ...]] = ("unit",)
    """Fields of the event that name units. Interfaces highlight these units with the event."""

    def sentence(self, t: Any) -> str:
        """Return a sentence for the log about the event. *t* is the state after the event."""
        return worded(self, t)

    def seen_by(self, side: int | None) -> Event | None:
        return self

    def touches(self) -> tuple[int, ...]:
        return touched(self, self.about)

    def reading(self, t: Any) -> Reading | None:
        """Return how the dice of the event are read: results, cancellations, expected and actual numbers; None for an
        event without dice.

        The reading is computed only for display, so it may be slow. *t* is the state after the event.
        """
        return None

    def motion(self, t: Any) -> Motion | None:
        """Return the movement to show on the table; None if the table after the event is enough.

        Include only what every reader of the event may know. *t* is the state after the event, as the readers see it.
        """
        return None if self.shown is None else self.shown.motion(self)


LARGEST_DIE = 100
"""Largest number of faces of a die. A throw with more faces is a random choice, and people are not shown its number.
"""


class Rolled(Event, frozen=True):
    faces: tuple[int, ...]
    sides: int
    why: tuple[str, ...]
    words: str = ""
    each: tuple[str, ...] = ()
    """Purpose of each die, if they differ, such as the sides of a roll-off."""
    symbols: tuple[str, ...] = ()
    """Meaning of each face, from 1 up, if a face shows a symbol."""
    side: int | None = None
    secret: bool = False
    """True if only *side* may see the faces."""
    typed: bool = False
    """True if real dice were thrown and a person typed in their faces."""
    reveals: ClassVar[bool] = True

    def sentence(self, t: Any) -> str:
        if self.sides > LARGEST_DIE:
            return self.words  # a die with so many faces draws a place, and the rolled number would tell people nothing
        faces = [self.symbols[face - 1] for face in self.faces] if self.symbols else [str(face) for face in self.faces]
        if self.each:
            faces = [f"{what} {face}" for what, face in zip(self.each, faces, strict=True)]
        between = ", " if self.each or self.symbols else " "
        return f"{self.words or 'Dice'}: {between.join(faces) or 'none'}"

    def seen_by(self, side: int | None) -> Event | None:
        """Return the event, or None if the dice are secret and belong to another side."""
        return None if self.secret and side != self.side else self


class EventFeed(list[Event]):
    """The list of a state's events. A feed passes each new event to a listener."""

    def __init__(self, hear: Callable[[Event], None]) -> None:
        super().__init__()
        self.hear = hear

    def append(self, event: Event) -> None:
        super().append(event)
        self.hear(event)


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game."""

    winner: int | None
    """The winning side; None for a draw."""
    reason: str
    points: tuple[int, ...] = ()
    """Points of each side, in games with points."""
