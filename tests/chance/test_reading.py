"""Readings of rolls: classes, weights and representatives agree with counts over every roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from caltrop.chance import FACES, IN_ORDER, SUM, Pool, RollReading, Summed, TooManyOutcomes, at_least, counted, outcomes
from caltrop.engine.procedure import Throw

READINGS = [
    at_least(4),
    at_least(2, 5),
    at_least(1),
    at_least(7),
    at_least(),
    counted((1,), (6,)),
    counted((1, 2), (3, 4), (5, 6)),
    counted(),
    counted((9,)),
    SUM,
    Summed(front=1),
    Summed(front=2, least=0),
    Summed(front=0, least=-3),
    FACES,
    IN_ORDER,
]


@pytest.mark.parametrize("sides", [2, 6, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_outcomes_are_the_classes_of_all_rolls(reading: RollReading, count: int, sides: int) -> None:
    classes = Counter(reading.read(roll, sides) for roll in product(range(1, sides + 1), repeat=count))
    listed, whole = outcomes(reading, count, sides)
    chances = {reading.read(roll, sides): Fraction(weight, whole) for roll, weight in listed}
    assert chances == {read: Fraction(ways, sides**count) for read, ways in classes.items()}
    assert len(chances) == len(listed)
    assert all(len(roll) == count and all(1 <= face <= sides for face in roll) for roll, _ in listed)


def test_a_roll_without_a_reading_is_read_by_its_faces() -> None:
    assert outcomes(None, 1, 6) == outcomes(FACES, 1, 6)


def test_large_pools_have_few_outcomes() -> None:
    listed, whole = outcomes(at_least(4), 20, 6)
    assert len(listed) == 21
    assert whole == 2**20


def test_what_has_too_many_outcomes_says_so() -> None:
    with pytest.raises(TooManyOutcomes, match="10 dice with 6 sides have 60466176 outcomes"):
        outcomes(IN_ORDER, 10, 6)
    with pytest.raises(TooManyOutcomes):
        outcomes(FACES, 3, 1000)
    assert len(outcomes(FACES, 1, 3000)[0]) == 3000


def test_several_dice_need_a_reading_and_one_does_not() -> None:
    with pytest.raises(TypeError, match=r"a throw of 2 dice \('Saves'\) needs reads="):
        Throw(Pool(2), words="Saves")
    assert Throw(Pool(1)).reads is None
    assert Throw(Pool(0)).reads is None
