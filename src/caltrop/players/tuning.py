"""The weights of a game's players that can be tuned by games against themselves, and the results.

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
    """The tunable weights of a game's players."""

    start: Any
    """A frozen record of whole numbers, from which it begins."""
    spread: Mapping[str, int]
    """The numbers that are tuned, and how far a trial moves each of them."""
    player: Callable[..., Player]
    """Makes a player; the numbers that it goes by are its argument `weights`."""

    def make(self, weights: Any) -> Callable[[], Player]:
        return partial(self.player, weights=weights)


def tunable(game: str) -> Tunable:
    """Return what of a game's players can be tuned. Raises InputError when nothing can."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.tuning") is None:
        raise InputError(f"the players of {game} have no weights that could be tuned")
    tunable: Tunable = importlib.import_module(f"{home}.tuning").TUNABLE
    return tunable


def tuned(home: str, start: W) -> W:
    """Return the weights of a game's players as games have tuned them.

    Raises msgspec.ValidationError when the file names a weight that does not exist, or gives one no whole number.

    Args:
        home: The file of the module that asks; `tuned.json` lies beside it, and says what is other than at the start.
        start: The weights that it began with.
    """
    changed = msgspec.json.decode(Path(home).with_name("tuned.json").read_bytes(), type=dict[str, int])
    return msgspec.convert(msgspec.structs.asdict(start) | changed, type(start))
