"""Games that nobody uses leave memory, and are loaded from storage at the next request."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.server.tables import Table, Talk, TestClient, served


def games_in_memory(client: TestClient) -> dict[str, Any]:
    """Return the games in memory."""
    live: dict[str, Any] = client.app.app.state.games.live  # type: ignore[attr-defined]
    return live


def test_a_game_that_rests_leaves_the_memory_and_comes_back(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.host.games.REST_SECONDS", 0.3)
    monkeypatch.setattr("caltrop.host.games.SWEEP_SECONDS", 0.05)
    with served(database) as client:
        rests, looked_at = Table(client), Table(client)
        rests.begin()
        before = rests.view(0)
        with looked_at.live() as session:
            talk = Talk(session)
            talk.hear("view")
            until = time.monotonic() + 20
            while rests.id in games_in_memory(client) and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.5)
            assert list(games_in_memory(client)) == [looked_at.id]
            talk.tell({"type": "ping"})
            assert talk.hear("pong")
        assert rests.view(0)["picture"] == before["picture"]
        assert rests.id in games_in_memory(client)


@pytest.mark.parametrize(("idle_seconds", "most", "unseen"), [(-1.0, 3, 400), (60.0, 3, 3)])
def test_too_many_games_in_memory_leave_it_the_longest_resting_first(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, idle_seconds: float, most: int, unseen: int
) -> None:
    monkeypatch.setattr("caltrop.host.games.IDLE_SECONDS", idle_seconds)
    games = client.app.app.state.games  # type: ignore[attr-defined]
    games.most, games.unseen = most, unseen
    tables = [Table(client) for _ in range(3)]
    tables[0].view(0)
    fourth = Table(client)
    assert set(games_in_memory(client)) == {tables[0].id, tables[2].id, fourth.id}


def test_games_that_are_played_by_requests_alone_stay(client: TestClient) -> None:
    client.app.app.state.games.most = 2  # type: ignore[attr-defined]
    tables = [Table(client) for _ in range(5)]
    assert set(games_in_memory(client)) == {table.id for table in tables}


def test_a_game_whose_clock_runs_keeps_no_other_in_memory(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.host.games.IDLE_SECONDS", -1.0)
    client.app.app.state.games.most = 2  # type: ignore[attr-defined]
    running = [Table(client, clock={"per": "game", "seconds": 600, "then": "lose"}) for _ in range(3)]
    tables = [Table(client) for _ in range(4)]
    assert set(games_in_memory(client)) == {one.id for one in (*running, *tables[2:])}
