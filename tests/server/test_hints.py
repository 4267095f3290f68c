"""Hints are given to the side that must answer a question, in games that allow hints."""

from __future__ import annotations

import pytest

from tests.server.tables import Table, TestClient


def test_a_hint_is_for_the_side_that_is_asked_and_where_it_is_allowed(client: TestClient) -> None:
    table = Table(client, scenario="bridge", seats=["person", "first"], hints=None)
    asked = 0
    decision = table.view(asked)["decisions"][0]["id"]
    assert table.view(asked)["hints"]
    words = table.say(asked, {"type": "hint", "decision": decision})
    assert words["type"] == "hint"
    assert table.answer(asked, words["hint"]["action"])["type"] == "done"
    onlooker = client.get(f"/api/games/{table.id}").json()
    assert not onlooker["hints"]
    answer = client.post(f"/api/games/{table.id}/messages", json={"type": "hint", "decision": decision})
    assert answer.json()["code"] != "hint"


@pytest.mark.parametrize(("hints", "given"), [(None, False), (True, True), (False, False)])
def test_two_people_have_hints_only_where_that_was_said(client: TestClient, hints: bool | None, given: bool) -> None:
    table = Table(client, hints=hints)
    view = table.view(0)
    side = next(side for side in (0, 1) if table.view(side)["decisions"])
    decision = table.view(side)["decisions"][0]["id"]
    assert view["hints"] is given
    words = table.say(side, {"type": "hint", "decision": decision})
    assert (words.get("type") == "hint", words.get("code") == "no-hints") == (given, not given)
    assert table.say(1 - side, {"type": "hint", "decision": decision})["type"] == "refusal"
