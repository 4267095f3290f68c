"""Automated models: their order, their movement dice, obstacles, and targets of charges."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Procedure, Rolled, Run, step
from caltrop.geometry import INCH, Point, cut_at_length, path_length, touching
from caltrop.rules.blade_skirmish.automata import (
    ActNow,
    Automated,
    AutomatedCharging,
    AutomatedMovement,
    AutomatedRunning,
    NextAutomated,
    NextToAct,
    Wandering,
    charged_by_chance,
    ways_to,
)
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.charge import Charged, HeldBack, in_charge_range
from caltrop.rules.blade_skirmish.places import gap, inside_zone, sees
from caltrop.rules.blade_skirmish.records import Guts, Skirmish
from caltrop.rules.blade_skirmish.running import Drift
from caltrop.rules.blade_skirmish.scene import block, done, put, run, scene
from caltrop.table.measured import Terrain, stands


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def after(t: Skirmish, procedure: Procedure, *dice: int) -> Skirmish:
    """Return the skirmish after a procedure, with each die thrown separately."""
    return done(run(t, procedure, *[(face,) for face in dice]))


def place(t: Skirmish, fighter: int = 0) -> Point | None:
    return t.fighters[fighter].at


def moved(t: Skirmish, *dice: int) -> Point | None:
    """Return the first fighter's place after her movement phase."""
    return place(after(t, AutomatedMovement(fighter=0), *dice))


def charged(t: Skirmish, *dice: int) -> Point | None:
    """Return the first fighter's place after her charging phase."""
    return place(after(t, AutomatedCharging(fighter=0), *dice))


def ran(t: Skirmish, *dice: int, acted: bool = False) -> Point | None:
    """Return the first fighter's place after her running phase."""
    return place(after(t, AutomatedRunning(fighter=0, acted=acted), *dice))


def charge_and_run() -> Automated:
    """Return the first fighter's sequence from the charging phase on."""
    return Automated(fighter=0, at="charge")


def in_contact(t: Skirmish, a: int, b: int) -> bool:
    return touching(t.disc(a), t.disc(b))


# --- the sequence -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-AUT-02", "BS-AMV-01", "BS-AMV-02", "BS-AMV-03", "BS-ACH-02")
def test_she_moves_up_to_two_inches_from_her_enemy_and_then_charges() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, 16))
    assert moved(t, 2) == at(10, 13)
    end = after(t, Automated(fighter=0), 2)
    assert in_contact(end, 0, 1)
    assert place(end) == (2540, 16 * INCH - INCH - 1)


@pytest.mark.clause("BS-AUT-02", "BS-AMV-02", "BS-ACH-03", "BS-ARN-07")
def test_with_nobody_near_she_moves_and_runs() -> None:
    t = scene(put(1, 1, 10, 3), put(0, 1, 10, 20))
    assert place(after(t, Automated(fighter=0), 1)) == at(10, 11)


@pytest.mark.clause("BS-AMV-04", "BS-AMV-05", "BS-ACH-02", "BS-Q32")
def test_within_two_inches_she_does_not_start_towards_anybody_but_may_wander() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, "12.2"))
    assert moved(t, 1) == at(10, 10)
    assert in_contact(after(t, Automated(fighter=0), 1), 0, 1)
    assert moved(t, 5, 9) == at(6, 10)
    assert in_contact(after(t, Automated(fighter=0), 5, 9), 0, 1)


@pytest.mark.clause("BS-AMV-03", "BS-ACH-02")
def test_a_stunned_enemy_halts_her_move_too_and_is_charged() -> None:
    t = scene(put(1, 1, 10, 5), put(0, 1, 10, 12, stunned=True))
    assert moved(t, 3) == at(10, 9)
    nearer = scene(put(1, 1, 10, 5), put(0, 1, 10, 11, fleeing=True))
    assert moved(nearer, 3) == at(10, 8)
    assert in_contact(after(t, Automated(fighter=0), 3), 0, 1)


@pytest.mark.clause("BS-AUT-02")
def test_whatever_takes_her_off_the_table_ends_her_sequence() -> None:
    # She flees from one enemy into the other, who kills her. No fighter is left to act in the charging phase.
    t = scene(put(1, 1, 10, 10, fleeing=True), put(0, 1, 10, 12), put(0, 1, 10, 7))
    end = after(t, Automated(fighter=0), 6, 6)
    assert place(end) is None
    assert end.fighters[2].kills == 1


