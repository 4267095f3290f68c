"""The notation of rulings: how a game's lengths, units and sums are written, and the facts that a ruling can expect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Notation = Mapping[str, Callable[[Any, Any], Any]]
"""Functions that turn a value into another notation, by the name of its field. They get the case and the value."""

UnitFacts = Mapping[str, Callable[[Any, int, Any], Any]]
"""Functions that return a fact about a unit, by its key. They get the case, the unit and the expected value."""


class Fact(NamedTuple):
    """A fact about the position."""

    words: str
    """Words for the fact; if several are expected by name, `{}` stands for the name."""
    now: Callable[[Any, Any], Any]
    """Returns the fact, given the case and the expected value; if several are expected, given the name instead."""


class Lengths(NamedTuple):
    """The notation of lengths and places, which may be rounded.

    >>> metres = Lengths(lambda length: round(length * 1000), lambda length: round(length / 1000, 1), 50)
    >>> metres.place((1, 2.5)), metres.near(1.5, 1532), metres.near(1.5, 1651)
    ((1000, 2500), 1.5, 1.7)
    >>> metres.places_now([(1, 1)], [(1020, 980), (2000, 0)])
    [[1, 1], [2.0, 0.0]]
    """

    read: Callable[[Any], int]
    write: Callable[[int], float]
    tolerance: int = 0
    """Largest difference between equal lengths."""

    def place(self, given: Sequence[Any]) -> tuple[int, int]:
        return self.read(given[0]), self.read(given[1])

    def written(self, at: Sequence[int]) -> list[float]:
        """Return a place in the notation of rulings."""
        return [self.write(length) for length in at]

    def near(self, expected: float, now: int) -> float:
        """Return the expected length if it equals a length of the game, else that length as it is written."""
        return expected if abs(self.read(expected) - now) <= self.tolerance else self.write(now)

    def place_now(self, expected: Sequence[float], at: Sequence[int]) -> list[float]:
        """Return the expected place if it equals a place of the game, else that place as it is written."""
        near = all(abs(a - b) <= self.tolerance for a, b in zip(self.place(expected), at, strict=True))
        return list(expected) if near else self.written(at)

    def places_now(self, expected: Sequence[Sequence[float]], places: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return `place_now` for each of several places; places that no one expects are written."""
        pairs = zip(expected, places, strict=False)
        return [self.place_now(*pair) for pair in pairs] + [self.written(at) for at in places[len(expected) :]]


def added_up(play: Any, terms: Any) -> Any:
    """Return the sum of terms, which is all that a ruling says of them."""
    return sum(term["value"] for term in terms) if isinstance(terms, list) else terms


def as_lists(value: Any) -> Any:
    """Return a value with tuples as lists, as a file has them."""
    if isinstance(value, list | tuple):
        return [as_lists(inner) for inner in value]
    return {key: as_lists(inner) for key, inner in value.items()} if isinstance(value, Mapping) else value
