"""The end of a fight: the winner may move, others step back, and a single last model is removed (SQ-CQB-15 to 17,
SQ-Q63).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import Dice
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
    ask,
    does,
    guard,
    not_an_option,
    step,
)
from caltrop.geometry import INCH, Point, directions, gap_between, near_to, path_length, point_along
from caltrop.rules.squad_action.acts import Path
from caltrop.rules.squad_action.broken import Terror
from caltrop.rules.squad_action.casualties import LAST_MODEL, destroy, pin
from caltrop.rules.squad_action.morale import (
    last_model_leaves,
)
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.places import bodies, body_at
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.table.measured import TableGround, nearest_free

CONSOLIDATE = 3 * INCH
"""Distance that a winner may move (SQ-CQB-15)."""
STEP_BACK = 3 * INCH
"""Distance that the assaulters step back from a fight without a winner (SQ-Q48)."""
BEYOND_THREE = guard("SQ-CQB-15", "beyond-three", "{name} may move {limit:inch} now, and this is {length:inch}")
NOT_THE_WINNER = guard("SQ-CQB-15", "not-the-winner", "Only {name}, the winner, may move now")


class Consolidation(Procedure):
    """A winner may move up to 3 inches. The winner is Pinned in any case (SQ-CQB-15 to 17)."""

    unit: int

    @step("SQ-ORG-29", "SQ-Q53")
    def last_model(self, t: Firefight) -> End | None:
        last_one_leaves(t, self.unit)
        return None if t.units[self.unit].in_play else End()

    @step("SQ-CQB-15")
    def offer(self, t: Firefight) -> Ask | Go:
        decision = Consolidate(side=t.units[self.unit].side, unit=self.unit)
        return ask(decision) if decision.options(t).several() else Go("hold_it")

    @step("SQ-CQB-15", "SQ-Q63")
    def take_ground(self, t: Firefight, choice: Move | HoldGround) -> None:
        if isinstance(choice, Move):
            t.put({m: path[-1] for m, path in choice.paths})
            t.tell(TookGround(self.unit))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run:
        return Run(Terror(unit=self.unit))

    @step("SQ-CQB-16", "SQ-CQB-17")
    def hold_it(self, t: Firefight) -> None:
        """The unit is Pinned, and has to rally in the usual way."""
        pin(t, self.unit)


def alive(t: Firefight, units: Sequence[int]) -> tuple[int, ...]:
    return tuple([u for u in units if t.units[u].in_play])


def last_one_leaves(t: Firefight, unit: int) -> None:
    """Remove a single last model when a fight has ended (SQ-ORG-29, SQ-Q53)."""
    u = t.units[unit]
    if u.in_play and u.on_foot and last_model_leaves(t, u.starting, len(u.models), u.traits):
        destroy(t, unit, LAST_MODEL)


class ConsolidationRoutes(Routes):
    """The moves of a winner: 3 inches over any terrain, away from other enemies (SQ-Q63)."""

    def __init__(self, t: Firefight, unit: int) -> None:
        super().__init__(t, unit)
        self.limit = self.most = CONSOLIDATE

    def cost(self, ground: TableGround, path: Path) -> int:
        return path_length(path)


def step_back(t: Firefight, unit: int, enemies: Sequence[int], apart: int) -> None:
    """Move a unit back until each of its models is farther from its opponents than a distance (SQ-Q48, SQ-Q61).

    The whole unit takes the shortest step to free ground without other enemies. If no step leads to free ground, each
    model moves to the nearest free place.

    Args:
        enemies: Its opponents.
        apart: The distance, in tenths of a millimetre.
    """
    foes = [body for enemy in alive(t, enemies) for body in bodies(t, enemy)]
    mine = bodies(t, unit)
    if not mine or all(not near_to(a, b, apart) for a in mine for b in foes):
        return
    u = t.units[unit]
    places = {m: t.models[m].at or (0, 0) for m in u.models}
    routes = Routes(t, unit, anywhere=True)
    after = _back_as_one(t, routes, places, foes, apart) or _back_one_by_one(t, routes, places, foes, apart)
    t.put(after)
    t.tell(SteppedBack(unit))


def _back_as_one(
    t: Firefight, routes: Routes, places: dict[int, Point], foes: Sequence[Any], apart: int
) -> dict[int, Point] | None:
    nearest = min(foes, key=lambda f: min([gap_between(f, body_at(t, m, p)) for m, p in places.items()]))
    middle = (sum([x for x, _ in places.values()]), sum([y for _, y in places.values()]))
    away = (middle[0] - nearest[0] * len(places), middle[1] - nearest[1] * len(places))
    ways = sorted(directions(32), key=lambda d: -(d[0] * away[0] + d[1] * away[1]))[:17]
    for length in range(INCH // 8, apart + 6 * INCH, INCH // 8):
        for towards in ways:
            after = {m: point_along(p, towards, length) for m, p in places.items()}
            if any(near_to(body_at(t, m, p), f, apart) for m, p in after.items() for f in foes):
                continue
            wrong = routes.standing(after)
            if wrong is None or wrong.guard.code in ("close-up", "straggles"):
                return after
    return None


def _back_one_by_one(
    t: Firefight, routes: Routes, places: dict[int, Point], foes: Sequence[Any], apart: int
) -> dict[int, Point]:
    """Return the nearest free place for each model. Models nearest to the enemy choose last."""
    ground = routes.bare.with_solid(tuple([o.body for o in routes.others]))
    taken: list[tuple[int, int, int]] = []
    spots: dict[int, Point] = {}
    for m in sorted(places, key=lambda m: (-min([gap_between(body_at(t, m, places[m]), f) for f in foes]), m)):
        r = routes.radius

        def suits(p: Point, r: int = r) -> bool:
            return not any(near_to((*p, r), f, apart) for f in foes)

        at = nearest_free(ground, places[m], r, taken, suits=suits) or places[m]
        taken.append((*at, r))
        spots[m] = at
    return spots


# --- decisions -------------------------------------------------------------------------------------------------------


class HoldGround(Action, frozen=True):
    """Stay where the unit fought."""


class ConsolidateOptions(Options):
    """The places to which a winner may move."""

    __slots__ = ("decision", "routes", "t")

    def __init__(self, t: Firefight, decision: Consolidate) -> None:
        self.t, self.decision = t, decision
        self.routes = ConsolidationRoutes(t, decision.unit)

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, HoldGround):
            return None
        name = self.routes.u.name
        if not isinstance(action, Move) or action.unit != self.decision.unit or action.jump or action.off:
            return (NOT_THE_WINNER.refuses(True, name=name) or not_an_option("SQ-CQB-15")).towards(HoldGround())
        wrong = self.routes.wrong(action)
        refusal = None if wrong is None else wrong.refusal()
        if refusal is None:
            return None
        longest = max([path_length(p) for _, p in action.paths], default=0)
        refusal = BEYOND_THREE.refuses(longest > CONSOLIDATE, name=name, limit=CONSOLIDATE, length=longest) or refusal
        near = self.routes.nearest(action)
        legal = near is not None and self.routes.legal(near)
        return refusal.towards(Move.of_way(self.routes, near) if near is not None and legal else HoldGround())

    def __iter__(self) -> Iterator[Any]:
        yield HoldGround()
        for way in self.routes.moves():
            if not way.off:
                yield Move.of_way(self.routes, way)

    def sample(self, dice: Dice) -> Any:
        way = self.routes.sample(dice) if dice.below(4) else None
        return HoldGround() if way is None or way.off else Move.of_way(self.routes, way)


class Consolidate(Offered, frozen=True, kw_only=True):
    """The owner chooses where the winner stands."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-15", "SQ-Q63")
    hint: ClassVar[str] = "A free move of 3 inches, not within 2 inches of another enemy. Then it is Pinned."

    def options(self, t: Firefight) -> ConsolidateOptions:
        return ConsolidateOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'has')} won: move up to 3 inches?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [Offer(action=HoldGround(), words="Stay here", unit=self.unit)]

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="move", unit=self.unit, words="Consolidate", bands=((CONSOLIDATE, 0),), act="consolidate")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        options = self.options(t)
        routes = options.routes
        if wish.unit != self.unit or wish.to is None:
            return super().propose(t, wish)
        way = routes.drawn((*wish.waypoints, wish.to), wish.models or None)
        if way is None:
            return Proposal(refusal=(NOT_THE_WINNER.refuses(True, name=routes.u.name) or not_an_option("SQ-CQB-15")))
        act, wrong = Move.of_way(routes, way), routes.wrong(way)
        length = max([path_length(p) for _, p in act.paths], default=0)
        return Proposal(
            action=act if wrong is None else None,
            paths=dict(act.paths),
            length=length,
            left=max(CONSOLIDATE - length, 0),
            refusal=options.refusal(act),
            faults=() if wrong is None else wrong.at,
        )


# --- events ----------------------------------------------------------------------------------------------------------


class TookGround(Event, frozen=True):
    """A winner moved after a fight."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-15",)
    template = "{unit:consolidates}"
    shown = MotionOf("move")


class SteppedBack(Event, frozen=True):
    """A unit stepped back from a fight without a winner."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q48", "SQ-Q61")
    template = "{unit:steps} back"
    shown = MotionOf("move")
