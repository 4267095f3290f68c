"""Rate computer players by a round robin: `python -m caltrop.lab.ladder GAME --players A,B,… --keep FILE`.

Neighbours in the list play each other; with `--all`, everybody plays everybody. Games come in pairs with the same dice
and swapped seats. The pairs go through all scenarios, and through the pairs of armies used in the players' proof. The
ratings maximise the likelihood of the results on the logistic scale of chess, where a draw counts half; the veteran has
1500. The 95 % intervals of the ratings come from resampling pairs of games. If the veteran does not play, the first
   player with a stored rating keeps it, and the interval of that rating is added to the others'. With `--keep` each
   game is stored as a line of a file, and
games in that file are not played again. With `--write` the ratings are stored with the game's players, for menus;
ratings of other players are unchanged.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import hypot, log, log10
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.engine.compiled import is_compiled
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.lab.kept import worked
from caltrop.lab.programs import run
from caltrop.lab.proof import interval
from caltrop.players import LEVELS, Rating, maker_of, rated_path
from caltrop.players.proof import proof

ANCHOR, AT = "veteran", 1500.0
"""Player with a fixed rating, and the value of that rating."""
DRAWN = 400
"""Number of resamplings of pairs of games for the intervals."""
ROUNDS = 500
EVEN = 0.5
"""Virtual draws added to each pair of players, so that a player who never lost gets a finite rating."""


class LadderJob(msgspec.Struct, frozen=True):
    """One game to be played."""

    game: str
    players: tuple[str, str]
    scenario: str
    armies: tuple[str, ...]
    number: int
    seed: int


class LadderGame(msgspec.Struct, frozen=True):
    """The stored data of one game."""

    job: LadderJob
    points: int
    """Half points of the first player: 2 for a win, 1 for a draw."""
    seconds: tuple[float, float]
    """Processor time of each player, in seconds."""
    turns: int
    """Number of turns that both players together began."""


def jobs(game: str, pair: tuple[str, str], games: int, seed: int, scenarios: Sequence[str] = ()) -> list[LadderJob]:
    """Return the games of two players, in pairs with swapped seats. Pairs go through scenarios and armies in turn."""
    named = scenarios or [card.id for card in ruleset(game).scenarios() if two_sided(game, card.id)]
    page = proof(game)
    pairings = page.pairings if page is not None else ()
    jobs = []
    for number in range(games):
        turn, which = divmod(number // 2, len(named))
        armies = pairings[turn % len(pairings)] if pairings else ()
        jobs.append(LadderJob(game, pair, named[which], armies, number, seed))
    return jobs


def two_sided(game: str, scenario: str) -> bool:
    start = Setting.chosen(game, None, scenario).begin(Seeded(0), keep=False)
    return not ruleset(game).automated(start.state)


def play(job: LadderJob) -> LadderGame:
    """Play one game. In games with odd numbers the seats are swapped."""
    swapped = job.number % 2
    key = f"{job.seed} {job.scenario} {job.number // 2}"
    match = Setting.chosen(job.game, None, job.scenario, job.armies, None, {}).begin(
        Seeded(key), keep=False, in_place=True
    )
    sides = [maker_of(job.players[side ^ swapped], job.game)() for side in (0, 1)]
    dice = [Seeded(f"{key} {side}") for side in (0, 1)]
    seconds = [0.0, 0.0]
    turns, turn = 0, None
    while match.over is None:
        now = match.ruleset.turn(match.state)
        turns, turn = turns + (now != turn), now
        asked = match.waiting[0]
        view = match.view(asked.side)
        start = process_time()
        action = sides[asked.side].decide(asked, view, dice[asked.side])
        seconds[asked.side ^ swapped] += process_time() - start
        match.follow(asked, action)
    winner = match.over.winner
    points = 1 if winner is None else 2 * int(winner == swapped)
    return LadderGame(job, points, (seconds[0], seconds[1]), turns)


Tally = Mapping[tuple[str, str], Sequence[int]]
"""Half points of the first player in each game, by pair of players."""


Standing = tuple[str, Rating]
"""A player with a fixed rating, to which the ratings of other players are fitted."""


def ratings(tally: Tally, on: Standing | None = None) -> dict[str, float]:
    """Return the ratings that maximise the likelihood of the results.

    Args:
        on: Players with fixed ratings; by default the veteran at 1500, or the first player.

    >>> {name: round(x) for name, x in ratings({("veteran", "recruit"): [2] * 300 + [0] * 100}).items()}
    {'veteran': 1500, 'recruit': 1309}
    """
    names = list(dict.fromkeys(name for pair in tally for name in pair))
    won = dict.fromkeys(names, 0.0)
    met: dict[str, dict[str, float]] = {name: {} for name in names}
    for (one, other), points in tally.items():
        score = sum(points) / 2 + EVEN / 2
        won[one] += score
        won[other] += len(points) + EVEN - score
        for a, b in ((one, other), (other, one)):
            met[a][b] = met[a].get(b, 0.0) + len(points) + EVEN
    strength = dict.fromkeys(names, 1.0)
    for _ in range(ROUNDS):
        # The method is minorisation and maximisation: each step makes the results more likely.
        after = {
            name: won[name] / sum([n / (strength[name] + strength[other]) for other, n in met[name].items()])
            for name in names
        }
        if max([abs(log(after[name] / strength[name])) for name in names]) < 1e-6:
            break
        strength = after
    anchor, at = (ANCHOR if ANCHOR in strength else names[0], AT) if on is None else (on[0], on[1].elo)
    return {name: at + 400 * log10(strength[name] / strength[anchor]) for name in names}


def rated(tally: Tally, seed: int = 1, on: Standing | None = None) -> dict[str, Rating]:
    """Return the ratings of players with their 95 % intervals.

    Args:
        on: A player with a fixed rating; the uncertainty of that rating is added to the others'.
    """
    whole, dice = ratings(tally, on), Seeded(f"ratings {seed}")
    drawn: dict[str, list[float]] = {name: [] for name in whole}
    for _ in range(DRAWN):
        again = {}
        for pair, points in tally.items():
            # Two games with the same dice stay together.
            some = [points[n : n + 2] for n in range(0, len(points), 2)]
            again[pair] = [p for _ in some for p in some[dice.below(len(some))]]
        for name, x in ratings(again, on).items():
            drawn[name].append(x)
    by_name = {}
    for name, x in whole.items():
        line = sorted(drawn[name])
        games = sum(len(points) for pair, points in tally.items() if name in pair)
        low, high = x - line[DRAWN // 40], line[-1 - DRAWN // 40] - x
        if on is not None:
            low, high = hypot(low, on[1].elo - on[1].low), hypot(high, on[1].high - on[1].elo)
        by_name[name] = Rating(round(x), round(x - low), round(x + high), games)
    return by_name


def table(results: Sequence[LadderGame], seed: int = 1, on: Standing | None = None) -> str:
    """Return the results as Markdown: the results of each pair of players, and the ratings."""
    tally = tally_of(results)
    lines = ["| players | games | wins | draws | losses | share | interval |", "|---|---|---|---|---|---|---|"]
    for (one, other), points in tally.items():
        low, high = interval(sum(points), len(points))
        wins, draws = points.count(2), points.count(1)
        lines.append(
            f"| {one} against {other} | {len(points)} | {wins} | {draws} | {len(points) - wins - draws} "
            f"| {100 * sum(points) / (2 * len(points)):.0f} % | {100 * low:.0f} to {100 * high:.0f} % |"
        )
    lines += ["", "| player | rating | interval | processor time a turn |", "|---|---|---|---|"]
    for name, rating in rated(tally, seed, on).items():
        spent = sum(r.seconds[r.job.players.index(name)] for r in results if name in r.job.players)
        turns = sum(r.turns for r in results if name in r.job.players) / 2
        lines.append(f"| {name} | {rating.elo} | {rating.low} to {rating.high} | {spent / max(1, turns):.2f} s |")
    return "\n".join(lines)


def tally_of(results: Sequence[LadderGame]) -> dict[tuple[str, str], list[int]]:
    """Return the half points of each pair's first player, in the order of the games."""
    tallies: dict[tuple[str, str], list[int]] = {}
    for r in sorted(results, key=lambda r: r.job.number):
        tallies.setdefault(r.job.players, []).append(r.points)
    return tallies


