"""The programs of the lab report errors in one line."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from caltrop.lab.programs import run

WRONG = [
    ("ladder chess", "there is no game 'chess'"),
    ("ladder duel --players nobody,random", "duel has no player 'nobody'"),
    ("ladder duel --players os:system,random", "os:system takes arguments"),
    ("ladder duel --players random", "two players or more"),
    ("ladder duel --players random,caltrop.players:Uniform --games many", "'many' are not numbers of games"),
    ("ladder duel --players random,caltrop.players:Uniform --games -2", "'-2' are not numbers of games"),
    ("ladder duel --players random,caltrop.players:Uniform --scenario no", "it is one of crossroads"),
    ("ladder duel --players random,caltrop.players:Uniform --keep FOLDER", "Is a directory"),
    ("ladder duel --players random,caltrop.players:Uniform --keep FILE", "file:1: this is not a result"),
    ("losses chess", "there is no game 'chess'"),
    ("gains duel", "duel has no player 'commander'"),
    ("tuning duel", "no weights that could be tuned"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_wrong_words_are_told_in_one_line(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no result\n")
    places = {"FOLDER": str(tmp_path), "FILE": str(tmp_path / "file")}
    name, *rest = [places.get(word, word) for word in words.split()]
    monkeypatch.setattr(sys, "argv", [name, *rest])
    with pytest.raises(SystemExit) as end:
        run(importlib.import_module(f"caltrop.lab.{name}").main)
    assert end.value.code == 1
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1
