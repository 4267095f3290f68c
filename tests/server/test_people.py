"""Two people at one table: invitations, names, seats that move, the talk, draws and clocks."""

from __future__ import annotations

import time
from typing import Any

import pytest

from caltrop.host.pulse import Pulse
from tests.server.tables import Table, Talk, TestClient, served

TWO_MINUTES = {"per": "game", "seconds": 120, "then": "lose"}


def invited(client: TestClient, **table: Any) -> Table:
    """Return a game with an invitation for its second side."""
    return Table(client, invited=[1], **table)


def claim(table: Table, side: int = 1, status: int = 201) -> dict[str, Any]:
    """Come by the link of a side."""
    answer = table.client.post(f"/api/games/{table.id}/claim", json={}, headers=table.bearer(side))
    assert answer.status_code == status, answer.text
    result: dict[str, Any] = answer.json()
    return result


def seat(table: Table, side: int, eyes: int = 0) -> dict[str, Any]:
    """Return the public data of a seat."""
    result: dict[str, Any] = table.view(eyes)["seats"][side]
    return result


def test_who_is_invited_is_awaited_and_has_the_seat_for_good(client: TestClient) -> None:
    """The link opens the seat once. The friend gets an own secret, which is valid after a restart too."""
    table = invited(client)
    assert [one["awaited"] for one in table.view(0)["seats"]] == [False, True]
    old = table.tokens[1]
    table.tokens[1] = claim(table)["token"]
    assert not seat(table, 1)["awaited"]
    table.forget()
    assert not seat(table, 1)["awaited"]
    assert table.view(1)["you"] == 1
    refused = client.get(f"/api/games/{table.id}?eyes=1", headers={"Authorization": f"Bearer {old}"})
    assert refused.json()["code"] == "not-your-seat"
    table.tokens[1] = old
    assert claim(table, status=403)["code"] == "wrong-token"
    listed = client.get("/api/games", headers={"Authorization": f"Bearer {old}"}).json()["games"]
    assert listed == []


def test_only_people_are_invited(client: TestClient) -> None:
    """A side of a computer player has no link, nor has a side that does not exist."""
    for side in (1, 2):
        expected = {"ruleset": "duel", "seats": ["person", "first"], "invited": [side]}
        assert "nobody can be invited" in client.post("/api/games", json=expected).json()["message"]


def test_who_had_the_seat_before_is_told_that_it_is_gone(client: TestClient) -> None:
    """When the friend takes the seat, the page of the person who sent the invitation loses it and sees only what
    onlookers see.
    """
    table = invited(client)
    with table.live() as session:
        inviter = Talk(session, tokens=table.tokens)
        assert inviter.hear("view")["you"] == 0
        inviter.tell({"type": "eyes", "side": 1})
        assert inviter.hear("view")["you"] == 1
        claim(table)
        assert inviter.hear("moved") == {"type": "moved", "sides": [1], "here": False, "for_good": True}
        assert inviter.hear("view")["you"] == 0
        inviter.tell({"type": "eyes", "side": 1})
        assert inviter.hear("refusal")["code"] == "not-your-seat"


def test_a_seat_that_is_opened_elsewhere_moves_there(table: Table) -> None:
    """Both pages are informed. The first page becomes an onlooker, and if it only reconnects, nothing changes."""
    with table.live() as a, table.live() as b, table.live() as c:
        first = Talk(a, tokens=[table.tokens[0]], screen="one")
        first.hear("view")
        again = Talk(c, tokens=[table.tokens[0]], screen="one")
        again.hear("view")
        assert again.hear("presence", "moved")["type"] == "presence"
        second = Talk(b, tokens=[table.tokens[0]], screen="two")
        assert second.hear("moved")["here"] is True
        assert first.hear("moved") == {"type": "moved", "sides": [0], "here": False, "for_good": False}
        assert first.hear("view")["you"] is None
        first.tell({"type": "resign", "side": 0})
        assert first.hear("refusal")["code"] == "not-your-seat"
        # Programs that give no name for their page share a seat, as they always could.
        with table.live() as d:
            program = Talk(d, tokens=[table.tokens[0]])
            assert program.hear("view")["you"] == 0
            assert program.hear("presence", "moved")["type"] == "presence"


