"""Read the one-page summary of a game: its turn step by step, and five key rules.

The summary is the file `data/summary.yaml` in a game's package. Its steps are the steps shown at the table, and every
rule names its clauses.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop.engine import ruleset
from caltrop.errors import InputError
from caltrop.roster import read_yaml


class SummaryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    words: str
    once: bool = False
    """True if it is taken before the first turn alone. Such steps come first."""


class SummaryRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    words: str
    clauses: tuple[str, ...]


class Summary(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game on one page."""

    words: str
    turn: tuple[SummaryStep, ...]
    rules: tuple[SummaryRule, ...]


@lru_cache(16)
def summary(name: str) -> Summary | None:
    """Return the summary of a game; None if it has none.

    Raises InputError when the file cannot be read, or names a clause that does not exist.
    """
    file: Path = ruleset(name).data / "summary.yaml"
    if not file.is_file():
        return None
    read = read_yaml(file, Summary)
    clauses = ruleset(name).inventory().clauses
    for number, rule in enumerate(read.value.rules):
        for clause in rule.clauses:
            if clause not in clauses:
                raise InputError(f"there is no clause {clause}", source=str(file), field=f"rules[{number}].clauses")
    return read.value
