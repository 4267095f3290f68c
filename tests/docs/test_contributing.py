"""The examples of CONTRIBUTING.md are applied to a copy of the project, one after another, and have the effects
described.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_BLOCK = re.compile(
    r"^## (?P<section>[^\n]+)$|^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S
)
_TESTS = re.compile(r"\$ python -m pytest ([\w/. ]+) -q")
_NOT_COPIED = shutil.ignore_patterns("node_modules", "__pycache__", "dist")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the files that the examples change and run."""
    made = tmp_path_factory.mktemp("contributing")
    shutil.copytree(ROOT / "src", made / "src", ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copytree(ROOT / "docs" / "rules", made / "docs" / "rules")
    shutil.copy(ROOT / "docs" / "wire_reference.py", made / "docs" / "wire_reference.py")
    for folder in ("rules/duel", "rules/printed", "rules/squad_action", "cli"):
        shutil.copytree(ROOT / "tests" / folder, made / "tests" / folder, ignore=_NOT_COPIED)
    for given in (ROOT / "pyproject.toml", *(ROOT / "tests").glob("*.py"), *(ROOT / "tests" / "rules").glob("*.py")):
        shutil.copy(given, made / given.relative_to(ROOT))
    (made / "tests" / "server").mkdir()
    for name in ("test_page.py", "test_live.py"):
        shutil.copy(ROOT / "tests" / "server" / name, made / "tests" / "server" / name)
    return made


def patch(place: Path, lines: list[str]) -> None:
    """Replace a piece of a file. The old piece has to occur once, exactly as on the page."""
    before = "\n".join([line[1:] for line in lines if not line.startswith("+")])
    after = "\n".join([line[1:] for line in lines if not line.startswith("-")])
    text = place.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{place.name} holds this {text.count(before)} times:\n{before}"
    place.write_text(text.replace(before, after), encoding="utf-8")


def commands(text: str) -> list[str]:
    """Return the commands of a block. Tests that stand in several lines are run by one command, which is quicker.

    >>> commands("$ caltrop games\\n$ python -m pytest a.py -q\\n$ python -m pytest b.py -q\\n")
    ['caltrop games', 'python -m pytest a.py b.py -q']
    """
    lines = text.splitlines()
    assert all(line.startswith("$ ") for line in lines)
    tests = [result[1] for line in lines if (result := _TESTS.fullmatch(line))]
    others = [line.removeprefix("$ ") for line in lines if not _TESTS.fullmatch(line)]
    return [*others, *([f"python -m pytest {' '.join(tests)} -q"] if tests else [])]


def run(copy: Path, line: str) -> None:
    """Run a command of the page in the copy."""
    words = shlex.split(line)
    program = [sys.executable, "-m", "caltrop"] if words[0] == "caltrop" else [sys.executable]
    done = subprocess.run(
        [*program, *words[1:]],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", "PYTEST_ADDOPTS": "-p no:cacheprovider"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert done.stdout.strip(), f"{line} shows nothing"


def test_every_example_works_in_the_order_of_the_page(copy: Path) -> None:
    sections: dict[str, int] = {}
    section = ""
    for result in _BLOCK.finditer(PAGE):
        if result["section"]:
            section = result["section"]
            continue
        language, file, text = result["language"], result["file"], result["text"]
        if language == "console":
            for line in commands(text):
                run(copy, line)
        elif language == "diff":
            patch(copy / file, text.splitlines())
        elif file:
            assert not (copy / file).exists(), f"{file} is there already"
            (copy / file).write_text(text, encoding="utf-8")
        else:
            continue
        sections[section] = sections.get(section, 0) + 1
    assert set(sections) >= {
        "A unit", "A clause with its test", "A clause in a real game", "A house rule", "A scenario", "A bot", "A page",
        "A sentence on the page", "A command", "A field of a message",
    }  # fmt: skip
