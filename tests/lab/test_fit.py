"""Chances of winning are fitted to results of games, and compared with games that the fit did not use."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.lab.fit import HIDDEN, UNSEEN, FitGame, across, by_scenario, fit, fitted, held_against, main, play
from caltrop.lab.network import network
from caltrop.players.evaluation import Fit, features_of, said


def drawn(games: int) -> list[FitGame]:
    """Return random games whose results depend on three features."""
    dice, result = Seeded("games"), []
    names, _ = features_of("hex-command") or ((), None)
    for number in range(games):
        row = [float(dice.below(2) * 2 - 1) for _ in range(3)]
        result.append(FitGame(number, "one", float(sum(row) > 0), [(*row, *[0.0] * (len(names) - 3))] * 3))
    return result


def test_a_network_says_what_no_sum_of_numbers_can() -> None:
    dice, rows, outcomes = Seeded("rows"), [], []
    for _ in range(12_000):
        row = [dice.below(2001) / 1000 - 1 for _ in range(2)]
        both = 1 if min(row) > 0 else -1 if max(row) < 0 else 0
        rows.append(row)
        outcomes.append(float(dice.below(1000) < 500 + 400 * both))
    made = network(rows, outcomes, [1.0] * len(rows), 8, seed=1)
    of = Fit(("x", "y"), made.straight, 1, 1, made.hidden, made.heights)
    assert said(of, (1.0, -0.3)) == pytest.approx(0.5, abs=0.1), "a sum says 0.8"
    assert said(of, (1.0, 0.3)) == pytest.approx(0.9, abs=0.1)
    assert said(of, (0.3, 1.0)) == pytest.approx(0.9, abs=0.1)
    assert said(of, (-0.7, -0.3)) == pytest.approx(0.1, abs=0.1)


def test_a_chance_of_one_side_is_what_the_other_lacks() -> None:
    of = Fit(("x", "y"), (0.5, -1.0), 1, 1, ((1.0, 2.0), (-0.5, 0.25)), (0.7, -1.5))
    for result in ((0.3, 0.9), (-1.0, 0.2), (0.0, 0.0)):
        assert said(of, result) == pytest.approx(1 - said(of, [-x for x in result]))
    assert said(of, (0.0, 0.0)) == 0.5
    assert said(of, (1.0, 0.0)) != pytest.approx(said(Fit(("x", "y"), (0.5, -1.0), 1, 1), (1.0, 0.0)))


def test_equal_games_give_equal_weights_and_some_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.lab.network.STEPS", 200)  # four fits, whose quality does not matter
    games = drawn(140)
    made = fit("hex-command", games, 5)
    assert made == fit("hex-command", games, 5)
    assert made != fit("hex-command", games, 6)
    assert (made.games, made.unseen) == (120, 20)
    assert len(made.heights) == len(made.hidden) == HIDDEN
    changed = [
        msgspec.structs.replace(one, points=1 - one.points) if one.number // 2 % UNSEEN == UNSEEN - 1 else one
        for one in games
    ]
    other = fit("hex-command", changed, 5)
    assert (other.weights, other.hidden) == (made.weights, made.hidden), "what is left out changes no weight"
    assert other.error != made.error


def test_every_game_is_judged_by_a_fit_that_has_not_seen_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.lab.network.STEPS", 100)  # eight fits, whose quality does not matter
    games = drawn(140)
    held = across(games, 5)
    assert sorted(game.number for game, _ in held) == list(range(140))
    part = next(chances for game, chances in held if game.number == 0)
    seen = fitted([one for one in games if one.number // 2 % UNSEEN], 5)
    made = Fit((), seen.straight, 1, 5, seen.hidden, seen.heights)
    assert part == [said(made, row) for row in games[0].rows]


def test_what_was_said_is_told_by_scenario() -> None:
    held = [
        (FitGame(0, "one", 1.0, []), [0.5, 0.7]),
        (FitGame(1, "one", 0.0, []), [0.3, 0.3]),
        (FitGame(2, "other", 0.5, []), [0.9]),
    ]
    assert by_scenario(held).splitlines()[2:] == [
        "| one | 2 | 50 % | 9 to 91 % | 40 % | 45 % |",
        "| other | 1 | 50 % | 5 to 95 % | 90 % | 90 % |",
    ]


def test_positions_kept_when_something_else_counted_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "kept.jsonl"
    stored.write_bytes(msgspec.json.encode(FitGame(0, "first-battle", 1.0, [(0.0, 1.0)])) + b"\n")
    monkeypatch.setattr("sys.argv", ["fit", "hex-command", "--games", "1", "--data", str(stored)])
    with pytest.raises(SystemExit):
        main()
    names, _ = features_of("hex-command") or ((), None)
    assert f"was kept when something else counted: 2 numbers; now there are {len(names)}" in capsys.readouterr().err


def test_the_positions_of_a_game_are_one_sample() -> None:
    of = Fit(("x",), (1.0,), 1, 1)
    one = [FitGame(0, "a", 1.0, [(0.5,)]), FitGame(1, "a", 0.0, [(0.5,)])]
    long = [FitGame(0, "a", 1.0, [(0.5,)] * 50), FitGame(1, "a", 0.0, [(0.5,)] * 50)]
    (few,), error, blind = held_against(one, of)
    (many,), again, _ = held_against(long, of)
    assert (few.games, few.positions, many.positions) == (2, 2, 100)
    assert (many.low, many.high) == pytest.approx((few.low, few.high))
    assert few.share == 0.5
    assert few.mean == pytest.approx(0.622, abs=0.001)
    assert error == pytest.approx(again)
    assert blind == 0.25
    assert error == pytest.approx(((1 - few.mean) ** 2 + few.mean**2) / 2)


def test_a_fit_finds_the_weights_that_made_the_games() -> None:
    dice, games = Seeded(3), []
    for number in range(1500):
        x, y = dice.below(200) / 50 - 2, dice.below(200) / 50 - 2
        chance = 1 / (1 + 2.718281828 ** -(2 * x - y))
        games.append(FitGame(number, "", float(dice.below(10**6) < chance * 10**6), [(x, y)]))
    made = fitted(games[:1200], 3)
    of = Fit(("x", "y"), made.straight, 1200, 3, made.hidden, made.heights)
    for x, y, chance in ((1.0, 0.0, 0.881), (0.0, 1.0, 0.269), (-0.5, 0.5, 0.182)):
        assert said(of, (x, y)) == pytest.approx(chance, abs=0.06)
    bins, error, blind = held_against(games[1200:], of)
    assert error < 0.6 * blind
    assert sum(one.low <= one.mean <= one.high for one in bins) >= len(bins) - 2


def test_games_that_are_fitted_are_the_same_from_equal_seeds() -> None:
    names, _ = features_of("hex-command") or ((), None)
    one, other = (play("hex-command", 3, 1) for _ in range(2))
    assert one == other
    assert {len(row) for row in one.rows} == {len(names)}
    assert play("hex-command", 4, 1).rows != one.rows
