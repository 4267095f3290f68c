"""Read the one-page summary of a game: its turn step by step, and five key rules.

The summary is the file `data/summary.yaml` in a game's package. Its steps are the steps shown at the table, and every
rule names its clauses.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop.engine import ruleset
from caltrop.roster import Read, read_yaml


class SummaryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    words: str
    once: bool = False
    """True if the step is taken before the first turn alone. Such steps come first."""


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
    read = _read(name)
    if read is None:
        return None
    clauses = ruleset(name).inventory().clauses
    for number, rule in enumerate(read.value.rules):
        for clause in rule.clauses:
            if clause not in clauses:
                raise read.wrong(f"there is no clause {clause}", "rules", number, "clauses")
    return read.value


def turn_of(name: str) -> tuple[SummaryStep, ...]:
    """Return the turn of a game step by step, which needs no page of clauses; empty if the game has no summary.

    Raises InputError when its file cannot be read.
    """
    read = _read(name)
    return () if read is None else read.value.turn


def _read(name: str) -> Read[Summary] | None:
    file: Path = ruleset(name).data / "summary.yaml"
    return read_yaml(file, Summary) if file.is_file() else None
