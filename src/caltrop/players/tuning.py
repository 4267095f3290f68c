"""Weights of a game's players that can be tuned by games against themselves, and the results.

Tunable weights are the constant `TUNABLE` in the module `tuning` of a game's players. `caltrop.lab.tuning` plays the
games, and its output may be stored beside that module as `tuned.json`.
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
    """The tunable weights of a game's players, and the function that makes such a player."""

    start: Any
    """Immutable record of whole numbers from which the tuning starts."""
    spread: Mapping[str, int]
    """Names of the tuned numbers, each with the step of a trial."""
    player: Callable[..., Player]
    """Returns a player; its argument `weights` takes the numbers."""

    def make(self, weights: Any) -> Callable[[], Player]:
        return partial(self.player, weights=weights)


def tunable(game: str) -> Tunable:
    """Return the tunable weights of a game's players. Raises InputError if the game has none."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.tuning") is None:
        raise InputError(f"the players of {game} have no weights that could be tuned")
    tunable: Tunable = importlib.import_module(f"{home}.tuning").TUNABLE
    return tunable


def tuned(home: str, start: W) -> W:
    """Return the tuned weights of a game's players.

    Raises msgspec.ValidationError if the file has an unknown weight, or a value that is not a whole number.

    Args:
        home: Path of the calling module. `tuned.json` is beside it and has the changed weights.
        start: Weights before tuning.
    """
    changed = msgspec.json.decode(Path(home).with_name("tuned.json").read_bytes(), type=dict[str, int])
    return msgspec.convert(msgspec.structs.asdict(start) | changed, type(start))
