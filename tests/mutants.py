"""Change the rules one by one, and list the changes that no test notices.

A mutant is one mark of a ruleset that is switched off: an amendment that does not amend, a guard that lets everything
pass, a trigger that nothing sets off, a step that does nothing; or one value of the data that is one higher, a card or
a kind of ground that does nothing; or a house rule of which one value means the same as another. For each, the tests
that claim its clauses (its house rule's value) are run; where all of them still pass, nobody would notice the change,
and the mutant is listed. The command ends with 1 when any is.

    make mutants ARGS="command-horizon --only CH-MOVE --kinds guard,step"

The tests are collected once, and every mutant runs in a fork of that process, so that no mutant meets another.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import msgspec
import pytest

from caltrop.clauses import MARKS, Mark, switched_off
from caltrop.engine import Book, HouseValue, Procedure, Switch, ruleset, rulesets

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("command-horizon", "hex-command", "blade-skirmish")
KINDS = ("amendment", "guard", "trigger", "step", "row", "house")
LONGEST = 60
"""Seconds that the tests of a mutant may take; where they take longer, the change was noticed."""


class Mutant(NamedTuple):
    """One change of the rules."""

    id: str
    claims: tuple[str, ...]
    """The clauses that a test claims which ought to notice; of a house rule, its value."""
    change: Callable[[], AbstractContextManager[Any]]


class Verdict(NamedTuple):
    """What became of one mutant."""

    id: str
    claims: tuple[str, ...]
    tests: int
    noticed: bool
    """Whether some test failed."""


def candidates(name: str, only: str = "", kinds: tuple[str, ...] = KINDS) -> list[Mutant]:
    """Every change of a ruleset, in order of definition.

    Args:
        name: The ruleset.
        only: Part of a clause or of a mark's id; all marks where empty.
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
    """Each value of a house rule, with one that it is taken for: the default, or the next where it is the default.

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
    """How a test's claim to notice a value of a house rule is written here."""
    return f"{name}={value!r}"


@contextmanager
def taken_for(name: str, value: HouseValue, other: HouseValue) -> Iterator[None]:
    """A house rule of which one value means another."""
    built = Book.__init__

    def build(self: Book, ruleset: str, edition: str, rules: Mapping[str, HouseValue] | None = None) -> None:
        chosen = dict(rules or {})
        if name in chosen and chosen[name] == value:
            chosen[name] = other
        built(self, ruleset, edition, chosen)

    Book.__init__ = build  # type: ignore[method-assign]
    try:
        yield
    finally:
        Book.__init__ = built  # type: ignore[method-assign]


@contextmanager
def skipped(m: Mark) -> Iterator[None]:
    """A step that does nothing and asks nothing, in its procedure and in those that inherit it."""
    waiting: list[type[Procedure]] = [Procedure]
    found = []
    while waiting:
        procedure = waiting.pop()
        waiting += procedure.__subclasses__()
        found += [s for s in procedure.plan.values() if s.mark is m]
    kept = [s.do for s in found]
    for s in found:
        s.do = lambda *_: None
    try:
        yield
    finally:
        for s, do in zip(found, kept, strict=True):
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
    """A value of `units.yaml` that is one higher, another class, or a trait short; a face that does something else."""
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
    """A row of Hex Command's data that says something else.

    A value of the unit table is one higher, dice begin with those of the next range; ground is as open ground is, which
    itself is cover; of a card that is played in the enemy's turn there is one more; any other does nothing.
    """
    from caltrop.rules.hex_command.catalogue import CARDS, GROUNDS, UNITS, Ground

    file, _, rest = m.id.partition(":")
    key, _, field = rest.rpartition(".")
    if file == "units.yaml":
        UNITS[key] = msgspec.structs.replace(UNITS[key], **{field: _other(getattr(UNITS[key], field))})
    elif file == "terrain.yaml":
        own = GROUNDS[key]
        less = (1, 1, 1) if key == "open" else (0, 0, 0)
        GROUNDS[key] = Ground(title=own.title, clauses=own.clauses, key=key, row=m, less=less)
    elif file == "cards.yaml" and CARDS[key].react:
        CARDS[key] = msgspec.structs.replace(CARDS[key], count=CARDS[key].count + 1)
    else:
        m.on = False
    yield


