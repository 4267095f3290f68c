"""Undo and redo of acts, freely or with consent."""

from __future__ import annotations

from collections.abc import Container
from itertools import takewhile

from caltrop.engine import Match, Played


class UndoStack:
    """The acts of a match in force, and the acts that were taken back."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.played: list[Played] = []
        """The answer of each act in force."""
        self.taken_back: list[Played] = []
        """Acts that were taken back freely; the last is redone first. Playing another act clears the acts that may be
        redone.
        """

    def follow(self, played: Played) -> None:
        again = self.taken_back[-1:] == [played]
        self.taken_back = self.taken_back[:-1] if again else []
        self.played[len(self.match.history) - 1 :] = [played]

    def take_back(self, side: int, consent: bool) -> bool:
        """Take the last act of a side back.

        Returns whether a sealed answer is lost with it.
        """
        undone = self.match.history[:]
        self.match.undo(side, consent=consent)
        acts = len(self.match.history)
        # An act that was undone by permission may have rolled, and would roll differently now.
        self.taken_back = [] if consent else [*self.taken_back, *self.played[acts:][::-1]]
        del self.played[acts:]
        return any(len(point.state.asked) > 1 for point in undone[acts:])

    def again(self, side: int) -> Played | None:
        return self.taken_back[-1] if self.taken_back and self.taken_back[-1].side == side else None

    def has_played(self, side: int) -> bool:
        return any(point.side == side for point in self.match.history)

    def answered(self, side: int, computers: Container[int]) -> int:
        """Return the number of computers' acts since a side's last act, as long as they roll and reveal nothing.

        These acts are undone together: this is fair, because the side has only learnt the computers' plans.
        """
        since = takewhile(
            lambda point: point.side != side and point.side in computers and not point.boundary,
            reversed(self.match.history),
        )
        return sum(1 for _ in since)

    def boundary(self, side: int, computers: Container[int]) -> str | None:
        """Return why a side may not undo its last act freely, including the computers' answers to it; None if it
        may.
        """
        answered, history = self.answered(side, computers), self.match.history
        if not answered or self.match.over is not None:
            return self.match.boundary(side)
        if answered == len(history):
            return "nothing has been played yet"
        last = history[-answered - 1]
        return (last.boundary or None) if last.side == side else "the other side has already answered"

    def free(self, side: int, over: bool, computers: Container[int] = ()) -> tuple[int, str]:
        """Return the number of acts that stay in force after going back freely, and the reason for the limit.

        Returns:
            The number of acts that stay in force, and the reason.
        """
        acts = len(self.match.history)
        if over:
            return acts, "the game is over"
        if self.boundary(side, computers) is None:
            acts -= self.answered(side, computers)
        while acts:
            point = self.match.history[acts - 1]
            if point.side != side:
                return acts, "the other side has already answered"
            if point.boundary:
                return acts, point.boundary
            acts -= 1
        return 0, "nothing was played before"
