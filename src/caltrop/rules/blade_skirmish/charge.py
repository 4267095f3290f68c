"""The charging phase of a player's fighter, who has to charge an enemy in sight within 4 inches (BS-CHG).

Automated models also use `in_charge_range` and `straight_charge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Annotated, Any, ClassVar

from caltrop.asking import NOT_LISTED, Act, Choices, Guards, Offer, OneOf, Pick
from caltrop.asking.routes import RouteFault
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    ask,
    guard,
    inches,
    rule,
    step,
)
from caltrop.geometry import Point, contact_point, directions, distance_sq, distance_up, path_length, point_along
from caltrop.kit.words import listed
from caltrop.picture import Motion
from caltrop.rules.blade_skirmish.catalogue import CHARGE
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import slips
from caltrop.rules.blade_skirmish.places import gap, in_contact, sees, touched_enemies, within
from caltrop.rules.blade_skirmish.reach import Path, pace, paced
from caltrop.rules.blade_skirmish.records import Skirmish, _FighterAct, called
from caltrop.rules.blade_skirmish.routes import Bounds, Route, Routes, Walk, go, gone
from caltrop.rules.blade_skirmish.straight import away_from, obstacle, others, straight
from caltrop.table.measured import approaches, first_obstacle

OUT_OF_RANGE = guard(
    ("BS-CHG-04", "BS-CHG-02", "BS-Q07"),
    "out-of-range",
    "{target} is {gap:inch} from {name}: a charge reaches enemies no more than 4 inches away",
)
OUT_OF_SIGHT = guard(
    ("BS-CHG-04", "BS-CHG-02", "BS-Q07"),
    "out-of-sight",
    "{name} does not see {target}, and charges only enemies she sees",
)
NOT_STRAIGHT = guard(("BS-CHG-03", "BS-Q08"), "not-straight", "{what} is in the way of {name} straight to {target}")
BOUND_BY_CONTACT = guard("BS-Q07", "bound-by-contact", "{name} is in contact with an enemy and does not leave her")
TOO_FAR = guard(
    ("BS-Q08", "BS-CHG-05"), "too-far", "{length:inch} is too far: {name} closes in over up to {limit:inch}"
)
NO_NEARER = guard(("BS-CHG-05", "BS-Q08"), "no-nearer", "{name} has to end nearer to some enemy than she is now")

WAYS_OFFERED = 3
"""Number of paths towards enemies that are offered; the player can drag other paths."""


class Charging(Procedure):
    """The charging phase of a player's fighter. The result is whether she has acted in it."""

    fighter: int
    target: int = -1

    @step("BS-FAT-03", "BS-CHG-01", "BS-CHG-02", "BS-CHG-06", "BS-Q24")
    def look_for_enemies(self, t: Skirmish) -> End | None:
        """A fighter who is stunned, fleeing or taking a trophy does nothing, nor does a fighter without an enemy in
        range.
        """
        slips(t, self.fighter)
        able = t.fighters[self.fighter].active and not idle(t, self.fighter)
        return None if able and in_charge_range(t, self.fighter) else End(False)

    @step("BS-CHG-02", "BS-CHG-04", "BS-Q08", tag="ask_whom")
    def ask_which_enemy(self, t: Skirmish) -> Ask | Go | None:
        """A fighter who can charge straight has to. Of several enemies she may choose any."""
        if not charges(t, self.fighter):
            return Go("ask_where_to")
        question = EnemyToCharge(side=t.fighters[self.fighter].side, fighter=self.fighter)
        return ask(question) if question.options(t).several() else None

    @step("BS-CHG-02", "BS-CHG-03", "BS-CHG-04", "BS-Q08")
    def charge(self, t: Skirmish, choice: Charge | StayInContact | None) -> End:
        """The charger goes straight towards the enemy until their bases touch. The charge counts as an act."""
        target = None if choice is None else choice.target
        make_contact(t, self.fighter, charges(t, self.fighter)[0] if target is None else target)
        return End(True)

    @step("BS-CHG-05", "BS-Q08")
    def ask_where_to(self, t: Skirmish) -> Ask | End:
        """A fighter who can charge no enemy straight moves nearer to an enemy by any path.

        A fighter without such a path stays, which also counts as an act.
        """
        question = CloseIn(side=t.fighters[self.fighter].side, fighter=self.fighter)
        if next(iter(question.options(t)), None) is not None:
            return ask(question)
        t.tell(HeldBack(self.fighter))
        return End(True)

    @step("BS-CHG-05", "BS-Q08")
    def close_in(self, t: Skirmish, choice: Walk) -> End:
        """The charger goes the whole path, which counts as an act."""
        go(t, self.fighter, (t.disc(self.fighter)[:2], *choice.path), "closes in", "BS-CHG-05")
        return End(True)


