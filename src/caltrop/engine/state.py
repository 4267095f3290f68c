"""The state of a battle: shelves of frozen records, and the stack of procedures under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec

from caltrop.engine.rule import Book
from caltrop.picture import Motion, Reading

if TYPE_CHECKING:
    from caltrop.engine.decision import Decision
    from caltrop.engine.flow import Procedure

R = TypeVar("R")


def name_of(thing: Any) -> str:
    """The name by which an act, a decision, an event or a procedure is stored and told: its class's, or its tag.

    A class that is renamed keeps what is stored readable by its old name: `class Stride(Action, tag="Walk")`.

    Args:
        thing: One of them, or its class.
    """
    return str(thing.__struct_config__.tag)


class Action(msgspec.Struct, frozen=True, tag=True):
    """What a side answers to a decision: ids and values, never references to other records."""


class Event(msgspec.Struct, frozen=True, tag=True):
    """Something that has happened. Subclasses are facts (`Contact`), and say so in a sentence."""

    clauses: ClassVar[tuple[str, ...]] = ()
    """The clauses that brought it about."""
    reveals: ClassVar[bool] = False
    """True where the event gives knowledge away: a boundary for undo, as a roll is."""
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Where it tells of something that an earlier step has put on a shelf: the shelf, the field of the event that names
    what it is about, and the field of a record that names the same (empty for the record's place on the shelf)."""

    def sentence(self, t: Any) -> str:
        """What happened, in one sentence for the log. *t* is the state after the event."""
        raise NotImplementedError(type(self).__name__)

    def seen_by(self, side: int | None) -> Event | None:
        """What *side* (None: an onlooker) may know of it: the event, a poorer one, or nothing."""
        return self

    def touches(self) -> tuple[int, ...]:
        """The units to light while it is told: the one that its field `unit` names, where it has one."""
        unit = getattr(self, "unit", None)
        return () if unit is None else (unit,)

    def reading(self, t: Any) -> Reading | None:
        """The dice of it as they were read: results, what was cancelled by what, expected and got. None for no dice.

        It is asked for only where it is shown, and may compute. *t* is the state after the event.
        """
        return None

    def motion(self, t: Any) -> Motion | None:
        """What is seen of it on the table; None where there is nothing to see but how the table is afterwards.

        It says no more than those who know of the event may know. *t* is the state after the event, as they see it.
        """
        return None


class Rolled(Event, frozen=True):
    """Dice were thrown."""

    faces: tuple[int, ...]
    sides: int
    why: tuple[str, ...]
    words: str = ""
    side: int | None = None
    secret: bool = False
    """True where only *side* may see the faces."""
    typed: bool = False
    """True where they were real dice, typed in."""
    reveals: ClassVar[bool] = True

    def sentence(self, t: Any) -> str:
        """The dice, and what they were for."""
        return f"{self.words or 'Dice'}: {' '.join(map(str, self.faces)) or 'none'}"

    def seen_by(self, side: int | None) -> Event | None:
        """Secret dice are told to nobody but their own side."""
        return None if self.secret and side != self.side else self


class Told(list[Event]):
    """Where a state tells its events: each is handed on at once."""

    def __init__(self, hear: Callable[[Event], None]) -> None:
        super().__init__()
        self.hear = hear

    def append(self, event: Event) -> None:
        """Hear an event."""
        super().append(event)
        self.hear(event)


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    """The winning side; None for a draw."""
    reason: str
    """In one sentence."""
    points: tuple[int, ...] = ()
    """Points of each side, where points are kept."""


copied: Callable[[R], R] = msgspec.Struct.__copy__  # type: ignore[attr-defined]
"""A shallow copy of a record or a state: `copy.copy` without its search for how the thing is copied."""

_COPIES: dict[type, Callable[[Any, Any], None]] = {}
"""For each kind of state what puts copies of its shelves into a twin."""


def _copying(shelves: Sequence[str]) -> Callable[[Any, Any], None]:
    """A function that puts copies of the shelves of a state into its twin.

    It is written out, shelf by shelf: a state is cloned for every act, and half of that would be looking up names.
    """
    lines = [f"    twin.{name} = t.{name}.copy()" for name in shelves]
    made: dict[str, Any] = {}
    exec("\n".join(["def copy(t, twin):", *lines, "    return None"]), made)
    copy: Callable[[Any, Any], None] = made["copy"]
    return copy


class State(msgspec.Struct, kw_only=True):
    """Everything that the rules can see.

    A ruleset adds shelves: fields that are lists or mappings of frozen records (or of numbers). Other fields hold
    immutable values. A clone copies the shelves and the frames of the stack, and shares every record.
    """

    unstored: ClassVar[tuple[str, ...]] = ("book", "told")
    """Fields that no stored state, digest or comparison holds."""
    secret: ClassVar[tuple[str, ...]] = ()
    """Fields that are hidden: one entry for each side, of which a side sees its own, or `Veiled` records."""

    book: Book
    stack: list[Procedure] = []
    """Procedures under way, innermost last."""
    queue: list[Procedure] = []
    """Procedures that triggers have queued, and that run before the next step."""
    asked: tuple[Decision, ...] = ()
    """The decisions that the game waits for."""
    answers: tuple[Any, ...] = ()
    """The answers given so far, None for those not in."""
    asks: int = 0
    """How often the game has stopped to ask; numbers the decisions."""
    active: int = 0
    """The side whose turn it is."""
    over: Outcome | None = None
    told: list[Event] | None = None
    """Where events go; None where nobody listens, as in playouts."""

    def __eq__(self, other: object) -> bool:
        """Whether the two say the same; what is not stored is no part of that."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in self.__struct_fields__ if f not in self.unstored)

    __hash__ = None  # type: ignore[assignment]

    def clone(self) -> Self:
        """An equal state that shares no list with this one; nobody listens to it."""
        twin = copied(self)
        kind = type(self)
        copy = _COPIES.get(kind)
        if copy is None:
            own = [f for f in kind.__struct_fields__ if f not in State.__struct_fields__]
            copy = _COPIES[kind] = _copying([f for f in own if isinstance(getattr(self, f), (list, dict))])
        copy(self, twin)
        twin.stack = [copied(frame) for frame in self.stack]
        twin.queue = [copied(frame) for frame in self.queue]
        twin.told = None
        return twin

    def awaken(self) -> None:
        """Fill in what is not stored; called on a state that has just been read back."""

    def tell(self, event: Event) -> None:
        """Say that something happened: to the listeners, and to the triggers that wait for it."""
        if self.told is not None:
            self.told.append(event)
        waiting = TRIGGERS.get(type(event))
        if waiting:
            for trigger in waiting:
                found = trigger(self, event)
                if found is not None:
                    self.queue.append(found)


TRIGGERS: dict[type[Event], list[Any]] = {}
"""Triggers by the event that they wait for; filled by `engine.flow.trigger`."""
