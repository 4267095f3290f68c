"""Victory points, breaking through, and how games end."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Go, Match, total
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.damage import lose_model
from caltrop.rules.command_horizon.records import Battle, Objective
from caltrop.rules.command_horizon.scenarios import keeps_points, rounds_played
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.turn import Game
from caltrop.rules.command_horizon.victory import (
    anything_counts,
    break_through,
    outcome_after_last_round,
    outcome_now,
    points_for,
    points_of_side,
)
from caltrop.rules.command_horizon.worms import spend_base


def destroy(t: Battle, unit: int) -> None:
    """Let the enemy destroy a unit."""
    for m in t.units[unit].models:
        lose_model(t, m)


@pytest.mark.clause("CH-VP-01", "CH-VP-02", "CH-VP-03", "W49")
def test_points_for_units_destroyed_entirely() -> None:
    t = scene(put(1, "command", (10, 10)), put(1, "light-tank", (10, 30)), put(0, "command", (50, 50)))
    destroy(t, 0)
    destroy(t, 1)
    lose_model(t, t.units[2].models[0])
    lose_model(t, t.units[2].models[0])
    assert [a.vp for a in t.armies] == [4, 0], "one command tank of three is left"
    off = scene(put(1, "command", (10, 10)), keeps_vp=False)
    destroy(off, 0)
    assert off.armies[0].vp == 0


@pytest.mark.clause("CH-VP-03", "Q-PUT-3", "Q-VP-2")
def test_what_units_are_worth() -> None:
    t = scene(
        put(0, "command", (10, 10)),
        put(0, "infantry", (10, 30), platoon=5),
        put(1, "medium-tank", (50, 50), glands=(2,)),
        army=("alliance", "putredine"),
    )
    assert [points_for(t, u) for u in range(3)] == [2, 1, 1]


@pytest.mark.house("vp.spawned", "yes", "no")
@pytest.mark.clause("Q-VP-1")
@pytest.mark.parametrize(("value", "points"), [("yes", 1), ("no", 0)])
def test_the_house_rule_on_spawned_units(value: str, points: int) -> None:
    t = scene(
        put(1, "infantry", (10, 10), models=1, spawned=True),
        army=("alliance", "putredine"),
        rules={"vp.spawned": value},
    )
    destroy(t, 0)
    assert t.armies[0].vp == points


@pytest.mark.clause("Q-VP-3")
def test_bases_given_up_are_worth_nothing() -> None:
    t = scene(put(1, "infantry", (10, 10), models=1), army=("alliance", "putredine"))
    spend_base(t, t.units[0].models[0], "attaches", "CH-WORM-01")
    assert not t.units[0].models
    assert t.armies[0].vp == 0


@pytest.mark.clause("Q-VP-4")
@pytest.mark.parametrize(("value", "scenario", "rounds"), [(6, 6, 6), (6, 8, 8), (3, 8, 3), ("none", 8, None)])
def test_how_many_rounds_are_played(value: int | str, scenario: int, rounds: int | None) -> None:
    assert rounds_played(ruleset.book("current", {"game.rounds": value}), scenario) == rounds


@pytest.mark.clause("CH-VP-01", "Q-VP-4", "Q-ED-1")
def test_the_scenario_says_whether_points_count_and_the_earlier_edition_has_none() -> None:
    assert keeps_points(ruleset.book(), True)
    assert not keeps_points(ruleset.book(), False)
    assert not keeps_points(ruleset.book("v1.5"), True)


@pytest.mark.clause("Q-VP-4")
def test_an_army_without_units_has_lost_and_both_gone_is_a_draw() -> None:
    t = scene(put(0, "light-tank", (10, 10)), put(1, "light-tank", (50, 50)))
    assert outcome_now(t) is None
    destroy(t, 1)
    won = outcome_now(t)
    assert won is not None
    assert won.winner == 0
    destroy(t, 0)
    drawn = outcome_now(t)
    assert drawn is not None
    assert drawn.winner is None


@pytest.mark.clause("Q-VP-4", "CH-VP-01", "Q-OBJ-4")
def test_after_the_last_round_points_decide() -> None:
    mill = Objective(name="The mill", x=0, y=0, r=200, worth=3, secured=1)
    t = scene(put(0, "light-tank", (10, 10)), objectives=[mill])
    t.change_army(0, vp=2)
    assert [total(points_of_side(t, s)) for s in (0, 1)] == [2, 3]
    over = outcome_after_last_round(t)
    assert (over.winner, over.points) == (1, (2, 3))
    t.change_army(0, vp=3)
    assert outcome_after_last_round(t).winner is None
    nothing = scene(keeps_vp=False)
    assert not anything_counts(nothing)
    assert outcome_after_last_round(nothing).winner is None
    assert "nothing else decides" in outcome_after_last_round(nothing).reason


@pytest.mark.house("game.rounds", 2)
@pytest.mark.clause("Q-VP-4", "CH-TURN-01")
def test_a_game_ends_with_its_last_round() -> None:
    book = ruleset.book("current", {"game.rounds": 2})
    match: Any = Match(ruleset, ruleset.setup(book, "first-battle", ("alliance", "asori"), 4), Seeded(1))
    dice, turns = Seeded(2), []
    while match.waiting:
        decision = match.waiting[0]
        turns.append((match.state.round, match.state.active))
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice))
    first = match.state.first
    assert list(dict.fromkeys(turns)) == [(1, first), (1, 1 - first), (2, first), (2, 1 - first)]
    assert match.over is not None
    assert isinstance(ruleset.setup(book, "first-battle").stack[0], Game)


@pytest.mark.house("game.rounds", 6, "none", 1, 2, 100)
@pytest.mark.clause("Q-VP-4", "CH-TURN-01")
@pytest.mark.parametrize(("value", "last"), [(6, 6), ("none", 0), (1, 1), (2, 2), (100, 100)])
def test_the_last_round_is_the_agreed_one(value: int | str, last: int) -> None:
    book = ruleset.book("current", {"game.rounds": value})
    for round, over in (last - 1, False), (last, True):
        if round < 1:
            continue
        t: Any = ruleset.setup(book, "first-battle", ("alliance", "asori"), 4)
        t.active, t.first, t.round = 1, 0, round
        next_turn = Game().next_turn(t)
        assert (next_turn == Go("last_round_is_over")) is over
    if not last:
        t = ruleset.setup(book, "first-battle", ("alliance", "asori"), 4)
        t.active, t.first, t.round = 1, 0, 1000
        assert Game().next_turn(t) == Go("take_turn")
        assert t.round == 1001


# --- breaking through ------------------------------------------------------------------------------------------------


@pytest.mark.clause("Q-VP-4", "CH-SETUP-04")
def test_units_wholly_in_the_enemy_zone_leave_the_table() -> None:
    t = scene(
        put(0, "light-tank", (10, 115)),
        put(0, "light-tank", (40, 112), (40, 109), (40, 106), (40, 103), (40, 100)),
        put(0, "infantry", (70, 115), locked=(3,)),
        put(1, "infantry", (70, 117)),
        breakthrough=2,
    )
    break_through(t, 0)
    assert [u.deployed for u in t.units] == [False, True, True, True], "one stands half outside, one is locked"
    assert t.units[0].left
    assert t.armies[0].vp == 2
    assert list(t.in_play(0)) == [1, 2]
    plain = scene(put(0, "light-tank", (10, 115)))
    break_through(plain, 0)
    assert plain.units[0].deployed, "only where the scenario says so"


@pytest.mark.clause("Q-VP-4")
def test_an_army_that_has_left_the_table_has_not_lost() -> None:
    t = scene(put(0, "light-tank", (10, 115)), put(1, "light-tank", (50, 50)), breakthrough=2)
    break_through(t, 0)
    over = outcome_now(t)
    assert over is not None
    assert (over.winner, over.points) == (0, (2, 0))
