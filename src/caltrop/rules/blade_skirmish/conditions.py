"""The conditions of a fighter: stunned, fleeing, recovered, or off the table. Only this module changes conditions."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from caltrop.engine import Event, rule
from caltrop.picture import Motion, Point
from caltrop.rules.blade_skirmish.figures import fallen
from caltrop.rules.blade_skirmish.records import Fighter, Relic, Skirmish

Condition = Literal["stunned", "fleeing"]


class Became(Event, frozen=True):
    """A fighter was stunned, or began to flee."""

    fighter: int
    what: Condition
    clause: str
    slipped: tuple[Point, ...] | UnsetType = UNSET
    """Places of the disembowelled fighters who make the floor under her slippery; only set if she slipped."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-INJ-01", "BS-INJ-02", "BS-Q17")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "fighter", "victim"), ("guts", "slipped", "at"))
    about = ("fighter",)

    def sentence(self, t: Any) -> str:
        name = t.called(self.fighter)
        return f"{name} is stunned" if self.what == "stunned" else f"{name} begins to flee"

    def motion(self, t: Any) -> Motion:
        return Motion(sort="mark", unit=self.fighter, tag="stunned" if self.what == "stunned" else "flees")


class Recovered(Event, frozen=True):
    """A fighter is no longer stunned or fleeing."""

    fighter: int
    what: Condition
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-RUN-04", "BS-RUN-05", "BS-ARN-04", "BS-ARN-05")
    about = ("fighter",)

    def sentence(self, t: Any) -> str:
        name = t.called(self.fighter)
        return f"{name} is no longer stunned" if self.what == "stunned" else f"{name} stops fleeing"

    def motion(self, t: Any) -> Motion:
        return Motion(sort="mark", unit=self.fighter, tag="on her feet" if self.what == "stunned" else "stops fleeing")


class Removed(Event, frozen=True):
    """A fighter left the table."""

    fighter: int
    fate: Literal["wounded", "dead", "away"]
    by: int | None
    """Id of the attacker who wounded or killed her."""
    at: Point | None = None
    """Place where the fighter stood."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-INJ-03", "BS-INJ-04", "BS-INJ-05", "BS-INJ-06")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "fighter", "victim"),)
    about = ("fighter", "by")

    def sentence(self, t: Any) -> str:
        name = t.called(self.fighter)
        if self.fate == "away":
            return f"{name} leaves the table safe and sound"
        if self.fate == "wounded":
            return f"{name} is taken off the table for today"
        return f"{name} is off the table" + (f": a kill for {t.called(self.by)}" if self.by is not None else "")

    def motion(self, t: Any) -> Motion:
        if self.fate == "away":
            return Motion(sort="mark", unit=self.fighter, tag="safe")
        fell = () if self.at is None else (fallen(t, self.fighter, self.at),)
        return Motion(sort="loss", unit=self.fighter, pieces=(self.fighter,), fell=fell, count=1, tag=self.fate)


class Dropped(Event, frozen=True):
    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S53",)
    about = ("fighter",)

    def sentence(self, t: Any) -> str:
        return f"{t.called(self.fighter)} drops the {'standard' if t.field.goal == 'standard' else 'relic'}"


def become(t: Skirmish, id: int, what: Condition, clause: str, slipped: tuple[Point, ...] | UnsetType = UNSET) -> None:
    f = t.fighters[id]
    if f.at is None or (f.stunned if what == "stunned" else f.fleeing):
        return
    t.change(id, **{what: True})
    t.tell(Became(id, what, clause, slipped))
    drop(t, id)


def recover(t: Skirmish, id: int, what: Condition, clause: str) -> None:
    f = t.fighters[id]
    if f.stunned if what == "stunned" else f.fleeing:
        t.change(id, **{what: False})
        t.tell(Recovered(id, what, clause))


def remove(t: Skirmish, id: int, fate: Literal["wounded", "dead", "away"], by: int | None = None) -> None:
    """Take a fighter off the table. A death counts as a kill of *by* (BS-INJ-03 to BS-INJ-06).

    The record of a removed fighter stays in the state.
    """
    drop(t, id)
    at = t.fighters[id].at
    t.change(id, at=None, fate=fate, stunned=False, fleeing=False, trophy=None)
    if fate == "dead" and by is not None:
        t.change(by, kills=t.fighters[by].kills + 1)
    t.tell(Removed(id, fate, by, at))


def drop(t: Skirmish, id: int) -> None:
    """Drop the relic where the fighter stands, if she carries it (BS-S53)."""
    if t.relic is not None and t.relic.carrier == id:
        t.relic = Relic(at=t.fighters[id].at or t.relic.at)
        t.tell(Dropped(id))


@rule("BS-FAT-01", "BS-Q24", stages=("house",))
def idle(t: Skirmish, id: int) -> bool:
    """A fighter who takes a trophy takes no other action until the end of her side's next turn."""
    return t.fighters[id].trophy is not None


@idle.amended_by("BS-Q24", stage="house", house={"trophy": "next_turn_only"})
def she_acts_until_that_turn_begins(value: bool, t: Skirmish, id: int) -> bool:
    """House rule: a fighter who takes a trophy acts as usual until her side's next turn begins."""
    f = t.fighters[id]
    return f.trophy is not None and t.turns[f.side] >= f.trophy


@rule("BS-FAT-01", "BS-Q24", stages=("house",))
def trophy_in_words(t: Skirmish) -> str:
    """A fighter who takes a trophy is idle for some time."""
    return "Takes a trophy: idle until the end of her side's next turn"


@trophy_in_words.amended_by("BS-Q24", stage="house", house={"trophy": "next_turn_only"})
def only_in_that_turn(words: str, t: Skirmish) -> str:
    """House rule: a fighter who takes a trophy is idle in her side's next turn alone."""
    return "Takes a trophy: idle in her side's next turn"


def to_go(t: Skirmish, side: int) -> list[Fighter]:
    """Return the models of a side on the table that have not acted this turn."""
    return [f for f in t.of_side(side) if f.id not in t.gone]
