"""Goals: how a skirmish is won and lost, and what a model who has moved may come by: a relic, or a way out."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class AfterMove(Procedure):
    """What a model comes by at the end of a move, a charge or a run; `Run` wherever one has ended."""

    fighter: int

    @step("BS-S52", "BS-S53")
    def look(self, t: Skirmish) -> None:
        """A relic, or a way out."""
