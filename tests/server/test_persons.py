"""A person is a name with the keys of browsers: no account is needed, a code adds a browser, and all of it can be
deleted.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.host.seats import PersonKey, key_of
from caltrop.host.together.persons import BROWSERS, CODE_SECONDS, Persons
from tests.server.tables import Table, Talk, TestClient
from tests.server.test_notices import KEY, OTHER, Somebody
from tests.server.test_people import claim, invited


def persons(client: TestClient) -> Persons:
    persons: Persons = client.app.app.state.together.persons  # type: ignore[attr-defined]
    return persons


def test_a_name_and_a_key_make_a_person(client: TestClient) -> None:
    anna = Somebody(client)
    assert (anna.me["name"], anna.me["bot"]) == ("Anna", False)
    assert [one["here"] for one in anna.me["browsers"]] == [True]
    assert anna.post("/api/me", {"name": "Anna of the Hill"})["person"] == anna.me["person"], "the answer may be lost"
    assert anna.get("/api/me")["name"] == "Anna of the Hill"


@pytest.mark.parametrize(
    "key", ["", "me-", "me-short", "me-" + "a" * 65, "a-key-that-is-a-seat-s-secret", "me-" + "!" * 30]
)
def test_what_is_no_key_makes_nobody(client: TestClient, key: str) -> None:
    answer = client.post("/api/me", json={"name": "Anna"}, headers={"Authorization": f"Bearer {key}"})
    assert (answer.status_code, answer.json()["code"]) == (400, "wrong-value")
    assert client.get("/api/me").status_code == 401


def test_a_name_has_its_length(client: TestClient) -> None:
    answer = client.post("/api/me", json={"name": "A" * 25}, headers={"Authorization": f"Bearer {KEY}"})
    assert answer.json()["code"] == "too-long"
    assert client.get("/api/me", headers={"Authorization": f"Bearer {KEY}"}).status_code == 401, "nobody was made"


def test_a_code_carries_a_person_over_once(client: TestClient) -> None:
    anna = Somebody(client)
    made = anna.post("/api/me/code", status=201)
    assert made["seconds"] == CODE_SECONDS

    def carry(code: str, key: str = OTHER) -> Any:
        body = {"code": code, "browser": "the blue one"}
        return client.post("/api/me/carry", json=body, headers={"Authorization": f"Bearer {key}"})

    slip = made["code"][:-1] + ("A" if made["code"][-1] != "A" else "B")
    assert carry(slip).json()["code"] == "wrong-token"
    carried = carry(made["code"].lower().replace("-", " "))
    assert carried.json()["person"] == anna.me["person"]
    assert [one["words"] for one in carried.json()["browsers"]] == ["the red one", "the blue one"]
    assert carry(made["code"], "me-a-third-key-of-a-third-browser").json()["code"] == "wrong-token", "it was used"


def test_a_code_has_its_time_and_the_next_takes_its_place(client: TestClient) -> None:
    anna, now = Somebody(client), 0.0
    persons(client).clock = lambda: now
    first, second = (anna.post("/api/me/code", status=201)["code"] for _ in range(2))
    now = CODE_SECONDS
    for code in (first, second):
        answer = client.post("/api/me/carry", json={"code": code}, headers={"Authorization": f"Bearer {OTHER}"})
        assert answer.json()["code"] == "wrong-token"


def test_codes_are_tried_so_often(client: TestClient) -> None:
    for number in range(21):
        answer = client.post("/api/me/carry", json={"code": "x"}, headers={"Authorization": f"Bearer {OTHER}"})
        assert answer.json()["code"] == ("wrong-token" if number < 20 else "too-fast")


def test_who_is_somebody_is_not_carried_over_to_somebody_else(client: TestClient) -> None:
    anna, bela = Somebody(client), Somebody(client, OTHER, "Bela")
    code = anna.post("/api/me/code", status=201)["code"]
    assert bela.post("/api/me/carry", {"code": code}, status=409)["code"] == "so-already"
    assert anna.post("/api/me/carry", {"code": code})["person"] == anna.me["person"]


def test_a_person_has_so_many_browsers_and_forgets_one(client: TestClient) -> None:
    anna = Somebody(client)
    for number in range(BROWSERS):
        code = anna.post("/api/me/code", status=201)["code"]
        key = f"me-one-more-key-of-a-browser-{number}"
        answer = client.post("/api/me/carry", json={"code": code}, headers={"Authorization": f"Bearer {key}"})
        assert answer.json().get("code") == (None if number < BROWSERS - 1 else "too-many")
    other = next(one["id"] for one in anna.get("/api/me")["browsers"] if not one["here"])
    left = anna.post("/api/me/browsers/forget", {"browser": other})
    assert len(left["browsers"]) == BROWSERS - 1
    assert anna.post("/api/me/browsers/forget", {"browser": other}, status=404)["code"] == "not-found"


def test_the_last_browser_is_not_forgotten(client: TestClient) -> None:
    anna = Somebody(client)
    only = anna.me["browsers"][0]["id"]
    assert anna.post("/api/me/browsers/forget", {"browser": only}, status=400)["code"] == "wrong-value"


def test_a_seat_of_a_person_is_theirs_in_every_browser(client: TestClient) -> None:
    anna, table = Somebody(client), Table(client)
    path = f"/api/games/{table.id}/mine"
    assert anna.post(path, status=403)["code"] == "not-your-seat"
    for _ in range(2):
        assert anna.post(f"{path}?side=1", None, table.tokens[1], status=201) == {"side": 1}
    assert anna.post(f"{path}?side=0", None, table.tokens[0], status=409)["code"] == "so-already"
    code = anna.post("/api/me/code", status=201)["code"]
    head = {"Authorization": f"Bearer {OTHER}"}
    client.post("/api/me/carry", json={"code": code}, headers=head)
    for _ in range(2):
        listed = client.get("/api/games", headers=head).json()["games"]
        assert [(one["game"], one["sides"]) for one in listed] == [(table.id, [1])]
        assert client.get(f"/api/games/{table.id}", headers=head).json()["you"] == 1
        with table.live() as session:
            assert Talk(session, tokens=[OTHER]).hear("view")["you"] == 1
        table.forget()
    browser = next(one["id"] for one in anna.get("/api/me")["browsers"] if not one["here"])
    anna.post("/api/me/browsers/forget", {"browser": browser})
    assert client.get("/api/games", headers=head).json()["games"] == []
    with table.live() as session:
        assert Talk(session, tokens=[OTHER]).hear("refusal")["code"] == "wrong-token"


def test_who_knows_a_person_s_id_has_nothing(client: TestClient) -> None:
    anna, table = Somebody(client), Table(client)
    anna.post(f"/api/games/{table.id}/mine?side=1", None, table.tokens[1], status=201)
    key = str(PersonKey.of(anna.me["person"]))
    for token in (key, anna.me["person"], f"me-{anna.me['person']}", f"me-{key}", key_of(KEY)):
        view = client.get(f"/api/games/{table.id}", headers={"Authorization": f"Bearer {token}"}).json()
        assert view["you"] is None
        with table.live() as session:
            assert Talk(session, tokens=[token]).hear("refusal")["code"] == "wrong-token"


def test_a_seat_that_somebody_claims_is_the_person_s_no_more(client: TestClient) -> None:
    table = invited(client)
    anna = Somebody(client)
    anna.post(f"/api/games/{table.id}/mine?side=1", None, table.tokens[1], status=201)
    claim(table)
    assert client.get(f"/api/games/{table.id}", headers={"Authorization": f"Bearer {KEY}"}).json()["you"] is None


def test_who_is_forgotten_leaves_nothing_but_games(client: TestClient) -> None:
    anna, table = Somebody(client), Table(client)
    anna.post(f"/api/games/{table.id}/mine?side=1", None, table.tokens[1], status=201)
    anna.post(f"/api/games/{table.id}/ways", {"ways": []})
    anna.post("/api/me/forget")
    assert anna.get("/api/me", status=401)["code"] == "nobody"
    storage = client.app.app.state.games.storage  # type: ignore[attr-defined]
    assert storage.papers("", anna.me["person"]) == []
    assert table.view(1)["you"] == 1, "the seat's own secret opens it"
