"""House rules as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.engine import ruleset, switches_in


def test_the_house_rules_of_a_game_stand_in_its_data(tmp_path: Path) -> None:
    assert switches_in(tmp_path / "nothing") == ()
    text = "- {name: bid.tie, values: [die, first-side], clauses: [DU-BID-04]}\n- {name: price, values: [1], max: 3}\n"
    (tmp_path / "house_rules.yaml").write_text(text, encoding="utf-8")
    assert [(s.name, s.default, s.clauses) for s in switches_in(tmp_path)] == [
        ("bid.tie", "die", ("DU-BID-04",)),
        ("price", 1, ()),
    ]
    other = tmp_path / "other"
    other.mkdir()
    (other / "house_rules.yaml").write_text(text.replace("values: [1]", "valeus: [1]"), encoding="utf-8")
    with pytest.raises(InputError, match=r"house_rules\.yaml:2:17: \[1\]\.valeus: .*did you mean 'values'"):
        switches_in(other)


def test_a_ruleset_has_the_house_rules_of_its_data() -> None:
    assert [s.name for s in ruleset("duel").switches] == ["bid.tie", "parry.price"]
