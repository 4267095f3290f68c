"""A real server is attacked over loopback in each way that once stopped it, and continues to answer players.

Every attack is bounded in count and time. Time limits are generous, because other programs run beside the tests;
without protection the server was silent for many seconds, or forever.
"""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the attacks come from several loopback addresses")

SECONDS = 3.0
"""Longest time, in seconds, that a player may wait during an attack."""

JSON = {"Content-Type": "application/json"}
BOMB = gzip.compress(b'{"format": "caltrop-game", "entries": [' + b"[]," * 13_000_000, 9)
HEAD = b'{"format": "caltrop-game", "format_version": 1, "ruleset": "duel", "entries": ['
LARGE = HEAD + b",".join([b'{"type": "roll", "faces": [1, 2, 3], "sides": 6, "clauses": []}'] * 55_000) + b"]}"
"""A file whose size is just below the limit."""


PATIENCE = 2.0
"""Seconds that this server waits for the headers of a request: less than usual, so that the tests are quick."""
PROGRAM = f"""
from caltrop.cli import main
from caltrop.server import connections
connections.HEADER_SECONDS = {PATIENCE}
raise SystemExit(main())
"""


class Server:
    """A server that the tests attack."""

    def __init__(self, process: subprocess.Popen[str], port: int, words: Path) -> None:
        self.process, self.port, self.said = process, port, words
        made = self.ask("POST", "/api/games", {"ruleset": "command-horizon", "seats": ["person", "person"]})[1]
        self.game = made["game"]
        self.tokens = [seat["token"] for seat in made["seats"]]
        view = self.ask("GET", f"/api/games/{self.game}")[1]
        self.unit = view["picture"]["groups"][0]["id"]

    def ask(
        self, method: str, path: str, body: Any = None, *, source: str = "127.0.0.1", **headers: str
    ) -> tuple[int, Any]:
        """Return the status and the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(source, 0))
        text = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, text, {**JSON, **{k.replace("_", "-"): v for k, v in headers.items()}})
            answer = connection.getresponse()
            read = answer.read()
            is_json = "json" in answer.headers.get("content-type", "")
            return answer.status, json.loads(read) if is_json else read.decode()
        finally:
            connection.close()

    def plays(self) -> float:
        """Return how long a player at another address waits for a view, a sight and a reason, in seconds."""
        begun = time.monotonic()
        path = f"/api/games/{self.game}"
        for method, where, body in (
            ("GET", path, None),
            ("POST", f"{path}/messages", {"type": "sight", "unit": self.unit}),
            ("POST", f"{path}/messages", {"type": "why", "unit": self.unit}),
        ):
            status, answer = self.ask(method, where, body, source="127.0.0.2")
            assert status == 200, answer
        return time.monotonic() - begun

    def memory(self) -> int:
        """Return the memory of the server process without its worker processes, in megabytes."""
        match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8"))
        assert match
        return int(match[1]) // 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server on a free port."""
    folder = tmp_path_factory.mktemp("attacked")
    words = folder / "said"
    with words.open("w", encoding="utf-8") as file:
        command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0"]
        process = subprocess.Popen(
            command, stderr=file, text=True, env={**os.environ, "CALTROP_DATA": str(folder)}, start_new_session=True
        )
        try:
            until = time.monotonic() + 60
            while not (match := re.search(r"http://[\d.]+:(\d+)/", words.read_text(encoding="utf-8"))):
                assert time.monotonic() < until
                time.sleep(0.1)
            yield Server(process, int(match[1]), words)
            assert "Traceback" not in words.read_text(encoding="utf-8")
        finally:
            process.kill()
            process.wait()


def while_(attack: Callable[[], Any], server: Server, threads: int, seconds: float = 1.0) -> list[float]:
    """Repeat an attack from several threads; return the waiting times of a player meanwhile."""
    until = time.monotonic() + seconds
    faults: list[BaseException] = []

    def attacks() -> None:
        try:
            while time.monotonic() < until:
                attack()
        except BaseException as fault:  # noqa: BLE001  it is told below
            faults.append(fault)

    attackers = [threading.Thread(target=attacks) for _ in range(threads)]
    waited = [server.plays()]
    for one in attackers:
        one.start()
    while any(one.is_alive() for one in attackers):
        waited.append(server.plays())
        time.sleep(0.1)
    for one in attackers:
        one.join()
    assert not faults
    return waited[1:]


def test_a_million_models(server: Server) -> None:
    worms = {"army": "putredine", "kind": "infantry", "models": 10**6}
    request = {"ruleset": "command-horizon", "mode": "close-combat", "attacker": worms, "target": worms}
    seen: set[int] = set()
    waited = while_(lambda: seen.add(server.ask("POST", "/api/odds", request)[0]), server, 6)
    assert max(waited) < SECONDS
    assert seen <= {400, 429}
    assert 400 in seen


