"""The exact odds of one attack, computed from counts of faces instead of all single rolls.

The rules are those of the package `attack`; this module only counts. Rolls are counted by faces, with multinomial
weights. The hits that Defence Dice do not cancel are computed face by face from 6 downwards, and cached. Since a die
cancels its own face and lower ones, only three numbers matter below a face: hits left, dice left, and unused dice with
higher faces.

Weights of 0, 1, 2 and so on remaining hits are packed into one big integer: those of k hits in its k-th slot of bits.
Adding two integers adds all weights at once, and a shift by one slot adds a remaining hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.chance import Distribution
from caltrop.clauses import all_on
from caltrop.engine import Book, total
from caltrop.engine.known import known_odds
from caltrop.engine.sequence import InOrder
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import no_dice, wrong
from caltrop.rules.command_horizon.attack import (
    Attack,
    Damage,
    Ending,
    Hits,
    Stood,
    attack_dice,
    damage,
    defence_dice,
    ending,
    may_overkill,
    pairs_combined,
    read,
    results,
    standing,
)
from caltrop.rules.command_horizon.attack.reading import NONE, Faces
from caltrop.rules.command_horizon.cancelling import (
    AttackerWorth,
    KeptHits,
    Overkills,
    Standing,
    Stunned,
    hits_left,
    kills_left,
    unpacked,
)
from caltrop.rules.command_horizon.catalogue import Result
from caltrop.rules.command_horizon.records import DroneState
from caltrop.rules.command_horizon.requests import asked

# --- faces of Attack Dice ------------------------------------------------------------------------------------------


def _counts(dice: int, weights: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the ways in which dice fall into classes of faces, with weights."""
    if len(weights) == 1:
        yield (dice,), weights[0] ** dice
        return
    for n in range(dice + 1):
        here = comb(dice, n) * weights[0] ** n
        for rest, weight in _counts(dice - n, weights[1:]):
            yield (n, *rest), here * weight


@lru_cache(maxsize=64)
def _rolled(pools: tuple[tuple[int, tuple[Result, ...]], ...], slugger: bool) -> tuple[tuple[Hits, int], ...]:
    """Return the possible hits when some pools of dice are rolled, before pairs are combined, with weights."""
    merged: dict[tuple[Faces, Faces], int] = {(NONE, NONE): 1}
    for n, faces in pools:
        success = sum([1 for r in faces if r != "miss"])
        # Near a Slugger, successes are rerolled: a miss counts on the first roll, another face only on the second.
        each = [success + 6 * (r == "miss") if slugger else 1 for r in faces]
        hitting = [f for f in range(6) if faces[f] in ("kill", "stun")]
        idle = sum([each[f] for f in range(6) if f not in hitting])
        after: dict[tuple[Faces, Faces], int] = {}
        for counts, weight in _counts(n, (*[each[f] for f in hitting], idle)):
            kills, stuns = [0] * 6, [0] * 6
            for f, count in zip(hitting, counts, strict=False):
                (kills if faces[f] == "kill" else stuns)[f] = count
            k0, k1, k2, k3, k4, k5 = kills
            s0, s1, s2, s3, s4, s5 = stuns
            for (a, b), w in merged.items():
                key = (
                    (a[0] + k0, a[1] + k1, a[2] + k2, a[3] + k3, a[4] + k4, a[5] + k5),
                    (b[0] + s0, b[1] + s1, b[2] + s2, b[3] + s3, b[4] + s4, b[5] + s5),
                )
                after[key] = after.get(key, 0) + weight * w
        merged = after
    return tuple([(Hits(kills_, stuns_), weight) for (kills_, stuns_), weight in merged.items()])


_DRONES: tuple[DroneState | None, ...] = (None, "active", "disabled", "destroyed")


