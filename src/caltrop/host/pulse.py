"""The time in which this program answers: while it stands still, nobody's clock runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

BEAT_SECONDS = 0.25
"""Time between two readings."""

LONGEST_SECONDS = 0.5
"""Most time that passes between two readings: whatever is beyond it was a stall."""


class Pulse:
    """A clock that stands still while the program does.

    Args:
        clock: Seconds that have passed, stalls included.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._read, self._answered = clock, clock(), 0.0

    def now(self) -> float:
        """Return the seconds in which the program could answer so far."""
        now = self._clock()
        self._answered += min(now - self._read, LONGEST_SECONDS)
        self._read = now
        return self._answered

    async def beat(self) -> None:
        """Read the clock regularly, until cancelled."""
        while True:
            self.now()
            await asyncio.sleep(BEAT_SECONDS)
