"""Target allocation: marks, targets, prices, boosts, split fire, taking back, and every refusal."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Choices
from caltrop.engine import Refused, total
from caltrop.rules.command_horizon.artillery import pod_attack
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.damage import lose_model
from caltrop.rules.command_horizon.reach import price_of_shot
from caltrop.rules.command_horizon.records import Battle, MarkOn, Order
from caltrop.rules.command_horizon.scene import done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import FIRES, attack_of
from caltrop.rules.command_horizon.targets import (
    MARKER,
    EndAllocation,
    EndMarks,
    Fire,
    FireAtSpot,
    Marks,
    MarkTarget,
    Ordered,
    Part,
    SplitFire,
    TakeBack,
    TargetAllocation,
)

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def allocation(t: Battle) -> Any:
    """Return the target allocation of side 0 after the marks."""
    match = run(t, TargetAllocation(side=0))
    if match.waiting and isinstance(match.waiting[0], Marks):
        match.play(0, EndMarks())
    return match


def refused(match: Any, action: Any, side: int = 0) -> str:
    """Return the clause of an action's refusal."""
    with pytest.raises(Refused) as result:
        match.play(side, action)
    nearest = result.value.refusal.nearest
    assert nearest in match.waiting[0].options(match.state)
    return result.value.refusal.clause


def dice(t: Battle, number: int = 0) -> int:
    """Return attack Dice of an order."""
    return attack_dice(t, attack_of(t, t.orders[number])).total


@pytest.mark.clause("CH-TURN-08", "CH-COST-01", "CH-FIRE-01", "CH-COST-16", "CH-FIRE-15", "W29", "CH-MOVE-04")
def test_a_still_unit_pays_for_its_shot_and_for_its_boost() -> None:
    t = scene(put(0, "heavy-tank", (20, 10)), put(1, "light-tank", (20, 30)), cp=(5, 0), army=("asori", "alliance"))
    match = allocation(t)
    offers = match.waiting[0].offers(match.state)
    assert [total(o.price) for o in offers if isinstance(o.action, Fire)] == [1, 2]
    match.play(0, Fire(0, 1, boost=1))
    assert match.state.armies[0].cp == 3
    assert dice(match.state) == 18
    match.play(0, EndAllocation())
    assert done(match).orders[0].target == 1


@pytest.mark.clause("CH-COST-02", "CH-COST-16", "CH-MOVE-04", "Q-MOVE-9", "W29")
def test_a_unit_that_moved_fires_for_its_moves_price_and_is_never_boosted() -> None:
    t = scene(put(0, "heavy-tank", (20, 10), moved=1000, paid=1), put(1, "light-tank", (20, 30)), cp=(5, 0),
              army=("asori", "alliance"))  # fmt: skip
    match = allocation(t)
    assert refused(match, Fire(0, 1, boost=1)) == "CH-MOVE-04"
    match.play(0, Fire(0, 1))
    assert match.state.armies[0].cp == 5
    assert dice(match.state) == 12


@pytest.mark.clause(
    "CH-COST-08", "CH-INFMOVE-02", "CH-INFMOVE-03", "CH-PUT-06", "W09", "W50", "W81", "Q-ART-3", "CH-ART-12", "W76"
)
@pytest.mark.parametrize(
    ("race", "edition", "kind", "moved", "paid", "price"),
    [
        ("alliance", "current", "light-tank", 1000, 0, 1),
        ("alliance", "current", "light-tank", 2000, 2, 0),
        ("alliance", "current", "light-tank", 0, 0, 1),
        ("alliance", "v1.5", "light-tank", 1000, 0, 0),
        ("alliance", "current", "infantry", 0, 0, 0),
        ("alliance", "current", "infantry", 1000, 0, 1),
        ("alliance", "current", "artillery", 0, 0, 1),
        ("alliance", "current", "artillery", 1000, 1, 0),
        ("putredine", "current", "heavy-tank", 0, 0, 0),
        ("putredine", "current", "heavy-tank", 1000, 0, 1),
        ("putredine", "current", "artillery", 0, 0, 0),
    ],
)
def test_what_a_shot_costs(race: str, edition: str, kind: str, moved: int, paid: int, price: int) -> None:
    t = scene(
        put(0, kind, (20, 10), moved=moved, paid=paid), put(1, "light-tank", (20, 40)), edition=edition,
        army=(race, "asori"),
    )  # fmt: skip
    assert total(price_of_shot(t, 0)) == price


