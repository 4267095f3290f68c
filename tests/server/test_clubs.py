"""Clubs: members, tournaments of ordinary games, and tables of results."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from caltrop.cli import main
from caltrop.host.together.clubs import Tournament
from tests.server.conftest import UNHURRIED
from tests.server.elsewhere import wait_until
from tests.server.tables import TestClient, served
from tests.server.test_meeting import say, stake
from tests.server.test_notices import KEY, OTHER, Somebody

DUEL = {"ruleset": "duel", "seats": ["person", "person"]}
THIRD = "me-a-third-key-of-a-third-browser"
SECRET = "the secret of those who run the server"
FOURTH = "me-a-fourth-key-of-a-fourth-browser"


def members(client: TestClient, names: str = "ABC") -> tuple[str, list[Somebody]]:
    """Make a club; return it with its members."""
    people = [
        Somebody(client, key, name) for key, name in zip((KEY, OTHER, THIRD, FOURTH), names, strict=False)
    ]  # fmt: skip
    club = people[0].post("/api/clubs", {"name": "Thursday"}, status=201)["id"]
    for one in people[1:]:
        one.post(f"/api/clubs/{club}/join")
    return club, people


def plan_tournament(
    club: str, people: list[Somebody], form: str = "all", rounds: int = 0, days: float = 0, **new: Any
) -> str:
    """Make a tournament that all members enter, and return its id."""
    expected = {"name": "Cup", "form": form, "rounds": rounds, "days": days, "new": {**DUEL, **new}}
    made = people[0].post(f"/api/clubs/{club}/tournaments", expected, status=201)
    id: str = made["entry"]["id"]
    for one in people:
        one.post(f"/api/tournaments/{id}/enter")
    return id


def has_rounds(who: Somebody, id: str, count: int) -> bool:
    """Return whether a number of rounds have been paired."""
    return len(who.get(f"/api/tournaments/{id}")["rounds"]) == count


def play_round(id: str, people: list[Somebody]) -> None:
    """Let the second player of each pair in the latest round give up."""
    by_id = {one.me["person"]: one for one in people}
    for pairing in people[0].get(f"/api/tournaments/{id}")["rounds"][-1]:
        if pairing["score"] is None:
            loser = by_id[pairing["people"][1]]
            assert say(loser, pairing["game"], {"type": "resign"})["type"] == "done"


def one_game(people: list[Somebody], id: str) -> tuple[str, list[Somebody]]:
    """Return the only game of the current round, with its players in the order of the pairing."""
    by_id = {one.me["person"]: one for one in people}
    [pairing] = [one for one in people[0].get(f"/api/tournaments/{id}")["rounds"][-1] if one["game"]]
    return pairing["game"], [by_id[person] for person in pairing["people"]]


def is_over(who: Somebody, id: str) -> Any:
    """Return the tournament if it is over, or None."""
    result = who.get(f"/api/tournaments/{id}")
    return result if result["entry"]["stage"] == "over" else None


def test_a_club_is_made_joined_and_left(client: TestClient) -> None:
    club, (anna, bela, cora) = members(client)
    assert client.get("/api/clubs").json()["clubs"] == [{"id": club, "name": "Thursday", "words": "", "members": 3}]
    result = bela.get(f"/api/clubs/{club}")
    assert ([one["name"] for one in result["members"]], result["member"]) == (["A", "B", "C"], True)
    assert bela.post(f"/api/clubs/{club}/leave", {"person": cora.me["person"]}, status=403)["code"] == "not-yours"
    assert anna.post(f"/api/clubs/{club}/leave", status=400)["code"] == "wrong-value"
    assert len(bela.post(f"/api/clubs/{club}/leave")["members"]) == 2
    assert len(anna.post(f"/api/clubs/{club}/leave", {"person": cora.me["person"]})["members"]) == 1
    anna.post(f"/api/people/{cora.me['person']}/apart", {"blocked": True})
    assert cora.post(f"/api/clubs/{club}/join", status=404)["code"] == "not-found"
    assert client.get(f"/api/clubs/{club}").json()["member"] is False


def test_a_club_is_made_once_and_so_many(client: TestClient) -> None:
    anna = Somebody(client)
    key = {"Idempotency-Key": "a-key-that-the-page-has-drawn"}
    made = [anna.post("/api/clubs", {"name": "Thursday"}, status=201, **key)["id"] for _ in range(2)]
    assert made[0] == made[1]
    for _ in range(2):
        anna.post("/api/clubs", {"name": "More"}, status=201)
    assert anna.post("/api/clubs", {"name": "More"}, status=400)["code"] == "too-many"
    assert anna.post("/api/clubs", {"name": " "}, status=400)["code"] == "wrong-value"
    assert client.post("/api/clubs", json={"name": "X"}).status_code == 401


def test_all_play_against_all(client: TestClient) -> None:
    club, people = members(client)
    id = plan_tournament(club, people)
    assert people[1].post(f"/api/tournaments/{id}/begin", status=403)["code"] == "not-yours"
    begun = people[0].post(f"/api/tournaments/{id}/begin")
    assert (begun["length"], begun["entry"]["stage"]) == (3, "going")
    for number in range(1, 4):
        wait_until(partial(has_rounds, people[0], id, number))
        play_round(id, people)
    over = wait_until(
        lambda: result if (result := people[0].get(f"/api/tournaments/{id}"))["entry"]["stage"] == "over" else 0
    )
    assert sum(line["points"] for line in over["table"]) == 6, "three games, and a round without an opponent for each"
    assert [line["points"] for line in over["table"]] == sorted(
        (line["points"] for line in over["table"]), reverse=True
    )
    results = people[0].get(f"/api/clubs/{club}")["results"]
    assert sum(line["wins"] for line in results) == sum(line["losses"] for line in results) == 3


def test_a_tournament_by_the_swiss_system_goes_on_after_a_restart(database: str) -> None:
    with served(database, limits=UNHURRIED) as client:
        club, people = members(client, "ABCD")
        id = plan_tournament(club, people, "swiss", 2)
        begun = people[0].post(f"/api/tournaments/{id}/begin")
        assert people[0].post(f"/api/tournaments/{id}/begin")["rounds"] == begun["rounds"], "it begins once"
        games = [pairing["game"] for pairing in begun["rounds"][0]]
        assert len(set(games)) == 2
    with served(database, limits=UNHURRIED) as client:
        for one in people:
            one.client = client
        together = client.app.app.state.together  # type: ignore[attr-defined]
        wait_until(lambda: len(together.clubs._going) == 2)
        play_round(id, people)
        second = wait_until(
            lambda: result[1:] if len(result := people[0].get(f"/api/tournaments/{id}")["rounds"]) == 2 else 0
        )
        winners = {pairing["people"][0] for pairing in begun["rounds"][0]}
        assert any(set(pairing["people"]) == winners for pairing in second[0]), "those who have won meet"


def test_the_games_are_ordinary_ones_of_their_people(client: TestClient) -> None:
    club, people = members(client, "AB")
    id = plan_tournament(club, people, rated=True)
    begun = people[0].post(f"/api/tournaments/{id}/begin")
    (pairing,) = begun["rounds"][0]
    by_id = {one.me["person"]: one for one in people}
    for side, person in enumerate(pairing["people"]):
        view = by_id[person].get(f"/api/games/{pairing['game']}")
        assert view["you"] == side
    assert people[0].get(f"/api/games/{pairing['game']}/people")["rated"] is True
    for forged in (id, pairing["game"], club):
        answer = client.get(f"/api/games/{pairing['game']}", headers={"Authorization": f"Bearer {forged}"})
        assert answer.json()["you"] is None
    assert "salt" not in str(begun)


def test_who_leaves_after_it_has_begun_gets_no_more_games(client: TestClient) -> None:
    club, people = members(client, "ABCD")
    id = plan_tournament(club, people, "swiss", 2)
    people[0].post(f"/api/tournaments/{id}/begin")
    assert people[3].post(f"/api/tournaments/{id}/enter", status=409)["code"] == "goes-on"
    gone = people[3].post(f"/api/tournaments/{id}/enter", {"on": False})
    assert [line["gone"] for line in gone["table"] if line["person"]["name"] == "D"] == [True]
    play_round(id, people)
    second = wait_until(
        lambda: result[1:] if len(result := people[0].get(f"/api/tournaments/{id}")["rounds"]) == 2 else 0
    )
    assert people[3].me["person"] not in str(second)


def test_rounds_in_which_nobody_plays_end_no_tournament(client: TestClient) -> None:
    """Three people play all against all, and one leaves in the first round. The other two still meet."""
    club, people = members(client)
    id = plan_tournament(club, people)
    people[0].post(f"/api/tournaments/{id}/begin")
    *rest, leaver = people
    leaver.post(f"/api/tournaments/{id}/enter", {"on": False})
    play_round(id, people)
    wait_until(lambda: has_rounds(rest[0], id, 3))
    second, last = rest[0].get(f"/api/tournaments/{id}")["rounds"][1:]
    assert [pairing["score"] is None for pairing in second] == [False, False], "one has no opponent, and one has left"
    [going] = [pairing["people"] for pairing in last if pairing["score"] is None]
    assert set(going) == {one.me["person"] for one in rest}
    play_round(id, rest)
    wait_until(lambda: rest[0].get(f"/api/tournaments/{id}")["entry"]["stage"] == "over")


@pytest.mark.parametrize("how", ["leaves the club", "is removed", "is forgotten"])
def test_who_is_no_member_any_more_gets_no_more_games(client: TestClient, how: str) -> None:
    club, people = members(client, "ABCD")
    id = plan_tournament(club, people)
    people[0].post(f"/api/tournaments/{id}/begin")
    gone = people[3].me["person"]
    play_round(id, people)
    wait_until(lambda: has_rounds(people[0], id, 2))
    if how == "is removed":
        people[0].post(f"/api/clubs/{club}/leave", {"person": gone})
    else:
        people[3].post(f"/api/clubs/{club}/leave" if how == "leaves the club" else "/api/me/forget")
    for pairing in people[0].get(f"/api/tournaments/{id}")["rounds"][-1]:
        winner = next((one for one in people[:3] if one.me["person"] in pairing["people"]), None)
        assert winner is not None
        assert say(winner, pairing["game"], {"type": "resign"})["type"] == "done"
    wait_until(lambda: has_rounds(people[0], id, 3))
    last = people[0].get(f"/api/tournaments/{id}")["rounds"][-1]
    assert [pairing["score"] is None for pairing in last if gone in pairing["people"]] == [False]


def test_only_members_enter_and_only_the_owner_plans(client: TestClient) -> None:
    club, people = members(client, "AB")
    stranger = Somebody(client, THIRD, "C")
    expected = {"name": "Cup", "form": "swiss", "rounds": 3, "new": DUEL}
    assert people[1].post(f"/api/clubs/{club}/tournaments", expected, status=403)["code"] == "not-yours"
    id = plan_tournament(club, people[:1])
    assert stranger.post(f"/api/tournaments/{id}/enter", status=403)["code"] == "not-yours"
    assert people[0].post(f"/api/tournaments/{id}/begin", status=400)["code"] == "wrong-value"
    assert people[0].get("/api/tournaments/none", status=404)["code"] == "not-found"


@pytest.mark.parametrize(
    "more", [{"rounds": 0}, {"rounds": 12}, {"days": -1}, {"days": 61},
             {"new": {**DUEL, "seats": ["person", "first"]}}, {"form": "cup"},
             {"new": {**DUEL, "invited": [1]}}, {"new": {"ruleset": "chess", "seats": ["person", "person"]}}]
)  # fmt: skip
def test_what_is_no_tournament_is_refused(client: TestClient, more: dict[str, Any]) -> None:
    club, people = members(client, "A")
    expected = {"name": "Cup", "form": "swiss", "rounds": 3, "new": DUEL, **more}
    answer = people[0].post(f"/api/clubs/{club}/tournaments", expected, status=400)
    assert answer["code"] in ("wrong-value", "wrong-message")


def test_a_club_whose_owner_is_forgotten_is_the_next_member_s(client: TestClient) -> None:
    club, people = members(client, "ABC")
    id = plan_tournament(club, people)
    alone = people[0].post("/api/clubs", {"name": "Mine"}, status=201)["id"]
    people[0].post("/api/me/forget")
    now = people[1].get(f"/api/clubs/{club}")
    assert now["owner"] == people[1].me["person"]
    assert [one["name"] for one in now["members"]] == ["B", "C"]
    assert people[1].get(f"/api/tournaments/{id}")["owner"] == people[1].me["person"]
    assert people[1].post(f"/api/tournaments/{id}/begin")["rounds"]
    assert people[1].get(f"/api/clubs/{alone}", status=404)["code"] == "not-found"


@pytest.mark.parametrize("act", ["close", "delete"])
def test_a_game_that_the_server_closes_holds_no_round_open(database: str, act: str) -> None:
    with served(database, limits=UNHURRIED, admin=SECRET) as client:
        club, people = members(client, "ABCD")
        id = plan_tournament(club, people, "swiss", 2)
        first, other = [one["game"] for one in people[0].post(f"/api/tournaments/{id}/begin")["rounds"][0]]
        answer = client.post(
            "/api/admin", json={"act": act, "games": [first]}, headers={"Authorization": f"Bearer {SECRET}"}
        )
        assert answer.status_code == 200
        pairing = wait_until(lambda: next((one for one in rounds(people[0], id)[0] if one["by"]), None))
        assert (pairing["game"], pairing["score"], pairing["by"]) == (first, None, "server")
        assert sum(line["points"] for line in people[0].get(f"/api/tournaments/{id}")["table"]) == 0
        left = next(one for one in people if one.get(f"/api/games/{other}")["you"] == 1)
        assert say(left, other, {"type": "resign"})["type"] == "done"
        wait_until(partial(has_rounds, people[0], id, 2))


def test_a_game_that_is_closed_while_no_server_runs_holds_no_round_open(database: str) -> None:
    with served(database, limits=UNHURRIED) as client:
        club, people = members(client, "AB")
        id = plan_tournament(club, people)
        people[0].post(f"/api/tournaments/{id}/begin")
        game, _ = one_game(people, id)
    assert main(["admin", "close", game, "--database", database]) == 0
    with served(database, limits=UNHURRIED) as client:
        for one in people:
            one.client = client
        wait_until(partial(is_over, people[0], id))
        assert rounds(people[0], id)[0][0]["by"] == "server"
        assert client.get(f"/api/games/{game}").status_code == 404, "it is not made again"


def rounds(who: Somebody, id: str) -> Any:
    return who.get(f"/api/tournaments/{id}")["rounds"]


@pytest.mark.parametrize(
    ("score", "words"),
    [(1, "B wins"), (0, "A wins"), (0.5, "it is a draw"), (None, "it counts for nobody")],
)
def test_the_host_decides_a_game_and_both_are_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, score: float | None, words: str
) -> None:
    club, people = members(client, "AB")
    id = plan_tournament(club, people)
    people[0].post(f"/api/tournaments/{id}/begin")
    game, (first, second) = one_game(people, id)
    if first is people[0] and score in (0, 1):
        words = {1: "A wins", 0: "B wins"}[int(score)]
    brought: list[tuple[str, str]] = []
    notices = client.app.app.state.together.notices  # type: ignore[attr-defined]
    monkeypatch.setattr(notices, "tell", lambda person, notice: brought.append((person, notice.words)))
    body = {"game": game, "score": score}
    assert people[1].post(f"/api/tournaments/{id}/decide", body, status=403)["code"] == "not-yours"
    assert people[0].post(f"/api/tournaments/{id}/decide", {**body, "game": "none"}, status=404)["code"] == "not-found"
    assert people[0].post(f"/api/tournaments/{id}/decide", {**body, "score": 2}, status=400)["code"] == "wrong-value"
    decided = people[0].post(f"/api/tournaments/{id}/decide", body)
    assert decided["entry"]["stage"] == "over"
    assert (decided["rounds"][0][0]["score"], decided["rounds"][0][0]["by"]) == (score, "host")
    assert sum(line["points"] for line in decided["table"]) == (0 if score is None else 1)
    assert [person for person, _ in brought] == [first.me["person"], second.me["person"]]
    for who in (first, second):
        assert words in str(who.get(f"/api/games/{game}")["log"])
        assert words in brought[0][1]
    say(second, game, {"type": "resign"})
    assert rounds(first, id) == decided["rounds"], "its end on the table no longer counts"
    corrected = people[0].post(f"/api/tournaments/{id}/decide", {"game": game, "score": 0.5})
    assert corrected["rounds"][0][0]["score"] == 0.5, "a mistake can be mended"


def test_a_game_that_was_played_to_its_end_is_not_decided(client: TestClient) -> None:
    club, people = members(client, "AB")
    id = plan_tournament(club, people)
    people[0].post(f"/api/tournaments/{id}/begin")
    game, _ = one_game(people, id)
    play_round(id, people)
    wait_until(partial(is_over, people[0], id))
    refused = people[0].post(f"/api/tournaments/{id}/decide", {"game": game, "score": 0}, status=409)
    assert refused["code"] == "over"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_round_with_a_deadline_ends_and_the_side_that_is_to_act_loses(database: str, restarted: bool) -> None:
    with served(database, limits=UNHURRIED) as client:
        club, people = members(client, "AB")
        id = plan_tournament(club, people, days=2)
        begun = people[0].post(f"/api/tournaments/{id}/begin")
        assert begun["days"] == 2
        assert datetime.now(UTC) < datetime.fromisoformat(begun["due"]) <= datetime.now(UTC) + timedelta(days=2)
        game, (first, second) = one_game(people, id)
        assert "This round ends at" in str(second.get(f"/api/games/{game}")["log"])
        stake(first, game)  # so that only the other side is to act
        clubs = client.app.app.state.together.clubs  # type: ignore[attr-defined]
        portal = client.portal
        assert portal is not None

        def past(one: Tournament) -> None:
            one.due = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()

        portal.call(clubs.sheets.change, Tournament, id, past)
        if not restarted:
            portal.call(clubs._due, id)
    with served(database, limits=UNHURRIED) as client:
        for one in people:
            one.client = client
        over = wait_until(partial(is_over, people[0], id))
        [[pairing]] = over["rounds"]
        assert (pairing["score"], pairing["by"]) == (1.0, "time")
        for who in (first, second):
            assert "The round has ended" in str(who.get(f"/api/games/{game}")["log"])


def test_an_end_that_counts_in_a_tournament_is_not_taken_back(client: TestClient) -> None:
    club, people = members(client, "AB")
    id = plan_tournament(club, people, friendly=True)
    people[0].post(f"/api/tournaments/{id}/begin")
    game, players = one_game(people, id)
    live = client.app.app.state.games.live[game]  # type: ignore[attr-defined]
    assert live.game.setup.counted
    for n in range(400):
        views = [one.get(f"/api/games/{game}") for one in players]
        if views[0]["over"] is not None:
            break
        who, asked = next(
            (who, view["decisions"][0]) for who, view in zip(players, views, strict=True) if view["decisions"]
        )
        offers = [one for one in asked["offers"] if one.get("action")]
        answer = say(who, game, {"decision": asked["id"], "action": offers[n % len(offers)]["action"]})
        assert answer["type"] == "done"
    for who in players:
        assert not who.get(f"/api/games/{game}")["undo"]["allowed"]
        for message in ({"type": "undo"}, {"type": "takeback"}):
            refused = who.post(f"/api/games/{game}/messages", message, status=409)
            assert refused["code"] == "over"
            assert "counts in a tournament" in refused["message"]


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    with served(database, limits=UNHURRIED) as client:
        yield client
