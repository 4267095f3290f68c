"""The running phase: the drift of the stunned, the test that ends a flight, and a further 4 inches for the rest."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class Drift(Procedure):
    """A stunned fighter goes a die's inches wherever a clock face points, and is stunned no more (also automated)."""

    fighter: int

    @step("BS-RUN-01")
    def drift(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError


class FlightTest(Procedure):
    """A fleeing fighter takes a quality test to come to her senses; a player may fail it, or pass far from enemies."""

    fighter: int

    @step("BS-RUN-05")
    def test(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError


class AutomatedFlightTest(FlightTest):
    """The same for an automated fighter, who does not choose: far from enemies she passes."""


class Running(Procedure):
    """The running phase of a player's fighter."""

    fighter: int
    acted: bool = False
    """Whether she has acted in the charging phase."""

    @step("BS-RUN-08")
    def run(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
