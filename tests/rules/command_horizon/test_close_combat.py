"""Close combat: which units fight, rounds, second rounds."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Refused
from caltrop.rules.command_horizon.attack import attack_dice, defence_dice
from caltrop.rules.command_horizon.close_combat import (
    FightOn,
    FightToTheDeath,
    LetBe,
    Name,
    NameEnemies,
    blow_of,
    combats,
    foes,
    why_no_blow,
)
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import Put, done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def strength(t: Battle, unit: int) -> tuple[int, int]:
    """Return the number of models and of markers."""
    return len(t.units[unit].models), t.units[unit].stuns


def named(t: Battle) -> Battle:
    """Return the battle after every unit has named its first enemy."""
    match = run(t, NameEnemies(side=t.active))
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    return done(match)


def round_one(t: Battle, *dice: tuple[int, ...]) -> Any:
    """Return the match in damage allocation. Casualties are the first models, and a second round may be offered."""
    match = run(done(run(named(t), CombatStep(side=t.active), *dice)), DamageAllocation(side=t.active))
    while match.waiting and not isinstance(match.waiting[0], FightToTheDeath):
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    return match


def charge(*more: Put, **fields: Any) -> Battle:
    """Return a battle in which an Alliance Squad has charged an Asori Squad."""
    return scene(
        put(0, "infantry", (20, 20), charging=1, arrived=True, moved=900),
        put(1, "infantry", (20, 22), locked=(0,)),
        *more,
        **fields,
    )


W31 = ((5, 6, 2), (4, 3, 6, 1), (6, 4, 1), (4, 2))


@pytest.mark.clause("W31", "CH-CC-01", "CH-CC-02", "CH-CC-12", "CH-CC-13", "CH-CHARGE-11", "CH-ASORI-18", "Q-CC-1")
def test_a_round_of_close_combat() -> None:
    match = round_one(charge(), *W31)
    t = match.state
    assert (strength(t, 0), strength(t, 1)) == ((1, 0), (1, 0))
    assert t.units[0].locked == (1,)


@pytest.mark.clause("W32", "CH-FTTD-01", "CH-FTTD-02", "CH-FTTD-03", "CH-FTTD-04", "CH-COST-13", "CH-RUSH-03", "W88")
def test_fight_to_the_death() -> None:
    match = round_one(charge(cp=(1, 0)), *W31)
    assert match.waiting[0].side == 0
    match.dice.rolls.extend([(5,), (3, 2), (3, 4)])
    match.play(0, FightOn())
    t = done(match)
    assert (strength(t, 0), strength(t, 1)) == ((1, 0), (0, 0))
    assert t.armies[0].cp == 0
    assert t.units[0].locked == ()


@pytest.mark.clause("CH-FTTD-01", "CH-FTTD-05", "CH-COST-21", "W88")
def test_only_a_charger_with_a_cp_is_asked_and_only_once() -> None:
    assert not round_one(charge(cp=(0, 9)), *W31).waiting
    match = round_one(charge(cp=(5, 0)), *W31)
    match.play(0, LetBe())
    assert done(match).armies[0].cp == 5
    match = round_one(charge(cp=(5, 0)), *W31)
    match.dice.rolls.extend([(1,), (1, 1)])
    match.play(0, FightOn())
    assert not match.waiting
    assert done(match).armies[0].cp == 4


@pytest.mark.house("fttd.when", "first-turn", "any-turn")
@pytest.mark.clause("CH-FTTD-04", "Q-FTTD-1", "Q-FTTD-2")
@pytest.mark.parametrize(("when", "offered"), [("first-turn", False), ("any-turn", True)])
def test_second_rounds_in_later_turns(when: str, offered: bool) -> None:
    t = scene(
        put(0, "infantry", (20, 20)), put(1, "infantry", (20, 22), locked=(0,)), rules={"fttd.when": when}, cp=(3, 3)
    )
    match = round_one(t, (1, 1), (1, 1, 1, 1))
    assert bool(match.waiting) is offered


@pytest.mark.clause("W33", "CH-RUSH-01", "CH-RUSH-02", "CH-ALL-23", "CH-CHARGE-11", "CH-ASORI-01", "Q-RUSH-1")
def test_an_asori_charge_is_a_rush() -> None:
    t = scene(
        put(0, "infantry", (20, 20), charging=1, arrived=True),
        put(1, "infantry", (16, 22), squads=3, locked=(0,)),
        army=("asori", "alliance"),
    )
    match = round_one(t, (3, 3, 4, 1, 6), (5, 6, 1, 2, 3, 4, 4), (3, 2, 5, 6), (6, 5, 1))
    assert (strength(match.state, 0), strength(match.state, 1)) == ((2, 0), (5, 0))


@pytest.mark.clause("W41", "CH-PUTINF-13", "CH-PUTINF-14", "CH-PUTINF-16", "CH-PUTINF-17", "CH-PUTINF-18", "CH-CC-14",
                    "Q-PUTINF-1")  # fmt: skip
@pytest.mark.parametrize(("enemy", "defence", "lost"), [("asori", (6,), 1), ("asori", (5,), 2), ("alliance", None, 2)])
def test_putredine_bites(enemy: str, defence: tuple[int, ...] | None, lost: int) -> None:
    squads, bases = (4, 8) if enemy == "asori" else (1, 2)
    t = scene(
        put(0, "infantry", (10, 20), charging=1, arrived=True),
        put(1, "infantry", (10, 22), squads=squads, locked=(0,)),
        army=("putredine", enemy),
    )
    answer = (1,) * (16 if enemy == "asori" else 2)
    match = round_one(t, (6, 6, 1, 2, 5, 3), answer, *((defence,) if defence else ()))
    assert strength(match.state, 1)[0] == bases - lost


@pytest.mark.clause("W73", "CH-CC-03", "CH-CC-04", "CH-CC-06", "Q-CC-4", "CH-TURN-12")
def test_each_unit_names_one_of_its_enemies() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(1, "infantry", (20, 18), locked=(0,)),
    )
    match = run(t, NameEnemies(side=0))
    with pytest.raises(Refused) as refused:
        match.play(0, Name(0))
    assert (refused.value.refusal.clause, refused.value.refusal.code) == ("CH-CC-04", "not-locked-with")
    match.play(0, Name(1))
    t = done(match)
    assert [(n.unit, n.enemy) for n in t.namings] == [(0, 1), (1, 0), (2, 0)]
    match = run(t, CombatStep(side=0), (6, 6), (1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1))
    held = done(match)
    assert [w.unit for w in held.wounds] == [1]


@pytest.mark.clause("Q-CC-8", "Q-FTTD-2", "CH-CC-03")
def test_units_linked_by_locks_form_one_combat() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(0, "infantry", (20, 24), locked=(1,)),
        put(0, "infantry", (80, 20)),
        put(1, "infantry", (80, 22), locked=(3,)),
    )
    assert combats(t) == ((0, 2, 1), (3, 4))


@pytest.mark.house("cc.everyTurn", "yes", "no")
@pytest.mark.clause("Q-CC-3", "CH-CC-06")
def test_house_rule_only_the_chargers_turns() -> None:
    def t(rule: str, active: int) -> Battle:
        return scene(
            put(0, "infantry", (20, 20), charged=(1,)),
            put(1, "infantry", (20, 22), locked=(0,)),
            rules={"cc.everyTurn": rule},
            active=active,
        )

    assert foes(t("yes", 1), 0) == (1,)
    assert foes(t("no", 0), 0) == (1,)
    assert foes(t("no", 1), 0) == ()
    charged = named(charge(rules={"cc.everyTurn": "no"}))
    assert charged.units[0].charged == (1,)
    assert len(charged.namings) == 2


@pytest.mark.clause("CH-CHARGE-11", "CH-FTTD-03")
def test_the_charge_die_is_for_the_first_round() -> None:
    t = charge()
    assert attack_dice(t, blow_of(t, 0, 1)).total == 3
    assert attack_dice(t, blow_of(t, 0, 1, number=2)).total == 2
    assert attack_dice(t, blow_of(t, 1, 0)).total == 4


@pytest.mark.clause("CH-CC-05", "CH-TERRAIN-10", "W92")
def test_cover_does_not_help_in_close_combat() -> None:
    t = charge(terrain=(square("the wood", "woods", 0, 0, 60, 60),))
    dice = defence_dice(t, blow_of(t, 1, 0), 2)
    assert sum(p.value for p in dice) == 2


@pytest.mark.house("cc.stuns", "none", "table")
@pytest.mark.clause("Q-CC-2")
@pytest.mark.parametrize(("rule", "stuns"), [("none", 0), ("table", 1)])
def test_house_rule_stuns_in_close_combat(rule: str, stuns: int) -> None:
    t = scene(
        put(0, "infantry", (20, 20)), put(1, "infantry", (20, 22), locked=(0,)), rules={"cc.stuns": rule},
        army=("asori", "alliance"),
    )  # fmt: skip
    rolls: list[tuple[int, ...]] = [(1, 1, 1, 1), (4, 4)]
    rolls += [(1, 1)] if rule == "table" else []
    match = round_one(t, *rolls)
    # The Asori ignore the first of two stuns.
    assert strength(match.state, 0) == (2, stuns)


@pytest.mark.house("boost.closeCombat", "no", "yes")
@pytest.mark.clause("Q-DICE-5", "CH-COST-16")
def test_house_rule_boosted_close_combat() -> None:
    def t(rule: str, **fields: Any) -> Battle:
        return scene(
            put(0, "infantry", (20, 20), **fields), put(1, "infantry", (20, 22), locked=(0,)),
            rules={"boost.closeCombat": rule}, cp=(2, 2),
        )  # fmt: skip

    assert not run(t("no"), NameEnemies(side=0)).waiting
    assert not run(t("yes", stuns=1), NameEnemies(side=0)).waiting
    assert not run(t("yes", moved=500), NameEnemies(side=0)).waiting
    broke = t("yes")
    broke.change_army(0, cp=0)
    result = why_no_blow(broke, 0, Name(1, boost=1))
    assert result is not None
    assert result.code == "no-cp"
    match = run(t("yes"), NameEnemies(side=0))
    assert match.waiting[0].side == 0
    match.play(0, Name(1, boost=1))
    after = done(match)
    assert after.armies[0].cp == 1
    assert attack_dice(after, blow_of(after, 0, 1, after.namings[0].boost)).total == 3


@pytest.mark.clause("Q-FTTD-3", "CH-CC-04")
def test_enemies_are_named_anew_for_the_second_round() -> None:
    t = scene(
        put(0, "infantry", (20, 20), charging=1, arrived=True),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(1, "infantry", (20, 18), locked=(0,)),
        cp=(1, 0),
    )
    match = round_one(t, (1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1))
    match.dice.rolls.extend([(6, 1), (1, 1, 1, 1), (1, 1, 1, 1), (1, 1)])
    match.play(0, FightOn())
    match.play(0, Name(2))
    match.play(1, match.waiting[0].options(match.state).first())
    assert [strength(done(match), u)[0] for u in (0, 1, 2)] == [2, 2, 1]


@pytest.mark.clause("Q-CC-5")
def test_bases_out_of_contact_fight_too() -> None:
    t = scene(put(0, "infantry", (20, 20), (26, 20), (32, 20)), put(1, "infantry", (20, 22), locked=(0,)))
    assert attack_dice(t, blow_of(t, 0, 1)).total == 3


@pytest.mark.clause("CH-FTTD-04", "Q-FTTD-2")
def test_each_combat_may_be_fought_once_more() -> None:
    t = charge(
        put(0, "infantry", (80, 20), charging=3, arrived=True, moved=900),
        put(1, "infantry", (80, 22), locked=(2,)),
        cp=(2, 0),
    )
    miss = ((1, 1, 1), (1, 1, 1, 1))
    match = round_one(t, *miss, *miss)
    match.dice.rolls.extend([(1, 1), (1, 1, 1, 1)] * 2)
    asked = []
    while match.waiting:
        asked.append(match.waiting[0].combat)
        match.play(0, FightOn())
    assert asked == [(0, 1), (2, 3)]
    assert done(match).armies[0].cp == 0


@pytest.mark.house("fttd.losses", "before", "after")
@pytest.mark.clause("Q-FTTD-3", "CH-FTTD-02")
def test_when_the_losses_of_a_first_round_are_removed() -> None:
    match = round_one(charge(cp=(1, 0), rules={"fttd.losses": "after"}), *W31)
    assert (strength(match.state, 0), strength(match.state, 1)) == ((2, 0), (2, 0)), "all fight again"
    match.dice.rolls.extend([(1, 1), (1, 1, 1, 1)])
    match.play(0, FightOn())
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    assert (strength(done(match), 0), strength(done(match), 1)) == ((1, 0), (1, 0))
    before = round_one(charge(cp=(1, 0), rules={"fttd.losses": "before"}), *W31)
    assert (strength(before.state, 0), strength(before.state, 1)) == ((1, 0), (1, 0))
