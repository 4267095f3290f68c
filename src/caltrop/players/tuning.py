"""Weights of a game's players that games against themselves can tune, and the results of the tuning.

A game's players may have them as the constant `TUNABLE` of their module `tuning`. `caltrop.lab.tuning` plays the games,
and its output may be stored beside them as `tuned.json`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from caltrop.errors import InputError
from caltrop.players.protocol import Player
from caltrop.players.registry import home_of

W = TypeVar("W", bound=msgspec.Struct)


class Tunable(NamedTuple):
    """Weights of a game's players that can be tuned, and the function that makes such a player."""

    start: Any
    """Frozen record of whole numbers from which the tuning begins."""
    spread: Mapping[str, int]
    """Names of the numbers that are tuned, and how far a trial moves each of them."""
    player: Callable[..., Player]
    """Function that makes a player; its argument `weights` takes the numbers."""

    def make(self, weights: Any) -> Callable[[], Player]:
        return partial(self.player, weights=weights)


def tunable(game: str) -> Tunable:
    """Return the tunable weights of a game's players. Raises InputError when they have none."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.tuning") is None:
        raise InputError(f"the players of {game} have no weights that could be tuned")
    tunable: Tunable = importlib.import_module(f"{home}.tuning").TUNABLE
    return tunable


def tuned(home: str, start: W) -> W:
    """Return the weights of a game's players as games have tuned them.

    Raises msgspec.ValidationError when the file names a weight that does not exist, or gives one no whole number.

    Args:
        home: Path of the calling module. `tuned.json` lies beside it and holds the weights that have changed.
        start: Weights before the tuning.
    """
    changed = msgspec.json.decode(Path(home).with_name("tuned.json").read_bytes(), type=dict[str, int])
    return msgspec.convert(msgspec.structs.asdict(start) | changed, type(start))
