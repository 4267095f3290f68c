"""The action Move: on the ground, by jump packs, by air, and over an edge of the table.

Enemies on overwatch may interrupt a Move; its models are then at the places where they were stopped. A jump may end in
a bad landing, and Terrifying units nearby cause tests. The possible Moves are in `routes`.

Readings:

- The 12 inches of jump packs are the limit for the whole activation: after 4 inches on foot they carry a unit 8 inches
  (SQ-Q36). A Move by a token is separate and has the full 12 inches.
- A flyer or jumper that is stopped in the air lands at the nearest free place, and may land badly there.
- The distance of a Move is that of the middle model along its path. Difficult ground increases the cost, but not the
  distance (SQ-Q60).
- A machine faces along its path, or backwards if it reverses. From the first leg on, enemies see the machine facing
  that way.
- A flyer in flight that has made no Move of 12 inches by the end of its activation leaves the table (SQ-S56).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.asking import Guards, Proposal, Region, Wish
from caltrop.chance import Dice, Pool, Roll
from caltrop.engine import (
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Throw,
    agreeing,
    decimal,
    does,
    guard,
    rule,
    step,
)
from caltrop.geometry import (
    INCH,
    Point,
    path_length,
)
from caltrop.picture import Motion
from caltrop.rules.squad_action.acts import Doings, Paths, UnitAct, name_of
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.broken import Terror
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import kinds
from caltrop.rules.squad_action.limits import NOBODY_MOVES, Way
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.reach import FLOWN, allowance, edges_at, exits_of
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.routes import Routes, routes_of
from caltrop.rules.squad_action.standing import find_room
from caltrop.rules.squad_action.under_way import faces_at, last_open, share_of
from caltrop.rules.squad_action.victory import come_back, left_the_table
from caltrop.rules.squad_action.watched import foretold
from caltrop.rules.squad_action.watching import length_of, lose_overwatch, up_to
from caltrop.table.measured import (
    SHAPES,
    Edge,
    Shape,
)
from caltrop.table.measured.corridor import holds

MOST_MOVES = 2
"""Number of Moves that a vehicle may make in an activation (SQ-S54)."""
NOT_ON_TABLE = guard("SQ-ACT-01", "not-on-table", "{name:is} not on the table, and {name::does} not enter it this turn")
PINNED = guard("SQ-Q08", "pinned", "{name:is} Pinned, and cannot move")
BROKEN = guard("SQ-S23", "broken", "{name:is} broken, and only {name::falls} back")
IMMOBILE = guard("SQ-S51", "immobile", "{name:is} immobile")
MOVED_TWICE = guard("SQ-S54", "moved-twice", "{name:makes} at most {count} Moves")
NO_PACKS = guard("SQ-TRT-09", "no-packs", "{name:has} no packs")
PACKS_USED = guard("SQ-Q36", "packs-used", "{name:has} used {name::its} packs in this activation")
LADEN = guard("SQ-S72", "laden", "{name:has} the pilot with it, and cannot use packs")
NOT_A_SCOUT = guard("SQ-TRT-13", "not-a-scout", "Only {name} {name::moves} before the battle")
NO_PACKS_YET = guard("SQ-TRT-13", "no-packs-yet", "Before the battle {name:moves} on foot")
STAYS_ON = guard("SQ-TRT-13", "stays-on", "Before the battle {name:does} not leave the table")


class Moving(Procedure):
    """A unit moves (SQ-ACT-01)."""

    act: Move
    token: bool = False
    """True if an overwatch token pays for the Move, so that it is not one of the unit's own Moves (SQ-Q60)."""
    before: int = 0
    distance: int = 0
    """Length of the Move."""
    headings: tuple[Point, ...] = ()
    """Directions of a machine on each leg of its path, and at its end."""
    faced: Point | None = None
    """Direction of a machine before the Move; None for soldiers."""
    came_with: int = 0
    """Distance that the unit had moved earlier in its activation."""
    enters: bool = False
    """True if the unit enters the table with this Move."""

    @step("SQ-ACT-01", "SQ-Q59", "SQ-ORG-09", "SQ-S47")
    def set_out(self, t: Firefight) -> Run:
        unit, paths = self.act.unit, self.act.paths
        self.distance = distance_of(t, self.act)
        self.headings = routes_of(t, unit, self.act.jump).headings(self.act)
        self.came_with = t.units[unit].travelled
        self.faced = t.models[t.units[unit].models[0]].heading if self.headings else None
        self.enters = t.units[unit].where == "reserve"
        if self.enters:
            t.change(unit, where="table", due=False)
            t.put({m: path[0] for m, path in paths})
            come_back(t, unit)
            t.tell(Entered(unit))
        if self.headings:
            t.change_model(t.units[unit].models[0], heading=self.headings[0])
        return Run(self.under_way(t))

    def under_way(self, t: Firefight) -> UnderWay:
        """Return the procedure by which enemies on overwatch may interrupt the Move."""
        act, u = self.act, t.units[self.act.unit]
        return UnderWay(
            actor=u.id,
            paths=act.paths,
            before=self.before,
            act=act,
            counts=not self.token,
            distance=self.distance,
            travelled=u.travelled,
            moved=u.moved,
            headings=self.headings,
            appeared=self.enters,
        )

    @step("SQ-ACT-01", "SQ-Q59", "SQ-Q60", "SQ-ORG-07", "SQ-S33", "SQ-Q50", "SQ-S23")
    def arrive(self, t: Firefight, test: tuple[int, bool]) -> Go | End | None:
        """All models are at the ends of their paths, or where the unit was stopped or has fallen back to."""
        moment, stopped = test
        act, unit = self.act, self.act.unit
        u = t.units[unit]
        if not u.in_play:
            return End()
        distance = share_of(self.distance, moment, length_of(act.paths)) if stopped else self.distance
        if not stopped:
            t.put({m: path[-1] for m, path in act.paths if m in u.models})
        elif not u.broken:
            find_room(t, unit)
        if stopped and moment == 0:
            # A unit that was stopped at its start has not moved (SQ-Q60).
            heading = self.faced
        else:
            self._count(t, distance)
            heading = faces_at(act, self.headings, moment if stopped else length_of(act.paths))
        if heading is not None:
            t.change_model(u.models[0], heading=heading)
        if not u.broken:
            ways = () if stopped else tuple([way for way in act.paths if way[0] in u.models])
            stays = stopped and moment == 0
            verb = "jumps" if act.jump else "moves"
            t.tell(Moved(unit, distance, verb, stopped, ways, stays))
        if act.off and not stopped:
            leave(t, unit, edge_of(t, unit, act.paths))
            return End()
        lands = act.jump and not u.broken and not (stopped and moment == 0)
        return None if lands else Go("frighten")

    @step("SQ-TRT-10", "SQ-Q80")
    def come_down(self, t: Firefight) -> Throw | Go:
        """A unit that lands in difficult terrain after a jump rolls one die.

        A unit that was stopped before it took off, or has moved on from its landing place, does not roll.
        """
        u = t.units[self.act.unit]
        if not in_difficult_ground(t, u.id):
            return Go("frighten")
        return Throw(Pool(1), side=u.side, words=f"{does(u.name, 'comes')} down in difficult ground: 1 is a wound")

    @step("SQ-TRT-10", "SQ-TRT-11")
    def hurt(self, t: Firefight, roll: Roll) -> Run | Go:
        """On a 1 the unit takes a wound, which only armour can save."""
        unit = self.act.unit
        t.tell(CameDown(unit, roll[0]))
        if roll[0] != 1:
            return Go("frighten")
        return Run(TakeHits(unit=unit, hits=1, may_be_hit=t.units[unit].models, flame=True))

    @step("SQ-ORG-28", "SQ-ORG-29", "SQ-Q53")
    def count_loss(self, t: Firefight, lost: int) -> Run:
        return Run(AfterAttack(unit=self.act.unit, lost=lost, hit=False))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run | End:
        """Units that have come within 10 inches of a Terrifying enemy are tested."""
        return Run(Terror(unit=self.act.unit)) if t.units[self.act.unit].in_play else End()

    @step("SQ-ACT-01")
    def end(self, t: Firefight) -> None: ...

    def _count(self, t: Firefight, distance: int) -> None:
        u = t.units[self.act.unit]
        if self.token:
            t.change(u.id, crept=t.round)
            return
        t.change(
            u.id,
            travelled=self.came_with + distance,
            moved=True,
            moves=u.moves + 1,
            jumped=u.jumped or self.act.jump,
            flown=u.flown or distance >= FLOWN,
        )


