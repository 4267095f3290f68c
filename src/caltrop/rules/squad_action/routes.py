"""Where a unit may go with one Move: how far, over what, past which units, and how it ends (SQ-S10, SQ-S17, SQ-S18).

`Routes` answers for one unit at one moment, and is kept until a unit or a model changes. What it allows, the screen
draws and the players plan with; nothing else decides what a legal Move is.

Readings:

- Nobody is hindered on the way by a flyer, and nobody ends below one. Packs carry over everything, enemies included.
- A walker steps over friends on foot as soldiers do (SQ-S17); a vehicle drives over nobody (SQ-Q60).
- A split unit has closed up when it ends as one chain, or nearer to it: when the gaps that are too great between its
  parts are smaller together than before (SQ-ORG-13).
- A Move over the edge is measured from the edge, or to it, for the centre; the rest of a base is no matter.
- The allowance of SQ-Q50 is spent in inches of the way, those in difficult ground counted double, for each model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from caltrop.chance import Dice
from caltrop.engine import Guard, Refusal, guard, rule
from caltrop.geometry import (
    INCH,
    Body,
    Box,
    Hull,
    Point,
    body_inside,
    boxes_within,
    cut_at_length,
    directions,
    distance_sq,
    form_box,
    gap_between,
    heading_of,
    near_to,
    overlap,
    path_length,
    point_along,
    points_box,
)
from caltrop.rules.squad_action.acts import Path, Paths
from caltrop.rules.squad_action.places import (
    AIR,
    COHERENCY,
    FLYER,
    FOOT,
    KEEP_OFF,
    LONG,
    WALKER,
    _kept,
    bodies,
    body_at,
    passage_of,
)
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.table.measured import (
    INWARD,
    SHAPES,
    Edge,
    Ending,
    FaultKind,
    Ground,
    Leg,
    Shape,
    body_overlaps_piece,
    coherent,
    cut_to,
    drive,
    drive_fault,
    facing,
    first_obstacle,
    formation,
    march,
    most_central,
    moved,
    nearest_end,
    nearest_free,
    path_fault,
    spent,
    strewn,
    way,
)
from caltrop.table.measured.corridor import holds

BASE_MOVE = 6 * INCH
FAST_MOVE = 8 * INCH
LEEWAY = 2 * INCH
"""How much farther than the middle model another may go (SQ-Q50)."""
PACKS = 12 * INCH
"""How far packs carry in an activation (SQ-TRT-09)."""
HOVERING = 8 * INCH
"""How far a flyer that hovers goes in an activation (SQ-S56)."""
FLOWN = 12 * INCH
"""The least Move that a flyer has to make that does not hover."""
WITH_PILOT = 6 * INCH
"""How far a unit goes that has the pilot with it (SQ-S72)."""
BEYOND = 3 * INCH
"""More than any body reaches from its centre: how far the ground is opened at an edge that is crossed."""

NO_SUCH_MODEL = guard("SQ-ACT-01", "no-such-model", "Model {model} is none of {name}")
NOT_FROM_HERE = guard("SQ-ACT-01", "not-from-here", "A way of {name} begins where its model stands")
NOBODY_MOVES = guard("SQ-ACT-01", "nobody-moves", "Nobody of {name} would move")
HAS_NO_FRONT = guard("SQ-Q60", "has-no-front", "{name:has} no front to turn")
NOT_ALL = guard("SQ-S47", "not-all", "All of {name} cross the edge of the table, and not {given} of {count}")
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
STRAGGLES = guard(("SQ-ORG-12", "SQ-S10"), "straggles", "{name} would not hang together by gaps of an inch")
CLOSE_UP = guard(
    ("SQ-ORG-13", "SQ-Q59"), "close-up", "{name:is} split, and {name::has} to close up: this brings it no nearer"
)


# --- how far ----------------------------------------------------------------------------------------------------------


def _traits(t: Firefight, unit: int, *rest: Any) -> tuple[str, ...]:
    return t.units[unit].traits


def acting(t: Firefight, unit: int) -> bool:
    """Whether a unit is in the middle of its activation: a Move by a token is none of it."""
    u = t.units[unit]
    # While its last act is under way, as when it moves in to assault, all its actions are begun.
    return u.activated and (u.acted < int(t.book.rules["actions_per_activation"]) or u.moves > 0)


@rule("SQ-FMI-04", "SQ-Q62", "SQ-Q72", "SQ-S13", "SQ-Q60")
def has_moved(t: Firefight, unit: int) -> bool:
    """Whether a unit has moved in this game turn or since its activation in it began, by a token too (SQ-Q72).

    Earlier game turns do not count. Before its activation a unit has moved by a token in this game turn if the enemy's
    turn came first.
    """
    u = t.units[unit]
    after_the_enemy = t.book.rules["activation"] == "side" and u.side != t.first
    return (u.moved or u.crept) if u.activated else u.crept and after_the_enemy


def has_shot(t: Firefight, unit: int) -> bool:
    """Whether a unit has shot since its activation of this turn began (SQ-Q62)."""
    u = t.units[unit]
    return u.activated and u.shot


def is_shaken_up(t: Firefight, unit: int) -> bool:
    """Whether a unit has left a fast transport since its activation of this turn began (SQ-S45)."""
    u = t.units[unit]
    return u.activated and u.dazed


def gone(t: Firefight, unit: int) -> int:
    """How far a unit has gone in the activation that it is in the middle of."""
    return t.units[unit].travelled if acting(t, unit) else 0


@rule("SQ-S10", "SQ-ORG-11", "SQ-ORG-58", "SQ-S55", stages=("traits",), traits=_traits)
def base_move(t: Firefight, unit: int) -> int:
    """Soldiers move 6 inches, machines as their row says."""
    return BASE_MOVE if t.units[unit].on_foot else t.vehicle(unit).move


@base_move.amended_by("SQ-TRT-04", stage="traits", trait="fast")
def the_fast_move_farther(found: int, t: Firefight, unit: int) -> int:
    """Fast: 8 inches."""
    return max(found, FAST_MOVE)


@rule("SQ-ACT-01", "SQ-S10", stages=("packs", "hover", "pilot"))
def allowance(t: Firefight, unit: int, jump: bool) -> int:
    """How far a unit may go with a Move: its base move."""
    return base_move(t, unit)


@allowance.amended_by("SQ-TRT-09", "SQ-Q36", stage="packs")
def packs_carry_far(found: int, t: Firefight, unit: int, jump: bool) -> int:
    """With packs 12 inches in all in an activation; without them each Move is a base move."""
    u = t.units[unit]
    used = jump or (u.activated and u.jumped)
    left = max(PACKS - gone(t, unit), 0)
    return (left if jump else min(found, left)) if used else found


@allowance.amended_by("SQ-S56", stage="hover")
def who_hovers_is_slow(found: int, t: Firefight, unit: int, jump: bool) -> int:
    """A flyer that hovers moves 8 inches at most in all."""
    u = t.units[unit]
    return min(found, max(HOVERING - gone(t, unit), 0)) if u.kind == "flyer" and u.hovering else found


@allowance.amended_by("SQ-S72", stage="pilot")
def the_pilot_is_carried(found: int, t: Firefight, unit: int, jump: bool) -> int:
    """With the pilot 6 inches in a Move."""
    return min(found, WITH_PILOT) if t.pilot is not None and t.pilot.unit == unit else found


# --- over what, and past which units ----------------------------------------------------------------------------------


@rule("SQ-S17", "SQ-Q60")
def stops(t: Firefight, mover: Unit, other: Unit) -> bool:
    """Whether a unit is in the way of another: all but friends on foot, which only a vehicle does not pass."""
    if mover.kind == "flyer" or other.kind == "flyer":
        return False
    return other.side != mover.side or not other.on_foot or mover.kind == "vehicle"


@rule("SQ-S10")
def is_kept_off(t: Firefight, mover: Unit, enemy: Unit) -> bool:
    """Whether nobody of a unit ends within 2 inches of an enemy: not from flyers, and flyers not from anybody."""
    return mover.kind != "flyer" and enemy.kind != "flyer"


def own_edge(side: int) -> Edge:
    """The edge of the table that is a side's own."""
    return "south" if side == 0 else "north"


