"""Orders to fire: at a unit, by Squads at several, or at a spot; what they cost, and why one cannot be given."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from caltrop.engine import (
    Action,
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
from caltrop.rules.command_horizon.artillery import pod_attack
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.places import NINE_LINES, gap, is_putredine_infantry, standing, within
from caltrop.rules.command_horizon.reach import kind_of, price_of_shot
from caltrop.rules.command_horizon.records import Order, Point
from caltrop.rules.command_horizon.shooting import (
    attack_of,
    best_sighter,
    is_artillery,
    marks_on,
    price_of_boost,
    why_no_boost,
    why_no_fire,
    why_no_order,
)
from caltrop.table.measured.paths import stands
from caltrop.table.measured.sight import sight

NO_CP = guard(("CH-COST-01", "CH-CP-10"), "no-cp", "That costs {price} CP, and {cp} are left")
NOT_YOURS = guard("CH-FIRE-01", "not-yours", "{unit:is} not your unit to order")
ORDERED = guard("CH-FIRE-01", "ordered", "{unit:has} a target already: one unit a turn is shot at")
NOT_MARKED = guard("CH-MARK-09", "not-marked", "{target:is} not marked, so that there is nothing to range in on")
TOO_NEAR_TO_RANGE_IN = guard(
    "CH-MARK-14", "too-near-to-range-in", "{target:is} {gap:cm} away: no Ranged In attack within {least:cm}"
)
ONLY_ARTILLERY = guard("CH-ART-02", "only-artillery", "Only artillery fires by another unit's sight")
ONLY_SQUADS = guard(
    ("CH-SQUAD-10", "CH-FIRE-01"), "only-squads", "Only infantry Squads may split their fire, and not {unit}"
)
SPLIT_SQUADS = guard(
    ("CH-SQUAD-08", "Q-SQUAD-4"), "split-squads", "Split fire is at two or more targets, each Squad at one of them"
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
    """An attack was declared."""

    order: Order
    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-08", "CH-FIRE-01")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("orders", "rusher", "unit"),)

    @property
    def rusher(self) -> tuple[int, ...]:
        """The unit, where its order was written when its Rush made contact; nobody where the order is new."""
        return (self.order.unit,) if self.order.rush else ()

    def sentence(self, t: Battle) -> str:
        """The attacker, its target, and how it will attack."""
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
            for said, words in ((o.boost, "boosted"), (o.ranged_in, "Ranged In"), (o.exposed, "at exposed models only"))
            if said
        ]
        if o.artillery and o.sighter != o.unit and o.sighter >= 0:
            how.append(f"seen by {t.called(o.sighter)}")
        return f"{text}{', ' * bool(how)}{', '.join(how)}"

    def touches(self) -> tuple[int, ...]:
        """The units."""
        return (self.order.unit, self.order.target) if self.order.target >= 0 else (self.order.unit,)

    def motion(self, t: Battle) -> Motion | None:
        """At the target; nothing where it is aimed at a spot."""
        return Motion(sort="aim", unit=self.order.unit, target=self.order.target) if self.order.target >= 0 else None


class TakenBack(Event, frozen=True):
    """A declared attack was taken back before the block was finished."""

    unit: int
    refunded: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-3",)

    def sentence(self, t: Battle) -> str:
        """Whose, and what was given back."""
        return f"{t.does(self.unit, 'takes')} the order back: {self.refunded} CP returned"


class Fire(Action, frozen=True):
    """Fire at an enemy unit."""

    unit: int
    target: int
    boost: int = 0
    exposed: bool = False
    """Aim at exposed models only: no cover bonus, and no other models are lost."""
    ranged_in: bool = False
    """Artillery: use the marks on the target."""
    sighter: int = -1
    """Artillery: the friend that sees the target; -1 for the one with the best view."""


class Part(msgspec.Struct, frozen=True):
    """Some Squads of a unit that splits its fire, and their target."""

    target: int
    squads: tuple[int, ...]
    """Squads by their number, from 0."""
    share: int = 0
    """Stun markers of the unit that fall on this group."""
    exposed: bool = False
    marking_die: bool = False
    """Whether this group loses the die for marking."""


class SplitFire(Action, frozen=True):
    """Fire at several enemy units, Squad by Squad."""

    unit: int
    parts: tuple[Part, ...]
    boost: int = 0


class FireAtSpot(Action, frozen=True):
    """Fire the Pod launcher at a spot on the ground."""

    unit: int
    spot: Point
    boost: int = 0
    sighter: int = -1
    """The friend that sees the spot; -1 for the first that does."""


def orders_from(t: Battle, action: Fire | SplitFire | FireAtSpot) -> tuple[Order, ...]:
    """The orders that an action comes to, prices left out."""
    if isinstance(action, Fire):
        artillery = is_artillery(t, action.unit)
        sighter = action.sighter
        if artillery and sighter < 0 and 0 <= action.target < len(t.units) and t.units[action.target].models:
            sighter = best_sighter(t, action.unit, action.target)
        return (
            Order(
                unit=action.unit,
                target=action.target,
                boost=action.boost,
                exposed=action.exposed,
                artillery=artillery,
                ranged_in=action.ranged_in,
                sighter=sighter,
            ),
        )
    if isinstance(action, SplitFire):
        return tuple(
            [
                Order(
                    unit=action.unit,
                    target=p.target,
                    squads=p.squads,
                    share=p.share,
                    marking_die=p.marking_die,
                    boost=action.boost,
                    exposed=p.exposed,
                )
                for p in action.parts
            ]
        )
    sighter = action.sighter if action.sighter >= 0 else spot_sighter(t, action.unit, action.spot)
    return (Order(unit=action.unit, boost=action.boost, artillery=True, spot=action.spot, sighter=sighter),)


@rule("CH-SQUAD-08", "CH-COST-18", "Q-SQUAD-1", stages=("house",))
def squads_that_pay(t: Battle, unit: int, parts: tuple[Part, ...]) -> int:
    """Each Squad that leaves the common target pays for split fire; the largest group is the body."""
    sizes = [len(p.squads) for p in parts]
    return sum(sizes) - max(sizes)


@squads_that_pay.amended_by("Q-SQUAD-1", stage="house", house={"splitFire.pays": "all"})
def every_squad_pays(paying: int, t: Battle, unit: int, parts: tuple[Part, ...]) -> int:
    """House rule: every Squad of the Platoon pays."""
    return len(squads_of(t, unit))


def squads_of(t: Battle, unit: int) -> list[int]:
    """The Squads that a unit still has, by number."""
    return sorted({t.models[m].squad for m in t.units[unit].models})


def price_of(t: Battle, action: Fire | SplitFire | FireAtSpot) -> Sum:
    """What an order costs: the shot, split fire, the boost (Q-MARK-3: Ranged In adds nothing)."""
    price = price_of_shot(t, action.unit)
    if isinstance(action, SplitFire):
        price = (*price, Term(squads_that_pay(t, action.unit, action.parts), "CH-COST-18", "split fire"))
    return (*price, *price_of_boost(action.boost))


def spot_sighter(t: Battle, unit: int, spot: Point) -> int:
    """The first friend that sees a spot on the ground, the artillery itself before others; -1 for none."""
    side = t.units[unit].side
    base = (*spot, CM)
    for friend in (unit, *[i for i in t.in_play(side) if i != unit]):
        if sees_spot(t, friend, base):
            return friend
    return -1


def sees_spot(t: Battle, friend: int, base: tuple[int, int, int]) -> bool:
    """Whether a unit sees a base that would stand on a spot."""
    others = [d for s in standing(t) if s.unit != friend and not is_putredine_infantry(t, s.unit) for d in s.discs]
    return sight(t.ground, NINE_LINES, t.discs(friend), (base,), others).seen


@rule("Q-POD-1", "CH-POD-02", stages=("house",))
def spot_must_be_seen(t: Battle) -> bool:
    """A friend must see the spot, as it must see any target of artillery."""
    return True


@spot_must_be_seen.amended_by("Q-POD-1", stage="house", house={"pod.needsSight": "no"})
def pods_fly_blind(must: bool, t: Battle) -> bool:
    """House rule: nobody needs to see the spot."""
    return False


def why_no_spot(t: Battle, order: Order) -> Refusal | None:
    """Why a Pod launcher cannot fire at a spot, None where it can."""
    kind = kind_of(t, order.unit)
    u = t.units[order.unit]
    if "seeding" not in kind.traits or order.spot is None:
        return NO_PODS.refuses(True, unit=t.called(order.unit))
    least, most = kind.number("pod_min_cm") * CM, kind.number("pod_max_cm") * CM
    point = (*order.spot, 0)
    discs = t.discs(order.unit)
    too_near = any(gap_within(d, point, least - 1) for d in discs)
    too_far = not any(gap_within(d, point, most) for d in discs)
    found = POD_DISTANCE.refuses(too_near or too_far, least=least, most=most)
    if found is not None:
        return found
    base = (*order.spot, CM)
    enemies = [t.models[m].disc for i in t.enemies(u.side) for m in t.units[i].models]
    bodies = [t.models[m].disc for i in t.in_play() for m in t.units[i].models]
    taken = not stands(t.ground, base, bodies) or any(gap_within(base, d, 2) for d in enemies)
    found = POD_TAKEN.refuses(taken)
    if found is None and spot_must_be_seen(t):
        friend = order.sighter
        seen = 0 <= friend < len(t.units) and t.units[friend].side == u.side and sees_spot(t, friend, base)
        found = POD_UNSEEN.refuses(not seen)
    return found


def why_no_range_in(t: Battle, order: Order) -> Refusal | None:
    """Why an attack cannot be Ranged In, None where it can, or is not."""
    if not order.ranged_in:
        return None
    kind = kind_of(t, order.unit)
    least = kind.number("ranged_in_cm") * CM
    name = t.called(order.target)
    return NOT_MARKED.refuses(marks_on(t, order.target) == 0, target=name) or TOO_NEAR_TO_RANGE_IN.refuses(
        within(t, order.unit, order.target, least), target=name, gap=gap(t, order.unit, order.target), least=least
    )


def why_no_split(t: Battle, action: SplitFire) -> Refusal | None:
    """Why fire cannot be split so, None where it can."""
    u = t.units[action.unit]
    own = squads_of(t, action.unit)
    found = ONLY_SQUADS.refuses(not kind_of(t, action.unit).infantry or len(own) < 2, unit=t.called(action.unit))
    if found is not None:
        return found
    named = [s for p in action.parts for s in p.squads]
    targets = [p.target for p in action.parts]
    bad = (
        len(action.parts) < 2
        or any(not p.squads for p in action.parts)
        or len(set(named)) != len(named)
        or any(s not in own for s in named)
        or len(set(targets)) != len(targets)
    )
    found = SPLIT_SQUADS.refuses(bad)
    if found is not None:
        return found
    dies = sum([p.marking_die for p in action.parts])
    return SPLIT_MARKING_DIE.refuses(dies != (1 if u.marking >= 0 else 0)) or SPLIT_MARKERS.refuses(
        sum([p.share for p in action.parts]) != u.stuns or any(p.share < 0 for p in action.parts), stuns=u.stuns
    )


def why_no_shares(t: Battle, orders: tuple[Order, ...], stuns: int) -> Refusal | None:
    """Why markers cannot be shared out so: none may be idle in one group while another has dice to lose."""
    room = [max(0, attack_dice(t, attack_of(t, replace(o, share=0))).total - 1) for o in orders]
    wasted = any(o.share > r for o, r in zip(orders, room, strict=True))
    return SPLIT_MARKERS.refuses(wasted and sum(room) >= stuns, stuns=stuns)


def why_not(t: Battle, side: int, action: Fire | SplitFire | FireAtSpot) -> Refusal | None:
    """Why an order cannot be given, None where it can."""
    unit = action.unit
    if not 0 <= unit < len(t.units) or t.units[unit].side != side or not t.units[unit].models:
        return NOT_YOURS.refuses(True, unit=t.called(unit) if 0 <= unit < len(t.units) else "That")
    u = t.units[unit]
    found = (
        NOT_YOURS.refuses(not u.deployed, unit=t.called(unit))
        or why_no_fire(t, unit)
        or ORDERED.refuses(any(o.unit == unit for o in t.orders), unit=t.called(unit))
    )
    if found is not None:
        return found
    if isinstance(action, SplitFire):
        found = why_no_split(t, action)
        if found is not None:
            return found
    orders = orders_from(t, action)
    for order in orders:
        if order.spot is not None:
            found = why_no_spot(t, order) or _boost_at_spot(t, order)
        elif not 0 <= order.target < len(t.units):
            found = NOT_YOURS.refuses(True, unit="That target")
        else:
            found = (
                ONLY_ARTILLERY.refuses(not order.artillery and order.sighter >= 0)
                or why_no_order(t, order)
                or why_no_range_in(t, order)
            )
        if found is not None:
            return found
    if len(orders) > 1 and u.stuns:
        found = why_no_shares(t, orders, u.stuns)
    price, cp = price_of(t, action), t.armies[side].cp
    cost = total(price)
    if found is None and cost > cp:
        dearest = next(p for p in reversed(price) if p.value)
        found = NO_CP.refuses(True, price=cost, cp=cp)
        if found is not None:
            found = replace(found, clause=dearest.clause)
    return found


def _boost_at_spot(t: Battle, order: Order) -> Refusal | None:
    return why_no_boost(t, order.unit, pod_attack(t, order)) if order.boost else None
