"""Streams of events: a program that plays over the network gets a line for each event, such as its turn in a game."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Literal

import msgspec

from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.news import GameNews
from caltrop.host.seats import PersonKey

EACH = 4
"""Largest number of streams of a person."""

OF_ADDRESS = 32
"""Largest number of streams of an address."""

WAITING = 256
"""Largest number of unread events before a stream ends."""

PING_SECONDS = 10.0
"""Seconds of silence after which a stream sends a ping."""


class StreamEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    type: Literal["game", "turn", "over", "ping"]
    game: str | None = None
    side: int | None = None
    ruleset: str | None = None


_PING = msgspec.json.encode(StreamEvent(type="ping")) + b"\n"


class Stream:
    """The messages to one program."""

    def __init__(self, person: str, address: str) -> None:
        self.person, self.address = person, address
        self.lines: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        self.known: dict[str, Any] = {}
        """The last reported moment of each game."""

    def tell(self, event: StreamEvent) -> None:
        try:
            self.lines.put_nowait(msgspec.json.encode(event) + b"\n")
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        while not self.lines.empty():
            self.lines.get_nowait()
        self.lines.put_nowait(None)

    def follow(self, game: str, side: int, ruleset: str, moment: Any, *, turn: bool, over: bool) -> None:
        if game not in self.known:
            if over:
                return
            self.tell(StreamEvent(type="game", game=game, side=side, ruleset=ruleset))
        if self.known.get(game) == moment:
            return
        self.known[game] = moment
        if over:
            self.tell(StreamEvent(type="over", game=game, side=side))
        elif turn:
            self.tell(StreamEvent(type="turn", game=game, side=side))


class Streams:
    def __init__(self, games: Games) -> None:
        self.games = games
        self._open: dict[str, list[Stream]] = {}
        self._of: Counter[str] = Counter()

    def watch(self, news: GameNews) -> None:
        for side, people in enumerate(news.people):
            for stream in [stream for person in people for stream in self._open.get(person, ())]:
                moment = "over" if news.over else news.moment
                turn = side in news.waiting
                stream.follow(news.game, side, news.ruleset, moment, turn=turn, over=news.over)

    async def listen(self, person: str, address: str) -> AsyncIterator[bytes]:
        """Return the lines of a new stream, beginning with the states of a person's games.

        Raises Refused if too many streams are open.
        """
        if len(self._open.get(person, ())) >= EACH or self._of[address] >= OF_ADDRESS:
            raise refused("too-many", f"You have {EACH} open streams already, or your address has {OF_ADDRESS}")
        stream = Stream(person, address)
        self._open.setdefault(person, []).append(stream)
        self._of[address] += 1
        try:
            for entry in reversed(await self.games.list_of([PersonKey.of(person)])):
                if not entry.over and entry.fault is None and entry.sides:
                    news = await self.games.news(entry.game)
                    if news is not None:
                        self.watch(news)
        except BaseException:
            self._shut(stream)
            raise
        return self._lines(stream)

    async def _lines(self, stream: Stream) -> AsyncIterator[bytes]:
        try:
            yield _PING
            while True:
                try:
                    async with asyncio.timeout(PING_SECONDS):
                        line = await stream.lines.get()
                except TimeoutError:
                    line = _PING
                if line is None:
                    return
                yield line
        finally:
            self._shut(stream)

    def _shut(self, stream: Stream) -> None:
        streams = self._open.get(stream.person, [])
        if stream in streams:
            streams.remove(stream)
            self._of[stream.address] -= 1
        if not streams:
            self._open.pop(stream.person, None)

    def close(self) -> None:
        for streams in list(self._open.values()):
            for stream in list(streams):
                stream.end()
