"""Smoke: who lays it and where, what it does to shots, and when it drifts away (SQ-ORG-47 to 52, SQ-S40, SQ-Q58)."""

from __future__ import annotations

from itertools import product
from math import dist
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Refusal
from caltrop.geometry import INCH, directions, point_along
from caltrop.rules.squad_action.activation import NextAct, PassUp
from caltrop.rules.squad_action.catalogue import SUPPLIED
from caltrop.rules.squad_action.orders import Begin, EndTurn
from caltrop.rules.squad_action.overwatch import LetPass, Spring
from caltrop.rules.squad_action.places import CLOUD, look_between, sees, shelter
from caltrop.rules.squad_action.records import Cloud, Firefight
from caltrop.rules.squad_action.scene import at, done, machine, scene, squad
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import through_smoke
from caltrop.rules.squad_action.smoke import LaySmoke, SmokeGone, SmokeLaid, smoke_drifts
from caltrop.rules.squad_action.turn import Activation, GameTurn
from tests.rules.squad_action.played import KindOf, every, now, one, play

KIND = KindOf("smoke")


def laying(*more: Any, smoke: Any = (1, 0), **fields: Any) -> Firefight:
    """Return a firefight of three soldiers of South at (20, 10) with smoke, and further units."""
    return scene(squad(0, "regular", 20, 10, 3), *more, smoke=list(smoke), **fields)


def refused(t: Firefight, act: LaySmoke) -> Refusal:
    refusal = KIND.refusal(t, act, False)
    assert refusal is not None
    if refusal.nearest is not None:
        assert KIND.refusal(t, refusal.nearest, False) is None
    return refusal


def cloud(x: Any, y: Any, **fields: Any) -> Cloud:
    return Cloud(at=at(x, y), **{"side": 0, "unit": 0, "left": 2, **fields})


# --- who lays it, and where -------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-07", "SQ-ORG-47", "SQ-ORG-48", "SQ-S40")
def test_one_action_lays_one_marker_of_the_side() -> None:
    t = laying(squad(0, "regular", 30, 10, 3), smoke=(2, 0))
    match = play(t, LaySmoke(0, at(20, 14)).procedure(t))
    after = done(match)
    assert after.smoke == [1, 0]
    assert [(c.at, c.side, c.unit) for c in after.clouds] == [(at(20, 14), 0, 0)]
    words = one(match, SmokeLaid)
    assert (words.sentence(after), words.touches()) == ("South 0 lays smoke", (0,))
    # The stock is the side's: another unit lays the last one, and then there is none.
    again = done(play(after, LaySmoke(1, at(30, 14)).procedure(after)))
    assert (again.smoke, len(again.clouds)) == ([0, 0], 2)
    assert refused(again, LaySmoke(0, at(20, 14))).code == "no-markers"
    assert list(KIND.acts(again, 0, False)) == []
    assert KIND.sample(again, 0, False, Seeded(1)) is None
    assert KIND.regions(again, 0, False) == []


@pytest.mark.clause("SQ-ORG-48", "SQ-Q58")
def test_its_middle_lies_within_6_inches_of_the_unit_and_on_the_table() -> None:
    t = laying()
    edge = 10 * INCH + 76 + 6 * INCH
    assert KIND.refusal(t, LaySmoke(0, (20 * INCH, edge)), False) is None
    assert refused(t, LaySmoke(0, (20 * INCH, edge + 1))).code == "too-far"
    # Of any of its models.
    assert KIND.refusal(t, LaySmoke(0, (22 * INCH, edge)), False) is None
    near_edge = scene(squad(0, "regular", 20, 1, 3), smoke=[1, 0])
    assert KIND.refusal(near_edge, LaySmoke(0, (20 * INCH, 0)), False) is None
    assert refused(near_edge, LaySmoke(0, (20 * INCH, -1))).code == "off-table"
    assert refused(laying(squad(1, "regular", 20, 40)), LaySmoke(1, at(20, 40))).code == "no-markers"
    away = scene(squad(0, "regular", 20, 10, where="reserve"), smoke=[1, 0])
    assert refused(away, LaySmoke(0, at(20, 10))).code == "not-on-table"


@pytest.mark.clause("SQ-ORG-52", "SQ-S55", "SQ-Q58")
def test_machines_need_dischargers_and_use_the_same_markers() -> None:
    assert {key for key, row in SUPPLIED.vehicles.items() if row.dischargers} == {
        "ifv",
        "light-tank",
        "battle-tank",
        "heavy-tank",
    }
    t = scene(machine(0, "ifv", 20, 10), machine(0, "apc", 30, 10), smoke=[1, 0])
    assert refused(t, LaySmoke(1, at(30, 10))).code == "no-dischargers"
    assert (list(KIND.acts(t, 1, False)), KIND.regions(t, 1, False)) == ([], [])
    after = done(play(t, LaySmoke(0, at(20, 10)).procedure(t)))
    assert (after.smoke, len(after.clouds)) == ([0, 0], 1)


