"""Charges: declaration, reaction fire, and the move into contact. An Asori charge at Light vehicles is a Rush.

All charges at one unit are declared together (Q-CHARGE-6). After the declarations the charged unit may fire at one
charger, and the hits take effect at once. Chargers that survive move into contact. Close combat follows in the combat
step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import (
    Act,
    Choices,
    Guards,
    OneOf,
    Pass,
    Pick,
    carried_out,
)
from caltrop.chance import Dice
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Sum,
    agreeing,
    ask,
    decimal,
    guard,
    rule,
    step,
    total,
)
from caltrop.geometry import (
    CM,
    CONTACT,
    boxes_within,
    contact_point,
    discs_box,
    path_length,
)
from caltrop.kit.words import listed
from caltrop.picture import Motion
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.contact import Contact, MakeContact, assault, pairs_near, way_to
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.limits import Paths, longest, why_still
from caltrop.rules.command_horizon.places import gap, in_contact, standing
from caltrop.rules.command_horizon.reach import called, charge_bands, is_infantry, is_light, kind_of
from caltrop.rules.command_horizon.reaction import (
    ReactionShot,
    may_react,
    price_of_reaction,
    why_no_boosted_reaction,
    why_no_reaction,
)
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.rules.command_horizon.routes import Routes
from caltrop.table.measured import (
    path_fault,
)

ONLY_INFANTRY = guard("CH-CHARGE-01", "only-infantry", "{name:is} not infantry: only infantry charges")
NO_ENEMY = guard("CH-CHARGE-02", "no-enemy", "A charge needs an enemy unit in play")
NOT_AT_VEHICLES = guard(
    ("CH-CHARGE-02", "CH-PUTINF-12", "CH-PUTINF-15", "CH-RUSH-04", "Q-RUSH-2"),
    "not-at-vehicles",
    "{name} cannot charge {target}: infantry charges infantry, and Asori infantry Light class vehicles as well",
)
NO_SUCH_REACH = guard(
    ("CH-CHARGE-03", "Q-CHARGE-1", "Q-CHARGE-8"), "no-such-reach", "{name:does} not charge over {reach:cm}"
)
NO_CP = guard("Q-CHARGE-1", "no-cp-to-charge", "The charge costs {price} CP, and you have {cp}")
OUT_OF_REACH = guard(
    ("CH-CHARGE-13", "Q-CHARGE-7"), "out-of-reach", "No base of {name} gets into contact with {target}: {why}"
)
NOT_CHARGING = guard("CH-CHARGE-08", "not-charging", "{charger:is} not one of those that charge {unit} now")
ANOTHER_TARGET = guard("Q-CHARGE-6", "another-target", "Charges at {target} are being declared together")


class ChargeAt(Procedure):
    """All charges at one unit: they are declared together, answered, and carried out."""

    side: int
    target: int
    first: Charge
    chargers: tuple[Charge, ...] = ()
    now: int = 0
    """Index of the charger that moves next."""
    paths: Paths = ()
    stood: tuple[int, ...] = ()
    """Bases of all chargers when they declared. Bases that are missing now were lost to fire at this charge."""
    gone: int = 0
    """Distance that the charger has moved, if fire from overwatch stopped the charge on the way."""

    @step("CH-CHARGE-03", "CH-CHARGE-04", "CH-ASORI-17", "CH-RUSH-01", "CH-RUSH-04", "Q-CHARGE-1", "Q-CHARGE-8",
          "Q-RUSH-1")  # fmt: skip
    def declare(self, t: Battle) -> None:
        self._declare(t, self.first)

    def _declare(self, t: Battle, charge: Charge) -> None:
        t.pay(self.side, price_of_charge(t, charge.unit, charge.reach), charge.unit, shooting_or_moving=True)
        rush = not is_infantry(t, self.target)
        t.change(charge.unit, charging=self.target, rushing=rush, move_over=True, may_fire=False)
        self.chargers = (*self.chargers, charge)
        self.stood = (*self.stood, *t.units[charge.unit].models)
        t.tell(ChargeDeclared(unit=charge.unit, target=self.target, reach=charge.reach, rush=rush))

    @step("CH-CHARGE-08", "Q-CHARGE-6")
    def call_others(self, t: Battle) -> Ask | Go:
        join = JoinCharge(side=self.side, target=self.target, chargers=tuple([c.unit for c in self.chargers]))
        return ask(join) if join.options(t).several() else Go("offer_reaction")

    @step("Q-CHARGE-6")
    def declare_others(self, t: Battle, choice: Any) -> Go | None:
        if choice.final:
            return None
        self._declare(t, choice)
        return Go("call_others")

    @step("CH-CHARGE-05", "CH-CHARGE-08", "CH-CHARGE-09", "CH-RUSH-06", "CH-PUTINF-04", "Q-CHARGE-2", "Q-CHARGE-6")
    def offer_reaction(self, t: Battle) -> Ask | Go:
        """The charged unit may fire at one charger, unless it is in close combat or was contacted before."""
        chargers = tuple([c.unit for c in self.chargers])
        if not any(may_react(t, self.target, c, against_charge=True) for c in chargers):
            return Go("move_next")
        return ask(ChargeReaction(side=1 - self.side, unit=self.target, chargers=chargers))

    @step("CH-CHARGE-06", "CH-CHARGE-07", "CH-RUSH-07", "CH-COST-15", "Q-RUSH-3")
    def react(self, t: Battle, choice: Act) -> Run | Go | End | None:
        """The fire at the charge is resolved before the chargers move."""
        return carried_out(choice, t, self.target)

    @step("CH-CHARGE-07", "Q-CHARGE-3", "Q-SEQ-3")
    def suffer(self, t: Battle) -> Run:
        return Run(DamageBatch())

    @step("CH-CHARGE-10", "CH-CHARGE-12", "Q-CHARGE-6", "Q-CHARGE-7")
    def move_next(self, t: Battle) -> Ask | End:
        """The surviving chargers move in the order of declaration. Losses never shorten a charge."""
        while self.now < len(self.chargers):
            charge = self.chargers[self.now]
            if t.units[charge.unit].models and t.units[self.target].models:
                reach = self._reach(t, charge)
                if reach is not None:
                    return ask(MakeContact(side=self.side, unit=charge.unit, target=self.target, reach=reach))
                t.change(charge.unit, moved=t.units[charge.unit].moved + self.gone)
                t.tell(ChargeStopped(unit=charge.unit, target=self.target))
            self._turn_to_the_next()
        return End()

    def _turn_to_the_next(self) -> None:
        self.now, self.paths, self.gone = self.now + 1, (), 0

    def _reach(self, t: Battle, charge: Charge) -> int | None:
        """Return the distance that a charger may move to make contact; None if no path reaches the target.

        The charge is as long as the distance paid for. If fire at this charge removed the base that would have made
        contact, the gap to the next base is added. No other loss makes a charge longer.
        """
        unit = charge.unit
        reach = max(charge.reach - self.gone, 0)
        if assault(t, unit, self.target, reach) is not None:
            return reach
        lost = [m for m in self.stood if t.models[m].unit == unit and not t.models[m].alive]
        if not lost or not (self.gone or self._would_arrive(t, charge, lost)):
            return None
        straight = -(-gap(t, unit, self.target) // CM) * CM
        every = (max(reach, straight), reach + 10 * CM, reach + 30 * CM)
        return next((far for far in every if assault(t, unit, self.target, far) is not None), None)

    def _would_arrive(self, t: Battle, charge: Charge, lost: Sequence[int]) -> bool:
        """Return whether a charger would make contact if it still had the bases lost to fire at this charge."""
        whole = t.clone()
        for m in lost:
            whole.change_model(m, alive=True)
        whole.change(charge.unit, models=tuple(sorted((*t.units[charge.unit].models, *lost))))
        return assault(whole, charge.unit, self.target, charge.reach) is not None

    @step("CH-CHARGE-02", "CH-CHARGE-10", "CH-OW-03")
    def charge_home(self, t: Battle, choice: Contact) -> Run:
        self.paths = choice.paths
        return Run(Advance(side=self.side, unit=choice.unit, paths=choice.paths))

    @step("CH-CHARGE-02", "CH-CHARGE-10", "CH-CC-01", "CH-CC-03", "CH-CC-06", "CH-RUSH-05", "Q-CC-1", "Q-CC-8",
          "Q-CHARGE-4", "Q-CHARGE-5", "Q-RUSH-3")  # fmt: skip
    def make_contact(self, t: Battle) -> Go:
        """Infantry in contact is locked with all enemy infantry that it touches. A Rush at vehicles locks no unit."""
        unit = self.chargers[self.now].unit
        if not t.units[unit].models or not in_contact(t, unit, self.target):
            # Fire from overwatch hit the charger on its way. The remaining models of the charger look for another path.
            length = longest(self.paths)
            self.gone += length
            if t.units[unit].models:
                t.tell(ChargeCutShort(unit=unit, target=self.target, paths=self.paths, length=length))
            return Go("move_next")
        length = self.gone + longest(self.paths)
        engaged: tuple[int, ...] = ()
        if is_infantry(t, self.target):
            engaged = tuple(
                [e for e in t.enemies(self.side) if is_infantry(t, e) and (e == self.target or in_contact(t, unit, e))]
            )
            engaged = (self.target, *[e for e in engaged if e != self.target])
            for enemy in engaged:
                _lock(t, unit, enemy)
                _lock(t, enemy, unit)
        else:
            t.orders.append(Order(unit=unit, target=self.target, rush=True))
        u = t.units[unit]
        moved = u.joined_from + length if u.no_free_move else length
        t.change(unit, moved=moved, arrived=True)
        t.tell(ChargeArrived(unit=unit, target=self.target, paths=self.paths, length=length, engaged=engaged))
        self._turn_to_the_next()
        return Go("move_next")


def _lock(t: Battle, unit: int, enemy: int) -> None:
    """Record that a unit is locked with an enemy unit. Locks are stored in the order of contact (Q-CC-8)."""
    u = t.units[unit]
    if enemy not in u.locked:
        t.change(unit, locked=(*u.locked, enemy))


# --- units that may charge, and their price --------------------------------------------------------------------------


@rule("CH-CHARGE-01", "CH-CHARGE-02", stages=("rush",), traits=lambda t, unit, target: kind_of(t, unit).traits)
def may_be_charged_by(t: Battle, unit: int, target: int) -> bool:
    """Infantry may charge only enemy infantry."""
    return is_infantry(t, target)


@may_be_charged_by.amended_by("CH-RUSH-04", "Q-RUSH-2", stage="rush", trait="asori-rush")
def asori_rush_light_vehicles_too(may: bool, t: Battle, unit: int, target: int) -> bool:
    return may or is_light(t, target)


def price_of_charge(t: Battle, unit: int, reach: int) -> Sum:
    return next((price for length, price in charge_bands(t, unit) if length == reach), ())


def _why_not_reached(t: Battle, unit: int, target: int, reach: int) -> str:
    """Return in words why a charge makes no contact: distance, an obstacle, a long path, or lack of room."""
    apart, most = gap(t, unit, target), f"the charge reaches {decimal(reach, CM)} cm"
    if apart > reach:
        return f"{decimal(apart, CM)} cm apart, and {most}"
    routes = Routes(t, unit, charge=target, engages=is_infantry(t, target))
    length: int | None = None
    for far, i, j in pairs_near(t, routes, target):
        if length is None or far < length:
            path = way_to(routes, i, t.discs(target)[j], length)
            length = length if path is None else path_length(path)
    if length is not None and length <= reach:
        return f"one base gets there in {decimal(length, CM)} cm, but not all find room within {decimal(reach, CM)} cm"
    what = _in_the_way(t, routes, target)
    what = f"{what} {agreeing(what, 'is')}"
    if length is None:
        return f"{what} in the way, and no way leads round to a free place"
    return f"{what} in the way, the way round is {decimal(length, CM)} cm long, and {most}"


def _in_the_way(t: Battle, routes: Routes, target: int) -> str:
    """Describe the obstacle on the straight line between the nearest bases of a charger and its target."""
    _, i, j = pairs_near(t, routes, target)[0]
    (x, y, r), (u, v, s) = routes.discs[i], t.discs(target)[j]
    end = contact_point((u, v, s), r, (x - u, y - v))
    own = set(t.discs(routes.unit))
    owners = [(d, o.unit) for o in standing(t) for d in o.discs if d not in own]
    fault = path_fault(routes.ground, ((x, y), end), r, [d for d, _ in owners], routes.crosses)
    if fault is None:
        return t.called(target)
    if fault.disc is not None:
        return t.called(owners[fault.disc][1])
    return f"{fault.terrain}" if fault.terrain is not None else "the edge of the table"


def targets_near(t: Battle, side: int, unit: int, reach: int) -> list[int]:
    """Return the enemy units that may be near enough for a charge, by their bounding boxes."""
    box = discs_box(t.discs(unit))
    return [
        s.unit
        for s in standing(t)
        if s.side != side and boxes_within(s.box, box, reach + CONTACT) and may_be_charged_by(t, unit, s.unit)
    ]


def affordable(t: Battle, side: int, unit: int) -> list[int]:
    """Return the distances over which a unit can charge with the available points."""
    return [reach for reach, price in charge_bands(t, unit) if total(price) <= t.armies[side].cp]


def _near(t: Battle, side: int, unit: int) -> list[int]:
    reaches = affordable(t, side, unit)
    return targets_near(t, side, unit, reaches[-1]) if reaches else []


# --- decisions -------------------------------------------------------------------------------------------------------


class Charge(Act, frozen=True):
    """Charge an enemy unit. A charge at Light vehicles is an Asori Rush."""

    unit: Annotated[int, Pick(lambda t, side: t.in_play(side), shown=called)]
    target: Annotated[int, Pick(_near, NO_ENEMY, called, among=lambda t, side: t.enemies(side))]
    reach: Annotated[int, Pick(affordable)]
    """Distance that is paid for, in tenths of a millimetre; one of the lengths in the unit's bands."""

    words = "{verb} {target} over up to {reach:cm}"
    group = "Charge"
    price = price_of_charge
    aim = "target"
    near = (("unit", "target"), ("unit",))
    says: ClassVar = {"verb": lambda t, target: "Charge" if is_infantry(t, target) else "Rush"}
    guards = Guards(
        why_still,
        (ONLY_INFANTRY, lambda t, unit: not is_infantry(t, unit)),
        ...,
        (NOT_AT_VEHICLES, lambda t, unit, target: not may_be_charged_by(t, unit, target)),
        (NO_SUCH_REACH, lambda t, unit, reach: all(reach != length for length, _ in charge_bands(t, unit))),
        (NO_CP, lambda t, side, price: total(price) > t.armies[side].cp),
        (OUT_OF_REACH, lambda t, unit, target, reach: assault(t, unit, target, reach) is None),
        name="unit",
        price=lambda price: total(price),
        cp=lambda t, side: t.armies[side].cp,
        why=_why_not_reached,
    )

    @classmethod
    def random(cls, o: Any, dice: Dice) -> Charge | None:
        t, side = o.t, o.side
        able = [i for i in o.movers if is_infantry(t, i)]
        if not able:
            return None
        unit = able[dice.below(len(able))]
        reaches = affordable(t, side, unit)
        if not reaches:
            return None
        reach = reaches[dice.below(len(reaches))]
        near = targets_near(t, side, unit, reach)
        if not near:
            return None
        target = near[dice.below(len(near))]
        return Charge(unit, target, reach) if assault(t, unit, target, reach) is not None else None

    def perform(self, t: Battle, side: int) -> ChargeAt:
        return ChargeAt(side=side, target=self.target, first=self)


