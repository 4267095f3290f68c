"""A seat whose player has left can be given to somebody else, after that player has had time to come back."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.host.people import RENEWALS
from caltrop.host.seating import RENEW_SECONDS
from tests.server.tables import Table, Talk, TestClient
from tests.server.test_people import claim, invited, seat

KEY = "a-key-that-the-host-has-drawn"


class Host:
    """A table of a host and a guest, with a clock that the test sets."""

    def __init__(self, client: TestClient) -> None:
        self.table, self.client = invited(client), client
        self.at = 1_000_000.0
        self.games: Any = client.app.app.state.games  # type: ignore[attr-defined]
        self.games.today = lambda: self.at
        self.table.tokens[1] = claim(self.table)["token"]

    def renew(self, side: int = 1, by: tuple[int, ...] = (0,), key: str | None = None) -> Any:
        """Return the answer to a request to give a seat to somebody else."""
        path = f"/api/games/{self.table.id}/renew?side={side}"
        headers = self.table.bearer(*by) | ({} if key is None else {"Idempotency-Key": key})
        return self.client.post(path, json={}, headers=headers)

    @property
    def lines(self) -> list[str]:
        """Return the lines about seats for everybody."""
        view = self.client.get(f"/api/games/{self.table.id}").json()
        return [line["text"] for line in view["log"] if line["kind"] == "seat"]


@pytest.fixture
def host(client: TestClient) -> Host:
    """Return a game of a host with a guest."""
    return Host(client)


def test_a_seat_whose_player_is_gone_is_given_to_somebody_else_after_a_while(host: Host) -> None:
    table = host.table
    asked = host.renew()
    assert (asked.status_code, asked.json()) == (202, {"side": 1, "wait": RENEW_SECONDS})
    assert "unless its player returns" in host.lines[-1]
    host.at += RENEW_SECONDS - 1
    table.forget()
    assert host.renew(key=KEY).json() == {"side": 1, "wait": 1}
    host.at += 1
    made = host.renew(key=KEY)
    assert (made.status_code, made.json()["invited"]) == (201, True)
    assert "its player was away" in host.lines[-1]
    table.forget()
    words = len(host.lines)
    assert host.renew(key=KEY).json() == made.json(), "the answer may be lost"
    assert len(host.lines) == words
    assert seat(table, 1)["awaited"]
    with table.live() as session:
        refusal = Talk(session, tokens=[table.tokens[1]]).hear("refusal")
        assert (refusal["code"], "Somebody else has taken" in refusal["message"]) == ("wrong-token", True)
    assert claim(table, status=403)["code"] == "wrong-token"
    table.tokens[1] = made.json()["token"]
    table.tokens[1] = claim(table)["token"]
    assert not seat(table, 1)["awaited"]
    assert table.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
    table.forget()
    assert table.view(1)["you"] == 1
    listed = host.client.get("/api/games", headers=table.bearer(1)).json()["games"]
    assert [game["sides"] for game in listed] == [[1]]


def test_nobody_who_is_at_the_table_loses_a_seat(host: Host) -> None:
    with host.table.live() as session:
        Talk(session, tokens=[host.table.tokens[1]]).hear("presence")
        answer = host.renew()
        assert (answer.status_code, answer.json()["code"]) == (409, "is-here")


@pytest.mark.parametrize("live", [True, False])
def test_a_player_who_comes_back_in_time_keeps_the_seat(host: Host, live: bool) -> None:
    host.renew()
    host.at += RENEW_SECONDS - 1
    host.table.forget()
    if live:
        with host.table.live() as session:
            Talk(session, tokens=[host.table.tokens[1]]).hear("change")
    else:
        host.table.view(1)
    assert "who has returned" in host.lines[-1]
    host.at += 10 * RENEW_SECONDS
    assert host.renew().json()["wait"] == RENEW_SECONDS, "it is asked anew"


def test_a_player_who_comes_too_late_had_the_time(host: Host) -> None:
    host.renew()
    host.at += RENEW_SECONDS
    host.table.view(1)
    assert host.renew().json()["wait"] == RENEW_SECONDS, "as long as nobody else has it"


def test_an_invitation_that_was_lost_is_made_anew_at_once(client: TestClient) -> None:
    table = invited(client)
    path = f"/api/games/{table.id}/renew?side=1"
    made = client.post(path, json={}, headers=table.bearer(0))
    assert made.status_code == 201
    assert claim(table, status=403)["code"] == "wrong-token"
    table.tokens[1] = made.json()["token"]
    claim(table)


def test_only_a_host_invites_and_only_to_seats_of_others(host: Host, client: TestClient) -> None:
    assert host.renew(0, by=(1,)).json()["code"] == "not-yours"
    assert host.renew(1, by=()).json()["code"] == "not-your-seat"
    assert host.renew(0, by=(0,)).json()["code"] == "so-already"
    assert host.renew(2).json()["code"] == "wrong-value"
    alone = Table(client, ("person", "first"))
    answer = client.post(f"/api/games/{alone.id}/renew?side=1", json={}, headers=alone.bearer(0))
    assert answer.json()["code"] == "wrong-value"
    assert client.post(f"/api/games/{alone.id}/renew", json={}, headers=alone.bearer(0)).json()["field"] == "side"
    host.table.say(1, {"type": "resign"})
    assert host.renew().json()["code"] == "over"


def test_a_guest_who_was_handed_a_seat_is_no_host(client: TestClient) -> None:
    table = Table(client)
    assert table.say(0, {"type": "await", "on": True})["type"] == "done"
    table.tokens[0] = claim(table, 0)["token"]
    path = f"/api/games/{table.id}/renew?side="
    for _ in range(2):
        assert client.post(f"{path}1", json={}, headers=table.bearer(0)).json()["code"] == "not-yours"
        table.forget()
    assert client.post(f"{path}0", json={}, headers=table.bearer(1)).status_code == 202


def test_it_is_asked_so_often_and_not_more(host: Host) -> None:
    for _ in range(RENEWALS):
        assert host.renew().status_code == 202
        host.table.view(1)
    assert host.renew().json()["code"] == "too-many"
    host.table.forget()
    assert host.renew().json()["code"] == "too-many"


def test_of_two_who_come_by_one_link_at_once_the_first_has_the_seat(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = invited(client)
    seating: Any = client.app.app.state.games.seating  # type: ignore[attr-defined]
    claims = seating.claim

    async def late(live: Any, side: int, presented: Any, token: Any) -> Any:
        monkeypatch.setattr(seating, "claim", claims)
        first = await claims(live, side, presented, "a-secret-of-the-first-to-come")
        await claims(live, side, presented, token)
        return first

    monkeypatch.setattr(seating, "claim", late)
    assert claim(table, status=403)["code"] == "wrong-token"
    table.tokens[1] = "a-secret-of-the-first-to-come"
    assert table.view(1)["you"] == 1


def test_a_secret_that_somebody_knows_already_is_not_claimed(client: TestClient) -> None:
    """A new seat cannot be claimed with a known secret: of the invitation, of another seat, or an old one of this
    seat.
    """
    table = invited(client)
    path, invitation = f"/api/games/{table.id}/claim?side=1", table.tokens[1]

    def claimed(token: str) -> Any:
        return client.post(path, json={"token": token}, headers=table.bearer(0, 1)).json()

    assert [claimed(token)["code"] for token in table.tokens] == ["wrong-value", "wrong-value"]
    table.tokens[1] = claimed(KEY)["token"]
    assert claimed(invitation)["code"] == "wrong-value"
    assert table.view(0)["you"] == 0
    assert table.view(1)["you"] == 1
