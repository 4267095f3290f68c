"""Clubs and their tournaments over HTTP."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import Request, Response

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
    """Everything that can be asked of clubs.

    Args:
        working: Tries the texts of armies and scenarios.
        made: Counts what is made.
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
        ]

    async def clubs(self, request: Request, games: Games) -> Response:
        """All clubs."""
        found = await together_of(request).clubs.listed()
        entries = [ClubEntry(id=one.id, name=one.name, words=one.words, members=len(one.members)) for one in found]
        return json_of(ClubsView(clubs=tuple(entries)))

    async def make(self, request: Request, games: Games) -> Response:
        """Make a club."""
        wanted, person = read_strictly(await request.body(), MakeClub), person_of(request)
        self.made.count(request, "clubs", "join one of them")
        club = await together_of(request).clubs.make(person, wanted.name, wanted.words, drawn_by(request))
        return json_of(await self._view(request, games, club), 201)

    async def club(self, request: Request, games: Games) -> Response:
        """A club, with its members, the table of results and its tournaments."""
        club = await together_of(request).clubs.find(request.path_params["id"][:40])
        return json_of(await self._view(request, games, club))

    async def join(self, request: Request, games: Games) -> Response:
        """Become a member of a club."""
        club = await together_of(request).clubs.join(person_of(request), request.path_params["id"][:40])
        return json_of(await self._view(request, games, club))

    async def leave(self, request: Request, games: Games) -> Response:
        """Be a member no more, or have somebody else be none."""
        wanted, person = read_strictly(await request.body(), TakeOut), person_of(request)
        member = wanted.person or person.id
        club = await together_of(request).clubs.leave(person, request.path_params["id"][:40], member)
        return json_of(await self._view(request, games, club))

    async def plan(self, request: Request, games: Games) -> Response:
        """Plan a tournament."""
        wanted, person = read_strictly(await request.body(), PlanTournament), person_of(request)
        self.made.game(request)
        await self.working.try_texts(request, wanted.new)
        clubs, id = together_of(request).clubs, request.path_params["id"][:40]
        made = await clubs.plan(person, id, wanted.name, wanted.form, wanted.rounds, wanted.new, drawn_by(request))
        return json_of(await self._tournament(request, games, made), 201)

    async def tournament(self, request: Request, games: Games) -> Response:
        """A tournament, with its table and its rounds."""
        found = await together_of(request).clubs.look(request.path_params["id"][:40])
        return json_of(await self._tournament(request, games, found))

    async def enter(self, request: Request, games: Games) -> Response:
        """Enter a tournament, or leave it."""
        wanted, person = read_strictly(await request.body(), EnterTournament), person_of(request)
        found = await together_of(request).clubs.enter(person, request.path_params["id"][:40], wanted.on)
        return json_of(await self._tournament(request, games, found))

    async def begin(self, request: Request, games: Games) -> Response:
        """Begin a tournament."""
        found = await together_of(request).clubs.begin(person_of(request), request.path_params["id"][:40])
        return json_of(await self._tournament(request, games, found))

    # What is shown.

    @staticmethod
    async def _people(request: Request, ids: Iterable[str], ruleset: str = "") -> dict[str, PersonView]:
        together, found = together_of(request), {}
        for id in ids:
            person = await together.sheets.get(Person, id)
            if person is not None:
                rating = await together.ratings.of(id, ruleset) if ruleset else None
                found[id] = person_view(person, [rating] if rating is not None and rating.games else [])
        return found

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

    async def _tournament(self, request: Request, games: Games, found: Tournament) -> TournamentView:
        ruleset = "" if found.wanted is None else found.wanted.ruleset
        people = await self._people(request, found.entrants, ruleset)
        nobody = PersonView(person="", name="Somebody who is gone")
        table = [
            StandingView(person=people.get(id, nobody), points=points, against=against, gone=id in found.gone)
            for id, points, against in found.table()
        ]
        rounds = [
            tuple([PairingView(people=one.people, game=one.game, score=one.score) for one in pairings])
            for pairings in found.rounds
        ]
        return TournamentView(
            entry=_entry(games, found), club=found.club, owner=found.whose, length=found.length,
            table=tuple(table), rounds=tuple(rounds),
        )  # fmt: skip


def _entry(games: Games, found: Tournament) -> TournamentEntry:
    wanted = found.wanted
    assert wanted is not None
    scenario = wanted.scenario or games.library.find(wanted.ruleset).scenarios()[0].id
    return TournamentEntry(
        id=found.id,
        name=found.name,
        form=found.form,
        title=title_of(games, wanted.ruleset, scenario),
        players=len(found.entrants),
        stage="over" if found.over else "going" if found.begun else "open",
    )
