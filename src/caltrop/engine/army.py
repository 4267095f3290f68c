"""Parts of an army list, as a rulebook describes them: a catalogue, options, points and rules of composition.

A ruleset gives one `Armoury` as its part `army_lists`. Every reader of an army list asks it: `validate`, the builder of
the page, the command `army`, and the doors at which an army is named (`caltrop.kit.armies`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine.rule import Book, Guard
from caltrop.picture import Look, Paint

PathOf = tuple[str | int, ...]
"""Path of a value in an army list: keys and numbers from the top."""


class ArmyFault(msgspec.Struct, frozen=True, kw_only=True):
    message: str
    """The fault, and a correct alternative."""
    clause: str = ""
    """The clause that demands it; empty for faults such as a misspelled word, which need no clause."""
    path: PathOf = ()
    """Path of the fault in the file."""
    unfinished: bool = False
    """True if more units can mend the fault, so that units may still be added."""
    nearest: str = ""
    """The key of the unit that was perhaps meant, if the list names one that does not exist."""

    @property
    def words(self) -> str:
        """The message with its clause.

        >>> ArmyFault(message="An army has at most 2 Leaders; this one has 3", clause="S64").words
        'An army has at most 2 Leaders; this one has 3 (S64)'
        """
        return f"{self.message} ({self.clause})" if self.clause else self.message


def held(
    guard: Guard, forbidden: bool, *path: str | int, unfinished: bool = False, **values: Any
) -> Iterator[ArmyFault]:
    """Yield a fault if a guard forbids something in an army list.

    Args:
        guard: The sentence of the rules.
        path: Path of the entry in the list.
        unfinished: True if more units can mend it.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        yield ArmyFault(message=refusal.message, clause=refusal.clause, path=path, unfinished=unfinished)


class ArmyChoice(msgspec.Struct, frozen=True, kw_only=True):
    value: str | int
    words: str
    points: int | None = None
    """Points that it adds to the unit, or to each model if it is a trait of all models."""
    about: str = ""
    """Description in one sentence."""


class ArmyOption(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for a unit: a field of its entry in the army list."""

    field: str
    words: str
    """Label of the field."""
    sort: Literal["number", "one", "several", "yes", "line"]
    """A whole number, one of the choices, several of them (one may be there more than once), yes or no, or a text."""
    usual: Any = None
    """Value that holds if the list does not say."""
    least: int = 0
    most: int = 0
    """The bounds of a number, the most choices of several, or the most characters of a text."""
    choices: tuple[ArmyChoice, ...] = ()
    points: int | None = None
    """Points for saying yes."""
    clause: str = ""


class ArmyNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A printed value of a unit."""

    words: str
    value: str


class ArmyUnit(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    title: str
    entry: Mapping[str, Any]
    """Fields of an army list's entry that bring one. These fields tell units of the catalogue from one another."""
    also: Mapping[str, Any] = {}
    """Further fields of a new entry, such as a number of models to begin with."""
    group: str = ""
    """Units of one group stand together, under this heading."""
    numbers: tuple[ArmyNumber, ...] = ()
    words: tuple[str, ...] = ()
    """Its special rules, a sentence each."""
    points: int | None = None
    """Points of one with `entry` and `also`; None if they are unknown."""
    options: tuple[ArmyOption, ...] = ()
    look: Look | UnsetType = UNSET
    """The way it is drawn, seen from above."""
    silhouette: str = ""
    """The way it is drawn, seen from the side."""


def no_points(book: Book, army: Any) -> int | None:
    return None


def no_price(book: Book, army: Any, number: int) -> int | None:
    return None


class Armoury(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an army of a game is made of."""

    form: type[msgspec.Struct]
    """Type of a file with an army list."""
    check: Callable[[Path], str]
    """Checks a file and says what it is in a few words, or raises `InputError` for the first thing that is wrong, with
    file, line and column."""
    catalogue: Callable[[Book, Mapping[str, Any]], Sequence[ArmyUnit]]
    """The units that an army list may have, given what the list says already, which need not be right."""
    faults: Callable[[Book, Any, int | None], Iterator[ArmyFault]]
    """Everything that is wrong with an army list that can be read, given the points that are agreed on."""
    cost: Callable[[Book, Any], int | None] = no_points
    """Function that returns the points of an army list; None if they are unknown."""
    price: Callable[[Book, Any, int], int | None] = no_price
    """Function that returns the points of an entry of an army list, given its number."""
    shipped: Callable[[], Mapping[str, Path]] = dict
    """The army lists that the game comes with, by id."""
    shed: Sequence[str] = ("id", "clauses")
    """Fields of such a list that a list which begins with it does not take over."""
    units: str = "units"
    """The field of the file that lists the units."""
    count: str = ""
    """The field of an entry with its number of equal units; empty if each unit has its own entry."""
    race: str = ""
    """The field of the file that decides which catalogue is used; empty if there is one catalogue."""
    races: Callable[[Book], Sequence[ArmyChoice]] = lambda book: ()
    """Function that returns the values of that field."""
    named: bool = False
    """True if each unit has a name that no other unit has."""
    names: Sequence[str] = ()
    """Names for new units; otherwise they are called as their title says."""
    agreed: Callable[[Book], Sequence[int]] = lambda book: ()
    """The points that are usually agreed on, the most usual first; none if armies are not matched by points."""
    measured: bool = False
    """True if points were measured in battles, because the rulebook prints none."""
    paint: Callable[[Mapping[str, Any]], Paint | UnsetType] = lambda draft: UNSET
    """In which colours its units are drawn, given what the list says."""
