"""Clubs and their tournaments over HTTP."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.games import Games
from caltrop.host.together.clubs import Club, Tournament, results
from caltrop.host.together.persons import Person
from caltrop.server.meeting import person_view, title_of
from caltrop.server.people import person_of, together_of
from caltrop.server.requests import Made, Route, drawn_by, json_of
from caltrop.server.working import Working
from caltrop.wire import read_strictly
from caltrop.wire.together import (
    ClubEntry,
    ClubsView,
    ClubView,
    DecideGame,
    EnterTournament,
    MakeClub,
    PairingView,
    PersonView,
    PlanTournament,
    ResultView,
    StandingView,
    TakeOut,
    TournamentEntry,
    TournamentView,
)


class Gatherings:
    """The routes of clubs.

    Args:
        working: Checks the texts of armies and scenarios.
    """

    def __init__(self, working: Working, made: Made) -> None:
        self.working, self.made = working, made
        self.routes: list[Route] = [
            ("GET", "/api/clubs", self.clubs),
            ("POST", "/api/clubs", self.make),
            ("GET", "/api/clubs/{id}", self.club),
            ("POST", "/api/clubs/{id}/join", self.join),
            ("POST", "/api/clubs/{id}/leave", self.leave),
            ("POST", "/api/clubs/{id}/tournaments", self.plan),
            ("GET", "/api/tournaments/{id}", self.tournament),
            ("POST", "/api/tournaments/{id}/enter", self.enter),
            ("POST", "/api/tournaments/{id}/begin", self.begin),
            ("POST", "/api/tournaments/{id}/decide", self.decide),
        ]

    async def clubs(self, request: Request, games: Games) -> Response:
        clubs = await together_of(request).clubs.listed()
        entries = [ClubEntry(id=one.id, name=one.name, words=one.words, members=len(one.members)) for one in clubs]
        return json_of(ClubsView(clubs=tuple(entries)))

    async def make(self, request: Request, games: Games) -> Response:
        body, person = read_strictly(await request.body(), MakeClub), person_of(request)
        self.made.count(request, "Too many new clubs in one hour; join one of them")
        club = await together_of(request).clubs.make(person, body.name, body.words, drawn_by(request))
        return json_of(await self._view(request, games, club), 201)

    async def club(self, request: Request, games: Games) -> Response:
        """Return a club, with its members, the table of results and its tournaments."""
        club = await together_of(request).clubs.find(request.path_params["id"][:40])
        return json_of(await self._view(request, games, club))

    async def join(self, request: Request, games: Games) -> Response:
        """Become a member of a club."""
        club = await together_of(request).clubs.join(person_of(request), request.path_params["id"][:40])
        return json_of(await self._view(request, games, club))

    async def leave(self, request: Request, games: Games) -> Response:
        """Leave a club, or remove a member."""
        body, person = read_strictly(await request.body(), TakeOut), person_of(request)
        member = body.person or person.id
        club = await together_of(request).clubs.leave(person, request.path_params["id"][:40], member)
        return json_of(await self._view(request, games, club))

    async def plan(self, request: Request, games: Games) -> Response:
        body, person = read_strictly(await request.body(), PlanTournament), person_of(request)
        self.made.game(request)
        await self.working.try_texts(request, body.new)
        clubs, id = together_of(request).clubs, request.path_params["id"][:40]
        made = await clubs.plan(person, id, body.name, body.form, body.rounds, body.new, drawn_by(request), body.days)
        return json_of(await self._tournament(request, games, made), 201)

    async def tournament(self, request: Request, games: Games) -> Response:
        """Return a tournament, with its table and its rounds."""
        tournament = await together_of(request).clubs.look(request.path_params["id"][:40])
        return json_of(await self._tournament(request, games, tournament))

    async def enter(self, request: Request, games: Games) -> Response:
        """Enter a tournament, or leave it."""
        body, person = read_strictly(await request.body(), EnterTournament), person_of(request)
        tournament = await together_of(request).clubs.enter(person, request.path_params["id"][:40], body.on)
        return json_of(await self._tournament(request, games, tournament))

    async def begin(self, request: Request, games: Games) -> Response:
        tournament = await together_of(request).clubs.begin(person_of(request), request.path_params["id"][:40])
        return json_of(await self._tournament(request, games, tournament))

    async def decide(self, request: Request, games: Games) -> Response:
        """Decide a game of a tournament that its players do not finish."""
        body, person = read_strictly(await request.body(), DecideGame), person_of(request)
        clubs, id = together_of(request).clubs, request.path_params["id"][:40]
        return json_of(await self._tournament(request, games, await clubs.decide(person, id, body.game, body.score)))

    # Views.

    @staticmethod
    async def _people(request: Request, ids: Iterable[str], ruleset: str = "") -> dict[str, PersonView]:
        together, people = together_of(request), {}
        for id in ids:
            person = await together.sheets.get(Person, id)
            if person is not None:
                rating = await together.ratings.of(id, ruleset) if ruleset else None
                people[id] = person_view(person, [rating] if rating is not None and rating.games else [])
        return people

    async def _view(self, request: Request, games: Games, club: Club) -> ClubView:
        tournaments = await together_of(request).clubs.tournaments(club.id)
        counted = results(tournaments)
        people = await self._people(request, [*club.members, *counted])
        lines = [
            ResultView(person=people[id], wins=wins, draws=draws, losses=losses)
            for id, (wins, draws, losses) in counted.items()
            if id in people
        ]
        me: Person | None = request.state.person
        return ClubView(
            id=club.id,
            name=club.name,
            words=club.words,
            owner=club.whose,
            members=tuple([people[id] for id in club.members if id in people]),
            results=tuple(sorted(lines, key=lambda one: (-one.wins - one.draws / 2, one.losses, one.person.name))),
            tournaments=tuple([_entry(games, one) for one in tournaments]),
            member=me is not None and me.id in club.members,
        )

    async def _tournament(self, request: Request, games: Games, tournament: Tournament) -> TournamentView:
        ruleset = "" if tournament.wanted is None else tournament.wanted.ruleset
        people = await self._people(request, tournament.entrants, ruleset)
        nobody = PersonView(person="", name="Somebody who has left")
        table = [
            StandingView(person=people.get(id, nobody), points=points, against=against, gone=id in tournament.gone)
            for id, points, against in tournament.table()
        ]
        rounds = [
            tuple([PairingView(people=one.people, game=one.game, score=one.score, by=one.by) for one in pairings])
            for pairings in tournament.rounds
        ]
        return TournamentView(
            entry=_entry(games, tournament), club=tournament.club, owner=tournament.whose, length=tournament.length,
            table=tuple(table), rounds=tuple(rounds), days=tournament.days,
            due="" if tournament.over else tournament.due,
        )  # fmt: skip


def _entry(games: Games, tournament: Tournament) -> TournamentEntry:
    setting = tournament.wanted
    assert setting is not None
    scenario = setting.scenario or games.library.find(setting.ruleset).scenarios()[0].id
    return TournamentEntry(
        id=tournament.id,
        name=tournament.name,
        form=tournament.form,
        title=title_of(games, setting.ruleset, scenario),
        players=len(tournament.entrants),
        stage="over" if tournament.over else "going" if tournament.begun else "open",
    )
