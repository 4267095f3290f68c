"""The exact odds of one volley: the models that the target has left, and whether the target is Pinned.

To compute the odds, both squads are put on a table and the attack is explored. The line of sight is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine.explore import Explorer, Solved
from caltrop.engine.sequence import InOrder
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.requests import Asked, asked
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.shots import Attack, Band
from caltrop.rules.squad_action.volley import AttackSoldiers

NODES = 200_000
"""Largest number of nodes; no valid request needs as many."""


def attack_asked(request: Asked) -> tuple[Firefight, AttackSoldiers]:
    """Return a table with the two squads of a request, and the attack procedure."""
    shooter, target, weapon = request.request.shooter, request.request.target, request.weapon
    t = scene(
        squad(
            0, shooter.profile, 2, 10, request.models, weapons=(shooter.weapon,) * request.models, traits=shooter.traits
        ),
        squad(
            1,
            target.profile,
            2,
            20,
            request.squad.left,
            starting=request.squad.starting,
            pinned=request.pinned,
            traits=target.traits,
        ),
        rules=request.book.rules,
    )
    at_risk = t.units[1].models
    band = Band(
        way=shooter.weapon,
        models=t.units[0].models,
        parts=request.to_hit,
        needed=request.needed,
        reroll=request.reroll,
        shots=0 if weapon.by_die else int(weapon.shots),
        ap=weapon.armour_piercing(),
        at_class=weapon.anti_tank(),
        flame=request.flame,
        at_risk=at_risk,
        cover=target.cover,
    )
    attack = Attack(unit=0, target=1, bands=(band,), seen=at_risk, flame=request.flame)
    return t, AttackSoldiers(attack=attack)


SOLVED: Solved[LeftUnit] = Solved()


def chances(attack_request: Asked) -> Distribution[LeftUnit]:
    request = attack_request.request
    read = (tuple(attack_request.book.rules.items()), request.shooter, request.target, attack_request.to_hit)
    return SOLVED.odds(read, lambda: explored(attack_request))


def explored(volley: Asked) -> tuple[Explorer, Distribution[LeftUnit]]:
    t, attack = attack_asked(volley)

    def left(after: Firefight, _: object) -> LeftUnit:
        u = after.units[1]
        return LeftUnit(len(u.models), u.pinned) if u.in_play else LeftUnit(0, False)

    explorer = Explorer(t, nodes=NODES)
    return explorer, explorer.odds(attack, left).sorted()


class AttackOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A possible result of the volley, with its probability."""

    models: int
    """Models left; 0 if the unit is removed."""
    pinned: bool
    probability: str
    """The chance as a fraction in lowest terms."""
    p: float
    """Chance of the outcome, rounded."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The possible results of a volley."""

    shots: int | None
    """Number of shots; null if it is rolled."""
    needed: int
    """Lowest roll that hits."""
    exact: bool = True
    outcomes: tuple[AttackOutcome, ...]


def answer(raw: Any) -> OddsAnswer:
    """Return the odds of one volley. Raises InputError for an invalid request.

    Args:
        raw: The request, as plain data, without dice.
    """
    request = asked(raw)
    no_dice(request.dice is not None)
    weapon = request.weapon
    return OddsAnswer(
        shots=None if weapon.by_die else request.models * int(weapon.shots),
        needed=request.needed,
        outcomes=tuple(
            AttackOutcome(
                models=left.models,
                pinned=left.pinned,
                probability=fraction(chance),
                p=float(chance),
            )
            for left, chance in chances(request).items()
        ),
    )


def _left(request: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the target of the next volley, which still began with all its models (SQ-ORG-27); None if the target is
    gone.
    """
    target = request["target"]
    now = {"models": outcome["models"], "pinned": outcome["pinned"]}
    return {"starting": target["models"], **target, **now} if outcome["models"] else None


IN_ORDER = InOrder(
    left=_left,
    sort=lambda o: (o["models"], o["pinned"]),
    worth=lambda o: (o["models"], -o["pinned"]),
)
"""Rules for a sequence of volleys: the target keeps its remaining models, and its Pinned marker."""
