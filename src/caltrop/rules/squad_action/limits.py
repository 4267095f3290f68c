"""The limits of a unit's Move: lengths, edges, obstacles, and places where it may stand (SQ-S17, SQ-S18).

Readings:

- A flyer hinders nobody on the way, but nobody may end below a flyer. Jump packs carry a unit over everything, enemies
  included.
- Walkers and soldiers may step over friends on foot (SQ-S17); vehicles may not (SQ-Q60).
- A split unit has to end as one chain, or nearer to a chain: the sum of the gaps between its parts has to become
  smaller (SQ-ORG-13).
- A Move over the edge is measured from or to the point where the centre of a base crosses the edge.
- The allowance of SQ-Q50 is measured along each model's path; inches in difficult ground count twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from caltrop.asking.routes import AnyRoutes, RouteFault
from caltrop.engine import guard
from caltrop.geometry import (
    INCH,
    Body,
    Box,
    Hull,
    Point,
    body_inside,
    boxes_within,
    form_box,
    gap_between,
    heading_of,
    near_to,
    overlap,
    path_length,
    points_box,
)
from caltrop.rules.squad_action.acts import Path, Paths
from caltrop.rules.squad_action.places import (
    COHERENCY,
    FLYER,
    FOOT,
    KEEP_OFF,
    WALKER,
    air_of,
    bodies,
    body_at,
    kept,
    kept_of_scene,
    passage_of,
)
from caltrop.rules.squad_action.reach import EDGES, LEEWAY, allowance, edges_at, exits_of, is_kept_off, own_edge, stops
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.table.measured import (
    INWARD,
    Edge,
    FaultKind,
    Leg,
    TableGround,
    body_overlaps_piece,
    coherent,
    drive_fault,
    facing,
    first_obstacle,
    most_central,
    path_fault,
    spent,
    strewn,
)

BEYOND = 3 * INCH
"""Distance by which the ground extends beyond the edge, larger than any body."""

NO_SUCH_MODEL = guard("SQ-ACT-01", "no-such-model", "Model {model} does not belong to {name}")
NOT_FROM_HERE = guard("SQ-ACT-01", "not-from-here", "A way of {name} begins where its model stands")
NOBODY_MOVES = guard("SQ-ACT-01", "nobody-moves", "No model of {name} would move")
HAS_NO_FRONT = guard("SQ-Q60", "has-no-front", "{name:has} no front to turn")
NOT_ALL = guard(
    "SQ-S47",
    "not-all",
    "All models of {name} cross the edge of the table together; here {given} of {count} would",
)
FROM_ITS_EDGE = guard(
    ("SQ-ORG-09", "SQ-S47", "SQ-S56"), "from-its-edge", "{name:enters} over the {edge} edge of the table"
)
TO_AN_EDGE = guard("SQ-S70", "to-an-edge", "{name} may leave over: {edges}")
TOO_FAR = guard(("SQ-S10", "SQ-ORG-14", "SQ-Q50"), "too-far", "{name:moves} {limit:inch}, and this is {length:inch}")
ONE_TOO_FAR = guard(
    "SQ-Q50", "one-too-far", "No model of {name} may move more than {limit:inch}; one would move {length:inch}"
)
OFF_TABLE = guard(("SQ-S70", "SQ-S17"), "off-table", "{name} would leave the table after {after:inch}")
CLOSED = guard(("SQ-S18", "SQ-S17"), "closed", "{name:is} stopped by {what} after {after:inch}")
IN_THE_WAY = guard(("SQ-S17", "SQ-Q60"), "in-the-way", "{name} runs into {what} after {after:inch}")
ON_SOMEBODY = guard("SQ-S17", "on-somebody", "{name} would stand on {what}")
TOO_NEAR = guard(
    "SQ-S10",
    "too-near",
    "{name} would end {gap:inch} from {what}: no nearer than 2 inches, save to enter close quarters",
)
STRAGGLES = guard(
    ("SQ-ORG-12", "SQ-S10"), "straggles", "The models of {name} would not be one group with gaps of at most 1 inch"
)
CLOSE_UP = guard(
    ("SQ-ORG-13", "SQ-Q59"), "close-up", "{name:is} split, and {name::has} to close up: this brings it no nearer"
)


def split(t: Firefight, unit: int) -> bool:
    u = t.units[unit]
    if u.where != "table" or len(u.models) < 2:
        return False
    cache = kept_of_scene(t, "split")
    if unit not in cache:
        places = [t.models[m].at for m in u.models]
        cache[unit] = not coherent([(*p, FOOT) for p in places if p is not None], COHERENCY)
    is_split: bool = cache[unit]
    return is_split


class Way(NamedTuple):
    """The paths of a unit's models, and the direction of a machine: the fields of a `Move` without the unit."""

    paths: Paths
    """The path of each moving model."""
    heading: Point | None = None
    """Direction of a machine's front at the end; by default the direction of its path."""
    off: bool = False
    """True if the unit leaves the table at the end of its paths."""