EDGES: tuple[Edge, ...] = ("west", "south", "east", "north")


@rule("SQ-S70", "SQ-S72", "SQ-S73", stages=("flyer",))
def exits_of(t: Firefight, unit: int) -> tuple[Edge, ...]:
    """Over which edges a unit may leave: those that its mission names, else none."""
    if not t.field.exits:
        return ()
    side = t.units[unit].side
    if t.field.goal == "pilot":
        return (own_edge(side),) if t.pilot is not None and t.pilot.unit == unit else ()
    if t.field.goal == "breakthrough":
        return (own_edge(1 - side),) if side != t.field.defender else ()
    return EDGES


@exits_of.amended_by("SQ-S56", "SQ-ORG-65", stage="flyer")
def flyers_leave_anywhere(found: tuple[Edge, ...], t: Firefight, unit: int) -> tuple[Edge, ...]:
    """A flyer may leave over any edge."""
    return EDGES if t.units[unit].kind == "flyer" else found


def edges_at(box: Box, place: Point) -> tuple[Edge, ...]:
    """The edges of the table that a place lies on."""
    x, y = place
    on = {"west": x == box[0], "south": y == box[1], "east": x == box[2], "north": y == box[3]}
    inside = box[0] <= x <= box[2] and box[1] <= y <= box[3]
    return tuple([edge for edge in EDGES if inside and on[edge]])


