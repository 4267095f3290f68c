"""Injury rolls: what a hit comes to (BS-INJ), and the blows that wait until their results are applied."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class InjuryRoll(Procedure, kw_only=True):
    """A fighter rolls on the injury table for a hit by another.

    It throws and tells, and ends with every blow so far, `before` included. Nothing is applied yet: whoever has
    gathered all the blows that count together runs `aftermath.Aftermath(blows=…)` on them.
    """

    victim: int
    by: int
    strike: bool = False
    """Whether it is a strike of the combat step; automatic hits are none."""
    before: tuple[object, ...] = ()
    """The blows that count together with this one, as the last procedure of this kind has ended with them."""

    @step("BS-CMB-07")
    def throw(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
