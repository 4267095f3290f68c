"""Flight: its length, the enemies that it leads away from, and collisions, for players and automated models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.flight import AutomatedFlight, FleeFrom, Flight, HowToFlee, Stopped
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scene import Put, block, done, put, run, scene

FLEEING = {"fleeing": True}


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def flee(t: Skirmish, far: bool, *dice: Sequence[int], enemy: int = 1) -> Skirmish:
    match = run(t, Flight(fighter=0), *dice)
    match.play(0, FleeFrom(enemy, far))
    return done(match)


def automated(t: Skirmish, *dice: Sequence[int]) -> Skirmish:
    return done(run(t, AutomatedFlight(fighter=0), *dice))


def runner(x: Length = 12, y: Length = 12, side: int = 0, **fields: Any) -> Put:
    return put(side, 2, x, y, **{**FLEEING, **fields})


def question(match: Match) -> HowToFlee:
    (asked,) = match.waiting
    assert isinstance(asked, HowToFlee)
    return asked


# --- distance, and the enemies that count
# --------------------------------------------------------------------------------------


@pytest.mark.clause("BS-MOV-06", "BS-MOV-07", "BS-Q18", "BS-Q03")
def test_she_runs_straight_away_eight_inches_or_a_die_of_them() -> None:
    t = scene(runner(), put(1, 1, 9, 8))
    assert flee(t, True).fighters[0].at == at("16.8", "18.4")
    assert flee(t, False, (5,)).fighters[0].at == at(15, 16)


@pytest.mark.clause("BS-MOV-07", "BS-Q18")
def test_the_distance_is_chosen_before_the_die_is_thrown() -> None:
    match = run(scene(runner(), put(1, 1, 9, 8)), Flight(fighter=0), (3,))
    assert list(question(match).options(match.view(0))) == [FleeFrom(1, True), FleeFrom(1, False)]
    match.play(0, FleeFrom(1, False))
    assert not match.waiting


@pytest.mark.clause("BS-MOV-06")
@pytest.mark.parametrize("fields", [{}, {"stunned": True}, {"fleeing": True}])
def test_it_is_the_closest_enemy_fit_or_not(fields: dict[str, bool]) -> None:
    t = scene(runner(), put(1, 1, 16, 12), put(1, 1, 12, 9, **fields), put(0, 1, 12, 10))
    assert flee(t, False, (3,), enemy=2).fighters[0].at == at(12, 15)


@pytest.mark.clause("BS-Q36")
def test_of_two_equally_close_enemies_the_player_picks() -> None:
    t = scene(runner(), put(1, 1, 12, 9), put(1, 1, 9, 12))
    match = run(t, Flight(fighter=0), (2,))
    assert len(list(question(match).options(match.view(0)))) == 4
    match.play(0, FleeFrom(2, False))
    assert done(match).fighters[0].at == at(14, 12)


@pytest.mark.clause("BS-Q35")
@pytest.mark.parametrize("procedure", [Flight, AutomatedFlight])
def test_with_no_enemy_on_the_table_nobody_runs(procedure: type[Flight]) -> None:
    t = done(run(scene(runner(), put(0, 1, 15, 15)), procedure(fighter=0)))
    assert t.fighters[0].at == at(12, 12)
    assert t.fighters[0].fleeing


def test_what_is_offered_says_what_is_in_the_way() -> None:
    t = scene(runner(), put(1, 1, 12, 9), put(1, 1, 12, 17, stunned=True))
    match = run(t, Flight(fighter=0))
    words = [offer.words for offer in question(match).offers(match.view(0))]
    assert words == [
        "Run 8 inches from Automata 1: Automata 2 is in the way after 4 inches",
        "Run a die of inches from Automata 1: Automata 2 is in the way after 4 inches",
    ]


# --- obstacles ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-W19", "BS-MOV-10")
def test_example_19_a_wall_behind_her_stops_her_without_damage() -> None:
    t = scene(runner(), put(1, 1, 12, 10), terrain=[block("wall", 10, "13.5", 14, 14)])
    t = flee(t, False, (3,))
    assert t.fighters[0].at == at(12, 13)
    assert t.fighters[0].fate == "ready"


@pytest.mark.house("flee_off_table", "off", "on")
@pytest.mark.clause("BS-Q21", "BS-S14")
def test_the_edge_of_the_table_stops_a_flight_unless_the_house_lets_it_lead_off() -> None:
    for value, place, fate in (("off", at(12, "23.5"), "ready"), ("on", None, "away")):
        t = scene(runner(12, 20), put(1, 1, 12, 17), rules={"flee_off_table": value})
        fighter = flee(t, True).fighters[0]
        assert (fighter.at, fighter.fate) == (place, fate)
    # At the edge she runs off the table, and nobody hits her.
    t = scene(runner(12, "23.5"), put(1, 1, 12, "22.5"), rules={"flee_off_table": "on"})
    assert flee(t, True).fighters[0].fate == "away"


@pytest.mark.clause("BS-Q21")
def test_a_friend_stops_a_flight() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 10), put(0, 1, 12, 15)), True)
    assert t.fighters[0].at == at(12, 14)


@pytest.mark.clause("BS-S13")
def test_by_house_rule_flights_are_slow_in_difficult_ground_too() -> None:
    wood = block("wood", 10, 13, 14, 20, "rough")
    t = scene(runner(), put(1, 1, 12, 10), terrain=[wood], rules={"difficult_ground": "on"})
    assert flee(t, False, (5,)).fighters[0].at == at(12, 15)


@pytest.mark.clause("BS-W21", "BS-MOV-08", "BS-Q45", "BS-Q22")
@pytest.mark.parametrize(("die", "fate"), [(1, "ready"), (2, "ready"), (4, "wounded"), (6, "dead")])
def test_example_21_an_enemy_she_runs_into_hits_her_and_she_stops_there(die: int, fate: str) -> None:
    t = scene(runner(), put(1, 1, 12, 10), put(1, 1, 12, 15))
    t = flee(t, True, (die,))
    fighter = t.fighters[0]
    assert fighter.fate == fate
    assert fighter.at == (at(12, 14) if fate == "ready" else None)
    assert fighter.stunned == (die == 1)
    assert [f.kills for f in t.fighters] == [0, 0, int(die == 6)]


@pytest.mark.house("fatality", "on_death")
@pytest.mark.clause("BS-W21", "BS-Q22", "BS-Q23")
def test_example_21_where_every_death_has_its_fatality_it_is_rolled() -> None:
    t = scene(runner(), put(1, 1, 12, 10), put(1, 1, 12, 15), rules={"fatality": "on_death"})
    assert flee(t, True, (6,), (4,)).fighters[0].fate == "dead"


@pytest.mark.clause("BS-W33", "BS-MOV-08", "BS-Q24")
def test_example_33_an_enemy_with_a_trophy_stops_her_and_does_not_hit() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 10), put(1, 1, 12, 15, trophy=1)), True)
    assert t.fighters[0].at == at(12, 14)


@pytest.mark.clause("BS-MOV-08", "BS-Q19")
def test_a_helpless_enemy_hits_a_fighter_who_runs_into_her() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 10), put(1, 1, 12, 15, stunned=True)), True, (1,))
    assert t.fighters[0].stunned


@pytest.mark.clause("BS-MOV-08")
def test_who_ends_her_whole_flight_at_an_enemys_base_has_run_into_her() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 10), put(1, 1, 12, 15)), False, (2,), (1,))
    assert t.fighters[0].at == at(12, 14)
    assert t.fighters[0].stunned


@pytest.mark.clause("BS-MOV-08")
def test_an_enemy_who_is_passed_closely_does_not_hit() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 10), put(1, 1, 13, 15)), True)
    assert t.fighters[0].at == at(12, 20)


@pytest.mark.clause("BS-MOV-08", "BS-MOV-09")
def test_an_enemy_right_behind_her_is_run_into_and_she_alone_hits() -> None:
    t = flee(scene(runner(), put(1, 1, 12, 11), put(1, 1, 12, 13)), True, (1,), enemy=1)
    assert t.fighters[0].stunned
    assert t.fighters[0].at == at(12, 12)


# --- fighters who cannot begin to flee
# --------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-W20", "BS-MOV-09", "BS-Q31", "BS-Q44")
def test_example_20_a_fighter_who_cannot_begin_her_flight_is_hit_by_all_who_touch_her() -> None:
    t = scene(
        runner(12, "12.5"),
        put(1, 1, 12, "11.5"),
        put(1, 1, 13, "12.5"),
        put(1, 1, 12, 8),
        terrain=[block("wall", 9, 13, 15, 14)],
    )
    for dice in (((1,), (4,)), ((4,), (1,))):
        assert flee(t, True, *dice).fighters[0].fate == "wounded"


@pytest.mark.clause("BS-MOV-09", "BS-Q21", "BS-Q31")
def test_all_who_touch_her_hit_a_fighter_kept_from_beginning_by_a_wall_and_an_enemy() -> None:
    t = scene(
        runner(12, "12.5"),
        put(1, 1, 12, "11.5"),
        put(1, 1, "12.99", "12.68"),
        terrain=[block("wall", 9, 13, 15, 14)],
    )
    for dice in (((1,), (4,)), ((4,), (1,))):
        assert flee(t, True, *dice).fighters[0].fate == "wounded"


@pytest.mark.clause("BS-MOV-09", "BS-Q21")
@pytest.mark.parametrize(("way", "hit"), [(0, True), (12, True), (13, False)])
def test_less_than_a_twentieth_of_an_inch_is_no_beginning(way: int, hit: bool) -> None:
    x, y = at(12, 12)
    t = scene(runner(), put(1, 1, 12, 11), terrain=[block("wall", 9, 13, 15, 14)])
    t.change(0, at=(x, y - way + inches("0.5")))
    t.change(1, at=(x, y - way - inches("0.5")))
    result = flee(t, True, *([(1,)] if hit else []))
    assert result.fighters[0].stunned == hit
    assert result.fighters[0].at == (x, y - (way if hit else 0) + inches("0.5"))


@pytest.mark.clause("BS-MOV-09", "BS-Q21")
def test_the_edge_and_friends_pin_her_too() -> None:
    t = flee(scene(runner(12, "23.5"), put(1, 1, 12, "22.5")), True, (1,))
    assert t.fighters[0].stunned
    t = flee(scene(runner(), put(1, 1, 12, 11), put(0, 1, 12, 13)), False, (6,), (1,))
    assert t.fighters[0].stunned


@pytest.mark.clause("BS-W33", "BS-MOV-09", "BS-Q24")
def test_example_33_an_enemy_with_a_trophy_does_not_hit_the_fighter_she_pins() -> None:
    t = scene(runner(12, "12.5"), put(1, 1, 12, "11.5", trophy=1), terrain=[block("wall", 9, 13, 15, 14)])
    assert not flee(t, True).fighters[0].stunned


# --- automated models -------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-W28", "BS-AMV-07")
def test_example_28_an_automated_one_runs_a_die_of_inches_and_chance_picks_among_equals() -> None:
    t = scene(runner(side=1), put(0, 1, 12, 15), put(0, 1, 15, 12))
    assert automated(t, (1,), (3,)).fighters[0].at == at(12, 9)
    assert automated(t, (2,), (3,)).fighters[0].at == at(9, 12)
    t.change(2, at=at(16, 12))
    assert automated(t, (3,)).fighters[0].at == at(12, 9)


@pytest.mark.clause("BS-AMV-08", "BS-AMV-09", "BS-AMV-10")
def test_enemies_and_obstacles_do_to_automated_ones_what_they_do_to_others() -> None:
    t = automated(scene(runner(side=1), put(0, 1, 12, 10), put(0, 1, 12, 15)), (6,), (6,))
    assert (t.fighters[0].fate, t.fighters[2].kills) == ("dead", 1)
    wall = [block("wall", 9, 13, 15, 14)]
    t = automated(scene(runner(12, "12.5", side=1), put(0, 1, 12, "11.5"), terrain=wall), (6,), (4,))
    assert t.fighters[0].fate == "wounded"
    t = automated(scene(runner(12, "11.5", side=1), put(0, 1, 12, 10), terrain=wall), (6,))
    assert t.fighters[0].at == at(12, "12.5")


@pytest.mark.clause("BS-MOV-10", "BS-S11")
@pytest.mark.parametrize("name", ["the east wall", "east wall"])
def test_what_stopped_her_has_one_article(name: str) -> None:
    t = scene(put(0, 1, 12, 12))
    assert Stopped(0, "terrain", None, name).sentence(t).endswith(" is stopped by the east wall")
