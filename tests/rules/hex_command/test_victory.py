"""Banners, objectives, limits, and how battles end."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Event, total
from caltrop.rules.hex_command.catalogue import UNITS
from caltrop.rules.hex_command.records import NORTH, SOUTH, Battle, Field, Limit, Objective, Unit, full_strength
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.scenarios import SCENARIO_FILES
from caltrop.rules.hex_command.victory import (
    banner_parts,
    banners,
    begin_turn,
    end_turn,
    lose,
    lose_leader,
    points_left,
    settle,
)


def field(*units: tuple[int, str, str], rules: dict[str, Any] | None = None, **more: Any) -> Battle:
    """Return a battle with units (side, kind, hex) on open ground. Leaders come after their units."""
    t = Battle(book=ruleset.book(None, rules or {}), field=Field(rows=9, columns=13, **more), units=[])
    t.told = []
    for side, kind, hex in units:
        row = UNITS[kind]
        t.units.append(
            Unit(id=len(t.units), side=side, kind=kind, name=row.title, hex=None, strength=full_strength(row))
        )
        t.put(len(t.units) - 1, hex, guest=hex in t.board)
    return t


def said(t: Battle) -> list[str]:
    """Return the sentences since the last call."""
    events: list[Event] = t.told or []
    words = [event.sentence(t) for event in events]
    t.told = []
    return words


def goes_on(t: Battle) -> bool:
    """Return whether neither side has won yet."""
    return t.over is None


@pytest.mark.clause("HX-S60", "HX-S20")
def test_the_enemy_gets_the_banners_of_what_is_destroyed() -> None:
    t = field((0, "infantry-light", "E5"), (0, "god-machine-light", "F5"), (0, "god-machine-heavy", "G5"))
    for unit, count in ((0, 1), (1, 3), (2, 6)):
        lose(t, unit, NORTH)
        assert (banners(t, SOUTH), banners(t, NORTH)) == (0, count)
    assert t.board == {}
    assert [u.strength for u in t.units] == [0, 0, 0]
    assert said(t)[1:] == [
        "South loses the Knight Walker at F5: 2 banners for North",
        "South loses the Battle Titan at G5: 3 banners for North",
    ]
    with pytest.raises(ValueError, match="not on the map"):
        lose(t, 0)


@pytest.mark.clause("HX-S60", "HX-Q16")
def test_a_leader_is_worth_a_banner_and_outlives_its_unit() -> None:
    t = field((0, "vehicle-medium", "E5"), (0, "leader-light", "E5"), (1, "infantry-light", "G5"))
    leader = t.units[1]
    assert t.leader_of(t.units[0]) == leader
    lose(t, 0, NORTH)
    assert (t.unit_at("E5"), t.host_of(leader)) == (leader, None)
    assert banners(t, NORTH) == 1
    lose_leader(t, 1, NORTH)
    assert (t.unit_at("E5"), banners(t, NORTH)) == (None, 2)


def test_an_attached_leader_goes_alone() -> None:
    t = field((0, "vehicle-medium", "E5"), (0, "leader-light", "E5"))
    lose_leader(t, 1, NORTH)
    assert t.unit_at("E5") == t.units[0]
    assert t.leader_of(t.units[0]) is None
    assert banners(t, NORTH) == 1


@pytest.mark.clause("HX-Q33", "HX-S60")
def test_who_destroys_its_own_gives_the_enemy_the_banner() -> None:
    t = field((0, "infantry-light", "E5"), (1, "infantry-light", "E6"))
    lose(t, 0, SOUTH)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (0, 1)


@pytest.mark.clause("HX-S39")
def test_an_entrenchment_goes_with_its_unit_and_stays_with_it() -> None:
    t = field((0, "infantry-light", "E5"), (0, "leader-light", "E5"), (0, "infantry-light", "E6"))
    t.entrenchments = ["E5", "E6"]
    lose_leader(t, 1)
    assert t.entrenchments == ["E5", "E6"]
    lose(t, 0)
    assert t.entrenchments == ["E6"]


@pytest.mark.clause("HX-S23", "HX-S61")
def test_the_last_of_a_leader_unit_is_one_banner_and_all_its_points() -> None:
    t = field((1, "leader-super-heavy", "E2"), (1, "infantry-medium", "F2"))
    t.change(0, kind="leader-light", was="leader-super-heavy", strength=1)
    assert banners(t, SOUTH) == 0
    assert [part.value for part in points_left(t, NORTH)] == [8, 5]
    lose(t, 0, SOUTH)
    assert banners(t, SOUTH) == 1
    assert total(points_left(t, NORTH)) == 5


@pytest.mark.clause("HX-S61", "HX-S21")
@pytest.mark.house("battle_die", "d6_even", "d8_weighted")
def test_points_left_are_those_of_the_die_in_play() -> None:
    for die, points in (("d6_even", 22), ("d8_weighted", 25)):
        t = field((0, "god-machine-heavy", "E5"), rules={"battle_die": die})
        t.change(0, strength=1)
        assert total(points_left(t, SOUTH)) == points


# --- objectives -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S60", "HX-Q20")
def test_a_temporary_objective_counts_while_somebody_stands_there() -> None:
    t = field((0, "infantry-light", "E5"), (1, "leader-light", "G4"), objectives=(Objective(hex="G5"),))
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (0, 0)
    t.put(0, "G5")
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (1, 0)
    t.put(0, "G6")
    t.put(1, "G5")
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (0, 1), "a leader alone holds it too"
    assert [(part.value, part.words) for part in banner_parts(t, NORTH)][1:] == [(1, "Holds G5")]
    t.put(1, "H5")
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (0, 0)
    assert said(t) == [
        "South holds G5 with the Scouts: 1 banner for as long as it is held",
        "South holds G5 no longer, and loses its banner",
        "North holds G5 with the Hero: 1 banner for as long as it is held",
        "North holds G5 no longer, and loses its banner",
    ]


@pytest.mark.clause("HX-S60", "HX-S72")
def test_a_permanent_objective_stays_captured_and_may_be_for_one_side() -> None:
    goals = (Objective(hex="F3", permanent=True, side=SOUTH), Objective(hex="H3", permanent=True))
    t = field((0, "infantry-light", "E5"), (1, "infantry-heavy", "F3"), (1, "infantry-heavy", "H3"), objectives=goals)
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (0, 1)
    lose(t, 1, SOUTH)
    t.put(0, "F3")
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (2, 1)
    t.put(0, "E3")
    t.put(2, "F3")
    settle(t)
    assert (banners(t, SOUTH), banners(t, NORTH)) == (2, 1), "captured once, it stays so"
    assert "South captures F3 with the Scouts: 1 banner for good" in said(t)


@pytest.mark.clause("HX-S60")
@pytest.mark.parametrize("first", [SOUTH, NORTH])
@pytest.mark.parametrize("permanent", [True, False])
def test_only_a_temporary_objective_is_taken_back(first: int, permanent: bool) -> None:
    units = ((first, "infantry-light", "E5"), (1 - first, "infantry-light", "G5"))
    t = field(*units, objectives=(Objective(hex="E5", permanent=permanent),))
    settle(t)
    assert t.captured == {"E5": first}
    t.put(0, "E4")
    t.put(1, "E5")
    settle(t)
    assert t.captured == {"E5": first if permanent else 1 - first}
    t.put(1, "G5")
    settle(t)
    assert t.captured == ({"E5": first} if permanent else {})


# --- ends -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-Q20", "HX-S60", "HX-Q31")
def test_a_battle_that_is_over_is_not_decided_anew() -> None:
    t = field((0, "god-machine-light", "E5"), (1, "god-machine-light", "G2"), banners=(2, 2))
    lose(t, 1, SOUTH)
    settle(t)
    decided = t.over
    assert decided is not None
    assert decided.winner == SOUTH
    t.medals[NORTH] = 9
    settle(t)
    assert t.over is decided


@pytest.mark.clause("HX-Q20", "HX-S60")
def test_the_number_of_banners_ends_the_battle_at_once() -> None:
    t = field(
        (0, "infantry-light", "E5"), (1, "god-machine-light", "G2"), banners=(3, 5), objectives=(Objective(hex="E5"),)
    )
    lose(t, 1, SOUTH)
    assert goes_on(t), "the objective is not counted yet"
    settle(t)
    assert t.over is not None
    assert (t.over.winner, t.over.points, t.over.reason) == (SOUTH, (3, 0), "South has 3 banners and wins")


@pytest.mark.clause("HX-Q31")
@pytest.mark.parametrize(
    ("medals", "active", "winner"), [([5, 6], 0, 1), ([5, 5], 0, 0), ([5, 5], 1, 1), ([6, 5], 1, 0)]
)
def test_both_at_their_number_by_one_act(medals: list[int], active: int, winner: int) -> None:
    t = field((0, "infantry-light", "E5"), (1, "infantry-light", "E2"))
    t.medals, t.active = medals, active
    settle(t)
    assert t.over is not None
    assert t.over.winner == winner


@pytest.mark.clause("HX-S61", "HX-Q31")
def test_without_another_limit_both_sides_have_25_turns() -> None:
    t = field((0, "infantry-light", "E5"), (1, "infantry-light", "E2"))
    t.turns = [25, 24]
    end_turn(t, SOUTH)
    assert goes_on(t)
    t.turns = [25, 25]
    end_turn(t, NORTH)
    assert t.over is not None
    assert t.over.winner is None
    assert "4 points left each: a draw" in t.over.reason


@pytest.mark.clause("HX-S61", "HX-Q31")
@pytest.mark.parametrize(
    ("medals", "winner", "words"),
    [([2, 1], 0, "South wins with 2 banners to 1"), ([1, 1], 1, "North has 5 points left to 4 and wins")],
)
def test_at_the_limit_banners_decide_and_then_points(medals: list[int], winner: int, words: str) -> None:
    t = field((0, "infantry-light", "E5"), (1, "infantry-medium", "E2"))
    t.medals, t.turns = medals, [25, 25]
    end_turn(t, NORTH)
    assert t.over is not None
    assert (t.over.winner, t.over.points) == (winner, tuple(medals))
    assert words in t.over.reason


@pytest.mark.clause("HX-S61", "HX-S72")
def test_a_limit_counts_the_turns_of_the_side_named_and_the_last_is_played_out() -> None:
    t = field((0, "infantry-light", "E5"), (1, "infantry-light", "E2"), limit=Limit(side=SOUTH, turns=12, winner=NORTH))
    t.turns, t.medals = [12, 12], [4, 0]
    end_turn(t, NORTH)
    assert goes_on(t)
    begin_turn(t, SOUTH)
    assert goes_on(t)
    end_turn(t, SOUTH)
    assert t.over is not None
    assert t.over.winner == NORTH, "whatever the banners are"


@pytest.mark.clause("HX-S73")
def test_the_emperor_walks_off_the_other_end() -> None:
    t = ruleset.setup(ruleset.book(), "godfall")
    titan = t.units[t.board["G1"]]
    assert titan.kind == "god-machine-super-heavy"
    assert (t.field.always, t.field.prize, t.field.exit) == (titan.id, titan.id, (titan.id, 9))
    begin_turn(t, NORTH)
    assert goes_on(t)
    t.put(titan.id, "G9")
    begin_turn(t, SOUTH)
    assert goes_on(t), "only a turn of its own side counts"
    begin_turn(t, NORTH)
    assert t.over is not None
    assert t.over.winner == NORTH


@pytest.mark.clause("HX-S73")
def test_the_emperor_falls() -> None:
    t = ruleset.setup(ruleset.book(), "godfall")
    titan = t.units[t.board["G1"]]
    t.change(titan.id, strength=1)
    settle(t)
    assert goes_on(t)
    lose(t, titan.id, SOUTH)
    settle(t)
    assert t.over is not None
    assert (t.over.winner, t.over.points) == (SOUTH, (3, 0))
    assert t.over.reason == "Hunter Pack has destroyed the Emperor Titan and wins"
    assert t.unit_at("G1") is not None, "its leader stands there yet"


@pytest.mark.clause("HX-S73")
def test_the_hunters_win_after_nine_turns_of_the_escort() -> None:
    t = ruleset.setup(ruleset.book(), "godfall")
    t.turns = [8, 9]
    end_turn(t, NORTH)
    assert t.over is not None
    assert t.over.winner == SOUTH
    assert SCENARIO_FILES.find("godfall").value.first == "north"


@pytest.mark.clause("HX-Q35", "W48")
@pytest.mark.parametrize(("lost", "winner"), [((1,), 0), ((0,), 1), ((), None), ((0, 1), None)])
def test_a_side_without_units_has_lost_when_the_turn_ends(lost: tuple[int, ...], winner: int | None) -> None:
    """If both sides lose their last unit, the limit's rule decides: banners, of which each side has won one."""
    t = field((SOUTH, "vehicle-medium", "E5"), (NORTH, "infantry-medium", "L5"))
    for unit in lost:
        lose(t, unit)
        settle(t)
    before = t.over
    end_turn(t, 0)
    assert before is None, "the turn is played out"
    assert (t.over is not None) is bool(lost)
    if t.over is not None:
        assert t.over.winner == winner


@pytest.mark.clause("HX-Q35")
def test_a_side_that_never_had_a_unit_has_not_lost_it() -> None:
    t = field((SOUTH, "vehicle-medium", "E5"))
    end_turn(t, 0)
    assert t.over is None
