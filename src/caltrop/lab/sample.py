"""A sample of computer games that goes round everything a ruleset comes with.

The conformance table counts in it how often each clause changed something, so it must meet every race, scenario and
edition, and players who use what the rules offer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle, islice, product
from time import monotonic

from caltrop.engine import HouseValue, Ruleset, ruleset
from caltrop.journal import Setting
from caltrop.lab.series import GameFailed, Order, play_game
from caltrop.players import players

WORDS = (
    "They go through every scenario, edition and pairing of races in turn, half of them at the default house rules, "
    "and the other half with each value of the house rules that is not the default in turn, three at a time."
)
"""What the sample plays."""


def settings(name: str) -> Iterator[Setting]:
    """Every scenario with every pairing of factions, in every edition that has them, over and over.

    Every second setting has the default house rules. The others have three that differ, so that in the end each value
    of a house rule has been in play, along with others; a number that is open, as that of the rounds, stays as it is.
    """
    rules = ruleset(name)
    houses = {edition: cycle(_differing(rules, edition)) for edition in rules.editions}
    every = [
        (scenario.id, edition, tuple(pairing))
        for scenario, edition in product(rules.scenarios(), rules.editions)
        for pairing in _pairings(rules, edition)
    ]
    for number, (scenario, edition, armies) in enumerate(cycle(every)):
        # One more in each time round, so that a setting that had the default rules has others next time.
        differs = (number + number // len(every)) % 2 == 1
        house = dict(islice(houses[edition], 3)) if differs else {}
        yield Setting(ruleset=name, edition=edition, scenario=scenario, armies=armies, rules=house)


def _differing(rules: Ruleset, edition: str) -> list[tuple[str, HouseValue]]:
    acting = [s for s in rules.switches if s.min is None and (not s.editions or edition in s.editions)]
    return [(s.name, value) for s in acting for value in s.values[1:]]


def _pairings(rules: Ruleset, edition: str) -> Iterator[tuple[str, ...]]:
    factions = list(dict.fromkeys(a.faction for a in rules.armies() if not a.editions or edition in a.editions))
    yield from product(factions, repeat=2) if factions else [()]


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
    for number, (setting, pair) in enumerate(zip(islice(settings(name), games), pairs, strict=False)):
        result = play_game(Order(setting=setting, players=pair, games=games, seed=seed), number)
        if result.failed:
            raise GameFailed(result)
        if monotonic() - told > 2:
            told = monotonic()
            print(f"\r{name}: {number + 1} of {games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tuple(dict.fromkeys((skilled, "random")))
