"""Pages about a game: its clauses, its rules on one page, and its rulings as playable tables."""

from __future__ import annotations

import pytest

from caltrop.engine import ruleset, rulesets
from caltrop.host.making import opening
from caltrop.host.seats import ServerLibrary
from caltrop.scenarios.summaries import summary
from tests.server.tables import TestClient


@pytest.mark.parametrize("name", rulesets())
def test_each_game_is_told_on_one_page(name: str) -> None:
    """The page has the steps of the turn that the tables of clauses show. Each of its five rules names existing
    clauses.
    """
    result = summary(name)
    assert result is not None
    first = ruleset(name).scenarios()[0].id
    assert tuple(step.name for step in result.turn) == opening(ServerLibrary(), name, first).stage.steps
    assert len(result.rules) == 5
    assert all(rule.clauses for rule in result.rules)
    assert all(len(step.words) < 120 for step in result.turn)
    assert all(len(rule.words) < 300 for rule in result.rules)


def test_the_clauses_are_read_without_the_code(client: TestClient) -> None:
    """The sentences on the page are those of the table of clauses."""
    whole = client.get("/api/rules/duel").json()
    text = client.get("/api/rules/duel/text").json()["clauses"]
    rows = [*whole["clauses"], *whole["rulings"]]
    assert [(one["id"], one["text"]) for one in text] == [(one["id"], one["text"]) for one in rows]
    assert client.get("/api/rules/chess/text").status_code == 404


def test_a_ruling_is_a_table_to_play_on(client: TestClient) -> None:
    """A ruling's picture is that of a new game from the ruling, which continues after it is loaded again."""
    examples = client.get("/api/rules/hex-command/examples").json()["examples"]
    one = next(one for one in examples if one["scene"])
    picture = client.get(f"/api/rules/hex-command/examples/{one['id']}").json()["picture"]
    made = client.post("/api/games", json={"ruleset": "hex-command", "ruling": one["id"]}).json()
    head = {"Authorization": "Bearer " + ",".join(seat["token"] for seat in made["seats"] if seat["token"])}
    view = client.get(f"/api/games/{made['game']}", headers=head).json()
    assert [group["id"] for group in view["picture"]["groups"]] == [group["id"] for group in picture["groups"]]
    assert view["scenario"] == f"ruling: {one['title']}"
    del client.app.app.state.games.live[made["game"]]  # type: ignore[attr-defined]
    assert client.get(f"/api/games/{made['game']}", headers=head).json()["picture"] == view["picture"]
    assert client.get(f"/api/games/{made['game']}/record", headers=head).json()["code"] == "no-record"
    assert client.get(f"/api/games/{made['game']}/report", headers=head).status_code == 200
    none = next(one for one in examples if not one["scene"])
    assert client.get(f"/api/rules/hex-command/examples/{none['id']}").status_code == 400
    assert client.post("/api/games", json={"ruleset": "hex-command", "ruling": "XX"}).status_code == 400


@pytest.mark.parametrize("name", rulesets())
def test_the_table_of_every_scenario_is_shown_with_its_armies(name: str) -> None:
    """Units that players place are shown at their usual places. Units of the rules may appear later in the game."""
    library = ServerLibrary()
    for scenario in library.find(name).scenarios():
        picture = opening(library, name, scenario.id)
        placed = {group.side for group in picture.groups if group.pieces}
        assert placed >= set(range(scenario.players)), scenario.id
