"""Games in which nobody plays one of the sides: nobody sits there, and one player is enough."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import ruleset
from caltrop.server.seats import AUTOMATED, seated
from tests.server.tables import Table, TestClient

SOLO = {"ruleset": "blade-skirmish", "scenario": "run-the-gauntlet"}


def made(client: TestClient, **wanted: Any) -> Any:
    answer = client.post("/api/games", json={**SOLO, **wanted})
    return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("named", "players"),
    [
        ({}, ["person", AUTOMATED]),
        ({"seats": ["person"]}, ["person", AUTOMATED]),
        ({"seats": ["person", "first"]}, ["person", AUTOMATED]),
        ({"seats": ["first"]}, ["first", AUTOMATED]),
    ],
)
def test_nobody_sits_where_the_rules_move(client: TestClient, named: Any, players: list[str]) -> None:
    status, told = made(client, **named)
    assert status == 201, told
    assert [seat["player"] for seat in told["seats"]] == players
    assert [seat["token"] is not None for seat in told["seats"]] == [name == "person" for name in players]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"seats": ["person"] * 3}, "this game has 1 seats, and 3 were given"),
        ({"seats": ["person", AUTOMATED]}, "there is no player 'rules'"),
        ({"scenario": "blood-price", "seats": ["person"]}, "this game has 2 seats, and 1 were given"),
    ],
)
def test_other_numbers_of_players_are_refused(client: TestClient, wanted: Any, said: str) -> None:
    status, told = made(client, **wanted)
    assert status == 400
    assert said in str(told)


def test_a_house_rule_may_give_the_side_to_a_player(client: TestClient) -> None:
    status, told = made(client, seats=["person", "first"], rules={"mode": "versus"})
    assert status == 201, told
    assert [seat["player"] for seat in told["seats"]] == ["person", "first"]


def test_with_two_players_and_automated_models_the_third_side_has_no_seat() -> None:
    rules = ruleset("blade-skirmish")
    t = rules.setup(rules.book(None, {"mode": "versus_with_automata"}), "blood-price")
    assert seated(rules, t, ("person", "random")) == ("person", "random", AUTOMATED)
    assert seated(rules, t, ("person", "random", "easy")) == ("person", "random", AUTOMATED)


def test_a_person_plays_against_the_rules_and_gives_up(client: TestClient) -> None:
    table = Table(client, seats=("person",), **SOLO)
    for _ in range(12):
        view = table.view(0)
        assert view["waiting_for"] == [0]
        assert [seat["player"] for seat in view["seats"]] == ["person", AUTOMATED]
        decision = view["decisions"][0]
        table.say(0, {"decision": decision["id"], "action": decision["offers"][0]["action"]})
    table.say(0, {"type": "resign"})
    assert table.view(0)["over"]["winner"] == 1
