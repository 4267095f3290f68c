"""Garbage collection at quiet moments, because it blocks all games."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import monotonic

QUIET_SECONDS = 5.0
"""Seconds without an act that make a quiet moment."""


class Garbage:
    """Excludes games in memory from garbage collection.

    Args:
        clock: Returns the elapsed time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._busy = clock, clock()
        self.dropped = 0
        """Number of games that left memory since the last collection."""

    def keep(self) -> None:
        """Exclude all present objects from garbage collection."""
        gc.freeze()

    def busy(self) -> None:
        self._busy = self._clock()

    def clear(self, most: int) -> bool:
        """Collect the remains of dropped games, and return whether that was done.

        Args:
            most: Number of dropped games that makes a collection due even at a busy moment.
        """
        quiet = self._clock() - self._busy >= QUIET_SECONDS
        if not self.dropped or not (quiet or self.dropped >= most):
            return False
        self.dropped = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        return True
