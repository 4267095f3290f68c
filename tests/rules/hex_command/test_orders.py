"""Orders: eligible units, their number in each section, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.rules.hex_command.cards import Play
from caltrop.rules.hex_command.movement import EndMoves, March
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit, card_dice
from caltrop.rules.hex_command.specials import Inspire
from tests.rules.hex_command.tables import asked, battle, begin, now, options, refused

FAR = "I-M G1"
"""A distant enemy."""


def playing(card: str, south: str, north: str = FAR, *rolls: tuple[int, ...], **more: Any) -> Match:
    """Return a battle in which South has played the only card of its hand."""
    match = begin(battle(south, north, hands=((card,), ("probe-left",)), **more), *rolls)
    match.play(0, Play(card))
    return match


def choices(match: Match) -> list[int]:
    """Return the units that may be ordered next."""
    return [a.unit for a in options(match) if isinstance(a, OrderUnit)]


@pytest.mark.clause("HX-TRN-02", "HX-S13", "HX-S42", "HX-Q34")
def test_a_probe_orders_two_units_of_its_section_a_border_hex_counting_for_it() -> None:
    # Worked example 29: D8 lies on the border, C7 in the west, E9 in the centre.
    match = playing("probe-left", "I-M D8, I-M C7, I-M E9, I-M B9")
    assert choices(match) == [0, 1, 3]
    result = refused(match, OrderUnit(2))
    assert (result.code, result.clause) == ("elsewhere", "HX-S13")
    assert "E9, in the centre" in result.message
    match.play(0, OrderUnit(0))
    assert refused(match, OrderUnit(0)).code == "ordered"
    match.play(0, OrderUnit(1))
    assert now(match).ordered == [0, 1]
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-TRN-02", "HX-Q24", "HX-MOV-03")
def test_fewer_may_be_ordered_and_everybody_is_ordered_before_anybody_moves() -> None:
    match = playing("attack-centre", "I-M G7, I-M F7, I-M H7, I-M E7")
    match.play(0, OrderUnit(1))
    assert asked(match) == [("OrderUnits", 0)]
    match.play(0, EndOrders())
    assert now(match).ordered == [1]
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-Q24")
def test_a_card_that_can_order_nobody_is_played_for_nothing_and_another_is_drawn() -> None:
    match = playing("probe-left", "I-M G7", FAR, (1,))
    assert now(match).ordered == []
    assert now(match).held == [1, 1]
    assert not match.waiting


@pytest.mark.clause("HX-TRN-02")
def test_what_is_no_unit_of_ones_own_on_the_map_is_not_ordered() -> None:
    match = playing("direct-command", "I-M G7, I-M F7")
    for unit in (2, 99, -1):
        result = refused(match, OrderUnit(unit))
        assert result.code == "no-unit-of-yours"
        assert result.values["unit"] == unit
    assert refused(match, OrderUnit(2)).message == "That unit is not yours on the map: Line Troops 2"
    assert refused(match, OrderUnit(99)).message == "That unit is not yours on the map: number 99"


@pytest.mark.clause("HX-S44", "HX-Q34")
def test_an_assault_orders_all_units_of_its_section_without_asking() -> None:
    match = playing("assault-right", "I-M L7, V-M J7, I-M I8, L-L L7, I-M G7")
    assert now(match).ordered == [0, 3, 1, 2]
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-S45", "HX-Q34")
def test_broad_front_orders_one_unit_in_each_section() -> None:
    match = playing("broad-front", "I-M A7, I-M G7, I-M M7, I-M B7, I-M H7")
    match.play(0, OrderUnit(0))
    result = refused(match, OrderUnit(3))
    assert result.clause == "HX-TRN-02"
    assert result.code == "no-order-left"
    assert result.message == "No order on your left is left for the Line Troops 3 at B7"
    match.play(0, OrderUnit(1))
    match.play(0, OrderUnit(2))
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-Q34", "HX-S45", "HX-S46")
def test_a_unit_on_a_border_serves_for_either_section_once() -> None:
    # Two units on the left border and one in the centre: the centre's order goes to the second border unit.
    match = playing("broad-front", "I-M D8, I-M D6, I-M A7, I-M G7")
    match.play(0, OrderUnit(0))
    match.play(0, OrderUnit(1))
    assert choices(match) == []
    assert asked(match) == [("MoveUnits", 0)]
    # Two in each section: left 2 + border 1, centre 1 + border 1.
    match = playing("general-advance", "I-M A7, I-M B7, I-M D8, I-M G7, I-M I8, I-M H7, I-M L7, I-M M7")
    for unit in (0, 1, 2, 3, 4):
        match.play(0, OrderUnit(unit))
    assert choices(match) == [6, 7]
    result = refused(match, OrderUnit(5))
    assert result.code == "no-order-left"
    assert result.message == "No order in the centre is left for the Line Troops 5 at H7"
    match.play(0, OrderUnit(6))
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-S47")
def test_a_pincer_orders_two_on_each_flank_and_nobody_between() -> None:
    match = playing("pincer", "I-M A7, I-M B7, I-M D8, I-M G7, I-M M7")
    assert choices(match) == [0, 1, 2, 4]
    assert refused(match, OrderUnit(3)).code == "elsewhere"
    match.play(0, OrderUnit(2))
    match.play(0, OrderUnit(0))
    assert choices(match) == [4]


@pytest.mark.clause("HX-S48")
def test_direct_command_orders_any_four_units() -> None:
    match = playing("direct-command", "I-M A7, V-M G7, G-L M7, L-L C5, I-M D5")
    for unit in (0, 1, 2, 3):
        match.play(0, OrderUnit(unit))
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-S49", "HX-S50", "HX-Q34")
@pytest.mark.parametrize(
    ("card", "able", "code"),
    [("infantry-storm", [0, 3], "not-infantry"), ("armoured-spearhead", [1, 4], "not-vehicles")],
)
def test_a_card_for_a_class_takes_leader_units_as_what_they_count_as_and_no_single_leader(
    card: str, able: list[int], code: str
) -> None:
    match = playing(card, "I-M A7, V-M B7, G-L C7, L-M D7, L-H E7, L-L F7")
    assert choices(match) == able
    for unit in {0, 1, 2, 3, 4, 5} - set(able):
        result = refused(match, OrderUnit(unit))
        assert (result.code, result.clause) == (code, "HX-Q34")


@pytest.mark.clause("HX-S51", "HX-Q34")
def test_the_god_machines_walk_orders_all_of_them_and_each_has_a_die_more() -> None:
    match = playing("god-machines-walk", "G-L C7, G-H E7, I-M A7, L-L C7")
    assert now(match).ordered == [0, 3, 1]
    dice = [[p.value for p in card_dice(now(match), unit, distance)] for unit in (0, 1, 2, 3) for distance in (1, 3)]
    assert dice == [[1], [1], [1], [1], [], [], [], []]


@pytest.mark.clause("HX-S50", "HX-S5B", "HX-S5A")
@pytest.mark.parametrize(
    ("card", "close", "fire"), [("armoured-spearhead", 1, 0), ("fire-zone", 0, 1), ("cold-steel", 1, 0)]
)
def test_a_card_gives_its_dice_in_its_own_kind_of_battle(card: str, close: int, fire: int) -> None:
    near = "I-M F7" if card == "cold-steel" else FAR
    match = playing(card, "V-M E7, V-M B9", near, *([(1,)] if card == "fire-zone" else []))
    if card != "cold-steel":
        match.play(0, OrderUnit(0))
        match.play(0, EndOrders())
    t = now(match)
    assert [sum(p.value for p in card_dice(t, 0, d)) for d in (1, 2)] == [close, fire]
    assert card_dice(t, 1, 1) == card_dice(t, 1, 2) == ()


@pytest.mark.clause("HX-S49", "HX-S50", "HX-S51", "HX-S58", "HX-S5B", "HX-S59", "HX-Q32")
@pytest.mark.parametrize(
    ("card", "south"),
    [
        ("infantry-storm", "V-M E7, G-L C7, L-L A7"),
        ("armoured-spearhead", "I-M E7, G-L C7, L-L A7"),
        ("god-machines-walk", "I-M E7, V-M C7, L-L A7"),
        ("inspired-leadership", "I-M E7, V-M C7, G-L A7"),
        ("cold-steel", "I-M E7, V-M C7, L-L A7"),
        ("counter-order", "I-M E7, V-M C7, L-L A7"),
    ],
)
def test_where_there_is_nobody_a_card_is_for_it_orders_any_one_unit_and_does_no_more(card: str, south: str) -> None:
    match = playing(card, south)
    assert choices(match) == [0, 1, 2]
    match.play(0, OrderUnit(0))
    assert now(match).ordered == [0]
    assert asked(match) == [("MoveUnits", 0)]
    assert card_dice(now(match), 0, 1) == card_dice(now(match), 0, 2) == ()


@pytest.mark.clause("HX-S5A")
def test_fire_zone_orders_up_to_four_units_that_are_next_to_no_enemy() -> None:
    match = playing("fire-zone", "I-M E7, V-M C7, I-M F6, V-M H7, I-M A5, I-M B5", "I-M F7")
    assert choices(match) == [1, 3, 4, 5]
    result = refused(match, OrderUnit(0))
    assert (result.code, result.clause) == ("next-to-an-enemy", "HX-S5A")


@pytest.mark.clause("HX-S5B")
def test_cold_steel_orders_all_units_next_to_an_enemy() -> None:
    match = playing("cold-steel", "I-M E7, V-M C7, I-M F6, L-L E7", "I-M F7")
    assert now(match).ordered == [0, 3, 2]


@pytest.mark.clause("HX-S58")
def test_a_leader_orders_himself_with_his_unit_and_every_unit_around() -> None:
    match = playing("inspired-leadership", "I-M E7, L-L E7, V-M F7, I-M D7, I-M G7, L-M K7, V-M L7", "I-M E6, I-M G1")
    assert asked(match) == [("ChooseLeader", 0)]
    assert options(match) == [Inspire(1), Inspire(5)]
    assert refused(match, Inspire(0)).clause == "HX-S58"
    match.play(0, Inspire(1))
    t = now(match)
    assert sorted(t.ordered) == [0, 1, 2, 3]
    assert [sum(p.value for p in card_dice(t, unit, d)) for unit in (0, 1, 2, 3) for d in (1, 2)] == [1] * 8


@pytest.mark.clause("HX-S58")
def test_the_only_leader_is_not_asked_for() -> None:
    match = playing("inspired-leadership", "L-M K7, V-M L7, I-M A7")
    assert now(match).ordered == [0, 1]
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-Q26", "HX-Q34", "HX-LDS-02")
def test_a_unit_with_a_leader_is_one_order_and_the_leader_may_have_one_of_his_own() -> None:
    match = playing("probe-centre", "I-M G7, L-L G7, I-M F7")
    assert choices(match) == [0, 1, 2]
    match.play(0, OrderUnit(0))
    assert now(match).ordered == [0, 1]
    assert refused(match, OrderUnit(1)).code == "ordered"
    match.play(0, OrderUnit(2))
    assert asked(match) == [("MoveUnits", 0)]
    match = playing("scout-centre", "I-M G7, L-L G7, I-M F7")
    match.play(0, OrderUnit(1))
    assert now(match).ordered == [1]


@pytest.mark.clause("HX-S73")
@pytest.mark.parametrize("card", ["probe-left", "barrage", "god-machines-walk", "fire-zone"])
def test_a_unit_that_needs_no_card_is_ordered_besides_it(card: str) -> None:
    match = playing(card, "G-SH G7, L-L G7, I-M A7", "I-M G1, I-M A1", (6, 6, 6, 6), always=0)
    if card == "barrage":
        from caltrop.rules.hex_command.specials import Strike

        match.play(0, Strike(3))
        while asked(match) == [("FallBack", 1)]:
            match.play(1, options(match, 1)[0])
    t = now(match)
    assert t.ordered == [0, 1]
    assert t.beside == ([1] if card == "god-machines-walk" else [0, 1])
    if card == "probe-left":
        assert choices(match) == [2]
        # An order is left, but a unit that acts without an order does not need it.
        assert refused(match, OrderUnit(0)).code == "ordered"
        match.play(0, OrderUnit(2))
        assert now(match).ordered == [0, 1, 2]
        match.play(0, EndMoves())
    if card == "fire-zone":
        # An order of the card may still be used for it, for the effect of the card.
        assert choices(match) == [0, 2]
        match.play(0, OrderUnit(0))
        assert [sum(p.value for p in card_dice(now(match), 0, d)) for d in (1, 2)] == [0, 1]


@pytest.mark.clause("HX-S40", "HX-S41", "HX-S42", "HX-S43", "HX-S44")
@pytest.mark.parametrize(("name", "orders"), [("scout", 1), ("probe", 2), ("attack", 3), ("assault", 4)])
@pytest.mark.parametrize(
    ("section", "able"), [("left", [0, 1, 2, 3]), ("centre", [4, 5, 6, 7]), ("right", [8, 9, 10, 11])]
)
def test_a_section_card_orders_as_many_units_as_it_says_in_its_section(
    name: str, orders: int, section: str, able: list[int]
) -> None:
    south = "I-M A7, I-M B7, I-M A9, I-M B9, I-M F7, I-M G7, I-M F9, I-M G9, I-M L7, I-M M7, I-M L9, I-M M9"
    match = playing(f"{name}-{section}", south)
    if name != "assault":
        assert choices(match) == able
        for unit in able[:orders]:
            match.play(0, OrderUnit(unit))
    assert now(match).ordered == able[:orders]
    assert asked(match) == [("MoveUnits", 0)]


@pytest.mark.clause("HX-S73", "HX-LDS-02", "HX-S5A", "HX-S48")
@pytest.mark.parametrize("besides", [False, True])
@pytest.mark.parametrize(("card", "dice", "moves"), [("fire-zone", 1, False), ("direct-command", 0, True)])
def test_an_order_by_the_card_holds_for_the_leader_too_where_the_unit_had_one_besides(
    besides: bool, card: str, dice: int, moves: bool
) -> None:
    t = battle("G-SH E5, L-L E5, I-M A9", "I-M E1", hands=([card], ["probe-left"]), always=0 if besides else None)
    match = begin(t)
    match.play(0, Play(card))
    if 0 in choices(match):
        match.play(0, OrderUnit(0))
    match.play(0, EndOrders())
    assert now(match).ordered == [0, 1]
    assert sum(term.value for term in card_dice(now(match), 1, 2)) == dice
    assert any(isinstance(act, March) and act.unit == 1 for act in options(match)) is moves
