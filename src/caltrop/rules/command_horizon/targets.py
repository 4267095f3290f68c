"""Step 4, after all movement: marks are set, then every target is named and paid for, then close combat enemies.

Range and sight are checked here once and then stand (Q-TARGET-1). Everything is paid when it is declared; until the
block is finished a declared order may be taken back, since no die has been rolled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Ask,
    Decision,
    Event,
    Go,
    Offer,
    Options,
    Procedure,
    Proposal,
    Refusal,
    Region,
    Run,
    Sum,
    Term,
    Wish,
    ask,
    guard,
    rule,
    step,
    total,
)
from caltrop.geometry import CM, directions, gap_within, point_along
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.attack.legality import CANNOT_MARK
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.close_combat import NameEnemies
from caltrop.rules.command_horizon.places import discs_within, gap, sees, standing, within
from caltrop.rules.command_horizon.reach import price_of_shot
from caltrop.rules.command_horizon.records import MarkOn, Order, Point, of_dice
from caltrop.rules.command_horizon.shooting import (
    aim,
    attack_of,
    best_sighter,
    enemies_near,
    first_sighter,
    in_range,
    is_artillery,
    kind_of,
    marks_on,
    may_fire,
    most_boosts,
    price_of_boost,
    settled,
    why_no_fire,
    why_no_order,
)
from caltrop.table.measured.paths import stands
from caltrop.table.measured.sight import sight

NO_CP = guard(("CH-COST-01", "CH-CP-10"), "no-cp", "That costs {price} CP, and {cp} are left")
NOT_YOURS = guard("CH-FIRE-01", "not-yours", "{unit} is not your unit to order")
ORDERED = guard("CH-FIRE-01", "ordered", "{unit} has its target already: it shoots at one unit a turn")
NO_ORDER = guard("Q-TARGET-3", "no-order", "There is no such order to take back")
MARK_ONCE = guard("CH-MARK-06", "mark-once", "{unit} has marked a target this turn")
MARK_LOCKED = guard(("Q-MARK-5", "Q-CC-7"), "mark-locked", "{unit} is locked in close combat and cannot mark")
MARK_LEFT = guard("CH-DISENGAGE-08", "mark-left", "{unit} has left close combat this turn and can do nothing else")
MARK_FRIEND = guard("CH-MARK-03", "mark-friend", "{target} is no enemy unit on the table")
MARK_TOO_FAR = guard("CH-MARK-04", "mark-too-far", "{target} is {gap:cm} away, and marks are set within {range:cm}")
MARK_UNSEEN = guard("CH-MARK-03", "mark-unseen", "{unit} does not see {target}")
MARK_NO_CP = guard(("CH-MARK-05", "CH-COST-09"), "mark-no-cp", "Marking costs {price} CP, and {cp} are left")
NOT_MARKED = guard("CH-MARK-09", "not-marked", "{target} is not marked, so that there is nothing to range in on")
TOO_NEAR_TO_RANGE_IN = guard(
    "CH-MARK-14", "too-near-to-range-in", "{target} is {gap:cm} away: no Ranged In attack within {least:cm}"
)
ONLY_ARTILLERY = guard("CH-ART-02", "only-artillery", "Only artillery fires by another unit's sight")
ONLY_SQUADS = guard(
    ("CH-SQUAD-10", "CH-FIRE-01"), "only-squads", "Only infantry Squads may split their fire, and not {unit}"
)
SPLIT_SQUADS = guard(
    ("CH-SQUAD-08", "Q-SQUAD-4"), "split-squads", "Split fire is at two or more targets, each Squad at one of them"
)
SPLIT_MARKERS = guard(
    "Q-SQUAD-4", "split-markers", "The unit's {stuns} markers are shared out over its groups, none below 1 die"
)
SPLIT_MARKING_DIE = guard("Q-SQUAD-4", "split-marking-die", "The die for marking is lost by one of the groups")
NO_PODS = guard("CH-POD-01", "no-pods", "{unit} has no Pod launcher")
POD_DISTANCE = guard("CH-POD-02", "pod-distance", "The spot must be {least:cm} to {most:cm} away")
POD_UNSEEN = guard(("Q-POD-1", "CH-ART-02"), "pod-unseen", "No friend sees the spot")
POD_TAKEN = guard(("CH-POD-04", "Q-SPAWN-1"), "pod-taken", "A base cannot stand on that spot, clear of the enemy")

MARK_RANGE = 30 * CM


# --- what can happen ------------------------------------------------------------------------------------------------


class Marked(Event, frozen=True):
    """A target was marked for the artillery."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-05")

    def sentence(self, t: Battle) -> str:
        """Who marked whom."""
        return f"{t.units[self.unit].name} marks {t.units[self.target].name} for the artillery"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)


