"""Silent or slow connections are closed, and each address may hold a limited number of them."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
import uvicorn

from caltrop import InputError
from caltrop.server import connections
from caltrop.server.connections import HEADER_SECONDS, IDLE_SECONDS, TAKE_SECONDS, Connections, Patient
from caltrop.server.run import clean_name, clean_prefix, listening, networks

ASKS = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _answers(scope: Any, receive: Any, send: Any) -> None:
    large = scope["path"] == "/large"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"transfer-encoding", b"chunked")]})
    for _ in range(400 if large else 1):
        await send({"type": "http.response.body", "body": b"x" * (100_000 if large else 2), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


class Hurried(asyncio.SelectorEventLoop):
    """An event loop whose clock the tests can advance, so that no test waits for a time limit."""

    ahead = 0.0

    def time(self) -> float:
        """Return the loop's own time."""
        return super().time() + self.ahead

    def put_forward(self, seconds: float) -> None:
        """Advance the clock, and run everything that is due."""

        async def at_the_server() -> None:
            self.ahead += seconds
            for _ in range(3):
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(at_the_server(), self).result(20)


class Served(NamedTuple):
    """A local server that allows three connections for each address."""

    loop: Hurried
    number: int


@pytest.fixture
def port() -> Iterator[Served]:
    """Run a server whose clock the tests advance."""
    protocol = type("Served", (Patient,), {"connections_by_address": Connections(each=3)})
    sock, loop = listening("127.0.0.1", 0), Hurried()
    config = uvicorn.Config(
        _answers, http=protocol, lifespan="off", log_level="critical", timeout_keep_alive=int(IDLE_SECONDS)
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve([sock]),), daemon=True)
    thread.start()
    yield Served(loop, sock.getsockname()[1])
    server.should_exit = True
    thread.join(10)
    sock.close()
    loop.close()


def opened(port: Served) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port.number))
    made.settimeout(10)
    return made


def ask_for_page(made: socket.socket) -> None:
    """Ask for a page, and read its whole answer."""
    made.sendall(ASKS)
    result = b""
    while not result.endswith(b"0\r\n\r\n"):
        result += made.recv(1000)
    assert result.startswith(b"HTTP/1.1 200")


def lifetime(port: Served, made: socket.socket, drip: bytes = b"", *, step: float) -> float:
    """Return how long a connection lasts, in seconds of the server's clock, if it sends a few characters at each
    step.
    """
    begun = port.loop.time()
    made.settimeout(0.02)
    while port.loop.time() - begun < 300:
        try:
            made.sendall(drip)
            if made.recv(1000) == b"":
                break
        except TimeoutError:
            pass
        except OSError:
            break
        port.loop.put_forward(step)
    return port.loop.time() - begun


def test_headers_have_their_time(port: Served) -> None:
    with opened(port) as made:
        made.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert HEADER_SECONDS - 1 < lifetime(port, made, b"X-Slow: y\r\n", step=1) < HEADER_SECONDS + 10


@pytest.mark.parametrize("drip", [b"", b"\r\n"])
def test_who_says_nothing_is_not_waited_for_long(port: Served, drip: bytes) -> None:
    with opened(port) as made:
        assert IDLE_SECONDS - 5 < lifetime(port, made, drip, step=5) < IDLE_SECONDS + 20


@pytest.mark.parametrize(
    ("drip", "first", "seconds"), [(b"\r\n", b"", IDLE_SECONDS), (b"X: y\r\n", b"GET / HTTP/1.1\r\n", HEADER_SECONDS)]
)
def test_after_an_answer_the_same_holds(port: Served, drip: bytes, first: bytes, seconds: float) -> None:
    with opened(port) as made:
        ask_for_page(made)
        made.sendall(first)
        assert seconds - 5 < lifetime(port, made, drip, step=seconds / 10) < seconds + 20


def test_who_takes_nothing_of_an_answer_is_dropped(port: Served) -> None:
    with opened(port) as made:
        made.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert made.recv(10) == b"HTTP/1.1 2"
        for _ in range(10):
            time.sleep(0.01)  # the client reads nothing, so the server can send only what the buffers hold
            port.loop.put_forward(TAKE_SECONDS / 4)
        whole = 0
        try:
            while part := made.recv(1 << 20):
                whole += len(part)
        except OSError:
            pass
        assert whole < 400 * 100_000


def test_who_asks_in_time_is_answered(port: Served) -> None:
    with opened(port) as made:
        for _ in range(3):
            ask_for_page(made)
            port.loop.put_forward(3 * HEADER_SECONDS)  # longer than a client may take for its headers


def test_an_address_has_its_share(port: Served) -> None:
    with ExitStack() as stack:
        enter_contexts = [stack.enter_context(opened(port)) for _ in range(3)]
        for made in enter_contexts:
            ask_for_page(made)
        with opened(port) as made:
            assert lifetime(port, made, step=1) < HEADER_SECONDS
        enter_contexts[0].close()
        port.loop.put_forward(0)
        with opened(port) as made:
            ask_for_page(made)


def test_a_proxy_has_the_connections_of_all_clients_it_speaks_for(port: Served) -> None:
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
        with pytest.raises(InputError, match="is not an address of a proxy"):
            networks([wrong])
    for wrong in ("/a b", "/..", "/<x>", '/"', "/api", "assets/x"):
        with pytest.raises(InputError):
            clean_prefix(wrong)
    for wrong in ("https://games.example/", "games.example:443", "games.example/x"):
        with pytest.raises(InputError, match=r"as in games\.example$"):
            clean_name(wrong)
    for wrong in ("", " ", "a b", "-x", "a..b", "*", "ä" * 80, "a\nb"):
        with pytest.raises(InputError, match="not a name of a server"):
            clean_name(wrong)


def flood(port: Served, *words: bytes) -> bytes:
    """Send data without end; return the answer of the server when it closes the connection."""
    result = b""
    with opened(port) as made:
        try:
            for one in words:
                made.sendall(one)
            made.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        try:
            while more := made.recv(65_536):
                result += more
        except OSError:
            pass
    return result


BEGINS = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "words",
    [
        (b"GET / HTTP/1.1\r\nX: ", *[b"y" * 9000] * 9),
        (b"GET / HTTP/1.1\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90),
        (b"GET / HTTP/1.1\r\n", *[b"x:\r\n"] * 200, b"\r\n"),
        (b"GET /", *[b"y" * 9000] * 9),
        (b"\r\n" * 20_000,),
        (b"GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90),
    ],
)
def test_headers_have_their_size(port: Served, words: tuple[bytes, ...]) -> None:
    result = flood(port, *words)
    assert result.startswith(b"HTTP/1.1 431 ") or result == b"", "closed, and told why where there was time"
    assert flood(port, ASKS).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "words",
    [
        (b"0\r\n", *[b"X: " + b"y" * 900 + b"\r\n"] * 90, b"\r\n"),
        (b"1\r\nx\r\n" * 30_000,),
        (b"1;x=" + b"y" * 60_000,),
    ],
)
def test_what_stands_around_a_body_has_its_size_too(words: tuple[bytes, ...]) -> None:
    heard = served_here(BEGINS, *words)
    assert heard.closed
    assert served_here(BEGINS, *[b"400\r\n" + b"x" * 1024 + b"\r\n"] * 90, b"0\r\n\r\n").closed is False


class served_here:  # noqa: N801
    """A connection to the server's protocol without a network."""

    def __init__(self, *words: bytes) -> None:
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
            for one in words:
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
        """Do nothing: the test reads no data from a network."""

    def resume_reading(self) -> None:
        """Do nothing: the test reads no data from a network."""


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
