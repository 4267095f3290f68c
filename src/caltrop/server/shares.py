"""Fair shares of the main thread's time: a heavy user waits while other addresses have requests.

Drags, views, acts and compression take milliseconds each in the main thread. Longer work
runs elsewhere, with its own queues.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from time import perf_counter
from typing import Any

RATE = 0.5
"""Seconds of the main thread that an address may use in each second, while others have requests."""
BURST = 0.5
"""Largest number of seconds of the main thread that an address may use at a stretch."""
ALONE_SECONDS = 2.0
"""Seconds without requests from other addresses after which an address is alone and never waits."""
KEPT = 2000
"""Number of addresses to remember."""


class _Account:
    def __init__(self, now: float) -> None:
        self.left, self.then, self.seen = BURST, now, now
        self.gate = asyncio.Lock()


class Shares:
    """The recent use of each address.

    Args:
        clock: Seconds, rising.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.clock = clock
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    def _of(self, whose: str) -> _Account:
        now = self.clock()
        account = self._accounts.get(whose)
        if account is None:
            account = self._accounts[whose] = _Account(now)
            if len(self._accounts) > KEPT:
                self._accounts.popitem(last=False)
        account.left = min(BURST, account.left + (now - account.then) * RATE)
        account.then = now
        return account

    def wait_of(self, whose: str) -> float:
        """Return the seconds that an address must wait now; 0 without other addresses."""
        left = self._of(whose).left
        if left >= 0:
            return 0.0
        since = self.clock() - ALONE_SECONDS
        alone = not any(other.seen >= since for name, other in self._accounts.items() if name != whose)
        return 0.0 if alone else -left / RATE

    async def ask(self, whose: str) -> None:
        """Wait until an address is served. Beyond its share, an address may have one request served at a time."""
        account = self._of(whose)
        account.seen = self.clock()
        self._accounts.move_to_end(whose)
        if account.left >= 0 and not account.gate.locked():
            return
        async with account.gate:
            while (wait := self.wait_of(whose)) > 0:
                await asyncio.sleep(min(wait, ALONE_SECONDS / 4))
            await asyncio.sleep(0)  # requests of other addresses are served in between

    def took(self, whose: str, seconds: float) -> None:
        self._of(whose).left -= seconds

    async def do(self, whose: str, work: Awaitable[None]) -> None:
        """Run a function for an address, and count its time without waiting."""
        await _Timed(work, lambda seconds: self.took(whose, seconds))


class _Timed:
    """An awaitable whose running time is measured."""

    def __init__(self, work: Awaitable[None], took: Callable[[float], None]) -> None:
        self.work, self.took = work, took

    def __await__(self) -> Generator[Any, Any, None]:
        steps: Any = self.work.__await__()
        value, error = None, None
        while True:
            began = perf_counter()
            try:
                waits = steps.send(value) if error is None else steps.throw(error)
            except StopIteration:
                return
            finally:
                self.took(perf_counter() - began)
            value, error = None, None
            try:
                value = yield waits
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as raised:  # noqa: BLE001  it is for the one who waits there
                error = raised
