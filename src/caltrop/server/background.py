"""Long tasks that continue without an onlooker. Addresses are served in turn, and only the asking address can stop
its task.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from caltrop.agreeing import quantity
from caltrop.host.faults import refused
from caltrop.host.turns import ASKER, Turns

AT_ONCE = 2
"""Number of tasks that run at the same time, one per address."""
EACH = 6
"""Largest number of waiting tasks of one address; a comparison of series is two tasks."""
MOST = 24
"""Largest number of waiting tasks, for all addresses together."""
KEPT = 60
"""Number of tasks whose results are stored."""


class Work(Protocol):
    """A task that takes minutes."""

    stop: str
    """Reason why the task should stop; empty if it should continue."""

    def follow(self) -> None: ...

    def give_up(self) -> None: ...


W = TypeVar("W", bound=Work)


class _Task(Generic[W]):
    def __init__(self, work: W, whose: str) -> None:
        self.work, self.whose = work, whose
        self.begun = self.over = False
        self.waits: asyncio.Task[None] | None = None


class Background(Generic[W]):
    """All tasks of one kind.

    Args:
        each: Largest number of waiting tasks of one address.
        most: Largest number of waiting tasks, for all addresses together.
    """

    def __init__(self, *, each: int = EACH, most: int = MOST) -> None:
        self.each, self.most = each, most
        self.turns = Turns(AT_ONCE, each=None, most=None)
        self._pool = ThreadPoolExecutor(AT_ONCE, "caltrop-background")
        self._tasks: dict[str, _Task[W]] = {}

    def find(self, id: str) -> W | None:
        """Return a task by name; None if the task is unknown or too old."""
        task = self._tasks.get(id)
        return None if task is None else task.work

    def begin(self, id: str, work: W) -> None:
        """Queue a task for the asker, replacing any task of the same name.

        Raises Refused when too many tasks are waiting.
        """
        whose = ASKER.get()
        waiting = Counter(task.whose for task in self._tasks.values() if not task.begun and not task.over)
        if waiting[whose] >= self.each:
            words = f"You already have {quantity(waiting[whose], 'task')} waiting; try again when one is over"
            raise refused("too-many", words)
        if waiting.total() >= self.most:
            raise refused("busy", "Too many tasks are waiting here; try again later")
        self._tasks.pop(id, None)
        over = [key for key, task in self._tasks.items() if task.over]
        for key in over[: max(len(self._tasks) + 1 - KEPT, 0)]:
            del self._tasks[key]
        task = self._tasks[id] = _Task(work, whose)
        task.waits = asyncio.create_task(self._follow(task))

    async def _follow(self, task: _Task[W]) -> None:
        try:
            async with self.turns.turn(task.whose):
                task.begun = True
                await asyncio.get_running_loop().run_in_executor(self._pool, task.work.follow)
        finally:
            task.over = True

    def ahead(self, id: str) -> int:
        """Return the number of tasks that may run before it: the asker's own, and as many of each other address."""
        task = self._tasks[id]
        if task.begun or task.over:
            return 0
        others = list(self._tasks.values())
        before = [one for one in others[: others.index(task)] if not one.over]
        own = sum(one.whose == task.whose for one in before)
        rest = Counter(one.whose for one in before if one.whose != task.whose and not one.begun)
        return own + sum(min(count, own + 1) for count in rest.values())

    def stop(self, id: str) -> None:
        """Stop a task, and keep its results so far. Raises Refused if somebody else started the task."""
        task = self._tasks.get(id)
        if task is None or task.over:
            return
        if task.whose != ASKER.get():
            raise refused("not-yours", "Somebody else has asked for this; only they can stop it")
        self._stop(task, "it was stopped")

    def _stop(self, task: _Task[W], why: str) -> None:
        task.work.stop = task.work.stop or why
        if not task.begun and task.waits is not None:
            task.over = True
            task.waits.cancel()
            task.work.give_up()

    async def close(self) -> None:
        """Stop all tasks and start no new ones."""
        tasks = [task for task in self._tasks.values() if not task.over]
        for task in tasks:
            self._stop(task, "the server was stopped")
        await asyncio.gather(*[task.waits for task in tasks if task.waits is not None], return_exceptions=True)
        self._pool.shutdown(wait=False)
