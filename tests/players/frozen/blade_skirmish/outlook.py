"""How an arrangement of models is likely to end: this turn's combat by its exact odds, then what the enemy may do.

An outlook is made for one state as one side sees it. It judges places for that side's models all at once, for whether
two of them flank an enemy, and which enemy she makes for next, is no matter of one place alone. All numbers are whole:
points as in `worth`, and chances in parts of a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from caltrop.geometry import CONTACT, INCH, Disc, Point, directions, point_along
from caltrop.rules.blade_skirmish.challenge import chance_to_win
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.injury import REMOVED, injury
from caltrop.rules.blade_skirmish.places import passes_through
from caltrop.rules.blade_skirmish.skirmish import Fighter, Skirmish
from caltrop.table.measured import stands
from tests.players.frozen.blade_skirmish.worth import (
    ALONE,
    APART,
    CROWDED,
    DOWN,
    NEAR_ENOUGH,
    SURE,
    TOGETHER,
    place,
    pull,
    worth,
)

LATER = 75
"""What the enemy's next turn counts for beside the combat that comes first, in per cent."""
CLINGS = 800
"""How likely an automated model in contact is so after her move: she wanders off half of the time, and may be back."""
ASTRIDE = 850
"""How likely two who come for one model from opposite sides flank her."""
BESIDE = 250, 600
"""How likely two who come from one side do so where there is room: if the dice lead them, and if somebody does."""


SIDES = 16
"""From how many sides a model is thought of as being attacked."""
OPPOSITE = tuple([(a, b) for a in range(SIDES) for b in range(a) if 6 <= a - b <= SIDES - 6])
"""Those that are more than 120 degrees apart: two enemies there flank her."""


class Foe(NamedTuple):
    """What counts of an enemy."""

    id: int
    disc: Disc
    quality: int
    worth: int
    """What her side has still to lose with her."""
    stands: bool
    """Whether she is neither stunned nor fleeing."""
    fights: bool
    """Whether she strikes in the combat of this turn."""
    threat: int
    """How likely she acts next turn, if nothing happens to her."""
    automated: bool


class Spot(NamedTuple):
    """A model at a place where she may be at the end of the turn."""

    id: int
    disc: Disc
    quality: int
    worth: int
    fights: bool
    squares: tuple[int, ...]
    """The squares of the distances from every foe, centre to centre."""
    touched: tuple[int, ...]
    """The foes that she touches, as indices."""
    place: int
    """What the place is worth by itself."""


class Fate(NamedTuple):
    """What may become of a model."""

    spared: int = SURE
    """How likely nobody hits her."""
    kept: int = SURE
    """How likely nobody takes her off the table."""


UNHURT = Fate()


