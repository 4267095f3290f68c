"""The start of the referee's page: every game, any scenario, and nothing stored."""

from __future__ import annotations

import json
import re

import pytest

from caltrop.engine import rulesets
from tests.server.tables import TestClient


@pytest.mark.parametrize("game", rulesets())
def test_a_battle_begins_with_what_is_counted_in_it(game: str, client: TestClient) -> None:
    answer = client.post("/api/referee", json={"ruleset": game})
    assert answer.status_code == 200
    table = answer.json()
    assert table["steps"]
    once = [re.search("before the (battle|first)", words, re.I) is not None for _, words in table["steps"]]
    assert once == [n < table["once"] for n in range(len(once))]
    assert table["victory"]
    assert {unit["side"] for unit in table["units"]} == {0, 1}
    assert all(unit["strength"] >= 1 and unit["name"] for unit in table["units"])
    assert len(table["points"]) == len(table["sides"]) == 2
    assert client.get("/api/games").json() == {"games": []}


def test_a_table_armies_and_a_pack_of_ones_own_are_refereed(client: TestClient) -> None:
    draft = client.get("/api/maps/squad-action/scenario?name=first-battle").json()["draft"] | {"title": "The Ford"}
    keen = {"keen": {"like": "regular", "title": "Keen"}}
    pack = {"format": "caltrop-pack", "ruleset": "squad-action", "id": "k", "title": "K", "rows": {"profiles": keen}}
    army = "title: Ours\nid: ours\nruleset: squad-action\nunits:\n  - {profile: keen, models: 6, name: 1st}\n"
    setting = {"ruleset": "squad-action", "scenario": json.dumps(draft) + "\n", "pack": pack}
    answer = client.post("/api/referee", json=setting | {"armies": [army, "first-section-north"]}).json()
    assert answer["scenario"] == "The Ford"
    assert [name for name, _ in answer["sides"]] == ["South: Ours", "North: First Section, North"]
    assert [unit["name"] for unit in answer["units"] if unit["side"] == 0] == ["1st"]


def test_points_are_those_of_the_books(client: TestClient) -> None:
    table = client.post("/api/referee", json={"ruleset": "command-horizon"}).json()
    assert table["points"][0] == [["Command points", 5], ["Victory points", 0]]
    assert table["rounds"] == 6
    assert "Stun" in table["markers"]
    table = client.post("/api/referee", json={"ruleset": "hex-command"}).json()
    assert table["points"][0][0][1] == 0, "banners are counted from none"
    assert len(table["faces"]) == 6


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"ruleset": "dule"}, "duel"),
        ({"ruleset": "duel", "scenario": "brigde"}, "bridge"),
        ({"ruleset": "duel", "rules": {"none": "on"}}, "none"),
        ({"ruleset": "duel", "what": 1}, "what"),
    ],
)
def test_what_does_not_exist_is_refused(expected: dict[str, object], message: str, client: TestClient) -> None:
    answer = client.post("/api/referee", json=expected)
    assert answer.status_code in (400, 404)
    assert message in answer.json()["message"]
