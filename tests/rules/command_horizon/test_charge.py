"""Charges and Rushes: declaration, reaction fire before contact, arrival, and locks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Choices, Wish, every, offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused, total
from caltrop.geometry import overlapping
from caltrop.rules.command_horizon.charge import (
    Charge,
    ChargeArrived,
    ChargeCutShort,
    ChargeReaction,
    JoinCharge,
    LetThemCome,
    NoMoreChargers,
    ReactToCharge,
    price_of_charge,
)
from caltrop.rules.command_horizon.contact import Contact, MakeContact, assault
from caltrop.rules.command_horizon.damage import Lose, lose_model
from caltrop.rules.command_horizon.movement import EndStep, Move, MovementStep, OrderOptions, Orders
from caltrop.rules.command_horizon.overwatch import FireFromOverwatch, FireOrWait
from caltrop.rules.command_horizon.places import in_contact
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.rulebook import ruleset
from caltrop.rules.command_horizon.scene import Length, put, run, scene, square
from caltrop.table.measured import coherent

ASORI = ("asori", "alliance")
PUTREDINE = ("putredine", "alliance")


def now(match: Match) -> Battle:
    state = match.state
    assert isinstance(state, Battle)
    return state


def start(t: Battle, *dice: Sequence[int]) -> Match:
    return run(t, MovementStep(side=t.active), *dice)


def code(t: Battle, action: Any) -> str:
    """Return the code of the refusal, empty if the action is legal. Assert that the nearest action is legal."""
    options = OrderOptions(t, 0)
    refusal = options.refusal(action)
    if refusal is None:
        return ""
    assert options.refusal(refusal.nearest) is None
    return refusal.code


def charge_home(match: Match) -> None:
    """Hold all fire, and move every charger on the shortest path."""
    while match.waiting and not isinstance(match.waiting[0], Orders):
        decision = match.waiting[0]
        if isinstance(decision, ChargeReaction):
            match.play(decision.side, LetThemCome())
        elif isinstance(decision, JoinCharge):
            match.play(decision.side, NoMoreChargers())
        else:
            match.play(decision.side, decision.options(now(match)).first())


def facing(gap: Length, army: tuple[str, str] = ("alliance", "asori"), **fields: Any) -> Battle:
    """Return infantry of both sides at a distance between their bases."""
    models = 2 if army[0] == "putredine" else None
    y = f"{22 + float(gap):.2f}"
    return scene(put(0, "infantry", (20, 20), models=models, **fields), put(1, "infantry", (20, y)), army=army)


# --- reach and price --------------------------------------------------------------------------------------------------


@pytest.mark.clause("W57", "CH-CHARGE-03", "CH-CHARGE-13", "Q-CHARGE-1")
def test_alliance_infantry_charges_over_15_cm() -> None:
    assert code(facing(15), Charge(0, 1, 1500)) == ""
    assert code(facing("15.1"), Charge(0, 1, 1500)) == "out-of-reach"
    assert code(facing(15), Charge(0, 1, 2500)) == "no-such-reach"
    t = facing(15)
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    charge_home(match)
    assert now(match).armies[0].cp == 10
    assert in_contact(now(match), 0, 1)


@pytest.mark.clause("W57", "Q-CHARGE-1")
def test_asori_infantry_charges_over_25_cm_for_a_cp() -> None:
    t = facing(24, ASORI)
    assert code(t, Charge(0, 1, 1500)) == "out-of-reach"
    assert code(t, Charge(0, 1, 2500)) == ""
    assert total(price_of_charge(t, 0, 2500)) == 1
    match = start(t)
    match.play(0, Charge(0, 1, 2500))
    assert now(match).armies[0].cp == 9
    t.change_army(0, cp=0)
    assert code(t, Charge(0, 1, 2500)) == "no-cp-to-charge"


@pytest.mark.house("charge.asoriLong", "yes", "no")
@pytest.mark.clause("Q-CHARGE-1")
@pytest.mark.parametrize(("value", "expected"), [("yes", ""), ("no", "no-such-reach")])
def test_the_long_asori_charge_is_a_house_rule(value: str, expected: str) -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "infantry", (20, 44)), army=ASORI, rules={"charge.asoriLong": value})
    assert code(t, Charge(0, 1, 2500)) == expected


@pytest.mark.clause("W80", "CH-PUTINF-12", "CH-PUTINF-13", "CH-PUTINF-03", "CH-CHARGE-03")
def test_putredine_infantry_charges_over_15_or_20_cm() -> None:
    assert code(facing(15, PUTREDINE), Charge(0, 1, 1500)) == ""
    t = facing(20, PUTREDINE)
    assert code(t, Charge(0, 1, 1500)) == "out-of-reach"
    assert code(t, Charge(0, 1, 2000)) == ""
    assert total(price_of_charge(t, 0, 2000)) == 1
    assert code(facing("20.1", PUTREDINE), Charge(0, 1, 2000)) == "out-of-reach"


@pytest.mark.clause("Q-CHARGE-8", "CH-STUN-06")
def test_a_stunned_asori_unit_charges_over_15_cm() -> None:
    assert code(facing(24, ASORI, stuns=1), Charge(0, 1, 2500)) == "no-such-reach"
    assert code(facing(15, ASORI, stuns=1), Charge(0, 1, 1500)) == ""
    assert code(facing(15, stuns=1), Charge(0, 1, 1500)) == ""
    assert code(facing(5, PUTREDINE, stuns=1), Charge(0, 1, 1500)) == "stunned-putredine"


@pytest.mark.clause("W72", "CH-CHARGE-01", "CH-CHARGE-02", "CH-RUSH-04", "CH-PUTINF-12", "Q-RUSH-2")
def test_what_each_unit_may_charge() -> None:
    def pair(army: tuple[str, str], kind: str, target: str) -> str:
        t = scene(put(0, kind, (20, 20), models=2), put(1, target, (20, 28), models=2), army=army)
        return code(t, Charge(0, 1, 1500))

    assert pair(("alliance", "asori"), "medium-tank", "infantry") == "only-infantry"
    assert pair(("alliance", "asori"), "infantry", "light-tank") == "not-at-vehicles"
    assert pair(PUTREDINE, "infantry", "medium-tank") == "not-at-vehicles"
    assert pair(ASORI, "infantry", "medium-tank") == "not-at-vehicles"
    assert pair(ASORI, "infantry", "light-tank") == ""
    assert pair(("asori", "putredine"), "infantry", "carrier") == ""
    assert code(facing(5), Charge(0, 0, 1500)) == "no-enemy"


@pytest.mark.clause("CH-CHARGE-02", "CH-RUSH-04", "Q-CHARGE-8")
def test_stuns_protect_nobody_from_a_charge() -> None:
    for army in (("alliance", "asori"), ASORI):
        for stuns in (0, 1, 3):
            t = facing(10, army)
            t.change(1, stuns=stuns)
            assert code(t, Charge(0, 1, 1500)) == ""
            assert Charge(0, 1, 1500) in list(every(Charge, t, 0))
    t = rush()
    t.change(1, stuns=3)
    assert code(t, Charge(0, 1, 1500)) == ""


@pytest.mark.clause("CH-CHARGE-13", "Q-CHARGE-7")
def test_a_charge_needs_a_way_into_contact() -> None:
    wall = square("wall", "building", 0, 22, 120, 23)
    t = scene(put(0, "infantry", (20, 20)), put(1, "infantry", (20, 26)), terrain=[wall])
    assert code(t, Charge(0, 1, 1500)) == "out-of-reach"


def why_not(t: Battle, charge: Charge) -> str:
    """Return the refusal of a charge."""
    refusal = charge.why(Choices(t, 0))
    assert refusal is not None
    assert refusal.code == "out-of-reach"
    return refusal.message.partition(": ")[2]


@pytest.mark.clause("CH-CHARGE-13", "Q-CHARGE-7")
def test_who_cannot_reach_is_told_what_is_in_the_way_and_how_long_the_way_round_is() -> None:
    one, other = put(0, "infantry", (20, 20), models=1), put(1, "infantry", (20, 32), models=1)
    assert why_not(facing("15.1"), Charge(0, 1, 1500)) == "15.1 cm apart, and the charge reaches 15 cm"
    # The target is so near that it was reported as the obstacle.
    assert why_not(facing("15.02"), Charge(0, 1, 1500)) == "15.02 cm apart, and the charge reaches 15 cm"
    across = square("the long wall", "building", 0, 25, 120, 26)
    words = "the long wall is in the way, and no way leads round to a free place"
    assert why_not(scene(one, other, terrain=[across]), Charge(0, 1, 1500)) == words
    short = square("the wall", "building", 12, 25, 30, 26)
    t = scene(one, other, terrain=[short])
    words = why_not(t, Charge(0, 1, 1500))
    assert words.startswith("the wall is in the way, the way round is ")
    assert words.endswith(" cm long, and the charge reaches 15 cm")
    # The length by hand: to the end of the wall with room for the base, along the end, and back.
    long = float(words.split(" is ")[2].split(" cm")[0])
    assert 18 < long < 22
    assert assault(t, 0, 1, int(long * 100)) is not None
    assert assault(t, 0, 1, int(long * 100) - 1) is None


@pytest.mark.clause("CH-CHARGE-13", "Q-CHARGE-7")
def test_a_charge_is_refused_only_after_every_base_has_tried_every_base() -> None:
    """The eight nearest pairs of bases are behind a wall. A pair that is farther apart has a path past the end of the
    wall.
    """
    wall = square("wall", "impassable", 21, 29, 33, 30)
    t = scene(
        put(0, "infantry", (20, 20), squads=2, gap="0.2"),
        put(1, "infantry", (27, 32), squads=3, gap="0.2"),
        terrain=[wall],
    )
    assert code(t, Charge(0, 1, 1500)) == ""
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    charge_home(match)
    assert in_contact(now(match), 0, 1)


@pytest.mark.clause("Q-CHARGE-7", "CH-CHARGE-10")
def test_a_charge_goes_round_what_covers_the_near_side() -> None:
    cap = [square("cap", "impassable", 18, "23.4", 22, "24.2")]
    t = scene(put(0, "infantry", (20, 20), models=1), put(1, "infantry", (20, "25.3"), models=1), terrain=cap)
    assert code(t, Charge(0, 1, 1500)) == ""
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    charge_home(match)
    assert in_contact(now(match), 0, 1)
    assert now(match).units[0].moved > 500


@pytest.mark.clause("W72", "CH-CHARGE-12", "Q-CHARGE-4", "CH-CHARGE-13")
def test_the_chargers_end_in_coherency_and_in_contact() -> None:
    t = facing(8)
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    decision = match.waiting[0]
    assert isinstance(decision, MakeContact)
    options = decision.options(now(match))
    a, b = t.units[0].models
    at = {m: (t.models[m].x, t.models[m].y) for m in (a, b)}
    apart = options.refusal(Contact(0, ((a, (at[a], (2000, 2799))),)))
    assert apart is not None
    assert apart.code == "out-of-coherency"
    short = options.refusal(Contact(0, tuple([(m, (at[m], (at[m][0], 2700))) for m in (a, b)])))
    assert short is not None
    assert short.code == "no-contact"
    assert options.refusal(short.nearest) is None
    assert options.refusal(EndStep()) is not None
    drawn = decision.propose(now(match), Wish(unit=0, to=(2000, 2799)))
    assert drawn.refusal is None
    match.play(0, drawn.action)
    assert in_contact(now(match), 0, 1)


# --- reaction fire ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("W57", "CH-CHARGE-05", "CH-CHARGE-06", "CH-CHARGE-07", "CH-CHARGE-10", "Q-CHARGE-3", "CH-INFDMG-04")
def test_what_reaction_fire_leaves_of_a_charge() -> None:
    for hits, expected in (((6, 1), 1), ((6, 6), 0), ((1, 1), 2)):
        t = facing(15)
        kills = sum(1 for h in hits if h == 6)
        defence = [(1,) * kills] if kills else []
        match = start(t, hits, *defence)
        match.play(0, Charge(0, 1, 1500))
        decision = match.waiting[0]
        assert isinstance(decision, ChargeReaction)
        assert decision.side == 1
        boosted = decision.options(now(match)).refusal(ReactToCharge(0, boost=1))
        assert boosted is not None
        assert boosted.clause == "CH-CHARGE-06"
        match.play(1, ReactToCharge(0))
        while match.waiting and not isinstance(match.waiting[0], Orders):
            match.play(match.waiting[0].side, match.waiting[0].options(now(match)).first())
        after = now(match)
        assert len(after.units[0].models) == expected
        assert after.units[0].arrived == (expected > 0)
        assert after.units[1].locked == ((0,) if expected else ())


@pytest.mark.clause("CH-CHARGE-10", "Q-CHARGE-7")
def test_losses_never_shorten_a_charge() -> None:
    t = scene(put(0, "infantry", (20, 20), (20, 17)), put(1, "infantry", (20, 37)))
    match = start(t, (6, 1), (1,))
    match.play(0, Charge(0, 1, 1500))
    match.play(1, ReactToCharge(0))
    while match.waiting and not isinstance(match.waiting[0], (Orders, MakeContact)):
        match.play(0, match.waiting[0].options(now(match)).first())
    decision = match.waiting[0]
    assert isinstance(decision, MakeContact)
    assert decision.reach > 1500
    match.play(0, decision.options(now(match)).first())
    assert now(match).units[0].arrived
    assert in_contact(now(match), 0, 1)


def behind_walls(*second: tuple[int, str]) -> Battle:
    """Return a base of Asori with one free side, and two Alliance Squads that charge it, the first of one base."""
    walls = [square("a", "impassable", 8, 20, "18.9", 30), square("b", "impassable", "21.1", 20, 27, 30)]
    return scene(
        put(0, "infantry", (17, 17), models=1),
        put(0, "infantry", *second),
        put(1, "infantry", (20, "24.5"), models=1),
        terrain=walls,
    )


@pytest.mark.clause("W93", "CH-CHARGE-03", "CH-CHARGE-13", "Q-CHARGE-7")
def test_losses_of_an_earlier_turn_do_not_lengthen_a_charge() -> None:
    t = behind_walls((23, "14.5"), (23, "17"))
    lose_model(t, t.units[1].models[0])
    match = start(t)
    match.play(0, Charge(0, 2, 1500))
    match.play(0, Charge(1, 2, 1500))
    charge_home(match)
    after = now(match)
    assert after.units[2].locked == (0,)
    assert (after.units[1].arrived, after.units[1].moved) == (False, 0)
    assert (after.models[2].x, after.models[2].y) == (2300, 1700)


@pytest.mark.clause("CH-CHARGE-10", "Q-CHARGE-7")
def test_a_charge_is_lengthened_by_as_much_as_the_others_stand_behind() -> None:
    t = scene(put(0, "infantry", (20, 20), (20, 17)), put(1, "infantry", (20, 37)))
    match = start(t, (6, 1), (1,))
    match.play(0, Charge(0, 1, 1500))
    match.play(1, ReactToCharge(0))
    match.play(0, Lose(t.units[0].models[0]))
    decision = match.waiting[0]
    assert isinstance(decision, MakeContact)
    assert decision.reach == 1800
    m = t.units[0].models[1]
    with pytest.raises(Refused):
        match.play(0, Contact(0, ((m, ((2000, 1700), (2300, 2600), (2000, 3500))),)))


@pytest.mark.clause("CH-CHARGE-05", "CH-CHARGE-09", "Q-CHARGE-6")
def test_a_charger_of_an_earlier_turn_takes_no_reaction_fire_away() -> None:
    t = scene(put(0, "infantry", (24, 20), models=1), put(0, "infantry", (20, 20)), put(1, "infantry", (20, 32)))
    t.change(0, charging=2, arrived=True)
    lose_model(t, t.units[0].models[0])
    match = start(t)
    match.play(0, Charge(1, 2, 1500))
    assert isinstance(match.waiting[0], ChargeReaction)


@pytest.mark.house("charge.rfRange", "no", "yes")
@pytest.mark.clause("Q-CHARGE-2")
@pytest.mark.parametrize(("value", "asked"), [("no", True), ("yes", False)])
def test_range_of_reaction_fire_at_a_charger(value: str, asked: bool) -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 34)),
        army=("asori", "alliance"),
        rules={"charge.rfRange": value},
    )
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    assert isinstance(match.waiting[0], ChargeReaction) == asked


@pytest.mark.clause("CH-PUTINF-04")
def test_putredine_infantry_has_nothing_to_fire_with() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "infantry", (20, 28)), army=("alliance", "putredine"))
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    assert isinstance(match.waiting[0], MakeContact)


@pytest.mark.clause("W72", "CH-CHARGE-08", "Q-CHARGE-6")
def test_a_unit_charged_by_several_fires_at_one_of_them() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(0, "infantry", (30, 20)),
        put(1, "infantry", (24, 29)),
        put(1, "infantry", (80, 80)),
    )
    match = start(t, (1, 2))
    match.play(0, Charge(0, 2, 1500))
    decision = match.waiting[0]
    assert isinstance(decision, JoinCharge)
    wrong = decision.options(now(match)).refusal(Charge(1, 3, 1500))
    assert wrong is not None
    assert wrong.clause == "Q-CHARGE-6"
    assert [o.unit for o in decision.offers(now(match)) if not o.final] == [1]
    match.play(0, Charge(1, 2, 1500))
    reaction = match.waiting[0]
    assert isinstance(reaction, ChargeReaction)
    assert reaction.chargers == (0, 1)
    assert [o.target for o in reaction.offers(now(match)) if not o.final] == [0, 1]
    match.play(1, ReactToCharge(1))
    charge_home(match)
    after = now(match)
    assert after.units[2].locked == (0, 1)
    assert after.units[0].locked == after.units[1].locked == (2,)
    assert after.units[2].charge_fire


@pytest.mark.clause("CH-CHARGE-08", "CH-RUSH-06", "Q-CHARGE-6")
@pytest.mark.parametrize("fired", [True, False])
@pytest.mark.parametrize(("army", "target"), [("alliance", "infantry"), ("asori", "light-tank")])
def test_who_has_fired_at_one_charge_answers_no_later_one(army: str, target: str, fired: bool) -> None:
    t = scene(
        put(0, "infantry", (27, 20), models=1),
        put(0, "infantry", (54, 20), models=1),
        put(1, target, (40, 20), (42, 24), models=2),
        army=(army, "alliance"),
    )
    match = start(t, (6,), (1,))
    match.play(0, Charge(0, 2, 1500))
    if isinstance(match.waiting[0], JoinCharge):
        match.play(0, NoMoreChargers())
    match.play(1, ReactToCharge(0))
    assert isinstance(match.waiting[0], Orders)
    assert not now(match).units[0].models, "it fell, and never made contact"
    if not fired:
        now(match).change(2, charge_fire=False)
    match.play(0, Charge(1, 2, 1500))
    assert isinstance(match.waiting[0], MakeContact if fired else ChargeReaction)


@pytest.mark.clause("W72", "CH-CHARGE-09", "Q-CHARGE-6", "CH-RF-10")
def test_a_locked_unit_does_not_react_to_a_further_charge() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, "22.01"), locked=(0,)),
        put(0, "infantry", (20, 30)),
    )
    match = start(t)
    match.play(0, Charge(2, 1, 1500))
    charge_home_no_reaction(match)
    assert now(match).units[1].locked == (0, 2)


def charge_home_no_reaction(match: Match) -> None:
    while match.waiting and not isinstance(match.waiting[0], Orders):
        assert isinstance(match.waiting[0], MakeContact)
        match.play(0, match.waiting[0].options(now(match)).first())


# --- afterwards -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-CC-01", "CH-CC-06", "CH-CHARGE-04", "Q-CC-1", "Q-CC-7", "Q-CC-8", "Q-CHARGE-8")
def test_from_contact_on_both_are_locked() -> None:
    t = facing(8)
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    charge_home(match)
    after = now(match)
    charger, charged = after.units[0], after.units[1]
    assert (charger.locked, charged.locked) == ((1,), (0,))
    assert (charger.charging, charger.arrived, charger.may_fire, charger.rushing) == (1, True, False, False)
    assert charger.moved > 0
    assert not after.orders


@pytest.mark.clause("Q-CHARGE-5", "CH-CC-03", "Q-CC-8")
def test_other_enemy_infantry_that_is_touched_is_engaged_without_fire() -> None:
    t = scene(
        put(0, "infantry", (20, 20), models=1),
        put(1, "infantry", (19, 28), models=1),
        put(1, "infantry", ("21.01", 28), models=1),
    )
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    m = t.units[0].models[0]
    y = next(y for y in range(2600, 2800) if 101**2 + (2800 - y) ** 2 <= 202**2)
    match.play(0, Contact(0, ((m, ((2000, 2000), (2000, y))),)))
    after = now(match)
    assert after.units[0].locked == (1, 2)
    assert (after.units[1].locked, after.units[2].locked) == ((0,), (0,))


@pytest.mark.clause("Q-CHARGE-5", "CH-CC-03", "Q-CC-8")
def test_who_is_touched_is_engaged_although_it_is_locked_already() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 30), models=1),
        put(1, "infantry", ("22.2", 30), models=1),
        put(0, "infantry", ("24.21", 30), models=1, locked=(2,)),
    )
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    a, b = t.units[0].models
    match.play(0, Contact(0, ((a, ((2000, 2000), (2110, 2832))), (b, ((2250, 2000), (2300, 2600))))))
    after = now(match)
    assert after.units[0].locked == (1, 2)
    assert [after.units[u].locked for u in (1, 2, 3)] == [(0,), (3, 0), (2,)]


@pytest.mark.clause("Q-CHARGE-7")
def test_a_charger_without_a_free_place_stays_where_it_was() -> None:
    narrow = [square("a", "impassable", 0, 20, "18.9", 30), square("b", "impassable", "21.1", 20, 60, 30),
              square("c", "impassable", 0, 31, 60, 35)]  # fmt: skip
    t = scene(
        put(0, "infantry", (17, 17), models=1),
        put(0, "infantry", (23, 17), models=1),
        put(1, "infantry", (20, "24.5"), models=1),
        terrain=narrow,
    )
    match = start(t)
    match.play(0, Charge(0, 2, 1500))
    match.play(0, Charge(1, 2, 1500))
    charge_home(match)
    after = now(match)
    assert after.units[2].locked == (0,)
    assert not after.units[1].arrived
    assert (after.models[1].x, after.models[1].y) == (2300, 1700)


@pytest.mark.clause("CH-MOVE-05", "Q-MOVE-11")
def test_a_unit_that_charged_does_not_move_and_one_that_moved_does_not_charge() -> None:
    t = facing(8)
    m = t.units[0].models
    match = start(t)
    match.play(0, Move(0, tuple([(i, ((t.models[i].x, 2000), (t.models[i].x, 2100))) for i in m])))
    assert code(now(match), Charge(0, 1, 1500)) == "moved-already"
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    charge_home(match)
    assert now(match).units[0].move_over


# --- the Rush at Light tanks ------------------------------------------------------------------------------------------


def rush(**settings: Any) -> Battle:
    return scene(put(0, "infantry", (20, 20)), put(1, "light-tank", (20, 30)), army=ASORI, **settings)


@pytest.mark.clause("W34", "CH-RUSH-04", "CH-RUSH-05", "CH-RUSH-06", "Q-RUSH-3")
def test_a_rush_at_light_tanks_leaves_an_attack_and_no_lock() -> None:
    match = start(rush(), (1, 2, 3))
    match.play(0, Charge(0, 1, 1500))
    assert isinstance(match.waiting[0], ChargeReaction)
    match.play(1, ReactToCharge(0))
    charge_home(match)
    after = now(match)
    assert (after.units[0].locked, after.units[1].locked) == ((), ())
    assert (after.units[0].rushing, after.units[0].arrived) == (True, True)
    assert [(o.unit, o.target, o.rush) for o in after.orders] == [(0, 1, True)]
    assert in_contact(after, 0, 1)


@pytest.mark.house("rush.rfBoost", "yes", "no")
@pytest.mark.clause("W34", "CH-RUSH-07", "Q-RUSH-4", "CH-COST-15")
@pytest.mark.parametrize(
    ("edition", "value", "allowed"), [("current", "yes", True), ("current", "no", False), ("v1.5", "yes", True)]
)
def test_rushed_light_tanks_may_boost(edition: str, value: str, allowed: bool) -> None:
    match = start(rush(edition=edition, rules={"rush.rfBoost": value}), (1, 1, 1, 1, 1))
    match.play(0, Charge(0, 1, 1500))
    if not allowed:
        with pytest.raises(Refused):
            match.play(1, ReactToCharge(0, boost=1))
        return
    match.play(1, ReactToCharge(0, boost=1))
    assert now(match).armies[1].cp == 9


@pytest.mark.clause("Q-RUSH-3", "Q-MOVE-12")
def test_a_unit_still_in_contact_may_rush_again() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "light-tank", (20, "22.51")), army=ASORI)
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    match.play(0, Contact(0, ()))
    assert now(match).units[0].arrived
    assert now(match).orders[0].rush


@pytest.mark.clause("Q-MOVE-12")
def test_a_rush_touches_nobody_else() -> None:
    t = scene(
        put(0, "infantry", (20, 20), models=1),
        put(1, "light-tank", (20, 28), models=1),
        put(1, "heavy-tank", (23, 28), models=1),
        army=ASORI,
    )
    match = start(t)
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    m = t.units[0].models[0]
    y = next(y for y in range(2400, 2800) if 150**2 + (2800 - y) ** 2 <= 252**2)
    with pytest.raises(Refused) as refused:
        match.play(0, Contact(0, ((m, ((2000, 2000), (2150, y))),)))
    assert refused.value.refusal.clause == "Q-MOVE-12"


# --- the listed options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_charges_in_a_crowd_arrive_soundly(seed: int) -> None:
    dice = Seeded(seed)
    army = (ASORI, PUTREDINE, ("alliance", "putredine"))[seed % 3]
    units = []
    for side in (0, 1):
        for i in range(4):
            kind = ("infantry", "infantry", "light-tank", "infantry")[i]
            squads = 1 if army[side] == "putredine" else 1 + dice.below(2)
            place = (10 + 12 * i + dice.below(3), 20 + 9 * side + dice.below(3))
            units.append(put(side, kind, place, squads=squads, gap="0.2", along="-y" if side == 0 else "y"))
    t = scene(*units, army=army, cp=(4, 4))
    listed = list(every(Charge, t, 0))
    assert listed
    for charge in listed:
        match = Match(ruleset, _with(t, MovementStep(side=0)), Seeded(seed))
        match.play(0, charge)
        while match.waiting and not isinstance(match.waiting[0], Orders):
            decision = match.waiting[0]
            options = decision.options(now(match))
            answers = list(options)
            assert answers
            assert all(options.refusal(a) is None for a in answers)
            assert len(answers) == len(set(answers))
            action = options.sample(dice)
            assert options.refusal(action) is None
            assert decision.prompt(now(match))
            assert offered(decision).offers(now(match))
            events = match.play(decision.side, action)
            assert all(e.sentence(now(match)) for e in events)
        after = now(match)
        u = after.units[charge.unit]
        assert not u.models or u.arrived
        if u.arrived:
            assert coherent(after.discs(charge.unit)) or len(u.models) < len(t.units[charge.unit].models)
        bases = [d for i in after.in_play() for d in after.discs(i)]
        assert not any(overlapping(a, b) for i, a in enumerate(bases) for b in bases[:i])


def _with(t: Battle, procedure: MovementStep) -> Battle:
    start = t.clone()
    start.stack = [procedure]
    return start


@pytest.mark.clause("CH-CHARGE-02")
def test_a_charge_over_no_distance_is_told_and_moves_nobody() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "infantry", (20, 34)))
    way = ((0, ((2000, 2000), (2000, 3000))),)
    assert ChargeArrived(0, 1, (), 0, (1,)).motion(t) is None
    motion = ChargeArrived(0, 1, way, 1000, (1,)).motion(t)
    assert motion is not None
    assert (motion.sort, motion.ways) == ("charge", way)


@pytest.mark.clause("CH-OW-03", "CH-OW-05", "CH-CHARGE-10")
def test_overwatch_may_hit_a_charge_on_its_way() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 34)),
        put(1, "light-tank", (28, 45), models=3, overwatch=1),
        put(0, "infantry", (90, 90)),
        rules={"overwatch": "on"},
    )
    match = start(t, (6, 1), (1,))
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    match.play(0, match.waiting[0].options(now(match)).first())
    decision = match.waiting[0]
    assert isinstance(decision, FireOrWait)
    match.play(1, FireFromOverwatch())
    while not isinstance(match.waiting[0], Orders):
        match.play(match.waiting[0].side, match.waiting[0].options(now(match)).first())
    after = now(match)
    assert len(after.units[0].models) == 1
    assert in_contact(after, 0, 1)
    assert after.units[0].locked == (1,)


@pytest.mark.clause("CH-OW-03", "CH-OW-05", "CH-CHARGE-10", "CH-CHARGE-13", "Q-CHARGE-7")
def test_overwatch_gives_a_charge_no_second_reach() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 34), models=1),
        put(1, "light-tank", (28, 45), models=3, overwatch=1),
        rules={"overwatch": "on"},
    )
    match = start(t, (6, 1), (1,))
    match.play(0, Charge(0, 1, 1500))
    match.play(1, LetThemCome())
    a, b = t.units[0].models
    match.play(0, Contact(0, ((a, ((2000, 2000), (2000, 3200))), (b, ((2250, 2000), (2440, 3100))))))
    match.play(1, FireFromOverwatch())
    events = match.play(0, Lose(a))
    (cut,) = [event for event in events if isinstance(event, ChargeCutShort)]
    assert "12 cm towards" in cut.sentence(now(match))
    assert cut.motion(now(match)).ways == ((b, ((2250, 2000), (2440, 3100))),), "of who is left"
    decision = match.waiting[0]
    assert isinstance(decision, MakeContact)
    assert decision.reach == 400, "of 15 cm it has gone 12, and the base that is left stands 4 cm away"
    match.play(0, decision.options(now(match)).first())
    after = now(match)
    assert after.units[0].locked == (1,)
    assert 1200 < after.units[0].moved <= 1600
