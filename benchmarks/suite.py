"""How long the tests take, by kind: `python -m benchmarks.suite`, with what pytest is to be given.

The tests run as `make test` runs them. A row of the table is a room of `tests`, with the seconds that its tests took
together; the last row is the time that passed, on as many workers as WORKERS says (2).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]


def kind_of(test: str) -> str:
    """Return the room of a test, from its class name in the report: `tests.rules.duel.test_duel` is `rules`."""
    parts = test.split(".")
    return "examples in docstrings" if parts[0] != "tests" else parts[1] if len(parts) > 2 else "tests"


def main() -> int:
    """Run the tests and print the table; return pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        report, begun = Path(folder) / "report.xml", time.monotonic()
        command = [sys.executable, "-m", "pytest", "-n", os.environ.get("WORKERS", "2"), "-q", f"--junit-xml={report}"]
        code = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, stdout=sys.stderr, check=False).returncode
        passed = time.monotonic() - begun
        cases = list(ElementTree.parse(report).iter("testcase"))
    seconds: defaultdict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    for case in cases:
        kind = kind_of(case.get("classname", ""))
        seconds[kind] += float(case.get("time", 0))
        tests[kind] += 1
    print("| kind of test | tests | seconds |\n|---|---|---|")
    for kind, time_taken in sorted(seconds.items(), key=lambda row: -row[1]):
        print(f"| {kind} | {tests[kind]} | {time_taken:.0f} |")
    print(f"| all, on {command[4]} workers | {tests.total()} | {passed:.0f} |")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
