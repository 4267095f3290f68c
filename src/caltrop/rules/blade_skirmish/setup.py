"""Set-up: models at posts, models that players place, and models that enter later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Mover, Offer, Offered, PickedUp, Proposal, PutDown, Region, Solid, Usual, Wish
from caltrop.chance import SUM, Dice, Pool, Roll
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
    Throw,
    agreeing,
    ask,
    decimal,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.geometry import INCH, Box, Disc, Point, disc_inside, distance_sq, overlapping
from caltrop.kit.words import ordinal
from caltrop.rules.blade_skirmish.by_chance import one_fighter, one_of, taken
from caltrop.rules.blade_skirmish.records import Area, Edge, Fighter, Skirmish, Wave
from caltrop.table.measured import nearest_free, stands

PUT_DOWN = ("BS-S50", "BS-S51", "BS-S52", "BS-S53", "BS-S33")
"""Clauses about where players place their models."""
NOT_TO_PLACE = guard(PUT_DOWN, "not-to-place", "That model is not yours, or is placed already")
OUTSIDE = guard(PUT_DOWN, "outside", "{name} has to stand wholly {words}")
GROUND = guard(("BS-S20", "BS-S11", "BS-S12"), "ground", "{name} would stand on {terrain}, which is impassable")
OCCUPIED = guard(("BS-S20", "BS-Q34"), "occupied", "{name} would stand on {other}")


class Deployment(Procedure):
    """All models are placed. Models with posts come first, so that players see them when placing their own."""

    post: int = 0
    """Index of the next post."""
    fighter: int = -1
    last: int | None = None
    """Side that placed the last model; None before the first model."""

    def _posted(self, t: Skirmish) -> list[int]:
        return [f.id for side, area in enumerate(t.field.areas) if area is None for f in waiting(t, side)]

    @step("BS-S50")
    def draw_one(self, t: Skirmish) -> Throw | Go | None:
        """The posts are filled, in order or by chance."""
        left = self._posted(t)
        if self.post == len(t.field.posts) or not left:
            return Go("offer")
        if not t.field.drawn:
            return None
        return one_fighter(t, t.fighters[left[0]].side, left, f"Who has the {ordinal(self.post + 1)} post")

    @step("BS-S50", "BS-S52", "BS-S53")
    def she_it_is(self, t: Skirmish, roll: Roll | None) -> None:
        """The die decides which model takes the post; without a die it is the next in order."""
        self.fighter = taken(self._posted(t), roll)

    @step("BS-S50")
    def draw_place(self, t: Skirmish) -> Throw | None:
        """If a post is an area, a place in it is rolled. All places have the same probability."""
        box = t.field.posts[self.post].box
        if box is None:
            return None
        across, up = places_of(box)
        if not any(may_stand(t, place_in(box, n)) for n in range(1, across * up + 1)):
            return None
        f = t.fighters[self.fighter]
        return Throw(Pool(1, sides=across * up), side=f.side, words=f"Where {t.called(f.id)} stands")

    @step("BS-S50", "BS-S52", "BS-S53", "BS-S20")
    def stand_there(self, t: Skirmish, roll: Roll | None) -> Go:
        """If a rolled place is illegal, it is rolled again.

        If a given place is illegal, the nearest legal place is used.
        """
        post = t.field.posts[self.post]
        at: Point | None = None
        if post.box is not None and roll is not None:
            at = place_in(post.box, roll[0])
            if not may_stand(t, at):
                t.tell(NotLegal(self.fighter))
                return Go("draw_place")
        elif post.at is not None:
            at = post.at if may_stand(t, post.at) else nearest_free(t.ground, post.at, t.field.radius, bases(t))
        self.post += 1
        if at is None:
            t.change(self.fighter, fate="away")
            t.tell(NoRoom((self.fighter,)))
        else:
            put_down(t, self.fighter, at)
            t.tell(Deployed(self.fighter, self.post))
        return Go("draw_one")

    @step(*PUT_DOWN)
    def offer(self, t: Skirmish) -> Ask | Go:
        """Players place their models, one at a time."""
        side = places_next(t, self.last)
        if side is None:
            return Go("rest")
        if not Places(t, side).room():
            left = tuple([f.id for f in to_place(t, side)])
            for id in left:
                t.change(id, fate="away")
            t.tell(NoRoom(left))
            return Go("offer")
        t.active = side
        return ask(PlaceFighter(side=side))

    @step(*PUT_DOWN)
    def put_her_down(self, t: Skirmish, choice: Deploy) -> Go:
        self.last = t.fighters[choice.fighter].side
        put_down(t, choice.fighter, choice.at)
        t.tell(Deployed(choice.fighter))
        return Go("offer")

    @step("BS-S45")
    def rest(self, t: Skirmish) -> None:
        for side, area in enumerate(t.field.areas):
            left = tuple([f.id for f in waiting(t, side)]) if area is not None else ()
            if left:
                t.tell(StayBehind(left, t.field.fielded))


class Arrivals(Procedure):
    """Models enter at the start of their side's turn."""

    sides: tuple[int, ...]
    tried: tuple[int, ...] = ()
    """Ids of models that found no room this turn."""
    fighter: int = -1
    edge: Edge = "north"

    def _next(self, t: Skirmish) -> Fighter | None:
        for wave in t.field.waves:
            for id in wave.fighters:
                f = t.fighters[id]
                due = f.side in self.sides and wave.turn <= t.turns[f.side]
                if due and f.fate == "waiting" and id not in self.tried:
                    return f
        return None

    def _wave(self, t: Skirmish) -> Wave:
        return next(wave for wave in t.field.waves if self.fighter in wave.fighters)

    @step("BS-S51", "BS-S53")
    def next_one(self, t: Skirmish) -> Go | End | None:
        """Models enter one after another, and act in the same turn.

        A model that finds no room tries again next turn.
        """
        f = self._next(t)
        if f is None:
            return End()
        self.fighter = f.id
        if any(may_stand(t, entry(t, edge, along)) for edge in self._wave(t).edges for along in range(4, 23)):
            return None
        self.tried = (*self.tried, f.id)
        t.tell(NoRoom((f.id,)))
        return Go("next_one")

    @step("BS-S51")
    def draw_edge(self, t: Skirmish) -> Throw | None:
        f = t.fighters[self.fighter]
        return one_of(f.side, self._wave(t).edges, f"Edge by which {t.called(f.id)} enters")

    @step("BS-S51", "BS-S53")
    def draw_place(self, t: Skirmish, roll: Roll | None) -> Throw:
        """The place on the edge is rolled: 2 inches plus two ten-sided dice, from its west or south end."""
        self.edge = taken(self._wave(t).edges, roll)
        f = t.fighters[self.fighter]
        return Throw(
            Pool(2, sides=10), reads=SUM, side=f.side, words=f"Where along the {self.edge} edge {t.called(f.id)} enters"
        )

    @step("BS-S51", "BS-S53")
    def come_in(self, t: Skirmish, roll: Roll) -> Go:
        """The model's base touches the edge. If it would overlap another base, edge and place are rolled again."""
        at = entry(t, self.edge, 2 + sum(roll))
        if not may_stand(t, at):
            t.tell(NotLegal(self.fighter))
            return Go("draw_edge")
        put_down(t, self.fighter, at)
        t.tell(Entered(self.fighter, self.edge))
        return Go("next_one")


