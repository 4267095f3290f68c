"""A cache of explored odds, valid while the steps of their procedures are unchanged."""

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
"""Largest number of cached answers of a kind. The least recently used answer is removed first."""

Steps = tuple[tuple[type[Procedure], tuple[Callable[..., Any], ...]], ...]


class Solved(Generic[E]):
    """A cache for one kind of exploration, keyed by everything that the exploration reads from a state.

    A cached answer is valid while the procedures have the same steps and no clause is switched off.

    Args:
        most: Largest number of cached answers.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[Steps, Distribution[E]]] = OrderedDict()
        self._lock = Lock()

    def odds(self, read: Hashable, explore: Callable[[], tuple[Explorer, Distribution[E]]]) -> Distribution[E]:
        """Return cached odds of a question, or explore them.

        Args:
            read: All values that the exploration reads, including the house rules.
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
        with self._lock:
            self._held.clear()


def _steps(kind: type[Procedure]) -> tuple[Callable[..., Any], ...]:
    return tuple([step.do for step in kind.plan.values()])
