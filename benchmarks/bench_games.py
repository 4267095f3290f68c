"""Whole games a second on one core, beside python-chess in the same run.

`python -m benchmarks.bench_games` plays Command Horizon with 7 units a side on `meeting-engagement`, random against
random and heuristic against heuristic, and random games of python-chess in turns with them: A B A B. Only decisions
with two options or more count; which those are is found by a second playing of the same games, off the clock. Times
are the processor's, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import process_time
from typing import NamedTuple

import chess

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.players import player

SCENARIO = "meeting-engagement"
ARMIES = (("alliance-7", "asori-7"), ("asori-7", "putredine-7"), ("putredine-7", "alliance-7"))
PLIES = 6_000
"""Plies of python-chess in each turn of the yardstick."""


class Played(NamedTuple):
    """What one kind of game came to."""

    games: int
    decisions: int
    """With two options or more."""
    acts: int
    """All that was asked."""
    seconds: float
    rates: tuple[float, ...]
    """Decisions with two options or more a second, game by game."""

    @property
    def games_a_second(self) -> float:
        """Games a second of processor time."""
        return self.games / self.seconds


def begin(number: int) -> Match:
    """A new match, each with another pairing of armies, that keeps and records nothing, as playouts do."""
    rules = ruleset("command-horizon")
    state = rules.setup(rules.book(), SCENARIO, ARMIES[number % len(ARMIES)])
    return Match(rules, state, Seeded(f"bench {number}"), keep=False, record=False)


def play(name: str, number: int) -> tuple[int, float]:
    """One game from its set-up to its end: its acts, and the seconds of the processor."""
    start = process_time()
    match, acts = begin(number), 0
    dice = [Seeded(f"bench {number} {side}") for side in (0, 1)]
    sides = [player(name, "command-horizon") for _ in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        match.follow(asked, sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side]))
        acts += 1
    return acts, process_time() - start


def choices(name: str, number: int) -> int:
    """How many decisions of the same game had two options or more."""
    match, found = begin(number), 0
    dice = [Seeded(f"bench {number} {side}") for side in (0, 1)]
    sides = [player(name, "command-horizon") for _ in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        found += asked.options(view).several()
        match.follow(asked, sides[asked.side].decide(asked, view, dice[asked.side]))
    return found


def chess_rate(number: int) -> float:
    """Plies a second of random self-play of python-chess: all legal moves listed, one taken, until the game is over."""
    dice, plies = random.Random(number), 0
    start = process_time()
    while plies < PLIES:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[dice.randrange(len(moves))])
            plies += 1
    return plies / (process_time() - start)


def measure(name: str, games: int) -> tuple[Played, list[float], list[float]]:
    """Games and python-chess by turns.

    Returns:
        What the games came to, the plies a second of each turn of python-chess, and the ratio of each pair.
    """
    decisions, acts, seconds = 0, 0, 0.0
    rates, yardstick, ratios = [], [], []
    for number in range(games):
        made, took = play(name, number)
        found = choices(name, number)
        plies = chess_rate(number)
        rates.append(found / took)
        yardstick.append(plies)
        ratios.append(found / took / plies)
        decisions, acts, seconds = decisions + found, acts + made, seconds + took
    return Played(games, decisions, acts, seconds, tuple(rates)), yardstick, ratios


def main() -> None:
    """Print the figures."""
    for name, games in (("random", 12), ("heuristic", 3)):
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        played, yardstick, ratios = measure(name, games)
        print(
            f"{name:10} {played.games_a_second:8.2f} games/s  {played.decisions / games:6.0f} decisions a game "
            f"({played.acts / games:.0f} acts)  {median(played.rates):8.0f} decisions/s  "
            f"ratio {median(ratios):6.3f} to python-chess ({median(yardstick):.0f} plies/s)"
        )


if __name__ == "__main__":
    main()
