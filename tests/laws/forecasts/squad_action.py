"""Shots, assaults and tries to rally: nobody reacts, and casualties are chosen by the first option."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.engine import Decision, Event
from caltrop.engine.forecast import Forecast
from caltrop.rules.squad_action.activation import opened
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.broken import FellBack
from caltrop.rules.squad_action.casualties import Lost
from caltrop.rules.squad_action.damage import WRECK, Condition
from caltrop.rules.squad_action.morale import breaking_removes
from caltrop.rules.squad_action.orders import Begin
from caltrop.rules.squad_action.overwatch import LetPass, React
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shooting import Shoot


def begun(t: Firefight, decision: Decision, action: Any) -> Firefight | None:
    """The act alone; of an activation the first."""
    act = action.act if isinstance(action, Begin) else action
    if not isinstance(act, Shoot | Rally) and not (isinstance(act, Assault) and is_plain(t, act)):
        return None
    start = opened(t, act.unit).clone() if isinstance(action, Begin) else t.clone()
    start.told = None
    start.stack = [act.procedure(start, token=isinstance(decision, React))]
    return start


def is_plain(t: Firefight, act: Assault) -> bool:
    """Return whether an assault is of one unit on one enemy, without fire, fear or landings before the blows."""
    sides = [t.units[act.unit], *[t.units[target] for target in act.targets]]
    fear = any("terrifying" in u.traits for u in t.units)
    watched = any(u.watching for u in t.units if u.side != sides[0].side)
    return len(sides) == 2 and not (act.partners or act.jump or fear or watched)


def answered(t: Firefight, decision: Decision, action: Any) -> Any:
    """Watchers let it pass."""
    options = decision.options(t)
    return LetPass() if LetPass() in options else options.first()


def ended(before: Firefight, after: Firefight, events: Sequence[Event], forecast: Forecast) -> dict[str, Any]:
    """Return the remaining part of the target."""
    assert forecast.target is not None
    u = after.units[forecast.target]
    if "rallies" in forecast.outcomes[0].parts:
        return {"rallies": not u.pinned}
    if u.machine:
        gone = u.where == "gone"
        # A flyer that is Pinned leaves the table, and its Pin ends.
        pinned = u.pinned or u.where == "away"
        return (WRECK if gone else Condition(False, u.immobile, u.disarmed, pinned))._asdict()
    fled = [n for n, e in enumerate(events) if isinstance(e, FellBack) and e.unit == u.id]
    if fled:
        # The fate of fleeing models is not forecast; the forecast has the number left at the break.
        lost = sum(len(e.models) for e in events[: fled[0]] if isinstance(e, Lost) and e.unit == u.id)
        return {"models": len(before.units[u.id].models) - lost, "pinned": False, "broken": True}
    parts = {"models": len(u.models), "pinned": u.pinned and bool(u.models)}
    return parts if breaking_removes(after) else {**parts, "broken": u.broken and bool(u.models)}
