"""Find scenario files, and tell the sort of an author's file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

_HOME = Path(__file__).parent

Sort = Literal["scenario", "army", "ruling", "game"]
"""Sort of an author's file."""


@lru_cache(maxsize=16)
def built_in(ruleset: str) -> dict[str, Path]:
    """Return a ruleset's own scenario files by id, the file name without its ending."""
    return {file.stem: file for file in sorted((_HOME / ruleset.replace("-", "_")).glob("*.yaml"))}


def sort_of(raw: Any) -> Sort | None:
    """Return the sort of a file by its content *raw*; None if it is unknown.

    >>> sort_of({"ruleset": "duel", "table": [90, 90]}), sort_of({"units": []}), sort_of([])
    ('scenario', 'army', None)
    >>> sort_of({"id": "W33", "cases": []}), sort_of({"fighters": []})
    ('ruling', 'army')
    """
    if not isinstance(raw, Mapping):
        return None
    if "format" in raw or "entries" in raw:
        return "game"
    if "cases" in raw:
        return "ruling"
    if "table" in raw or "terrain" in raw:
        return "scenario"
    return "army" if "army" in raw or "units" in raw or "fighters" in raw else None