class NoMoreChargers(Pass, frozen=True):
    """Let no further unit charge the target."""

    words = "No more chargers"
    context = ("target",)
    aim = "target"
    final = True


def _unboosted(t: Battle, unit: int, charger: int) -> Refusal | None:
    return why_no_reaction(t, unit, charger, against_charge=True)


def _boosted(t: Battle, unit: int, charger: int, boost: int) -> Refusal | None:
    return why_no_boosted_reaction(t, unit, charger, boost, against_charge=True) if boost else None


class ReactToCharge(Act, frozen=True):
    """Fire at one of the chargers before it arrives."""

    charger: Annotated[
        int,
        Pick(
            lambda o: o.asked.chargers,
            NOT_CHARGING,
            called,
            charger=lambda t, charger: t.called(charger) if 0 <= charger < len(t.units) else "That",
            unit=lambda t, unit: t.called(unit),
        ),
    ]
    boost: Annotated[int, Pick(lambda t, side: range(t.armies[side].cp + 1))] = 0

    words = "Fire at {charger}{boosts}"
    context = ("unit",)
    aim = "charger"
    says: ClassVar = {"boosts": lambda boost: f" with {quantity(boost, 'boost')}" if boost else ""}
    guards = Guards(_unboosted, _boosted)

    @staticmethod
    def price(boost: int) -> Sum:
        return price_of_reaction(boost)

    def perform(self, t: Battle, by: int) -> ReactionShot:
        t.pay(t.units[by].side, price_of_reaction(self.boost), by)
        return ReactionShot(shooter=by, target=self.charger, boost=self.boost, against_charge=True)


