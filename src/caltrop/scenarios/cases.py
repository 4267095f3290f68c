"""The cases of a ruling: what every game's may say.

A case is an attack that is refereed, or a scene that is played line by line. A game adds its own keys to these records;
`reading` checks what they say, and `playing` plays it out.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import FieldInfo, fields

from caltrop.engine import HouseValue
from caltrop.scenarios.rulings import Head

R = TypeVar("R", bound=msgspec.Struct)
S = TypeVar("S", bound="PositionGiven")
L = TypeVar("L", bound="LineGiven")
C = TypeVar("C", bound="CaseGiven[Any, Any]")

NOT_ASKED = "not asked"
"""Instead of a clause: the side has nothing to decide now."""


class LineGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of the keys that say what it is."""

    start: str | UnsetType = UNSET
    """A step of the turn, or another procedure, that begins now."""
    do: str | UnsetType = UNSET
    """An action, by its name; `first` takes the first option."""
    pass_: str | UnsetType = msgspec.field(default=UNSET, name="pass")
    """A decision that does not matter here: it is answered by its first option, as often as it is asked."""
    dice: Any = UNSET
    """A roll that the line before it makes."""
    ask: str | UnsetType = UNSET
    """A number to look up."""
    expect: Any = UNSET
    """Facts that must hold now."""

    side: str | UnsetType = UNSET
    """The side that acts; the one that is asked, by default."""
    refused: str | UnsetType = UNSET
    """The action may not be taken, by this clause; or `not asked`, where the side has nothing to decide now."""
    allowed: bool | UnsetType = UNSET
    """The action may be taken (or not), and is not."""
    is_: Any = msgspec.field(default=UNSET, name="is")
    """The answer to what is asked."""


class ExpectedGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must hold now."""

    units: Any = msgspec.field(default_factory=dict)
    waiting: str | UnsetType = UNSET
    """The decision that is asked now, or `nothing`."""
    asked: str | UnsetType = UNSET
    """The side that it is put to."""
    events: tuple[dict[str, Any], ...] = msgspec.field(name="told", default=())
    """Events since the last order or start, each with some of its values."""
    untold: tuple[str, ...] = ()
    """Events that must not have happened since then."""


class PositionGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's says only what differs from the ruling's own."""

    units: Any = UNSET


class CaseGiven(msgspec.Struct, Generic[S, L], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played.

    A game names its scenes and lines: `class Case(CaseGiven[SceneGiven, Line], …)`.
    """

    case: str = ""
    """Its name, as `a`; its number by default."""
    words: str = ""
    """Subject of the line."""
    editions: tuple[str, ...] = ()
    """The editions in which it holds, where these are fewer than the ruling's."""
    rules: dict[str, HouseValue] = {}
    """House rules, besides the ruling's own."""
    attack: dict[str, Any] | UnsetType = UNSET
    """An attack request; ruleset, edition and house rules are the ruling's."""
    answer: dict[str, Any] | UnsetType = UNSET
    """Answer of the referee, or part of it; `because` lists clauses that must be among the reasons."""
    refused: str | UnsetType = UNSET
    """The clause by which the attack is refused."""
    scene: S | UnsetType = UNSET
    play: tuple[L, ...] = ()


class FileGiven(Head, Generic[S, C], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling with its cases: `class RulingFile(FileGiven[SceneGiven, Case], …)`."""

    scene: S | UnsetType = UNSET
    """The position that the cases begin with, each with its changes."""
    attack: dict[str, Any] = msgspec.field(default_factory=dict)
    """The attack that the cases are about, each with its changes."""
    cases: tuple[C, ...]


def name_of(case: CaseGiven[Any, Any], index: int) -> str:
    return case.case or str(index + 1)


@cache
def fields_of(form: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a type of record, cached because every line of a ruling asks for them."""
    return fields(form)


def keys_said(given: msgspec.Struct) -> dict[str, Any]:
    return {f.name: value for f in fields_of(type(given)) if (value := getattr(given, f.name)) is not UNSET}


def over(own: R, change: R) -> R:
    """Return a record with whatever another one of its type says in its place."""
    return msgspec.structs.replace(own, **keys_said(change))


def merged(own: S | UnsetType, change: S | UnsetType, form: type[S]) -> S:
    """Return a ruling's scene with the changes of one of its cases; units are changed value by value.

    Args:
        own: The ruling's scene, which may be unset.
        change: The case's, which may be.
        form: Type of the game's scenes.
    """
    if own is UNSET or change is UNSET:
        return change or own or form()
    units = dict(own.units or {})
    for name, unit in (change.units or {}).items():
        units[name] = over(units[name], unit) if name in units else unit
    return msgspec.structs.replace(over(own, change), units=units)
