"""The parts that every route needs: the asker, secrets and numbers, and the form of an answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import DrawnSecrets, key_of
from caltrop.host.together.persons import PREFIX, Person
from caltrop.server.guard import Buckets, ServerLimits
from caltrop.wire import WrongMessage

Route = tuple[str, str, Callable[[Request, Games], Awaitable[Response]]]
"""A method, a path, and the function that answers."""

encode = msgspec.json.Encoder(enc_hook=str).encode


def json_of(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json", headers={"Cache-Control": "no-store"})


def ready(text: bytes) -> Response:
    headers = {"Cache-Control": "no-store"}
    if text[:2] == b"\x1f\x8b":
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(text, media_type="application/json", headers=headers)


def as_file(name: str) -> dict[str, str]:
    return {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def tokens_of(request: Request) -> list[str]:
    """Return the secrets of a request; a browser's key is replaced by the key of its person."""
    return known_as(raw_tokens_of(request), request.state.person)


def known_as(tokens: Sequence[str], person: Person | None) -> list[str]:
    return [person.key if person is not None and token.startswith(PREFIX) else token for token in tokens]


def raw_tokens_of(request: Request) -> list[str]:
    """Return the secrets of a request as sent: `Authorization: Bearer SECRET,SECRET`."""
    kind, _, rest = request.headers.get("authorization", "").partition(" ")
    return [token.strip() for token in rest.split(",") if token.strip()][:64] if kind.lower() == "bearer" else []


def known_sides(live: Live, tokens: Sequence[str]) -> tuple[int, ...]:
    sides = [live.game.keys.get(key_of(token)) for token in tokens]
    return tuple(dict.fromkeys(side for side in sides if side is not None))


_KEY = re.compile("[A-Za-z0-9_-]{24,64}")
"""Pattern of a secret that the page may make itself."""


def drawn_by(request: Request) -> DrawnSecrets:
    """Return the name and secrets for the game or other thing that a request makes, derived from its `Idempotency-Key`
    if it has one.

    Raises WrongMessage for a short or invalid key.
    """
    return DrawnSecrets(_key_of(request), request.scope["path"])


def once_of(request: Request) -> str | None:
    """Return the hash of a request's `Idempotency-Key`, which keeps the request from being done twice; None without a
    key.

    Raises:
        WrongMessage: for a short or invalid key.
    """
    key = _key_of(request)
    return None if key is None else key_of(f"once {request.scope['path']} {key}")


def _key_of(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        words = "a key is drawn by chance, and has 24 to 64 letters, digits, underscores or hyphens"
        raise WrongMessage(words, "Idempotency-Key")
    return key


def number_of(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise WrongMessage("this must be a whole number of up to 9 digits", name)
    return int(text)


class Made:
    """Counts the games and other things that every address has made."""

    def __init__(self, limits: ServerLimits) -> None:
        self.made = Buckets(limits.games_an_hour / 3600, limits.games_an_hour)

    def count(self, request: Request, words: str) -> None:
        """Count one more thing that an address makes. Raises Refused if an address makes too many things.

        Args:
            words: The refusal.
        """
        if not self.made.take(address_of(request)):
            raise refused("too-fast", words)

    def game(self, request: Request) -> None:
        self.count(request, "Too many new games in one hour; play one of them")
