"""The exact odds of one attack for the defender."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine.explore import Explorer, Solved, Stops
from caltrop.engine.rule import HasBook
from caltrop.engine.sequence import InOrder
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice
from caltrop.rules.blade_skirmish.challenge import FACES
from caltrop.rules.blade_skirmish.injury import REMOVED, Attack, InjuryRoll, injury
from caltrop.rules.blade_skirmish.records import Injury, Skirmish
from caltrop.rules.blade_skirmish.requests import asked
from caltrop.rules.blade_skirmish.scene import put, scene

Chances = Distribution[Injury | None]

ORDER: tuple[Injury | None, ...] = (None, "stunned", "fleeing", "wounded", "dead")
"""Outcomes from mild to severe; None if the attacker does not win."""


def injuries(b: HasBook) -> Distribution[Injury | None]:
    return Distribution([(injury(b, die), 1) for die in FACES])


def hurt(t: Skirmish, attacker: int, target: int) -> tuple[Explorer, Distribution[tuple[Injury | None, Injury | None]]]:
    """Return the explorer of one attack, and the odds of the injuries of target and attacker (None for no injury).

    Fatalities and second attacks after a death are left out.

    Args:
        t: The skirmish with attacker and defender in place.
    """
    before = len(t.blows)

    def came(after: Skirmish, _: object) -> tuple[Injury | None, Injury | None]:
        hers = {blow.victim: blow.injury for blow in after.blows[before:]}
        return hers.get(target), hers.get(attacker)

    stops: Stops = {(InjuryRoll, "throw_the_fatality"): lambda frame, after: None}
    explorer = Explorer(t, stops=stops)
    return explorer, explorer.odds(Attack(attacker=attacker, target=target), came)


SOLVED: Solved[Injury | None] = Solved()


def chances(b: HasBook, attacker: int, defender: int, flanking: bool) -> Chances:
    """Return the exact odds of one attack for the defender; None means that the attacker does not win.

    Args:
        b: Holder of the house rules in force. If ties are rolled again, the odds include all further rolls.
    """

    def alone() -> tuple[Explorer, Chances]:
        beside = (put(0, attacker, 14, 12),) if flanking else ()
        t = scene(put(0, attacker, 12, 12), put(1, defender, 13, 12), *beside, rules=b.book.rules)
        explorer, ends = hurt(t, 0, 1)
        return explorer, ends.map(lambda end: end[0]).sorted(key=ORDER.index)

    return SOLVED.odds((tuple(b.book.rules.items()), attacker, defender, flanking), alone)


class AttackOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One possible result of an attack, with its probability."""

    injury: Injury | None
    """Injury of the defender; null if the attacker does not win."""
    probability: str
    """Probability as a fraction in lowest terms."""
    p: float
    """Probability as a decimal number."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All possible results of an attack."""

    exact: bool = True
    outcomes: tuple[AttackOutcome, ...]


def answer(raw: Any) -> OddsAnswer:
    """Return the odds of an attack.

    Raises InputError for an invalid or illegal request.

    Args:
        raw: The request, as plain data, without dice.
    """
    request = asked(raw)
    no_dice(request.dice)
    return OddsAnswer(
        outcomes=tuple(
            AttackOutcome(injury=injury, probability=fraction(chance), p=float(chance))
            for injury, chance in chances(request.book, request.attacker, request.defender, request.flanking).items()
        )
    )


def _left(request: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the defender for the next attack: unhurt, because all attacks of a combat are simultaneous.

    Return None if she was removed, and a house rule applies each attack at once.
    """
    at_once = request.get("rules", {}).get("combat_order") == "sequential"
    return None if at_once and outcome["injury"] in REMOVED else request["defender"]


def _worse(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {"injury": max(before["injury"], after["injury"], key=ORDER.index)}


IN_ORDER = InOrder(
    left=_left,
    together=_worse,
    sort=lambda o: ORDER.index(o["injury"]),
    worth=lambda o: (-(o["injury"] in REMOVED), -(o["injury"] == "dead"), -ORDER.index(o["injury"])),
    means=lambda o: {name: int(o["injury"] == name) for name in ORDER if name is not None},
    target="defender",
)
"""Rules for a sequence of attacks on one fighter: her worst injury counts."""
