"""The form of a request: what may be filled in next, given what is filled in already.

A ruleset's referee (`caltrop.engine.parts.Referee`) may have a function `form(raw)`. It knows what may stand in each
field, and ends in `form_of`, which is given the data of the requests: one to begin with, what fields and outcomes are
called, fields that only some requests have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

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


def form_of(
    raw: Mapping[str, Any],
    read: Callable[[dict[str, Any]], T],
    *,
    start: Mapping[str, Any],
    words: Mapping[str, str],
    outcomes: Mapping[str, str],
    choices: Mapping[str, Sequence[Choice]],
    ranges: Mapping[str, tuple[int, int]],
    sometimes: Mapping[str, Any],
    dice: Callable[[T], tuple[DiceSum, ...]],
) -> Form:
    """Return the form of a request, whether that is in order or not.

    Args:
        raw: The request as far as it has come, as plain data.
        read: Reads a request; raises `InputError` with the field at fault.
        start: See `Form`.
        words: See `Form`.
        outcomes: See `Form`.
        choices: See `Form`.
        ranges: See `Form`.
        sometimes: Fields that not every request has, with a value to try them by: those that the rules then refuse at
            this field are idle.
        dice: The dice of a request that is in order.
    """
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
