"""The clock of a game: how much time each side has left, for the game or for the turn.

It is told how much time has passed, and knows no time of day: what passes while no server holds the game counts for
nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from caltrop.wire.view import ClockRule

LEAST, MOST = 5, 14 * 24 * 60 * 60
"""Seconds that a clock may be made for."""


class Clock:
    """The time that the sides of a game have.

    Args:
        rule: The time, and the effect of its end.
        sides: Number of sides.
        turn: Says which turn it is: where that is another value, a clock for the turn begins anew.
    """

    def __init__(self, rule: ClockRule, sides: int, turn: Callable[[], Any]) -> None:
        self.rule, self.turn = rule, turn
        self.left = [rule.seconds * 1000] * sides
        """Milliseconds."""
        self.told: set[int] = set()
        """The sides whose end has been told."""
        self._now = turn()

    def passes(self, milliseconds: int, running: Iterable[int]) -> None:
        """Take time from those who were to act."""
        for side in running:
            self.left[side] = max(self.left[side] - milliseconds, 0)

    def follow(self) -> None:
        """Note what has been played: in another turn everybody has the whole time again."""
        now = self.turn()
        if now != self._now:
            self._now = now
            if self.rule.per == "turn":
                self.set([self.rule.seconds * 1000] * len(self.left))

    def set(self, left: Sequence[int]) -> None:
        """Set it to what was stored."""
        self.left = list(left)
        self.told = {side for side in self.told if self.left[side] == 0}

    def out(self, running: Iterable[int]) -> list[int]:
        """Return the sides whose time is up, where that has not been told."""
        return [side for side in running if self.left[side] == 0 and side not in self.told]
