"""Fair queues: work is done address by address, and for each address game by game.

A busy address delays only itself; other addresses wait for at most one piece of its work.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from caltrop.host.faults import refused

EACH = 4
"""Largest number of one address's questions in a queue."""
MOST = 48
"""Largest number of questions of all addresses in a queue."""

ASKER: ContextVar[str] = ContextVar("asker", default="")
"""The address of the current request; empty for a person at this program, as in a terminal."""

_Waiter = asyncio.Future[None]
T = TypeVar("T")


class Turns:
    """A fair queue by address, and by game within an address.

    Args:
        at_once: Largest number of running tasks.
        each: Number of places of one address; None for any number.
        most: Places of all; None for any number.
        share: Largest number of running tasks of one address; by default one less than `at_once`.
        idle: Called when the queue becomes empty.
        busy: Called when a task starts after that.
    """

    def __init__(
        self,
        at_once: int = 1,
        *,
        each: int | None = EACH,
        most: int | None = MOST,
        share: int = 0,
        idle: Callable[[], None] = lambda: None,
        busy: Callable[[], None] = lambda: None,
    ) -> None:
        self.at_once, self.each, self.most, self.idle, self.busy = at_once, each, most, idle, busy
        self.share = share or max(at_once - 1, 1)
        self.under_way = 0
        self._of: Counter[str] = Counter()
        self._places: dict[str, int] = {}
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Waiter]]] = OrderedDict()

    @contextmanager
    def place(self, whose: str) -> Iterator[None]:
        """Reserve a place in the queue before the body of the request is read.

        Raises Refused if the address has too many places, or the queue is full.
        """
        taken = self._places.get(whose, 0)
        if self.each is not None and taken >= self.each:
            words = f"{self.each} of your questions are already being answered; wait for them"
            raise refused("too-fast", words)
        if self.most is not None and sum(self._places.values()) >= self.most:
            raise refused("busy", "The server is busy; ask again in a moment")
        self._places[whose] = taken + 1
        try:
            yield
        finally:
            self._places[whose] -= 1
            if not self._places[whose]:
                del self._places[whose]

    @asynccontextmanager
    async def turn(self, whose: str, game: str = "") -> AsyncIterator[None]:
        await self._wait(whose, game)
        try:
            yield
        finally:
            self._over(whose)

    def share_of_each(self) -> float:
        """Return the fraction of its usual time that each task may take, so that all addresses are served soon."""
        return min(1.0, self.at_once / max(self.under_way + len(self._waiting.keys() - self._of.keys()), 1))

    async def _wait(self, whose: str, game: str) -> None:
        waiter: _Waiter = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(whose, OrderedDict()).setdefault(game, deque()).append(waiter)
        self._call()
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._over(whose)  # the task's turn had come
            raise

    def _over(self, whose: str) -> None:
        self.under_way -= 1
        self._of[whose] -= 1
        if not self._of[whose]:
            del self._of[whose]
        self._call()
        if not self.under_way:
            self.idle()

    def _call(self) -> None:
        while self.under_way < self.at_once:
            whose = next((one for one in self._waiting if self._of[one] < self.share), None)
            if whose is None:
                return
            waiter = self._first(whose)
            if waiter.done():  # the task was cancelled
                continue
            if not self.under_way:
                self.busy()
            self.under_way += 1
            self._of[whose] += 1
            waiter.set_result(None)

    def _first(self, whose: str) -> _Waiter:
        """Serve the first task of an address, and move its other tasks to the end."""
        games = self._waiting.pop(whose)
        game, waiters = games.popitem(last=False)
        waiter = waiters.popleft()
        if waiters:
            games[game] = waiters
        if games:
            self._waiting[whose] = games
        return waiter


THREADS = 2
"""Number of threads for short tasks; one per address."""
_threads: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


async def in_turn(do: Callable[..., T], *with_: Any) -> T:
    turns = _threads.setdefault(asyncio.get_running_loop(), Turns(THREADS, each=None, most=None))
    async with turns.turn(ASKER.get()):
        return await asyncio.to_thread(do, *with_)
