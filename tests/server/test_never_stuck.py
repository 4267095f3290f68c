"""A player whose opponent is gone can choose how the game goes on, and standing answers are given in the enemy's
turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from caltrop.host.game import HABITS
from caltrop.host.seats import ServerLibrary
from tests.server.elsewhere import wait_until
from tests.server.tables import Table, Talk, TestClient, served
from tests.server.test_notices import OTHER, Somebody
from tests.server.test_people import claim

CHOOSE = {"per": "turn", "seconds": 3600, "then": "choose"}


class TimedTable:
    """A table of two sides whose time the test can end."""

    def __init__(self, client: TestClient, **expected: Any) -> None:
        self.client = client
        self.table = Table(client, **{"clock": CHOOSE, **expected})

    @property
    def live(self) -> Any:
        return self.client.app.app.state.games.live[self.table.id]  # type: ignore[attr-defined]

    def out(self, side: int) -> None:
        """Let the time of a side be up."""
        games = self.client.app.app.state.games  # type: ignore[attr-defined]
        self.live.game.clock.left[side] = 0
        assert self.client.portal is not None
        self.client.portal.call(games.change, self.live, lambda game: game.time_up())

    def settle(self, by: int, then: str, status: int = 200, side: int = 0, **more: Any) -> Any:
        path = f"/api/games/{self.table.id}/settle"
        body = {"side": side, "then": then, **more}
        answer = self.client.post(path, json=body, headers=self.table.bearer(by))
        assert answer.status_code == status, answer.text
        return answer.json()

    def standing(self, side: int) -> Any:
        return self.client.get(f"/api/games/{self.table.id}/standing", headers=self.table.bearer(side)).json()


@pytest.fixture
def late(client: TestClient) -> TimedTable:
    """Return a table on which side 0 is to act and has no time left."""
    late = TimedTable(client)
    late.out(0)
    return late


def test_nobody_chooses_before_the_time_is_up(client: TestClient) -> None:
    table = TimedTable(client)
    for then in ("lose", "computer", "person"):
        assert table.settle(1, then, 409, player="first")["code"] == "goes-on"
    assert table.standing(1)["late"] == []


def test_the_time_that_is_up_loses_nothing_by_itself(late: TimedTable) -> None:
    assert late.table.view(1)["over"] is None
    assert "has no time left" in late.table.view(1)["log"][-1]["text"]
    assert late.standing(1)["late"] == [0]


def test_the_other_side_has_who_is_gone_lose(late: TimedTable) -> None:
    late.settle(1, "lose")
    for _ in range(2):
        assert late.table.view(1)["over"]["winner"] == 1
        listed = late.client.get("/api/games", headers=late.table.bearer(1)).json()["games"]
        assert listed[0]["over"] is True
        late.table.forget()
    assert late.settle(1, "lose", 409)["code"] == "over"


def test_a_computer_goes_on_in_the_place_of_who_is_gone(late: TimedTable) -> None:
    late.table.answer(1, {"type": "Stake", "points": 1})
    late.settle(1, "computer", player="first")
    wait_until(lambda: late.table.view(1)["act"] > 1, seconds=60)
    for _ in range(2):
        view = late.table.view(1)
        assert [seat["player"] for seat in view["seats"]] == ["first", "person"]
        assert any("its player was away" in line["text"] for line in view["log"])
        assert late.client.get(f"/api/games/{late.table.id}", headers=late.table.bearer(0)).json()["you"] is None
        games = late.client.get("/api/games", headers=late.table.bearer(0)).json()["games"]
        assert games == [], "the seat is nobody's any more"
        mine = late.client.get("/api/games", headers=late.table.bearer(1)).json()["games"]
        assert mine[0]["seats"] == ["first", "person"]
        late.table.forget()
    record = late.client.get(f"/api/games/{late.table.id}/record", headers=late.table.bearer(1)).json()
    assert record["players"] == ["first", "person"]
    assert late.client.post("/api/verify", json=record).status_code in (200, 400)


def test_a_computer_stays_in_a_game_that_is_opened_by_its_standing(client: TestClient) -> None:
    late = TimedTable(client)
    late.out(0)
    late.settle(1, "computer", player="first")
    games = client.app.app.state.games  # type: ignore[attr-defined]
    for number in range(10):
        late.table.say(1, {"type": "name", "text": f"Bela {number}"})
    wait_until(lambda: not games._keeping)
    late.table.forget()
    view = late.table.view(1)
    assert [seat["player"] for seat in view["seats"]] == ["first", "person"]
    assert late.live.game.stood > 0, "it was opened by what is stored of how it stood"


def test_a_new_person_goes_on_at_once(late: TimedTable) -> None:
    with late.table.live() as session:
        talk = Talk(session, tokens=[late.table.tokens[0]])
        talk.hear("presence")
        made = late.settle(1, "person", 201)
        assert talk.hear("moved")["for_good"] is True
    assert made["invited"] is True
    assert claim(late.table, 0, status=403)["code"] == "wrong-token"
    late.table.tokens[0] = made["token"]
    late.table.tokens[0] = claim(late.table, 0)["token"]
    assert late.table.view(0)["you"] == 0


def test_only_the_other_side_chooses(late: TimedTable) -> None:
    assert late.settle(0, "lose", 403)["code"] == "not-yours"
    answer = late.client.post(f"/api/games/{late.table.id}/settle", json={"side": 0, "then": "lose"})
    assert answer.json()["code"] == "not-yours"
    assert late.settle(1, "lose", 403, side=1)["code"] == "not-yours"
    assert late.settle(1, "computer", 400, player="chess")["code"] == "wrong-value"
    assert late.settle(1, "vanish", 400)["code"] == "wrong-message"


def test_who_acts_after_all_is_not_gone(late: TimedTable) -> None:
    late.table.answer(0, {"type": "Stake", "points": 2})
    assert late.standing(1)["late"] == []
    assert late.settle(1, "lose", 409)["code"] == "goes-on"


@pytest.mark.parametrize("then", ["lose", "tell"])
def test_where_it_was_not_agreed_on_nobody_chooses(client: TestClient, then: str) -> None:
    late = TimedTable(client, clock={**CHOOSE, "then": then})
    late.out(0)
    assert late.settle(1, "computer", 409, player="first")["code"] in ("goes-on", "over")


def test_a_game_that_a_computer_has_taken_over_does_not_count(client: TestClient) -> None:
    late = TimedTable(client, rated=True)
    for side, (key, name) in enumerate(((OTHER, "Bela"), ("me-a-third-key-of-a-third-browser", "Cora"))):
        who = Somebody(client, key, name)
        who.post(f"/api/games/{late.table.id}/mine", None, late.table.tokens[side], status=201)
    late.out(0)
    late.settle(1, "computer", player="first")
    assert (
        "a computer player took over"
        in late.client.get(f"/api/games/{late.table.id}/people", headers=late.table.bearer(1)).json()["unrated"]
    )


# Standing answers.


@pytest.fixture
def real(database: str) -> Iterator[TestClient]:
    with served(database, library=ServerLibrary()) as client:
        yield client


def asked_in_the_turn_of_the_other(table: Table, first: int) -> int:
    """Play until a side is asked something in the other's turn; return that side."""
    state = table.client.app.app.state.games.live[table.id].game.match.state  # type: ignore[attr-defined]
    return next((one.side for one in state.asked if one.side != state.active), -1 - first)


