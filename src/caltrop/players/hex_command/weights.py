"""Weights of the Hex Command player: all numbers that are a matter of judgement.

Each player has one set of weights. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the
same. Other sets come from games of the player against itself (`caltrop.lab.tuning`). All numbers are integers: points
(a banner is worth 100), or per cent.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.tuning import tuned


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A feature with weight 0 is ignored."""

    # Losses and gains.
    point: int = 5
    """Worth of a point of a unit's price, in addition to its banners."""
    last_model: int = 35
    """Part of a unit's worth in its last model, in per cent, because its loss gives the banner."""
    prize: int = 400
    """Extra worth of a unit whose destruction loses the battle."""
    walker: int = 200
    """Extra worth of a unit that has to walk to a row of hexes."""
    urgent_last: int = 300
    """Worth of a banner if a side needs one more, in per cent."""
    urgent_two: int = 160
    """Worth of a banner if a side needs two more, in per cent."""
    urgent_three: int = 120
    """Worth of a banner if a side needs three more, in per cent."""
    permanent: int = 20
    """Extra worth of an objective that stays captured, in addition to its banner."""
    temporary: int = 90
    """Worth of the banner of a temporary objective, in per cent."""
    deny: int = 60
    """Worth of occupying an objective that counts only for the enemy."""
    oust: int = 80
    """Worth of driving off a unit that holds an objective."""
    unseat: int = 25
    """Worth of driving off a unit that occupies an objective without holding it."""
    retreat: int = 6
    """Worth of each of the first two hexes of an enemy's retreat."""
    finish: int = 300
    """Extra worth of destroying a unit that gives the last banners."""
    leader: int = 100
    """Worth of capturing a leader."""

    # Enemy attacks.
    care: int = 22
    """Weight of the enemy's possible attacks on a unit, in per cent: the enemy orders only a few units in a turn."""
    daring: int = 14
    """Weight of enemy attacks in per cent, for a side that loses by waiting."""
    edge: int = 1
    """Extra weight of enemy attacks, in per cent, for each hex around the unit that is off the map."""
    most_feared: int = 60
    """Largest expected loss that is considered, in per cent of the unit's worth."""
    shared: int = 0
    """Part of an enemy's possible attack that its other targets draw away, in per cent, as the enemy battles only once.
    """
    precious: int = 0
    """Weight of the increase in a unit's worth to the enemy when the enemy needs few banners, in per cent."""
    ambushed: int = 100
    """Weight of an Ambush that the enemy may hold, in per cent of its probability."""

    # Distances.
    step: int = 3
    """Cost of a hex of distance from the enemy."""
    pressed: int = 6
    """Cost of a hex of distance from the enemy, for a side that loses by waiting."""
    hunted: int = 6
    """Cost of a hex of distance from an enemy whose destruction wins the battle."""
    quarry: int = 40
    """Extra worth of that enemy as a destination."""
    way: int = 5
    """Cost of a hex of distance from an objective."""
    objective: int = 30
    """Worth of reaching an objective."""
    foe: int = 24
    """Worth of reaching an enemy."""
    prey: int = 20
    """Number of points of an enemy's worth that count as one point of worth of reaching it."""
    hurry: int = 8
    """Number of turns before the limit at which a side begins to hurry."""
    row: int = 70
    """Worth of each row for a unit that has to reach the last row."""
    hold: int = 4
    """Worth of removing a unit's leader, in hexes of driving the unit back."""
    near: int = 3
    """Cost of a hex of distance from the place to hold, for a side that wins by waiting."""
    menace: int = 0
    """Weight of a unit's possible attacks in its next turn, in per cent."""
    company: int = 0
    """Worth of a friend in a neighbouring hex, for at most two friends."""

    # Single leaders.
    host: int = 30
    """Worth of joining a unit, for a single leader."""
    host_strength: int = 3
    """Extra worth for each model of that unit."""
    host_far: int = 2
    """Extra worth for each hex between that unit and the enemy."""
    alone_near: int = 40
    """Cost of a single leader alone within two hexes of an enemy."""
    alone: int = 15
    """Cost of a single leader alone within three hexes of an enemy."""

    # Cards and orders.
    now: int = 200
    """Weight of a card's gain now in comparison with its later worth, in per cent."""
    bother: int = 2
    """Smallest gain for which a unit moves."""
    again: int = 0
    """Reduction for attacking an enemy that another unit of the same card attacks, in per cent."""
    follow: int = 0
    """Weight of the other units' later gains in the choice of a battle, in per cent."""
    ambush: int = 15
    """Smallest gain of an Ambush."""
    mend: int = 80
    """Worth of a repaired point of strength, in per cent."""
    dig: int = 3
    """Divisor of the expected loss that digging in avoids."""
    friends: int = 125
    """Weight of friends that a card also strikes, in per cent of the weight of enemies."""

    # The worth of keeping a card: about its effect in a good later turn.
    keep_scout: int = 6
    keep_probe: int = 12
    keep_attack: int = 22
    keep_assault: int = 30
    keep_broad_front: int = 22
    keep_general_advance: int = 36
    keep_pincer: int = 26
    keep_direct_command: int = 32
    keep_infantry_storm: int = 26
    keep_armoured_spearhead: int = 28
    keep_god_machines_walk: int = 34
    keep_barrage: int = 40
    keep_orbital_lance: int = 40
    keep_field_repair: int = 30
    keep_ambush: int = 45
    keep_dig_in: int = 16
    keep_shield_surge: int = 45
    keep_inspired_leadership: int = 30
    keep_counter_order: int = 22
    keep_fire_zone: int = 26
    keep_cold_steel: int = 30

    def keep(self, card: str) -> int:
        worth: int = getattr(self, _kept_as(card))
        return worth


@cache
def _kept_as(card: str) -> str:
    for section in ("-left", "-centre", "-right"):
        card = card.removesuffix(section)
    return "keep_" + card.replace("-", "_")


VETERAN = Weights()
"""The weights of the veteran and of the levels below it."""
TUNED = tuned(__file__, VETERAN)
"""The weights of the levels above the veteran, from games of veterans (notebook/opponents-trials.md)."""
