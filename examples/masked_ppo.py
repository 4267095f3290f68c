"""Trains a network by MaskablePPO of sb3-contrib, and writes its learning curve.

The network plays both sides of the smallest scenario of Hex Command, against computer players and against earlier
versions of itself. Opponents of about its own strength are chosen most often. For each question it sees the array of
the environment, without proposals by a computer player. One small network scores every answer. Its input is the row of
the answer, and how all units stand to the place where the answer leads. As all answers share it, the network learns
from each answer for all. Run it as

    python examples/masked_ppo.py runs/ppo --seed 1 --minutes 120

and run it again to continue; `pip install "caltrop[learn]"` adds what it needs. `curve.json`, `curve.csv` and
`curve.svg` in the folder contain the share of points against each player of the measurement, at equal intervals of
steps, with 95 % intervals. The minutes are processor time.
"""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from html import escape
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from caltrop.chance import wilson
from caltrop.players import maker_of

GAME, SCENARIO = "hex-command", "first-battle"
Choose = Callable[[Any, Any], int]
"""Function that chooses an answer from the array and the mask."""
POINT = 0.1
"""Reward for a point of the game during training. A won game is 1."""
ITSELF = "itself"
"""The opponent that is an earlier version of the network."""
SELVES = 4
"""Number of earlier versions that are stored."""
PLACES = (("has a unit", "unit x", "unit y"), ("has a target", "target x", "target y"), ("has a place", "x", "y"))
"""Columns of an answer that tell where it leads. The last that is set counts."""
SELDOM = 0.02
"""Smallest weight of an opponent, so that the network still meets those that it always beats or never beats."""
COLOURS = ("#1f6fb4", "#c2571a", "#2f8f4e", "#8054a8")


class Point(NamedTuple):
    """The network's result against one player, measured at one time."""

    steps: int
    minutes: float
    against: str
    wins: int
    draws: int
    games: int

    @property
    def share(self) -> float:
        """The share of points, with a draw as half a point."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.wins + self.draws / 2, self.games)  # type: ignore[arg-type]  # half a win is a number too


class Opponents:
    """Chooses the opponent of each game. Opponents of about the network's strength are chosen most often.

    Args:
        names: The players, and `ITSELF`.
        seed: Seed of the choices.
        games: Number of latest games against an opponent from which its strength is estimated.
    """

    def __init__(self, names: Sequence[str], seed: int, games: int = 100) -> None:
        self.names, self.chance = tuple(names), Random(seed)
        self.last: dict[str, deque[float]] = {name: deque(maxlen=games) for name in names}

    def share(self, name: str) -> float:
        """Return the network's share of points against a player: one half if they have not met."""
        last = self.last[name]
        return (sum(last) + 1) / (len(last) + 2)

    def weight(self, name: str) -> float:
        """Return the weight of a player in the choice: highest if the share of points is one half, and never 0."""
        return self.share(name) * (1 - self.share(name)) + SELDOM

    def draw(self) -> str:
        """Return an opponent for a game."""
        return self.chance.choices(self.names, [self.weight(name) for name in self.names])[0]

    def note(self, name: str, reward: float) -> None:
        """Store the result of a game for the network: 1, -1 or 0."""
        self.last[name].append((reward + 1) / 2)


def environment(seat: int, opponent: str | Callable[[], Any]) -> Any:
    """Return the environment of one side of the scenario."""
    import caltrop.envs

    return caltrop.envs.gym(GAME, scenario=SCENARIO, seat=seat, opponent=opponent)


def taught(seat: int, opponents: Opponents, selves: Sequence[Choose]) -> Any:
    """Return an environment for training, with a new opponent in each game.

    The lead in points is rewarded too. Otherwise the network would get only one reward in a whole game.

    Args:
        seat: The side that learns.
        opponents: Chooses the opponents, and gets the result of each game.
        selves: Earlier versions of the network.
    """
    import gymnasium

    import caltrop.envs
    from caltrop.envs.reading import number_of

    makers = {name: maker_of(name, GAME) for name in opponents.names if name != ITSELF}
    itself = caltrop.envs.player(GAME, lambda seen, mask: playing[1](seen, mask), scenario=SCENARIO)
    playing: list[Any] = ["", None]

    def opponent() -> Any:
        playing[0] = opponents.draw()
        if playing[0] != ITSELF:
            return makers[playing[0]]()
        playing[1] = opponents.chance.choice(selves)
        return itself

    game = environment(seat, opponent)
    whole = game.layout.sections["whole"]
    own, other = (whole.start + whole.columns.index(f"{whose} medals") for whose in ("own", "other"))

    def lead(seen: Any) -> float:
        """Return the side's lead in banners."""
        return number_of(float(seen[own])) - number_of(float(seen[other]))

    class Taught(gymnasium.Wrapper):  # type: ignore[type-arg, unused-ignore]
        def reset(self, **more: Any) -> Any:
            seen, info = self.env.reset(**more)
            self.lead = lead(seen)
            return seen, info

        def step(self, action: Any) -> Any:
            seen, reward, over, cut, info = self.env.step(action)
            if over:
                opponents.note(playing[0], float(reward))
            before, self.lead = self.lead, lead(seen)
            return seen, float(reward) + POINT * (self.lead - before), over, cut, info

        def action_masks(self) -> Any:
            return self.env.unwrapped.action_masks()  # type: ignore[attr-defined]

    return Taught(game)


