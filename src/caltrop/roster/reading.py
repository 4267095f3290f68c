"""Strict reading: plain data becomes records, and what is wrong is named with its place and the nearest right value."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar, cast

import msgspec
import yaml
from msgspec import inspect

from caltrop import InputError

T = TypeVar("T")

Path_ = tuple[str | int, ...]
"""Where a value is: keys and list indices from the top."""

Place = Callable[[Path_], tuple[int, int] | None]
"""Line and column, from 1, of the value at a path."""

LARGEST = 1_000_000
"""Bytes that a file may have."""

DEEPEST = 40
"""Lists and objects within one another that a file may have."""

DIGITS = 40
"""Characters that a number may have."""

_KINDS: dict[type, str] = {
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "text",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
}


class Read(msgspec.Struct, Generic[T], frozen=True):
    """A file that was read."""

    value: T
    """What it says."""
    places: Mapping[Path_, tuple[int, int]]
    """Line and column, from 1, of every value in it."""
    source: str
    """What it is called in an error: the file, or that it was given as text."""

    def place(self, *path: str | int) -> tuple[int, int]:
        """Line and column of the value at *path*, or of the nearest value around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))

    def line(self, *path: str | int) -> int:
        """The line of the value at *path*, or of the nearest value around it."""
        return self.place(*path)[0]

    def wrong(self, message: str, *path: str | int) -> InputError:
        """An error about the value at *path*, with its place: for what the type of a file cannot say.

        >>> read = read_yaml("rounds: 3\\nzones: [4, 40]", dict[str, Any])
        >>> str(read.wrong("a zone is at most 10 deep", "zones", 1))
        'the text given:2:12: zones[1]: a zone is at most 10 deep'
        """
        line, column = self.place(*path)
        return InputError(message, source=self.source, line=line, column=column, field=_spelled(path) or None)


def nearest(word: object, allowed: Iterable[object]) -> str:
    """A hint at the right words: the nearest one, or all of them where none is near.

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
    """The word itself, if it is allowed.

    Args:
        word: What was written.
        allowed: What may be written.
        what: What the words are, as in `kind of unit`.
        field: The field, for the message.

    Raises:
        InputError: if it is not allowed; the message names the nearest.
    """
    allowed = tuple(allowed)
    if word not in allowed:
        raise InputError(f"there is no {what} {_short(repr(word))}; {nearest(word, allowed)}", field=field)
    return word


def _spelled(path: Path_) -> str:
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out


@lru_cache(maxsize=256)
def _type(type_: Hashable) -> inspect.Type:
    return inspect.type_info(type_)


class _Strict:
    """One conversion: where the data came from, and how to find a line in it."""

    def __init__(self, source: str | None, place: Place | None) -> None:
        self.source, self.place = source, place

    def wrong(self, path: Path_, message: str) -> NoReturn:
        where = self.place(path) if self.place else None
        line, column = where or (None, None)
        raise InputError(message, source=self.source, line=line, column=column, field=_spelled(path) or None)

    def check(self, raw: Any, kind: inspect.Type, path: Path_) -> None:
        """Complain of the first thing in *raw* that is no *kind*."""
        match kind:
            case inspect.Metadata():
                self.check(raw, kind.type, path)
            case inspect.StructType():
                self._struct(raw, kind, path)
            case inspect.ListType() | inspect.VarTupleType():
                if not isinstance(raw, list):
                    self.wrong(path, f"a list belongs here, and not {_said(raw)}")
                if kind.max_length is not None and len(raw) > kind.max_length:
                    self.wrong(path, f"a list of {kind.max_length} at most belongs here, and not of {len(raw)}")
                for i, item in enumerate(raw):
                    self.check(item, kind.item_type, (*path, i))
            case inspect.TupleType():
                if not isinstance(raw, list) or len(raw) != len(kind.item_types):
                    self.wrong(path, f"a list of {len(kind.item_types)} belongs here, and not {_said(raw)}")
                for i, item in enumerate(raw):
                    self.check(item, kind.item_types[i], (*path, i))
            case inspect.DictType():
                if not isinstance(raw, dict):
                    self.wrong(path, f"an object belongs here, and not {_said(raw)}")
                for key, item in raw.items():
                    self.check(key, kind.key_type, path)
                    self.check(item, kind.value_type, (*path, key))
            case inspect.LiteralType():
                # True == 1 in Python, and is no 1 here.
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
            self.wrong(path, f"an object belongs here, and not {_said(raw)}")
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
            self.check(raw, fitting[0], path)  # its kind is right, and it may still be out of range
            return
        # The error of the member that has the right shape says most.
        shapes: dict[type, type[inspect.Type]] = {
            dict: inspect.StructType,
            str: inspect.LiteralType,
            list: inspect.VarTupleType,
        }
        shape = shapes.get(type(raw), inspect.StructType)
        for k in kinds:
            if isinstance(k, shape):
                self.check(raw, k, path)
        self.wrong(path, f"{_said(raw)} is not allowed here; it is {' or '.join(_called(k) for k in kinds)}")

    def _leaf(self, raw: Any, kind: inspect.Type, path: Path_) -> None:
        if isinstance(kind, inspect.IntType | inspect.FloatType) and isinstance(raw, int | float):
            low, high = kind.ge, kind.le
            if not isinstance(raw, bool) and ((low is not None and raw < low) or (high is not None and raw > high)):
                near = low if low is not None and raw < low else high
                self.wrong(path, f"{raw} is out of range; the nearest right value is {near}")
        if not _fits(raw, kind):
            self.wrong(path, f"{_called(kind)} belongs here, and not {_said(raw)}")


def _said(raw: Any) -> str:
    if isinstance(raw, dict):
        return "an object"
    if isinstance(raw, list):
        return "a list"
    return (
        {True: "true", False: "false"}[raw] if isinstance(raw, bool) else "null" if raw is None else _short(repr(raw))
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _called(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(repr(v) for v in kind.values)
    if isinstance(kind, inspect.Metadata):
        return _called(kind.type)
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
    """Plain data as a record of *type_*.

    Args:
        raw: Objects, lists, text, numbers, as JSON or YAML give them.
        type_: A msgspec Struct, or any type that msgspec knows.
        source: Where the data came from, for messages.
        place: Finds line and column of a value, for messages.

    Raises:
        InputError: for an unknown key, a missing one, a value of the wrong kind: the message names the field and the
            nearest right value.
    """
    strict = _Strict(source, place)
    strict.check(raw, _type(cast(Hashable, type_)), ())
    try:
        return msgspec.convert(raw, type_, strict=True)
    except msgspec.ValidationError as error:  # a condition of the type that only msgspec knows, such as a pattern
        raise InputError(str(error), source=source) from error


class _Plain(yaml.CSafeLoader):
    """YAML of the values that JSON has, too: text, whole numbers, numbers, truth values, null, lists and objects."""

    def number(self, node: yaml.ScalarNode) -> Any:
        """A number; one that Python would not read, as it is too long, is an error with its place."""
        whole = node.tag == "tag:yaml.org,2002:int"
        try:
            if len(node.value) > DIGITS:
                raise ValueError
            return self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)
        except ValueError:
            raise yaml.constructor.ConstructorError(
                None, None, f"{_short(repr(node.value))} is no number that can be read", node.start_mark
            ) from None


# A date is text here.
_Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Plain.add_constructor("tag:yaml.org,2002:int", _Plain.number)
_Plain.add_constructor("tag:yaml.org,2002:float", _Plain.number)


def _simple(text: str, source: str) -> None:
    """Complain of what a small text could blow up with, or make run for ever, before anything is made of it."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        what = ""
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            what = f"this is nested deeper than {DEEPEST}" if depth > DEEPEST else ""
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            what = "anchors and aliases are not read: write it out"
        elif isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None) not in (None, "!"):
            what = "tags are not read: leave it out"
        if what:
            mark = event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
            raise InputError(what, source=source, line=line, column=column)


