"""The command for army lists, and the commands that take a list as a file, a text or a link."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest

from caltrop import cli

TEXT = """Blue Watch
Game: Hex Command

- Knight Walker
- 3 x Line Troops
- 4 x Scouts
- 3 x Battle Tanks
- 2 x Assault Tanks
- Hero "Iska"
"""


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Return what a command printed: to standard output if it succeeded, else to standard error."""
    assert cli.main(list(words)) == code, capsys.readouterr().err
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def test_each_form_is_read_by_the_same_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "watch.txt"
    file.write_text(TEXT, encoding="utf-8")
    link = said(capsys, "army", "link", str(file)).strip()
    assert link.startswith("http://127.0.0.1:8420/armies#army=")
    text = said(capsys, "army", "text", link)
    assert said(capsys, "army", "text", text) == text
    assert said(capsys, "army", "link", text).strip() == link
    assert "Blue Watch, 14 units of Hex Command for 83 points" in said(capsys, "army", "show", link)
    assert "14 units" in said(capsys, "army", "check", str(file))
    shown = json.loads(said(capsys, "army", "show", link, "--json"))
    assert (shown["points"], shown["pieces"]) == (83, 14)
    assert shown["link"] == link[link.index("#") :]


@pytest.mark.parametrize("words", [["-"], ["-", "--points", "83"], ["--points", "83", "-"], ["--", "-"]])
def test_a_hyphen_is_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(TEXT))
    assert "Blue Watch, 14 units" in said(capsys, "army", "show", *words)


def test_a_list_that_is_wrong_is_told_with_its_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "watch.txt"
    file.write_text(TEXT.replace("Battle Tanks", "Battel Tanks"), encoding="utf-8")
    wrong = said(capsys, "army", "check", str(file), code=1)
    assert f"{file}:7:1: units[3].kind: there is no unit 'Battel Tanks'; did you mean Battle Tanks?" in wrong
    assert "did you mean Battle Tanks" in said(capsys, "army", "show", str(file))
    file.write_text(TEXT, encoding="utf-8")
    assert "82 are agreed on" in said(capsys, "army", "check", str(file), "--points", "82", code=1)
    assert "there is no army 'granit-guard'; did you mean 'granite-guard'?" in said(
        capsys, "army", "check", "granit-guard", code=1
    )
    assert "no such file" in said(capsys, "army", "check", str(tmp_path / "none.yaml"), code=1).lower()
    assert "which game is it for" in said(capsys, "army", "check", "Mine\n- teapot\n", code=1)


def test_every_fault_of_a_list_is_told_with_its_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "watch.txt"
    file.write_text(TEXT.replace("Battle Tanks", "Battel Tanks").replace("Scouts", "Scuots"), encoding="utf-8")
    wrong = said(capsys, "army", "check", str(file), "--points", "40", code=1).splitlines()
    assert len(wrong) == 3
    assert f"{file}:6:1: units[2].kind: there is no unit 'Scuots'; did you mean Scouts?" in wrong[1]
    assert f"{file}:7:1: units[3].kind: there is no unit 'Battel Tanks'" in wrong[2]
    assert "40 are agreed on" in wrong[0]
    yaml = tmp_path / "force.yaml"
    yaml.write_text(
        "ruleset: squad-action\nid: f\ntitle: F\nunits:\n"
        "  - {name: A, profile: reglar, models: 4}\n"
        "  - {name: B, profile: regular, models: 99}\n"
        "  - {name: B, profile: regular, models: 6, weapons: [riffle]}\n",
        encoding="utf-8",
    )
    wrong = said(capsys, "army", "check", str(yaml), code=1).splitlines()
    assert [re.findall(r"yaml:(\d+):", line)[0] for line in wrong[:3]] == ["5", "6", "7"]
    link = said(capsys, "army", "link", str(file)).strip()
    assert said(capsys, "army", "check", link, code=1).count("there is no unit") == 2
    yaml.write_text("ruleset: squad-action\ntitle: F\nunits:\n  - {name: A, profile: regular, models: 4}\n")
    assert "id" in said(capsys, "army", "check", str(yaml), code=1)


def test_validate_checks_a_text_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "watch.txt"
    file.write_text(TEXT, encoding="utf-8")
    assert "Blue Watch" in said(capsys, "validate", str(file))
    file.write_text(TEXT.replace("Hero", "Heroine"), encoding="utf-8")
    assert f"{file}:9:1" in said(capsys, "validate", str(file), code=1)


def test_games_are_played_with_a_file_a_text_and_a_link(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    duel = 'Fern, and more\nGame: Duel\n\n- Duellist "Fern, of the mud" (Wounds: 3; Breath: 4)\n'
    file = tmp_path / "fern.txt"
    file.write_text(duel, encoding="utf-8")
    link = said(capsys, "army", "link", duel).strip()
    digests = {
        json.loads(
            said(
                capsys,
                *["simulate", "duel", "--players", "random,random", "--num", "2", "--seed", "1", "--json", "--armies"],
                one,
            )
        )["digest"]
        for one in (f"{file},{link}", f"{duel},{duel}", f"{link},{file}", f"{duel},{file}", f"{link},{duel}")
    }
    assert len(digests) == 1
