"""A law of the answers that a forecast names: the unit that may answer an act can make that attack."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, redacted, ruleset
from caltrop.engine.forecast import Forecast
from tests.laws.games import NAMES
from tests.laws.test_forecasts import POSITIONS, SHARE, module
from tests.laws.test_moments import module as positions_of
from tests.tiers import rotating

STEPS = 40
"""Number of decisions in a position."""
DRAWN = 3
"""Number of acts of a decision to check."""
TRIES = 24
"""Number of times that an act is played until the answer comes. Dice and automated units may prevent it."""
AFTER = 30
"""Number of decisions after an act within which the answer has to come."""

GAMES = [name for name in NAMES if hasattr(module(name), "attacked")]


def answers(name: str, match: Match, side: int, action: Any, answer: Forecast, seed: str) -> bool:
    """Play an act and what follows, and give the answer where it is offered. Return whether the attack was made."""
    how: Any = module(name)
    after = Match(ruleset(name), match.state.clone(), Seeded(seed))
    events = list(after.play(side, action))
    for _ in range(AFTER):
        if any(how.attacked(event) == (answer.by, answer.target) for event in events):
            return True
        if not after.waiting or after.over:
            return False
        asked: Any = after.waiting[0]
        offers = [
            offer.action
            for offer in asked.offers(after.state)
            if (getattr(asked, "unit", offer.unit), offer.target) == (answer.by, answer.target)
        ]
        fitting = [one for one in offers if one in asked.options(after.state)]
        events = list(after.play(asked.side, fitting[0] if fitting else asked.options(after.state).first(), asked))
    return False


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_that_is_foretold_can_be_given(name: str) -> None:
    foresee, drawn, compared = ruleset(name).forecasts, positions_of(name), 0
    assert foresee is not None
    assert drawn is not None
    for n in rotating(range(POSITIONS), SHARE):
        choices = Seeded(f"answers {n}")
        match = Match(ruleset(name), drawn.drawn(Seeded(f"position {n}")), Seeded(f"dice {n}"))
        for step in range(STEPS):
            if not match.waiting or match.over:
                break
            decision, t = match.waiting[0], match.state
            listed = decision.options(t)
            for action in dict.fromkeys(listed.sample(choices) for _ in range(DRAWN if len(t.asked) == 1 else 0)):
                forecast = foresee(redacted(t, decision.side), decision.side, action, decision)
                for answer in () if forecast is None else forecast.answers:
                    where = f"position {n}, step {step}, {action}: {answer.about}"
                    given = any(
                        answers(name, match, decision.side, action, answer, f"{where} {k}") for k in range(TRIES)
                    )
                    assert given, where
                    compared += 1
            match.play(decision.side, drawn.chosen(t, decision, choices), decision)
    assert compared, "no answer was foretold"
