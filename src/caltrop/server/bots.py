"""Routes for programs that play over the network: a stream of events, and positions as computer players get them."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from caltrop.engine import stored
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.standing import stamp_of
from caltrop.server.people import PeopleRoutes, person_of, together_of
from caltrop.server.requests import Route, address_of, json_of, known_sides, number_of, tokens_of


class PositionView(msgspec.Struct, frozen=True, kw_only=True):
    """A position as the asking side may know it, for programs with Caltrop's rules."""

    game: str
    side: int
    ruleset: str
    edition: str
    rules: dict[str, Any]
    program: str
    """Name of the program and the rules; the state can be read only by the same program and rules."""
    decisions: dict[str, int]
    """Open decisions of this side: ids, and indices among the decisions of the state."""
    state: msgspec.Raw


class Bots:
    """The routes for programs that play."""

    def __init__(self, people: PeopleRoutes) -> None:
        self.people = people
        self.routes: list[Route] = [
            ("POST", "/api/me/bot", self.be_bot),
            ("GET", "/api/me/events", self.events),
            ("GET", "/api/games/{id}/position", self.position),
        ]

    async def be_bot(self, request: Request, games: Games) -> Response:
        """Register permanently as a program, which others can see."""
        person = person_of(request)
        return await self.people.view(request, await together_of(request).persons.be_bot(person.id))

    async def events(self, request: Request, games: Games) -> Response:
        """Stream the events of the asker's games as lines of JSON."""
        lines = await together_of(request).streams.listen(person_of(request).id, address_of(request))
        # An encoding is set so that lines are sent one by one, instead of being collected and compressed.
        headers = {"Cache-Control": "no-store", "Content-Encoding": "identity"}
        return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)

    async def position(self, request: Request, games: Games) -> Response:
        """Return a game as computer players get it: the state, without hidden information."""
        live = await games.open(request.path_params["id"][:40])
        sides = known_sides(live, tokens_of(request))
        side = number_of(request, "side")
        side = side if side is not None else next(iter(sides), None)
        if side is None or side not in sides:
            raise refused("not-your-seat", "You may not see the game from this seat")
        async with live.held():
            game = live.game
            asked = game.match.state.asked
            decisions = {id: asked.index(decision) for id, decision in game.ids() if decision.side == side}
            view = PositionView(
                game=game.id,
                side=side,
                ruleset=game.ruleset.name,
                edition=game.setup.edition,
                rules=game.setup.rules,
                program=stamp_of(game.ruleset),
                decisions=decisions,
                state=msgspec.Raw(stored(game.match.view(side))),
            )
            return json_of(view)
