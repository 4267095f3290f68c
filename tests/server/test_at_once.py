"""The same request sent several times at once, as by a double click or two tabs. It takes effect once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.server.tables import ADDRESS, Table, TestClient
from tests.server.test_notices import KEY, OTHER, Somebody
from tests.server.test_people_attacked import BODIES

TIMES = 6


def at_once(client: TestClient, *requests: tuple[str, Any, dict[str, str]]) -> list[httpx.Response]:
    """Send requests together, before any is answered; return the answers."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as asker:
            posts = [asker.post(path, json=body, headers=headers) for path, body, headers in requests]
            return await asyncio.gather(*posts)

    assert client.portal is not None
    return client.portal.call(ask)


@pytest.mark.parametrize("path", BODIES)
def test_the_same_at_once_breaks_nothing(client: TestClient, path: str) -> None:
    anna, bela, table = Somebody(client), Somebody(client, OTHER, "Bela"), Table(client)
    body = {"person": bela.me["person"]} if path.endswith("/leave") else BODIES[path]
    where = path.replace("{id}", table.id if "/games/" in path else bela.me["person"])
    if path.startswith("/api/clubs/"):
        club = anna.post("/api/clubs", {"name": "C"}, status=201)["id"]
        where = path.replace("{id}", club)
    head = {"Authorization": f"Bearer {KEY},{table.tokens[0]}"}
    for key in ({}, {"Idempotency-Key": "a-key-that-the-page-has-drawn"}):
        answers = at_once(client, *[(where, body, head | key)] * TIMES)
        assert all(one.status_code < 500 for one in answers), [one.text for one in answers]
        assert all("come-back" not in one.text for one in answers), [one.text for one in answers]


def test_one_who_comes_twice_at_once_is_one_person(client: TestClient) -> None:
    answers = at_once(client, *[("/api/me", {"name": "Cora"}, {"Authorization": f"Bearer {KEY}"})] * TIMES)
    assert len({one.json()["person"] for one in answers}) == 1
    assert {one.json()["vapid"] for one in answers} == {answers[0].json()["vapid"]}


def test_a_code_carries_one_browser_over_however_many_come_at_once(client: TestClient) -> None:
    anna = Somebody(client)
    code = anna.post("/api/me/code", status=201)["code"]
    keys = [f"me-another-key-of-the-browser-{number}" for number in range(TIMES)]
    answers = at_once(client, *[("/api/me/carry", {"code": code}, {"Authorization": f"Bearer {key}"}) for key in keys])
    assert sorted(one.status_code for one in answers) == [200, *[403] * (TIMES - 1)]
    assert len(anna.get("/api/me")["browsers"]) == 2


def test_a_code_that_could_not_be_used_carries_over_still(client: TestClient) -> None:
    anna, bela = Somebody(client), Somebody(client, OTHER, "Bela")
    code = anna.post("/api/me/code", status=201)["code"]
    assert bela.post("/api/me/carry", {"code": code}, status=409)["code"] == "so-already"
    new = {"Authorization": "Bearer me-a-new-key-of-a-new-browser"}
    assert client.post("/api/me/carry", json={"code": code}, headers=new).status_code == 200


def test_a_complaint_whose_answer_was_lost_is_made_once(client: TestClient) -> None:
    anna, bela = Somebody(client), Somebody(client, OTHER, "Bela")
    key = {"Idempotency-Key": "a-key-that-the-page-has-drawn"}
    for _ in range(3):
        anna.post(f"/api/people/{bela.me['person']}/complaint", {"words": "rude"}, status=201, **key)
    anna.post(f"/api/people/{bela.me['person']}/complaint", {"words": "rude again"}, status=201)
    games = client.app.app.state.games  # type: ignore[attr-defined]
    assert client.portal is not None
    assert len(client.portal.call(games.papers, "complaint", None)) == 2