# --- movement ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-AMV-02", "BS-AMV-05")
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_up_to_three_she_makes_for_the_enemy_and_on_more_she_wanders(face: int) -> None:
    t = scene(put(1, 1, 10, 5), put(0, 1, 10, 20))
    assert moved(t, *([face] if face <= 3 else [face, 3])) == (at(10, 9) if face <= 3 else at(14, 5))


@pytest.mark.clause("BS-GEO-07", "BS-Q15", "BS-AMV-05")
@pytest.mark.parametrize(("hour", "end"), [(12, (10, 14)), (3, (14, 10)), (6, (10, 6)), (9, (6, 10))])
def test_a_random_move_leads_to_the_hour_of_the_clock(hour: int, end: tuple[int, int]) -> None:
    assert moved(scene(put(1, 1, 10, 10)), 4, hour) == at(*end)
    assert moved(scene(put(1, 1, 10, 10)), 4, 7) == at(8, "6.536")


@pytest.mark.clause("BS-AMV-05", "BS-Q32")
@pytest.mark.house("auto_random_respects_zone", "off", "on")
def test_a_random_move_stops_at_a_model_and_costs_nothing() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 6, 10, 14))
    end = after(t, Wandering(fighter=0), 12)
    assert in_contact(end, 0, 1)
    assert end.fighters[0].active
    away = scene(put(1, 1, 10, 10), put(0, 6, 10, 11))
    assert place(after(away, Wandering(fighter=0), 6)) == at(10, 6)
    respectful = {"auto_random_respects_zone": "on"}
    t = scene(put(1, 1, 10, 10), put(0, 6, 10, 14, stunned=True), rules=respectful)
    assert place(after(t, Wandering(fighter=0), 12)) == at(10, 11)
    away = scene(put(1, 1, 10, 10), put(0, 6, 10, 11), rules=respectful)
    assert place(after(away, Wandering(fighter=0), 6)) == at(10, 10)


@pytest.mark.clause("BS-AMV-06", "BS-Q17")
def test_the_stunned_do_nothing_even_if_they_flee_as_well() -> None:
    assert moved(scene(put(1, 1, 10, 10, stunned=True), put(0, 1, 10, 13))) == at(10, 10)
    assert moved(scene(put(1, 1, 10, 10, stunned=True, fleeing=True), put(0, 1, 10, 13))) == at(10, 10)


@pytest.mark.clause("BS-AMV-07")
def test_the_fleeing_run_from_one_of_the_closest_by_chance() -> None:
    t = scene(put(1, 1, 10, 10, fleeing=True), put(0, 1, 10, 14, name="North"), put(0, 1, 14, 10, name="East"))
    assert moved(t, 1, 3) == at(10, 7)
    assert moved(t, 2, 3) == at(7, 10)


@pytest.mark.clause("BS-FAT-03", "BS-Q25")
def test_a_slippery_floor_stuns_her_at_the_start_of_each_phase() -> None:
    floor = [Guts(at=at(10, 12))]
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, "13.5"), guts=floor)
    assert after(t, AutomatedMovement(fighter=0)).fighters[0].stunned
    assert after(t, AutomatedCharging(fighter=0)).fighters[0].stunned
    assert place(after(t, AutomatedCharging(fighter=0))) == at(10, 10)
    drifted = after(t, AutomatedRunning(fighter=0), 3, 6)
    assert place(drifted) == at(10, 7)
    assert drifted.fighters[0].active


@pytest.mark.clause("BS-Q35")
def test_with_no_enemy_she_only_wanders() -> None:
    alone = scene(put(1, 1, 10, 10), put(1, 1, 10, 14))
    assert moved(alone, 2) == at(10, 10)
    assert ran(alone) == at(10, 10)
    assert place(after(alone, Automated(fighter=0), 6, 3)) == at(14, 10)
    fleeing = scene(put(1, 1, 10, 10, fleeing=True))
    end = after(fleeing, Automated(fighter=0))
    assert place(end) == at(10, 10)
    assert end.fighters[0].active


# --- charging ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-ACH-01")
def test_the_stunned_and_the_fleeing_do_not_charge() -> None:
    assert charged(scene(put(1, 1, 10, 10, stunned=True), put(0, 1, 10, 13))) == at(10, 10)
    assert charged(scene(put(1, 1, 10, 10, fleeing=True), put(0, 1, 10, 13))) == at(10, 10)


