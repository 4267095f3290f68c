"""Victory points, leaving over the enemy's edge, and the end of a game."""

from __future__ import annotations

from typing import ClassVar

from caltrop.agreeing import quantity
from caltrop.engine import Event, MotionOf, Outcome, Sum, Term, agreeing, rule, total
from caltrop.geometry import disc_inside
from caltrop.picture import Motion
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle


class Scored(Event, frozen=True):
    """A side scored victory points."""

    side: int
    points: int
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-VP-02", "CH-VP-03")
    shown = MotionOf("score", side="side", count="points")

    def sentence(self, t: Battle) -> str:
        points = quantity(self.points, "victory point")
        return f"{t.armies[self.side].name} scores {points} for {t.called(self.unit)}"


class BrokeThrough(Event, frozen=True):
    """A unit left the table over the enemy's edge."""

    unit: int
    points: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-VP-4",)

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        off = f"{agreeing(t.called(self.unit), 'leaves')} the table"
        points = f"{quantity(self.points, 'point')} for {t.armies[u.side].name}"
        return f"{t.does(self.unit, 'breaks')} through and {off}: {points}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="score", unit=self.unit, side=t.units[self.unit].side, count=self.points)


@rule("CH-VP-02", "CH-VP-03", "Q-VP-1", "Q-VP-2", "Q-VP-3", "Q-PUT-3", stages=("spawned",))
def points_for(t: Battle, unit: int) -> int:
    """A destroyed unit is worth 1 point, a Command unit as many points as it generates command points."""
    return kind_of(t, unit).number("vp")


@points_for.amended_by("Q-VP-1", stage="spawned", house={"vp.spawned": "no"})
def nothing_for_the_spawned(points: int, t: Battle, unit: int) -> int:
    """House rule: units that appeared during the game are worth no points."""
    return 0 if t.units[unit].spawned else points


def unit_destroyed(t: Battle, unit: int) -> None:
    """Award the points for a unit that the enemy destroyed, if the scenario counts them (CH-VP-01, Q-VP-3)."""
    if not t.keeps_vp:
        return
    points = points_for(t, unit)
    side = 1 - t.units[unit].side
    if points:
        t.change_army(side, vp=t.armies[side].vp + points)
        t.tell(Scored(side, points, unit))


def break_through(t: Battle, side: int) -> None:
    """Let a side's units leave the table at the end of its turn if they are wholly in the enemy's zone (Q-VP-4).

    Units in close combat stay, and the scenario must give points for leaving.
    """
    if not t.breakthrough:
        return
    zone = zone_of(t, 1 - side)
    for unit in list(t.in_play(side)):
        if not t.units[unit].locked and all(disc_inside(d, zone) for d in t.discs(unit)):
            t.change(unit, left=True, deployed=False)
            for m in t.units[unit].models:
                t.change_model(m)
            t.change_army(side, vp=t.armies[side].vp + t.breakthrough)
            t.tell(BrokeThrough(unit, t.breakthrough))


@rule("CH-VP-01", "Q-VP-4")
def points_of_side(t: Battle, side: int) -> Sum:
    """Return the points that count for a side: points scored, and objectives that it has secured."""
    army = t.armies[side]
    parts = [Term(army.vp, "CH-VP-02" if t.keeps_vp else "Q-VP-4", "scored")] if army.vp else []
    parts += [Term(o.worth, "Q-OBJ-4", f"{o.name} secured") for o in t.objectives if o.secured == side and o.worth]
    return tuple(parts)


def anything_counts(t: Battle) -> bool:
    """Return whether the scenario counts points: for destroyed units, objectives, or leaving over the enemy's edge."""
    return t.keeps_vp or bool(t.breakthrough) or any(o.worth or o.benefit or o.sabotage for o in t.objectives)


def _by_points(t: Battle, because: str) -> Outcome:
    points = (total(points_of_side(t, 0)), total(points_of_side(t, 1)))
    if not anything_counts(t):
        return Outcome(None, f"{because}, and nothing else decides: a draw", points)
    if points[0] == points[1]:
        return Outcome(None, f"{because} at {quantity(points[0], 'point')} each: a draw", points)
    winner = int(points[1] > points[0])
    return Outcome(
        winner, f"{because}: {t.armies[winner].name} wins by {quantity(max(points), 'point')} to {min(points)}", points
    )


def has_nobody_left(t: Battle, side: int) -> bool:
    """Return whether a side has had units in this battle and all are gone."""
    return next(t.in_play(side), None) is None and any(u.side == side for u in t.units)


def outcome_now(t: Battle) -> Outcome | None:
    """Return the outcome if an army has lost all units (a draw if both have), otherwise None (Q-VP-4)."""
    here = [any(True for _ in t.in_play(side)) for side in (0, 1)]
    if all(here):
        return None
    points = (total(points_of_side(t, 0)), total(points_of_side(t, 1)))
    through = [any(u.left and u.models for u in t.units if u.side == side) for side in (0, 1)]
    if t.breakthrough and any(not here[side] and through[side] for side in (0, 1)):
        return _by_points(t, "The last of an army has left the table")
    if not any(here):
        return Outcome(None, "Both armies are destroyed: a draw", points)
    winner = int(here[1])
    return Outcome(winner, f"{t.armies[1 - winner].name} has no units left: {t.armies[winner].name} wins", points)


def outcome_after_last_round(t: Battle) -> Outcome:
    """Return the outcome after the last round: the side with more points wins, and equal points are a draw (Q-VP-4)."""
    return _by_points(t, "The last round is over")
