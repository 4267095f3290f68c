"""Reserves: units kept back, their arrival, and returning flyers (SQ-ORG-08 to 10, SQ-ORG-64, SQ-S47)."""

from __future__ import annotations

from typing import ClassVar

from caltrop.chance import IN_ORDER, Pool, Roll
from caltrop.engine import Event, Go, Procedure, Throw, does, rule, step
from caltrop.engine.rule import HasBook
from caltrop.rules.squad_action.records import Firefight, Unit

ARRIVES_ON = 4
"""Lowest roll on which a unit arrives from reserve (SQ-ORG-08, SQ-S56)."""

FIRST_TURN = 2
"""First game turn in which reserves roll to arrive."""


# --- before the battle ------------------------------------------------------------------------------------------------


@rule("SQ-S47", "SQ-ORG-08")
def most_in_reserve(t: Firefight, side: int) -> int:
    """A side may keep up to half its units in reserve, rounded down. Flyers do not count towards the limit."""
    return counted_for_reserve(t, side) // 2


def counted_for_reserve(t: Firefight, side: int) -> int:
    """Return the number of a side's units that count for the limit of reserves: all but flyers."""
    return sum([u.side == side and u.kind != "flyer" for u in t.units])


@rule("SQ-S47", "SQ-S45")
def kept_back(t: Firefight, side: int) -> int:
    """Units kept off the table include those aboard a transport in reserve. Flyers are not counted."""
    return sum([u.side == side and u.kind != "flyer" and (u.kept or rides_in_reserve(t, u)) for u in t.units])


def rides_in_reserve(t: Firefight, u: Unit) -> bool:
    """Return whether a unit is, or began, aboard a transport that is kept in reserve."""
    if u.where != "aboard" or u.carrier is None:
        return False
    carrier = t.units[u.carrier]
    return carrier.kept or starts_in_reserve(t, carrier.id)


@rule("SQ-ORG-64")
def starts_in_reserve(t: Firefight, unit: int) -> bool:
    return t.units[unit].kind == "flyer"


# --- units that arrive ------------------------------------------------------------------------------------------------


@rule("SQ-ORG-08", "SQ-S47")
def rolls_to_arrive(t: Firefight, u: Unit) -> bool:
    """From turn 2 on, each unit in reserve rolls to arrive.

    A unit aboard a transport arrives with it. A unit that has arrived does not roll again.
    """
    return u.where == "reserve" and u.carrier is None and not u.due and t.round >= FIRST_TURN


@rule("SQ-ORG-65", "SQ-S56")
def rolls_to_return(t: Firefight, u: Unit) -> bool:
    """A flyer that has left the table rolls to return, beginning with its next turn."""
    return u.where == "away" and u.kind == "flyer"


@rule("SQ-ORG-08", "SQ-S56")
def arrives(b: HasBook, face: int) -> bool:
    """A unit arrives if its die shows 4 or more."""
    return face >= ARRIVES_ON


class ReserveRolls(Procedure):
    """At the start of a side's turn, each of its units in reserve rolls a die to arrive (SQ-ORG-08, SQ-S47)."""

    sides: tuple[int, ...]
    waiting: tuple[int, ...] = ()
    """Ids of the units that roll."""
    now: int = 0
    """Index in `sides` of the side that rolls next."""

    @step("SQ-ORG-08", "SQ-ORG-65", "SQ-S47", "SQ-S56")
    def roll(self, t: Firefight) -> Throw | Go:
        if self.now >= len(self.sides):
            return Go("done")
        side = self.sides[self.now]
        self.waiting = tuple(
            [u.id for u in t.units if u.side == side and (rolls_to_arrive(t, u) or rolls_to_return(t, u))]
        )
        if not self.waiting:
            self.now += 1
            return Go("roll")
        names = ", ".join(t.units[u].name for u in self.waiting)
        return Throw(Pool(len(self.waiting)), reads=IN_ORDER, side=side, words=f"Reserves, {ARRIVES_ON}+: {names}")

    @step("SQ-ORG-08", "SQ-ORG-10", "SQ-S47", "SQ-S56", "SQ-ORG-65")
    def come(self, t: Firefight, roll: Roll) -> Go:
        """A unit that arrives must enter this turn. A returning flyer is no longer Pinned."""
        for unit, face in zip(self.waiting, roll, strict=True):
            number = arrives(t, face)
            if number:
                t.change(unit, where="reserve", due=True, pinned=False)
            t.tell(RolledForReserve(unit, face, number))
        self.now += 1
        return Go("roll")

    @step("SQ-ORG-08")
    def done(self, t: Firefight) -> None: ...


# --- events -----------------------------------------------------------------------------------------------------------


class RolledForReserve(Event, frozen=True):
    unit: int
    face: int
    came: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-08", "SQ-S47")

    def sentence(self, t: Firefight) -> str:
        return does(t.units[self.unit].name, "arrives this turn" if self.came else "has not arrived yet")
