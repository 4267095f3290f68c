"""Counting and ends of missions."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.geometry import INCH
from caltrop.rules.squad_action.reach import exits_of
from caltrop.rules.squad_action.records import Firefight, Objective, Pilot
from caltrop.rules.squad_action.scene import at, machine, scene, squad
from caltrop.rules.squad_action.victory import (
    after_action,
    counts_for_exit,
    end_of_game_turn,
    has_lost_heart,
    holder,
    left_the_table,
    needed_to_leave,
    points_lost,
    totals,
)
from caltrop.table.measured import Edge

MIDDLE = (Objective(at=at(24, 24), name="Middle"),)


def meeting(*units: Any, **fields: Any) -> Firefight:
    return scene(*units, field={"goal": "meeting", "objectives": MIDDLE, "turns": 6}, **{"round": 2, **fields})


def winner_of(t: Firefight) -> int | None:
    """Return the side that has won."""
    assert t.over is not None
    return t.over.winner


# --- meeting engagement -----------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S70", "SQ-S56")
def test_who_holds_an_objective() -> None:
    far = squad(1, "regular", 40, 40)
    assert holder(meeting(squad(0, "regular", 24, 24, 3), far), 0) == 0
    assert holder(meeting(squad(0, "regular", 24, 24, 3, pinned=True), far), 0) is None
    assert holder(meeting(squad(0, "regular", 24, 24, 3, broken=True), far), 0) is None
    assert holder(meeting(machine(0, "gunship", 24, 24), far), 0) is None
    assert holder(meeting(machine(0, "apc", 24, 24), far), 0) == 0
    assert holder(meeting(squad(0, "regular", 24, 24, 3), squad(1, "regular", 24, 26, 3)), 0) is None, "not alone"
    assert holder(meeting(squad(0, "regular", 24, 24, 3), squad(1, "regular", 24, 26, 3, pinned=True)), 0) == 0
    edge = meeting(squad(0, "regular", 24, 24, 1), far)
    edge.change_model(0, at=(24 * INCH, 27 * INCH + 76))
    assert holder(edge, 0) == 0
    edge.change_model(0, at=(24 * INCH, 27 * INCH + 77))
    assert holder(edge, 0) is None


@pytest.mark.clause("SQ-S70")
def test_objectives_count_from_turn_2_and_destroyed_units_at_once() -> None:
    for turn, points in ((1, 0), (2, 1), (5, 1)):
        t = meeting(squad(0, "regular", 24, 24, 3), squad(1, "regular", 40, 40), round=turn)
        end_of_game_turn(t)
        assert t.scores == [points, 0]
        assert t.over is None
    t = meeting(
        squad(0, "regular", 24, 24, 3),
        squad(1, "regular", 40, 40),
        squad(1, "regular", 9, 9, where="gone"),
        scores=[2, 4],
    )
    assert totals(t) == (3, 4)


@pytest.mark.clause("SQ-S70")
@pytest.mark.parametrize(("scores", "winner"), [([3, 2], 0), ([0, 4], 1), ([1, 2], None)])
def test_the_higher_total_wins_after_turn_6(scores: list[int], winner: int | None) -> None:
    t = meeting(squad(0, "regular", 24, 24, 3), squad(1, "regular", 40, 40), round=6, scores=scores)
    end_of_game_turn(t)
    assert t.over is not None
    assert t.over.winner == winner


def test_a_side_with_nobody_left_has_lost() -> None:
    t = meeting(squad(0, "regular", 24, 24, 3), squad(1, "regular", 40, 40, where="gone"))
    end_of_game_turn(t)
    assert t.over is not None
    assert t.over.winner == 0


# --- hold the crossroads ----------------------------------------------------------------------------------------------


def crossroads(*units: Any, **fields: Any) -> Firefight:
    field = {"goal": "crossroads", "objectives": MIDDLE, "turns": 6, "defender": 1, "morale": 0}
    return scene(*units, field=field, **{"round": 6, **fields})


@pytest.mark.clause("SQ-S71")
@pytest.mark.parametrize(
    ("y", "fields", "winner"),
    [(24, {}, 1), (24, {"pinned": True}, 1), (24, {"broken": True}, 0), (40, {}, 0)],
)
def test_the_crossroads_are_held_by_an_unbroken_defender(y: int, fields: dict[str, Any], winner: int) -> None:
    t = crossroads(squad(0, "regular", 5, 5), squad(1, "regular", 24, y, 1, **fields))
    end_of_game_turn(t)
    assert t.over is not None
    assert t.over.winner == winner


@pytest.mark.clause("SQ-S71")
def test_the_crossroads_reach_6_inches_and_are_looked_at_after_turn_6() -> None:
    for gap, winner in ((6 * INCH, 1), (6 * INCH + 1, 0)):
        t = crossroads(squad(0, "regular", 5, 5), squad(1, "regular", 24, 24, 1))
        t.change_model(t.units[1].models[0], at=(24 * INCH, 24 * INCH + gap + 76))
        end_of_game_turn(t)
        assert t.over is not None
        assert t.over.winner == winner
    early = crossroads(squad(0, "regular", 5, 5), squad(1, "regular", 24, 40, 1), round=5)
    end_of_game_turn(early)
    assert early.over is None


@pytest.mark.clause("SQ-S24", "SQ-S71")
def test_an_attacker_with_more_than_half_lost_has_lost_heart() -> None:
    def t(*lost: dict[str, Any]) -> Firefight:
        mine = [squad(0, "regular", 5 + 9 * n, 5, 3, **fields) for n, fields in enumerate(lost)]
        return crossroads(*mine, squad(1, "regular", 24, 40), round=3)

    half = t({"where": "gone"}, {"where": "gone"}, {}, {})
    assert not has_lost_heart(half, 0)
    end_of_game_turn(half)
    assert half.over is None
    more = t({"where": "gone"}, {"broken": True}, {})
    assert has_lost_heart(more, 0)
    end_of_game_turn(more)
    assert more.over is not None
    assert more.over.winner == 1
    pinned = t({"where": "gone"}, {"pinned": True}, {})
    assert not has_lost_heart(pinned, 0)


# --- downed pilot -----------------------------------------------------------------------------------------------------


def crash(*units: Any, **fields: Any) -> Firefight:
    return scene(
        *units,
        field={"goal": "pilot", "turns": 6, "exits": True},
        **{"round": 2, "pilot": Pilot(at=at(24, 24)), **fields},
    )


@pytest.mark.clause("SQ-S72")
def test_which_unit_the_pilot_joins() -> None:
    def joined(t: Firefight) -> bool:
        after_action(t, 0)
        assert t.pilot is not None
        return t.pilot.unit == 0

    assert joined(crash(squad(0, "regular", 24, 24, 3)))
    assert not joined(crash(squad(0, "regular", 24, 24, 3), round=1)), "from turn 2 on"
    assert not joined(crash(squad(0, "regular", 24, 24, 3, pinned=True)))
    assert not joined(crash(machine(0, "apc", 24, 24)))
    near, far = crash(squad(0, "regular", 24, 24, 1)), crash(squad(0, "regular", 24, 24, 1))
    near.change_model(0, at=(24 * INCH, 25 * INCH + 76))
    far.change_model(0, at=(24 * INCH, 25 * INCH + 77))
    assert joined(near)
    assert not joined(far)
    taken = crash(squad(0, "regular", 24, 24, 3), squad(1, "regular", 24, 24), pilot=Pilot(at=at(24, 24), unit=1))
    assert not joined(taken)


@pytest.mark.clause("SQ-S72")
def test_he_is_brought_home_over_the_own_edge() -> None:
    for edge, winner in (("south", 0), ("north", None)):
        t = crash(squad(0, "regular", 24, 1, 3), squad(1, "regular", 24, 40), pilot=Pilot(at=at(24, 1), unit=0))
        left_the_table(t, 0, edge)
        assert (t.over is not None) == (winner is not None)
    other = crash(squad(0, "regular", 24, 1, 3), squad(1, "regular", 24, 40))
    left_the_table(other, 0, "south")
    assert other.over is None, "without him"


@pytest.mark.clause("SQ-S72")
@pytest.mark.parametrize(("mine", "theirs", "winner"), [(50, 80, 0), (80, 50, 1), (50, 50, None)])
def test_else_who_lost_fewer_points_wins(mine: int, theirs: int, winner: int | None) -> None:
    t = crash(
        squad(0, "regular", 9, 9, where="gone", points=mine),
        squad(0, "regular", 9, 9),
        squad(1, "regular", 9, 40, where="gone", points=theirs),
        squad(1, "regular", 9, 40),
        round=6,
    )
    assert (points_lost(t, 0), points_lost(t, 1)) == (mine, theirs)
    end_of_game_turn(t)
    assert t.over is not None
    assert (t.over.winner, t.over.points) == (winner, (theirs, mine)), "each side has what the other lost"


# --- break through ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S73")
@pytest.mark.parametrize(("side", "far", "near"), [(0, "north", "south"), (1, "south", "north")])
def test_half_of_the_attackers_have_to_leave_rounded_up(side: int, far: Edge, near: Edge) -> None:
    t = scene(
        squad(side, "regular", 9, 9),
        squad(side, "regular", 19, 9),
        squad(side, "regular", 29, 9, where="aboard", carrier=4),
        machine(side, "battle-tank", 30, 9),
        machine(side, "apc", 40, 9),
        machine(side, "gunship", 44, 9),
        squad(1 - side, "regular", 9, 40),
        field={"goal": "breakthrough", "turns": 8, "exits": True, "defender": 1 - side},
    )
    assert [counts_for_exit(t, u) for u in range(6)] == [True, True, True, True, False, False]
    assert needed_to_leave(t, side) == 2
    assert exits_of(t, 0) == (far,)
    left_the_table(t, 0, near)
    left_the_table(t, 3, far)
    assert t.over is None
    left_the_table(t, 4, far)
    assert winner_of(t) == side, "with the squad aboard there are two"


@pytest.mark.clause("SQ-S73")
def test_else_the_defender_wins_after_turn_8() -> None:
    t = scene(
        squad(0, "regular", 9, 9),
        squad(1, "regular", 9, 40),
        round=8,
        field={"goal": "breakthrough", "turns": 8, "exits": True, "defender": 1},
    )
    end_of_game_turn(t)
    assert t.over is not None
    assert t.over.winner == 1
