"""`make bench`: measures the speed of Caltrop beside that of python-chess in the same run.

It prints a table for each game, and writes it into notebook/figures.md between two marks. The text around the table is
written by hand. On a busy machine only ratios are published. `make bench ARGS=hex-command` measures one game alone.
Times are processor time on one core, unless a row says that it is elapsed time.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import chess

from benchmarks import (
    bench_engine,
    bench_envs,
    bench_games,
    bench_hex,
    bench_odds,
    bench_skirmish,
    bench_squads,
    bench_table,
)
from benchmarks.clock import clock, nothing_known
from caltrop.chance import Seeded
from caltrop.engine import Book, answer, settle
from caltrop.rules.command_horizon import odds
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.catalogue import switches
from caltrop.rules.command_horizon.movement import Orders
from caltrop.rules.command_horizon.places import unit_sight
from caltrop.table.measured import sight

PAGE = Path(__file__).resolve().parent.parent / "notebook" / "figures.md"


QUIET = 3
"""Highest load average at which times are published. Above it, only ratios are published."""


class Figure(NamedTuple):
    """A line of the table."""

    name: str
    value: float
    unit: str
    first: float | None = None
    """Target to be reached first."""
    then: float | None = None
    """Target to be reached later."""
    more: bool = False
    """True if higher values are better."""

    def reached(self) -> str:
        """Return the best target that the value reaches."""
        if self.first is None or self.then is None:
            return ""
        met = [self.value >= t if self.more else self.value <= t for t in (self.first, self.then)]
        return "both" if met[1] else "the first" if met[0] else "**missed**"


def of_the_engine() -> Iterator[Figure]:
    """Yield figures of copies and decisions."""
    t = bench_engine.field()
    playing, seeded, choice = t.clone(), Seeded(2), bench_engine.Pass()
    yield Figure("copy of a state: 40 units, 200 models, in mid-interrupt", clock(t.clone, 20_000), "µs", 5, 2)
    decide = partial(answer, playing, seeded, 0, choice)
    yield Figure("a decision of the bare engine: 5 steps, a throw, a rule", clock(decide, 5_000), "µs")


def of_the_table() -> Iterator[Figure]:
    """Yield figures of lines of sight."""
    ground, bases, dice = bench_table.battlefield()
    pairs = bench_table.units(ground, bases, dice, 60, 3000)
    every = median(
        [
            clock(partial(sight, ground, bench_table.NINE, a, b, bases), rounds=5, before=ground.views.clear)
            for a, b in pairs
        ]
    )
    yield Figure("sight, 4 models against 4 within 30 cm, 30 polygons, 60 bases", every, "µs", 100, 20)
    match = bench_games.begin(0)
    while not isinstance(match.waiting[0], Orders):
        match.follow(match.waiting[0], match.waiting[0].options(match.state).first())
    t: Any = match.state
    units = (next(t.in_play(0)), next(t.in_play(1)))
    again = clock(partial(unit_sight, t, *units), 2_000)
    yield Figure("the same again, while nothing moves", again, "µs", 1, 1)


def of_the_odds() -> Iterator[Figure]:
    """Yield figures of exact odds, with all caches emptied before."""
    book = Book("command-horizon", "current", settle(switches(), {}))
    for attack, first, then in zip(bench_odds.ATTACKS[:3], (30, 150, 1000), (8, 40, 250), strict=True):
        dice = attack_dice(book, attack).total
        at = attack.target.kind.replace("-", " ")
        took = clock(partial(odds.distribution, book, attack), rounds=5, before=bench_odds.empty) / 1000
        yield Figure(f"exact odds of {dice} attack dice at a {at} unit, cold", took, "ms", first, then)
    again = clock(partial(odds.distribution, book, bench_odds.ATTACKS[0]), 1000)
    yield Figure("the same again: a look-up", again, "µs")


Targets = tuple[float, float] | tuple[None, None]


def of_series(
    series: bench_games.Series, name: str, turns: int, games: Targets = (None, None), ratio: Targets = (None, None)
) -> Iterator[Figure]:
    """Yield figures of whole games of one kind of player against itself, with python-chess for comparison."""
    played = bench_games.measure(name, turns, series)
    both, (low, high) = f"{name} against {name}, {series.words}", played.spread
    yield Figure(f"{both}: whole games", played.games_a_second, "/s", games[0], games[1], True)
    yield Figure(
        f"{both}: decisions of two options or more ({played.decisions / played.games:.0f} a game)",
        played.decisions_a_second,
        "/s",
    )
    spread = f"half of {turns} turns between {number(low, '')} and {number(high, '')}"
    yield Figure(f"{both}: ratio to python-chess ({spread})", played.ratio, "", ratio[0], ratio[1], True)
    yield Figure("python-chess in the same run: plies of random games", played.plies, "/s")


def of_games() -> Iterator[Figure]:
    """Yield figures of options and whole games of Command Horizon."""
    yield Figure("an order of the movement step drawn at random", bench_games.sampling(), "µs", 60, 10)
    yield Figure("all moves of one unit listed", bench_games.listing(), "µs", 2000, 200)
    yield from of_series(bench_games.HORIZON, "random", 10, ratio=(0.25, 0.6))
    yield from of_series(bench_games.HORIZON, "heuristic", 3, games=(1, 5))


def of_hex_questions() -> Iterator[Figure]:
    """Yield figures of copies, options, odds and sight of Hex Command."""
    yield Figure("copy of a battle of 23 units and leaders, in mid-question", bench_hex.copying(), "µs")
    yield Figure("an act of the move step drawn at random", bench_hex.sampling(), "µs")
    yield Figure("all marches of a side listed", bench_hex.listing(), "µs")
    yield Figure("exact odds of medium vehicles that fire at infantry, cold", bench_hex.odds_cold(), "µs")
    yield Figure("the same again: a look-up", bench_hex.odds_kept(), "µs")
    request = bench_hex.request_cold() / 1000
    yield Figure("a request for the odds of two Battle Titans at arm's length, cold", request, "ms")
    yield Figure("an attack of theirs refereed, with every number explained", bench_hex.refereed(), "µs")
    one, every = bench_hex.seeing()
    yield Figure("a line of sight", one, "µs")
    yield Figure("all that a unit sees, with its lines and in words", every, "µs")


def of_hex_games() -> Iterator[Figure]:
    """Yield figures of whole games of Hex Command."""
    yield from of_series(bench_games.HEX, "random", 20, ratio=(0.8, 3))
    yield from of_series(bench_games.HEX, "heuristic", 5)


def of_hex_acts() -> Iterator[Figure]:
    """Yield figures of Hex Command on the local server."""
    acts = bench_hex.acting()
    yield Figure("an act on the local server and the view after it", acts.worked, "ms", 50, 20)
    yield Figure("the same by the clock on the wall", acts.waited, "ms")


def of_squads() -> Iterator[Figure]:
    """Yield figures of odds, whole games and acts of Squad Action."""
    yield Figure("exact odds of eight rifles, read strictly, cold", bench_squads.odds_cold() / 1000, "ms", 1, 1)
    yield Figure("the same again", bench_squads.odds_kept(), "µs")
    yield from of_series(bench_games.SQUADS, "random", 10, ratio=(0.12, 0.12))
    decision, game = bench_games.thinking("heuristic", 2 * len(bench_games.SQUADS.scenarios), bench_games.SQUADS)
    yield Figure("heuristic against heuristic: a decision in the mean", decision, "ms", 8, 8)
    yield Figure("heuristic against heuristic: a whole game in the mean", game, "s", 6, 6)
    acts = bench_hex.acting(series=bench_games.SQUADS)
    yield Figure("an act on the local server and the view after it", acts.worked, "ms", 20, 20)
    yield Figure("the same by the clock on the wall", acts.waited, "ms")


def of_skirmishes() -> Iterator[Figure]:
    """Yield figures of odds, turns of automated models, whole games and acts of Blade Skirmish."""
    yield Figure("exact odds of an attack from two sides, read strictly, cold", bench_skirmish.odds_cold(), "µs")
    yield Figure("the same again", bench_skirmish.odds_kept(), "µs")
    yield Figure("an act after which the automated models have a turn", bench_skirmish.turn_of_the_rules(), "ms")
    yield from of_series(bench_games.SKIRMISHES, "random", 10)
    series = bench_games.SKIRMISHES
    decision, game = bench_games.thinking("heuristic", 2 * len(series.scenarios), series)
    yield Figure("heuristic against heuristic: a decision in the mean", decision, "ms")
    yield Figure("heuristic against heuristic: a whole game in the mean", game, "s")
    acts = bench_hex.acting(series=series)
    yield Figure("an act on the local server and the view after it", acts.worked, "ms", 50, 20)
    yield Figure("the same by the clock on the wall", acts.waited, "ms")


def of_environments() -> Iterator[Figure]:
    """Yield figures of resets and steps of the PettingZoo environments of all games, each with its first scenario."""
    for one in bench_envs.measure():
        where = f"{one.ruleset}, {one.scenario}"
        yield Figure(f"{where}: a reset", one.reset, "ms", 20, 20)
        yield Figure(f"{where}: steps, each with its observation", one.steps, "/s")
        yield Figure(f"{where}: choices a second where answers are chosen head by head", one.heads, "/s")
        yield Figure(f"{where}: the engine alone, acts drawn at random", one.acts, "/s")
        yield Figure(f"{where}: ratio of steps to acts of the engine", one.to_engine, "")
        expected = bench_envs.WANTED.get(one.ruleset)
        there = f"{where}: steps for {bench_games.CHESS:,} plies of python-chess"
        yield Figure(there, one.there, "", expected, expected, more=True)


def of_the_start() -> Iterator[Figure]:
    """Yield figures of the command line."""
    result = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "caltrop", "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        result.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    yield Figure("`caltrop --help`, processor time", median(result) * 1000, "ms", 200, 100)


def number(value: float | None, unit: str) -> str:
    """Return a value with three significant digits, and its unit."""
    if value is None:
        return ""
    text = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{text}{unit}" if unit.startswith("/") else f"{text} {unit}".strip()


def machine() -> str:
    """Return a description of the machine in one line."""
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    return (
        f"{model}, {os.cpu_count()} cores of which one is used; {platform.system()}; "
        f"{platform.python_implementation()} {platform.python_version()}; python-chess {chess.__version__}"
    )


def table(figures: list[Figure]) -> str:
    """Return the figures as a table."""
    lines = ["| figure | measured | targets | reached |", "|---|---:|---|---|"]
    for f in figures:
        targets = f"{number(f.first, f.unit)}, then {number(f.then, f.unit)}" if f.first is not None else ""
        lines.append(f"| {f.name} | {number(f.value, f.unit)} | {targets} | {f.reached()} |")
    return "\n".join(lines)


PARTS: dict[str, tuple[Callable[[], Iterator[Figure]], ...]] = {
    "command-horizon": (of_the_engine, of_the_table, of_the_odds, of_games, of_the_start),
    "hex-command": (of_hex_questions, of_hex_games, of_hex_acts),
    "squad-action": (of_squads,),
    "blade-skirmish": (of_skirmishes,),
    "environments": (of_environments,),
}
"""The measurements of each table. Those that belong to no game are in the first."""


def measure(game: str) -> None:
    """Measure a game, print its table, and write the table to the page."""
    load = os.getloadavg()[0]
    figures: list[Figure] = []
    for part in PARTS[game]:
        for figure in part():
            figures.append(figure)
            print(f"{figure.name:108} {number(figure.value, figure.unit):>12}  {figure.reached()}", flush=True)
    begin, end = f"<!-- figures of {game}: begin -->", f"<!-- figures of {game}: end -->"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    words = f"`make bench ARGS={game}` on {machine()}. Medians of processor time; "
    if load < QUIET:
        words += f"load {load:.1f} when it began."
    else:
        figures = [figure for figure in figures if not figure.unit]
        words += f"with a load of {load:.1f} from other work on the machine, so that times say nothing: ratios alone."
    PAGE.write_text(f"{before}{begin}\n{words}\n\n{table(figures)}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Run the named measurements, or all of them."""
    nothing_known()
    for game in sys.argv[1:] or PARTS:
        if game not in PARTS:
            raise SystemExit(f"{game} is not measured; {' and '.join(PARTS)} are")
        measure(game)


if __name__ == "__main__":
    main()
