"""Lessons: the way through each holds by the rules, and the coach goes along with it."""

from __future__ import annotations

import pytest

from caltrop.rules.command_horizon.rulings import RulingFile
from caltrop.scenarios.lessons import Lesson, LessonStep, lessons, steps_done, way_through
from caltrop.scenarios.rulings import check
from tests.server.tables import Table, TestClient

GAME = "command-horizon"


def lesson_at(client: TestClient, id: str) -> Table:
    return Table(client, seats=(), ruleset=GAME, lesson=id)


@pytest.mark.parametrize("id", [one.id for one in lessons(GAME)])
def test_the_way_through_a_lesson_holds(id: str) -> None:
    ruling = way_through(GAME, id)
    assert [str(d) for d in check(ruling)] == []


@pytest.mark.parametrize("one", lessons(GAME), ids=lambda one: str(one.id))
def test_the_way_through_leads_to_the_coach_s_last_line(one: Lesson) -> None:
    head = way_through(GAME, one.id).head
    assert isinstance(head, RulingFile)
    answers = [[str(line.do)] for line in head.cases[0].play if line.do]
    assert steps_done(one.steps, answers) == len(one.steps) - 1
    assert not one.steps[-1].until
    assert all(step.until for step in one.steps[:-1])


def test_a_step_is_behind_when_its_answer_was_given_or_its_event_told() -> None:
    steps = [LessonStep(say="a", until="Fire"), LessonStep(say="b", until="AttackResolved"), LessonStep(say="c")]
    assert steps_done(steps, [["Move"], ["EndAllocation", "AttackResolved"]]) == 0
    assert steps_done(steps, [["Fire"], ["EndAllocation", "AttackResolved"]]) == 2


def test_the_coach_goes_along_and_back(client: TestClient) -> None:
    table = lesson_at(client, "overkill")
    coach = table.view(0)["lesson"]
    assert (coach["number"], coach["of"], coach["step"], coach["done"], coach["next"]) == (3, 5, 1, False, "stuns")
    fire = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if o["words"].startswith("Fire at"))
    table.answer(0, fire)
    assert table.view(0)["lesson"]["step"] == 1
    table.answer(0, {"type": "EndAllocation"})
    assert table.view(0)["lesson"]["step"] == 2
    assert table.say(0, {"type": "takeback"})["type"] == "done"
    assert table.view(0)["lesson"]["step"] == 1
    table.answer(0, {"type": "EndAllocation"})
    table.forget()
    assert table.view(0)["lesson"]["step"] == 2 or table.view(0)["decisions"][0]["kind"] != "CombinePairs"


def test_the_dice_of_a_lesson_fall_as_written(client: TestClient) -> None:
    table = lesson_at(client, "fire")
    fire = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if o["words"].startswith("Fire at"))
    table.answer(0, fire)
    table.answer(0, {"type": "EndAllocation"})
    view = table.view(0)
    assert view["lesson"]["done"]
    (reading,) = [line["reading"] for line in view["log"] if line["reading"]]
    assert [die["face"] for die in reading["dice"]] == [6, 5, 4, 3, 2, 2, 1, 1]
    assert reading["answer"] == [6, 4, 2, 1]
    # The 6 takes the kill, and the 4 the 4: the 5 stands, and stuns.
    assert [(die["result"], die["by"]) for die in reading["dice"][:3]] == [("kill", [0]), ("stun", []), ("stun", [1])]
    tallies = {(t["side"], t["label"]): (t["got"], t["expected"]) for t in reading["tallies"]}
    assert tallies[0, "hits"] == (3, "4/1")
    why = table.say(0, {"type": "why", "unit": reading["target"], "token": "stun"})["steps"]
    assert [(step["before"], step["after"]) for step in why] == [("0", "1")]
    assert any(line["reading"] for line in why[0]["lines"])
    assert next(line["text"] for line in why[0]["lines"]) != ""


def test_a_lesson_is_no_file_and_has_its_moments(client: TestClient) -> None:
    table = lesson_at(client, "fire")
    fire = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if o["words"].startswith("Fire at"))
    table.answer(0, fire)
    record = client.get(f"/api/games/{table.id}/record", headers=table.bearer(0))
    assert record.json()["code"] == "no-record"
    report = client.get(f"/api/games/{table.id}/report", headers=table.bearer(0)).json()
    assert report["view"]["lesson"]["id"] == "fire"
    found = client.get(f"/api/games/{table.id}/moments", headers=table.bearer(0)).json()
    assert [(m["act"], m["side"]) for m in found["moments"]] == [(0, None), (1, 0)]
    assert found["moments"][0]["picture"]["groups"]
    assert found["may"] == [0, None]
    refused = client.get(f"/api/games/{table.id}/moments?eyes=1", headers=table.bearer(0))
    assert refused.json()["code"] == "not-your-seat"


def test_a_lesson_that_there_is_not_is_refused_with_the_nearest(client: TestClient) -> None:
    wrong = client.post("/api/games", json={"ruleset": GAME, "lesson": "fires"})
    assert "fire" in wrong.json()["message"]
    assert client.post("/api/games", json={"ruleset": "duel", "lesson": "fire"}).status_code == 400
