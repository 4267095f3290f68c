"""Putredine bases that appear during the game: their places, Infestation, and Carriers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Guards, Offer, Offered, Pick, Proposal, Region, Wish
from caltrop.chance import FACES, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Throw,
    agreeing,
    ask,
    guard,
    rule,
    step,
    trigger,
)
from caltrop.geometry import (
    CM,
    CONTACT,
    INCH,
    Disc,
    Point,
    boxes_within,
    directions,
    disc_box,
    distance_sq,
    point_along,
    root_up,
)
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.catalogue import ARMIES, unit_kind
from caltrop.rules.command_horizon.damage import ModelDestroyed
from caltrop.rules.command_horizon.places import discs_within, standing
from caltrop.rules.command_horizon.putredine import bases_from, carrier_bases
from caltrop.rules.command_horizon.reach import called, is_infantry, is_swarm
from caltrop.rules.command_horizon.records import Battle, Model, Unit, of_dice
from caltrop.table.measured import contact_places, nearest_free_places, stands

NOT_A_CARRIER = guard("CH-CARRIER-02", "not-a-carrier", "Only Carriers of the active side spawn")
ONCE_A_TURN = guard("CH-CARRIER-02", "once-a-turn", "{name:has} spawned this turn already")
TOO_LITTLE = guard(
    ("CH-CARRIER-04", "Q-CARRIER-1"), "too-little", "{name:has} moved {moved:cm} this turn: 5 cm are needed"
)
SAME_SPOT = guard(
    ("CH-CARRIER-03", "Q-CARRIER-2"), "same-spot", "A Carrier of {name} is within 1 cm of where it last spawned"
)
NOT_THERE = guard("Q-SPAWN-1", "not-there", "The base appears on one of the free places that are nearest")
ROOM = 30 * CM
"""Largest distance at which a further base may appear from the other bases of its group."""


class Appear(Procedure):
    """Putredine infantry bases appear as one group: at a spot, touching Carriers, or 1 cm from a target (Q-SPAWN-3).

    The result is the id of the new unit, or -1 if no base appeared.
    """

    side: int
    count: int
    why: str = ""
    """Reason for the log, such as `Infestation`."""
    spot: Point | None = None
    """Place of the first base, or the nearest place with room."""
    carriers: tuple[int, ...] = ()
    """Models that the first base touches, if there is no spot."""
    target: int = -1
    """Id of the enemy unit from which the first base is 1 cm away, if there is no spot."""
    pod: bool = False
    """True if further bases are placed behind the first base (Pod launcher)."""
    unit: int = -1

    @step("Q-SPAWN-1", "Q-SPAWN-3", "CH-INFEST-03", "CH-INFEST-04", "CH-PART-04", "CH-POD-04", "CH-POD-05",
          "CH-PUTINF-08", "Q-PART-3", "Q-POD-2")  # fmt: skip
    def find_room(self, t: Battle) -> Ask | End | Go:
        """The next base appears at its place, or as near as there is room, but never in contact with an enemy."""
        if self.count <= 0:
            return End(self.unit)
        places = self.places(t)
        if not places:
            t.tell(NoRoomToAppear(side=self.side, count=self.count))
            return End(self.unit)
        if len(places) == 1:
            self._put(t, places[0])
            return Go("find_room")
        return ask(PlaceBase(side=self.side, places=places, why=self.why, left=self.count))

    @step("Q-SPAWN-1", "CH-PUTINF-06")
    def place(self, t: Battle, choice: PlaceAt) -> Go:
        self._put(t, (choice.x, choice.y))
        return Go("find_room")

    def _put(self, t: Battle, place: Point) -> None:
        self.count -= 1
        if self.unit < 0:
            names = {u.name for u in t.units if u.side == self.side}
            n = next(n for n in count(1) if f"Spawned Infantry {n}" not in names)
            self.unit = t.add_unit(
                Unit(
                    side=self.side,
                    kind="infantry",
                    name=f"Spawned Infantry {n}",
                    models=(),
                    deployed=True,
                    spawned=True,
                    appeared=waits_a_turn(t, self.pod),
                )
            )
        model = t.add_model(Model(unit=self.unit, kind="infantry", x=place[0], y=place[1], r=base_radius(t)))
        models = (*t.units[self.unit].models, model)
        t.change(self.unit, models=models, starting=len(models))
        t.tell(Appeared(unit=self.unit, model=model, x=place[0], y=place[1], why=self.why))

    def places(self, t: Battle) -> tuple[Point, ...]:
        """Return the best places for the next base. If there are several places, the owner of the base chooses."""
        r = base_radius(t)
        discs: list[Disc] = []
        enemies: list[Disc] = []
        for s in standing(t):
            discs.extend(s.discs)
            if s.side != self.side:
                enemies.extend(s.discs)
        for frame in t.stack:
            if isinstance(frame, Advance):
                # Overwatch only interrupts a move, so the ends of the moving unit's paths are taken.
                discs.extend([(*p[-1], t.models[m].r) for m, p in frame.paths if t.models[m].alive])
        group = t.discs(self.unit) if self.unit >= 0 else []
        keeps: list[Callable[[Point], bool]] = []
        if self.target >= 0:
            kept_from = t.discs(self.target)
            keeps.append(lambda p: not discs_within(((*p, r),), kept_from, CM - 1))
        if group:
            keeps.append(lambda p: discs_within(((*p, r),), group, INCH))
        if not group:
            first = self._first(t, r, discs, enemies, keeps)
            if first:
                return first
            near = self._near(t)
            return nearest_free_places(t.ground, near, r, discs, enemies, _all(keeps))
        if self.carriers:
            touching = self._touching(t, r, discs, enemies, keeps)
            if touching:
                return touching
        near = group[0][:2]
        if self.pod and enemies:
            first_disc = group[0]
            nearest = min([distance_sq(first_disc[:2], (x, y)) for x, y, _ in enemies])
            # More distant enemies do not matter for any place within reach.
            most = (root_up(nearest) + ROOM + CONTACT) ** 2
            rivals = [(x, y) for x, y, _ in enemies if distance_sq(first_disc[:2], (x, y)) <= most]

            def no_nearer(p: Point) -> bool:
                px, py = p
                for x, y in rivals:  # noqa: SIM110  a loop is what is fast here
                    if (x - px) * (x - px) + (y - py) * (y - py) < nearest:
                        return False
                return True

            behind = [*keeps, no_nearer]
            touching = nearest_free_places(t.ground, near, r, discs, enemies, _all(behind), ROOM)
            if touching:
                return touching
        return nearest_free_places(t.ground, near, r, discs, enemies, _all(keeps), ROOM)

    def _near(self, t: Battle) -> Point:
        if self.spot is not None:
            return self.spot
        model = self.carriers[0] if self.carriers else t.units[self.target].models[0]
        return (t.models[model].x, t.models[model].y)

    def _first(
        self, t: Battle, r: int, discs: list[Disc], enemies: list[Disc], keeps: Sequence[Callable[[Point], bool]]
    ) -> tuple[Point, ...]:
        """Return possible places for the first base; empty if there is no room."""
        if self.carriers:
            return self._touching(t, r, discs, enemies, keeps)
        if self.target < 0:
            return ()
        points: dict[Point, None] = {}
        for x, y, q in t.discs(self.target):
            for direction in directions(64):
                p = point_along((x, y), direction, q + r + CM + 1)
                disc = (*p, r)
                if (
                    all(keep(p) for keep in keeps)
                    and not discs_within((disc,), enemies, CONTACT)
                    and stands(t.ground, disc, discs)
                ):
                    points[p] = None
        if not points:
            # The only room may be between two bases or beside terrain, in none of these directions.
            for x, y, q in t.discs(self.target):
                for p in contact_places(t.ground, (x, y, q + CM), r, (x, y), discs, _all(keeps), enemies):
                    points[p] = None
        return tuple(points)

    def _touching(
        self, t: Battle, r: int, discs: list[Disc], enemies: list[Disc], keeps: Sequence[Callable[[Point], bool]]
    ) -> tuple[Point, ...]:
        points: dict[Point, None] = {}
        for m in self.carriers:
            disc = t.models[m].disc
            box = disc_box(disc)
            near = [d for d in discs if boxes_within(disc_box(d), box, 2 * r + CONTACT)]
            foes = [d for d in enemies if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
            for p in contact_places(t.ground, disc, r, disc[:2], near, _all(keeps), foes):
                points[p] = None
        return tuple(points)


def _all(keeps: Sequence[Callable[[Point], bool]]) -> Callable[[Point], bool] | None:
    if not keeps:
        return None
    if len(keeps) == 1:
        return keeps[0]
    if len(keeps) == 2:
        one, two = keeps
        return lambda p: one(p) and two(p)
    return lambda p: all(keep(p) for keep in keeps)


class Infestation(Procedure):
    """A destroyed Putredine vehicle brings bases onto the table, whose number is rolled."""

    side: int
    unit: int
    x: int
    y: int

    @step("CH-INFEST-01")
    def roll(self, t: Battle) -> Throw:
        what = f"Infestation where {t.does(self.unit, 'loses')} a model"
        symbols = [f"{face}, {_appearing(bases_from(t, face))}" for face in range(1, 7)]
        return Throw(Pool(1), self.side, what, symbols=tuple(symbols))

    @step("CH-INFEST-02", "CH-INFEST-03", "CH-INFEST-04")
    def bring_out(self, t: Battle, roll: Roll) -> Run | End:
        count = bases_from(t, roll[0])
        return Run(Appear(side=self.side, count=count, why="Infestation", spot=(self.x, self.y))) if count else End()


class Spawning(Procedure):
    """A Carrier unit rolls for new bases, after it has moved."""

    side: int
    unit: int

    @step("CH-CARRIER-02", "CH-CARRIER-08", "Q-CARRIER-1")
    def roll(self, t: Battle) -> Throw:
        u = t.units[self.unit]
        t.change(
            self.unit, spawned_this_turn=True, spawn_spots=tuple([(t.models[m].x, t.models[m].y) for m in u.models])
        )
        return Throw(Pool(len(u.models)), self.side, t.does(self.unit, "spawns"), reads=FACES)

    @step("CH-CARRIER-05", "CH-CARRIER-06", "CH-CARRIER-07", "CH-CARRIER-08", "Q-CARRIER-3")
    def bring_out(self, t: Battle, roll: Roll) -> Run | End:
        """A 4 or 5 brings one base, a 6 brings two. Each double brings one more base."""
        count = carrier_bases(t, roll)
        if not count:
            return End()
        return Run(Appear(side=self.side, count=count, why="Carriers", carriers=t.units[self.unit].models))


def _appearing(bases: int) -> str:
    return f"{quantity(bases, 'base')} {agreeing(bases, 'appears')}" if bases else "nothing appears"


@rule("Q-SPAWN-2", "CH-POD-06", stages=("house",))
def waits_a_turn(t: Battle, pod: bool) -> bool:
    """Bases may not move in the turn in which they appear."""
    return True


@waits_a_turn.amended_by("Q-SPAWN-2", stage="house", house={"spawn.moveAtOnce": "yes"})
def only_pods_wait(waits: bool, t: Battle, pod: bool) -> bool:
    """House rule: only bases of the Pod launcher may not move in the turn in which they appear."""
    return pod


def base_radius(t: Battle) -> int:
    return unit_kind(t, "putredine", "infantry").base_radius


@trigger(ModelDestroyed, "CH-INFEST-01")
def infestation(t: Battle, event: ModelDestroyed) -> Procedure | None:
    """Infestation follows the destruction of any Putredine model except infantry."""
    u = t.units[event.unit]
    if "infestation" not in ARMIES[t.armies[u.side].army].traits or is_infantry(t, event.unit):
        return None
    return Infestation(side=u.side, unit=event.unit, x=event.x, y=event.y)


# --- decisions -------------------------------------------------------------------------------------------------------


class PlaceAt(Action, frozen=True):
    x: int
    y: int


class PlaceBase(Offered, frozen=True, kw_only=True):
    """The owner chooses one of several equally near places for a base."""

    places: tuple[Point, ...]
    why: str
    left: int
    """Number of bases that still have to be placed, including this one."""
    clauses: ClassVar[tuple[str, ...]] = ("Q-SPAWN-1", "Q-PART-3", "Q-POD-2")
    hint: ClassVar[str] = (
        "New bases stand where they appear or as near as there is room. You choose among places that are equally good."
    )

    def options(self, t: Battle) -> Listed:
        return Listed([PlaceAt(x, y) for x, y in self.places], self._why_not, "Q-SPAWN-1")

    def _why_not(self, action: Any) -> Refusal | None:
        if not isinstance(action, PlaceAt):
            return None
        refusal = NOT_THERE.refuses(True)
        return refusal.towards(PlaceAt(*self._nearest((action.x, action.y)))) if refusal else None

    def _nearest(self, to: Point) -> Point:
        return min(self.places, key=lambda p: (distance_sq(p, to), p))

    def prompt(self, t: Battle) -> str:
        return f"Where does the base appear ({self.why}, {self.left} to place)?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        return tuple(
            Offer(action=PlaceAt(x, y), words=f"At {x / CM:.1f}, {y / CM:.1f} cm", spot=(x, y)) for x, y in self.places
        )

    def regions(self, t: Battle) -> tuple[Region, ...]:
        return (Region(form="spot", unit=-1, words="Place the base", act="appear"),)

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        if wish.to is None:
            return super().propose(t, wish)
        return Proposal(action=PlaceAt(*self._nearest(wish.to)))


def _same_spot(t: Battle, unit: int) -> bool:
    u = t.units[unit]
    return any(distance_sq((t.models[m].x, t.models[m].y), spot) <= CM * CM for m in u.models for spot in u.spawn_spots)


class Spawn(Act, frozen=True):
    unit: Annotated[
        int, Pick(lambda t, side: [i for i in t.in_play(side) if t.units[i].kind == "carrier"], NOT_A_CARRIER, called)
    ]

    words = "Spawn with {dice}"
    group = "Spawn"
    available = is_swarm
    guards = Guards(
        (ONCE_A_TURN, lambda t, unit: t.units[unit].spawned_this_turn),
        (TOO_LITTLE, lambda t, unit: t.units[unit].moved < 5 * CM),
        (SAME_SPOT, _same_spot),
        name="unit",
        moved=lambda t, unit: t.units[unit].moved,
    )
    says: ClassVar = {"dice": lambda t, unit: of_dice(len(t.units[unit].models))}

    def perform(self, t: Battle, side: int) -> Spawning:
        return Spawning(side=side, unit=self.unit)


# --- events ----------------------------------------------------------------------------------------------------------


class Appeared(Event, frozen=True):
    unit: int
    model: int
    x: int
    y: int
    why: str
    clauses: ClassVar[tuple[str, ...]] = ("CH-INFEST-03", "CH-CARRIER-06", "CH-POD-04", "CH-PART-04")
    shown = MotionOf("place")

    def sentence(self, t: Battle) -> str:
        return f"A base appears: {t.called(self.unit)}, {len(t.units[self.unit].models)} in all ({self.why})"


class NoRoomToAppear(Event, frozen=True):
    """A base found no room and does not appear."""

    side: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-SPAWN-1",)
    template = "There is no room for {count:base}"
