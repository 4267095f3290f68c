"""Rulings of the duel: errors in a file name their place, and a ruling is a position on a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.engine import Refused
from caltrop.rules.duel.movement import Walk
from caltrop.scenarios.rulings import position, read_ruling, rulings

RULINGS = rulings("duel")


def test_a_ruling_is_a_position_on_a_table() -> None:
    match = position(next(one for one in RULINGS if one.id == "DU-W02"), "over the other")
    with pytest.raises(Refused, match="in the way"):
        match.play(0, Walk(((1100, 500),)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("briar: {at: [12, 5]", "briar: {at: [16, 5]", "does not stand on the table"),
        ("    briar: {at: [12, 5], wounds: 2, breath: 2}\n", "", "a duel has 2 duellists; this scene has 1"),
        ("{ask: walk, unit: ash, is: 8}", "{ask: walk, is: 8}", "walk needs a unit"),
        ("{do: Thrust}", "{do: Trust}", "Trust"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(old: str, new: str, says: str, tmp_path: Path) -> None:
    text = next(one for one in RULINGS if one.id == "DU-W02").file.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "wrong.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=says) as error:
        read_ruling(file)
    assert error.value.line
