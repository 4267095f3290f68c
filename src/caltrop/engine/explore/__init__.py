"""Exact odds of procedures, found by running the procedures themselves."""

from caltrop.engine.explore.answer import TIMES, Explored, Stops, estimate, explore
from caltrop.engine.explore.chain import Chain, explore_answer
from caltrop.engine.explore.live import live_fields
from caltrop.engine.explore.solve import (
    GO_ON,
    LEFT_OUT,
    NODES,
    STOP,
    Best,
    CannotExplore,
    ClosedForm,
    Explorer,
    FormOf,
    Policy,
    View,
    first_option,
)
from caltrop.engine.explore.solved import Solved

__all__ = [
    "GO_ON",
    "LEFT_OUT",
    "NODES",
    "STOP",
    "TIMES",
    "Best",
    "CannotExplore",
    "Chain",
    "Explored",
    "ClosedForm",
    "Explorer",
    "FormOf",
    "Policy",
    "Solved",
    "Stops",
    "View",
    "estimate",
    "explore",
    "explore_answer",
    "first_option",
    "live_fields",
]