class UnderWay(Interruptions, kw_only=True):
    """Enemies on overwatch interrupt a Move. After each interruption the rest of the path is checked again.

    The distance that the unit has moved counts for shots at it (SQ-Q60).
    """

    act: Move
    counts: bool = True
    """True if the Move adds to the unit's distance; False for a Move by a token."""
    distance: int = 0
    """Length of the whole Move, in tenths of a millimetre."""
    travelled: int = 0
    """Distance that the unit had moved earlier in its activation."""
    moved: bool = False
    """True if the unit had moved earlier in its activation."""
    headings: tuple[Point, ...] = ()
    """Directions of a machine on each leg, and at the end."""
    short: bool = False
    """True if a new obstacle makes the unit stop before the end of its original path."""

    def place(self, t: Firefight, moment: int) -> None:
        """Put the unit where it is at a moment of its Move, with its direction and the distance so far."""
        super().place(t, moment)
        heading = faces_at(self.act, self.headings, moment)
        if heading is not None:
            t.change_model(t.units[self.actor].models[0], heading=heading)
        if self.counts:
            gone = share_of(self.distance, moment, length_of(self.act.paths))
            t.change(self.actor, travelled=self.travelled + gone, moved=self.moved or moment > 0)

    def stopped(self, t: Firefight) -> bool:
        return super().stopped(t) or t.units[self.actor].immobile

    def look_again(self, t: Firefight) -> None:
        """Shorten the paths if there are new obstacles, or if the unit's end is occupied."""
        until = last_open(self.routes(t), self.act, self.paths, self.moment, self.headings)
        if until < length_of(self.paths):
            self.paths, self.short = up_to(self.paths, until), True

    def routes(self, t: Firefight) -> Routes:
        """Return the unit's possible Moves in the present position."""
        return Routes(t, self.actor, self.act.jump)

    def finish(self, t: Firefight) -> End:
        """End the Move: stop where the path is blocked, otherwise go to its end."""
        if not self.short:
            return super().finish(t)
        self.halt(t, length_of(self.paths))
        return End((self.moment, True))


