"""The form of a request: what may be filled in next, given what is filled in already.

A ruleset's referee (`caltrop.engine.parts.Referee`) may have a function `form(raw)`. It knows what may stand in each
field, and ends in `form_of`, which is given the data of the requests: one to begin with, what fields and outcomes are
called, fields that only some requests have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from caltrop.engine.rule import Sum
from caltrop.errors import InputError

T = TypeVar("T")


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a field may have, and its words."""

    value: str
    words: str


class DiceSum(msgspec.Struct, frozen=True, kw_only=True):
    """A number of dice, as the parts that it is made of."""

    words: str
    """The number and when they are thrown, as `Shields: 3 dice where anything hits`."""
    parts: Sum


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The possible values of a request's fields, given the other fields."""

    start: Mapping[str, Any]
    """A request to begin with."""
    words: Mapping[str, str]
    """Labels of fields whose names in the request do not say it."""
    outcomes: Mapping[str, str]
    """Labels of the parts of an outcome."""
    choices: Mapping[str, Sequence[Choice]]
    """For a field, as `attacker.kind`, all that it may be."""
    ranges: Mapping[str, tuple[int, int]]
    """For a field with a whole number, the least and the most."""
    idle: tuple[str, ...] = ()
    """Fields that mean nothing in this request; empty while it is not in order."""
    dice: tuple[DiceSum, ...] = ()
    """The dice that are thrown, once the request is in order."""


class Given(NamedTuple):
    """Facts about a field that its type does not say, for a page; they stand in its annotation."""

    words: str = ""
    """The label, if it differs from the name."""
    range: tuple[int, int] | None = None
    """The least and the most."""
    start: Any = None
    """The value in a request to begin with."""
    tried: Any = None
    """Of a field that not every request has, a value to try it by: see `form_of`."""
    values: tuple[str, ...] = ()
    """All possible values, if the type does not define them."""


@cache
def form_of_type(request: type[msgspec.Struct]) -> tuple[Form, Mapping[str, Any]]:
    """Return what the type of a request says of its form, and the fields that not every request has."""
    start: dict[str, Any] = {}
    words: dict[str, str] = {}
    ranges: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[Choice]] = {}
    sometimes: dict[str, Any] = {}
    for name, hint in get_type_hints(request, include_extras=True).items():
        given = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Given)), Given())
        plain = hint.__origin__ if hasattr(hint, "__metadata__") else hint
        values = given.values or (get_args(plain) if get_origin(plain) is Literal else ())
        if len(values) > 1:
            choices[name] = tuple([Choice(value=value, words=value.capitalize()) for value in values])
        first = values[0] if len(values) == 1 else given.start
        if first is not None:
            start[name] = first
        if given.words:
            words[name] = given.words
        if given.range is not None:
            ranges[name] = given.range
        if given.tried is not None:
            sometimes[name] = given.tried
        if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
            form, tried = form_of_type(plain)
            start |= {name: form.start} if form.start else {}
            words |= {f"{name}.{field}": label for field, label in form.words.items()}
            ranges |= {f"{name}.{field}": bounds for field, bounds in form.ranges.items()}
            choices |= {f"{name}.{field}": values for field, values in form.choices.items()}
            sometimes |= {f"{name}.{field}": value for field, value in tried.items()}
    return Form(start=start, words=words, outcomes={}, choices=choices, ranges=ranges), sometimes


def form_of(
    raw: Mapping[str, Any],
    read: Callable[[dict[str, Any]], T],
    *,
    request: type[msgspec.Struct] | None = None,
    start: Mapping[str, Any] = {},
    words: Mapping[str, str] = {},
    outcomes: Mapping[str, str],
    choices: Mapping[str, Sequence[Choice]] = {},
    ranges: Mapping[str, tuple[int, int]] = {},
    sometimes: Mapping[str, Any] = {},
    dice: Callable[[T], tuple[DiceSum, ...]],
) -> Form:
    """Return the form of a request, whether that is in order or not.

    Args:
        raw: The request as far as it has come, as plain data.
        read: Reads a request; raises `InputError` with the field at fault.
        request: The type of the request, whose annotations (`Given`) say what is not said here.
        start: See `Form`.
        words: See `Form`.
        outcomes: See `Form`.
        choices: See `Form`.
        ranges: See `Form`.
        sometimes: Fields that not every request has, with a value to try them by: those that the rules then refuse at
            this field are idle.
        dice: The dice of a request that is in order.
    """
    if request is not None:
        typed, tried = form_of_type(request)
        start, words, choices = {**typed.start, **start}, {**typed.words, **words}, {**typed.choices, **choices}
        ranges, sometimes = {**typed.ranges, **ranges}, {**tried, **sometimes}
    form = Form(start=start, words=words, outcomes=outcomes, choices=choices, ranges=ranges)
    try:
        whole = read(dict(raw))
    except InputError:
        return form
    idle = tuple(field for field, value in sometimes.items() if _is_refused(raw, field, value, read))
    return msgspec.structs.replace(form, idle=idle, dice=dice(whole))


def _is_refused(raw: Mapping[str, Any], field: str, value: Any, read: Callable[[dict[str, Any]], Any]) -> bool:
    """Return whether a request that is in order is refused for *field* once *value* stands there."""
    head, _, tail = field.rpartition(".")
    tried = {**raw, head: {**raw[head], tail: value}} if head else {**raw, tail: value}
    try:
        read(tried)
    except InputError as error:
        return error.field == field
    return False
