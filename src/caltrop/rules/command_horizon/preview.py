"""Forecasts of attacks that may be declared now: dice, exact odds, and reaction fire.

The page, the terminal and the computer players use them. No part of the battle is played. The numbers come from the
package `attack`, and include attacks that were recorded against the target in this step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking.in_order import Attacking
from caltrop.asking.whole import Telling, left_alone, whole_act
from caltrop.chance import Distribution
from caltrop.engine import Decision, Procedure, Refusal, Sum, total
from caltrop.engine.explore import ClosedForm, first_option
from caltrop.engine.forecast import Forecast, Value, foreseen, loss, many_dice
from caltrop.engine.form import DiceSum
from caltrop.rules.command_horizon.artillery import NewTarget, Redirect, pod_attack, redirected
from caltrop.rules.command_horizon.attack import (
    Attack,
    Damage,
    Ending,
    Strength,
    allocate,
    attack_dice,
    defence_dice,
    face_counts,
    may_overkill,
    read,
    results,
    standing,
    worse_fate,
)
from caltrop.rules.command_horizon.charge import Charge, ChargeReaction, JoinCharge, LetThemCome, ReactToCharge
from caltrop.rules.command_horizon.close_combat import (
    Name,
    NameEnemies,
    NameEnemy,
    blow_of,
    blows,
    combats,
    foes,
)
from caltrop.rules.command_horizon.combat import React, damage_waits
from caltrop.rules.command_horizon.contact import MakeContact, assault
from caltrop.rules.command_horizon.damage import DamageBatch, record
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.odds import after_roll, damages, distribution
from caltrop.rules.command_horizon.overwatch import FireOrWait, HoldOverwatch
from caltrop.rules.command_horizon.putredine import bases_from
from caltrop.rules.command_horizon.reach import price_of_move
from caltrop.rules.command_horizon.reaction import may_react, price_of_reaction, reaction_of
from caltrop.rules.command_horizon.records import Battle, DroneState, Naming, Order, Wound
from caltrop.rules.command_horizon.requests import request_of
from caltrop.rules.command_horizon.shooting import attack_of, attack_with, enemies_near, settled
from caltrop.rules.command_horizon.targets import Fire, FireAtSpot, SplitFire, Targets, why_not
from caltrop.rules.command_horizon.targets.naming import TargetOptions
from caltrop.rules.command_horizon.volley import Combine, CombinePairs, Shot, Volley


def why_no_attack(t: Battle, unit: int, target: int) -> Refusal | None:
    """Return why a unit cannot fire at an enemy from where they stand with the available points, or None if it can."""
    return why_not(t, t.units[unit].side, Fire(unit, target)) if 0 <= unit < len(t.units) else None


Come = Callable[[Attack], Distribution[Ending]]

_MANY = 60
"""Number of models that is larger than any attack can kill, so that all kills are counted."""


def _recorded(t: Battle, unit: int) -> tuple[Damage, DroneState | None]:
    kills = sum([w.kills for w in t.wounds if w.unit == unit])
    stuns = sum([w.stuns for w in t.wounds if w.unit == unit])
    drone: DroneState | None = None
    for w in t.wounds:
        if w.unit == unit:
            drone = worse_fate(drone, w.drone)
    return Damage(kills, stuns), drone


def endings(
    t: Battle, target: int, attack: Attack, only: Sequence[int] = (), come: Come | None = None
) -> Distribution[Ending]:
    """Return the odds of a target's state after an attack and all attacks recorded before.

    Args:
        only: The only models that the attack can remove; empty for any.
        come: Returns the results of an attack; by default its odds before any dice.
    """
    come = come or (lambda attack: distribution(t.book, attack))
    u = t.units[target]
    had, fate = _recorded(t, target)
    if had.kills >= len(u.models):
        return Distribution.certain(Ending(0, 0, None if u.drone is None else "destroyed"))
    # The kills and markers of a batch are added up, so kills and markers that are already recorded can be subtracted
    # first.
    models, stuns = len(u.models) - had.kills, u.stuns + had.stuns
    if not only:
        ends = come(replace(attack, target=replace(attack.target, models=models, stuns=stuns)))
    else:
        many = come(replace(attack, target=replace(attack.target, models=_MANY, stuns=0)))

        def limited(e: Ending) -> Ending:
            left = allocate(t, Strength(models, stuns), Damage(min(_MANY - e.models, len(only)), e.stuns))
            return Ending(left.models, left.stuns, e.drone)

        ends = many.map(limited)
    if fate is not None:
        ends = ends.map(lambda e: Ending(e.models, e.stuns, worse_fate(e.drone, fate)))
    return ends.sorted(key=lambda e: (e.models, e.stuns, e.drone or ""))


def _bases(t: Battle, attack: Attack) -> tuple[Fraction, Fraction]:
    land = attach = Fraction(0)
    for kind, dice in attack_dice(t, attack).pools:
        faces = results(t, attack, kind)
        land += Fraction(dice * faces.count("base"), 6)
        attach += Fraction(dice * faces.count("worm"), 6)
    return land, attach


def _words(e: Ending) -> str:
    if not e.models:
        return "destroyed"
    parts = [quantity(e.models, "model")]
    if e.stuns:
        parts.append(quantity(e.stuns, "stun"))
    if e.drone is not None:
        parts.append(f"drone {e.drone}")
    return ", ".join(parts)


def _parts(e: Ending) -> dict[str, Value]:
    parts: dict[str, Value] = {"models": e.models, "stuns": e.stuns}
    return parts if e.drone is None else {**parts, "drone": e.drone}


def of_attack(
    t: Battle,
    shooter: int,
    target: int,
    attack: Attack,
    *,
    about: str = "",
    only: Sequence[int] = (),
    price: Sum = (),
    answers: tuple[Forecast, ...] = (),
) -> Forecast:
    counted = attack_dice(t, attack)
    ends = endings(t, target, attack, only)
    # The first part of the dice for one hit is the die for the hit itself.
    bonus = defence_dice(t, attack, 1)[1:]
    land, attach = _bases(t, attack)
    expected = {
        "models": float(ends.expected(lambda e: e.models)),
        "stuns": float(ends.expected(lambda e: e.stuns)),
        **({"bases": float(land)} if land else {}),
        **({"worms": float(attach)} if attach else {}),
    }
    left = max(e.models for e in ends)
    strength = len(t.units[target].models) - min(_recorded(t, target)[0].kills, len(t.units[target].models))
    recorded = any(w.unit == target for w in t.wounds)
    return Forecast(
        about=about and f"{about} {many_dice(counted.total)}",
        by=shooter,
        target=target,
        thrown=_thrown(counted.total, counted.parts, bonus),
        outcomes=foreseen(ends, _words, _parts),
        exact=not only or not may_overkill(t, attack),
        headline=""
        if land or attach or not left
        else loss(
            ends.chance(lambda e: e.models < strength),
            ends.chance(lambda e: e.models == 0),
            "model" if strength > 1 else "",
        ),
        expected=expected,
        price=price,
        answers=answers,
        note="Attacks already recorded against the target in this step count." if recorded else "",
        request=None if only or recorded else request_of(t.book, attack),
    )


def _thrown(count: int, parts: Sum, bonus: Sum) -> tuple[DiceSum, ...]:
    attack = DiceSum(words=many_dice(count, "attack"), parts=parts)
    if not bonus:
        return (attack,)
    return attack, DiceSum(words=f"Defence: one die for each hit, and {total(bonus)} more", parts=bonus)


def _reaction(
    t: Battle, unit: int, target: int, boost: int = 0, *, about: str = "", against_charge: bool = False
) -> Forecast:
    attack = reaction_of(t, unit, target, boost, against_charge=against_charge)
    return of_attack(t, unit, target, attack, about=about, price=price_of_reaction(boost))


def _answers(t: Battle, target: int, shooter: int, *, against_charge: bool = False) -> tuple[Forecast, ...]:
    if not may_react(t, target, shooter, against_charge=against_charge):
        return ()
    return (_reaction(t, target, shooter, about="It may answer with", against_charge=against_charge),)


def _fire(t: Battle, action: Fire | SplitFire) -> Forecast:
    attacks = []
    for order in action.orders(t):
        now = settled(t, order)
        answers = _answers(t, order.target, order.unit)
        attacks.append(of_attack(t, order.unit, order.target, attack_of(t, now), only=now.only, answers=answers))
    return replace(attacks[0], price=action.cost(t), also=tuple(attacks[1:]))


def _pods(t: Battle, action: FireAtSpot) -> Forecast:
    (order,) = action.orders(t)
    counted = attack_dice(t, pod_attack(t, order))
    bases = Fraction(counted.total * sum([bases_from(t, face) for face in range(1, 7)]), 6)
    return Forecast(
        by=action.unit,
        thrown=_thrown(counted.total, counted.parts, ()),
        expected={"bases": float(bases)},
        price=action.cost(t),
    )


def _charge(t: Battle, action: Charge) -> Forecast:
    unit, target = action.unit, action.target
    there = t.clone()
    for m, path in assault(t, unit, target, action.reach) or ():
        x, y = path[-1]
        there.change_model(m, x=x, y=y)
    attack = attack_with(there, unit, target, "charge", t.units[unit].models)
    answers = _answers(t, target, unit, against_charge=True)
    if t.units[target].kind in ("infantry", "heavy-weapons"):
        blow = attack_with(there, target, unit, "close-combat", t.units[target].models)
        answers = (*answers, of_attack(t, target, unit, blow, about="It strikes back with"))
    price = price_of_move(t, unit, action.reach, charge=True)
    return of_attack(t, unit, target, attack, price=price, answers=answers)


def _blow(t: Battle, decision: NameEnemy, action: Name) -> Forecast:
    unit = decision.unit
    own = next((naming for naming in t.namings if naming.unit == action.enemy), Naming(action.enemy, unit))
    answers: tuple[Forecast, ...] = ()
    if own.enemy == unit and unit in foes(t, action.enemy):
        back = blow_of(t, action.enemy, unit, own.boost, decision.number)
        answers = (of_attack(t, action.enemy, unit, back, about="It strikes back with"),)
    attack = blow_of(t, unit, action.enemy, action.boost, decision.number)
    return of_attack(t, unit, action.enemy, attack, answers=answers)


def _combined(t: Battle, asked: CombinePairs, action: Combine) -> Forecast:
    shot = asked.shot
    counts = [face_counts(roll) for roll in asked.roll]
    hits = standing(t, shot.attack, read(t, shot.attack, counts, action.pairs))
    dice = defence_dice(t, shot.attack, hits.count)
    ends = endings(
        t, shot.target, shot.attack, shot.only, lambda attack: after_roll(t.book, attack, counts, action.pairs)
    )
    strength = len(t.units[shot.target].models)
    return Forecast(
        by=shot.shooter,
        target=shot.target,
        thrown=(DiceSum(words=many_dice(total(dice), "defence"), parts=dice),) if total(dice) else (),
        outcomes=foreseen(ends, _words, _parts),
        headline=loss(
            ends.chance(lambda e: e.models < strength),
            ends.chance(lambda e: e.models == 0),
            "model" if strength > 1 else "",
        ),
        expected={
            "models": float(ends.expected(lambda e: e.models)),
            "stuns": float(ends.expected(lambda e: e.stuns)),
        },
    )


def preview(t: Battle, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """Return the forecast of an action; None if it is illegal or not an attack.

    Args:
        decision: The decision to answer; by default the side's open decision.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is not None and asked in t.asked and asked.options(t).refusal(action) is not None:
        return None
    decision_type, foresee = FORESEEN.get(type(action), (None, None))
    if foresee is None or not (decision_type is None or isinstance(asked, decision_type)):
        return None
    return foresee(t, action, asked)


