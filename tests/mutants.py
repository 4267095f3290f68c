"""Switch clauses off one by one, and list those that no test misses.

A mutant is an amendment, a guard or a trigger that is switched off by its mark. For each, the tests that claim its
clauses are run; where all of them still pass, nobody would miss the clause, and the mutant is listed. The command ends
with 1 when any is.

    make mutants ARGS="command-horizon --only CH-MOVE"
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import pytest

from caltrop.clauses import MARKS, switched_off
from caltrop.engine import ruleset
from caltrop.lab.conformance import tests_by_clause

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("amendment", "guard", "trigger")


class Verdict(NamedTuple):
    """What became of one mutant."""

    id: str
    clauses: tuple[str, ...]
    tests: int
    missed: bool
    """Whether some test failed without the clause."""


def candidates(name: str, only: str = "") -> list[str]:
    """Ids of the marks of a ruleset that can be switched off, in order of definition."""
    rules = ruleset(name)
    rules.vocabulary()
    module = "caltrop.rules." + name.replace("-", "_")
    return [
        m.id
        for m in MARKS.values()
        if m.kind in KINDS and m.id.startswith(module) and (not only or any(only in c for c in (*m.clauses, m.id)))
    ]


def try_without(id: str, nodes: list[str]) -> Verdict:
    """Run the tests of one mutant in this process."""
    m = MARKS[id]
    if not nodes:
        return Verdict(id, m.clauses, 0, False)
    with switched_off(id), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(["-x", "-q", "--no-header", "-p", "no:xdist", "-p", "no:playwright", *nodes])
    return Verdict(id, m.clauses, len(nodes), code == pytest.ExitCode.TESTS_FAILED)


def main() -> int:
    """Try every mutant, and list the survivors."""
    arguments = sys.argv[1:]
    only = ""
    if "--only" in arguments:
        at = arguments.index("--only")
        only = arguments[at + 1]
        del arguments[at : at + 2]
    os.chdir(ROOT)
    survivors: list[Verdict] = []
    for name in arguments or ["command-horizon"]:
        ids = candidates(name, only)
        tests, _ = tests_by_clause(ROOT / "tests")
        jobs = {
            id: list(
                dict.fromkeys(node for clause in MARKS[id].clauses for node in tests.get(clause, ()) if ".py::" in node)
            )
            for id in ids
        }
        # Forked, so that every mutant starts with all modules loaded; one task a child, so that no mutant meets another.
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(os.cpu_count(), mp_context=context, max_tasks_per_child=None) as pool:
            waiting = [pool.submit(try_without, id, jobs[id]) for id in ids]
            for done, future in enumerate(as_completed(waiting), 1):
                verdict = future.result()
                if not verdict.missed:
                    survivors.append(verdict)
                if sys.stderr.isatty() or done % 25 == 0:
                    print(f"\r{name}: {done} of {len(ids)} tried, {len(survivors)} survive", end="", file=sys.stderr)
        print(file=sys.stderr)
        print(f"{name}: {len(ids)} mutants, {len(ids) - len(survivors)} missed by a test, {len(survivors)} survive")
    for verdict in sorted(survivors):
        why = f"{verdict.tests} tests pass without it" if verdict.tests else "no test claims it"
        print(f"  {verdict.id}  {' '.join(verdict.clauses)}: {why}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
