"""The routes: what is asked over HTTP and over live connections, and the page itself.

Nothing here knows a rule. An error is told in plain words and as a refusal; what went wrong inside is written to the
log, and never told.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.middleware.gzip import GZipMiddleware

import caltrop
from caltrop import InputError, __version__
from caltrop.engine import Loud, Proposal, Refused, Wish, ruleset, with_part
from caltrop.host.campaigns import Campaigns
from caltrop.host.faults import CannotContinue, Damaged, NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.making import opening
from caltrop.host.seats import Library, key_of
from caltrop.host.storage import Storage, StorageFault
from caltrop.journal import Setting, encoded
from caltrop.roster import is_text
from caltrop.scenarios.rulings import rulings
from caltrop.server.counting import (
    TEXT_SECONDS,
    Counting,
    Line,
    attack_form,
    refereed,
    replayed,
    try_campaign,
    try_texts,
    verdict,
)
from caltrop.server.guard import Bucket, Buckets, Guard, Limits, Network, TooLarge, TooSlow, is_within_api
from caltrop.server.lab import Lab
from caltrop.server.page import asset, index, is_page
from caltrop.wire import SCHEMA_VERSION, RefusalMessage, WrongMessage, catalogue, read_message, read_strictly
from caltrop.wire.actions import convert, read_json
from caltrop.wire.messages import (
    Answer,
    Ask,
    AskOdds,
    AskSight,
    BecauseMessage,
    CountBattle,
    Done,
    Eyes,
    FieldBattle,
    Hello,
    LoudMessage,
    Message,
    NewCampaign,
    NewGame,
    NewSeries,
    OddsMessage,
    PickedUpMessage,
    PickUp,
    Ping,
    Pong,
    ProposalMessage,
    Redo,
    Ref,
    Resign,
    ShowAll,
    SightMessage,
    Takeback,
    Typed,
    Undo,
    Usually,
    Why,
)

log = logging.getLogger("caltrop.server")

STATIC = Path(caltrop.__file__).parent / "static"

HELLO_SECONDS = 20.0
GOODBYE_SECONDS = 5.0
QUEUE = 512
"""Messages that may wait for a slow client before it is dropped; it comes back and is shown what it missed."""

FILES = ("/api/verify", "/api/replay", "/api/campaigns/file")
"""Where files are sent to, which may be larger than other requests."""

SMALL_TEXT = 8_192
"""Characters of scenarios and armies that are read here at once: the worst of them cost some hundredths of a second."""

SMALL_FILE = 65_536
"""Bytes of a campaign's file of which the same holds: it is JSON, which is read faster."""

_encode = msgspec.json.Encoder(enc_hook=str).encode

_STATUS = {
    "stale-decision": 409,
    "over": 409,
    "not-your-decision": 403,
    "wrong-token": 403,
    "not-your-seat": 403,
    "not-found": 404,
    "no-battle": 409,
    "goes-on": 409,
    "battle-goes-on": 409,
    "too-fast": 429,
    "busy": 503,
    "out-of-time": 422,
    "too-much": 422,
    "other-rules": 409,
    "damaged": 409,
    "not-stored": 503,
    "broken": 500,
}


def create_app(
    database: str,
    *,
    library: Library | None = None,
    limits: Limits | None = None,
    names: Sequence[str] = (),
    open_to_network: bool = False,
    proxies: Sequence[Network] = (),
    prefix: str = "",
    static: Path = STATIC,
    loaded: Callable[[], None] | None = None,
) -> Guard:
    """The whole server as an ASGI application.

    Args:
        database: Where games are kept.
        library: What can be played.
        limits: Sizes and rates.
        names: Names that the server goes by, besides those of this machine.
        open_to_network: Whether it listens beyond this machine.
        proxies: Proxies that are believed when they say from which address a request comes.
        prefix: The path under which a proxy shows the server, as `/games`; empty for none.
        static: The built client.
        loaded: Called once, when the rulebooks have been read.

    Raises:
        InputError: when the database cannot be opened.
    """
    limits = limits or Limits()
    library = library or Library()
    storage = Storage(database)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        games = app.state.games = Games(storage, library)
        lab = app.state.lab = Lab(library)
        reading = routes.begin()
        if loaded is not None:
            reading.add_done_callback(lambda _: loaded())
        yield
        await asyncio.to_thread(lab.close)
        await asyncio.to_thread(routes.counting.close)
        await games.close()

    # The pages of the interface description would load scripts from elsewhere, which the page's own policy forbids.
    app = FastAPI(title="Caltrop", version=__version__, lifespan=life, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=6)
    app.add_exception_handler(Exception, _broken)
    routes = _Routes(library, limits, static, storage, prefix)
    routes.add_to(app)
    return Guard(app, limits, tuple(names), open_to_network, files=FILES, proxies=tuple(proxies), prefix=prefix)


