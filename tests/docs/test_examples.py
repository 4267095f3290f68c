"""Every example of the README and the docs runs."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest

from caltrop.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{page.relative_to(ROOT)}:{text[: result.start()].count(chr(10)) + 1}", result[2])
        for page in PAGES
        for text in [page.read_text(encoding="utf-8")]
        for result in _BLOCK.finditer(text)
        if result[1] == language
    ]


PYTHON = [b for b in _blocks("python") if not b[0].startswith("docs/writing-a-ruleset.md")]
CONSOLE = [
    (f"{place} {line[:40]}", line.removeprefix("$ "))
    for place, block in _blocks("console")
    for line in block.splitlines()
    if line.startswith("$ ") and "caltrop play" not in line and "caltrop serve" not in line
]


def test_there_are_examples() -> None:
    assert any(place.startswith("README.md") for place, _ in PYTHON)
    assert any(place.startswith("README.md") for place, _ in CONSOLE)


@pytest.mark.parametrize("source", [code for _, code in PYTHON], ids=[place for place, _ in PYTHON])
def test_python_runs(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(source, "example", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out.strip() or "assert " in source, "an example shows something, or holds something"


@pytest.mark.parametrize("line", [line for _, line in CONSOLE], ids=[place for place, _ in CONSOLE])
def test_commands_run(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if "|" in line:
        output, line = line.split(" | ")
        words = shlex.split(output)
        assert words[0] == "echo"
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(words[1].encode())))
    words = shlex.split(line)
    assert words[0] == "caltrop"
    with contextlib.suppress(SystemExit):
        assert main(words[1:]) == 0
    assert capsys.readouterr().out.strip(), "a command shows something"


def test_the_policy_of_the_example_gets_better_than_random_play(capsys: pytest.CaptureFixture[str]) -> None:
    reached = runpy.run_path(str(ROOT / "examples" / "evolution.py"))["main"](1, 6, 8)
    assert reached > 0.6
    assert capsys.readouterr().out.startswith("generation 1: ")


def test_the_network_of_the_example_learns_from_a_few_games() -> None:
    example = runpy.run_path(str(ROOT / "examples" / "reinforce.py"))
    shares = example["train"](20, side_by_side=4, batch=5)
    assert len(shares) == 10
    assert all(0 <= share <= 1 for share in shares)
    chance = example["np"].random.default_rng(1)
    network = example["Network"](3, 4, chance)
    rows = chance.normal(size=(5, 3))
    before = network.scores(rows)
    for _ in range(5):
        network.learn(rows[:1], example["np"].ones(1))
    assert network.scores(rows)[0] > before[0], "what is to become likelier does"
