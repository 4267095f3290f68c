"""Players from other packages. Such players think on a copy of the view, and each answer is checked before it is
played.

The players in this package have tests for legal answers, so they are not checked while they play.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision, Refusal, Ruleset, name_of, not_an_option
from caltrop.errors import InputError
from caltrop.players.protocol import UNBOUNDED, Budget, Player, forked

LONGEST = 200
"""Largest number of characters of an answer or an error that a message shows."""
LINES = 8
"""Number of calls that a traceback of a failed player shows, counted from the end."""


class IllegalAnswer(InputError):
    """A player gave an illegal answer; the message names the player, the decision, the answer and the clause."""


class PlayerFailed(InputError):
    """A player raised an error; the message names the player, the decision, the error and its line."""


def is_own(player: Any) -> bool:
    kind = type(player)
    if not kind.__module__.startswith(f"{__package__}.") or "decide" in getattr(player, "__dict__", ()):
        return False
    return getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind


def checked(player: Any, name: str, rules: Ruleset) -> Player:
    """Return a player whose answers are checked. A player of Caltrop's own is returned unchanged.

    Raises InputError if the object cannot play.
    """
    if isinstance(player, CheckedPlayer) or is_own(player):
        own: Player = player
        return own
    return CheckedPlayer(player, name, rules)


class CheckedPlayer:
    """A player that passes decisions to another player and checks its answers.

    The checked player gets copies of the question and the view, so that its writes do not change the game. Raises
    InputError if the object has no method `decide` with suitable arguments.
    """

    def __init__(self, player: Any, name: str, rules: Ruleset) -> None:
        self.player, self.name, self.rules = player, name, rules
        if isinstance(player, type):
            raise InputError(f"{name} makes the class {player.__name__}, not a player of it", field="players")
        try:
            decide = getattr(player, "decide", None)
        except Exception as error:
            raise InputError(
                f"{name} makes {shown(player)}, whose decide failed: {cause_of(error)}", field="players"
            ) from error
        if not callable(decide):
            raise InputError(
                f"{name} makes {shown(player)}, which has no method decide(decision, view, dice, budget)",
                field="players",
            )
        self._takes_budget = _takes(decide, 4)
        if not self._takes_budget and not _takes(decide, 3):
            raise InputError(
                f"{name} has the method decide{inspect.signature(decide)}; it is called as "
                "decide(decision, view, dice, budget)",
                field="players",
            )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "player":
            raise AttributeError(name)
        return getattr(self.player, name)

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the player's answer.

        Raises IllegalAnswer if the answer is not one of the options, or PlayerFailed if the player raises an error.
        """
        given = (budget,) if self._takes_budget else ()
        try:
            answer = self.player.decide(copy(decision), view.lent(), dice, *given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PlayerFailed(f"{self.name} failed at {name_of(decision)}: {cause_of(error)}") from error
        return self._legal(answer, decision, view)

    def fork(self) -> CheckedPlayer:
        """Return an independent copy of this player, with everything that it remembers of the game."""
        return CheckedPlayer(forked(self.player), self.name, self.rules)

    def _legal(self, answer: Any, decision: Decision, view: Any) -> Any:
        if type(answer) not in _kinds(self.rules):
            if inspect.iscoroutine(answer):
                answer.close()
            near = decision.options(view).first()
            raise self._illegal(answer, decision, f"that is not an action of {self.rules.name}; {near!r} is legal", "")
        try:
            # A field of another type, such as 2.0 for 2, equals a legal value but could not be read back from a record.
            action = msgspec.convert(msgspec.to_builtins(answer), type(answer))
        except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
            raise self._illegal(answer, decision, str(error), "") from None
        refusal = _refusal(decision, view, action)
        if refusal is None:
            return action
        hint = "" if refusal.nearest is None else f"; {refusal.nearest!r} is legal"
        raise self._illegal(answer, decision, f"{refusal.message}{hint}", refusal.clause)

    def _illegal(self, answer: Any, decision: Decision, why: str, clause: str) -> IllegalAnswer:
        clauses = clause or ", ".join(decision.clauses)
        place = f" ({clauses})" if clauses else ""
        return IllegalAnswer(f"{self.name} answered {name_of(decision)} with {shown(answer)}: {why}{place}")


def _refusal(decision: Decision, view: Any, action: Any) -> Refusal | None:
    options = decision.options(view)
    try:
        return options.refusal(action)
    except Exception as error:  # noqa: BLE001  an answer may name what no table has
        message = f"it names something that is not there ({cause_of(error)})"
        return not_an_option("", message, nearest=options.first())


@lru_cache(maxsize=32)
def _kinds(rules: Ruleset) -> frozenset[type]:
    return frozenset(rules.vocabulary().actions)


def _takes(call: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(call).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def shown(value: Any) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001  it is the program of somebody else
        text = f"an object of {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def cause_of(error: BaseException) -> str:
    """Return an error with its file and line, in one line."""
    lines = " ".join(traceback.format_exception_only(error)[-1].split())
    text = lines if len(lines) <= LONGEST else f"{lines[:LONGEST]}…"
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({Path(error.filename).name}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text} ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else text


def traced(error: PlayerFailed) -> str:
    """Return the traceback of a player's error, without Caltrop's own lines; empty if no lines are left."""
    cause = error.__cause__
    if cause is None or cause.__traceback__ is None:
        return ""
    own = cause.__traceback__.tb_next
    return "".join(traceback.format_exception(type(cause), cause, own, limit=-LINES, chain=False)) if own else ""


class Making:
    """Makes players from other packages, and checks that they can play.

    Raises InputError if `make` cannot be called without arguments.

    Args:
        make: Returns a player; called without arguments.
        name: The player's name in messages.
        rules: The ruleset that the player plays.
    """

    def __init__(self, make: Any, name: str, rules: Ruleset) -> None:
        self.make, self.name, self.rules = make, name, rules
        if not callable(make):
            if callable(getattr(make, "decide", None)):
                why = "is a player; name its class, or a function that makes a new player for each game"
            else:
                why = f"is {shown(make)}; name a callable without arguments that makes a player"
            raise InputError(f"{name} {why}", field="players")
        if not _takes(make, 0):
            raise InputError(
                f"{name} takes arguments, {inspect.signature(make)}; name a callable without arguments that makes "
                "a player",
                field="players",
            )

    def __call__(self) -> Player:
        """Return a new player.

        Raises InputError if the function fails or returns an object that cannot play.
        """
        try:
            made = self.make()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise InputError(f"{self.name} makes no player: {cause_of(error)}", field="players") from error
        return checked(made, self.name, self.rules)
