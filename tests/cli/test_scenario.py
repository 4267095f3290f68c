"""`caltrop scenario draw`."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import cli


def test_a_drawn_table_is_a_file_that_validates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same file, on standard output or in a file."""
    file = tmp_path / "table.yaml"
    assert cli.main(["scenario", "draw", "duel", "--seed", "7", "--output", str(file)]) == 0
    capsys.readouterr()
    assert cli.main(["scenario", "draw", "duel", "--seed", "7"]) == 0
    assert capsys.readouterr().out == file.read_text()
    assert cli.main(["validate", str(file)]) == 0
    assert "on a drawn table" in capsys.readouterr().out
    assert (
        cli.main(
            ["simulate", "duel", "--scenario", str(file), "--players", "random,random", "--num", "2", "--seed", "1"]
        )
        == 0
    )


def test_every_fault_of_a_file_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The faults of a scenario and of an army list stand in the order of their lines."""
    table, army = tmp_path / "table.yaml", tmp_path / "army.yaml"
    table.write_text(
        "ruleset: squad-action\nid: bad\ntitle: Bad\nwords: Bad.\nminutes: -3\ngoal: meeting\nturns: many\n"
        "zones: [{rows: [0, 8]}, {rows: [40, 48]}]\nobjectives: [{name: Crossing, at: [18, 18]}]\nterrain:\n"
        "- {id: one, kind: wods, box: [1, 1, 5, 5]}\n- {id: two, kind: woods, box: [1, 1, 90, 5]}\ncolour: red\n"
    )
    army.write_text(
        "ruleset: squad-action\nid: bad\ntitle: Bad\nunits:\n- {name: A, profile: regulr, officer: perhaps}\n"
        "- {name: B, profile: regular, models: 70}\ncolour: red\n"
    )
    assert cli.main(["validate", str(table), str(army)]) == 1
    lines = capsys.readouterr().err.splitlines()
    places = [(Path(line.split(":")[1].strip()).stem, int(line.split(":")[2])) for line in lines]
    assert places == [
        *[("table", line) for line in (5, 7, 11, 12, 13)],
        *[("army", line) for line in (5, 5, 6, 7)],
    ]


@pytest.mark.parametrize(("words", "code", "message"), [
    (["duel", "--seed", "7", "--size", "9"], 2, "--size is two numbers as in 48x48"),
    (["duel", "--seed", "7" * 41], 2, "at most 40 characters"),
    (["hex-command", "--seed", "7", "--size", "8x13"], 1, "the nearest is 9"),
    (["squad-action", "--seed", "7", "--size", "10x10"], 1, "a table is from 24 to 96 inches"),
    (["duell", "--seed", "7"], 1, "did you mean duel?"),
    (["duel", "--seed", "7", "--output", "/nowhere/at/all.yaml"], 1, "there is no such folder"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_told(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error is one line with the nearest valid value."""
    assert cli.main(["scenario", "draw", *words]) == code
    assert message in capsys.readouterr().err
