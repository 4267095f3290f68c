"""Obstacles to a game: a refusal, a game that is missing, damaged, or of other rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from caltrop.engine import Refusal, Refused
from caltrop.journal.keep import Tale


class CannotContinue(Exception):
    """A stored game plays differently by the present rules.

    Attributes:
        retold: Tales of the game as far as it plays as it did, if its events do not say.
    """

    fault: ClassVar[Literal["damaged", "other-rules", "no-rules"]] = "other-rules"
    retold: Sequence[Tale] = ()


class DamagedGame(CannotContinue):
    """The stored data of a game is damaged or cannot be read: no rules could go on with it."""

    fault = "damaged"


class NoRules(CannotContinue):
    """The rulebook of a stored game is not installed."""

    fault = "no-rules"


class Elsewhere(Exception):
    """Another worker of this server has the game."""


class NoSuchGame(Exception):
    """No game has that name."""


def refused(code: str, message: str, clause: str = "", **values: Any) -> Refused:
    return Refused(Refusal(code=code, clause=clause, message=message, values=values))
