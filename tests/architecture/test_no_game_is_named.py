"""Code that all games share names no game, so that a new game needs no change in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from caltrop.engine import ruleset, rulesets

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "caltrop"
ROOMS_OF_GAMES = ("rules", "players", "scenarios")
NOT_OURS = ("node_modules", "static", "site", "dist", "__pycache__")
TEMPLATE = "duel"
"""The duel is the example in docstrings and usage texts. Naming it there is no special case for a game."""
MENTIONS_THE_TEMPLATE = {
    "clauses/inventory.py", "engine/rule.py", "cli/rules.py", "cli/play.py", "cli/words.py",  # "as in `duel`"
    "front.py", "scenarios/campaigns.py", "scenarios/files.py",  # doctests
    "kit/numbers.py", "kit/scenes.py",  # doctests: it is what a rulebook takes from
    "rules/__init__.py",  # says which folder is the template
}  # fmt: skip


def shared() -> Iterator[tuple[str, str]]:
    """Yield every text file of the package that belongs to no game, by its path."""
    homes = {name.replace("-", "_") for name in rulesets()}
    for path in sorted(PACKAGE.rglob("*")):
        place = path.relative_to(PACKAGE)
        games_own = place.parts[0] in ROOMS_OF_GAMES and len(place.parts) > 2 and place.parts[1] in homes
        # Tests of the client need some game in their data.
        if games_own or path.is_dir() or {*NOT_OURS} & {*place.parts} or path.name.endswith(".test.ts"):
            continue
        try:
            yield place.as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def names_of(name: str) -> re.Pattern[str]:
    """Return the forms in which a game, or a clause of it, may be written."""
    rules = ruleset(name)
    spelled = re.escape(name).replace(r"\-", r"[-_ ]?")
    return re.compile(rf"\b{spelled}\b|\b{re.escape(rules.prefix)}[A-Z]+-?\d", re.IGNORECASE)


def lines_with(pattern: re.Pattern[str], text: str) -> list[tuple[int, str]]:
    """Return the lines in which a pattern of one line occurs, with their numbers."""
    lines = text.splitlines() if pattern.search(text) else []
    return [(n, line) for n, line in enumerate(lines, 1) if pattern.search(line)]


def test_nothing_shared_names_a_game() -> None:
    result = []
    names = {name: names_of(name) for name in rulesets()}
    for place, text in shared():
        for name, pattern in names.items():
            if name == TEMPLATE and place in MENTIONS_THE_TEMPLATE:
                continue
            result += [f"{place}:{n}: {line.strip()[:80]}" for n, line in lines_with(pattern, text)]
    assert not result, "\n".join(result)


def test_the_exceptions_are_needed() -> None:
    text = dict(shared())
    assert {place for place in MENTIONS_THE_TEMPLATE if names_of(TEMPLATE).search(text[place])} == MENTIONS_THE_TEMPLATE


def test_the_makefile_names_no_game() -> None:
    text = (PACKAGE.parents[1] / "Makefile").read_text(encoding="utf-8")
    assert not [name for name in rulesets() if names_of(name).search(text)]
