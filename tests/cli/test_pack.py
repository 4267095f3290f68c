"""The command that makes, checks, installs, lists and shares packs, and the commands that use one."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path

import pytest

from caltrop import cli


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty current folder with a separate data folder."""
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Return what a command printed: to standard output if it succeeded, else to standard error."""
    assert cli.main(list(words)) == code, capsys.readouterr().err
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def test_from_nothing_to_a_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "pack", "new", "hex-command", "--title", "Iron Dawn")
    assert "changes nothing yet" in said(capsys, "pack", "check", "iron-dawn")
    units = here / "iron-dawn" / "units.yaml"
    units.write_text("vehicle-medium: {move: 4, battle_move: 9}\n")
    assert "units" in said(capsys, "pack", "check", "iron-dawn", code=1)
    units.write_text("vehicle-medium: {move: 4, battle_move: 4}\n")
    assert "Battle Tanks: move 3 -> 4" in said(capsys, "pack", "check", "iron-dawn")
    assert json.loads(said(capsys, "pack", "check", "iron-dawn", "--json"))[0]["after"] == "4"
    link = said(capsys, "pack", "share", "iron-dawn").strip()
    said(capsys, "pack", "share", "iron-dawn", "--output", "iron.zip")
    for form in (link, "iron.zip"):
        assert "move 3 -> 4" in said(capsys, "pack", "check", form)
    assert "No packs are installed" in said(capsys, "pack", "list")
    said(capsys, "pack", "install", "iron.zip")
    assert "iron-dawn" in said(capsys, "pack", "list")
    assert json.loads(said(capsys, "pack", "list", "--json"))[0]["title"] == "Iron Dawn"
    # An installed pack is named by its id, and gives the same battles as its file.
    series = ("simulate", "hex-command", "--players", "random,random", "--num", "2", "--seed", "1", "--json")
    one = json.loads(said(capsys, *series, "--pack", "iron-dawn"))
    other = json.loads(said(capsys, *series, "--pack", "iron.zip"))
    plain = json.loads(said(capsys, *series))
    assert one["digest"] == other["digest"] != plain["digest"]
    assert one["rules"]["pack"].startswith("iron-dawn@")
    assert "pack" not in plain["rules"]


def test_an_army_is_judged_by_a_pack(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("dear.yaml").write_text(
        "format: caltrop-pack\nruleset: hex-command\nid: dear\ntitle: Dear\n"
        "rows: {units: {infantry-medium: {points: 9}}}\n"
    )
    plain = json.loads(said(capsys, "army", "show", "granite-guard", "--json"))
    dear = json.loads(said(capsys, "army", "show", "granite-guard", "--json", "--pack", "dear.yaml"))
    assert dear["points"] > plain["points"]
    assert "costs" in said(capsys, "army", "check", "granite-guard", "--points", "82", "--pack", "dear.yaml", code=1)


def test_nothing_is_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "pack", "new", "duel")
    assert "this folder is not empty" in said(capsys, "pack", "new", "duel", code=1)


def test_the_schema_names_the_rows_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(said(capsys, "schema", "pack", "--game", "hex-command"))
    row = schema["$defs"]["units-row"]
    assert row["properties"]["move"] == {"type": "integer", "minimum": 0, "maximum": 6}
    assert "key" not in row["properties"]
    assert schema["$defs"]["PackFile"]["properties"]["ruleset"] == {"enum": ["hex-command"]}


def test_an_attack_is_refereed_and_weighed_by_a_pack(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("strong.yaml").write_text(
        "format: caltrop-pack\nruleset: hex-command\nid: strong\ntitle: Strong\n"
        "rows: {units: {vehicle-medium: {dice: [5, 5, 5]}}}\n"
    )
    asked = {
        "ruleset": "hex-command",
        "attacker": {"class": "vehicle", "type": "medium"},
        "target": {"class": "vehicle", "type": "medium", "strength": 3},
        "range": 3,
    }
    Path("asked.json").write_text(json.dumps(asked))
    plain = json.loads(said(capsys, "odds", "asked.json"))
    strong = json.loads(said(capsys, "odds", "asked.json", "--pack", "strong.yaml"))
    assert (plain["battle_dice"], strong["battle_dice"]) == (3, 5)
    thrown = {**asked, "dice": {"battle": ["I"] * 5, "shields": []}}
    Path("thrown.json").write_text(json.dumps(thrown))
    assert json.loads(said(capsys, "resolve", "thrown.json", "--pack", "strong.yaml"))["battle_dice"] == 5
    assert "5" in said(capsys, "resolve", "thrown.json", code=1)
    # A request that names the pack itself gives the same result. A request that names another pack is refused.
    named = {**asked, "rules": {"pack": "strong"}}
    Path("named.json").write_text(json.dumps(named))
    said(capsys, "pack", "install", "strong.yaml")
    assert json.loads(said(capsys, "odds", "named.json")) == strong
    full = json.loads(said(capsys, "odds", "named.json", "--pack", "strong.yaml"))
    assert full == strong
    Path("other.json").write_text(json.dumps({**asked, "rules": {"pack": "weak@0"}}))
    assert "rules.pack" in said(capsys, "odds", "other.json", "--pack", "strong.yaml", code=1)
    Path("odd.json").write_text(json.dumps({**asked, "rules": 3}))
    assert "rules" in said(capsys, "odds", "odd.json", "--pack", "strong.yaml", code=1)
    duel = {"ruleset": "duel", "target": {"wounds": 2}}
    Path("duel.json").write_text(json.dumps(duel))
    assert "hex-command" in said(capsys, "odds", "duel.json", "--pack", "strong.yaml", code=1)


def test_a_row_of_a_new_pack_is_taken_by_its_comment_sign(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Authors change the examples that a new pack has as comments."""
    said(capsys, "pack", "new", "hex-command", "--output", "mine")
    for file in (here / "mine").glob("*.yaml"):
        if file.name != "pack.yaml":
            example = file.read_text().splitlines()[2].removeprefix("# ")
            file.write_text(f"{file.read_text()}{example}\n")
    said(capsys, "pack", "check", "mine")
    assert "mine: the pack" in said(capsys, "validate", "mine")


