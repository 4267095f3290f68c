"""Un-pinning, broken units, the Terrifying (SQ-ORG-25, SQ-ORG-26, SQ-S22, SQ-S23, SQ-TRT-15 to 18, SQ-Q37, SQ-Q56)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from caltrop.geometry import INCH, overlap
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.broken import Faced, FallBack, FellBack, Regroup, Terror, ways_back
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.places import FOOT, KEEP_OFF, LONG, bodies, gap
from caltrop.rules.squad_action.rally import Rallied, Rally
from caltrop.rules.squad_action.records import Firefight, Pilot
from caltrop.rules.squad_action.scene import at, block, done, machine, scene, squad
from tests.rules.squad_action.played import Heard, KindOf, every, one, play

KIND = KindOf("rally")


def rally(t: Firefight, act: Rally, *dice: Any) -> Heard:
    """Return an act of rallying."""
    assert KIND.refusal(t, act, False) is None
    return play(t, act.procedure(t), *dice)


# --- un-pinning -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-08", "SQ-ORG-25", "SQ-ORG-26", "SQ-S22", "SQ-S21", "SQ-W14", "SQ-W59")
def test_to_un_pin_is_a_check_that_nobody_helps_with() -> None:
    t = scene(squad(0, "regular", 10, 10, pinned=True), squad(0, "regular", 10, 12, 3, officer=True))
    failed = rally(t, Rally(0), 2)
    assert done(failed).units[0].pinned
    assert one(failed, Rallied).sentence(done(failed)) == "South 0 stays Pinned: 2, morale 3+"
    passed = rally(t, Rally(0), 3)
    assert not done(passed).units[0].pinned
    assert one(passed, Rallied).sentence(done(passed)) == "South 0 rallies: 3, morale 3+"
    assert one(passed, Rallied).reading(done(passed)).tallies[0].expected == "2/3"  # type: ignore[union-attr]


@pytest.mark.clause("SQ-TRT-15", "SQ-W15")
def test_the_resolute_un_pin_without_a_roll() -> None:
    assert (
        not done(rally(scene(squad(0, "regular", 10, 10, pinned=True, traits=("resolute",))), Rally(0))).units[0].pinned
    )


@pytest.mark.clause("SQ-ORG-32", "SQ-S53")
def test_a_machine_un_pins_as_soldiers_do() -> None:
    assert not done(rally(scene(machine(0, "truck", 10, 10, pinned=True)), Rally(0), 4)).units[0].pinned
    assert done(rally(scene(machine(0, "truck", 10, 10, pinned=True)), Rally(0), 3)).units[0].pinned


@pytest.mark.clause("SQ-S22", "SQ-ORG-25")
def test_an_officer_lets_a_friend_within_6_inches_try() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 3, officer=True),
        squad(0, "regular", 10, "16.6", 4, pinned=True),
        squad(0, "regular", 10, "3.39", 4, pinned=True),
        squad(0, "regular", 16, 10, 4),
        squad(1, "regular", 8, 8, 4, pinned=True),
    )
    assert list(KIND.acts(t, 0, False)) == [Rally(0, 1)]
    assert not done(rally(t, Rally(0, 1), 3)).units[1].pinned
    for friend, code in ((2, "too-far"), (3, "not-pinned"), (4, "no-friend"), (0, "no-friend"), (99, "no-friend")):
        refusal = KIND.refusal(t, Rally(0, friend), False)
        assert refusal is not None
        assert (refusal.code, refusal.nearest) == (code, Rally(0, 1))
    assert KIND.refusal(t, Rally(3, 1), False).code == "no-officer"  # type: ignore[union-attr]
    assert KIND.refusal(t, Rally(0), False).code == "not-pinned"  # type: ignore[union-attr]
    t.change(0, pinned=True)
    assert KIND.refusal(t, Rally(0, 1), False).code == "he-is-pinned"  # type: ignore[union-attr]
    assert [o.words for o in KIND.offers(t, 0, False)] == ["Rally on 3+"]


@pytest.mark.clause("SQ-S23", "SQ-S45", "SQ-S22")
def test_the_broken_do_not_rally_and_passengers_do() -> None:
    t = scene(
        squad(0, "regular", 10, 10, broken=True),
        machine(0, "apc", 20, 20),
        squad(0, "regular", 20, 20, 4, pinned=True, where="aboard", carrier=1),
        squad(0, "regular", 20, 20, 4, pinned=True, where="reserve"),
    )
    assert KIND.refusal(t, Rally(0), False).code == "broken"  # type: ignore[union-attr]
    assert not done(rally(t, Rally(2), 3)).units[2].pinned
    assert KIND.refusal(t, Rally(3), False).code == "not-in-play"  # type: ignore[union-attr]


# --- broken -----------------------------------------------------------------------------------------------------------


def back(t: Firefight, die: int) -> Heard:
    return play(t, FallBack(unit=0), die)


@pytest.mark.clause("SQ-S23", "SQ-Q16")
@pytest.mark.house("break_result", "removed", "fall_back")
def test_a_unit_that_breaks_may_fall_back_instead() -> None:
    t = scene(squad(0, "regular", 20, 20, 3, starting=8), rules={"break_result": "fall_back"})
    match = play(t, AfterAttack(unit=0, lost=1, hit=True), 1, 4)
    u = done(match).units[0]
    assert (u.broken, u.pinned, u.where) == (True, False, "table")
    assert [done(match).models[m].at for m in u.models] == [at(20, 10), at(21, 10), at(22, 10)]
    removed = play(scene(squad(0, "regular", 20, 20, 3, starting=8)), AfterAttack(unit=0, lost=1, hit=True), 1)
    assert done(removed).units[0].where == "gone"


@pytest.mark.clause("SQ-S23")
def test_each_side_runs_to_its_own_edge_and_who_comes_over_it_is_lost() -> None:
    north = scene(squad(1, "regular", 20, 36, 3))
    assert [done(back(north, 3)).models[m].at for m in range(3)] == [at(x, 45) for x in (20, 21, 22)]
    # 7 inches take the front rank, 6.5 from the edge, over it; the rear is 8 from it.
    t = scene(squad(0, "regular", 20, "6.5", 2), squad(0, "regular", 40, 40, 4))
    off = back(t, 1)
    assert done(off).units[0].where == "gone"
    assert one(off, FellBack).lost == 2
    stays = back(scene(squad(0, "regular", 20, "8", 3)), 1)
    assert [done(stays).models[m].at for m in range(3)] == [at(x, 1) for x in (20, 21, 22)]


@pytest.mark.clause("SQ-S23", "SQ-S10")
def test_who_falls_back_keeps_over_2_inches_from_enemies() -> None:
    t = scene(squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 15, 2), machine(1, "apc", 26, 14))
    match = back(t, 6)
    for m in range(2):
        place = done(match).models[m].at
        assert place is not None
        assert place[1] < 20 * INCH
    assert gap(done(match), 0, 1) > KEEP_OFF
    assert gap(done(match), 0, 2) > KEEP_OFF


@pytest.mark.clause("SQ-Q78", "SQ-S23")
@pytest.mark.parametrize(("gap", "goes"), [("2", False), ("2.01", True)])
def test_a_model_within_2_inches_of_an_enemy_stays_and_the_others_fall_back(gap: str, goes: bool) -> None:
    near = inches(20) + inches("0.6") + inches(gap)
    t = scene(squad(0, "regular", 20, 20, 1), squad(1, "regular", 20, 40, 1))
    t.change_model(1, at=(near, inches(20)))
    match = back(t, 6)
    words = one(match, FellBack)
    assert (done(match).models[0].at == at(20, 20)) is not goes
    assert bool(words.paths) is goes
    assert ("no way leads back" in words.sentence(done(match))) is not goes
    motion = words.motion(done(match))
    assert motion is not None
    assert motion.sort == ("move" if goes else "mark")
    both = scene(squad(0, "regular", 20, 20, 2), squad(1, "regular", 17, 20, 1))
    both.change_model(2, at=(inches(20) - inches("0.6") - inches("1.5"), inches(20)))
    match = back(both, 1)
    assert done(match).models[0].at == at(20, 20)
    assert [(m, path[-1]) for m, path in one(match, FellBack).paths or ()] == [(1, done(match).models[1].at)]
    assert done(match).models[1].at == at(21, 13)


@pytest.mark.clause("SQ-S23", "SQ-S10", "SQ-S18")
def test_difficult_ground_slows_those_who_run() -> None:
    woods = [block("wood", "woods", 10, 0, 30, 40)]
    t = scene(squad(0, "regular", 20, 20, 2), terrain=woods)
    assert done(back(t, 4)).models[0].at == at(20, 15)
    light = scene(squad(0, "regular", 20, 20, 2, traits=("light-infantry",)), terrain=woods)
    assert done(back(light, 4)).models[0].at == at(20, 10)


@pytest.mark.clause("SQ-S23", "SQ-S17")
def test_nobody_ends_on_anybody() -> None:
    t = scene(squad(0, "regular", 20, 20, 2), squad(0, "regular", 20, 10, 3), machine(0, "apc", 22, 9))
    left = done(back(t, 4))
    assert all(gap(left, 0, other) >= 0 for other in (1, 2))
    assert len({b[:2] for b in bodies(left, 0)}) == 2


@pytest.mark.clause("SQ-S23", "SQ-S17")
@pytest.mark.parametrize("flyers", [(), (machine(1, "gunship", 20, 18),)], ids=["", "under a flyer"])
def test_who_falls_back_may_end_where_another_has_stood_or_under_a_flyer(flyers: tuple[Any, ...]) -> None:
    t = scene(squad(0, "regular", 20, 20, 2), *flyers)
    t.change_model(1, at=at(20, 22))
    assert [(m, path[-1]) for m, path in ways_back(t, 0, 2 * INCH)] == [(0, at(20, 18)), (1, at(20, 20))]


@pytest.mark.clause("SQ-S23", "SQ-S17")
@pytest.mark.parametrize("row", ["battle-tank", "walker"])
def test_who_falls_back_runs_round_machines_of_its_side_and_through_its_soldiers(row: str) -> None:
    t = scene(squad(0, "regular", 20, 20, 3), machine(0, row, 21, 16, heading=(1, 0)), squad(0, "regular", 20, 13, 3))
    ways = ways_back(t, 0, 12 * INCH)
    (hull,) = bodies(t, 1)
    on_the_way = [
        (a[0] + (b[0] - a[0]) * n // 200, a[1] + (b[1] - a[1]) * n // 200)
        for _, path in ways
        for a, b in pairwise(path)
        for n in range(201)
    ]
    assert not [p for p in on_the_way if overlap((*p, FOOT - 1), hull)]
    assert all(path[-1][1] < 13 * INCH for _, path in ways), "they come on behind it"
    soldiers = scene(squad(0, "regular", 20, 20, 3), squad(0, "regular", 20, 13, 3))
    assert all(len(path) == 2 for _, path in ways_back(soldiers, 0, 12 * INCH)), "straight through friends on foot"


@pytest.mark.clause("SQ-S23", "SQ-S10")
@pytest.mark.parametrize(("beyond", "straight"), [(0, False), (1, True)])
def test_who_falls_back_goes_as_near_as_over_2_inches_past_a_hull(beyond: int, straight: bool) -> None:
    t = scene(squad(0, "regular", 20, 20, 1), machine(1, "apc", 24, 14, heading=(1, 0)))
    x = 20 * INCH + FOOT + KEEP_OFF + LONG + beyond
    t.change_model(1, at=(x, 14 * INCH))
    ((_, path),) = ways_back(t, 0, 12 * INCH)
    assert (len(path) == 2) is straight


@pytest.mark.clause("SQ-S23", "SQ-S72")
def test_who_falls_back_drops_the_pilot_and_its_tokens() -> None:
    t = scene(squad(0, "regular", 20, 20, 3), pilot=Pilot(at=at(24, 24), unit=0), tokens={0: ("fire",)})
    left = done(back(t, 2))
    assert left.pilot == Pilot(at=at(20, 20))
    assert (left.tokens, left.units[0].watching) == ({}, 0)


@pytest.mark.clause("SQ-S23", "SQ-TRT-15")
def test_the_broken_regroup_or_run_on() -> None:
    t = scene(squad(0, "regular", 20, 20, 3, broken=True), squad(0, "regular", 20, 22, 3, officer=True))
    u = done(play(t, Regroup(unit=0), 3)).units[0]
    assert (u.broken, u.pinned) == (False, True)
    # No Officer helps.
    ran = play(t, Regroup(unit=0), 2, 1)
    assert done(ran).units[0].broken
    assert done(ran).models[0].at == at(20, 13)
    t.change(0, traits=("resolute",))
    assert not done(play(t, Regroup(unit=0))).units[0].broken


# --- the Terrifying ---------------------------------------------------------------------------------------------------


def fright(t: Firefight, *dice: Any, unit: int = 0) -> Heard:
    return play(t, Terror(unit=unit), *dice)


DREAD: dict[str, Any] = {"traits": ("terrifying",)}


@pytest.mark.clause("SQ-TRT-17", "SQ-TRT-18", "SQ-Q37")
@pytest.mark.parametrize("mover", [0, 1])
def test_who_is_within_10_inches_after_a_move_is_tested_and_a_pass_serves_for_good(mover: int) -> None:
    t = scene(squad(0, "regular", 20, 20, 4), squad(1, "elite", 20, "30.6", 4, **DREAD))
    match = fright(t, 3, unit=mover)
    assert done(match).units[0].braved == (1,)
    faced = one(match, Faced)
    assert faced.sentence(done(match)) == "South 0 stands its ground before North 1: 3, morale 3+"
    read = faced.reading(done(match))
    assert read is not None
    assert (read.words, [die.face for die in read.dice]) == ("South 0: faces North 1", [3])
    assert not every(fright(done(match), unit=mover), Faced)
    far = scene(squad(0, "regular", 20, 20, 4), squad(1, "elite", 20, "30.61", 4, **DREAD))
    assert not every(fright(far, unit=mover), Faced)


@pytest.mark.clause("SQ-TRT-17", "SQ-Q37", "SQ-Q56", "SQ-S21")
@pytest.mark.house("terrifying_result", "fall_back", "removed")
def test_who_fails_breaks() -> None:
    def position(**fields: Any) -> Firefight:
        return scene(squad(0, "regular", 20, 20, 4, officer=True), squad(1, "elite", 20, 28, 4, **DREAD), **fields)

    u = done(fright(position(), 2, 1)).units[0]
    assert (u.broken, u.braved, u.where) == (True, (), "table")
    # The unit ran 7 inches away from the unit that it fears, so it will be tested again.
    assert u.feared == ()
    removed = done(fright(position(rules={"terrifying_result": "removed"}), 2)).units[0]
    assert removed.where == "gone"


@pytest.mark.clause("SQ-Q37")
def test_who_failed_is_tested_again_only_when_it_comes_near_again() -> None:
    t = scene(squad(0, "regular", 20, 20, 4, feared=(1,)), squad(1, "elite", 20, 28, 4, **DREAD))
    assert not every(fright(t), Faced)
    t.put({m: at(20 + m, 5) for m in range(4)})
    assert done(fright(t)).units[0].feared == ()
    away = done(fright(t))
    away.put({m: at(20 + m, 20) for m in range(4)})
    assert len(every(fright(away, 6), Faced)) == 1


@pytest.mark.clause("SQ-Q37", "SQ-TRT-05", "SQ-Q35")
def test_machines_passengers_and_the_broken_are_not_tested_and_the_fearless_pass() -> None:
    t = scene(
        squad(1, "elite", 20, 28, 4, **DREAD),
        machine(0, "apc", 20, 24),
        squad(0, "regular", 20, 20, 4, where="aboard", carrier=1),
        squad(0, "regular", 24, 22, 4, broken=True),
        squad(0, "regular", 14, 22, 4, traits=("fearless",)),
        squad(1, "regular", 20, 32, 4),
    )
    match = fright(t)
    assert [(f.unit, f.passed, f.faces) for f in every(match, Faced)] == [(4, True, ())]
