"""Players by name. Players are found by their modules, so there is no list to edit.

An installed package adds players by the entry point group `caltrop.players`. Each entry names a callable without
arguments that returns a player, for every game or for those in its attribute `rulesets`. On this machine a person may
also name a player as `MODULE:NAME` (`maker_of`). Over the network only registered names are allowed (`player`).
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from caltrop.engine import ruleset
from caltrop.errors import InputError
from caltrop.players.checked import Making, cause_of
from caltrop.players.judgement import STYLES
from caltrop.players.ladder import OTHER_NAMES
from caltrop.players.protocol import Player
from caltrop.players.uniform import Uniform


def home_of(game: str) -> str | None:
    """Return the name of the module or package with a game's own players; None if Caltrop has none."""
    name = f"{__package__}.{game.replace('-', '_')}"
    return None if importlib.util.find_spec(name) is None else name


@lru_cache(maxsize=1)
def _installed() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group="caltrop.players"))


def _own(game: str) -> dict[str, Callable[[], Player]]:
    home = home_of(game)
    own = {} if home is None else importlib.import_module(home).PLAYERS
    return {"random": Uniform, **own}


@lru_cache(maxsize=32)
def makers(game: str) -> Mapping[str, Callable[[], Player]]:
    """Return the functions that make the computer players of a game, by name.

    Raises ValueError for an unknown game.
    """
    ruleset(game)  # raises ValueError if the game does not exist
    by_name = _own(game)
    for point in _installed():
        made = point.load()
        if point.name not in by_name and game in getattr(made, "rulesets", (game,)):
            by_name[point.name] = made
    return by_name


def players(game: str) -> tuple[str, ...]:
    """Return the names of a game's computer players, weakest first. Further names are in `other_names` and `styles_of`.

    Raises ValueError for an unknown game.
    """
    return tuple(makers(game))


def other_names(game: str) -> Mapping[str, str]:
    """Return the earlier names of a game's players, each with its present name."""
    levels = makers(game)
    return {other: name for other, name in OTHER_NAMES.items() if name in levels and other not in levels}


def styles_of(name: str, game: str) -> tuple[str, ...]:
    """Return the styles in which a player can play, as in `veteran+bold`."""
    return tuple(STYLES) if hasattr(makers(game).get(name), "styled") else ()


def playable(game: str) -> tuple[str, ...]:
    """Return every name by which a game's computer players can be chosen: present and earlier names, with and without
    styles.

    Raises ValueError for an unknown game.
    """
    names = listed(game)
    return (*names, *[f"{name}+{style}" for name in names for style in styles_of(_level(name, game), game)])


def listed(game: str) -> tuple[str, ...]:
    """Return the names of the computer players of a game, weakest first, each followed by its other names.

    Raises ValueError for an unknown game.
    """
    besides = other_names(game)
    return tuple([one for name in players(game) for one in (name, *[o for o, n in besides.items() if n == name])])


def _level(name: str, game: str) -> str:
    return other_names(game).get(name, name)


def _maker(name: str, game: str) -> Callable[[], Player]:
    """Return a function that makes a player. The answers of a player from another package are checked."""
    make = _named(name, game)
    installed = {point.name for point in _installed()} - {"random"}
    level = _level(name.partition("+")[0], game)
    return Making(make, name, ruleset(game)) if level in installed and level not in _own(game) else make


def _named(name: str, game: str) -> Callable[[], Player]:
    levels = makers(game)
    level, plus, style = name.partition("+")
    level = _level(level, game)
    if level not in levels:
        near = difflib.get_close_matches(level, [*levels, *other_names(game)], 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(levels)}"
        raise InputError(f"{game} has no player {name!r}; {hint}")
    if not plus:
        return levels[level]
    some = styles_of(level, game)
    if not some:
        raise InputError(f"the player {level!r} of {game} has no styles; name it without {plus + style!r}")
    if style not in some:
        near = difflib.get_close_matches(style, some, 1, 0.4)
        hint = f"did you mean {level}+{near[0]}?" if near else f"there are {', '.join(some)}"
        raise InputError(f"there is no style {style!r}; {hint}")
    made: Any = levels[level]
    styled: Callable[[], Player] = made.styled(STYLES[style])
    return styled


def player(name: str, game: str) -> Player:
    """Return a new player for one game.

    Raises ValueError for an unknown game, player or style; the message names the nearest.

    Args:
        name: One of the player's names, with a style if it has styles, as in `veteran+bold`.
    """
    return _maker(name, game)()


def maker_of(who: str | Callable[[], Player], game: str) -> Callable[[], Player]:
    """Return a function that makes a player, named by a person on this machine.

    Raises ValueError for an unknown game or player, or InputError for a module that cannot be imported or a callable
    that is missing or needs arguments.

    Args:
        who: The name of one of the game's players, `MODULE:NAME`, or a function that makes a player.
    """
    if isinstance(who, str) and ":" not in who:
        return _maker(who, game)
    return Making(_imported(who) if isinstance(who, str) else who, name_of(who), ruleset(game))


def name_of(who: str | Callable[[], Player]) -> str:
    if isinstance(who, str):
        return who
    kind: Any = who if hasattr(who, "__qualname__") else type(who)
    return f"{kind.__module__}:{kind.__qualname__}"


def _imported(who: str) -> Any:
    """Return the object named by `MODULE:NAME`. Modules in the working folder can be imported."""
    module, _, name = who.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise InputError(f"{who!r} names no player: write MODULE:NAME, as in bots:Bold", field="players")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()  # the file may have been written after Python listed the folder
    try:
        value: Any = importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            beside = [path.stem for path in Path(here).glob("*.py")]
            message = f"there is no module {error.name!r} to make the player {who!r}{_nearest(error.name, beside)}"
            raise InputError(message, field="players") from None
        raise InputError(
            f"the module {module!r} of the player {who!r} failed: {cause_of(error)}", field="players"
        ) from error
    for part in name.split("."):
        holder = value
        try:
            value = getattr(holder, part)
        except AttributeError:
            message = f"{module} has no {name!r} that makes a player{_nearest(part, dir(holder))}"
            raise InputError(message, field="players") from None
    return value


def _nearest(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else ""