@pytest.mark.clause("CH-COST-01", "CH-COST-16", "CH-CP-10")
def test_what_cannot_be_paid_is_refused() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(0, "infantry", (10, 20)), put(1, "light-tank", (20, 20)), cp=(1, 0))
    match = allocation(t)
    assert refused(match, Fire(0, 2, boost=1)) == "CH-COST-16"
    broke = scene(
        put(0, "medium-tank", (20, 10)), put(0, "infantry", (16, 20), models=1), put(1, "light-tank", (20, 20)),
        cp=(0, 0),
    )  # fmt: skip
    match = allocation(broke)
    assert refused(match, Fire(0, 2)) == "CH-COST-01"
    match.play(0, Fire(1, 2))


@pytest.mark.clause("CH-CC-07", "CH-CONC-04", "CH-DISENGAGE-09", "Q-CHARGE-8", "CH-FIRE-01")
@pytest.mark.parametrize("fields", [{"locked": (3,)}, {"concentrating": True}, {"disengaged": True}, {"charging": 3}])
def test_who_may_not_fire_is_refused_and_not_only_left_out(fields: dict[str, Any]) -> None:
    t = scene(
        put(0, "command", (20, 10), **fields),
        put(0, "medium-tank", (30, 10)),
        put(1, "light-tank", (25, 20)),
        put(1, "infantry", (60, 60)),
    )
    match = allocation(t)
    may = FIRES.why(t, unit=0)
    assert may is not None
    assert refused(match, Fire(0, 2)) == may.clause


@pytest.mark.clause("CH-FIRE-01", "CH-FIRE-03", "CH-LOS-01", "CH-CC-07", "W62", "W66")
def test_refusals_name_clause_and_nearest_target() -> None:
    t = scene(
        put(0, "medium-tank", (20, 10)),
        put(1, "light-tank", (20, 20)),
        put(1, "light-tank", (20, 60)),
        put(0, "infantry", (60, 60)),
        put(1, "infantry", (60, 62), locked=(3,)),
        put(0, "light-tank", (60, 50)),
    )
    match = allocation(t)
    with pytest.raises(Refused) as far:
        match.play(0, Fire(0, 2))
    assert far.value.refusal.clause == "CH-FIRE-03"
    assert far.value.refusal.nearest == Fire(0, 1)
    assert refused(match, Fire(5, 4)) == "CH-CC-07"
    assert refused(match, Fire(0, 3)) == "CH-FIRE-01"
    assert refused(match, Fire(0, 77)) == "CH-FIRE-01"
    assert refused(match, Fire(1, 0)) == "CH-FIRE-01"
    assert refused(match, Fire(77, 1)) == refused(match, Fire(-6, 1)) == "CH-FIRE-01", "nor are units counted backwards"
    match.play(0, Fire(0, 1))
    assert refused(match, Fire(0, 1)) == "CH-FIRE-01"
    assert refused(match, MarkTarget(5, 1)) == "Q-TARGET-3"


@pytest.mark.clause("CH-STUN-05", "Q-STUN-3", "W18", "CH-STUN-02")
def test_a_stunned_unit_fires_with_fewer_dice_and_without_boost() -> None:
    t = scene(put(0, "medium-tank", (20, 10), stuns=2), put(1, "light-tank", (20, 20)))
    match = allocation(t)
    assert refused(match, Fire(0, 1, boost=1)) == "CH-STUN-05"
    match.play(0, Fire(0, 1))
    assert dice(match.state) == 6


@pytest.mark.clause("CH-INFDMG-05", "Q-INF-4", "W84")
def test_heavy_weapons_boost_by_edition() -> None:
    units = (put(0, "heavy-weapons", (20, 10)), put(1, "medium-tank", (20, 20)))
    match = allocation(scene(*units, edition="v1.5"))
    assert refused(match, Fire(0, 1, boost=1)) == "CH-INFDMG-05"
    match = allocation(scene(*units))
    match.play(0, Fire(0, 1, boost=1))
    assert dice(match.state) == 9


