"""Morale: target numbers, units that need no check, and the checks after an attack (SQ-ORG-22 to 29).

The rules take plain values; procedures that roll follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from caltrop.chance import SUM, RollReading, counted
from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.rules.squad_action.records import Firefight

FACES = range(1, 7)


# --- a check ----------------------------------------------------------------------------------------------------------


@rule("SQ-ORG-22", "SQ-Q06", stages=("house",))
def dice_of_a_check(b: HasBook) -> int:
    return 1


@dice_of_a_check.amended_by("SQ-Q06", stage="house", house={"leadership_die": "2d6_under"})
def a_check_of_two_dice(dice: int, b: HasBook) -> int:
    """House rule: a check is a roll of two dice, whose sum must not exceed the leadership."""
    return 2


@rule("SQ-Q57", stages=("house",))
def natural(b: HasBook, face: int) -> bool | None:
    return False if face == 1 else None


@natural.amended_by("SQ-Q57", stage="house", house={"morale_natural_six": "on"})
def a_six_always_passes(value: bool | None, b: HasBook, face: int) -> bool | None:
    """House rule: a natural 6 always passes."""
    return True if face == 6 else value


@rule("SQ-ORG-22", "SQ-Q06", "SQ-Q07")
def passes(b: HasBook, faces: Sequence[int], morale: int, parts: Sum) -> bool:
    """A check succeeds if the die with its modifiers reaches Morale. Two dice must not exceed the leadership."""
    if len(faces) == 2:
        return sum(faces) <= leadership(morale) + total(parts)
    (face,) = faces
    decided = natural(b, face)
    return face + total(parts) >= morale if decided is None else decided


def leadership(morale: int) -> int:
    """Return the leadership for a Morale value, if checks use two dice: 9 for 2+, 8 for 3+, and so on (SQ-Q06)."""
    return 11 - morale


def needs(b: HasBook, morale: int) -> str:
    """Return the target of a check in words, such as `3+`, or `8 or less` for two dice."""
    return f"{leadership(morale)} or less" if dice_of_a_check(b) == 2 else f"{morale}+"


def against(b: HasBook, morale: int, added: int = 0) -> str:
    """Return the value that a check is compared with, in words: `morale 3+`, or `leadership 8` for two dice.

    With two dice the modifiers change the leadership, as in `leadership 8 -1` (SQ-Q06).
    """
    if dice_of_a_check(b) == 1:
        return f"morale {morale}+"
    return f"leadership {leadership(morale)}" + (f" {added:+d}" if added else "")


def added_to_dice(b: HasBook, added: int) -> str:
    """Return the modifier of a morale check in words; empty if the check has two dice."""
    return f" {added:+d}" if added and dice_of_a_check(b) == 1 else ""


def ways_to_pass(b: HasBook, morale: int, parts: Sum) -> tuple[int, int]:
    if dice_of_a_check(b) == 2:
        return sum([passes(b, (x, y), morale, parts) for x in FACES for y in FACES]), 36
    return sum([passes(b, (x,), morale, parts) for x in FACES]), 6


def reading_of_a_check(b: HasBook, morale: int, parts: Sum) -> RollReading:
    """Return how a check's dice are read: as the sum of two dice, or as one die that passes or fails."""
    if dice_of_a_check(b) == 2:
        return SUM
    return counted([face for face in FACES if passes(b, (face,), morale, parts)])


def chance_to_pass(b: HasBook, morale: int, parts: Sum) -> Fraction:
    return Fraction(*ways_to_pass(b, morale, parts))


@rule("SQ-S21", stages=("house",))
def officer_adds(b: HasBook, officer: bool) -> Sum:
    return (Term(1, "SQ-S21", "An Officer is near"),) if officer else ()


@officer_adds.amended_by("SQ-S21", stage="house", house={"officer_bonus": "off"})
def officers_do_not_help(parts: Sum, b: HasBook, officer: bool) -> Sum:
    """House rule: an Officer gives no modifier."""
    return ()


# --- tests that an attack causes --------------------------------------------------------------------------------------


@rule("SQ-SHO-07", "SQ-ORG-23", "SQ-S20", "SQ-Q09", stages=("flame", "flyer", "officer"))
def to_stand(b: HasBook, casualties: int, flame: bool, flyer: bool, officer: bool) -> Sum:
    """A pinning check has a modifier of -1 for each casualty of the attack."""
    return (Term(-casualties, "SQ-SHO-07", "Casualties of this attack"),) if casualties else ()


@to_stand.amended_by("SQ-WPN-02", "SQ-Q15", stage="flame")
def flames_are_terrifying(parts: Sum, b: HasBook, casualties: int, flame: bool, flyer: bool, officer: bool) -> Sum:
    """A flamethrower gives a modifier of -1."""
    return (*parts, Term(-1, "SQ-WPN-02", "Flamethrower")) if flame else parts


@to_stand.amended_by("SQ-ORG-62", stage="flyer")
def flyers_are_terrifying(parts: Sum, b: HasBook, casualties: int, flame: bool, flyer: bool, officer: bool) -> Sum:
    """Fire from a flyer gives a modifier of -1."""
    return (*parts, Term(-1, "SQ-ORG-62", "Attacked by a flyer")) if flyer else parts


