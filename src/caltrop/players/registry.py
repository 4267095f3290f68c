"""Players by name. The folder is the registry: nothing has a list to edit."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from functools import lru_cache

from caltrop.engine import ruleset
from caltrop.players.protocol import Player
from caltrop.players.uniform import Uniform


@lru_cache(maxsize=32)
def makers(game: str) -> Mapping[str, Callable[[], Player]]:
    """How the computer players of a game are made, by name.

    Raises:
        ValueError: when there is no such game.
    """
    ruleset(game)  # a game that there is none of is named as such
    found: dict[str, Callable[[], Player]] = {"random": Uniform}
    name = f"{__package__}.{game.replace('-', '_')}"
    if importlib.util.find_spec(name) is not None:
        found.update(importlib.import_module(name).PLAYERS)
    return found


def players(game: str) -> tuple[str, ...]:
    """The names of the computer players of a game.

    Raises:
        ValueError: when there is no such game.
    """
    return tuple(makers(game))


def player(name: str, game: str) -> Player:
    """A new player for one game.

    Raises:
        ValueError: when there is no such game, or it has no such player; the message names the nearest.
    """
    known = makers(game)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise ValueError(f"{game} has no player {name!r}; {hint}")
    return known[name]()