@pytest.mark.house("boost.stack", "no", "yes")
@pytest.mark.clause("Q-DICE-3", "CH-COST-16")
def test_house_rule_boosts_stack() -> None:
    units = (put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20)))
    assert refused(allocation(scene(*units)), Fire(0, 1, boost=2)) == "CH-COST-16"
    match = allocation(scene(*units, rules={"boost.stack": "yes"}))
    match.play(0, Fire(0, 1, boost=2))
    assert dice(match.state) == 10
    assert match.state.armies[0].cp == 7


@pytest.mark.clause("Q-TARGET-3")
def test_an_order_is_taken_back_free_until_the_block_is_finished() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(1, "light-tank", (20, 20)), cp=(3, 0))
    match = allocation(t)
    assert refused(match, TakeBack(0)) == "Q-TARGET-3"
    match.play(0, Fire(0, 1, boost=1))
    assert any(o.action == TakeBack(0) for o in match.waiting[0].offers(match.state))
    assert TakeBack(0) not in tuple(match.waiting[0].options(match.state))
    match.play(0, TakeBack(0))
    assert match.state.orders == []
    assert match.state.armies[0].cp == 3
    assert (match.state.units[0].spent, match.state.units[0].paid) == (0, 0)
    match.play(0, Fire(0, 1))


@pytest.mark.house("splitFire.pays", "leavers", "all")
@pytest.mark.clause("CH-SQUAD-08", "CH-COST-18", "Q-SQUAD-1", "Q-SQUAD-4", "W22", "CH-ALL-22")
def test_split_fire() -> None:
    units = (
        put(0, "infantry", (20, 10), squads=3),
        put(1, "light-tank", (20, 18), models=1),
        put(1, "light-tank", (28, 18), models=1),
    )
    action = SplitFire(0, (Part(1, (0, 1)), Part(2, (2,))))
    single = allocation(scene(put(0, "infantry", (20, 10)), *units[1:], cp=(5, 0)))
    assert refused(single, action) == "CH-SQUAD-08", "it is infantry, and has one Squad"
    match = allocation(scene(*units, cp=(5, 0)))
    match.play(0, action)
    assert match.state.armies[0].cp == 4
    assert (dice(match.state, 0), dice(match.state, 1)) == (4, 2)
    match.play(0, TakeBack(0))
    assert match.state.armies[0].cp == 5
    everyone = allocation(scene(*units, cp=(5, 0), rules={"splitFire.pays": "all"}))
    everyone.play(0, action)
    assert everyone.state.armies[0].cp == 2


@pytest.mark.clause("Q-SQUAD-4", "CH-MARK-08", "CH-STUN-02")
def test_split_fire_shares_markers_boost_and_the_marking_die() -> None:
    units = (
        put(0, "infantry", (20, 10), squads=3, stuns=1, marking=1),
        put(1, "light-tank", (20, 18), models=1),
        put(1, "light-tank", (28, 18), models=1),
    )
    match = allocation(scene(*units))
    unshared = SplitFire(0, (Part(1, (0, 1), marking_die=True), Part(2, (2,))))
    assert refused(match, unshared) == "Q-SQUAD-4"
    no_die = SplitFire(0, (Part(1, (0, 1), share=1), Part(2, (2,))))
    assert refused(match, no_die) == "Q-SQUAD-4"
    match.play(0, SplitFire(0, (Part(1, (0, 1), share=1, marking_die=True), Part(2, (2,)))))
    assert (dice(match.state, 0), dice(match.state, 1)) == (2, 2)
    boosted = allocation(scene(put(0, "infantry", (20, 10), squads=3), *units[1:], cp=(9, 0)))
    boosted.play(0, SplitFire(0, (Part(1, (0, 1)), Part(2, (2,))), boost=1))
    assert (dice(boosted.state, 0), dice(boosted.state, 1)) == (6, 3)
    assert boosted.state.armies[0].cp == 7


@pytest.mark.clause("Q-SQUAD-4")
def test_no_marker_is_idle_while_another_group_has_dice_to_lose() -> None:
    units = (
        put(0, "infantry", (20, 10), squads=3, stuns=3),
        put(1, "light-tank", (20, 18), models=1),
        put(1, "light-tank", (28, 18), models=1),
    )
    match = allocation(scene(*units))
    assert refused(match, SplitFire(0, (Part(1, (0, 1)), Part(2, (2,), share=3)))) == "Q-SQUAD-4"
    match.play(0, SplitFire(0, (Part(1, (0, 1), share=2), Part(2, (2,), share=1))))


