"""Storing or reading the games of one address does not delay other addresses."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage
from caltrop.host.turns import ASKER
from caltrop.wire.messages import NewGame


async def until(holds: Any) -> None:
    """Run other tasks until a condition holds."""
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.001)


def test_an_act_waits_for_one_reading_of_another_address(tmp_path: Path) -> None:
    async def all_of_it() -> None:
        games = Games(Storage(str(tmp_path / "games.db")), ServerLibrary())
        made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        live = await games.open(made.game)
        done: list[str] = []
        free = threading.Event()

        async def read(n: int) -> None:
            ASKER.set("greedy")

            def waits() -> None:
                free.wait(10)
                done.append(f"read {n}")

            await games._in_line(f"{n}", waits)

        async def act() -> None:
            ASKER.set("modest")
            await games.change(live, lambda game: game.speak(0, "hello"))
            done.append("act")

        reads = [asyncio.create_task(read(n)) for n in range(50)]
        await until(lambda: games._storing.under_way == 1)
        acts = asyncio.create_task(act())
        await until(lambda: "modest" in games._storing._waiting)
        free.set()
        await asyncio.gather(*reads, acts)
        assert done.index("act") <= 3
        await games.close()

    asyncio.run(all_of_it())


def test_records_of_an_address_are_written_one_by_one(tmp_path: Path, monkeypatch: Any) -> None:
    async def all_of_it() -> None:
        games = Games(Storage(str(tmp_path / "games.db")), ServerLibrary())
        lives = []
        for _ in range(4):
            made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
            lives.append(await games.open(made.game))
        free, under_way = threading.Event(), []

        def waits(side: int | None) -> Any:
            under_way.append(side)
            free.wait(10)

        for live in lives:
            monkeypatch.setattr(live.game, "record", waits)

        async def ask(whose: str, live: Any) -> None:
            ASKER.set(whose)
            await games.questions.record(live, None)

        tasks = [asyncio.create_task(ask("greedy", live)) for live in lives[:3]]
        tasks.append(asyncio.create_task(ask("modest", lives[3])))
        await until(lambda: len(under_way) == 2)
        assert sum(live.lock.locked() for live in lives[:3]) == 1, "games whose turn it is not are not held"
        free.set()
        await asyncio.gather(*tasks)
        await games.close()

    asyncio.run(all_of_it())
