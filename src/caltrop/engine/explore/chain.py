"""Exact odds of an act whose parts run one after another, in any order.

Each part is run once from every state that earlier parts can lead to. Different orders share these runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import count
from typing import Any

from caltrop.chance import Distribution, Seeded
from caltrop.clauses import uncounted
from caltrop.engine.explore.answer import TIMES, Bottom, Explored, play_on, played, put_under_way
from caltrop.engine.explore.change import ShelfReplaced
from caltrop.engine.explore.solve import (
    NODES,
    OVER,
    CannotExplore,
    ClosedForm,
    Explorer,
    Finish,
    FormOf,
    Policy,
    View,
    first_option,
)
from caltrop.engine.flow import advance, answer
from caltrop.engine.part_by_part import PartByPart, Step
from caltrop.engine.procedure import Procedure
from caltrop.engine.state import State, copied

Part = Callable[[Any, int], Procedure | ClosedForm | None]
"""Returns the part with a number, given the state in which the part begins; None if the part does nothing. The function
may prepare the state for the part.
"""
UnderWay = tuple[Sequence[Procedure], Any]
"""Running procedures, the innermost last, and the reply for the innermost."""


class Chain:
    """Parts that can be run one after another in any order. A chain must not be shared between threads.

    Args:
        root: The state, as the asking side may see it; it is not changed.
        part: Returns a part by its number in the act.
        explorer: Explores the parts from *root*; by default a new one, with *policy* and *nodes*.
        policy: Answers decisions.
        nodes: Largest number of nodes for all orders together.
        first: Procedures that run before all parts.
    """

    def __init__(
        self,
        root: State,
        part: Part,
        policy: Policy = first_option,
        *,
        explorer: Explorer | None = None,
        nodes: int = NODES,
        first: UnderWay | None = None,
    ) -> None:
        self.root, self.part, self.policy, self.first = root, part, policy, first
        self.explorer = explorer or Explorer(root, policy, nodes=nodes)
        self.done: set[int] = set()
        """Numbers of the parts that did something in at least one state."""
        self._parts = PartByPart(self._follow)

    def explored(
        self,
        order: Sequence[int] | None,
        end: Callable[[Any], Hashable],
        *,
        times: int = TIMES,
        seed: str = "estimate",
    ) -> Explored:
        """Return the odds of the results of the parts in an order; an estimate if the exploration needs too many nodes.

        Args:
            order: Numbers of the parts; None for 0, 1, 2 and so on, up to the first that does nothing.
            end: Returns the outcome for a state after the last part, or at the end of the game.
            times: Number of playouts for an estimate.
        """
        try:
            return Explored(self.odds(order, end))
        except (CannotExplore, ShelfReplaced) as reason:
            return played(lambda dice: end(self._played(order, dice)), str(reason), times, seed)

    def odds(self, order: Sequence[int] | None, end: Callable[[Any], Hashable]) -> Distribution[Any]:
        """Return the exact odds of the results of the parts in an order.

        Raises CannotExplore if the parts need too many nodes or have an unsupported effect.
        """
        with uncounted():
            return self.explorer.told(self._after(order), lambda t, _: end(t))

    def best_order(
        self, before: Sequence[int], steps: Sequence[Step], last: Step, worth: Callable[[Any], tuple[int, ...]]
    ) -> tuple[int, ...]:
        """Return the order of steps with the lowest expected value (see `PartByPart`).

        Raises CannotExplore if the parts need too many nodes or have an unsupported effect.

        Args:
            before: Numbers of the parts that come before all steps.
            last: Numbers of the parts that come after all steps.
            worth: Returns the value of a state, as numbers compared in order; less is better.
        """

        def worth_of(finish: Finish) -> tuple[int, ...]:
            self.explorer.bench.go(finish[0])
            return worth(self.explorer.bench.t)

        with uncounted():
            return self._parts.best_order(self._after(before), steps, last, worth_of)

    def _after(self, order: Sequence[int] | None) -> Distribution[Finish]:
        explorer = self.explorer
        ends = Distribution.certain((explorer.bench.none, None)) if self.first is None else explorer.run_on(*self.first)
        for number in count() if order is None else order:
            ends = self._parts.after(ends, number)
            if order is None and number not in self.done:
                break
        return ends

    def _follow(self, number: int, finish: Finish) -> Distribution[Finish]:
        change, result = finish
        bench = self.explorer.bench
        bench.go(change)
        part = None if result is OVER else self.part(bench.t, number)
        here = bench.collect()
        if part is None:
            return Distribution.certain((here, result))
        self.done.add(number)
        if isinstance(part, ClosedForm):
            return self.explorer.written(part, here)
        ends = Distribution(self.explorer.solve(part, here, False)[0])
        return ends.map(lambda end: (end[0], OVER if end[1] is OVER else None))

    def _played(self, order: Sequence[int] | None, dice: Seeded) -> State:
        t = self.root.clone()
        if self.first is not None:
            frames, reply = self.first
            if len(frames) < len(t.stack):
                bottom: Any = Bottom()
                t.stack = [bottom, *t.stack[-len(frames) :]]
            answer(t, dice, 0, reply)
            play_on(t, dice, self.policy)
        for number in count() if order is None else order:
            part = None if t.over is not None else self.part(t, number)
            if part is not None:
                self.done.add(number)
                play_part(t, part, dice)
                play_on(t, dice, self.policy)
            elif order is None:
                break
        return t


def play_part(t: State, part: Procedure | ClosedForm, dice: Seeded) -> None:
    """Play one part of an act, up to its first question."""
    if isinstance(part, ClosedForm):
        part.write(t, part.odds.draw(dice.below))
        t.stack, t.queue, t.asked, t.answers = [], [], (), ()
        return
    put_under_way(t, [copied(part)])
    advance(t, dice)


def explore_answer(
    view: State,
    action: Any,
    end: Callable[[Any], Hashable],
    policy: Policy,
    *,
    after: Part = lambda t, number: None,
    within: tuple[type[Procedure], ...] = (),
    views: Mapping[type[Procedure], View] | None = None,
    closed_forms: Mapping[type[Procedure], FormOf] | None = None,
    nodes: int = NODES,
    times: int = TIMES,
    seed: str = "estimate",
) -> Explored:
    """Return the odds of an answer's results, up to a question at which the policy stops.

    The policy answers the questions of the other side during the act. In a charge, for instance, the other side may
    fire and fight back. Raises ValueError unless exactly one question is open.

    Args:
        view: The state as the asked side sees it; it is not changed.
        action: The answer to the open question; it must be legal.
        end: Returns the outcome for a state at the end of the act or of the game.
        policy: Answers decisions, and returns `STOP` to end the act.
        after: Returns later parts of the act, such as a fight later in the turn.
        within: Kinds of procedures whose end also ends the act; empty for no such limit.
        views: See `Explorer`.
        closed_forms: See `Explorer`.
        nodes: Largest number of nodes; beyond it the odds are estimated.
        times: Number of playouts for an estimate.
    """
    if len(view.asked) != 1:
        raise ValueError(f"one question has to be open, and {len(view.asked)} are")
    first = next((place for place, frame in enumerate(view.stack) if isinstance(frame, within)), 0) if within else 0
    explorer = Explorer(view, policy, views=views, closed_forms=closed_forms, nodes=nodes)
    chain = Chain(view, after, policy, explorer=explorer, first=(view.stack[first:], action))
    return chain.explored(None, end, times=times, seed=seed)
