"""A sample of computer games that goes round everything a ruleset comes with.

The conformance table counts in it how often each clause changed something, so it must meet every race, scenario and
edition, and players who use what the rules offer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle, islice, product
from time import monotonic

from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.lab.series import GameFailed, Order, play_game
from caltrop.players import players


def settings(name: str) -> Iterator[Setting]:
    """Every scenario with every pairing of factions, in every edition that has them, at the default house rules."""
    rules = ruleset(name)
    for scenario, edition in product(rules.scenarios(), rules.editions):
        factions = list(dict.fromkeys(a.faction for a in rules.armies() if not a.editions or edition in a.editions))
        for pairing in product(factions, repeat=2) if factions else [()]:
            yield Setting(ruleset=name, edition=edition, scenario=scenario.id, armies=tuple(pairing))


def play_sample(name: str, games: int, seed: int) -> tuple[str, ...]:
    """Play *games* games in this process, so that the marks of this process count what fired.

    Returns:
        The names of the players that took part.

    Raises:
        GameFailed: when a game raises an error.
    """
    skilled = "heuristic" if "heuristic" in players(name) else "random"
    pairs = cycle([(skilled, skilled), (skilled, "random"), ("random", skilled), ("random", "random")])
    told = monotonic()
    for number, (setting, pair) in enumerate(zip(islice(cycle(settings(name)), games), pairs, strict=False)):
        result = play_game(Order(setting=setting, players=pair, games=games, seed=seed), number)
        if result.failed:
            raise GameFailed(result)
        if monotonic() - told > 2:
            told = monotonic()
            print(f"\r{name}: {number + 1} of {games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tuple(dict.fromkeys((skilled, "random")))
