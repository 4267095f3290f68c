"""The exact odds of the hits that Defence Dice do not cancel, computed from counts of faces (4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from math import comb
from operator import mul
from typing import Literal, NamedTuple

Overkills = int | Literal["best"]
"""Number of pairs of 6s that the attacker combines, or the best number for each roll."""


@cache
def _row(dice: int) -> tuple[int, ...]:
    return tuple([comb(dice, x) for x in range(dice + 1)])


@lru_cache(maxsize=1 << 12)
def _tails(dice: int, others: int) -> tuple[int, ...]:
    """Return the numbers of ways in which at least 0, 1, 2 … of some dice show one face out of 1 + *others*."""
    return tuple(accumulate([n * others**x for x, n in enumerate(_row(dice))]))[::-1]


def _at_least(dice: int, others: int, least: int) -> int:
    return _tails(dice, others)[max(0, least)] if least <= dice else 0


@lru_cache(maxsize=1 << 12)
def _short(dice: int, others: int, slot: int) -> int:
    return sum([n * others**x << slot * x for x, n in enumerate(_row(dice))])


@lru_cache(maxsize=1 << 16)
def hits_left(face: int, dice: int, spare: int, hits: tuple[int, ...], slot: int) -> int:
    """Return the numbers of ways in which 0, 1, 2 … of *hits* remain, packed in slots, out of face ** dice ways.

    Args:
        face: The highest face that the dice can still show.
        spare: Number of unused dice with higher faces.
    """
    total = sum(hits)
    if spare >= total:
        return int(face**dice)
    if not dice:
        return 1 << slot * (total - spare)
    if face == 1:  # every remaining die shows a 1
        return 1 << slot * max(0, total - spare - dice)
    here, below = hits[0], hits[1:]
    if here == total:
        # Each missing die leaves one hit.
        need = here - spare
        if need >= dice:
            return _short(dice, face - 1, slot) << slot * (need - dice)
        return (_short(dice, face - 1, slot) >> slot * (dice - need)) + _at_least(dice, face - 1, need + 1)
    need, spare = (here - spare, 0) if here > spare else (0, spare - here)
    # With this number of dice of the face, no hit remains for lower faces.
    enough = total - here + need - spare
    out = _at_least(dice, face - 1, enough)
    row = _row(dice)
    for x in range(min(need, dice + 1)):
        out += row[x] * hits_left(face - 1, dice - x, 0, below, slot) << slot * (need - x)
    for x in range(need, min(enough, dice + 1)):
        out += row[x] * hits_left(face - 1, dice - x, spare + x - need, below, slot)
    return out


Standing = tuple[int, int, int]
"""Numbers of kills, of pairs at the unit, and of pairs at the drone that were not cancelled."""


class KeptHits(NamedTuple):
    """Kills and pairs that dice with the highest faces do not cancel, with weights."""

    settled: dict[Standing, int]
    """Weights of the results for which stuns do not matter: none can remain, or the unit is destroyed."""
    unsettled: tuple[tuple[Standing, tuple[tuple[int, int], ...], tuple[int, ...]], ...]
    """Results for which stuns matter, each with its cases and their weights.

    A case is the number of unused dice, and of dice that can only have lower faces.
    """
    totals: tuple[tuple[Standing, int], ...]
    """Weights of all results, ignoring stuns."""


def _spent(kills: tuple[int, ...], dice: int) -> Iterable[tuple[tuple[int, int, int, int], int]]:
    """Yield the results of dice against kills, with weights: remaining kills, unused 6s, other unused dice, others."""
    states: dict[tuple[int, int, int, int], int] = {(0, 0, 0, dice): 1}
    for place, hits in enumerate(kills):
        after: dict[tuple[int, int, int, int], int] = {}
        for (remains, sixes, spare, left), weight in states.items():
            for x, ways in enumerate(_row(left)):
                need, over = max(0, hits - x), max(0, x - hits)
                if not place:
                    key = (need, over, 0, left - x)
                else:
                    # The lowest sufficient dice are used first: those of this face, then other unused dice below 6,
                    # then 6s.
                    used = min(need, spare)
                    need, rest = need - used, spare - used
                    used = min(need, sixes)
                    key = (remains + need - used, sixes - used, rest + over, left - x)
                after[key] = after.get(key, 0) + weight * ways
        states = after
    return states.items()


@lru_cache(maxsize=1 << 13)
def kills_left(kills: tuple[int, ...], pairs: int, drone_pairs: int, dice: int, stuns: int, models: int) -> KeptHits:
    """Return the kills and pairs that dice with the highest faces do not cancel.

    Args:
        kills: Numbers of kills on face 6, 5 and so on; empty if no face kills.
        models: Number of the target's models. More kills have no further effect.
    """
    settled: dict[Standing, int] = {}
    unsettled: dict[Standing, tuple[list[tuple[int, int]], list[int]]] = {}
    totals: dict[Standing, int] = {}
    destroyed = (models, 0, 0)  # markers of a destroyed unit do not matter
    lower = 6 - len(kills)
    spent: Iterable[tuple[tuple[int, int, int, int], int]]
    if len(kills) == 1:
        sixes, row = kills[0], _row(dice)
        # With fewer 6s than `few` the unit is destroyed; with `many` or more, all hits are cancelled.
        few = sixes + pairs - models + 1 if pairs < models else sixes + 2 * (pairs - models) + 2
        few = min(max(0, few), dice + 1)
        many = max(few, min(sixes + 2 * (pairs + drone_pairs) + stuns, dice + 1))
        if few:
            totals[destroyed] = settled[destroyed] = 6**dice - _at_least(dice, 5, few)
        if many <= dice:
            totals[0, 0, 0] = settled[0, 0, 0] = _at_least(dice, 5, many)
        spent = [((max(0, sixes - x), max(0, x - sixes), 0, dice - x), row[x]) for x in range(few, many)]
    else:
        spent = _spent(kills, dice)
    for (remains, sixes, spare, left), weight in spent:
        negated = min(pairs, sixes // 2)
        at_drone = min(drone_pairs, sixes // 2 - negated)
        spare += sixes - 2 * (negated + at_drone)
        stood = (remains, pairs - negated, drone_pairs - at_drone)
        whole = weight * lower**left
        if remains + stood[1] >= models:
            stood = destroyed
        elif spare < stuns:
            ways, weights = unsettled.setdefault(stood, ([], []))
            ways.append((spare, left))
            weights.append(weight)
            totals[stood] = totals.get(stood, 0) + whole
            continue
        totals[stood] = totals.get(stood, 0) + whole
        settled[stood] = settled.get(stood, 0) + whole
    return KeptHits(
        settled,
        tuple([(stood, tuple(ways), tuple(weights)) for stood, (ways, weights) in unsettled.items()]),
        tuple(totals.items()),
    )


class Stunned(dict[tuple[int, int], int]):
    """Cached weights of the number of remaining stuns, by unused dice and dice that can only have lower faces."""

    __slots__ = ("face", "slot", "stuns")

    def __init__(self, face: int, stuns: tuple[int, ...], slot: int) -> None:
        self.face, self.stuns, self.slot = face, stuns, slot

    def __missing__(self, key: tuple[int, int]) -> int:
        left = self[key] = hits_left(self.face, key[1], key[0], self.stuns, self.slot)
        return left

    def over(self, ways: tuple[tuple[int, int], ...], weights: tuple[int, ...]) -> int:
        whole: int = sum(map(mul, weights, map(self.__getitem__, ways)))
        return whole


class AttackerWorth(NamedTuple):
    """Values by which the attacker chooses the number of pairs; results with equal kills and pairs share one object."""

    base: int
    """Number of target models left, summed over all results of the cancelling dice, if stuns remove no model."""
    least: int
    """The same sum as `base`, if stuns remove as many models as possible."""
    tails: tuple[tuple[int, int, int], ...]
    """Numbers of stuns at which models fall: index of the unsettled result, bits to shift for the number, and change in
    models.
    """


def unpacked(weights: int, slot: int) -> Iterator[tuple[int, int]]:
    mask, k = (1 << slot) - 1, 0
    while weights:
        if here := weights & mask:
            yield k, here
        weights >>= slot
        k += 1