class GoingWay(Protocol):
    """A `Way`, or an act with its fields."""

    @property
    def paths(self) -> Paths: ...
    @property
    def heading(self) -> Point | None: ...
    @property
    def off(self) -> bool: ...


class Other(NamedTuple):
    """A body of another unit."""

    box: Box
    body: Body
    unit: Unit


def everybody(t: Firefight) -> list[tuple[Unit, Box, list[Other]]]:
    """Return the units on the table, each with its bounding box and bodies."""
    cache = kept(t, "everybody")
    if "units" not in cache:
        # The bodies of a unit that has not moved are reused.
        before: dict[int, Any] = t.book.scratch.setdefault("bodies as they stood", {})
        entries = []
        for u in t.units:
            if u.where == "table" and u.models:
                key = [(t.models[m].at, t.models[m].heading) for m in u.models]
                entry = before.get(u.id)
                if entry is None or entry[0] != key or entry[1].models != u.models or entry[1].name != u.name:
                    own = [Other(form_box(body), body, u) for body in bodies(t, u.id)]
                    corners = [p for x0, y0, x1, y1 in [o.box for o in own] for p in ((x0, y0), (x1, y1))]
                    entry = before[u.id] = (key, u, points_box(corners), own)
                entries.append((u, entry[2], entry[3]))
        cache["units"] = entries
    units: list[tuple[Unit, Box, list[Other]]] = cache["units"]
    return units