# --- places ----------------------------------------------------------------------------------------------------------


def bases(t: Skirmish) -> list[Disc]:
    return [t.disc(f.id) for f in t.on_table()]


def wholly_in(base: Disc, area: Area) -> bool:
    if area.around is None:
        return disc_inside(base, area.box)
    room = (area.box[2] - area.box[0]) // 2 - base[2]
    return room >= 0 and distance_sq((base[0], base[1]), area.around) <= room * room


def may_stand(t: Skirmish, at: Point) -> bool:
    """Return whether a base may stand at a place: on the table, off impassable terrain and other bases (BS-S20)."""
    return stands(t.ground, (*at, t.field.radius), bases(t))


def put_down(t: Skirmish, id: int, at: Point) -> None:
    t.change(id, at=at, fate="ready")


def waiting(t: Skirmish, side: int) -> list[Fighter]:
    """Return the models of a side that are not on the table yet and belong to no wave."""
    later = {id for wave in t.field.waves for id in wave.fighters}
    return [f for f in t.fighters if f.side == side and f.fate == "waiting" and f.id not in later]


def to_place(t: Skirmish, side: int) -> list[Fighter]:
    """Return the models that a side still has to place; empty if it may place no more (BS-S45)."""
    if t.field.areas[side] is None or len(t.of_side(side)) >= t.field.fielded:
        return []
    return waiting(t, side)


