"""Connections that nobody speaks on, or too slowly, are closed, and one address has its share of them."""

from __future__ import annotations

import ipaddress
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvicorn

from caltrop import InputError
from caltrop.server import connections
from caltrop.server.connections import Connections, Patient
from caltrop.server.run import clean_prefix, listening, networks

ASKS = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _answers(scope: Any, receive: Any, send: Any) -> None:
    large = scope["path"] == "/large"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"transfer-encoding", b"chunked")]})
    for _ in range(400 if large else 1):
        await send({"type": "http.response.body", "body": b"x" * (100_000 if large else 2), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server of little patience, which gives an address three connections."""
    for name, seconds in (("HEADER_SECONDS", 0.5), ("IDLE_SECONDS", 1.5), ("TAKE_SECONDS", 0.5)):
        monkeypatch.setattr(connections, name, seconds)
    protocol = type("Served", (Patient,), {"connections_by_address": Connections(each=3)})
    sock = listening("127.0.0.1", 0)
    config = uvicorn.Config(_answers, http=protocol, lifespan="off", log_level="critical", timeout_keep_alive=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    thread.start()
    yield sock.getsockname()[1]
    server.should_exit = True
    thread.join(10)
    sock.close()


def opened(port: int) -> socket.socket:
    """A connection."""
    made = socket.create_connection(("127.0.0.1", port))
    made.settimeout(10)
    return made


def ended(made: socket.socket, drip: bytes = b"") -> float:
    """How long a connection lives that goes on with a few characters now and then."""
    begun = time.monotonic()
    made.settimeout(0.1)
    while time.monotonic() - begun < 8:
        try:
            if made.recv(1000) == b"":
                break
        except TimeoutError:
            pass
        except OSError:
            break
        try:
            made.sendall(drip)
        except OSError:
            break
    return time.monotonic() - begun


def test_headers_have_their_time(port: int) -> None:
    with opened(port) as made:
        made.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert 0.3 < ended(made, b"X-Slow: y\r\n") < 5


def test_who_says_nothing_is_not_waited_for_long(port: int) -> None:
    with opened(port) as made:
        assert 1 < ended(made) < 6
    with opened(port) as made:
        assert ended(made, b"\r\n") < 6


def test_after_an_answer_the_same_holds(port: int) -> None:
    for drip, first in ((b"\r\n", b""), (b"X: y\r\n", b"GET / HTTP/1.1\r\n")):
        with opened(port) as made:
            made.sendall(ASKS)
            assert made.recv(1000).startswith(b"HTTP/1.1 200")
            time.sleep(0.1)
            made.sendall(first)
            assert ended(made, drip) < 6


def test_who_takes_nothing_of_an_answer_is_dropped(port: int) -> None:
    with opened(port) as made:
        made.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(3)  # nothing is taken
        whole = 0
        try:
            while part := made.recv(1 << 20):
                whole += len(part)
        except OSError:
            pass
        assert whole < 400 * 100_000


def test_who_asks_in_time_is_answered(port: int) -> None:
    with opened(port) as made:
        for _ in range(3):
            made.sendall(ASKS)
            assert made.recv(1000).startswith(b"HTTP/1.1 200")
            time.sleep(0.7)  # longer than headers may take


def test_an_address_has_its_share(port: int) -> None:
    with ExitStack() as stack:
        kept = [stack.enter_context(opened(port)) for _ in range(3)]
        for made in kept:
            made.sendall(ASKS)
            assert made.recv(1000).startswith(b"HTTP/1.1 200")
        with opened(port) as made:
            assert ended(made) < 1
        kept[0].close()
        time.sleep(0.2)
        with opened(port) as made:
            made.sendall(ASKS)
            assert made.recv(1000).startswith(b"HTTP/1.1 200")


def test_a_proxy_has_the_connections_of_all_clients_it_speaks_for(port: int) -> None:
    trusting = Connections((ipaddress.ip_network("127.0.0.0/8"),), each=1)
    wary = Connections(each=1)
    loop_like = [_Open() for _ in range(3)]
    assert [trusting.take(one) for one in loop_like] == [True] * 3  # type: ignore[arg-type]
    assert [wary.take(one) for one in loop_like] == [True, False, False]  # type: ignore[arg-type]


class _Open:
    def get_extra_info(self, name: str) -> tuple[str, int]:
        return "127.0.0.1", 1

    def is_closing(self) -> bool:
        return False


def test_settings_of_a_proxy_are_read_strictly() -> None:
    assert [str(one) for one in networks(["127.0.0.1", "10.1.2.3/8", "::1"])] == [
        "127.0.0.1/32",
        "10.0.0.0/8",
        "::1/128",
    ]
    for wrong in ("nginx", "10.0.0.0/99", "", "*"):
        with pytest.raises(InputError, match="is no address of a proxy"):
            networks([wrong])
    for wrong in ("/a b", "/..", "/<x>", '/"', "/api", "assets/x"):
        with pytest.raises(InputError):
            clean_prefix(wrong)


def refused(port: int, *said: bytes) -> bytes:
    """What is answered to what goes on, until the server closes."""
    found = b""
    with opened(port) as made:
        try:
            for one in said:
                made.sendall(one)
            made.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        try:
            while more := made.recv(65_536):
                found += more
        except OSError:
            pass
    return found


BEGINS = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        (b"GET / HTTP/1.1\r\nX: ", *[b"y" * 9000] * 9),
        (b"GET / HTTP/1.1\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90),
        (b"GET / HTTP/1.1\r\n", *[b"x:\r\n"] * 200, b"\r\n"),
        (b"GET /", *[b"y" * 9000] * 9),
        (b"\r\n" * 20_000,),
        (b"GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90),
    ],
)
def test_headers_have_their_size(port: int, said: tuple[bytes, ...]) -> None:
    found = refused(port, *said)
    assert found.startswith(b"HTTP/1.1 431 ") or found == b"", "closed, and told why where there was time"
    assert refused(port, ASKS).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "said",
    [
        (b"0\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90, b"\r\n"),
        (b"1\r\nx\r\n" * 30_000,),
        (b"1;x=" + b"y" * 60_000,),
    ],
)
def test_what_stands_around_a_body_has_its_size_too(said: tuple[bytes, ...]) -> None:
    heard = served_here(BEGINS, *said)
    assert heard.closed
    assert served_here(BEGINS, *[b"400\r\n" + b"x" * 1024 + b"\r\n"] * 90, b"0\r\n\r\n").closed is False


class served_here:
    """A protocol that is told something without a network."""

    def __init__(self, *said: bytes) -> None:
        import asyncio

        async def all_of_it() -> None:
            async def waits(scope: Any, receive: Any, send: Any) -> None:
                await asyncio.Event().wait()

            config = uvicorn.Config(waits, http=Patient, lifespan="off", log_level="critical")
            config.load()
            protocol = type("Served", (Patient,), {"connections_by_address": Connections()})(
                config=config, server_state=uvicorn.Server(config).server_state, app_state={}
            )
            protocol.connection_made(self)
            self.protocol = protocol
            for one in said:
                if not self.closed:
                    protocol.data_received(one)
            for task in protocol.tasks:
                task.cancel()
            protocol._wait(None)

        self.closed, self.written = False, b""
        asyncio.run(all_of_it())

    def get_extra_info(self, name: str) -> Any:
        return ("192.0.2.1", 5) if name == "peername" else None

    def get_protocol(self) -> Any:
        return self.protocol

    def is_closing(self) -> bool:
        return self.closed

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def pause_reading(self) -> None:
        """Nothing is read in any case."""

    def resume_reading(self) -> None:
        """Nothing is read in any case."""


def test_the_log_has_a_few_lines_of_a_kind_and_says_how_many_were_left_out() -> None:
    now = [0.0]
    sparing = connections.Sparing(lambda: now[0])

    def written(words: str) -> list[str]:
        lines = [logging.LogRecord("a", logging.WARNING, "", 1, words, (n,), None) for n in range(9)]
        return [line.getMessage() for line in lines if sparing.filter(line)]

    assert written("of %s") == [f"of {n}" for n in range(5)]
    assert written("of %s") == []
    assert len(written("another %s")) == 5
    now[0] = 61
    assert written("of %s")[0] == "of 0 (13 more like it were left out)"
