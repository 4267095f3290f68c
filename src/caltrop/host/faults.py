"""What stands in the way of a game: a refusal, a game that is not there, one that is damaged or of other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from caltrop.engine import Refusal, Refused

if TYPE_CHECKING:
    from caltrop.host.game import Game


class CannotContinue(Exception):
    """A stored game plays differently by the rules of today.

    Attributes:
        game: The game, as far as it plays as it did; None where not even its beginning does.
    """

    fault: ClassVar[Literal["damaged", "other-rules"]] = "other-rules"
    game: Game | None = None


class Damaged(CannotContinue):
    """What is stored of a game is not what was stored, or cannot be read: no rules could go on with it."""

    fault = "damaged"


class NoSuchGame(Exception):
    """There is no game of that name here."""


def refused(code: str, message: str, clause: str = "", **values: Any) -> Refused:
    """A refusal of the server's own."""
    return Refused(Refusal(code=code, clause=clause, message=message, values=values))
