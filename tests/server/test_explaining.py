"""Explanations of finished battles are computed in another process: progress, stopping, and partial results."""

from __future__ import annotations

import time
from typing import Any

from caltrop.server import explaining
from tests.server.tables import Table, TestClient


def finished_explanation(table: Table) -> dict[str, Any]:
    """Wait for an explanation to end, and return it."""
    until = time.monotonic() + 120
    while (result := table.client.get(f"/api/games/{table.id}/analysis").json())["stage"] in ("waiting", "working"):
        assert time.monotonic() < until, result
        time.sleep(0.1)
    return dict(result)


def test_a_battle_that_is_over_is_explained_and_can_be_stopped(client: TestClient) -> None:
    table = Table(client, scenario="bridge")
    table.begin()
    path = f"/api/games/{table.id}/analysis"
    assert client.post(path, json={}).json()["code"] == "not-over"
    assert client.get(path).json()["stage"] == "new"
    table.say(0, {"type": "resign"})
    assert client.post(path, json={}).json()["stage"] in ("waiting", "working")
    client.post(f"{path}/stop", json={})
    assert finished_explanation(table)["stage"] == "stopped"
    client.post(path, json={})
    words = finished_explanation(table)
    assert words["stage"] == "done", words
    result = words["analysis"]
    assert [one["act"] for one in result["chances"]] == [-1, 0, 1, 2], "that it was given up is the last"
    assert result["chances"][-1]["chance"] == [0, 1]
    assert (result["turning"][-1]["words"], result["turning"][-1]["side"]) == ("gives up", 0)
    first, last = result["chances"][0]["chance"], result["chances"][-1]["chance"]
    for side in (0, 1):
        assert abs(result["luck"][side] + result["play"][side] - (last[side] - first[side])) < 1e-5
    assert [one["act"] for one in result["acts"]] == [0, 1], "each by itself"
    assert client.post(path, json={}).json() == words, "it is worked out once"


def test_a_process_that_ends_is_told_of() -> None:
    run = explaining._ExplainRun(None)  # type: ignore[arg-type]
    run.follow()
    assert run.now.stage == "failed"
    assert run.now.words
