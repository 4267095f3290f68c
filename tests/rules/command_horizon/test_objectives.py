"""Objectives: capture by touch, securing, and its effects."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.command_horizon.objectives import (
    effect_of,
    effect_words,
    holder,
    may_secure,
    secure_objectives,
    settle_captures,
    touches,
)
from caltrop.rules.command_horizon.records import Battle, Effect, Objective
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.turn import Turn

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""

MILL = Objective(name="The mill", x=5000, y=5000, r=200)


def at_the_mill(kind: str = "infantry", *more: Any, mill: Objective = MILL, **fields: Any) -> Battle:
    """Return one unit of side 0 that touches the mill, and other units."""
    return scene(put(0, kind, (50, 53), models=1), *more, objectives=[mill], **fields)


def move(t: Battle, unit: int, x: int, y: int) -> None:
    """Move a unit of one model."""
    t.change_model(t.units[unit].models[0], x=x, y=y)


@pytest.mark.clause("CH-OBJ-01", "Q-OBJ-6", "Q-MOVE-13")
def test_one_touching_model_is_enough_and_the_marker_blocks_nothing() -> None:
    t = scene(put(0, "light-tank", (50, "53.5"), (80, 80)), objectives=[MILL])
    assert touches(t, 0, MILL)
    move(t, 0, 5000, 5000)
    assert touches(t, 0, MILL), "it may stand on it"
    move(t, 0, 5000, 5353)
    assert not touches(t, 0, MILL)


@pytest.mark.clause("CH-OBJ-01", "CH-OBJ-02", "CH-OBJ-08", "W48")
def test_a_capture_ends_when_the_unit_leaves() -> None:
    t = scene(put(0, "medium-tank", (50, "53.5"), models=1), objectives=[MILL])
    settle_captures(t, turn_ends=True)
    assert t.objectives[0].holder == 0
    assert t.objectives[0].holding == ((), ()), "a Medium tank captures, and secures nothing"
    secure_objectives(t, 0)
    assert t.objectives[0].secured is None
    move(t, 0, 5000, 6000)
    settle_captures(t)
    assert t.objectives[0].holder is None


@pytest.mark.clause("CH-OBJ-06", "CH-OBJ-07", "CH-OBJ-08", "Q-OBJ-5")
@pytest.mark.parametrize(
    ("army", "kind", "secures"),
    [
        ("alliance", "infantry", True),
        ("alliance", "heavy-weapons", True),
        ("alliance", "light-tank", True),
        ("alliance", "medium-tank", False),
        ("alliance", "heavy-tank", False),
        ("alliance", "artillery", False),
        ("alliance", "command", False),
        ("asori", "command", False),
        ("putredine", "carrier", True),
        ("putredine", "slugger", False),
        ("putredine", "infantry", True),
    ],
)
def test_who_secures(army: str, kind: str, secures: bool) -> None:
    assert may_secure(scene(put(0, kind, (50, 50)), army=(army, "asori")), 0) == secures


@pytest.mark.clause("CH-OBJ-03", "CH-OBJ-04", "CH-OBJ-07", "Q-OBJ-2", "W48")
def test_a_light_tank_secures_at_the_start_of_its_next_turn_and_may_leave() -> None:
    t = scene(put(0, "light-tank", (50, "53.5"), models=1), objectives=[MILL])
    whose = []
    for _ in range(2):
        secure_objectives(t, 0)
        whose.append(t.objectives[0].secured)
        settle_captures(t, turn_ends=True)
    assert whose == [None, 0], "when it has only just come, it has not yet kept contact"
    move(t, 0, 5000, 8000)
    settle_captures(t, turn_ends=True)
    assert t.objectives[0].secured == 0
    assert t.objectives[0].holder is None


@pytest.mark.clause("CH-OBJ-01", "CH-OBJ-03", "CH-OBJ-06", "Q-OBJ-1", "Q-OBJ-2", "W82")
def test_an_enemy_in_contact_delays_it() -> None:
    t = at_the_mill("infantry", put(1, "light-tank", (80, 80), models=1))
    settle_captures(t, turn_ends=True)
    t.active = 1
    move(t, 1, 5000, 4650)
    settle_captures(t, turn_ends=True)
    assert t.objectives[0].holder is None
    t.active = 0
    secure_objectives(t, 0)
    assert t.objectives[0].secured is None
    settle_captures(t, turn_ends=True)
    move(t, 1, 8000, 8000)
    secure_objectives(t, 0)
    assert t.objectives[0].secured == 0


@pytest.mark.clause("CH-OBJ-03", "Q-OBJ-1")
def test_the_securing_unit_may_not_break_contact() -> None:
    t = at_the_mill("infantry", put(0, "infantry", (80, 80), models=1))
    settle_captures(t, turn_ends=True)
    move(t, 0, 8000, 2000)
    move(t, 1, 5000, 5300)
    secure_objectives(t, 0)
    assert t.objectives[0].secured is None, "another unit begins anew"


@pytest.mark.house("objective.contest", "none", "first")
@pytest.mark.clause("Q-OBJ-1")
@pytest.mark.parametrize(("value", "whose"), [("none", None), ("first", 1)])
def test_the_house_rule_lets_the_first_to_come_hold_it(value: str, whose: int | None) -> None:
    t = scene(rules={"objective.contest": value})
    assert holder(t, (True, True), 1) == whose
    assert holder(t, (True, False), 1) == 0
    assert holder(t, (False, False), None) is None
    full = at_the_mill("infantry", put(1, "infantry", (50, 46), models=1), rules={"objective.contest": value}, active=0)
    move(full, 1, 8000, 8000)
    settle_captures(full, turn_ends=True)
    move(full, 1, 5000, 4700)
    settle_captures(full)
    assert full.objectives[0].holder == (0 if value == "first" else None)


@pytest.mark.house("objective.resecure", "yes", "no")
@pytest.mark.clause("Q-OBJ-3", "CH-OBJ-04")
@pytest.mark.parametrize(("value", "after"), [("yes", 1), ("no", 0)])
def test_a_secured_objective_may_change_hands(value: str, after: int) -> None:
    mill = Objective(name="The mill", x=5000, y=5000, r=200, secured=0, benefit=Effect("points", 2))
    t = scene(put(1, "infantry", (50, 53), models=1), objectives=[mill], active=1, rules={"objective.resecure": value})
    settle_captures(t, turn_ends=True)
    secure_objectives(t, 1)
    assert t.objectives[0].secured == after
    assert t.armies[1].vp == (2 if after else 0)


@pytest.mark.clause("CH-OBJ-05", "Q-OBJ-4")
def test_benefit_for_ones_own_or_nobodys_sabotage_for_the_enemys() -> None:
    benefit, sabotage = Effect("supplies", 1), Effect("shock", 1)
    free = Objective(name="A", x=0, y=0, r=200, benefit=benefit, sabotage=sabotage)
    owned = Objective(name="B", x=0, y=0, r=200, owner=0, benefit=benefit, sabotage=sabotage)
    t = scene()
    assert [effect_of(t, free, s) for s in (0, 1)] == [benefit, benefit]
    assert [effect_of(t, owned, s) for s in (0, 1)] == [benefit, sabotage]


@pytest.mark.clause("CH-OBJ-05", "Q-OBJ-3", "Q-OBJ-4")
def test_points_come_at_once_and_stay() -> None:
    mill = Objective(name="The mill", x=5000, y=5000, r=200, benefit=Effect("points", 2))
    t = at_the_mill(mill=mill)
    settle_captures(t, turn_ends=True)
    secure_objectives(t, 0)
    secure_objectives(t, 0)
    assert t.armies[0].vp == 2, "once"


@pytest.mark.clause("CH-OBJ-05", "Q-OBJ-4", "CH-STUN-09")
def test_sabotage_stuns_enemy_vehicles_at_the_start_of_the_turn() -> None:
    dump = Objective(name="The dump", x=5000, y=5000, r=200, owner=1, sabotage=Effect("shock", 1))
    t = at_the_mill(
        "infantry",
        put(1, "light-tank", (10, 10)),
        put(1, "medium-tank", (10, 30), models=2, stuns=3),
        put(1, "infantry", (10, 50)),
        put(1, "command", (90, 90)),
        mill=dump,
        cp=(0, 0),
    )
    settle_captures(t, turn_ends=True)
    match = run(t, Turn(side=0))
    if match.waiting:
        assert type(match.waiting[0]).__name__ == "Casualty"
        match.play(1, match.waiting[0].options(match.state).first())
    units = match.state.units
    assert [u.stuns for u in units[1:]] == [1, 1, 0, 0], "the drone of the Asori command shields it"
    assert len(units[2].models) == 1, "four markers on two models cost one"


def test_effects_are_told_in_words() -> None:
    assert effect_words(Effect("supplies", 2)) == "2 CP more every turn while it is secured"
    assert effect_words(Effect("points")) == "1 victory point at once"
    assert "3 CP fewer" in effect_words(Effect("interference", 3))
    assert "2 Stun markers" in effect_words(Effect("shock", 2))
