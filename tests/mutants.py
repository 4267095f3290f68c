"""Change the rules one by one, and list the changes that no test notices.

A mutant is one small change. It may switch off a mark of a ruleset: an amendment that does not amend, a guard that lets
everything pass, a trigger without effect, a step that does nothing. It may change the data: a value that is one higher,
or a card or a kind of ground that does nothing. Or two values of a house rule mean the same. For each, the tests that
claim its clauses (its house rule's value) are run; if all of them still pass, nobody would notice the change, and the
mutant is listed. The command ends with 1 when any is.

    make mutants ARGS="command-horizon --only CH-MOVE --kinds guard,step"

With `--small N` the mutants are N small changes inside functions instead (`tests.small`), drawn by chance from a
ruleset's own files, its kind of table and the dice. Each has the tests that claim a clause of its file, those that
import the file, and its doctests. If no clause has code in it, it has those of the ruleset, and on the table and among
the dice, those of the room. Of these the ones are run that reach the changed place (`tests.reached`), the quickest
first; a place that no test reaches is a survivor at once. `survivors.yaml` has the fates of those that no test noticed
at first. `--write` writes what was tried of a game to the page notebook/mutants.md. The other games stay as they are,
and so do the samples of other seeds.

    make mutants ARGS="hex-command --small 100"

The reach of the tests is recorded once for the samples of all games. Both it and each verdict are written down at once
(`mutants/reached.jsonl`, `mutants/GAME.jsonl`), so a run that is ended continues later. A mutant that was noticed, or
is known to be equivalent, is not tried again until its file changes; one that was not noticed is.

The tests are collected once, and every mutant runs in a fork of that process, so that no mutant meets another. First
all tests are run without any change: what fails then would notice everything.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import msgspec
import pytest
import yaml

from caltrop.clauses import MARKS, Mark, switched_off
from caltrop.engine import Book, HouseValue, Procedure, Switch, ruleset, rulesets
from caltrop.engine.known import forget
from caltrop.engine.packs import Pack
from tests import small
from tests.reached import Reach

ROOT = Path(__file__).resolve().parents[1]
GAMES = rulesets()
KINDS = ("amendment", "guard", "trigger", "step", "row", "house")
LONGEST = 30.0
"""Seconds of processor time that one test may take. If it takes longer, the mutant counts as noticed."""
FIRST = 5.0
"""Seconds of a processor that a test may take which took none without the change."""
MOST = 6 << 30
"""Bytes of memory that the tests of a mutant may use."""
SURVIVORS = Path(__file__).parent / "survivors.yaml"
PAGE = ROOT / "notebook" / "mutants.md"
KEPT = ROOT / "mutants"
"""Folder of the verdicts on small changes, a file for each game. It is not part of the repository."""
W = TypeVar("W")


class Mutant(NamedTuple):
    """One change of the rules."""

    id: str
    claims: tuple[str, ...]
    """Clauses of the tests that ought to notice the mutant; for a house rule, its value."""
    change: Callable[[], AbstractContextManager[Any]]
    inside: small.Change | None = None
    """The small change of the mutant, if it is one. Its tests are those of the changed file."""


class Verdict(NamedTuple):
    """The fate of one mutant."""

    id: str
    claims: tuple[str, ...]
    tests: int
    noticed: bool
    """True if some test failed."""
    by: str = ""
    """The test that failed."""


def candidates(name: str, only: str = "", kinds: tuple[str, ...] = KINDS) -> list[Mutant]:
    """Return every change of a ruleset, in order of definition.

    Args:
        name: The ruleset.
        only: Part of a clause or of a mark's id; empty for all marks.
        kinds: Kinds of marks.
    """
    rules = ruleset(name)
    rules.vocabulary()
    folder = ROOT / "src" / "caltrop" / "rules" / name.replace("-", "_")
    every = [
        Mutant(m.id, m.clauses, partial(changed, m))
        for m in MARKS.values()
        if m.kind in kinds and Path(m.path).is_relative_to(folder)
    ]
    if "house" in kinds:
        for switch in rules.switches:
            for value, other in house_values(switch):
                change = partial(taken_for, switch.name, value, other)
                every.append(Mutant(f"{switch.name}={value}, taken for {other}", (claim(switch.name, value),), change))
    return [m for m in every if not only or any(only in c for c in (*m.claims, m.id))]


def house_values(switch: Switch) -> Iterator[tuple[HouseValue, HouseValue]]:
    """Yield each value of a house rule with the value that replaces it: the default, or for the default the next
    value.

    Of an open range, both ends and one within.
    """
    yield switch.default, switch.values[1] if len(switch.values) > 1 else switch.min or 0
    for value in switch.values[1:]:
        yield value, switch.default
    if switch.min is not None and switch.max is not None:
        within = next(n for n in range(switch.min + 1, switch.max) if n not in switch.values)
        for value in (switch.min, within, switch.max):
            if value != switch.default:
                yield value, switch.default


def claim(name: str, value: HouseValue) -> str:
    """Return how a test states that it notices a value of a house rule, in a uniform spelling."""
    return f"{name}={value!r}"


@contextmanager
def taken_for(name: str, value: HouseValue, other: HouseValue) -> Iterator[None]:
    """Make one value of a house rule act as another."""
    built = Book.__init__

    def build(
        self: Book, ruleset: str, edition: str, rules: Mapping[str, HouseValue] | None = None, pack: Pack | None = None
    ) -> None:
        chosen = dict(rules or {})
        if name in chosen and chosen[name] == value:
            chosen[name] = other
        built(self, ruleset, edition, chosen, pack)

    Book.__init__ = build  # type: ignore[method-assign]
    try:
        yield
    finally:
        Book.__init__ = built  # type: ignore[method-assign]


@contextmanager
def skipped(m: Mark) -> Iterator[None]:
    """Replace a step, also in procedures that inherit it, by one without effect."""
    waiting: list[type[Procedure]] = [Procedure]
    result = []
    while waiting:
        procedure = waiting.pop()
        waiting += procedure.__subclasses__()
        result += [s for s in procedure.plan.values() if s.mark is m]
    acts = [s.do for s in result]
    for s in result:
        s.do = lambda *_: None
    try:
        yield
    finally:
        for s, do in zip(result, acts, strict=True):
            s.do = do


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, tuple):
        return value[1:]
    return "medium" if value == "light" else "light"


@contextmanager
def one_more(m: Mark) -> Iterator[None]:
    """Change a value of `units.yaml`: raise it by one, choose another class or result, or take a trait away."""
    from caltrop.rules.command_horizon import catalogue

    units, tables = catalogue._BY_EDITION, catalogue._UNITS.tables
    for (edition, row, field), owner in catalogue.ROWS.items():
        if owner is not m:
            continue
        army, _, key = row.partition("/")
        if row in tables:
            faces = getattr(tables[row], field)
            into = "miss" if field != "miss" else next(r for r in tables[row].clauses if r != "miss")
            if faces:
                more = (*getattr(tables[row], into), faces[-1])
                tables[row] = msgspec.structs.replace(tables[row], **{field: faces[:-1], into: more})
        elif not key:
            catalogue.ARMIES[army] = msgspec.structs.replace(catalogue.ARMIES[army], traits=())
            for (of, kind), unit in units[edition].items():
                if of == army:
                    units[edition][of, kind] = msgspec.structs.replace(unit, traits=unit.traits[:-1])
        elif (army, key) in units[edition]:
            unit, name = units[edition][army, key], "unit_class" if field == "class" else field
            units[edition][army, key] = msgspec.structs.replace(unit, **{name: _other(getattr(unit, name))})
    yield


@contextmanager
def other_hexes(m: Mark) -> Iterator[None]:
    """Change the values of a row of Hex Command's data.

    A value of the unit table is one higher, and dice begin with those of the next range. Ground acts as open ground,
    which itself is cover. A card that is played in the enemy's turn gets a copy; any other does nothing.
    """
    from caltrop.rules.hex_command.catalogue import CARDS, GROUNDS, UNITS, GroundEffects

    file, _, rest = m.id.partition(":")
    key, _, field = rest.rpartition(".")
    if file == "units.yaml":
        UNITS[key] = msgspec.structs.replace(UNITS[key], **{field: _other(getattr(UNITS[key], field))})
    elif file == "terrain.yaml":
        own = GROUNDS[key]
        less = (1, 1, 1) if key == "open" else (0, 0, 0)
        GROUNDS[key] = GroundEffects(title=own.title, clauses=own.clauses, key=key, marks={"row": m}, less=less)
    elif file == "cards.yaml" and CARDS[key].react:
        CARDS[key] = msgspec.structs.replace(CARDS[key], count=CARDS[key].count + 1)
    else:
        with switched_off(m.id, everywhere=True):
            yield
        return
    yield


def changed(m: Mark) -> AbstractContextManager[Any]:
    """Return the ruleset with one mark changed. It runs in a process of its own, because data is not restored."""
    if m.kind == "step":
        return skipped(m)
    if m.kind != "row":
        return switched_off(m.id, everywhere=True)
    return other_hexes(m) if "hex_command" in m.path else one_more(m)


def small_candidates(name: str, size: int, seed: int, only: str = "") -> list[Mutant]:
    """Return small changes inside the functions of a ruleset, drawn by chance."""
    return [Mutant(c.id, (), partial(made, c), c) for c in small.sample(name, size, seed) if only in c.id]


@contextmanager
def made(change: small.Change) -> Iterator[None]:
    """Apply a small change to a function. It runs in a process of its own, because the change is not undone."""
    small.put_in(change)
    yield


@contextmanager
def nothing() -> Iterator[None]:
    """Change nothing."""
    yield


class Tests:
    """The collected tests, with the mutants that each of them should notice.

    Args:
        name: The ruleset.
        items: The tests.
    """

    def __init__(self, name: str, items: list[pytest.Item]) -> None:
        self.by_claim: dict[str, list[pytest.Item]] = {}
        self.by_file: dict[Path, list[pytest.Item]] = {}
        self.own = ROOT / "tests" / "rules" / name.replace("-", "_")
        for item in items:
            if item.get_closest_marker("browser") or item.get_closest_marker("slow"):
                continue
            self.by_file.setdefault(item.path, []).append(item)
            claims = [c for marker in item.iter_markers("clause") for c in marker.args]
            if item.path.is_relative_to(self.own):  # Two games may have house rules of the same name.
                claims += [claim(m.args[0], v) for m in item.iter_markers("house") for v in m.args[1:]]
            for one in dict.fromkeys(claims):
                self.by_claim.setdefault(one, []).append(item)

    def of(self, m: Mutant) -> list[pytest.Item]:
        """Return the tests that ought to notice a mutant, the likeliest first."""
        if m.inside is not None:
            return list(dict.fromkeys(self._of_file(m.inside)))
        return list(dict.fromkeys(item for one in m.claims for item in self.by_claim.get(one, ())))

    def _of_file(self, change: small.Change) -> Iterator[pytest.Item]:
        file, own = change.file, small.clauses_of(change.file)
        yield from self._claiming(small.clauses_of(file, change.function))
        yield from self.by_file.get(file, ())
        for test, items in self.by_file.items():
            if file in imported_by(test):
                yield from items
        if not file.is_relative_to(small.PACKAGE / "rules"):
            yield from self._under(ROOT / "tests" / file.relative_to(small.PACKAGE).parent)
        elif own:
            yield from self._claiming(own)
        else:
            yield from self._under(self.own)

    def _claiming(self, clauses: tuple[str, ...]) -> Iterator[pytest.Item]:
        return (item for one in clauses for item in self.by_claim.get(one, ()))

    def _under(self, folder: Path) -> Iterator[pytest.Item]:
        return (item for file, items in self.by_file.items() if file.is_relative_to(folder) for item in items)


@cache
def imported_by(test: Path) -> frozenset[Path]:
    """Return the files of the program from which a test imports something, directly or through a package."""
    paths: set[Path] = set()
    for node in ast.walk(ast.parse(test.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("caltrop"):
            for name in node.names:
                paths |= defined_in(node.module, name.name)
        elif isinstance(node, ast.Import):
            paths |= {file for name in node.names if (file := file_of(name.name)) is not None}
    return frozenset(paths)


def file_of(module: str) -> Path | None:
    """Return the file of a module or a package of the program; None if there is none."""
    place = ROOT / "src" / module.replace(".", "/")
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists()), None)


@cache
def defined_in(module: str, name: str) -> frozenset[Path]:
    """Return the files through which an imported name passes, including the file that defines it.

    >>> [file.name for file in sorted(defined_in("caltrop.rules.hex_command.attack", "Attack"))]
    ['__init__.py', 'procedure.py']
    """
    file = file_of(module)
    if file is None:
        return frozenset()
    inner = file_of(f"{module}.{name}")
    if file.name != "__init__.py" or inner is not None:
        return frozenset({file} if inner is None else {file, inner})
    paths = {file}
    for node in ast.parse(file.read_bytes()).body:
        given = [one.asname or one.name for one in node.names] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and name in given and (node.module or "").startswith(f"{module}."):
            paths |= defined_in(node.module or "", name)
    return frozenset(paths)


class Mutants:
    """A plugin of pytest that runs, instead of every test once, the tests of each mutant.

    Args:
        name: The ruleset.
        mutants: The mutants.
        jobs: Number of mutants that are tried at the same time.
        keep: Called with each verdict at once.
        reach: Tests that reach small changes; if None, a mutant has all its tests.
    """

    def __init__(
        self,
        name: str,
        mutants: list[Mutant],
        jobs: int,
        keep: Callable[[Verdict], None] = lambda _: None,
        reach: Reach | None = None,
    ) -> None:
        self.name, self.mutants, self.jobs, self.keep, self.reach = name, mutants, jobs, keep, reach
        self.verdicts: list[Verdict] = []
        self.fault = ""
        """The test that fails without any change."""
        self.why = ""
        """Message of the last test that has failed in this process."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember why a test fails."""
        if report.failed:
            self.why = report.longreprtext

    def pytest_sessionstart(self) -> None:
        """Do not shrink failures, and draw the same examples in every run."""
        from hypothesis import HealthCheck, Phase, settings  # pytest must be loaded first

        settings.register_profile(
            "mutants",
            deadline=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork once for each mutant, several at a time."""
        tests = Tests(self.name, session.items)
        own = {m.id: tests.of(m) for m in self.mutants}
        every = list(dict.fromkeys(item for items in own.values() for item in items))
        chosen: dict[str, list[tuple[pytest.Item, float]]] = {}
        if self.reach is None:
            chosen = {id: [(item, LONGEST) for item in items] for id, items in own.items()}
            self._tried_unchanged(session, every)
        else:
            self._recorded(session, every, self.reach)
            if not self.fault:
                chosen = {m.id: self._reaching(m.inside, own[m.id]) for m in self.mutants if m.inside is not None}
        if self.fault:
            return True
        reported = monotonic()

        def tries(m: Mutant) -> Callable[[int], int]:
            return lambda pipe: self._try(session, m, chosen[m.id], pipe)

        for m, status, by in self._forks((m, tries(m)) for m in self.mutants):
            count = len(chosen[m.id])
            self.verdicts.append(Verdict(m.id, m.claims, count, bool(count) and status != 0, by))
            self.keep(self.verdicts[-1])
            if not self.verdicts[-1].noticed:
                print(f"unnoticed by {count} tests: {m.id}", file=sys.stderr, flush=True)
            if monotonic() - reported > 5:
                reported = monotonic()
                alive = sum(not v.noticed for v in self.verdicts)
                print(f"{len(self.verdicts)} of {len(self.mutants)}, {alive} unnoticed", file=sys.stderr)
        return True

    def _tried_unchanged(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        unchanged = Mutant("nothing", (), nothing)
        tests = [(item, LONGEST) for item in items]
        for _, status, by in self._forks([(unchanged, lambda pipe: self._try(session, unchanged, tests, pipe))]):
            if status:
                self.fault = by or "a test that ends the process"

    def _reaching(self, change: small.Change, items: list[pytest.Item]) -> list[tuple[pytest.Item, float]]:
        assert self.reach is not None
        return [(item, FIRST + 10 * seconds) for item, seconds in self.reach.of(change, items)]

    def _recorded(self, session: pytest.Session, items: list[pytest.Item], reach: Reach) -> None:
        """Record which code each of these tests runs, unless it is recorded already."""

        def run(item: pytest.Item, after: pytest.Item | None) -> str:
            forget()
            return "" if self._passes(session, item, after, 10 * LONGEST) else f"{item.nodeid} ({self.why})"

        def records(file: str, own: list[pytest.Item]) -> Callable[[int], int]:
            return lambda _: reach.record(file, own, run)

        def record_all(pipe: int) -> int:
            reach.listen()
            for file, status, _ in self._forks((file, records(file, own)) for file, own in missing.items()):
                if status:
                    os.write(pipe, f"{file}, recording what it reaches,".encode())
            return 0

        missing = reach.missing(items)
        begun = monotonic()
        for _, status, by in self._forks([(None, record_all)] if missing else []):
            self.fault = by or ("recording" if status else "")
        self.fault = self.fault or reach.read_again()
        if missing:
            words = f"{len(missing)} files of tests recorded in {monotonic() - begun:.0f} s"
            print(words, file=sys.stderr, flush=True)

    def _forks(self, works: Iterable[tuple[W, Callable[[int], int]]]) -> Iterator[tuple[W, int, str]]:
        """Do each piece of work in a fork, several at a time.

        Args:
            works: A subject each, with the function that does the work. It gets a pipe to write to, and returns the
                exit status.

        Yields:
            The subject, the exit status and the output of each fork.
        """
        running: dict[int, tuple[W, int]] = {}
        waiting = iter(works)
        for about, work in islice(waiting, self.jobs):
            pid, heard = self._fork(work)
            running[pid] = about, heard
        while running:
            pid, status = os.wait()
            ended, heard = running.pop(pid)
            for about, work in islice(waiting, 1):
                pid, after = self._fork(work)
                running[pid] = about, after
            with os.fdopen(heard) as pipe:
                yield ended, status, pipe.read()

    def _fork(self, work: Callable[[int], int]) -> tuple[int, int]:
        """Start work in a fork.

        Returns:
            The process and the file descriptor of its output.
        """
        sys.stdout.flush()
        heard, pipe = os.pipe()
        pid = os.fork()
        if pid:
            os.close(pipe)
            return pid, heard
        code = 2
        try:
            os.close(heard)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
            code = work(pipe)
        finally:
            os._exit(code)

    def _try(self, session: pytest.Session, m: Mutant, tests: list[tuple[pytest.Item, float]], pipe: int) -> int:
        """Run the tests of a mutant until one fails or takes too long; then write its id to the pipe, and return 1."""
        forget()
        with m.change():
            for (item, longest), after in zip(tests, [*(item for item, _ in tests[1:]), None], strict=True):
                if not self._passes(session, item, after, longest):
                    os.write(pipe, item.nodeid.encode()[:4000])
                    return 1
        return 0

    def _passes(self, session: pytest.Session, item: pytest.Item, after: pytest.Item | None, longest: float) -> bool:
        """Run a test in a fork, which is ended if it takes longer than the limit."""
        plugins = session.config.pluginmanager
        if plugins.has_plugin("terminalreporter"):
            plugins.unregister(plugins.get_plugin("terminalreporter"))
        signal.setitimer(signal.ITIMER_PROF, longest)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        return not session.testsfailed


def main() -> int:
    """Try every mutant, and list those that no test notices."""
    arguments = argparse.ArgumentParser(prog="python -m tests.mutants", description=main.__doc__)
    arguments.add_argument("game", nargs="*", default=GAMES, metavar="GAME", help=f"the games ({' '.join(GAMES)})")
    arguments.add_argument(
        "--only", default="", metavar="ID", help="only mutants of clauses or marks with this in their id"
    )
    arguments.add_argument(
        "--kinds", default=",".join(KINDS), help=f"kinds of mutants, set apart by commas ({','.join(KINDS)})"
    )
    arguments.add_argument("--small", type=int, default=0, metavar="N", help="N small changes inside functions instead")
    arguments.add_argument("--seed", type=int, default=1, help="draws the small changes")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants tried at the same time")
    arguments.add_argument("--afresh", action="store_true", help="try those too of which a verdict was written down")
    arguments.add_argument("--write", action="store_true", help="write what became of the small changes to the page")
    given = arguments.parse_args()
    kinds = tuple(given.kinds.split(","))
    for what, named, names in (("game", given.game, GAMES), ("kind", kinds, KINDS)):
        for name in named:
            if name not in names:
                arguments.error(f"there is no {what} {name!r}; there are {', '.join(names)}")
    os.chdir(ROOT)
    survivors: list[Verdict] = []
    tried: dict[str, list[Verdict]] = {}
    known_ones = read_survivors()
    say: Callable[[str], None] = lambda words: print(words, file=sys.__stdout__, flush=True)  # noqa: E731
    # One record serves every game, because shared code has the most tests.
    changes = {c.id: c for name in GAMES if given.small for c in small.sample(name, given.small, given.seed)}
    reach = Reach(KEPT / "reached.jsonl", changes.values()) if given.small else None
    for name in given.game:
        mutants = (
            small_candidates(name, given.small, given.seed, given.only)
            if given.small
            else candidates(name, given.only, kinds)
        )
        stored = Kept(KEPT / f"{name}.jsonl", known_ones)
        taken = [] if given.afresh else stored.of(mutants)
        mutants = [m for m in mutants if m.id not in {v.id for v in taken}]
        plugin = Mutants(name, mutants, given.jobs, reach=reach)
        if given.small:
            plugin.keep = stored.add
        options = ["-q", "--no-header", "--capture=fd", "--continue-on-collection-errors", "--ignore=tests/web"]
        places = ["tests/rules", "tests/table", "tests/chance", "tests/odds", "src"] if given.small else ["tests"]
        pytest.main([*options, "-p", "no:xdist", "-p", "no:playwright", *places], plugins=[plugin])
        if plugin.fault:
            say(f"{name}: without any change {plugin.fault} fails, so that it would notice everything")
            return 1
        tried[name] = [*taken, *plugin.verdicts]
        alive = [v for v in tried[name] if not v.noticed]
        say(f"{name}: {len(tried[name])} mutants, {len(tried[name]) - len(alive)} noticed, {len(alive)} not")
        survivors += [v for v in alive if not known_ones.get(v.id, Survivor()).equivalent]
    for verdict in sorted(survivors):
        why = f"{verdict.tests} tests pass all the same" if verdict.tests else "no test claims it"
        say(f"  {verdict.id}  {' '.join(verdict.claims)}: {why}")
    if given.write:
        PAGE.write_text(page(tried, known_ones, given.seed, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 1 if survivors else 0


# --- mutants that no test noticed at first -------------------------------------------------------------------------


class Survivor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small change that no test noticed at first, with what became of it."""

    equivalent: str = ""
    """The reason why no test can notice the change."""
    noticed: str = ""
    """The test that was written for the change, or another remedy."""


def read_survivors() -> dict[str, Survivor]:
    """Return the contents of `survivors.yaml`, by the ids of the changes."""
    return msgspec.convert(yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")) or {}, dict[str, Survivor])


class _Line(msgspec.Struct, frozen=True):
    """One verdict, as a line of the file."""

    verdict: Verdict
    source: str
    """Digest of the changed file. A verdict is valid as long as the digest is the same."""


class Kept:
    """The verdicts of a game in a file, one a line. Each is written as soon as it is known.

    Args:
        path: The file.
        known: Fates of changes that no test noticed at first, by their ids.
    """

    def __init__(self, path: Path, names: Mapping[str, Survivor]) -> None:
        self.path, self.known = path, names

    def of(self, mutants: list[Mutant]) -> list[Verdict]:
        """Return the verdicts on these changes that still hold: the file is unchanged, and the change was noticed or is
        known to be equivalent.
        """
        if not self.path.exists():
            return []
        lines = [msgspec.json.decode(line, type=_Line) for line in self.path.read_bytes().splitlines()]
        last = {line.verdict.id: line for line in lines}
        verdicts = []
        for m in mutants:
            line = last.get(m.id)
            if m.inside is None or line is None or line.source != _digest(m.id):
                continue
            if line.verdict.noticed or self.known.get(m.id, Survivor()).equivalent:
                verdicts.append(line.verdict)
        return verdicts

    def add(self, verdict: Verdict) -> None:
        """Append a verdict to the file."""
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(_Line(verdict, _digest(verdict.id))) + b"\n")


def _digest(id: str) -> str:
    """Return a digest of the file in which a change is made."""
    return hashlib.sha256(small.source_of(small.PACKAGE / id.partition("::")[0])).hexdigest()[:16]


def page(tried: Mapping[str, list[Verdict]], names: Mapping[str, Survivor], seed: int, before: str = "") -> str:
    """Return the page of the small changes: the share that was noticed, and the fate of each of the others.

    Args:
        tried: The mutants of this run, by game.
        names: Fates of changes that no test noticed at first, by their ids.
        seed: Seed and size of their draw.
        before: The present page. Games that are not in this run keep their parts, and so do samples of other seeds.
    """
    rows = {title: line for line in before.splitlines() if (title := _title(line))}
    parts = re.split(r"^## (.+)\n", before, flags=re.MULTILINE)[1:]
    sections = dict(zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True))
    for name, verdicts in tried.items():
        title = ruleset(name).title + ("" if seed == 1 else f", seed {seed}")
        rows[title], sections[title] = _row(title, verdicts, names), _section(name, verdicts, names, seed)
    order = sorted(sections)
    lines = [
        "# Small changes",
        "",
        "Do the tests notice when a rule is a little wrong? Comparisons, numbers, conditions and the order of",
        "arguments are changed inside functions, one at a time, and of the tests of the changed file those are",
        "run that come to the changed place (`tests/small.py`, `tests/reached.py`). The changes are drawn by",
        "chance from each game's own files, its kind of table and the dice. Each one that no test noticed at",
        "first stands below with what became of it: the test that notices it now, or why it changes nothing that",
        "anybody could notice.",
        "",
        "| sample | changes | noticed at once | equivalent | noticed now | share of those that are not equivalent |",
        "|---|---|---|---|---|---|",
        *[rows[title] for title in order],
    ]
    for title in order:
        lines += ["", f"## {title}", "", sections[title]]
    return "\n".join(lines) + "\n"