@pytest.mark.clause("CH-SQUAD-08", "Q-SQUAD-4")
@pytest.mark.parametrize("stuns", [0, 3, 4, 5, 9])
def test_split_fire_is_offered_however_many_markers_the_unit_has(stuns: int) -> None:
    t = scene(
        put(0, "infantry", (20, 10), squads=3, stuns=stuns),
        put(1, "light-tank", (20, 18), models=1),
        put(1, "light-tank", (28, 18), models=1),
    )
    match = allocation(t)
    options = match.waiting[0].options(match.state)
    split = [act for act in options if isinstance(act, SplitFire)]
    squads = [{part.target: part.squads for part in act.parts} for act in split]
    assert squads == [{1: (0, 1), 2: (2,)}, {2: (0, 2), 1: (1,)}], "the last Squad alone reaches the second target"
    assert all(sum(part.share for part in act.parts) == stuns for act in split)
    assert all(options.refusal(act) is None for act in split)


@pytest.mark.clause("CH-SQUAD-10", "CH-FIRE-01", "W92")
def test_vehicles_do_not_split_their_fire() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(1, "light-tank", (20, 18)), put(1, "light-tank", (40, 18)))
    assert refused(allocation(t), SplitFire(0, (Part(1, (0,)), Part(2, (1,))))) == "CH-SQUAD-10"


@pytest.mark.clause("CH-SQUAD-08")
def test_split_fire_is_at_different_targets_by_different_squads() -> None:
    t = scene(put(0, "infantry", (20, 10), squads=3), put(1, "light-tank", (20, 18)), put(1, "light-tank", (30, 18)))
    match = allocation(t)
    assert refused(match, SplitFire(0, (Part(1, (0, 1)), Part(1, (2,))))) == "CH-SQUAD-08"
    assert refused(match, SplitFire(0, (Part(1, (0, 1)), Part(2, (1,))))) == "CH-SQUAD-08"
    assert refused(match, SplitFire(0, (Part(1, (0, 1, 2)),))) == "CH-SQUAD-08"


@pytest.mark.clause(
    "CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "CH-MARK-06", "CH-COST-09", "CH-MARK-07", "W24", "Q-MARK-4"
)
def test_marking_costs_a_cp_and_a_die() -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(0, "artillery", (60, 10)), put(1, "heavy-tank", (20, 20)), cp=(4, 0))
    match = run(t, TargetAllocation(side=0))
    assert type(match.waiting[0]).__name__ == "Marks"
    match.play(0, MarkTarget(0, 2))
    assert match.state.marks == [MarkOn(0, 2)]
    assert type(match.waiting[0]).__name__ == "Targets"
    match.play(0, Fire(0, 2))
    assert match.state.armies[0].cp == 2
    assert dice(match.state) == 4


@pytest.mark.clause("Q-MARK-3", "W24")
def test_marking_with_the_last_die_leaves_no_shot() -> None:
    t = scene(put(0, "light-tank", (20, 10), models=1), put(0, "artillery", (60, 10)), put(1, "heavy-tank", (20, 20)))
    match = run(t, TargetAllocation(side=0))
    match.play(0, MarkTarget(0, 2))
    assert refused(match, Fire(0, 2)) == "Q-MARK-3"


@pytest.mark.clause("CH-MARK-03", "CH-MARK-04", "CH-MARK-06", "W78", "Q-MARK-1", "Q-MARK-5", "W71")
def test_what_cannot_be_marked() -> None:
    hill = square("the hill", "hill", 0, 60, 40, 62)
    t = scene(
        put(0, "light-tank", (20, 57), models=1),
        put(0, "artillery", (60, 10)),
        put(1, "heavy-tank", (20, 65), models=1),
        put(1, "heavy-tank", (50, 57), models=1),
        put(1, "heavy-tank", ("20", "23.9"), models=1),
        put(0, "medium-tank", (80, 20)),
        put(0, "infantry", (60, 50)),
        put(1, "infantry", (60, 52), locked=(6,)),
        terrain=(hill,),
    )
    match = run(t, TargetAllocation(side=0))
    assert refused(match, MarkTarget(0, 2)) == "CH-MARK-03"
    assert refused(match, MarkTarget(0, 4)) == "CH-MARK-04"
    assert refused(match, MarkTarget(0, 5)) == "CH-MARK-03"
    assert refused(match, MarkTarget(5, 3)) == "CH-MARK-01"
    assert refused(match, MarkTarget(6, 3)) == "Q-MARK-5"
    match.play(0, MarkTarget(0, 3))
    assert not match.waiting or not isinstance(match.waiting[0], Marks)


