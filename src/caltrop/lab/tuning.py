"""Tune a player's weights by games against itself: `python -m caltrop.lab.tuning GAME --rounds N --keep FILE`.

In each round every weight is moved a little up or down at random. A player with the moved weights plays one whose
weights are all moved the other way. Games come in pairs with the same dice and swapped seats, over all scenarios in
turn. Then every weight takes a small step towards the better player. The method is simultaneous perturbation (J. C.
Spall, IEEE Trans. Autom. Control 37, 1992), as used for chess programs. A step is proportional to the advantage, which
depends half on the winner and half on the share of banners or points.

With `--around` the weights stay, and all rounds are played around them. The result of `--around` is the effect of each
weight with its standard error, and the weights after a step of `--far` spreads in the best direction. With few games, a
walk of the weights is lost in noise, while slopes around fixed weights are as accurate as the games allow. The result
may be stored beside a game's weights as `tuned.json`, where levels find it (`caltrop.players.tuning.tuned`).

A game can be tuned if its players list their tunable weights (`caltrop.players.tuning`). With `--keep` each round is
stored as a line of a file, and rounds in that file are not played again. At the end the program prints the mean weights
of the second half of the rounds. Only games with new seeds can show whether the tuned weights are better
(`caltrop.lab.ladder`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from math import floor, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.lab.ladder import LadderJob, jobs
from caltrop.lab.programs import run
from caltrop.players import Player
from caltrop.players.tuning import Tunable, tunable

PAIRS = 3
"""Number of pairs of games in a round."""
GAIN = 0.05
"""Step of a weight, as a share of its spread, if one player won both games of a pair by the largest margin."""
LATER = 0.3
"""Exponent by which steps shrink: applied to the finished share of the rounds plus a tenth."""


class TuningRound(msgspec.Struct, frozen=True):
    number: int
    better: tuple[float, ...]
    """For each pair of games, the advantage (-1 to 1) of the player with weights moved in the random directions."""


def coins(seed: int, number: int, names: Sequence[str]) -> dict[str, int]:
    """Return the direction, 1 or -1, in which each weight is moved in a round."""
    dice = Seeded(f"coins {seed} {number}")
    return {name: 2 * dice.below(2) - 1 for name in names}


def moved(what: Tunable, at: Mapping[str, float], coins: Mapping[str, int], way: int, seed: str) -> Any:
    """Return the weights of one side of a round: whole numbers of at least 0, rounded at random."""
    dice = Seeded(seed)
    changed = {}
    for name, x in at.items():
        value = x + way * coins[name] * what.spread[name]
        changed[name] = max(0, floor(value + dice.below(1000) / 1000))
    return msgspec.structs.replace(what.start, **changed)


def stepped(
    what: Tunable, at: Mapping[str, float], coins: Mapping[str, int], result: TuningRound, rounds: int
) -> dict[str, float]:
    gain = GAIN * (result.number / rounds + 0.1) ** -LATER * sum(result.better)
    return {name: max(0.0, x + gain * coins[name] * what.spread[name]) for name, x in at.items()}


def margin(job: LadderJob, makers: Sequence[Callable[[], Player]], seed: str) -> float:
    match = Setting.chosen(job.game, None, job.scenario, job.armies, None, {}).begin(
        Seeded(seed), keep=False, in_place=True
    )
    sides = [make() for make in makers]
    dice = [Seeded(f"{seed} {side}") for side in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        action = sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        match.follow(asked, action)
    over = match.over
    won = 0 if over.winner is None else 1 - 2 * over.winner
    one, other = over.points if len(over.points) == 2 else (0, 0)
    return won / 2 + (one - other) / (2 * max(1, one, other))


def played(what: Tunable, at: Mapping[str, float], number: int, seed: int, some: Sequence[LadderJob]) -> TuningRound:
    way = coins(seed, number, list(at))
    up, down = (what.make(moved(what, at, way, sign, f"rounding {seed} {number} {sign}")) for sign in (1, -1))
    better = []
    for job in some:
        key = f"tuning {seed} {job.scenario} {job.number}"
        one, other = margin(job, (up, down), key), margin(job, (down, up), key)
        better.append((one - other) / 2)
    return TuningRound(number, tuple(better))


def kept(path: Path | None) -> list[TuningRound]:
    if path is None or not path.exists():
        return []
    return [msgspec.json.decode(line, type=TuningRound) for line in path.read_bytes().splitlines()]


class Rounds:
    """The rounds of a run in order. Each round is read from the file, or played and stored.

    Args:
        seed: Seed of the random directions of the weights, and of the dice.
        keep: A file with a line for each round, from which an interrupted run continues.
        until: Number of rounds after which the run stops; by default all are played.
    """

    def __init__(self, game: str, rounds: int, seed: int, keep: Path | None, until: int | None) -> None:
        self.what, self.seed = tunable(game), seed
        start = msgspec.structs.asdict(self.what.start)
        self.start = {name: float(start[name]) for name in self.what.spread}
        self.last = rounds if until is None else min(until, rounds)
        self._keep, self._known = keep, kept(keep)
        self._jobs = jobs(game, ("up", "down"), 2 * PAIRS * rounds, seed)[::2]

    def result(self, number: int, at: Mapping[str, float]) -> TuningRound:
        if number < len(self._known):
            return self._known[number]
        some = self._jobs[number * PAIRS : (number + 1) * PAIRS]
        latest = played(self.what, at, number, self.seed, some)
        if self._keep is not None:
            with self._keep.open("ab") as file:
                file.write(msgspec.json.encode(latest) + b"\n")
        return latest


def tune(
    game: str,
    rounds: int,
    seed: int,
    keep: Path | None = None,
    progress: Callable[[int, Mapping[str, float]], None] | None = None,
    until: int | None = None,
) -> Any:
    """Return the weights after a number of rounds.

    Args:
        seed: Seed of the random directions of the weights, and of the dice.
        keep: A file with a line for each round, from which an interrupted run continues.
        progress: Called with the weights after each round.
        until: Number of rounds after which the run stops; by default all are played.
    """
    run = Rounds(game, rounds, seed, keep, until)
    what, at = run.what, run.start
    late: list[dict[str, float]] = []
    for number in range(run.last):
        at = stepped(what, at, coins(seed, number, list(at)), run.result(number, at), rounds)
        if 2 * number >= run.last - 1:
            late.append(at)
        if progress is not None:
            progress(number, at)
    mean = {name: round(sum([one[name] for one in late]) / len(late)) for name in at}
    return msgspec.structs.replace(what.start, **mean)


class Slope(NamedTuple):
    """The effect of moving a weight."""

    better: float
    """Advantage of a player with the weight moved up over a player with the weight moved down, from -1 to 1."""
    error: float


def slopes(names: Sequence[str], rounds: Sequence[TuningRound], seed: int) -> dict[str, Slope]:
    """Return the effect of moving each weight, from rounds with the same central weights.

    Raises:
        ValueError: if there are fewer than two pairs of games.
    """
    pairs = sum([len(one.better) for one in rounds])
    if pairs < 2:
        raise ValueError("slopes take two pairs of games at least")
    ways = [coins(seed, one.number, names) for one in rounds]
    slopes_by_name = {}
    for name in names:
        each = [way[name] * better for way, one in zip(ways, rounds, strict=True) for better in one.better]
        mean = sum(each) / pairs
        slopes_by_name[name] = Slope(mean, sqrt(sum([(x - mean) ** 2 for x in each]) / (pairs - 1) / pairs))
    return slopes_by_name


def uphill(what: Tunable, slopes: Mapping[str, Slope], far: float) -> Any:
    """Return the weights after a step uphill: each weight is moved in proportion to its slope.

    Args:
        far: Length of the step in spreads, as a root mean square over the weights.
    """
    start = msgspec.structs.asdict(what.start)
    size = sqrt(sum([one.better**2 for one in slopes.values()]) / len(slopes))
    step = 0.0 if size == 0 else far / size
    changed = {name: max(0, round(start[name] + step * one.better * what.spread[name])) for name, one in slopes.items()}
    return msgspec.structs.replace(what.start, **changed)


def around(game: str, rounds: int, seed: int, keep: Path | None = None, until: int | None = None) -> dict[str, Slope]:
    """Return the effect of moving each weight from its present value.

    Args:
        seed: Seed of the random directions of the weights, and of the dice.
        keep: A file with a line for each round, from which an interrupted run continues.
        until: Number of rounds after which the run stops; by default all are played.
    """
    run = Rounds(game, rounds, seed, keep, until)
    return slopes(list(run.start), [run.result(number, run.start) for number in range(run.last)], seed)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m caltrop.lab.tuning", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=1000, help=f"rounds of {2 * PAIRS} games (1000)")
    parser.add_argument("--until", type=int, help="stop after so many of them")
    parser.add_argument("--seed", type=int, default=1, help="any whole number (1)")
    parser.add_argument("--keep", type=Path, help="a file in which rounds are kept, and from which they go on")
    parser.add_argument("--around", action="store_true", help="move no weight, and tell what each brings")
    parser.add_argument("--far", type=float, default=1.0, help="how far the weights lie that it prints then (1)")
    given = parser.parse_args(argv)
    ruleset(given.game)
    if given.around:
        shown = around(given.game, given.rounds, given.seed, given.keep, given.until)
        for name, one in sorted(shown.items(), key=lambda item: -abs(item[1].better / max(item[1].error, 1e-9))):
            print(f"{name}: {one.better:+.3f}, error {one.error:.3f}", file=sys.stderr)
        _print(given.game, uphill(tunable(given.game), shown, given.far))
        return
    best = tune(given.game, given.rounds, given.seed, given.keep, _tell, given.until)
    _print(given.game, best)


def _print(game: str, result: Any) -> None:
    was = msgspec.structs.asdict(tunable(game).start)
    changed = {name: x for name, x in msgspec.structs.asdict(result).items() if x != was[name]}
    print(msgspec.json.format(msgspec.json.encode(changed), indent=1).decode())


def _tell(number: int, at: Mapping[str, float]) -> None:
    if number % 25 == 24:
        print(number + 1, " ".join([f"{name}={x:.1f}" for name, x in at.items()]), file=sys.stderr, flush=True)


if __name__ == "__main__":
    run(main)
