"""Strikes: a strike is not parried, and a parry is forecast as it was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.chance import Dice
from caltrop.engine import Decision, Event, ruleset
from caltrop.engine.forecast import Forecast
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.strike import Parry, ParryOrNot, Strike, TakeIt, Thrust
from caltrop.rules.duel.turn import Turn


def drawn(dice: Dice) -> Duel:
    """Return two duellists within reach, at the beginning of a turn."""
    rules = ruleset("duel")
    t = rules.setup(rules.book(rules.editions[dice.below(len(rules.editions))]), "crossroads")
    assert isinstance(t, Duel)
    for side in (0, 1):
        t.change(side, at=(500, 500 + 300 * side), wounds=1 + dice.below(3), breath=dice.below(4))
    t.round, t.stack = 1, [Turn(side=1), Turn(side=0)]
    return t


def chosen(t: Duel, decision: Decision, dice: Dice) -> Any:
    """Return a random answer; duellists strike if they may."""
    options = decision.options(t)
    return Thrust() if Thrust() in options else options.sample(dice)


def begun(t: Duel, decision: Any, action: Any) -> Duel | None:
    """Return the state for a strike."""
    start = t.clone()
    if isinstance(action, Thrust):
        start.stack = [Strike(side=decision.side)]
    elif isinstance(action, Parry | TakeIt):
        start.stack = [Strike(side=1 - decision.side)]
    else:
        return None
    return start


def answered(t: Duel, decision: Decision, action: Any) -> Any:
    """The parry that was chosen, or none."""
    return action if isinstance(decision, ParryOrNot) and isinstance(action, Parry) else TakeIt()


def ended(before: Duel, after: Duel, events: Sequence[Event], forecast: Forecast) -> dict[str, Any]:
    """The wounds that are left."""
    return {"wounds": after.duellists[forecast.target or 0].wounds}
