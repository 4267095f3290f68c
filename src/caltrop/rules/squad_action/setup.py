"""The set-up: rolls for smoke, hedges and walls, deployment, and Recon moves (SQ-S70, S47)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import Dice, Pool, Roll
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
    agreeing,
    ask,
    does,
    guard,
    step,
)
from caltrop.geometry import INCH, Body, Point, body_inside, directions, point_along
from caltrop.rules.squad_action.covers import BLOCKED, NO_LENGTH, PlaceCover
from caltrop.rules.squad_action.places import COHERENCY, bodies, body_at, disc_near, passage_of
from caltrop.rules.squad_action.recon import ReconMoves
from caltrop.rules.squad_action.records import SIDES, Area, Firefight
from caltrop.rules.squad_action.reserves import counted_for_reserve, kept_back, most_in_reserve, starts_in_reserve
from caltrop.table.measured import Ending, TableGround, coherent, formation, nearest_end
from caltrop.table.measured.driving import body_fault

NOT_YOURS = guard("SQ-S70", "not-yours", "That unit is not yours, or is placed already")
OUTSIDE = guard("SQ-S70", "outside", "{name:has} to stand wholly {words}")
SPLIT = guard("SQ-ORG-12", "split", "The models of {name} have to be one group with gaps of at most 1 inch")
ALL_MODELS = guard("SQ-S70", "all-models", "{name:has} {count:model}, and {given:place} {given::was} given")
ENOUGH_RESERVES = guard(
    "SQ-S47",
    "enough-reserves",
    "Half of {units:unit} may be kept in reserve, with those aboard: {kept} are, and this is {more} more",
)
NO_SEATS = guard("SQ-S45", "no-seats", "{vehicle:has} {free:free seat}, and {name:has} {count:model}")
NO_TRANSPORT = guard("SQ-S45", "no-transport", "{name:is} not a transport")
PLACE_VERB, RESERVE_VERB = "takes its place", "is kept in reserve"


# --- the set-up -------------------------------------------------------------------------------------------------------


class SetUp(Procedure):
    """The phases before the first turn."""

    rolled: int = 0

    @step("SQ-ORG-47", "SQ-S40")
    def roll_for_smoke(self, t: Firefight) -> Throw | Go:
        """Each side rolls openly for its number of smoke markers, a D3."""
        if self.rolled == SIDES:
            return Go("place_cover")
        return Throw(Pool(1), side=self.rolled, words=f"Smoke markers of {t.field.names[self.rolled]}")

    @step("SQ-ORG-47", "SQ-S40")
    def count_smoke(self, t: Firefight, roll: Roll) -> Go:
        t.smoke[self.rolled] = (roll[0] + 1) // 2
        t.tell(HasSmoke(self.rolled, t.smoke[self.rolled]))
        self.rolled += 1
        return Go("roll_for_smoke")

    @step("SQ-S70", "SQ-S71")
    def place_cover(self, t: Firefight) -> Run:
        """The sides place hedges in turns, South first; then a defender places its walls."""
        return Run(PlaceCover())

    @step("SQ-S70", "SQ-S71", "SQ-S73", "SQ-ORG-64")
    def deploy(self, t: Firefight) -> Run:
        """The sides place units in turns, beginning with the side that acts second.

        A defender places all its units before the attacker.
        """
        return Run(Deployment())

    @step("SQ-TRT-13")
    def scout(self, t: Firefight) -> Run:
        """Recon units make one Move each; the side that acts first moves its units first."""
        return Run(ReconMoves(side=t.first))

    @step("SQ-TRT-13")
    def scout_too(self, t: Firefight) -> Run:
        return Run(ReconMoves(side=1 - t.first))


class Deployment(Procedure):
    """The sides place their units in turns."""

    side: int = -1

    @step("SQ-ORG-64", "SQ-S47")
    def begin(self, t: Firefight) -> None:
        self.side = 1 - t.first

    @step("SQ-S70", "SQ-S71", "SQ-S73", "SQ-S47")
    def offer(self, t: Firefight) -> Ask | End:
        """The sides place one unit each in turns; when one side is done, the other side places its remaining units."""
        left = [to_place(t, side) for side in range(SIDES)]
        if not any(left):
            return End()
        defender = t.field.defender
        if defender is not None:
            self.side = defender if left[defender] else 1 - defender
        elif not left[self.side]:
            self.side = 1 - self.side
        return ask(DeployUnit(side=self.side))

    @step("SQ-S70", "SQ-S45", "SQ-S47")
    def place(self, t: Firefight, choice: Deploy | KeepBack | DeployAboard) -> Go:
        """The unit is placed on the table, put aboard a transport, or kept in reserve."""
        t.tell(Deployed(choice.unit, choice.perform(t)))
        self.side = 1 - self.side
        return Go("offer")


def to_place(t: Firefight, side: int) -> list[int]:
    if t.field.areas[side] is None:
        return []
    return [u.id for u in t.units if u.side == side and u.where == "reserve" and not u.kept and u.kind != "flyer"]


# --- units ------------------------------------------------------------------------------------------------------------


class _Deploys(Action, frozen=True):
    """Choose the starting place of a unit."""

    unit: int

    def why_not(self, o: DeployOptions) -> Refusal | None:
        """Return why the unit may not begin the battle in this way, or None if it may."""
        raise NotImplementedError(type(self).__name__)

    def perform(self, t: Firefight) -> str:
        raise NotImplementedError(type(self).__name__)

    def words(self, t: Firefight) -> str:
        raise NotImplementedError(type(self).__name__)


class Deploy(_Deploys, frozen=True):
    """Place a unit."""

    places: tuple[Point, ...]
    """Places of the unit's models, in their order."""
    heading: Point | None = None
    """Direction of a machine's front; None for its present direction, and for soldiers."""

    def why_not(self, o: DeployOptions) -> Refusal | None:
        no_length = NO_LENGTH.refuses(self.heading == (0, 0))
        return no_length or why_not_so(o.t, self.unit, self.places, self.heading, o.area)

    def perform(self, t: Firefight) -> str:
        t.change(self.unit, where="table")
        t.put(dict(zip(t.units[self.unit].models, self.places, strict=True)))
        for m in t.units[self.unit].models if self.heading else ():
            t.change_model(m, heading=self.heading)
        return PLACE_VERB

    def words(self, t: Firefight) -> str:
        return f"Place {t.units[self.unit].name}"