@pytest.mark.clause("BS-ACH-02", "BS-ACH-03", "BS-Q03")
def test_she_charges_at_four_inches_and_not_beyond() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, 15))
    assert in_contact(after(t, AutomatedCharging(fighter=0)), 0, 1)
    farther = scene(put(1, 1, 10, 10), put(0, 1, 10, "15.004"))
    assert charged(farther) == at(10, 10)


@pytest.mark.clause("BS-ACH-02", "BS-Q33")
def test_she_charges_the_closest_she_sees() -> None:
    wall = block("wall", 8, "11.6", 12, "11.7")
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, "12.3"), put(0, 1, 14, 10), put(0, 1, 10, 6, stunned=True))
    assert in_contact(after(t, AutomatedCharging(fighter=0)), 0, 1)
    t = scene(
        put(1, 1, 10, 10), put(0, 1, 10, "12.3"), put(0, 1, 14, 10), put(0, 1, 10, "6.5", fleeing=True), terrain=[wall]
    )
    assert in_contact(after(t, AutomatedCharging(fighter=0)), 0, 3)


@pytest.mark.clause("BS-Q33", "BS-S23")
def test_chance_picks_among_the_closest_she_sees() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 14, 10), put(0, 1, 10, 6))
    assert in_contact(after(t, AutomatedCharging(fighter=0), 1), 0, 1)
    assert in_contact(after(t, AutomatedCharging(fighter=0), 2), 0, 2)


PIT = block("pit", "11.2", "8.5", "12.8", 14, "pit")


@pytest.mark.clause("BS-ACH-02", "BS-Q08", "BS-S24")
def test_across_a_pit_she_goes_four_inches_of_the_way_round_it() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 14, 10), terrain=[PIT])
    (way,) = ways_to(t, 0, 1)
    assert 5 * INCH < path_length(way) < 6 * INCH
    # The run was her act. She does not continue, although a stunned enemy would not stop her.
    t.change(1, stunned=True)
    end = after(t, charge_and_run())
    assert stands(t.ground, end.disc(0), [end.disc(1)])
    left = path_length(way) - 4 * INCH
    assert left - 2 <= path_length(ways_to(end, 0, 1)[0]) <= left + 2
    assert in_contact(after(end, AutomatedRunning(fighter=0)), 0, 1)


@pytest.mark.clause("BS-Q08", "BS-ACH-02")
def test_a_way_round_that_is_short_enough_ends_in_contact() -> None:
    post = block("post", "11.6", "9.95", "11.8", 12, "pit")
    t = scene(put(1, 1, 10, 10), put(0, 1, "13.4", 10), terrain=[post])
    match = run(t, AutomatedCharging(fighter=0))
    assert in_contact(done(match), 0, 1)


def fence(x: int, y: int) -> list[Terrain]:
    """Return a fence around a place, just wide enough for a base."""
    return [
        block("w", x - 1, y - 1, x - 0.5, y + 1, "pit"),
        block("e", x + 0.5, y - 1, x + 1, y + 1, "pit"),
        block("s", x - 1, y - 1, x + 1, y - 0.5, "pit"),
        block("n", x - 1, y + 0.5, x + 1, y + 1, "pit"),
    ]


@pytest.mark.clause("BS-Q08", "BS-S24")
def test_who_finds_no_way_at_all_stays_and_has_acted() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, 13), terrain=fence(10, 10))
    match = run(t, charge_and_run())
    assert place(done(match)) == at(10, 10)
    assert [type(event) for event in match.opening] == [HeldBack]


@pytest.mark.clause("BS-ACH-02", "BS-Q07", "BS-Q08")
def test_in_contact_her_charge_is_no_way_at_all_and_still_her_act() -> None:
    t = scene(put(1, 1, 10, 10), put(0, 1, 10, 11), put(0, 1, 10, 6, stunned=True))
    match = run(t, charge_and_run())
    assert place(done(match)) == at(10, 10)
    (event,) = match.opening
    assert isinstance(event, Charged)
    assert event.sentence(t) == "Automata 0 stays in contact with Warband 1"
    assert event.motion(t) is None, "she does not move"


