"""The possible results of an act, in one form for all games: dice, chances, and the reactions of the other side.

The part `forecasts` of a ruleset returns a forecast for an action that a player considers. The numbers of a forecast
come from the rules, so a forecast agrees with the odds of the same request.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Distribution, wilson
from caltrop.engine.decision import Decision
from caltrop.engine.form import DiceSum
from caltrop.engine.rule import Sum

E = TypeVar("E")
Value = int | str | bool | None


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """One possible end of an act, with its chance."""

    words: str
    parts: dict[str, Value]
    """The end of the act as plain values, with the keys that an outcome has in the game's odds."""
    probability: str
    """The chance as a fraction in lowest terms."""
    p: float
    """The chance, rounded."""
    between: tuple[float, float] | None = None
    """95 % Wilson score interval of an estimated chance, rounded; None for an exact chance."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The possible results of an act."""

    about: str = ""
    """Subject of this forecast, if it is about something other than the target."""
    by: int | None = None
    """The unit that acts."""
    target: int | None = None
    """The unit whose outcomes are listed."""
    thrown: tuple[DiceSum, ...] = ()
    """Dice to be thrown, those of the act first."""
    outcomes: tuple[Foreseen, ...] = ()
    """Every possible end of the act; the chances add up to 1."""
    exact: bool = True
    """False if the chances are estimated."""
    headline: str = ""
    """A summary, such as `Takes at least one model: 62 %`."""
    expected: dict[str, float] = {}
    """Means, rounded; for people, never for rules."""
    price: Sum = ()
    """Cost of the act in the game's own currency, such as command points."""
    answers: tuple[Forecast, ...] = ()
    """Reactions of the other side, named in `about`."""
    also: tuple[Forecast, ...] = ()
    """Effects of the same act on other units."""
    note: str = ""
    """Remark about the forecast for the reader."""
    request: dict[str, Any] | None = None
    """The same attack as a request for odds; None if no request can express it."""


class AttacksInOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The possible states of a target after several attackers have attacked it, one after another."""

    attackers: tuple[int, ...] = ()
    """The units that may attack the target at the open question."""
    order: tuple[int, ...] = ()
    """The attackers that may attack, in order. A unit that has to act now comes first."""
    declared: int = 0
    """Number of declared attacks on the target that are not yet carried out; these come before the listed attackers."""
    odds: Forecast | None = None
    """The possible states of the target after all attacks; None for fewer than two attacks."""
    idle: tuple[int, ...] = ()
    """Attackers that will certainly be unable to attack when it is their turn."""
    best: tuple[int, ...] = ()
    """The order that does the most damage to the target; the given order if no other is better. The list is empty if
    the best order was not requested, or if there are too many orders.
    """


class Foresee(Protocol):
    def __call__(self, t: Any, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
        """Return the possible results of an action; None if the action is illegal or has no random result.

        Args:
            t: The state, as the side may see it.
            decision: The decision to answer; by default the side's open decision.
        """
        ...


def foreseen(
    ends: Distribution[E], words: Callable[[E], str], parts: Callable[[E], dict[str, Value]], times: int = 0
) -> tuple[Foreseen, ...]:
    """Return a distribution as entries for a forecast.

    Args:
        ends: The possible ends with their chances, in the order of the forecast.
        times: Number of playouts; 0 if the chances are exact.
    """
    return tuple(
        Foreseen(
            words=words(end),
            parts=parts(end),
            probability=f"{chance.numerator}/{chance.denominator}",
            p=float(chance),
            between=wilson(round(chance * times), times) if times else None,
        )
        for end, chance in ends.items()
    )


def in_hundred(chance: Fraction) -> str:
    """Return a chance in per cent, rounded to a whole number unless that would make it certain or impossible.

    >>> [in_hundred(chance) for chance in (Fraction(5, 8), Fraction(1, 999), Fraction(998, 999), Fraction(1))]
    ['63 %', 'under 1 %', 'over 99 %', '100 %']
    """
    if 0 < chance < Fraction(1, 100):
        return "under 1 %"
    if Fraction(99, 100) < chance < 1:
        return "over 99 %"
    return f"{(200 * chance.numerator + chance.denominator) // (2 * chance.denominator)} %"


def loss(some: Fraction, whole: Fraction, of: str) -> str:
    """Return the headline of an attack's forecast, such as `Takes at least one model: 62 %`.

    Args:
        some: The chance of any loss.
        whole: The chance that the target is destroyed.
        of: Noun for the losses, as `model`; empty if the target is a single model.

    >>> loss(Fraction(5, 8), Fraction(1, 4), "model"), loss(Fraction(1, 4), Fraction(1, 4), "")
    ('Takes at least one model: 63 %, destroys it: 25 %', 'Destroys it: 25 %')
    """
    if not of:
        return f"Destroys it: {in_hundred(whole)}"
    return f"Takes at least one {of}: {in_hundred(some)}" + f", destroys it: {in_hundred(whole)}" * bool(whole)


def many_dice(count: int, kind: str = "") -> str:
    """Return a number of dice in words.

    >>> many_dice(1, "attack"), many_dice(3)
    ('1 attack die', '3 dice')
    """
    return quantity(count, f"{kind} die".strip())
