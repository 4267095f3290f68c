"""Rooms import only from lower floors, and the rooms of the rules use neither clocks nor global chance."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture.trees import statements, tree_of

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/caltrop"

ROOMS_OF_THE_RULES = (
    "geometry", "chance", "clauses", "table", "roster", "picture", "engine", "journal", "asking", "rules", "scenarios",
)  # fmt: skip
CLOCKS_AND_CHANCE = {"time", "datetime", "random", "secrets", "uuid"}
# `chance` is allowed to: it wraps random generators into sources with seeds.
ALLOWED = {("chance", "random")}
DOORS = {"http", "socket", "starlette", "textual", "uvicorn"}
"""Packages that only doors use."""


def modules() -> list[Path]:
    """Return the modules of the floors in which games are decided."""
    return sorted(path for room in ROOMS_OF_THE_RULES for path in (PACKAGE / room).rglob("*.py"))


def imported(tree: ast.Module) -> set[str]:
    """Return the top-level names of all modules that a module imports anywhere."""
    names = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def loops_over_sets(tree: ast.Module) -> list[int]:
    """Return the lines that iterate over a set, whose order differs from run to run."""
    loops = [node.iter for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
    return [loop.lineno for loop in loops if _is_set(loop)]


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"set", "frozenset"}
    return isinstance(node, ast.Set | ast.SetComp)


def test_rooms_import_only_from_the_floors_below() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


def floors() -> list[set[str]]:
    """Return the rooms of each floor in the import contract, from the lowest floor."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = [contract["layers"] for contract in contracts if contract["id"] == "floors"]
    return [set(re.findall(r"\w+", layer)) for layer in reversed(layers)]


def test_the_package_and_the_page_of_architecture_have_the_floors_of_the_import_contract() -> None:
    below, *above = floors()
    text = ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_bytes())) or ""
    in_docstring = {
        int(number): set(re.findall(r"`(\w+)`", rooms)) for number, rooms in re.findall(r"^(\d)\. ([^:]+):", text, re.M)
    }
    assert in_docstring == dict(enumerate(above)), "the floors in the docstring of src/caltrop/__init__.py are others"
    assert all(f"`{room}`" in text for room in below), "the docstring of src/caltrop/__init__.py lacks a room"
    drawn: list[set[str]] = []
    for line in (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1].splitlines():
        floor, room = line[:20].strip(), line[20:].partition(" ")[0]
        if floor:
            drawn.append(set())
        if room:
            drawn[-1].add(room)
    assert drawn[::-1] == [below, *above], "the floors in docs/architecture.md are others"


@pytest.mark.parametrize("room", ["kit"])
def test_a_room_that_lists_its_modules_lists_them_all(room: str) -> None:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_bytes())) or ""
    listed = {name for line in re.findall(r"^- (.+?):", text, re.M) for name in re.findall(r"`(\w+)`", line)}
    there = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}
    assert listed == there, f"the list in the docstring of caltrop.{room} is another"


def test_no_modules_of_the_client_import_one_another_in_a_circle() -> None:
    """A circle of imports is allowed only if one of the imports happens later, when a function runs."""
    modules = {path for end in ("*.ts", "*.svelte") for path in (PACKAGE / "web/src").rglob(end)}
    graph = {}
    for path in modules:
        named = re.findall(r'^ *(?:import|export) [^"]*"(\.[^"?]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        places = [Path(f"{(path.parent / name).resolve()}{end}") for name in named for end in ("", ".ts", ".svelte.ts")]
        graph[path] = modules.intersection(places)
    assert sum(map(len, graph.values())) > len(graph)
    assert [*TopologicalSorter(graph).static_order()]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_rules_know_no_clock_no_global_chance_and_no_order_of_sets(path: Path) -> None:
    tree = tree_of(path)
    room = path.relative_to(PACKAGE).parts[0]
    strangers = sorted(name for name in imported(tree) & CLOCKS_AND_CHANCE if (room, name) not in ALLOWED)
    assert strangers == [], f"{path.name} imports what differs from run to run"
    assert loops_over_sets(tree) == [], f"{path.name} iterates over a set on these lines; sort it first"


def test_the_check_for_sets_sees_a_set() -> None:
    tree = ast.parse("for a in {1, 2}: pass\n[b for b in set(x)]\nfor c in sorted({1, 2}): pass\n")
    assert loops_over_sets(tree) == [1, 2]


def test_every_package_says_what_is_in_it() -> None:
    silent = [
        path.parent.name
        for path in sorted(PACKAGE.glob("*/__init__.py"))
        if not ast.get_docstring(ast.parse(path.read_bytes()))
    ]
    assert silent == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "host").glob("*.py")), ids=lambda path: path.name)
def test_the_host_of_games_knows_no_request_no_connection_and_no_screen(path: Path) -> None:
    assert not imported(tree_of(path)) & DOORS
