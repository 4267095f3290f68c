"""Losses of players by their decisions: repeatable draws, weights of decisions, and losses at the decisions that caused
them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from caltrop.chance import Seeded
from caltrop.lab import losses as module
from caltrop.lab.analysis import Analyser
from caltrop.lab.losses import GameLoss, LossJob, judge, losses, main, ranked, table, write
from caltrop.players import Lost
from caltrop.players import losses as known

DUEL = LossJob("duel", "random", "bridge", (), 0, 1, 1)


def result(player: str, number: int, decisions: int, lost: float) -> GameLoss:
    return GameLoss(LossJob("duel", player, "bridge", (), number, 1, 1), decisions, 1, lost)


def alike(job: LossJob) -> GameLoss:
    return GameLoss(job, 10, 1, 0.1)


def test_a_game_is_judged_as_its_explanation_judges_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.lab.chances.PLAYOUTS", 4)
    monkeypatch.setattr("caltrop.lab.tried.FALSE", 0.9)
    monkeypatch.setattr("caltrop.lab.tried.TRIES", (4,))
    seen: list[Analyser] = []

    class Watched(Analyser):
        def __init__(self, *with_: object) -> None:
            super().__init__(*with_)  # type: ignore[arg-type]
            seen.append(self)

    monkeypatch.setattr(module, "Analyser", Watched)
    whole = judge(DUEL)
    assert judge(DUEL) == whole
    (result, _) = seen
    every = [n for n in range(len(result.points)) if result.is_judged(n)]
    gains = [gain for gain, _ in result.alternatives.best(every).values()]
    assert (whole.decisions, whole.mistakes) == (len(every), len(gains))
    assert whole.lost == pytest.approx(sum(gains))
    assert gains, "who plays at random makes mistakes"
    part = judge(LossJob("duel", "random", "bridge", (), 0, 1, 3))
    draw = Seeded("losses 1 bridge 0 drawn")
    assert part.decisions == sum(not draw.below(3) for _ in every)
    assert part.decisions < whole.decisions


def test_games_weigh_by_their_decisions_and_the_error_is_that_of_games() -> None:
    figures = losses([result("regular", 0, 10, 0.1), result("regular", 1, 30, 0.7), result("recruit", 0, 10, 0.5)])
    lost = figures["regular"]
    assert lost.mean == pytest.approx(0.02)
    error = (((0.1 - 0.2) ** 2 + (0.7 - 0.6) ** 2) * 2) ** 0.5 / 40
    assert lost.high == pytest.approx(0.02 + 1.96 * error, abs=1e-5)
    assert lost.low == pytest.approx(0.02 - 1.96 * error, abs=1e-5)
    assert (lost.decisions, lost.games) == (40, 2)
    assert figures["recruit"].mean == pytest.approx(0.05)
    shown = table([result("regular", 0, 10, 0.1), result("regular", 1, 30, 0.7)])
    assert "| regular | 2 | 40 | 2 | 2.00 | 1.02 to 2.98 |" in shown
    assert losses([result("regular", 0, 0, 0.0)]) == {}


def test_the_scale_stands_beside_the_players_the_weakest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lost.json"
    monkeypatch.setattr(module, "lost_path", lambda game: path)
    monkeypatch.setattr(import_module("caltrop.players.levels"), "lost_path", lambda game: path)
    figures = losses([result("veteran", 0, 10, 0.05), result("recruit", 0, 10, 0.4), result("random", 0, 10, 0.9)])
    write("duel", figures)
    known.cache_clear()
    try:
        assert list(known("duel")) == ["recruit", "veteran"]
        assert known("duel")["recruit"] == figures["recruit"]
        write("duel", losses([result("veteran", 0, 10, 0.5), result("recruit", 0, 30, 0.3)]))
        known.cache_clear()
        assert [one.mean for one in known("duel").values()] == [0.02, 0.02], "a weaker one never loses less"
    finally:
        known.cache_clear()


def test_a_stronger_level_never_loses_more_on_the_scale() -> None:
    def lost(mean: float, decisions: int) -> Lost:
        return Lost(mean, 0.0, 0.1, decisions, 5)

    result = {"veteran": lost(0.03, 10), "regular": lost(0.02, 30), "recruit": lost(0.024, 60)}
    scale = ranked(result)
    assert list(scale) == ["recruit", "regular", "veteran"]
    assert [one.mean for one in scale.values()] == [0.024, 0.0225, 0.0225]
    result["recruit"] = lost(0.01, 60)
    assert [one.mean for one in ranked(result).values()] == [0.015] * 3, "all of them where that has to be"
    plain = {"recruit": lost(0.03, 10), "regular": lost(0.02, 10), "veteran": lost(0.01, 10)}
    assert ranked(plain) == plain


def test_games_are_kept_and_gone_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "judge", alike)
    stored = tmp_path / "kept.jsonl"
    arguments = ["hex-command", "--players", "recruit,veteran", "--keep", str(stored)]
    main([*arguments, "--games", "2"])
    before = stored.read_bytes()
    assert len(before.splitlines()) == 4
    main([*arguments, "--games", "7"])
    assert stored.read_bytes().startswith(before)
    out = capsys.readouterr().out
    assert "| veteran | 7 | 70 | 7 | 1.00 | 1.00 to 1.00 |" in out
    # Games are distributed over the scenarios in turn.
    assert len({line.split(b'"scenario":"')[1].split(b'"')[0] for line in stored.read_bytes().splitlines()}) == 6
    with pytest.raises(SystemExit):
        main(["hex-command", "--games", "0"])
