"""Marks: which units may set one on which, for what, and what it tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Event,
    Options,
    Refusal,
    Term,
    guard,
)
from caltrop.geometry import CM
from caltrop.picture import Motion
from caltrop.rules.command_horizon.attack.legality import CANNOT_MARK
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.places import gap, sees, within
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.targets.orders import NOT_YOURS

MARK_ONCE = guard("CH-MARK-06", "mark-once", "{unit:has} marked a target this turn")
MARK_LOCKED = guard(("Q-MARK-5", "Q-CC-7"), "mark-locked", "{unit:is} locked in close combat and cannot mark")
MARK_LEFT = guard("CH-DISENGAGE-08", "mark-left", "{unit:has} left close combat this turn and can do nothing else")
MARK_FRIEND = guard("CH-MARK-03", "mark-friend", "{target:is} no enemy unit on the table")
MARK_TOO_FAR = guard("CH-MARK-04", "mark-too-far", "{target:is} {gap:cm} away, and marks are set within {range:cm}")
MARK_UNSEEN = guard("CH-MARK-03", "mark-unseen", "{unit:does} not see {target}")
MARK_NO_CP = guard(("CH-MARK-05", "CH-COST-09"), "mark-no-cp", "Marking costs {price} CP, and {cp} are left")


MARK_RANGE = 30 * CM


class Marked(Event, frozen=True):
    """A target was marked for the artillery."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-05")

    def sentence(self, t: Battle) -> str:
        """The unit that marks, and its target."""
        return f"{t.does(self.unit, 'marks')} {t.called(self.target)} for the artillery"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)

    def motion(self, t: Battle) -> Motion:
        """At the marked unit."""
        return Motion(sort="aim", unit=self.unit, target=self.target)


class MarkTarget(Action, frozen=True):
    """Mark an enemy unit for the artillery."""

    unit: int
    target: int


class EndMarks(Action, frozen=True):
    """Set no further marks."""


def why_no_mark(t: Battle, side: int, unit: int, target: int) -> Refusal | None:
    """Why a unit cannot mark this enemy, None where it can."""
    if not 0 <= unit < len(t.units) or t.units[unit].side != side or not t.units[unit].models:
        return NOT_YOURS.refuses(True, unit=t.called(unit) if 0 <= unit < len(t.units) else "That")
    u = t.units[unit]
    kind = kind_of(t, unit)
    found = (
        CANNOT_MARK.refuses(not kind.marks or not u.deployed, who=kind.title)
        or MARK_ONCE.refuses(u.marking >= 0, unit=t.called(unit))
        or MARK_LOCKED.refuses(bool(u.locked), unit=t.called(unit))
        or MARK_LEFT.refuses(u.disengaged, unit=t.called(unit))
    )
    if found is not None:
        return found
    if not 0 <= target < len(t.units):
        return MARK_FRIEND.refuses(True, target="That")
    e = t.units[target]
    cp = t.armies[side].cp
    found = MARK_FRIEND.refuses(e.side == side or not e.models or not e.deployed, target=t.called(target))
    if found is None and not within(t, unit, target, MARK_RANGE):
        found = MARK_TOO_FAR.refuses(True, target=t.called(target), gap=gap(t, unit, target), range=MARK_RANGE)
    return (
        found
        or MARK_UNSEEN.refuses(not sees(t, unit, target), unit=t.called(unit), target=t.called(target))
        or MARK_NO_CP.refuses(cp < 1, price=1, cp=cp)
    )


def may_mark(t: Battle, unit: int) -> bool:
    """Whether a unit can mark at all, were there a target."""
    u = t.units[unit]
    return kind_of(t, unit).marks and u.marking < 0 and not u.locked and not u.disengaged


class MarkOptions(Options):
    """Marks that can be set, and ending."""

    __slots__ = ("side", "t")

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side

    def refusal(self, action: Any) -> Refusal | None:
        """Why not."""
        if isinstance(action, EndMarks):
            return None
        if not isinstance(action, MarkTarget):
            return Refusal(
                code="marks-first", clause="Q-TARGET-3", message="Marks are set first, then targets", nearest=EndMarks()
            )
        found = why_no_mark(self.t, self.side, action.unit, action.target)
        if found is None:
            return None
        near = [a for a in self if isinstance(a, MarkTarget) and a.unit == action.unit]
        return found.towards(near[0] if near else EndMarks())

    def _targets(self, unit: int) -> Iterator[int]:
        """The enemies that a unit able to mark can mark."""
        t = self.t
        for target in t.enemies(self.side):
            if within(t, unit, target, MARK_RANGE) and why_no_mark(t, self.side, unit, target) is None:
                yield target

    def __iter__(self) -> Iterator[MarkTarget | EndMarks]:
        t = self.t
        yield EndMarks()
        if t.armies[self.side].cp > 0:
            for unit in t.in_play(self.side):
                if may_mark(t, unit):
                    for target in self._targets(unit):
                        yield MarkTarget(unit, target)

    def sample(self, dice: Dice) -> MarkTarget | EndMarks:
        """Ending, as likely as any one unit that may mark; else a unit and one of the enemies that it can mark."""
        t = self.t
        able = [u for u in t.in_play(self.side) if may_mark(t, u)] if t.armies[self.side].cp > 0 else []
        if dice.below(1 + len(able)):
            while able:
                unit = able.pop(dice.below(len(able)))
                targets = tuple(self._targets(unit))
                if targets:
                    return MarkTarget(unit, targets[dice.below(len(targets))])
        return EndMarks()


class Marks(Offered, frozen=True, kw_only=True):
    """Mark targets for the artillery?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "Q-MARK-4")
    hint: ClassVar[str] = (
        "A mark costs 1 CP and one die of the marking unit's own shot. With marks artillery can kill vehicles: up to "
        "three marks from different units count."
    )
    opens: ClassVar[tuple[str, str]] = ("marks", "mark a target")

    def options(self, t: Battle) -> MarkOptions:
        """Each unit that can mark, with each enemy that it sees within 30 cm."""
        return MarkOptions(t, self.side)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"{t.armies[self.side].name}: mark targets for the artillery?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Marks with their price, and ending."""
        found = []
        for a in MarkOptions(t, self.side):
            if isinstance(a, MarkTarget):
                found.append(
                    Offer(
                        action=a,
                        words=f"Mark {t.called(a.target)}",
                        group=t.called(a.unit),
                        unit=a.unit,
                        target=a.target,
                        price=(Term(1, "CH-MARK-05", "marking a target"),),
                    )
                )
        return (*found, Offer(action=EndMarks(), words="No further marks", final=True))