# --- units that may move ---------------------------------------------------------------------------------------------


MOVES = Guards(
    (
        NOT_ON_TABLE,
        lambda t, unit: not t.units[unit].in_play and not (t.units[unit].where == "reserve" and t.units[unit].due),
    ),
    (PINNED, lambda t, unit: t.units[unit].pinned),
    (BROKEN, lambda t, unit: t.units[unit].broken),
    (IMMOBILE, lambda t, unit: t.units[unit].immobile),
    (MOVED_TWICE, lambda t, unit: has_moved_twice(t.units[unit])),
    name=name_of,
    count=lambda: MOST_MOVES,
)
"""Reasons why a unit cannot move at all."""
PACKS = Guards(
    (NO_PACKS, lambda t, unit: "jump-infantry" not in t.units[unit].traits),
    (PACKS_USED, lambda t, unit: t.units[unit].jumped and t.units[unit].activated),
    (LADEN, lambda t, unit: t.pilot is not None and t.pilot.unit == unit),
    name=name_of,
)
"""Reasons why a unit cannot use jump packs now."""


def has_moved_twice(u: Unit) -> bool:
    return u.machine and u.activated and u.moves >= MOST_MOVES


def edge_of(t: Firefight, unit: int, paths: Paths) -> Edge:
    box = t.ground.box
    return next(edge for edge in exits_of(t, unit) if all(edge in edges_at(box, path[-1]) for _, path in paths))


@rule("SQ-Q60", "SQ-Q50")
def distance_of(t: Firefight, act: Move) -> int:
    """A Move is as long as the way of the middle model that moves least."""
    lengths = {m: path_length(path) for m, path in act.paths}
    return min([lengths.get(m, 0) for m in routes_of(t, act.unit, act.jump).middle(act)])


@rule("SQ-TRT-10", "SQ-Q80")
def in_difficult_ground(t: Firefight, unit: int) -> bool:
    """Return whether the centre of a model of a unit is in difficult ground.

    Light Infantry and Recon land in difficult ground as badly as other units, because their traits only help with
    moving through it.
    """
    ground = t.ground.for_mover(kinds(t).passage("foot"))
    places = [t.models[m].at for m in t.units[unit].models]
    return any(slow.factor > 1 and holds(slow.piece, p) for slow in ground.slow_pieces for p in places if p is not None)


# --- over the edge ---------------------------------------------------------------------------------------------------


