"""The rows of the unit table, the ground, the map and the deck match the printed ones."""

from __future__ import annotations

import pytest

from caltrop.clauses import counting
from caltrop.rules.hex_command.catalogue import CLASSES, DECK, GROUNDS, TYPES, UNITS
from caltrop.rules.hex_command.rulebook import ruleset


def test_ground_that_is_read_is_counted_once() -> None:
    ground = GROUNDS["woods"]
    with counting() as fired:
        assert ground.on
    assert fired == {ground.marks["row"].id: 1}


@pytest.mark.clause("HX-S20", "HX-HIE-03", "HX-HIE-04")
def test_every_class_has_every_type_and_battles_as_far_as_its_dice_go() -> None:
    assert set(UNITS) == {f"{one}-{type}" for one in CLASSES for type in TYPES}
    for row in UNITS.values():
        assert [row.dice_at(r) for r in range(len(row.dice) + 2)] == [0, *row.dice, 0], row.key


@pytest.mark.clause("HX-LDR-01", "HX-LDU-01")
def test_leaders_are_one_model_or_up_to_four() -> None:
    leaders = {row.type: row.models for row in UNITS.values() if row.is_leader}
    assert leaders == {"light": 1, "medium": 4, "heavy": 3, "super-heavy": 4}


@pytest.mark.clause("HX-S10", "HX-S11", "HX-S12", "HX-S14", "HX-W30")
def test_the_map() -> None:
    t = ruleset.setup(ruleset.book(), "crossroads")
    assert len(t.map.hexes) == 113
    assert (t.map.distance("E5", "G4"), t.map.distance("A1", "M9"), t.map.distance("D8", "D9")) == (3, 16, 1)
    assert set(t.map.neighbours["E5"]) == {"D5", "F5", "D4", "E4", "D6", "E6"}
    assert set(t.map.neighbours["E4"]) == {"D4", "F4", "E3", "F3", "E5", "F5"}
    assert {t.map.row(u.hex or "") for u in t.of_side(0)} == {8, 9}
    assert {t.map.row(u.hex or "") for u in t.of_side(1)} == {1, 2}


@pytest.mark.clause("HX-S40")
def test_the_deck_is_sorted_and_whole() -> None:
    t = ruleset.setup(ruleset.book(), "crossroads")
    assert (t.in_deck, len(DECK), t.deck()) == (60, 60, sorted(DECK))
