"""Flight: straight away from the closest enemy, as far as the legs carry and nothing is in the way."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class Flight(Procedure):
    """A fleeing fighter of a player's runs; the player chooses the distance, and whom from where several are closest."""

    fighter: int

    @step("BS-MOV-06")
    def flee(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError


class AutomatedFlight(Flight):
    """A fleeing automated fighter runs: a die for the distance, chance among enemies that are equally close."""
