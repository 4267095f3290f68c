"""Single leaders: joining a unit, going with it, and leaving it."""

from __future__ import annotations

import pytest

from caltrop.rules.hex_command.leaders import LeaderJoined, LeaderParted, a_leader_without_a_unit_escapes
from caltrop.rules.hex_command.movement import EndMoves, March, Marched, Moves
from caltrop.rules.hex_command.victory import UnitLost, lose
from tests.rules.hex_command.tables import asked, battle, begin, now, options, refused
from tests.rules.hex_command.test_moving import ends, moving


@pytest.mark.clause("HX-LDR-01", "HX-LDR-02", "HX-LDS-01", "HX-Q14")
@pytest.mark.parametrize("code", ["I-M", "V-SH", "G-L"])
def test_a_single_leader_attaches_by_moving_into_a_units_hex(code: str) -> None:
    match = moving(f"L-L E5, {code} G5", ordered=(0,))
    events = match.play(0, March(0, "G5"))
    t = now(match)
    assert (t.guests, t.board.get("G5"), t.board.get("E5")) == ({"G5": 0}, 1, None)
    assert t.host_of(t.units[0]) == t.units[1]
    assert LeaderJoined(0, 1) in events
    assert asked(match) == []


@pytest.mark.clause("HX-LDR-03", "HX-LDU-04", "HX-LDR-02", "HX-Q14")
def test_which_units_a_leader_does_not_join() -> None:
    match = moving("L-L E5, L-M E4, L-L E6, I-M F5, L-L F5, I-M D5", "I-M D4", ordered=(0, 1, 5))
    for unit, to, code, clause in (
        (1, "D5", "leader-unit", "HX-LDR-03"),
        (0, "E4", "are-leaders", "HX-Q14"),
        (0, "E6", "are-leaders", "HX-Q14"),
        (0, "F5", "has-leader", "HX-Q14"),
        (0, "D4", "occupied", "HX-MOV-06"),
        (5, "E5", "occupied", "HX-MOV-06"),
    ):
        result = refused(match, March(unit, to))
        assert (result.code, result.clause) == (code, clause), to
    assert "D5" in ends(match, 0)


@pytest.mark.clause("HX-LDU-05", "HX-LDR-03", "HX-Q15")
def test_what_is_left_of_a_leader_unit_attaches_as_a_single_leader() -> None:
    match = moving("L-M E5, I-M G5", ordered=(0,))
    assert "G5" not in ends(match)
    now(match).change(0, kind="leader-light", was="leader-medium", strength=1)
    # A single leader moves three hexes.
    assert {"G5", "B5"} <= ends(match)
    match.play(0, March(0, "G5"))
    assert now(match).guests == {"G5": 0}


@pytest.mark.clause("HX-LDR-01", "HX-LDU-01", "HX-S20")
def test_a_leader_is_one_model_or_a_unit_of_up_to_four() -> None:
    t = battle("L-L A1, L-M C1, L-H E1, L-SH G1")
    assert [u.strength for u in t.units] == [1, 4, 3, 4]
    assert [u.alone for u in t.units] == [True, False, False, False]


@pytest.mark.clause("HX-Q14", "HX-MOV-07")
def test_a_leader_ends_in_a_units_hex_and_does_not_pass_it() -> None:
    match = moving("L-L A1, I-M B1", ground="spire A2", ordered=(0,))
    assert ends(match) == {"B1"}
    result = refused(match, March(0, "C1"))
    assert (result.code, result.values["at"]) == ("in-the-way", "B1")
    assert "in the way to C1" in result.message


@pytest.mark.clause("HX-Q14")
def test_the_ground_must_let_a_leader_in() -> None:
    match = moving("L-L E5, G-L F5", ground="water F5", ordered=(0,))
    assert refused(match, March(0, "F5")).clause == "HX-S37"


@pytest.mark.clause("HX-LDS-02")
def test_an_attached_leader_moves_as_the_unit_moves() -> None:
    match = moving("V-M E5, L-L E5")
    events = match.play(0, March(0, "G5"))
    t = now(match)
    assert (t.units[0].hex, t.units[1].hex, t.guests) == ("G5", "G5", {"G5": 1})
    assert t.moved == {0: 2, 1: 2}
    assert Marched(0, "E5", "G5", 2, leader=1, way=("F5", "G5")) in events
    # HX-Q26: a leader who moved with the unit cannot leave it this turn.
    assert not match.waiting


@pytest.mark.clause("HX-LDS-07", "HX-LDS-08", "HX-Q26")
def test_an_attached_leader_may_leave_when_the_unit_is_ordered_and_both_move_in_either_sequence() -> None:
    for first, second in (
        (March(1, "E8"), March(0, "E4")),
        (March(0, "E4", alone=True), March(1, "E8")),
    ):
        match = moving("V-M E5, L-L E5")
        events = match.play(0, first)
        assert LeaderParted(1, 0) in events
        assert now(match).parted == {1: 0}
        match.play(0, second)
        t = now(match)
        assert (t.units[0].hex, t.units[1].hex, t.guests) == ("E4", "E8", {})
        assert (t.board["E4"], t.board["E8"]) == (0, 1)
    # Each leader may stay.
    match = moving("V-M E5, L-L E5")
    match.play(0, March(0, "E4", alone=True))
    match.play(0, EndMoves())
    assert now(match).units[1].hex == "E5"
    assert now(match).board["E5"] == 1


