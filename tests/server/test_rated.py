"""Games that count for a person's strength, and names that are allowed."""

from __future__ import annotations

import time
from typing import Any

import pytest

from caltrop.host.seats import ServerLibrary
from caltrop.host.shelved import opened
from caltrop.kit.words import hides, visible
from tests.server.tables import Table, TestClient


def view_when_asked(table: Table, side: int) -> dict[str, Any]:
    """Return the view of *side* once it must answer a question or the game is over."""
    for _ in range(10_000):
        view = table.view(side)
        if view["decisions"] or view["over"]:
            return view
        time.sleep(0.005)
    raise AssertionError("nobody is asked")


def last_line_of(client: TestClient, table: Table) -> str:
    """Give a game up; return its last log line after a restart."""
    table.say(0, {"type": "resign"})
    view = table.view(0)
    assert view["over"]
    assert client.get(f"/api/games/{table.id}").json()["unrated"] == "", "onlookers have no strength"
    rows = list(client.app.app.state.games.storage.events(table.id))  # type: ignore[attr-defined]
    assert opened(table.id, rows, ServerLibrary()).view(0).unrated == view["unrated"]
    words: str = view["unrated"]
    return words


def test_a_battle_from_its_beginning_says_something(client: TestClient) -> None:
    table = Table(client, ("person", "random"))
    table.answer(0, {"type": "Stake", "points": 1})
    view_when_asked(table, 0)
    assert last_line_of(client, table) == ""


def test_what_is_taken_back_freely_changes_nothing(client: TestClient) -> None:
    table = Table(client, ("person", "person"))
    table.answer(0, {"type": "Stake", "points": 1})
    assert table.say(0, {"type": "undo"})["type"] == "done"
    assert last_line_of(client, table) == ""


def test_what_is_taken_back_by_leave_does(client: TestClient) -> None:
    table = Table(client, ("person", "random"))
    table.answer(0, {"type": "Stake", "points": 1})
    view_when_asked(table, 0)
    assert table.say(0, {"type": "takeback"})["type"] == "done"
    view_when_asked(table, 0)
    assert last_line_of(client, table) == "acts were taken back after dice, or after an answer"


def test_a_hint_does_once_it_was_given(client: TestClient) -> None:
    table = Table(client, ("person", "random"), hints=True)
    for _ in range(2):
        decision = view_when_asked(table, 0)["decisions"][0]["id"]
        assert table.say(0, {"type": "hint", "decision": decision})["type"] == "hint"
    table.answer(0, {"type": "Stake", "points": 1})
    view_when_asked(table, 0)
    assert last_line_of(client, table) == "a hint was given"


def test_dice_that_were_typed_in_do(client: TestClient) -> None:
    table = Table(client, dice="typed")
    table.answer(0, {"type": "Stake", "points": 1})
    assert table.answer(1, {"type": "Stake", "points": 1}, dice=[[5]])["type"] == "done"
    assert last_line_of(client, table) == "dice were typed in"


def test_a_moment_of_another_game_does(client: TestClient) -> None:
    table = Table(client, ("person", "person"))
    for side in (0, 1):
        table.answer(side, {"type": "Stake", "points": side})
    table.say(0, {"type": "resign"})
    headers = {"Authorization": f"Bearer {table.tokens[0]}"}
    made = client.post(f"/api/games/{table.id}/play-on", json={"at": 1}, headers=headers).json()
    token = next(seat["token"] for seat in made["seats"] if seat["side"] == 0)
    view = client.get(f"/api/games/{made['game']}", headers={"Authorization": f"Bearer {token}"}).json()
    assert view["unrated"] == "it began in the middle of another battle"


def test_a_lesson_does(client: TestClient) -> None:
    table = Table(client, seats=(), ruleset="command-horizon", lesson="move")
    assert table.view(0)["unrated"] == "it was a lesson"


# --- names and talk ---------------------------------------------------------------------------------------------------

SEEN = {
    "Persian": "می\u200cروم",
    "Hindi": "क्\u200dष हिन्दी",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a heart": "\u2764\ufe0f",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Vietnamese": "Nguye\u0302\u0303n",
    "Korean": "한글",
    "Braille": "\u2801\u2803",
}
UNSEEN = [
    "\u3164", "\u115f", "\u1160", "\u2800", "\uffa0", "\ufe0f", "\u200d", "\u200c\u200c", "\u034f", "\u17b4", "\u180b",
    "\U000e0100", "\u3164\ufe0f \u2800", "\u202e", "\u200b\u2060\ufeff", "\u00ad", "\u3000", "\U000e0041", " \t\n",
]  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
def test_what_writing_needs_is_kept(name: str, table: Table) -> None:
    assert visible(SEEN[name]) == SEEN[name]
    assert not hides(SEEN[name])
    table.say(0, {"type": "name", "text": SEEN[name]})
    assert table.view(1)["seats"][0]["called"] == SEEN[name]
    assert table.say(0, {"type": "talk", "text": SEEN[name]})["type"] == "done"
    assert table.view(1)["talk"][-1]["text"] == SEEN[name]


@pytest.mark.parametrize("text", UNSEEN)
def test_what_nobody_can_see_counts_as_empty(text: str, table: Table) -> None:
    assert visible(text) == ""
    assert hides(text)
    table.say(0, {"type": "name", "text": text})
    assert table.view(1)["seats"][0]["called"] == ""
    assert table.say(0, {"type": "talk", "text": text})["code"] == "wrong-value"


def test_joiners_stand_between_two_signs() -> None:
    assert visible("\u200dAnna\u200d \u200c\u200dBea\u200d\u200dC") == "Anna Bea\u200dC"
    assert visible("An\u3164\u3164na") == "An na"
