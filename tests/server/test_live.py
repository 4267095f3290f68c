"""A game over a live connection: views, changes, answers, secrecy, undo."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from caltrop.wire import patched
from tests.server.tables import Table, Talk, TestClient


def test_the_first_message_is_the_whole_view_and_then_come_changes(table: Table) -> None:
    with table.live() as a, table.live() as b:
        one = Talk(a, tokens=[table.tokens[0]])
        view = one.hear()
        assert (view["type"], view["you"], view["game"], view["schema_version"]) == ("view", 0, table.id, 1)
        two = Talk(b, tokens=[table.tokens[1]])
        theirs = two.hear()
        views: list[dict[str, Any]] = [view, theirs]
        talks = [one, two]
        for _ in range(60):
            waiting = [side for side in views[0]["waiting_for"] if not views[0]["over"]]
            if not waiting:
                break
            side = waiting[0]
            offers = views[side]["decisions"][0]["offers"]
            talks[side].tell({"decision": views[side]["decisions"][0]["id"], "action": offers[0]["action"], "ref": "x"})
            for eyes in (0, 1):
                change = talks[eyes].hear("change")
                assert change["base"] == views[eyes]["seq"] < change["seq"]
                views[eyes] = patched(views[eyes], change)
            assert talks[side].hear("done") == {"type": "done", "seq": views[0]["seq"], "ref": "x"}
        for eyes in (0, 1):
            assert views[eyes] == table.view(eyes)
        assert views[0]["over"] is not None
        assert views[0]["decisions"] == views[0]["waiting_for"] == []


def test_a_sealed_stake_is_in_nothing_that_the_other_side_gets(client: TestClient) -> None:
    """The games differ only in the first side's stake. The other side gets the same bytes in both."""
    words: list[list[str]] = []
    for points in (1, 3):
        table = Table(client)
        with table.live() as b, table.live() as c:
            other, onlooker = Talk(b, tokens=[table.tokens[1]]), Talk(c)
            other.hear("view")
            onlooker.hear("view")
            table.answer(0, {"type": "Stake", "points": points})
            table.say(0, {"type": "takeback"})
            other.hear("change")
            other.hear("change")
            onlooker.hear("change")
            onlooker.hear("change")
            texts = [*other.raw, *onlooker.raw]
        texts.append(client.get(f"/api/games/{table.id}", headers=table.bearer(1)).text)
        texts.append(client.get(f"/api/games/{table.id}").text)
        texts.append(table.client.get(f"/api/games/{table.id}", headers=table.bearer(1), params={"at": 0}).text)
        for path in ("record", "report"):
            record = client.get(f"/api/games/{table.id}/{path}", headers=table.bearer(1)).json()
            record = record.get("record", record)
            assert record["seed"] is None
            for entry in [record, *record["entries"]]:
                entry["digest"] = "salted"
            texts.append(str(record))
        assert table.say(1, {"type": "undo"})["code"] == "boundary"
        texts.append(str(table.say(1, {"type": "undo"})))
        texts.append(str(table.say(1, {"type": "propose", "decision": "0.0", "wish": {"unit": 0}})))
        words.append([text.replace(table.id, "GAME") for text in texts])
    assert words[0] == words[1]
    assert len(words[0]) > 8


def test_both_stakes_are_told_once_both_are_in(table: Table) -> None:
    table.begin()
    assert [line["kind"] for line in table.view(1)["log"]] == ["Staked", "Began"]


def test_an_answered_decision_is_refused_without_harm(table: Table) -> None:
    id = table.view(0)["decisions"][0]["id"]
    message = {"decision": id, "action": {"type": "Stake", "points": 2}, "ref": 7}
    assert table.say(0, message) == {"type": "done", "seq": 4, "ref": 7}
    before = table.digest
    again = table.say(0, message)
    assert (again["type"], again["code"], again["ref"]) == ("refusal", "stale-decision", 7)
    assert table.digest == before


def test_a_decision_that_was_undone_and_is_asked_again_has_another_id(table: Table) -> None:
    id = table.view(0)["decisions"][0]["id"]
    table.answer(0, {"type": "Stake", "points": 2})
    assert table.say(0, {"type": "undo"})["type"] == "done"
    assert table.say(0, {"decision": id, "action": {"type": "Stake", "points": 2}})["code"] == "stale-decision"
    assert table.view(0)["decisions"][0]["id"] != id


