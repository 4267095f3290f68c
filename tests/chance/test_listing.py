"""Every result of a process with dice: by classes of rolls, with exact chances, and none where there are too many."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from caltrop.chance import Dice, GivenRolls, Pool, RollMissing, at_least, every_result


def saved(dice: Dice) -> int:
    """Throw three dice for hits on 4 or more, then one die for each hit, and return how many of these show a 5 or 6."""
    if isinstance(dice, GivenRolls):
        dice.reads = at_least(4)
    hits = sum([face >= 4 for face in dice.roll(Pool(3), ())])
    if isinstance(dice, GivenRolls):
        dice.reads = at_least(5)
    return sum([face >= 5 for face in dice.roll(Pool(hits), ())])


def test_the_results_have_the_chances_of_all_faces() -> None:
    results = every_result(saved, 100)
    assert results is not None
    chances: Counter[int] = Counter()
    for result, chance in results:
        chances[result] += chance  # type: ignore[assignment]
    brute: Counter[int] = Counter()
    for roll in product(range(1, 7), repeat=3):
        hits = sum([face >= 4 for face in roll])
        for second in product(range(1, 7), repeat=hits):
            brute[sum([face >= 5 for face in second])] += Fraction(1, 6 ** (3 + hits))  # type: ignore[assignment]
    assert chances == brute
    assert len(results) == 1 + 2 + 3 + 4, "one result for each number of hits and of fives"


def test_without_a_reading_every_set_of_faces_is_a_result() -> None:
    results = every_result(lambda dice: sum(dice.roll(Pool(2), ())), 21)
    assert results is not None
    assert len(results) == 21
    assert sum([chance for _, chance in results]) == 1
    assert every_result(lambda dice: sum(dice.roll(Pool(2), ())), 20) is None


def test_there_are_no_results_if_there_are_more_than_wanted() -> None:
    assert len(every_result(saved, 10) or ()) == 10
    assert every_result(saved, 9) is None
    assert every_result(lambda dice: dice.roll(Pool(100), ()), 64) is None


def test_a_process_without_dice_has_one_result() -> None:
    assert every_result(lambda dice: dice.roll(Pool(0), ()), 1) == [((), Fraction(1))]


def test_the_first_throw_without_a_roll_is_told() -> None:
    dice = GivenRolls([(6,)])
    assert dice.roll(Pool(1)) == (6,)
    with pytest.raises(RollMissing, match="2 dice with 6 sides") as missing:
        dice.roll(Pool(2))
    assert missing.value.throw.pool == Pool(2)
    with pytest.raises(TypeError, match="not a die"):
        dice.below(3)


def test_a_copy_of_given_rolls_does_not_move_the_original() -> None:
    dice = GivenRolls([(6,), (5,)])
    twin = pickle.loads(pickle.dumps(dice))
    assert twin.roll(Pool(1)) == (6,)
    assert dice.roll(Pool(1)) == (6,)
