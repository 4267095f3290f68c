"""What a sample of games plays: only what a ruleset takes together, and in the end everything."""

from __future__ import annotations

from itertools import islice

import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.lab.sample import settings


@pytest.mark.parametrize("name", rulesets())
def test_every_setting_of_a_sample_may_be_played(name: str) -> None:
    for setting in islice(settings(name), 60):
        assert setting.begin(Seeded(0), keep=False).waiting


def test_what_goes_together_in_one_scenario_alone_comes_up_too() -> None:
    found = {(s.scenario, s.rules["mode"]) for s in islice(settings("blade-skirmish"), 1500) if "mode" in s.rules}
    assert ("blood-price", "versus_with_automata") in found
    assert ("blood-price", "coop") not in found
    assert {scenario for scenario, mode in found if mode == "versus"} == {
        card.id for card in ruleset("blade-skirmish").scenarios()
    }
