"""Series of games between two players. The results of a series are the same for any number of processes.

The seed of the series and the number of a game determine its dice and its players' dice. Counts of a series are added
up in the order of the games.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from time import perf_counter
from typing import Any, TypedDict

import msgspec

from caltrop.chance import Z95, Seeded, wilson
from caltrop.engine import Fell, HouseValue, Match, stored
from caltrop.errors import InputError
from caltrop.journal import Record, Setting, record_of
from caltrop.lab.workers import settle, workers
from caltrop.players import IllegalAnswer, Player, PlayerFailed, Seated, maker_of, name_of, traced
from caltrop.roster import is_text

ENDLESS = 200_000
"""Number of acts after which a game is stopped as endless."""


class SeriesOrder(msgspec.Struct, frozen=True, kw_only=True):
    setting: Setting
    players: tuple[str | Callable[[], Player], str | Callable[[], Player]]
    """The two players: names, `MODULE:NAME`, or functions that return a player."""
    games: int
    seed: int
    swap: bool = False
    """True if the players change seats every second game."""

    def seats(self, number: int) -> tuple[str | Callable[[], Player], str | Callable[[], Player]]:
        a, b = self.players
        return (b, a) if self.swapped(number) else (a, b)

    def swapped(self, number: int) -> bool:
        """Return whether the players have swapped seats in a game."""
        return self.swap and number % 2 == 1


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """The stored data of one game."""

    number: int
    winner: int | None
    """The player who won: 0 for the first of the series, 1 for the second."""
    rounds: int
    decisions: int
    """Number of decisions with at least two options."""
    rolls: int
    digest: bytes
    sides: tuple[str, ...] = ()
    """Names of the sides; only set for the first game."""
    failed: str = ""
    """Description of an error, if there was one."""
    record: Record | None = None
    """The unfinished game in which an error was raised, up to the error."""


class Length(TypedDict):
    """Number of rounds of a game: mean, standard deviation, maximum."""

    mean: float
    sd: float
    max: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a series."""

    ruleset: str
    edition: str
    scenario: str
    players: tuple[str, str]
    games: int
    seed: int
    wins: dict[str, int]
    """Wins of the first and the second player, by name, in either seat."""
    draws: int
    intervals: dict[str, tuple[float, float]]
    """95 % Wilson score intervals of the shares of decided games."""
    length: Length
    swapped: bool
    decisions: int
    rolls: int
    seconds: float
    decisions_per_second: float
    digest: str
    """A hash of all final states and journals."""
    armies: tuple[str, ...] = ()
    """Armies that were chosen; empty for those of the scenario."""
    size: int | None = None
    """Size of an army that was chosen; None for that of the scenario."""
    rules: dict[str, HouseValue] = {}
    """House rules that differ from their default."""
    sides: tuple[str, ...] = ()
    """Names of the sides, from their armies. If seats are swapped, each player leads both sides alternately."""
    side_wins: dict[str, int] = {}
    """Wins of each side, by whichever player."""


class SeriesStopped(KeyboardInterrupt):
    """Raised when a user interrupts a series."""

    def __init__(self, report: Report) -> None:
        self.report = report
        """Report of the games that were played before the interruption."""


class GameFailed(InputError):
    """Raised if a game of a series raises an error. Attributes: result: The game, with its record up to the error."""

    def __init__(self, result: GameResult) -> None:
        super().__init__(f"game {result.number} went wrong: {result.failed.strip().splitlines()[-1]}")
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.result,)  # With these arguments another process can recreate the error.


def newcombe(one: tuple[int, int], other: tuple[int, int], z: float = Z95) -> tuple[float, float]:
    """Return the interval of the difference of two proportions, *other* less *one*, from the score interval of each.

    Newcombe's interval is method 10 of R. G. Newcombe, Statist. Med. 17, 1998; the example is taken from there.

    Args:
        other: Wins and games of the second proportion, independent of the first.

    >>> tuple(round(end, 4) for end in newcombe((48, 80), (56, 70)))
    (0.0524, 0.3339)
    >>> newcombe((0, 0), (5, 10))
    (-1.0, 1.0)
    """
    if one[1] == 0 or other[1] == 0:
        return -1.0, 1.0
    p, q = one[0] / one[1], other[0] / other[1]
    (low, high), (lower, higher) = wilson(*one, z), wilson(*other, z)
    return q - p - sqrt((q - lower) ** 2 + (high - p) ** 2), q - p + sqrt((higher - q) ** 2 + (p - low) ** 2)


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Difference of a figure between two series (second minus first), with its 95 % interval."""

    one: float
    other: float
    difference: float
    low: float
    high: float


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of two series, whose games are taken as independent."""

    share: Difference | None
    """The first player's share of decided games, with Newcombe's interval; None if a series has no decided game."""
    rounds: Difference | None
    """Average number of rounds in a game, with a normal interval; None if a series has only one game."""


