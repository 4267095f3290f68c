"""Convert plain data to records strictly; errors name the place and the nearest right value."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import inspect

from caltrop.agreeing import quantity
from caltrop.errors import InputError
from caltrop.roster.encoding import utf8
from caltrop.roster.kept import kept
from caltrop.roster.places import Path_, Place, Plain, short, spelled

T = TypeVar("T")

LARGEST = 1_000_000
"""Largest size of a file, in bytes."""

MOST_FAULTS = 100
"""Largest number of faults that are looked for, so that no input takes long."""

_KINDS: dict[type, str] = {
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "a text",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
}


class Read(msgspec.Struct, Generic[T], frozen=True):
    value: T
    places: Mapping[Path_, tuple[int, int]]
    """Line and column, from 1, of every value in the file."""
    source: str
    """Name of the source in errors: the file, or `the given text`."""

    def place(self, *path: str | int) -> tuple[int, int]:
        """Return line and column of the value at *path*, or of the nearest value around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))

    def line(self, *path: str | int) -> int:
        return self.place(*path)[0]

    def wrong(self, message: str, *path: str | int) -> InputError:
        """Return an error about the value at *path*, with its place. It is for checks that a type cannot express.

        >>> read = read_yaml("rounds: 3\\nzones: [4, 40]", dict[str, Any])
        >>> str(read.wrong("a zone is at most 10 deep", "zones", 1))
        'the given text:2:12: zones[1]: a zone is at most 10 deep'
        """
        line, column = self.place(*path)
        return InputError(message, source=self.source, line=line, column=column, field=spelled(path) or None)


