"""Answers to requests of a referee, as JSON: of a server, and of a browser that has no network.

No part of this module needs a server, a thread or a socket, so that the same rules answer on the server and in the
browser.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from caltrop.engine import referee_of
from caltrop.errors import InputError
from caltrop.scenarios.whole import examples, odds_of
from caltrop.wire.actions import WrongMessage, read_json, read_strictly
from caltrop.wire.messages import AttackForm, NewGame, RefusalMessage
from caltrop.wire.refereeing import table_of
from caltrop.wire.schemas import schema

_encode = msgspec.json.Encoder(enc_hook=str).encode


def refereed(what: Literal["odds", "resolve"], request: Any) -> bytes:
    """Return the rulebook's answer to an attack request. Raises InputError for an error in the request."""
    return _refereed(what, msgspec.json.encode(request))


@lru_cache(maxsize=256)
def _refereed(what: Literal["odds", "resolve"], text: bytes) -> bytes:
    """Return the cached answer to a request, since a page asks for the same odds more than once."""
    request = msgspec.json.decode(text)
    return _encode(odds_of(request) if what == "odds" else referee_of(request).resolve(request))


def attack_form(request: Any) -> bytes:
    """Return the possible values of the fields of an attack request.

    Raises InputError if the request names no game with odds.
    """
    referee = referee_of(request)
    form = None if referee.form is None else referee.form(request)
    shared = () if referee.in_order is None else (referee.in_order.target, *referee.in_order.stays)
    name = request["ruleset"]
    return _encode(AttackForm(schema=schema("attack", name), form=form, shared=shared, examples=examples(name)))


def answered(path: str, text: str) -> tuple[int, str]:
    """Return the status and the answer of a server to a request.

    Args:
        path: The server's address for it: `api/referee`, `api/resolve` or `api/odds/form`.
        text: The request as JSON.
    """
    try:
        if path == "api/referee":
            answer = _encode(table_of(read_strictly(text.encode(), NewGame)))
        else:
            request = read_json(text.encode())
            answer = attack_form(request) if path == "api/odds/form" else refereed("resolve", request)
    except (ValueError, WrongMessage) as error:
        fault = error if isinstance(error, InputError | WrongMessage) else InputError(str(error))
        return 400, _encode(RefusalMessage.of_fault(fault)).decode()
    return 200, answer.decode()