class LetThemCome(Act, frozen=True):
    """Hold fire against the charge."""

    words = "Hold fire"
    context = ("unit",)
    final = True

    def perform(self, t: Battle, by: int) -> Go:
        return Go("move_next")


class Joining(Choices):
    """Further charges at the same unit, and the option to end the declarations."""

    acts = (NoMoreChargers, Charge)
    finite = True

    def of(self, act: type[Act]) -> Iterator[Any]:
        return act.every(self, target=self.asked.target) if act is Charge else act.every(self)

    def refusal(self, action: Any) -> Refusal | None:
        if type(action) is not Charge:
            return super().refusal(action)
        target = self.asked.target
        refusal = ANOTHER_TARGET.refuses(action.target != target, target=self.t.called(target)) or action.why(self)
        return refusal and refusal.towards(next(self.of(Charge), NoMoreChargers()))


class JoinCharge(OneOf, frozen=True, kw_only=True):
    """The charging side chooses whether another unit charges the same target."""

    target: int
    chargers: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("Q-CHARGE-6", "CH-CHARGE-08")
    hint: ClassVar[str] = (
        "All charges at one unit are declared together: it may fire at only one of them. A unit that charges it later "
        "this turn is not fired at either, but comes too late to be part of this choice."
    )

    menu = Joining

    def prompt(self, t: Battle) -> str:
        return f"Does another unit charge {t.called(self.target)} as well?"


