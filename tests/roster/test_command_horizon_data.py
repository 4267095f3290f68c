"""The data files of Command Horizon: complete, and marked clause by clause."""

from __future__ import annotations

from caltrop.clauses import MARKS, counting, switched_off
from caltrop.engine import Book, settle
from caltrop.rules.command_horizon import catalogue
from caltrop.rules.command_horizon.catalogue import ROWS, armies, kinds, switches, table, unit_kind

VALUES = {"title", "unit_class", "clauses", "army", "key", "edition"}


def test_house_rules_have_names_and_defaults_of_their_own() -> None:
    named = {s.name: s for s in switches()}
    assert len(switches()) == len(named)
    assert list(named) == sorted(named)
    assert all(s.words.endswith(".") and s.clauses for s in switches())
    assert all(
        (s.editions == ("v1.5",)) == s.name.startswith("v15.") for s in switches() if s.name != "asori.infantryVsTanks"
    )
    rounds = named["game.rounds"]
    assert [rounds.read(v) for v in (6, "none", 1, "100")] == [6, "none", 1, 100]
    assert named["move.cap"].values == (30, "none")
    assert settle(switches(), {})["overwatch"] == "off"


def test_every_value_of_every_unit_names_its_clauses() -> None:
    for edition in catalogue.EDITIONS:
        book = Book("command-horizon", edition, settle(switches(), {}))
        for army in armies(book):
            for key in kinds(book, army):
                unit = unit_kind(book, army, key)
                for field in ("models", "dice", "defence", "cp", "vp"):
                    assert field in unit.clauses, f"{army}/{key}.{field}"
                    assert (edition, f"{army}/{key}", field) in ROWS
                for field in unit.clauses:
                    assert field == "class" or field in unit.__struct_fields__, f"{army}/{key}.{field}"


def test_reading_a_row_counts_and_a_row_switched_off_gives_nothing() -> None:
    book = Book("command-horizon", "current", settle(switches(), {}))
    medium = unit_kind(book, "alliance", "medium-tank")
    mark = MARKS["units.yaml:alliance/medium-tank.dice"]
    with counting() as fired:
        assert medium.number("dice") == 2
    assert fired == {mark.id: 1}
    assert mark.clauses == ("CH-FIRE-09",)
    assert mark.path.endswith("units.yaml")
    with switched_off(mark.id):
        assert medium.number("dice") == 0
    with switched_off("units.yaml:main.kill"):
        assert table(book, "main")[5] == "miss"


def test_an_edition_states_only_what_differs() -> None:
    old = Book("command-horizon", "v1.5", settle(switches(), {}))
    command = unit_kind(old, "alliance", "command")
    assert (command.title, command.models, command.dice, command.clause("models")) == (
        "Medium Command",
        4,
        2,
        "CH-ALL-07",
    )
    assert MARKS["units.yaml:v1.5/alliance/command.models"].clauses == ("CH-ALL-07",)
