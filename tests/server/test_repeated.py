"""Requests that are repeated because their answer was lost take effect once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import func, select

from caltrop.host.database import EVENTS, StorageFault
from caltrop.host.seats import DrawnSecrets
from caltrop.host.storage import Storage, StoredRow
from tests.server.tables import Table, TestClient, served

KEY = "a-key-that-the-page-has-drawn"
DUEL = {"ruleset": "duel", "seats": ["person", "person"], "invited": [1]}
MADE = ("created", "seat", "owner", "campaign", "battle")
SEASON = {"ruleset": "duel", "title": "Three dawns"}


def post(client: TestClient, path: str, body: Any, *tokens: str, key: str = KEY) -> Any:
    """Send a request with a key; return the answer."""
    headers = {"Idempotency-Key": key, **({"Authorization": f"Bearer {','.join(tokens)}"} if tokens else {})}
    return client.post(path, json=body, headers=headers)


def events(client: TestClient) -> int:
    """Return the number of stored creations, which acts of a computer player do not change."""
    storage: Storage = client.app.app.state.games.storage  # type: ignore[attr-defined]
    with storage.engine.connect() as connection:
        return connection.execute(select(func.count()).where(EVENTS.c.kind.in_(MADE))).scalar_one()


@pytest.fixture(params=["before", "after", "restarted"])
def lose(request: pytest.FixtureRequest, database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a function that sends a request twice, loses the first answer in one of three ways, and returns the
    second.
    """
    fault = ""
    passing: set[str] = set()
    append = Storage.append

    def failing(self: Storage, game: str, rows: Any, **options: bool) -> None:
        nonlocal fault
        if passing & {row.kind for row in rows}:
            append(self, game, rows, **options)
            return
        now, fault = fault, ""
        if now == "before":
            raise StorageFault("no-answer")
        append(self, game, rows, **options)
        if now == "after":
            raise StorageFault("no-answer")

    monkeypatch.setattr(Storage, "append", failing)
    clients = [served(database)]
    clients[0].__enter__()

    def twice(ask: Callable[[TestClient], Any]) -> Any:
        nonlocal fault
        first = None
        if request.param == "restarted":
            first = ask(clients[-1])
            assert first.status_code < 300, first.text
            clients.pop().__exit__(None, None, None)
            clients.append(served(database))
            clients[-1].__enter__()
        else:
            fault = request.param
            assert ask(clients[-1]).status_code == 503
        stored = events(clients[-1])
        second = ask(clients[-1])
        assert second.status_code < 300, second.text
        assert first is None or first.json() == second.json()
        if request.param == "restarted":
            assert events(clients[-1]) == stored
        stored = events(clients[-1])
        assert ask(clients[-1]).json() == second.json()
        assert events(clients[-1]) == stored
        return second.json()

    twice.client = lambda: clients[-1]  # type: ignore[attr-defined]
    twice.passing = passing  # type: ignore[attr-defined]
    yield twice
    clients[-1].__exit__(None, None, None)


def test_a_game_is_made_once(lose: Any) -> None:
    made = lose(lambda client: post(client, "/api/games", DUEL))
    assert [seat.get("invited", False) for seat in made["seats"]] == [False, True]
    client = lose.client()
    games = client.get("/api/games", headers={"Authorization": f"Bearer {made['seats'][0]['token']}"}).json()["games"]
    assert [game["game"] for game in games] == [made["game"]]
    assert DrawnSecrets(KEY, "/api/games").name() == made["game"]
    other = post(client, "/api/games", DUEL, key=f"{KEY}-2").json()
    assert other["game"] != made["game"]
    assert {seat["token"] for seat in other["seats"]}.isdisjoint(seat["token"] for seat in made["seats"])


def finished_battle(client: TestClient) -> tuple[str, str]:
    """Return a battle that is over, and the secret of a seat."""
    table = Table(client, ("person", "first"))
    table.say(0, {"type": "resign"})
    if table.view(0)["kept_back"]:
        table.say(0, {"type": "show-all"})
    return table.id, table.tokens[0]


def test_a_battle_is_played_on_once(lose: Any) -> None:
    game, token = finished_battle(lose.client())
    lose.passing.add("act")  # a computer player acts meanwhile
    made = lose(lambda client: post(client, f"/api/games/{game}/play-on", {"at": 0}, token))
    assert made["game"] != game
    record = lose.client().get(f"/api/games/{game}/record").json()
    key = f"{KEY}-of-the-record"
    again = lose(lambda client: post(client, "/api/replay/play-on?at=0", record, key=key))
    assert again["game"] not in (game, made["game"])


