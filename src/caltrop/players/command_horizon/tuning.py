"""The weights of the Command Horizon player that are tuned, each with a step of about a third of it."""

from __future__ import annotations

from msgspec.structs import replace

from caltrop.players.command_horizon.heuristic import Heuristic
from caltrop.players.command_horizon.weights import VETERAN
from caltrop.players.tuning import Tunable

SPREAD = {
    "model": 20,
    "die": 25,
    "share": 130,
    "last": 200,
    "marker": 20,
    "token": 25,
    "attached": 80,
    "spawned": 30,
    "caution": 12,
    "unseen": 15,
    "near": 18,
    "far": 10,
    "attaching": 35,
    "charging": 8,
    "second": 14,
    "third": 10,
    "together": 12,
    "answered": 20,
    "later": 9,
    "offer": 16,
    "lead": 5,
    "lead_task": 3,
    "task": 20,
    "spoil": 14,
    "fade": 6,
    "focus": 25,
    "focus_behind": 12,
    "through": 20,
    "mine": 9,
    "contest": 110,
    "reserve": 35,
    "saved": 15,
    "mark": 30,
    "act": 50,
    "boost": 20,
    "rather": 25,
    "rid": 25,
}

START = replace(VETERAN, caution=60)
"""The weights from which tuning starts: more cautious than the veteran, which loses to such a player."""

TUNABLE = Tunable(START, SPREAD, Heuristic)