def compared(one: Report, other: Report) -> Comparison:
    share = rounds = None
    (wins, decided), (won, settled) = [(r.wins["0"], r.games - r.draws) for r in (one, other)]
    if decided and settled:
        low, high = newcombe((wins, decided), (won, settled))
        p, q = wins / decided, won / settled
        share = Difference(one=p, other=q, difference=q - p, low=low, high=high)
    if one.games > 1 and other.games > 1:
        half = Z95 * sqrt(sum(r.length["sd"] ** 2 / r.games for r in (one, other)))
        apart = other.length["mean"] - one.length["mean"]
        rounds = Difference(
            one=one.length["mean"],
            other=other.length["mean"],
            difference=apart,
            low=apart - half,
            high=apart + half,
        )
    return Comparison(share=share, rounds=rounds)


def play_game(order: SeriesOrder, number: int, watch: Callable[[Match], None] | None = None) -> GameResult:
    """Play one game of a series. Raises InputError if a player cannot be made, or gives an illegal answer.

    Args:
        number: Number of the game, from 0.
        watch: Called with the match before the first act and after every act. The function must not keep the state,
            which is changed in place.
    """
    seats = order.seats(number)
    seed = f"{order.seed} {number}"
    match = order.setting.begin(Seeded(f"{seed} table"), keep=False, in_place=True)
    # Dice belong to a player, so swapping seats does not change a player's dice.
    dice = tuple(Seeded(f"{seed} player {side ^ order.swapped(number)}") for side in range(2))
    seated = Seated(match, tuple(maker_of(who, order.setting.ruleset)() for who in seats), dice)
    decisions = acts = 0
    try:
        if watch is not None:
            watch(match)
        while match.over is None:
            if acts == ENDLESS:
                raise RuntimeError(f"the game is not over after {ENDLESS} acts")
            decisions += any(d.options(match.view(d.side)).several() for d in match.waiting[:1])
            seated.act()
            acts += 1
            if watch is not None:
                watch(match)
    except IllegalAnswer:  # The record is left out: its acts are legal, and the message names the illegal answer.
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, the series fails with this game's journal
        return GameResult(
            number=number,
            winner=None,
            rounds=0,
            decisions=decisions,
            rolls=0,
            digest=b"",
            failed=f"{traced(error)}{error}" if isinstance(error, PlayerFailed) else traceback.format_exc(),
            record=record_of(
                match, order.setting, players=[name_of(who) for who in seats], seed=f"{seed} table", everything=True
            ),
        )
    winner = match.over.winner
    names = match.ruleset.depict(match.view(None), None).seats if number == 0 else ()
    hashed = hashlib.blake2b(stored(match.state), digest_size=16)
    hashed.update(msgspec.json.encode(match.journal, order="deterministic"))
    return GameResult(
        number=number,
        winner=None if winner is None else winner ^ order.swapped(number),
        rounds=match.ruleset.round(match.state),
        decisions=decisions,
        rolls=sum(isinstance(entry, Fell) for entry in match.journal),
        digest=hashed.digest(),
        sides=tuple([seat.name for seat in names]),
    )


def play_some(order: SeriesOrder, numbers: Sequence[int]) -> list[GameResult]:
    """Play some games of a series, up to the first that raises an error."""
    results = []
    for number in numbers:
        results.append(play_game(order, number))
        settle()
        if results[-1].failed:
            break
    return results


