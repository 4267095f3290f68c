"""Squad Action on the command line: own forces and missions, points, and error messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from caltrop.chance import Seeded
from caltrop.journal import Setting, load, record_of, save
from caltrop.rules.squad_action.records import Firefight
from caltrop.scenarios import built_in
from tests.cli.test_games import run

GAME = "squad-action"

FORCE = """\
ruleset: squad-action
id: own
title: Own
units:
  - {name: Boss, profile: hero, models: 3, officer: true, weapons: [blaster]}
  - {name: Bike, vehicle: bike}
profiles:
  hero: {title: Hero, plural: Heroes, fire: 3, cqb: 3, morale: 2, armour: 4, points: 20}
weapons:
  blaster: {title: blaster, effective: 12, reach: 24, shots: 2, ap: -1, at: VLt, points: 5}
vehicles:
  bike: {title: Bike, move: 10, armour: [U, U, U], weapons: [light-machine-gun], morale: 3, points: 20}
"""


@pytest.fixture
def force(tmp_path: Path) -> Path:
    """Return a force with a profile, a weapon and a vehicle of its own."""
    file = tmp_path / "own.yaml"
    file.write_text(FORCE)
    return file


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """Return a mission file: the first battle, limited to one turn."""
    file = tmp_path / "mission.yaml"
    text = built_in(GAME)["first-battle"].read_text()
    file.write_text(text.replace("turns: 5", "turns: 1").replace("title: First Battle", "title: One Turn"))
    return file


def test_the_game_is_named_with_all_that_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games", "--json")
    assert code == 0
    listed = next(game for game in json.loads(out)["rulesets"] if game["name"] == GAME)
    assert listed["editions"] == ["current"]
    assert {"first-battle", "meeting-engagement", "downed-pilot"} <= {s["id"] for s in listed["scenarios"]}
    assert {a["id"] for a in listed["armies"]} >= {"border-company", "talon-strike", "grey-lancers"}
    assert len(listed["rules"]) == 31


def test_files_of_ones_own_are_checked_and_fought_with(
    force: Path, mission: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "validate", force, mission)
    assert (code, err) == (0, "")
    assert "the force Own, 2 units for 105 points" in out
    assert "the mission One Turn" in out
    words = ("--players", "random,random", "--num", "1", "--seed", "1", "--json")
    arms = ("--armies", f"{force},first-section-north", "--rule", "activation=alternate")
    code, out, err = run(capsys, "simulate", GAME, "--scenario", mission, *arms, *words)
    assert code == 0, err
    played = json.loads(out)
    assert played["games"] == 1
    assert played["length"]["max"] == 1


def test_a_size_is_points_and_cuts_both_forces(capsys: pytest.CaptureFixture[str]) -> None:
    setting = Setting(ruleset=GAME, edition="current", scenario="meeting-engagement", size=350)
    match = setting.begin(Seeded(1))
    t = match.state
    assert isinstance(t, Firefight)
    for side in (0, 1):
        assert sum(u.points for u in t.units if u.side == side) <= 350
    words = ("--players", "random,random", "--num", "1", "--seed", "1")
    code, _, err = run(capsys, "simulate", GAME, "--scenario", "meeting-engagement", "--size", "200", *words)
    assert code == 1
    assert "Border Company costs 498 points, and 200 are agreed on; its smallest part costs 350 points" in err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("profile: hero", "profile: heroo", "units[0].profile: there is no profile 'heroo'; did you mean 'hero'?"),
        ("[blaster]", "[blastr]", "units[0].weapons[0]: no soldier carries 'blastr'; did you mean 'blaster'?"),
        ("vehicle: bike", "vehicle: bik", "units[1].vehicle: there is no vehicle 'bik'; did you mean 'bike'?"),
        ("models: 3", "models: 30", "units[0].models: 30 is out of range; the nearest right value is 20"),
        ("[U, U, U]", "[U, X, U]", "vehicles.bike.armour[1]: 'X' is not allowed here; it is one of Hvy, Lt, Med, U"),
        ("vehicles:", "vehicels:", "vehicels: there is no such key; did you mean 'vehicles'?"),
    ],
)
def test_what_is_wrong_in_a_force_is_named_with_its_place_and_the_nearest_right_value(
    force: Path, old: str, new: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    force.write_text(FORCE.replace(old, new, 1))
    code, out, err = run(capsys, "validate", force)
    assert (code, out) == (1, "")
    line = next(n for n, text in enumerate(force.read_text().splitlines(), 1) if new in text)
    assert f"own.yaml:{line}:" in err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--scenario", "first-batle"),
            "no scenario 'first-batle' of squad-action; did you mean 'first-battle'?",
        ),
        (
            ("--armies", "grey-lancer,talon-strike"),
            "no force 'grey-lancer' of squad-action; did you mean 'grey-lancers'?",
        ),
        (("--armies", "talon-strike"), "there are two sides, and forces for 1; give one for each"),
        (("--rule", "activation=sides"), "activation is side, alternate or random_draw; here it is 'sides'"),
        (("--edition", "v2"), "current"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_one_line(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ("--players", "random,random", "--num", "1", "--seed", "1")
    code, out, err = run(capsys, "simulate", GAME, *words, *rest)
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_recorded_firefight_is_stepped_through_and_verified(
    mission: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = Setting(ruleset=GAME, edition="current", scenario="first-battle")
    match, choices = setting.begin(Seeded(3)), Seeded(18)
    for _ in range(30):
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(choices))
    file = tmp_path / "firefight.caltrop.json"
    save(record_of(match, setting, players=("random", "random"), seed=3, resigned=1), file)
    assert load(file).ruleset == GAME
    code, out, _ = run(capsys, "replay", file, "--to", "30")
    assert code == 0
    assert "South Command" in out
    code, out, err = run(capsys, "verify", file)
    assert (code, err) == (0, "")


def test_schemas_name_what_files_may_say(capsys: pytest.CaptureFixture[str]) -> None:
    for name, has in (("army", "profiles"), ("scenario", "objectives"), ("attack", "shooter")):
        code, out, _ = run(capsys, "schema", name, "--game", GAME)
        assert code == 0
        assert f'"{has}"' in out
