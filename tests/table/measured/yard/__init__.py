"""The yard: a small ruleset for tests, which uses all features of the measured table.

Two sides meet in a yard with a tank, a drone and a runner; a truck with a crew aboard arrives over the edge. In each
round, both sides lay an order face down on every unit, and then turn their orders over one by one. A unit that moves
chooses a path, a unit that shells rolls for scatter, and a unit that throws smoke leaves a cloud for a round. The order
to watch stays face down. A watching unit fires at the first moment at which it sees a moving enemy within reach and,
for a hull, in front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import ClassVar

import msgspec

from caltrop.chance import IN_ORDER, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    Book,
    Decision,
    End,
    Event,
    FaceDown,
    Go,
    Listed,
    Outcome,
    Procedure,
    Ruleset,
    Run,
    ScenarioCard,
    State,
    Throw,
    ask,
    step,
)
from caltrop.geometry import (
    INCH,
    Body,
    Disc,
    Form,
    Hull,
    Point,
    directions,
    disc_around,
    in_arc,
    in_front_of,
    near_to,
    point_along,
    quarter_of,
)
from caltrop.picture import Picture
from caltrop.table.measured import (
    INWARD,
    Edge,
    Fan,
    SharedWay,
    Table,
    TableGround,
    Terrain,
    approaches,
    centres_under,
    clock,
    cone,
    contact_places_of,
    cut_drive,
    cut_to,
    drive,
    drive_fault,
    driven,
    entry,
    explain_line,
    explain_look,
    explain_sight,
    facing,
    first_moment,
    ground_of,
    halted,
    hidden,
    left_over,
    look,
    march,
    most_central,
    nearest_gap,
    open_line,
    over_edge,
    path_of,
    pieces_under,
    read_kinds,
    scattered,
    sight,
    spent,
    stands,
    strewn,
    strip_through,
    terrain_along,
    under,
    unseen,
)

KINDS = read_kinds(Path(__file__).with_name("kinds.yaml"))
FAN = Fan(points=3, obstructed_from=5)
HOME: tuple[Edge, Edge] = ("south", "north")
"""Edge over which each side arrives."""
ROUNDS = 4
BLAST = 2 * INCH
"""Radius of a shell's blast and of a cloud of smoke."""
FLAME, BOMBS = (5 * INCH, 3 * INCH), (4 * INCH, 2 * INCH)
"""Length and width of a tank's flame, and of a drone's bombs."""
SHUNNED = INCH
"""Smallest distance between a runner and the units that it avoids."""


class Kind(msgspec.Struct, frozen=True):
    """The properties of a kind of unit."""

    size: tuple[int, int] | int
    """Half the length and half the width of a hull, or the radius of a base."""
    mover: str
    pace: int
    orders: tuple[str, ...]
    reach: int = 0
    """Range from edge to edge."""


UNITS = {
    "tank": Kind((300, 200), "tracks", 6 * INCH, ("go", "watch", "shell"), 14 * INCH),
    "drone": Kind(150, "air", 10 * INCH, ("go", "shell")),
    "runner": Kind(100, "foot", 6 * INCH, ("go", "smoke")),
    "truck": Kind((250, 150), "tracks", 8 * INCH, ("go", "smoke")),
    "crew": Kind(100, "foot", 4 * INCH, ("go", "watch"), 10 * INCH),
}


# --- state ----------------------------------------------------------------------------------------------------


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit: one hull, or some bases."""

    side: int
    kind: str
    at: tuple[Point, ...] = ()
    """The centre of each of its bodies; empty if the unit is off the table."""
    heading: Point = (0, 1)
    aboard: int | None = None
    """The unit that carries this unit."""
    waiting: int = 0
    """Number of bodies of a unit in reserve or aboard."""

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies on the table."""
        size = UNITS[self.kind].size
        if isinstance(size, int):
            return tuple([(x, y, size) for x, y in self.at])
        return tuple([Hull(x, y, *size, self.heading) for x, y in self.at])

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The bodies as discs: bases, and circles around hulls."""
        return tuple(map(disc_around, self.bodies))

    @property
    def hull(self) -> Hull | None:
        """The unit's hull, if it has one and is on the table."""
        return next((body for body in self.bodies if isinstance(body, Hull)), None)


class Cloud(msgspec.Struct, frozen=True):
    """Smoke that lasts for a while."""

    circle: Disc
    until: int
    """Last round of the cloud."""


