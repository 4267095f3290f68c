"""Initiative in close quarters: the order of strikes (SQ-CQB-02 to 06, SQ-Q20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

import msgspec

from caltrop.chance import Pool, Roll
from caltrop.engine import (
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Sum,
    Term,
    Throw,
    agreeing,
    does,
    rule,
    step,
    total,
)
from caltrop.engine.rule import HasBook
from caltrop.kit.numbers import reasons
from caltrop.picture import Reading
from caltrop.rules.squad_action.account import dice_read
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.vehicle_assault import (
    unarmed,
)

Tie = Literal["together", "again", "defender"]


class Initiative(Procedure):
    """Decide the order in which units strike. The result is a sequence of groups of units that strike together."""

    assaulters: tuple[int, ...]
    seconds: tuple[int, ...]
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    watching: tuple[int, ...]
    number: int
    two: bool
    rolling: tuple[int, ...] = ()
    scores: tuple[Score, ...] = ()

    @step("SQ-CQS-05", "SQ-CQS-06", "SQ-CQB-05", "SQ-CQB-06", "SQ-Q23", "SQ-Q26")
    def set_apart(self, t: Firefight) -> End | None:
        """Some units strike second without a roll. Units without attacks are left out."""
        late: list[Score] = []
        for unit, cover in zip(self.defenders, self.covers, strict=True):
            u = t.units[unit]
            clause = strikes_second(t, self.number == 1, cover != "none", u.pinned)
            if unarmed(t, unit):
                continue
            if clause:
                late.append(Score(unit, False, None))
                t.tell(StrikesSecond(unit, clause))
            else:
                self.rolling = (*self.rolling, unit)
        self.scores = tuple(late)
        if not self.rolling:
            return End(tuple([group for group in (self.assaulters, tuple([s.unit for s in late])) if group]))
        self.rolling = (*self.assaulters, *self.rolling)
        return None

    @step("SQ-CQB-02", "SQ-Q25", "SQ-Q26")
    def roll(self, t: Firefight) -> Throw:
        u = t.units[self.rolling[0]]
        return Throw(Pool(1), side=u.side, words=f"Initiative of {u.name}")

    @step("SQ-CQB-02", "SQ-CQB-03", "SQ-CQB-04", "SQ-CQS-04", "SQ-CQS-09", "SQ-CQS-12", "SQ-TRT-02", "SQ-Q20")
    def compare(self, t: Firefight, roll: Roll) -> Go | End:
        """Units strike in the order of their rolls, the highest first."""
        unit, self.rolling = self.rolling[0], self.rolling[1:]
        parts = initiative(t, self.contender(t, unit))
        t.tell(RolledInitiative(unit, roll[0], parts))
        self.scores = (*self.scores, Score(unit, unit in self.assaulters, roll[0] + total(parts)))
        if self.rolling:
            return Go("roll")
        again = to_roll_again(t, self.scores)
        if again:
            self.rolling = again
            self.scores = tuple([s for s in self.scores if s.unit not in again])
            return Go("roll")
        return End(striking_order(t, self.scores))

    def contender(self, t: Firefight, unit: int) -> Contender:
        mine = unit in self.assaulters
        ratings = [rating_of(t, u) for u in (self.defenders if mine else self.assaulters)]
        return Contender(
            first=self.number == 1,
            started=mine and not self.two,
            rating=rating_of(t, unit),
            against=min([r for r in ratings if r], default=0),
            watching=unit in self.watching,
            second=unit in self.seconds,
            traits=t.units[unit].traits,
        )


class Contender(NamedTuple):
    """The values of a unit that affect its initiative."""

    first: bool
    """True in the first round."""
    started: bool = False
    """True if the unit began the fight, alone or with others, against a single enemy (SQ-CQS-12)."""
    rating: int = 0
    """CQB value of the unit, lower being better; 0 for none."""
    against: int = 0
    """The best CQB value of the unit's enemies; 0 if no enemy has a CQB value."""
    watching: bool = False
    """True if the unit was on overwatch when it was assaulted."""
    second: bool = False
    """True for every unit of a multiple assault except the first."""
    traits: tuple[str, ...] = ()


@rule("SQ-CQB-02", stages=("start", "rating", "overwatch", "second", "specialist"))
def initiative(b: HasBook, c: Contender) -> Sum:
    return ()


