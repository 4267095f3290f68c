"""How a fighter dies (BS-FAT): trophies, slippery floors, second attacks, the move through her place, terror."""

from __future__ import annotations

from caltrop.rules.blade_skirmish.skirmish import Skirmish


def slips(t: Skirmish, fighter: int) -> bool:
    """Stun a fighter who starts a phase within 2 inches of a disembowelled one; tells whether she is there (BS-FAT-03)."""
    return False


def end_trophies(t: Skirmish, side: int) -> None:
    """At the end of a side's turn those who have taken their trophy in it are free again (BS-FAT-01, BS-Q24)."""
