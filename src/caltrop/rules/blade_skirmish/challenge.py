"""Quality challenges and quality tests (BS-QUA): numbers that the dice are added to, and who wins."""

from __future__ import annotations

from caltrop.engine import End, Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class QualityTest(Procedure, kw_only=True):
    """A fighter takes a quality test; ends with True where she passes."""

    fighter: int
    words: str
    """What it is for, as in `to stop fleeing`."""

    @step("BS-QUA-04")
    def throw(self, t: Skirmish) -> End:
        """To be written."""
        raise NotImplementedError
