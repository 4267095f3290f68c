"""The route by which `caltrop admin` reaches a running server: its secret is in a file that only the server's user
may read.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.errors import InputError
from caltrop.host import admin_people
from caltrop.host.admin import CLOSES, DOES
from caltrop.host.database import data_folder, path_of, url_of
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.server.requests import Route, json_of
from caltrop.wire import read_strictly

TIMEOUT = 60.0
"""Seconds to wait for a running server's answer."""


class ToDo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command about some games."""

    act: str
    games: tuple[str, ...]


def secret_file(url: str) -> Path:
    """Return the file in which a database's server writes its address and its secret."""
    path = path_of(url_of(url))
    if path is not None:
        return path.with_name(f"{path.name}.admin")
    return data_folder() / f"{hashlib.sha256(url_of(url).render_as_string().encode()).hexdigest()[:16]}.admin"


@contextmanager
def reachable(url: str, address: str, secret: str) -> Iterator[None]:
    file = secret_file(url)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        json.dump({"address": address, "secret": secret}, stream)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def asked(url: str, act: str, games: Sequence[str]) -> bool:
    """Ask the running server of a database to administer games or people.

    Returns False if no server is running. Raises InputError if the server refuses; the message is the server's.
    """
    import urllib.error
    import urllib.request

    try:
        passphrase = json.loads(secret_file(url).read_text(encoding="utf-8"))
        address, secret = str(passphrase["address"]), str(passphrase["secret"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    request = urllib.request.Request(
        f"{address}/api/admin",
        json.dumps({"act": act, "games": list(games)}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=TIMEOUT):
            return True
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            return False  # another program has that address now
        try:
            message = json.loads(error.read())["message"]
        except (ValueError, KeyError, TypeError):
            message = f"the server answered with {error.code}"
        raise InputError(str(message)) from None
    except OSError:
        return False  # the server ended without deleting its file


class Administering:
    """The route for administration commands.

    Args:
        secret: The secret of the route; empty to switch it off.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self.routes: list[Route] = [("POST", "/api/admin", self.do)] if secret else []

    async def do(self, request: Request, games: Games) -> Response:
        """Administer games or people; onlookers of these games are disconnected."""
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(given.encode(), self._secret.encode()):
            raise refused("not-yours", "This is for those who run the server")
        body = read_strictly(await request.body(), ToDo)
        acts = [*DOES, *admin_people.DOES]
        if body.act not in acts:
            raise refused("wrong-message", f"A server does {', '.join(acts)}, and nothing called {body.act[:40]!r}")
        for game in body.games:
            try:
                if body.act in DOES:
                    await games.administer(DOES[body.act], game, closes=body.act in CLOSES)
                else:
                    await games.administer_people(admin_people.DOES[body.act], game)
            except InputError as error:
                raise refused("not-found", error.message) from None
        return json_of({"games": body.games})
