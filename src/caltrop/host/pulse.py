"""A measure of the time during which this program could answer. Clocks of games stop during stalls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

BEAT_SECONDS = 0.25
"""Seconds between two readings of the clock."""

LONGEST_SECONDS = 0.5
"""Longest time between two readings; any excess counts as a stall."""


class Pulse:
    """A clock that stops while the program is stalled.

    Args:
        clock: Returns the elapsed seconds, stalls included.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._read, self._answered = clock, clock(), 0.0

    def now(self) -> float:
        """Return the number of seconds during which the program could answer."""
        now = self._clock()
        self._answered += min(now - self._read, LONGEST_SECONDS)
        self._read = now
        return self._answered

    async def beat(self) -> None:
        """Read the clock regularly, until cancelled."""
        while True:
            self.now()
            await asyncio.sleep(BEAT_SECONDS)
