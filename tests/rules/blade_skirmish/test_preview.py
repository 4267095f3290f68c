"""Forecasts of acts for the page and computer players: the chances are the rules' own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from caltrop import odds
from caltrop.chance import Dice
from caltrop.engine import Match, ruleset
from caltrop.engine.forecast import Forecast
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.charge import Charge, Charging, StayInContact
from caltrop.rules.blade_skirmish.combat import AttackAll, AttackEnemy, Combat, HoldBack
from caltrop.rules.blade_skirmish.flight import FleeFrom, Flight
from caltrop.rules.blade_skirmish.injury import Attack
from caltrop.rules.blade_skirmish.preview import attack as forecast
from caltrop.rules.blade_skirmish.preview import preview, whole
from caltrop.rules.blade_skirmish.records import Guts, Skirmish
from caltrop.rules.blade_skirmish.running import FailTest, FlightTest, TakeTest
from caltrop.rules.blade_skirmish.scene import block, done, put, run, scene
from tests.falls import every_fall


def told(match: Match, action: Any) -> Forecast:
    """Return the forecast of an answer by South."""
    result = preview(match.view(0), 0, action)
    assert result is not None
    return result


def chances(forecast: Forecast) -> dict[str, str]:
    """Return outcomes in words with their chances as fractions."""
    return {one.words: one.probability for one in forecast.outcomes}


def between() -> Skirmish:
    """Return a skirmish in which two fighters have one enemy between them and touch nobody else."""
    return scene(put(0, 2, 11, 12), put(0, 1, 13, 12), put(1, 2, 12, 12))


@pytest.mark.clause("BS-CMB-04", "BS-CMB-05", "BS-CMB-07", "BS-W06")
def test_an_attack_tells_what_may_become_of_its_target() -> None:
    result = told(run(between(), Combat(side=0)), AttackEnemy(0, 2))
    assert result.target == 2
    assert chances(result) == {
        "not hit": "5/18",
        "stunned": "13/108",
        "fleeing": "13/54",
        "wounded": "13/54",
        "dead": "13/108",
    }
    assert result.headline == "72 % to hit, 36 % to take her off the table, flanking with Warband 1"
    assert [(one.words, [(term.value, term.clause) for term in one.parts]) for one in result.thrown] == [
        ("Warband 0 adds 4 to her die", [(2, "BS-QUA-02"), (2, "BS-CMB-05")]),
        ("Automata 2 adds 2 to hers", [(2, "BS-QUA-02")]),
    ]
    (back,) = result.answers
    assert (back.target, back.about) == (0, "Automata 2 may strike back in the same combat")
    assert back.outcomes[0].probability == "7/12", "she flanks nobody"


@pytest.mark.clause("BS-CMB-02", "BS-Q24")
@pytest.mark.parametrize("busy", [{"stunned": True}, {"fleeing": True}, {"trophy": 3}])
def test_who_attacks_nobody_does_not_strike_back(busy: dict[str, Any]) -> None:
    t = between()
    t.change(2, **busy)
    assert told(run(t, Combat(side=0)), AttackEnemy(1, 2)).answers == ()


def both_played(*dice: tuple[int], **rules: Any) -> Match:
    """Return the combat of two players, in which North's only fighter has attacked South's second."""
    fighters = put(0, 2, 12, 12), put(1, 2, 13, 12), put(0, 2, 14, 12)
    match = run(scene(*fighters, active=1, field={"automated": ()}, rules=rules), Combat(side=1), *dice)
    match.play(1, AttackEnemy(1, 2))
    return match


@pytest.mark.clause("BS-CMB-01", "BS-CMB-03", "BS-Q31")
@pytest.mark.parametrize(("who", "answers"), [(0, False), (2, True)])
def test_an_enemy_who_has_named_another_attack_does_not_strike_back(who: int, answers: bool) -> None:
    assert bool(told(both_played(), AttackEnemy(who, 1)).answers) is answers


@pytest.mark.clause("BS-CMB-01", "BS-Q31")
@pytest.mark.house("combat_order", "sequential")
def test_an_enemy_who_has_struck_does_not_strike_back() -> None:
    match = both_played((1,), (6,), combat_order="sequential")
    assert told(match, AttackEnemy(2, 1)).answers == ()


@pytest.mark.clause("BS-Q46", "BS-CMB-01")
@pytest.mark.house("hold_back", "on")
def test_an_enemy_who_holds_back_does_not_strike_back() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 2, 13, 12), active=1, field={"automated": ()}, rules={"hold_back": "on"})
    match = run(t, Combat(side=1))
    match.play(1, HoldBack(1))
    assert told(match, AttackEnemy(0, 1)).answers == ()


@pytest.mark.clause("BS-FAT-03", "BS-Q25")
@pytest.mark.parametrize(("x", "slippery"), [("13.99", True), ("14.01", False)])
def test_a_charge_onto_a_slippery_floor_says_that_she_is_stunned(x: Any, slippery: bool) -> None:
    """The charger ends in contact, about 2 inches from the disembowelled."""
    t = scene(put(0, 2, 11, 8), put(1, 1, 11, 12), put(1, 1, "8.5", 6), guts=[Guts(at=(inches(x), inches(11)))])
    assert bool(told(run(t, Charging(fighter=0)), Charge(1)).note) is slippery


def test_an_attack_has_a_request_that_tells_the_same() -> None:
    result = told(run(between(), Combat(side=0)), AttackEnemy(0, 2))
    assert result.request is not None
    assert [one["probability"] for one in odds(result.request)["outcomes"]] == [o.probability for o in result.outcomes]


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "clash")
def test_in_a_clash_ties_hurt_and_no_request_holds_it() -> None:
    t = scene(put(0, 2, 11, 12), put(0, 1, 13, 12), put(1, 2, 12, 12), rules={"challenge_tie": "clash"})
    result = told(run(t, Combat(side=0)), AttackEnemy(0, 2))
    assert chances(result)["not hit"] == "1/6", "6 of 36 lose, and 4 tie"
    assert result.request is None


@pytest.mark.clause("BS-CHG-03", "BS-GEO-02", "BS-CMB-05")
def test_a_charge_tells_of_the_combat_from_where_it_ends() -> None:
    t = scene(put(0, 2, 9, 12), put(0, 1, 13, 12), put(1, 1, 12, 12), put(1, 1, 9, 15))
    match = run(t, Charging(fighter=0))
    flanking = told(match, Charge(2))
    assert "flanking with Warband 1" in flanking.headline
    assert flanking.about == "The next combat, with everyone in place: what may happen to Automata 2"
    assert [(one.target, one.about.split(" may")[0]) for one in flanking.answers] == [(0, "Automata 2")]
    assert "flanking" not in told(match, Charge(3)).headline
    assert match.view(0).fighters[0].at == t.fighters[0].at, "nobody has gone anywhere"


@pytest.mark.clause("BS-Q07")
def test_staying_in_contact_is_a_charge_too() -> None:
    t = scene(put(0, 2, 11, 12), put(1, 1, 12, 12), put(1, 1, 9, 15))
    assert told(run(t, Charging(fighter=0)), StayInContact()).target == 1


@pytest.mark.clause("BS-MOV-08", "BS-MOV-10")
def test_a_flight_tells_where_it_ends_and_who_hits_her() -> None:
    t = scene(put(0, 1, 12, 12, fleeing=True), put(1, 1, 12, 13), put(1, 1, 12, "7.5"))
    match = run(t, Flight(fighter=0))
    far, die = told(match, FleeFrom(1, True)), told(match, FleeFrom(1, False))
    assert chances(far) == {
        "runs 3.5 inches up to Automata 2, and is hit: stunned": "1/6",
        "runs 3.5 inches up to Automata 2, and is hit: fleeing": "1/3",
        "runs 3.5 inches up to Automata 2, and is hit: wounded": "1/3",
        "runs 3.5 inches up to Automata 2, and is hit: dead": "1/6",
    }
    assert far.headline == "Automata 2 may hit her on the way: 50 % to be taken off the table"
    assert chances(die)["runs 3 inches"] == "1/6"
    assert die.headline == "Automata 2 may hit her on the way: 25 % to be taken off the table"
    free = told(run(scene(put(0, 1, 12, 12, fleeing=True), put(1, 1, 12, 13)), Flight(fighter=0)), FleeFrom(1, True))
    assert chances(free) == {"runs 8 inches": "1/1"}
    assert free.headline == "Nobody hits her"


@pytest.mark.clause("BS-MOV-09", "BS-Q44")
def test_who_cannot_begin_to_run_is_hit_by_all_who_touch_her() -> None:
    wall = block("wall", "10.5", 10, "13.5", "11.5")
    t = scene(put(0, 1, 12, 12, fleeing=True), put(1, 1, 12, 13), put(1, 1, 13, 12), terrain=[wall])
    result = told(run(t, Flight(fighter=0)), FleeFrom(1, True))
    assert chances(result) == {
        "cannot begin to run, and is hit: stunned": "1/36",
        "cannot begin to run, and is hit: fleeing": "2/9",
        "cannot begin to run, and is hit: wounded": "4/9",
        "cannot begin to run, and is hit: dead": "11/36",
    }
    assert result.headline == "Automata 1 and Automata 2 may hit her on the way: 75 % to be taken off the table"


@pytest.mark.clause("BS-MOV-08", "BS-Q44")
def test_who_runs_into_two_enemies_is_not_hit_again_once_she_is_off_the_table() -> None:
    t = scene(put(0, 1, 12, 12, fleeing=True), put(1, 1, 12, 13), put(1, 1, "11.4", 9), put(1, 1, "12.6", 9))
    result = told(run(t, Flight(fighter=0)), FleeFrom(1, True))
    assert {words.rpartition(" ")[2]: chance for words, chance in chances(result).items()} == {
        "stunned": "1/36",
        "fleeing": "2/9",
        "wounded": "1/2",
        "dead": "1/4",
    }

    def fate(dice: Dice) -> str:
        match = Match(ruleset("blade-skirmish"), run(t, Flight(fighter=0)).state, dice)
        match.play(0, FleeFrom(1, True))
        assert isinstance(match.state, Skirmish)
        return match.state.fighters[0].fate

    assert every_fall(fate, 100)["dead"] == Fraction(1, 4)


@pytest.mark.clause("BS-Q21")
@pytest.mark.house("flee_off_table", "on")
def test_a_flight_off_the_table_is_told() -> None:
    t = scene(put(0, 1, 12, 1, fleeing=True), put(1, 1, 12, 2), rules={"flee_off_table": "on"})
    assert chances(told(run(t, Flight(fighter=0)), FleeFrom(1, True))) == {"leaves the table, and is safe": "1/1"}


@pytest.mark.clause("BS-RUN-05", "BS-QUA-04")
def test_a_test_tells_its_chance() -> None:
    match = run(scene(put(0, 2, 12, 12, fleeing=True), put(1, 1, 12, 15)), FlightTest(fighter=0))
    assert chances(told(match, TakeTest())) == {"she stops fleeing": "1/3", "she flees on": "2/3"}
    assert preview(match.view(0), 0, FailTest()) is None, "nothing is left to chance"


def test_the_attacks_of_all_tell_each() -> None:
    result = told(run(between(), Combat(side=0)), AttackAll())
    assert [(one.by, one.target) for one in (result, *result.also)] == [(0, 2), (1, 2)]


def test_what_is_refused_has_no_preview() -> None:
    match = run(between(), Combat(side=0))
    assert preview(match.view(0), 0, AttackEnemy(2, 0)) is None
    assert preview(match.view(1), 1, AttackEnemy(0, 2)) is None, "that side is not asked"


@pytest.mark.house("challenge_tie", "hold", "clash")
@pytest.mark.clause("BS-Q10", "BS-CMB-05")
@pytest.mark.parametrize("tie", ["hold", "clash"])
@pytest.mark.parametrize(("mine", "hers"), [(2, 2), (3, 1)])
def test_a_forecast_tells_what_every_throw_of_an_attack_does_to_both(tie: str, mine: int, hers: int) -> None:
    start = scene(put(0, mine, 12, 12), put(1, hers, 13, 12), rules={"challenge_tie": tie, "fatality": "off"})
    result = forecast(start, 0, 1)
    played: dict[tuple[int, str], Fraction] = {}
    for one, two in product(range(1, 7), repeat=2):
        a, d = one + mine, two + hers
        hurt = 2 * (a == d and tie == "clash") or int(a > d)
        for injuries in product(range(1, 7), repeat=hurt):
            match = run(start, Attack(attacker=0, target=1), (one,), (two,), *[(die,) for die in injuries])
            weight = Fraction(1, 36 * 6**hurt)
            for blow in done(match).blows:
                key = (blow.victim, blow.injury)
                played[key] = played.get(key, Fraction(0)) + weight
    words = {(1, one.parts["injury"]): Fraction(one.probability) for one in result.outcomes if one.parts["injury"]}
    for also in result.also:
        words |= {(0, one.parts["injury"]): Fraction(one.probability) for one in also.outcomes if one.parts["injury"]}
    assert words == played
    if (tie, mine, hers) == ("clash", 2, 2):
        assert sum(p for (victim, _), p in played.items() if victim == 0) == Fraction(1, 6)


@pytest.mark.clause("BS-CMB-05", "BS-CHG-03", "BS-Q31")
@pytest.mark.parametrize(("y", "fit"), [(12, Fraction(10, 36) * Fraction(15, 36)), (1, Fraction(26, 36))])
def test_a_whole_charge_is_foretold_with_the_comrade_who_flanks(y: int, fit: Fraction) -> None:
    """The comrade in contact attacks as well, and both flank; without her the charger attacks alone."""
    t = scene(put(0, 2, 11, y), put(0, 1, 15, 12), put(1, 2, 12, 12), put(1, 1, 18, 12))
    (result,) = whole(run(t, Charging(fighter=1)).view(0), 0, Charge(2))
    (enemy,) = [one for one in (result, *result.also) if one.target == 2]
    assert Fraction(chances(enemy)["fit"]) == fit
