"""Correct estimated chances of winning towards the results of games that were played on to their end.

Corrections are in log odds, so that a chance stays between 0 and 1. Between two moments with such games the correction
changes evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple, Protocol

ASTRAY = 0.8
"""Standard deviation of the error of fitted chances in a position, in log odds."""
ALIKE = 0.8
"""Correlation of this error between the beginnings of two rounds that follow each other."""
APART = -100.0
"""Place of all moments before the first round, whose errors have nothing to do with later ones."""


class Results(Protocol):
    """Results of games that were played on from one moment."""

    @property
    def games(self) -> int: ...

    @property
    def chance(self) -> tuple[float, ...]:
        """Share of the games that each side won; a draw counts half."""
        ...

    @property
    def error(self) -> float:
        """Standard error of the first side's share."""
        ...


class Disagreement(NamedTuple):
    """The difference between the results of games and the estimate at the moment where they began, in log odds."""

    place: float
    """Place of the moment in the battle, in rounds."""
    size: float
    variance: float
    """Variance of `size` by the chance of these games."""


def _log_odds(chance: float) -> float:
    held = min(0.99, max(0.01, chance))
    return log(held / (1 - held))


def disagreement(place: float, chance: float, games: Results) -> Disagreement:
    """Return the difference between the results of games and the first side's estimated chance."""
    # As if one more game had ended as the estimate says: a few games won say nothing against a high estimate.
    won = min(0.99, max(0.01, (games.chance[0] * games.games + chance) / (games.games + 1)))
    sure = won * (1 - won)
    # If all games are drawn, the share is more certain than if half are won and half lost.
    variance = min(1 / (games.games * sure), (games.error / sure) ** 2)
    return Disagreement(place, _log_odds(won) - _log_odds(chance), variance)


def corrections(disagreements: Sequence[Disagreement]) -> list[float]:
    """Return the shift in log odds of the first side's estimated chance at each moment with games.

    The error of the estimate is a normal process: `ASTRAY` at each moment, and alike at moments close to each other. So
    a shift follows certain results by the whole difference, uncertain ones by less, and also the results of neighbours.

    >>> [round(shift, 2) for shift in corrections([Disagreement(1, 1.0, 0.0), Disagreement(2, 0.0, 1e9)])]
    [1.0, 0.8]
    """
    shared = [[ASTRAY**2 * ALIKE ** abs(one.place - other.place) for other in disagreements] for one in disagreements]
    noisy = [
        [value + (one.variance if column == row else 0.0) for column, value in enumerate(shared[row])]
        for row, one in enumerate(disagreements)
    ]
    weights = _solved(noisy, [one.size for one in disagreements])
    return [sum([value * weight for value, weight in zip(row, weights, strict=True)]) for row in shared]


def _solved(matrix: list[list[float]], values: list[float]) -> list[float]:
    """Return the solution of a system of linear equations with a symmetric positive definite matrix (Cholesky)."""
    count = len(values)
    lower = [[0.0] * count for _ in values]
    for row in range(count):
        for column in range(row + 1):
            rest = matrix[row][column] - sum([lower[row][k] * lower[column][k] for k in range(column)])
            lower[row][column] = sqrt(max(rest, 1e-12)) if row == column else rest / lower[column][column]
    forward: list[float] = []
    for row in range(count):
        rest = values[row] - sum([lower[row][k] * forward[k] for k in range(row)])
        forward.append(rest / lower[row][row])
    solution = [0.0] * count
    for row in reversed(range(count)):
        rest = forward[row] - sum([lower[k][row] * solution[k] for k in range(row + 1, count)])
        solution[row] = rest / lower[row][row]
    return solution


def between(marks: Sequence[tuple[int, float]], at: int) -> float:
    """Return the value at a place between marks, each a place and its value; beyond the marks, that of the nearest.

    >>> between([(0, 0.0), (10, 1.0)], 5), between([(0, 0.0), (10, 1.0)], 12)
    (0.5, 1.0)
    """
    before = [one for one in marks if one[0] <= at][-1:] or marks[:1]
    after = [one for one in marks if one[0] > at][:1] or marks[-1:]
    (start, low), (end, high) = before[0], after[0]
    return low if end <= start else low + (high - low) * (at - start) / (end - start)


def shifted(chance: tuple[float, ...], shift: float) -> tuple[float, ...]:
    """Return the chances of two sides, shifted in log odds; certain results stay certain."""
    first = chance[0]
    if not 0 < first < 1:
        return chance
    first = 1 / (1 + (1 - first) / first * exp(-shift))
    return (first, 1 - first)