def test_the_id_of_a_sealed_decision_stays_while_the_other_side_answers(table: Table) -> None:
    id = table.view(1)["decisions"][0]["id"]
    table.answer(0, {"type": "Stake", "points": 2})
    assert table.view(1)["decisions"][0]["id"] == id


def test_nobody_answers_for_another_seat(table: Table) -> None:
    id = table.view(1)["decisions"][0]["id"]
    before = table.digest
    refusal = table.say(0, {"decision": id, "action": {"type": "Stake", "points": 2}})
    assert refusal["code"] == "not-your-decision"
    for message in ({"type": "resign"}, {"type": "undo"}, {"type": "takeback"}):
        assert table.say(0, {**message, "side": 1})["code"] == "not-your-seat"
    onlooker = table.client.post(f"/api/games/{table.id}/messages", json={"type": "resign"}).json()
    assert onlooker["code"] == "not-your-seat"
    assert table.digest == before


def test_a_refusal_has_the_clause_the_numbers_and_the_nearest_legal_action(table: Table) -> None:
    side = table.begin()
    refusal = table.answer(side, {"type": "Walk", "path": [[1500, 500]]})
    assert {k: refusal[k] for k in ("type", "code", "clause", "values", "nearest")} == {
        "type": "refusal",
        "code": "too-far",
        "clause": "DU-MOVE-01",
        "values": {"length": 1100, "limit": 800},
        "nearest": {"type": "Walk", "path": [[1000, 500]]},
    }
    assert "8 cm" in refusal["message"]
    assert table.answer(side, refusal["nearest"])["type"] == "done"


def test_a_drag_becomes_a_proposal_which_can_be_sent_as_the_answer(table: Table) -> None:
    side = table.begin()
    id = table.view(side)["decisions"][0]["id"]
    wish = {"unit": side, "to": [600, 500]}
    asked = table.client.post(
        f"/api/games/{table.id}/propose", json={"decision": id, "wish": wish}, headers=table.bearer(side)
    )
    proposal = asked.json()["proposal"]
    assert (proposal["length"], proposal["left"]) == (200, 600)
    before = table.digest
    assert table.say(side, {"type": "propose", "decision": id, "wish": wish})["proposal"] == proposal
    assert table.digest == before
    assert table.say(side, {"decision": id, "action": proposal["action"]})["type"] == "done"


def test_a_wish_is_proposed_and_played_in_one_go(table: Table) -> None:
    side = table.begin()
    decision = table.view(side)["decisions"][0]["id"]
    wish = {"unit": side, "to": [900, 500]}
    proposal = table.say(side, {"type": "propose", "decision": decision, "wish": wish})["proposal"]
    answer = table.say(side, {"decision": decision, "wish": wish, "ref": 7})
    assert (answer["type"], answer["ref"]) == ("done", 7)
    units = {unit["id"]: unit for unit in table.view(side)["picture"]["groups"]}
    assert units[side]["pieces"][0]["at"] == [900, 500] == proposal["action"]["path"][-1]
    again = table.say(side, {"decision": decision, "wish": wish})
    assert (again["type"], again["code"]) == ("refusal", "stale-decision")
    assert table.say(1 - side, {"decision": decision, "wish": wish})["type"] == "refusal"


def test_a_wish_of_which_nothing_comes_is_answered_by_its_proposal_and_changes_nothing(table: Table) -> None:
    side = table.begin()
    decision, digest = table.view(side)["decisions"][0]["id"], table.digest
    wish = {"unit": side, "to": [9000, 500]}
    proposal = table.say(side, {"type": "propose", "decision": decision, "wish": wish})["proposal"]
    answer = table.say(side, {"decision": decision, "wish": wish, "ref": 8})
    assert answer == {"type": "proposal", "decision": decision, "proposal": proposal, "loud": None, "ref": 8}
    assert proposal["refusal"]["code"] == "too-far"
    assert table.digest == digest
    assert table.view(side)["decisions"][0]["id"] == decision


@pytest.mark.parametrize("more", [{}, {"action": {"type": "Stay"}, "wish": {"unit": 0, "to": [900, 500]}}])
def test_an_answer_has_either_an_action_or_a_wish(table: Table, more: dict[str, Any]) -> None:
    side = table.begin()
    answer = table.say(side, {"decision": table.view(side)["decisions"][0]["id"], **more})
    assert (answer["type"], answer["code"], answer["field"]) == ("refusal", "wrong-message", "action")
    assert "either an action or a wish" in answer["message"]