def _arguments(argv: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(prog="python -m caltrop.lab.ladder", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", default=",".join(LEVELS), help="names, or MODULE:NAME, weakest first")
    parser.add_argument("--all", action="store_true", help="everybody plays everybody, and not neighbours alone")
    parser.add_argument(
        "--games", default="400", help="games of each two (400); or a number for each two, in order, as in 400,400,120"
    )
    parser.add_argument("--seed", type=int, default=1, help="any whole number (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--scenario", action="append", help="only this scenario; may be given several times")
    parser.add_argument("--keep", type=Path, help="a file in which games are kept, and from which they go on")
    parser.add_argument("--write", action="store_true", help="put the ratings beside the game's players")
    return parser.parse_args(argv)


def counted(words: str, pairs: int) -> list[int]:
    """Return the number of games of each pair of players, from a text such as `400` or `400,400,120`.

    >>> counted("400", 3), counted("400,400,120", 3)
    ([400, 400, 400], [400, 400, 120])
    """
    counts = [int(word) if word.strip().isdecimal() else 0 for word in words.split(",")]
    if min(counts) < 1:
        raise InputError(f"{words!r} are not numbers of games; write one, as in 400", field="--games")
    if len(counts) not in (1, pairs):
        raise SystemExit(
            f"--games: the list has {quantity(len(counts), 'number')} for {quantity(pairs, 'pair')} of players"
        )
    return counts * (pairs if len(counts) == 1 else 1)


def main(argv: Sequence[str] | None = None) -> None:
    given = _arguments(argv)
    names = given.players.split(",")
    for name in names:
        maker_of(name, given.game)
    if len(names) < 2:
        raise InputError(f"{given.players} is not a list of two players or more", field="--players")
    scenarios = [card.id for card in ruleset(given.game).scenarios()]
    for scenario in given.scenario or ():
        if scenario not in scenarios:
            raise InputError(
                f"there is no scenario {scenario!r} of {given.game}; it is one of {', '.join(scenarios)}",
                field="--scenario",
            )
    if given.jobs < 1:
        raise InputError("a number of processes is 1 or more", field="--jobs")
    on = standing(given.game, names)
    if given.write:
        may_write(given.game, names)
    pairs = list(combinations(names, 2)) if given.all else list(pairwise(names))
    counts = counted(given.games, len(pairs))
    every = [
        job
        for pair, games in zip(pairs, counts, strict=True)
        for job in jobs(given.game, pair, games, given.seed, given.scenario or ())
    ]
    every.sort(key=lambda job: job.number)
    results = worked(every, play, LadderGame, given.keep, given.jobs, "the tables are of the games that were finished")
    print(table(results, given.seed, on))
    if is_compiled(given.game):
        print("\nPlayed with compiled rules.")
    if given.write:
        write(given.game, rated(tally_of(results), given.seed, on))


def known(game: str) -> dict[str, Rating]:
    """Return the stored ratings of a game's players."""
    path = rated_path(game)
    if path is None or not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Rating])


