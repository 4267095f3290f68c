"""The state after an attack, in words and as values, and headlines for forecasts."""

from __future__ import annotations

from caltrop.chance import Distribution
from caltrop.engine.forecast import Value, in_hundred, loss
from caltrop.rules.squad_action.damage import Condition, condition
from caltrop.rules.squad_action.impact import State
from caltrop.rules.squad_action.morale import breaking_removes
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.remains import LeftUnit

# --- ends in words ----------------------------------------------------------------------------------------------------


def left_in_words(t: Firefight, e: LeftUnit) -> str:
    if not e.models:
        return "out of play" if breaking_removes(t) else "destroyed"
    if e.broken:
        return f"{e.models} left, Broken"
    return f"{e.models} left{', Pinned' if e.pinned else ''}"


def parts_of(t: Firefight, e: LeftUnit) -> dict[str, Value]:
    """Return the state of soldiers as plain values, with the keys of an odds answer."""
    parts: dict[str, Value] = {"models": e.models, "pinned": e.pinned}
    return parts if breaking_removes(t) else {**parts, "broken": e.broken}


def condition_in_words(u: Unit, c: Condition) -> str:
    if c.destroyed:
        return "destroyed"
    pinned = "leaves the table" if u.kind == "flyer" else "Pinned"
    parts = (("immobile", c.immobile), ("main weapon lost", c.disarmed), (pinned, c.pinned))
    return ", ".join([words for words, holds in parts if holds]) or "unharmed"


def headline_of_soldiers(t: Firefight, unit: int, left: Distribution[LeftUnit]) -> str:
    """Return a headline with the chances that a unit loses a model and that it is Pinned."""
    u = t.units[unit]
    before = len(u.models)
    some, whole = left.chance(lambda e: e.models < before), left.chance(lambda e: not e.models)
    pinned = "" if u.pinned else f"; Pinned: {in_hundred(left.chance(lambda e: e.pinned))}"
    return loss(some, whole, "model" if before > 1 else "") + pinned


def headline_of_machine(t: Firefight, unit: int, ends: Distribution[Condition]) -> str:
    was = condition(t, unit)
    some, whole = ends.chance(lambda c: c != was), ends.chance(lambda c: c.destroyed)
    return f"Takes effect: {in_hundred(some)}" + f", destroys it: {in_hundred(whole)}" * bool(whole)


def state_in_words(t: Firefight, unit: int, state: State) -> str:
    if isinstance(state, Condition):
        return condition_in_words(t.units[unit], state)
    return left_in_words(t, state) if state.models else "out of play"


def parts_of_state(t: Firefight, state: State) -> dict[str, Value]:
    return dict(state._asdict()) if isinstance(state, Condition) else parts_of(t, state)
