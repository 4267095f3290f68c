"""Messages that wait in a queue while storage fails: what is acknowledged is stored, and every game can be opened."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, text

from caltrop.engine import Refused
from caltrop.host.database import EVENTS, StorageFault
from caltrop.host.events import read_rows
from caltrop.host.faults import DamagedGame
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.mending import mend
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage
from caltrop.wire.messages import NewGame


class Page:
    """A page that shows a game."""

    def __init__(self) -> None:
        self.eyes: int | None = 0
        self.sides: tuple[int, ...] = (0,)
        self.screen, self.address, self.came_by = "", "", frozenset[str]()
        self.heard: list[bytes] = []
        self.dropped = False

    def tell(self, message: bytes) -> None:
        """Hear something."""
        self.heard.append(message)

    def drop(self) -> None:
        """Be closed."""
        self.dropped = True


class Failing(Storage):
    """A storage that fails on command, before or after an event is stored."""

    faults: list[str]

    def append(self, game: str, rows: Any, *, new: bool = False, fenced: bool = True) -> None:
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "before":
            raise StorageFault("in-use")
        super().append(game, rows, new=new, fenced=fenced)
        if fault == "after":
            raise StorageFault("no-answer")


async def one_run(path: Path, seed: int) -> None:
    """Let both people send many messages at once while storage fails at some of them."""
    dice = random.Random(seed)
    storage = Failing(str(path))
    storage.faults = []
    games = Games(storage, ServerLibrary())
    try:
        made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        acknowledged: list[str] = []
        for lap in range(3):
            live = await games.open(made.game)
            page = Page()
            await live.join(page)
            storage.faults = [dice.choice(("", "", "before", "after")) for _ in range(8)]

            async def speak(live: Live, side: int, text: str) -> None:
                try:
                    await games.change(live, lambda game: game.speak(side, text))
                except (Refused, StorageFault):
                    return
                acknowledged.append(text)

            late = Page()
            speaks = [speak(live, n % 2, f"{lap}.{n}") for n in range(6)]
            await asyncio.gather(*speaks[:3], live.join(late), *speaks[3:])
            storage.faults = []
            assert live.dropped == (games.live.get(made.game) is not live)
            assert page.dropped == live.dropped
            rows = storage.events(made.game)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            again = (await games.open(made.game)).game
            talked = [line.text for line in again.people.talk]
            assert [text for text in acknowledged if text not in talked] == []
            assert late.dropped or all(text in talked for text in acknowledged)
    finally:
        await games.close()


@pytest.mark.parametrize("seed", range(6))
def test_queued_messages_and_failing_storage_leave_every_game_whole(tmp_path: Path, seed: int) -> None:
    asyncio.run(one_run(tmp_path / "games.sqlite", seed))


def test_messages_behind_one_that_was_not_stored_are_refused(tmp_path: Path) -> None:
    async def run() -> None:
        storage = Failing(str(tmp_path / "games.sqlite"))
        storage.faults = []
        games = Games(storage, ServerLibrary())
        try:
            made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
            live = await games.open(made.game)
            storage.faults = ["before"]
            first, second = await asyncio.gather(
                games.acts.speak(live, 0, "lost"), games.acts.speak(live, 1, "behind"), return_exceptions=True
            )
            assert isinstance(first, StorageFault)
            assert isinstance(second, Refused)
            assert second.refusal.code == "come-back"
            again = await games.open(made.game)
            assert again is not live
            await games.acts.speak(again, 1, "behind")
            assert [line.text for line in again.game.people.talk] == ["behind"]
        finally:
            await games.close()

    asyncio.run(run())


def test_what_follows_a_gap_is_set_aside_and_the_game_goes_on(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")

    async def said(storage: Storage, game: str, *texts: str) -> list[str]:
        games = Games(storage, ServerLibrary())
        try:
            live = await games.open(game)
            for text in texts:
                await games.acts.speak(live, 0, text)
            return [line.text for line in live.game.people.talk]
        finally:
            await games.close()

    async def begun() -> str:
        games = Games(Storage(path), ServerLibrary())
        made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        await games.close()
        return made.game

    game = asyncio.run(begun())
    asyncio.run(said(Storage(path), game, *[str(n) for n in range(6)]))
    storage = Storage(path)
    gap = storage.events(game)[-2].seq
    with storage.engine.begin() as connection:
        connection.execute(delete(EVENTS).where(EVENTS.c.game == game, EVENTS.c.seq == gap))
    with pytest.raises(DamagedGame, match=f"event {gap} is missing"):
        read_rows(storage.events(game))
    assert mend(storage) == [game]
    assert mend(storage) == []
    assert [row.seq for row in storage.events(f"{game}~{gap - 1}")] == [gap + 1]
    assert storage.games_of([storage.events(game)[1].key or ""]) == [game]
    assert asyncio.run(said(storage, game, "on")) == [*[str(n) for n in range(4)], "on"]


@pytest.mark.parametrize("words", ["seq = 1", "seq = 2"])
def test_a_gap_beside_other_faults_is_left_alone(tmp_path: Path, words: str) -> None:
    path = str(tmp_path / "games.sqlite")

    async def begun() -> str:
        games = Games(Storage(path), ServerLibrary())
        made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        await games.close()
        return made.game

    game = asyncio.run(begun())
    storage = Storage(path)
    with storage.engine.begin() as connection:
        connection.execute(text(f"DELETE FROM events WHERE {words}"))
        connection.execute(text("UPDATE events SET body = '{' WHERE seq = 3"))
    before = storage.events(game)
    assert mend(storage) == []
    assert storage.events(game) == before
    storage.close()
