"""Rolls told die by die, with what was to be expected of them: how the events of this game make their readings.

Nothing here decides anything: it is asked for when something that has happened is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from caltrop.engine import Sum
from caltrop.picture import DieRead, Reason, Tally


def reasons(parts: Sum) -> tuple[Reason, ...]:
    """The parts of a number as they are shown."""
    return tuple([Reason(term.value, term.clause, term.words) for term in parts])


def tally(side: int, label: str, got: int, mean: Fraction) -> Tally:
    """What a roll gave, and the mean that was to be expected."""
    return Tally(side=side, label=label, got=got, expected=f"{mean.numerator}/{mean.denominator}", mean=float(mean))


def dice_read(faces: Sequence[int], needed: int, result: str, before: Sequence[int] = ()) -> tuple[DieRead, ...]:
    """Dice that had to reach a number.

    Args:
        faces: What they show.
        needed: What each had to reach.
        result: What a die that does counts for.
        before: What they showed before 1s were thrown again; empty where none were.
    """
    return tuple(
        [
            DieRead(
                face=face,
                was=before[n] if before and before[n] != face else None,
                result=result if face >= needed else "",
            )
            for n, face in enumerate(faces)
        ]
    )


def chance_of(needed: int, reroll: bool = False) -> Fraction:
    """How likely one die reaches a number, where 1s are thrown again or not.

    >>> chance_of(4), chance_of(4, True), chance_of(7)
    (Fraction(1, 2), Fraction(7, 12), Fraction(0, 1))
    """
    ways = min(max(7 - needed, 0), 6)
    return Fraction(ways * 7, 36) if reroll else Fraction(ways, 6)
