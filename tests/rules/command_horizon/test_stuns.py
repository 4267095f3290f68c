"""Step 2: markers and tokens removed for points, and the markers of Putredine infantry."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.command_horizon.infantry import EatStun, GiveBase
from caltrop.rules.command_horizon.limits import why_still
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import done, put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.stuns import (
    BuyOffStun,
    BuyOffWorm,
    KeepMarkers,
    RemoveMarkers,
    StunRemoval,
    StunRemoved,
)

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def after(t: Battle, *answers: Any) -> Battle:
    """Return the battle after step 2 with exactly these removals."""
    match = run(t, StunRemoval(side=t.active))
    for answer in answers:
        match.play(t.active, answer)
    if match.waiting:
        match.play(t.active, KeepMarkers())
    return done(match)


def refusal(t: Battle, action: Any, side: int = 0) -> str:
    """Return the clause by which removing something is refused."""
    refusal = RemoveMarkers(side=side).options(t).refusal(action)
    assert refusal is not None
    return refusal.clause


def code(t: Battle, action: Any) -> str:
    """Return the code of the refusal to remove something."""
    refusal = RemoveMarkers(side=0).options(t).refusal(action)
    assert refusal is not None
    return refusal.code


@pytest.mark.clause("CH-STUN-12", "CH-COST-17", "CH-TURN-05", "W59")
def test_each_marker_costs_1_cp() -> None:
    t = after(scene(put(0, "medium-tank", (5, 5), stuns=3), cp=(5, 0)), BuyOffStun(0), BuyOffStun(0))
    assert (t.units[0].stuns, t.armies[0].cp) == (1, 3)


@pytest.mark.clause("CH-STUN-12", "CH-COST-17")
def test_any_number_goes_while_the_cp_last() -> None:
    t = scene(put(0, "medium-tank", (5, 5), stuns=3), put(1, "light-tank", (5, 30), stuns=1), cp=(2, 0))
    match = run(t, StunRemoval(side=0))
    match.play(0, BuyOffStun(0))
    removed = next(event for event in match.play(0, BuyOffStun(0)) if isinstance(event, StunRemoved))
    assert removed.sentence(match.state) == "Medium Tanks lose a Stun marker: 1 left"
    assert not match.waiting, "nobody is asked when nothing can be removed"
    assert done(match).units[0].stuns == 1
    t.change_army(0, cp=0)
    assert refusal(t, BuyOffStun(0)) == "CH-COST-17"
    t.change_army(0, cp=1)
    assert code(t, BuyOffStun(1)) == "not-your-marker"
    t.change(0, stuns=0)
    assert code(t, BuyOffStun(0)) == "no-marker"


@pytest.mark.clause("CH-WORM-08", "Q-WORM-2", "W61")
def test_worm_tokens_go_as_stun_markers_do() -> None:
    t = scene(put(0, "light-tank", (5, 5), worms=(1,), stuns=1), army=("alliance", "putredine"), cp=(2, 0))
    t = after(t, BuyOffWorm(0), BuyOffStun(0))
    assert (t.models[0].worms, t.units[0].stuns, t.armies[0].cp) == (0, 0, 0)


@pytest.mark.house("worm.removal", "cp", "sacrifice", "both")
@pytest.mark.clause("CH-WORM-08", "Q-WORM-2")
@pytest.mark.parametrize(
    ("value", "for_cp", "by_bases"), [("cp", True, False), ("sacrifice", False, True), ("both", True, True)]
)
def test_the_house_rule_says_how_tokens_go(value: str, for_cp: bool, by_bases: bool) -> None:
    t = scene(
        put(0, "light-tank", (5, 5), models=1, worms=(1,)),
        put(0, "infantry", (5, "7.5")),
        army=("alliance", "putredine"),
        rules={"worm.removal": value},
    )
    options = RemoveMarkers(side=0).options(t)
    base = t.units[1].models[0]
    assert (BuyOffWorm(0) in options) == for_cp
    assert (GiveBase(unit=1, base=base, model=0) in options) == by_bases
    if not for_cp:
        assert refusal(t, BuyOffWorm(0)) == "Q-WORM-2"
    if by_bases:
        t = after(t, GiveBase(unit=1, base=base, model=0))
        assert (t.models[0].worms, len(t.units[1].models), t.armies[0].cp) == (0, 1, 10)


@pytest.mark.clause("CH-WORM-08")
def test_only_tokens_that_are_there_are_removed() -> None:
    t = scene(put(0, "light-tank", (5, 5), worms=(1,)), put(1, "light-tank", (5, 40), worms=(1,)))
    assert refusal(t, BuyOffWorm(1)) == "CH-WORM-08"
    assert refusal(t, BuyOffWorm(t.units[1].models[0])) == "CH-STUN-12"
    assert refusal(t, BuyOffWorm(99)) == "CH-STUN-12"


# --- Putredine infantry ----------------------------------------------------------------------------------------------


def swarm(stuns: int = 2, *, new: bool = True, cp: int = 0) -> Battle:
    """Return Putredine infantry with markers that are new or not."""
    unit = put(0, "infantry", (5, 5), stuns=stuns, newly_stunned=new)
    return scene(unit, put(1, "light-tank", (5, 60)), army=("putredine", "alliance"), cp=(cp, 0))


@pytest.mark.clause("CH-PUTSTUN-01", "CH-PUTSTUN-02", "CH-PUTSTUN-03", "CH-PUTSTUN-04", "Q-PUTINF-5", "W42")
def test_new_markers_cost_a_turn_and_then_go_free() -> None:
    turn_4 = after(swarm())
    assert (turn_4.units[0].stuns, turn_4.units[0].frozen) == (2, True)
    still = why_still(turn_4, 0, 0)
    assert still is not None
    assert still.clause == "CH-PUTSTUN-01"
    turn_5 = after(turn_4)
    assert (turn_5.units[0].stuns, turn_5.units[0].frozen, turn_5.armies[0].cp) == (0, False, 0)
    assert why_still(turn_5, 0, 0) is None


@pytest.mark.clause("CH-PUTSTUN-03", "Q-PUTINF-5", "W42")
def test_another_marker_costs_another_turn() -> None:
    turn_4 = after(swarm())
    turn_4.change(0, stuns=3, newly_stunned=True)
    turn_5 = after(turn_4)
    assert (turn_5.units[0].stuns, turn_5.units[0].frozen) == (3, True)
    assert after(turn_5).units[0].stuns == 0


@pytest.mark.clause("CH-PUTSTUN-05", "CH-PUTSTUN-06", "W42")
def test_markers_paid_for_in_step_2_free_the_unit_at_once_if_all_go() -> None:
    one = after(swarm(cp=1), BuyOffStun(0))
    assert (one.units[0].stuns, one.units[0].frozen) == (1, True)
    both = after(swarm(cp=2), BuyOffStun(0), BuyOffStun(0))
    assert (both.units[0].stuns, both.units[0].frozen, both.armies[0].cp) == (0, False, 0)
    assert why_still(both, 0, 0) is None


@pytest.mark.clause("CH-PUTSTUN-03")
def test_other_infantry_keeps_its_markers() -> None:
    t = after(scene(put(0, "infantry", (5, 5), stuns=1), cp=(0, 0)))
    assert (t.units[0].stuns, t.units[0].frozen) == (1, False)


@pytest.mark.clause("CH-PUTSTUN-08", "CH-PUTSTUN-09", "Q-PUTINF-3", "W54")
def test_bases_in_contact_take_markers_off_a_vehicle() -> None:
    t = scene(
        put(0, "heavy-tank", (50, 50), stuns=2),
        put(0, "infantry", (50, "52.5")),
        army=("putredine", "alliance"),
        cp=(1, 0),
    )
    bases = t.units[1].models
    free = after(t, EatStun(unit=1, vehicle=0, base=bases[5]), EatStun(unit=1, vehicle=0, base=bases[4]))
    assert (free.units[0].stuns, len(free.units[1].models), free.armies[0].cp) == (0, 4, 1)
    paid = after(t, BuyOffStun(0))
    assert (paid.units[0].stuns, paid.armies[0].cp) == (1, 0)


def test_offers_name_what_goes_and_its_price() -> None:
    t = scene(
        put(0, "heavy-tank", (50, 50), stuns=2),
        put(0, "infantry", (50, "52.5")),
        army=("putredine", "alliance"),
    )
    decision = RemoveMarkers(side=0)
    offers = decision.offers(t)
    assert [o.action for o in offers] == list(decision.options(t))
    assert offers[0].words == "Remove a Stun marker from Heavy Tanks (2 on it)"
    assert sum(p.value for p in offers[0].price) == 1
    assert offers[-1].final


@pytest.mark.house("putredine.freed", "all", "any")
@pytest.mark.clause("CH-PUTSTUN-06", "Q-PUTINF-6")
@pytest.mark.parametrize(("freed", "bought", "moves"), [
    ("all", 1, False), ("all", 2, True), ("any", 0, False), ("any", 1, True), ("any", 2, True),
])  # fmt: skip
def test_putredine_infantry_that_is_freed_moves(freed: str, bought: int, moves: bool) -> None:
    unit = put(0, "infantry", (5, 5), stuns=2, newly_stunned=True)
    t = scene(
        unit, put(1, "light-tank", (5, 60)), army=("putredine", "alliance"), cp=(2, 0), rules={"putredine.freed": freed}
    )
    t = after(t, *[BuyOffStun(0)] * bought)
    still = why_still(t, 0, 0)
    assert (still is None) is moves
    assert still is None or still.clause == "CH-PUTSTUN-01"


@pytest.mark.house("putredine.freed", "all", "any")
@pytest.mark.clause("CH-PUTSTUN-06", "Q-PUTINF-6")
@pytest.mark.parametrize(("freed", "frozen"), [("all", True), ("any", False)])
def test_how_many_markers_free_putredine_infantry(freed: str, frozen: bool) -> None:
    unit = put(0, "infantry", (5, 5), stuns=2, newly_stunned=True)
    t = scene(
        unit, put(1, "light-tank", (5, 60)), army=("putredine", "alliance"), cp=(1, 0), rules={"putredine.freed": freed}
    )
    one = after(t, BuyOffStun(0))
    assert (one.units[0].stuns, one.units[0].frozen) == (1, frozen)
