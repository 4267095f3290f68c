"""The files that visitors of a public repository expect can be read, and the paths in them exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


def read(path: Path) -> Any:
    """Return the content of a YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_workflow_runs_what_ci_runs() -> None:
    jobs = read(GITHUB / "workflows" / "ci.yml")["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert commands == [".ci/run", "make test-browser"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111, "it can be run"
    assert re.search(r"^test-browser:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_something(form: Path) -> None:
    data = read(form)
    assert data["name"]
    assert data["description"]
    ids = [part["id"] for part in data["body"]]
    assert len(set(ids)) == len(ids)
    assert any(part.get("validations", {}).get("required") for part in data["body"])


def test_forms_name_every_game() -> None:
    form = read(GITHUB / "ISSUE_TEMPLATE" / "rule.yml")
    named = " ".join(form["body"][0]["attributes"]["options"]).lower()
    games = {path.name for path in (ROOT / "src/caltrop/rules").iterdir() if (path / "rulebook.py").exists()}
    assert {game for game in games if game.replace("_", " ") not in named} == set()


def test_the_citation_can_be_read() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["title"] == "Caltrop"
    assert citation["license"] == "MIT"
    assert citation["cff-version"] == "1.2.0"


def test_hooks_use_the_tools_of_the_checkout() -> None:
    for repo in read(ROOT / ".pre-commit-config.yaml")["repos"]:
        assert repo["repo"] == "local"
        assert all(hook["entry"].startswith(".venv/bin/") for hook in repo["hooks"])
