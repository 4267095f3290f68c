"""The possible effects of battle dice and shield dice, with weights."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from caltrop.chance import Distribution, RollReading
from caltrop.engine import Book, total
from caltrop.kit.numbers import binomial
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import saves, shield_dice
from caltrop.rules.hex_command.attack.reading import (
    GOD_MACHINE,
    LEADER,
    RETREAT,
    Counts,
    Hits,
    count,
    reader,
    reading_of_attack,
)
from caltrop.rules.hex_command.attack.record import Profile
from caltrop.rules.hex_command.catalogue import SYMBOLS, Symbol, battle_die


@lru_cache(maxsize=1024)
def _rolls(reads: RollReading, dice: int, faces: tuple[Symbol, ...]) -> tuple[tuple[Counts, int], ...]:
    """Return the counts of symbols for each class of rolls with the same reading, with weights."""
    rolls, _ = reads.outcomes(dice, len(faces))
    return tuple([(count([faces[face - 1] for face in roll]), weight) for roll, weight in rolls])


def rolled(book: Book, p: Profile) -> dict[tuple[Hits, bool, int], int]:
    """Return the possible results of an attack's battle dice, with weights: the hits, whether a Leader symbol matters,
    and the number of Retreat symbols.
    """
    read = reader(book, p)
    matters = read.leader or p.target.leader
    merged: dict[tuple[Hits, bool, int], int] = {}
    for counts, weight in _rolls(reading_of_attack(book, p), total(battle_dice(book, p)), battle_die(book)):
        hits = read.hits(counts)
        # Leader units lose models to their own symbol and to others separately; for other units all hits are alike.
        key = (hits if p.target.leaders else Hits(own=hits.total), matters and counts[LEADER] > 0, counts[RETREAT])
        merged[key] = merged.get(key, 0) + weight
    return merged


def saved(book: Book, p: Profile, hits: int) -> Distribution[int]:
    """Return the odds of the number of hits that the target's shields cancel. Without hits, no shields are rolled."""
    faces = battle_die(book)
    good = Fraction(faces.count(SYMBOLS[GOD_MACHINE]), len(faces))
    dice = total(shield_dice(book, p)) if hits else 0
    return binomial(dice, good).map(lambda shown: saves(book, hits, (0, 0, shown, 0, 0, 0)))


def hits_before_shields(book: Book, p: Profile) -> Distribution[int]:
    return Distribution([(hits.total, weight) for (hits, _, _), weight in rolled(book, p).items()])


def expected_hits(book: Book, p: Profile) -> Fraction:
    """Return the mean number of hits of the battle dice, before shields."""
    return hits_before_shields(book, p).expected(lambda hits: hits)