class Outlook:
    """What a side may expect of its places.

    Args:
        t: The skirmish as the side sees it.
        side: The side.
        wary: Whether the enemy's answer is looked at too.
    """

    def __init__(self, t: Skirmish, side: int, wary: bool = True) -> None:
        self.t, self.side, self.wary = t, side, wary
        self.own = t.of_side(side)
        self.foes = [self._foe(f) for f in t.on_table() if f.side != side]
        self.reach = 2 * t.field.radius
        self._contact = (self.reach + CONTACT) ** 2
        self._chances: dict[tuple[int, int, bool], int] = {}
        faces = range(1, 7)
        self.removes = SURE * sum([injury(t, die) in REMOVED for die in faces]) // len(faces)
        """How likely a hit takes its victim off the table."""
        self.pull = pull(t, side) if t.field.goal != "hold" else 0
        self._around = [point_along((0, 0), direction, self.reach + 2) for direction in directions(SIDES)]
        self._free: dict[Point, int] = {}

    def _foe(self, f: Fighter) -> Foe:
        t = self.t
        busy = idle(t, f.id)
        # Who is stunned drifts first, and who flees runs and may stop: both come back later.
        threat = 0 if busy or f.fleeing else 300 if f.stunned else SURE
        # Those who are down already have only the rest to lose.
        left = worth(t, f) if f.active else worth(t, f) * (100 - DOWN) // 100
        return Foe(f.id, t.disc(f.id), f.quality, left, f.active, f.active and not busy, threat, t.automated(f.id))

    def chance(self, attacker: int, defender: int, flanking: bool = False) -> int:
        """How likely an attack hits, by the rules' own odds."""
        key = (attacker, defender, flanking)
        found = self._chances.get(key)
        if found is None:
            exact = chance_to_win(self.t, attacker, defender, flanking)
            found = self._chances[key] = SURE * exact.numerator // exact.denominator
        return found

    def spot(self, f: Fighter, at: Point, fights: bool | None = None) -> Spot:
        """A model at a place.

        Args:
            f: The model.
            at: The place.
            fights: Whether she strikes there; as she is now where it is left out.
        """
        x, y = at
        squares = tuple([(x - u) * (x - u) + (y - v) * (y - v) for _, (u, v, _), *_ in self.foes])
        touched = tuple([number for number, square in enumerate(squares) if square <= self._contact])
        able = f.active and not idle(self.t, f.id) if fights is None else fights
        found = place(self.t, f, at)
        if self.pull and squares:
            away = min(squares)
            limit = self.reach + NEAR_ENOUGH
            if away > limit * limit:
                found -= self.pull * (isqrt(away) - limit) // INCH
        return Spot(f.id, (x, y, self.t.field.radius), f.quality, worth(self.t, f), able, squares, touched, found)

    def lost(self, worth: int, fate: Fate, stands: bool = True) -> int:
        """What a side may expect to lose of a model; one who is down already can only be removed."""
        down = (fate.kept - fate.spared) * stands
        return worth * (100 * (SURE - fate.kept) + DOWN * down) // (100 * SURE)

    def gain(self, number: int, fate: Fate) -> int:
        """What is gained by what becomes of an enemy."""
        foe = self.foes[number]
        return self.lost(foe.worth, fate, foe.stands)

    def hurt(self, fate: Fate, hit: int) -> Fate:
        """What becomes of a model by one more chance of a hit."""
        kept = fate.kept * (SURE * SURE - hit * self.removes) // (SURE * SURE)
        return Fate(fate.spared * (SURE - hit) // SURE, kept)

    # --- the whole table ----------------------------------------------------------------------------------------------

    def value(self, spots: Sequence[Spot]) -> int:
        """What a side may expect if its models stand so when its turn ends."""
        around: dict[int, list[Spot]] = {}
        for spot in spots:
            for number in spot.touched:
                around.setdefault(number, []).append(spot)
        fates = [UNHURT] * len(self.foes)
        found = sum([spot.place for spot in spots])
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
            found += self.gain(number, fates[number])
        for spot in spots:
            if spot.id in mine:
                found -= self.lost(spot.worth, mine[spot.id])
        found -= self._crowd(spots)
        if self.wary:
            found += LATER * self._answer(spots, fates, mine, around) // 100
        return found

    def strikes(self, spot: Spot, number: int, around: Sequence[Spot]) -> int:
        """How likely a model hits an enemy that she touches, with comrades around her."""
        foe = self.foes[number]
        x, y, _ = spot.disc
        flanks = any(other.id != spot.id and passes_through((x, y), other.disc[:2], foe.disc) for other in around)
        return self.chance(spot.quality, foe.quality, flanks)

    def struck(self, foe: Foe, spot: Spot) -> int:
        """How likely an enemy hits a model that she touches, with others that touch her."""
        x, y, _ = foe.disc
        flanks = any(
            self.foes[n].id != foe.id and passes_through((x, y), self.foes[n].disc[:2], spot.disc) for n in spot.touched
        )
        return self.chance(foe.quality, spot.quality, flanks)

    def _struck(self, around: dict[int, list[Spot]]) -> dict[int, Fate]:
        """What becomes of the models in contact in this turn's combat: automated models strike anybody."""
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

    def _crowd(self, spots: Sequence[Spot]) -> int:
        """What it costs to stand in each other's way, or too far from anybody for help."""
        cost = 0
        for spot in spots:
            x, y, _ = spot.disc
            near: int | None = None
            for other in spots:
                if other is not spot:
                    dx, dy = x - other.disc[0], y - other.disc[1]
                    square = dx * dx + dy * dy
                    if near is None or square < near:
                        near = square
            if near is None or spot.touched:
                continue
            if near < (self.reach + APART) ** 2:
                cost += CROWDED
            elif near > (self.reach + TOGETHER) ** 2:
                cost += ALONE * (isqrt(near) - self.reach - TOGETHER) // INCH
        return cost

    # --- the enemy's answer -------------------------------------------------------------------------------------------

    def _answer(
        self, spots: Sequence[Spot], fates: Sequence[Fate], mine: dict[int, Fate], around: dict[int, list[Spot]]
    ) -> int:
        """What the enemy's next turn may bring: who comes for which model, and how both strike then."""
        coming: dict[int, list[tuple[int, int]]] = {}
        for number, foe in enumerate(self.foes):
            able = foe.threat * fates[number].spared // SURE
            found = self._victim(number, spots, number in around) if able else None
            if found is not None:
                index, chance = found
                coming.setdefault(index, []).append((number, able * chance // SURE))
        return sum(
            [
                self._exchange(spots[index], spots, attackers, mine.get(spots[index].id, UNHURT))
                for index, attackers in coming.items()
            ]
        )

    def _victim(self, number: int, spots: Sequence[Spot], touched: bool) -> tuple[int, int] | None:
        """The model that an enemy makes for next turn, and how likely she reaches it; None where she reaches none."""
        foe = self.foes[number]
        if foe.automated:
            least, nearest = min([(spot.squares[number], index) for index, spot in enumerate(spots)], default=(0, -1))
            if nearest < 0:
                return None
            chance = CLINGS if touched else comes(isqrt(least) - self.reach)
            return (nearest, chance) if chance else None
        best: tuple[int, int] | None = None
        most = 0
        for index, spot in enumerate(spots):
            chance = charges(isqrt(spot.squares[number]) - self.reach)
            gain = chance * self.chance(foe.quality, spot.quality) * spot.worth
            loss = chance * self.chance(spot.quality, foe.quality) * foe.worth if spot.fights else 0
            if chance and (best is None or gain - loss // 2 > most):
                best, most = (index, chance), gain - loss // 2
        return best

    def astride(self, spot: Spot, one: int, other: int) -> bool:
        """Whether two enemies are on opposite sides of a model: more than 120 degrees apart."""
        x, y, _ = spot.disc
        (ax, ay, _), (bx, by, _) = self.foes[one].disc, self.foes[other].disc
        across = (ax - x) * (bx - x) + (ay - y) * (by - y)
        return across < 0 and 4 * across * across > spot.squares[one] * spot.squares[other]

    def openness(self, spot: Spot, spots: Sequence[Spot]) -> int:
        """How open a model is to be flanked: how many pairs of opposite sides are free for two enemies."""
        x, y, r = spot.disc
        free = self._free.get((x, y))
        places = [(x + dx, y + dy) for dx, dy in self._around]
        if free is None:
            free = 0
            for number, at in enumerate(places):
                if stands(self.t.ground, (*at, r), ()):
                    free |= 1 << number
            self._free[x, y] = free
        least = self.reach * self.reach
        for other in spots:
            u, v, _ = other.disc
            if other.id != spot.id and (u - x) * (u - x) + (v - y) * (v - y) < 4 * least:
                for number, (px, py) in enumerate(places):
                    if (px - u) * (px - u) + (py - v) * (py - v) < least:
                        free &= ~(1 << number)
        pairs = sum([bool(free >> a & 1 and free >> b & 1) for a, b in OPPOSITE])
        return SURE * pairs // len(OPPOSITE)

    def _exchange(self, spot: Spot, spots: Sequence[Spot], attackers: Sequence[tuple[int, int]], before: Fate) -> int:
        """What comes of some enemies who come for one model, as likely as given: her blow less theirs.

        Args:
            spot: The model.
            spots: All of her side.
            attackers: Who comes, and how likely.
            before: What may have become of her by then.
        """
        fate = UNHURT
        opened = self.openness(spot, spots) if len(attackers) > 1 else 0
        best = 0
        for number, chance in attackers:
            foe = self.foes[number]
            alone = SURE
            for other, more in attackers:
                if other != number:
                    share = ASTRIDE if self.astride(spot, number, other) else BESIDE[not foe.automated] * opened // SURE
                    alone = alone * (SURE - more * share // SURE) // SURE
            plain, flanking = self.chance(foe.quality, spot.quality), self.chance(foe.quality, spot.quality, True)
            hit = plain + (flanking - plain) * (SURE - alone) // SURE
            fate = self.hurt(fate, hit * chance // SURE)
            if spot.fights:
                blow = self.chance(spot.quality, foe.quality) * chance // SURE * before.spared // SURE
                best = max(best, self.gain(number, self.hurt(UNHURT, blow)))
        return best - self.lost(spot.worth, fate) * before.kept // SURE


def comes(gap: int) -> int:
    """How likely an automated model comes into contact with her nearest enemy in her next turn.

    On 1 to 3 she walks 4 inches, or to 2 inches from her, and charges over 4. On 4 to 6 she wanders, and charges if she
    is near enough then.

    >>> comes(2 * INCH), comes(6 * INCH), comes(9 * INCH)
    (775, 625, 0)
    """
    if gap <= 4 * INCH:
        return 500 + 275
    if gap <= 8 * INCH:
        return 500 + 225 - 50 * (gap - 4 * INCH) // INCH
    return 0


def charges(gap: int) -> int:
    """How likely somebody's model can charge one of ours in her next turn: 4 inches after 4 inches.

    >>> charges(3 * INCH), charges(7 * INCH), charges(9 * INCH)
    (1000, 850, 0)
    """
    return SURE if gap <= 4 * INCH else 850 if gap <= 8 * INCH else 0
