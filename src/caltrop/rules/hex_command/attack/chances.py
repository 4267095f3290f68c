"""The effects of battle dice and shield dice, with the weight of each result."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from caltrop.chance import Distribution
from caltrop.engine import Book, total
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import saves, shield_dice
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE, LEADER, RETREAT, TARGET, Hits, reader
from caltrop.rules.hex_command.attack.record import Profile
from caltrop.rules.hex_command.catalogue import SYMBOLS, battle_die


def _rolls(dice: int, weights: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Return every way in which dice can be counted out over symbols, with its weight.

    Args:
        weights: On how many faces of a die each symbol is.
    """
    if len(weights) == 1:
        return [((dice,), weights[0] ** dice)]
    return [
        ((n, *rest), comb(dice, n) * weights[0] ** n * weight)
        for n in range(dice + 1)
        for rest, weight in _rolls(dice - n, weights[1:])
    ]


def rolled(book: Book, p: Profile) -> dict[tuple[Hits, bool, int], int]:
    """Return what the battle dice of an attack hit, whether a Leader symbol is among them, how many Retreat symbols
    are, and the weight of each. Leader symbols that do nothing to this target are left out.
    """
    read, faces = reader(book, p), battle_die(book)
    telling = [RETREAT] if read.own is None else [read.own, RETREAT]
    telling += [TARGET] if read.target else []
    telling += [LEADER] if read.leader or p.target.leader else []
    weights = [faces.count(SYMBOLS[i]) for i in telling]
    apart = p.target.leaders
    merged: dict[tuple[Hits, bool, int], int] = {}
    for roll, weight in _rolls(total(battle_dice(book, p)), (*weights, len(faces) - sum(weights))):
        counts = [0] * len(SYMBOLS)
        for i, n in zip(telling, roll, strict=False):
            counts[i] = n
        i, v, g, led, t, r = counts
        hits = read.hits((i, v, g, led, t, r))
        # A Leader unit loses models to its own symbol and to others apart; elsewhere hits are hits.
        key = (hits if apart else Hits(own=hits.total), led > 0, r)
        merged[key] = merged.get(key, 0) + weight
    return merged


def saved(book: Book, p: Profile, hits: int) -> dict[int, int]:
    """Return the odds of the number of hits that the target's shields cancel; nothing if none is rolled."""
    dice = total(shield_dice(book, p)) if hits else 0
    if not dice:
        return {0: 1}
    faces = battle_die(book)
    good = faces.count(SYMBOLS[GOD_MACHINE])
    merged: dict[int, int] = {}
    for n in range(dice + 1):
        cancelled = saves(book, hits, (0, 0, n, 0, 0, 0))
        merged[cancelled] = merged.get(cancelled, 0) + comb(dice, n) * good**n * (len(faces) - good) ** (dice - n)
    return merged


def hits_before_shields(book: Book, p: Profile) -> Distribution[int]:
    return Distribution([(hits.total, weight) for (hits, _, _), weight in rolled(book, p).items()])


def expected_hits(book: Book, p: Profile) -> Fraction:
    """Return the mean number of hits of the battle dice, before shields."""
    return hits_before_shields(book, p).expected(lambda hits: hits)