def standing(game: str, names: Sequence[str]) -> Standing | None:
    """Return the rated player to which the others are fitted; None if the veteran plays or no player is rated."""
    there = known(game)
    return None if ANCHOR in names else next(((name, there[name]) for name in names if name in there), None)


def may_write(game: str, names: Sequence[str]) -> None:
    """Refuse to store ratings whose scale differs from that of the stored ratings.

    Raises:
        SystemExit: if ratings are stored, and neither the veteran nor a player with a stored rating is among the
            players.
    """
    there = known(game)
    if there and ANCHOR not in names and not any(name in there for name in names):
        raise SystemExit(f"--write: the ratings there are on the scale of the {ANCHOR}: one who is rated has to play")


def write(game: str, ratings: Mapping[str, Rating]) -> None:
    """Store ratings with a game's players, the weakest level first; ratings of other players are kept."""
    may_write(game, list(ratings))
    path = rated_path(game)
    if path is None:
        return
    before, on = known(game), standing(game, list(ratings))
    every = before | {name: rating for name, rating in ratings.items() if ":" not in name}
    if on is not None:
        every[on[0]] = on[1]
    if ANCHOR in before and before[ANCHOR].games > every[ANCHOR].games:
        every[ANCHOR] = before[ANCHOR]  # The anchor has no rating of its own here: its games are those of all levels.
    names = [name for name in LEVELS if name in every] + [name for name in every if name not in LEVELS]
    path.write_bytes(msgspec.json.format(msgspec.json.encode({name: every[name] for name in names}), indent=1) + b"\n")


if __name__ == "__main__":
    run(main)
