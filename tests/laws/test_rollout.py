"""A law of every ruleset: playing in place reaches the same states as a match."""

from __future__ import annotations

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, at_random, digest, next_turn, rollout, ruleset, rulesets


@pytest.mark.parametrize("name", rulesets())
def test_a_rollout_comes_to_the_states_of_a_match(name: str) -> None:
    rules = ruleset(name)
    for number, card in enumerate(rules.scenarios()[:3]):
        state = rules.setup(rules.book(), card.id)
        match = Match(rules, state, Seeded(f"opening {name} {number}"), keep=False, record=False)
        t = match.state.clone()
        match.dice, other = Seeded(f"rollout {name} {number}"), Seeded(f"rollout {name} {number}")
        while match.over is None:
            until, stop = next_turn(rules.turn, match.state, 2), next_turn(rules.turn, t, 2)
            acts = 0
            while not until(match.state) and match.over is None:
                asked = match.waiting[0]
                match.follow(asked, at_random(asked, match.view(asked.side), match.dice))
                acts += 1
            assert rollout(t, (at_random, at_random), stop, other) == acts
            assert digest(t) == digest(match.state)
            assert t == match.state
        assert rollout(t, (at_random, at_random), lambda _: False, other) == 0
