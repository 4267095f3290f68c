"""Dice: pools, rolls, where rolls come from, and exact distributions.

A rule says which dice are thrown (`Pool`). A source decides how they fall: a seed, a script, or a person's real dice.
This package knows dice and probabilities; it knows no game.
"""

from caltrop.chance.dice import (
    Awaiting,
    Common,
    Dice,
    Informed,
    Once,
    Pool,
    Roll,
    Scripted,
    ScriptError,
    Seeded,
    TooManyOutcomes,
    TypedIn,
    every_way,
)
from caltrop.chance.distribution import Distribution
from caltrop.chance.interval import Z95, wilson
from caltrop.chance.listing import GivenRolls, OpenThrow, RollMissing, every_result
from caltrop.chance.reading import (
    FACES,
    IN_ORDER,
    SUM,
    Outcomes,
    RollReading,
    Summed,
    at_least,
    counted,
    outcomes,
)

__all__ = [
    "FACES",
    "IN_ORDER",
    "SUM",
    "Z95",
    "Awaiting",
    "Common",
    "Dice",
    "Distribution",
    "GivenRolls",
    "Informed",
    "OpenThrow",
    "Outcomes",
    "Pool",
    "Roll",
    "RollMissing",
    "RollReading",
    "ScriptError",
    "Scripted",
    "Seeded",
    "Once",
    "Summed",
    "TooManyOutcomes",
    "TypedIn",
    "at_least",
    "counted",
    "every_result",
    "every_way",
    "outcomes",
    "wilson",
]
