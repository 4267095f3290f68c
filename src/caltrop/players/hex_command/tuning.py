"""The weights of the Hex Command player that are tuned, each with a step of about a third of it.

Weights that rarely matter are left out: those for special cards, and for features of a single scenario.
"""

from __future__ import annotations

from caltrop.players.hex_command.heuristic import Heuristic
from caltrop.players.hex_command.weights import VETERAN
from caltrop.players.tuning import Tunable

SPREAD = {
    "point": 2,
    "last_model": 12,
    "urgent_last": 80,
    "urgent_two": 40,
    "urgent_three": 25,
    "permanent": 15,
    "temporary": 25,
    "deny": 25,
    "oust": 30,
    "unseat": 12,
    "retreat": 4,
    "finish": 120,
    "leader": 35,
    "care": 8,
    "daring": 6,
    "edge": 1,
    "most_feared": 20,
    "shared": 40,
    "precious": 50,
    "ambushed": 40,
    "step": 2,
    "pressed": 2,
    "hunted": 2,
    "quarry": 15,
    "way": 2,
    "objective": 12,
    "foe": 8,
    "row": 25,
    "near": 2,
    "menace": 20,
    "company": 4,
    "host": 12,
    "now": 60,
    "bother": 2,
    "again": 40,
    "follow": 50,
    "ambush": 8,
    "keep_scout": 4,
    "keep_probe": 5,
    "keep_attack": 7,
    "keep_assault": 9,
    "keep_ambush": 15,
    "keep_shield_surge": 15,
    "keep_barrage": 12,
}

TUNABLE = Tunable(VETERAN, SPREAD, Heuristic)
