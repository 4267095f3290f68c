"""Golden games: read as documentation, compared as tests.

A transcript is named `<ruleset>@<edition>@<scenario>@<seed>.txt` and is a game of two players that take any option.
`TRANSCRIPTS=write pytest tests/transcripts` writes those that differ, to be looked at before they are committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting, record_of, transcript, verify

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.txt"))


def played(name: str) -> str:
    """The transcript of the game that a file names."""
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


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_goes_as_it_is_written(file: Path) -> None:
    found = played(file.name)
    if os.environ.get("TRANSCRIPTS") == "write":
        file.write_text(found)
    assert found == file.read_text()


@pytest.mark.parametrize("name", ["duel", "command-horizon", "hex-command", "blade-skirmish"])
def test_every_edition_has_a_transcript(name: str) -> None:
    written = {edition for game, edition, *_ in (file.stem.split("@") for file in FILES) if game == name}
    assert written == set(ruleset(name).editions)


@pytest.mark.parametrize("name", ["hex-command", "blade-skirmish"])
def test_every_scenario_has_a_transcript(name: str) -> None:
    written = {scenario for game, _, scenario, _ in (f.stem.split("@") for f in FILES) if game == name}
    assert written == {s.id for s in ruleset(name).scenarios()}
