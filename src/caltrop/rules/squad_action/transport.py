"""Transports: boarding and leaving them, and getting out of one that is destroyed (SQ-S45, SQ-S46, SQ-S57).

Readings:

- Boarding and leaving count as moving for the weapons of the unit, and as no inches.
- Who leaves is placed, and watchers see it where it stands then; who boards is seen where it stood.
- Survivors who find no room within 3 inches are lost with it.
- A transport has moved more than 8 inches this turn where it was activated in this turn, and went so far (SQ-Q60).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import FACES, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Options,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    does,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Point, gap_between, near_to
from caltrop.picture import Motion
from caltrop.rules.squad_action.acts import ActKind, Alight, Board, Kind, Path, register
from caltrop.rules.squad_action.casualties import AfterAttack, TakeHits, destroy, pin
from caltrop.rules.squad_action.fight import Firefight
from caltrop.rules.squad_action.moving import Placing, how_it_fits, places_near
from caltrop.rules.squad_action.overwatch import Interruptions, lose_overwatch
from caltrop.rules.squad_action.places import FOOT, bodies, body
from caltrop.rules.squad_action.rally import Terror
from caltrop.rules.squad_action.routes import is_shaken_up

REACH = 3 * INCH
"""How near to a transport boards who boards it, and stands who leaves it."""
FAST_RIDE = 8 * INCH
"""Who leaves a transport that has gone farther in this turn is dazed."""
HURT_ON = 5
"""What hurts a passenger when a transport is destroyed (SQ-S46)."""
ON_FOOT = guard("SQ-S45", "on-foot", "{name:does} not ride: only soldiers do")
NOT_ON_TABLE = guard("SQ-S45", "not-on-table", "{name:is} not on the table")
NOT_ABOARD = guard("SQ-S45", "not-aboard", "{name:is} aboard nothing")
NO_TRANSPORT = guard("SQ-S45", "no-transport", "{vehicle:carries} nobody of {name}")
NO_SEATS = guard("SQ-S45", "no-seats", "{vehicle:has} {free} free seats, and {name:has} {count} models")
TOO_FAR_TO_BOARD = guard(
    "SQ-S45", "too-far", "{name:has} to be within 3 inches of {vehicle}, and one model is {gap:inch} away"
)
PINNED_UNIT = guard("SQ-S45", "pinned", "{name:is} Pinned, and {name::rallies} first")
PINNED_VEHICLE = guard("SQ-S45", "pinned-vehicle", "{vehicle:is} Pinned, and {vehicle::lets} nobody in")
IN_THE_AIR = guard("SQ-S57", "in-the-air", "{vehicle:does} not hover: nobody boards or leaves it")
ONCE = guard("SQ-S45", "once", "{name:has} boarded or left a transport in this activation")
LADEN = guard("SQ-S72", "laden", "{name:has} the pilot with it, and {name::boards} nothing")
ALL_MODELS = guard("SQ-S45", "all-models", "{name:has} {count} models, and {given} places were given")
OUT_OF_REACH = guard(
    ("SQ-S45", "SQ-S46"),
    "out-of-reach",
    "{name:stands} within 3 inches of {vehicle}, and one is {gap:inch} away",
)
DAZED = guard(
    "SQ-S45",
    "dazed",
    "{name:has} left a transport that went over 8 inches, and neither {name::shoots} nor {name::assaults}",
)


class Boarding(Procedure):
    """A unit boards a transport (SQ-ACT-05)."""

    act: Board
    before: int = 0

    @step("SQ-ACT-05", "SQ-S31")
    def begin(self, t: Firefight) -> Run:
        """Watchers may break in."""
        return Run(Interruptions(actor=self.act.unit, before=self.before))

    @step("SQ-ACT-05", "SQ-S45")
    def board(self, t: Firefight, came: tuple[int, bool]) -> None:
        """All of it is aboard, if nobody stopped it and the transport is still there."""
        _, stopped = came
        act = self.act
        if stopped or not may_board(t, act.unit, act.vehicle):
            return
        lose_overwatch(t, act.unit)
        for m in t.units[act.unit].models:
            t.change_model(m, at=None)
        t.change(act.unit, where="aboard", carrier=act.vehicle, moved=True, rode=True)
        t.tell(Boarded(act.unit, act.vehicle))


class Alighting(Procedure):
    """A unit leaves a transport (SQ-ACT-05)."""

    act: Alight
    before: int = 0

    @step("SQ-ACT-05", "SQ-S45")
    def get_out(self, t: Firefight) -> Run:
        """It stands beside the transport; then watchers may break in."""
        unit = self.act.unit
        vehicle = t.units[unit].carrier
        assert vehicle is not None
        t.put(dict(self.act.places))
        t.change(unit, where="table", carrier=None, moved=True, rode=True, dazed=is_dazed(t, vehicle))
        t.tell(Alighted(unit, vehicle))
        return Run(Interruptions(actor=unit, before=self.before))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight, came: tuple[int, bool]) -> Run | End:
        """Those who stand within 10 inches of a Terrifying enemy are tested."""
        return Run(Terror(unit=self.act.unit)) if t.units[self.act.unit].in_play else End()

    @step("SQ-ACT-05")
    def end(self, t: Firefight) -> None:
        """It is out."""


class SpillOut(Procedure):
    """What becomes of those aboard a machine that is destroyed, while it still stands there (SQ-S46, SQ-ORG-66)."""

    unit: int
    """The machine."""
    passenger: int = -1
    """The unit that gets out."""
    lost: int = 0

    @step("SQ-S46", "SQ-ORG-66")
    def next_unit(self, t: Firefight) -> Throw | Go:
        """Each unit in turn: a die for each passenger."""
        for u in t.aboard(self.unit):
            if lost_with_it(t, self.unit):
                destroy(t, u.id, "is lost with it")
        aboard = t.aboard(self.unit)
        if not aboard:
            return Go("done")
        self.passenger = aboard[0].id
        n = len(aboard[0].models)
        return Throw(Pool(n), reads=FACES, side=aboard[0].side, words=f"Who is hurt of {aboard[0].name}: {HURT_ON}+")

    @step("SQ-S46")
    def hurt(self, t: Firefight, roll: Roll) -> Run:
        """Armour may save them."""
        hits = sum([hurts(t, face) for face in roll])
        u = t.units[self.passenger]
        t.tell(Spilled(u.id, roll, hits))
        return Run(TakeHits(unit=u.id, hits=hits, may_be_hit=u.models))

    @step("SQ-S46")
    def place(self, t: Firefight, lost: int) -> Ask | Go:
        """The survivors are placed by their owner."""
        self.lost = lost
        u = t.units[self.passenger]
        if not u.models:
            destroy(t, u.id, "is destroyed")
            return Go("next_unit")
        return ask(WhereOut(side=u.side, unit=u.id, vehicle=self.unit))

    @step("SQ-S46", "SQ-S45")
    def stand(self, t: Firefight, choice: Alight | NoWayOut) -> Run:
        """They stand there, Pinned without a check; then the last-model rule and the break test."""
        u = t.units[self.passenger]
        if isinstance(choice, Alight):
            t.put(dict(choice.places))
            t.change(u.id, where="table", carrier=None)
            pin(t, u.id)
        else:
            destroy(t, u.id, "finds no way out")
        return Run(AfterAttack(unit=u.id, lost=self.lost, hit=False))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run | Go:
        """Those who stand within 10 inches of a Terrifying enemy are tested."""
        return Run(Terror(unit=self.passenger)) if t.units[self.passenger].in_play else Go("next_unit")

    @step("SQ-S46")
    def again(self, t: Firefight) -> Go:
        """The next unit."""
        return Go("next_unit")

    @step("SQ-S46")
    def done(self, t: Firefight) -> None:
        """All are out."""


# --- who may board and leave -----------------------------------------------------------------------------------------


@rule("SQ-S45", "SQ-S55")
def free_seats(t: Firefight, vehicle: int) -> int:
    """Seats are counted in models; several units ride if they fit."""
    if t.units[vehicle].on_foot:
        return 0
    return t.vehicle(vehicle).number("seats") - sum([len(u.models) for u in t.aboard(vehicle)])


@rule("SQ-S45")
def is_dazed(t: Firefight, vehicle: int) -> bool:
    """Who leaves a transport that has gone more than 8 inches this turn is not fit to attack."""
    v = t.units[vehicle]
    return v.activated and v.travelled > FAST_RIDE


def why_no_attack(t: Firefight, unit: int) -> Refusal | None:
    """Why a unit that has left a transport may neither shoot nor assault, None where it may (SQ-S45)."""
    u = t.units[unit]
    return DAZED.refuses(is_shaken_up(t, unit), name=u.name)


def why_not_board(t: Firefight, unit: int, vehicle: int) -> Refusal | None:
    """Why a unit may not board a transport, None where it may."""
    u = t.units[unit]
    found = (
        ON_FOOT.refuses(not u.on_foot, name=u.name)
        or NOT_ON_TABLE.refuses(not u.in_play, name=u.name)
        or PINNED_UNIT.refuses(u.pinned or u.broken, name=u.name)
        or ONCE.refuses(u.rode and u.activated, name=u.name)
        or LADEN.refuses(t.pilot is not None and t.pilot.unit == unit, name=u.name)
    )
    if found is not None:
        return found
    known = 0 <= vehicle < len(t.units)
    v = t.units[vehicle] if known else u
    free = free_seats(t, vehicle) if known and v.machine else 0
    seats = t.vehicle(vehicle).seats if known and v.machine else 0
    found = (
        NO_TRANSPORT.refuses(v.side != u.side or not v.in_play or seats == 0, vehicle=v.name, name=u.name)
        or NO_SEATS.refuses(free < len(u.models), vehicle=v.name, free=free, name=u.name, count=len(u.models))
        or PINNED_VEHICLE.refuses(v.pinned, vehicle=v.name)
        or IN_THE_AIR.refuses(v.kind == "flyer" and not v.hovering, vehicle=v.name)
    )
    if found is not None:
        return found
    (hull,) = bodies(t, vehicle)
    far = max([gap_between(b, hull) for b in bodies(t, unit)])
    return TOO_FAR_TO_BOARD.refuses(far > REACH, name=u.name, vehicle=v.name, gap=far)


def may_board(t: Firefight, unit: int, vehicle: int) -> bool:
    """The same, and it is not counted as a refusal."""
    u, v = t.units[unit], t.units[vehicle]
    if not (v.side == u.side and v.in_play and v.machine and u.in_play and u.on_foot) or u.pinned or u.broken:
        return False
    if v.pinned or (v.kind == "flyer" and not v.hovering) or (u.rode and u.activated):
        return False
    if (t.pilot is not None and t.pilot.unit == unit) or free_seats(t, vehicle) < len(u.models):
        return False
    (hull,) = bodies(t, vehicle)
    return all(near_to(b, hull, REACH) for b in bodies(t, unit))


def why_not_leave(t: Firefight, unit: int) -> Refusal | None:
    """Why a unit may not leave the transport that it is aboard, None where it may; a Pinned vehicle lets it out."""
    u = t.units[unit]
    found = NOT_ABOARD.refuses(u.where != "aboard" or u.carrier is None, name=u.name)
    if found is not None or u.carrier is None:
        return found
    v = t.units[u.carrier]
    return (
        NOT_ON_TABLE.refuses(not v.in_play, name=v.name)
        or PINNED_UNIT.refuses(u.pinned, name=u.name)
        or ONCE.refuses(u.rode and u.activated, name=u.name)
        or IN_THE_AIR.refuses(v.kind == "flyer" and not v.hovering, vehicle=v.name)
    )


def may_leave(t: Firefight, unit: int) -> bool:
    """The same, and it is not counted as a refusal."""
    u = t.units[unit]
    if u.where != "aboard" or u.carrier is None or u.pinned or (u.rode and u.activated):
        return False
    v = t.units[u.carrier]
    return v.in_play and (v.kind != "flyer" or v.hovering)


def why_not_there(t: Firefight, unit: int, vehicle: int, places: Sequence[tuple[int, Point]]) -> Refusal | None:
    """Why those who get out of a transport may not stand so, None where they may."""
    u, v = t.units[unit], t.units[vehicle]
    given = dict(places)
    count = len(u.models)
    found = ALL_MODELS.refuses(
        set(given) != set(u.models) or len(places) != count, name=u.name, count=count, given=len(given)
    )
    if found is not None or set(given) != set(u.models):
        return found
    (hull,) = bodies(t, vehicle)
    far = max([gap_between((*p, FOOT), hull) for p in given.values()])
    found = OUT_OF_REACH.refuses(far > REACH, name=u.name, vehicle=v.name, gap=far)
    if found is not None:
        return found
    wrong = how_it_fits(t, unit, given)
    return None if wrong is None else wrong.refusal()


def stands_there(t: Firefight, unit: int, vehicle: int, placing: Placing) -> bool:
    """The same, and it is not counted as a refusal."""
    (hull,) = bodies(t, vehicle)
    near = all(near_to((*p, FOOT), hull, REACH) for _, p in placing)
    return near and len(placing) == len(t.units[unit].models) and how_it_fits(t, unit, dict(placing)) is None


def ways_out(t: Firefight, unit: int, vehicle: int) -> Iterator[Placing]:
    """Some ways to stand beside a transport, in a fixed order."""
    yield from places_near(t, unit, REACH, body(t, t.units[vehicle].models[0]))


def drawn_out(t: Firefight, unit: int, vehicle: int, wish: Wish) -> Placing | None:
    """Where those who get out are dragged to: model by model, or all in the way out that is nearest to a place."""
    if wish.models:
        return tuple([(m, wish.models[m][-1]) for m in t.units[unit].models if wish.models.get(m)])
    to = wish.to
    if to is None:
        return None

    def far(placing: Placing) -> int:
        x, y = sum([p[0] for _, p in placing]), sum([p[1] for _, p in placing])
        n = len(placing)
        return (x - n * to[0]) ** 2 + (y - n * to[1]) ** 2

    return min(ways_out(t, unit, vehicle), key=far, default=None)


# --- a transport that is destroyed -----------------------------------------------------------------------------------


@rule("SQ-S46")
def hurts(b: HasBook, face: int) -> bool:
    """Each passenger is hit on 5 or more."""
    return face >= HURT_ON


@rule("SQ-ORG-66", "SQ-S56")
def lost_with_it(t: Firefight, vehicle: int) -> bool:
    """Passengers of a flyer are lost with it."""
    return t.units[vehicle].kind == "flyer"


# --- what is asked ---------------------------------------------------------------------------------------------------


class Transport(ActKind):
    """The action of entering or leaving a transport."""

    name: ClassVar[Kind] = "transport"
    types: ClassVar[tuple[type[Action], ...]] = (Board, Alight)

    def is_open_to(self, t: Firefight, unit: int) -> bool:
        """Units aboard, and soldiers that a friend on the table has room for."""
        u = t.units[unit]
        return u.where == "aboard" or (
            u.on_foot and u.in_play and any(free_seats(t, v.id) >= len(u.models) for v in t.friends(unit))
        )

    def refusal(self, t: Firefight, act: Any, second: bool) -> Refusal | None:
        """Why it may not be done, with the nearest way to do it."""
        if not 0 <= act.unit < len(t.units):
            return NOT_ON_TABLE.refuses(True, name="Nobody")
        if isinstance(act, Board):
            found = why_not_board(t, act.unit, act.vehicle)
        else:
            found = why_not_leave(t, act.unit)
            carrier = t.units[act.unit].carrier
            if found is None and carrier is not None:
                found = why_not_there(t, act.unit, carrier, act.places)
        return None if found is None else found.towards(next(self.acts(t, act.unit, second), None))

    def acts(self, t: Firefight, unit: int, second: bool) -> Iterator[Any]:
        """Each transport that it may board; or some ways to stand beside the one that it is aboard."""
        u = t.units[unit]
        if u.in_play:
            for v in t.friends(unit):
                if v.machine and may_board(t, unit, v.id):
                    yield Board(unit, v.id)
        elif u.carrier is not None and may_leave(t, unit):
            for placing in ways_out(t, unit, u.carrier):
                yield Alight(unit, placing)

    def procedure(self, t: Firefight, act: Any, token: bool, before: int) -> Procedure:
        """In, or out."""
        return Boarding(act=act, before=before) if isinstance(act, Board) else Alighting(act=act, before=before)

    def offers(self, t: Firefight, unit: int, second: bool) -> Sequence[Offer]:
        """What may be boarded, and some ways out."""
        found = []
        for act in self.acts(t, unit, second):
            if isinstance(act, Board):
                words = f"Board {t.units[act.vehicle].name}"
                found.append(Offer(action=act, words=words, unit=unit, target=act.vehicle))
            else:
                carrier = t.units[unit].carrier
                name = "the transport" if carrier is None else t.units[carrier].name
                found.append(Offer(action=act, words=f"Leave {name}", unit=unit, target=carrier, spot=act.places[0][1]))
        return found

    def regions(self, t: Firefight, unit: int, second: bool) -> Sequence[Region]:
        """Beside the transport that it is aboard."""
        if not may_leave(t, unit):
            return []
        return [Region(form="place", unit=unit, words="Leave the transport", bands=((REACH, 0),), act="alight")]

    def propose(self, t: Firefight, wish: Wish, second: bool) -> Proposal | None:
        """The unit gets out where it is dragged to."""
        if wish.act != "alight" or not 0 <= wish.unit < len(t.units):
            return None
        found = why_not_leave(t, wish.unit)
        carrier = t.units[wish.unit].carrier
        if found is not None or carrier is None:
            return Proposal(refusal=found)
        placing = drawn_out(t, wish.unit, carrier, wish)
        if placing is None:
            near = next(ways_out(t, wish.unit, carrier), None)
            name, v = t.units[wish.unit].name, t.units[carrier].name
            refused = OUT_OF_REACH.refuses(True, name=name, vehicle=v, gap=REACH)
            return Proposal(refusal=refused and refused.towards(near and Alight(wish.unit, near)))
        act = Alight(wish.unit, placing)
        refusal = self.refusal(t, act, second)
        paths: dict[int, Path] = {m: (p,) for m, p in placing}
        return Proposal(action=None if refusal is not None else act, paths=paths, refusal=refusal)


register(Transport())


class NoWayOut(Action, frozen=True):
    """There is no room for anybody."""


class WayOutOptions(Options):
    """How survivors may stand: within 3 inches of the wreck, outside 2 inches of any enemy, in coherency."""

    __slots__ = ("decision", "t")

    def __init__(self, t: Firefight, decision: WhereOut) -> None:
        self.t, self.decision = t, decision

    def refusal(self, action: Any) -> Refusal | None:
        """Why they may not stand so."""
        d = self.decision
        if isinstance(action, Alight) and action.unit == d.unit:
            found = why_not_there(self.t, d.unit, d.vehicle, action.places)
        elif isinstance(action, NoWayOut) and self.first() == action:
            return None
        else:
            found = not_an_option("SQ-S46", "Say where the survivors stand")
        return None if found is None else found.towards(self.first())

    def __iter__(self) -> Iterator[Any]:
        """Some ways; where there is none at all, nobody gets out."""
        d, some = self.decision, False
        for placing in ways_out(self.t, d.unit, d.vehicle):
            some = True
            yield Alight(d.unit, placing)
        if not some:
            yield NoWayOut()


class WhereOut(Offered, frozen=True, kw_only=True):
    """Where do the survivors stand?"""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S46",)
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = "Within 3 inches of the wreck, and not within 2 inches of an enemy."

    def options(self, t: Firefight) -> WayOutOptions:
        """Any places there."""
        return WayOutOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return f"Where do the survivors of {t.units[self.unit].name} stand?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Some ways out."""
        return [
            Offer(action=a, words="Get out here", unit=self.unit, spot=a.places[0][1])
            if isinstance(a, Alight)
            else Offer(action=a, words="Nobody finds a way out", unit=self.unit)
            for a in self.options(t)
        ]

    def regions(self, t: Firefight) -> list[Region]:
        """Beside the wreck."""
        return [Region(form="place", unit=self.unit, words="Get out", bands=((REACH, 0),), act="alight")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        """Where they are dragged to."""
        placing = drawn_out(t, self.unit, self.vehicle, wish) if wish.unit == self.unit else None
        if placing is None:
            return super().propose(t, wish)
        act = Alight(self.unit, placing)
        refusal = self.options(t).refusal(act)
        paths: dict[int, Path] = {m: (p,) for m, p in placing}
        return Proposal(action=None if refusal is not None else act, paths=paths, refusal=refusal)


# --- what is told ----------------------------------------------------------------------------------------------------


class Boarded(Event, frozen=True):
    """A unit boarded a transport."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-05", "SQ-S45")

    def sentence(self, t: Firefight) -> str:
        """Which."""
        return f"{does(t.units[self.unit].name, 'boards')} {t.units[self.vehicle].name}"

    def touches(self) -> tuple[int, ...]:
        """Both."""
        return (self.unit, self.vehicle)

    def motion(self, t: Firefight) -> Motion:
        """They get in."""
        return Motion(sort="mark", unit=self.unit, tag="aboard")


class Alighted(Event, frozen=True):
    """A unit left a transport."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-05", "SQ-S45")

    def sentence(self, t: Firefight) -> str:
        """Which."""
        return f"{does(t.units[self.unit].name, 'leaves')} {t.units[self.vehicle].name}"

    def touches(self) -> tuple[int, ...]:
        """Both."""
        return (self.unit, self.vehicle)

    def motion(self, t: Firefight) -> Motion:
        """They get out."""
        return Motion(sort="place", unit=self.unit)


class Spilled(Event, frozen=True):
    """Passengers got out of a machine that was destroyed."""

    unit: int
    faces: tuple[int, ...]
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S46",)

    def sentence(self, t: Firefight) -> str:
        """How many were hit."""
        return f"{does(t.units[self.unit].name, 'gets')} out, {self.hits} of {len(self.faces)} hit"

    def motion(self, t: Firefight) -> Motion:
        """They get out."""
        return Motion(sort="place", unit=self.unit)
