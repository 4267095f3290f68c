"""Measure how much players lose by their decisions.

Run the measurement as `python -m caltrop.lab.losses GAME --players A,B,… --games N --keep FILE`.

Each player plays against itself, over all scenarios and armies in turn. A random share of the player's decisions is
compared with a commander's answers, as in the explanation of a battle (`caltrop.lab.analysis`). The cost of a decision
is the chance of winning that it loses. The average costs are a scale for the cost of a person's decisions. Intervals of
the average costs come from resampling games. With `--keep` each game is stored as a line of a file, and games in that
file are not played again. With `--write` the scale is stored with the game's players, for explanations of battles. If a
weaker level lost less than a stronger one, both levels get the mean of their costs.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

import msgspec

from caltrop.chance import Z95, Seeded
from caltrop.journal import Setting, record_of
from caltrop.lab.analysis import Analyser
from caltrop.lab.kept import worked
from caltrop.lab.ladder import jobs as games_of
from caltrop.lab.programs import run
from caltrop.players import LEVELS, Lost, Seated, lost_path, maker_of

RATED = LEVELS[:3]
"""Levels of players on the scale. The searching player is missing, because it is the standard of comparison."""
SHARE = 4
"""One decision in this number is judged."""


class LossJob(msgspec.Struct, frozen=True):
    """One game whose decisions are judged."""

    game: str
    player: str
    scenario: str
    armies: tuple[str, ...]
    number: int
    seed: int
    share: int


class GameLoss(msgspec.Struct, frozen=True):
    """The stored data of one game."""

    job: LossJob
    decisions: int
    mistakes: int
    """Number of judged decisions with a better answer."""
    lost: float
    """Chance of winning lost by these mistakes, added up."""


def judge(job: LossJob) -> GameLoss:
    key = f"losses {job.seed} {job.scenario} {job.number}"
    setting = Setting.chosen(job.game, None, job.scenario, job.armies, None, {})
    match = setting.begin(Seeded(key))
    names = (job.player, job.player)
    Seated(
        match,
        tuple(maker_of(name, job.game)() for name in names),
        tuple(Seeded(f"{key} {side}") for side in range(len(names))),
    ).play()
    reader = Analyser(record_of(match, setting, players=names, seed=key, everything=True))
    draw = Seeded(f"{key} drawn")
    some = [number for number in range(len(reader.points)) if reader.is_judged(number) and not draw.below(job.share)]
    gains = [gain for gain, _ in reader.alternatives.best(some).values()]
    return GameLoss(job, len(some), len(gains), sum(gains))


def losses(results: Sequence[GameLoss]) -> dict[str, Lost]:
    """Return each player's average loss in a decision, with its interval.

    Games with more decisions have more weight; the interval comes from the variation between games.

    >>> job = LossJob("a game", "regular", "a scenario", (), 0, 1, 1)
    >>> losses([GameLoss(job, 10, 1, 0.1), GameLoss(job, 30, 4, 0.7)])["regular"].mean
    0.02
    """
    losses_by_name = {}
    for name in dict.fromkeys(r.job.player for r in results):
        some = [r for r in results if r.job.player == name]
        decisions = sum(r.decisions for r in some)
        if not decisions:
            continue
        mean = sum(r.lost for r in some) / decisions
        spread = sum((r.lost - mean * r.decisions) ** 2 for r in some)
        error = sqrt(spread * len(some) / max(1, len(some) - 1)) / decisions
        losses_by_name[name] = Lost(
            round(mean, 5), round(max(0.0, mean - Z95 * error), 5), round(mean + Z95 * error, 5), decisions, len(some)
        )
    return losses_by_name


def ranked(losses: Mapping[str, Lost]) -> dict[str, Lost]:
    """Return a scale on which no level loses less than a stronger one. Levels in the wrong order get the mean of their
    losses.

    >>> lost = {"recruit": Lost(0.01, 0, 0.02, 30, 3), "regular": Lost(0.02, 0.01, 0.03, 10, 3)}
    >>> [one.mean for one in ranked(lost).values()]
    [0.0125, 0.0125]
    """
    groups: list[list[str]] = []
    means: list[float] = []
    for name in [name for name in reversed(LEVELS) if name in losses]:
        groups.append([name])
        means.append(losses[name].mean)
        while len(groups) > 1 and means[-1] < means[-2]:
            groups[-2:] = [groups[-2] + groups[-1]]
            decisions = [losses[one].decisions for one in groups[-1]]
            shared = sum(losses[one].mean * n for one, n in zip(groups[-1], decisions, strict=True)) / sum(decisions)
            means[-2:] = [round(shared, 5)]
    mean = {name: one for group, one in zip(groups, means, strict=True) for name in group}
    return {name: msgspec.structs.replace(losses[name], mean=mean[name]) for name in LEVELS if name in losses}


def table(results: Sequence[GameLoss]) -> str:
    lines = [
        "| player | games | decisions | mistakes | lost a decision | interval |",
        "|---|---|---|---|---|---|",
    ]
    for name, lost in losses(results).items():
        wrong = sum(r.mistakes for r in results if r.job.player == name)
        lines.append(
            f"| {name} | {lost.games} | {lost.decisions} | {wrong} | {100 * lost.mean:.2f} "
            f"| {100 * lost.low:.2f} to {100 * lost.high:.2f} |"
        )
    return "\n".join(lines)


def write(game: str, losses: Mapping[str, Lost]) -> None:
    path = lost_path(game)
    if path is not None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(ranked(losses)), indent=1) + b"\n")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m caltrop.lab.losses", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", default=",".join(RATED), help=f"names ({','.join(RATED)})")
    parser.add_argument("--games", type=int, default=20, help="games of each (20)")
    parser.add_argument("--share", type=int, default=SHARE, help=f"one decision in so many is looked at ({SHARE})")
    parser.add_argument("--seed", type=int, default=1, help="any whole number (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--keep", type=Path, help="a file in which games are kept, and from which they go on")
    parser.add_argument("--write", action="store_true", help="put the scale beside the game's players")
    given = parser.parse_args(argv)
    for name in ("games", "share", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} is {getattr(given, name)}; it has to be 1 or more")
    names = given.players.split(",")
    for name in names:
        maker_of(name, given.game)
    # Scenarios and armies are the same as in the ladder's pairs of games.
    every = [
        LossJob(given.game, name, game.scenario, game.armies, game.number // 2, given.seed, given.share)
        for name in names
        for game in games_of(given.game, (name, name), 2 * given.games, given.seed)[::2]
    ]
    every.sort(key=lambda job: job.number)
    results = worked(every, judge, GameLoss, given.keep, given.jobs, "the table is of the games that were finished")
    print(table(results))
    if given.write:
        write(given.game, losses(results))


if __name__ == "__main__":
    run(main)
