"""A busy server makes no new games, and says when to ask again."""

from __future__ import annotations

import pytest
from starlette.websockets import WebSocketDisconnect

from caltrop.server.admission import ANYTHING, NEW_GAMES, Admission
from tests.server.tables import Table, TestClient


def busy(client: TestClient, late: float) -> None:
    """Make a server believe that its answers are late by some seconds."""
    admission = client.app.admission  # type: ignore[attr-defined]
    admission.end()
    admission.late = late


@pytest.mark.parametrize(("late", "method", "path", "waits"), [
    (NEW_GAMES - 0.01, "POST", "/api/games", False), (NEW_GAMES, "POST", "/api/games", True),
    (NEW_GAMES, "GET", "/api/games", False), (NEW_GAMES, "POST", "/api/games/abc/messages", False),
    (NEW_GAMES, "POST", "/api/games/abc/rematch", True), (NEW_GAMES, "POST", "/api/openings", True),
    (NEW_GAMES, "POST", "/api/openings/abc/take", False), (ANYTHING - 0.01, "GET", "/", False),
    (ANYTHING, "GET", "/", True), (ANYTHING, "POST", "/api/games/abc/messages", True),
    (ANYTHING, "GET", "/healthz", False), (ANYTHING, "GET", "/metrics", False), (ANYTHING, "POST", "/api/admin", False),
])  # fmt: skip
def test_new_games_are_refused_first_and_then_all_else(late: float, method: str, path: str, waits: bool) -> None:
    admission = Admission()
    admission.late = late
    assert (admission.wait_of(method, path) > 0) is waits


def test_one_stall_makes_no_busy_server() -> None:
    admission = Admission()
    for seconds in (4.0, 600.0):
        admission.note(seconds)
        assert admission.late < NEW_GAMES
        admission.late = 0.0
    for _ in range(30):
        admission.note(1.0)
    assert NEW_GAMES < admission.late < ANYTHING
    for _ in range(30):
        admission.note(-0.01)
    assert admission.late < NEW_GAMES


def test_what_is_refused_says_when_to_ask_again(client: TestClient) -> None:
    table = Table(client)
    busy(client, NEW_GAMES)
    answer = client.post("/api/games", json={"ruleset": "duel", "seats": ["person", "person"]})
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert answer.headers["retry-after"] == "10"
    assert table.answer(0, {"type": "Stake", "points": 2})["type"] == "done", "who plays goes on"
    busy(client, ANYTHING)
    answer = client.get(f"/api/games/{table.id}")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert client.get("/healthz").status_code == 200
    with pytest.raises(WebSocketDisconnect), table.live() as socket:
        socket.receive_json()
