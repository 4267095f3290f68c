"""Rulings of Squad Action: errors in a file name their place, and a case is a position to continue from."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.clauses.inventory import inventory
from caltrop.cli.validate import validate
from caltrop.rules.squad_action.records import Firefight
from caltrop.scenarios.rulings import check, position, read_ruling, rulings
from tests.rules.written import file_of, file_with

GAME = "squad-action"
RULINGS = rulings(GAME)
BY_ID = {r.id: r for r in RULINGS}
KNOWN = inventory(GAME, "SQ-")


def test_every_ruling_of_the_page_stands_in_a_file() -> None:
    assert KNOWN.questions
    missing = set(KNOWN.questions) - {clause for r in RULINGS for clause in r.head.clauses}
    assert not missing, "give each of these rulings a file in data/rulings that names it under `clauses`"


# --- the format -------------------------------------------------------------------------------------------------------

SOUND = """\
ruleset: squad-action
id: X1
title: A shot in the open
question: Is anybody pinned?
clauses: [SQ-SHO-06]
scene:
  terrain: [{id: woods, kind: woods, box: [30, 30, 36, 36]}]
  units:
    ours: {side: south, kind: regular, at: [[10, 10]], models: 2, weapons: [rpg]}
    theirs: {side: north, kind: regular, at: [[10, 22.6]]}
    tank: {side: north, kind: battle-tank, at: [[30, 20]], facing: [0, -1]}
cases:
  - play:
      - {ask: gap, unit: ours, target: theirs, is: 12}
      - start: turn
      - {do: Shoot, unit: ours, fire: {rifle: theirs}, then: [move]}
      - {dice: [4]}
      - {dice: [4]}
      - {do: Fall, models: [8]}
      - {dice: [3]}
      - expect:
          units: {theirs: {models: 7, pinned: true}}
          told: [{event: MoraleChecked, unit: theirs, parts: -1}]
      - {do: Move, unit: ours, by: [[0, 2], [1, 0]]}
      - expect: {units: {ours: {at: [[11, 12], [12, 12]], travelled: 3}}, clouds: [], waiting: nothing}
"""


def test_the_file_that_the_others_are_made_of_is_sound(tmp_path: Path) -> None:
    assert check(read_ruling(file_of(tmp_path, SOUND), GAME)) == []


def test_of_a_written_way_those_who_have_fallen_are_left_out(tmp_path: Path) -> None:
    ways = ", ".join(f"{n}: [[{9 + n}, 23]]" for n in range(1, 8))
    then = f"""\
      - {{start: turn, side: north}}
      - {{do: Move, unit: theirs, paths: {{{ways}, 8: [[17, 23], [17, 24]]}}, then: [shoot]}}
      - expect: {{units: {{theirs: {{models: 7, at: [{", ".join(f"[{9 + n}, 23]" for n in range(1, 8))}]}}}}}}
