"""Rows of data whose values can be switched off by their clauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from caltrop import InputError
from caltrop.clauses import MARKS, counting, switched_off
from caltrop.kit.rows import WHOLE, Row, rows


class Weapon(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    dice: int
    reach_cm: int = msgspec.field(name="reach")
    clauses: str = ""


BOW = "bow:\n  title: Bow\n  dice: 2\n  reach: 30\nclub:\n  title: Club\n  dice: 3\n  reach: 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "weapons-of-a-test.yaml"
    place.write_text(BOW, encoding="utf-8")
    yield place
    for id in [m.id for m in MARKS.values() if m.path == str(place)]:
        del MARKS[id]


def test_every_value_has_its_clauses_and_the_line_of_its_row(file: Path) -> None:
    weapons = rows(file, Weapon, lambda _: {"dice": "DU-STRIKE-01 DU-STRIKE-02", "reach": "DU-STRIKE-01"})
    assert [(key, row.key, row.title) for key, row in weapons.items()] == [
        ("bow", "bow", "Bow"),
        ("club", "club", "Club"),
    ]
    mark = weapons["club"].marks["dice"]
    assert (mark.id, mark.kind, mark.line) == (f"{file.name}:club.dice", "row", 5)
    assert mark.clauses == ("DU-STRIKE-01", "DU-STRIKE-02")


def test_a_value_is_counted_as_read_and_gone_while_it_is_switched_off(file: Path) -> None:
    weapons = rows(file, Weapon, lambda _: {"dice": "DU-STRIKE-01", "reach": "DU-STRIKE-02"}, {"reach": "reach_cm"})
    bow = weapons["bow"]
    dice, reach = bow.marks["dice"].id, bow.marks["reach_cm"].id
    with counting() as fired:
        assert (bow.number("dice"), bow.number("reach_cm"), bow.read("reach_cm", None)) == (2, 30, 30)
        assert (fired[dice], fired[reach]) == (1, 2)
        with switched_off(reach):
            assert (bow.number("reach_cm"), bow.read("reach_cm", None), bow.number("dice")) == (0, None, 2)
            assert weapons["club"].number("reach_cm") == 1
        assert (fired[dice], fired[reach]) == (2, 2)


def test_a_whole_row_holds_or_does_not(file: Path) -> None:
    bow = rows(file, Weapon, lambda row: {WHOLE: f"DU-STRIKE-0{row.dice}"})["bow"]
    assert bow.marks[WHOLE].clauses == ("DU-STRIKE-02",)
    with counting() as fired:
        holds = [bow.on]
        with switched_off(bow.marks[WHOLE].id):
            holds.append(bow.on)
        assert holds == [True, False]
        assert fired == {bow.marks[WHOLE].id: 1}
    # Values without a mark of their own cannot be switched off, nor can a row of an author.
    assert bow.number("dice") == 2
    assert Weapon(title="Sling", dice=1, reach_cm=9).on


def test_what_is_wrong_with_a_row_is_named_with_its_place(file: Path) -> None:
    file.write_text(BOW.replace("dice: 3", "dise: 3"), encoding="utf-8")
    with pytest.raises(InputError, match=r"weapons-of-a-test\.yaml:7:3: club\.dise: .*did you mean 'dice'"):
        rows(file, Weapon, lambda _: {"dice": "DU-STRIKE-01"})
