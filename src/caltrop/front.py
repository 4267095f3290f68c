"""The functions of `import caltrop` for Python programs.

`caltrop` imports these names when they are first used, so that the import itself loads no ruleset. They are short cuts
for bots, experiments and notebooks to functions of other packages.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import HouseValue, Match, referee_of, rulesets
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.lab.series import SeriesOrder, play_series
from caltrop.players import Player
from caltrop.scenarios.whole import odds_of

__all__ = ["Seeded", "games", "new", "odds", "resolve", "simulate"]


def games() -> tuple[str, ...]:
    """Return the names of the rulesets.

    >>> "duel" in games()
    True
    """
    return rulesets()


def new(
    ruleset: str,
    *,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    seed: int | str | None = None,
) -> Match:
    """Begin a game.

    Args:
        ruleset: Its name, as in `games()`.
        scenario: Id of a scenario or the path of a scenario file; by default the first scenario.
        edition: An edition; by default the first edition.
        armies: The id of an army or the path of an army list, for each side that has a player.
        size: Size of the armies, if the scenario leaves it open.
        rules: House rules by name.
        seed: Decides the dice; by default a random seed, which is then in `match.seed`.

    Returns:
        A match at its first decision.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.

    >>> match = new("duel", seed=7)
    >>> [decision.side for decision in match.waiting]
    [0, 1]
    """
    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    seed = secrets.randbits(48) if seed is None else seed
    try:
        match = setting.begin(Seeded(seed))
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None
    match.seed = seed
    return match


def resolve(request: Mapping[str, Any]) -> dict[str, Any]:
    """Referee one attack with given dice, as `caltrop resolve` does.

    Args:
        request: The attack request, which names its ruleset.

    Raises:
        InputError: for a fault of the request, and for dice that the rules do not call for.
    """
    return referee_of(request).resolve(_plain(request))


def odds(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exact odds of one attack, of several at one target, or of a whole act, as `caltrop odds` does.

    Args:
        request: The attack request without dice. For several attacks: `ruleset`, and `sequence`, a list of requests, of
            which the first describes the target. For a whole act: `ruleset`, a `scene`, and lines of `play` as in a
            ruling, of which the last is the act.

    Raises:
        InputError: for a fault of the request.
    """
    return odds_of(request)


def simulate(
    ruleset: str,
    players: Sequence[str | Callable[[], Player]] = ("random", "random"),
    *,
    num: int,
    seed: int,
    scenario: str | None = None,
    edition: str | None = None,
    armies: Sequence[str] | None = None,
    size: int | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    swap: bool = False,
    jobs: int = 1,
) -> dict[str, Any]:
    """Play whole games. The same seed gives the same games for any number of processes.

    Args:
        ruleset: Its name, as in `games()`.
        players: The two players: names, `MODULE:NAME`, or callables that make a player.
        num: Number of games.
        seed: Any whole number.
        scenario: See `new`.
        edition: See `new`.
        armies: See `new`.
        size: See `new`.
        rules: See `new`.
        swap: True if the players change seats every second game.
        jobs: Number of processes. With two or more a callable has to be one that another process can import.

    Returns:
        The keys of `caltrop simulate --json`.

    Raises:
        InputError: for a name or a value that does not exist, and for an illegal answer of a player.
        caltrop.lab.series.GameFailed: when a game raises an error: the first by number.
    """
    setting = Setting.chosen(ruleset, edition, scenario, armies or (), size, rules or {})
    order = SeriesOrder(setting=setting, players=_two(players), games=num, seed=seed, swap=swap)
    series: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(play_series(order, jobs)))
    return series


def _two(players: Any) -> tuple[Any, Any]:
    if not isinstance(players, Sequence) or isinstance(players, str) or len(players) != 2:
        raise InputError("a series has two players, as in ('easy', 'random')", field="players")
    return players[0], players[1]


def _plain(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request with lists in place of tuples, as if it were read from JSON."""
    fields: dict[str, Any] = msgspec.to_builtins(dict(request))
    return fields
