"""Silly scripts against the computer players: `python -m tests.players.honest GAME [--players …] [--output FILE]`.

Every pair of games has the same dice, and the seats swapped between its two. If the rules play one of the sides, level
and script play the other side in turn with the same dice, and their shares of wins are compared. This is a measurement
that takes minutes, not a test. With `--output`, each game is a line of a file, and games in the file are not played
again.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.journal import Setting
from caltrop.lab.proof import interval
from caltrop.players import Player, Seated, maker_of
from caltrop.players.proof import proof

LEVELS = "heuristic,greedy,easy"


def module(kind: str, game: str) -> ModuleType | None:
    """Return a module of a kind for a game; None if there is none."""
    name = f"tests.players.{kind}.{game.replace('-', '_')}"
    return importlib.import_module(name) if importlib.util.find_spec(name) is not None else None


GAMES = [game for game in rulesets() if module("silly", game) is not None]
"""Games with silly scripts."""


def scripts(game: str) -> dict[str, Callable[[], Player]]:
    """Return the silly scripts of a game by name, with an old heuristic if there is one."""
    silly, frozen = module("silly", game), module("frozen", game)
    result: dict[str, Callable[[], Player]] = dict(silly.SILLY) if silly is not None else {}
    if frozen is not None and hasattr(frozen, "Heuristic"):
        result["frozen"] = frozen.Heuristic
    return result


def setting_of(game: str, scenario: str, number: int) -> Setting:
    """Return the setting; the armies change with each pair of games if the players' proof has several."""
    page = proof(game)
    pairings = page.pairings if page is not None else ()
    return Setting.chosen(game, None, scenario, pairings[number // 2 % len(pairings)] if pairings else (), None, {})


def points(
    game: str, scenario: str, seed: int, number: int, one: Callable[[], Player], other: Callable[[], Player]
) -> int:
    """Return the half points of the first of two players in a game; in odd games the seats are swapped."""
    swapped = number % 2
    key = f"{seed} {scenario} {number // 2}"
    match = setting_of(game, scenario, number).begin(Seeded(key), keep=False)
    seats = (other, one) if swapped else (one, other)
    over = Seated(match, tuple(make() for make in seats), (Seeded(f"{key} 0"), Seeded(f"{key} 1"))).play()
    return 1 if over.winner is None else 2 * int(over.winner == swapped)


def alone(game: str, scenario: str, seed: int, number: int, who: Callable[[], Player]) -> int:
    """Return the half points of a player in a game in which the rules play the other side."""
    key = f"{seed} {scenario} {number}"
    match = setting_of(game, scenario, number).begin(Seeded(key), keep=False)
    moved = set(ruleset(game).automated(match.state))
    side = next(one for one in (0, 1) if one not in moved)
    over = Seated(match, (who(), who()), (Seeded(f"{key} 0"), Seeded(f"{key} 1"))).play()
    return 1 if over.winner is None else 2 * int(over.winner == side)


def _kept(path: Path | None) -> dict[str, int]:
    if path is None or not path.exists():
        return {}
    return {row["game"]: row["points"] for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def lines(
    game: str, levels: list[str], named: list[str], scenarios: list[str], games: int, seed: int, path: Path | None
) -> Iterator[str]:
    """Yield every known row of the table."""
    stored = _kept(path)

    def found(key: str, play: Callable[..., int], *with_: Any) -> int:
        if key not in stored:
            stored[key] = play(*with_)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"game": key, "points": stored[key]}) + "\n")
        return stored[key]

    every = scripts(game)
    for level, scenario in product(levels, scenarios):
        make = maker_of(level, game)
        start = setting_of(game, scenario, 0).begin(Seeded(0), keep=False)
        if ruleset(game).automated(start.state):
            for name, who in ((level, make), *[(script, every[script]) for script in named]):
                key = f"{seed} {scenario} {name}"
                won = [found(f"{key} {n}", alone, game, scenario, seed, n, who) for n in range(games)]
                yield _line(f"{name} alone", scenario, won)
            continue
        for script in named:
            key, other = f"{seed} {scenario} {level} {script}", every[script]
            won = [found(f"{key} {n}", points, game, scenario, seed, n, make, other) for n in range(games)]
            yield _line(f"{level} against {script}", scenario, won)


def _line(who: str, scenario: str, won: list[int]) -> str:
    low, high = interval(sum(won), len(won))
    wins, draws = won.count(2), won.count(1)
    share = sum(won) / (2 * len(won))
    return (
        f"| {who} | {scenario} | {wins} | {draws} | {len(won) - wins - draws} | {100 * share:.0f} % | "
        f"{100 * low:.0f} to {100 * high:.0f} % |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--players", default=LEVELS)
    parser.add_argument("--scripts", default="")
    parser.add_argument("--scenarios", default="")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    named = [name for name in given.scripts.split(",") if name] or list(scripts(given.game))
    ids = [scenario.id for scenario in ruleset(given.game).scenarios()]
    scenarios = [name for name in given.scenarios.split(",") if name] or ids
    print("| players | scenario | wins | draws | losses | share | interval |\n|---|---|---|---|---|---|---|")
    for line in lines(given.game, given.players.split(","), named, scenarios, given.games, given.seed, given.output):
        print(line, flush=True)


if __name__ == "__main__":
    main()
