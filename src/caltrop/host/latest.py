"""A cache of answers about states of games.

Several pages may look at one game, and a pointer often returns to the same unit. A match never changes its states, so
equal questions about the same state have equal answers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")

MOST = 512
"""Largest number of cached answers. The least recently used answer is removed first."""


class LatestAnswers:
    """Answers by state and question, shared by all games and threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[tuple[int, Hashable], tuple[Any, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, state: Any, question: Hashable, do: Callable[[], T]) -> T:
        """Return the answer to a question about a state, from the cache or computed.

        Args:
            state: The state; a reference to it is kept, so that no other object gets the same id.
            question: Everything else that the answer depends on.
        """
        key = (id(state), question)
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
                return cast(T, held[1])
        answer = do()
        with self._lock:
            self._held[key] = state, answer
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return answer
