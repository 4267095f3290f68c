"""Series of games: equal for any number of workers, with seats that change, and with games that fail."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.chance import Dice, Seeded, wilson
from caltrop.engine import Decision, Match, stored
from caltrop.journal import Setting, verify
from caltrop.lab.series import GameFailed, Report, SeriesOrder, play_game, play_series
from caltrop.players import UNBOUNDED, Budget, Uniform, registry

SETTING = Setting(ruleset="duel", edition="current", scenario="bridge")
ORDER = SeriesOrder(setting=SETTING, players=("random", "random"), games=12, seed=5)


def figures(report: Report) -> dict[str, Any]:
    """Return the report without its durations."""
    plain: dict[str, Any] = msgspec.to_builtins(report)
    return {name: value for name, value in plain.items() if "second" not in name}


def test_a_series_is_the_same_for_any_number_of_workers() -> None:
    alone, shared = play_series(ORDER), play_series(ORDER, 2)
    assert figures(alone) == figures(shared)
    assert alone.digest != play_series(msgspec.structs.replace(ORDER, seed=6)).digest


def test_a_series_counts_what_its_games_were() -> None:
    report = play_series(ORDER)
    games = [play_game(ORDER, number) for number in range(ORDER.games)]
    assert report.wins == {str(who): sum(g.winner == who for g in games) for who in (0, 1)}
    assert report.draws == sum(g.winner is None for g in games)
    assert sum(report.wins.values()) + report.draws == report.games == 12
    rounds = [g.rounds for g in games]
    assert report.length["mean"] == sum(rounds) / 12
    assert report.length["max"] == max(rounds)
    assert report.length["sd"] ** 2 == pytest.approx(sum((n - sum(rounds) / 12) ** 2 for n in rounds) / 11)
    assert report.decisions == sum(g.decisions for g in games)


def test_only_decisions_with_two_options_or_more_count() -> None:
    match, counted = SETTING.begin(Seeded("5 0 table")), 0
    dice = [Seeded(f"5 0 player {side}") for side in (0, 1)]
    while match.over is None:
        asked = match.waiting[0]
        options = asked.options(match.view(asked.side))
        counted += len(list(options)) > 1
        match.play(asked.side, options.sample(dice[asked.side]))
    game = play_game(ORDER, 0)
    assert game.decisions == counted
    assert game.rolls == len(match.journal) - len(match.history)


class Bold:
    """A player that walks up to the other duellist and strikes."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        x, y = view.duellists[1 - decision.side].at
        here = view.duellists[decision.side].at

        def far(action: Any) -> int:
            to = action.path[-1] if hasattr(action, "path") else here
            return int((to[0] - x) ** 2 + (to[1] - y) ** 2)

        return min(decision.options(view), key=far)


class Meek:
    """A player that takes the last option: it stays away, holds back, and lets strikes hit."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        every = [*decision.options(view)]
        return every[0] if type(decision).__name__ == "Move" else every[-1]


class Breaking:
    """A player that fails in its third decision in a given way."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        self.asked += 1
        return [][self.asked - 3] if self.asked == 3 else decision.options(view).sample(dice)


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register three more players of the duel."""
    makers = {"random": Uniform, "bold": Bold, "meek": Meek, "breaking": Breaking}
    monkeypatch.setattr(registry, "makers", lambda game: makers)


@pytest.mark.usefixtures("strangers")
def test_wins_count_by_player_and_not_by_seat() -> None:
    order = msgspec.structs.replace(ORDER, players=("meek", "bold"), swap=True, games=20)
    assert [order.seats(n) for n in range(3)] == [("meek", "bold"), ("bold", "meek"), ("meek", "bold")]
    winners = [play_game(order, number).winner for number in range(20)]
    assert 0 not in winners  # the player who never strikes never wins, on either seat
    assert winners[::2].count(1) > 0
    assert winners[1::2].count(1) > 0
    report = play_series(order)
    assert report.swapped
    assert report.wins == {"0": 0, "1": winners.count(1)}


@pytest.mark.usefixtures("strangers")
def test_a_game_that_goes_wrong_fails_the_series_with_its_journal() -> None:
    with pytest.raises(GameFailed, match="game 0 went wrong: IndexError") as failed:
        play_series(msgspec.structs.replace(ORDER, players=("random", "breaking")))
    record = failed.value.result.record
    assert record is not None
    assert record.players == ("random", "breaking")
    assert record.seed == "5 0 table"
    verdict = verify(record)
    assert verdict.same
    assert verdict.entries == len(record.entries) > 0
    assert "IndexError" in failed.value.result.failed
    again = pickle.loads(pickle.dumps(failed.value))
    assert (again.result, str(again)) == (failed.value.result, str(failed.value)), "it comes from another process whole"


def test_a_game_that_does_not_end_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["caltrop.lab.series"], "ENDLESS", 3)
    with pytest.raises(GameFailed, match="not over after 3 acts"):
        play_series(ORDER)


def test_progress_is_told_after_every_game() -> None:
    counts: list[int] = []
    play_series(ORDER, 1, counts.append)
    assert counts == list(range(1, 13))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ("random", "rando")}, "did you mean random"),
        ({"games": 0}, "one game or more"),
        ({"setting": msgspec.structs.replace(SETTING, scenario="brigde")}, "did you mean 'bridge'"),
    ],
)
def test_a_series_that_cannot_be_played_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        play_series(msgspec.structs.replace(ORDER, **change))


@pytest.mark.parametrize(("wins", "games"), [(15, 50), (0, 10), (10, 10), (8, 10), (499, 1000)])
def test_the_interval_is_scipys(wins: int, games: int) -> None:
    from scipy.stats import binomtest

    expected = binomtest(wins, games).proportion_ci(method="wilson")
    assert wilson(wins, games) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_match_without_a_past_plays_the_same_game() -> None:
    def digest_of(keep: bool) -> Match:
        match, choices = SETTING.begin(Seeded(3), keep=keep), Seeded(4)
        while match.over is None:
            asked = match.waiting[0]
            match.follow(asked, asked.options(match.view(asked.side)).sample(choices))
        return match

    lean, full = digest_of(False), digest_of(True)
    assert lean.journal == full.journal
    assert stored(lean.state) == stored(full.state)
    assert not lean.history
