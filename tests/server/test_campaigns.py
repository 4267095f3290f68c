"""Campaigns of a server: begun, played, counted once, saved and taken in again."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.server.campaigns import Campaigns
from caltrop.server.storage import Row, Storage
from tests.server.tables import TestClient, served


def begun(client: TestClient, **wanted: Any) -> str:
    made = client.post("/api/campaigns", json={"ruleset": "blade-skirmish", "title": "Red Hand", **wanted})
    assert made.status_code == 201, made.text
    id: str = made.json()["campaign"]
    return id


def looked(client: TestClient, id: str) -> dict[str, Any]:
    answer = client.get(f"/api/campaigns/{id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def given_up(client: TestClient, id: str, **wanted: Any) -> str:
    """The next battle, made and given up at once."""
    made = client.post(f"/api/campaigns/{id}/battle", json=wanted)
    assert made.status_code == 201, made.text
    up = client.post(f"/api/campaigns/{id}/give-up", json={}).json()
    assert up["playing"] == {"game": made.json()["game"], "over": True}
    game: str = made.json()["game"]
    return game


def test_blade_skirmish_has_campaigns(client: TestClient) -> None:
    assert client.get("/api/campaigns").json() == {"rulesets": ["blade-skirmish"]}


def test_a_campaign_is_begun_and_found_again_by_another_server(database: str) -> None:
    with served(database) as client:
        id = begun(client, warband="old-guard", rules={"nemesis": "on"})
        first = looked(client, id)
    with served(database) as client:
        assert looked(client, id) == first
        assert client.get(f"/api/games/c:{id}").status_code == 404, "it is no game"
    shown = first["overview"]
    assert [one["line"]["name"] for one in shown["roster"]] == ["Hedda", "Runa", "Marit", "Solvei"]
    assert shown["campaign"]["rules"] == {"nemesis": "on"}
    assert first["playing"] is None


def test_a_battle_is_counted_once_and_nothing_before_that(client: TestClient) -> None:
    id = begun(client)
    before = looked(client, id)
    game = given_up(client, id, fielded=["Maren", "Wren"])
    view = client.get(f"/api/games/{game}").json()
    assert view["scenario"] == before["overview"]["campaign"]["next"]
    assert view["undo"]["takeback"] is False
    seen = client.post(f"/api/campaigns/{id}/count", json={"recruits": ["Zoe"]}).json()
    assert seen["battle"]["result"] == "lost"
    assert (seen["least"], seen["most"]) == (0, 1)
    assert "Zoe" in [one["line"]["name"] for one in seen["overview"]["roster"]]
    assert looked(client, id)["overview"] == before["overview"], "it was only looked at"
    counted = client.post(f"/api/campaigns/{id}/count", json={"recruits": ["Zoe"], "store": True}).json()
    assert counted == seen
    after = looked(client, id)
    assert (after["overview"], after["playing"]) == (seen["overview"], None)
    again = client.post(f"/api/campaigns/{id}/count", json={"store": True})
    assert (again.status_code, again.json()["code"]) == (409, "no-battle")
    assert looked(client, id) == after


def test_one_battle_at_a_time_and_it_is_counted_when_it_is_over(client: TestClient) -> None:
    id = begun(client)
    made = client.post(f"/api/campaigns/{id}/battle", json={}).json()
    assert made["seats"][0]["token"]
    assert looked(client, id)["playing"] == {"game": made["game"], "over": False}
    for path in ("battle", "count"):
        answer = client.post(f"/api/campaigns/{id}/{path}", json={})
        assert (answer.status_code, answer.json()["code"]) == (409, "battle-goes-on")


def test_a_battle_that_the_server_cannot_go_on_with_is_made_anew(database: str) -> None:
    with served(database) as client:
        id = begun(client)
    storage = Storage(database)
    storage.append(f"c:{id}", [Row(2, "battle", b'{"game": "lost"}')])
    storage.close()
    with served(database) as client:
        assert looked(client, id)["playing"] is None
        assert client.post(f"/api/campaigns/{id}/count", json={}).json()["code"] == "no-battle"
        made = client.post(f"/api/campaigns/{id}/battle", json={}).json()
        assert looked(client, id)["playing"] == {"game": made["game"], "over": False}


def test_two_who_count_at_once_do_not_both_count(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    id = begun(client)
    given_up(client, id)
    store = Campaigns._store

    async def late(self: Campaigns, *event: Any) -> None:
        monkeypatch.setattr(Campaigns, "_store", store)
        await store(self, *event)
        await store(self, *event)

    monkeypatch.setattr(Campaigns, "_store", late)
    answer = client.post(f"/api/campaigns/{id}/count", json={"store": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "goes-on")
    assert len(looked(client, id)["overview"]["campaign"]["battles"]) == 1


def test_a_campaign_is_saved_and_taken_in_again(client: TestClient) -> None:
    id = begun(client)
    given_up(client, id)
    client.post(f"/api/campaigns/{id}/count", json={"store": True})
    file = client.get(f"/api/campaigns/{id}/file")
    assert f"{id}.caltrop-campaign.json" in file.headers["content-disposition"]
    other = client.post("/api/campaigns/file", json=file.json()).json()["campaign"]
    assert other != id
    assert looked(client, other)["overview"] == looked(client, id)["overview"]
    assert client.get(f"/api/campaigns/{other}/file").content == file.content


@pytest.mark.parametrize(
    ("path", "wanted", "status", "words"),
    [
        ("", {"ruleset": "duel", "title": "X"}, 400, "'duel' has no campaigns"),
        ("", {"ruleset": "blade-skirmish", "title": " "}, 400, "a campaign has a title"),
        ("", {"ruleset": "blade-skirmish", "title": "X", "warband": "/etc/x.yaml"}, 400, "no army"),
        ("", {"ruleset": "blade-skirmish", "title": "X", "rules": {"nemesis": "maybe"}}, 400, "nemesis"),
        ("/file", {"format": "caltrop-game"}, 400, "this file is no campaign"),
        ("/file", {"format": "caltrop-campaign", "ruleset": "blade-skirmish"}, 400, "this key is missing"),
        ("/nothing/battle", {}, 404, "There is no such campaign here"),
    ],
)
def test_what_cannot_be_done_is_told(
    client: TestClient, path: str, wanted: dict[str, Any], status: int, words: str
) -> None:
    answer = client.post(f"/api/campaigns{path}", json=wanted)
    assert answer.status_code == status
    assert words in answer.json()["message"]


def test_who_cannot_be_fielded_is_told(client: TestClient) -> None:
    id = begun(client)
    answer = client.post(f"/api/campaigns/{id}/battle", json={"fielded": ["Marem"]})
    assert answer.status_code == 400
    assert "did you mean 'Maren'" in answer.json()["message"]
    assert looked(client, id)["playing"] is None
