"""Connections that nobody speaks on, or too slowly: each stage of a request has its time, and an address its share.

The server of the network waits for ever for the rest of a request that has begun, and for a client that does not take
its answer. Here such connections are closed, so that a few slow clients do not use up what a system has of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from caltrop.server.guard import Network, is_within

HEADER_SECONDS = 10.0
"""How long the headers of a request may take, from their first character."""
IDLE_SECONDS = 75.0
"""How long a connection is kept before its first request: longer than people think."""
TAKE_SECONDS = 60.0
"""How long a client may take nothing of an answer that is more than fits on the way."""
EACH = 256
"""Connections of one address."""


class Connections:
    """The open connections of every address.

    Args:
        proxies: Proxies, which have the connections of all they speak for.
        each: How many an address may have.
    """

    def __init__(self, proxies: tuple[Network, ...] = (), each: int = EACH) -> None:
        self.proxies, self.each = proxies, each
        self.open: dict[str, list[asyncio.BaseTransport]] = {}

    def take(self, transport: asyncio.BaseTransport) -> bool:
        """Whether one more may be open; it is counted until it closes."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        if is_within(address, self.proxies):
            return True
        # A connection that goes on as a live one has another protocol then: whether it is open is asked of itself.
        found = [one for one in self.open.get(address, ()) if not one.is_closing()]
        taken = len(found) < self.each
        self.open[address] = [*found, transport] if taken else found
        if len(self.open) > 1000:
            self.open = {one: open_ for one, open_ in self.open.items() if not all(t.is_closing() for t in open_)}
        return taken


class Patient(HttpToolsProtocol):
    """The protocol of a connection, with an end to its patience."""

    connections_by_address = Connections()
    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A client has connected."""
        super().connection_made(transport)
        if not self.connections_by_address.take(transport):
            transport.abort()
            return
        self._wait(IDLE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._wait(None)
        self._take(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        super().data_received(data)
        cycle: Any = self.cycle
        at_rest = cycle is None or cycle.response_complete
        is_http = self in self.connections  # and has not become a live connection
        if is_http and at_rest and self._deadline is None and self.timeout_keep_alive_task is None:
            self._wait(IDLE_SECONDS)  # what came begins no request, and ended the wait for one

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._wait(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """Its headers are there; the guard has a time for the rest of it."""
        self._wait(None)
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """The client does not take what it is sent."""
        super().pause_writing()
        self._take(TAKE_SECONDS)

    def resume_writing(self) -> None:
        """It does again."""
        self._take(None)
        super().resume_writing()

    def _wait(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._close)

    def _take(self, seconds: float | None) -> None:
        if self._taking is not None:
            self._taking.cancel()
        self._taking = None if seconds is None else self.loop.call_later(seconds, self._close)

    def _close(self) -> None:
        if self.transport is not None:
            self.transport.abort()


def as_many_as_the_system_lets() -> None:
    """Let this process have as many open files, and so connections, as the system lets it."""
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
