"""The server for pictures makes every source of chance in its modules repeatable."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import caltrop.host
from benchmarks.steady import DRAWING

NAMES = {"SecureDice", "new_id", "new_token"}
FOLDER = Path(caltrop.host.__file__).parent


@pytest.mark.parametrize("module", DRAWING, ids=lambda module: module.__name__)
def test_every_module_has_the_chance_that_is_taken_from_it(module: object) -> None:
    assert all(hasattr(module, name) for name in DRAWING[module])  # type: ignore[index]


def test_names_and_dice_are_taken_from_every_module_that_draws_them() -> None:
    drawing = {
        (file.stem, alias.name)
        for file in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in NAMES
    }
    named = {(module.__name__.rpartition(".")[2], name) for module, names in DRAWING.items() for name in names}
    assert drawing - named == set()