class _Fold:
    """An attack, with the results of rules computed only once."""

    def __init__(self, book: Book, attack: Attack, overkills: Overkills) -> None:
        self.book, self.attack, self.overkills = book, attack, overkills
        self.pools = attack_dice(book, attack).pools
        self.may_overkill = may_overkill(book, attack)
        self.die = 36 if attack.slugger else 6
        self.dice = sum([n for _, n in self.pools])
        most = total(defence_dice(book, attack, self.dice))
        self.most = most
        bits = (6**most * self.die**self.dice).bit_length() + 1
        self.slot = next(size for size in (128, 256, 512, 1024, bits) if size >= bits)
        self.defences: dict[int, int] = {}
        self.endings: dict[tuple[Standing, int, int, int], Ending] = {}
        self.after: dict[Damage, Ending] = {}
        self.choices: dict[int, tuple[int, ...]] = {}
        self.ones = (1 << self.slot) - 1
        self.stunned: dict[tuple[int, tuple[int, ...]], Stunned] = {}
        self.worths: dict[tuple[Faces, int, int, int, int], AttackerWorth] = {}
        every: Faces = (9, 9, 9, 9, 9, 9)
        # If none of the largest possible number of hits is ignored, hits are never ignored.
        self.all_stand = standing(book, attack, Hits(every, every, 9)) == Hits(every, every, 9)
        self.stepped: dict[tuple[Standing, int, int], tuple[tuple[int, int], ...]] = {}
        stunning = [results(book, attack, kind) for kind, _ in self.pools]
        self.lowest = min([f for faces in stunning for f in range(6) if faces[f] == "stun"], default=5)

    def rolls(self) -> Iterator[tuple[Hits, int, int]]:
        """Yield every roll: its hits without pairs, the number of pairs of 6s that can be combined, and its weight."""
        read = tuple([(n, results(self.book, self.attack, kind)) for kind, n in self.pools])
        for hits, weight in _rolled(read, self.attack.slugger):
            yield hits, hits.kills[5] // 2 if self.may_overkill else 0, weight

    def pairs(self, possible: int) -> tuple[int, ...]:
        pairs = self.choices.get(possible)
        if pairs is None:
            asked = range(possible + 1) if self.overkills == "best" else (self.overkills,)
            combined = [pairs_combined(self.book, self.attack, possible, n) for n in asked]
            pairs = tuple(dict.fromkeys(combined))
            if len(pairs) > 1 and self.attack.target.drone == "active" and self.book.edition == "current":
                pairs = pairs[-1:]  # pairs are the only hits, so nothing else has an effect
            self.choices[possible] = pairs
        return pairs

    def standing(self, rolled: Hits, pairs: int) -> Hits:
        """Return the hits before defence, after a number of pairs was combined."""
        hits = rolled
        if pairs:
            k = rolled.kills
            hits = Hits((k[0], k[1], k[2], k[3], k[4], k[5] - 2 * pairs), rolled.stuns, pairs)
        return hits if self.all_stand else standing(self.book, self.attack, hits)

    def defence(self, hits: int) -> int:
        if hits not in self.defences:
            self.defences[hits] = total(defence_dice(self.book, self.attack, hits))
        return self.defences[hits]

    def ending(self, stood: Standing, stuns: int, pairs: int, drone_pairs: int) -> Ending:
        key = (stood, stuns, pairs, drone_pairs)
        outcome = self.endings.get(key)
        if outcome is None:
            dealt = self.dealt(stood, stuns, pairs, drone_pairs)
            outcome = self.after.get(dealt)
            if outcome is None:
                outcome = self.after[dealt] = ending(self.book, self.attack.target, dealt)
            self.endings[key] = outcome
        return outcome

    def dealt(self, stood: Standing, stuns: int, pairs: int, drone_pairs: int) -> Damage:
        left = Stood(stood[0], stood[1], stuns, stood[2])
        return damage(self.book, self.attack, Hits(NONE, NONE, pairs, drone_pairs), left)

    def kept(self, hits: Hits, dice: int) -> tuple[KeptHits, Stunned]:
        """Return the kills and pairs that remain, and the cache for the weights of stuns."""
        kills, stuns = hits.kills, hits.stuns
        paired = hits.pairs or hits.drone_pairs
        # The lowest face that kills. In every table stuns are on lower faces, on which the order of cancelling relies.
        low = 5 if kills[5] or paired else 6
        for face in (4, 3, 2):
            if kills[face]:
                low = face
        below = stuns[self.lowest : low][::-1]
        cached = self.stunned.get((low, below))
        if cached is None:
            cached = self.stunned[low, below] = Stunned(low, below, self.slot)
        total = sum(stuns)
        if low < 5 and not total and not paired:  # the only effect is kills, on several faces
            weights = hits_left(6, dice, 0, kills[low:][::-1], self.slot)
            stood = {(n, 0, 0): weight for n, weight in unpacked(weights, self.slot)}
            return KeptHits(stood, (), tuple(stood.items())), cached
        models = self.attack.target.models
        return kills_left(kills[low:][::-1], hits.pairs, hits.drone_pairs, dice, total, models), cached

    def worth(self, remains: KeptHits, hits: Hits, dice: int) -> AttackerWorth:
        total = sum(hits.stuns)
        key = (hits.kills, hits.pairs, hits.drone_pairs, dice, total)
        worth = self.worths.get(key)
        if worth is None:
            totals = dict(remains.totals)
            steps = {stood: self.steps(stood, hits.pairs, hits.drone_pairs) for stood in totals}
            base = sum([steps[stood][0][1] * weight for stood, weight in remains.totals])
            tails, least = [], base
            for i, (stood, _, _) in enumerate(remains.unsettled):
                for stuns, change in steps[stood][1:]:
                    if stuns <= total:
                        tails.append((i, stuns * self.slot, change))
                        least += change * totals[stood]
            worth = self.worths[key] = AttackerWorth(base, least, tuple(tails))
        return worth

    def steps(self, stood: Standing, pairs: int, drone_pairs: int) -> tuple[tuple[int, int], ...]:
        pair_steps = self.stepped.get((stood, pairs, drone_pairs))
        if pair_steps is None:
            steps, models = [], 0
            most = max(0, self.dice - 2 * (pairs + drone_pairs) - stood[0])  # number of other dice, which may be stuns
            for stuns in range(most + 1):
                now = self.ending(stood, stuns, pairs, drone_pairs).models
                if now != models or not stuns:
                    steps.append((stuns, now - models))
                    models = now
            pair_steps = self.stepped[stood, pairs, drone_pairs] = tuple(steps)
        return pair_steps

    def stood(self, remains: KeptHits, stunned: Stunned) -> dict[Standing, int]:
        """Return the odds after defence: for each number of kills and pairs, the weights of stuns in slots."""
        if not remains.unsettled:
            return remains.settled
        out = dict(remains.settled)
        for stood, ways, weights in remains.unsettled:
            out[stood] = out.get(stood, 0) + stunned.over(ways, weights)
        return out

    def distribution(self) -> Distribution[Ending]:
        ends = [
            (self.ending(stood, stuns, pairs, drone_pairs), weight)
            for stood, stuns, pairs, drone_pairs, weight in self.ways()
        ]
        return Distribution(ends).sorted(key=lambda e: (e.models, e.stuns, _DRONES.index(e.drone)))

    def damages(self) -> Distribution[Damage]:
        return Distribution(
            [
                (self.dealt(stood, stuns, pairs, drone_pairs), weight)
                for stood, stuns, pairs, drone_pairs, weight in self.ways()
            ]
        )

    def ways(self) -> Iterator[tuple[Standing, int, int, int, int]]:
        """Yield results after defence: kills and pairs, stuns, combined pairs, pairs at a drone, and the weight."""
        whole: dict[tuple[Standing, int, int], int] = {}
        for rolled, possible, weight in self.rolls():
            choices = self.pairs(possible)
            if len(choices) == 1:
                hits = self.standing(rolled, choices[0])
                dice = self.defence(hits.count)
                left = self.stood(*self.kept(hits, dice))
            else:
                hits, dice, left = self.best(rolled, choices)
            scale = weight * 6 ** (self.most - dice)
            for stood, stunned in left.items():
                key = (stood, hits.pairs, hits.drone_pairs)
                whole[key] = whole.get(key, 0) + scale * stunned
        for (stood, pairs, drone_pairs), stunned in whole.items():
            for stuns, weight in unpacked(stunned, self.slot):
                yield stood, stuns, pairs, drone_pairs, weight

    def best(self, rolled: Hits, choices: tuple[int, ...]) -> tuple[Hits, int, dict[Standing, int]]:
        """Return the result for the attacker's best number of pairs: hits, Defence Dice, and odds after defence.

        The best number leaves the fewest expected models, then the most expected markers; of equally good numbers the
        smallest is taken.
        """
        best: tuple[int, Hits, int, KeptHits, Stunned] | None = None
        for pairs in choices:
            hits = self.standing(rolled, pairs)
            dice = self.defence(hits.count)
            remains, stunned = self.kept(hits, dice)
            worth = self.worth(remains, hits, dice)
            scale = 6 ** (self.most - dice)
            if best is not None and worth.least * scale > best[0]:
                continue
            models = worth.base
            for i, shift, change in worth.tails:
                _, ways, weights = remains.unsettled[i]
                if tail := stunned.over(ways, weights) >> shift:
                    # A remainder gives the sum of all slots: a slot's unit is 1 modulo the slot's size less 1.
                    models += change * (tail % self.ones)
            models *= scale
            if best is None or models < best[0]:
                best = models, hits, dice, remains, stunned
            elif models == best[0]:
                _, other, others, kept_, known_ = best
                less = self.markers(self.stood(kept_, known_), other) * 6 ** (self.most - others)
                if self.markers(self.stood(remains, stunned), hits) * scale > less:
                    best = models, hits, dice, remains, stunned
        assert best is not None
        return best[1], best[2], self.stood(best[3], best[4])

    def markers(self, left: dict[Standing, int], hits: Hits) -> int:
        return sum(
            [
                self.ending(stood, stuns, hits.pairs, hits.drone_pairs).stuns * weight
                for stood, stunned in left.items()
                for stuns, weight in unpacked(stunned, self.slot)
            ]
        )


