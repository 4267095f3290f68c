"""Correct estimated chances of winning towards the results of games that were played on to their end.

Corrections are in log odds, so that a chance stays between 0 and 1. Between two moments with such games the correction
changes evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Protocol

ASTRAY = 0.8
"""Standard deviation of the error of fitted chances in a position, in log odds."""


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


def _log_odds(chance: float) -> float:
    held = min(0.99, max(0.01, chance))
    return log(held / (1 - held))


def correction(chance: float, games: Results) -> float:
    """Return the shift in log odds of the first side's estimated chance towards the results of games from there.

    Certain results shift it by the whole difference, uncertain ones by less. The estimate is off by `ASTRAY`.
    """
    won = (games.chance[0] * games.games + 0.5) / (games.games + 1)
    sure = won * (1 - won)
    # If all games are drawn, the share is more certain than if half are won and half lost.
    spread = min(1 / (games.games * sure), (games.error / sure) ** 2)
    return (_log_odds(won) - _log_odds(chance)) * ASTRAY**2 / (ASTRAY**2 + spread)


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