def test_odds_are_refused_where_a_ruleset_tells_none(table: Table) -> None:
    id = table.view(0)["decisions"][0]["id"]
    body = {"decision": id, "action": {"type": "Stake", "points": 1}}
    answer = table.client.post(f"/api/games/{table.id}/odds", json=body, headers=table.bearer(0))
    assert answer.json()["type"] in ("odds", "refusal")


def test_a_client_that_comes_back_gets_what_it_missed(table: Table) -> None:
    with table.live() as a:
        view = Talk(a, tokens=[table.tokens[0]]).hear("view")
    table.begin()
    table.answer(0, {"type": "Stay"})
    with table.live() as a:
        talk = Talk(a, tokens=[table.tokens[0]], seen=view["seq"])
        for _ in range(3):
            view = patched(view, talk.hear("change"))
    assert view == table.view(0)
    with table.live() as a:
        nothing = Talk(a, tokens=[table.tokens[0]], seen=view["seq"]).hear()
        assert nothing == {"type": "change", "seq": view["seq"], "base": view["seq"]}
    with table.live() as a:
        assert Talk(a, tokens=[table.tokens[0]], seen=10_000).hear()["type"] == "view"


def test_on_a_shared_screen_one_seat_looks_at_a_time(table: Table) -> None:
    with table.live() as a:
        talk = Talk(a, tokens=table.tokens, eyes=1)
        view = talk.hear("view")
        assert view["you"] == 1
        assert {d["side"] for d in view["decisions"]} == {1}
        talk.tell({"decision": "0.1", "action": {"type": "Stake", "points": 3}})
        assert talk.hear("done")
        talk.tell({"type": "eyes", "side": 0})
        view = talk.hear("view")
        assert view["you"] == 0
        assert "3}" not in str(view["log"])
        talk.tell({"decision": "0.0", "action": {"type": "Stake", "points": 0}})
        assert talk.hear("change")["log"][0]["text"] == "Ash stakes 0 and Briar stakes 3"
        talk.tell({"type": "eyes", "side": 5, "ref": 9})
        assert talk.hear("refusal")["code"] == "not-your-seat"


def test_an_onlooker_sees_and_decides_nothing(table: Table) -> None:
    with table.live() as a:
        talk = Talk(a)
        view = talk.hear("view")
        assert (view["you"], view["decisions"]) == (None, [])
        talk.tell({"decision": "0.0", "action": {"type": "Stake", "points": 3}})
        assert talk.hear("refusal")["code"] == "not-your-decision"
        talk.tell({"type": "eyes", "side": 0})
        assert talk.hear("refusal")["code"] == "not-your-seat"


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"type": "hello", "tokens": ["wrong"]}, "wrong-token"),
        ({"type": "ping"}, "no-hello"),
        ({"type": "hello", "eyes": 0}, "not-your-seat"),
        ({"type": "helo"}, "wrong-message"),
        ({"type": "hello", "token": "x"}, "wrong-message"),
    ],
)
def test_a_wrong_hello_is_told_why_and_ends(table: Table, hello: dict[str, Any], code: str) -> None:
    with table.live() as a:
        talk = Talk.__new__(Talk)
        talk.session, talk.raw = a, []
        talk.tell(hello)
        assert talk.hear()["code"] == code
        with pytest.raises(WebSocketDisconnect):
            talk.hear()


def test_a_token_of_another_game_opens_nothing(table: Table, client: TestClient) -> None:
    other = Table(client)
    answer = client.get(f"/api/games/{table.id}", headers=other.bearer(0))
    assert answer.json()["you"] is None


def test_free_undo_goes_back_and_says_which_lines_no_longer_hold(table: Table) -> None:
    side = table.begin()
    before = table.digest
    table.answer(side, {"type": "Walk", "path": [[500, 500]]})
    view = table.view(side)
    assert view["undo"]["allowed"]
    assert table.say(side, {"type": "undo"})["type"] == "done"
    assert table.digest == before
    last = table.view(side)["log"][-1]
    walk = next(line for line in table.view(side)["log"] if line["kind"] == "Walked")
    assert (last["kind"], last["undoes"]) == ("undo", walk["n"])
    refusal = table.say(side, {"type": "undo"})
    assert (refusal["type"], refusal["code"]) == ("refusal", "boundary")


