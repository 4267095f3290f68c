"""Reasons why a game cannot be played: a refusal, or a game that is missing, damaged, or under other rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from caltrop.engine import Refusal, Refused
from caltrop.journal.keep import Tale


class CannotContinue(Exception):
    """A stored game plays differently under the present rules.

    Attributes:
        retold: Texts of the game up to the first difference, if the game's events do not contain texts.
    """

    fault: ClassVar[Literal["damaged", "other-rules", "no-rules"]] = "other-rules"
    retold: Sequence[Tale] = ()


class DamagedGame(CannotContinue):
    """The stored data of a game is damaged or cannot be read."""

    fault = "damaged"


class NoRules(CannotContinue):
    """The rulebook of a stored game is not installed."""

    fault = "no-rules"


class Elsewhere(Exception):
    """Another worker of this server has the game."""


class NoSuchGame(Exception):
    """No game has the requested name."""


def refused(code: str, message: str, clause: str = "", **values: Any) -> Refused:
    return Refused(Refusal(code=code, clause=clause, message=message, values=values))
