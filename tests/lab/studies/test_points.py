"""Points of units: known values are recovered, and the command fits, checks and writes points."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp
from pathlib import Path

import msgspec
import pytest

from caltrop import InputError
from caltrop.cli import main
from caltrop.engine import ruleset
from caltrop.lab.studies import Study, read_study
from caltrop.lab.studies.playing import GameRow, play_row
from caltrop.lab.studies.points import Points, check_study, cost, fitted

WORTH = """\
format: caltrop-study
title: What some units are worth
ruleset: command-horizon
scenario: meeting-engagement
design: drawn
draw:
  - name: alliance
    list: {ruleset: command-horizon, id: drawn, title: Drawn, army: alliance}
    always: [{kind: command}]
    units: [{kind: light-tank}, {kind: medium-tank}, {kind: heavy-tank}]
    size: [1, 4]
  - name: asori
    list: {ruleset: command-horizon, id: drawn, title: Drawn, army: asori}
    always: [{kind: command}]
    units: [{kind: light-tank}, {kind: heavy-tank}]
    size: [1, 4]
games: 2400
check: {pairs: 2, games: 4}
"""
TRUE = {(0, 0): 0.3, (0, 1): 0.5, (0, 2): 0.8, (1, 0): 0.35, (1, 1): 0.75}
"""Amount that each unit adds to the logarithm of the odds."""


def battles(study: Study, worth: Callable[[int, tuple[int, ...]], float], seed: int) -> list[GameRow]:
    """Return rows of battles that are won according to the worth of the armies."""
    dice, pattern = random.Random(seed), play_row(msgspec.json.encode(study), 0)
    rows = []
    for index in range(study.total):
        cell, number = study.cell_of(index)
        (one, other) = study.drawn(cell)
        chance = 1 / (1 + exp(-(0.2 + worth(*one) - worth(*other))))
        side = int(dice.random() >= chance)
        rows.append(msgspec.structs.replace(pattern, game=index, cell=cell, number=number, side=side))
    return rows


def plain(pool: int, units: tuple[int, ...]) -> float:
    return sum(TRUE[pool, unit] for unit in units)


def test_points_that_are_known_are_found_again_with_their_intervals() -> None:
    study = read_study(WORTH)
    rows = battles(study, lambda pool, units: plain(pool, units) + 0.4 * (pool == 1), 3)
    points = fitted(study, reversed(rows))
    mean = sum(TRUE.values()) / len(TRUE)
    for one, true in zip(points.units, TRUE.values(), strict=True):
        assert one.low < 100 * true / mean < one.high
        assert one.high - one.low < 80
    assert points.pools["alliance"] == 0
    assert points.pools["asori"] == pytest.approx(40 / mean, abs=40)
    assert sum(one.points for one in points.units) == pytest.approx(500)
    assert points.point == pytest.approx(mean / 100, rel=0.15)
    assert points.together == ()
    assert points.games == 1920
    assert points.loss < 0.65
    assert sum(group.games for group in points.held_out) == 480
    for group in points.held_out:
        assert group.won.low - 0.03 < group.predicted < group.won.high + 0.03
    assert fitted(study, rows) == points, "rows may come in any order"


def test_two_units_that_are_worth_more_together_are_found_and_others_are_not() -> None:
    study = read_study(WORTH)

    def worth(pool: int, units: tuple[int, ...]) -> float:
        return plain(pool, units) + 0.8 * units.count(0) * units.count(1) * (pool == 0)

    points = fitted(study, battles(study, worth, 2))
    assert [(two.pool, two.units) for two in points.together] == [
        ("alliance", ({"kind": "light-tank"}, {"kind": "medium-tank"}))
    ]
    assert points.together[0].low > 0


def test_pairings_are_of_different_armies_that_cost_the_same_on_either_side() -> None:
    study = read_study(WORTH)
    points = fitted(study, battles(study, plain, 1))
    pairings = check_study(study, points)
    assert len(pairings.cases) == 4
    for there, back in zip(pairings.cases[::2], pairings.cases[1::2], strict=True):
        assert there.armies is not None
        assert back.armies == there.armies[::-1]
        assert there.armies[0] != there.armies[1]
    army = study.army("some")
    units = sum(points.units[3 * army[0] + unit].points for unit in army[1])
    assert cost(study, points, *army) == pytest.approx(units + points.pools[study.draw[army[0]].name])


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ("design: drawn", "design: grid", "draws no armies"),
        ("size: [1, 4]", "size: [4, 1]", "the least is not more than the most"),
        ("kind: medium-tank", "kind: medium-tnak", r"10:\d+: draw\[0\].units\[0\].kind: there is no unit"),
        (
            "{kind: light-tank}, ",
            "{kind: light-tank, models: 9}, ",
            r"units\[0\].models: A unit of Light Tank has 5 models",
        ),
        ("ruleset: command-horizon\nscenario", "ruleset: duel\nscenario", "alliance"),
    ],
)
def test_what_is_wrong_with_drawn_armies_is_said(was: str, now: str, words: str) -> None:
    text = WORTH.replace(was, now)
    if "tnak" in now:
        text = text.replace("{kind: light-tank}, {kind: medium-tnak}, {kind: heavy-tank}", "{kind: medium-tnak}")
    with pytest.raises(InputError, match=words) as caught:
        read_study(text)
    assert caught.value.line is not None


def test_the_command_plays_fits_checks_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The battles are invented, and armies win by the worth of their units. No player is called."""
    file = tmp_path / "worth.yaml"
    file.write_text(
        WORTH.replace("games: 2400", "games: 300").replace("size: [1, 4]", "size: [1, 3]"), encoding="utf-8"
    )
    whole = {row.game: row for row in battles(read_study(file), plain, 3)}

    def won(text: bytes, rules: str, indexes: tuple[int, ...]) -> list[GameRow]:
        study = msgspec.json.decode(text, type=Study)
        if study.design == "drawn":
            return [whole[index] for index in indexes]
        result = []
        for index in indexes:
            cell, number = study.cell_of(index)
            levels = {"case": study.cases[cell].name}
            own = msgspec.structs.replace(whole[0], game=index, cell=cell, number=number, levels=levels)
            result.append(msgspec.structs.replace(own, side=cell % 2, winner=cell % 2))
        return result

    monkeypatch.setattr("caltrop.lab.studies.running.play_rows", won)
    words = ["study", "points", str(file)]
    assert main([*words, "--json"]) == 0
    points = msgspec.json.decode(capsys.readouterr().out, type=Points)
    assert msgspec.json.decode((tmp_path / "worth" / "points.json").read_bytes(), type=Points) == points
    assert points.games == 240
    assert [pairing.games for pairing in points.pairings] == [4, 4]
    # Side 0 won every game of the first case, and side 1 every game of the second, with the same army.
    assert [pairing.share.value for pairing in points.pairings] == [1.0, 1.0]
    assert all(abs(one - other) < 60 for one, other in [pairing.points for pairing in points.pairings])
    assert (tmp_path / "worth" / "check" / "results.jsonl").read_bytes().count(b"\n") == 8
    page = tmp_path / "worth.md"
    assert main([*words, "--page", str(page)]) == 0
    assert "a unit is worth 100 on average" in capsys.readouterr().out
    html, first, pairing = page.read_text(), points.units[0], points.pairings[0]
    row = f"| alliance | light-tank | {first.points:.0f} | {first.low:.0f} to {first.high:.0f} | {first.drawn} |"
    assert row in html.splitlines()
    assert (
        f"| {pairing.one} | {pairing.points[0]:.0f} | {pairing.other} | {pairing.points[1]:.0f} | 4 | 100.0 %" in html
    )
    assert "![What units are worth: points with their intervals](worth.svg)" in html
    assert (tmp_path / "worth.svg").read_text().count("<circle") == len(points.units)
    # If points are given, they are only checked, and no battles for fitting are played.
    monkeypatch.setattr("caltrop.lab.studies.points.fitted", None)
    names = ["--known", str(tmp_path / "worth" / "points.json")]
    assert main([*words, *names, "--output", str(tmp_path / "again"), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out, type=Points) == points
    assert not (tmp_path / "again" / "results.jsonl").exists()
    assert (tmp_path / "again" / "check" / "results.jsonl").read_bytes().count(b"\n") == 8
    assert main([*words, *names, "--page", str(page)]) == 2
    assert "without --page" in capsys.readouterr().err
    # A new report replaces its part of the page, and leaves the text around it.
    page.write_text(html.replace("# What", "# Tanks: what") + "\nDear.\n")
    assert main(["study", "report", str(tmp_path / "worth"), "--page", str(page)]) == 0
    assert page.read_text() == html.replace("# What", "# Tanks: what") + "\nDear.\n"


def test_points_of_other_units_are_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, names = tmp_path / "worth.yaml", tmp_path / "points.json"
    file.write_text(WORTH, encoding="utf-8")
    words = ["study", "points", str(file), "--known", str(names)]
    assert main(words) == 1
    assert "not points of a study" in capsys.readouterr().err
    study = read_study(file)
    points = fitted(study, battles(study, plain, 3))
    names.write_bytes(msgspec.json.encode(msgspec.structs.replace(points, units=points.units[1:])))
    assert main(words) == 1
    assert "there are no points of alliance's light-tank" in capsys.readouterr().err
    assert not (tmp_path / "worth").exists()
    (tmp_path / "plain.yaml").write_text("format: caltrop-study\ntitle: Plain\nruleset: duel\ngames: 2\n")
    assert main(["study", "points", str(tmp_path / "plain.yaml"), "--known", str(names)]) == 1
    assert "design: drawn" in capsys.readouterr().err


def test_points_are_fitted_to_drawn_armies_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.yaml"
    file.write_text("format: caltrop-study\ntitle: Plain\nruleset: duel\ngames: 2\n", encoding="utf-8")
    assert main(["study", "points", str(file)]) == 1
    assert "design: drawn" in capsys.readouterr().err
    assert not (tmp_path / "plain").exists()
    assert ruleset("duel").army_lists is not None
