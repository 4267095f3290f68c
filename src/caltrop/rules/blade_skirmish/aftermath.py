"""What blows come to: tokens, removals and kills together, then the tests of the terrified, then moves (BS-Q44)."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class Aftermath(Procedure, kw_only=True):
    """The results of blows that count together: those of one combat, or the automatic hits of one flight or drift."""

    blows: tuple[object, ...]

    @step("BS-Q44")
    def apply(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
