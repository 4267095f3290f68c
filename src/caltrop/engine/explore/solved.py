"""Odds that were explored once and are asked for again, for as long as the steps that were run are the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

from caltrop.chance import Distribution
from caltrop.clauses import all_on
from caltrop.engine.explore.solve import Explorer
from caltrop.engine.procedure import Procedure

E = TypeVar("E")

MOST = 4096
"""Answers that are held of a kind. The one that nobody has asked for the longest goes first."""

Steps = tuple[tuple[type[Procedure], tuple[Callable[..., Any], ...]], ...]
"""Procedures with what their steps do."""


class Solved(Generic[E]):
    """The odds of one kind of exploration, by all that it reads of a state.

    An answer holds while every procedure that was run for it has the steps that it had then, and no clause is off.

    Args:
        most: The number of answers that are held.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[Steps, Distribution[E]]] = OrderedDict()
        self._lock = Lock()

    def odds(self, read: Hashable, explore: Callable[[], tuple[Explorer, Distribution[E]]]) -> Distribution[E]:
        """Return odds that are held, or have them explored.

        Args:
            read: All that the exploration reads, the house rules included.
            explore: Returns the explorer that was used, and the odds.
        """
        if not all_on():
            return explore()[1]
        with self._lock:
            held = self._held.get(read)
            if held is not None and held[0] == tuple([(kind, _steps(kind)) for kind, _ in held[0]]):
                self._held.move_to_end(read)
                return held[1]
        explorer, odds = explore()
        with self._lock:
            self._held[read] = tuple([(kind, _steps(kind)) for kind in explorer.kinds]), odds
            self._held.move_to_end(read)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        return odds

    def clear(self) -> None:
        """Hold nothing any more."""
        with self._lock:
            self._held.clear()


def _steps(kind: type[Procedure]) -> tuple[Callable[..., Any], ...]:
    return tuple([step.do for step in kind.plan.values()])