def _chunks(games: int, jobs: int) -> list[range]:
    size = max(1, min(64, games // (jobs * 4)))
    return [range(start, min(start + size, games)) for start in range(0, games, size)]


def _results(order: SeriesOrder, jobs: int) -> Iterator[GameResult]:
    if jobs == 1:
        for number in range(order.games):
            yield play_game(order, number)
        return
    with workers(jobs) as pool:
        under_way = [pool.submit(play_some, order, chunk) for chunk in _chunks(order.games, jobs)]
        try:
            for chunk in under_way:
                yield from chunk.result()
        finally:
            pool.shutdown(cancel_futures=True)


def check(order: SeriesOrder) -> None:
    """Raise InputError for an unknown name, or for a series of no games."""
    if order.games < 1:
        raise InputError("a series has one game or more", field="games")
    try:
        for who in order.players:
            maker_of(who, order.setting.ruleset)
        order.setting.begin(Seeded(0), keep=False)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def _check_can_be_sent(order: SeriesOrder) -> None:
    try:
        pickle.dumps(order)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        complaint = f"another process cannot make this player: {error}; put it into a module, or play with one process"
        raise InputError(complaint, field="players") from None


def play_series(order: SeriesOrder, jobs: int = 1, progress: Callable[[int], None] | None = None) -> Report:
    """Play a series.

    Raises InputError for an unknown name, for a series of no games, or for a player's illegal answer. Raises GameFailed
    for the first game, by number, that raises an error. Raises SeriesStopped if a user interrupts the series after its
    first game.

    Args:
        jobs: Number of processes. Except for times, the report is the same for any number of processes.
        progress: Called after every game with the number of finished games.
    """
    for what, number in (("games", order.games), ("jobs", jobs)):
        if type(number) is not int:
            raise InputError(f"a whole number is needed; this is {number!r}", field=what)
    if jobs < 1:
        raise InputError("a series has one process or more to play it")
    check(order)
    if jobs > 1:
        _check_can_be_sent(order)
    began = perf_counter()
    results: list[GameResult] = []
    try:
        for result in _results(order, jobs):
            if result.failed:
                raise GameFailed(result)
            results.append(result)
            if progress is not None:
                progress(len(results))
    except KeyboardInterrupt:
        if not results:
            raise
        raise SeriesStopped(report_of(order, results, perf_counter() - began)) from None
    return report_of(order, results, perf_counter() - began)


def report_of(order: SeriesOrder, results: Sequence[GameResult], seconds: float) -> Report:
    """Return the report of a series, or of its first games.

    Args:
        results: The results, in the order of the games, without errors; at least one.
        seconds: Duration of the games, in seconds.
    """
    wins = [sum(r.winner == who for r in results) for who in (0, 1)]
    decided = sum(wins)
    rounds = [r.rounds for r in results]
    games, total = len(rounds), sum(rounds)
    # The sums are whole numbers, so the order of adding does not change them.
    variance = (games * sum(n * n for n in rounds) - total * total) / (games * (games - 1)) if games > 1 else 0.0
    hashed = hashlib.blake2b(b"".join(r.digest for r in results), digest_size=16)
    decisions = sum(r.decisions for r in results)
    return Report(
        ruleset=order.setting.ruleset,
        edition=order.setting.edition,
        scenario=order.setting.scenario,
        players=(name_of(order.players[0]), name_of(order.players[1])),
        games=games,
        seed=order.seed,
        wins={"0": wins[0], "1": wins[1]},
        draws=games - decided,
        intervals={"0": wilson(wins[0], decided), "1": wilson(wins[1], decided)},
        length={"mean": total / games, "sd": sqrt(variance), "max": max(rounds)},
        swapped=order.swap,
        decisions=decisions,
        rolls=sum(r.rolls for r in results),
        seconds=round(seconds, 3),
        decisions_per_second=round(decisions / seconds, 1) if seconds else 0.0,
        digest=hashed.hexdigest(),
        armies=tuple([_title_of(army) for army in order.setting.armies]),
        size=order.setting.size,
        rules=_changed(order.setting),
        sides=results[0].sides,
        side_wins={
            str(side): sum(r.winner is not None and r.winner ^ order.swapped(r.number) == side for r in results)
            for side in (0, 1)
        },
    )


def _changed(setting: Setting) -> dict[str, HouseValue]:
    defaults = {switch.name: switch.default for switch in setting.rulebook.switches}
    return {name: value for name, value in setting.rules.items() if value != defaults.get(name)}


def _title_of(army: str) -> str:
    title = re.search(r"^title: *(.+)$", army, re.M) if is_text(army) else None
    return army if not is_text(army) else title[1].strip("'\"") if title is not None else "a list of one's own"