@initiative.amended_by("SQ-CQB-03", "SQ-CQS-12", stage="start")
def who_began_has_the_better_of_it(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round the side that began the fight adds 1, unless one unit assaults two."""
    return (*parts, Term(1, "SQ-CQB-03", "It began the fight")) if c.first and c.started else parts


@initiative.amended_by("SQ-CQB-04", "SQ-Q21", stage="rating")
def the_better_fighters_have_the_better_of_it(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In every round, the side with the better rating (the lower number) adds 1."""
    better = 0 < c.rating < c.against
    return (*parts, Term(1, "SQ-CQB-04", "Higher CQB rating")) if better else parts


@initiative.amended_by("SQ-CQS-04", stage="overwatch")
def who_watched_is_ready(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round a unit that was on overwatch adds 1."""
    return (*parts, Term(1, "SQ-CQS-04", "On overwatch")) if c.first and c.watching else parts


@initiative.amended_by("SQ-CQS-09", "SQ-Q25", stage="second")
def the_second_unit_takes_them_in_the_flank(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """Every unit of a multiple assault except the first adds 1."""
    return (*parts, Term(1, "SQ-CQS-09", "Second unit of the assault")) if c.second else parts


@initiative.amended_by("SQ-TRT-02", stage="specialist")
def specialists_are_quick(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round a CQB Specialist adds 1, on either side."""
    quick = c.first and "cqb-specialist" in c.traits
    return (*parts, Term(1, "SQ-TRT-02", "CQB Specialist")) if quick else parts


@rule("SQ-CQS-05", "SQ-Q23", stages=("pinned", "open"))
def strikes_second(b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    """Return the clause by which an assaulted unit strikes second without a roll; empty if both sides roll."""
    return ""


@strikes_second.amended_by("SQ-CQB-05", "SQ-CQB-06", stage="pinned")
def the_pinned_strike_second(value: str, b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    return "SQ-CQB-05" if first and pinned else value


@strikes_second.amended_by("SQ-CQS-06", "SQ-Q23", stage="open")
def who_is_in_the_open_strikes_second(value: str, b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    return "SQ-CQS-06" if first and not in_cover else value


@rule("SQ-Q20", stages=("house",))
def on_a_tie(b: HasBook) -> Tie:
    """Units with equal initiative strike at the same time."""
    return "together"


@on_a_tie.amended_by("SQ-Q20", stage="house", house={"initiative_tie": "reroll"})
def ties_are_rolled_again(value: Tie, b: HasBook) -> Tie:
    """House rule: units with equal initiative roll again."""
    return "again"


@on_a_tie.amended_by("SQ-Q20", stage="house", house={"initiative_tie": "defender"})
def ties_go_to_the_defender(value: Tie, b: HasBook) -> Tie:
    """House rule: of units with equal initiative, the assaulted strike first."""
    return "defender"


class Score(msgspec.Struct, frozen=True):
    unit: int
    assaults: bool
    score: int | None
    """The initiative; None for a unit that strikes second without a roll."""


@rule("SQ-CQB-02", "SQ-Q20", "SQ-Q25")
def striking_order(b: HasBook, scores: Sequence[Score]) -> tuple[tuple[int, ...], ...]:
    orders: list[tuple[int, ...]] = []
    for value in sorted({s.score for s in scores if s.score is not None}, reverse=True):
        equal = [s for s in scores if s.score == value]
        if on_a_tie(b) == "defender":
            orders += [
                tuple([s.unit for s in equal if s.assaults is side])
                for side in (False, True)
                if any(s.assaults is side for s in equal)
            ]
        else:
            orders.append(tuple([s.unit for s in equal]))
    last = tuple([s.unit for s in scores if s.score is None])
    return (*orders, last) if last else tuple(orders)


def to_roll_again(b: HasBook, scores: Sequence[Score]) -> tuple[int, ...]:
    if on_a_tie(b) != "again":
        return ()
    return tuple(
        [
            s.unit
            for s in scores
            if s.score is not None and any(o.score == s.score and o.assaults is not s.assaults for o in scores)
        ]
    )


def rating_of(t: Firefight, unit: int) -> int:
    """Return the CQB value of a unit; 0 for a machine without a CQB value (SQ-Q21)."""
    u = t.units[unit]
    return t.profile(unit).number("cqb") if u.on_foot else t.vehicle(unit).number("cqb")


# --- events ----------------------------------------------------------------------------------------------------------


class StrikesSecond(Event, frozen=True):
    """A unit strikes second without a roll."""

    unit: int
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-05", "SQ-CQS-06")

    def sentence(self, t: Firefight) -> str:
        why = "Pinned" if self.clause == "SQ-CQB-05" else "caught in the open"
        return f"{does(t.units[self.unit].name, 'is')} {why}, and {agreeing(t.units[self.unit].name, 'strikes')} second"


class RolledInitiative(Event, frozen=True):
    unit: int
    face: int
    parts: Sum
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-02",)
    shown = MotionOf("dice")

    def sentence(self, t: Firefight) -> str:
        added = f" {total(self.parts):+d}" if self.parts else ""
        return f"{t.units[self.unit].name}, initiative: {self.face}{added} = {self.face + total(self.parts)}"

    def reading(self, t: Firefight) -> Reading:
        u = t.units[self.unit]
        return Reading(
            words=f"{u.name}: initiative",
            side=u.side,
            unit=self.unit,
            added=True,
            terms=reasons(self.parts),
            dice=dice_read((self.face,), 7, ""),
            came=str(self.face + total(self.parts)),
        )
