"""Fit the estimate of winning chances to games between computer players.

Run the fit as `python -m caltrop.lab.fit GAME --games N --seed K`.

Veterans play each other on all scenarios in turn. In games with odd numbers, the veterans have random styles, for a
variety of positions. Positions of each game are taken once in every turn and once in a few acts, with the result of the
game. A small network is fitted to the positions (`caltrop.lab.network`); each game has the same weight. Every seventh
pair of games is left out of the fit, to test its estimates. `--across` writes nothing: each seventh is left out in
turn, so that every game is compared with a fit that has not used it. With `--data` the positions of each game are
stored as a line of a file. Games in that file are not played again, so a run can be stopped and continued.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Z95, Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.lab.extras import needed
from caltrop.lab.programs import run
from caltrop.lab.workers import workers
from caltrop.players import Seated, player
from caltrop.players.evaluation import ChanceBin, Fit, features_of, fit_path, said
from caltrop.players.judgement import STYLES
from caltrop.players.proof import proof

if TYPE_CHECKING:
    from caltrop.lab.network import Network

VETERAN = "veteran"
"""Name of the player whose games are used."""
EVERY = 9
"""Number of acts between two positions."""
UNSEEN = 7
"""One pair of games in this number is left out of the fit, to test the estimates. These pairs cover every scenario."""
HIDDEN = 16
"""Number of hidden units of the network."""
DIGITS = 4
"""Number of decimals of weights."""
BINS = 10

Rows = list[tuple[float, ...]]


class FitGame(msgspec.Struct, frozen=True):
    """The stored data of one game."""

    number: int
    scenario: str
    points: float
    """Result for side 0: 1, 0 or a half."""
    rows: Rows
    """Features of the positions of the game."""


def play(game: str, seed: int, number: int) -> FitGame:
    read_features = features_of(game)
    assert read_features is not None, f"nobody says what counts in {game}"
    _, features = read_features
    scenarios = [one.id for one in ruleset(game).scenarios()]
    scenario = scenarios[number // 2 % len(scenarios)]
    page = proof(game)
    pairings = page.pairings if page is not None else ()
    armies = pairings[number // (2 * len(scenarios)) % len(pairings)] if pairings else ()
    key = f"fit {seed} {number}"
    match = Setting.chosen(game, None, scenario, armies, None, {}).begin(Seeded(key), keep=False, in_place=True)
    draw = Seeded(f"{key} styles")
    names = [VETERAN if number % 2 == 0 else f"{VETERAN}+{list(STYLES)[draw.below(len(STYLES))]}" for _ in range(2)]
    seated = Seated(
        match, tuple(player(name, game) for name in names), tuple(Seeded(f"{key} {side}") for side in range(2))
    )
    rows: Rows = []
    turn: Any = None
    acts = 0
    while match.over is None:
        now = match.ruleset.turn(match.state)
        if match.ruleset.round(match.state) and (now != turn or acts % EVERY == 0):
            turn = now
            rows.append(tuple(features(match.state)))
        seated.act()
        acts += 1
    winner = match.over.winner
    return FitGame(number, scenario, 0.5 if winner is None else float(winner == 0), rows)


def fitted(games: Sequence[FitGame], seed: int) -> Network:
    from caltrop.lab.network import network

    rows = [row for game in games for row in game.rows]
    outcomes = [game.points for game in games for _ in game.rows]
    shares = [1 / len(game.rows) for game in games for _ in game.rows]
    return network(rows, outcomes, shares, HIDDEN, seed)


def held_against(games: Sequence[FitGame], made: Fit) -> tuple[tuple[ChanceBin, ...], float, float]:
    """Return predictions and results in bins, and the mean squared errors with and without predictions.

    In a bin, the positions of one game are one sample, whose value is the result of the game.
    """
    return _compared([(game, [said(made, row) for row in game.rows]) for game in games])


def across(games: Sequence[FitGame], seed: int) -> list[tuple[FitGame, list[float]]]:
    """Return predictions for every position by a fit without its game; each seventh of the games is left out once."""
    guesses = []
    for part in range(UNSEEN):
        network = fitted([one for one in games if one.number // 2 % UNSEEN != part], seed)
        made = Fit((), network.straight, 0, seed, network.hidden, network.heights)
        guesses += [(one, [said(made, row) for row in one.rows]) for one in games if one.number // 2 % UNSEEN == part]
    return guesses


def _compared(held: Sequence[tuple[FitGame, list[float]]]) -> tuple[tuple[ChanceBin, ...], float, float]:
    bins: list[dict[int, list[float]]] = [{} for _ in range(BINS)]
    points = {game.number: game.points for game, _ in held}
    error = blind = 0.0
    for game, chances in held:
        for chance in chances:
            bins[min(int(chance * BINS), BINS - 1)].setdefault(game.number, []).append(chance)
            error += (chance - game.points) ** 2 / len(chances)
            blind += (0.5 - game.points) ** 2 / len(chances)
    rows = []
    for some in bins:
        if not some:
            continue
        positions = sum(map(len, some.values()))
        mean = sum([sum(one) for one in some.values()]) / positions
        share = sum([len(one) * points[number] for number, one in some.items()]) / positions
        # Positions of one game are not independent, so each game counts as one sample with a weight.
        size = positions**2 / sum([len(one) ** 2 for one in some.values()])
        low, high = _interval(share, size)
        rows.append(ChanceBin(mean, share, positions, len(some), low, high))
    return tuple(rows), error / max(1, len(held)), blind / max(1, len(held))


def by_scenario(held: Sequence[tuple[FitGame, list[float]]]) -> str:
    """Return a table of predictions and results for each scenario: at the first position, and on average."""
    lines = [
        "| scenario | games | came | interval | said at first | said on average |",
        "|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(game.scenario for game, _ in held):
        some = [(game.points, chances) for game, chances in held if game.scenario == name]
        share = sum([points for points, _ in some]) / len(some)
        low, high = (100 * end for end in _interval(share, len(some)))
        first = 100 * sum([chances[0] for _, chances in some]) / len(some)
        mean = 100 * sum([sum(chances) / len(chances) for _, chances in some]) / len(some)
        lines.append(
            f"| {name} | {len(some)} | {100 * share:.0f} % | {low:.0f} to {high:.0f} % | {first:.0f} % | {mean:.0f} % |"
        )
    return "\n".join(lines)


def _interval(share: float, size: float) -> tuple[float, float]:
    square = Z95 * Z95
    centre = (share + square / (2 * size)) / (1 + square / size)
    half = Z95 * sqrt(max(0.0, share * (1 - share)) / size + square / (4 * size * size)) / (1 + square / size)
    return max(0.0, centre - half), min(1.0, centre + half)


def fit(game: str, games: Sequence[FitGame], seed: int) -> Fit:
    """Return the fitted weights, with their errors on the games left out."""
    features = features_of(game)
    assert features is not None
    seen = [one for one in games if one.number // 2 % UNSEEN != UNSEEN - 1]
    unseen = [one for one in games if one.number // 2 % UNSEEN == UNSEEN - 1]
    weights = fitted(seen, seed)
    made = Fit(
        names=features[0],
        weights=_rounded(weights.straight),
        games=len(seen),
        seed=seed,
        hidden=tuple(map(_rounded, weights.hidden)),
        heights=_rounded(weights.heights),
    )
    bins, error, blind = held_against(unseen, made)
    rounded = tuple(
        msgspec.structs.replace(
            one, mean=round(one.mean, 3), share=round(one.share, 3), low=round(one.low, 3), high=round(one.high, 3)
        )
        for one in bins
    )
    return msgspec.structs.replace(made, bins=rounded, unseen=len(unseen), error=round(error, 4), blind=round(blind, 4))


def _rounded(weights: Sequence[float]) -> tuple[float, ...]:
    return tuple([round(w, DIGITS) for w in weights])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--across", action="store_true", help="write nothing, and leave out each seventh in turn")
    given = parser.parse_args()
    needed("caltrop.lab.fit", "envs", "numpy")
    path = fit_path(given.game)
    if path is None:
        parser.error(f"nobody says what counts in {given.game}")
    by_number: dict[int, FitGame] = {}
    counted = len((features_of(given.game) or ((), None))[0])
    if given.data is not None and given.data.exists():
        for line in given.data.read_text(encoding="utf-8").splitlines():
            one = msgspec.json.decode(line, type=FitGame)
            if one.rows and len(one.rows[0]) != counted:
                parser.error(
                    f"{given.data} was kept when something else counted: {len(one.rows[0])} numbers; "
                    f"now there are {counted}"
                )
            by_number[one.number] = one
    left = [number for number in range(given.games) if number not in by_number]
    with workers(given.jobs) as pool:
        for played in pool.map(partial(play, given.game, given.seed), left):
            by_number[played.number] = played
            if given.data is not None:
                with given.data.open("ab") as file:
                    file.write(msgspec.json.encode(played) + b"\n")
            if played.number % 20 == 19:
                print(f"{played.number + 1} of {quantity(given.games, 'game')}", file=sys.stderr, flush=True)
    games = [by_number[n] for n in range(given.games)]
    if given.across:
        held = across(games, given.seed)
        bins, error, blind = _compared(held)
        _show(bins, f"{quantity(len(held), 'game')}, each unseen: mean squared error {error:.4f}, blind {blind:.4f}")
        print(by_scenario(held))
        return
    made = fit(given.game, games, given.seed)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    _show(made.bins, f"{quantity(made.unseen, 'unseen game')}: mean squared error {made.error}, blind {made.blind}")


def _show(bins: Sequence[ChanceBin], heading: str) -> None:
    print(heading)
    for bin in bins:
        print(
            f"said {100 * bin.mean:.0f} %, came {100 * bin.share:.0f} % ({100 * bin.low:.0f} to {100 * bin.high:.0f}), "
            f"{quantity(bin.positions, 'position')} of {quantity(bin.games, 'game')}"
        )


if __name__ == "__main__":
    run(main)
