"""The command that lists the sentences of a game, in English and translated."""

from __future__ import annotations

import contextlib
import io
import json
import re
from functools import cache
from typing import Any

import pytest

from caltrop import cli


@cache
def listed(*words: str) -> dict[str, Any]:
    """Return the JSON that `caltrop words` prints. To find the sentences takes seconds, so that tests share a list."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert cli.main(["words", *words, "--json"]) == 0
    return dict(json.loads(out.getvalue()))


def test_every_sentence_has_its_key_and_its_place() -> None:
    answer = listed("duel")
    assert (answer["ruleset"], answer["language"]) == ("duel", "en")
    rows = answer["sentences"]
    assert len({row["key"] for row in rows}) == len(rows) > 50
    assert all(row["text"] == row["key"] and row["file"] and row["line"] >= 1 for row in rows)


@pytest.mark.parametrize("game", ["duel", "shared"])
def test_sentences_are_translated_and_the_others_stay_english(game: str) -> None:
    english, german = listed(game), listed(game, "--language", "de")
    assert german["language"] == "de"
    assert [row["key"] for row in german["sentences"]] == [row["key"] for row in english["sentences"]]
    translated = [row for row in german["sentences"] if row["translated"]]
    assert len(translated) > len(german["sentences"]) / 3
    assert any(row["text"] != row["key"] for row in translated)
    assert all(row["text"] == row["key"] for row in german["sentences"] if not row["translated"])


def test_a_sentence_that_games_share_is_translated_in_each() -> None:
    shared = {row["key"]: row["text"] for row in listed("shared", "--language", "de")["sentences"]}
    rows = listed("hex-command", "--language", "de")["sentences"]
    both = [row for row in rows if shared.get(row["key"], row["key"]) != row["key"]]
    assert both, "there are sentences that stand in both"
    assert all(row["text"] == shared[row["key"]] for row in both)


def test_lines_show_the_translation(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["words", "duel", "--language", "de"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert any(line.endswith(": Ein Schlag") for line in lines)
    assert re.fullmatch(rf"Translated into de: (\d+) of {len(lines)} sentences\.", last)
