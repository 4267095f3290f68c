"""Hits: symbols, rank, leaders on either side, and losses in order."""

from __future__ import annotations

import pytest

from caltrop.engine import Term
from caltrop.rules.hex_command.attack import Profile, class_symbol, hits_of, leader_falls, targets_ignored
from tests.rules.hex_command.attacks import attack, attacker, book, counts, end, target


def hits(who: str, at: str, letters: str) -> int:
    return hits_of(book(), attack(who, at), counts(letters)).total


@pytest.mark.clause("HX-DIE-01", "HX-DIE-02", "HX-DIE-03", "HX-DIE-05", "HX-DIE-08")
@pytest.mark.parametrize(
    ("at", "letters", "hit"),
    [("I-M", "I I V G L T", 3), ("V-L", "I V V G L T", 3), ("G-L", "I V G G L T", 3), ("I-M", "V G L R", 0)],
)
def test_the_symbol_of_its_class_and_targets_hit_a_unit(at: str, letters: str, hit: int) -> None:
    assert hits("G-SH", at, letters) == hit


@pytest.mark.clause("HX-DIE-01", "HX-DIE-02", "HX-DIE-03", "HX-LDU-03", "HX-Q12")
@pytest.mark.parametrize(
    ("at", "symbol"),
    [
        ("I-L", "infantry"), ("I-M", "infantry"), ("I-H", "infantry"), ("I-SH", "infantry"),
        ("V-L", "vehicle"), ("V-M", "vehicle"), ("V-H", "vehicle"), ("V-SH", "vehicle"),
        ("G-L", "god-machine"), ("G-M", "god-machine"), ("G-H", "god-machine"), ("G-SH", "god-machine"),
        ("L-L", None), ("L-M", "infantry"), ("L-H", "vehicle"), ("L-SH", "vehicle"),
    ],
)  # fmt: skip
def test_every_kind_of_unit_is_hit_by_the_symbol_of_its_class_or_what_it_counts_as(at: str, symbol: str | None) -> None:
    assert class_symbol(book(), target(at)) == symbol


@pytest.mark.clause("HX-DIE-01", "HX-DIE-05", "HX-DIE-07")
def test_infantry_against_infantry() -> None:
    """Example 1 of the rulebook."""
    assert end(attack("I-M", "I-M"), "I T R") == (2, False, 1)


@pytest.mark.clause("HX-HIE-01", "HX-HIE-03", "HX-DIE-02")
def test_a_higher_class_ignores_the_first_target() -> None:
    """Example 2."""
    assert hits("I-M", "V-M", "V T T") == 2


@pytest.mark.clause("HX-HIE-02", "HX-HIE-04")
def test_a_higher_type_of_the_class_ignores_the_first_target() -> None:
    """Examples 3 and 4."""
    assert hits("V-M", "V-H", "T I V") == 1
    assert end(attack("V-H", "V-M"), "T T R") == (1, False, 1)


@pytest.mark.clause("HX-HIE-01", "HX-HIE-02")
def test_a_higher_type_of_a_lower_class_ignores_nothing() -> None:
    """Example 5."""
    assert end(attack("V-M", "I-H"), "T T R") == (2, False, 1)


@pytest.mark.clause("HX-HIE-03", "HX-HIE-04", "HX-Q09")
@pytest.mark.parametrize(
    ("who", "at", "clause"),
    [
        ("I-SH", "V-L", "HX-HIE-01"), ("V-SH", "G-L", "HX-HIE-01"), ("L-SH", "G-L", "HX-HIE-01"),
        ("I-L", "G-SH", "HX-HIE-01"), ("I-L", "I-M", "HX-HIE-02"), ("I-M", "I-H", "HX-HIE-02"),
        ("I-H", "I-SH", "HX-HIE-02"), ("G-H", "G-SH", "HX-HIE-02"), ("L-L", "V-SH", ""), ("V-L", "I-SH", ""),
        ("I-M", "I-M", ""), ("I-M", "I-L", ""), ("G-L", "V-SH", ""),
    ],
)  # fmt: skip
def test_one_target_in_all_is_ignored_by_a_target_that_outranks_the_attacker(who: str, at: str, clause: str) -> None:
    parts = targets_ignored(book(), attack(who, at))
    assert [(p.value, p.clause) for p in parts] == ([(1, clause)] if clause else [])


@pytest.mark.clause("HX-Q09")
def test_an_attached_leader_does_not_change_the_rank() -> None:
    led = attack(attacker("I-M", leader=True), "V-M")
    assert hits_of(book(), led, counts("T T")).targets == 1
    assert hits_of(book(), attack("V-M", target("I-M", leader=True)), counts("T T")).targets == 2


@pytest.mark.clause("HX-LDS-03", "HX-Q13")
@pytest.mark.parametrize("at", ["I-M", "V-M", "G-L"])
def test_a_unit_with_a_leader_hits_any_class_with_leader_symbols(at: str) -> None:
    """Example 9 for infantry."""
    assert hits_of(book(), attack(attacker("V-M", leader=True), at), counts("L I L")).leader == 2
    assert end(attack(attacker("V-M", leader=True), "I-M"), "L I L") == (1, False, 0)


