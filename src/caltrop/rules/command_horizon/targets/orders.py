"""Orders to fire at a unit, by Squads at several units, or at a spot: their cost, and reasons against them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, cast

import msgspec
from msgspec.structs import asdict, replace

from caltrop.asking import Act, Offer
from caltrop.engine import (
    Event,
    Refusal,
    Sum,
    Term,
    agreeing,
    guard,
    rule,
    total,
)
from caltrop.geometry import CM, gap_within
from caltrop.picture import Motion
from caltrop.rules.command_horizon.aim import is_artillery
from caltrop.rules.command_horizon.artillery import pod_attack
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.places import NINE_LINES, gap, is_putredine_infantry, standing, within
from caltrop.rules.command_horizon.reach import kind_of, price_of_shot
from caltrop.rules.command_horizon.records import Battle, Order, Point, of_dice
from caltrop.rules.command_horizon.shooting import (
    FIRES,
    attack_of,
    best_sighter,
    marks_on,
    price_of_boost,
    settled,
    why_no_boost,
    why_no_order,
    why_no_sighter,
)
from caltrop.table.measured.paths import stands
from caltrop.table.measured.sight import sight

NO_CP = guard(("CH-COST-01", "CH-CP-10"), "no-cp", "That costs {price} CP, and you have {cp} left")
NOT_YOURS = guard("CH-FIRE-01", "not-yours", "{unit:is} not your unit to order")
ORDERED = guard("CH-FIRE-01", "ordered", "{unit:has} a target already: one unit a turn is shot at")
NOT_MARKED = guard("CH-MARK-09", "not-marked", "{target:is} not marked, so artillery cannot range in on it")
TOO_NEAR_TO_RANGE_IN = guard(
    "CH-MARK-14", "too-near-to-range-in", "{target:is} {gap:cm} away: no Ranged In attack within {least:cm}"
)
ONLY_ARTILLERY = guard("CH-ART-02", "only-artillery", "Only artillery fires by another unit's sight")
ONLY_SQUADS = guard(("CH-SQUAD-10", "CH-FIRE-01"), "only-squads", "{unit} cannot split fire; only infantry Squads can")
ONE_SQUAD = guard(
    ("CH-SQUAD-08", "CH-SQUAD-10"), "one-squad", "{unit:has} one Squad left, and split fire needs two or more"
)
SPLIT_SQUADS = guard(
    ("CH-SQUAD-08", "Q-SQUAD-4"),
    "split-squads",
    "Split fire needs two or more targets, and each Squad fires at one of them",
)
SPLIT_MARKERS = guard(
    "Q-SQUAD-4", "split-markers", "The unit's {stuns:marker} {stuns::is} shared out over its groups, none below 1 die"
)
SPLIT_MARKING_DIE = guard("Q-SQUAD-4", "split-marking-die", "The die for marking is lost by one of the groups")
NO_PODS = guard("CH-POD-01", "no-pods", "{unit:has} no Pod launcher")
POD_DISTANCE = guard("CH-POD-02", "pod-distance", "The spot must be {least:cm} to {most:cm} away")
POD_UNSEEN = guard(("Q-POD-1", "CH-ART-02"), "pod-unseen", "No friend sees the spot")
POD_TAKEN = guard(("CH-POD-04", "Q-SPAWN-1"), "pod-taken", "A base cannot stand on that spot, clear of the enemy")


class Ordered(Event, frozen=True):
    order: Order
    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-08", "CH-FIRE-01")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("orders", "rusher", "unit"),)

    @property
    def rusher(self) -> tuple[int, ...]:
        """Return the unit whose Rush created this order at contact; empty for a new order."""
        return (self.order.unit,) if self.order.rush else ()

    def sentence(self, t: Battle) -> str:
        o = self.order
        who = name = t.called(o.unit)
        if o.squads:
            who += f" ({'Squads' if len(o.squads) > 1 else 'Squad'} {', '.join(str(s + 1) for s in o.squads)})"
        if o.spot is not None:
            text = f"{who} {agreeing(name, 'aims')} a Pod launcher at a spot"
        elif o.rush:
            text = f"{who} {agreeing(name, 'rushes')} {t.called(o.target)}"
        else:
            text = f"{who} {agreeing(name, 'targets')} {t.called(o.target)}"
        how = [
            words
            for chosen, words in (
                (o.boost, "boosted"),
                (o.ranged_in, "Ranged In"),
                (o.exposed, "at exposed models only"),
            )
            if chosen
        ]
        if o.artillery and o.sighter != o.unit and o.sighter >= 0:
            how.append(f"seen by {t.called(o.sighter)}")
        return f"{text}{', ' * bool(how)}{', '.join(how)}"

    def touches(self) -> tuple[int, ...]:
        return (self.order.unit, self.order.target) if self.order.target >= 0 else (self.order.unit,)

    def motion(self, t: Battle) -> Motion | None:
        return Motion(sort="aim", unit=self.order.unit, target=self.order.target) if self.order.target >= 0 else None


class TakenBack(Event, frozen=True):
    """A declared attack was taken back before the side had finished."""

    unit: int
    refunded: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-3",)
    template = "{unit:takes} the order back: {refunded} CP returned"


class _Shot(Act, frozen=True):
    """An order to fire: declared now, and rolled later."""

    sampled = True

    def orders(self, t: Battle) -> tuple[Order, ...]:
        raise NotImplementedError

    def cost(self, t: Battle) -> Sum:
        """Return the cost of the shot and its boosts. A Ranged In attack costs nothing extra (Q-MARK-3)."""
        order: Any = self
        return (*price_of_shot(t, order.unit), *price_of_boost(order.boost))

    def why_not_so(self, t: Battle) -> Refusal | None:
        return None

    def text(self, t: Battle) -> str:
        orders = self.orders(t)
        shots = [f"{t.called(o.target)} with {of_dice(attack_dice(t, attack_of(t, o)).total)}" for o in orders]
        text = ("Range in on " if orders[0].ranged_in else "Fire at ") + " and at ".join(shots)
        return text + ", boosted" * bool(orders[0].boost) + ", exposed models only" * orders[0].exposed

    @classmethod
    def every(cls, o: Any, **fixed: Any) -> Iterator[Any]:
        for unit in o.able():
            for act in o.of_unit(unit) if unit == fixed.get("unit", unit) else ():
                if type(act) is cls and all(getattr(act, f) == value for f, value in fixed.items()):
                    yield act

    def why(self, o: Any) -> Refusal | None:
        return why_not(o.t, o.side, self)

    def may(self, o: Any) -> bool:
        return self.why(o) is None

    def nearest(self, o: Any) -> Act:
        t, order = o.t, cast(Any, self)
        fires = list(Fire.every(o, unit=order.unit))
        same = [a for a in fires if a.target == getattr(self, "target", None)]
        near = same or sorted(fires, key=lambda a: (gap(t, a.unit, a.target), a.target))
        # A boost is proposed only for a unit that has no dice otherwise.
        return min(near, key=lambda a: bool(a.boost)) if near else cast(Act, o.ending())

    def offer(self, o: Any) -> Offer:
        t, order = o.t, cast(Any, self)
        return Offer(
            action=self,
            words=self.text(t),
            group=t.called(order.unit),
            unit=order.unit,
            target=getattr(self, "target", None),
            spot=getattr(self, "spot", None),
            price=self.cost(t),
        )

    def told(self, o: Any) -> Offer:
        """Return the order as an offer, even if it can only be given through a form."""
        return self.offer(o)

    def perform(self, t: Battle, by: int) -> None:
        price, order = self.cost(t), cast(Any, self)
        t.pay(by, price, order.unit, shooting_or_moving=True)
        for i, order in enumerate(self.orders(t)):
            order = replace(order if order.spot is not None else settled(t, order), paid=0 if i else total(price))
            t.orders.append(order)
            t.tell(Ordered(order))


class Fire(_Shot, frozen=True):
    """Fire at an enemy unit."""

    unit: int
    target: int
    boost: int = 0
    exposed: bool = False
    """True to aim only at exposed models. An attack at exposed models has no cover bonus, and only these models can be
    lost.
    """
    ranged_in: bool = False
    """For artillery: True to use the marks on the target."""
    sighter: int = -1
    """For artillery: the friend that sees the target; -1 for the friend with the best view."""

    def orders(self, t: Battle) -> tuple[Order, ...]:
        artillery, sighter = is_artillery(t, self.unit), self.sighter
        if artillery and sighter == -1 and 0 <= self.target < len(t.units) and t.units[self.target].models:
            sighter = best_sighter(t, self.unit, self.target)
        return (
            Order(
                unit=self.unit,
                target=self.target,
                boost=self.boost,
                exposed=self.exposed,
                artillery=artillery,
                ranged_in=self.ranged_in,
                sighter=sighter,
            ),
        )


class Part(msgspec.Struct, frozen=True):
    """A group of Squads in split fire, with its target."""

    target: int
    squads: tuple[int, ...]
    """Numbers of the Squads, from 0."""
    share: int = 0
    """Number of the unit's Stun markers that count for this group."""
    exposed: bool = False
    marking_die: bool = False
    """True if this group has one die less because the unit has marked a target."""


