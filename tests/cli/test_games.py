"""The commands that every game has: games, simulate, replay and verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from caltrop import cli
from caltrop.chance import Seeded
from caltrop.journal import Setting, encoded, record_of, save
from caltrop.lab import series
from caltrop.players import levels

SETTING = Setting(ruleset="duel", edition="current", scenario="bridge")
SIMULATE = ("simulate", "duel", "--players", "random,random", "--num", "6", "--seed", "2")


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a recorded game."""
    match, choices = SETTING.begin(Seeded(3)), Seeded(4)
    while match.over is None:
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(choices))
    path = tmp_path / "game.caltrop.json"
    save(record_of(match, SETTING, players=("random", "random"), seed=3), path)
    return path


def test_games_names_everything_that_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "games", "--json")
    assert (code, err) == (0, "")
    duel = next(game for game in json.loads(out)["rulesets"] if game["name"] == "duel")
    assert duel["editions"] == ["current", "sharp"]
    assert [{k: s[k] for k in ("id", "title", "minutes")} for s in duel["scenarios"]] == [
        {"id": "crossroads", "title": "At the crossroads", "minutes": 3},
        {"id": "bridge", "title": "On the bridge", "minutes": 2},
        {"id": "marsh", "title": "Round the marsh", "minutes": 4},
    ]
    assert duel["armies"] == []
    assert duel["players"][0] == "random"
    level: dict[str, Any] = {
        "name": "random",
        "words": "takes any legal act",
        "scores": [],
        "rating": None,
        "styles": [],
    }
    assert duel["levels"][0] == level
    assert [{k: r[k] for k in ("name", "default", "values", "clauses")} for r in duel["rules"]] == [
        {
            "name": "bid.tie",
            "default": "die",
            "values": ["die", "first-side"],
            "clauses": ["DU-BID-04", "DU-BID-05"],
        },
        {"name": "parry.price", "default": 1, "values": {"min": 0, "max": 3}, "clauses": ["DU-PARRY-01"]},
    ]
    code, out, _ = run(capsys, "games")
    assert code == 0
    assert "parry.price = 1 (0 to 3; DU-PARRY-01)" in out
    assert "random: takes any legal act\n" in out
    veteran = next(level for level in levels("hex-command") if level.name == "veteran")
    assert veteran.told
    assert f"veteran: {veteran.words}; {veteran.told}" in out
    assert "marshal+bold, as of any of recruit, regular, veteran, commander, marshal: seeks the fight" in out


