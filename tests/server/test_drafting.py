"""Drafts of tables over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import rulesets
from tests.server.tables import TestClient


def draft_of(client: TestClient, game: str, scenario: str) -> dict[str, Any]:
    """Return a supplied scenario as a draft."""
    result: dict[str, Any] = client.get(f"/api/maps/{game}/scenario", params={"name": scenario}).json()["draft"]
    return result


def test_every_game_says_what_may_be_drawn(client: TestClient) -> None:
    """Each game has a schema, kinds of ground and scenarios; an unknown game is refused."""
    for name in rulesets():
        kit = client.get(f"/api/maps/{name}").json()
        assert kit["grounds"]
        assert kit["scenarios"]
        assert kit["schema"]["$defs"]
        assert len({ground["look"] for ground in kit["grounds"]}) == len(kit["grounds"])
    assert client.get("/api/maps/chess").status_code == 400


def test_a_draft_is_checked_turned_and_played(client: TestClient) -> None:
    """A draft is made from a supplied scenario, and a game is played on the new table."""
    draft = draft_of(client, "duel", "marsh")
    draft["mud"] = [[4, 9, 2]]
    words = client.post("/api/maps/duel/symmetric", json={"draft": draft, "how": "rotate"}).json()["draft"]
    assert words["mud"] == [[4, 9, 2], [12, 3, 2]]
    result = client.post("/api/maps/duel/check", json={"draft": words}).json()
    assert result["faults"] == []
    assert len(result["picture"]["grounds"]) == 2
    text = client.post("/api/maps/duel/file", json={"draft": words}).json()["text"]
    assert client.post("/api/maps/duel/check", json={"text": text}).json()["draft"] == words
    made = client.post("/api/games", json={"ruleset": "duel", "scenario": text})
    assert made.status_code == 201


def test_faults_have_places(client: TestClient) -> None:
    """Two faulty pieces are two faults, and the rest of the table is drawn."""
    draft = draft_of(client, "command-horizon", "secure-objectives")
    draft["terrain"][1]["kind"] = "wods"
    draft["terrain"][3] = {"id": "nowhere", "kind": "hill", "box": [0, 0, 500, 5]}
    result = client.post("/api/maps/command-horizon/check", json={"draft": draft}).json()
    assert [fault["path"][:2] for fault in result["faults"]] == [["terrain", 1], ["terrain", 3]]
    assert "did you mean 'woods'?" in result["faults"][0]["words"]
    assert len(result["picture"]["grounds"]) == len(draft["terrain"]) - 2


@pytest.mark.parametrize("body", [
    {}, {"draft": []}, {"draft": None, "text": ""}, {"draft": {"a": {"b": "c" * 70_000}}}, {"file": "/etc/passwd"},
])  # fmt: skip
def test_what_is_no_draft_is_refused(client: TestClient, body: Any) -> None:
    """The refusal is in plain words, and the server keeps running."""
    words = client.post("/api/maps/duel/check", json=body)
    if words.status_code == 200:
        assert words.json()["faults"]
        assert words.json()["picture"] is None
    else:
        assert words.status_code == 400
        assert words.json()["message"]


def test_a_table_from_a_seed_is_the_same_again(client: TestClient) -> None:
    """A seed always gives the same table. An invalid symmetry or seed is refused."""
    one, two = (client.post("/api/maps/duel/draw", json={"seed": "7"}).json()["draft"] for _ in range(2))
    assert one == two
    assert client.post("/api/maps/duel/draw", json={"seed": "7", "symmetry": "all"}).status_code == 400
    assert client.post("/api/maps/duel/draw", json={"seed": "7" * 90}).status_code == 400
    assert client.post("/api/maps/duel/draw", json={"seed": "7", "size": [4000, 4000]}).status_code == 400
