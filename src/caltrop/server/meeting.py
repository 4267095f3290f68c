"""Finds opponents: open seats, a queue by strength, friends, ratings, and complaints about conduct."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.people import plain
from caltrop.host.together.openings import Seen
from caltrop.host.together.persons import Person
from caltrop.host.together.ratings import Rating, why_not_counted
from caltrop.host.together.sheets import StoredSheet
from caltrop.server.guard import Buckets
from caltrop.server.people import person_of, together_of
from caltrop.server.requests import Made, Route, address_of, drawn_by, json_of, known_sides, tokens_of
from caltrop.server.working import Working
from caltrop.wire import WrongMessage, read_strictly
from caltrop.wire.messages import NewGame
from caltrop.wire.together import (
    Befriend,
    Complain,
    FriendsView,
    InvitationView,
    InviteFriend,
    KeepApart,
    OfferSeat,
    OpeningsView,
    OpeningView,
    PeopleView,
    PersonView,
    QueueView,
    RatingsView,
    SeatPerson,
    StrengthView,
    TakenSeat,
)

COMPLAINTS = 10
"""Number of complaints from an address in an hour."""

COMPLAINT = 1000


class Complaint(StoredSheet, kw_only=True):
    """A complaint to the host of the server about a person's conduct."""

    kind: ClassVar[str] = "complaint"
    about: str = ""
    words: str = ""
    game: str = ""
    made: str = ""


