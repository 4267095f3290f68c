"""Weights of the Command Horizon player: every number that is a judgement rather than a rule.

A player has one set. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the same. Other
sets come from games of the player against itself (`caltrop.lab.tuning`). All are integers: thousandths of a victory
point, or per cent.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """One set; the numbers given here are the veteran's."""

    # Losses and gains.
    model: int = 60
    """Basic worth of any model."""
    die: int = 90
    """Extra worth of each Attack Die of a model."""
    spawn: int = 120
    """Extra worth of each die with which a model spawns."""
    aura: int = 250
    """Extra worth of an aura."""
    foot: int = 20
    """Reduction of the worth of a model of infantry."""
    share: int = 400
    """Part of a unit's victory points that is lost model by model, in thousandths."""
    last: int = 600
    """Part of a unit's victory points that is lost with its last model, in thousandths."""
    marker: int = 60
    """A Stun marker: a die less, no boost, and 1 CP to be rid of it."""
    token: int = 80
    drone_disabled: int = 350
    """Cost of a drone that is disabled."""
    drone_destroyed: int = 700
    """Cost of a drone that is destroyed."""
    landed: int = 90
    """A Putredine base that lands beside its target."""
    attached: int = 270
    """Worth of a base that becomes a Worm Token."""
    spawned: int = 90
    """Worth of a Carrier that has moved far enough to spawn, for each model."""

    # The enemy's next turn.
    caution: int = 38
    """Weight of the enemy's next turn against a place, in per cent."""
    unseen: int = 45
    """Weight of a threat by an enemy in range that does not see the place, in per cent."""
    near: int = 60
    """Weight of a threat by an enemy that comes into range with a short move, in per cent."""
    far: int = 22
    """Weight of a threat by an enemy that comes into range with a longer move, in per cent."""
    attaching: int = 110
    """Threat of a base of infantry near a vehicle."""
    charging: int = 20
    """Threat of infantry near infantry, in per cent of what is left of the unit."""
    second: int = 40
    """Weight of the second greatest threat, in per cent; the greatest has 70."""
    third: int = 25
    """Weight of the third greatest threat, in per cent."""
    together: int = 30
    """Decrease of a threat, in per cent, for each unit beside, because the enemy divides its fire."""
    answered: int = 70
    """Weight of losses by reaction fire against a shot, in per cent."""

    # Places.
    later: int = 25
    """Weight of targets at the new place for the next turn, in per cent."""
    offer: int = 50
    """Weight of targets that come closer, in per cent."""
    lead: int = 14
    """Cost of each centimetre that a unit is ahead of the others."""
    lead_task: int = 7
    """Cost of each centimetre that a unit with an objective to take is ahead of the others."""
    task: int = 80
    """Weight of the way to an objective, in per cent of its worth, for a unit that can secure it."""
    spoil: int = 40
    """Weight of the way to an objective, in per cent of its worth, for a unit that cannot secure it."""
    fade: int = 80
    """Part of the weight of the way to an objective that remains after every further 10 cm, in per cent."""
    focus: int = 70
    """Cost of 10 cm on the way to where the battle is expected."""
    focus_behind: int = 35
    """Cost of 10 cm on that way for artillery and command."""
    through: int = 80
    """Weight of a breakthrough, in per cent."""
    mine: int = 25
    """Weight of holding an objective of one's own, in per cent of its worth."""
    contest: int = 333
    """Weight of taking or contesting another objective, in thousandths of its worth."""

    # Command points.
    reserve: int = 100
    """Worth of points saved for the enemy's turn, in per cent of the usual."""
    saved: int = 45
    """Least gain of a command point spent on fire."""
    mark: int = 100
    """Least gain of a mark."""
    act: int = 160
    """Worth of an extra point that lets a unit act."""
    boost: int = 60
    """Worth of an extra point that boosts a shot."""
    spare: int = 25
    """Worth of any other extra point."""
    rather: int = 60
    """Extra gain that concentrating needs over the Command unit's own act."""
    rid: int = 100
    """Least gain of removing a marker, in per cent of the usual."""


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
