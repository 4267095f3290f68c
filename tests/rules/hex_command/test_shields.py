"""Void shields: number of dice, timing, and effects."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from caltrop.engine import total
from caltrop.rules.hex_command.attack import Attack, HoldSurge, RollSome, SurgeShields, saves, shield_dice
from caltrop.rules.hex_command.attack.chances import saved
from tests.rules.hex_command.attacks import attack, book, counts, end, target
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, options, refused


def shields(p: Any, **rules: Any) -> int:
    return total(shield_dice(book(**rules), p))


@pytest.mark.clause("HX-VOI-01", "HX-VOI-02", "HX-SMU-02")
@pytest.mark.parametrize("strength", [1, 3, 6])
def test_a_god_machine_has_a_shield_die_for_each_point_left(strength: int) -> None:
    assert shields(attack("I-M", target("G-H", strength))) == strength


@pytest.mark.clause("HX-VOI-01")
def test_nobody_else_has_shields() -> None:
    assert shields(attack("G-H", "V-SH")) == shields(attack("G-H", "I-M")) == 0


@pytest.mark.clause("HX-DIE-03", "HX-HIE-01", "HX-VOI-01", "HX-VOI-02", "HX-VOI-03")
def test_god_machine_symbols_cancel_hits() -> None:
    """Example 6."""
    p = attack("I-M", "G-L")
    assert end(p, "G T T", "G I R T") == (3, False, 0)
    assert shields(attack("I-M", target("G-L", 3))) == 3


@pytest.mark.clause("HX-HIE-02", "HX-VOI-03", "HX-RET-01")
def test_retreats_are_not_cancelled() -> None:
    """Example 7."""
    assert end(attack("G-H", "G-L"), "G G T T I R", "G V L T") == (1, False, 1)


@pytest.mark.clause("HX-HIE-02", "HX-VOI-01")
def test_a_damaged_machine_has_fewer_shields() -> None:
    """Example 8."""
    p = attack("G-L", target("G-H", 3))
    assert shields(p) == 3
    assert end(p, "G T T I", "R I V") == (1, False, 0)


@pytest.mark.clause("HX-VOI-03")
def test_no_more_hits_are_cancelled_than_there_are() -> None:
    assert saves(book(), 1, counts("G G G")) == 1


@pytest.mark.clause("HX-S03", "HX-VOI-03")
def test_how_much_shields_save() -> None:
    """Example 35: six dice save one hit on average, if there are hits enough, and none with a chance of (5/6)^6."""
    p = attack("G-H", "G-H")
    assert saved(book(), p, 6).expected(lambda n: n) == 1
    assert saved(book(), p, 6)[0] == Fraction(5, 6) ** 6
    assert saved(book(battle_die="d8_weighted"), p, 6).expected(lambda n: n) == Fraction(6, 8)


@pytest.mark.clause("HX-Q11")
@pytest.mark.house("shields_in_assault", "on", "off")
def test_shields_work_in_close_assault_unless_agreed_otherwise() -> None:
    assert shields(attack("I-M", "G-L")) == 4
    assert shields(attack("I-M", "G-L"), shields_in_assault="off") == 0
    assert shields(attack("I-M", "G-L", 2), shields_in_assault="off") == 4


@pytest.mark.clause("HX-Q11", "HX-Q10")
def test_without_a_hit_no_shields_are_rolled() -> None:
    match = begin(battle("I-M E5", "G-L F5"), dice("I V R"), at=Attack(attacker=0, target=1))
    done(match)
    assert now(match).units[1].strength == 4
    assert now(match).units[1].hex == "G5"


@pytest.mark.clause("HX-VOI-02", "HX-VOI-03", "HX-Q11")
@pytest.mark.house("void_shields", "per_attack")
def test_shields_are_rolled_anew_against_every_attack() -> None:
    t = battle("I-M E5", "G-L F5")
    for _ in range(2):
        match = begin(t, dice("G T T"), dice("G G I R"), at=Attack(attacker=0, target=1))
        done(match)
        assert now(match).units[1].strength == 4
        t = now(match)


@pytest.mark.clause("HX-Q11")
@pytest.mark.house("void_shields", "per_turn_pool")
def test_each_shield_die_may_be_rolled_once_in_a_turn_where_that_was_agreed() -> None:
    t = battle("I-M E5", "G-L F5", rules={"void_shields": "per_turn_pool"})
    match = begin(t, dice("G I V"), dice("G R R"), at=Attack(attacker=0, target=1))
    assert asked(match) == [("RollShields", 1)]
    assert options(match, 1) == [RollSome(n) for n in (4, 3, 2, 1, 0)]
    result = refused(match, RollSome(5), 1)
    assert (result.code, result.nearest) == ("no-such-dice", RollSome(4))
    match.play(1, RollSome(3))
    done(match)
    assert now(match).spent == {1: 3}
    match = begin(now(match), dice("G G V"), dice("I"), at=Attack(attacker=0, target=1))
    assert options(match, 1) == [RollSome(1), RollSome(0)]
    match.play(1, RollSome(1))
    assert now(match).units[1].strength == 2
    assert total(shield_dice(now(match).book, attack("I-M", target("G-L", 2, spent=4)))) == 0
    match = begin(now(match), dice("G G I"), at=Attack(attacker=0, target=1))
    done(match)
    assert now(match).units[1].hex is None


@pytest.mark.clause("HX-S57", "HX-Q32")
def test_a_shield_surge_doubles_the_dice_and_its_side_draws_at_once() -> None:
    t = battle("I-M E5", "G-L F5", hands=((), ("shield-surge", "ambush")))
    match = begin(t, dice("G T T"), (1,), dice("G G I I I I I I"), at=Attack(attacker=0, target=1))
    assert asked(match) == [("SurgeOrNot", 1)]
    assert options(match, 1) == [SurgeShields(), HoldSurge()]
    match.play(1, SurgeShields())
    done(match)
    assert now(match).units[1].strength == 4
    assert now(match).discards == ["shield-surge"]
    assert now(match).held == [0, 2]


@pytest.mark.clause("HX-Q32")
def test_who_may_hold_a_surge_is_asked_and_who_holds_none_can_only_let_it_pass() -> None:
    t = battle("I-M E5", "G-L F5", hands=((), ("ambush",)))
    match = begin(t, dice("G T T"), dice("G I I I"), at=Attack(attacker=0, target=1))
    assert options(match, 1) == [HoldSurge()]
    assert refused(match, SurgeShields(), 1).code == "no-surge"
    match.play(1, HoldSurge())
    done(match)
    assert now(match).units[1].strength == 3


@pytest.mark.clause("HX-Q32")
def test_nobody_is_asked_for_a_surge_without_a_hit_or_when_it_lies_face_up_or_in_the_own_turn() -> None:
    hands = ((), ("shield-surge",))
    match = begin(battle("I-M E5", "G-L F5", hands=hands), dice("I V V"), at=Attack(attacker=0, target=1))
    done(match)
    t = battle("I-M E5", "G-L F5", hands=((), ("ambush",)), discards=["shield-surge"])
    match = begin(t, dice("G T T"), dice("G I I I"), at=Attack(attacker=0, target=1))
    done(match)
    t = battle("G-L E5", "I-M F5", hands=(("shield-surge",), ()))
    match = begin(t, dice("G T V"), dice("G I I I"), at=Attack(attacker=1, target=0, how="back"))
    done(match)
    assert now(match).units[0].strength == 4


@pytest.mark.clause("HX-S57", "HX-Q11")
def test_a_surge_doubles_the_dice_that_the_owner_takes_from_the_pool() -> None:
    t = battle("I-M E5", "G-L F5", hands=((), ("shield-surge",)), rules={"void_shields": "per_turn_pool"})
    match = begin(t, dice("G T T"), (1,), dice("G I I G"), at=Attack(attacker=0, target=1))
    match.play(1, SurgeShields())
    assert options(match, 1)[0] == RollSome(4)
    match.play(1, RollSome(2))
    done(match)
    assert now(match).spent == {1: 2}
    assert now(match).units[1].strength == 4
