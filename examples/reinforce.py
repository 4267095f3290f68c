"""Trains a small network with NumPy alone: REINFORCE on many games at once.

The network scores each answer by its row of the array and by its distance from the nearest enemy. Answers are drawn by
the softmax of the scores. When games are over, the answers of games that went better than usual become likelier. The
network plays one side of the smallest scenario of Hex Command against random play. Run it as
`python examples/reinforce.py`; with `--jobs 2` two processes play the games.
"""

from __future__ import annotations

import argparse
from collections import deque
from typing import Any

import numpy as np

import caltrop.envs

GAME, SCENARIO = "hex-command", "first-battle"


class Eyes:
    """Extracts the network's input for each answer from the arrays of many games.

    Args:
        layout: The layout of the arrays.
    """

    def __init__(self, layout: Any) -> None:
        self.answers, self.units = layout.sections["answers"], layout.sections["units"]
        self.kinds, self.bits = len(layout.actions), len(layout.actions).bit_length()
        self.column = {name: n for n, name in enumerate(self.answers.columns)}
        self.enemy, self.x = self.units.columns.index("side is another"), self.units.columns.index("hex x")
        self.size = self.kinds + len(self.answers.columns) + 2

    def __call__(self, seen: Any) -> Any:
        """Return a row of numbers for each answer of each game."""
        rows = self._rows(seen, self.answers)
        first = self.column["kind bit 0"]
        number = (rows[:, :, first : first + self.bits] @ (1 << np.arange(self.bits))).astype(int)
        kinds = np.eye(self.kinds)[np.minimum(number, self.kinds - 1)]
        ends, starts = self._place(rows, "has a place", "x"), self._place(rows, "has a unit", "unit x")
        near = [self._nearest(seen, place) for place in (ends, starts)]
        return np.concatenate([kinds, rows, np.stack([near[0], near[0] - near[1]], 2)], 2)

    def _rows(self, seen: Any, section: Any) -> Any:
        return seen[:, section.start : section.end].reshape(len(seen), section.rows, -1)

    def _place(self, rows: Any, has: str, x: str) -> Any:
        """Return the places where answers lead or begin; NaN for answers without a place."""
        there = rows[:, :, self.column[has], None] > 0
        return np.where(there, rows[:, :, self.column[x] : self.column[x] + 2], np.nan)

    def _nearest(self, seen: Any, place: Any) -> Any:
        """Return the distance from each place to the nearest enemy; 0 for no place."""
        units = self._rows(seen, self.units)
        far = np.linalg.norm(place[:, :, None] - units[:, None, :, self.x : self.x + 2], axis=3)
        on_map = (units[:, :, self.enemy] > 0) & (units[:, :, self.x] > 0)
        return np.nan_to_num(np.where(on_map[:, None], far, 9.0).min(axis=2), nan=0.0)


class Network:
    """Scores answers. It has one hidden layer, and learns by Adam.

    Args:
        inputs: Number of inputs for one answer.
        hidden: Number of units in the hidden layer.
        chance: Source of the first weights.
        rate: Learning rate.
    """

    def __init__(self, inputs: int, hidden: int, chance: np.random.Generator, rate: float = 0.01) -> None:
        self.weights = [chance.normal(0, inputs**-0.5, (inputs, hidden)), np.zeros(hidden), np.zeros(hidden)]
        self.rate, self.steps = rate, 0
        self.means, self.squares = [[np.zeros_like(one) for one in self.weights] for _ in range(2)]

    def scores(self, rows: Any) -> Any:
        """Return the score of each row."""
        first, bias, last = self.weights
        return np.tanh(rows @ first + bias) @ last

    def learn(self, rows: Any, slopes: Any) -> None:
        """Change the weights so that the scores change in the direction of *slopes*."""
        first, bias, last = self.weights
        inner = np.tanh(rows @ first + bias)
        back = slopes[:, None] * last * (1 - inner**2)
        self.steps += 1
        for n, slope in enumerate((rows.T @ back, back.sum(0), inner.T @ slopes)):
            self.means[n] += 0.1 * (slope - self.means[n])
            self.squares[n] += 0.01 * (slope**2 - self.squares[n])
            mean, square = self.means[n] / (1 - 0.9**self.steps), self.squares[n] / (1 - 0.99**self.steps)
            self.weights[n] += self.rate * mean / (np.sqrt(square) + 1e-8)


def chances(scores: Any, mask: Any) -> Any:
    """Return the probability of each answer; 0 for those that are masked."""
    weights = np.exp(np.where(mask, scores - np.where(mask, scores, -np.inf).max(1, keepdims=True), -np.inf))
    return weights / weights.sum(1, keepdims=True)


def train(games: int, side_by_side: int = 16, jobs: int = 1, seed: int = 1, batch: int = 16) -> list[float]:
    """Train on a number of games.

    Returns:
        The share of points in each tenth of the games, with a draw as half a point.
    """
    chance = np.random.default_rng(seed)
    env = caltrop.envs.vector(GAME, side_by_side, jobs=jobs, opponent="random", scenario=SCENARIO)
    eyes = Eyes(env.layout)
    network = Network(eyes.size, 32, chance)
    paths: list[list[Any]] = [[] for _ in range(side_by_side)]
    usual = deque([0.0], maxlen=200)
    marks: list[float] = []
    ready: list[tuple[Any, float]] = []
    seen, info = env.reset(seed=seed)
    over = np.zeros(side_by_side, bool)
    while len(marks) < games:
        rows, mask = eyes(seen), info["action_mask"] > 0
        likely = chances(network.scores(rows), mask)
        answers = (likely.cumsum(1) > chance.random(len(likely))[:, None]).argmax(1)
        for n, path in enumerate(paths):
            if not over[n] and mask[n].sum() > 1:  # without a choice or after the end there is nothing to learn
                slopes = -likely[n][mask[n]]
                slopes[np.flatnonzero(mask[n]) == answers[n]] += 1
                path.append((rows[n][mask[n]], slopes))
        seen, reward, over, _, info = env.step(answers)
        for n in np.flatnonzero(over).tolist():
            ready += [(step, reward[n] - np.mean(usual)) for step in paths[n]]
            paths[n] = []
            usual.append(reward[n])
            marks.append((reward[n] + 1) / 2)
            if len(marks) % batch == 0:
                learnt = np.concatenate([rows for (rows, _), _ in ready])
                network.learn(learnt, np.concatenate([slopes * gain for (_, slopes), gain in ready]) / len(ready))
                ready = []
    env.close()
    return [float(np.mean(part)) for part in np.array_split(marks[:games], 10)]


def main() -> None:
    """Read the command line, train, and print the results."""
    words = argparse.ArgumentParser(description="A network that learns Hex Command with NumPy alone.")
    words.add_argument("--games", type=int, default=3000)
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    for n, share in enumerate(train(given.games, jobs=given.jobs, seed=given.seed), 1):
        print(f"after {given.games * n // 10} games: {100 * share:.0f} % of the points against random play")


if __name__ == "__main__":
    main()
