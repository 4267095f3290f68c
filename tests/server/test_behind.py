"""Onlookers who see a game some acts later: nothing of it reaches them before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.tables import Table, TestClient

DELAY = 2


def act(table: Table) -> None:
    """Have somebody answer what is asked."""
    side = next(side for side in (0, 1) if table.view(side)["decisions"])
    table.answer(side, table.view(side)["decisions"][0]["offers"][0]["action"])


def looks(view: dict[str, Any]) -> dict[str, Any]:
    """Return what is seen of the table."""
    return {name: view[name] for name in ("act", "picture", "log", "waiting_for", "over", "decisions")}


@pytest.fixture
def later(client: TestClient) -> Table:
    """Make a game that onlookers see later."""
    return Table(client, delay=DELAY)


def test_onlookers_see_what_the_table_was_some_acts_before(client: TestClient, later: Table) -> None:
    past = [client.get(f"/api/games/{later.id}").json()]
    for number in range(1, 7):
        act(later)
        seen = client.get(f"/api/games/{later.id}").json()
        assert seen["act"] == max(number - DELAY, 0)
        assert later.view(0)["act"] == number, "players see it now"
        assert client.get(f"/api/games/{later.id}", params={"at": number}).json()["act"] == seen["act"]
        past.append(seen)
    assert looks(past[1])["picture"] == looks(past[2])["picture"], "nothing is seen before"
    assert past[3]["picture"] != past[6]["picture"]


def test_a_live_onlooker_is_told_no_more_than_one_who_asks(client: TestClient, later: Table) -> None:
    with later.live() as socket:
        socket.send_json({"type": "hello", "tokens": []})
        view = socket.receive_json()
        assert view["act"] == 0
        texts = []
        for _ in range(4):
            act(later)
            while (message := socket.receive_json())["type"] != "change":
                pass
            assert not message.get("on_the_way")
            texts.append(message)
        assert texts[0].get("act", 0) == 0
        assert texts[3]["act"] == 4 - DELAY


@pytest.mark.parametrize("path", ["record", "moments", "report"])
def test_nothing_else_tells_more(client: TestClient, later: Table, path: str) -> None:
    act(later)
    answer = client.get(f"/api/games/{later.id}/{path}")
    assert answer.json()["code"] == "not-shown"
    assert "2 acts later" in answer.json()["message"]
    assert client.get(f"/api/games/{later.id}/{path}", headers=later.bearer(0)).status_code == 200, "players may"


def test_at_the_end_everybody_sees_it_as_it_is(client: TestClient, later: Table) -> None:
    for _ in range(4):
        act(later)
    assert later.say(1, {"type": "resign", "side": 1})["type"] == "done"
    view = client.get(f"/api/games/{later.id}").json()
    assert view["act"] == 4
    assert view["over"]
    assert client.get(f"/api/games/{later.id}/moments").status_code == 200


@pytest.mark.parametrize(("delay", "status"), [(0, 201), (100, 201), (101, 400), (-1, 400)])
def test_the_host_chooses_how_much_later(client: TestClient, delay: int, status: int) -> None:
    request = {"ruleset": "duel", "seats": ["person", "person"], "delay": delay}
    assert client.post("/api/games", json=request).status_code == status


def test_it_stays_so_when_the_game_is_read_again(client: TestClient, later: Table) -> None:
    for _ in range(5):
        act(later)
    before = client.get(f"/api/games/{later.id}").json()
    later.forget()
    assert json.dumps(looks(client.get(f"/api/games/{later.id}").json())) == json.dumps(looks(before))
