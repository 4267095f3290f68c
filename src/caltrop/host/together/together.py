"""All data of a server about people beyond one game."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from caltrop.host.database import StorageFault
from caltrop.host.games import Games
from caltrop.host.news import GameNews
from caltrop.host.together.carriers import Outside
from caltrop.host.together.clubs import Clubs
from caltrop.host.together.notices import Notices
from caltrop.host.together.openings import Openings
from caltrop.host.together.passkeys import Passkeys
from caltrop.host.together.persons import Persons
from caltrop.host.together.ratings import Ratings
from caltrop.host.together.sheets import Sheets
from caltrop.host.together.streams import Streams

log = logging.getLogger("caltrop.host")


class PeopleTogether:
    """People, their notices, and ways to find opponents.

    Args:
        outside: The settings for delivery.
    """

    def __init__(self, games: Games, outside: Outside) -> None:
        self.games = games
        self.sheets = Sheets(games)
        self.persons = Persons(self.sheets)
        self.notices = Notices(games, self.sheets, self.persons, outside)
        self.passkeys = Passkeys(self.sheets, self.persons)
        self.ratings = Ratings(self.sheets)
        self.openings = Openings(games, self.sheets, self.persons, self.ratings, self.notices)
        self.streams = Streams(games)
        self.clubs = Clubs(games, self.sheets, self.ratings, self.notices)
        games.watchers.append(self.ratings.watch)
        games.hearers.append(self._hear)
        self._beginning: asyncio.Task[None] | None = None
        self._begun = False

    @property
    def is_here(self) -> bool:
        """Return whether this worker does the central tasks of all workers."""
        neighbours = self.games.neighbours
        return neighbours is None or neighbours.at_desk

    def _hear(self, news: GameNews) -> None:
        if self.is_here:
            for one in (self.notices, self.openings, self.streams, self.clubs):
                try:
                    one.watch(news)
                except Exception:  # a game continues even if a watcher fails
                    log.exception("a listener of the game %s failed", news.game)

    def begin(self) -> None:
        if self._begun != self.is_here:
            self._begun = self.is_here
            if self._begun:
                self._beginning = asyncio.create_task(self._begin())
            else:
                self.streams.close()

    def others_changed(self, gone: set[str]) -> None:
        if gone and self._begun and self.is_here:
            self.streams.close()
            self._beginning = asyncio.create_task(self._begin())
        self.begin()

    async def _begin(self) -> None:
        with contextlib.suppress(StorageFault):  # the failure was logged already
            await self.games.resume_clocks()
            await self.notices.resume()
            await self.openings.tidy()
            await self.clubs.resume()

    async def close(self) -> None:
        if self._beginning is not None:
            self._beginning.cancel()
            await asyncio.gather(self._beginning, return_exceptions=True)
        self.streams.close()
        await self.clubs.close()
        await self.openings.close()
        await self.ratings.close()
        await self.notices.close()
