"""The clock of a game: the time left for each side, for the game or for a turn.

The caller passes in the elapsed time. Time without a server counts for no side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from caltrop.wire.view import ClockRule

LEAST, MOST = 5, 14 * 24 * 60 * 60
"""Shortest and longest time of a clock, in seconds."""


class Clock:
    """The remaining time of each side of a game.

    Args:
        rule: The time, and the effect of its end.
        turn: A value that identifies the turn: when it changes, a clock for turns restarts.
    """

    def __init__(self, rule: ClockRule, sides: int, turn: Callable[[], Any]) -> None:
        self.rule, self.turn = rule, turn
        self.left = [rule.seconds * 1000] * sides
        self.told: set[int] = set()
        """Sides for which it was announced that their time is up."""
        self._now = turn()
        self._ended: dict[str, Sequence[int]] = {}
        """Remaining time of the sides at the end of each turn, by the turn."""

    def passes(self, milliseconds: int, running: Iterable[int]) -> None:
        for side in running:
            self.left[side] = max(self.left[side] - milliseconds, 0)

    def follow(self, *, back: bool = False) -> None:
        """Follow the game into another turn.

        Args:
            back: True if a side has taken its act back freely: the side has no more time than when it ended the turn.
        """
        now = self.turn()
        if now != self._now and self.rule.per == "turn":
            self._ended[str(self._now)] = tuple(self.left)
            full = [self.rule.seconds * 1000] * len(self.left)
            self.set(self._ended.get(str(now), full) if back else full)
        self._now = now

    def set(self, left: Sequence[int]) -> None:
        self.left = list(left)
        self.told = {side for side in self.told if self.left[side] == 0}

    def out(self, running: Iterable[int]) -> list[int]:
        """Return the sides whose time is up without an announcement so far."""
        return [side for side in running if self.left[side] == 0 and side not in self.told]
