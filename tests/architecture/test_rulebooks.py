"""Every rulebook has the same rooms, so that a reader of one finds the same chapter in another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from caltrop.engine import Ruleset, ruleset, rulesets
from tests.architecture.trees import statements, tree_of

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
RULES = SOURCES / "caltrop/rules"
LONGEST = 600

IN_ALL = {
    "armies", "form", "goal", "maps", "movement", "odds", "picture", "preview", "records", "requests", "resolve",
    "rulebook", "rulings", "scenarios", "sight", "turn",
}  # fmt: skip
"""Files that every rulebook has."""


@cache
def modules() -> dict[str, Path]:
    """Return the modules of all rulebooks by name."""
    return {
        ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(RULES.rglob("*.py"))
    }


def within(module: str) -> Iterator[ast.AST]:
    """Yield every statement of a module."""
    return statements(tree_of(modules()[module]))


def imports_of(module: str) -> Iterator[str]:
    """Yield the modules of rulebooks that a module imports at its top, in a function, or only for types."""
    for node in within(module):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names if alias.name in modules()]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield next(
                    name for name in (f"{node.module}.{alias.name}", node.module, "") if name in {*modules(), ""}
                )


def test_no_module_of_the_rules_has_more_than_600_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules().values()}
    assert len(lengths) > 200
    assert {path.name: length for path, length in lengths.items() if length > LONGEST} == {}


def test_no_modules_of_the_rules_import_one_another_in_a_circle() -> None:
    graph = {module: {*imports_of(module)} - {module, ""} for module in modules()}
    assert sum(map(len, graph.values())) > 1000
    assert [*TopologicalSorter(graph).static_order()]


def test_rules_import_one_another_at_the_top_but_for_the_parts_that_a_rulebook_hands_out() -> None:
    late = []
    for module in modules():
        for function in within(module):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                walks = [node for node in statements(function) if isinstance(node, ast.Import | ast.ImportFrom)]
                names = [getattr(node, "module", None) or "" for node in walks]
                parts = module.endswith(".rulebook") and function.name == "parts"
                if not parts and any(name.startswith("caltrop.rules") for name in names):
                    late.append(f"{module}: {function.name}")
    assert late == [], (
        "import at the top of the file; where that makes a circle, see docs/architecture.md, The rooms of a rulebook"
    )


def test_no_module_of_the_rules_hides_an_import_behind_its_types() -> None:
    hidden = [
        module
        for module in modules()
        for node in within(module)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    assert hidden == [], "import at the top of the file, outside `if TYPE_CHECKING`"


def home_of(thing: Any) -> str:
    """Return the file or folder below its game's folder that defines something."""
    name: str = getattr(thing, "__module__", None) or thing.__name__
    return ".".join(name.split(".")[3:])


@pytest.mark.parametrize("name", rulesets())
def test_every_rulebook_has_the_same_file_for_the_same_role(name: str) -> None:
    book: Ruleset = ruleset(name)
    parts = book.parts
    referee, files, armoury, sights = parts.referee, parts.scenario_files, parts.army_lists, parts.sights
    assert referee is not None
    assert files is not None
    assert armoury is not None
    assert sights is not None
    homes = {
        "rulebook": type(book),
        "records": type(book.setup(book.book(None, {}), book.scenarios()[0].id)),
        "scenarios": files.form,
        "armies": armoury.form,
        "requests": referee.request,
        "form": referee.form,
        "preview": parts.forecasts,
        "sight": sights.see,
        "rulings": parts.rulings,
    }
    assert {role: home_of(thing) for role, thing in homes.items()} == {role: role for role in homes}
    folder = Path(str(modules()[f"{type(book).__module__}"])).parent
    assert {path.stem for path in folder.iterdir()} >= IN_ALL
    assert {path.stem for path in (folder / "rulings").glob("*.py")} == {"__init__", "form", "play", "reading"}


def test_the_architecture_names_every_file_that_two_rulebooks_have() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = text[text.index("## The rooms of a rulebook") : text.index("## Places in the code")]
    named = {word.removesuffix(".py").rstrip("/") for word in re.findall(r"`([^`]+)`", section)}
    files = [path.relative_to(RULES).parts[1:] for path in modules().values()]
    shared = {rest[0].removesuffix(".py") for rest in files if len(rest) > 0 and files.count(rest) > 1} - {"__init__"}
    assert len(shared) > 25
    assert shared - named == set()
