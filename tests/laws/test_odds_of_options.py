"""Every answer with a target and dice has odds before it is given. They are the odds of exactly that answer."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from caltrop.asking import Offered
from caltrop.engine import loud
from tests.laws.games import Game

OFFERS = 12
"""Number of answers of each decision to check."""


def test_every_aimed_answer_that_throws_dice_has_odds(game: Game) -> None:
    foresee = game.rules.forecasts
    assert foresee is not None
    for look in game.looks:
        if not isinstance(look.decision, Offered) or len(look.state.asked) != 1:
            continue
        aimed = [offer for offer in look.decision.offers(look.state) if offer.target is not None]
        for offer in islice(aimed, OFFERS):
            why = loud(look.state, look.decision, offer.action)
            if why is None or why.why != "dice":
                continue
            result = foresee(look.state, look.decision.side, offer.action, look.decision)
            assert result is not None, (look.decision, offer)
            if result.outcomes:
                assert sum(Fraction(one.probability) for one in result.outcomes) == 1
            assert result.outcomes or result.expected or result.thrown, (look.decision, offer)
