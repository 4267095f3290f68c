"""Long work in worker processes: addresses take turns, and each task has a time limit."""

from __future__ import annotations

import asyncio
import gzip
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from caltrop import InputError
from caltrop.engine import Refused
from caltrop.host.turns import EACH, MOST
from caltrop.lab.workers import Worker
from caltrop.server import counting
from caltrop.server.counting import WorkLine
from tests.server.tables import Table, TestClient

WORMS = {"army": "putredine", "kind": "infantry", "models": 10**6}
JSON = {"Content-Type": "application/json"}


class _Here(Worker):
    """A worker that runs in this process, so that its calls can be inspected."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Any] = []

    def call(self, do: Callable[..., Any], *with_: Any, seconds: float) -> Any:
        self.asked.append(with_)
        return do(*with_)


def in_line(talk: Callable[[WorkLine], Awaitable[None]], seconds: float = 20.0) -> None:
    """Run a test with a new line of work."""

    async def all_of_it() -> None:
        line = WorkLine(seconds, "ask for less")
        line.worker = Worker()  # a plain worker, which loads no rulebooks
        try:
            await talk(line)
        finally:
            line.close()

    asyncio.run(all_of_it())


def test_what_takes_too_long_is_refused_in_plain_words() -> None:
    async def talk(line: WorkLine) -> None:
        line.worker.start()
        with pytest.raises(Refused, match=r"longer than the 0.2 seconds .*; ask for less") as words:
            await line.call("a", time.sleep, 30)
        assert words.value.refusal.code == "out-of-time"
        assert await line.call("a", abs, -1, seconds=10) == 1

    in_line(talk, 0.2)


def test_addresses_are_served_in_turn() -> None:
    async def talk(line: WorkLine) -> None:
        here = line.worker = _Here()
        first = asyncio.create_task(line.call("a", time.sleep, 0.2))
        await asyncio.sleep(0)
        others = [asyncio.create_task(line.call(whose, time.sleep, n / 1000)) for whose, n in (*A, *B)]
        await asyncio.gather(first, *others)
        assert [round(with_[0] * 1000) for with_ in here.asked] == [200, 1, 4, 2, 5, 3]

    A, B = [("a", 1), ("a", 2), ("a", 3)], [("b", 4), ("b", 5)]  # noqa: N806
    in_line(talk)


def test_a_line_has_an_end() -> None:
    async def talk(line: WorkLine) -> None:
        with line.place("a"), line.place("a"), line.place("a"), line.place("a"):
            assert EACH == 4
            with pytest.raises(Refused) as words, line.place("a"):
                raise AssertionError("it has a place")
            assert words.value.refusal.code == "too-fast"
            with line.place("b"):
                pass
        places = [line.place(f"{n // EACH}") for n in range(MOST)]
        for place in places:
            place.__enter__()
        with pytest.raises(Refused) as words, line.place("z"):
            raise AssertionError("it has a place")
        assert words.value.refusal.code == "busy"
        for place in places:
            place.__exit__(None, None, None)
        with line.place("z"):
            pass

    in_line(talk)


def test_who_gives_up_leaves_the_line() -> None:
    async def talk(line: WorkLine) -> None:
        line.worker = _Here()
        first = asyncio.create_task(line.call("a", time.sleep, 0.2))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(line.call("b", abs, 1))
        await asyncio.sleep(0)
        second.cancel()
        assert await line.call("c", abs, -3) == 3
        await first

    in_line(talk)


def test_a_process_that_is_asked_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "IDLE_SECONDS", 0.05)

    async def talk(line: WorkLine) -> None:
        first = await line.call("a", os.getpid)
        for _ in range(200):
            if line.worker.process is None:
                break
            await asyncio.sleep(0.02)
        assert line.worker.process is None
        assert await line.call("a", os.getpid) != first

    in_line(talk)


def test_odds_without_end_are_refused_with_their_bound(client: TestClient) -> None:
    request = {"ruleset": "command-horizon", "mode": "close-combat", "attacker": WORMS, "target": WORMS}
    answer = client.post("/api/odds", json=request)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
        400,
        "wrong-value",
        "attacker.models",
    )
    assert "from 1 to 200 models" in answer.json()["message"]
    smaller = {**WORMS, "models": 200}
    answer = client.post("/api/odds", json={**request, "attacker": smaller, "target": smaller})
    assert answer.status_code == 200
    assert answer.json()["exact"] is True


def test_a_record_that_unpacks_to_very_much_is_refused(client: TestClient) -> None:
    bomb = gzip.compress(b'{"format": "caltrop-game", "entries": [' + b"[]," * 13_000_000, 9)
    assert len(bomb) < 200_000
    for path in ("/api/verify", "/api/replay"):
        answer = client.post(path, content=bomb, headers={"Content-Type": "application/gzip"})
        assert (answer.status_code, answer.json()["code"]) == (400, "wrong-value")
        assert "16 MiB" in answer.json()["message"]


def test_long_texts_are_refused_and_slow_ones_ended(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "title: x\n" + "a: [" + "1," * 50_000 + "]\n"
    for path, more in (("/api/games", {}), ("/api/lab", {"players": ["random"] * 2, "games": 1, "seed": 1})):
        for field, value in (("scenario", text), ("armies", [text])):
            answer = client.post(path, json={"ruleset": "command-horizon", field: value, **more})
            assert answer.status_code == 400
            assert "at most 65536 characters" in answer.json()["message"]
    # Texts within the limit of length may still be slow to read; these end at a time limit.
    monkeypatch.setattr("caltrop.server.working.TEXT_SECONDS", 0.001)
    worst = "a: " + "[" * 30 + "[]," * 15_000 + "]" * 30 + "\n"
    answer = client.post("/api/games", json={"ruleset": "command-horizon", "scenario": worst})
    assert (answer.status_code, answer.json()["code"]) == (422, "out-of-time")


def test_a_scenario_given_as_text_is_played(client: TestClient) -> None:
    from caltrop.scenarios import files

    folder = files.__file__.replace("files.py", "command_horizon")
    with open(f"{folder}/first-battle.yaml", encoding="utf-8") as file:
        table = Table(client, ruleset="command-horizon", scenario=file.read())
    assert table.view(0)["ruleset"] == "command-horizon"


def test_tables_of_texts_are_not_kept(client: TestClient) -> None:
    answer = client.get("/api/rules/duel/opening", params={"scenario": "a: 1\nb: 2\n"})
    assert (answer.status_code, answer.json()["field"]) == (400, "scenario")


def test_a_campaign_that_is_none_is_told(client: TestClient) -> None:
    for text in (b"[]", b"{}", b" " * 1_000_001):
        answer = client.post("/api/campaigns/file", content=text, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "wrong-value")
    with pytest.raises(InputError):
        counting.try_campaign(b'{"format": "caltrop-campaign", "ruleset": "hex-command"}')