class SplitFire(_Shot, frozen=True):
    """Fire at several enemy units, Squad by Squad."""

    unit: int
    parts: tuple[Part, ...]
    boost: int = 0

    def orders(self, t: Battle) -> tuple[Order, ...]:
        return tuple([Order(unit=self.unit, boost=self.boost, **asdict(part)) for part in self.parts])

    def cost(self, t: Battle) -> Sum:
        """Return the cost, which includes the Squads that leave the common target."""
        split = Term(squads_that_pay(t, self.unit, self.parts), "CH-COST-18", "split fire")
        return (*price_of_shot(t, self.unit), split, *price_of_boost(self.boost))

    def why_not_so(self, t: Battle) -> Refusal | None:
        return why_no_split(t, self)


class FireAtSpot(_Shot, frozen=True):
    """Fire the Pod launcher at a spot on the ground."""

    unit: int
    spot: Point  # type: ignore[assignment, misc]
    boost: int = 0
    sighter: int = -1
    """The friend that sees the spot; -1 for the first that does."""

    def orders(self, t: Battle) -> tuple[Order, ...]:
        sighter = self.sighter if self.sighter != -1 else spot_sighter(t, self.unit, self.spot)
        return (Order(unit=self.unit, boost=self.boost, artillery=True, spot=self.spot, sighter=sighter),)

    def text(self, t: Battle) -> str:
        return "Aim the Pod launcher at this spot"


