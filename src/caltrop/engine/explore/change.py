"""Changes of a state during an exploration. During an exploration, equal states are one object, and no state is copied.

A `Workbench` holds one state and records the writes to its shelves. A `StateChange` holds the differences from the
root; equal changes are the same object. To go from one change to another, the workbench undoes and redoes writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Generic, TypeVar

from caltrop.engine.state import State

V = TypeVar("V")

WIDTH = 1 << 20
"""Records are numbered: the place of the shelf times this factor, plus the index of the record."""
WHOLE = WIDTH - 1
"""Used in place of an index for a whole shelf, if the shelf's length has changed or the shelf is a mapping."""

_WRITES = ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "__delitem__", "__iadd__")
_MAPPING_WRITES = ("__setitem__", "__delitem__", "pop", "clear", "update", "setdefault", "popitem", "__ior__")


class NotedList(list[Any]):
    """A list that records the indices of writes."""

    __slots__ = ("at", "noted", "written")

    def __init__(self, records: Iterable[Any], at: int, noted: list[Any]) -> None:
        super().__init__(records)
        self.at, self.noted = at, noted
        self.written: set[int] = set()

    def __setitem__(self, index: Any, record: Any) -> None:
        self.note(index if type(index) is int and index >= 0 else WHOLE)
        list.__setitem__(self, index, record)

    def note(self, index: int) -> None:
        """Note a write to the record at an index of the list."""
        if not self.written:
            self.noted.append(self)
        self.written.add(index)

    def copy(self) -> list[Any]:
        return list(self)


class NotedDict(dict[Any, Any]):
    """A mapping that notes every write."""

    __slots__ = ("at", "noted", "written")

    def __init__(self, records: dict[Any, Any], at: int, noted: list[Any]) -> None:
        super().__init__(records)
        self.at, self.noted = at, noted
        self.written: set[int] = set()

    def note(self, index: int) -> None:
        if not self.written:
            self.noted.append(self)
        self.written.add(index)

    def copy(self) -> dict[Any, Any]:
        return dict(self)


def _noting(plain: Callable[..., Any]) -> Callable[..., Any]:
    def write(self: Any, *values: Any, **named: Any) -> Any:
        self.note(WHOLE)
        return plain(self, *values, **named)

    return write


for _name in _WRITES:
    setattr(NotedList, _name, _noting(getattr(list, _name)))
for _name in _MAPPING_WRITES:
    setattr(NotedDict, _name, _noting(getattr(dict, _name)))


class StateChange:
    """The differences between a state and the state in which the exploration began (the root)."""

    __slots__ = ("carried", "joined", "number", "values")

    def __init__(self, number: int, values: dict[int, Any], carried: tuple[Any, ...]) -> None:
        self.number, self.values, self.carried = number, values, carried
        self.joined: dict[int, StateChange] = {}


class ShelfReplaced(Exception):
    """Raised if a step has replaced a shelf by another object, so that writes to it are not recorded."""


