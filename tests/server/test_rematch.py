"""Rematches: the same table for all players, with sides changed, and a notice of the person who asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from caltrop.host.seats import ServerLibrary
from tests.corpus.record import Guest
from tests.server.tables import TestClient, served


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    with served(database, library=ServerLibrary()) as client:
        yield client


def finished_game(client: TestClient, **more: Any) -> Guest:
    guest = Guest(client, "rematch", ruleset="duel", **{"seats": ["person", "person"], **more})
    guest.done(
        {"type": "resign", "side": guest.game.setup.seats.index("person")}, guest.game.setup.seats.index("person")
    )
    return guest


def ask(guest: Guest, *sides: int) -> Any:
    return guest.client.post(f"/api/games/{guest.id}/rematch", json={}, headers=guest.bearer(*sides))


def again(guest: Guest, side: int) -> list[int]:
    result: list[int] = guest.client.get(f"/api/games/{guest.id}", headers=guest.bearer(side)).json()["again"]
    return result


def test_both_press_and_come_to_one_table_each_on_the_other_side(client: TestClient) -> None:
    guest = finished_game(client)
    assert again(guest, 0) == again(guest, 1) == []
    first = ask(guest, 0)
    assert first.status_code == 201, first.text
    assert again(guest, 1) == [0], "the other is told"
    second = ask(guest, 1)
    assert first.json()["game"] == second.json()["game"] != guest.id
    tokens = {
        side: next(seat["token"] for seat in made.json()["seats"] if seat["side"] == side)
        for side, made in ((1, first), (0, second))
    }
    assert [seat["side"] for seat in first.json()["seats"]] == [1], "only the own seat is given"
    for side, token in tokens.items():
        head = {"Authorization": f"Bearer {token}"}
        assert client.get(f"/api/games/{first.json()['game']}", headers=head).json()["you"] == side


def test_who_asks_twice_gets_the_same_seat_and_is_told_of_once(client: TestClient) -> None:
    guest = finished_game(client)
    assert ask(guest, 1).json() == ask(guest, 1).json()
    view = client.get(f"/api/games/{guest.id}", headers=guest.bearer(0)).json()
    assert [line["kind"] for line in view["log"]].count("rematch") == 1


def test_one_screen_gets_both_seats_and_the_battle_is_the_same(client: TestClient) -> None:
    guest = finished_game(client, scenario="marsh", friendly=False)
    made = ask(guest, 0, 1).json()
    assert [seat["side"] for seat in made["seats"] if seat["token"]] == [0, 1]
    view = client.get(f"/api/games/{made['game']}").json()
    assert (view["ruleset"], view["scenario"]) == ("duel", "marsh")


def test_nobody_asks_before_the_end_and_no_onlooker(client: TestClient) -> None:
    going = Guest(client, "going", ruleset="duel", seats=["person", "person"])
    assert "not-over" in ask(going, 0).text
    assert "not-yours" in client.post(f"/api/games/{finished_game(client).id}/rematch", json={}).text