async def _broken(request: Request, error: Exception) -> Response:
    # The guard writes the error down, which is raised again after this answer.
    return _json(_refusal(refused("broken", "Something in the program went wrong; nothing has changed")), 500)


def _json(value: Any, status: int = 200) -> Response:
    return Response(_encode(value), status, media_type="application/json", headers={"Cache-Control": "no-store"})


def _ready(text: bytes) -> Response:
    """An answer that is JSON already, gzipped or not."""
    headers = {"Cache-Control": "no-store"}
    if text[:2] == b"\x1f\x8b":
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(text, media_type="application/json", headers=headers)


def _address(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


def _refusal(error: Exception, ref: Ref = None) -> RefusalMessage:
    """Any error in plain words."""
    if isinstance(error, Refused):
        return RefusalMessage.of(error.refusal, ref)
    if isinstance(error, WrongMessage):
        message = f"This message cannot be read: {error}"
        return RefusalMessage(code="wrong-message", clause="", message=message, values={}, field=error.field, ref=ref)
    if isinstance(error, Damaged):
        words = f"This game is damaged: {error}. What is stored of it is left as it is"
        return RefusalMessage(code=error.fault, clause="", message=words, values={}, ref=ref)
    if isinstance(error, CannotContinue):
        words = f"The rules have changed since this game was played, and it does not go on: {error}"
        return RefusalMessage(code="other-rules", clause="", message=words, values={}, ref=ref)
    if isinstance(error, StorageFault):
        words = f"The database of this server cannot be used: {error}. Nothing has changed"
        return RefusalMessage(code="not-stored", clause="", message=words, values={"why": error.why}, ref=ref)
    if isinstance(error, NoSuchGame):
        return RefusalMessage(code="not-found", clause="", message="There is no such game here", values={}, ref=ref)
    if isinstance(error, InputError):
        field = error.field or ""
        return RefusalMessage(code="wrong-value", clause="", message=str(error), values={}, field=field, ref=ref)
    log.error("a message could not be answered", exc_info=error)
    words = "Something in the program went wrong; nothing has changed, and the game goes on"
    return RefusalMessage(code="broken", clause="", message=words, values={}, ref=ref)


def _tokens(request: Request) -> list[str]:
    """The secrets that a request presents: `Authorization: Bearer SECRET,SECRET`."""
    kind, _, rest = request.headers.get("authorization", "").partition(" ")
    return [token.strip() for token in rest.split(",") if token.strip()][:64] if kind.lower() == "bearer" else []


def _sides(live: Live, tokens: Sequence[str]) -> tuple[int, ...]:
    """The seats that these secrets open.

    Raises:
        Refused: when one of them opens none in this game.
    """
    found = []
    for token in tokens:
        side = live.game.keys.get(key_of(token))
        if side is None:
            raise refused("wrong-token", "This link does not open a seat of this game")
        found.append(side)
    return tuple(dict.fromkeys(found))


def _known_sides(live: Live, tokens: Sequence[str]) -> tuple[int, ...]:
    """The seats that any of these secrets open; those of other games are passed over."""
    found = [live.game.keys.get(key_of(token)) for token in tokens]
    return tuple(dict.fromkeys(side for side in found if side is not None))


def _seat(sides: Sequence[int], wanted: int | None, eyes: int | None) -> int:
    """The side that a message speaks for.

    Raises:
        Refused: when the client has no such seat.
    """
    side = wanted if wanted is not None else eyes
    if side is None and len(sides) == 1:
        side = sides[0]
    if side is None or side not in sides:
        raise refused("not-your-seat", "This seat is not yours to play")
    return side


class _Connection:
    """A live connection: what it may play, whose eyes it has, and what waits to be sent."""

    def __init__(self, socket: WebSocket, limits: Limits) -> None:
        self.socket = socket
        self.sides: tuple[int, ...] = ()
        self.eyes: int | None = None
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        self.bucket = Bucket(limits.messages, limits.message_burst)
        self.dropped = False
        self.last: bytes | None = None
        """What is said before the connection is closed."""

    def tell(self, message: bytes) -> None:
        """Have a message sent; who does not keep up is dropped, and comes back."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.drop()

    def answer(self, message: bytes) -> None:
        """Have an answer sent; also where the connection is about to be closed, because it may say why."""
        if self.dropped:
            self.last = message
        else:
            self.tell(message)

    def drop(self) -> None:
        """Have the connection closed."""
        if not self.dropped:
            self.dropped = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)

    async def write(self) -> None:
        """Send what waits, in order."""
        while True:
            message = await self.queue.get()
            if message is None:
                if self.last is not None:
                    await self.socket.send_text(self.last.decode())
                await self.socket.close(1013, "come back")
                return
            # Text, because that is what a page reads as JSON without more ado.
            await self.socket.send_text(message.decode())


class _Routes:
    """Everything that can be asked."""

    def __init__(self, library: Library, limits: Limits, static: Path, storage: Storage, prefix: str) -> None:
        self.library, self.limits, self.static, self.storage = library, limits, static, storage
        self.prefix = prefix
        self.counting = Counting()
        self.made = Buckets(limits.games_an_hour / 3600, limits.games_an_hour)
        self._catalogue: asyncio.Task[bytes] | None = None
        self._rules: dict[str, bytes] = {}
        self._openings: dict[tuple[str, str], bytes] = {}

    def begin(self) -> asyncio.Task[bytes]:
        """Begin with what the first page asks for before it asks: the rulebooks are read in the meantime."""
        if self._catalogue is None or self._catalogue.cancelled():
            self._catalogue = asyncio.create_task(asyncio.to_thread(self._made_catalogue))
        return self._catalogue

    def add_to(self, app: FastAPI) -> None:
        """Put the routes on the application."""
        plain: list[tuple[str, str, Callable[..., Awaitable[Response]]]] = [
            ("GET", "/api/ping", self.ping),
            ("GET", "/api/catalogue", self.catalogue),
            ("GET", "/api/games", self.list_games),
            ("POST", "/api/games", self.make_game),
            ("GET", "/api/games/{id}", self.view),
            ("GET", "/api/games/{id}/record", self.record),
            ("GET", "/api/games/{id}/report", self.report),
            ("GET", "/api/games/{id}/moments", self.moments),
            ("POST", "/api/verify", self.verify),
            ("POST", "/api/replay", self.replay),
            ("GET", "/api/odds", self.with_referees),
            ("POST", "/api/odds", self.odds),
            ("POST", "/api/odds/form", self.form),
            ("POST", "/api/resolve", self.resolve),
            ("POST", "/api/lab", self.series),
            ("GET", "/api/lab/{id}", self.series_now),
            ("POST", "/api/lab/{id}/stop", self.stop_series),
            ("GET", "/api/lab/{id}/against/{other}", self.compare_series),
            ("GET", "/api/campaigns", self.with_campaigns),
            ("POST", "/api/campaigns", self.begin_campaign),
            ("POST", "/api/campaigns/file", self.take_in_campaign),
            ("GET", "/api/campaigns/{id}", self.campaign),
            ("POST", "/api/campaigns/{id}/claim", self.claim_campaign),
            ("GET", "/api/campaigns/{id}/file", self.campaign_file),
            ("POST", "/api/campaigns/{id}/battle", self.campaign_battle),
            ("POST", "/api/campaigns/{id}/give-up", self.give_up_battle),
            ("POST", "/api/campaigns/{id}/count", self.count_battle),
            ("GET", "/api/rules/{id}", self.rules),
            ("GET", "/api/rules/{id}/opening", self.opening),
            ("POST", "/api/games/{id}/messages", self.say),
            ("POST", "/api/games/{id}/propose", self.say_propose),
            ("POST", "/api/games/{id}/odds", self.say_odds),
        ]
        for method, path, do in plain:
            app.add_api_route(path, self._told(do), methods=[method], name=do.__name__, summary=_summary(do))
        app.add_api_websocket_route("/ws/{id}", self.live)
        app.add_api_route("/{path:path}", self.page, methods=["GET", "HEAD"], include_in_schema=False)

    def _told(self, do: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
        """The same, with errors as refusals."""

        async def told(request: Request) -> Response:
            try:
                return await do(request, request.app.state.games)
            except TooLarge as error:
                return _json(_refusal(refused("too-large", f"A request may have {error} bytes at most")), 413)
            except TooSlow:
                words = f"A request has {self.limits.body_seconds:.0f} seconds to arrive; send it again"
                return _json(_refusal(refused("too-slow", words)), 408)
            except Exception as error:  # noqa: BLE001  every error becomes plain words
                refusal = _refusal(error)
                return _json(refusal, _STATUS.get(refusal.code, 400))

        return told

    # HTTP

    async def ping(self, request: Request, games: Games) -> Response:
        """Say that this is Caltrop, and which."""
        return _json({"caltrop": __version__, "wire": SCHEMA_VERSION})

    async def catalogue(self, request: Request, games: Games) -> Response:
        """What there is to play."""
        found = await asyncio.shield(self.begin())
        return Response(found, media_type="application/json", headers={"Cache-Control": "no-store"})

    def _made_catalogue(self) -> bytes:
        found = []
        for name in self.library.names():
            try:
                found.append((self.library.find(name), self.library.levels(name)))
            except Exception:  # one game that cannot be loaded does not close the lobby to the others
                log.exception("the game %s cannot be loaded", name)
        return _encode(catalogue(found))

    async def make_game(self, request: Request, games: Games) -> Response:
        """Make a game; the answer has the secret of every person's seat."""
        wanted = read_strictly(await request.body(), NewGame)
        self._take(request)
        await self._try_texts(request, wanted)
        return _json(await games.make(wanted), 201)

    async def _try_texts(self, request: Request, wanted: NewGame | NewSeries) -> None:
        """Have texts of a scenario and of armies read in a process that can be ended, before they are read here.

        Raises:
            Refused: when they take too long.
            InputError: for what is wrong with them.
        """
        if sum(len(word) for word in (wanted.scenario or "", *wanted.armies) if is_text(word)) <= SMALL_TEXT:
            return
        rules = self.library.find(wanted.ruleset)
        scenario = wanted.scenario or rules.scenarios()[0].id
        self.library.check(rules, scenario, wanted.armies)
        setting = Setting(
            ruleset=rules.name,
            edition=wanted.edition or rules.editions[0],
            rules=wanted.rules,
            scenario=scenario,
            armies=wanted.armies,
            size=wanted.size,
        )
        with self.counting.records.place(_address(request)):
            await self.counting.records.call(_address(request), try_texts, setting, seconds=TEXT_SECONDS)

    def _take(self, request: Request) -> None:
        """Count what is made.

        Raises:
            Refused: when somebody makes too much.
        """
        if not self.made.take(_address(request)):
            raise refused("too-fast", "That are too many games for one hour; play one of them")

    async def list_games(self, request: Request, games: Games) -> Response:
        """The games that the secrets presented have seats in."""
        return _json({"games": await games.list_of(_tokens(request))})

    async def view(self, request: Request, games: Games) -> Response:
        """A game as one of its seats may see it, or as an onlooker does; `at` asks for an earlier moment."""
        live, eyes = await self._looked_at(request, games)
        at = _number(request, "at")
        async with live.lock:
            return _json(live.game.view(eyes, at))

    async def record(self, request: Request, games: Games) -> Response:
        """The recorded game; while it goes on, without what the seat may not know."""
        live, eyes = await self._looked_at(request, games)
        text = encoded(await games.questions.record(live, eyes))
        return Response(text, media_type="application/json", headers=_as_file(f"{live.game.id}.caltrop.json"))

    async def report(self, request: Request, games: Games) -> Response:
        """What a report of a fault needs: the recorded game, the view and the versions."""
        live, eyes = await self._looked_at(request, games)
        record = await games.questions.record(live, eyes) if live.game.coach is None else None
        async with live.lock:
            view = live.game.view(eyes)
        versions = {
            "caltrop": __version__,
            "python": platform.python_version(),
            "system": platform.system(),
            "wire": SCHEMA_VERSION,
        }
        text = _encode({"format": "caltrop-report", "versions": versions, "view": view, "record": record})
        return Response(text, media_type="application/json", headers=_as_file(f"{live.game.id}.report.json"))

    async def moments(self, request: Request, games: Games) -> Response:
        """Moments of a game; who looks chooses the eyes: its own seats' until everything is shown, then anybody's."""
        live, sides = await self._game(request, games)
        wanted = request.query_params.get("eyes")
        over = live.game.over is not None and not live.game.kept_back
        may: tuple[int | None, ...] = live.game.eyes if over else (*sides, None)
        eyes = next(iter(may)) if wanted is None else None if wanted == "none" else _number(request, "eyes")
        if eyes not in may:
            raise refused("not-your-seat", "This seat is not yours to look from")
        first, count = _number(request, "from") or 0, _number(request, "count")
        return _json(await games.questions.moments(live, eyes, may, first, count))

    async def verify(self, request: Request, games: Games) -> Response:
        """Play a recorded game again, and say whether every digest agrees."""
        return await self._worked_out(request, self.counting.records, verdict)

    async def replay(self, request: Request, games: Games) -> Response:
        """The moments of a recorded game."""
        return await self._worked_out(request, self.counting.records, replayed)

    async def _worked_out(self, request: Request, line: Line, do: Callable[..., bytes]) -> Response:
        """What a file that is sent comes to."""
        with line.place(_address(request)):
            text = await request.body()
            packed = "gzip" in request.headers.get("accept-encoding", "")
            return _ready(await line.call(_address(request), do, text, self.library.files, packed))

    async def _refereed(self, request: Request, what: Literal["odds", "resolve"]) -> Response:
        """What an attack request comes to."""
        with self.counting.odds.place(_address(request)):
            wanted = read_json(await request.body())
            return _ready(await self.counting.odds.call(_address(request), refereed, what, wanted))

    async def odds(self, request: Request, games: Games) -> Response:
        """Everything that one attack can end in: an attack request without dice."""
        return await self._refereed(request, "odds")

    async def with_referees(self, request: Request, games: Games) -> Response:
        """The games whose attacks have odds."""
        self.counting.odds.warm()  # whoever asks for this asks for odds next
        return _json({"rulesets": with_part("referee")})

    async def form(self, request: Request, games: Games) -> Response:
        """What an attack request may hold: its schema, and what its fields may be given those filled in."""
        with self.counting.odds.place(_address(request)):
            wanted = read_json(await request.body())
            return _ready(await self.counting.odds.call(_address(request), attack_form, wanted))

    async def series(self, request: Request, games: Games) -> Response:
        """Have a series of computer battles played, or look at the one that was asked for before."""
        wanted = read_strictly(await request.body(), NewSeries)
        if wanted.begin and not self.made.take(_address(request)):
            raise refused("too-fast", "That are too many series for one hour; try again later")
        await self._try_texts(request, wanted)
        lab: Lab = request.app.state.lab
        return _json(await asyncio.to_thread(lab.ask, wanted))

    async def series_now(self, request: Request, games: Games) -> Response:
        """How a series stands."""
        lab: Lab = request.app.state.lab
        return _json(lab.look(request.path_params["id"]))

    async def stop_series(self, request: Request, games: Games) -> Response:
        """Stop a series; what has been played of it is kept."""
        lab: Lab = request.app.state.lab
        return _json(lab.stop(request.path_params["id"]))

    async def compare_series(self, request: Request, games: Games) -> Response:
        """What differs between two series."""
        lab: Lab = request.app.state.lab
        return _json({"comparison": lab.compare(request.path_params["id"], request.path_params["other"])})

    async def resolve(self, request: Request, games: Games) -> Response:
        """One attack with the dice given: an attack request."""
        return await self._refereed(request, "resolve")

    async def with_campaigns(self, request: Request, games: Games) -> Response:
        """The games that have campaigns."""
        return _json({"rulesets": with_part("campaigns")})

    async def begin_campaign(self, request: Request, games: Games) -> Response:
        """Begin a campaign; the answer has its secret."""
        wanted = read_strictly(await request.body(), NewCampaign)
        self._take(request)
        return _json(await Campaigns(games).begin(wanted), 201)

    async def take_in_campaign(self, request: Request, games: Games) -> Response:
        """Keep a campaign that was played elsewhere: its file; the answer has its secret."""
        with self.counting.records.place(_address(request)):
            text = await request.body()
            self._take(request)
            if len(text) > SMALL_FILE:
                await self.counting.records.call(_address(request), try_campaign, text, seconds=TEXT_SECONDS)
        return _json(await Campaigns(games).take_in(text), 201)

    async def claim_campaign(self, request: Request, games: Games) -> Response:
        """The secret of a campaign that was begun when it had none, for whoever has a seat in one of its battles."""
        self._take(request)
        return _json(await Campaigns(games).claim(request.path_params["id"], _tokens(request)), 201)

    async def campaign(self, request: Request, games: Games) -> Response:
        """How a campaign stands, and the battle of it that is being played."""
        return _json(await Campaigns(games).look(request.path_params["id"], _tokens(request)))

    async def campaign_file(self, request: Request, games: Games) -> Response:
        """A campaign as a file."""
        id = request.path_params["id"]
        text = await Campaigns(games).file(id, _tokens(request))
        return Response(text, media_type="application/json", headers=_as_file(f"{id}.caltrop-campaign.json"))

    async def campaign_battle(self, request: Request, games: Games) -> Response:
        """Make the next battle of a campaign; the answer has the secret of its seat."""
        wanted = read_strictly(await request.body(), FieldBattle)
        self._take(request)
        return _json(await Campaigns(games).battle(request.path_params["id"], _tokens(request), wanted), 201)

    async def give_up_battle(self, request: Request, games: Games) -> Response:
        """Give the battle of a campaign up, which is to lose it."""
        return _json(await Campaigns(games).give_up(request.path_params["id"], _tokens(request)))

    async def count_battle(self, request: Request, games: Games) -> Response:
        """What the battle of a campaign comes to; it is counted where that is asked for."""
        wanted = read_strictly(await request.body(), CountBattle)
        return _json(await Campaigns(games).count(request.path_params["id"], _tokens(request), wanted))

    async def rules(self, request: Request, games: Games) -> Response:
        """Every clause of a game, with its words and where it is in the code."""
        name = request.path_params["id"]
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if name not in self._rules:
            from caltrop.lab.conformance import report

            found = msgspec.to_builtins(await asyncio.to_thread(report, name, fresh=False))
            self._rules[name] = _encode(await asyncio.to_thread(_with_rulings, name, found))
        return Response(self._rules[name], media_type="application/json", headers={"Cache-Control": "no-store"})

    async def opening(self, request: Request, games: Games) -> Response:
        """The table of a scenario as it is laid, for whoever looks."""
        name, scenario = request.path_params["id"], request.query_params.get("scenario", "")
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if is_text(scenario):
            raise InputError("a table is shown of scenarios that have a name", field="scenario")
        key = name, scenario or self.library.find(name).scenarios()[0].id
        if key not in self._openings:
            picture = await asyncio.to_thread(opening, self.library, *key)
            # Files of the server's own are few, and so are the scenarios of a ruleset: all of them are kept.
            self._openings[key] = _encode({"picture": picture})
        return Response(self._openings[key], media_type="application/json", headers={"Cache-Control": "no-store"})

    async def _looked_at(self, request: Request, games: Games) -> tuple[Live, int | None]:
        """The game of a request, and whose eyes it has."""
        live, sides = await self._game(request, games)
        eyes = _number(request, "eyes")
        if eyes is None:
            return live, sides[0] if sides else None
        if eyes not in sides:
            raise refused("not-your-seat", "This seat is not yours to look from")
        return live, eyes

    async def say(self, request: Request, games: Games) -> Response:
        """Any message of a live connection, for who has none."""
        live, sides = await self._game(request, games)
        message = read_message(await request.body())
        return self._answer_to(await self._answered(live, games, sides, None, message))

    async def say_propose(self, request: Request, games: Games) -> Response:
        """What a drag would come to."""
        return await self._say_as(request, games, Ask)

    async def say_odds(self, request: Request, games: Games) -> Response:
        """What an action may end in."""
        return await self._say_as(request, games, AskOdds)

    async def _say_as(self, request: Request, games: Games, kind: type[Ask] | type[AskOdds]) -> Response:
        live, sides = await self._game(request, games)
        value = read_json(await request.body())
        message = convert({"type": kind.__struct_config__.tag, **value} if isinstance(value, dict) else value, kind)
        return self._answer_to(await self._answered(live, games, sides, None, message))

    @staticmethod
    def _answer_to(answer: Any) -> Response:
        return _json(answer, _STATUS.get(answer.code, 422) if isinstance(answer, RefusalMessage) else 200)

    async def _game(self, request: Request, games: Games) -> tuple[Live, tuple[int, ...]]:
        live = await games.open(request.path_params["id"][:40])
        return live, _known_sides(live, _tokens(request))

    # What both kinds of connection say

    async def _answered(
        self, live: Live, games: Games, sides: tuple[int, ...], eyes: int | None, message: Message
    ) -> Any:
        """Do what a message says, and answer it."""
        try:
            return await self._done(live, games, sides, eyes, message)
        except Exception as error:  # noqa: BLE001  every error becomes plain words
            return _refusal(error, message.ref)

    async def _done(self, live: Live, games: Games, sides: tuple[int, ...], eyes: int | None, message: Message) -> Any:
        ref = message.ref
        done: Done | Loud | tuple[Proposal, Loud | None]
        match message:
            case Ping():
                return Pong(ref=ref)
            case Answer(wish=Wish() as wish):
                done = await games.carry_out(live, sides, message.decision, wish, message.dice, quietly=message.quietly)
                if isinstance(done, tuple):
                    proposal, why = done
                    return ProposalMessage(decision=message.decision, proposal=proposal, loud=why, ref=ref)
            case Answer():
                done = await games.answer(
                    live, sides, message.decision, message.action, message.dice, quietly=message.quietly
                )
            case Usually():
                done = await games.usually(live, sides, message.decision, message.unit, quietly=message.quietly)
            case Ask():
                proposal = games.questions.propose(live, sides, message.decision, message.wish)
                return ProposalMessage(decision=message.decision, proposal=proposal, ref=ref)
            case PickUp():
                around = games.questions.pick_up(live, sides, message.decision, message.unit, message.act)
                return PickedUpMessage(decision=message.decision, around=around, ref=ref)
            case AskSight():
                looks = eyes if eyes is not None or not sides else sides[0]
                return SightMessage(sightings=await games.questions.sight(live, looks, message), ref=ref)
            case AskOdds():
                odds = await games.questions.odds(live, sides, message.decision, message.action)
                return OddsMessage(decision=message.decision, odds=odds, ref=ref)
            case Typed():
                done = await games.type_in(live, sides, message.faces)
            case Why():
                looks = eyes if eyes is not None or not sides else sides[0]
                return BecauseMessage(steps=await games.questions.why(live, looks, message), ref=ref)
            case Undo():
                done = await games.undo(live, _seat(sides, message.side, eyes))
            case Redo():
                done = await games.redo(live, _seat(sides, message.side, eyes))
            case Resign():
                done = await games.resign(live, _seat(sides, message.side, eyes))
            case ShowAll():
                done = await games.show_all(live, _seat(sides, message.side, eyes))
            case Takeback():
                done = await games.takeback(live, _seat(sides, message.side, eyes), message.answer)
            case _:
                raise refused("wrong-message", "This is for live connections only")
        if isinstance(done, Loud):
            return LoudMessage(loud=done, ref=ref)
        return Done(seq=done.seq, ref=ref)

    # Live connections

    @staticmethod
    async def _heard(socket: WebSocket) -> str | bytes:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        heard: str | bytes = message.get("text") or message.get("bytes") or ""
        return heard

    async def live(self, socket: WebSocket) -> None:
        """A live connection: a hello, the whole view or what was missed, then changes."""
        games: Games = socket.app.state.games
        connection = _Connection(socket, self.limits)
        live: Live | None = None
        writer: asyncio.Task[None] | None = None
        await socket.accept()
        try:
            raw = await asyncio.wait_for(self._heard(socket), HELLO_SECONDS)
            hello: Message | None = None
            try:
                hello = read_message(raw)
                live = await games.open(socket.path_params["id"][:40])
                if not isinstance(hello, Hello):
                    raise refused("no-hello", "The first message is a hello")
                self._seat_down(connection, live, hello)
                self._find_room(connection, live)
            except Exception as error:  # noqa: BLE001  every error becomes plain words
                await socket.send_text(_encode(_refusal(error, hello.ref if hello else None)).decode())
                if isinstance(error, StorageFault):
                    await socket.close(1013, "come back")
                else:
                    await socket.close(1008, "refused")
                return
            await live.join(connection, hello.seen)
            live.tell_presence()
            games.questions.look_back(live, connection.eyes)
            writer = asyncio.create_task(connection.write())
            await self._converse(connection, live, games)
            if connection.dropped:
                # It says why, and closes.
                await asyncio.wait({writer}, timeout=GOODBYE_SECONDS)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            # The client is gone, or never said who it is: there is nobody to tell.
            pass
        finally:
            if live is not None:
                live.leave(connection)
            if writer is not None:
                writer.cancel()

    @staticmethod
    def _seat_down(connection: _Connection, live: Live, hello: Hello) -> None:
        connection.sides = _sides(live, hello.tokens)
        connection.eyes = hello.eyes if hello.eyes is not None else next(iter(connection.sides), None)
        if connection.eyes is not None and connection.eyes not in connection.sides:
            raise refused("not-your-seat", "This seat is not yours to look from")

    def _find_room(self, connection: _Connection, live: Live) -> None:
        """Count who is here already: onlookers take no room of the seats, and no seat that of another.

        Raises:
            Refused: when there is no room.
        """
        if not connection.sides:
            if sum(not looker.sides for looker in live.lookers) >= self.limits.connections:
                raise refused("too-many", "Too many look at this game already")
        elif any(
            sum(side in looker.sides for looker in live.lookers) >= self.limits.seat_connections
            for side in connection.sides
        ):
            raise refused("too-many", "This seat is open in too many windows already; close one of them")

    async def _converse(self, connection: _Connection, live: Live, games: Games) -> None:
        socket = connection.socket
        while not connection.dropped:
            raw = await self._heard(socket)
            if not connection.bucket.take():
                connection.tell(_encode(_refusal(refused("too-fast", "That was too much at once; wait a moment"))))
                continue
            try:
                if len(raw) > self.limits.message:
                    raise WrongMessage(f"a message may have {self.limits.message} bytes at most")
                message = read_message(raw)
            except WrongMessage as error:
                connection.tell(_encode(_refusal(error)))
                continue
            if isinstance(message, Eyes):
                if message.side is not None and message.side not in connection.sides:
                    refusal = refused("not-your-seat", "This seat is not yours to look from")
                    connection.tell(_encode(_refusal(refusal, message.ref)))
                    continue
                connection.eyes = message.side
                await live.join(connection)
                games.questions.look_back(live, connection.eyes)
                continue
            if games.live.get(live.game.id) is not live:
                connection.drop()
                return
            answer = await self._answered(live, games, connection.sides, connection.eyes, message)
            connection.answer(_encode(answer))

    # The page

    async def page(self, request: Request) -> Response:
        """A file of the built client, or the page itself, which says where it has nothing to show: status 404."""
        path = request.path_params["path"]
        if is_within_api(f"/{path}"):
            return _json(_refusal(refused("not-found", f"There is no /{path[:80]}")), 404)
        root = self.static.resolve()
        found = (self.static / path).resolve()
        try:
            is_file = found.is_file()
        except OSError:  # a name that no file can have
            is_file = False
        if path and is_file and found.is_relative_to(root) and not found.name.startswith("."):
            return await asyncio.to_thread(asset, found, path.startswith("assets/"))
        if "." in path.rpartition("/")[2]:
            return _json(_refusal(refused("not-found", "There is no such file")), 404)
        status = 200 if is_page(path, self.library.names()) else 404
        return await asyncio.to_thread(index, root / "index.html", self.prefix, status)


def _as_file(name: str) -> dict[str, str]:
    return {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise WrongMessage("this is a whole number", name)
    return int(text)


def _summary(do: Callable[..., Any]) -> str:
    return (do.__doc__ or "").partition("\n")[0]


def _with_rulings(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """A rulebook's clauses by chapters, with what was asked about them and the rulings that were played out on them."""
    book = ruleset(name).inventory()
    questions = book.questions
    for row in found["clauses"]:
        row["chapter"] = book.clauses[row["id"]].chapter
    for row in found["rulings"]:
        question = questions.get(row["id"])
        if question is not None:
            row.update(question=question.question, readings=question.readings)
    try:
        played = [one.head for one in rulings(name)]
    except InputError:  # a game without rulings
        played = []
    found["examples"] = [
        {"id": h.id, "title": h.title, "question": h.question, "answer": h.answer, "clauses": h.clauses} for h in played
    ]
    return found
