"""Strict reading of messages: unknown keys are errors, and an error names the place and the nearest valid name."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Ruleset, name_of
from caltrop.errors import Portable

T = TypeVar("T")

_LARGEST = 2**53
"""Largest whole number. Some programs that read JSON round larger numbers, and no rule needs such numbers."""

_DEEPEST = 12
_LONGEST = 1024
"""Largest length of a list in a message; a path has some tens of legs."""


class WrongMessage(Portable, ValueError):
    """A message cannot be read.

    Attributes:
        message: Description of the fault, with the nearest right name if there is one.
        field: Place where, as a path such as `paths[0].unit`; empty for the whole.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.message, self.field = message, field


@lru_cache(maxsize=32)
def action_type(ruleset: Ruleset) -> Any:
    """Return the union of all actions of a ruleset, distinguished by their field `type`."""
    return Union[ruleset.vocabulary().actions]  # noqa: UP007  made at run time


@lru_cache(maxsize=32)
def _names(ruleset: Ruleset) -> dict[str, None]:
    return dict.fromkeys([name_of(kind) for kind in ruleset.vocabulary().actions])


def read_action(ruleset: Ruleset, raw: bytes | msgspec.Raw) -> Any:
    """Return an action from its JSON, which may still be illegal.

    Raises:
        WrongMessage: for any invalid input, without other exceptions.
    """
    return as_action(ruleset, read_json(raw))


def as_action(ruleset: Ruleset, value: Any) -> Any:
    """Return an action from parsed JSON.

    Raises:
        WrongMessage: if the value is not an action.
    """
    names = _names(ruleset)
    if isinstance(value, dict):
        kind = value.get("type")
        if not isinstance(kind, str):
            raise WrongMessage(f"an action needs a type: one of {', '.join(names)}", "type")
        if kind not in names:
            raise WrongMessage(f"there is no action {kind[:60]!r}{_nearest(kind, names)}", "type")
    return convert(value, action_type(ruleset))


def read_strictly(raw: bytes | msgspec.Raw, type: type[T]) -> T:
    """Return a value of the given type from its JSON.

    Raises:
        WrongMessage: when the input is invalid.
    """
    value: T = convert(read_json(raw), type)
    return value


def read_json(raw: bytes | msgspec.Raw) -> Any:
    """Return any JSON of a reasonable size and depth.

    Raises:
        WrongMessage: for invalid JSON, deep nesting, a huge number or a repeated key.
    """
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise WrongMessage(f"this is not JSON: {error}") from None
    _check_size(value, "", 0)
    json.loads(bytes(raw), object_pairs_hook=_without_repeats)
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object if its keys differ. Of two equal keys, some programs read the first and others the last."""
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise WrongMessage("an object contains the key twice", twice[:40])
    return read


def convert(value: Any, type: Any) -> Any:
    """Return a value of the given type from parsed JSON; unknown keys are errors.

    Raises:
        WrongMessage: if the value does not match; the message names the field.
    """
    try:
        result = msgspec.convert(value, type, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at ")
        unknown = re.search(r"unknown field `([^`]*)`", words)
        where = place.strip("`").removeprefix("$").lstrip(".")
        inner = _type_at(type, where) if unknown else None
        if unknown and inner is not None:
            field = f"{where}.{unknown[1][:40]}".lstrip(".")
            raise WrongMessage(
                f"there is no field {unknown[1][:60]!r}{_nearest(unknown[1], _fields(inner))}", field
            ) from None
        raise WrongMessage(_plain(words), where) from None
    except (RecursionError, OverflowError, ValueError) as error:
        raise WrongMessage(f"this cannot be read: {error}") from None
    _check_keys(value, msgspec.to_builtins(result, str_keys=True), "")
    return result


def _type_at(type: Any, place: str) -> Any:
    """Return the type of the record at a place such as `clock` or `seats[0].at` within a type; None if the value is not
    a record.
    """
    for name in [None, *re.findall(r"[^.\[\]]+", place)]:
        if name is not None and not name.isdecimal() and name != "...":
            if not hasattr(type, "__struct_fields__"):
                return None
            type = next((f.type for f in msgspec.structs.fields(type) if f.encode_name == name), None)
        while not hasattr(type, "__struct_fields__"):
            records = [one for one in get_args(type) if hasattr(one, "__struct_fields__") or get_args(one)]
            if len(records) != 1:
                return None
            type = records[0]
    return type


def _fields(type: Any) -> list[str]:
    """Return the fields of a record, and of the records in it."""
    fields = msgspec.structs.fields(type)
    inner = [name for f in fields if hasattr(f.type, "__struct_fields__") for name in f.type.__struct_fields__]
    return [f.encode_name for f in fields] + inner


def _plain(words: str) -> str:
    words = words.replace("Object missing required field", "the field is missing:")
    words = words.replace("Object contains unknown field", "there is no field")
    return words[:1].lower() + words[1:]


def _check_size(value: Any, place: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise WrongMessage(f"this is nested deeper than {_DEEPEST} levels", place)
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_size(inner, f"{place}.{key[:40]}".lstrip("."), depth + 1)
    elif isinstance(value, list):
        if len(value) > _LONGEST:
            raise WrongMessage(f"the list has {quantity(len(value), 'entry')}, and {_LONGEST} are the most", place)
        for i, inner in enumerate(value):
            _check_size(inner, f"{place}[{i}]", depth + 1)
    elif isinstance(value, int) and abs(value) > _LARGEST:
        raise WrongMessage("the number is too large", place)


def _check_keys(given: Any, read: Any, place: str) -> None:
    """Raise an error for unknown keys, which records of the engine would ignore."""
    if isinstance(given, dict) and isinstance(read, dict):
        for key, inner in given.items():
            if key not in read:
                names = [name for name in read if name != "type"]
                where = f"{place}.{key[:40]}".lstrip(".")
                raise WrongMessage(f"there is no field {key[:60]!r}{_nearest(key, names)}", where)
            _check_keys(inner, read[key], f"{place}.{key}".lstrip("."))
    elif isinstance(given, list) and isinstance(read, list):
        for i, (a, b) in enumerate(zip(given, read, strict=False)):
            _check_keys(a, b, f"{place}[{i}]")


def _nearest(name: str, names: Iterable[str]) -> str:
    choices = list(names)
    by_lower = {k.lower(): k for k in choices}
    near = difflib.get_close_matches(re.sub(r"\W", "", name).lower()[:60], by_lower, 1, 0.5)
    if near:
        return f"; did you mean {by_lower[near[0]]}?"
    return f"; there are {', '.join(choices)}" if choices else ""
