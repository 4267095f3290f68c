"""Clocks of correspondence games run without viewers: in games that are not in memory, and after a restart."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.host import admin, clocks
from caltrop.host.database import StorageFault
from caltrop.host.faults import NoSuchGame
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage, StoredRow
from caltrop.wire.messages import NewGame
from caltrop.wire.view import ClockRule

DAY = 24 * 3600


async def opened_games(path: Path, now: list[float]) -> Games:
    """Open a database, with a clock that the test moves."""
    games = Games(Storage(str(path)), ServerLibrary())
    games.pulse = SimpleNamespace(now=lambda: now[0], beat=lambda: asyncio.sleep(0))  # type: ignore[assignment]
    return games


def played_by(seconds: int) -> NewGame:
    """Return a duel of two people with a clock."""
    clock = ClockRule(per="turn", seconds=seconds, then="lose")
    return NewGame(ruleset="duel", seats=("person", "person"), clock=clock)


def left(live: Live) -> list[int]:
    """Return the seconds that the sides have left."""
    live.count()
    assert live.game.clock is not None
    return [milliseconds // 1000 for milliseconds in live.game.clock.left]


@pytest.mark.parametrize(("seconds", "goes_on"), [(2 * DAY, True), (4 * 3600 + 1, True), (4 * 3600, False)])
def test_a_clock_of_days_goes_on_after_a_restart(tmp_path: Path, seconds: int, goes_on: bool) -> None:
    async def play() -> list[int]:
        now = [0.0]
        games = await opened_games(tmp_path / "games.sqlite", now)
        made = await games.make(played_by(seconds))
        await games.close()
        games = await opened_games(tmp_path / "games.sqlite", now)
        await games.resume_clocks()
        assert made.game not in games.live, "it needs no memory meanwhile"
        assert (made.game in games.clocks.resting) is goes_on
        now[0] += 3600
        seconds_left = left(await games.open(made.game))
        await games.close()
        return seconds_left

    running = seconds - 3600 if goes_on else seconds
    assert max(abs(one - running) for one in asyncio.run(play())) <= 1


def test_the_time_of_a_game_out_of_memory_is_stored_at_the_end(tmp_path: Path) -> None:
    async def play() -> list[int]:
        now = [0.0]
        games = await opened_games(tmp_path / "games.sqlite", now)
        made = await games.make(played_by(2 * DAY))
        await games._rest(games.live[made.game])
        assert made.game not in games.live
        now[0] += DAY
        await games.close()
        games = await opened_games(tmp_path / "games.sqlite", now)
        seconds_left = left(await games.open(made.game))
        await games.close()
        return seconds_left

    assert max(abs(one - DAY) for one in asyncio.run(play())) <= 1


def test_a_game_is_woken_at_the_end_of_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> Any:
        now = [0.0]
        games = await opened_games(tmp_path / "games.sqlite", now)
        made = await games.make(played_by(2 * DAY))
        alarms: list[float] = []
        loop = asyncio.get_running_loop()
        before = loop.call_later

        def at_once(after: float, *do: Any) -> asyncio.TimerHandle:
            if after < DAY:
                return before(after, *do)
            alarms.append(after)
            return before(0, *do)

        monkeypatch.setattr(loop, "call_later", at_once)
        await games._rest(games.live[made.game])
        monkeypatch.undo()
        now[0] += 2 * DAY
        while made.game not in games.live or games.live[made.game].game.over is None:
            await asyncio.sleep(0.01)
        over = games.live[made.game].game.over
        await games.close()
        return alarms, over

    alarms, over = asyncio.run(asyncio.wait_for(play(), 60))
    assert alarms == [2 * DAY]
    assert over is not None


def test_time_that_is_up_while_nothing_can_be_stored_is_up_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database does not answer at the end of the time. The game ends later without a visitor."""

    async def play() -> Any:
        now = [0.0]
        games = await opened_games(tmp_path / "games.sqlite", now)
        made = await games.make(played_by(2 * DAY))
        live = games.live[made.game]
        now[0] += 2 * DAY
        append = games.storage.append
        failures = iter([True, True])

        def fails(*rows: Any, **more: Any) -> None:
            if next(failures, False):
                raise StorageFault("full")
            append(*rows, **more)

        monkeypatch.setattr(games.storage, "append", fails)
        monkeypatch.setattr(clocks, "RETRY_SECONDS", 0.01)
        games.clocks._ring(live)
        while made.game not in games.live or games.live[made.game].game.over is None:
            await asyncio.sleep(0.01)
        over = games.live[made.game].game.over
        await games.close()
        return over

    assert "no time left" in asyncio.run(asyncio.wait_for(play(), 30)).reason


def test_nothing_is_stored_of_the_clock_of_a_game_that_was_deleted(tmp_path: Path) -> None:
    async def play() -> list[StoredRow]:
        games = await opened_games(tmp_path / "games.sqlite", [0.0])
        made = await games.make(played_by(2 * DAY))
        await games._rest(games.live[made.game])
        await games.administer(admin.remove, made.game)
        await games.close()
        with closing(Storage(str(tmp_path / "games.sqlite"))) as storage:
            return storage.events(made.game)

    assert asyncio.run(play()) == []


@pytest.mark.parametrize("act", [admin.close, admin.remove])
def test_a_game_that_is_taken_away_while_it_is_opened_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Any
) -> None:
    async def play() -> None:
        games = await opened_games(tmp_path / "games.sqlite", [0.0])
        made = await games.make(NewGame(ruleset="duel", seats=("person", "person")))
        games._forget(games.live[made.game])
        slowly = asyncio.to_thread

        async def delayed(*do: Any) -> Any:
            result = await slowly(*do)
            await asyncio.sleep(0.2)
            return result

        monkeypatch.setattr(asyncio, "to_thread", delayed)
        opening = asyncio.create_task(games.open(made.game))
        await asyncio.sleep(0.1)
        await games.administer(act, made.game)
        await opening
        assert made.game not in games.live
        with pytest.raises(NoSuchGame):
            await games.open(made.game)
        monkeypatch.undo()
        await games.close()

    asyncio.run(asyncio.wait_for(play(), 30))


def test_who_takes_the_end_of_a_turn_back_has_no_more_time_than_before(tmp_path: Path) -> None:
    async def play() -> tuple[int, int, int]:
        now = [0.0]
        games = await opened_games(tmp_path / "games.sqlite", now)
        live = await games.open((await games.make(played_by(DAY))).game)
        game, dice = live.game, Seeded(1)
        while True:
            now[0] += 600
            turn, (id, asked) = game.ruleset.turn(game.match.state), game.ids()[0]
            side, before = asked.side, left(live)
            await games.acts.answer(live, [side], id, asked.options(game.match.view(side)).sample(dice))
            if turn != game.ruleset.turn(game.match.state) and game.match.boundary(side) is None:
                break
        full = left(live)
        await games.acts.undo(live, side)
        after = left(live)
        await games.close()
        return before[side], full[side], after[side]

    before, full, after = asyncio.run(play())
    assert before < full == DAY
    assert after == before, "the time that was used in this turn is used"
