"""The conformance table: every clause with its code, its tests, and its number of uses in computer games.

The code of a clause is known from its marks, and its tests from the `clause` markers in the test files. Uses are
counted in recorded samples of games. An installed Caltrop has no tests, so the names of the tests are recorded in the
ruleset's `data/conformance.json`, together with the reasons why some clauses never fire. In a checkout the tests are
read each time. Playing the samples takes long, so their counts have a file of their own, `data/sample.json`. A clause
that is newer than the samples is "not sampled yet".

Players who want to win never use some clauses. A second sample, of games between seekers (`caltrop.lab.seeker`), is
therefore counted separately.

`python -m caltrop.lab.conformance [GAME]` writes the record and the page, in seconds. `--num N` and `--seek N` play the
samples first, with the options `--every N` and `--keep FILE`.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from caltrop.clauses import MARKS, Kind
from caltrop.clauses.inventory import Clause
from caltrop.engine import ruleset, rulesets
from caltrop.lab.programs import run

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
_LINE = re.compile(r":\d+ ")


class Sample(msgspec.Struct, frozen=True):
    """A recorded sample of computer games."""

    games: int
    players: tuple[str, ...]
    seed: int
    fired: dict[str, int]
    """Number of times that each clause and each ruling was used."""
    settings: str = ""
    """Settings of the games, in words."""


class ConformanceRecord(msgspec.Struct, frozen=True):
    """The content of `data/conformance.json`."""

    tests: dict[str, list[str]]
    deviates: dict[str, str] = {}
    """Clauses with a known deviation: the reasons of their strict xfail tests."""
    explained: dict[str, str] = {}
    """Reasons why some clauses never fire in computer games."""
    unsought: dict[str, str] = {}
    """Reasons why some clauses never fired between seekers, although they fired in the sample."""
    waived: dict[str, str] = {}
    """Reasons why some rulings have no code or no test: nothing in them can be played or tested."""


class Samples(msgspec.Struct, frozen=True):
    """The content of `data/sample.json`. A clause missing from a sample is newer than the sample."""

    sample: Sample | None = None
    sought: Sample | None = None
    """Games between seekers, counted separately."""

    def fired(self, clause: str) -> int | None:
        """Return the number of uses of a clause in both samples, or None if neither has it."""
        counts = [one.fired[clause] for one in (self.sample, self.sought) if one and clause in one.fired]
        return sum(counts) if counts else None


class ConformanceRow(msgspec.Struct, frozen=True):
    """A row of the conformance table."""

    id: str
    edition: str
    text: str
    status: str
    """`in`: implemented; `waived`: needs no code; `deviates`: known deviation; `out`: missing."""
    why: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    fired: int | None
    """Number of uses of the clause in the sample; None if the clause is newer than the sample."""


class ConformanceReport(msgspec.Struct, frozen=True):
    """The conformance table of a ruleset."""

    ruleset: str
    clauses: tuple[ConformanceRow, ...]
    rulings: tuple[ConformanceRow, ...]


def _record_path(name: str) -> Path:
    return ruleset(name).data / "conformance.json"


def recorded(name: str) -> ConformanceRecord:
    """Return the record of a ruleset; an empty record if none was made yet."""
    path = _record_path(name)
    return msgspec.json.decode(path.read_bytes(), type=ConformanceRecord) if path.exists() else ConformanceRecord({})


def _samples_path(name: str) -> Path:
    return ruleset(name).data / "sample.json"


def samples(name: str) -> Samples:
    path = _samples_path(name)
    return msgspec.json.decode(path.read_bytes(), type=Samples) if path.exists() else Samples()


def _markers(node: ast.AST) -> Iterator[tuple[str, ast.Call | ast.expr]]:
    for decorator in getattr(node, "decorator_list", ()):
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(call, ast.Attribute):
            yield call.attr, decorator


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


@lru_cache(maxsize=2)
def tests_by_clause(folder: Path, *only: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Read the clauses that every test claims: by `clause` markers, in a ruling, or in a row of printed values.

    Returns the tests of each clause or ruling, as `path::name`, and the clauses of strict xfail tests with their
    reasons. The tests are read once in a process, for the tables of all games.

    Args:
        only: Clauses to look for; files that name none of them are skipped. By default all clauses.
    """
    tests: dict[str, list[str]] = {}
    deviates: dict[str, str] = {}

    def wanted(path: Path) -> bool:
        text = path.read_text(encoding="utf-8")
        return any(id in text for id in only or ("clause",))

    for path in filter(wanted, sorted(folder.rglob("test_*.py"))):
        tree = ast.parse(path.read_bytes())
        shown = path.relative_to(folder.parent).as_posix()
        module_wide: list[str] = []
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == "pytestmark" for target in statement.targets
            ):
                for call in ast.walk(statement.value):
                    if (
                        isinstance(call, ast.Call)
                        and isinstance(call.func, ast.Attribute)
                        and call.func.attr == "clause"
                    ):
                        module_wide.extend(_texts(call.args))
        scopes: list[tuple[str, ast.AST, list[str]]] = [("", tree, module_wide)]
        while scopes:
            prefix, scope, inherited = scopes.pop()
            for node in ast.iter_child_nodes(scope):
                if isinstance(node, ast.ClassDef):
                    own = [
                        t
                        for name, d in _markers(node)
                        if name == "clause" and isinstance(d, ast.Call)
                        for t in _texts(d.args)
                    ]
                    scopes.append((f"{prefix}{node.name}::", node, [*inherited, *own]))
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                    ids = list(inherited)
                    xfail = ""
                    for name, d in _markers(node):
                        if name == "clause" and isinstance(d, ast.Call):
                            ids.extend(_texts(d.args))
                        elif name == "xfail":
                            xfail = next(iter(_texts(k.value for k in getattr(d, "keywords", ()))), "a known deviation")
                        elif name == "parametrize" and isinstance(d, ast.Call):
                            for call in ast.walk(d):
                                if (
                                    isinstance(call, ast.Call)
                                    and isinstance(call.func, ast.Attribute)
                                    and call.func.attr == "clause"
                                ):
                                    ids.extend(_texts(call.args))
                    for id in dict.fromkeys(ids):
                        if xfail:
                            deviates[id] = xfail
                        tests.setdefault(id, []).append(f"{shown}::{prefix}{node.name}")
    rulings = [*folder.rglob("rulings/**/*.yaml"), *PACKAGE.glob("rules/*/data/rulings/**/*.yaml")]
    for path in filter(wanted, sorted(rulings)):
        shown = path.relative_to(folder.parent if path.is_relative_to(folder) else ROOT).as_posix()
        for ruling in _rulings(path):
            for id in dict.fromkeys([ruling["id"], *ruling["clauses"]]):
                tests.setdefault(id, []).append(f"{shown}::{ruling['id']}")
    for path in filter(wanted, sorted(folder.rglob("printed/*.yaml"))):
        shown = path.relative_to(folder.parent).as_posix()
        for row, clauses in _printed(path):
            for id in clauses:
                tests.setdefault(id, []).append(f"{shown}::{row}")
    return tests, deviates


