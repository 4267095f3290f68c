"""The running phase: drift, flight test, and a further 4 inches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import offered
from caltrop.engine import Match, Refused
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.movement import Movement
from caltrop.rules.blade_skirmish.records import Fighter, Guts, Relic, Skirmish
from caltrop.rules.blade_skirmish.routes import Moved, Stay, Walk
from caltrop.rules.blade_skirmish.running import (
    AutomatedFlightTest,
    Drift,
    FailTest,
    FlightTest,
    PassTest,
    Running,
    TakeTest,
)
from caltrop.rules.blade_skirmish.scene import Put, block, done, put, run, scene


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def stunned(x: Length = 12, y: Length = 12, quality: int = 1, **fields: Any) -> Put:
    return put(0, quality, x, y, **{"stunned": True, **fields})


def fleeing(quality: int = 2, **fields: Any) -> Put:
    return put(0, quality, 12, 12, **{"fleeing": True, **fields})


def drift(t: Skirmish, *dice: Sequence[int]) -> Fighter:
    return done(run(t, Drift(fighter=0), *dice)).fighters[0]


def asked(match: Match) -> list[str]:
    return [type(question).__name__ for question in match.waiting]


# --- drift ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-W13", "BS-GEO-07", "BS-Q15", "BS-DIC-04")
@pytest.mark.parametrize(("hour", "end"), [(12, (10, 14)), (3, (14, 10)), (7, (8, "6.536")), (1, (12, "13.464"))])
def test_example_13_hours_are_those_of_a_clock_whose_twelve_is_north(hour: int, end: tuple[Length, Length]) -> None:
    result = drift(scene(stunned(10, 10)), (4,), (hour,))
    assert result.at == at(*end)


@pytest.mark.clause("BS-RUN-01", "BS-ARN-01", "BS-DIC-01", "BS-DIC-02", "BS-RUN-04", "BS-ARN-04")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("die", [1, 6])
def test_the_stunned_drift_as_many_inches_as_a_die_says_and_are_stunned_no_more(die: int, side: int) -> None:
    result = drift(scene(put(side, 1, 12, 12, stunned=True)), (die,), (9,))
    assert (result.at, result.stunned) == (at(12 - die, 12), False)


@pytest.mark.clause("BS-W12", "BS-FAT-03", "BS-MOV-05", "BS-CHG-01", "BS-RUN-01", "BS-RUN-04")
def test_example_12_a_slippery_floor_costs_a_whole_turn() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 1, 12, 15), guts=[Guts(at=at("13.8", 12))])
    for procedure in (Movement(fighter=0), Charging(fighter=0)):
        match = run(t, procedure)
        assert not match.waiting
        state = done(match)
        assert (state.fighters[0].at, state.fighters[0].stunned) == (at(12, 12), True)
        t = state.clone()
        t.stack = []
    fighter = done(run(t, Running(fighter=0), (5,), (3,))).fighters[0]
    assert (fighter.at, fighter.stunned) == (at(17, 12), False)


@pytest.mark.clause("BS-Q25", "BS-FAT-03")
def test_who_slips_at_the_start_of_running_drifts_in_that_very_phase() -> None:
    t = scene(put(0, 2, 12, 12), guts=[Guts(at=at(12, "13.8"))])
    fighter = done(run(t, Running(fighter=0), (2,), (6,))).fighters[0]
    assert (fighter.at, fighter.stunned) == (at(12, 10), False)


@pytest.mark.clause("BS-W22", "BS-RUN-01", "BS-RUN-02", "BS-RUN-04", "BS-RUN-05", "BS-Q17", "BS-Q45")
def test_example_22_a_drift_into_an_enemy_a_hit_and_a_test() -> None:
    t = scene(stunned(), put(1, 1, 12, "8.5"))
    match = run(t, Running(fighter=0), (4,), (6,), (3,), (6,))
    match.play(0, TakeTest())
    fighter = done(match).fighters[0]
    assert (fighter.at, fighter.stunned, fighter.fleeing) == (at(12, "9.5"), False, False)


@pytest.mark.clause("BS-W23", "BS-RUN-02", "BS-Q21")
@pytest.mark.parametrize("fields", [{"fleeing": True}, {"stunned": True}])
def test_example_23_a_drift_into_a_helpless_enemy_just_ends(fields: dict[str, bool]) -> None:
    result = drift(scene(stunned(), put(1, 1, 12, "8.5", **fields)), (4,), (6,))
    assert (result.at, result.stunned) == (at(12, "9.5"), False)


@pytest.mark.clause("BS-W33", "BS-RUN-02", "BS-Q24")
def test_example_33_a_drift_into_an_enemy_with_a_trophy_just_ends() -> None:
    assert drift(scene(stunned(), put(1, 1, 12, 10, trophy=1)), (4,), (6,)).at == at(12, 11)


@pytest.mark.clause("BS-W38", "BS-RUN-02", "BS-Q21")
@pytest.mark.parametrize(("hour", "end", "hit"), [(6, (12, 12), True), (12, (12, 14), False), (3, (14, 12), False)])
def test_example_38_in_contact_only_a_heading_into_the_enemy_is_blocked(
    hour: int, end: tuple[Length, Length], hit: bool
) -> None:
    t = scene(stunned(), put(1, 1, 12, 11))
    result = drift(t, (2,), (hour,), *([(2,)] if hit else []))
    assert (result.at, result.fleeing) == (at(*end), hit)


@pytest.mark.clause("BS-RUN-02")
def test_a_drift_that_ends_just_at_an_enemy_has_taken_her_into_contact() -> None:
    assert drift(scene(stunned(), put(1, 1, 12, 9)), (2,), (6,), (2,)).fleeing


@pytest.mark.clause("BS-RUN-03", "BS-ARN-03", "BS-Q21")
def test_obstacles_the_edge_and_friends_stop_a_drift() -> None:
    wall = [block("wall", 10, 14, 14, 15)]
    assert drift(scene(stunned(), terrain=wall), (6,), (12,)).at == at(12, "13.5")
    assert drift(scene(stunned(12, 22)), (6,), (12,)).at == at(12, "23.5")
    assert drift(scene(stunned(), put(0, 1, 12, 15)), (6,), (12,)).at == at(12, 14)


@pytest.mark.clause("BS-RUN-04", "BS-Q17")
def test_a_stun_gained_during_the_drift_ends_with_it() -> None:
    result = drift(scene(stunned(), put(1, 1, 12, 10)), (3,), (6,), (1,))
    assert not result.stunned


@pytest.mark.clause("BS-ARN-02")
def test_an_automated_one_is_hit_like_any_other() -> None:
    t = done(run(scene(put(1, 1, 12, 12, stunned=True), put(0, 1, 12, 10)), Drift(fighter=0), (3,), (6,), (6,)))
    assert (t.fighters[0].fate, t.fighters[1].kills) == ("dead", 1)


@pytest.mark.clause("BS-RUN-01")
def test_a_fighter_who_is_taken_off_the_table_by_a_drift_is_asked_nothing_more() -> None:
    match = run(scene(stunned(fleeing=True), put(1, 1, 12, 10)), Running(fighter=0), (3,), (6,), (4,))
    assert done(match).fighters[0].fate == "wounded"


# --- the flight test --------------------------------------------------------------------------------------------------


def test_the_test_is_offered_with_its_chance() -> None:
    t = scene(fleeing(), put(1, 1, 12, 15))
    (question,) = run(t, FlightTest(fighter=0)).waiting
    assert [offer.words for offer in offered(question).offers(t)] == [
        "Take the test: she stops fleeing with a chance of 33 %",
        "She keeps fleeing, without a test",
    ]


@pytest.mark.clause("BS-RUN-05")
@pytest.mark.parametrize(("die", "flees"), [(4, True), (5, False)])
def test_a_test_that_is_passed_ends_the_flight(die: int, flees: bool) -> None:
    match = run(scene(fleeing(), put(1, 1, 12, 15)), FlightTest(fighter=0), (die,))
    match.play(0, TakeTest())
    assert done(match).fighters[0].fleeing == flees


@pytest.mark.clause("BS-RUN-06")
def test_her_player_may_let_her_fail() -> None:
    match = run(scene(fleeing(), put(1, 1, 12, 15)), FlightTest(fighter=0))
    match.play(0, FailTest())
    assert done(match).fighters[0].fleeing


@pytest.mark.clause("BS-RUN-07", "BS-Q03")
@pytest.mark.parametrize(("y", "far"), [(3, False), ("2.99", True)])
def test_with_every_enemy_more_than_eight_inches_away_she_may_pass_outright(y: Length, far: bool) -> None:
    match = run(scene(fleeing(), put(1, 1, 12, y), put(1, 1, 23, 23)), FlightTest(fighter=0))
    (question,) = match.waiting
    passing = [PassTest()] if far else []
    assert list(question.options(match.view(0))) == [*passing, TakeTest(), FailTest()]
    if not far:
        with pytest.raises(Refused) as error:
            match.play(0, PassTest())
        assert (error.value.refusal.clause, error.value.refusal.nearest) == ("BS-RUN-07", TakeTest())
        return
    match.play(0, PassTest())
    assert not done(match).fighters[0].fleeing


@pytest.mark.clause("BS-Q35")
@pytest.mark.parametrize("procedure", [FlightTest, AutomatedFlightTest])
def test_with_no_enemy_left_she_recovers_by_herself(procedure: type[FlightTest]) -> None:
    assert not done(run(scene(fleeing()), procedure(fighter=0))).fighters[0].fleeing


@pytest.mark.clause("BS-ARN-05", "BS-ARN-06")
def test_an_automated_one_tests_near_enemies_and_passes_far_from_them() -> None:
    def foe(y: Length) -> Skirmish:
        return scene(put(1, 1, 12, 12, fleeing=True), put(0, 1, 12, y))

    assert not done(run(foe(3), AutomatedFlightTest(fighter=0), (6,))).fighters[0].fleeing
    assert done(run(foe(3), AutomatedFlightTest(fighter=0), (5,))).fighters[0].fleeing
    assert not done(run(foe("2.8"), AutomatedFlightTest(fighter=0))).fighters[0].fleeing


# --- a further 4 inches -----------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-RUN-08")
def test_who_has_not_acted_may_go_four_inches_more() -> None:
    match = run(scene(put(0, 2, 12, 12), put(1, 1, 20, 20)), Running(fighter=0))
    assert asked(match) == ["RunOn"]
    assert match.play(0, Walk((at(12, 8),))) == (Moved(0, (at(12, 12), at(12, 8)), "runs", "BS-RUN-08"),)
    assert done(match).fighters[0].at == at(12, 8)
    match = run(scene(put(0, 2, 12, 12), put(1, 1, 20, 20)), Running(fighter=0))
    match.play(0, Stay())
    assert done(match).fighters[0].at == at(12, 12)


@pytest.mark.clause("BS-S53")
def test_a_run_may_come_by_a_relic() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 1, 20, 20), relic=Relic(at=at(12, 15)), field={"goal": "relic"})
    match = run(t, Running(fighter=0))
    match.play(0, Walk((at(12, "14.5"),)))
    assert done(match).relic == Relic(at=at(12, 15), carrier=0)


@pytest.mark.clause("BS-RUN-08", "BS-Q08")
def test_who_has_acted_may_not() -> None:
    assert not run(scene(put(0, 2, 12, 12)), Running(fighter=0, acted=True)).waiting
    # A drift is an act, and so is the test, whatever its result.
    assert not run(scene(stunned()), Running(fighter=0), (1,), (1,)).waiting
    match = run(scene(fleeing(), put(1, 1, 12, 1)), Running(fighter=0))
    match.play(0, PassTest())
    assert not match.waiting
    assert not done(match).fighters[0].fleeing


@pytest.mark.clause("BS-Q24")
def test_who_takes_a_trophy_does_not_run_but_drifts_and_tests() -> None:
    assert not run(scene(put(0, 2, 12, 12, trophy=1)), Running(fighter=0)).waiting
    assert done(run(scene(stunned(trophy=1)), Running(fighter=0), (1,), (3,))).fighters[0].at == at(13, 12)
    assert asked(run(scene(fleeing(trophy=1), put(1, 1, 12, 15)), Running(fighter=0))) == ["HowToSteady"]


@pytest.mark.clause("BS-RUN-09", "BS-Q06")
def test_who_cannot_go_anywhere_is_not_asked() -> None:
    wall = [block("wall", 10, "12.6", 14, "12.8")]
    assert not run(scene(put(0, 2, 12, 12), put(1, 1, 12, 14), terrain=wall), Running(fighter=0)).waiting
