"""The action Move: distances, obstacles, ends, packs, vehicles, flyers, Recon, and interruptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match, Refusal
from caltrop.geometry import Point, gap_between, near_to, path_length
from caltrop.rules.squad_action.activation import Hover, PassUp, what_is_next, what_may_follow
from caltrop.rules.squad_action.casualties import pin
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.movement import Move, Moved, Moving, flies_off, leave
from caltrop.rules.squad_action.orders import Activate, Begin, Orders
from caltrop.rules.squad_action.overwatch import Interrupt, LetPass
from caltrop.rules.squad_action.places import COHERENCY, KEEP_OFF, bodies, body
from caltrop.rules.squad_action.reach import PACKS, allowance, base_move
from caltrop.rules.squad_action.recon import ReconMoves, Scout, StayPut
from caltrop.rules.squad_action.records import Firefight, Pilot
from caltrop.rules.squad_action.routes import Routes, routes_of
from caltrop.rules.squad_action.scene import Length, at, block, done, machine, run, scene, squad
from caltrop.rules.squad_action.standing import find_room, fits, places_near
from caltrop.rules.squad_action.tokens import Watch
from caltrop.rules.squad_action.turn import Order, open_turn
from caltrop.rules.squad_action.watching import put_at
from caltrop.table.measured import coherent
from tests.rules.squad_action.played import KindOf

MOVE = KindOf("move")


def shift(t: Firefight, unit: int, dx: Length, dy: Length, **fields: Any) -> Move:
    """Move all models by the same vector."""
    x, y = inches(dx), inches(dy)
    paths = []
    for m in t.units[unit].models:
        start = t.models[m].at
        assert start is not None
        paths.append((m, (start, (start[0] + x, start[1] + y))))
    return Move(unit, tuple(paths), **fields)


def way(t: Firefight, unit: int, *places: Point, **fields: Any) -> Move:
    """Return the path of a unit of one model."""
    (m,) = t.units[unit].models
    start = t.models[m].at
    assert start is not None
    return Move(unit, ((m, (start, *places)),), **fields)


def why(t: Firefight, act: Move) -> str:
    """Return the code of the refusal, whose nearest Move is legal; empty if the Move is legal."""
    refusal: Refusal | None = MOVE.refusal(t, act, False)
    if refusal is None:
        return ""
    if refusal.nearest is not None:
        assert MOVE.refusal(t, refusal.nearest, False) is None
    return refusal.code


def go(t: Firefight, act: Move, *dice: Sequence[int], **fields: Any) -> Match:
    return run(t, Moving(act=act, **fields), *dice)


def place(t: Firefight, model: int) -> Point:
    at = t.models[model].at
    assert at is not None
    return at


def now(match: Match) -> Firefight:
    """Return the firefight at its present question."""
    t = match.state
    assert isinstance(t, Firefight)
    return t


# --- soldiers ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-01", "SQ-S10", "SQ-ORG-11", "SQ-ORG-14")
@pytest.mark.parametrize(("far", "code"), [("5.9", ""), (6, ""), ("6.01", "too-far")])
def test_soldiers_move_six_inches(far: Length, code: str) -> None:
    t = scene(squad(0, "regular", 10, 10))
    act = shift(t, 0, 0, far)
    assert why(t, act) == code
    if not code:
        after = done(go(t, act))
        assert place(after, 0) == at(10, 10 + float(far))
        assert (after.units[0].travelled, after.units[0].moved, after.units[0].moves) == (inches(far), True, 1)


@pytest.mark.clause("SQ-TRT-04")
def test_the_fast_move_eight() -> None:
    t = scene(squad(0, "regular", 10, 10, traits=("fast",)))
    assert why(t, shift(t, 0, 0, 8)) == ""
    assert why(t, shift(t, 0, 0, "8.01")) == "too-far"


@pytest.mark.clause("SQ-Q50", "SQ-ORG-14")
def test_it_is_measured_from_the_middle_and_others_may_go_two_inches_more() -> None:
    t = scene(squad(0, "regular", 10, 10, 3))
    line = [place(t, m) for m in range(3)]
    wheel = Move(0, ((0, (line[0], at(10, 14))), (1, (line[1], at(11, 14))), (2, (line[2], at(12, 14)))))
    assert why(t, wheel) == ""
    for middle, other, code in (
        ((11, 16), (10, "17.01"), ""),
        ((11, 16), (10, "17.99"), ""),
        ((11, "16.01"), (10, 17), "too-far"),
        ((11, "16.5"), (10, "18.01"), "one-too-far"),
    ):
        act = Move(0, ((0, (line[0], at(*other))), (1, (line[1], at(*middle))), (2, (line[2], at(12, 15)))))
        expected = code if float(other[1]) > 18 or code else ("straggles" if float(other[1]) > 17.6 else code)
        assert why(t, act) == expected
    # The outer two models move and the middle one stays. That is a Move too, of length 0.
    act = Move(0, ((0, (line[0], at(11, 11))),))
    assert why(t, act) == ""
    assert done(go(t, act)).units[0].travelled == 0


@pytest.mark.clause("SQ-Q50")
def test_of_two_in_the_middle_either_counts() -> None:
    t = scene(squad(0, "regular", 10, 10, 2))
    a, b = place(t, 0), place(t, 1)
    assert why(t, Move(0, ((0, (a, at(10, 16))), (1, (b, at(10, "16.8")))))) == ""
    assert why(t, Move(0, ((0, (a, at(10, "16.2"))), (1, (b, at(10, 17)))))) == "too-far"


@pytest.mark.clause("SQ-ORG-12", "SQ-S10")
@pytest.mark.parametrize(("gap", "code"), [(1, ""), ("1.01", "straggles")])
def test_it_ends_in_coherency(gap: Length, code: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 2))
    end = at(11, 10)[0] + inches(gap) + 152 - inches(1)
    assert why(t, Move(0, ((1, (place(t, 1), (end, at(0, 10)[1]))),))) == code


@pytest.mark.clause("SQ-S10")
@pytest.mark.parametrize(("gap", "code"), [(2, "too-near"), ("2.01", "")])
def test_nobody_ends_within_two_inches_of_an_enemy(gap: Length, code: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 1), squad(1, "regular", 10, 17, 1))
    act = way(t, 0, (at(10, 0)[0], at(0, 17)[1] - inches(gap) - 152))
    assert why(t, act) == code


@pytest.mark.clause("SQ-S10")
def test_flyers_keep_nobody_off_and_are_kept_off_by_nobody() -> None:
    t = scene(squad(0, "regular", 10, 10, 1), machine(1, "gunship", 10, 17))
    assert why(t, way(t, 0, at(10, "15.5"))) == ""
    assert why(t, way(t, 0, at(10, 16))) == "on-somebody"
    assert why(t, way(t, 1, at(10, "11.5"))) == ""


@pytest.mark.clause("SQ-S17")
def test_friends_on_foot_are_passed_and_enemies_vehicles_and_walls_are_not() -> None:
    for other, code in (
        (squad(0, "regular", 10, 12, 1), ""),
        (squad(1, "regular", 10, 12, 1), "in-the-way"),
        (machine(0, "apc", 10, 12), "in-the-way"),
        (machine(1, "apc", 10, 12), "in-the-way"),
        (machine(0, "walker", 10, 12), "in-the-way"),
        (machine(0, "gunship", 10, 12), ""),
        (machine(1, "gunship", 10, 12), ""),
    ):
        t = scene(squad(0, "regular", 10, 9, 1), other)
        assert why(t, way(t, 0, at(10, 15))) == code, other
    t = scene(squad(0, "regular", 10, 9, 1), terrain=[block("hut", "building", 9, 11, 11, 13)])
    assert why(t, way(t, 0, at(10, 15))) == "closed"


@pytest.mark.clause("SQ-S17")
def test_nobody_ends_on_anybody() -> None:
    t = scene(squad(0, "regular", 10, 9, 1), squad(0, "regular", 10, 12, 1))
    assert why(t, way(t, 0, at(10, "11.5"))) == "on-somebody"
    assert why(t, way(t, 0, at(10, "11.4"))) == ""
    t = scene(squad(0, "regular", 10, 10, 2))
    assert why(t, Move(0, ((1, (place(t, 1), at(10, 10))),))) == "on-somebody"


@pytest.mark.clause("SQ-S10", "SQ-S18", "SQ-Q50")
@pytest.mark.parametrize(("far", "code"), [(4, ""), ("4.01", "too-far")])
def test_an_inch_in_difficult_ground_counts_as_two(far: Length, code: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 1), terrain=[block("wood", "woods", 8, 12, 14, 20)])
    act = way(t, 0, (at(10, 0)[0], at(0, 10)[1] + inches(far)))
    assert why(t, act) == code
    if not code:
        assert done(go(t, act)).units[0].travelled == inches(far)


@pytest.mark.clause("SQ-S18")
@pytest.mark.parametrize("kind", ["hedge", "wall"])
def test_crossing_a_hedge_or_a_wall_costs_an_inch(kind: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 1), terrain=[block("it", kind, 5, 12, 15, "12.2")])
    assert why(t, way(t, 0, at(10, 15))) == ""
    assert why(t, way(t, 0, at(10, "15.01"))) == "too-far"


@pytest.mark.clause("SQ-TRT-12", "SQ-TRT-14")
@pytest.mark.parametrize("trait", ["light-infantry", "recon"])
def test_some_are_not_slowed(trait: str) -> None:
    ground = [block("wood", "woods", 8, 11, 14, 20), block("hedge", "hedge", 5, "10.3", 15, "10.5")]
    t = scene(squad(0, "regular", 10, 10, 1, traits=(trait,)), terrain=ground)
    assert why(t, way(t, 0, at(10, 16))) == ""
    assert why(t, way(t, 0, at(10, "16.01"))) == "too-far"


@pytest.mark.clause("SQ-S18")
def test_ruins_are_for_soldiers_and_walkers_only_and_walls_stop_vehicles() -> None:
    ruins, wall = block("ruins", "ruins", 8, 12, 14, 16), block("wall", "wall", 5, 12, 15, "12.2")
    for mover, piece, code in (
        (squad(0, "regular", 10, 10, 1), ruins, ""),
        (machine(0, "walker", 10, 9), ruins, ""),
        (machine(0, "apc", 10, 9), ruins, "closed"),
        (machine(0, "apc", 10, 9), wall, "closed"),
        (machine(0, "walker", 10, 9), wall, ""),
        (machine(0, "apc", 10, 9), block("hedge", "hedge", 5, 12, 15, "12.2"), ""),
    ):
        t = scene(mover, terrain=[piece])
        assert why(t, way(t, 0, at(10, "12.6"))) == code


@pytest.mark.clause("SQ-S70")
def test_the_edge_stops_everybody_but_flyers() -> None:
    t = scene(squad(0, "regular", 10, 3, 1), machine(0, "gunship", 20, 3))
    assert why(t, way(t, 0, at(10, "0.2"))) == "off-table"
    assert why(t, way(t, 0, at(10, 0), off=True)) == "to-an-edge"
    assert why(t, way(t, 1, at(20, 0), off=True)) == ""


@pytest.mark.clause("SQ-S70", "SQ-S73")
def test_where_the_mission_allows_it_all_models_go_over_the_edge() -> None:
    field = {"exits": True, "goal": "breakthrough", "defender": 1}
    t = scene(squad(0, "regular", 10, 44, 3), squad(1, "regular", 30, 30, 3), field=field)
    act = Move.of_way(routes_of(t, 0), routes_of(t, 0).leaving("north"))
    assert why(t, act) == ""
    assert why(t, Move(0, act.paths[:2], off=True)) == "not-all"
    assert why(t, Move.of_way(routes_of(t, 0), routes_of(t, 0).leaving("west"))) in ("to-an-edge", "one-too-far")
    assert any(a.off for a in MOVE.acts(t, 0, False))
    assert [o.action for o in MOVE.offers(t, 0, False)] == [act]
    after = done(go(t, act))
    assert after.units[0].where == "away"
    assert after.exited == [0]
    assert all(after.models[m].at is None for m in range(3))
    assert not MOVE.offers(t, 1, False)


@pytest.mark.clause("SQ-S72")
def test_with_the_pilot_it_moves_six_inches_without_packs_and_may_leave_by_its_edge() -> None:
    field = {"exits": True, "goal": "pilot"}
    row = squad(0, "regular", 10, 5, 3, traits=("fast", "jump-infantry"))
    t = scene(row, field=field, pilot=Pilot(at=at(10, 5), unit=0))
    assert allowance(t, 0, False) == inches(6)
    assert why(t, shift(t, 0, 0, 3, jump=True)) == "laden"
    assert why(t, Move.of_way(routes_of(t, 0), routes_of(t, 0).leaving("south"))) == ""
    assert done(go(t, Move.of_way(routes_of(t, 0), routes_of(t, 0).leaving("south")))).over is not None
    t = scene(row, field=field, pilot=Pilot(at=at(20, 20)))
    assert why(t, Move.of_way(routes_of(t, 0), routes_of(t, 0).leaving("south"))) == "to-an-edge"


@pytest.mark.clause("SQ-Q08", "SQ-S23", "SQ-S51")
def test_who_is_pinned_broken_or_immobile_does_not_move() -> None:
    t = scene(
        squad(0, "regular", 10, 10, pinned=True),
        squad(0, "regular", 10, 20, broken=True),
        machine(0, "apc", 20, 20, immobile=True),
        squad(0, "regular", 10, 30, where="reserve"),
    )
    codes = [why(t, shift(t, unit, 0, 2)) for unit in (0, 1, 2)]
    assert codes == ["pinned", "broken", "immobile"]
    assert why(t, Move(3, ())) == "not-on-table"
    assert all(not list(MOVE.acts(t, unit, False)) for unit in range(4))
    assert all(MOVE.sample(t, unit, False, Seeded(1)) is None for unit in range(4))


@pytest.mark.clause("SQ-ACT-01")
def test_somebody_has_to_move_from_where_it_stands() -> None:
    t = scene(squad(0, "regular", 10, 10, 2))
    assert why(t, Move(0, ())) == "nobody-moves"
    assert why(t, Move(0, ((0, (place(t, 0),)),))) == "nobody-moves"
    assert why(t, Move(0, ((0, (at(11, 11), at(12, 12))),))) == "not-from-here"
    assert why(t, Move(0, ((7, (at(11, 11), at(12, 12))),))) == "no-such-model"
    assert why(t, shift(t, 0, 0, 2, heading=(1, 0))) == "has-no-front"


# --- a unit that was split --------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-13", "SQ-Q59")
def test_a_split_unit_ends_as_one_or_nearer_to_it() -> None:
    t = scene(squad(0, "regular", 10, 10, 4, gap=5))
    assert split(t, 0)
    assert why(t, shift(t, 0, 0, 2)) == "close-up"
    near = Move(0, ((0, (place(t, 0), at(13, 10))),))
    assert why(t, near) == ""
    acts = list(MOVE.acts(t, 0, False))
    assert acts
    assert all(why(t, act) == "" for act in acts)
    t = scene(squad(0, "regular", 10, 10, 2, gap=4))
    ends = [done(go(t, act)) for act in MOVE.acts(t, 0, False)]
    assert any(coherent([(*place(e, 0), 76), (*place(e, 1), 76)], COHERENCY) for e in ends)
    assert MOVE.sample(t, 0, False, Seeded(1)) is not None


@pytest.mark.clause("SQ-ORG-13", "SQ-Q59")
def test_a_split_unit_that_cannot_close_up_where_it_stands_forms_up_elsewhere() -> None:
    t = scene(squad(0, "regular", 10, 10, 2, gap=4), squad(1, "regular", 10, "11.5", 1))
    near = Move(0, ((1, (place(t, 1), at(11, 10))),))
    assert why(t, near) == "too-near"
    acts = list(MOVE.acts(t, 0, False))
    assert acts
    for act in acts:
        assert why(t, act) == ""
        after = done(go(t, act))
        assert coherent([(*place(after, m), 76) for m in (0, 1)], COHERENCY)
    assert MOVE.sample(t, 0, False, Seeded(1)) in acts


# --- packs ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-TRT-09", "SQ-Q36")
def test_packs_carry_twelve_inches_over_everything() -> None:
    hut = block("hut", "building", 5, 13, 15, 15)
    t = scene(squad(0, "assault", 10, 10, 3, traits=("jump-infantry",)), squad(1, "regular", 10, 17, 3), terrain=[hut])
    assert why(t, shift(t, 0, 0, 12, jump=True)) == ""
    assert why(t, shift(t, 0, 0, "12.01", jump=True)) == "too-far"
    assert why(t, shift(t, 0, 0, 4, jump=True)) == "closed"
    assert why(t, shift(t, 0, 0, 6)) == "closed"
    assert why(t, shift(t, 0, "6.01", 0)) == "too-far"
    after = done(go(t, shift(t, 0, 0, 12, jump=True)))
    assert after.units[0].jumped
    t = scene(squad(0, "assault", 10, 10, 3))
    assert why(t, shift(t, 0, 0, 6, jump=True)) == "no-packs"


@pytest.mark.clause("SQ-Q36")
def test_packs_are_used_once_in_an_activation_and_for_twelve_inches_of_it() -> None:
    row = squad(0, "assault", 10, 10, 3, traits=("jump-infantry",), activated=True, acted=1, travelled=inches(4))
    t = scene(row)
    assert why(t, shift(t, 0, 0, 8, jump=True)) == ""
    assert why(t, shift(t, 0, 0, "8.01", jump=True)) == "too-far"
    t.change(0, jumped=True)
    assert why(t, shift(t, 0, 0, 2, jump=True)) == "packs-used"
    assert why(t, shift(t, 0, 0, 6)) == ""
    t.change(0, travelled=inches(10))
    assert why(t, shift(t, 0, 0, 2)) == ""
    assert why(t, shift(t, 0, 0, "2.01")) == "too-far"
    # A token does not belong to the activation, which is over.
    t.change(0, acted=2)
    assert allowance(t, 0, True) == PACKS


@pytest.mark.clause("SQ-TRT-10", "SQ-TRT-11", "SQ-W16")
@pytest.mark.parametrize(("dice", "left"), [(((2,),), 4), (((1,), (4,)), 4), (((1,), (3,)), 3)])
def test_example_16_coming_down_in_woods(dice: Sequence[Sequence[int]], left: int) -> None:
    wood = block("wood", "woods", 8, 18, 20, 26)
    t = scene(squad(0, "assault", 10, 10, 4, traits=("jump-infantry",)), terrain=[wood])
    match = go(t, shift(t, 0, 0, 10, jump=True), *dice)
    if left == 3:
        match.play(0, match.waiting[0].options(now(match)).first())
    assert len(done(match).units[0].models) == left


@pytest.mark.clause("SQ-TRT-10", "SQ-Q36")
def test_no_die_is_rolled_on_foot_or_in_the_open() -> None:
    wood = block("wood", "woods", 8, 13, 20, 26)
    t = scene(squad(0, "assault", 10, 10, 4, traits=("jump-infantry",)), terrain=[wood])
    done(go(t, shift(t, 0, 0, 4)))
    done(go(t, shift(t, 0, 0, 1, jump=True)))


# --- machines ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q60", "SQ-S54", "SQ-S55")
def test_a_vehicle_goes_along_any_line_and_faces_along_it() -> None:
    t = scene(machine(0, "apc", 20, 20))
    act = way(t, 0, at(20, 24), at(24, 24))
    assert why(t, act) == ""
    after = done(go(t, act))
    assert (place(after, 0), after.models[0].heading) == (at(24, 24), (1, 0))
    assert after.units[0].travelled == inches(8)
    assert why(t, way(t, 0, at(20, 24), at("24.01", 24))) == "too-far"


@pytest.mark.clause("SQ-Q60")
def test_it_may_back_where_it_cannot_turn() -> None:
    walls = [block("a", "building", "18.9", 10, "19.2", 30), block("b", "building", "20.8", 10, "21.1", 30)]
    t = scene(machine(0, "apc", 20, 20), terrain=walls)
    assert why(t, way(t, 0, at(20, 16))) == "closed"
    act = way(t, 0, at(20, 16), heading=(0, 1))
    assert why(t, act) == ""
    assert done(go(t, act)).models[0].heading == (0, 1)


@pytest.mark.clause("SQ-Q60", "SQ-W62")
def test_example_62_turning_on_the_spot_is_a_move_of_no_length() -> None:
    t = scene(machine(0, "battle-tank", 20, 20))
    after = done(go(t, Move(0, (), heading=(1, 0))))
    u = after.units[0]
    assert (after.models[0].heading, u.travelled, u.moved, u.moves) == ((1, 0), 0, True, 1)
    assert why(t, Move(0, (), heading=(0, 2))) == "nobody-moves"
    assert why(t, Move(0, (), heading=(0, 0))) == "has-no-front"


@pytest.mark.clause("SQ-Q60")
def test_it_drives_over_nobody() -> None:
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", 20, 24, 1))
    assert why(t, way(t, 0, at(20, 27))) == "in-the-way"
    assert why(t, way(t, 0, at(16, 20))) == ""


@pytest.mark.clause("SQ-S54", "SQ-Q60")
@pytest.mark.house("actions_per_activation", 3)
def test_a_machine_makes_two_moves_at_most() -> None:
    rules = {"actions_per_activation": 3}
    t = scene(machine(0, "apc", 20, 20, activated=True, acted=2, moves=2), rules=rules)
    assert why(t, way(t, 0, at(20, 22))) == "moved-twice"
    t = scene(machine(0, "apc", 20, 20, activated=True, acted=2, moves=1, travelled=100), rules=rules)
    after = done(go(t, way(t, 0, at(20, 22))))
    assert after.units[0].travelled == 100 + inches(2)


@pytest.mark.clause("SQ-Q60", "SQ-S32")
def test_a_move_by_a_token_counts_in_neither() -> None:
    t = scene(machine(0, "apc", 20, 20, activated=True, acted=2))
    u = done(go(t, way(t, 0, at(20, 22)), token=True)).units[0]
    assert (u.travelled, u.moved, u.moves, u.crept) == (0, False, 0, 1)


@pytest.mark.clause("SQ-S17", "SQ-S55")
def test_a_walker_steps_over_friends_and_moves_six_inches() -> None:
    t = scene(machine(0, "walker", 20, 20), squad(0, "regular", 20, 23, 1))
    act = way(t, 0, at(20, 26))
    assert why(t, act) == ""
    assert why(t, way(t, 0, at(20, "26.01"))) == "too-far"
    assert done(go(t, way(t, 0, at(22, 20)))).models[0].heading == (1, 0)


# --- flyers -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-58", "SQ-S56")
def test_a_flyer_moves_thirty_six_inches_over_anything() -> None:
    hut = block("hut", "building", 5, 20, 15, 30)
    t = scene(machine(0, "gunship", 10, 5), squad(1, "regular", 10, 15), terrain=[hut])
    assert why(t, way(t, 0, at(10, 41))) == ""
    assert why(t, way(t, 0, at(10, "41.01"))) == "too-far"
    assert why(t, way(t, 0, at(10, 25))) == ""
    assert why(t, way(t, 0, at(10, 15))) == "on-somebody"


@pytest.mark.clause("SQ-S56")
def test_who_hovers_moves_eight_inches_in_all() -> None:
    t = scene(machine(0, "gunship", 10, 5, hovering=True))
    assert why(t, way(t, 0, at(10, 13))) == ""
    assert why(t, way(t, 0, at(10, "13.01"))) == "too-far"
    t = scene(machine(0, "gunship", 10, 5, hovering=True, activated=True, acted=1, travelled=inches(3)))
    assert why(t, way(t, 0, at(10, 10))) == ""
    assert why(t, way(t, 0, at(10, "10.01"))) == "too-far"


@pytest.mark.clause("SQ-S56")
@pytest.mark.parametrize(("far", "where"), [(12, "table"), ("11.99", "away")])
def test_one_that_flies_makes_a_move_of_twelve_inches_or_leaves(far: Length, where: str) -> None:
    t = scene(machine(0, "gunship", 10, 5))
    after = done(go(t, way(t, 0, (at(10, 0)[0], at(0, 5)[1] + inches(far))))).clone()
    flies_off(after, 0)
    assert after.units[0].where == where
    t.change(0, hovering=True)
    flies_off(t, 0)
    assert t.units[0].where == "table"


@pytest.mark.clause("SQ-S56", "SQ-ORG-65")
@pytest.mark.parametrize("end", [(10, 0), (0, 5), (48, 5), (10, 48)])
def test_a_flyer_leaves_over_any_edge(end: tuple[int, int]) -> None:
    t = scene(machine(0, "gunship", 12, 24, pinned=False), squad(0, "regular", 40, 40))
    act = way(t, 0, at(*end), off=True)
    far = path_length(act.paths[0][1])
    assert why(t, act) == ("" if far <= inches(36) else "too-far")
    if far <= inches(36):
        after = done(go(t, act))
        assert (after.units[0].where, after.exited) == ("away", [])


# --- before the battle ------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-TRT-13", "SQ-Q60")
def test_recon_moves_once_before_the_battle() -> None:
    t = scene(squad(0, "veteran", 10, 10, 3, traits=("recon", "jump-infantry")), squad(0, "regular", 20, 10), round=0)
    match = run(t, ReconMoves(side=0))
    (asked,) = match.waiting
    assert isinstance(asked, Scout)
    options = asked.options(now(match))
    assert options.refusal(shift(t, 0, 0, 6)) is None
    for act, code in (
        (shift(t, 0, 0, "6.01"), "too-far"),
        (shift(t, 0, 0, 3, jump=True), "no-packs-yet"),
        (shift(t, 1, 0, 3), "not-a-scout"),
        (shift(t, 0, 0, -10, off=True), "stays-on"),
    ):
        refusal = options.refusal(act)
        assert refusal is not None
        assert refusal.code == code
        assert refusal.nearest in options
    assert options.sample(Seeded(1)) in options
    assert options.first() == StayPut()
    proposal = asked.propose(now(match), Wish(unit=0, to=at(11, 14)))
    assert proposal.action in options
    match.play(0, shift(t, 0, 0, 6))
    after = done(match)
    assert place(after, 0) == at(10, 16)
    assert (after.units[0].travelled, after.units[0].moved) == (0, False)
    match = run(t, ReconMoves(side=0))
    match.play(0, StayPut())
    assert place(done(match), 0) == at(10, 10)


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q59", "SQ-ORG-07", "SQ-S33", "SQ-W64")
def test_example_64_who_is_stopped_stays_where_it_was_stopped() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 30, 3), tokens={1: ("fire",)})
    act = shift(t, 0, 0, 6)
    match = go(t, act)
    (asked,) = match.waiting
    assert isinstance(asked, Interrupt)
    match.play(1, LetPass())
    assert place(done(match), 0) == at(10, 16)
    # The unit was stopped after 4 inches. The procedure continues from the state after the interruption.
    t = scene(squad(0, "regular", 10, 10, 3))
    halted = Moving(act=shift(t, 0, 0, 6), distance=inches(6))
    put_at(t, 0, halted.act.paths, inches(4))
    pin(t, 0)
    halted.arrive(t, (inches(4), True))
    assert [place(t, m) for m in range(3)] == [at(10, 14), at(11, 14), at(12, 14)]
    assert (t.units[0].travelled, t.units[0].moved) == (inches(4), True)


@pytest.mark.clause("SQ-Q59", "SQ-S17")
def test_who_is_stopped_over_somebody_comes_to_the_nearest_room() -> None:
    t = scene(squad(0, "assault", 10, 10, 2), squad(1, "regular", 10, 10, 2))
    find_room(t, 0)
    own, enemies = bodies(t, 0), bodies(t, 1)
    assert all(gap_between(p, q) >= 0 and not near_to(p, q, -1) for p in own for q in enemies)
    assert all(path_length((place(t, m), at(10 + m, 10))) <= inches(2) for m in (0, 1))


# --- options, drags, places -------------------------------------------------------------------------------------------

BUSY = [
    block("wood", "woods", 8, 12, 14, 16),
    block("ruins", "ruins", 20, 14, 24, 18),
    block("wall", "wall", 28, 12, 34, "12.2"),
    block("hut", "building", 3, 12, 6, 15),
]


def busy() -> Firefight:
    return scene(
        squad(0, "regular", 10, 10),
        squad(1, "regular", 10, 20),
        machine(0, "apc", 20, 10),
        machine(0, "walker", 30, 10),
        machine(1, "gunship", 30, 30),
        squad(0, "assault", 40, 10, 6, traits=("jump-infantry",)),
        terrain=BUSY,
    )


@pytest.mark.clause("SQ-ACT-01")
@pytest.mark.parametrize("unit", range(6))
def test_every_move_that_is_offered_is_legal_and_a_sample_too(unit: int) -> None:
    t, dice = busy(), Seeded(unit)
    acts = list(MOVE.acts(t, unit, False))
    assert len(acts) > 8
    assert len(set(acts)) == len(acts)
    assert all(MOVE.refusal(t, act, False) is None for act in acts)
    for _ in range(20):
        assert MOVE.refusal(t, MOVE.sample(t, unit, False, dice), False) is None


@pytest.mark.clause("SQ-ACT-01")
@pytest.mark.parametrize("unit", range(6))
def test_what_is_refused_has_a_legal_move_near_it(unit: int) -> None:
    t = busy()
    for dx, dy in ((0, 40), (9, 9), (-30, 0), (0, 5), (3, -20)):
        act = shift(t, unit, dx, dy)
        refusal = MOVE.refusal(t, act, False)
        assert refusal is None or MOVE.refusal(t, refusal.nearest, False) is None
        routes = Routes(t, unit)
        assert routes.legal(act) == (routes.wrong(act) is None)


@pytest.mark.clause("SQ-ACT-01")
def test_a_drag_leads_the_middle_and_goes_round_what_is_in_the_way() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), machine(0, "apc", "11", 13))
    straight = MOVE.propose(t, Wish(unit=0, to=at(15, 10)), False)
    assert straight is not None
    assert straight.action == shift(t, 0, 4, 0)
    assert straight.left == inches(2)
    round_it = MOVE.propose(t, Wish(unit=0, to=at(11, "15.2")), False)
    assert round_it is not None
    assert round_it.action is not None
    assert MOVE.refusal(t, round_it.action, False) is None
    far = MOVE.propose(t, Wish(unit=0, to=at(30, 10)), False)
    assert far is not None
    assert far.length <= inches(6)
    line = MOVE.propose(t, Wish(unit=0, to=at(11, 8), shape="column"), False)
    assert line is not None
    assert line.action is not None
    loose = scene(squad(0, "regular", 10, 10, 3))
    column = MOVE.propose(loose, Wish(unit=0, to=at(11, 14), shape="column"), False)
    assert column is not None
    assert isinstance(column.action, Move)
    assert [path[0] for _, path in column.action.paths] == [at(10, 10), at(11, 10), at(12, 10)]
    assert len({path[-1][0] for _, path in column.action.paths}) == 1, "one stands behind the other"
    turned = MOVE.propose(t, Wish(unit=1, facing=(1, 0)), False)
    assert turned is not None
    assert turned.action == Move(1, (), heading=(1, 0))
    single = MOVE.propose(t, Wish(unit=0, models={0: (at(10, 11),)}), False)
    assert single is not None
    assert single.action == Move(0, ((0, (at(10, 10), at(10, 11))),))
    assert MOVE.propose(t, Wish(unit=0, act="alight"), False) is None
    pinned = scene(squad(0, "regular", 10, 10, pinned=True))
    refused = MOVE.propose(pinned, Wish(unit=0, to=at(12, 10)), False)
    assert refused is not None
    assert refused.refusal is not None
    assert refused.refusal.code == "pinned"


@pytest.mark.clause("SQ-ACT-01")
def test_what_is_open_is_a_region() -> None:
    t = busy()
    assert [(r.form, r.act, r.bands) for r in MOVE.regions(t, 5, False)] == [
        ("move", "", ((inches(6), 0),)),
        ("move", "jump", ((inches(12), 0),)),
    ]


@pytest.mark.clause("SQ-S17", "SQ-S10", "SQ-ORG-12")
def test_where_a_unit_fits() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 20, 20, 2), terrain=BUSY)
    for places, code in (
        ({0: at(30, 30), 1: at(31, 30)}, None),
        ({0: at(30, 30), 1: at(33, 30)}, "straggles"),
        ({0: at(20, 20), 1: at(21, "21.2")}, "on-somebody"),
        ({0: at(20, 22), 1: at(21, 22)}, "too-near"),
        ({0: at(5, 13), 1: at(6, 13)}, "closed"),
        ({0: at(0, 5), 1: at(1, 5)}, "off-table"),
    ):
        result = fits(t, 0, places)
        assert (result and result.code) == code
    far = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 45, 45, 2))
    there = fits(far, 0, {0: at(45, 45), 1: at(44, 45)})
    assert there is not None
    assert there.code == "on-somebody", "it is looked for on all the table"
    assert [o.unit for o in Routes(far, 0).others] == [], "and on a move only within its reach"


@pytest.mark.clause("SQ-S10", "SQ-S45")
def test_places_near_are_near_and_fit() -> None:
    t = scene(squad(0, "regular", 10, 10, 4), machine(0, "apc", 20, 20), squad(1, "regular", 20, 26, 4))
    near = list(places_near(t, 0, inches(3)))
    assert near
    for placing in near:
        assert fits(t, 0, dict(placing)) is None
        assert all(path_length((place(t, m), p)) <= inches(3) + 2 for m, p in placing)
    beside = list(places_near(t, 0, inches(3), body(t, 4)))
    assert beside
    for placing in beside:
        assert fits(t, 0, dict(placing)) is None
        assert all(near_to((*p, 76), body(t, 4), inches(3)) for _, p in placing)
        assert not any(near_to((*p, 76), foe, KEEP_OFF) for _, p in placing for foe in bodies(t, 2))


@pytest.mark.clause("SQ-S56")
def test_who_leaves_is_off_the_table() -> None:
    t = scene(machine(0, "gunship", 10, 10, pinned=True))
    leave(t, 0)
    assert (t.units[0].where, t.models[0].at, t.units[0].pinned) == ("away", None, False)
    assert base_move(t, 0) == inches(36)


# --- in the turn ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-13")
def test_a_split_unit_spends_its_next_action_closing_up() -> None:
    t = scene(squad(0, "regular", 10, 10, 2, gap=3), squad(1, "regular", 20, 40, 2))
    options = Orders(side=0).options(t)
    refused = options.refusal(Begin(0, Watch(0), ()))
    assert refused is not None
    assert (refused.code, refused.nearest in options) == ("closes-up", True)
    assert Begin(0, Move(0, ((0, (place(t, 0), at(11, 10))),)), ("shoot",)) in options
    t.change(0, activated=True, acted=1)
    assert what_is_next(t, 0, ("shoot",), False) == ("move",)
    assert what_is_next(t, 0, (), False) == ()
    whole = scene(squad(0, "regular", 10, 10, 2, activated=True, acted=1))
    assert what_is_next(whole, 0, ("shoot",), False) == ("shoot",)


@pytest.mark.clause("SQ-S56")
@pytest.mark.parametrize(("far", "where"), [(5, "away"), (14, "table")])
def test_a_flyer_that_did_not_fly_far_is_off_when_its_activation_ends(far: int, where: str) -> None:
    t = scene(machine(0, "gunship", 10, 5), squad(0, "regular", 40, 20, 2), squad(1, "regular", 20, 40, 2))
    match = run(t, Order(side=0))
    match.play(0, Activate(0))
    match.play(0, Hover(False))
    match.play(0, Begin(0, way(t, 0, at(10, 5 + far)), ("move",)))
    match.play(0, PassUp())
    assert done(match).units[0].where == where


@pytest.mark.clause("SQ-Q60", "SQ-Q36")
def test_a_new_activation_counts_anew() -> None:
    row = squad(0, "regular", 10, 10, 2, activated=True, acted=2, travelled=99, moves=2, jumped=True, flown=True)
    t = scene(row, squad(1, "regular", 20, 40, 2))
    open_turn(t, (0,))
    match = run(t, Order(side=0))
    match.play(0, Begin(0, shift(t, 0, 0, 3), ("move",)))
    u = now(match).units[0]
    assert (u.travelled, u.moves, u.jumped, u.flown, u.acted) == (inches(3), 1, False, False, 1)


@pytest.mark.clause("SQ-S72")
def test_the_pilot_joins_who_ends_an_action_near_him() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 20, 40, 2), pilot=Pilot(at=at(10, 15)), round=2)
    match = run(t, Order(side=0))
    match.play(0, Begin(0, shift(t, 0, 0, 4), ("move",)))
    pilot = now(match).pilot
    assert pilot is not None
    assert pilot.unit == 0


@pytest.mark.clause("SQ-ORG-01", "SQ-ORG-03")
def test_in_a_later_turn_two_actions_are_announced_again() -> None:
    t = scene(squad(0, "regular", 10, 10, 2, activated=True, acted=2), squad(1, "regular", 20, 40, 2))
    open_turn(t, (0,))
    assert ("move",) in what_may_follow(t, 0, "move")


@pytest.mark.parametrize(("far", "words"), [("1", "1 inch"), ("2.5", "2.5 inches")])
def test_a_move_is_told_with_its_length(far: str, words: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 1))
    assert Moved(unit=0, how="moves", distance=inches(far), stopped=False).sentence(t) == f"South 0 moves {words}"


@pytest.mark.clause("SQ-S10", "SQ-Q60")
def test_a_drag_turns_the_front_of_a_squad_and_of_a_machine() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), machine(0, "apc", 30, 10))

    def ends(wish: Wish) -> list[Any]:
        proposal = MOVE.propose(t, wish, False)
        assert proposal is not None
        assert isinstance(proposal.action, Move)
        assert proposal.action.heading is None or wish.unit == 1
        stood = {m: t.models[m].at for m in t.units[wish.unit].models}
        return list((stood | {m: path[-1] for m, path in proposal.action.paths}).values())

    # The row turns about the model in the middle: to the east its east end is to the south, to the west to the north.
    assert ends(Wish(unit=0, to=at(11, 14), facing=(1, 0))) == [at(11, 15), at(11, 14), at(11, 13)]
    assert ends(Wish(unit=0, to=at(11, 14), facing=(-1, 0))) == [at(11, 13), at(11, 14), at(11, 15)]
    assert ends(Wish(unit=0, to=at(11, 14), facing=(0, 1))) == [at(10, 14), at(11, 14), at(12, 14)]
    assert ends(Wish(unit=0, to=at(11, 14))) == [at(10, 14), at(11, 14), at(12, 14)]
    # A line is at right angles to its facing, or without a front to its direction of movement.
    assert {x for x, _ in ends(Wish(unit=0, to=at(11, 13), shape="line", facing=(1, 0)))} == {at(11, 13)[0]}
    assert {y for _, y in ends(Wish(unit=0, to=at(11, 13), shape="line"))} == {at(11, 13)[1]}
    tank = MOVE.propose(t, Wish(unit=1, to=at(30, 14), facing=(1, 0)), False)
    assert tank is not None
    assert tank.action == Move(1, ((3, (at(30, 10), at(30, 14))),), heading=(1, 0))
