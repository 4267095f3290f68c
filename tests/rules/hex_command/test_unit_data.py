"""The unit table and the map are those of the page of clauses, number by number."""

from __future__ import annotations

import pytest

from caltrop.clauses import counting
from caltrop.clauses.inventory import folder
from caltrop.rules.hex_command.battle import full_strength
from caltrop.rules.hex_command.catalogue import CLASSES, DECK, GROUNDS, TYPES, UNITS
from caltrop.rules.hex_command.rulebook import ruleset


def printed() -> dict[str, list[str]]:
    """The rows of the unit table on the page, by the keys of the catalogue."""
    found = {}
    for line in (folder() / "hex-command.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11:
            key = f"{cells[0]}-{cells[1]}".lower().replace(" ", "-")
            if key in UNITS:
                found[key] = cells[3:]
    return found


def test_ground_that_is_read_is_counted_once() -> None:
    ground = GROUNDS["woods"]
    with counting() as fired:
        assert ground.on
    assert fired == {ground.marks["row"].id: 1}


@pytest.mark.clause("HX-STA-01", "HX-S20", "HX-Q04", "HX-Q27", "HX-SMU-02", "HX-HIE-03", "HX-HIE-04")
def test_every_class_has_every_type_with_the_numbers_of_the_table() -> None:
    table = printed()
    assert set(UNITS) == set(table) == {f"{one}-{type}" for one in CLASSES for type in TYPES}
    for key, (size, models, capacity, move, dice, counts, points, banner) in table.items():
        row = UNITS[key]
        assert (row.size, row.models, full_strength(row)) == (int(size), int(models), int(capacity)), key
        assert f"{row.move}({row.battle_move})" == move, key
        assert "/".join(map(str, row.dice)) == dice, key
        assert row.counts_as == (counts if counts in ("infantry", "vehicle") else ""), key
        assert (row.points, row.banners) == (int(points), int(banner)), key
        assert [row.dice_at(r) for r in range(1, len(row.dice) + 2)] == [*row.dice, 0], key
        assert row.dice_at(0) == 0


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
