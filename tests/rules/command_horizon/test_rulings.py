"""Rulings as files: every worked example holds, agrees with the page of rules, and could fail."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import yaml

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.clauses.inventory import folder as pages
from caltrop.clauses.inventory import inventory
from caltrop.cli.validate import validate
from caltrop.engine import Match, ruleset
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.rulings import RulingFile
from caltrop.rules.command_horizon.rulings.form import SPELLED, RulingLine
from caltrop.scenarios import sort_of
from caltrop.scenarios.rulings import Ruling, check, position, read_ruling, rulings
from tests.rules.written import file_of, file_with

DOCS = Path(__file__).parents[3] / "docs"

RULINGS = rulings("command-horizon")
BY_ID = {r.id: r for r in RULINGS}
PAGE = (pages() / "command-horizon.md").read_text(encoding="utf-8")
ROWS = {result[1]: result[2] for result in re.finditer(r"^\| (W\d+[a-z]?) \| ([^|]*) \|", PAGE, re.M)}
ONE_EDITION = re.findall(r"^\| (W\d+[a-z]?) \| [^|]* \| current[:,]", PAGE, re.M)


def written(id: str) -> RulingFile:
    """Return a ruling's file."""
    head = BY_ID[id].head
    assert isinstance(head, RulingFile)
    return head


# --- the worked examples of the page ----------------------------------------------------------------------------------


def spelled_out(text: str) -> set[str]:
    """Return the clauses of a row, which may be abbreviated: `CH-MARK-10 to 13`, `CH-ASORI-01, 02`."""
    result: set[str] = set()
    if text.startswith("same"):
        result, text = spelled_out(ROWS["W13a"]), text[4:]
    before = ""
    for part in text.replace(" to ", "~").split(","):
        first, _, last = part.strip().partition("~")
        one = re.fullmatch(r"([A-Z0-9-]+-)?(\d+)", first)
        if not one:
            continue  # a house rule
        before = one[1] or before
        for number in range(int(one[2]), int(last or one[2]) + 1):
            result.add(f"{before}{number:0{len(one[2])}}")
    return result


def test_every_worked_example_is_a_ruling() -> None:
    assert len(ROWS) == 97
    assert [r.id for r in RULINGS] == sorted(ROWS)


@pytest.mark.parametrize("id", sorted(ROWS))
def test_a_ruling_names_the_clauses_of_its_row(id: str) -> None:
    clauses = written(id).clauses
    assert set(clauses) == spelled_out(ROWS[id])


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda r: r.id)
def test_a_ruling_is_played_in_every_edition_that_has_its_clauses(ruling: Ruling) -> None:
    head = written(ruling.id)
    clauses = inventory("command-horizon", "CH-").clauses
    held = {clauses[c].edition for c in head.clauses if c in clauses}
    played = {e for case in head.cases for e in (case.editions or ruling.editions)}
    assert played >= held - {"both"}
    if "current" not in held and ruling.id not in ONE_EDITION:
        assert played == {"current", "v1.5"}


# --- the format -------------------------------------------------------------------------------------------------------

