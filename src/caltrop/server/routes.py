"""The HTTP routes about games and the page itself, together with all other routes."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match
from starlette.routing import Route as PlainRoute

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.engine import Refused
from caltrop.host.faults import refused
from caltrop.host.games import ONCE, Games
from caltrop.host.live import Live
from caltrop.host.nearness import measured
from caltrop.host.seats import ServerLibrary, key_of
from caltrop.journal import PERSON, encoded
from caltrop.server.administering import Administering
from caltrop.server.books import Books
from caltrop.server.bots import Bots
from caltrop.server.campaigning import Campaigning
from caltrop.server.counting import Counting
from caltrop.server.door import Door
from caltrop.server.drafting import Drafting
from caltrop.server.explaining import Explaining
from caltrop.server.gatherings import Gatherings
from caltrop.server.guard import ServerLimits, TooLarge, TooSlow, is_within_api
from caltrop.server.kit import FOLDER
from caltrop.server.measures import Health
from caltrop.server.meeting import Meeting
from caltrop.server.openapi import openapi
from caltrop.server.packing import Packs
from caltrop.server.page import asset, documentation, index, is_page, referee_asset
from caltrop.server.people import PeopleRoutes
from caltrop.server.refereeing import Refereeing
from caltrop.server.refusals import STATUS, refusal_of
from caltrop.server.requests import (
    Made,
    Route,
    as_file,
    drawn_by,
    encode,
    json_of,
    known_sides,
    number_of,
    once_of,
    raw_tokens_of,
    tokens_of,
)
from caltrop.server.said import Speaker, answer_to
from caltrop.server.sockets import Sockets
from caltrop.server.studies import Studies
from caltrop.server.working import Working
from caltrop.wire import SCHEMA_VERSION, RefusalMessage, WrongMessage, read_message, read_strictly
from caltrop.wire.actions import convert, read_json
from caltrop.wire.messages import (
    Ask,
    AskOdds,
    ClaimSeat,
    Done,
    HabitsView,
    HabitView,
    MadeSeat,
    NewGame,
    PlayOn,
    Settle,
)


class ServerRoutes:
    """All routes of the server.

    Args:
        prefix: The path under which a proxy shows the server; empty for none.
        admin: The secret of the administration route; empty to switch it off.
    """

    def __init__(
        self,
        library: ServerLibrary,
        limits: ServerLimits,
        static: Path,
        prefix: str,
        door: Door,
        studies: Path | None,
        admin: str = "",
    ) -> None:
        self.library, self.limits, self.static, self.prefix = library, limits, static, prefix
        self.counting = Counting()
        self.made = Made(limits)
        self.books = Books(library)
        self.working = Working(library, self.counting, self.made)
        self.health = Health()
        campaigning = Campaigning(self.counting, self.made)
        people = PeopleRoutes(self.made, prefix)
        self.routes: list[Route] = [
            ("GET", "/api/ping", self.ping),
            ("GET", "/healthz", self.healthz),
            ("GET", "/api/games", self.list_games),
            ("POST", "/api/games", self.make_game),
            ("GET", "/api/games/{id}", self.view),
            ("GET", "/api/games/{id}/glance", self.glance),
            ("GET", "/api/games/{id}/record", self.record),
            ("GET", "/api/games/{id}/pack", self.pack),
            ("GET", "/api/games/{id}/report", self.report),
            ("GET", "/api/games/{id}/analysis", self.analysis),
            ("POST", "/api/games/{id}/analysis", self.analyse),
            ("POST", "/api/games/{id}/analysis/stop", self.stop_analysis),
            ("POST", "/api/games/{id}/play-on", self.play_on),
            ("POST", "/api/games/{id}/rematch", self.rematch),
            ("GET", "/api/games/{id}/moments", self.moments),
            ("POST", "/api/games/{id}/messages", self.say),
            ("POST", "/api/games/{id}/claim", self.claim),
            ("POST", "/api/games/{id}/renew", self.renew),
            ("POST", "/api/games/{id}/settle", self.settle),
            ("GET", "/api/games/{id}/standing", self.standing),
            ("POST", "/api/games/{id}/propose", self.say_propose),
            ("POST", "/api/games/{id}/odds", self.say_odds),
            *door.routes,
            *self.working.routes,
            *Studies(studies, self.counting, at_home=door.may_open).routes,
            *campaigning.routes,
            *Administering(admin).routes,
            *Refereeing(library, self.working, static).routes,
            *Drafting(self.counting).routes,
            *Packs(self.counting).routes,
            *self.books.routes,
            *people.routes,
            *Bots(people).routes,
            *Meeting(self.working, self.made).routes,
            *Gatherings(self.working, self.made).routes,
        ]

    def add_to(self, app: Starlette) -> None:
        for method, path, do in self.routes:
            route = PlainRoute(path, self._told(do), methods=[method], name=do.__name__)
            # The page answers HEAD for every address. Programs that watch a server may use it for a health check.
            route.methods = {method, "HEAD"} if path == "/healthz" else {method}
            app.router.routes.append(route)
        app.router.add_websocket_route("/ws/{id}", Sockets(self.limits).live)
        app.router.add_route("/openapi.json", self.described, methods=["GET"])
        app.router.add_route("/{path:path}", self.page, methods=["GET", "HEAD"])
        app.add_exception_handler(405, self.other_way)

    async def described(self, request: Request) -> Response:
        """Return the routes as an OpenAPI document."""
        return json_of(openapi(self.routes))

    def _told(self, do: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
        async def told(request: Request) -> Response:
            try:
                request.state.person = await request.app.state.together.persons.recognise(raw_tokens_of(request))
                return await do(request, request.app.state.games)
            except TooLarge as error:
                return json_of(
                    refusal_of(refused("too-large", f"A request may have at most {quantity(str(error), 'byte')}")), 413
                )
            except TooSlow:
                words = (
                    f"A request has {quantity(f'{self.limits.body_seconds:.0f}', 'second')} to arrive; send it again"
                )
                return json_of(refusal_of(refused("too-slow", words)), 408)
            except ClientDisconnect:  # the client is gone and gets no answer
                return Response(status_code=400)
            except Exception as error:  # noqa: BLE001  every error becomes plain words
                refusal = refusal_of(error)
                return json_of(refusal, STATUS.get(refusal.code, 400))

        return told

    # Games

    async def ping(self, request: Request, games: Games) -> Response:
        """Return the name and version of Caltrop, and whether it can store games."""
        why = await games.trouble()
        about = {"caltrop": __version__, "wire": SCHEMA_VERSION}
        return json_of(about) if why is None else json_of({**about, "not_stored": why}, 503)

    async def healthz(self, request: Request, games: Games) -> Response:
        """Return whether games can be stored, by testing the database: status 200, or 503 with the reason."""
        why = await self.health.trouble(games)
        return json_of({"healthy": True}) if why is None else json_of({"healthy": False, "why": why}, 503)

    async def make_game(self, request: Request, games: Games) -> Response:
        """Make a game; the answer contains the secrets of the seats of people."""
        body = read_strictly(await request.body(), NewGame)
        self.made.game(request)
        await self.working.try_texts(request, body)
        return json_of(await games.make(body, drawn_by(request)), 201)

    async def list_games(self, request: Request, games: Games) -> Response:
        """Return the games in which the request's secrets have seats."""
        return json_of({"games": await games.list_of(tokens_of(request))})

    async def view(self, request: Request, games: Games) -> Response:
        """Return a game for one of its seats or for an onlooker; `at` asks for an earlier moment."""
        live, eyes = await self._looked_at(request, games)
        at = number_of(request, "at")
        if at is not None:
            await live.read_past()
        async with live.held():
            return json_of(live.game.view(eyes, at))

    async def glance(self, request: Request, games: Games) -> Response:
        """Return the table at the beginning of the last turn, for a list of the asker's games."""
        return json_of(await games.glance(request.path_params["id"][:40], tokens_of(request)))

    async def record(self, request: Request, games: Games) -> Response:
        """Return the recorded game. During the game, information hidden from the seat is left out."""
        live, eyes = await self._looked_at(request, games)
        text = encoded(await games.questions.record(live, eyes))
        return Response(text, media_type="application/json", headers=as_file(f"{live.game.id}.caltrop.json"))

    async def pack(self, request: Request, games: Games) -> Response:
        """Return the pack with which a game is played, so that the pack can be opened, and played with again."""
        live, _ = await self._looked_at(request, games)
        pack = live.game.setup.pack
        if pack is msgspec.UNSET or pack.content is msgspec.UNSET:
            raise refused("no-pack", "This game is played with the printed values, without a pack")
        return json_of(pack.content)

    async def analyse(self, request: Request, games: Games) -> Response:
        """Explain a finished battle, or return the progress of its explanation."""
        live, eyes = await self._looked_at(request, games)
        if live.game.over is None:
            raise refused("not-over", "This battle is not over; it can be explained when it is")
        if live.game.kept_back:
            raise refused("not-shown", "Something is still hidden; it can be explained once everything is shown")
        explaining: Explaining = request.app.state.explaining
        if explaining.look(_ended(live)).stage == "new":
            self.made.count(request, "Too many new series in one hour; try again later")
        return json_of(explaining.ask(_ended(live), await games.questions.record(live, eyes)))

    async def analysis(self, request: Request, games: Games) -> Response:
        """Return the state of a battle's explanation."""
        live, _ = await self._looked_at(request, games)
        explaining: Explaining = request.app.state.explaining
        return json_of(explaining.look(_ended(live)))

    async def stop_analysis(self, request: Request, games: Games) -> Response:
        """Stop an explanation, and keep its results so far."""
        live, _ = await self._looked_at(request, games)
        explaining: Explaining = request.app.state.explaining
        return json_of(explaining.stop(_ended(live)))

    async def play_on(self, request: Request, games: Games) -> Response:
        """Make a game that begins with the acts of a finished game, up to a moment, and continues with other dice."""
        live, sides = await self._game(request, games)
        body = read_strictly(await request.body(), PlayOn)
        self.made.game(request)
        return json_of(await games.play_on(live, body, sides, drawn_by(request)), 201)

    async def rematch(self, request: Request, games: Games) -> Response:
        """Make a rematch of a finished game with the sides swapped, the same game for all players."""
        live, sides = await self._game(request, games)
        self.made.game(request)
        return json_of(await games.rematch(live, sides), 201)

    async def report(self, request: Request, games: Games) -> Response:
        """Return the parts of a fault report: the recorded game, the view and the versions."""
        live, eyes = await self._looked_at(request, games)
        record = (
            await games.questions.record(live, eyes)
            if live.game.coach is None and live.game.setup.ruling is None
            else None
        )
        async with live.held():
            view = live.game.view(eyes)
        versions = {
            "caltrop": __version__,
            "python": platform.python_version(),
            "system": platform.system(),
            "wire": SCHEMA_VERSION,
        }
        text = encode({"format": "caltrop-report", "versions": versions, "view": view, "record": record})
        return Response(text, media_type="application/json", headers=as_file(f"{live.game.id}.report.json"))

    async def moments(self, request: Request, games: Games) -> Response:
        """Return moments of a game from a chosen side's view: during a game only the asker's own."""
        live, sides = await self._game(request, games)
        viewer = request.query_params.get("eyes")
        over = live.game.over is not None and not live.game.kept_back
        may: tuple[int | None, ...] = live.game.eyes if over else (*sides, None)
        eyes = next(iter(may)) if viewer is None else None if viewer == "none" else number_of(request, "eyes")
        if eyes not in may:
            raise refused("not-your-seat", "You may not see the game from this seat")
        first, count = number_of(request, "from") or 0, number_of(request, "count")
        return json_of(await games.questions.moments(live, eyes, may, first, count))

    async def say(self, request: Request, games: Games) -> Response:
        """Answer any message of a live connection for clients without one. `view` names the seat whose view of the
        result is returned.
        """
        live, sides = await self._game(request, games)
        eyes = number_of(request, "view")
        if eyes is not None and eyes not in sides:
            raise refused("not-your-seat", "You may not see the game from this seat")
        message = read_message(await request.body())
        once = once_of(request)
        if once is not None and once in live.sent:  # the answer to an earlier, equal request was lost
            answer: Any = Done(seq=live.sent[once], ref=message.ref)
        else:
            ONCE.set(once)
            answer = await answer_to(Speaker(games, live, sides, None), message)
        if eyes is not None and isinstance(answer, Done):
            with suppress(Refused):  # the change is stored, even if the game left memory afterwards
                async with live.held():
                    answer = msgspec.structs.replace(answer, view=live.game.view(eyes))
        return self._answer_to(answer)

    async def claim(self, request: Request, games: Games) -> Response:
        """Exchange the secret of an invitation for a private secret."""
        live, sides = await self._game(request, games)
        body, token = number_of(request, "side"), read_strictly(await request.body() or b"{}", ClaimSeat).token
        side = None if token is None or token in tokens_of(request) else live.game.keys.get(key_of(token))
        if side is not None:  # the answer to an earlier, equal request was lost
            return json_of(MadeSeat(side=side, player=PERSON, token=token), 201)
        if len(sides) != 1 if body is None else body not in sides:
            raise refused("wrong-token", "This link does not open a seat of this game: somebody else sits there")
        side = sides[0] if body is None else body
        return json_of(await games.seating.claim(live, side, tokens_of(request), token), 201)

    async def renew(self, request: Request, games: Games) -> Response:
        """Invite somebody else to a seat whose player is away, after time for the player to return."""
        live, sides = await self._game(request, games)
        side = number_of(request, "side")
        if side is None:
            raise WrongMessage("a seat must be named with `side`", "side")
        if not sides:
            raise refused("not-your-seat", "Only players of this game can invite others to a rematch")
        token = await games.seating.renew(live, sides, side, drawn_by(request))
        return json_of(token, 201 if isinstance(token, MadeSeat) else 202)

    async def settle(self, request: Request, games: Games) -> Response:
        """Choose what happens to a side whose player has left: it loses, or a computer or another person replaces the
        player.
        """
        live, sides = await self._game(request, games)
        body = read_strictly(await request.body(), Settle)
        if body.then == "computer":
            return json_of(await games.seating.replace(live, sides, body.side, body.player))
        if body.then == "person":
            return json_of(await games.seating.give(live, sides, body.side, drawn_by(request)), 201)
        return json_of(await games.seating.lose(live, sides, body.side))

    async def standing(self, request: Request, games: Games) -> Response:
        """Return the asker's standing answers, and the sides whose players have left."""
        live, sides = await self._game(request, games)
        async with live.held():
            game = live.game
            scale = game.ruleset.depict(game.match.view(None), None)
            habits = [
                HabitView(
                    number=habit.number, side=habit.side, decision=habit.decision, words=habit.words,
                    measure="" if habit.beyond is None else measured(scale, habit.beyond),
                )
                for habit in game.people.habits.values()
                if habit.side in sides
            ]  # fmt: skip
            active = getattr(game.match.state, "active", None)
            may = tuple([id for id, decision in game.ids() if decision.side in sides and decision.side != active])
            late = tuple([side for side in range(len(game.setup.seats)) if sides and game.is_late(side)])
        return json_of(HabitsView(habits=tuple(habits), may=may, late=late))

    async def say_propose(self, request: Request, games: Games) -> Response:
        """Return the result of a drag."""
        return await self._say_as(request, games, Ask)

    async def say_odds(self, request: Request, games: Games) -> Response:
        """Return the possible results of an action."""
        return await self._say_as(request, games, AskOdds)

    async def _say_as(self, request: Request, games: Games, kind: type[Ask] | type[AskOdds]) -> Response:
        live, sides = await self._game(request, games)
        value = read_json(await request.body())
        message = convert({"type": kind.__struct_config__.tag, **value} if isinstance(value, dict) else value, kind)
        return self._answer_to(await answer_to(Speaker(games, live, sides, None), message))

    @staticmethod
    def _answer_to(answer: Any) -> Response:
        return json_of(answer, STATUS.get(answer.code, 422) if isinstance(answer, RefusalMessage) else 200)

    async def _looked_at(self, request: Request, games: Games) -> tuple[Live, int | None]:
        live, sides = await self._game(request, games)
        eyes = number_of(request, "eyes")
        if eyes is None:
            return live, sides[0] if sides else None
        if eyes not in sides:
            raise refused("not-your-seat", "You may not see the game from this seat")
        return live, eyes

    async def _game(self, request: Request, games: Games) -> tuple[Live, tuple[int, ...]]:
        live = await games.open(request.path_params["id"][:40])
        sides = known_sides(live, tokens_of(request))
        live.watched = live.watched or not sides
        await games.seating.come_back(live, sides)
        return live, sides

    # The page

    # The page

    async def other_way(self, request: Request, error: Exception) -> Response:
        """Return an error for an address with the wrong method, with the allowed methods."""
        path = request.scope["path"]
        asked = [one for one in request.app.routes if one.matches(request.scope)[0] is not Match.NONE]
        # The page's own route accepts every address.
        ways = {way for one in asked for way in one.methods if one.endpoint != self.page}
        if not ways and not is_within_api(path):
            ways = {"GET", "HEAD"}
        if not ways:
            return json_of(refusal_of(refused("not-found", f"This server has no address {path[:80]}")), 404)
        allowed = ", ".join(sorted(ways))
        answer = json_of(refusal_of(refused("other-method", f"This address takes {allowed} only")), 405)
        answer.headers["Allow"] = allowed
        return answer

    async def page(self, request: Request) -> Response:
        """Return a file of the built client, or the page itself, with status 404 for an address that does not exist."""
        path = request.path_params["path"]
        if is_within_api(f"/{path}"):
            return json_of(refusal_of(refused("not-found", f"This server has no address /{path[:80]}")), 404)
        if path == "docs":
            return RedirectResponse("docs/")
        if path.startswith("docs/"):
            return await asyncio.to_thread(documentation, path.removeprefix("docs/"))
        root = self.static.resolve()
        file = (self.static / path).resolve()
        try:
            is_file = file.is_file() or (path.startswith(f"{FOLDER}/") and file.with_name(f"{file.name}.gz").is_file())
        except OSError:  # a name that is impossible for a file
            is_file = False
        if path and is_file and file.is_relative_to(root) and not file.name.startswith("."):
            if path.startswith(f"{FOLDER}/"):
                return await asyncio.to_thread(referee_asset, file)
            return await asyncio.to_thread(asset, file, path.startswith("assets/"))
        if "." in path.rpartition("/")[2]:
            return json_of(refusal_of(refused("not-found", "There is no such file")), 404)
        status = 200 if is_page(path, self.library.names()) else 404
        origin = f"{request.url.scheme}://{request.url.netloc}"
        return await asyncio.to_thread(index, root / "index.html", self.prefix, status, origin)


def _ended(live: Live) -> str:
    return f"{live.game.id} {len(live.game.match.history)}"