# --- targets of a charge ---------------------------------------------------------------------------------------------


IN_RANGE = Guards(
    (OUT_OF_RANGE, lambda t, fighter, target: not within(t, fighter, target, CHARGE)),
    (OUT_OF_SIGHT, lambda t, fighter, target: not sees(t, fighter, target)),
)


@rule("BS-CHG-02", "BS-CHG-06", "BS-ACH-02", "BS-ACH-03", "BS-Q03", "BS-Q07")
def in_charge_range(t: Skirmish, id: int) -> tuple[int, ...]:
    """An enemy is in charge range if the fighter sees her and she is at most 4 inches away, fit or not."""
    return tuple([f.id for f in t.enemies_of(id) if IN_RANGE.may(t, fighter=id, target=f.id)])


@rule("BS-CHG-03", "BS-Q07", "BS-Q34")
def straight_charge(t: Skirmish, id: int, target: int) -> Point | None:
    """A straight charge leads into contact within 4 inches. The result is the end of the charge, or None if the charge
    is blocked.

    A fighter who is already in contact with her target charges without moving.
    """
    x, y, r = t.disc(id)
    if in_contact(t, id, target):
        return (x, y)
    there = t.disc(target)
    end = contact_point(there, r, away_from((x, y), there[:2]))
    path = ((x, y), end)
    if pace(t, path) > CHARGE or first_obstacle(t.ground, path, r, [disc for _, disc in others(t, id)]) is not None:
        return None
    return end


def in_the_way(t: Skirmish, id: int, target: int) -> str:
    """Describe what blocks a straight charge at an enemy."""
    x, y, _ = t.disc(id)
    to = t.disc(target)[:2]
    course = straight(t, id, away_from((x, y), to), min(CHARGE, distance_up((x, y), to)), (target,))
    what = "Difficult ground" if course.stop is None else obstacle(t, course.stop, course.fighter, course.terrain)
    return what[:1].upper() + what[1:]


@rule("BS-CHG-04", "BS-Q07", stages=("house",))
def may_charge(t: Skirmish, id: int, target: int) -> bool:
    """A fighter may charge any enemy in range, even if another is closer or in contact with her."""
    return True


@may_charge.amended_by("BS-Q07", stage="house", house={"charge_may_leave_contact": "off"})
def contact_binds(may: bool, t: Skirmish, id: int, target: int) -> bool:
    """House rule: a fighter in contact with an enemy may charge no other enemy."""
    return may and (in_contact(t, id, target) or not touched_enemies(t, id))


NO_CHARGE = Guards(
    IN_RANGE,
    (BOUND_BY_CONTACT, lambda t, fighter, target: not may_charge(t, fighter, target)),
    (NOT_STRAIGHT, lambda t, fighter, target: straight_charge(t, fighter, target) is None),
    name=lambda t, fighter: t.called(fighter),
    target=lambda t, target: t.called(target),
    gap=lambda t, fighter, target: gap(t, fighter, target),
    what=lambda t, fighter, target: in_the_way(t, fighter, target),
)
"""Reasons why a fighter may not charge an enemy straight."""


