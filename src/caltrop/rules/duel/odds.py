"""The exact odds of one strike: the number of wounds left, with the chances."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine import total
from caltrop.engine.explore import Explorer
from caltrop.engine.sequence import InOrder
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.requests import asked
from caltrop.rules.duel.strike import Strike


class AttackOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A result of a strike, and its probability."""

    wounds: int
    """Wounds of the target after the strike."""
    probability: str
    """Probability as a fraction in lowest terms."""
    p: float
    """Probability, rounded."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All results of a strike, with their probabilities."""

    needed: int
    exact: bool = True
    outcomes: tuple[AttackOutcome, ...]


def chances(t: Duel, attacker: int, parried: bool) -> Distribution[int]:
    strike = Strike(at="throw_the_die", side=attacker, parried=parried)
    return Explorer(t).odds(strike, lambda after, _: after.duellists[1 - attacker].wounds).sorted(key=int)


def answer(raw: Any) -> OddsAnswer:
    """Return the odds of one strike. Raises InputError for a request that cannot be read or holds more than it may.

    Args:
        raw: The request, as plain data, without dice.
    """
    request = asked(raw)
    no_dice(request.dice)
    ends = chances(request.t, 0, request.parried)
    return OddsAnswer(
        needed=total(request.needed),
        outcomes=tuple(AttackOutcome(wounds=left, probability=fraction(p), p=float(p)) for left, p in ends.items()),
    )


IN_ORDER = InOrder(
    left=lambda request, o: {"wounds": o["wounds"]} if o["wounds"] else None,
    sort=lambda o: o["wounds"],
    worth=lambda o: (o["wounds"],),
)
"""For several strikes in order: the target of a strike has the wounds left by the strike before."""
