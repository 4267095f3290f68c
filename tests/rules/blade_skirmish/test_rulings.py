"""Rulings of Blade Skirmish: errors in a file name their place; a case is a position to continue from."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.cli.validate import validate
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.scenarios.rulings import check, position, read_ruling, rulings
from tests.rules.written import file_of, file_with

GAME = "blade-skirmish"
RULINGS = rulings(GAME)
BY_ID = {r.id: r for r in RULINGS}


# --- the format -------------------------------------------------------------------------------------------------------

SOUND = """\
ruleset: blade-skirmish
id: X1
title: Past a wounded enemy
question: May she walk where her enemy stood?
clauses: [BS-MOV-01]
scene:
  terrain: [{id: pit, kind: pit, box: [4, 4, 6, 6]}]
  units:
    ours: {side: south, quality: 2, at: [12, 12]}
    theirs: {side: north, quality: 1, at: [12, 13]}
cases:
  - play:
      - {ask: gap, unit: ours, target: theirs, is: 0}
      - {start: combat}
      - {dice: [6]}
      - {dice: [1]}
      - {dice: [4]}
      - {dice: [1]}
      - {dice: [6]}
      - expect: {units: {theirs: {fate: wounded}}, told: [{event: Struck, attacker: ours}]}
      - {start: movement, unit: ours}
      - {do: Walk, to: [[12, 14]]}
      - expect: {units: {ours: {at: [12, 14], fleeing: false}}, guts: [], waiting: nothing}
"""


GOALS = """\
ruleset: blade-skirmish
id: X2
title: What somebody fights for
question: Who takes the relic, and who leaves?
clauses: [BS-S52, BS-S53]
scene:
  units:
    ours: {side: south, quality: 2, at: [12, 12]}
    theirs: {side: north, quality: 1, at: [20, 20]}
cases:
  - case: the relic
    scene: {goal: relic, relic: [12, 14], home: west}
    play:
      - {start: movement, unit: ours}
      - {do: Walk, to: [[12, 13.5]]}
      - expect: {told: [{event: RelicTaken, fighter: ours}], waiting: nothing}
  - case: the way out
    scene: {goal: leave, exit: east, units: {ours: {at: [23, 12]}}}
    play:
      - {start: movement, unit: ours}
      - {do: Walk, to: [[23.5, 12]]}
      - {do: Leave}
      - expect: {units: {ours: {fate: away}}}
  - case: no way out at the edge
    scene: {goal: leave, exit: west, units: {ours: {at: [23, 12]}}}
    play:
      - {start: movement, unit: ours}
      - {do: Walk, to: [[23.5, 12]]}
      - expect: {units: {ours: {fate: ready}}, waiting: nothing}
