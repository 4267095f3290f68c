"""What the player of Blade Skirmish takes things to be worth: every number that is a judgement, and no rule.

A player is given one set. `VETERAN` has the numbers that were chosen by hand, and its games stay as they are; others
come of games of the player against itself (`caltrop.lab.tuning`). All are whole numbers: points, where a model of
Quality 1 is worth a hundred; per cent; chances in parts of a thousand; or lengths in hundredths of an inch.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """One set; the numbers given here are the veteran's. What it does not see at all has the weight 0."""

    # What is lost and won.
    quality_0: int = 60
    """What a model of Quality 0 is worth,"""
    quality_1: int = 100
    """of Quality 1,"""
    quality_2: int = 150
    """of Quality 2: each step is less than twice the last, for a fight lost is lost with everybody;"""
    quality_3: int = 220
    """of Quality 3,"""
    quality_4: int = 310
    """of Quality 4,"""
    quality_5: int = 420
    """of Quality 5,"""
    quality_6: int = 550
    """and of Quality 6."""
    victory: int = 110
    """What the victory point is worth that a model brings where points are counted."""
    carrier: int = 350
    """What the model with the relic is worth besides."""
    captain: int = 400
    """What a captain is worth besides where all is about her."""
    needed: int = 300
    """What a model is worth besides where too few can leave without her; the less, the more can be spared."""
    down: int = 40
    """What it is worth to stun a model or put her to flight, in per cent of taking her off the table."""
    finish: int = 0
    """What an enemy who is down counts more, in per cent: she comes back."""

    # Where nobody is in reach.
    pull: int = 8
    """What an inch from the nearest enemy costs a side that has to find them;"""
    patience: int = 6
    """and what while it can wait for them."""
    pressing: int = 4
    """How much more it costs with each turn where somebody plays the enemy, who may wait as well."""
    haste: int = 6
    """With fewer turns left than these it waits no longer."""
    near_enough: int = 400
    """Nearer than this the odds say whether to go nearer still."""
    alone: int = 5
    """What an inch from the nearest comrade costs, beyond the first few;"""
    second: int = 8
    """and from the second nearest, where the enemy is all that matters: who comes one by one dies so."""
    together: int = 400
    """Comrades nearer than this can help one another."""
    crowded: int = 4
    """What it costs to stand so near to a comrade that both are in each other's way."""
    apart: int = 75
    """How near that is."""
    slips: int = 120
    """What it costs to stand where the floor is slippery."""
    cornered: int = 8
    """What an inch costs that is missing to the edge of the table: who flees from there does not come far."""
    room: int = 200
    """How far from the edge is far enough."""

    # What the scenario is about.
    time_0: int = 40
    """What an inch costs on a way that has to be gone, with no turn more for it than it takes,"""
    time_1: int = 40
    """with one turn more,"""
    time_2: int = 26
    """with two,"""
    time_3: int = 12
    """with three,"""
    time_4: int = 5
    """and with four or more."""
    wanted: int = 50
    """How much of it counts on the way to a captain who is wanted, in per cent."""
    holding: int = 22
    """What an inch costs from what is to be held;"""
    holding_near: int = 10
    """and what where each turn is counted and a charge would take her there: the enemy there has to be beaten first;"""
    holding_late: int = 200
    """how much of it counts in the last turn, in per cent."""
    held: int = 120
    """What it is worth to have more models than the enemy where each turn of holding is counted."""
    arrived: int = 600
    """What it is worth to be at the way out,"""
    home: int = 3000
    """to bring the relic home,"""
    taken: int = 160
    """and to take it."""
    early: int = 125
    """How much that counts on a walk, in per cent: there is time for more."""
    escort: int = 3
    """What an inch costs between the carrier of the relic and the others."""
    hunt: int = 12
    """What an inch costs between an enemy who carries it and those who want it back."""
    screen: int = 0
    """What it is worth to stand in the way that an enemy would charge the carrier, for each enemy who may soon."""

    # What the enemy may do.
    later: int = 75
    """What the enemy's next turn counts for beside the combat that comes first, in per cent."""
    clings: int = 800
    """How likely an automated model in contact is so after her move: she wanders off half of the time, or returns."""
    comes_near: int = 775
    """How likely one comes into contact from within 4 inches,"""
    comes_far: int = 725
    """and from farther away;"""
    comes_less: int = 50
    """how much less likely for each inch more."""
    reaches: int = 850
    """How likely somebody's model charges from between 4 and 8 inches away."""
    drifts: int = 300
    """How likely one acts who is stunned yet."""
    deterred: int = 50
    """How much what a charger may lose counts in the choice of an enemy, in per cent."""
    astride: int = 850
    """How likely two who come for one model from opposite sides flank her;"""
    beside: int = 600
    """how likely two do who come from one side where there is room,"""
    beside_automated: int = 250
    """and if the dice lead them."""
    outnumbered: int = 0
    """What each enemy costs who may charge a model and has no comrade of hers near to meet him, in per cent of her."""
    exposed: int = 0
    """What it costs to touch nobody and stand where enemies may charge, in per cent of the model."""
    backing: int = 0
    """What it is worth that a comrade can come to the help of who is in contact, in per cent of the enemy there."""

    # Flight.
    shaken: int = 35
    """What it costs to be fleeing when the turn ends, in per cent of the model."""
    struck: int = 67
    """What a hit costs that nothing averts, in per cent of the model."""

    # Where the models are put down.
    front: int = 4
    """What an inch costs from where the enemy is met."""
    astray: int = 6
    """What an inch costs from the nearest comrade, beyond the first few."""
    in_touch: int = 3
    """Number of inches those that are."""
    packed: int = 40
    """What it costs to stand nearer than this to one:"""
    spacing: int = 200
    """so far apart, centre to centre."""
    corner: int = 500
    """How far from the west edge they stand where enemies are spread over the whole width."""

    def model(self, quality: int) -> int:
        """Return what a model is worth by her Quality alone."""
        each = (
            self.quality_0,
            self.quality_1,
            self.quality_2,
            self.quality_3,
            self.quality_4,
            self.quality_5,
            self.quality_6,
        )
        return each[quality] if 0 <= quality < len(each) else self.quality_1

    def inch_in(self, spare: int) -> int:
        """Return what an inch costs on a way that has to be gone, with so many turns more for it than it takes."""
        each = (self.time_0, self.time_1, self.time_2, self.time_3, self.time_4)
        return each[min(max(spare, 0), len(each) - 1)]


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
