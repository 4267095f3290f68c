"""The routes for tasks in other processes: odds, recorded files, series of battles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine import with_part
from caltrop.engine.packs import PACK, Pack, within_bounds
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.host.turns import in_turn
from caltrop.journal import Setting, decoded
from caltrop.kit.armies import is_link
from caltrop.roster import is_text
from caltrop.server.counting import (
    ACT_SECONDS,
    TEXT_SECONDS,
    UNPACKED,
    Counting,
    WorkLine,
    army_sheet,
    replayed,
    try_texts,
    try_to_play_on,
    verdict,
)
from caltrop.server.lab import Lab
from caltrop.server.requests import Made, Route, address_of, drawn_by, json_of, number_of, ready
from caltrop.wire import read_strictly
from caltrop.wire.actions import read_json
from caltrop.wire.attacks import attack_form, refereed
from caltrop.wire.messages import AskSheet, NewGame, NewSeries, PlayOn

SMALL_TEXT = 8_192
"""Largest length in characters of scenarios and armies that are read in this process, which takes some hundredths
of a second.
"""


class Working:
    """The routes of computations besides games."""

    def __init__(self, library: ServerLibrary, counting: Counting, made: Made) -> None:
        self.library, self.counting, self.made = library, counting, made
        self.routes: list[Route] = [
            ("POST", "/api/verify", self.verify),
            ("POST", "/api/replay", self.replay),
            ("POST", "/api/replay/play-on", self.play_on),
            ("GET", "/api/odds", self.with_referees),
            ("POST", "/api/odds", self.odds),
            ("POST", "/api/odds/form", self.form),
            ("POST", "/api/resolve", self.resolve),
            ("GET", "/api/armies", self.with_armies),
            ("POST", "/api/armies", self.army),
            ("POST", "/api/lab", self.series),
            ("GET", "/api/lab/{id}", self.series_now),
            ("POST", "/api/lab/{id}/stop", self.stop_series),
            ("GET", "/api/lab/{id}/against/{other}", self.compare_series),
        ]

    async def try_texts(self, request: Request, body: NewGame | NewSeries) -> None:
        """Read texts of a scenario and of armies in a separate process with a time limit, before this process reads
        them.

        Raises Refused if reading takes too long, or InputError for an error in the texts.
        """
        texts = [word for word in (body.scenario or "", *body.armies) if is_text(word)]
        if body.pack is None and sum(map(len, texts)) <= SMALL_TEXT and not any(map(is_link, texts)):
            return
        rules = self.library.find(body.ruleset)
        scenario = body.scenario or rules.scenarios()[0].id
        pack = None if body.pack is None else Pack(within_bounds(body.pack))
        self.library.check(rules, scenario, body.armies, pack)
        setting = Setting(
            ruleset=rules.name,
            edition=body.edition or rules.editions[0],
            rules=body.rules,
            scenario=scenario,
            armies=body.armies,
            size=body.size,
        )
        if pack is not None:
            used = structs.replace(pack.used(), content=pack.file)
            setting = structs.replace(setting, rules={**body.rules, PACK: pack.name}, pack=used)
        with self.counting.records.place(address_of(request)):
            await self.counting.records.call(address_of(request), try_texts, setting, seconds=TEXT_SECONDS)

    async def verify(self, request: Request, games: Games) -> Response:
        """Replay a recorded game, and return whether every digest agrees."""
        return await self._worked_out(request, self.counting.records, verdict)

    async def replay(self, request: Request, games: Games) -> Response:
        """Return the moments of a recorded game."""
        return await self._worked_out(request, self.counting.records, replayed)

    async def play_on(self, request: Request, games: Games) -> Response:
        """Make a game that begins with the acts of a recorded game, up to a moment, and continues with other dice."""
        seats = request.query_params.get("seats", "")
        body = PlayOn(at=number_of(request, "at") or 0, seats=tuple(seats.split(",")) if seats else ())
        self.made.game(request)
        with self.counting.records.place(address_of(request)):
            text = await request.body()
            await self.counting.records.call(address_of(request), try_to_play_on, text, self.library.files)
        record = await in_turn(partial(decoded, text, limit=UNPACKED))
        return json_of(await games.play_on_record(record, body, drawn_by(request)), 201)

    async def _worked_out(self, request: Request, line: WorkLine, do: Callable[..., bytes]) -> Response:
        with line.place(address_of(request)):
            text = await request.body()
            packed = "gzip" in request.headers.get("accept-encoding", "")
            return ready(await line.call(address_of(request), do, text, self.library.files, packed))

    async def _refereed(self, request: Request, what: Literal["odds", "resolve"]) -> Response:
        with self.counting.odds.place(address_of(request)):
            body = read_json(await request.body())
            # A whole act is explored to its end, which may include fights.
            allowed = ACT_SECONDS if isinstance(body, dict) and "scene" in body else None
            return ready(await self.counting.odds.call(address_of(request), refereed, what, body, seconds=allowed))

    async def odds(self, request: Request, games: Games) -> Response:
        """Return all possible results of one attack: an attack request without dice."""
        return await self._refereed(request, "odds")

    async def with_referees(self, request: Request, games: Games) -> Response:
        """Return the games whose attacks have odds."""
        self.counting.odds.warm()  # a page that asks for this will ask for odds next
        return json_of({"rulesets": with_part("referee")})

    async def form(self, request: Request, games: Games) -> Response:
        """Return the fields of an attack request: the schema, and the possible values given the other fields."""
        with self.counting.odds.place(address_of(request)):
            body = read_json(await request.body())
            return ready(await self.counting.odds.call(address_of(request), attack_form, body))

    async def with_armies(self, request: Request, games: Games) -> Response:
        """Return the games that have army lists."""
        self.counting.odds.warm()
        return json_of({"rulesets": with_part("army_lists")})

    async def army(self, request: Request, games: Games) -> Response:
        """Return the faults, the cost, the possible additions and the text of an army list."""
        with self.counting.odds.place(address_of(request)):
            asked = read_strictly(await request.body(), AskSheet)
            return ready(await self.counting.odds.call(address_of(request), army_sheet, asked))

    async def resolve(self, request: Request, games: Games) -> Response:
        """Return the result of one attack with the given dice."""
        return await self._refereed(request, "resolve")

    async def series(self, request: Request, games: Games) -> Response:
        """Play a series of computer battles, or return the state of an earlier request."""
        body = read_strictly(await request.body(), NewSeries)
        if body.begin:
            self.made.count(request, "Too many new series in one hour; try again later")
        await self.try_texts(request, body)
        lab: Lab = request.app.state.lab
        return json_of(lab.ask(body, await in_turn(lab.order, body)))

    async def series_now(self, request: Request, games: Games) -> Response:
        """Return the state of a series."""
        lab: Lab = request.app.state.lab
        return json_of(lab.look(request.path_params["id"]))

    async def stop_series(self, request: Request, games: Games) -> Response:
        """Stop a series, and keep its results so far."""
        lab: Lab = request.app.state.lab
        return json_of(lab.stop(request.path_params["id"]))

    async def compare_series(self, request: Request, games: Games) -> Response:
        """Return the difference between two series."""
        lab: Lab = request.app.state.lab
        return json_of({"comparison": lab.compare(request.path_params["id"], request.path_params["other"])})
