"""Players that think long, and advisers, do so in a process of their own: the server answers everybody else meanwhile.

What a player is told, and the player itself with all that it remembers, goes to the process and comes back. A book of
rules stays where it is: each process has its own of the same edition and house rules.
"""

from __future__ import annotations

import io
import pickle
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from caltrop.chance import Dice
from caltrop.engine import Book, Decision, Ruleset, ruleset
from caltrop.lab.workers import Worker
from caltrop.players import Budget, Hint, Player, hint


class Thought(NamedTuple):
    """What came of thinking."""

    action: Any
    player: Player
    """The player, with what it remembers now."""
    dice: Dice


class _Packing(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, Book):
            return ("book", obj.ruleset, obj.edition, tuple(sorted(obj.rules.items())))
        return ("ruleset", obj.name) if isinstance(obj, Ruleset) else None


class _Unpacking(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        return _book(*pid[1:]) if pid[0] == "book" else ruleset(pid[1])


@lru_cache(maxsize=16)
def _book(name: str, edition: str, rules: tuple[tuple[str, Any], ...]) -> Book:
    return ruleset(name).book(edition, dict(rules))


def packed(thing: Any) -> bytes:
    """Something of a game as bytes, for a process of this program alone."""
    to = io.BytesIO()
    _Packing(to).dump(thing)
    return to.getvalue()


def unpacked(data: bytes) -> Any:
    """The same again, with the books of this process."""
    return _Unpacking(io.BytesIO(data)).load()


def _think(data: bytes) -> bytes:
    player, decision, view, dice, budget = unpacked(data)
    action = player.decide(decision, view, dice, budget)
    return packed(Thought(action, player, dice))


def _advise(data: bytes) -> bytes:
    rules, decision, view, who, budget = unpacked(data)
    return packed(hint(rules, decision, view, who, budget=budget))


class Apart:
    """The process; it begins with the first thought, and one thinks at a time."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._one = threading.Lock()

    def think(
        self, player: Player, decision: Decision, view: Any, dice: Dice, budget: Budget, seconds: float
    ) -> Thought:
        """What a player answers.

        Args:
            player: The player; it is not changed.
            decision: The question.
            view: What its side sees.
            dice: Its own dice; they are not thrown here.
            budget: How much it may think.
            seconds: After how long it is given up, and the process ended.

        Raises:
            Late: when it takes longer.
            TooMuch: when it needs too much memory.
            Broken: when it makes a mistake, or the process ends.
        """
        thought: Thought = self._worked_out(_think, (player, decision, view, dice, budget), seconds)
        return thought

    def hint(self, rules: Ruleset, decision: Decision, view: Any, who: Player, budget: Budget, seconds: float) -> Hint:
        """What a player would answer in a game by these rules, and why; the rest is as of `think`."""
        found: Hint = self._worked_out(_advise, (rules, decision, view, who, budget), seconds)
        return found

    def _worked_out(self, do: Callable[[bytes], bytes], with_: tuple[Any, ...], seconds: float) -> Any:
        with self._one:
            self._worker.start()
            return unpacked(self._worker.call(do, packed(with_), seconds=seconds))

    def end(self) -> None:
        """End the process, whatever it does."""
        self._worker.end()
