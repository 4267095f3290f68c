"""The referee of one strike: the die is given, and every number of the answer is explained."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.engine import Term, total
from caltrop.kit.requests import face_given, wrong
from caltrop.rules.duel.requests import asked


class TargetLeft(msgspec.Struct, frozen=True, kw_only=True):
    wounds: int


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    needed: int
    die: int
    hit: bool
    target: TargetLeft
    because: tuple[Term, ...]
    """Terms that each number is made of, with their clauses and words."""


def answer(raw: Any) -> ResolveAnswer:
    """Referee one strike.

    Raises InputError for a request that cannot be read or holds more than it may, and for a die that is missing.

    Args:
        raw: The request with its die, as plain data.
    """
    request = asked(raw)
    if request.dice is None:
        raise wrong("dice", "a strike is refereed with its die: `attack`")
    face, number = face_given(request.dice.attack, "dice.attack"), total(request.needed)
    hit = face >= number
    fell = Term(face, "DU-STRIKE-02", "The die: a hit" if hit else "The die: a miss")
    left = request.t.duellists[1].wounds - hit
    return ResolveAnswer(
        needed=number, die=face, hit=hit, target=TargetLeft(wounds=left), because=(*request.needed, fell)
    )
