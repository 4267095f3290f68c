"""Seats of computer players: they play by themselves, see only their own view, and never stop the game."""

from __future__ import annotations

import time
from typing import Any

import pytest

from caltrop.host.apart import Apart
from caltrop.host.computers import LESSER
from caltrop.host.games import Games
from caltrop.host.seats import SecureDice, ServerLibrary
from caltrop.lab.workers import Late
from caltrop.players import Player, players
from caltrop.wire import patched
from tests.server.tables import Oddball, Oddballs, Table, Talk, TestClient, served


def view_when_asked(table: Table, side: int) -> dict[str, Any]:
    """Return the view of *side* once it must answer a question or the game is over."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        view = table.view(side)
        if view["decisions"] or view["over"]:
            return view
        time.sleep(0.03)
    raise AssertionError("nobody is asked")


def to_the_end(table: Table, side: int = 0) -> dict[str, Any]:
    """Play a side's first option in each decision until the game is over."""
    while not (view := view_when_asked(table, side))["over"]:
        action = view["decisions"][0]["offers"][0]["action"]
        assert table.say(side, {"decision": view["decisions"][0]["id"], "action": action})["type"] == "done"
    return view


def test_the_computer_plays_on_and_every_act_is_told_by_itself(client: TestClient) -> None:
    table = Table(client, ("person", "first"))
    with table.live() as a:
        talk = Talk(a, tokens=table.tokens[:1])
        view = talk.hear("view")
        acts, asked = [view["act"]], ""
        while not view["over"]:
            if view["decisions"] and view["decisions"][0]["id"] != asked:
                decision, asked = view["decisions"][0], view["decisions"][0]["id"]
                talk.tell({"decision": decision["id"], "action": decision["offers"][0]["action"]})
            view = patched(view, talk.hear("change"))
            acts.append(view["act"])
    assert acts == list(range(acts[0], acts[-1] + 1))
    assert view["waiting_for"] == []


