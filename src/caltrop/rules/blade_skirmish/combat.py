"""Combat: every model in contact attacks an enemy whom she touches, all at the same time (BS-CMB)."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class Combat(Procedure):
    """The combat that closes a side's turn; all sides strike in it."""

    side: int
    """Whose turn it is: that side's attacks are resolved first (BS-Q31)."""

    @step("BS-CMB-01")
    def strike(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
