"""Logistic regression by Newton's method: the weights that maximise the likelihood of results.

The code is plain Python, so equal rows give equal weights on every machine. Fitting a hundred thousand rows of ten
numbers takes about a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import msgspec

ROUNDS = 40
"""Largest number of steps of Newton's method."""
SMALL = 1e-9
"""Step size below which the method stops."""
FLAT = 1e-6
"""Smallest curvature, so that steps stay finite even if all predictions are nearly certain."""

Vector = list[float]


class Logistic(msgspec.Struct, frozen=True):
    """Fitted weights with their covariance."""

    weights: Vector
    spread: list[Vector]


def chance(weights: Sequence[float], row: Sequence[float]) -> float:
    """Return the chance given by a logistic sum. Numbers of the row beyond the weights are ignored.

    >>> chance([1.0, -1.0], [0.5, 0.5]), round(chance([2.0], [1.0]), 3)
    (0.5, 0.881)
    """
    z = sum([w * x for w, x in zip(weights, row, strict=False) if x])
    return 1 / (1 + exp(-z)) if z > -700 else 0.0


def regression(
    rows: Sequence[Sequence[float]], outcomes: Sequence[float], shares: Sequence[float] = (), *, penalty: float = 0.0
) -> Logistic:
    """Return the weights of a logistic sum that predicts the results.

    >>> sure = regression([[1.0]] * 4, [1.0, 1.0, 1.0, 0.0])
    >>> round(chance(sure.weights, [1.0]), 6)
    0.75

    Args:
        rows: The features of each observation; every row has the same length.
        outcomes: Result of each observation, from 0 to 1.
        shares: Weight of each observation; 1 by default.
        penalty: Factor of the L2 penalty, half of each squared weight, which keeps weights with little evidence near 0.
    """
    size = len(rows[0])
    weights = [0.0] * size
    spread: list[Vector] = []
    columns = [[k for k, x in enumerate(row) if x] for row in rows]
    for _ in range(ROUNDS):
        gradient = [-penalty * w for w in weights]
        bend = [[penalty if i == j else 0.0 for j in range(size)] for i in range(size)]
        for n, (row, there) in enumerate(zip(rows, columns, strict=True)):
            share = shares[n] if shares else 1.0
            p = chance(weights, row)
            off, steep = share * (outcomes[n] - p), share * max(p * (1 - p), FLAT)
            for at, i in enumerate(there):
                x = row[i]
                gradient[i] += off * x
                line, own = bend[i], steep * x
                for j in there[at:]:
                    line[j] += own * row[j]
        for i in range(size):
            for j in range(i):
                bend[i][j] = bend[j][i]
        spread = _inverse(bend)
        step = [sum([a * b for a, b in zip(line, gradient, strict=True)]) for line in spread]
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < SMALL:
            break
    return Logistic(weights, spread)


def _inverse(matrix: Sequence[Vector]) -> list[Vector]:
    """Return the inverse of a positive matrix, by elimination."""
    size = len(matrix)
    work = [[*row, *[float(i == j) for j in range(size)]] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(work[r][i]))
        work[i], work[pivot] = work[pivot], work[i]
        by = work[i][i]
        work[i] = [value / by for value in work[i]]
        for r in range(size):
            if r != i and (factor := work[r][i]):
                work[r] = [a - factor * b for a, b in zip(work[r], work[i], strict=True)]
    return [row[size:] for row in work]