def test_the_longest_odds_that_are_answered(server: Server) -> None:
    worms = {"army": "putredine", "kind": "infantry", "models": 200}
    request = {"ruleset": "command-horizon", "mode": "charge", "attacker": worms, "target": worms, "slugger": True}
    seen: set[int] = set()
    waited = while_(lambda: seen.add(server.ask("POST", "/api/odds", request)[0]), server, 6)
    assert max(waited) < SECONDS
    assert seen <= {200, 429}
    assert 200 in seen


@pytest.mark.parametrize("text", [BOMB, LARGE], ids=["39 MB in 178 kB", "4 MB"])
def test_large_records(server: Server, text: bytes) -> None:
    server.ask("POST", "/api/verify", b"{}")
    before = server.memory()
    seen: set[int] = set()
    waited = while_(lambda: seen.add(server.ask("POST", "/api/verify", text)[0]), server, 6)
    assert max(waited) < SECONDS
    assert seen <= {400, 422, 429}
    assert 400 in seen
    assert server.memory() < before + 100


def test_long_texts_of_scenarios(server: Server) -> None:
    for length, status in ((10**6, 413), (100_000, 400)):
        body = {"ruleset": "command-horizon", "scenario": "a: [" + "1," * (length // 2) + "]\n"}
        assert server.ask("POST", "/api/games", body)[0] == status
    worst = {"ruleset": "command-horizon", "scenario": "a: " + "[" * 30 + "[]," * 20_000 + "]" * 30 + "\n"}
    waited = while_(lambda: server.ask("POST", "/api/games", worst), server, 4)
    assert max(waited) < SECONDS


def test_onlookers_and_the_seats(server: Server) -> None:
    address = f"ws://127.0.0.1:{server.port}/ws/{server.game}"
    with ExitStack() as stack:
        words = []
        for _ in range(80):
            # The onlookers do not read the messages about one another. With a limited queue, the server's answer to
            # closing a connection would wait behind them until the client gives up after ten seconds.
            looker = connect(address, proxy=None, source_address=("127.0.0.4", 0), max_queue=None)
            stack.enter_context(looker)
            looker.send(json.dumps({"type": "hello"}))
            words.append(json.loads(looker.recv(20))["type"])
        assert (words.count("view"), words.count("refusal")) == (64, 16)
        for token in server.tokens:
            seated = stack.enter_context(connect(address, proxy=None))
            seated.send(json.dumps({"type": "hello", "tokens": [token]}))
            assert json.loads(seated.recv(20))["type"] == "view"


def test_requests_of_other_pages(server: Server) -> None:
    seen = {server.ask("GET", "/api/ping", Sec_Fetch_Site="cross-site", source="127.0.0.5")[0] for _ in range(600)}
    assert seen == {403}
    assert server.ask("GET", "/api/ping", source="127.0.0.5")[0] == 200


def test_slow_headers_and_many_connections(server: Server) -> None:
    with ExitStack() as stack:
        slow = []
        for _ in range(400):
            made = stack.enter_context(socket.socket())
            made.bind(("127.0.0.6", 0))
            made.settimeout(5)
            made.connect(("127.0.0.1", server.port))
            slow.append(made)
        begun, words = time.monotonic(), b"GET / HTTP/1.1\r\n"
        ended: set[socket.socket] = set()
        while len(ended) < len(slow):
            assert time.monotonic() - begun < PATIENCE + 8
            for made in slow:
                try:
                    made.sendall(words)
                except OSError:
                    ended.add(made)
            words = b"X: y\r\n"
            assert server.plays() < SECONDS
            time.sleep(0.2)


def test_odd_addresses(server: Server) -> None:
    odd = ["/%00", f"/api/games/{server.game}?eyes=%C2%B2", "/api/games/%00", "/" + "a" * 3000, "/nothing/here"]
    odd += [f"/api/games/{server.game}?at=%D9%A3", "/rules/%0a", "/..%2f..%2fetc%2fpasswd", "/%ff"]
    assert {server.ask("GET", path)[0] // 100 for path in odd} == {4}
    status, words = server.ask("GET", "/", Host="games.example", Accept="text/html")
    assert (status, "--name games.example" in words) == (421, True)
    with pytest.raises((WebSocketException, OSError)), connect(f"ws://127.0.0.1:{server.port}/ws/%00", proxy=None):
        raise AssertionError("it was let in")
    assert server.plays() < SECONDS


def test_the_end_is_heard_in_the_middle_of_it_all(server: Server) -> None:
    """Ctrl+C ends the server while it computes an answer. This test has to be the last one."""
    for _ in range(3):
        threading.Thread(
            target=lambda: _silently(lambda: server.ask("POST", "/api/verify", LARGE)), daemon=True
        ).start()
    time.sleep(0.3)
    server.process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    server.process.wait(20)
    assert time.monotonic() - begun < 10


def _silently(do: Callable[[], Any]) -> None:
    with suppress(OSError, http.client.HTTPException):
        do()
