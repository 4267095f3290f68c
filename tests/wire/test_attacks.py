"""The rules as a browser gets them: they answer alone, and what a server answers."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.engine import ruleset, rulesets
from caltrop.server.kit import archive
from caltrop.wire.attacks import answered
from tests.wire.drawn_attacks import drawn

ALONE = """
import json, sys
sys.path[:0] = sys.argv[1:]
from caltrop.wire.attacks import answered
answers = [answered(*one) for one in json.load(sys.stdin)]
assert "_yaml" not in sys.modules
modules = [name for name in sys.modules if name.split(".")[0] == "caltrop"]
json.dump([answers, modules], sys.stdout)
"""
"""A program that has nothing but the archive and msgspec, and reads YAML without libyaml, as a browser does."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the contents of the archive."""
    folder = tmp_path_factory.mktemp("rules")
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(archive().packed))) as archived:
        archived.extractall(folder, filter="data")
    return folder


def answers_alone(unpacked: Path, requests: list[tuple[str, str]]) -> Any:
    (unpacked / "beside").mkdir(exist_ok=True)
    if not (unpacked / "beside/msgspec").exists():
        (unpacked / "beside/msgspec").symlink_to(Path(msgspec.__file__).parent)
    words = [sys.executable, "-I", "-S", "-c", ALONE, str(unpacked), str(unpacked / "beside")]
    return json.loads(
        subprocess.run(words, input=json.dumps(requests), capture_output=True, text=True, check=True).stdout
    )


@pytest.mark.parametrize("game", rulesets())
def test_the_rules_answer_alone_what_the_server_answers(game: str, unpacked: Path) -> None:
    requests = drawn(game, seed=1, count=25)
    expected = [list(answered(*one)) for one in requests]
    assert (
        sum(status == 200 for (path, _), (status, _) in zip(requests, expected, strict=True) if "resolve" in path) > 8
    )
    assert answers_alone(unpacked, requests)[0] == expected


@pytest.mark.parametrize("game", rulesets())
def test_a_battle_begins_alone_as_with_the_server(game: str, unpacked: Path) -> None:
    """Every scenario of the game begins, with the armies of the game too, and with a pack."""
    rules = ruleset(game)
    battles: list[dict[str, Any]] = [{"scenario": card.id} for card in rules.scenarios()]
    battles += [{"armies": [card.id, card.id]} for card in rules.armies()[:2]]
    battles.append({"pack": {"format": "caltrop-pack", "ruleset": game, "id": "keen", "title": "Keen"}})
    battles.append({"scenario": "nowhere"})
    requests = [("api/referee", json.dumps({"ruleset": game, **one})) for one in battles]
    expected = [list(answered(*one)) for one in requests]
    assert [status for status, _ in expected].count(200) > len(rules.scenarios())
    assert expected[-1][0] == 400
    assert answers_alone(unpacked, requests)[0] == expected


def test_the_archive_holds_little_that_no_attack_needs(unpacked: Path) -> None:
    requests = [one for game in rulesets() for one in drawn(game, seed=2, count=1)]
    _, modules = answers_alone(unpacked, requests)
    files = [file.relative_to(unpacked) for file in unpacked.rglob("*.py")]
    held = {
        ".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files if file.parts[0] == "caltrop"
    }
    assert set(modules) <= held
    assert len(held - set(modules)) < len(held) / 10, sorted(held - set(modules))


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("api/resolve", "{", "This message cannot be read"),
        ("api/resolve", "[]", "a request is a JSON object that names its ruleset"),
        ("api/resolve", '{"ruleset": "dule"}', "did you mean 'duel'?"),
        ("api/odds/form", '{"ruleset": 1}', "there is no referee of '1'"),
        ("api/resolve", '{"ruleset": "duel", "sequence": []}', "sequence"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(path: str, text: str, words: str) -> None:
    status, answer = answered(path, text)
    assert status == 400
    assert words in json.loads(answer)["message"]
