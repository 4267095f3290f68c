"""The number of battle dice: range, cards, losses, cover and the attacker's ground."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Term, total
from caltrop.rules.hex_command.attack import battle_dice, fires_indirectly
from caltrop.rules.hex_command.catalogue import GROUNDS, battle_die
from caltrop.rules.hex_command.records import Unit
from tests.rules.hex_command.attacks import attack, attacker, book, target

COLD_STEEL = (Term(1, "HX-S5B", "Cold Steel"),)
SPEARHEAD = (Term(1, "HX-S50", "Armoured Spearhead"),)


def dice(p: Any, **rules: Any) -> int:
    return total(battle_dice(book(**rules), p))


@pytest.mark.clause("HX-Q02", "HX-S01")
@pytest.mark.house("battle_die", "d6_even", "d8_weighted")
def test_the_die_has_each_symbol_once_or_eight_faces_with_infantry_and_target_twice() -> None:
    assert battle_die(book()) == ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")
    eight = battle_die(book(battle_die="d8_weighted"))
    assert len(eight) == 8
    assert (eight.count("infantry"), eight.count("target"), eight.count("retreat")) == (2, 2, 1)


@pytest.mark.clause("HX-S20", "HX-Q27", "HX-BAT-06", "HX-BAT-07")
@pytest.mark.parametrize(
    ("who", "by_range"),
    [
        ("I-L", (2, 2, 1)), ("I-M", (3, 2, 1)), ("I-H", (4, 3, 2, 1)), ("I-SH", (4, 3)),
        ("V-L", (3, 2, 1)), ("V-M", (3, 3, 3)), ("V-H", (3, 3, 3, 2, 2)), ("V-SH", (4, 4, 3, 3, 2)),
        ("L-L", (2,)), ("L-M", (3, 2, 1)), ("L-H", (3, 2, 2)), ("L-SH", (4, 3, 3, 2)),
        ("G-L", (4, 3, 2)), ("G-M", (5, 4, 3, 2)), ("G-H", (6, 5, 4, 4, 3)), ("G-SH", (7, 6, 5, 5, 4, 3)),
    ],
)  # fmt: skip
def test_dice_go_by_range_and_beyond_the_list_there_are_none(who: str, by_range: tuple[int, ...]) -> None:
    """Example 38 is the row of V-M: 3 dice at range 3, and no battle at 4."""
    assert tuple(dice(attack(who, "I-M", far)) for far in range(1, 8)) == by_range + (0,) * (7 - len(by_range))


@pytest.mark.clause("HX-TRN-06", "HX-S30", "HX-S31", "HX-S32", "HX-S33", "HX-S34", "HX-S35", "HX-S37", "HX-S38")
@pytest.mark.parametrize(
    ("ground", "infantry", "vehicles", "machines"),
    [
        ("open", 0, 0, 0), ("road", 0, 0, 0), ("bridge", 0, 0, 0), ("rubble", 1, 1, 0), ("woods", 1, 2, 1),
        ("ruins", 1, 2, 1), ("hill", 1, 1, 0), ("citadel", 1, 2, 1), ("water", 0, 0, 0), ("ford", 0, 0, 0),
    ],
)  # fmt: skip
def test_cover_takes_dice_by_the_attackers_class(ground: str, infantry: int, vehicles: int, machines: int) -> None:
    hidden = target("I-M", ground=ground)
    assert dice(attack("I-M", hidden)) == 3 - infantry
    assert dice(attack("V-M", hidden)) == 3 - vehicles
    assert dice(attack("G-L", hidden)) == 4 - machines
    parts = battle_dice(book(), attack("V-M", hidden))[1:]
    assert [p.clause for p in parts] == ([GROUNDS[ground].clauses] if vehicles else [])


@pytest.mark.clause("HX-Q34", "HX-S32")
def test_leaders_count_for_cover_as_what_they_count_as_and_a_single_leader_as_infantry() -> None:
    woods = target("I-M", ground="woods")
    assert dice(attack("L-M", woods)) == 3 - 1
    assert dice(attack("L-H", woods)) == 3 - 2
    assert dice(attack("L-L", woods)) == 2 - 1


@pytest.mark.clause("HX-S33", "HX-BAT-07")
def test_a_tank_that_fires_into_ruins_has_one_die() -> None:
    """Example 28."""
    assert dice(attack("V-M", target("I-M", ground="ruins"), 2)) == 1


@pytest.mark.clause("HX-Q21", "HX-S34", "HX-S39")
@pytest.mark.house("terrain_reduction", "best", "sum")
def test_only_the_best_reduction_counts_or_all_of_them() -> None:
    """Example 36."""
    p = attack("I-M", target("I-M", ground="hill", entrenched=True))
    assert dice(p) == 2
    assert dice(p, terrain_reduction="sum") == 1


@pytest.mark.clause("HX-S34")
def test_a_hill_covers_nobody_from_an_attacker_on_a_hill() -> None:
    assert dice(attack(attacker("I-M", ground="hill"), target("I-M", ground="hill"))) == 3
    assert dice(attack(attacker("I-M", ground="hill"), target("I-M", ground="hill", entrenched=True))) == 2
    assert dice(attack(attacker("I-M", ground="hill"), target("I-M", ground="woods"))) == 2


@pytest.mark.clause("HX-Q21")
def test_dice_are_never_fewer_than_none() -> None:
    parts = battle_dice(book(), attack("V-L", target("I-M", ground="woods"), 3))
    assert [(p.value, p.clause) for p in parts] == [(1, "HX-S20"), (-2, "HX-S32"), (1, "HX-Q21")]


@pytest.mark.clause("HX-S33", "HX-Q30", "HX-S32")
def test_vehicles_in_ruins_roll_two_dice_at_most_after_cover() -> None:
    """Example 37."""
    inside = attacker("V-M", ground="ruins")
    assert dice(attack(inside, "I-M")) == 2
    assert dice(attack(inside, target("I-M", ground="woods"))) == 1
    assert dice(attack(attacker("I-H", ground="ruins"), "I-M")) == 4
    assert dice(attack(attacker("L-SH", ground="ruins"), "I-M")) == 2, "it counts as a vehicle"


@pytest.mark.clause("HX-S50", "HX-S5B", "HX-S33", "HX-Q30")
def test_a_cards_die_comes_before_cover_and_the_limit_after_it() -> None:
    """Example 45."""
    assert dice(attack("I-M", target("I-M", ground="woods"), extra=COLD_STEEL)) == 3
    assert dice(attack(attacker("V-M", ground="ruins"), "I-M", extra=SPEARHEAD)) == 2


@pytest.mark.clause("HX-Q30")
def test_a_cards_die_does_not_lengthen_the_range() -> None:
    assert dice(attack("V-M", "I-M", 4, extra=SPEARHEAD)) == 0


@pytest.mark.clause("HX-S38", "HX-Q30")
def test_a_unit_in_a_ford_rolls_a_die_less() -> None:
    assert dice(attack(attacker("I-M", ground="ford"), "I-M")) == 2
    assert dice(attack(attacker("I-M", ground="ford"), "I-M", 3)) == 0


@pytest.mark.clause("HX-Q17")
@pytest.mark.house("dice_drop_with_losses", "off", "on")
def test_damaged_units_roll_all_their_dice_unless_agreed_otherwise() -> None:
    weak = attack(attacker("I-M", weakened=True), "I-M")
    assert dice(weak) == 3
    assert dice(weak, dice_drop_with_losses="on") == 2
    assert dice(attack("I-M", "I-M"), dice_drop_with_losses="on") == 3


@pytest.mark.clause("HX-Q28")
@pytest.mark.house("indirect_fire", "off", "on")
def test_heavy_vehicles_fire_as_artillery_where_that_was_agreed() -> None:
    hidden = target("I-M", ground="ruins")
    assert dice(attack("V-H", hidden, 4)) == 0
    assert dice(attack("V-H", hidden, 4, indirect=True), indirect_fire="on") == 2
    agreed, unit = book(indirect_fire="on"), Unit(id=0, side=0, kind="vehicle-heavy", name="", hex=None, strength=3)
    assert fires_indirectly(agreed, unit, 2, moved=False)
    assert not fires_indirectly(agreed, unit, 2, moved=True)
    assert not fires_indirectly(agreed, unit, 1, moved=False), "that is a close assault"
    assert not fires_indirectly(book(), unit, 2, moved=False)
    far = [dice(attack("V-H", "I-M", n, indirect=True), indirect_fire="on") for n in range(2, 8)]
    assert far == [3, 2, 2, 1, 1, 0]
    assert dice(attack(attacker("V-H", ground="ruins"), "I-M", 2, indirect=True), indirect_fire="on") == 3


@pytest.mark.clause("HX-Q33")
def test_a_cards_own_dice_mind_no_cover() -> None:
    p = attack("I-M", target("I-M", ground="ruins", entrenched=True))
    barrage = type(p)(None, p.target, extra=(Term(4, "HX-S52", "Barrage"),))
    assert dice(barrage) == 4
