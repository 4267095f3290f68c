"""All that a server knows of people beyond one game, put together."""

from __future__ import annotations

import asyncio
import contextlib

from caltrop.host.database import StorageFault
from caltrop.host.games import Games
from caltrop.host.together.carriers import Outside
from caltrop.host.together.clubs import Clubs
from caltrop.host.together.notices import Notices
from caltrop.host.together.openings import Openings
from caltrop.host.together.passkeys import Passkeys
from caltrop.host.together.persons import Persons
from caltrop.host.together.ratings import Ratings
from caltrop.host.together.sheets import Sheets
from caltrop.host.together.streams import Streams


class Together:
    """People, what they are told, and how they find one another.

    Args:
        games: The games.
        outside: The way the server reaches people elsewhere.
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
        watching = (self.notices, self.ratings, self.openings, self.streams, self.clubs)
        games.watchers += [one.watch for one in watching]
        self._beginning: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Go on with what was left when the server ended."""
        self._beginning = asyncio.create_task(self._begin())

    async def _begin(self) -> None:
        with contextlib.suppress(StorageFault):  # it was logged
            await self.notices.resume()
            await self.openings.tidy()
            await self.clubs.resume()

    async def close(self) -> None:
        """End what goes on by itself."""
        if self._beginning is not None:
            self._beginning.cancel()
            await asyncio.gather(self._beginning, return_exceptions=True)
        self.streams.close()
        await self.clubs.close()
        await self.openings.close()
        await self.ratings.close()
        await self.notices.close()
