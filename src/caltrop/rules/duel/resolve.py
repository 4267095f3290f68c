"""Referees one strike with a given die, and explains every number of the answer."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.engine import Term, total
from caltrop.kit.refereed import GivenDice, NamedThrow, refereed
from caltrop.kit.requests import wrong
from caltrop.rules.duel.records import Wounded
from caltrop.rules.duel.requests import asked
from caltrop.rules.duel.strike import Strike

THROWS = {"attack": NamedThrow("DU-STRIKE-02", "a strike has one die")}


class TargetLeft(msgspec.Struct, frozen=True, kw_only=True):
    wounds: int


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    needed: int
    die: int
    hit: bool
    target: TargetLeft
    because: tuple[Term, ...]
    """The terms of each number, with their clauses and words."""


def answer(raw: Any) -> ResolveAnswer:
    """Referee one strike.

    Raises InputError for a request that cannot be read, is beyond the limits, or has no die.

    Args:
        raw: The request with its die, as plain data.
    """
    request = asked(raw)
    if request.dice is None:
        raise wrong("dice", "a strike is refereed with its die: `attack`")
    strike = Strike(at="throw_the_die", side=0, parried=request.parried)
    after, events = refereed(request.t, strike, GivenDice(msgspec.structs.asdict(request.dice), THROWS))
    face, hit = request.dice.attack, any(isinstance(event, Wounded) for event in events)
    fell = Term(face, "DU-STRIKE-02", "The die: a hit" if hit else "The die: a miss")
    return ResolveAnswer(
        needed=total(request.needed),
        die=face,
        hit=hit,
        target=TargetLeft(wounds=after.duellists[1].wounds),
        because=(*request.needed, fell),
    )
