"""The page knows which fields of actions contain places, and draws no other numbers as places."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import caltrop
from caltrop.engine import Action, ruleset, rulesets

LINES = Path(caltrop.__file__).parent / "web/src/lib/lines.ts"

DIRECTIONS = {"along", "direction", "heading"}
"""Fields of actions that contain directions."""


def _subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for one in of.__subclasses__():
        yield one
        yield from _subclasses(one)


def test_fields_with_places_are_those_that_the_page_draws() -> None:
    assert [ruleset(name) for name in rulesets()]
    listed = re.search(r"new Set\(\[(.*)\]\)", LINES.read_text())
    assert listed is not None
    drawn = set(re.findall(r"\w+", listed[1]))
    places, others = set(), set()
    for action in _subclasses(Action):
        if not action.__module__.startswith("caltrop."):
            continue
        for field, kind in typing.get_type_hints(action).items():
            if "tuple[int, int]" in str(kind):
                places.add(field)
            elif "tuple[int, ..." in str(kind):
                others.add(field)
    assert places - DIRECTIONS == drawn
    assert not others & drawn
