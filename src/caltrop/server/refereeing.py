"""The referee's page: the data for a battle on a real table, and the rules, which the page then uses alone."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine.packs import PACK, pack_called
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.journal import Setting
from caltrop.kit.requests import with_pack
from caltrop.paper.game import PaperGame, game_of
from caltrop.picture import Group
from caltrop.server.kit import FOLDER, archive, kit
from caltrop.server.page import packed
from caltrop.server.requests import Route, json_of
from caltrop.server.working import Working
from caltrop.wire import read_strictly
from caltrop.wire.messages import NewGame, RefereeTable, RefereeUnit


class Refereeing:
    """The routes of the referee's page.

    Args:
        working: Reads texts of scenarios and armies in another process.
        static: The folder of the built client.
    """

    def __init__(self, library: ServerLibrary, working: Working, static: Path) -> None:
        self._library, self._working, self._static = library, working, static
        self.routes: list[Route] = [
            ("POST", "/api/referee", self.table),
            ("GET", "/api/referee/kit", self.kit),
            ("GET", f"/{FOLDER}/rules-{{digest}}.tar", self.rules),
        ]

    async def table(self, request: Request, games: Games) -> Response:
        """Return the start of a battle for the same request that makes a game; nothing is stored."""
        body = read_strictly(await request.body(), NewGame)
        await self._working.try_texts(request, body)
        return json_of(await asyncio.to_thread(table_of, self._library, body))

    async def kit(self, request: Request, games: Games) -> Response:
        """Return the files with which the page settles attacks without a network."""
        return json_of(await asyncio.to_thread(kit, self._static))

    async def rules(self, request: Request, games: Games) -> Response:
        """Return the rules as an archive: sources and data of the installed package."""
        made = await asyncio.to_thread(archive)
        if request.path_params["digest"] != made.digest:
            raise refused("not-found", "These rules are not those of this server; open the page again")
        return packed(made.packed, made.path)


def table_of(library: ServerLibrary, body: NewGame) -> RefereeTable:
    """Return the start of a battle.

    Raises InputError for an unknown value, or ValueError for an unsuitable one; the message names the nearest valid
    value.
    """
    rules = library.find(body.ruleset)
    scenario = body.scenario or rules.scenarios()[0].id
    given = with_pack(rules, body.rules, body.pack)
    pack = pack_called(str(given[PACK])) if PACK in given else None
    library.check(rules, scenario, body.armies, pack)
    rulings = {name: str(value) for name, value in given.items()}
    setting = Setting.chosen(rules.name, body.edition, scenario, body.armies, body.size, rulings)
    game, supplies = game_of(setting, 1.0), rules.parts.supplies
    p = game.picture
    steps = () if game.summary is None else tuple([(step.name, step.words) for step in game.summary.turn])
    once = 0 if game.summary is None else sum([step.once for step in game.summary.turn])
    return RefereeTable(
        ruleset=rules.name,
        edition=setting.edition,
        title=game.title,
        scenario=game.scenario,
        rounds=p.stage.rounds,
        steps=steps or tuple([(name, "") for name in p.stage.steps]),
        once=once,
        victory=() if p.goal is UNSET else p.goal.words,
        sides=tuple([(game.called(seat.side), seat.letter) for seat in p.seats]),
        points=tuple([_points(game, side) for side in range(len(p.seats))]),
        units=tuple([_unit(group) for group in game.placed.groups]),
        markers=() if supplies is None else supplies.markers,
        faces=p.faces,
    )


def _points(game: PaperGame, side: int) -> tuple[tuple[str, int], ...]:
    counted = [(s, re.match(r"(\d+)(?:(?: of |/)\d+)?$", s.value)) for s in game.picture.seats[side].points]
    return tuple([(s.label if s.words is UNSET else s.words, int(m[1])) for s, m in counted if m is not None])


def _unit(group: Group) -> RefereeUnit:
    most = group.strength.rpartition("/")[2]
    return RefereeUnit(
        id=group.id,
        side=group.side,
        name=group.name,
        strength=int(most) if most.isdigit() else max(len(group.pieces), 1),
        stats=tuple([(s.label, s.value) for s in group.stats]),
    )
