"""Lessons: the rules allow the solution of each lesson, and the coach follows it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from caltrop.geometry import INCH
from caltrop.rules.squad_action.places import FOOT
from caltrop.scenarios.cases import FileGiven
from caltrop.scenarios.lessons import Lesson, LessonStep, lessons, steps_done, way_through
from caltrop.scenarios.rulings import check
from tests.server.tables import Table, TestClient

GAME = "command-horizon"
HEXES = "hex-command"
BLADES = "blade-skirmish"
SQUADS = "squad-action"
EVERY = [
    pytest.param(game, one, id=f"{game}-{one.id}") for game in (GAME, HEXES, BLADES, SQUADS) for one in lessons(game)
]


def lesson_at(client: TestClient, id: str, game: str = GAME) -> Table:
    return Table(client, seats=(), ruleset=game, lesson=id)


@pytest.mark.parametrize(("game", "one"), EVERY)
def test_the_way_through_a_lesson_holds(game: str, one: Lesson) -> None:
    ruling = way_through(game, one.id)
    assert [str(d) for d in check(ruling)] == []


@pytest.mark.parametrize(("game", "one"), EVERY)
def test_the_way_through_leads_to_the_coach_s_last_line(game: str, one: Lesson) -> None:
    head = way_through(game, one.id).head
    assert isinstance(head, FileGiven)
    happened: list[list[str]] = []
    for line in head.cases[0].play:
        if line.do and not line.refused and not line.allowed:
            happened.append([str(line.do)])
        elif line.expect and happened:
            happened[-1].extend(str(words["event"]) for words in line.expect.events)
    assert steps_done(one.steps, happened) == len(one.steps) - 1
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
    fire = next(o for o in table.view(0)["decisions"][0]["offers"] if o["words"].startswith("Fire at"))
    fire_words = fire["words"]
    table.answer(0, fire["action"])
    table.answer(0, {"type": "EndAllocation"})
    view = table.view(0)
    assert view["lesson"]["done"]
    (reading,) = [line["reading"] for line in view["log"] if line["reading"]]
    assert [die["face"] for die in reading["dice"]] == [6, 5, 4, 3, 2, 2, 1, 1]
    assert reading["answer"] == [6, 4, 2, 1]
    # The save dice 6 and 4 cancel the kill and one stun. The 5 is not cancelled, and stuns.
    assert [(die["result"], die["by"]) for die in reading["dice"][:3]] == [("kill", [0]), ("stun", []), ("stun", [1])]
    tallies = {(t["side"], t["label"]): (t["got"], t["expected"]) for t in reading["tallies"]}
    assert tallies[0, "hits"] == (3, "4/1")
    why = table.say(0, {"type": "why", "unit": reading["target"], "token": "stun"})["steps"]
    assert [(step["before"], step["after"]) for step in why] == [("0", "1")]
    *led, change = why[0]["links"]
    assert change["line"]["kind"] == "Damaged"
    attack = next(link for link in led if link["line"] and link["line"]["reading"])
    assert attack["n"] in change["because"]
    ordered = next(link for link in led if link["line"] and link["line"]["kind"] == "Ordered")
    decided = next(link for link in led if link["decided"] == f"{fire_words} (Mediums)")
    assert ordered["n"] in attack["because"]
    assert decided["n"] in ordered["because"]


def test_a_lesson_is_no_file_and_has_its_moments(client: TestClient) -> None:
    table = lesson_at(client, "fire")
    fire = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if o["words"].startswith("Fire at"))
    table.answer(0, fire)
    record = client.get(f"/api/games/{table.id}/record", headers=table.bearer(0))
    assert record.json()["code"] == "no-record"
    report = client.get(f"/api/games/{table.id}/report", headers=table.bearer(0)).json()
    assert report["view"]["lesson"]["id"] == "fire"
    result = client.get(f"/api/games/{table.id}/moments", headers=table.bearer(0)).json()
    assert [(m["act"], m["side"]) for m in result["moments"]] == [(0, None), (1, 0)]
    assert result["moments"][0]["picture"]["groups"]
    assert result["may"] == [0, None]
    refused = client.get(f"/api/games/{table.id}/moments?eyes=1", headers=table.bearer(0))
    assert refused.json()["code"] == "not-your-seat"


def test_a_lesson_that_there_is_not_is_refused_with_the_nearest(client: TestClient) -> None:
    wrong = client.post("/api/games", json={"ruleset": GAME, "lesson": "fires"})
    assert "fire" in wrong.json()["message"]
    assert client.post("/api/games", json={"ruleset": "duel", "lesson": "fire"}).status_code == 400


def pupils_decision(table: Table) -> dict[str, Any]:
    """Wait until the other side has played; return the pupil's decision."""
    for _ in range(3000):
        decisions: list[dict[str, Any]] = table.view(0)["decisions"]
        if decisions:
            return decisions[0]
        time.sleep(0.02)
    raise AssertionError("nothing is asked")


def march(y0: float, y1: float) -> dict[str, Any]:
    """Return the Move of a squad of five straight up the table, from one distance to another, in inches."""
    x0, step = 10 * INCH, 2 * FOOT + round(0.4 * INCH)
    paths = [[n, [[x0 + n * step, round(y0 * INCH)], [x0 + n * step, round(y1 * INCH)]]] for n in range(5)]
    return {"type": "Move", "unit": 0, "paths": paths}


