"""Attacks on requests about people outside games: invalid requests are refused, reveal nothing, and leave no data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.tables import Table, TestClient
from tests.server.test_notices import KEY, OTHER, Somebody

DUEL = {"ruleset": "duel", "seats": ["person", "person"]}

ODD: list[Any] = [
    None, True, 0, -1, 2**70, 1e308, "", "x" * 5000, "\x00\u202e\ud800", [], [[[]]], {}, {"a": 1}, [None] * 2000,
]  # fmt: skip
"""Values of unexpected types and sizes."""

BODIES: dict[str, dict[str, Any]] = {
    "/api/me": {"name": "A", "browser": "B"},
    "/api/me/carry": {"code": "ABCDE-FGHJK", "browser": "B"},
    "/api/me/browsers/forget": {"browser": "x"},
    "/api/me/passkey/begin": {},
    "/api/me/passkey": {"credential": {"id": "x", "response": {"clientDataJSON": "e30"}}},
    "/api/me/passkey/forget": {},
    "/api/passkey/begin": {},
    "/api/passkey": {"credential": {"id": "x", "response": {"clientDataJSON": "e30"}}, "browser": "B"},
    "/api/me/push": {"endpoint": "https://push.example/a", "p256dh": "AA", "auth": "AA"},
    "/api/me/push/drop": {"endpoint": "x"},
    "/api/me/hook": {"url": "https://127.0.0.1/"},
    "/api/me/mail": {"address": "a@b.org"},
    "/api/me/mail/confirm": {"code": "1"},
    "/api/stop-mail": {"stop": "a.b"},
    "/api/me/bot": {},
    "/api/openings": {"new": {**DUEL, "invited": [1]}, "words": "w"},
    "/api/openings/{id}/take": {},
    "/api/openings/{id}/withdraw": {},
    "/api/queue": dict(DUEL),
    "/api/queue/leave": {},
    "/api/people/{id}/friend": {"on": True},
    "/api/people/{id}/apart": {"blocked": True, "muted": True},
    "/api/people/{id}/complaint": {"words": "w", "game": "g"},
    "/api/games/{id}/mine": {},
    "/api/games/{id}/ways": {"ways": ["hook"]},
    "/api/games/{id}/invite": {"person": "x", "side": 1},
    "/api/games/{id}/settle": {"side": 0, "then": "computer", "player": "first"},
    "/api/clubs": {"name": "C", "words": "w"},
    "/api/clubs/{id}/join": {},
    "/api/clubs/{id}/leave": {"person": "x"},
    "/api/clubs/{id}/tournaments": {"name": "T", "form": "swiss", "rounds": 3, "new": dict(DUEL)},
    "/api/tournaments/{id}/enter": {"on": True},
    "/api/tournaments/{id}/begin": {},
}
"""Valid bodies of requests about people, by route."""

LOOKED = (
    "/api/me", "/api/openings", "/api/queue", "/api/friends", "/api/people/{id}", "/api/ratings/{id}", "/api/clubs",
    "/api/clubs/{id}", "/api/tournaments/{id}", "/api/games/{id}/people", "/api/games/{id}/ways",
    "/api/games/{id}/standing", "/api/games/{id}/position",
)  # fmt: skip


def variants(body: dict[str, Any]) -> list[bytes]:
    """Return invalid bodies: each odd value in each field, unknown fields, and bodies that are not objects."""
    odd = [{**body, field: value} for field in body for value in ODD]
    odd += [{**body, "unknown": 1}, {field: body[field] for field in [*body][1:]}]
    texts = [json.dumps(one).encode("utf-8", "replace") for one in [*odd, *ODD]]
    return [*texts, b"", b"{", b"\xff\xfe", b"[" * 3000, b'{"name": NaN}', b'{"a":1,"a":2}']


@pytest.mark.parametrize("path", BODIES)
def test_what_cannot_be_read_is_refused_and_breaks_nothing(client: TestClient, path: str) -> None:
    anna = Somebody(client)
    table = Table(client)
    where = path.replace("{id}", table.id if "/games/" in path else anna.me["person"])
    head = {"Authorization": f"Bearer {KEY},{table.tokens[0]}", "Content-Type": "application/json"}
    for text in variants(BODIES[path]):
        answer = client.post(where, content=text, headers=head)
        assert answer.status_code < 500, (where, text[:200], answer.text)
        if answer.status_code >= 400:
            assert answer.json()["type"] == "refusal"
            assert "Traceback" not in answer.text
    assert client.get("/api/ping").status_code == 200
    assert table.view(0)["you"] == 0


@pytest.mark.parametrize("path", LOOKED)
@pytest.mark.parametrize(
    "id", ["x", "x" * 500, "%00", "..", "%2e%2e%2f", "ÄÖÜ", "'; DROP TABLE papers; --", "p:x", "%25"]
)
def test_names_that_nothing_has_lead_nowhere(client: TestClient, path: str, id: str) -> None:
    if "{id}" not in path:
        id = ""
    for key in ("", KEY, "p:x", "me-" + "x" * 3000):
        answer = client.get(path.replace("{id}", id), headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code < 500, (path, id, key, answer.text)


def test_another_site_sets_nobody_up(client: TestClient) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = client.post("/api/me", json={"name": "A"}, headers={"Authorization": f"Bearer {KEY}", **headers})
        assert answer.status_code == 403
    answer = client.post("/api/me", content=b'{"name": "A"}', headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


def test_nobody_reads_or_changes_what_is_another_s(client: TestClient) -> None:
    anna, bela = Somebody(client), Somebody(client, OTHER, "Bela")
    anna.post("/api/me/push", {"endpoint": "https://push.example/secret", "p256dh": "AA", "auth": "AA"})
    made = anna.post("/api/openings", BODIES["/api/openings"], status=201)
    seen = [
        bela.get(path.replace("{id}", anna.me["person"]))
        for path in ("/api/openings", "/api/people/{id}", "/api/friends", "/api/me")
    ]
    secrets = ["push.example", KEY, *[seat["token"] for seat in made["seats"]]]
    assert not [secret for secret in secrets if secret in json.dumps(seen)]
    assert bela.post("/api/me/push/drop", {"endpoint": "https://push.example/secret"})["pushes"] == []
    assert anna.get("/api/me")["pushes"] == ["https://push.example/secret"]
    browser = anna.me["browsers"][0]["id"]
    assert bela.post("/api/me/browsers/forget", {"browser": browser}, status=404)["code"] == "not-found"
    assert bela.post(f"/api/openings/{made['game']}/withdraw", status=404)["code"] == "not-found"