@pytest.mark.clause("SQ-ORG-48")
def test_what_is_offered_is_legal() -> None:
    t = laying()
    acts = list(KIND.acts(t, 0, False))
    assert acts[0] == LaySmoke(0, at(20, 10))
    assert {a.at for a in acts[1:]} == {point_along(at(20, 10), d, 6 * INCH) for d in directions(8)}
    dice = Seeded(4)
    drawn = {KIND.sample(t, 0, False, dice) for _ in range(40)}
    assert len(drawn) > 20
    assert [a for a in (*acts, *drawn) if KIND.refusal(t, a, False) is not None] == []
    (region,) = KIND.regions(t, 0, False)
    assert (region.form, region.act, region.words) == ("spot", "smoke", "Lay smoke")
    assert region.bands == ((6 * INCH, 0),)


@pytest.mark.clause("SQ-ORG-48")
@pytest.mark.parametrize(("to", "near"), [((20, 30), (20, 16)), ((40, 10), (28, 10)), ((20, -2), (20, 4))])
def test_smoke_too_far_is_put_right_to_the_nearest_place(to: tuple[int, int], near: tuple[int, int]) -> None:
    t = laying()
    refusal = refused(t, LaySmoke(0, at(*to)))
    assert isinstance(refusal.nearest, LaySmoke)
    assert KIND.refusal(t, refusal.nearest, False) is None
    best = min(
        dist(at(*to), place)
        for x, y in product(range(10, 32), range(1, 20))
        if KIND.refusal(t, LaySmoke(0, place := at(x, y)), False) is None
    )
    assert dist(at(*to), refusal.nearest.at) <= best


@pytest.mark.clause("SQ-ORG-05", "SQ-S31", "SQ-ACT-07")
def test_watchers_may_break_in_and_who_is_pinned_lays_none() -> None:
    t = laying(squad(1, "regular", 20, 22, 3), tokens={1: ("fire",)})
    act = LaySmoke(0, at(20, 14))
    stored = play(t, act.procedure(t), answers=[LetPass()])
    assert len(now(stored).clouds) == 1
    shot = play(
        t,
        act.procedure(t),
        *[(6, 1, 1), (6,), (1,)],
        answers=[Spring(1, "fire"), Shoot(1, (("rifle", 0),))],
    )
    assert now(shot).units[0].pinned
    assert (now(shot).clouds, now(shot).smoke) == ([], [1, 0])


# --- what it does -----------------------------------------------------------------------------------------------------


def needed(t: Firefight) -> list[int]:
    """Return the target numbers of a squad's rifles at unit 1, by band."""
    return [band.needed for attack in attack_of(t, Shoot(0, (("rifle", 1),)), False) for band in attack.bands]


@pytest.mark.clause("SQ-ORG-49", "SQ-Q58", "SQ-W49")
@pytest.mark.house("smoke", "screen", "block")
def test_shots_through_into_and_out_of_smoke_are_at_minus_1_once() -> None:
    def over(*clouds: Cloud, **rules: Any) -> Firefight:
        return scene(squad(0, "regular", 20, 10, 1, starting=1), squad(1, "regular", 20, "22.6", 4, gap="0.7"),
                     clouds=list(clouds), rules=rules)  # fmt: skip

    assert needed(over()) == [4]
    assert needed(over(cloud(20, 16))) == [5], "through"
    assert needed(over(cloud(20, 15), cloud(20, 18))) == [5], "once however many there are"
    assert needed(over(cloud(20, "22.6"))) == [5], "into"
    assert needed(over(cloud(20, 10))) == [5], "out of"
    assert needed(over(cloud(30, 16))) == [4], "beside"
    assert needed(over(cloud(20, 16), smoke="block")) == [], "nobody sees through it under the house rule"
    assert needed(over(smoke="block")) == [4]


@pytest.mark.clause("SQ-ORG-51", "SQ-W49")
def test_smoke_is_nothing_to_flyers() -> None:
    for kind, clear in (("gunship", True), ("apc", False)):
        t = scene(squad(0, "regular", 20, 10, 1), machine(1, kind, 20, 24), clouds=[cloud(20, 16)])
        assert look_between(t, 0, 1).clear is clear


@pytest.mark.clause("SQ-Q58")
def test_a_cloud_is_6_inches_across() -> None:
    for y, inside in (("16.99", False), (17, True), (23, True), ("23.01", False)):
        away = 10 if inside or y == "16.99" else 30
        t = scene(squad(0, "regular", 20, y, 1), squad(1, "regular", 20, away, 1), clouds=[cloud(20, 20)])
        assert through_smoke(t, 0, 1) is inside
        assert through_smoke(t, 1, 0) is inside
    assert CLOUD == 3 * INCH


