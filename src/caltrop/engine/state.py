"""The state of a battle: shelves of frozen records, and the stack of running procedures."""

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
"""Returns a shallow copy of a record or a state, faster than `copy.copy`."""

_COPIES: dict[type, Callable[[Any, Any], None]] = {}
"""Functions that copy the shelves (lists and mappings) of a state into a clone, by the type of the state."""


def _copying(shelves: Sequence[str]) -> Callable[[Any, Any], None]:
    """Return a function that copies the shelves of a state into its clone.

    The copying function is generated code without name lookups, because a state is cloned for every act.
    """
    lines = [f"    twin.{name} = t.{name}.copy()" for name in shelves]
    made: dict[str, Any] = {}
    exec("\n".join(["def copy(t, twin):", *lines, "    return None"]), made)
    copy: Callable[[Any, Any], None] = made["copy"]
    return copy


class State(msgspec.Struct, kw_only=True):
    """The complete state of a game.

    A ruleset adds shelves: fields that are lists or mappings of immutable records or numbers. Other fields hold
    immutable values. A clone copies the shelves and the stack of a state, and shares every record.
    """

    unstored: ClassVar[tuple[str, ...]] = ("book", "told")
    """Fields that are not stored, hashed or compared."""
    secret: ClassVar[tuple[str, ...]] = ()
    """Hidden fields. A hidden field has one entry for each side, which sees only its own, or holds `Veiled` records."""
    unit_shelf: ClassVar[str] = "units"
    """Shelf of the units: acts, events and pictures name a unit by its index on this shelf."""
    by_unit: ClassVar[tuple[str, ...]] = ()
    """Shelves that refer to units: lists of unit indices, and mappings with unit indices as keys."""

    book: Book
    stack: list[Procedure] = []
    """Running procedures, the innermost last."""
    queue: list[Procedure] = []
    """Procedures queued by triggers; they run before the next step."""
    asked: tuple[Decision, ...] = ()
    """Decisions that the game waits for."""
    answers: tuple[Any, ...] = ()
    """Answers to the open decisions, with None for missing ones."""
    asks: int = 0
    """Number of questions so far."""
    active: int = 0
    """Side whose turn it is."""
    over: Outcome | None = None
    told: list[Event] | None = None
    """Events so far; None if nobody listens, as in playouts."""

    def unit_in_words(self, unit: int) -> str:
        name: str = getattr(self, self.unit_shelf)[unit].name
        return name

    def __eq__(self, other: object) -> bool:
        """Return whether the stored fields of two states are equal."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in self.__struct_fields__ if f not in self.unstored)

    __hash__ = None  # type: ignore[assignment]

    def clone(self) -> Self:
        """Return an equal state without a listener, which shares no list with the original."""
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
        """Return a clone that another program may change, without shared caches."""
        twin = self.clone()
        twin.awaken()
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        # Caches are left out: another process may use the same keys for other values.
        fields = [name for name in self.__struct_fields__ if name == "book" or name not in self.unstored]
        return _read_back, (type(self), {name: getattr(self, name) for name in fields})

    def awaken(self) -> None:
        """Restore the fields that are not stored, after reading a state."""

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
"""Triggers by kind of event; filled by `engine.flow.trigger`."""