class Ordered(Event, frozen=True):
    """An attack was declared."""

    order: Order
    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-08", "CH-FIRE-01")

    def sentence(self, t: Battle) -> str:
        """Who will attack whom, and how."""
        o = self.order
        who = t.units[o.unit].name
        if o.squads:
            who += f" (Squad{'s' * (len(o.squads) > 1)} {', '.join(str(s + 1) for s in o.squads)})"
        if o.spot is not None:
            text = f"{who} aims its Pod launcher at a spot"
        elif o.rush:
            text = f"{who} rushes {t.units[o.target].name}"
        else:
            text = f"{who} targets {t.units[o.target].name}"
        how = [
            words
            for said, words in ((o.boost, "boosted"), (o.ranged_in, "Ranged In"), (o.exposed, "at exposed models only"))
            if said
        ]
        if o.artillery and o.sighter != o.unit and o.sighter >= 0:
            how.append(f"seen by {t.units[o.sighter].name}")
        return f"{text}{', ' * bool(how)}{', '.join(how)}"

    def touches(self) -> tuple[int, ...]:
        """The units."""
        return (self.order.unit, self.order.target) if self.order.target >= 0 else (self.order.unit,)


class TakenBack(Event, frozen=True):
    """A declared attack was taken back before the block was finished."""

    unit: int
    refunded: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-TARGET-3",)

    def sentence(self, t: Battle) -> str:
        """Whose, and what was given back."""
        return f"{t.units[self.unit].name} takes its order back: {self.refunded} CP returned"

    def touches(self) -> tuple[int, ...]:
        """The unit."""
        return (self.unit,)


# --- marks ----------------------------------------------------------------------------------------------------------


class MarkTarget(Action, frozen=True):
    """Mark an enemy unit for the artillery."""

    unit: int
    target: int


class EndMarks(Action, frozen=True):
    """Set no further marks."""


def why_no_mark(t: Battle, side: int, unit: int, target: int) -> Refusal | None:
    """Why a unit cannot mark this enemy, None where it can."""
    if not 0 <= unit < len(t.units) or t.units[unit].side != side or not t.units[unit].models:
        return NOT_YOURS.refuses(True, unit=t.units[unit].name if 0 <= unit < len(t.units) else "That")
    u = t.units[unit]
    kind = kind_of(t, unit)
    found = (
        CANNOT_MARK.refuses(not kind.marks or not u.deployed, who=kind.title)
        or MARK_ONCE.refuses(u.marking >= 0, unit=u.name)
        or MARK_LOCKED.refuses(bool(u.locked), unit=u.name)
        or MARK_LEFT.refuses(u.disengaged, unit=u.name)
    )
    if found is not None:
        return found
    if not 0 <= target < len(t.units):
        return MARK_FRIEND.refuses(True, target="That")
    e = t.units[target]
    cp = t.armies[side].cp
    found = MARK_FRIEND.refuses(e.side == side or not e.models or not e.deployed, target=e.name)
    if found is None and not within(t, unit, target, MARK_RANGE):
        found = MARK_TOO_FAR.refuses(True, target=e.name, gap=gap(t, unit, target), range=MARK_RANGE)
    return (
        found
        or MARK_UNSEEN.refuses(not sees(t, unit, target), unit=u.name, target=e.name)
        or MARK_NO_CP.refuses(cp < 1, price=1, cp=cp)
    )


