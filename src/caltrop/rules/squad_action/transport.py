"""Transports: boarding, leaving, and escaping from a destroyed transport (SQ-S45, SQ-S46, SQ-S57).

Readings:

- Boarding and leaving count as moving 0 inches, for the unit's weapons.
- Enemies on overwatch see a leaving unit in its new place, and a boarding unit in its old place.
- Survivors without room within 3 inches are lost with the transport.
- A transport has moved more than 8 inches this turn if it was activated this turn and went that far (SQ-Q60).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.asking import Act, Guards, Offer, Offered, Pick, Proposal, Region, Wish
from caltrop.chance import FACES, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Options,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    back,
    does,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Body, Point, gap_between
from caltrop.rules.squad_action.acts import Doings, Path, UnitAct, name_of, named
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.broken import Terror, forget_fears
from caltrop.rules.squad_action.casualties import TakeHits, destroy, pin
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.places import FOOT, bodies, body
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.standing import Placing, how_it_fits, places_near
from caltrop.rules.squad_action.watching import lose_overwatch

REACH = 3 * INCH
"""Largest distance from a transport for boarding and leaving."""
FAST_RIDE = 8 * INCH
"""Largest distance that a transport may go if its passengers are to attack in the turn in which they leave it."""
HURT_ON = 5
"""Lowest roll that hits a passenger when a transport is destroyed (SQ-S46)."""
ON_FOOT = guard("SQ-S45", "on-foot", "{name:does} not ride: only soldiers do")
NOT_ON_TABLE = guard("SQ-S45", "not-on-table", "{name:is} not on the table")
NOT_ABOARD = guard("SQ-S45", "not-aboard", "{name:is} not aboard a transport")
NO_TRANSPORT = guard("SQ-S45", "no-transport", "{vehicle:does} not take {name} aboard")
NO_SEATS = guard("SQ-S45", "no-seats", "{vehicle:has} {free:free seat}, and {name:has} {count:model}")
TOO_FAR_TO_BOARD = guard(
    "SQ-S45", "too-far", "{name:has} to be within 3 inches of {vehicle}, and one model is {gap:inch} away"
)
PINNED_UNIT = guard("SQ-S45", "pinned", "{name:is} Pinned, and {name::rallies} first")
PINNED_VEHICLE = guard("SQ-S45", "pinned-vehicle", "{vehicle:is} Pinned, and cannot let anybody in")
IN_THE_AIR = guard("SQ-S57", "in-the-air", "{vehicle:does} not hover: nobody boards or leaves it")
ONCE = guard("SQ-S45", "once", "{name:has} boarded or left a transport in this activation")
LADEN = guard("SQ-S72", "laden", "{name:has} the pilot with it, and cannot board")
ALL_MODELS = guard("SQ-S45", "all-models", "{name:has} {count:model}, and {given:place} {given::was} given")
OUT_OF_REACH = guard(
    ("SQ-S45", "SQ-S46"),
    "out-of-reach",
    "{name:stands} within 3 inches of {vehicle}, and one is {gap:inch} away",
)
DAZED = guard(
    "SQ-S45",
    "dazed",
    "{name:has} left a transport that went over 8 inches, and can neither shoot nor assault",
)


class Boarding(Procedure):
    """A unit boards a transport (SQ-ACT-05). The result is False if the transport is gone (SQ-ORG-06)."""

    act: Board
    before: int = 0

    @step("SQ-ACT-05", "SQ-S31")
    def begin(self, t: Firefight) -> Run:
        return Run(Interruptions(actor=self.act.unit, before=self.before))

    @step("SQ-ACT-05", "SQ-S45", "SQ-ORG-06", "SQ-Q37")
    def board(self, t: Firefight, result: tuple[int, bool]) -> End:
        """The unit goes aboard if it was not stopped and boarding is still legal.

        A unit aboard is near no enemy, so the test of a Terrifying unit is taken again when it gets out.
        """
        _, stopped = result
        act = self.act
        if stopped or not act.may(Doings(t, act.unit)):
            return End(None if stopped else False)
        lose_overwatch(t, act.unit)
        for m in t.units[act.unit].models:
            t.change_model(m, at=None)
        t.change(act.unit, where="aboard", carrier=act.vehicle, moved=True, rode=True)
        forget_fears(t, act.unit)
        t.tell(Boarded(act.unit, act.vehicle))
        return End()


class Alighting(Procedure):
    """A unit leaves a transport (SQ-ACT-05)."""

    act: Alight
    before: int = 0

    @step("SQ-ACT-05", "SQ-S45", "SQ-Q79")
    def get_out(self, t: Firefight) -> Run:
        """The unit is placed beside the transport; then enemies on overwatch may interrupt."""
        unit = self.act.unit
        vehicle = t.units[unit].carrier
        assert vehicle is not None
        t.put(dict(self.act.places))
        t.change(unit, where="table", carrier=None, moved=True, rode=True, dazed=is_dazed(t, vehicle))
        t.tell(Alighted(unit, vehicle))
        return Run(Interruptions(actor=unit, before=self.before, appeared=True))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight, result: tuple[int, bool]) -> Run | End:
        return Run(Terror(unit=self.act.unit)) if t.units[self.act.unit].in_play else End()

    @step("SQ-ACT-05")
    def end(self, t: Firefight) -> None: ...


class SpillOut(Procedure):
    """Passengers get out of a destroyed machine that is still on the table (SQ-S46, SQ-ORG-66)."""

    unit: int
    passenger: int = -1
    """The unit that is getting out."""
    lost: int = 0

    @step("SQ-S46", "SQ-ORG-66")
    def next_unit(self, t: Firefight) -> Throw | Go:
        """Each unit aboard rolls one die for each of its models."""
        for u in t.aboard(self.unit):
            if lost_with_it(t, self.unit):
                destroy(t, u.id, "is lost with it")
        aboard = t.aboard(self.unit)
        if not aboard:
            return Go("done")
        self.passenger = aboard[0].id
        n = len(aboard[0].models)
        return Throw(Pool(n), reads=FACES, side=aboard[0].side, words=f"Casualties of {aboard[0].name}: {HURT_ON}+")

    @step("SQ-S46")
    def hurt(self, t: Firefight, roll: Roll) -> Run:
        """Only the armour of passengers gives them a save. Cover does not help, even if they are Pinned."""
        hits = sum([hurts(t, face) for face in roll])
        u = t.units[self.passenger]
        t.tell(Spilled(u.id, roll, hits))
        return Run(TakeHits(unit=u.id, hits=hits, may_be_hit=u.models, flame=True))

    @step("SQ-S46")
    def place(self, t: Firefight, lost: int) -> Ask | Go:
        self.lost = lost
        u = t.units[self.passenger]
        if not u.models:
            destroy(t, u.id, "is destroyed")
            return Go("next_unit")
        return ask(WhereOut(side=u.side, unit=u.id, vehicle=self.unit))

    @step("SQ-S46", "SQ-S45")
    def stand(self, t: Firefight, choice: Alight | NoWayOut) -> Run:
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
        return Run(Terror(unit=self.passenger)) if t.units[self.passenger].in_play else Go("next_unit")

    again = back("next_unit", "SQ-S46")

    @step("SQ-S46")
    def done(self, t: Firefight) -> None: ...


# --- units that may board and leave ----------------------------------------------------------------------------------


@rule("SQ-S45", "SQ-S55")
def free_seats(t: Firefight, vehicle: int) -> int:
    """Seats of a transport are counted in models. Several units may be aboard if there is room for all their models."""
    if t.units[vehicle].on_foot:
        return 0
    return t.vehicle(vehicle).number("seats") - sum([len(u.models) for u in t.aboard(vehicle)])


@rule("SQ-S45")
def is_dazed(t: Firefight, vehicle: int) -> bool:
    """A unit that leaves a transport which went more than 8 inches this turn is dazed, and cannot attack."""
    v = t.units[vehicle]
    return v.activated and v.travelled > FAST_RIDE


def seats_left(t: Firefight, vehicle: int) -> int:
    return free_seats(t, vehicle) if 0 <= vehicle < len(t.units) and t.units[vehicle].machine else 0


def is_transport_of(t: Firefight, unit: int, vehicle: int) -> bool:
    v = t.units[vehicle] if 0 <= vehicle < len(t.units) else None
    return v is not None and v.machine and v.side == t.units[unit].side and v.in_play and t.vehicle(vehicle).seats > 0


def is_in_the_air(t: Firefight, vehicle: int | None) -> bool:
    """Return whether a machine flies and does not hover."""
    v = t.units[vehicle] if vehicle is not None and 0 <= vehicle < len(t.units) else None
    return v is not None and v.kind == "flyer" and not v.hovering


def has_ridden(t: Firefight, unit: int) -> bool:
    """Return whether a unit has boarded or left a transport in this activation."""
    return t.units[unit].rode and t.units[unit].activated


def gap_to_hull(t: Firefight, vehicle: int, discs: Iterable[Body]) -> int:
    """Return the distance from a machine to the farthest of some bases; 0 if there are no bases."""
    return max([gap_between(b, hull) for b in discs for hull in bodies(t, vehicle)], default=0)


BOARDS = Guards(
    (ON_FOOT, lambda t, unit: not t.units[unit].on_foot),
    (NOT_ON_TABLE, lambda t, unit: not t.units[unit].in_play),
    (PINNED_UNIT, lambda t, unit: t.units[unit].pinned or t.units[unit].broken),
    (ONCE, has_ridden),
    (LADEN, lambda t, unit: t.pilot is not None and t.pilot.unit == unit),
    name=name_of,
)
"""Reasons why a unit cannot board any transport now."""
LEAVES = Guards(
    (NOT_ABOARD, lambda t, unit: t.units[unit].where != "aboard" or t.units[unit].carrier is None),
    Guards(
        (NOT_ON_TABLE, lambda t, unit: (v := t.units[unit].carrier) is not None and not t.units[v].in_play),
        name=lambda t, unit: name_of(t, t.units[unit].carrier),
    ),
    (PINNED_UNIT, lambda t, unit: t.units[unit].pinned),
    (ONCE, has_ridden),
    (IN_THE_AIR, lambda t, unit: is_in_the_air(t, t.units[unit].carrier)),
    name=name_of,
    vehicle=lambda t, unit: name_of(t, t.units[unit].carrier),
)
"""Reasons why a unit cannot leave its transport. Passengers may leave a Pinned transport."""


def why_not_there(t: Firefight, unit: int, vehicle: int, places: Sequence[tuple[int, Point]]) -> Refusal | None:
    """Return why the models of a unit may not stand in some places after leaving a transport, or None if they may."""
    u, v = t.units[unit], t.units[vehicle]
    given = dict(places)
    count = len(u.models)
    refusal = ALL_MODELS.refuses(
        set(given) != set(u.models) or len(places) != count, name=u.name, count=count, given=len(given)
    )
    if refusal is not None or set(given) != set(u.models):
        return refusal
    far = gap_to_hull(t, vehicle, [(*p, FOOT) for p in given.values()])
    refusal = OUT_OF_REACH.refuses(far > REACH, name=u.name, vehicle=v.name, gap=far)
    if refusal is not None:
        return refusal
    wrong = how_it_fits(t, unit, given)
    return wrong and wrong.refusal()


def ways_out(t: Firefight, unit: int, vehicle: int) -> Iterator[Placing]:
    """Yield some ways in which a unit can stand beside a transport, in a fixed order."""
    yield from places_near(t, unit, REACH, body(t, t.units[vehicle].models[0]))


def drawn_out(t: Firefight, unit: int, vehicle: int, wish: Wish) -> Placing | None:
    """Return the places where a dragged unit leaves its transport; None if no places are free.

    The wish gives a place for each model, or one place, near which all models stand.
    """
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
    """A passenger is hit on 5 or more."""
    return face >= HURT_ON


@rule("SQ-ORG-66", "SQ-S56")
def lost_with_it(t: Firefight, vehicle: int) -> bool:
    return t.units[vehicle].kind == "flyer"


# --- decisions -------------------------------------------------------------------------------------------------------


class Board(UnitAct, frozen=True):
    vehicle: Annotated[int, Pick(lambda t, unit: [v.id for v in t.friends(unit) if v.machine], shown=named)]

    kind = "transport"
    words = "Board {vehicle}"
    aim = "vehicle"
    guards = Guards(
        BOARDS,
        (NO_TRANSPORT, lambda t, unit, vehicle: not is_transport_of(t, unit, vehicle)),
        (NO_SEATS, lambda t, unit, vehicle: seats_left(t, vehicle) < len(t.units[unit].models)),
        (PINNED_VEHICLE, lambda t, vehicle: vehicle in range(len(t.units)) and t.units[vehicle].pinned),
        (IN_THE_AIR, is_in_the_air),
        (TOO_FAR_TO_BOARD, lambda t, unit, vehicle: gap_to_hull(t, vehicle, bodies(t, unit)) > REACH),
        name=name_of,
        free=seats_left,
        count=lambda t, unit: len(t.units[unit].models),
        gap=lambda t, unit, vehicle: gap_to_hull(t, vehicle, bodies(t, unit)),
    )

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Boarding:
        return Boarding(act=self, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        """Return whether the unit could board, also after it has entered the table with its first action."""
        u = t.units[unit]
        here = u.on_foot and u.where in ("table", "reserve")
        return here and any(free_seats(t, v.id) >= len(u.models) for v in t.friends(unit))

    def nearest(self, o: Doings) -> Act | None:
        return next(o.of_kind("transport"), None)


class Alight(UnitAct, frozen=True):
    places: tuple[tuple[int, Point], ...]
    """Place of each model after leaving."""

    kind = "transport"
    words = "Leave {vehicle}"
    says: ClassVar = {
        "vehicle": lambda t, unit: "the transport" if (v := t.units[unit].carrier) is None else name_of(t, v)
    }
    sampled = True
    guards = Guards(
        LEAVES,
        lambda t, unit, places: None if (v := t.units[unit].carrier) is None else why_not_there(t, unit, v, places),
    )

    @staticmethod
    def aim(t: Firefight, unit: int) -> int | None:
        return t.units[unit].carrier

    @staticmethod
    def spot(places: Sequence[tuple[int, Point]]) -> Point:
        """Return the new place of the unit's first model."""
        return places[0][1]

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Alighting:
        return Alighting(act=self, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        return t.units[unit].where == "aboard"

    def nearest(self, o: Doings) -> Act | None:
        return next(o.of_kind("transport"), None)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[Alight]:
        carrier = o.t.units[o.unit].carrier
        if carrier is not None and LEAVES.may(o.t, unit=o.unit):
            for placing in ways_out(o.t, o.unit, carrier):
                yield cls(o.unit, placing)

    @classmethod
    def regions(cls, o: Doings) -> Iterator[Region]:
        if LEAVES.may(o.t, unit=o.unit):
            yield Region(form="place", unit=o.unit, words="Leave the transport", bands=((REACH, 0),), act="alight")

    @classmethod
    def propose(cls, o: Doings, wish: Wish) -> Proposal | None:
        t, unit = o.t, o.unit
        if wish.act != "alight" or wish.unit != unit:
            return None
        objection, carrier = LEAVES.why(t, unit=unit), t.units[unit].carrier
        if objection is not None or carrier is None:
            return Proposal(refusal=objection)
        placing = drawn_out(t, unit, carrier, wish)
        if placing is None:
            refused = OUT_OF_REACH.refuses(True, name=name_of(t, unit), vehicle=name_of(t, carrier), gap=REACH)
            return Proposal(refusal=refused and refused.towards(next(cls.every(o), None)))
        act = cls(unit, placing)
        refusal = o.refusal(act)
        paths: dict[int, Path] = {m: (p,) for m, p in placing}
        return Proposal(action=None if refusal is not None else act, paths=paths, refusal=refusal)


class NoWayOut(Action, frozen=True):
    """State that the survivors have no room to get out."""


class WayOutOptions(Options):
    """Places of survivors: within 3 inches of the wreck, more than 2 inches from any enemy, and in coherency."""

    __slots__ = ("decision", "t")

    def __init__(self, t: Firefight, decision: WhereOut) -> None:
        self.t, self.decision = t, decision

    def refusal(self, action: Any) -> Refusal | None:
        d = self.decision
        if isinstance(action, Alight) and action.unit == d.unit:
            refusal = why_not_there(self.t, d.unit, d.vehicle, action.places)
        elif isinstance(action, NoWayOut) and self.first() == action:
            return None
        else:
            refusal = not_an_option("SQ-S46", "Choose where the survivors stand")
        return None if refusal is None else refusal.towards(self.first())

    def __iter__(self) -> Iterator[Any]:
        d, some = self.decision, False
        for placing in ways_out(self.t, d.unit, d.vehicle):
            some = True
            yield Alight(d.unit, placing)
        if not some:
            yield NoWayOut()


class WhereOut(Offered, frozen=True, kw_only=True):
    """The owner places the survivors of a destroyed transport."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S46",)
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = "Within 3 inches of the wreck, and not within 2 inches of an enemy."

    def options(self, t: Firefight) -> WayOutOptions:
        return WayOutOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        return f"Where do the survivors of {t.units[self.unit].name} stand?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=a, words="Get out here", unit=self.unit, spot=a.places[0][1])
            if isinstance(a, Alight)
            else Offer(action=a, words="Nobody finds a way out", unit=self.unit)
            for a in self.options(t)
        ]

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="place", unit=self.unit, words="Get out", bands=((REACH, 0),), act="alight")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        placing = drawn_out(t, self.unit, self.vehicle, wish) if wish.unit == self.unit else None
        if placing is None:
            return super().propose(t, wish)
        act = Alight(self.unit, placing)
        refusal = self.options(t).refusal(act)
        paths: dict[int, Path] = {m: (p,) for m, p in placing}
        return Proposal(action=None if refusal is not None else act, paths=paths, refusal=refusal)


# --- events ----------------------------------------------------------------------------------------------------------


class Boarded(Event, frozen=True):
    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-05", "SQ-S45")
    about = ("unit", "vehicle")
    template = "{unit:boards} {vehicle}"
    shown = MotionOf("mark", "aboard")


class Alighted(Event, frozen=True):
    """A unit left a transport."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-05", "SQ-S45")
    about = ("unit", "vehicle")
    template = "{unit:leaves} {vehicle}"
    shown = MotionOf("place")


class Spilled(Event, frozen=True):
    """Passengers got out of a machine that was destroyed."""

    unit: int
    faces: tuple[int, ...]
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S46",)
    shown = MotionOf("place")

    def sentence(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'gets')} out, {self.hits} of {len(self.faces)} hit"
