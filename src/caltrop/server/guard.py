"""Access to the server: checks of host and origin, sizes and rates, before anything is read.

A page of another site must not reach a server on this machine. The check of the origin stops its requests, and the
check of the host stops a foreign name that resolves to this machine. Everything in this module is about messages, not
games.
"""

from __future__ import annotations

import asyncio
import html
import ipaddress
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.host.turns import ASKER
from caltrop.server.admission import Admission
from caltrop.server.measures import REQUEST, Measures, request_id
from caltrop.server.shares import Shares

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("caltrop.server")
access = logging.getLogger("caltrop.access")
"""Logger with a line for each request: its method, route and status, without games, secrets or people."""


_FIGURES = b"text/plain; version=0.0.4; charset=utf-8"

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    body: int = 4_000_000
    """Largest size in bytes of a request with a file, such as a recorded game."""
    request: int = 131_072
    """Largest size in bytes of any other request, such as a scenario and two armies as texts."""
    body_seconds: float = 30.0
    """Time limit for the body of a request in seconds."""
    address: int = 4096
    """Largest length of a request's path and query in characters."""
    message: int = 65_536
    """Largest size of a live message in bytes."""
    requests: float = 40.0
    """Sustained number of requests a second from one address."""
    burst: int = 400
    """Number of requests that one address may send at once."""
    messages: float = 150.0
    """Sustained number of live messages a second on one connection."""
    message_burst: int = 600
    games_an_hour: int = 600
    """Number of games that one address may make in an hour."""
    connections: int = 64
    """Largest number of live connections of onlookers of one game."""
    seat_connections: int = 16
    """Number of live connections of one seat; onlookers are counted separately."""


class Bucket:
    """A rate limit with a burst.

    Args:
        clock: Returns increasing seconds.
    """

    __slots__ = ("burst", "clock", "level", "rate", "then")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.level, self.then = float(burst), clock()

    def take(self) -> bool:
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.then) * self.rate)
        self.then = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """Buckets by address. The address that has been silent for longest is forgotten first."""

    def __init__(self, rate: float, burst: float, keep: int = 2000) -> None:
        self.rate, self.burst, self.keep = rate, burst, keep
        self.by_address: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self.by_address.get(address)
        if bucket is None:
            bucket = self.by_address[address] = Bucket(self.rate, self.burst)
            if len(self.by_address) > self.keep:
                self.by_address.popitem(last=False)
        self.by_address.move_to_end(address)
        return bucket.take()


