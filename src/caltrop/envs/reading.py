"""Turn records into rows of numbers. The declared type of a field determines its columns, and the reading code is
compiled.

A flag is 0 or 1. A whole number is its sign times ln(1 + |number|) / 12. A place is given as shares of the table's
width and height. Each word in the rulebook's list of words has its own column. Fields that may be absent have a column
for their presence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import copysign, log1p
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin
from zlib import crc32

import msgspec
from msgspec import UNSET, UnsetType

WORDS = 16
"""Number of columns for a word in a row of a shelf."""
WIDE = 32
"""Number of columns for a word, or several words, in a field of the state itself."""

_SIDES = ("side", "owner", "holder", "secured", "first", "active")
"""Fields that name a side; their column tells whether it is the viewer's own side."""
_DIRECTIONS = ("heading", "direction", "along")
"""Fields that hold a direction instead of a place."""
_FOR_PEOPLE = ("name", "names", "words", "id")
"""Fields that are left out, because only people read them or they repeat the number of the row."""

_LOOKS = ("Look", "Paint")
"""Types of fields that only concern drawing."""

Read = Callable[[Any, Any], tuple[float, ...]]
"""Function that reads a record, or the value of a field, for a side."""


class Numbers(dict[Any, float]):
    """Column value of each number; 0 for None."""

    def __missing__(self, number: Any) -> float:
        scaled = 0.0
        if number is not None and number is not UNSET:
            scaled = min(1.0, log1p(abs(number)) / 12)
            scaled = copysign(scaled, number) if number else 0.0
        if len(self) < 65_536:
            self[number] = scaled
        return scaled


NUMBERS = Numbers()


def number_of(column: float) -> int:
    """Return the whole number that a column value stands for.

    >>> number_of(NUMBERS[7]), number_of(NUMBERS[-2])
    (7, -2)
    """
    from math import expm1

    return round(copysign(expm1(abs(column) * 12), column))


class WordColumns(dict[Any, tuple[float, ...]]):
    """The columns of each word.

    Args:
        known: The words of the rulebook with their indices.
        columns: Number of columns. A word has the column of its index, an unlisted word that of its CRC-32, both modulo
            this number.
    """

    def __init__(self, numbers: Mapping[str, int], columns: int) -> None:
        super().__init__()
        self.known, self.columns = numbers, columns
        self.places: dict[str, int] = {}

    def column(self, word: str) -> int:
        place = self.known.get(word)
        return (crc32(word.encode()) if place is None else place) % self.columns

    def __missing__(self, word: Any) -> tuple[float, ...]:
        row = [0.0] * self.columns
        if word is not None and word is not UNSET and word:
            row[self.column(word)] = 1.0
        numbers = self[word] = tuple(row)
        return numbers

    def bag(self, words: Iterable[Any] | None) -> tuple[float, ...]:
        """Return a quarter of the count of each word; hidden words are left out."""
        row = [0.0] * self.columns
        for word in words or ():
            if word:
                at = self.places.get(word)
                if at is None:
                    at = self.places[word] = self.column(word)
                row[at] = min(1.0, row[at] + 0.25)
        return tuple(row)


