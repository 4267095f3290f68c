"""Games in which nobody plays one of the sides: nobody sits there, and one player is enough."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.host.events import Setup
from caltrop.host.game import Game
from caltrop.host.live import Live
from caltrop.host.seats import AUTOMATED, seated
from caltrop.wire.changes import patched_picture
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


def test_a_turn_of_the_rules_is_told_model_by_model() -> None:
    """The steps of a change lead to its picture, all lines are told on the way, and each step is of one model."""
    rules = ruleset("blade-skirmish")
    book = rules.book()
    setup = Setup(
        ruleset=rules.name, edition=book.edition, rules=book.rules, scenario="run-the-gauntlet", armies=(), size=None,
        seats=("person", AUTOMATED), friendly=True, dice="server", engine_version="0", rules_version=1, salt="s",
    )  # fmt: skip
    game = Game("g", setup, rules, Seeded(3))
    live = Live(game)
    live.show(0)
    stepped: list[Any] = []
    for _ in range(60):
        if not game.ids() or len(stepped) > 1:
            break
        decision = game.ids()[0][1]
        before = plain(live.show(0))
        options = decision.options(game.match.view(0))
        game.act(decision, options.first())
        [told] = live.changes()
        live.publish([told])
        change = msgspec.json.decode(told.message)
        if "steps" not in change:
            continue
        stepped.append(change)
        picture, told_by_then = before["picture"], 0
        lines = change["log"]
        for step in change["steps"]:
            picture = patched_picture(picture, step.get("picture", {}))
            part = lines[told_by_then : step["lines"]]
            told_by_then = step["lines"]
            assert len({line["side"] for line in part}) == 1
            if part[0]["side"] == 1:
                assert len({line["touches"][0] for line in part if line["touches"]}) <= 1, part
        assert picture == plain(told.view.picture)
        assert told_by_then == len(lines)
        moved = {line["touches"][0] for line in lines if line["kind"] == "Moved" and line["side"] == 1}
        assert len(moved) > 1, "a model that moves is shown by itself"
        assert len(change["steps"]) > len(moved)
    assert len(stepped) == 2


def plain(value: Any) -> Any:
    """As it comes out of JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
