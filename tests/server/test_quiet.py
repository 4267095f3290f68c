"""Acts without rolls, discoveries or a change of sides are played at once; others give a reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.tables import Table, TestClient

UP = {"type": "Walk", "path": [[900, 500]]}


def quietly(table: Table, action: dict[str, Any]) -> dict[str, Any]:
    return table.answer(0, action, quietly=True)


def test_what_is_quiet_is_played_and_what_is_not_says_why(table: Table) -> None:
    sealed = quietly(table, {"type": "Stake", "points": 2})
    assert (sealed["type"], sealed["loud"]["why"]) == ("loud", "sealed")
    table.begin()
    assert quietly(table, UP)["type"] == "done"
    held = quietly(table, {"type": "HoldBack"})
    assert (held["type"], held["loud"]["why"]) == ("loud", "hands-over")
    before = table.digest
    struck = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if o["action"]["type"] != "HoldBack")
    assert quietly(table, struck)["loud"]["why"] in ("dice", "hands-over")
    assert table.digest == before
    assert quietly(table, {"type": "Walk", "path": [[9, 9]]})["type"] == "refusal"


def test_a_wish_that_is_not_quiet_comes_back_as_a_proposal(client: TestClient) -> None:
    """A walk that leaves nobody in reach would end the turn, so the server returns it as a proposal."""
    table = Table(client, scenario="crossroads", rules={"bid.tie": "first-side"})
    table.begin()
    asked = table.view(0)["decisions"][0]
    wish = {"unit": 0, "to": [620, 500]}
    heard = table.say(0, {"decision": asked["id"], "wish": wish, "quietly": True})
    assert heard["type"] == "proposal"
    assert heard["proposal"]["action"] is not None
    assert heard["loud"]["why"] == "hands-over"


def fighters(client: TestClient) -> tuple[Table, dict[str, Any]]:
    """Return a skirmish in which all fighters are placed, with the decision which fighter goes first."""
    table = Table(client, ruleset="blade-skirmish", scenario="cut-them-down", seats=["person"], placed=True)
    return table, table.view(0)["decisions"][0]


def test_one_word_lets_a_fighter_or_all_of_them_stay(client: TestClient) -> None:
    table, asked = fighters(client)
    table.forget()
    assert table.view(0)["decisions"][0] == asked, "it is the same when it is opened again"
    first = asked["offers"][0]
    assert (asked["kind"], first["idle"], asked["usual"]["words"]) == ("NextFighter", "Stays", "Everybody stays")
    message = {"type": "usual", "decision": asked["id"], "unit": first["unit"], "quietly": True}
    assert table.say(0, message)["type"] == "done"
    left = table.view(0)["decisions"][0]
    assert left["kind"] == "NextFighter"
    assert first["unit"] not in [offer["unit"] for offer in left["offers"]]
    places = [group["pieces"][0]["at"] for group in table.view(0)["picture"]["groups"] if group["side"] == 0]
    message = {"type": "usual", "decision": left["id"], "quietly": True}
    assert table.say(0, message)["type"] == "done"
    view = table.view(0)
    assert [group["pieces"][0]["at"] for group in view["picture"]["groups"] if group["side"] == 0] == places
    last = view["decisions"][0]
    assert last["kind"] in ("Move", "RunOn")
    assert table.say(0, {"type": "usual", "decision": last["id"], "quietly": True})["type"] == "loud"
    assert table.say(0, {"type": "usual", "decision": last["id"]})["type"] == "done"


@pytest.mark.parametrize("everybody", [False, True])
def test_who_stays_in_one_turn_is_asked_in_the_next(client: TestClient, everybody: bool) -> None:
    """The fighters are asked in the next turn even though the enemy's turn in between asks no question."""
    table, asked = fighters(client)
    turns = 0
    while turns == 0:
        unit = {} if everybody else {"unit": asked["offers"][0]["unit"]}
        assert table.say(0, {"type": "usual", "decision": asked["id"], **unit})["type"] == "done"
        view = table.view(0)
        asked = view["decisions"][0]
        turns = str(view["log"]).count("Turn 2 of")
    assert (asked["kind"], len(asked["offers"])) == ("NextFighter", 6)


def test_where_nothing_is_usual_nothing_is_answered(table: Table) -> None:
    table.begin()
    asked = table.view(0)["decisions"][0]
    assert asked["usual"] is None
    assert table.say(0, {"type": "usual", "decision": asked["id"]})["code"] == "nothing-usual"
