"""Games of a sample: only settings that a ruleset allows, and each of them at last."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.lab.sample import play_sample, settings


@pytest.mark.parametrize("name", rulesets())
def test_every_setting_of_a_sample_may_be_played(name: str) -> None:
    for setting in islice(settings(name), 60):
        assert setting.begin(Seeded(0), keep=False).waiting


def test_what_goes_together_in_one_scenario_alone_comes_up_too() -> None:
    result = {(s.scenario, s.rules["mode"]) for s in islice(settings("blade-skirmish"), 3000) if "mode" in s.rules}
    assert ("blood-price", "versus_with_automata") in result
    assert ("blood-price", "coop") not in result
    assert {scenario for scenario, mode in result if mode == "versus"} == {
        card.id for card in ruleset("blade-skirmish").scenarios()
    }


def test_a_sample_that_was_stopped_goes_on_from_its_file(tmp_path: Path) -> None:
    keep = tmp_path / "sample.jsonl"
    play_sample("duel", 5, 1, every=2, keep=keep)
    whole = keep.read_bytes()
    assert whole.count(b"\n") == 5
    # The program was killed while it wrote a line.
    keep.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 9])
    _, result = play_sample("duel", 9, 1, every=2, keep=keep)
    assert keep.read_bytes().startswith(whole)
    assert keep.read_bytes().count(b"\n") == 9
    assert result == play_sample("duel", 9, 1, every=2)[1]
    assert play_sample("duel", 9, 2, every=2, keep=keep)[1] != result, "other dice are another sample"
