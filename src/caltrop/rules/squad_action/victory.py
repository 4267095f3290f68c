"""Victory: objectives, points, and the end of missions (SQ-S24, SQ-S70 to S73)."""

from __future__ import annotations

from typing import ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer
from caltrop.engine import Action, Event, Outcome, agreeing, does, rule
from caltrop.geometry import INCH
from caltrop.picture import Motion
from caltrop.rules.squad_action.casualties import drop_pilot
from caltrop.rules.squad_action.places import near_place
from caltrop.rules.squad_action.reach import own_edge
from caltrop.rules.squad_action.records import SIDES, Firefight, Unit

HOLDS = 3 * INCH
"""Largest distance from an objective at which a unit holds it (SQ-S70)."""
CROSSROADS = 6 * INCH
"""Largest distance from the crossroads at which a defender holds them (SQ-S71)."""
PICKS_UP = 1 * INCH
"""Largest distance from the pilot at which a unit picks him up (SQ-S72)."""


# --- holders of objectives --------------------------------------------------------------------------------------------


@rule("SQ-S70", "SQ-S56")
def may_hold(t: Firefight, unit: int) -> bool:
    """A unit on the table that is neither Pinned nor broken holds nearby objectives. Flyers hold no objective."""
    u = t.units[unit]
    return u.where == "table" and not u.pinned and not u.broken and u.kind != "flyer"


def holder(t: Firefight, number: int) -> int | None:
    at = t.field.objectives[number].at
    near = {u.side for u in t.units if may_hold(t, u.id) and near_place(t, u.id, at, HOLDS)}
    return near.pop() if len(near) == 1 else None


def destroyed(t: Firefight, side: int) -> list[Unit]:
    return [u for u in t.units if u.side == side and u.where == "gone"]


def points_lost(t: Firefight, side: int) -> int:
    """Return the cost in points of a side's units that are out of play."""
    return sum([u.points for u in destroyed(t, side)])


@rule("SQ-S24")
def has_lost_heart(t: Firefight, side: int) -> bool:
    """A side has lost heart if more than half of its units are destroyed or broken."""
    mine = [u for u in t.units if u.side == side]
    return 2 * sum([u.where == "gone" or u.broken for u in mine]) > len(mine)


@rule("SQ-S73")
def counts_for_exit(t: Firefight, unit: int) -> bool:
    """Units that leave the table count, except flyers and transports. Passengers count."""
    u = t.units[unit]
    return u.kind != "flyer" and not (u.machine and t.vehicle(unit).seats > 0)


@rule("SQ-S73", "SQ-Q75")
def needed_to_leave(t: Firefight, side: int) -> int:
    """Half of a side's units that count have to leave the table, rounded up."""
    return (sum([counts_for_exit(t, u.id) for u in t.units if u.side == side]) + 1) // 2


# --- at the end of a turn ---------------------------------------------------------------------------------------------


def end_of_game_turn(t: Firefight) -> None:
    """Score the mission at the end of a game turn, and end the game if it is over."""
    goal = t.field.goal
    if t.over is not None or goal == "none":
        return
    if goal == "meeting" and t.round >= 2:
        for n in range(len(t.field.objectives)):
            side = holder(t, n)
            if side is not None:
                t.scores[side] += 1
                t.tell(Held(side, n))
    lost_heart = t.field.morale is not None and has_lost_heart(t, t.field.morale)
    if lost_heart or t.round >= t.field.turns or nobody_plays_on(t):
        winner, why = outcome_if_over(t)
        win(t, winner, why)


def outcome_if_over(t: Firefight) -> tuple[int | None, str]:
    """Return the side that would win if the firefight ended now (None for a draw), and the reason."""
    morale = t.field.morale
    if morale is not None and has_lost_heart(t, morale):
        return 1 - morale, f"{t.field.names[morale]} has lost heart"
    return _count_up(t)


@rule("SQ-Q71")
def nobody_plays_on(t: Firefight) -> bool:
    """The battle ends before its last turn if a side has no units left and the other has nothing left to do.

    A side that can still bring the pilot home or break through plays on alone.
    """
    left = [any(u.side == side and u.where != "gone" for u in t.units) for side in range(SIDES)]
    if all(left):
        return False
    return not any(left[side] and may_still_leave(t, side) for side in range(SIDES))


def may_still_leave(t: Firefight, side: int) -> bool:
    goal = t.field.goal
    mine = [u for u in t.units if u.side == side and u.where not in ("gone", "away")]
    if goal == "pilot":
        return any(u.on_foot for u in mine)
    if goal != "breakthrough" or side == t.field.defender:
        return False
    there = {*[u.id for u in mine], *t.exited}
    return sum([counts_for_exit(t, unit) for unit in there]) >= needed_to_leave(t, side)


@rule("SQ-S71", "SQ-S56")
def holds_the_crossroads(t: Firefight, unit: int) -> bool:
    """An unbroken unit within 6 inches of the crossroads holds them. Flyers do not count as holding the crossroads."""
    u = t.units[unit]
    return not u.broken and u.kind != "flyer" and near_place(t, unit, t.field.objectives[0].at, CROSSROADS)


