"""The movement phase of a player's fighter: walk, stay, or take to flight."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class Movement(Procedure):
    """The movement phase of a player's fighter."""

    fighter: int

    @step("BS-MOV-01")
    def move(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
