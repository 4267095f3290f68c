"""Compute the chances that many rolls together are as good or as bad as the actual ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erf, sqrt
from typing import NamedTuple

EXACT = 200
"""Largest number of different counts that are listed exactly. Beyond this number, the sum is treated as normal, by its
mean and variance.
"""
DIGITS = 4


class ChanceSpread(NamedTuple):
    """The distribution of the total of some rolls."""

    chances: tuple[float, ...] = (1.0,)
    """Chances of the totals 0, 1, 2, …; empty once there are too many."""
    mean: float = 0.0
    variance: float = 0.0
    complete: bool = True
    """True if the chances of every roll are known."""

    def with_rolls(self, rolls: Sequence[tuple[float, ...]]) -> ChanceSpread:
        """Return the distribution with more rolls. If they are many, the exact counts are not listed.

        Args:
            rolls: For each roll, the chances of 0, 1, 2, …; empty if they are unknown.
        """
        if not self.complete or not all(rolls):
            return self._replace(complete=False)
        chances, mean, variance = self.chances, self.mean, self.variance
        if chances and len(chances) + sum(map(len, rolls)) - len(rolls) >= EXACT:
            chances = ()
        for roll in rolls:
            its_mean, its_variance = _moments(roll)
            mean, variance = mean + its_mean, variance + its_variance
        return ChanceSpread(_together(chances, tuple(rolls)) if chances else (), mean, variance)

    def as_good(self, got: int) -> float | None:
        """Return the chance that the same rolls give this number or more; None if it is unknown."""
        return self._told(self._below(got), True)

    def as_bad(self, got: int) -> float | None:
        """Return the chance that the same rolls give this number or less; None if it is unknown."""
        return self._told(self._below(got + 1), False)

    def _below(self, limit: int) -> float:
        if self.chances:
            return sum(self.chances[: max(limit, 0)])
        return (1 + erf((limit - 0.5 - self.mean) / sqrt(2 * self.variance))) / 2 if self.variance else 0.0

    def _told(self, below: float, above: bool) -> float | None:
        return round(min(max(1 - below if above else below, 0.0), 1.0), DIGITS) if self.complete else None


@lru_cache(maxsize=1024)
def _moments(chances: tuple[float, ...]) -> tuple[float, float]:
    """Return the mean and the variance of a number, from its chances."""
    mean = sum([count * chance for count, chance in enumerate(chances)])
    return mean, sum([(count - mean) ** 2 * chance for count, chance in enumerate(chances)])


@lru_cache(maxsize=16)
def _together(chances: tuple[float, ...], rolls: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """Return the chances of a sum with some more numbers; the result is cached, because both sides need it."""
    for roll in rolls:
        chances = joined(chances, roll)
    return chances


def joined(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """Return the chances of the sum of two numbers from the chances of each."""
    sums = [0.0] * (len(one) + len(other) - 1)
    for first, p in enumerate(one):
        if p:
            for second, q in enumerate(other):
                sums[first + second] += p * q
    return tuple(sums)
