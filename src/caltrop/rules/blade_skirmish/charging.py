"""The charging phase of a player's fighter: an enemy in sight and near has to be charged."""

from __future__ import annotations

from caltrop.engine import Procedure, step
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish.skirmish import Skirmish


def in_charge_range(t: Skirmish, id: int) -> tuple[int, ...]:
    """The enemies whom a fighter sees no more than 4 inches away, fit or not, in order (BS-CHG-02, BS-ACH-02)."""
    raise NotImplementedError


def straight_charge(t: Skirmish, id: int, target: int) -> Point | None:
    """Where a straight charge ends in contact, her own place where she touches her already; None where none does."""
    raise NotImplementedError


class Charging(Procedure):
    """The phase; ends with True where she has acted in it."""

    fighter: int

    @step("BS-CHG-01")
    def charge(self, t: Skirmish) -> None:
        """To be written."""
        raise NotImplementedError
