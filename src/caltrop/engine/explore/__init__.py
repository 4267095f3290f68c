"""Exploring: exact odds of whole procedures, by running the procedures themselves."""

from caltrop.engine.explore.answer import TIMES, Explored, explore
from caltrop.engine.explore.live import live_fields
from caltrop.engine.explore.solve import NODES, Best, CannotExplore, Explorer, Policy, View, first_option

__all__ = [
    "NODES",
    "TIMES",
    "Best",
    "CannotExplore",
    "Explored",
    "Explorer",
    "Policy",
    "View",
    "explore",
    "first_option",
    "live_fields",
]
