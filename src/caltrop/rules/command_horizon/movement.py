"""Step 4, movement: the active side acts with its units in any order, until it ends the step.

Costs of moves are in `reach`, their legality in `routes`. Charges, Squads, spawning and Worm Tokens have modules of
their own. This module has the decision `Orders`, the move, and the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from caltrop.asking import Act, Choices, Guards, NoMore, OneOf, Pick, PickedUp, Proposal, Region, Wish, carried_out
from caltrop.chance import Dice
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Run,
    Sum,
    ask,
    back,
    decimal,
    guard,
    step,
    total,
)
from caltrop.geometry import CM, Point, directions
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.contact import contact_from
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.infantry import Detach, EatStun, FormUp, GiveBase, Join
from caltrop.rules.command_horizon.limits import (
    OUT_OF_COHERENCY,
    Paths,
    least_price,
    longest,
    rough_on_the_way,
    why_still,
)
from caltrop.rules.command_horizon.reach import bands, called, is_infantry, may_fire_after, price_of_move, price_of_shot
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.rules.command_horizon.spawn import Spawn
from caltrop.rules.command_horizon.victory import has_nobody_left
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
NO_ORDER = guard("CH-TURN-07", "no-order", "{kind} is not possible in the movement step")
MOVE_TRIES = 6
"""Number of attempts to find a random move by drawing a unit, a destination and a length."""


class UnitMove(Procedure):
    """A unit moves along its paths."""

    side: int
    unit: int
    paths: Paths
    price: Sum = ()
    length: int = 0

    @step("Q-MOVE-11", "CH-MOVE-01", "CH-COST-03", "CH-COST-04", "CH-COST-05", "CH-COST-10")
    def pay(self, t: Battle) -> None:
        self.length = longest(self.paths)
        pieces = rough_on_the_way(t, self.unit, self.paths)
        self.price = price_of_move(t, self.unit, self.length, pieces=pieces)
        t.pay(self.side, self.price, self.unit, shooting_or_moving=True)

    @step("CH-OW-03")
    def go(self, t: Battle) -> Run:
        return Run(Advance(side=self.side, unit=self.unit, paths=self.paths))

    @step("CH-MOVE-01", "CH-MOVE-03", "CH-MOVE-05", "CH-COH-02", "CH-COH-04", "CH-ASORI-16", "CH-ASORI-17", "Q-MOVE-11")
    def arrive(self, t: Battle) -> End | None:
        """A unit moves once in a turn. After some moves it may not fire."""
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
        """Putredine bases in contact with an enemy vehicle attach to it at once."""
        if t.armies[self.side].army != "putredine" or not is_infantry(t, self.unit):
            return End()
        bases = bases_in_contact(t, self.unit)
        return Run(Infest(side=self.side, unit=self.unit, bases=bases)) if bases else End()


class MovementStep(Procedure):
    """The movement part of step 4: the active side acts with its units in any order, until it ends the step."""

    side: int

    @step("CH-TURN-07", "CH-MOVE-01", "CH-MOVE-05", "CH-SQUAD-02", "Q-VP-4")
    def give_orders(self, t: Battle) -> Ask | End:
        """The side is asked again while it can do anything and both sides have units."""
        if has_nobody_left(t, 1 - self.side) or not OrderOptions(t, self.side).left():
            return End()
        return ask(Orders(side=self.side))

    @step("CH-TURN-07", "CH-COST-12")
    def carry_out(self, t: Battle, order: Act) -> Run | Go | End | None:
        return carried_out(order, t, self.side)

    go_on = back("give_orders", "CH-TURN-07")


def goals(t: Battle, unit: int, routes: Routes) -> Iterator[tuple[Point, int | None]]:
    """Yield promising destinations of a unit, each with the index of its leading model (None for the middle model).

    Promising places are the nearest enemies, objectives, and cover within reach. For Putredine infantry, contact with
    enemy vehicles and with stunned vehicles of its own side is promising too.
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
                way = contact_from(t, routes, s, routes.top)
                if way is not None:
                    yield way


# --- decisions -------------------------------------------------------------------------------------------------------


class EndStep(NoMore, frozen=True):
    """End the side's movement for this turn."""

    words = "End movement"


