"""Measures single questions of Squad Action: the exact odds of a volley.

`python -m benchmarks.bench_squads` prints these with whole games and the local server. `make bench ARGS=squad-action`
writes all of them to the page.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.bench_games import SQUADS, measure, thinking
from benchmarks.bench_hex import acting
from benchmarks.clock import clock, nothing_known
from caltrop.engine import referee_of
from caltrop.engine.known import forget
from caltrop.rules.squad_action.odds import SOLVED

EIGHT_RIFLES: dict[str, Any] = {
    "ruleset": "squad-action",
    "mode": "shoot",
    "shooter": {"profile": "regular", "weapon": "rifle", "models": 8},
    "target": {"profile": "regular", "models": 8, "cover": "soft"},
    "distance": 12,
}


def odds_cold() -> float:
    """Return the microseconds of the exact odds of eight rifles, including strict reading, with empty caches."""

    def before() -> None:
        forget()
        SOLVED.clear()

    return clock(partial(referee_of(EIGHT_RIFLES).odds, EIGHT_RIFLES), before=before)


def odds_kept() -> float:
    """Return the microseconds of the same odds from the cache."""
    odds = referee_of(EIGHT_RIFLES).odds
    odds(EIGHT_RIFLES)
    return clock(partial(odds, EIGHT_RIFLES), 500)


def main() -> None:
    """Print the figures."""
    nothing_known()
    print(f"odds of eight rifles, cold {odds_cold():10.0f} µs, again {odds_kept():10.0f} µs", flush=True)
    acts = acting(series=SQUADS)
    print(f"an act on the local server {acts.worked:10.1f} ms, by the clock {acts.waited:10.1f} ms", flush=True)
    played = measure("random", 2, SQUADS)
    print(f"random games: {played.games_a_second:.2f} /s, ratio to python-chess {played.ratio:.3f}", flush=True)
    decision, game = thinking("heuristic", len(SQUADS.scenarios), SQUADS)
    print(f"heuristic: {decision:.1f} ms a decision, {game:.1f} s a game", flush=True)


if __name__ == "__main__":
    main()
