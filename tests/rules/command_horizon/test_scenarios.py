"""Scenarios: fair tables, errors that name their place, and armies by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.scenarios import (
    SCENARIO_FILES,
    choose_armies,
    objectives_of,
    scenario_file,
    table_of,
)
from caltrop.scenarios import built_in

IDS = tuple(built_in("command-horizon"))


def test_there_are_five_and_the_shortest_comes_first() -> None:
    cards = ruleset.scenarios()
    assert cards[0].id == "first-battle"
    assert {c.id for c in cards} == {
        "first-battle",
        "meeting-engagement",
        "secure-objectives",
        "dense-terrain",
        "breakthrough",
    }
    assert all(c.words.endswith(".") and c.minutes >= 15 for c in cards)


@pytest.mark.parametrize("id", IDS)
def test_neither_edge_is_the_better_one(id: str) -> None:
    s = SCENARIO_FILES.find(id).value
    w, h = s.table
    table = table_of(s)
    pieces = {(p.kind.name, frozenset(p.polygon)) for p in table.terrain}
    turned = {(p.kind.name, frozenset((w * 100 - x, h * 100 - y) for x, y in p.polygon)) for p in table.terrain}
    assert pieces == turned
    spots = {(o.x, o.y, o.owner, o.worth, o.benefit, o.sabotage) for o in objectives_of(s)}
    other = {None: None, 0: 1, 1: 0}
    assert spots == {(w * 100 - x, h * 100 - y, other[owner], *rest) for x, y, owner, *rest in spots}


@pytest.mark.clause("CH-SETUP-04", "Q-SETUP-7")
@pytest.mark.parametrize("id", IDS)
def test_every_army_finds_room_in_every_scenario(id: str) -> None:
    s = SCENARIO_FILES.find(id).value
    assert s.zone == 10
    for p in table_of(s).terrain:
        ys = [y for _, y in p.polygon]
        assert not p.kind.impassable or (min(ys) > 1000 and max(ys) < s.table[1] * 100 - 1000)
    for race in ("alliance", "asori", "putredine"):
        t = ruleset.setup(ruleset.book(), id, (race, race), 11)
        assert [a.name[-1] for a in t.armies] == ["A", "B"]
        assert len(t.units) == 22
        assert t.scenario == id


def test_sizes_and_races_choose_the_list() -> None:
    book = ruleset.book()
    t = ruleset.setup(book, "meeting-engagement", ("alliance", "putredine"), 4)
    assert [sum(u.side == s for u in t.units) for s in (0, 1)] == [4, 4]
    t = ruleset.setup(book, "first-battle")
    assert [len(t.units), t.armies[0].army, t.armies[1].army] == [8, "alliance", "asori"]
    t = ruleset.setup(book, "first-battle", ("asori-7", "alliance-11"))
    assert len(t.units) == 18
    earlier = choose_armies(ruleset.book("v1.5"), SCENARIO_FILES.find("first-battle").value, (), None)
    assert [a.army for a in earlier] == ["alliance", "asori"]


def test_words_that_mean_nothing() -> None:
    book = ruleset.book()
    with pytest.raises(InputError, match="did you mean 'first-battle'"):
        ruleset.setup(book, "first-batle")
    with pytest.raises(InputError, match="did you mean 'alliance'"):
        ruleset.setup(book, "first-battle", ("aliance", "asori"))
    with pytest.raises(InputError, match="a battle has 2 armies; you named 1"):
        ruleset.setup(book, "first-battle", ("alliance",))
    with pytest.raises(InputError, match=r"not an army of the edition v1\.5"):
        ruleset.setup(ruleset.book("v1.5"), "first-battle", ("alliance", "putredine"))


GOOD = """
ruleset: command-horizon
id: x
title: X
minutes: 5
words: A test.
table: [60, 60]
terrain:
  - {id: wood, kind: woods, box: [10, 20, 20, 30], twin: other wood}
objectives:
  - {name: Mill, at: [30, 30], benefit: {what: supplies}}
"""


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("title: X", "titel: X", ":4:", "did you mean 'title'"),
        ("kind: woods", "kind: wods", ":9:", "did you mean 'woods'"),
        ("table: [60, 60]", "table: [60, 30]", ":7:", "too small"),
        ("table: [60, 60]", "table: [60]", ":7:", "list of 2"),
        ("20, 30]", "20, 300]", ":9:", "off the table"),
        ("box: [10, 20, 20, 30]", "box: [10, 20, 10, 30]", ":9:", "enclose an area"),
        ("box: [10, 20, 20, 30]", "outline: [[1, 2], [3, 4]]", ":9:", "three corners"),
        ("twin: other wood", "twin: wood", ":9:", "two pieces are called 'wood'"),
        ("at: [30, 30]", "at: [30, 61]", ":11:", "off the table"),
        ("what: supplies", "what: suplies", ":11:", "did you mean 'supplies'"),
        ("name: Mill,", "name: Mill, twin: Mill,", ":11:", "two objectives are called 'Mill'"),
        ("minutes: 5", "minutes: 5\nrounds: 0", ":6:", "a round or more"),
        ("minutes: 5", "minutes: 5\narmies: [alliance, asory]", ":6:", "did you mean 'asori'"),
    ],
)
def test_errors_name_the_place_and_the_nearest_word(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert scenario_file(file).value.title == "X"
    assert ruleset.setup(ruleset.book(), str(file), ("alliance", "asori"), 4).scenario == "x"
    assert old in GOOD
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        scenario_file(file)
    assert where in str(raised.value)
    assert what in str(raised.value)


def test_validate_reads_what_a_file_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from caltrop.cli.validate import validate

    scenario, army, bad, other = (tmp_path / f"{n}.yaml" for n in ("scenario", "army", "bad", "other"))
    scenario.write_text(GOOD, encoding="utf-8")
    army.write_text("id: y\ntitle: Y\narmy: asori\nunits:\n  - {kind: command}\n", encoding="utf-8")
    bad.write_text("id: y\ntitle: Y\narmy: asori\nunits:\n  - {kind: comand}\n", encoding="utf-8")
    other.write_text("colour: blue\n", encoding="utf-8")
    assert validate(scenario, army) == 0
    assert "the scenario X" in capsys.readouterr().out
    assert validate(scenario, bad, other) == 1
    errors = capsys.readouterr().err
    assert "bad.yaml:5:" in errors
    assert "did you mean 'command'" in errors
    assert "other.yaml:1:1: this is not a scenario" in errors
