"""Measures whole games a second on one core, beside python-chess in the same run.

`python -m benchmarks.bench_games` plays Command Horizon with 7 units a side on `meeting-engagement`, random against
random and heuristic against heuristic. Random games of python-chess alternate with them. With the word `hex-command` it
plays the crossroads of Hex Command in the same way, with `squad-action` every mission of Squad Action, and with
`blade-skirmish` every scenario of Blade Skirmish. Only decisions with two options or more count. To count them, the
same games are played again outside the measured time. Times are processor time, so that other work on the machine
disturbs them less. `PYTHONPATH=FOLDER` measures another package, such as the unpacked wheel of `make wheel`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from statistics import median, quantiles
from time import process_time
from typing import Any, NamedTuple

import chess

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.players import player
from caltrop.rules.command_horizon.movement import OrderOptions, Orders


class Series(NamedTuple):
    """A series of games."""

    ruleset: str
    scenarios: tuple[str, ...]
    """The scenarios, played one after another."""
    armies: tuple[tuple[str, ...], ...]
    """Pairs of armies for the two sides, used in turn; none if the scenario has its own."""
    games: dict[str, int]
    """Number of games in a round, by player."""
    words: str
    """Short description of the battle."""


HORIZON = Series(
    "command-horizon",
    ("meeting-engagement",),
    (("alliance-7", "asori-7"), ("asori-7", "putredine-7"), ("putredine-7", "alliance-7")),
    {"random": 3, "heuristic": 3},
    "7 units a side",
)
HEX = Series("hex-command", ("crossroads",), ((),), {"random": 20, "heuristic": 3}, "the crossroads")
SQUADS = Series(
    "squad-action",
    (
        *("first-battle", "meeting-engagement", "meeting-engagement-orchard", "hold-the-crossroads"),
        *(
            "hold-the-crossroads-orchard",
            "downed-pilot",
            "downed-pilot-orchard",
            "break-through",
            "break-through-orchard",
        ),
    ),
    ((),),
    {"random": 9, "heuristic": 9},
    "every mission as often",
)
SKIRMISHES = Series(
    "blade-skirmish",
    (
        *("cut-them-down", "run-the-gauntlet", "hold-the-stones", "the-reliquary", "head-of-the-band"),
        *("the-long-bridge", "blood-price", "between-the-stones", "the-fallen-standard"),
    ),
    ((),),
    {"random": 9, "heuristic": 9},
    "every scenario as often",
)
PLIES = 5_000
"""Least number of plies of python-chess in each round."""
CHESS = 25_000
"""Plies of python-chess a second on the machine for which the targets are set."""


class Played(NamedTuple):
    """The measurements of one kind of games."""

    games: int
    decisions: int
    """Number of decisions with two options or more."""
    acts: int
    """Number of all decisions."""
    seconds: float
    ratio: float
    """Decisions with two options or more a second, divided by python-chess's plies a second: median of the rounds."""
    spread: tuple[float, float]
    """First and third quartile of the ratio over the rounds."""
    plies: float
    """Plies of python-chess a second: the median of the rounds."""
    beside: float
    """Games in the time in which python-chess plays `CHESS` plies: the median of the rounds."""

    @property
    def games_a_second(self) -> float:
        """Games a second of processor time."""
        return self.games / self.seconds

    @property
    def decisions_a_second(self) -> float:
        """Decisions with two options or more, a second of processor time."""
        return self.decisions / self.seconds


def begin(number: int, series: Series = HORIZON) -> Match:
    """Return a new match without a record, as in playouts. Matches use the pairs of armies in turn."""
    rules, armies = ruleset(series.ruleset), series.armies[number % len(series.armies)]
    state = rules.setup(rules.book(), series.scenarios[number % len(series.scenarios)], armies)
    return Match(rules, state, Seeded(f"bench {number}"), keep=False, record=False, in_place=True)


def play(name: str, number: int, series: Series = HORIZON) -> int:
    """Play one game to its end. Return its number of acts."""
    match, acts = begin(number, series), 0
    dice = [Seeded(f"bench {number} {side}") for side in (0, 1)]
    sides = [player(name, series.ruleset) for _ in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        match.follow(asked, sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side]))
        acts += 1
    return acts