def test_people_say_what_they_are_called(table: Table) -> None:
    """Names are stored, cleaned and shown to everybody. A computer player gets no name."""
    assert table.say(0, {"type": "name", "text": " Anna\n of the\u202e Hill "})["type"] == "done"
    assert table.say(0, {"type": "name", "text": "x" * 25})["code"] == "too-long"
    table.forget()
    assert [one["called"] for one in table.view(1)["seats"]] == ["Anna of the Hill", ""]
    assert [one["called"] for one in table.view()["seats"]] == ["Anna of the Hill", ""]


def test_a_seat_of_a_shared_screen_is_handed_over_by_its_link(table: Table) -> None:
    """The seat waits for the other person, also after a restart. Then its old secret is no longer valid."""
    assert table.say(1, {"type": "await", "on": False})["code"] == "so-already"
    assert table.say(1, {"type": "await", "on": True})["type"] == "done"
    assert table.say(1, {"type": "await", "on": True})["code"] == "so-already"
    table.forget()
    assert [seat["awaited"] for seat in table.view(0)["seats"]] == [False, True]
    assert table.say(0, {"type": "draw"})["code"] == "nobody-to-ask"
    assert table.say(1, {"type": "await", "on": False})["type"] == "done"
    assert table.say(1, {"type": "await", "on": True})["type"] == "done"
    results = table.client.post(f"/api/games/{table.id}/claim", json={}, headers=table.bearer(1))
    assert results.status_code == 201
    assert [seat["awaited"] for seat in table.view(0)["seats"]] == [False, False]
    again = table.client.post(f"/api/games/{table.id}/claim", json={}, headers=table.bearer(1))
    assert again.json()["code"] == "wrong-token"


def test_the_talk_is_between_those_who_play_and_can_be_switched_off(table: Table) -> None:
    """Onlookers do not see messages. A person who has switched messages off receives none."""
    with table.live() as session, table.live() as other:
        friend, onlooker = Talk(session, tokens=[table.tokens[1]]), Talk(other)
        friend.hear("view")
        onlooker.hear("view")
        assert table.say(0, {"type": "talk", "text": "Good luck!"})["type"] == "done"
        assert table.say(1, {"type": "talk", "text": "And to you"})["type"] == "done"
        assert friend.hear("change")["talk"] == [{"n": 1, "side": 0, "text": "Good luck!"}]
        assert friend.hear("change")["talk"] == [{"n": 2, "side": 1, "text": "And to you"}]
        assert "talk" not in onlooker.hear("change")
    table.forget()
    assert [line["text"] for line in table.view(0)["talk"]] == ["Good luck!", "And to you"]
    assert table.view()["talk"] == []
    assert table.say(0, {"type": "talk", "text": "x" * 281})["code"] == "too-long"
    assert table.say(1, {"type": "hush", "off": True})["type"] == "done"
    table.forget()
    assert table.view(0)["hushed"] == [1]
    assert table.say(0, {"type": "talk", "text": "Hello?"})["code"] == "talk-is-off"
    assert table.say(1, {"type": "hush", "off": False})["type"] == "done"
    for n in range(8):
        assert table.say(0, {"type": "talk", "text": f"Line {n}"})["type"] == "done"
    assert table.say(0, {"type": "talk", "text": "And on"})["code"] == "too-fast"
    assert "Good luck" not in client_text(table, "record")


def client_text(table: Table, what: str) -> str:
    """Return the text of a file of the client."""
    text: str = table.client.get(f"/api/games/{table.id}/{what}", headers=table.bearer(0)).text
    return text


