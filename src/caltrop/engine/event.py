"""Base types of answers, events and endings: records that states hold and doors show."""

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

    A renamed class keeps its old name as a tag, so that stored games stay readable: `class Stride(Action, tag="Walk")`.
    """
    return str(thing.__struct_config__.tag)


_parts = cache(parts_of)


def worded(record: Any, t: Any) -> str:
    """Return the template of an event or a decision with its values.

    A value is a field, and a unit if `about` names it; or it comes from the function in `says`, whose parameters are
    `t` and fields.
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
    """Return the units in some fields of a record; a field holds one unit, several, or None."""
    values = [getattr(record, name, None) for name in about]
    return tuple([unit for v in values if v is not None for unit in (v if isinstance(v, tuple) else (v,))])


class Action(msgspec.Struct, frozen=True, tag=True):
    """A side's answer to a decision: ids and values, never references to other records."""

    @classmethod
    def check_declaration(cls) -> None:
        """Raise TypeError if its class is declared wrongly; called once all modules of its ruleset are imported."""


class MotionOf(msgspec.Struct, frozen=True):
    """The movement of an event, by the names of the fields with its values; an empty name means none."""

    sort: Sort
    tag: str = ""
    """A word, and no field."""
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
    """True if the event reveals hidden information, which limits undo as a roll does."""
    begins: ClassVar[bool] = False
    """True if a turn begins with this event. Later events then do not belong to the act before."""
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Shelves with records that caused this event. Each row has the name of the shelf, the event's field, and
    the record's field with the same value (empty for the record's place on the shelf).
    """
    template: ClassVar[str] = ""
    """Words of its sentence, with values in braces (see `worded`)."""
    says: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    """Functions for values of the template that are not fields."""
    shown: ClassVar[MotionOf | None] = None
    """The movement to show on the table, if the event's fields describe it completely."""
    about: ClassVar[tuple[str, ...]] = ("unit",)
    """Fields that name units. Interfaces highlight these units with the event."""

    def sentence(self, t: Any) -> str:
        """Return a sentence for the log about the event. *t* is the state after the event."""
        return worded(self, t)

    def seen_by(self, side: int | None) -> Event | None:
        return self

    def touches(self) -> tuple[int, ...]:
        return touched(self, self.about)

    def reading(self, t: Any) -> Reading | None:
        """Return the interpretation of the dice: results, cancellations, and the expected and actual numbers. None
        without dice.

        It is called only for display, so it may be slow. *t* is the state after the event.
        """
        return None

    def motion(self, t: Any) -> Motion | None:
        """Return the movement to show on the table; None if the table after the event shows everything.

        It contains only information that the readers of the event may have. *t* is the state after the event, as they
        see it.
        """
        return None if self.shown is None else self.shown.motion(self)


LARGEST_DIE = 100
"""Largest number of faces of a die. A throw with more faces chooses one of many places, and its number means nothing to
people.
"""


class Rolled(Event, frozen=True):
    faces: tuple[int, ...]
    sides: int
    why: tuple[str, ...]
    words: str = ""
    each: tuple[str, ...] = ()
    """Purpose of each die, if they differ: the sides of a roll-off."""
    symbols: tuple[str, ...] = ()
    """Meaning of each face, from 1 up, if it is more than its number."""
    side: int | None = None
    secret: bool = False
    """True if only *side* may see the faces."""
    typed: bool = False
    """True if they were real dice, typed in."""
    reveals: ClassVar[bool] = True

    def sentence(self, t: Any) -> str:
        if self.sides > LARGEST_DIE:
            return self.words  # which of the places it was is told by who stands there
        faces = [self.symbols[face - 1] for face in self.faces] if self.symbols else [str(face) for face in self.faces]
        if self.each:
            faces = [f"{what} {face}" for what, face in zip(self.each, faces, strict=True)]
        between = ", " if self.each or self.symbols else " "
        return f"{self.words or 'Dice'}: {between.join(faces) or 'none'}"

    def seen_by(self, side: int | None) -> Event | None:
        """Return the event if a side may see it. Secret dice are visible only to their own side."""
        return None if self.secret and side != self.side else self


class EventFeed(list[Event]):
    """The list of events of a state, which also passes each event to a listener."""

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
