"""The routes of packs: the possible changes, a pack's changes and errors, and comparisons of units.

A pack that is sent is read in another process that is ended if it takes too long. Packs are not stored on the server: a
page stores its own packs, and a game holds its pack. Packs installed on the server's machine are shown to everybody.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine import ruleset
from caltrop.engine.packs import PackFile, pack_called
from caltrop.errors import InputError
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.kit.requests import with_pack
from caltrop.scenarios.packs import as_plain, compared, kit_of, looked_at, pack_of_bytes
from caltrop.server.counting import Counting
from caltrop.server.requests import Route, address_of, encode, ready
from caltrop.wire import read_strictly
from caltrop.wire.catalogue import own_entries
from caltrop.wire.messages import OwnBattle, PackToCompare, PackToLookAt

MOST_ARMIES = 4
"""Largest number of army lists in a request about a battle."""


class Packs:
    """The routes of packs.

    Args:
        counting: Runs work in other processes.
    """

    def __init__(self, counting: Counting) -> None:
        self.counting = counting
        self.routes: list[Route] = [
            ("GET", "/api/packs/{id}", self.kit),
            ("POST", "/api/packs/look", self.look),
            ("POST", "/api/packs/compare", self.compare),
            ("POST", "/api/rules/{id}/own", self.own),
        ]

    async def kit(self, request: Request, games: Games) -> Response:
        """Return the data for authors of packs: the rows of a game, their values, and installed packs."""
        return await self._worked_out(request, pack_kit, request.path_params["id"][:60])

    async def look(self, request: Request, games: Games) -> Response:
        """Return a pack: its changes, its faults, and its text."""
        return await self._worked_out(request, a_pack, read_strictly(await request.body(), PackToLookAt))

    async def compare(self, request: Request, games: Games) -> Response:
        """Return the odds of a unit with its printed values and with a pack."""
        return await self._worked_out(request, a_comparison, read_strictly(await request.body(), PackToCompare))

    async def own(self, request: Request, games: Games) -> Response:
        """Return the choices of a battle with a pack, a scenario or armies of one's own."""
        body = read_strictly(await request.body(), OwnBattle)
        if len(body.armies) > MOST_ARMIES:
            raise InputError(f"{MOST_ARMIES} armies at most are described at once", field="armies")
        pack = pack_called(body.pack).file if isinstance(body.pack, str) else body.pack
        return await self._worked_out(request, entries, request.path_params["id"][:60], body, pack)

    async def _worked_out(self, request: Request, do: Callable[..., bytes], *with_: Any) -> Response:
        with self.counting.maps.place(address_of(request)):
            return ready(await self.counting.maps.call(address_of(request), do, *with_))


# Functions that run in the process: they get plain data, and return JSON.


def pack_kit(name: str) -> bytes:
    """Return the data for authors of packs. Raises InputError for an unknown game."""
    return encode(kit_of(name))


def a_pack(body: PackToLookAt) -> bytes:
    """Return a pack with its changes and errors. Raises InputError for an invalid text or zip."""
    if body.draft is not None:
        return encode(looked_at(body.draft))
    try:
        raw = base64.b64decode(body.zip, validate=True) if body.zip else body.text.encode()
    except binascii.Error:
        raise InputError("this is not Base64", field="zip") from None
    return encode(looked_at(as_plain(pack_of_bytes(raw))))


def entries(name: str, body: OwnBattle, pack: PackFile | None) -> bytes:
    """Return the choices of a battle with something of one's own. Raises InputError for a fault of the pack."""
    rules = ruleset(name)
    book = rules.book(None, with_pack(rules, {}, pack))
    scenario = body.scenario or rules.scenarios()[0].id
    ServerLibrary().check(rules, scenario, body.armies, book.pack)
    return encode(own_entries(rules, book, body.scenario, body.armies))


def a_comparison(body: PackToCompare) -> bytes:
    """Return the odds of a unit with its printed values and with a pack."""
    return encode(msgspec.to_builtins(compared(body.pack, body.sheet, body.key)))