def _redirected(t: Battle, action: NewTarget, asked: Redirect) -> Forecast | None:
    order = settled(t, redirected(t, t.orders[asked.order], action.target))
    answers = _answers(t, order.target, order.unit)
    return of_attack(t, order.unit, order.target, attack_of(t, order), answers=answers)


# --- whole acts -------------------------------------------------------------------------------------------------------


def _state(t: Battle, unit: int) -> tuple[int, int, DroneState | None, bool]:
    u = t.units[unit]
    return len(u.models), u.stuns, u.drone, bool(u.locked)


def _fight(view: Battle, t: Battle, action: Any, number: int) -> Procedure | ClosedForm | None:
    """Return the next part of the fight after a charge: an attack of the first round or of a Rush, then the losses.

    All attacks of a round are rolled before losses are removed, so a closed form can resolve one after another.
    """
    if not isinstance(action, Charge):
        return None
    combat = next((units for units in combats(t) if action.unit in units), ())
    if combat and not number:
        return NameEnemies(side=t.units[action.unit].side, units=combat)
    rushes = [order for order in t.orders if order.unit == action.unit and order.rush]
    shots = (*blows(t, combat), *[Shot(order.unit, order.target, attack_of(t, order)) for order in rushes])
    place = number - bool(combat)
    if place < len(shots):
        later = [shot.target for shot in shots[place + 1 :]]
        return wounds_known(t, shots[place], last=shots[place].target not in later)
    return DamageBatch() if t.wounds else None


