"""Long work: a client waits only for its own tasks, and cannot stop those of others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from caltrop.engine import Refused
from caltrop.host.turns import ASKER
from caltrop.server.background import EACH, MOST, Background

T = TypeVar("T")


class Piece:
    """Work that continues until its event is set."""

    def __init__(self, done: list[str], name: str) -> None:
        self.stop, self.given_up, self.done, self.name = "", False, done, name
        self.end = threading.Event()

    def follow(self) -> None:
        """Wait for the event."""
        self.done.append(self.name)
        self.end.wait(10)

    def give_up(self) -> None:
        """Note it."""
        self.given_up = True


def run_with_desk(do: Callable[[Background[Piece], list[str]], Awaitable[None]]) -> None:
    """Run a test with a new desk, and close the desk afterwards."""

    async def all_of_it() -> None:
        desk: Background[Piece] = Background()
        try:
            await do(desk, [])
        finally:
            for task in desk._tasks.values():
                task.work.end.set()
            await desk.close()

    asyncio.run(all_of_it())


def begin_work(desk: Background[Piece], done: list[str], whose: str, id: str) -> Piece:
    """Begin work for a client at this address."""
    token = ASKER.set(whose)
    try:
        piece = Piece(done, id)
        desk.begin(id, piece)
        return piece
    finally:
        ASKER.reset(token)


async def wait_until(holds: Callable[[], bool]) -> None:
    """Let other tasks run until a condition holds."""
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.001)


def test_who_asks_for_one_thing_waits_for_nothing_of_who_fills_the_line() -> None:
    async def does(desk: Background[Piece], done: list[str]) -> None:
        first = begin_work(desk, done, "greedy", "a0")
        await wait_until(lambda: done == ["a0"])
        for n in range(1, EACH + 1):
            begin_work(desk, done, "greedy", f"a{n}")
        with pytest.raises(Refused, match="You already have 6 tasks waiting") as words:
            begin_work(desk, done, "greedy", "too much")
        assert words.value.refusal.code == "too-many"
        begin_work(desk, done, "modest", "b")
        await wait_until(lambda: done == ["a0", "b"])
        assert [desk.ahead(f"a{n}") for n in range(3)] == [0, 1, 2]
        begin_work(desk, done, "third", "c")
        assert desk.ahead("c") == 1, "one of the many, and not all of them"
        first.end.set()
        await wait_until(lambda: len(done) == 3)

    run_with_desk(does)


def test_all_addresses_together_have_a_bound() -> None:
    async def does(desk: Background[Piece], done: list[str]) -> None:
        for n in range(2):
            begin_work(desk, done, f"{n}", f"runs {n}")
        await wait_until(lambda: len(done) == 2)
        for n in range(MOST):
            begin_work(desk, done, f"{n}", f"waits {n}")
        with pytest.raises(Refused) as words:
            begin_work(desk, done, "another", "x")
        assert words.value.refusal.code == "busy"

    run_with_desk(does)


def test_only_who_asked_stops_it_whether_it_waits_or_is_under_way() -> None:
    async def does(desk: Background[Piece], done: list[str]) -> None:
        runs = begin_work(desk, done, "owner", "runs")
        await wait_until(lambda: done == ["runs"])
        waits = begin_work(desk, done, "owner", "waits")
        for whose in ("stranger", "owner"):
            token = ASKER.set(whose)
            for id in ("runs", "waits"):
                if whose == "stranger":
                    with pytest.raises(Refused, match="only they can stop it") as words:
                        desk.stop(id)
                    assert words.value.refusal.code == "not-yours"
                    assert (runs.stop, waits.stop) == ("", "")
                else:
                    desk.stop(id)
            ASKER.reset(token)
        assert (runs.stop, runs.given_up) == ("it was stopped", False)
        assert (waits.stop, waits.given_up) == ("it was stopped", True)
        runs.end.set()
        await wait_until(lambda: desk._tasks["runs"].over)
        assert done == ["runs"], "what was stopped while it waited is never begun"

    run_with_desk(does)
