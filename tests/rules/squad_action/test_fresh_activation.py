"""Acts of earlier turns do not bind a unit's next activation, but the effects of an interruption do."""

from __future__ import annotations

import pytest

from caltrop.engine.procedure import End, Go
from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import open_activation, opened
from caltrop.rules.squad_action.movement import Move, Moving
from caltrop.rules.squad_action.overwatch import Spring
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import Shoot
from tests.rules.squad_action.played import KindOf


@pytest.mark.clause("SQ-FMI-04", "SQ-Q03")
@pytest.mark.parametrize("field", ["moved", "crept"])
def test_a_caller_that_moved_last_turn_may_call_first(field: str) -> None:
    for activated, code in ((False, None), (True, "moved")):
        officer = squad(0, "regular", 10, 10, 3, officer=True, activated=activated)
        t = scene(officer, squad(1, "regular", 24, 24, 3), round=2)
        t.change(0, **{field: 1 + activated if field == "crept" else True})
        refusal = KindOf("mission").refusal(t, CallFire(0, at(24, 24)), False)
        assert (refusal and refusal.code) == code


@pytest.mark.clause("SQ-S13", "SQ-S32", "SQ-Q60")
@pytest.mark.parametrize("field", ["moved", "crept"])
def test_a_heavy_weapon_that_moved_last_turn_may_fire_first(field: str) -> None:
    for activated, code in ((False, None), (True, "moved")):
        team = squad(0, "regular", 20, 10, 2, weapons=["heavy-machine-gun"], activated=activated)
        t = scene(team, squad(1, "regular", 20, 22, 8))
        t.change(0, **{field: 1 if field == "crept" else True})
        refusal = KindOf("shoot").refusal(opened(t, 0), Shoot(0, (("heavy-machine-gun", 1),)), False)
        assert (refusal and refusal.code) == code


@pytest.mark.clause("SQ-Q62")
@pytest.mark.parametrize("field", ["moved", "crept", "shot"])
def test_a_mortar_is_ready_again_in_a_new_turn(field: str) -> None:
    for activated, code in ((False, None), (True, "mortar-busy")):
        mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], activated=activated)
        t = scene(mortar, squad(0, "regular", 14, 10, 3, officer=True), squad(1, "regular", 24, 24, 3), round=2)
        t.change(0, **{field: 1 + activated if field == "crept" else True})
        refusal = KindOf("mission").refusal(t, CallFire(1, at(24, 24), mortar=0), False)
        assert (refusal and refusal.code) == code
        open_activation(t, 0)
        assert not t.units[0].shot, "counted anew"


def driving(travelled: int = 0) -> tuple[Moving, Firefight]:
    """Return a light tank that sets out on a move of 8 inches, and its firefight with a watcher."""
    t = scene(
        machine(0, "light-tank", 10, 10, activated=True, acted=1, travelled=travelled),
        squad(1, "regular", 10, 30, 3),
        tokens={1: ("fire",)},
    )
    x, y = t.models[0].at or (0, 0)
    return Moving(act=Move(0, ((0, ((x, y), (x, y + 8 * INCH))),))), t


@pytest.mark.clause("SQ-S51", "SQ-Q59")
@pytest.mark.parametrize(("immobile", "stops"), [(True, True), (False, False)])
def test_a_machine_made_immobile_on_its_way_stays_there(immobile: bool, stops: bool) -> None:
    moving, t = driving()
    t.change(0, immobile=immobile)
    moving.set_out(t)
    ahead = moving.under_way(t)
    ahead.begin(t)
    ahead.halt(t, 2 * INCH)
    ended = ahead.go_on(t)
    assert ended == (End((2 * INCH, True)) if stops else Go("offer"))


@pytest.mark.clause("SQ-VEH-01", "SQ-Q60", "SQ-SHO-12")
@pytest.mark.parametrize(("moment", "moved"), [(0, False), (1, True)])
def test_a_machine_stopped_before_it_went_has_not_moved(moment: int, moved: bool) -> None:
    moving, t = driving()
    moving.distance = 8 * INCH
    moving.arrive(t, (moment * INCH, True))
    u = t.units[0]
    assert (u.moved, u.travelled) == (moved, moment * INCH)


@pytest.mark.clause("SQ-SHO-12", "SQ-Q60")
def test_the_move_under_way_counts_as_travelled() -> None:
    moving, t = driving(10 * INCH)
    moving.distance = 8 * INCH
    moving.under_way(t).break_in(t, Spring(1, "fire", 6 * INCH))
    assert t.units[0].travelled == 16 * INCH


@pytest.mark.clause("SQ-S23", "SQ-Q59")
def test_who_falls_back_on_its_way_stands_where_it_fell_back_to() -> None:
    moving, t = driving()
    t.change(0, broken=True)
    t.put({0: at(10, 4)})
    moving.distance = 8 * INCH
    moving.arrive(t, (4 * INCH, True))
    assert t.models[0].at == at(10, 4)