@pytest.mark.clause("Q-MARK-1")
def test_only_the_alliance_marks_in_the_current_edition() -> None:
    assert not MARKER.may(scene(put(0, "light-tank"), army=("asori", "alliance")), unit=0)
    assert MARKER.may(scene(put(0, "light-tank"), army=("asori", "alliance"), edition="v1.5"), unit=0)


@pytest.mark.clause("CH-MARK-09", "CH-MARK-14", "W25")
@pytest.mark.parametrize(("gap", "expected"), [("20.0", False), ("20.1", True), ("50", True)])
def test_ranged_in_needs_a_mark_and_more_than_20_cm(gap: str, expected: bool) -> None:
    from decimal import Decimal

    y = str(13 + Decimal(gap))
    t = scene(put(0, "artillery", (50, 10)), put(1, "heavy-tank", (50, y), along="y"))
    assert refused(allocation(t), Fire(0, 1, ranged_in=True)) == "CH-MARK-09"
    t.marks.append(MarkOn(9, 1))
    match = allocation(t)
    if expected:
        match.play(0, Fire(0, 1, ranged_in=True))
        assert attack_of(match.state, match.state.orders[0]).marks == 1
    else:
        assert refused(match, Fire(0, 1, ranged_in=True)) == "CH-MARK-14"


@pytest.mark.clause("CH-ART-02", "CH-ART-03", "W76", "Q-ART-6")
def test_artillery_fires_at_what_a_friend_sees() -> None:
    hill = square("the hill", "hill", 0, 19, 120, 21)
    t = scene(
        put(0, "artillery", (20, 10)),
        put(0, "light-tank", (40, 30)),
        put(1, "heavy-tank", (20, 40)),
        put(1, "heavy-tank", (48, 40)),
        terrain=(hill,),
    )
    match = allocation(t)
    match.play(0, Fire(1, 3))
    assert refused(match, Fire(0, 2, sighter=0)) == "CH-ART-02"
    match.play(0, Fire(0, 2))
    assert match.state.orders[1].sighter == 1
    blind = scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (20, 40)), terrain=(hill,))
    assert not run(blind, TargetAllocation(side=0)).waiting


@pytest.mark.clause("CH-FIRE-01", "CH-ART-02", "CH-ART-06", "CH-CC-07")
def test_artillery_is_told_of_its_target_and_range_before_the_sight_of_a_friend() -> None:
    hill = square("the hill", "hill", 0, 19, 120, 21)
    t = scene(
        put(0, "artillery", (20, 10)),
        put(1, "light-tank", (20, 30), models=1),
        put(1, "light-tank", (40, 72), models=1),
        put(1, "light-tank", (20, 21), models=1),
        put(0, "infantry", (60, 10)),
        put(1, "infantry", (60, 12), locked=(4,)),
        put(1, "light-tank", (80, 30), models=1),
        put(1, "heavy-tank", (45, 18)),
        terrain=(hill,),
    )
    lose_model(t, t.units[6].models[0])
    match = allocation(t)

    def why(target: int) -> tuple[str, str]:
        with pytest.raises(Refused) as result:
            match.play(0, Fire(0, target))
        return result.value.refusal.code, result.value.refusal.clause

    assert why(1) == ("no-sighter", "CH-ART-02")
    assert why(2)[0] == "too-far"
    assert why(3) == ("too-near", "CH-ART-06")
    assert why(5) == ("target-locked", "CH-CC-07")
    assert why(6) == why(4) == why(77) == why(-1) == ("no-enemy", "CH-FIRE-01")


