"""The routes of packs, and games that are played with one."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from caltrop.engine.packs import read_pack
from caltrop.scenarios.packs import link_of, zipped
from tests.server.tables import Table, TestClient, served

PACK: dict[str, Any] = {
    "format": "caltrop-pack",
    "ruleset": "hex-command",
    "id": "iron",
    "title": "Iron",
    "rows": {"units": {"vehicle-medium": {"dice": [5, 4, 4]}}},
}


def test_what_an_author_is_given(client: TestClient) -> None:
    for name in [one["name"] for one in client.get("/api/catalogue").json()["rulesets"]]:
        kit = client.get(f"/api/packs/{name}").json()
        for sheet in kit["sheets"]:
            assert sheet["rows"], sheet["name"]
            assert {field["sort"] for field in sheet["fields"]} <= {
                "number",
                "numbers",
                "choice",
                "words",
                "yes",
                "data",
            }
    assert client.get("/api/packs/chess").status_code == 400


def test_every_form_of_a_pack_is_looked_at(client: TestClient) -> None:
    file = read_pack(PACK)
    forms = ({"draft": PACK}, {"text": link_of(file)}, {"zip": base64.b64encode(zipped(file)).decode()})
    looks = [client.post("/api/packs/look", json=form).json() for form in forms]
    assert looks[0] == looks[1] == looks[2]
    assert looks[0]["name"].startswith("iron@")
    assert looks[0]["changes"][0]["after"] == "5, 4, 4"
    wrong = {**PACK, "rows": {"units": {"vehicle-medium": {"dice": [50]}}}}
    look = client.post("/api/packs/look", json={"draft": wrong}).json()
    assert (look["name"], look["faults"][0]["path"]) == ("", ["rows", "units", "vehicle-medium", "dice"])
    assert client.post("/api/packs/look", json={"text": "nonsense"}).status_code == 400
    assert client.post("/api/packs/look", json={"zip": "!"}).status_code == 400


def test_a_unit_is_compared_with_the_printed_one(client: TestClient) -> None:
    result = client.post("/api/packs/compare", json={"pack": PACK, "sheet": "units", "key": "vehicle-medium"}).json()
    assert result["title"] == "Battle Tanks"
    assert result["scenario"]
    first = result["odds"][0]
    assert first["mean_before"] > first["mean_after"]
    assert sum(p for _, p in first["after"]) == pytest.approx(1)


def test_a_game_with_a_pack(client: TestClient) -> None:
    made = client.post("/api/games", json={"ruleset": "hex-command", "pack": PACK})
    assert made.status_code == 201, made.text
    game = made.json()["game"]
    secret = next(seat["token"] for seat in made.json()["seats"] if seat["token"])
    view = client.get(f"/api/games/{game}", headers={"Authorization": f"Bearer {secret}"}).json()
    assert view["rules"]["pack"].startswith("iron@")
    record = client.get(f"/api/games/{game}/record", headers={"Authorization": f"Bearer {secret}"}).json()
    assert record["pack"]["content"]["rows"] == PACK["rows"]
    wrong = {**PACK, "rows": {"units": {"vehicle-medium": {"dice": [50]}}}}
    refused = client.post("/api/games", json={"ruleset": "hex-command", "pack": wrong})
    assert refused.status_code == 400
    assert "from 0 to 9" in refused.json()["message"]
    missing = {"ruleset": "hex-command", "rules": {"pack": "iron@" + "0" * 32}}
    assert "caltrop pack install" in client.post("/api/games", json=missing).json()["message"]
    other = client.post("/api/games", json={"ruleset": "duel", "pack": PACK})
    assert "for 'hex-command'" in other.json()["message"]


def test_the_choices_of_a_battle_hold_for_what_is_ones_own(client: TestClient) -> None:
    """A pack's points and a draft's own limits decide which armies can be chosen."""
    rows = {"profiles": {"regular": {"points": 20}}}
    pack = {"format": "caltrop-pack", "ruleset": "squad-action", "id": "dear", "title": "Dear", "rows": rows}
    pack["scenarios"] = {"crossing": {**_draft(client), "points": [500, 400], "id": "elsewhere"}}
    plain = client.post("/api/rules/squad-action/own", json={}).json()
    answer = client.post("/api/rules/squad-action/own", json={"pack": pack}).json()
    costs, dear = [{one["id"]: one["points"] for one in each["armies"]} for each in (plain, answer)]
    listed = next(one for one in client.get("/api/catalogue").json()["rulesets"] if one["name"] == "squad-action")
    assert plain["armies"] == listed["armies"]
    assert costs.keys() == dear.keys()
    assert all(dear[id] >= cost for id, cost in costs.items())
    assert dear != costs
    (crossing,) = answer["scenarios"]
    assert (crossing["id"], crossing["limits"]) == ("crossing", [500, 400])
    mine = {"scenario": json.dumps({**_draft(client), "points": [600, 400], "id": "mine"}) + "\n", "pack": pack}
    army = "title: Mine\nid: mine\nruleset: squad-action\nunits:\n  - {profile: regular, models: 5, name: One}\n"
    answer = client.post("/api/rules/squad-action/own", json={**mine, "armies": [army]}).json()
    assert answer["scenario"]["limits"] == [600, 400]
    assert (answer["armies"][0]["id"], answer["armies"][0]["points"], answer["armies"][0]["size"]) == (army, 100, 1)


def _draft(client: TestClient) -> dict[str, Any]:
    draft: dict[str, Any] = client.get("/api/maps/squad-action/scenario?name=first-battle").json()["draft"]
    return draft


@pytest.mark.parametrize(
    "body",
    [
        {"scenario": "/etc/passwd"},
        {"armies": ["../mine.yaml"]},
        {"armies": ["/etc/hosts.txt"]},
        {"armies": ["a: 1\n"] * 5},
        {"pack": "nobody@12"},
        {"scenario": "title: " + "x" * 70_000 + "\n"},
    ],
)
def test_no_choices_are_given_for_files_of_the_server_or_too_much(client: TestClient, body: dict[str, Any]) -> None:
    assert client.post("/api/rules/squad-action/own", json=body).status_code in (400, 413)


@pytest.mark.parametrize("row", ["archer", "berserker", "hound"])
def test_battles_of_a_comparison_have_the_row_that_is_changed(client: TestClient, row: str) -> None:
    pack: dict[str, Any] = {"format": "caltrop-pack", "ruleset": "blade-skirmish", "id": "odd", "title": "Odd"}
    pack |= {"rows": {"foes": {row: {"habits": ["swift", "bow"]}}}}
    answer = client.post("/api/packs/compare", json={"pack": pack, "sheet": "foes", "key": row}).json()
    text = json.dumps(client.get(f"/api/maps/blade-skirmish/scenario?name={answer['scenario']}").json())
    assert f'"{row}"' in text


def test_an_author_is_told_the_words_that_a_field_may_have(client: TestClient) -> None:
    sheets = {one["name"]: one for one in client.get("/api/packs/blade-skirmish").json()["sheets"]}
    (habits,) = [field for field in sheets["foes"]["fields"] if field["name"] == "habits"]
    assert {"bow", "swift"} <= set(habits["choices"])
    (words,) = [field for field in sheets["foes"]["fields"] if field["name"] == "words"]
    assert words["words"].startswith("Description of the kind's special feature")


def test_the_fault_of_a_table_is_told_with_its_place(client: TestClient) -> None:
    own = "/api/rules/squad-action/own"
    draft = _draft(client)
    assert client.post(own, json={"scenario": json.dumps(draft) + "\n"}).json()["fault"] is None
    fault = client.post(own, json={"scenario": json.dumps({**draft, "turns": 0}) + "\n"}).json()["fault"]
    assert (fault["path"], fault["words"]) == (["turns"], "0 is out of range; the nearest right value is 1")
    assert client.post(own, json={}).json()["fault"] is None


def test_battles_with_changed_numbers_say_nothing_about_strength(client: TestClient) -> None:
    """A game with a pack is not rated, also after a restart or if the pack is named instead of sent."""
    words = "it was played with the numbers of a pack"
    table = Table(client, ("person", "random"), ruleset="hex-command", pack=PACK)
    assert table.view(0)["unrated"] == words
    table.forget()
    assert table.view(0)["unrated"] == words
    named = Table(client, ("person", "random"), ruleset="hex-command", rules={"pack": table.view(0)["rules"]["pack"]})
    assert named.view(0)["unrated"] == words


def test_a_battle_on_ones_own_table_has_a_rematch_after_a_restart(tmp_path: Path) -> None:
    """The rematch has the same table and armies, whether the server makes it or the client sends everything again."""
    database = f"sqlite:///{tmp_path}/games.db"
    army = "title: Mine\nid: mine\nruleset: squad-action\nunits:\n  - {profile: regular, models: 5, name: One}\n"
    with served(database) as client:
        text = json.dumps({**_draft(client), "id": "mine", "title": "My ford", "turns": 3}) + "\n"
        own = {"ruleset": "squad-action", "scenario": text, "armies": [army, army]}
        table = Table(client, ("person", "person"), **own)
        table.say(0, {"type": "resign"})
        before = table.view(0)
    with served(database) as client:
        table.client = client
        view = table.view(0)
        assert view["over"]
        assert (view["scenario"], view["armies"]) == (before["scenario"], before["armies"])
        again = client.post(f"/api/games/{table.id}/rematch", json={}, headers=table.bearer(0)).json()
        sent = {key: view[key] for key in ("ruleset", "edition", "scenario", "rules", "armies")}
        made = client.post("/api/games", json=sent)
        assert made.status_code == 201, made.text
        for game in (again["game"], made.json()["game"]):
            laid = client.get(f"/api/games/{game}").json()
            assert laid["scenario"] == before["scenario"]
            assert laid["over"] is None
