"""Administration of people: lists, complaints, and deletion of everything that is stored about a person."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caltrop.cli import main
from caltrop.host.storage import Storage
from tests.server.conftest import UNHURRIED
from tests.server.tables import TestClient, served

SECRET = "the-secret-of-the-host"


@pytest.fixture
def host(database: str) -> Iterator[TestClient]:
    """Return a client of a server that accepts commands of its host."""
    with served(database, limits=UNHURRIED, admin=SECRET) as client:
        yield client


def bearer(*keys: str) -> dict[str, str]:
    """Return the header that presents secrets."""
    return {"Authorization": "Bearer " + ",".join(keys)}


def somebody(client: TestClient, name: str) -> tuple[str, str]:
    """Make a person, and return the key and the id."""
    key = f"me-{secrets.token_hex(24)}"
    answer = client.post("/api/me", json={"name": name, "browser": "here"}, headers=bearer(key))
    return key, answer.json()["person"]


def command(client: TestClient, act: str, id: str, secret: str = SECRET) -> tuple[int, Any]:
    """Send a command of the host to the server."""
    answer = client.post("/api/admin", json={"act": act, "games": [id]}, headers=bearer(secret))
    return answer.status_code, answer.json()


def printed_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the JSON that a command prints."""
    capsys.readouterr()
    assert main(["admin", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_complaints_are_shown_and_settled(host: TestClient, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    (ada, ada_id), (_, bob_id) = somebody(host, "Ada"), somebody(host, "Bob")
    body = {"words": "He swears.", "game": "abc"}
    assert host.post(f"/api/people/{bob_id}/complaint", json=body, headers=bearer(ada)).status_code == 201
    (complaint,) = printed_json(capsys, "complaints", "--database", database)["complaints"]
    assert (complaint["by_name"], complaint["about_name"]) == ("Ada", "Bob")
    assert (complaint["by"], complaint["about"]) == (ada_id, bob_id)
    assert (complaint["words"], complaint["game"]) == ("He swears.", "abc")
    assert main(["admin", "complaints", "--database", database]) == 0
    assert f"Ada ({ada_id}) about Bob ({bob_id}), game abc: He swears." in capsys.readouterr().out
    assert command(host, "settle", "no-such")[0] == 404
    assert command(host, "settle", complaint["complaint"], secret="another")[0] == 403
    assert command(host, "settle", complaint["complaint"])[0] == 200
    assert printed_json(capsys, "complaints", "--database", database)["complaints"] == []


def test_nothing_of_a_person_is_left_but_what_was_played(
    host: TestClient, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (ada, ada_id), (bob, bob_id) = somebody(host, "Ada Lovelace"), somebody(host, "Bob")
    offer = {"new": {"ruleset": "duel", "seats": ["person", "person"], "invited": [1]}, "words": "Ada plays"}
    game = host.post("/api/openings", json=offer, headers=bearer(ada)).json()["game"]
    assert host.post(f"/api/openings/{game}/take", json={}, headers=bearer(bob)).status_code == 201
    say = {"type": "talk", "side": 0, "text": "My own words"}
    assert host.post(f"/api/games/{game}/messages", json=say, headers=bearer(ada)).json()["type"] == "done"
    say = {"type": "talk", "side": 1, "text": "Words of Bob"}
    assert host.post(f"/api/games/{game}/messages", json=say, headers=bearer(bob)).json()["type"] == "done"
    for key, other in ((ada, bob_id), (bob, ada_id)):
        assert host.post(f"/api/people/{other}/friend", json={"on": True}, headers=bearer(key)).status_code == 200
        assert host.post(f"/api/people/{other}/apart", json={"muted": True}, headers=bearer(key)).status_code == 200
        complaint = {"words": "Rude.", "game": game}
        assert host.post(f"/api/people/{other}/complaint", json=complaint, headers=bearer(key)).status_code == 201
    club = host.post("/api/clubs", json={"name": "The club", "words": ""}, headers=bearer(bob)).json()["id"]
    assert host.post(f"/api/clubs/{club}/join", json={}, headers=bearer(ada)).status_code == 200
    hers = host.post("/api/clubs", json={"name": "Hers", "words": ""}, headers=bearer(ada)).json()["id"]
    assert host.post(f"/api/clubs/{hers}/join", json={}, headers=bearer(bob)).status_code == 200
    plan = {"name": "Cup", "form": "all", "new": {"ruleset": "duel", "seats": ["person", "person"]}}
    assert host.post(f"/api/clubs/{hers}/tournaments", json=plan, headers=bearer(ada)).status_code == 201
    assert {one["person"] for one in printed_json(capsys, "people", "--database", database)["people"]} == {
        ada_id,
        bob_id,
    }

    assert main(["admin", "forget", ada_id, "--database", database]) == 1, "it is asked for --yes first"
    assert command(host, "forget", "nobody")[0] == 404
    assert command(host, "forget", ada_id)[0] == 200

    assert host.get("/api/me", headers=bearer(ada)).status_code == 401
    assert host.get(f"/api/games/{game}", headers=bearer(ada)).json()["you"] is None, "the seat is hers no more"
    view = host.get(f"/api/games/{game}", headers=bearer(bob)).json()
    assert view["you"] == 1
    assert [seat["called"] for seat in view["seats"]] == ["", "Bob"]
    texts = json.dumps(view["talk"])
    assert "My own words" not in texts
    assert "(deleted)" in texts
    assert "Words of Bob" in texts
    friends = host.get("/api/friends", headers=bearer(bob)).json()
    assert (friends["friends"], friends["asked"], friends["asking"]) == ([], [], [])
    assert [one["person"] for one in host.get(f"/api/clubs/{club}").json()["members"]] == [bob_id]
    assert host.get(f"/api/people/{ada_id}").status_code == 404
    left = host.get(f"/api/clubs/{hers}").json()
    assert (left["owner"], [one["name"] for one in left["members"]]) == (bob_id, ["Bob"])
    assert host.get(f"/api/tournaments/{left['tournaments'][0]['id']}").json()["owner"] == bob_id
    assert printed_json(capsys, "complaints", "--database", database)["complaints"] == []


def test_no_row_of_the_database_names_who_was_forgotten(database: str, tmp_path: Path) -> None:
    with served(database, limits=UNHURRIED, admin=SECRET) as client:
        key, person = somebody(client, "Ada Lovelace")
        offer = {"new": {"ruleset": "duel", "seats": ["person", "person"], "invited": [1]}, "words": "Ada plays"}
        assert client.post("/api/openings", json=offer, headers=bearer(key)).status_code == 201
        assert command(client, "forget", person)[0] == 200
    storage = Storage(database)
    with storage.engine.connect() as connection:
        rows = [str(row) for table in ("events", "papers", "standings") for row in
                connection.exec_driver_sql(f"SELECT * FROM {table}").all()]  # fmt: skip
    storage.close()
    assert not [row for row in rows if person in row or "Lovelace" in row]
