"""Errors in plain words for clients, with the status of the answer. Faults inside the program are never shown."""

from __future__ import annotations

import logging

from caltrop.engine import Refused
from caltrop.errors import InputError
from caltrop.host.database import StorageFault
from caltrop.host.faults import CannotContinue, DamagedGame, Elsewhere, NoRules, NoSuchGame
from caltrop.host.storage import Stale
from caltrop.wire import RefusalMessage, WrongMessage
from caltrop.wire.messages import Ref

log = logging.getLogger("caltrop.server")

STATUS = {
    "stale-decision": 409,
    "over": 409,
    "not-your-decision": 403,
    "wrong-token": 403,
    "not-your-seat": 403,
    "not-yours": 403,
    "nobody": 401,
    "so-already": 409,
    "is-here": 409,
    "not-found": 404,
    "no-battle": 409,
    "goes-on": 409,
    "come-back": 409,
    "battle-goes-on": 409,
    "too-fast": 429,
    "busy": 503,
    "out-of-time": 422,
    "too-much": 422,
    "other-rules": 409,
    "damaged": 409,
    "no-rules": 409,
    "not-stored": 503,
    "broken": 500,
}
"""HTTP status of refusals by code; all others are 400."""


def refusal_of(error: Exception, ref: Ref = None) -> RefusalMessage:
    if isinstance(error, Refused):
        return RefusalMessage.of(error.refusal, ref)
    if isinstance(error, InputError | WrongMessage):
        return RefusalMessage.of_fault(error, ref)
    if isinstance(error, DamagedGame):
        words = f"This game is damaged: {error}. Its stored data is left unchanged"
        return RefusalMessage(code=error.fault, clause="", message=words, values={}, ref=ref)
    if isinstance(error, NoRules):
        words = f"This game needs the rulebook {error}, which is not installed here"
        return RefusalMessage(code=error.fault, clause="", message=words, values={"ruleset": str(error)}, ref=ref)
    if isinstance(error, CannotContinue):
        words = f"The rules have changed since this game was played, and it does not go on: {error}"
        return RefusalMessage(code="other-rules", clause="", message=words, values={}, ref=ref)
    if isinstance(error, StorageFault):
        words = f"The database of this server cannot be used: {error}. Nothing has changed"
        return RefusalMessage(code="not-stored", clause="", message=words, values={"why": error.why}, ref=ref)
    if isinstance(error, Elsewhere):
        words = "Another process of this server has this game now; try again"
        return RefusalMessage(code="come-back", clause="", message=words, values={}, ref=ref)
    if isinstance(error, Stale):
        words = "Somebody else has just changed the same data. Nothing was saved; try again"
        return RefusalMessage(code="come-back", clause="", message=words, values={}, ref=ref)
    if isinstance(error, NoSuchGame):
        return RefusalMessage(code="not-found", clause="", message="There is no such game here", values={}, ref=ref)
    log.error("a message could not be answered", exc_info=error)
    words = "Something in the program went wrong; nothing has changed, and the game goes on"
    return RefusalMessage(code="broken", clause="", message=words, values={}, ref=ref)
