"""An interrupted Move: how far its path is still open, and the direction of a machine (SQ-S33)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from caltrop.engine import rule
from caltrop.geometry import INCH, Hull, Point, path_length
from caltrop.rules.squad_action.acts import Paths
from caltrop.rules.squad_action.limits import BEYOND, CLOSE_UP, STRAGGLES, GoingWay, Way
from caltrop.rules.squad_action.places import body_at
from caltrop.rules.squad_action.reach import EDGES
from caltrop.rules.squad_action.routes import Routes
from caltrop.rules.squad_action.watching import length_of, up_to
from caltrop.table.measured import Leg, SharedWay, drive_fault

LOOKS = INCH // 8
"""Distance between places for an early stop that are tried, in tenths of a millimetre."""


def share_of(distance: int, moment: int, whole: int) -> int:
    """Return the part of a distance covered at a moment on a path of length *whole*."""
    return distance * moment // whole if whole else 0


@rule("SQ-S10", "SQ-S17", "SQ-Q59", "SQ-Q60")
def last_open(routes: Routes, act: GoingWay, paths: Paths, moment: int, headings: Sequence[Point]) -> int:
    """A unit goes on only as far as its path is open and it may stand.

    Returns the last moment that the unit can reach.

    Args:
        routes: The possible Moves of the unit in the present situation.
        headings: Directions of a machine on each leg, and at the end of its way.
    """
    whole = length_of(paths)
    moments: list[int] = [whole, *range(whole - LOOKS, moment, -LOOKS)]
    for last in moments:
        if _is_open(routes, act, paths, moment, last, headings):
            return last
    return moment


def _is_open(routes: Routes, act: GoingWay, paths: Paths, moment: int, last: int, headings: Sequence[Point]) -> bool:
    t, u = routes.t, routes.u
    begun = [(m, path) for m, path in up_to(paths, last) if m in u.models]
    if not begun and u.kind == "vehicle":
        begun = [(m, (routes.starts[m],)) for m in u.models]  # the machine turns on the spot
    ends_whole = last == length_of(act.paths)
    way = SharedWay([path for _, path in begun], in_step=True, length=max(last, 1))
    rest = [(m, (routes.starts[m], *path[1:])) for (m, _), path in zip(begun, way.left(moment), strict=True)]
    heading = faces_at(act, headings, last)
    ground = routes.ground.opened(**dict.fromkeys(EDGES, BEYOND))
    if u.kind == "vehicle":
        (path,) = [path for _, path in rest]
        done = sum([1 for leg in pairwise(begun[0][1]) if leg[0] != leg[1]]) - (len(path) - 1)
        legs = tuple([Leg(to, headings[done + n]) for n, to in enumerate(path[1:])])
        if ends_whole and headings:
            legs = (*legs, Leg(path[-1], headings[-1]))
        hull = body_at(t, u.models[0], path[0])
        assert isinstance(hull, Hull)
        if drive_fault(ground, hull, legs, routes.stopping) is not None:
            return False
    elif routes._walk(Way(tuple(rest)), ground, True) is not None:
        return False
    if act.off and ends_whole:
        return True
    wrong = routes.standing({**routes.starts, **{m: path[-1] for m, path in rest}}, heading, [m for m, _ in rest])
    # A unit that was split by losses on the way may go on, and closes up later (SQ-ORG-13).
    return wrong is None or wrong.guard in (STRAGGLES, CLOSE_UP)


def faces_at(act: GoingWay, headings: Sequence[Point], moment: int) -> Point | None:
    """Return the direction of a machine at a moment on its path; None at its start."""
    if moment >= length_of(act.paths):
        return headings[-1] if headings else None
    gone, heading_ = 0, None
    legs = [(a, b) for _, path in act.paths for a, b in pairwise(path) if a != b]
    for (a, b), heading in zip(legs, headings, strict=False):
        if gone <= moment:
            heading_ = heading
        gone += path_length((a, b))
    return heading_
