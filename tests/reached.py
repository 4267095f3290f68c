"""Tests that reach the places of small changes, and the time that each of them takes.

All tests that may be wanted are run once without any change, while the places of the changes (`tests.small`) tell when
they are reached. A change is then tried with the tests that reach it alone, the quickest first; the others run the same
code with it as without. The record of a file of tests is written down, and holds until the file changes or anything
else that its tests may read. That is the program, its data, and the code that tests share.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import process_time

import msgspec
import pytest

from tests import small

ROOT = small.ROOT
Run = Callable[[pytest.Item, pytest.Item | None], str]


class Recorded(msgspec.Struct, frozen=True):
    """Knowledge of the tests of one file."""

    file: str
    """The path of the file below that of the repository."""
    source: str
    """A digest of all that the tests may read."""
    tests: dict[str, tuple[float, list[str]]] = {}
    """By the ids of the tests, seconds of a processor and the ids of the changes that are reached."""
    fault: str = ""
    """The first test that fails without any change, and how."""


class Reach:
    """Knowledge of tests and small changes.

    Args:
        path: File in which it is stored, a line for each file of tests.
        changes: The changes.
    """

    def __init__(self, path: Path, changes: Iterable[small.Change]) -> None:
        self.path, self.changes = path, list(changes)
        self._reached = mmap.mmap(-1, max(len(self.changes), 1))
        self._caches: list[object] = []
        self._shared = _digest(_shared_files(), *(change.id for change in self.changes))
        lines = path.read_bytes().splitlines() if path.exists() else []
        every = [msgspec.json.decode(line, type=Recorded) for line in lines]
        self.known = {one.file: one for one in every if one.source == self._source(one.file)}

    def _source(self, file: str) -> str:
        return _digest([ROOT / file], self._shared)

    def missing(self, items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
        """Return the tests without a recording, by file."""
        by_file: dict[str, list[pytest.Item]] = {}
        for item in items:
            file = item.path.relative_to(ROOT).as_posix()
            by_file.setdefault(file, []).append(item)
        return {
            file: own
            for file, own in by_file.items()
            if file not in self.known or any(item.nodeid not in self.known[file].tests for item in own)
        }

    def listen(self) -> None:
        """Make each changed place report when it is reached. It runs in a process of its own."""
        small.tell(self.changes, self._told)
        self._caches = [result for result in small.every_object() if isinstance(result, functools._lru_cache_wrapper)]

    def _told(self, *numbers: int) -> None:
        for number in numbers:
            self._reached[number] = 1

    def record(self, file: str, items: list[pytest.Item], run: Run) -> int:
        """Run the tests of a file, and record the changes that they reach. It runs in a listening process.

        Args:
            file: The file.
            items: Its tests.
            run: Runs a test, with the test that comes next. Returns the failure; empty if there is none.

        Returns:
            The status of the process.
        """
        # Tests may fork. In shared memory, changes that a child process reaches count too.
        reached = self._reached = mmap.mmap(-1, max(len(self.changes), 1))
        tests: dict[str, tuple[float, list[str]]] = {}
        fault = ""
        for item, after in zip(items, [*items[1:], None], strict=True):
            reached[:] = bytes(len(reached))
            # Cached results of an earlier test would hide changes that this one reaches first.
            small.forget(self._caches)
            begun = process_time()
            fault = run(item, after)
            if fault:
                break
            ids = [change.id for change, hit in zip(self.changes, reached[:], strict=False) if hit]
            tests[item.nodeid] = round(process_time() - begun, 3), ids
        self._keep(Recorded(file, self._source(file), tests, fault))
        return 0

    def _keep(self, one: Recorded) -> None:
        self.path.parent.mkdir(exist_ok=True)
        line = msgspec.json.encode(one) + b"\n"
        with self.path.open("ab") as file:
            file.write(line)

    def read_again(self) -> str:
        """Read the records of other processes.

        Returns:
            A test that fails without any change; empty if all pass.
        """
        self.known = Reach(self.path, self.changes).known
        return next((one.fault for one in self.known.values() if one.fault), "")

    def of(self, change: small.Change, items: Iterable[pytest.Item]) -> list[tuple[pytest.Item, float]]:
        """Return the tests that reach a change, the quickest first, with the seconds of each."""
        return sorted(self._of(change, items), key=lambda result: result[1])

    def _of(self, change: small.Change, items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, float]]:
        for item in items:
            seconds, ids = self.known[item.path.relative_to(ROOT).as_posix()].tests[item.nodeid]
            if change.id in ids:
                yield item, seconds


def _shared_files() -> list[Path]:
    """Return the files that any test may read: the program, its data, and helpers of tests."""
    program = [path for path in small.PACKAGE.rglob("*") if path.suffix in (".py", ".yaml", ".md")]
    shared = [
        path
        for path in (ROOT / "tests").rglob("*")
        if path.suffix in (".py", ".yaml") and not path.name.startswith("test_") and path.name not in _OURS
    ]
    return sorted(path for path in (*program, *shared) if "node_modules" not in path.parts)


_OURS = ("mutants.py", "reached.py", "survivors.yaml")


def _digest(files: Iterable[Path], *words: str) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    for word in words:
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()[:16]