def called(t: Skirmish, id: int) -> str:
    """Return the name of a model; `She` if there is no such model."""
    return t.called(id) if 0 <= id < len(t.fighters) else "She"


# --- the side that places next ---------------------------------------------------------------------------------------


@rule("BS-S33")
def places_next(t: Skirmish, last: int | None) -> int | None:
    """The sides place one model each in turns, beginning with the side that moves second.

    None if all models are placed.
    """
    players = [side for side, area in enumerate(t.field.areas) if area is not None]
    begins = next((side for side in players if side != t.first), t.first)
    after = begins if last is None else next((side for side in players if side != last), last)
    for side in (after, *players):
        if side in players and to_place(t, side):
            return side
    return None


def places_of(box: Box) -> tuple[int, int]:
    """Return the numbers of places across and up in a box, a tenth of an inch apart, including its edges.

    >>> places_of((0, 3556, 762, 5461))
    (31, 76)
    """
    return (box[2] - box[0]) * 10 // INCH + 1, (box[3] - box[1]) * 10 // INCH + 1


def place_in(box: Box, number: int) -> Point:
    """Return a place in a box, numbered from 1, row by row from its lower left corner.

    >>> place_in((0, 3556, 762, 5461), 1), place_in((0, 3556, 762, 5461), 2356)
    ((0, 3556), (762, 5461))
    """
    across, up = places_of(box)
    row, column = divmod(number - 1, across)
    x = box[0] + (box[2] - box[0]) * column // max(across - 1, 1)
    return x, box[1] + (box[3] - box[1]) * row // max(up - 1, 1)


def entry(t: Skirmish, edge: Edge, along: int) -> Point:
    """Return the place where a model enters at an edge.

    Args:
        along: Distance from the edge's west or south end, in inches on a table of 24 inches; scaled on other tables.
    """
    table, r = t.field.table, t.field.radius
    x, y = table.width * along // 24, table.height * along // 24
    return {"north": (x, table.height - r), "east": (table.width - r, y), "south": (x, r), "west": (r, y)}[edge]


# --- decisions -------------------------------------------------------------------------------------------------------


class Deploy(Action, frozen=True):
    """Place a model."""

    fighter: int
    at: Point


