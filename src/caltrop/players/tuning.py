"""What of a game's players can be tuned by games against themselves.

A game's players may have it as the constant `TUNABLE` of their module `tuning`; `caltrop.lab.tuning` plays.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from caltrop.players.protocol import Player
from caltrop.players.registry import home_of


class Tunable(NamedTuple):
    """What of a game's players can be tuned."""

    start: Any
    """A frozen record of whole numbers, from which it begins."""
    spread: Mapping[str, int]
    """The numbers that are tuned, and how far a trial moves each of them."""
    make: Callable[[Any], Callable[[], Player]]
    """What makes players by such numbers."""


def tunable(game: str) -> Tunable:
    """What of a game's players can be tuned.

    Raises:
        ValueError: when nothing can.
    """
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.tuning") is None:
        raise ValueError(f"the players of {game} have no weights that could be tuned")
    found: Tunable = importlib.import_module(f"{home}.tuning").TUNABLE
    return found
