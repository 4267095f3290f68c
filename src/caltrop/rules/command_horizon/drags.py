"""Drags of a person turned into paths: for a whole unit, in a formation, over waypoints, or model by model.

The page predicts the same paths from `picked_up`. The page's module `lib/reach` does the same as this module, and
`tests/web/test_reach.py` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from caltrop.asking import Mover, PickedUp, Wish
from caltrop.asking.routes import RouteFault
from caltrop.engine import total
from caltrop.geometry import CM, CONTACT, INCH, Disc, Point, cut_at_length, path_length, point_along, touching
from caltrop.rules.command_horizon.limits import Path, Paths, rough_pieces
from caltrop.rules.command_horizon.places import solid_ground
from caltrop.rules.command_horizon.reach import pays_terrain, terrain_price
from caltrop.rules.command_horizon.routes import Routes
from caltrop.table.measured import Shape, formation, march, moved, way

SHAPES: tuple[Shape, ...] = ("keep", "line", "column", "wedge")

AS_IT_STANDS: Point = (0, 1)
"""Facing that keeps a unit's formation. Another facing turns the formation by the angle between the two."""


def drawn(routes: Routes, wish: Wish, legal: Callable[[Paths], bool] | None = None, whole: bool = False) -> Paths:
    """Return the paths for a wish. The paths are legal if there are legal paths nearby.

    Args:
        routes: Limits of the unit's moves.
        wish: The drag, as the player drew it. Paths of single models have priority; otherwise the first model goes over
            the waypoints to its destination.
        legal: Returns whether paths are legal, for stricter conditions; by default `Routes.legal`.
        whole: True to move the full distance in the direction of the last leg, even if that leg is short.
    """
    if legal is None:
        legal = routes.legal
    if wish.models:
        return _single(routes, wish)
    legs = (*wish.waypoints, *((wish.to,) if wish.to is not None else ()))
    if not legs:
        return ()
    if whole:
        legs = _drawn_out(routes, legs)
    if routes.disabled:
        return _straight(routes, legs)
    limit = max(routes.limit, 1)
    if wish.shape == "keep" and wish.facing is None:
        straight = _straight(routes, legs)
        if legal(straight):
            return straight
    for begun in _begun(routes, legs, wish, limit):
        paths = _formed(routes, begun, wish, limit)
        if paths is not None and legal(paths):
            return paths
    if (wish.shape == "keep" and wish.facing is None) or len(routes.discs) == 1:
        marched = _marched(routes, legs, limit if not routes.top else routes.top)
        if marched and legal(marched):
            return marched
    return _straight(routes, legs)


def _drawn_out(routes: Routes, legs: Sequence[Point]) -> tuple[Point, ...]:
    """Return the legs of a path after making the last leg as long as the reach allows."""
    before = (routes.discs[0][:2], *legs[:-1])
    left = routes.limit - path_length(before)
    away = (legs[-1][0] - before[-1][0], legs[-1][1] - before[-1][1])
    far = point_along(before[-1], away, left + CM)
    return (*legs[:-1], cut_at_length((before[-1], far), left)[-1]) if left > 0 else tuple(legs)


def _single(routes: Routes, wish: Wish) -> Paths:
    paths: list[tuple[int, Path]] = []
    for m in routes.ids:
        points = wish.models.get(m)
        if points:
            start = routes.discs[routes.index[m]][:2]
            paths.append((m, tuple(points) if points[0] == start else (start, *points)))
    return tuple(paths)


def _straight(routes: Routes, legs: Sequence[Point]) -> Paths:
    """Return paths of all models that can move, parallel to the first model's path."""
    x0, y0, _ = routes.discs[0]
    return tuple(
        [
            (m, ((x, y), *[(x + px - x0, y + py - y0) for px, py in legs]))
            for m, (x, y, _) in zip(routes.ids, routes.discs, strict=True)
            if m not in routes.disabled
        ]
    )