def wounds_known(t: Battle, shot: Shot, *, last: bool = False) -> ClosedForm:
    """Return the wounds that an attack records, in closed form, together with earlier ones of the same target. The
    target must not have a Shield Drone.

    Args:
        last: True if no later attack of the batch has this target. Wounds that leave it equally strong are then equal.
    """
    u, (had, _) = t.units[shot.target], _recorded(t, shot.target)
    alike: dict[Strength, Damage] = {}

    def dealt(e: Ending) -> Damage:
        """Return the wounds of the batch so far, or the first ones that leave the same strength."""
        batch = had + Damage(_MANY - e.models, e.stuns)
        if not last:
            return batch
        removed = Damage(min(batch.kills, len(u.models)), batch.stuns)
        return alike.setdefault(allocate(t, Strength(len(u.models), u.stuns), removed), batch)

    def write(t: Battle, batch: Damage) -> None:
        t.wounds[:] = [wound for wound in t.wounds if wound.unit != shot.target]
        record(t, Wound(unit=shot.target, kills=batch.kills, stuns=batch.stuns))

    many = replace(shot.attack.target, models=_MANY, stuns=0)
    return ClosedForm(distribution(t.book, replace(shot.attack, target=many)).map(dealt), write)


def _best_pairs(t: Battle, decision: Decision) -> Any:
    """Combine the best number of pairs of 6s, as the odds do. Other questions are answered by the first option."""
    if not isinstance(decision, CombinePairs):
        return first_option(t, decision)

    def worth(choice: Combine) -> tuple[float, float]:
        expected = _combined(t, decision, choice).expected
        return expected["models"], -expected["stuns"]

    return min(decision.options(t), key=worth)