class ChargeReaction(OneOf, frozen=True, kw_only=True):
    """The owner of the charged unit chooses whether it fires at one of the chargers."""

    unit: int
    chargers: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-05", "CH-CHARGE-06", "CH-CHARGE-08", "CH-RUSH-06", "CH-RUSH-07")
    occasion: ClassVar[str] = "when an enemy charges"
    hint: ClassVar[str] = (
        "A charged unit may fire at one charger before contact, with half its dice and without a price. Bases that it "
        "hits are lost at once, but one remaining base is enough to arrive."
    )

    clause = "CH-CHARGE-08"
    acts = (LetThemCome, ReactToCharge)

    def prompt(self, t: Battle) -> str:
        names = listed([t.called(c) for c in self.chargers])
        charge = "charge" if len(self.chargers) > 1 else agreeing(names, "charges")
        return f"{names} {charge} {t.called(self.unit)}: fire at the charge?"


# --- events ----------------------------------------------------------------------------------------------------------


class ChargeDeclared(Event, frozen=True):
    unit: int
    target: int
    reach: int
    rush: bool
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-04", "CH-RUSH-01")
    about = ("unit", "target")
    shown = MotionOf("aim", target="target")

    def sentence(self, t: Battle) -> str:
        verb = "rushes" if self.rush else "charges"
        return f"{t.does(self.unit, verb)} {t.called(self.target)}"