# --- cached answers ------------------------------------------------------------------------------------------------


def distribution(book: Book, attack: Attack, overkills: Overkills = "best") -> Distribution[Ending]:
    """Return the exact odds of an attack.

    Answers are cached in memory and on disk, for all books of one edition with the same house rules.

    Args:
        attack: The attack, which must be legal.
        overkills: Number of pairs of 6s that the attacker combines, if the roll has as many. `best` leaves the
            fewest expected models, then the most expected markers; of equal numbers it is the smallest.

    Returns:
        The odds of the target's models, markers and drone, in ascending order.
    """
    odds = known_odds("attack", book, Ending, __package__)
    distribution = odds.get((attack, overkills))
    if distribution is None:
        distribution = _Fold(book, attack, overkills).distribution()
        odds.keep((attack, overkills), distribution)
    return distribution


def damages(book: Book, attack: Attack) -> Distribution[Damage]:
    """Return the exact odds of an attack's damage before it is applied. The attacker combines the best number of pairs.

    Args:
        attack: The attack, which must be legal.
    """
    return _latest_damages(book, attack) if all_on() else _Fold(book, attack, "best").damages()


@lru_cache(maxsize=256)
def _latest_damages(book: Book, attack: Attack) -> Distribution[Damage]:
    return _Fold(book, attack, "best").damages()


