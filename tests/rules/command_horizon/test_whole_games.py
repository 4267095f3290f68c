"""Whole random games, in which every state is checked. `tests/soak.py` plays any number of them."""

from __future__ import annotations

from collections import Counter

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from tests.soak import play, setting


@pytest.mark.clause("CH-TURN-01", "CH-TURN-02", "CH-TURN-03")
@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_a_seed_comes_to_its_end(seed: int) -> None:
    assert play(setting(seed), look=8).reason


@pytest.mark.clause("CH-TURN-07", "CH-TURN-08", "CH-RF-01", "CH-CHARGE-01")
def test_random_sides_meet_fire_answer_and_charge() -> None:
    rules, done = ruleset("command-horizon"), Counter[str]()
    armies = ("alliance-7", "asori-7", "putredine-7")
    for seed in range(45):
        state = rules.setup(rules.book(), "meeting-engagement", (armies[seed % 3], armies[(seed + 1) % 3]))
        match, dice = Match(rules, state, Seeded(seed), keep=False, record=False), Seeded(-1 - seed)
        while match.over is None:
            decision = match.waiting[0]
            action = decision.options(match.view(decision.side)).sample(dice)
            done[type(action).__name__] += 1
            match.follow(decision, action)
    assert done["Move"] > 1000
    assert done["Fire"] > 45
    assert all(done[name] for name in ("React", "MarkTarget", "Charge")), done