@to_stand.amended_by("SQ-S21", stage="officer")
def an_officer_steadies_them(parts: Sum, b: HasBook, casualties: int, flame: bool, flyer: bool, officer: bool) -> Sum:
    return (*parts, *officer_adds(b, officer))


@rule("SQ-ORG-27", "SQ-ORG-28", "SQ-Q16", stages=("fearless", "house"))
def must_test_to_break(b: HasBook, starting: int, left: int, lost: int, traits: Sequence[str]) -> bool:
    """A unit that has lost more than half its models takes a break test at each further loss."""
    return lost > 0 and 2 * (starting - left) > starting


@must_test_to_break.amended_by("SQ-TRT-05", "SQ-Q35", stage="fearless")
def the_fearless_never_break(
    value: bool, b: HasBook, starting: int, left: int, lost: int, traits: Sequence[str]
) -> bool:
    """A Fearless unit takes no break test."""
    return value and "fearless" not in traits


@must_test_to_break.amended_by("SQ-Q16", stage="house", house={"break_at_half": "off"})
def losses_break_nobody(value: bool, b: HasBook, starting: int, left: int, lost: int, traits: Sequence[str]) -> bool:
    """House rule: losses cause no break tests."""
    return False


@rule("SQ-ORG-27", "SQ-Q16", stages=("house",))
def breaking_removes(b: HasBook) -> bool:
    """A unit that fails its break test is removed."""
    return True


@breaking_removes.amended_by("SQ-Q16", stage="house", house={"break_result": "fall_back"})
def broken_units_fall_back(value: bool, b: HasBook) -> bool:
    return False


@rule("SQ-ORG-29", "SQ-Q53", stages=("fearless",))
def last_model_leaves(b: HasBook, starting: int, left: int, traits: Sequence[str]) -> bool:
    """A single last model is removed, unless the unit began with one model."""
    return left == 1 and starting > 1


@last_model_leaves.amended_by("SQ-TRT-05", "SQ-Q35", stage="fearless")
def the_last_fearless_model_stays(value: bool, b: HasBook, starting: int, left: int, traits: Sequence[str]) -> bool:
    return value and "fearless" not in traits


@rule("SQ-SHO-06", "SQ-ORG-24", "SQ-TRT-16", stages=("flame",))
def must_check_pinning(b: HasBook, hit: bool, flame: bool) -> bool:
    """A unit that was hit takes a pinning check, even if all hits were saved, for each attack. Resolute units take
    these checks too.
    """
    return hit


@must_check_pinning.amended_by("SQ-WPN-02", "SQ-Q15", stage="flame")
def flames_need_not_hit(value: bool, b: HasBook, hit: bool, flame: bool) -> bool:
    """A unit attacked with a flamethrower takes a pinning check even if it was not hit."""
    return value or flame


class Squad(NamedTuple):
    """The values of a unit that matter to its checks."""

    starting: int
    left: int
    """Models left after the attack."""
    morale: int
    traits: tuple[str, ...] = ()
    officer: bool = False
    """True if an unpinned Officer of the unit's side is nearby."""
    broken: bool = False
    """True if the unit is Broken; a Broken unit is never Pinned (SQ-S23)."""


class Checks(NamedTuple):
    """The checks that a unit has to take after an attack, in the order of SQ-Q53."""

    gone: bool
    """True if no model is left, or the last model is removed."""
    breaking: Sum | None
    """Modifiers of the break test; None if no test is due."""
    pinning: Sum | None
    """Modifiers of the pinning check; None if no check is due."""


@rule("SQ-Q53", "SQ-S23")
def checks_due(b: HasBook, squad: Squad, lost: int, hit: bool, flame: bool, flyer: bool) -> Checks:
    """After an attack, a last model is removed, then comes one break test, then one pinning check.

    Args:
        squad: The unit after the attack.
    """
    if squad.left == 0 or last_model_leaves(b, squad.starting, squad.left, squad.traits):
        return Checks(True, None, None)
    breaking = must_test_to_break(b, squad.starting, squad.left, lost, squad.traits)
    pinning = must_check_pinning(b, hit, flame) and not squad.broken
    return Checks(
        False,
        officer_adds(b, squad.officer) if breaking else None,
        to_stand(b, lost, flame, flyer, squad.officer) if pinning else None,
    )


# --- un-pinning -------------------------------------------------------------------------------------------------------


def _traits(t: Firefight, unit: int) -> tuple[str, ...]:
    return t.units[unit].traits


@rule("SQ-ORG-25", "SQ-S22", stages=("traits",), traits=_traits)
def must_roll(t: Firefight, unit: int) -> bool:
    """Rallying and regrouping need a check."""
    return True


@must_roll.amended_by("SQ-TRT-15", stage="traits", trait="resolute")
def the_resolute_need_not(value: bool, t: Firefight, unit: int) -> bool:
    """Resolute units rally without a roll."""
    return False
