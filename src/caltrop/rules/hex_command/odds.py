"""The exact odds of an attack, computed from all results of its dice and shields (`attack.chances`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine import Book, total
from caltrop.engine.known import known_odds
from caltrop.engine.sequence import InOrder
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice
from caltrop.rules.hex_command.attack import (
    Ending,
    Profile,
    battle_dice,
    ended,
    left_of,
    shield_dice,
)
from caltrop.rules.hex_command.attack.chances import rolled, saved
from caltrop.rules.hex_command.catalogue import battle_die
from caltrop.rules.hex_command.requests import asked


def _fold(book: Book, p: Profile) -> Distribution[Ending]:
    shields: dict[int, Distribution[int]] = {}
    # Rolls without a hit need no shield dice. Every weight is scaled to the same denominator.
    whole = len(battle_die(book)) ** total(shield_dice(book, p))
    left: dict[tuple[int, bool, int], int] = {}
    for (hits, led, retreats), weight in rolled(book, p).items():
        ways = shields.get(hits.total)
        if ways is None:
            ways = shields[hits.total] = saved(book, p, hits.total)
        scale = whole // ways.total
        for cancelled, orders in ways.weights():
            key = (left_of(book, p.target, hits, cancelled), led, retreats)
            left[key] = left.get(key, 0) + weight * orders * scale
    merged: dict[Ending, int] = {}
    for key, weight in left.items():
        end = ended(book, p, *key)
        merged[end] = merged.get(end, 0) + weight
    return Distribution(merged).sorted(key=lambda e: (e.strength, e.leader_lost, e.retreat))


def chances(book: Book, p: Profile) -> Distribution[Ending]:
    """Return the exact odds of an attack on a target that ignores as many Retreat symbols as it may.

    Answers are cached in memory and on disk, for all books with the same house rules.

    Args:
        book: Edition and house rules.
        p: The attack, which must be legal.

    Returns:
        The odds of strength left, leader lost and hexes fallen back, in ascending order.
    """
    odds = known_odds("attack", book, Ending, __package__)
    distribution = odds.get(p)
    if distribution is None:
        distribution = _fold(book, p)
        odds.keep(p, distribution)
    return distribution


# --- requests ---------------------------------------------------------------------------------------------------------


class AttackOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One possible result of an attack, with its probability."""

    strength: int
    leader_lost: bool
    retreat: int
    probability: str
    """Probability as a fraction in lowest terms."""
    p: float
    """Probability as a decimal number."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All possible results of an attack."""

    battle_dice: int
    exact: bool = True
    outcomes: tuple[AttackOutcome, ...]


def outcomes(ends: Distribution[Ending]) -> tuple[AttackOutcome, ...]:
    return tuple(
        AttackOutcome(
            strength=end.strength,
            leader_lost=end.leader_lost,
            retreat=end.retreat,
            probability=fraction(chance),
            p=float(chance),
        )
        for end, chance in ends.items()
    )


def answer(raw: Any) -> OddsAnswer:
    """Return the odds of an attack.

    Raises InputError for an invalid or illegal request.

    Args:
        raw: The request, as plain data, without dice.
    """
    request = asked(raw)
    no_dice(request.request.dice)
    return OddsAnswer(
        battle_dice=total(battle_dice(request.book, request.profile)),
        outcomes=outcomes(chances(request.book, request.profile)),
    )


def _left(request: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the target for the next attack, with its losses and without a fallen leader; None if the target is
    destroyed.
    """
    target = request["target"]
    leader = target.get("leader", False) and not outcome["leader_lost"]
    return {**target, "strength": outcome["strength"], "leader": leader} if outcome["strength"] else None


def _together(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the total result of two attacks. Hexes of retreat are added; they are 0 if the unit is destroyed."""
    back = before["retreat"] + after["retreat"] if after["strength"] else 0
    return {**after, "leader_lost": before["leader_lost"] or after["leader_lost"], "retreat": back}


IN_ORDER = InOrder(
    left=_left,
    together=_together,
    sort=lambda o: (o["strength"], o["leader_lost"], o["retreat"]),
    worth=lambda o: (o["strength"], -o["leader_lost"]),
    stays=("terrain",),
    no_room={"void_shields": ("per_turn_pool", "it would have to say which shield dice were rolled before")},
)
"""Rules for a sequence of attacks on one unit, which keeps its remaining strength.

Each attack has its own range.
"""
