"""The range of weapons (SQ-ORG-15, SQ-Q10)."""

from __future__ import annotations

from math import ceil, isqrt

from caltrop.engine import Refusal, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH
from caltrop.rules.squad_action.catalogue import TABLE_SIDES, Weapon

FARTHEST = isqrt(2 * TABLE_SIDES[1] ** 2)
"""Greatest distance on the largest table, in whole inches."""

BEYOND_REACH = guard(
    ("SQ-S13", "SQ-Q10"), "beyond-reach", "A {weapon} reaches {reach:inch}, and the target is {distance:inch} away"
)
TOO_NEAR = guard("SQ-S13", "too-near", "A {weapon} cannot fire nearer than {least:inch}, and this is {distance:inch}")


@rule("SQ-Q10", "SQ-ORG-15", stages=("house",))
def reach_of(b: HasBook, weapon: Weapon) -> int | None:
    """Most weapons reach across the whole table; a few have a maximum range. None for no limit."""
    return weapon.reach


def _shorter(reach: int | None, limit: int) -> int:
    return limit if reach is None else min(reach, limit)


@reach_of.amended_by("SQ-Q10", stage="house", house={"max_range_factor": (1, 2, 3)})
def nothing_beyond_so_many_times(reach: int | None, b: HasBook, weapon: Weapon) -> int | None:
    """House rule: no weapon shoots beyond a certain multiple of its effective range."""
    return _shorter(reach, int(b.book.rules["max_range_factor"]) * weapon.effective)


def out_of_reach(b: HasBook, weapon: Weapon, distance: int) -> Refusal | None:
    """Return why a weapon cannot shoot as far as a distance, or None if it can."""
    reach = reach_of(b, weapon)
    least = round(weapon.least_in * INCH)
    return BEYOND_REACH.refuses(
        reach is not None and distance > reach, weapon=weapon.title, reach=reach or 0, distance=distance
    ) or TOO_NEAR.refuses(distance < least, weapon=weapon.title, least=least, distance=distance)


def distances(b: HasBook, weapon: Weapon) -> tuple[int, int]:
    """Return the smallest and the largest distance of a shot on any table, in whole inches."""
    reach = reach_of(b, weapon)
    return ceil(weapon.least_in), FARTHEST if reach is None else min(reach // INCH, FARTHEST)
