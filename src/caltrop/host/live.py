"""A game in memory with its onlookers. Each onlooker receives the changes that they may see."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import NamedTuple, Protocol

import msgspec

from caltrop.chance import Seeded
from caltrop.host.events import OF_SEATS
from caltrop.host.faults import refused
from caltrop.host.game import HostedGame
from caltrop.host.storage import StoredRow, add_to_hash
from caltrop.host.turns import in_turn
from caltrop.players import Player
from caltrop.wire import (
    View,
    change_between,
)
from caltrop.wire.changes import Change
from caltrop.wire.messages import ClockNow, Moved, Presence

CHANGES_KEPT = 256
"""Number of changes kept for pages that reconnect."""

_encode = msgspec.json.Encoder().encode


class Looker(Protocol):
    """Receives changes of a game: a live connection."""

    eyes: int | None
    sides: tuple[int, ...]
    screen: str
    """Name that the page has given itself; empty if the page has no name."""
    address: str
    """Network address; empty for a person at this program."""
    came_by: frozenset[str]
    """The keys of the secrets that opened its seats."""

    def tell(self, message: bytes) -> None: ...

    def drop(self) -> None: ...


class Changing(Protocol):
    """A function that changes a game, stores the change and reports it; see `caltrop.host.games.Games.change`."""

    async def __call__(
        self,
        live: Live,
        do: Callable[[HostedGame], StoredRow | Sequence[StoredRow]],
        sides: Sequence[int] = (),
        *,
        plays: bool = True,
    ) -> int: ...


class LastView:
    """The last view of a side or an onlooker, and the changes that led to it."""

    __slots__ = ("changes", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.changes: deque[tuple[int, bytes]] = deque(maxlen=CHANGES_KEPT)

    def since(self, seen: int) -> list[bytes] | None:
        """Return the changes after a moment; None if some are no longer stored."""
        if seen == self.view.seq:
            return []
        missing = [message for base, message in self.changes if base >= seen]
        return missing if any(base == seen for base, _ in self.changes) else None


class News(NamedTuple):
    eyes: int | None
    view: View
    message: bytes
    """The change, or the whole view."""


class Live:
    """A game in memory, with its onlookers.

    Args:
        time: Returns the seconds during which the server could answer.
    """

    def __init__(self, game: HostedGame, time: Callable[[], float] = monotonic) -> None:
        self.game, self.time = game, time
        self.lock = asyncio.Lock()
        self.presence: Callable[[Live], None] = lambda live: None
        """Function that is called when somebody comes or goes."""
        self.dropped = False
        """True if storage may differ from this object, which must no longer be used."""
        self.lookers: list[Looker] = []
        self.shown: dict[int | None, LastView] = {}
        self.touched = monotonic()
        """Time of the last request, act or look."""
        self.looked = float("-inf")
        """Time of the last request without a connection."""
        self.thinking: asyncio.Task[None] | None = None
        self.dice: dict[int, Seeded] = {}
        """Dice of each computer seat."""
        self.watched = False
        """True if somebody without a seat looks on."""
        self.counted = time()
        """Moment up to which the time of the sides is counted."""
        self.events = hashlib.blake2b(digest_size=16)
        """Hash of all stored events."""
        self.sent: dict[str, int] = {}
        """Keys of completed requests, each with the number of the resulting moment."""
        self.stood = 0
        """Number of the last event that the game's stored state includes."""
        self.waking: asyncio.TimerHandle | None = None
        """Timer for the end of a side's time."""
        self.talked: dict[int, deque[float]] = {}
        """Times of the latest chat messages of each side."""
        self.players: dict[int, Player] = {}
        """Computer players of the seats. A computer player may remember what it saw, so an undo replaces the player."""

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold the lock while memory and storage agree.

        Raises Refused if the game was dropped in the meantime.
        """
        async with self.lock:
            if self.dropped:
                raise refused("come-back", "The game was read again from the database; nothing has changed")
            yield

    def drop(self) -> None:
        """Retire this object in memory. Onlookers connect again and get the stored game."""
        self.dropped = True
        for looker in list(self.lookers):
            looker.drop()

    def note_stored(self, rows: Iterable[StoredRow]) -> None:
        rows = list(rows)
        add_to_hash(self.events, rows)
        self.sent.update({row.key: row.seq for row in rows if row.key is not None and row.kind not in OF_SEATS})

    async def read_past(self) -> None:
        """Restore the states before the stored state by which the game was opened. Only the caller waits for the
        reading.
        """
        if self.game.earlier is not None:
            await in_turn(self.game.earlier)

    def touch(self) -> None:
        self.touched = monotonic()

    def count(self) -> None:
        """Charge the elapsed time to the sides that had to act."""
        now = self.time()
        if self.game.clock is not None:
            self.game.clock.passes(round((now - self.counted) * 1000), self.game.running)
        self.counted = now

    def show(self, eyes: int | None) -> View:
        """Return the last view of a side or an onlooker, or a first one."""
        shown = self.shown.get(eyes)
        if shown is None:
            shown = self.shown[eyes] = LastView(self.game.view(eyes))
        return shown.view

    def changes(self) -> list[News]:
        """Return the changes for every side and for onlookers since the last report, without sending them."""
        news = []
        for eyes, shown in self.shown.items():
            new = self.game.view(eyes)
            if self.game.is_behind(eyes) and new.act < shown.view.act:
                # Acts that onlookers have seen were taken back, and the log of an earlier moment does not say so.
                news.append(News(eyes, new, _encode(new)))
                continue
            on_the_way = self.game.on_the_way(eyes, shown.view.log[-1].n if shown.view.log else 0)
            news.append(News(eyes, new, _encode(change_between(shown.view, new, on_the_way))))
        return news

    def publish(self, news: Iterable[News]) -> None:
        for eyes, view, message in news:
            shown = self.shown[eyes]
            shown.changes.append((shown.view.seq, message))
            shown.view = view
            for looker in self.lookers:
                if looker.eyes == eyes:
                    looker.tell(message)
            self.game.remember(eyes, view.picture)
        for looker in self.lookers:
            self.tell_clock(looker)

    def tell_clock(self, looker: Looker) -> None:
        if self.game.clock is not None and not self.game.is_behind(looker.eyes):
            self.count()
            looker.tell(_encode(ClockNow(left=tuple(self.game.clock.left), running=self.game.running)))

    async def join(self, looker: Looker, seen: int | None = None) -> None:
        """Connect an onlooker, and send the changes since a moment, or the whole view."""
        async with self.lock:  # changes that are not stored yet are not shown
            if self.dropped:
                looker.drop()
            else:
                self._join(looker, seen)

    def _join(self, looker: Looker, seen: int | None) -> None:
        if looker not in self.lookers:
            self.lookers.append(looker)
        view = self.show(looker.eyes)
        missed = self.shown[looker.eyes].since(seen) if seen is not None else None
        if missed is None:
            looker.tell(_encode(view))
        elif missed:
            for message in missed:
                looker.tell(message)
        else:
            looker.tell(_encode(Change(seq=view.seq, base=view.seq)))
        self.tell_clock(looker)

    async def take_over(self, newcomer: Looker) -> None:
        """Move the seats of a page to this page from the pages that had them.

        People who share a seat have their own secrets, and stay.
        """
        if newcomer.screen:
            pages = ("", newcomer.screen)
            where: Callable[[Looker], bool] = lambda looker: (  # noqa: E731
                looker.screen not in pages and not looker.came_by.isdisjoint(newcomer.came_by)
            )
            await self.lose(newcomer.sides, where, to=newcomer)

    async def lose(
        self, sides: Sequence[int], where: Callable[[Looker], bool], *, to: Looker | None = None, for_good: bool = False
    ) -> None:
        """Take seats away from their players, and notify them.

        Args:
            to: The new player of the seats, who is notified too.
            for_good: True if the old secrets no longer open these seats.
        """
        async with self.lock:
            if self.dropped:  # all viewers reconnect
                return
            lost: set[int] = set()
            for looker in list(self.lookers):
                gone = tuple(side for side in looker.sides if side in sides)
                if not gone or looker is to or not where(looker):
                    continue
                lost.update(gone)
                looker.sides = tuple(side for side in looker.sides if side not in gone)
                looker.tell(_encode(Moved(sides=gone, here=False, for_good=for_good)))
                if looker.eyes in gone:
                    looker.eyes = next(iter(looker.sides), None)
                    self._join(looker, None)
            if to is not None and lost:
                to.tell(_encode(Moved(sides=tuple(sorted(lost)), here=True)))

    def leave(self, looker: Looker) -> None:
        if looker in self.lookers:
            self.lookers.remove(looker)
            self.touch()
            self.tell_presence()

    def tell_presence(self) -> None:
        here = tuple(sorted({side for looker in self.lookers for side in looker.sides}))
        message = _encode(Presence(here=here))
        for looker in self.lookers:
            looker.tell(message)
        self.presence(self)