def test_a_draw_is_offered_and_agreed_on(table: Table) -> None:
    """An agreed draw ends the game for good. The record says so, and can be replayed."""
    assert table.say(0, {"type": "draw", "answer": True})["code"] == "nobody-asks"
    assert table.say(0, {"type": "draw"})["type"] == "done"
    assert table.say(0, {"type": "draw", "answer": True})["code"] == "nobody-asks"
    assert table.view(1)["draw"] == 0
    table.forget()
    assert table.view(1)["draw"] == 0
    assert table.say(1, {"type": "draw", "answer": False})["type"] == "done"
    assert table.view(1)["draw"] is None
    # A side that plays on declines the offer, and an own offer can be taken back.
    assert table.say(0, {"type": "draw"})["type"] == "done"
    assert table.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
    assert table.view(0)["draw"] is None
    assert table.say(0, {"type": "draw"})["type"] == "done"
    assert table.say(0, {"type": "draw", "answer": False})["type"] == "done"
    assert table.say(1, {"type": "draw"})["type"] == "done"
    assert table.say(0, {"type": "draw", "answer": True})["type"] == "done"
    table.forget()
    over = table.view(0)["over"]
    assert (over["winner"], over["reason"]) == (None, "A draw was agreed on")
    assert table.view(0)["decisions"] == []
    assert table.say(0, {"type": "undo"})["code"] == "over"
    if table.view(0)["kept_back"]:
        assert table.say(0, {"type": "show-all"})["type"] == "done"
    record = table.client.get(f"/api/games/{table.id}/record", headers=table.bearer(0)).json()
    assert record["agreed"] is True
    assert table.client.post("/api/verify", json=record).json()["same"] is True
    record["late"] = 1
    assert table.client.post("/api/verify", json=record).json()["same"] is False


def test_computers_agree_to_no_draw(client: TestClient) -> None:
    """A computer player cannot be offered a draw or sent a message."""
    table = Table(client, ("person", "first"))
    assert table.say(0, {"type": "draw"})["code"] == "nobody-to-ask"
    assert table.say(0, {"type": "talk", "text": "Hello"})["code"] == "nobody-to-ask"


def test_the_clock_runs_for_who_is_to_act_and_outlives_the_server(client: TestClient) -> None:
    """The clock runs for the side that must act, stops while the game is not in memory, and is shown to onlookers."""
    table = invited(client, clock=TWO_MINUTES)
    assert table.view(0)["clock"] == TWO_MINUTES
    with table.live() as session:
        onlooker = Talk(session)
        assert onlooker.hear("clock") == {"type": "clock", "left": [120_000, 120_000], "running": []}
        table.tokens[1] = claim(table)["token"]
        assert onlooker.hear("clock")["running"] == [0, 1]
        time.sleep(0.05)
        assert table.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
        events = onlooker.hear("clock")
        assert events["running"] == [1]
        assert events["left"][0] < 120_000
    table.forget()
    time.sleep(1.0)
    with table.live() as session:
        again = Talk(session).hear("clock")
        assert again["left"][0] == events["left"][0]
        assert again["left"][1] > events["left"][1] - 900


@pytest.mark.parametrize("then", ["lose", "tell"])
def test_what_happens_when_the_time_is_up_was_agreed_before(client: TestClient, then: str) -> None:
    """The server ends the game when the time is up, or announces it once and lets the game go on."""
    table = Table(client, clock={"per": "turn", "seconds": 5, "then": then})
    assert table.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
    client.app.app.state.games.live[table.id].game.clock.left[1] = 100  # type: ignore[attr-defined]
    table.say(0, {"type": "name", "text": "Anna"})
    with table.live() as session:
        talk = Talk(session, tokens=[table.tokens[0]])
        while not (change := talk.hear("change")).get("log"):
            pass
    assert [line["kind"] for line in change["log"]] == ["late"]
    table.forget()
    over = table.view(0)["over"]
    if then == "lose":
        assert over["winner"] == 0
        assert "no time left" in over["reason"]
        assert client.get("/api/games", headers=table.bearer(0)).json()["games"][0]["over"] is True
        if table.view(0)["kept_back"]:
            assert table.say(0, {"type": "show-all"})["type"] == "done"
        record = client.get(f"/api/games/{table.id}/record", headers=table.bearer(0)).json()
        assert record["late"] == 1
        assert client.post("/api/verify", json=record).json()["same"] is True
    else:
        assert over is None
        # The next turn has its full time.
        assert table.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
        assert [line["kind"] for line in table.view(0)["log"]].count("late") == 1


