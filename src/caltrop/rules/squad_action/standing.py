"""A test of the places where a unit may stand, and a search for free places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caltrop.asking.routes import RouteFault
from caltrop.engine import Refusal
from caltrop.geometry import Body, Disc, Point, body_inside, directions, disc_around, near_to, point_along, root_up
from caltrop.rules.squad_action.places import COHERENCY, KEEP_OFF, LONG, WIDE, body_at
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.table.measured import nearest_free, stands


def fits(t: Firefight, unit: int, places: Mapping[int, Point]) -> Refusal | None:
    """Return why a unit may not stand in some places, or None if it may.

    The models must be on the table, overlap no body, be in coherency, and keep away from enemies.
    """
    wrong = how_it_fits(t, unit, places)
    return None if wrong is None else wrong.refusal()


def how_it_fits(t: Firefight, unit: int, places: Mapping[int, Point]) -> RouteFault | None:
    """Return the fault that `fits` explains, or None. Without the explanation it is faster."""
    return Routes(t, unit, anywhere=True).standing(places)


def places_near(t: Firefight, unit: int, limit: int, about: Body | None = None) -> Iterator[Placing]:
    """Yield possible placements of a unit, roughly the nearest first, in a fixed order.

    Args:
        limit: Largest distance of each base from *about*, edge to edge, in tenths of a millimetre. Without *about* it
            is the largest move of each model.
        about: A body, such as the machine that the unit leaves. The body takes up room unless its unit is off the
            table.
    """
    routes = Routes(t, unit, anywhere=True)
    seen: set[Placing] = set()
    for placing in _round(routes, limit, about) if about is not None else _shifts(routes, limit):
        if placing not in seen and routes.standing(dict(placing)) is None:
            seen.add(placing)
            yield placing


def _shifts(routes: Routes, limit: int) -> Iterator[Placing]:
    if len(routes.starts) < len(routes.models):
        return
    for length in (0, limit // 2, limit):
        for towards in directions(16):
            dx, dy = point_along((0, 0), towards, length)
            yield tuple([(m, (x + dx, y + dy)) for m, (x, y) in routes.starts.items()])


def _round(routes: Routes, limit: int, about: Body) -> Iterator[Placing]:
    """Yield placements of the unit beside a body, starting in eight directions.

    Each model takes the nearest free place.
    """
    centre = (about[0], about[1])
    r = routes.radius
    ground = routes.bare.with_solid(tuple([o.body for o in routes.others]))
    foes = [o.body for o in routes.foes]
    for towards in directions(8):
        first = point_along(centre, towards, disc_around(about)[2] + r)
        taken: list[Disc] = []
        placing: list[tuple[int, Point]] = []

        def suits(p: Point, taken: list[Disc] = taken) -> bool:
            disc = (*p, r)
            return (
                near_to(disc, about, limit)
                and (not taken or any(near_to(disc, d, COHERENCY) for d in taken))
                and not any(near_to(disc, foe, KEEP_OFF) for foe in foes)
            )

        for m in routes.models:
            at = nearest_free(ground, first, r, taken, suits=suits, reach=2 * (limit + LONG) + disc_around(about)[2])
            if at is None:
                break
            taken.append((*at, r))
            placing.append((m, at))
        else:
            yield tuple(placing)


Placing = tuple[tuple[int, Point], ...]
"""Places of a unit's models, by model."""


def find_room(t: Firefight, unit: int) -> None:
    """Move models that were stopped on forbidden ground to the nearest free place (SQ-Q59, SQ-S17)."""
    u = t.units[unit]
    routes = Routes(t, unit, anywhere=True)
    ground = routes.bare.with_solid(tuple([o.body for o in routes.others]))
    taken: list[Disc] = []
    for m in u.models:
        at = t.models[m].at
        assert at is not None
        # A hull needs room to turn.
        r = root_up(LONG * LONG + WIDE * WIDE) if u.kind == "vehicle" else routes.radius
        if not body_inside(body_at(t, m, at), ground.box) or (
            u.kind != "vehicle" and not stands(ground, (*at, r), taken)
        ):
            at = nearest_free(ground, at, r, taken) or at
            t.put({m: at})
        taken.append((*at, r))