def parry_is_asked(table: Table) -> int:
    """Bring the duellists together and have one strike; return the side that may parry."""
    table.begin()
    for _ in range(60):
        side = asked_in_the_turn_of_the_other(table, 0)
        if side >= 0:
            return side
        waiting = table.view(0)["waiting_for"][0]
        decision = table.view(waiting)["decisions"][0]
        offers = [offer["action"] for offer in decision["offers"]]
        strike = next((one for one in offers if one["type"] == "Thrust"), None)
        if strike is None and decision["regions"]:
            groups = table.view(waiting)["picture"]["groups"]
            enemy = next(group for group in groups if group["side"] != waiting)
            unit = decision["regions"][0]["unit"]
            wish = {"unit": unit, "to": enemy["pieces"][0]["at"]}
            answer = table.client.post(
                f"/api/games/{table.id}/propose", json={"decision": decision["id"], "wish": wish},
                headers=table.bearer(waiting),
            ).json()  # fmt: skip
            proposal = answer["proposal"]
            strike = proposal["action"] or (proposal["refusal"] or {}).get("nearest")
        table.answer(waiting, strike or offers[0])
    raise AssertionError("nobody struck")


def test_a_standing_answer_is_given_whenever_it_is_asked_again(real: TestClient) -> None:
    table = Table(real, scenario="bridge")
    side = parry_is_asked(table)
    decision = table.view(side)["decisions"][0]
    hold = next(offer["action"] for offer in decision["offers"] if offer["action"]["type"] != "Parry")
    acts = table.view(side)["act"]
    words = table.say(side, {"type": "standing", "decision": decision["id"], "action": hold})
    assert words["type"] == "done", words
    assert table.view(side)["act"] == acts + 1, "it is given at once"
    mine = real.get(f"/api/games/{table.id}/standing", headers=table.bearer(side)).json()["habits"]
    other = real.get(f"/api/games/{table.id}/standing", headers=table.bearer(1 - side)).json()["habits"]
    onlooker = real.get(f"/api/games/{table.id}/standing").json()["habits"]
    assert [(one["decision"], one["measure"]) for one in mine] == [(decision["kind"], "")]
    assert other == onlooker == [], "nobody else is told of it"
    assert str(hold) not in str(table.view(1 - side)["log"])
    table.forget()
    assert len(real.get(f"/api/games/{table.id}/standing", headers=table.bearer(side)).json()["habits"]) == 1
    assert table.say(1 - side, {"type": "not-standing", "number": mine[0]["number"]})["code"] == "not-found"
    assert table.say(side, {"type": "not-standing", "number": mine[0]["number"]})["type"] == "done"
    assert real.get(f"/api/games/{table.id}/standing", headers=table.bearer(side)).json()["habits"] == []


