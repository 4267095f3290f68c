"""Comparison of two series: the difference with its interval."""

from __future__ import annotations

import msgspec
import pytest

from caltrop.journal import Setting
from caltrop.lab.series import Report, SeriesOrder, compared, newcombe, play_game, play_series, report_of

ORDER = SeriesOrder(
    setting=Setting(ruleset="duel", edition="current", scenario="bridge"),
    players=("random", "random"),
    games=30,
    seed=5,
)


def counted(wins: int, losses: int, draws: int, mean: float, sd: float) -> Report:
    return msgspec.structs.replace(
        play_series(msgspec.structs.replace(ORDER, games=1)),
        games=wins + losses + draws,
        wins={"0": wins, "1": losses},
        draws=draws,
        length={"mean": mean, "sd": sd, "max": 9},
    )


def test_the_difference_of_two_shares_has_newcombes_interval() -> None:
    # Examples of the paper: 56 of 70 minus 48 of 80, 9 of 10 minus 3 of 10, and 10 of 10 minus 0 of 10.
    for one, other, low, high in (
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((0, 10), (10, 10), 0.6075, 1.0),
    ):
        assert newcombe(one, other) == pytest.approx((low, high), abs=5e-5)
        back = newcombe(other, one)
        assert back == pytest.approx((-high, -low), abs=5e-5)


def test_shares_are_of_the_decided_games_and_the_second_series_is_the_change() -> None:
    result = compared(counted(48, 32, 7, 6.0, 1.5), counted(56, 14, 3, 5.0, 2.0))
    assert result.share is not None
    assert result.rounds is not None
    assert (result.share.one, result.share.other) == (0.6, 0.8)
    assert (result.share.low, result.share.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    half = 1.959964 * (1.5**2 / 87 + 2.0**2 / 73) ** 0.5
    assert result.rounds.difference == -1
    assert (result.rounds.low, result.rounds.high) == pytest.approx((-1 - half, -1 + half))


def test_where_nothing_can_be_said_nothing_is_said() -> None:
    nobody, one = counted(0, 0, 5, 4.0, 1.0), counted(1, 0, 0, 4.0, 0.0)
    assert compared(nobody, one).share is None
    assert compared(nobody, one).rounds is None


def test_the_first_games_of_a_series_are_reported_as_a_shorter_series() -> None:
    first = [play_game(ORDER, number) for number in range(7)]
    short = play_series(msgspec.structs.replace(ORDER, games=7))
    assert msgspec.structs.replace(report_of(ORDER, first, 1.0), seconds=0, decisions_per_second=0) == (
        msgspec.structs.replace(short, seconds=0, decisions_per_second=0)
    )
