"""The referee of one attack: it computes the result for given dice, and explains every number."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.engine import Term, total
from caltrop.kit.requests import die_given, face_given, no_die, wrong
from caltrop.rules.blade_skirmish.challenge import Winner, a_tie_is, added_up, winner
from caltrop.rules.blade_skirmish.fatality import FATALITIES
from caltrop.rules.blade_skirmish.injury import IN_WORDS, injury, is_fatality_rolled
from caltrop.rules.blade_skirmish.records import Injury
from caltrop.rules.blade_skirmish.requests import Asked, DiceGiven, asked

_ROW: dict[Injury, str] = {
    "stunned": "BS-INJ-01",
    "fleeing": "BS-INJ-02",
    "wounded": "BS-INJ-03",
    "dead": "BS-INJ-04",
}
"""Clauses of the rows of the injury table."""

DIE = "BS-DIC-01"
"""Clause that defines the faces of a die."""


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    winner: Winner | None
    """Winner of the challenge; null for a tie."""
    injury: Injury | None
    """Injury of the defender; null if the attacker did not win."""
    fatality: int | None
    """Row of the fatality table; null if none was rolled."""
    because: tuple[Term, ...]
    """Terms that add up to the numbers of the answer, each with its clause and reason."""


def answer(raw: Any) -> ResolveAnswer:
    """Resolve one attack.

    Raises InputError for an invalid or illegal request, and for missing or superfluous dice.

    Args:
        raw: The request, as plain data.
    """
    request = asked(raw)
    dice = request.dice
    if dice is None:
        raise wrong("dice", "an attack is refereed with its dice: `attacker` and `defender`, and what they lead to")
    attack = face_given(dice.attacker, "dice.attacker", DIE)
    defence = face_given(dice.defender, "dice.defender", DIE)
    mine, hers = attack + total(request.attacker_adds), defence + total(request.defender_adds)
    won = winner(request.book, mine, hers)
    because = [
        Term(attack, "BS-QUA-02", "The attacker: die"),
        *[Term(term.value, term.clause, f"The attacker: {term.words}") for term in request.attacker_adds],
        Term(defence, "BS-QUA-02", "The defender: die"),
        *[Term(term.value, term.clause, f"The defender: {term.words}") for term in request.defender_adds],
    ]
    against = f"{added_up(attack, mine)} against {added_up(defence, hers)}"
    if won is None and a_tie_is(request.book) == "reroll":
        raise wrong("dice", f"{against} is a tie, and both are thrown again (BS-Q10): give the dice that decide")
    if won != "attacker":
        what, clause = ("a tie", "BS-Q10") if won is None else ("the defender wins, and nothing happens", "BS-CMB-06")
        no_die(dice.injury, "injury", f"{against}, {what} ({clause})")
        no_die(dice.fatality, "fatality", f"{against}, {what} ({clause})")
        because.append(Term(mine - hers, clause, what.capitalize()))
        return ResolveAnswer(winner=won, injury=None, fatality=None, because=tuple(because))
    because.append(Term(mine - hers, "BS-CMB-07", "The attacker wins, and the defender rolls an injury"))
    return _hurt(request, dice, because, f"{against}, the attacker wins (BS-CMB-07)")


def _hurt(request: Asked, dice: DiceGiven, because: list[Term], why: str) -> ResolveAnswer:
    face = die_given(dice.injury, "injury", why, DIE)
    result = injury(request.book, face)
    because.append(Term(face, _ROW[result], f"The injury die: {IN_WORDS[result]}"))
    fatality: int | None = None
    if is_fatality_rolled(request.book, result, True, False):
        fatality = die_given(dice.fatality, "fatality", f"the defender is {IN_WORDS[result]} (BS-Q23)", DIE)
        row = FATALITIES[fatality - 1]
        because.append(Term(fatality, row.clause, f"The fatality die: {row.title}"))
    else:
        why = f"the defender is {IN_WORDS[result]}, and `fatality` is {request.book.rules['fatality']} (BS-Q23)"
        no_die(dice.fatality, "fatality", why)
    return ResolveAnswer(winner="attacker", injury=result, fatality=fatality, because=tuple(because))
