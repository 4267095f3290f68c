"""Requests about the surroundings and the lines of sight of a unit."""

from __future__ import annotations

import pytest

from caltrop.engine import ruleset
from tests.server.tables import Table, TestClient


def test_a_unit_that_is_picked_up_is_told_its_surroundings(table: Table) -> None:
    side = table.begin()
    id = table.view(side)["decisions"][0]["id"]
    before = table.digest
    words = table.say(side, {"type": "pick-up", "decision": id, "unit": side, "ref": 9})
    assert (words["type"], words["decision"], words["ref"]) == ("picked-up", id, 9)
    assert [piece["id"] for piece in words["around"]["pieces"]] == [side]
    assert words["around"]["others"]
    assert table.say(side, {"type": "pick-up", "decision": id, "unit": 1 - side})["around"] is None
    assert table.say(1 - side, {"type": "pick-up", "decision": id, "unit": side})["code"] == "not-your-decision"
    assert table.digest == before


def test_sight_is_told_to_the_side_that_looks(client: TestClient) -> None:
    battle = Table(client, ruleset="command-horizon", scenario="first-battle")
    every = battle.say(0, {"type": "sight", "unit": 0})["sightings"]
    assert len(every) == 4
    assert {one["unit"] for one in every} == {0}
    assert all(one["lines"] == [] for one in every)
    target, model = every[0]["target"], battle.view(0)["picture"]["groups"][0]["pieces"][0]["id"]
    ask = {"type": "sight", "unit": 0, "targets": [target], "places": {model: [4500, 4500]}}
    (one,) = battle.say(0, ask)["sightings"]
    assert one["target"] == target
    assert len(one["lines"]) == 9 * len(one["pieces"])
    assert battle.say(1, ask)["sightings"][0] == one
    assert battle.say(0, {"type": "sight", "unit": 0, "targets": [999]})["sightings"] == []
    assert battle.say(0, {"type": "sight", "unit": -1})["sightings"] == []
    assert battle.say(0, {"type": "sight", "unit": 0, "places": {"x": [1, 1]}})["code"] == "wrong-message"


def test_a_game_without_lines_of_sight_says_so(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(ruleset("duel")), "sights", None)
    assert table.say(0, {"type": "sight", "unit": 0})["code"] == "no-sight"


def test_a_view_says_whether_anything_is_hidden(client: TestClient) -> None:
    assert Table(client, ruleset="hex-command").view(0)["secret"], "hands of cards"
    for game in ("command-horizon", "blade-skirmish"):
        assert not Table(client, ruleset=game).view(0)["secret"]
    duel = Table(client)
    assert duel.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
    assert [duel.view(side)["secret"] for side in (0, 1)] == [True, True], "the first stake is sealed"
    assert duel.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
    assert [duel.view(side)["secret"] for side in (0, 1)] == [False, False]
    assert not duel.view(0, at=1)["secret"], "nobody hands a screen over at an earlier moment"