def _read(path: Path) -> Any:
    import yaml

    return yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _rulings(path: Path) -> Iterator[dict[str, Any]]:
    loaded = _read(path)
    for ruling in loaded if isinstance(loaded, list) else [loaded]:
        if isinstance(ruling, dict) and "id" in ruling and "clauses" in ruling:
            yield ruling


def _printed(path: Path) -> Iterator[tuple[str, list[str]]]:
    for name, table in _read(path)["tables"].items():
        yield name, table.get("clauses", "").split()
        for row in table["rows"]:
            yield row["id"], row.get("clauses", "").split()


KINDS: tuple[Kind, ...] = ("step", "trigger", "rule", "amendment", "guard", "row")
"""Kinds of marks, in the order in which the table lists the code of a clause."""


def _code_by_clause(name: str) -> dict[str, list[tuple[str, str]]]:
    """Return the marks of each clause as (mark id, `path:line name`), in the order of `KINDS`."""
    ruleset(name).vocabulary()  # Importing every module of the ruleset creates every mark.
    places: dict[str, list[tuple[str, str]]] = {}
    for m in sorted(MARKS.values(), key=lambda m: KINDS.index(m.kind)):
        path = Path(m.path)
        shown = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        if path.is_relative_to(PACKAGE):
            shown = "src/caltrop/" + path.relative_to(PACKAGE).as_posix()
        for id in m.clauses:
            places.setdefault(id, []).append((m.id, f"{shown}:{m.line} {m.id.rsplit(':', 1)[-1]}"))
    return places


def _waived(clause: Clause) -> str:
    return "" if clause.binds else "printed advice, which binds nobody"


