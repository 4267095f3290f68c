"""Measure how much a search gains over the plans that it follows.

Run the measurement as `python -m caltrop.lab.gains GAME --positions N --keep FILE`.

Whole games distinguish only players of very different strength: 120 games give a share with an error of nine points.
Single positions show smaller differences. Turns are drawn from games between veterans, and the searching player thinks
in each. The plan of the search and the plan of a veteran are both played in worlds that the search has not seen, with
the same luck in the same attacks. The gain is the difference of the winning chances after the other side's answer. The
gain is 0 if the search follows the veteran's plan. A few dozen positions therefore show in minutes how much a change of
the search is worth, if the estimated chances are right (`caltrop.lab.fit`). The gains depend only on the seed, for any
number of processes. With `--keep` each position is stored as a line of a file, and positions in that file are not
computed again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import Decision, ruleset
from caltrop.journal import Setting
from caltrop.lab.kept import worked
from caltrop.lab.ladder import jobs as games_of
from caltrop.lab.programs import run
from caltrop.players import maker_of
from caltrop.players.protocol import forked
from caltrop.players.search import FIRST, Searcher, TurnPlan

TURNS = 12
"""Number of turns, of both sides, among which a position is drawn."""


class GainJob(msgspec.Struct, frozen=True):
    """A position in which the search thinks."""

    game: str
    player: str
    nodes: int | None
    """Largest number of simulated decisions in the turn; None for the player's own number."""
    number: int
    seed: int
    worlds: int


class Gained(msgspec.Struct, frozen=True):
    """The stored data of one position."""

    job: GainJob
    scenario: str
    gain: float
    """Gain of the search's plan over the veteran's plan, in chance of winning."""
    follows: bool
    """True if the search's plan differs from the veteran's plan."""
    spent: int
    """Number of decisions that the search simulated."""
    seconds: float
    """Processor time of the search, in seconds."""


def searching(player: str, game: str) -> Searcher:
    """Return a new player by its name; the player must be one that searches.

    Raises:
        SystemExit: if the player does not search.
    """
    who = maker_of(player, game)()
    if not isinstance(who, Searcher):
        raise SystemExit(f"--player: {player!r} of {game} does not search")
    return who


def position(job: GainJob) -> tuple[str, Decision, Any]:
    """Return the scenario, a side's question at the beginning of its turn, and its view."""
    who, rules = searching(job.player, job.game), ruleset(job.game)
    game = games_of(job.game, ("veteran", "veteran"), 2 * job.number + 1, job.seed)[-1]
    attempt = 0
    while True:
        key = f"{job.seed} position {job.number} {attempt}"
        dice = Seeded(key)
        left, turn = 1 + dice.below(TURNS), None
        match = Setting.chosen(job.game, None, game.scenario, game.armies, None, {}).begin(dice, keep=False)
        sides = [maker_of("veteran", job.game)() for _ in (0, 1)]
        while match.over is None:
            asked = match.waiting[0]
            view = match.view(asked.side)
            if who.is_open(asked, view) and rules.turn(view) != turn:
                turn, left = rules.turn(view), left - 1
                if not left:
                    return game.scenario, asked, view
            match.follow(asked, sides[asked.side].decide(asked, view, dice))
        attempt += 1  # The game ended before the drawn turn.


def think(job: GainJob) -> Gained:
    """Search a position, and play its plan and the veteran's plan in worlds that the search has not seen."""
    scenario, asked, view = position(job)
    who = searching(job.player, job.game)
    own = TurnPlan(forked(who.following))
    nodes = (who.nodes if job.nodes is None else job.nodes) * FIRST // 100
    began = process_time()
    thought = who.search(asked, view, Seeded(f"{job.seed} search {job.number}"), nodes)
    seconds = process_time() - began
    gain = 0.0
    if thought.other:
        one, other = TurnPlan(thought.plan.player, thought.plan.begun), own
        for world in range(job.worlds):
            for plan in (one, other):
                who.played(plan, asked, view, f"fresh {job.seed} {job.number} {world}")
        gain = (sum(one.chances) - sum(other.chances)) / job.worlds
    return Gained(job, scenario, gain, thought.other, thought.spent, seconds)


def mean(gains: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some gains, and its standard error.

    >>> mean([0.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    (1.0, 0.16666666666666666)
    """
    return fmean(gains), stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 0.0


def table(results: Sequence[Gained]) -> str:
    lines = ["| scenario | positions | another plan | gain | decisions | seconds |", "|---|---|---|---|---|---|"]
    scenarios = list(dict.fromkeys(r.scenario for r in results))
    for name, some in [
        *[(name, [r for r in results if r.scenario == name]) for name in scenarios],
        ("all", list(results)),
    ]:
        middle, error = mean([r.gain for r in some])
        count = len(some)
        lines.append(
            f"| {name} | {count} | {sum(r.follows for r in some)} | {100 * middle:+.1f} ± {100 * error:.1f} % "
            f"| {sum(r.spent for r in some) / count:.0f} | {sum(r.seconds for r in some) / count:.2f} |"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m caltrop.lab.gains", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--player", default="commander", help="who searches: a name, or MODULE:NAME (commander)")
    parser.add_argument("--nodes", type=int, help="decisions in a turn, in place of the player's own count")
    parser.add_argument("--positions", type=int, default=40, help="how many (40)")
    parser.add_argument("--worlds", type=int, default=24, help="worlds in which plans are compared (24)")
    parser.add_argument("--seed", type=int, default=1, help="any whole number (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--keep", type=Path, help="a file in which positions are kept, and from which they go on")
    given = parser.parse_args(argv)
    for name in ("positions", "worlds", "nodes", "jobs"):
        count = getattr(given, name)
        if count is not None and count < 1:
            parser.error(f"--{name} is {count}; it has to be 1 or more")
    searching(given.player, given.game)
    every = [
        GainJob(given.game, given.player, given.nodes, number, given.seed, given.worlds)
        for number in range(given.positions)
    ]
    results = worked(every, think, Gained, given.keep, given.jobs, "the table is of the positions that were finished")
    if results:
        print(table(results))


if __name__ == "__main__":
    run(main)
