"""Steps a second of the environments, beside python-chess and beside the engine without the environment.

`python -m benchmarks.bench_envs` plays random games in every ruleset, turn and turn about: through the PettingZoo
environment with every observation read, by the engine alone (a sample of the options, as a random player takes it), and
in python-chess. Times are the processor's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.bench_games import chess_rate
from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.envs import aec

STEPS = 150
"""Steps of the environment in each turn, at least."""


class Stepped(NamedTuple):
    """What the environment of a game came to."""

    ruleset: str
    scenario: str
    reset: float
    """Milliseconds of a reset: the median."""
    steps: float
    """Steps a second, each with its observation: the median of the turns."""
    alone: float
    """The same where no computer player proposes answers."""
    acts: float
    """Acts a second of the engine alone: the median of the turns."""
    to_engine: float
    """Steps over acts a second: the median of the turns."""
    alone_to_engine: float
    """The same where no computer player proposes answers."""
    to_chess: float
    """Steps a second over plies of python-chess a second: the median of the turns."""


def stepping(env: Any, turn: int) -> float:
    """Steps a second of random games."""
    dice, steps, number = random.Random(turn), 0, 0
    start = process_time()
    while steps < STEPS:
        env.reset(seed=1000 * turn + number)
        number += 1
        while not any(env.terminations.values()):
            seen = env.last()[0]
            env.step(dice.randrange(int(seen["action_mask"].sum())))
            steps += 1
    return steps / (process_time() - start)


def acting(env: Any, turn: int) -> float:
    """Acts a second of random games of the engine alone, from the same set-up."""
    dice, acts, number = Seeded(turn), 0, 0
    start = process_time()
    while acts < 4 * STEPS:
        match = env.start.begin(Seeded(1000 * turn + number))
        number += 1
        while match.over is None:
            asked = match.waiting[0]
            match.follow(asked, asked.options(match.view(asked.side)).sample(dice))
            acts += 1
    return acts / (process_time() - start)


def resetting(env: Any) -> float:
    """Milliseconds of a reset: the median."""
    found = []
    for seed in range(30):
        start = process_time()
        env.reset(seed=seed)
        found.append(process_time() - start)
    return median(found) * 1000


def measure(turns: int = 3) -> Iterator[Stepped]:
    """Every ruleset at its first scenario."""
    for name in rulesets():
        env = aec(name)
        reset = resetting(env)
        alone = aec(name, proposers=())
        rates = [
            (stepping(env, turn), stepping(alone, turn), acting(env, turn), chess_rate(turn)) for turn in range(turns)
        ]
        yield Stepped(
            name,
            env.start.setting.scenario,
            reset,
            median([steps for steps, _, _, _ in rates]),
            median([steps for _, steps, _, _ in rates]),
            median([acts for _, _, acts, _ in rates]),
            median([steps / acts for steps, _, acts, _ in rates]),
            median([steps / acts for _, steps, acts, _ in rates]),
            median([steps / plies for steps, _, _, plies in rates]),
        )


def main() -> None:
    """Print the figures."""
    for one in measure():
        print(
            f"{one.ruleset:16} {one.scenario:16} reset {one.reset:6.2f} ms  {one.steps:7.0f} steps/s ({one.alone:7.0f} "
            f"without proposals)  engine "
            f"{one.acts:7.0f} acts/s  {one.to_engine:6.3f} of the engine  {one.to_chess:8.4f} of python-chess",
            flush=True,
        )


if __name__ == "__main__":
    main()
