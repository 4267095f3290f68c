"""`caltrop campaign`: begin one, play its battles, and count each of them once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from caltrop import cli
from caltrop.chance import Seeded
from caltrop.cli import campaign as module


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.main(["campaign", *[str(word) for word in words]])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def file(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new campaign, with the same first scenario and dice in every run."""
    monkeypatch.setattr("caltrop.host.seats.SecureDice", lambda: Seeded(1))
    monkeypatch.setattr("caltrop.host.seats.new_id", lambda: "redhand23456")
    path = tmp_path / "red-hand.caltrop-campaign.json"
    code, out, err = run(capsys, "new", path, "--rule", "nemesis=on", "--army", "old-guard")
    assert (code, err) == (0, "")
    assert out.startswith("Red Hand: 0 of 6 battles of A Season fought, score 0\n")
    return path


def test_a_new_campaign_has_the_warband_and_the_house_rules(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = json.loads(run(capsys, "show", file, "--json")[1])
    assert [one["name"] for one in words["overview"]["roster"]] == ["Hedda", "Runa", "Marit", "Solvei"]
    assert words["overview"]["rules"] == {"nemesis": "on"}
    assert words["battle"] is None
    before = file.read_bytes()
    code, out, err = run(capsys, "new", file)
    assert (code, out) == (1, "")
    assert "a campaign is never overwritten" in err
    assert file.read_bytes() == before


def test_a_battle_of_a_computer_player_is_counted_and_its_record_kept(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(
        capsys, "play", file, "--player", "random", "--seed", "3", "--json", "--answer", "recruits=Zoe"
    )
    assert (code, err) == (0, "")
    words = json.loads(out)
    record = file.with_name("red-hand-battle-1.caltrop.json")
    assert words["overview"]["battles"] == [words["battle"]]
    assert words["battle"]["fielded"] == ["Hedda", "Runa", "Marit", "Solvei"]
    assert "Zoe" in [one["name"] for one in words["overview"]["roster"]]
    assert sum(part["value"] for part in words["overview"]["score"]) == words["overview"]["points"]
    assert cli.main(["validate", str(file), str(record)]) == 0
    assert "the campaign Red Hand of blade-skirmish, after 1 of its battles" in capsys.readouterr().out
    before = file.read_bytes()
    code, out, err = run(capsys, "count", file, record)
    assert (code, out) == (1, "")
    assert err == "caltrop: This battle has been counted already: it is battle 1 (BS-S40)\n"
    assert file.read_bytes() == before
    assert list(file.parent.glob(".*")) == []


def test_somebody_is_dressed_and_the_file_keeps_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wear = ("--name", "Red Hedda", "--cloak", "ember", "--saying", "Mind the edge.", "--played-by", "Ann")
    code, out, err = run(capsys, "dress", file, "--who", "Hedda", *wear)
    assert (code, err) == (0, "")
    assert "played by Ann, wears ember, “Mind the edge.”" in next(one for one in out.splitlines() if "Red Hedda" in one)
    assert run(capsys, "show", file)[1] == out


def test_the_chronicle_tells_every_battle(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "chronicle", file)[1] == "Red Hand\n\nNo battle has been fought. The score is 0.\n"
    run(capsys, "play", file, "--player", "random", "--seed", "3")
    shown = json.loads(run(capsys, "show", file, "--json")[1])["overview"]
    out = run(capsys, "chronicle", file)[1]
    (battle,) = shown["battles"]
    assert f"1. {battle['title']}\n" in out
    assert " ".join(battle["tale"]) in " ".join(out.split())
    assert out.endswith(f"More battles follow. The score is {shown['points']}.\n")


def test_a_record_is_counted_and_the_accounting_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = file.read_bytes()
    run(capsys, "play", file, "--player", "random", "--seed", "5")
    file.write_bytes(before)
    code, out, _ = run(capsys, "count", file, file.with_name("red-hand-battle-1.caltrop.json"))
    assert code == 0
    accounting, _, table = out.partition("\n\n")
    assert "experience: took part 1" in accounting
    assert "(BS-S41)" in accounting
    assert "Battle 1: " in table
    assert "Next: " in table


def test_what_a_battle_asks_is_read_before_it_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "road.caltrop-campaign.json"
    run(capsys, "new", file, "--course", "salt-road")
    before = file.read_bytes()
    code, out, _ = run(capsys, "play", file, "--player", "random", "--seed", "5", "--look")
    assert code == 0
    assert "Which way now? The Long Bridge: Cross the water" in out
    assert "(--answer 'next=The Long Bridge')" in out
    assert "The battle is not counted yet" in out
    assert file.read_bytes() == before
    record = file.with_name("road-battle-1.caltrop.json")
    code, out, _ = run(capsys, "count", file, record, "--answer", "next=The Reliquary")
    assert code == 0
    assert "is worth the fight: The Reliquary\n" in out
    assert "Road: 1 of 3 battles of The Salt Road fought" in out
    assert "Next: The Reliquary" in out
    assert "Four guard a relic in the middle. Take it home before more of them come\n" in out


def test_a_battle_that_a_person_plays_is_the_next_of_the_campaign(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: dict[str, Any] = {}

    def start(expected: dict[str, Any], **how: Any) -> int:
        begun.update(expected)
        return 0

    monkeypatch.setattr("caltrop.cli.play.start", start)
    assert run(capsys, "play", file, "--field", "Runa, Marit")[0] == 0
    warband = json.loads(begun["armies"][0])
    assert [one["name"] for one in warband["fighters"]] == ["Runa", "Marit"]
    assert begun["rules"]["nemesis"] == "on"
    assert begun["scenario"] == json.loads(file.read_bytes())["next"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("count",), 2, "name the record to count"),
        (("show", "x.caltrop.json"), 2, "name the record to count"),
        (
            ("play", "--field", "Runaa", "--player", "random"),
            1,
            "There is no Runaa on the roster; did you mean 'Runa'?",
        ),
        (("play", "--player", "random", "--answer", "recruit=Zoe"), 1, "did you mean 'recruits'?"),
        (("play", "--player", "random", "--answer", f"recruits={41 * 'Z'}"), 1, "a name has 1 to 40 characters"),
        (("play", "--player", "random", "--answer", "Zoe"), 2, "written QUESTION=NAME,NAME"),
        (("dress", "--cloak", "wine"), 2, "name the member to dress, as in"),
        (("dress", "--who", "Runa", "--name", "A, B"), 1, "a name has 1 to 24 letters and digits"),
        (("dress", "--who", "Runa", "--cloak", "wines"), 1, "did you mean 'wine'?"),
        (("play", "--player", "genius"), 1, "there is no player 'genius'"),
        (
            ("play", "--player", "random", "--answer", "recruits=A,B,C,D,E,F"),
            1,
            "recruits this time; you named 6 (BS-S44)",
        ),
    ],
)
def test_what_is_wrong_is_one_line_and_the_file_stays(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, says: str
) -> None:
    before = file.read_bytes()
    result, out, err = run(capsys, words[0], file, *words[1:])
    assert (result, out) == (code, "")
    assert says in err
    assert err.count("\n") == 1
    assert file.read_bytes() == before


def test_a_file_that_is_no_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text, says in (
        ("a.json", "{}", 'this is not a campaign: its format would be "caltrop-campaign"'),
        ("b.json", '{"format": "caltrop-campaign", "ruleset": "hex-command"}', "'hex-command' has no campaigns"),
        ("c.json", '{"format": "caltrop-campaign", "ruleset": "blade-skirmish"}', "this key is missing"),
    ):
        path = tmp_path / name
        path.write_text(text)
        code, _, err = run(capsys, "show", path)
        assert code == 1
        assert says in err
        assert str(path) in err
    code, _, err = run(capsys, "show", tmp_path / "none.json")
    assert (code, "No such file" in err) == (1, True)


def test_a_file_is_put_in_place_as_a_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(Exception, match="the disk is full"):
        module._write(file, b"half")
    assert file.read_bytes() == before
