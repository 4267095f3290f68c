"""Whole games a second on one core, beside python-chess in the same run.

`python -m benchmarks.bench_games` plays Command Horizon with 7 units a side on `meeting-engagement`, random against
random and heuristic against heuristic, and random games of python-chess in turns with them: A B A B. Only decisions
with two options or more count; which those are is found by a second playing of the same games, off the clock. Times
are the processor's, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import chess

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.players import player
from caltrop.rules.command_horizon.movement import OrderOptions, Orders

SCENARIO = "meeting-engagement"
ARMIES = (("alliance-7", "asori-7"), ("asori-7", "putredine-7"), ("putredine-7", "alliance-7"))
PLIES = 5_000
"""Plies of python-chess in each turn of the yardstick, at least."""


class Played(NamedTuple):
    """What one kind of game came to."""

    games: int
    decisions: int
    """With two options or more."""
    acts: int
    """All that was asked."""
    seconds: float
    ratio: float
    """Decisions with two options or more a second, over the plies of python-chess a second: the median of the turns."""
    plies: float
    """Plies of python-chess a second, the median of the turns."""

    @property
    def games_a_second(self) -> float:
        """Games a second of processor time."""
        return self.games / self.seconds

    @property
    def decisions_a_second(self) -> float:
        """Decisions with two options or more, a second of processor time."""
        return self.decisions / self.seconds


def begin(number: int) -> Match:
    """A new match, each with another pairing of armies, that keeps and records nothing, as playouts do."""
    rules = ruleset("command-horizon")
    state = rules.setup(rules.book(), SCENARIO, ARMIES[number % len(ARMIES)])
    return Match(rules, state, Seeded(f"bench {number}"), keep=False, record=False)


def play(name: str, number: int) -> int:
    """One game from its set-up to its end: how many acts it took."""
    match, acts = begin(number), 0
    dice = [Seeded(f"bench {number} {side}") for side in (0, 1)]
    sides = [player(name, "command-horizon") for _ in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        match.follow(asked, sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side]))
        acts += 1
    return acts


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


def measure(name: str, turns: int) -> Played:
    """One game of each pairing and python-chess, by turns; nothing is warmed up but the modules and the data files."""
    for number in range(len(ARMIES)):
        begin(number)
    decisions, acts, seconds = 0, 0, 0.0
    yardstick, ratios = [], []
    for turn in range(turns):
        numbers = range(turn * len(ARMIES), (turn + 1) * len(ARMIES))
        start = process_time()
        acts += sum([play(name, number) for number in numbers])
        took = process_time() - start
        plies = chess_rate(turn)
        found = sum([choices(name, number) for number in numbers])
        yardstick.append(plies)
        ratios.append(found / took / plies)
        decisions, seconds = decisions + found, seconds + took
    return Played(len(ARMIES) * turns, decisions, acts, seconds, median(ratios), median(yardstick))


def orders(games: int) -> Iterator[tuple[Any, int, Seeded]]:
    """The moments of random games at which a side orders its movement: the state, the side, its dice."""
    for number in range(games):
        match, dice = begin(number), Seeded(f"bench {number} orders")
        while match.over is None:
            asked = match.waiting[0]
            if isinstance(asked, Orders):
                yield match.view(asked.side), asked.side, dice
            match.follow(asked, asked.options(match.view(asked.side)).sample(dice))


def sampling(games: int = 12) -> float:
    """Microseconds to draw one order, everything that a side may do in the movement step in play: the median."""
    found = []
    for view, side, dice in orders(games):
        start = process_time()
        OrderOptions(view, side).sample(dice)
        found.append(process_time() - start)
    return median(found) * 1e6


def listing(games: int = 3) -> float:
    """Microseconds to list all moves of one unit: the median."""
    found = []
    for view, side, _ in orders(games):
        for unit in OrderOptions(view, side).able:
            start = process_time()
            for _paths in OrderOptions(view, side).moves(unit):
                pass
            found.append(process_time() - start)
    return median(found) * 1e6


def main() -> None:
    """Print the figures."""
    for name, turns in (("random", 10), ("heuristic", 2)):
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            played = measure(name, turns)
            print(
                f"{name:10} {played.games_a_second:8.2f} games/s  {played.decisions / played.games:6.0f} decisions of "
                f"{played.acts / played.games:.0f} acts a game  {played.decisions_a_second:8.0f} decisions/s  "
                f"ratio {played.ratio:6.3f} to python-chess ({played.plies:.0f} plies/s)"
            )
    if len(sys.argv) == 1 or "orders" in sys.argv[1:]:
        print(f"an order drawn {sampling():8.0f} µs, all moves of a unit listed {listing():8.0f} µs")


if __name__ == "__main__":
    main()
