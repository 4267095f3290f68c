"""Rulings of Hex Command: errors in a file name their place, and a case is a position to continue from."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.cli.validate import validate
from caltrop.rules.hex_command.records import NORTH, SOUTH, Battle, Limit
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.rulings.form import SceneGiven, UnitGiven
from caltrop.rules.hex_command.rulings.play import battle_of
from caltrop.rules.hex_command.scenarios import Span
from caltrop.scenarios.rulings import check, position, read_ruling, rulings
from tests.rules.written import file_of, file_with

GAME = "hex-command"
RULINGS = rulings(GAME)
BY_ID = {r.id: r for r in RULINGS}


# --- the format -------------------------------------------------------------------------------------------------------

SOUND = """\
ruleset: hex-command
id: X1
title: An assault
question: What does infantry do?
clauses: [HX-DIE-01]
scene:
  terrain: {woods: F5}
  hands: {south: [probe-left], north: [ambush]}
  units:
    ours: {side: south, kind: infantry-medium, at: E5}
    theirs: {side: north, kind: infantry-medium, at: F5}
cases:
  - play:
      - start: turn from battles
      - {do: Engage, unit: ours, target: theirs}
      - {do: LetItCome}
      - {dice: I V}
      - {draw: scout-left}
      - expect: {units: {theirs: {strength: 3}}, hands: {south: [probe-left, scout-left]}}
