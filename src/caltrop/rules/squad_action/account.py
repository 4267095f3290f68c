"""Dice in words: rolls that were made, die by die with their expected values, and dice that are still to be thrown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from caltrop.engine import Sum, Term
from caltrop.engine.forecast import many_dice
from caltrop.engine.form import DiceSum
from caltrop.engine.rule import HasBook
from caltrop.picture import DieRead
from caltrop.rules.squad_action.catalogue import NO_SAVE
from caltrop.rules.squad_action.fire import Save
from caltrop.rules.squad_action.morale import Squad, checks_due, dice_of_a_check

# --- rolled dice ------------------------------------------------------------------------------------------------------


def dice_read(faces: Sequence[int], needed: int, result: str, before: Sequence[int] = ()) -> tuple[DieRead, ...]:
    """Return the reading of dice that had to reach a number.

    Args:
        before: The faces before 1s were rerolled; empty without rerolls.
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
    """Return the probability that one die reaches a number. With *reroll*, 1s are rerolled.

    >>> chance_of(4), chance_of(4, True), chance_of(7)
    (Fraction(1, 2), Fraction(7, 12), Fraction(0, 1))
    """
    ways = min(max(7 - needed, 0), 6)
    return Fraction(ways * 7, 36) if reroll else Fraction(ways, 6)


# --- dice to throw ----------------------------------------------------------------------------------------------------


def lowered(parts: Sum) -> Sum:
    """Return modifiers of a die as changes of the number that it must reach."""
    return tuple([Term(-p.value, p.clause, p.words) for p in parts])


def shots_thrown(what: str, models: int, shots: int, needed: int, fire: int, parts: Sum, reroll: bool) -> DiceSum:
    """Return the dice of shots with the same target number.

    Args:
        what: The weapons, such as `7 rifles`.
        shots: Number of shots of each weapon; 0 if it is rolled.
        reroll: True if 1s are rerolled.
    """
    dice = many_dice(models * shots) if shots else f"{many_dice(models)} for the number of its shots"
    again = ", 1s thrown again" if reroll else ""
    value = Term(fire, "SQ-SHO-04", "Fire value")
    return DiceSum(words=f"{what}: {dice}, each needs {needed}+{again}", parts=(value, *lowered(parts)))


def saves_thrown(saves: Sequence[Save], ignore: int = NO_SAVE) -> tuple[DiceSum, ...]:
    """Return the saving throws against hits.

    Args:
        saves: The saves in order; empty if no save is possible.
        ignore: Lowest roll that ignores an unsaved wound; 7 for none.
    """
    sums = [DiceSum(words=f"{s.words}, a die for each hit", parts=(Term(s.needed, s.clause, s.words),)) for s in saves]
    if ignore < NO_SAVE:
        part = Term(ignore, "SQ-TRT-06", "Gene Enhanced")
        sums.append(DiceSum(words=f"Ignored wounds: {ignore}+, one die for each unsaved wound", parts=(part,)))
    return tuple(sums)


def checks_thrown(b: HasBook, squad: Squad, most: int, hit: bool, flame: bool, flyer: bool) -> tuple[DiceSum, ...]:
    """Return the dice of the pinning and morale checks that a unit may have to roll after an attack.

    Args:
        b: Holder of the house rules in force.
        squad: The unit before the attack.
        hit: True if a hit is certain, so that a pinning check is certain too.
    """
    dice = many_dice(dice_of_a_check(b))
    morale = Term(squad.morale, "SQ-ORG-22", "Morale")
    every = [(n, checks_due(b, squad._replace(left=squad.left - n), n, True, flame, flyer)) for n in range(most + 1)]
    sums = []
    breaking = next(((n, due.breaking) for n, due in every if due.breaking is not None), None)
    if breaking is not None:
        words = f"Break test if {breaking[0]} or more fall: {dice}"
        sums.append(DiceSum(words=words, parts=(morale, *lowered(breaking[1] or ()))))
    pinning = next((due.pinning for _, due in every if due.pinning is not None), None)
    if pinning is not None:
        when = "" if hit or flame else " if anything hits"
        words = f"Pinning check{when}: {dice}, 1 more is needed for each casualty"
        sums.append(DiceSum(words=words, parts=(morale, *lowered(pinning))))
    return tuple(sums)
