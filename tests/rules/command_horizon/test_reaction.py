"""Reaction fire: the units that may answer, the number of their dice, and fire at charges."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Refusal
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.close_combat import Name, why_no_blow
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.reaction import (
    ReactionShot,
    may_react,
    reaction_of,
    why_no_boosted_reaction,
    why_no_reaction,
)
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.rules.command_horizon.scene import done, put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import attack_of, why_no_boost
from caltrop.rules.command_horizon.volley import Combine

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def clause(refusal: Refusal | None) -> str:
    """Return the clause that a refusal names."""
    assert refusal is not None
    return refusal.clause


def test_a_reaction_shot_records_wounds_and_applies_none() -> None:
    t = scene(put(0, "light-tank", (10, 10)), put(1, "light-tank", (10, 20)))
    t = done(run(t, ReactionShot(shooter=0, target=1), (6, 4, 5), (1, 1)))
    assert len(t.units[1].models) == 4
    assert [(w.unit, w.kills, w.stuns) for w in t.wounds] == [(1, 1, 1)]
    assert t.units[0].reacted == 1
    assert not t.units[0].charge_fire


@pytest.mark.clause("CH-CHARGE-07", "Q-CHARGE-3", "CH-RUSH-06")
def test_fire_at_a_charger_is_remembered_and_applied_as_a_batch_of_its_own() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 30)), active=1)
    assert not may_react(t, 0, 1)
    assert may_react(t, 0, 1, against_charge=True)
    t = done(run(t, ReactionShot(shooter=0, target=1, against_charge=True), (6,), (3,)))
    assert t.units[0].charge_fire
    match = run(t, DamageBatch())
    match.play(1, match.waiting[0].options(match.state).first())
    assert len(done(match).units[1].models) == 1


@pytest.mark.clause("Q-CHARGE-2")
def test_house_rule_the_charger_must_start_in_range() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 30)), active=1, rules={"charge.rfRange": "yes"})
    assert clause(why_no_reaction(t, 0, 1, against_charge=True)) == "Q-CHARGE-2"
    near = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 22)), active=1, rules={"charge.rfRange": "yes"})
    assert may_react(near, 0, 1, against_charge=True)


@pytest.mark.clause("CH-RF-01", "Q-RF-6", "W46")
@pytest.mark.parametrize(("gap", "expected"), [(35, False), (20, True)])
def test_the_attacker_must_be_in_range_of_the_one_that_reacts(gap: int, expected: bool) -> None:
    t = scene(put(0, "heavy-tank", (10, 10), along="-y"), put(1, "light-tank", (10, 13 + gap), along="y"))
    result = why_no_reaction(t, 1, 0)
    assert (result is None) is expected
    assert result is None or result.code == "out-of-range"


@pytest.mark.clause("CH-CC-07", "Q-RF-6")
def test_nobody_reacts_into_close_combat() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 12), locked=(0,)), put(1, "light-tank", (14, 16)))
    assert clause(why_no_reaction(t, 2, 0)) == "CH-CC-07"


@pytest.mark.clause("Q-RF-6")
def test_the_attacker_must_be_in_sight() -> None:
    from caltrop.rules.command_horizon.scene import square

    hill = square("the hill", "hill", 0, 14, 60, 16)
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20)), terrain=(hill,))
    assert clause(why_no_reaction(t, 1, 0)) == "Q-RF-6"


@pytest.mark.clause("CH-RF-02", "CH-RF-03", "CH-RF-04", "CH-RF-06", "CH-STUN-05", "W05")
@pytest.mark.parametrize(("stuns", "dice"), [(0, 3), (2, 1), (4, 1), (7, 1)])
def test_markers_take_reaction_dice_after_halving_and_never_the_last(stuns: int, dice: int) -> None:
    t = scene(put(0, "light-tank", (10, 10), stuns=stuns), put(1, "light-tank", (10, 20)))
    assert attack_dice(t, reaction_of(t, 0, 1)).total == dice
    if stuns:
        assert clause(why_no_boosted_reaction(t, 0, 1, 1)) == "CH-STUN-05"
    else:
        assert attack_dice(t, reaction_of(t, 0, 1, 1)).total == 5


@pytest.mark.clause("CH-RF-07", "CH-ART-07")
def test_artillery_never_reacts() -> None:
    t = scene(put(0, "artillery", (10, 10)), put(1, "heavy-tank", (10, 40)))
    assert clause(why_no_reaction(t, 0, 1)) == "CH-RF-07"


@pytest.mark.clause("CH-RF-08", "CH-ART-08", "Q-ART-2", "W76")
@pytest.mark.parametrize(("edition", "expected"), [("current", False), ("v1.5", True)])
def test_reaction_fire_at_artillery(edition: str, expected: bool) -> None:
    t = scene(put(0, "artillery", (10, 10)), put(1, "heavy-tank", (10, 40)), edition=edition)
    assert may_react(t, 1, 0) is expected


@pytest.mark.clause("CH-RF-09", "CH-CONC-04")
def test_a_command_unit_that_concentrated_does_not_react() -> None:
    t = scene(put(0, "command", (10, 10), concentrating=True), put(1, "heavy-tank", (10, 30)))
    assert clause(why_no_reaction(t, 0, 1)) == "CH-RF-09"


@pytest.mark.clause("CH-RF-10", "CH-CC-10", "W71")
def test_a_locked_unit_does_not_react() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 12), locked=(0,)), put(1, "light-tank", (14, 16)))
    assert clause(why_no_reaction(t, 0, 2)) == "CH-RF-10"


@pytest.mark.clause("CH-PUTINF-04", "W80")
def test_putredine_infantry_sluggers_and_carriers_do_not_react() -> None:
    for kind, says in (("infantry", "CH-PUTINF-04"), ("slugger", "CH-SLUG-01"), ("carrier", "CH-CARRIER-01")):
        t = scene(put(0, "light-tank", (10, 10)), put(1, kind, (10, 18)), army=("alliance", "putredine"))
        assert clause(why_no_reaction(t, 1, 0)) == says


@pytest.mark.clause("CH-WORM-06")
def test_disabled_models_do_not_react() -> None:
    t = scene(put(0, "light-tank", models=2, worms=(1, 0)), put(1, "light-tank", (10, 20)))
    assert attack_dice(t, reaction_of(t, 0, 1)).total == 1
    t = scene(put(0, "light-tank", models=1, worms=(1,)), put(1, "light-tank", (10, 20)))
    assert clause(why_no_reaction(t, 0, 1)) == "CH-WORM-06"


@pytest.mark.clause("CH-OW-06")
def test_units_on_overwatch_do_not_react() -> None:
    t = scene(put(0, "light-tank", (10, 10), overwatch=2), put(1, "light-tank", (10, 20)), rules={"overwatch": "on"})
    assert clause(why_no_reaction(t, 0, 1)) == "CH-OW-06"


@pytest.mark.clause("CH-COST-15", "CH-COST-20", "CH-RF-06", "Q-RF-1", "W89")
def test_reaction_fire_is_free_and_its_boost_costs_saved_command_points() -> None:
    def t(cp: int) -> Battle:
        return scene(put(0, "light-tank", (10, 10)), put(1, "light-tank", (10, 20)), cp=(cp, 5), active=1)

    assert may_react(t(0), 0, 1)
    assert clause(why_no_boosted_reaction(t(0), 0, 1, 1)) == "CH-COST-15"
    assert why_no_boosted_reaction(t(1), 0, 1, 1) is None


@pytest.mark.clause("CH-COST-15", "Q-DICE-3")
def test_one_boost_unless_the_house_rule_stacks_them() -> None:
    units = (put(0, "light-tank", (10, 10)), put(1, "light-tank", (10, 20)))
    assert clause(why_no_boosted_reaction(scene(*units), 0, 1, 2)) == "CH-COST-15"
    stacked = scene(*units, rules={"boost.stack": "yes"})
    assert why_no_boosted_reaction(stacked, 0, 1, 2) is None
    assert attack_dice(stacked, reaction_of(stacked, 0, 1, 2)).total == 6


@pytest.mark.clause("CH-CHARGE-06", "CH-RUSH-07", "Q-RUSH-4")
def test_charged_infantry_cannot_boost_and_rushed_tanks_can() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(0, "light-tank", (30, 10)), put(1, "infantry", (20, 20)), active=1)
    assert clause(why_no_boosted_reaction(t, 0, 2, 1, against_charge=True)) == "CH-CHARGE-06"
    assert why_no_boosted_reaction(t, 1, 2, 1, against_charge=True) is None
    strict = scene(put(0, "light-tank", (30, 10)), put(1, "infantry", (20, 20)), rules={"rush.rfBoost": "no"})
    assert clause(why_no_boosted_reaction(strict, 0, 1, 1, against_charge=True)) == "Q-RUSH-4"


@pytest.mark.house("rf.limit", "per-attack", "once")
@pytest.mark.clause("Q-RF-3")
def test_house_rule_one_reaction_in_an_enemy_turn() -> None:
    units = (put(0, "light-tank", (10, 10), reacted=1), put(1, "light-tank", (10, 20)))
    assert may_react(scene(*units), 0, 1)
    assert clause(why_no_reaction(scene(*units, rules={"rf.limit": "once"}), 0, 1)) == "Q-RF-3"


@pytest.mark.clause("CH-RF-05", "CH-OVERKILL-01", "Q-OK-3", "W90", "CH-DRONE-03", "CH-DRONE-05", "CH-DRONE-07")
def test_an_overkill_in_reaction_fire_destroys_the_drone() -> None:
    t = scene(put(0, "heavy-tank", (10, 10)), put(1, "command", (10, 30)), active=1)
    match = run(t, ReactionShot(shooter=0, target=1), (6, 6, 1, 2, 3), (6, 5, 5, 5))
    match.play(0, Combine(1))
    t = done(run(done(match), DamageBatch()))
    assert t.units[1].drone == "destroyed"
    assert (len(t.units[1].models), t.units[1].stuns) == (1, 0)


@pytest.mark.clause("CH-COST-15", "CH-COST-16", "Q-DICE-3", "Q-DICE-5")
@pytest.mark.parametrize("stack", ["no", "yes"])
def test_nobody_gains_points_by_less_than_no_boost(stack: str) -> None:
    rules = {"boost.stack": stack, "boost.closeCombat": "yes"}
    t = scene(put(0, "medium-tank", (10, 10)), put(1, "medium-tank", (10, 30)), cp=(4, 4), rules=rules)
    assert clause(why_no_boosted_reaction(t, 1, 0, -1)) == "CH-COST-16"
    order = Order(unit=0, target=1, boost=-1)
    assert clause(why_no_boost(t, 0, attack_of(t, order))) == "CH-COST-16"
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 12)), cp=(4, 4), rules=rules)
    t.change(0, locked=(1,))
    t.change(1, locked=(0,))
    assert clause(why_no_blow(t, 0, Name(1, -1))) == "CH-COST-16"
