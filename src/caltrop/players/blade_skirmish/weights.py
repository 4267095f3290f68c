"""Weights of the Blade Skirmish player: every number that is a judgement rather than a rule.

A player has one set. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the same. Other
sets come from games of the player against itself (`caltrop.lab.tuning`). All are integers: points (a model of Quality 1
is worth 100), per cent, probabilities in thousandths, or lengths in hundredths of an inch.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A weight of 0 makes the player ignore the thing."""

    # Losses and gains.
    quality_0: int = 60
    """Worth of a model of Quality 0."""
    quality_1: int = 100
    """Worth of a model of Quality 1."""
    quality_2: int = 150
    """Worth of a model of Quality 2. Each step is less than twice the last, because losing a fight loses everybody."""
    quality_3: int = 220
    """Worth of a model of Quality 3."""
    quality_4: int = 310
    """Worth of a model of Quality 4."""
    quality_5: int = 420
    """Worth of a model of Quality 5."""
    quality_6: int = 550
    """Worth of a model of Quality 6."""
    victory: int = 110
    """Worth of a victory point for a model, if points are counted."""
    carrier: int = 350
    """Extra worth of the model with the relic."""
    captain: int = 400
    """Extra worth of a captain if the scenario is about her."""
    needed: int = 300
    """Extra worth of a model that is needed for enough to leave; less if more can be spared."""
    down: int = 40
    """Worth of stunning a model or putting her to flight, in per cent of removing her."""
    finish: int = 0
    """Extra worth of an enemy who is down, in per cent, because she recovers."""

    # When nobody is in reach.
    pull: int = 8
    """Cost of an inch to the nearest enemy, for a side that has to attack."""
    patience: int = 6
    """The same cost while the side can wait."""
    pressing: int = 4
    """Increase of that cost with each turn if a player moves the enemy, who may wait as well."""
    haste: int = 6
    """With fewer turns left than these it waits no longer."""
    near_enough: int = 400
    """Nearer than this the odds say whether to go nearer still."""
    alone: int = 5
    """Cost of an inch to the nearest comrade, beyond the first few."""
    second: int = 8
    """Cost of an inch to the second nearest comrade if only enemies matter, because models who arrive one by one die.
    """
    together: int = 400
    """Comrades nearer than this can help one another."""
    crowded: int = 4
    """Cost of standing so near to a comrade that both block each other."""
    apart: int = 75
    """Distance from a comrade below which both block each other."""
    slips: int = 120
    """Cost of standing on slippery floor."""
    cornered: int = 8
    """Cost of each inch too near to the edge of the table, because a flight from there is short."""
    room: int = 200
    """Distance from the edge from which `cornered` costs nothing."""

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
    """Weight of that cost on the way to a wanted captain, in per cent."""
    holding: int = 22
    """Cost of an inch from the place to be held."""
    holding_near: int = 10
    """The same cost if each turn counts and a charge would reach the place, because the enemy there has to be beaten
    first.
    """
    holding_late: int = 200
    """Weight of that cost in the last turn, in per cent."""
    held: int = 120
    """Worth of having more models than the enemy if each turn of holding counts."""
    arrived: int = 600
    """Worth of reaching the exit."""
    home: int = 3000
    """Worth of bringing the relic home."""
    taken: int = 160
    """Worth of picking up the relic."""
    early: int = 125
    """Weight of these during a walk, in per cent, because there is time for more."""
    escort: int = 3
    """Cost of an inch between the carrier of the relic and the others."""
    hunt: int = 12
    """Cost of an inch between an enemy carrier and the models who want the relic back."""
    screen: int = 0
    """Worth of blocking an enemy's charge at the carrier, for each enemy who may soon make one."""

    # The enemy's next turn.
    later: int = 75
    """Weight of the enemy's next turn against the combat that comes first, in per cent."""
    clings: int = 800
    """Probability that an automated model in contact is in contact after her move: she wanders off half of the time, or
    returns.
    """
    comes_near: int = 775
    """Probability that an automated model within 4 inches comes into contact."""
    comes_far: int = 725
    """Probability that an automated model farther away comes into contact."""
    comes_less: int = 50
    """Decrease of that probability for each inch more."""
    reaches: int = 850
    """Probability that a player's model charges from between 4 and 8 inches."""
    drifts: int = 300
    """Probability that a model who is now stunned acts."""
    deterred: int = 50
    """Weight of a charger's possible losses in her choice of an enemy, in per cent."""
    astride: int = 850
    """Probability that two attackers from opposite sides flank a model."""
    beside: int = 600
    """Probability that two attackers from one side flank a model if there is room."""
    beside_automated: int = 250
    """Probability that two automated attackers from one side flank a model."""
    outnumbered: int = 0
    """Cost of each enemy who may charge a model while none of the model's comrades is near, in per cent of her worth.
    """
    exposed: int = 0
    """Cost of standing free where enemies may charge, in per cent of the model."""
    backing: int = 0
    """Worth of a comrade who can help a model in contact, in per cent of the enemy there."""

    # Flight.
    shaken: int = 35
    """Cost of fleeing at the end of the turn, in per cent of the model."""
    struck: int = 67
    """Cost of a hit that nothing prevents, in per cent of the model."""

    # Deployment.
    front: int = 4
    """Cost of an inch from where the enemy is met, at deployment."""
    astray: int = 6
    """Cost of an inch from the nearest comrade, beyond the first few, at deployment."""
    in_touch: int = 3
    """Number of inches those that are."""
    packed: int = 40
    """Cost of standing nearer than `spacing` to a comrade, at deployment."""
    spacing: int = 200
    """Sufficient distance between comrades, centre to centre."""
    corner: int = 500
    """Distance from the west edge at deployment if enemies are spread over the whole width."""

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
        """Return the cost of an inch on a journey, by the number of spare turns."""
        each = (self.time_0, self.time_1, self.time_2, self.time_3, self.time_4)
        return each[min(max(spare, 0), len(each) - 1)]


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