def test_simulate_prints_one_object_and_writes_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = tmp_path / "report.json"
    code, out, err = run(capsys, *SIMULATE, "--swap", "--json", "--output", output)
    assert (code, err) == (0, "")
    report: dict[str, Any] = json.loads(out)
    assert json.loads(output.read_text()) == report
    assert list(report) == [
        "ruleset", "edition", "scenario", "players", "games", "seed", "wins", "draws", "intervals", "length",
        "swapped", "decisions", "rolls", "seconds", "decisions_per_second", "digest",
        "armies", "size", "rules", "sides", "side_wins",
    ]  # fmt: skip
    assert (report["games"], report["seed"], report["swapped"]) == (6, 2, True)
    assert list(report["length"]) == ["mean", "sd", "max"]
    assert list(report["intervals"]) == list(report["wins"]) == ["0", "1"]


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    digests = {json.loads(run(capsys, *SIMULATE, "--json")[1])["digest"] for _ in range(2)}
    assert len(digests) == 1
    other = json.loads(run(capsys, *SIMULATE, "--json", "--rule", "parry.price=3", "--edition", "sharp")[1])
    assert other["digest"] not in digests
    assert other["edition"] == "sharp"
    code, out, _ = run(capsys, *SIMULATE)
    assert code == 0
    assert digests.pop() in out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("simulate", "dule", *SIMULATE[2:]), 1, "did you mean duel?"),
        ((*SIMULATE, "--scenario", "brige"), 1, "did you mean 'bridge'?"),
        ((*SIMULATE, "--edition", "blunt"), 1, "current, sharp"),
        ((*SIMULATE, "--rule", "parry.prise=1"), 1, "did you mean parry.price?"),
        ((*SIMULATE, "--rule", "parry.price=9"), 1, "a whole number from 0 to 3"),
        ((*SIMULATE, "--armies", "a,b"), 1, "there is no army list 'a'"),
        ((*SIMULATE[:3], "randm,random", *SIMULATE[4:]), 1, "did you mean random?"),
        ((*SIMULATE[:3], "random", *SIMULATE[4:]), 2, "players are written X,Y"),
        ((*SIMULATE, "--rule", "parry.price"), 2, "NAME=VALUE"),
        ((*SIMULATE, "--rule", "parry.price=1", "--rule", "parry.price=2"), 2, "given twice"),
        ((*SIMULATE, "--jobs", "0"), 2, "1 or more"),
        (("simulate",), 2, "simulate needs GAME"),
        (("replay", "no-such-file"), 1, "no-such-file: No such file"),
        (("verify",), 2, "one record or more"),
        (("verify", "no-such-file"), 1, "no-such-file: No such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, says: str
) -> None:
    got, out, err = run(capsys, *words)
    assert (got, out) == (code, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_game_that_goes_wrong_leaves_its_journal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caltrop.lab.series.ENDLESS", 4)
    code, out, err = run(capsys, *SIMULATE, "--output", tmp_path / "report.json")
    stored = tmp_path / "report-failed-0.caltrop.json"
    assert (code, out) == (1, "")
    assert str(stored) in err
    assert run(capsys, "verify", stored)[0] == 0
    assert not (tmp_path / "report.json").exists()


def test_replay_steps_through_a_game(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, whole, _ = run(capsys, "replay", file)
    assert code == 0
    assert whole.startswith("duel, edition current, bridge: random against random\n")
    code, part, _ = run(capsys, "replay", file, "--to", 2)
    assert whole.startswith(part)
    assert len(part) < len(whole)
    views = []
    for at in (0, 2, 3):
        moment = json.loads(run(capsys, "replay", file, "--to", at, "--json")[1])
        assert moment["at"] == at
        assert moment["played_again"]
        views.append(moment["view"])
    assert views[0]["stage"]["words"] == "Both stake breath for the first turn"
    assert views[0] != views[1]
    last = json.loads(run(capsys, "replay", file, "--json")[1])
    assert last["outcome"]["reason"] == last["view"]["stage"]["words"]
    assert run(capsys, "replay", file, "--to", 10_000)[0] == 2


def test_an_older_game_is_shown_from_its_record(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    old = json.loads(file.read_text())
    old["rules_version"] = 0
    old["entries"][0]["digest"] = "0" * 16
    file.write_text(json.dumps(old))
    code, out, err = run(capsys, "replay", file, "--to", 3, "--json")
    assert code == 0
    assert "shown from the record" in err
    moment = json.loads(out)
    assert not moment["played_again"]
    assert moment["view"] == old["entries"][1]["turn"]["view"]
    code, out, _ = run(capsys, "verify", file)
    assert code == 0
    assert "played by version 0 of the rules" in out


def test_verify_looks_at_every_file_and_names_the_first_difference(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    wrong = json.loads(file.read_text())
    wrong["entries"][3]["digest"] = "0" * 16
    other = tmp_path / "wrong.caltrop.json"
    other.write_text(json.dumps(wrong))
    assert run(capsys, "verify", file)[0] == 0
    code, out, err = run(capsys, "verify", other, file)
    assert code == 1
    assert f"{file}: " in out
    assert f"{other}: entries[3].digest: entry 4: the digest is" in err


def test_a_zipped_record_is_read_as_well(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    from caltrop.journal import load

    packed = tmp_path / "packed.caltrop.json"
    packed.write_bytes(encoded(load(file), packed=True))
    assert run(capsys, "verify", packed)[0] == 0


def test_a_series_that_is_interrupted_reports_the_games_that_were_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play = series.play_game

    def until_the_third(order: series.SeriesOrder, number: int) -> series.GameResult:
        if number == 3:
            raise KeyboardInterrupt
        return play(order, number)

    monkeypatch.setattr(series, "play_game", until_the_third)
    code, out, err = run(capsys, "simulate", "duel", "--json", "--output", str(tmp_path / "report.json"))
    assert (code, err) == (130, "stopped after 3 of 100 games\n")
    assert out == (tmp_path / "report.json").read_text()
    monkeypatch.undo()
    _, whole, _ = run(capsys, "simulate", "duel", "--num", "3", "--json")
    assert {**json.loads(out), "seconds": 0, "decisions_per_second": 0} == {
        **json.loads(whole),
        "seconds": 0,
        "decisions_per_second": 0,
    }
