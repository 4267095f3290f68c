"""Time limits for slow or silent connections, and a limit on the connections of each address.

The HTTP server itself waits without limit for the rest of a request, and for a client that does not read its answer.
Slow connections are closed here, so that a few slow clients do not use up the system's resources.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from caltrop.server.guard import Network, is_within, share_of

log = logging.getLogger("caltrop.server")

HEADER_SECONDS = 10.0
"""Time limit for the headers of a request in seconds, from the first character."""
IDLE_SECONDS = 75.0
"""Seconds for which a connection without a request stays open."""
TAKE_SECONDS = 60.0
"""Seconds for which a client may stop reading a long answer."""
HEAD = 32_768
"""Largest size in bytes of a request outside its body: headers, trailers, and separators of chunks."""
FIELDS = 128
"""Largest number of headers of a request, including trailers."""
PIECE = 4096
"""Number of bytes that are read at once."""
AT_ONCE = 32
"""Largest number of waiting requests of one connection."""
EACH = 256
"""Largest number of connections of one address."""


class Connections:
    """The open connections of every address."""

    def __init__(self, proxies: tuple[Network, ...] = (), each: int = EACH) -> None:
        self.proxies, self.each = proxies, each
        self.open: dict[str, list[asyncio.BaseTransport]] = {}

    def take(self, transport: asyncio.BaseTransport) -> bool:
        """Return whether another connection may be opened; the connection is then counted until it closes."""
        peer = transport.get_extra_info("peername")
        address = share_of(str(peer[0]) if isinstance(peer, tuple) and peer else "")
        if is_within(address, self.proxies):
            return True
        # An upgraded connection has another protocol, so the connection itself knows whether it is open.
        connections = [one for one in self.open.get(address, ()) if not one.is_closing()]
        taken = len(connections) < self.each
        self.open[address] = [*connections, transport] if taken else connections
        if len(self.open) > 1000:
            self.open = {one: open_ for one, open_ in self.open.items() if not all(t.is_closing() for t in open_)}
        return taken


_OF_CLIENTS = ("Invalid HTTP request received.", "Invalid UTF-8 sequence received from client.")
"""Log lines about invalid input of clients: the first is logged with the address, the second closes a connection."""


class Sparing(logging.Filter):
    """Limits log lines of each kind to a few in a minute, so that nobody can fill the log by repetition."""

    LINES, SECONDS, KINDS = 5, 60.0, 200

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock, self.since = clock, clock()
        self.seen: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a line. The first line after a pause contains the number of omitted lines."""
        if record.msg in _OF_CLIENTS:
            return False
        if record.name == "caltrop.access":
            return True  # the setting of the log asks for a line for each request
        kind = f"{record.name} {str(record.msg)[:80]}"
        now, left_out = self.clock(), 0
        if now - self.since >= self.SECONDS:
            left_out = max(self.seen[kind] - self.LINES, 0)
            self.since = now
            self.seen.clear()
        if len(self.seen) >= self.KINDS and kind not in self.seen:
            return False
        self.seen[kind] += 1
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like it were left out)", ()
        return self.seen[kind] <= self.LINES


class Patient(HttpToolsProtocol):
    """The protocol of a connection with time limits."""

    connections_by_address = Connections()
    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _read = _body = _fields = 0
    """Size of this request in bytes, the size of its body, and the number of its headers."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not self.connections_by_address.take(transport):
            transport.abort()
            return
        self._wait(IDLE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        self._take(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._read += len(piece)
            super().data_received(piece)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                break
            # Chunks of a few bytes are as expensive as large ones, so they count against the limit.
            if self._read - self._body > HEAD + self._body // 8:
                self._refuse()
                return
            if len(self.pipeline) > AT_ONCE:
                self._close()
                return
        cycle: Any = self.cycle
        at_rest = cycle is None or cycle.response_complete
        is_http = self in self.connections  # and has not become a live connection
        if is_http and at_rest and self._deadline is None and self.timeout_keep_alive_task is None:
            self._wait(IDLE_SECONDS)  # the data was not the beginning of a request, but ended the wait for a request

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait(HEADER_SECONDS)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        if self._fields > FIELDS:
            raise ValueError("too many headers")  # the parser stops, and `send_400_response` is called
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._read = self._body = self._fields = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer that a request cannot be read, and log its sender."""
        if self._fields > FIELDS:
            self._refuse()
            return
        log.warning("a request from %s cannot be read", self.client[0] if self.client else "an unknown address")
        super().send_400_response(msg)

    def _refuse(self) -> None:
        """Refuse a request whose headers are too long, and stop reading it."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            words = b"The headers of a request may have %d bytes, and be %d, at most.\n" % (HEAD, FIELDS)
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
                b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(words), words)
            )
            self.transport.close()
        else:
            self._close()

    def on_headers_complete(self) -> None:
        """Note that the headers are complete; the guard limits the time for the body."""
        self._wait(None)
        super().on_headers_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._take(TAKE_SECONDS)

    def resume_writing(self) -> None:
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
    """Raise this process's limit of open files to the system's maximum."""
    try:
        import resource
    except ImportError:  # Windows has no such limit on open files
        return
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
