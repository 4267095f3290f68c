"""Reserves: rolls, arrivals, entry to the table, and flyers that come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.movement import Move, Moving
from caltrop.rules.squad_action.orders import Announce, Begin, EndTurn, Orders, StandStill
from caltrop.rules.squad_action.overwatch import Interrupt
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.reserves import ReserveRolls, most_in_reserve, starts_in_reserve
from caltrop.rules.squad_action.scene import Length, Put, at, done, machine, run, scene, squad
from caltrop.rules.squad_action.tokens import Watch
from caltrop.rules.squad_action.transport import Board
from caltrop.rules.squad_action.turn import Order
from tests.rules.squad_action.played import KindOf, play

MOVE = KindOf("move")


def held(side: int, models: int = 6, **fields: Any) -> Put:
    return squad(side, "regular", 0, 0, models, where="reserve", **fields)


def over(t: Firefight, unit: int, x: Length, far: Length) -> Move:
    """Over the south edge in single file abreast, an inch apart, all as far."""
    paths = []
    for n, m in enumerate(t.units[unit].models):
        foot = at(float(x) + n, 0)
        paths.append((m, (foot, (foot[0], foot[1] + inches(far)))))
    return Move(unit, tuple(paths))


def why(t: Firefight, act: Move) -> str:
    refusal = MOVE.refusal(t, act, False)
    if refusal is None:
        return ""
    if refusal.nearest is not None:
        assert MOVE.refusal(t, refusal.nearest, False) is None
    return refusal.code


def now(match: Match) -> Firefight:
    """Return the firefight as it waits."""
    t = match.state
    assert isinstance(t, Firefight)
    return t


# --- who arrives ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-08", "SQ-ORG-10", "SQ-W51")
@pytest.mark.parametrize(("turn", "dice", "due"), [(1, (), False), (2, ((3,),), False), (2, ((4,),), True)])
def test_example_51_from_turn_2_on_4_or_more(turn: int, dice: Sequence[Sequence[int]], due: bool) -> None:
    t = scene(held(0), squad(1, "regular", 20, 40), round=turn)
    after = done(run(t, ReserveRolls(sides=(0,)), *dice))
    assert after.units[0].due == due
    assert after.units[0].where == "reserve"


@pytest.mark.clause("SQ-ORG-08", "SQ-S47", "SQ-S45")
def test_each_unit_has_a_die_who_is_aboard_has_none_and_nobody_rolls_twice() -> None:
    t = scene(
        held(0),
        machine(0, "apc", 0, 0, where="reserve"),
        squad(0, "regular", 0, 0, where="aboard", carrier=1),
        held(0, due=True),
        held(1),
        held(1),
        round=2,
    )
    after = done(run(t, ReserveRolls(sides=(0,)), (6, 1)))
    assert [u.due for u in after.units] == [True, False, False, True, False, False]
    both = done(run(t, ReserveRolls(sides=(1, 0)), (1, 6), (1, 6)))
    assert [u.due for u in both.units] == [False, True, False, True, False, True]


@pytest.mark.clause("SQ-S56", "SQ-ORG-65")
@pytest.mark.parametrize(("face", "back"), [(3, False), (4, True)])
def test_a_flyer_that_left_comes_back_on_4_or_more_and_is_not_pinned(face: int, back: bool) -> None:
    t = scene(machine(0, "gunship", 0, 0, where="away", pinned=True), held(1), round=2)
    u = done(run(t, ReserveRolls(sides=(0,)), (face,))).units[0]
    assert (u.where, u.due, u.pinned) == (("reserve", True, False) if back else ("away", False, True))


@pytest.mark.clause("SQ-S47")
def test_others_that_left_do_not_come_back() -> None:
    t = scene(squad(0, "regular", 0, 0, where="away"), round=3)
    assert done(run(t, ReserveRolls(sides=(0, 1)))).units[0].where == "away"


@pytest.mark.clause("SQ-S47", "SQ-ORG-64")
def test_half_the_units_may_be_kept_back_and_flyers_begin_there() -> None:
    t = scene(held(0), held(0), held(0), machine(0, "gunship", 0, 0), machine(0, "gunship", 0, 0), held(1))
    assert (most_in_reserve(t, 0), most_in_reserve(t, 1)) == (1, 0)
    assert [starts_in_reserve(t, u.id) for u in t.units] == [False, False, False, True, True, False]


# --- how it enters ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-09", "SQ-S47")
@pytest.mark.parametrize(("far", "code"), [(6, ""), ("6.01", "too-far"), ("0.2", "off-table")])
def test_it_enters_over_its_own_edge_with_a_move_measured_from_it(far: Length, code: str) -> None:
    t = scene(held(0, due=True), squad(1, "regular", 20, 40))
    act = over(t, 0, 10, far)
    assert why(t, act) == code
    if not code:
        after = done(run(t, Moving(act=act)))
        u = after.units[0]
        assert (u.where, u.due, u.travelled) == ("table", False, inches(6))
        assert after.models[0].at == at(10, 6)


@pytest.mark.clause("SQ-ORG-09", "SQ-S47", "SQ-ACT-01")
def test_it_enters_whole_from_its_edge_and_only_when_it_has_arrived() -> None:
    t = scene(held(0, 3, due=True), held(0, 3), squad(1, "regular", 20, 40))
    act = over(t, 0, 10, 4)
    assert why(t, Move(0, act.paths[:2])) == "not-all"
    north = tuple([(m, tuple([(x, 12192 - y) for x, y in path])) for m, path in act.paths])
    assert why(t, Move(0, north)) == "from-its-edge"
    off = tuple([(m, ((x, 200), end)) for m, ((x, _), end) in act.paths])
    assert why(t, Move(0, off)) == "from-its-edge"
    assert why(t, over(t, 1, 10, 4)) == "not-on-table"
    assert not list(MOVE.acts(t, 1, False))


@pytest.mark.clause("SQ-Q86", "SQ-S47", "SQ-TRT-09")
@pytest.mark.parametrize(
    ("traits", "far", "code"),
    [
        (("jump-infantry",), 12, ""),
        (("jump-infantry",), "12.01", "too-far"),
        (("jump-infantry",), "4.4", "too-near"),
        ((), 6, "no-packs"),
    ],
)
def test_who_has_packs_may_come_in_with_them_and_over_the_enemy(
    traits: tuple[str, ...], far: Length, code: str
) -> None:
    t = scene(held(0, 1, due=True, traits=traits), squad(1, "regular", 10, 2, 1))
    jump = msgspec.structs.replace(over(t, 0, 10, far), jump=True)
    assert why(t, jump) == code
    if not code:
        after = done(run(t, Moving(act=jump)))
        assert (after.units[0].jumped, after.models[0].at) == (True, at(10, 12))
    assert any(act.jump for act in MOVE.acts(t, 0, False)) is bool(traits)
    assert any(region.act == "jump" for region in MOVE.regions(t, 0, False)) is bool(traits)


@pytest.mark.clause("SQ-S47", "SQ-S10", "SQ-S17")
def test_enemies_near_the_edge_are_kept_off_and_not_passed() -> None:
    t = scene(held(0, 1, due=True), squad(1, "regular", 10, 3, 1))
    assert why(t, over(t, 0, 10, 6)) == "in-the-way"
    assert why(t, over(t, 0, 12, 3)) == "too-near"
    assert why(t, over(t, 0, 14, 6)) == ""


@pytest.mark.clause("SQ-ORG-09", "SQ-S47", "SQ-S56")
def test_every_way_in_that_is_offered_is_legal() -> None:
    t = scene(
        held(0, 12, due=True),
        machine(0, "apc", 0, 0, where="reserve", due=True),
        machine(1, "gunship", 0, 0, where="reserve", due=True),
        machine(1, "walker", 0, 0, where="reserve", due=True),
        squad(1, "regular", 20, 40),
    )
    for unit in range(4):
        acts = list(MOVE.acts(t, unit, False))
        assert len(acts) > 5
        assert all(MOVE.refusal(t, act, False) is None for act in acts)
        assert MOVE.refusal(t, MOVE.sample(t, unit, False, Seeded(2)), False) is None
        after = done(run(t, Moving(act=acts[0])))
        assert after.units[unit].where == "table"
        assert MOVE.regions(t, unit, False)[0].form == "place"
    proposal = MOVE.propose(t, Wish(unit=0, to=at(20, 5)), False)
    assert proposal is not None
    assert MOVE.refusal(t, proposal.action, False) is None


@pytest.mark.clause("SQ-S47", "SQ-Q60")
def test_a_vehicle_comes_in_with_its_front_ahead() -> None:
    t = scene(machine(1, "apc", 0, 0, where="reserve", due=True))
    act = next(iter(MOVE.acts(t, 0, False)))
    after = done(run(t, Moving(act=act)))
    assert after.models[0].heading == (0, -1)
    assert after.units[0].travelled == inches(8)


@pytest.mark.clause("SQ-S47", "SQ-S31")
def test_watchers_may_break_in_on_those_who_enter() -> None:
    t = scene(held(0, 2, due=True), squad(1, "regular", 10, 20, 2), tokens={1: ("fire",)})
    match = run(t, Moving(act=over(t, 0, 10, 6)))
    (asked,) = match.waiting
    assert isinstance(asked, Interrupt)
    assert now(match).units[0].where == "table"


# --- in the turn ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-10", "SQ-S47")
def test_once_it_has_arrived_it_must_enter_with_its_first_action() -> None:
    t = scene(held(0, 2, due=True), squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 40, 2))
    options = Orders(side=0).options(t)
    refused = options.refusal(EndTurn())
    assert refused is not None
    assert (refused.code, refused.nearest in options) == ("must-enter", True)
    assert EndTurn() not in tuple(options)
    first = options.refusal(Begin(0, Watch(0), ()))
    assert first is not None
    assert first.code == "enters-first"
    assert Begin(0, over(t, 0, 10, 6), ("shoot",)) in options
    t.change(0, activated=True)
    assert EndTurn() in Orders(side=0).options(t)
    t = scene(held(0, 2), squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 40, 2))
    assert EndTurn() in Orders(side=0).options(t)


@pytest.mark.clause("SQ-S47", "SQ-S45", "SQ-ORG-03")
@pytest.mark.parametrize(("seats", "offered"), [("apc", True), ("battle-tank", False)])
def test_who_enters_may_board_with_its_second_action(seats: str, offered: bool) -> None:
    t = scene(held(0, 2, due=True), machine(0, seats, 20, 5, (1, 0)), squad(1, "regular", 20, 40, 2))
    begin = Begin(0, over(t, 0, 20, "2.5"), ("transport",))
    options = Orders(side=0).options(t)
    assert begin in options
    acts = [region.act for region in Orders(side=0).regions(t) if region.unit == 0]
    assert ("move+transport" in acts) is offered
    boarded = play(t, Order(side=0), answers=[begin, Board(0, 1)] if offered else [begin])
    assert (now(boarded).units[0].where == "aboard") is offered


@pytest.mark.clause("SQ-ORG-10", "SQ-S56")
def test_a_flyer_that_comes_back_does_not_stand_still() -> None:
    t = scene(machine(0, "gunship", 0, 0, where="reserve", due=True), squad(1, "regular", 20, 40, 2))
    options = Announce(side=0, unit=0).options(t)
    assert StandStill() not in options
    assert options.first() in options