class Yard(State, kw_only=True):
    """The state of the yard."""

    secret: ClassVar[tuple[str, ...]] = ("tokens",)

    table: Table
    round: int = 0
    units: list[Unit]
    clouds: dict[int, Cloud] = msgspec.field(default_factory=dict)
    tokens: dict[int, FaceDown] = msgspec.field(default_factory=dict)
    """The face-down order of each unit that has one."""

    @property
    def ground(self) -> TableGround:
        """The table with the current smoke."""
        kind = KINDS["smoke"]
        return ground_of(
            self.table, tuple([Terrain(f"smoke {n}", kind, circle=c.circle) for n, c in self.clouds.items()])
        )

    def ground_for(self, unit: int) -> TableGround:
        """Return the ground for a unit, with closed and slow terrain."""
        return self.ground.for_mover(KINDS.passage(UNITS[self.units[unit].kind].mover))

    def change(self, unit: int, **fields: object) -> None:
        """Put a changed copy of a unit on the shelf."""
        self.units[unit] = msgspec.structs.replace(self.units[unit], **fields)

    def others(self, unit: int) -> list[Body]:
        """Return the bodies that obstruct a unit. Flying units obstruct only each other."""
        flies = self.units[unit].kind == "drone"
        return [
            body
            for number, other in enumerate(self.units)
            if number != unit and (other.kind == "drone") == flies
            for body in other.bodies
        ]

    def enemies(self, side: int) -> list[int]:
        """Return the numbers of the other side's units on the table."""
        return [number for number, unit in enumerate(self.units) if unit.side != side and unit.at]


def for_bases(t: Yard, unit: int) -> tuple[TableGround, list[Disc]]:
    """Return the ground for bases of a unit, including other units' hulls, and the bases that obstruct it."""
    others = t.others(unit)
    hulls = tuple([body for body in others if isinstance(body, Hull)])
    return t.ground_for(unit).with_solid(hulls), [body for body in others if not isinstance(body, Hull)]


# --- lines of sight
# -----------------------------------------------------------------------------------------------------


def sees(t: Yard, unit: int, bodies: Sequence[Body], of: int) -> bool:
    """Return whether a unit sees any of some bodies of another within its reach and, for a hull, in front.

    A hull draws lines to a body, a crew uses its base with the best view, and a flyer or runner needs one line that no
    terrain cuts.
    """
    own, reach = t.units[unit], UNITS[t.units[unit].kind].reach
    hulls = [b for n, other in enumerate(t.units) if n not in (unit, of) for b in other.bodies if isinstance(b, Hull)]
    near = [body for body in bodies if any(near_to(eye, body, reach) for eye in own.bodies)]
    if own.hull is not None:
        ahead = [body for body in near if in_arc(own.hull.at, own.heading, body[:2], (1, 1))]
        return any(look(t.ground, FAN, own.hull, body, hulls).seen for body in ahead)
    if own.kind == "crew":
        return sight(t.ground, FAN, own.discs, near, hulls).seen
    return any(open_line(t.ground, eye, disc_around(body)) for eye in own.discs for body in bodies)


def what_hides(t: Yard, unit: int, of: int) -> str | None:
    """Return the terrain on the first line of sight that terrain blocks; None if none is blocked."""
    own, other = t.units[unit], t.units[of]
    if own.hull is not None:
        lines = explain_look(t.ground, FAN, own.hull, other.bodies[0], ()).lines
    elif own.kind == "crew":
        lines = tuple(
            [line for pair in explain_sight(t.ground, FAN, own.discs, other.bodies, ()) for line in pair.lines]
        )
    else:
        return explain_line(t.ground, own.discs[0], other.discs[0]).terrain
    return next((line.terrain for line in lines if line.terrain), None)