@pytest.mark.clause("HX-LDS-07", "HX-Q26")
def test_a_leader_ordered_alone_leaves_and_the_unit_stays() -> None:
    match = moving("V-M E5, L-L E5", ordered=(1,))
    assert {a.unit for a in options(match) if isinstance(a, March)} == {1}
    assert refused(match, March(0, "E4")).code == "not-ordered"
    match.play(0, March(1, "E6"))
    assert not match.waiting


@pytest.mark.clause("HX-LDS-09", "HX-Q26")
def test_a_leader_who_leaves_joins_nobody_in_the_same_move() -> None:
    # Worked example 31.
    match = moving("I-M E5, L-L E5, I-M G5")
    result = refused(match, March(1, "G5"))
    assert (result.code, result.clause) == ("parted", "HX-LDS-09")
    assert "F5" in ends(match, 1)
    # The same holds if the unit has left the leader behind: the leader joins neither this unit nor another one.
    match.play(0, March(0, "E6", alone=True))
    for to in ("G5", "E6"):
        assert refused(match, March(1, to)).code == "parted"


@pytest.mark.clause("HX-Q14", "HX-Q26", "HX-MOV-02")
def test_a_unit_that_a_leader_has_joined_would_move_him_twice_and_so_stays() -> None:
    match = moving("L-L E5, I-M G5, I-M A9")
    match.play(0, March(0, "G5"))
    for alone in (False, True):
        result = refused(match, March(1, "G6", alone=alone))
        assert (result.code, result.clause) == ("leader-has-moved", "HX-MOV-02")


@pytest.mark.clause("HX-LDS-07")
def test_nobody_is_left_behind_where_nobody_is_attached() -> None:
    match = moving("I-M E5")
    assert refused(match, March(0, "E4", alone=True)).code == "no-leader"


@pytest.mark.clause("HX-LDS-08", "HX-S37")
def test_a_leader_is_not_left_in_water() -> None:
    match = moving("G-L E5, L-L E5", ground="water E5")
    assert ends(match, 0, alone=True) == ends(match, 1) == set()
    assert refused(match, March(0, "E4", alone=True)).code == "left-in-water"
    assert refused(match, March(1, "E4")).code == "left-in-water"
    match.play(0, March(0, "E4"))
    assert now(match).guests == {"E4": 1}


@pytest.mark.house("leader_joins", "others", "any")
@pytest.mark.clause("HX-LDR-02", "HX-Q14")
def test_a_leader_joins_leader_units_by_house_rule() -> None:
    match = moving("L-L E5, L-M E4, L-L E6", ordered=(0,), rules={"leader_joins": "any"})
    assert refused(match, March(0, "E6")).code == "are-leaders"
    assert LeaderJoined(0, 1) in match.play(0, March(0, "E4"))
    t = now(match)
    assert t.host_of(t.units[0]) == t.units[1]
    before = dict(t.guests), dict(t.board)
    t.awaken()
    assert (t.guests, t.board) == before
    # One model of the unit is left. Two single leaders are now in one hex, and move one by one.
    t.change(1, kind="leader-light", was="leader-medium", strength=1)
    t.awaken()
    assert (t.guests, t.board) == before
    strict = moving("L-L E5, L-M E4", ordered=(0,), rules={"leader_joins": "others"})
    assert refused(strict, March(0, "E4")).code == "are-leaders"


@pytest.mark.house("leader_joins", "any")
@pytest.mark.clause("HX-LDU-05", "HX-Q14", "HX-LDS-09")
def test_two_single_leaders_in_one_hex_join_nobody_together() -> None:
    t = battle("L-M E4, L-L E4, I-M E5, I-M D5", "I-M A1", rules={"leader_joins": "any"})
    t.change(0, kind="leader-light", was="leader-medium", strength=1)
    t.ordered.extend([0, 1])
    match = begin(t, at=Moves(side=0))
    assert refused(match, March(0, "E5")).code == "with-another"
    assert refused(match, March(0, "E5", alone=True)).code == "with-another"
    assert refused(match, March(1, "D5")).code == "parted"
    match.play(0, March(0, "F3"))
    assert now(match).guests == {"F3": 1}
    assert now(match).board["F3"] == 0


@pytest.mark.house("leader_joins", "any")
@pytest.mark.house("leader_escape", "on")
@pytest.mark.clause("HX-Q16", "HX-LDU-05")
def test_a_leader_whose_comrade_falls_does_not_flee() -> None:
    rules = {"leader_joins": "any", "leader_escape": "on", "battle_die": "d6_even"}
    t = battle("V-M E5", "L-M F5, L-L F5, I-M H5", rules=rules)
    t.change(1, kind="leader-light", was="leader-medium", strength=1)
    lose(t, 2, 0)
    assert a_leader_without_a_unit_escapes(t, UnitLost(2, "F5", 0, 1)) is None
    assert now(begin(t, at=Moves(side=0))).units[1].hex == "F5"
