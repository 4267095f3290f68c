"""The automated models: which of them acts next, and her movement, charge and run (BS-AUT, BS-AMV, BS-ACH, BS-ARN)."""

from __future__ import annotations

from caltrop.engine import End, Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class NextToAct(Procedure):
    """Which automated model of a side acts next; ends with her id, or with None where all have gone."""

    side: int

    @step("BS-Q30")
    def find(self, t: Skirmish) -> End:
        """Not written yet."""
        return End()


class Automated(Procedure):
    """One automated model goes through movement, charge and run."""

    fighter: int

    @step("BS-AUT-02")
    def act(self, t: Skirmish) -> End:
        """Not written yet."""
        return End()