class DeployAboard(_Deploys, frozen=True):
    """Place a unit aboard a transport."""

    vehicle: int

    def why_not(self, o: DeployOptions) -> Refusal | None:
        t, u = o.t, o.t.units[self.unit]
        carriers = [v.id for v in t.units if v.side == u.side and v.machine and t.vehicle(v.id).seats]
        refusal = NO_TRANSPORT.refuses(
            self.vehicle not in carriers or u.machine,
            name=t.units[self.vehicle].name if 0 <= self.vehicle < len(t.units) else "Nobody",
        )
        if refusal is not None:
            return refusal
        free = t.vehicle(self.vehicle).number("seats") - sum([len(v.models) for v in t.aboard(self.vehicle)])
        vehicle = t.units[self.vehicle].name
        refusal = NO_SEATS.refuses(len(u.models) > free, vehicle=vehicle, free=free, name=u.name, count=len(u.models))
        stays_off = t.units[self.vehicle].kept or starts_in_reserve(t, self.vehicle)
        return refusal or (o.too_many_kept(1) if stays_off else None)

    def perform(self, t: Firefight) -> str:
        t.change(self.unit, where="aboard", carrier=self.vehicle)
        return f"begins aboard {t.units[self.vehicle].name}"

    def words(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'begins')} aboard {t.units[self.vehicle].name}"


class KeepBack(_Deploys, frozen=True):
    """Keep a unit in reserve."""

    def why_not(self, o: DeployOptions) -> Refusal | None:
        return o.too_many_kept(1 + len(o.t.aboard(self.unit)))

    def perform(self, t: Firefight) -> str:
        t.change(self.unit, kept=True)
        return RESERVE_VERB

    def words(self, t: Firefight) -> str:
        return f"Keep {t.units[self.unit].name} in reserve"


def wholly_in(body: Body, area: Area) -> bool:
    if not body_inside(body, area.box):
        return False
    if area.around is None:
        return True
    (x, y), reach = area.around
    return disc_near(body, (x, y), reach)


def why_not_so(
    t: Firefight, unit: int, places: Sequence[Point], heading: Point | None, area: Area | None
) -> Refusal | None:
    """Return why a unit may not be placed in some places, or None if it may."""
    u = t.units[unit]
    refusal = ALL_MODELS.refuses(len(places) != len(u.models), name=u.name, count=len(u.models), given=len(places))
    if refusal is not None:
        return refusal
    bodies = [body_at(t, m, at, heading) for m, at in zip(u.models, places, strict=True)]
    ground: TableGround = t.ground.for_mover(passage_of(t, unit))
    others = [b for v in t.units if v.where == "table" and v.id != unit for b in unit_bodies(t, v.id)]
    for n, body in enumerate(bodies):
        if area is not None:
            refusal = OUTSIDE.refuses(not wholly_in(body, area), name=u.name, words=area.words)
            if refusal is not None:
                return refusal
        fault = body_fault(ground, body, [*others, *bodies[:n]])
        if fault is not None:
            what = {"table": "the table's edge", "terrain": fault.terrain, "body": "somebody"}[fault.kind]
            return BLOCKED.refuses(True, name=u.name, what=what)
    discs = [b for b in bodies if len(b) == 3]
    return SPLIT.refuses(len(discs) > 1 and not coherent(discs, COHERENCY), name=u.name)


