"""The decision about targets: the possible orders, their sequence, and the offers made to people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from caltrop.asking import Act, Choices, Offer, OneOf, Pick, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Go,
    guard,
    total,
)
from caltrop.geometry import CM, directions, point_along
from caltrop.rules.command_horizon.aim import aim, is_artillery
from caltrop.rules.command_horizon.places import discs_within
from caltrop.rules.command_horizon.reach import called, kind_of, price_of_shot
from caltrop.rules.command_horizon.records import Battle, Point
from caltrop.rules.command_horizon.shooting import (
    FIRES,
    best_sighter,
    enemies_near,
    first_sighter,
    in_range,
    marks_on,
    most_boosts,
)
from caltrop.rules.command_horizon.targets.orders import (
    Fire,
    FireAtSpot,
    Part,
    SplitFire,
    TakenBack,
    squads_of,
    why_not,
)

NO_ORDER = guard("Q-TARGET-3", "no-order", "There is no such order to take back")
TARGETS_NOW = guard("Q-TARGET-3", "targets-now", "Targets are named now: movement and marks are over")


class TakeBack(Act, frozen=True):
    """Take back the order of a unit."""

    unit: Annotated[int, Pick(lambda t, side: given(t, side), NO_ORDER, shown=called)]

    words = "Take its order back"
    group = "{unit}"
    undoes = True

    def nearest(self, o: Any) -> Act:
        ending: Act = o.ending()
        return ending

    def perform(self, t: Battle, by: int) -> None:
        refund = sum([o.paid for o in t.orders if o.unit == self.unit])
        t.orders[:] = [o for o in t.orders if o.unit != self.unit]
        u = t.units[self.unit]
        t.change_army(u.side, cp=t.armies[u.side].cp + refund)
        t.change(self.unit, spent=u.spent - refund, paid=u.paid - refund)
        t.tell(TakenBack(unit=self.unit, refunded=refund))


class EndAllocation(Act, frozen=True):
    words = "{ending}"
    says: ClassVar[Mapping[str, Any]] = {
        "ending": lambda t: "Fire: the enemy may answer" if t.orders else "Fire at nobody"
    }
    final = True

    def perform(self, t: Battle, by: int) -> Go:
        return Go("name_enemies")


def given(t: Battle, side: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys([o.unit for o in t.orders if not o.rush and t.units[o.unit].side == side]))


class TargetOptions(Choices):
    """Orders that can be given, orders that can be taken back, and the choice to end."""

    acts = (EndAllocation, Fire, SplitFire, FireAtSpot, TakeBack)
    unknown = TARGETS_NOW

    def able(self) -> list[int]:
        t = self.t
        ordered = [o.unit for o in t.orders]
        cp = t.armies[self.side].cp
        return [
            u
            for u in t.in_play(self.side)
            if u not in ordered and FIRES.may(t, unit=u) and total(price_of_shot(t, u)) <= cp
        ]

    def plain(self, unit: int, target: int, *, any_view: bool = False) -> Fire | None:
        """Return the simplest shot at a target, or None.

        The order is boosted only if the unit has no dice otherwise, because marking a target may remove its last die.

        Args:
            any_view: For artillery, True to use the first friend that sees the target instead of the one with the
                best view.
        """
        t = self.t
        if t.units[target].locked:
            return None
        action = Fire(unit, target)
        if is_artillery(t, unit):
            if not in_range(t, unit, target):  # checked before sight, which takes longer
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
        if why_not(t, self.side, action) is None:
            return action
        bold = replace(action, boost=1)
        return bold if most_boosts(t, self.side) and why_not(t, self.side, bold) is None else None

    def of_unit(self, unit: int) -> Iterator[Fire | SplitFire | FireAtSpot]:
        """Yield the orders that a unit can be given: at each target, plain and boosted; then split fire, and spots."""
        t, side = self.t, self.side
        targets = []
        for target in enemies_near(t, unit):
            plain = self.plain(unit, target)
            if plain is None:
                continue
            targets.append(target)
            for exposed in (False, True):
                for boost in range(most_boosts(t, side) + 1):
                    action = replace(plain, exposed=exposed, boost=boost)
                    if action == plain or why_not(t, side, action) is None:
                        yield action
        if len(targets) > 1 and kind_of(t, unit).infantry and t.units[unit].squads > 1:
            yield from self._splits(unit, targets)
        if "seeding" in kind_of(t, unit).traits:
            yield from self._spots(unit)

    def _splits(self, unit: int, targets: list[int]) -> Iterator[SplitFire]:
        """Yield a split of fire for every two targets: the last Squad that may fires at a target of its own."""
        t = self.t
        own = squads_of(t, unit)
        if len(own) < 2:
            return
        for body in targets:
            for other in targets:
                ways = self._ways_to_split(unit, own, body, other) if other != body else ()
                action = next((way for way in ways if why_not(t, self.side, way) is None), None)
                if action is not None:
                    yield action

    def _ways_to_split(self, unit: int, own: list[int], body: int, other: int) -> Iterator[SplitFire]:
        u = self.t.units[unit]
        for leaver in reversed(own):
            rest = tuple([squad for squad in own if squad != leaver])
            # The larger group takes as many markers as it may. The other group takes the remaining Stun markers.
            for share in range(u.stuns, -1, -1):
                yield SplitFire(
                    unit,
                    (
                        Part(body, rest, share=share, marking_die=u.marking >= 0),
                        Part(other, (leaver,), share=u.stuns - share),
                    ),
                )

    def _spots(self, unit: int) -> Iterator[FireAtSpot]:
        """Yield spots beside the nearest edge of each enemy, and around the launcher."""
        t = self.t
        x, y, _ = t.discs(unit)[0]
        spots: list[Point] = []
        for enemy in t.enemies(self.side):
            ex, ey, r = t.discs(enemy)[0]
            if (ex, ey) != (x, y):
                spots.append(point_along((ex, ey), (x - ex, y - ey), r + 2 * CM))
        spots.extend(point_along((x, y), d, 20 * CM) for d in directions(8))
        usual = False
        for pod in self._legal_spots(unit, spots):
            usual = True
            yield pod
        if not usual:
            # At least one spot is listed if any spot is possible, because otherwise the side would not be asked.
            rings = [point_along((x, y), d, far * CM) for far in (12, 16, 24, 32, 40, 48) for d in directions(16)]
            yield from islice(self._legal_spots(unit, rings), 1)

    def _legal_spots(self, unit: int, spots: Iterable[Point]) -> Iterator[FireAtSpot]:
        t = self.t
        kind = kind_of(t, unit)
        least, most = kind.number("pod_min_cm") * CM - 1, kind.number("pod_max_cm") * CM
        own = t.discs(unit)
        for spot in dict.fromkeys(spots):
            point = ((*spot, 0),)
            if discs_within(own, point, least) or not discs_within(own, point, most):
                continue  # checked before sight, which takes longer
            action = FireAtSpot(unit, spot)
            if why_not(t, self.side, action) is None:
                yield action

    def __iter__(self) -> Iterator[Any]:
        """Yield the choice to end first, then the orders of each unit. Taking an order back is legal but not listed."""
        yield EndAllocation()
        for unit in self.able():
            yield from self.of_unit(unit)

    def anything(self) -> bool:
        """Return whether any order can be given. Spots for Pods come last, because they take longer to find."""
        able = self.able()
        for unit in able:
            for target in enemies_near(self.t, unit):
                if self.plain(unit, target, any_view=True) is not None:
                    return True
        return any(next(self._spots(u), None) is not None for u in able if "seeding" in kind_of(self.t, u).traits)

    def several(self) -> bool:
        return self.anything()

    def sample(self, dice: Dice) -> Any:
        """Return a random option: ending is as likely as each unit that may fire, with a random target, sometimes
        boosted.
        """
        able = self.able()
        if dice.below(1 + len(able)):
            while able:
                order = self._random_order(able.pop(dice.below(len(able))), dice)
                if order is not None:
                    return order
        return EndAllocation()

    def _random_order(self, unit: int, dice: Dice) -> Fire | SplitFire | FireAtSpot | None:
        """Return a random order for one unit; None if the unit has no target."""
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
            plain = self.plain(unit, left.pop(dice.below(len(left))))
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


class Targets(OneOf, frozen=True, kw_only=True):
    """The active side chooses which unit fires at which target."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-08", "CH-FIRE-01", "Q-TARGET-1", "Q-TARGET-3")
    hint: ClassVar[str] = (
        "Name a target for each unit that should fire. The dice are rolled later, all attacks count as simultaneous, "
        "and a unit that is fired at may answer."
    )
    opens: ClassVar[tuple[str, str]] = ("targets", "fire")

    menu = TargetOptions

    def prompt(self, t: Battle) -> str:
        return f"{t.armies[self.side].name}: name targets ({t.armies[self.side].cp} CP left)"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Return an offer for every shot, with dice and price, for every order to take back, and for the end."""
        o = TargetOptions(t, self.side)
        ending, *shots = [act.offer(o) for act in o]
        named = any(not order.rush for order in t.orders)
        ending = replace(ending, words="Fire: the enemy may answer" if named else "Fire at nobody")
        return (*shots, *[TakeBack(unit).offer(o) for unit in given(t, self.side)], ending)

    def regions(self, t: Battle) -> tuple[Region, ...]:
        able = TargetOptions(t, self.side).able()
        return tuple(
            Region(form="spot", unit=u, words="Aim the Pod launcher", group=t.called(u), act="pod")
            for u in able
            if "seeding" in kind_of(t, u).traits
        )

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        if wish.to is None or not 0 <= wish.unit < len(t.units):
            return super().propose(t, wish)
        action = FireAtSpot(wish.unit, wish.to)
        refusal = why_not(t, self.side, action)
        return Proposal(action=action if refusal is None else None, price=action.cost(t), refusal=refusal)