@rule("CH-SQUAD-08", "CH-COST-18", "Q-SQUAD-1", stages=("house",))
def squads_that_pay(t: Battle, unit: int, parts: tuple[Part, ...]) -> int:
    """In split fire, each Squad outside the largest group pays."""
    sizes = [len(p.squads) for p in parts]
    return sum(sizes) - max(sizes)


@squads_that_pay.amended_by("Q-SQUAD-1", stage="house", house={"splitFire.pays": "all"})
def every_squad_pays(paying: int, t: Battle, unit: int, parts: tuple[Part, ...]) -> int:
    """House rule: every Squad of the Platoon pays."""
    return len(squads_of(t, unit))


def squads_of(t: Battle, unit: int) -> list[int]:
    return sorted({t.models[m].squad for m in t.units[unit].models})


def spot_sighter(t: Battle, unit: int, spot: Point) -> int:
    """Return the first friend that sees a spot on the ground, starting with the artillery itself; -1 if none does."""
    side = t.units[unit].side
    base = (*spot, CM)
    for friend in (unit, *[i for i in t.in_play(side) if i != unit]):
        if sees_spot(t, friend, base):
            return friend
    return -1


def sees_spot(t: Battle, friend: int, base: tuple[int, int, int]) -> bool:
    others = [d for s in standing(t) if s.unit != friend and not is_putredine_infantry(t, s.unit) for d in s.discs]
    return sight(t.ground, NINE_LINES, t.discs(friend), (base,), others).seen


@rule("Q-POD-1", "CH-POD-02", stages=("house",))
def spot_must_be_seen(t: Battle) -> bool:
    """A friend must see the spot, like any target of artillery."""
    return True


@spot_must_be_seen.amended_by("Q-POD-1", stage="house", house={"pod.needsSight": "no"})
def pods_fly_blind(must: bool, t: Battle) -> bool:
    """House rule: no friend needs to see the spot."""
    return False


def why_no_spot(t: Battle, order: Order) -> Refusal | None:
    kind = kind_of(t, order.unit)
    u = t.units[order.unit]
    if "seeding" not in kind.traits or order.spot is None:
        return NO_PODS.refuses(True, unit=t.called(order.unit))
    least, most = kind.number("pod_min_cm") * CM, kind.number("pod_max_cm") * CM
    point = (*order.spot, 0)
    discs = t.discs(order.unit)
    too_near = any(gap_within(d, point, least - 1) for d in discs)
    too_far = not any(gap_within(d, point, most) for d in discs)
    refusal = POD_DISTANCE.refuses(too_near or too_far, least=least, most=most)
    if refusal is not None:
        return refusal
    base = (*order.spot, CM)
    enemies = [t.models[m].disc for i in t.enemies(u.side) for m in t.units[i].models]
    bodies = [t.models[m].disc for i in t.in_play() for m in t.units[i].models]
    taken = not stands(t.ground, base, bodies) or any(gap_within(base, d, 2) for d in enemies)
    refusal = POD_TAKEN.refuses(taken)
    if refusal is None and spot_must_be_seen(t):
        friend = order.sighter
        refusal = POD_UNSEEN.refuses(friend == -1) or why_no_sighter(t, order)
        if refusal is None:
            refusal = POD_UNSEEN.refuses(not sees_spot(t, friend, base))
    return refusal