class ChargeArrived(Event, frozen=True):
    unit: int
    target: int
    paths: Paths
    length: int
    engaged: tuple[int, ...]
    """Enemy units with which the charger is locked now."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-10", "CH-CC-01", "Q-CHARGE-5")

    def sentence(self, t: Battle) -> str:
        text = f"{t.does(self.unit, 'reaches')} {t.called(self.target)}"
        others = [t.called(e) for e in self.engaged if e != self.target]
        if others:
            text += f" and {agreeing(t.called(self.unit), 'engages')} {', '.join(others)} too"
        return text + ("; they are locked in close combat" if self.engaged else "")

    def touches(self) -> tuple[int, ...]:
        return (self.unit, self.target, *[e for e in self.engaged if e != self.target])

    def motion(self, t: Battle) -> Motion | None:
        """Return the motion into contact; None if the unit was in contact already."""
        if not self.paths:
            return None
        return Motion(sort="charge", unit=self.unit, target=self.target, ways=self.paths)


class ChargeCutShort(Event, frozen=True):
    """A charger lost the bases that would have made contact. Its other bases stop at the ends of their paths."""

    unit: int
    target: int
    paths: Paths
    length: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-05", "CH-CHARGE-10")
    about = ("unit", "target")

    def sentence(self, t: Battle) -> str:
        far = f"{decimal(self.length, CM)} cm"
        return f"{t.does(self.unit, 'comes')} {far} towards {t.called(self.target)}, and no base left makes contact"

    def motion(self, t: Battle) -> Motion:
        left = t.units[self.unit].models
        return Motion(sort="move", unit=self.unit, ways=tuple([way for way in self.paths if way[0] in left]))


class ChargeStopped(Event, frozen=True):
    """A charger found no free place in contact, and stayed."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-CHARGE-7",)
    about = ("unit", "target")

    def sentence(self, t: Battle) -> str:
        stays = agreeing(t.called(self.unit), "stays")
        return f"{t.does(self.unit, 'finds')} no free place in contact with {t.called(self.target)} and {stays}"
