"""Limits on what a seat may store besides its acts. The game continues when a limit is reached."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.host import games
from tests.server.tables import Table, TestClient

BESIDE: list[dict[str, Any]] = [
    {"type": "name", "text": "Ash"},
    {"type": "talk", "text": "hello"},
    {"type": "hush", "off": True},
    {"type": "await", "on": True},
    {"type": "draw"},
    {"type": "takeback"},
    {"type": "undo"},
    {"type": "redo"},
]


@pytest.mark.parametrize("message", BESIDE, ids=lambda one: str(one["type"]))
def test_what_is_said_beside_playing_has_an_end(
    client: TestClient, message: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(client)
    table.begin()
    seq = table.view(0)["seq"]
    monkeypatch.setattr(games, "MOST_EVENTS", seq)
    assert table.say(0, message)["code"] == "too-many"
    assert table.view(0)["seq"] == seq
    assert table.answer(0, {"type": "Walk", "path": [[500, 500]]})["type"] == "done"
    assert table.say(0, {"type": "resign"})["type"] == "done"


def test_one_event_before_that_it_may_be_said(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(client)
    monkeypatch.setattr(games, "MOST_EVENTS", table.view(0)["seq"] + 1)
    assert table.say(0, BESIDE[0])["type"] == "done"
    assert table.say(0, BESIDE[0])["code"] == "too-many"


def test_nothing_is_stored_where_nothing_came_of_it(client: TestClient) -> None:
    table = Table(client)
    store: Any = client.app.app.state.games  # type: ignore[attr-defined]
    before = store.storage.events(table.id)
    store.storage.append(table.id, [])
    assert store.storage.events(table.id) == before
