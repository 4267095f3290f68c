"""Ratings of people in each game, from rated games between them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ClassVar

import msgspec

from caltrop.engine import Refused
from caltrop.host.database import StorageFault
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.rated import why_unrated
from caltrop.host.together.glicko import GlickoStrength, after, rested
from caltrop.host.together.persons import Person
from caltrop.host.together.sheets import Sheets, StoredSheet, again
from caltrop.journal import PERSON

log = logging.getLogger("caltrop.host")

PERIOD_DAYS = 30.0
"""Days in a rating period; each period without a game increases the deviation."""

LISTED = 100
"""Largest number of people in the table of a game."""

SURE = 110.0
"""Largest deviation for a place in the table."""


class Rating(StoredSheet, kw_only=True):
    """The strength of a person in one game."""

    kind: ClassVar[str] = "rating"
    ruleset: str = ""
    rating: float = GlickoStrength().rating
    deviation: float = GlickoStrength().deviation
    volatility: float = GlickoStrength().volatility
    games: int = 0
    played: str = ""
    """When the last game ended, in universal time."""

    def strength(self, now: datetime) -> GlickoStrength:
        """Return the estimated strength of the person at a moment."""
        strength = GlickoStrength(self.rating, self.deviation, self.volatility)
        if not self.played:
            return strength
        days = (now - datetime.fromisoformat(self.played)).total_seconds() / 86_400
        return rested(strength, max(days, 0.0) / PERIOD_DAYS)


class Result(StoredSheet, kw_only=True):
    """A rated game that has been counted."""

    kind: ClassVar[str] = "result"
    ruleset: str = ""
    people: list[str] = msgspec.field(default_factory=list)
    scores: list[float] = msgspec.field(default_factory=list)
    ended: str = ""


def why_not_counted(game: HostedGame) -> str:
    """Return why a rated game does not count; empty if it counts, or may count later."""
    setup = game.setup
    sides = [side for side, player in enumerate(setup.seats) if player == PERSON]
    if not setup.rated:
        return "it was not made as a rated game"
    if len(sides) != 2:
        return "a computer player took over"
    people = [game.persons(side) for side in sides]
    if any(len(seats) != 1 for seats in people) or people[0] == people[1]:
        return "a seat has no named player: in rated games every player needs a name on this server"
    for side in sides:
        why = why_unrated(setup, game.match.journal, game.people.hinted, side, game.helped)
        if why:
            return why
    if game.over is not None and {point.side for point in game.match.history} < set(sides):
        return "it ended before both sides had played"
    return ""


class Ratings:
    def __init__(self, sheets: Sheets) -> None:
        self.sheets = sheets
        self._counting: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()

    def watch(self, live: Live) -> None:
        """Count a rated game that is over."""
        game = live.game
        if not game.setup.rated or game.over is None or game.id in self._counting or why_not_counted(game):
            return
        self._counting.add(game.id)
        task = asyncio.create_task(self._count(game))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _count(self, game: HostedGame) -> None:
        try:
            async with self._lock:
                await again(lambda: self._counted(game))
        except (Refused, StorageFault) as error:
            self._counting.discard(game.id)
            log.warning("the rated game %s could not be counted: %s", game.id, error)

    async def _counted(self, game: HostedGame) -> Result:
        there = await self.sheets.get(Result, game.id)
        if there is not None:
            return there
        assert game.over is not None
        sides = [side for side, player in enumerate(game.setup.seats) if player == PERSON]
        people = [game.persons(side)[0] for side in sides]
        winner = game.over.winner
        scores = [0.5 if winner is None else float(winner == side) for side in sides]
        now = datetime.now(UTC)
        before = [await self.of(person, game.ruleset.name) for person in people]
        strengths = [one.strength(now) for one in before]
        for number, one in enumerate(before):
            other = 1 - number
            latest = after(strengths[number], [(strengths[other], scores[number])])
            one.rating, one.deviation, one.volatility = latest
            one.games, one.played = one.games + 1, now.isoformat(timespec="milliseconds")
        result = Result(
            id=game.id, ruleset=game.ruleset.name, people=people, scores=scores,
            ended=now.isoformat(timespec="milliseconds"),
        )  # fmt: skip
        # The ratings of people whose data was deleted are not stored.
        rated = [one for one in before if await self.sheets.get(Person, one.whose) is not None]
        await self.sheets.put(result, *rated)
        return result

    async def of(self, person: str, ruleset: str) -> Rating:
        id = f"{ruleset}:{person}"
        return await self.sheets.get(Rating, id) or Rating(id=id, whose=person, ruleset=ruleset)

    async def all_of(self, person: str) -> list[Rating]:
        return await self.sheets.all(Rating, person)

    async def table(self, ruleset: str) -> list[tuple[Person, Rating]]:
        """Return the people with a certain rating in a game, the strongest first."""
        rows: Iterable[Rating] = (one for one in await self.sheets.all(Rating) if one.ruleset == ruleset)
        sure = sorted((one for one in rows if one.deviation <= SURE), key=lambda one: -one.rating)[:LISTED]
        ranking = [(await self.sheets.get(Person, one.whose), one) for one in sure]
        return [(person, one) for person, one in ranking if person is not None]

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
