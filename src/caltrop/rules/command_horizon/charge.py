"""Charges: declared, answered by reaction fire, and carried home; the Asori Rush at Light class vehicles too.

All charges at one unit are declared together (Q-CHARGE-6). Then the charged unit may fire at one of them, its hits
count at once, and the survivors move into contact. The fighting itself comes in the combat step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import (
    NOT_LISTED,
    Act,
    Choices,
    Guards,
    Nearness,
    Offer,
    Offered,
    OneOf,
    Pass,
    Pick,
    PickedUp,
    Proposal,
    Region,
    Wish,
    carried_out,
)
from caltrop.chance import Dice
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
    Sum,
    agreeing,
    ask,
    decimal,
    does,
    guard,
    rule,
    step,
    total,
)
from caltrop.geometry import (
    CM,
    CONTACT,
    Disc,
    Point,
    boxes_within,
    contact_point,
    disc_box,
    discs_box,
    distance_up,
    gap_up,
    gap_within,
    path_length,
    touching,
)
from caltrop.picture import Motion
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.places import Standing, gap, in_contact, standing
from caltrop.rules.command_horizon.reach import called, charge_bands, is_infantry, is_light, kind_of
from caltrop.rules.command_horizon.reaction import ReactionShot, may_react, price_of_reaction, why_no_boosted_reaction
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.rules.command_horizon.routes import Path, Paths, Routes, Wrong, longest, why_still
from caltrop.table.measured import (
    Ending,
    contact_places,
    may_approach,
    nearest_end,
    nearest_of,
    nearest_pair,
    path_fault,
    way,
)

ONLY_INFANTRY = guard("CH-CHARGE-01", "only-infantry", "{name:is} no infantry: only infantry charges")
NO_ENEMY = guard("CH-CHARGE-02", "no-enemy", "A charge needs an enemy unit in play")
NOT_AT_VEHICLES = guard(
    ("CH-CHARGE-02", "CH-PUTINF-12", "CH-PUTINF-15", "CH-RUSH-04", "Q-RUSH-2"),
    "not-at-vehicles",
    "{name} cannot charge {target}: infantry charges infantry, and Asori infantry Light class vehicles as well",
)
NO_SUCH_REACH = guard(
    ("CH-CHARGE-03", "Q-CHARGE-1", "Q-CHARGE-8"), "no-such-reach", "{name:does} not charge over {reach:cm}"
)
NO_CP = guard("Q-CHARGE-1", "no-cp-to-charge", "The charge costs {price} CP, and {cp} are at hand")
OUT_OF_REACH = guard(
    ("CH-CHARGE-13", "Q-CHARGE-7"), "out-of-reach", "No base of {name} gets into contact with {target}: {why}"
)
NO_CONTACT = guard(("CH-CHARGE-02", "CH-CHARGE-13"), "no-contact", "No base of {name} would touch {target}")
ANOTHER_TARGET = guard("Q-CHARGE-6", "another-target", "Charges at {target} are being declared together")

NEAREST = 6
"""How many places in contact with a base are tried first, the nearest of all."""
AT_FIRST = 8
"""How many pairs of bases are tried first, the nearest of all."""
FROM_BEHIND = 3
"""For how many pairs of bases the other sides are tried as well, where the nearest places are closed."""


class ChargeAt(Procedure):
    """All charges at one unit: declared together, answered, and carried home."""

    side: int
    target: int
    first: Charge
    chargers: tuple[Charge, ...] = ()
    now: int = 0
    """Which charger moves next."""
    paths: Paths = ()
    """Its way."""
    stood: tuple[int, ...] = ()
    """The bases of all chargers when they declared: those of them that are gone were lost to fire at this charge."""
    gone: int = 0
    """How far the one that moves next has come already, where overwatch has hit it on its way."""

    @step("CH-CHARGE-03", "CH-CHARGE-04", "CH-ASORI-17", "CH-RUSH-01", "CH-RUSH-04", "Q-CHARGE-1", "Q-CHARGE-8",
          "Q-RUSH-1")  # fmt: skip
    def declare(self, t: Battle) -> None:
        """The charge is declared, and paid for."""
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
        """Other units may charge the same target."""
        join = JoinCharge(side=self.side, target=self.target, chargers=tuple([c.unit for c in self.chargers]))
        return ask(join) if join.options(t).several() else Go("offer_reaction")

    @step("Q-CHARGE-6")
    def declare_others(self, t: Battle, choice: Any) -> Go | None:
        """Until nobody else does."""
        if choice.final:
            return None
        self._declare(t, choice)
        return Go("call_others")

    @step("CH-CHARGE-05", "CH-CHARGE-08", "CH-CHARGE-09", "CH-RUSH-06", "CH-PUTINF-04", "Q-CHARGE-2", "Q-CHARGE-6")
    def offer_reaction(self, t: Battle) -> Ask | Go:
        """The charged unit may fire at one of them, unless it is fighting already or was contacted before."""
        chargers = tuple([c.unit for c in self.chargers])
        own = [t.units[u] for u in t.in_play(self.side)]
        contacted = any(u.charging == self.target and u.arrived for u in own)
        if contacted or not any(may_react(t, self.target, c, against_charge=True) for c in chargers):
            return Go("move_next")
        return ask(ChargeReaction(side=1 - self.side, unit=self.target, chargers=chargers))

    @step("CH-CHARGE-06", "CH-CHARGE-07", "CH-RUSH-07", "CH-COST-15", "Q-RUSH-3")
    def react(self, t: Battle, choice: Act) -> Run | Go | End | None:
        """That fire is resolved before the chargers move."""
        return carried_out(choice, t, self.target)

    @step("CH-CHARGE-07", "Q-CHARGE-3", "Q-SEQ-3")
    def suffer(self, t: Battle) -> Run:
        """Its damage is applied at once."""
        return Run(DamageBatch())

    @step("CH-CHARGE-10", "CH-CHARGE-12", "Q-CHARGE-6", "Q-CHARGE-7")
    def move_next(self, t: Battle) -> Ask | End:
        """The survivors move in the order of their declarations; losses never shorten a charge."""
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
        """How far a charger may go to make contact, None where it finds no way.

        What it has paid for; and where fire at this charge took the base that would have arrived, as much more as the
        others stand behind it. No other loss lengthens a charge.
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
        """Whether a charger would make contact now if the bases that it lost to this charge's fire were still there."""
        whole = t.clone()
        for m in lost:
            whole.change_model(m, alive=True)
        whole.change(charge.unit, models=tuple(sorted((*t.units[charge.unit].models, *lost))))
        return assault(whole, charge.unit, self.target, charge.reach) is not None

    @step("CH-CHARGE-02", "CH-CHARGE-10", "CH-OW-03")
    def charge_home(self, t: Battle, choice: Contact) -> Run:
        """The bases move into contact."""
        self.paths = choice.paths
        return Run(Advance(side=self.side, unit=choice.unit, paths=choice.paths))

    @step("CH-CHARGE-02", "CH-CHARGE-10", "CH-CC-01", "CH-CC-03", "CH-CC-06", "CH-RUSH-05", "Q-CC-1", "Q-CC-8",
          "Q-CHARGE-4", "Q-CHARGE-5", "Q-RUSH-3")  # fmt: skip
    def make_contact(self, t: Battle) -> Go:
        """From contact on, infantry is locked with all infantry that it touches; a Rush at vehicles locks nobody."""
        unit = self.chargers[self.now].unit
        if not t.units[unit].models or not in_contact(t, unit, self.target):
            # Overwatch has hit it on the way: what is left of it looks for another way, or is gone.
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
    """Remember that a unit is locked with an enemy unit, in the order of contact (Q-CC-8)."""
    u = t.units[unit]
    if enemy not in u.locked:
        t.change(unit, locked=(*u.locked, enemy))