@rule("SQ-S70", "SQ-S71", "SQ-S72", "SQ-S73", "SQ-Q71")
def _count_up(t: Firefight) -> tuple[int | None, str]:
    goal, defender = t.field.goal, t.field.defender
    left = [any(u.side == side and u.where != "gone" for u in t.units) for side in range(SIDES)]
    why = "The last turn is over" if all(left) else f"{_nobody(t, left)} left"
    if goal == "meeting":
        a, b = totals(t)
        return None if a == b else int(b > a), f"{why}: {quantity(max(a, b), 'point')} to {min(a, b)}"
    if goal == "crossroads":
        assert defender is not None
        there = [u for u in t.of_side(defender) if holds_the_crossroads(t, u.id)]
        attacker, goal_name = t.field.names[1 - defender], t.field.objectives[0].name.lower()
        if there:
            return defender, f"The {goal_name} {agreeing(goal_name, 'is')} held"
        return 1 - defender, f"{attacker} has the {goal_name}"
    if goal == "breakthrough":
        assert defender is not None
        return defender, f"{t.field.names[1 - defender]} did not break through"
    a, b = points_lost(t, 0), points_lost(t, 1)
    return None if a == b else int(a > b), "Nobody brought the pilot home"


def _nobody(t: Firefight, left: list[bool]) -> str:
    return "Nobody is" if not any(left) else f"{t.field.names[left.index(False)]} has nobody"


def totals(t: Firefight) -> tuple[int, int]:
    """Return the victory points of both sides, for objectives held and enemy units destroyed (SQ-S70)."""
    return t.scores[0] + len(destroyed(t, 1)), t.scores[1] + len(destroyed(t, 0))


def win(t: Firefight, side: int | None, why: str) -> None:
    if t.over is None:
        points = totals(t) if t.field.goal == "meeting" else (points_lost(t, 1), points_lost(t, 0))
        t.over = Outcome(side, why, points)


# --- after a move -----------------------------------------------------------------------------------------------------


def after_action(t: Firefight, unit: int) -> None:
    """Let the pilot join a unit that ends an action near him (SQ-S72)."""
    u, pilot = t.units[unit], t.pilot
    if pilot is None or pilot.unit is not None or t.round < 2 or not may_take_pilot(t, unit):
        return
    if near_place(t, unit, pilot.at, PICKS_UP):
        t.pilot = type(pilot)(at=pilot.at, unit=u.id)
        t.tell(PilotJoined(u.id))


@rule("SQ-S72", "SQ-Q84")
def may_take_pilot(t: Firefight, unit: int) -> bool:
    """The pilot joins infantry on the table that is neither Pinned nor broken."""
    u = t.units[unit]
    return u.on_foot and u.where == "table" and not u.pinned and not u.broken


class PutDown(Action, frozen=True):
    """Put the pilot down where the unit that carries him stands."""

    unit: int

    def told(self, t: Firefight) -> Offer:
        return Offer(action=self, words="Put the pilot down", group=t.units[self.unit].name, unit=self.unit)


def has_pilot(t: Firefight, side: int) -> int | None:
    unit = None if t.pilot is None else t.pilot.unit
    return unit if unit is not None and t.units[unit].side == side else None


def put_down(t: Firefight, unit: int) -> None:
    """Put the pilot down where the unit that carries him stands (SQ-S72)."""
    drop_pilot(t, unit)
    t.tell(PilotPutDown(unit))


def left_the_table(t: Firefight, unit: int, edge: str) -> None:
    """Score a unit that has left the table by a Move, which may win the mission (SQ-S72, SQ-S73)."""
    u, goal = t.units[unit], t.field.goal
    if goal == "pilot" and t.pilot is not None and t.pilot.unit == unit and edge == own_edge(u.side):
        win(t, u.side, f"{does(u.name, 'brings')} the pilot home")
    if goal == "breakthrough" and u.side != t.field.defender and edge == own_edge(1 - u.side):
        t.exited += [unit, *[p.id for p in t.units if p.carrier == unit and p.where in ("aboard", "away")]]
        gone = [x for x in dict.fromkeys(t.exited) if counts_for_exit(t, x)]
        if len(gone) >= needed_to_leave(t, u.side):
            win(t, u.side, f"{t.field.names[u.side]} has broken through")


@rule("SQ-S73", "SQ-S56", "SQ-Q81")
def come_back(t: Firefight, unit: int) -> None:
    """A flyer that returns brings its passengers back, so they no longer count as having broken through."""
    if t.exited:
        t.exited[:] = [x for x in t.exited if x != unit and t.units[x].carrier != unit]


# --- events -----------------------------------------------------------------------------------------------------------


class Held(Event, frozen=True):
    """A side held an objective at the end of a game turn."""

    side: int
    objective: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S70",)

    def sentence(self, t: Firefight) -> str:
        return f"{t.field.names[self.side]} holds {t.field.objectives[self.objective].name}: 1 point"

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="score", side=self.side, count=1, at=t.field.objectives[self.objective].at)


class PilotPutDown(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S72",)

    def sentence(self, t: Firefight) -> str:
        return does(t.units[self.unit].name, "puts the pilot down")


class PilotJoined(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S72",)
    template = "The pilot joins {unit}"