def _composed(text: str, source: str) -> tuple[Any, dict[Path_, tuple[int, int]]]:
    loader = None
    places: dict[Path_, tuple[int, int]] = {}
    try:
        _simple(text, source)
        loader = _Plain(text)
        top = loader.get_single_node()
        if top is None:
            raise InputError("the file is empty", source=source)
        raw = loader.construct_document(top)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise InputError(
            f"this is no YAML: {error.problem}",
            source=source,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"this is no YAML: {error.reason} (character {error.character!r})", source=source, line=line
        ) from error
    finally:
        if loader is not None:
            loader.dispose()

    def walk(node: yaml.Node, path: Path_) -> None:
        places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                at = (*path, str(key.value))
                if at in places:
                    raise InputError(
                        f"the key stands here twice (first in line {places[at][0]})",
                        source=source,
                        line=key.start_mark.line + 1,
                        column=key.start_mark.column + 1,
                        field=_spelled(at),
                    )
                walk(value, at)
                places[at] = (key.start_mark.line + 1, key.start_mark.column + 1)
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                walk(value, (*path, i))

    walk(top, ())
    return raw, places


def is_text(word: str) -> bool:
    """Whether a word that may name a file is the file's text itself: a name has one line."""
    return "\n" in word


def carried(word: str) -> str:
    """What to keep of a word that may name a file: the text of the file, so that it can be read again anywhere.

    Args:
        word: An id, the path of a file, or a text already.
    """
    path = Path(word)
    if is_text(word) or not path.suffix or not path.is_file():
        return word
    return path.read_text(encoding="utf-8").rstrip("\n") + "\n"


def read_yaml(file: Path | str, type_: type[T]) -> Read[T]:
    """Read YAML as a record of *type_*.

    Args:
        file: A file, or the text itself.
        type_: What it is to be.

    Raises:
        InputError: for a file that cannot be read, is no YAML, or says what *type_* does not know; the message has
            file, line, column and field, and names the nearest right value.
    """
    source = "the text given" if isinstance(file, str) else str(file)
    try:
        if isinstance(file, str):
            raw_text = file.encode()
        else:
            with file.open("rb") as stream:
                raw_text = stream.read(LARGEST + 1)
        if len(raw_text) > LARGEST:
            raise InputError(f"the file is larger than {LARGEST} bytes", source=source)
        text = raw_text.decode("utf-8")
    except (OSError, UnicodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the file cannot be read: {error}", source=source) from error
    raw, places = _composed(text, source)

    unread = Read(raw, places, source)
    return Read(converted(raw, type_, source=source, place=lambda path: unread.place(*path)), places, source)
