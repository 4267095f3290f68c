"""Clubs: groups of people, their tournaments, and a table of the results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Refused
from caltrop.errors import InputError
from caltrop.host.database import StorageFault
from caltrop.host.faults import CannotContinue, NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.news import GameNews, news_of_closed
from caltrop.host.people import plain
from caltrop.host.seats import DrawnSecrets, new_token
from caltrop.host.together.carriers import Notice
from caltrop.host.together.notices import Notices
from caltrop.host.together.pairing import BYE, all_against_all, swiss
from caltrop.host.together.persons import Person
from caltrop.host.together.ratings import Ratings
from caltrop.host.together.sheets import Sheets, StoredSheet, again
from caltrop.journal import PERSON
from caltrop.wire.messages import NewGame

log = logging.getLogger("caltrop.host")

OWN = 3
"""Largest number of clubs that one person may own."""

MEMBERS = 200
TOURNAMENTS = 40
"""Largest number of tournaments in a club."""

ENTRANTS = 64
ROUNDS = 11
NAME = 60
WORDS = 500
LISTED = 200
"""Largest number of clubs in a list."""

Form = Literal["swiss", "all"]
Decider = Literal["", "host", "server", "time"]
"""The reason for an early end of a game: the host of its tournament, the server that closes it, or the deadline."""

DAYS = 60
"""Longest time for a round, in days."""


class Club(StoredSheet, kw_only=True):
    """A group of people who play together."""

    kind: ClassVar[str] = "club"
    name: str = ""
    words: str = ""
    members: list[str] = msgspec.field(default_factory=list)


class Pairing(msgspec.Struct, kw_only=True):
    """A game of a tournament."""

    people: tuple[str, str]
    """The second is empty for a round without an opponent."""
    game: str = ""
    score: float | None = None
    """Points of the first player; None while the game is in progress, and for a game that counts for nobody."""
    by: Decider = ""
    """Reason for the early end of the game; empty for a game that is played to its end."""

    @property
    def is_settled(self) -> bool:
        return self.score is not None or self.by != ""


class Tournament(StoredSheet, kw_only=True):
    kind: ClassVar[str] = "tournament"
    club: str = ""
    name: str = ""
    form: Form = "swiss"
    wanted: NewGame | None = None
    length: int = 0
    """Number of rounds; 0 before the start of an all-against-all tournament."""
    entrants: list[str] = msgspec.field(default_factory=list)
    gone: list[str] = msgspec.field(default_factory=list)
    """Players who left after the start."""
    rounds: list[list[Pairing]] = msgspec.field(default_factory=list)
    made: str = ""
    days: float = 0.0
    """Time for each round; 0 for unlimited."""
    due: str = ""
    """End of the present round, in universal time; empty for unlimited."""
    salt: str = ""
    """Seed for the names and secrets of the tournament's games, which nobody may learn."""

    @property
    def begun(self) -> bool:
        """True if the first round has been paired."""
        return bool(self.rounds)

    @property
    def over(self) -> bool:
        return self.begun and len(self.rounds) >= self.length and self.round_over

    @property
    def round_over(self) -> bool:
        return all(pairing.is_settled for pairing in self.rounds[-1]) if self.rounds else True

    def pairing(self, game: str) -> Pairing | None:
        return next((one for pairings in self.rounds for one in pairings if game and one.game == game), None)

    def withdraw(self, person: str) -> None:
        if not self.begun:
            self.entrants = [id for id in self.entrants if id != person]
        elif person in self.entrants and person not in self.gone:
            self.gone = [*self.gone, person]

    def points(self) -> dict[str, float]:
        points_by_id = dict.fromkeys(self.entrants, 0.0)
        for pairing in (one for pairings in self.rounds for one in pairings):
            if pairing.score is not None:
                points_by_id[pairing.people[0]] += pairing.score
                if pairing.people[1] != BYE:
                    points_by_id[pairing.people[1]] += 1 - pairing.score
        return points_by_id

    def table(self) -> list[tuple[str, float, float]]:
        points = self.points()
        against = dict.fromkeys(self.entrants, 0.0)
        for one, other in (pairing.people for pairings in self.rounds for pairing in pairings):
            if other != BYE:
                against[one] += points[other]
                against[other] += points[one]
        rows = [(one, points[one], against[one]) for one in self.entrants]
        return sorted(rows, key=lambda row: (-row[1], -row[2], self.entrants.index(row[0])))


