"""What an attack that may be declared now can end in: its dice, the exact odds, and what the target may answer.

The page, the terminal and the opponents ask here. Nothing is played; every number is the attack core's, and what has
been recorded against the target in this step counts already.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from caltrop.chance import Distribution
from caltrop.engine import Decision, Sum
from caltrop.rules.command_horizon.artillery import NewTarget, Redirect, pod_attack, redirected
from caltrop.rules.command_horizon.attack import (
    Attack,
    Damage,
    Ending,
    Strength,
    allocate,
    attack_dice,
    defence_dice,
    may_overkill,
    results,
    worse_fate,
)
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.charge import Charge, ChargeReaction, ReactToCharge
from caltrop.rules.command_horizon.close_combat import Name, NameEnemy, blow_of, foes
from caltrop.rules.command_horizon.combat import React
from caltrop.rules.command_horizon.odds import Outcome, distribution
from caltrop.rules.command_horizon.putredine import bases_from
from caltrop.rules.command_horizon.reach import price_of_move
from caltrop.rules.command_horizon.reaction import may_react, price_of_reaction, reaction_of
from caltrop.rules.command_horizon.records import DroneState
from caltrop.rules.command_horizon.requests import request_of
from caltrop.rules.command_horizon.shooting import attack_of, attack_with, settled
from caltrop.rules.command_horizon.targets import Fire, FireAtSpot, SplitFire, orders_from, price_of

_MANY = 60
"""Models of a unit that no attack can use up: it tells kills from kills that are lost."""


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """Means, rounded; for people, never for rules."""

    models: float
    stuns: float
    bases: float | UnsetType = UNSET
    """Putredine bases that appear."""
    worms: float | UnsetType = UNSET
    """Putredine bases that attach."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What one attack can end in."""

    shooter: int
    target: int | None
    attack_dice: int
    dice: Sum
    """The Attack Dice as the parts that they are made of."""
    defence: Sum
    """Defence Dice that come on top of one for each hit, if any hit stands."""
    exact: bool = True
    """False where the attacker's best use of 6s could only be estimated."""
    outcomes: tuple[Outcome, ...] = ()
    """Models, markers and drone of the target after the step, and how likely."""
    expected: Expected
    destroyed: float = 0
    """The chance that nothing of the target is left."""
    price: Sum = ()
    answers: tuple[Preview, ...] = ()
    """What the target may do to the attacker in the same step: reaction fire without a boost, or its own blows."""
    also: tuple[Preview, ...] = ()
    """The other groups of a unit that splits its fire."""
    because: Sum = ()
    """Every term, dice first, then defence."""
    request: dict[str, Any] | None = None
    """The same attack as a request for its odds; None where a request cannot hold it."""


def _recorded(t: Battle, unit: int) -> tuple[Damage, DroneState | None]:
    kills = sum([w.kills for w in t.wounds if w.unit == unit])
    stuns = sum([w.stuns for w in t.wounds if w.unit == unit])
    drone: DroneState | None = None
    for w in t.wounds:
        if w.unit == unit:
            drone = worse_fate(drone, w.drone)
    return Damage(kills, stuns), drone


def endings(t: Battle, target: int, attack: Attack, only: Sequence[int] = ()) -> Distribution[Ending]:
    """What a target is after an attack and everything that is recorded against it already.

    Args:
        only: The models that alone can be lost to the attack; any where empty.
    """
    u = t.units[target]
    had, fate = _recorded(t, target)
    if had.kills >= len(u.models):
        return Distribution.certain(Ending(0, 0, None if u.drone is None else "destroyed"))
    # Kills and markers of one batch are added up, so that those recorded may be taken off beforehand.
    models, stuns = len(u.models) - had.kills, u.stuns + had.stuns
    if not only:
        ends = distribution(t.book, replace(attack, target=replace(attack.target, models=models, stuns=stuns)))
    else:
        many = distribution(t.book, replace(attack, target=replace(attack.target, models=_MANY, stuns=0)))

        def limited(e: Ending) -> Ending:
            left = allocate(t, Strength(models, stuns), Damage(min(_MANY - e.models, len(only)), e.stuns))
            return Ending(left.models, left.stuns, e.drone)

        ends = many.map(limited)
    if fate is not None:
        ends = ends.map(lambda e: Ending(e.models, e.stuns, worse_fate(e.drone, fate)))
    return ends.sorted(key=lambda e: (e.models, e.stuns, e.drone or ""))


def _bases(t: Battle, attack: Attack) -> tuple[Fraction, Fraction]:
    """Expected bases that land and attach."""
    land = attach = Fraction(0)
    for kind, dice in attack_dice(t, attack).pools:
        faces = results(t, attack, kind)
        land += Fraction(dice * faces.count("base"), 6)
        attach += Fraction(dice * faces.count("worm"), 6)
    return land, attach


