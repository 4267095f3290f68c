"""The exact odds of one attack, folded over how often each symbol is rolled.

Everything about the rules is asked of the attack core; here is only the counting. Of the six symbols only those are
told apart that do something to this target. Rolls that hit as often, with as many Retreat symbols, are taken together,
and shields are counted for each number of hits once.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine import Book, total
from caltrop.engine.known import known_odds
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice
from caltrop.rules.hex_command.attack import (
    Ending,
    Hits,
    Profile,
    battle_dice,
    ended,
    left_of,
    reader,
    saves,
    shield_dice,
)
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE, LEADER, RETREAT, TARGET
from caltrop.rules.hex_command.catalogue import SYMBOLS, battle_die
from caltrop.rules.hex_command.requests import asked


def _rolls(dice: int, weights: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Every way in which dice can be counted out over symbols, with its weight.

    Args:
        dice: How many dice.
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
    """What the battle dice of an attack hit, whether a Leader symbol is among them, how many Retreat symbols are, and
    the weight of each. Where Leader symbols do nothing to this target, they are not told.
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
    """How many of so many hits the target's shields cancel, with the weight of each; nothing where none is rolled."""
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


def _fold(book: Book, p: Profile) -> Distribution[Ending]:
    shields: dict[int, dict[int, int]] = {}
    # Rolls without a hit meet no shields: everything is brought to one denominator.
    whole = len(battle_die(book)) ** total(shield_dice(book, p))
    left: dict[tuple[int, bool, int], int] = {}
    for (hits, led, retreats), weight in rolled(book, p).items():
        ways = shields.get(hits.total)
        if ways is None:
            ways = shields[hits.total] = saved(book, p, hits.total)
        scale = whole // sum(ways.values())
        for cancelled, orders in ways.items():
            key = (left_of(book, p.target, hits, cancelled), led, retreats)
            left[key] = left.get(key, 0) + weight * orders * scale
    merged: dict[Ending, int] = {}
    for key, weight in left.items():
        end = ended(book, p, *key)
        merged[end] = merged.get(end, 0) + weight
    return Distribution(merged).sorted(key=lambda e: (e.strength, e.leader_lost, e.retreat))


def chances(book: Book, p: Profile) -> Distribution[Ending]:
    """What an attack can end in, exactly, where the target ignores every Retreat symbol that it may.

    Answers are kept, for all books with the same house rules together and for the next program, so that asking again
    costs a look-up.

    Args:
        book: The house rules in force.
        p: The attack; that it may be made is the caller's business.

    Returns:
        Strength left, leader lost and hexes fallen back, in ascending order.
    """
    known = known_odds("attack", book, Ending, __package__)
    found = known.get(p)
    if found is None:
        found = _fold(book, p)
        known.keep(p, found)
    return found


def expected_hits(book: Book, p: Profile) -> Fraction:
    """The mean number of hits of the battle dice, before shields."""
    weights = rolled(book, p)
    return Fraction(sum([hits.total * weight for (hits, _, _), weight in weights.items()]), sum(weights.values()))


def expected_saves(book: Book, p: Profile, hits: int) -> Fraction:
    """The mean number of hits, of so many, that shields cancel."""
    weights = saved(book, p, hits)
    return Fraction(sum([n * weight for n, weight in weights.items()]), sum(weights.values()))


# --- requests ---------------------------------------------------------------------------------------------------------


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the attack can end, and how likely it is."""

    strength: int
    leader_lost: bool
    retreat: int
    probability: str
    """The chance as a fraction in lowest terms."""
    p: float
    """The chance, rounded."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an attack can end in."""

    battle_dice: int
    exact: bool = True
    outcomes: tuple[Outcome, ...]


def outcomes(ends: Distribution[Ending]) -> tuple[Outcome, ...]:
    """A distribution as it is told."""
    return tuple(
        Outcome(
            strength=end.strength,
            leader_lost=end.leader_lost,
            retreat=end.retreat,
            probability=fraction(chance),
            p=float(chance),
        )
        for end, chance in ends.items()
    )


def answer(raw: Any) -> OddsAnswer:
    """The odds of one attack.

    Args:
        raw: The request, as plain data, without dice.

    Raises:
        InputError: for a request that cannot be read or is illegal.
    """
    found = asked(raw)
    no_dice(found.request.dice)
    return OddsAnswer(
        battle_dice=total(battle_dice(found.book, found.profile)),
        outcomes=outcomes(chances(found.book, found.profile)),
    )