def unit_bodies(t: Firefight, unit: int) -> tuple[Body, ...]:
    return bodies(t, unit)


class DeployOptions(Options):
    """Ways to place any unit of a side: in its area, aboard a transport, or in reserve."""

    __slots__ = ("area", "decision", "left", "t")

    def __init__(self, t: Firefight, decision: DeployUnit) -> None:
        self.t, self.decision = t, decision
        self.left = to_place(t, decision.side)
        area = t.field.areas[decision.side]
        assert area is not None
        self.area = area

    def refusal(self, action: Any) -> Refusal | None:
        fault = self._wrong(action)
        if fault is None:
            return None
        if isinstance(action, Deploy) and action.unit in self.left:
            centre = action.places[0] if action.places else self._middle()
            near = next(self._about(action.unit, centre), None)
            if near is not None:
                return fault.towards(near)
        return fault.towards(self.first())

    def _middle(self) -> Point:
        x0, y0, x1, y1 = self.area.box
        return ((x0 + x1) // 2, (y0 + y1) // 2)

    def _wrong(self, action: Any) -> Refusal | None:
        if getattr(action, "unit", None) not in self.left or not isinstance(action, _Deploys):
            return NOT_YOURS.refuses(True)
        return action.why_not(self)

    def too_many_kept(self, more: int) -> Refusal | None:
        """Return why *more* further units may not be kept off the table, or None if they may."""
        t, side = self.t, self.decision.side
        number_kept = kept_back(t, side)
        return ENOUGH_RESERVES.refuses(
            number_kept + more > most_in_reserve(t, side),
            units=counted_for_reserve(t, side),
            kept=number_kept,
            more=more,
        )

    def nearest(self, unit: int, first: Point) -> Deploy | None:
        """Return the legal placement of a unit in ranks whose first model is nearest to a place."""
        x0, y0, x1, y1 = self.area.box
        dx, dy = self.ranks(unit, (0, 0)).places[0]

        def standing(end: Point) -> Ending[Deploy] | None:
            place = self._ranks(unit, (end[0] - dx, end[1] - dy))
            return None if place is None else (end, place)

        place = nearest_end(first, self._middle(), x1 - x0 + y1 - y0, self.area.box, standing)
        return place or next(self._about(unit, self._middle()), None)

    def _ranks(self, unit: int, at: Point) -> Deploy | None:
        deployment = self.ranks(unit, at)
        return deployment if self._wrong(deployment) is None else None

    def ranks(self, unit: int, at: Point) -> Deploy:
        u = self.t.units[unit]
        ahead = (0, 1) if u.side == 0 else (0, -1)
        if u.machine:
            return Deploy(unit, (at,), ahead)
        step_ = 2 * 76 + INCH // 2
        per = 6
        places = []
        for n in range(len(u.models)):
            row, column = divmod(n, per)
            wide = min(per, len(u.models) - row * per)
            x = at[0] + (2 * column - wide + 1) * step_ // 2
            places.append((x, at[1] - ahead[1] * row * step_))
        return Deploy(unit, tuple(places))

    def _about(self, unit: int, at: Point) -> Iterator[Deploy]:
        first = self._ranks(unit, at)
        if first is not None:
            yield first
        for ring in range(1, 25):
            for direction in directions(8):
                deployment = self._ranks(unit, point_along(at, direction, ring * INCH))
                if deployment is not None:
                    yield deployment

    def __iter__(self) -> Iterator[Any]:
        x0, y0, x1, y1 = self.area.box
        for unit in self.left:
            for y in range(y0 + 2 * INCH, y1, 3 * INCH):
                for x in range(x0 + 3 * INCH, x1, 5 * INCH):
                    deployment = self._ranks(unit, (x, y))
                    if deployment is not None:
                        yield deployment
            for v in self.t.units:
                aboard = DeployAboard(unit, v.id)
                if v.side == self.decision.side and v.machine and self._wrong(aboard) is None:
                    yield aboard
            keep_back = KeepBack(unit)
            if self._wrong(keep_back) is None:
                yield keep_back

    def sample(self, dice: Dice) -> Any:
        x0, y0, x1, y1 = self.area.box
        for _ in range(64):
            unit = self.left[dice.below(len(self.left))]
            which = dice.below(12)
            answer: Any
            if which == 0:
                answer = KeepBack(unit)
                if self._wrong(answer) is None:
                    return answer
            elif which == 1:
                answer = DeployAboard(unit, dice.below(len(self.t.units)))
                if self._wrong(answer) is None:
                    return answer
            else:
                answer = self._ranks(unit, (x0 + dice.below(x1 - x0), y0 + dice.below(y1 - y0)))
                if answer is not None:
                    return answer
        return self.first()

    def several(self) -> bool:
        return True


class DeployUnit(Offered, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S70", "SQ-S45", "SQ-S47")
    hint: ClassVar[str] = "Place a unit wholly in your area, aboard a transport, or keep up to half of them in reserve."

    def options(self, t: Firefight) -> DeployOptions:
        return DeployOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        area = t.field.areas[self.side]
        words = "" if area is None else f" {area.words}"
        left = len(to_place(t, self.side))
        return f"Place a unit{words}: {left} {agreeing(left, 'is')} left"

    def offers(self, t: Firefight) -> list[Offer]:
        """Return the options of each unit that need no drag.

        A unit can stand in ranks near the middle of its area, board a transport, or stay in reserve.
        """
        offers = []
        options = self.options(t)
        for unit in options.left:
            u = t.units[unit]
            ranks = next(options._about(unit, options._middle()), None)
            if ranks is not None:
                offers.append(Offer(action=ranks, words=f"Place {u.name} in the middle", unit=unit))
            for v in t.units:
                aboard = DeployAboard(unit, v.id)
                if v.side == self.side and v.machine and options._wrong(aboard) is None:
                    offers.append(Offer(action=aboard, words=aboard.words(t), unit=unit, target=v.id))
            reserve = KeepBack(unit)
            if options._wrong(reserve) is None:
                offers.append(Offer(action=reserve, words=reserve.words(t), unit=unit))
        return offers

    def told(self, t: Firefight, action: Any) -> Offer:
        return Offer(action=action, words=action.words(t), unit=action.unit)

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="place", unit=u, words=f"Place {t.units[u].name}") for u in to_place(t, self.side)]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        if wish.to is None or wish.unit not in to_place(t, self.side):
            return super().propose(t, wish)
        options, u = self.options(t), t.units[wish.unit]
        ahead = (0, 1) if u.side == 0 else (0, -1)
        if u.machine:
            deploy = Deploy(wish.unit, (wish.to,), wish.facing or ahead)
        elif wish.shape == "keep":
            deploy = options.ranks(wish.unit, wish.to)
        else:
            discs = [(*wish.to, 76)] * len(u.models)
            shape: Any = wish.shape
            deploy = Deploy(wish.unit, formation(discs, wish.to, shape, wish.facing or ahead, spacing=INCH // 2))
        refusal = options.refusal(deploy)
        paths: dict[int, tuple[Point, ...]] = {m: (at,) for m, at in zip(u.models, deploy.places, strict=True)}
        if refusal is not None:
            refusal = refusal.towards(options.nearest(wish.unit, deploy.places[0]) or refusal.nearest)
            return Proposal(paths=paths, refusal=refusal, faults=(wish.to,))
        return Proposal(action=deploy, paths=paths, headings={u.models[0]: deploy.heading} if deploy.heading else UNSET)


def deploy_all(t: Firefight) -> None:
    """Place all units in ranks, each side's units side by side near the middle of its area.

    A unit without room is left for its player to place.
    """
    for side in range(SIDES):
        units = to_place(t, side)
        for n, unit in enumerate(units, 1):
            options = DeployOptions(t, DeployUnit(side=side))
            x0, y0, x1, y1 = options.area.box
            middle = (x0 + (x1 - x0) * n // (len(units) + 1), (y0 + y1) // 2)
            deployment = next(options._about(unit, middle), None)
            if deployment is not None:
                deployment.perform(t)


# --- events -----------------------------------------------------------------------------------------------------------


class HasSmoke(Event, frozen=True):
    """A side learned how many smoke markers it has."""

    side: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-47",)

    def sentence(self, t: Firefight) -> str:
        return f"{t.field.names[self.side]} has {quantity(self.count, 'smoke marker')}"


class Deployed(Event, frozen=True):
    unit: int
    how: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S70", "SQ-S45", "SQ-S47")
    shown = MotionOf("place")

    def sentence(self, t: Firefight) -> str:
        return does(t.units[self.unit].name, self.how)