def first_seen(t: Yard, unit: int, way: SharedWay, watcher: int) -> int | None:
    """Return the first moment of a unit's path at which a watcher sees the unit.

    Args:
        t: The yard.
        unit: The moving unit.
        way: The path of the unit.
        watcher: The watching unit.
    """
    going, own = t.units[unit], t.units[watcher]
    reach, radii = UNITS[own.kind].reach, [disc[2] for disc in going.discs]

    def holds(moment: int) -> bool:
        return sees(t, watcher, msgspec.structs.replace(going, at=way.at(moment)).bodies, unit)

    def may_hold(first: int, last: int) -> bool:
        return any(
            near_to(eye, disc, reach)
            and not hidden(t.ground, disc_around(eye), disc)
            and not (
                going.hull is own.hull is None
                and unseen(t.ground, FAN, disc_around(eye), (*disc[:2], r), (0, disc[2] - r))
            )
            for disc, r in zip(way.swept(first, last, radii), radii, strict=True)
            for eye in own.bodies
        )

    return first_moment(way, holds, may_hold)


# --- what happens -----------------------------------------------------------------------------------------------------


class Fought(Event, frozen=True):
    """An effect on a unit."""

    unit: int
    what: str
    at: tuple[Point, ...] = ()

    def sentence(self, t: Yard) -> str:
        return f"The {t.units[self.unit].kind} of side {t.units[self.unit].side}: {self.what}"


class Battle(Procedure):
    """Some rounds."""

    @step("YD-ROUND-01")
    def begin_a_round(self, t: Yard) -> None:
        """Old smoke disappears, and so do orders that were not turned over."""
        t.round += 1
        for number in [number for number, cloud in t.clouds.items() if cloud.until < t.round]:
            del t.clouds[number]
        t.tokens.clear()

    @step("YD-ENTRY-01")
    def let_reserves_arrive(self, t: Yard) -> None:
        """From the second round on, units in reserve arrive over their own edge near its middle, if there is room."""
        for number, unit in enumerate(t.units):
            if unit.waiting and unit.aboard is None and t.round > 1:
                arrive(t, number)

    @step("YD-ORDER-01")
    def lay_orders(self, t: Yard) -> Ask:
        """Both sides lay an order face down on each of their units."""
        return ask(*[Orders(side=side) for side in (0, 1)])

    @step("YD-ORDER-02")
    def keep_them_hidden(self, t: Yard, laid: tuple[Lay, Lay]) -> None:
        """Orders stay hidden until they are turned over."""
        for side, orders in enumerate(laid):
            for number, face in orders.faces:
                t.tokens[number] = FaceDown(side, (face,))

    @step("YD-ROUND-02")
    def take_turns(self, t: Yard) -> Run:
        """The sides have their turns."""
        t.active = 0
        return Run(Turn(side=0))

    @step("YD-ROUND-02")
    def take_the_other_turn(self, t: Yard) -> Run:
        """The other side takes its turn."""
        t.active = 1
        return Run(Turn(side=1))

    @step("YD-ROUND-03")
    def end_the_round(self, t: Yard) -> Go | None:
        """After the last round, the side with more bodies left wins."""
        left = tuple([sum([len(u.at) + u.waiting for u in t.units if u.side == side]) for side in (0, 1)])
        if t.round < ROUNDS and all(left):
            return Go("begin_a_round")
        t.over = Outcome(None if left[0] == left[1] else left.index(max(left)), f"{left[0]} to {left[1]}", left)
        return None


class Turn(Procedure):
    """The orders of one side are turned over, one unit after another."""

    side: int
    unit: int = -1

    @step("YD-ORDER-03")
    def turn_one_over(self, t: Yard) -> Run | End | Go:
        """The next unit carries out its order. A watching unit keeps its order face down."""
        self.unit += 1
        if self.unit == len(t.units):
            return End()
        token = t.tokens.get(self.unit)
        if t.units[self.unit].side != self.side or token is None or token.faces[0] == "watch":
            return Go("turn_one_over")
        del t.tokens[self.unit]
        act: dict[str | None, type[Going | Shelling | Smoking]] = {"go": Going, "shell": Shelling, "smoke": Smoking}
        return Run(act[token.faces[0]](unit=self.unit))

    @step("YD-ORDER-03")
    def go_on(self, t: Yard) -> Go:
        """The next unit follows."""
        return Go("turn_one_over")


