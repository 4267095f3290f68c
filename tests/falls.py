"""Every fall of the dice of a walk through rules, as an oracle that is played and explores nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from caltrop.chance import FACES, SUM, Distribution, Informed, Pool, Roll, every_way
from caltrop.chance.reading import AtLeast, CountedFaces

FALLS = 1500
"""Largest number of falls of the dice; a walk that has more is given up."""


class TooMany(Exception):
    """A procedure has more falls of the dice than are played."""


class Next(Exception):
    """More dice are thrown than are written."""

    def __init__(self, pool: Pool, in_order: bool) -> None:
        super().__init__(pool)
        self.pool, self.in_order = pool, in_order

    def falls(self) -> list[tuple[Roll, int]]:
        """Return every roll.

        If the rules do not read which die shows which face, one roll stands for all orders of its faces.
        """
        if not self.in_order:
            return [(roll[::-1], weight) for roll, weight in every_way(self.pool.count, self.pool.sides)]
        return [(roll, 1) for roll in product(range(1, self.pool.sides + 1), repeat=self.pool.count)]

    def ways(self) -> int:
        """Return the number of rolls."""
        sides, count = self.pool.sides, self.pool.count
        return sides**count if self.in_order else comb(sides + count - 1, count)


class Written(Informed):
    """Dice with given faces, which report when more are needed."""

    def __init__(self, rolls: tuple[Roll, ...]) -> None:
        super().__init__()
        self.rolls = list(rolls)

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        if not pool.count:
            return ()
        if not self.rolls:
            raise Next(pool, self.reads not in (FACES, SUM) and not isinstance(self.reads, AtLeast | CountedFaces))
        return self.rolls.pop(0)

    def below(self, n: int) -> int:
        raise NotImplementedError


def every_fall(walk: Callable[[Written], Any], most: int = FALLS) -> Distribution[Any]:
    """Return the exact results of a walk over every roll of every die, in any order of dice.

    The walks with the fewest throws come first: where there are too many falls, that is seen after a few walks, before
    their ends are played.
    """
    ends: list[tuple[Any, Fraction]] = []
    ahead: deque[tuple[tuple[Roll, ...], Fraction]] = deque([((), Fraction(1))])
    while ahead:
        rolls, chance = ahead.popleft()
        if len(ends) + len(ahead) > most:
            raise TooMany
        try:
            ends.append((walk(Written(rolls)), chance))
        except Next as thrown:
            if thrown.ways() > most:
                raise TooMany from None
            whole = thrown.pool.sides**thrown.pool.count
            ahead += [((*rolls, roll), chance * Fraction(weight, whole)) for roll, weight in thrown.falls()]
    return Distribution.of(ends)
