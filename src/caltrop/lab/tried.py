"""Find those of many answers that are better than the given ones, with few tries.

A try plays two answers to the same question on with the same dice, and returns the gain of the one over the other.
Every answer gets a few tries. Those that lose are dropped, and the better half of the others gets twice as many, until
few are left (sequential halving). These are confirmed with new dice, because an answer that was chosen for its luck
looks better than it is. It counts as better if its new tries gain more than a threshold. The threshold is corrected for
the number of answers that are confirmed, so that a battle seldom has a false mistake however many decisions it had.
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
"""Numbers of new tries of an answer that is confirmed; after each it is dropped if it gains too little."""
FALSE = 0.1
"""Largest chance that any of the confirmed answers counts as better if none is."""
APART = 1000
"""Number of the first new try: its dice have been used for nothing else."""

K = TypeVar("K", bound=Hashable)
Try = Callable[[int], float]
"""The gain of an answer with the dice of a number."""


def threshold(tries: int, tests: int) -> float:
    """Return the number of standard errors by which an answer must gain.

    Args:
        tries: Number of its tries.
        tests: Number of answers that are tested.

    >>> round(threshold(32, 1), 2), round(threshold(32, 8), 2), round(threshold(8, 8), 2)
    (1.31, 2.35, 2.72)
    """
    normal = NormalDist().inv_cdf(1 - FALSE / tests)
    # The first correction of a normal quantile to that of Student's distribution.
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
        answers: A try of each answer.
        least: Smallest gain that counts.
        tell: Called with the share of the work that is done, from 0 to 1.
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