def report(name: str, clause: str = "", *, fresh: bool = True) -> ConformanceReport:
    """Return the conformance table of the ruleset called *name*. Raises ValueError when the ruleset does not exist.

    Args:
        clause: A single clause or ruling, in small or capital letters; much faster than all clauses.
        fresh: True to read the tests of a checkout, which takes seconds. False to use the recorded tests, if there
            are any.
    """
    rules = ruleset(name)
    pages = rules.inventory()
    record, sample = recorded(name), samples(name).sample
    live, afresh = ROOT / "tests", fresh or not _record_path(name).exists()
    clauses, questions = pages.clauses, pages.questions
    only: tuple[str, ...] = ()
    if clause:
        clauses = {id: c for id, c in clauses.items() if id in (clause, clause.upper())}
        questions = {id: q for id, q in questions.items() if id in (clause, clause.upper())}
        only = (*clauses, *questions)
        if not only:
            return ConformanceReport(name, (), ())
    tests, deviates = tests_by_clause(live, *only) if afresh and live.is_dir() else (record.tests, record.deviates)
    code = _code_by_clause(name)

    def row(id: str, edition: str, text: str, waived: str) -> ConformanceRow:
        marks = code.get(id, [])
        own = tests.get(id, [])
        fired = sample.fired.get(id) if sample else None
        if waived or id in record.waived:
            fired = fired if fired or sample is None else 0
            status, why = "waived", waived or record.waived[id]
        elif id in deviates:
            status, why = "deviates", deviates[id]
        elif not marks or not own:
            status, why = "out", "no code" if not marks else "no test"
        else:
            status, why = "in", "" if fired else record.explained.get(id, "")
        return ConformanceRow(id, edition, text, status, why, tuple(shown for _, shown in marks), tuple(own), fired)

    return ConformanceReport(
        name,
        tuple(row(c.id, c.edition, c.text, _waived(c)) for c in clauses.values()),
        tuple(row(q.id, "both", q.ruling, "") for q in questions.values()),
    )