def changed(m: Mark) -> AbstractContextManager[Any]:
    """The ruleset with one mark changed. Made for a process of its own: data is not put back."""
    if m.kind == "step":
        return skipped(m)
    if m.kind != "row":
        return switched_off(m.id)
    return other_hexes(m) if "hex_command" in m.path else one_more(m)


def _forget(name: str) -> None:
    if name in ("command-horizon", "hex-command"):
        import_module(f"caltrop.rules.{name.replace('-', '_')}.odds").forget()


class Mutants:
    """A plugin of pytest that runs, instead of every test once, the tests of each mutant."""

    def __init__(self, name: str, mutants: list[Mutant]) -> None:
        self.name, self.mutants = name, mutants
        self.verdicts: list[Verdict] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork once for each mutant, as many at a time as there are processors."""
        by_claim: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            if item.get_closest_marker("browser") or item.get_closest_marker("slow"):
                continue
            claims = [c for marker in item.iter_markers("clause") for c in marker.args]
            claims += [claim(m.args[0], v) for m in item.iter_markers("house") for v in m.args[1:]]
            for one in dict.fromkeys(claims):
                by_claim.setdefault(one, []).append(item)
        running: dict[int, tuple[Mutant, int]] = {}
        told = monotonic()
        waiting = list(reversed(self.mutants))
        while waiting or running:
            if waiting and len(running) < (os.cpu_count() or 1):
                m = waiting.pop()
                own = list(dict.fromkeys(i for one in m.claims for i in by_claim.get(one, ())))
                running[self._fork(session, m, own)] = m, len(own)
                continue
            pid, status = os.wait()
            m, count = running.pop(pid)
            self.verdicts.append(Verdict(m.id, m.claims, count, bool(count) and status != 0))
            if monotonic() - told > 5:
                told = monotonic()
                alive = sum(not v.noticed for v in self.verdicts)
                print(f"{len(self.verdicts)} of {len(self.mutants)}, {alive} unnoticed", file=sys.stderr)
        return True

    def _fork(self, session: pytest.Session, m: Mutant, items: list[pytest.Item]) -> int:
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            return pid
        code = 2
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LONGEST)
            _forget(self.name)
            code = 0
            with m.change():
                for item, after in zip(items, [*items[1:], None], strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                    if session.testsfailed:
                        code = 1
                        break
        finally:
            os._exit(code)


def main() -> int:
    """Try every mutant, and list those that nobody notices."""
    arguments = argparse.ArgumentParser(prog="python -m tests.mutants", description=main.__doc__)
    arguments.add_argument("game", nargs="*", default=GAMES, metavar="GAME", help=f"the games ({' '.join(GAMES)})")
    arguments.add_argument(
        "--only", default="", metavar="ID", help="only mutants of clauses or marks with this in their id"
    )
    arguments.add_argument(
        "--kinds", default=",".join(KINDS), help=f"kinds of mutants, set apart by commas ({','.join(KINDS)})"
    )
    given = arguments.parse_args()
    kinds = tuple(given.kinds.split(","))
    for what, named, known in (("game", given.game, rulesets()), ("kind", kinds, KINDS)):
        for name in named:
            if name not in known:
                arguments.error(f"there is no {what} {name!r}; there are {', '.join(known)}")
    os.chdir(ROOT)
    survivors: list[Verdict] = []
    say: Callable[[str], None] = lambda words: print(words, file=sys.__stdout__, flush=True)  # noqa: E731
    for name in given.game:
        plugin = Mutants(name, candidates(name, given.only, kinds))
        options = ["-q", "--no-header", "--capture=fd", "--continue-on-collection-errors", "--ignore=tests/web"]
        pytest.main([*options, "-p", "no:xdist", "-p", "no:playwright", "tests"], plugins=[plugin])
        alive = [v for v in plugin.verdicts if not v.noticed]
        say(f"{name}: {len(plugin.verdicts)} mutants, {len(plugin.verdicts) - len(alive)} noticed, {len(alive)} not")
        survivors += alive
    for verdict in sorted(survivors):
        why = f"{verdict.tests} tests pass all the same" if verdict.tests else "no test claims it"
        say(f"  {verdict.id}  {' '.join(verdict.claims)}: {why}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
