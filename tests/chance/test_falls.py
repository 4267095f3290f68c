"""Every fall of the dice (`tests.falls`), against dice that are counted by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from caltrop.chance import Pool, Roll
from tests.falls import TooMany, Written, every_fall


def doubled_six(dice: Written) -> int:
    """Return the sum of two dice, and of a third one if one of them shows 6."""
    first: Roll = dice.roll(Pool(2))
    return sum(first) + (sum(dice.roll(Pool(1))) if max(first) == 6 else 0)


def test_every_fall_has_its_exact_chance() -> None:
    by_hand: dict[int, Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        for c in range(1, 7) if 6 in (a, b) else [0]:
            by_hand[a + b + c] = by_hand.get(a + b + c, Fraction(0)) + Fraction(1, 36 * (6 if c else 1))
    assert dict(every_fall(doubled_six).items()) == by_hand


def test_a_walk_with_too_many_falls_is_given_up_early() -> None:
    calls = 0

    def walk(dice: Written) -> int:
        nonlocal calls
        calls += 1
        return doubled_six(dice)

    with pytest.raises(TooMany):
        every_fall(walk, 35)
    assert calls == 1
    assert len(every_fall(walk, 100)) == len(every_fall(walk))
