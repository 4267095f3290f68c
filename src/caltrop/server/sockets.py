"""Live connections: a greeting, the whole view or the missed changes, then messages and changes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from caltrop.agreeing import quantity
from caltrop.engine import Refused
from caltrop.host.database import StorageFault
from caltrop.host.faults import Elsewhere, refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import key_of
from caltrop.server.guard import Bucket, ServerLimits
from caltrop.server.refusals import refusal_of
from caltrop.server.requests import known_as
from caltrop.server.said import QUESTIONS, Speaker, answer_to
from caltrop.wire import WrongMessage, read_message
from caltrop.wire.messages import Eyes, Hello, Message

HELLO_SECONDS = 20.0
GOODBYE_SECONDS = 5.0
QUEUE = 512
"""Number of messages that may wait for a slow client before it is disconnected; it can reconnect and get the missed
changes.
"""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Connection:
    """A live connection: its seats, its view, and its queue of messages."""

    def __init__(self, socket: WebSocket, limits: ServerLimits) -> None:
        self.socket = socket
        self.sides: tuple[int, ...] = ()
        self.eyes: int | None = None
        self.screen = ""
        self.address = socket.client.host if socket.client else ""
        self.came_by: frozenset[str] = frozenset()
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        self.bucket = Bucket(limits.messages, limits.message_burst)
        self.questions: set[asyncio.Task[None]] = set()
        """Questions that are being answered while later messages are carried out."""
        self.dropped = False
        self.last: bytes | None = None
        """Last message before the connection is closed."""

    def tell(self, message: bytes) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.drop()

    def answer(self, message: bytes) -> None:
        """Queue an answer, even if the connection is about to be closed, because the answer may give the reason."""
        if self.dropped:
            self.last = message
        else:
            self.tell(message)

    async def reply(self, by: Speaker, message: Message) -> None:
        self.answer(_encode(await answer_to(by, message)))

    def ask(self, reply: Coroutine[Any, Any, None]) -> None:
        """Answer a question while later messages are carried out."""
        question = asyncio.create_task(reply)
        self.questions.add(question)
        question.add_done_callback(self.questions.discard)

    def drop(self) -> None:
        if not self.dropped:
            self.dropped = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)

    async def write(self) -> None:
        while True:
            message = await self.queue.get()
            if message is None:
                if self.last is not None:
                    await self.socket.send_text(self.last.decode())
                await self.socket.close(1013, "come back")
                return
            # Text frames, because a page can read these directly as JSON.
            await self.socket.send_text(message.decode())


class Sockets:
    """The live connections of a server."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits

    @staticmethod
    async def _heard(socket: WebSocket) -> str | bytes:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        heard: str | bytes = message.get("text") or message.get("bytes") or ""
        return heard

    async def live(self, socket: WebSocket) -> None:
        """Serve a live connection: a hello, the whole view or the changes missed, then changes."""
        games: Games = socket.app.state.games
        connection = Connection(socket, self.limits)
        live: Live | None = None
        writer: asyncio.Task[None] | None = None
        await socket.accept()
        try:
            raw = await asyncio.wait_for(self._heard(socket), HELLO_SECONDS)
            hello: Message | None = None
            try:
                hello = read_message(raw)
                live = await games.open(socket.path_params["id"][:40])
                if not isinstance(hello, Hello):
                    raise refused("no-hello", "The first message must be a hello")
                person = await socket.app.state.together.persons.recognise(hello.tokens)
                self._seat_down(connection, live, hello, known_as(hello.tokens, person))
                self._find_room(connection, live)
            except Exception as error:  # noqa: BLE001  every error becomes plain words
                await socket.send_text(_encode(refusal_of(error, hello.ref if hello else None)).decode())
                if isinstance(error, StorageFault | Elsewhere):
                    await socket.close(1013, "come back")
                else:
                    await socket.close(1008, "refused")
                return
            await live.join(connection, hello.seen)
            await live.take_over(connection)
            with suppress(Refused, StorageFault):  # connected players need no time to come back
                await games.seating.come_back(live, connection.sides)
            live.tell_presence()
            games.computers.wake(live)
            games.questions.look_back(live, connection.eyes)
            writer = asyncio.create_task(connection.write())
            await self._converse(connection, live, games)
            if connection.dropped:
                # The connection reports the reason, and closes.
                await asyncio.wait({writer}, timeout=GOODBYE_SECONDS)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            # The client is gone, or never identified itself, so there is nobody to notify.
            pass
        finally:
            if live is not None:
                live.leave(connection)
            for task in (*connection.questions, *([] if writer is None else [writer])):
                task.cancel()

    @staticmethod
    def _seat_down(connection: Connection, live: Live, hello: Hello, tokens: Sequence[str]) -> None:
        connection.sides = _sides(live, tokens)
        live.watched = live.watched or not connection.sides
        connection.screen = hello.screen[:64]
        connection.came_by = frozenset(key_of(token) for token in tokens)
        connection.eyes = hello.eyes if hello.eyes is not None else next(iter(connection.sides), None)
        if connection.eyes is not None and connection.eyes not in connection.sides:
            raise refused("not-your-seat", "You may not see the game from this seat")

    def _find_room(self, connection: Connection, live: Live) -> None:
        """Check the limits of connections: onlookers do not take the places of seats, and a seat takes no place of
        another.

        Raises Refused if a limit is reached.
        """
        if not connection.sides:
            if sum(not looker.sides for looker in live.lookers) >= self.limits.connections:
                raise refused("too-many", "Too many people are watching this game already")
        elif any(
            sum(side in looker.sides for looker in live.lookers) >= self.limits.seat_connections
            for side in connection.sides
        ):
            raise refused("too-many", "This seat is open in too many windows already; close one of them")

    async def _converse(self, connection: Connection, live: Live, games: Games) -> None:
        socket = connection.socket
        while not connection.dropped:
            raw = await self._heard(socket)
            if not connection.bucket.take():
                connection.tell(_encode(refusal_of(refused("too-fast", "Too many requests at once; wait a moment"))))
                continue
            try:
                if len(raw) > self.limits.message:
                    raise WrongMessage(f"a message may have at most {quantity(self.limits.message, 'byte')}")
                message = read_message(raw)
            except WrongMessage as error:
                connection.tell(_encode(refusal_of(error)))
                continue
            if isinstance(message, Eyes):
                if message.side is not None and message.side not in connection.sides:
                    refusal = refused("not-your-seat", "You may not see the game from this seat")
                    connection.tell(_encode(refusal_of(refusal, message.ref)))
                    continue
                connection.eyes = message.side
                await live.join(connection)
                games.questions.look_back(live, connection.eyes)
                continue
            if games.live.get(live.game.id) is not live:
                connection.drop()
                return
            reply = connection.reply(Speaker(games, live, connection.sides, connection.eyes), message)
            if type(message) in QUESTIONS:
                connection.ask(reply)
            else:
                await reply


def _sides(live: Live, tokens: Sequence[str]) -> tuple[int, ...]:
    """Return the seats that these secrets open. Raises Refused if one of the secrets opens no seat of this game."""
    sides = []
    for token in tokens:
        side = live.game.keys.get(key_of(token))
        if side is None and key_of(token) in live.game.lapsed:
            raise refused("wrong-token", "Somebody else has taken this seat by a link; the log says when")
        if side is None:
            raise refused("wrong-token", "This link does not open a seat of this game")
        sides.append(side)
    return tuple(dict.fromkeys(sides))
