"""Objectives: they are captured by contact, and secured by contact over a turn. An objective may have effects when it
is secured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.engine import Event, rule
from caltrop.geometry import CONTACT, boxes_within
from caltrop.picture import Motion
from caltrop.rules.command_horizon.damage import record
from caltrop.rules.command_horizon.places import StandingPlace, discs_within, standing
from caltrop.rules.command_horizon.reach import is_infantry, kind_of
from caltrop.rules.command_horizon.records import Battle, Effect, Objective, Wound


class Captured(Event, frozen=True):
    """An objective has another holder."""

    objective: int
    side: int | None
    units: tuple[int, ...] = ()
    """Units in contact with the objective; if there are none, the units that were about to secure it."""
    models: tuple[int, ...] = ()
    """Models of `units` in contact; if none are in contact, all their models."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-OBJ-01", "CH-OBJ-02")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("models", "models", ""),)
    about = ("units",)

    def sentence(self, t: Battle) -> str:
        name = t.objectives[self.objective].name
        return f"Nobody holds {name} any more" if self.side is None else f"{t.armies[self.side].name} captures {name}"

    def motion(self, t: Battle) -> Motion:
        o = t.objectives[self.objective]
        return Motion(sort="score", side=self.side, at=(o.x, o.y))


class Secured(Event, frozen=True):
    objective: int
    side: int
    unit: int
    effect: Effect | None
    models: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CH-OBJ-03", "CH-OBJ-05")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("objectives", "objective", ""), ("models", "models", ""))

    def sentence(self, t: Battle) -> str:
        words = f": {effect_words(self.effect)}" if self.effect else ""
        return f"{t.does(self.unit, 'secures')} {t.objectives[self.objective].name}{words}"

    def motion(self, t: Battle) -> Motion:
        o = t.objectives[self.objective]
        return Motion(sort="score", side=self.side, at=(o.x, o.y))


def effect_words(effect: Effect) -> str:
    n = effect.amount
    return {
        "supplies": f"{n} CP more every turn while it is secured",
        "points": f"{quantity(n, 'victory point')} at once",
        "interference": f"the enemy generates {n} CP fewer every turn while it is secured",
        "shock": f"every enemy vehicle unit gets {quantity(n, 'Stun marker')}",
    }[effect.what]


def touches(t: Battle, unit: int, o: Objective) -> bool:
    """Return whether a model of a unit touches an objective. Objectives are not obstacles (Q-OBJ-6)."""
    models = t.models
    return discs_within([models[m].disc for m in t.units[unit].models], ((o.x, o.y, o.r),), CONTACT)


@rule("CH-OBJ-06", "CH-OBJ-07", "CH-OBJ-08", "Q-OBJ-5")
def may_secure(t: Battle, unit: int) -> bool:
    """Infantry and Light vehicles may secure objectives. Units of other kinds may only capture objectives."""
    return bool(kind_of(t, unit).number("secures"))


@rule("CH-OBJ-01", "CH-OBJ-02", "Q-OBJ-1", "Q-OBJ-6", stages=("contest",))
def holder(t: Battle, touching: tuple[bool, bool], first: int | None) -> int | None:
    """A side holds an objective while it is the only one that touches it. While both sides touch an objective, neither
    holds it.
    """
    return None if touching[0] == touching[1] else int(touching[1])


@holder.amended_by("Q-OBJ-1", stage="contest", house={"objective.contest": "first"})
def who_came_first_holds_on(value: int | None, t: Battle, touching: tuple[bool, bool], first: int | None) -> int | None:
    """House rule: if both sides touch an objective, the side that came first holds it."""
    return first if touching == (True, True) else value


@rule("CH-OBJ-04", "Q-OBJ-3", stages=("house",))
def may_be_secured(t: Battle, o: Objective, side: int) -> bool:
    return o.secured != side


@may_be_secured.amended_by("Q-OBJ-3", stage="house", house={"objective.resecure": "no"})
def secured_for_good(value: bool, t: Battle, o: Objective, side: int) -> bool:
    """House rule: an objective that was secured stays secured."""
    return value and o.secured is None


@rule("CH-OBJ-05", "Q-OBJ-4")
def effect_of(t: Battle, o: Objective, side: int) -> Effect | None:
    """Securing an objective has its benefit as effect, or the sabotage effect if it belongs to the enemy."""
    return o.sabotage if o.owner == 1 - side else o.benefit


def _touching(places: Sequence[StandingPlace], o: Objective) -> tuple[bool, bool]:
    spot, touching = ((o.x, o.y, o.r),), [False, False]
    box = (o.x - o.r, o.y - o.r, o.x + o.r, o.y + o.r)
    for s in places:
        if not touching[s.side] and boxes_within(s.box, box, CONTACT) and discs_within(s.discs, spot, CONTACT):
            touching[s.side] = True
    return touching[0], touching[1]


def settle_captures(t: Battle, *, turn_ends: bool = False) -> None:
    """Update the holder of each objective (CH-OBJ-01, CH-OBJ-02).

    Args:
        turn_ends: True at the end of a turn, when the active side's units in contact begin to secure the objective.
    """
    places = standing(t)
    for i, o in enumerate(t.objectives):
        touching = _touching(places, o)
        first = o.first
        if touching != (True, True):
            first = None if touching == (False, False) else int(touching[1])
        now = holder(t, touching, first)
        holding = o.holding
        if turn_ends:
            side = t.active
            mine = tuple(u for u in t.in_play(side) if touches(t, u, o) and may_secure(t, u))
            holding = (mine, holding[1]) if side == 0 else (holding[0], mine)
        if now != o.holder or first != o.first or holding != o.holding:
            t.objectives[i] = replace(o, holder=now, first=first, holding=holding)
            if now != o.holder:
                t.tell(_captured(t, i, now))


def _captured(t: Battle, objective: int, holder: int | None) -> Captured:
    o = t.objectives[objective]
    models = _models_at(t, o)
    if models:
        return Captured(objective, holder, tuple(dict.fromkeys(t.models[m].unit for m in models)), models)
    waited = tuple(u for units in o.holding for u in units)
    return Captured(objective, holder, waited, tuple(m for m, model in enumerate(t.models) if model.unit in waited))


def _models_at(t: Battle, o: Objective) -> tuple[int, ...]:
    spot = ((o.x, o.y, o.r),)
    return tuple([m for u in t.in_play() for m in t.units[u].models if discs_within([t.models[m].disc], spot, CONTACT)])


def secure_objectives(t: Battle, side: int) -> None:
    """Secure the objectives with which a side's units have been in contact since its last turn (CH-OBJ-03, Q-OBJ-2).

    Called at the start of the side's turn. Damage by an effect is recorded, and the caller applies it.
    """
    settle_captures(t)
    for i, o in enumerate(t.objectives):
        units = [u for u in o.holding[side] if t.units[u].models and t.units[u].deployed and touches(t, u, o)]
        if not units or o.holder != side or not may_be_secured(t, o, side):
            continue
        effect = effect_of(t, o, side)
        t.objectives[i] = replace(o, secured=side)
        if effect is not None and effect.what == "points":
            t.change_army(side, vp=t.armies[side].vp + effect.amount)
        elif effect is not None and effect.what == "shock":
            for u in t.enemies(side):
                if not is_infantry(t, u) and t.units[u].drone != "active":
                    record(t, Wound(unit=u, stuns=effect.amount))
        models = tuple(m for m in _models_at(t, o) if t.models[m].unit == units[0])
        t.tell(Secured(i, side, units[0], effect, models))
