"""The weights of the Squad Action player that are tuned, each with a step of about a third of it.

Weights that rarely matter are left out. Weights that differ by turn are tuned by one factor for all turns.
"""

from __future__ import annotations

from caltrop.players.squad_action.heuristic import Heuristic
from caltrop.players.squad_action.weights import VETERAN
from caltrop.players.tuning import Tunable

SPREAD = {
    "victory": 1500,
    "alive": 8,
    "pinned": 7,
    "broken": 15,
    "lasts_0": 8,
    "lasts_1": 15,
    "lasts_2": 15,
    "threat": 30,
    "focus": 40,
    "held_last": 25,
    "held_first": 15,
    "left_0": 250,
    "left_1": 160,
    "carrier": 4000,
    "launcher": 50,
    "again": 15,
    "promised": 2,
    "future_first": 25,
    "future_second": 22,
    "unseen": 14,
    "far": 4,
    "approach": 35,
    "risk_first": 17,
    "risk_second": 20,
    "comes": 20,
    "strays": 6,
    "hidden": 5,
    "stormed": 14,
    "outgunned": 35,
    "spoilt": 30,
    "daring": 25,
    "level": 20,
    "stronger": 40,
    "crossing": 30,
    "marker": 140,
    "watching": 18,
    "ambush": 22,
    "two_tokens": 20,
    "spring": 170,
    "hopeful": 20,
    "then_storm": 18,
    "backed": 30,
    "rally": 8,
    "urge": 2,
    "crowded": 200,
    "objective_early": 8,
    "objective_last": 30,
    "objective_first": 15,
    "helper": 100,
    "objective_inch": 70,
    "helper_inch": 35,
    "drive": 35,
    "pull": 35,
    "fetch": 35,
    "fetched": 1000,
    "home_inch": 450,
    "chase_inch": 70,
    "struck": 35,
    "stays_out": 4,
}

TUNABLE = Tunable(VETERAN, SPREAD, Heuristic)
