"""Forecasts of acts with exact chances: attacks, charges, flights and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from caltrop.asking import Choices
from caltrop.asking.in_order import Attacking
from caltrop.asking.whole import Telling, left_alone, whole_act
from caltrop.chance import Distribution
from caltrop.engine import Decision, Refusal, inches, total
from caltrop.engine.forecast import Forecast, Value, foreseen
from caltrop.engine.form import DiceSum
from caltrop.geometry import INCH
from caltrop.kit.words import listed
from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.catalogue import FLIGHT
from caltrop.rules.blade_skirmish.challenge import (
    FACES,
    QualityTest,
    adds_to_a_test,
    attacker_adds,
    chance_to_pass,
    defender_adds,
    in_hundred,
)
from caltrop.rules.blade_skirmish.charge import Charge, StayInContact, straight_charge
from caltrop.rules.blade_skirmish.combat import (
    NO_ATTACK,
    AttackAll,
    AttackEnemy,
    ChooseAttack,
    Combat,
    attackers,
    counts_at_once,
    holding_back,
    targets,
)
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import SecondAttack, StrikeAgain, slips_there
from caltrop.rules.blade_skirmish.flight import FleeFrom, FlightRun, running
from caltrop.rules.blade_skirmish.injury import REMOVED, Attack
from caltrop.rules.blade_skirmish.odds import ORDER, hurt, injuries
from caltrop.rules.blade_skirmish.places import flank_partners, touched_enemies
from caltrop.rules.blade_skirmish.records import Injury, Named, Skirmish
from caltrop.rules.blade_skirmish.requests import request_of
from caltrop.rules.blade_skirmish.running import TakeTest
from caltrop.rules.blade_skirmish.straight import obstacle
from caltrop.rules.blade_skirmish.through import GoOrStay
from caltrop.rules.blade_skirmish.turn import Sequence as Phases


def why_no_attack(t: Skirmish, unit: int, target: int) -> Refusal | None:
    refusal = 0 <= unit < len(t.fighters)
    return AttackEnemy(unit, target).why(Choices(t, t.fighters[unit].side)) if refusal else None


# --- attacks ----------------------------------------------------------------------------------------------------------


def attack(t: Skirmish, attacker: int, target: int, about: str = "", answered: bool = True) -> Forecast:
    a, d = t.fighters[attacker], t.fighters[target]
    partners = flank_partners(t, attacker, target)
    _, ends = hurt(t, attacker, target)
    fates = ends.map(lambda end: end[0]).sorted(key=ORDER.index)
    hit = 1 - fates[None]
    out = fates.chance(lambda injury: injury in REMOVED)
    beside = f", flanking with {listed([t.called(id) for id in partners])}" if partners else ""
    mine, hers = attacker_adds(t, a.quality, bool(partners)), defender_adds(t, d.quality)
    return Forecast(
        about=about,
        by=attacker,
        target=target,
        outcomes=foreseen(fates, lambda injury: injury or "not hit", lambda injury: {"injury": injury}),
        headline=f"{in_hundred(hit)} to hit, {in_hundred(out)} to take her off the table{beside}",
        thrown=(
            DiceSum(words=f"{t.called(a.id)} adds {total(mine)} to her die", parts=mine),
            DiceSum(words=f"{t.called(d.id)} adds {total(hers)} to hers", parts=hers),
        ),
        also=_clash(t, attacker, target, ends.map(lambda end: end[1]).sorted(key=ORDER.index)),
        answers=(_answer(t, target, attacker),) if answered and may_strike_back(t, target, attacker) else (),
        request=request_of(t.book, a.quality, d.quality, bool(partners)),
    )


def _all(t: Skirmish, pairs: Sequence[tuple[int, int]]) -> Forecast | None:
    attacks = [attack(t, one, other, f"{t.called(one)} attacks {t.called(other)}") for one, other in pairs]
    return replace(attacks[0], also=(*attacks[0].also, *attacks[1:])) if attacks else None


def _clash(t: Skirmish, attacker: int, target: int, distribution: Distribution[Injury | None]) -> tuple[Forecast, ...]:
    if set(distribution) == {None}:
        return ()
    out = distribution.chance(lambda injury: injury in REMOVED)
    return (
        Forecast(
            about=f"The effect of a tie on {t.called(attacker)}",
            by=target,
            target=attacker,
            outcomes=foreseen(distribution, lambda injury: injury or "not hit", lambda injury: {"injury": injury}),
            headline=(f"{in_hundred(1 - distribution[None])} to be hit, {in_hundred(out)} to be taken off the table"),
        ),
    )


def may_strike_back(t: Skirmish, attacker: int, target: int) -> bool:
    """Return whether a fighter may still attack another in this combat, or has named an attack on her."""
    if not t.fighters[attacker].active or idle(t, attacker) or attacker in holding_back(t):
        return False
    enemies = [attack.target for attack in t.named if attack.attacker == attacker]
    return not enemies or (enemies == [target] and not counts_at_once(t))


def _answer(t: Skirmish, attacker: int, target: int) -> Forecast:
    name = t.called(attacker)
    return attack(t, attacker, target, f"{name} may strike back in the same combat", False)


def _charge(t: Skirmish, fighter: int, target: int) -> Forecast | None:
    end = straight_charge(t, fighter, target)
    if end is None:
        return None
    there = t.clone()
    there.change(fighter, at=end)
    forecast = attack(there, fighter, target, answered=False)
    enemies = [f.id for f in touched_enemies(there, fighter) if may_strike_back(there, f.id, fighter)]
    return msgspec.structs.replace(
        forecast,
        about=f"The next combat, with everyone in place: what may happen to {t.called(target)}",
        answers=tuple([_answer(there, enemy, fighter) for enemy in enemies]),
        note=slips_there(t, fighter, end),
    )


# --- flights and tests ------------------------------------------------------------------------------------------------


def _flight(t: Skirmish, fighter: int, choice: FleeFrom) -> Forecast:
    lengths = (FLIGHT,) if choice.far else tuple(face * INCH for face in FACES)
    runs = [running(t, fighter, choice.enemy, length) for length in lengths]
    ends = Distribution([(one, 1) for one in runs]).then(lambda one: _ran(t, one))
    out = ends.chance(lambda end: end.out)
    hits = sorted({enemy for one in runs for enemy in one.hit_by})
    names = listed([t.called(enemy) for enemy in hits]) if hits else ""
    says = f"{names} may hit her on the way: {in_hundred(out)} to be taken off the table" if hits else "Nobody hits her"
    return Forecast(by=fighter, target=fighter, outcomes=foreseen(ends, lambda end: end.words, _out), headline=says)


class _End(NamedTuple):
    words: str
    out: bool


def _ran(t: Skirmish, one: FlightRun) -> Distribution[_End]:
    far = inches(one.course.length)
    if one.pinned:
        ran = "cannot begin to run"
    elif one.off_table:
        ran = "leaves the table, and is safe"
    elif one.course.stop is None:
        ran = f"runs {far}"
    else:
        ran = f"runs {far} up to {obstacle(t, one.course.stop, one.course.fighter, one.course.terrain)}"
    injury: Distribution[Injury | None] = Distribution.certain(None)
    for _ in one.hit_by:
        injury = injury.then(lambda worst: _hit_again(t, worst, one.pinned))
    return injury.map(lambda worst: _End(f"{ran}, and is hit: {worst}" if worst else ran, worst in REMOVED))


def _hit_again(t: Skirmish, worst: Injury | None, pinned: bool) -> Distribution[Injury | None]:
    """Return the worst injury after a further hit. A fighter who is off the table is not hit again; all hits on a
    pinned fighter are rolled (BS-Q44).
    """
    if worst in REMOVED and not pinned:
        return Distribution.certain(worst)
    return injuries(t).map(lambda other: max(worst, other, key=ORDER.index))


def _out(end: _End) -> dict[str, Value]:
    return {"out": end.out}


def _test(t: Skirmish, fighter: int) -> Forecast:
    f = t.fighters[fighter]
    chance, parts = chance_to_pass(t, f.quality), adds_to_a_test(t, f.quality)
    ends = Distribution.of([("she stops fleeing", chance), ("she flees on", 1 - chance)])
    return Forecast(
        by=fighter,
        target=fighter,
        outcomes=foreseen(ends, lambda end: end, lambda end: {"stops": end == "she stops fleeing"}),
        thrown=(DiceSum(words=f"{t.called(f.id)} adds {total(parts)} to her die, and needs 7", parts=parts),),
    )


# --- whole acts -------------------------------------------------------------------------------------------------------


def _state(t: Skirmish, fighter: int) -> tuple[str, ...]:
    f = t.fighters[fighter]
    if f.at is None:
        return (f.fate,)
    return tuple([word for word, holds in (("stunned", f.stunned), ("fleeing", f.fleeing)) if holds])


def _combat(view: Skirmish, t: Skirmish, action: Any, number: int) -> Combat | None:
    fighter = getattr(view.asked[0], "fighter", -1)
    if number or t.named or view.named or fighter < 0 or t.fighters[fighter].at is None:
        return None
    enemies = targets(t, fighter)
    if not enemies or counts_at_once(t):
        return Combat(side=t.active) if enemies else None
    first = action.target if isinstance(action, Charge) else enemies[0]
    comrades = [f.id for f in t.of_side(t.fighters[fighter].side) if f.id != fighter]
    pairs = [(fighter, first)]
    pairs += [(one, enemy) for one in comrades for enemy in targets(t, one)[:1] if enemy in enemies]
    pairs += [(enemy, fighter) for enemy in enemies]
    able = [(a, d) for a, d in pairs if NO_ATTACK.may(t, attacker=a)]
    t.named.extend([Named(attacker=a, target=d, partners=flank_partners(t, a, d)) for a, d in able])
    return Combat(at="roll_the_next_attack", side=t.active)


def _holder(view: Skirmish, t: Skirmish, action: Any) -> int | None:
    if not isinstance(action, Charge):
        return None
    fighter = getattr(view.asked[0], "fighter", -1)
    return left_alone(lambda one: t.fighters[one].at is not None, fighter, action.target)


TELLING = Telling(
    units=lambda t: range(len(t.fighters)),
    state=_state,
    words=lambda t, fighter, state: listed(state) or "fit",
    parts=lambda t, state: {"state": listed(state) or "fit"},
    is_gone=lambda state: state[:1] in (("dead",), ("wounded",)),
    name=lambda t, fighter: t.called(fighter),
    breaks_in=(),
    lets_pass=(),
    passes=(ChooseAttack, SecondAttack, GoOrStay),
    within=(Phases, Combat),
    after=_combat,
    views={QualityTest: lambda test, t: t.fighters[test.fighter].quality},
    holder=_holder,
)


def whole(t: Skirmish, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return the forecast of a whole act for all fighters: a move or a charge, its consequences, and the combat."""
    return whole_act(TELLING, t, side, action)


