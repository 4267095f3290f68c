"""When unused objects are collected: in quiet moments, because everybody waits while the collector works."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import monotonic

QUIET_SECONDS = 5.0
"""Time without an act after which a moment is quiet."""


class Garbage:
    """Keeps the collector away from games that are in memory.

    Args:
        clock: Seconds that have passed.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._busy = clock, clock()
        self.dropped = 0
        """Number of games that left the memory since it was last collected."""

    def keep(self) -> None:
        """Take all that is in memory now out of the collector's way."""
        gc.freeze()

    def busy(self) -> None:
        self._busy = self._clock()

    def clear(self, most: int) -> bool:
        """Collect what dropped games left behind, and return whether that was done.

        Args:
            most: Number of dropped games for which it is done at a moment that is not quiet, too.
        """
        quiet = self._clock() - self._busy >= QUIET_SECONDS
        if not self.dropped or not (quiet or self.dropped >= most):
            return False
        self.dropped = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        return True
