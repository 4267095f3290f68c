"""Marks: links from code to clauses, with switches and counters.

A caller counts which marks fire, or switches a piece of the rules off. Both affect only the caller's thread. While
nobody counts or switches, `WATCHED` is empty, and a mark costs a game one test.

>>> tried = Mark("here:far", "guard", ("XX-MOVE-01",), "here.py", 1)
>>> with counting() as fired:
...     tried.fires()
True
>>> tried.fires(), fired["here:far"]
(True, 1)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any, Literal

Kind = Literal["step", "rule", "amendment", "guard", "row", "trigger"]

Place = tuple[str, str, int]
"""The place where a piece of code stands: the id of its mark, its source file, and its first line."""

WATCHED: dict[object, None] = {}
"""One entry for each open count and switch of any thread. Hot code checks its marks only if there is an entry."""


class _Here(local):
    """The counts and switches of this thread."""

    counts: Counter[str] | None = None
    off: frozenset[str] = frozenset()


_here = _Here()
_off_everywhere: set[str] = set()


class Mark:
    """A link from code or data to the clauses that it implements.

    Attributes:
        id: Unique name, `module:qualified name` (a row: `file:row.field`).
        kind: Kind of the marked thing.
        clauses: The clauses that it implements.
        path: Source file as the interpreter knows it, or the data file.
        line: Line of the definition, from 1.
    """

    __slots__ = ("clauses", "id", "kind", "line", "path")

    def __init__(self, id: str, kind: Kind, clauses: tuple[str, ...], path: str, line: int) -> None:
        self.id, self.kind, self.clauses, self.path, self.line = id, kind, clauses, path, line

    def __repr__(self) -> str:
        return f"Mark({self.id!r}, {self.kind}, {'+'.join(self.clauses)})"

    @property
    def on(self) -> bool:
        """True unless the mark is switched off in this thread."""
        return not WATCHED or not (self.id in _here.off or self.id in _off_everywhere)

    def fires(self) -> bool:
        """Return whether the mark is on. If uses are being counted in this thread, count one."""
        if not WATCHED:
            return True
        if not self.on:
            return False
        if _here.counts is not None:
            _here.counts[self.id] += 1
        return True


MARKS: dict[str, Mark] = {}
"""Every mark of every module imported so far, by id, in order of definition."""


def mark(id: str, kind: Kind, clauses: tuple[str, ...], path: str, line: int) -> Mark:
    """Register a mark.

    Raises ValueError if the id is taken, or no clause is named: both are mistakes in the program.
    """
    if not clauses:
        raise ValueError(f"{id} is marked with no clause")
    if id in MARKS:
        raise ValueError(f"two marks are called {id}")
    made = MARKS[id] = Mark(id, kind, clauses, path, line)
    return made


def place_of(function: Callable[..., Any]) -> Place:
    """Return the source position of a function; for a compiled one, that of the code that marks it."""
    code = function.__code__
    return f"{function.__module__}:{function.__qualname__}", code.co_filename, code.co_firstlineno


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Count, for the length of a with-block, how often each mark changes something in this thread, by id.

    A count inside another has its own numbers, and the outer one goes without them.
    """
    before, counts, watch = _here.counts, Counter[str](), object()
    WATCHED[watch] = None
    _here.counts = counts
    try:
        yield counts
    finally:
        _here.counts = before
        del WATCHED[watch]


@contextmanager
def uncounted() -> Iterator[None]:
    """Suspend counting in this thread within a with-block."""
    before, _here.counts = _here.counts, None
    try:
        yield
    finally:
        _here.counts = before


@contextmanager
def switched_off(id: str, everywhere: bool = False) -> Iterator[Mark]:
    """Switch one mark off during a with-block, which makes a mutant of that clause.

    Args:
        everywhere: True to switch it off in every thread, for a process that tests a mutant.
    """
    m, before, watch = MARKS[id], _here.off, object()
    WATCHED[watch] = None
    if everywhere:
        _off_everywhere.add(id)
    else:
        _here.off = before | {id}
    try:
        yield m
    finally:
        _here.off = before
        if everywhere:
            _off_everywhere.discard(id)
        del WATCHED[watch]


def all_on() -> bool:
    """Return whether no clause is switched off here, so that results may be cached for others."""
    return not WATCHED or not (_here.off or _off_everywhere)