def host_name(host: str) -> str:
    """Return a host without its port: `[::1]:80` becomes `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def is_welcome(host: str, names: tuple[str, ...], open_to_network: bool) -> bool:
    """Return whether a request for this host is meant for this server.

    Args:
        open_to_network: True if the server listens beyond this machine. Any numeric address is then accepted, because a
            page of another site cannot make a browser send one.
    """
    name = host_name(host)
    if name in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or open_to_network


Network = ipaddress.IPv4Network | ipaddress.IPv6Network

HANDED_ON = "x-caltrop-handed-on"
"""Header with which a worker forwards a request to another: a secret, and `HandedOn`."""


ROUTE = b"x-caltrop-route"
"""Header with which a worker returns the route of a forwarded request."""


class HandedOn(msgspec.Struct, frozen=True):
    """The origin of a request that a worker forwards."""

    address: str
    path: str
    scheme: str
    request: str


SITE = 64
"""Number of leading bits of an IPv6 address that identify its owner."""


def share_of(address: str) -> str:
    """Return the key for the limits of an address: the address, or the network of an IPv6 address, since each owner
    has a whole network.

    >>> share_of("::ffff:192.0.2.1"), share_of("2001:db8::1:2%eth0"), share_of("::1")
    ('192.0.2.1', '2001:db8::', '::1')
    """
    ip = _known(address)
    if ip is None:
        return address
    if ip.version == 6 and not ip.is_loopback:
        return str(ipaddress.IPv6Address(int(ip) >> 128 - SITE << 128 - SITE))
    return str(ip)


def _known(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, ipaddress.IPv6Address) else ip


def client_of(peer: str, forwarded: str, proxies: tuple[Network, ...]) -> str:
    """Return the address that a request comes from.

    Args:
        forwarded: The request's header `X-Forwarded-For`: each proxy appends the address of its client.
        proxies: The trusted proxies; the header of other clients is ignored.
    """
    client = peer
    for hop in reversed([one.strip() for one in forwarded.split(",") if one.strip()]):
        ip = _known(host_name(hop))
        if ip is None or not is_within(client, proxies):
            break
        client = str(ip)
    return client


def is_within(address: str, networks: tuple[Network, ...]) -> bool:
    ip = _known(address) if networks else None
    return ip is not None and any(ip in network for network in networks)


_POLICY = (
    b"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    b"object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'"
)

RUNS_WASM = (_POLICY + b"; script-src 'self' 'wasm-unsafe-eval'").decode()
"""The policy of a script that runs WebAssembly: a worker has the policy of its own file, not of its page."""

_FEATURES = b", ".join(
    b"%s=()" % name
    for name in (
        *(b"accelerometer", b"camera", b"display-capture", b"geolocation", b"gyroscope", b"magnetometer"),
        *(b"microphone", b"midi", b"payment", b"serial", b"usb"),
    )
)
"""Browser features that pages of the server never use."""

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", _POLICY),
    (b"permissions-policy", _FEATURES),
]


class RequestGuard:
    """Checks requests before the application gets them.

    Args:
        names: The server's names, in addition to those of this machine.
        open_to_network: True if the server listens beyond this machine.
        files: Paths that accept files, which may be larger than other requests.
        proxies: Proxies that are trusted to name the address of a client.
        prefix: The path under which a proxy shows the server, without a slash at its end; empty for none. Prefix of the
            server's paths, which is removed if the proxy leaves it on.
        measures: Counts requests; None without metrics.
        readers: The addresses that may read metrics at `/metrics`.
        inside: The secret with which another worker forwards checked requests; empty without other workers.
    """

    def __init__(
        self,
        app: App,
        limits: ServerLimits,
        names: tuple[str, ...] = (),
        open_to_network: bool = False,
        *,
        files: tuple[str, ...] = (),
        proxies: tuple[Network, ...] = (),
        prefix: str = "",
        measures: Measures | None = None,
        readers: tuple[Network, ...] = (),
        inside: str = "",
    ) -> None:
        self.app, self.limits, self.inside = app, limits, inside
        self.measures, self.readers = measures, readers
        self.names = ("localhost", *(name.lower() for name in names))
        self.open_to_network = open_to_network
        self.files, self.proxies, self.prefix = files, proxies, prefix
        self.ending: Callable[[], None] = lambda: None
        """Function that ends lasting connections when the server is about to end."""
        self.shares = Shares()
        self.admission = Admission()
        self.rates = Buckets(limits.requests, limits.burst)
        self.visits = Buckets(limits.requests, limits.burst)
        """Limits for pages opened from other sites, so that these do not use up a player's limits."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass valid requests on, and refuse all others in plain words."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in scope["headers"]]
        handed = self._handed_on(headers)
        if handed is not None:
            await self._pass(handed, scope, receive, send)
            return
        given = next((v for k, v in headers if k == "x-request-id"), "")
        REQUEST.set(request_id(given, is_within((scope.get("client") or ("",))[0], self.proxies)))
        scope = self._as_seen_here(scope, headers)
        if scope["type"] == "http":
            send = self._counted(scope, send)
        why = self._why_not(scope, headers)
        if scope["type"] == "websocket":
            if why is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": _cut(why[1], 120)})
                return
            if self.admission.wait_of("GET", scope["path"]):
                await receive()
                await send({"type": "websocket.close", "code": 1013, "reason": "come back"})
                return
            await self._live(scope, receive, send)
            return
        if why is None and (wait := self.admission.wait_of(scope["method"], scope["path"])):
            words = f"This server is busy; ask again in {quantity(wait, 'second')}"
            await _refuse(send, 503, words, "busy", as_page=_wants_page(scope, headers), wait=wait)
            return
        if why is not None:
            await _refuse(send, *why, as_page=_wants_page(scope, headers))
            return
        if self.prefix and scope["path"] == "":
            to = f"{self.prefix}/".encode()
            await send({"type": "http.response.start", "status": 308, "headers": [(b"location", to), *HEADERS]})
            await send({"type": "http.response.body", "body": b""})
            return
        whose = scope["client"][0]
        if scope["path"] == "/metrics" and self.measures is not None and is_within(whose, self.readers):
            await _answer(send, 200, _FIGURES, await self.measures.text())
            return
        await self.shares.ask(whose)
        await self.shares.do(whose, self._http(scope, receive, send))

    def _handed_on(self, headers: list[tuple[str, str]]) -> HandedOn | None:
        words = next((v for k, v in headers if k == HANDED_ON), None) if self.inside else None
        if words is None:
            return None
        secret, _, fields = words.partition(" ")
        if not secrets.compare_digest(secret.encode(), self.inside.encode()):
            return None
        try:
            return msgspec.json.decode(fields, type=HandedOn)
        except msgspec.DecodeError:
            return None

    async def _pass(self, handed: HandedOn, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that another worker has checked and forwarded."""
        REQUEST.set(handed.request)
        ASKER.set(handed.address)
        seen = {**scope, "client": (handed.address, 0), "path": handed.path, "scheme": handed.scheme, "handed": True}
        if handed.path == "/metrics" and scope["type"] == "http" and self.measures is not None:
            await _answer(send, 200, _FIGURES, await self.measures.text(of_all=False))
        elif scope["type"] == "websocket":
            await self._live(seen, receive, send)
        else:
            await self.shares.do(handed.address, self._http(seen, receive, send))

    def _counted(self, scope: Scope, send: Send) -> Send:
        begun, request = time.perf_counter(), REQUEST.get()

        async def counted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (b"x-request-id", request.encode())]
                message = {**message, "headers": headers}
                seconds, status = time.perf_counter() - begun, int(message["status"])
                route = getattr(scope.get("route"), "path", "none")
                if self.measures is not None:
                    self.measures.answered(
                        scope["method"] if scope["method"] in _METHODS else "other", route, status, seconds
                    )
                if access.isEnabledFor(logging.INFO):
                    took = round(1000 * seconds, 1)
                    fields = {"method": scope["method"], "route": route, "status": status, "ms": took}
                    access.info("%s %s %d", scope["method"], route, status, extra={"fields": fields})
            await send(message)

        return counted

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a live connection, with a rate limit on its messages."""
        whose = scope["client"][0]

        async def heard() -> MutableMapping[str, Any]:
            message = await receive()
            await self.shares.ask(whose)
            return message

        await self.shares.do(whose, self.app(scope, heard, send))

    def _as_seen_here(self, scope: Scope, headers: list[tuple[str, str]]) -> Scope:
        host, port = scope.get("client") or ("", 0)
        scheme = scope.get("scheme", "http")
        if is_within(host, self.proxies):
            # The last entry is from the proxy that is connected to this server.
            scheme_named = next((v for k, v in reversed(headers) if k == "x-forwarded-proto"), "").rpartition(",")[2]
            if scope["type"] == "http" and scheme_named.strip().lower() in ("http", "https"):
                scheme = scheme_named.strip().lower()
            host = client_of(host, ",".join(v for k, v in headers if k == "x-forwarded-for"), self.proxies)
        host = share_of(host)
        ASKER.set(host)
        path = scope["path"]
        if self.prefix and (path == self.prefix or path.startswith(f"{self.prefix}/")):
            path = path[len(self.prefix) :]
        return {**scope, "client": (host, port), "path": path, "scheme": scheme}

    def _why_not(self, scope: Scope, headers: list[tuple[str, str]]) -> tuple[int, str, str] | None:
        hosts = [v for k, v in headers if k == "host"]
        if len(hosts) != 1 or not is_welcome(hosts[0], self.names, self.open_to_network):
            return 421, _no_such_name(hosts), "wrong-host"
        path = scope["path"]
        if len(path) + len(scope.get("query_string", b"")) > self.limits.address:
            return 414, f"An address may have {quantity(self.limits.address, 'character')} at most.", "too-long"
        if any(not character.isprintable() for character in path):
            return 400, "This address has a character that no address may have.", "wrong-address"
        origins = [v for k, v in headers if k == "origin"]
        if any(origin.partition("://")[2].lower() != hosts[0].lower() for origin in origins):
            return 403, "Requests from other websites are not accepted here.", "wrong-origin"
        # Another site may link to a page. Other requests of the client are refused before they are counted.
        site = next((v for k, v in headers if k == "sec-fetch-site"), "")
        is_foreign = site not in ("", "same-origin", "none")
        safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS")
        if is_foreign and not (safe and not is_within_api(path) and _is_visit(headers)):
            return 403, "Requests from other websites are not accepted here.", "wrong-origin"
        if scope["type"] == "http" and scope["method"] == "POST":  # no address accepts any other unsafe method
            kind = next((v for k, v in headers if k == "content-type"), "")
            if kind.partition(";")[0].strip().lower() not in ("application/json", "application/gzip"):
                return 415, "Send JSON, with the header Content-Type: application/json.", "wrong-content"
        if not (self.visits if is_foreign else self.rates).take(scope["client"][0]):
            return 429, "Too many requests at once; wait a moment.", "too-fast"
        length = next((v for k, v in headers if k == "content-length"), "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 18 or int(length) > self._most(path):
            return 413, f"A request may have at most {quantity(self._most(path), 'byte')}.", "too-large"
        return None

    def _most(self, path: str) -> int:
        return self.limits.body if path in self.files else min(self.limits.request, self.limits.body)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = 0
        most = self._most(scope["path"])
        started = whole = False
        until = asyncio.get_running_loop().time() + self.limits.body_seconds

        async def counted() -> MutableMapping[str, Any]:
            nonlocal seen, whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            seen += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if seen > most:
                raise TooLarge(most)
            return message

        async def dressed(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = list(message.get("headers", ()))
                names = {name for name, _ in own}
                message = {**message, "headers": own + [header for header in HEADERS if header[0] not in names]}
                if scope.get("handed"):
                    message["headers"].append((ROUTE, getattr(scope.get("route"), "path", "none").encode()))
                if not whole and seen:
                    message["headers"].append((b"connection", b"close"))  # the rest of the body is not awaited
            await send(message)

        try:
            await self.app(scope, counted, dressed)
        except TooLarge as error:
            if not started:
                await _refuse(send, 413, f"A request may have at most {quantity(str(error), 'byte')}", "too-large")
        except TooSlow:
            if not started:
                seconds = quantity(f"{self.limits.body_seconds:.0f}", "second")
                await _refuse(send, 408, f"A request has {seconds} to arrive; send it again", "too-slow")
        except Exception:
            # All errors are written to the log, and never reported to the client.
            log.exception("a request for %s failed", scope["path"])
            if not started:
                await _refuse(send, 500, "Something in the program went wrong; nothing has changed.", "broken")


def is_within_api(path: str) -> bool:
    """Return whether an address is for programs instead of a page."""
    return path.startswith(("/api/", "/ws/")) or path in ("/api", "/ws")


def _is_visit(headers: list[tuple[str, str]]) -> bool:
    """Return whether a browser asks because somebody has followed a link to a page."""
    fetch = {k: v for k, v in headers if k in ("sec-fetch-mode", "sec-fetch-dest")}
    return (
        fetch.get("sec-fetch-mode", "navigate") == "navigate" and fetch.get("sec-fetch-dest", "document") == "document"
    )


def _wants_page(scope: Scope, headers: list[tuple[str, str]]) -> bool:
    return not is_within_api(scope["path"]) and any(k == "accept" and "text/html" in v.lower() for k, v in headers)


def _no_such_name(hosts: list[str]) -> str:
    if len(hosts) != 1:
        return "A request names its host exactly once."
    name = host_name(hosts[0])[:80]
    is_name = bool(name) and all(c.isascii() and (c.isalnum() or c in "-._:") for c in name)
    hint = f"; if it is meant to, start it with --name {name}, as in caltrop serve --name {name}" if is_name else ""
    return f"This server does not have that name; open it by its own address{hint}."


def _cut(words: str, most: int) -> str:
    return words.encode()[:most].decode("utf-8", "ignore")


class TooLarge(Exception):
    """A request is larger than its limit in bytes."""


class TooSlow(Exception):
    """A request did not arrive in time."""


async def _refuse(send: Send, status: int, message: str, code: str, *, as_page: bool = False, wait: int = 0) -> None:
    kind = b"text/html; charset=utf-8" if as_page else b"application/json"
    if as_page:
        words = html.escape(message)
        body = f'<!doctype html><html lang="en"><title>Caltrop</title><p>{words}</p></html>\n'.encode()
    else:
        body = msgspec.json.encode(
            {"type": "refusal", "code": code, "clause": "", "message": message, "values": {}, "nearest": None}
        )
    await _answer(send, status, kind, body, wait)


async def _answer(send: Send, status: int, kind: bytes, body: bytes, wait: int = 0) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *HEADERS]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
