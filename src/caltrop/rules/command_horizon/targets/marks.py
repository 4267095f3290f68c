"""Marks: the units that may set and use them, and the effect of a mark."""

from __future__ import annotations

from typing import Annotated, ClassVar

from caltrop.asking import Act, Choices, Guards, OneOf, Pick
from caltrop.chance import Dice
from caltrop.engine import (
    Event,
    Go,
    MotionOf,
    Sum,
    Term,
    guard,
)
from caltrop.geometry import CM
from caltrop.rules.command_horizon.attack.legality import CANNOT_MARK
from caltrop.rules.command_horizon.places import gap, sees, within
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle, MarkOn
from caltrop.rules.command_horizon.targets.orders import NOT_YOURS

MARK_ONCE = guard("CH-MARK-06", "mark-once", "{unit:has} marked a target this turn")
MARK_LOCKED = guard(("Q-MARK-5", "Q-CC-7"), "mark-locked", "{unit:is} locked in close combat and cannot mark")
MARK_LEFT = guard("CH-DISENGAGE-08", "mark-left", "{unit:has} left close combat this turn and can do nothing else")
MARK_FRIEND = guard("CH-MARK-03", "mark-friend", "{target:is} not an enemy unit on the table")
MARK_TOO_FAR = guard("CH-MARK-04", "mark-too-far", "{target:is} {gap:cm} away, and marks are set within {range:cm}")
MARK_UNSEEN = guard("CH-MARK-03", "mark-unseen", "{unit:does} not see {target}")
MARK_NO_CP = guard(("CH-MARK-05", "CH-COST-09"), "mark-no-cp", "Marking costs {price} CP, and you have {cp} left")
MARKS_FIRST = guard("Q-TARGET-3", "marks-first", "Marks are set first, then targets")


MARK_RANGE = 30 * CM


class Marked(Event, frozen=True):
    """A target was marked for the artillery."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-05")
    template = "{unit:marks} {target} for the artillery"
    about = ("unit", "target")
    shown = MotionOf("aim", target="target")


def _named(t: Battle, it: int) -> str:
    return t.called(it) if 0 <= it < len(t.units) else "That"


MARKER = Guards(
    (CANNOT_MARK, lambda t, unit: not kind_of(t, unit).marks or not t.units[unit].deployed),
    (MARK_ONCE, lambda t, unit: t.units[unit].marking >= 0),
    (MARK_LOCKED, lambda t, unit: t.units[unit].locked),
    (MARK_LEFT, lambda t, unit: t.units[unit].disengaged),
    unit=lambda t, unit: t.called(unit),
    who=lambda t, unit: kind_of(t, unit).title,
)
"""Reasons why a unit cannot mark a target."""


class MarkTarget(Act, frozen=True):
    """Mark an enemy unit for the artillery."""

    unit: Annotated[
        int, Pick(lambda t, side: t.in_play(side), NOT_YOURS, _named,
                  lambda t, side: [i for i, u in enumerate(t.units) if u.side == side and u.models])
    ]  # fmt: skip
    target: Annotated[int, Pick(lambda t, side: t.enemies(side), MARK_FRIEND, _named)]

    words = "Mark {target}"
    group = "{unit}"
    aim = "target"
    near = (("unit",),)
    guards = Guards(
        "unit",
        MARKER,
        "target",
        (MARK_TOO_FAR, lambda t, unit, target: not within(t, unit, target, MARK_RANGE)),
        (MARK_UNSEEN, lambda t, unit, target: not sees(t, unit, target)),
        (MARK_NO_CP, lambda t, side: t.armies[side].cp < 1),
        gap=lambda t, unit, target: gap(t, unit, target),
        range=lambda: MARK_RANGE,
        price=lambda: 1,
        cp=lambda t, side: t.armies[side].cp,
    )

    @staticmethod
    def price() -> Sum:
        return (Term(1, "CH-MARK-05", "marking a target"),)

    def perform(self, t: Battle, by: int) -> None:
        t.pay(by, self.price(), self.unit)
        t.change(self.unit, marking=self.target)
        t.marks.append(MarkOn(self.unit, self.target))
        t.tell(Marked(unit=self.unit, target=self.target))


class EndMarks(Act, frozen=True):
    words = "No further marks"
    final = True

    def perform(self, t: Battle, by: int) -> Go:
        return Go("offer_targets")


class MarkOptions(Choices):
    acts = (EndMarks, MarkTarget)
    unknown = MARKS_FIRST

    def sample(self, dice: Dice) -> MarkTarget | EndMarks:
        """Return a random option: ending is as likely as each unit that may mark, with a random enemy for it."""
        t = self.t
        able = [u for u in t.in_play(self.side) if MARKER.may(t, unit=u)] if t.armies[self.side].cp > 0 else []
        if dice.below(1 + len(able)):
            while able:
                marks = tuple(MarkTarget.every(self, unit=able.pop(dice.below(len(able)))))
                if marks:
                    return marks[dice.below(len(marks))]
        return EndMarks()


class Marks(OneOf, frozen=True, kw_only=True):
    """The active side chooses which targets to mark for artillery."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "Q-MARK-4")
    hint: ClassVar[str] = (
        "A mark costs 1 CP and one die of the marking unit's own shot. With marks artillery can kill vehicles: up to "
        "three marks from different units count."
    )
    opens: ClassVar[tuple[str, str]] = ("marks", "mark a target")

    menu = MarkOptions

    def prompt(self, t: Battle) -> str:
        return f"{t.armies[self.side].name}: mark targets for the artillery?"
