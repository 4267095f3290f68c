"""The worth of units, models and markers, and the average effect of attacks on them.

All numbers are integers in thousandths of a victory point. Averages are exact: they are sums over `odds.distribution`,
which uses the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from caltrop.players.command_horizon.weights import VETERAN, Weights
from caltrop.rules.command_horizon.aim import model_kind
from caltrop.rules.command_horizon.attack import Attack, Ending, attack_dice
from caltrop.rules.command_horizon.odds import distribution
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.victory import points_for

POINT = 1000
"""Number for one victory point."""


class UnitWorth(NamedTuple):
    model: int
    last: int
    """Additional loss with the last model."""
    marker: int
    disabled: int
    """Loss if the unit's drone is disabled."""
    destroyed: int
    """Loss if the unit's drone is destroyed."""


@lru_cache(maxsize=1024)
def _of(w: Weights, dice: int, spawns: int, aura: int, infantry: bool, points: int, starting: int) -> UnitWorth:
    power = w.model + w.die * dice + w.spawn * spawns + (w.aura if aura else 0) - (w.foot if infantry else 0)
    share = w.share * points // max(1, starting)
    return UnitWorth(power + share, w.last * points + 50, w.marker, w.drone_disabled, w.drone_destroyed)


def worth(t: Battle, unit: int, weights: Weights = VETERAN) -> UnitWorth:
    u = t.units[unit]
    kind = kind_of(t, unit)
    # A base of Putredine infantry is worth as much as the Worm Token that it may become.
    dice = kind.dice or (1 if kind.infantry else 0)
    if kind.infantry and u.models:
        dice = max(dice, sum([model_kind(t, m).dice for m in u.models]) // len(u.models))
    points = points_for(t, unit) if t.keeps_vp else 1
    return _of(weights, dice, kind.spawn_dice, kind.aura_cm, kind.infantry, points, max(u.starting, len(u.models)))


def strength(t: Battle, unit: int, weights: Weights = VETERAN) -> int:
    w, n = worth(t, unit, weights), len(t.units[unit].models)
    return n * w.model + (w.last if n else 0)


class AverageDamage(NamedTuple):
    """The average effect of an attack."""

    harm: int
    """Loss in thousandths of a victory point."""
    kills: int
    """Models lost, in hundredths."""
    stuns: int
    """Markers placed, in hundredths."""


NOTHING = AverageDamage(0, 0, 0)

_KEPT: dict[tuple[object, ...], AverageDamage] = {}
_MOST = 60_000


def damage_of(t: Battle, attack: Attack, unit: int, weights: Weights = VETERAN) -> AverageDamage:
    """Return the average loss of an attack's target.

    Args:
        attack: The attack on the unit, from its present or expected place.
    """
    if attack.mode == "artillery" and attack.army == "putredine":
        return _seeding(t, attack, unit, weights)
    of = worth(t, unit, weights)
    target = attack.target
    if target.models <= 0:
        return NOTHING
    if target.stuns > 0:
        # Markers matter if they may reach twice the number of models; smaller numbers have the same value.
        few = 0 if target.stuns < target.models else target.models
        if few != target.stuns:
            attack = replace(attack, target=replace(target, stuns=few))
    book = t.book
    rules: tuple[object, ...] | None = book.scratch.get("player rules")
    if rules is None:
        rules = book.scratch["player rules"] = (book.edition, tuple(sorted(book.rules.items())))
    key = (rules, attack, of)
    damage = _KEPT.get(key)
    if damage is None:
        if len(_KEPT) >= _MOST:
            _KEPT.clear()
        damage = _KEPT[key] = _average(t, attack, of)
    return damage


def _average(t: Battle, attack: Attack, of: UnitWorth) -> AverageDamage:
    if attack_dice(t, attack).total <= 0:
        return NOTHING
    target = attack.target
    ends = distribution(t.book, attack)
    harm = kills = stuns = 0
    for end, weight in ends.weights():
        harm += weight * loss(of, target.models, target.stuns, target.drone, end)
        kills += weight * (target.models - end.models)
        stuns += weight * max(0, end.stuns - target.stuns) if end.models else 0
    return AverageDamage(harm // ends.total, 100 * kills // ends.total, 100 * stuns // ends.total)


def loss(of: UnitWorth, models: int, stuns: int, drone: str | None, end: Ending) -> int:
    lost = (models - end.models) * of.model
    if end.models == 0:
        return lost + of.last
    lost += of.marker * (end.stuns - stuns)
    if drone == "active" and end.drone != "active":
        lost += of.disabled if end.drone == "disabled" else of.destroyed
    return lost


def _seeding(t: Battle, attack: Attack, unit: int, weights: Weights) -> AverageDamage:
    """Return the average effect of Putredine artillery: a third of its dice land a base, a sixth attach one or kill."""
    dice = attack_dice(t, attack).total
    six = worth(t, unit, weights).model if kind_of(t, unit).infantry else weights.token + 60
    return AverageDamage(dice * (2 * weights.landed + six) // 6, 0, 0)
