"""Who may speak to the server: checks of host and origin, sizes and rates, before anything is read.

A page of another site must not reach a server on this machine: neither by a request of its own (the origin is checked)
nor by a name that it has pointed at this machine (the host is checked). Everything here is about messages, not games.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("caltrop.server")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much is too much."""

    body: int = 4_000_000
    """Bytes of a request: a recorded game to be verified is the largest thing that is sent."""
    message: int = 65_536
    """Bytes of a live message."""
    requests: float = 40.0
    """Requests a second from one address, lasting."""
    burst: int = 400
    """Requests at once from one address."""
    messages: float = 150.0
    """Live messages a second on one connection, lasting."""
    message_burst: int = 600
    games_an_hour: int = 600
    """Games made from one address in an hour."""
    connections: int = 64
    """Live connections of one game."""


class Bucket:
    """Lets through what comes at a rate, and a burst at once.

    Args:
        rate: How many a second.
        burst: How many at once.
        clock: Seconds, rising.
    """

    __slots__ = ("burst", "clock", "level", "rate", "then")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.level, self.then = float(burst), clock()

    def take(self) -> bool:
        """Whether one more may pass now."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.then) * self.rate)
        self.then = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """A bucket for each address, the longest silent forgotten first."""

    def __init__(self, rate: float, burst: float, keep: int = 2000) -> None:
        self.rate, self.burst, self.keep = rate, burst, keep
        self.by_address: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more from *address* may pass now."""
        bucket = self.by_address.get(address)
        if bucket is None:
            bucket = self.by_address[address] = Bucket(self.rate, self.burst)
            if len(self.by_address) > self.keep:
                self.by_address.popitem(last=False)
        self.by_address.move_to_end(address)
        return bucket.take()


def host_name(host: str) -> str:
    """A host without its port: `[::1]:80` becomes `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def is_welcome(host: str, names: tuple[str, ...], open_to_network: bool) -> bool:
    """Whether a request for this host is meant for this server.

    Args:
        host: As the request names it.
        names: Names that the server goes by.
        open_to_network: Whether the server listens beyond this machine; then any bare number address is its own,
            because a page of another site cannot make a browser name one.
    """
    name = host_name(host)
    if name in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or open_to_network


_POLICY = (
    b"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    b"object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'"
)

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", _POLICY),
]


class Guard:
    """Stands before the application.

    Args:
        app: The application.
        limits: Sizes and rates.
        names: Names that the server goes by, besides those of this machine.
        open_to_network: Whether it listens beyond this machine.
    """

    def __init__(self, app: App, limits: Limits, names: tuple[str, ...] = (), open_to_network: bool = False) -> None:
        self.app, self.limits = app, limits
        self.names = ("localhost", *(name.lower() for name in names))
        self.open_to_network = open_to_network
        self.rates = Buckets(limits.requests, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is welcome, and refuse the rest in plain words."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in scope["headers"]]
        why = self._why_not(scope, headers)
        if scope["type"] == "websocket":
            if why is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": why[1][:120]})
                return
            await self.app(scope, receive, send)
            return
        if why is not None:
            await _refuse(send, *why)
            return
        await self._http(scope, receive, send)

    def _why_not(self, scope: Scope, headers: list[tuple[str, str]]) -> tuple[int, str, str] | None:
        hosts = [v for k, v in headers if k == "host"]
        if len(hosts) != 1 or not is_welcome(hosts[0], self.names, self.open_to_network):
            return 421, "This server does not go by that name; open it by its own address.", "wrong-host"
        origins = [v for k, v in headers if k == "origin"]
        site = next((v for k, v in headers if k == "sec-fetch-site"), "")
        if any(origin.partition("://")[2].lower() != hosts[0].lower() for origin in origins):
            return 403, "Another site may not speak to this server.", "wrong-origin"
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            if site not in ("", "same-origin", "none"):
                return 403, "Another site may not speak to this server.", "wrong-origin"
            kind = next((v for k, v in headers if k == "content-type"), "")
            if kind.partition(";")[0].strip().lower() not in ("application/json", "application/gzip"):
                return 415, "Send JSON, with the header Content-Type: application/json.", "wrong-content"
        address = (scope.get("client") or ("", 0))[0]
        if not self.rates.take(address):
            return 429, "That was too much at once; wait a moment.", "too-fast"
        length = next((v for k, v in headers if k == "content-length"), "0")
        if not length.isdigit() or int(length) > self.limits.body:
            return 413, f"A request may have {self.limits.body} bytes at most.", "too-large"
        return None

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = 0
        started = False

        async def counted() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.limits.body:
                raise TooLarge
            return message

        async def dressed(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        try:
            await self.app(scope, counted, dressed)
        except Exception:
            # Whatever went wrong is written down here, and never told to the client.
            log.exception("a request for %s failed", scope["path"])
            if not started:
                await _refuse(send, 500, "Something in the program went wrong; nothing has changed.", "broken")


class TooLarge(Exception):
    """A request goes on beyond what is allowed."""


async def _refuse(send: Send, status: int, message: str, code: str) -> None:
    body = msgspec.json.encode(
        {"type": "refusal", "code": code, "clause": "", "message": message, "values": {}, "nearest": None}
    )
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
