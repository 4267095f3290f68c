"""Army lists over HTTP: checked while they are written, used in games and series, and limited in size."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest
from starlette.testclient import TestClient

from caltrop.kit.armies import LONGEST, packed

TEXT = 'Fern alone\nGame: Duel\n\n- Duellist "Fern" (Wounds: 3; Breath: 4)\n'


def sheet(client: TestClient, code: int = 200, **asked: Any) -> dict[str, Any]:
    """Return the server's check of an army list."""
    answer = client.post("/api/armies", json=asked)
    assert answer.status_code == code, answer.text
    result: dict[str, Any] = answer.json()
    return result


def test_every_form_is_read_and_written(client: TestClient) -> None:
    assert "duel" in client.get("/api/armies").json()["rulesets"]
    first = sheet(client, box=TEXT)
    assert (first["title"], first["points"], first["ready"], first["text"]) == (
        "Fern alone",
        10,
        True,
        TEXT,
    )
    for form in ("text", "link", "file"):
        assert sheet(client, box=first[form]) == first
    assert sheet(client, ruleset="duel", draft=first["draft"]) == first


def test_what_is_wrong_is_told_in_one_sentence(client: TestClient) -> None:
    for code, asked in (
        (400, {}),
        (400, {"ruleset": "chess"}),
        (400, {"box": "nonsense"}),
        (400, {"box": "#army=1zzz"}),
        (400, {"box": "Mine\n" + "- Duellist\n" * LONGEST}),
        (400, {"ruleset": "duel", "start": "nobody"}),
        (400, {"ruleset": "duel", "edition": "9"}),
        (400, {"ruleset": "duel", "unknown": 1}),
        (400, {"box": packed({"ruleset": "duel", "title": "x" * 10 * LONGEST})}),
    ):
        answer = client.post("/api/armies", json=asked)
        assert answer.status_code in (code, 413), (asked, answer.text[:200])
        assert answer.json()["message"]
    assert sheet(client, ruleset="duel", draft={"units": 3})["ready"] is False
    assert sheet(client, ruleset="duel", draft={"units": [[[]], None, {"name": 3}]})["ready"] is False


@pytest.mark.parametrize("form", ["text", "link", "file"])
def test_a_game_and_a_series_take_a_list_in_every_form(client: TestClient, form: str) -> None:
    army = sheet(client, box=TEXT)[form]
    made = client.post("/api/games", json={"ruleset": "duel", "armies": [army, army], "seats": ["random", "random"]})
    assert made.status_code == 201, made.text
    view = client.get(f"/api/games/{made.json()['game']}").json()
    assert "title: Fern alone" in view["armies"][0]
    assert {group["name"].split()[0] for group in view["picture"]["groups"]} >= {"Fern"}
    asked = {"ruleset": "duel", "players": ["random", "random"], "games": 2, "seed": 1, "armies": [army, army]}
    assert client.post("/api/lab", json={**asked, "begin": False}).status_code in (200, 404)
    wrong = client.post("/api/games", json={"ruleset": "duel", "armies": [army.replace("3", "33"), army]})
    assert wrong.status_code == 400
    other = client.post("/api/games", json={"ruleset": "hex-command", "armies": [army, army]})
    assert other.status_code == 400


def deep(levels: int) -> Any:
    """Return lists within lists."""
    return [] if levels == 0 else [deep(levels - 1)]


ATTACKS: dict[str, dict[str, Any]] = {
    "many units": {"ruleset": "squad-action", "draft": {"units": [{"name": "A"}] * 5000}},
    "many lines": {"ruleset": "squad-action", "box": "Mine\n" + "- 99 x Regular\n" * 4000},
    "many wrong units": {
        "ruleset": "squad-action",
        "draft": {"units": [{"profile": "regular", "name": str(n), "models": "x"} for n in range(200)]},
    },
    "unknown units": {"ruleset": "hex-command", "draft": {"units": [{"kind": "x" * 300}] * 200}},
    "a game that is not named": {"box": "Mine\n" + "- something else entirely\n" * 2400},
    "a long word": {"ruleset": "hex-command", "box": "Mine\n- a" + " " * 60_000 + "b\n"},
    "long titles": {"ruleset": "hex-command", "box": "Mine\n" + ("- " + "x " * 4000 + "\n") * 8},
    "deep": {"ruleset": "duel", "draft": {"units": [{"traits": deep(400)}]}},
    "deep link": {"box": packed({"ruleset": "duel", "units": deep(400)})},
    "deep text": {"ruleset": "duel", "box": "Mine\n- Duellist (traits=" + "[" * 9000 + "]" * 9000 + ")\n"},
    "own rows": {
        "ruleset": "squad-action",
        "draft": {"units": [], "profiles": {str(n): {"title": "A"} for n in range(2000)}},
    },
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_list_makes_the_server_slow(client: TestClient, attack: str) -> None:
    sheet(client, ruleset="duel", draft={})  # the worker process is running
    begin = perf_counter()
    answer = client.post("/api/armies", json=ATTACKS[attack])
    assert answer.status_code in (200, 400, 413), answer.text[:300]
    assert perf_counter() - begin < 6
    assert sheet(client, ruleset="duel", draft={})["pieces"] == 0
