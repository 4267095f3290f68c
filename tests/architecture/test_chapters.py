"""A chapter of a rulebook has the order of the book: steps and rules first, then questions and events."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from sys import modules

import pytest

from caltrop.engine import ruleset, rulesets


@cache
def lines_of(module: str) -> dict[str, int]:
    """Return the line of each class of a module."""
    tree = ast.parse(Path(str(modules[module].__file__)).read_bytes())
    return {node.name: node.lineno for node in tree.body if isinstance(node, ast.ClassDef)}


@pytest.mark.parametrize("name", rulesets())
def test_acts_decisions_and_events_stand_below_the_steps_of_their_chapter(name: str) -> None:
    words = ruleset(name).vocabulary()
    last: dict[str, int] = {}
    for kind in words.procedures:
        line = lines_of(kind.__module__)[kind.__name__]
        last[kind.__module__] = max(last.get(kind.__module__, 0), line)
    above = []
    for kind in (*words.decisions, *words.actions, *words.events):
        if kind.__module__ in last and lines_of(kind.__module__)[kind.__name__] < last[kind.__module__]:
            above.append(f"{kind.__module__}.{kind.__name__}")
    assert last
    assert not above
