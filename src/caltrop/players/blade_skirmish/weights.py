"""Weights of the Blade Skirmish player: all numbers that are a matter of judgement.

Each player has one set of weights. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the
same. Other sets come from games of the player against itself (`caltrop.lab.tuning`). All numbers are integers: points
(a model of Quality 1 is worth 100), per cent, probabilities in thousandths, or lengths in hundredths of an inch.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A feature with weight 0 is ignored."""

    # Losses and gains.
    quality_0: int = 60
    """Worth of a model of Quality 0."""
    quality_1: int = 100
    """Worth of a model of Quality 1."""
    quality_2: int = 150
    """Worth of a model of Quality 2: less than twice Quality 1, because a lost fight loses the whole model."""
    quality_3: int = 220
    """Worth of a model of Quality 3."""
    quality_4: int = 310
    """Worth of a model of Quality 4."""
    quality_5: int = 420
    """Worth of a model of Quality 5."""
    quality_6: int = 550
    """Worth of a model of Quality 6."""
    victory: int = 110
    """Worth of a victory point that a model gives to the enemy, if points are counted."""
    carrier: int = 350
    """Extra worth of the model with the relic."""
    captain: int = 400
    """Extra worth of a captain who must be felled."""
    needed: int = 300
    """Extra worth of a model who is needed so that enough can leave; less if more can be spared."""
    down: int = 40
    """Worth of stunning a model or putting her to flight, in per cent of removing her."""
    finish: int = 0
    """Extra worth of removing a stunned or fleeing enemy before she recovers, in per cent."""

    # Enemies out of reach.
    pull: int = 8
    """Cost of an inch from the nearest enemy, for a side that has to attack."""
    patience: int = 6
    """Cost of an inch from the nearest enemy, for a side that can wait."""
    pressing: int = 4
    """Increase of `patience` with each turn if the enemy is a player, who may wait as well."""
    haste: int = 6
    """Number of turns before the limit at which a side that could wait begins to attack."""
    near_enough: int = 400
    """Distance from an enemy below which only odds decide whether to go nearer."""
    alone: int = 5
    """Cost of an inch to the nearest comrade, beyond the first few."""
    second: int = 8
    """Cost of an inch to the second nearest comrade if only enemies matter, because models who arrive one by one die.
    """
    together: int = 400
    """Distance within which comrades can help each other."""
    crowded: int = 4
    """Cost of standing so near a comrade that both block each other."""
    apart: int = 75
    """Distance from a comrade below which both block each other."""
    slips: int = 120
    """Cost of standing on slippery floor."""
    cornered: int = 8
    """Cost of each inch too near to the edge of the table, because a flight from there is short."""
    room: int = 200
    """Distance from the edge beyond which `cornered` has no cost."""

    # The scenario's goal.
    time_0: int = 40
    """Cost of an inch on a journey with no spare turn."""
    time_1: int = 40
    """Cost of an inch on a journey with one spare turn."""
    time_2: int = 26
    """Cost of an inch on a journey with two spare turns."""
    time_3: int = 12
    """Cost of an inch on a journey with three spare turns."""
    time_4: int = 5
    """Cost of an inch on a journey with four or more spare turns."""
    hunted: int = msgspec.field(name="wanted", default=50)
    """Weight of the cost of an inch on the way to a captain who must be felled, in per cent."""
    holding: int = 22
    """Cost of an inch of distance from the place to be held."""
    holding_near: int = 10
    """Cost of an inch of distance from the place to be held, within reach of a charge, if each turn scores."""
    holding_late: int = 200
    """Weight of that cost in the last turn, in per cent."""
    held: int = 120
    """Worth of having more models than the enemy at the place, if each turn of holding scores."""
    arrived: int = 600
    """Worth of reaching the exit."""
    home: int = 3000
    """Worth of bringing the relic home."""
    taken: int = 160
    """Worth of picking up the relic."""
    early: int = 125
    """Weight of picking up or arriving during a walk, in per cent, because time is left for more."""
    escort: int = 3
    """Cost of an inch between the carrier of the relic and the others."""
    hunt: int = 12
    """Cost of an inch between an enemy carrier and the models who chase her."""
    screen: int = 0
    """Worth of blocking an enemy's charge at the carrier, for each enemy who could charge her soon."""

    # The enemy's next turn.
    later: int = 75
    """Weight of the enemy's next turn in comparison with this turn's combat, in per cent."""
    clings: int = 800
    """Probability that an automated model in contact is still in contact after her move."""
    comes_near: int = 775
    """Probability that an automated model within 4 inches comes into contact."""
    comes_far: int = 725
    """Probability that an automated model farther away comes into contact."""
    comes_less: int = 50
    """Decrease of that probability for each further inch."""
    reaches: int = 850
    """Probability that a player's model charges from a distance between 4 and 8 inches."""
    drifts: int = 300
    """Probability that a stunned model acts in her next turn."""
    deterred: int = 50
    """Weight of a charger's possible losses in the choice of her target, in per cent."""
    astride: int = 850
    """Probability that two attackers from opposite sides flank a model."""
    beside: int = 600
    """Probability that two attackers from the same side flank a model if there is room."""
    beside_automated: int = 250
    """Probability that two automated attackers from the same side flank a model."""
    outnumbered: int = 0
    """Cost of each enemy who may charge a model without comrades nearby, in per cent of her worth."""
    exposed: int = 0
    """Cost of standing out of contact where enemies may charge, in per cent of the model's worth."""
    backing: int = 0
    """Worth of a comrade who can help a model in contact, in per cent of the enemy's worth."""

    # Flight.
    shaken: int = 35
    """Cost of fleeing at the end of the turn, in per cent of the model's worth."""
    struck: int = 67
    """Cost of an automatic hit, in per cent of the model's worth."""

    # Deployment.
    front: int = 4
    """Cost of an inch of distance from where the enemy is expected, at deployment."""
    astray: int = 6
    """Cost of an inch from the nearest comrade, beyond the first few, at deployment."""
    in_touch: int = 3
    """Number of inches that `astray` ignores."""
    packed: int = 40
    """Cost of standing nearer than `spacing` to a comrade, at deployment."""
    spacing: int = 200
    """Distance between comrades, from centre to centre, that is wide enough."""
    corner: int = 500
    """Distance from the west edge at deployment, if enemies are spread over the whole width."""

    def model(self, quality: int) -> int:
        """Return the worth of a model by her Quality."""
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
        """Return the cost of an inch on a journey, by the number of spare turns."""
        each = (self.time_0, self.time_1, self.time_2, self.time_3, self.time_4)
        return each[min(max(spare, 0), len(each) - 1)]


VETERAN = Weights()
"""The weights of the veteran and of the levels below it."""
