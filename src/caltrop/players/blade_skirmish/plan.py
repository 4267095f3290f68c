"""Plan a turn: the options of each model, and the best combination.

`Reach` lists the options of one model: her walks, the enemies she may charge or the places she may run to afterwards,
and her flight. `Plan` chooses an option for every model that has not acted, to maximise the total. The plan begins with
the best option for each model alone, continues with pairs that flank, and then improves the option of each model given
the others. Walks and charges need no dice, so a plan is valid for the whole turn unless something unexpected happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import NamedTuple

from caltrop.geometry import (
    CONTACT,
    INCH,
    UNIT,
    Point,
    cut_at_length,
    directions,
    distance_sq,
    distance_up,
    path_length,
    point_along,
    segment_enters,
)
from caltrop.players.blade_skirmish.outlook import FAR, GRAIN, PossibleSpot, SideOutlook
from caltrop.players.blade_skirmish.worth import SURE, comes_by, is_wanted
from caltrop.rules.blade_skirmish.catalogue import CHARGE, FLIGHT, SAFE, STEP, ZONE
from caltrop.rules.blade_skirmish.challenge import chance_to_pass
from caltrop.rules.blade_skirmish.charge import in_charge_range, may_charge, straight_charge
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import is_slippery
from caltrop.rules.blade_skirmish.hits import hits_the_fleeing, met
from caltrop.rules.blade_skirmish.movement import BOUNDS as MOVING
from caltrop.rules.blade_skirmish.movement import runs_at_once
from caltrop.rules.blade_skirmish.places import closest_enemies, passes_through
from caltrop.rules.blade_skirmish.reach import Path
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.routes import Routes
from caltrop.rules.blade_skirmish.running import BOUNDS as RUNNING
from caltrop.rules.blade_skirmish.straight import away_from, straight
from caltrop.rules.blade_skirmish.victory import home_of
from caltrop.table.measured import way

RING = 16
"""Number of directions from which charges are considered. Points around an enemy; two attackers more than 120 degrees
apart flank.
"""
ROUND = 16
"""Number of directions in which walks are considered."""
KEPT = 8
"""Number of options for a model, besides charges, that are considered further."""
PAIRS = 24
"""Number of ways in which two models flank an enemy that are considered, for each pair and each enemy."""
OVERLAPPING = -(10**9)
"""Value of positions in which two models overlap."""
SWEEPS = 2
"""Number of times that each model reconsiders her option, given the options of the others."""


class Option(NamedTuple):
    """One option of a model for her three phases."""

    spot: PossibleSpot
    """The fighter's place at the end."""
    move: Path = ()
    """The legs of the fighter's walk; empty if she stays."""
    target: int = -1
    """The enemy that the fighter charges; -1 for none."""
    run: Path = ()
    """The legs of the fighter's run."""
    flees: bool = False
    cost: int = 0

    @property
    def end(self) -> Point:
        return self.spot.disc[:2]


