"""Forecasts of an action: a strike with the parry that may answer it, and all that follows from an action."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from caltrop.asking.whole import Telling, whole_act
from caltrop.engine import Decision
from caltrop.engine.forecast import Forecast, foreseen, loss
from caltrop.rules.duel.form import thrown
from caltrop.rules.duel.odds import chances
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.requests import request_of
from caltrop.rules.duel.strike import Parry, ParryOrNot, StrikeOrHold, TakeIt, Thrust, needed, price_of_a_parry


def _left(wounds: int) -> str:
    return f"wounds left: {wounds}" if wounds else "down"


def of_strike(t: Duel, attacker: int, parried: bool, about: str = "") -> Forecast:
    target = t.duellists[1 - attacker]
    ends = chances(t, attacker, parried)
    hit = ends.chance(lambda left: left < target.wounds)
    down = hit if target.wounds == 1 else Fraction(0)
    return Forecast(
        about=about,
        by=attacker,
        target=1 - attacker,
        thrown=(thrown(t.duellists[attacker].name, needed(t, attacker, parried)),),
        outcomes=foreseen(ends, _left, lambda left: {"wounds": left}),
        headline=loss(hit, down, "wound" if target.wounds > 1 else ""),
        request=request_of(t, attacker, parried),
    )


TELLING = Telling(
    units=lambda t: (0, 1),
    state=lambda t, unit: (t.duellists[unit].wounds, t.duellists[unit].breath),
    words=lambda t, unit, state: f"{_left(state[0])}, breath: {state[1]}",
    parts=lambda t, state: {"wounds": state[0], "breath": state[1]},
    is_gone=lambda state: not state[0],
    name=lambda t, unit: t.duellists[unit].name,
    breaks_in=(ParryOrNot,),
    lets_pass=(TakeIt,),
)


def whole(t: Duel, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return forecasts of an action with all that follows: a strike with its parry, and a second wind."""
    return whole_act(TELLING, t, side, action)


def preview(t: Duel, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """Return the forecast of an action; None if it has no random result, or the decision refuses it.

    Args:
        decision: The decision that the action answers; by default the side's open decision.
    """
    asked_now = decision or next((d for d in t.asked if d.side == side), None)
    if asked_now is None or asked_now.options(t).refusal(action) is not None:
        return None
    if isinstance(asked_now, StrikeOrHold) and isinstance(action, Thrust):
        forecast, target = of_strike(t, side, False), t.duellists[1 - side]
        if target.breath < price_of_a_parry(t):
            return forecast
        return msgspec.structs.replace(forecast, answers=(of_strike(t, side, True, f"{target.name} may parry"),))
    if isinstance(asked_now, ParryOrNot) and isinstance(action, Parry | TakeIt):
        return of_strike(t, 1 - side, isinstance(action, Parry))
    return None