class Workbench(Generic[V]):
    """One state that can be switched between changes.

    Args:
        root: The initial state, which is never changed.
    """

    def __init__(self, root: State) -> None:
        kind = type(root)
        t = self.t = root.clone()
        t.stack, t.queue, t.asked, t.answers = [], [], (), ()
        own = [name for name in kind.__struct_fields__ if name not in State.__struct_fields__]
        held = [name for name in own if isinstance(getattr(t, name), list | dict)]
        self.carry = [name for name in kind.unstored if name not in ("book", "told", *held)]
        self.fields = [name for name in (*own, "active", "over") if name not in held and name not in self.carry]
        self.noted: list[Any] = []
        self.shelves: list[Any] = []
        for place, name in enumerate(held):
            value = getattr(t, name)
            noting = NotedList if isinstance(value, list) else NotedDict
            shelf = noting(value, place * WIDTH, self.noted)
            self.shelves.append(shelf)
            setattr(t, name, shelf)
        self.names = held
        self.roots: list[Any] = [shelf.copy() for shelf in self.shelves]
        self.fields_at = len(held) * WIDTH
        self.field_values: Callable[[Any], Any] = attrgetter(*self.fields)
        self.values_now = self.field_values(t)
        self.field_roots = [getattr(t, name) for name in self.fields]
        self._equal: dict[Any, Any] = {}
        self._kept: set[int] = set()
        self._changes: dict[frozenset[tuple[int, int]], StateChange] = {}
        self.none = self._change({}, self._carried())
        """The empty change, which stands for the root."""
        self.now = self.none

    def _carried(self) -> tuple[Any, ...]:
        return tuple([getattr(self.t, name) for name in self.carry])

    def _one(self, value: Any) -> Any:
        """Return an equal value that was seen before, if there is one, so that equal values are one object."""
        if id(value) in self._kept:
            return value
        equal = self._equal.get(value)
        if equal is None:
            equal = self._equal[value] = value
            self._kept.add(id(value))
        return equal

    def _change(self, values: dict[int, Any], carried: tuple[Any, ...]) -> StateChange:
        key = frozenset([(number, id(value)) for number, value in values.items()])
        change = self._changes.get(key)
        if change is None:
            change = self._changes[key] = StateChange(len(self._changes), values, carried)
        return change

    def root_of(self, number: int) -> Any:
        if number >= self.fields_at:
            return self.field_roots[number - self.fields_at]
        place, index = divmod(number, WIDTH)
        root = self.roots[place]
        if index != WHOLE:
            return root[index]
        return _packed(root)

    def collect(self) -> StateChange:
        """Return the change from the root to the present state.

        Raises ShelfReplaced if a shelf is no longer the same object.
        """
        values = None
        if self.noted:
            values = dict(self.now.values)
            for shelf in self.noted:
                if getattr(self.t, self.names[shelf.at // WIDTH]) is not shelf:
                    raise ShelfReplaced(self.names[shelf.at // WIDTH])
                self._collect(shelf, values)
            self.noted.clear()
        held = self.field_values(self.t)
        if held is not self.values_now and held != self.values_now:
            self.values_now = held
            values = dict(self.now.values) if values is None else values
            for place, name in enumerate(self.fields):
                value, number = getattr(self.t, name), self.fields_at + place
                if value == self.field_roots[place]:
                    values.pop(number, None)
                else:
                    values[number] = self._one(value)
        if values is not None:
            self.now = self._change(values, self._carried())
        return self.now

    def _collect(self, shelf: Any, values: dict[int, Any]) -> None:
        at, written = shelf.at, shelf.written
        root = self.roots[at // WIDTH]
        shelf.written = set()
        if isinstance(shelf, dict):
            if shelf == root:
                values.pop(at + WHOLE, None)
            else:
                values[at + WHOLE] = self._one(_packed(shelf))
            return
        if WHOLE in written or len(shelf) != len(root) or at + WHOLE in values:
            for number in [number for number in values if at <= number < at + WIDTH]:
                del values[number]
            if len(shelf) != len(root):
                values[at + WHOLE] = self._one(_packed(shelf))
                return
            written = set(range(len(root)))
        for index in written:
            record = shelf[index]
            if record is root[index] or record == root[index]:
                values.pop(at + index, None)
            else:
                record = values[at + index] = self._one(record)
                list.__setitem__(shelf, index, record)

    def go(self, change: StateChange) -> None:
        """Switch the state to a change. Call `collect` first if there are new writes."""
        now = self.now
        if change is now:
            return
        have, want = now.values, change.values
        for number in have:
            if number not in want:
                self._put(number, None, True)
        for number, value in want.items():
            if have.get(number) is not value:
                self._put(number, value, False)
        for name, value in zip(self.carry, change.carried, strict=True):
            setattr(self.t, name, value)
        self.now = change

    def _put(self, number: int, value: Any, back: bool) -> None:
        if number >= self.fields_at:
            place = number - self.fields_at
            setattr(self.t, self.fields[place], self.field_roots[place] if back else value)
            self.values_now = self.field_values(self.t)
            return
        place, index = divmod(number, WIDTH)
        shelf, root = self.shelves[place], self.roots[place]
        if index != WHOLE:
            list.__setitem__(shelf, index, root[index] if back else value)
        elif isinstance(shelf, dict):
            dict.clear(shelf)
            dict.update(shelf, root if back else dict(value[1]))
        else:
            list.__setitem__(shelf, slice(None), root if back else value[1])

    def written(self, before: StateChange, after: StateChange) -> dict[int, Any]:
        """Return the values in *after* that differ from *before*."""
        values = {}
        for number in before.values.keys() | after.values.keys():
            value = after.values[number] if number in after.values else self.root_of(number)
            if before.values.get(number, self) is not value:
                values[number] = value
        return values

    def joined(self, change: StateChange, writes: dict[int, Any]) -> StateChange:
        """Return a change with additional writes. Equal values must be the same object."""
        joined = change.joined.get(id(writes))
        if joined is None:
            values = {**change.values, **writes}
            for number in writes:
                root = self.root_of(number)
                if values[number] is root or values[number] == root:
                    del values[number]
            key = frozenset([(number, id(value)) for number, value in values.items()])
            joined = self._changes.get(key)
            if joined is None:
                self.go(change)
                self.t.awaken()
                joined = self._change(values, self._carried())
                for name, value in zip(self.carry, change.carried, strict=True):
                    setattr(self.t, name, value)
            change.joined[id(writes)] = joined
        return joined


def _packed(shelf: list[Any] | dict[Any, Any]) -> tuple[str, Any]:
    return ("dict", frozenset(shelf.items())) if isinstance(shelf, dict) else ("list", tuple(shelf))