def may_mark(t: Battle, unit: int) -> bool:
    """Whether a unit can mark at all, were there a target."""
    u = t.units[unit]
    return kind_of(t, unit).marks and u.marking < 0 and not u.locked and not u.disengaged


class _MarkOptions(Options):
    """Marks that can be set, and ending."""

    __slots__ = ("side", "t")

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side

    def refusal(self, action: Any) -> Refusal | None:
        """Why not."""
        if isinstance(action, EndMarks):
            return None
        if not isinstance(action, MarkTarget):
            return Refusal(
                code="marks-first", clause="Q-TARGET-3", message="Marks are set first, then targets", nearest=EndMarks()
            )
        found = why_no_mark(self.t, self.side, action.unit, action.target)
        if found is None:
            return None
        near = [a for a in self if isinstance(a, MarkTarget) and a.unit == action.unit]
        return found.towards(near[0] if near else EndMarks())

    def _targets(self, unit: int) -> Iterator[int]:
        """The enemies that a unit able to mark can mark."""
        t = self.t
        for target in t.enemies(self.side):
            if within(t, unit, target, MARK_RANGE) and why_no_mark(t, self.side, unit, target) is None:
                yield target

    def __iter__(self) -> Iterator[MarkTarget | EndMarks]:
        t = self.t
        yield EndMarks()
        if t.armies[self.side].cp > 0:
            for unit in t.in_play(self.side):
                if may_mark(t, unit):
                    for target in self._targets(unit):
                        yield MarkTarget(unit, target)

    def sample(self, dice: Dice) -> MarkTarget | EndMarks:
        """Ending, as likely as any one unit that may mark; else a unit and one of the enemies that it can mark."""
        t = self.t
        able = [u for u in t.in_play(self.side) if may_mark(t, u)] if t.armies[self.side].cp > 0 else []
        if dice.below(1 + len(able)):
            while able:
                unit = able.pop(dice.below(len(able)))
                targets = tuple(self._targets(unit))
                if targets:
                    return MarkTarget(unit, targets[dice.below(len(targets))])
        return EndMarks()


class Marks(Decision, frozen=True, kw_only=True):
    """Mark targets for the artillery?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "Q-MARK-4")
    hint: ClassVar[str] = (
        "A mark costs 1 CP and one die of the marking unit's own shot. With marks artillery can kill vehicles: up to "
        "three marks from different units count."
    )

    def options(self, t: Battle) -> _MarkOptions:
        """Each unit that can mark, with each enemy that it sees within 30 cm."""
        return _MarkOptions(t, self.side)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"{t.armies[self.side].name}: mark targets for the artillery?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Marks with their price, and ending."""
        found = []
        for a in _MarkOptions(t, self.side):
            if isinstance(a, MarkTarget):
                found.append(
                    Offer(
                        action=a,
                        words=f"Mark {t.units[a.target].name}",
                        group=t.units[a.unit].name,
                        unit=a.unit,
                        target=a.target,
                        price=(Term(1, "CH-MARK-05", "marking a target"),),
                    )
                )
        return (*found, Offer(action=EndMarks(), words="No further marks", final=True))


# --- targets --------------------------------------------------------------------------------------------------------


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


class TakeBack(Action, frozen=True):
    """Take a unit's order back."""

    unit: int


class EndAllocation(Action, frozen=True):
    """Name no further targets."""


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
    from caltrop.rules.command_horizon.places import is_putredine_infantry

    others = [d for s in standing(t) if s.unit != friend and not is_putredine_infantry(t, s.unit) for d in s.discs]
    return sight(t.ground, t.discs(friend), (base,), others).seen


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
        return NO_PODS.refuses(True, unit=u.name)
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
    name = t.units[order.target].name
    return NOT_MARKED.refuses(marks_on(t, order.target) == 0, target=name) or TOO_NEAR_TO_RANGE_IN.refuses(
        within(t, order.unit, order.target, least), target=name, gap=gap(t, order.unit, order.target), least=least
    )