def chooser(policy: Any, seed: int) -> Choose:
    """Return a function that chooses answers at random with the network's present probabilities, and never changes."""
    import numpy as np
    import torch

    scores, chance = deepcopy(policy.features_extractor).eval(), Random(seed)

    def choose(seen: Any, mask: Any) -> int:
        legal = int(mask.sum())
        if legal == 1:
            return 0
        with torch.no_grad():
            logits = scores(torch.as_tensor(seen)[None]).numpy()[0, -len(mask) :][:legal].astype(float)
        return chance.choices(range(legal), np.exp(logits - logits.max()).tolist())[0]

    return choose


def network(layout: Any) -> Any:
    """Return the class of a policy that scores each answer from its row and the whole table.

    The features are a description of the table, followed by the score of each answer. The scores are the logits.
    """
    import torch
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn

    answers, ground, units = (layout.sections[name] for name in ("answers", "ground", "units"))
    wide, deep, small = 96, 64, 32
    column = {name: n for n, name in enumerate(answers.columns)}
    places = [(column[has], column[x], column[y]) for has, x, y in PLACES]
    there, at = units.columns.index("has hex"), units.columns.index("hex x")

    class Scores(BaseFeaturesExtractor):  # type: ignore[misc]
        def __init__(self, space: Any) -> None:
            super().__init__(space, deep + answers.rows)
            # The ground is left out, because it is the same in every game of a scenario.
            table = answers.start - (ground.end - ground.start)
            self.table = nn.Sequential(nn.Linear(table, wide), nn.Tanh(), nn.Linear(wide, deep), nn.Tanh())
            self.answer = nn.Linear(len(answers.columns), deep)
            # A word in an answer, such as the name of a card, is encoded as its number in a list.
            self.words = 17 + len(layout.ground.words)
            self.word = nn.Embedding(self.words + 2, deep)
            self.about = nn.Linear(deep, deep)
            self.unit = nn.Linear(len(units.columns), small)
            self.stands = nn.Linear(6, small)
            self.around = nn.Linear(small, deep)
            self.score = nn.Sequential(nn.ReLU(), nn.Linear(deep, deep), nn.ReLU(), nn.Linear(deep, 1))

        def forward(self, seen: Any) -> Any:
            table = torch.cat([seen[:, : ground.start], seen[:, ground.end : answers.start]], 1)
            context = self.table(table)
            rows = seen[:, answers.start : answers.end].reshape(-1, answers.rows, len(answers.columns))
            # Most questions have only a few answers, so empty rows are skipped.
            legal = rows[:, :, 0] > 0
            whose = legal.nonzero()[:, 0]
            row = rows[legal]
            word = (self.words * row[:, column["number 0"]]).round().long().clamp(-1, self.words) + 1
            result = self.answer(row) + self.word(word) + self.about(context)[whose]
            scores = torch.zeros(legal.shape)
            scores[legal] = self.score(result + self.surroundings(seen, row, whose)).squeeze(-1)
            return torch.cat([context, scores], 1)

        def surroundings(self, seen: Any, row: Any, whose: Any) -> Any:
            """Return how all units stand to the place where each answer leads, and to its acting unit."""
            unit = seen[:, units.start : units.end].reshape(-1, units.rows, len(units.columns))
            goal = torch.zeros(len(row), 2)
            for has, x, y in places:
                goal = torch.where(row[:, has : has + 1] > 0, row[:, [x, y]], goal)
            actor = row[:, [column["unit x"], column["unit y"]]]
            ways = [unit[whose][:, :, at : at + 2] - one[:, None] for one in (goal, actor)]
            far = [way.norm(dim=2, keepdim=True) for way in ways]
            pairs = torch.relu(self.unit(unit)[whose] + self.stands(torch.cat([*ways, *far], 2)))
            return self.around((pairs * unit[whose][:, :, there : there + 1]).sum(1) / 4)

    class Logits(nn.Module):  # type: ignore[misc]
        def forward(self, features: Any) -> Any:
            return features[:, deep:]

    class Value(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.value = nn.Linear(deep, 1)

        def forward(self, features: Any) -> Any:
            return self.value(features[:, :deep])

    class Policy(MaskableActorCriticPolicy):  # type: ignore[misc]
        def __init__(self, *args: Any, **more: Any) -> None:
            more |= {"net_arch": [], "features_extractor_class": Scores, "ortho_init": False}
            super().__init__(*args, **more)

        def _build(self, lr_schedule: Any) -> None:
            super()._build(lr_schedule)
            self.action_net, self.value_net = Logits(), Value()
            self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    return Policy


def measured(model: Any, against: str, games: int) -> tuple[int, int, int]:
    """Return the games won, drawn and lost by the network's best answers. Seats change every second game.

    The seeds are the same at every measurement, and different from those of the training.
    """
    seats = [environment(seat, against) for seat in (0, 1)]
    rewards = []
    for number in range(games):
        env = seats[number % 2]
        seen, info = env.reset(seed=900_000_000 + number // 2)
        over, reward = False, 0.0
        while not over:
            number_of, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, reward, over, _, info = env.step(int(number_of))
        rewards.append(reward)
    return rewards.count(1.0), rewards.count(0.0), rewards.count(-1.0)


# --- the curve ---


def as_csv(points: Sequence[Point]) -> str:
    """Return the curve as CSV."""
    lines = ["steps,minutes,against,wins,draws,games,share,low,high"]
    for p in points:
        low, high = p.interval
        numbers = f"{p.wins},{p.draws},{p.games},{p.share:.4f},{low:.4f},{high:.4f}"
        lines.append(f"{p.steps},{p.minutes:.1f},{p.against},{numbers}")
    return "\n".join(lines) + "\n"


def as_svg(points: Sequence[Point], title: str) -> str:
    """Return the curve as SVG: the share of points by steps, with intervals, and a line for each player."""
    width, tall, left, top = 640, 320, 56, 36
    last = max([p.steps for p in points], default=1) or 1

    def x(steps: float) -> float:
        return left + (width - left - 110) * steps / last

    def y(share: float) -> float:
        return top + (tall - top - 40) * (1 - share)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tall}" width="{width}" height="{tall}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{tall}" fill="#fff"/>',
        '<g font-family="system-ui, sans-serif" font-size="12">',
        f'<text x="{left}" y="20">{escape(title)}</text>',
    ]
    for tick in range(0, 101, 25):
        at = y(tick / 100)
        lines.append(f'<line x1="{left}" x2="{x(last):.1f}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{tick} %</text>')
    for part in range(5):
        steps = last * part // 4
        lines.append(f'<text x="{x(steps):.1f}" y="{tall - 20}" text-anchor="middle">{steps:,}</text>')
    lines.append(f'<text x="{x(last / 2):.1f}" y="{tall - 4}" text-anchor="middle">steps</text>')
    for name, colour in zip(dict.fromkeys([p.against for p in points]), COLOURS, strict=False):
        own = [p for p in points if p.against == name]
        upper = [(x(p.steps), y(p.interval[1])) for p in own]
        lower = [(x(p.steps), y(p.interval[0])) for p in reversed(own)]
        band = " ".join([f"{a:.1f},{b:.1f}" for a, b in upper + lower])
        path = " ".join([f"{x(p.steps):.1f},{y(p.share):.1f}" for p in own])
        lines.append(f'<polygon points="{band}" fill="{colour}" fill-opacity="0.18"/>')
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end = f'x="{x(own[-1].steps) + 8:.1f}" y="{y(own[-1].share) + 4:.1f}"'
        lines.append(f'<text {end} fill="{colour}">{escape(name)}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


class Folder(NamedTuple):
    """The files of a run, by which it can be continued."""

    path: Path

    def read(self) -> tuple[dict[str, Any], list[Point]]:
        """Return the state and the points that were written last, or those of a new run."""
        if not (self.path / "curve.json").exists():
            return {"steps": 0, "minutes": 0.0, "shares": []}, []
        result = json.loads((self.path / "curve.json").read_text(encoding="utf-8"))
        return result["state"], [Point(**one) for one in result["points"]]

    def write(self, state: dict[str, Any], points: Sequence[Point], about: dict[str, Any]) -> None:
        """Write the curve in its three formats."""
        text = json.dumps({"about": about, "state": state, "points": [p._asdict() for p in points]}, indent=1)
        (self.path / "curve.json").write_text(text + "\n", encoding="utf-8")
        (self.path / "curve.csv").write_text(as_csv(points), encoding="utf-8")
        title = f"MaskablePPO, {GAME}, {SCENARIO}, seed {about['seed']}: share of points"
        (self.path / "curve.svg").write_text(as_svg(points, title), encoding="utf-8")


def train(
    path: Path,
    *,
    seed: int = 1,
    opponents: Sequence[str] = ("random", ITSELF, "recruit", "regular"),
    against: Sequence[str] = ("random", "regular"),
    steps: int | None = None,
    minutes: float | None = None,
    every: int = 32_768,
    games: int = 60,
    rollout: int = 1024,
) -> list[Point]:
    """Train the network, and measure it at intervals. If the limits are reached already, it is only measured.

    Args:
        path: Folder of the run. If it contains a run, this is continued.
        seed: Seed of the network's first weights, the opponents and all dice.
        opponents: Opponents in training.
        against: Opponents in measurements.
        steps: Total of steps after which the training ends.
        minutes: Total minutes of processor time after which the training ends, at the next measurement.
        every: Steps between two measurements.
        games: Games of each measurement.
        rollout: Steps on each side between two updates of the network.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    path.mkdir(parents=True, exist_ok=True)
    folder = Folder(path)
    state, points = folder.read()
    course, selves = Opponents(opponents, seed + state["steps"]), deque[Choose](maxlen=SELVES)
    envs = DummyVecEnv([lambda seat=seat: taught(seat, course, selves) for seat in (0, 1)])
    layout = environment(0, "random").layout
    model = MaskablePPO(
        network(layout),
        envs,
        learning_rate=3e-4,
        n_steps=rollout,
        batch_size=256,
        n_epochs=4,
        gamma=0.998,
        gae_lambda=0.97,
        ent_coef=0.01,
        seed=seed + state["steps"],  # a continued run needs new games
        device="cpu",
    )
    if state["steps"]:
        model.set_parameters(str(path / "model.zip"))
    about = {"game": GAME, "scenario": SCENARIO, "seed": seed, "opponents": list(opponents), "every": every}
    began, before = process_time(), float(state["minutes"])

    def now() -> float:
        return before + (process_time() - began) / 60

    def measure() -> Iterator[Point]:
        for name in against:
            wins, draws, _ = measured(model, name, games)
            yield Point(state["steps"], now(), name, wins, draws, games)

    def keep() -> None:
        points[:] = [*[p for p in points if p.steps != state["steps"]], *measure()]
        state["minutes"] = now()
        model.save(str(path / "model.zip"))
        folder.write(state, points, about)
        text = ", ".join([f"{100 * p.share:.0f} % against {p.against}" for p in points[-len(against) :]])
        learns = ", ".join([f"{name} {100 * course.share(name):.0f} %" for name in opponents])
        state["shares"].append([state["steps"], *[round(course.share(name), 3) for name in opponents]])
        print(f"{state['steps']:9,} steps, {state['minutes']:5.1f} min: {text}; learning: {learns}", flush=True)

    def goes_on() -> bool:
        return (steps is None or state["steps"] < steps) and (minutes is None or state["minutes"] < minutes)

    if not points or not goes_on():
        keep()
    while goes_on():
        selves.append(chooser(model.policy, seed + state["steps"]))
        model.learn(every, reset_num_timesteps=True)
        state["steps"] += model.num_timesteps
        keep()
    return points


def main() -> None:
    """Read the command line, and train."""
    parser = argparse.ArgumentParser(description="Learn Hex Command by MaskablePPO.")
    parser.add_argument("folder", type=Path, help="where the network and its curve are kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponents", default=f"random,{ITSELF},recruit,regular", help="those it learns from")
    parser.add_argument("--against", default="random,regular", help="those it is measured against")
    parser.add_argument("--steps", type=int, help="steps in all")
    parser.add_argument("--minutes", type=float, help="minutes of processor time in all")
    parser.add_argument("--every", type=int, default=32_768, help="steps between two measurements")
    parser.add_argument("--games", type=int, default=60, help="games of each measurement")
    given = parser.parse_args()
    if given.steps is None and given.minutes is None:
        parser.error("say how long: --steps or --minutes")
    train(
        given.folder,
        seed=given.seed,
        opponents=given.opponents.split(","),
        against=given.against.split(","),
        steps=given.steps,
        minutes=given.minutes,
        every=given.every,
        games=given.games,
    )


if __name__ == "__main__":
    main()
