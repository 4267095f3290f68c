"""Strict reading of YAML: into records, with errors that name file, line, column, field and the nearest right word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import yaml

from caltrop import InputError

T = TypeVar("T")

Place = tuple[int, int]
"""Line and column, from 1."""

_TAG = "tag:yaml.org,2002:"
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


class Read(Generic[T]):
    """What a file holds, and where each part of it stands.

    Attributes:
        value: The record.
        source: The file's name, for messages.
    """

    def __init__(self, value: T, source: str, places: dict[str, Place]) -> None:
        self.value, self.source, self._places = value, source, places

    def error(self, message: str, *path: str | int) -> InputError:
        """An error at a part of the file.

        Args:
            message: What is wrong.
            path: The way to the part, as `"units", 2, "kind"`.
        """
        at = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
        line, column = self._places.get(at) or self._places.get("", (1, 1))
        return InputError(message, source=self.source, line=line, column=column, field=at.lstrip(".") or None)

    def unknown(self, what: str, word: object, known: Iterable[str], *path: str | int) -> InputError:
        """An error for a word that names nothing; the message has the nearest one that does."""
        return self.error(f"there is no {what} {word!r}{nearest(word, known)}", *path)


def nearest(word: object, known: Iterable[str]) -> str:
    """The end of an error message: the word that was probably meant, or those that there are."""
    every = sorted(known)
    near = difflib.get_close_matches(str(word), every, 1, 0.5)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there is {', '.join(every)}" if len(every) <= 12 and every else ""


def read(text: bytes | str, type: type[T], source: str) -> Read[T]:
    """Read one YAML document into a record.

    Args:
        text: The document.
        type: What it must be: a struct that forbids unknown fields.
        source: The file's name, for messages.

    Raises:
        InputError: when it is no YAML, or no such record.
    """
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(
            f"this is no YAML: {error.problem or error.context}",
            source=source,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from None
    except yaml.YAMLError as error:
        raise InputError(f"this is no YAML: {error}", source=source) from None
    if node is None:
        raise InputError("the file is empty", source=source, line=1, column=1)
    places: dict[str, Place] = {}
    plain = _plain(node, "", places, source)
    try:
        return Read(msgspec.convert(plain, type), source, places)
    except msgspec.ValidationError as error:
        raise _placed(str(error), type, source, places) from None


def _plain(node: yaml.Node, at: str, places: dict[str, Place], source: str) -> Any:
    """A node as plain values; what looks like a number with a point stays text, so that no float arises."""
    places[at] = (node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, f"{at}[{i}]", places, source) for i, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        found: dict[Any, Any] = {}
        for key, value in node.value:
            word = key.value
            below = f"{at}.{word}"
            if word in found:
                raise InputError(
                    f"{word!r} stands here twice",
                    source=source,
                    line=key.start_mark.line + 1,
                    column=key.start_mark.column + 1,
                    field=below.lstrip("."),
                )
            found[word] = _plain(value, below, places, source)
            places[below + " key"] = (key.start_mark.line + 1, key.start_mark.column + 1)
        return found
    if node.tag == _TAG + "int":
        return int(node.value.replace("_", ""), 0) if not node.value.lstrip("-+").startswith("0") else int(node.value)
    if node.tag == _TAG + "bool":
        return node.value.lower() in ("yes", "true", "on")
    if node.tag == _TAG + "null":
        return None
    return node.value


def _placed(message: str, type: Any, source: str, places: dict[str, Place]) -> InputError:
    """A complaint of msgspec, at its place in the file and with the nearest right word."""
    what, _, where = message.partition(" - at `")
    at = where.rstrip("`").removeprefix("$")
    place = places.get(at, places.get("", (1, 1)))
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        word = unknown[1]
        place = places.get(f"{at}.{word} key", place)
        what = f"there is no field {word!r} here{nearest(word, _fields(type, at))}"
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        what = f"the field {missing[1]!r} is missing"
    word_wrong = re.fullmatch(r"Invalid enum value '?(.*?)'?", what)
    if word_wrong:
        what = f"{word_wrong[1]!r} is not allowed here{nearest(word_wrong[1], _words(type, at))}"
    return InputError(what, source=source, line=place[0], column=place[1], field=at.lstrip(".") or None)


def _below(kind: Any, at: str) -> list[Any]:
    """The types that may stand at a place, as msgspec tells of them."""
    now = [kind]
    for name, index in _STEP.findall(at):
        nxt: list[Any] = []
        for k in _each(now):
            if name and isinstance(k, msgspec.inspect.StructType):
                nxt += [f.type for f in k.fields if f.encode_name == name]
            elif name and isinstance(k, msgspec.inspect.DictType):
                nxt.append(k.value_type)
            elif isinstance(k, msgspec.inspect.TupleType) and index.isdigit() and int(index) < len(k.item_types):
                nxt.append(k.item_types[int(index)])
            elif index and hasattr(k, "item_type"):
                nxt.append(k.item_type)
        now = nxt
    return list(_each(now))


def _each(kinds: Sequence[Any]) -> Iterable[Any]:
    for kind in kinds:
        if isinstance(kind, msgspec.inspect.UnionType):
            yield from _each(kind.types)
        else:
            yield kind


def _fields(type: Any, at: str) -> list[str]:
    found = _below(msgspec.inspect.type_info(type), at)
    return [f.encode_name for k in found if isinstance(k, msgspec.inspect.StructType) for f in k.fields]


def _words(type: Any, at: str) -> list[str]:
    found = _below(msgspec.inspect.type_info(type), at)
    return [str(v) for k in found if isinstance(k, msgspec.inspect.LiteralType) for v in k.values]


@lru_cache(maxsize=16)
def built_in(ruleset: str) -> dict[str, Traversable]:
    """The scenario files that a ruleset comes with, by the name of the file without its ending."""
    folder = files(__package__).joinpath(ruleset.replace("-", "_"))
    if not folder.is_dir():
        return {}
    return {Path(f.name).stem: f for f in sorted(folder.iterdir(), key=lambda f: f.name) if f.name.endswith(".yaml")}
