"""Finding opponents: open seats, a queue by strength, friends, and blocked people."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import ClassVar, NamedTuple

import msgspec

from caltrop.agreeing import quantity
from caltrop.host.database import StorageFault
from caltrop.host.faults import CannotContinue, NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.listing import DAYS_SECONDS
from caltrop.host.live import Live
from caltrop.host.news import GameNews
from caltrop.host.people import plain
from caltrop.host.seats import DrawnSecrets
from caltrop.host.together.carriers import Notice
from caltrop.host.together.glicko import GlickoStrength
from caltrop.host.together.notices import Notices
from caltrop.host.together.persons import Person, Persons, are_apart
from caltrop.host.together.ratings import Ratings
from caltrop.host.together.sheets import Sheets, StoredSheet, again
from caltrop.journal import PERSON
from caltrop.wire.messages import MadeGame, NewGame
from caltrop.wire.view import ClockRule

log = logging.getLogger("caltrop.host")

OWN = 6
"""Largest number of open seats of one person."""

SHOWN = 200
"""Largest number of open seats that are shown."""

DAYS = 14.0
"""Days after which an untaken open seat is hidden."""

WORDS = 80
"""Largest length of the text of an open seat."""

FRIENDS = 200
"""Largest number of a person's friends, and of blocked people."""

QUEUED = 500
"""Largest number of people in the queue."""

QUEUE_SECONDS = 45.0
"""Seconds without a request after which a person is removed from the queue."""

NEAR, WIDER = 100.0, 10.0
"""Largest rating difference for an immediate pairing, and its growth per second."""

ANYBODY_SECONDS = 90.0
"""Seconds after which any opponent is accepted."""


class Opening(StoredSheet, kw_only=True):
    """An open seat, by the game's id."""

    kind: ClassVar[str] = "opening"
    ruleset: str = ""
    scenario: str = ""
    side: int = 0
    host: int = 0
    """The seat of the person who made the game."""
    words: str = ""
    clock: ClockRule | None = None
    rated: bool = False
    made: str = ""

    @property
    def live(self) -> bool:
        """True if the players play at the same time."""
        return is_live(self.clock)


class Friend(StoredSheet, kw_only=True):
    """A friend request; two people are friends if each has made a request to the other."""

    kind: ClassVar[str] = "friend"
    other: str = ""


class Invited(StoredSheet, kw_only=True):
    """A seat reserved for a friend."""

    kind: ClassVar[str] = "invited"
    game: str = ""
    side: int = 0
    by: str = ""


class Seen(NamedTuple):
    """An open seat as it is shown."""

    opening: Opening
    host: Person
    strength: GlickoStrength
    here: bool


class Queued(msgspec.Struct, kw_only=True):
    """A person who waits for an opponent of similar strength."""

    person: str
    request: NewGame
    strength: GlickoStrength
    since: float
    asked: float
    apart: frozenset[str]
    """People who must not be paired with this person."""
    game: str = ""
    side: int = 0


def is_live(clock: ClockRule | None) -> bool:
    """Return whether a clock is for games in which people play at the same time."""
    return clock is not None and clock.seconds <= DAYS_SECONDS


