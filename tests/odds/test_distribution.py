"""Exact distributions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.chance import Distribution, every_way

weights = st.dictionaries(st.integers(-5, 5), st.integers(0, 9), min_size=1).filter(lambda d: any(d.values()))


def test_weights_are_in_lowest_terms_and_outcomes_without_chance_are_left_out() -> None:
    d = Distribution([("a", 4), ("b", 0), ("c", 2), ("a", 2)])
    assert d.weights() == (("a", 3), ("c", 1))
    assert (d["a"], d["b"], d.total, len(d)) == (Fraction(3, 4), Fraction(0), 4, 2)
    assert "b" not in d


@pytest.mark.parametrize("wrong", [{}, {"a": 0}, {"a": -1, "b": 2}])
def test_a_distribution_needs_an_outcome_and_no_negative_weight(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"distribution|negative"):
        Distribution(wrong)


@given(weights)
def test_chances_add_up_to_one(given_weights: dict[int, int]) -> None:
    d = Distribution(given_weights)
    assert sum(chance for _, chance in d.items()) == 1
    assert d.expected(lambda n: n) == sum(n * chance for n, chance in d.items())
    assert d.chance(lambda n: n > 0) == sum(chance for n, chance in d.items() if n > 0)
    assert list(d.sorted()) == sorted(d)
    assert d.sorted() == d
    assert hash(d.sorted()) == hash(d)


@given(weights, st.integers(1, 7))
def test_equal_chances_are_equal_distributions(given_weights: dict[int, int], factor: int) -> None:
    assert Distribution({k: factor * w for k, w in given_weights.items()}) == Distribution(given_weights)


def test_two_dice_by_enumeration_and_by_what_follows() -> None:
    die = Distribution(dict.fromkeys(range(1, 7), 1))

    two = Distribution(every_way(2)).map(sum)
    assert two == die.then(lambda a: die.map(lambda b: a + b))
    assert two[7] == Fraction(1, 6)
    assert Distribution.certain(3).map(lambda n: n * 2)[6] == 1
