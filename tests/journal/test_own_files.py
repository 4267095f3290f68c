"""A game on a scenario file of a user can be replayed after the file is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.journal import Setting, decoded, encoded, record_of, verify
from caltrop.players import players_of
from caltrop.scenarios import built_in


def test_a_record_carries_the_scenario_that_it_was_played_on(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    text = built_in("command-horizon")["first-battle"].read_text(encoding="utf-8")
    own.write_text(text.replace("rounds: 6", "rounds: 1"), encoding="utf-8")
    setting = Setting(ruleset="command-horizon", edition="current", rules={"game.rounds": 1}, scenario=str(own))
    match = setting.begin(Seeded(5))
    players_of(match, "random", "random").play()
    file = encoded(record_of(match, setting, players=("random", "random")))
    own.unlink()
    record = decoded(file)
    assert "terrain:" in record.scenario
    assert verify(record).same


def test_a_fault_in_a_text_has_its_place() -> None:
    with pytest.raises(InputError, match=r"the given text:2:1"):
        Setting(ruleset="command-horizon", edition="current", scenario="title: x\nterain: []\n").begin(Seeded(1))