def foot_of(box: Box, edge: Edge, place: Point) -> Point:
    """The place on an edge that is nearest to one on the table."""
    x, y = place
    feet: dict[Edge, Point] = {
        "west": (box[0], y),
        "south": (x, box[1]),
        "east": (box[2], y),
        "north": (x, box[3]),
    }
    return feet[edge]


def split(t: Firefight, unit: int) -> bool:
    """Whether a unit on the table does not hang together, so that it has to close up (SQ-ORG-12, SQ-ORG-13)."""
    u = t.units[unit]
    if u.where != "table" or len(u.models) < 2:
        return False
    known = _kept(t, "split")
    if unit not in known:
        places = [t.models[m].at for m in u.models]
        known[unit] = not coherent([(*p, FOOT) for p in places if p is not None], COHERENCY)
    found: bool = known[unit]
    return found


# --- routes -----------------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """How the models of a unit go, and a machine turns: what a `Move` says beside its unit."""

    paths: Paths
    """Of each model that moves."""
    heading: Point | None = None
    """Where a machine's front faces at the end; where its way led if it is left out."""
    off: bool = False
    """Whether the unit leaves the table where its ways end."""


class Going(Protocol):
    """A `Way`, or an act with its fields."""

    @property
    def paths(self) -> Paths: ...
    @property
    def heading(self) -> Point | None: ...
    @property
    def off(self) -> bool: ...


class Wrong(NamedTuple):
    """Why a unit may not go somewhere, or stand there."""

    guard: Guard
    values: dict[str, Any]
    at: tuple[Point, ...] = ()
    """Where on the table it goes wrong."""

    def refusal(self) -> Refusal | None:
        """The refusal; None while its guard is switched off."""
        return self.guard.refuses(True, **self.values)


class Other(NamedTuple):
    """A body that is not of the unit."""

    box: Box
    body: Body
    unit: Unit


def everybody(t: Firefight) -> list[tuple[Unit, Box, list[Other]]]:
    """The units on the table, each with a box that holds it, and its bodies."""
    known = _kept(t, "everybody")
    if "units" not in known:
        # Who has not moved since is known: his bodies are kept from one change to the next.
        before: dict[int, Any] = t.book.scratch.setdefault("bodies as they stood", {})
        found = []
        for u in t.units:
            if u.where == "table" and u.models:
                key = [(t.models[m].at, t.models[m].heading) for m in u.models]
                kept = before.get(u.id)
                if kept is None or kept[0] != key or kept[1].models != u.models or kept[1].name != u.name:
                    own = [Other(form_box(body), body, u) for body in bodies(t, u.id)]
                    corners = [p for x0, y0, x1, y1 in [o.box for o in own] for p in ((x0, y0), (x1, y1))]
                    kept = before[u.id] = (key, u, points_box(corners), own)
                found.append((u, kept[2], kept[3]))
        known["units"] = found
    units: list[tuple[Unit, Box, list[Other]]] = known["units"]
    return units


TRIES = 12
"""How often a Move is drawn by chance before the first in order is taken."""

WAYS = 10
"""How many Moves round what is in the way are worked out to find the one that ends nearest to a place."""

SHARES = 16
"""In how many parts of its length a Move is cut back to find a legal one near it."""


