"""Delayed games: onlookers see the game some acts later, and learn nothing before."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import stored
from caltrop.host import storage
from caltrop.wire import patched
from tests.server.tables import Table, Talk, TestClient, served
from tests.server.test_twins import UNHURRIED, Clock, Server, answers

DELAY = 2


def act(table: Table) -> None:
    """Answer the open decision."""
    side = next(side for side in (0, 1) if table.view(side)["decisions"])
    table.answer(side, table.view(side)["decisions"][0]["offers"][0]["action"])


def table_part(view: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a view that show the table."""
    return {name: view[name] for name in ("act", "picture", "log", "waiting_for", "over", "decisions")}


@pytest.fixture
def later(client: TestClient) -> Table:
    """Return a game that onlookers see with a delay."""
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
    assert table_part(past[1])["picture"] == table_part(past[2])["picture"], "nothing is seen before"
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
    assert json.dumps(table_part(client.get(f"/api/games/{later.id}").json())) == json.dumps(table_part(before))


def test_who_looks_live_has_the_same_log_when_acts_are_taken_back(client: TestClient, later: Table) -> None:
    with later.live() as socket:
        talk = Talk(socket, tokens=[])
        view = talk.hear("view")
        for _ in range(8):
            act(later)
            view = patched(view, talk.hear("change"))
        assert view["act"] == 6
        for _ in range(2):  # the side that acted last asks to take its act back, and the other side agrees
            side = next(side for side in (0, 1) if later.view(side)["undo"]["takeback"])
            assert later.say(side, {"type": "takeback", "side": side})["type"] == "done"
            view = patched(view, talk.hear("change"))
            assert later.say(1 - side, {"type": "takeback", "side": 1 - side, "answer": True})["type"] == "done"
            message = talk.hear("view", "change")
            assert message["type"] == "view"
            view = message
            assert table_part(view) == table_part(client.get(f"/api/games/{later.id}").json())
        for _ in range(5):
            act(later)
            view = patched(view, talk.hear("change"))
            assert table_part(view) == table_part(client.get(f"/api/games/{later.id}").json())
        assert later.say(0, {"type": "resign", "side": 0})["type"] == "done"
        view = patched(view, talk.hear("change"))
        assert view["over"]
        assert view["act"] == later.view(0)["act"]


def test_what_was_done_within_the_delay_is_told_by_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games that differ only in the latest acts, within the delay, look the same to onlookers."""
    monkeypatch.setattr(storage, "datetime", Clock)
    expected = {
        "ruleset": "duel", "seats": ["person", "person"], "delay": 3,
        "clock": {"per": "turn", "seconds": 600, "then": "choose"},
    }  # fmt: skip
    with ExitStack() as stack:
        servers = []
        for name in ("one", "other"):
            client = stack.enter_context(served(f"sqlite:///{tmp_path / name}.db", limits=UNHURRIED))
            server = Server(client, expected, [], stack)
            server.dice = server.game.match.dice = Seeded(1)  # type: ignore[assignment]
            server.look(None)
            servers.append(server)
        differed = 0
        for number in range(12):
            for server, choices in zip(servers, (Seeded(number), Seeded(number + 100 * (number >= 9))), strict=True):
                (id, decision), *_ = server.game.ids()
                chosen = decision.options(server.game.match.view(decision.side)).sample(choices)
                action = json.loads(msgspec.json.encode(chosen))
                assert server.say(decision.side, {"decision": id, "action": action})["type"] == "done"
            differed += stored(servers[0].state) != stored(servers[1].state)
            one, other = (
                {what: words for what, words in answers(server, None).items() if " None" in what or "decision" in what}
                for server in servers
            )
            assert {what: one[what] for what in one if what in other} == {
                what: other[what] for what in one if what in other
            }
            guessed = [{"decision": f"{n}.{i}", "action": {"type": "Nothing"}} for n in range(14) for i in (0, 1)]
            for message in (*guessed, {"type": "dice", "faces": [1]}, {"type": "why", "unit": 0}):
                path = f"/api/games/{servers[0].id}/messages"
                replies = [server.client.post(path, json=message).json() for server in servers]
                assert replies[0] == replies[1], message
            assert servers[0].frames() == servers[1].frames()
        assert differed
        assert servers[0].game.acts == servers[1].game.acts


def test_onlookers_are_not_told_whose_time_is_up(client: TestClient, later: Table) -> None:
    answer = client.get(f"/api/games/{later.id}/standing")
    assert answer.json()["late"] == []
    assert later.say(0, {"type": "dice", "faces": [1]})["code"] == "dice-not-asked"
    answer = client.post(f"/api/games/{later.id}/messages", json={"type": "dice", "faces": [1]})
    assert answer.json()["code"] == "not-shown"