def leave(t: Firefight, unit: int, edge: Edge | None = None, slow: bool = False) -> None:
    """Take a unit off the table. A flyer may return, and the Move may count for the mission (SQ-S56, SQ-S70).

    Args:
        edge: The edge that the unit crosses; None if it is unknown.
        slow: True for a flyer that made no Move of 12 inches.
    """
    u = t.units[unit]
    lose_overwatch(t, unit)
    for m in u.models:
        t.change_model(m, at=None)
    t.change(unit, where="away", pinned=False)
    t.tell(Left(unit, slow))
    if edge is not None:
        left_the_table(t, unit, edge)


def flies_off(t: Firefight, unit: int) -> None:
    """Remove a flyer that made no Move of 12 inches in its activation from the table (SQ-S56)."""
    u = t.units[unit]
    if u.kind == "flyer" and u.in_play and must_fly_on(t, unit):
        leave(t, unit, slow=True)


@rule("SQ-S56")
def must_fly_on(t: Firefight, unit: int) -> bool:
    """A flyer in flight has to make a Move of 12 inches or more, or leave the table."""
    u = t.units[unit]
    return not u.hovering and not u.flown


# --- places for a unit -----------------------------------------------------------------------------------------------


def proposal_of(routes: Routes, act: Way | None) -> Proposal:
    """Return a Move as a proposal, which is shown before the Move is made."""
    if act is None:
        return Proposal(refusal=NOBODY_MOVES.refuses(True, name=routes.u.name))
    wrong = routes.wrong(act)
    refusal = wrong and wrong.refusal()
    costs = [routes.cost(routes.ground, path) for _, path in act.paths]
    longest = max([path_length(path) for _, path in act.paths], default=0)
    facing = routes.heading_after(act)
    return Proposal(
        action=None if refusal is not None else Move.of_way(routes, act),
        paths=dict(act.paths),
        length=longest,
        left=max(routes.limit - max(costs, default=0), 0),
        refusal=refusal,
        faults=() if wrong is None else wrong.at,
        headings=UNSET if facing is None else {routes.models[0]: facing},
    )


# --- decisions -------------------------------------------------------------------------------------------------------


def how_off_course(
    t: Firefight, unit: int, paths: Paths, heading: Point | None, jump: bool, off: bool
) -> Refusal | None:
    """Return why a unit may not move in this way, or None if it may."""
    wrong = routes_of(t, unit, jump).wrong(Way(paths, heading, off))
    return wrong and wrong.refusal()


