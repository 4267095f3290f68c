"""The weights of the Blade Skirmish player that are tuned, each with a step of about a third of it.

Weights that do not matter between two players are left out: those for automated models, exits, and captains to be
felled. The worth of a model of Quality 2, the most frequent, is the unit.
"""

from __future__ import annotations

from caltrop.players.blade_skirmish.heuristic import Heuristic
from caltrop.players.blade_skirmish.weights import VETERAN
from caltrop.players.tuning import Tunable

SPREAD = {
    "quality_1": 30,
    "quality_3": 60,
    "victory": 36,
    "carrier": 110,
    "down": 13,
    "finish": 15,
    "pull": 3,
    "pressing": 2,
    "near_enough": 130,
    "alone": 2,
    "second": 2,
    "together": 130,
    "crowded": 2,
    "cornered": 3,
    "room": 60,
    "time_0": 13,
    "time_1": 13,
    "time_2": 9,
    "time_3": 4,
    "time_4": 2,
    "holding": 7,
    "holding_late": 60,
    "held": 50,
    "taken": 55,
    "early": 40,
    "escort": 2,
    "hunt": 4,
    "screen": 20,
    "later": 25,
    "reaches": 150,
    "drifts": 100,
    "deterred": 20,
    "astride": 150,
    "beside": 200,
    "outnumbered": 8,
    "exposed": 5,
    "backing": 8,
    "shaken": 12,
    "struck": 22,
    "front": 2,
    "astray": 2,
    "in_touch": 1,
    "packed": 13,
    "spacing": 60,
}

TUNABLE = Tunable(VETERAN, SPREAD, Heuristic)
