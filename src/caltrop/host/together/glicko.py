"""The rating system Glicko-2, after Mark Glickman's paper "Example of the Glicko-2 system"."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
"""Points of the usual scale in one unit of the paper's scale."""

TAU = 0.5
"""Limit on changes of volatility; the paper suggests 0.3 to 1.2."""

LARGEST = 350.0
"""The deviation of a new player."""

EXACT = 1e-6


class GlickoStrength(NamedTuple):
    rating: float = 1500.0
    deviation: float = LARGEST
    volatility: float = 0.06


def rested(one: GlickoStrength, periods: float) -> GlickoStrength:
    """Return a rating after some periods without a game, with a larger deviation."""
    phi = sqrt((one.deviation / SCALE) ** 2 + periods * one.volatility**2)
    return one._replace(deviation=min(phi * SCALE, LARGEST))


def expected(one: GlickoStrength, other: GlickoStrength) -> float:
    """Return the expected share of the points against an opponent."""
    return 1 / (1 + exp(-_weight(other.deviation / SCALE) * (one.rating - other.rating) / SCALE))


def after(one: GlickoStrength, results: Sequence[tuple[GlickoStrength, float]]) -> GlickoStrength:
    """Return a strength after the games of a period.

    Args:
        results: The rating of each opponent, and the score: 1, 0.5 or 0.
    """
    if not results:
        return rested(one, 1)
    phi = one.deviation / SCALE
    terms = [(_weight(other.deviation / SCALE), expected(one, other), score) for other, score in results]
    variance = 1 / sum(g * g * e * (1 - e) for g, e, _ in terms)
    gain = sum(g * (score - e) for g, e, score in terms)
    sigma = _volatility(phi, one.volatility, variance, variance * gain)
    wider = sqrt(phi * phi + sigma * sigma)
    phi = 1 / sqrt(1 / (wider * wider) + 1 / variance)
    return GlickoStrength(one.rating + SCALE * phi * phi * gain, min(phi * SCALE, LARGEST), sigma)


def _weight(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the volatility after a period: step 5 of the paper, by the Illinois algorithm."""
    a = log(sigma * sigma)

    def f(x: float) -> float:
        e = exp(x)
        total = phi * phi + variance + e
        return e * (delta * delta - total) / (2 * total * total) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > EXACT:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