class ChoiceColumns(dict[Any, tuple[float, ...]]):
    """The columns of each value of a fixed list."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        super().__init__({value: tuple([float(one == value) for one in values]) for value in values})
        self.nothing = (0.0,) * len(values)

    def __missing__(self, value: Any) -> tuple[float, ...]:
        return self.nothing

    def several(self, values: Any) -> tuple[float, ...]:
        if values is None or values is UNSET:
            return self.nothing
        return tuple([max(column) for column in zip(self.nothing, *[self[value] for value in values], strict=True)])


class ReadGround(NamedTuple):
    """The facts about the table and the rulebook that readers need."""

    width: int
    height: int
    cells: Mapping[str, tuple[int, int]]
    """The middle of each hex by its name."""
    words: Mapping[str, int]
    """The words of the rulebook with their indices."""

    def place(self, at: Any) -> tuple[float, float]:
        if at is None:
            return 0.0, 0.0
        x, y = at[0] / self.width, at[1] / self.height
        if 0 <= x <= 1 and 0 <= y <= 1:
            return x, y
        return min(1.0, max(-1.0, x)), min(1.0, max(-1.0, y))

    def cell(self, name: Any) -> tuple[float, float, float]:
        """Return 1 or 0 for whether a hex is named, and its place."""
        at = self.cells.get(name)
        return (0.0, 0.0, 0.0) if at is None else (1.0, at[0] / self.width, at[1] / self.height)

    def middle(self, places: Any) -> tuple[float, float, float]:
        """Return the number of places and their centre."""
        count = len(places) if places else 0
        if not count:
            return 0.0, 0.0, 0.0
        middle = sum([at[0] for at in places]) / count, sum([at[1] for at in places]) / count
        return NUMBERS[count], *self.place(middle)


class DeclaredField(NamedTuple):
    name: str
    raw: str
    """The field's type as written in the source, because an alias such as `Point` says more than its expansion."""
    kind: Any


class ColumnReader(NamedTuple):
    """The reader of a record, or of the value of a field."""

    columns: tuple[str, ...]
    read: Read


def fields_of(cls: type[msgspec.Struct]) -> list[DeclaredField]:
    written: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        written |= vars(base).get("__annotations__", {})
    return [DeclaredField(f.name, str(written.get(f.name, f.type)), f.type) for f in msgspec.structs.fields(cls)]


def core_of(kind: Any) -> tuple[list[Any], bool, bool]:
    """Return a type without None and UNSET, and whether it may be None or unset."""
    parts = list(get_args(kind)) if get_origin(kind) in (Union, UnionType) else [kind]
    core = [part for part in parts if part not in (NoneType, UnsetType)]
    return core, NoneType in parts, UnsetType in parts


def is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


