"""Measures the odds that a page requests for the thing under the pointer, in random games.

Run it from a checkout: ``python -m benchmarks.bench_forecasts [GAME…]``. For each game it prints the number of
forecasts, and the median, the 95th percentile and the maximum of their processor times, in milliseconds.
"""

from __future__ import annotations

import sys
from time import process_time

from benchmarks.clock import nothing_known
from caltrop.chance import Seeded
from caltrop.engine import advance, answer, redacted, ruleset, rulesets

ANSWERS = 160
"""Largest number of answers in a game."""
EACH = 4
"""Number of acts that are forecast at each question."""


def times(name: str) -> list[float]:
    """Return how long each forecast took, the quickest first."""
    rules, result = ruleset(name), []
    foresee = rules.forecasts
    assert foresee is not None
    for number, card in enumerate(rules.scenarios()):
        t, dice, choices = rules.setup(rules.book(), card.id), Seeded(f"dice {number}"), Seeded(f"choices {number}")
        advance(t, dice) if not t.asked else None
        for _ in range(ANSWERS):
            if t.over is not None:
                break
            place = t.answers.index(None)
            decision = t.asked[place]
            view = redacted(t, decision.side)
            options = decision.options(view)
            for _ in range(EACH):
                action = options.sample(choices)
                start = process_time()
                forecast = foresee(view, decision.side, action, decision)
                if forecast is not None:
                    result.append((process_time() - start) * 1000)
            answer(t, dice, place, options.sample(choices))
    return sorted(result)


def main(names: list[str]) -> None:
    """Print a line for each game."""
    nothing_known()
    for name in names or rulesets():
        result = times(name)
        half, most = result[len(result) // 2], result[len(result) * 95 // 100]
        print(f"{name:16} {len(result):5} acts: {half:6.1f} ms half, {most:6.1f} ms 95 %, {result[-1]:6.1f} ms at most")


if __name__ == "__main__":
    main(sys.argv[1:])
