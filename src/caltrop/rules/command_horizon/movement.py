"""Step 4, movement: the active side acts with its units one by one, in any order, until it ends the step.

What a move costs is in `reach`, where it may lead in `routes`; charges, Squads, spawning and Worm Tokens have chapters
of their own. This one has the decision `Orders`, the move itself, and the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, PickedUp, Proposal, Region, Wish
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
    ask,
    decimal,
    guard,
    step,
    total,
)
from caltrop.geometry import CM, Point, directions
from caltrop.picture import Motion
from caltrop.rules.command_horizon import charge, infantry, spawn
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.charge import Charge, ChargeAt
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.infantry import Detach, Division, EatStun, FormUp, GiveBase, Join
from caltrop.rules.command_horizon.reach import bands, is_infantry, may_fire_after, price_of_move, price_of_shot
from caltrop.rules.command_horizon.routes import (
    OUT_OF_COHERENCY,
    Paths,
    Routes,
    least_price,
    longest,
    rough_on_the_way,
    why_still,
)
from caltrop.rules.command_horizon.spawn import Spawn, Spawning
from caltrop.rules.command_horizon.worms import Infest, bases_in_contact

__all__ = [
    "EndStep",
    "Move",
    "Moved",
    "MovementStep",
    "Orders",
    "UnitMove",
    "price_of_move",
    "price_of_shot",
]
NO_ORDER = guard("CH-TURN-07", "no-order", "{kind} is nothing that is done in the movement step")
TRIES = 32
"""How often a sample is drawn before the step is ended instead."""
MOVE_TRIES = 6
"""How often a unit, a place to make for and a length are drawn for one move."""


_LISTS: tuple[tuple[Callable[[Battle, int], Iterator[Any]], ...], ...] = (
    (infantry.detachments, infantry.form_ups, infantry.gifts),
    (spawn.spawnings, infantry.joins, infantry.meals, infantry.gifts),
)
"""What there is to do beside moves and charges: for armies with Platoons, and for the Putredine."""


class UnitMove(Procedure):
    """A unit moves along its paths."""

    side: int
    unit: int
    paths: Paths
    price: Sum = ()
    length: int = 0

    @step("Q-MOVE-11", "CH-MOVE-01", "CH-COST-03", "CH-COST-04", "CH-COST-05", "CH-COST-10")
    def pay(self, t: Battle) -> None:
        """The price is paid before moving."""
        self.length = longest(self.paths)
        pieces = rough_on_the_way(t, self.unit, self.paths)
        self.price = price_of_move(t, self.unit, self.length, pieces=pieces)
        t.pay(self.side, self.price, self.unit, shooting_or_moving=True)

    @step("CH-OW-03")
    def go(self, t: Battle) -> Run:
        """Its models go along their paths."""
        return Run(Advance(side=self.side, unit=self.unit, paths=self.paths))

    @step("CH-MOVE-01", "CH-MOVE-03", "CH-MOVE-05", "CH-COH-02", "CH-COH-04", "CH-ASORI-16", "CH-ASORI-17", "Q-MOVE-11")
    def arrive(self, t: Battle) -> End | None:
        """A unit moves once in a turn, and some moves forbid to fire."""
        u = t.units[self.unit]
        if not u.models:
            return End()
        moved = u.joined_from + self.length if u.no_free_move else self.length
        t.change(
            self.unit,
            moved=moved,
            joined_from=moved if u.no_free_move else u.joined_from,
            move_over=True,
            may_fire=u.may_fire and may_fire_after(t, self.unit, self.length),
        )
        t.change(self.unit, price_shot=total(price_of_shot(t, self.unit)))
        t.tell(Moved(unit=self.unit, paths=self.paths, length=self.length, price=self.price))
        return None

    @step("CH-WORM-01", "Q-WORM-1")
    def attach(self, t: Battle) -> Run | End:
        """Putredine bases that have reached an enemy vehicle attach to it at once."""
        if t.armies[self.side].army != "putredine" or not is_infantry(t, self.unit):
            return End()
        bases = bases_in_contact(t, self.unit)
        return Run(Infest(side=self.side, unit=self.unit, bases=bases)) if bases else End()


class MovementStep(Procedure):
    """The movement part of step 4: the active side acts with its units in any order, until it ends the step."""

    side: int

    @step("CH-TURN-07", "CH-MOVE-01", "CH-MOVE-05", "CH-SQUAD-02")
    def give_orders(self, t: Battle) -> Ask | End:
        """The side orders what comes next, where anything is left to order."""
        if not self._anything_left(t):
            return End()
        return ask(Orders(side=self.side))

    def _anything_left(self, t: Battle) -> bool:
        cp = t.armies[self.side].cp
        for i in t.in_play(self.side):
            price = least_price(t, i)
            if price is not None and price <= cp:
                return True
        lists = (charge.charges, *_LISTS[t.armies[self.side].army == "putredine"])
        return any(next(every(t, self.side), None) is not None for every in lists)

    @step("CH-TURN-07", "CH-COST-11", "CH-COST-12", "CH-SQUAD-04", "CH-SQUAD-09", "CH-PUTINF-09", "CH-PUTINF-10",
          "CH-PUTSTUN-07", "CH-PUTSTUN-08", "Q-SQUAD-2", "Q-PUTINF-3")  # fmt: skip
    def carry_out(self, t: Battle, order: Any) -> Run | Go | End | None:
        """The order is carried out before the next is given."""
        if isinstance(order, EndStep):
            return End()
        if isinstance(order, Move):
            return Run(UnitMove(side=self.side, unit=order.unit, paths=order.paths))
        if isinstance(order, Charge):
            return Run(ChargeAt(side=self.side, target=order.target, first=order))
        if isinstance(order, Detach):
            return Run(Division(side=self.side, unit=order.unit, squad=order.squad))
        if isinstance(order, Spawn):
            return Run(Spawning(side=self.side, unit=order.unit))
        if isinstance(order, FormUp):
            infantry.form_up(t, order)
        elif isinstance(order, Join):
            infantry.join(t, order)
        elif isinstance(order, EatStun):
            infantry.eat_stun(t, order)
        else:
            infantry.give_base(t, order)
        return None

    @step("CH-TURN-07")
    def go_on(self, t: Battle) -> Go:
        """Then the next unit acts, as the side chooses."""
        return Go("give_orders")


def goals(t: Battle, unit: int, routes: Routes) -> Iterator[tuple[Point, int | None]]:
    """Places that a unit may want to move towards, and the model that is to lead there (None: the middle one).

    The nearest enemies, objectives, cover within reach, and for Putredine infantry contact with enemy vehicles and with
    stunned vehicles of its own.
    """
    here = routes.discs[0]
    enemies = [s for s in routes.others if s.side != routes.side]
    enemies.sort(key=lambda s: ((s.discs[0][0] - here[0]) ** 2 + (s.discs[0][1] - here[1]) ** 2, s.unit))
    for s in enemies[:3]:
        yield (s.discs[0][0], s.discs[0][1]), None
    for objective in t.objectives:
        yield (objective.x, objective.y), None
    for piece in t.table.terrain:
        if piece.kind.cover:
            xs, ys = [p[0] for p in piece.polygon], [p[1] for p in piece.polygon]
            centre = ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)
            if (centre[0] - here[0]) ** 2 + (centre[1] - here[1]) ** 2 <= (routes.top + max(xs) - min(xs)) ** 2:
                yield centre, None
    if routes.attaches:
        for s in routes.others:
            if not is_infantry(t, s.unit) and (s.side != routes.side or t.units[s.unit].stuns):
                found = charge.contact_from(t, routes, s, routes.top)
                if found is not None:
                    yield found


# --- what is asked ---------------------------------------------------------------------------------------------------


class Move(Action, frozen=True):
    """Move a unit: a polyline for each model that moves, from where it stands."""

    unit: int
    paths: Paths
    """(model id, ((x, y), ...)) for each model that moves, its own place first; the others stay."""


class EndStep(Action, frozen=True):
    """Move no more this turn."""


class OrderOptions(Options):
    """Everything that the active side may do next in step 4."""

    __slots__ = ("_able", "_movers", "_others", "_routes", "side", "t")

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side
        self._routes: dict[int, Routes] = {}
        self._movers: tuple[int, ...] | None = None
        self._able: tuple[int, ...] | None = None
        self._others: dict[int, tuple[Any, ...]] = {}

    def routes(self, unit: int) -> Routes:
        """Where a unit may go."""
        found = self._routes.get(unit)
        if found is None:
            found = self._routes[unit] = Routes(self.t, unit)
        return found

    @property
    def movers(self) -> tuple[int, ...]:
        """The units that may still move or charge, in order."""
        if self._movers is None:
            self._look()
        return self._movers or ()

    def _look(self) -> None:
        t = self.t
        cp = t.armies[self.side].cp
        prices = [(i, least_price(t, i)) for i in t.in_play(self.side)]
        self._movers = tuple([i for i, price in prices if price is not None])
        self._able = tuple([i for i, price in prices if price is not None and price <= cp])

    @property
    def able(self) -> tuple[int, ...]:
        """Those of them that can pay for a move, in order."""
        if self._able is None:
            self._look()
        return self._able or ()

    def refusal(self, action: Any) -> Refusal | None:
        """Why an action may not be taken; the nearest legal one goes with it."""
        if isinstance(action, EndStep):
            return None
        if isinstance(action, Move):
            return self._move_refusal(action)
        t, side = self.t, self.side
        found: Refusal | None
        nearest: Iterator[Any]
        if isinstance(action, Charge):
            return charge.refused(t, side, action, EndStep())
        if isinstance(action, Detach):
            found, nearest = infantry.detach_refusal(t, side, action), infantry.detachments(t, side)
        elif isinstance(action, FormUp):
            found, nearest = infantry.form_up_refusal(t, side, action), infantry.form_ups(t, side)
        elif isinstance(action, Join):
            found, nearest = infantry.join_refusal(t, side, action), infantry.joins(t, side)
        elif isinstance(action, EatStun):
            found, nearest = infantry.eat_refusal(t, side, action), infantry.meals(t, side)
        elif isinstance(action, GiveBase):
            found, nearest = infantry.give_refusal(t, side, action), infantry.gifts(t, side)
        elif isinstance(action, Spawn):
            found, nearest = spawn.spawn_refusal(t, side, action), spawn.spawnings(t, side)
        else:
            found, nearest = NO_ORDER.refuses(True, kind=type(action).__name__), iter(())
        return None if found is None else found.towards(next(nearest, EndStep()))

    def _move_refusal(self, action: Move) -> Refusal | None:
        found = why_still(self.t, self.side, action.unit)
        if found is not None:
            return found.towards(EndStep())
        routes = self.routes(action.unit)
        wrong = routes.wrong(action.paths)
        if wrong is None:
            return None
        nearest = routes.nearest(action.paths)
        return wrong.refusal().towards(EndStep() if nearest is None else Move(action.unit, nearest))

    def __iter__(self) -> Iterator[Any]:
        """Ending the step, good moves of every unit, then everything else that there is to do."""
        t, side = self.t, self.side
        yield EndStep()
        for unit in self.movers:
            for paths in self.moves(unit):  # one by one: who asks for the first alone waits for no other
                yield Move(unit, paths)
        yield from charge.charges(t, side)
        yield from spawn.spawnings(t, side)
        yield from infantry.joins(t, side)
        yield from infantry.meals(t, side)
        yield from infantry.gifts(t, side)
        yield from infantry.detachments(t, side)
        yield from infantry.form_ups(t, side)

    def several(self) -> bool:
        """Whether there is more to do than to end the step: a step of 1 cm answers it sooner than the listing does."""
        for unit in self.movers:
            routes = self.routes(unit)
            reach = min(routes.top, CM)
            if reach and any(routes.legal(routes.shifted(d, reach)) for d in directions(8)):
                return True
        return next((True for action in self if not isinstance(action, EndStep)), False)

    def moves(self, unit: int) -> Iterator[Paths]:
        """A good sample of a unit's moves: each price in eight directions, then towards what is worth reaching."""
        routes = self.routes(unit)
        if not routes.top:
            return
        seen: dict[Paths, None] = {}
        for reach, price in reversed(routes.bands):
            if total(price) > routes.cp:
                continue
            for direction in directions(8):
                paths = routes.shifted(direction, reach)
                if paths not in seen and routes.legal(paths):
                    seen[paths] = None
                    yield paths
        for paths in routes.regrouped():
            if paths not in seen:
                seen[paths] = None
                yield paths
        for n, (goal, anchor) in enumerate(goals(self.t, unit, routes)):
            way = routes.towards(goal, anchor, reform=n == 0 or anchor is not None)
            if way is None:
                continue
            shorter = [routes.begun(way, reach) for reach, _ in routes.bands]
            for paths in (way, *shorter):
                if paths and paths not in seen and routes.legal(paths):
                    seen[paths] = None
                    yield paths

    def sample(self, dice: Dice) -> Any:
        """The end of the step, as likely as any one unit that can still act; else a kind of act, a unit, and how."""
        t, side = self.t, self.side
        if dice.below(1 + max(1, len(self.able))) == 0:
            return EndStep()
        found: Any
        for _ in range(TRIES):
            kind = dice.below(3)
            if kind == 0:
                found = self._random_move(dice)
            elif kind == 1:
                found = charge.random_charge(t, side, self.movers, dice)
            else:
                found = self._random_other(dice)
            if found is not None:
                return found
        return EndStep()

    def _random_other(self, dice: Dice) -> Any:
        lists = _LISTS[self.t.armies[self.side].army == "putredine"]
        which = dice.below(len(lists))
        every = self._others.get(which)
        if every is None:
            every = self._others[which] = tuple(lists[which](self.t, self.side))
        return every[dice.below(len(every))] if every else None

    def _random_move(self, dice: Dice) -> Move | None:
        able = self.able
        if not able:
            return None
        table = self.t.table
        for _ in range(MOVE_TRIES):
            routes = self.routes(able[dice.below(len(able))])
            x, y, _r = routes.discs[0]
            # Towards a place of the table, each as likely: of the directions about, many would lead off it.
            away = (dice.below(table.width) - x, dice.below(table.height) - y)
            paths = routes.shifted(away, 1 + dice.below(routes.top))
            wrong = routes.wrong(paths, brief=True)
            if wrong is None:
                return Move(routes.unit, paths)
            if wrong.guard is OUT_OF_COHERENCY:
                lead = dice.below(len(routes.ids))
                mended = routes.followed(lead, (routes.discs[lead][:2],), routes.top)
                if mended is not None:
                    return Move(routes.unit, mended)
        return None


