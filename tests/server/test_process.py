"""A real server that is killed during a game loses nothing that it acknowledged."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.clock import busy


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server on a free port of this machine, with its data in *folder*."""
    command = [sys.executable, "-m", "caltrop", "serve", "--port", "0", *words]
    environment = {**os.environ, "CALTROP_DATA": str(folder)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr
        try:
            line = ""
            for line in process.stderr:
                if match := re.search(r"http://([\d.:]+)/", line):
                    yield process, match[1]
                    break
            else:
                raise AssertionError(line)
        finally:
            process.kill()


def fetch(address: str, path: str, body: Any = None, token: str = "") -> Any:
    """Return the answer to an HTTP request."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", data, headers)) as answer:
        return json.load(answer)


async def next_message(live: ClientConnection, *kinds: str) -> Any:
    """Return the next message of one of these kinds."""
    while True:
        message = json.loads(await asyncio.wait_for(live.recv(), 10))
        if message["type"] in kinds:
            return message


async def act(live: ClientConnection, view: dict[str, Any]) -> dict[str, Any]:
    """Answer with the last offer; return the server's answer."""
    decision = view["decisions"][0]
    offers = [offer["action"] for offer in decision["offers"]]
    await live.send(json.dumps({"decision": decision["id"], "action": offers[-1], "ref": "mine"}))
    done: dict[str, Any] = await next_message(live, "done", "refusal")
    return done


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    made: dict[str, Any] = {}
    view: dict[str, Any] = {}
    acknowledged = 0
    for _ in range(3):
        with running(tmp_path) as (process, address):
            if not made:
                made = fetch(address, "/api/games", {"ruleset": "duel", "seats": ["person", "person"]})
            tokens = [seat["token"] for seat in made["seats"]]
            view = fetch(address, f"/api/games/{made['game']}", token=tokens[0])
            assert view["seq"] >= acknowledged
            async with connect(f"ws://{address}/ws/{made['game']}") as live:
                await live.send(json.dumps({"type": "hello", "tokens": tokens, "eyes": 0}))
                view = await next_message(live, "view")
                for _ in range(4):
                    if view["over"]:
                        break
                    side = view["waiting_for"][0]
                    await live.send(json.dumps({"type": "eyes", "side": side}))
                    view = await next_message(live, "view")
                    acknowledged = (await act(live, view))["seq"]
                    await live.send(json.dumps({"type": "eyes", "side": side}))
                    view = await next_message(live, "view")
                process.send_signal(signal.SIGKILL)
                process.wait()
    with running(tmp_path) as (_, address):
        again = fetch(address, f"/api/games/{made['game']}", token=view_token(made, view))
        assert {k: v for k, v in again.items() if k != "you"} == {k: v for k, v in view.items() if k != "you"}


def view_token(made: dict[str, Any], view: dict[str, Any]) -> str:
    """Return the secret of the seat whose view this is."""
    token: str = made["seats"][view["you"]]["token"]
    return token


async def test_an_act_takes_the_processor_less_than_20_milliseconds(tmp_path: Path) -> None:
    taken: list[float] = []
    with running(tmp_path) as (process, address):
        # In the first games a fresh server still loads modules and files.
        for _ in range(3):
            taken.clear()
            made = fetch(address, "/api/games", {"ruleset": "duel", "seats": ["person", "person"]})
            tokens = [seat["token"] for seat in made["seats"]]
            async with connect(f"ws://{address}/ws/{made['game']}") as live:
                await live.send(json.dumps({"type": "hello", "tokens": tokens, "eyes": 0}))
                view = await next_message(live, "view")
                while not view["over"]:
                    await live.send(json.dumps({"type": "eyes", "side": view["waiting_for"][0]}))
                    view = await next_message(live, "view")
                    # Processor time of the server alone, since elapsed time depends on other programs.
                    begun = busy([Path(f"/proc/{process.pid}")])
                    assert (await act(live, view))["type"] == "done"
                    taken.append(busy([Path(f"/proc/{process.pid}")]) - begun)
                    await live.send(json.dumps({"type": "eyes", "side": 0}))
                    view = await next_message(live, "view")
    assert 0 < statistics.median(taken) < 20, taken


def test_a_second_start_is_quick_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    taken = 0.0
    for _ in range(2):
        begun = time.perf_counter()
        with running(tmp_path) as (process, address):
            assert fetch(address, "/api/ping")["caltrop"]
            taken = time.perf_counter() - begun
            process.send_signal(signal.SIGINT)
            assert process.wait(10) in (0, 130)
    assert taken < 10


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with running(tmp_path) as (_, address):
        port = address.rpartition(":")[2]
        command = [sys.executable, "-m", "caltrop", "serve", "--port", port]
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert second.returncode == 1
    assert f"port {port}" in second.stderr
    assert "Traceback" not in second.stderr
