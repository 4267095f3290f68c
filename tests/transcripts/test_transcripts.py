"""Golden games: read as documentation, compared as tests.

A transcript is named `<ruleset>@<edition>@<scenario>@<seed>.txt`. It is a game of two random players.
`TRANSCRIPTS=write pytest tests/transcripts` rewrites transcripts that differ; look at the changes before you commit
them. If a game plays differently, so that its digests differ, the transcript is rewritten only after `rules_version`
was raised. Stored games would play differently too (docs/stored-games.md), so correct the change or raise the version.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.journal import Setting, record_of, transcript, verify

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.txt"))


def played(name: str) -> str:
    """Return the transcript of the game that a file name describes."""
    *words, scenario, seed = name.removesuffix(".txt").split("@")
    ruleset, edition = words
    setting = Setting(ruleset=ruleset, edition=edition, scenario=scenario)
    match, choices = setting.begin(Seeded(f"{seed} table")), Seeded(f"{seed} choices")
    while match.over is None:
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(choices))
    record = record_of(match, setting, players=("random", "random"))
    assert verify(record).same
    return transcript(record)


def version_of(text: str) -> int:
    """Return the rules version of a transcript."""
    match = re.search(r"rules version (\d+)", text)
    assert match is not None
    return int(match[1])


def otherwise(written: str, result: str) -> str | None:
    """Return the first digest that differs from the stored one under the same rules version."""
    if version_of(written) != version_of(result):
        return None
    were, are = (re.findall(r"digest (\w+)", text) for text in (written, result))
    if were == are:
        return None
    return next((f"{a} was written, and {b} found" for a, b in zip(were, are, strict=False) if a != b), "its length")


def compare(file: Path, result: str, write: bool) -> None:
    """Compare a game with its transcript, or replace the transcript if that is allowed."""
    written = file.read_text()
    differs = otherwise(written, result)
    assert differs is None, (
        f"{file.name} plays otherwise ({differs}), and it was written by the same version of the rules, "
        f"{version_of(result)}: mend what changed, or raise `rules_version` of the ruleset and write it anew"
    )
    if write:
        file.write_text(result)
    assert result == file.read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_goes_as_it_is_written(file: Path) -> None:
    compare(file, played(file.name), os.environ.get("TRANSCRIPTS") == "write")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_dice_stand_where_they_fall(file: Path) -> None:
    """Dice stand under their act or at the beginning, and never below the heading of a question that follows from
    them.
    """
    lines = [line.partition("dice d") for line in file.read_text().splitlines()]
    assert [after for (before, *_), (_, *after) in pairwise(lines) if before.startswith("  === ") and after[0]] == []


def test_a_game_that_plays_otherwise_is_written_by_another_version_only(tmp_path: Path) -> None:
    result = played("duel@sharp@bridge@3.txt")
    digest = re.findall(r"digest (\w+)", result)[3]
    file = tmp_path / "duel.txt"
    file.write_text(result.replace(digest, "0" * 16))
    with pytest.raises(AssertionError, match="raise `rules_version`"):
        compare(file, result, write=True)
    raised = result.replace("rules version 1", "rules version 2")
    compare(file, raised, write=True)
    assert file.read_text() == raised
    file.write_text(result.replace("walks", "strolls"))  # sentences may change
    compare(file, result, write=True)


@pytest.mark.parametrize("name", rulesets())
def test_every_edition_has_a_transcript(name: str) -> None:
    written = {edition for game, edition, *_ in (file.stem.split("@") for file in FILES) if game == name}
    assert written == set(ruleset(name).editions)


@pytest.mark.parametrize("name", ["hex-command", "blade-skirmish"])
def test_every_scenario_has_a_transcript(name: str) -> None:
    written = {scenario for game, _, scenario, _ in (f.stem.split("@") for f in FILES) if game == name}
    assert written == {s.id for s in ruleset(name).scenarios()}
