"""Series of computer battles on the server: progress, the queue, stopping, comparing."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.journal import Setting
from caltrop.lab.series import GameResult, SeriesOrder
from caltrop.server import background, lab
from tests.server.tables import TestClient

SERIES: dict[str, Any] = {
    "ruleset": "duel",
    "scenario": "bridge",
    "players": ["random", "random"],
    "games": 20,
    "seed": 3,
}


def ask(client: TestClient, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/lab", json={**SERIES, **more})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


def look(client: TestClient, id: str) -> dict[str, Any]:
    result: dict[str, Any] = client.get(f"/api/lab/{id}").json()
    return result


def stop(client: TestClient, id: str) -> dict[str, Any]:
    answer = client.post(f"/api/lab/{id}/stop", json={})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


def finished_series(client: TestClient, id: str) -> dict[str, Any]:
    """Wait for a series to end, and return it."""
    until = time.monotonic() + 60
    while (result := look(client, id))["stage"] in ("waiting", "playing"):
        assert time.monotonic() < until, result
        time.sleep(0.05)
    return result


def test_a_series_is_that_of_the_command_line(client: TestClient, tmp_path: Path) -> None:
    asked = ask(client, swap=True, rules={"parry.price": 2})
    result = finished_series(client, asked["id"])
    assert (result["stage"], result["done"]) == ("done", 20)
    assert sum(result["lengths"].values()) == 20
    assert max(int(rounds) for rounds in result["lengths"]) == result["report"]["length"]["max"]
    words = shlex.split(result["command"])
    assert words[0] == "caltrop"
    command = [sys.executable, "-m", *words, "--output", str(tmp_path / "report.json")]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    report = msgspec.json.decode((tmp_path / "report.json").read_bytes())
    for figures in (report, result["report"]):
        del figures["seconds"], figures["decisions_per_second"]
    assert report == result["report"]


def test_who_asks_again_is_shown_what_has_been_played(client: TestClient) -> None:
    assert ask(client, begin=False)["stage"] == "new"
    first = ask(client)
    finished_series(client, first["id"])
    for again in (ask(client), ask(client, begin=False)):
        assert (again["id"], again["stage"], again["done"]) == (first["id"], "done", 20)
    assert ask(client, seed=4, begin=False)["id"] != first["id"]


def test_one_is_played_at_a_time_and_the_others_wait_their_turn(client: TestClient) -> None:
    runs = [ask(client, games=400, seed=seed) for seed in range(3)]
    assert [look(client, run["id"])["ahead"] for run in runs[1:]] == [1, 2]
    stopped = stop(client, runs[1]["id"])
    assert (stopped["stage"], stopped["done"], stopped["report"]) == ("stopped", 0, None)
    assert look(client, runs[2]["id"])["ahead"] == 1
    while look(client, runs[0]["id"])["done"] == 0:
        time.sleep(0.02)
    stop(client, runs[0]["id"])
    result = finished_series(client, runs[0]["id"])
    assert result["stage"] == "stopped"
    assert 0 < result["done"] == result["report"]["games"] < 400
    assert result["words"] == "it was stopped"
    assert ask(client, games=400, seed=0)["stage"] == "waiting"
    for run in runs:
        stop(client, run["id"])


def test_no_more_than_a_few_wait(client: TestClient) -> None:
    runs = [ask(client, games=500, seed=seed) for seed in range(background.EACH)]
    while look(client, runs[0]["id"])["stage"] == "waiting":
        time.sleep(0.02)
    runs.append(ask(client, games=500, seed=77))
    answer = client.post("/api/lab", json={**SERIES, "seed": 78})
    assert (answer.status_code, answer.json()["code"]) == (400, "too-many")
    for run in runs:
        stop(client, run["id"])


def test_a_series_that_takes_too_long_is_stopped(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "SECONDS", 0.0)
    result = finished_series(client, ask(client)["id"])
    assert result["stage"] == "stopped"
    assert "0 minutes" in result["words"]


def test_two_series_are_compared(client: TestClient) -> None:
    one, other = ask(client), ask(client, rules={"parry.price": 3})
    for run in (one, other):
        finished_series(client, run["id"])
    result = client.get(f"/api/lab/{one['id']}/against/{other['id']}").json()["comparison"]
    shares = []
    for run in (one, other):
        report = look(client, run["id"])["report"]
        shares.append(report["wins"]["0"] / (report["games"] - report["draws"]))
    assert [result["share"]["one"], result["share"]["other"]] == shares
    assert result["share"]["low"] <= shares[1] - shares[0] <= result["share"]["high"]
    assert client.get(f"/api/lab/{one['id']}/against/nothing").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 0}, "one game or more"),
        ({"games": 100_000}, "at most 500 games"),
        ({"players": ["randm", "random"]}, "randm"),
        ({"players": ["random"]}, "players"),
        ({"scenario": "brigde"}, "did you mean bridge"),
        ({"scenario": "/etc/passwd"}, "no scenario"),
        ({"ruleset": "duell"}, "duel"),
        ({"edition": "blunt"}, "blunt"),
        ({"rules": {"parry.prize": 1}}, "parry.price"),
        ({"rules": {"parry.price": 99}}, "parry.price"),
        ({"armies": ["a", "b"]}, "no army"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_reason(
    client: TestClient, wrong: dict[str, Any], words: str
) -> None:
    answer = client.post("/api/lab", json={**SERIES, **wrong})
    assert answer.status_code == 400
    assert words in answer.json()["message"]


def test_a_game_that_goes_wrong_ends_its_series() -> None:
    setting = Setting(ruleset="duel", edition="current", scenario="bridge")
    run = lab._SeriesRun(
        "x", SeriesOrder(setting=setting, players=("random", "random"), games=3, seed=1), "caltrop simulate"
    )
    here, there = Pipe(duplex=False)
    good = GameResult(number=0, winner=0, rounds=4, decisions=9, rolls=2, digest=b"")
    there.send(good)
    there.send(msgspec.structs.replace(good, number=1, failed="Traceback\nZeroDivisionError: nothing to divide by\n"))
    assert run._hear(here) == ("failed", "game 1 went wrong: ZeroDivisionError: nothing to divide by")
    assert run.results == [good]


def test_there_is_no_series_that_was_never_asked_for(client: TestClient) -> None:
    assert client.get("/api/lab/abc").status_code == 404
    assert client.post("/api/lab/abc/stop", json={}).status_code == 404


def test_a_form_for_attacks_has_the_games_own_fields(client: TestClient) -> None:
    assert "command-horizon" in client.get("/api/odds").json()["rulesets"]
    words = client.post("/api/odds/form", json={"ruleset": "command-horizon"}).json()
    assert "mode" in words["schema"]["$defs"]["AttackRequest"]["properties"]
    start = words["form"]["start"]
    assert client.post("/api/odds", json=start).json()["exact"] is True
    full = client.post("/api/odds/form", json=start).json()["form"]
    assert full["dice"][0]["parts"][0]["clause"] == "CH-FIRE-09"
    wrong = client.post("/api/odds", json={**start, "mode": "fyre"}).json()
    assert wrong["field"] == "mode"
    assert client.post("/api/odds/form", json={"ruleset": "deul"}).json()["field"] == "ruleset"
    ((_, act),) = words["examples"]
    assert client.post("/api/odds", json=act).json()["exact"] is True
    act["play"][-1]["reach"] = 40
    assert client.post("/api/odds", json=act).json()["field"] == "play[1]"
