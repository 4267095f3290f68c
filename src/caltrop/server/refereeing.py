"""The referee's page: the data for a battle on a real table, and the rules, which the page then uses alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine.packs import PACK, pack_called
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.kit.requests import with_pack
from caltrop.server.kit import FOLDER, archive, kit
from caltrop.server.page import packed
from caltrop.server.requests import Route, json_of
from caltrop.server.working import Working
from caltrop.wire import read_strictly
from caltrop.wire.messages import NewGame, RefereeTable
from caltrop.wire.refereeing import table_of


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
        return json_of(await asyncio.to_thread(self._table, body))

    def _table(self, body: NewGame) -> RefereeTable:
        """Return the start of a battle. Raises InputError or ValueError for a file that the server does not offer."""
        rules = self._library.find(body.ruleset)
        given = with_pack(rules, body.rules, body.pack)
        pack = pack_called(str(given[PACK])) if PACK in given else None
        self._library.check(rules, body.scenario or rules.scenarios()[0].id, body.armies, pack)
        return table_of(body)

    async def kit(self, request: Request, games: Games) -> Response:
        """Return the files with which the page settles attacks without a network."""
        return json_of(await asyncio.to_thread(kit, self._static))

    async def rules(self, request: Request, games: Games) -> Response:
        """Return the rules as an archive: sources and data of the installed package."""
        made = await asyncio.to_thread(archive)
        if request.path_params["digest"] != made.digest:
            raise refused("not-found", "These rules differ from those of this server; open the page again")
        return packed(made.packed, made.path)
