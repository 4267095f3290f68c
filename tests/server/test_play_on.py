"""A finished battle is continued from any of its moments, as a new game with other dice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from caltrop.engine import digest, ruleset, rulesets
from caltrop.host.seats import ServerLibrary
from caltrop.host.shelved import opened
from caltrop.journal import decoded
from caltrop.lab.analysis import Analyser
from caltrop.scenarios.lessons import lessons
from tests.corpus.record import Guest
from tests.server.tables import TestClient, served


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    with served(database, library=ServerLibrary()) as client:
        yield client


def finished_game(client: TestClient, game: str, acts: int = 30, **more: Any) -> Guest:
    """Return a game that was given up after some acts, some of them taken back, and in which everything is shown."""
    guest = Guest(client, f"played on {game}", ruleset=game, seats=["person", "person"], **more)
    guest.play(acts)
    finish(guest)
    return guest


def finish(guest: Guest) -> None:
    """Give a game up if it is not over, and show what was hidden."""
    side = guest.game.setup.seats.index("person")
    if guest.game.over is None:
        guest.done({"type": "resign", "side": side}, side)
    if guest.game.kept_back:
        guest.done({"type": "show-all", "side": side}, side)


def ask(guest: Guest, at: int, *sides: int, **more: Any) -> Any:
    """Ask to continue a game with the secrets of these sides, or with all secrets."""
    path = f"/api/games/{guest.id}/play-on"
    return guest.client.post(path, json={"at": at, **more}, headers=guest.bearer(*sides))


def played_on(guest: Guest, at: int, *sides: int, **more: Any) -> Guest:
    answer = ask(guest, at, *sides, **more)
    assert answer.status_code == 201, answer.text
    return Guest.at(guest.client, "on", answer.json())


def digest_of(guest: Guest, at: int) -> str:
    """Return a hash of the state after a number of acts, without the game's secret."""
    return digest(guest.game.states[at], b"")


def rolls(guest: Guest) -> list[Any]:
    """Return the dice of each act that was not taken back."""
    return [point.rolls for point in guest.game.match.history]


@pytest.mark.parametrize("game", rulesets())
def test_it_begins_as_the_other_did_and_is_a_game_like_any_other(game: str, client: TestClient) -> None:
    old = finished_game(client, game)
    at = old.game.acts // 2
    new = played_on(old, at)
    assert new.id != old.id
    assert (new.game.acts, new.game.over) == (at, None)
    assert [digest_of(new, n) for n in range(at + 1)] == [digest_of(old, n) for n in range(at + 1)]
    assert rolls(new) == rolls(old)[:at]
    assert new.game.setup.salt != old.game.setup.salt, "its digests tell nothing of the other's"
    assert new.game.log.lines[None][-1].text == "The game continues from here with other dice"
    new.play(12)
    finish(new)
    # After a restart its state is unchanged, and its record, analysis and moments include the acts of the old game.
    rows = list(client.app.app.state.games.storage.events(new.id))  # type: ignore[attr-defined]
    assert opened(new.id, rows, ServerLibrary()).digest == new.game.digest
    text = client.get(f"/api/games/{new.id}/record").content
    assert client.post("/api/verify", content=text, headers={"Content-Type": "application/json"}).json()["same"]
    assert len(Analyser(decoded(text)).points) == new.game.acts
    assert client.get(f"/api/games/{new.id}/moments").json()["moments"][-1]["act"] == new.game.acts
    # The old game has not changed, and can be continued again.
    assert old.game.over is not None
    assert digest_of(played_on(new, at), at) == digest_of(old, at)


def test_the_dice_are_fresh_from_there(client: TestClient) -> None:
    """The new game does not repeat the dice of the old game, which players would know."""
    old = finished_game(client, "duel", 60)
    dice = rolls(old)
    at = next(n for n, fell in enumerate(dice) if fell)
    point, fell = old.game.match.history[at], {tuple(dice[at])}
    for _ in range(12):
        new = played_on(old, at)
        name, asked = next((name, d) for name, d in new.game.ids() if d.side == point.side)
        message = {"decision": name, "action": msgspec.to_builtins(point.action)}
        new.done(message, asked.side)
        fell.add(tuple(rolls(new)[at]))
    assert len(fell) > 1


def test_what_was_played_before_is_taken_back_as_in_any_game(client: TestClient) -> None:
    old = finished_game(client, "duel")
    points = old.game.match.history
    free = next(n for n, p in enumerate(points) if n > 2 and not p.boundary and len(p.state.asked) == 1)
    side = points[free].side
    new = played_on(old, free + 1)
    new.done({"type": "undo", "side": side}, side)
    assert digest_of(new, new.game.acts) == digest_of(old, free)
    thrown = next(n for n, point in enumerate(points) if point.rolls)
    side = points[thrown].side
    new = played_on(old, thrown + 1)
    assert new.say({"type": "undo", "side": side}, side)["code"] == "boundary", "its dice are known"
    rows = list(client.app.app.state.games.storage.events(new.id))  # type: ignore[attr-defined]
    assert opened(new.id, rows, ServerLibrary()).may_undo(side) == new.game.may_undo(side)


