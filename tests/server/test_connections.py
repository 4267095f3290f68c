"""Connections that nobody speaks on, or too slowly, are closed, and one address has its share of them."""

from __future__ import annotations

import ipaddress
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