@pytest.mark.parametrize("player", ["crash", "cheat"])
def test_a_computer_that_fails_is_reported_and_the_game_goes_on(
    client: TestClient, player: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(client, ("person", player))
    view = to_the_end(table)
    notes = [line for line in view["log"] if line["kind"] == "player"]
    assert notes
    assert all(player in line["text"] and "by chance" in line["text"] for line in notes)
    assert "secret of the crash" not in str(view)
    assert caplog.records


def test_who_thinks_long_thinks_in_a_process_of_its_own_and_the_record_says_when_it_was_cut_short(
    client: TestClient,
) -> None:
    table = Table(client, ("person", "elsewhere"))
    for _ in range(600):
        time.sleep(0.05)
        if any("had no time" in line["text"] for line in table.view(0)["log"]):
            break
    view = to_the_end(table)
    notes = [line["text"] for line in view["log"] if line["kind"] == "player"]
    assert notes == ["The computer player elsewhere ran out of time to think"]


def test_two_computers_play_a_whole_game(client: TestClient) -> None:
    table = Table(client, ("first", "first"))
    until = time.monotonic() + 60
    while time.monotonic() < until:
        view = client.get(f"/api/games/{table.id}").json()
        if view["over"]:
            return
        time.sleep(0.03)
    raise AssertionError("the game does not end")


def test_a_computer_gives_leave_in_a_friendly_game_only(client: TestClient) -> None:
    friendly = Table(client, ("person", "first"))
    stern = Table(client, ("person", "first"), friendly=False)
    for table in (friendly, stern):
        table.answer(0, {"type": "Stake", "points": 1})
        view_when_asked(table, 0)
    assert friendly.view(0)["undo"]["takeback"]
    assert friendly.say(0, {"type": "takeback"})["type"] == "done"
    assert view_when_asked(friendly, 0)["decisions"][0]["kind"] == "Bid"
    assert not stern.view(0)["undo"]["takeback"]
    assert stern.say(0, {"type": "takeback"})["code"] == "no-takebacks"


def test_who_thinks_too_long_is_replaced_by_chance(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("caltrop.host.computers.THINKING_SECONDS", 0.02)
    with served(database, library=Oddballs(0.3)) as client:
        table = Table(client, ("person", "first"))
        table.answer(0, {"type": "Stake", "points": 3})
        view = view_when_asked(table, 0)
    assert "thought too long" in view["log"][0]["text"]


@pytest.mark.parametrize("words", ["thought too long", "had to wait too long for others"])
def test_a_lesser_one_answers_for_who_takes_too_long(
    database: str, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    think = Apart.think

    def late(self: Apart, player: Any, *result: Any) -> Any:
        if getattr(player, "name", "") == "first":
            raise Late
        return think(self, player, *result)

    if words == "thought too long":
        monkeypatch.setattr(Apart, "think", late)
    else:
        monkeypatch.setattr("caltrop.host.computers.PATIENCE_SECONDS", -1.0)
    with served(database, library=OnlyFirst()) as client:
        table = Table(client, ("person", "first"))
        table.answer(0, {"type": "Stake", "points": 3})
        view = view_when_asked(table, 0)
    message = f"The computer player first {words}; {lesser('duel')} answered in its place"
    assert message in [line["text"] for line in view["log"]]


class OnlyFirst(Oddballs):
    """A library with one oddball, "first", and the usual players of the registry."""

    def player(self, name: str, game: str) -> Player:
        return Oddball(name) if name == "first" else ServerLibrary().player(name, game)


def lesser(game: str) -> str:
    """Return a weaker computer player as a replacement."""
    return next(one for one in LESSER if one in players(game))


def test_a_game_without_people_rests_while_nobody_looks(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.host.computers.LOOKED_SECONDS", -1.0)
    with served(database) as client:
        table = Table(client, ("random", "random"))
        live = client.app.app.state.games.live[table.id]  # type: ignore[attr-defined]
        for _ in range(3):
            assert client.get(f"/api/games/{table.id}").json()["act"] == 0
            assert live.thinking is None
        assert Table(client, ("person", "random")).view(0)["waiting_for"], "where people play nobody need look"
        with table.live() as socket:
            talk = Talk(socket)
            view = talk.hear("view")
            while not view["over"]:
                view = patched(view, talk.hear("change"))


def test_who_waits_for_others_to_have_thought_loses_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Six players think for a second each, and two can think at a time. The last one begins after two seconds."""
    monkeypatch.setattr("caltrop.host.computers.THINKING_SECONDS", 2.5)
    with served(database, library=Oddballs(1.0)) as client:
        tables = [Table(client, ("person", "first")) for _ in range(6)]
        for table in tables:
            table.answer(0, {"type": "Stake", "points": 3})
        views = [view_when_asked(table, 0) for table in tables]
    assert not [line for view in views for line in view["log"] if "thought too long" in line["text"]]


def test_the_server_answers_while_a_computer_thinks(database: str) -> None:
    with served(database, library=Oddballs(8.0)) as client:
        table = Table(client, ("person", "first"))
        begun = time.perf_counter()
        assert table.view(0)["waiting_for"] == [0, 1]
        assert table.answer(0, {"type": "Stake", "points": 1})["type"] == "done"
        assert table.view(0)["waiting_for"] == [1], "it thinks still"
        assert time.perf_counter() - begun < 7.5


def test_what_was_thought_before_an_undo_is_not_played(database: str) -> None:
    with served(database, library=Oddballs(0.15)) as client:
        table = Table(client, ("person", "first"))
        while table.view(0)["waiting_for"] != [0]:
            time.sleep(0.02)
        table.answer(0, {"type": "Stake", "points": 3})
        table.answer(0, {"type": "Walk", "path": [[500, 500]]})
        assert table.say(0, {"type": "undo"})["type"] == "done"
        time.sleep(0.4)
        assert table.view(0)["waiting_for"] == [0]


def test_every_computer_player_of_the_registry_plays_a_duel(database: str) -> None:
    library = ServerLibrary()
    for name in library.players("duel"):
        with served(database, library=library) as client:
            assert to_the_end(Table(client, ("person", name)))["over"]


def test_the_dice_of_the_server_are_fair_enough_and_in_range() -> None:
    from caltrop.chance import Pool

    dice = SecureDice()
    faces = dice.roll(Pool(6000), ())
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(800 < faces.count(face) < 1200 for face in range(1, 7))
    assert {dice.below(3) for _ in range(200)} == {0, 1, 2}


def test_games_that_nobody_looks_at_leave_the_memory_and_come_back(client: TestClient) -> None:
    games: Games = client.app.app.state.games  # type: ignore[attr-defined]
    games.most = games.unseen = 2
    tables = [Table(client) for _ in range(5)]
    tables[0].begin()
    before = tables[0].digest
    for table in tables:
        table.view(0)
    assert len(games.live) <= 3
    assert tables[0].view(0)["act"] == 2
    assert tables[0].digest == before
