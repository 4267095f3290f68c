"""The pages of clauses are read completely: clauses, supplied rules, rulings and worked examples, with all kinds of
ids.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from caltrop.clauses import inventory as module
from caltrop.clauses.inventory import Inventory, inventory
from caltrop.engine import ruleset

PAGE = """# X: the clauses

## Clauses

| id | edition | clause | note |
|---|---|---|---|
| XX-MOVE-01 | current | Units move. | XX-Q07 |
| XX-S5A | current | Fire Zone: order 4 units. | 1 in the deck |

### Advice

| XX-S02 | current | Expect a third. | |

## Rulings

| XX-Q07 | How far? | 1; 2 | Two. | `how_far`: 1 / 2 |
| Q-MOVE-1 | Where to? | North | South. | - |

## Worked examples

| XX-W01 | a | b | c |
| W12 | a | b | c |
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inventory:
    (tmp_path / "x-game.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(module, "folder", lambda: tmp_path)
    inventory.cache_clear()
    result = inventory("x-game", "XX-")
    inventory.cache_clear()
    return result


def test_ids_of_every_sort_are_read(read: Inventory) -> None:
    assert list(read.clauses) == ["XX-MOVE-01", "XX-S5A", "XX-S02"]
    assert [c.binds for c in read.clauses.values()] == [True, True, False]
    assert read.clauses["XX-S5A"].text == "Fire Zone: order 4 units."
    assert list(read.questions) == ["XX-Q07", "Q-MOVE-1"]
    assert (read.questions["XX-Q07"].ruling, read.questions["XX-Q07"].switch) == ("Two.", "how_far")
    assert read.questions["Q-MOVE-1"].switch == ""
    assert read.labels == ("XX-W01", "W12")


@pytest.mark.parametrize("name", ["duel", "hex-command", "blade-skirmish", "squad-action"])
def test_every_row_that_begins_with_an_id_is_read(name: str) -> None:
    rules = ruleset(name)
    page = inventory(rules.name, rules.prefix)
    rows = re.findall(rf"^\| *({rules.prefix}[^ |]+) *\|", page.path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 20
    assert sorted({*page.clauses, *page.questions, *page.labels}) == sorted(set(rows))


def test_hex_command_is_read_whole() -> None:
    rules = ruleset("hex-command")
    page = inventory(rules.name, rules.prefix)
    assert [c.id for c in page.clauses.values() if not c.binds] == ["HX-S02", "HX-S03", "HX-S22"]
    assert {c.edition for c in page.clauses.values()} == {"current"}
    switches = {s.name for s in rules.switches}
    assert {q.switch for q in page.questions.values()} - {""} <= switches


def test_blade_skirmish_is_read_whole() -> None:
    rules = ruleset("blade-skirmish")
    page = inventory(rules.name, rules.prefix)
    assert all(c.binds for c in page.clauses.values())
    assert {c.edition for c in page.clauses.values()} == {"current"}
    assert {q.switch for q in page.questions.values()} - {""} <= {s.name for s in rules.switches}


def test_squad_action_is_read_whole() -> None:
    rules = ruleset("squad-action")
    page = inventory(rules.name, rules.prefix)
    assert all(c.binds for c in page.clauses.values())
    assert {c.edition for c in page.clauses.values()} == {"current"}
    assert {q.switch for q in page.questions.values()} - {""} <= {s.name for s in rules.switches}


@pytest.mark.parametrize("name", ["hex-command", "blade-skirmish", "squad-action"])
def test_house_rules_name_clauses_that_exist(name: str) -> None:
    rules = ruleset(name)
    page = inventory(rules.name, rules.prefix)
    names = {*page.clauses, *page.questions}
    assert [f"{s.name}: {c}" for s in rules.switches for c in s.clauses if c not in names] == []
