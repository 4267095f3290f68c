"""Waking games when the time of a side is up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from caltrop.engine import Refused
from caltrop.host.database import StorageFault
from caltrop.host.game import Game
from caltrop.host.live import Live
from caltrop.host.storage import Row

log = logging.getLogger("caltrop.host")


class Clocks:
    """The clocks of all games.

    Args:
        change: Plays something in a game, stores it and tells it.
        holds: Function that says if a game is the one in memory.
    """

    def __init__(
        self,
        change: Callable[[Live, Callable[[Game], Sequence[Row]]], Awaitable[Any]],
        holds: Callable[[Live], bool],
    ) -> None:
        self.change, self.holds = change, holds
        self._ending: set[asyncio.Task[None]] = set()

    def wake(self, live: Live) -> None:
        """Set the alarm to when the time of a side is up that is to act."""
        if live.waking is not None:
            live.waking.cancel()
            live.waking = None
        clock = live.game.clock
        if clock is None:
            return
        left = [clock.left[side] for side in live.game.running if side not in clock.told]
        if left:
            live.waking = asyncio.get_running_loop().call_later(min(left) / 1000, self._ring, live)

    def _ring(self, live: Live) -> None:
        live.waking = None
        if self.holds(live):
            task = asyncio.create_task(self._end(live))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self, live: Live) -> None:
        try:
            await self.change(live, Game.time_up)
        except (Refused, StorageFault):
            # Those who look come back to the game as it is stored, and its clock is set again.
            log.warning("the clock of %s could not be written", live.game.id)
