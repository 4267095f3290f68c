"""Answers that are tried: gains are found, and chance alone seldom makes an answer look better."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from caltrop.lab import tried
from caltrop.lab.tried import better

LEAST = 0.02
SPREAD = 0.12
"""Standard deviation of a try in these tests."""


def noisy(key: int, gain: float, seed: int, n: int) -> float:
    """Return the gain of a try with random noise. The same seed and number give the same noise."""
    return gain + Random(f"{seed} {key} {n}").gauss(0, SPREAD)


def battle(gains: list[float], seed: int) -> dict[int, float]:
    return better({key: partial(noisy, key, gain, seed) for key, gain in enumerate(gains)}, LEAST)


def test_chance_alone_seldom_names_a_mistake() -> None:
    """With 40 answers that are not better, at most one battle in ten may name one as better."""
    false = sum(len(battle([0.0] * 40, seed)) for seed in range(300))
    assert false <= 0.1 * 300 + 2 * (0.1 * 300) ** 0.5


def test_large_mistakes_are_found_among_many_decisions() -> None:
    battles = [battle([0.0] * 37 + [0.25, 0.3, 0.4], seed) for seed in range(60)]
    assert sum(37 in one for one in battles) > 50
    assert sum(39 in one for one in battles) > 57
    cost = [one[38] for one in battles if 38 in one]
    assert sum(cost) / len(cost) == pytest.approx(0.3, abs=0.02), "what it costs is not what luck chose it for"


@pytest.mark.parametrize(
    ("gain", "tries", "result"),
    [
        (lambda n: 0.0, tried.TRIES[0], None),
        (lambda n: -0.1, tried.TRIES[0], None),
        (lambda n: 0.1, tried.TRIES[-1] + tried.FRESH[-1], 0.1),
        (lambda n: LEAST / 2, tried.TRIES[-1] + tried.FRESH[0], None),  # too little to be told
        (lambda n: 0.4 if n < tried.TRIES[0] else -0.5, tried.TRIES[1], None),  # lucky at first
        (lambda n: 0.4 if n < tried.APART else 0.0, tried.TRIES[-1] + tried.FRESH[0], None),  # lucky until then
        (lambda n: 0.9 if n in (0, tried.APART) else 0.0, tried.TRIES[-1] + tried.FRESH[-1], None),  # twice by chance
    ],
)
def test_an_answer_is_tried_until_it_is_known_to_be_no_better(
    gain: Callable[[int], float], tries: int, result: float | None
) -> None:
    played: list[int] = []

    def play(n: int) -> float:
        played.append(n)
        return gain(n)

    assert better({"other": play}, LEAST) == ({} if result is None else {"other": pytest.approx(result)})
    assert len(played) == len(set(played)) == tries


def test_few_are_confirmed_and_the_progress_is_told() -> None:
    played: dict[int, int] = {}

    def play(key: int, n: int) -> float:
        played[key] = played.get(key, 0) + 1
        return 0.1 + key / 1000

    shares: list[float] = []
    results = better({key: partial(play, key) for key in range(40)}, LEAST, shares.append)
    assert sorted(results) == list(range(40 - tried.CONFIRMED, 40)), "the best of them"
    assert sum(played.values()) < 40 * 12
    assert shares == sorted(shares)
    assert all(0 <= share < 1 for share in shares)
    assert better({}, LEAST) == {}