@pytest.mark.parametrize("form", ["mine", "mine.zip", "mine.yaml"])
def test_every_fault_of_a_pack_is_told_with_its_line(form: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = here / "mine"
    (folder / "armies").mkdir(parents=True)
    head = "format: caltrop-pack\nruleset: hex-command\nid: mine\ntitle: Mine\n"
    units = "infantry-light: {move: 300,\n  size: 99}\nvehicle-lihgt: {move: 3}\nflyer: {like: vehicle-lihgt}\n"
    (folder / "pack.yaml").write_text(head)
    (folder / "units.yaml").write_text(units)
    (folder / "terrain.yaml").write_text("wods: {title: Wod}\n")
    shutil.make_archive("mine", "zip", folder)
    rows = textwrap.indent(units, "    ")
    (here / "mine.yaml").write_text(f"{head}rows:\n  terrain:\n    wods: {{title: Wod}}\n  units:\n{rows}")
    complaints = said(capsys, "pack", "check", form, code=1)
    lines = complaints.splitlines()
    assert len(lines) == 4
    line = 8 if form == "mine.yaml" else 0
    for number, words in ((line + 1, "the nearest is 6"), (line + 2, "the nearest is 9"), (line + 3, "vehicle-light")):
        assert any(f":{number}:" in one and words in one for one in lines), (number, words, complaints)
    assert ("terrain.yaml:1:1" in complaints) is (form != "mine.yaml")
    (folder / "terrain.yaml").unlink()
    (folder / "units.yaml").write_text("{}\n")
    (folder / "armies" / "blue.yaml").write_text("ruleset: hex-command\nid: blue\ntitle: B\nunits:\n- {kind: nobody}\n")
    assert "armies/blue.yaml:5:4" in said(capsys, "pack", "install", "mine", code=1)


def test_every_value_of_a_pack_that_is_wrong_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault hides no other in the same row, in the house rules, or in an army or a scenario of the pack."""
    Path("rows.yaml").write_text(
        "format: caltrop-pack\nruleset: squad-action\nid: rows\ntitle: Rows\nrules: {activation: all, flank: 3}\n"
        "rows: {profiles: {regular: {fire: two, cqb: 99, morale: [3], colour: red}}}\n"
    )
    lines = said(capsys, "pack", "check", "rows.yaml", code=1)
    for field in ("rules.activation", "rules.flank", "fire", "cqb", "morale", "colour"):
        assert f"{field}:" in lines, (field, lines)
    assert sorted(said(capsys, "validate", "rows.yaml", code=1).splitlines()) == sorted(lines.splitlines())
    unit = "{profile: regular, models: 6, name: A}"
    Path("files.yaml").write_text(
        "format: caltrop-pack\nruleset: squad-action\nid: files\ntitle: Files\n"
        "armies:\n  one:\n    ruleset: squad-action\n"
        f"    id: one\n    title: One\n    units: [{unit}, {unit}, {{profile: nobody, name: C}}]\n"
        "scenarios:\n  bad: {ruleset: squad-action, id: bad, title: Bad, words: Bad, minutes: -3, turns: many}\n"
    )
    lines = said(capsys, "pack", "check", "files.yaml", code=1)
    for field in ("units[0].name", "units[1].name", "units[2].profile", "bad.minutes", "bad.turns", "bad.terrain"):
        assert f"{field}:" in lines, (field, lines)
