"""The curve of a battle moves by dice, by acts that changed the table, by mistakes, and at the ends of turns."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from caltrop.lab.steady import CurveParts, chance_at, log_odds, shared_out

SEEDS = range(40)


def drawn_course(seed: int) -> tuple[CurveParts, list[int], int, bool]:
    """Return a random battle, the first acts of its turns, the number of acts before its end, and how it ends."""
    random = Random(seed)
    acts = random.randint(1, 40)

    def some(share: float) -> tuple[float, ...]:
        return tuple([random.gauss(0, 1) if random.random() < share else 0.0 for _ in range(acts)])

    course = CurveParts(
        before=tuple([random.gauss(0, 2) for _ in range(acts + 1)]),
        luck=some(0.3),
        claims=some(0.2),
        mistakes=some(0.1),
        quiet=tuple([random.random() < 0.8 for _ in range(acts)]),
    )
    turns = [0, *sorted(random.sample(range(1, acts), min(acts - 1, random.randint(0, 6))))]
    certain = random.random() < 0.5
    return course, turns, acts - certain, certain


@pytest.mark.parametrize("seed", SEEDS)
def test_in_a_turn_the_curve_moves_only_by_dice_effects_and_mistakes(seed: int) -> None:
    course, turns, last, certain = drawn_course(seed)
    curve, means = course.drawn(turns, last, certain)
    ends = [one for one in [*turns, last] if one <= last]
    closing = {
        max([act for act in range(start, end) if course.quiet[act]], default=end - 1) for start, end in pairwise(ends)
    }
    for act, (before, after) in enumerate(pairwise(curve)):
        assert after - means[act] == pytest.approx(course.luck[act]), "dice change what they change"
        if not (course.luck[act] or course.claims[act] or course.mistakes[act] or act in closing):
            assert after == before


@pytest.mark.parametrize("seed", SEEDS)
def test_an_act_changes_the_curve_by_no_more_than_the_estimate_sees(seed: int) -> None:
    random = Random(seed)
    claims = [random.gauss(0, 1) for _ in range(random.randint(0, 8))]
    change = random.gauss(0, 2)
    parts = shared_out(change, claims)
    for part, claim in zip(parts, claims, strict=True):
        assert part == 0 or (part * claim > 0 and part * change > 0)
        assert abs(part) <= abs(claim) + 1e-12
    assert abs(sum(parts)) <= abs(change) + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_at_the_ends_of_turns_the_curve_is_the_estimate(seed: int) -> None:
    course, turns, last, certain = drawn_course(seed)
    curve, _ = course.drawn(turns, last, certain)
    for start in [start for start in turns if start < last] if certain else [*turns, last]:
        assert curve[start] == pytest.approx(course.before[start])


def test_log_odds_of_what_is_certain_are_finite() -> None:
    assert chance_at(log_odds(0.3)) == pytest.approx(0.3)
    assert chance_at(log_odds(1.0)) == pytest.approx(0.995)
