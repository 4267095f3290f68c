"""What the player of Command Horizon takes things to be worth: every number that is a judgement, and no rule.

A player is given one set. `VETERAN` has the numbers that were chosen by hand, and its games stay as they are; others
come of games of the player against itself (`caltrop.lab.tuning`). All are whole numbers: thousandths of a victory
point, or per cent.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """One set; the numbers given here are the veteran's."""

    # What is lost and won.
    model: int = 60
    """What any model is worth,"""
    die: int = 90
    """each of its Attack Dice,"""
    spawn: int = 120
    """each die with which it spawns,"""
    aura: int = 250
    """and an aura."""
    foot: int = 20
    """What less a model of infantry is worth."""
    share: int = 400
    """How much of a unit's victory points counts as lost model by model, in thousandths,"""
    last: int = 600
    """and how much with the last one."""
    marker: int = 60
    """A Stun marker: a die less, no boost, and 1 CP to be rid of it."""
    token: int = 80
    """A Worm Token."""
    drone_disabled: int = 350
    """What a drone's being disabled costs,"""
    drone_destroyed: int = 700
    """and its being destroyed."""
    landed: int = 90
    """A Putredine base that lands beside its target."""
    attached: int = 270
    """What a base that becomes a Worm Token is worth."""
    spawned: int = 90
    """What it is worth to a Carrier to go far enough to spawn, for each model."""

    # What the enemy may do.
    caution: int = 38
    """How much of what the enemy may do next turn counts against a place, in per cent."""
    unseen: int = 45
    """What of a threat counts from an enemy in range that does not see the place, in per cent;"""
    near: int = 60
    """from one that comes into range with a short move,"""
    far: int = 22
    """and with a longer one."""
    attaching: int = 110
    """What a base of infantry near a vehicle threatens."""
    charging: int = 20
    """What infantry near infantry threatens, in per cent of what is left of the unit."""
    second: int = 40
    """Amount that the second threat counts, in per cent, where the first counts 70;"""
    third: int = 25
    """and the third."""
    together: int = 30
    """How much less a threat is, in per cent, for each unit beside: the enemy shares its fire out."""
    answered: int = 70
    """How much of what reaction fire costs counts against a shot, in per cent."""

    # Places.
    later: int = 25
    """How much what can be shot at from a place counts once more for the next turn, in per cent."""
    offer: int = 50
    """How much what comes nearer to be shot at counts, in per cent."""
    lead: int = 14
    """What each centimetre costs that a unit runs ahead of the others;"""
    lead_task: int = 7
    """and of one that has an objective to see to."""
    task: int = 80
    """Amount that the way to an objective counts, in per cent of what it is worth, for who can secure it;"""
    spoil: int = 40
    """and for others."""
    fade: int = 80
    """To how many per cent it fades with every 10 cm."""
    focus: int = 70
    """What 10 cm cost on the way to where the battle is sought;"""
    focus_behind: int = 35
    """and for artillery and command."""
    through: int = 80
    """Amount that a breakthrough counts, in per cent."""
    mine: int = 25
    """What standing on one's own objective counts, in per cent of what it is worth;"""
    contest: int = 333
    """and on another one that this takes or spoils, in thousandths of that."""

    # Command points.
    reserve: int = 100
    """What the points saved for the enemy's turn are worth, in per cent of what is usual."""
    saved: int = 45
    """What a command point has to bring more than, to be spent on fire."""
    mark: int = 100
    """What a mark has to bring more than."""
    act: int = 160
    """What a point more is worth that lets a unit act,"""
    boost: int = 60
    """one that boosts a shot,"""
    spare: int = 25
    """and any other."""
    rather: int = 60
    """What concentrating has to bring more than what the Command unit would do itself."""
    rid: int = 100
    """What being rid of a marker has to bring, in per cent of what is usual."""


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
