"""Weights of the Hex Command player: every number that is a judgement rather than a rule.

A player has one set. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the same. Other
sets come from games of the player against itself (`caltrop.lab.tuning`). All are integers: points (a banner is worth
100), or per cent.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.tuning import tuned


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A weight of 0 makes the player ignore the thing."""

    # Losses and gains.
    point: int = 5
    """Worth of a point of a unit's price, besides its banners: what the unit will still do."""
    last_model: int = 35
    """Part of a unit's worth that is in its last model, in per cent, because that model wins the banner."""
    prize: int = 400
    """Extra worth of a unit whose loss loses the battle."""
    walker: int = 200
    """Extra worth of a unit that has to walk to a row of hexes."""
    urgent_last: int = 300
    """Worth of a banner, in per cent, if one is missing."""
    urgent_two: int = 160
    """Worth of a banner, in per cent, if two are missing."""
    urgent_three: int = 120
    """Worth of a banner, in per cent, if three are missing."""
    permanent: int = 20
    """Extra worth of an objective that stays captured for good, besides its banner."""
    temporary: int = 90
    """Worth of the banner of another objective, in per cent."""
    deny: int = 60
    """Worth of occupying an objective of the enemy alone."""
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

    # The enemy's next turn.
    care: int = 22
    """Weight of the enemy's possible attacks on a unit, in per cent, because the enemy orders only a few units in a
    turn.
    """
    daring: int = 14
    """Weight of those attacks, in per cent, for a side that loses if nothing happens."""
    edge: int = 1
    """Extra weight of those attacks, in per cent, for each missing neighbouring hex, because the unit has fewer ways to
    fall back.
    """
    most_feared: int = 60
    """No more of a unit than this is feared for, in per cent."""
    shared: int = 0
    """Share of an enemy's possible attack that units take from one another, in per cent, because it battles only once.
    """
    precious: int = 0
    """Distance that a unit counts as more to lose, the fewer banners the enemy still needs; in per cent of that."""
    ambushed: int = 100
    """Amount that an Ambush counts that the enemy may hold, in per cent of how likely that is."""

    # Ways.
    step: int = 3
    """Cost of a hex on the way to the enemy."""
    pressed: int = 6
    """The same cost for a side that loses if nothing happens."""
    hunted: int = 6
    """The same cost on the way to an enemy whose loss wins the battle."""
    quarry: int = 40
    """Extra preference for that enemy as a destination."""
    way: int = 5
    """Cost of a hex on the way to an objective."""
    objective: int = 30
    """Worth of reaching an objective."""
    foe: int = 24
    """Worth of reaching an enemy."""
    prey: int = 20
    """Number of points of an enemy's worth that attract as much as one point of reaching it."""
    hurry: int = 8
    """Number of turns before the limit at which a side begins to hurry."""
    row: int = 70
    """Worth of a row for a unit that has to reach the last one."""
    hold: int = 4
    """Worth of the loss of a leader who lets the unit stand, in hexes of driving the unit back."""
    near: int = 3
    """Cost of a hex away from the place to hold, for a side that wins by waiting."""
    menace: int = 0
    """Weight of a unit's possible attacks in its next turn, in per cent."""
    company: int = 0
    """Worth of a friend in a neighbouring hex, for at most two."""

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
    """Weight of a card's gain now against its later worth, in per cent."""
    bother: int = 2
    """Least gain of a move, so that nobody marches for next to nothing."""
    again: int = 0
    """Deduction for attacking an enemy that another unit of the same card attacks, in per cent."""
    follow: int = 0
    """Weight of the harm that other units can still do after a battle, when it is chosen, in per cent."""
    ambush: int = 15
    """Least gain of an Ambush."""
    mend: int = 80
    """Worth of a point of strength that is repaired, in per cent."""
    dig: int = 3
    """Divisor of the expected loss that digging in avoids."""
    friends: int = 125
    """Weight of friends that a card also strikes, in per cent of enemies."""

    # The worth of keeping a card for a later turn: about its effect in a good one.
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
"""Those of the veteran, and of the levels below it."""
TUNED = tuned(__file__, VETERAN)
"""Those of the levels above it: games of veterans against themselves have shown them (notebook/opponents-trials.md)."""
