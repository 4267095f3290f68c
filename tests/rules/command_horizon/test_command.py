"""Step 1: command points generated and lost, the Radar Jammer, and Concentrate Command."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Refused, Term, total
from caltrop.rules.command_horizon.command import (
    ActivateJammer,
    CommandStep,
    Concentrate,
    ConcentrateOrNot,
    DoNotConcentrate,
    JammerOrNot,
    SpareJammer,
    generated,
    jammed_units,
    opening_reserve,
    points_of,
    who_qualifies,
    why_no_jamming,
)
from caltrop.rules.command_horizon.reaction import gives_up_reaction, why_no_reaction
from caltrop.rules.command_horizon.records import Battle, Effect, Objective
from caltrop.rules.command_horizon.scene import Put, done, put, scene
from caltrop.rules.command_horizon.scene import run as started

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def force(side: int = 0, **of_infantry: Any) -> list[Put]:
    """Return the Alliance force of the worked examples: eight units, far from one another."""
    kinds = ["command", "light-tank", "light-tank", "medium-tank", "medium-tank", "heavy-tank", "artillery"]
    units = [put(side, kind, (5, 5 + 8 * i)) for i, kind in enumerate(kinds)]
    return [*units, put(side, "infantry", (5, 62), squads=3, **of_infantry)]


def after_step_1(t: Battle, answer: Any = None, *dice: tuple[int, ...]) -> Battle:
    """Return the battle after step 1 without concentrated command."""
    match = run(t, CommandStep(side=t.active), *dice)
    while match.waiting:
        decision = match.waiting[0]
        concentrates = isinstance(decision, ConcentrateOrNot)
        match.play(decision.side, (answer or DoNotConcentrate()) if concentrates else SpareJammer())
    return done(match)


# --- generating ------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    *("CH-CP-01", "CH-CP-02", "CH-CP-06", "CH-CP-07", "CH-CP-08", "CH-CP-09", "CH-ALL-01", "CH-ALL-08", "W08")
)
def test_every_vehicle_unit_generates_1_the_command_2_infantry_nothing() -> None:
    t = scene(*force(), cp=(0, 0))
    assert [total(points_of(t, u)) for u in range(8)] == [2, 1, 1, 1, 1, 1, 1, 0]
    assert total(generated(t, 0)) == 9
    after = after_step_1(t)
    assert (after.armies[0].cp, after.armies[0].generated, after.armies[1].cp) == (9, 9, 0)


@pytest.mark.house("v15.artilleryCp", 1, 0)
@pytest.mark.clause("CH-CP-03", "CH-CP-04", "CH-CP-05", "Q-CP-1", "W08", "W68")
@pytest.mark.parametrize(("edition", "value", "points"), [("v1.5", 1, 9), ("v1.5", 0, 8), ("current", 0, 9)])
def test_earlier_artillery_generates_by_the_house_rule(edition: str, value: int, points: int) -> None:
    t = scene(*force(), edition=edition, rules={"v15.artilleryCp": value})
    assert total(generated(t, 0)) == points


@pytest.mark.clause("CH-CP-03", "CH-CP-04", "CH-CP-05", "W68")
def test_one_unit_of_each_class_generates_3_in_the_earlier_edition() -> None:
    kinds = ("light-tank", "medium-tank", "heavy-tank")
    units = [put(0, k, (5, 5 + 10 * i)) for i, k in enumerate(kinds)]
    t = scene(*units, edition="v1.5", army=("asori", "alliance"))
    assert [(p.value, p.clause) for p in generated(t, 0)] == [(1, "CH-CP-03"), (1, "CH-CP-04"), (1, "CH-CP-05")]


@pytest.mark.clause("CH-CP-06", "CH-ASORI-09", "CH-CP-02", "W12")
def test_an_asori_command_generates_3_whatever_its_drone() -> None:
    kinds = ("command", "light-tank", "light-tank", "medium-tank", "medium-tank", "heavy-tank")
    units = [put(0, k, (5, 5 + 9 * i)) for i, k in enumerate(kinds)]
    t = scene(*units, put(0, "infantry", (5, 70), squads=4), army=("asori", "alliance"))
    t.change(0, drone="disabled")
    assert total(generated(t, 0)) == 8


@pytest.mark.clause("Q-CP-2", "CH-CP-02", "Q-CP-6", "CH-ALL-01")
def test_a_last_stunned_model_still_generates_and_tactical_minds_needs_nobody() -> None:
    t = scene(put(0, "heavy-tank", (5, 5), models=1, stuns=1), put(0, "light-tank", (5, 20)))
    assert total(generated(t, 0)) == 3
    t.change(0, models=())
    t.change(1, models=())
    assert generated(t, 0) == (Term(1, "CH-ALL-01", "Tactical Minds"),)


@pytest.mark.house("glands.lostWithModel", "yes", "no")
@pytest.mark.clause("CH-PUT-01", "CH-PUT-02", "CH-PUT-03", "CH-PUT-04", "Q-PUT-1", "W35")
def test_node_glands_generate_and_go_with_their_model() -> None:
    glands = [(1,), (1,), (1,), (2,), ()]
    units = [put(0, "medium-tank", (5, 5 + 9 * i), glands=g) for i, g in enumerate(glands)]
    t = scene(*units, army=("putredine", "alliance"))
    assert total(generated(t, 0)) == 5
    lose(t, 0)
    assert total(generated(t, 0)) == 4
    stored = scene(*units, army=("putredine", "alliance"), rules={"glands.lostWithModel": "no"})
    lose(stored, 0)
    assert total(generated(stored, 0)) == 5
    stored.change(1, left=True, deployed=False)
    assert total(generated(stored, 0)) == 5, "nor does it fall by what breaks through and leaves the table"


def lose(t: Battle, unit: int) -> None:
    """Remove the first model of a unit."""
    first, *rest = t.units[unit].models
    t.change_model(first, alive=False)
    t.change(unit, models=tuple(rest))


@pytest.mark.clause("CH-CP-11", "CH-CP-13", "CH-CP-14", "Q-CP-4", "Q-CP-5", "W07")
def test_what_was_saved_lives_through_the_enemy_turn_and_is_lost_then() -> None:
    t = scene(*force(), cp=(9, 0))
    t.pay(0, (Term(6, "CH-CP-10", "all sorts of things"),))
    assert t.armies[0].cp == 3, "kept without being announced"
    t.active = 1
    after = after_step_1(t)
    assert after.armies[0].cp == 3, "the enemy's step 1 leaves it alone"
    after.pay(0, (Term(1, "CH-COST-15", "boosted reaction fire"),))
    after.active = 0
    assert after_step_1(after).armies[0].cp == 9


@pytest.mark.house("cp.openingReserve", "none", "full")
@pytest.mark.clause("Q-CP-7", "CH-CP-11")
@pytest.mark.parametrize(("value", "points"), [("none", 0), ("full", 8)])
def test_the_second_player_has_a_reserve_by_the_house_rule(value: str, points: int) -> None:
    assert opening_reserve(scene(*force(), rules={"cp.openingReserve": value}), 0) == points


@pytest.mark.clause("Q-OBJ-4", "CH-OBJ-05")
def test_secured_objectives_supply_and_interfere() -> None:
    depot = Objective(name="Depot", x=0, y=0, r=200, benefit=Effect("supplies", 2), secured=0)
    relay = Objective(name="Relay", x=0, y=0, r=200, owner=0, sabotage=Effect("interference", 20), secured=1)
    t = scene(*force(), objectives=[depot])
    assert total(generated(t, 0)) == 11
    assert total(generated(t, 1)) == 0
    t.objectives.append(relay)
    assert total(generated(t, 0)) == 0, "never below none"


@pytest.mark.clause("Q-OBJ-4")
@pytest.mark.parametrize("turned", [False, True])
def test_what_interferes_takes_of_what_is_supplied_whichever_is_listed_first(turned: bool) -> None:
    depot = Objective(name="Depot", x=0, y=0, r=200, benefit=Effect("supplies", 2), secured=1)
    relay = Objective(name="Relay", x=0, y=0, r=200, owner=1, sabotage=Effect("interference", 1), secured=0)
    objectives = [relay, depot] if turned else [depot, relay]
    t = scene(put(0, "command", (50, 50)), put(1, "infantry", (80, 80)), objectives=objectives)
    assert total(generated(t, 1)) == 1


# --- the Radar Jammer ------------------------------------------------------------------------------------------------


def jamming(turns: int = 1, rules: dict[str, Any] | None = None) -> Battle:
    """Place Asori at 14, 15.0 and 15.1 cm and far away from an Alliance command tank, edge to edge."""
    return scene(
        put(0, "command", (50, 50), models=1),
        put(1, "command", (50, 68)),
        put(1, "medium-tank", ("68.5", 50), along="y"),
        put(1, "light-tank", ("31.4", 50), along="-x"),
        put(1, "medium-tank", (100, 100)),
        active=1,
        round=turns,
        cp=(0, 0),
        rules=rules,
    )


@pytest.mark.clause("CH-JAM-01", "CH-JAM-02", "Q-JAM-1", "Q-JAM-2", "W06")
def test_units_within_15_cm_of_the_command_generate_nothing() -> None:
    t = jamming()
    assert jammed_units(t, 1) == (1, 2)
    assert total(generated(t, 1)) == 6
    match = run(t, CommandStep(side=1))
    assert match.waiting[0].side == 0, "the Alliance player chooses, before anything is generated"
    match.play(0, ActivateJammer())
    match.play(1, DoNotConcentrate())
    assert done(match).armies[1].cp == 2


@pytest.mark.clause("CH-JAM-02", "CH-JAM-03", "Q-JAM-3", "W06")
def test_the_jammer_rests_for_one_enemy_turn() -> None:
    match = run(jamming(turns=1), CommandStep(side=1))
    match.play(0, ActivateJammer())
    match.play(1, DoNotConcentrate())
    t = done(match)
    assert t.armies[0].jammed_on == 1
    t.change_army(1, turns=2)
    refusal = why_no_jamming(t, 0)
    assert refusal is not None
    assert refusal.clause == "CH-JAM-03"
    second = run(t, CommandStep(side=1))
    assert isinstance(second.waiting[0], ConcentrateOrNot), "nobody is asked"
    second.play(1, DoNotConcentrate())
    third = done(second)
    assert third.armies[1].cp == 6
    third.change_army(1, turns=3)
    assert why_no_jamming(third, 0) is None


@pytest.mark.clause("CH-JAM-02", "Q-JAM-2", "CH-CONC-04", "W69")
def test_a_stunned_or_concentrating_command_may_jam_or_wait() -> None:
    t = jamming()
    t.change(0, stuns=1, concentrating=True)
    match = run(t, CommandStep(side=1))
    match.play(0, SpareJammer())
    assert match.state.armies[0].jammed_on == -2
    assert match.state.armies[1].cp == 6


@pytest.mark.clause("CH-JAM-01", "Q-JAM-2")
def test_without_a_command_or_anybody_near_nobody_is_asked() -> None:
    t = jamming()
    t.change(0, models=())
    refusal = why_no_jamming(t, 0)
    assert refusal is not None
    assert refusal.clause == "CH-JAM-01"
    assert isinstance(run(t, CommandStep(side=1)).waiting[0], ConcentrateOrNot)
    asori = why_no_jamming(jamming(), 1)
    assert asori is not None
    assert asori.clause == "CH-JAM-01"
    far = scene(put(0, "command", (50, 50)), put(1, "command", (100, 100)), active=1)
    assert isinstance(run(far, CommandStep(side=1)).waiting[0], ConcentrateOrNot)


@pytest.mark.house("jammer.blocksConcentrate", "no", "yes")
@pytest.mark.clause("Q-JAM-4", "Q-CP-6")
@pytest.mark.parametrize(("value", "gain"), [("no", 4), ("yes", 2)])
def test_concentrate_command_is_jammed_only_by_the_house_rule(value: str, gain: int) -> None:
    t = jamming(rules={"jammer.blocksConcentrate": value})
    match = run(t, CommandStep(side=1))
    match.play(0, ActivateJammer())
    match.play(1, Concentrate())
    assert done(match).armies[1].cp == 2 + gain
    mirror = scene(put(0, "light-tank", (50, 50)), put(1, "command", (50, 60)), army=("alliance", "alliance"))
    assert total(generated(mirror, 0, jammed_units(mirror, 0))) == 1, "Tactical Minds is never jammed"


# --- Concentrate Command ---------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-CONC-01", "CH-CONC-05", "CH-TURN-04", "Q-CONC-1", "Q-CONC-3", "W11")
def test_every_unit_counts_the_command_and_infantry_too() -> None:
    after = after_step_1(scene(*force(), cp=(0, 0)), Concentrate())
    assert after.armies[0].cp == 17
    assert after.units[0].concentrating


@pytest.mark.clause("CH-CONC-07", "CH-CONC-08", "W11")
def test_units_with_markers_or_tokens_do_not_count() -> None:
    t = scene(*force(stuns=1), cp=(0, 0))
    t.change_model(t.units[1].models[0], worms=1)
    assert who_qualifies(t, 0, 0, ()) == (0, 2, 3, 4, 5, 6)
    assert after_step_1(t, Concentrate()).armies[0].cp == 15


@pytest.mark.house("concentrate.countSelf", "edition", "yes", "no")
@pytest.mark.clause("CH-CONC-06", "Q-CONC-1", "W11")
@pytest.mark.parametrize(
    ("edition", "value", "gain"),
    [
        ("current", "edition", 8),
        ("v1.5", "edition", 7),
        ("v1.5", "yes", 8),
        ("current", "yes", 8),
        ("current", "no", 7),
        ("v1.5", "no", 7),
    ],
)
def test_whether_the_command_counts_itself(edition: str, value: str, gain: int) -> None:
    t = scene(*force(), edition=edition, rules={"concentrate.countSelf": value})
    assert len(who_qualifies(t, 0, 0, ())) == gain


@pytest.mark.clause("Q-CONC-4")
def test_a_stunned_command_concentrates_without_counting_itself() -> None:
    t = scene(*force(), cp=(0, 0))
    t.change(0, stuns=2)
    assert after_step_1(t, Concentrate()).armies[0].cp == 9 + 7


@pytest.mark.clause("CH-CONC-01", "CH-CONC-02", "CH-CONC-03", "CH-CONC-04", "Q-CONC-2")
def test_it_is_a_choice_and_lasts_until_the_next_own_turn() -> None:
    t = scene(*force(), cp=(0, 0))
    assert not after_step_1(t).units[0].concentrating
    after = after_step_1(t, Concentrate())
    after.active = 1
    after = after_step_1(after)
    assert after.units[0].concentrating, "it is given up in the enemy turn too"
    after.active = 0
    assert not after_step_1(after).units[0].concentrating


@pytest.mark.clause("CH-CONC-09", "W69")
def test_a_force_without_a_command_cannot_concentrate() -> None:
    t = scene(put(0, "light-tank", (5, 5), glands=(1,)), army=("putredine", "alliance"))
    assert not run(t, CommandStep(side=0)).waiting
    refusal = ConcentrateOrNot(side=0).options(t).refusal(Concentrate())
    assert refusal is not None
    assert refusal.clause == "CH-CONC-09"
    assert refusal.nearest == DoNotConcentrate()


def test_an_answer_of_another_kind_is_refused() -> None:
    match = run(scene(*force()), CommandStep(side=0))
    with pytest.raises(Refused):
        match.play(0, ActivateJammer())
    for decision in match.waiting:
        assert decision.prompt(match.state)
        assert [o.action for o in decision.offers(match.state)] == list(decision.options(match.state))


@pytest.mark.house("concentrate.reaction", "next-turn", "this-turn")
@pytest.mark.clause("CH-CONC-04", "Q-CONC-2")
@pytest.mark.parametrize(("value", "active", "given_up"), [
    ("next-turn", 0, True), ("next-turn", 1, True), ("this-turn", 0, True), ("this-turn", 1, False),
])  # fmt: skip
def test_how_long_reaction_fire_is_given_up(value: str, active: int, given_up: bool) -> None:
    t = scene(*force(), rules={"concentrate.reaction": value})
    t.active = active
    assert not gives_up_reaction(t, 0)
    t.change(0, concentrating=True)
    assert gives_up_reaction(t, 0) is given_up
    refusal = why_no_reaction(t, 0, len(t.units) - 1)
    assert (refusal is not None and refusal.code == "concentrates") is given_up


@pytest.mark.clause("CH-JAM-01", "Q-JAM-2", "Q-JAM-4")
@pytest.mark.house("jammer.blocksConcentrate", "no", "yes")
@pytest.mark.parametrize("value", ["no", "yes"])
@pytest.mark.parametrize(
    ("race", "near", "earns"),
    [
        ("asori", "infantry", 0),
        ("asori", "light-tank", 1),
        ("asori", "command", 3),
        ("putredine", "infantry", 0),
        ("putredine", "light-tank", 0),
        ("alliance", "command", 2),
    ],
)
@pytest.mark.parametrize("led", [False, True])
def test_the_jammer_is_offered_where_it_takes_something(
    race: str, near: str, earns: int, led: bool, value: str
) -> None:
    led = led and race != "putredine"
    t = scene(
        put(0, "command", (50, 50), models=1),
        put(1, near, (50, 60), models=1),
        put(1, "command" if led else "medium-tank", (100, 100), models=1),
        army=("alliance", race),
        active=1,
        cp=(0, 0),
        rules={"jammer.blocksConcentrate": value},
    )
    match = run(t, CommandStep(side=1))
    # With the house rule, a jammed unit generates nothing for concentrated command either.
    taken = earns + (1 if value == "yes" and (led or near == "command") else 0)
    asked = match.waiting[0] if match.waiting else None
    assert isinstance(asked, JammerOrNot) is (taken > 0)
    assert not isinstance(asked, JammerOrNot) or f"would take {taken} CP from" in asked.prompt(t)
