"""The effects of an attack on morale: the break test, the pinning check, and the removal of a last model."""

from __future__ import annotations

from caltrop.chance import Pool, Roll
from caltrop.engine import (
    End,
    Go,
    Procedure,
    Run,
    Throw,
    step,
)
from caltrop.rules.squad_action.broken import FallBack
from caltrop.rules.squad_action.casualties import LAST_MODEL, MoraleChecked, destroy, morale_of, pin
from caltrop.rules.squad_action.morale import (
    Checks,
    Squad,
    breaking_removes,
    checks_due,
    dice_of_a_check,
    passes,
    reading_of_a_check,
)
from caltrop.rules.squad_action.places import officer_near
from caltrop.rules.squad_action.records import Firefight


class AfterAttack(Procedure):
    """The effects of an attack on soldiers' morale: removal of a last model, break test, pinning check (SQ-Q53)."""

    unit: int
    lost: int
    hit: bool
    flame: bool = False
    flyer: bool = False
    officer: bool = False

    @step("SQ-ORG-29", "SQ-Q53", "SQ-S21")
    def last_model(self, t: Firefight) -> End | None:
        if t.units[self.unit].where != "table":
            return End()
        self.officer = officer_near(t, self.unit)
        if self._due(t).gone:
            left = len(t.units[self.unit].models)
            destroy(t, self.unit, LAST_MODEL if left else "is destroyed")
            return End()
        return None

    @step("SQ-ORG-27", "SQ-ORG-28")
    def break_test(self, t: Firefight) -> Throw | Go:
        if self._due(t).breaking is None:
            return Go("pinning")
        u = t.units[self.unit]
        reads = reading_of_a_check(t, morale_of(t, self.unit), self._due(t).breaking or ())
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=f"Break test of {u.name}")

    @step("SQ-ORG-27", "SQ-ORG-28", "SQ-Q16", "SQ-S21")
    def break_or_stay(self, t: Firefight, roll: Roll) -> Run | None:
        parts = self._due(t).breaking or ()
        morale = morale_of(t, self.unit)
        passed = passes(t, roll, morale, parts)
        t.tell(MoraleChecked(self.unit, roll, parts, morale, passed, "break test", "SQ-ORG-27"))
        return None if passed else Run(Breaks(unit=self.unit))

    @step("SQ-SHO-06", "SQ-WPN-02")
    def pinning(self, t: Firefight) -> Throw | End:
        u = t.units[self.unit]
        if u.where != "table" or self._due(t).pinning is None:
            return End()
        reads = reading_of_a_check(t, morale_of(t, self.unit), self._due(t).pinning or ())
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=f"Pinning check of {u.name}")

    @step("SQ-SHO-06", "SQ-SHO-07", "SQ-ORG-23", "SQ-S20", "SQ-WPN-02", "SQ-ORG-62")
    def pinned_or_not(self, t: Firefight, roll: Roll) -> None:
        parts = self._due(t).pinning or ()
        morale = morale_of(t, self.unit)
        passed = passes(t, roll, morale, parts)
        t.tell(MoraleChecked(self.unit, roll, parts, morale, passed, "pinning check", "SQ-SHO-06"))
        if not passed:
            pin(t, self.unit)

    def _due(self, t: Firefight) -> Checks:
        u = t.units[self.unit]
        squad = Squad(u.starting, len(u.models), morale_of(t, self.unit), u.traits, self.officer, u.broken)
        return checks_due(t, squad, self.lost, self.hit, self.flame, self.flyer)


class Breaks(Procedure):
    """A unit breaks: it falls back or is removed (SQ-Q16)."""

    unit: int

    @step("SQ-ORG-27", "SQ-Q16", "SQ-S23")
    def go(self, t: Firefight) -> Run | End:
        """A broken unit falls back, or is removed by the house rule."""
        if breaking_removes(t):
            destroy(t, self.unit, "breaks")
            return End()
        return Run(FallBack(unit=self.unit))

    @step("SQ-S23")
    def gone(self, t: Firefight) -> None: ...