# --- who may charge, and for what price ------------------------------------------------------------------------------


@rule("CH-CHARGE-01", "CH-CHARGE-02", stages=("rush",), traits=lambda t, unit, target: kind_of(t, unit).traits)
def may_be_charged_by(t: Battle, unit: int, target: int) -> bool:
    """Infantry charges enemy infantry, and nothing else."""
    return is_infantry(t, target)


@may_be_charged_by.amended_by("CH-RUSH-04", "Q-RUSH-2", stage="rush", trait="asori-rush")
def asori_rush_light_vehicles_too(may: bool, t: Battle, unit: int, target: int) -> bool:
    """An Asori Rush may be made at every Light class vehicle unit, Carriers too."""
    return may or is_light(t, target)


def price_of_charge(t: Battle, unit: int, reach: int) -> Sum:
    """What a charge over that reach costs."""
    return next((price for length, price in charge_bands(t, unit) if length == reach), ())


def _why_not_reached(t: Battle, unit: int, target: int, reach: int) -> str:
    """What keeps a charge from contact: the distance, what is in the way and how long the way round is, or no room."""
    apart, most = gap(t, unit, target), f"the charge reaches {decimal(reach, CM)} cm"
    if apart > reach + CONTACT:
        return f"{decimal(apart, CM)} cm apart, and {most}"
    routes = Routes(t, unit, charge=target, engages=is_infantry(t, target))
    length: int | None = None
    for far, i, j in _pairs(t, routes, target):
        if length is None or far < length:
            found = _way_to(routes, i, t.discs(target)[j], length)
            length = length if found is None else path_length(found)
    if length is not None and length <= reach:
        return f"one base gets there in {decimal(length, CM)} cm, but not all find room within {decimal(reach, CM)} cm"
    what = _in_the_way(t, routes, target)
    what = f"{what} {agreeing(what, 'is')}"
    if length is None:
        return f"{what} in the way, and no way leads round to a free place"
    return f"{what} in the way, the way round is {decimal(length, CM)} cm long, and {most}"


