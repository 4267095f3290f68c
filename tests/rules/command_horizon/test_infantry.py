"""Squads that leave and join, Putredine bases that join, and bases that are given up."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match, Refused, total
from caltrop.rules.command_horizon.infantry import (
    Detach,
    EatStun,
    FormUp,
    GiveBase,
    Join,
    PlaceOddMarker,
    TakeOdd,
    squads_of,
)
from caltrop.rules.command_horizon.movement import Move, MovementStep, OrderOptions, Orders
from caltrop.rules.command_horizon.reach import bands, price_of_shot
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.rules.command_horizon.scene import Length, Put, cm, put, run, scene
from caltrop.rules.command_horizon.shooting import FIRES
from caltrop.rules.command_horizon.stuns import StunRemoval

PUTREDINE = ("putredine", "alliance")


def now(match: Match) -> Battle:
    state = match.state
    assert isinstance(state, Battle)
    return state


def start(t: Battle) -> Match:
    return run(t, MovementStep(side=t.active))


def play(t: Battle, *actions: Any) -> Battle:
    """Return the battle after some orders."""
    match = start(t)
    for action in actions:
        match.play(match.waiting[0].side, action)
    state = now(match).clone()
    state.stack, state.asked = [], ()
    return state


def code(t: Battle, action: Any) -> str:
    """Return the code of the refusal, empty if the action is legal. Assert that the nearest action is legal."""
    options = OrderOptions(t, 0)
    refusal = options.refusal(action)
    if refusal is None:
        return ""
    assert options.refusal(refusal.nearest) is None
    return refusal.code


def shift(t: Battle, unit: int, dx: Length, dy: Length = 0) -> Move:
    ends = {m: (t.models[m].x + cm(dx), t.models[m].y + cm(dy)) for m in t.units[unit].models}
    return Move(unit, tuple([(m, ((t.models[m].x, t.models[m].y), end)) for m, end in ends.items()]))


def platoon(**fields: Any) -> Put:
    return put(0, "infantry", (20, 20), squads=3, **fields)


@pytest.mark.clause("W21", "CH-SQUAD-01", "CH-SQUAD-02", "CH-SQUAD-03", "CH-SQUAD-04", "CH-SQUAD-05", "CH-SQUAD-07",
                    "CH-SQUAD-09", "CH-COST-11", "CH-MOVE-05", "Q-SQUAD-2")  # fmt: skip
def test_a_platoon_parts_and_forms_up_again() -> None:
    t = play(scene(platoon()), Detach(0, 1), Detach(0, 2))
    assert t.armies[0].cp == 8
    assert [len(t.units[i].models) for i in t.in_play(0)] == [2, 2, 2]
    assert [t.units[i].name for i in t.in_play(0)] == [
        "Infantry Platoon", "Infantry Platoon, Squad 2", "Infantry Platoon, Squad 3"
    ]  # fmt: skip
    t = play(t, FormUp(1, 0), FormUp(2, 0))
    assert t.armies[0].cp == 6
    assert [len(t.units[i].models) for i in t.in_play(0)] == [6]
    assert (t.units[0].squads, t.units[0].starting, squads_of(t, 0)) == (3, 6, (0, 1, 2))


def test_the_names_of_squads_do_not_pile_up() -> None:
    t = scene(platoon())
    t.change(0, name="Infantry Platoon, Squad 2")
    t = play(t, Detach(0, 2))
    assert [t.units[i].name for i in t.in_play(0)] == ["Infantry Platoon, Squad 2", "Infantry Platoon, Squad 3"]


@pytest.mark.clause("CH-SQUAD-09", "Q-SQUAD-2")
def test_every_squad_that_joins_pays() -> None:
    t = play(scene(platoon()), Detach(0, 0))
    assert t.armies[0].cp == 9
    assert play(t, FormUp(0, 1)).armies[0].cp == 7
    assert play(t, FormUp(1, 0)).armies[0].cp == 8
    poor = scene(platoon(), cp=(2, 0))
    assert code(play(poor, Detach(0, 0)), FormUp(0, 1)) == "no-cp-for-squads"
    assert code(scene(platoon(), cp=(0, 0)), Detach(0, 0)) == "no-cp-for-squads"


@pytest.mark.clause("CH-SQUAD-06", "Q-SQUAD-5")
def test_squads_detach_before_any_base_moves() -> None:
    t = scene(platoon())
    assert code(play(t, shift(t, 0, 0, 5)), Detach(0, 1)) == "has-moved"
    t = play(t, Detach(0, 2))
    t = play(t, shift(t, 1, 0, 5), shift(t, 0, 0, -5))
    assert t.units[0].moved == t.units[1].moved == 500


@pytest.mark.clause("Q-SQUAD-5")
def test_forming_up_ends_the_movement_of_all_bases() -> None:
    t = play(scene(platoon()), Detach(0, 2))
    t = play(t, shift(t, 1, 2), FormUp(1, 0))
    assert (t.units[0].moved, t.units[0].move_over) == (200, True)
    assert total(price_of_shot(t, 0)) == 1
    assert code(t, shift(t, 0, 0, 2)) == "moved-already"


@pytest.mark.clause("CH-SQUAD-04", "Q-SQUAD-2", "CH-COH-04")
def test_squads_form_up_within_an_inch_and_with_their_own_platoon() -> None:
    t = scene(platoon(), put(0, "infantry", (20, "22.5"), squads=2))
    t = play(t, Detach(0, 2), Detach(1, 0))
    assert code(t, FormUp(2, 3)) == "another-platoon"
    assert code(t, FormUp(2, 2)) == "another-platoon"
    near = play(t, shift(t, 2, 2))
    assert code(near, FormUp(2, 0)) == ""
    far = play(t, shift(t, 2, 2.1))
    assert code(far, FormUp(2, 0)) == "too-far-apart"
    separate = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, 23)))
    assert code(separate, FormUp(0, 1)) == "another-platoon"


@pytest.mark.clause("CH-SQUAD-04", "CH-COH-04", "CH-PUTINF-09", "Q-SQUAD-2")
def test_an_inch_is_an_inch() -> None:
    for gap, near in (("4.53", True), ("4.54", True), ("4.55", False), ("4.59", False)):
        y = f"{20 + float(gap):.2f}"
        t = scene(put(0, "infantry", (20, 20), models=1, platoon=0), put(0, "infantry", (20, y), models=1, platoon=0))
        assert code(t, FormUp(1, 0)) == ("" if near else "too-far-apart"), gap
        t = scene(put(0, "infantry", (20, 20), models=1), put(0, "infantry", (20, y), models=1), army=PUTREDINE)
        assert code(t, Join(1, 0)) == ("" if near else "not-joined"), gap


@pytest.mark.clause("CH-SQUAD-01", "CH-SQUAD-03", "CH-SQUAD-07", "CH-SQUAD-10")
def test_what_cannot_detach() -> None:
    t = scene(
        platoon(), put(0, "infantry", (20, 40)), put(0, "medium-tank", (20, 60)), put(1, "infantry", (20, 80), squads=2)
    )
    assert code(t, Detach(0, 7)) == "no-such-squad"
    assert code(t, Detach(1, 0)) == "one-squad"
    assert code(t, Detach(2, 0)) == "not-infantry"
    assert code(t, Detach(3, 0)) == code(t, Detach(9, 0)) == code(t, Detach(-1, 0)) == "not-yours", "though infantry"
    assert code(t, FormUp(2, 0)) == code(t, FormUp(0, 2)) == "not-infantry"
    assert code(t, FormUp(3, 0)) == code(t, FormUp(0, 3)) == code(t, FormUp(0, 9)) == "not-yours"
    assert code(t, FormUp(1, 0)) == code(t, FormUp(0, 1)) == "another-platoon"
    refusal = OrderOptions(t, 0).refusal(Detach(3, 0))
    assert refusal is not None
    assert refusal.message == "Asori Infantry Squads are not a unit of yours in play"


@pytest.mark.clause("Q-CC-7")
def test_locked_squads_neither_part_nor_form_up() -> None:
    t = scene(platoon(), put(1, "infantry", (20, "22.01"), locked=(0,)), put(0, "infantry", (40, 40)))
    assert code(t, Detach(0, 1)) == "locked-unit"


def rushed(arrived: bool = True) -> Battle:
    """Return a Platoon of Asori in two parts, of which the first has charged Light tanks."""
    t = scene(
        put(0, "infantry", (20, 20), squads=2, models=4, platoon=0, charging=2, arrived=arrived, rushing=True,
            move_over=True),
        put(0, "infantry", (20, "22.5"), platoon=0, moved=300, move_over=True),
        put(1, "light-tank", (20, "17.5")),
        army=("asori", "alliance"),
    )  # fmt: skip
    if arrived:
        t.orders.append(Order(unit=0, target=2, rush=True))
    return t


@pytest.mark.clause("W94", "Q-SQUAD-6", "CH-SQUAD-03", "CH-SQUAD-04")
def test_nobody_leaves_or_joins_a_unit_whose_rush_waits_to_be_fought() -> None:
    t = rushed()
    assert code(t, FormUp(1, 0)) == code(t, FormUp(0, 1)) == code(t, Detach(0, 1)) == "busy"
    refusal = OrderOptions(t, 0).refusal(FormUp(1, 0))
    assert refusal is not None
    assert refusal.clause == "Q-SQUAD-6"
    assert "are busy: the attack on Light Tanks" in refusal.message
    split = FIRES.why(t, unit=0)
    assert split is not None
    assert split.clause == "Q-CHARGE-8"
    assert [a for a in OrderOptions(t, 0) if isinstance(a, FormUp | Detach)] == []


@pytest.mark.clause("Q-SQUAD-6", "Q-CHARGE-7")
def test_a_charge_that_came_to_nothing_binds_nobody() -> None:
    t = rushed(arrived=False)
    assert code(t, FormUp(1, 0)) == code(t, FormUp(0, 1)) == ""
    assert code(t, Detach(0, 1)) == "has-moved"


@pytest.mark.clause("Q-SQUAD-5", "Q-CHARGE-8", "Q-CHARGE-7")
@pytest.mark.parametrize(("unit", "into"), [(1, 0), (0, 1)])
def test_squads_that_form_up_with_one_that_charged_in_vain_do_not_fire(unit: int, into: int) -> None:
    after = play(rushed(arrived=False), FormUp(unit, into))
    refusal = FIRES.why(after, unit=into)
    assert refusal is not None
    assert refusal.clause == "Q-CHARGE-8"
    assert "charged this turn" in refusal.message


@pytest.mark.clause("Q-SQUAD-6", "Q-CHARGE-7", "CH-PUTINF-09", "CH-PUTINF-11")
@pytest.mark.parametrize("stopped", [0, 1])
def test_bases_whose_charge_came_to_nothing_buy_no_movement_by_joining(stopped: int) -> None:
    t = scene(
        put(0, "infantry", (20, 20)), put(0, "infantry", (20, "22.5")), put(1, "infantry", (60, 60)), army=PUTREDINE
    )
    t.change(stopped, charging=2, move_over=True)
    after = play(t, Join(1, 0))
    assert code(after, shift(after, 0, 0, -2)) == "moved-already"
    t.change(stopped, arrived=True)
    assert code(t, Join(1, 0)) == "busy"


@pytest.mark.clause("Q-SQUAD-3")
def test_markers_are_shared_and_the_owner_places_the_odd_one() -> None:
    t = scene(platoon(stuns=4))
    match = start(t)
    match.play(0, Detach(0, 1))
    decision = match.waiting[0]
    assert isinstance(decision, PlaceOddMarker)
    assert [o.unit for o in decision.offers(now(match))] == [1, 0]
    assert "odd" in decision.prompt(now(match))
    with pytest.raises(Refused):
        match.play(0, TakeOdd(7))
    match.play(0, TakeOdd(1))
    assert [now(match).units[i].stuns for i in (0, 1)] == [2, 2]
    assert isinstance(match.waiting[0], Orders)
    even = play(scene(platoon(stuns=3)), Detach(0, 1))
    assert [even.units[i].stuns for i in (0, 1)] == [2, 1]
    assert play(even, FormUp(1, 0)).units[0].stuns == 3


@pytest.mark.clause("Q-SQUAD-3", "CH-STUN-09")
def test_dividing_causes_no_doubling_check() -> None:
    match = start(scene(put(0, "infantry", (20, 20), squads=2, models=3, stuns=4)))
    match.play(0, Detach(0, 1))
    match.play(0, TakeOdd(1))
    assert [(len(now(match).units[i].models), now(match).units[i].stuns) for i in (0, 1)] == [(2, 2), (1, 2)]


# --- Putredine ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W79", "CH-PUTINF-06", "CH-PUTINF-07", "CH-PUTINF-08", "CH-PUTSTUN-07", "CH-COST-12", "CH-PUT-23")
def test_putredine_bases_join_for_nothing_and_never_part() -> None:
    t = scene(
        put(0, "infantry", (20, 20), stuns=1),
        put(0, "infantry", (20, "22.5"), models=1),
        put(0, "infantry", (60, 60), models=2),
        army=PUTREDINE,
    )
    assert code(t, Detach(2, 0)) == "cannot-split"
    assert code(t, Join(2, 0)) == "not-joined"
    t = play(t, Join(1, 0))
    assert t.armies[0].cp == 10
    assert (len(t.units[0].models), t.units[0].stuns) == (7, 1)
    assert code(t, Detach(0, 0)) == "cannot-split"
    assert code(t, shift(t, 0, 0, 1)) == "stunned-putredine"
    alone = play(scene(put(0, "infantry", (20, 20), models=1), army=PUTREDINE))
    assert code(alone, shift(alone, 0, 0, 10)) == ""


@pytest.mark.clause("W55", "CH-PUTINF-09", "CH-PUTINF-10", "CH-PUTINF-11", "CH-PUTINF-03")
def test_a_unit_that_bases_joined_only_buys_5_cm() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, 28), models=1), army=PUTREDINE)
    t = play(t, shift(t, 1, 0, -6))
    t = play(t, Join(1, 0))
    assert len(t.units[0].models) == 7
    assert [(reach, total(price)) for reach, price in bands(t, 0)] == [(500, 1)]
    assert code(t, shift(t, 0, 0, 5)) == ""
    assert code(t, shift(t, 0, 0, "5.1")) == "joined-too-far"
    after = play(t, shift(t, 0, 0, 5))
    assert (after.armies[0].cp, after.units[0].moved) == (9, 1100)
    t.change_army(0, cp=0)
    assert code(t, shift(t, 0, 0, 5)) == "not-enough-cp"


@pytest.mark.clause("CH-PUTINF-03", "CH-PUTINF-10")
def test_no_base_ever_goes_farther_than_15_cm() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, 35), models=1), army=PUTREDINE)
    t = play(t, shift(t, 1, 0, -13), Join(1, 0))
    assert [reach for reach, _ in bands(t, 0)] == [200]
    t = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, 37), models=1), army=PUTREDINE)
    t = play(t, shift(t, 1, 0, -15), Join(1, 0))
    assert code(t, shift(t, 0, 0, 1)) == "no-move-left"


@pytest.mark.clause("Q-PUTINF-7", "CH-PUTINF-11")
def test_a_unit_buys_its_extra_5_cm_once_though_others_join_it_later() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(0, "infantry", (20, "22.5"), models=1),
        put(0, "infantry", (25, "24.5"), models=1),
        army=PUTREDINE,
    )
    joined = play(t, Join(1, 0))
    both = play(joined, Join(2, 0))
    assert code(both, shift(both, 0, 0, 5)) == "", "nobody has bought anything yet"
    bought = play(joined, shift(joined, 0, 0, 2))
    assert bought.armies[0].cp == 9
    again = play(bought, Join(2, 0))
    assert code(again, shift(again, 0, 0, 2)) == "moved-already"


@pytest.mark.clause("CH-PUTINF-06", "CH-PUTINF-09")
def test_only_putredine_infantry_joins() -> None:
    t = scene(
        put(0, "infantry", (20, 20)), put(0, "heavy-tank", (20, 23)), put(1, "infantry", (20, 50)), army=PUTREDINE
    )
    assert code(t, Join(0, 1)) == code(t, Join(0, 2)) == code(t, Join(0, 0)) == "joins-its-like"
    for gap, expected in (("24.54", ""), ("24.55", "not-joined")):
        t = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, gap), models=1), army=PUTREDINE)
        assert code(t, Join(1, 0)) == expected


@pytest.mark.clause("Q-SPAWN-2", "CH-PUTINF-09")
def test_joining_bases_that_have_just_appeared_makes_a_unit_wait() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(0, "infantry", (20, "22.5"), models=1, appeared=True), army=PUTREDINE)
    t = play(t, Join(0, 1))
    assert code(t, shift(t, 1, 0, 1)) == "appeared"


@pytest.mark.clause("W54", "CH-PUTSTUN-08", "CH-PUTSTUN-09", "Q-PUTINF-3", "Q-VP-3")
def test_infantry_takes_markers_off_a_vehicle_unit() -> None:
    t = scene(put(0, "heavy-tank", (20, 20), stuns=2), put(0, "infantry", (20, "22.51")), army=PUTREDINE)
    bases = t.units[1].models
    t = play(t, EatStun(1, 0, bases[-1]), EatStun(1, 0, bases[-2]))
    assert (t.units[0].stuns, len(t.units[1].models), t.armies[0].cp) == (0, 4, 10)
    assert (len(t.units[0].models), t.armies[1].vp) == (3, 0)
    assert code(t, EatStun(1, 0, bases[0])) == "no-stuns"


@pytest.mark.clause("CH-PUTSTUN-08", "CH-STUN-09", "CH-STUN-10", "Q-STUN-8")
@pytest.mark.parametrize("step", [StunRemoval(side=0), MovementStep(side=0)])
def test_markers_of_infantry_are_held_against_the_bases_that_it_keeps(step: Any) -> None:
    units = put(0, "heavy-tank", (20, 20), stuns=3), put(0, "infantry", (20, "22.51"), stuns=10, newly_stunned=True)
    match = run(scene(*units, army=PUTREDINE), step)
    match.play(0, EatStun(1, 0, now(match).units[1].models[-1]))
    if match.waiting[0].side == 0 and type(match.waiting[0]).__name__ == "Casualty":
        match.play(0, match.waiting[0].options(match.state).first())
    infantry = now(match).units[1]
    assert (len(infantry.models), infantry.stuns) == (4, 4), "5 bases and 10 markers cost one more base"
    assert match.waiting, "the step goes on"


@pytest.mark.clause("CH-PUTSTUN-08", "Q-PUTINF-3")
def test_who_may_take_markers() -> None:
    t = scene(
        put(0, "heavy-tank", (20, 20), stuns=1),
        put(0, "infantry", (20, "22.53")),
        put(1, "heavy-tank", (60, 60), stuns=1),
        army=PUTREDINE,
    )
    assert code(t, EatStun(1, 0, t.units[1].models[0])) == "no-contact"
    assert code(t, EatStun(1, 2, t.units[1].models[0])) == "own-vehicle"
    t = scene(put(0, "heavy-tank", (20, 20), stuns=1), put(0, "infantry", (20, "22.52")), army=PUTREDINE)
    assert code(t, EatStun(1, 0, t.units[0].models[0])) == "not-its-base"
    assert code(t, EatStun(1, 0, t.units[1].models[5])) == ""
    alliance = scene(put(0, "heavy-tank", (20, 20), stuns=1), put(0, "infantry", (20, "22.52")))
    assert code(alliance, EatStun(1, 0, alliance.units[1].models[0])) == "takes-no-stuns"
    assert code(t, EatStun(0, 0, t.units[0].models[0])) == "takes-no-stuns"
    assert code(t, EatStun(7, 0, t.units[0].models[0])) == "not-yours"


@pytest.mark.clause("CH-PUTSTUN-08")
def test_the_last_base_may_go_as_well() -> None:
    t = scene(put(0, "heavy-tank", (20, 20), stuns=1), put(0, "infantry", (20, "22.51"), models=1), army=PUTREDINE)
    t = play(t, EatStun(1, 0, t.units[1].models[0]))
    assert list(t.in_play(0)) == [0]


@pytest.mark.clause("Q-WORM-2", "CH-WORM-08")
@pytest.mark.parametrize(("value", "allowed"), [("cp", False), ("sacrifice", True), ("both", True)])
def test_bases_may_take_worm_tokens_away_where_the_house_says_so(value: str, allowed: bool) -> None:
    t = scene(
        put(0, "medium-tank", (20, 20), worms=(1, 0)),
        put(0, "infantry", (20, "22.51")),
        put(0, "infantry", (60, 60)),
        rules={"worm.removal": value},
    )
    tank, base = t.units[0].models[0], t.units[1].models[0]
    if not allowed:
        assert code(t, GiveBase(1, base, tank)) == "not-by-bases"
        return
    after = play(t, GiveBase(1, base, tank))
    assert (after.models[tank].worms, len(after.units[1].models), after.armies[0].cp) == (0, 1, 10)
    assert code(after, GiveBase(1, after.units[1].models[0], tank)) == "no-token"
    assert code(t, GiveBase(2, t.units[2].models[0], tank)) == "no-contact"
    assert code(t, GiveBase(1, t.units[2].models[0], tank)) == "not-its-base"


def test_every_act_of_infantry_is_offered_with_its_price() -> None:
    t = play(scene(platoon()), Detach(0, 1))
    offers = Orders(side=0).offers(t)
    assert [(o.group, o.unit, total(o.price)) for o in offers if not o.final] == [
        ("Detach", 0, 1), ("Detach", 0, 1), ("Form up", 0, 2), ("Form up", 1, 1)
    ]  # fmt: skip
    t = scene(
        put(0, "heavy-tank", (20, 20), stuns=1),
        put(0, "infantry", (20, "22.51"), models=1),
        put(0, "infantry", (20, "24.53"), models=1),
        army=PUTREDINE,
    )
    assert [o.words for o in Orders(side=0).offers(t)] == [
        "Join Putredine Infantry 2",
        "Join Putredine Infantry",
        "Give up base 1 for a Stun marker of Heavy Tanks",
        "End movement",
    ]


@pytest.mark.house("attach.pays", "joining", "all")
@pytest.mark.clause("CH-COST-11", "CH-SQUAD-09", "Q-SQUAD-2")
@pytest.mark.parametrize(("pays", "left"), [("joining", 7), ("all", 6)])
def test_who_pays_for_forming_up(pays: str, left: int) -> None:
    t = play(scene(platoon(), rules={"attach.pays": pays}, cp=(9, 0)), Detach(0, 1), Detach(0, 2))
    assert t.armies[0].cp == 7
    assert play(t, FormUp(1, 0)).armies[0].cp == left - 1
    t.change_army(0, cp=1)
    assert code(t, FormUp(1, 0)) == ("" if pays == "joining" else "no-cp-for-squads")


@pytest.mark.clause("Q-SQUAD-7", "CH-SQUAD-01", "CH-SQUAD-06")
def test_squads_that_came_apart_and_formed_up_part_again() -> None:
    t = scene(put(0, "infantry", (20, 20), squads=1), put(0, "infantry", (20, 22), squads=1))
    t.change(0, platoon=7)
    t.change(1, platoon=7)
    for m in t.units[1].models:
        t.change_model(m, squad=1)
    t = play(t, FormUp(1, 0))
    t.change(0, move_over=False, moved=0)
    listed = [a for a in OrderOptions(t, 0) if isinstance(a, Detach)]
    assert listed == [Detach(0, 0), Detach(0, 1)]
    assert code(t, Detach(0, 1)) == ""
    assert code(t, Detach(0, 2)) == "no-such-squad"
