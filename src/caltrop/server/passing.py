"""Forwarding of requests to the worker that has the game, or that does the central tasks.

People do not notice the change of a worker. If a worker ends, its games are free. Requests on their way to an ended
worker are sent to the next worker, unless that could carry out a request twice.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import h11
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from caltrop.host.database import StorageFault
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.leases import ServerWorker
from caltrop.server.guard import HANDED_ON, HEADERS, ROUTE, App, Receive, Scope, Send, ServerLimits
from caltrop.server.measures import REQUEST
from caltrop.server.refusals import refusal_of
from caltrop.server.requests import json_of

PATIENCE = 12.0
"""Seconds to wait for a game whose worker does not answer."""

PAUSE = 0.1
"""Seconds between two tries."""

IDLE = 16
"""Number of idle connections to a worker."""

READ = 65_536

FIGURES_SECONDS = 2.0
"""Seconds to wait for the metrics of another worker."""

_GAME = re.compile(r"/(?:api/games|api/openings|ws)/([^/]{1,40})(?:/|$)")
"""Paths that the worker of a game must answer."""

_DESK = re.compile(
    r"/api/(?:me|passkey|stop-mail|openings|queue|friends|people|ratings|clubs|tournaments|campaigns|lab)(?:/|$)"
)
"""Paths that the worker with the central tasks must answer, so that their data is in one memory only."""

_OWN = frozenset(name for name, _ in HEADERS) | {b"date", b"server", b"connection", b"keep-alive", b"x-request-id"}
"""Headers that each worker sets itself, as for a connection."""


class _NotReached(Exception):
    """A worker does not answer, and has not received the request."""


class _Lost(Exception):
    """A worker has ended after receiving a request, and may have carried it out."""


class _WorkerLine:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.speech = h11.Connection(h11.CLIENT)

    async def next(self) -> Any:
        while True:
            event = self.speech.next_event()
            if event is not h11.NEED_DATA:
                return event
            data = await self.reader.read(READ)
            if not data and self.speech.their_state is h11.SEND_RESPONSE:
                raise ConnectionResetError
            self.speech.receive_data(data)

    def send(self, *events: Any) -> None:
        self.writer.write(b"".join([self.speech.send(event) or b"" for event in events]))


class _Route(NamedTuple):
    """The route by which another worker has answered."""

    path: str


class HandingOn:
    """Forwards requests of a worker before its application sees them.

    Args:
        games: Returns the games of this worker after its start; None before.
    """

    def __init__(self, app: App, games: Callable[[], Games | None], limits: ServerLimits) -> None:
        self.app, self.games, self.limits = app, games, limits
        self._idle: dict[str, list[_WorkerLine]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        games = self.games()
        if scope["type"] == "lifespan" or games is None or games.neighbours is None:
            await self.app(scope, receive, send)
            return
        whose = _whose(scope["path"])
        if whose is None:
            await self.app(scope, receive, send)
            return
        try:
            if scope["type"] == "websocket":
                await self._live(games, whose, scope, receive, send)
            else:
                await self._http(games, whose, scope, receive, send)
        except StorageFault as fault:  # the worker that holds the game cannot be found
            if scope["type"] == "websocket":
                await _come_back(receive, send)
            else:
                await json_of(refusal_of(fault), 503)(scope, receive, send)

    @staticmethod
    async def _home(games: Games, whose: str) -> ServerWorker | None:
        assert games.neighbours is not None
        return games.neighbours.desk_of() if whose == "" else await games.home(whose)

    async def _http(self, games: Games, whose: str, scope: Scope, receive: Receive, send: Send) -> None:
        assert games.neighbours is not None
        if (home := await self._home(games, whose)) is None:
            await self.app(scope, receive, send)
            return
        if scope.get("handed"):
            # The game has moved to another worker, so the worker that forwarded the request looks again.
            answer = json_of(
                refusal_of(refused("busy", "Another process of this server has this game now; try again")), 503
            )
            answer.headers["x-caltrop-elsewhere"] = "1"
            await answer(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        may_repeat = scope["method"] in ("GET", "HEAD") or any(k == b"idempotency-key" for k, _ in scope["headers"])
        until = monotonic() + PATIENCE
        while True:
            try:
                if home is None:
                    await self.app(scope, _said_again(body, receive), send)
                    return
                if await self._ask(home, scope, body, receive, send):
                    return
            except _NotReached:
                pass
            except _Lost:
                if not may_repeat:
                    words = (
                        "The process that has this game has ended meanwhile; check whether it was done, and try again"
                    )
                    await json_of(refusal_of(refused("busy", words)), 503)(scope, receive, send)
                    return
            games.neighbours.note(whose, None)
            if monotonic() > until:
                answer = json_of(refusal_of(refused("busy", "This game is being moved; ask again in a moment")), 503)
                answer.headers["retry-after"] = "2"
                await answer(scope, receive, send)
                return
            await asyncio.sleep(PAUSE)
            home = await self._home(games, whose)

    async def _ask(self, home: ServerWorker, scope: Scope, body: bytes, receive: Receive, send: Send) -> bool:
        """Forward a request to another worker, and return whether the game was still there.

        Raises _NotReached if the other worker received nothing, or _Lost if it received the request and does not
        answer.
        """
        line = await self._reach(home)
        lines = self._idle.setdefault(home.id, [])
        try:
            target = quote(scope["path"], safe="/:@!$&'()*+,;=~-._")
            if scope.get("query_string"):
                target += f"?{scope['query_string'].decode('latin-1')}"
            headers = [(k, v) for k, v in scope["headers"] if k not in _HOP and not k.startswith(b"x-forwarded")]
            headers += [(HANDED_ON.encode(), _handed(home, scope)), (b"content-length", str(len(body)).encode())]
            request = h11.Request(method=scope["method"], target=target, headers=headers)
            line.send(request, *([h11.Data(body)] if body else []), h11.EndOfMessage())
            await line.writer.drain()
            response = await line.next()
        except (OSError, h11.RemoteProtocolError) as error:
            line.writer.close()
            raise _Lost from error
        given = [(k, v) for k, v in response.headers if k not in _OWN]
        scope["route"] = _Route(next((v for k, v in given if k == ROUTE), b"none").decode("latin-1"))
        given = [(k, v) for k, v in given if k != ROUTE]
        if any(k == b"x-caltrop-elsewhere" for k, _ in given):
            line.writer.close()
            return False
        whole = any(k == b"content-length" for k, _ in given)
        given = [(k, v) for k, v in given if k != b"transfer-encoding"]
        watching = None if whole else asyncio.ensure_future(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": response.status_code, "headers": given})
            while True:
                event = await _either(line.next(), watching)
                if isinstance(event, h11.Data):
                    await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
                elif event is None or isinstance(event, h11.EndOfMessage):
                    break
                else:
                    raise ConnectionResetError
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except BaseException:
            line.writer.close()
            raise
        finally:
            if watching is not None:
                watching.cancel()
        if line.speech.our_state is h11.DONE and line.speech.their_state is h11.DONE and len(lines) < IDLE:
            line.speech.start_next_cycle()
            lines.append(line)
        else:
            line.writer.close()
        return True

    # Figures.

    async def figures(self) -> list[bytes]:
        """Return the metrics of the other workers that answer in time."""
        games = self.games()
        if games is None or games.neighbours is None:
            return []
        answers = await asyncio.gather(*[self._figures(one) for one in games.neighbours.others.values()])
        return [one for one in answers if one is not None]

    async def _figures(self, home: ServerWorker) -> bytes | None:
        scope = {"type": "http", "method": "GET", "path": "/metrics", "headers": [(b"host", b"localhost")]}
        parts: list[Message] = []

        async def keep(message: Message) -> None:
            parts.append(message)

        try:
            async with asyncio.timeout(FIGURES_SECONDS):
                await self._ask(home, scope, b"", _never, keep)
        except (_NotReached, _Lost, OSError, h11.RemoteProtocolError):
            return None
        return b"".join([part.get("body", b"") for part in parts]) if parts[0]["status"] == 200 else None

    async def _reach(self, home: ServerWorker) -> _WorkerLine:
        """Return a connection to another worker, if possible one that is open.

        Raises _NotReached when the worker does not answer.
        """
        lines = self._idle.setdefault(home.id, [])
        while lines:
            line = lines.pop()
            if not line.reader.at_eof() and not line.writer.is_closing():
                return line
            line.writer.close()
        address = urlsplit(home.address)
        try:
            return _WorkerLine(*await asyncio.open_connection(address.hostname, address.port))
        except OSError as error:
            raise _NotReached from error

    # Live connections.

    async def _live(self, games: Games, whose: str, scope: Scope, receive: Receive, send: Send) -> None:
        assert games.neighbours is not None
        until = monotonic() + PATIENCE
        while (home := await self._home(games, whose)) is not None:
            there = None if scope.get("handed") else await _connected(home, scope)
            if there is not None:
                try:
                    await _joined(there, receive, send)
                finally:
                    await there.close()
                return
            games.neighbours.note(whose, None)
            if scope.get("handed") or monotonic() > until:
                await _come_back(receive, send)
                return
            await asyncio.sleep(PAUSE)
        await self.app(scope, receive, send)


async def _never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def _come_back(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1013, "reason": "come back"})


async def _connected(home: ServerWorker, scope: Scope) -> ClientConnection | None:
    uri = f"ws://{urlsplit(home.address).netloc}{quote(scope['path'])}"
    headers = {HANDED_ON: _handed(home, scope).decode("latin-1")}
    try:
        return await connect(
            uri, additional_headers=headers, compression=None, proxy=None, ping_interval=None,
            max_size=None, open_timeout=5, user_agent_header=None,
        )  # fmt: skip
    except (OSError, TimeoutError, WebSocketException):
        return None


_HOP = frozenset({b"connection", b"content-length", b"transfer-encoding", b"keep-alive", b"expect", HANDED_ON.encode()})
"""Headers that apply to a single connection."""


def _whose(path: str) -> str | None:
    """Return the game of a path; an empty name for the central tasks, and None if any worker can answer."""
    game = _GAME.match(path)
    if game is not None:
        return game.group(1)
    return "" if _DESK.match(path) else None


def _handed(home: ServerWorker, scope: Scope) -> bytes:
    fields = {
        "address": (scope.get("client") or ("", 0))[0],
        "path": scope["path"],
        "scheme": scope.get("scheme", "http"),
        "request": REQUEST.get(),
    }
    return f"{home.secret} {json.dumps(fields)}".encode("latin-1")


def _said_again(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _either(next: Any, gone: asyncio.Future[None] | None) -> Any:
    """Return the next message; None if the client disconnects first."""
    if gone is None:
        return await next
    coming = asyncio.ensure_future(next)
    await asyncio.wait({coming, gone}, return_when=asyncio.FIRST_COMPLETED)
    if coming.done():
        return coming.result()
    coming.cancel()
    return None


async def _joined(there: ClientConnection, receive: Receive, send: Send) -> None:
    while (await receive())["type"] != "websocket.connect":
        pass
    await send({"type": "websocket.accept"})

    async def out() -> None:
        with suppress(ConnectionClosed):
            async for message in there:
                kind = "text" if isinstance(message, str) else "bytes"
                await send({"type": "websocket.send", kind: message})
        code = there.close_code or 1006
        await send({"type": "websocket.close", "code": code if code in (1000, 1008, 1013) else 1013})

    async def back() -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            await there.send(message.get("bytes") or b"" if text is None else text)

    tasks = {asyncio.ensure_future(out()), asyncio.ensure_future(back())}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
