"""The pairs of a tournament: all against all, or by the Swiss system."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

P = TypeVar("P", bound=str)

BYE = ""
"""The missing opponent in a pair, if the number of players is odd."""

TRIES = 20_000
"""Number of pairings to try before two players may meet again."""

Pair = tuple[str, str]


def all_against_all(players: Sequence[str]) -> list[list[Pair]]:
    """Return the rounds in which everybody meets everybody once, by the circle method; sides alternate."""
    circle = [*players, *([BYE] if len(players) % 2 else [])]
    rounds = []
    for number in range(len(circle) - 1):
        pairs = [(circle[i], circle[-1 - i]) for i in range(len(circle) // 2)]
        # All players except the first move around the circle. Places on the circle alternate between the sides.
        rounds.append([(b, a) if (i or number) % 2 else (a, b) for i, (a, b) in enumerate(pairs)])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def swiss(
    players: Sequence[str],
    points: Mapping[str, float],
    met: Collection[Pair],
    byes: Collection[str] = (),
) -> list[Pair]:
    """Return a round of the Swiss system: players with similar points meet, and never twice.

    Args:
        players: The remaining players, the strongest first.
        met: The pairs of earlier rounds, in the order of the sides.
        byes: Players who have had a round without an opponent.
    """
    ranked = sorted(players, key=lambda one: (-points.get(one, 0.0), players.index(one)))
    games = {frozenset(pair) for pair in met}
    frees: list[list[str]] = [[]]
    if len(ranked) % 2:
        # The last player without an earlier bye gets the bye; an earlier player gets it if the others could not be
        # paired then.
        frees = [[one] for one in reversed(ranked) if one not in byes] or [[ranked[-1]]]
    choices = [(free, [one for one in ranked if one not in free]) for free in frees]
    left = [TRIES]
    attempts = ((free, _paired(others, games, left)) for free, others in choices)
    free, pairs = next(((free, pairs) for free, pairs in attempts if pairs is not None), (frees[0], None))
    if pairs is None:
        pairs = _paired(choices[0][1], set(), [TRIES]) or []
    firsts = [first for first, _ in met]
    return [*[_in_order(pair, firsts) for pair in pairs], *[(one, BYE) for one in free]]


def _paired(ranked: Sequence[str], games: Collection[frozenset[str]], left: list[int]) -> list[Pair] | None:
    """Pair the first player with the nearest player such that all others can be paired; None if that is impossible."""
    if not ranked:
        return []
    first, *others = ranked
    for number, other in enumerate(others):
        if frozenset((first, other)) in games:
            continue
        left[0] -= 1
        if left[0] < 0:
            return None
        rest = _paired([*others[:number], *others[number + 1 :]], games, left)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _in_order(pair: Pair, firsts: Sequence[str]) -> Pair:
    one, other = pair
    return (other, one) if firsts.count(one) > firsts.count(other) else pair
