"""The cases of a ruling: the keys that all games share.

A case is an attack that is refereed, or a scene that is played line by line. A game adds its own keys to these records;
`reading` checks them, and `playing` plays the cases.
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
"""Word used instead of a clause if the side has nothing to decide now."""


class LineGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. Exactly one key, such as `start`, `do` or `ask`, sets its kind."""

    start: str | UnsetType = UNSET
    """A step of the turn, or another procedure, to begin now."""
    do: str | UnsetType = UNSET
    """Name of an action to take; `first` takes the first option."""
    pass_: str | UnsetType = msgspec.field(default=UNSET, name="pass")
    """A decision that does not matter here: it gets its first option every time it is asked."""
    dice: Any = UNSET
    """Result of a roll that the line before it makes."""
    ask: str | UnsetType = UNSET
    """Name of a number to look up."""
    expect: Any = UNSET
    """Facts that must be true at this point."""

    side: str | UnsetType = UNSET
    """The side that acts; by default the side that is asked."""
    refused: str | UnsetType = UNSET
    """The clause that forbids the action, or `not asked` if the side has nothing to decide now."""
    allowed: bool | UnsetType = UNSET
    """True or False for whether the action is allowed; it is not carried out."""
    is_: Any = msgspec.field(default=UNSET, name="is")
    """Expected value of the number in `ask`."""


class ExpectedGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true at this point."""

    units: Any = msgspec.field(default_factory=dict)
    waiting: str | UnsetType = UNSET
    """Kind of the open decision, or `nothing`."""
    asked: str | UnsetType = UNSET
    """The side that must answer the open decision."""
    events: tuple[dict[str, Any], ...] = msgspec.field(name="told", default=())
    """Events since the last order or start, each with some of its values."""
    untold: tuple[str, ...] = ()
    """Events that must not have happened since then."""


class PositionGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case contains only its differences from the ruling's position."""

    units: Any = UNSET


class CaseGiven(msgspec.Struct, Generic[S, L], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played.

    A game names its scenes and lines: `class Case(CaseGiven[SceneGiven, Line], …)`.
    """

    case: str = ""
    """Name of the case, such as `a`; its number by default."""
    words: str = ""
    """Short description of the case."""
    editions: tuple[str, ...] = ()
    """Editions in which the case holds, if they are fewer than the ruling's."""
    rules: dict[str, HouseValue] = {}
    """House rules in addition to the ruling's own."""
    attack: dict[str, Any] | UnsetType = UNSET
    """An attack request; ruleset, edition and house rules are the ruling's."""
    answer: dict[str, Any] | UnsetType = UNSET
    """Expected answer of the referee, or a part of it; `because` lists clauses that must be among the reasons."""
    refused: str | UnsetType = UNSET
    """The clause by which the attack is refused."""
    scene: S | UnsetType = UNSET
    play: tuple[L, ...] = ()


class FileGiven(Head, Generic[S, C], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling with its cases: `class RulingFile(FileGiven[SceneGiven, Case], …)`."""

    scene: S | UnsetType = UNSET
    """The position with which every case begins; a case may change it."""
    attack: dict[str, Any] = msgspec.field(default_factory=dict)
    """The attack that the cases referee; a case may change it."""
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
    """Return a record with the set fields of another one in place of its own."""
    return msgspec.structs.replace(own, **keys_said(change))


def merged(own: S | UnsetType, change: S | UnsetType, form: type[S]) -> S:
    """Return a ruling's scene with the changes of one of its cases; units are changed value by value.

    Args:
        own: The ruling's scene, or unset.
        change: The case's scene, or unset.
        form: The game's type of scenes.
    """
    if own is UNSET or change is UNSET:
        return change or own or form()
    units = dict(own.units or {})
    for name, unit in (change.units or {}).items():
        units[name] = over(units[name], unit) if name in units else unit
    return msgspec.structs.replace(over(own, change), units=units)