def _holder(view: Battle, t: Battle, action: Any) -> int | None:
    if not isinstance(action, Charge) or t.units[action.unit].locked:
        return None
    return left_alone(lambda unit: bool(t.units[unit].models), action.unit, action.target)


def _volley_in_closed_form(volley: Volley, t: Battle) -> ClosedForm | None:
    """Return the wounds of a volley in closed form; None if a Shield Drone, exposed models or the owner's assignment of
    dice matter. Pairs of 6s are combined as `_best_pairs` does.
    """
    shots = volley.shots
    plain = all(shot.attack.target.drone is None and not shot.only for shot in shots)
    if volley.at or not plain or t.book.rules["defence.assign"] == "manual":
        return None
    odds: Distribution[tuple[Damage, ...]] = Distribution.certain(())
    for shot in shots:
        u, (had, _) = t.units[shot.target], _recorded(t, shot.target)
        target = replace(shot.attack.target, models=max(len(u.models) - had.kills, 1), stuns=u.stuns + had.stuns)
        each = damages(t.book, replace(shot.attack, target=target))
        odds = odds.then(lambda before, each=each: each.map(lambda dealt: (*before, dealt)))  # type: ignore[misc]

    def write(t: Battle, every: tuple[Damage, ...]) -> None:
        for shot, dealt in zip(shots, every, strict=True):
            _add_wound(shot, t, dealt)

    return ClosedForm(odds, write)


