"""Play many whole games between two players, and report wins, draws and lengths."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caltrop.lab.series import GameFailed, Report


def simulate(
    game: str,
    /,
    *,
    players: str,
    num: int,
    seed: int,
    edition: str | None = None,
    scenario: str | None = None,
    armies: str | None = None,
    size: int | None = None,
    swap: bool = False,
    rule: tuple[str, ...] = (),
    jobs: int = 1,
    output: Path | None = None,
    json: bool = False,
) -> None:
    """Play many whole games; the same seed gives the same games, however many processes play them.

    Args:
        game: A game, as `caltrop games` names them.
        players: Who plays, as A,B: two of the game's players.
        num: How many games.
        seed: Any whole number.
        edition: An edition of the game.
        scenario: A scenario of the game; its first where it is left out.
        armies: An army for each side, as X,Y.
        size: Units a side, where the scenario leaves it open.
        swap: Change seats every second game.
        rule: A house rule as NAME=VALUE; may be given several times.
        jobs: How many processes play.
        output: Write the report to this file too, as JSON.
        json: Print the report as JSON.
    """
    import sys

    import msgspec

    from caltrop import InputError
    from caltrop.cli import UsageError
    from caltrop.cli._game import pair, setting_of
    from caltrop.lab.series import GameFailed, Order, play_series

    if num < 1:
        raise UsageError("--num is 1 or more")
    if jobs < 1:
        raise UsageError("--jobs is 1 or more")
    order = Order(
        setting=setting_of(game, edition, scenario, armies, size, rule),
        players=pair(players, "players"),
        games=num,
        seed=seed,
        swap=swap,
    )
    if output is not None and not output.parent.is_dir():
        raise InputError("there is no such folder", source=str(output.parent))
    try:
        report = play_series(order, jobs, _Progress(num))
    except GameFailed as failed:
        print(failed.result.failed, file=sys.stderr)
        raise InputError(f"{failed}; its journal is in {_kept(failed, game, output)}") from failed
    text = msgspec.json.encode(report) + b"\n"
    if output is not None:
        output.write_bytes(text)
    if json:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
    else:
        _show(report)


class _Progress:
    """Tells on standard error how far a series is, once a second at most."""

    def __init__(self, games: int) -> None:
        from time import monotonic

        self.games, self.clock = games, monotonic
        self.told = monotonic()

    def __call__(self, done: int) -> None:
        import sys

        now = self.clock()
        if now - self.told >= 1 and done < self.games:
            self.told = now
            print(f"{done} of {self.games} games", file=sys.stderr)


def _kept(failed: GameFailed, game: str, output: Path | None) -> Path:
    """Write the journal of the game that failed beside the output."""
    from caltrop.journal import save

    stem = output.with_suffix("") if output is not None else Path(game)
    path = stem.with_name(f"{stem.name}-failed-{failed.result.number}.caltrop.json")
    assert failed.result.record is not None
    save(failed.result.record, path)
    return path


def _show(report: Report) -> None:
    print(f"{report.ruleset}, edition {report.edition}, {report.scenario}: {report.games} games, seed {report.seed}")
    for who, name in enumerate(report.players):
        low, high = report.intervals[str(who)]
        wins = report.wins[str(who)]
        print(f"  {name:12} {wins:6} wins   {100 * low:5.1f} to {100 * high:5.1f} % of the decided games (95 %)")
    print(f"  {'draws':12} {report.draws:6}")
    length = report.length
    print(f"  rounds       {length['mean']:6.2f} on average (sd {length['sd']:.2f}, at most {length['max']:.0f})")
    print(f"  decisions    {report.decisions}, rolls {report.rolls}")
    print(f"  {report.seconds:.2f} s, {report.decisions_per_second:.0f} decisions a second")
    print(f"  digest       {report.digest}")