class Openings:
    """Open seats, the queue and friends.

    Args:
        sheets: Storage of open seats and friends.
        clock: Returns increasing seconds.
    """

    def __init__(
        self,
        games: Games,
        sheets: Sheets,
        persons: Persons,
        ratings: Ratings,
        notices: Notices,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.games, self.sheets, self.persons = games, sheets, persons
        self.ratings, self.notices, self.clock = ratings, notices, clock
        self.queue: dict[str, Queued] = {}
        self._open: dict[str, int] = {}
        """The open side of each game with one, as far as this server knows."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Open seats.

    def watch(self, news: GameNews) -> None:
        side = self._open.get(news.game)
        if side is not None and (news.over or side not in news.awaited):
            del self._open[news.game]
            task = asyncio.create_task(self._shut(news.game))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _shut(self, id: str) -> None:
        try:
            await self.close_seat(id)
        except StorageFault:  # the seat is checked again at the next start
            log.warning("the open seat of the game %s could not be removed", id)

    async def offer(self, person: Person, request: NewGame, words: str, drawn: DrawnSecrets) -> MadeGame:
        """Make a game with a seat that anybody may take.

        Raises Refused if the person has too many open seats, or the game has no free seat. Raises InputError for an
        invalid game.

        Args:
            request: The game, with one of two seats open.
        """
        description = plain(words, WORDS, "The description of a seat")
        if request.seats != (PERSON, PERSON) or len(request.invited) != 1:
            raise refused("wrong-value", "An open seat is one of two that people play; name it in `invited`")
        mine = await self.sheets.all(Opening, person.id)
        if len(mine) >= OWN and all(one.id != drawn.name() for one in mine):
            raise refused("too-many", f"You have {quantity(OWN, 'open seat')} already; withdraw one of them")
        made = await self.games.make(request, drawn)
        side = request.invited[0]
        host = next(seat.side for seat in made.seats if seat.player == PERSON and seat.side != side)
        self._open[made.game] = side
        setup = (await self.games.look(made.game)).game.setup
        await self.games.seat(made.game, [(host, person.key, person.name)])

        def fill(opening: Opening) -> bool:
            return opening.seq == 0

        await self.sheets.change(
            Opening,
            made.game,
            fill,
            lambda: Opening(
                id=made.game, whose=person.id, ruleset=setup.ruleset, scenario=setup.scenario, side=side, host=host,
                words=description, clock=setup.clock, rated=setup.rated, made=_now(),
            ),
        )  # fmt: skip
        return made

    async def shown(self, person: Person | None) -> list[Seen]:
        """Return the open seats that a person may take or has offered, the newest first."""
        oldest = (datetime.now(UTC) - timedelta(days=DAYS)).isoformat(timespec="milliseconds")
        seats = []
        for opening in sorted(await self.sheets.all(Opening), key=lambda one: one.made, reverse=True):
            here = opening.host in self.games.here(opening.id)
            own = person is not None and opening.whose == person.id
            if opening.made < oldest or (opening.live and not here and not own):
                continue
            host = await self.sheets.get(Person, opening.whose)
            if host is None or (person is not None and are_apart(person, host)):
                continue
            rating = await self.ratings.of(host.id, opening.ruleset)
            seats.append(Seen(opening, host, rating.strength(datetime.now(UTC)), here))
            if len(seats) == SHOWN:
                break
        return seats

    async def take(self, person: Person, id: str) -> int:
        """Take an open seat, or a seat reserved for this friend; return the seat's side.

        Raises Refused if the seat is not open, belongs to the person, or its owner and the person are kept apart.
        """
        live = await self._opened(id)
        invitation = await self.sheets.get(Invited, f"{id}:{person.id}")
        opening = await self.sheets.get(Opening, id)
        own = live.game.keys.get(person.key)
        if own is not None and (opening is None or own == opening.side):
            return own  # the answer to an earlier, equal request was lost
        if invitation is not None:
            side = invitation.side
        elif opening is not None:
            if opening.whose == person.id:
                raise refused("so-already", "You have offered this seat yourself")
            host = await self.sheets.get(Person, opening.whose)
            if host is None or are_apart(person, host):
                raise refused("not-found", "This seat is not open to you")
            side = opening.side
        else:
            raise refused("not-found", "There is no open seat in this game")
        await self.games.seating.take(live, side, person.key, person.name)
        await self.close_seat(id)
        return side

    async def withdraw(self, person: Person, id: str) -> None:
        """Withdraw an open seat; its link still works. Raises Refused if the person has not offered it."""
        opening = await self.sheets.get(Opening, id)
        if opening is None or opening.whose != person.id:
            raise refused("not-found", "You offer no seat in this game")
        await self.sheets.put(gone=[opening])

    async def close_seat(self, id: str) -> None:
        """Withdraw all open seats of a game, including reserved ones."""
        opening = await self.sheets.get(Opening, id)
        invitations = [one for one in await self.sheets.all(Invited) if one.game == id]
        await self.sheets.put(gone=[*invitations, *([] if opening is None else [opening])])

    async def tidy(self) -> None:
        for opening in await self.sheets.all(Opening):
            try:
                news = await self.games.news(opening.id)
            except NoSuchGame:
                await self.close_seat(opening.id)
                continue
            except (StorageFault, CannotContinue):
                log.warning("the open seat of %s cannot be read", opening.id)
                continue
            self._open[opening.id] = opening.side
            if news is not None:
                self.watch(news)

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _opened(self, id: str) -> Live:
        try:
            return await self.games.open(id)
        except NoSuchGame:
            await self.close_seat(id)
            raise refused("not-found", "There is no such game here") from None

    # The queue.

    async def join(self, person: Person, request: NewGame) -> Queued:
        """Wait for an opponent of similar strength. A person in the queue switches to this request.

        Raises Refused if the queue is full, or InputError if the game is invalid.
        """
        self._sweep()
        before = self.queue.get(person.id)
        if before is None and len(self.queue) >= QUEUED:
            raise refused("busy", "Too many people are waiting; ask again in a moment")
        if before is not None and before.request == request and await self._goes_on(before.game):
            return before
        now = self.clock()
        rating = await self.ratings.of(person.id, request.ruleset)
        same = before is not None and not before.game and before.request == request
        mine = Queued(
            person=person.id,
            request=request,
            strength=rating.strength(datetime.now(UTC)),
            since=before.since if before is not None and same else now,
            asked=now,
            apart=frozenset(person.blocked),
        )
        self.queue[person.id] = mine
        await self._match(mine)
        return mine

    async def _goes_on(self, game: str) -> bool:
        try:
            news = await self.games.news(game) if game else None
        except (NoSuchGame, CannotContinue):
            return False
        return news is not None and not news.over

    async def waiting(self, person: Person) -> Queued | None:
        self._sweep()
        mine = self.queue.get(person.id)
        if mine is not None:
            mine.asked = self.clock()
            if not mine.game:
                await self._match(mine)
        return mine

    def leave(self, person: Person) -> None:
        self.queue.pop(person.id, None)

    def _sweep(self) -> None:
        now = self.clock()
        self.queue = {id: one for id, one in self.queue.items() if now - one.asked < QUEUE_SECONDS}

    def _fits(self, one: Queued, other: Queued) -> bool:
        if one.person == other.person or other.game or one.request != other.request:
            return False
        if one.person in other.apart or other.person in one.apart:
            return False
        waited = self.clock() - min(one.since, other.since)
        apart = abs(one.strength.rating - other.strength.rating)
        return waited >= ANYBODY_SECONDS or apart <= NEAR + WIDER * waited

    async def _match(self, mine: Queued) -> None:
        fitting = [one for one in self.queue.values() if self._fits(mine, one)]
        if not fitting:
            return
        other = min(fitting, key=lambda one: abs(one.strength.rating - mine.strength.rating))
        # The person who has waited longer gets the first seat. Nobody else can take either seat in the meantime.
        pair = sorted((mine, other), key=lambda one: one.since)
        drawn = DrawnSecrets()
        for side, one in enumerate(pair):
            one.game, one.side = drawn.name(), side
        try:
            made = await self.games.make(mine.request, drawn)
            seated = []
            sides = [seat.side for seat in made.seats if seat.player == PERSON]
            for side, one in zip(sides, pair, strict=True):
                person = await self.persons.find(one.person)
                one.side = side
                seated.append((side, person.key, person.name))
            await self.games.seat(made.game, seated)
        except BaseException:
            for one in pair:
                one.game = ""
            raise

    # Friends.

    async def friends(self, person: str) -> tuple[list[str], list[str], list[str]]:
        """Return the friends of a person, and the friend requests from and to the person."""
        mine = {one.other for one in await self.sheets.all(Friend, person)}
        theirs = {one.whose for one in await self.sheets.all(Friend) if one.other == person}
        return sorted(mine & theirs), sorted(mine - theirs), sorted(theirs - mine)

    async def befriend(self, person: Person, other: str, on: bool) -> None:
        """Add a friend, or remove one. Raises Refused when the person does not exist, or there are too many friends."""
        if other == person.id:
            raise refused("wrong-value", "This is yourself")
        id = f"{person.id}:{other}"
        there = await self.sheets.get(Friend, id)
        if not on:
            if there is not None:
                await self.sheets.put(gone=[there])
            return
        them = await self.persons.find(other)
        if are_apart(person, them):
            raise refused("not-found", "There is no such person here")
        if there is None:
            if len(await self.sheets.all(Friend, person.id)) >= FRIENDS:
                raise refused("too-many", f"A person can have at most {FRIENDS} friends")
            new = partial(Friend, id=id, whose=person.id, other=other)
            await self.sheets.change(Friend, id, lambda one: one.seq == 0, new)

    async def invite(self, person: Person, live: Live, side: int, other: str) -> None:
        """Reserve a free seat for a friend, and notify them.

        Raises Refused if the two are not friends, the person is not a host of the game, or the seat is taken.
        """
        friends, _, _ = await self.friends(person.id)
        if other not in friends:
            raise refused("not-found", "This person is not your friend yet: both of you have to agree")
        game = live.game
        own = game.keys.get(person.key)
        if own is None:
            raise refused("not-your-seat", "Only players of this game can invite others to a rematch")
        game.people.check_host((own,), side)
        if game.over is not None or side not in game.people.awaited:
            raise refused("so-already", "Somebody else sits there already")
        # The seat is reserved for one friend. An invitation to another friend moves the reservation.
        is_new = False

        async def attempt() -> Invited:
            nonlocal is_new
            before = [one for one in await self.sheets.all(Invited) if one.game == game.id and one.side == side]
            invitation = Invited(id=f"{game.id}:{other}", whose=other, game=game.id, side=side, by=person.id)
            is_new = all(one.id != invitation.id for one in before)
            if is_new:
                await self.sheets.put(invitation, gone=before)
            return invitation

        await again(attempt)
        if not is_new:
            return
        notice = Notice(
            kind="invitation", title=f"{game.ruleset.title}: an invitation",
            words=f"{person.name or 'A friend'} keeps a seat for you.", game=game.id, side=side,
        )  # fmt: skip
        self.notices.tell(other, notice)

    async def invitations(self, person: str) -> list[tuple[Invited, GameNews, Person | None]]:
        rows = []
        me = await self.sheets.get(Person, person)
        for invitation in await self.sheets.all(Invited, person):
            by = await self.sheets.get(Person, invitation.by)
            try:
                news = await self.games.news(invitation.game)
            except CannotContinue:
                continue
            except NoSuchGame:
                news = None
            apart = me is not None and by is not None and are_apart(me, by)
            if news is None or news.over or invitation.side not in news.awaited or apart:
                await self.sheets.put(gone=[invitation])
            else:
                rows.append((invitation, news, by))
        return rows

    async def keep_apart(self, person: Person, other: str, on: bool) -> Person:
        """Block the pairing of two people, or undo that. Raises Refused for too many blocks, or for oneself."""
        if other == person.id:
            raise refused("wrong-value", "This is yourself")

        def put(one: Person) -> None:
            others = [id for id in one.blocked if id != other]
            if on and len(others) >= FRIENDS:
                raise refused("too-many", f"A person can block at most {FRIENDS} others")
            one.blocked = [*others, other] if on else others

        changed = await self.sheets.change(Person, person.id, put)
        if person.id in self.queue:
            self.queue[person.id].apart = frozenset(changed.blocked)
        if on:
            await self.befriend(person, other, False)
        return changed

    def here(self, persons: Sequence[str]) -> set[str]:
        return self.games.people_here() & set(persons)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
