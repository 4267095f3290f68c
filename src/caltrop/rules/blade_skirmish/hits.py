"""Automatic hits: enemies who strike without a challenge whoever runs into them or cannot get away."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class AutomaticHits(Procedure):
    """Every attacker inflicts one injury roll on a fighter; all of them are rolled (BS-Q44)."""

    victim: int
    attackers: tuple[int, ...]

    @step("BS-Q22")
    def hit(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
