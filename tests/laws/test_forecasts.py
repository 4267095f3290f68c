"""A law of forecasts: they equal the results of acts that are played with dice. This module contains no game."""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import exp, factorial
from operator import itemgetter
from types import ModuleType
from typing import Any, TypeVar

import pytest

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Event, Match, redacted, ruleset
from caltrop.engine.forecast import Forecast
from tests.falls import TooMany, every_fall
from tests.laws.games import NAMES
from tests.laws.test_moments import module as positions_of
from tests.tiers import everything, rotating

POSITIONS = 48
"""Number of positions of a ruleset; the quick tier plays one of SHARE."""
SHARE = 4
STEPS = 24
"""Number of decisions in a position."""
DRAWN = 4
"""Number of acts of a decision to check."""
FEW = 40
"""Largest number of falls of the dice for which the quick tier plays all."""
MANY = 400
"""The same number for the full tier."""
PLAYED = 200
"""Number of times that the full tier plays an act at random if there are more falls."""
MOST = 6
"""Number of acts of a position that are played."""
LIKELY = 5
"""Smallest expected number in a cell of the comparison. Rarer ends share a cell."""
BOUND = {1: 19.5, 2: 23.0, 3: 25.9, 4: 28.5, 5: 30.9, 6: 33.1, 7: 35.3, 8: 37.3}
"""Chi-square values that chance exceeds once in 100,000 times, by degrees of freedom."""

E = TypeVar("E", bound=Hashable)
RARE = 1e-5
"""Probability below which a number of rare results counts as a fault."""

End = tuple[tuple[str, Any], ...]


def module(name: str) -> ModuleType | None:
    """Return the module that plays a ruleset's forecasts; None without one."""
    path = f"tests.laws.forecasts.{name.replace('-', '_')}"
    return importlib.import_module(path) if importlib.util.find_spec(path) is not None else None


GAMES = [name for name in NAMES if module(name) is not None]


def forecasts_of(one: Forecast) -> list[Forecast]:
    """Return the exact forecasts of an act, for each unit that it strikes."""
    return [f for f in (one, *one.also) if f.outcomes and f.exact and f.target is not None]


def played(name: str, how: Any, t: Any, decision: Decision, action: Any, dice: Dice) -> tuple[Any, Sequence[Event]]:
    """Play an act to its end. Return the state after it and all its events."""
    start = how.begun(t, decision, action)
    start.asked = start.answers = ()
    match = Match(ruleset(name), start, dice)
    events = list(match.opening)
    while match.waiting and match.over is None:
        asked = match.waiting[0]
        events += match.play(asked.side, how.answered(match.state, asked, action), asked)
    return match.state, events


def every_end(name: str, how: Any, t: Any, decision: Decision, action: Any, forecast: Forecast, most: int) -> list[Any]:
    """Play an act with every fall of the dice. Return the results of each of its forecasts, with their chances.

    Raises:
        TooMany: There are more than *most* ways.
    """
    every = forecasts_of(forecast)

    def walk(dice: Dice) -> tuple[End, ...]:
        after, heard = played(name, how, t, decision, action, dice)
        return tuple([end_of(how.ended(t, after, heard, one)) for one in every])

    falls = every_fall(walk, most)
    return [dict(falls.map(itemgetter(place)).items()) for place in range(len(every))]


def end_of(parts: dict[str, Any]) -> End:
    """Return a result as a hashable value."""
    return tuple(sorted(parts.items()))


def foretold(one: Forecast) -> dict[End, Fraction]:
    """Return the forecast ends with their chances. Equal ends with different words count as one."""
    ends: dict[End, Fraction] = {}
    for outcome in one.outcomes:
        end = end_of(outcome.parts)
        ends[end] = ends.get(end, Fraction(0)) + Fraction(outcome.probability)
    return ends


