"""Refusing work that a busy server could not do in time, so that the games that are played go on.

The server notices by itself how late it is: something that is to happen ten times a second happens later the more there
is to do. A refusal says when to ask again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from time import monotonic

BEAT_SECONDS = 0.1
"""Seconds between two looks at the time."""

WEIGHT = 0.1
"""The part of the newest look in the mean: one stall makes no busy server."""

LONGEST = 4.0
"""The most that one look counts in seconds: a machine that was stopped for a minute is not busy afterwards."""

NEW_GAMES, ANYTHING = 0.5, 2.0
"""Mean delays in seconds: at the first no new games are made, at the second only questions of health are answered."""

_NEW = re.compile(
    r"/api/(?:games|openings|queue|campaigns|lab|maps|replay|games/[^/]+/(?:play-on|rematch|analysis))(?:/|$)"
)
"""Paths at which games are made, and other work is begun."""

_ALWAYS = ("/healthz", "/api/ping", "/metrics", "/api/admin")


class Admission:
    """Says what a busy server refuses.

    Args:
        clock: Seconds, rising.
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
        """Return the seconds after which a request should be sent again; 0 if it is answered now."""
        if self.late < NEW_GAMES or path in _ALWAYS:
            return 0
        is_new = method == "POST" and _NEW.fullmatch(path.rstrip("/")) is not None
        if self.late >= ANYTHING:
            return 5
        return 10 if is_new else 0
