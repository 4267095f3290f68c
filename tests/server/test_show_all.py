"""After the end, a side can show what was hidden. Until then, the last act can be taken back with leave."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.tables import Table, Talk, TestClient, served

LONE = {"ruleset": "hex-command"}


def finished_duel(client: TestClient, **expected: Any) -> Table:
    """Play a duel to the end of its last round without dice. The first side took back a sealed stake before."""
    table = Table(client, **expected)
    assert table.answer(0, {"type": "Stake", "points": 3})["type"] == "done"
    assert table.say(0, {"type": "undo"})["type"] == "done"
    table.begin()
    while table.view(0)["over"] is None:
        side = table.view(0)["waiting_for"][0]
        assert table.answer(side, {"type": "Stay"})["type"] == "done"
    assert not [line for line in table.view(0)["log"] if line["dice"]], "no dice fell"
    return table


def last_side(table: Table) -> int:
    """Return the side that has played last."""
    side: int = table.state.active
    return side


def hides_something(table: Table, *sides: int) -> bool:
    """Return whether the record that these sides get hides any part of the game."""
    headers = table.bearer(*sides) if sides else {}
    record = table.client.get(f"/api/games/{table.id}/record", headers=headers).json()
    report = table.client.get(f"/api/games/{table.id}/report", headers=headers).json()["record"]
    moments = table.client.get(f"/api/games/{table.id}/moments", headers=headers).json()
    assert record == report
    stored = any(entry["type"] == "action" and entry["action"] is None for entry in record["entries"])
    salted = record["salted"]
    assert salted == (record["outcome"] is None)
    assert salted == (moments["may"] == [*sides, None])
    assert not stored or salted
    return bool(salted)


def test_nothing_hidden_is_told_at_the_end_until_a_side_shows_it(client: TestClient) -> None:
    table = finished_duel(client)
    for sides in ((), (0,), (1,)):
        assert hides_something(table, *sides)
    assert table.view(1)["kept_back"]
    answer = client.get(f"/api/games/{table.id}/moments", params={"eyes": 0}, headers=table.bearer(1))
    assert answer.json()["code"] == "not-your-seat"
    explained = client.post(f"/api/games/{table.id}/analysis", json={}, headers=table.bearer(1))
    assert explained.json()["code"] == "not-shown", "an explanation looks at everything that was hidden"
    assert table.say(1, {"type": "show-all"})["type"] == "done"
    for sides in ((), (0,), (1,)):
        assert not hides_something(table, *sides)
    record = client.get(f"/api/games/{table.id}/record").json()
    assert {"type": "Stake", "points": 3} in [entry["action"] for entry in record["entries"] if "action" in entry]
    verdict = client.post("/api/verify", json=record).json()
    assert verdict["same"], verdict
    assert not table.view(0)["kept_back"]
    assert table.view(0)["log"][-1]["kind"] == "show"
    assert table.say(0, {"type": "show-all"})["code"] == "shown"


def test_the_last_act_is_taken_back_by_leave_and_not_freely(client: TestClient) -> None:
    table = finished_duel(client)
    side, acts = last_side(table), table.view(0)["act"]
    refusal = table.say(side, {"type": "undo"})
    assert (refusal["code"], refusal["values"]["boundary"]) == ("boundary", "the game is over")
    undo = table.view(side)["undo"]
    assert (undo["allowed"], undo["takeback"], undo["until"]) == (False, True, acts)
    assert table.say(side, {"type": "takeback"})["type"] == "done"
    assert table.view(1 - side)["undo"]["asked"] == side
    assert table.say(1 - side, {"type": "takeback", "answer": True})["type"] == "done"
    view = table.view(side)
    assert (view["over"], view["act"], view["waiting_for"]) == (None, acts - 1, [side])
    assert hides_something(table)
    assert table.answer(side, {"type": "Stay"})["type"] == "done"
    assert table.view(side)["kept_back"]


@pytest.mark.parametrize("asked", [False, True])
def test_what_has_been_shown_is_never_taken_back(client: TestClient, asked: bool) -> None:
    table = finished_duel(client)
    side = last_side(table)
    if asked:
        table.say(side, {"type": "takeback"})
    assert table.say(1 - side, {"type": "show-all"})["type"] == "done"
    assert table.say(1 - side, {"type": "takeback", "answer": True})["code"] == "nobody-asks"
    for message in ({"type": "undo"}, {"type": "takeback"}):
        assert table.say(side, message)["code"] == "over"
    assert table.view(side)["undo"]["takeback"] is False
    assert table.view(side)["over"] is not None


def test_only_a_seat_shows_and_only_at_the_end(client: TestClient) -> None:
    table = Table(client)
    assert table.say(0, {"type": "show-all"})["code"] == "goes-on"
    table = finished_duel(client)
    answer = client.post(f"/api/games/{table.id}/messages", json={"type": "show-all"})
    assert answer.json()["code"] == "not-your-seat"
    assert table.say(0, {"type": "show-all", "side": 1})["code"] == "not-your-seat"
    assert hides_something(table)


def test_a_game_that_hides_nothing_waits_for_nobody(client: TestClient) -> None:
    table = Table(client)
    table.begin()
    assert table.say(0, {"type": "resign"})["type"] == "done"
    assert not table.view(1)["kept_back"]
    assert not hides_something(table)


@pytest.mark.parametrize("shown", [False, True])
def test_a_game_that_was_given_up_shows_no_hand_until_a_side_shows_it(client: TestClient, shown: bool) -> None:
    table = Table(client, **LONE)
    assert table.say(0, {"type": "resign"})["type"] == "done"
    if shown:
        assert table.say(0, {"type": "show-all"})["type"] == "done"
    assert hides_something(table, 1) is not shown
    assert table.say(0, {"type": "takeback"})["code"] == "over"


def test_the_end_is_shown_live_to_everybody_and_after_a_restart(database: str) -> None:
    with served(database) as client:
        table = finished_duel(client)
        with table.live() as one, table.live() as onlooker:
            Talk(one, tokens=[table.tokens[1]]).hear("view")
            looks = Talk(onlooker)
            assert looks.hear("view")["kept_back"] is True
            table.say(0, {"type": "show-all"})
            change = looks.hear("change")
            assert (change["kept_back"], change["log"][-1]["kind"]) == (False, "show")
        other = finished_duel(client)
    with served(database) as client:
        table.client = other.client = client
        assert not hides_something(table)
        assert table.say(0, {"type": "undo"})["code"] == "over"
        assert hides_something(other)
        assert other.view(0)["kept_back"]


def test_computers_among_themselves_keep_nothing_back(client: TestClient) -> None:
    made = client.post("/api/games", json={**LONE, "seats": ["first", "first"]}).json()
    game = client.app.app.state.games.live[made["game"]].game  # type: ignore[attr-defined]
    game.resigned = 0
    assert game.hides
    assert not game.kept_back