def test_a_campaign_is_begun_taken_in_fought_shared_and_counted_once(lose: Any) -> None:
    lose.passing.add("act")  # a computer player acts meanwhile
    begun = lose(lambda client: post(client, "/api/campaigns", SEASON))
    path, token = f"/api/campaigns/{begun['campaign']}", begun["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    battle = lose(lambda client: post(client, f"{path}/battle", {}, token))
    assert lose.client().get(path, headers=bearer).json()["playing"]["game"] == battle["game"]
    # A second battle is refused while the first goes on.
    assert post(lose.client(), f"{path}/battle", {}, token, key=f"{KEY}-2").json()["code"] == "battle-goes-on"
    seat = lose(lambda client: post(client, f"{path}/seat", {}, token))
    assert seat["token"] != battle["seats"][0]["token"]
    assert lose.client().post(f"{path}/give-up", json={}, headers=bearer).status_code == 200
    lose.client().post(f"{path}/count", json={}, headers=bearer)  # what was hidden is shown from now on
    counted = lose(lambda client: post(client, f"{path}/count", {"store": True}, token))
    assert counted["overview"]["battles"] != []
    overview = lose.client().get(path, headers=bearer).json()["overview"]
    assert overview == counted["overview"]
    file = lose.client().get(f"{path}/file", headers=bearer).json()
    taken = lose(lambda client: post(client, "/api/campaigns/file", file, key=f"{KEY}-of-the-file"))
    assert taken["campaign"] != begun["campaign"]


def test_what_is_said_and_taken_back_over_http_is_done_once(lose: Any) -> None:
    table = Table(lose.client())
    table.begin()
    path = f"/api/games/{table.id}/messages"

    def twice(message: dict[str, Any], side: int, key: str) -> Any:
        return lose(lambda client: post(client, path, message, table.tokens[side], key=f"{KEY}-{key}"))

    def view(side: int) -> Any:
        head = {"Authorization": f"Bearer {table.tokens[side]}"}
        return lose.client().get(f"/api/games/{table.id}", headers=head).json()

    assert twice({"type": "talk", "text": "Well met"}, 0, "talk")["type"] == "done"
    assert [line["text"] for line in view(1)["talk"]] == ["Well met"]
    decision = view(0)["decisions"][0]["id"]
    played = twice({"decision": decision, "action": {"type": "Stay"}}, 0, "act")
    assert (played["type"], view(0)["act"]) == ("done", 3)
    assert twice({"type": "undo"}, 0, "undo")["type"] == "done"
    assert view(0)["act"] == 2, "one act was taken back, and no more"
    assert twice({"type": "resign"}, 0, "end")["type"] == "done"
    other = post(lose.client(), path, {"type": "talk", "text": "Well met"}, table.tokens[0], key=f"{KEY}-other").json()
    assert other["type"] == "done"
    assert len(view(1)["talk"]) == 2, "another key says it again"
    stolen = post(lose.client(), path, {"type": "talk", "text": "Well met"}, key=f"{KEY}-other").json()
    assert stolen["type"] in ("done", "refusal")
    assert len(view(1)["talk"]) == 2


def test_an_older_campaign_is_claimed_once(lose: Any) -> None:
    client = lose.client()
    begun = post(client, "/api/campaigns", SEASON).json()
    text = client.get(f"/api/campaigns/{begun['campaign']}/file", headers=bearer(begun["token"])).content
    storage: Storage = client.app.app.state.games.storage
    storage.append("c:quiet", [StoredRow(1, "campaign", text)])
    made = lose(lambda client: post(client, "/api/campaigns/quiet/claim", {}))
    assert made["campaign"] == "quiet"
    result = lose.client().get("/api/campaigns/quiet", headers=bearer(made["token"]))
    assert result.status_code == 200
    owners = [row for row in lose.client().app.app.state.games.storage.events("c:quiet") if row.kind == "owner"]
    assert len(owners) == 1
    other = post(lose.client(), "/api/campaigns/quiet/claim", {}, key=f"{KEY}-2")
    assert other.status_code == 403, "nobody else is handed it"


def test_a_roster_goes_on_once(lose: Any) -> None:
    expected = {"ruleset": "blade-skirmish", "title": "Salt", "course": "salt-road"}
    begun = post(lose.client(), "/api/campaigns", expected).json()
    path, token = f"/api/campaigns/{begun['campaign']}", begun["token"]
    for number, way in enumerate(("The Reliquary", "Run the Gauntlet", None)):
        key = f"{KEY}-of-battle-{number}"
        assert post(lose.client(), f"{path}/battle", {}, token, key=key).status_code == 201
        assert post(lose.client(), f"{path}/give-up", {}, token).status_code == 200
        answers = {} if way is None else {"next": [way]}
        counted = post(lose.client(), f"{path}/count", {"store": True, "answers": answers}, token, key=f"{key}-count")
        assert counted.status_code == 200, counted.text
    again = lose(lambda client: post(client, f"{path}/again", {"course": "season"}, token, key=f"{KEY}-again"))
    assert (again["overview"]["length"], len(again["overview"]["battles"])) == (9, 3)
    rows = lose.client().app.app.state.games.storage.events(f"c:{begun['campaign']}")
    assert [row.kind for row in rows].count("campaign") == 5


def bearer(token: str) -> dict[str, str]:
    """Return the header that presents a secret."""
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("key", ["short", "x" * 65, "with spaces in the middle of it"])
def test_a_key_that_is_none_is_refused(client: TestClient, key: str) -> None:
    answer = post(client, "/api/games", DUEL, key=key)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
        400,
        "wrong-message",
        "Idempotency-Key",
    )


def test_a_name_that_another_game_has_opens_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = post(client, "/api/games", DUEL).json()
    monkeypatch.setattr(DrawnSecrets, "name", lambda self: made["game"])
    stolen = post(client, "/api/games", DUEL, key=f"{KEY}-2")
    assert (stolen.status_code, stolen.json()["code"]) == (403, "not-yours")
    assert made["seats"][0]["token"] not in stolen.text


def test_names_and_secrets_are_all_different_and_told_by_the_key_alone() -> None:
    drawn = DrawnSecrets(KEY)
    all_of_it = [drawn.name(), *[drawn.secret(n) for n in range(4)]]
    assert len(set(all_of_it)) == 5
    again = DrawnSecrets(KEY)
    assert [again.name(), *[again.secret(n) for n in range(4)]] == all_of_it
    assert not {DrawnSecrets().name(), DrawnSecrets(f"{KEY}x").name(), DrawnSecrets(KEY, "a battle").name()} & set(
        all_of_it
    )
    assert [len(one) for one in all_of_it] == [12, 32, 32, 32, 32]