"""


def test_the_file_that_the_others_are_made_of_is_sound(tmp_path: Path) -> None:
    assert check(read_ruling(file_of(tmp_path, SOUND), GAME)) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: An", "titel: An", "3:1: titel: there is no such key; did you mean 'title'"),
        ("ruleset: hex-command", "ruleset: duel", "1:1: ruleset: this is a ruling of duel"),
        ("clauses:", "editions: [curent]\nclauses:", "there is no edition 'curent'; did you mean 'current'"),
        (", kind: infantry-medium, at: F5", ", at: F5", "the unit 'theirs' needs a side, a kind and a hex"),
        ("kind: infantry-medium, at: F5", "kind: infantry-med, at: F5", "11:27: .*did you mean 'infantry-medium'"),
        ("at: F5", "at: F99", "F99"),
        ("at: F5", "at: E5", "E5 holds ours already"),
        ("at: F5", "at: F5, strength: 5", "have a strength of 4 at most"),
        ("woods: F5", "woods: F5 F99", "7:13: .*nearest hex is F9"),
        ("woods: F5", "wood: F5", "7:3: .*did you mean 'woods'"),
        ("terrain:", "map: [8, 13]\n  terrain:", "map"),
        ("[ambush]", "[ambuscade]", "there is no card 'ambuscade'"),
        ("[ambush]", "[ambush, ambush]", "the deck has 1 of ambush; this ruling uses 2"),
        ("terrain:", "card: cold-stel\n  terrain:", "did you mean 'cold-steel'"),
        ("terrain:", "prize: machine\n  terrain:", "the scene has no unit 'machine'"),
        ("terrain:", "objectives: [{at: Z5}]\n  terrain:", "Z5"),
        ("do: Engage", "do: Engages", "15:10: .*'Engages'; did you mean 'Engage'"),
        ("unit: ours,", "unit: our,", "15:22: .*no unit 'our'; did you mean 'ours'"),
        ("target: theirs}", "target: theirs, to: F6}", "do takes no such key here"),
        ("turn from battles", "turn from battle", "did you mean 'turn from battles'"),
        ("{do: LetItCome}", "{pass: AmbushOrNo}", "did you mean 'AmbushOrNot'"),
        ("{dice: I V}", "{dice: I X}", "there is no symbol 'X'"),
        ("{dice: I V}", "{dice: I V, draw: scout-left}", "exactly one of start, do, pass, dice, draw, ask, expect"),
        ("{draw: scout-left}", "{draw: scout}", "there is no card 'scout'"),
        ("strength: 3", "strenght: 3", "did you mean 'strength'"),
        ("hands: {south: [probe-left, scout-left]}", "told: [{event: Attaked}]", "did you mean 'Attacked'"),
        ("hands: {south: [probe-left, scout-left]}", "waiting: TakeGround", "did you mean 'TakeGroundOrNot'"),
        ("cases:", "rules: {take_grounds: 'off'}\ncases:", "take_grounds"),
        ("  - play:", "  - answer: {hits: 1}\n    play:", "or else something to play"),
        ("{do: LetItCome}", "{ask: distances, at: E5, to: F5, is: 1}", "did you mean 'distance'"),
        ("{do: LetItCome}", "{ask: points, army: iron, is: 1}", "there is no army 'iron'"),
        ("{do: LetItCome}", "{ask: points, scenario: crossroad, is: 1}", "did you mean 'crossroads'"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ruling(file_with(tmp_path, SOUND, old, new), GAME)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("strength: 3", "strength: 2", 19, "theirs.strength: expected 2, got 3"),
        ("strength: 3", "at: G5", 19, "theirs.at: expected G5, got F5"),
        ("[probe-left, scout-left]", "[scout-left]", 19, "hand of south: expected"),
        ("hands: {south: [probe-left, scout-left]}", "banners: {south: 1}", 19, "banners of south: expected 1, got 0"),
        ("hands: {south: [probe-left, scout-left]}", "winner: nobody", 19, "winner: expected nobody, got None"),
        ("hands: {south: [probe-left, scout-left]}", "entrenchments: [F5]", 19, "entrenchments"),
        ("hands: {south: [probe-left, scout-left]}", "card: pincer", 19, "card in force: expected pincer"),
        ("{dice: I V}", "{dice: I V T}", 16, "2 dice with 6 sides are asked for"),
        ("      - {dice: I V}\n", "", 16, "and the script has scout-left"),
        ("      - {draw: scout-left}\n", "", 16, "the script is at its end"),
        ("{draw: scout-left}", "{draw: ambush}", 16, "the deck has no ambush left"),
        ("{draw: scout-left}", "{dice: I}", 16, "a card is drawn, and the script has dice: I"),
        ("{draw: scout-left}", "{draw: scout-left pincer}", 16, "never asked for: pincer"),
        ("{do: LetItCome}", "{do: LetItCome, side: south}", 16, "nobody is asked for LetItCome"),
        ("{do: LetItCome}", "{do: SpringAmbush, refused: HX-S55}", 16, "is not refused"),
        ("target: theirs}", "target: ours}", 15, "is refused"),
        ("{do: LetItCome}", "{start: battles}", 16, "something is still going on"),
        (
            "- expect",
            "- {ask: sections, at: E5, side: north, is: [left]}\n      - expect",
            19,
            "expected ['left'], got",
        ),
        ("{do: LetItCome}", "{do: FallBackTo}", 16, "FallBackTo needs to"),
    ],
)
def test_what_comes_out_otherwise_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, what: str
) -> None:
    faults = check(read_ruling(file_with(tmp_path, SOUND, old, new), GAME))
    assert faults
    assert faults[0].line == line
    assert what in str(faults[0])


def test_validate_plays_a_ruling_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file_of(tmp_path, SOUND)) == 0
    assert "the ruling X1 of hex-command, An assault: it holds" in capsys.readouterr().out
    assert validate(file_of(tmp_path, SOUND.replace("strength: 3", "strength: 4"))) == 1
    assert "X1.yaml:19:" in capsys.readouterr().err


# --- on the table -----------------------------------------------------------------------------------------------------


def test_a_case_is_a_position_that_can_be_played_on() -> None:
    match = position(BY_ID["HX-W29"])
    assert [type(d).__name__ for d in match.waiting] == ["PlayACard"]
    t = match.state
    assert isinstance(t, Battle)
    assert [u.name for u in t.units] == ["Border", "Left", "Centre", "Theirs"]
    dice = Seeded(1)
    for _ in range(6):
        if not match.waiting:
            break
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice))
    assert len(match.journal) > 1


def test_what_is_no_position_says_so() -> None:
    with pytest.raises(InputError, match="not a position on a table"):
        position(BY_ID["HX-W33"])
    with pytest.raises(InputError, match="has no case 'x'"):
        position(BY_ID["HX-W29"], "x")


def test_a_scene_says_who_is_ordered_and_who_is_not() -> None:
    units = {name: UnitGiven(side="south", kind="infantry-light", at=at) for name, at in (("one", "E5"), ("two", "E6"))}
    book = ruleset.book(None)
    assert battle_of(SceneGiven(units=units), book, ordered=True).ordered == [0, 1]
    assert battle_of(SceneGiven(units=units), book, ordered=False).ordered == []
    for words, result in ((True, [0]), (False, [])):
        marked = {**units, "one": UnitGiven(side="south", kind="infantry-light", at="E5", ordered=words)}
        assert battle_of(SceneGiven(units=marked), book, ordered=True).ordered == result


def test_a_scene_says_how_large_its_map_is() -> None:
    t = battle_of(SceneGiven(map=(7, 11)), ruleset.book(None), ordered=False)
    assert (t.field.rows, t.field.columns) == (7, 11)


def test_a_scene_says_whose_turns_are_counted_and_who_wins_then() -> None:
    book = ruleset.book(None)
    for span, limit in (
        (Span(turns=7), Limit(side=None, turns=7)),
        (Span(turns=7, side="south", winner="north"), Limit(side=SOUTH, turns=7, winner=NORTH)),
    ):
        assert battle_of(SceneGiven(limit=span), book, ordered=False).field.limit == limit
