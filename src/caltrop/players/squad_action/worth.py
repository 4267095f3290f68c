"""The worth of units, and the expected effect of attacks on them, in hundredths of a point of the army lists.

Averages come from exact odds. Averages are cached, because the same questions occur many times.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Any, NamedTuple

from caltrop.chance import Distribution
from caltrop.players.squad_action.weights import Weights
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.damage import Condition, condition
from caltrop.rules.squad_action.melee import After, Fighter, round_of
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.shots import Attack, ends_of_machine, ends_of_soldiers, volley_of

POINT = 100
"""Number for one point of the army lists."""
GRAIN = 20 * POINT
"""Difference between good and average options of a unit, in hundredths of a point."""
PRESSED = 4 * POINT
"""Difference between a good place and an average place if a unit has to arrive in time. The number is small, so that
errors do not make the unit too late.
"""
MOST = 50_000
"""Largest number of cached averages."""


class UnitStake(NamedTuple):
    weights: Weights
    """The weights, which are part of the cache's key."""
    model: int
    alive: int
    """Worth of having at least one model left."""
    holds: int = 0
    """Worth of the unit's service to the mission while it is neither Pinned nor gone."""

    def left(self, models: int, pinned: bool, broken: bool = False) -> int:
        if not models:
            return 0
        whole = models * self.model + self.alive
        if broken:
            return whole * (100 - self.weights.broken) // 100
        return whole * (100 - self.weights.pinned) // 100 if pinned else whole + self.holds

    def machine(self, c: Condition) -> int:
        if c.destroyed:
            return 0
        whole, w = self.model + self.alive, self.weights
        lost = w.immobile * c.immobile + w.disarmed * c.disarmed + w.pinned * c.pinned
        return whole * (100 - lost) // 100 + (0 if c.pinned else self.holds)


def price_of(u: Unit, w: Weights) -> int:
    return u.points * POINT or w.unpriced * u.starting


def stake_of(t: Firefight, unit: int, w: Weights, holds: int = 0, besides: int = 0, lasts: int = 100) -> UnitStake:
    """Return the worth of a unit, divided among its models.

    Args:
        holds: Worth of the unit's service to the mission while it is neither Pinned nor gone.
        besides: Additional loss with its last model.
        lasts: Weight of the worth of the unit's models, in per cent.
    """
    u = t.units[unit]
    whole = price_of(u, w)
    alive = whole * w.alive // 100
    if t.field.goal == "meeting":
        besides += w.victory
    elif t.field.goal == "pilot":
        # If no unit can bring the pilot home, the loss of each last model counts.
        besides += (whole - alive) * (100 - lasts) // 100
    return UnitStake(w, (whole - alive) * lasts // 100 // max(u.starting, 1), alive + besides, holds)


def now(t: Firefight, unit: int, stake: UnitStake) -> int:
    u = t.units[unit]
    return stake.machine(condition(t, unit)) if u.machine else stake.left(len(u.models), u.pinned, u.broken)


class Averages:
    """A cache of averages for one rulebook."""

    def __init__(self) -> None:
        self.kept: dict[Hashable, int] = {}
        self.ends: dict[Hashable, Distribution[Any]] = {}
        self.fights: dict[Hashable, Distribution[After]] = {}
        self.potentials: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._next = count()

    def number(self, of: Hashable) -> int:
        """Return a number for a value, so that keys of several values are short."""
        number = self._numbers.get(of)
        if number is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            number = self._numbers[of] = next(self._next)
        return number

    def harm(self, t: Firefight, attack: Attack, stake: UnitStake, officer: bool) -> int:
        u = t.units[attack.target]
        shots: tuple[Hashable, ...]
        if u.machine:
            shots = tuple([(volley_of(t, attack, b), b.at_class, b.cover, b.flame, b.faces) for b in attack.bands])
            key: Hashable = (u.row, condition(t, u.id), shots)
        else:
            shots = tuple([volley_of(t, attack, b) for b in attack.bands])
            state = (u.row, u.starting, len(u.models), u.pinned, u.broken, u.traits, officer)
            key = (state, shots, len(attack.seen), attack.flame, attack.flyer)
        harm = self.kept.get((key, stake))
        if harm is None:
            if len(self.kept) >= MOST:
                self.kept.clear()
                self.ends.clear()
            ends = self.ends.get(key)
            if ends is None:
                worked: Distribution[Any] = (ends_of_machine if u.machine else ends_of_soldiers)(t, attack)
                ends = self.ends[key] = worked
            left = [(stake.machine(end) if u.machine else stake.left(*end)) * weight for end, weight in ends.weights()]
            harm = self.kept[key, stake] = max(now(t, u.id, stake) - sum(left) // ends.total, 0)
        return harm

    def fight(self, t: Firefight, a: Fighter, d: Fighter, cover: Cover) -> Distribution[After]:
        """Return the odds of the first round of close quarters between two squads."""
        key = (a, d, cover)
        fight = self.fights.get(key)
        if fight is None:
            fight = self.fights[key] = round_of(t, a, d, cover)
        return fight


def averages_of(t: Firefight) -> Averages:
    """Return the cache of averages of a firefight's rulebook, shared by all players."""
    averages: Averages | None = t.book.scratch.get("averages of players")
    if averages is None:
        averages = t.book.scratch["averages of players"] = Averages()
    return averages


def after_fight(end: After, mine: UnitStake, theirs: UnitStake, a: Fighter, d: Fighter) -> int:
    """Return the worth of the enemy's survivors less that of the side's own, after a round of a fight.

    If both units have survivors, the rest of the fight is estimated from the squares of their numbers, and the loser is
    destroyed.
    """
    if not end.assaulters or not end.defenders:
        return theirs.left(end.defenders, True) - mine.left(end.assaulters, True)
    own = end.assaulters * end.assaulters * (7 - a.cqb) * (d.armour - 1)
    their_own = end.defenders * end.defenders * (7 - d.cqb) * (a.armour - 1)
    part = mine.weights.survivors
    won = mine.left((end.assaulters * part + 50) // 100, True)
    lost = theirs.left((end.defenders * part + 50) // 100, True)
    return (lost * their_own - won * own) // max(own + their_own, 1)