class Move(UnitAct, frozen=True):
    """Move a unit, or turn a machine on the spot."""

    paths: Paths
    """The path of each moving model. The paths of a unit from reserve begin at the edge of the table."""
    heading: Point | None = None
    """Direction of a machine's front at the end; by default the direction of its path."""
    jump: bool = False
    """True if Jump Infantry uses its packs."""
    off: bool = False
    """True if the unit leaves the table at the end of its paths."""

    kind = "move"
    words = "{how}"
    says: ClassVar = {
        "how": lambda t, unit, paths, off: f"Leave over the {edge_of(t, unit, paths)} edge" if off else "Move",
    }
    dragged = True
    guards = Guards(
        MOVES,
        lambda t, unit, jump: PACKS.why(t, unit=unit) if jump else None,
        how_off_course,
    )

    @classmethod
    def of_way(cls, routes: Routes, way: Way) -> Move:
        return cls(routes.unit, way.paths, way.heading, routes.jump, way.off)

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Moving:
        return Moving(act=self, token=token, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        return not t.units[unit].immobile

    def nearest(self, o: Doings) -> Move | None:
        if not MOVES.may(o.t, unit=self.unit):
            return None
        grounded = self.jump and not PACKS.may(o.t, unit=self.unit)
        routes = routes_of(o.t, self.unit, self.jump and not grounded)
        near = Way(self.paths, self.heading, self.off) if grounded and routes.legal(self) else routes.nearest(self)
        return near and self.of_way(routes, near)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[Move]:
        if MOVES.may(o.t, unit=o.unit):
            for jump in (False, True) if PACKS.may(o.t, unit=o.unit) else (False,):
                routes = routes_of(o.t, o.unit, jump)
                for way in routes.moves():
                    yield cls.of_way(routes, way)

    @classmethod
    def some(cls, o: Doings) -> bool:
        """Return whether the unit can move. Turns of a machine are tried first, because its paths are often blocked."""
        if not MOVES.may(o.t, unit=o.unit):
            return False
        packs = (False, True) if PACKS.may(o.t, unit=o.unit) else (False,)
        return any(routes_of(o.t, o.unit, jump).can_go() for jump in packs)

    @classmethod
    def random(cls, o: Doings, dice: Dice) -> Move | None:
        if not MOVES.may(o.t, unit=o.unit):
            return None
        routes = routes_of(o.t, o.unit, PACKS.may(o.t, unit=o.unit) and dice.below(2) == 0)
        way = routes.sample(dice)
        return way and cls.of_way(routes, way)

    @classmethod
    def offered(cls, o: Doings) -> Iterator[Move]:
        if MOVES.may(o.t, unit=o.unit) and o.t.units[o.unit].in_play:
            routes = routes_of(o.t, o.unit)
            ways = [routes.leaving(edge) for edge in exits_of(o.t, o.unit)]
            yield from [cls.of_way(routes, way) for way in ways if routes.legal(way)]

    @classmethod
    def regions(cls, o: Doings) -> Iterator[Region]:
        t, unit = o.t, o.unit
        if not MOVES.may(t, unit=unit):
            return
        enters = t.units[unit].where == "reserve"
        form, words = ("place", "Enter the table") if enters else ("move", "Move")
        yield Region(form=form, unit=unit, words=words, bands=((allowance(t, unit, False), 0),))
        if PACKS.may(t, unit=unit):
            yield Region(form=form, unit=unit, words="Jump", bands=((allowance(t, unit, True), 0),), act="jump")

    @classmethod
    def propose(cls, o: Doings, wish: Wish) -> Proposal | None:
        """Return the Move for a drag: the middle model leads, and the others keep formation around obstacles."""
        t, jump = o.t, wish.act == "jump"
        if wish.act not in ("", "move", "jump") or wish.unit != o.unit:
            return None
        refusal = MOVES.why(t, unit=o.unit) or (PACKS.why(t, unit=o.unit) if jump else None)
        if refusal is not None:
            return Proposal(refusal=refusal)
        routes = routes_of(t, o.unit, jump)
        legs = (*wish.waypoints, *((wish.to,) if wish.to is not None else ()))
        shape: Shape = next((s for s in SHAPES if s == wish.shape), "keep")
        way = routes.drawn(legs, wish.models, shape, wish.facing)
        found_way = proposal_of(routes, way)
        if found_way.refusal is None and way is not None:
            return foretold(routes, way, found_way)
        if found_way.refusal is None or found_way.refusal.nearest is not None:
            return found_way
        nearest = routes.nearest if wish.waypoints else routes.ending_nearest
        short = None if way is None else nearest(way)
        near = cls.of_way(routes, short) if short is not None else next(cls.every(o), None)
        return msgspec.structs.replace(found_way, refusal=found_way.refusal.towards(near))


# --- events ----------------------------------------------------------------------------------------------------------


class Moved(Event, frozen=True):
    unit: int
    distance: int
    how: str
    stopped: bool
    paths: Paths = ()
    """Paths of the models; empty if the unit was stopped."""
    stays: bool = False
    """True if the unit was stopped before a model moved. A distance of 0 does not show it: the models at the edge of a
    unit may move alone.
    """
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-01",)

    def sentence(self, t: Firefight) -> str:
        name = t.units[self.unit].name
        if self.stays:
            return f"{does(name, 'is')} stopped before {agreeing(name, 'it')} {agreeing(name, 'moves')}"
        far = decimal(self.distance, INCH)
        end = f", and {agreeing(name, 'is')} stopped there" if self.stopped else ""
        return f"{does(name, self.how)} {quantity(far, 'inch')}{end}"

    def motion(self, t: Firefight) -> Motion | None:
        return None if self.stays else Motion(sort="move", unit=self.unit, ways=self.paths)


class Entered(Event, frozen=True):
    """A unit entered the table."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-09", "SQ-S47")
    template = "{unit:enters} the table"
    shown = MotionOf("place")


class Left(Event, frozen=True):
    unit: int
    slow: bool = False
    """True for a flyer that made no Move of 12 inches."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S56", "SQ-S70")
    shown = MotionOf("mark", "leaves")

    def sentence(self, t: Firefight) -> str:
        name = t.units[self.unit].name
        if self.slow:
            return f"{does(name, 'has')} made no Move of 12 inches, and {agreeing(name, 'flies')} off the table"
        return f"{does(name, 'leaves')} the table"


class CameDown(Event, frozen=True):
    """A unit landed in difficult ground."""

    unit: int
    face: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-TRT-10",)

    def sentence(self, t: Firefight) -> str:
        how = "badly" if self.face == 1 else "well"
        return f"{does(t.units[self.unit].name, 'comes')} down {how} in difficult ground"