def of_attack(
    t: Battle,
    shooter: int,
    target: int,
    attack: Attack,
    *,
    only: Sequence[int] = (),
    price: Sum = (),
    answers: tuple[Preview, ...] = (),
) -> Preview:
    """The preview of one attack."""
    counted = attack_dice(t, attack)
    ends = endings(t, target, attack, only)
    bonus = defence_dice(t, attack, 1)[1:]
    land, attach = _bases(t, attack)
    models, stuns = ends.expected(lambda e: e.models), ends.expected(lambda e: e.stuns)
    return Preview(
        shooter=shooter,
        target=target,
        attack_dice=counted.total,
        dice=counted.parts,
        defence=bonus,
        exact=not only or not may_overkill(t, attack),
        outcomes=tuple(
            Outcome(
                models=e.models,
                stuns=e.stuns,
                drone=UNSET if e.drone is None else e.drone,
                probability=f"{chance.numerator}/{chance.denominator}",
                p=float(chance),
            )
            for e, chance in ends.items()
        ),
        expected=Expected(
            models=float(models),
            stuns=float(stuns),
            bases=float(land) if land else UNSET,
            worms=float(attach) if attach else UNSET,
        ),
        destroyed=float(ends.chance(lambda e: e.models == 0)),
        price=price,
        answers=answers,
        because=(*counted.parts, *bonus),
        request=None if only or any(w.unit == target for w in t.wounds) else request_of(t.book, attack),
    )


def _reaction(t: Battle, unit: int, target: int, boost: int = 0, *, against_charge: bool = False) -> Preview:
    attack = reaction_of(t, unit, target, boost, against_charge=against_charge)
    return of_attack(t, unit, target, attack, price=price_of_reaction(boost))


def _answers(t: Battle, target: int, shooter: int, *, against_charge: bool = False) -> tuple[Preview, ...]:
    if not may_react(t, target, shooter, against_charge=against_charge):
        return ()
    return (_reaction(t, target, shooter, against_charge=against_charge),)


def _fire(t: Battle, action: Fire | SplitFire) -> Preview:
    found = []
    for order in orders_from(t, action):
        now = settled(t, order)
        answers = _answers(t, order.target, order.unit)
        found.append(of_attack(t, order.unit, order.target, attack_of(t, now), only=now.only, answers=answers))
    return replace(found[0], price=price_of(t, action), also=tuple(found[1:]))


def _pods(t: Battle, action: FireAtSpot) -> Preview:
    (order,) = orders_from(t, action)
    counted = attack_dice(t, pod_attack(t, order))
    bases = Fraction(counted.total * sum([bases_from(t, face) for face in range(1, 7)]), 6)
    return Preview(
        shooter=action.unit,
        target=None,
        attack_dice=counted.total,
        dice=counted.parts,
        defence=(),
        expected=Expected(models=0.0, stuns=0.0, bases=float(bases)),
        price=price_of(t, action),
        because=counted.parts,
    )


def _charge(t: Battle, action: Charge) -> Preview:
    unit, target = action.unit, action.target
    attack = attack_with(t, unit, target, "charge", t.units[unit].models)
    answers = _answers(t, target, unit, against_charge=True)
    if t.units[target].kind in ("infantry", "heavy-weapons"):
        blow = attack_with(t, target, unit, "close-combat", t.units[target].models)
        answers = (*answers, of_attack(t, target, unit, blow))
    price = price_of_move(t, unit, action.reach, charge=True)
    return of_attack(t, unit, target, attack, price=price, answers=answers)


def _blow(t: Battle, decision: NameEnemy, action: Name) -> Preview:
    unit = decision.unit
    back = blow_of(t, action.enemy, unit, number=decision.number) if unit in foes(t, action.enemy) else None
    answers = () if back is None else (of_attack(t, action.enemy, unit, back),)
    attack = blow_of(t, unit, action.enemy, action.boost, decision.number)
    return of_attack(t, unit, action.enemy, attack, answers=answers)


def preview(t: Battle, side: int, action: Any, decision: Decision | None = None) -> Preview | None:
    """What an action can end in; None where it is no attack, or is refused by the decision that is asked.

    Args:
        t: The battle, as the side may see it.
        side: Who would act.
        action: The action.
        decision: The decision that it answers; by default the one that the side is asked now.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is not None and asked in t.asked and asked.options(t).refusal(action) is not None:
        return None
    if isinstance(action, Fire | SplitFire):
        return _fire(t, action)
    if isinstance(action, FireAtSpot):
        return _pods(t, action)
    if isinstance(action, React):
        return _reaction(t, action.unit, t.orders[action.order].unit, action.boost)
    if isinstance(action, Charge):
        return _charge(t, action)
    if isinstance(action, Name) and isinstance(asked, NameEnemy):
        return _blow(t, asked, action)
    if isinstance(action, ReactToCharge) and isinstance(asked, ChargeReaction):
        return _reaction(t, asked.unit, action.charger, action.boost, against_charge=True)
    if isinstance(action, NewTarget) and isinstance(asked, Redirect):
        order = settled(t, redirected(t, t.orders[asked.order], action.target))
        answers = _answers(t, order.target, order.unit)
        return of_attack(t, order.unit, order.target, attack_of(t, order), answers=answers)
    return None
