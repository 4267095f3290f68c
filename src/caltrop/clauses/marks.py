"""The marks: which piece of code speaks for which clause, whether it is on, and how often it changed something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Kind = Literal["step", "rule", "amendment", "guard", "row", "trigger"]


class Mark:
    """One piece of code or data that speaks for some clauses.

    Attributes:
        id: Unique name, `module:qualified name` (a row: `file:row.field`).
        kind: What sort of thing carries the mark.
        clauses: The clauses that it speaks for.
        path: Source file as the interpreter knows it, or the data file.
        line: Line of the definition, from 1.
        on: False while a mutant has switched it off.
        fired: How often it changed something in this process.
    """

    __slots__ = ("clauses", "fired", "id", "kind", "line", "on", "path")

    def __init__(self, id: str, kind: Kind, clauses: tuple[str, ...], path: str, line: int) -> None:
        self.id, self.kind, self.clauses, self.path, self.line = id, kind, clauses, path, line
        self.on = True
        self.fired = 0

    def __repr__(self) -> str:
        return f"Mark({self.id!r}, {self.kind}, {'+'.join(self.clauses)}, fired={self.fired})"


MARKS: dict[str, Mark] = {}
"""Every mark of every module imported so far, by id, in order of definition."""


def mark(id: str, kind: Kind, clauses: tuple[str, ...], path: str, line: int) -> Mark:
    """Register a mark.

    Raises:
        ValueError: if the id is taken, or no clause is named: both are mistakes in the program.
    """
    if not clauses:
        raise ValueError(f"{id} is marked with no clause")
    if id in MARKS:
        raise ValueError(f"two marks are called {id}")
    made = MARKS[id] = Mark(id, kind, clauses, path, line)
    return made


def fired_by_mark() -> dict[str, int]:
    """How often each mark changed something since the process began."""
    return {m.id: m.fired for m in MARKS.values()}


@contextmanager
def switched_off(id: str) -> Iterator[Mark]:
    """Switch one mark off for the length of a with-block: the mutant of that clause."""
    m = MARKS[id]
    m.on = False
    try:
        yield m
    finally:
        m.on = True