def test_the_seats_are_those_of_the_other_game(client: TestClient) -> None:
    old = finished_game(client, "duel")
    seats = ask(old, 2, 1).json()["seats"]
    assert [(seat["player"], seat.get("invited", False)) for seat in seats] == [("person", True), ("person", False)]
    new = Guest.at(client, "on", ask(old, 2, 1).json())
    assert new.game.people.awaited == {0}
    rows = list(client.app.app.state.games.storage.events(new.id))  # type: ignore[attr-defined]
    assert opened(new.id, rows, ServerLibrary()).people.awaited == {0}
    for mine in (ask(old, 2), client.post(f"/api/games/{old.id}/play-on", json={"at": 2})):
        assert [seat.get("invited", False) for seat in mine.json()["seats"]] == [False, False], (
            "nobody is left to invite"
        )
    other = ask(old, 2, 0, seats=["person", "random"]).json()["seats"]
    assert [(seat["player"], seat["token"] is None) for seat in other] == [("person", False), ("random", True)]
    assert "there is no player 'nobody'" in ask(old, 2, seats=["person", "nobody"]).json()["message"]
    assert "2 seats" in ask(old, 2, seats=["person"]).json()["message"]


def test_who_asks_plays_where_only_computers_played(client: TestClient) -> None:
    watched = Guest(client, "watched", ruleset="duel", seats=["random", "random"])
    assert watched.asked() is None
    for at in (0, 1, watched.game.acts - 1):
        side = played_on(watched, at).game
        asked = [d.side for d in watched.game.states[at].asked]
        assert side.setup.seats[asked[0]] == "person"
        assert side.setup.seats.count("person") == 1


def test_the_side_that_the_rules_move_stays_theirs(client: TestClient) -> None:
    guest = Guest(client, "alone", ruleset="blade-skirmish", seats=["person"])
    guest.play(20)
    finish(guest)
    new = played_on(guest, guest.game.acts - 3)
    assert new.game.setup.seats == guest.game.setup.seats
    new.play(4)
    assert rolls(new)[: guest.game.acts - 3] == rolls(guest)[: guest.game.acts - 3]


def test_only_a_moment_of_a_game_that_is_over_and_shown(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Guest(client, "goes on", ruleset="hex-command", seats=["person", "person"])
    guest.play(8)
    assert ask(guest, 1).json()["code"] == "not-over"
    guest.done({"type": "resign", "side": 0}, 0)
    refusal = ask(guest, 1).json()
    assert (refusal["code"], refusal["message"]) == ("not-shown", "Something is still hidden; show everything first")
    guest.done({"type": "show-all", "side": 0}, 0)
    acts = guest.game.acts
    assert ask(guest, acts).status_code == 201, "it was given up there, and somebody is asked"
    assert ask(guest, acts + 1).json()["message"] == f"The game has {acts} acts"
    assert ask(guest, -1).json()["code"] == "no-such-moment"
    assert ask(guest, 1, more=1).json()["code"] == "wrong-message"
    whole = Guest(client, "whole", ruleset="duel", seats=["random", "random"])
    assert whole.asked() is None
    assert ask(whole, whole.game.acts).json()["message"] == "No decision is open at the end; choose an earlier moment"
    lesson = Guest(client, "lesson", ruleset="command-horizon", lesson=lessons("command-horizon")[0].id)
    lesson.done({"type": "resign", "side": lesson.game.match.state.asked[0].side})
    assert ask(lesson, 0).json()["code"] == "no-battle"
    monkeypatch.setattr(type(ruleset("hex-command")), "rows", lambda self, t: {"number": 17})
    del client.app.app.state.games.live[guest.id]  # type: ignore[attr-defined]
    assert ask(guest, 1).json()["code"] == "other-rules"


def test_a_record_is_played_on_too(client: TestClient) -> None:
    old = finished_game(client, "duel")
    at = old.game.acts - 2
    headers = {"Content-Type": "application/json"}
    record = client.get(f"/api/games/{old.id}/record").content

    def on(text: bytes, **query: Any) -> Any:
        return client.post("/api/replay/play-on", content=text, headers=headers, params=query)

    answer = on(record, at=at)
    assert answer.status_code == 201, answer.text
    new = Guest.at(client, "on", answer.json())
    assert digest_of(new, at) == digest_of(old, at)
    assert rolls(new) == rolls(old)[:at]
    assert new.game.setup.seats == ("person", "person")
    new.play(1)
    document = json.loads(record)
    unknown = on(json.dumps({**document, "players": ["somebody", "person"]}).encode(), at=at).json()
    assert [seat["player"] for seat in unknown["seats"]] == ["random", "person"], "a bot of another machine"
    assert [seat["player"] for seat in on(record, at=at, seats="random,person").json()["seats"]] == ["random", "person"]
    assert on(record, at=old.game.acts + 1).json()["code"] == "no-such-moment"
    going = Guest(client, "going on", ruleset="duel", seats=["person", "person"])
    unfinished = client.get(f"/api/games/{going.id}/record").content
    for text, words in (
        (unfinished, "the game was unfinished when it was written"),
        (json.dumps({**document, "rules_version": 999}).encode(), "it was played by version 999 of the rules"),
        (b"{}", "this is not a recorded game"),
    ):
        refusal = on(text, at=0).json()
        assert refusal["code"] == "wrong-value"
        assert words in refusal["message"]