@pytest.mark.clause("SQ-Q58")
@pytest.mark.house("smoke", "block")
def test_a_soldier_at_the_rim_of_a_cloud_is_inside() -> None:
    for y, cover in (("16.99", "none"), (17, "soft"), (20, "soft")):
        t = scene(squad(0, "regular", 20, 10, 1), squad(1, "regular", 20, y, 1), clouds=[cloud(20, 20)],
                  rules={"smoke": "block"})  # fmt: skip
        assert shelter(t, 1, at(20, 10)).cover == cover


@pytest.mark.clause("SQ-ORG-49", "SQ-Q58")
@pytest.mark.house("smoke", "screen", "block")
def test_what_is_seen_is_looked_at_anew_when_smoke_comes_and_goes() -> None:
    t = laying(squad(1, "regular", 20, 30, 3), rules={"smoke": "block"})
    assert sees(t, 0, 3)
    t.put_clouds([cloud(x, 18) for x in (18, 20, 22)])
    assert not sees(t, 0, 3)
    t.put_clouds([])
    assert sees(t, 0, 3)
    # In the middle of an activation too: what the second action may shoot at is known before anything else changes.
    begun = laying(squad(1, "regular", 20, 30, 3), tokens={1: ("fire",)})
    announced = Activation(unit=0, first=LaySmoke(0, at(21, 14)), then=("shoot",), told=True)
    match = play(begun, announced, answers=[LetPass()])
    assert not look_between(now(match), 0, 3).clear
    assert isinstance(match.waiting[0], NextAct)


# --- it drifts away ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-50", "SQ-W50")
def test_example_50_smoke_lies_for_this_turn_and_the_enemys_next_one() -> None:
    t = laying(squad(1, "regular", 20, 40, 3), round=1, first=0)
    match = play(t, GameTurn(), answers=[Begin(0, LaySmoke(0, at(20, 14)), ("shoot",)), PassUp()])
    seen = []
    while match.waiting:
        (decision,) = match.waiting
        seen.append((now(match).active, len(now(match).clouds)))
        match.play(decision.side, EndTurn() if EndTurn() in decision.options(match.state) else PassUp())
    assert seen == [(1, 1)], "it lies there for all of North's turn"
    assert now(match).clouds == []
    assert one(match, SmokeGone).sentence(now(match)) == "The smoke of South 0 drifts away"


@pytest.mark.clause("SQ-ORG-50")
def test_smoke_of_the_side_that_acts_second_lies_into_the_next_game_turn() -> None:
    t = laying(squad(1, "regular", 20, 40, 3), smoke=(0, 1), round=1, first=0)
    match = play(t, GameTurn(), answers=[EndTurn(), Begin(1, LaySmoke(1, at(20, 36)), ("shoot",)), PassUp()])
    assert [c.left for c in now(match).clouds] == [1]
    later = play(done(match), GameTurn(), answers=[EndTurn()])
    assert now(later).clouds == [], "it is gone at the end of South's next turn"


@pytest.mark.clause("SQ-Q01", "SQ-ORG-50")
@pytest.mark.house("activation", "side", "alternate", "random_draw")
@pytest.mark.parametrize("activation", ["alternate", "random_draw"])
def test_where_the_sides_share_a_turn_it_lies_until_its_unit_is_activated_again(activation: str) -> None:
    t = laying(squad(1, "regular", 20, 40, 3), clouds=[cloud(20, 20), cloud(30, 20, unit=1, side=1, left=1)],
               rules={"activation": activation})  # fmt: skip
    dice: list[Any] = [6, 1] if activation == "alternate" else [6, 1, (1,), (1,)]
    match = play(t, GameTurn(), *dice)
    side = match.waiting[0].side
    act = next(a for a in match.waiting[0].options(match.state) if isinstance(a, Begin))
    match.play(side, act)
    gone = [e.unit for e in every(match, SmokeGone)]
    assert gone == [act.unit], "and the other one lies there still"
    # A unit that is out of play is activated no more: its smoke goes at the end of the next game turn.
    t = laying(squad(1, "regular", 20, 40, 3), clouds=[cloud(20, 20, left=1)], rules={"activation": activation})
    t.change(0, where="gone")
    smoke_drifts(t, (0, 1))
    assert t.clouds == []
    t = laying(squad(1, "regular", 20, 40, 3), clouds=[cloud(20, 20)])
    assert len(now(play(t, Activation(unit=0))).clouds) == 1, "side by side it lasts as long as ends of turns say"


@pytest.mark.clause("SQ-ORG-50", "SQ-Q01")
@pytest.mark.parametrize(("where", "lasts"), [("table", True), ("aboard", True), ("gone", False), ("away", False)])
def test_smoke_of_a_unit_that_acts_no_more_lasts_as_long_as_usual(where: str, lasts: bool) -> None:
    t = laying(clouds=[Cloud(at=at(20, 14), side=0, unit=0, left=2)], rules={"activation": "alternate"})
    t.change(0, where=where)
    smoke_drifts(t, (0, 1))
    assert len(t.clouds) == 1
    smoke_drifts(t, (0, 1))
    assert bool(t.clouds) is lasts
