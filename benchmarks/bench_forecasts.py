"""Measures the odds that a page requests for the thing under the pointer, in random games.

Run it from a checkout: ``python -m benchmarks.bench_forecasts [GAME…]``. For each game it prints the number of
forecasts, with the median, 95th percentile and maximum of their processor times in milliseconds. It prints the same for
forecasts with all that follows, and for several attackers in order with the best order. The last lines have the odds of
three squads against one target, together and in order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, TypeVar

from benchmarks.clock import nothing_known
from caltrop import odds
from caltrop.chance import Seeded
from caltrop.engine import advance, answer, redacted, ruleset, rulesets

T = TypeVar("T")

ANSWERS = 160
"""Largest number of answers in a game."""
EACH = 4
"""Largest number of acts that are forecast for each question."""


KINDS = ("forecasts", "whole acts", "in order")
TOGETHER = 3
"""Largest number of attackers in order."""


def times(name: str) -> dict[str, list[float]]:
    """Return the milliseconds of each forecast, by kind."""
    rules = ruleset(name)
    taken: dict[str, list[float]] = {kind: [] for kind in KINDS}
    foresee, tell, order = rules.forecasts, rules.parts.whole_acts, rules.parts.in_order
    assert foresee is not None

    def timed(kind: str, answer: Callable[[], T]) -> T:
        start = process_time()
        result = answer()
        if result:
            taken[kind].append((process_time() - start) * 1000)
        return result

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
                action, side = options.sample(choices), decision.side
                forecast = timed("forecasts", partial(foresee, view, side, action, decision))
                if forecast is None or len(view.asked) != 1:
                    continue
                if tell is not None:
                    timed("whole acts", partial(tell, view, side, action))
                if order is not None and forecast.target is not None:
                    able = order(view, side, forecast.target, action, (), False).attackers[:TOGETHER]
                    if len(able) > 1:
                        timed("in order", partial(order, view, side, forecast.target, action, able, True))
            answer(t, dice, place, options.sample(choices))
    return taken


def three_squads() -> None:
    """Print the odds of three squads with 8, 6 and 5 rifles against ten Regulars in woods 10 inches away."""
    target = {"profile": "regular", "models": 10, "cover": "soft"}
    volleys: list[dict[str, Any]] = [
        {"mode": "shoot", "shooter": {"profile": "regular", "weapon": "rifle", "models": models}, "distance": 10}
        for models in (8, 6, 5)
    ]
    alone = [
        odds({"ruleset": "squad-action", "sequence": [{**one, "target": target}]})["expected"]["models"]
        for one in volleys
    ]
    volleys[0]["target"] = target
    together = odds({"ruleset": "squad-action", "sequence": volleys})
    print(f"three squads, each by itself: {10 - sum(10 - left for left in alone):.2f} models are left if losses add up")
    print(f"three squads, in order: {together['expected']['models']:.2f} models are left")


def main(names: list[str]) -> None:
    """Print a line for each game and kind of answer."""
    nothing_known()
    for name in names or rulesets():
        for kind, taken in times(name).items():
            if not taken:
                continue
            taken.sort()
            half, most = taken[len(taken) // 2], taken[len(taken) * 95 // 100]
            figures = f"{half:6.1f} ms half, {most:6.1f} ms 95 %, {taken[-1]:6.1f} ms at most"
            print(f"{name:16} {kind:10} {len(taken):5}: {figures}")
    three_squads()


if __name__ == "__main__":
    main(sys.argv[1:])
