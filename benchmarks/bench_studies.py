"""Measures the games of studies, for each ruleset in one process, and for one ruleset with every executor.

`python -m benchmarks.bench_studies` runs `caltrop study run` with small studies: veterans against veterans (in the
duel, random players), at the first scenario of each ruleset. The games are divided into parts of equal size. It prints
the processor time of a game, with an interval over the parts. Then the first ruleset is played in one process, in two,
and, if Ray is installed, on a local cluster with one, two and four workers. The processor time covers all processes of
a run, including Ray's, as reported by Linux. `python -m benchmarks.bench_studies duel` measures that ruleset alone.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple
from uuid import uuid4

import msgspec

PARTS = 5
"""Number of separate studies into which the games are divided."""
T95 = 2.776
"""Two-sided 95 % quantile of Student's distribution with `PARTS - 1` degrees of freedom."""
GAMES = {"duel": 60, "hex-command": 12, "blade-skirmish": 12, "command-horizon": 12, "squad-action": 6}
"""Number of games in each part, by ruleset."""
MARK = "CALTROP_BENCH_STUDIES"
"""Environment variable that marks the processes of a run."""


class Spent(NamedTuple):
    """Time that a run took."""

    processor: float
    """Processor time of all processes of the run, in seconds."""
    wall: float


class Mean(NamedTuple):
    """A mean over the parts, with its 95 % interval."""

    value: float
    reach: float

    def __str__(self) -> str:
        return f"{self.value:.3g} ± {self.reach:.2g}"


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of the parts, with Student's interval."""
    return Mean(fmean(values), T95 * stdev(values) / len(values) ** 0.5)


def marked(mark: str) -> Iterator[tuple[int, float]]:
    """Yield each running process with a mark: its id, and its processor time in seconds."""
    tick = os.sysconf("SC_CLK_TCK")
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if f"{MARK}={mark}".encode() in (process / "environ").read_bytes():
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    yield int(process.name), (int(fields[11]) + int(fields[12])) / tick
            except OSError:
                continue


def run(words: Sequence[str]) -> Spent:
    """Run `caltrop` with these arguments, and wait for it and all processes that it started."""
    mark, spent, began = uuid4().hex, dict[int, float](), monotonic()
    program = subprocess.Popen(
        [sys.executable, "-m", "caltrop", *words],
        env={**os.environ, MARK: mark},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    wall = 0.0
    while alive := dict(marked(mark)):
        spent.update(alive)
        if program.poll() is not None and not wall:
            wall = monotonic() - began
        sleep(0.05)
    if program.wait():
        raise SystemExit(f"caltrop {' '.join(words)} has failed")
    return Spent(sum(spent.values()), wall or monotonic() - began)


def studied(ruleset: str, games: int, seed: int, *words: str) -> Spent:
    """Run a study of a ruleset's first scenario."""
    players = ["random", "random"] if ruleset == "duel" else ["veteran", "veteran"]
    study = {
        "format": "caltrop-study",
        "title": "What a game costs",
        "ruleset": ruleset,
        "players": players,
        "games": games,
        "seed": seed,
    }
    with TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_bytes(msgspec.yaml.encode(study))
        return run(["study", "run", str(file), "--output", str(Path(folder) / "out"), *words])


def costs(ruleset: str) -> tuple[Mean, float]:
    """Return the seconds of processor time of one game, and of the rest of a run."""
    bare = min(studied(ruleset, 2, 1).processor for _ in range(2))
    spent = [studied(ruleset, GAMES[ruleset] + 2, seed).processor for seed in range(2, 2 + PARTS)]
    a_game = mean([(one - bare) / GAMES[ruleset] for one in spent])
    return a_game, max(0.0, bare - 2 * a_game.value)


def ways(ruleset: str, games: int) -> Iterator[tuple[str, Mean, Mean]]:
    """Yield the executors: name, seconds of processor time of a run, and elapsed seconds."""
    every: list[tuple[str, tuple[str, ...]]] = [(f"{jobs} in processes", ("--jobs", str(jobs))) for jobs in (1, 2)]
    if importlib.util.find_spec("ray") is not None:
        every += [(f"{jobs} on Ray", ("--on", "ray", "--jobs", str(jobs))) for jobs in (1, 2, 4)]
    for name, words in every:
        spent = [studied(ruleset, games, seed, *words) for seed in range(PARTS)]
        yield name, mean([one.processor for one in spent]), mean([one.wall for one in spent])


def main() -> None:
    """Print the figures."""
    named = sys.argv[1:] or list(GAMES)
    for ruleset in named:
        a_game, beside = costs(ruleset)
        million = a_game.value * 1e6 / 3600
        print(
            f"{ruleset:16} {PARTS * GAMES[ruleset]} games: {a_game} s of processor time a game, "
            f"{1 / a_game.value:.3g} games a second and core, {million:,.0f} core hours a million; "
            f"{beside:.2f} s beside the games",
            flush=True,
        )
    ruleset, games = named[0], 240
    for name, processor, wall in ways(ruleset, games):
        print(f"{ruleset}, {games} games, {name:16} {processor} s of processor time, {wall} s on the wall", flush=True)


if __name__ == "__main__":
    main()
