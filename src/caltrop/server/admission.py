"""Refusal of new work while the server is overloaded, so that running games continue.

The server measures its own delay: a task that should run ten times a second runs later the busier the server is. A
refusal contains the time of the next attempt.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from time import monotonic

BEAT_SECONDS = 0.1
"""Seconds between two looks at the time."""

WEIGHT = 0.1
"""Weight of the latest measurement in the mean, so that a single stall is not an overload."""

LONGEST = 4.0
"""Largest delay in seconds of a single measurement, so that a stopped machine does not count as busy afterwards."""

NEW_GAMES, ANYTHING = 0.5, 2.0
"""Mean delays in seconds above which no new games are made, and above which only health checks are answered."""

_NEW = re.compile(
    r"/api/(?:games|openings|queue|campaigns|lab|maps|replay|games/[^/]+/(?:play-on|rematch|analysis))(?:/|$)"
)
"""Paths that start new games or other work."""

_ALWAYS = ("/healthz", "/api/ping", "/metrics", "/api/admin")


class Admission:
    """Decides which requests a busy server refuses.

    Args:
        clock: Returns increasing seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self.late = 0.0
        """The mean delay of the last seconds."""
        self._beating: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    def end(self) -> None:
        if self._beating is not None:
            self._beating.cancel()

    async def _beat(self) -> None:
        while True:
            due = self.clock() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self.note(self.clock() - due)

    def note(self, delay: float) -> None:
        self.late += WEIGHT * (min(max(delay, 0.0), LONGEST) - self.late)

    def wait_of(self, method: str, path: str) -> int:
        """Return the seconds to wait before the request is sent again; 0 if it is answered now."""
        if self.late < NEW_GAMES or path in _ALWAYS:
            return 0
        is_new = method == "POST" and _NEW.fullmatch(path.rstrip("/")) is not None
        if self.late >= ANYTHING:
            return 5
        return 10 if is_new else 0
