"""Moves into close quarters: paths of assaulters, enemies within reach, and base contact (SQ-CQB-01, SQ-Q18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import isqrt
from typing import Any, ClassVar

from caltrop.asking import Proposal, Wish
from caltrop.asking.routes import RouteFault
from caltrop.engine import (
    Event,
    MotionOf,
    Refusal,
    guard,
    not_an_option,
    rule,
)
from caltrop.engine.rule import HasBook
from caltrop.geometry import (
    INCH,
    Body,
    Disc,
    Hull,
    Point,
    directions,
    disc_around,
    distance_sq,
    gap_between,
    near_to,
    path_length,
    point_along,
)
from caltrop.rules.squad_action.acts import Path, Paths
from caltrop.rules.squad_action.consolidation import alive
from caltrop.rules.squad_action.limits import NOBODY_MOVES, GoingWay, Way
from caltrop.rules.squad_action.places import bodies, body, body_at
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.table.measured import TableGround, contact_places_of, nearest_free_places, way

TRIGGER = 2 * INCH
"""An assault reaches an enemy if at least one model ends within this distance of it (SQ-ORG-42)."""
BOTH = 64
"""Number of shortest paths to two enemies that are tried before other paths."""
EIGHTHS = 8
"""Number of equal parts of the allowance to try in every direction."""
PAIRS = 12
"""Number of nearest pairs of a model and an enemy for which a path round obstacles is looked for."""
RUSH = 3 * INCH
"""Distance from the enemy within which models move into base contact (SQ-ORG-44)."""
TOO_FAR_IN = guard(
    "SQ-Q18",
    "too-far-in",
    "No model of {name} goes more than {limit:inch} to assault, and one would go {length:inch}",
)
FALLS_SHORT = guard(
    ("SQ-ORG-42", "SQ-Q18", "SQ-Q26"),
    "falls-short",
    "The nearest model would be {gap:inch} from {target}, and {need:inch} are needed",
)
NOT_ALL_NEAR = guard(
    "SQ-Q18", "not-all-near", "Every model has to come within {need:inch}, and one would be {gap:inch} from the enemy"
)
Gaps = tuple[tuple[int, ...], ...]
"""For each enemy unit, its distances from each assaulting model, edge to edge."""


@rule("SQ-CQB-01", "SQ-ORG-42", "SQ-Q18", "SQ-Q26", stages=("house",))
def reached(b: HasBook, gaps: Gaps) -> tuple[bool, ...]:
    """An assault reaches an enemy if at least one model comes within 2 inches of it."""
    return tuple([min(row, default=TRIGGER + 1) <= TRIGGER for row in gaps])


@reached.amended_by("SQ-Q18", stage="house", house={"assault_reach": "all_within_3"})
def all_come_within_3(value: tuple[bool, ...], b: HasBook, gaps: Gaps) -> tuple[bool, ...]:
    """House rule: every model has to come within 3 inches of an enemy."""
    if not gaps or any(min(column) > RUSH for column in zip(*gaps, strict=True)):
        return tuple([False for _ in gaps])
    return tuple([min(row, default=RUSH + 1) <= RUSH for row in gaps])


@rule("SQ-Q18", stages=("house",))
def may_fall_short(b: HasBook, targets: int) -> bool:
    """An assault on one enemy may fall short. An assault on two enemies has to reach both."""
    return targets == 1


@may_fall_short.amended_by("SQ-Q18", stage="house", house={"assault_reach": "all_within_3"})
def nobody_falls_short(value: bool, b: HasBook, targets: int) -> bool:
    """House rule: an assault that would fall short cannot be declared."""
    return False


class WaysIn(Routes):
    """The possible paths of an assaulting unit. No model goes beyond its allowance, and models may end near targets."""

    def __init__(
        self, t: Firefight, unit: int, targets: Sequence[int], jump: bool = False, begun: bool = False
    ) -> None:
        super().__init__(t, unit, jump)
        self.begun = begun
        """True if the unit is already moving, and may be stopped before it reaches its targets."""
        self.most = self.limit
        self.targets = tuple([target for target in targets if t.units[target].in_play])
        self.enemies = tuple([bodies(t, target) for target in self.targets])
        self.keep_off = self.foes

    def _form(self, act: GoingWay) -> RouteFault | None:
        form = super()._form(act)
        return None if form is not None and form.guard is NOBODY_MOVES else form

    def _length(self, act: GoingWay, ground: TableGround) -> RouteFault | None:
        """Return a fault if a model goes farther than the allowance (SQ-Q18)."""
        costs = {m: self.cost(ground, path) for m, path in act.paths}
        far = max(costs, key=lambda m: costs[m], default=None)
        if far is None or costs[far] <= self.limit:
            return None
        at = (dict(act.paths)[far][-1],)
        return RouteFault(TOO_FAR_IN, {"name": self.u.name, "limit": self.limit, "length": costs[far]}, at)

    def standing(
        self, places: Mapping[int, Point], heading: Point | None = None, those: Sequence[int] | None = None
    ) -> RouteFault | None:
        """Return why a unit may not stand in some places, or None if it may.

        A unit that reaches its targets may stand near any enemy; another unit near none.
        """
        wrong = None if self.begun else self.short(places)
        if wrong is not None:
            return wrong
        there = reached(self.t, self.gaps(places))
        # A unit stopped on its way fights those enemies that it reaches.
        fights = any(there) if self.begun else bool(there) and all(there)
        self.foes = [] if fights else self.keep_off
        return super().standing(places, heading, those)

    def gaps(self, places: Mapping[int, Point]) -> Gaps:
        """Return the distances from each enemy unit to the assumed place of each model, edge to edge."""
        return tuple(
            [
                tuple([min([gap_between(body_at(self.t, m, places[m]), e) for e in row]) for m in self.models])
                for row in self.enemies
            ]
        )

    def short(self, places: Mapping[int, Point]) -> RouteFault | None:
        """Return why an assault may not fall short, or None if it reaches its targets or may fall short."""
        gaps = self.gaps(places)
        there = reached(self.t, gaps)
        if not self.targets or all(there) or may_fall_short(self.t, len(self.targets)):
            return None
        farthest = max(min(column) for column in zip(*gaps, strict=True))
        for target, row, ok in zip(self.targets, gaps, there, strict=True):
            if len(self.targets) > 1 and not ok and min(row) > TRIGGER:
                values = {"gap": min(row), "target": self.t.units[target].name, "need": TRIGGER}
                return RouteFault(FALLS_SHORT, values)
        return RouteFault(NOT_ALL_NEAR, {"need": RUSH, "gap": farthest})

    def ways(self) -> Iterator[Way]:
        """Yield legal paths that reach all targets: straight in formation, then shorter, then round obstacles."""
        t = self.t
        m, foe = min(
            [(m, e) for m in self.models for row in self.enemies for e in row],
            key=lambda pair: (gap_between(body(t, pair[0]), pair[1]), pair),
        )
        start, lead = self.starts[m], self.starts[self.lead]
        between = gap_between(body(t, m), foe)
        towards = (foe[0] - start[0], foe[1] - start[1])
        seen: set[Paths] = set()
        # The path ends slightly short, because places are rounded to tenths of a millimetre.
        for length in (between - 2, between - INCH, between - TRIGGER + INCH // 2, between - TRIGGER + 2):
            if length > self.limit:
                length = self.limit
            if length <= 0:
                way: Way | None = Way(())
            else:
                way = self.shifted(point_along(lead, towards, length))
            if way is not None and way.paths not in seen and self.reaches(way):
                seen.add(way.paths)
                yield way
        if seen or between > self.limit + RUSH:
            return
        around = self.marched([point_along(lead, towards, max(between - 2, 0))]) if between > 0 else None
        if around is not None and self.reaches(around):
            yield around
        else:
            others = self.between() if len(self.enemies) > 1 else self._all_around()
            yield from islice(chain(others, self._by_the_nearest()), 1)

    def between(self) -> Iterator[Way]:
        """Yield legal paths in formation that bring all targets within reach, the shortest first (SQ-Q26).

        The shortest paths by which one model reaches one enemy and another model the other enemy come first. Paths in
        all directions follow, in case these are blocked.
        """
        lead = self.starts[self.lead]
        for dx, dy in islice(self._to_both(), BOTH):
            way = self.shifted((lead[0] + dx, lead[1] + dy)) if dx or dy else Way(())
            if way is not None and self.reaches(way):
                yield way
        yield from self._all_around()

    def _all_around(self) -> Iterator[Way]:
        """Yield legal straight paths in 32 directions, in formation, the shortest first."""
        lead = self.starts[self.lead]
        for eighths in range(1, EIGHTHS + 1):
            for towards in directions(32):
                end = point_along(lead, towards, self.limit * eighths // EIGHTHS)
                dx, dy = end[0] - lead[0], end[1] - lead[1]
                places = {m: (x + dx, y + dy) for m, (x, y) in self.starts.items()}
                if all(reached(self.t, self.gaps(places))):
                    way = self.shifted(end)
                    if way is not None and self.reaches(way):
                        yield way

    def _by_the_nearest(self) -> Iterator[Way]:
        """Yield legal paths on which one model goes round obstacles to a place beside an enemy.

        The other models follow in formation, or stay where they are.
        """
        near = sorted(
            [
                (gap_between((*at, self.radius), e), m, e)
                for m, at in self.starts.items()
                for row in self.enemies
                for e in row
            ],
            key=lambda each: (each[0], each[1], each[2][:2]),
        )
        for _, m, foe in [each for each in near if each[0] <= self.limit + TRIGGER][:PAIRS]:
            start = self.starts[m]
            spots = [
                point_along((foe[0], foe[1]), d, disc_around(foe)[2] + self.radius + far)
                for d in directions(16)
                for far in (TRIGGER - INCH // 4, INCH // 4)
            ]
            for spot in sorted(spots, key=lambda p: (distance_sq(p, start), p)):
                if distance_sq(spot, start) > self.limit * self.limit:
                    continue
                route: Path | None = (start, spot)
                if not self.crosses:
                    route = way(self.ground, start, spot, self.radius, self.discs, limit=self.limit)
                if route is None or len(route) < 2:
                    continue
                steps = [(x - start[0], y - start[1]) for x, y in route]
                together = tuple(
                    [(n, tuple([(x + dx, y + dy) for dx, dy in steps])) for n, (x, y) in self.starts.items()]
                )
                for paths in (together, ((m, route),)):
                    if self.reaches(Way(paths)):
                        yield Way(paths)

    def _to_both(self) -> Iterator[Point]:
        """Yield shifts of the unit after which both enemies are within reach of its models, the shortest first."""
        ones, others = ([(e[0], e[1], e[2]) for e in row if not isinstance(e, Hull)] for row in self.enemies)
        shifts: set[Point] = set()
        for a in self.starts.values():
            for b in self.starts.values():
                for e in ones:
                    for f in others:
                        near = (e[0] - a[0], e[1] - a[1], TRIGGER + self.radius + e[2])
                        far = (f[0] - b[0], f[1] - b[1], TRIGGER + self.radius + f[2])
                        places = places_in_both(near, far)
                        shifts.update([p for p in places if distance_sq(p, (0, 0)) <= self.limit * self.limit])
        yield from sorted(shifts, key=lambda v: (distance_sq(v, (0, 0)), v))

    def reaches(self, act: GoingWay) -> bool:
        return self.legal(act) and all(reached(self.t, self.gaps(self.ends(act))))


def places_in_both(one: Disc, other: Disc) -> list[Point]:
    """Return some points that lie in both of two discs; empty if the discs do not overlap.

    The points are the one nearest to the origin, the crossings of the two circles, and the point midway between these.

    >>> places_in_both((100, 0, 40), (0, 0, 90))[0], places_in_both((100, 0, 40), (0, 0, 50))
    ((63, 0), [])
    """
    places: list[Point] = []
    a, b = ((x, y, r - 3) for x, y, r in (one, other))
    for x, y, r in (a, b):
        places.append((0, 0) if x * x + y * y <= r * r else point_along((x, y), (-x, -y), r))
    dx, dy = b[0] - a[0], b[1] - a[1]
    apart = isqrt(dx * dx + dy * dy)
    if apart:
        along = (a[2] * a[2] - b[2] * b[2] + dx * dx + dy * dy) // (2 * apart)
        half = isqrt(max(a[2] * a[2] - along * along, 0))
        on = point_along((a[0], a[1]), (dx, dy) if along >= 0 else (-dx, -dy), abs(along))
        places += [on, point_along(on, (-dy, dx), half), point_along(on, (dy, -dx), half)]
    inside = [p for p in places if all(distance_sq(p, (x, y)) <= (r + 2) * (r + 2) for x, y, r in (a, b))]
    return sorted(dict.fromkeys(inside), key=lambda p: (distance_sq(p, (0, 0)), p))


def may_fight(t: Firefight, unit: int) -> bool:
    """Return whether a moving unit can still assault: it is in play, and neither Pinned nor broken."""
    u = t.units[unit]
    return u.in_play and not u.pinned and not u.broken


def who_is_reached(t: Firefight, unit: int, targets: Sequence[int]) -> tuple[int, ...]:
    """Return the enemies that a unit reaches from where it stands; empty if it can no longer assault."""
    here = alive(t, targets)
    if not may_fight(t, unit) or not here:
        return ()
    gaps = tuple([tuple([min([gap_between(a, b) for b in bodies(t, e)]) for a in bodies(t, unit)]) for e in here])
    return tuple([e for e, ok in zip(here, reached(t, gaps), strict=True) if ok])


def rush(t: Firefight, unit: int, targets: Sequence[int]) -> None:
    """Move each model within 3 inches of an enemy into base contact, without cost (SQ-ORG-44, SQ-Q18).

    The nearest model moves first, to the nearest free place beside the nearest enemy that it can reach. If no such
    place is free, the model moves as near as possible.

    Args:
        unit: The assaulting unit, which is within reach.
        targets: Enemies within reach of the unit.
    """
    routes = WaysIn(t, unit, targets)
    foes = [e for target in alive(t, targets) for e in bodies(t, target)]

    def nearest(m: int) -> int:
        return min([gap_between(body(t, m), e) for e in foes])

    gone: list[int] = []
    for m in sorted(t.units[unit].models, key=lambda m: (nearest(m), m)):
        if nearest(m) > RUSH:
            continue
        at = t.models[m].at
        assert at is not None
        mine = [body(t, n) for n in t.units[unit].models if n != m]
        place = room_beside(routes, m, at, [e for e in foes if near_to(body(t, m), e, RUSH)], mine)
        if place is not None and place != at:
            t.put({m: place})
            gone.append(m)
    t.tell(Rushed(unit, tuple(gone)))


def room_beside(routes: Routes, model: int, at: Point, foes: Sequence[Body], mine: Sequence[Body]) -> Point | None:
    """Return a place for a model in base contact, or as near as possible; None if it stays."""
    r = routes.radius
    own = [b for b in mine if not isinstance(b, Hull)]
    everybody = [o.body for o in routes.others]
    hulls = [b for b in everybody if isinstance(b, Hull)]
    ground = routes.bare.with_solid(tuple(hulls))
    discs = [b for b in (*everybody, *own) if not isinstance(b, Hull)]
    stopping = [b for b in routes.stopping if not isinstance(b, Hull)]
    for foe in sorted(foes, key=lambda e: (gap_between((*at, r), e), e[:2])):
        for place in contact_places_of(ground, foe, r, at, discs):
            if way(ground, at, place, r, stopping, routes.crosses) is not None:
                return place
    near = min(foes, key=lambda e: (gap_between((*at, r), e), e[:2]))
    reach = path_length((at, (near[0], near[1])))
    for place in nearest_free_places(ground, (near[0], near[1]), r, discs, reach=reach):
        closer = gap_between((*place, r), near) < gap_between((*at, r), near)
        if closer and way(ground, at, place, r, stopping, routes.crosses) is not None:
            return place
    return None


def drawn_in(ways: WaysIn, wish: Wish) -> Way | None:
    """Return the approach for a drag: into contact with an enemy if it ends on one, otherwise towards the place."""
    if wish.to is None:
        return None
    if not wish.models and any(near_to(e, (*wish.to, 0), ways.radius) for row in ways.enemies for e in row):
        return next(ways.ways(), None) or ways.drawn((*wish.waypoints, wish.to))
    return ways.drawn((*wish.waypoints, wish.to), wish.models or None)


def proposal_in(ways: WaysIn, act: Way | None, action: Any, refusal: Refusal | None) -> Proposal:
    """Return an approach as a proposal."""
    if act is None:
        return Proposal(refusal=NOBODY_MOVES.refuses(True, name=ways.u.name) or not_an_option("SQ-ACT-04"))
    wrong = ways.wrong(act)
    costs = [ways.cost(ways.ground, path) for _, path in act.paths]
    return Proposal(
        action=None if refusal is not None else action,
        paths=dict(act.paths),
        length=max([path_length(path) for _, path in act.paths], default=0),
        left=max(ways.limit - max(costs, default=0), 0),
        refusal=refusal,
        faults=() if wrong is None else wrong.at,
    )


def enemy_at(t: Firefight, unit: int, place: Point, near: bool) -> int | None:
    """Return the enemy that the player points at, or None.

    With *near*, the nearest enemy within 3 inches counts too.
    """
    reach = RUSH if near else 0
    enemies = [
        (gap_between(b, (*place, 0)), e.id)
        for e in t.enemies(unit)
        for b in bodies(t, e.id)
        if near_to(b, (*place, 0), reach)
    ]
    return min(enemies)[1] if enemies else None


def why_not_in(t: Firefight, unit: int, targets: Sequence[int], paths: Paths, jump: bool) -> Refusal | None:
    wrong = WaysIn(t, unit, targets, jump).wrong(Way(paths))
    return wrong and wrong.refusal()


# --- events ----------------------------------------------------------------------------------------------------------


class Rushed(Event, frozen=True):
    """Models moved into base contact."""

    unit: int
    models: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-01", "SQ-ORG-44")
    template = "{unit:rushes} in"
    shown = MotionOf("charge")