class Clubs:
    def __init__(self, games: Games, sheets: Sheets, ratings: Ratings, notices: Notices) -> None:
        self.games, self.sheets, self.ratings, self.notices = games, sheets, ratings, notices
        self._going: dict[str, str] = {}
        """The tournament of each game without a result."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._deadlines: dict[str, asyncio.TimerHandle] = {}
        """The end of the present round of each tournament that has one."""
        self._lock = asyncio.Lock()

    # Clubs.

    async def make(self, person: Person, name: str, words: str, drawn: DrawnSecrets) -> Club:
        """Make a club, or return the club that the same request made.

        Raises Refused if the person has too many clubs, or the name is invalid.
        """
        called, description = plain(name, NAME, "The name of a club"), plain(words, WORDS, "The description of a club")
        if not called:
            raise refused("wrong-value", "A club has a name")
        own = await self.sheets.all(Club, person.id)
        if len(own) >= OWN and all(one.id != drawn.name() for one in own):
            raise refused("too-many", f"You have {quantity(OWN, 'club')} already")
        club = Club(id=drawn.name(), whose=person.id, name=called, words=description, members=[person.id])
        return await self.sheets.change(Club, club.id, lambda one: one.seq == 0, lambda: club)

    async def find(self, id: str) -> Club:
        """Return a club. Raises Refused if the club does not exist."""
        club = await self.sheets.get(Club, id)
        if club is None:
            raise refused("not-found", "There is no such club here")
        return club

    async def listed(self) -> list[Club]:
        return sorted(await self.sheets.all(Club), key=lambda one: (-len(one.members), one.name))[:LISTED]

    async def join(self, person: Person, id: str) -> Club:
        """Become a member.

        Raises Refused if the club is full, or its owner blocks the person.
        """
        club = await self.find(id)
        owner = await self.sheets.get(Person, club.whose)
        if owner is not None and person.id in owner.blocked:
            raise refused("not-found", "There is no such club here")

        def put(one: Club) -> bool:
            if person.id in one.members:
                return False
            if len(one.members) >= MEMBERS:
                raise refused("too-many", f"A club can have at most {MEMBERS} members")
            one.members = [*one.members, person.id]
            return True

        return await self.sheets.change(Club, id, put)

    async def leave(self, person: Person, id: str, member: str) -> Club:
        """Remove a member: oneself, or any member if the owner asks.

        Raises Refused if the asker may not remove the member, or the club would be empty.
        """

        def put(one: Club) -> None:
            if person.id not in (member, one.whose):
                raise refused("not-yours", "Only the owner of the club can remove others")
            if member == one.whose:
                raise refused("wrong-value", "The owner cannot leave the club")
            one.members = [id for id in one.members if id != member]

        club = await self.sheets.change(Club, id, put)
        await self._take_out(member, id)
        return club

    async def _take_out(self, person: str, club: str) -> None:
        """Take a person out of all games of a club's tournaments."""
        for tournament in await self.tournaments(club):
            if person in tournament.entrants and not tournament.over:
                await self.sheets.change(Tournament, tournament.id, lambda one: one.withdraw(person))

    async def forget(self, person: str) -> None:
        """Remove a person from all clubs before their data is deleted. The next member becomes the owner of their
        clubs.

        A club without another member is deleted with the person.
        """
        for club in await self.sheets.all(Club):
            if person not in (club.whose, *club.members):
                continue

            def put(one: Club) -> None:
                others = [id for id in one.members if id != person]
                if one.whose == person and others:
                    one.whose = others[0]
                one.members = others

            owner = (await self.sheets.change(Club, club.id, put)).whose
            await self._take_out(person, club.id)
            for planned in await self.tournaments(club.id):
                if planned.whose == person != owner:
                    await self.sheets.change(Tournament, planned.id, lambda one, to=owner: setattr(one, "whose", to))  # type: ignore[misc]

    # Tournaments.

    async def tournaments(self, club: str) -> list[Tournament]:
        tournaments = [one for one in await self.sheets.all(Tournament) if one.club == club]
        return sorted(tournaments, key=lambda one: one.made, reverse=True)

    async def plan(
        self,
        person: Person,
        id: str,
        name: str,
        form: Form,
        length: int,
        request: NewGame,
        drawn: DrawnSecrets,
        days: float = 0.0,
    ) -> Tournament:
        """Plan a tournament, which members enter before its start.

        Raises Refused if the person does not own the club, there are too many tournaments, or the game is not for two.

        Args:
            form: The Swiss system, or all against all.
            length: Number of rounds of the Swiss system.
            days: Time for each round; 0 for unlimited.
        """
        club = await self.find(id)
        if club.whose != person.id:
            raise refused("not-yours", "Only the owner of the club can plan tournaments")
        if request.seats != (PERSON, PERSON) or request.invited or request.lesson or request.ruling:
            raise refused("wrong-value", "In a tournament two people play a battle")
        if form == "swiss" and not 1 <= length <= ROUNDS:
            raise refused("wrong-value", f"The Swiss system has 1 to {ROUNDS} rounds here")
        if not 0 <= days <= DAYS:
            raise refused("wrong-value", f"A round has at most {quantity(DAYS, 'day')} here, or no end with 0")
        called = plain(name, NAME, "The name of a tournament")
        planned = await self.tournaments(id)
        if len(planned) >= TOURNAMENTS and all(one.id != drawn.name() for one in planned):
            raise refused("too-many", f"A club can have at most {TOURNAMENTS} tournaments")
        await self.games.check(request)
        made = Tournament(
            id=drawn.name(), whose=person.id, club=id, name=called or "A tournament", form=form, wanted=request,
            length=length if form == "swiss" else 0, made=_now(), salt=new_token(), days=days,
        )  # fmt: skip
        return await self.sheets.change(Tournament, made.id, lambda one: one.seq == 0, lambda: made)

    async def enter(self, person: Person, id: str, on: bool) -> Tournament:
        """Enter a tournament, or leave it. After the tournament has begun, leaving takes effect in the next round.

        Raises Refused if the person is not a member, or the tournament has begun or is full.
        """
        tournament = await self._tournament(id)
        club = await self.find(tournament.club)
        if person.id not in club.members:
            raise refused("not-yours", "Only members of the club play in its tournaments")

        def put(one: Tournament) -> bool:
            if on:
                if one.begun:
                    raise refused("goes-on", "It has already begun")
                if len(one.entrants) >= ENTRANTS:
                    raise refused("too-many", f"A tournament can have at most {ENTRANTS} players")
                others = [id for id in one.entrants if id != person.id]
                one.entrants = [*others, person.id]
            else:
                one.withdraw(person.id)
            return True

        return await self.sheets.change(Tournament, id, put)

    async def begin(self, person: Person, id: str) -> Tournament:
        """Begin a tournament: pair the first round, and make its games.

        Raises Refused if the person does not own the tournament, it has begun, or it has too few players.
        """
        tournament = await self._tournament(id)
        if tournament.whose != person.id:
            raise refused("not-yours", "Only the owner of the club can start tournaments")
        if len(tournament.entrants) < 2:
            raise refused("wrong-value", "A tournament needs at least 2 players")
        async with self._lock:
            if not (await self._tournament(id)).begun:
                await self._next_round(id)
        return await self._tournament(id)

    async def _tournament(self, id: str) -> Tournament:
        tournament = await self.sheets.get(Tournament, id)
        if tournament is None:
            raise refused("not-found", "There is no such tournament here")
        return tournament

    async def look(self, id: str) -> Tournament:
        return await self._tournament(id)

    async def _next_round(self, id: str) -> None:
        async def attempt() -> Tournament:
            tournament = await self._tournament(id)
            await self._paired(tournament)
            return tournament

        await again(attempt)

    async def _paired(self, tournament: Tournament) -> None:
        request = tournament.wanted
        if request is None or not tournament.round_over or tournament.over:
            return
        playing = [one for one in tournament.entrants if one not in tournament.gone]
        if not tournament.begun:
            # Players are sorted by rating, so that equals meet in the first round of the Swiss system.
            strengths = {one: (await self.ratings.of(one, request.ruleset)).rating for one in playing}
            playing = tournament.entrants = sorted(playing, key=lambda one: -strengths[one])
        if tournament.form == "all":
            rounds = all_against_all(tournament.entrants)
            tournament.length = len(rounds)
            for pairs in rounds[len(tournament.rounds) :]:
                self._add(tournament, pairs)
                if any(pairing.game for pairing in tournament.rounds[-1]):  # a round without games is over at once
                    break
        elif len(playing) > 1:
            earlier = [pairing.people for pairings in tournament.rounds for pairing in pairings]
            met = [pair for pair in earlier if pair[1] != BYE]
            byes = [one for one, other in earlier if other == BYE]
            self._add(tournament, swiss(playing, tournament.points(), met, byes))
        else:
            tournament.length = len(tournament.rounds)
        # The games are made before the round is announced.
        await self._make_games(tournament)
        open_ = [pairing.game for pairing in tournament.rounds[-1] if not pairing.is_settled]
        until = datetime.now(UTC) + timedelta(days=tournament.days)
        tournament.due = until.isoformat(timespec="milliseconds") if tournament.days and open_ else ""
        await self.sheets.put(tournament)
        if tournament.due:
            self._wait_until_due(tournament)
            for game in open_:
                words = (
                    f"This round ends at {until:%H:%M} on {until:%Y-%m-%d} (UTC): the side whose turn it is then loses"
                )
                await self._say(game, words)

    def _add(self, tournament: Tournament, pairs: Iterable[tuple[str, str]]) -> None:
        number = len(tournament.rounds)
        tournament.rounds = [*tournament.rounds, [self._pairing(tournament, number, pair) for pair in pairs]]

    @staticmethod
    def _pairing(tournament: Tournament, number: int, pair: tuple[str, str]) -> Pairing:
        one, other = pair if pair[0] != BYE else (pair[1], pair[0])
        if other == BYE:
            return Pairing(people=(one, other), score=1.0)
        left = [one in tournament.gone, other in tournament.gone]
        if any(left):
            return Pairing(people=(one, other), score=0.5 if all(left) else float(left[1]))
        # The name of a game is derived from the round, so that a round that is made again after a fault has the same
        # games.
        return Pairing(people=(one, other), game=DrawnSecrets(tournament.salt, f"{number} {one} {other}").name())

    async def _make_games(self, tournament: Tournament) -> None:
        request, number = tournament.wanted, len(tournament.rounds) - 1
        assert request is not None
        for pairing in tournament.rounds[-1] if tournament.rounds else []:
            if not pairing.game or pairing.is_settled:
                continue
            drawn = DrawnSecrets(tournament.salt, f"{number} {pairing.people[0]} {pairing.people[1]}")
            made = await self.games.make(request, drawn, counted=True)  # nobody else knows the seats' secrets
            self._going[made.game] = tournament.id
            sides = [seat.side for seat in made.seats if seat.player == PERSON]
            people = [await self.sheets.get(Person, id) for id in pairing.people]
            seated = [(side, one) for side, one in zip(sides, people, strict=True) if one is not None]
            await self.games.seat(made.game, [(side, one.key, one.name) for side, one in seated])

    # Results of games.

    def watch(self, news: GameNews) -> None:
        id = self._going.get(news.game)
        if id is None or not (news.over or news.closed):
            return
        del self._going[news.game]
        if news.closed:
            self._in_background(self._note(id, news.game, None, "server"))
        else:
            score = 0.5 if news.winner is None else float(news.winner == news.playing[0])
            self._in_background(self._note(id, news.game, score))

    def _in_background(self, do: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(do)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _note(self, id: str, game: str, score: float | None, by: Decider = "") -> None:
        def put(one: Tournament) -> bool:
            pairing = one.pairing(game)
            if pairing is None or pairing.is_settled:
                return False
            pairing.score, pairing.by = score, by
            return True

        try:
            async with self._lock:
                await self.sheets.change(Tournament, id, put)
                await self._next_round(id)
        except (Refused, StorageFault, CannotContinue, InputError) as error:
            self._going[game] = id
            log.warning("the result of the game %s could not be recorded: %s", game, error)

    # Games that cannot continue.

    async def decide(self, person: Person, id: str, game: str, score: float | None) -> Tournament:
        """Decide a game whose players do not finish it; a later result of the game no longer counts.

        Raises Refused if the person does not own the tournament, or the game has been played to its end.

        Args:
            score: Points of the first player; None if the game counts for nobody.
        """
        if score not in (None, 0, 0.5, 1):
            raise refused("wrong-value", "A game is decided by 1, 0.5 or 0 points for the first player, or by none")

        def put(one: Tournament) -> None:
            pairing = one.pairing(game)
            if one.whose != person.id:
                raise refused("not-yours", "Only the owner of the club can decide games")
            if pairing is None:
                raise refused("not-found", "There is no such game in this tournament")
            if pairing.is_settled and not pairing.by:
                raise refused("over", "This game has been played to its end, and its result counts")
            pairing.score, pairing.by = score, "host"

        async with self._lock:
            tournament = await self.sheets.change(Tournament, id, put)
            self._going.pop(game, None)
            await self._tell_decided(tournament, game)
            await self._next_round(id)
        return await self._tournament(id)

    async def _tell_decided(self, tournament: Tournament, game: str) -> None:
        """Tell both players of a decided game, in its log and by their notices."""
        pairing = tournament.pairing(game)
        assert pairing is not None
        winner = None if pairing.score in (None, 0.5) else pairing.people[pairing.score == 0]
        sheet = None if winner is None else await self.sheets.get(Person, winner)
        if pairing.score is None:
            result = "it counts for nobody"
        elif winner is None:
            result = "it is a draw"
        else:
            result = f"{sheet.name if sheet is not None and sheet.name else 'somebody who has left'} wins"
        why = "The round has ended" if pairing.by == "time" else "The host of the tournament has decided this game"
        words = f"{why}: {result}. Its end on the table no longer counts there."
        await self._say(game, words)
        for person in pairing.people:
            self.notices.tell(person, Notice(kind="tournament", title=tournament.name, words=words, game=game))

    async def _say(self, game: str, words: str) -> None:
        try:
            await self.games.note(game, words)
        except (Refused, StorageFault, CannotContinue, NoSuchGame) as error:
            log.warning("no chat line could be added to the game %s: %s", game, error)

    def _wait_until_due(self, tournament: Tournament) -> None:
        earlier = self._deadlines.pop(tournament.id, None)
        if earlier is not None:
            earlier.cancel()
        if not tournament.due:
            return
        left = (datetime.fromisoformat(tournament.due) - datetime.now(UTC)).total_seconds()
        loop = asyncio.get_running_loop()
        # A timer has a longest duration. Longer times are waited for in parts.
        span = max(0.0, min(left, 86400.0))
        self._deadlines[tournament.id] = loop.call_later(span, lambda: self._in_background(self._due(tournament.id)))

    async def _due(self, id: str) -> None:
        """End the present round of a tournament if its time is up: the side whose turn it is loses its game.

        A game in which it is nobody's or both sides' turn counts for nobody.
        """
        try:
            async with self._lock:
                tournament = await self._tournament(id)
                if tournament.due and datetime.fromisoformat(tournament.due) <= datetime.now(UTC):
                    for pairing in [one for one in tournament.rounds[-1] if not one.is_settled]:
                        await self._end(tournament, pairing)
                    await self._next_round(id)
                else:
                    self._wait_until_due(tournament)
        except (Refused, StorageFault, CannotContinue, InputError) as error:
            log.warning("the round of the tournament %s could not be ended: %s", id, error)

    async def _end(self, tournament: Tournament, pairing: Pairing) -> None:
        try:
            news = await self.games.news(pairing.game)
        except NoSuchGame:
            news = None
        score = None
        if news is not None and len(news.waiting) == 1:
            score = float(news.waiting[0] != news.playing[0])

        def put(one: Tournament) -> bool:
            current = one.pairing(pairing.game)
            if current is None or current.is_settled:
                return False
            current.score, current.by = score, "time"
            return True

        changed = await self.sheets.change(Tournament, tournament.id, put)
        self._going.pop(pairing.game, None)
        await self._tell_decided(changed, pairing.game)

    async def resume(self) -> None:
        for tournament in await self.sheets.all(Tournament):
            if not tournament.begun or tournament.over:
                continue
            try:
                for pairing in tournament.rounds[-1]:
                    if pairing.game and not pairing.is_settled:
                        self._going[pairing.game] = tournament.id
                        try:
                            news = await self.games.news(pairing.game)
                        except NoSuchGame:  # the tournament was closed while the server was not running
                            news = news_of_closed(pairing.game)
                        if news is not None:
                            self.watch(news)
                self._wait_until_due(tournament)
                if tournament.round_over:
                    async with self._lock:
                        await self._next_round(tournament.id)
            except (Refused, StorageFault, CannotContinue, InputError) as error:
                log.warning("the tournament %s does not continue: %s", tournament.id, error)

    async def close(self) -> None:
        for deadline in self._deadlines.values():
            deadline.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def results(tournaments: Iterable[Tournament]) -> dict[str, list[int]]:
    """Return the numbers of games that each person has won, drawn and lost in some tournaments."""
    scores: dict[str, list[int]] = {}
    for pairing in (one for each in tournaments for pairings in each.rounds for one in pairings):
        if pairing.score is None or pairing.people[1] == BYE:
            continue
        for person, score in zip(pairing.people, (pairing.score, 1 - pairing.score), strict=True):
            scores.setdefault(person, [0, 0, 0])[{1.0: 0, 0.5: 1}.get(score, 2)] += 1
    return scores


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