class Orders(Offered, frozen=True, kw_only=True):
    """What does the side do next in step 4?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-07", "CH-MOVE-01")
    hint: ClassVar[str] = (
        "Move your units one by one, in any order: 10 cm cost 1 CP, 20 cm 3 CP, 30 cm 6 CP, shot included. "
        "Light tanks, infantry and Putredine move their first 10 cm for free."
    )

    def options(self, t: Battle) -> OrderOptions:
        """Every move, charge and other act of the step."""
        return OrderOptions(t, self.side)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"{t.armies[self.side].name} moves: {t.armies[self.side].cp} CP at hand"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Everything but moves, which are dragged."""
        side = self.side
        found = [*charge.charge_offers(t, side), *spawn.spawn_offers(t, side)]
        found += [
            Offer(
                action=a,
                words=f"Squad {a.squad + 1} detaches",
                group="Detach",
                unit=a.unit,
                price=infantry.price_of_squads(t, a.unit, 1),
            )
            for a in infantry.detachments(t, side)
        ]
        found += [
            Offer(
                action=a,
                words=f"Form up with {t.called(a.into)}",
                group="Form up",
                unit=a.unit,
                target=a.into,
                price=infantry.price_of_squads(t, a.unit, infantry.squads_that_pay(t, a.unit, a.into)),
            )
            for a in infantry.form_ups(t, side)
        ]
        found += [
            Offer(action=a, words=f"Join {t.called(a.into)}", group="Join", unit=a.unit, target=a.into)
            for a in infantry.joins(t, side)
        ]
        found += [
            Offer(
                action=a,
                words=f"Give up base {t.units[a.unit].models.index(a.base) + 1} for a Stun marker of "
                f"{t.called(a.vehicle)}",
                group="Remove Stun markers",
                unit=a.unit,
                target=a.vehicle,
                spot=(t.models[a.base].x, t.models[a.base].y),
            )
            for a in infantry.meals(t, side)
        ]
        found += [
            Offer(
                action=a,
                words=f"Give up base {t.units[a.unit].models.index(a.base) + 1} for a Worm Token",
                group="Remove Worm Tokens",
                unit=a.unit,
                target=t.models[a.model].unit,
                spot=(t.models[a.model].x, t.models[a.model].y),
            )
            for a in infantry.gifts(t, side)
        ]
        found.append(Offer(action=EndStep(), words="End movement", final=True))
        return tuple(found)

    def told(self, t: Battle, action: Any) -> Offer:
        """A move by its unit, anything else as it was offered."""
        if isinstance(action, Move):
            return Offer(action=action, words=f"Move {t.called(action.unit)}", unit=action.unit)
        return super().told(t, action)

    def regions(self, t: Battle) -> tuple[Region, ...]:
        """The reach of every unit that may still move, with its prices."""
        found = []
        for unit in self.options(t).movers:
            ladder = tuple([(length, total(price)) for length, price in bands(t, unit)])
            if any(price <= t.armies[self.side].cp for _, price in ladder):
                found.append(Region(form="move", unit=unit, words=f"Move {t.called(unit)}", group="Move", bands=ladder))
        return tuple(found)

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """The move that a drag comes to, with its price, or the reason why not."""
        found = why_still(t, self.side, wish.unit)
        if found is not None:
            return Proposal(refusal=found.towards(EndStep()))
        routes = Routes(t, wish.unit)
        paths = drawn(routes, wish)
        wrong = routes.wrong(paths)
        length = longest(paths)
        refusal = None
        if wrong is not None:
            nearest = routes.nearest(paths)
            refusal = wrong.refusal().towards(EndStep() if nearest is None else Move(wish.unit, nearest))
        reach = next((reach for reach, _ in routes.bands if length <= reach), 0)
        return Proposal(
            action=Move(wish.unit, paths) if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(reach - length, 0),
            price=routes.price(paths, length),
            refusal=refusal,
            faults=() if wrong is None else faults_at(routes, paths, wrong),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        """What is around a unit that may move."""
        return picked_up(Routes(t, unit)) if why_still(t, self.side, unit) is None else None


# --- what is told ----------------------------------------------------------------------------------------------------


class Moved(Event, frozen=True):
    """A unit moved."""

    unit: int
    paths: Paths
    length: int
    """The longest path, in tenths of a millimetre."""
    price: Sum
    clauses: ClassVar[tuple[str, ...]] = ("CH-MOVE-01", "Q-MOVE-11")

    def sentence(self, t: Battle) -> str:
        """How far, and what it cost."""
        paid = total(self.price)
        return f"{t.does(self.unit, 'moves')} {decimal(self.length, 100)} cm" + (f" for {paid} CP" if paid else "")

    def motion(self, t: Battle) -> Motion:
        """Along its paths."""
        return Motion(sort="move", unit=self.unit, ways=self.paths)