class Routes:
    """Where one unit may go with one Move, and how it may stand.

    Attributes:
        limit: How far the model in its middle may go; a machine as a whole.
        most: How far any model may go.
        ground: The ground as the unit finds it, with the hulls that are in its way.
    """

    def __init__(self, t: Firefight, unit: int, jump: bool = False, anywhere: bool = False) -> None:
        """Look at what is around a unit.

        Args:
            t: The firefight.
            unit: The unit.
            jump: Whether it uses its packs.
            anywhere: Whether all the table is looked at, for how it may stand, and not only what is within its reach.
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
        """Those that it has to keep off."""
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
        """What stops it on the way."""
        self.discs = [body for body in stopping if not isinstance(body, Hull)]
        bare = t.ground.for_mover(passage_of(t, unit))
        self.bare: Ground = bare
        self.ground: Ground = bare.with_solid(tuple(hulls)) if hulls and u.kind != "vehicle" else bare
        self.hulls = hulls

    # --- what is wrong ------------------------------------------------------------------------------------------------

    def wrong(self, act: Going, *, brief: bool = False) -> Wrong | None:
        """Why a Move is not legal by places and lengths, None where it is.

        Args:
            act: The Move.
            brief: Whether it is enough that something is wrong, and not where.
        """
        found = self._form(act)
        if found is not None:
            return found
        ends = self.ends(act)
        opened = self._opened(act)
        if isinstance(opened, Wrong):
            return opened
        found = self._length(act, opened)
        if found is not None:
            return found
        found = self._drive(act, opened, brief) if self.u.kind == "vehicle" else self._walk(act, opened, brief)
        if found is not None or act.off:
            return found
        those = self.models if self.u.machine else tuple([m for m, _ in act.paths])
        return self.standing(ends, self.heading_after(act), those)

    def legal(self, act: Going) -> bool:
        """Whether a Move is legal by places and lengths: `wrong` without where, which takes its time."""
        return self.wrong(act, brief=True) is None

    def _form(self, act: Going) -> Wrong | None:
        """What is wrong with how the ways are written down."""
        name = self.u.name
        seen: list[int] = []
        for m, path in act.paths:
            if m not in self.models or m in seen:
                return Wrong(NO_SUCH_MODEL, {"model": m, "name": name})
            seen.append(m)
            if not path or (not self.entering and path[0] != self.starts.get(m)):
                return Wrong(NOT_FROM_HERE, {"name": name})
        if (self.entering or act.off) and len(seen) != len(self.models):
            return Wrong(NOT_ALL, {"name": name, "given": len(seen), "count": len(self.models)})
        if act.heading is not None and (self.u.on_foot or act.heading == (0, 0)):
            return Wrong(HAS_NO_FRONT, {"name": name})
        if not any(a != b for _, path in act.paths for a, b in pairwise(path)) and not self._turns(act):
            return Wrong(NOBODY_MOVES, {"name": name})
        return None

    def _turns(self, act: Going) -> bool:
        """Whether a machine would face another way."""
        if act.heading is None or self.u.on_foot:
            return False
        return heading_of(act.heading) != heading_of(self.t.models[self.models[0]].heading)

    def _opened(self, act: Going) -> Ground | Wrong:
        """The ground with the edge open that the unit comes over, or leaves by."""
        ground = self.ground
        if not self.entering and not act.off:
            return ground
        name, box = self.u.name, self.bare.box
        open_: set[Edge] = set()
        if self.entering:
            if any(self.edge not in edges_at(box, path[0]) for _, path in act.paths):
                return Wrong(FROM_ITS_EDGE, {"name": name, "edge": self.edge})
            open_.add(self.edge)
        if act.off:
            exits = exits_of(self.t, self.unit)
            ends = [edges_at(box, path[-1]) for _, path in act.paths]
            by = [edge for edge in exits if all(edge in e for e in ends)]
            if not by or self.entering:
                return Wrong(TO_AN_EDGE, {"name": name, "edges": ", ".join(exits) or "no edge"})
            open_.add(by[0])
        return ground.opened(**{edge: BEYOND for edge in EDGES if edge in open_})

    def _length(self, act: Going, ground: Ground) -> Wrong | None:
        """Whether somebody would go too far."""
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
                return Wrong(TOO_FAR, {"name": name, "limit": self.limit, "length": longest}, at)
            return Wrong(ONE_TOO_FAR, {"name": name, "limit": self.most, "length": longest}, at)
        if longest > self.limit:
            least = min([costs.get(m, 0) for m in self.middle(act)])
            if least > self.limit:
                return Wrong(TOO_FAR, {"name": name, "limit": self.limit, "length": least})
        return None

    def _is_cheap(self, ground: Ground, points: Sequence[Point], length: int) -> bool:
        """Whether ways between some places cost no more than the allowance, whatever they lead over."""
        if length > self.limit or not points:
            return not points
        if self.crosses or not ground.slow_pieces:
            return True
        box = points_box(points)
        near = [slow for slow in ground.slow_pieces if boxes_within(slow.piece.box, box, 0)]
        return not any(slow.toll for slow in near) and length * max([s.factor for s in near], default=1) <= self.limit

    def cost(self, ground: Ground, path: Path) -> int:
        """What a way takes of the allowance."""
        return path_length(path) if self.crosses else spent(ground, path)

    def middle(self, act: Going | None = None) -> tuple[int, ...]:
        """The models from one of which the Move is measured: nearest the mean of all places (SQ-ORG-14, SQ-Q50).

        Of a unit that enters they are counted where it ends.
        """
        places = self.ends(act) if self.absent and act is not None else self.starts
        return tuple([self.models[i] for i in most_central([places[m] for m in self.models])])

    def ends(self, act: Going) -> dict[int, Point]:
        """Where each model stands after a Move."""
        return {**self.starts, **{m: path[-1] for m, path in act.paths}}

    def _walk(self, act: Going, ground: Ground, brief: bool) -> Wrong | None:
        """What is in the way of models on round bases."""
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
            # What is below is passed over; where it ends is asked by `standing`.
            ground, discs = ground.for_mover(AIR), ()
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
    ) -> Wrong:
        name, after, at = self.u.name, path_length(done), (done[-1],)
        if kind == "table":
            return Wrong(OFF_TABLE, {"name": name, "after": after}, at)
        if number is None and terrain is not None and terrain.startswith("body "):
            number, bodies = int(terrain.removeprefix("body ")), self.hulls
        if number is not None:
            return Wrong(IN_THE_WAY, {"name": name, "what": self._whose(bodies[number]), "after": after}, at)
        return Wrong(CLOSED, {"name": name, "what": terrain or "terrain", "after": after}, at)

    def _whose(self, body: Body) -> str:
        return next((o.unit.name for o in self.others if o.body == body), "somebody")

    def _drive(self, act: Going, ground: Ground, brief: bool) -> Wrong | None:
        """What is in the way of a hull: it may drive ahead or back, and turns as it likes (SQ-Q60)."""
        first: Wrong | None = None
        for legs in self.drives(act):
            hull = self._hull(act)
            fault = drive_fault(ground, hull, legs, self.stopping, brief)
            if fault is None:
                return None
            if first is None:
                done = (hull.at, *[leg.to for leg in legs[: fault.leg]], (fault.stop[0], fault.stop[1]))
                first = self._stopped(fault.kind, fault.terrain, fault.body, self.stopping, done)
        return first

    def _hull(self, act: Going) -> Hull:
        """The hull where it sets out; over an edge it comes with its front ahead."""
        (m,) = self.models
        if self.entering:
            hull = body_at(self.t, m, act.paths[0][1][0], INWARD[self.edge])
        else:
            hull = body_at(self.t, m, self.starts[m])
        assert isinstance(hull, Hull)
        return hull

    def drives(self, act: Going) -> list[tuple[Leg, ...]]:
        """How a vehicle may go its way: with its front ahead, and where it says where it faces at the end, backing."""
        path = act.paths[0][1] if act.paths else (self.starts[self.models[0]],)
        ahead = facing(path)
        if act.heading is None:
            return [ahead]
        turn = (Leg(path[-1], heading_of(act.heading)),)
        return [(*ahead, *turn), (*facing(path, back=True), *turn)] if ahead else [turn]

    def headings(self, act: Going) -> tuple[Point, ...]:
        """Where a machine faces on each leg of a legal Move, and then at its end; nothing for soldiers."""
        if self.u.on_foot:
            return ()
        legs = facing(act.paths[0][1]) if act.paths else ()
        if self.u.kind == "vehicle":
            ground = self._opened(act)
            found = [
                d
                for d in self.drives(act)
                if isinstance(ground, Ground) and drive_fault(ground, self._hull(act), d, self.stopping) is None
            ]
            legs = found[0] if found else legs
        last = self.heading_after(act)
        return (*[leg.heading for leg in legs], *((last,) if last is not None else ()))

    def heading_after(self, act: Going) -> Point | None:
        """Where a machine faces after a Move; None for soldiers."""
        if self.u.on_foot:
            return None
        if act.heading is not None:
            return heading_of(act.heading)
        legs = facing(act.paths[0][1]) if act.paths else ()
        return legs[-1].heading if legs else self.t.models[self.models[0]].heading

    # --- how it stands ------------------------------------------------------------------------------------------------

    def standing(
        self, places: Mapping[int, Point], heading: Point | None = None, those: Sequence[int] | None = None
    ) -> Wrong | None:
        """Why a unit may not stand somewhere, None where it may.

        Args:
            places: Where each of its models is.
            heading: Where a machine faces.
            those: The models that have come there; the others stand as they stood, and on nobody. None for all.
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
                    return Wrong(OFF_TABLE, {"name": name, "after": self._so_far(m, places[m])}, at)
                for piece in solid:
                    if body_overlaps_piece(body, piece):
                        return Wrong(CLOSED, {"name": name, "what": piece.id, "after": self._so_far(m, places[m])}, at)
                for o in near:
                    if boxes_within(o.box, boxes[m], 0) and overlap(body, o.body):
                        return Wrong(ON_SOMEBODY, {"name": name, "what": o.unit.name}, at)
        for m in newly if len(self.models) > 1 else ():
            x, y = places[m]
            for n in self.models:
                u, v = places[n]
                if n != m and (x - u) * (x - u) + (y - v) * (y - v) < 4 * r * r:
                    return Wrong(ON_SOMEBODY, {"name": name, "what": "its own models"}, ((x, y),))
        for o in self.foes:
            if boxes_within(o.box, whole, KEEP_OFF):
                for m in self.models:
                    if boxes_within(o.box, boxes[m], KEEP_OFF):
                        body = body_at(self.t, m, places[m], heading)
                        if near_to(body, o.body, KEEP_OFF):
                            gap = gap_between(body, o.body)
                            return Wrong(TOO_NEAR, {"name": name, "gap": gap, "what": o.unit.name}, (places[m],))
        return self._hangs_together(places)

    def _so_far(self, model: int, place: Point) -> int:
        start = self.starts.get(model)
        return 0 if start is None else path_length((start, place))

    def _hangs_together(self, places: Mapping[int, Point]) -> Wrong | None:
        """One chain, or for a unit that was split, nearer to one."""
        if len(self.models) < 2:
            return None
        discs = [(*places[m], self.radius) for m in self.models]
        if coherent(discs, COHERENCY):
            return None
        if not self.absent and split(self.t, self.unit):
            before = strewn([(*self.starts[m], self.radius) for m in self.models], COHERENCY)
            return None if strewn(discs, COHERENCY) < before else Wrong(CLOSE_UP, {"name": self.u.name})
        return Wrong(STRAGGLES, {"name": self.u.name})

    # --- some of them -------------------------------------------------------------------------------------------------

    def moves(self) -> Iterator[Way]:
        """Finitely many legal Moves, in a fixed order: a good sample, each worked out when it is asked for."""
        seen: set[tuple[Paths, Point | None]] = set()
        for act in self._candidates():
            if (act.paths, act.heading) not in seen and self.legal(act):
                seen.add((act.paths, act.heading))
                yield act
        if not seen and not self.entering and self.limit > 0 and split(self.t, self.unit):
            yield from filter(self.legal, self._forming())

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
        """The model in the middle that leads: the first of those."""
        return self.middle()[0]

    def _goals(self, lead: Point) -> Iterator[Point]:
        """Where the model in the middle may want to go."""
        for length in (self.limit, self.limit // 2):
            for towards in directions(8):
                yield point_along(lead, towards, length)
        if self.u.kind == "flyer" and not self.u.hovering and self.limit >= FLOWN:
            for towards in directions(8):
                yield point_along(lead, towards, FLOWN)
        for place in self._marks(lead):
            yield cut_at_length((lead, place), self.limit)[-1]

    def _marks(self, lead: Point) -> list[Point]:
        """Places worth going to: the nearest enemy, up to 2 inches from it, objectives, the nearest cover."""
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
        """The Move by which all go as the model in the middle does, cut where its allowance ends; it may be illegal."""
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
        """A machine turns on the spot."""
        for towards in directions(8):
            yield Way((), heading_of(towards))

    def leaving(self, edge: Edge) -> Way:
        """All go straight to an edge and over it."""
        box = self.bare.box
        paths = tuple([(m, (self.starts[m], foot_of(box, edge, self.starts[m]))) for m in self.models])
        return Way(paths, off=True)

    def _entries(self) -> Iterator[Way]:
        """Ways over the own edge, at places along it, all the way or half of it."""
        wide = self.bare.box[2]
        for length in (self.limit, self.limit // 2):
            for part in range(1, ENTRIES):
                act = self.entry(wide * part // ENTRIES, length)
                if act is not None:
                    yield act

    def entry(self, x: int, length: int) -> Way | None:
        """The unit comes over its edge in ranks, its middle going so far; None where that is too short."""
        ahead = INWARD[self.edge][1]
        y0 = foot_of(self.bare.box, self.edge, (x, 0))[1]
        deep = LONG if self.u.kind == "vehicle" else self.radius
        places = ranks(len(self.models), self.radius)
        back = max([dy for _, dy in places]) - places[most_central(places)[0]][1]
        if length < deep + max(back, 0):
            return None
        middle_y = places[most_central(places)[0]][1]
        paths = []
        for m, (dx, dy) in zip(self.models, places, strict=True):
            far = length + middle_y - dy
            paths.append((m, ((x + dx, y0), (x + dx, y0 + ahead * far))))
        return Way(tuple(paths))

    def _closings(self) -> Iterator[Way]:
        """Ways to close up: round the model in the middle, or as near to it as can be."""
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
                # The way towards the nearest of those who stand already, up to a base's breadth from it.
                reach = path_length((start, near[:2])) - 2 * self.radius - COHERENCY // 2
                wanted = point_along(start, (near[0] - start[0], near[1] - start[1]), max(reach, 0))
                goal = nearest_free(self.ground, wanted, self.radius, (*taken, *ends), reach=4 * INCH)
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
        """Ways to close up elsewhere for units that somebody has come too near to here."""
        for goal in self._goals(self.starts[self.lead]):
            for shape in SHAPES:
                act = self._formed((goal,), shape, None)
                if act is not None:
                    yield act

    def sample(self, dice: Dice) -> Way | None:
        """A legal Move drawn by chance, without listing."""
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
        """A Move in any direction, over any length; of a machine at times a turn, of a flyer at times the way out."""
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

    def ending_nearest(self, act: Going) -> Way | None:
        """The legal Move that ends nearest to where another leads the model in the middle.

        Of models that are moved singly it is as much of their ways as can be gone.
        """
        begun, paths = self.nearest(act), dict(act.paths)
        if any(not paths.get(m) for m in self.models):
            return begun
        x0, y0, x1, y1 = self.bare.box
        start = ((x0 + x1) // 2, (y0 + y1) // 2) if self.entering else self.starts[self.lead]
        known = [] if begun is None or begun.off or not self.legal(begun) else [(self._end(begun, start), begun)]
        found = nearest_end(
            paths[self._leader()][-1],
            start,
            x1 - x0 + y1 - y0 if self.entering else self.most,
            self.bare.box,
            self._straight_to,
            None if self.entering else self._round_to,
            self._could_stand,
            known,
            WAYS,
        )
        return found or begun

    def _leader(self) -> int:
        """The model that a drag leads: the one in the middle; of those that enter, the first."""
        return self.models[0] if self.entering else self.lead

    def _end(self, act: Going, start: Point) -> Point:
        """Where a Move leads the model that a drag leads."""
        return (dict(act.paths).get(self._leader()) or (start,))[-1]

    def _straight_to(self, end: Point) -> Ending[Way] | None:
        """The Move by which all go straight as the leading model does to a place, if that is legal."""
        act = self._drawn_in((end,), None) if self.entering else self.shifted(end)
        return (self._end(act, end), act) if act is not None and self.legal(act) else None

    def _could_stand(self, end: Point) -> bool:
        """Whether all could stand where they come to if the leading model ends at a place and all go alike."""
        if self.u.kind == "vehicle":
            return True
        (x0, y0), (x1, y1) = self.starts[self.lead], end
        return self.standing({m: (x + x1 - x0, y + y1 - y0) for m, (x, y) in self.starts.items()}) is None

    def _round_to(self, end: Point) -> Ending[Way] | None:
        """The Move by which all go to a place round what is in the way, in their formation, if that is legal."""
        act = self._driven((end,), None) if self.u.kind == "vehicle" else self.marched((end,), False)
        return (self._end(act, self.starts[self.lead]), act) if act is not None and self.legal(act) else None

    def nearest(self, act: Going) -> Way | None:
        """A legal Move near one that is not: as much of its ways as can be gone, or a march towards where it leads."""
        found = self._form(act)
        if found is not None or self.entering:
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

    # --- what is drawn ------------------------------------------------------------------------------------------------

    def drawn(
        self,
        legs: Sequence[Point],
        models: Mapping[int, Path] | None = None,
        shape: Shape = "keep",
        front: Point | None = None,
        reform: bool = False,
    ) -> Way | None:
        """The Move that a drag comes to; legal where a legal one is near.

        Args:
            legs: Where the model in the middle is led, place after place.
            models: Ways of single models, which overrule it.
            shape: How the unit forms up.
            front: Where a formation or a machine faces at the end; None for as it goes.
            reform: Whether the unit may take another formation where its own does not fit.
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
        """A unit that enters: over its edge to where it is led."""
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
        """A vehicle goes round what is in its way, as far as it can."""
        (m,) = self.models
        route: Path = (self.starts[m],)
        hull = body_at(self.t, m, route[0])
        for leg in legs:
            assert isinstance(hull, Hull)
            found = drive(self.ground, hull, leg, self.stopping)
            if found is None:
                break
            route = (*route, *[step.to for step in found])
            hull = body_at(self.t, m, route[-1], found[-1].heading if found else hull.heading)
        route = cut_to(self.ground, route, self.limit)
        act = Way(((m, route),), heading)
        return act if len(route) > 1 and self.legal(act) else None

    def _formed(self, legs: Sequence[Point], shape: Shape, front: Point | None) -> Way | None:
        """The unit forms up where the model in the middle is led."""
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
        """The unit goes round what is in its way, leg by leg, as far as it can, and forms up as it has to if it may."""
        here: Sequence[tuple[int, int, int]] = [(*self.starts[m], self.radius) for m in self.models]
        paths: list[Path] = [(d[:2],) for d in here]
        anchor = self.models.index(self.lead)

        def accept(after: Sequence[tuple[int, int, int]]) -> bool:
            return self.standing({m: d[:2] for m, d in zip(self.models, after, strict=True)}) is None

        for leg in legs:
            left = self.limit - max([self.cost(self.ground, path) for path in paths])
            if left <= 0:
                break
            found = march(self.ground, here, leg, left, self.discs, self.crosses, COHERENCY, anchor, accept, reform)
            paths = [(*path, *more[1:]) for path, more in zip(paths, found, strict=True)]
            here = moved(here, [path[-1] for path in paths])
        moving = tuple([(m, path) for m, path in zip(self.models, paths, strict=True) if len(path) > 1])
        return Way(moving) if moving else None


ENTRIES = 8
"""In how many parts the edge is divided where ways over it are tried."""


def lies_in(box: Box, of: Box) -> bool:
    """Whether a box lies in another."""
    return of[0] <= box[0] and of[1] <= box[1] and box[2] <= of[2] and box[3] <= of[3]


def paid_part(routes: Routes, route: Path) -> Path:
    """As much of a way as the allowance of the model in the middle pays for."""
    if routes.crosses:
        return cut_at_length(route, routes.limit)
    return cut_to(routes.ground, route, routes.limit)


def ranks(count: int, radius: int) -> list[Point]:
    """Places in ranks of five, an inch or more from one to the next, the front rank first: x across, y to the rear.

    >>> ranks(6, 76)[0], ranks(6, 76)[5]
    ((-558, 0), (0, 279))
    """
    step = max(INCH, 2 * radius + INCH // 2)
    places: list[Point] = []
    for first in range(0, count, RANK):
        row = min(RANK, count - first)
        places += [(step * n - step * (row - 1) // 2, step * (first // RANK)) for n in range(row)]
    return places


RANK = 5


def routes_of(t: Firefight, unit: int, jump: bool = False) -> Routes:
    """Where a unit may go as it stands now; kept until a unit or a model changes."""
    known = _kept(t, "routes")
    key = (unit, jump, t.pilot is not None and t.pilot.unit == unit, len(t.placed))
    found: Routes | None = known.get(key)
    if found is None or found.t is not t:
        found = known[key] = Routes(t, unit, jump)
    return found