def after_roll(book: Book, attack: Attack, counts: Sequence[Faces], declared: int) -> Distribution[Ending]:
    """Return the exact odds of an attack after its Attack Dice were rolled.

    Args:
        counts: Face counts of each kind of base, after rerolls.
        declared: Number of pairs of 6s that the attacker combines.
    """
    fold = _Fold(book, attack, "best")
    hits = standing(book, attack, read(book, attack, counts, declared))
    left = fold.stood(*fold.kept(hits, fold.defence(hits.count)))
    return Distribution(
        [
            (fold.ending(stood, stuns, hits.pairs, hits.drone_pairs), weight)
            for stood, stunned in left.items()
            for stuns, weight in unpacked(stunned, fold.slot)
        ]
    ).sorted(key=lambda e: (e.models, e.stuns, _DRONES.index(e.drone)))


def expected(book: Book, attack: Attack, overkills: Overkills = "best") -> tuple[Fraction, Fraction]:
    distribution_ = distribution(book, attack, overkills)
    return distribution_.expected(lambda e: e.models), distribution_.expected(lambda e: e.stuns)


# --- requests ------------------------------------------------------------------------------------------------------


class AttackOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One possible result of an attack, with its probability."""

    models: int
    stuns: int
    drone: DroneState | UnsetType = UNSET
    """State of the Shield Drone of an Asori Command unit; unset for other units."""
    probability: str
    """Probability as a fraction in lowest terms."""
    p: float
    """Probability as a decimal number."""


class Means(msgspec.Struct, frozen=True):
    """Expected numbers of models and Stun markers of the target."""

    models: float
    stuns: float


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All possible results of an attack."""

    attack_dice: int
    exact: bool = True
    outcomes: tuple[AttackOutcome, ...]
    expected: Means
    overkills: Literal["best", "every"] | UnsetType = UNSET
    """Pairs of 6s combined if the request names no number: the best number, or every pair by a house rule."""


def answer(raw: Any) -> OddsAnswer:
    """Return the odds of an attack.

    Raises InputError for an invalid or illegal request.

    Args:
        raw: The request, as plain data, without dice.
    """
    attack_request = asked(raw)
    book, attack, request = attack_request.book, attack_request.attack, attack_request.request
    no_dice(request.dice)
    overkills: Overkills = "best" if isinstance(request.overkills, UnsetType) else request.overkills
    automatic = book.rules["overkill.mode"] == "automatic"
    if overkills != "best" and automatic:
        raise wrong("overkills", "every pair is combined with overkill.mode automatic: leave it out")
    ends = distribution(book, attack, overkills)
    models, stuns = expected(book, attack, overkills)
    return OddsAnswer(
        attack_dice=attack_dice(book, attack).total,
        outcomes=tuple(
            AttackOutcome(
                models=end.models,
                stuns=end.stuns,
                drone=UNSET if end.drone is None else end.drone,
                probability=fraction(chance),
                p=float(chance),
            )
            for end, chance in ends.items()
        ),
        expected=Means(float(models), float(stuns)),
        overkills=UNSET if request.overkills != UNSET else "every" if automatic else "best",
    )


def _target_left(request: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    now = {part: outcome[part] for part in ("models", "stuns", "drone") if part in outcome}
    return {**request["target"], **now} if outcome["models"] else None


IN_ORDER = InOrder(
    left=_target_left,
    sort=lambda o: (o["models"], o["stuns"], _DRONES.index(o.get("drone"))),
    worth=lambda o: (o["models"], -o["stuns"]),
)
"""Rules for a sequence of attacks at one unit, which keeps its remaining models and markers."""
