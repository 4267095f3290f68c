"""The possible Moves of a unit, and the Move for a drag (SQ-S10, SQ-S17, SQ-S18).

`Routes` is made for one unit and one position, and is cached until a unit or a model changes. `Routes` decides whether
a Move is legal, for the page and for computer players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from caltrop.chance import Dice
from caltrop.geometry import (
    INCH,
    Hull,
    Point,
    cut_at_length,
    directions,
    distance_sq,
    heading_of,
    near_to,
    overlap,
    path_length,
    point_along,
)
from caltrop.rules.squad_action.acts import Path, Paths
from caltrop.rules.squad_action.limits import GoingWay, Limits, Way, split
from caltrop.rules.squad_action.places import (
    COHERENCY,
    KEEP_OFF,
    LONG,
    body_at,
    kept,
)
from caltrop.rules.squad_action.reach import (
    FLOWN,
    edges_at,
    exits_of,
    foot_of,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.table.measured import (
    INWARD,
    SHAPES,
    Edge,
    Shape,
    cut_to,
    drive,
    formation,
    march,
    most_central,
    moved,
    nearest_free,
    way,
)
from caltrop.table.measured.corridor import holds

TRIES = 12
"""Number of random Moves to try before the first legal Move in the fixed order is taken."""

WAYS = 10
"""Number of Moves round obstacles to try, in search of the Move that ends nearest to a place."""

RANK = 5
"""Number of models in a rank, for a unit that enters the table."""

CLOSELY = 8
"""Largest number of listed Moves for a unit with little room."""

SHARES = 16
"""Number of equal steps in which an illegal Move is shortened until it is legal."""


class Routes(Limits):
    """The Moves of one unit: a list of some of them, and the Move for a drag."""

    def moves(self) -> Iterator[Way]:
        """Yield a finite sample of the legal Moves, in a fixed order, each computed on demand."""
        seen: set[tuple[Paths, Point | None]] = set()
        for act in self._candidates():
            if (act.paths, act.heading) not in seen and self.legal(act):
                seen.add((act.paths, act.heading))
                yield act
        if not seen and self.limit > 0:
            yield from islice(filter(self.legal, self._closely()), CLOSELY)

    def can_go(self) -> bool:
        """Return whether there is any legal Move. Moves that are probably legal are tried first."""
        return self._can_go

    @cached_property
    def _can_go(self) -> bool:
        turns = self.u.machine and not self.u.immobile and not self.entering
        return (turns and any(map(self.legal, self._turned()))) or next(self.moves(), None) is not None

    def _closely(self) -> Iterator[Way]:
        """Yield small Moves for a unit with little room.

        A player could make such Moves by hand, so without them the unit would wrongly count as stuck.
        """
        if self.entering:
            yield from self._squeezing_in()
            return
        if split(self.t, self.unit):
            yield from self._forming()
        yield from self._edging()

    def _edging(self) -> Iterator[Way]:
        """Yield Moves of the whole unit in all directions, shorter and shorter, then short Moves of single models."""
        lead = self.starts[self.lead]
        for length in (*[self.limit * part // 12 for part in range(12, 0, -1)], INCH // 4, INCH // 10):
            for towards in directions(64):
                act = self.shifted(point_along(lead, towards, length))
                if act is not None:
                    yield act
        for length in (INCH, INCH // 4, INCH // 10):
            for m in self.models if len(self.models) > 1 else ():
                for towards in directions(16):
                    yield Way(((m, (self.starts[m], point_along(self.starts[m], towards, length))),))

    def _squeezing_in(self) -> Iterator[Way]:
        """Yield Moves over the side's own edge at every place along it, deep and shallow, in wide and narrow ranks."""
        rows = (RANK, 3, 2, 1) if self.u.on_foot and len(self.models) > 1 else (RANK,)
        for wide in rows:
            for length in (*[self.limit * part // 4 for part in (4, 3, 2, 1)], self._least(wide)):
                for x in range(INCH // 2, self.bare.box[2], INCH // 4):
                    act = self.entry(x, length, wide)
                    if act is not None:
                        yield act

    def _least(self, wide: int) -> int:
        """Return the smallest distance of an entry in ranks."""
        places = ranks(len(self.models), self.radius, wide)
        back = max([dy for _, dy in places]) - places[most_central(places)[0]][1]
        return (LONG if self.u.kind == "vehicle" else self.radius) + max(back, 0)

    def _candidates(self) -> Iterator[Way]:
        if self.entering:
            yield from self._entries()
            return
        if self.limit <= 0 and not self.u.machine:
            return
        if split(self.t, self.unit):
            yield from self._closings()
        lead = self.starts[self.lead]
        for goal in self._goals(lead):
            act = self.shifted(goal)
            if act is not None:
                yield act
        if self.u.machine and not self.u.immobile:
            yield from self._turned()
        for edge in exits_of(self.t, self.unit):
            yield self.leaving(edge)

    @property
    def lead(self) -> int:
        """The model that leads a drag: a model in the middle of the unit."""
        return self.middle()[0]

    def _goals(self, lead: Point) -> Iterator[Point]:
        for length in (self.limit, self.limit // 2):
            for towards in directions(8):
                yield point_along(lead, towards, length)
        if self.u.kind == "flyer" and not self.u.hovering and self.limit >= FLOWN:
            for towards in directions(8):
                yield point_along(lead, towards, FLOWN)
        for place in self._marks(lead):
            yield cut_at_length((lead, place), self.limit)[-1]

    def _marks(self, lead: Point) -> list[Point]:
        """Return places of interest: 2 inches from the nearest enemy, the objectives, and the nearest cover."""
        marks: list[Point] = []
        t = self.t
        enemies = [t.models[v.models[0]].at for v in t.enemies(self.unit)]
        there = [p for p in enemies if p is not None]
        if there:
            nearest = min(there, key=lambda p: (distance_sq(lead, p), p))
            away = path_length((lead, nearest)) - KEEP_OFF - 4 * self.radius - INCH
            if away > 0:
                marks.append(point_along(lead, (nearest[0] - lead[0], nearest[1] - lead[1]), away))
        marks += [o.at for o in t.field.objectives if o.at != lead]
        if self.u.on_foot:
            covers = [piece for piece in t.ground.pieces if not holds(piece, lead)]
            middles = [((p.box[0] + p.box[2]) // 2, (p.box[1] + p.box[3]) // 2) for p in covers]
            if middles:
                marks.append(min(middles, key=lambda p: (distance_sq(lead, p), p)))
        return [p for p in marks if p != lead]

    def shifted(self, goal: Point, via: Sequence[Point] = (), heading: Point | None = None) -> Way | None:
        start = self.starts[self.lead]
        route: Path = (start, *via, goal)
        if not self._is_cheap(self.ground, route, path_length(route)):
            route = paid_part(self, route)
        if len(route) < 2 or route[-1] == start:
            return None
        steps = [(x - start[0], y - start[1]) for x, y in route]
        paths = tuple(
            [(m, tuple([(self.starts[m][0] + dx, self.starts[m][1] + dy) for dx, dy in steps])) for m in self.models]
        )
        return Way(paths, heading)

    def _turned(self) -> Iterator[Way]:
        for towards in directions(8):
            yield Way((), heading_of(towards))

    def leaving(self, edge: Edge) -> Way:
        """Return the Way of all models straight to an edge and off the table."""
        box = self.bare.box
        paths = tuple([(m, (self.starts[m], foot_of(box, edge, self.starts[m]))) for m in self.models])
        return Way(paths, off=True)

    def _entries(self) -> Iterator[Way]:
        wide = self.bare.box[2]
        for length in (self.limit, self.limit // 2):
            for part in range(1, ENTRIES):
                act = self.entry(wide * part // ENTRIES, length)
                if act is not None:
                    yield act

    def entry(self, x: int, length: int, wide: int = RANK) -> Way | None:
        """Return the unit's entry over its edge in ranks; None if the length is too short for all models.

        The middle model ends *length* tenths of a millimetre from the edge.
        """
        ahead = INWARD[self.edge][1]
        y0 = foot_of(self.bare.box, self.edge, (x, 0))[1]
        places = ranks(len(self.models), self.radius, wide)
        if length < self._least(wide):
            return None
        middle_y = places[most_central(places)[0]][1]
        paths = []
        for m, (dx, dy) in zip(self.models, places, strict=True):
            far = length + middle_y - dy
            paths.append((m, ((x + dx, y0), (x + dx, y0 + ahead * far))))
        return Way(tuple(paths))

    def _closings(self) -> Iterator[Way]:
        """Yield Moves that bring a split unit together around its middle model, or as near to it as possible."""
        discs = [(*self.starts[m], self.radius) for m in self.models]
        for anchor in most_central([self.starts[m] for m in self.models]):
            places: dict[int, Point] = {self.models[anchor]: self.starts[self.models[anchor]]}
            paths: list[tuple[int, Path]] = []
            taken = [discs[anchor]]
            order = sorted(range(len(discs)), key=lambda i: (distance_sq(discs[i][:2], discs[anchor][:2]), i))
            ends = [o.body for o in self.others if not isinstance(o.body, Hull)]
            for i in order[1:]:
                m, start = self.models[i], discs[i][:2]
                near = min(taken, key=lambda d: (distance_sq(d[:2], start), d))
                if near_to(discs[i], near, COHERENCY) and not any(overlap(discs[i], d) for d in taken):
                    taken.append(discs[i])
                    places[m] = start
                    continue
                # Go towards the nearest model that has its place, and stop about a base's width from that model.
                reach = path_length((start, near[:2])) - 2 * self.radius - COHERENCY // 2
                end = point_along(start, (near[0] - start[0], near[1] - start[1]), max(reach, 0))
                goal = nearest_free(self.ground, end, self.radius, (*taken, *ends), reach=4 * INCH)
                if goal is None:
                    continue
                route: Path | None = (start, goal)
                if not self.crosses:
                    route = way(self.ground, start, goal, self.radius, self.discs)
                if route is None:
                    continue
                route = cut_to(self.ground, route, self.most)
                taken.append((*route[-1], self.radius))
                if len(route) > 1:
                    paths.append((m, route))
            if paths:
                yield Way(tuple(sorted(paths)))
                for m, path in sorted(paths):
                    yield Way(((m, path),))

    def _forming(self) -> Iterator[Way]:
        """Yield Moves that bring a split unit together elsewhere, if enemies leave too little room in its middle."""
        for goal in self._goals(self.starts[self.lead]):
            for shape in SHAPES:
                act = self._formed((goal,), shape, None)
                if act is not None:
                    yield act

    def sample(self, dice: Dice) -> Way | None:
        """Return a random legal Move without listing all; None if no Move is legal."""
        if not self.entering and not split(self.t, self.unit):
            for _ in range(TRIES):
                act = self._drawn(dice)
                if act is not None and self.legal(act):
                    return act
        elif self.entering:
            for _ in range(TRIES):
                act = self.entry(dice.below(self.bare.box[2] + 1), dice.below(self.limit + 1))
                if act is not None and self.legal(act):
                    return act
        return next(self.moves(), None)

    def _drawn(self, dice: Dice) -> Way | None:
        """Return a random Move of any direction and length.

        Sometimes a machine only turns, and a flyer leaves the table.
        """
        if self.u.machine and dice.below(8) == 0:
            return Way((), heading_of(directions(64)[dice.below(64)]))
        exits = exits_of(self.t, self.unit)
        if exits and dice.below(8) == 0:
            return self.leaving(exits[dice.below(len(exits))])
        if self.limit <= 0:
            return None
        least = FLOWN if self.u.kind == "flyer" and not self.u.hovering and self.limit > FLOWN else 0
        towards = directions(64)[dice.below(64)]
        length = least + dice.below(self.limit - least + 1)
        return self.shifted(point_along(self.starts[self.lead], towards, length)) if length else None

    def ending_nearest(self, act: GoingWay) -> Way | None:
        """Return the legal Move whose leading model ends nearest to where another Move would bring it.

        If models were moved one by one, return the legal part of their paths.
        """
        begun, paths = self.nearest(act), dict(act.paths)
        if any(not paths.get(m) for m in self.models):
            return begun
        x0, y0, x1, y1 = self.bare.box
        start = ((x0 + x1) // 2, (y0 + y1) // 2) if self.entering else self.starts[self.lead]
        starts = [] if begun is None or begun.off or not self.legal(begun) else [(self._end(begun, start), begun)]
        goal, reach = paths[self._leader()][-1], x1 - x0 + y1 - y0 if self.entering else self.most
        return self.ends_nearest(goal, start, reach, self.bare.box, starts, WAYS) or begun

    def _leader(self) -> int:
        return self.models[0] if self.entering else self.lead

    def _end(self, act: GoingWay, start: Point) -> Point:
        return (dict(act.paths).get(self._leader()) or (start,))[-1]

    def end_of(self, route: Way, end: Point) -> Point:
        return self._end(route, end if self.entering else self.starts[self.lead])

    def straight_to(self, end: Point) -> Way | None:
        return self._drawn_in((end,), None) if self.entering else self.shifted(end)

    def could_stand(self, end: Point) -> bool:
        """Return whether all models could stand if the leading model ends at a place and the others keep formation."""
        if self.entering or self.u.kind == "vehicle":
            return not self.entering
        (x0, y0), (x1, y1) = self.starts[self.lead], end
        return self.standing({m: (x + x1 - x0, y + y1 - y0) for m, (x, y) in self.starts.items()}) is None

    def round_to(self, end: Point) -> Way | None:
        return self._driven((end,), None) if self.u.kind == "vehicle" else self.marched((end,), False)

    def nearest(self, act: GoingWay) -> Way | None:
        """Return a legal Move similar to an illegal one: with as much of its paths as possible, or towards its end."""
        way = self._form(act)
        if way is not None or self.entering:
            return next(self.moves(), None)
        cut = tuple([(m, cut_to(self.ground, path, self.limit)) for m, path in act.paths])
        for paths in (act.paths, cut):
            for share in range(SHARES, 0, -1):
                part = tuple([(m, cut_at_length(p, path_length(p) * share // SHARES)) for m, p in paths])
                near = Way(part, act.heading)
                if (part != act.paths or act.off) and self.legal(near):
                    return near
        lead = dict(act.paths).get(self.lead)
        if lead is not None and self.u.kind != "vehicle":
            marched = self.marched(lead[1:])
            if marched is not None and self.legal(marched):
                return marched
        return next(self.moves(), None)

    # --- drags --------------------------------------------------------------------------------------------------------

    def drawn(
        self,
        legs: Sequence[Point],
        models: Mapping[int, Path] | None = None,
        shape: Shape = "keep",
        front: Point | None = None,
        reform: bool = False,
    ) -> Way | None:
        """Return the Move for a drag. The Move is legal if there is a legal Move nearby.

        Args:
            front: Direction of a formation or a machine at the end; None for the direction of the path.
            reform: True to allow another formation if the present one does not fit.
        """
        if self.entering:
            return self._drawn_in(legs, models)
        if models:
            own = [(m, models[m]) for m in self.models if models.get(m)]
            paths = tuple([(m, p if p[0] == self.starts[m] else (self.starts[m], *p)) for m, p in own])
            return Way(paths)
        heading = None if self.u.on_foot or front is None else heading_of(front)
        if not legs:
            return Way((), heading) if heading is not None else None
        straight = self.shifted(legs[-1], legs[:-1], heading)
        if straight is not None and shape == "keep" and (front is None or self.u.machine) and self.legal(straight):
            return straight
        if self.u.kind == "vehicle":
            return self._driven(legs, heading) or straight
        if self.u.on_foot and (shape != "keep" or front is not None):
            formed = self._formed(legs, shape, front)
            if formed is not None and self.legal(formed):
                return formed
        marched = None
        if reform or not self.u.on_foot or (shape == "keep" and front is None):
            marched = self.marched(legs, reform)
        if marched is not None:
            marched = marched._replace(heading=heading)
            if self.legal(marched):
                return marched
        return straight

    def _drawn_in(self, legs: Sequence[Point], models: Mapping[int, Path] | None) -> Way | None:
        """Return the Move of a unit that is dragged onto the table."""
        if models:
            box = self.bare.box
            own = [(m, models[m]) for m in self.models if models.get(m)]
            on = [(m, p if self.edge in edges_at(box, p[0]) else (foot_of(box, self.edge, p[0]), *p)) for m, p in own]
            return Way(tuple(on))
        if not legs:
            return None
        x, y = legs[-1]
        length = abs(y - foot_of(self.bare.box, self.edge, (x, y))[1])
        return self.entry(x, min(length, self.limit)) or self.entry(x, self.limit)

    def _driven(self, legs: Sequence[Point], heading: Point | None) -> Way | None:
        """Return the path of a vehicle round obstacles, as far as it can go; None if it cannot move."""
        (m,) = self.models
        route: Path = (self.starts[m],)
        hull = body_at(self.t, m, route[0])
        for leg in legs:
            assert isinstance(hull, Hull)
            driven = drive(self.ground, hull, leg, self.stopping)
            if driven is None:
                break
            route = (*route, *[step.to for step in driven])
            hull = body_at(self.t, m, route[-1], driven[-1].heading if driven else hull.heading)
        route = cut_to(self.ground, route, self.limit)
        act = Way(((m, route),), heading)
        return act if len(route) > 1 and self.legal(act) else None

    def _formed(self, legs: Sequence[Point], shape: Shape, front: Point | None) -> Way | None:
        """Return the Move that draws the unit up in a formation, with its middle model at the end of the drag."""
        discs = [(*self.starts[m], self.radius) for m in self.models]
        anchor = self.models.index(self.lead)
        goal, before = legs[-1], (self.starts[self.lead], *legs)[-2]
        heading = front or (goal[0] - before[0], goal[1] - before[1])
        if heading == (0, 0):
            heading = (0, 1)
        places = formation(discs, goal, shape, heading, (0, 1) if shape == "keep" else None, anchor)
        paths: list[tuple[int, Path]] = []
        for m, start, place in zip(self.models, self.starts.values(), places, strict=True):
            route = way(self.ground, start, place, self.radius, self.discs, self.crosses, self.most)
            if route is None:
                return None
            if len(route) > 1:
                paths.append((m, route))
        return Way(tuple(paths))

    def marched(self, legs: Sequence[Point], reform: bool = True) -> Way | None:
        """Return the unit's path round obstacles, leg by leg, as far as it can go.

        With *reform* the unit takes another formation if the present one does not fit.
        """
        here: Sequence[tuple[int, int, int]] = [(*self.starts[m], self.radius) for m in self.models]
        paths: list[Path] = [(d[:2],) for d in here]
        anchor = self.models.index(self.lead)

        def accept(after: Sequence[tuple[int, int, int]]) -> bool:
            return self.standing({m: d[:2] for m, d in zip(self.models, after, strict=True)}) is None

        for leg in legs:
            left = self.limit - max([self.cost(self.ground, path) for path in paths])
            if left <= 0:
                break
            way = march(self.ground, here, leg, left, self.discs, self.crosses, COHERENCY, anchor, accept, reform)
            paths = [(*path, *more[1:]) for path, more in zip(paths, way, strict=True)]
            here = moved(here, [path[-1] for path in paths])
        moving = tuple([(m, path) for m, path in zip(self.models, paths, strict=True) if len(path) > 1])
        return Way(moving) if moving else None


ENTRIES = 8
"""Number of parts of the edge in which entries are tried."""


def paid_part(routes: Routes, route: Path) -> Path:
    """Return the part of a path within the unit's allowance."""
    if routes.crosses:
        return cut_at_length(route, routes.limit)
    return cut_to(routes.ground, route, routes.limit)


def ranks(count: int, radius: int, wide: int = RANK) -> list[Point]:
    """Return the places of models in ranks, the front rank first: x to the side, y to the rear.

    Neighbours are an inch or more apart, from centre to centre.

    >>> ranks(6, 76)[0], ranks(6, 76)[5]
    ((-558, 0), (0, 279))
    """
    step = max(INCH, 2 * radius + INCH // 2)
    places: list[Point] = []
    for first in range(0, count, wide):
        row = min(wide, count - first)
        places += [(step * n - step * (row - 1) // 2, step * (first // wide)) for n in range(row)]
    return places


def routes_of(t: Firefight, unit: int, jump: bool = False) -> Routes:
    """Return the possible Moves of a unit, cached until a unit or a model changes."""
    cache = kept(t, "routes")
    key = (unit, jump, t.pilot is not None and t.pilot.unit == unit, len(t.placed))
    routes: Routes | None = cache.get(key)
    if routes is None or routes.t is not t:
        routes = cache[key] = Routes(t, unit, jump)
    return routes
