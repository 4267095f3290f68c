"""Exact distributions: outcomes with integer weights, without any rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Generic, TypeVar

K = TypeVar("K")
L = TypeVar("L")


class Distribution(Generic[K]):
    """The outcomes of a random event, each with its exact chance.

    An instance never changes. Outcomes keep the order in which they were given, those of chance 0 are left out,
    and weights are in lowest terms. Raises ValueError for a negative weight, or if no outcome has a chance.

    Args:
        weights: Whole-number weight of each outcome; the chance of an outcome is its weight over the sum of all.

    >>> d = Distribution({"miss": 3, "stun": 2, "kill": 1})
    >>> d["stun"], d["nothing"], d.total
    (Fraction(1, 3), Fraction(0, 1), 6)
    """

    __slots__ = ("_weights", "total")

    def __init__(self, weights: Mapping[K, int] | Iterable[tuple[K, int]]) -> None:
        merged: dict[K, int] = {}
        for outcome, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if weight < 0:
                raise ValueError(f"{outcome!r} has the negative weight {weight}")
            if weight:
                merged[outcome] = merged.get(outcome, 0) + weight
        if not merged:
            raise ValueError("a distribution needs an outcome that has a chance")
        common = gcd(*merged.values())
        self._weights = {outcome: weight // common for outcome, weight in merged.items()} if common > 1 else merged
        self.total: int = sum(self._weights.values())

    @classmethod
    def certain(cls, outcome: K) -> Distribution[K]:
        return cls({outcome: 1})

    @classmethod
    def of(cls, outcomes: Iterable[tuple[K, Fraction]]) -> Distribution[K]:
        """Return the distribution of outcomes with their chances; equal outcomes add up."""
        listed = list(outcomes)
        common = lcm(*(chance.denominator for _, chance in listed))
        return cls([(outcome, chance.numerator * (common // chance.denominator)) for outcome, chance in listed])

    def __getitem__(self, outcome: K) -> Fraction:
        """Return the probability of *outcome*; 0 if it is impossible."""
        return Fraction(self._weights.get(outcome, 0), self.total)

    def __iter__(self) -> Iterator[K]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._weights

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        return f"Distribution({self._weights!r})"

    def weights(self) -> tuple[tuple[K, int], ...]:
        return tuple(self._weights.items())

    def items(self) -> Iterator[tuple[K, Fraction]]:
        for outcome, weight in self._weights.items():
            yield outcome, Fraction(weight, self.total)

    def rounded(self) -> tuple[tuple[K, float], ...]:
        return tuple([(outcome, weight / self.total) for outcome, weight in self._weights.items()])

    def sorted(self, key: Callable[[K], Any] | None = None) -> Distribution[K]:
        """Return the same distribution with its outcomes in order."""
        order: list[Any] = list(self._weights)
        order.sort(key=key)
        return Distribution({outcome: self._weights[outcome] for outcome in order})

    def map(self, change: Callable[[K], L]) -> Distribution[L]:
        return Distribution([(change(outcome), weight) for outcome, weight in self._weights.items()])

    def then(self, follow: Callable[[K], Distribution[L]]) -> Distribution[L]:
        """Return the distribution of a random result that depends on the outcome.

        >>> coin = Distribution({0: 1, 1: 1})
        >>> coin.then(lambda a: coin.map(lambda b: a + b))
        Distribution({0: 1, 1: 2, 2: 1})
        """
        nexts = [(weight, follow(outcome)) for outcome, weight in self._weights.items()]
        common = lcm(*(d.total for _, d in nexts))
        return Distribution(
            [(o, weight * w * (common // d.total)) for weight, d in nexts for o, w in d._weights.items()]
        )

    def expected(self, value: Callable[[K], int | Fraction]) -> Fraction:
        """Return the mean of *value* over the outcomes."""
        return Fraction(sum([value(outcome) * weight for outcome, weight in self._weights.items()]), self.total)

    def chance(self, holds: Callable[[K], bool]) -> Fraction:
        return Fraction(sum([weight for outcome, weight in self._weights.items() if holds(outcome)]), self.total)

    def draw(self, below: Callable[[int], int]) -> K:
        """Return a random outcome.

        Args:
            below: Returns a uniform whole number from 0 to below its argument.
        """
        place = below(self.total)
        for outcome, weight in self._weights.items():
            place -= weight
            if place < 0:
                return outcome
        raise ValueError("nothing can happen")
