"""After every moment at which an act can be interrupted, place, path, state and remaining acts are correct.

Positions with watchers of every kind are drawn for each ruleset that has such moments (`tests.laws.moments`), and a few
random activations are played in each. This module contains no game.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, State, redacted, ruleset
from tests.laws.games import NAMES
from tests.tiers import rotating

MANY = 300
"""Number of positions of a ruleset. The quick tier plays the share that the ruleset's module names."""
STEPS = 40
"""Number of decisions in a position."""
FIRST = 60
"""Number of options to compare if comparing all would take too long."""


def module(name: str) -> ModuleType | None:
    """Return the positions of a ruleset; None if nothing can interrupt its acts."""
    path = f"tests.laws.moments.{name.replace('-', '_')}"
    return importlib.import_module(path) if importlib.util.find_spec(path) is not None else None


GAMES = [name for name in NAMES if module(name) is not None]


def positions(moments: ModuleType) -> list[int]:
    """Return the numbers of the positions of this run. Positions that revealed a fault come first."""
    return [*dict.fromkeys((*moments.TELLING, *rotating(range(MANY), moments.SHARE)))]


def played(name: str, t: State, n: int) -> int:
    """Play some random activations in a position, and return how often an act was broken into."""
    moments = module(name)
    assert moments is not None
    choices = Seeded(f"choices {n}")
    match = Match(ruleset(name), t, Seeded(f"dice {n}"))
    watch = moments.Watch(match.state)
    for step in range(STEPS):
        if not match.waiting or match.over:
            break
        decision = match.waiting[0]
        before, action = match.state, moments.chosen(match.state, decision, choices)
        events = match.play(decision.side, action, decision)
        wrong = watch.saw(before, decision, action, events, match.state)
        assert not wrong, f"position {n}, step {step}, {action}: {wrong}"
    broken_into: int = watch.broken_into
    return broken_into


@pytest.mark.parametrize("name", GAMES)
def test_what_breaks_into_an_act_leaves_everything_as_it_should_be(name: str) -> None:
    moments = module(name)
    assert moments is not None
    broken_into = [played(name, moments.drawn(Seeded(f"position {n}")), n) for n in positions(moments)]
    assert any(broken_into), "nothing was broken into"


@pytest.mark.parametrize("name", [name for name in GAMES if hasattr(module(name), "together")])
def test_any_house_rules_together_leave_everything_as_it_should_be(name: str) -> None:
    moments = module(name)
    assert moments is not None
    for n in positions(moments):
        played(name, moments.together(Seeded(f"position {n}")), n)


@pytest.mark.parametrize("name", [name for name in GAMES if hasattr(module(name), "forgotten")])
def test_what_was_done_in_an_earlier_turn_bars_nothing(name: str) -> None:
    moments = module(name)
    assert moments is not None
    for n in positions(moments):
        t = Match(ruleset(name), moments.drawn(Seeded(f"position {n}")), Seeded(f"dice {n}")).state
        decision = t.asked[0]
        fresh = moments.forgotten(t, decision.side)
        side = decision.side
        here, there = decision.options(redacted(t, side)), decision.options(redacted(fresh, side))
        listed = list(there)
        for action in listed[:: max(1, len(listed) // FIRST)]:
            assert here.refusal(action) is None, f"position {n}: {action}"
        listed = list(here)
        for action in listed[:: max(1, len(listed) // FIRST)]:
            assert there.refusal(action) is None, f"position {n}: {action}"