def test_beyond_the_boundary_the_other_side_is_asked_for_leave(table: Table) -> None:
    side = table.begin()
    table.answer(0, {"type": "Walk", "path": [[500, 500]]})
    table.answer(1, {"type": "Stay"})
    assert table.view(0)["undo"]["takeback"]
    assert table.say(1, {"type": "takeback", "answer": True})["code"] == "nobody-asks"
    assert table.say(0, {"type": "takeback"})["type"] == "done"
    assert table.view(1)["undo"]["asked"] == 0
    assert table.say(0, {"type": "takeback", "answer": True})["code"] == "nobody-asks"
    assert table.say(1, {"type": "takeback", "answer": False})["type"] == "done"
    assert table.view(1)["undo"]["asked"] is None
    table.say(0, {"type": "takeback"})
    assert table.say(1, {"type": "takeback", "answer": True})["type"] == "done"
    view = table.view(0)
    assert view["act"] == 2
    assert view["waiting_for"] == [side]


def test_an_earlier_moment_can_be_looked_at(table: Table) -> None:
    start = table.view(0)
    table.begin()
    table.answer(0, {"type": "Walk", "path": [[500, 500]]})
    then = table.view(0, at=0)
    assert then["picture"] == start["picture"]
    assert (then["act"], then["decisions"], then["log"]) == (0, [], [])
    assert table.view(0, at=3)["decisions"] == table.view(0)["decisions"]
    refused = table.client.get(f"/api/games/{table.id}", params={"at": 9})
    assert refused.json()["code"] == "no-such-moment"


def test_who_resigns_loses(table: Table) -> None:
    assert table.say(1, {"type": "resign"})["type"] == "done"
    view = table.view(0)
    assert view["over"]["winner"] == 0
    assert view["decisions"] == view["waiting_for"] == []
    assert table.say(0, {"type": "resign"})["code"] == "over"
    assert table.say(0, {"decision": "0.0", "action": {"type": "Stake", "points": 1}})["code"] == "over"


def test_real_dice_are_asked_for_and_typed_in(client: TestClient) -> None:
    table = Table(client, dice="typed")
    table.answer(0, {"type": "Stake", "points": 1})
    before = table.digest
    answer = table.answer(1, {"type": "Stake", "points": 1})
    assert (answer["code"], answer["values"]) == (
        "dice-wanted",
        {"count": 1, "sides": 6, "given": 0, "side": None, "words": "First turn"},
    )
    assert table.answer(1, {"type": "Stake", "points": 1}, dice=[[7]])["code"] == "wrong-dice"
    assert table.answer(1, {"type": "Stake", "points": 1}, dice=[[2], [3]])["code"] == "wrong-dice"
    assert table.digest == before
    assert table.answer(1, {"type": "Stake", "points": 1}, dice=[[5]])["type"] == "done"
    assert table.view(0)["log"][1]["dice"] == [
        {"faces": [5], "sides": 6, "words": "First turn", "side": None, "typed": True}
    ]


def in_reach(client: TestClient, *dice: str, seats: tuple[str, ...] = ("person", "person")) -> Table:
    """Return a duel in which side 0 is in reach of its enemy and about to strike."""
    table = Table(client, dice=list(dice), seats=list(seats), scenario="crossroads", rules={"bid.tie": "first-side"})
    for side in (0, 1):
        if seats[side] == "person":
            table.answer(side, {"type": "Stake", "points": 0})
    for _ in range(12):
        (mover,) = table.view(0)["waiting_for"]
        decision = table.view(mover)["decisions"][0]
        if decision["kind"] == "StrikeOrHold":
            return table
        groups = table.view(0)["picture"]["groups"]
        other = groups[1 - mover]["pieces"][0]["at"]
        wish = {"unit": mover, "to": other}
        proposal = table.say(mover, {"type": "propose", "decision": decision["id"], "wish": wish})["proposal"]
        table.answer(mover, proposal["action"] or proposal["refusal"]["nearest"])
    raise AssertionError("the duellists never met")


