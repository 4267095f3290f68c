"""Run a process with every result of its dice: once for each class of rolls that its steps tell apart.

A process throws its dice while it runs, and what it throws next depends on the rolls before. `GivenRolls` plays it with
the rolls that are given and stops it at the first throw without one. The caller adds each outcome of that throw, and
runs the process again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from caltrop.chance.dice import Dice, Informed, Pool, Roll, TooManyOutcomes
from caltrop.chance.reading import Outcomes, RollReading, outcomes
from caltrop.errors import Portable

T = TypeVar("T")


class OpenThrow(NamedTuple):
    """A throw that has no roll yet."""

    pool: Pool
    reads: RollReading | None

    def outcomes(self, most: int) -> Outcomes | None:
        """Return one roll, with its weight, for each class of rolls that read alike; None for more than *most*."""
        classes = _outcomes(self)
        return None if classes is None or len(classes[0]) > most else classes


class RollMissing(Portable):
    """A process needs a roll that is not given."""

    def __init__(self, throw: OpenThrow) -> None:
        super().__init__(throw.pool.words)
        self.throw = throw


class GivenRolls(Informed):
    """Dice with given rolls, in their order. The first throw without one raises `RollMissing`."""

    __slots__ = ("rolls", "taken")

    def __init__(self, rolls: Sequence[Roll]) -> None:
        super().__init__()
        self.rolls, self.taken = rolls, 0

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        if pool.count == 0:
            return ()
        if self.taken == len(self.rolls):
            raise RollMissing(OpenThrow(pool, self.reads))
        self.taken += 1
        return self.rolls[self.taken - 1]

    def below(self, n: int) -> int:
        """Raise TypeError, because a process has no random choices besides its dice."""
        raise TypeError("a rule has asked for a choice that is not a die")


def every_result(process: Callable[[Dice], T], most: int) -> list[tuple[T, Fraction]] | None:
    """Return the results of a process with their chances, one for each sequence of outcomes of its throws.

    Runs with few throws come first, so that a process with too many results is given up after a few runs.

    >>> every_result(lambda dice: sum(dice.roll(Pool(1, 2), ())), 2)
    [(1, Fraction(1, 2)), (2, Fraction(1, 2))]

    Args:
        process: Gets dice and throws them. The process must not change anything that a later run reads.
        most: Largest number of results; with more, None is returned.
    """
    pending: deque[tuple[tuple[Roll, ...], Fraction]] = deque([((), Fraction(1))])
    results: list[tuple[T, Fraction]] = []
    while pending:
        rolls, chance = pending.popleft()
        try:
            results.append((process(GivenRolls(rolls)), chance))
        except RollMissing as missing:
            classes = missing.throw.outcomes(most - len(pending) - len(results))
            if classes is None:
                return None
            pending += [((*rolls, roll), chance * Fraction(weight, classes[1])) for roll, weight in classes[0]]
    return results


@lru_cache(maxsize=1024)
def _outcomes(throw: OpenThrow) -> Outcomes | None:
    try:
        return outcomes(throw.reads, throw.pool.count, throw.pool.sides)
    except TooManyOutcomes:
        return None
