"""Moves: distances, destinations, obstacles, and moves after which a unit may still battle."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Wish, offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Refusal, total
from caltrop.rules.hex_command.cards import Play
from caltrop.rules.hex_command.movement import EndMoves, March, Moves
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit
from caltrop.rules.hex_command.reach import farthest, farthest_to_battle, no_battle_after_moving
from caltrop.rules.hex_command.routes import within_reach
from tests.rules.hex_command.tables import asked, battle, begin, now, options, refused

FAR = "I-M M1"
"""A distant enemy."""


def moving(south: str, north: str = FAR, ordered: tuple[int, ...] | None = None, **more: Any) -> Match:
    """Return a battle in which South moves, with all its units or the named ones ordered."""
    t = battle(south, north, **more)
    t.ordered.extend([u.id for u in t.units if u.side == 0] if ordered is None else ordered)
    return begin(t, at=Moves(side=0))


def ends(match: Match, unit: int = 0, *, alone: bool = False) -> set[str]:
    """Return the hexes in which a unit may end a move."""
    return {a.to for a in options(match) if isinstance(a, March) and a.unit == unit and a.alone == alone}


def no_battle(match: Match, unit: int = 0) -> Refusal | None:
    t = now(match)
    return no_battle_after_moving(t, t.units[unit])


@pytest.mark.clause("HX-S20", "HX-S11", "HX-S12")
@pytest.mark.parametrize(
    ("code", "most"),
    [
        *[("I-L", 2), ("I-M", 2), ("I-H", 1), ("I-SH", 2), ("V-L", 4), ("V-M", 3), ("V-H", 2), ("V-SH", 2)],
        *[("L-L", 3), ("L-M", 2), ("L-H", 3), ("L-SH", 2), ("G-L", 3), ("G-M", 3), ("G-H", 2), ("G-SH", 1)],
    ],
)
def test_a_unit_moves_as_far_as_its_row_says(code: str, most: int) -> None:
    match = moving(f"{code} G5")
    t = now(match)
    assert ends(match) == {hex for hex in t.map.hexes if 0 < t.map.distance("G5", hex) <= most}
    assert total(farthest(t, t.units[0])) == most


@pytest.mark.clause("HX-TRN-03", "HX-MOV-01", "HX-MOV-02", "HX-MOV-03", "HX-MOV-04", "HX-MOV-05")
def test_ordered_units_move_one_after_another_once_each_and_need_not() -> None:
    match = moving("V-M G5, I-M C5, I-M A9", ordered=(0, 1))
    result = refused(match, March(2, "B9"))
    assert (result.code, result.clause) == ("not-ordered", "HX-TRN-03")
    match.play(0, March(0, "G4"))
    result = refused(match, March(0, "G3"))
    assert (result.code, result.clause) == ("has-moved", "HX-MOV-02")
    assert ends(match, 1)
    match.play(0, EndMoves())
    assert now(match).moved == {0: 1}
    assert not match.waiting


@pytest.mark.clause("HX-MOV-01")
def test_nobody_is_asked_where_nobody_can_move() -> None:
    assert not moving("V-M A1", "I-M B1, I-M A2").waiting
    assert not moving("V-M A1", ordered=()).waiting


@pytest.mark.clause("HX-MOV-06", "HX-MOV-07")
def test_occupied_hexes_are_neither_entered_nor_passed() -> None:
    # G5 is surrounded except for F5, which an own unit occupies.
    ring = "I-M H5, I-M G4, I-M F4, I-M G6, I-M F6"
    match = moving("V-M G5, I-M F5", ring, ordered=(0,))
    assert not match.waiting
    match = moving("V-M G5", "I-M G4, I-M F4")
    for to in ("G4", "F4"):
        result = refused(match, March(0, to))
        assert (result.code, result.clause) == ("occupied", "HX-MOV-06")
    # H3 is behind G4. The free path around it is three hexes long, and a tank can take it.
    match = moving("V-M G5", "I-M G4")
    assert "H3" in ends(match)
    match = moving("I-SH G5, I-M G4", ordered=(0,))
    result = refused(match, March(0, "H3"))
    assert (result.code, result.clause) == ("in-the-way", "HX-MOV-07")
    assert result.values["at"] == "G4"
    result = refused(moving("I-SH G5", ground="water G4"), March(0, "H3"))
    assert (result.code, result.clause) == ("too-far-round", "HX-S20")
    assert result.values["far"] == 3
    result = refused(moving("I-SH G5, I-M A5", ground="water H5 G4 F4 G6 F6 F5"), March(0, "H3"))
    assert (result.code, result.values["hex"]) == ("water", "G4")


@pytest.mark.clause("HX-S20", "HX-S10", "HX-MOV-03")
def test_what_is_too_far_off_the_map_or_where_it_stands_is_refused_with_the_nearest_hex() -> None:
    match = moving("I-M G5")
    result = refused(match, March(0, "G1"))
    assert (result.code, result.clause, result.nearest) == ("too-far", "HX-S20", March(0, "G3"))
    assert (result.values["far"], result.values["most"]) == (4, 2)
    result = refused(match, March(0, "Z9"))
    assert (result.code, result.clause) == ("no-hex", "HX-S10")
    assert "M9" in result.message
    result = refused(match, March(0, "G5"))
    assert (result.code, result.clause) == ("stands-there", "HX-MOV-03")
    assert refused(match, March(5, "G5")).code == "no-unit-of-yours"
    assert refused(match, March(1, "M2")).code == "no-unit-of-yours"


@pytest.mark.clause("HX-S32", "HX-S33", "HX-S38")
@pytest.mark.parametrize(("ground", "clause"), [("woods", "HX-S32"), ("ruins", "HX-S33"), ("ford", "HX-S38")])
def test_a_unit_must_stop_on_entering(ground: str, clause: str) -> None:
    match = moving("V-M A1", ground=f"{ground} B1, spire A2")
    assert ends(match) == {"B1"}
    result = refused(match, March(0, "C1"))
    assert (result.clause, result.values["at"], result.nearest) == (clause, "B1", March(0, "B1"))


@pytest.mark.clause("HX-S30", "HX-S31", "HX-S34")
@pytest.mark.parametrize("ground", ["rubble", "hill", "road", "bridge"])
def test_other_ground_stops_nobody(ground: str) -> None:
    assert {"B1", "C1", "D1"} <= ends(moving("V-M A1", ground=f"{ground} B1, spire A2"))


@pytest.mark.clause("HX-S36", "HX-S37", "HX-S35", "HX-S38")
@pytest.mark.parametrize(
    ("ground", "clause", "may"),
    [
        ("spire", "HX-S36", ()),
        ("water", "HX-S37", ("G-L", "G-SH")),
        ("citadel", "HX-S35", ("I-M", "I-SH", "L-L", "L-M", "L-H", "L-SH")),
        ("ford", "HX-S38", ("I-M", "I-SH", "V-M", "L-L", "L-M", "L-H", "L-SH", "G-L", "G-SH")),
    ],
)
def test_some_ground_lets_only_some_units_in(ground: str, clause: str, may: tuple[str, ...]) -> None:
    for code in ("I-M", "I-SH", "V-M", "V-H", "V-SH", "L-L", "L-M", "L-H", "L-SH", "G-L", "G-SH"):
        match = moving(f"{code} E5", ground=f"{ground} F5")
        assert ("F5" in ends(match)) == (code in may), code
        if code not in may:
            result = refused(match, March(0, "F5"))
            assert result.clause == clause
            # The path is longer if there is no other.
            match = moving(f"{code} A1", ground=f"{ground} B1, spire A2")
            assert not match.waiting


@pytest.mark.clause("HX-S30", "HX-S32", "HX-S33", "HX-S37")
def test_god_machines_stop_only_in_water_and_in_ground_not_two_sizes_smaller() -> None:
    # A Knight Walker has size 4 and moves 3; woods and ruins have size 2.
    assert {"B1", "C1", "D1"} <= ends(moving("G-L A1", ground="woods B1, ruins C1, spire A2"))
    match = moving("G-L A1", ground="water B1, spire A2")
    assert ends(match) == {"B1"}
    assert refused(match, March(0, "C1")).clause == "HX-S37"
    assert ends(moving("G-L A1", ground="ford B1, spire A2")) >= {"B1", "C1"}


@pytest.mark.clause("HX-S30")
def test_a_move_all_by_road_is_a_hex_longer_and_so_is_the_one_before_a_battle() -> None:
    road = "road A5 B5 C5, bridge D5, road E5"
    match = moving("I-M A5", ground=road)
    assert "D5" in ends(match)
    assert ends(match) - ends(moving("I-M A5")) == {"D5"}
    match.play(0, March(0, "C5"))
    t = now(match)
    assert no_battle(match) is None
    assert [p.clause for p in farthest_to_battle(t, t.units[0])] == ["HX-S20", "HX-S30"]
    # Three hexes are one too many to battle; so are two hexes off the road, even from an open start.
    match = moving("I-M A5", ground=road)
    match.play(0, March(0, "D5"))
    assert no_battle(match) is not None
    match = moving("I-M A5", ground="road B5 C5 D5")
    assert "D5" not in ends(match)
    match.play(0, March(0, "C5"))
    assert no_battle(match) is not None
    match = moving("I-M A5", ground="road A5 B5 D5")
    assert "D5" not in ends(match)
    match.play(0, March(0, "C5"))
    assert no_battle(match) is not None


@pytest.mark.clause("HX-S20")
@pytest.mark.parametrize(
    ("code", "far", "may"), [("I-M", 1, True), ("I-M", 2, False), ("I-L", 2, True), ("V-M", 3, True), ("V-H", 2, False)]
)
def test_a_unit_battles_only_after_as_short_a_move_as_its_row_says(code: str, far: int, may: bool) -> None:
    # Worked example 27: line troops that move two hexes may not battle.
    match = moving(f"{code} A5")
    match.play(0, March(0, "ABCD"[far] + "5"))
    result = no_battle(match)
    assert (result is None) == may
    if result is not None:
        assert (result.clause, result.values["moved"]) == ("HX-S20", far)


@pytest.mark.clause("HX-S32")
def test_a_unit_that_enters_woods_may_not_battle_except_scouts() -> None:
    for code, may in (("I-L", True), ("I-M", False), ("V-M", False), ("G-L", False), ("L-L", False)):
        match = moving(f"{code} A5", ground="woods B5")
        match.play(0, March(0, "B5"))
        result = no_battle(match)
        assert (result is None) == may, code
        assert result is None or result.clause == "HX-S32"
    match = moving("I-M A5", ground="ruins B5")
    match.play(0, March(0, "B5"))
    assert no_battle(match) is None


@pytest.mark.clause("HX-S49", "HX-S20")
def test_infantry_storm_lets_infantry_move_a_hex_farther_and_battle() -> None:
    t = battle("I-M A5, I-H A7, I-L A9, V-M M9", FAR, hands=(("infantry-storm",), ("pincer",)))
    match = begin(t)
    match.play(0, Play("infantry-storm"))
    for unit in (0, 1, 2):
        match.play(0, OrderUnit(unit))
    t = now(match)
    assert [total(farthest(t, t.units[unit])) for unit in (0, 1, 2)] == [2, 2, 3]
    assert [total(farthest_to_battle(t, t.units[unit])) for unit in (0, 1, 2)] == [2, 2, 3]
    match.play(0, March(0, "C5"))
    assert no_battle(match) is None


@pytest.mark.clause("HX-S5A", "HX-S5B", "HX-S56", "HX-S54")
@pytest.mark.parametrize(
    ("card", "clause"),
    [("fire-zone", "HX-S5A"), ("cold-steel", "HX-S5B"), ("dig-in", "HX-S56"), ("field-repair", "HX-S54")],
)
def test_units_that_a_card_holds_fast_may_not_move(card: str, clause: str) -> None:
    # The escort is ordered besides the card, and moves.
    south = "I-M E7, G-SH A9, I-M B7"
    match = begin(
        battle(south, "I-M F7" if card == "cold-steel" else FAR, hands=((card,), ("pincer",)), always=1), (1,) * 6
    )
    match.play(0, Play(card))
    if card != "cold-steel":
        match.play(0, OrderUnit(0))
    if asked(match) == [("OrderUnits", 0)]:
        match.play(0, EndOrders())
    assert asked(match) == [("MoveUnits", 0)]
    result = refused(match, March(0, "E8"))
    assert result.clause == clause
    assert ends(match, 0) == set()
    assert ends(match, 1)


@pytest.mark.clause("HX-S54")
def test_who_is_repaired_does_not_battle_either() -> None:
    match = begin(battle("I-M E7, G-SH A9", FAR, hands=(("field-repair",), ("pincer",)), always=1), (1,) * 6)
    match.play(0, Play("field-repair"))
    match.play(0, OrderUnit(0))
    result = no_battle(match)
    assert result is not None
    assert result.clause == "HX-S54"
    assert no_battle(match, 1) is None


@pytest.mark.clause("HX-S39")
def test_an_entrenchment_goes_when_its_unit_leaves() -> None:
    match = moving("I-M E5, L-L E5, I-M G5")
    now(match).entrenchments.extend(["E5", "G5"])
    match.play(0, March(0, "E6", alone=True))
    assert now(match).entrenchments == ["G5"]
    match = moving("I-M E5, L-L E5, I-M G5")
    now(match).entrenchments.extend(["E5", "G5"])
    match.play(0, March(1, "E6"))
    assert now(match).entrenchments == ["E5", "G5"]


@pytest.mark.clause("HX-S60")
def test_an_objective_is_held_as_soon_as_a_unit_is_there() -> None:
    from caltrop.rules.hex_command.records import Objective

    match = moving("I-M E5, I-M A9", objectives=(Objective(hex="E4"),))
    match.play(0, March(0, "E4"))
    assert now(match).captured == {"E4": 0}


def test_a_drag_becomes_a_move_or_says_where_it_goes_wrong() -> None:
    match = moving("I-M E5, L-L E5", "I-M E4, I-M D4", ground="water F5")
    decision, t = match.waiting[0], now(match)
    centre = t.map.centre
    proposal = offered(decision).propose(t, Wish(unit=0, to=(centre("F6")[0] + 90, centre("F6")[1] - 200)))
    assert proposal.action == March(0, "F6")
    assert proposal.paths == {0: (centre("E5"), centre("E6"), centre("F6"))} or len(proposal.paths[0]) == 3
    assert proposal.left == 0
    assert offered(decision).propose(t, Wish(unit=0, to=centre("E6"), act="alone")).action == March(0, "E6", alone=True)
    proposal = offered(decision).propose(t, Wish(unit=0, to=centre("F5")))
    assert proposal.action is None
    assert proposal.faults == (centre("F5"),)
    assert proposal.refusal is not None
    assert proposal.refusal.clause == "HX-S37"
    assert offered(decision).propose(t, Wish(unit=2, to=centre("F5"))).refusal is not None


def test_who_cannot_move_takes_nothing_from_the_chances_of_the_others() -> None:
    match = moving("V-M G5, I-M C7, I-M K7, I-M E9")
    t = now(match)
    t.moved.update({1: 0, 2: 0, 3: 0})
    dice = Seeded(5)
    ended = sum(match.waiting[0].options(t).sample(dice) == EndMoves() for _ in range(2000))
    assert 900 < ended < 1100


def test_a_sample_is_among_the_moves_and_reaches_all_of_them() -> None:
    match = moving("I-H E5, I-H G5, L-L E5", ground="woods F5")
    every = options(match)
    dice = Seeded(1)
    samples = {match.waiting[0].options(now(match)).sample(dice) for _ in range(2000)}
    assert samples == set(every)
    assert within_reach(now(match), now(match).units[1], 1).keys() == ends(match, 1)
