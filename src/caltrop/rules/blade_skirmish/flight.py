"""Flight: straight away from the closest enemy, for a certain distance or to an obstacle (BS-MOV, BS-AMV)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from caltrop.asking import NOT_LISTED, OneOf, Pick
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Event,
    Procedure,
    Run,
    Throw,
    ask,
    inches,
    rule,
    step,
)
from caltrop.geometry import INCH, Point
from caltrop.rules.blade_skirmish.by_chance import one_fighter, taken
from caltrop.rules.blade_skirmish.catalogue import CANNOT_START, FLIGHT
from caltrop.rules.blade_skirmish.conditions import remove
from caltrop.rules.blade_skirmish.hits import AutomaticHits, hits_the_fleeing, met
from caltrop.rules.blade_skirmish.places import closest_enemies, touched_enemies
from caltrop.rules.blade_skirmish.records import Skirmish, _FighterAct, called
from caltrop.rules.blade_skirmish.routes import go
from caltrop.rules.blade_skirmish.straight import StraightCourse, away_from, obstacle, straight


class Flight(Procedure):
    """A fleeing fighter of a player runs."""

    fighter: int
    enemy: int = -1
    """Id of the enemy that the fighter runs from."""
    length: int = 0
    hit_by: tuple[int, ...] = ()
    pinned: bool = False

    @step("BS-MOV-06", "BS-MOV-07", "BS-Q18", "BS-Q35", "BS-Q36")
    def choose(self, t: Skirmish) -> Ask | Throw | End | None:
        """The fleeing fighter's player chooses between a die and 8 inches before any roll. Without
        enemies she does not run.
        """
        if not closest_enemies(t, self.fighter):
            return End()
        return ask(HowToFlee(side=t.fighters[self.fighter].side, fighter=self.fighter))

    @step("BS-MOV-07", "BS-Q18", "BS-DIC-02", "BS-DIC-03")
    def throw(self, t: Skirmish, choice: Any) -> Throw | None:
        self.enemy = choice.enemy
        self.length = FLIGHT
        return None if choice.far else self.throw_for_length(t)

    def throw_for_length(self, t: Skirmish) -> Throw:
        f = t.fighters[self.fighter]
        return Throw(Pool(1), side=f.side, words=f"How far {t.called(f.id)} runs")

    @step("BS-MOV-06", "BS-MOV-10", "BS-AMV-07", "BS-AMV-10", "BS-Q03", "BS-Q21", "BS-Q45")
    def run(self, t: Skirmish, roll: Roll | None) -> None:
        """The fighter runs straight away along the line of centres, and stops at the first obstacle."""
        if roll is not None:
            self.length = roll[0] * INCH
        start = t.disc(self.fighter)[:2]
        course, self.pinned, off_table, self.hit_by = running(t, self.fighter, self.enemy, self.length)
        if self.pinned:
            t.tell(Pinned(self.fighter, course.stop, course.fighter, course.terrain))
        else:
            go(t, self.fighter, (start, course.end), "flees", "BS-MOV-06")
            stopped(t, self.fighter, course)
        if off_table:
            remove(t, self.fighter, "away")

    @step("BS-MOV-08", "BS-MOV-09", "BS-AMV-08", "BS-AMV-09", "BS-Q44")
    def be_hit(self, t: Skirmish) -> Run | None:
        """An enemy that the fighter runs into hits her. If she cannot run at all, all enemies in contact hit her."""
        if not self.hit_by:
            return None
        return Run(AutomaticHits(victim=self.fighter, attackers=self.hit_by, pinned=self.pinned))


class AutomatedFlight(Flight):
    """A fleeing automated model runs. The distance of an automated model's flight is always rolled.

    If several enemies are equally close, chance decides from which of them she runs.
    """

    @step("BS-AMV-07", "BS-Q35")
    def choose(self, t: Skirmish) -> Throw | End | None:
        f, enemies = t.fighters[self.fighter], closest_enemies(t, self.fighter)
        return one_fighter(t, f.side, enemies, f"From which enemy {t.called(f.id)} runs") if enemies else End()

    @step("BS-AMV-07", "BS-DIC-02", "BS-DIC-03")
    def throw(self, t: Skirmish, choice: Any) -> Throw:
        self.enemy = taken(closest_enemies(t, self.fighter), choice)
        return self.throw_for_length(t)


def stopped(t: Skirmish, id: int, course: StraightCourse) -> None:
    """Announce the obstacle that ended a straight move early, if there was one."""
    if course.stop is not None:
        t.tell(Stopped(id, course.stop, course.fighter, course.terrain))


@rule("BS-Q21", "BS-S14", stages=("house",))
def the_edge_holds_the_fleeing(t: Skirmish) -> bool:
    """The table's edge is an obstacle to flights."""
    return True