def _in_the_way(t: Battle, routes: Routes, target: int) -> str:
    """What stops the nearest base on the straight line to the nearest base of its target."""
    _, i, j = _pairs(t, routes, target)[0]
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
    """Enemy units that a unit might charge, by their boxes."""
    box = discs_box(t.discs(unit))
    return [
        s.unit
        for s in standing(t)
        if s.side != side and boxes_within(s.box, box, reach + CONTACT) and may_be_charged_by(t, unit, s.unit)
    ]


def affordable(t: Battle, side: int, unit: int) -> list[int]:
    """The reaches over which a unit can pay to charge."""
    return [reach for reach, price in charge_bands(t, unit) if total(price) <= t.armies[side].cp]


def _near(t: Battle, side: int, unit: int) -> list[int]:
    reaches = affordable(t, side, unit)
    return targets_near(t, side, unit, reaches[-1]) if reaches else []


# --- ways into contact -----------------------------------------------------------------------------------------------


def assault(t: Battle, unit: int, target: int, reach: int, turn: int = 0) -> Paths | None:
    """Paths that bring a unit into contact with its target: one base leads, the others follow (Q-CHARGE-7).

    Args:
        t: The battle.
        unit: The charging unit.
        target: The charged unit.
        reach: The greatest length of a path.
        turn: 0 for the shortest way; other numbers begin with another base, for variety.

    Returns:
        The paths (none where the unit is in contact already and stays), or None where there is no way.
    """
    kept: dict[Any, Paths | None] = t.book.scratch.setdefault("assault", {})
    key = (t.stamp, unit, target, reach, turn)
    if t.stamp and key in kept:
        return kept[key]
    found = _assault(t, unit, target, reach, turn)
    if t.stamp:
        if len(kept) > 4_000:
            kept.clear()
        kept[key] = found
    return found


