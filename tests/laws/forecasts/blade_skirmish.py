"""Single attacks, flights, and tests to stop fleeing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.engine import Decision, Event
from caltrop.engine.forecast import Forecast
from caltrop.rules.blade_skirmish.charge import Charge, make_contact
from caltrop.rules.blade_skirmish.combat import AttackEnemy
from caltrop.rules.blade_skirmish.fatality import StrikeAgain
from caltrop.rules.blade_skirmish.flight import FleeFrom, Flight
from caltrop.rules.blade_skirmish.injury import Attack, Injured, Struck
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.running import FlightTest, TakeTest


def begun(t: Skirmish, decision: Any, action: Any) -> Skirmish | None:
    """Return the state for an attack, a charge with its attack, a flight or a test."""
    start = t.clone()
    if isinstance(action, AttackEnemy):
        start.blows.clear()
        start.stack = [Attack(attacker=action.attacker, target=action.target)]
    elif isinstance(action, StrikeAgain):
        start.blows.clear()
        start.stack = [Attack(attacker=decision.fighter, target=action.target, felled=(decision.victim,))]
    elif isinstance(action, Charge):
        make_contact(start, decision.fighter, action.target)
        start.stack = [Attack(attacker=decision.fighter, target=action.target)]
    elif isinstance(action, FleeFrom):
        start.stack = [Flight(fighter=decision.fighter)]
    elif isinstance(action, TakeTest):
        start.stack = [FlightTest(fighter=decision.fighter)]
    else:
        return None
    return start


def answered(t: Skirmish, decision: Decision, action: Any) -> Any:
    """Return the chosen path."""
    options = decision.options(t)
    return action if action in options else options.first()


def ended(before: Skirmish, after: Skirmish, events: Sequence[Event], forecast: Forecast) -> dict[str, Any]:
    """Return the injury, whether the fighter is off the table, or whether she continues to flee."""
    f = after.fighters[forecast.target or 0]
    keys = forecast.outcomes[0].parts
    if "injury" in keys:
        hurt = [e.injury for e in events if isinstance(e, Injured) and (e.victim, e.by) == (f.id, forecast.by)]
        return {"injury": hurt[0] if hurt else None}
    return {"out": f.fate in ("wounded", "dead")} if "out" in keys else {"stops": not f.fleeing}


def attacked(event: Event) -> tuple[int, int] | None:
    """Return attacker and target of an attack."""
    return (event.attacker, event.target) if isinstance(event, Struck) else None