@the_edge_holds_the_fleeing.amended_by("BS-Q21", stage="house", house={"flee_off_table": "on"})
def a_flight_may_lead_off_the_table(value: bool, t: Skirmish) -> bool:
    """House rule: a fighter who flees over the edge leaves the battle and survives."""
    return False


class FlightRun(NamedTuple):
    """The path and the effects of a flight."""

    course: StraightCourse
    pinned: bool
    """True if the fighter cannot run at all."""
    off_table: bool
    hit_by: tuple[int, ...]
    """Ids of the enemies who hit the fighter."""


def running(t: Skirmish, id: int, enemy: int, length: int) -> FlightRun:
    """Return a fighter's flight: straight away from an enemy along the line of centres, to the first obstacle.

    An enemy in her path hits her. If a wall, the edge or her own side keeps her from moving at all, all enemies in
    contact hit her.
    """
    heading = _heading(t, id, enemy)
    course = straight(t, id, heading, length)
    off_table = course.stop == "edge" and not the_edge_holds_the_fleeing(t)
    barred = _barred(t, id, heading, length) if course.length < CANNOT_START else None
    into = met(t, id, course, heading) if barred is None else tuple([f.id for f in touched_enemies(t, id)])
    hit_by = tuple([enemy for enemy in into if hits_the_fleeing(t, enemy)])
    return FlightRun(barred or course, barred is not None, off_table, hit_by)


def _barred(t: Skirmish, id: int, heading: Point, length: int) -> StraightCourse | None:
    """Return the flight that a wall, the edge or a comrade keeps a fighter from beginning, or None (BS-Q21).

    All enemies in contact hit a barred fighter, even if one of them also blocks her path.
    """
    course = straight(t, id, heading, length, [f.id for f in t.enemies_of(id)])
    holds = course.stop is not None and (course.stop != "edge" or the_edge_holds_the_fleeing(t))
    return course if holds and course.length < CANNOT_START else None


def _heading(t: Skirmish, id: int, enemy: int) -> Point:
    return away_from(t.disc(id)[:2], t.disc(enemy)[:2])


# --- decisions -------------------------------------------------------------------------------------------------------


def _foreseen(t: Skirmish, fighter: int, enemy: int, far: bool) -> str:
    course = straight(t, fighter, _heading(t, fighter, enemy), FLIGHT if far else 6 * INCH)
    if course.stop is None:
        return ""
    return f": {obstacle(t, course.stop, course.fighter, course.terrain)} is in the way after {inches(course.length)}"


class FleeFrom(_FighterAct, frozen=True):
    """Flee straight away from an enemy."""

    enemy: Annotated[int, Pick(lambda t, fighter: closest_enemies(t, fighter), NOT_LISTED, called)]
    far: Annotated[bool, Pick(lambda: (True, False))]
    """True for 8 inches; False to roll a die for the distance in inches."""

    words = "Run {how} inches from {enemy}{foreseen}"
    says: ClassVar[Mapping[str, Any]] = {"how": lambda far: "8" if far else "a die of", "foreseen": _foreseen}
    aim = "enemy"


class HowToFlee(OneOf, frozen=True, kw_only=True):
    """The player chooses how far a fighter flees, and from which of several equally close enemies."""

    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-MOV-07", "BS-Q36")
    template = "How far does {fighter} run?"
    hint: ClassVar[str] = (
        "She runs straight away from the closest enemy. The distance is chosen before the die is thrown, and she runs "
        "all of it unless something stops her. An enemy she runs into hits her."
    )
    about = ("fighter",)
    acts = (FleeFrom,)


# --- events ----------------------------------------------------------------------------------------------------------


class Pinned(Event, frozen=True):
    """A fleeing fighter could not run at all."""

    fighter: int
    by: Literal["edge", "terrain", "fighter"] | None = None
    who: int | None = None
    """Id of the fighter who blocks her path."""
    terrain: str = ""
    """Name of the terrain that blocks the fighter's path."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-MOV-09", "BS-AMV-09", "BS-Q21")
    about = ("fighter",)

    def sentence(self, t: Any) -> str:
        what = "something" if self.by is None else obstacle(t, self.by, self.who, self.terrain)
        return f"{t.called(self.fighter)} cannot begin to run: {what} is in the way"


class Stopped(Event, frozen=True):
    """A straight move ended early."""

    fighter: int
    by: Literal["edge", "terrain", "fighter"]
    who: int | None
    """Id of the fighter who blocked her path."""
    terrain: str = ""
    """Name of the terrain that blocked the fighter's path."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-MOV-10", "BS-AMV-10", "BS-RUN-03", "BS-ARN-03", "BS-Q45")
    about = ("fighter", "who")

    def sentence(self, t: Any) -> str:
        return f"{t.called(self.fighter)} is stopped by {obstacle(t, self.by, self.who, self.terrain)}"