def why_no_split(t: Battle, action: SplitFire) -> Refusal | None:
    """Why fire cannot be split so, None where it can."""
    u = t.units[action.unit]
    own = squads_of(t, action.unit)
    found = ONLY_SQUADS.refuses(not kind_of(t, action.unit).infantry or len(own) < 2, unit=u.name)
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
        return NOT_YOURS.refuses(True, unit=t.units[unit].name if 0 <= unit < len(t.units) else "That")
    u = t.units[unit]
    found = (
        NOT_YOURS.refuses(not u.deployed, unit=u.name)
        or why_no_fire(t, unit)
        or ORDERED.refuses(any(o.unit == unit for o in t.orders), unit=u.name)
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
    from caltrop.rules.command_horizon.artillery import pod_attack
    from caltrop.rules.command_horizon.shooting import why_no_boost

    return why_no_boost(t, order.unit, pod_attack(t, order)) if order.boost else None


class _Orders(Options):
    """Targets that can be named, orders that can be taken back, and ending."""

    __slots__ = ("side", "t")

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side

    def refusal(self, action: Any) -> Refusal | None:
        """Why not, and the nearest target that the unit can have."""
        t = self.t
        if isinstance(action, EndAllocation):
            return None
        if isinstance(action, TakeBack):
            given = [o for o in t.orders if o.unit == action.unit and not o.rush and t.units[o.unit].side == self.side]
            found = NO_ORDER.refuses(not given)
            return found.towards(EndAllocation()) if found else None
        if not isinstance(action, Fire | SplitFire | FireAtSpot):
            return Refusal(
                code="targets-now",
                clause="Q-TARGET-3",
                message="Targets are named now: movement and marks are over",
                nearest=EndAllocation(),
            )
        found = why_not(t, self.side, action)
        if found is None:
            return None
        near: Any = EndAllocation()
        if 0 <= action.unit < len(t.units) and t.units[action.unit].side == self.side and t.units[action.unit].models:
            own = self._of(action.unit) if action.unit in self._able() else iter(())
            fires = [a for a in own if isinstance(a, Fire) and not a.boost]
            if isinstance(action, Fire) and any(a.target == action.target for a in fires):
                near = next(a for a in fires if a.target == action.target)
            elif fires:
                near = min(fires, key=lambda a: (gap(t, a.unit, a.target), a.target))
        return found.towards(near)

    def _able(self) -> list[int]:
        t = self.t
        ordered = [o.unit for o in t.orders]
        cp = t.armies[self.side].cp
        return [
            u for u in t.in_play(self.side) if u not in ordered and may_fire(t, u) and total(price_of_shot(t, u)) <= cp
        ]

    def _plain(self, unit: int, target: int, *, any_view: bool = False) -> Fire | None:
        """The simplest shot at a target, if there is one.

        Args:
            unit: Who fires.
            target: The enemy.
            any_view: Whether, for artillery, the first friend who sees the target will do, and not the best placed one.
        """
        t = self.t
        if t.units[target].locked:
            return None
        action = Fire(unit, target)
        if is_artillery(t, unit):
            if not in_range(t, unit, target):  # before anybody's view of it, which takes longer
                return None
            sighter = (first_sighter if any_view else best_sighter)(t, unit, target)
            if sighter < 0:
                return None
            action = Fire(unit, target, sighter=sighter)
            if marks_on(t, target) and kind_of(t, unit).ranged_in_cm:
                ranged_in = Fire(unit, target, sighter=sighter, ranged_in=True)
                if why_not(t, self.side, ranged_in) is None:
                    return ranged_in
        elif not aim(t, unit, target).models:
            return None
        return action if why_not(t, self.side, action) is None else None

    def _of(self, unit: int) -> Iterator[Fire | SplitFire | FireAtSpot]:
        t, side = self.t, self.side
        targets = []
        for target in enemies_near(t, unit):
            plain = self._plain(unit, target)
            if plain is None:
                continue
            targets.append(target)
            for exposed in (False, True):
                for boost in range(most_boosts(t, side) + 1):
                    action = replace(plain, exposed=exposed, boost=boost)
                    if (not exposed and not boost) or why_not(t, side, action) is None:
                        yield action
        if len(targets) > 1 and kind_of(t, unit).infantry and t.units[unit].squads > 1:
            yield from self._splits(unit, targets)
        if "seeding" in kind_of(t, unit).traits:
            yield from self._spots(unit)

    def _splits(self, unit: int, targets: list[int]) -> Iterator[SplitFire]:
        """One Squad at each other target in turn."""
        t = self.t
        own = squads_of(t, unit)
        u = t.units[unit]
        if len(own) < 2:
            return
        for body in targets:
            for other in targets:
                if other != body:
                    rest = tuple(own[:-1])
                    parts = (
                        Part(body, rest, share=u.stuns, marking_die=u.marking >= 0),
                        Part(other, (own[-1],)),
                    )
                    action = SplitFire(unit, parts)
                    if why_not(t, self.side, action) is None:
                        yield action

    def _spots(self, unit: int) -> Iterator[FireAtSpot]:
        """Spots beside the nearest edge of each enemy, and around the launcher."""
        t = self.t
        x, y, _ = t.discs(unit)[0]
        spots: list[Point] = []
        for enemy in t.enemies(self.side):
            ex, ey, r = t.discs(enemy)[0]
            if (ex, ey) != (x, y):
                spots.append(point_along((ex, ey), (x - ex, y - ey), r + 2 * CM))
        spots.extend(point_along((x, y), d, 20 * CM) for d in directions(8))
        kind = kind_of(t, unit)
        least, most = kind.number("pod_min_cm") * CM - 1, kind.number("pod_max_cm") * CM
        own = t.discs(unit)
        for spot in dict.fromkeys(spots):
            point = ((*spot, 0),)
            if discs_within(own, point, least) or not discs_within(own, point, most):
                continue  # before anybody's view of it, which takes longer
            action = FireAtSpot(unit, spot)
            if why_not(t, self.side, action) is None:
                yield action

    def __iter__(self) -> Iterator[Any]:
        """Ending first, then unit by unit. Taking back is legal and not listed."""
        yield EndAllocation()
        for unit in self._able():
            yield from self._of(unit)

    def anything(self) -> bool:
        """Whether any order can be given; targets first, since spots for Pods take longer to find."""
        able = self._able()
        for unit in able:
            for target in enemies_near(self.t, unit):
                if self._plain(unit, target, any_view=True) is not None:
                    return True
        return any(next(self._spots(u), None) is not None for u in able if "seeding" in kind_of(self.t, u).traits)

    def several(self) -> bool:
        """Whether there is more to do than to end."""
        return self.anything()

    def sample(self, dice: Dice) -> Any:
        """Ending, as likely as any one unit that may fire; else a unit and one of its targets, now and then boosted."""
        able = self._able()
        if dice.below(1 + len(able)):
            while able:
                found = self._random_order(able.pop(dice.below(len(able))), dice)
                if found is not None:
                    return found
        return EndAllocation()

    def _random_order(self, unit: int, dice: Dice) -> Fire | SplitFire | FireAtSpot | None:
        """An order for one unit by chance, None where it can fire at nobody."""
        t = self.t
        if "seeding" in kind_of(t, unit).traits and dice.below(4) == 0:
            x, y, _ = t.discs(unit)[0]
            ring = directions(32)
            spot = point_along((x, y), ring[dice.below(32)], 11 * CM + dice.below(38 * CM))
            pod = FireAtSpot(unit, spot)
            if why_not(t, self.side, pod) is None:
                return pod
        enemies = list(t.enemies(self.side))
        left = enemies_near(t, unit)
        while left:
            plain = self._plain(unit, left.pop(dice.below(len(left))))
            if plain is None:
                continue
            how = dice.below(4)
            if how:
                bold: Fire | SplitFire = replace(plain, boost=1) if how == 1 else replace(plain, exposed=True)
                if how == 3:
                    bold = next(iter(self._splits(unit, [plain.target, enemies[dice.below(len(enemies))]])), plain)
                if why_not(t, self.side, bold) is None:
                    return bold
            return plain
        return None


class Targets(Decision, frozen=True, kw_only=True):
    """Who fires at whom?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-08", "CH-FIRE-01", "Q-TARGET-1", "Q-TARGET-3")
    hint: ClassVar[str] = (
        "Name a target for each unit that is to fire. The dice are rolled later, all attacks count as simultaneous, "
        "and whoever is fired at may answer."
    )

    def options(self, t: Battle) -> _Orders:
        """Every target in range and sight that can be paid for."""
        return _Orders(t, self.side)

    def prompt(self, t: Battle) -> str:
        """The question, with the points left."""
        return f"{t.armies[self.side].name}: name targets ({t.armies[self.side].cp} CP left)"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Every shot with its dice and price, orders to take back, and ending."""
        found = []
        for action in _Orders(t, self.side):
            if isinstance(action, EndAllocation):
                continue
            target = action.target if isinstance(action, Fire) else None
            found.append(
                Offer(
                    action=action,
                    words=_words_of(t, action),
                    group=t.units[action.unit].name,
                    unit=action.unit,
                    target=target,
                    spot=action.spot if isinstance(action, FireAtSpot) else None,
                    price=price_of(t, action),
                )
            )
        for order in t.orders:
            if not order.rush and not any(o.action == TakeBack(order.unit) for o in found):
                found.append(
                    Offer(
                        action=TakeBack(order.unit),
                        words="Take its order back",
                        group=t.units[order.unit].name,
                        unit=order.unit,
                    )
                )
        return (*found, Offer(action=EndAllocation(), words="All targets are named", final=True))

    def regions(self, t: Battle) -> tuple[Region, ...]:
        """The spots that Pod launchers can aim at."""
        able = _Orders(t, self.side)._able()
        return tuple(
            Region(form="spot", unit=u, words="Aim the Pod launcher", group=t.units[u].name, act="pod")
            for u in able
            if "seeding" in kind_of(t, u).traits
        )

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """A spot for a Pod launcher."""
        if wish.to is None or not 0 <= wish.unit < len(t.units):
            return super().propose(t, wish)
        action = FireAtSpot(wish.unit, wish.to)
        refusal = why_not(t, self.side, action)
        return Proposal(action=action if refusal is None else None, price=price_of(t, action), refusal=refusal)


def _words_of(t: Battle, action: Fire | SplitFire | FireAtSpot) -> str:
    if isinstance(action, FireAtSpot):
        return "Aim the Pod launcher at this spot"
    orders = orders_from(t, action)
    shots = []
    for order in orders:
        dice = attack_dice(t, attack_of(t, order)).total
        shots.append(f"{t.units[order.target].name} with {of_dice(dice)}")
    how = "Range in on " if orders[0].ranged_in else "Fire at "
    text = how + " and at ".join(shots)
    if action.boost:
        text += ", boosted"
    return text + ", exposed models only" if orders[0].exposed else text


# --- the block ------------------------------------------------------------------------------------------------------


def declare(t: Battle, action: Fire | SplitFire | FireAtSpot) -> None:
    """Pay for an order and put it on the list."""
    price = price_of(t, action)
    t.pay(t.units[action.unit].side, price, action.unit, shooting_or_moving=True)
    for i, order in enumerate(orders_from(t, action)):
        order = replace(order if order.spot is not None else settled(t, order), paid=0 if i else total(price))
        t.orders.append(order)
        t.tell(Ordered(order))


def take_back(t: Battle, unit: int) -> None:
    """Strike a unit's orders from the list and return what they cost."""
    refund = sum([o.paid for o in t.orders if o.unit == unit])
    t.orders[:] = [o for o in t.orders if o.unit != unit]
    u = t.units[unit]
    t.change_army(u.side, cp=t.armies[u.side].cp + refund)
    t.change(unit, spent=u.spent - refund, paid=u.paid - refund)
    t.tell(TakenBack(unit=unit, refunded=refund))


@rule("CH-MARK-09", "Q-MARK-1", "CH-COST-09", stages=("house",))
def marks_have_a_use(t: Battle, side: int) -> bool:
    """Marks are for the side's own artillery that fires shells: without it nobody is asked for any."""
    return any(kind_of(t, i).ranged_in_cm for i in t.in_play(side))


@marks_have_a_use.amended_by("Q-MOVE-5", stage="house", house={"light.fireNeeds": "any"})
def a_mark_lets_light_tanks_fire(use: bool, t: Battle, side: int) -> bool:
    """House rule: any CP spent on Light tanks lets them fire, that of a mark too."""
    return True


class TargetAllocation(Procedure):
    """Marks, targets and close combat enemies are named, in blocks (Q-TARGET-3)."""

    side: int

    @step("CH-RUSH-04", "Q-RUSH-3", "CH-TURN-08")
    def note_rushes(self, t: Battle) -> None:
        """A Rush at Light tanks that has made contact is its unit's attack of the turn."""
        for index, order in enumerate(t.orders):
            if order.rush:
                t.orders[index] = settled(t, order)
                t.tell(Ordered(t.orders[index]))

    @step("CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "CH-COST-09", "Q-MARK-4", "Q-TARGET-3")
    def offer_marks(self, t: Battle) -> Ask | Go:
        """First marks are set, where anybody can set one."""
        if t.armies[self.side].cp > 0 and marks_have_a_use(t, self.side):
            options = iter(_MarkOptions(t, self.side))
            next(options)
            if next(options, None) is not None:
                return ask(Marks(side=self.side))
        return Go("offer_targets")

    @step("CH-MARK-05", "CH-MARK-06", "CH-MARK-07")
    def mark(self, t: Battle, choice: MarkTarget | EndMarks) -> Go:
        """A mark costs its unit 1 CP and lasts until the end of the turn."""
        if isinstance(choice, EndMarks):
            return Go("offer_targets")
        t.pay(self.side, (Term(1, "CH-MARK-05", "marking a target"),), choice.unit)
        t.change(choice.unit, marking=choice.target)
        t.marks.append(MarkOn(choice.unit, choice.target))
        t.tell(Marked(unit=choice.unit, target=choice.target))
        return Go("offer_marks")

    @step("CH-TURN-08", "CH-FIRE-01", "Q-TARGET-1", "Q-TARGET-3", "Q-RANGE-2")
    def offer_targets(self, t: Battle) -> Ask | Go:
        """Then targets are named, after all movement."""
        given = any(not o.rush for o in t.orders)
        if given or _Orders(t, self.side).anything():
            return ask(Targets(side=self.side))
        return Go("name_enemies")

    @step("CH-COST-01", "CH-COST-02", "CH-COST-16", "CH-COST-18", "CH-ART-12", "Q-ART-3", "Q-TARGET-3")
    def take_order(self, t: Battle, choice: Fire | SplitFire | FireAtSpot | TakeBack | EndAllocation) -> Go:
        """Each order is paid for as it is given."""
        if isinstance(choice, EndAllocation):
            return Go("name_enemies")
        if isinstance(choice, TakeBack):
            take_back(t, choice.unit)
        else:
            declare(t, choice)
        return Go("offer_targets")

    @step("CH-CC-04", "Q-TARGET-3")
    def name_enemies(self, t: Battle) -> Run:
        """At last close combat enemies are named, by the active player first."""
        return Run(NameEnemies(side=self.side))