class Limits(AnyRoutes[Way]):
    """The limits of one unit's Move, and the bodies that it must not touch.

    Attributes:
        limit: Largest distance for a machine, or for a squad's middle model.
        most: Largest distance that a model may move.
        ground: The ground as it affects the unit, with the hulls that block it.
    """

    def __init__(self, t: Firefight, unit: int, jump: bool = False, anywhere: bool = False) -> None:
        """Collect the bodies around a unit.

        Args:
            anywhere: True to collect the bodies on the whole table, instead of only those within the unit's reach.
        """
        u = t.units[unit]
        self.t, self.unit, self.u, self.jump = t, unit, u, jump
        self.models = u.models
        self.absent = u.where != "table"
        self.entering = u.where == "reserve"
        self.crosses = jump or u.kind == "flyer"
        self.limit = allowance(t, unit, jump)
        self.most = self.limit + LEEWAY if u.on_foot and len(u.models) > 1 else self.limit
        self.radius = FOOT if u.on_foot else WALKER if u.kind == "walker" else FLYER
        self.starts: dict[int, Point] = {}
        for m in u.models:
            at = t.models[m].at
            if at is not None:
                self.starts[m] = at
        self.edge = own_edge(u.side)
        reach = None
        if not self.absent and not anywhere:
            x0, y0, x1, y1 = points_box(tuple(self.starts.values()))
            far = self.most + KEEP_OFF + BEYOND
            reach = (x0 - far, y0 - far, x1 + far, y1 + far)
        self.others: list[Other] = []
        """Every body of another unit within reach."""
        stopping: list[Body] = []
        self.foes: list[Other] = []
        """Enemies from which the unit must keep a distance."""
        for v, whole, every in everybody(t):
            if v.id == unit or (reach is not None and not boxes_within(whole, reach, 0)):
                continue
            near = every if reach is None else [other for other in every if boxes_within(other.box, reach, 0)]
            self.others += near
            if v.side != u.side and is_kept_off(t, u, v):
                self.foes += near
            if stops(t, u, v):
                stopping += [other.body for other in near]
        hulls = [body for body in stopping if isinstance(body, Hull)]
        self.stopping = stopping
        """Bodies that block the unit's path."""
        self.discs = [body for body in stopping if not isinstance(body, Hull)]
        bare = t.ground.for_mover(passage_of(t, unit))
        self.bare: TableGround = bare
        self.air = air_of(t)
        self.ground: TableGround = bare.with_solid(tuple(hulls)) if hulls and u.kind != "vehicle" else bare
        self.hulls = hulls

    # --- faults -------------------------------------------------------------------------------------------------------

    def wrong(self, act: GoingWay, *, brief: bool = False) -> RouteFault | None:
        fault = self._form(act)
        if fault is not None:
            return fault
        ends = self.ends(act)
        opened = self._opened(act)
        if isinstance(opened, RouteFault):
            return opened
        fault = self._length(act, opened)
        if fault is not None:
            return fault
        fault = self._drive(act, opened, brief) if self.u.kind == "vehicle" else self._walk(act, opened, brief)
        if fault is not None or act.off:
            return fault
        those = self.models if self.u.machine else tuple([m for m, _ in act.paths])
        return self.standing(ends, self.heading_after(act), those)

    def _form(self, act: GoingWay) -> RouteFault | None:
        name = self.u.name
        seen: list[int] = []
        for m, path in act.paths:
            if m not in self.models or m in seen:
                return RouteFault(NO_SUCH_MODEL, {"model": m, "name": name})
            seen.append(m)
            if not path or (not self.entering and path[0] != self.starts.get(m)):
                return RouteFault(NOT_FROM_HERE, {"name": name})
        if (self.entering or act.off) and len(seen) != len(self.models):
            return RouteFault(NOT_ALL, {"name": name, "given": len(seen), "count": len(self.models)})
        if act.heading is not None and (self.u.on_foot or act.heading == (0, 0)):
            return RouteFault(HAS_NO_FRONT, {"name": name})
        if not any(a != b for _, path in act.paths for a, b in pairwise(path)) and not self._turns(act):
            return RouteFault(NOBODY_MOVES, {"name": name})
        return None

    def _turns(self, act: GoingWay) -> bool:
        if act.heading is None or self.u.on_foot:
            return False
        return heading_of(act.heading) != heading_of(self.t.models[self.models[0]].heading)

    def _opened(self, act: GoingWay) -> TableGround | RouteFault:
        ground = self.ground
        if not self.entering and not act.off:
            return ground
        name, box = self.u.name, self.bare.box
        open_: set[Edge] = set()
        if self.entering:
            if any(self.edge not in edges_at(box, path[0]) for _, path in act.paths):
                return RouteFault(FROM_ITS_EDGE, {"name": name, "edge": self.edge})
            open_.add(self.edge)
        if act.off:
            exits = exits_of(self.t, self.unit)
            ends = [edges_at(box, path[-1]) for _, path in act.paths]
            by = [edge for edge in exits if all(edge in e for e in ends)]
            if not by or self.entering:
                return RouteFault(TO_AN_EDGE, {"name": name, "edges": ", ".join(exits) or "no edge"})
            open_.add(by[0])
        return ground.opened(**{edge: BEYOND for edge in EDGES if edge in open_})

    def _length(self, act: GoingWay, ground: TableGround) -> RouteFault | None:
        lengths = [path_length(path) for _, path in act.paths]
        if self._is_cheap(ground, [p for _, path in act.paths for p in path], max(lengths, default=0)):
            return None
        costs = {m: self.cost(ground, path) for m, path in act.paths}
        name = self.u.name
        longest = max(costs.values(), default=0)
        if longest > self.most:
            far = max(costs, key=lambda m: costs[m])
            at = (dict(act.paths)[far][-1],)
            if len(self.models) == 1:
                return RouteFault(TOO_FAR, {"name": name, "limit": self.limit, "length": longest}, at)
            return RouteFault(ONE_TOO_FAR, {"name": name, "limit": self.most, "length": longest}, at)
        if longest > self.limit:
            least = min([costs.get(m, 0) for m in self.middle(act)])
            if least > self.limit:
                return RouteFault(TOO_FAR, {"name": name, "limit": self.limit, "length": least})
        return None

    def _is_cheap(self, ground: TableGround, points: Sequence[Point], length: int) -> bool:
        """Return whether any path between some places is certain to stay within the allowance."""
        if length > self.limit or not points:
            return not points
        if self.crosses or not ground.slow_pieces:
            return True
        box = points_box(points)
        near = [slow for slow in ground.slow_pieces if boxes_within(slow.piece.box, box, 0)]
        return not any(slow.toll for slow in near) and length * max([s.factor for s in near], default=1) <= self.limit

    def cost(self, ground: TableGround, path: Path) -> int:
        return path_length(path) if self.crosses else spent(ground, path)

    def middle(self, act: GoingWay | None = None) -> tuple[int, ...]:
        """Return the models in the middle of the unit: the models nearest to the mean place. One of the middle models
        measures the Move (SQ-ORG-14, SQ-Q50).

        For a unit that enters, the ends of its paths count.
        """
        places = self.ends(act) if self.absent and act is not None else self.starts
        return tuple([self.models[i] for i in most_central([places[m] for m in self.models])])

    def ends(self, act: GoingWay) -> dict[int, Point]:
        return {**self.starts, **{m: path[-1] for m, path in act.paths}}

    def _walk(self, act: GoingWay, ground: TableGround, brief: bool) -> RouteFault | None:
        points = [p for _, path in act.paths for p in path]
        if not points:
            return None
        r = self.radius
        x0, y0, x1, y1 = points_box(points)
        box = (x0 - r, y0 - r, x1 + r, y1 + r)
        discs = () if self.crosses else tuple([d for d in self.discs if boxes_within(form_box(d), box, 0)])
        if not discs and lies_in(box, ground.box):
            if self.crosses:
                return None
            if not any(boxes_within(piece.box, box, 0) for piece in ground.solid_pieces):
                return None
        if self.crosses:
            # A jump passes over everything; `standing` checks its end.
            ground, discs = ground.for_mover(self.air), ()
        for _, path in act.paths:
            if brief:
                obstacle = first_obstacle(ground, path, r, discs)
                if obstacle is not None:
                    return self._stopped(*obstacle, discs, path)
                continue
            fault = path_fault(ground, path, r, discs)
            if fault is not None:
                done = (*path[: fault.segment + 1], fault.stop)
                return self._stopped(fault.kind, fault.terrain, fault.disc, discs, done)
        return None

    def _stopped(
        self, kind: FaultKind | str, terrain: str | None, number: int | None, bodies: Sequence[Body], done: Path
    ) -> RouteFault:
        name, after, at = self.u.name, path_length(done), (done[-1],)
        if kind == "table":
            return RouteFault(OFF_TABLE, {"name": name, "after": after}, at)
        if number is None and terrain is not None and terrain.startswith("body "):
            number, bodies = int(terrain.removeprefix("body ")), self.hulls
        if number is not None:
            return RouteFault(IN_THE_WAY, {"name": name, "what": self._whose(bodies[number]), "after": after}, at)
        return RouteFault(CLOSED, {"name": name, "what": terrain or "terrain", "after": after}, at)

    def _whose(self, body: Body) -> str:
        return next((o.unit.name for o in self.others if o.body == body), "somebody")

    def _drive(self, act: GoingWay, ground: TableGround, brief: bool) -> RouteFault | None:
        """Return the obstacle of a vehicle, which may drive forwards or backwards and turn freely (SQ-Q60)."""
        first: RouteFault | None = None
        for legs in self.drives(act):
            hull = self._hull(act)
            fault = drive_fault(ground, hull, legs, self.stopping, brief)
            if fault is None:
                return None
            if first is None:
                done = (hull.at, *[leg.to for leg in legs[: fault.leg]], (fault.stop[0], fault.stop[1]))
                first = self._stopped(fault.kind, fault.terrain, fault.body, self.stopping, done)
        return first

    def _hull(self, act: GoingWay) -> Hull:
        (m,) = self.models
        if self.entering:
            hull = body_at(self.t, m, act.paths[0][1][0], INWARD[self.edge])
        else:
            hull = body_at(self.t, m, self.starts[m])
        assert isinstance(hull, Hull)
        return hull

    def drives(self, act: GoingWay) -> list[tuple[Leg, ...]]:
        path = act.paths[0][1] if act.paths else (self.starts[self.models[0]],)
        ahead = facing(path)
        if act.heading is None:
            return [ahead]
        turn = (Leg(path[-1], heading_of(act.heading)),)
        return [(*ahead, *turn), (*facing(path, back=True), *turn)] if ahead else [turn]

    def headings(self, act: GoingWay) -> tuple[Point, ...]:
        """Return the directions of a machine on each leg of a legal Move, and at the end; empty for soldiers."""
        if self.u.on_foot:
            return ()
        legs = facing(act.paths[0][1]) if act.paths else ()
        if self.u.kind == "vehicle":
            ground = self._opened(act)
            headings = [
                d
                for d in self.drives(act)
                if isinstance(ground, TableGround) and drive_fault(ground, self._hull(act), d, self.stopping) is None
            ]
            legs = headings[0] if headings else legs
        last = self.heading_after(act)
        return (*[leg.heading for leg in legs], *((last,) if last is not None else ()))

    def heading_after(self, act: GoingWay) -> Point | None:
        if self.u.on_foot:
            return None
        if act.heading is not None:
            return heading_of(act.heading)
        legs = facing(act.paths[0][1]) if act.paths else ()
        return legs[-1].heading if legs else self.t.models[self.models[0]].heading

    # --- legal places to stand ----------------------------------------------------------------------------------------

    def standing(
        self, places: Mapping[int, Point], heading: Point | None = None, those: Sequence[int] | None = None
    ) -> RouteFault | None:
        """Return why a unit may not stand in some places, or None if it may.

        Args:
            those: The models that have moved; only these are checked. None for all models.
        """
        name, r = self.u.name, self.radius
        newly = self.models if those is None else those
        if self.u.kind == "vehicle":
            boxes = {m: form_box(body_at(self.t, m, places[m], heading)) for m in self.models}
        else:
            boxes = {m: (x - r, y - r, x + r, y + r) for m, (x, y) in [(m, places[m]) for m in self.models]}
        every = boxes.values()
        whole = (
            min([b[0] for b in every]),
            min([b[1] for b in every]),
            max([b[2] for b in every]),
            max([b[3] for b in every]),
        )
        solid = [p for p in self.bare.solid_pieces if boxes_within(p.box, whole, 0)]
        near = [o for o in self.others if boxes_within(o.box, whole, 0)]
        if solid or near or not lies_in(whole, self.bare.box):
            for m in newly:
                body, at = body_at(self.t, m, places[m], heading), (places[m],)
                if not body_inside(body, self.bare.box):
                    return RouteFault(OFF_TABLE, {"name": name, "after": self._so_far(m, places[m])}, at)
                for piece in solid:
                    if body_overlaps_piece(body, piece):
                        return RouteFault(
                            CLOSED, {"name": name, "what": piece.id, "after": self._so_far(m, places[m])}, at
                        )
                for o in near:
                    if boxes_within(o.box, boxes[m], 0) and overlap(body, o.body):
                        return RouteFault(ON_SOMEBODY, {"name": name, "what": o.unit.name}, at)
        for m in newly if len(self.models) > 1 else ():
            x, y = places[m]
            for n in self.models:
                u, v = places[n]
                if n != m and (x - u) * (x - u) + (y - v) * (y - v) < 4 * r * r:
                    return RouteFault(ON_SOMEBODY, {"name": name, "what": "its own models"}, ((x, y),))
        for o in self.foes:
            if boxes_within(o.box, whole, KEEP_OFF):
                for m in self.models:
                    if boxes_within(o.box, boxes[m], KEEP_OFF):
                        body = body_at(self.t, m, places[m], heading)
                        if near_to(body, o.body, KEEP_OFF):
                            gap = gap_between(body, o.body)
                            return RouteFault(TOO_NEAR, {"name": name, "gap": gap, "what": o.unit.name}, (places[m],))
        return self._hangs_together(places)

    def _so_far(self, model: int, place: Point) -> int:
        start = self.starts.get(model)
        return 0 if start is None else path_length((start, place))

    def _hangs_together(self, places: Mapping[int, Point]) -> RouteFault | None:
        """Return a fault unless a unit forms one chain or, after a split, has come nearer to a chain."""
        if len(self.models) < 2:
            return None
        discs = [(*places[m], self.radius) for m in self.models]
        if coherent(discs, COHERENCY):
            return None
        if not self.absent and split(self.t, self.unit):
            before = strewn([(*self.starts[m], self.radius) for m in self.models], COHERENCY)
            return None if strewn(discs, COHERENCY) < before else RouteFault(CLOSE_UP, {"name": self.u.name})
        return RouteFault(STRAGGLES, {"name": self.u.name})


def lies_in(box: Box, of: Box) -> bool:
    return of[0] <= box[0] and of[1] <= box[1] and box[2] <= of[2] and box[3] <= of[3]