class Places(Options):
    """All placements of a side's models on free places in its area."""

    def __init__(self, t: Skirmish, side: int) -> None:
        self.t, self.side = t, side
        area = t.field.areas[side]
        assert area is not None, "only sides with an area put models down"
        self.area: Area = area
        self.left = {f.id: f for f in to_place(t, side)}
        self.taken = bases(t)

    def base(self, at: Point) -> Disc:
        return (*at, self.t.field.radius)

    def free(self, at: Point) -> bool:
        base = self.base(at)
        return wholly_in(base, self.area) and stands(self.t.ground, base, self.taken)

    def fault(self, action: Deploy) -> Refusal | None:
        t, name = self.t, called(self.t, action.fighter)
        refusal = NOT_TO_PLACE.refuses(action.fighter not in self.left)
        if refusal is not None:
            return refusal
        base = self.base(action.at)
        solid = {piece.id for piece in t.ground.solid_pieces}
        under = [id for id in t.ground.terrain_under(base) if id in solid]
        on = [f for f in t.on_table() if overlapping(base, t.disc(f.id))]
        return (
            OUTSIDE.refuses(not wholly_in(base, self.area), name=name, words=self.area.words)
            or GROUND.refuses(bool(under), name=name, terrain=", ".join(under))
            or OCCUPIED.refuses(bool(on), name=name, other=", ".join([t.called(f.id) for f in on]))
        )

    def refusal(self, action: object) -> Refusal | None:
        """Return why an answer is refused, with the nearest free place for the same model."""
        if not isinstance(action, Deploy):
            return not_an_option(PUT_DOWN[0], "Put a model down", self.first(), code="no-place")
        fault = self.fault(action)
        if fault is None:
            return None
        fighter = action.fighter if action.fighter in self.left else next(iter(self.left))
        at = self.nearest(action.at)
        return fault.towards(self.first() if at is None else Deploy(fighter, at))

    def nearest(self, at: Point) -> Point | None:
        x0, y0, x1, y1 = self.area.box
        within = (min(max(at[0], x0), x1), min(max(at[1], y0), y1))
        return nearest_free(self.t.ground, within, self.t.field.radius, self.taken, suits=self.free)

    def grid(self) -> Iterator[Point]:
        """Yield places an inch apart, from the middle of the area outwards."""
        x0, y0, x1, y1 = self.area.box
        r = self.t.field.radius
        middle = (x0 + x1) // 2
        across = [middle]
        for d in range(INCH, (x1 - x0) // 2, INCH):
            across += [middle - d, middle + d]
        for y in range(y1 - r, y0 + r - 1, -INCH):
            for x in across:
                yield (x, y)

    def __iter__(self) -> Iterator[Deploy]:
        places = [at for at in self.grid() if self.free(at)]
        if not places:
            x0, y0, x1, y1 = self.area.box
            deployment = self.nearest(((x0 + x1) // 2, (y0 + y1) // 2))
            places = [] if deployment is None else [deployment]
        for fighter in self.left:
            for at in places:
                yield Deploy(fighter, at)

    def sample(self, dice: Dice) -> Deploy:
        ids = list(self.left)
        fighter = ids[dice.below(len(ids))]
        x0, y0, x1, y1 = self.area.box
        at = (x0, y0)
        for _ in range(12):
            at = (x0 + dice.below(x1 - x0 + 1), y0 + dice.below(y1 - y0 + 1))
            if self.free(at):
                return Deploy(fighter, at)
        deployment = self.nearest(at)
        return self.first() if deployment is None else Deploy(fighter, deployment)

    def room(self) -> bool:
        return next(iter(self), None) is not None


class PlaceFighter(Offered, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = PUT_DOWN
    hint: ClassVar[str] = (
        "Drag a fighter to her place. Keep them near enough to help one another: two on opposite sides of an enemy "
        "flank her."
    )
    about = ("fighter",)

    def options(self, t: Skirmish) -> Places:
        return Places(t, self.side)

    def prompt(self, t: Skirmish) -> str:
        places = self.options(t)
        left = min(len(places.left), t.field.fielded - len(t.of_side(self.side)))
        return f"Put a fighter down {places.area.words}: {left} {agreeing(left, 'is')} left"

    def offers(self, t: Skirmish) -> Sequence[Offer]:
        """Return a placement of each model that needs no drag: at the first free place."""
        places = self.options(t)
        first = next(iter(places), None)
        if first is None:
            return []
        return [
            Offer(
                action=Deploy(id, first.at), words=f"Put {t.called(f.id)} down in the middle", group="Put down", unit=id
            )
            for id, f in places.left.items()
        ]

    def usual(self, t: Skirmish, unit: int | None = None) -> Usual | None:
        places = self.options(t)
        first = next(iter(places), None)
        if first is None or unit not in (None, *places.left):
            return None
        action = first if unit is None else Deploy(unit, first.at)
        return Usual(action=action, words="Put everybody else down in the middle", unit=unit, opens=True)

    def regions(self, t: Skirmish) -> Sequence[Region]:
        return [
            Region(form="place", unit=id, words=f"Put {t.called(f.id)} down", group="Put down")
            for id, f in self.options(t).left.items()
        ]

    def propose(self, t: Skirmish, wish: Wish) -> Proposal:
        places = self.options(t)
        if wish.unit not in places.left:
            return Proposal(refusal=NOT_TO_PLACE.refuses(True))
        x0, y0, x1, y1 = places.area.box
        r = t.field.radius
        to = wish.models[wish.unit][-1] if wish.models.get(wish.unit) else wish.to or ((x0 + x1) // 2, (y0 + y1) // 2)
        at = (min(max(to[0], x0 + r), x1 - r), min(max(to[1], y0 + r), y1 - r))
        action = Deploy(wish.unit, at)
        refusal = places.refusal(action)
        return Proposal(
            action=action if refusal is None else None,
            paths={wish.unit: (at,)},
            refusal=refusal,
            faults=() if refusal is None else (at,),
        )

    def pick_up(self, t: Skirmish, unit: int, act: str = "") -> PickedUp | None:
        places = self.options(t)
        if unit not in places.left or places.area.around is not None:
            return None
        table, box = t.field.table, places.area.box
        return PickedUp(
            unit=unit,
            pieces=(Mover(id=unit, at=((box[0] + box[2]) // 2, (box[1] + box[3]) // 2), radius=t.field.radius),),
            size=(table.width, table.height),
            bands=(),
            others=tuple(places.taken),
            solid=tuple([Solid(outline=p.polygon, circle=p.round) for p in t.ground.solid_pieces]),
            down=PutDown(box=box),
        )


# --- events ----------------------------------------------------------------------------------------------------------


class Deployed(Event, frozen=True):
    """A model was placed."""

    fighter: int
    post: int = 0
    """Number of the post, from 1; 0 if a player placed the model."""
    clauses: ClassVar[tuple[str, ...]] = PUT_DOWN
    about = ("fighter",)
    shown = MotionOf("place", unit="fighter")

    def sentence(self, t: Skirmish) -> str:
        f = t.fighters[self.fighter]
        place = f"takes the {ordinal(self.post)} post" if self.post else "takes her place"
        words = f"{f.name} of {t.field.names[f.side]} {place}"
        if f.at is None or t.field.areas[f.side] is not None:
            return words
        x, y = (decimal(length, INCH) for length in f.at)
        return f"{words}, {quantity(x, 'inch')} from the west edge and {y} from the south"


class Entered(Event, frozen=True):
    """A model entered the table."""

    fighter: int
    edge: Edge
    clauses: ClassVar[tuple[str, ...]] = ("BS-S51", "BS-S53")
    template = "{fighter} enters by the {edge} edge"
    about = ("fighter",)
    shown = MotionOf("place", unit="fighter")


class NotLegal(Event, frozen=True):
    """A rolled place was illegal."""

    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S50", "BS-S51", "BS-S20")
    template = "{fighter} cannot stand there: the place is rolled again"
    about = ("fighter",)


class NoRoom(Event, frozen=True):
    """The table had no room for some models."""

    fighters: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("BS-S20",)
    about = ("fighters",)

    def sentence(self, t: Skirmish) -> str:
        return f"There is no room for {', '.join([t.called(id) for id in self.fighters])}"


class StayBehind(Event, frozen=True):
    """Some models of a warband were not placed, because the warband may place no more."""

    fighters: tuple[int, ...]
    most: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S45",)

    def sentence(self, t: Skirmish) -> str:
        behind = ", ".join([t.called(id) for id in self.fighters]) + f" {agreeing(len(self.fighters), 'stays')} behind"
        return f"{quantity(self.most, 'model')} {agreeing(self.most, 'is')} fielded: {behind}"
