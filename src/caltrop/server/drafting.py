"""The routes of the table editor: the possible contents, errors in a draft, and random tables from a seed.

A draft runs no code and names no file. A draft is read like the text of a scenario, in another process that is ended if
it takes too long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.games import Games
from caltrop.scenarios.drafts import checked, maps_of, read_draft, shipped_draft, yaml_of
from caltrop.scenarios.forms import schema_of
from caltrop.scenarios.seeded import drawn_table
from caltrop.scenarios.symmetry import symmetric
from caltrop.server.counting import Counting
from caltrop.server.requests import Route, address_of, encode, ready
from caltrop.wire import read_strictly
from caltrop.wire.messages import DraftToCheck, DraftToMirror, DraftToWrite, MapKit, MapTitle, TableToDraw


class Drafting:
    """The routes for drafts of tables.

    Args:
        counting: Runs work in other processes.
    """

    def __init__(self, counting: Counting) -> None:
        self.counting = counting
        self.routes: list[Route] = [
            ("GET", "/api/maps/{id}", self.kit),
            ("GET", "/api/maps/{id}/scenario", self.shipped),
            ("POST", "/api/maps/{id}/check", self.check),
            ("POST", "/api/maps/{id}/symmetric", self.mirror),
            ("POST", "/api/maps/{id}/draw", self.draw),
            ("POST", "/api/maps/{id}/file", self.file),
        ]

    async def kit(self, request: Request, games: Games) -> Response:
        """Return the data for authors of tables: the schema, the kinds of ground, and the scenarios to begin with."""
        return await self._worked_out(request, map_kit)

    async def shipped(self, request: Request, games: Games) -> Response:
        """Return a supplied scenario as a draft."""
        return await self._worked_out(request, a_shipped_draft, request.query_params.get("name", "")[:80])

    async def check(self, request: Request, games: Games) -> Response:
        """Return the faults of a draft, and the look of its table."""
        body = read_strictly(await request.body(), DraftToCheck)
        return await self._worked_out(request, a_checked_draft, body.text if body.draft is None else body.draft)

    async def mirror(self, request: Request, games: Games) -> Response:
        """Return a draft made symmetric, by reflecting one half onto the other."""
        body = read_strictly(await request.body(), DraftToMirror)
        return await self._worked_out(request, a_symmetric_draft, body)

    async def draw(self, request: Request, games: Games) -> Response:
        """Return a fair table that a seed decides, as a draft."""
        return await self._worked_out(request, a_drawn_table, read_strictly(await request.body(), TableToDraw))

    async def file(self, request: Request, games: Games) -> Response:
        """Return a draft as a YAML file."""
        return await self._worked_out(request, a_file, read_strictly(await request.body(), DraftToWrite))

    async def _worked_out(self, request: Request, do: Callable[..., bytes], *with_: Any) -> Response:
        with self.counting.maps.place(address_of(request)):
            name = request.path_params["id"][:60]
            return ready(await self.counting.maps.call(address_of(request), do, name, *with_))


# Functions that run in the process: they get plain data, and return JSON.


@cache
def map_kit(name: str) -> bytes:
    """Return the data for authors of tables. Raises InputError for a game without such tables."""
    rules, maps, files = maps_of(name)
    titles = [MapTitle(id=card.id, title=card.title) for card in rules.scenarios()]
    kit = MapKit(
        title=rules.title,
        schema=schema_of(files.form),
        grounds=maps.grounds,
        scenarios=tuple(titles),
        sides=maps.sides,
    )
    return encode(kit)


def a_shipped_draft(name: str, id: str) -> bytes:
    """Return a supplied scenario as a draft."""
    return encode({"draft": shipped_draft(name, id)})


def a_checked_draft(name: str, draft: dict[str, Any] | str) -> bytes:
    """Return the faults of a draft, and the look of its table."""
    return encode(checked(name, draft))


def a_symmetric_draft(name: str, body: DraftToMirror) -> bytes:
    return encode({"draft": symmetric(name, body.draft, body.how, body.keep)})


def a_drawn_table(name: str, body: TableToDraw) -> bytes:
    """Return a fair table that a seed decides, as a draft."""
    return encode({"draft": drawn_table(name, body.seed, body.symmetry, body.size)})


def a_file(name: str, body: DraftToWrite) -> bytes:
    """Return a draft as a YAML file, checked by reading it again."""
    text = yaml_of(msgspec.to_builtins(body.draft))
    read_draft(text)
    return encode({"text": text})