"""
    passed = SOUND.replace("- {dice: [3]}", "- {dice: [6]}").replace("pinned: true", "pinned: false")
    assert check(read_ruling(file_of(tmp_path, passed + then), GAME)) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: A", "titel: A", "3:1: titel: there is no such key; did you mean 'title'"),
        ("ruleset: squad-action", "ruleset: duel", "1:1: ruleset: this is a ruling of duel"),
        ("clauses:", "editions: [curent]\nclauses:", "there is no edition 'curent'; did you mean 'current'"),
        ("side: south, kind: regular", "side: south", "9:5: .*the unit 'ours' needs a side, a kind and a place"),
        ("kind: regular, at: [[10, 22.6]]", "kind: regulars, at: [[10, 22.6]]", "did you mean 'regular'"),
        ("weapons: [rpg]", "weapons: [rgp]", "there is no weapon 'rgp'; did you mean 'rpg'"),
        ("weapons: [rpg]", "weapons: [rpg, rpg, rpg]", "ours has 2 models, and 3 weapons"),
        ("weapons: [rpg]", "traits: [fats]", "there is no trait 'fats'; did you mean 'fast'"),
        ("weapons: [rpg]", "aboard: tanks", "the scene has no unit 'tanks'; did you mean 'tank'"),
        ("at: [[10, 22.6]]", "at: [[11.5, 10.2]]", "10:5: .*theirs stands on ours"),
        ("at: [[10, 22.6]]", "at: [[46, 22.6]]", "theirs is not wholly on the table"),
        ("at: [[30, 20]]", "at: [[30, 46.8]]", "tank is not wholly on the table"),
        ("facing: [0, -1]", "facing: [0, 0]", "11:[0-9]+: .*tank faces nowhere"),
        ("side: north, kind: regular", "side: nort, kind: regular", "did you mean 'north'"),
        ("kind: woods", "kind: wodos", "7:25: .*did you mean 'woods'"),
        ("box: [30, 30, 36, 36]", "box: [30, 30, 36, 36], line: [[1, 1], [2, 1]]", "7:13: .*one shape"),
        ("start: turn", "start: turns", "15:9: .*did you mean 'turn'"),
        ("ask: gap, unit: ours, target", "ask: gap, target", "gap needs a unit"),
        ("do: Shoot", "do: Shot", "'Shot'; did you mean 'Shoot'"),
        ("do: Fall,", "do: Fall, unit: ours,", "do takes no such key here"),
        ("then: [move]", "then: [moves]", "did you mean 'move'"),
        ("fire: {rifle: theirs}", "fire: {rifle: their}", "no unit 'their'; did you mean 'theirs'"),
        ("fire: {rifle: theirs}", "fire: {rifel: theirs}", "no weapon 'rifel'; did you mean 'rifle'"),
        ("{dice: [3]}", "{dice: [3], ask: gap}", "exactly one of start, do, pass, dice, ask, expect"),
        ("models: 7, pinned", "modles: 7, pinned", "did you mean 'models'"),
        ("event: MoraleChecked", "event: MoralChecked", "did you mean 'MoraleChecked'"),
        ("waiting: nothing", "waiting: Nothin", "no decision 'Nothin'"),
        ("cases:", "rules: {smoke: thick}\ncases:", "smoke"),
        ("ask: gap, unit: ours, target: theirs", "ask: points, force: border-compani", "did you mean 'border-company'"),
        (
            "ask: gap, unit: ours, target: theirs",
            "ask: needed, unit: ours, target: tank, weapon: rgp",
            "no weapon 'rgp'; did you mean 'rpg'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ruling(file_with(tmp_path, SOUND, old, new), GAME)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("is: 12", "is: 13", 14, "gap: expected 13, got 12.0"),
        ("models: 7", "models: 6", 22, "theirs.models: expected 6, got 7"),
        ("pinned: true", "pinned: false", 22, "theirs.pinned: expected False, got True"),
        ("pinned: true", "where: gone", 22, "theirs.where: expected gone, got table"),
        ("pinned: true", "gap: {ours: 11}", 22, "theirs.gap.ours: expected 11.0, got 12.0"),
        ("parts: -1", "parts: 0", 23, "what happened"),
        ("at: [[11, 12], [12, 12]]", "at: [[11, 13]]", 25, "ours.at: expected [[11.0, 13.0]], got [[11.0, 12.0]]"),
        ("at: [[11, 12], [12, 12]]", "at: [[11.02, 12]]", 25, "ours.at: expected [[11.02, 12.0]], got [[11.0, 12.0]]"),
        ("travelled: 3", "travelled: 2", 25, "ours.travelled: expected 2.0, got 3.0"),
        ("clouds: []", "clouds: [[1, 1]]", 25, "clouds: expected [[1.0, 1.0]], got []"),
        ("clouds: []", "turn: 2", 25, "turn: expected 2, got 1"),
        ("clouds: []", "winner: nobody", 25, "winner: expected nobody, got None"),
        ("clouds: []", "smoke: {south: 1}", 25, "smoke of south: expected 1, got 0"),
        ("clouds: []", "pilot: ours", 25, "pilot: expected ours, got nobody"),
        ("{dice: [3]}", "{dice: [3, 3]}", 19, "1 die with 6 sides is asked for"),
        ("      - {dice: [3]}\n", "", 19, "the script is at its end"),
        ("by: [[0, 2], [1, 0]]", "by: [[0, 9]]", 24, "is refused"),
        ("models: [8]", "models: [7, 8]", 19, "is refused"),
        ("do: Fall, models: [8]", "do: Fall, models: [8], refused: SQ-Q44", 19, "Fall is not refused"),
    ],
)
def test_what_comes_out_otherwise_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, what: str
) -> None:
    faults = check(read_ruling(file_with(tmp_path, SOUND, old, new), GAME))
    assert faults
    assert what in str(faults[0])
    assert faults[0].line == line


def test_validate_plays_a_ruling_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file_of(tmp_path, SOUND)) == 0
    assert "the ruling X1 of squad-action, A shot in the open: it holds" in capsys.readouterr().out
    assert validate(file_of(tmp_path, SOUND.replace("models: 7", "models: 6"))) == 1
    assert "X1.yaml:22:" in capsys.readouterr().err


# --- on the table -----------------------------------------------------------------------------------------------------


def test_a_case_is_a_position_that_can_be_played_on() -> None:
    match = position(BY_ID["SQ-W04"])
    assert [type(d).__name__ for d in match.waiting] == ["Orders"]
    t = match.state
    assert isinstance(t, Firefight)
    assert [u.name for u in t.units] == ["Ours", "Theirs"]
    dice = Seeded(1)
    for _ in range(30):
        if not match.waiting:
            break
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice))
    assert len(match.journal) > 1


def test_what_is_no_position_says_so() -> None:
    with pytest.raises(InputError, match="not a position on a table"):
        position(BY_ID["SQ-W02"])
    with pytest.raises(InputError, match="has no case 'x'"):
        position(BY_ID["SQ-W04"], "x")
