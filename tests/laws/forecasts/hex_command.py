"""Battles: nobody plays a card, every Retreat that may be ignored is ignored, and nobody takes ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.engine import Decision, Event
from caltrop.engine.forecast import Forecast
from caltrop.rules.hex_command.attack import Attack, FallBack, FallBackTo, HoldSurge
from caltrop.rules.hex_command.attack.events import Attacked
from caltrop.rules.hex_command.battling import Engage, Engagement, LetItCome, SpringAmbush, StandFast
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.retreat import FellBack, room_behind, shift
from caltrop.rules.hex_command.specials import (
    ChooseNext,
    ChooseTarget,
    Lance,
    Name,
    Strike,
    barrage_at,
    lance_at,
    under_the_lance,
)

QUIET = (LetItCome(), HoldSurge(), StandFast())


def begun(t: Battle, decision: Any, action: Any) -> Battle | None:
    """The battle alone."""
    start = t.clone()
    if isinstance(action, Engage):
        start.stack = [Engagement(unit=action.unit, target=action.target)]
    elif isinstance(action, SpringAmbush):
        start.stack = [Attack(attacker=decision.unit, target=decision.attacker, how="ambush")]
    elif isinstance(decision, ChooseTarget) and isinstance(action, Strike):
        start.stack = [barrage_at(decision.side, action.target)]
    elif isinstance(decision, ChooseNext):
        hex = next(frame.hex for frame in reversed(t.stack) if isinstance(frame, Lance))
        start.stack = [lance_at(t, decision.side, hex, action.target)]
    elif isinstance(action, Name):
        targets = under_the_lance(t, action.to)
        start.stack = [Lance(side=decision.side, hex=action.to, targets=targets, at="choose_the_next")]
    else:
        return None
    return start


def answered(t: Battle, decision: Decision, action: Any) -> Any:
    """No card, no ground, and of the ways back the longest."""
    options = decision.options(t)
    if isinstance(decision, FallBack):
        return max(options, key=lambda choice: room_after(t, decision, choice))
    return next((quiet for quiet in QUIET if quiet in options), None) or options.first()


def room_after(t: Battle, decision: FallBack, choice: FallBackTo) -> int:
    """Return how many hexes a unit could fall back after a first one."""
    there = t.clone()
    there.told = None
    shift(there, decision.unit, choice.to)
    return room_behind(there, there.units[decision.unit], decision.source, len(there.units))


def ended(before: Battle, after: Battle, events: Sequence[Event], forecast: Forecast) -> dict[str, Any]:
    """Return the target's strength after the first attack, its retreat, and whether its leader is lost."""
    u = after.units[forecast.target or 0]
    attacks = [e for e in events if isinstance(e, Attacked) and e.target == u.id]
    return {
        "strength": u.strength if u.hex is not None else 0,
        "leader_lost": any(e.leader_lost for e in attacks),
        "retreat": sum(isinstance(e, FellBack) and e.unit == u.id for e in events) if u.hex is not None else 0,
    }


def attacked(event: Event) -> tuple[int | None, int] | None:
    """Return attacker and target of an attack; the attacker is None for dice of a card."""
    return (event.attacker, event.target) if isinstance(event, Attacked) else None