def choices(name: str, number: int, series: Series = HORIZON) -> int:
    """Return the number of decisions in a game with two options or more."""
    match, result = begin(number, series), 0
    dice = [Seeded(f"bench {number} {side}") for side in (0, 1)]
    sides = [player(name, series.ruleset) for _ in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        result += asked.options(view).several()
        match.follow(asked, sides[asked.side].decide(asked, view, dice[asked.side]))
    return result


def chess_rate(number: int) -> float:
    """Return the plies a second of random games of python-chess. For each ply all legal moves are listed."""
    dice, plies = random.Random(number), 0
    start = process_time()
    while plies < PLIES:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[dice.randrange(len(moves))])
            plies += 1
    return plies / (process_time() - start)


def measure(name: str, turns: int, series: Series = HORIZON) -> Played:
    """Measure some games and python-chess in alternate rounds, after all modules and data files are loaded."""
    for number in range(max(len(series.armies), len(series.scenarios))):
        begin(number, series)
    each = series.games[name]
    decisions, acts, seconds = 0, 0, 0.0
    yardstick, ratios, beside = [], [], []
    for turn in range(turns):
        numbers = range(turn * each, (turn + 1) * each)
        start = process_time()
        acts += sum([play(name, number, series) for number in numbers])
        took = process_time() - start
        plies = chess_rate(turn)
        result = sum([choices(name, number, series) for number in numbers])
        yardstick.append(plies)
        ratios.append(result / took / plies)
        beside.append(each / took * CHESS / plies)
        decisions, seconds = decisions + result, seconds + took
    low, _, high = quantiles(ratios, n=4) if turns > 1 else (*ratios, 0.0, *ratios)
    spread = (low, high)
    return Played(each * turns, decisions, acts, seconds, median(ratios), spread, median(yardstick), median(beside))


def thinking(name: str, games: int, series: Series) -> tuple[float, float]:
    """Return the mean milliseconds of a player's decision, and the seconds of a whole game."""
    decisions, thought, began = 0, 0.0, process_time()
    for number in range(games):
        match, dice = begin(number, series), [Seeded(f"bench {number} {side}") for side in (0, 1)]
        sides = [player(name, series.ruleset) for _ in (0, 1)]
        while match.over is None:
            asked = match.waiting[0]
            view, start = match.view(asked.side), process_time()
            action = sides[asked.side].decide(asked, view, dice[asked.side])
            decisions, thought = decisions + 1, thought + process_time() - start
            match.follow(asked, action)
    return 1000 * thought / decisions, (process_time() - began) / games


def orders(games: int) -> Iterator[tuple[Any, int, Seeded]]:
    """Yield moments of random games at which a side orders its movement: the state, the side, and dice."""
    for number in range(games):
        match, dice = begin(number), Seeded(f"bench {number} orders")
        while match.over is None:
            asked = match.waiting[0]
            if isinstance(asked, Orders):
                yield match.view(asked.side), asked.side, dice
            match.follow(asked, asked.options(match.view(asked.side)).sample(dice))


def sampling(games: int = 12) -> float:
    """Return the microseconds to draw one order from all orders of a side in the movement step: the median."""
    result = []
    for view, side, dice in orders(games):
        start = process_time()
        OrderOptions(view, side).sample(dice)
        result.append(process_time() - start)
    return median(result) * 1e6


def listing(games: int = 3) -> float:
    """Return the microseconds to list all moves of one unit: the median."""
    result = []
    for view, side, _ in orders(games):
        for unit in OrderOptions(view, side).able:
            start = process_time()
            for _paths in OrderOptions(view, side).moves(unit):
                pass
            result.append(process_time() - start)
    return median(result) * 1e6


def main() -> None:
    """Print the figures."""
    series = next((one for one in (HEX, SQUADS, SKIRMISHES) if one.ruleset in sys.argv), HORIZON)
    words = [word for word in sys.argv[1:] if word != series.ruleset]
    for name, turns in (("random", 10), ("heuristic", 2)):
        if not words or name in words:
            played = measure(name, turns, series)
            print(
                f"{name:10} {played.games_a_second:8.2f} games/s  {played.decisions / played.games:6.0f} decisions of "
                f"{played.acts / played.games:.0f} acts a game  {played.decisions_a_second:8.0f} decisions/s  "
                f"ratio {played.ratio:6.3f} ({played.spread[0]:.3f} to {played.spread[1]:.3f}) to python-chess "
                f"({played.plies:.0f} plies/s)  {played.beside:.2f} games for {CHESS:,} plies"
            )
    if series is HORIZON and (not words or "orders" in words):
        print(f"an order drawn {sampling():8.0f} µs, all moves of a unit listed {listing():8.0f} µs")


if __name__ == "__main__":
    main()
