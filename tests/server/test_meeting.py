"""People meet through open seats, a queue by strength, and friends. Rated games change the strength of both players
once.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.host import admin
from caltrop.host.games import Games
from caltrop.host.together.openings import ANYBODY_SECONDS, OWN, QUEUE_SECONDS, Openings
from caltrop.host.together.ratings import Rating
from tests.server.elsewhere import wait_until
from tests.server.tables import Talk, TestClient
from tests.server.test_notices import KEY, OTHER, Somebody, without_delays

DUEL = {"ruleset": "duel", "seats": ["person", "person"]}
OPEN = {"new": {**DUEL, "invited": [1]}, "words": "Slowly, please"}
DAYS = {"per": "turn", "seconds": 3 * 86_400, "then": "lose"}
BLITZ = {"per": "game", "seconds": 300, "then": "lose"}


@pytest.fixture
def anna(client: TestClient) -> Somebody:
    return Somebody(client)


@pytest.fixture
def bela(client: TestClient) -> Somebody:
    return Somebody(client, OTHER, "Bela")


def openings(client: TestClient) -> Openings:
    openings: Openings = client.app.app.state.together.openings  # type: ignore[attr-defined]
    return openings


def open_seats(who: Somebody) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = who.get("/api/openings")["openings"]
    return result


def offer(who: Somebody, status: int = 201, key: str = "", **new: Any) -> Any:
    """Offer a seat, and return the answer."""
    headers = {"Idempotency-Key": key} if key else {}
    return who.post("/api/openings", {**OPEN, "new": {**OPEN["new"], **new}}, status=status, **headers)  # type: ignore[dict-item]


def say(who: Somebody, game: str, message: dict[str, Any]) -> Any:
    return who.post(f"/api/games/{game}/messages", message)


def stake(who: Somebody, game: str, points: int = 1) -> None:
    decision = who.get(f"/api/games/{game}")["decisions"][0]["id"]
    words = say(who, game, {"decision": decision, "action": {"type": "Stake", "points": points}})
    assert words["type"] == "done"


def test_an_open_seat_is_shown_taken_and_shown_no_more(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna, rated=True, clock=DAYS)
    for who, own in ((anna, True), (bela, False)):
        (seat,) = open_seats(who)
        assert (seat["game"], seat["host"]["name"], seat["own"]) == (made["game"], "Anna", own)
        assert (seat["rated"], seat["live"], seat["clock"], seat["words"]) == (True, False, DAYS, "Slowly, please")
        assert seat["title"] == "Duel: At the crossroads"
        assert seat["host"]["ratings"][0]["rating"] == 1500
    secrets = [seat["token"] for seat in made["seats"]]
    assert not any(secret in str(open_seats(bela)) for secret in secrets)
    path = f"/api/openings/{made['game']}/take"
    assert anna.post(path, status=409)["code"] == "so-already"
    for _ in range(2):
        taken = bela.post(path, status=201)
        assert (taken["game"], taken["side"], taken["title"]) == (made["game"], 1, "Duel: At the crossroads")
    assert bela.get(f"/api/games/{made['game']}")["you"] == 1
    assert [seat["called"] for seat in bela.get(f"/api/games/{made['game']}")["seats"]] == ["Anna", "Bela"]
    assert open_seats(anna) == []
    late = bela.client.post(
        f"/api/games/{made['game']}/claim", json={}, headers={"Authorization": f"Bearer {secrets[1]}"}
    )
    assert late.status_code == 403, "the link opens nothing any more"
    cora = Somebody(anna.client, "me-a-third-key-of-a-third-browser", "Cora")
    assert cora.post(path, status=404)["code"] == "not-found"


def test_a_seat_that_somebody_takes_by_its_link_is_open_no_more(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna)
    head = {"Authorization": f"Bearer {made['seats'][1]['token']}"}
    assert anna.client.post(f"/api/games/{made['game']}/claim", json={}, headers=head).status_code == 201
    wait_until(lambda: open_seats(bela) == [])
    assert bela.post(f"/api/openings/{made['game']}/take", status=404)


def test_seats_for_people_who_play_at_once_are_shown_while_the_host_is_there(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna, clock=BLITZ)
    assert open_seats(bela) == []
    assert len(open_seats(anna)) == 1, "one's own is there to be withdrawn"
    with anna.client.websocket_connect(f"ws://127.0.0.1:8420/ws/{made['game']}") as session:
        Talk(session, tokens=[KEY]).hear("presence")
        assert [(seat["live"], seat["here"]) for seat in open_seats(bela)] == [(True, True)]


def test_a_seat_is_offered_once_and_withdrawn(anna: Somebody, bela: Somebody) -> None:
    key = "a-key-that-the-page-has-drawn"
    assert offer(anna, key=key) == offer(anna, key=key)
    (seat,) = open_seats(anna)
    assert bela.post(f"/api/openings/{seat['game']}/withdraw", status=404)
    assert anna.post(f"/api/openings/{seat['game']}/withdraw") == {}
    assert open_seats(anna) == []


def test_a_person_offers_so_many_seats(anna: Somebody) -> None:
    for _ in range(OWN):
        offer(anna)
    assert offer(anna, status=400)["code"] == "too-many"


@pytest.mark.parametrize(
    "new", [{"invited": []}, {"invited": [0, 1]}, {"seats": ["person", "first"]}, {"seats": [], "invited": [1]}]
)
def test_what_is_no_open_seat_is_refused(anna: Somebody, new: dict[str, Any]) -> None:
    assert offer(anna, status=400, **new)["code"] == "wrong-value"


def test_who_is_nobody_takes_no_seat(client: TestClient, anna: Somebody) -> None:
    made = offer(anna)
    for path in (f"/api/openings/{made['game']}/take", "/api/openings", "/api/queue", "/api/people/x/friend"):
        assert client.post(path, json={}).json()["code"] in ("nobody", "wrong-message"), path
    assert client.post(f"/api/openings/{made['game']}/take", json={}).status_code == 401
    assert len(client.get("/api/openings").json()["openings"]) == 1


def test_people_who_are_kept_apart_see_nothing_of_one_another(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna)
    for one, other in ((anna, bela), (bela, anna)):
        assert one.post(f"/api/people/{other.me['person']}/apart", {"blocked": True})["blocked"] is True
        assert open_seats(bela) == []
        assert bela.post(f"/api/openings/{made['game']}/take", status=404)["code"] == "not-found"
        assert one.post(f"/api/people/{other.me['person']}/apart", {"blocked": False})["blocked"] is False
    assert len(open_seats(bela)) == 1
    assert anna.post(f"/api/people/{anna.me['person']}/apart", {"blocked": True}, status=400)["code"] == "wrong-value"


# The queue.


def rate(client: TestClient, who: Somebody, rating: float) -> None:
    """Give a person a rating."""
    together = client.app.app.state.together  # type: ignore[attr-defined]
    id = f"duel:{who.me['person']}"
    assert client.portal is not None
    client.portal.call(
        together.sheets.put, Rating(id=id, whose=who.me["person"], ruleset="duel", rating=rating, deviation=60.0)
    )


def test_two_of_about_the_same_strength_are_brought_together(anna: Somebody, bela: Somebody) -> None:
    assert anna.post("/api/queue", DUEL)["waiting"] is True
    assert anna.get("/api/queue")["others"] == 0
    second = bela.post("/api/queue", DUEL)
    first = anna.get("/api/queue")
    assert second["seat"]["game"] == first["seat"]["game"]
    assert (first["seat"]["side"], second["seat"]["side"]) == (0, 1)
    assert anna.get(f"/api/games/{first['seat']['game']}")["you"] == 0
    assert bela.get(f"/api/games/{first['seat']['game']}")["you"] == 1
    bela.post("/api/queue/leave")
    assert bela.get("/api/queue")["waiting"] is False


def test_who_asks_twice_is_brought_together_once(anna: Somebody, bela: Somebody) -> None:
    """A repeated request, as by a double click, does not bring a person into a second game."""
    anna.post("/api/queue", DUEL)
    seat = bela.post("/api/queue", DUEL)["seat"]
    assert bela.post("/api/queue", DUEL)["seat"] == seat
    cora = Somebody(anna.client, "me-a-third-key-of-a-third-browser", "Cora")
    assert cora.post("/api/queue", DUEL)["waiting"] is True
    assert say(bela, seat["game"], {"type": "resign"})["type"] == "done"
    assert bela.post("/api/queue", DUEL)["seat"]["game"] != seat["game"], "that game is over"


def test_who_is_much_stronger_waits_until_nobody_nearer_comes(
    client: TestClient, anna: Somebody, bela: Somebody
) -> None:
    rate(client, anna, 2000.0)
    now = 0.0
    openings(client).clock = lambda: now
    anna.post("/api/queue", DUEL)
    assert bela.post("/api/queue", DUEL)["waiting"] is True
    for now in (30.0, 60.0):
        assert anna.get("/api/queue")["waiting"] is bela.get("/api/queue")["waiting"] is (now < 40)
    assert anna.get("/api/queue")["seat"]


def test_different_games_and_people_kept_apart_are_not_brought_together(anna: Somebody, bela: Somebody) -> None:
    anna.post("/api/queue", DUEL)
    assert bela.post("/api/queue", {**DUEL, "rated": True})["waiting"] is True
    bela.post(f"/api/people/{anna.me['person']}/apart", {"blocked": True})
    assert bela.post("/api/queue", DUEL)["waiting"] is True


def test_who_no_longer_asks_is_out_of_the_queue(client: TestClient, anna: Somebody, bela: Somebody) -> None:
    now = 0.0
    openings(client).clock = lambda: now
    anna.post("/api/queue", DUEL)
    now = QUEUE_SECONDS
    assert bela.post("/api/queue", DUEL)["waiting"] is True
    assert anna.get("/api/queue") == {"waiting": False, "seconds": 0, "others": 0, "seat": None}
    now = ANYBODY_SECONDS
    assert bela.get("/api/queue")["waiting"] is False


@pytest.mark.parametrize(
    "expected", [{"ruleset": "chess"}, {"ruleset": "duel", "lesson": "x"}, {**DUEL, "invited": [1]}]
)
def test_what_is_no_battle_of_two_is_not_waited_for(anna: Somebody, expected: dict[str, Any]) -> None:
    assert anna.post("/api/queue", expected, status=400)["code"] in ("wrong-value", "wrong-message")


# Friends.


def test_friends_are_those_who_both_say_so_and_a_seat_is_kept_for_them(anna: Somebody, bela: Somebody) -> None:
    a, b = anna.me["person"], bela.me["person"]
    assert [one["name"] for one in anna.post(f"/api/people/{b}/friend")["asked"]] == ["Bela"]
    assert [one["name"] for one in bela.get("/api/friends")["asking"]] == ["Anna"]
    made = anna.post("/api/games", {**DUEL, "invited": [1]}, status=201)
    anna.post(f"/api/games/{made['game']}/mine", None, made["seats"][0]["token"], status=201)
    invite = f"/api/games/{made['game']}/invite"
    assert anna.post(invite, {"person": b, "side": 1}, status=404)["code"] == "not-found"
    assert [one["name"] for one in bela.post(f"/api/people/{a}/friend")["friends"]] == ["Anna"]
    assert bela.post(invite, {"person": a, "side": 1}, status=403)["code"] == "not-your-seat"
    for _ in range(2):
        assert anna.post(invite, {"person": b, "side": 1}, status=201) == {}
    (stored,) = bela.get("/api/friends")["invitations"]
    assert (stored["game"], stored["side"], stored["by"]) == (made["game"], 1, "Anna")
    assert open_seats(bela) == [], "it is open to nobody else"
    cora = Somebody(anna.client, "me-a-third-key-of-a-third-browser", "Cora")
    assert cora.post(f"/api/openings/{made['game']}/take", status=404)
    assert bela.post(f"/api/openings/{made['game']}/take", status=201)["side"] == 1
    assert bela.get("/api/friends")["invitations"] == []
    assert anna.post(f"/api/people/{b}/friend", {"on": False})["friends"] == []


def test_an_invitation_is_given_to_another_friend(anna: Somebody, bela: Somebody) -> None:
    cora = Somebody(anna.client, "me-a-third-key-of-a-third-browser", "Cora")
    made = offer(anna)
    for friend in (bela, cora):
        anna.post(f"/api/people/{friend.me['person']}/friend")
        friend.post(f"/api/people/{anna.me['person']}/friend")
        anna.post(f"/api/games/{made['game']}/invite", {"person": friend.me["person"], "side": 1}, status=201)
    assert bela.get("/api/friends")["invitations"] == []
    assert len(cora.get("/api/friends")["invitations"]) == 1


def befriend(anna: Somebody, bela: Somebody) -> None:
    """Make two people friends."""
    anna.post(f"/api/people/{bela.me['person']}/friend")
    bela.post(f"/api/people/{anna.me['person']}/friend")


def close_game(client: TestClient, game: str) -> None:
    """Let the host of the server close a game."""
    games: Games = client.app.app.state.games  # type: ignore[attr-defined]

    async def close() -> None:
        await games.administer(admin.close, game)

    assert client.portal is not None
    client.portal.call(close)


def test_games_that_the_host_has_closed_are_nobody_s_invitation(
    client: TestClient, anna: Somebody, bela: Somebody
) -> None:
    befriend(anna, bela)
    friendly, open_ = offer(anna), offer(anna)
    anna.post(f"/api/games/{friendly['game']}/invite", {"side": 1, "person": bela.me["person"]}, status=201)
    assert len(bela.get("/api/friends")["invitations"]) == 1
    close_game(client, friendly["game"])
    close_game(client, open_["game"])
    assert bela.get("/api/friends")["invitations"] == []
    assert bela.post(f"/api/openings/{open_['game']}/take", status=404)["code"] == "not-found"
    together = client.app.app.state.together  # type: ignore[attr-defined]
    assert client.portal is not None
    client.portal.call(together.openings.tidy)
    assert open_seats(bela) == []


def test_who_is_kept_apart_later_is_neither_paired_nor_invited(anna: Somebody, bela: Somebody) -> None:
    befriend(anna, bela)
    made = offer(anna)
    anna.post(f"/api/games/{made['game']}/invite", {"side": 1, "person": bela.me["person"]}, status=201)
    bela.post("/api/queue", DUEL)
    bela.post(f"/api/people/{anna.me['person']}/apart", {"blocked": True})
    assert bela.get("/api/friends")["invitations"] == []
    assert anna.post("/api/queue", DUEL)["waiting"] is True


def test_presence_is_told_to_friends_alone(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna)
    anna.post(f"/api/people/{bela.me['person']}/friend")
    with anna.client.websocket_connect(f"ws://127.0.0.1:8420/ws/{made['game']}") as session:
        Talk(session, tokens=[KEY]).hear("presence")
        assert [one["here"] for one in bela.get("/api/friends")["asking"]] == [False]
        bela.post(f"/api/people/{anna.me['person']}/friend")
        assert [one["here"] for one in bela.get("/api/friends")["friends"]] == [True]
    assert bela.get(f"/api/people/{anna.me['person']}")["here"] is False


def test_nobody_befriends_themselves_or_nobody(anna: Somebody) -> None:
    assert anna.post(f"/api/people/{anna.me['person']}/friend", status=400)["code"] == "wrong-value"
    assert anna.post("/api/people/nobody/friend", status=404)["code"] == "not-found"


def test_the_host_is_told_of_somebody_s_conduct(client: TestClient, anna: Somebody, bela: Somebody) -> None:
    path = f"/api/people/{bela.me['person']}/complaint"
    assert anna.post(path, {"words": "  "}, status=400)["code"] == "wrong-value"
    assert anna.post(path, {"words": "A" * 1001}, status=400)["code"] == "too-long"
    assert anna.post(path, {"words": "He swears", "game": "x"}, status=201) == {}
    for _ in range(7):
        anna.post(path, {"words": "He swears"}, status=201)
    assert anna.post(path, {"words": "He swears"}, status=429)["code"] == "too-fast"
    storage = client.app.app.state.games.storage  # type: ignore[attr-defined]
    assert len(storage.papers("complaint")) == 8


def test_what_a_person_does_not_hear_is_noted(anna: Somebody, bela: Somebody) -> None:
    path = f"/api/people/{bela.me['person']}/apart"
    assert anna.post(path, {"muted": True}) == {"blocked": False, "muted": True}
    assert anna.post(path, {"muted": False}) == {"blocked": False, "muted": False}


# Ratings.


def rated_game(anna: Somebody, bela: Somebody, **new: Any) -> str:
    made = offer(anna, **{"rated": True, **new})
    bela.post(f"/api/openings/{made['game']}/take", status=201)
    game: str = made["game"]
    return game


def ratings(who: Somebody) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = who.get(f"/api/people/{who.me['person']}")["ratings"]
    return result


def test_a_rated_game_counts_once_for_both(client: TestClient, anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    people = anna.get(f"/api/games/{game}/people")
    assert [(one["side"], one["person"]["name"]) for one in people["people"]] == [(0, "Anna"), (1, "Bela")]
    assert (people["rated"], people["unrated"]) == (True, "")
    stake(anna, game, 2)
    stake(bela, game)
    say(bela, game, {"type": "resign"})
    assert wait_until(lambda: ratings(anna))[0]["rating"] > 1600
    assert wait_until(lambda: ratings(bela))[0]["rating"] < 1400
    back = bela.post(f"/api/games/{game}/messages", {"type": "takeback"}, status=409)
    assert back["code"] == "over", "what has been counted stands"
    before = ratings(anna)
    client.app.app.state.games.live.pop(game)  # type: ignore[attr-defined]
    client.app.app.state.together.ratings._counting.clear()  # type: ignore[attr-defined]
    anna.get(f"/api/games/{game}")
    wait_until(lambda: not client.app.app.state.together.ratings._tasks)  # type: ignore[attr-defined]
    assert ratings(anna) == before
    assert before[0]["games"] == 1


def test_a_draw_between_equals_changes_little(anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    stake(anna, game)
    stake(bela, game)
    say(anna, game, {"type": "draw"})
    say(bela, game, {"type": "draw", "answer": True})
    assert wait_until(lambda: ratings(anna))[0]["rating"] == wait_until(lambda: ratings(bela))[0]["rating"] == 1500


def test_a_game_that_ends_before_both_have_played_does_not_count(anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    stake(anna, game)
    say(bela, game, {"type": "resign"})
    assert "before both sides" in anna.get(f"/api/games/{game}/people")["unrated"]
    assert ratings(anna) == []


def test_a_game_with_acts_taken_back_by_leave_does_not_count_and_says_so(anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    stake(anna, game, 2)
    stake(bela, game)
    say(bela, game, {"type": "takeback"})
    say(anna, game, {"type": "takeback", "answer": True})
    assert "taken back" in anna.get(f"/api/games/{game}/people")["unrated"]
    stake(bela, game)
    say(bela, game, {"type": "resign"})
    assert ratings(anna) == []


def test_a_seat_without_a_person_makes_a_game_that_does_not_count(anna: Somebody) -> None:
    made = offer(anna, rated=True)
    anna.client.post(
        f"/api/games/{made['game']}/claim", json={}, headers={"Authorization": f"Bearer {made['seats'][1]['token']}"}
    )
    assert "no named player" in anna.get(f"/api/games/{made['game']}/people")["unrated"]


def test_a_game_that_was_not_made_for_it_does_not_count(anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela, rated=False)
    stake(anna, game, 2)
    stake(bela, game)
    say(bela, game, {"type": "resign"})
    assert anna.get(f"/api/games/{game}/people")["unrated"] == ""
    assert ratings(anna) == []


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"rules": {"parry.price": 0}}, "house rules"),
        ({"hints": True}, "hints"),
        ({"dice": "typed"}, "dice"),
        ({"dice": ["typed", "server"]}, "dice"),
        ({"scenario": "ruleset: duel\nid: x\n"}, ""),
    ],
)
def test_a_game_that_cannot_count_is_not_made_as_rated(anna: Somebody, new: dict[str, Any], words: str) -> None:
    refusal = offer(anna, status=400, rated=True, **new)
    assert words in refusal["message"]


def test_a_rated_game_is_between_two_people(client: TestClient) -> None:
    answer = client.post("/api/games", json={"ruleset": "duel", "seats": ["person", "first"], "rated": True})
    assert "between two people" in answer.json()["message"]


def test_a_rated_game_gives_no_hints_and_its_rematch_is_rated(anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    stake(anna, game, 2)
    stake(bela, game)
    say(bela, game, {"type": "resign"})
    again = anna.post(f"/api/games/{game}/rematch", status=201)
    assert anna.get(f"/api/games/{again['game']}")["you"] is None, "its seat has a secret of its own"
    token = next(seat["token"] for seat in again["seats"] if seat["token"])
    anna.post(f"/api/games/{again['game']}/mine", None, token, status=201)
    assert anna.get(f"/api/games/{again['game']}/people")["rated"] is True
    assert anna.get(f"/api/games/{again['game']}")["hints"] is False


def test_the_table_of_a_game_has_those_whose_strength_is_well_known(
    client: TestClient, anna: Somebody, bela: Somebody
) -> None:
    rate(client, anna, 1700.0)
    assert [one["name"] for one in bela.get("/api/ratings/duel")["people"]] == ["Anna"]
    assert bela.get("/api/ratings/hex-command")["people"] == []
    assert bela.get("/api/ratings/chess", status=400)["code"] == "wrong-value"


def test_who_has_blocked_somebody_sees_that_and_may_undo_it(anna: Somebody, bela: Somebody) -> None:
    made = offer(anna)
    bela.post(f"/api/openings/{made['game']}/take", status=201)

    def blocked(who: Somebody) -> list[bool]:
        return [one["blocked"] for one in who.get(f"/api/games/{made['game']}/people")["people"]]

    for on in (True, False):
        anna.post(f"/api/people/{bela.me['person']}/apart", {"blocked": on})
        assert (blocked(anna), blocked(bela)) == ([False, on], [False, False]), "nobody is told who has blocked them"


def test_onlookers_are_not_told_who_the_people_are(client: TestClient, anna: Somebody, bela: Somebody) -> None:
    game = rated_game(anna, bela)
    assert client.get(f"/api/games/{game}/people").status_code == 403
    without_delays(client)