def _assault(t: Battle, unit: int, target: int, reach: int, turn: int) -> Paths | None:
    theirs = t.discs(target)
    routes = Routes(t, unit, charge=target, reach=reach, engages=is_infantry(t, target))
    pairs = _pairs(t, routes, target, reach)
    if turn and pairs:
        turn %= len(pairs)
        pairs = pairs[turn:] + pairs[:turn]
    tried: set[tuple[int, Point]] = set()

    def led(i: int, places: Sequence[Point]) -> Paths | None:
        for place in places:
            if (i, place) not in tried:
                tried.add((i, place))
                paths = _led(routes, i, place, reach)
                if paths is not None:
                    return paths
        return None

    later: list[tuple[int, Point]] = []
    for n, (_, i, j) in enumerate(pairs[:AT_FIRST]):
        if touching(routes.discs[i], theirs[j]):
            paths = routes.followed(i, (routes.discs[i][:2],), reach)
            if paths is not None:
                return paths
        places = _places(routes, i, theirs[j])
        paths = led(i, places[:NEAREST])
        if paths is not None:
            return paths
        if n < FROM_BEHIND:
            later += [(i, place) for place in places[NEAREST::5]]
    # Nothing on the near side: the far sides of the nearest bases are worth a look.
    for i, place in later if not turn else ():
        paths = led(i, (place,))
        if paths is not None:
            return paths
    # No before every base that has a way within reach has been tried at every base of the target.
    for _, i, j in pairs if not turn else ():
        if _way_to(routes, i, theirs[j], reach) is not None:
            paths = led(i, _places(routes, i, theirs[j]))
            if paths is not None:
                return paths
    return None


def _pairs(t: Battle, routes: Routes, target: int, reach: int | None = None) -> list[tuple[int, int, int]]:
    """Every base that may lead with every base of a target within reach, and their gap, the nearest first."""
    return sorted(
        [
            (gap_up(a, b), i, j)
            for i, a in enumerate(routes.discs)
            for j, b in enumerate(t.discs(target))
            if (reach is None or gap_within(a, b, reach + CONTACT)) and routes.ids[i] not in routes.disabled
        ]
    )


