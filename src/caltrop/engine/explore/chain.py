"""Exact odds of several procedures, one after another, in any order.

Each part is run from every state that the earlier parts lead to, once for each of them. Orders of the same parts share
what they have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from caltrop.chance import Distribution, Seeded
from caltrop.clauses import uncounted
from caltrop.engine.explore.answer import TIMES, Explored, play_on, play_part
from caltrop.engine.explore.change import ShelfReplaced
from caltrop.engine.explore.solve import (
    NODES,
    OVER,
    CannotExplore,
    ClosedForm,
    Explorer,
    Finish,
    Policy,
    first_option,
)
from caltrop.engine.procedure import Procedure
from caltrop.engine.state import State

Part = Callable[[Any, int], Procedure | ClosedForm | None]
"""Returns a part of a chain by its number, for the state in which it begins; None if it does nothing there. It may
write into the state what comes before the part.
"""
Chances = Mapping[Finish, float]


class Chain:
    """Parts that can be run one after another in any order. Do not share it between threads.

    Args:
        root: The state, as the asking side may see it; it is not changed.
        part: Returns the parts.
        policy: Answers decisions.
        nodes: Largest number of nodes for all orders together.
    """

    def __init__(self, root: State, part: Part, policy: Policy = first_option, *, nodes: int = NODES) -> None:
        self.root, self.part, self.policy = root, part, policy
        self.explorer = Explorer(root, policy, nodes=nodes)
        self.done: set[int] = set()
        """Numbers of the parts that did something in at least one state."""
        self._solved: dict[tuple[Finish, int], tuple[tuple[Finish, Fraction, float], ...]] = {}

    def allow(self, nodes: int) -> None:
        """Allow further nodes."""
        self.explorer.left += nodes

    def explored(
        self, order: Sequence[int], end: Callable[[Any], Hashable], *, times: int = TIMES, seed: str = "estimate"
    ) -> Explored:
        """Return the odds of the results of the parts in an order; an estimate if they need too many nodes.

        Args:
            end: Returns the outcome for a state after the last part, or at the end of the game.
            times: Number of playouts for an estimate.
        """
        try:
            with uncounted():
                return Explored(self._odds(order, end))
        except (CannotExplore, ShelfReplaced) as reason:
            return Explored(self._played(order, end, times, seed), times, str(reason))

    def means(
        self, states: Chances, worth: Callable[[Any], tuple[int, ...]], held: dict[Finish, tuple[int, ...]]
    ) -> tuple[float, ...]:
        """Return the mean of each number of *worth*, rounded.

        Args:
            states: Chances of states.
            worth: Returns numbers for a state.
            held: Numbers that are known, which are added to.
        """
        sums: list[float] = []
        for finish, chance in states.items():
            values = held.get(finish)
            if values is None:
                self.explorer.bench.go(finish[0])
                values = held[finish] = worth(self.explorer.bench.t)
            sums = [total + value * chance for total, value in zip(sums or [0.0] * len(values), values, strict=True)]
        return tuple([round(total, 9) for total in sums])

    @property
    def start(self) -> Finish:
        return self.explorer.bench.none, None

    def after(self, states: Chances, number: int) -> dict[Finish, float]:
        """Return the rounded chances of the states after one more part.

        Raises CannotExplore if it has too many nodes.
        """
        reached: dict[Finish, float] = {}
        for finish, chance in states.items():
            for now, _, p in self._ways(finish, number):
                reached[now] = reached.get(now, 0.0) + chance * p
        return reached

    def _odds(self, order: Sequence[int], end: Callable[[Any], Hashable]) -> Distribution[Any]:
        states = {self.start: Fraction(1)}
        for number in order:
            reached: dict[Finish, Fraction] = {}
            for finish, chance in states.items():
                for now, share, _ in self._ways(finish, number):
                    reached[now] = reached.get(now, Fraction(0)) + chance * share
            states = reached
        outcomes: dict[Any, Fraction] = {}
        for (change, _), chance in states.items():
            self.explorer.bench.go(change)
            outcome = end(self.explorer.bench.t)
            outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + chance
        common = lcm(*[chance.denominator for chance in outcomes.values()])
        return Distribution({outcome: int(chance * common) for outcome, chance in outcomes.items()})

    def _ways(self, finish: Finish, number: int) -> tuple[tuple[Finish, Fraction, float], ...]:
        """Return the states that a part leads to from a state, each with its chance, also rounded."""
        ways = self._solved.get((finish, number))
        if ways is not None:
            return ways
        change, result = finish
        bench = self.explorer.bench
        bench.go(change)
        part = None if result is OVER else self.part(bench.t, number)
        here = bench.collect()
        if part is None:
            ways = (((here, result), Fraction(1), 1.0),)
        else:
            self.done.add(number)
            finishes, whole = self.explorer.run(part, here)
            reached: dict[Finish, int] = {}
            for (now, halt), weight in finishes:
                key = now, OVER if halt is OVER else None
                reached[key] = reached.get(key, 0) + weight
            ways = tuple([(now, Fraction(weight, whole), weight / whole) for now, weight in reached.items()])
        self._solved[finish, number] = ways
        return ways

    def _played(self, order: Sequence[int], end: Callable[[Any], Hashable], times: int, seed: str) -> Distribution[Any]:
        counts: dict[Any, int] = {}
        dice = Seeded(seed)
        with uncounted():
            for _ in range(times):
                t: Any = self.root.clone()
                for number in order:
                    part = None if t.over is not None else self.part(t, number)
                    if part is not None:
                        self.done.add(number)
                        play_part(t, part, dice)
                        play_on(t, dice, self.policy)
                outcome = end(t)
                counts[outcome] = counts.get(outcome, 0) + 1
        return Distribution(counts)
