"""Draw the curve of a battle: it moves by dice, by acts that changed the table, by mistakes, and at the ends of turns.

An estimate of a position swings while a side carries out its plan: a unit that steps back seems lost until it fires.
So the curve follows the estimate from turn to turn only, and the change by the dice of a turn is taken from the dice.
All calculations are in log odds, so that a chance stays between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

LIMIT = 0.005
"""Smallest chance, and smallest distance from certainty, that has log odds of its own."""


def log_odds(chance: float) -> float:
    """Return the log odds of a chance; a chance close to certainty counts as a little farther from it.

    >>> log_odds(0.5), round(log_odds(1.0), 2)
    (0.0, 5.29)
    """
    held = min(1 - LIMIT, max(LIMIT, chance))
    return log(held / (1 - held))


def chance_at(odds: float) -> float:
    """Return the chance with these log odds."""
    return 1 / (1 + exp(-odds))


def shared_out(change: float, claims: Sequence[float]) -> list[float]:
    """Return the parts of a turn's change that acts caused, at most the amount that each claims.

    Args:
        change: Change of the log odds in a turn, beside its dice.
        claims: Change by each act as the estimate sees it; 0 for an act that changed nothing that a person would see.

    >>> shared_out(3.0, [0.0, 4.0, -1.0, 2.0]), shared_out(3.0, [0.0, 1.0])
    ([0.0, 2.0, 0.0, 1.0], [0.0, 1.0])
    """
    just = [claim if claim * change > 0 else 0.0 for claim in claims]
    total = abs(sum(just))
    return [claim * min(1.0, abs(change) / total) for claim in just] if total else just


class CurveParts(NamedTuple):
    """The course of a battle in log odds of the first side; each tuple has a value for each act."""

    before: tuple[float, ...]
    """Estimates before each act, and after the last."""
    luck: tuple[float, ...]
    """Changes by dice."""
    claims: tuple[float, ...]
    """Changes that the estimate sees in acts that changed the table; 0 for other acts."""
    mistakes: tuple[float, ...]
    """Changes by answers to which a better one is known; 0 for other acts."""
    quiet: tuple[bool, ...]
    """True for acts that were a choice, without dice and without a notable effect."""

    def drawn(self, turns: Sequence[int], last: int, certain: bool) -> tuple[list[float], list[float]]:
        """Return the curve before each act and after the last, and the mean after each act over its dice.

        Args:
            turns: Numbers of the first acts of turns.
            last: Number of acts before the end is certain.
            certain: True if the next act ends the battle, and so the last turn has no estimate at its end.
        """
        moments = [*[start for start in turns if start < last], last]
        dice = [sum(self.luck[start:end]) for start, end in pairwise(moments)]
        play = [*self.mistakes]
        for turn, (start, end) in enumerate(pairwise(moments)):
            rest = self.before[end] - self.before[start] - dice[turn] - sum(self.mistakes[start:end])
            for act, part in enumerate(shared_out(rest, self.claims[start:end]), start):
                play[act] += part
                rest -= part
            if not (certain and end == last):
                # The changes by orders and moves in the turn are shown with the last of them.
                play[max([act for act in range(start, end) if self.quiet[act]], default=end - 1)] += rest
        curve, means = [self.before[0]], []
        for act in range(len(self.luck)):
            means.append(curve[-1] + play[act])
            curve.append(means[-1] + self.luck[act])
        return curve, means