def charges(t: Skirmish, id: int) -> tuple[int, ...]:
    """Return the enemies that a fighter may charge straight: first enemies that she touches, then others by id."""
    enemies = [f.id for f in t.enemies_of(id) if NO_CHARGE.may(t, fighter=id, target=f.id)]
    return tuple(sorted(enemies, key=lambda enemy: not in_contact(t, id, enemy)))


class ClosingRoutes(Routes):
    """The paths of a fighter who can charge no enemy straight. These routes lead nearer to an enemy.

    Zones of control do not limit them.
    """

    def __init__(self, t: Skirmish, id: int) -> None:
        super().__init__(t, id, Bounds(CHARGE, TOO_FAR))
        self.enemies = sorted(t.enemies_of(id), key=lambda f: (gap(t, id, f.id), f.id))

    def wrong(self, path: Path, *, brief: bool = False) -> RouteFault | None:
        """Return the fault of a path, or None. A legal path ends nearer to an enemy."""
        return super().wrong(path, brief=brief) or (
            RouteFault(NO_NEARER, {"name": self.name}, path[:1]) if NO_NEARER(not self.leads_nearer(path[-1])) else None
        )

    def leads_nearer(self, end: Point) -> bool:
        """Return whether a place is nearer to some enemy than the fighter's place."""
        return any(
            distance_sq(end, enemy.at) < distance_sq(self.start, enemy.at)
            for enemy in self.enemies
            if enemy.at is not None
        )

    def paths(self) -> Iterator[Path]:
        """Yield the shortest paths towards each enemy, as far as she may go, then paths in all directions."""
        ends: set[Point] = set()
        for path in chain([path for _, path in self.approaches()], super().paths()):
            if path[-1] not in ends:
                ends.add(path[-1])
                yield path

    def approaches(self) -> Iterator[tuple[int, Path]]:
        """Yield the shortest path towards contact with each enemy, as far as she may go, the closest enemy first."""
        for enemy in self.enemies:
            around = [disc for _, disc in others(self.t, self.id, without=(enemy.id,))]
            for whole in approaches(self.t.ground, self.start, self.radius, self.t.disc(enemy.id), around):
                path = paced(self.t, whole, self.bounds.limit)
                if self.legal(path):
                    yield enemy.id, path

    def nearer(self) -> Iterator[tuple[int, Path]]:
        """Yield for each enemy, the closest first, the listed path that ends nearest to her, if it leads nearer."""
        every = list(self.paths())
        for enemy in self.enemies:
            at = self.t.disc(enemy.id)[:2]
            ends = [(distance_sq(path[-1], at), path_length(path), path) for path in every]
            far, _, path = min(ends, default=(0, 0, ()))
            if path and far < distance_sq(self.start, at):
                yield enemy.id, path

    def goals(self) -> Iterator[Point]:
        for eighths in range(8, 0, -1):
            for direction in directions(32):
                goal = point_along(self.start, direction, self.bounds.limit * eighths // 8)
                if self.leads_nearer(goal):
                    yield goal


class CloseIn(Route, frozen=True, kw_only=True):
    """The player chooses the path of a fighter who can charge no enemy straight."""

    clauses: ClassVar[tuple[str, ...]] = ("BS-CHG-05", "BS-Q08")
    words: ClassVar[str] = "Close in"
    template = "{fighter} cannot charge straight: where does she close in?"
    hint: ClassVar[str] = (
        "Something is in the way of every straight charge. She goes up to 4 inches by any way that ends nearer to some "
        "enemy, even into contact; she may pass within 2 inches of enemies."
    )
    opens: ClassVar[tuple[str, str]] = ("charging", "charge")

    def routes(self, t: Skirmish) -> ClosingRoutes:
        return ClosingRoutes(t, self.fighter)

    def offers(self, t: Skirmish) -> Sequence[Offer]:
        """Return the shortest paths towards the closest enemies, or the paths that end nearest to them.

        A path into contact may begin with a detour, so that its first 4 inches lead nearer to no enemy. The player can
        drag other paths.
        """
        routes = self.routes(t)
        ways = list(islice(routes.approaches(), WAYS_OFFERED)) or islice(routes.nearer(), WAYS_OFFERED)
        return [
            Offer(
                action=Walk(path[1:]),
                words=f"Close in on {t.called(enemy)}, {inches(path_length(path))}",
                unit=self.fighter,
                target=enemy,
            )
            for enemy, path in ways
        ]


def make_contact(t: Skirmish, id: int, target: int) -> None:
    """Move a fighter straight into contact with an enemy, and announce the charge."""
    start, end = t.disc(id)[:2], straight_charge(t, id, target)
    if end is None:
        raise ValueError(f"{t.called(id)} has no straight way to {t.called(target)}")
    t.change(id, at=end)
    t.tell(Charged(id, target, (start, end) if end != start else (start,)))


# --- decisions -------------------------------------------------------------------------------------------------------


class Charge(_FighterAct, frozen=True):
    target: Annotated[int, Pick(lambda t, fighter: [f.id for f in t.enemies_of(fighter)], NOT_LISTED, called)]

    words = "Charge {target}, {gap:inch} away"
    says: ClassVar[Mapping[str, Any]] = {"gap": lambda t, fighter, target: gap(t, fighter, target)}
    aim = "target"
    guards = Guards(
        NO_CHARGE,
        (NOT_LISTED, lambda t, fighter, target: in_contact(t, fighter, target)),
    )

    def nearest(self, o: Choices) -> Act | None:
        act = any(f.id == self.target for f in o.t.enemies_of(o.asked.fighter))
        return o.first() if act else super().nearest(o)


class StayInContact(_FighterAct, frozen=True):
    """Stay in contact with an enemy: a charge without moving."""

    target: ClassVar[None] = None
    words = "Stay in contact with {names}"
    says: ClassVar[Mapping[str, Any]] = {
        "names": lambda t, fighter: listed([t.called(f.id) for f in touched_enemies(t, fighter)])
    }
    guards = Guards((NOT_LISTED, lambda t, fighter: not any(in_contact(t, fighter, id) for id in charges(t, fighter))))


class EnemyToCharge(OneOf, frozen=True, kw_only=True, tag="WhomToCharge"):
    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-CHG-02", "BS-CHG-04")
    template = "Which enemy does {fighter} charge?"
    hint: ClassVar[str] = "With an enemy in sight within 4 inches she has to charge, but you choose which."
    opens: ClassVar[tuple[str, str]] = ("charging", "charge")
    about = ("fighter",)
    acts = (StayInContact, Charge)


# --- events ----------------------------------------------------------------------------------------------------------


class Charged(Event, frozen=True):
    """A fighter charged an enemy. The fighter did not move if she was in contact already."""

    fighter: int
    target: int
    path: Path
    clauses: ClassVar[tuple[str, ...]] = ("BS-CHG-03", "BS-ACH-02")
    about = ("fighter", "target")

    def sentence(self, t: Any) -> str:
        name, target = t.called(self.fighter), t.called(self.target)
        if len(self.path) < 2:
            return f"{name} stays in contact with {target}"
        far = gone(self.path)
        return f"{name} charges {target} over {far}" if far else f"{name} charges {target}, who is within her reach"

    def motion(self, t: Any) -> Motion | None:
        """Return the motion along the path; None for a charge without moving."""
        if len(self.path) < 2:
            return None
        return Motion(sort="charge", unit=self.fighter, target=self.target, ways=((self.fighter, self.path),))


class HeldBack(Event, frozen=True):
    """A fighter has an enemy to charge, but cannot get nearer to any enemy."""

    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-Q08",)
    template = "{fighter} finds no way nearer to an enemy and stays"
    about = ("fighter",)