SOUND = """\
ruleset: command-horizon
id: X1
title: A shot
question: What do Light tanks do?
clauses: [CH-FIRE-01]
editions: [current]
scene:
  units:
    shooters: {side: A, kind: light-tank, at: [[20, 20]], models: 1}
    target: {side: B, kind: light-tank, at: [[20, 35]]}
cases:
  - play:
      - start: turn from targets
      - {do: Fire, unit: shooters, target: target}
      - {do: EndAllocation}
      - {do: EndReactions}
      - {dice: [6]}
      - {dice: [1]}
      - {pass: Casualty}
      - expect: {units: {target: {models: 3}}, cp: {A: 9}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: A shot", "titel: A shot", "3:1: titel: there is no such key; did you mean 'title'"),
        ("ruleset: command-horizon", "ruleset: duel", "1:1: ruleset: this is a ruling of duel"),
        ("[current]", "[curent]", "6:12: editions.0.: there is no edition 'curent'; did you mean 'current'"),
        ("kind: light-tank, at: [[20, 35]]", "at: [[20, 35]]", "the unit 'target' needs a side and a kind"),
        (
            "do: EndAllocation",
            "do: EndAlocation",
            "15:10: .*'EndAlocation'; did you mean 'EndAllocation'",
        ),
        ("unit: shooters,", "unit: shooter,", "14:20: .*no unit 'shooter'; did you mean 'shooters'"),
        ("target: target}", "target: target, into: target}", "14:52: .*do takes no such key here"),
        ("turn from targets", "turn from target", "13:9: .*did you mean 'turn from targets'"),
        ("pass: Casualty", "pass: Casualties", "did you mean 'Casualty'"),
        ("{dice: [6]}", "{dice: [6], do: first}", "17:9: .*exactly one of start, do, pass, dice, ask, expect"),
        ("models: 3}", "modles: 3}", "20:35: .*did you mean 'models'"),
        ("cp: {A: 9}", "told: [{event: Damagd}]", "did you mean 'Damaged'"),
        ("cp: {A: 9}", "waiting: Target", "did you mean 'Targets'"),
        ("cases:", "rules: {defence.asign: manual}\ncases:", "defence.asign"),
        ("  - play:", "  - answer: {kills: 1}\n    play:", "or else something to play"),
        ("side: A, kind", "side: A, locked: [targets], kind", "no unit 'targets'"),
        ("{do: EndAllocation}", "{do: Lose, model: target}", "a model is named as in"),
        ("  - play:", "  - editions: [v1.5]\n    play:", "does not hold in 'v1.5'"),
        ("units:\n", "armies: [alliance, azori]\n  units:\n", "did you mean 'asori'"),
        ("{do: EndAllocation}", "{ask: price of shots, unit: target, is: 1}", "did you mean 'price of shot'"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ruling(file_with(tmp_path, SOUND, old, new), "command-horizon")


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("models: 3}", "models: 2}", 20, "target.models: expected 2, got 3"),
        ("cp: {A: 9}", "vp: {A: 1}", 20, "VP of A: expected 1, got 0"),
        ("cp: {A: 9}", "told: [{event: AttackResolved}]", 20, "what happened"),
        ("cp: {A: 9}", "untold: [UnitDestroyed, Damaged]", 20, "Damaged happened"),
        ("{dice: [6]}", "{dice: [6, 6]}", 16, "1 die with 6 sides is asked for"),
        ("      - {dice: [1]}\n", "", 16, "the script is at its end"),
        ("      - {pass: Casualty}", "      - {dice: [2]}\n      - {pass: Casualty}", 16, "never asked for"),
        ("{do: EndReactions}", "{do: EndReactions, side: A}", 16, "nobody is asked for EndReactions"),
        ("{do: EndReactions}", "{do: React, unit: target, answers: shooters, refused: CH-RF-09}", 16, "is not refused"),
        ("{do: EndReactions}", "{do: React, unit: target, answers: shooters, allowed: false}", 16, "got allowed"),
        ("target: target}", "target: target, boost: 2, refused: CH-STUN-05}", 14, "by another clause"),
        ("target: target}", "target: target, boost: 1, allowed: false}", 14, "expected refused, got allowed"),
        ("[[20, 35]]", "[[20, 95]]", 14, "nobody is asked for Fire"),
        ("{pass: Casualty}", "{pass: Targets}", 19, "another decision waits"),
        ("{do: EndReactions}", "{start: combat}", 16, "something is still going on"),
        ("start: turn from targets", "{pass: Targets}", 13, "another decision waits: expected Targets, got nothing"),
        ("do: EndAllocation", "do: Move, unit: shooters", 15, "no Move of shooters is offered"),
        ("target: target}", "target: target, sighter: target}", 14, "is refused"),
        ("start: turn from targets", "{start: turn from targets, made: [swarm]}", 13, "units that have come"),
    ],
)
def test_what_comes_out_otherwise_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, what: str
) -> None:
    differences = check(read_ruling(file_with(tmp_path, SOUND, old, new)))
    assert differences
    assert differences[0].line == line
    assert what in str(differences[0])


def test_validate_plays_a_ruling_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sort_of(yaml.safe_load(SOUND)) == "ruling"
    assert validate(file_of(tmp_path, SOUND)) == 0
    assert "the ruling X1 of command-horizon, A shot: it holds" in capsys.readouterr().out
    assert validate(file_of(tmp_path, SOUND.replace("models: 3}", "models: 4}"))) == 1
    errors = capsys.readouterr().err
    assert "X1.yaml:20:" in errors
    assert "the ruling does not hold: case 1 (current): target.models: expected 4, got 3" in errors


def test_the_page_about_rulings_is_true(tmp_path: Path) -> None:
    page = (DOCS / "rulings.md").read_text(encoding="utf-8")
    whole, attack, hexes, blades, squads = re.findall(r"```yaml\n(.*?)```", page, re.S)
    assert check(read_ruling(file_of(tmp_path, hexes), "hex-command")) == []
    assert check(read_ruling(file_of(tmp_path, blades), "blade-skirmish")) == []
    assert check(read_ruling(file_of(tmp_path, squads), "squad-action")) == []
    assert check(read_ruling(file_of(tmp_path, whole))) == []
    head = whole.partition("scene:")[0]
    assert check(read_ruling(file_of(tmp_path, f"{head}cases:\n{attack}"))) == []
    (python,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(python, {})


def test_a_game_without_rulings_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rulings.cache_clear()  # the rulings of a game are read once for each process
    with monkeypatch.context() as without:
        without.setattr(type(ruleset("duel")), "rulings", None)
        with pytest.raises(InputError, match="duel has no rulings"):
            rulings("duel")
    with pytest.raises(InputError, match="did you mean 'command-horizon'"):
        rulings("command-horizons")


# --- on the table -----------------------------------------------------------------------------------------------------


def test_a_case_is_a_position_that_can_be_played_on() -> None:
    match = position(BY_ID["W33"])
    assert isinstance(match, Match)
    assert [type(d).__name__ for d in match.waiting] == ["Orders"]
    t = match.state
    assert isinstance(t, Battle)
    assert [u.name for u in t.units] == ["Rushers", "Platoon"]
    dice = Seeded(1)
    for _ in range(30):
        if not match.waiting:
            break
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice))
    assert len(match.journal) > 1


def test_what_is_no_position_says_so() -> None:
    with pytest.raises(InputError, match="not a position on a table"):
        position(BY_ID["W02"])
    with pytest.raises(InputError, match="has no case 'x'"):
        position(BY_ID["W33"], "x")
    with pytest.raises(InputError, match="does not hold in the edition"):
        position(BY_ID["W43"], edition="v1.5")


def test_a_line_of_play_has_a_key_for_every_field_of_every_action() -> None:
    keys = {f.name for f in msgspec.structs.fields(RulingLine)}
    for action in ruleset("command-horizon").vocabulary().actions:
        for f in msgspec.structs.fields(action):
            assert keys.intersection(SPELLED.get(f.name, (f.name,))), (action.__name__, f.name)