def _tests_of(name: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    pages = ruleset(name).inventory()
    own = {*pages.clauses, *pages.questions}
    tests, deviates = tests_by_clause(ROOT / "tests")
    return (
        {id: named for id, named in tests.items() if id in own},
        {id: reason for id, reason in deviates.items() if id in own},
    )


def page(report: ConformanceReport) -> str:
    """Return the conformance table as a page of the docs."""
    record, played = recorded(report.ruleset), samples(report.ruleset)
    bound = [r for r in report.clauses if r.status != "waived"]
    lines = [
        f"# Conformance: {report.ruleset}",
        "",
        (
            f"Made by `python -m caltrop.lab.conformance {report.ruleset}`; do not edit. {len(bound)} clauses bind, "
            f"{sum(r.status == 'in' for r in bound)} of them have code and a test. Of {len(report.rulings)} rulings on "
            f"open questions, {sum(r.status == 'in' for r in report.rulings)} have both."
        ),
        "",
        (
            f"Fired: how often code or data of the clause had an effect in {played.sample.games} games of "
            f"{' and '.join(played.sample.players)}, by turns. {played.sample.settings}"
            if played.sample
            else "No sample of games has been recorded yet."
        ),
    ]
    if played.sought:
        lines += [
            "",
            (
                f"Sought: the same in {played.sought.games} games of players who prefer clauses that have fired least. "
                f"{played.sought.settings}"
            ),
        ]
    for title, rows in (("Clauses", report.clauses), ("Rulings", report.rulings)):
        lines += [
            "",
            f"## {title}",
            "",
            "| id | edition | status | code | tests | fired | sought |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_line(r, played) for r in rows]
    silent = [r for r in (*report.clauses, *report.rulings) if is_silent(r, played)]
    if silent:
        lines += ["", "## Clauses that never fired", "", "| id | why |", "|---|---|"]
        lines += [f"| {r.id} | {r.why or 'not explained'} |" for r in silent]
    if record.unsought:
        lines += ["", "## Clauses that seekers never used", "", "| id | why |", "|---|---|"]
        lines += [f"| {id} | {why} |" for id, why in sorted(record.unsought.items())]
    return "\n".join(lines) + "\n"


def is_silent(r: ConformanceRow, played: Samples) -> bool:
    """Return whether a clause has code and a test, and was sampled, but was never used in either sample."""
    return r.status == "in" and played.fired(r.id) == 0


def _line(r: ConformanceRow, played: Samples) -> str:
    # The page leaves out line numbers, which would change with every edit.
    homes = list(dict.fromkeys(_LINE.sub(" ", c).removeprefix("src/caltrop/") for c in r.code))
    code = "<br>".join(homes[:4]) + (f"<br>and {len(homes) - 4} more" if len(homes) > 4 else "")
    names = list(dict.fromkeys(t.split("::")[-1] for t in r.tests))
    tests = "<br>".join(names[:3]) + (f"<br>and {len(names) - 3} more" if len(names) > 3 else "")
    newer = 0 if r.status == "waived" else "not sampled yet"
    fired, sought = (str(one.fired.get(r.id, newer)) if one else "" for one in (played.sample, played.sought))
    note = f"{r.status}: {r.why}" if r.why else r.status
    return f"| {r.id} | {r.edition} | {note} | {code} | {tests} | {fired} | {sought} |"


def _by_clause(name: str, counted: dict[str, int]) -> dict[str, int]:
    clauses_before = ruleset(name).inventory()
    return {
        id: sum(counted.get(m, 0) for m in dict.fromkeys(m for m, _ in marks))
        for id, marks in sorted(_code_by_clause(name).items())
        if id in clauses_before.clauses  # other rulesets may be loaded
        or id in clauses_before.questions
    }


def record(name: str) -> ConformanceRecord:
    """Return the record of a ruleset with the tests of this checkout."""
    tests, deviates = _tests_of(name)
    return msgspec.structs.replace(recorded(name), tests=tests, deviates=deviates)


def play(
    name: str,
    games: int,
    sought: int,
    seed: int = 1,
    jobs: int | None = None,
    *,
    every: int = 1,
    keep: Path | None = None,
) -> Samples:
    """Play the samples of a ruleset.

    Args:
        games: Number of games of the sample; 0 keeps the last sample.
        sought: Number of games between seekers; 0 keeps the last games.
        jobs: Number of processes; None for the number of processors.
        every: In the first four of each 4 × *every* games, the seats of the best and the random player vary; in the
            others both players are random.
        keep: A file for the counts of each game of the sample; an interrupted run continues from it.
    """
    from caltrop.lab import seeker
    from caltrop.lab.sample import SEATINGS, WORDS, play_sample

    played = samples(name)
    jobs = jobs or os.cpu_count() or 1
    if games:
        players, counted = play_sample(name, games, seed, jobs, every=every, keep=keep)
        words = WORDS
        if every > 1:
            words += f" Of each {every * SEATINGS} games chance plays {(every - 1) * SEATINGS} alone."
        played = msgspec.structs.replace(played, sample=Sample(games, players, seed, _by_clause(name, counted), words))
    if sought:
        counted = seeker.seek_sample(name, sought, seed, jobs)
        sample = Sample(sought, ("seeker",), seed, _by_clause(name, counted), seeker.WORDS)
        played = msgspec.structs.replace(played, sought=sample)
    return played


def _write(path: Path, content: ConformanceRecord | Samples) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(content, order="sorted"), indent=1) + b"\n")


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m caltrop.lab.conformance", description=main.__doc__)
    games = [name for name in rulesets() if _record_path(name).exists()]
    arguments.add_argument("game", nargs="*", default=games, metavar="GAME", help=f"the games ({' '.join(games)})")
    arguments.add_argument(
        "--num", type=int, default=0, help="games of the sample to play; with 0 (the default) the last sample stays"
    )
    arguments.add_argument("--seek", type=int, default=0, help="games between seekers; with 0 the last ones stay")
    arguments.add_argument(
        "--every",
        type=int,
        default=1,
        help="the best player has a part in the first four of each so many times four games of the sample (1)",
    )
    arguments.add_argument(
        "--keep", type=Path, help="a file in which each game of the sample is kept, and from which it goes on"
    )
    arguments.add_argument("--jobs", type=int, help="processes that play (as many as there are processors)")
    given = arguments.parse_args()
    if given.every < 1:
        arguments.error(f"--every is at least 1; here it is {given.every}")
    unknown = [name for name in given.game if name not in rulesets()]
    if unknown:
        arguments.error(f"there is no game {unknown[0]!r}; there are {', '.join(rulesets())}")
    # Cached results of earlier programs must not change how often a rule is called.
    os.environ["CALTROP_CACHE"] = ""
    for name in given.game:
        if given.num or given.seek:
            played = play(name, given.num, given.seek, jobs=given.jobs, every=given.every, keep=given.keep)
            _write(_samples_path(name), played)
        _write(_record_path(name), record(name))
        shown = ROOT / "docs" / "conformance" / f"{name}.md"
        shown.parent.mkdir(parents=True, exist_ok=True)
        shown.write_text(page(report(name)), encoding="utf-8")


if __name__ == "__main__":
    run(main)