class Going(Procedure):
    """A move during which watching units fire when they see the mover."""

    unit: int
    paths: tuple[tuple[Point, ...], ...] = ()
    headings: tuple[Point, ...] = ()
    moment: int = 0
    watcher: int = -1

    @step("YD-MOVE-01")
    def choose(self, t: Yard) -> Ask:
        """The moving unit's side chooses the path."""
        return ask(Ways(side=t.units[self.unit].side, unit=self.unit))

    @step("YD-MOVE-02")
    def set_out(self, t: Yard, way: Way) -> End | None:
        """All bases of a unit move along their paths together."""
        if not way.paths:
            return End()
        if way.out:
            t.change(way.out, at=way.paths[0], aboard=None, waiting=0)
            t.tell(Fought(way.out, "gets out", way.paths[0]))
            return End()
        self.paths, self.headings = way.paths, way.headings
        return None

    @step("YD-WATCH-01")
    def look_out(self, t: Yard) -> Go | Throw:
        """The first watcher that sees the moving unit fires at that moment."""
        way, side = SharedWay(self.paths), t.units[self.unit].side
        result = [
            (moment, number)
            for number in t.enemies(side)
            if number in t.tokens and t.tokens[number].faces == ("watch",)
            if (moment := first_seen(t, self.unit, way, number)) is not None
        ]
        if not result:
            return Go("arrive")
        self.moment, self.watcher = min(result)
        del t.tokens[self.watcher]
        self._go_to(t, way, self.moment)
        t.tell(Fought(self.watcher, "fires", t.units[self.unit].at))
        return Throw(Pool(1), side=1 - side)

    @step("YD-WATCH-02")
    def hit(self, t: Yard, roll: Roll) -> End | Go:
        """On a 4 the base in the middle is lost. A hull is lost on a 3 from the rear."""
        u, by = t.units[self.unit], t.units[self.watcher]
        behind = u.hull is not None and quarter_of(u.hull, by.at[0]) == "rear"
        if roll[0] >= 4 - behind:
            fall(t, self.unit, most_central(u.at)[:1])
            return End()
        self.paths = SharedWay(self.paths).left(self.moment)
        self.headings = self.headings[len(self.headings) + 1 - len(self.paths[0]) :]
        return Go("look_out")

    @step("YD-MOVE-02")
    def arrive(self, t: Yard) -> None:
        """The unit stands at the end of its path, or leaves the table if the end is beyond the edge."""
        self._go_to(t, SharedWay(self.paths), SharedWay(self.paths).length)
        u = t.units[self.unit]
        t.tell(Fought(self.unit, "goes", u.at))
        touched = pieces_under(t.ground, u.hull) if u.hull else terrain_along(t.ground, self.paths[0], u.discs[0][2])
        for id in touched:
            t.tell(Fought(self.unit, f"crosses the {id}"))
        if all(left_over((0, 0, t.table.width, t.table.height), body) for body in u.bodies):
            t.change(self.unit, at=())

    def _go_to(self, t: Yard, way: SharedWay, moment: int) -> None:
        leg = max(len(way.begun(moment)[0]) - 2, 0)
        heading = self.headings[leg] if self.headings else t.units[self.unit].heading
        t.change(self.unit, at=way.at(moment), heading=heading)


