"""What the player of Hex Command takes things to be worth: every number that is a judgement, and no rule.

A player is given one set. `VETERAN` has the numbers that were chosen by hand, and its games stay as they are; others
come of games of the player against itself (`caltrop.lab.tuning`). All are whole numbers: points, where a banner is
worth a hundred, or per cent.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.tuning import tuned


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """One set; the numbers given here are the veteran's. What it does not see at all has the weight 0."""

    # What is lost and won.
    point: int = 5
    """What a unit's price counts for beside its banners: it is what the unit will still do."""
    last_model: int = 35
    """The part of a unit that is its last model, in per cent: it is what wins the banner."""
    prize: int = 400
    """What a unit is worth besides whose loss loses the battle."""
    walker: int = 200
    """The same for one that has to walk to a row."""
    urgent_last: int = 300
    """What a banner is worth, in per cent, where one is missing;"""
    urgent_two: int = 160
    """where two are;"""
    urgent_three: int = 120
    """and where three are."""
    permanent: int = 20
    """What an objective counts besides its banner that stays captured for good."""
    temporary: int = 90
    """What the banner of another one counts, in per cent."""
    deny: int = 60
    """What it is worth to stand on what is an objective to the enemy alone."""
    oust: int = 80
    """What it is worth to drive off who holds an objective,"""
    unseat: int = 25
    """and who stands on one without holding it."""
    retreat: int = 6
    """What each of the first two hexes of a retreat is worth."""
    finish: int = 300
    """What it is worth besides to destroy what has the last banners."""
    leader: int = 100
    """What it is worth to take a leader."""

    # What the enemy may do.
    care: int = 22
    """How much of what the enemy could do to a unit counts, in per cent: it orders but a few units in a turn."""
    daring: int = 14
    """The same for a side that loses if nothing happens."""
    edge: int = 1
    """What a hex counts that is missing round a unit, in per cent of the same: it has fewer ways to fall back."""
    most_feared: int = 60
    """No more of a unit than this is feared for, in per cent."""
    shared: int = 0
    """How far units share what an enemy may do that could do it to each, in per cent: it battles once."""
    precious: int = 0
    """Distance that a unit counts as more to lose, the fewer banners the enemy still needs; in per cent of that."""
    ambushed: int = 100
    """Amount that an Ambush counts that the enemy may hold, in per cent of how likely that is."""

    # Ways.
    step: int = 3
    """What a hex on the way to the enemy costs;"""
    pressed: int = 6
    """what it costs a side that loses if nothing happens;"""
    hunted: int = 6
    """and on the way to the one enemy whose loss wins."""
    quarry: int = 40
    """How much rather it makes for that one."""
    way: int = 5
    """What a hex on the way to an objective costs."""
    objective: int = 30
    """What it is worth to be at an objective to make for."""
    foe: int = 24
    """What it is worth to be at an enemy."""
    prey: int = 20
    """Number of points of what an enemy is worth draw as much as one point of being there."""
    hurry: int = 8
    """So many turns before the limit a side begins to hurry."""
    row: int = 70
    """What a row is worth to a unit that has to walk to the last one."""
    hold: int = 4
    """Number of hexes of driving it back the loss of its leader is worth, who lets it stand."""
    near: int = 3
    """What a hex farther from what it has to hold costs a side that wins by waiting."""
    menace: int = 0
    """How much of what a unit could do from a place in its next turn counts, in per cent."""
    company: int = 0
    """What a friend in one of the hexes around is worth, two at most."""

    # Single leaders.
    host: int = 30
    """What it is worth to a single leader to be with a unit;"""
    host_strength: int = 3
    """what each model of it counts,"""
    host_far: int = 2
    """and each hex between it and the enemy."""
    alone_near: int = 40
    """What it costs a single leader to be alone within two hexes of an enemy,"""
    alone: int = 15
    """and within three."""

    # Cards and orders.
    now: int = 200
    """What counts of what a card brings now, in per cent, against what it is worth later."""
    bother: int = 2
    """What a move has to gain: nobody marches about for next to nothing."""
    again: int = 0
    """What does not count of an attack on an enemy that another unit of the same card attacks, in per cent."""
    follow: int = 0
    """Amount that it counts in the choice of a battle what it leaves the others to battle for, in per cent."""
    ambush: int = 15
    """What an Ambush has to bring."""
    mend: int = 80
    """What a point of strength that is repaired counts, in per cent."""
    dig: int = 3
    """One part in so many of what is feared counts as saved by digging in."""
    friends: int = 125
    """How much friends count that a card strikes too, in per cent of enemies."""

    # What a card in the hand is worth for a later turn: about what it does in a good one.
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
        """Return what a card is worth in the hand."""
        worth: int = getattr(self, _kept_as(card))
        return worth


@cache
def _kept_as(card: str) -> str:
    """Return the weight of a card: its name without its section."""
    for section in ("-left", "-centre", "-right"):
        card = card.removesuffix(section)
    return "keep_" + card.replace("-", "_")


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
TUNED = tuned(__file__, VETERAN)
"""Those of the levels above it: games of veterans against themselves have shown them (notebook/opponents-trials.md)."""
