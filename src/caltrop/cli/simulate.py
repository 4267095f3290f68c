"""Play many whole games between two players, and report wins, draws and lengths."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity

if TYPE_CHECKING:
    from caltrop.lab.series import GameFailed, Report


MOST = 10_000_000
"""Games of a series."""

MOST_JOBS = 61
"""Largest number of processes that Windows can wait for. More would not be faster on any system."""


def simulate(
    game: str,
    /,
    *,
    players: str = "random,random",
    num: int = 100,
    seed: int = 0,
    edition: str | None = None,
    scenario: str | None = None,
    armies: str | None = None,
    size: int | None = None,
    swap: bool = False,
    rule: tuple[str, ...] = (),
    pack: str | None = None,
    jobs: int = 1,
    output: Path | None = None,
    json: bool = False,
) -> int:
    """Play many whole games, and report wins, draws and lengths. The number of processes does not change the games.

    Ctrl+C ends a series early: the games that were played until then are reported, with exit code 130.

    Args:
        game: A game, as `caltrop games` names them.
        players: The players, as A,B: two of the game's players.
        num: Number of games.
        seed: Any integer. The same seed gives the same games.
        edition: An edition of the game.
        scenario: A scenario of the game; its first by default.
        armies: An army for each side, as X,Y.
        size: Units on each side, if the scenario leaves it open.
        swap: Change seats every second game.
        rule: A house rule as NAME=VALUE; may be given several times.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
        jobs: Number of processes.
        output: Write the report to this file too, as JSON.
        json: Print the report as JSON.
    """
    import sys

    import msgspec

    from caltrop.cli import DONE, INTERRUPTED, UsageError, print_bytes
    from caltrop.cli._game import check_output, pair, results_alone, setting_of
    from caltrop.errors import InputError
    from caltrop.lab.series import GameFailed, SeriesOrder, SeriesStopped, play_series

    if not 1 <= num <= MOST:
        raise UsageError(f"--num is from 1 to {MOST}")
    if jobs < 1:
        raise UsageError("--jobs is 1 or more")
    order = SeriesOrder(
        setting=setting_of(game, edition, scenario, armies, size, rule, pack),
        players=pair(players, "players"),
        games=num,
        seed=seed,
        swap=swap,
    )
    if output is not None:
        check_output(output, ".json")
    try:
        with results_alone():
            report = play_series(order, min(jobs, num, MOST_JOBS), _SeriesProgress(num))
        code = DONE
    except SeriesStopped as stopped:
        report, code = stopped.report, INTERRUPTED
        print(f"stopped after {report.games} of {quantity(num, 'game')}", file=sys.stderr)
    except GameFailed as failed:
        *before, _ = failed.result.failed.strip().splitlines()
        print(*before, sep="\n", end="\n" if before else "", file=sys.stderr)
        raise InputError(f"{failed}; its journal is in {_kept(failed, game, output)}") from failed
    text = msgspec.json.encode(report)
    # The results are printed even if the file cannot be written.
    if json:
        print_bytes(text)
    else:
        _show(report)
    if output is not None:
        try:
            output.write_bytes(text + b"\n")
        except OSError as error:
            raise InputError(f"the report cannot be written: {error.strerror or error}", source=str(output)) from None
    return code


class _SeriesProgress:
    """Prints the progress of a series to standard error, once a second at most."""

    def __init__(self, games: int) -> None:
        from time import monotonic

        self.games, self.clock = games, monotonic
        self.told = monotonic()

    def __call__(self, done: int) -> None:
        import sys

        now = self.clock()
        if now - self.told >= 1 and done < self.games:
            self.told = now
            print(f"{done} of {quantity(self.games, 'game')}", file=sys.stderr)


def _kept(failed: GameFailed, game: str, output: Path | None) -> Path:
    """Write the journal of the game that failed beside the output."""
    import tempfile

    from caltrop.journal import save

    stem = output.with_suffix("") if output is not None else Path(game)
    path = stem.with_name(f"{stem.name}-failed-{failed.result.number}.caltrop.json")
    assert failed.result.record is not None
    try:
        save(failed.result.record, path)
    except OSError:
        path = Path(tempfile.gettempdir(), path.name)
        save(failed.result.record, path)
    return path


def _named(word: str) -> str:
    """Return an id or a file name unchanged, but not the text of a list."""
    return "a text" if "\n" in word else word


def _show(report: Report) -> None:
    games = quantity(report.games, "game")
    print(f"{report.ruleset}, edition {report.edition}, {_named(report.scenario)}: {games}, seed {report.seed}")
    chosen = f" ({', '.join(map(_named, report.armies))})" if report.armies else ""
    print(f"  sides        0 {report.sides[0]}, 1 {report.sides[1]}{chosen}")
    if report.size is not None:
        print(f"  size         {report.size}")
    rules = ", ".join([f"{name}={value}" for name, value in report.rules.items()])
    print(f"  house rules  {rules or 'all at their defaults'}")
    if report.swapped:
        print("  seats        changed every second game, and the armies with them: wins are counted by player")
    for who, name in enumerate(report.players):
        low, high = report.intervals[str(who)]
        wins = report.wins[str(who)]
        won = f"{wins:6} {'win ' if wins == 1 else 'wins'}"
        print(f"  {name:12} {won}   {100 * low:5.1f} to {100 * high:5.1f} % of the decided games (95 %)")
    print(f"  {'draws':12} {report.draws:6}")
    by_side = [f"{quantity(report.side_wins[str(side)], 'win')} of {name}" for side, name in enumerate(report.sides)]
    print(f"  by side      {', '.join(by_side)}")
    length = report.length
    print(f"  rounds       {length['mean']:6.2f} on average (sd {length['sd']:.2f}, at most {length['max']:.0f})")
    print(f"  decisions    {report.decisions}, rolls {report.rolls}")
    from caltrop.engine.compiled import told_compiled

    rate = f"{report.decisions_per_second:.0f} decisions a second"
    print(f"  {report.seconds:.2f} s, {rate}{told_compiled(report.ruleset)}")
    print(f"  digest       {report.digest}")