# --- running ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-ARN-07", "BS-ARN-08")
@pytest.mark.parametrize(
    ("enemy", "end"), [({}, 11), ({"stunned": True}, 12), ({"fleeing": True}, 12)], ids=["fit", "stunned", "fleeing"]
)
def test_she_runs_four_inches_and_only_fit_enemies_halt_her(enemy: dict[str, bool], end: int) -> None:
    assert ran(scene(put(1, 1, 10, 8), put(0, 1, 10, 14, **enemy))) == at(10, end)
    assert ran(scene(put(1, 1, 10, 8), put(0, 1, 10, 20, **enemy))) == at(10, 12)
    assert ran(scene(put(1, 1, 10, 8), put(0, 1, 10, 20, **enemy)), acted=True) == at(10, 8)


@pytest.mark.clause("BS-ARN-07", "BS-S25", "BS-Q05")
@pytest.mark.house("zone_ignores_walls", "on", "off")
def test_a_run_ends_in_contact_and_zones_go_through_walls() -> None:
    wall = block("wall", 11, 4, "11.2", "10.6")
    asleep = scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10, stunned=True), terrain=[wall])
    assert in_contact(after(asleep, charge_and_run()), 0, 1)
    awake = scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10), terrain=[wall])
    assert ran(awake) == at(10, 10)
    # Without sight there is no zone. She moves until she and her enemy see each other around the end of the wall.
    seen = scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10), terrain=[wall], rules={"zone_ignores_walls": "off"})
    end = after(seen, AutomatedRunning(fighter=0))
    (way,) = ways_to(seen, 0, 1)
    assert 20 < path_length(way) - path_length(ways_to(end, 0, 1)[0]) < path_length(way)
    assert not sees(end, 0, 1)
    a_step_on = scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10), terrain=[wall])
    on = cut_at_length(ways_to(end, 0, 1)[0], 2)[-1]
    a_step_on.change(0, at=on)
    assert sees(a_step_on, 0, 1)
    assert gap(a_step_on, 0, 1) < 2 * INCH


