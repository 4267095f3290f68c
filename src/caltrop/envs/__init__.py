"""Environments for training players: the games with the interfaces of PettingZoo, Gymnasium and OpenSpiel.

`aec` is a PettingZoo environment of a whole game with an agent for every side. `gym` is a Gymnasium one of a side
against a computer player, and `vector` many of these side by side. The module `openspiel` registers the games with
OpenSpiel, with dice as chance nodes. All of them use `numbered` (a match whose answers are numbers), `candidates`
(which chooses the answers that get numbers) and `layout` (which turns a side's view into an array). `player` makes a
computer player of a trained policy. This package contains nothing specific to a game, and reads nothing that is hidden
from a side.

Their dependencies are not installed with Caltrop: add them with `pip install "caltrop[envs]"` and `pip install
"caltrop[openspiel]"`. Importing this package registers `caltrop/RULESET-v0` with Gymnasium if that is installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from caltrop.engine import HouseValue, rulesets
from caltrop.envs.candidates import DRAWS, MOST, PROPOSERS
from caltrop.journal import Setting
from caltrop.lab.extras import needed
from caltrop.players import Player

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from caltrop.envs.agents import Agents
    from caltrop.envs.many import VectorGames
    from caltrop.envs.numbers import ByNumber, Choose
    from caltrop.envs.single import Single

__all__ = ["aec", "gym", "player", "vector"]


def aec(
    ruleset: str,
    *,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    max_actions: int = MOST,
    proposers: Sequence[str | Callable[[], Player]] = PROPOSERS,
    render_mode: str | None = None,
    views: bool = False,
    draws: int = DRAWS,
    heads: bool = False,
) -> Agents:
    """Return a game as a PettingZoo AEC environment, with the agents `side_0` and `side_1`.

    Args:
        ruleset: Its name, as in `caltrop.games()`.
        scenario: See `caltrop.new`. A side that only the rules move has no agent.
        edition: See `caltrop.new`.
        armies: See `caltrop.new`.
        size: See `caltrop.new`.
        rules: See `caltrop.new`.
        max_actions: The largest number of answers offered at once, which is the size of the action space.
        proposers: Computer players that add their answers if there are more than can be listed; unknown ones are
            skipped. By default there are none.
        render_mode: `ansi` if `render()` returns the question in words; None if nothing is rendered.
        views: True if each info holds `view` and `actions`; otherwise `info["view"]` and `info["actions"]` are computed
            on access.
        draws: Number of random answers to an open choice.
        heads: True if an answer is chosen head by head, in a step for each: its kind, the unit that acts, its target,
            and one of `draws` answers. `max_actions` and `proposers` are then ignored.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
        ModuleNotFoundError: if PettingZoo is not installed; the message names the command.

    >>> env = aec(rulesets()[-1])
    >>> env.reset(seed=7)
    >>> env.agent_selection, int(env.observe("side_0")["action_mask"].sum()) == len(env.infos["side_0"]["actions"])
    ('side_0', True)
    """
    needed("caltrop.envs.aec", "envs", "numpy", "gymnasium", "pettingzoo")
    from caltrop.envs.agents import Agents

    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    return Agents(setting, max_actions, tuple(proposers), render_mode, views=views, draws=draws, heads=heads)


def gym(
    ruleset: str,
    *,
    opponent: str | Callable[[], Player] | None = None,
    seat: int = 0,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    max_actions: int = MOST,
    proposers: Sequence[str | Callable[[], Player]] = PROPOSERS,
    render_mode: str | None = None,
    views: bool = False,
    draws: int = DRAWS,
    heads: bool = False,
) -> Single:
    """Return a Gymnasium environment of one side of a game, against a computer player.

    The observation is the array alone; the mask is in `info["action_mask"]`.

    Args:
        ruleset: Its name, as in `caltrop.games()`.
        opponent: The player of the other side: a computer player by name, `MODULE:NAME`, or a function that makes a
            player. By default, the game's strongest player without search.
        seat: The side of the learner.
        scenario: See `aec`.
        edition: See `aec`.
        armies: See `aec`.
        size: See `aec`.
        rules: See `aec`.
        max_actions: See `aec`.
        proposers: See `aec`.
        render_mode: See `aec`.
        views: See `aec`.
        draws: See `aec`.
        heads: See `aec`.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
        ModuleNotFoundError: if Gymnasium is not installed; the message names the command.

    >>> env = gym(rulesets()[-1], opponent="random")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape == env.observation_space.shape, int(info["action_mask"].sum()) == len(info["actions"])
    (True, True)
    """
    needed("caltrop.envs.gym", "envs", "numpy", "gymnasium")
    from caltrop.envs.single import Single

    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    return Single(
        setting, opponent, seat, max_actions, tuple(proposers), render_mode, views=views, draws=draws, heads=heads
    )


def vector(
    ruleset: str,
    n: int,
    *,
    jobs: int = 1,
    opponent: str | Callable[[], Player] | None = None,
    seat: int = 0,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    max_actions: int = MOST,
    proposers: Sequence[str | Callable[[], Player]] = PROPOSERS,
    render_mode: str | None = None,
    views: bool = False,
    draws: int = DRAWS,
    heads: bool = False,
    autoreset_mode: AutoresetMode | str = "NextStep",
    copy: bool = True,
) -> VectorGames:
    """Return many games side by side as a Gymnasium vector environment, each as from `gym`.

    Equal seeds give equal arrays for any number of jobs. The workers are new processes, so a script that uses them
    needs `if __name__ == "__main__":`. They end with this process, however it ends.

    Args:
        ruleset: Its name, as in `caltrop.games()`.
        n: Number of games.
        jobs: Number of processes that play them, over shared memory; 1 for this process alone.
        opponent: See `gym`; with several jobs a name, or a function that another process can import.
        seat: See `gym`.
        scenario: See `aec`.
        edition: See `aec`.
        armies: See `aec`.
        size: See `aec`.
        rules: See `aec`.
        max_actions: See `aec`.
        proposers: See `aec`.
        render_mode: See `aec`.
        views: See `aec`; with several jobs both are sent between processes at every step, which is slow.
        draws: See `aec`.
        heads: See `aec`.
        autoreset_mode: When a finished game is restarted, as in Gymnasium: `NextStep`, `SameStep` or
            `Disabled`.
        copy: True to return new arrays at each step; otherwise each step overwrites the same ones.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
        ModuleNotFoundError: if Gymnasium is not installed; the message names the command.

    >>> games = vector(rulesets()[-1], 3, opponent="random")
    >>> seen, info = games.reset(seed=7)
    >>> seen.shape == (3, games.layout.size), info["action_mask"].shape
    (True, (3, 64))
    """
    needed("caltrop.envs.vector", "envs", "numpy", "gymnasium")
    from caltrop.envs.many import Recipe, VectorGames

    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    recipe = Recipe(setting, opponent, seat, max_actions, tuple(proposers), render_mode, views, draws, heads)
    return VectorGames(recipe, n, jobs, autoreset_mode, copy)


def player(
    ruleset: str,
    choose: Choose,
    *,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    max_actions: int = MOST,
    proposers: Sequence[str | Callable[[], Player]] = PROPOSERS,
    draws: int = DRAWS,
    heads: bool = False,
) -> ByNumber:
    """Return a computer player that chooses by the array and the mask of an environment, such as a trained network.

    The player can be an opponent in an environment. If a function `NAME` without arguments makes it, series and studies
    accept it as `MODULE:NAME`. The keywords must be those of the environment in which it was trained, so that its
    arrays have the same layout.

    Args:
        ruleset: Its name, as in `caltrop.games()`.
        choose: Gets the array and the mask, and returns the number of an answer.
        scenario: See `aec`.
        edition: See `aec`.
        armies: See `aec`.
        size: See `aec`.
        rules: See `aec`.
        max_actions: See `aec`.
        proposers: See `aec`.
        draws: See `aec`.
        heads: See `aec`; the player then chooses once for each head.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
        ModuleNotFoundError: if NumPy is not installed; the message names the command.

    >>> last = rulesets()[-1]
    >>> env = gym(last, opponent=lambda: player(last, lambda array, mask: int(mask.sum()) - 1))
    >>> observation, info = env.reset(seed=7)
    >>> int(info["action_mask"].sum()) > 0
    True
    """
    needed("caltrop.envs.player", "envs", "numpy")
    from caltrop.envs.numbers import ByNumber

    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    return ByNumber(setting, choose, max_actions, tuple(proposers), draws, heads)


def _enter_with_gymnasium() -> None:
    """Register every game with `gymnasium.make`."""
    from gymnasium.envs.registration import register, registry

    for name in rulesets():
        if (id := f"caltrop/{name}-v0") not in registry:
            register(id=id, entry_point="caltrop.envs:gym", kwargs={"ruleset": name})


if importlib.util.find_spec("gymnasium") is not None and importlib.util.find_spec("numpy") is not None:
    _enter_with_gymnasium()
