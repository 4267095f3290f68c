"""Intervals of chances that are estimated."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""Standard normal quantile of a 95 % interval."""


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Return the score interval of a proportion (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).

    >>> tuple(round(end, 4) for end in wilson(8, 10))
    (0.4902, 0.9433)
    >>> wilson(10, 10)[1]
    1.0
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, z * z
    centre = (share + square / (2 * games)) / (1 + square / games)
    half = z * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    # At the ends of the scale the formula gives 0 and 1 exactly; floating point would miss them by a hair.
    return 0.0 if wins == 0 else max(0.0, centre - half), 1.0 if wins == games else min(1.0, centre + half)
