"""Counts the lines that a single game has outside its own folders: shared code that only this game uses.

    python -m tests.architecture.outside hex-command

Its own folders are those named after it in `rules`, `players` and `scenarios`. Elsewhere, three things are counted:

* lines that name it, of which a test allows none;
* files for a feature of games (`FEATURES`) that no other ruleset has, in the client and in the terminal, and files that
the client would not need without them;
* in Python, functions, classes and constants that are reached only from its folders and from those files. No other
  game, no other door, and no test with a ruleset or a state of its own reaches them. Code that only such pieces use is
  counted with them. The duel counts as a ruleset like any other, so code that it uses too has a second user.
"""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.picture import Picture
from tests.architecture.test_no_game_is_named import PACKAGE, ROOMS_OF_GAMES, TEMPLATE, lines_with, names_of, shared
from tests.architecture.trees import statements

TESTS = PACKAGE.parents[1] / "tests"
DOORS = ("cli", "server", "terminal", "front", "host", "__init__", "__main__", "lab", "paper", "wire")
"""Rooms that serve every game. Code that they use counts as shared."""


@lru_cache(maxsize=8)
def _first_pictures(rules: Ruleset) -> list[Picture]:
    """Return a game's tables at the start of each of its scenarios, as the first side sees them."""
    return [rules.depict(rules.setup(rules.book(), card.id), 0) for card in rules.scenarios()]


class Feature(NamedTuple):
    """A feature of some games, with files of its own."""

    words: str
    has: Callable[[Ruleset], bool]
    files: str
    """Files of the client and the terminal for this feature: a regular expression for their paths."""


FEATURES = (
    Feature(
        "a map of hexes",
        lambda rules: any(picture.form == "hexes" for picture in _first_pictures(rules)),
        r"web/src/map/|/(Hex[A-Z]\w+|hexes|hexhand\.svelte)\.\w+$",
    ),
    Feature(
        "a hand of cards",
        lambda rules: any(picture.hand or picture.piles for picture in _first_pictures(rules)),
        r"/(Hand|Piles|Card[A-Z]\w+|cards)\.\w+$",
    ),
    Feature(
        "dice with symbols",
        lambda rules: any(picture.faces for picture in _first_pictures(rules)),
        r"/(SymbolDie|TypeSymbols|symbols)\.\w+$",
    ),
    Feature(
        "quarters around a hull",
        lambda rules: any(g.quarters for picture in _first_pictures(rules) for g in picture.groups),
        r"/Quarters\.\w+$",
    ),
    Feature(
        "campaigns",
        lambda rules: rules.campaigns is not None,
        r"/(Seasons?|seasons|campaigns|RosterTable)\.\w+$",
    ),
)


class Piece(NamedTuple):
    """A function, class or constant of a shared module."""

    module: str
    name: str
    lines: int
    uses: frozenset[tuple[str, str]]
    """Names that the piece mentions, each with the module that defines it."""


def module_of(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["caltrop", *[p for p in parts if p != "__init__"]])


