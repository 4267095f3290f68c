"""The odds of the state of a unit on foot after an attack and its morale checks."""

from __future__ import annotations

from typing import NamedTuple

from caltrop.chance import Distribution
from caltrop.engine.rule import HasBook
from caltrop.rules.squad_action.fire import AttackResult
from caltrop.rules.squad_action.morale import Squad, breaking_removes, checks_due, ways_to_pass


class LeftUnit(NamedTuple):
    """State of a unit on foot after an attack and its morale checks."""

    models: int
    """Number of models left; 0 for a unit that is out of play."""
    pinned: bool
    broken: bool = False
    """True if the unit is Broken and still in play (house rule `break_result`)."""


def after_morale(
    b: HasBook, squad: Squad, pinned: bool, fallen: Distribution[AttackResult], flame: bool, flyer: bool
) -> Distribution[LeftUnit]:
    """Return the exact odds of a unit's states after its morale checks.

    Args:
        b: Holder of the house rules in force.
        squad: The unit before the attack.
        pinned: True if the unit was Pinned before the attack.
        fallen: Odds of the attack's hits and casualties.
        flame: True if a flamethrower was used.
        flyer: True if the attacker is a flyer.
    """
    gone = LeftUnit(0, False)
    weights: dict[LeftUnit, int] = {}
    made: dict[tuple[int, bool], tuple[tuple[LeftUnit, int], ...]] = {}
    for (hits, casualties), weight in fallen.weights():
        key = casualties, hits > 0
        ends = made.get(key)
        if ends is None:
            left = squad.left - casualties
            due = checks_due(b, squad._replace(left=left), casualties, hits > 0, flame, flyer)
            if due.gone:
                ends = ((gone, 1296),)
            else:
                stays, of = (1, 1) if due.breaking is None else ways_to_pass(b, squad.morale, due.breaking)
                holds, out_of = (1, 1)
                if due.pinning is not None and not pinned:
                    holds, out_of = ways_to_pass(b, squad.morale, due.pinning)
                # Weights are scaled to a total of 1296; `of` and `out_of` are 1, 6 or 36.
                scale = 1296 // (of * out_of)
                breaks = gone if breaking_removes(b) else LeftUnit(left, False, True)
                ends = (
                    (breaks, (of - stays) * out_of * scale),
                    (LeftUnit(left, pinned, squad.broken), stays * holds * scale),
                    (LeftUnit(left, True), stays * (out_of - holds) * scale),
                )
            made[key] = ends
        for end, ways in ends:
            if ways:
                weights[end] = weights.get(end, 0) + weight * ways
    return Distribution(weights)
