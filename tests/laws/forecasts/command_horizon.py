"""Fire in the combat step without reactions, and reaction fire at charging units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from caltrop.engine import Decision, Event
from caltrop.engine.forecast import Forecast
from caltrop.rules.command_horizon.aim import is_artillery
from caltrop.rules.command_horizon.charge import Charge, ReactToCharge
from caltrop.rules.command_horizon.close_combat import CombatRound, Name, NameEnemies, combats
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation, EndReactions, React
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.reaction import ReactionShot
from caltrop.rules.command_horizon.records import Battle, Naming, Order
from caltrop.rules.command_horizon.shooting import attack_of, settled
from caltrop.rules.command_horizon.targets import Fire, SplitFire, why_not
from caltrop.rules.command_horizon.volley import AttackResolved, Shot, Volley


def begun(t: Battle, decision: Any, action: Any) -> Battle | None:
    """Return the state for the fire of one unit and its damage.

    Return None if players choose the use of 6s, because a forecast assumes the best use.
    """
    start = t.clone()
    if t.book.rules["overkill.mode"] == "optional":
        return None
    if isinstance(action, Fire | SplitFire) and not is_artillery(t, action.unit):
        side = t.units[action.unit].side
        start.orders[:] = [settled(t, order) for order in action.orders(t)]
        start.stack = [DamageAllocation(side=side), CombatStep(side=side)]
    elif isinstance(action, ReactToCharge):
        shot = ReactionShot(shooter=decision.unit, target=action.charger, boost=action.boost, against_charge=True)
        start.stack = [DamageBatch(), shot]
    elif isinstance(action, React):
        if t.book.rules["combat.simultaneity"] != "step":
            return None
        action.perform(start, decision.side)
        start.orders[:] = [replace(order, done=n != action.order) for n, order in enumerate(start.orders)]
        start.answers_declared[:] = start.answers_declared[-1:]
        start.namings.clear()
        start.stack = [DamageBatch(), CombatStep(side=1 - decision.side, at="next_attack")]
    elif isinstance(action, Name):
        start.namings[:] = [Naming(decision.unit, action.enemy, action.boost)]
        start.stack = [DamageBatch(), CombatRound(combat=(decision.unit, action.enemy), number=decision.number)]
    else:
        return None
    return start


def answered(t: Battle, decision: Decision, action: Any) -> Any:
    """Return the answer without reaction fire."""
    options = decision.options(t)
    return EndReactions() if EndReactions() in options else options.first()


def ended(before: Battle, after: Battle, events: Sequence[Event], forecast: Forecast) -> dict[str, Any]:
    """Return the remaining part of the target."""
    u = after.units[forecast.target or 0]
    parts: dict[str, Any] = {"models": len(u.models), "stuns": u.stuns if u.models else 0}
    return parts if u.drone is None else {**parts, "drone": u.drone}


def followed(t: Battle, action: Any) -> Iterator[Any]:
    """Return the first round of combat after a charge, with its losses."""
    if not isinstance(action, Charge):
        return
    combat = next((units for units in combats(t) if action.unit in units), ())
    rushes = tuple([order for order in t.orders if order.unit == action.unit and order.rush])
    if combat:
        yield NameEnemies(side=t.units[action.unit].side, units=combat)
        yield CombatRound(combat=combat)
    if rushes:
        yield Volley(shots=tuple([Shot(order.unit, order.target, attack_of(t, order)) for order in rushes]))
    if t.wounds:
        yield DamageBatch()


def attack_in_order(t: Battle, side: int, action: Fire | Order) -> Volley | None:
    """Return the volley of one attack on a target, instead of its closed formula."""
    if isinstance(action, Fire):
        if why_not(t, side, action) is not None:
            return None
        action.perform(t, side)
        action = t.orders[-1]
    standing = t.units[action.unit].models and t.units[action.target].models
    shot = Shot(action.unit, action.target, attack_of(t, action), action.only)
    return Volley(shots=(shot,)) if standing else None


def attacked(event: Event) -> tuple[int, int] | None:
    """Return shooter and target of an attack."""
    return (event.shooter, event.target) if isinstance(event, AttackResolved) else None
