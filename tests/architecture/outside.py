"""How many lines a game has outside its own folders: what is shared in name, and there for this game alone.

    python -m tests.architecture.outside hex-command

Its own folders are those named after it in `rules`, `players` and `scenarios`. Elsewhere three things are counted:

* lines that name it, of which a test allows none;
* in Python, functions, classes and constants that nobody reaches but from its folders: no other game, no door, and no
  test that has a ruleset or a state of its own. What only such pieces use is counted with them;
* files for a feature of games (`FEATURES`) that no other game has: in the client, and in the terminal.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from caltrop.engine import Ruleset, ruleset, rulesets
from tests.architecture.test_no_game_is_named import PACKAGE, ROOMS_OF_GAMES, names_of, shared

TESTS = PACKAGE.parents[1] / "tests"
DOORS = ("cli", "server", "terminal", "front", "host", "__init__", "__main__", "lab", "wire")
"""Rooms that serve every game: what they use is there for all."""


def _first_picture(rules: Ruleset) -> str:
    """The form of a game's table."""
    t = rules.setup(rules.book(), rules.scenarios()[0].id)
    return rules.depict(t, 0).form


FEATURES: dict[str, Callable[[Ruleset], bool]] = {
    r"hex": lambda rules: _first_picture(rules) == "hexes",
    r"season|campaign|chronicle|roster": lambda rules: rules.campaigns is not None,
    r"hand|card": lambda rules: "hands" in rules.state.secret,
}
"""Words in the names of files that are there for games with a feature, and which games have it."""


class Piece(NamedTuple):
    """A function, class or constant of a shared module."""

    module: str
    name: str
    lines: int
    uses: frozenset[tuple[str, str]]
    """Names that it mentions, each with the module that it comes from."""


def module_of(path: Path) -> str:
    """The dotted name of a file of the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["caltrop", *[p for p in parts if p != "__init__"]])


def _imports(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """What the names of a module stand for that it has from others of the package."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("caltrop"):
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name)
    return found


def _mentions(node: ast.AST, known: dict[str, tuple[str, str]], own: str, names: set[str]) -> set[tuple[str, str]]:
    """The names of the package that a piece of code mentions."""
    found: set[tuple[str, str]] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id in known:
                found.add(known[part.id])
            elif part.id in names:
                found.add((own, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in known:
            module, name = known[part.value.id]
            found.add((f"{module}.{name}", part.attr))
    return found


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id != "__all__":
                    yield target.id, node


@lru_cache(maxsize=1)
def _read() -> tuple[
    dict[tuple[str, str], Piece], dict[str, set[tuple[str, str]]], dict[tuple[str, str], tuple[str, str]]
]:
    """The pieces of shared modules, what each owner mentions, and names that are handed on by another module."""
    pieces: dict[tuple[str, str], Piece] = {}
    owners: dict[str, set[tuple[str, str]]] = {}
    handed: dict[tuple[str, str], tuple[str, str]] = {}
    homes = {name.replace("-", "_"): name for name in rulesets()}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if "web" in place.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known, module = _imports(tree), module_of(path)
        handed |= {(module, local): source for local, source in known.items()}
        names = {name for name, _ in _defined(tree)}
        if place.parts[0] in ROOMS_OF_GAMES and len(place.parts) > 2 and place.parts[1] in homes:
            owners.setdefault(homes[place.parts[1]], set()).update(_mentions(tree, known, module, names))
        elif place.parts[0].removesuffix(".py") in DOORS:
            owners.setdefault("the doors", set()).update(_mentions(tree, known, module, names))
        else:
            rest: set[tuple[str, str]] = set()
            for node in tree.body:
                if not isinstance(
                    node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
                ):
                    rest |= _mentions(node, {}, module, names)
            owners.setdefault("the doors", set()).update(rest)
            for name, node in _defined(tree):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                uses = frozenset(_mentions(node, known, module, names - {name}))
                pieces[module, name] = Piece(module, name, lines, uses)
    for path in sorted(TESTS.rglob("*.py")):
        place = path.relative_to(TESTS)
        if place.parts[0] == "rules":
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(r"^class \w+\((State|Procedure|Ruleset|Veiled)\b", text, re.MULTILINE):
            tree = ast.parse(text)
            owners.setdefault("a test ruleset", set()).update(_mentions(tree, _imports(tree), "tests", set()))
    return pieces, owners, handed


def _reached(owner: str) -> set[tuple[str, str]]:
    """The shared pieces that an owner needs, through whatever others."""
    pieces, owners, handed = _read()
    found: set[tuple[str, str]] = set()
    waiting = list(owners.get(owner, ()))
    while waiting:
        name = waiting.pop()
        while name not in pieces and name in handed and handed[name] != name:
            name = handed[name]
        if name in pieces and name not in found:
            found.add(name)
            waiting += pieces[name].uses
    return found


class Count(NamedTuple):
    """What a game has outside its folders."""

    naming: list[str]
    pieces: list[Piece]
    files: list[tuple[str, int]]

    @property
    def lines(self) -> int:
        """All of it."""
        return len(self.naming) + sum(p.lines for p in self.pieces) + sum(n for _, n in self.files)


def outside(game: str) -> Count:
    """What a game has outside its folders.

    Args:
        game: Its name.
    """
    pattern = names_of(game)
    naming = [f"{place}:{n}" for place, text in shared() for n, line in enumerate(text.splitlines(), 1)
              if pattern.search(line)]  # fmt: skip
    pieces, owners, _ = _read()
    others: set[tuple[str, str]] = set()
    for owner in owners:
        if owner != game:
            others |= _reached(owner)
    alone = [pieces[name] for name in sorted(_reached(game) - others)]
    files: list[tuple[str, int]] = []
    for words, has in FEATURES.items():
        having = [name for name in rulesets() if name != "duel" and has(ruleset(name))]
        if having == [game]:
            for place, text in shared():
                room = place.split("/")[0]
                if room in ("web", "terminal") and re.search(words, Path(place).stem, re.IGNORECASE):
                    files.append((place, len(text.splitlines())))
    return Count(naming, alone, sorted(set(files)))


if __name__ == "__main__":
    for asked in sys.argv[1:] or [name for name in rulesets() if name != "duel"]:
        count = outside(asked)
        print(f"{asked}: {count.lines} lines outside its folders")
        for piece in sorted(count.pieces, key=lambda p: -p.lines):
            print(f"  {piece.lines:5} {piece.module}.{piece.name}")
        for place, lines in count.files:
            print(f"  {lines:5} {place}")
        for place in count.naming:
            print(f"      1 {place} names it")
