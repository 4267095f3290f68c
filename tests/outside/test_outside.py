"""A ruleset and a player of another author can be used at every door once they are installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SITE = Path(__file__).parent / "site"
"""The files of an installation: a package, and metadata with its entry points."""


def said(*command: str) -> str:
    """Return the output of a program that has the package on its path."""
    path = os.pathsep.join(filter(None, (str(SITE), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": path, "LAWS": "heaps"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_stands_in_the_lists_with_its_players() -> None:
    listed = {game["name"]: game for game in json.loads(said("-m", "caltrop", "games", "--json"))["rulesets"]}
    assert listed["heaps"]["players"] == ["random", "counter"]
    assert "counter" not in listed["duel"]["players"]
    assert list(listed)[-1] == "duel"


def test_it_is_not_there_where_it_is_not_installed() -> None:
    from caltrop.engine import rulesets

    assert "heaps" not in rulesets()


def test_it_is_played_from_python_in_any_process() -> None:
    source = """
import json, caltrop
if __name__ == "__main__":
    assert caltrop.new("heaps", seed=1).ruleset.title == "Heaps"
    given = dict(players=("counter", "random"), num=20, seed=1, swap=True)
    print(json.dumps([caltrop.simulate("heaps", **given, jobs=n) for n in (1, 2)]))
"""
    one, two = json.loads(said("-c", source))
    assert one["digest"] == two["digest"]
    assert one["wins"]["0"] > 15, "who counts wins nearly always"


def test_its_clauses_are_told_and_have_code() -> None:
    words = json.loads(said("-m", "caltrop", "rules", "heaps", "--json"))
    assert [clause["id"] for clause in words["clauses"]] == ["HP-TAKE-01", "HP-TAKE-02", "HP-END-01"]
    assert "rulebook.py" in words["clauses"][0]["code"][0]


def test_the_laws_hold_for_it() -> None:
    laws = Path(__file__).parents[1] / "laws" / "test_laws.py"
    assert "passed" in said("-m", "pytest", "-q", "-p", "no:xdist", str(laws), "-k", "not hash_seed")
