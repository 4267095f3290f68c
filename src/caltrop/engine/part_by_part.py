"""Probabilities passed along the parts of an act, and the best order of the parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Generic, TypeVar

from caltrop.chance import Distribution

S = TypeVar("S", bound=Hashable)

Step = tuple[int, ...]
"""Numbers of parts that stay together in every order."""


class PartByPart(Generic[S]):
    """The states that the parts of an act lead to. Each part is computed once for each state in which it begins.

    Args:
        follow: Returns the states that a part, given by its number, leads to from a state.
    """

    def __init__(self, follow: Callable[[int, S], Distribution[S]]) -> None:
        self._follow = cache(follow)
        self._rounded = cache(lambda number, state: self._follow(number, state).rounded())

    def after(self, states: Distribution[S], number: int) -> Distribution[S]:
        return states.then(partial(self._follow, number))

    def best_order(
        self, start: Distribution[S], steps: Sequence[Step], last: Step, worth: Callable[[S], tuple[int, ...]]
    ) -> tuple[int, ...]:
        """Return the order of steps with the lowest expected value, as indices; of equally good orders the first.

        Equally good steps keep their order. Probabilities are rounded, so that many orders can be compared quickly.

        Args:
            last: Parts that come after all steps.
            worth: Returns the value of a state, as numbers compared in order; less is better.
        """
        worth = cache(worth)

        def orders(begun: tuple[int, ...], states: Mapping[S, float]) -> Iterator[tuple[list[float], Step]]:
            if len(begun) == len(steps):
                yield _means(self._after_step(states, last), worth), begun
            tried: set[Step] = set()
            for place, step in enumerate(steps):
                if place not in begun and step not in tried:
                    tried.add(step)
                    yield from orders((*begun, place), self._after_step(states, step))

        return min(orders((), dict(start.rounded())), key=lambda one: one[0])[1]

    def _after_step(self, states: Mapping[S, float], step: Step) -> Mapping[S, float]:
        for number in step:
            reached: dict[S, float] = {}
            for state, chance in states.items():
                for next_state, share in self._rounded(number, state):
                    reached[next_state] = reached.get(next_state, 0.0) + chance * share
            states = reached
        return states


def _means(states: Mapping[S, float], worth: Callable[[S], tuple[int, ...]]) -> list[float]:
    each = [[value * chance for value in worth(state)] for state, chance in states.items()]
    return [round(sum(values), 9) for values in zip(*each, strict=True)]