TELLING = Telling(
    units=lambda t: range(len(t.units)),
    state=_state,
    words=lambda t, unit, state: _words(Ending(*state[:3])) + ", in close combat" * state[3],
    parts=lambda t, state: {**_parts(Ending(*state[:3])), "locked": state[3]},
    is_gone=lambda state: not state[0],
    name=lambda t, unit: t.called(unit),
    breaks_in=(ChargeReaction, FireOrWait),
    lets_pass=(LetThemCome, HoldOverwatch),
    passes=(JoinCharge, MakeContact, NameEnemy),
    usual=_best_pairs,
    within=(MovementStep,),
    after=_fight,
    closed_forms={Volley: _volley_in_closed_form},
    holder=_holder,
)


def whole(t: Battle, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return the forecast of a whole act for all units: a charge, the fire at it, and the first round of the fight."""
    return whole_act(TELLING, t, side, action)


# --- several attackers ------------------------------------------------------------------------------------------------


def _attackers(t: Battle, side: int, target: int) -> list[tuple[int, Fire]]:
    if not any(isinstance(asked, Targets) for asked in t.asked):
        return []
    options = TargetOptions(t, side)
    plain = [(unit, options.plain(unit, target)) for unit in options.able() if target in enemies_near(t, unit)]
    return [(unit, fire) for unit, fire in plain if fire is not None]


def _attack(t: Battle, side: int, action: Fire | Order) -> ClosedForm | None:
    if isinstance(action, Fire):
        if why_not(t, side, action) is not None:
            return None
        action.perform(t, side)
        action = t.orders[-1]
    if not (t.units[action.unit].models and t.units[action.target].models):
        return None
    return _dealt(t, Shot(action.unit, action.target, attack_of(t, action), action.only))


def _dealt(t: Battle, shot: Shot) -> ClosedForm:
    """Return the damage of an attack in closed form. Pairs of 6s are combined as if nobody else attacked the target."""
    attack = shot.attack
    if shot.only:
        attack = replace(attack, target=replace(attack.target, models=_MANY, stuns=0))
    return ClosedForm(damages(t.book, attack), partial(_add_wound, shot))


def _add_wound(shot: Shot, t: Battle, dealt: Damage) -> None:
    """Record the damage in one wound together with earlier damage, so that equal sums are equal states."""
    same = next((one for one in t.wounds if one.unit == shot.target and one.only == shot.only), None)
    if same is not None:
        t.wounds.remove(same)
        dealt += Damage(same.kills, same.stuns, same.drone)
    kills = min(dealt.kills, len(t.units[shot.target].models))
    record(t, Wound(unit=shot.target, kills=kills, stuns=dealt.stuns, only=shot.only, drone=dealt.drone))


ATTACKING = Attacking(
    telling=TELLING,
    attackers=_attackers,
    attacker=lambda t, action: action.unit if isinstance(action, Fire) else None,
    attack=_attack,
    worth=lambda state: (state[0], -state[1]),
    declared=lambda t, target: [order for order in t.orders if order.target == target and not order.done],
    settle=lambda t: DamageBatch() if t.wounds else None,
    at_once=lambda t: not damage_waits(t),
)


FORESEEN: dict[type, tuple[type | None, Callable[[Battle, Any, Any], Forecast | None]]] = {
    Fire: (None, lambda t, action, asked: _fire(t, action)),
    SplitFire: (None, lambda t, action, asked: _fire(t, action)),
    FireAtSpot: (None, lambda t, action, asked: _pods(t, action)),
    React: (None, lambda t, act, asked: _reaction(t, act.unit, t.orders[act.order].unit, act.boost)),
    Charge: (None, lambda t, action, asked: _charge(t, action)),
    Name: (NameEnemy, lambda t, action, asked: _blow(t, asked, action)),
    ReactToCharge: (
        ChargeReaction,
        lambda t, act, asked: _reaction(t, asked.unit, act.charger, act.boost, against_charge=True),
    ),
    Combine: (CombinePairs, lambda t, action, asked: _combined(t, asked, action)),
    NewTarget: (Redirect, _redirected),
}
"""Forecasts by kind of action, each with the kind of decision that it answers (None for any)."""