@pytest.mark.house("pod.needsSight", "yes", "no")
@pytest.mark.clause("CH-POD-01", "CH-POD-02", "W38", "Q-POD-1", "CH-POD-04")
def test_where_a_pod_launcher_may_aim() -> None:
    hill = square("the hill", "hill", 0, 29, 60, 31)
    units = (put(0, "artillery", (20, 10), models=1), put(1, "heavy-tank", (60, 60)))
    t = scene(*units, army=("putredine", "alliance"), terrain=(hill,))
    match = allocation(t)
    assert refused(match, FireAtSpot(0, (2000, 1000 + 150 + 999))) == "CH-POD-02"
    assert refused(match, FireAtSpot(0, (2000, 1000 + 150 + 5001))) == "CH-POD-02"
    assert refused(match, FireAtSpot(0, (2000, 4000))) == "Q-POD-1"
    match.play(0, FireAtSpot(0, (2000, 1000 + 150 + 1000)))
    assert match.state.armies[0].cp == 10
    unseen = allocation(scene(*units, army=("putredine", "alliance"), terrain=(hill,), rules={"pod.needsSight": "no"}))
    unseen.play(0, FireAtSpot(0, (2000, 4000)))
    shells = scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (20, 40)))
    assert refused(allocation(shells), FireAtSpot(0, (2000, 3000))) == "CH-POD-01"


@pytest.mark.clause("CH-POD-01", "CH-POD-02")
@pytest.mark.parametrize("room", [True, False])
def test_a_pod_launcher_is_asked_wherever_there_is_a_spot_for_it(room: bool) -> None:
    # The first places of the search are off the table, or occupied by friends.
    friends = [put(0, "heavy-tank", at, models=1) for at in ((23, 3), ("17.14", "17.14"), (3, 23))]
    size = 12_000 if room else 1_200
    t = scene(
        put(0, "artillery", (3, 3), models=1),
        put(1, "heavy-tank", (110, 110) if room else (10, 10), models=1),
        *(friends if room else []),
        army=("putredine", "alliance"),
        table=(size, size),
    )
    t.change(1, locked=() if room else (0,))
    for friend in range(2, 5 if room else 2):
        t.change(friend, disengaged=True)
    match = run(t, TargetAllocation(side=0))
    assert bool(match.waiting) is room
    if room:
        assert [act.unit for act in match.waiting[0].options(match.state) if isinstance(act, FireAtSpot)] == [0]


@pytest.mark.clause("CH-POD-03", "CH-FIRE-15")
def test_a_pod_may_be_boosted_and_only_once() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (60, 60)), army=("putredine", "alliance"))
    match = allocation(t)
    assert refused(match, FireAtSpot(0, (2000, 2500), boost=2)) == "CH-COST-16"
    match.play(0, FireAtSpot(0, (2000, 2500), boost=1))
    assert match.state.armies[0].cp == 9
    assert attack_dice(match.state, pod_attack(match.state, match.state.orders[0])).total == 9


@pytest.mark.clause("CH-LOS-03", "Q-LOS-5")
def test_aiming_at_exposed_models_is_declared_with_the_target() -> None:
    wood = square("the wood", "woods", 18, 28, 26, 32)
    t = scene(put(0, "heavy-tank", (36, 10)), put(1, "medium-tank", (20, 30), gap=1), terrain=(wood,))
    match = allocation(t)
    match.play(0, Fire(0, 1, exposed=True))
    order = match.state.orders[0]
    assert (order.cover, order.only) == (0, (5, 6))


@pytest.mark.clause("CH-CC-04", "Q-TARGET-3")
def test_enemies_are_named_after_targets_by_the_active_player_first() -> None:
    from caltrop.rules.command_horizon.close_combat import Name, NameEnemy

    t = scene(
        put(0, "infantry", (20, 20), locked=()),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(1, "infantry", (20, 18), locked=(0,)),
    )
    match = run(t, TargetAllocation(side=0))
    decision = match.waiting[0]
    assert isinstance(decision, NameEnemy)
    assert decision.side == 0
    match.play(0, Name(2))
    assert [(n.unit, n.enemy) for n in done(match).namings] == [(0, 2), (1, 0), (2, 0)]