class Reach:
    """Lists the options of one model from her place."""

    def __init__(self, outlook: SideOutlook, f: Fighter) -> None:
        self.outlook, self.f = outlook, f
        self.t: Skirmish = outlook.t.clone()
        """A copy of the state, in which the fighter is moved to possible places for applying the rules there."""
        x, y, self.radius = self.t.disc(f.id)
        self.start: Point = (x, y)

    def put(self, at: Point) -> None:
        """Move the fighter to a place in the copied state."""
        self.t.change(self.f.id, at=at)

    def options(self) -> list[Option]:
        """Return the options to consider, in a fixed order."""
        if not self.f.active or idle(self.t, self.f.id):
            return [Option(self.outlook.spot(self.f, self.start))]
        options = [option for legs, on in list(self.walks()) for option in self.after(legs, on)]
        self.put(self.start)
        options.extend(self.flight())
        # Staying is part of every plan, whatever the rules require of the fighter later.
        return options or [Option(self.outlook.spot(self.f, self.start))]

    def walks(self) -> Iterator[tuple[Path, Path]]:
        """Yield promising walks, each with a path on which the fighter may continue afterwards.

        The walks are: none; to places from which charges begin; around obstacles; and towards the scenario's goals.
        """
        yield (), ()
        routes = Routes(self.t, self.f.id, MOVING)
        if routes.held:
            return
        for spring, legs in self.springs():
            for way_there in ((spring,), legs):
                if way_there and routes.legal((self.start, *way_there)):
                    yield way_there, ()
                    break
        for goal in (*self.around(STEP), *self.around(STEP // 2)):
            if routes.legal((self.start, goal)):
                yield (goal,), ()
        for path in self.journeys(routes):
            begun = cut_at_length(path, STEP)
            if len(begun) > 1 and routes.legal(begun):
                # A walk may end at a corner of the path or between corners, but a leg of length 0 is not allowed.
                on = path[len(begun) - (begun[-1] != path[len(begun) - 1]) :]
                yield begun[1:], cut_at_length((begun[-1], *on), STEP)[1:]

    def springs(self) -> Iterator[tuple[Point, Path]]:
        """Return places from which the fighter can charge an enemy on another side, each with the path to it."""
        for foe in self.outlook.foes:
            x, y, r = foe.disc
            centre = (x, y)
            if distance_sq(self.start, centre) > (STEP + CHARGE + r + self.radius) ** 2:
                continue
            least = r + self.radius + (ZONE if self.t.fighters[foe.id].active else 0)
            most = r + self.radius + CHARGE - 2 * CONTACT
            here = away_from(self.start, centre)
            for direction in directions(RING):
                along = (here[0] * direction[0] + here[1] * direction[1]) // UNIT
                spring = point_along(centre, direction, min(max(along, least + 2), most))
                if spring == self.start or distance_sq(spring, self.start) > (STEP - 2) ** 2:
                    continue
                yield spring, self._round(centre, spring, least)

    def _round(self, centre: Point, spring: Point, least: int) -> Path:
        """Return a path around a circle that blocks the straight path. The corner of the path is where the tangents
        from both ends meet.
        """
        (ax, ay), (bx, by) = away_from(self.start, centre), away_from(spring, centre)
        near, far = isqrt(ax * ax + ay * ay), isqrt(bx * bx + by * by)
        if not near or not far:
            return ()
        middle = (ax * far + bx * near, ay * far + by * near)
        across = isqrt(middle[0] ** 2 + middle[1] ** 2)
        # The cosine of half the angle between the two tangents, in parts of `UNIT`.
        half = UNIT * across // (2 * near * far)
        if half < UNIT // 2:
            return ()
        corner = point_along(centre, middle, least * UNIT // half + 3)
        return (corner, spring) if corner not in (self.start, spring) else ()

    def around(self, length: int) -> list[Point]:
        return [point_along(self.start, direction, length) for direction in directions(ROUND)]

    def goals(self) -> list[Point]:
        """Return the places that the fighter should go to: the scenario's goals for her, else the nearest enemy."""
        t, field = self.t, self.t.field
        x, y = self.start
        table, r = field.table, self.radius
        if field.goal == "leave":
            return [_at_edge(t, field.exit, (x + aside, y)) for aside in (0, -3 * INCH, 3 * INCH)]
        if t.relic is not None:
            if t.relic.carrier == self.f.id:
                return [_at_edge(t, home_of(t, self.f.side), (x + aside, y)) for aside in (0, -3 * INCH, 3 * INCH)]
            return [t.relic.at] if t.relic.carrier is None else []
        if field.goal in ("hold", "stones") and field.place is not None:
            return [field.place]
        return [(min(max(ex, r), table.width - r), min(max(ey, r), table.height - r)) for ex, ey in self._nearest()]

    def _nearest(self) -> list[Point]:
        # A captain who must be felled comes before nearer models.
        near = min(
            self.outlook.foes,
            key=lambda foe: (not is_wanted(self.t, self.t.fighters[foe.id]), distance_sq(self.start, foe.disc[:2])),
            default=None,
        )
        return [] if near is None else [near.disc[:2]]

    def journeys(self, routes: Routes) -> Iterator[Path]:
        """Yield a path to each goal: straight if possible in this phase, otherwise around obstacles."""
        for goal in self.goals():
            yield from self._towards(routes, goal)

    def _towards(self, routes: Routes, goal: Point) -> Iterator[Path]:
        straight = (self.start, goal)
        if goal == self.start:
            return
        begun = routes.cut(cut_at_length(straight, STEP))
        if path_length(begun) >= min(STEP - INCH, path_length(straight)):
            yield (*begun, *straight[1:]) if begun[-1] != goal else begun
            return
        path = way(self.t.ground, self.start, goal, self.radius, routes.blockers)
        if path is not None:
            yield path
        elif len(begun) > 1:
            yield begun

    def after(self, legs: Path, on: Path = ()) -> Iterator[Option]:
        """Yield the options after a walk: charges if an enemy is in range, otherwise runs."""
        at = legs[-1] if legs else self.start
        self.put(at)
        if legs and is_slippery(self.t, (*at, self.radius)):
            return
        weights = self.outlook.weights
        gain = comes_by(self.t, self.f, at, weights)
        near = in_charge_range(self.t, self.f.id)
        if not near:
            for run in self.runs(legs, on):
                end = run[-1] if run else at
                # A relic picked up on the walk is worth more, because time is left to use it.
                cost = -max(gain * weights.early // 100, comes_by(self.t, self.f, end, weights))
                yield Option(self.outlook.spot(self.f, end), legs, -1, run, cost=cost)
            return
        any_charge = False
        for target in near:
            contact = straight_charge(self.t, self.f.id, target) if may_charge(self.t, self.f.id, target) else None
            if contact is not None:
                any_charge = True
                yield Option(self.outlook.spot(self.f, contact), legs, target, cost=-gain)
        if not any_charge and not legs:
            # The fighter moves towards the enemy as far as possible, which is at least as good as staying.
            yield Option(self.outlook.spot(self.f, at), legs)

    def runs(self, legs: Path = (), on: Path = ()) -> Iterator[Path]:
        """Yield promising runs after a walk: none, further along the path, and towards the scenario's goals."""
        yield ()
        routes = Routes(self.t, self.f.id, RUNNING)
        if routes.held:
            return
        at = routes.start
        if on and routes.legal((at, *on)):
            yield on
        if legs:
            before = legs[-2] if len(legs) > 1 else self.start
            ahead = (at[0] - before[0], at[1] - before[1])
            goals = [point_along(at, ahead, STEP), point_along(at, ahead, STEP // 2)]
        else:
            goals = [point_along(at, d, length) for length in (STEP, STEP // 2) for d in directions(ROUND)]
        for goal in goals:
            if routes.legal((at, goal)):
                yield (goal,)
        if not legs:
            for path in self.journeys(routes):
                begun = cut_at_length(path, STEP)
                if len(begun) > 1 and routes.legal(begun):
                    yield begun[1:]

    # --- flight -------------------------------------------------------------------------------------------------------

    def flight(self) -> list[Option]:
        """Return the flight from the closest enemy, if only walls and the table's edge can stop her."""
        t, f = self.t, self.f
        if not runs_at_once(t) or not self.outlook.foes:
            return []
        options = []
        for enemy in closest_enemies(t, f.id)[:1]:
            spot, cost = flown(self.outlook, t, f, enemy, FLIGHT)
            options.append(Option(spot, flees=True, cost=cost))
        return options


def flown(outlook: SideOutlook, t: Skirmish, f: Fighter, enemy: int, length: int) -> tuple[PossibleSpot, int]:
    heading = away_from(t.disc(f.id)[:2], t.disc(enemy)[:2])
    course = straight(t, f.id, heading, length)
    into = met(t, f.id, course, heading)
    spot = outlook.spot(f, course.end, False)
    hit = spot.worth * outlook.weights.struck
    cost = sum([hit // 100 for one in into if hits_the_fleeing(t, one)])
    if course.stop and course.length < INCH and not into:
        cost += hit * len(spot.touched) // 100
    reach = outlook.reach + SAFE
    if spot.squares and min(spot.squares) > reach * reach:
        return outlook.rallied(spot), cost
    passed = chance_to_pass(t, f.quality)
    fails = SURE - SURE * passed.numerator // passed.denominator
    return spot, cost + spot.worth * outlook.weights.shaken * fails // (100 * SURE)


class Plan:
    """A plan for all models of a side in this turn."""

    def __init__(self, outlook: SideOutlook, going: Sequence[int], together: bool = True) -> None:
        self.outlook, t = outlook, outlook.t
        self.still = {f.id: outlook.spot(f, f.at) for f in outlook.own if f.at is not None}
        self.every = {id: self._judged(id, Reach(outlook, t.fighters[id]).options()) for id in going}
        self.chosen: dict[int, Option] = {}
        self._values: dict[tuple[int, ...], int] = {}
        """Values of positions, by the numbers of the spots."""
        for id in going:
            self.every[id] = self._worth_a_thought(id)
            self.chosen[id] = self.every[id][0]
        self._sweep()
        if together:
            self._pair_up()
            self._sweep()

    def _judged(self, id: int, options: list[Option]) -> list[Option]:
        judgement, turn = self.outlook.judgement, self.outlook.t.turns[self.outlook.side]
        if not judgement.error:
            return options
        return [o._replace(cost=o.cost - judgement.slip(GRAIN, id, turn, o.end, o.target, o.flees)) for o in options]

    def value(self, instead: Mapping[int, Option]) -> int:
        """Return the value of the plan with some options replaced; very low if models overlap."""
        spots: list[PossibleSpot] = []
        cost = 0
        for id, spot in self.still.items():
            option = instead.get(id) or self.chosen.get(id)
            if option is not None:
                spot, cost = option.spot, cost + option.cost
            spots.append(spot)
        key = tuple([spot.number for spot in spots])
        value = self._values.get(key)
        if value is None:
            near = self.outlook.nearest(spots)
            overlap = min(near, default=FAR) < self.outlook.reach**2
            value = self._values[key] = OVERLAPPING if overlap else self.outlook.value(spots, near)
        if value == OVERLAPPING:
            return value
        return value - cost

    def _worth_a_thought(self, id: int) -> list[Option]:
        scored = sorted(
            [(-self.value({id: option}), number) for number, option in enumerate(self.every[id])],
        )
        best = [number for _, number in scored]
        shortlist = dict.fromkeys(best[:KEPT])
        shortlist.update(dict.fromkeys([n for n in best if self.every[id][n].spot.touched]))
        return [self.every[id][number] for number in shortlist]

    def _sweep(self) -> None:
        """Let every model choose the best option while the others keep theirs."""
        for _ in range(SWEEPS):
            changed = False
            for id, options in self.every.items():
                most = self.value({})
                for option in options:
                    if option is not self.chosen[id] and (worth := self.value({id: option})) > most:
                        self.chosen[id], most, changed = option, worth, True
            if not changed:
                return

    def _pair_up(self) -> None:
        for number, foe in enumerate(self.outlook.foes):
            most = self.value({})
            better: dict[int, Option] = {}
            reaching = [(id, [o for o in options if number in o.spot.touched]) for id, options in self.every.items()]
            for (a, ours), (b, theirs) in combinations([one for one in reaching if one[1]], 2):
                tried = 0
                for one in ours:
                    for other in theirs:
                        if tried < PAIRS and passes_through(one.end, other.end, foe.disc):
                            tried += 1
                            if (worth := self.value({a: one, b: other})) > most:
                                better, most = {a: one, b: other}, worth
            self.chosen.update(better)

    def order(self) -> list[int]:
        """Return the sequence in which models act, so that no model blocks one who acts later.

        Of the models who block no other, models that charge act first, the shortest path first.
        """

        def when(id: int) -> tuple[bool, bool, int, int]:
            option = self.chosen[id]
            start = self.outlook.t.disc(id)[:2]
            return (not option.flees, not option.spot.touched, distance_up(start, option.end), id)

        left = sorted(self.chosen, key=when)
        ids: list[int] = []
        while left:
            # If every model blocks another, the first in the usual sequence acts.
            free = (id for id in left if not any(self._bars(id, other) for other in left if other != id))
            ids.append(next(free, left[0]))
            left.remove(ids[-1])
        return ids

    def _bars(self, id: int, other: int) -> bool:
        option = self.chosen[other]
        if option.flees:
            return False
        start: Point = self.outlook.t.disc(other)[:2]
        way = (start, *option.move, *option.run, *([option.end] if option.target >= 0 else []))
        end, reach = self.chosen[id].end, self.outlook.reach
        return any(segment_enters(a, b, end, reach) for a, b in pairwise(way))


def _at_edge(t: Skirmish, edge: str, near: Point) -> Point:
    table, r = t.field.table, t.field.radius
    x, y = min(max(near[0], r), table.width - r), min(max(near[1], r), table.height - r)
    return {"north": (x, table.height - r), "east": (table.width - r, y), "south": (x, r), "west": (r, y)}[edge]
