"""Measures the tests by kind: `python -m benchmarks.suite`, followed by arguments for pytest.

The tests run as with `make test`. Each row of the table is a folder of `tests`, with the processor seconds of its tests
and of the programs that they started. These are valid on a busy machine too. The last row has the elapsed time, which
is valid only on an idle machine, with the number of workers in WORKERS (2).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COSTS = "TEST_COSTS"
"""Environment variable with the folder to which the tests write their times."""


def kind_of(test: str) -> str:
    """Return the folder of a test from its id: that of `tests/rules/duel/test_duel.py::test_a_blow` is `rules`."""
    parts = test.partition("::")[0].split("/")
    return "examples in docstrings" if parts[0] != "tests" else parts[1] if len(parts) > 2 else "tests"


def spent() -> float:
    """Return the processor seconds of this process and of its finished child processes."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Store the time of a test, including the programs that it started."""
    before = spent()
    try:
        return (yield)
    finally:
        file = Path(os.environ[COSTS]) / os.environ.get("PYTEST_XDIST_WORKER", "alone")
        with file.open("a", encoding="utf-8") as rows:
            rows.write(f"{spent() - before:.4f} {item.nodeid}\n")


def main() -> int:
    """Run the tests and print the table; return pytest's exit code."""
    workers = os.environ.get("WORKERS", "2")
    seconds: defaultdict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        begun, before = time.monotonic(), spent()
        command = [sys.executable, "-m", "pytest", "-n", workers, "-q", "-p", "benchmarks.suite", *sys.argv[1:]]
        environment = {**os.environ, COSTS: folder}
        code = subprocess.run(command, cwd=ROOT, env=environment, stdout=sys.stderr, check=False).returncode
        passed, whole = time.monotonic() - begun, spent() - before
        for file in Path(folder).iterdir():
            for row in file.read_text(encoding="utf-8").splitlines():
                cost, _, test = row.partition(" ")
                seconds[kind_of(test)] += float(cost)
                tests[kind_of(test)] += 1
    print("| kind of test | tests | processor seconds |\n|---|---|---|")
    for kind, time_taken in sorted(seconds.items(), key=lambda row: -row[1]):
        print(f"| {kind} | {tests[kind]} | {time_taken:.0f} |")
    print(f"| collecting them, and pytest | | {max(whole - sum(seconds.values()), 0):.0f} |")
    print(f"| all: {passed:.0f} s on {workers} workers | {tests.total()} | {whole:.0f} |")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
