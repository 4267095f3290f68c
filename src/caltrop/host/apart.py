"""Computer players and advisers in separate processes, so that the server stays responsive and can stop them.

The question, and the player with its memory, are sent to the process and back. A book of rules is not sent to these
processes: each process makes its own book for the same edition and house rules.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from queue import LifoQueue
from typing import Any, NamedTuple

from caltrop.chance import Dice
from caltrop.engine import Decision, Ruleset, ruleset, rulesets
from caltrop.lab.workers import Broken, Worker
from caltrop.players import Budget, Hint, IllegalAnswer, Player, hint, players


class Thought(NamedTuple):
    action: Any
    player: Player
    """The player with the memory that it has after thinking."""
    dice: Dice


def _think(data: bytes) -> bytes:
    player, decision, view, dice, budget = pickle.loads(data)
    try:
        action = player.decide(decision, view, dice, budget)
    except IllegalAnswer as error:
        return pickle.dumps(IllegalAnswer(error.message))
    return pickle.dumps(Thought(action, player, dice))


def _advise(data: bytes) -> bytes:
    rules, decision, view, who, budget = pickle.loads(data)
    return pickle.dumps(hint(rules, decision, view, who, budget=budget))


def load() -> None:
    for name in rulesets():
        players(ruleset(name).name)


JOBS = max(os.cpu_count() or 1, 2)
"""Number of processes that think at the same time."""


class Apart:
    """Processes that are started on demand. Each process runs one player at a time.

    Args:
        modest: True for a low priority, because the thinking takes long.
    """

    def __init__(self, jobs: int = JOBS, *, modest: bool = True) -> None:
        self.workers = [Worker(load, modest=modest) for _ in range(jobs)]
        self._free: LifoQueue[Worker] = LifoQueue()  # the process that was used last is already running
        for worker in reversed(self.workers):
            self._free.put(worker)

    def think(
        self, player: Player, decision: Decision, view: Any, dice: Dice, budget: Budget, seconds: float
    ) -> Thought:
        """Return a player's answer.

        Raises Late when thinking takes longer than allowed, TooMuch when it needs too much memory, or IllegalAnswer
        when the player's answer is illegal. Raises Broken when thinking fails, the player cannot be sent to a process,
        or the process ends.

        Args:
            seconds: Time limit after which the process is ended.
        """
        thought: Thought | IllegalAnswer = self._worked_out(_think, (player, decision, view, dice, budget), seconds)
        if isinstance(thought, IllegalAnswer):
            raise thought
        return thought

    def hint(self, rules: Ruleset, decision: Decision, view: Any, who: Player, budget: Budget, seconds: float) -> Hint:
        """Return a player's answer in a game with the given rules, and the reason for the answer. The arguments are
        those of `think`.
        """
        hint: Hint = self._worked_out(_advise, (rules, decision, view, who, budget), seconds)
        return hint

    def _worked_out(self, do: Callable[[bytes], bytes], with_: tuple[Any, ...], seconds: float) -> Any:
        try:
            data = pickle.dumps(with_)
        except Exception as error:  # a player's memory may contain anything
            raise Broken(f"it cannot be sent to a process of its own: {error!r}") from error
        worker = self._free.get()
        try:
            worker.start()
            return pickle.loads(worker.call(do, data, seconds=seconds))
        finally:
            self._free.put(worker)

    def warm(self) -> None:
        """Start a process in advance, so that the first player need not wait."""
        worker = self._free.get()
        try:
            worker.start()
        finally:
            self._free.put(worker)

    def end(self) -> None:
        for worker in self.workers:
            worker.end()
