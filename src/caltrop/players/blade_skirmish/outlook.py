"""Evaluate positions: this turn's combat by exact odds, then the enemy's possible answers.

An outlook is made for one state as one side sees it. The outlook evaluates the places of all models together, because
flanking and the choice of targets depend on several models. All numbers are integers: points as in `worth`, and
probabilities in thousandths.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from caltrop.geometry import CONTACT, INCH, Disc, Point, directions, point_along, segment_enters
from caltrop.players.blade_skirmish.weights import VETERAN, Weights
from caltrop.players.blade_skirmish.worth import SURE, inches, place, pull, worth
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.blade_skirmish.catalogue import CHARGE, STEP
from caltrop.rules.blade_skirmish.challenge import chance_to_win
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.injury import REMOVED, injury
from caltrop.rules.blade_skirmish.places import passes_through
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.victory import HOLD
from caltrop.table.measured import stands

GRAIN = 12
"""Difference between a good place and an average place, in points."""

TOGETHER = ("blood",)
"""Goals for which models should arrive together. For goals that hold ground, waiting costs more."""

FAR = 1 << 60
"""Square of a distance that is larger than any on the table."""
SIDES = 16
"""Number of directions from which a model can be attacked, for this estimate."""
OPPOSITE = tuple([(a, b) for a in range(SIDES) for b in range(a) if 6 <= a - b <= SIDES - 6])
"""Pairs of directions more than 120 degrees apart, from which two enemies flank a model."""


class Foe(NamedTuple):
    """The properties of an enemy that matter for evaluation."""

    id: int
    disc: Disc
    quality: int
    worth: int
    """Worth that the enemy's side loses with her."""
    stands: bool
    """True if the enemy is neither stunned nor fleeing."""
    fights: bool
    """True if the enemy attacks in this turn's combat."""
    threat: int
    """Probability that the enemy acts next turn, if nothing happens to her before that."""
    automated: bool


class PossibleSpot(NamedTuple):
    """A model at a possible place at the end of the turn."""

    number: int
    """Number of the spot. Equal spots have equal numbers."""
    id: int
    disc: Disc
    quality: int
    worth: int
    fights: bool
    squares: tuple[int, ...]
    """Squares of the distances from every enemy, between centres."""
    touched: tuple[int, ...]
    """Indices of the enemies in contact."""
    place: int
    lures: tuple[tuple[int, int], ...]
    """For each enemy, the probability that she charges this model, and the value of the charge to her."""
    lured: bool
    menaced: int
    """Expected number of enemies that come for the model, in thousandths; 0 if the weights ignore it."""


class Fate(NamedTuple):
    """The probabilities of what happens to a model."""

    spared: int = SURE
    """Probability that the fighter is not hit."""
    stays: int = SURE
    """Probability that the fighter is not removed from the table."""


UNHURT = Fate()

Exchange = tuple[int, Disc, bool, tuple[tuple[int, int], ...], int, Fate]
"""The key of a cached exchange: model, place, whether she attacks, her attackers, how easily she is flanked, and her
fate before it.
"""