WAYS: dict[str, dict[str, tuple[str | dict[str, Any], ...]]] = {
    HEXES: {
        "orders": ("Play Probe (centre)", "Order the Tanks", "Order the Guards", "Move to F5", "End your moves"),
        "dice": ("Fire at the Infantry", "Fire at the Rangers"),
        "assault": ("Close assault the Infantry", "Take ground"),
        "machines": ("Close assault the Walker", "Close assault the Walker"),
        "leaders": ("Join the Guards", "Close assault the Infantry"),
    },
    BLADES: {
        "move": ({"type": "Walk", "path": [[5 * INCH + INCH // 2, 4 * INCH]]}, "Charge Brigand"),
        "strike": ("Attack Brigand",),
        "flank": (
            "Take Sabeth",
            {"type": "Walk", "path": [[6 * INCH, 6 * INCH + INCH * 4 // 5]]},
            "Stay where she is",
            "All attack",
        ),
        "flight": ("Take Maren", "Flee", "Run 8 inches", "Take the test"),
        "death": ("Attack Brigand", "Strike Cutthroat", "Take Ursel"),
    },
    SQUADS: {
        "move": (
            {"type": "Begin", "unit": 0, "act": march(2, 8), "then": ["move"]},
            march(8, 12.5),
        ),
        "fire": ("Shoot at Rifles: 8 rifles, then shoot", "Shoot at Rifles: 8 rifles"),
        "overwatch": ("Go on overwatch", "Lay Fire and Fire", "Squad: use a Fire token", "Shoot at Militia"),
        "assault": ("Assault Militia",),
        "machines": (
            "Shoot at Carrier: 1 tank gun with solid shot, 1 heavy machine gun, then shoot",
            "Skip this action",
            "Call a fire mission, then shoot",
            "Mark Rifles",
        ),
    },
}
"""The answers of an obedient pupil in each lesson: offers, or dragged routes."""

SAID_ON = {
    "Stay where she is": False,
    "Go on overwatch": False,
    "Squad: use a Fire token": False,
    "Skip this action": False,
    "Call a fire mission, then shoot": False,
}
"""Answers that the coach explains together with the next answer."""


@pytest.mark.parametrize("game", list(WAYS))
def test_there_is_a_way_through_every_lesson(game: str) -> None:
    assert list(WAYS[game]) == [one.id for one in lessons(game)]


@pytest.mark.parametrize(("game", "id"), [(game, id) for game, ways in WAYS.items() for id in ways])
def test_the_coach_goes_along_to_the_end(client: TestClient, game: str, id: str) -> None:
    table = lesson_at(client, id, game)
    step = 1
    assert table.view(0)["lesson"]["step"] == step
    for answer in WAYS[game][id]:
        if isinstance(answer, str):
            offers = pupils_decision(table)["offers"]
            table.answer(0, next(o["action"] for o in offers if o["words"].startswith(answer)))
        else:
            table.answer(0, answer)
        step += SAID_ON.get(str(answer), True)
        assert table.view(0)["lesson"]["step"] == step
    assert table.view(0)["lesson"]["done"]


def test_the_dice_of_a_lesson_of_hex_command_fall_as_written(client: TestClient) -> None:
    table = lesson_at(client, "machines", HEXES)
    for faces, shields, strength in (([3, 5, 5], [3, 1, 2, 4], 3), ([3, 5, 6], [1, 2, 5], 2)):
        engage = next(o["action"] for o in table.view(0)["decisions"][0]["offers"] if "Walker" in o["words"])
        table.answer(0, engage)
        reading = [line["reading"] for line in table.view(0)["log"] if line["reading"]][-1]
        assert [die["face"] for die in reading["dice"]] == faces
        assert reading["answer"] == shields
        (walker,) = [r for r in table.view(0)["picture"]["groups"] if r["name"] == "Walker"]
        assert walker["strength"] == f"{strength}/4"


TOLD = {
    "fire": ("3 hits", "Rifles fail the pinning check: 3 -2", "Rifles break"),
    "assault": ("Militia is caught in the open", "Militia loses 3", "Militia is overcome"),
    "machines": ("Carrier is destroyed", "Medium artillery answers Spotters", "The shells fall on target"),
}
"""Sentences of the coach in Squad Action's lessons, as they stand in the log."""


@pytest.mark.parametrize("id", list(TOLD))
def test_the_dice_of_a_lesson_of_squad_action_fall_as_the_coach_says(client: TestClient, id: str) -> None:
    table = lesson_at(client, id, SQUADS)
    for answer in WAYS[SQUADS][id]:
        offers = pupils_decision(table)["offers"]
        table.answer(0, next(o["action"] for o in offers if o["words"].startswith(str(answer))))
    log: list[str] = []
    for _ in range(3000):
        log = [line["text"] for line in table.view(0)["log"]]
        if all(any(words in line for line in log) for words in TOLD[id]):
            return
        time.sleep(0.02)
    raise AssertionError(f"{TOLD[id]} is not all in {log}")


SUMS = {
    "strike": ("Maren strikes at Brigand: 5 + 3 = 8", "is wounded by Maren and out for today", "a tie"),
    "flank": ("Idony strikes at Captain, flanking with Sabeth: 5 + 4 = 9",),
    "flight": ("Maren drifts 5 inches", "Idony flees 8 inches"),
    "death": ("Footpad charges Maren over 2 inches", "Footpad strikes at Maren"),
}
"""Events in the coach's words, as they stand in the log."""


@pytest.mark.parametrize("id", list(SUMS))
def test_the_dice_of_a_lesson_of_blade_skirmish_fall_as_the_coach_says(client: TestClient, id: str) -> None:
    table = lesson_at(client, id, BLADES)
    for answer in WAYS[BLADES][id]:
        if isinstance(answer, str):
            offers = table.view(0)["decisions"][0]["offers"]
            table.answer(0, next(o["action"] for o in offers if o["words"].startswith(answer)))
        else:
            table.answer(0, answer)
    log = [line["text"] for line in table.view(0)["log"]]
    for words in SUMS[id]:
        assert any(words in line for line in log), (words, log)