def _places(routes: Routes, lead: int, base: Disc) -> tuple[Point, ...]:
    """Return where one base may stand in contact with a base of the target, and touch nobody that it may not touch."""
    x, y, r = routes.discs[lead]
    box = disc_box(base)
    near = [d for d in routes.local if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
    close = [d for d in routes.untouchable if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]

    def suits(p: Point) -> bool:
        return not any(gap_within((*p, r), d, CONTACT) for d in close)

    return contact_places(routes.ground, base, r, (x, y), near, suits)


def _way_to(routes: Routes, lead: int, base: Disc, limit: int | None) -> Path | None:
    """The shortest way of one base to any place beside a base of the target, None where none is within a limit."""
    x, y, r = routes.discs[lead]
    places = _places(routes, lead, base)
    if routes.crosses:
        found = [((x, y), p) for p in places if limit is None or distance_up((x, y), p) <= limit]
        return found[0] if found else None
    if not places or not may_approach(routes.ground, (x, y), r, base, places, routes.local, limit):
        return None
    return nearest_of(routes.ground, (x, y), r, places, routes.local, limit)


def _led(routes: Routes, lead: int, place: Point, reach: int) -> Paths | None:
    """The unit led to a place by one of its bases, None where that base finds no way within reach."""
    x, y, r = routes.discs[lead]
    path = way(routes.ground, (x, y), place, r, routes.local, routes.crosses, reach)
    return None if path is None else routes.followed(lead, path, reach)


def contact_from(t: Battle, routes: Routes, s: Standing, limit: int) -> tuple[Point, int] | None:
    """A place in contact with another unit, and the base nearest to it that may move there; None out of reach."""
    pairs = sorted((gap_up(a, b), i, j) for i, a in enumerate(routes.discs) for j, b in enumerate(s.discs))
    apart, i, j = pairs[0]
    if apart > limit:
        return None
    x, y, r = routes.discs[i]
    box = disc_box(s.discs[j])
    near = [d for o in routes.others for d in o.discs if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
    places = contact_places(routes.ground, s.discs[j], r, (x, y), near)
    return (places[0], i) if places else None


# --- what is asked ---------------------------------------------------------------------------------------------------


class Charge(Act, frozen=True):
    """Charge an enemy unit; at Light class vehicles, an Asori Rush."""

    unit: Annotated[int, Pick(lambda t, side: t.in_play(side), shown=called)]
    target: Annotated[int, Pick(_near, NO_ENEMY, called, among=lambda t, side: t.enemies(side))]
    reach: Annotated[int, Pick(affordable)]
    """The length that is paid for, in tenths of a millimetre: one of the unit's charge ladder."""

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
        """One by chance, None where the draw is no charge."""
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
        """All charges at the unit are declared together."""
        return ChargeAt(side=side, target=self.target, first=self)


class NoMoreChargers(Pass, frozen=True):
    """Nobody else charges this unit now."""

    words = "No more chargers"
    context = ("target",)
    aim = "target"
    final = True


def _unboosted(t: Battle, o: Any, unit: int, charger: int) -> bool:
    return charger not in o.asked.chargers or not may_react(t, unit, charger, against_charge=True)


def _boosted(t: Battle, unit: int, charger: int, boost: int) -> Refusal | None:
    return why_no_boosted_reaction(t, unit, charger, boost, against_charge=True) if boost > 0 else None


class ReactToCharge(Act, frozen=True):
    """Fire at one of the chargers before they arrive."""

    charger: Annotated[int, Pick(lambda o: o.asked.chargers, NOT_LISTED, shown=called)]
    boost: Annotated[int, Pick(lambda t, side: range(t.armies[side].cp + 1))] = 0

    words = "Fire at {charger}{boosts}"
    context = ("unit",)
    aim = "charger"
    says: ClassVar = {"boosts": lambda boost: f" with {quantity(boost, 'boost')}" if boost else ""}
    guards = Guards(_boosted, (NOT_LISTED, _unboosted), (NOT_LISTED, lambda boost: boost < 0))

    @staticmethod
    def price(boost: int) -> Sum:
        """What its boost costs."""
        return price_of_reaction(boost)

    def perform(self, t: Battle, by: int) -> ReactionShot:
        """The charged unit fires."""
        t.pay(t.units[by].side, price_of_reaction(self.boost), by)
        return ReactionShot(shooter=by, target=self.charger, boost=self.boost, against_charge=True)


class LetThemCome(Act, frozen=True):
    """Hold fire against the charge."""

    words = "Hold fire"
    context = ("unit",)
    final = True

    def perform(self, t: Battle, by: int) -> Go:
        """The chargers move."""
        return Go("move_next")


class Contact(Action, frozen=True):
    """Move a charger into contact."""

    unit: int
    paths: Paths


class Joining(Choices):
    """No more, or one of the charges at the same unit."""

    acts = (NoMoreChargers, Charge)
    finite = True

    def of(self, act: type[Act]) -> Iterator[Any]:
        """Yield the legal acts of a kind; charges at that unit alone."""
        return act.every(self, target=self.asked.target) if act is Charge else act.every(self)

    def refusal(self, action: Any) -> Refusal | None:
        """Return why another unit may not charge so, with a charge that it may."""
        if type(action) is not Charge:
            return super().refusal(action)
        target = self.asked.target
        found = ANOTHER_TARGET.refuses(action.target != target, target=self.t.called(target)) or action.why(self)
        return found and found.towards(next(self.of(Charge), NoMoreChargers()))


class JoinCharge(OneOf, frozen=True, kw_only=True):
    """Does another unit charge the same target?"""

    target: int
    chargers: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("Q-CHARGE-6", "CH-CHARGE-08")
    hint: ClassVar[str] = (
        "All charges at one unit are declared together: it may fire at only one of them. A unit that charges it later "
        "this turn is not fired at either, but comes too late to be part of this choice."
    )

    menu = Joining

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Does another unit charge {t.called(self.target)} as well?"


class ChargeReaction(OneOf, frozen=True, kw_only=True):
    """Does the charged unit fire at one of the chargers?"""

    unit: int
    chargers: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-05", "CH-CHARGE-06", "CH-CHARGE-08", "CH-RUSH-06", "CH-RUSH-07")
    hint: ClassVar[str] = (
        "A charged unit may fire at one charger before contact, with half its dice and without a price. What it hits "
        "is lost at once, but one base that is left is enough to arrive."
    )

    clause = "CH-CHARGE-08"
    acts = (LetThemCome, ReactToCharge)

    def prompt(self, t: Battle) -> str:
        """The question."""
        names = " and ".join(t.called(c) for c in self.chargers)
        charge = "charge" if len(self.chargers) > 1 else agreeing(names, "charges")
        return f"{names} {charge} {t.called(self.unit)}: fire at the charge?"


class ContactOptions(Options):
    """The ways in which a charger may move into contact."""

    __slots__ = ("decision", "routes", "t")

    def __init__(self, t: Battle, decision: MakeContact) -> None:
        self.t, self.decision = t, decision
        self.routes = Routes(
            t, decision.unit, charge=decision.target, reach=decision.reach, engages=is_infantry(t, decision.target)
        )

    def refusal(self, action: Any) -> Refusal | None:
        """Why a charger may not move so; the nearest is the way into contact on which its first base ends nearest."""
        d, t = self.decision, self.t
        first = self.first()
        if not isinstance(action, Contact) or action.unit != d.unit:
            name, target = t.called(d.unit), t.called(d.target)
            return Refusal(
                code="make-contact", clause="CH-CHARGE-10", message=f"{does(name, 'moves')} into contact with {target}",
                nearest=first,
            )  # fmt: skip
        wrong = self.wrong(action.paths)
        return None if wrong is None else wrong.refusal().towards(self.nearest(action.paths))

    def nearest(self, paths: Paths) -> Contact:
        """The way into contact on which the first base ends nearest to where paths lead it."""
        d, routes = self.decision, self.routes
        x, y, _ = routes.discs[0]

        def straight(end: Point) -> Ending[Contact] | None:
            found = routes.shifted((end[0] - x, end[1] - y), path_length(((x, y), end)))
            return (routes.ends(found)[0][:2], Contact(d.unit, found)) if self.wrong(found) is None else None

        known = [(routes.ends(way.paths)[0][:2], way) for way in self]
        goal = routes.ends(paths)[0][:2]
        return nearest_end(goal, (x, y), d.reach, routes.ground.box, straight, known=known) or self.first()

    def wrong(self, paths: Paths) -> Wrong | None:
        """What is wrong with a way into contact, None where it is legal."""
        return self.routes.wrong(paths) or self._apart(paths)

    def _apart(self, paths: Paths) -> Wrong | None:
        t, d = self.t, self.decision
        ends = self.routes.ends(paths)
        theirs = t.discs(d.target)
        gap, i, _ = nearest_pair(ends, theirs)
        if gap <= CONTACT or not NO_CONTACT(True):
            return None
        x, y, _ = ends[i]
        return Wrong(NO_CONTACT, {"name": t.called(d.unit), "target": t.called(d.target), "x": x, "y": y})

    def __iter__(self) -> Iterator[Contact]:
        """The shortest way into contact, then others that begin with other bases."""
        d = self.decision
        seen: list[Paths] = []
        for turn in (0, 1, 2, 3, 5, 8):
            paths = assault(self.t, d.unit, d.target, d.reach, turn)
            if paths is not None and paths not in seen:
                seen.append(paths)
                yield Contact(d.unit, paths)

    def sample(self, dice: Dice) -> Contact:
        """A way into contact with a base by chance, or the shortest one."""
        d = self.decision
        paths = assault(self.t, d.unit, d.target, d.reach, dice.below(4))
        return self.first() if paths is None else Contact(d.unit, paths)

    def first(self) -> Contact:
        """The shortest way into contact."""
        d = self.decision
        paths = assault(self.t, d.unit, d.target, d.reach)
        assert paths is not None
        return Contact(d.unit, paths)


class MakeContact(Offered, frozen=True, kw_only=True):
    """How does a charger move into contact?"""

    unit: int
    target: int
    reach: int
    """The greatest length of a path: what was paid for, or more where losses would shorten the charge."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-02", "CH-CHARGE-10", "CH-CHARGE-12")
    hint: ClassVar[str] = (
        "At least one base has to touch the charged unit; the others follow within 1 inch of one another. Further "
        "enemy infantry that you touch is engaged as well."
    )

    def options(self, t: Battle) -> ContactOptions:
        """Every way into contact."""
        return ContactOptions(t, self)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"How {agreeing(t.called(self.unit), 'does')} {t.called(self.unit)} reach {t.called(self.target)}?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """The shortest way; others are dragged."""
        first = self.options(t).first()
        return (Offer(action=first, words="By the shortest way", unit=self.unit, target=self.target, final=True),)

    def told(self, t: Battle, action: Contact) -> Offer:
        """The enemy it moves into contact with, whatever the way."""
        words = f"Move into contact with {t.called(self.target)}"
        return Offer(action=action, words=words, unit=self.unit, target=self.target)

    def regions(self, t: Battle) -> tuple[Region, ...]:
        """The reach of the charge."""
        return (Region(form="move", unit=self.unit, words="Move into contact", bands=((self.reach, 0),), act="charge"),)

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """The paths that a drag comes to."""
        options = self.options(t)
        paths = drawn(options.routes, wish, lambda paths: options.wrong(paths) is None)
        action = Contact(self.unit, paths)
        wrong = options.wrong(paths)
        length = longest(paths)
        return Proposal(
            action=action if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(self.reach - length, 0),
            refusal=None if wrong is None else wrong.refusal().towards(options.nearest(paths)),
            faults=() if wrong is None else faults_at(options.routes, paths, wrong),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        """What is around the charger, and the enemy it has to touch."""
        if unit != self.unit:
            return None
        touch = Nearness(bases=tuple(t.discs(self.target)), most=CONTACT)
        return replace(picked_up(self.options(t).routes), near=(touch,))


# --- what is told ----------------------------------------------------------------------------------------------------


class ChargeDeclared(Event, frozen=True):
    """A charge was declared."""

    unit: int
    target: int
    reach: int
    rush: bool
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-04", "CH-RUSH-01")

    def sentence(self, t: Battle) -> str:
        """The charger, and its target."""
        verb = "rushes" if self.rush else "charges"
        return f"{t.does(self.unit, verb)} {t.called(self.target)}"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)

    def motion(self, t: Battle) -> Motion:
        """At the charged unit."""
        return Motion(sort="aim", unit=self.unit, target=self.target)


class ChargeArrived(Event, frozen=True):
    """Chargers made contact."""

    unit: int
    target: int
    paths: Paths
    length: int
    engaged: tuple[int, ...]
    """Enemy units that it is locked with from now on."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-10", "CH-CC-01", "Q-CHARGE-5")

    def sentence(self, t: Battle) -> str:
        """The charger, the target it reached, and the units locked."""
        text = f"{t.does(self.unit, 'reaches')} {t.called(self.target)}"
        others = [t.called(e) for e in self.engaged if e != self.target]
        if others:
            text += f" and {agreeing(t.called(self.unit), 'engages')} {', '.join(others)} too"
        return text + ("; they are locked in close combat" if self.engaged else "")

    def touches(self) -> tuple[int, ...]:
        """All units in contact."""
        return (self.unit, self.target, *[e for e in self.engaged if e != self.target])

    def motion(self, t: Battle) -> Motion | None:
        """Along its paths, into contact; nothing is seen of a unit that was there already."""
        if not self.paths:
            return None
        return Motion(sort="charge", unit=self.unit, target=self.target, ways=self.paths)


class ChargeCutShort(Event, frozen=True):
    """Chargers lost on their way the bases that would have made contact; the others stand where their ways end."""

    unit: int
    target: int
    paths: Paths
    length: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-05", "CH-CHARGE-10")

    def sentence(self, t: Battle) -> str:
        """How far the others have come."""
        far = f"{decimal(self.length, CM)} cm"
        return f"{t.does(self.unit, 'comes')} {far} towards {t.called(self.target)}, and no base left makes contact"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)

    def motion(self, t: Battle) -> Motion:
        """Along the paths of those who are left."""
        left = t.units[self.unit].models
        return Motion(sort="move", unit=self.unit, ways=tuple([way for way in self.paths if way[0] in left]))


class ChargeStopped(Event, frozen=True):
    """A charger found no free place in contact, and stays where it was."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-CHARGE-7",)

    def sentence(self, t: Battle) -> str:
        """Who stays."""
        stays = agreeing(t.called(self.unit), "stays")
        return f"{t.does(self.unit, 'finds')} no free place in contact with {t.called(self.target)} and {stays}"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)