class SideOutlook:
    """Evaluates a side's positions.

    Args:
        t: The skirmish as the side sees it.
        wary: True to consider the enemy's answer.
    """

    def __init__(
        self, t: Skirmish, side: int, wary: bool = True, judgement: Judgement = SOUND, weights: Weights = VETERAN
    ) -> None:
        self.t, self.side, self.wary, self.judgement, self.weights = t, side, wary, judgement, weights
        self.later = weights.later * judgement.style.danger // 100
        self._worths: dict[int, int] = {}
        self.own = t.of_side(side)
        self.foes = [self._foe(f) for f in t.on_table() if f.side != side]
        self.reach = 2 * t.field.radius
        self._near_enough = self.reach + inches(weights.near_enough)
        self._together, self._apart = self.reach + inches(weights.together), self.reach + inches(weights.apart)
        self._contact = (self.reach + CONTACT) ** 2
        self._chances: dict[tuple[int, int, bool], int] = {}
        faces = range(1, 7)
        self.removes = SURE * sum([injury(t, die) in REMOVED for die in faces]) // len(faces)
        """Probability that a hit removes its victim."""
        self.pull = pull(t, side, weights) if t.field.goal not in ("hold", "stones") else 0
        self._around = [point_along((0, 0), direction, self.reach + 2) for direction in directions(SIDES)]
        self._least = self.reach * self.reach
        self._spots: dict[tuple[int, Point, bool | None], PossibleSpot] = {}
        self._rallied: dict[int, PossibleSpot] = {}
        self._free: dict[Point, int] = {}
        self._taken: dict[Point, int] = {}
        self._pairs: dict[int, int] = {}
        self._exchanges: dict[Exchange, int] = {}
        self._fears = wary and bool(weights.outnumbered or weights.exposed)
        """True if the evaluation counts the enemies that may come for a model."""
        relic = t.relic.carrier if t.relic is not None else None
        self._borne = relic if weights.screen and relic is not None and t.fighters[relic].side == side else None
        self._middle = t.field.place if weights.held and t.field.goal == "stones" else None
        """Place where the side with more models scores points."""
        self._second = weights.second if t.field.goal in TOGETHER else 0
        """Cost of an inch to the second nearest comrade, for this goal."""
        goal = self._borne is not None or self._middle is not None
        self._sees = goal or self._fears or bool(self._second or weights.backing)
        """True if any part of `_besides` matters for this state."""

    def _foe(self, f: Fighter) -> Foe:
        t = self.t
        busy = idle(t, f.id)
        # A stunned model first drifts, and a fleeing model runs and may recover. Stunned and fleeing models act later
        # than others.
        threat = 0 if busy or f.fleeing else min(self.weights.drifts, SURE) if f.stunned else SURE
        # A stunned or fleeing model has lost a part of her worth, so only the rest can be lost.
        left = self.staked(f)
        if not f.active:
            left = left * (100 - self.weights.down + self.weights.finish) // 100
        return Foe(f.id, t.disc(f.id), f.quality, left, f.active, f.active and not busy, threat, t.automated(f.id))

    def chance(self, attacker: int, defender: int, flanking: bool = False) -> int:
        key = (attacker, defender, flanking)
        chance = self._chances.get(key)
        if chance is None:
            exact = chance_to_win(self.t, attacker, defender, flanking)
            chance = self._chances[key] = SURE * exact.numerator // exact.denominator
        return chance

    def spot(self, f: Fighter, at: Point, fights: bool | None = None) -> PossibleSpot:
        """Return a model at a place.

        Args:
            fights: True if the model attacks in the spot; by default as in the present state.
        """
        spot = self._spots.get((f.id, at, fights))
        if spot is None:
            spot = self._spots[f.id, at, fights] = self._spot(f, at, fights)._replace(number=len(self._spots))
        return spot

    def _spot(self, f: Fighter, at: Point, fights: bool | None) -> PossibleSpot:
        x, y = at
        squares = tuple([(x - u) * (x - u) + (y - v) * (y - v) for _, (u, v, _), *_ in self.foes])
        touched = tuple([number for number, square in enumerate(squares) if square <= self._contact])
        able = f.active and not idle(self.t, f.id) if fights is None else fights
        value = place(self.t, f, at, self.weights) * self.judgement.style.goals // 100
        if self.pull and squares:
            away = min(squares)
            limit = self._near_enough
            if away > limit * limit:
                value -= self.pull * (isqrt(away) - limit) // INCH
        staked = self.staked(f)
        lures = tuple(
            [self._lure(foe, square, f.quality, staked, able) for foe, square in zip(self.foes, squares, strict=True)]
        )
        lured = any(chance for chance, _ in lures)
        menaced = self._menaced(squares) if self._fears else 0
        disc = (x, y, self.t.field.radius)
        return PossibleSpot(-1, f.id, disc, f.quality, staked, able, squares, touched, value, lures, lured, menaced)

    def rallied(self, spot: PossibleSpot) -> PossibleSpot:
        """Return the spot of a model for the case that she recovers in it."""
        rested = self._rallied.get(spot.number)
        if rested is None:
            rested = self._rallied[spot.number] = spot._replace(fights=True, number=-len(self._rallied) - 1)
        return rested

    def _lure(self, foe: Foe, square: int, quality: int, staked: int, able: bool) -> tuple[int, int]:
        chance = charges(isqrt(square) - self.reach, self.weights)
        if not chance or foe.automated:
            return 0, 0
        gain = chance * self.chance(foe.quality, quality) * staked
        loss = chance * self.chance(quality, foe.quality) * foe.worth if able else 0
        return chance, gain - loss * self.weights.deterred // 100

    def lost(self, worth: int, fate: Fate, stands: bool = True) -> int:
        """Return the expected loss of a model. If she is already stunned or fleeing, she can only be removed."""
        down = (fate.stays - fate.spared) * stands
        return worth * (100 * (SURE - fate.stays) + self.weights.down * down) // (100 * SURE)

    def gain(self, number: int, fate: Fate) -> int:
        foe = self.foes[number]
        return self.lost(foe.worth, fate, foe.stands) * self.judgement.style.harm // 100

    def hurt(self, fate: Fate, hit: int) -> Fate:
        """Return the fate of a model after one more hit with probability *hit*."""
        remains = fate.stays * (SURE * SURE - hit * self.removes) // (SURE * SURE)
        return Fate(fate.spared * (SURE - hit) // SURE, remains)

    def staked(self, f: Fighter) -> int:
        stake = self._worths.get(f.id)
        if stake is None:
            stake = self._worths[f.id] = worth(self.t, f, self.weights)
        return stake

    # --- the whole table ----------------------------------------------------------------------------------------------

    def nearest(self, spots: Sequence[PossibleSpot]) -> list[int]:
        """Return the square of each model's distance to her nearest comrade, from centre to centre; `FAR` for none."""
        gaps = [FAR] * len(spots)
        places = [spot.disc for spot in spots]
        for i, (x, y, _) in enumerate(places):
            least = FAR
            for j in range(i):
                u, v, _ = places[j]
                u -= x
                v -= y
                square = u * u + v * v
                if square < least:
                    least = square
                if square < gaps[j]:
                    gaps[j] = square
            gaps[i] = least
        return gaps

    def value(self, spots: Sequence[PossibleSpot], near: Sequence[int] = ()) -> int:
        """Return the value of a side's positions at the end of its turn.

        Args:
            near: The result of `nearest` for these spots, if already computed.
        """
        around: dict[int, list[PossibleSpot]] = {}
        for spot in spots:
            for number in spot.touched:
                around.setdefault(number, []).append(spot)
        fates = [UNHURT] * len(self.foes)
        total = sum([spot.place for spot in spots])
        for spot in spots:
            if spot.fights and spot.touched:
                best, most, fate = -1, -1, UNHURT
                for number in spot.touched:
                    after = self.hurt(fates[number], self.strikes(spot, number, around[number]))
                    more = self.gain(number, after) - self.gain(number, fates[number])
                    if more > most:
                        best, most, fate = number, more, after
                fates[best] = fate
        mine = self._struck(around)
        for number in around:
            total += self.gain(number, fates[number])
        for spot in spots:
            if spot.id in mine:
                total -= self.lost(spot.worth, mine[spot.id])
        total -= self._crowd(spots, near or self.nearest(spots))
        if self._sees:
            total += self._besides(spots, fates, around, mine)
        if self.wary:
            total += self.later * self._answer(spots, fates, mine, around) // 100
        return total

    def strikes(self, spot: PossibleSpot, number: int, around: Sequence[PossibleSpot]) -> int:
        """Return the probability that a model hits an enemy in contact, given her comrades around the enemy."""
        foe = self.foes[number]
        x, y, _ = spot.disc
        flanks = any(other.id != spot.id and passes_through((x, y), other.disc[:2], foe.disc) for other in around)
        return self.chance(spot.quality, foe.quality, flanks)

    def struck(self, foe: Foe, spot: PossibleSpot) -> int:
        """Return the probability that an enemy hits a model in contact, given the other enemies around the model."""
        x, y, _ = foe.disc
        flanks = any(
            self.foes[n].id != foe.id and passes_through((x, y), self.foes[n].disc[:2], spot.disc) for n in spot.touched
        )
        return self.chance(foe.quality, spot.quality, flanks)

    def _struck(self, around: dict[int, list[PossibleSpot]]) -> dict[int, Fate]:
        """Return the fates of models in contact after this turn's combat. Automated models strike at random."""
        fates: dict[int, Fate] = {}
        for number, touching_her in around.items():
            foe = self.foes[number]
            if not foe.fights:
                continue
            hits = [(spot, self.struck(foe, spot)) for spot in touching_her]
            if not foe.automated:
                hits = [max(hits, key=lambda one: one[1] * one[0].worth)]
            for spot, hit in hits:
                fates[spot.id] = self.hurt(fates.get(spot.id, UNHURT), hit // len(hits))
        return fates

    def _crowd(self, spots: Sequence[PossibleSpot], near: Sequence[int]) -> int:
        """Return the cost of models that stand in each other's way, or too far apart to help."""
        cost, apart, together = 0, self._apart**2, self._together**2
        for spot, square in zip(spots, near, strict=True):
            if spot.touched or square == FAR:
                continue
            if square < apart:
                cost += self.weights.crowded
            elif square > together:
                cost += self.weights.alone * (isqrt(square) - self._together) // INCH
        return cost

    # --- features that matter only in some scenarios, or whose weight is 0 for the veteran ---------------------------

    def _besides(
        self,
        spots: Sequence[PossibleSpot],
        fates: Sequence[Fate],
        around: dict[int, list[PossibleSpot]],
        mine: dict[int, Fate],
    ) -> int:
        """Return the value of features that matter only in some scenarios, or whose weight is 0 for the veteran."""
        w = self.weights
        total = 0
        if self._fears:
            total -= sum([self._feared(spot, spots) for spot in spots if spot.menaced])
        if self._second:
            total -= sum([self._straying(spot, spots) for spot in spots if not spot.touched])
        if w.backing:
            for number in around:
                if self._backed(number, spots):
                    total += w.backing * self.foes[number].worth * fates[number].stays // (100 * SURE)
        if self._borne is not None:
            total += w.screen * self._screened(self._borne, spots)
        if self._middle is not None:
            total += w.held * self._lead(self._middle, spots, fates, mine) // SURE
        return total

    def _menaced(self, squares: Sequence[int]) -> int:
        """Return the expected number of enemies that come for a model, in thousandths, by squared distance."""
        menace = 0
        for foe, square in zip(self.foes, squares, strict=True):
            gap = isqrt(square) - self.reach
            menace += foe.threat * (comes(gap, self.weights) if foe.automated else charges(gap, self.weights)) // SURE
        return menace

    def _feared(self, spot: PossibleSpot, spots: Sequence[PossibleSpot]) -> int:
        """Return the cost of enemies that may come for a model: those for which no comrade is near, and an extra cost
        if no enemy touches her yet.
        """
        limit = self._together**2
        x, y, _ = spot.disc
        friends = sum([(x - other.disc[0]) ** 2 + (y - other.disc[1]) ** 2 <= limit for other in spots if other.fights])
        share = self.weights.outnumbered * max(0, spot.menaced - SURE * friends)
        if not spot.touched:
            share += self.weights.exposed * min(SURE, spot.menaced)
        return spot.worth * share // (100 * SURE)

    def _straying(self, spot: PossibleSpot, spots: Sequence[PossibleSpot]) -> int:
        x, y, _ = spot.disc
        squares = sorted([(x - other.disc[0]) ** 2 + (y - other.disc[1]) ** 2 for other in spots])
        # The first of these squares is 0, because the model's own place is among the places.
        away = isqrt(squares[2]) - self._together if len(squares) > 2 else 0
        return self._second * max(0, away) // INCH

    def _backed(self, number: int, spots: Sequence[PossibleSpot]) -> bool:
        """Return whether a model in contact has a free comrade who can charge an enemy next turn."""
        limit = (self.reach + CHARGE) ** 2
        return any(spot.fights and not spot.touched and spot.squares[number] <= limit for spot in spots)

    def _screened(self, id: int, spots: Sequence[PossibleSpot]) -> int:
        limit = (self.reach + STEP + CHARGE + STEP) ** 2
        screens = 0
        for carrier in spots:
            if carrier.id == id:
                x, y, _ = carrier.disc
                for foe, square in zip(self.foes, carrier.squares, strict=True):
                    if foe.threat and self._contact < square <= limit:
                        fx, fy, _ = foe.disc
                        screens += any(
                            other.id != id and segment_enters((fx, fy), (x, y), other.disc[:2], self.reach)
                            for other in spots
                        )
        return screens

    def _lead(self, middle: Point, spots: Sequence[PossibleSpot], fates: Sequence[Fate], mine: dict[int, Fate]) -> int:
        """Return the expected lead in models at the place that scores, in thousandths, up to one model."""
        limit = (HOLD + self.t.field.radius) ** 2
        ours = sum(
            [mine.get(spot.id, UNHURT).spared for spot in spots if spot.fights and _within(spot.disc, middle, limit)]
        )
        theirs = sum(
            [
                fate.spared
                for foe, fate in zip(self.foes, fates, strict=True)
                if foe.stands and _within(foe.disc, middle, limit)
            ]
        )
        return min(max(ours - theirs, -SURE), SURE)

    # --- the enemy's answer -------------------------------------------------------------------------------------------

    def _answer(
        self,
        spots: Sequence[PossibleSpot],
        fates: Sequence[Fate],
        mine: dict[int, Fate],
        around: dict[int, list[PossibleSpot]],
    ) -> int:
        coming: dict[int, list[tuple[int, int]]] = {}
        lured = [(index, spot) for index, spot in enumerate(spots) if spot.lured]
        for number, foe in enumerate(self.foes):
            able = foe.threat * fates[number].spared // SURE
            victim = self._victim(number, spots, lured, number in around) if able else None
            if victim is not None:
                index, chance = victim
                coming.setdefault(index, []).append((number, able * chance // SURE))
        return sum(
            [
                self._exchange(spots[index], spots, attackers, mine.get(spots[index].id, UNHURT))
                for index, attackers in coming.items()
            ]
        )

    def _victim(
        self, number: int, spots: Sequence[PossibleSpot], lured: Sequence[tuple[int, PossibleSpot]], touched: bool
    ) -> tuple[int, int] | None:
        """Return the model that an enemy goes for next turn, and the probability of contact; None if the enemy goes for
        no model.
        """
        foe = self.foes[number]
        if foe.automated:
            least, nearest = min([(spot.squares[number], index) for index, spot in enumerate(spots)], default=(0, -1))
            if nearest < 0:
                return None
            chance = self.weights.clings if touched else comes(isqrt(least) - self.reach, self.weights)
            return (nearest, chance) if chance else None
        best: tuple[int, int] | None = None
        most = 0
        for index, spot in lured:
            chance, gain = spot.lures[number]
            if chance and (best is None or gain > most):
                best, most = (index, chance), gain
        return best

    def astride(self, spot: PossibleSpot, one: int, other: int) -> bool:
        """Return whether two enemies are on opposite sides of a model: in directions more than 120 degrees apart."""
        x, y, _ = spot.disc
        (ax, ay, _), (bx, by, _) = self.foes[one].disc, self.foes[other].disc
        across = (ax - x) * (bx - x) + (ay - y) * (by - y)
        return across < 0 and 4 * across * across > spot.squares[one] * spot.squares[other]

    def openness(self, spot: PossibleSpot, spots: Sequence[PossibleSpot]) -> int:
        """Return how easily a model is flanked: the number of free pairs of opposite directions."""
        x, y, _ = spot.disc
        free = self._free.get((x, y))
        if free is None:
            free = self._free[x, y] = self._clear(spot.disc)
        far = 4 * self._least
        for other in spots:
            u, v, _ = other.disc
            u -= x
            v -= y
            if u * u + v * v < far and other.id != spot.id:
                taken = self._taken.get((u, v))
                if taken is None:
                    taken = self._taken[u, v] = _bits(
                        [(px - u) * (px - u) + (py - v) * (py - v) < self._least for px, py in self._around]
                    )
                free &= ~taken
        pair = self._pairs.get(free)
        if pair is None:
            pairs = sum([bool(free >> a & 1 and free >> b & 1) for a, b in OPPOSITE])
            pair = self._pairs[free] = SURE * pairs // len(OPPOSITE)
        return pair

    def _clear(self, disc: Disc) -> int:
        """Return the directions in which there is room beside a base, as bits. Comrades are not obstacles."""
        x, y, r = disc
        # If a disc around the base and all its neighbours is free, every direction has room.
        if stands(self.t.ground, (x, y, self.reach + r + 4), ()):
            return (1 << SIDES) - 1
        return _bits([stands(self.t.ground, (x + dx, y + dy, r), ()) for dx, dy in self._around])

    def _exchange(
        self, spot: PossibleSpot, spots: Sequence[PossibleSpot], attackers: Sequence[tuple[int, int]], before: Fate
    ) -> int:
        opened = self.openness(spot, spots) if len(attackers) > 1 else 0
        key = (spot.id, spot.disc, spot.fights, tuple(attackers), opened, before)
        exchange = self._exchanges.get(key)
        if exchange is None:
            exchange = self._exchanges[key] = self._exchanged(spot, opened, attackers, before)
        return exchange

    def _exchanged(self, spot: PossibleSpot, opened: int, attackers: Sequence[tuple[int, int]], before: Fate) -> int:
        fate, w = UNHURT, self.weights
        best = 0
        for number, chance in attackers:
            foe = self.foes[number]
            alone = SURE
            for other, more in attackers:
                if other != number:
                    beside = w.beside_automated if foe.automated else w.beside
                    share = w.astride if self.astride(spot, number, other) else beside * opened // SURE
                    alone = alone * (SURE - more * min(share, SURE) // SURE) // SURE
            plain, flanking = self.chance(foe.quality, spot.quality), self.chance(foe.quality, spot.quality, True)
            hit = plain + (flanking - plain) * (SURE - alone) // SURE
            fate = self.hurt(fate, hit * chance // SURE)
            if spot.fights:
                blow = self.chance(spot.quality, foe.quality) * chance // SURE * before.spared // SURE
                best = max(best, self.gain(number, self.hurt(UNHURT, blow)))
        return best - self.lost(spot.worth, fate) * before.stays // SURE


def _bits(some: Sequence[bool]) -> int:
    return sum([1 << number for number, one in enumerate(some) if one])


def _within(disc: Disc, place: Point, limit: int) -> bool:
    x, y, _ = disc
    return (x - place[0]) ** 2 + (y - place[1]) ** 2 <= limit


def comes(gap: int, weights: Weights = VETERAN) -> int:
    """Return the probability that an automated model comes into contact with her nearest enemy in her next turn.

    On 1 to 3 she walks 4 inches, or up to 2 inches from the enemy, and charges over 4. On 4 to 6 the automated model
    wanders, and charges if an enemy is then near enough.

    >>> comes(2 * INCH), comes(6 * INCH), comes(9 * INCH)
    (775, 625, 0)
    """
    if gap <= 4 * INCH:
        return weights.comes_near
    if gap <= 8 * INCH:
        return max(0, weights.comes_far - weights.comes_less * (gap - 4 * INCH) // INCH)
    return 0


def charges(gap: int, weights: Weights = VETERAN) -> int:
    """Return the probability that an enemy player's model can charge a model of this side next turn, after a walk of 4
    inches.

    >>> charges(3 * INCH), charges(7 * INCH), charges(9 * INCH)
    (1000, 850, 0)
    """
    return SURE if gap <= 4 * INCH else min(weights.reaches, SURE) if gap <= 8 * INCH else 0
