"""Dice: pools, rolls, where rolls come from, and exact distributions.

A rule says which dice are thrown (`Pool`); a source decides how they fall: a seed, a script, a person's real dice, or
an enumeration of every way they can fall. This package knows dice and probabilities; it knows no game.
"""

from caltrop.chance.dice import (
    Awaiting,
    Common,
    Dice,
    Enumerated,
    Once,
    Pool,
    Roll,
    Scripted,
    ScriptError,
    Seeded,
    TypedIn,
    every_way,
)
from caltrop.chance.distribution import Distribution

__all__ = [
    "Awaiting",
    "Common",
    "Dice",
    "Distribution",
    "Enumerated",
    "Pool",
    "Roll",
    "ScriptError",
    "Scripted",
    "Seeded",
    "Once",
    "TypedIn",
    "every_way",
]
