"""Parts of an army list, as a rulebook describes them: a catalogue, options, points and rules of composition.

A ruleset gives one `Armoury` as its part `army_lists`. Every reader of an army list uses the `Armoury`: `validate`, the
army builder on the page, the command `army`, and all places that take the name of an army (`caltrop.kit.armies`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine.cards import ArmyCard
from caltrop.engine.rule import Book, Guard
from caltrop.picture import Look, Paint

PathOf = tuple[str | int, ...]
"""Path of a value in an army list: keys and numbers from the top."""


class ArmyFault(msgspec.Struct, frozen=True, kw_only=True):
    message: str
    """Words of the fault, with a correct alternative."""
    clause: str = ""
    """Clause that the army list breaks; empty if no clause is broken, as by a misspelled word."""
    path: PathOf = ()
    unfinished: bool = False
    """True if the fault can be corrected by adding units."""
    nearest: str = ""
    """If the list names an unknown unit, the key of the unit that was probably meant."""

    @property
    def words(self) -> str:
        """The message of the fault with its clause.

        >>> ArmyFault(message="An army has at most 2 Leaders; this one has 3", clause="S64").words
        'An army has at most 2 Leaders; this one has 3 (S64)'
        """
        return f"{self.message} ({self.clause})" if self.clause else self.message


def held(
    guard: Guard, forbidden: bool, *path: str | int, unfinished: bool = False, **values: Any
) -> Iterator[ArmyFault]:
    """Yield a fault if a guard forbids something in an army list.

    Args:
        unfinished: True if adding units can correct the fault.
        guard: Guard that forbids, with the sentence for the fault.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        yield ArmyFault(message=refusal.message, clause=refusal.clause, path=path, unfinished=unfinished)


class ArmyChoice(msgspec.Struct, frozen=True, kw_only=True):
    value: str | int
    words: str
    points: int | None = None
    """Additional points for the unit, or for each model if the trait applies to all models."""
    about: str = ""
    """Description in one sentence."""


class ArmyOption(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for a unit, stored in a field of the unit's entry in the army list."""

    field: str
    words: str
    """Label of the field."""
    sort: Literal["number", "one", "several", "yes", "line"]
    """A whole number, one of the choices, several choices (repetition allowed), yes or no, or a text."""
    usual: Any = None
    """Default value."""
    least: int = 0
    most: int = 0
    """Upper bound: the greatest number, the most choices, or the most characters of a text."""
    choices: tuple[ArmyChoice, ...] = ()
    points: int | None = None
    """Points that the unit costs more if the answer is yes."""
    clause: str = ""


class ArmyNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A printed value of a unit, such as its speed."""

    words: str
    value: str


class ArmyUnit(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    title: str
    entry: Mapping[str, Any]
    """Fields of an entry in an army list that identify the unit."""
    also: Mapping[str, Any] = {}
    """Further fields of a new entry, such as an initial number of models."""
    group: str = ""
    """Heading under which units of one group are listed together."""
    numbers: tuple[ArmyNumber, ...] = ()
    words: tuple[str, ...] = ()
    """Special rules of the unit, one sentence each."""
    points: int | None = None
    """Points of a unit with `entry` and `also`; None if they are unknown."""
    options: tuple[ArmyOption, ...] = ()
    look: Look | UnsetType = UNSET
    """Drawing of the unit from above."""
    silhouette: str = ""
    """Drawing of the unit from the side."""


def no_points(book: Book, army: Any) -> int | None:
    return None


def no_price(book: Book, army: Any, number: int) -> int | None:
    return None


class Armoury(msgspec.Struct, frozen=True, kw_only=True):
    """Functions and data for editing the army lists of a game."""

    form: type[msgspec.Struct]
    check: Callable[[Path], str]
    """Checks a file and returns a short description. Raises `InputError` for a fault, with file, line and column."""
    catalogue: Callable[[Book, Mapping[str, Any]], Sequence[ArmyUnit]]
    """Returns the units that an army list may contain, given its present content, which may be faulty."""
    faults: Callable[[Book, Any, int | None], Iterator[ArmyFault]]
    """Returns all faults of a readable army list, given the agreed points."""
    cost: Callable[[Book, Any], int | None] = no_points
    """Returns the points of an army list; None if they are unknown."""
    price: Callable[[Book, Any, int], int | None] = no_price
    """Returns the points of an entry, given its index in the army list; None if they are unknown."""
    shipped: Callable[[], Mapping[str, Path]] = dict
    """The army lists that the game comes with, by id."""
    shed: Sequence[str] = ("id", "clauses")
    """Fields that are dropped when a supplied list is copied."""
    units: str = "units"
    """The field of the file that lists the units."""
    count: str = ""
    """The field of an entry that holds the number of identical units; empty if each unit has its own entry."""
    race: str = ""
    """The field of the file that decides which catalogue is used; empty if there is one catalogue."""
    races: Callable[[Book], Sequence[ArmyChoice]] = lambda book: ()
    """Returns the possible values of the field `race`."""
    named: bool = False
    """True if every unit has a unique name."""
    names: Sequence[str] = ()
    """Suggested names for new units. If no names are suggested, a new unit is named after its title."""
    agreed: Callable[[Book], Sequence[int]] = lambda book: ()
    """The usual points of a battle, the most common first; empty if armies are not matched by points."""
    measured: bool = False
    """True if points were measured in battles, because the rulebook prints none."""
    card: Callable[[Book, str], ArmyCard] | None = None
    """Returns an army list's entry in a lobby, given its id, path, text or link. Raises `InputError` for a fault."""
    paint: Callable[[Mapping[str, Any]], Paint | UnsetType] = lambda draft: UNSET
    """Returns the colours of the units, given the content of the list."""