"""


def test_a_scene_has_a_relic_a_goal_and_a_way_out(tmp_path: Path) -> None:
    assert check(read_ruling(file_of(tmp_path, GOALS), GAME)) == []
    for wrong in ("goal: relic", "relic: [12, 14]"):
        without = GOALS.replace("goal: relic, relic: [12, 14]", wrong)
        with pytest.raises(InputError, match="who fights for a relic needs a place where it lies"):
            read_ruling(file_of(tmp_path, without), GAME)


def test_the_file_that_the_others_are_made_of_is_sound(tmp_path: Path) -> None:
    assert check(read_ruling(file_of(tmp_path, SOUND), GAME)) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: Past", "titel: Past", "3:1: titel: there is no such key; did you mean 'title'"),
        ("ruleset: blade-skirmish", "ruleset: duel", "1:1: ruleset: this is a ruling of duel"),
        ("clauses:", "editions: [curent]\nclauses:", "there is no edition 'curent'; did you mean 'current'"),
        ("quality: 2, at: [12, 12]", "quality: 2", "the fighter 'ours' needs a side, a Quality and a place"),
        ("quality: 2, at: [12, 12]", "quality: 7, at: [12, 12]", "9:25: .*nearest right value is 6"),
        ("at: [12, 13]", "at: [12, 12.5]", "10:39: .*theirs cannot stand at \\(12, 12.5\\)"),
        ("at: [12, 13]", "at: [5, 6.2]", "theirs cannot stand at"),
        ("at: [12, 13]", "at: [12, 23.8]", "theirs cannot stand at"),
        ("terrain:", "table: [12, 12]\n  terrain:", "ours cannot stand at"),
        ("side: north", "side: nort", "did you mean 'north'"),
        ("kind: pit", "kind: pitt", "did you mean 'pit'"),
        ("box: [4, 4, 6, 6]", "box: [4, 4, 6, 6], circle: {at: [9, 9], radius: 1}", "7:13: .*only one of them"),
        ("box: [4, 4, 6, 6]", "outline: [[4, 4], [6, 6]]", "7:13: .*three corners"),
        ("start: combat", "start: combats", "14:10: .*did you mean 'combat'"),
        ("start: combat", "start: movement", "movement needs a unit"),
        ("ask: gap, unit: ours, target", "ask: gap, target", "gap needs a unit"),
        ("do: Walk", "do: Walks", "'Walks'; did you mean 'Walk'"),
        ("do: Walk,", "do: Walk, unit: ours,", "do takes no such key here"),
        ("movement, unit: ours", "movement, unit: our", "no unit 'our'; did you mean 'ours'"),
        ("{dice: [4]}", "{dice: [4], ask: gap}", "exactly one of start, do, pass, dice, ask, expect"),
        ("fate: wounded", "fates: wounded", "did you mean 'fate'"),
        ("event: Struck", "event: Struk", "did you mean 'Struck'"),
        ("waiting: nothing", "waiting: RunOnAndOn", "no decision 'RunOnAndOn'"),
        ("cases:", "rules: {fatality: sometimes}\ncases:", "fatality"),
        ("ask: gap, unit: ours, target: theirs", "ask: points, warband: six-blade", "did you mean 'six-blades'"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ruling(file_with(tmp_path, SOUND, old, new), GAME)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("is: 0", "is: 1", 13, "gap: expected 1, got 0.0"),
        ("fate: wounded", "fate: dead", 20, "theirs.fate: expected dead, got wounded"),
        ("fate: wounded", "kills: 1", 20, "theirs.kills: expected 1, got 0"),
        ("fate: wounded", "at: [12, 13]", 20, "theirs.at: expected [12.0, 13.0], got None"),
        ("attacker: ours", "attacker: theirs, won: attacker", 20, "what happened"),
        ("{ours: {at: [12, 14]", "{ours: {at: [12, 15]", 23, "ours.at: expected [12.0, 15.0], got [12.0, 14.0]"),
        ("{ours: {at: [12, 14]", "{ours: {at: [12, 14.02]", 23, "ours.at: expected [12.0, 14.02], got [12.0, 14.0]"),
        ("fleeing: false", "fleeing: true", 23, "ours.fleeing: expected True, got False"),
        ("guts: []", "guts: [[1, 1]]", 23, "guts: expected [[1.0, 1.0]], got []"),
        ("{dice: [4]}", "{dice: [5, 5]}", 14, "1 die with 6 sides is asked for"),
        ("      - {dice: [4]}\n", "", 14, "the script is at its end"),
        ("to: [[12, 14]]", "to: [[12, 17]]", 22, "is refused"),
        ("do: Walk, to: [[12, 14]]", "do: Walk", 22, "Walk needs to"),
        ("do: Walk, to: [[12, 14]]", "do: Stay, refused: BS-MOV-01", 22, "Stay is not refused"),
    ],
)
def test_what_comes_out_otherwise_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, what: str
) -> None:
    faults = check(read_ruling(file_with(tmp_path, SOUND, old, new), GAME))
    assert faults
    assert faults[0].line == line
    assert what in str(faults[0])


def test_the_disembowelled_are_compared_one_by_one(tmp_path: Path) -> None:
    lying = SOUND.replace("terrain:", "guts: [[2, 2], [3, 2]]\n  terrain:")
    for given, holds in (("[[2, 2], [3, 2]]", True), ("[[2, 2]]", False), ("[[2, 2], [4, 2]]", False)):
        text = lying.replace("guts: []", f"guts: {given}")
        assert (check(read_ruling(file_of(tmp_path, text), GAME)) == []) == holds


def test_validate_plays_a_ruling_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file_of(tmp_path, SOUND)) == 0
    assert "the ruling X1 of blade-skirmish, Past a wounded enemy: it holds" in capsys.readouterr().out
    assert validate(file_of(tmp_path, SOUND.replace("fate: wounded", "fate: dead"))) == 1
    assert "X1.yaml:20:" in capsys.readouterr().err


def test_two_players_and_automated_models_have_a_side_each(tmp_path: Path) -> None:
    text = SOUND.replace("side: north", "side: automata").replace("terrain:", "played: [south, north]\n  terrain:")
    ruling = read_ruling(file_of(tmp_path, text), GAME)
    assert check(ruling) == []
    t = position(ruling).state
    assert isinstance(t, Skirmish)
    assert (t.field.automated, t.fighters[1].side) == ((2,), 2)


# --- on the table -----------------------------------------------------------------------------------------------------


def test_a_case_is_a_position_that_can_be_played_on() -> None:
    match = position(BY_ID["BS-W14"])
    assert [type(d).__name__ for d in match.waiting] == ["Move"]
    t = match.state
    assert isinstance(t, Skirmish)
    assert [f.name for f in t.fighters] == ["She", "Enemy"]
    dice = Seeded(1)
    while match.waiting:
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice))
    assert len(match.journal) > 1


def test_what_is_no_position_says_so() -> None:
    with pytest.raises(InputError, match="not a position on a table"):
        position(BY_ID["BS-W06"])
    with pytest.raises(InputError, match="has no case 'x'"):
        position(BY_ID["BS-W14"], "x")