class Meeting:
    """The routes for finding opponents.

    Args:
        working: Checks the texts of armies and scenarios.
    """

    def __init__(self, working: Working, made: Made) -> None:
        self.working, self.made = working, made
        self.complaints = Buckets(COMPLAINTS / 3600, COMPLAINTS)
        self.routes: list[Route] = [
            ("GET", "/api/openings", self.openings),
            ("POST", "/api/openings", self.offer),
            ("POST", "/api/openings/{id}/take", self.take),
            ("POST", "/api/openings/{id}/withdraw", self.withdraw),
            ("GET", "/api/queue", self.queue),
            ("POST", "/api/queue", self.join_queue),
            ("POST", "/api/queue/leave", self.leave_queue),
            ("GET", "/api/friends", self.friends),
            ("POST", "/api/people/{id}/friend", self.befriend),
            ("POST", "/api/people/{id}/apart", self.keep_apart),
            ("POST", "/api/people/{id}/complaint", self.complain),
            ("GET", "/api/people/{id}", self.person),
            ("GET", "/api/games/{id}/people", self.people),
            ("POST", "/api/games/{id}/invite", self.invite),
            ("GET", "/api/ratings/{id}", self.table),
        ]

    # Open seats.

    async def openings(self, request: Request, games: Games) -> Response:
        """Return the seats that anybody may take."""
        person: Person | None = request.state.person
        seats = await together_of(request).openings.shown(person)
        return json_of(OpeningsView(openings=tuple([_opening(games, seat, person) for seat in seats])))

    async def offer(self, request: Request, games: Games) -> Response:
        """Make a game with a seat that anybody may take."""
        body, person = read_strictly(await request.body(), OfferSeat), person_of(request)
        self.made.game(request)
        await self.working.try_texts(request, body.new)
        openings = together_of(request).openings
        return json_of(await openings.offer(person, body.new, body.words, drawn_by(request)), 201)

    async def take(self, request: Request, games: Games) -> Response:
        """Take an open seat, or a seat that is reserved for a friend."""
        person, id = person_of(request), request.path_params["id"][:40]
        side = await together_of(request).openings.take(person, id)
        return json_of(await _taken(games, id, side), 201)

    async def withdraw(self, request: Request, games: Games) -> Response:
        """Withdraw an open seat."""
        await together_of(request).openings.withdraw(person_of(request), request.path_params["id"][:40])
        return json_of({})

    # The queue of people who wait for an opponent.

    async def queue(self, request: Request, games: Games) -> Response:
        """Return the asker's place in the queue, and the game once it has been made."""
        person, openings = person_of(request), together_of(request).openings
        mine = await openings.waiting(person)
        if mine is None:
            return json_of(QueueView(waiting=False))
        seat = await _taken(games, mine.game, mine.side) if mine.game else None
        seconds = int(openings.clock() - mine.since)
        return json_of(QueueView(waiting=not mine.game, seconds=seconds, others=len(openings.queue) - 1, seat=seat))

    async def join_queue(self, request: Request, games: Games) -> Response:
        """Wait for an opponent of similar strength."""
        body, person = read_strictly(await request.body(), NewGame), person_of(request)
        if body.lesson is not None or body.ruling is not None or body.invited or body.armies:
            raise WrongMessage("the queue is for battles of two people with the armies of the scenario")
        self.made.game(request)
        await self.working.try_texts(request, body)
        games.library.find(body.ruleset)
        await together_of(request).openings.join(person, body)
        return await self.queue(request, games)

    async def leave_queue(self, request: Request, games: Games) -> Response:
        """Leave the queue."""
        together_of(request).openings.leave(person_of(request))
        return json_of(QueueView(waiting=False))

    # Friends and other people.

    async def friends(self, request: Request, games: Games) -> Response:
        """Return a person's friends, the open friend requests, and the seats reserved by friends."""
        person, openings = person_of(request), together_of(request).openings
        friends, asked, asking = await openings.friends(person.id)
        here = openings.here(friends)
        invitations = [
            InvitationView(
                game=invitation.game, side=invitation.side, ruleset=setup.ruleset, by="" if by is None else by.name,
                title=title_of(games, setup.ruleset, setup.scenario),
            )
            for invitation, setup, by in await openings.invitations(person.id)
        ]  # fmt: skip
        view = FriendsView(
            friends=await self._views(request, friends, here),
            asked=await self._views(request, asked),
            asking=await self._views(request, [one for one in asking if one not in person.blocked]),
            invitations=tuple(invitations),
        )
        return json_of(view)

    async def _views(self, request: Request, ids: Iterable[str], here: Iterable[str] = ()) -> tuple[PersonView, ...]:
        persons, ratings = together_of(request).persons, together_of(request).ratings
        views = []
        for id in ids:
            person = await persons.sheets.get(Person, id)
            if person is not None:
                views.append(person_view(person, await ratings.all_of(id), here=id in here))
        return tuple(views)

    async def befriend(self, request: Request, games: Games) -> Response:
        """Add or remove a friend."""
        body, person = read_strictly(await request.body(), Befriend), person_of(request)
        await together_of(request).openings.befriend(person, request.path_params["id"][:40], body.on)
        return await self.friends(request, games)

    async def keep_apart(self, request: Request, games: Games) -> Response:
        """Avoid being paired with a person, or mute that person."""
        body, person = read_strictly(await request.body(), KeepApart), person_of(request)
        together, other = (
            together_of(request),
            (await together_of(request).persons.find(request.path_params["id"][:40])).id,
        )
        if body.blocked is not None:
            person = await together.openings.keep_apart(person, other, body.blocked)
        if body.muted is not None:
            person = await together.persons.mute(person.id, other, body.muted)
        return json_of({"blocked": other in person.blocked, "muted": other in person.muted})

    async def complain(self, request: Request, games: Games) -> Response:
        """Tell the host of the server of somebody's conduct."""
        body, person = read_strictly(await request.body(), Complain), person_of(request)
        if not self.complaints.take(address_of(request)):
            raise refused("too-fast", "Too many complaints in one hour; try again later")
        together = together_of(request)
        about = await together.persons.find(request.path_params["id"][:40])
        words = plain(body.words, COMPLAINT, "A complaint")
        if not words:
            raise refused("wrong-value", "This complaint is empty")
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        complaint = Complaint(
            id=drawn_by(request).name(), whose=person.id, about=about.id, words=words, game=body.game[:40], made=made
        )
        await together.sheets.change(Complaint, complaint.id, lambda one: one.seq == 0, lambda: complaint)
        return json_of({}, 201)

    async def person(self, request: Request, games: Games) -> Response:
        """Return a person, as other people see them."""
        together = together_of(request)
        person = await together.persons.find(request.path_params["id"][:40])
        return json_of(person_view(person, await together.ratings.all_of(person.id)))

    async def people(self, request: Request, games: Games) -> Response:
        """Return the people of a game, for its players."""
        live = await games.open(request.path_params["id"][:40])
        if not known_sides(live, tokens_of(request)):
            raise refused("not-your-seat", "Only players of this game may see who the others are")
        together, people = together_of(request), []
        me: Person | None = request.state.person
        blocked, muted = ([], []) if me is None else (me.blocked, me.muted)
        for side in range(len(live.game.setup.seats)):
            for id in live.game.persons(side):
                person = await together.sheets.get(Person, id)
                if person is not None:
                    rating = await together.ratings.of(id, live.game.ruleset.name)
                    view = person_view(person, [rating] if rating.games else [])
                    people.append(SeatPerson(side=side, person=view, blocked=id in blocked, muted=id in muted))
        rated = live.game.setup.rated
        why = why_not_counted(live.game) if rated else ""
        return json_of(PeopleView(people=tuple(people), rated=rated, unrated=why))

    async def invite(self, request: Request, games: Games) -> Response:
        """Reserve a free seat for a friend."""
        body, person = read_strictly(await request.body(), InviteFriend), person_of(request)
        live = await games.open(request.path_params["id"][:40])
        await together_of(request).openings.invite(person, live, body.side, body.person)
        return json_of({}, 201)

    async def table(self, request: Request, games: Games) -> Response:
        """Return the strongest people of a game."""
        ruleset = games.library.find(request.path_params["id"][:40]).name
        rows = await together_of(request).ratings.table(ruleset)
        return json_of(RatingsView(people=tuple([person_view(person, [rating]) for person, rating in rows])))


