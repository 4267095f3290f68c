"""Measures single questions of Blade Skirmish: the exact odds of an attack, and a whole turn of automated models.

`python -m benchmarks.bench_skirmish` prints these with whole games and the local server.
`make bench ARGS=blade-skirmish` writes all of them to the page.
"""

from __future__ import annotations

from functools import partial
from statistics import median
from time import process_time
from typing import Any

from benchmarks.bench_games import SKIRMISHES, begin, measure, thinking
from benchmarks.bench_hex import acting
from benchmarks.clock import clock, nothing_known
from caltrop.chance import Seeded
from caltrop.engine import referee_of
from caltrop.engine.known import forget

FLANKED: dict[str, Any] = {
    "ruleset": "blade-skirmish",
    "attacker": {"quality": 2},
    "defender": {"quality": 3},
    "flanking": True,
}


def odds_cold() -> float:
    """Return the microseconds of the exact odds of an attack from two sides, with strict reading and empty caches."""
    return clock(partial(referee_of(FLANKED).odds, FLANKED), before=forget)


def odds_kept() -> float:
    """Return the microseconds of the same odds from the cache."""
    odds = referee_of(FLANKED).odds
    odds(FLANKED)
    return clock(partial(odds, FLANKED), 500)


def turns(t: Any) -> int:
    """Return the number of turns that automated models have taken."""
    return sum(t.turns[side] for side in t.field.automated)


def turn_of_the_rules(games: int = 9) -> float:
    """Return the milliseconds of an act after which automated models move: the median over random games."""
    result: list[float] = []
    for number in range(games):
        match, dice = begin(number, SKIRMISHES), Seeded(f"bench {number}")
        while match.over is None:
            asked, before = match.waiting[0], turns(match.state)
            action = asked.options(match.view(asked.side)).sample(dice)
            began = process_time()
            match.follow(asked, action)
            took = process_time() - began
            if turns(match.state) > before:
                result.append(took * 1000)
    return median(result)


def main() -> None:
    """Print the figures."""
    nothing_known()
    print(f"odds of an attack from two sides, cold {odds_cold():10.0f} µs, again {odds_kept():10.0f} µs", flush=True)
    print(f"a turn of the automated models {turn_of_the_rules():10.1f} ms", flush=True)
    acts = acting(series=SKIRMISHES)
    print(f"an act on the local server {acts.worked:10.1f} ms, by the clock {acts.waited:10.1f} ms", flush=True)
    played = measure("random", 2, SKIRMISHES)
    print(f"random games: {played.games_a_second:.2f} /s, ratio to python-chess {played.ratio:.3f}", flush=True)
    decision, game = thinking("heuristic", len(SKIRMISHES.scenarios), SKIRMISHES)
    print(f"heuristic: {decision:.1f} ms a decision, {game:.1f} s a game", flush=True)


if __name__ == "__main__":
    main()
