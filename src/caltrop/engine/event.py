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
    """Return the name by which an act, a decision, an event or a procedure is stored and told: its class's, or its tag.

    A class that is renamed keeps what is stored readable by its old name: `class Stride(Action, tag="Walk")`.
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
    """The movement of an event, by the names of the fields that hold its values; an empty name is for none."""

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
    """Something that has happened. Subclasses are facts (`Contact`), and say so in a sentence."""

    clauses: ClassVar[tuple[str, ...]] = ()
    """The clauses that brought it about."""
    reveals: ClassVar[bool] = False
    """True if the event gives knowledge away: a boundary for undo, as a roll is."""
    begins: ClassVar[bool] = False
    """True if a turn begins with it, so that later events do not belong to the act before."""
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Shelves on which an earlier step has put what this tells of. Each has the field of the event and the field of the
    record that name the same thing (empty for the record's place on the shelf).
    """
    template: ClassVar[str] = ""
    """Words of its sentence, with values in braces (see `worded`)."""
    says: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    """Functions for values of the template that are not fields."""
    shown: ClassVar[MotionOf | None] = None
    """The movement to show on the table, if it needs no more than fields."""
    about: ClassVar[tuple[str, ...]] = ("unit",)
    """Fields that name units. These units are lit while the event is shown."""

    def sentence(self, t: Any) -> str:
        """Return a sentence for the log about the event. *t* is the state after the event."""
        return worded(self, t)

    def seen_by(self, side: int | None) -> Event | None:
        return self

    def touches(self) -> tuple[int, ...]:
        return touched(self, self.about)

    def reading(self, t: Any) -> Reading | None:
        """Return the dice as they were read: results, cancellations, and the expected and actual numbers. None for no
        dice.

        It is asked for only if it is shown, and may compute. *t* is the state after the event.
        """
        return None

    def motion(self, t: Any) -> Motion | None:
        """Return the movement to show on the table; None if the table afterwards shows everything.

        It says no more than those who know of the event may know. *t* is the state after the event, as they see it.
        """
        return None if self.shown is None else self.shown.motion(self)


LARGEST_DIE = 100
"""A throw with more faces is none of dice: it picks one of many places, and its number tells people nothing."""


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
    """The events of a state, which hands on each of them at once."""

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
    """Points of each side, where points are kept."""
