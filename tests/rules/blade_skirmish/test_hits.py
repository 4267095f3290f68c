"""Automatic hits: the hitters, their order, and the credit for kills."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from caltrop.chance import Seeded
from caltrop.geometry import Point, point_along
from caltrop.rules.blade_skirmish.catalogue import hour, inches
from caltrop.rules.blade_skirmish.hits import AutomaticHits, hits_the_drifting, hits_the_fleeing, met
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from caltrop.rules.blade_skirmish.straight import straight

NORTH = (0, 1)


def beset(**fields: object) -> Skirmish:
    """Return a fighter with an enemy on either side of her."""
    return scene(put(0, 2, 12, 12), put(1, 1, 11, 12, **fields), put(1, 1, 13, 12))


def hit(t: Skirmish, *dice: Sequence[int], pinned: bool = False) -> Skirmish:
    return done(run(t, AutomaticHits(victim=0, attackers=(1, 2), pinned=pinned), *dice))


def victim(t: Skirmish) -> Fighter:
    return t.fighters[0]


@pytest.mark.clause("BS-Q44")
def test_automatic_hits_count_one_by_one_until_she_is_off_the_table() -> None:
    t = hit(beset(), (1,), (2,))
    assert (victim(t).stunned, victim(t).fleeing) == (True, True)
    t = hit(beset(), (4,))
    assert (victim(t).at, victim(t).fate) == (None, "wounded")


@pytest.mark.clause("BS-Q44")
@pytest.mark.parametrize("order", [((4,), (6,)), ((6,), (4,))])
def test_those_of_one_who_cannot_flee_are_all_rolled_and_death_goes_over_wounds(order: Sequence[Sequence[int]]) -> None:
    t = hit(beset(), *order, pinned=True)
    assert victim(t).fate == "dead"
    killer = 1 if order[0] == (6,) else 2
    assert [t.fighters[n].kills for n in (1, 2)] == [int(killer == 1), int(killer == 2)]


@pytest.mark.clause("BS-Q22")
def test_a_death_is_the_kill_of_the_enemy_she_touched_and_no_fatality_is_rolled() -> None:
    t = hit(beset(), (6,))
    assert (victim(t).fate, t.fighters[1].kills, t.fighters[2].kills) == ("dead", 1, 0)


@pytest.mark.clause("BS-Q24", "BS-Q19", "BS-MOV-08", "BS-MOV-09")
def test_any_enemy_hits_the_fleeing_but_one_who_takes_a_trophy() -> None:
    assert hits_the_fleeing(beset(), 1)
    assert hits_the_fleeing(beset(stunned=True), 1)
    assert hits_the_fleeing(beset(fleeing=True), 1)
    assert not hits_the_fleeing(beset(trophy=1), 1)


@pytest.mark.house("helpless_enemies_hit_fleers", "on", "off")
@pytest.mark.clause("BS-Q19")
def test_by_house_rule_the_helpless_hit_nobody() -> None:
    for value in ("on", "off"):
        t = scene(put(0, 2, 12, 12), put(1, 1, 11, 12, stunned=True), rules={"helpless_enemies_hit_fleers": value})
        assert hits_the_fleeing(t, 1) == (value == "on")
        t.change(1, stunned=False, fleeing=True)
        assert hits_the_fleeing(t, 1) == (value == "on")
        t.change(1, fleeing=False)
        assert hits_the_fleeing(t, 1)


@pytest.mark.clause("BS-RUN-02", "BS-ARN-02", "BS-Q21", "BS-Q24")
def test_only_fit_enemies_who_take_no_trophy_hit_the_drifting() -> None:
    assert hits_the_drifting(beset(), 1)
    assert not hits_the_drifting(beset(stunned=True), 1)
    assert not hits_the_drifting(beset(fleeing=True), 1)
    assert not hits_the_drifting(beset(trophy=1), 1)


@pytest.mark.clause("BS-Q21")
def test_she_has_run_into_those_who_are_in_the_way_of_her_next_step() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 1, 12, 13), put(1, 1, 13, 12), put(1, 1, 12, 11), put(0, 1, 11, 12))

    def blocked(heading: Point) -> tuple[int, ...]:
        return met(t, 0, straight(t, 0, heading, inches(4)), heading)

    assert blocked(NORTH) == (1,)
    assert blocked((1, 1)) == (1, 2)
    assert blocked((-1, 0)) == ()


@pytest.mark.clause("BS-RUN-02", "BS-MOV-08", "BS-Q21")
def test_who_is_stopped_by_an_enemy_has_run_into_her_however_flat_the_angle() -> None:
    dice = Seeded("flat angles")
    for _ in range(400):
        x, y = (inches(12) + dice.below(600) - 300 for _ in "xy")
        t = scene(put(0, 2, 12, 12), put(1, 1, 12, 12))
        t.change(1, at=point_along((x, y), (dice.below(2001) - 1000, dice.below(2001) - 1000), t.field.radius * 2 + 2))
        t.change(0, at=(x, y))
        heading = hour(1 + dice.below(12))
        course = straight(t, 0, heading, inches(6))
        hit = met(t, 0, course, heading)
        assert hit == ((1,) if course.stop == "fighter" else ()), (t.fighters[1].at, (x, y), heading)