def nearest(word: object, allowed: Iterable[object]) -> str:
    """Return a hint to the right words: the nearest one, or all of them if none is near.

    >>> nearest("artilery", ("infantry", "artillery"))
    "did you mean 'artillery'?"
    >>> nearest("x", ("fire", "charge"))
    'it is one of fire, charge'
    """
    words = [str(a) for a in allowed]
    near = difflib.get_close_matches(str(word).lower(), words, 1, 0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"it is one of {', '.join(words)}" if words else "there is none"


def choose(word: str, allowed: Iterable[str], what: str, field: str) -> str:
    """Return the word itself, if it is allowed. Raises InputError for any other word; the message names the nearest.

    Args:
        what: Noun for the words, as in `kind of unit`.
    """
    allowed = tuple(allowed)
    if word not in allowed:
        raise InputError(f"there is no {what} {short(repr(word))}; {nearest(word, allowed)}", field=field)
    return word


@lru_cache(maxsize=256)
def _type(type_: Hashable) -> inspect.Type:
    return inspect.type_info(type_)


class _Enough(Exception):
    """Ends the search for faults."""


class _Strict:
    """One conversion of plain data, with its source and a function that finds lines.

    Args:
        faults: A list to which every fault is added; by default the first fault is raised.
    """

    def __init__(self, source: str | None, place: Place | None, faults: list[InputError] | None = None) -> None:
        self.source, self.place, self.faults = source, place, faults

    def wrong(self, path: Path_, message: str) -> None:
        where = self.place(path) if self.place else None
        line, column = where or (None, None)
        fault = InputError(message, source=self.source, line=line, column=column, field=spelled(path) or None)
        if self.faults is None:
            raise fault
        self.faults.append(fault)
        if len(self.faults) == MOST_FAULTS:
            raise _Enough

    def check(self, raw: Any, kind: inspect.Type, path: Path_) -> None:
        match kind:
            case inspect.Metadata():
                self.check(raw, kind.type, path)
            case inspect.StructType():
                self._struct(raw, kind, path)
            case inspect.ListType() | inspect.VarTupleType():
                if not isinstance(raw, list):
                    return self.wrong(path, f"this must be a list; it is {_said(raw)}")
                if kind.max_length is not None and len(raw) > kind.max_length:
                    self.wrong(path, f"this must be a list of at most {kind.max_length}; it has {len(raw)}")
                if kind.min_length is not None and len(raw) < kind.min_length:
                    self.wrong(path, f"this must be a list of {kind.min_length} or more; it has {len(raw)}")
                for i, item in enumerate(raw):
                    self.check(item, kind.item_type, (*path, i))
            case inspect.TupleType():
                if not isinstance(raw, list) or len(raw) != len(kind.item_types):
                    return self.wrong(path, f"this must be a list of {len(kind.item_types)}; it is {_said(raw)}")
                for i, item in enumerate(raw):
                    self.check(item, kind.item_types[i], (*path, i))
            case inspect.DictType():
                if not isinstance(raw, dict):
                    return self.wrong(path, f"this must be an object; it is {_said(raw)}")
                whole = isinstance(kind.key_type, inspect.IntType)
                for key, item in raw.items():
                    # Every key of JSON is text.
                    number = whole and isinstance(key, str) and key.isdecimal() and len(key) < 10
                    self.check(int(key) if number else key, kind.key_type, path)
                    self.check(item, kind.value_type, (*path, key))
            case inspect.LiteralType():
                # True equals 1 in Python, but is refused here.
                if not any(raw == v and type(raw) is type(v) for v in kind.values):
                    self.wrong(path, f"{_said(raw)} is not allowed here; {nearest(raw, kind.values)}")
            case inspect.UnionType():
                self._union(raw, kind, path)
            case inspect.AnyType():
                return
            case _:
                self._leaf(raw, kind, path)

    def _struct(self, raw: Any, kind: inspect.StructType, path: Path_) -> None:
        if not isinstance(raw, dict):
            return self.wrong(path, f"this must be an object; it is {_said(raw)}")
        fields = {f.encode_name: f for f in kind.fields}
        for key in raw:
            if key not in fields:
                self.wrong((*path, str(key)), f"there is no such key; {nearest(key, fields)}")
        for name, field in fields.items():
            if name in raw:
                self.check(raw[name], field.type, (*path, name))
            elif field.required:
                self.wrong((*path, name), "this key is missing")

    def _union(self, raw: Any, kind: inspect.UnionType, path: Path_) -> None:
        kinds = list(kind.types)
        fitting = [k for k in kinds if _fits(raw, k)]
        if fitting:
            return self.check(raw, fitting[0], path)  # The type is right, but the value may be out of range.
        # The most helpful error is that of the member with the right shape.
        shapes: dict[type, type[inspect.Type]] = {
            dict: inspect.StructType,
            str: inspect.LiteralType,
            list: inspect.VarTupleType,
        }
        shape = shapes.get(type(raw), inspect.StructType)
        for k in kinds:
            if isinstance(_bare(k), shape):
                return self.check(raw, k, path)
        self.wrong(path, f"{_said(raw)} is not allowed here, only {' or '.join(_called(k) for k in kinds)}")

    def _leaf(self, raw: Any, kind: inspect.Type, path: Path_) -> None:
        if isinstance(kind, inspect.IntType | inspect.FloatType) and isinstance(raw, int | float):
            low, high = kind.ge, kind.le
            if not isinstance(raw, bool) and ((low is not None and raw < low) or (high is not None and raw > high)):
                near = low if low is not None and raw < low else high
                return self.wrong(path, f"{raw} is out of range; the nearest right value is {near}")
        if not _fits(raw, kind):
            return self.wrong(path, f"this must be {_called(kind)}; it is {_said(raw)}")
        if isinstance(kind, inspect.StrType):
            least, most = kind.min_length or 0, kind.max_length
            if len(raw) < least or (most is not None and len(raw) > most):
                bounds = f"{least} to {most}" if most is not None else f"{least} or more"
                self.wrong(path, f"this must be a text of {quantity(bounds, 'character')}; it has {len(raw)}")


def _said(raw: Any) -> str:
    if isinstance(raw, dict):
        return "an object"
    if isinstance(raw, list):
        return "a list"
    return {True: "true", False: "false"}[raw] if isinstance(raw, bool) else "null" if raw is None else short(repr(raw))


def _bare(kind: inspect.Type) -> inspect.Type:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _called(kind: inspect.Type) -> str:
    kind = _bare(kind)
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(repr(v) for v in kind.values)
    return _KINDS.get(type(kind), "an object")


def _fits(raw: Any, kind: inspect.Type) -> bool:
    match kind:
        case inspect.IntType():
            return type(raw) is int
        case inspect.FloatType():
            return type(raw) in (int, float)
        case inspect.StrType():
            return type(raw) is str
        case inspect.BoolType():
            return type(raw) is bool
        case inspect.NoneType():
            return raw is None
        case _:
            try:
                _Strict(None, None).check(raw, kind, ())
            except InputError:
                return False
            return True


def converted(raw: Any, type_: type[T], *, source: str | None = None, place: Place | None = None) -> T:
    """Return plain data as a record of *type_*.

    Raises InputError for an unknown key, a missing one, a value of the wrong kind: the message names the field and the
    nearest right value.

    Args:
        raw: Objects, lists, text and numbers, as read from JSON or YAML.
        type_: A msgspec Struct, or any type that msgspec knows.
        place: Finds line and column of a value, for messages.
    """
    strict = _Strict(source, place)
    strict.check(raw, _type(cast(Hashable, type_)), ())
    try:
        return msgspec.convert(raw, type_, strict=True, str_keys=True)
    except msgspec.ValidationError as error:  # Only msgspec checks some conditions of a type, such as a pattern.
        raise InputError(str(error), source=source) from error


def faults_in_form(raw: Any, type_: type[Any]) -> list[InputError]:
    """Return every fault for which `converted` refuses plain data, with its field; at most `MOST_FAULTS`.

    >>> [str(fault) for fault in faults_in_form([1, "two", 3.5], list[int])]
    ["[1]: this must be a whole number; it is 'two'", '[2]: this must be a whole number; it is 3.5']
    """
    faults: list[InputError] = []
    with suppress(_Enough):
        _Strict(None, None, faults).check(raw, _type(cast(Hashable, type_)), ())
    if not faults:
        try:
            converted(raw, type_)
        except InputError as error:
            return [error]
    return faults


LINK = "#army="
"""Part of every link to an army list."""

_LINKS = {LINK: ("an army list", "armies"), "#pack=": ("a pack", "packs"), "#map=": ("a map", "maps")}
"""Links to things made on the page, each with its content and the page that opens it."""


def refuse_other_link(word: str, right: str, source: str | None = None) -> None:
    """Raise an error that names the page for a link, if it is not a link to *right*.

    Raises InputError for a link of another kind.
    """
    for mark, (what, page) in _LINKS.items():
        if mark != right and mark in word and "\n" not in word.strip():
            complaint = f"this is the link of {what}, and {_LINKS[right][0]} belongs here: open it on the page /{page}"
            raise InputError(complaint, source=source)


def is_text(word: str) -> bool:
    """Return whether a word that may name a file is instead the text of a file (several lines), or a link that holds
    the text.

    >>> is_text("red-army-7"), is_text("title: Red Army\\nunits: []"), is_text("armies#army=1abc")
    (False, True, True)
    """
    return "\n" in word or LINK in word


def carried(word: str) -> str:
    """Return the text of the file that a word names, so that it can be read again anywhere; other words are returned
    unchanged.

    Args:
        word: An id, the path of a file, or a text.
    """
    path = Path(word)
    if is_text(word) or not path.suffix or not path.is_file():
        return word
    return utf8(path.read_bytes(), word).decode().replace("\r\n", "\n").rstrip("\n") + "\n"


def _composed(text: str, source: str) -> Plain:
    # The YAML modules are slow to import, and cached files are read without them.
    from caltrop.roster.written import composed

    return composed(text, source)


def read_yaml(file: Path | str, type_: type[T]) -> Read[T]:
    """Read YAML as a record of *type_*.

    Raises:
        InputError: for a file that cannot be read, is not YAML, or does not match *type_*. The message has
            file, line, column and field, and names the nearest right value.
    """
    source = "the given text" if isinstance(file, str) else str(file)
    try:
        if isinstance(file, str):
            raw_text = file.encode()
        else:
            with file.open("rb") as stream:
                raw_text = stream.read(LARGEST + 1)
        if len(raw_text) > LARGEST:
            raise InputError(f"the file is larger than {LARGEST} bytes", source=source)
        text = utf8(raw_text, source).decode()
    except (OSError, UnicodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        why = (isinstance(error, OSError) and error.strerror) or error
        raise InputError(f"the file cannot be read: {why}", source=source) from error
    raw, places = kept(file, raw_text, lambda: _composed(text, source))

    unread = Read(raw, places, source)
    return Read(converted(raw, type_, source=source, place=lambda path: unread.place(*path)), places, source)