@pytest.mark.clause("BS-S26", "BS-ARN-08")
def test_zones_do_not_bend_her_path() -> None:
    t = scene(put(1, 1, 10, 7), put(0, 1, 10, 12, stunned=True), put(0, 1, "12.5", 12))
    x, y = ran(t) or (0, 0)
    assert x == 10 * INCH
    assert not inside_zone((x, y, INCH // 2), t.disc(2))
    assert inside_zone((x, y + 1, INCH // 2), t.disc(2))


@pytest.mark.clause("BS-ARN-01", "BS-ARN-04", "BS-Q08")
def test_the_stunned_drift_and_do_not_run() -> None:
    end = after(scene(put(1, 1, 10, 10, stunned=True), put(0, 1, 10, 20)), AutomatedRunning(fighter=0), 2, 3)
    assert place(end) == at(12, 10)
    assert end.fighters[0].active


@pytest.mark.clause("BS-ARN-05", "BS-ARN-06", "BS-ARN-07", "BS-Q08")
def test_the_fleeing_take_their_test_or_are_far_enough_away_and_do_not_run() -> None:
    far = after(scene(put(1, 1, 10, 2, fleeing=True), put(0, 1, 10, "11.2")), AutomatedRunning(fighter=0))
    assert (place(far), far.fighters[0].fleeing) == (at(10, 2), False)
    t = scene(put(1, 1, 10, 2, fleeing=True), put(0, 1, 10, 11))
    assert after(t, AutomatedRunning(fighter=0), 5).fighters[0].fleeing
    passed = after(t, AutomatedRunning(fighter=0), 6)
    assert (place(passed), passed.fighters[0].fleeing) == (at(10, 2), False)


@pytest.mark.clause("BS-Q17", "BS-ARN-01", "BS-ARN-05")
def test_who_is_stunned_and_flees_drifts_and_then_takes_the_test() -> None:
    t = scene(put(1, 1, 10, 10, stunned=True, fleeing=True), put(0, 1, 10, 13))
    end = after(t, AutomatedRunning(fighter=0), 2, 3, 6)
    assert place(end) == at(12, 10)
    assert end.fighters[0].active


# --- trophies ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-Q24")
def test_who_takes_a_trophy_does_nothing_but_flee_and_drift() -> None:
    t = scene(put(1, 1, 10, 10, trophy=1), put(0, 1, 10, 14))
    assert place(after(t, Automated(fighter=0))) == at(10, 10)
    far = scene(put(1, 1, 10, 10, trophy=1), put(0, 1, 10, 20))
    assert place(after(far, Automated(fighter=0))) == at(10, 10)
    t.change(0, fleeing=True)
    assert moved(t, 3) == at(10, 7)
    t.change(0, fleeing=False, stunned=True)
    assert ran(t, 3, 6) == at(10, 7)


@pytest.mark.clause("BS-Q24", "BS-RUN-02")
def test_who_drifts_into_a_taker_of_a_trophy_is_not_hit() -> None:
    t = scene(put(1, 1, 10, 10, trophy=1), put(0, 1, 10, 12, stunned=True))
    end = after(t, Drift(fighter=1), 4, 6)
    assert in_contact(end, 0, 1)
    assert end.fighters[1].active


# --- the most efficient path ------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S23", "BS-AMV-02")
def test_the_closest_is_found_through_walls_and_among_equals_by_chance() -> None:
    wall = block("wall", 11, 6, "11.5", 13)
    t = scene(put(1, 1, 10, 10), put(0, 1, 15, 10), put(0, 1, 4, 10), terrain=[wall])
    x, y = moved(t, 1) or (0, 0)
    assert x > 10 * INCH < y
    t = scene(put(1, 1, 10, 10), put(0, 1, 16, 10), put(0, 1, 4, 10))
    assert moved(t, 1, 1) == at(13, 10)
    assert moved(t, 1, 2) == at(7, 10)


@pytest.mark.clause("BS-S24", "BS-Q04")
def test_of_two_equal_ways_chance_picks_one() -> None:
    t = scene(put(1, 1, 8, 10), put(0, 1, 17, 10, stunned=True), put(1, 1, 11, 10))
    match = run(t, AutomatedRunning(fighter=0), (1,))
    low, high = done(match), after(t, AutomatedRunning(fighter=0), 2)
    (x0, y0), (x1, y1) = place(low) or (0, 0), place(high) or (0, 0)
    assert abs(x0 - x1) < 5 > abs(y0 + y1 - 20 * INCH)
    assert y0 < 10 * INCH < y1
    (roll,) = [event for event in match.opening if isinstance(event, Rolled)]
    assert roll.words == "Which of the equally long ways Automata 0 takes"
    assert roll.symbols == ("by 4 o'clock", "by 2 o'clock")


@pytest.mark.clause("BS-S24")
def test_with_no_way_she_goes_straight_until_something_stops_her() -> None:
    t = scene(put(1, 1, 10, 5), put(0, 1, 10, 12, stunned=True), terrain=fence(10, 12))
    assert ran(t) == at(10, 9)
    t.change(0, at=at(10, 8))
    assert ran(t) == at(10, "10.5")


@pytest.mark.clause("BS-S24", "BS-S13")
@pytest.mark.house("difficult_ground", "on")
def test_difficult_ground_shortens_the_way_that_she_gets() -> None:
    marsh = block("marsh", 5, 6, 15, 8, "rough")
    t = scene(put(1, 1, 10, 5), put(0, 1, 10, 20), terrain=[marsh], rules={"difficult_ground": "on"})
    assert moved(t, 1) == at(10, "7.5")
    assert moved(scene(put(1, 1, 10, 5), put(0, 1, 10, 20), terrain=[marsh]), 1) == at(10, 9)


# --- the next model
# ------------------------------------------------------------------------------------------------------


NEAR, NEARER, FAR = put(1, 1, 10, 15, name="Near"), put(1, 1, 16, 14, name="Nearer"), put(1, 1, 4, 20, name="Far")
FOES = put(0, 1, 10, 10), put(0, 1, 16, 10)


class Told(Procedure):
    """Records which model is next."""

    among: tuple[int, ...] | None = None

    @step("BS-Q30")
    def find(self, t: Skirmish) -> Run:
        return Run(NextToAct(side=1, among=self.among))

    @step("BS-Q30")
    def tell(self, t: Skirmish, fighter: int | None) -> None:
        t.gone.append(-1 if fighter is None else fighter)


def next_is(t: Skirmish, *dice: int, among: tuple[int, ...] | None = None) -> int:
    return after(t, Told(among=among), *dice).gone[-1]


@pytest.mark.clause("BS-Q30", "BS-AUT-01")
@pytest.mark.house("auto_order", "nearest")
def test_the_nearest_to_any_enemy_is_next_among_those_who_have_not_gone() -> None:
    t = scene(NEAR, NEARER, FAR, *FOES)
    assert next_is(t) == 1
    t.gone = [1]
    assert next_is(t) == 0
    t.gone = [1, 0]
    assert next_is(t) == 2
    t.gone = [1, 0, 2]
    assert next_is(t) == -1
    # The order is decided again each time, so a fighter who has come nearer meanwhile is next.
    t.gone = [1]
    t.change(2, at=at(4, 10))
    t.change(0, at=at(10, 20))
    assert next_is(t) == 2
    assert next_is(t, among=(0, 1)) == 1


@pytest.mark.clause("BS-Q30")
def test_among_those_who_are_as_near_chance_decides() -> None:
    t = scene(NEAR, put(1, 1, 16, 15), FAR, *FOES)
    assert next_is(t, 1) == 0
    assert next_is(t, 2) == 1
    alone = scene(NEAR, FAR)
    assert next_is(alone, 2) == 1


@pytest.mark.clause("BS-Q30")
@pytest.mark.house("auto_order", "random")
def test_in_a_random_order_any_of_them_may_be_next() -> None:
    t = scene(NEAR, NEARER, FAR, *FOES, rules={"auto_order": "random"})
    assert [next_is(t, face) for face in (1, 2, 3)] == [0, 1, 2]
    t.gone = [0, 1]
    assert next_is(t) == 2


@pytest.mark.clause("BS-Q30")
@pytest.mark.house("auto_order", "player")
def test_a_player_may_be_given_the_order() -> None:
    t = scene(NEAR, NEARER, FAR, *FOES, rules={"auto_order": "player"})
    match = run(t, Told())
    (question,) = match.state.asked
    assert isinstance(question, NextAutomated)
    assert question.side == 0
    assert [offer.words for offer in question.offers(t)] == [
        "Near acts next, 4 inches from Warband 3",
        "Nearer acts next, 3 inches from Warband 4",
        "Far acts next, 10.67 inches from Warband 3",
    ]
    assert question.options(t).refusal(ActNow(3)) is not None
    match.play(0, ActNow(2))
    assert done(match).gone == [2]
    t.gone = [0, 1]
    assert next_is(t) == 2


@pytest.mark.house("auto_charge_at", "seen", "closest")
@pytest.mark.clause("BS-ACH-02", "BS-Q33")
def test_which_enemy_she_charges_with_a_closer_enemy_out_of_sight() -> None:
    wall = block("wall", 11, 4, "11.2", "10.6")

    def start(**rules: Any) -> Skirmish:
        return scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10), put(0, 1, 10, 13), terrain=[wall], rules=rules)

    assert in_contact(after(start(), AutomatedCharging(fighter=0)), 0, 2)
    t = start(auto_charge_at="closest")
    assert not sees(t, 0, 1)
    end = after(t, AutomatedCharging(fighter=0))
    assert not in_contact(end, 0, 2)
    assert gap(end, 0, 1) < gap(t, 0, 1) or in_contact(end, 0, 1)
    assert charged_by_chance(start(), 0, in_charge_range(start(), 0)) == (2,)
    assert charged_by_chance(t, 0, in_charge_range(t, 0)) == (1,)
    # An unseen fighter forces nobody to charge. Of two seen fighters the closer one does, by either rule.
    for rule in ("seen", "closest"):
        alone = scene(put(1, 1, 10, 10), put(0, 1, "12.2", 10), terrain=[wall], rules={"auto_charge_at": rule})
        assert after(alone, AutomatedCharging(fighter=0)).fighters == alone.fighters
        both = scene(put(1, 1, 10, 10), put(0, 1, 13, 10), put(0, 1, 10, "12.9"), rules={"auto_charge_at": rule})
        assert charged_by_chance(both, 0, in_charge_range(both, 0)) == (2,)
        far = scene(put(1, 1, 10, 10), put(0, 1, 10, "15.2"), rules={"auto_charge_at": rule})
        assert after(far, AutomatedCharging(fighter=0)).fighters == far.fighters


@pytest.mark.clause("BS-Q30", "BS-Q03")
@pytest.mark.house("auto_order", "player")
def test_who_touches_an_enemy_is_in_contact_and_not_a_hundredth_of_an_inch_away() -> None:
    t = scene(put(1, 1, 12, 12), put(1, 1, 2, 2), put(0, 1, 12, 14, name="Ada"), rules={"auto_order": "player"})
    t.change(0, at=(t.fighters[2].at[0], t.fighters[2].at[1] - INCH - 2))  # type: ignore[index]
    asked = NextAutomated(side=0, among=(0, 1))
    words = [offer.words for offer in asked.offers(t)]
    assert words[0].endswith("acts next, in contact with Ada")
    assert " inches from Ada" in words[1]
