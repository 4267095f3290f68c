"""What a person drags, turned into paths: the unit as a whole, in a shape, over waypoints, or model by model."""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.engine import Wish
from caltrop.geometry import INCH, Disc, Point, path_length, touching
from caltrop.rules.command_horizon.routes import Path, Paths, Routes
from caltrop.table import Shape, formation, march, moved, way

SHAPES: tuple[Shape, ...] = ("keep", "line", "column", "wedge")


def drawn(routes: Routes, wish: Wish) -> Paths:
    """The paths that a wish comes to, legal where a legal way is near.

    Args:
        routes: Where the unit may go.
        wish: Single models overrule everything; else the first model goes over the waypoints to where it is wanted.
    """
    if wish.models:
        return _single(routes, wish)
    legs = (*wish.waypoints, *((wish.to,) if wish.to is not None else ()))
    if not legs:
        return ()
    if routes.disabled:
        return _straight(routes, legs)
    limit = max(routes.limit, 1)
    if wish.shape == "keep" and wish.facing is None:
        straight = _straight(routes, legs)
        if routes.wrong(straight) is None:
            return straight
    found = _formed(routes, legs, wish, limit)
    if found is not None and routes.wrong(found) is None:
        return found
    marched = _marched(routes, legs, limit if not routes.top else routes.top)
    if marched and routes.wrong(marched) is None:
        return marched
    return _straight(routes, legs)


def _single(routes: Routes, wish: Wish) -> Paths:
    found: list[tuple[int, Path]] = []
    for m in routes.ids:
        points = wish.models.get(m)
        if points:
            start = routes.discs[routes.index[m]][:2]
            found.append((m, tuple(points) if points[0] == start else (start, *points)))
    return tuple(found)


def _straight(routes: Routes, legs: Sequence[Point]) -> Paths:
    """Every model that can move, by the same vectors as the first."""
    x0, y0, _ = routes.discs[0]
    return tuple(
        [
            (m, ((x, y), *[(x + px - x0, y + py - y0) for px, py in legs]))
            for m, (x, y, _) in zip(routes.ids, routes.discs, strict=True)
            if m not in routes.disabled
        ]
    )


def _formed(routes: Routes, legs: Sequence[Point], wish: Wish, limit: int) -> Paths | None:
    """Straight to a shape at the last leg, each model by a good way of its own."""
    if wish.shape not in SHAPES or (wish.shape == "keep" and wish.facing is None):
        return None
    shape: Shape = next(s for s in SHAPES if s == wish.shape)
    goal = legs[-1]
    before = legs[-2] if len(legs) > 1 else routes.discs[0][:2]
    heading = wish.facing or (goal[0] - before[0], goal[1] - before[1])
    if heading == (0, 0):
        heading = (1, 0)
    order = sorted(
        range(len(routes.discs)),
        key=lambda i: (
            routes.discs[i][1] * heading[0] - routes.discs[i][0] * heading[1]
            if shape == "line"
            else -(routes.discs[i][0] * heading[0] + routes.discs[i][1] * heading[1]),
            i,
        ),
    )
    if shape == "keep":
        places = formation(routes.discs, goal, shape, heading, (goal[0] - before[0], goal[1] - before[1]))
    else:
        slots = formation([routes.discs[i] for i in order], goal, shape, heading)
        places = tuple([slots[order.index(i)] for i in range(len(order))])
    others = routes.blocking
    found: list[tuple[int, Path]] = []
    for m, (x, y, r), place in zip(routes.ids, routes.discs, places, strict=True):
        path = way(routes.ground, (x, y), place, r, others, routes.crosses, limit)
        if path is None:
            return None
        if len(path) > 1:
            found.append((m, path))
    return tuple(found)


def _marched(routes: Routes, legs: Sequence[Point], limit: int) -> Paths:
    """Leg by leg, round what is in the way, as far as it goes."""
    others, foes = routes.blocking, routes.untouchable

    def accept(after: Sequence[Disc]) -> bool:
        return not any(touching(p, q) for p in after for q in foes)

    here: Sequence[Disc] = routes.discs
    paths: list[Path] = [((x, y),) for x, y, _ in here]
    for leg in legs:
        left = limit - max(path_length(path) for path in paths)
        if left <= 0:
            break
        found = march(routes.ground, here, leg, left, others, routes.crosses, INCH, 0, accept)
        paths = [(*path, *more[1:]) for path, more in zip(paths, found, strict=True)]
        here = moved(here, [path[-1] for path in paths])
    return tuple([(m, path) for m, path in zip(routes.ids, paths, strict=True) if len(path) > 1])
