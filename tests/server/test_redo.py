"""Acts that were taken back freely can be repeated one by one, until another act is played."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Refused, ruleset
from caltrop.host.events import Setup
from caltrop.host.game import HostedGame
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from tests.server.tables import Table

UP = {"type": "Walk", "path": [[900, 500]]}


def undo(table: Table, side: int = 0) -> dict[str, Any]:
    return table.say(side, {"type": "undo"})


def redo(table: Table, side: int = 0) -> dict[str, Any]:
    return table.say(side, {"type": "redo"})


def two_acts(table: Table) -> list[str]:
    """Walk up to the enemy and hold; return the states before, between and after these acts."""
    table.begin()
    states = [table.digest]
    for action in (UP, {"type": "HoldBack"}):
        assert table.answer(0, action)["type"] == "done"
        states.append(table.digest)
    return states


def test_acts_taken_back_are_played_again_one_by_one(table: Table) -> None:
    before, between, after = two_acts(table)
    assert not table.view(0)["undo"]["redo"]
    assert undo(table)["type"] == undo(table)["type"] == "done"
    assert table.digest == before
    assert table.view(0)["undo"]["redo"]
    assert redo(table)["type"] == "done"
    assert table.digest == between
    assert redo(table)["type"] == "done"
    assert table.digest == after
    assert not table.view(0)["undo"]["redo"]
    assert redo(table)["code"] == "nothing-to-redo"


def test_in_the_record_an_act_that_is_played_again_is_the_act_itself(table: Table) -> None:
    two_acts(table)
    undo(table)
    redo(table)
    answer = table.client.get(f"/api/games/{table.id}/record", headers=table.bearer(0))
    words = [(e["type"], e.get("decision", "")) for e in answer.json()["entries"][-3:]]
    assert words == [("action", "StrikeOrHold"), ("undo", ""), ("action", "StrikeOrHold")]
    assert table.client.post("/api/verify", json=answer.json()).json()["same"]


def test_an_end_is_taken_back_until_the_computer_rolls() -> None:
    """Undo also takes back the computer's later acts if no dice fell in them. Then the computer thinks again."""
    rules = ruleset("duel")
    book = rules.book(None, {"bid.tie": "first-side"})
    setup = Setup(
        ruleset="duel",
        edition=book.edition,
        rules=book.rules,
        scenario="bridge",
        armies=(),
        size=None,
        seats=("person", "random"),
        friendly=True,
        dice="server",
        engine_version="",
        rules_version=rules.rules_version,
        salt="salt",
    )
    game = HostedGame.begun("g", setup, rules, Seeded(1))
    rows = [game.created()]

    def play(side: int, kind: str) -> None:
        asked = next(d for _, d in game.ids() if d.side == side)
        options = asked.options(game.match.view(side))
        rows.append(game.act(asked, next(a for a in options if type(a).__name__ == kind)))

    play(0, "Stake")
    play(1, "Stake")
    began = game.digest
    play(0, "Stay")
    ended = game.digest
    assert game.match.waiting[0].side == 1, "the turn is handed over"
    play(1, "Walk")
    undo = game.view(0).undo
    assert (undo.allowed, undo.until) == (True, game.acts - 2)
    rows += game.undo_freely(0)
    assert [row.kind for row in rows[-2:]] == ["undo"] * 2
    assert game.digest == began
    assert game.view(0).undo.redo
    rows.append(game.redo(0))
    assert game.digest == ended
    assert restored("g", rows, ServerLibrary()).digest == ended
    play(1, "Walk")
    assert game.undo_freely(0)
    with pytest.raises(Refused):
        game.undo_freely(1)


def test_another_act_leaves_nothing_to_play_again(table: Table) -> None:
    two_acts(table)
    undo(table)
    undo(table)
    table.answer(0, {"type": "Walk", "path": [[800, 500]]})
    assert not table.view(0)["undo"]["redo"]
    assert redo(table)["code"] == "nothing-to-redo"


def test_the_same_act_by_hand_leaves_the_rest_to_play_again(table: Table) -> None:
    _, between, after = two_acts(table)
    undo(table)
    undo(table)
    table.answer(0, UP)
    assert table.digest == between
    redo(table)
    assert table.digest == after


def test_nobody_plays_the_acts_of_the_other_side_again(table: Table) -> None:
    two_acts(table)
    undo(table)
    assert not table.view(1)["undo"]["redo"]
    assert not table.view()["undo"]["redo"]
    assert redo(table, 1)["code"] == "nothing-to-redo"
    assert table.say(1, {"type": "redo", "side": 0})["code"] == "not-your-seat"


def test_what_was_given_back_by_leave_is_not_played_again(table: Table) -> None:
    two_acts(table)
    table.answer(1, {"type": "Stay"})
    table.say(0, {"type": "takeback"})
    assert table.say(1, {"type": "takeback", "answer": True})["type"] == "done"
    assert redo(table)["code"] == "nothing-to-redo"


def test_it_outlives_a_restart_and_ends_with_the_game(table: Table) -> None:
    _, between, after = two_acts(table)
    undo(table)
    undo(table)
    redo(table)
    table.forget()
    assert table.view(0)["undo"]["redo"]
    assert table.digest == between
    redo(table)
    assert table.digest == after
    undo(table)
    table.say(1, {"type": "resign"})
    assert not table.view(0)["undo"]["redo"]
    assert redo(table)["code"] == "nothing-to-redo"