def why_no_range_in(t: Battle, order: Order) -> Refusal | None:
    if not order.ranged_in:
        return None
    kind = kind_of(t, order.unit)
    least = kind.number("ranged_in_cm") * CM
    name = t.called(order.target)
    return NOT_MARKED.refuses(marks_on(t, order.target) == 0, target=name) or TOO_NEAR_TO_RANGE_IN.refuses(
        within(t, order.unit, order.target, least), target=name, gap=gap(t, order.unit, order.target), least=least
    )


def why_no_split(t: Battle, action: SplitFire) -> Refusal | None:
    u = t.units[action.unit]
    own = squads_of(t, action.unit)
    name = t.called(action.unit)
    refusal = ONLY_SQUADS.refuses(not kind_of(t, action.unit).infantry, unit=name) or ONE_SQUAD.refuses(
        len(own) < 2, unit=name
    )
    if refusal is not None:
        return refusal
    named = [s for p in action.parts for s in p.squads]
    targets = [p.target for p in action.parts]
    bad = (
        len(action.parts) < 2
        or any(not p.squads for p in action.parts)
        or len(set(named)) != len(named)
        or any(s not in own for s in named)
        or len(set(targets)) != len(targets)
    )
    refusal = SPLIT_SQUADS.refuses(bad)
    if refusal is not None:
        return refusal
    dies = sum([p.marking_die for p in action.parts])
    return SPLIT_MARKING_DIE.refuses(dies != (1 if u.marking >= 0 else 0)) or SPLIT_MARKERS.refuses(
        sum([p.share for p in action.parts]) != u.stuns or any(p.share < 0 for p in action.parts), stuns=u.stuns
    )


def why_no_shares(t: Battle, orders: tuple[Order, ...], stuns: int) -> Refusal | None:
    """Return why markers cannot be divided in this way, or None. In split fire, no marker may be without effect in one
    group while another group has dice to lose.
    """
    room = [max(0, attack_dice(t, attack_of(t, replace(o, share=0))).total - 1) for o in orders]
    wasted = any(o.share > r for o, r in zip(orders, room, strict=True))
    return SPLIT_MARKERS.refuses(wasted and sum(room) >= stuns, stuns=stuns)


def why_not(t: Battle, side: int, action: Any) -> Refusal | None:
    unit = action.unit
    if not 0 <= unit < len(t.units) or t.units[unit].side != side or not t.units[unit].models:
        return NOT_YOURS.refuses(True, unit=t.called(unit) if 0 <= unit < len(t.units) else "That")
    u = t.units[unit]
    refusal = (
        NOT_YOURS.refuses(not u.deployed, unit=t.called(unit))
        or FIRES.why(t, unit=unit)
        or ORDERED.refuses(any(o.unit == unit for o in t.orders), unit=t.called(unit))
    )
    if refusal is not None:
        return refusal
    apart: Refusal | None = action.why_not_so(t)
    if apart is not None:
        return apart
    orders = action.orders(t)
    for order in orders:
        if order.spot is not None:
            refusal = why_no_spot(t, order) or _boost_at_spot(t, order)
        else:
            refusal = (
                ONLY_ARTILLERY.refuses(not order.artillery and order.sighter != -1)
                or why_no_order(t, order)
                or why_no_range_in(t, order)
            )
        if refusal is not None:
            return refusal
    if len(orders) > 1 and u.stuns:
        refusal = why_no_shares(t, orders, u.stuns)
    price, cp = action.cost(t), t.armies[side].cp
    cost = total(price)
    if refusal is None and cost > cp:
        dearest = next(p for p in reversed(price) if p.value)
        refusal = NO_CP.refuses(True, price=cost, cp=cp)
        if refusal is not None:
            refusal = replace(refusal, clause=dearest.clause)
    return refusal


def _boost_at_spot(t: Battle, order: Order) -> Refusal | None:
    return why_no_boost(t, order.unit, pod_attack(t, order)) if order.boost else None
