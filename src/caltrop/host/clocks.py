"""Waking games when the time of a side is up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from caltrop.engine import Refused
from caltrop.host.database import StorageFault
from caltrop.host.events import Spent, encode
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.storage import StoredRow

log = logging.getLogger("caltrop.host")


RETRY_SECONDS = 30.0
"""Seconds before another attempt to open a game whose end of time could not be stored."""


class RestingClock(NamedTuple):
    """The clock of a game that is not in memory. The clock keeps running, and opens the game when it ends."""

    since: float
    """Moment up to which the clock's time is counted, in seconds during which the server could answer."""
    seq: int
    """The number of the last event of the game."""
    left: tuple[int, ...]
    """Remaining time of each side at that moment, in milliseconds."""
    running: tuple[int, ...]
    alarm: asyncio.TimerHandle

    def spent(self, now: float) -> StoredRow:
        """Return the row that stores the remaining time of the sides."""
        passed = round((now - self.since) * 1000)
        left = [max(time - passed, 0) if side in self.running else time for side, time in enumerate(self.left)]
        return StoredRow(self.seq + 1, "clock", encode(Spent(left=tuple(left))))


class Clocks:
    """The clocks of all games.

    Args:
        change: Function that changes a game, stores the change and reports it.
        holds: Returns whether a game object is the one in memory.
    """

    def __init__(
        self,
        change: Callable[[Live, Callable[[HostedGame], Sequence[StoredRow]]], Awaitable[Any]],
        holds: Callable[[Live], bool],
        reopen: Callable[[str], None] = lambda id: None,
    ) -> None:
        self.change, self.holds, self.reopen = change, holds, reopen
        self._ending: set[asyncio.Task[None]] = set()
        self.resting: dict[str, RestingClock] = {}
        """The clocks of games that are out of memory."""

    def wake(self, live: Live) -> None:
        """Set the alarm for the moment when the acting side's time ends."""
        if live.waking is not None:
            live.waking.cancel()
            live.waking = None
        clock = live.game.clock
        if clock is None:
            return
        left = [clock.left[side] for side in live.game.running if side not in clock.told]
        if left:
            live.waking = asyncio.get_running_loop().call_later(min(left) / 1000, self._ring, live)

    def rest(self, live: Live, wake: Callable[[str], None]) -> None:
        """Keep the clock of a game running after the game leaves memory.

        Args:
            wake: Opens the game when its time ends.
        """
        game, clock = live.game, live.game.clock
        assert clock is not None
        if live.waking is not None:
            live.waking.cancel()
            live.waking = None
        left = min(clock.left[side] for side in game.running)
        alarm = asyncio.get_running_loop().call_later(left / 1000, wake, game.id)
        self.resting[game.id] = RestingClock(live.counted, game.seq, tuple(clock.left), game.running, alarm)

    def go_on(self, live: Live) -> None:
        resting = self.resting.pop(live.game.id, None)
        if resting is not None:
            resting.alarm.cancel()
            if resting.seq == live.game.seq and live.game.clock is not None:
                live.game.clock.set(resting.left)
                live.counted = resting.since
                live.count()

    def forget(self, id: str) -> None:
        """Stop the clock of a game that is not in memory."""
        resting = self.resting.pop(id, None)
        if resting is not None:
            resting.alarm.cancel()

    def try_later(self, id: str) -> None:
        resting = self.resting.get(id)
        if resting is not None:
            alarm = asyncio.get_running_loop().call_later(RETRY_SECONDS, self.reopen, id)
            self.resting[id] = resting._replace(alarm=alarm)

    def _ring(self, live: Live) -> None:
        live.waking = None
        if self.holds(live):
            task = asyncio.create_task(self._end(live))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self, live: Live) -> None:
        game, seq, since = live.game, live.game.seq, live.counted
        left = () if game.clock is None else tuple(game.clock.left)
        running = game.running
        try:
            await self.change(live, HostedGame.time_up)
        except (Refused, StorageFault) as error:
            # Viewers reconnect and get the stored game, which sets its clock again. The game may have no viewers.
            log.warning("the clock of the game %s could not be stored", game.id)
            if isinstance(error, StorageFault) and not self.holds(live):
                alarm = asyncio.get_running_loop().call_later(RETRY_SECONDS, self.reopen, game.id)
                self.resting[game.id] = RestingClock(since, seq, left, running, alarm)
