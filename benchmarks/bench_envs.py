"""Measures the steps a second of the environments, beside python-chess and beside the engine without the environment.

`python -m benchmarks.bench_envs` plays random games of every ruleset in four ways in turn. The first reads every
observation of the PettingZoo environment, and the second chooses the answers head by head. The third is the engine
alone, where a random player draws a sample of the options. The fourth is python-chess. Times are processor time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.bench_games import CHESS, chess_rate
from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.envs import aec

SECONDS = 0.6
"""Shortest duration of each measurement in a round, in seconds."""

WANTED = {"hex-command": 12_000, "command-horizon": 1_500, "blade-skirmish": 500, "squad-action": 500}
"""Targets in steps a second, on a machine on which python-chess plays `CHESS` plies a second."""


class Stepped(NamedTuple):
    """The measurements of one game."""

    ruleset: str
    scenario: str
    reset: float
    """Milliseconds of a reset: the median."""
    steps: float
    """Steps a second, each with its observation: the median of the rounds."""
    heads: float
    """Steps a second when answers are chosen head by head. Each choice is a step."""
    acts: float
    """Acts a second of the engine without the environment: the median of the rounds."""
    to_engine: float
    """Steps divided by acts a second: the median of the rounds."""
    there: float
    """Steps a second on a machine on which python-chess plays `CHESS` plies a second: the median of the rounds."""


def stepping(env: Any, turn: int) -> float:
    """Return the steps a second of random games."""
    dice, steps, number = random.Random(turn), 0, 0
    start = process_time()
    while process_time() - start < SECONDS:
        env.reset(seed=1000 * turn + number)
        number += 1
        while not any(env.terminations.values()):
            env.step(dice.choice(env.last()[0]["action_mask"].nonzero()[0]))
            steps += 1
    return steps / (process_time() - start)


def acting(env: Any, turn: int) -> float:
    """Return the acts a second of random games of the engine without the environment, from the same positions."""
    dice, acts, number = Seeded(turn), 0, 0
    start = process_time()
    while process_time() - start < SECONDS:
        match = env.start.begin(Seeded(1000 * turn + number))
        number += 1
        while match.over is None:
            asked = match.waiting[0]
            match.follow(asked, asked.options(match.view(asked.side)).sample(dice))
            acts += 1
    return acts / (process_time() - start)


def resetting(env: Any) -> float:
    """Return the milliseconds of a reset: the median."""
    result = []
    for seed in range(30):
        start = process_time()
        env.reset(seed=seed)
        result.append(process_time() - start)
    return median(result) * 1000


def measure(turns: int = 3) -> Iterator[Stepped]:
    """Measure every ruleset with its first scenario."""
    for name in rulesets():
        env = aec(name)
        reset = resetting(env)
        heads = aec(name, heads=True)
        rates = [
            (stepping(env, turn), stepping(heads, turn), acting(env, turn), chess_rate(turn)) for turn in range(turns)
        ]
        yield Stepped(
            name,
            env.start.setting.scenario,
            reset,
            median([steps for steps, _, _, _ in rates]),
            median([steps for _, steps, _, _ in rates]),
            median([acts for _, _, acts, _ in rates]),
            median([steps / acts for steps, _, acts, _ in rates]),
            median([CHESS * steps / plies for steps, _, _, plies in rates]),
        )


def main() -> None:
    """Print the figures."""
    for one in measure():
        print(
            f"{one.ruleset:16} {one.scenario:16} reset {one.reset:6.2f} ms  {one.steps:7.0f} steps/s ({one.heads:7.0f} "
            f"by heads)  engine {one.acts:7.0f} acts/s  {one.to_engine:6.3f} of the engine  {one.there:7.0f} steps/s "
            f"where python-chess plays {CHESS}",
            flush=True,
        )


if __name__ == "__main__":
    main()