class Shelling(Procedure):
    """A unit fires at an area."""

    unit: int

    @step("YD-SHELL-01")
    def aim(self, t: Yard) -> Throw | End:
        """A tank burns the area close in front of it. Otherwise its shell scatters, and a drone's bombs fall below
        it.
        """
        u = t.units[self.unit]
        flame = u.hull and cone(in_front_of(u.hull, 0), u.heading, *FLAME)
        if flame and any(under(flame, t.units[n].bodies) for n in t.enemies(u.side)):
            blast(t, self.unit, flame)
            return End()
        if u.kind == "drone":
            blast(t, self.unit, strip_through(u.at[0], u.heading, *BOMBS), by_centre=True)
            return End()
        return Throw(Pool(2, 12), reads=IN_ORDER, side=u.side)

    @step("YD-SHELL-02")
    def scatter(self, t: Yard, roll: Roll) -> None:
        """The shell is aimed at the nearest enemy, and scatters by the clock, half an inch for each pip."""
        u = t.units[self.unit]
        near = sorted([(nearest_gap(u.discs, t.units[n].discs), n) for n in t.enemies(u.side)])
        if near:
            aim = t.units[near[0][1]].at[0]
            blast(t, self.unit, (*scattered(aim, clock(roll[0]), roll[1] * INCH // 2), BLAST))


class Smoking(Procedure):
    """A unit throws smoke."""

    unit: int

    @step("YD-SMOKE-01")
    def throw_smoke(self, t: Yard) -> None:
        """A cloud in front of the unit lasts until the end of the next round."""
        u = t.units[self.unit]
        place = point_along(u.at[0], u.heading, 4 * INCH)
        t.clouds[max(t.clouds, default=0) + 1] = Cloud((*place, BLAST), t.round + 1)
        t.tell(Fought(self.unit, "smokes", (place,)))


def arrive(t: Yard, number: int) -> None:
    """Bring a unit over its side's edge, at the free place nearest the middle."""
    unit, box = t.units[number], (0, 0, t.table.width, t.table.height)
    edge, pace = HOME[unit.side], UNITS[unit.kind].pace
    for aside in (0, -3, 3, -6, 6):
        there = msgspec.structs.replace(unit, at=((0, 0),), heading=INWARD[edge])
        body = over_edge(box, edge, there.bodies[0], t.table.width // 2 + aside * INCH)
        goal = point_along(body[:2], INWARD[edge], pace)
        ground = t.ground_for(number).opened(*[2 * INCH] * 4)
        if entry(box, edge, body, goal, pace) and isinstance(body, Hull):
            legs = cut_drive(body, facing((body.at, goal)), pace)
            if drive_fault(ground, body, legs, t.others(number)) is None:
                after = driven(body, legs)
                t.change(number, at=(after.at,), heading=after.heading, waiting=0)
                t.tell(Fought(number, "arrives", (after.at,)))
                return


def blast(t: Yard, by: int, template: Form, by_centre: bool = False) -> None:
    """Remove every body of a unit that is under a template."""
    t.tell(Fought(by, "shells"))
    for number, unit in enumerate(t.units):
        if number != by and unit.at:
            fall(t, number, (centres_under if by_centre else under)(template, unit.bodies))


def fall(t: Yard, unit: int, which: Sequence[int]) -> None:
    """Remove bodies from the table, together with units aboard."""
    if which:
        t.change(unit, at=tuple([p for n, p in enumerate(t.units[unit].at) if n not in which]))
        t.tell(Fought(unit, "is hit"))
        if not t.units[unit].at:
            t.tokens.pop(unit, None)
        for number, other in enumerate(t.units):
            if other.aboard == unit and not t.units[unit].at:
                t.change(number, aboard=None, waiting=0)


# --- decisions ----------------------------------------------------------------------------------------------------


class Lay(Action, frozen=True):
    """Lay an order on each unit."""

    faces: tuple[tuple[int, str], ...]


class Orders(Decision, frozen=True, kw_only=True):
    """The decision which orders to lay on the units of a side."""

    def options(self, t: Yard) -> Listed:
        """Return the options: one order for each unit on the table."""
        own = [(n, UNITS[u.kind].orders) for n, u in enumerate(t.units) if u.side == self.side and u.at]
        every = product(*[[(n, face) for face in faces] for n, faces in own])
        return Listed([Lay(faces) for faces in every], clause="YD-ORDER-01")

    def prompt(self, t: Yard) -> str:
        return "Which orders?"


class Way(Action, frozen=True):
    """Move along these paths, one for each body; without paths, stay."""

    paths: tuple[tuple[Point, ...], ...] = ()
    headings: tuple[Point, ...] = ()
    """Heading of a hull on each leg."""
    out: int = 0
    """The unit that gets out instead, at the only place of each path."""


class Ways(Decision, frozen=True, kw_only=True):
    """The decision about the path of a unit."""

    unit: int

    def options(self, t: Yard) -> Listed:
        """Return the acts of this kind of mover."""
        return Listed(list(dict.fromkeys([Way(), *ways_of(t, self.unit)])), clause="YD-MOVE-01")

    def prompt(self, t: Yard) -> str:
        return "Which way?"


def ways_of(t: Yard, unit: int) -> Iterator[Way]:
    """Yield some possible paths of a unit: around its place, and more for some kinds."""
    u, pace = t.units[unit], UNITS[t.units[unit].kind].pace
    goals = [point_along(u.at[0], d, pace) for d in directions(8)]
    if u.hull is not None:
        yield from _drives(t, unit, u.hull, goals)
        return
    ground, discs = for_bases(t, unit)
    if u.kind == "crew":
        for goal in goals:
            paths = march(ground, u.discs, goal, pace, discs, anchor=0)
            if any(len(path) > 1 for path in paths):
                yield Way(paths)
        return
    lead = u.at[0]
    radius = u.discs[0][2]
    for goal in goals:
        path = cut_to(ground, halted(ground, (lead, goal), radius, discs, _shunned(t, unit), SHUNNED), pace)
        if len(path) > 1:
            yield Way((path,))
        if u.kind == "drone" and left_over(t.ground.box, (*goal, radius)) == HOME[u.side]:
            yield Way(((lead, goal),))
    for number in t.enemies(u.side) if u.kind == "runner" else ():
        for target in t.units[number].discs if t.units[number].kind in ("runner", "crew") else ():
            rest = [disc for disc in discs if disc != target]
            yield from [
                Way((path,))
                for path in approaches(ground, lead, radius, target, rest)
                if len(path) > 1 and spent(ground, path) <= pace
            ]


def _shunned(t: Yard, unit: int) -> list[Disc]:
    if t.units[unit].kind == "drone":
        return []
    return [disc for number in t.enemies(t.units[unit].side) for disc in t.units[number].discs]


def _drives(t: Yard, unit: int, hull: Hull, goals: Sequence[Point]) -> Iterator[Way]:
    """Yield the drives of a hull: ahead to a goal around obstacles, and back. Units aboard may get out instead."""
    ground, others, pace = t.ground_for(unit), t.others(unit), UNITS[t.units[unit].kind].pace
    back = point_along(hull.at, (-hull.heading[0], -hull.heading[1]), pace // 2)
    drives = [drive(ground, hull, goal, others, limit=pace) for goal in goals]
    drives.append(facing((hull.at, back), back=True))
    for legs in drives:
        if legs and drive_fault(ground, hull, legs, others) is None and spent(ground, path_of(hull, legs)) <= pace:
            yield Way((path_of(hull, legs),), tuple([leg.heading for leg in legs]))
    for number, rider in enumerate(t.units):
        if rider.aboard == unit:
            beside, discs = for_bases(t, number)
            places: list[Point] = []
            for place in contact_places_of(beside, hull, 100, in_front_of(hull, 100), discs):
                if stands(beside, (*place, 100), [(*p, 100) for p in places]):
                    places.append(place)
                if len(places) == rider.waiting and not strewn([(*p, 100) for p in places]):
                    yield Way((tuple(places),), out=number)
                    break


# --- the rulebook -----------------------------------------------------------------------------------------------------

_BOX = ((0, 0), (1, 0), (1, 1), (0, 1))


def _box(id: str, kind: str, x: int, y: int, w: int, h: int) -> Terrain:
    """Return a rectangle of terrain, in inches."""
    return Terrain(id, KINDS[kind], tuple([((x + w * i) * INCH, (y + h * j) * INCH) for i, j in _BOX]))


TABLE = Table(
    36 * INCH,
    30 * INCH,
    (
        _box("woods", "woods", 4, 10, 8, 9),
        _box("hedge", "hedge", 20, 14, 10, 1),
        _box("tower", "tower", 14, 12, 3, 3),
        Terrain("bog", KINDS["bog"], circle=(26 * INCH, 20 * INCH, 3 * INCH)),
    ),
)


class YardRules(Ruleset):
    """The yard."""

    name = "yard"
    title = "Yard"
    prefix = "YD-"
    state = Yard

    def scenarios(self) -> Sequence[ScenarioCard]:
        return [ScenarioCard(id="yard", title="The yard", minutes=1)]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Yard:
        """Place both sides before their edges, the second as the first after half a turn."""
        units: list[Unit] = []
        for side in (0, 1):
            towards, own = INWARD[HOME[side]], len(units)

            def put(x: int, y: int, side: int = side) -> tuple[Point, ...]:
                place = (x * INCH, y * INCH)
                return (place if side == 0 else (TABLE.width - place[0], TABLE.height - place[1]),)

            units += [
                Unit(side=side, kind="tank", at=put(19, 4), heading=towards),
                Unit(side=side, kind="drone", at=put(15, 4), heading=towards),
                Unit(side=side, kind="runner", at=put(22, 7), heading=towards),
                Unit(side=side, kind="truck", waiting=1),
                Unit(side=side, kind="crew", waiting=3, aboard=own + 3, heading=towards),
            ]
        return Yard(book=book, stack=[Battle()], table=TABLE, units=units)

    def depict(self, t: Yard, side: int | None) -> Picture:
        raise NotImplementedError


ruleset = YardRules()