class Move(Act, frozen=True):
    """Move a unit. Each moving model follows a path from its place."""

    unit: Annotated[int, Pick(lambda o: o.movers, shown=called)]
    paths: Annotated[Paths, Pick(lambda o, unit: o.moves(unit))]
    """Paths of the moving models as (model id, ((x, y), ...)), each beginning at the model's place."""

    words = "Move {unit}"
    dragged = True
    guards = Guards(why_still, lambda o, unit, paths: (wrong := o.routes(unit).wrong(paths)) and wrong.refusal())

    def perform(self, t: Battle, side: int) -> UnitMove:
        return UnitMove(side=side, unit=self.unit, paths=self.paths)

    def nearest(self, o: OrderOptions) -> Act | None:
        nearest = None if why_still(o.t, o.side, self.unit) else o.routes(self.unit).nearest(self.paths)
        return o.ending() if nearest is None else Move(self.unit, nearest)

    @classmethod
    def some(cls, o: OrderOptions) -> bool:
        """Return whether any unit can move. Steps of 1 cm are tried first, which is faster than listing moves."""
        for unit in o.movers:
            routes = o.routes(unit)
            reach = min(routes.top, CM)
            if reach and any(routes.legal(routes.shifted(d, reach)) for d in directions(8)):
                return True
        return super().some(o)

    @classmethod
    def left(cls, o: OrderOptions) -> bool:
        cp = o.t.armies[o.side].cp
        return any((least := least_price(o.t, i)) is not None and least <= cp for i in o.t.in_play(o.side))

    @classmethod
    def random(cls, o: OrderOptions, dice: Dice) -> Move | None:
        """Return the move of a random unit towards a random place. Random directions would often lead off the table."""
        table, able = o.t.table, o.able
        for _ in range(MOVE_TRIES if able else 0):
            routes = o.routes(able[dice.below(len(able))])
            x, y, _r = routes.discs[0]
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

    @classmethod
    def regions(cls, o: OrderOptions) -> Iterator[Region]:
        for unit in o.movers:
            ladder = tuple([(length, total(price)) for length, price in bands(o.t, unit)])
            if any(price <= o.t.armies[o.side].cp for _, price in ladder):
                yield Region(form="move", unit=unit, words=f"Move {o.t.called(unit)}", group="Move", bands=ladder)

    @classmethod
    def propose(cls, o: OrderOptions, wish: Wish) -> Proposal:
        refusal = why_still(o.t, o.side, wish.unit)
        if refusal is not None:
            return Proposal(refusal=refusal.towards(o.ending()))
        routes = o.routes(wish.unit)
        paths = drawn(routes, wish)
        wrong, length, action = routes.wrong(paths), longest(paths), Move(wish.unit, paths)
        reach = next((reach for reach, _ in routes.bands if length <= reach), 0)
        return Proposal(
            action=action if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(reach - length, 0),
            price=routes.price(paths, length),
            refusal=None if wrong is None else wrong.refusal(cls._put_right(o, wish, action)),
            faults=() if wrong is None else faults_at(routes, paths, wrong),
        )

    @classmethod
    def _put_right(cls, o: OrderOptions, wish: Wish, action: Move) -> Act | None:
        """Return the legal move that ends nearest to the end of a drag; for a drag with waypoints, its legal part."""
        if wish.waypoints:
            return action.nearest(o)
        nearest = o.routes(action.unit).ending_nearest(action.paths)
        return o.ending() if nearest is None else Move(action.unit, nearest)

    @classmethod
    def pick_up(cls, o: OrderOptions, unit: int, act: str) -> PickedUp | None:
        return picked_up(o.routes(unit)) if why_still(o.t, o.side, unit) is None else None


class OrderOptions(Choices):
    """The acts that are open to the active side in step 4."""

    acts = (EndStep, Move, Charge, Spawn, Join, EatStun, GiveBase, Detach, FormUp)
    draws = ((Move,), (Charge,), (Detach, FormUp, Spawn, Join, EatStun, GiveBase))
    unknown = NO_ORDER

    def __init__(self, t: Battle, side: int) -> None:
        super().__init__(t, side)
        self._routes: dict[int, Routes] = {}
        self._movers: tuple[int, ...] | None = None
        self._able: tuple[int, ...] = ()

    def routes(self, unit: int) -> Routes:
        route = self._routes.get(unit)
        if route is None:
            route = self._routes[unit] = Routes(self.t, unit)
        return route

    @property
    def movers(self) -> tuple[int, ...]:
        if self._movers is None:
            self._look()
        return self._movers or ()

    @property
    def able(self) -> tuple[int, ...]:
        if self._movers is None:
            self._look()
        return self._able

    def _look(self) -> None:
        cp, t = self.t.armies[self.side].cp, self.t
        prices = [(i, least_price(t, i)) for i in t.in_play(self.side)]
        self._movers = tuple([i for i, price in prices if price is not None])
        self._able = tuple([i for i, price in prices if price is not None and price <= cp])

    def end_weight(self) -> tuple[int, int]:
        return 1, 1 + max(1, len(self.able))

    def moves(self, unit: int) -> Iterator[Paths]:
        """Yield some of a unit's moves: each distance in eight directions, then moves to promising places."""
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


class Orders(OneOf, frozen=True, kw_only=True):
    """The active side chooses its next act in step 4."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-07", "CH-MOVE-01")
    hint: ClassVar[str] = (
        "Move your units one by one, in any order: 10 cm cost 1 CP, 20 cm 3 CP, 30 cm 6 CP, shot included. "
        "Light tanks, infantry and Putredine move their first 10 cm for free."
    )
    menu = OrderOptions

    def prompt(self, t: Battle) -> str:
        return f"{t.armies[self.side].name} moves"


# --- events ----------------------------------------------------------------------------------------------------------


class Moved(Event, frozen=True):
    unit: int
    paths: Paths
    length: int
    """Length of the longest path, in tenths of a millimetre."""
    price: Sum
    clauses: ClassVar[tuple[str, ...]] = ("CH-MOVE-01", "Q-MOVE-11")
    shown = MotionOf("move", ways="paths")

    def sentence(self, t: Battle) -> str:
        paid = total(self.price)
        return f"{t.does(self.unit, 'moves')} {decimal(self.length, 100)} cm" + (f" for {paid} CP" if paid else "")
