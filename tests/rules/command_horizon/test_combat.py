"""The combat step: drones, reactions, attacks in order, simultaneity, and the damage allocation after it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from caltrop.engine import Refused
from caltrop.rules.command_horizon.close_combat import NameEnemies
from caltrop.rules.command_horizon.combat import (
    CombatStep,
    DamageAllocation,
    EndReactions,
    LeaveDisabled,
    React,
    Reactions,
    Reactivate,
    ReactivateDrone,
    why_no_reactivation,
)
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.rules.command_horizon.scene import done, put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import settled
from caltrop.rules.command_horizon.turn import Turn
from caltrop.rules.command_horizon.volley import Combine

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def ordered(t: Battle, *orders: Order) -> Battle:
    """Return the battle after these orders."""
    for order in orders:
        t.orders.append(settled(t, order))
    return t


def finish(match: Any) -> Battle:
    """Play to the end with the first option of every question; return the battle."""
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    return done(match)


def applied(match: Any) -> Battle:
    """Return the battle after damage allocation."""
    return finish(run(finish(match), DamageAllocation(side=0)))


def strength(t: Battle, unit: int) -> tuple[int, int]:
    """Return the number of models and of markers."""
    return len(t.units[unit].models), t.units[unit].stuns


@pytest.mark.clause("W51", "CH-TURN-14", "CH-RF-02", "CH-RF-11", "CH-RF-13", "CH-ASORI-01", "Q-SEQ-2", "Q-SEQ-4")
def test_attack_and_reaction_fire_are_simultaneous() -> None:
    t = ordered(
        scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 28), along="x")), Order(unit=0, target=1)
    )
    match = run(t, CombatStep(side=0), (6, 6, 4, 2, 1), (6, 5), (6, 3), (1, 4))
    assert isinstance(match.waiting[0], Reactions)
    assert match.waiting[0].side == 1
    match.play(1, React(1, 0))
    match.play(0, Combine(0))
    after = applied(match)
    assert (strength(after, 0), strength(after, 1)) == ((4, 1), (3, 0))


@pytest.mark.clause("CH-TURN-13", "Q-SEQ-2", "W66", "Q-RF-4")
def test_losses_wait_for_the_end_of_the_step() -> None:
    t = ordered(
        scene(
            put(0, "medium-tank", (20, 10), models=1),
            put(0, "medium-tank", (30, 10), models=1),
            put(1, "light-tank", (24, 20), models=1),
        ),
        Order(unit=0, target=2),
        Order(unit=1, target=2),
    )
    match = run(t, CombatStep(side=0), (6, 1), (6,), (1,), (1, 1), (6, 1), (6,), (1,), (1, 1))
    match.play(1, React(2, 0))
    match.play(1, React(2, 1))
    held = done(match)
    assert [strength(held, u) for u in range(3)] == [(1, 0)] * 3
    after = applied(match)
    assert [strength(after, u) for u in range(3)] == [(0, 0)] * 3


@pytest.mark.house("combat.simultaneity", "step", "attack")
@pytest.mark.clause("Q-SEQ-2")
def test_house_rule_each_attack_is_applied_before_the_next() -> None:
    def t(rule: str) -> Battle:
        return ordered(
            scene(
                put(0, "medium-tank", (20, 10), models=1),
                put(0, "medium-tank", (30, 10), models=1),
                put(1, "light-tank", (24, 20), models=1),
                rules={"combat.simultaneity": rule},
            ),
            Order(unit=0, target=2),
            Order(unit=1, target=2),
        )

    match = run(t("attack"), CombatStep(side=0), (6, 1), (1,))
    match.play(1, EndReactions())
    after = done(match)
    assert strength(after, 2) == (0, 0)
    again = t("attack")
    again.add_model(replace(again.models[2], unit=2, x=2800))
    again.change(2, models=(2, 3))
    match = run(again, CombatStep(side=0), (6, 1), (1,), (6, 1), (1,))
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    assert strength(done(match), 2) == (0, 0), "the second attack counts what the first has left"
    match = run(t("step"), CombatStep(side=0), (6, 1), (1,), (6, 1), (1,))
    while match.waiting:
        match.play(1, EndReactions())
    after = done(match)
    assert strength(after, 2) == (1, 0), "nothing is applied before the end of the step"
    assert sum(w.kills for w in after.wounds) == 2


@pytest.mark.clause("Q-SEQ-2", "CH-TURN-12")
@pytest.mark.parametrize(("rule", "left"), [("step", (2, 2)), ("attack", (1, 1))])
def test_house_rule_each_close_combat_is_applied_before_the_next(rule: str, left: tuple[int, int]) -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(0, "infantry", (80, 20)),
        put(1, "infantry", (80, 22), locked=(2,)),
        rules={"combat.simultaneity": rule},
    )
    named = run(t, NameEnemies(side=0))
    while named.waiting:
        named.play(named.waiting[0].side, named.waiting[0].options(named.state).first())
    fight = ((6, 1), (1, 1, 1, 1), (1, 1))
    match = run(done(named), CombatStep(side=0), *fight, *fight)
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    after = done(match)
    assert tuple(len(after.units[u].models) for u in (1, 3)) == left


@pytest.mark.house("rf.who", "target", "any")
@pytest.mark.clause("Q-RF-2", "Q-RF-3", "W47", "CH-RF-01")
def test_which_attack_a_unit_may_answer() -> None:
    def t(**rules: str) -> Battle:
        return ordered(
            scene(
                put(0, "light-tank", (20, 10), models=1),
                put(0, "light-tank", (30, 10), models=1),
                put(0, "light-tank", (40, 10), models=1),
                put(1, "medium-tank", (26, 20), models=1),
                put(1, "medium-tank", (44, 20), models=1),
                rules=rules,
            ),
            Order(unit=0, target=3),
            Order(unit=1, target=3),
            Order(unit=2, target=4),
        )

    match = run(t(), CombatStep(side=0))
    assert React(3, 0) in match.waiting[0].options(match.state)
    with pytest.raises(Refused) as refused:
        match.play(1, React(3, 2))
    assert refused.value.refusal.clause == "CH-RF-01"
    with pytest.raises(Refused) as refused:
        match.play(1, React(3, 99))
    assert refused.value.refusal.code == "no-such-attack"
    match.play(1, React(3, 0))
    with pytest.raises(Refused) as refused:
        match.play(1, React(3, 0))
    assert refused.value.refusal.clause == "CH-RF-01"
    assert React(3, 1) in match.waiting[0].options(match.state)
    once = run(t(**{"rf.limit": "once"}), CombatStep(side=0))
    once.play(1, React(3, 0))
    with pytest.raises(Refused) as refused:
        once.play(1, React(3, 1))
    assert refused.value.refusal.clause == "Q-RF-3"
    anybody = run(t(**{"rf.who": "any"}), CombatStep(side=0))
    assert React(3, 2) in anybody.waiting[0].options(anybody.state)
    assert React(4, 0) in anybody.waiting[0].options(anybody.state)


@pytest.mark.clause("CH-RF-06", "CH-COST-15", "CH-CP-12", "W07", "W89")
def test_a_boosted_reaction_is_paid_from_saved_points_at_once() -> None:
    t = ordered(
        scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20)), cp=(0, 1)), Order(unit=0, target=1)
    )
    match = run(t, CombatStep(side=0), (1, 1, 1, 1, 1), (1, 1, 1))
    offers = [o for o in match.waiting[0].offers(match.state) if isinstance(o.action, React)]
    assert [len(o.price) for o in offers] == [0, 1]
    match.play(1, React(1, 0, 1))
    after = done(match)
    assert after.armies[1].cp == 0
    assert after.units[1].reacted == 1


@pytest.mark.clause("CH-RF-08", "CH-TURN-10", "Q-ART-1", "Q-ART-2", "W26")
def test_in_v15_artillery_shoots_with_the_rest_and_may_be_answered() -> None:
    t = ordered(
        scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (20, 40)), edition="v1.5"),
        Order(unit=0, target=1, artillery=True, sighter=0),
    )
    match = run(t, CombatStep(side=0), (1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1))
    assert React(1, 0) in match.waiting[0].options(match.state)
    match.play(1, React(1, 0))
    done(match)


@pytest.mark.clause("W27", "CH-DRONE-01", "CH-DRONE-02", "CH-DRONE-03", "CH-DRONE-04", "Q-DRONE-1", "Q-DRONE-2",
                    "Q-DRONE-7", "CH-DEF-09")  # fmt: skip
@pytest.mark.parametrize(
    ("rolled", "defence", "drone"),
    [
        ((6, 6, 6, 5, 4), (6, 6, 3, 1), "disabled"),
        ((6, 6, 6, 5, 4), (6, 5, 4, 1), "destroyed"),
        ((6, 5, 4), (), "active"),
    ],
)
def test_an_active_drone(rolled: tuple[int, ...], defence: tuple[int, ...], drone: str) -> None:
    t = scene(put(0, "light-tank", (20, 10), models=len(rolled)), put(1, "command", (22, 25)))
    match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0), rolled, *((defence,) if defence else ()))
    match.play(1, EndReactions())
    if defence:
        match.play(0, Combine(1))
    held = done(match)
    assert held.units[1].drone == "active"
    after = applied(match)
    assert after.units[1].drone == drone
    assert strength(after, 1) == (1, 0)


@pytest.mark.clause("W52", "Q-DRONE-4")
@pytest.mark.parametrize(("edition", "left"), [("v1.5", 0), ("current", 1)])
def test_a_single_six_at_the_drone_by_edition(edition: str, left: int) -> None:
    t = scene(put(0, "light-tank", (20, 10), models=2), put(1, "command", (22, 25)), edition=edition)
    rolls = ((6, 4), (5, 4, 2)) if edition == "v1.5" else ((6, 4),)
    match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0), *rolls)
    match.play(1, EndReactions())
    assert strength(applied(match), 1)[0] == left


@pytest.mark.clause("W28", "Q-DRONE-8", "Q-STUN-9", "CH-STUN-09")
def test_a_command_tank_without_its_drone() -> None:
    def shot(stuns: int, rolled: tuple[int, ...], defence: tuple[int, ...]) -> Battle:
        t = scene(
            put(0, "light-tank", (20, 10), models=len(rolled)),
            put(1, "command", (22, 25), drone="disabled", stuns=stuns),
        )
        match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0), rolled, defence)
        match.play(1, EndReactions())
        return applied(match)

    assert strength(shot(0, (4, 4, 5), (3, 2, 4, 1)), 1) == (1, 1)
    assert strength(shot(1, (5, 4), (1, 2, 3)), 1) == (0, 0)


@pytest.mark.house("drone.price", 2, 1)
@pytest.mark.clause("W60", "CH-DRONE-06", "CH-DRONE-07", "CH-DRONE-08", "CH-COST-19", "Q-DRONE-5")
def test_reactivating_the_drone() -> None:
    def t(drone: str, cp: int, **rules: Any) -> Battle:
        return scene(
            put(0, "command", (20, 10), drone=drone), put(1, "light-tank", (20, 20)), cp=(cp, 0),
            army=("asori", "alliance"), rules=rules,
        )  # fmt: skip

    match = run(t("disabled", 2), CombatStep(side=0))
    assert isinstance(match.waiting[0], ReactivateDrone)
    match.play(0, Reactivate())
    after = done(match)
    assert (after.units[0].drone, after.armies[0].cp) == ("active", 0)
    left = run(t("disabled", 2), CombatStep(side=0))
    left.play(0, LeaveDisabled())
    assert done(left).units[0].drone == "disabled"
    assert not run(t("disabled", 1), CombatStep(side=0)).waiting
    assert not run(t("destroyed", 5), CombatStep(side=0)).waiting
    result = why_no_reactivation(t("destroyed", 5), 0)
    assert result is not None
    assert result.clause == "CH-DRONE-07"
    cheap = run(t("disabled", 1, **{"drone.price": 1}), CombatStep(side=0))
    cheap.play(0, Reactivate())
    assert done(cheap).armies[0].cp == 0


@pytest.mark.clause("W60", "Q-DRONE-2", "CH-DRONE-05")
def test_a_drone_that_is_back_ignores_the_reaction_fire_of_the_same_step() -> None:
    t = scene(
        put(0, "command", (20, 10), drone="disabled"), put(1, "light-tank", (20, 20), models=4),
        army=("asori", "alliance"),
    )  # fmt: skip
    match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0), (1, 1, 1, 1), (5, 5))
    match.play(0, Reactivate())
    match.play(1, React(1, 0))
    assert strength(applied(match), 0) == (1, 0)


@pytest.mark.house("drone.perAttack", "no", "yes")
@pytest.mark.clause("Q-DRONE-3")
@pytest.mark.parametrize(("per_attack", "models"), [("no", 1), ("yes", 0)])
def test_house_rule_a_drone_that_is_out_protects_no_longer(per_attack: str, models: int) -> None:
    t = scene(
        put(0, "light-tank", (20, 10), models=2), put(0, "light-tank", (30, 10), models=1), put(1, "command", (25, 25)),
        rules={"drone.perAttack": per_attack},
    )  # fmt: skip
    rolls = [(6, 6), (1, 1, 1, 1), (6,)] + ([(1, 1, 1)] if per_attack == "yes" else [])
    match = run(ordered(t, Order(unit=0, target=2), Order(unit=1, target=2)), CombatStep(side=0), *rolls)
    match.play(1, EndReactions())
    match.play(0, Combine(1))
    after = applied(match)
    assert after.units[2].drone == "destroyed"
    assert strength(after, 2)[0] == models


@pytest.mark.clause("W34", "CH-RUSH-04", "CH-RUSH-05", "CH-RUSH-06", "CH-RUSH-08", "CH-OVERKILL-06", "Q-RUSH-3")
def test_a_rush_at_light_tanks() -> None:
    t = scene(
        put(0, "infantry", (20, 10), charging=1, rushing=True, arrived=True), put(1, "light-tank", (20, "12.5")),
        army=("asori", "alliance"),
    )  # fmt: skip
    ordered(t, Order(unit=0, target=1, rush=True))
    match = run(t, CombatStep(side=0), (3, 4, 5, 6, 6), (6, 4, 4, 2, 1))
    after = applied(match)
    assert strength(after, 1) == (4, 1)
    assert after.units[0].locked == ()
    assert after.units[1].locked == ()


@pytest.mark.clause("Q-RUSH-3")
def test_a_rush_is_not_answered_again_in_the_combat_step() -> None:
    t = ordered(
        scene(
            put(0, "infantry", (20, 10), charging=1, rushing=True, arrived=True),
            put(1, "light-tank", (20, "12.5")),
            put(0, "light-tank", (20, 25)),
            army=("asori", "alliance"),
        ),
        Order(unit=0, target=1, rush=True),
        Order(unit=2, target=1),
    )
    match = run(t, CombatStep(side=0), (1,) * 5, (1,) * 4)
    with pytest.raises(Refused) as refused:
        match.play(1, React(1, 0))
    assert refused.value.refusal.clause == "Q-RUSH-3"
    match.play(1, EndReactions())
    done(match)


@pytest.mark.clause("W74", "CH-ASORI-01", "CH-ASORI-03", "Q-ASORI-1")
def test_the_first_stun_of_each_attack_is_ignored() -> None:
    t = ordered(
        scene(
            put(0, "light-tank", (20, 10), models=2),
            put(0, "light-tank", (30, 10), models=1),
            put(1, "light-tank", (25, 25), models=4),
        ),
        Order(unit=0, target=2),
        Order(unit=1, target=2),
    )
    match = run(t, CombatStep(side=0), (4, 5), (1,), (5,))
    match.play(1, EndReactions())
    assert strength(applied(match), 2) == (4, 1)


@pytest.mark.clause("Q-TARGET-1")
def test_range_is_checked_when_the_target_is_named_and_then_stands() -> None:
    from caltrop.rules.command_horizon.damage import lose_model
    from caltrop.rules.command_horizon.shooting import in_range

    t = scene(put(0, "light-tank", (20, 10), models=1), put(1, "light-tank", (20, 33), models=2, along="y"))
    ordered(t, Order(unit=0, target=1))
    lose_model(t, 1)
    assert not in_range(t, 0, 1)
    match = run(t, CombatStep(side=0), (6,), (1,))
    assert strength(applied(match), 1) == (0, 0)


@pytest.mark.clause("CH-TURN-12", "CH-CC-06", "Q-SEQ-4")
def test_close_combats_come_after_the_shots_of_the_same_step() -> None:
    from caltrop.rules.command_horizon.records import Naming

    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(0, "light-tank", (60, 20), models=1),
        put(1, "medium-tank", (60, 38), models=1),
    )
    t.namings.extend([Naming(0, 1), Naming(1, 0)])
    ordered(t, Order(unit=2, target=3))
    match = run(t, CombatStep(side=0), (1,), (5, 1), (3, 1, 1, 1), (1, 1))
    match.play(1, EndReactions())
    assert strength(applied(match), 1) == (1, 0)


@pytest.mark.clause("Q-RF-5", "CH-RF-01")
def test_reaction_fire_is_optional() -> None:
    t = ordered(scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20))), Order(unit=0, target=1))
    match = run(t, CombatStep(side=0), (1,) * 5)
    match.play(1, EndReactions())
    assert done(match).wounds == []


@pytest.mark.clause("Q-RF-7", "CH-RF-01")
def test_a_unit_that_moved_and_fired_in_its_own_turn_reacts_all_the_same() -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20), moved=3000, paid=5, may_fire=False))
    match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0))
    assert React(1, 0) in match.waiting[0].options(match.state)


@pytest.mark.house("drone.doubleSix", "overkill", "any")
@pytest.mark.clause("Q-DRONE-9")
@pytest.mark.parametrize(("rule", "drone"), [("overkill", "active"), ("any", "destroyed")])
def test_house_rule_any_two_sixes_work_on_a_drone(rule: str, drone: str) -> None:
    t = scene(put(0, "infantry", (20, 10)), put(1, "command", (20, 20)), rules={"drone.doubleSix": rule})
    rolls = ((6, 6), (6, 5, 5, 5)) if rule == "any" else ((6, 6),)
    match = run(ordered(t, Order(unit=0, target=1)), CombatStep(side=0), *rolls)
    match.play(1, EndReactions())
    assert applied(match).units[1].drone == drone


@pytest.mark.house("v15.droneWakes", "combat", "turn")
@pytest.mark.clause("CH-DRONE-08", "Q-DRONE-5")
@pytest.mark.parametrize(("wakes", "number"), [("combat", 5), ("turn", 2)])
def test_when_a_drone_comes_back(wakes: str, number: int) -> None:
    t = scene(
        put(0, "command", (20, 10), drone="disabled"), put(1, "light-tank", (60, 60)), cp=(9, 0),
        army=("asori", "alliance"), edition="v1.5", rules={"v15.droneWakes": wakes},
    )  # fmt: skip
    match = run(t, Turn(side=0))
    while match.waiting and not isinstance(match.waiting[0], ReactivateDrone):
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    assert match.state.step == number
    match.play(0, Reactivate())
    assert match.state.units[0].drone == "active"
