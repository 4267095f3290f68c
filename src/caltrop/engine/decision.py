"""Decisions, and the possible answers to them. Questions in the words shown to people are in `caltrop.asking`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, ClassVar

import msgspec

from caltrop.chance import Dice
from caltrop.engine.event import Action, touched, worded
from caltrop.engine.rule import Refusal


def not_an_option(
    clause: str,
    message: str = "This is not one of the choices here",
    nearest: Any = None,
    code: str = "not-an-option",
) -> Refusal:
    """Return the refusal of an action that is not among the options."""
    return Refusal(code=code, clause=clause, message=message, nearest=nearest)


class Options(ABC):
    """The legal answers to a decision, computed on demand: a finite choice or an open region.

    Attributes:
        finite: True if iteration yields every legal action.
    """

    __slots__ = ()

    finite: ClassVar[bool] = False

    @abstractmethod
    def refusal(self, action: Any) -> Refusal | None:
        """Return why *action* may not be taken, or None if it may."""

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Yield legal actions in canonical order: all actions of a finite choice, or a sample of an open region."""

    def __contains__(self, action: object) -> bool:
        return self.refusal(action) is None

    def __repr__(self) -> str:
        first = [repr(action) for action in islice(self, 4)]
        return f"<{type(self).__name__}: {', '.join([*first[:3], *['…'] * (len(first) > 3)])}>"

    def sample(self, dice: Dice) -> Any:
        every = tuple(self)
        return every[dice.below(len(every))]

    def first(self) -> Any:
        return next(iter(self))

    def several(self) -> bool:
        """Return whether there are two or more legal actions. Override the method if iterating over actions is slow."""
        every = iter(self)
        return next(every, None) is not None and next(every, None) is not None


class Listed(Options):
    """A finite choice, written out.

    Args:
        why_not: Returns the refusal of an action that is not listed, or None for the general refusal.
        clause: Clause named by the general refusal.
    """

    __slots__ = ("actions", "clause", "why_not")

    finite = True

    def __init__(
        self,
        actions: Sequence[Any],
        why_not: Callable[[Any], Refusal | None] | None = None,
        clause: str = "",
    ) -> None:
        self.actions, self.why_not, self.clause = actions, why_not, clause

    def __iter__(self) -> Iterator[Any]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def several(self) -> bool:
        return len(self.actions) > 1

    def sample(self, dice: Dice) -> Any:
        return self.actions[dice.below(len(self.actions))]

    def refusal(self, action: Any) -> Refusal | None:
        if action in self.actions:
            return None
        refusal = self.why_not(action) if self.why_not else None
        if refusal is None:
            refusal = not_an_option(self.clause, f"{type(action).__name__} is not one of the choices here")
        if refusal.nearest is None or refusal.nearest not in self.actions:
            alike = [a for a in self.actions if type(a) is type(action)]
            refusal = refusal.towards((alike or list(self.actions))[0])
        return refusal


class Decision(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A question to one side."""

    side: int

    clauses: ClassVar[tuple[str, ...]] = ()
    """Clauses on which the question is based."""
    secret: ClassVar[bool] = False
    """True if the answer stays hidden, because the step stores it in a secret field of the state."""
    reaction: ClassVar[bool] = False
    """True if the side is asked even if it has only one option, because a skipped question would reveal that.
    Interfaces answer a question with a single option automatically for a person.
    """
    settles: ClassVar[bool] = False
    """True if the question belongs to the evaluation of dice, such as which model of a unit falls. Odds of a roll
    include the answer; nothing else in the game depends on it.
    """

    template: ClassVar[str] = ""
    """Words of the question, with values in braces (see `worded`)."""
    says: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    """Functions that compute values for the template which are not fields."""
    about: ClassVar[tuple[str, ...]] = ()
    """Names of fields, of the decision or of its answers, that hold units."""

    def options(self, t: Any) -> Options:
        raise NotImplementedError(type(self).__name__)

    def prompt(self, t: Any) -> str:
        return worded(self, t)

    def touches(self, action: Any) -> tuple[int, ...]:
        """Return the units that an answer names one by one, each with an effect of its own."""
        answered = [touched(self if name in self.__struct_fields__ else action, (name,)) for name in self.about]
        return tuple(chain.from_iterable(answered))


def words_of(action: Action) -> str:
    """Return an action's class name as words: `HoldFire` becomes `Hold fire`."""
    name = type(action).__name__
    words = "".join(" " + c.lower() if c.isupper() else c for c in name).strip()
    return words[:1].upper() + words[1:]
