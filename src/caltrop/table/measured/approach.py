"""Find the shortest paths of a base into contact with another, and the part of a path that keeps a distance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from caltrop.geometry import CONTACT, Disc, Point, contact_point, path_length, touching
from caltrop.table.measured.paths import WaySearch, cut_path, first_obstacle, stands
from caltrop.table.measured.terrain import TableGround
from caltrop.table.measured.units import contact_places

EQUAL = 1
"""Largest difference, in tenths of a millimetre, between paths that count as equally long."""


def approaches(
    ground: TableGround, start: Point, r: int, target: Disc, discs: Sequence[Disc]
) -> tuple[tuple[Point, ...], ...]:
    """Return the shortest legal paths from a place into contact with a disc.

    The path is the straight line towards the target's centre up to the rim, if that is legal. If the line is blocked,
    it is a shortest path around obstacles by `way`. Such a path ends on the straight line to the centre, or at another
    place in contact if that is blocked (`contact_places`).

    Args:
        ground: The table prepared for queries.
        start: The place of the base's centre.
        r: Radius of the base.
        discs: The other discs that the base may not overlap.

    Returns:
        No path, or one path; or several of equal length with obstacles between them, so that chance or a person may
        choose. A path starts at the start, and is only that point if the base is in contact.
    """
    return _approaches(ground, start, r, target, tuple(discs))


@lru_cache(maxsize=64)
def _approaches(
    ground: TableGround, start: Point, r: int, target: Disc, discs: tuple[Disc, ...]
) -> tuple[tuple[Point, ...], ...]:
    """Return the cached result of `approaches`: a decision, its offers and its player ask for the same paths."""
    here = (*start, r)
    every = (*discs, target)
    if not stands(ground, here, every):
        return ()
    if touching(here, target):
        return ((start,),)
    centre = (target[0], target[1])
    straight = (start, contact_point(target, r, (start[0] - centre[0], start[1] - centre[1])))
    if first_obstacle(ground, straight, r, every) is None:
        return (straight,)
    search = WaySearch(ground, start, centre, r, every, rim=target[2] + r + 1)
    # The straight end of a path may be blocked only if something is near the rim.
    if not stands(ground, (*centre, target[2] + 2 * r + CONTACT), discs):
        search.add(contact_places(ground, target, r, start, every))
    # Lengths are rounded up for each leg, so paths of equal length may differ by these roundings.
    paths = search.find(2 * EQUAL)
    least = min(map(path_length, paths), default=0)
    return tuple(sorted([path for path in paths if path_length(path) <= least + EQUAL]))


def may_approach(
    ground: TableGround,
    start: Point,
    r: int,
    target: Disc,
    places: Sequence[Point],
    discs: Sequence[Disc],
    limit: int | None,
) -> bool:
    """Return whether a path into contact with a disc may be within a limit. One search covers all places.

    The path may end at one of the places, or on the straight line to the centre.

    Args:
        ground: The table prepared for queries.
        start: The place of the base's centre.
        r: Radius of the base.
        discs: The discs that the base may not overlap, the target among them.
        limit: The greatest length, or None for no limit.
    """
    rim = target[2] + r + 1
    most = None if limit is None else limit + rim + CONTACT
    search = WaySearch(ground, start, (target[0], target[1]), r, discs, limit=most, rim=rim)
    search.add(places)
    return bool(search.find())


def halted(
    ground: TableGround,
    path: Sequence[Point],
    r: int,
    discs: Sequence[Disc],
    shunned: Sequence[Disc],
    gap: int,
) -> tuple[Point, ...]:
    """Return the longest legal beginning of a path that keeps a gap from some of the discs.

    If the start is nearer than the gap, the result is the start alone.

    Args:
        ground: The table prepared for queries.
        path: The polyline of the base's centre, its start first.
        r: Radius of the base.
        discs: The discs that the base may not overlap.
        shunned: The discs to keep away from.
    """
    grown = [(x, y, s + gap) for x, y, s in shunned]
    return cut_path(ground, path, r, (*discs, *grown), path_length(path))
