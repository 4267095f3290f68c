"""The walks of a fighter: legal routes, their obstacles, and the route for a drag.

`Routes` is made for one fighter at one moment. The zones of fit enemies block like larger bases: the fighter may slide
along them at exactly 2 inches, and use any gap between them (BS-Q05, BS-Q42).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple

from caltrop.asking import Mover, Offer, Offered, PickedUp, Proposal, Region, Solid, Usual, Wish
from caltrop.asking.routes import AnyRoutes, RouteFault
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Event,
    Guard,
    Options,
    Refusal,
    guard,
    inches,
    not_an_option,
    rule,
)
from caltrop.geometry import (
    INCH,
    Disc,
    Point,
    boxes_within,
    cut_at_length,
    directions,
    disc_box,
    distance_sq,
    distance_up,
    path_length,
    point_along,
    segment_enters,
)
from caltrop.kit.depict import slow_grounds
from caltrop.picture import Motion
from caltrop.rules.blade_skirmish.catalogue import ZONE, hour_of
from caltrop.rules.blade_skirmish.places import gap, zone_holders, zone_holds, zones_at
from caltrop.rules.blade_skirmish.reach import Path, pace, paced, walked
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.straight import others
from caltrop.table.measured import (
    FaultKind,
    Obstacle,
    PathFault,
    cut_to,
    first_obstacle,
    march,
    path_fault,
    spent,
    stands,
    way,
)

STANDS_STILL = guard("BS-S21", "stands-still", "Two corners of the way are the same place")
ANOTHER = guard("BS-TRN-02", "another", "Only {name} chooses a way now")
OFF_TABLE = guard(("BS-S14", "BS-S20"), "off-table", "{name} would leave the table after {after:inch}")
IMPASSABLE = guard(("BS-S20", "BS-S11", "BS-S12"), "impassable", "{name} runs into {what} after {after:inch}")
IN_THE_WAY = guard(("BS-Q34", "BS-S20"), "in-the-way", "{name} runs into {what} after {after:inch}")

_STOPS: dict[FaultKind, Guard] = {"table": OFF_TABLE, "terrain": IMPASSABLE, "disc": IN_THE_WAY}

GLANCE = 10
"""Distance between tested places on a leg, for zones that are not full circles, in tenths of a millimetre."""

TRIES = 32
"""Number of attempts to draw the end of a random route."""

Verb = Literal["walks", "runs", "charges", "closes in", "flees", "drifts", "wanders"]
"""Kind of move, as a verb."""


class Walk(Action, frozen=True):
    """Walk along straight legs."""

    path: Path
    """End of each leg, in order."""


class Stay(Action, frozen=True):
    path: ClassVar[Path] = ()


HARDLY = INCH // 20
"""Distance below which a move is not mentioned."""


def gone(path: Sequence[Point], straight: bool = False) -> str:
    """Return the length of a path in words; empty if the path is too short to notice.

    Args:
        straight: True for a straight move of a given length. The end of the path is rounded to tenths of a millimetre,
            so the length is given to the nearest hundredth of an inch.

    >>> gone([(0, 0), (1017, 0)]), gone([(0, 0), (1017, 0)], straight=True), gone([(0, 0), (3, 0)])
    ('4.01 inches', '4 inches', '')
    """
    length = path_length(path)
    if straight:
        hundredths = (200 * length + INCH) // (2 * INCH)
        length = hundredths * INCH // 100
    return inches(length) if length >= HARDLY else ""


class Moved(Event, frozen=True):
    """A fighter moved along a path."""

    fighter: int
    path: Path
    how: Verb
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-S21",)
    about = ("fighter",)

    def sentence(self, t: Skirmish) -> str:
        far = gone(self.path, self.how in ("flees", "drifts", "wanders"))
        if not far:
            return f"{t.called(self.fighter)} {self.how}, and hardly moves"
        if self.how in ("drifts", "wanders"):
            return f"{t.called(self.fighter)} {self.how} {far} towards {hour_of(self.path[0], self.path[-1])} o'clock"
        return f"{t.called(self.fighter)} {self.how} {far}"

    def motion(self, t: Skirmish) -> Motion:
        return Motion(sort="move", unit=self.fighter, ways=((self.fighter, self.path),))


def go(t: Skirmish, id: int, path: Path, how: Verb, clause: str) -> None:
    """Move a fighter to the end of a path, and announce it unless she stays."""
    if path[-1] != t.fighters[id].at:
        t.change(id, at=path[-1])
        t.tell(Moved(id, path, how, clause))


# --- routes -----------------------------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """The limits for routes in a phase."""

    limit: int
    """Largest cost of a route, in tenths of a millimetre."""
    too_far: Guard
    into_zone: Guard | None = None
    """Refusal for routes that come within 2 inches of a fit enemy; None if such zones do not matter."""
    held: Guard | None = None
    """Refusal for every route of a fighter who begins within 2 inches of a fit enemy; None for no such rule."""


@rule("BS-MOV-03", "BS-RUN-09", "BS-Q06", stages=("house",))
def held_in_a_zone(t: Skirmish) -> bool:
    """A fighter who begins within 2 inches of a fit enemy may not walk at all."""
    return True


@held_in_a_zone.amended_by("BS-Q06", stage="house", house={"zone_exit": "outward"})
def the_way_out_is_open(held: bool, t: Skirmish) -> bool:
    """House rule: a fighter within 2 inches of fit enemies may walk if she comes no nearer to any of them."""
    return False


class _Stop(NamedTuple):
    """The point where a route is stopped: the leg, the last legal place on it, and the obstacle."""

    leg: int
    at: Point
    guard: Guard
    what: str


class Routes(AnyRoutes[Path]):
    """The routes that one fighter may walk now.

    Attributes:
        start: The fighter's place.
        ground: The table as it is for a walking fighter.
        inside: The fit enemies in whose zone she stands.
        held: True if she may not walk at all because she is in a zone.
        blockers: Bases and zones, as discs that her base may not overlap.
    """

    def __init__(self, t: Skirmish, id: int, bounds: Bounds) -> None:
        self.t, self.id, self.bounds = t, id, bounds
        x, y, self.radius = t.disc(id)
        self.start: Point = (x, y)
        self.ground = walked(t)
        self.name = t.called(id)
        bases = others(t, id)
        self.blockers: list[Disc] = [disc for _, disc in bases]
        self._whose = [other for other, _ in bases]
        self._bases = len(bases)
        zones = bounds.into_zone is not None
        self.inside = zones_at(t, id) if zones else ()
        self.held = bool(self.inside) and held_in_a_zone(t)
        self._watched: list[int] = []
        """Enemies whose zone is not a full circle for the fighter: she is inside it, or walls may limit it."""
        for enemy in zone_holders(t, id) if zones else ():
            x, y, r = t.disc(enemy.id)
            if enemy.id in self.inside or self._may_be_hidden((x, y, r)):
                self._watched.append(enemy.id)
            else:
                self.blockers.append((x, y, r + ZONE))
                self._whose.append(enemy.id)

    def _may_be_hidden(self, enemy: Disc) -> bool:
        """Return whether walls near an enemy may limit her zone (house rule)."""
        if self.t.book.rules["zone_ignores_walls"] == "on":
            return False
        x, y, r = enemy
        box = disc_box((x, y, r + ZONE + 2 * self.radius))
        return any(piece.cuts and boxes_within(piece.box, box, 0) for piece in self.t.ground.sight_pieces)

    # --- faults -------------------------------------------------------------------------------------------------------

    def wrong(self, path: Path, *, brief: bool = False) -> RouteFault | None:
        """Return the fault of a route from the fighter's place; None if it is legal.

        Args:
            brief: True for a faster test without the place and amount of the fault. If a route has several faults, the
                method may return any of their refusals.
        """
        t, bounds = self.t, self.bounds
        if STANDS_STILL(len(path) < 2 or any(a == b for a, b in pairwise(path))):
            return RouteFault(STANDS_STILL, {}, path[:1])
        if self.held and bounds.held is not None and bounds.held(True):
            enemy = min(self.inside, key=lambda one: (gap(t, self.id, one), one))
            values = {"name": self.name, "enemy": t.called(enemy), "gap": gap(t, self.id, enemy)}
            return RouteFault(bounds.held, values, path[:1])
        length = pace(t, path)
        if bounds.too_far(length > bounds.limit):
            if brief:
                return RouteFault(bounds.too_far, {}, path[:1])
            values = {"name": self.name, "length": length, "limit": bounds.limit}
            return RouteFault(bounds.too_far, values, paced(t, path, bounds.limit))
        if brief:
            guard = self._stopped_by(path)
            return RouteFault(guard, {}, path[:1]) if guard is not None and guard(True) else None
        stop = self._stop(path)
        if stop is None or not stop.guard(True):
            return None
        prefix = (*path[: stop.leg + 1], stop.at) if stop.at != path[stop.leg] else path[: stop.leg + 1]
        return RouteFault(stop.guard, {"name": self.name, "what": stop.what, "after": path_length(prefix)}, prefix)

    def _stop(self, path: Path) -> _Stop | None:
        stops = [stop for enemy in self._watched if (stop := self._entered(path, enemy)) is not None]
        fault = path_fault(self.t.ground, path, self.radius, self.blockers)
        if fault is not None:
            what = fault.terrain or ""
            if fault.disc is not None:
                what = self.t.called(self._whose[fault.disc])
            stops.append(_Stop(fault.segment, fault.stop, self._guard(fault), what))
        return min(stops, key=lambda stop: (stop.leg, distance_sq(path[stop.leg], stop.at)), default=None)

    def _stopped_by(self, path: Path) -> Guard | None:
        obstacle = first_obstacle(self.t.ground, path, self.radius, self.blockers)
        if obstacle is not None:
            return self._guard(obstacle)
        entered = any(self._entered(path, enemy) is not None for enemy in self._watched)
        return self.bounds.into_zone if entered else None

    def _guard(self, value: Obstacle | PathFault) -> Guard:
        if value.disc is not None and value.disc >= self._bases and self.bounds.into_zone is not None:
            return self.bounds.into_zone
        return _STOPS[value.kind]

    def _entered(self, path: Path, enemy: int) -> _Stop | None:
        t = self.t
        x, y, r = t.disc(enemy)
        bound, near = enemy in self.inside, distance_sq(self.start, (x, y))
        # At this distance, a leg stays outside the zone even if places on it are rounded.
        reach = self.radius + r + ZONE + 2
        for leg, (a, b) in enumerate(pairwise(path)):
            if not segment_enters(a, b, (x, y), reach):
                bound, near = False, distance_sq(b, (x, y))
                continue
            last, away = a, (b[0] - a[0], b[1] - a[1])
            for length in (*range(GLANCE, distance_up(a, b), GLANCE), None):
                there = b if length is None else point_along(a, away, length)
                binds, far = zone_holds(t, self.id, enemy, there), distance_sq(there, (x, y))
                if binds and not (bound and far >= near) and self.bounds.into_zone is not None:
                    return _Stop(leg, last, self.bounds.into_zone, t.called(enemy))
                last, bound, near = there, binds, far
        return None

    # --- ways ---------------------------------------------------------------------------------------------------------

    def cut(self, path: Path) -> Path:
        prefix = tuple([p for n, p in enumerate(path) if n == 0 or p != path[n - 1]])
        while len(prefix) > 1:
            fault = self.wrong(prefix)
            if fault is None:
                return prefix
            # The stored place is rounded, so the route may be a tenth of a millimetre too long.
            prefix = fault.at if fault.at != prefix else cut_at_length(prefix, path_length(prefix) - 1)
        return (self.start,)

    def toward(self, goal: Point) -> Path | None:
        """Return a legal route to a place: straight, or round obstacles, or straight as far as possible.

        None if no route is legal.
        """
        straight = self.straight_to(goal)
        if self.legal(straight):
            return straight
        path = self.round_to(goal)
        if path is not None and self.legal(path):
            return path
        begun = self.cut(straight)
        return begun if len(begun) > 1 and self.legal(begun) else None

    def nearest(self, path: Path) -> Path | None:
        """Return the legal route that ends nearest to the end of another route; None if no route is legal."""
        if self.held or len(path) < 2:
            return None
        begun, r = self.cut(path), self.radius
        x0, y0, x1, y1 = self.ground.box
        ends = [(begun[-1], begun)] if self.legal(begun) else []
        return self.ends_nearest(path[-1], self.start, self.bounds.limit, (x0 + r, y0 + r, x1 - r, y1 - r), ends)

    def straight_to(self, end: Point) -> Path:
        return (self.start, end)

    def round_to(self, end: Point) -> Path | None:
        return way(self.ground, self.start, end, self.radius, self.blockers, limit=self.bounds.limit)

    def could_stand(self, end: Point) -> bool:
        return stands(self.ground, (*end, self.radius), self.blockers)

    def goals(self) -> Iterator[Point]:
        """Yield places to try as ends: at full and half distance in sixteen directions, and towards every enemy."""
        for length in (self.bounds.limit, self.bounds.limit // 2):
            for direction in directions(16):
                yield point_along(self.start, direction, length)
        for enemy in sorted(self.t.enemies_of(self.id), key=lambda f: (gap(self.t, self.id, f.id), f.id)):
            x, y, _ = self.t.disc(enemy.id)
            yield point_along(self.start, (x - self.start[0], y - self.start[1]), self.bounds.limit)

    def paths(self) -> Iterator[Path]:
        """Yield a finite number of legal routes in a fixed order, each to another place."""
        ends: set[Point] = set()
        for goal in () if self.held else self.goals():
            path = self.toward(goal)
            if path is not None and path[-1] not in ends:
                ends.add(path[-1])
                yield path

    def random(self, dice: Dice) -> Path | None:
        ring = directions(32)
        for _ in () if self.held else range(TRIES):
            goal = point_along(self.start, ring[dice.below(len(ring))], dice.below(self.bounds.limit) + 1)
            path = self.toward(goal)
            if path is not None:
                return path
        return None

    # --- drags --------------------------------------------------------------------------------------------------------

    def drawn(self, wish: Wish) -> Path:
        """Return the route for a drag. The route is legal if a legal route is nearby.

        The page predicts the same route from `picked_up`, in its module `lib/reach`.
        """
        points = wish.models.get(self.id)
        if points:
            return points if points[0] == self.start else (self.start, *points)
        legs = (*wish.waypoints, *((wish.to,) if wish.to is not None else ()))
        straight = (self.start, *legs)
        if wish.shape != "keep" or wish.facing is not None:
            # A drag that would turn a larger unit may move a single base just as far.
            for begun in self._begun(straight) if legs else ():
                path = self._by_way(begun)
                if path is not None and self.legal(path):
                    return path
        elif self.legal(straight):
            return straight
        marched: Path = (self.start,)
        for leg in legs:
            left = self.bounds.limit - spent(self.ground, marched)
            (more,) = march(self.ground, ((*marched[-1], self.radius),), leg, left, self.blockers, reform=False)
            marched = (*marched, *more[1:])
        return marched if self.legal(marched) else straight

    def _begun(self, path: Path) -> Iterator[Path]:
        """Yield a route, and then shorter parts of the route, in eighths of the distance that the fighter may go."""
        yield path
        whole = min(self.bounds.limit, spent(self.ground, path))
        for eighths in range(8, 0, -1):
            begun = cut_to(self.ground, path, whole * eighths // 8)
            if len(begun) > 1:
                yield begun

    def _by_way(self, path: Path) -> Path | None:
        """Return a route round obstacles, leg by leg; None if the route is too long."""
        route: Path = (self.start,)
        for goal in path[1:]:
            left = self.bounds.limit - spent(self.ground, route)
            more = way(self.ground, route[-1], goal, self.radius, self.blockers, limit=left)
            if more is None:
                return None
            route = (*route, *more[1:])
        return route

    def picked_up(self) -> PickedUp | None:
        """Return the fighter's surroundings, from which the page predicts drags.

        None if a house rule limits the fighter in a way that the page cannot predict.
        """
        if self.held or self._watched:
            return None
        ground, table = self.ground, self.t.field.table
        grown = ground.corners(self.radius)
        return PickedUp(
            unit=self.id,
            pieces=(Mover(id=self.id, at=self.start, radius=self.radius),),
            size=(table.width, table.height),
            bands=((self.bounds.limit, 0),),
            others=tuple(self.blockers),
            solid=tuple(
                [
                    Solid(outline=piece.polygon, circle=piece.round, corners={self.radius: grown[number]})
                    for number, piece in enumerate(ground.solid_pieces)
                ]
            ),
            slow=slow_grounds(ground),
            round=True,
            rests=False,
        )


# --- the open choice --------------------------------------------------------------------------------------------------


class Ways(Options):
    """The routes that a fighter may walk, and answers without a route."""

    def __init__(self, routes: Routes, plain: tuple[Action, ...] = ()) -> None:
        self.routes, self.plain = routes, plain

    def refusal(self, action: Any) -> Refusal | None:
        """Return why an answer is refused. The nearest legal answer is the legal part of its route."""
        if action in self.plain:
            return None
        if not isinstance(action, Walk):
            words = f"{self.routes.name} must choose where she walks"
            return not_an_option("BS-TRN-02", words, self.first(), code="no-walk")
        path = (self.routes.start, *action.path)
        fault = self.routes.wrong(path)
        if fault is None:
            return None
        prefix = self.routes.cut(path)
        return fault.refusal(Walk(prefix[1:]) if self.routes.legal(prefix) else self.first())

    def __iter__(self) -> Iterator[Any]:
        yield from self.plain
        for path in self.routes.paths():
            yield Walk(path[1:])

    def sample(self, dice: Dice) -> Any:
        """Return a random route; one time in eight, an answer without a route."""
        if self.plain and dice.below(8) == 0:
            return self.plain[dice.below(len(self.plain))]
        path = self.routes.random(dice)
        return self.first() if path is None else Walk(path[1:])


class Route(Offered, frozen=True, kw_only=True):
    """Base class of the decisions in which a player chooses a route for a fighter."""

    fighter: int
    words: ClassVar[str] = "Walk"
    about = ("fighter",)

    def routes(self, t: Skirmish) -> Routes:
        raise NotImplementedError(type(self).__name__)

    def plain(self, t: Skirmish) -> Sequence[Offer]:
        return ()

    def options(self, t: Skirmish) -> Ways:
        return Ways(self.routes(t), tuple([offer.action for offer in self.plain(t)]))

    def offers(self, t: Skirmish) -> Sequence[Offer]:
        return self.plain(t)

    def usual(self, t: Skirmish, unit: int | None = None) -> Usual | None:
        if unit not in (None, self.fighter) or not any(offer.action == Stay() for offer in self.plain(t)):
            return None
        return Usual(action=Stay(), words=f"{t.called(self.fighter)} does nothing more", unit=self.fighter)

    def regions(self, t: Skirmish) -> tuple[Region, ...]:
        routes = self.routes(t)
        if routes.held:
            return ()
        return (Region(form="move", unit=self.fighter, words=self.words, bands=((routes.bounds.limit, 0),)),)

    def propose(self, t: Skirmish, wish: Wish) -> Proposal:
        """Return the route over the waypoints, with the remaining distance."""
        if wish.unit not in (-1, self.fighter):
            return Proposal(refusal=ANOTHER.refuses(True, name=t.called(self.fighter)))
        options = self.options(t)
        path = options.routes.drawn(wish)
        spent, proposal = pace(t, path), options.routes.wrong(path)
        refusal = options.refusal(Walk(path[1:]))
        if refusal is not None and wish.to is not None and len(path) == 2:
            near = options.routes.nearest(path)
            refusal = refusal.towards(options.first() if near is None else Walk(near[1:]))
        return Proposal(
            action=Walk(path[1:]) if proposal is None else None,
            paths={self.fighter: path},
            length=spent,
            left=max(options.routes.bounds.limit - spent, 0),
            refusal=refusal,
            faults=() if proposal is None else (proposal.at[-1],),
        )

    def pick_up(self, t: Skirmish, unit: int, act: str = "") -> PickedUp | None:
        """Return the fighter's surroundings, from which the page predicts her drags."""
        return self.routes(t).picked_up() if unit == self.fighter else None