def test_a_question_of_one_s_own_turn_has_no_standing_answer(real: TestClient) -> None:
    table = Table(real, scenario="bridge")
    first = table.begin()
    decision = table.view(first)["decisions"][0]
    words = table.say(
        first, {"type": "standing", "decision": decision["id"], "action": decision["offers"][0]["action"]}
    )
    assert words["code"] == "wrong-value"


def test_a_standing_answer_is_a_legal_one_to_a_question_of_one_s_own(real: TestClient) -> None:
    table = Table(real, scenario="bridge")
    side = parry_is_asked(table)
    decision = table.view(side)["decisions"][0]
    words = table.say(1 - side, {"type": "standing", "decision": decision["id"], "action": {"type": "Parry"}})
    assert words["code"] == "not-your-decision"
    words = table.say(side, {"type": "standing", "decision": decision["id"], "action": {"type": "Stay"}})
    assert words["type"] == "refusal"
    game = real.app.app.state.games.live[table.id].game  # type: ignore[attr-defined]
    for number in range(HABITS):
        game.people.habits[number + 100] = game.people.habits.get(number + 100) or _habit(side, number + 100)
    hold = next(offer["action"] for offer in decision["offers"] if offer["action"]["type"] != "Parry")
    words = table.say(side, {"type": "standing", "decision": decision["id"], "action": hold})
    assert words["code"] == "too-many"


def _habit(side: int, number: int) -> Any:
    from caltrop.host.events import Habit

    return Habit(side=side, number=number, decision="Another", action={"type": "Parry"})