def _title(line: str) -> str:
    """Return the title of the sample to which a line of the first table belongs; empty for another line."""
    cells = [cell.strip() for cell in line.split("|")]
    return cells[1] if len(cells) == 8 and cells[2].isdigit() and cells[3].isdigit() else ""


def _row(title: str, verdicts: list[Verdict], names: Mapping[str, Survivor]) -> str:
    same = [v for v in verdicts if not v.noticed and names.get(v.id, Survivor()).equivalent]
    noticed, rest = sum(v.noticed for v in verdicts), len(verdicts) - len(same)
    share = f"{100 * noticed / rest:.1f} %" if rest else "-"
    at_once = len(verdicts) - len(_drawings(verdicts, names))
    return f"| {title} | {len(verdicts)} | {at_once} | {len(same)} | {noticed} | {share} |"


def _drawings(verdicts: list[Verdict], names: Mapping[str, Survivor]) -> list[str]:
    """Return the changes that no test noticed at first."""
    return sorted(v.id for v in verdicts if v.id in names or not v.noticed)


def _section(name: str, verdicts: list[Verdict], names: Mapping[str, Survivor], seed: int) -> str:
    size, drawings = len(verdicts), _drawings(verdicts, names)
    lines = [
        f'Of {size} that were drawn (`make mutants ARGS="{name} --small {size} --seed {seed} --write"`),',
        f"{size - len(drawings)} were noticed at once.",
        "",
        "| change | what became of it |",
        "|---|---|",
    ]
    for id in drawings:
        one = names.get(id, Survivor())
        became = f"equivalent: {one.equivalent}" if one.equivalent else one.noticed or "not noticed yet"
        lines.append(f"| `{id.replace('|', chr(92) + '|')}` | {became} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