def test_real_dice_of_the_other_side_are_waited_for_and_typed_in_there(client: TestClient) -> None:
    table = in_reach(client, "typed", "server")
    (striker,) = table.view(0)["waiting_for"]
    assert striker == 0
    table.answer(0, {"type": "Thrust"})
    assert table.answer(1, {"type": "TakeIt"})["type"] == "done"
    view = table.view(1)
    assert view["waiting_for"] == [0]
    assert view["decisions"] == []
    assert view["dice"]["side"] == 0
    assert (view["dice"]["count"], view["dice"]["sides"], view["dice"]["words"]) == (1, 6, "Strike")
    assert table.say(1, {"type": "undo"})["code"] == "boundary"
    assert table.say(1, {"type": "dice", "faces": [6]})["code"] == "not-your-seat"
    assert table.say(0, {"type": "dice", "faces": [6, 6]})["code"] == "wrong-dice"
    assert table.say(0, {"type": "dice", "faces": [6]})["type"] == "done"
    view = table.view(1)
    assert view["dice"] is None
    thrown = [die for line in view["log"] for die in line["dice"]]
    assert thrown[-1] == {"faces": [6], "sides": 6, "words": "Strike", "side": 0, "typed": True}
    luck = {"side": 0, "label": "pips", "rolls": 1, "got": 6, "expected": "7/2", "mean": 3.5}
    assert {**luck, "as_good": 0.1667, "as_bad": 1.0} in view["luck"]
    wound = table.say(1, {"type": "why", "unit": 1})["steps"][0]
    assert (wound["before"], wound["after"]) == ("3", "2")
    assert wound["links"][-1]["line"]["kind"] == "Wounded"
    points = table.say(1, {"type": "why", "side": 1, "points": "Wounds"})["steps"]
    assert [(step["before"], step["after"]) for step in points] == [("3", "2")]


def test_dice_wanted_are_still_wanted_after_a_restart(client: TestClient) -> None:
    table = in_reach(client, "typed", "server")
    table.answer(0, {"type": "Thrust"})
    table.answer(1, {"type": "TakeIt"})
    table.forget()
    assert table.view(0)["dice"]["count"] == 1
    assert table.say(0, {"type": "dice", "faces": [1]})["type"] == "done"
    assert "Missed" in [line["kind"] for line in table.view(0)["log"]]


def test_dice_are_not_typed_in_where_the_server_throws_them(table: Table) -> None:
    assert table.answer(0, {"type": "Stake", "points": 1}, dice=[[5]])["code"] == "dice-not-asked"


def test_presence_is_told(table: Table) -> None:
    with table.live() as a:
        one = Talk(a, tokens=[table.tokens[0]])
        assert one.hear("presence")["here"] == [0]
        with table.live() as b:
            Talk(b, tokens=[table.tokens[1]]).hear("presence")
            assert one.hear("presence")["here"] == [0, 1]
        assert one.hear("presence")["here"] == [0]
        one.tell({"type": "ping", "ref": 3})
        assert one.hear().items() >= {"type": "pong", "ref": 3}.items()


def test_a_message_that_fails_leaves_the_connection_open(table: Table) -> None:
    with table.live() as a:
        talk = Talk(a, tokens=[table.tokens[0]])
        talk.hear("presence")
        for text in ("", "[]", "{", '{"type": 3}', '{"type": "answer"}', '{"decision": "0.0", "action": {}}', "null"):
            talk.tell(text)
            assert talk.hear()["code"] == "wrong-message"
        a.send_bytes(b"\xff\xfe")
        assert talk.hear()["code"] == "wrong-message"
        talk.tell({"type": "hello"})
        assert talk.hear()["code"] == "wrong-message"
        talk.tell({"type": "ping"})
        assert talk.hear()["type"] == "pong"


def test_a_long_question_holds_up_no_later_message(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: Any) -> None:
        begun.set()
        assert go_on.wait(30)
        raise LookupError

    monkeypatch.setattr("caltrop.host.questions.outlook", slow)
    with table.live() as session:
        one = Talk(session, tokens=[table.tokens[0]])
        decision = one.hear("view")["decisions"][0]
        one.tell({"type": "ahead", "decision": decision["id"], "ref": "slow"})
        assert begun.wait(30)
        one.tell({"type": "propose", "decision": decision["id"], "wish": {"unit": 0}, "brief": True, "ref": "quick"})
        one.tell({"type": "ping", "ref": "pinged"})
        assert {one.hear("proposal", "pong")["ref"] for _ in range(2)} == {"quick", "pinged"}
        go_on.set()
        assert one.hear("refusal")["ref"] == "slow"


def test_a_brief_refusal_has_the_same_reason_and_no_nearest_act(client: TestClient) -> None:
    table = Table(client, ruleset="duel", scenario="crossroads", rules={"bid.tie": "first-side"})
    for side in (0, 1):
        table.answer(side, {"type": "Stake", "points": 1})
    side = next(side for side in (0, 1) if table.view(side)["decisions"])
    decision = table.view(side)["decisions"][0]["id"]
    wish = {"type": "propose", "decision": decision, "wish": {"unit": side, "to": [100_000, 100_000]}}
    whole, brief = (table.say(side, {**wish, "brief": brief})["proposal"] for brief in (False, True))
    assert whole["refusal"]["nearest"] is not None
    assert brief == {**whole, "refusal": {**whole["refusal"], "nearest": None}}
