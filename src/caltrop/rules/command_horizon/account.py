"""An attack die by die: the effect of each die, the Defence Die that cancels it, and expected values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from caltrop.chance import Distribution, Roll, every_way
from caltrop.kit.numbers import binomial, tally
from caltrop.picture import DieRead, Tally
from caltrop.rules.command_horizon.attack import (
    Attack,
    Hits,
    Stood,
    assign,
    attack_dice,
    every_result,
    face_counts,
    hit_list,
    result_of,
    results,
    successes,
)
from caltrop.rules.command_horizon.odds import distribution
from caltrop.rules.command_horizon.records import Battle

_MANY = 60
"""Number of models that is larger than any attack can kill, so that all kills are counted."""
_MOST_EXACT = 14
"""Largest number of Defence Dice for which the mean number of cancelled hits is computed; for more dice it would take
too long.
"""


def _in_order(hits: Hits, defence: Roll) -> tuple[int | None, ...]:
    """Return for each Defence Die the index of the hit that it cancels, or None.

    Hits are cancelled from high to low, each with the lowest sufficient dice.
    """
    free = sorted(range(len(defence)), key=lambda i: defence[i])
    taken: list[int | None] = [None] * len(defence)
    for number, hit in enumerate(hit_list(hits)):
        need = 2 if hit.effect in ("pair", "drone-pair") else 1
        fit = [i for i in free if defence[i] >= hit.face][:need]
        if len(fit) == need:
            for i in fit:
                free.remove(i)
                taken[i] = number
    return tuple(taken)


def cancelled_by(hits: Hits, defence: Roll, stood: Stood) -> tuple[int | None, ...]:
    """Return the index in `hit_list` of the hit that each Defence Die cancels, or None if it cancels none, so that the
    hits in *stood* remain.
    """
    usual = _in_order(hits, defence)
    if result_of(hits, usual) == stood:
        return usual
    return next((by for left, by in every_result(hits, defence) if left == stood), usual)


def dice_read(
    t: Battle,
    attack: Attack,
    faces: Sequence[tuple[str, Roll]],
    before: Sequence[Roll],
    pairs: int,
    hits: Hits,
    defence: Roll,
    stood: Stood,
) -> tuple[DieRead, ...]:
    listed = hit_list(hits)
    taken = cancelled_by(hits, defence, stood)
    by: list[list[int]] = [[] for _ in listed]
    for die, hit in enumerate(taken):
        if hit is not None:
            by[hit].append(die)
    waiting: dict[tuple[str, int], list[int]] = {}
    for number, hit_ in enumerate(listed):
        effect = "pair" if hit_.effect == "drone-pair" else hit_.effect
        waiting.setdefault((effect, hit_.face), []).append(number)
    out: list[DieRead] = []
    sixes, pair, pair_by = 2 * pairs, 0, ()  # type: int, int, tuple[int, ...]
    pair_ignored = False
    for pool, (kind, roll) in enumerate(faces):
        table = results(t, attack, kind)
        for place, face in enumerate(roll):
            result = str(table[face - 1])
            was = before[pool][place] if before and before[pool][place] != face else None
            if face == 6 and sixes:
                if sixes % 2 == 0:
                    pair += 1
                    numbers = waiting.get(("pair", 6), [])
                    pair_ignored = not numbers
                    pair_by = tuple(by[numbers.pop(0)]) if numbers else ()
                sixes -= 1
                out.append(DieRead(face=face, was=was, result="kill", pair=pair, ignored=pair_ignored, by=pair_by))
                continue
            shown: tuple[int, ...] = ()
            ignored = False
            if result in ("kill", "stun"):
                numbers = waiting.get((result, face), [])
                ignored = not numbers
                shown = tuple(by[numbers.pop(0)]) if numbers else ()
            result = "" if result == "miss" else result
            out.append(DieRead(face=face, was=was, result=result, ignored=ignored, by=shown))
    return tuple(out)


def _hit_chance(t: Battle, attack: Attack, kind: str) -> Fraction:
    hit = [r != "miss" for r in results(t, attack, kind)]
    bare = Fraction(sum(hit), 6)
    chance = Fraction(0)
    for face in range(1, 7):
        again = bool(successes(t, attack, kind, (face,)))
        chance += (bare if again else Fraction(hit[face - 1])) / 6
    return chance


def hits_cancelled(t: Battle, hits: Hits, dice: int) -> Distribution[int]:
    """Return the odds of the number of hits that Defence Dice cancel; a pair counts as two.

    The result is cached in the book.
    """
    cache: dict[tuple[Hits, int], Distribution[int]] = t.book.scratch.setdefault("cancelled", {})
    distribution = cache.get((hits, dice))
    if distribution is None:
        ways = []
        for roll, orders in every_way(dice):
            stood = assign(t, hits, face_counts(roll))
            left = stood.kills + stood.stuns + 2 * (stood.pairs + stood.drone_pairs)
            ways.append((hits.count - left, orders))
        distribution = cache[hits, dice] = Distribution(ways)
    return distribution


def tallies(
    t: Battle, attack: Attack, sides: tuple[int, int], hit: int, hits: Hits, defence: Roll, cancelled: int, kills: int
) -> tuple[Tally, ...]:
    """Return expected and actual numbers: hits of Attack Dice, hits cancelled by Defence Dice, and kills."""
    scored: Distribution[int] = Distribution.certain(0)
    for kind, dice in attack_dice(t, attack).pools:
        more = binomial(dice, _hit_chance(t, attack, kind))
        scored = scored.then(lambda before, more=more: more.map(lambda fresh: before + fresh))  # type: ignore[misc]
    tallies = [tally(sides[0], "hits", hit, scored)]
    many = replace(attack, target=replace(attack.target, models=_MANY, stuns=0))
    ends = distribution(t.book, many)
    tallies.append(tally(sides[0], "kills", kills, ends.map(lambda e: _MANY - e.models)))
    if 0 < len(defence) <= _MOST_EXACT:
        tallies.append(tally(sides[1], "enemy hits cancelled", cancelled, hits_cancelled(t, hits, len(defence))))
    return tuple(tallies)
