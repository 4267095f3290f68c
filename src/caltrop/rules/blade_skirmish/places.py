"""Distances, contact, zones of control, sight, flanks, and the closest enemy."""

from __future__ import annotations

from collections.abc import Iterable

from caltrop.engine import rule
from caltrop.geometry import Disc, Point, distance_sq, gap_up, gap_within, segment_enters, touching
from caltrop.rules.blade_skirmish.catalogue import ZONE
from caltrop.rules.blade_skirmish.records import Fighter, Habit, Skirmish
from caltrop.table.measured import open_line


def gap(t: Skirmish, a: int, b: int) -> int:
    return gap_up(t.disc(a), t.disc(b))


def within(t: Skirmish, a: int, b: int, limit: int) -> bool:
    return gap_within(t.disc(a), t.disc(b), limit)


def in_contact(t: Skirmish, a: int, b: int) -> bool:
    return touching(t.disc(a), t.disc(b))


def touched_enemies(t: Skirmish, id: int) -> list[Fighter]:
    mine = t.disc(id)
    return [f for f in t.enemies_of(id) if touching(mine, t.disc(f.id))]


@rule("BS-GEO-05", "BS-GEO-06", "BS-Q14")
def sees(t: Skirmish, a: int, b: int) -> bool:
    """A fighter sees another if some line between their bases meets no terrain. Models never block sight."""
    return open_line(t.ground, t.disc(a), t.disc(b), rim_points(t))


@rule("BS-GEO-05", "BS-Q14", stages=("house",))
def rim_points(t: Skirmish) -> int:
    """Lines of sight start and end at the centre and at eight points on the rim of each base."""
    return 8


@rim_points.amended_by("BS-Q14", stage="house", house={"sight_points": 17})
def sixteen_points_of_the_rim(points: int, t: Skirmish) -> int:
    """House rule: lines of sight start and end at the centre and at sixteen points on the rim of each base."""
    return 16


# --- the closest enemy ------------------------------------------------------------------------------------------------


def closest(at: Disc, among: Iterable[tuple[int, Disc]]) -> tuple[int, ...]:
    """Return the ids of the bases closest to a place, measured straight through terrain (BS-S23).

    Equally close bases are all returned.
    """
    nearest: list[int] = []
    least: int | None = None
    for id, disc in among:
        # All bases have the same size, so distances between centres can be compared instead of gaps, without rounding.
        far = distance_sq((at[0], at[1]), (disc[0], disc[1]))
        if least is None or far < least:
            nearest, least = [id], far
        elif far == least:
            nearest.append(id)
    return tuple(nearest)


def closest_enemies(t: Skirmish, id: int) -> tuple[int, ...]:
    return closest(t.disc(id), ((f.id, t.disc(f.id)) for f in t.enemies_of(id)))


# --- zones ------------------------------------------------------------------------------------------------------------


def zone_holders(t: Skirmish, id: int) -> list[Fighter]:
    """Return the fit enemies, whose zones of control limit a fighter's move and run (BS-MOV-02, BS-RUN-09)."""
    return [f for f in t.enemies_of(id) if f.active]


def inside_zone(a: Disc, b: Disc, zone: int = ZONE) -> bool:
    """Return whether a base is within another's zone of control. Exactly 2 inches is outside (BS-Q05)."""
    reach = a[2] + b[2] + zone
    return distance_sq((a[0], a[1]), (b[0], b[1])) < reach * reach


@rule("BS-Q05", "BS-Q42", stages=("house",))
def zone_holds(t: Skirmish, id: int, enemy: int, at: Point) -> bool:
    """The zone of control of a fit enemy is measured straight through walls."""
    return inside_zone((*at, t.field.radius), t.disc(enemy))


@zone_holds.amended_by("BS-Q05", stage="house", house={"zone_ignores_walls": "off"})
def no_zone_out_of_sight(value: bool, t: Skirmish, id: int, enemy: int, at: Point) -> bool:
    """House rule: without a line of sight there is no zone of control."""
    return value and open_line(t.ground, (*at, t.field.radius), t.disc(enemy), rim_points(t))


def zones_at(t: Skirmish, id: int, at: Point | None = None) -> tuple[int, ...]:
    """Return the fit enemies in whose zone of control a fighter is, or would be at another place."""
    x, y, _ = t.disc(id)
    here = (x, y) if at is None else at
    return tuple([f.id for f in zone_holders(t, id) if zone_holds(t, id, f.id, here)])


# --- flanking ---------------------------------------------------------------------------------------------------------


def passes_through(a: Point, c: Point, b: Disc) -> bool:
    """Return whether a straight line passes through a base. A tangent does not (BS-GEO-04, BS-Q12).

    >>> passes_through((0, 0), (508, 0), (254, 0, 127)), passes_through((0, 0), (508, 0), (254, 127, 127))
    (True, False)
    """
    return segment_enters(a, c, (b[0], b[1]), b[2])


@rule("BS-GEO-01", "BS-GEO-03", "BS-Q13", stages=("house",))
def may_help_to_flank(t: Skirmish, helper: int) -> bool:
    """Any comrade who touches the target helps to flank her, even if stunned or fleeing."""
    return True


@may_help_to_flank.amended_by("BS-Q13", stage="house", house={"flank_needs_active_partner": "on"})
def only_the_fit_help(value: bool, t: Skirmish, helper: int) -> bool:
    """House rule: a stunned or fleeing comrade does not help to flank."""
    return t.fighters[helper].active


def _habits_of_the_target(t: Skirmish, attacker: int, target: int) -> tuple[Habit, ...]:
    return t.habits(target)


@rule("BS-GEO-01", "BS-GEO-02", "BS-GEO-03", "BS-GEO-04", "BS-Q12", stages=("habit",), traits=_habits_of_the_target)
def flank_partners(t: Skirmish, attacker: int, target: int) -> tuple[int, ...]:
    """A fighter flanks an enemy with a comrade who also touches her, if the enemy is on the line between the two."""
    a, b = t.disc(attacker), t.disc(target)
    if not touching(a, b):
        return ()
    return tuple(
        [
            f.id
            for f in t.enemies_of(target)
            if f.id != attacker
            and touching(t.disc(f.id), b)
            and passes_through((a[0], a[1]), f.at or (0, 0), b)
            and may_help_to_flank(t, f.id)
        ]
    )


@flank_partners.amended_by("BS-S60", stage="habit", trait="shield")
def a_shield_is_turned_to_the_best(value: tuple[int, ...], t: Skirmish, attacker: int, target: int) -> tuple[int, ...]:
    """The best enemy of a model with a shield gains nothing from flanking her; among equally good ones, the first."""
    front = max(touched_enemies(t, target), key=lambda f: (f.quality, -f.id), default=None)
    return () if front is not None and front.id == attacker else value
