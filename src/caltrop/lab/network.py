"""A small network for probabilities: a logistic sum of numbers and of some non-linear functions of them.

Each number says how much the position favours the first side. If the sides change places, all numbers change their
sign, and the probability p becomes 1 - p. For that reason the sums have no constants, and the non-linear function is
odd. The network is fitted by gradients in small batches (Adam); the step size falls to zero along half a cosine.
Numbers are scaled to a common size before the fit, and the weights are scaled back at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi

import msgspec
import numpy as np
from numpy.typing import NDArray

STEPS = 4000
BATCH = 512
"""Number of rows in one step of the fit."""
STEP = 3e-3
FADE = 0.3
"""Weight decay for a step of size 1."""
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8
"""Decay rates of Adam for the means of gradients and of their squares, and its guard against division by zero."""

Array = NDArray[np.float64]


class Network(msgspec.Struct, frozen=True):
    """Weights of the direct sum."""

    straight: tuple[float, ...]
    hidden: tuple[tuple[float, ...], ...]
    """Weights of each hidden unit, one for each input number."""
    heights: tuple[float, ...]
    """Largest contribution of each hidden unit, in logits."""


def network(
    rows: Sequence[Sequence[float]], outcomes: Sequence[float], shares: Sequence[float], hidden: int, seed: int
) -> Network:
    """Return the network that predicts the results best.

    >>> made = network([[1.0, 1.0], [1.0, -1.0]], [1.0, 0.5], [1.0, 1.0], hidden=3, seed=1)
    >>> len(made.straight), len(made.hidden), len(made.heights)
    (2, 3, 3)

    Args:
        rows: The numbers of each observation, equally many for all.
        outcomes: Result of each observation, from 0 to 1.
        shares: Weight of each observation.
        hidden: Number of non-linear sums.
        seed: Seed of the initial weights and of the order of rows.
    """
    x, y, weigh = np.array(rows), np.array(outcomes), np.array(shares)
    size = np.sqrt((x * x).mean(0)) + 1e-6
    x /= size
    draw = np.random.default_rng(seed)
    width = x.shape[1]
    # Weights of the direct sum, heights, and weights of the non-linear sums.
    now = [np.zeros(width), draw.normal(0, hidden**-0.5, hidden), draw.normal(0, width**-0.5, (width, hidden))]
    means, squares = [np.zeros_like(one) for one in now], [np.zeros_like(one) for one in now]
    batches, order = -(-len(x) // BATCH), draw.permutation(len(x))
    for step in range(STEPS):
        if step % batches == 0:
            order = draw.permutation(len(x))
        some = order[step % batches * BATCH :][:BATCH]
        length = STEP * (1 + cos(pi * step / STEPS)) / 2
        for n, slope in enumerate(_slopes(now, x[some], y[some], weigh[some])):
            means[n] += (1 - FIRST) * (slope - means[n])
            squares[n] += (1 - SECOND) * (slope * slope - squares[n])
            mean, square = means[n] / (1 - FIRST ** (step + 1)), squares[n] / (1 - SECOND ** (step + 1))
            now[n] = now[n] * (1 - length * FADE) - length * mean / (np.sqrt(square) + TINY)
    straight, heights, bent = now[0] / size, now[1], now[2] / size[:, None]
    return Network(tuple(straight.tolist()), tuple(map(tuple, bent.T.tolist())), tuple(heights.tolist()))


def _slopes(now: Sequence[Array], x: Array, y: Array, shares: Array) -> tuple[Array, Array, Array]:
    """Return the gradient of the mean log loss for each weight, in logits."""
    straight, heights, bent = now
    curves = np.tanh(x @ bent)
    off = (1 / (1 + np.exp(-(x @ straight + curves @ heights))) - y) * shares / shares.sum()
    return x.T @ off, curves.T @ off, x.T @ (off[:, None] * heights * (1 - curves * curves))
