"""The form for a request: the fields, and their possible values given the other fields.

A ruleset's referee (`caltrop.engine.parts.Referee`) may have a function `form(raw)` that calls `form_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from caltrop.engine.rule import Sum
from caltrop.errors import InputError

T = TypeVar("T")


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A possible value of a field, with its label."""

    value: str
    words: str


class DiceSum(msgspec.Struct, frozen=True, kw_only=True):
    """A number of dice, as a sum of parts."""

    words: str
    """The number of dice and the time of the throw, such as `Shields: 3 dice if anything hits`."""
    parts: Sum


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The possible values of a request's fields, given the other fields."""

    start: Mapping[str, Any]
    """A request to begin with."""
    words: Mapping[str, str]
    """Labels of fields whose names are not clear enough."""
    outcomes: Mapping[str, str]
    """Labels of the parts of an outcome."""
    choices: Mapping[str, Sequence[Choice]]
    """All possible values of a field, which is named by its path, such as `attacker.kind`."""
    ranges: Mapping[str, tuple[int, int]]
    """The least and the greatest value of each whole-number field."""
    idle: tuple[str, ...] = ()
    """Fields without an effect in this request; empty until the request is valid."""
    dice: tuple[DiceSum, ...] = ()
    """The dice to throw, once the request is valid."""


class Given(NamedTuple):
    """Annotation of a field of a request, with facts for a page that its type does not contain."""

    words: str = ""
    """Label of the field, if it differs from the name."""
    range: tuple[int, int] | None = None
    """Least and greatest value of the field, or of the items of its list."""
    start: Any = None
    """The field's value in a new request."""
    tried: Any = None
    """A test value for an optional field; see `form_of`."""
    values: tuple[str, ...] = ()
    """All possible values of the field, or of the items of its list, if the type does not define them."""


DIE = Given(range=(1, 6))
"""The annotation of a field for a die, or for a list of dice."""


@cache
def form_of_type(request: type[msgspec.Struct]) -> tuple[Form, Mapping[str, Any]]:
    """Return the part of a form that follows from the type of a request, and the optional fields with test values."""
    start: dict[str, Any] = {}
    words: dict[str, str] = {}
    ranges: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[Choice]] = {}
    sometimes: dict[str, Any] = {}
    for field, plain, given in given_fields(request):
        values = allowed(plain, given)
        single = get_origin(plain) is not tuple
        if single and len(values) > 1:
            choices[field] = tuple([Choice(value=one, words=one.replace("-", " ").capitalize()) for one in values])
        first = values[0] if single and len(values) == 1 else given.start
        if first is not None:
            *heads, tail = field.split(".")
            place = start
            for head in heads:
                place = place.setdefault(head, {})
            place[tail] = first
        if given.words:
            words[field] = given.words
        if single and given.range is not None:
            ranges[field] = given.range
        if given.tried is not None:
            sometimes[field] = given.tried
    return Form(start=start, words=words, outcomes={}, choices=choices, ranges=ranges), sometimes


def given_fields(request: type[msgspec.Struct], whole: bool = False) -> Iterator[tuple[str, Any, Given]]:
    """Yield the fields of a request, each with its path such as `attacker.kind`, its type and its annotation.

    Args:
        whole: True to include the fields of optional parts, such as the dice.
    """
    hints = get_type_hints(request, include_extras=True)
    for field in msgspec.structs.fields(request):
        hint = hints[field.name]
        given = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Given)), Given())
        plain = hint.__origin__ if hasattr(hint, "__metadata__") else hint
        yield field.encode_name, plain, given
        for part in (plain, *(get_args(plain) if whole else ())):
            if isinstance(part, type) and issubclass(part, msgspec.Struct):
                inner = given_fields(part, whole)
                yield from ((f"{field.encode_name}.{name}", kind, facts) for name, kind, facts in inner)


def allowed(plain: Any, given: Given) -> tuple[str, ...]:
    """Return all words that are allowed in a field; empty if any text is allowed."""
    return given.values or (get_args(plain) if get_origin(plain) is Literal else ())


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
    """Return the form of a request, which need not be valid.

    Args:
        raw: The request so far, as plain data.
        read: Reads a request; raises `InputError` with the field at fault.
        request: The type of the request, whose annotations (`Given`) are the defaults for the other arguments.
        start: See `Form`.
        words: See `Form`.
        outcomes: See `Form`.
        choices: See `Form`.
        ranges: See `Form`.
        sometimes: Optional fields with test values. A field is idle if the rules refuse its test value.
        dice: Returns the dice to throw for a valid request.
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
    head, _, tail = field.rpartition(".")
    tried = {**raw, head: {**raw[head], tail: value}} if head else {**raw, tail: value}
    try:
        read(tried)
    except InputError as error:
        return error.field == field
    return False
