"""Chances that are passed on from part to part, and the best order of the parts."""

from __future__ import annotations

from itertools import permutations

import pytest

from caltrop.chance import Distribution
from caltrop.engine.part_by_part import PartByPart, Step

STEPS: list[tuple[Step, ...]] = [
    ((0,), (1,), (2,)),
    ((2,), (1,), (0,)),
    ((0, 3), (1, 3), (2, 3)),
    ((1,), (0,), (1,)),
]


def follow(number: int, points: int) -> Distribution[int]:
    """Return the points after a part: 0 a blow that strong opponents resist, 1 a blow that needs luck, 2 one that
    halves, 3 a rest.
    """
    if number == 3:
        return Distribution.certain(points + 1 if points else 0)
    left = {0: max(points - 1, 0) if points > 3 else points, 1: max(points - 4, 0), 2: points // 2}[number]
    return Distribution([(left, 1 + number), (points, 2)])


def mean(order: tuple[Step, ...]) -> float:
    states, parts = Distribution.certain(7), PartByPart(follow)
    for number in [number for step in order for number in step]:
        states = parts.after(states, number)
    return float(states.expected(lambda points: points))


@pytest.mark.parametrize("last", [(), (2,), (3, 0)])
@pytest.mark.parametrize("steps", STEPS)
def test_no_order_of_parts_is_better_than_the_best(steps: tuple[Step, ...], last: Step) -> None:
    best = PartByPart(follow).best_order(Distribution.certain(7), steps, last, lambda points: (points,))
    every = {
        order: round(mean((*[steps[place] for place in order], last)), 9) for order in permutations(range(len(steps)))
    }
    assert every[best] == min(every.values())
    assert len(set(every.values())) > 1
    assert best == min(order for order, worth in every.items() if worth == every[best])


def test_a_part_is_worked_out_once_for_each_state() -> None:
    asked: list[tuple[int, int]] = []

    def noted(number: int, points: int) -> Distribution[int]:
        asked.append((number, points))
        return follow(number, points)

    PartByPart(noted).best_order(Distribution.certain(7), STEPS[2], (), lambda points: (points,))
    assert len(asked) == len(set(asked))