def _begun(routes: Routes, legs: Sequence[Point], wish: Wish, limit: int) -> Iterator[Sequence[Point]]:
    """Yield the legs of a path, then shorter and shorter parts of them, in eighths of the distance that can be paid
    for.
    """
    if wish.shape == "keep" and wish.facing is None:
        return
    yield legs
    here = routes.discs[0][:2]
    path = (here, *legs)
    whole = min(routes.top or limit, path_length(path))
    for eighths in range(8, 0, -1):
        begun = cut_at_length(path, whole * eighths // 8)
        if len(begun) > 1:
            yield begun[1:]


def _formed(routes: Routes, legs: Sequence[Point], wish: Wish, limit: int) -> Paths | None:
    """Return the paths by which a unit draws up in a formation at the last leg; None if there are none.

    Each model follows the first over the waypoints, and then goes to its own place in the formation.
    """
    if wish.shape not in SHAPES:
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
        places = formation(routes.discs, goal, shape, heading, AS_IT_STANDS)
    else:
        slots = formation([routes.discs[i] for i in order], goal, shape, heading)
        places = tuple([slots[order.index(i)] for i in range(len(order))])
    others = routes.blocking
    paths: list[tuple[int, Path]] = []
    x0, y0, _ = routes.discs[0]
    for m, (x, y, r), place in zip(routes.ids, routes.discs, places, strict=True):
        path: Path = ((x, y),)
        for there in (*[(x + px - x0, y + py - y0) for px, py in legs[:-1]], place):
            left = limit - path_length(path)
            more = way(routes.ground, path[-1], there, r, others, routes.crosses, left)
            if more is None:
                return None
            path = (*path, *more[1:])
        if len(path) > 1:
            paths.append((m, path))
    return tuple(paths)


def _marched(routes: Routes, legs: Sequence[Point], limit: int) -> Paths:
    """Return the paths round obstacles, leg by leg, in the present formation."""
    others, foes = routes.blocking, routes.untouchable

    def accept(after: Sequence[Disc]) -> bool:
        return not any(touching(p, q) for p in after for q in foes)

    here: Sequence[Disc] = routes.discs
    paths: list[Path] = [((x, y),) for x, y, _ in here]
    for leg in legs:
        left = limit - max(path_length(path) for path in paths)
        if left <= 0:
            break
        marched_paths = march(routes.ground, here, leg, left, others, routes.crosses, INCH, 0, accept, reform=False)
        paths = [(*path, *more[1:]) for path, more in zip(paths, marched_paths, strict=True)]
        here = moved(here, [path[-1] for path in paths])
    return tuple([(m, path) for m, path in zip(routes.ids, paths, strict=True) if len(path) > 1])


def picked_up(routes: Routes) -> PickedUp:
    """Return the data from which the page predicts drags of a unit."""
    t = routes.t
    radii = sorted({r for _, _, r in routes.discs})
    rough = rough_pieces(t) if not routes.paid and pays_terrain(t, routes.unit) else ()
    outlines = [piece.outline for piece in t.table.terrain if piece.id in rough]
    return PickedUp(
        unit=routes.unit,
        pieces=tuple(
            [
                Mover(id=m, at=(x, y), radius=r, stays=m in routes.disabled)
                for m, (x, y, r) in zip(routes.ids, routes.discs, strict=True)
            ]
        ),
        size=(t.table.width, t.table.height),
        bands=tuple([(length, total(price)) for length, price in routes.bands]),
        purse=routes.cp,
        others=tuple(routes.blocking),
        clear_of=tuple(
            [disc for s in routes.others if s.side != routes.side and not routes.may_touch(s.unit) for disc in s.discs]
        ),
        contact=CONTACT,
        solid=solid_ground(t, radii),
        rough=tuple(outlines),
        rough_prices=tuple([total(terrain_price(t, routes.unit, n + 1)) for n in range(len(outlines))]),
        coherency=INCH,
        crosses=routes.crosses,
        round=True,
        may_stay=routes.charge is not None,
    )


def faults_at(routes: Routes, paths: Paths, wrong: RouteFault) -> tuple[Point, ...]:
    """Return the places where paths fail: a base is stopped, the reach ends, or bases may not stand."""
    values = wrong.values
    if "x" in values:
        return ((values["x"], values["y"]),)
    if "cp" in values and paths:
        return (cut_at_length(max([path for _, path in paths], key=path_length), routes.top)[-1],)
    own = {routes.index.get(m): path for m, path in paths}
    numbers = [values[key] - 1 for key in ("model", "other") if key in values]
    named = [own.get(i, (routes.discs[i][:2],)) for i in numbers]
    return tuple([cut_at_length(path, values["limit"])[-1] if "limit" in values else path[-1] for path in named])
