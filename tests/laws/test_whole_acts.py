"""A law of whole acts: the forecast for all units equals the results of playing the act and the following fight.

Acts are drawn in the positions of each ruleset. Each is forecast, then played many times by the engine's own loop, and
the fates of every unit are compared by chi-square.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from caltrop.asking.whole import ANSWERED, Telling
from caltrop.chance import Seeded
from caltrop.engine import Match, redacted, ruleset
from caltrop.engine.explore.answer import Bottom, put_under_way
from caltrop.engine.flow import advance, answer
from caltrop.engine.forecast import Forecast
from tests.laws.games import NAMES
from tests.laws.test_forecasts import module as forecasts_of
from tests.laws.test_forecasts import unlikely
from tests.laws.test_moments import module as positions_of
from tests.tiers import everything, rotating

POSITIONS = 16
"""Number of positions of a ruleset. The quick tier plays one of SHARE, and more until an act is compared."""
SHARE = 8
STEPS = 24
"""Number of decisions in a position."""
DRAWN = 3
"""Number of acts of a decision to check."""
ACTS = 3 if everything() else 2
"""Number of acts of a position that are forecast and played."""
PLAYED = 150 if everything() else 40

GAMES = [name for name in NAMES if ruleset(name).parts.whole_acts is not None]


def telling_of(name: str) -> Telling:
    """Return how a ruleset describes the fates of its units."""
    module = importlib.import_module(f"{type(ruleset(name)).__module__.rpartition('.')[0]}.preview")
    telling: Telling = module.TELLING
    return telling


def later(name: str, telling: Telling, view: Any, t: Any, action: Any) -> Iterable[Any]:
    """Yield the procedures that follow from an act. A ruleset with closed formulas for them plays the procedures
    instead.
    """
    follows = getattr(forecasts_of(name), "followed", None)
    if follows is not None:
        yield from follows(t, action)
        return
    number = 0
    while (procedure := telling.after(view, t, action, number)) is not None:
        yield procedure
        number += 1


def play(name: str, view: Any, side: int, action: Any, answers: bool, seed: str) -> Any:
    """Play an act and its consequences. The other side reacts always or never."""
    telling, t, dice = telling_of(name), view.clone(), Seeded(seed)
    first = next((place for place, frame in enumerate(t.stack) if isinstance(frame, telling.within)), 0)
    if telling.within and first:
        t.stack = [Bottom(), *t.stack[first:]]

    def goes_on() -> bool:
        """Answer the questions of the act. Return whether the game goes on."""
        while t.asked and t.over is None:
            place = t.answers.index(None)
            decision = t.asked[place]
            options = decision.options(t)
            if decision.side != side and isinstance(decision, telling.breaks_in):
                fitting = [one for one in options if isinstance(one, telling.lets_pass) != answers]
                given = fitting[0] if fitting else options.first()
            elif decision.settles or isinstance(decision, telling.passes):
                given = telling.usual(t, decision)
            else:
                break
            answer(t, dice, place, given)
        return t.over is None

    answer(t, dice, 0, action)
    if goes_on():
        for procedure in later(name, telling, view, t, action):
            put_under_way(t, [procedure])
            advance(t, dice)
            if not goes_on():
                break
    return t


def differences(name: str, view: Any, side: int, action: Any, forecast: Forecast, seed: str) -> str:
    """Return the first difference between forecast and played results; empty if there is none."""
    telling, answers = telling_of(name), forecast.about == ANSWERED
    every = {one.target: one for one in (forecast, *forecast.also)}
    counts: dict[Any, Counter[Any]] = {unit: Counter() for unit in every}
    root = telling.suppose(view) if answers else view
    before = {unit: telling.state(view, unit) for unit in telling.units(view)}
    for number in range(PLAYED):
        after = play(name, root, side, action, answers, f"{seed} {number}")
        there = set(telling.units(after))
        for unit in there:
            state = telling.state(after, unit)
            if unit in counts:
                counts[unit][telling.words(after, unit, state)] += 1
            elif before.get(unit) != state:
                return f"{telling.name(after, unit)} became {telling.words(after, unit, state)}, and has no forecast"
        for unit in counts.keys() - there:
            counts[unit]["not on the table"] += 1
    for target, one in every.items():
        chances: dict[Any, Fraction] = {}
        for end in one.outcomes:
            chances[end.words] = chances.get(end.words, Fraction(0)) + Fraction(end.probability)
        assert sum(chances.values()) == 1
        wrong = unlikely(chances, counts[target])
        if wrong:
            return f"unit {target}: {wrong}"
    return ""


@pytest.mark.parametrize("name", GAMES)
def test_the_forecast_of_a_whole_act_is_what_is_played(name: str) -> None:
    tell, drawn, compared = ruleset(name).parts.whole_acts, positions_of(name) or forecasts_of(name), 0
    assert tell is not None
    assert drawn is not None
    share = rotating(range(POSITIONS), SHARE)
    for n in [*share, *[one for one in range(POSITIONS) if one not in share]]:
        if compared and n not in share:
            break
        choices, acts = Seeded(f"whole acts {n}"), 0
        match = Match(ruleset(name), drawn.drawn(Seeded(f"position {n}")), Seeded(f"dice {n}"))
        for _ in range(STEPS):
            if not match.waiting or match.over or acts >= ACTS:
                break
            decision, t = match.waiting[0], match.state
            view = redacted(t, decision.side)
            listed = decision.options(t)
            for action in dict.fromkeys(listed.sample(choices) for _ in range(DRAWN if len(view.asked) == 1 else 0)):
                forecasts = tell(view, decision.side, action)
                acts += bool(forecasts)
                for forecast in forecasts:
                    assert len(forecast.outcomes) > 1 or forecast.also, "a certain result is no forecast"
                    if not forecast.exact:
                        continue
                    where = f"position {n}, {action}, {forecast.about}"
                    wrong = differences(name, view, decision.side, action, forecast, where)
                    assert not wrong, f"{where}: {wrong}"
                    compared += 1
            match.play(decision.side, drawn.chosen(t, decision, choices), decision)
    assert compared, "no act was compared"