# --- several attackers ------------------------------------------------------------------------------------------------


def _attackers(t: Skirmish, side: int, target: int) -> list[tuple[int, AttackEnemy]]:
    if not any(isinstance(asked, ChooseAttack) for asked in t.asked):
        return []
    return [(f, AttackEnemy(f, target)) for f in attackers(t, side) if target in targets(t, f)]


def _attack(t: Skirmish, side: int, action: AttackEnemy | Named) -> Attack | None:
    if isinstance(action, AttackEnemy):
        if action.why(Choices(t, side)) is not None:
            return None
        partners = flank_partners(t, action.attacker, action.target)
        action = Named(attacker=action.attacker, target=action.target, partners=partners)
        t.named.append(action)
    return Attack(attacker=action.attacker, target=action.target, partners=action.partners)


ATTACKING = Attacking(
    telling=TELLING,
    attackers=_attackers,
    attacker=lambda t, action: action.attacker if isinstance(action, AttackEnemy) else None,
    attack=_attack,
    worth=lambda state: (-TELLING.is_gone(state), -(state[:1] == ("dead",)), -len(state)),
    declared=lambda t, target: [] if counts_at_once(t) else [one for one in t.named if one.target == target],
    settle=lambda t: Aftermath(),
    at_once=counts_at_once,
)

# --- decisions --------------------------------------------------------------------------------------------------------


def preview(t: Skirmish, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """Return the forecast of an action; None if it rolls no dice or is illegal.

    Args:
        decision: The decision to answer; by default the side's open decision.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is None or asked.options(t).refusal(action) is not None:
        return None
    forecast = _FORECASTS.get(type(action))
    return None if forecast is None else forecast(t, asked, action)


_FORECASTS: Mapping[type, Callable[[Skirmish, Any, Any], Forecast | None]] = {
    AttackEnemy: lambda t, asked, action: attack(t, action.attacker, action.target),
    AttackAll: lambda t, asked, action: _all(t, action.pairs(t, asked.side)),
    StrikeAgain: lambda t, asked, action: attack(t, asked.fighter, action.target, answered=False),
    Charge: lambda t, asked, action: _charge(t, asked.fighter, action.target),
    StayInContact: lambda t, asked, action: _charge(t, asked.fighter, touched_enemies(t, asked.fighter)[0].id),
    FleeFrom: lambda t, asked, action: _flight(t, asked.fighter, action),
    TakeTest: lambda t, asked, action: _test(t, asked.fighter),
}
"""Forecasts by kind of act, for acts that roll dice."""
