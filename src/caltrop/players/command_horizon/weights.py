"""Weights of the Command Horizon player: all numbers that are a matter of judgement.

Each player has one set of weights. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the
same. Other sets come from games of the player against itself (`caltrop.lab.tuning`). All numbers are integers:
thousandths of a victory point, or per cent.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults."""

    # Losses and gains.
    model: int = 60
    """Worth of a model, to which the following weights are added."""
    die: int = 90
    """Extra worth of each Attack Die of a model."""
    spawn: int = 120
    """Extra worth of each die by which a model spawns."""
    aura: int = 250
    """Extra worth of an aura."""
    foot: int = 20
    """Amount by which a model of infantry is worth less."""
    share: int = 400
    """Part of a unit's victory points that is lost model by model, in thousandths."""
    last: int = 600
    """Part of a unit's victory points that is lost with its last model, in thousandths."""
    marker: int = 60
    """Cost of a Stun marker."""
    token: int = 80
    drone_disabled: int = 350
    """Cost of a disabled drone."""
    drone_destroyed: int = 700
    """Cost of a destroyed drone."""
    landed: int = 90
    """Worth of a Putredine base that lands beside its target."""
    attached: int = 270
    """Worth of a base that becomes a Worm Token."""
    spawned: int = 90
    """Worth of each model of a Carrier unit that has moved far enough to spawn."""

    # The enemy's next turn.
    caution: int = 38
    """Weight of the enemy's next turn in the value of a place, in per cent."""
    unseen: int = 45
    """Weight of a threat by an enemy in range that does not see the place, in per cent."""
    near: int = 60
    """Weight of a threat by an enemy that comes into range with a short move, in per cent."""
    far: int = 22
    """Weight of a threat by an enemy that comes into range with a longer move, in per cent."""
    attaching: int = 110
    """Cost of a base of enemy infantry near a vehicle."""
    charging: int = 20
    """Cost of enemy infantry near infantry, in per cent of the unit's worth."""
    second: int = 40
    """Weight of the second greatest threat, in per cent; the greatest threat has 70 per cent."""
    third: int = 25
    """Weight of the third greatest threat, in per cent."""
    together: int = 30
    """Decrease of a threat for each unit nearby, in per cent, because the enemy divides its fire."""
    answered: int = 70
    """Weight of losses by reaction fire in the value of a shot, in per cent."""

    # Places.
    later: int = 25
    """Weight of targets in the next turn from the new place, in per cent."""
    offer: int = 50
    """Weight of coming nearer to targets, in per cent."""
    lead: int = 14
    """Cost of each centimetre by which a unit is ahead of the others."""
    lead_task: int = 7
    """Cost of each centimetre by which a unit with an assigned objective is ahead of the others."""
    task: int = 80
    """Weight of the distance to an objective, in per cent of its worth, for a unit that can secure it."""
    spoil: int = 40
    """Weight of the distance to an objective, in per cent of its worth, for a unit that cannot secure it."""
    fade: int = 80
    """Part of the weight of an objective's distance that remains after every further 10 cm, in per cent."""
    focus: int = 70
    """Cost of 10 cm of distance from where fighting is expected."""
    focus_behind: int = 35
    """Cost of 10 cm of distance from where fighting is expected, for artillery and command."""
    through: int = 80
    """Weight of leaving over the enemy's edge, in per cent."""
    mine: int = 25
    """Weight of holding one's own objective, in per cent of its worth."""
    contest: int = 333
    """Weight of taking or contesting another objective, in thousandths of its worth."""

    # Command points.
    reserve: int = 100
    """Worth of points saved for the enemy's turn, in per cent of `plan.RESERVE`."""
    saved: int = 45
    """Smallest gain for which a command point is spent on fire."""
    mark: int = 100
    """Smallest gain of a mark."""
    act: int = 160
    """Worth of an extra point that lets a unit act."""
    boost: int = 60
    """Worth of an extra point that boosts a shot."""
    spare: int = 25
    """Worth of an extra point for any other use."""
    rather: int = 60
    """Gain beyond an act of the Command unit that concentrating command needs."""
    rid: int = 100
    """Smallest gain of removing a marker, in per cent of the default."""


VETERAN = Weights()
"""The weights of the veteran and of the levels below it."""