class Readers:
    """Makes readers for the fields of one ruleset at one table.

    Args:
        ground: The table and the words.
        wide: True if words have many columns, as in the record of the whole state.
    """

    def __init__(self, ground: ReadGround, *, wide: bool = False) -> None:
        self.ground = ground
        self.words = WordColumns(ground.words, WIDE if wide else WORDS)
        self._made: dict[Any, ColumnReader] = {}

    def record(self, cls: Any, depth: int = 0) -> ColumnReader:
        """Return the reader of a record: the columns of its fields one after the other."""
        if (made := self._made.get((cls, depth))) is None:
            names: dict[str, Any] = {}
            columns: list[str] = []
            parts: list[str] = []
            for field in fields_of(cls):
                for column, part in self._field(field, f"r.{field.name}", names, depth):
                    columns += column
                    parts.append(part)
            made = self._made[cls, depth] = ColumnReader(tuple(columns), _compiled(parts, names))
        return made

    def value(self, field: DeclaredField) -> ColumnReader:
        names: dict[str, Any] = {}
        reader = self._field(field, "r", names, 0)
        return ColumnReader(
            tuple([one for column, _ in reader for one in column]), _compiled([p for _, p in reader], names)
        )

    def _field(self, field: DeclaredField, get: str, names: dict[str, Any], depth: int) -> list[tuple[list[str], str]]:
        """Return pairs of column names and the expression for their values; an expression for several values begins
        with `*`.
        """
        name, raw = field.name, field.raw
        core, optional, unset = core_of(field.kind)
        kind = core[0] if len(core) == 1 else None
        origin = get_origin(kind)
        absent = f"0.0 if {get} is None or {get} is UNSET else 1.0"
        has = [([f"has {name}"], f"({absent})")] if optional or unset else []
        drawn = any(look in raw for look in _LOOKS)
        if name in _FOR_PEOPLE or drawn or (unset and (kind is str or is_record(kind))):
            return []
        if kind is bool:
            return [*has, ([name], f"(1.0 if {get} else 0.0)")]
        if kind is int and name in _SIDES:
            return [
                ([f"{name} is own"], f"(1.0 if {get} == me else 0.0)"),
                ([f"{name} is another"], f"(1.0 if {get} != me and {get} is not None else 0.0)"),
            ]
        if kind is int and name in ("x", "y"):
            return [*has, ([name], f"({get} / {self.ground.width if name == 'x' else self.ground.height})")]
        if kind is int:
            names["NUMBERS"] = NUMBERS
            return [*has, ([name], f"NUMBERS[{get}]")]
        if kind is str and "Hex" in raw:
            names["cell"] = self.ground.cell
            return [([f"has {name}", f"{name} x", f"{name} y"], f"*cell({get})")]
        if kind is str:
            names["words"] = self.words
            return [(self._words(name), f"*words[{get}]")]
        if origin is Literal or (kind is None and all(get_origin(one) is Literal for one in core)):
            values = tuple([value for one in core for value in get_args(one)])
            names[f"one_{name}"] = ChoiceColumns(values)
            return [([f"{name} {value}" for value in values], f"*one_{name}[{get}]")]
        if origin is tuple:
            return self._tuple(field, get, names, has)
        if origin in (list, dict):
            names["NUMBERS"] = NUMBERS
            return [([f"{name} count"], f"NUMBERS[len({get})]")]
        if is_record(kind) and depth < 2:
            inner = self.record(kind, depth + 1)
            names[f"read_{name}"], names[f"none_{name}"] = inner.read, (0.0,) * len(inner.columns)
            read = f"*(none_{name} if {get} is None else read_{name}({get}, me))"
            return [*has, ([f"{name} {column}" for column in inner.columns], read)]
        return has

    def _tuple(
        self, field: DeclaredField, get: str, names: dict[str, Any], has: list[tuple[list[str], str]]
    ) -> list[tuple[list[str], str]]:
        name, raw = field.name, field.raw
        kind = core_of(field.kind)[0][0]
        args = get_args(kind)
        names["NUMBERS"], names["ground"] = NUMBERS, self.ground
        if len(args) == 2 and args[1] is Ellipsis:
            entry = args[0]
            if core_of(entry)[0] == [str]:
                names["words"] = self.words
                return [*has, (self._words(name), f"*words.bag({get})")]
            if get_origin(entry) is Literal:
                values = get_args(entry)
                names[f"one_{name}"] = ChoiceColumns(values)
                return [*has, ([f"{name} {value}" for value in values], f"*one_{name}.several({get})")]
            if entry is int:
                first = f"(NUMBERS[{get}[0] + 1] if {get} else 0.0)"
                return [*has, ([f"{name} count"], f"NUMBERS[len({get} or ())]"), ([f"{name} first"], first)]
            if entry == tuple[int, int]:
                return [*has, ([f"{name} count", f"{name} x", f"{name} y"], f"*ground.middle({get})")]
            return [*has, ([f"{name} count"], f"NUMBERS[len({get} or ())]")]
        if kind == tuple[int, int] and "Point" in raw:
            if name in _DIRECTIONS:
                names["direction"] = _direction
                return [*has, ([f"{name} x", f"{name} y"], f"*direction({get})")]
            return [*has, ([f"{name} x", f"{name} y"], f"*ground.place({get})")]
        if all(one is int for one in args):
            parts = [([f"{name} {n}"], f"(NUMBERS[{get}[{n}]] if {get} else 0.0)") for n in range(len(args))]
            return [*has, *parts]
        if all(get_origin(one) is tuple for one in args):
            return [*has, *[([f"{name} {n} count"], f"NUMBERS[len({get}[{n}])]") for n in range(len(args))]]
        return has

    def _words(self, name: str) -> list[str]:
        return [f"{name} word {n}" for n in range(self.words.columns)]


def _direction(way: Any) -> tuple[float, float]:
    if not way:
        return 0.0, 0.0
    length = max(1.0, (way[0] ** 2 + way[1] ** 2) ** 0.5)
    return way[0] / length, way[1] / length


def _compiled(parts: list[str], names: dict[str, Any]) -> Read:
    """Return a compiled function that reads a record, because it is called for every record that changes."""
    scope = {**names, "UNSET": UNSET}
    exec(f"def read(r, me):\n    return ({', '.join(parts)}{',' if parts else ''})", scope)
    read: Read = scope["read"]
    return read