def _imports(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports from others of the package, with their sources."""
    result: dict[str, tuple[str, str]] = {}
    for node in statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("caltrop"):
            for alias in node.names:
                result[alias.asname or alias.name] = (node.module, alias.name)
    return result


def _mentions(node: ast.AST, imports: dict[str, tuple[str, str]], own: str, names: set[str]) -> set[tuple[str, str]]:
    """Return the names of the package that a piece of code mentions."""
    result: set[tuple[str, str]] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id in imports:
                result.add(imports[part.id])
            elif part.id in names:
                result.add((own, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in imports:
            module, name = imports[part.value.id]
            result.add((f"{module}.{name}", part.attr))
    return result


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
    """Return the pieces of shared modules, the names that each owner mentions, and names that other modules pass on."""
    pieces: dict[tuple[str, str], Piece] = {}
    owners: dict[str, set[tuple[str, str]]] = {}
    handed: dict[tuple[str, str], tuple[str, str]] = {}
    homes = {name.replace("-", "_"): name for name in rulesets()}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if "web" in place.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports, module = _imports(tree), module_of(path)
        handed |= {(module, local): source for local, source in imports.items()}
        names = {name for name, _ in _defined(tree)}
        if place.parts[0] in ROOMS_OF_GAMES and len(place.parts) > 2 and place.parts[1] in homes:
            owners.setdefault(homes[place.parts[1]], set()).update(_mentions(tree, imports, module, names))
        elif place.parts[0].removesuffix(".py") in DOORS:
            owners[place.as_posix()] = _mentions(tree, imports, module, names)
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
                uses = frozenset(_mentions(node, imports, module, names - {name}))
                pieces[module, name] = Piece(module, name, lines, uses)
    for path in sorted(TESTS.rglob("*.py")):
        place = path.relative_to(TESTS)
        if place.parts[0] in ("rules", "players"):
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(r"^class \w+\((State|Procedure|Ruleset|Veiled)\b", text, re.MULTILINE):
            tree = ast.parse(text)
            owners.setdefault("a test ruleset", set()).update(_mentions(tree, _imports(tree), "tests", set()))
    return pieces, owners, handed


def _reached(owner: str) -> set[tuple[str, str]]:
    """Return the shared pieces that an owner needs, directly or through other pieces."""
    pieces, owners, handed = _read()
    result: set[tuple[str, str]] = set()
    waiting = list(owners.get(owner, ()))
    while waiting:
        name = waiting.pop()
        while name not in pieces and name in handed and handed[name] != name:
            name = handed[name]
        if name in pieces and name not in result:
            result.add(name)
            waiting += pieces[name].uses
    return result


class Count(NamedTuple):
    """Code of a game outside its folders."""

    naming: list[str]
    pieces: list[Piece]
    files: list[tuple[str, int]]

    @property
    def lines(self) -> int:
        """Number of all these lines."""
        return len(self.naming) + sum(p.lines for p in self.pieces) + sum(n for _, n in self.files)


_IMPORTED = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*["'](\.{1,2}/[^"'?]+)""")


def _needed(sources: Mapping[str, str], without: Collection[str] = ()) -> set[str]:
    """Return the files of the client that its main file needs, directly or through others, if some files are missing.

    Args:
        sources: The texts of the files by path, including `web/src/main.ts`.
        without: The paths of the missing files.
    """
    result: set[str] = set()
    waiting = ["web/src/main.ts"]
    while waiting:
        place = waiting.pop()
        if place in result or place in without:
            continue
        result.add(place)
        for words in _IMPORTED.findall(sources[place]):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), words))
            ways = (target, f"{target}.ts", f"{target}.svelte.ts", f"{target}/index.ts")
            waiting += [way for way in ways if way in sources][:1]
    return result


@lru_cache(maxsize=1)
def _shared() -> dict[str, str]:
    return dict(shared())


@lru_cache(maxsize=8)
def _having(feature: Feature) -> list[str]:
    return [name for name in rulesets() if feature.has(ruleset(name))]


def files_for(game: str) -> list[tuple[str, int]]:
    """Return the files of the client and the terminal that exist for one game alone, each with its lines."""
    texts = _shared()
    alone = {
        place
        for feature in FEATURES
        if _having(feature) == [game]
        for place in texts
        if place.startswith(("web/src/", "terminal/")) and re.search(feature.files, place)
    }
    client = {place: text for place, text in texts.items() if place.startswith("web/src/")}
    alone |= _needed(client) - _needed(client, alone) if alone else set()
    return [(place, len(texts[place].splitlines())) for place in sorted(alone)]


@lru_cache(maxsize=8)
def outside(game: str) -> Count:
    """Return the code of a game outside its folders.

    Args:
        game: Its name.
    """
    pattern = names_of(game)
    naming = [f"{place}:{n}" for place, text in _shared().items() for n, _ in lines_with(pattern, text)]
    pieces, owners, _ = _read()
    files = files_for(game)
    own = {game, *dict(files)} & {*owners}
    others: set[tuple[str, str]] = set().union(*map(_reached, {*owners} - own))
    alone = [pieces[name] for name in sorted(set().union(*map(_reached, own)) - others)]
    return Count(naming, alone, files)


if __name__ == "__main__":
    for asked in sys.argv[1:] or [name for name in rulesets() if name != TEMPLATE]:
        count = outside(asked)
        print(f"{asked}: {count.lines} lines outside its folders")
        for piece in sorted(count.pieces, key=lambda p: -p.lines):
            print(f"  {piece.lines:5} {piece.module}.{piece.name}")
        for place, lines in count.files:
            print(f"  {lines:5} {place}")
        for place in count.naming:
            print(f"      1 {place} names it")