def test_clocks_are_refused_that_make_no_sense(client: TestClient) -> None:
    """Too short, too long, or of an unknown kind."""
    for wrong in ({"seconds": 4}, {"seconds": 10**8}, {"per": "day"}, {"then": "explode"}):
        expected = {"ruleset": "duel", "seats": ["person", "person"], "clock": {**TWO_MINUTES, **wrong}}
        assert client.post("/api/games", json=expected).status_code == 400


def test_a_server_that_ends_stores_the_time(database: str) -> None:
    """The time that a player spends thinking counts; the time during which no server runs does not."""
    with served(database) as client:
        table = Table(client, clock=TWO_MINUTES)
        time.sleep(0.3)
    with served(database) as client:
        table.client = client
        with table.live() as session:
            left = Talk(session).hear("clock")["left"]
    assert 110_000 < left[0] <= 119_800


def test_a_list_of_games_tells_how_they_stand(table: Table) -> None:
    """The list shows each game's round, last act, side to act (if the person may know it) and table as everybody sees
    it.
    """
    table.say(1, {"type": "name", "text": "Bela"})

    def entry(side: int) -> dict[str, Any]:
        result: dict[str, Any] = table.client.get("/api/games", headers=table.bearer(side)).json()["games"][0]
        return result

    def glance(side: int) -> dict[str, Any]:
        result: dict[str, Any] = table.client.get(f"/api/games/{table.id}/glance", headers=table.bearer(side)).json()
        return result

    assert (entry(0)["waiting_for"], entry(0)["called"]) == ([0, 1], ["", "Bela"])
    assert table.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
    assert entry(0)["waiting_for"] == [1]
    # The stake is sealed, so the other side is not told about it.
    assert "2" not in glance(1)["last"]
    assert table.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
    seen = glance(1)
    assert "first turn" in seen["last"]
    assert (seen["round"], [seat["name"] for seat in seen["picture"]["seats"]]) == (1, ["Ash", "Briar"])
    assert table.client.get(f"/api/games/{table.id}/glance").status_code == 404


def test_the_time_of_a_stall_and_of_the_database_is_nobodys(client: TestClient) -> None:
    table = Table(client, clock=TWO_MINUTES)
    games = client.app.app.state.games  # type: ignore[attr-defined]
    table.view(0)
    live = games.live[table.id]
    at = [0.0]
    live.time = Pulse(lambda: at[0]).now
    live.counted = live.time()
    before = list(live.game.clock.left)
    at[0] += 45.0
    live.count()
    assert live.game.running
    assert [was - now for was, now in zip(before, live.game.clock.left, strict=True)] == [500, 500]


def test_a_claim_whose_answer_was_lost_can_be_repeated(client: TestClient) -> None:
    table = invited(client)
    path, own = f"/api/games/{table.id}/claim", "a-secret-that-the-page-has-drawn"
    for wrong in ("short", "x" * 65, "with spaces in the middle of it"):
        assert client.post(path, json={"token": wrong}, headers=table.bearer(1)).status_code == 400
    assert client.post(path, json={"token": own}, headers=table.bearer(1)).json()["token"] == own
    table.forget()
    again = client.post(path, json={"token": own}, headers=table.bearer(1))
    assert (again.status_code, again.json()["token"], again.json()["side"]) == (201, own, 1)
    other = client.post(path, json={"token": own + "-another"}, headers=table.bearer(1))
    assert other.json()["code"] == "wrong-token"
    assert client.post(path, json={}, headers=table.bearer(1)).json()["code"] == "wrong-token"
