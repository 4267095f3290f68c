"""Find answers that are better than the given ones, with few tries.

A try plays on from two answers to the same question with the same dice, and returns the gain of one over the other.
Every answer gets a few tries. Answers that lose are dropped, and the better half of the others gets twice as many
tries, until few are left (sequential halving). The remaining answers are confirmed with new dice, because an answer
that was chosen for its luck looks better than it is. An answer counts as better if its gain in the new tries exceeds a
threshold. The threshold is corrected for the number of confirmed answers, so that false mistakes are rare even if a
battle has many decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

TRIES = (2, 4, 8)
"""Numbers of tries after which answers are dropped."""
CONFIRMED = 6
"""Largest number of answers that are confirmed."""
FRESH = (8, 16, 24)
"""Numbers of new tries of an answer that is being confirmed. After each number, an answer that gains too little is
dropped.
"""
FALSE = 0.1
"""Largest probability that any answer is confirmed if none is better."""
APART = 1000
"""Number of the first new try. The dice of new tries have not been used before."""

K = TypeVar("K", bound=Hashable)
Try = Callable[[int], float]
"""Returns the gain of an answer with the dice of a try, given the number of the try."""


def threshold(tries: int, tests: int) -> float:
    """Return the gain, in standard errors, at which an answer counts as better.

    Args:
        tries: Number of tries of an answer.
        tests: Number of answers that are tested.

    >>> round(threshold(32, 1), 2), round(threshold(32, 8), 2), round(threshold(8, 8), 2)
    (1.31, 2.35, 2.72)
    """
    normal = NormalDist().inv_cdf(1 - FALSE / tests)
    # First correction of a quantile of the normal distribution towards that of Student's distribution.
    return normal + (normal**3 + normal) / (4 * (tries - 1))


def gain_of(gains: list[float]) -> tuple[float, float]:
    """Return the mean of some gains with its standard error.

    >>> gain_of([0.0, 0.2])
    (0.1, 0.1)
    """
    mean = sum(gains) / len(gains)
    return mean, sqrt(sum([(one - mean) ** 2 for one in gains]) / (len(gains) - 1) / len(gains))


def better(
    answers: Mapping[K, Try], least: float, tell: Callable[[float], None] = lambda share: None
) -> dict[K, float]:
    """Return the answers that are better than the given ones, with their gains.

    Args:
        answers: The function that tries each answer.
        least: Smallest gain that counts.
        tell: Called with the finished share of the work, from 0 to 1.
    """
    gains: dict[K, list[float]] = {key: [] for key in answers}
    left = list(answers)
    for level, tries in enumerate(TRIES):
        for n, key in enumerate(left):
            tell((level + n / len(left)) / (len(TRIES) + 1))
            gains[key] += [answers[key](k) for k in range(len(gains[key]), tries)]
        means = {key: sum(gains[key]) / tries for key in left if sum(gains[key]) > 0}
        ranked = sorted(means, key=lambda key: -means[key])
        left = ranked[: max(CONFIRMED, len(ranked) // 2)]
    left = left[:CONFIRMED]
    results: dict[K, float] = {}
    for n, key in enumerate(left):
        tell((len(TRIES) + n / len(left)) / (len(TRIES) + 1))
        fresh: list[float] = []
        for tries in FRESH:
            fresh += [answers[key](APART + k) for k in range(len(fresh), tries)]
            if sum(fresh) <= least * len(fresh):
                break
        mean, error = gain_of(fresh)
        if mean > max(least, threshold(len(fresh), len(left)) * error):
            results[key] = mean
    return results
