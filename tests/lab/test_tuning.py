"""Tuning of a player's weights: it moves to weights that win games, and continues from its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.lab import tuning
from caltrop.lab.ladder import LadderJob, jobs
from caltrop.lab.tuning import (
    Slope,
    TuningRound,
    around,
    coins,
    kept,
    main,
    margin,
    moved,
    slopes,
    stepped,
    tune,
    uphill,
)
from caltrop.players import maker_of
from caltrop.players.hex_command.tuning import SPREAD
from caltrop.players.hex_command.weights import TUNED, VETERAN
from caltrop.players.tuning import Tunable, tunable, tuned
from caltrop.players.uniform import Uniform

GAME = "hex-command"


class Pair(msgspec.Struct, frozen=True):
    good: int = 50
    idle: int = 0
    left: int = 7


class Careful(Pair, frozen=True, forbid_unknown_fields=True):
    """Weights with the fields that the weights of games have."""


WHAT = Tunable(Pair(), {"good": 10, "idle": 4}, lambda weights: Uniform())


@pytest.fixture
def rigged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return games that the higher `good` wins, up to 100."""

    def played(
        what: Tunable, at: Mapping[str, float], number: int, seed: int, some: Sequence[LadderJob]
    ) -> TuningRound:
        way = coins(seed, number, list(at))
        up, down = (moved(what, at, way, sign, f"{number} {sign}") for sign in (1, -1))
        return TuningRound(number, (max(-1.0, min(1.0, (min(100, up.good) - min(100, down.good)) / 10)),) * len(some))

    monkeypatch.setattr(tuning, "played", played)
    monkeypatch.setattr(tuning, "tunable", lambda game: WHAT)


def test_a_weight_is_moved_both_ways_by_its_spread() -> None:
    way = {"good": 1, "idle": -1}
    up = moved(WHAT, {"good": 50.0, "idle": 0.0}, way, 1, "a")
    down = moved(WHAT, {"good": 50.0, "idle": 0.0}, way, -1, "a")
    assert (up.good, down.good, up.left, down.left) == (60, 40, 7, 7)
    assert (up.idle, down.idle) == (0, 4), "nothing is worth less than nothing"
    halves = {moved(WHAT, {"good": 50.5, "idle": 0.0}, way, 1, str(n)).good for n in range(30)}
    assert halves == {60, 61}, "what lies between is rounded by chance"


def test_a_step_goes_the_way_of_who_did_better() -> None:
    at, way = {"good": 50.0, "idle": 8.0}, {"good": 1, "idle": -1}
    better = stepped(WHAT, at, way, TuningRound(5, (1.0, 0.5)), 100)
    assert better["good"] > 50
    assert better["idle"] < 8
    worse = stepped(WHAT, at, way, TuningRound(5, (-1.0, -0.5)), 100)
    assert worse["good"] == pytest.approx(100 - better["good"])
    late = stepped(WHAT, at, way, TuningRound(95, (1.0, 0.5)), 100)
    assert 50 < late["good"] < better["good"]


@pytest.mark.usefixtures("rigged")
def test_it_finds_what_wins() -> None:
    result = tune(GAME, 60, 1)
    assert result.good >= 90
    assert result.left == 7


@pytest.mark.usefixtures("rigged")
def test_it_goes_on_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, file = tmp_path / "whole", tmp_path / "file"
    once = tune(GAME, 30, 1, whole)
    # The program stops in the middle, and starts again.
    file.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:12]))
    assert tune(GAME, 30, 1, file) == once
    assert kept(file) == kept(whole)
    main([GAME, "--rounds", "30", "--keep", str(file)])
    words: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    assert words["good"] == once.good
    assert "left" not in words, "what was not tuned is not told"


@pytest.mark.usefixtures("rigged")
def test_it_stops_after_some_of_its_rounds(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    once = tune(GAME, 30, 1, whole)
    tune(GAME, 30, 1, part, until=12)
    # The games played so far are the first games of the whole series.
    assert kept(part) == kept(whole)[:12]
    assert tune(GAME, 30, 1, part) == once


@pytest.mark.usefixtures("rigged")
def test_it_tells_what_each_weight_brings_where_none_is_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rounds"
    result = around(GAME, 40, 1, file)
    assert result["good"] == Slope(1.0, 0.0), "all rounds are around the same weights"
    assert abs(result["idle"].better) < 4 * result["idle"].error
    assert around(GAME, 40, 1, file) == result
    assert len(kept(file)) == 40
    main([GAME, "--rounds", "40", "--keep", str(file), "--around", "--far", "2"])
    output = capsys.readouterr()
    assert msgspec.json.decode(output.out)["good"] > 70
    assert output.err.startswith("good: +1.000, error 0.000\n"), "the surest first"


def test_a_slope_is_the_mean_over_pairs_with_its_error() -> None:
    names = ["good"]
    some = [TuningRound(n, (0.5 * coins(1, n, names)["good"], -0.1 * coins(1, n, names)["good"])) for n in range(3)]
    slope = slopes(names, some, 1)["good"]
    assert slope.better == pytest.approx(0.2)
    assert slope.error == pytest.approx((6 * 0.09 / 5 / 6) ** 0.5)
    with pytest.raises(ValueError, match="two pairs"):
        slopes(names, [TuningRound(0, (1.0,))], 1)


def test_weights_go_the_way_that_slopes_show_and_as_far_as_is_said() -> None:
    way = {"good": Slope(0.03, 0.01), "idle": Slope(-0.04, 0.01)}
    result = uphill(WHAT, way, 1.0)
    # The root mean square of 0.03 and 0.04 is 0.0354.
    assert (result.good, result.idle, result.left) == (50 + round(10 * 0.03 / 0.0354), 0, 7)
    assert uphill(WHAT, {"good": Slope(0.0, 0.1)}, 1.0) == WHAT.start


def test_the_same_weights_do_the_same_from_both_seats() -> None:
    what = tunable(GAME)
    job = jobs(GAME, ("up", "down"), 2, 1, ["first-battle"])[0]
    makers = (what.make(what.start), what.make(what.start))
    results = margin(job, makers, "x")
    assert results == margin(job, makers, "x")
    assert 0 < abs(results) <= 1
    assert set(what.spread) <= set(msgspec.structs.asdict(what.start))


def test_a_game_without_weights_is_named() -> None:
    with pytest.raises(ValueError, match="duel have no weights"):
        tunable("duel")


def test_tuned_weights_are_those_at_the_start_but_for_what_the_file_says(tmp_path: Path) -> None:
    home = tmp_path / "weights.py"
    (tmp_path / "tuned.json").write_text('{"good": 61}')
    assert tuned(str(home), Pair()) == Pair(good=61)
    (tmp_path / "tuned.json").write_text('{"god": 61}')
    with pytest.raises(ValueError, match="unknown field `god`"):
        tuned(str(home), Careful())
    (tmp_path / "tuned.json").write_text('{"good": "much"}')
    with pytest.raises(ValueError, match="int"):
        tuned(str(home), Pair())


def test_levels_that_search_play_by_tuned_weights() -> None:
    assert {name for name in SPREAD if getattr(TUNED, name) != getattr(VETERAN, name)}
    veteran, commander = (maker_of(name, GAME)() for name in ("veteran", "commander"))
    assert veteran.weights == VETERAN  # type: ignore[attr-defined]
    assert commander.following.weights == TUNED  # type: ignore[attr-defined]
