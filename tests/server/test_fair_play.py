"""A stall of the server costs nobody time, and response times reveal no secret choices."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.host.clock import LEAST
from caltrop.host.game import HostedGame
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.making import new_game
from caltrop.host.pulse import LONGEST_SECONDS, Pulse
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage
from caltrop.journal import PERSON
from caltrop.rules.hex_command.battling import Engage
from caltrop.wire.messages import NewGame
from caltrop.wire.view import ClockRule
from tests.rules.hex_command.tables import dice
from tests.rules.hex_command.test_battling import fight
from tests.server.tables import Table, Talk, TestClient


class SetClock:
    """A clock that the test sets."""

    at = 100.0

    def __call__(self) -> float:
        return self.at


def run_with_clock(path: Path, do: Callable[[Games, Live, SetClock], Awaitable[None]]) -> None:
    """Run a test with a game of two people who have little time, on a clock that the test sets."""

    async def run() -> None:
        hands, games = SetClock(), Games(Storage(str(path / "games.sqlite")), ServerLibrary())
        games.pulse = Pulse(hands)
        try:
            clock = ClockRule(per="game", seconds=LEAST, then="lose")
            made = await games.make(NewGame(ruleset="duel", seats=("person", "person"), clock=clock))
            await do(games, games.live[made.game], hands)
        finally:
            await games.close()

    asyncio.run(run())


def end_reason(live: Live) -> str | None:
    """Return why a game is over; None during the game."""
    return None if live.game.over is None else live.game.over.reason


async def ring(games: Games, live: Live) -> None:
    """Ring the alarm of a game, which happens when a side's time seems to be up or after a stall."""
    games.clocks._ring(live)
    await asyncio.gather(*games.clocks._ending)


def test_a_stall_however_long_runs_nobodys_clock_out(tmp_path: Path) -> None:
    async def stalls(games: Games, live: Live, hands: SetClock) -> None:
        for number in range(1, 4):
            hands.at += 3600.0
            await ring(games, live)
            assert live.game.over is None
            assert live.waking is not None, "the alarm is set again"
            left = (LEAST - number * LONGEST_SECONDS) * 1000
            clock = live.game.clock
            assert clock is not None
            assert clock.left == [left, left]
        await games.acts.speak(live, 0, "we are both here")
        assert live.game.over is None

    run_with_clock(tmp_path, stalls)


def test_time_in_which_the_server_answers_runs_a_clock_out(tmp_path: Path) -> None:
    async def passes(games: Games, live: Live, hands: SetClock) -> None:
        for _ in range(4 * LEAST - 1):
            hands.at += 0.25
            games.pulse.now()
        await ring(games, live)
        assert end_reason(live) is None, "a quarter of a second is left"
        hands.at += 0.25
        await ring(games, live)
        assert "has no time left" in (end_reason(live) or "")

    run_with_clock(tmp_path, passes)


def test_a_stall_while_an_act_is_played_is_nobodys(tmp_path: Path) -> None:
    async def acts(games: Games, live: Live, hands: SetClock) -> None:
        def slow(game: HostedGame) -> Any:
            hands.at += 3600.0
            return game.speak(0, "this took an hour")

        await games.change(live, slow)
        clock = live.game.clock
        assert clock is not None
        assert min(clock.left) >= (LEAST - 2 * LONGEST_SECONDS) * 1000

    run_with_clock(tmp_path, acts)


# Onlookers.


def assault_game(hand: tuple[str, ...]) -> HostedGame:
    """Return a game in which the computer announced a close assault on a person with this hand of cards."""
    match = fight("V-M E5", "I-M F5", dice("T V V"), hands=((), hand))
    match.play(0, Engage(0, 1))
    setup = new_game(ServerLibrary(), NewGame(ruleset="hex-command", seats=("random", PERSON))).setup
    return HostedGame.around("attacked", setup, match.ruleset, match)


def test_an_onlooker_does_not_see_whether_an_ambush_is_held() -> None:
    """Both games ask the same question, answer nothing earlier, and show the onlooker the same bytes."""
    games = [assault_game(("ambush", "barrage")), assault_game(("barrage", "barrage"))]
    choices, seen = [], []
    for game in games:
        (asked,) = [d for _, d in game.ids()]
        assert (asked.reaction, game.player(asked.side)) == (True, PERSON)
        choices.append(asked.options(game.match.view(asked.side)).several())
        before = game.acts, game.seq
        assert game.reactions((0,), watched=True) == []
        assert (game.acts, game.seq) == before
        assert game.waiting_for == (1,)
        seen.append(msgspec.json.encode(game.view(None)))
    assert choices == [True, False]
    assert seen[0] == seen[1]
    # Without an onlooker, a person who has no choice is not asked.
    assert [len(game.reactions((0,), watched=False)) for game in games] == [0, 1]


@pytest.mark.parametrize("way", ["view", "live", "moments"])
def test_onlookers_without_a_seat_count(client: TestClient, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[bool] = []
    reactions = HostedGame.reactions

    def noted(self: HostedGame, sides: Any = (), *, watched: bool = False) -> Any:
        words.append(watched)
        return reactions(self, sides, watched=watched)

    monkeypatch.setattr(HostedGame, "reactions", noted)
    table = Table(client, ("person", "first"))
    table.view(0)
    table.say(0, {"type": "name", "text": "Ash"})
    assert not any(words)
    if way == "live":
        with table.live() as session:
            Talk(session).hear("view")
    else:
        client.get(f"/api/games/{table.id}{'/moments' if way == 'moments' else ''}")
    table.say(0, {"type": "name", "text": "Briar"})
    assert words[-1]