def person_view(person: Person, ratings: Iterable[Rating], *, here: bool = False) -> PersonView:
    now = datetime.now(UTC)
    strengths = [
        StrengthView(
            ruleset=one.ruleset, rating=round(one.rating), deviation=round(one.strength(now).deviation), games=one.games
        )
        for one in ratings
    ]  # fmt: skip
    return PersonView(person=person.id, name=person.name, bot=person.bot, here=here, ratings=tuple(strengths))


def title_of(games: Games, ruleset: str, scenario: str) -> str:
    rules = games.library.find(ruleset)
    name = next((one.title for one in rules.scenarios() if one.id == scenario), "a battle of their own")
    return f"{rules.title}: {name}"


def _opening(games: Games, seat: Seen, person: Person | None) -> OpeningView:
    opening, host, strength, here = seat
    view = StrengthView(
        ruleset=opening.ruleset, rating=round(strength.rating), deviation=round(strength.deviation), games=0
    )  # fmt: skip
    return OpeningView(
        game=opening.id,
        ruleset=opening.ruleset,
        title=title_of(games, opening.ruleset, opening.scenario),
        scenario=opening.scenario if len(opening.scenario) < 60 else "",
        side=opening.side,
        words=opening.words,
        clock=opening.clock,
        live=opening.live,
        rated=opening.rated,
        host=PersonView(person=host.id, name=host.name, bot=host.bot, ratings=(view,)),
        here=here,
        own=person is not None and person.id == host.id,
    )


async def _taken(games: Games, id: str, side: int) -> TakenSeat:
    setup = (await games.look(id)).game.setup
    return TakenSeat(game=id, side=side, ruleset=setup.ruleset, title=title_of(games, setup.ruleset, setup.scenario))