def test_what_chance_explains_is_told_apart() -> None:
    certain, rare = {"a": Fraction(1)}, {"a": Fraction(99, 100), "b": Fraction(1, 100)}
    assert not unlikely(certain, Counter({"a": 150}))
    assert unlikely(certain, Counter({"a": 149, "b": 1}))
    assert not unlikely(rare, Counter({"a": 146, "b": 4}))
    assert unlikely(rare, Counter({"a": 130, "b": 20}))
    even = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert not unlikely(even, Counter({"a": 85, "b": 65}))
    assert unlikely(even, Counter({"a": 110, "b": 40}))


def unlikely(chances: dict[E, Fraction], counts: Counter[E]) -> str:
    """Return the difference between played and forecast results; empty if chance explains it."""
    wrong = [end for end in counts if end not in chances]
    if wrong:
        return f"{wrong[0]} was played, and is not forecast"
    number = sum(counts.values())
    often = [end for end, chance in chances.items() if chance * number >= LIKELY]
    cells = [(float(chances[end]) * number, counts[end]) for end in often]
    rest = number - sum(expected for expected, _ in cells)
    if rest >= LIKELY:
        cells.append((rest, number - sum(got for _, got in cells)))
    if len(cells) <= 1:
        # All other ends together are rare, so that their number nearly follows a Poisson distribution.
        rare = number - sum(counts[end] for end in often)
        chance = 1 - sum(exp(-rest) * rest**k / factorial(k) for k in range(rare))
        return f"{rare} rare ends, where {rest:.2f} are expected" if rare and chance < RARE else ""
    square = sum((got - expected) ** 2 / expected for expected, got in cells)
    free = len(cells) - 1
    bound = BOUND.get(free, free + 6 * (2 * free) ** 0.5)
    return f"chi-square {square:.1f} with {free} degrees of freedom" if square > bound else ""


def test_every_ruleset_with_forecasts_is_held_to_them() -> None:
    assert [name for name in NAMES if ruleset(name).forecasts is not None and module(name) is None] == []


@pytest.mark.parametrize("name", GAMES)
def test_what_is_forecast_is_what_is_played(name: str) -> None:
    how, foresee = module(name), ruleset(name).forecasts
    assert how is not None
    assert foresee is not None
    drawn = positions_of(name) or how
    most, compared = MANY if everything() else FEW, 0
    for n in rotating(range(POSITIONS), SHARE):
        choices = Seeded(f"acts {n}")
        match = Match(ruleset(name), drawn.drawn(Seeded(f"position {n}")), Seeded(f"dice {n}"))
        acts = 0
        for _ in range(STEPS):
            if not match.waiting or match.over or acts >= MOST:
                break
            decision, t = match.waiting[0], match.state
            view = redacted(t, decision.side)
            for action in dict.fromkeys(decision.options(t).sample(choices) for _ in range(DRAWN)):
                forecast = foresee(view, decision.side, action, decision)
                if forecast is None or not forecasts_of(forecast) or how.begun(t, decision, action) is None:
                    continue
                acts += 1
                try:
                    for one, ends in zip(
                        forecasts_of(forecast), every_end(name, how, t, decision, action, forecast, most), strict=True
                    ):
                        assert ends == foretold(one), f"position {n}, {action}: {one.about}"
                        compared += 1
                except TooMany:
                    if everything():
                        by_chance(name, how, t, decision, action, forecast, f"position {n}")
            match.play(decision.side, drawn.chosen(t, decision, choices), decision)
    assert compared, "nothing was compared"


def by_chance(name: str, how: Any, t: Any, decision: Decision, action: Any, forecast: Forecast, where: str) -> None:
    """Play an act many times; compare the numbers of its ends with the forecast."""
    every = forecasts_of(forecast)
    counts: list[Counter[End]] = [Counter() for _ in every]
    for n in range(PLAYED):
        after, heard = played(name, how, t, decision, action, Seeded(f"{where} {n}"))
        for count, one in zip(counts, every, strict=True):
            count[end_of(how.ended(t, after, heard, one))] += 1
    for count, one in zip(counts, every, strict=True):
        wrong = unlikely(foretold(one), count)
        assert not wrong, f"{where}, {action}: {one.about}: {wrong}"