def test_random_answers_are_legal() -> None:
    from caltrop.chance import Seeded

    t = scene(
        put(0, "light-tank", (20, 10)),
        put(0, "infantry", (30, 12), squads=3),
        put(0, "artillery", (60, 10)),
        put(1, "heavy-tank", (20, 20)),
        put(1, "medium-tank", (34, 18)),
    )
    for seed in range(30):
        dice = Seeded(seed)
        match = run(t, TargetAllocation(side=0))
        while match.waiting:
            decision = match.waiting[0]
            action = decision.options(match.state).sample(dice)
            match.play(decision.side, action)


@pytest.mark.clause("CH-POD-04", "Q-SPAWN-1")
def test_a_pod_spot_has_room_for_a_base_clear_of_the_enemy() -> None:
    t = scene(put(0, "artillery", (20, 10), models=1), put(1, "heavy-tank", (20, 40), models=1),
              army=("putredine", "alliance"))  # fmt: skip
    match = allocation(t)
    assert refused(match, FireAtSpot(0, (2000, 4000 - 250))) == "CH-POD-04"
    match.play(0, FireAtSpot(0, (2000, 4000 - 253)))


@pytest.mark.clause("Q-MOVE-5", "CH-COST-08")
def test_house_rule_the_cp_of_a_mark_lets_light_tanks_fire() -> None:
    units = (put(0, "light-tank", (20, 10), moved=500), put(1, "heavy-tank", (20, 20)))
    plain = run(scene(*units), TargetAllocation(side=0))
    assert type(plain.waiting[0]).__name__ == "Targets"
    match = run(scene(*units, rules={"light.fireNeeds": "any"}, cp=(1, 0)), TargetAllocation(side=0))
    match.play(0, MarkTarget(0, 1))
    match.play(0, Fire(0, 1))
    assert match.state.armies[0].cp == 0


@pytest.mark.clause("CH-MARK-05", "CH-COST-09", "CH-MARK-06", "CH-DISENGAGE-08")
def test_a_mark_has_its_price_and_is_set_once_by_units_that_are_free_to_act() -> None:
    units = (
        put(0, "light-tank", (20, 10)), put(0, "artillery", (60, 10)), put(1, "heavy-tank", (20, 20)),
        put(0, "infantry", (24, 12), disengaged=True), put(0, "light-tank", (10, 10)),
    )  # fmt: skip
    beyond = MarkTarget(0, len(units)).why(Choices(scene(*units), 0))
    assert beyond is not None, "there is no such target"
    refusal = MarkTarget(0, 2).why(Choices(scene(*units, cp=(0, 0)), 0))
    assert refusal is not None
    assert refusal.clause == "CH-MARK-05"
    match = run(scene(*units), TargetAllocation(side=0))
    assert refused(match, MarkTarget(3, 2)) == "CH-DISENGAGE-08"
    match.play(0, MarkTarget(0, 2))
    assert refused(match, MarkTarget(0, 2)) == "CH-MARK-06"


@pytest.mark.clause("CH-MARK-09", "CH-ART-02")
def test_only_artillery_fires_ranged_in_and_by_the_sight_of_others() -> None:
    t = scene(put(0, "heavy-tank", (20, 10)), put(1, "heavy-tank", (20, 40)))
    t.marks.append(MarkOn(5, 1))
    match = allocation(t)
    assert refused(match, Fire(0, 1, ranged_in=True)) == "CH-MARK-09"
    assert refused(match, Fire(0, 1, sighter=0)) == "CH-ART-02"


@pytest.mark.clause("CH-RUSH-04", "Q-RUSH-3", "CH-TURN-08")
def test_a_rush_that_has_arrived_is_the_units_attack() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "light-tank", (20, "22.51")), army=("asori", "alliance"))
    t.orders.append(Order(unit=0, target=1, rush=True))
    match = run(t, TargetAllocation(side=0))
    openings = [e for e in match.opening if isinstance(e, Ordered)]
    while match.waiting:
        match.play(0, EndAllocation())
    assert done(match).orders == [openings[0].order]
    assert openings[0].order.models == t.units[0].models


@pytest.mark.clause("CH-POD-01", "CH-TURN-08")
@pytest.mark.parametrize(("army", "asked"), [("putredine", True), ("alliance", False)])
def test_who_has_no_target_is_asked_for_pods_alone(army: Any, asked: bool) -> None:
    t = scene(put(0, "artillery", (20, 10), models=1), put(1, "light-tank", (20, 170)), army=(army, "asori"))
    assert bool(allocation(t).waiting) is asked