@pytest.mark.clause("HX-Q13")
def test_against_leaders_a_leader_symbol_still_counts_once() -> None:
    assert end(attack(attacker("V-M", leader=True), "L-M"), "L T T") == (3, False, 0)


@pytest.mark.clause("HX-LDS-04", "HX-LDS-06")
def test_a_leader_is_safe_without_a_casualty() -> None:
    """Example 10."""
    assert end(attack("I-M", target("I-M", leader=True)), "L R R") == (4, False, 1)


@pytest.mark.clause("HX-LDS-04", "HX-LDS-05", "HX-LDS-06", "HX-Q10", "HX-DIE-04")
def test_a_leader_falls_with_a_casualty_and_still_steadies_the_unit() -> None:
    """Check example 11 of the rulebook."""
    assert end(attack("I-M", target("I-M", leader=True)), "L I R") == (3, True, 0)


@pytest.mark.clause("HX-LDS-06", "HX-VOI-03")
def test_a_hit_that_shields_cancel_is_no_casualty() -> None:
    """Example 12."""
    led = attack("I-M", target("G-L", leader=True))
    assert end(led, "L G I", "G I V R") == (4, False, 0)
    assert end(led, "L G I", "I I V R") == (3, True, 0)


@pytest.mark.clause("HX-LDS-05")
def test_without_a_leader_symbol_the_leader_stands() -> None:
    assert end(attack("I-M", target("I-M", leader=True)), "I I T") == (1, False, 0)
    assert not leader_falls(book(), target("I-M"), 1, 1), "there is none"


@pytest.mark.clause("HX-DIE-06", "HX-LDU-02", "HX-LDU-03")
def test_leader_units_are_hit_by_leaders_and_by_what_they_count_as() -> None:
    """Example 13."""
    assert end(attack("V-M", "L-M"), "L I T") == (2, False, 0)
    assert end(attack("V-M", "L-H"), "L I V") == (1, False, 0)


@pytest.mark.clause("HX-LDU-05", "HX-Q15")
def test_class_symbols_leave_the_last_leader() -> None:
    """Examples 14 and 42."""
    two = target("L-M", 2)
    assert end(attack("V-M", two), "I T T") == (1, False, 0)
    assert end(attack("V-H", two), "I I L") == (0, False, 0)
    assert end(attack("V-H", two), "I I T") == (1, False, 0)


@pytest.mark.clause("HX-Q12", "HX-DIE-06", "HX-DIE-07")
def test_a_lone_leader_is_hit_by_leaders_alone() -> None:
    """Example 15."""
    assert end(attack("I-M", "L-L"), "I T R") == (1, False, 1)
    assert end(attack("I-M", "L-L"), "L T R") == (0, False, 0)


@pytest.mark.clause("HX-Q12")
@pytest.mark.house("lone_leader_hit_by_class", "off", "on")
def test_a_lone_leader_may_be_hit_by_a_class_where_that_was_agreed() -> None:
    agreed = book(lone_leader_hit_by_class="on")
    born, was = attack("I-M", "L-L"), attack("I-M", target("L-L", was="leader-heavy"))
    assert end(born, "I V T") == end(was, "I V T") == (1, False, 0)
    assert end(born, "I T T", b=agreed) == (0, False, 0)
    assert end(born, "V T T", b=agreed) == (1, False, 0)
    assert end(was, "V T T", b=agreed) == (0, False, 0)
    assert end(was, "I T T", b=agreed) == (1, False, 0)
    assert end(attack("I-M", target("L-M", 2)), "I I I", b=agreed) == (1, False, 0), "it was a unit when dice fell"


@pytest.mark.clause("HX-LDS-03", "HX-LDS-05", "HX-LDS-06", "HX-Q13", "HX-Q16")
def test_with_leaders_on_both_sides_one_symbol_does_both() -> None:
    """Example 43."""
    both = attack(attacker("V-M", leader=True), target("I-M", 1, leader=True))
    assert end(both, "L R T") == (0, True, 0)
    assert end(both, "T R I") == (0, False, 0)


@pytest.mark.clause("HX-Q33")
def test_a_cards_dice_know_no_rank() -> None:
    barrage = Profile(None, target("G-SH"), extra=(Term(4, "HX-S52", "Barrage"),))
    assert hits_of(book(), barrage, counts("T T G R")).total == 3


@pytest.mark.clause("HX-SMU-01", "HX-SMU-02")
def test_a_single_model_takes_as_many_hits_as_its_size() -> None:
    ship = target("V-SH")
    assert ship.strength == 4 == ship.row.size
    assert end(attack("V-SH", ship), "V V T I") == (1, False, 0)
    assert end(attack("V-SH", ship), "V V T V") == (0, False, 0)
