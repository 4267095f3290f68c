"""`caltrop resolve` and `caltrop odds`: streams, files and exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from caltrop.cli import main

REQUEST: dict[str, Any] = {
    "ruleset": "command-horizon",
    "mode": "fire",
    "attacker": {"army": "alliance", "kind": "light-tank", "models": 2},
    "target": {"army": "asori", "kind": "light-tank", "models": 4},
}
DICE = {"attack": [6, 1], "defence": [2]}


def test_a_request_on_standard_input_is_answered_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({**REQUEST, "dice": DICE})))
    assert main(["resolve"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["target"] == {"models": 3, "stuns": 0}
    assert err == ""


def test_a_request_in_a_file_gets_its_odds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST), encoding="utf-8")
    assert main(["odds", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["exact"] is True
    assert sum(o["p"] for o in answer["outcomes"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is not JSON"),
        ("[]", "a request is a JSON object"),
        ('{"a": 1, "a": 2}', "a: an object contains the key twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"mode": "fire"}', "ruleset: this key is missing"),
        ('{"ruleset": "comand-horizon"}', "there is no referee of 'comand-horizon'; did you mean 'command-horizon'?"),
        (json.dumps(REQUEST), "dice.attack: 2 attack dice are called for; this roll has 0"),
        (json.dumps({**REQUEST, "bost": True}), "bost: there is no such key; did you mean 'boost'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_goes_to_standard_error_with_exit_code_1(
    text: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["resolve"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_a_file_that_is_not_there_is_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", str(tmp_path / "none.json")]) == 1
    assert "none.json: the request cannot be read" in capsys.readouterr().err


def test_a_wrong_command_line_is_exit_code_2() -> None:
    assert main(["odds", "--quickly"]) == 2
