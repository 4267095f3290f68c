"""The state of a battle: shelves of frozen records, and the stack of procedures under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, TypeVar

import msgspec

from caltrop.engine.decision import Decision
from caltrop.engine.event import Event, Outcome
from caltrop.engine.procedure import Procedure
from caltrop.engine.rule import Book

R = TypeVar("R")


copied: Callable[[R], R] = msgspec.Struct.__copy__  # type: ignore[attr-defined]
"""A shallow copy of a record or a state: `copy.copy` without its search for how the thing is copied."""

_COPIES: dict[type, Callable[[Any, Any], None]] = {}
"""For each kind of state what puts copies of its shelves into a twin."""


def _copying(shelves: Sequence[str]) -> Callable[[Any, Any], None]:
    """Return a function that puts copies of the shelves of a state into its twin.

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
    unit_shelf: ClassVar[str] = "units"
    """The shelf of the units: acts, events and pictures name a unit by its index there."""
    by_unit: ClassVar[tuple[str, ...]] = ()
    """Shelves that name units: lists of their indices, and mappings whose keys they are."""

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
    """Number of times that the game has stopped to ask; it numbers the decisions."""
    active: int = 0
    """The side whose turn it is."""
    over: Outcome | None = None
    told: list[Event] | None = None
    """Events of the state; None if nobody listens, as in playouts."""

    def unit_in_words(self, unit: int) -> str:
        name: str = getattr(self, self.unit_shelf)[unit].name
        return name

    def __eq__(self, other: object) -> bool:
        """Return whether the stored parts of both are the same."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in self.__struct_fields__ if f not in self.unstored)

    __hash__ = None  # type: ignore[assignment]

    def clone(self) -> Self:
        """Return an equal state that shares no list with this one; nobody listens to it."""
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

    def lent(self) -> Self:
        """Return a clone that a program may write to; it shares no caches with other states."""
        twin = self.clone()
        twin.awaken()
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        # Fields that are not stored are computed again: another process may use the same stamp here.
        fields = [name for name in self.__struct_fields__ if name == "book" or name not in self.unstored]
        return _read_back, (type(self), {name: getattr(self, name) for name in fields})

    def awaken(self) -> None:
        """Fill in what is not stored; called on a state that has just been read back."""

    def tell(self, event: Event) -> None:
        """Report an event to the listeners, and to the triggers that wait for it."""
        if self.told is not None:
            self.told.append(event)
        waiting = TRIGGERS.get(type(event))
        if waiting:
            for trigger in waiting:
                procedure = trigger(self, event)
                if procedure is not None:
                    self.queue.append(procedure)


def _read_back(kind: type[State], fields: dict[str, Any]) -> State:
    t = kind(**fields)
    t.awaken()
    return t


TRIGGERS: dict[type[Event], list[Any]] = {}
"""Triggers by the event that they wait for; filled by `engine.flow.trigger`."""
